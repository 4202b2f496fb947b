// SPDX-License-Identifier: GPL-2.0
/*
 * A frame arrives once, whole, in order, at its end plus the delay; or it was refused and
 * counted, or the cable was cut. A list of sent frames is the model. The buffer is small,
 * so that it wraps at every offset.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cable.h"
#include "parqsim.h"
#include "rnd.h"

#define DELAY		(100 * CABLE_PS_PER_M)
#define BUF_SIZE	1024
#define MAX_MODEL	256

struct sent {
	u64 at;
	u32 len;
	u8 first;
};

struct fixture {
	struct clock clock;
	struct cable cable;
	u8 *buf;
	struct sent sent[MAX_MODEL];
	u32 head;
	u32 tail;
	u8 count;
	bool cut;
	u32 reply;
};

static void fill(u8 *data, u32 len, u8 first)
{
	u32 i;

	for (i = 0; i < len; i++)
		data[i] = first + i * 7;
}

static bool send(struct fixture *f, u32 len, u64 end)
{
	u8 data[2 * BUF_SIZE];

	assert_true(len <= sizeof(data));
	fill(data, len, f->count);
	if (!cable_send(&f->cable, data, len, end))
		return false;
	f->sent[f->tail++ % MAX_MODEL] = (struct sent){
		.at = end + f->cable.delay, .len = len, .first = f->count++,
	};
	assert_true(f->tail - f->head <= MAX_MODEL);
	return true;
}

/* All frames that have not been delivered are counted once. */
static void cut(struct fixture *f)
{
	assert_int_equal(cable_cut(&f->cable), f->tail - f->head);
	assert_int_equal(cable_cut(&f->cable), 0);
	f->head = f->tail;
}

static void deliver(void *ctx, const u8 *data, u32 len)
{
	u8 expected[BUF_SIZE];
	struct fixture *f = ctx;
	struct sent *s = &f->sent[f->head % MAX_MODEL];

	assert_true(f->head != f->tail);
	f->head++;
	assert_int_equal(f->clock.now, s->at);
	assert_int_equal(len, s->len);
	if (f->reply) {
		u32 reply = f->reply;

		f->reply = 0;
		assert_true(send(f, reply, f->clock.now + 1000));
	}
	fill(expected, len, s->first);
	assert_memory_equal(data, expected, len);
	if (f->cut) {
		f->cut = false;
		cut(f);
	}
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->buf = malloc(BUF_SIZE);
	cable_init(&f->cable, &f->clock, DELAY, f->buf, BUF_SIZE, deliver, f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->buf);
	free(f);
	return 0;
}

static void arrives_after_the_delay(void **state)
{
	struct fixture *f = *state;

	assert_true(send(f, 60, 1000));
	assert_int_equal(clock_next(&f->clock), 1000 + DELAY);
	assert_false(clock_run(&f->clock, 1000 + DELAY - 1));
	assert_int_equal(f->head, 0);
	assert_true(clock_run(&f->clock, 1000 + DELAY));
	assert_int_equal(f->head, 1);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
}

static void many_are_under_way(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 8; i++)
		assert_true(send(f, 60 + i, 1000 + i / 2));
	clock_run(&f->clock, 1001 + DELAY);
	assert_int_equal(f->head, 4);
	clock_run(&f->clock, 2000 + DELAY);
	assert_int_equal(f->head, 8);
	assert_int_equal(f->cable.lost, 0);
}

static void without_length(void **state)
{
	struct fixture *f = *state;

	cable_init(&f->cable, &f->clock, 0, f->buf, BUF_SIZE, deliver, f);
	assert_true(send(f, 60, 1000));
	clock_run(&f->clock, 1000);
	assert_int_equal(f->head, 1);
}

