/* SPDX-License-Identifier: GPL-2.0 */
/* Memory in cells of equal size, linked to chains: a chain holds one frame. */
#ifndef _PARQSIM_CELLS_H
#define _PARQSIM_CELLS_H

#include <linux/types.h>

#define CELL_SIZE	64
#define CELL_NONE	(~0U)

/**
 * struct cells - a pool
 * @mem: the cells
 * @next: of each cell: the one behind it in its chain
 * @count: cells
 * @free: chain of those that were given back
 * @fresh: first that was never taken: what nobody uses is not touched
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

/* The first @CELL_SIZE bytes of a chain, which lie in one piece. */
static inline void *cells_at(const struct cells *c, u32 first)
{
	return c->mem + (size_t)first * CELL_SIZE;
}

#endif /* _PARQSIM_CELLS_H */
