/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QMI, the first stage: admits FDs to the pipeline, parks FDs that come back over the
 * recycle path, reads them again in a flush pass, and runs the pause FSM of each
 * (port, priority) or reports the levels to a host that runs it.
 */
#ifndef _PARQSIM_QMI_H
#define _PARQSIM_QMI_H

#include "event.h"
#include "fd.h"
#include "transit.h"

struct bmi;
struct gate;

/**
 * struct qmi_class - one (port, priority)
 * @gate: its gate at the NTI, which has PAUSE and HOLD
 * @base: address of the park queue
 * @head: position read next
 * @tail: position written next
 * @transit: parked transit frames, on the device
 * @pass_end: end of the running pass; this position is not part of it
 * @pass_transit: those of @transit that belong to the running pass
 * @in_pass: number of FDs when the running pass began
 * @log2: log2 of the park queue's entries
 * @state: state of the FSM, if the device runs it
 * @ack: SEQ of the host's last command
 * @en: a park queue is set up
 * @halt: HALT
 * @halt_ack: HALT_ACK
 * @flushing: a pass is running
 */
struct qmi_class {
	struct gate *gate;
	u64 base;
	u32 head;
	u32 tail;
	struct transit_fifo transit;
	u32 pass_end;
	u32 pass_transit;
	u32 in_pass;
	u8 log2;
	u8 state;
	u8 ack;
	bool en;
	bool halt;
	bool halt_ack;
	bool flushing;
};

/* Whether a pause of the link partner is running and obeyed. */
enum qmi_pause {
	QMI_PAUSE_NONE,		/* none is running */
	QMI_PAUSE_OBEYED,
	QMI_PAUSE_STORM,	/* one is running, for too long to be obeyed */
};

struct qmi_port {
	struct qmi_class cls[PARQ_NUM_PRIO];
	u64 status;		/* address of struct parq_status, 0 for none */
	u8 flushing;		/* BIT(priority) with a flush pass */
	bool offload;
};

/**
 * struct qmi_up - callbacks to the stage above
 * @ctx: first argument of each callback
 * @halt: HALT of a class has changed
 * @kick: a flush pass may have FDs to admit, or a gate has opened
 * @admitted: an FD from a park queue has entered the pipeline
 * @gone: a parked FD was dropped; the last argument is the reason (enum nti_end); an
 *	invalid FD has FD_NO_QUEUE
 * @epoch: current epoch of a queue, or -1 if it is disabled
 */
struct qmi_up {
	void *ctx;
	void (*halt)(void *ctx, u32 port, u32 prio, bool on);
	void (*kick)(void *ctx, u32 port);
	void (*admitted)(void *ctx, const struct fd *fd);
	void (*gone)(void *ctx, const struct fd *fd, int reason);
	int (*epoch)(void *ctx, u32 port, u32 queue);
};

struct qmi {
	const struct bus *bus;
	struct clock *clock;
	struct events *events;
	struct parq_stats *stats;
	struct transit *transit;
	struct bmi *bmi;	/* pipelines, by port / PARQSIM_PIPE_PORTS */
	struct qmi_up up;
	u64 flushing;		/* BIT(port) with a flush pass */
	u8 ports;
	struct qmi_port *port;
};

void qmi_reset(struct qmi *q);

/* Called by the registers. */
void qmi_park_set(struct qmi *q, u32 port, u32 prio, u64 base, u8 log2, bool en);
void qmi_command(struct qmi *q, u32 port, u32 prio, u32 op, u8 seq);
void qmi_executor(struct qmi *q, u32 port, bool offload);
void qmi_port_purge(struct qmi *q, u32 port);
void qmi_transit_purge(struct qmi *q, u32 port, u32 prio, u32 domain);
void qmi_publish(struct qmi *q, u32 port, u32 prio);
u64 qmi_levels(const struct qmi *q, u32 port, u32 prio);

/* Called by the other stages. */
void qmi_admit(struct qmi *q, const struct fd *fd);
bool qmi_flush_ready(const struct qmi *q, u32 port, u32 prio);
bool qmi_sends(const struct qmi *q, u32 port, u32 prio);
void qmi_flush_next(struct qmi *q, u32 port, u32 prio);
void qmi_pause(struct qmi *q, u32 port, u32 prio, enum qmi_pause what,
	       u32 quanta);
void qmi_recycle(struct qmi *q, const struct fd *fd);
void qmi_reinjected(struct qmi *q, const struct fd *fd);
void qmi_repaused(struct qmi *q, u32 port, u32 prio);

#endif /* _PARQSIM_QMI_H */
