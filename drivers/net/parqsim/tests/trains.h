/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random TSO frames (IPv4 and IPv6, tags, options, any flags), the wires and cables on which their
 * segments leave as trains, and what has to be the same however they do: the bytes and the time of
 * each frame on the wire, and all of host memory afterwards: counters, completions, park queues,
 * events.
 */
#ifndef _PARQSIM_TESTS_TRAINS_H
#define _PARQSIM_TESTS_TRAINS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "cable_in.h"
#include "clock.h"
#include "packet.h"
#include "rig.h"
#include "rnd.h"

#define RUNS		100
#define STEPS		150
#define LOG_MAX		40000
#define RX_LOG2		9
#define RX_BUF		512
#define PAYLOAD		1900
#define COUNTER		7

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* ---- what is on the wire ------------------------------------------------ */

/**
 * struct seen - a frame on the wire
 * @end: when its last bit left, ps
 * @port: port that sent it
 * @len: bytes
 * @sum: over its bytes
 */
struct seen {
	u64 end;
	u32 port;
	u32 len;
	u64 sum;
};

/**
 * struct wire_log - frames on the wire, in order
 * @n: number of frames
 * @f: the frames
 */
struct wire_log {
	u32 n;
	struct seen f[LOG_MAX];
};

static inline u64 sum_of(const u8 *f, u32 len)
{
	u64 sum = 1469598103934665603ULL;

	while (len--)
		sum = (sum ^ *f++) * 1099511628211ULL;
	return sum;
}

static inline void log_frame(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct wire_log *log = ctx;

	assert_true(log->n < LOG_MAX);
	log->f[log->n++] = (struct seen){
		.end = end, .port = port, .len = len, .sum = sum_of(f, len),
	};
}

static inline void same_wire(const struct wire_log *a, const struct wire_log *b)
{
	u32 i;

	for (i = 0; i < a->n && i < b->n; i++)
		assert_memory_equal(&a->f[i], &b->f[i], sizeof(struct seen));
	assert_int_equal(a->n, b->n);
}

/* ---- what the host sends ------------------------------------------------ */

static const u8 addr4[8] = { 10, 0, 0, 1, 10, 0, 0, 2 };
static const u8 addr6[32] = {
	0x20, 0x01, 0x0d, 0xb8, [15] = 1, 0x20, 0x01, 0x0d, 0xb8, [31] = 2,
};

/* Returns the length of the headers. */
static inline u32 make_headers(struct packet *p, u32 *seed, bool v6)
{
	u32 tags = rnd(seed, 8);
	u8 *tcp;

	packet_eth(p);
	if (tags == 1)
		packet_tag(p, ETH_P_8021AD, 0x0123);
	if (tags == 1 || tags == 2)
		packet_tag(p, ETH_P_8021Q, rnd(seed, 0x10000));
	if (v6) {
		packet_ip6(p, addr6);
		if (!rnd(seed, 6))
			packet_ext(p, IPPROTO_HOPOPTS, 8);
	} else {
		packet_ip4(p, addr4, rnd(seed, 4) ? 0 : 4);
	}
	tcp = packet_tcp(p, (const u8 *)"\x12\x34\0\x50", rnd(seed, 2) ? 12 : 0);
	tcp[13] = 0x10 | (rnd(seed, 4) ? 0 : rnd(seed, 256));
	return p->len;
}

/* Headers, then parts of the payload, each from anywhere in @size bytes. */
static inline void describe(struct rig *r, u32 port, u32 queue, u32 *seed, u64 at, u32 hdr,
			    u64 info, u32 size, u32 left)
{
	u32 part, off;

	rig_tx_desc(r, port, queue, at, hdr | info);
	for (at += hdr; left; left -= part) {
		off = rnd(seed, 2) ? 0 : rnd(seed, 1 + size / 2);
		part = size - off < left ? size - off : left;
		rig_tx_desc(r, port, queue, at + off, part | (part == left ? PARQ_TX_EOP : 0));
	}
}

/* @many: several times as long as the buffer. @most: of the payload of a segment, bytes */
static inline void post_tso(struct rig *r, u32 port, u32 queue, bool many, u32 most, u32 *seed)
{
	bool v6 = rnd(seed, 2), vlan = !rnd(seed, 4), wrong = !rnd(seed, 20);
	u32 size = 1 + rnd(seed, PAYLOAD - 200), hdr, mss = 8 + rnd(seed, most - 8), i;
	u32 left = many ? rnd(seed, 8) * size + 1 : size;
	u64 at = rig_tx_buf(r, port, queue);
	struct packet p;

	if (rig_room(r, port, queue) < 40)
		return;
	if (left > PARQ_TX_MAX_SEGS * mss)
		left = PARQ_TX_MAX_SEGS * mss;
	hdr = make_headers(&p, seed, v6);
	set_be16(p.b + p.l4 + 16, wrong ? 0x1234 : ref_pseudo(p.b, p.l3, IPPROTO_TCP, 0));
	for (i = 0; i < size; i++)
		p.b[hdr + i] = rnd(seed, 256);
	memcpy(rig_ptr(r, at, hdr + size), p.b, hdr + size);
	rig_tx_desc(r, port, queue, FIELD_PREP(PARQ_TXX_MSS, mss) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, hdr), PARQ_TX_EXT);
	describe(r, port, queue, seed, at, hdr, (v6 ? PARQ_TX_TSO6 : PARQ_TX_TSO4) |
		 FIELD_PREP(PARQ_TX_CSUM_START, p.l4) |
		 (vlan ? PARQ_TX_VLAN | FIELD_PREP(PARQ_TX_TCI, rnd(seed, 0x10000)) : 0),
		 size, left);
	rig_tx_ring(r, port, queue);
}

