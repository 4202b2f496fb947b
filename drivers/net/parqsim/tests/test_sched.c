// SPDX-License-Identifier: GPL-2.0
/* Transmission selection (IEEE 802.1Qaz), alone and beside paused classes. */
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

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* A NIC that fetches far ahead, so that there is something to park. */
static const struct parqsim_config deep = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static void refill(struct rig *r, u8 prios, u32 len)
{
	u32 q;

	for (q = 0; q < 8; q++)
		while ((prios & BIT(q)) && rig_room(r, 0, q) >= 4)
			rig_post(r, 0, q, len);
}

/* Runs with the rings kept full; returns nothing but what the rig has seen. */
static void saturate(struct rig *r, u8 prios, u32 len, u64 ps)
{
	u64 end = rig_now(r) + ps;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		r->port[0].cls[prio].bytes = 0;
	while (rig_now(r) < end) {
		refill(r, prios, len);
		rig_run(r, 5 * RIG_US);
	}
}

static u64 total(struct rig *r)
{
	u64 sum = 0;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		sum += r->port[0].cls[prio].bytes;
	return sum;
}

/* One traffic class a priority, all strict: only the highest is served. */
static void strict_is_strict(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, 0x76543210, 0, 0);
	saturate(&r, BIT(2) | BIT(5), 1000, 200 * RIG_US);
	saturate(&r, BIT(2) | BIT(5), 1000, 1000 * RIG_US);
	assert_int_equal(r.port[0].cls[2].bytes, 0);
	assert_true(total(&r) > 1000 * 1000 * 10 / 8 * 95 / 100);
	rig_drain(&r);
	rig_fini(&r);
}

/* Weights 10, 20, 30, 40 with frames of different lengths: shares of the wire
 * within two percent of what was asked for.
 */
static void ets_shares(void **state)
{
	static const u32 weight[] = { 10, 20, 30, 40 };
	u64 wire[4], sum = 0, end;
	u32 tc, len;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, 0x00003210, 0x22222222, 0x01010101281e140aULL);
	end = rig_now(&r) + 4000 * RIG_US;
	while (rig_now(&r) < end) {
		for (tc = 0; tc < 4; tc++)
			while (rig_room(&r, 0, tc) >= 4)
				rig_post(&r, 0, tc, 100 + 400 * tc);
		rig_run(&r, 5 * RIG_US);
	}
	for (tc = 0; tc < 4; tc++) {
		len = 100 + 400 * tc;
		wire[tc] = r.port[0].cls[tc].bytes / len * (len + 24);
		sum += wire[tc];
	}
	for (tc = 0; tc < 4; tc++)
		assert_in_range(wire[tc] * 1000 / sum, weight[tc] * 10 - 20,
				weight[tc] * 10 + 20);
	rig_drain(&r);
	rig_fini(&r);
}

/* Priorities of a traffic class share it, whatever another class does in between. */
static void priorities_share_a_class(void **state)
{
	u64 *bytes[2], sum;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	/* 0 and 4 in traffic class 0, 2 in class 1: the classes take turns. */
	rig_ets(&r, 0, 0x00000100, 0x22222222, 0x0101010101013232ULL);
	saturate(&r, BIT(0) | BIT(2) | BIT(4), 1000, 2000 * RIG_US);
	bytes[0] = &r.port[0].cls[0].bytes;
	bytes[1] = &r.port[0].cls[4].bytes;
	sum = *bytes[0] + *bytes[1];
	assert_in_range(*bytes[0] * 100 / sum, 45, 55);
	assert_in_range(sum * 100 / total(&r), 45, 55);
	rig_drain(&r);
	rig_fini(&r);
}

static void flap(struct rig *r, u32 *seed, u8 prios)
{
	u16 t[8];
	u32 i;

	for (i = 0; i < 8; i++)
		t[i] = rnd(seed, 4) ? rnd(seed, 600) : 0;
	rig_pfc_frame(r, 0, rnd(seed, 256) & prios, t);
}

/*
 * I6: four classes pause at random, four do not. What is not paused sends at
 * least what it sends when nobody is paused.
 */
