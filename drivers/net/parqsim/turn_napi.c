// SPDX-License-Identifier: GPL-2.0
/* Turns in a NAPI. */
#include "compat.h"
#include "turn.h"

/* napi_complete_done() notices a turn that is requested while one runs. */
static int turn_poll(struct napi_struct *napi, int budget)
{
	struct turn *turn = container_of(napi, struct turn, napi);

	turn->fn(turn);
	napi_complete_done(napi, 0);
	return 0;
}

/*
 * Under load doorbells cause turns, which handle what the timer was set for. Then the next timer
 * expires later: each costs an interrupt, and in a virtual machine exits to the host. A timer
 * that was needed halves the delay.
 */
static enum hrtimer_restart turn_tick(struct hrtimer *timer)
{
	struct turn *turn = container_of(timer, struct turn, timer);
	u32 most = READ_ONCE(turn->most_ns);
	u32 late = turn->late_ns;

	if (READ_ONCE(turn->due) > ktime_get_ns())
		late += most / 8;
	else
		late /= 2;
	WRITE_ONCE(turn->late_ns, min(late, most));
	napi_schedule(&turn->napi);
	return HRTIMER_NORESTART;
}

static void turn_work(struct irq_work *work)
{
	struct turn *turn = container_of(work, struct turn, work);

	napi_schedule(&turn->napi);
}

int turn_init(struct turn *turn, void (*fn)(struct turn *turn))
{
	turn->fn = fn;
	turn->dev = parq_compat_dummy_alloc();
	if (!turn->dev)
		return -ENOMEM;
	hrtimer_setup(&turn->timer, turn_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
	init_irq_work(&turn->work, turn_work);
	netif_napi_add(turn->dev, &turn->napi, turn_poll);
	napi_enable(&turn->napi);
	return 0;
}

void turn_stop(struct turn *turn)
{
	napi_disable(&turn->napi);
}

void turn_fini(struct turn *turn)
{
	hrtimer_cancel(&turn->timer);
	irq_work_sync(&turn->work);
	netif_napi_del(&turn->napi);
	parq_compat_dummy_free(turn->dev);
}

/*
 * Under load each turn makes the next one due a little later. A timer that is too early costs
 * one turn. To move it each time would cost as much every time.
 */
void turn_at(struct turn *turn, u64 ns, u32 late_ns)
{
	WRITE_ONCE(turn->due, ns);
	WRITE_ONCE(turn->most_ns, late_ns);
	ns += min(late_ns, READ_ONCE(turn->late_ns));
	if (ns >= turn->at && hrtimer_is_queued(&turn->timer))
		return;
	turn->at = ns;
	hrtimer_start(&turn->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS);
}

/*
 * Softirqs run when interrupts end, and when softirqs are enabled. With interrupts off and
 * softirqs on, both may be far away: so a work requests the turn.
 */
void turn_now(struct turn *turn)
{
	if (in_interrupt()) {
		napi_schedule(&turn->napi);
	} else if (irqs_disabled()) {
		irq_work_queue(&turn->work);
	} else {
		local_bh_disable();
		napi_schedule(&turn->napi);
		local_bh_enable();
	}
}

/*
 * A busy NAPI is scheduled again in each of its polls, so napi_synchronize() could wait for as
 * long as there is work.
 */
void turn_sync(struct turn *turn)
{
	hrtimer_cancel(&turn->timer);
	irq_work_sync(&turn->work);
	napi_disable(&turn->napi);
	napi_enable(&turn->napi);
}
