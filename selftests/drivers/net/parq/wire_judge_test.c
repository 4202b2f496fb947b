// SPDX-License-Identifier: GPL-2.0
/*
 * Does parq_wire see what it is there to see? A made-up wire on which all is
 * well passes; each single fault makes it fail, and is counted as what it is.
 *
 * The wire: 1000 Mb/s, so that a byte takes 8 ns and a quantum 512 ns. A frame of
 * 1000 bytes takes 8192 ns with preamble, FCS and gap.
 */
#include <arpa/inet.h>
#include <string.h>

#include "wire_judge.h"
#include "kselftest_harness.h"

#define MBIT		1000
#define FRAME_LEN	1000
#define FRAME_NS	8192
#define GAP_NS		96
#define QUANTUM_NS	512
#define T0		1000000000ULL

#define EXPECT_COUNT(n, seen)	EXPECT_EQ((uint64_t)(n), (uint64_t)(seen))

static const uint8_t port_addr[6] = { 2, 0, 0, 0, 0, 1 };
static const uint8_t peer_addr[6] = { 2, 0, 0, 0, 0, 2 };

FIXTURE(wire)
{
	struct wire_judge j;
	uint64_t t;
};

FIXTURE_SETUP(wire)
{
	wire_judge_init(&self->j, port_addr, MBIT, 0xff);
	self->t = T0;
}

FIXTURE_TEARDOWN(wire)
{
	wire_judge_fini(&self->j);
}

static void pass(struct wire_judge *j, uint64_t ns, const void *data,
		 uint32_t caplen, uint32_t len)
{
	struct wire_frame f;

	if (wire_frame_parse(&f, NULL, data, caplen, len))
		wire_judge_frame(j, ns, !memcmp(f.src, port_addr, 6), &f);
}

/* A frame of @flow that starts at @ns; @pcp: in a VLAN tag, -1 without. */
static void data_frame(struct wire_judge *j, uint64_t ns, uint16_t flow,
		       uint32_t seq, int pcp)
{
	struct parq_tag tag = {
		.magic = htonl(PARQ_TAG_MAGIC),
		.seq = htonl(seq),
		.flow = htons(flow),
	};
	uint8_t f[FRAME_LEN] = { 0 };
	uint8_t *ip = f + 14;

	memcpy(f, peer_addr, 6);
	memcpy(f + 6, port_addr, 6);
	if (pcp >= 0) {
		f[12] = 0x81;
		f[14] = pcp << 5;
		ip += 4;
	}
	ip[-2] = 0x08;
	ip[0] = 0x45;
	ip[9] = 17;
	ip[22] = PARQ_UDP_PORT >> 8;
	ip[23] = PARQ_UDP_PORT & 0xff;
	memcpy(ip + 28, &tag, sizeof(tag));
	pass(j, ns, f, 64, sizeof(f));
}

static void pfc_frame(struct wire_judge *j, uint64_t ns, uint8_t vector,
		      uint16_t quanta, uint16_t opcode)
{
	struct pfc_frame f = {
		.dst = PFC_DST,
		.type = htons(PFC_ETHERTYPE),
		.opcode = htons(opcode),
		.vector = htons(vector),
	};
	uint32_t i;

	memcpy(f.src, peer_addr, 6);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		f.time[i] = htons(quanta);
	pass(j, ns, &f, sizeof(f), sizeof(f));
}

/* @n frames of @flow from @seq on, back to back. */
static void burst(struct wire_judge *j, uint64_t *t, uint16_t flow,
		  uint32_t seq, uint32_t n)
{
	for (; n; n--, *t += FRAME_NS)
		data_frame(j, *t, flow, seq++, -1);
}

static void xoff(struct wire_judge *j, uint64_t t, uint8_t vector,
		 uint16_t quanta)
{
	pfc_frame(j, t, vector, quanta, PFC_OPCODE);
}

