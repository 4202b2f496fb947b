// SPDX-License-Identifier: GPL-2.0
#include <linux/parq_hw.h>

#include "shaper.h"

/* A byte at 1 kbit/s. */
#define BYTE_PS		8000000000ULL

/**
 * shaper_set() - change the limit
 * @s: the shaper
 * @now: ps
 * @kbit: the new limit
 *
 * It counts from now on: nothing has been saved up, and nothing is owed, which at a
 * slow rate could be a minute of silence. The same limit again changes nothing.
 */
void shaper_set(struct shaper *s, u64 now, u32 kbit)
{
	if (kbit != s->kbit)
		*s = (struct shaper){ .kbit = kbit, .free_at = now };
}

/**
 * shaper_charge() - a frame has been fetched
 * @s: the shaper, which is open
 * @now: ps
 * @bytes: that the frame takes on the wire
 *
 * A class that has waited for others, or had nothing to send, catches up with what
 * it has missed: PARQ_ETS_BURST bytes at most.
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
