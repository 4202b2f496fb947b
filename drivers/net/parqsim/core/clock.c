// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

static bool is_before(const struct timer *a, const struct timer *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

/* Makes a tree of two. Return: its root, whose links the caller sets. */
static struct timer *meld(struct timer *a, struct timer *b)
{
	struct timer *root = is_before(b, a) ? b : a;
	struct timer *child = root == a ? b : a;

	child->next = root->child;
	if (child->next)
		child->next->link = &child->next;
	child->link = &root->child;
	root->child = child;
	return root;
}

/*
 * Makes one tree of siblings: first of each two, then of all pairs, the last pair first. So
 * it takes logarithmic time on average, whatever the order of the timers.
 */
static struct timer *meld_all(struct timer *list)
{
	struct timer *pairs = NULL, *root = NULL, *t;

	while (list) {
		t = list;
		list = t->next;
		if (list) {
			struct timer *other = list;

			list = other->next;
			t = meld(t, other);
		}
		t->next = pairs;
		pairs = t;
	}
	while (pairs) {
		t = pairs;
		pairs = t->next;
		root = root ? meld(root, t) : t;
	}
	return root;
}

static void set_first(struct clock *c, struct timer *t)
{
	c->first = t;
	if (!t)
		return;
	t->next = NULL;
	t->link = &c->first;
}

/* Adds a tree. */
static void add(struct clock *c, struct timer *t)
{
	set_first(c, c->first ? meld(c->first, t) : t);
}

static void remove_first(struct clock *c)
{
	struct timer *t = c->first, *later = t->child;

	t->link = NULL;
	set_first(c, later && later->next ? meld_all(later) : later);
}

/* Removes a timer that is set. */
static void remove(struct clock *c, struct timer *t)
{
	struct timer *tree;

	if (c->first == t) {
		remove_first(c);
		return;
	}
	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	t->link = NULL;
	tree = meld_all(t->child);
	if (tree)
		add(c, tree);
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
 * timer_cancel() - turn a timer off
 * @c: the clock it was set on
 * @t: the timer; may be off already
 */
void timer_cancel(struct clock *c, struct timer *t)
{
	if (t->link)
		remove(c, t);
}

/**
 * timer_set() - set a timer, or move one that is set
 * @c: the clock
 * @t: the timer
 * @at: deadline, ps; a past deadline fires in the next clock_run()
 *
 * Equal deadlines fire in the order in which they were set.
 */
void timer_set(struct clock *c, struct timer *t, u64 at)
{
	if (t->link)
		remove(c, t);
	t->at = at;
	t->seq = c->seq++;
	t->child = NULL;
	add(c, t);
}

/**
 * timer_resume() - set a timer as it was before timer_cancel()
 * @c: the clock
 * @t: the timer, which was set then
 *
 * It keeps its place among those with the same deadline.
 */
void timer_resume(struct clock *c, struct timer *t)
{
	t->child = NULL;
	add(c, t);
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
 * clock_events() - fire timers within a step
 * @c: the clock
 * @now: new time, ps; a time in the past changes nothing
 * @until: end of the step, ps
 * @most: maximum number of timers to fire
 *
 * As clock_step(), but a timer that fires may advance the time beyond @now, up to @until.
 *
 * Return: number of timers fired.
 */
u32 clock_events(struct clock *c, u64 now, u64 until, u32 most)
{
	struct timer *t;
	u32 fired = 0;

	if (now < c->now)
		return 0;
	c->until = until;
	while ((t = c->first) && t->at <= now) {
		if (fired == most) {
			c->until = 0;
			return fired;
		}
		if (t->at > c->now)
			c->now = t->at;
		remove_first(c);
		t->fn(t->ctx);
		fired++;
	}
	if (now > c->now)
		c->now = now;
	c->until = 0;
	return fired;
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
	return clock_events(c, until, until, most);
}

/* clock_step() without a maximum. Return: whether any timer fired. */
bool clock_run(struct clock *c, u64 until)
{
	return clock_step(c, until, ~0U);
}
