// SPDX-License-Identifier: GPL-2.0
/* Transmission selection (IEEE 802.1Qaz), alone and beside paused classes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "qman_ets.h"
#include "sched.h"

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

struct lengths {
	u64 bytes[2];
};

static void count_lengths(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct lengths *l = ctx;

	(void)port;
	(void)f;
	(void)end;
	l->bytes[len > 1000] += len + 24;
}

/* Frames of two queues, or of two priorities of a traffic class, that differ in length. */
static void lengths_do_not_matter(void **state)
{
	static const u32 other[] = { RIG_QUEUES / 2, 1 };
	struct lengths l;
	struct rig r;
	u64 end;
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		rig_init(&r, &config, PARQ_SPEED_10G, true);
		l = (struct lengths){ { 0 } };
		r.wire = count_lengths;
		r.wire_ctx = &l;
		assert_int_equal(other[0] % 8, 0);
		end = rig_now(&r) + 2000 * RIG_US;
		while (rig_now(&r) < end) {
			while (rig_room(&r, 0, 0) >= 4)
				rig_post(&r, 0, 0, 1500);
			while (rig_room(&r, 0, other[i]) >= 4)
				rig_post(&r, 0, other[i], 100);
			rig_run(&r, RIG_US);
		}
		assert_in_range(l.bytes[0] * 100 / (l.bytes[0] + l.bytes[1]), 48, 52);
		rig_drain(&r);
		rig_fini(&r);
	}
}

/* Overdrawn by a frame at most, and nothing saved up. */
static void fair_picks(void **state)
{
	s32 allowance[64] = { 0 };
	u32 sent[2] = { 0 }, last = 0, i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		last = qman_fair_pick(BIT_ULL(63), last, allowance);
		assert_int_equal(last, 63);
		allowance[last] -= 9000;
	}
	for (i = 0; i < 1000; i++) {
		last = qman_fair_pick(BIT_ULL(63) | BIT_ULL(1), last, allowance);
		allowance[last] -= last == 63 ? 9000 : 84;
		sent[last == 63] += last == 63 ? 9000 : 84;
		assert_true(allowance[last] >= -9000 && allowance[last] <= 512);
	}
	assert_in_range(sent[0], sent[1] - 9600, sent[1] + 9600);
	/* Up to the last byte. */
	allowance[1] = 1;
	assert_int_equal(qman_fair_pick(BIT_ULL(63) | BIT_ULL(1), 1, allowance), 1);
	assert_int_equal(allowance[1], 1);
	allowance[1] = 0;
	allowance[63] = -511;
	assert_int_equal(qman_fair_pick(BIT_ULL(63) | BIT_ULL(1), 1, allowance), 63);
	allowance[63] = -512;
	assert_int_equal(qman_fair_pick(BIT_ULL(63) | BIT_ULL(1), 1, allowance), 1);
	/* What is left from an earlier round is not saved. */
	allowance[1] = 0;
	allowance[63] = 1;
	assert_int_equal(qman_fair_pick(BIT_ULL(63) | BIT_ULL(1), 1, allowance), 63);
	assert_int_equal(allowance[63], 512);
}

/* A class that was served alone has no debt, and one that was idle has saved up nothing. */
static void service_alone_does_not_count(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		rig_init(&r, &config, PARQ_SPEED_10G, true);
		rig_ets(&r, 0, 0x00000010, ETS, 0x0101010101013232ULL);
		saturate(&r, BIT(i), 1000, 2 * MS);
		saturate(&r, BIT(0) | BIT(1), 1000, 500 * RIG_US);
		assert_in_range(r.port[0].cls[0].bytes * 100 / total(&r), 40, 60);
		rig_drain(&r);
		rig_fini(&r);
	}
}

/*
 * What was parked has not been sent, so a class does not pay for it. Its weight is small: what it
 * would owe after a short pause is more than what the other one sends in the meantime.
 */
static void parked_is_not_charged(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &deep, PARQ_SPEED_10G, true);
	rig_pfc(&r, 0, BIT(0), true);
	rig_ets(&r, 0, 0x00000010, ETS, 0x0101010101015a0aULL);
	saturate(&r, BIT(0) | BIT(1), 1000, 50 * RIG_US);
	for (i = 0; i < 8; i++)
		r.port[0].cls[i].bytes = 0;
	for (i = 0; i < 2000; i++) {
		refill(&r, BIT(0) | BIT(1), 1000);
		if (i % 10 < 2)
			rig_pause(&r, 0, BIT(0), i % 10 ? 0 : 0xffff);
		rig_run(&r, 5 * RIG_US);
	}
	assert_in_range(r.port[0].cls[0].bytes * 1000 / total(&r), 30, 100);
	rig_drain(&r);
	rig_fini(&r);
}

/* A reset ends limits, and what a class has received before. */
static void reset_begins_again(void **state)
{
	struct rig r;
	u32 tc;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, 0x00000010, ETS, 0x0101010101013232ULL);
	saturate(&r, BIT(0), 1000, 2 * MS);
	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		rig_maxrate(&r, 0, tc, 1000);
	saturate(&r, BIT(0), 1000, 200 * RIG_US);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_run(&r, 10 * RIG_US);
	rig_start(&r, PARQ_SPEED_10G, true);
	/* One traffic class, whose priorities share. */
	saturate(&r, BIT(0) | BIT(1) | BIT(2), 1000, 500 * RIG_US);
	assert_true(total(&r) > 500 * 10000 / 8 * 95 / 100);
	assert_in_range(r.port[0].cls[1].bytes * 100 / total(&r), 30, 36);
	rig_ets(&r, 0, 0x00000010, ETS, 0x0101010101013232ULL);
	saturate(&r, BIT(0) | BIT(1), 1000, 500 * RIG_US);
	assert_in_range(r.port[0].cls[0].bytes * 100 / total(&r), 40, 60);
	rig_drain(&r);
	rig_fini(&r);
}

