// SPDX-License-Identifier: GPL-2.0
/*
 * Trains change nothing that can be seen from outside. Random schedules of TSO frames (IPv4 and
 * IPv6, tags, options, any flags), pauses of both kinds, control frames of the NIC, rewriting,
 * refused DMA, queues that stop and links that fall run twice: without trains and with trains of
 * any length. Each frame on the wire has to have the same bytes at the same time, and all of
 * host memory has to be the same afterwards: counters, completions, park queues, events.
 *
 * Then a cable leads from one port to the other. Merged frames are cut again with the test's own
 * arithmetic, and must give the segments that were on the wire.
 */
#include "offload.h"
#include "trains.h"

static struct wire_log logs[2];
static struct end ends[2][2];

/* ---- what happens to it ------------------------------------------------- */

static void random_pause(struct rig *r, u32 port, u32 *seed)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1 };
	u16 t[8];
	u32 i;

	if (rnd(seed, 3)) {
		for (i = 0; i < 8; i++)
			t[i] = rnd(seed, 3) ? rnd(seed, 200) : 0;
		rig_pfc_frame(r, port, rnd(seed, 256), t);
		return;
	}
	set_be16(f + 16, rnd(seed, 200));
	rig_rx(r, port, f, sizeof(f));
}

/* Only payload and rings: the headers of a train are read once. */
static void random_refusal(struct rig *r, u32 port, u32 queue, u32 *seed)
{
	const struct rig_txq *q = &r->port[port].txq[queue];

	if (rnd(seed, 2))
		rig_deny(r, 0, 0);
	else if (rnd(seed, 3))
		rig_deny(r, q->buf + RIG_BUF * rnd(seed, BIT(q->log2)) + 200, 1000);
	else
		rig_deny(r, q->ring + 16 * rnd(seed, BIT(q->log2)), 16);
}

static void random_link(struct rig *r, u32 port, u32 *seed)
{
	u32 val = FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_1G + rnd(seed, 5)) |
		  PARQ_LINK_CTRL_FULL_DUPLEX;

	rig_write(r, port, PARQ_LINK_CTRL, val);
	rig_run(r, rnd(seed, 2000) * RIG_NS);
	rig_write(r, port, PARQ_LINK_CTRL, val | PARQ_LINK_CTRL_EN);
}

static void random_setting(struct rig *r, u32 port, u32 queue, u32 *seed)
{
	switch (rnd(seed, 7)) {
	case 0 ... 1:
		rig_write(r, port, PARQ_REWR(queue % 8), rnd(seed, 0x10000) &
			  (PARQ_REWR_DSCP | PARQ_REWR_DSCP_EN | PARQ_REWR_PCP |
			   PARQ_REWR_DEI | PARQ_REWR_PCP_EN));
		break;
	case 2:
		rig_write(r, port, PARQ_MAX_FRAME, rnd(seed, 2) ? 1518 : 64 + rnd(seed, 500));
		break;
	case 3:
		send_xoff(r, port);
		break;
	case 4:
		if (r->used < RIG_MEM / 2) {
			rig_write(r, port, PARQ_TXQ(queue) + PARQ_TXQ_CTRL, 0);
			rig_txq_up(r, port, queue);
		}
		break;
	case 5:
		rig_ets(r, port, rnd(seed, 0x1000000) * 0x11 & 0x77777777,
			rnd(seed, 2) ? 0 : 0x22222222, 0x0a0a0a0a14141e1e);
		break;
	default:
		random_link(r, port, seed);
		break;
	}
}

static void random_step(struct rig *r, u32 *seed)
{
	u32 port = rnd(seed, 2), queue = rnd(seed, RIG_QUEUES);

	switch (rnd(seed, 32)) {
	case 0 ... 9:
		post(r, port, queue, seed);
		break;
	case 10 ... 14:
		random_pause(r, port, seed);
		break;
	case 15:
		random_refusal(r, port, queue, seed);
		break;
	case 16:
		random_setting(r, port, queue, seed);
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 8000)) * RIG_NS);
		break;
	}
}

/* One queue sends most frames, for as long as it takes: so most segments repeat each other. */
static void calm_step(struct rig *r, u32 *seed)
{
	u32 port = !rnd(seed, 6), queue = rnd(seed, 5) ? 3 : rnd(seed, RIG_QUEUES);

	switch (rnd(seed, 32)) {
	case 0 ... 9:
		post_tso(r, port, queue, true, 20 + rnd(seed, 300), seed);
		break;
	case 10:
		random_pause(r, port, seed);
		break;
	case 11:
		random_refusal(r, port, queue, seed);
		break;
	case 12:
		if (!rnd(seed, 3))
			random_setting(r, port, queue, seed);
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 60000)) * RIG_NS);
		break;
	}
}

