// SPDX-License-Identifier: GPL-2.0
/*
 * The clock fires what is due, by deadline and then in the order of setting,
 * and never anything else. Small schedules are checked by hand; long random
 * ones against a model that searches all timers for the next one.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "clock.h"
#include "parqsim.h"
#include "rnd.h"

#define MAX_LOG		64

struct probe {
	struct timer timer;
	struct clock *clock;
	struct fixture *fix;
	struct probe *also_set;
	struct probe *also_cancel;
	u64 also_at;
	u32 id;
};

struct fixture {
	struct clock clock;
	struct probe probe[8];
	u32 n;
	u32 id[MAX_LOG];
	u64 at[MAX_LOG];
};

static void fire(void *ctx)
{
	struct probe *p = ctx;
	struct fixture *f = p->fix;

	assert_false(timer_is_set(&p->timer));
	assert_true(f->n < MAX_LOG);
	f->id[f->n] = p->id;
	f->at[f->n++] = f->clock.now;
	if (p->also_set)
		timer_set(&f->clock, &p->also_set->timer, p->also_at);
	if (p->also_cancel)
		timer_cancel(&f->clock, &p->also_cancel->timer);
}

static int setup(void **state)
{
	static struct fixture f;
	u32 i;

	memset(&f, 0, sizeof(f));
	for (i = 0; i < 8; i++) {
		f.probe[i].fix = &f;
		f.probe[i].id = i;
		timer_init(&f.probe[i].timer, fire, &f.probe[i]);
	}
	*state = &f;
	return 0;
}

static void set(struct fixture *f, u32 i, u64 at)
{
	timer_set(&f->clock, &f->probe[i].timer, at);
}

static void expect(const struct fixture *f, u32 i, u32 id, u64 at)
{
	assert_true(i < f->n);
	assert_int_equal(f->id[i], id);
	assert_int_equal(f->at[i], at);
}

static void nothing_set(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
	assert_false(clock_run(&f->clock, 1000));
	assert_int_equal(f->clock.now, 1000);
	timer_cancel(&f->clock, &f->probe[0].timer);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
}

static void fires_in_order(void **state)
{
	struct fixture *f = *state;

	set(f, 0, 30);
	set(f, 1, 10);
	set(f, 2, 20);
	assert_int_equal(clock_next(&f->clock), 10);
	assert_false(clock_run(&f->clock, 9));
	assert_true(clock_run(&f->clock, 10));
	assert_int_equal(f->n, 1);
	expect(f, 0, 1, 10);
	assert_true(clock_run(&f->clock, 100));
	assert_int_equal(f->n, 3);
	expect(f, 1, 2, 20);
	expect(f, 2, 0, 30);
	assert_int_equal(f->clock.now, 100);
	assert_int_equal(clock_next(&f->clock), PARQSIM_NEVER);
}

static void equal_deadlines_in_order_of_setting(void **state)
{
	static const u32 order[] = { 5, 2, 7, 0, 6, 1, 4, 3 };
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 8; i++)
		set(f, order[i], 50);
	clock_run(&f->clock, 50);
	assert_int_equal(f->n, 8);
	for (i = 0; i < 8; i++)
		expect(f, i, order[i], 50);
}

static void set_again_moves(void **state)
{
	struct fixture *f = *state;

	set(f, 0, 10);
	set(f, 1, 10);
	set(f, 2, 40);
	set(f, 0, 10);	/* now behind 1 */
	set(f, 2, 5);	/* now first */
	clock_run(&f->clock, 100);
	assert_int_equal(f->n, 3);
	expect(f, 0, 2, 5);
	expect(f, 1, 1, 10);
	expect(f, 2, 0, 10);
}

static void cancelled_does_not_fire(void **state)
{
	struct fixture *f = *state;
	u32 i, k;

	for (k = 0; k < 8; k++) {
		f->n = 0;
		for (i = 0; i < 8; i++)
			set(f, i, f->clock.now + 8 - i);
		timer_cancel(&f->clock, &f->probe[k].timer);
		assert_false(timer_is_set(&f->probe[k].timer));
		clock_run(&f->clock, f->clock.now + 8);
		assert_int_equal(f->n, 7);
		for (i = 0; i < 7; i++)
			assert_int_equal(f->id[i], 7 - i - (7 - i <= k));
	}
}