static void others_do_not_wait(void **state)
{
	bool offload = *state;
	u64 calm[8], end;
	u32 seed = 77, prio;
	struct rig r;

	rig_init(&r, &deep, PARQ_SPEED_10G, offload);
	rig_ets(&r, 0, 0x76543210, 0x22222222, 0x0d0d0d0d0c0c0c0cULL);
	rig_pfc(&r, 0, 0xff, offload);
	saturate(&r, 0xff, 1000, 200 * RIG_US);
	saturate(&r, 0xff, 1000, 5000 * RIG_US);
	for (prio = 0; prio < 8; prio++)
		calm[prio] = r.port[0].cls[prio].bytes;
	for (prio = 0; prio < 8; prio++)
		r.port[0].cls[prio].bytes = 0;
	end = rig_now(&r) + 5000 * RIG_US;
	while (rig_now(&r) < end) {
		refill(&r, 0xff, 1000);
		flap(&r, &seed, 0x0f);
		rig_run(&r, 5 * RIG_US);
	}
	for (prio = 4; prio < 8; prio++)
		assert_true(r.port[0].cls[prio].bytes >= calm[prio] * 95 / 100);
	assert_true(le64_to_cpu(rig_stats(&r, 0)->prio[1].repauses) > 0);
	rig_pfc(&r, 0, 0, offload);
	rig_drain(&r);
	rig_fini(&r);
}

/* ---- rate limits --------------------------------------------------------- */

#define ONE_TO_ONE	0x76543210	/* a traffic class for each priority */
#define STRICT		0
#define ETS		0x22222222
#define EQUAL		0x0c0c0c0c0c0c0c0cULL
#define MS		(1000 * RIG_US)

/* saturate(), when the first moments are over. */
static void steady(struct rig *r, u8 prios, u32 len, u64 ps)
{
	saturate(r, prios, len, MS);
	saturate(r, prios, len, ps);
}

/* What a priority has had of the wire since saturate() began, kbit/s. */
static u64 kbit(struct rig *r, u32 prio, u32 len, u64 ps)
{
	u64 bytes = r->port[0].cls[prio].bytes;

	return bytes / len * (len + 24) * 8 * 1000000000 / ps;
}

static void assert_rate(struct rig *r, u32 prio, u32 len, u64 ps, u64 want)
{
	assert_in_range(kbit(r, prio, len, ps), want * 99 / 100,
			want * 101 / 100);
}

/* A class that has the link for itself, and one that is behind all others. */
static void limit_is_exact(void **state)
{
	static const struct {
		u32 kbit;
		u32 len;
	} c[] = {
		{ 20000, 60 }, { 333333, 1000 }, { 1000000, 60 },
		{ 1000000, 1514 }, { 7654321, 9000 }, { 9999999, 500 },
	};
	struct rig r;
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		rig_init(&r, &config, PARQ_SPEED_10G, true);
		rig_write(&r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
		rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
		rig_maxrate(&r, 0, 3, c[i].kbit);
		steady(&r, BIT(3), c[i].len, 10 * MS);
		assert_rate(&r, 3, c[i].len, 10 * MS, c[i].kbit);
		rig_maxrate(&r, 0, 3, 0);
		rig_drain(&r);
		rig_fini(&r);
	}
}

/* It is passed over, and what it leaves is there for the others. */
static void limit_leaves_the_rest(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
	rig_maxrate(&r, 0, 6, 3000000);
	rig_maxrate(&r, 0, 4, 2000000);
	steady(&r, BIT(1) | BIT(4) | BIT(6), 1000, 10 * MS);
	assert_rate(&r, 6, 1000, 10 * MS, 3000000);
	assert_rate(&r, 4, 1000, 10 * MS, 2000000);
	assert_rate(&r, 1, 1000, 10 * MS, 5000000);

	/* A third each, but for the one that must take less. */
	rig_ets(&r, 0, ONE_TO_ONE, ETS, EQUAL);
	rig_maxrate(&r, 0, 6, 1000000);
	rig_maxrate(&r, 0, 4, 0);
	steady(&r, BIT(4) | BIT(5) | BIT(6), 1000, 10 * MS);
	assert_rate(&r, 6, 1000, 10 * MS, 1000000);
	assert_rate(&r, 5, 1000, 10 * MS, 4500000);
	assert_rate(&r, 4, 1000, 10 * MS, 4500000);
	rig_drain(&r);
	rig_fini(&r);
}

/* Priorities of a traffic class have one limit in common, and share it. */
static void limit_is_of_a_class(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, 0x00111100, STRICT, 0);
	rig_maxrate(&r, 0, 1, 4000000);
	steady(&r, 0xff, 1000, 10 * MS);
	assert_rate(&r, 2, 1000, 10 * MS, 1000000);
	assert_rate(&r, 5, 1000, 10 * MS, 1000000);
	assert_rate(&r, 0, 1000, 10 * MS, 1500000);
	rig_drain(&r);
	rig_fini(&r);
}

