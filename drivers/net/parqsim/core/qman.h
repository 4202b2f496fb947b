/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QMAN, the queue manager: decides which class of which port sends next
 * (IEEE 802.1Qaz), reads descriptors from the host's TX rings, cuts frames into FDs
 * and hands them to the QMI. A class whose HALT is high is passed over.
 */
#ifndef _PARQSIM_QMAN_H
#define _PARQSIM_QMAN_H

#include "event.h"
#include "fd.h"
#include "shaper.h"
#include "txq.h"

struct qmi;

/**
 * struct qman_ets - transmission selection of a port
 * @prio_tc: traffic class of a priority
 * @tsa: enum parq_tsa of a traffic class
 * @bw: weight of an ETS traffic class, percent
 * @maxrate: limit of a traffic class, kbit/s; 0 is none
 */
struct qman_ets {
	u8 prio_tc[PARQ_NUM_PRIO];
	u8 tsa[PARQ_NUM_TC];
	u8 bw[PARQ_NUM_TC];
	u32 maxrate[PARQ_NUM_TC];
};

/**
 * struct qman_class - one (port, priority)
 * @queues: enabled queues of it that have work
 * @in_flight: FDs in the pipeline and in the park queue
 * @ahead: bytes on the wire of its FDs between QMAN and wire
 * @limit: bound of @in_flight: entries of the park queue
 * @order: of its next FD
 * @last_queue: that sent last, for round robin
 * @halt: HALT is high
 */
struct qman_class {
	u64 queues;
	u32 in_flight;
	u32 ahead;
	u32 limit;
	u32 order;
	u8 last_queue;
	bool halt;
};

/**
 * struct qman_port - one port
 * @ets: in force
 * @cls: by priority
 * @txq: by number
 * @enabled: queues that are enabled
 * @credits: FDs that may still enter the pipeline
 * @vtime: service that an ETS traffic class has had, bytes over weight
 * @vclock: @vtime of the class served last; where a class that comes back starts
 * @ets_active: traffic classes that had something to send when last looked at
 * @shaper: rate limits, by traffic class
 * @last_prio: served last in each traffic class, for round robin inside it
 * @max_len: longest frame without FCS, tags included
 * @low: BIT(priority) that Pause Low stops
 * @en: PARQ_PORT_CTRL_EN
 */
struct qman_port {
	struct qman_ets ets;
	struct qman_class cls[PARQ_NUM_PRIO];
	struct txq txq[PARQ_MAX_TXQ];
	u64 enabled;
	u32 credits;
	u64 vtime[PARQ_NUM_TC];
	u64 vclock;
	u8 ets_active;
	struct shaper shaper[PARQ_NUM_TC];
	u8 last_prio[PARQ_NUM_TC];
	u32 max_len;
	u8 low;
	bool en;
};

/**
 * struct qman_up - what the QMAN asks of the stages behind it
 * @ctx: goes with each call
 * @wire_free: when the frame on the wire of a port ends, or now if there is none, ps
 * @wire_ps: how long @bytes take there
 * @sends: whether FDs of a class that are under way will be sent, as far as is known
 */
struct qman_up {
	void *ctx;
	u64 (*wire_free)(void *ctx, u32 port);
	u64 (*wire_ps)(void *ctx, u32 port, u64 bytes);
	bool (*sends)(void *ctx, u32 port, u32 prio);
};

struct qman {
	const struct bus *bus;
	struct clock *clock;
	struct irq *irq;
	struct events *events;
	struct qmi *qmi;
	struct parq_stats *stats;
	u32 *db;
	struct timer tick;
	struct timer later;	/* a rate limit lets go, or a wire runs short */
	struct qman_up up;
	u64 lead_ps;		/* from fetch to wire */
	u32 clk_ps;
	u32 depth;
	u8 ports;
	u8 last_port;
	struct qman_port port[PARQ_MAX_PORTS];
};

void qman_init(struct qman *qm);
void qman_reset(struct qman *qm);

/* Software's side: registers and doorbells. */
void qman_txq_enable(struct qman *qm, u32 port, u32 queue);
void qman_txq_disable(struct qman *qm, u32 port, u32 queue);
bool qman_txq_next(struct qman *qm, u32 port, u32 queue);
bool qman_poll(struct qman *qm);
void qman_ets_set(struct qman *qm, u32 port, const struct qman_ets *ets);
void qman_limit(struct qman *qm, u32 port, u32 prio, u32 limit);
void qman_port_enable(struct qman *qm, u32 port, bool en);
void qman_port_purge(struct qman *qm, u32 port);

/* The stages' side. */
void qman_halt(struct qman *qm, u32 port, u32 prio, bool on);
void qman_pause_low(struct qman *qm, u32 port, u8 prios);
void qman_kick(struct qman *qm);
void qman_left_pipe(struct qman *qm, const struct fd *fd, bool sent);
void qman_took_credit(struct qman *qm, const struct fd *fd);
void qman_ring_refused(struct qman *qm, const struct fd *fd);
void qman_complete(struct qman *qm, const struct fd *fd, bool sent);
void qman_gone(struct qman *qm, const struct fd *fd, bool dma);

#endif /* _PARQSIM_QMAN_H */
