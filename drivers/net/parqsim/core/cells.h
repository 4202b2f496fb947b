/* SPDX-License-Identifier: GPL-2.0 */
/* A pool of cells of equal size. A frame is stored in a chain of cells. */
#ifndef _PARQSIM_CELLS_H
#define _PARQSIM_CELLS_H

#include <linux/types.h>

#define CELL_SIZE	64
#define CELL_NONE	(~0U)

/**
 * struct cells - a pool
 * @mem: the cells
 * @next: for each cell, the next one in its chain
 * @count: number of cells
 * @free: chain of freed cells
 * @fresh: first cell that was never used, so that unused memory is not touched
 */
struct cells {
	u8 *mem;
	u32 *next;
	u32 count;
	u32 free;
	u32 fresh;
};

/* Bytes of memory that @count cells need, a multiple of CELL_SIZE. */
size_t cells_size(u32 count);
void cells_init(struct cells *c, void *mem, u32 count);
void cells_reset(struct cells *c);

u32 cells_alloc(struct cells *c, u32 len);
void cells_free(struct cells *c, u32 first);
void cells_write(struct cells *c, u32 first, u32 off, const void *data, u32 len);
void cells_read(const struct cells *c, u32 first, u32 off, void *data, u32 len);

/* The first @CELL_SIZE bytes of a chain, which are contiguous. */
static inline void *cells_at(const struct cells *c, u32 first)
{
	return c->mem + (size_t)first * CELL_SIZE;
}

#endif /* _PARQSIM_CELLS_H */
