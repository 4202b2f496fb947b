// SPDX-License-Identifier: GPL-2.0
/*
 * Pure: how long a removed TX queue accepts frames from its qdisc.
 *
 * Frames that were in the qdisc at the removal are sent: there is an end to them. But a filter
 * or a BPF program may select the queue for more, and a qdisc may release frames as slowly as
 * it likes. Neither may keep the other queues of the priority waiting.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>

#include "parq_ring.h"

/*
 * The qdisc has had more than the frames of the removal. Tags that are inserted after the
 * qdisc has counted a frame make it up to an eighth longer.
 */
static bool parq_drain_fed(const struct parq_drain *d,
			   const struct parq_drain_look *now)
{
	return (u64)(now->queued - d->queued) + now->bytes >
	       (u64)d->bytes + d->bytes / 8;
}

/**
 * parq_drain_over() - tell whether a queue has to stop with frames in its qdisc
 * @d: the queue
 * @now: what is seen of it
 *
 * A late look counts as one in time: the priority may have been paused in between.
 *
 * Return: true if the queue gets frames from elsewhere, or none from its qdisc.
 */
bool parq_drain_over(struct parq_drain *d, const struct parq_drain_look *now)
{
	unsigned long limit = msecs_to_jiffies(PARQ_DRAIN_MS);
	unsigned long passed = min(now->at - d->at,
				   msecs_to_jiffies(2 * PARQ_DRAIN_LOOK_MS));

	d->at = now->at;
	if (!now->paused)
		d->open += passed;
	d->empty = now->empty ? d->empty + passed : 0;
	return (d->open >= limit && parq_drain_fed(d, now)) || d->empty >= limit;
}