static inline void post(struct rig *r, u32 port, u32 queue, u32 *seed)
{
	u32 n = 1 + rnd(seed, 4);

	while (n--) {
		if (rnd(seed, 3))
			post_tso(r, port, queue, false, 308, seed);
		else if (rig_room(r, port, queue) >= 2)
			rig_post(r, port, queue, 60 + rnd(seed, 1400));
	}
}

/* The NIC refuses more than it can remember. */
static inline void send_xoff(struct rig *r, u32 port)
{
	rig_write(r, port, PARQ_FC_SEND, PARQ_FC_SEND_XOFF | 1);
	parqsim_write(r->sim, PARQ_ERR, 0);
}

static inline void set_up(struct rig *r, u32 *seed, struct wire_log *log)
{
	static const int speeds[] = { PARQ_SPEED_1G, PARQ_SPEED_10G, PARQ_SPEED_100G,
				      PARQ_SPEED_400G };
	struct parqsim_config cfg = config;
	u32 port;

	cfg.depth = 4 + rnd(seed, 60);
	cfg.fetch_ns = rnd(seed, 2) ? RIG_FETCH_NS : rnd(seed, 2) * rnd(seed, 2000);
	rig_init(r, &cfg, speeds[rnd(seed, 4)], rnd(seed, 2));
	r->lenient = true;
	r->most = rnd(seed, 2) ? 0 : 1 + rnd(seed, 20);
	log->n = 0;
	r->wire = log_frame;
	r->wire_ctx = log;
	for (port = 0; port < 2; port++) {
		if (rnd(seed, 4))
			rig_pfc(r, port, 0xff, r->port[port].offload);
		else
			rig_write(r, port, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	}
}

/* Puts the counters into host memory. All rigs count their snapshots together. */
static inline void settle(struct rig *r)
{
	u32 port;

	for (port = 0; port < 2; port++)
		rig_stats(r, port)->seq = 0;
}

static inline void same_memory(const struct rig *a, const struct rig *b)
{
	assert_int_equal(a->used, b->used);
	assert_memory_equal(a->mem, b->mem, a->used);
	assert_memory_equal(a->irqs, b->irqs, sizeof(a->irqs));
}

/* ---- the receiving side ----------------------------------------------- */

/**
 * struct end - the receiving side of a port
 * @in: cable that leads here
 * @read: completions read
 * @frame: the frame being read
 * @len: its bytes so far
 * @merged: frames that stood for several
 * @log: what was received; a merged frame as its segments
 */
struct end {
	struct cable_in in;
	u32 read;
	u8 frame[65536];
	u32 len;
	u32 merged;
	struct wire_log log;
};

static inline void plug(struct rig *r, u32 port, u32 *seed, struct end *e, u32 ctrl)
{
	u32 prio, size = r->cfg.rx_buffer / PARQ_NUM_RXB;

	*e = (struct end){ .read = 0 };
	cable_in_init(&e->in, r, port, rnd(seed, 2) * rnd(seed, 200) * RIG_NS);
	rig_rxq_up(r, port, 0, RX_LOG2, RX_BUF);
	rig_rx_tail(r, port, 0, 0);
	for (prio = 0; prio < PARQ_NUM_RXB; prio++)
		rig_rxb(r, port, prio, size, 1000 + rnd(seed, 2000), 900);
	rig_rxb_apply(r, port, 0x76543210);
	rig_write(r, port, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 |
		  PARQ_RSS_CTRL_TCP);
	/* A rule that counts the frames with ports, and leaves them where they are. */
	rig_write(r, port, PARQ_RULE_KEY(PARQ_RULE_PROTO), PARQ_RULE_PROTO_PORTS);
	rig_write(r, port, PARQ_RULE_MASK(PARQ_RULE_PROTO), PARQ_RULE_PROTO_PORTS);
	rig_write(r, port, PARQ_RULE_ACTION, PARQ_RULE_ACTION_COUNTS |
		  FIELD_PREP(PARQ_RULE_ACTION_COUNTER, COUNTER) |
		  FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_CTX));
	rig_write(r, port, PARQ_RULE_SET, 0);
	rig_write(r, port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC |
		  PARQ_PORT_CTRL_RX_CSUM | PARQ_PORT_CTRL_RX_HASH | ctrl |
		  (rnd(seed, 2) ? PARQ_PORT_CTRL_VLAN_STRIP : 0));
}

#endif /* _PARQSIM_TESTS_TRAINS_H */
