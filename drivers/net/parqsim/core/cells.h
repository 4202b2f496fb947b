/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pool of cells of equal size. A frame is stored in a chain of cells. The memory of a pool has
 * parts, which can be added later: the number of a cell names its part and its place there.
 */
#ifndef _PARQSIM_CELLS_H
#define _PARQSIM_CELLS_H

#include <linux/types.h>

#define CELL_SIZE	64
#define CELL_NONE	(~0U)
#define CELL_PART_SHIFT	20
#define CELL_BITS	26	/* of the number of a cell of PARQ_MAX_PORTS parts */

/**
 * struct cells_part - a part of a pool
 * @mem: the cells
 * @next: for each cell, the next one in its chain
 */
struct cells_part {
	u8 *mem;
	u32 *next;
};

/**
 * struct cells - a pool
 * @part: its parts
 * @parts: number of parts that have memory
 * @count: cells of each part
 * @left: cells that are free
 * @free: chain of freed cells
 * @fresh: first cell that was never used, so that unused memory is not touched
 */
struct cells {
	struct cells_part *part;
	u32 parts;
	u32 count;
	u32 left;
	u32 free;
	u32 fresh;
};

/* Bytes of memory that @count cells need, a multiple of CELL_SIZE. */
size_t cells_size(u32 count);
void cells_init(struct cells *c, struct cells_part *part, u32 count);
void cells_add(struct cells *c, void *mem);
void cells_reset(struct cells *c);

u32 cells_alloc(struct cells *c, u32 len);
void cells_free(struct cells *c, u32 first);
void cells_write(struct cells *c, u32 first, u32 off, const void *data, u32 len);
void cells_read(const struct cells *c, u32 first, u32 off, void *data, u32 len);

/* Whether there is room for a chain of @len bytes. */
static inline bool cells_have(const struct cells *c, u32 len)
{
	return c->left >= (len + CELL_SIZE - 1) / CELL_SIZE;
}

/* Place of a cell in its part. */
static inline u32 cells_place(u32 cell)
{
	return cell & ((1U << CELL_PART_SHIFT) - 1);
}

/* The first @CELL_SIZE bytes of a chain, which are contiguous. */
static inline void *cells_at(const struct cells *c, u32 first)
{
	return c->part[first >> CELL_PART_SHIFT].mem + (size_t)cells_place(first) * CELL_SIZE;
}

/* The next cell of a chain. */
static inline u32 *cells_next(const struct cells *c, u32 cell)
{
	return &c->part[cell >> CELL_PART_SHIFT].next[cells_place(cell)];
}

#endif /* _PARQSIM_CELLS_H */
