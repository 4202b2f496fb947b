// SPDX-License-Identifier: GPL-2.0
/* Rate limits of traffic classes and of ports, alone and beside paused classes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "sched.h"

/* saturate(), measured after the start has settled. */
static void steady(struct rig *r, u8 prios, u32 len, u64 ps)
{
	saturate(r, prios, len, MS);
	saturate(r, prios, len, ps);
}

/* Rate of a priority on the wire since saturate() began, kbit/s. */
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

/* For a class that has the whole link, and for one below all others. */
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

/* A class at its limit is skipped, and others get the rest of the link. */
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

	/* A third each, except the limited one. */
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

/* Priorities of a traffic class share one limit. */
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

/* A new limit is in force at once, even if the old one would have waited for seconds. */
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

/* Frames count once, even if they are turned back several times. */
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

/* A class that has saved up its burst parks it, and sends all of it at once. */
static void parked_is_not_limited(void **state)
{
	bool offload = *state;
	u32 parked, i;
	struct rig r;

	rig_init(&r, &deep, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	rig_maxrate(&r, 0, 0, 1000);
	/* The burst takes this long to save up. */
	for (i = 0; i < PARQ_ETS_BURST * 8 / 1000; i++)
		rig_run(&r, MS);
	/* The pause begins while the frames are on their way to the gate. */
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

/* All classes share the limit of a port as they share a link of that speed. */
static void limit_of_a_port(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	assert_true(parqsim_read(r.sim, PARQ_CAP) & PARQ_CAP_PORT_RATE);
	rig_ets(&r, 0, ONE_TO_ONE, STRICT, 0);
	rig_port_rate(&r, 0, 4000000);
	steady(&r, BIT(1) | BIT(6), 1000, 10 * MS);
	assert_rate(&r, 6, 1000, 10 * MS, 4000000);
	assert_int_equal(kbit(&r, 1, 1000, 10 * MS), 0);

	/* The limit of a class is within that of the port. */
	rig_maxrate(&r, 0, 6, 1000000);
	steady(&r, BIT(1) | BIT(6), 1000, 10 * MS);
	assert_rate(&r, 6, 1000, 10 * MS, 1000000);
	assert_rate(&r, 1, 1000, 10 * MS, 3000000);
	rig_maxrate(&r, 0, 6, 5000000);
	steady(&r, BIT(6), 1000, 10 * MS);
	assert_rate(&r, 6, 1000, 10 * MS, 4000000);

	rig_ets(&r, 0, ONE_TO_ONE, ETS, EQUAL);
	steady(&r, BIT(4) | BIT(5), 1000, 10 * MS);
	assert_rate(&r, 5, 1000, 10 * MS, 2000000);
	assert_rate(&r, 4, 1000, 10 * MS, 2000000);
	rig_port_rate(&r, 0, 0);
	steady(&r, BIT(4) | BIT(5), 1000, 10 * MS);
	assert_rate(&r, 5, 1000, 10 * MS, 5000000);
	rig_drain(&r);
	rig_fini(&r);
}

/* Frames count once, and a paused class leaves the whole limit to others. */
static void limit_of_a_port_and_pauses(void **state)
{
	bool offload = *state;
	u32 seed = 77, prio;
	struct rig r;
	u64 end, sum = 0, parked = 0;

	rig_init(&r, &deep, PARQ_SPEED_10G, offload);
	rig_ets(&r, 0, ONE_TO_ONE, ETS, EQUAL);
	rig_pfc(&r, 0, 0xff, offload);
	rig_port_rate(&r, 0, 9000000);
	saturate(&r, 0xff, 1000, MS);
	saturate(&r, 0xff, 1000, 0);
	end = rig_now(&r) + 20 * MS;
	while (rig_now(&r) < end) {
		refill(&r, 0xff, 1000);
		if (!rnd(&seed, 20))
			flap(&r, &seed, 0x0f);
		rig_run(&r, 5 * RIG_US);
	}
	for (prio = 0; prio < 8; prio++) {
		sum += kbit(&r, prio, 1000, 20 * MS);
		parked += le64_to_cpu(rig_stats(&r, 0)->prio[prio].parked);
	}
	assert_true(parked);
	assert_in_range(sum, 8910000, 9090000);
	rig_pfc(&r, 0, 0, offload);
	rig_drain(&r);
	rig_fini(&r);
}

/* A reset ends it. */
static void limit_of_a_port_ends(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_port_rate(&r, 0, 1);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_10G, true);
	steady(&r, BIT(2), 1000, 10 * MS);
	assert_rate(&r, 2, 1000, 10 * MS, 10000000);
	rig_drain(&r);
	rig_fini(&r);
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limit_is_exact),
		cmocka_unit_test(limit_leaves_the_rest),
		cmocka_unit_test(limit_is_of_a_class),
		cmocka_unit_test(limit_changes),
		cmocka_unit_test_prestate(limit_and_pauses, &offload),
		cmocka_unit_test(limit_and_pauses),
		cmocka_unit_test_prestate(parked_is_not_limited, &offload),
		cmocka_unit_test(parked_is_not_limited),
		cmocka_unit_test(limit_of_a_port),
		cmocka_unit_test_prestate(limit_of_a_port_and_pauses, &offload),
		cmocka_unit_test(limit_of_a_port_and_pauses),
		cmocka_unit_test(limit_of_a_port_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
