// SPDX-License-Identifier: GPL-2.0
#include "clock.h"
#include "parqsim.h"

static bool is_before(const struct timer *a, const struct timer *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void place(struct clock *c, struct timer *t, u32 i)
{
	c->heap[i] = t;
	t->slot = i + 1;
}

static void sift_up(struct clock *c, struct timer *t, u32 i)
{
	while (i) {
		u32 parent = (i - 1) / 2;

		if (!is_before(t, c->heap[parent]))
			break;
		place(c, c->heap[parent], i);
		i = parent;
	}
	place(c, t, i);
}

static void sift_down(struct clock *c, struct timer *t, u32 i)
{
	u32 child;

	while ((child = 2 * i + 1) < c->n) {
		if (child + 1 < c->n &&
		    is_before(c->heap[child + 1], c->heap[child]))
			child++;
		if (!is_before(c->heap[child], t))
			break;
		place(c, c->heap[child], i);
		i = child;
	}
	place(c, t, i);
}

/* Restores the heap order after @t changed: moves it up or down, or not at all. */
static void settle(struct clock *c, struct timer *t, u32 i)
{
	sift_up(c, t, i);
	sift_down(c, t, t->slot - 1);
}

/**
 * timer_init() - prepare a timer, initially off
 * @t: the timer
 * @fn: called at the deadline; may set and cancel timers, this one included
 * @ctx: argument of @fn
 */
void timer_init(struct timer *t, void (*fn)(void *ctx), void *ctx)
{
	*t = (struct timer){ .fn = fn, .ctx = ctx };
}

/**
 * timer_set() - set a timer, or move one that is set
 * @c: the clock
 * @t: the timer
 * @at: deadline, ps; a past deadline fires in the next clock_run()
 *
 * Equal deadlines fire in the order in which they were set. Setting more than
 * CLOCK_MAX_TIMERS at once is a bug in the wiring of the stages and traps.
 */
void timer_set(struct clock *c, struct timer *t, u64 at)
{
	t->at = at;
	t->seq = c->seq++;
	if (t->slot) {
		settle(c, t, t->slot - 1);
		return;
	}
	if (c->n == CLOCK_MAX_TIMERS)
		__builtin_trap();
	sift_up(c, t, c->n++);
}

/**
 * timer_cancel() - turn a timer off
 * @c: the clock it was set on
 * @t: the timer; may be off already
 */
void timer_cancel(struct clock *c, struct timer *t)
{
	struct timer *last;
	u32 i;

	if (!t->slot)
		return;
	i = t->slot - 1;
	t->slot = 0;
	last = c->heap[--c->n];
	if (last != t)
		settle(c, last, i);
}

/**
 * clock_next() - earliest deadline
 * @c: the clock
 *
 * Return: the earliest deadline in ps, which may have passed already, or
 * PARQSIM_NEVER.
 */
u64 clock_next(const struct clock *c)
{
	return c->n ? c->heap[0]->at : PARQSIM_NEVER;
}

/**
 * clock_catch_up() - advance the time as far as no timer is due
 * @c: the clock
 * @at: new time, ps; a time in the past changes nothing
 */
void clock_catch_up(struct clock *c, u64 at)
{
	u64 next = clock_next(c);

	if (at > next)
		at = next;
	if (at > c->now)
		c->now = at;
}

/**
 * clock_step() - advance the time and fire timers
 * @c: the clock
 * @until: new time, ps; a time in the past changes nothing
 * @most: maximum number of timers to fire
 *
 * Fires all timers that are due at or before @until, including those set by the
 * timers that fire. Each timer sees its own deadline as the current time.
 *
 * Return: number of timers fired. If it is @most, the time is the last deadline
 * fired, and more timers may be due.
 */
u32 clock_step(struct clock *c, u64 until, u32 most)
{
	u32 fired = 0;

	if (until < c->now)
		return 0;
	while (c->n && c->heap[0]->at <= until) {
		struct timer *t = c->heap[0];

		if (fired == most)
			return fired;
		if (t->at > c->now)
			c->now = t->at;
		t->slot = 0;
		if (--c->n)
			sift_down(c, c->heap[c->n], 0);
		t->fn(t->ctx);
		fired++;
	}
	c->now = until;
	return fired;
}

/* clock_step() without a maximum. Return: whether any timer fired. */
bool clock_run(struct clock *c, u64 until)
{
	return clock_step(c, until, ~0U);
}