static void past_deadline_fires_now(void **state)
{
	struct fixture *f = *state;

	clock_run(&f->clock, 100);
	set(f, 0, 40);
	assert_true(clock_run(&f->clock, 100));
	expect(f, 0, 0, 100);
}

static void time_never_goes_back(void **state)
{
	struct fixture *f = *state;

	clock_run(&f->clock, 100);
	set(f, 0, 40);
	assert_false(clock_run(&f->clock, 50));
	assert_int_equal(f->clock.now, 100);
	assert_int_equal(f->n, 0);
}

static void callbacks_set_and_cancel(void **state)
{
	struct fixture *f = *state;

	f->probe[0].also_set = &f->probe[1];
	f->probe[0].also_at = 15;
	f->probe[1].also_set = &f->probe[3];	/* beyond this run */
	f->probe[1].also_at = 31;
	f->probe[1].also_cancel = &f->probe[2];
	set(f, 0, 10);
	set(f, 2, 20);
	assert_true(clock_run(&f->clock, 30));
	assert_int_equal(f->n, 2);
	expect(f, 0, 0, 10);
	expect(f, 1, 1, 15);
	assert_int_equal(clock_next(&f->clock), 31);
}

/* What is left fires later, at its own time. */
static void steps_are_of_limited_length(void **state)
{
	struct fixture *f = *state;

	set(f, 0, 30);
	set(f, 1, 10);
	set(f, 2, 20);
	assert_int_equal(clock_step(&f->clock, 100, 0), 0);
	assert_int_equal(f->clock.now, 0);
	assert_int_equal(clock_step(&f->clock, 100, 2), 2);
	assert_int_equal(f->n, 2);
	expect(f, 1, 2, 20);
	assert_int_equal(f->clock.now, 20);
	assert_int_equal(clock_next(&f->clock), 30);
	set(f, 3, 5);
	assert_int_equal(clock_step(&f->clock, 100, 3), 2);
	expect(f, 2, 3, 20);
	expect(f, 3, 0, 30);
	assert_int_equal(f->clock.now, 100);
}

static void leap(void *ctx)
{
	struct fixture *f = ctx;

	assert_int_equal(f->clock.until, 100);
	f->clock.now = 90;
}

/* A timer advances the time beyond its own. Time does not go back at the end. */
static void time_leaps_in_a_step(void **state)
{
	struct fixture *f = *state;
	struct timer t;

	timer_init(&t, leap, f);
	timer_set(&f->clock, &t, 20);
	set(f, 0, 10);
	set(f, 1, 95);
	assert_int_equal(clock_events(&f->clock, 20, 100, ~0U), 2);
	assert_int_equal(f->clock.now, 90);
	assert_int_equal(f->clock.until, 0);
	assert_int_equal(f->n, 1);
	assert_int_equal(clock_events(&f->clock, 50, 100, ~0U), 0);
	assert_int_equal(clock_step(&f->clock, 100, ~0U), 1);
	expect(f, 0, 0, 10);
	expect(f, 1, 1, 95);
}

static void callback_sets_its_own_timer(void **state)
{
	struct fixture *f = *state;

	f->probe[0].also_set = &f->probe[0];
	f->probe[0].also_at = 20;
	set(f, 0, 10);
	clock_run(&f->clock, 19);
	f->probe[0].also_set = NULL;
	clock_run(&f->clock, 100);
	assert_int_equal(f->n, 2);
	expect(f, 1, 0, 20);
}

#define MODEL_TIMERS	1000

static struct model {
	struct clock clock;
	struct model_timer {
		struct timer timer;
		bool on;
		u64 at;
		u64 seq;
	} t[MODEL_TIMERS];
	u64 seq;
	u32 fired;
} model;

static struct model_timer *model_next(void)
{
	struct model_timer *best = NULL, *t;

	for (t = model.t; t < model.t + MODEL_TIMERS; t++) {
		if (!t->on)
			continue;
		if (!best || t->at < best->at ||
		    (t->at == best->at && t->seq < best->seq))
			best = t;
	}
	return best;
}

static void model_fire(void *ctx)
{
	struct model_timer *t = ctx;

	assert_ptr_equal(t, model_next());
	assert_int_equal(model.clock.now, t->at);
	t->on = false;
	model.fired++;
}

