/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Launch times: TX queues of a port that wait for a time of the PTP clock. One timer serves all of
 * them, and is off while no queue waits.
 */
#ifndef _PARQSIM_LAUNCH_H
#define _PARQSIM_LAUNCH_H

#include "clock.h"
#include "ptp.h"

/**
 * struct launch - queues of a port that wait
 * @clock: device clock
 * @ptp: PTP clock
 * @timer: the next of them may be due
 * @queues: BIT_ULL(queue)
 * @at: launch times by queue, ns
 * @until: when the waits end at the latest, by queue; device clock, ps
 * @missed: PARQ_LAUNCH_MISSED
 */
struct launch {
	struct clock *clock;
	const struct ptp *ptp;
	struct timer timer;
	u64 queues;
	u64 at[PARQ_MAX_TXQ];
	u64 until[PARQ_MAX_TXQ];
	u32 missed;
};

bool launch_wait(struct launch *l, u32 queue, u64 time, u64 lead_ps);
u64 launch_due(struct launch *l, u64 lead_ps);
void launch_end(struct launch *l, u64 queues);

#endif /* _PARQSIM_LAUNCH_H */
