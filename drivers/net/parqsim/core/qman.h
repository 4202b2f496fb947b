/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QMAN, the queue manager: selects the port and the class that send next (IEEE
 * 802.1Qaz), reads descriptors from the host's TX rings, cuts frames into FDs and
 * passes them to the QMI. A class whose HALT is high is skipped.
 */
#ifndef _PARQSIM_QMAN_H
#define _PARQSIM_QMAN_H

#include "event.h"
#include "fd.h"
#include "launch.h"
#include "shaper.h"
#include "transit.h"
#include "txq.h"

struct qmi;

#define QMAN_OVERHEAD	24	/* preamble, FCS and gap: ETS shares wire time */

/*
 * If the host advances time in leaps, doorbells may have rung since the last leap. In a leap the
 * QMAN looks at them again after this time, ps.
 */
#define QMAN_LOOK_PS	1000000

/* Members of the round of a class, see qman_fair_pick(). */
#define SHARE_HOST	0
#define SHARE_TRANSIT	1

/**
 * struct qman_ets - transmission selection of a port
 * @prio_tc: traffic class of a priority
 * @tsa: enum parq_tsa of a traffic class
 * @bw: weight of an ETS traffic class, percent
 * @maxrate: limit of a traffic class, kbit/s; 0 is none
 * @port_rate: the same for the port
 */
struct qman_ets {
	u8 prio_tc[PARQ_NUM_PRIO];
	u8 tsa[PARQ_NUM_TC];
	u8 bw[PARQ_NUM_TC];
	u32 maxrate[PARQ_NUM_TC];
	u32 port_rate;
};

/**
 * struct qman_class - one (port, priority)
 * @queues: enabled queues of the class that have work
 * @transit: transit frames that wait to be fetched
 * @share: bytes that host frames and transit frames may each still send, see qman_fair_pick()
 * @last_share: which of them sent last
 * @in_flight: FDs in the pipeline and in the park queue
 * @ahead: bytes on the wire of its FDs between QMAN and wire
 * @limit: maximum of @in_flight: entries of the park queue
 * @order: order of the next FD
 * @last_queue: queue that sent last, see qman_fair_pick()
 * @halt: HALT is high
 */
struct qman_class {
	u64 queues;
	struct transit_fifo transit;
	s32 share[2];
	u8 last_share;
	u32 in_flight;
	u32 ahead;
	u32 limit;
	u32 order;
	u8 last_queue;
	bool halt;
};

/**
 * struct qman_port - one port
 * @qm: the stage
 * @ets: settings in force
 * @cls: by priority
 * @txq: by number
 * @enabled: queues that are enabled
 * @rung: tail doorbells as last read, by queue
 * @rang: queues whose doorbell is to be read, if the host tells; written in any context
 * @queued: BIT(priority) that has queues with work, or transit frames
 * @under_way: BIT(priority) that has FDs between QMAN and wire
 * @credits: FDs that may still enter the pipeline
 * @vtime: service received by an ETS traffic class, bytes over weight; wraps
 * @vclock: @vtime of the class served last; a class that becomes active starts here
 * @ets_active: traffic classes that had frames at the last decision
 * @launch: queues that wait for the launch time of their next frame
 * @shaper: rate limits, by traffic class
 * @port_shaper: rate limit of the port
 * @last_prio: priority served last in each traffic class, see qman_fair_pick()
 * @prio_allowance: bytes that a priority may still send in this round of its traffic class
 * @queue_allowance: the same for a queue among those of its priority
 * @max_len: longest frame without FCS, tags included
 * @low: BIT(priority) that Pause Low stops
 * @en: PARQ_PORT_CTRL_EN
 */
struct qman_port {
	struct qman *qm;
	struct qman_ets ets;
	struct qman_class cls[PARQ_NUM_PRIO];
	struct txq txq[PARQ_MAX_TXQ];
	u64 enabled;
	u32 rung[PARQ_MAX_TXQ];
	u64 rang;
	u8 queued;
	u8 under_way;
	u32 credits;
	u64 vtime[PARQ_NUM_TC];
	u64 vclock;
	u8 ets_active;
	struct launch launch;
	struct shaper shaper[PARQ_NUM_TC];
	struct shaper port_shaper;
	u8 last_prio[PARQ_NUM_TC];
	s32 prio_allowance[PARQ_NUM_PRIO];
	s32 queue_allowance[PARQ_MAX_TXQ];
	u32 max_len;
	u8 low;
	bool en;
};