/* At once, even where the old limit would have kept silent for seconds. */
static void limit_changes(void **state)
{
	static const u32 kbits[] = { 1000000, 1, 4000000, 100, 2500000 };
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
	for (i = 0; i < sizeof(kbits) / sizeof(kbits[0]); i++) {
		rig_maxrate(&r, 0, 5, kbits[i]);
		saturate(&r, BIT(5) | BIT(2), 1000, 10 * MS);
		if (kbits[i] < 1000) {
			assert_true(r.port[0].cls[5].bytes <= 34 * 1000);
			continue;
		}
		assert_rate(&r, 5, 1000, 10 * MS, kbits[i]);
		assert_rate(&r, 2, 1000, 10 * MS, 10000000 - kbits[i]);
	}
	rig_maxrate(&r, 0, 5, 0);
	rig_drain(&r);
	rig_fini(&r);
}

/* Frames count once, however often they are turned back and come again. */
static void limit_and_pauses(void **state)
{
	bool offload = *state;
	u32 seed = 99, prio;
	struct rig r;
	u64 end;

	rig_init(&r, &deep, PARQ_SPEED_10G, offload);
	rig_ets(&r, 0, ONE_TO_ONE, ETS, EQUAL);
	rig_pfc(&r, 0, 0xff, offload);
	for (prio = 0; prio < 4; prio++)
		rig_maxrate(&r, 0, prio, 500000);
	saturate(&r, 0xff, 1000, MS);
	saturate(&r, 0xff, 1000, 0);
	end = rig_now(&r) + 20 * MS;
	while (rig_now(&r) < end) {
		refill(&r, 0xff, 1000);
		if (!rnd(&seed, 20))
			flap(&r, &seed, 0x0f);
		rig_run(&r, 5 * RIG_US);
	}
	for (prio = 0; prio < 4; prio++) {
		assert_true(le64_to_cpu(rig_stats(&r, 0)->prio[prio].repauses));
		assert_rate(&r, prio, 1000, 20 * MS, 500000);
	}
	for (prio = 4; prio < 8; prio++)
		assert_rate(&r, prio, 1000, 20 * MS, 2000000);
	rig_pfc(&r, 0, 0, offload);
	rig_drain(&r);
	rig_fini(&r);
}

/* A class that has saved up its burst parks it, and gets it all out at once. */
static void parked_is_not_limited(void **state)
{
	bool offload = *state;
	u32 parked, i;
	struct rig r;

	rig_init(&r, &deep, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	rig_maxrate(&r, 0, 0, 1000);
	/* For so long a burst is saved up. */
	for (i = 0; i < PARQ_ETS_BURST * 8 / 1000; i++)
		rig_run(&r, MS);
	/* The gate meets the pause, the frames are on their way to it. */
	for (i = 0; i < 20; i++)
		rig_post(&r, 0, 0, 976);
	rig_run(&r, 30 * RIG_NS);
	rig_pause(&r, 0, BIT(0), 0xffff);
	rig_run(&r, 100 * RIG_US);
	parked = le64_to_cpu(rig_stats(&r, 0)->prio[0].park_depth);
	assert_true(parked > 5);
	rig_pause(&r, 0, BIT(0), 0);
	rig_run(&r, 10 * RIG_US);
	rig_run(&r, 10 * RIG_US);
	rig_run(&r, 10 * RIG_US);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[0].park_depth), 0);
	assert_in_range(r.port[0].cls[0].sent, parked, 19);
	rig_maxrate(&r, 0, 0, 0);
	rig_drain(&r);
	rig_fini(&r);
}

/* ---- little posted -------------------------------------------------------- */

/*
 * A host as users have it: one queue a class, and in each no more frames that are not
 * complete than a driver's byte limits let in. It posts the next one when one completes.
 */

#define SIZES		5
#define SHORT		60
#define LONG		(PARQ_MAX_FRAME_MAX - 4)
#define MARKS		128

/* Of frames: fixed, at random, or of each class its own. */
static const struct sizes {
	const char *name;
	u32 min;
	u32 max;
	bool of_class;
} all_sizes[SIZES] = {
	{ "60", SHORT, SHORT, false },
	{ "1442", 1442, 1442, false },
	{ "longest", LONG, LONG, false },
	{ "mixed", SHORT, LONG, false },
	{ "short and long classes", SHORT, LONG, true },
};

