// SPDX-License-Identifier: GPL-2.0
/*
 * The NIC fetches just in time: transmission selection with a typical host, which posts few
 * frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "sched.h"

/*
 * A typical host: one queue per class. The number of incomplete frames is limited as by a
 * driver's byte queue limits. It posts the next frame when one completes.
 */

#define SIZES		5
#define SHORT		60
#define LONG		(PARQ_MAX_FRAME_MAX - 4)
#define MARKS		128

/* Frame sizes: fixed, random, or different for each class. */
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
 * struct load - frames that the host posts at a port
 * @r: the rig
 * @port: the port
 * @prios: priorities that send
 * @n: incomplete frames allowed for each of them
 * @sizes: sizes of the frames
 * @seed: seed of random sizes
 * @mark: tails behind the frames posted last
 * @posted: frames posted so far
 * @done: frames complete
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

/* Advances to the next event, which the host notices at once. */
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

/* Time through the pipeline. */
static u64 lead_ps(const struct rig *r)
{
	return (u64)r->cfg.clk_ps * (r->cfg.depth + r->cfg.ports + 2);
}

/* A class never runs dry: the posted frames last longer than the lead. */
static bool load_is_enough(const struct load *l)
{
	return (l->n - 1) * frame_ps(l->r, l->port, l->sizes->min) > lead_ps(l->r);
}

/* Time that a class has used on the wire. */
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

/* Measures for the time of @frames of mean length; the link must be full. */
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

/*
 * One of two classes, or of eight, has the whole link. Every third case still has each number,
 * length and speed.
 */
static void strict_with_few_posted(void **state)
{
	struct load l = { .port = 0 };
	u32 speed, size, i, tests = 0;
	struct rig r;

	(void)state;
	for (i = 0; i < LITTLE * SIZES * PARQ_NUM_SPEEDS; i += 3) {
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
	assert_true(tests > LITTLE * SIZES * PARQ_NUM_SPEEDS / 6);
}

static u64 weights(const u8 *w)
{
	u64 bw = 0;
	u32 tc;

	for (tc = 0; tc < 8; tc++)
		bw |= (u64)(w[tc] ? w[tc] : 1) << (8 * tc);
	return bw;
}

/* Shares are exact to a percent, with the fewest frames that keep a class from running dry. */
static void shares_with_few_posted(void **state)
{
	static const u8 w[][8] = {
		{ 50, 50 }, { 23, 77 }, { 5, 90, 5 }, { 10, 20, 30, 40 },
		{ 1, 2, 3, 4, 10, 20, 25, 35 },
	};
	struct load l = { .port = 0 };
	u32 i, tc;
	struct rig r;

	(void)state;
	for (i = 0; i < sizeof(w) / sizeof(w[0]) * SIZES * PARQ_NUM_SPEEDS; i += 7) {
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

/* Even if the host advances time in leaps, a decision knows the last doorbell. */
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

/* The frames that a pause finds between QMAN and wire last just for the lead. */
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

/*
 * A fast link fills the pipeline. The pause that parks its frames ends with the link, and on the
 * slow link that follows they are flushed from now on.
 */
static void begin_flush(struct load *l, struct rig *r, bool offload)
{
	u32 i;

	*l = (struct load){ .prios = BIT(3), .n = 60, .sizes = &all_sizes[0] };
	load_begin(l, r, &config, PARQ_SPEED_400G, offload);
	rig_ets(r, 0, ONE_TO_ONE, STRICT, 0);
	rig_pfc(r, 0, 0xff, offload);
	load_run(l, 10 * lead_ps(r));
	rig_pause(r, 0, BIT(3), 0xffff);
	for (i = 0; i < 20; i++)
		rig_run(r, lead_ps(r));
	assert_true(le64_to_cpu(rig_stats(r, 0)->prio[3].park_depth) > 10);
	rig_write(r, 0, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
		  FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10M));
	r->port[0].byte_ps = parqsim_byte_ps(PARQ_SPEED_10M);
	r->port[0].cls[3].pause_until = 0;
}

/* Parked frames are fetched just in time, too: the highest class waits for one frame at most. */
static void flush_is_just_in_time(void **state)
{
	struct load l;
	struct rig r;
	u64 sent;
	u32 i;

	begin_flush(&l, &r, *state);
	sent = r.port[0].cls[3].sent;
	for (i = 0; i < 40; i++) {
		if (i == 20)
			rig_post(&r, 0, 7, SHORT);
		rig_run(&r, frame_ps(&r, 0, SHORT) / 10);
	}
	assert_int_equal(r.port[0].cls[7].sent, 1);
	assert_in_range(r.port[0].cls[3].sent - sent, 2, 4);
	load_end(&l);
}

/*
 * Frames that will be turned back delay no fetch: those that a pause meets before the gate, and
 * the rest of a pass that has met one, even if the pause is over.
 */
static void held_frames_are_not_ahead(void **state)
{
	struct load l;
	struct rig r;
	u32 at, over;
	u64 now;

	(void)state;
	for (at = 1; at < 20; at++)
		for (over = 0; over < 2; over++) {
			begin_flush(&l, &r, true);
			rig_run(&r, at * RIG_NS);
			rig_pause(&r, 0, BIT(3), 0xffff);
			if (over) {
				/* The first frame of the pass is back, others are under way. */
				rig_run(&r, lead_ps(&r) + 6 * RIG_NS - at * RIG_NS);
				assert_true(rig_levels(&r, 0, 3) & PARQ_LEVELS_REPAUSED);
				rig_pause(&r, 0, BIT(3), 0);
			}
			now = rig_now(&r);
			rig_post(&r, 0, 7, SHORT);
			rig_run(&r, 2 * lead_ps(&r));
			assert_int_equal(r.port[0].cls[7].sent, 1);
			assert_in_range(r.port[0].cls[7].last_sent, now, now + lead_ps(&r));
			rig_pause(&r, 0, BIT(3), 0);
			load_end(&l);
		}
}

/* A malformed frame will not be sent: the next one is fetched a clock later. */
static void dropped_frames_are_not_ahead(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10M, true);
	rig_tx_desc(&r, 0, 3, rig_tx_buf(&r, 0, 3), 13 | PARQ_TX_EOP);
	rig_post(&r, 0, 3, SHORT);
	rig_run(&r, 3 * RIG_NS);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(3) + PARQ_TXQ_FETCH), r.port[0].txq[3].tail);
	rig_drain(&r);
	rig_fini(&r);
}

