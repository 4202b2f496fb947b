/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Four ports in one domain. A station is at the far end of each cable, and this file watches what
 * the ports send to it: each frame names the port by which it came, and its number.
 */
#ifndef _PARQSIM_TESTS_SWITCH_H
#define _PARQSIM_TESTS_SWITCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>
#include <linux/parq_hw_switch.h>

#include "clock.h"
#include "rig.h"
#include "sim.h"

#define PORTS		4
#define SPEED		PARQ_SPEED_10G
#define NOBODY		9	/* number of a station that has never sent */
#define EVERYBODY	10
#define GROUP		11	/* and more: groups; all but that of GROUP + 3 are of IPv4 */
#define MARK		0x77
#define AT_MARK		18	/* behind the tag: mark, port, number (4 bytes) */

#define JOINED		(FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) | \
			 FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING) | \
			 PARQ_SW_CTRL_LEARN | PARQ_SW_CTRL_FLOOD | PARQ_SW_CTRL_MCAST_FLOOD | \
			 PARQ_SW_CTRL_BCAST_FLOOD)

static const struct parqsim_config switch_config = {
	.ports = PORTS, .txq = RIG_QUEUES, .rxq = 1, .depth = 8, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 }, .forward = true,
};

/**
 * struct fabric - a switch and what its stations know
 * @r: the switch
 * @next: by port and priority: number of the next frame that a station sends
 * @seen: by port of arrival, priority and port of departure: number after that of the last frame
 * @sent: by port of departure: transit frames that it has sent
 * @xoff: by port: BIT(priority) that the switch has paused
 */
struct fabric {
	struct rig r;
	u32 next[PORTS][PARQ_NUM_PRIO];
	u32 seen[PORTS][PARQ_NUM_PRIO][PORTS];
	u32 sent[PORTS];
	u8 xoff[PORTS];
};

static inline void switch_write(struct rig *r, u32 off, u32 val)
{
	rig_write(r, 0, parqsim_read(r->sim, PARQ_SWITCH) + off - PARQ_PORT(0), val);
	rig_assert_no_error(r);
}

static inline u32 switch_read(struct rig *r, u32 off)
{
	return parqsim_read(r->sim, parqsim_read(r->sim, PARQ_SWITCH) + off);
}

static inline void join(struct fabric *f, u32 port, u32 ctrl)
{
	switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_CTRL, ctrl);
}

static inline u64 stat(struct fabric *f, u32 port, enum parq_sw_stat n)
{
	u32 lo = switch_read(&f->r, PARQ_SW_PORT(port) + PARQ_SW_STAT_LO(n));

	return lo | (u64)switch_read(&f->r, PARQ_SW_PORT(port) + PARQ_SW_STAT_HI(n)) << 32;
}

/* The switch pauses its stations by PFC. */
static inline void hear_switch(struct fabric *f, u32 port, const u8 *data)
{
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(data[17] & BIT(prio)))
			continue;
		f->xoff[port] &= ~BIT(prio);
		if (data[18 + 2 * prio] || data[19 + 2 * prio])
			f->xoff[port] |= BIT(prio);
	}
}

/* No frame of a paused class leaves, and none overtakes another one of its flow. */
static inline void hear_transit(struct fabric *f, u32 port, const u8 *data)
{
	u32 prio = data[14] >> 5, in = data[AT_MARK + 1], *seen = &f->seen[in][prio][port];
	const u8 *p = data + AT_MARK + 2;
	u32 n = (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];

	assert_true(rig_now(&f->r) >= f->r.port[port].cls[prio].pause_until);
	assert_int_not_equal(in, port);
	assert_true(n >= *seen && n < f->next[in][prio]);
	*seen = n + 1;
	f->sent[port]++;
}

static inline void hear(void *ctx, u32 port, const u8 *data, u32 len, u64 end)
{
	struct fabric *f = ctx;

	(void)len;
	(void)end;
	if (data[12] == 0x88 && data[13] == 0x08)
		hear_switch(f, port, data);
	else if (data[AT_MARK] == MARK)
		hear_transit(f, port, data);
}

static inline void fabric_init(struct fabric *f, const struct parqsim_config *cfg, bool offload)
{
	u32 port;

	memset(f, 0, sizeof(*f));
	rig_init(&f->r, cfg, SPEED, offload);
	/* The rig's oracle knows the frames of the host alone. */
	f->r.lenient = true;
	f->r.wire = hear;
	f->r.wire_ctx = f;
	for (port = 0; port < PORTS; port++) {
		rig_pfc(&f->r, port, 0xff, offload);
		join(f, port, JOINED);
	}
}

static inline void address(u8 *a, u32 station)
{
	if (station == EVERYBODY)
		memset(a, 0xff, 6);
	else if (station == GROUP + 3)
		memcpy(a, (const u8[]){ 0x03, 0, 0, 0, 1, station }, 6);
	else if (station >= GROUP)
		memcpy(a, (const u8[]){ 0x01, 0, 0x5e, 1, 1, station }, 6);
	else
		memcpy(a, (const u8[]){ 0x02, 0, 0, 0, 1, station }, 6);
}

/* The station at @port sends a frame of @len bytes, tag included, without FCS. */
static inline void send(struct fabric *f, u32 port, u32 to, u32 prio, u32 len)
{
	u8 data[RIG_JUMBO + 4] = { 0 }, *p = data + AT_MARK;
	u32 n = f->next[port][prio]++;

	address(data, to);
	address(data + 6, port);
	memcpy(data + 12, (const u8[]){ 0x81, 0, prio << 5, 0, 0x88, 0xb5 }, 6);
	memcpy(p, (const u8[]){ MARK, port, n >> 24, n >> 16, n >> 8, n }, 6);
	rig_rx(&f->r, port, data, len);
}

/* All stations send a frame, so that the switch knows them. */
static inline void meet(struct fabric *f)
{
	u32 port;

	for (port = 0; port < PORTS; port++)
		send(f, port, EVERYBODY, 0, 64);
	rig_run(&f->r, RIG_MS);
	memset(f->sent, 0, sizeof(f->sent));
}

/* Bytes of stored frames. */
static inline u32 stored(struct fabric *f, u32 port)
{
	return rig_read(&f->r, port, PARQ_RXB(0) + PARQ_RXB_USED);
}

/* Nothing is left behind: memory, descriptors. */
static inline void fabric_fini(struct fabric *f)
{
	const struct transit *t = &f->r.sim->transit;
	u32 port, i, n = 0;

	for (port = 0; port < PORTS; port++)
		assert_int_equal(stored(f, port), 0);
	for (i = t->free; i != TRANSIT_NONE; i = t->desc[i].next)
		n++;
	assert_int_equal(n, t->fresh);
	assert_int_equal(t->extra, 0);
	rig_fini(&f->r);
}

/* Transit frames that each port has sent since the last call. */
static inline void assert_sent(struct fabric *f, u32 p0, u32 p1, u32 p2, u32 p3)
{
	assert_int_equal(f->sent[0], p0);
	assert_int_equal(f->sent[1], p1);
	assert_int_equal(f->sent[2], p2);
	assert_int_equal(f->sent[3], p3);
	memset(f->sent, 0, sizeof(f->sent));
}

/* Priority 3 is lossless at all ports. */
static inline struct fabric *switch_begin(void)
{
	static struct fabric fabric;
	u32 port;

	fabric_init(&fabric, &switch_config, true);
	for (port = 0; port < PORTS; port++)
		rig_write(&fabric.r, port, PARQ_FC_CTRL, BIT(3));
	return &fabric;
}

#endif /* _PARQSIM_TESTS_SWITCH_H */
