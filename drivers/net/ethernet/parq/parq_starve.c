// SPDX-License-Identifier: GPL-2.0
/*
 * Pure: priorities that make no progress because stricter traffic classes use the wire.
 * Their queues are not stuck, however long that lasts. The decision is based on what the
 * device has sent, not on settings: a queue that had time on the wire and did not use it
 * is stuck, however busy the others are.
 */
#include <linux/math64.h>
#include <linux/time64.h>

#include "parq.h"

/* IEEE 802.3 lets a transmit clock be wrong by 100 ppm, and the device has another one. */
#define PARQ_STARVE_CLOCKS	(1000000 / 200)
/* Longest frame of the stack before segmentation, bits. */
#define PARQ_STARVE_FRAME_BITS	(65536ULL * 8)

static unsigned int parq_starve_tc(const struct parq_ets_hw *ets, unsigned int prio)
{
	return ets->prio_tc >> (4 * prio) & 0xf;
}

static bool parq_starve_is_ets(const struct parq_ets_hw *ets, unsigned int tc)
{
	return (ets->tsa >> (4 * tc) & 0xf) == PARQ_TSA_ETS;
}

/* Bits that the link sends in @ns. */
static u64 parq_starve_bits(u32 kbit, u64 ns)
{
	return mul_u64_u32_div(ns, kbit, NSEC_PER_MSEC);
}

/* Bits of stricter classes than @tc, and of the device's own control frames. */
static u64 parq_starve_before(const struct parq_ets_hw *ets, unsigned int tc,
			      const struct parq_wire_use *from,
			      const struct parq_wire_use *to)
{
	u64 before = to->bits - from->bits, own = 0;
	unsigned int prio, other;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		other = parq_starve_tc(ets, prio);
		if (parq_starve_is_ets(ets, other) ||
		    (!parq_starve_is_ets(ets, tc) && other <= tc))
			own += to->prio[prio] - from->prio[prio];
	}
	return before - min(before, own);
}

/**
 * parq_starved() - tell whether a priority had no time on the wire
 * @ets: transmission selection
 * @chans: queues per priority
 * @prio: the priority
 * @kbit: speed of the link
 * @from: sample from when it had frames and began to complete none
 * @to: sample of now
 *
 * All queues of a traffic class take turns, one frame each.
 *
 * Return: true if the time left by stricter classes, its share, its rate limit and pauses
 * is not enough for the longest frame of each queue of its class.
 */
bool parq_starved(const struct parq_ets_hw *ets, unsigned int chans,
		  unsigned int prio, u32 kbit, const struct parq_wire_use *from,
		  const struct parq_wire_use *to)
{
	u64 paused = to->paused_ns[prio] - from->paused_ns[prio];
	u64 bw = ets->bw_lo | (u64)ets->bw_hi << 32;
	unsigned int tc = parq_starve_tc(ets, prio);
	u64 ns = 0, left, before;
	unsigned int queues = 0, i;

	/* Never longer than the time in which @to has more bits than @from. */
	if (to->before_ns > from->after_ns)
		ns = to->before_ns - from->after_ns;
	before = parq_starve_before(ets, tc, from, to) +
		 parq_starve_bits(kbit, div_u64(ns, PARQ_STARVE_CLOCKS));
	ns -= min(ns, paused);
	left = parq_starve_bits(kbit, ns);
	left -= min(left, before);
	if (parq_starve_is_ets(ets, tc))
		left = div_u64(left * (u8)(bw >> (8 * tc)), 100);
	if (ets->maxrate[tc])
		left = min(left, parq_starve_bits(ets->maxrate[tc], ns));
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (parq_starve_tc(ets, i) == tc)
			queues += chans;
	return left < queues * PARQ_STARVE_FRAME_BITS;
}