/**
 * struct load - what the host posts at a port
 * @r: its bench
 * @port: there
 * @prios: that it sends
 * @n: frames that may be incomplete, of each
 * @sizes: of them
 * @seed: of random ones
 * @mark: tails behind the frames posted last
 * @posted: frames, ever
 * @done: of them complete
 */
struct load {
	struct rig *r;
	u32 port;
	u8 prios;
	u32 n;
	const struct sizes *sizes;
	u32 seed;
	u32 mark[8][MARKS];
	u32 posted[8];
	u32 done[8];
};

static u32 load_len(struct load *l, u32 prio)
{
	const struct sizes *s = l->sizes;

	if (s->of_class)
		return prio & 1 ? s->max : s->min;
	return s->min + (s->max > s->min ? rnd(&l->seed, s->max - s->min + 1) : 0);
}

static void load_post(struct load *l, u32 prio)
{
	const struct rig_txq *q = &l->r->port[l->port].txq[prio];
	u32 head = q->tail + rig_room(l->r, l->port, prio) - BIT(q->log2);

	while (l->done[prio] != l->posted[prio] &&
	       (int)(head - l->mark[prio][l->done[prio] % MARKS]) >= 0)
		l->done[prio]++;
	while (l->posted[prio] - l->done[prio] < l->n) {
		rig_post(l->r, l->port, prio, load_len(l, prio));
		l->mark[prio][l->posted[prio]++ % MARKS] = q->tail;
	}
}

/* To the next moment at which something happens, which the host sees at once. */
static void load_step(struct load *l)
{
	u64 next;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		if (l->prios & BIT(prio))
			load_post(l, prio);
	parqsim_run(l->r->sim, rig_now(l->r));
	next = parqsim_next(l->r->sim);
	rig_run(l->r, next - rig_now(l->r));
}

static void load_run(struct load *l, u64 ps)
{
	u64 end = rig_now(l->r) + ps;

	while (rig_now(l->r) < end)
		load_step(l);
}

static u64 frame_ps(const struct rig *r, u32 port, u32 len)
{
	return (u64)(len + 24) * r->port[port].byte_ps;
}

/* What the pipeline takes. */
static u64 lead_ps(const struct rig *r)
{
	return (u64)r->cfg.clk_ps * (r->cfg.depth + r->cfg.ports + 2);
}

/* A class never runs dry: what is posted lasts for longer than what is under way. */
static bool load_is_enough(const struct load *l)
{
	return (l->n - 1) * frame_ps(l->r, l->port, l->sizes->min) > lead_ps(l->r);
}

/* Time that a class has had of the wire. */
static u64 wire_ps(const struct rig *r, u32 port, u32 prio)
{
	const struct rig_class *c = &r->port[port].cls[prio];

	return (c->bytes + 24 * c->sent) * r->port[port].byte_ps;
}

static void wire_clear(struct rig *r, u32 port)
{
	u32 prio;

	for (prio = 0; prio < 8; prio++) {
		r->port[port].cls[prio].bytes = 0;
		r->port[port].cls[prio].sent = 0;
	}
}

static u64 wire_sum(const struct rig *r, u32 port)
{
	u64 sum = 0;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		sum += wire_ps(r, port, prio);
	return sum;
}

/* Measures for a time in which @frames of mean length pass; the link has to be full. */
static void load_measure(struct load *l, u32 frames)
{
	u64 longest = frame_ps(l->r, l->port, l->sizes->max), ps, start;

	ps = frames * (frame_ps(l->r, l->port, l->sizes->min) + longest) / 2;
	load_run(l, ps / 16);
	wire_clear(l->r, l->port);
	start = rig_now(l->r);
	load_run(l, ps);
	ps = rig_now(l->r) - start;
	assert_in_range(wire_sum(l->r, l->port), ps - ps / 1000 - longest,
			ps + longest);
}

static void load_end(struct load *l)
{
	rig_drain(l->r);
	rig_fini(l->r);
}

