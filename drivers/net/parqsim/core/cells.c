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
 * cells_init() - make a pool, all of it free
 * @c: the pool
 * @mem: cells_size() bytes, aligned to 4
 * @count: cells
 */
void cells_init(struct cells *c, void *mem, u32 count)
{
	c->mem = mem;
	c->next = (u32 *)((u8 *)mem + (size_t)count * CELL_SIZE);
	c->count = count;
	cells_reset(c);
}

/* Frees all chains. */
void cells_reset(struct cells *c)
{
	c->free = CELL_NONE;
	c->fresh = 0;
}

/* Callers count cells before they take them: an empty pool is a bug. */
static u32 take(struct cells *c)
{
	u32 cell = c->free;

	if (cell != CELL_NONE) {
		c->free = c->next[cell];
		return cell;
	}
	if (c->fresh == c->count)
		__builtin_trap();
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
		c->next[last] = take(c);
		last = c->next[last];
	}
	c->next[last] = CELL_NONE;
	return first;
}

void cells_free(struct cells *c, u32 first)
{
	u32 last = first;

	while (c->next[last] != CELL_NONE)
		last = c->next[last];
	c->next[last] = c->free;
	c->free = first;
}

/* Return: the cell that holds byte @off of a chain. @off becomes the offset in that cell. */
static u32 seek(const struct cells *c, u32 first, u32 *off)
{
	for (; *off >= CELL_SIZE; *off -= CELL_SIZE)
		first = c->next[first];
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

	for (; len; len -= n, from += n, off = 0, cell = c->next[cell]) {
		n = len < CELL_SIZE - off ? len : CELL_SIZE - off;
		copy_part((u8 *)cells_at(c, cell) + off, from, n);
	}
}

void cells_read(const struct cells *c, u32 first, u32 off, void *data, u32 len)
{
	u32 cell = seek(c, first, &off), n;
	u8 *to = data;

	for (; len; len -= n, to += n, off = 0, cell = c->next[cell]) {
		n = len < CELL_SIZE - off ? len : CELL_SIZE - off;
		copy_part(to, (u8 *)cells_at(c, cell) + off, n);
	}
}
