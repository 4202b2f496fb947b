/* SPDX-License-Identifier: GPL-2.0 */
/* A switch whose port OUT has RED in traffic class 0, and packets that can be marked, or cannot. */
#ifndef _PARQSIM_TESTS_ECN_H
#define _PARQSIM_TESTS_ECN_H

#include "packet.h"
#include "switch.h"

#define MS	RIG_MS
#define US	(RIG_MS / 1000)
#define LEN	1000	/* of frames, without FCS */
#define MIN	4000
#define MAX	12000
#define ALWAYS	(~0U)	/* a probability */
#define UNTAGGED	(~0U)
#define OUT	2	/* the port whose class has RED */

#define ON	PARQ_SW_RED_CTRL_EN
#define ECN	(PARQ_SW_RED_CTRL_EN | PARQ_SW_RED_CTRL_ECN)
#define NODROP	(ECN | PARQ_SW_RED_CTRL_NODROP)

/* ECN fields of packets. NO_IP: the frame is no IP packet. */
enum { NOT_ECT, ECT1, ECT0, CE, NO_IP };

static const u8 addr4[8] = { 10, 0, 0, 1, 10, 0, 0, 2 };
static const u8 udp_ports[4] = { 1, 2, 3, 4 };

/**
 * struct heard - what a station got
 * @frames: number
 * @marked: of them, those with CE
 * @len: bytes of the last one
 * @data: the last one
 */
struct heard {
	u32 frames;
	u32 marked;
	u32 len;
	u8 data[PACKET_MAX];
};

static struct heard heard[PORTS];

/* ---- frames ------------------------------------------------------------- */

/* Bytes in front of the IP header; 0: there is none. */
static inline u32 ip_at(const u8 *data)
{
	u32 at = 12;

	while (be16_at(data + at) == ETH_P_8021Q || be16_at(data + at) == ETH_P_8021AD)
		at += 4;
	return be16_at(data + at) == ETH_P_IP || be16_at(data + at) == ETH_P_IPV6 ? at + 2 : 0;
}

static inline u32 ecn_of(const u8 *data)
{
	u32 at = ip_at(data);

	if (!at)
		return NO_IP;
	return data[at] >> 4 == 6 ? data[at + 1] >> 4 & 3 : data[at + 1] & 3;
}

static inline void hear_ecn(void *ctx, u32 port, const u8 *data, u32 len, u64 end)
{
	struct heard *h = &heard[port];

	(void)end;
	if (data[12] == 0x88 && data[13] == 0x08) {
		hear_switch(ctx, port, data);
		return;
	}
	h->frames++;
	h->marked += ecn_of(data) == CE;
	h->len = len;
	memcpy(h->data, data, len);
}

/* From a station to another one. @tci: of its tag, or UNTAGGED */
static inline void begin_packet(struct packet *p, u32 from, u32 to, u32 tci)
{
	packet_eth(p);
	address(p->b, to);
	address(p->b + 6, from);
	if (tci != UNTAGGED)
		packet_tag(p, ETH_P_8021Q, tci);
}

static inline void set_ecn(struct packet *p, u32 ecn)
{
	u8 *h = p->b + p->l3;

	if (h[0] >> 4 == 6) {
		h[0] |= 0xb;		/* traffic class 0xb8, EF */
		h[1] |= 0x80 | ecn << 4;
	} else {
		h[1] = 0xb8 | ecn;
	}
}

/* LEN bytes in all. */
static inline void end_packet(struct packet *p, u32 ecn)
{
	packet_udp(p, udp_ports);
	packet_payload(p, LEN - p->len);
	set_ecn(p, ecn);
	packet_finish(p);
}

/* A station sends a frame of a priority. */
static inline void send_ip(struct fabric *f, u32 from, u32 to, u32 prio, u32 ecn)
{
	struct packet p;

	begin_packet(&p, from, to, prio << 13);
	if (ecn == NO_IP) {
		set_be16(packet_push(&p, 2), 0x88b5);
		packet_payload(&p, LEN - p.len);
	} else {
		packet_ip4(&p, addr4, 0);
		end_packet(&p, ecn);
	}
	rig_rx(&f->r, from, p.b, p.len);
}

/* ---- settings ----------------------------------------------------------- */

static inline void set_red(struct fabric *f, u32 port, u32 tc, u32 ctrl, u32 min, u32 max, u32 prob)
{
	u32 red = PARQ_SW_RED(port, tc);

	switch_write(&f->r, red + PARQ_SW_RED_MIN, min);
	switch_write(&f->r, red + PARQ_SW_RED_MAX, max);
	switch_write(&f->r, red + PARQ_SW_RED_PROB, prob);
	switch_write(&f->r, red + PARQ_SW_RED_CTRL, ctrl);
}

static inline u32 marked(struct fabric *f, u32 port, u32 tc)
{
	return switch_read(&f->r, PARQ_SW_RED(port, tc) + PARQ_SW_RED_MARKED_LO);
}

static inline u32 dropped(struct fabric *f, u32 port, u32 tc)
{
	return switch_read(&f->r, PARQ_SW_RED(port, tc) + PARQ_SW_RED_DROPPED_LO);
}

/* All priorities are in traffic class 0. Stations have met. */
static inline struct fabric *red_begin(u32 ctrl, u32 prob)
{
	struct fabric *f = switch_begin();

	meet(f);
	f->r.wire = hear_ecn;
	memset(heard, 0, sizeof(heard));
	set_red(f, OUT, 0, ctrl, MIN, MAX, prob);
	return f;
}

/* Priority 3 of a port is paused, so that its frames wait. */
static inline void hold(struct fabric *f, u32 port)
{
	rig_pause(&f->r, port, BIT(3), 0xffff);
}

static inline void let_go(struct fabric *f, u32 port)
{
	rig_pause(&f->r, port, BIT(3), 0);
	rig_run(&f->r, MS);
}

/* Frames of priority 3 wait for OUT. */
static inline void fill(struct fabric *f, u32 frames, u32 ecn)
{
	hold(f, OUT);
	for (; frames; frames--)
		send_ip(f, 0, OUT, 3, ecn);
}

#endif /* _PARQSIM_TESTS_ECN_H */
