// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic of transmission selection (802.1Qaz): checks a user's settings, converts them to
 * register values, and tells which priorities are starved. Pure: no lock, no device, no memory
 * but the arguments.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "parq_ets.h"

#define PERCENT_MAX	100

static_assert(PARQ_NUM_PRIO == IEEE_8021QAZ_MAX_TCS);
static_assert(PARQ_NUM_TC == IEEE_8021QAZ_MAX_TCS);
static_assert((int)PARQ_TSA_STRICT == IEEE_8021QAZ_TSA_STRICT);
static_assert((int)PARQ_TSA_ETS == IEEE_8021QAZ_TSA_ETS);

/**
 * parq_ets_default() - settings before any user has changed them
 * @ets: filled
 *
 * IEEE 802.1Qaz 38.5.2: all priorities on TC 0, all TCs strict, not willing.
 */
void parq_ets_default(struct ieee_ets *ets)
{
	*ets = (struct ieee_ets){ .ets_cap = PARQ_NUM_TC };
}

/**
 * parq_ets_text() - what the NIC uses of ETS settings, in one line
 * @ets: settings
 * @text: filled: the traffic class of each priority, s(trict) or e(ts) and the percentage of
 *	each class
 */
void parq_ets_text(const struct ieee_ets *ets, char text[PARQ_ETS_TEXT_LEN])
{
	unsigned int i;
	int n;

	n = scnprintf(text, PARQ_ETS_TEXT_LEN, "prio-tc ");
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		n += scnprintf(text + n, PARQ_ETS_TEXT_LEN - n, "%u", ets->prio_tc[i]);
	n += scnprintf(text + n, PARQ_ETS_TEXT_LEN - n, " tsa ");
	for (i = 0; i < PARQ_NUM_TC; i++)
		n += scnprintf(text + n, PARQ_ETS_TEXT_LEN - n, "%c",
			       ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS ? 'e' : 's');
	n += scnprintf(text + n, PARQ_ETS_TEXT_LEN - n, " bw");
	for (i = 0; i < PARQ_NUM_TC; i++)
		n += scnprintf(text + n, PARQ_ETS_TEXT_LEN - n, " %u", ets->tc_tx_bw[i]);
}

static int check_flag(const char *name, u8 val, char *reason)
{
	if (val <= 1)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "%s %u is not 0 or 1", name, val);
	return -EINVAL;
}

static int check_map(const char *name, const u8 *prio_tc, char *reason)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (prio_tc[prio] < PARQ_NUM_TC)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "%s of priority %u: traffic class %u is not in 0..%u",
			 name, prio, prio_tc[prio], PARQ_NUM_TC - 1);
		return -EINVAL;
	}
	return 0;
}

static int check_bw(const char *name, const u8 *bw, char *reason)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (bw[tc] <= PERCENT_MAX)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "%s of traffic class %u: %u%% is not in 0..%u%%",
			 name, tc, bw[tc], PERCENT_MAX);
		return -EINVAL;
	}
	return 0;
}

/* A recommendation is for the peer, so all algorithms of table D-2 are accepted. */
static int check_reco_tsa(const u8 *tsa, char *reason)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (tsa[tc] <= IEEE_8021QAZ_TSA_ETS ||
		    tsa[tc] == IEEE_8021QAZ_TSA_VENDOR)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "reco-tc-tsa of traffic class %u: %u is not in 0..2 or 255",
			 tc, tsa[tc]);
		return -EINVAL;
	}
	return 0;
}

static int check_tsa(const u8 *tsa, char *reason)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (tsa[tc] == PARQ_TSA_STRICT || tsa[tc] == PARQ_TSA_ETS)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "tc-tsa of traffic class %u: %u is neither strict (%u) nor ets (%u)",
			 tc, tsa[tc], PARQ_TSA_STRICT, PARQ_TSA_ETS);
		return -EOPNOTSUPP;
	}
	return 0;
}

/*
 * Bandwidths of strict TCs are ignored: "tc-tsa all:strict" leaves the old values in the
 * message. DCBX agents send a sum of 0 between two settings.
 */
static int check_bw_sum(const struct ieee_ets *ets, char *reason)
{
	unsigned int tc, sum = 0;
	bool any = false;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (ets->tc_tsa[tc] != PARQ_TSA_ETS)
			continue;
		sum += ets->tc_tx_bw[tc];
		any = true;
	}
	if (!any || !sum || sum == PERCENT_MAX)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "tc-bw of the ets traffic classes adds up to %u%%, not 0%% or %u%%",
		 sum, PERCENT_MAX);
	return -EINVAL;
}

/**
 * parq_ets_check() - check ETS settings
 * @ets: settings of a user
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for an algorithm that the device lacks.
 */
