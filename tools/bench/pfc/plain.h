/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What NICs without a park queue have in common. Their gates differ: late.c, fifo.c, hol.c.
 * They are given the best of everything: HALT acts in the clock of the pause, and what a
 * resume fetches from the TX ring is there at once.
 */
#ifndef _BENCH_PFC_PLAIN_H
#define _BENCH_PFC_PLAIN_H

#include "nti.h"

/* The MAC of this port could start a frame. */
bool plain_ready(const struct nti *n, u32 port);
/* The frame of @fd starts now. @credit: it has its credit still. */
void plain_send(struct nti *n, const struct fd *fd, bool credit);

static inline bool plain_paused(const struct nti *n, u32 port, u32 prio)
{
	return n->port[port].gate[prio].pause;
}

/* Of each gate: whether FDs of the class that are under way will be sent. */
bool gate_sends(const struct nti *n, u32 port, u32 prio);
/* The class's pause has begun, or ended. */
void gate_changed(struct nti *n, u32 port, u32 prio);

#endif /* _BENCH_PFC_PLAIN_H */
