/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC whose receive buffers fill, and a peer that pauses it. Each priority has its own
 * buffer. A frame of 100 bytes brings it above its watermark, and it must be empty to be
 * below. The link is idle and runs at 10 Gb/s.
 */
#ifndef _PARQSIM_TESTS_FLOW_H
#define _PARQSIM_TESTS_FLOW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rig.h"

#define SPEED		PARQ_SPEED_10G
#define BYTE		800ULL			/* ps */
#define QUANTUM		(64 * BYTE)
/* Time from one frame of @len bytes to the next: preamble, frame, FCS, gap. */
#define SLOT(len)	((8 + (len) + 4 + 12) * BYTE)
#define CTRL_SLOT	SLOT(60)
#define MS		(1000 * RIG_US)

#define TIME		1000
#define REFRESH		300

static const struct parqsim_config flow_config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static inline void wr(struct rig *r, u32 off, u32 val)
{
	rig_write(r, 0, off, val);
	rig_assert_no_error(r);
}

static inline u32 rd(struct rig *r, u32 off)
{
	return rig_read(r, 0, off);
}

static inline void refused(struct rig *r, u32 off, u32 val, enum parq_err cause)
{
	u32 before = rd(r, off);

	rig_write(r, 0, off, val);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r->sim, PARQ_ERR)),
			 cause);
	parqsim_write(r->sim, PARQ_ERR, 0);
	assert_int_equal(rd(r, off), before);
}

static inline void begin(struct rig *r, u32 ctrl)
{
	u32 b;

	rig_init(r, &flow_config, SPEED, true);
	rig_rxq_up(r, 0, 0, 8, 2048);
	rig_rx_tail(r, 0, 0, 0);
	for (b = 0; b < PARQ_NUM_RXB; b++)
		rig_rxb(r, 0, b, 2000, 103, 0);
	rig_rxb_apply(r, 0, 0x76543210);
	wr(r, PARQ_FC_TIME, TIME);
	wr(r, PARQ_FC_REFRESH, REFRESH);
	wr(r, PARQ_FC_CTRL, ctrl);
	parqsim_write(r->sim, PARQ_EVENT_MASK, BIT(PARQ_EV_XOFF));
	rig_run(r, RIG_US);
}

/* A frame of this priority arrives, and waits. */
static inline void fill(struct rig *r, u32 prio)
{
	rig_rx_prio(r, 0, prio, 100, 0);
}

/* The host takes the oldest frames until @n have been taken in total. */
static inline void take(struct rig *r, u32 n)
{
	rig_rx_tail(r, 0, 0, n);
	parqsim_run(r->sim, rig_now(r));
}

static inline u32 ctrls(struct rig *r)
{
	return r->port[0].ctrls;
}

static inline u32 status(struct rig *r)
{
	return rd(r, PARQ_FC_STATUS);
}

static inline const struct parq_stats *stats(struct rig *r)
{
	return rig_stats(r, 0);
}

/* Checks a frame bit by bit: @opcode, then @n words, the rest zeroes. */
static inline void expect_frame(struct rig *r, u32 i, u64 at, u32 opcode,
				const u16 *w, u32 n)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08,
		     opcode >> 8, opcode };
	const struct rig_ctrl *c = rig_ctrl(r, 0, i);
	u32 k;

	for (k = 0; k < n; k++) {
		f[16 + 2 * k] = w[k] >> 8;
		f[17 + 2 * k] = w[k];
	}
	assert_memory_equal(c->f, f, sizeof(f));
	assert_int_equal(c->at, at);
}

/* PFC: @xoff of @named stop, the others resume. */
static inline void expect_pfc(struct rig *r, u32 i, u64 at, u8 named, u8 xoff)
{
	u16 w[9] = { named };
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		w[1 + prio] = named & xoff & BIT(prio) ? TIME : 0;
	expect_frame(r, i, at, 0x0101, w, 9);
}

static inline void expect_link(struct rig *r, u32 i, u64 at, bool xoff)
{
	u16 w = xoff ? TIME : 0;

	expect_frame(r, i, at, 0x0001, &w, 1);
}

static inline void expect_event(struct rig *r, u32 pos, u64 at, u32 prio,
				u32 index, u32 a, u32 b)
{
	const struct parq_event *e = rig_event(r, pos);

	assert_int_equal(le32_to_cpu(e->gen), 1);
	assert_int_equal(le64_to_cpu(e->time), at / RIG_NS);
	assert_int_equal(e->type, PARQ_EV_XOFF);
	assert_int_equal(e->port, 0);
	assert_int_equal(e->prio, prio);
	assert_int_equal(e->index, index);
	assert_int_equal(le32_to_cpu(e->a), a);
	assert_int_equal(le32_to_cpu(e->b), b);
	assert_int_equal(le32_to_cpu(rig_event(r, pos + 1)->gen), 0);
}

/* An 802.3x frame, or one of another opcode. */
static inline void get_pause_as(struct rig *r, u32 opcode, u16 time,
				const u8 *da)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08,
		     opcode >> 8, opcode, time >> 8, time };

	if (da)
		memcpy(f, da, 6);
	rig_rx(r, 0, f, sizeof(f));
}

static inline void get_pause(struct rig *r, u16 time)
{
	get_pause_as(r, 0x0001, time, NULL);
}

#endif /* _PARQSIM_TESTS_FLOW_H */