/* Whatever the position at which the cable is empty. */
static void longest_frame_fits_when_empty(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 2 * BUF_SIZE / 16; i++) {
		u64 now = f->clock.now;

		assert_true(send(f, BUF_SIZE - 16, now + 1));
		assert_false(send(f, 0, now + 2));
		clock_run(&f->clock, now + 1 + DELAY);
		assert_true(send(f, 16 * (i % 5), f->clock.now + 1));
		clock_run(&f->clock, f->clock.now + 1 + DELAY);
		assert_int_equal(f->head, f->tail);
		assert_int_equal(f->cable.lost, i + 1);
	}
}

static void no_room_is_lost_and_counted(void **state)
{
	struct fixture *f = *state;

	assert_false(send(f, BUF_SIZE - 15, 1));
	assert_false(send(f, BUF_SIZE, 1));
	assert_false(send(f, BUF_SIZE + 1, 1));
	assert_false(cable_send(&f->cable, f->buf, ~0U, 1));
	assert_int_equal(f->cable.lost, 4);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
	assert_true(send(f, 496, 1));
	assert_true(send(f, 480, 2));
	assert_false(send(f, 1, 3));
	assert_true(send(f, 0, 3));
	assert_int_equal(f->cable.lost, 5);
	clock_run(&f->clock, 3 + DELAY);
	assert_int_equal(f->head, 3);
}

static void cut_loses_what_is_under_way(void **state)
{
	struct fixture *f = *state;

	assert_true(send(f, 60, 1000));
	assert_true(send(f, 60, 2000));
	cut(f);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
	assert_false(clock_run(&f->clock, 2000 + DELAY));
	cut(f);
	assert_true(send(f, 60, 2000 + DELAY));
	clock_run(&f->clock, 2000 + 2 * DELAY);
	assert_int_equal(f->head, 3);
	assert_int_equal(f->cable.lost, 0);
}

static void cut_during_delivery(void **state)
{
	struct fixture *f = *state;

	assert_true(send(f, 60, 1000));
	assert_true(send(f, 60, 1000));
	f->cut = true;
	clock_run(&f->clock, 1000 + DELAY);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
	assert_true(send(f, 60, 1000 + DELAY));
	clock_run(&f->clock, 1000 + 2 * DELAY);
	assert_int_equal(f->head, 3);
}

/* A reply must not overwrite what is being delivered. */
static void send_during_delivery(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 100; i++) {
		u64 now = f->clock.now;

		f->reply = 200 + i;
		assert_true(send(f, 3 * i, now + 1));
		clock_run(&f->clock, now + 1 + DELAY);
		assert_int_equal(f->tail - f->head, 1);
		clock_run(&f->clock, now + 1 + 2 * DELAY + 1000);
		assert_int_equal(f->tail, f->head);
	}
}

static void random_traffic(void **state)
{
	u32 seed = 0x9e3779b9, lost = 0, i;
	struct fixture *f = *state;
	u64 end = 0;

	for (i = 0; i < 200000; i++) {
		if (end < f->clock.now)
			end = f->clock.now;
		end += rnd(&seed, DELAY / 4);
		lost += !send(f, rnd(&seed, i % 256 ? 300 : BUF_SIZE), end);
		assert_int_equal(f->cable.lost, lost);
		if (rnd(&seed, 2))
			clock_run(&f->clock, end + rnd(&seed, 2 * DELAY));
		if (!rnd(&seed, 1000))
			cut(f);
	}
	clock_run(&f->clock, end + DELAY);
	assert_int_equal(f->head, f->tail);
	assert_true(lost > 1000 && f->tail > 50000);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(arrives_after_the_delay),
		TEST(many_are_under_way),
		TEST(without_length),
		TEST(longest_frame_fits_when_empty),
		TEST(no_room_is_lost_and_counted),
		TEST(cut_loses_what_is_under_way),
		TEST(cut_during_delivery),
		TEST(send_during_delivery),
		TEST(random_traffic),
	};

	return cmocka_run_group_tests_name("cable", tests, NULL, NULL);
}
