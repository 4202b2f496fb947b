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
#define HEADER		16	/* of a frame in the buffer */

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

/* Every second frame is built on the cable, where it may be longer than it becomes. */
static u8 *place_for(struct fixture *f, u32 len, u8 *data)
{
	u32 most = len + f->count % 50;
	u8 *place = f->count % 2 ? cable_buffer(&f->cable, most) : NULL;

	if (!place)
		return data;
	memset(place, 0xee, most);
	return place;
}

static bool send(struct fixture *f, u32 len, u64 end)
{
	u8 own[2 * BUF_SIZE], *data;

	assert_true(len <= sizeof(own));
	data = place_for(f, len, own);
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

static void deliver_in_place(void *ctx, const u8 *data, u32 len)
{
	const u8 **at = ctx;

	assert_int_equal(len, 100);
	*at = data;
}

/* A frame that is built on the cable stays where it is; all of it must fit behind the last one. */
static void built_on_the_cable(void **state)
{
	struct fixture *f = *state;
	struct cable *c = &f->cable;
	const u8 *at = NULL;
	u8 *place;

	c->deliver = deliver_in_place;
	c->ctx = &at;
	assert_null(cable_buffer(c, BUF_SIZE - HEADER + 1));
	place = cable_buffer(c, BUF_SIZE - HEADER);
	assert_ptr_equal(place, cable_buffer(c, 60));
	/* Nothing is on the cable yet. */
	assert_int_equal(cable_first(c), 0);
	memset(place, 1, BUF_SIZE - HEADER);
	assert_true(cable_send(c, place, 100, 1000));
	clock_run(&f->clock, 1000 + DELAY - 1);
	assert_null(at);
	assert_null(cable_buffer(c, BUF_SIZE - HEADER));
	place = cable_buffer(c, BUF_SIZE - 2 * HEADER - 112);
	assert_ptr_equal(place, f->buf + 2 * HEADER + 112);
	assert_null(cable_buffer(c, BUF_SIZE - 2 * HEADER - 111));
	clock_run(&f->clock, 1000 + DELAY);
	assert_ptr_equal(at, f->buf + HEADER);
	/* The cable is empty, but the next frame begins behind the last one. */
	assert_null(cable_buffer(c, BUF_SIZE - 2 * HEADER - 111));
	assert_true(cable_send(c, place, 100, 2000));
	clock_run(&f->clock, 2000 + DELAY);
	assert_ptr_equal(at, place);
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

/* The receiver is younger than the frames that a late sender still has. */
static void sent_before_the_receiver(void **state)
{
	struct fixture *f = *state;

	f->cable.delay = -5000;
	assert_true(send(f, 60, 4000));
	assert_true(send(f, 60, 4999));
	assert_true(send(f, 60, 5001));
	f->sent[0].at = 0;
	f->sent[1].at = 0;
	clock_run(&f->clock, 0);
	assert_int_equal(f->head, 2);
	clock_run(&f->clock, 1);
	assert_int_equal(f->head, 3);
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

/* ---- trains ------------------------------------------------------------- */

#define SEG		100
#define TIME		1000	/* of a segment, and of the gap behind it */
#define TRAIN_BUF	4096

static const u8 frame60[60];

/**
 * struct track - a cable with trains
 * @clock: its clock
 * @cable: the cable
 * @buf: its memory
 * @t: the train that is sent
 * @at: when each segment has arrived
 * @n: number of segments that have arrived
 * @ended: when it was known that no other follows, 0: it is not
 * @frames: number of frames that have arrived
 */
struct track {
	struct clock clock;
	struct cable cable;
	u8 buf[TRAIN_BUF] __attribute__((aligned(8)));
	struct train *t;
	u64 at[16];
	u32 n;
	u64 ended;
	u32 frames;
};

static void track_frame(void *ctx, const u8 *data, u32 len)
{
	struct track *k = ctx;

	(void)data;
	(void)len;
	k->frames++;
}

static void track_train(void *ctx, const struct train *t, u32 i, bool end)
{
	struct track *k = ctx;

	assert_int_equal(i, k->n);
	if (i < t->n)
		k->at[k->n++] = k->clock.now;
	if (end)
		k->ended = k->clock.now;
}

static void track_init(struct track *k, u64 delay)
{
	memset(k, 0, sizeof(*k));
	cable_init(&k->cable, &k->clock, delay, k->buf, TRAIN_BUF, track_frame, k);
	k->cable.train = track_train;
}

/* A segment starts now. */
static void add(struct track *k, u32 len)
{
	memset(k->t->payload + k->t->len, k->t->n, len);
	k->t->len += len;
	k->t->n++;
	cable_segment(&k->cable, k->clock.now + TIME * len / SEG);
}

static void segments_arrive_one_by_one(void **state)
{
	static const u64 delays[] = { 0, 500, 2500, 100000 };
	struct track k;
	u32 d, i;

	(void)state;
	for (d = 0; d < 4; d++) {
		track_init(&k, delays[d]);
		k.t = cable_train(&k.cable, 3 * SEG + 10);
		assert_non_null(k.t);
		assert_true(k.t->room >= 3 * SEG + 10);
		for (i = 0; i < 4; i++) {
			add(&k, i < 3 ? SEG : 10);
			clock_run(&k.clock, k.clock.now + 2 * TIME);
		}
		cable_train_end(&k.cable, k.clock.now);
		clock_run(&k.clock, k.clock.now + 200000);
		assert_int_equal(k.n, 4);
		for (i = 0; i < 3; i++)
			assert_int_equal(k.at[i], 2 * TIME * i + TIME + delays[d]);
		assert_int_equal(k.at[3], 2 * TIME * 3 + TIME / 10 + delays[d]);
		/* On a short cable all had arrived before the end was known. */
		assert_int_equal(k.ended, k.at[3] < 8 * TIME ? 8 * TIME + delays[d] : k.at[3]);
		assert_true(k.cable.head == k.cable.tail);
		assert_false(timer_is_set(&k.cable.timer));
	}
}

static void frames_follow_a_train(void **state)
{
	u32 round, i, n, short_of_room = 0;
	struct track k;

	(void)state;
	track_init(&k, 700);
	for (round = 0; round < 500; round++) {
		k.n = 0;
		k.t = cable_train(&k.cable, 5 * SEG);
		assert_non_null(k.t);
		n = 1 + round * 7 / 3 % 5;
		if (k.t->room < n * SEG) {
			n = k.t->room / SEG;
			short_of_room++;
		}
		for (i = 0; i < n; i++) {
			add(&k, SEG);
			clock_run(&k.clock, k.clock.now + 2 * TIME);
		}
		cable_train_end(&k.cable, k.clock.now);
		assert_true(cable_send(&k.cable, frame60, round % 60, k.clock.now + TIME));
		clock_run(&k.clock, k.clock.now + 3 * TIME);
		assert_int_equal(k.n, n);
		assert_int_equal(k.frames, round + 1);
		assert_true(k.ended);
	}
	/* A train does not wrap: it is shorter before the end of the buffer. */
	assert_in_range(short_of_room, 1, 499);
}

/* Those that have arrived do not count, and nothing arrives afterwards. */
static void cut_in_a_train(void **state)
{
	struct track k;
	u32 i;

	(void)state;
	track_init(&k, 3 * TIME);
	k.t = cable_train(&k.cable, 6 * SEG);
	for (i = 0; i < 5; i++) {
		add(&k, SEG);
		clock_run(&k.clock, k.clock.now + 2 * TIME);
	}
	assert_int_equal(k.n, 4);
	assert_int_equal(cable_cut(&k.cable), 1);
	cable_train_end(&k.cable, k.clock.now);
	clock_run(&k.clock, 100 * TIME);
	assert_int_equal(k.n, 4);
	assert_int_equal(k.ended, 0);
}

static u32 all_join(void *ctx, const struct train *t, u32 i, u32 n)
{
	(void)ctx;
	(void)t;
	(void)i;
	return n;
}

/* The receiver's clock is ahead: what is sent arrives at once, and not at its own time. */
static void late_sender_has_no_batch(void **state)
{
	struct track k;
	u32 i;

	(void)state;
	track_init(&k, 0);
	k.cable.joins = all_join;
	k.t = cable_train(&k.cable, 10 * SEG);
	for (i = 0; i < 2; i++) {
		clock_run(&k.clock, 2 * TIME * i);
		add(&k, SEG);
	}
	assert_int_equal(cable_batch(&k.cable, 4, 2 * TIME, k.clock.now), 4);
	cable_segments(&k.cable, 0, 2 * TIME, k.clock.now);
	clock_run(&k.clock, 3 * TIME);
	k.clock.now = 6 * TIME;
	assert_int_equal(cable_batch(&k.cable, 4, 2 * TIME, 2 * TIME), 0);
	assert_int_equal(k.n, 2);
}

/* Half of the buffer is left to frames. A train without segments takes no room. */
static void trains_leave_room(void **state)
{
	struct track k;
	u32 i;

	(void)state;
	track_init(&k, 1000 * TIME);
	for (i = 0; i < 100; i++)
		assert_non_null(cable_train(&k.cable, SEG));
	cable_train_end(&k.cable, 0);
	assert_true(k.cable.head == k.cable.tail);
	for (i = 0; k.cable.tail - k.cable.head <= TRAIN_BUF / 2; i++)
		assert_true(cable_send(&k.cable, frame60, 60, i));
	assert_null(cable_train(&k.cable, SEG));
	k.cable.train = NULL;
	cable_cut(&k.cable);
	assert_null(cable_train(&k.cable, SEG));
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(arrives_after_the_delay),
		TEST(sent_before_the_receiver),
		TEST(many_are_under_way),
		TEST(without_length),
		TEST(longest_frame_fits_when_empty),
		TEST(no_room_is_lost_and_counted),
		TEST(cut_loses_what_is_under_way),
		TEST(cut_during_delivery),
		TEST(send_during_delivery),
		TEST(random_traffic),
		TEST(built_on_the_cable),
		cmocka_unit_test(segments_arrive_one_by_one),
		cmocka_unit_test(frames_follow_a_train),
		cmocka_unit_test(cut_in_a_train),
		cmocka_unit_test(late_sender_has_no_batch),
		cmocka_unit_test(trains_leave_room),
	};

	return cmocka_run_group_tests_name("cable", tests, NULL, NULL);
}
