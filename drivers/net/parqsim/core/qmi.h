/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QMI, the first stage: admits FDs to the pipeline, parks what comes back over
 * the recycle path, reads it again in a flush pass, and holds the pause FSM of each
 * (port, priority), or the levels for a host that runs it.
 */
#ifndef _PARQSIM_QMI_H
#define _PARQSIM_QMI_H

#include "event.h"
#include "fd.h"

struct bmi;
struct gate;

/**
 * struct qmi_class - one (port, priority)
 * @gate: its gate at the NTI; PAUSE and HOLD live there
 * @base: of the park queue
 * @head: position read next
 * @tail: position written next
 * @pass_end: first position that the running pass leaves alone
 * @in_pass: FDs the running pass began with
 * @log2: of the park queue's entries
 * @state: of the FSM, if the device runs it
 * @ack: SEQ of the host's last command
 * @en: there is a park queue
 * @halt: HALT
 * @halt_ack: HALT_ACK
 * @flushing: a pass runs
 */
struct qmi_class {
	struct gate *gate;
	u64 base;
	u32 head;
	u32 tail;
	u32 pass_end;
	u32 in_pass;
	u8 log2;
	u8 state;
	u8 ack;
	bool en;
	bool halt;
	bool halt_ack;
	bool flushing;
};

/* What becomes of a pause that the other end asks for. */
enum qmi_pause {
	QMI_PAUSE_NONE,		/* it asks for none */
	QMI_PAUSE_OBEYED,
	QMI_PAUSE_STORM,	/* too long to be obeyed */
};

struct qmi_port {
	struct qmi_class cls[PARQ_NUM_PRIO];
	u64 status;		/* of struct parq_status, 0 for none */
	bool offload;
};

/**
 * struct qmi_up - what the QMI tells the stage above it
 * @ctx: goes with each call
 * @halt: HALT of a class has changed
 * @kick: there is something to admit
 * @admitted: an FD from a park queue has entered the pipeline
 * @gone: a parked FD is no more, and why (enum nti_end); one that cannot be
 *	believed has FD_NO_QUEUE
 * @epoch: the present epoch of a queue, or -1 if it is disabled
 */
struct qmi_up {
	void *ctx;
	void (*halt)(void *ctx, u32 port, u32 prio, bool on);
	void (*kick)(void *ctx);
	void (*admitted)(void *ctx, const struct fd *fd);
	void (*gone)(void *ctx, const struct fd *fd, int why);
	int (*epoch)(void *ctx, u32 port, u32 queue);
};

struct qmi {
	const struct bus *bus;
	struct clock *clock;
	struct events *events;
	struct parq_stats *stats;
	struct bmi *bmi;
	struct qmi_up up;
	struct qmi_port port[PARQ_MAX_PORTS];
};

void qmi_reset(struct qmi *q);

/* Software's side. */
void qmi_park_set(struct qmi *q, u32 port, u32 prio, u64 base, u8 log2, bool en);
void qmi_command(struct qmi *q, u32 port, u32 prio, u32 op, u8 seq);
void qmi_executor(struct qmi *q, u32 port, bool offload);
void qmi_port_purge(struct qmi *q, u32 port);
void qmi_publish(struct qmi *q, u32 port, u32 prio);
u64 qmi_levels(const struct qmi *q, u32 port, u32 prio);

/* The stages' side. */
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