/* IEEE 802.3x: the time is where PFC has its vector. */
static void pause_frame(struct wire_judge *j, uint64_t ns, uint16_t quanta)
{
	struct pfc_frame f = {
		.dst = PFC_DST,
		.type = htons(PFC_ETHERTYPE),
		.opcode = htons(PAUSE_OPCODE),
		.vector = htons(quanta),
	};

	memcpy(f.src, peer_addr, 6);
	pass(j, ns, &f, sizeof(f), sizeof(f));
}

TEST_F(wire, all_well)
{
	struct wire_judge *j = &self->j;

	wire_judge_sent(j, 3, 20);
	wire_judge_sent(j, 4, 10);
	burst(j, &self->t, 3, 0, 10);
	xoff(j, self->t, 1 << 3, 1000);
	burst(j, &self->t, 4, 0, 10);
	self->t += 1000;
	xoff(j, self->t, 1 << 3, 0);
	burst(j, &self->t, 3, 10, 10);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(20, j->cls[3].frames);
	EXPECT_COUNT(20 * FRAME_LEN, j->cls[3].bytes);
	EXPECT_COUNT(1, j->cls[3].pfc);
	EXPECT_COUNT(1, j->cls[3].pauses);
	EXPECT_COUNT(10 * FRAME_NS + 1000, j->cls[3].paused_ns);
	EXPECT_COUNT(0, j->cls[4].pauses);
	EXPECT_COUNT(0, j->others);
}

/* The timer ends the pause to the nanosecond: then a frame may start. */
TEST_F(wire, pause_runs_out)
{
	struct wire_judge *j = &self->j;

	xoff(j, self->t, 1 << 2, 100);
	self->t += 100 * QUANTUM_NS;
	burst(j, &self->t, 2, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(100 * QUANTUM_NS, j->cls[2].paused_ns);
}

/* The frame being sent ends; the gap behind it is not part of it, nor of another class. */
TEST_F(wire, response)
{
	struct wire_judge *j = &self->j;

	burst(j, &self->t, 3, 0, 1);
	xoff(j, self->t - FRAME_NS + 1000, 1 << 3 | 1 << 4, 10);
	self->t += 100 * QUANTUM_NS;
	burst(j, &self->t, 5, 0, 1);
	xoff(j, self->t - GAP_NS, 1 << 5, 10);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(FRAME_NS - GAP_NS - 1000, j->cls[3].response_ns);
	EXPECT_COUNT(0, j->cls[4].response_ns);
	EXPECT_COUNT(0, j->cls[5].response_ns);
}

TEST_F(wire, leak_before_the_pause_runs_out)
{
	struct wire_judge *j = &self->j;

	xoff(j, self->t, 1 << 2, 100);
	self->t += 100 * QUANTUM_NS - 1;
	burst(j, &self->t, 2, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->cls[2].found[WIRE_LEAKED]);
}

/* A pause that is renewed for too long is not to be obeyed any more. */
TEST_F(wire, storm)
{
	struct wire_judge *j = &self->j;
	uint64_t start = self->t;

	j->storm_ns = 200 * QUANTUM_NS;
	xoff(j, self->t, 1 << 2, 150);
	self->t += 140 * QUANTUM_NS;
	xoff(j, self->t, 1 << 2, 150);
	self->t = start + j->storm_ns - 2;
	burst(j, &self->t, 2, 0, 1);
	EXPECT_COUNT(1, j->cls[2].found[WIRE_LEAKED]);
	EXPECT_COUNT(0, j->cls[2].found[WIRE_STORMED]);
	self->t = start + j->storm_ns + FRAME_NS;
	burst(j, &self->t, 2, 1, 2);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->cls[2].found[WIRE_LEAKED]);
	EXPECT_COUNT(2, j->cls[2].found[WIRE_STORMED]);
}

TEST_F(wire, leak_just_after_the_pause)
{
	struct wire_judge *j = &self->j;

	burst(j, &self->t, 5, 0, 1);
	xoff(j, self->t, 0xff, 0xffff);
	self->t += 1;
	burst(j, &self->t, 5, 1, 3);
	wire_judge_end(j);
	EXPECT_COUNT(3, wire_judge_violations(j));
	EXPECT_COUNT(3, j->cls[5].found[WIRE_LEAKED]);
	EXPECT_COUNT(T0 + FRAME_NS + 1, j->cls[5].first_leak);
}

