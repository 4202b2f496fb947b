/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When and where the turns of NICs run, and what keeps others out meanwhile.
 *
 * In User Mode Linux a turn is a timer's interrupt, and its end comes in no time. Elsewhere
 * it is a poll of a NAPI that belongs to no netdev: it shares the processor with those of
 * drivers fairly, and moves into ksoftirqd when there is too much to do. There a turn and
 * everything else under the lock is limited to TURN_EVENTS.
 */
#ifndef _PARQSIM_TURN_H
#define _PARQSIM_TURN_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>

/* Not at all. */
#define TURN_NEVER	U64_MAX

#if IS_ENABLED(CONFIG_UML)
#define TURN_EVENTS	U32_MAX
/* Interrupts are masked by register accesses, with interrupts off. */
#define turn_lock(lock, flags)		raw_spin_lock_irqsave(lock, flags)
#define turn_unlock(lock, flags)	raw_spin_unlock_irqrestore(lock, flags)
#else
#define TURN_EVENTS	64
#define turn_lock(lock, flags)						\
	do {								\
		(flags) = 0;						\
		raw_spin_lock_bh(lock);					\
	} while (0)
#define turn_unlock(lock, flags)					\
	do {								\
		(void)(flags);						\
		raw_spin_unlock_bh(lock);				\
	} while (0)
#endif

/**
 * struct turn - turns of a group of NICs
 * @fn: runs one; it takes the lock itself
 * @timer: for the next one
 * @at: when that fires, CLOCK_MONOTONIC, ns
 * @napi: in which they run; not in User Mode Linux, as all that follows
 * @dev: of @napi
 * @work: asks for a turn on behalf of those who have interrupts off
 */
struct turn {
	void (*fn)(struct turn *turn);
	struct hrtimer timer;
	u64 at;
	struct napi_struct napi;
	struct net_device *dev;
	struct irq_work work;
};

int turn_init(struct turn *turn, void (*fn)(struct turn *turn));

/* No turn runs, and none comes any more; those who ask for one get none. Sleeps. */
void turn_stop(struct turn *turn);

/* After turn_stop(): nobody asks for a turn. */
void turn_fini(struct turn *turn);

/* At this time at the latest, CLOCK_MONOTONIC, ns; replaces the last one. The lock is held. */
void turn_at(struct turn *turn, u64 ns);

/* One from now on. Any context, with the lock held or not. */
void turn_now(struct turn *turn);

/* One that runs has ended, and so has a timer. Sleeps. */
void turn_sync(struct turn *turn);

#endif /* _PARQSIM_TURN_H */
