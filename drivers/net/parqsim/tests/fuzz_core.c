// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that comes from outside, in any order: register and doorbell writes,
 * descriptors, park queue entries and buffer addresses in host memory, frames from the
 * wire, time. Only a host that refuses foreign addresses keeps the NIC from memory that
 * is not its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rig.h"
#include "sim.h"

#define MAX_FRAME	(PARQSIM_FRAME_MAX + 100)

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 4, .depth = 16, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

struct input {
	const uint8_t *p;
	size_t left;
};

static u32 take(struct input *in, u32 bytes)
{
	u32 v = 0;

	for (; bytes && in->left; bytes--, in->left--)
		v = v << 8 | *in->p++;
	return v;
}

static u32 take_switch_register(struct rig *r, struct input *in)
{
	u32 window = parqsim_read(r->sim, PARQ_SWITCH), at = take(in, 1);

	if (at & 0x80)
		return window + PARQ_SW_PORT(at & 1) + (at & 2 ? PARQ_SW_PVID : PARQ_SW_CTRL);
	if (at & 0x40)
		return window + PARQ_SW_DOMAIN(1 + (at & 1));
	if (at & 0x20)
		return window + PARQ_SW_RED(at & 1, 0) + 2 * (at & 0x1e);
	return window + 4 * (at & 0x1f);
}

/* Prefers addresses where registers are dense. */
static u32 take_register(struct rig *r, struct input *in)
{
	u32 port = PARQ_PORT(take(in, 1) & 1), at;

	switch (take(in, 1) & 7) {
	case 0:
		at = take(in, 1);
		return at & 0x80 ? take_switch_register(r, in) : 4 * (at & 0x1f);
	case 1:
		return port + 4 * (take(in, 1) & 0x1f);
	case 2:
		return port + 0x200 + 4 * take(in, 1);
	case 3:
		return port + PARQ_PFC(take(in, 1) & 7) + 4 * (take(in, 1) & 7);
	case 4:
		return port + PARQ_RXQ(take(in, 1) & 3) + 4 * (take(in, 1) & 7);
	case 5:
		return 4 * (take(in, 2) & 0xffff);
	case 6:
		at = take(in, 1);
		if (at & 0x80)
			return port + PARQ_TRUST + 4 * (at & 0x1f);
		return port + (at & 0x40 ? PARQ_FC_CTRL + 4 * (at & 0xf) :
			       PARQ_RXB(at >> 3 & 7) + 4 * (at & 7));
	default:
		return port + PARQ_TXQ(take(in, 1) & 15) + 4 * (take(in, 1) & 15);
	}
}

/* Host memory is small, so that random addresses hit used ones. */
static void poke_memory(struct rig *r, struct input *in)
{
	u32 at = take(in, 3) % r->used, n = take(in, 1) & 31;

	for (; n && at < r->used; n--)
		r->mem[at++] = take(in, 1);
}

/* A PFC frame or one from a station to another, with other bytes here and there. */
static void wire_frame(struct rig *r, struct input *in)
{
	static const char pfc[] = "\1\x80\xc2\0\0\1\2\0\0\0\0\x09\x88\x08\1\1";
	static const char data[] = "\2\0\0\0\0\x0a\2\0\0\0\0\x09\x88\xb5\0\0";
	u32 len = take(in, 2) % MAX_FRAME, kind = take(in, 1), head = kind & 63, i;
	static u8 frame[MAX_FRAME];
	u32 port = take(in, 1) & 1;

	memset(frame, 0, sizeof(frame));
	memcpy(frame, kind & 64 ? data : pfc, 16);
	for (i = take(in, 1) & 31; head && i < MAX_FRAME; head--)
		frame[i++] = take(in, 1);
	parqsim_rx(r->sim, port, frame, len, take(in, 1) & 7);
}

static void step(struct rig *r, struct input *in)
{
	u32 off;

	switch (take(in, 1) & 7) {
	case 0:
	case 1:
		off = take_register(r, in);
		parqsim_write(r->sim, off, take(in, 1 + (take(in, 1) & 3)));
		break;
	case 2:
		parqsim_read(r->sim, take_register(r, in));
		break;
	case 3:
		off = PARQ_DB_TX(take(in, 1) & 1, take(in, 1) & 15);
		r->db[off / 4 + (take(in, 1) & 1)] = take(in, 1);
		break;
	case 4:
		off = PARQ_DB_RX(take(in, 1) & 1, take(in, 1) & 3);
		r->db[off / 4 + (take(in, 1) & 1)] = take(in, 1);
		break;
	case 5:
		poke_memory(r, in);
		break;
	case 6:
		wire_frame(r, in);
		break;
	default:
		parqsim_run(r->sim, rig_now(r) + take(in, 3) * 100ULL);
		break;
	}
}

/* Both ports forward to each other. */
static void join(struct rig *r)
{
	u32 window = parqsim_read(r->sim, PARQ_SWITCH), port;

	for (port = 0; port < config.ports; port++)
		rig_write(r, 0, window + PARQ_SW_PORT(port) + PARQ_SW_CTRL - PARQ_PORT(0),
			  FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) |
			  FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING) |
			  PARQ_SW_CTRL_LEARN | PARQ_SW_CTRL_FLOOD);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct parqsim_config cfg = config;
	u32 kind = take(&in, 1);
	static struct rig r;

	cfg.forward = kind & 2;
	rig_init(&r, &cfg, PARQ_SPEED_10G, kind & 1);
	r.lenient = true;
	rig_pfc(&r, 0, 0xff, r.port[0].offload);
	if (cfg.forward)
		join(&r);
	while (in.left)
		step(&r, &in);
	rig_fini(&r);
	return 0;
}
