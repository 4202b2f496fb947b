/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What port 0 has received, by its registers, rings and statistics.
 */
#ifndef _PARQSIM_TESTS_RX_STATE_H
#define _PARQSIM_TESTS_RX_STATE_H

#include "rig.h"

/* Bytes in a receive buffer now, and at most so far. */
static inline u32 used(struct rig *r, u32 buf)
{
	return rig_read(r, 0, PARQ_RXB(buf) + PARQ_RXB_USED);
}

static inline u32 high(struct rig *r, u32 buf)
{
	return rig_read(r, 0, PARQ_RXB(buf) + PARQ_RXB_HIGH);
}

static inline u32 head(struct rig *r, u32 queue)
{
	return rig_read(r, 0, PARQ_RXQ(queue) + PARQ_RXQ_HEAD);
}

/* Address of the buffer at this position. */
static inline u8 *buffer(struct rig *r, u32 queue, u32 pos)
{
	const struct rig_rxq *q = &r->port[0].rxq[queue];

	return rig_ptr(r, q->bufs + q->buf * (pos & (BIT(q->log2) - 1)), q->buf);
}

static inline u32 seq_at(struct rig *r, u32 queue, u32 pos)
{
	const u8 *p = buffer(r, queue, pos) + RIG_SEQ;

	return (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static inline struct parq_stats *stats(struct rig *r)
{
	return rig_stats(r, 0);
}

/* From now on all frames go to one queue, waiting ones included. */
static inline void steer(struct rig *r, u32 queue)
{
	rig_rx_steer(r, 0, queue, queue);
}

#endif /* _PARQSIM_TESTS_RX_STATE_H */
