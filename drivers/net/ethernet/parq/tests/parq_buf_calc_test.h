/* SPDX-License-Identifier: GPL-2.0 */
/* What the suites of headroom and of receive buffers share. */
#ifndef _PARQ_BUF_CALC_TEST_H
#define _PARQ_BUF_CALC_TEST_H

#include "../parq_buf_calc.h"

#define RANDOM_ROUNDS	20000

/* xorshift64: the same numbers everywhere. */
static inline u32 rnd(u64 *state, u32 below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (u32)(*state >> 32) % below;
}

/* The longest frame, bytes. */
static inline u32 frame_len(const struct parq_rxb_want *want)
{
	return parq_rxb_path(want, want->speed).rx_frame;
}

/* Headroom of a lossless buffer at a speed, bytes. */
static inline u32 headroom_at(const struct parq_rxb_want *want, enum parq_speed speed)
{
	struct parq_path path = parq_rxb_path(want, speed);
	struct parq_headroom h = parq_headroom_overflow(&path);

	return parq_headroom_sum(&h);
}

#endif /* _PARQ_BUF_CALC_TEST_H */
