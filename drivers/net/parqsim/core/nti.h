/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NTI, the second stage: the gate. It decides at the moment a frame could start on the
 * wire, and not before. A held FD is marked FD_REC and goes back over the recycle path,
 * so nothing waits behind it.
 */
#ifndef _PARQSIM_NTI_H
#define _PARQSIM_NTI_H

#include "bmi.h"
#include "bus.h"

struct mac;
struct txq;

/**
 * struct gate - gate of one (port, priority)
 * @pause: PAUSE: a pause of the link partner is obeyed
 * @storm: a pause is running but no longer obeyed
 * @hold: HOLD: latched with PAUSE, cleared by a release
 * @repaused: the running pass has met a pause; the rest of it goes back
 * @forward: during a storm frames are sent, not dropped
 */
struct gate {
	bool pause;
	bool storm;
	bool forward;
	bool hold;
	bool repaused;
};

/* During a storm, frames that pass the gate are dropped. */
static inline bool gate_drops(const struct gate *g)
{
	return g->storm && !g->forward;
}

/* Fate of an FD. NTI_DROP_RING: the host refused a read of the descriptors. */
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
 * struct nti_up - callbacks to earlier stages
 * @ctx: first argument of each callback
 * @recycle: an FD marked FD_REC, or a marker, enters the recycle path
 * @repaused: a pass was turned back
 * @credit: an FD with a credit has left the pipeline; @sent: for the wire
 * @done: an FD has ended; it holds no credit any more
 * @reinjected: an FD of a flush pass has passed the gate
 * @txq: finds the queue of an FD
 * @load: reads the stored frame of a transit FD
 */
struct nti_up {
	void *ctx;
	void (*recycle)(void *ctx, const struct fd *fd);
	void (*repaused)(void *ctx, u32 port, u32 prio);
	void (*credit)(void *ctx, const struct fd *fd, bool sent);
	void (*done)(void *ctx, const struct fd *fd, enum nti_end end);
	void (*reinjected)(void *ctx, const struct fd *fd);
	const struct txq *(*txq)(void *ctx, u32 port, u32 queue);
	void (*load)(void *ctx, const struct fd *fd, u8 *buf);
};

#define NTI_SLOTS	(PARQSIM_DEPTH_MAX + BMI_MARKERS)

/**
 * struct nti_port - one port
 * @gate: by priority
 * @rewr: PARQ_REWR, by priority
 * @fifo: FDs that left the pipeline while the MAC was busy
 * @head: index of the first FD in @fifo
 * @count: number of FDs in @fifo
 * @sending: FD of the frame on the wire
 * @busy: a frame is on the wire
 * @settled: that frame counts as complete, because its queue was stopped
 * @train_rewr: PARQ_REWR_* of the train on the wire
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
	u32 train_rewr;
};

/* FD @i of those that wait for the MAC. */
static inline struct fd *nti_waiting(struct nti_port *p, u32 i)
{
	return &p->fifo[(p->head + i) % NTI_SLOTS];
}

struct nti {
	const struct bus *bus;
	struct mac *mac;
	struct nti_up up;
	u8 ports;
	struct nti_port *port;
	/* Descriptors of the FD at the gate. On the stack they would be zeroed for each frame. */
	struct parq_tx_desc desc[PARQ_TX_MAX_DESC + 1];
};

void nti_reset(struct nti *n);
void nti_storm_forward(struct nti *n, u32 port, bool on);
void nti_in(struct nti *n, const struct fd *fd);
void nti_drop(struct nti *n, const struct fd *fd, enum nti_end end);
void nti_purge(struct nti *n, u32 port, int queue, u32 domain);
void nti_settle(struct nti *n, u32 port, u32 queue);
void nti_tx_done(struct nti *n, u32 port);
void nti_pump(struct nti *n, u32 port);

#endif /* _PARQSIM_NTI_H */
