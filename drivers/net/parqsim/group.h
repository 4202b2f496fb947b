/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NICs that cables join have one lock, and go through time together: what is due first
 * happens first, whichever NIC's it is. So a frame reaches the other NIC at its own time,
 * and a pause stops a sender in time, as if both were one NIC. A NIC alone is a group of
 * its own. Groups are joined when a cable is plugged in, and never parted again.
 */
#ifndef _PARQSIM_GROUP_H
#define _PARQSIM_GROUP_H

#include <linux/list.h>
#include <linux/spinlock.h>

#include "turn.h"

struct nic;

/**
 * struct nic_group - NICs with one lock
 * @lock: protects the cores of all of them, and their front ends' states
 * @turn: runs the cores when something is due
 * @nics: they
 * @at_ns: how far the cores have come, or have to come, CLOCK_MONOTONIC, ns
 * @behind: they have not yet
 */
struct nic_group {
	raw_spinlock_t lock;
	struct turn turn;
	struct list_head nics;
	u64 at_ns;
	bool behind;
};

int group_init(struct nic *nic);
void group_fini(struct nic *nic);
void group_join(struct nic *a, struct nic *b);

/* The lock of a NIC's group; time does not go on. Any context but a hard interrupt. */
void nic_lock(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock);
void nic_unlock(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock);

/* As nic_lock(), and the NIC is where time is; afterwards it waits for what is due next. */
void nic_enter(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock);
void nic_leave(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock);

/* A turn from now on. Any context, with the lock held or not. */
void nic_wake(struct nic *nic);

/* A turn that runs has ended. Sleeps. */
void nic_sync(struct nic *nic);

#endif /* _PARQSIM_GROUP_H */