/**
 * struct kind - kind of a schedule
 * @step: one step of it
 * @batches: segments may be sent at once; there is no limit to the events of a step
 */
struct kind {
	void (*step)(struct rig *r, u32 *seed);
	bool batches;
};

/* @room: bytes of payload in a train, 0: no trains. Return: number of trains. */
static u32 run_alone(u32 seed, u32 room, const struct kind *kind, struct rig *r,
		     struct wire_log *log)
{
	u32 i;

	seed = seed * 2654435761U | 1;
	set_up(r, &seed, log);
	r->train_room = room;
	r->batches = kind->batches;
	if (kind->batches)
		r->most = 0;
	for (i = 0; i < STEPS; i++)
		kind->step(r, &seed);
	rig_deny(r, 0, 0);
	rig_run(r, 20 * RIG_MS);
	settle(r);
	return r->trains;
}

static void same_twice(const struct kind *kind, u32 *batched)
{
	static struct rig r[2];
	u32 seed, trains = 0, frames = 0, room;

	for (seed = 1; seed <= RUNS; seed++) {
		room = seed % 2 ? 65536 : 1 + seed * 977 % PAYLOAD;
		run_alone(seed, 0, kind, &r[0], &logs[0]);
		trains += run_alone(seed, room, kind, &r[1], &logs[1]);
		frames += logs[0].n;
		*batched += r[1].batched;
		same_wire(&logs[0], &logs[1]);
		same_memory(&r[0], &r[1]);
		rig_fini(&r[0]);
		rig_fini(&r[1]);
	}
	assert_true(frames > RUNS * 100);
	assert_true(trains > RUNS * 10);
}

static void same_with_trains(void **state)
{
	static const struct kind busy = { .step = random_step };
	u32 batched = 0;

	(void)state;
	same_twice(&busy, &batched);
	assert_int_equal(batched, 0);
}

static void same_with_batches(void **state)
{
	static const struct kind busy = { .step = random_step, .batches = true };
	static const struct kind calm = { .step = calm_step, .batches = true };
	u32 batched = 0;

	(void)state;
	same_twice(&busy, &batched);
	same_twice(&calm, &batched);
	assert_true(batched > RUNS * 100);
}

/* ---- one pause ---------------------------------------------------------- */

#define SEG		100
#define SEGS		18
#define SEG_TIME	((8 + 54 + SEG + 4 + 12) * 800ULL)	/* at 10 Gb/s */

/* The train ends with the segment in which the pause comes. The others are parked, or wait. */
static void pause_splits(void **state)
{
	struct parqsim_config cfg = config;
	const struct parq_prio_stats *s;
	struct rig r;
	bool offload;

	(void)state;
	cfg.fetch_ns = RIG_FETCH_NS;
	for (offload = false;; offload = true) {
		rig_init(&r, &cfg, PARQ_SPEED_10G, offload);
		r.train_room = 65536;
		rig_pfc(&r, 0, 0xff, offload);
		rig_post_tso(&r, 0, 3, SEGS * SEG, SEG);
		while (!r.port[0].cls[3].sent)
			rig_run(&r, RIG_NS);
		rig_run(&r, 4 * SEG_TIME);
		assert_int_equal(r.port[0].cls[3].sent, 5);
		assert_int_equal(r.trains, 0);
		rig_pause(&r, 0, BIT(3), 100);
		rig_run(&r, 2 * SEG_TIME);
		assert_int_equal(r.trains, 1);
		assert_int_equal(r.segs, 5);
		s = &rig_stats(&r, 0)->prio[3];
		assert_int_equal(le64_to_cpu(s->parked), SEGS - 5);
		assert_int_equal(le64_to_cpu(s->tx_frames), 5);
		rig_drain(&r);
		assert_int_equal(r.trains, 2);
		assert_int_equal(r.segs, SEGS - 5);
		s = &rig_stats(&r, 0)->prio[3];
		assert_int_equal(le64_to_cpu(s->reinjected), SEGS - 5);
		rig_fini(&r);
		if (offload)
			break;
	}
}

