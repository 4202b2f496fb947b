/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port with eight RX queues whose frames say which flow they are of, for tests of what selects
 * their queues. Settings change while frames wait.
 */
#ifndef _PARQSIM_TESTS_STEER_FLOWS_H
#define _PARQSIM_TESTS_STEER_FLOWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"
#include "rnd.h"
#include "rss.h"

#define QUEUES		8
#define LOG2		10
#define BUF		256
#define FLOWS		16
#define CTRL		(PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_FIELDS)
#define PORT_CTRL	(PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_RX_HASH)

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = QUEUES, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
	.rx_buffer = PARQSIM_RX_BUFFER_MIN,
};

static inline void queues_up(struct rig *r)
{
	u32 i;

	rig_init(r, &config, PARQ_SPEED_100G, true);
	for (i = 0; i < QUEUES; i++)
		rig_rxq_up(r, 0, i, LOG2, BUF);
	rig_write(r, 0, PARQ_PORT_CTRL, PORT_CTRL);
}

static inline u32 head_of(struct rig *r, u32 queue)
{
	return rig_read(r, 0, PARQ_RXQ(queue) + PARQ_RXQ_HEAD);
}

static inline void hold_all(struct rig *r, bool hold)
{
	u32 q, at, ctrl;

	for (q = 0; q < QUEUES; q++) {
		at = PARQ_RXQ(q) + PARQ_RXQ_CTRL;
		ctrl = rig_read(r, 0, at) & ~PARQ_RXQ_CTRL_HOLD;
		rig_write(r, 0, at, ctrl | (hold ? PARQ_RXQ_CTRL_HOLD : 0));
	}
}

/* Receives a frame of a flow; flow and number are its last bytes. */
static inline void receive_flow(struct rig *r, struct packet *p, u32 flow, u32 seq)
{
	p->b[p->len - 2] = flow;
	p->b[p->len - 1] = seq;
	parqsim_rx(r->sim, 0, p->b, p->len, true);
}

/* Behind the last byte of a frame. */
static inline const u8 *end_of(struct rig *r, u32 queue, u32 pos)
{
	const struct rig_rxq *q = &r->port[0].rxq[queue];

	return (u8 *)rig_ptr(r, q->bufs + (pos & (BIT(q->log2) - 1)) * q->buf, q->buf) +
	       le16_to_cpu(rig_rx_comp(r, 0, queue, pos)->len);
}

/*
 * All frames of a flow are in one queue, in order. Returns them. @first: by queue, position of the
 * first frame that was not seen. Return: how many of all flows.
 */
static inline u32 check_flows(struct rig *r, u32 *first)
{
	int queue_of[FLOWS], seq[FLOWS];
	u32 q, i, flow, head, total = 0;
	const u8 *b;

	memset(queue_of, -1, sizeof(queue_of));
	memset(seq, -1, sizeof(seq));
	for (q = 0; q < QUEUES; q++) {
		head = head_of(r, q);
		for (i = first[q]; i != head; i++, total++) {
			b = end_of(r, q, i);
			flow = b[-2];
			assert_true(queue_of[flow] < 0 || queue_of[flow] == (int)q);
			assert_true(seq[flow] < b[-1]);
			queue_of[flow] = q;
			seq[flow] = b[-1];
		}
		first[q] = head;
		rig_rx_tail(r, 0, q, head + BIT(LOG2));
	}
	return total;
}

/*
 * Frames that have waited while a setting changed go to the queues of frames that come after the
 * change, before them. A thousand times. @receive: one frame of each flow, with this number
 */
static inline void change_while_frames_wait(struct rig *r, u32 seed,
					    void (*receive)(struct rig *r, u32 seq),
					    void (*change)(struct rig *r, u32 *seed))
{
	u32 first[QUEUES] = { 0 }, i, n, frames;

	for (i = 0; i < 1000; i++) {
		hold_all(r, true);
		frames = 1 + rnd(&seed, 6);
		for (n = 0; n < frames; n++) {
			receive(r, n);
			change(r, &seed);
		}
		receive(r, n);
		hold_all(r, false);
		receive(r, n + 1);
		assert_int_equal(check_flows(r, first), FLOWS * (frames + 2));
	}
	rig_assert_no_error(r);
}

#endif /* _PARQSIM_TESTS_STEER_FLOWS_H */
