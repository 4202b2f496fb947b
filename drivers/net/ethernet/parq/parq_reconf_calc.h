/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RECONF_CALC_H
#define _PARQ_RECONF_CALC_H

#include <linux/types.h>

/* Interval of looks at a removed TX queue. */
#define PARQ_DRAIN_LOOK_MS	10

/**
 * struct parq_drain - a removed TX queue with frames in its qdisc; under rtnl
 * @bytes: in the qdisc at the removal
 * @queued: bytes that the driver had accepted at the removal; wraps
 * @at: last look, jiffies
 * @open: time in which the priority was not paused, jiffies
 * @empty: time in which the driver had no frame, up to the last look, jiffies
 */
struct parq_drain {
	u32 bytes;
	u32 queued;
	unsigned long at;
	unsigned long open;
	unsigned long empty;
};

/**
 * struct parq_drain_look - what is seen of such a queue
 * @bytes: in the qdisc
 * @queued: bytes that the driver has accepted; read before @bytes
 * @at: now, jiffies
 * @paused: the priority is paused
 * @empty: the driver has no frame
 */
struct parq_drain_look {
	u32 bytes;
	u32 queued;
	unsigned long at;
	bool paused;
	bool empty;
};

bool parq_drain_over(struct parq_drain *d, const struct parq_drain_look *now);

#endif /* _PARQ_RECONF_CALC_H */