/* A frame of a stricter class goes behind the segment on the wire, as between single frames. */
static void stricter_class_splits(void **state)
{
	struct parqsim_config cfg = config;
	struct rig r;

	(void)state;
	cfg.fetch_ns = 0;
	rig_init(&r, &cfg, PARQ_SPEED_10G, true);
	r.train_room = 65536;
	rig_ets(&r, 0, 0x76543210, 0, 0);
	rig_post_tso(&r, 0, 1, SEGS * SEG, SEG);
	while (r.port[0].cls[1].sent < 4)
		rig_run(&r, RIG_NS);
	rig_post(&r, 0, 6, 100);
	while (!r.port[0].cls[6].sent)
		rig_run(&r, RIG_NS);
	assert_int_equal(r.port[0].cls[1].sent, 4);
	assert_int_equal(r.segs, 4);
	rig_drain(&r);
	assert_int_equal(r.segs, SEGS - 4);
	rig_fini(&r);
}

/* A wrong sum stays wrong: the headers are those of the frame, not of one before that is alike. */
static void wrong_sum_goes_alone(void **state)
{
	struct rig r;
	u64 at;
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		rig_init(&r, &config, PARQ_SPEED_10G, true);
		r.train_room = i ? 65536 : 0;
		r.wire = log_frame;
		r.wire_ctx = &logs[i];
		logs[i].n = 0;
		rig_post_tso(&r, 0, 3, SEGS * SEG, SEG);
		at = rig_tx_buf(&r, 0, 3);
		rig_post_tso(&r, 0, 3, SEGS * SEG, SEG);
		memcpy(rig_ptr(&r, at + 50, 2), "\x12\x34", 2);
		rig_drain(&r);
		assert_int_equal(r.trains, i);
		rig_fini(&r);
	}
	same_wire(&logs[0], &logs[1]);
}

/* ---- what the host receives --------------------------------------------- */

static void got(struct end *e, const u8 *f, u32 len, const struct parq_rx_comp *c)
{
	u32 flags = le32_to_cpu(c->flags) & (PARQ_RX_VLAN | PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4 |
					     PARQ_RX_CSUM_OK | PARQ_RX_CSUM_BAD | PARQ_RX_PRIO);

	log_frame(&e->log, flags, f, len,
		  (u64)le32_to_cpu(c->hash) << 16 | le16_to_cpu(c->tci));
}

/* What the contract says of a merged frame. Returns bytes of its headers. */
static u32 check_merged(struct end *e, u32 mss, struct offload_seg *seg)
{
	u8 *f = e->frame;
	u32 l3 = 14, l4;

	seg->ipv6 = be16_at(f + 12) == ETH_P_IPV6;
	assert_true(seg->ipv6 || be16_at(f + 12) == ETH_P_IP);
	l4 = l3 + (seg->ipv6 ? 40 : (f[l3] & 15) * 4);
	assert_int_equal(f[l3 + (seg->ipv6 ? 6 : 9)], IPPROTO_TCP);
	if (seg->ipv6) {
		assert_int_equal(be16_at(f + l3 + 4), e->len - l4);
	} else {
		assert_int_equal(be16_at(f + l3 + 2), e->len - l3);
		assert_int_equal(ref_sum(0, f + l3, l4 - l3), 0xffff);
	}
	assert_int_equal(be16_at(f + l4 + 16), ref_pseudo(f, l3, IPPROTO_TCP, e->len - l4));
	seg->l4 = l4;
	seg->hdr_len = l4 + (f[l4 + 12] >> 4) * 4;
	assert_true(e->len > seg->hdr_len + mss);
	set_be16(f + l4 + 16, ref_pseudo(f, l3, IPPROTO_TCP, 0));
	return seg->hdr_len;
}

static void got_merged(struct end *e, const struct parq_rx_comp *c)
{
	u32 mss = FIELD_GET(PARQ_RX_GRO_SIZE, le32_to_cpu(c->flags)), hdr;
	struct offload_seg seg = { .index = 0 };
	u8 f[2048];

	assert_true(le32_to_cpu(c->flags) & PARQ_RX_CSUM_OK);
	hdr = check_merged(e, mss, &seg);
	for (; !seg.last; seg.index++, seg.offset += mss) {
		seg.len = e->len - hdr - seg.offset;
		seg.last = seg.len <= mss;
		if (!seg.last)
			seg.len = mss;
		memcpy(f, e->frame, hdr);
		memcpy(f + hdr, e->frame + hdr + seg.offset, seg.len);
		assert_true(offload_tso(f, &seg));
		got(e, f, hdr + seg.len, c);
	}
	e->merged++;
}

