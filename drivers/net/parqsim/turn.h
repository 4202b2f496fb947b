/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When and where the turns of NICs run, and which lock excludes other contexts.
 *
 * In simulated time a turn is a timer's interrupt, and takes none of that time. Elsewhere
 * it is a poll of a NAPI that belongs to no netdev: it shares the processor fairly with
 * those of drivers, and moves to ksoftirqd when there is too much to do. There each hold of
 * the lock is limited to TURN_EVENTS.
 */
#ifndef _PARQSIM_TURN_H
#define _PARQSIM_TURN_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>

/* No turn is due. */
#define TURN_NEVER	U64_MAX

#ifdef PARQSIM_REAL_TIME
#define TURN_REAL_TIME	true
#define TURN_EVENTS	64
#else
#define TURN_REAL_TIME	false
#define TURN_EVENTS	U32_MAX
#endif

#if IS_ENABLED(CONFIG_UML)
/* Register accesses mask interrupts, with interrupts off. */
#define turn_lock(lock, flags)		raw_spin_lock_irqsave(lock, flags)
#define turn_unlock(lock, flags)	raw_spin_unlock_irqrestore(lock, flags)
#else
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
 * @fn: runs a turn; takes the lock itself
 * @timer: starts the next turn
 * @at: expiry of @timer, CLOCK_MONOTONIC, ns; like the next members not in simulated time
 * @due: time for which the next turn was last requested, CLOCK_MONOTONIC, ns
 * @late_ns: how long after @due the timer expires; only the timer's function changes it
 * @most_ns: most that @late_ns may be
 * @napi: runs the turns
 * @dev: carries @napi
 * @work: requests a turn for callers with interrupts off
 */
struct turn {
	void (*fn)(struct turn *turn);
	struct hrtimer timer;
	u64 at;
	u64 due;
	u32 late_ns;
	u32 most_ns;
	struct napi_struct napi;
	struct net_device *dev;
	struct irq_work work;
};

int turn_init(struct turn *turn, void (*fn)(struct turn *turn));

/* Waits for a running turn; later requests have no effect. Sleeps. */
void turn_stop(struct turn *turn);

/* Called after turn_stop(), when no context requests a turn any more. */
void turn_fini(struct turn *turn);

/*
 * Sets the time of the next turn, CLOCK_MONOTONIC, ns. A NAPI whose timer is not needed may set it
 * @late_ns later, at most. The lock is held.
 */
void turn_at(struct turn *turn, u64 ns, u32 late_ns);

/* Requests a turn at once. Any context, with the lock held or not. */
void turn_now(struct turn *turn);

/*
 * Waits for a running turn and a running timer. Requests in that time have no effect, so callers
 * request a turn afterwards. Sleeps.
 */
void turn_sync(struct turn *turn);

#endif /* _PARQSIM_TURN_H */
