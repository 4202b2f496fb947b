// SPDX-License-Identifier: GPL-2.0
#include "qman_ets.h"

#define VTIME_SCALE	6400	/* limits the rounding error of division by percents */

/*
 * No class is ahead of the others by more than its frames in the pipeline. A larger difference
 * is that of a class whose last frame was long ago, so long perhaps that the others have wrapped.
 */
#define VTIME_DEBT_MAX	BIT_ULL(40)

/*
 * Bytes on the wire that a member of a round gets. Small, so that a long frame of one member
 * delays a short one of another by little more than itself.
 */
#define FAIR_QUANTUM	512

/**
 * qman_fair_pick() - select the member of a set that sends next, so that each sends as many bytes
 * @set: members, BIT_ULL(number), at least one
 * @last: the one that was selected last
 * @allowance: bytes that each may still send, by number; the caller subtracts what is sent
 *
 * Deficit round robin: a member may overdraw its allowance by a frame, and pays for it in the next
 * rounds. Nobody saves up anything: not while alone, not while it has nothing to send.
 *
 * Return: number of the member.
 */
u32 qman_fair_pick(u64 set, u32 last, s32 *allowance)
{
	if (!(set & (set - 1))) {
		last = __builtin_ctzll(set);
		allowance[last] = 0;
		return last;
	}
	if ((set & BIT_ULL(last)) && allowance[last] > 0)
		return last;
	do {
		last = qman_next_bit(set, last);
		if (allowance[last] > 0)
			allowance[last] = 0;
		allowance[last] += FAIR_QUANTUM;
	} while (allowance[last] <= 0);
	return last;
}

bool qman_ets_valid(const struct qman_ets *ets)
{
	u32 i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (ets->prio_tc[i] >= PARQ_NUM_TC)
			return false;
	for (i = 0; i < PARQ_NUM_TC; i++) {
		if (ets->tsa[i] == PARQ_TSA_STRICT)
			continue;
		if (ets->tsa[i] != PARQ_TSA_ETS || !ets->bw[i] ||
		    ets->bw[i] > 100)
			return false;
	}
	return true;
}

/* Those of @prios that belong to a traffic class. */
static u8 prios_of_tc(const struct qman_port *p, u32 prios, u32 tc)
{
	u8 found = 0;

	for (; prios; prios &= prios - 1)
		if (p->ets.prio_tc[__builtin_ctz(prios)] == tc)
			found |= BIT(__builtin_ctz(prios));
	return found;
}

/* Virtual time wraps, in 16 hours at 400 Gb/s and a weight of 1. */
static bool vtime_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

/*
 * Picks the class with the least service for its weight; all that are ready are ETS classes. A
 * class that becomes active starts level with the others: it has saved up nothing.
 */
static int pick_ets(struct qman_port *p, u8 ready_tcs)
{
	int tc, best = -1;
	u32 tcs;

	p->ets_active &= ready_tcs;
	for (tcs = ready_tcs; tcs; tcs &= tcs - 1) {
		tc = __builtin_ctz(tcs);
		if (!(p->ets_active & BIT(tc)) &&
		    p->vtime[tc] - p->vclock > VTIME_DEBT_MAX)
			p->vtime[tc] = p->vclock;
		p->ets_active |= BIT(tc);
		if (best < 0 || vtime_before(p->vtime[tc], p->vtime[best]))
			best = tc;
	}
	if (best >= 0)
		p->vclock = p->vtime[best];
	return best;
}

static int pick_tc(struct qman_port *p, u32 ready)
{
	u32 ready_tcs = 0, tcs;
	int tc;

	for (; ready; ready &= ready - 1)
		ready_tcs |= BIT(p->ets.prio_tc[__builtin_ctz(ready)]);
	for (tcs = ready_tcs; tcs; tcs ^= BIT(tc)) {
		tc = 31 - __builtin_clz(tcs);
		if (p->ets.tsa[tc] == PARQ_TSA_STRICT)
			return tc;
	}
	return pick_ets(p, ready_tcs);
}

/**
 * qman_ets_pick() - select the priority that sends next
 * @p: port
 * @ready: BIT(priority) of those that can send, at least one
 *
 * Strict traffic classes go first, the highest number before the others; then ETS. The
 * priorities of one traffic class send as many bytes each.
 *
 * Return: priority.
 */
u32 qman_ets_pick(struct qman_port *p, u8 ready)
{
	int tc = pick_tc(p, ready);
	u32 prio;

	prio = qman_fair_pick(prios_of_tc(p, ready, tc), p->last_prio[tc], p->prio_allowance);
	p->last_prio[tc] = prio;
	return prio;
}

/* A strict class may have a weight, which does not matter until it becomes an ETS class. */
static u64 charge_of(const struct qman_port *p, u32 tc, u32 bytes)
{
	if (p->ets.tsa[tc] != PARQ_TSA_ETS)
		return 0;
	return (u64)bytes * VTIME_SCALE / p->ets.bw[tc];
}

/* Charges a priority and its traffic class for @bytes on the wire. */
void qman_ets_charge(struct qman_port *p, u32 prio, u32 bytes)
{
	u32 tc = p->ets.prio_tc[prio];

	p->vtime[tc] += charge_of(p, tc, bytes);
	p->prio_allowance[prio] -= bytes;
}

/* Undoes the charge for a frame that was not sent. */
void qman_ets_refund(struct qman_port *p, u32 prio, u32 bytes)
{
	u32 tc = p->ets.prio_tc[prio];

	p->vtime[tc] -= charge_of(p, tc, bytes);
	p->prio_allowance[prio] += bytes;
}

/**
 * qman_ets_repeat() - select and charge a priority several times in a row
 * @p: port
 * @prio: the only priority that can send
 * @bytes: bytes on the wire of each frame
 * @n: number of frames, at least 1
 */
void qman_ets_repeat(struct qman_port *p, u32 prio, u32 bytes, u32 n)
{
	u32 tc = p->ets.prio_tc[prio];
	u64 more = (n - 1) * charge_of(p, tc, bytes);

	/* After the first time all that changes is the virtual time. */
	qman_ets_pick(p, BIT(prio));
	qman_ets_charge(p, prio, bytes);
	p->vtime[tc] += more;
	if (p->ets.tsa[tc] == PARQ_TSA_ETS)
		p->vclock += more;
}
