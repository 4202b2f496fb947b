/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rate limit of a traffic class or a port: the time at which its next frame may be fetched. Pure
 * arithmetic without rounding errors: a remainder is carried over.
 */
#ifndef _PARQSIM_SHAPER_H
#define _PARQSIM_SHAPER_H

#include <linux/types.h>

/**
 * struct shaper - one rate limit
 * @kbit: limit, kbit/s on the wire; 0 is none
 * @free_at: when the next frame may be fetched, ps
 * @rest: fraction of a picosecond on top of @free_at, in units of 1 / @kbit
 */
struct shaper {
	u32 kbit;
	u64 free_at;
	u32 rest;
};

void shaper_set(struct shaper *s, u64 now, u32 kbit);
void shaper_charge(struct shaper *s, u64 now, u32 bytes);

/* Return: a frame of any length may be fetched. */
static inline bool shaper_open(const struct shaper *s, u64 now)
{
	return !s->kbit || s->free_at <= now;
}

#endif /* _PARQSIM_SHAPER_H */
