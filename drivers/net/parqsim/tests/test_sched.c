// SPDX-License-Identifier: GPL-2.0
/* Transmission selection (IEEE 802.1Qaz), alone and beside paused classes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>

#include "rig.h"
#include "rnd.h"

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
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

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
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

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
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

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