/* Queues of the first frames on the wire. */
struct order {
	u8 queue[16];
	u32 n;
};

static void note_queue(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct order *o = ctx;
	u32 queue, seq;

	(void)port;
	(void)len;
	(void)end;
	rig_tag(f, &queue, &seq);
	if (o->n < sizeof(o->queue))
		o->queue[o->n++] = queue;
}

static void note_order(struct rig *r, struct order *o)
{
	r->wire = note_queue;
	r->wire_ctx = o;
	saturate(r, 0xff, 100, 50 * RIG_US);
	rig_drain(r);
}

/* A reset in the clock of a fetch does not make the next one wait for another clock. */
static void reset_in_the_clock_of_a_fetch(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_run(&r, RIG_US);
	rig_post(&r, 0, 0, 100);
	rig_run(&r, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(0) + PARQ_TXQ_FETCH), 1);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_10G, true);
	rig_post(&r, 0, 0, 100);
	rig_run(&r, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(0) + PARQ_TXQ_FETCH), 1);
	rig_run(&r, (config.depth - 1) * RIG_NS);
	assert_int_equal(r.port[0].cls[0].sent, 0);
	rig_run(&r, RIG_NS);
	assert_int_equal(r.port[0].cls[0].sent, 1);
	rig_fini(&r);
}

/* What was sent before a reset has no influence on the order behind it. */
static void reset_begins_turns_again(void **state)
{
	struct order first = { .n = 0 }, behind = { .n = 0 };
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	note_order(&r, &first);
	r.wire = NULL;
	saturate(&r, BIT(4), 100, 50 * RIG_US);
	rig_drain(&r);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_10G, true);
	note_order(&r, &behind);
	assert_int_equal(first.n, sizeof(first.queue));
	assert_memory_equal(&first, &behind, sizeof(first));
	rig_fini(&r);
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

/* A strict class with a weight runs up no debt for the time when it becomes an ETS class. */
static void strict_owes_nothing(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_ets(&r, 0, 0x00000010, 0x22222202, 0x0101010101013232ULL);
	saturate(&r, BIT(1), 1000, 2 * MS);
	rig_ets(&r, 0, 0x00000010, ETS, 0x0101010101013232ULL);
	saturate(&r, BIT(0) | BIT(1), 1000, 500 * RIG_US);
	assert_in_range(r.port[0].cls[1].bytes * 100 / total(&r), 40, 60);
	rig_drain(&r);
	rig_fini(&r);
}

/* More than the longest frame, so that virtual time wraps in few steps. */
#define LONG_BYTES	BIT(31)
/* At a weight of 1 virtual time wraps after about so many of them. */
#define LONG_WRAP	1350000

static const struct qman_ets two_classes = {
	.prio_tc = { 0, 1 },
	.tsa = { PARQ_TSA_ETS, PARQ_TSA_ETS },
	.bw = { 1, 1 },
};

/* Serves @n times. Return: how many times more class 0 than class 1 was served, at most. */
static u32 serve(struct qman_port *p, u8 ready, u32 n, u32 bytes)
{
	int lead = 0, most = 0;
	u32 prio;

	while (n--) {
		prio = qman_ets_pick(p, ready);
		qman_ets_charge(p, prio, bytes);
		lead += prio ? -1 : 1;
		most = abs(lead) > most ? abs(lead) : most;
	}
	return most;
}

/* Equal classes take turns, also while virtual time wraps. */
static void turns_through_a_wrap(void **state)
{
	struct qman_port p = { .ets = two_classes };

	(void)state;
	assert_in_range(serve(&p, 3, 5 * LONG_WRAP, LONG_BYTES), 0, 1);
}

/* A class that was idle for hours has neither credit nor debt. */
static void idle_for_hours(void **state)
{
	struct qman_port p = { .ets = two_classes };
	u32 eighth;

	(void)state;
	for (eighth = 1; eighth <= 10; eighth++) {
		serve(&p, 1, LONG_WRAP / 8 * eighth, LONG_BYTES);
		serve(&p, 1, 1, 1000);
		assert_in_range(serve(&p, 3, 100, 1000), 0, 2);
	}
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strict_is_strict),
		cmocka_unit_test(ets_shares),
		cmocka_unit_test(priorities_share_a_class),
		cmocka_unit_test(lengths_do_not_matter),
		cmocka_unit_test(fair_picks),
		cmocka_unit_test_prestate(others_do_not_wait, &offload),
		cmocka_unit_test(others_do_not_wait),
		cmocka_unit_test(strict_owes_nothing),
		cmocka_unit_test(turns_through_a_wrap),
		cmocka_unit_test(idle_for_hours),
		cmocka_unit_test(service_alone_does_not_count),
		cmocka_unit_test(parked_is_not_charged),
		cmocka_unit_test(reset_begins_again),
		cmocka_unit_test(reset_in_the_clock_of_a_fetch),
		cmocka_unit_test(reset_begins_turns_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