/* The next frame is fetched while those under way last for the lead, not if they last longer. */
static void fetch_at_the_last_moment(void **state)
{
	u32 lead = config.clk_ps * (config.depth + config.ports + 1), more, len;
	struct rig r;

	(void)state;
	for (more = 0; more < 2; more++) {
		rig_init(&r, &config, PARQ_SPEED_400G, true);
		rig_write(&r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
		len = lead / r.port[0].byte_ps - 24 + more;
		assert_int_equal(frame_ps(&r, 0, len - more), lead);
		rig_post(&r, 0, 3, len);
		len = r.port[0].txq[3].tail;
		rig_post(&r, 0, 3, SHORT);
		rig_run(&r, 3 * RIG_NS);
		assert_int_equal(rig_read(&r, 0, PARQ_TXQ(3) + PARQ_TXQ_FETCH),
				 more ? len : r.port[0].txq[3].tail);
		rig_drain(&r);
		rig_fini(&r);
	}
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
		/* The other port sends all its frames, or all the time. */
		sent = r.port[port].cls[5].sent;
		assert_true(sent == BIT(RIG_LOG2) / 2 ||
			    (sent + 2) * frame_ps(&r, port, 1442) > ps);
		assert_true(!r.port[port].cls[2].sent || sent == BIT(RIG_LOG2) / 2);
		load_end(&l);
	}
}

/**
 * struct watch - use of the wire while the class that pauses could send
 * @r: the rig
 * @prio: that class
 * @slack: time that it needs to resume after a pause
 * @ps: time on the wire, by priority
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

/* Class 7 pauses and resumes while three classes send; measures the time that they take. */
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

/* While it is not paused the highest class has the whole link. */
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

/* While it is not paused the class has its share, and the others always share the rest. */
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
		cmocka_unit_test(strict_with_few_posted),
		cmocka_unit_test(shares_with_few_posted),
		cmocka_unit_test(high_frame_is_soon_sent),
		cmocka_unit_test(doorbell_is_heard_in_time),
		cmocka_unit_test(fetch_is_bounded),
		cmocka_unit_test(ports_of_all_speeds),
		cmocka_unit_test_prestate(strict_and_pauses, &offload),
		cmocka_unit_test(strict_and_pauses),
		cmocka_unit_test_prestate(shares_and_pauses, &offload),
		cmocka_unit_test(shares_and_pauses),
		cmocka_unit_test_prestate(flush_is_just_in_time, &offload),
		cmocka_unit_test(flush_is_just_in_time),
		cmocka_unit_test(held_frames_are_not_ahead),
		cmocka_unit_test(dropped_frames_are_not_ahead),
		cmocka_unit_test(fetch_at_the_last_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