int parq_ets_check(const struct ieee_ets *ets, char reason[PARQ_REASON_LEN])
{
	int err;

	err = check_flag("willing", ets->willing, reason);
	if (!err && ets->ets_cap > PARQ_NUM_TC) {
		snprintf(reason, PARQ_REASON_LEN, "ets-cap %u is not in 0..%u",
			 ets->ets_cap, PARQ_NUM_TC);
		err = -EINVAL;
	}
	if (!err && ets->cbs) {
		snprintf(reason, PARQ_REASON_LEN,
			 "cbs %u is not 0: the device has no credit-based shaper",
			 ets->cbs);
		err = -EOPNOTSUPP;
	}
	if (!err)
		err = check_map("prio-tc", ets->prio_tc, reason);
	if (!err)
		err = check_tsa(ets->tc_tsa, reason);
	if (!err)
		err = check_bw("tc-bw", ets->tc_tx_bw, reason);
	if (!err)
		err = check_bw("tc-rx-bw", ets->tc_rx_bw, reason);
	if (!err)
		err = check_bw_sum(ets, reason);
	if (!err)
		err = check_map("reco-prio-tc", ets->reco_prio_tc, reason);
	if (!err)
		err = check_bw("reco-tc-bw", ets->tc_reco_bw, reason);
	if (!err)
		err = check_reco_tsa(ets->tc_reco_tsa, reason);
	return err;
}

/* The device accepts 1 to 100: a share of 0 becomes 1. */
static u32 weight_of(const struct ieee_ets *ets, unsigned int tc,
		     unsigned int num_ets, unsigned int sum)
{
	if (ets->tc_tsa[tc] != PARQ_TSA_ETS)
		return 0;
	if (!sum)
		return PERCENT_MAX / num_ets;
	return max_t(u32, ets->tc_tx_bw[tc], 1);
}

/**
 * parq_ets_fit() - convert ETS settings to register values
 * @ets: settings that parq_ets_check() accepted
 *
 * ETS traffic classes whose bandwidths add up to 0 get equal shares.
 *
 * Return: values of the PARQ_ETS_* registers, without limits.
 */
struct parq_ets_hw parq_ets_fit(const struct ieee_ets *ets)
{
	unsigned int i, num_ets = 0, sum = 0;
	struct parq_ets_hw hw = {};
	u64 bw = 0;

	for (i = 0; i < PARQ_NUM_TC; i++) {
		if (ets->tc_tsa[i] != PARQ_TSA_ETS)
			continue;
		sum += ets->tc_tx_bw[i];
		num_ets++;
	}
	for (i = 0; i < PARQ_NUM_TC; i++) {
		hw.prio_tc |= (u32)ets->prio_tc[i] << (4 * i);
		hw.tsa |= (u32)ets->tc_tsa[i] << (4 * i);
		bw |= (u64)weight_of(ets, i, num_ets, sum) << (8 * i);
	}
	hw.bw_lo = lower_32_bits(bw);
	hw.bw_hi = upper_32_bits(bw);
	return hw;
}

/**
 * parq_ets_maxrate_check() - check a rate limit of struct ieee_maxrate
 * @tc: traffic class
 * @kbit: kbit/s, 0 for none
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0 or -EINVAL.
 */
int parq_ets_maxrate_check(unsigned int tc, u64 kbit, char reason[PARQ_REASON_LEN])
{
	if (kbit <= U32_MAX)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "maxrate of TC %u: %llu kbit/s, not 0..%u", tc, kbit, U32_MAX);
	return -EINVAL;
}

/**
 * parq_ets_rate_check() - check a rate limit of a qdisc
 * @name: what the user calls it
 * @tc: traffic class
 * @rate: bytes/s, 0 for none
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0 or -EINVAL.
 */
int parq_ets_rate_check(const char *name, unsigned int tc, u64 rate,
			char reason[PARQ_REASON_LEN])
{
	if (!rate || (rate >= PARQ_ETS_KBIT && rate <= PARQ_ETS_RATE_MAX))
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "%s of TC %u: %llu B/s, not 0 or %u..%llu", name, tc,
		 rate, PARQ_ETS_KBIT, PARQ_ETS_RATE_MAX);
	return -EINVAL;
}

/**
 * parq_ets_rate_fit() - convert a rate limit of a qdisc
 * @rate: bytes/s that parq_ets_rate_check() accepted
 *
 * Rounded down: the rate never exceeds the limit.
 *
 * Return: kbit/s, 0 for none.
 */
u32 parq_ets_rate_fit(u64 rate)
{
	return div_u64(rate, PARQ_ETS_KBIT);
}

/**
 * parq_ets_percent() - share in percent
 * @part: part of @sum
 * @sum: not 0, and below 2^57
 *
 * Return: 0 to 100, rounded to the nearest.
 */
u8 parq_ets_percent(u64 part, u64 sum)
{
	return div64_u64(part * PERCENT_MAX + sum / 2, sum);
}

/*
 * ---- Starved queues --------------------------------------------------------
 *
 * Priorities that make no progress because stricter traffic classes use the wire. Their queues
 * are not stuck, however long that lasts. The decision is based on what the device has sent, not
 * on settings: a queue that had time on the wire and did not use it is stuck, however busy the
 * others are.
 */

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
 * Return: true if the time left by stricter classes, its share, rate limits and pauses is not
 * enough for the longest frame of each queue of its class.
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

	kbit = min_not_zero(kbit, ets->port_rate);
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
