/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rate limit of a traffic class: when its next frame may be fetched. Pure arithmetic,
 * exact to the picosecond however long it runs.
 */
#ifndef _PARQSIM_SHAPER_H
#define _PARQSIM_SHAPER_H

#include <linux/types.h>

/**
 * struct shaper - one traffic class
 * @kbit: limit, kbit/s on the wire; 0 is none
 * @free_at: what was fetched has been paid for then, ps
 * @rest: of @free_at, in parts of a picosecond: 1 / @kbit
 */
struct shaper {
	u32 kbit;
	u64 free_at;
	u32 rest;
};

void shaper_set(struct shaper *s, u64 now, u32 kbit);
void shaper_charge(struct shaper *s, u64 now, u32 bytes);

/* Return: a frame may be fetched, of whatever length. */
static inline bool shaper_open(const struct shaper *s, u64 now)
{
	return !s->kbit || s->free_at <= now;
}

#endif /* _PARQSIM_SHAPER_H */
