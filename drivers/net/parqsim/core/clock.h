/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time inside the core: timers ordered by deadline. Equal deadlines keep the order in
 * which they were set. The timers themselves form a pairing heap, so their number has no
 * limit: it follows from ports and queues, and from the cables that share the clock.
 */
#ifndef _PARQSIM_CLOCK_H
#define _PARQSIM_CLOCK_H

#include "parqsim.h"

/**
 * struct timer - a callback at a point in time
 * @at: deadline, ps
 * @seq: order among equal deadlines
 * @fn: callback; the timer is off when it is called
 * @ctx: argument of @fn
 * @child: first of the later timers below this one
 * @next: next timer with the same parent
 * @link: the pointer to this timer; NULL while off
 */
struct timer {
	u64 at;
	u64 seq;
	void (*fn)(void *ctx);
	void *ctx;
	struct timer *child;
	struct timer *next;
	struct timer **link;
};

/**
 * struct clock - time, and what it brings
 * @now: present time, ps
 * @until: end of the running step, ps; 0: none is running
 * @seq: order of the next timer among those with its deadline
 * @first: the timer that is due first; the root of the heap
 */
struct clock {
	u64 now;
	u64 until;
	u64 seq;
	struct timer *first;
};

void timer_init(struct timer *t, void (*fn)(void *ctx), void *ctx);
void timer_set(struct clock *c, struct timer *t, u64 at);
void timer_cancel(struct clock *c, struct timer *t);
void timer_resume(struct clock *c, struct timer *t);

static inline bool timer_is_set(const struct timer *t)
{
	return t->link;
}

/**
 * clock_next() - earliest deadline
 * @c: the clock
 *
 * Return: the earliest deadline in ps, which may have passed already, or
 * PARQSIM_NEVER.
 */
static inline u64 clock_next(const struct clock *c)
{
	return c->first ? c->first->at : PARQSIM_NEVER;
}

void clock_catch_up(struct clock *c, u64 at);
u32 clock_events(struct clock *c, u64 now, u64 until, u32 most);
u32 clock_step(struct clock *c, u64 until, u32 most);
bool clock_run(struct clock *c, u64 until);

#endif /* _PARQSIM_CLOCK_H */