/* A second XOFF reloads the timer, whatever it held. */
TEST_F(wire, leak_after_a_reload)
{
	struct wire_judge *j = &self->j;

	xoff(j, self->t, 1 << 1, 100);
	xoff(j, self->t + 50 * QUANTUM_NS, 1 << 1, 100);
	self->t += 120 * QUANTUM_NS;
	burst(j, &self->t, 1, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(1, j->cls[1].found[WIRE_LEAKED]);
	EXPECT_COUNT(1, j->cls[1].reloads);
	EXPECT_COUNT(1, j->cls[1].pauses);
}

TEST_F(wire, repause_is_counted)
{
	struct wire_judge *j = &self->j;

	xoff(j, self->t, 1 << 1, 100);
	xoff(j, self->t + 1000, 1 << 1, 0);
	xoff(j, self->t + 2000, 1 << 1, 100);
	wire_judge_end(j);
	EXPECT_COUNT(2, j->cls[1].pauses);
	EXPECT_COUNT(1, j->cls[1].repauses);
}

TEST_F(wire, other_opcode_pauses_nobody)
{
	struct wire_judge *j = &self->j;

	pfc_frame(j, self->t, 0xff, 0xffff, 0x1001);
	self->t += 10;
	burst(j, &self->t, 5, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(1, j->bad_ctrl);
}

TEST(priority_without_pfc_is_not_paused)
{
	struct wire_judge j;
	uint64_t t = T0;

	wire_judge_init(&j, port_addr, MBIT, 0xff & ~(1 << 6));
	xoff(&j, t, 0xff, 0xffff);
	t += 10;
	burst(&j, &t, 6, 0, 1);
	wire_judge_end(&j);
	EXPECT_COUNT(0, wire_judge_violations(&j));
	EXPECT_COUNT(0, j.cls[6].pfc);
	EXPECT_COUNT(1, j.cls[5].pfc);
	EXPECT_COUNT(0, j.cls[6].pauses);
	wire_judge_fini(&j);
}

TEST_F(wire, lost_in_the_middle)
{
	struct wire_judge *j = &self->j;

	burst(j, &self->t, 8, 0, 5);
	burst(j, &self->t, 8, 7, 5);
	wire_judge_end(j);
	EXPECT_COUNT(2, wire_judge_violations(j));
	EXPECT_COUNT(2, wire_judge_sums(j, 0).lost);
}

TEST_F(wire, lost_at_the_end)
{
	struct wire_judge *j = &self->j;

	wire_judge_sent(j, 8, 8);
	wire_judge_sent(j, 16, 1);
	burst(j, &self->t, 8, 0, 5);
	wire_judge_end(j);
	EXPECT_COUNT(4, wire_judge_violations(j));
	EXPECT_COUNT(4, wire_judge_sums(j, 0).lost);
}

TEST_F(wire, sent_twice)
{
	struct wire_judge *j = &self->j;

	burst(j, &self->t, 9, 0, 5);
	burst(j, &self->t, 9, 4, 1);
	burst(j, &self->t, 9, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(2, wire_judge_violations(j));
	EXPECT_COUNT(2, wire_judge_sums(j, 1).twice);
}

TEST_F(wire, out_of_order)
{
	struct wire_judge *j = &self->j;

	burst(j, &self->t, 7, 0, 5);
	burst(j, &self->t, 7, 6, 2);
	burst(j, &self->t, 7, 5, 1);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, wire_judge_sums(j, 7).late);
	EXPECT_COUNT(0, wire_judge_sums(j, 7).lost);
}

TEST_F(wire, sent_by_nobody)
{
	struct wire_judge *j = &self->j;

	wire_judge_sent(j, 7, 4);
	burst(j, &self->t, 7, 0, 5);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->unannounced);
}

TEST_F(wire, wrong_priority_in_the_tag)
{
	struct wire_judge *j = &self->j;

	data_frame(j, self->t, 3, 0, 3);
	data_frame(j, self->t + FRAME_NS, 3, 1, 2);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->mislabelled);
	EXPECT_COUNT(2, j->cls[3].frames);
}

