// SPDX-License-Identifier: GPL-2.0
#include <linux/parq_hw.h>

#include "shaper.h"

/* Time of one byte at 1 kbit/s, ps. */
#define BYTE_PS		8000000000ULL

/**
 * shaper_set() - change the limit
 * @s: the shaper
 * @now: ps
 * @kbit: the new limit, kbit/s
 *
 * A new limit starts without credit and without debt: at a slow rate a debt could mean a
 * minute of silence. Setting the same limit again changes nothing.
 */
void shaper_set(struct shaper *s, u64 now, u32 kbit)
{
	if (kbit != s->kbit)
		*s = (struct shaper){ .kbit = kbit, .free_at = now };
}

/**
 * shaper_charge() - account for a fetched frame
 * @s: the shaper, which is open
 * @now: ps
 * @bytes: bytes of the frame on the wire
 *
 * One that waited for others, or was idle, may catch up by PARQ_ETS_BURST bytes at
 * most.
 */
void shaper_charge(struct shaper *s, u64 now, u32 bytes)
{
	u64 saved, cost;

	if (!s->kbit)
		return;
	saved = PARQ_ETS_BURST * BYTE_PS / s->kbit;
	if (s->free_at + saved < now)
		s->free_at = now - saved;
	cost = bytes * BYTE_PS + s->rest;
	s->free_at += cost / s->kbit;
	s->rest = cost % s->kbit;
}
