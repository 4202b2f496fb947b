/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NTI, the second stage: the gate. Decides, when a frame could start on the wire
 * and not before, whether it may; what may not is marked FD_REC and goes back
 * over the recycle path, so nothing waits behind it.
 */
#ifndef _PARQSIM_NTI_H
#define _PARQSIM_NTI_H

#include "bmi.h"
#include "bus.h"

struct mac;
struct txq;

/**
 * struct gate - of one (port, priority)
 * @pause: PAUSE: a pause of the other end is to be obeyed
 * @storm: one runs that is not obeyed any more
 * @hold: HOLD: latched with PAUSE, dropped by a release
 * @repaused: the running pass has met a pause; all the rest of it goes back
 * @forward: what a storm cannot stop any more is sent, not dropped
 */
struct gate {
	bool pause;
	bool storm;
	bool forward;
	bool hold;
	bool repaused;
};

/* What may pass goes nowhere. */
static inline bool gate_drops(const struct gate *g)
{
	return g->storm && !g->forward;
}

/* How an FD ends. With NTI_DROP_RING the host refused the descriptors. */
enum nti_end {
	NTI_SENT,
	NTI_DROP_DESC,
	NTI_DROP_DMA,
	NTI_DROP_RING,
	NTI_DROP_PURGE,
	NTI_DROP_PARK,
	NTI_DROP_STORM,
};

/**
 * struct nti_up - the ways back to the stages above
 * @ctx: goes with each call
 * @recycle: an FD marked FD_REC, or a marker, on the recycle path
 * @repaused: a pass was turned back
 * @credit: an FD with a credit has left the pipeline; @sent: for the wire
 * @done: an FD has ended; it holds no credit any more
 * @reinjected: an FD of a flush pass has passed the gate
 * @txq: the queue an FD belongs to
 */
struct nti_up {
	void *ctx;
	void (*recycle)(void *ctx, const struct fd *fd);
	void (*repaused)(void *ctx, u32 port, u32 prio);
	void (*credit)(void *ctx, const struct fd *fd, bool sent);
	void (*done)(void *ctx, const struct fd *fd, enum nti_end end);
	void (*reinjected)(void *ctx, const struct fd *fd);
	const struct txq *(*txq)(void *ctx, u32 port, u32 queue);
};

#define NTI_SLOTS	(PARQSIM_DEPTH_MAX + BMI_MARKERS)

/**
 * struct nti_port - one port
 * @gate: by priority
 * @rewr: PARQ_REWR, by priority
 * @fifo: FDs that came out of the pipeline while the MAC was busy
 * @head: place of the first of them
 * @count: how many
 * @sending: the frame on the wire
 * @busy: there is one
 * @settled: and it is complete, since its queue was stopped
 */
struct nti_port {
	struct gate gate[PARQ_NUM_PRIO];
	u32 rewr[PARQ_NUM_PRIO];
	struct fd fifo[NTI_SLOTS];
	u32 head;
	u32 count;
	struct fd sending;
	bool busy;
	bool settled;
};

struct nti {
	const struct bus *bus;
	struct mac *mac;
	struct nti_up up;
	struct nti_port port[PARQ_MAX_PORTS];
};

void nti_reset(struct nti *n);
void nti_storm_forward(struct nti *n, u32 port, bool on);
void nti_in(struct nti *n, const struct fd *fd);
void nti_drop(struct nti *n, const struct fd *fd, enum nti_end end);
void nti_purge(struct nti *n, u32 port, int queue);
void nti_settle(struct nti *n, u32 port, u32 queue);
void nti_tx_done(struct nti *n, u32 port);
void nti_pump(struct nti *n, u32 port);

#endif /* _PARQSIM_NTI_H */
