// SPDX-License-Identifier: GPL-2.0
#include "fd.h"
#include "transit.h"

/* One more copy of each fourth frame. */
static u32 extras_of(u32 frames)
{
	return frames / 4;
}

u32 transit_count(u32 frames)
{
	return frames + extras_of(frames);
}

/* Frees all descriptors. */
void transit_reset(struct transit *t, u32 frames)
{
	t->frames = frames;
	t->extra = 0;
	t->free = TRANSIT_NONE;
	t->fresh = 0;
}

/**
 * transit_take() - take a descriptor for a copy
 * @t: the pool
 * @extra: the frame has one already; the first copy of a stored frame always gets one
 *
 * Return: its number, or TRANSIT_NONE.
 */
u32 transit_take(struct transit *t, bool extra)
{
	u32 i = t->free;

	if (extra && t->extra == extras_of(t->frames))
		return TRANSIT_NONE;
	if (i != TRANSIT_NONE) {
		t->free = t->desc[i].next;
	} else {
		/* Stored frames are counted in cells, so this is a bug. */
		if (t->fresh == transit_count(t->frames))
			__builtin_trap();
		i = t->fresh++;
	}
	t->extra += extra;
	t->desc[i].extra = extra;
	return i;
}

void transit_put(struct transit *t, u32 i)
{
	t->extra -= t->desc[i].extra;
	t->desc[i].next = t->free;
	t->free = i;
}

void transit_push(struct transit *t, struct transit_fifo *q, u32 i)
{
	if (q->count++)
		t->desc[q->tail].next = i;
	else
		q->head = i;
	q->tail = i;
}

/* Return: the oldest descriptor of a FIFO that is not empty. */
u32 transit_pop(struct transit *t, struct transit_fifo *q)
{
	u32 i = q->head;

	q->head = t->desc[i].next;
	q->count--;
	return i;
}

/**
 * transit_extract() - take the copies of a domain out of a FIFO
 * @t: the pool
 * @q: the FIFO; the others stay in their order
 * @domain: the domain, or FD_ANY_DOMAIN
 * @first: a number of the oldest ones, which becomes that of those that stay
 *
 * Return: those that were taken, in their order.
 */
struct transit_fifo transit_extract(struct transit *t, struct transit_fifo *q, u32 domain,
				    u32 *first)
{
	struct transit_fifo all = *q, taken = {};
	u32 old = *first, i;
	bool match;

	*q = (struct transit_fifo){};
	while (all.count) {
		i = transit_pop(t, &all);
		match = domain == FD_ANY_DOMAIN || t->desc[i].domain == domain;
		transit_push(t, match ? &taken : q, i);
		if (old) {
			old--;
			*first -= match;
		}
	}
	return taken;
}