static void read_completions(struct end *e)
{
	u32 head = rig_read(e->in.r, e->in.port, PARQ_RXQ(0) + PARQ_RXQ_HEAD), bufs = 0;
	const struct rig_rxq *q = &e->in.r->port[e->in.port].rxq[0];

	for (; e->read != head; e->read++) {
		const struct parq_rx_comp *c = rig_rx_comp(e->in.r, e->in.port, 0, e->read);
		u32 len = le16_to_cpu(c->len), at = e->read % BIT(RX_LOG2);

		memcpy(e->frame + e->len, rig_ptr(e->in.r, q->bufs + at * RX_BUF, len), len);
		e->len += len;
		bufs++;
		if (!(le32_to_cpu(c->flags) & PARQ_RX_EOP))
			continue;
		assert_true(bufs <= PARQ_RX_GRO_BUFS);
		if (le32_to_cpu(c->flags) & PARQ_RX_GRO)
			got_merged(e, c);
		else
			got(e, e->frame, e->len, c);
		e->len = 0;
		bufs = 0;
	}
}

static void give_buffers(struct end *e, u32 given)
{
	read_completions(e);
	rig_rx_tail(e->in.r, e->in.port, 0, given);
}

/**
 * struct variant - how a schedule is run
 * @room: bytes of payload in a train, 0: no trains
 * @ctrl: PARQ_PORT_CTRL_RX_GRO, or 0
 * @starved: the host gives no buffers before the end, and pauses are sent
 * @calm: most segments repeat each other, and a step has no limit
 * @batches: segments may be sent at once
 */
struct variant {
	u32 room;
	u32 ctrl;
	bool starved;
	bool calm;
	bool batches;
};

static void cable_step(struct rig *r, u32 *seed)
{
	u32 port = rnd(seed, 2), queue = rnd(seed, RIG_QUEUES);

	switch (rnd(seed, 24)) {
	case 0 ... 6:
		post(r, port, queue, seed);
		break;
	case 7:
		rig_pause(r, port, rnd(seed, 256), rnd(seed, 200));
		break;
	case 8:
		send_xoff(r, port);
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 4000)) * RIG_NS);
		break;
	}
}

static void calm_cable_step(struct rig *r, u32 *seed)
{
	u32 port = !rnd(seed, 6), queue = rnd(seed, 5) ? 3 : rnd(seed, RIG_QUEUES);

	switch (rnd(seed, 32)) {
	case 0 ... 7:
		post_tso(r, port, queue, true, 20 + rnd(seed, 300), seed);
		break;
	case 8:
		rig_pause(r, port, rnd(seed, 256), rnd(seed, 200));
		break;
	case 9:
		send_xoff(r, port);
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 60000)) * RIG_NS);
		break;
	}
}

static void run_cable(u32 seed, const struct variant *v, struct rig *r, struct end *end,
		      struct wire_log *log)
{
	u32 i, port;

	seed = seed * 2654435761U | 1;
	set_up(r, &seed, log);
	r->train_room = v->room;
	r->batches = v->batches;
	if (v->calm)
		r->most = 0;
	for (port = 0; port < 2; port++) {
		rig_write(r, port, PARQ_FC_CTRL, 0);
		rig_pfc(r, port, 0xff, r->port[port].offload);
		plug(r, port, &seed, &end[port], v->ctrl);
		r->cable[!port] = &end[port].in.cable;
		rig_write(r, port, PARQ_FC_CTRL, v->starved ? 0xff : 0);
	}
	for (i = 0; i < 2 * STEPS; i++) {
		if (i < STEPS)
			(v->calm ? calm_cable_step : cable_step)(r, &seed);
		else
			rig_run(r, 100 * RIG_US);
		for (port = 0; port < 2 && !v->starved; port++)
			give_buffers(&end[port], end[port].read + BIT(RX_LOG2));
	}
	settle(r);
}

