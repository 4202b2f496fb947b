// SPDX-License-Identifier: GPL-2.0
/*
 * The first stage of a NIC without park queues: a pause goes straight to the gate and, as
 * HALT, to the QMAN. There is no state machine.
 */
#include "bmi.h"
#include "plain.h"
#include "qmi.h"

void qmi_pause(struct qmi *q, u32 port, u32 prio, enum qmi_pause what, u32 quanta)
{
	struct gate *gate = q->port[port].cls[prio].gate;

	gate->pause = what == QMI_PAUSE_OBEYED;
	q->up.halt(q->up.ctx, port, prio, gate->pause);
	gate_changed(q->bmi->nti, port, prio);
	q->up.kick(q->up.ctx, port);
}

bool qmi_sends(const struct qmi *q, u32 port, u32 prio)
{
	return gate_sends(q->bmi->nti, port, prio);
}

void qmi_admit(struct qmi *q, const struct fd *fd)
{
	bmi_push(q->bmi, fd);
}

void qmi_reset(struct qmi *q)
{
}

/* ---- nothing is ever parked ---------------------------------------------- */

bool qmi_flush_ready(const struct qmi *q, u32 port, u32 prio)
{
	return false;
}

void qmi_flush_next(struct qmi *q, u32 port, u32 prio)
{
}

void qmi_recycle(struct qmi *q, const struct fd *fd)
{
}

void qmi_reinjected(struct qmi *q, const struct fd *fd)
{
}

void qmi_repaused(struct qmi *q, u32 port, u32 prio)
{
}

void qmi_park_set(struct qmi *q, u32 port, u32 prio, u64 base, u8 log2, bool en)
{
	/* PFC cannot be switched on without one. */
	q->port[port].cls[prio].en = en;
}

void qmi_command(struct qmi *q, u32 port, u32 prio, u32 op, u8 seq)
{
}

void qmi_executor(struct qmi *q, u32 port, bool offload)
{
}

void qmi_transit_purge(struct qmi *q, u32 port, u32 prio, u32 domain)
{
}

void qmi_port_purge(struct qmi *q, u32 port)
{
}

void qmi_publish(struct qmi *q, u32 port, u32 prio)
{
}

u64 qmi_levels(const struct qmi *q, u32 port, u32 prio)
{
	return 0;
}
