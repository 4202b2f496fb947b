/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NICs joined by cables have one lock and share one order of events: the earliest event of
 * all of them is handled first. So a frame reaches the other NIC at its own time, and a pause
 * stops a sender in time, as in a single NIC. A NIC without such a cable is a group alone.
 * Groups are merged when a cable is plugged in, and never split.
 *
 * A turn handles the NICs that are busy. A NIC becomes busy when its time has come, when it is
 * accessed or woken, and when another NIC gives it something to do. It rests again when it dozes,
 * and then costs nothing; its clock stays where it is. So the cost of a turn does not depend on
 * the number of NICs.
 */
#ifndef _PARQSIM_GROUP_H
#define _PARQSIM_GROUP_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>

#include "turn.h"

struct nic;

/* Other contexts should not wait longer for the lock. */
#define GROUP_LONG_NS	100000

/**
 * struct nic_group - NICs with one lock
 * @lock: protects the cores of all NICs, and the state of their front ends
 * @turn: runs the cores when an event is due
 * @nics: the NICs
 * @busy: those of them that the next turn looks at
 * @resting: the others that have an event, by its time
 * @woken: those that were woken since the last turn; any context adds to it
 * @exact: number of NICs whose timer must not be late
 * @at_ns: time to which the cores have advanced, or must advance, CLOCK_MONOTONIC, ns
 * @behind: the cores have not reached @at_ns yet
 * @since: CLOCK_MONOTONIC when the cores began to run, ns
 * @busy_ns: time for which they have run with @lock held, ns
 * @held_ns: longest time for which they ran without dropping @lock, ns
 * @long_holds: number of times above GROUP_LONG_NS
 */
struct nic_group {
	raw_spinlock_t lock;
	struct turn turn;
	struct list_head nics;
	struct list_head busy;
	struct rb_root_cached resting;
	struct llist_head woken;
	u32 exact;
	u64 at_ns;
	bool behind;
	u64 since;
	u64 busy_ns;
	u64 held_ns;
	u64 long_holds;
};

int group_init(struct nic *nic);
void group_fini(struct nic *nic);
void group_join(struct nic *a, struct nic *b);

/* Takes the lock of a NIC's group. Time does not advance. Any context but a hard interrupt. */
void nic_lock(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock);
void nic_unlock(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock);

/* nic_lock(), and advances to the present time. nic_leave() sets the timer for the next event. */
void nic_enter(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock);
/* The same for two NICs of one group. nic_leave() of the first ends it. */
void nic_enter_both(struct nic *nic, struct nic *other, unsigned long *flags)
	__acquires(&nic->group->lock);
void nic_leave(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock);

/*
 * Time of the first event that other NICs of the group have in this turn, or of its end, by the
 * clock of this NIC, ps; 0 if one of them is stopped. Called in a turn.
 */
u64 nic_free_until(const struct nic *nic);

/* Has the next turn look at a NIC. The lock of its group is held. */
void nic_make_busy(struct nic *nic);

/* Requests a turn at once, which looks at the NIC. Any context, with the lock held or not. */
void nic_wake(struct nic *nic);

/* Waits for a turn that is running. Sleeps. */
void nic_sync(struct nic *nic);

#endif /* _PARQSIM_GROUP_H */