static void load_begin(struct load *l, struct rig *r,
		       const struct parqsim_config *cfg, int speed, bool offload)
{
	u32 port;

	rig_init(r, cfg, speed, offload);
	for (port = 0; port < cfg->ports; port++)
		rig_write(r, port, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
	l->r = r;
	memset(l->posted, 0, sizeof(l->posted));
	memset(l->done, 0, sizeof(l->done));
}

static const u32 little[] = { 2, 4, 16, 60 };

#define LITTLE		(sizeof(little) / sizeof(little[0]))

/* One of two classes, or of eight, has the link for itself. */
static void strict_with_little(void **state)
{
	struct load l = { .port = 0 };
	u32 speed, size, i, tests = 0;
	struct rig r;

	(void)state;
	for (i = 0; i < LITTLE * SIZES * PARQ_NUM_SPEEDS; i++) {
		l.n = little[i % LITTLE];
		size = i / LITTLE % SIZES;
		speed = i / LITTLE / SIZES;
		l.sizes = &all_sizes[size];
		l.prios = i % 2 ? 0xff : BIT(7) | BIT(6);
		load_begin(&l, &r, &config, speed, true);
		rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
		if (load_is_enough(&l)) {
			load_measure(&l, 600);
			assert_in_range(wire_ps(&r, 0, 7) * 1000 / wire_sum(&r, 0),
					999, 1000);
			tests++;
		}
		load_end(&l);
	}
	assert_true(tests > LITTLE * SIZES * PARQ_NUM_SPEEDS / 2);
}

static u64 weights(const u8 *w)
{
	u64 bw = 0;
	u32 tc;

	for (tc = 0; tc < 8; tc++)
		bw |= (u64)(w[tc] ? w[tc] : 1) << (8 * tc);
	return bw;
}

/* Within a percent of the wire's time, by the least that keeps a class from running dry. */
static void shares_with_little(void **state)
{
	static const u8 w[][8] = {
		{ 50, 50 }, { 23, 77 }, { 5, 90, 5 }, { 10, 20, 30, 40 },
		{ 1, 2, 3, 4, 10, 20, 25, 35 },
	};
	struct load l = { .port = 0 };
	u32 i, tc;
	struct rig r;

	(void)state;
	for (i = 0; i < sizeof(w) / sizeof(w[0]) * SIZES * PARQ_NUM_SPEEDS; i += 3) {
		const u8 *weight = w[i % (sizeof(w) / sizeof(w[0]))];
		u32 rest = i / (sizeof(w) / sizeof(w[0]));

		l.sizes = &all_sizes[rest % SIZES];
		load_begin(&l, &r, &config, rest / SIZES, true);
		rig_ets(&r, 0, ONE_TO_ONE, ETS, weights(weight));
		for (tc = 0, l.prios = 0; tc < 8; tc++)
			l.prios |= weight[tc] ? BIT(tc) : 0;
		for (l.n = 2; !load_is_enough(&l); l.n++)
			;
		load_measure(&l, 800);
		for (tc = 0; tc < 8; tc++)
			assert_in_range(wire_ps(&r, 0, tc) * 1000 /
					wire_sum(&r, 0) + 10, weight[tc] * 10,
					weight[tc] * 10 + 20);
		load_end(&l);
	}
}

/* A short frame of the highest class waits for one frame, and for the pipeline. */
static void high_frame_is_soon_sent(void **state)
{
	struct load l = { .port = 0, .prios = BIT(0), .n = 60, .seed = 5 };
	u32 speed, size, i;
	u64 at, limit;
	struct rig r;

	(void)state;
	for (i = 0; i < SIZES * PARQ_NUM_SPEEDS; i++) {
		size = i % SIZES;
		speed = i / SIZES;
		l.sizes = &all_sizes[size];
		load_begin(&l, &r, &config, speed, true);
		rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
		limit = frame_ps(&r, 0, l.sizes->max) + 2 * lead_ps(&r);
		for (at = 0; at < 30; at++) {
			load_run(&l, rnd(&l.seed, 1000) * limit / 300);
			rig_run(&r, rnd(&l.seed, 1000) * limit / 1000);
			rig_post(&r, 0, 7, SHORT);
			load_run(&l, limit);
			assert_int_equal(r.port[0].cls[7].sent, at + 1);
		}
		load_end(&l);
	}
}

/* However long the host lets time pass at once: a decision knows the last doorbell. */
static void doorbell_is_heard_in_time(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_100M, true);
	rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
	for (i = 0; i < 8; i++)
		rig_post(&r, 0, 0, 976);
	rig_run(&r, frame_ps(&r, 0, 976) / 2);
	rig_post(&r, 0, 7, 976);
	parqsim_run(r.sim, rig_now(&r) + 2 * frame_ps(&r, 0, 976));
	assert_int_equal(r.port[0].cls[0].sent, 2);
	assert_int_equal(r.port[0].cls[7].sent, 1);
	rig_drain(&r);
	rig_fini(&r);
}

