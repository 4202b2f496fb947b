// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "cells.h"

/* Rounded up to CELL_SIZE, so that one pool can follow another. */
size_t cells_size(u32 count)
{
	size_t links = count * sizeof(u32);

	return (size_t)count * CELL_SIZE +
	       (links + CELL_SIZE - 1) / CELL_SIZE * CELL_SIZE;
}

/**
 * cells_init() - make a pool that has no memory yet
 * @c: the pool
 * @part: as many as there will be
 * @count: cells of each part
 */
void cells_init(struct cells *c, struct cells_part *part, u32 count)
{
	*c = (struct cells){ .part = part, .count = count };
	cells_reset(c);
}

/**
 * cells_add() - add a part, all of it free
 * @c: the pool
 * @mem: cells_size() bytes, aligned to 4
 */
void cells_add(struct cells *c, void *mem)
{
	c->part[c->parts++] = (struct cells_part){
		.mem = mem, .next = (u32 *)((u8 *)mem + (size_t)c->count * CELL_SIZE),
	};
	c->left += c->count;
}

/* Frees all chains. */
void cells_reset(struct cells *c)
{
	c->free = CELL_NONE;
	c->fresh = 0;
	c->left = c->parts * c->count;
}

/* Callers count cells before they take them: an empty pool is a bug. */
static u32 take(struct cells *c)
{
	u32 cell = c->free;

	if (!c->left--)
		__builtin_trap();
	if (cell != CELL_NONE) {
		c->free = *cells_next(c, cell);
		return cell;
	}
	/* The next part. */
	if (cells_place(c->fresh) == c->count)
		c->fresh += (1U << CELL_PART_SHIFT) - c->count;
	return c->fresh++;
}

/**
 * cells_alloc() - allocate a chain
 * @c: the pool, which has room for it
 * @len: bytes that it must hold, at least 1
 *
 * Return: number of its first cell.
 */
u32 cells_alloc(struct cells *c, u32 len)
{
	u32 first = take(c), last = first;

	for (; len > CELL_SIZE; len -= CELL_SIZE) {
		*cells_next(c, last) = take(c);
		last = *cells_next(c, last);
	}
	*cells_next(c, last) = CELL_NONE;
	return first;
}

void cells_free(struct cells *c, u32 first)
{
	u32 last = first, count = 1;

	for (; *cells_next(c, last) != CELL_NONE; count++)
		last = *cells_next(c, last);
	*cells_next(c, last) = c->free;
	c->free = first;
	c->left += count;
}

/* Return: the cell that holds byte @off of a chain. @off becomes the offset in that cell. */
static u32 seek(const struct cells *c, u32 first, u32 *off)
{
	for (; *off >= CELL_SIZE; *off -= CELL_SIZE)
		first = *cells_next(c, first);
	return first;
}

/* Most parts fill a cell: their length is a constant. */
static inline void copy_part(u8 *to, const u8 *from, u32 len)
{
	if (len == CELL_SIZE)
		memcpy(to, from, CELL_SIZE);
	else
		memcpy(to, from, len);
}

void cells_write(struct cells *c, u32 first, u32 off, const void *data, u32 len)
{
	u32 cell = seek(c, first, &off), n;
	const u8 *from = data;

	for (; len; len -= n, from += n, off = 0, cell = *cells_next(c, cell)) {
		n = len < CELL_SIZE - off ? len : CELL_SIZE - off;
		copy_part((u8 *)cells_at(c, cell) + off, from, n);
	}
}

void cells_read(const struct cells *c, u32 first, u32 off, void *data, u32 len)
{
	u32 cell = seek(c, first, &off), n;
	u8 *to = data;

	for (; len; len -= n, to += n, off = 0, cell = *cells_next(c, cell)) {
		n = len < CELL_SIZE - off ? len : CELL_SIZE - off;
		copy_part(to, (u8 *)cells_at(c, cell) + off, n);
	}
}
