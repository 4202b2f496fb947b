// SPDX-License-Identifier: GPL-2.0
#include "launch.h"

/* The longest wait by the device clock: that of the slowest PTP clock, which loses 1953 ppm. */
#define WAIT_MAX_PS	((PARQ_LAUNCH_MAX_NS + PARQ_LAUNCH_MAX_NS / 500) * PARQSIM_PS_PER_NS)

/* The time closest to @now that has these low bits. */
static u64 extend(u64 now, u64 time)
{
	u64 half = (PARQ_TXX_TIME >> 1) + 1;

	return now + ((time - now + half) & PARQ_TXX_TIME) - half;
}

/* When to fetch the first frame of a queue, ps; 0: at once. A clock that is set may end a wait. */
static u64 fetch_at(const struct launch *l, u32 queue, u64 lead_ps)
{
	u64 now = l->clock->now, ahead = l->at[queue] - ptp_time(l->ptp, now), when;

	if (ahead - 1 >= PARQ_LAUNCH_MAX_NS || now >= l->until[queue])
		return 0;
	when = ptp_when(l->ptp, now, l->at[queue]);
	if (when <= now + lead_ps)
		return 0;
	when -= lead_ps;
	return when < l->until[queue] ? when : l->until[queue];
}

/**
 * launch_wait() - have a queue wait for the launch time of its next frame
 * @l: the port
 * @queue: the queue
 * @time: PARQ_TXX_TIME
 * @lead_ps: time from fetch to launch
 *
 * Return: false if the time is past or too far ahead, and nothing waits.
 */
bool launch_wait(struct launch *l, u32 queue, u64 time, u64 lead_ps)
{
	u64 at;

	l->at[queue] = extend(ptp_time(l->ptp, l->clock->now), time);
	l->until[queue] = l->clock->now + WAIT_MAX_PS;
	at = fetch_at(l, queue, lead_ps);
	if (!at)
		return false;
	l->queues |= BIT_ULL(queue);
	if (!timer_is_set(&l->timer) || at < l->timer.at)
		timer_set(l->clock, &l->timer, at);
	return true;
}

/**
 * launch_due() - end the wait of queues whose time has come
 * @l: the port
 * @lead_ps: time from fetch to launch
 *
 * Called by the timer, and after the PTP clock has changed.
 *
 * Return: these queues, BIT_ULL(queue).
 */
u64 launch_due(struct launch *l, u64 lead_ps)
{
	u64 next = PARQSIM_NEVER, due = 0, left, at;

	for (left = l->queues; left; left &= left - 1) {
		at = fetch_at(l, __builtin_ctzll(left), lead_ps);
		if (!at)
			due |= left & -left;
		else if (at < next)
			next = at;
	}
	l->queues &= ~due;
	timer_cancel(l->clock, &l->timer);
	if (l->queues)
		timer_set(l->clock, &l->timer, next);
	return due;
}

/* These queues wait no longer, whether they did or not. */
void launch_end(struct launch *l, u64 queues)
{
	l->queues &= ~queues;
	if (!l->queues)
		timer_cancel(l->clock, &l->timer);
}