/* What a pause finds between QMAN and wire keeps the wire busy just so long. */
static void fetch_is_bounded(void **state)
{
	struct load l = { .port = 0, .prios = BIT(3), .n = 60 };
	u64 parked, most = 0;
	struct rig r;
	u32 i, k;

	(void)state;
	for (i = 0; i < 3 * PARQ_NUM_SPEEDS; i++) {
		l.sizes = &all_sizes[i % 3];
		load_begin(&l, &r, &config, i / 3, true);
		rig_pfc(&r, 0, BIT(3), true);
		for (k = 0; k < 30; k++) {
			load_run(&l, lead_ps(&r) * (10 + rnd(&l.seed, 10)));
			rig_run(&r, rnd(&l.seed, 1000) * lead_ps(&r) / 1000);
			rig_pause(&r, 0, BIT(3), 0xffff);
			rig_run(&r, 2 * lead_ps(&r));
			parked = le64_to_cpu(rig_stats(&r, 0)->prio[3].park_depth);
			assert_true((parked - !!parked) * frame_ps(&r, 0, l.sizes->min) <=
				    lead_ps(&r));
			most = parked > most ? parked : most;
			rig_pause(&r, 0, BIT(3), 0);
		}
		load_end(&l);
	}
	assert_in_range(most, 10, config.depth);
}

/* A slow and a fast port of one pipeline do not disturb each other. */
static void ports_of_all_speeds(void **state)
{
	struct parqsim_config cfg = config;
	struct load l = { .n = 60, .prios = BIT(5) | BIT(2) };
	u64 ps, sent;
	struct rig r;
	u32 port;

	(void)state;
	cfg.ports = 2;
	for (l.port = 0; l.port < 2; l.port++) {
		port = 1 - l.port;
		l.sizes = &all_sizes[0];
		load_begin(&l, &r, &cfg, PARQ_SPEED_400G, true);
		rig_write(&r, 0, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
			  PARQ_LINK_CTRL_FULL_DUPLEX |
			  FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10M));
		r.port[0].byte_ps = parqsim_byte_ps(PARQ_SPEED_10M);
		rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
		rig_ets(&r, 1, ONE_TO_ONE, STRICT, 0);
		while (rig_room(&r, port, 2) >= 2)
			rig_post(&r, port, 2, 1442);
		while (rig_room(&r, port, 5) >= 2)
			rig_post(&r, port, 5, 1442);
		load_run(&l, lead_ps(&r));
		ps = rig_now(&r);
		load_measure(&l, l.port ? 20000 : 40);
		ps = rig_now(&r) - ps;
		assert_int_equal(wire_ps(&r, l.port, 2), 0);
		/* The other one sends all it has, or for all the time. */
		sent = r.port[port].cls[5].sent;
		assert_true(sent == BIT(RIG_LOG2) / 2 ||
			    (sent + 2) * frame_ps(&r, port, 1442) > ps);
		assert_true(!r.port[port].cls[2].sent || sent == BIT(RIG_LOG2) / 2);
		load_end(&l);
	}
}

/**
 * struct watch - what passes the wire while the class that pauses could send
 * @r: the bench
 * @prio: that class
 * @slack: after a pause that it needs to resume
 * @ps: time of the wire, by priority
 */
struct watch {
	struct rig *r;
	u32 prio;
	u64 slack;
	u64 ps[8];
};

static void watch_frame(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct watch *w = ctx;
	u32 queue, seq;

	(void)end;
	if (rig_now(w->r) < w->r->port[port].cls[w->prio].pause_until + w->slack)
		return;
	rig_tag(f, &queue, &seq);
	w->ps[queue % 8] += frame_ps(w->r, port, len);
}

