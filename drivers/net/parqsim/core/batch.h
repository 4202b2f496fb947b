/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batches: segments of a train that are handled at once. While a train is sent and nothing else
 * happens, each segment repeats what the one before did, later by its time on the wire: the QMAN
 * fetches an FD, an FD leaves the pipeline, the MAC starts a segment, and one joins those that the
 * receiver merges. A batch moves all of these stages by several segments. Their times, their order
 * and all counters are those that single events would give.
 *
 * A batch ends before anything else is due: a timer of another stage, an event of another NIC on a
 * cable, a look at the doorbells, the end of the step, the last segments of the frame, or the end
 * of the merged frame. What comes from outside, registers and frames, comes between two steps. So
 * nothing has to be undone.
 */
#ifndef _PARQSIM_BATCH_H
#define _PARQSIM_BATCH_H

#include "frame.h"
#include "sim.h"

/* Counts @n frames of the same length, with an FD like @fd, that were sent. */
static inline void batch_count_sent(struct parqsim *sim, const struct fd *fd, u32 n)
{
	u32 bytes = n * (fd->len < FRAME_MIN ? FRAME_MIN : fd->len);
	struct parq_stats *s = &sim->stats[fd->port];

	stat_add(&s->prio[fd->prio].tx_frames, n);
	stat_add(&s->prio[fd->prio].tx_bytes, bytes);
	if (fd->queue == FD_TRANSIT)
		return;
	stat_add(&s->txq[fd->queue].frames, n);
	stat_add(&s->txq[fd->queue].bytes, bytes);
	if (fd->flags & FD_CSUM)
		stat_add(&s->txq[fd->queue].csum, n);
}

void batch_send(struct parqsim *sim, u32 port);

#endif /* _PARQSIM_BATCH_H */