static void random_schedules(void **state)
{
	u32 seed = 0x2545f491, i;

	(void)state;
	memset(&model, 0, sizeof(model));
	for (i = 0; i < MODEL_TIMERS; i++)
		timer_init(&model.t[i].timer, model_fire, &model.t[i]);
	for (i = 0; i < 50000; i++) {
		struct model_timer *t = &model.t[rnd(&seed, MODEL_TIMERS)];
		u32 what = rnd(&seed, 16);

		if (what < 12) {
			t->on = true;
			t->at = model.clock.now + rnd(&seed, 500);
			t->seq = model.seq++;
			timer_set(&model.clock, &t->timer, t->at);
		} else if (what < 14) {
			t->on = false;
			timer_cancel(&model.clock, &t->timer);
		} else {
			clock_run(&model.clock,
				  model.clock.now + rnd(&seed, 10));
		}
		assert_int_equal(timer_is_set(&t->timer), t->on);
	}
	clock_run(&model.clock, model.clock.now + 500);
	assert_null(model_next());
	assert_true(model.fired > 10000);
}

#define MANY	20000	/* more than a NIC of 64 ports with all queues has */

static u32 many_fired;

static void many_fire(void *ctx)
{
	(void)ctx;
	many_fired++;
}

/* @step has no common factor with MANY, so each timer has a deadline of its own. */
static void many_set(struct clock *clock, struct timer *t, u32 step)
{
	u32 i;

	for (i = 0; i < MANY; i++)
		timer_set(clock, &t[i], clock->now + 1 + (u64)i * step % MANY);
}

/* They are set in order, in reverse order and mixed; then again, and half of them cancelled. */
static void any_number_of_timers(void **state)
{
	static const u32 steps[] = { 1, MANY - 1, 7919 };
	static struct timer t[MANY];
	struct clock clock = { .now = 0 };
	u32 i, j;

	(void)state;
	for (i = 0; i < MANY; i++)
		timer_init(&t[i], many_fire, NULL);
	for (i = 0; i < 3; i++) {
		many_set(&clock, t, steps[i]);
		for (j = 1; j <= MANY; j++) {
			many_fired = 0;
			clock_run(&clock, clock.now + 1);
			assert_int_equal(many_fired, 1);
		}
		many_set(&clock, t, steps[i]);
		many_set(&clock, t, steps[2 - i]);
		for (j = 0; j < MANY; j += 2)
			timer_cancel(&clock, &t[j]);
		many_fired = 0;
		clock_run(&clock, clock.now + MANY);
		assert_int_equal(many_fired, MANY / 2);
		assert_int_equal(clock_next(&clock), PARQSIM_NEVER);
	}
}

static void catches_up_to_the_next_timer(void **state)
{
	struct clock clock = { .now = 10 };
	struct timer t;

	(void)state;
	clock_catch_up(&clock, 5);
	assert_int_equal(clock.now, 10);
	clock_catch_up(&clock, 20);
	assert_int_equal(clock.now, 20);
	timer_init(&t, fire, NULL);
	timer_set(&clock, &t, 25);
	clock_catch_up(&clock, 30);
	assert_int_equal(clock.now, 25);
	assert_true(timer_is_set(&t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_set, setup),
		cmocka_unit_test_setup(fires_in_order, setup),
		cmocka_unit_test_setup(equal_deadlines_in_order_of_setting,
				       setup),
		cmocka_unit_test_setup(set_again_moves, setup),
		cmocka_unit_test_setup(cancelled_does_not_fire, setup),
		cmocka_unit_test_setup(past_deadline_fires_now, setup),
		cmocka_unit_test_setup(time_never_goes_back, setup),
		cmocka_unit_test_setup(callbacks_set_and_cancel, setup),
		cmocka_unit_test_setup(steps_are_of_limited_length, setup),
		cmocka_unit_test_setup(time_leaps_in_a_step, setup),
		cmocka_unit_test_setup(callback_sets_its_own_timer, setup),
		cmocka_unit_test(catches_up_to_the_next_timer),
		cmocka_unit_test(random_schedules),
		cmocka_unit_test(any_number_of_timers),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