/* Class 7 pauses and resumes while three classes send; tells what they had meanwhile. */
static void load_with_pauses(struct load *l, struct watch *w, bool offload)
{
	u64 frame = frame_ps(l->r, 0, l->sizes->max);
	u64 quantum = 512 / 8 * (u64)l->r->port[0].byte_ps;
	u32 k;

	/* A pass goes through the pipeline; the executor looks once a frame. */
	*w = (struct watch){
		.r = l->r, .prio = 7,
		.slack = 6 * lead_ps(l->r) + (offload ? 2 : 8) * frame,
	};
	rig_pfc(l->r, 0, BIT(7), offload);
	wire_clear(l->r, 0);
	l->r->wire_ctx = w;
	l->r->wire = watch_frame;
	for (k = 0; k < 40; k++) {
		rig_pause(l->r, 0, BIT(7), rnd(&l->seed, 100 * frame / quantum) + 1);
		load_run(l, 300 * frame + rnd(&l->seed, 1000) * frame / 1000);
	}
	l->r->wire = NULL;
	rig_pfc(l->r, 0, 0, offload);
}

/* While it is not paused the highest class has the link for itself. */
static void strict_and_pauses(void **state)
{
	static const int speeds[] = { PARQ_SPEED_10M, PARQ_SPEED_1G,
				      PARQ_SPEED_10G, PARQ_SPEED_400G };
	struct load l = { .port = 0, .prios = BIT(7) | BIT(6) | BIT(5) };
	bool offload = *state;
	struct watch w;
	struct rig r;
	u32 i;

	for (i = 0; i < 12; i++) {
		l.sizes = &all_sizes[i % 3];
		load_begin(&l, &r, &config, speeds[i / 3], offload);
		rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
		for (l.n = 2; !load_is_enough(&l); l.n++)
			;
		load_with_pauses(&l, &w, offload);
		assert_in_range(w.ps[7] * 1000 / (w.ps[7] + w.ps[6] + w.ps[5]),
				999, 1000);
		assert_in_range(wire_ps(&r, 0, 6), 1, wire_ps(&r, 0, 7));
		assert_true(wire_ps(&r, 0, 5) * 1000 <= wire_sum(&r, 0));
		load_end(&l);
	}
}

/* It has its share then, and the others share the rest as they are to at any time. */
static void shares_and_pauses(void **state)
{
	static const int speeds[] = { PARQ_SPEED_10M, PARQ_SPEED_1G,
				      PARQ_SPEED_10G, PARQ_SPEED_400G };
	struct load l = { .port = 0, .prios = BIT(7) | BIT(6) | BIT(5) };
	static const u8 weight[8] = { [5] = 10, [6] = 30, [7] = 60 };
	bool offload = *state;
	struct watch w;
	struct rig r;
	u64 a, b;
	u32 i;

	for (i = 0; i < 12; i++) {
		l.sizes = &all_sizes[i % 3];
		load_begin(&l, &r, &config, speeds[i / 3], offload);
		rig_ets(&r, 0, ONE_TO_ONE, ETS, weights(weight));
		for (l.n = 2; !load_is_enough(&l); l.n++)
			;
		load_with_pauses(&l, &w, offload);
		assert_in_range(w.ps[7] * 1000 / (w.ps[7] + w.ps[6] + w.ps[5]),
				590, 610);
		a = wire_ps(&r, 0, 5);
		b = wire_ps(&r, 0, 6);
		assert_in_range(a * 1000 / (a + b), 240, 260);
		load_end(&l);
	}
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strict_is_strict),
		cmocka_unit_test(ets_shares),
		cmocka_unit_test(priorities_share_a_class),
		cmocka_unit_test_prestate(others_do_not_wait, &offload),
		cmocka_unit_test(others_do_not_wait),
		cmocka_unit_test(limit_is_exact),
		cmocka_unit_test(limit_leaves_the_rest),
		cmocka_unit_test(limit_is_of_a_class),
		cmocka_unit_test(limit_changes),
		cmocka_unit_test_prestate(limit_and_pauses, &offload),
		cmocka_unit_test(limit_and_pauses),
		cmocka_unit_test_prestate(parked_is_not_limited, &offload),
		cmocka_unit_test(parked_is_not_limited),
		cmocka_unit_test(strict_with_little),
		cmocka_unit_test(shares_with_little),
		cmocka_unit_test(high_frame_is_soon_sent),
		cmocka_unit_test(doorbell_is_heard_in_time),
		cmocka_unit_test(fetch_is_bounded),
		cmocka_unit_test(ports_of_all_speeds),
		cmocka_unit_test_prestate(strict_and_pauses, &offload),
		cmocka_unit_test(strict_and_pauses),
		cmocka_unit_test_prestate(shares_and_pauses, &offload),
		cmocka_unit_test(shares_and_pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