/**
 * struct qman_up - questions to the later stages
 * @ctx: first argument of each callback
 * @wire_free: end of the frame on a port's wire, ps; the present time if idle
 * @wire_ps: time of @bytes on that wire, ps
 * @sends: whether the gate would now send FDs of a class that are under way
 */
struct qman_up {
	void *ctx;
	u64 (*wire_free)(void *ctx, u32 port);
	u64 (*wire_ps)(void *ctx, u32 port, u64 bytes);
	bool (*sends)(void *ctx, u32 port, u32 prio);
};

/**
 * struct qman_pipe - what fetches for the ports of a pipe: one FD a clock
 * @qm: the stage
 * @tick: the next fetch; set only while there is work
 * @free_at: not before: an FD takes a clock
 * @ports: BIT_ULL(port) of its ports
 * @last_port: port that was served last
 */
struct qman_pipe {
	struct qman *qm;
	struct timer tick;
	u64 free_at;
	u64 ports;
	u8 last_port;
};

struct qman {
	const struct bus *bus;
	struct clock *clock;
	const struct ptp *ptp;
	struct irq *irq;
	struct events *events;
	struct qmi *qmi;
	struct parq_stats *stats;
	struct transit *transit;
	u32 *db;
	bool rings;		/* see struct parqsim_config */
	u64 queued;		/* BIT(port) that has queues with work */
	u64 enabled;		/* BIT(port) that has enabled queues */
	u64 rang;		/* BIT(port) with a bit in its @rang; written in any context */
	u64 looked_at;		/* time of the last look at the doorbells */
	struct qman_up up;
	u64 lead_ps;		/* longest time from fetch to wire */
	u64 pipe_ps;		/* shortest */
	u32 clk_ps;
	u32 depth;
	u8 ports;
	struct qman_pipe *pipe;	/* by port / PARQSIM_PIPE_PORTS */
	struct qman_port *port;
};

void qman_init(struct qman *qm);
void qman_reset(struct qman *qm);

/* Traffic class of a priority. */
static inline u32 qman_tc(const struct qman *qm, u32 port, u32 prio)
{
	return qm->port[port].ets.prio_tc[prio];
}

/* Called by registers and doorbells. */
void qman_txq_enable(struct qman *qm, u32 port, u32 queue);
void qman_txq_disable(struct qman *qm, u32 port, u32 queue);
bool qman_txq_next(struct qman *qm, u32 port, u32 queue);
bool qman_ring(struct qman *qm, u32 port, u64 queues);
bool qman_poll(struct qman *qm);
bool qman_rang(const struct qman *qm);
void qman_ets_set(struct qman *qm, u32 port, const struct qman_ets *ets);
void qman_limit(struct qman *qm, u32 port, u32 prio, u32 limit);
void qman_port_enable(struct qman *qm, u32 port, bool en);
void qman_ptp_changed(struct qman *qm);
void qman_port_purge(struct qman *qm, u32 port);

/* Called by the other stages. */
void qman_transit(struct qman *qm, u32 port, u32 prio, u32 desc);
struct transit_fifo qman_transit_extract(struct qman *qm, u32 port, u32 prio, u32 domain);
void qman_halt(struct qman *qm, u32 port, u32 prio, bool on);
void qman_pause_low(struct qman *qm, u32 port, u8 prios);
void qman_kick(struct qman *qm, u32 port);
void qman_left_pipe(struct qman *qm, const struct fd *fd, bool sent);
void qman_credit_taken(struct qman *qm, const struct fd *fd);
void qman_ring_refused(struct qman *qm, const struct fd *fd);
void qman_complete(struct qman *qm, const struct fd *fd, bool sent);
void qman_gone(struct qman *qm, const struct fd *fd, bool dma);

#endif /* _PARQSIM_QMAN_H */
