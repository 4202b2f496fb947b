/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time inside the core: a binary heap of timers, ordered by deadline. Equal
 * deadlines keep the order in which they were set.
 */
#ifndef _PARQSIM_CLOCK_H
#define _PARQSIM_CLOCK_H

#include <linux/types.h>

#define CLOCK_MAX_TIMERS	1024

/**
 * struct timer - a callback at a point in time
 * @at: deadline, ps
 * @seq: order among equal deadlines
 * @fn: callback; the timer is off when it is called
 * @ctx: argument of @fn
 * @slot: index in the heap + 1; 0 while off
 */
struct timer {
	u64 at;
	u64 seq;
	void (*fn)(void *ctx);
	void *ctx;
	u32 slot;
};

struct clock {
	u64 now;
	u64 seq;
	u32 n;
	struct timer *heap[CLOCK_MAX_TIMERS];
};

void timer_init(struct timer *t, void (*fn)(void *ctx), void *ctx);
void timer_set(struct clock *c, struct timer *t, u64 at);
void timer_cancel(struct clock *c, struct timer *t);

static inline bool timer_is_set(const struct timer *t)
{
	return t->slot;
}

u64 clock_next(const struct clock *c);
void clock_catch_up(struct clock *c, u64 at);
u32 clock_step(struct clock *c, u64 until, u32 most);
bool clock_run(struct clock *c, u64 until);

#endif /* _PARQSIM_CLOCK_H */
