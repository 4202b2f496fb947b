// SPDX-License-Identifier: GPL-2.0
/* Turns in the interrupt of a timer. */
#include "compat.h"
#include "turn.h"

#ifdef CONFIG_SMP
#error User Mode Linux with one processor only: a turn must not be preempted
#endif

static enum hrtimer_restart turn_tick(struct hrtimer *timer)
{
	struct turn *turn = container_of(timer, struct turn, timer);

	turn->fn(turn);
	return HRTIMER_NORESTART;
}

int turn_init(struct turn *turn, void (*fn)(struct turn *turn))
{
	turn->fn = fn;
	hrtimer_setup(&turn->timer, turn_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
	return 0;
}

/* There is one processor, and a turn is never preempted. A later turn finds no NIC. */
void turn_stop(struct turn *turn)
{
}

void turn_fini(struct turn *turn)
{
	hrtimer_cancel(&turn->timer);
}

void turn_at(struct turn *turn, u64 ns, u32 late_ns)
{
	hrtimer_start(&turn->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS_HARD);
}

void turn_now(struct turn *turn)
{
	turn_at(turn, 0, 0);
}

void turn_sync(struct turn *turn)
{
	hrtimer_cancel(&turn->timer);
}