static void same_counters(struct rig *a, struct rig *b)
{
	u32 port, off;

	for (port = 0; port < 2; port++) {
		const struct parq_stats *s = rig_ptr(a, a->port[port].stats, sizeof(*s));

		assert_int_equal(a->cable[port]->lost + b->cable[port]->lost, 0);
		assert_int_equal(s->rx_drop_nobuf, 0);
		assert_int_equal(s->rx_drop_buffer, 0);
		assert_memory_equal(s, rig_ptr(b, b->port[port].stats, sizeof(*s)), sizeof(*s));
		for (off = 0; off < 16; off += 4)
			assert_int_equal(rig_read(a, port, PARQ_RULE_COUNT(COUNTER) + off),
					 rig_read(b, port, PARQ_RULE_COUNT(COUNTER) + off));
		assert_int_not_equal(rig_read(a, port, PARQ_RULE_COUNT(COUNTER)), 0);
	}
}

static void same_received(struct end *a, struct end *b)
{
	u32 port, i;

	for (port = 0; port < 2; port++) {
		assert_int_equal(a[port].log.n, b[port].log.n);
		for (i = 0; i < a[port].log.n; i++)
			assert_memory_equal(&a[port].log.f[i], &b[port].log.f[i],
					    sizeof(struct seen));
	}
}

static u32 compare(u32 seed, const struct variant *v)
{
	const struct variant plain = { .starved = v->starved };
	static struct rig r[2];
	u32 merged;

	run_cable(seed, &plain, &r[0], ends[0], &logs[0]);
	run_cable(seed, v, &r[1], ends[1], &logs[1]);
	same_wire(&logs[0], &logs[1]);
	if (v->starved || !v->ctrl)
		same_memory(&r[0], &r[1]);
	if (!v->starved)
		same_counters(&r[0], &r[1]);
	same_received(ends[0], ends[1]);
	assert_true(r[1].trains);
	merged = ends[1][0].merged + ends[1][1].merged;
	rig_fini(&r[0]);
	rig_fini(&r[1]);
	return merged;
}

static void merged_at_the_other_end(void **state)
{
	u32 seed, merged = 0;

	(void)state;
	for (seed = 1; seed <= RUNS; seed++) {
		const struct variant v = {
			.room = seed % 2 ? 65536 : 200 + seed * 977 % PAYLOAD,
			.ctrl = PARQ_PORT_CTRL_RX_GRO,
		};

		merged += compare(seed, &v);
	}
	assert_true(merged > RUNS * 10);
}

/* Segments that are sent and merged at once change nothing, not even in completions. */
static void same_at_the_other_end(void **state)
{
	u32 seed, batched = 0, merged = 0;
	static struct rig r[2];

	(void)state;
	for (seed = 1; seed <= RUNS; seed++) {
		struct variant v = {
			.room = seed % 2 ? 65536 : 200 + seed * 977 % PAYLOAD,
			.ctrl = PARQ_PORT_CTRL_RX_GRO, .starved = !(seed % 4), .calm = true,
		};

		run_cable(seed, &v, &r[0], ends[0], &logs[0]);
		v.batches = true;
		run_cable(seed, &v, &r[1], ends[1], &logs[1]);
		same_wire(&logs[0], &logs[1]);
		same_memory(&r[0], &r[1]);
		same_received(ends[0], ends[1]);
		merged += ends[1][0].merged + ends[1][1].merged;
		batched += r[1].batched;
		rig_fini(&r[0]);
		rig_fini(&r[1]);
	}
	assert_true(merged > RUNS * 10);
	assert_true(batched > RUNS * 100);
}

/* The receiving port has the feature off. */
static void not_merged(void **state)
{
	u32 seed;

	(void)state;
	for (seed = 1; seed <= RUNS / 3; seed++) {
		const struct variant v = { .room = 65536 };

		assert_int_equal(compare(seed, &v), 0);
	}
}

/* All segments wait in the receive buffers, or are dropped, and the sender is paused. */
static void not_merged_without_buffers(void **state)
{
	u32 seed;

	(void)state;
	for (seed = 1; seed <= RUNS / 3; seed++) {
		const struct variant v = {
			.room = 65536, .ctrl = PARQ_PORT_CTRL_RX_GRO, .starved = true,
		};

		assert_int_equal(compare(seed, &v), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_with_trains),
		cmocka_unit_test(same_with_batches),
		cmocka_unit_test(pause_splits),
		cmocka_unit_test(stricter_class_splits),
		cmocka_unit_test(wrong_sum_goes_alone),
		cmocka_unit_test(merged_at_the_other_end),
		cmocka_unit_test(same_at_the_other_end),
		cmocka_unit_test(not_merged),
		cmocka_unit_test(not_merged_without_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