TEST_F(wire, two_frames_at_once)
{
	struct wire_judge *j = &self->j;

	data_frame(j, self->t, 3, 0, -1);
	data_frame(j, self->t + FRAME_NS - 2, 3, 1, -1);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->overlaps);
}

/* All classes, until it ends or runs out; and not if it is not to be obeyed. */
TEST_F(wire, link_pause)
{
	struct wire_judge *j = &self->j;
	uint32_t i;

	pause_frame(j, self->t, 1000);
	burst(j, &self->t, 1, 0, 1);
	EXPECT_COUNT(1, j->bad_ctrl);
	j->link_pause = true;
	pause_frame(j, self->t, 1000);
	self->t += 1000 * QUANTUM_NS;
	burst(j, &self->t, 1, 1, 1);
	pause_frame(j, self->t, 1000);
	pause_frame(j, self->t + 100, 0);
	self->t += 100;
	burst(j, &self->t, 6, 0, 1);
	EXPECT_COUNT(0, wire_judge_violations(j));
	pause_frame(j, self->t, 1000);
	self->t += 10;
	burst(j, &self->t, 1, 2, 1);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->cls[1].found[WIRE_LEAKED]);
	EXPECT_COUNT(4, j->pause_frames);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		EXPECT_COUNT(3, j->cls[i].pauses);
}

/* A PFC frame ends the time of link pause, whatever it names. */
TEST_F(wire, link_pause_behind_pfc)
{
	struct wire_judge *j = &self->j;

	j->link_pause = true;
	xoff(j, self->t, 0, 0);
	pause_frame(j, self->t, 1000);
	self->t += 10;
	burst(j, &self->t, 1, 0, 1);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(1, j->pause_frames);
	EXPECT_COUNT(0, j->cls[1].pauses);
}

TEST_F(wire, time_runs_backwards)
{
	struct wire_judge *j = &self->j;

	xoff(j, self->t, 1, 1);
	xoff(j, self->t - 1, 1, 1);
	wire_judge_end(j);
	EXPECT_COUNT(1, wire_judge_violations(j));
	EXPECT_COUNT(1, j->backwards);
}

/*
 * Priority 4 sends at half the rate while priority 3 is paused. Time before the
 * first and after the last PFC frame says nothing about rates.
 */
TEST_F(wire, rates_by_window)
{
	struct wire_judge *j = &self->j;
	const struct wire_rate *r = j->cls[4].rate;
	uint32_t i;

	burst(j, &self->t, 4, 0, 7);
	xoff(j, self->t, 1 << 3, 0);
	burst(j, &self->t, 4, 7, 10);
	xoff(j, self->t, 1 << 3, 0xffff);
	for (i = 0; i < 10; i++, self->t += FRAME_NS)
		burst(j, &self->t, 4, 17 + i, 1);
	xoff(j, self->t, 1 << 3, 0);
	burst(j, &self->t, 4, 27, 9);
	wire_judge_end(j);
	EXPECT_COUNT(0, wire_judge_violations(j));
	EXPECT_COUNT(10 * FRAME_NS, r[WIRE_ALL_FREE].ns);
	EXPECT_COUNT(10 * FRAME_LEN, r[WIRE_ALL_FREE].bytes);
	EXPECT_COUNT(20 * FRAME_NS, r[WIRE_OTHERS_PAUSED].ns);
	EXPECT_COUNT(10 * FRAME_LEN, r[WIRE_OTHERS_PAUSED].bytes);
	EXPECT_COUNT(20 * FRAME_NS, j->cls[3].rate[WIRE_SELF_PAUSED].ns);
}

TEST_HARNESS_MAIN
