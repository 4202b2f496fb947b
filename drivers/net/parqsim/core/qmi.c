// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>

#include "../../ethernet/parq/parq_pause_fsm.h"
#include "bmi.h"
#include "nti.h"
#include "qmi.h"

static struct qmi_class *class_of(struct qmi *q, u32 port, u32 prio)
{
	return &q->port[port].cls[prio];
}

static void log_event(struct qmi *q, u32 type, u32 port, u32 prio, u32 index,
		      u32 a, u32 b)
{
	struct parq_event e = {
		.type = type,
		.port = port,
		.prio = prio,
		.index = index,
		.a = cpu_to_le32(a),
		.b = cpu_to_le32(b),
	};

	if (!event_log(q->events, &e))
		stat_add(&q->stats[port].event_lost, 1);
}

/* ---- levels ------------------------------------------------------------- */

/* Parked FDs of a class: in the host's park queue, and on the device. */
static u32 depth_of(const struct qmi_class *c)
{
	return c->tail - c->head + c->transit.count;
}

/**
 * qmi_levels() - build the levels word of a class
 * @q: the stage
 * @port: its port
 * @prio: its priority
 *
 * Return: PARQ_LEVELS_*
 */
u64 qmi_levels(const struct qmi *q, u32 port, u32 prio)
{
	const struct qmi_class *c = &q->port[port].cls[prio];
	u32 depth = depth_of(c);

	return (c->gate->pause ? PARQ_LEVELS_PAUSE : 0) |
	       (c->gate->hold ? PARQ_LEVELS_HOLD : 0) |
	       (c->gate->repaused ? PARQ_LEVELS_REPAUSED : 0) |
	       (c->halt ? PARQ_LEVELS_HALT : 0) |
	       (c->halt_ack ? PARQ_LEVELS_HALT_ACK : 0) |
	       (c->flushing ? PARQ_LEVELS_FLUSHING : 0) |
	       (depth ? PARQ_LEVELS_PARKED : 0) |
	       (c->gate->storm ? PARQ_LEVELS_STORM : 0) |
	       FIELD_PREP(PARQ_LEVELS_STATE, c->state) |
	       FIELD_PREP(PARQ_LEVELS_ACK, c->ack) |
	       FIELD_PREP(PARQ_LEVELS_DEPTH, depth);
}

/**
 * qmi_publish() - write the status page entry of a class
 * @q: the stage
 * @port: its port
 * @prio: its priority
 *
 * Counters are written before the levels, so a host that sees new levels sees the
 * counters that belong to them.
 */
void qmi_publish(struct qmi *q, u32 port, u32 prio)
{
	const struct parq_prio_stats *s = &q->stats[port].prio[prio];
	const struct qmi_class *c = class_of(q, port, prio);
	struct parq_pfc_status st = {
		.park_head = cpu_to_le32(c->head),
		.park_tail = cpu_to_le32(c->tail),
		.parked = s->parked,
		.reinjected = s->reinjected,
		.passes = s->passes,
		.repauses = s->repauses,
		.pause_ns = s->rx_pause_ns,
		.storms = s->rx_pause_storm,
	};
	u64 line = q->port[port].status;

	if (!line)
		return;
	line += offsetof(struct parq_status, pfc) + prio * sizeof(st);
	bus_write(q->bus, line + sizeof(st.levels), &st.park_head,
		  sizeof(st) - sizeof(st.levels));
	bus_write64(q->bus, line, qmi_levels(q, port, prio));
}

static void set_flushing(struct qmi *q, u32 port, u32 prio, bool on)
{
	struct qmi_port *p = &q->port[port];

	p->cls[prio].flushing = on;
	if (on)
		p->flushing |= BIT(prio);
	else
		p->flushing &= ~BIT(prio);
	if (p->flushing)
		q->flushing |= BIT_ULL(port);
	else
		q->flushing &= ~BIT_ULL(port);
}

/* ---- FSM ---------------------------------------------------------------- */

static void push_marker(struct qmi *q, u32 port, u32 prio, u8 flags)
{
	struct fd marker = {
		.port = port,
		.prio = prio,
		.queue = FD_NO_QUEUE,
		.flags = flags | PARQ_FD_MARKER,
	};

	bmi_push(bmi_of(q->bmi, port), &marker);
}

static void do_halt(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);

	if (!c->gate->hold || c->halt)
		return;
	c->halt = true;
	q->up.halt(q->up.ctx, port, prio, true);
	/* The pipe-cleaner: every FD of the class is ahead of it. */
	push_marker(q, port, prio, 0);
}

static void do_flush(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);

	if (!c->halt_ack || c->flushing || !depth_of(c))
		return;
	set_flushing(q, port, prio, true);
	c->pass_end = c->tail;
	c->pass_transit = c->transit.count;
	c->in_pass = depth_of(c);
	stat_add(&q->stats[port].prio[prio].passes, 1);
	log_event(q, PARQ_EV_PASS, port, prio, 0, c->in_pass, 1);
	q->up.kick(q->up.ctx, port);
}

/* Checks and releases in one step, so that a new PAUSE always wins. */
static void do_release(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);

	if (!c->halt_ack || c->flushing || depth_of(c) || c->gate->pause)
		return;
	c->gate->hold = false;
	c->halt = false;
	c->halt_ack = false;
	q->up.halt(q->up.ctx, port, prio, false);
}

static void execute(struct qmi *q, u32 port, u32 prio, enum parq_pfc_op op)
{
	switch (op) {
	case PARQ_PFC_HALT:
		do_halt(q, port, prio);
		break;
	case PARQ_PFC_FLUSH:
		do_flush(q, port, prio);
		break;
	case PARQ_PFC_RELEASE:
		do_release(q, port, prio);
		break;
	default:
		break;
	}
}

/* A level has changed: runs the FSM here, or informs the host that runs it. */
static void settle(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);
	struct parq_fsm_next next;

	qmi_publish(q, port, prio);
	if (!q->port[port].offload) {
		event_poke(q->events);
		return;
	}
	for (;;) {
		next = parq_fsm_step(c->state, qmi_levels(q, port, prio), false);
		if (next.state == c->state && next.op == PARQ_PFC_NOP)
			return;
		log_event(q, PARQ_EV_FSM, port, prio, 0, next.state, c->state);
		c->state = next.state;
		execute(q, port, prio, next.op);
		qmi_publish(q, port, prio);
	}
}

static void set_storm(struct qmi *q, u32 port, u32 prio, bool on)
{
	struct qmi_class *c = class_of(q, port, prio);

	if (c->gate->storm == on)
		return;
	c->gate->storm = on;
	stat_add(&q->stats[port].prio[prio].rx_pause_storm, on);
	log_event(q, PARQ_EV_STORM, port, prio, 0, on, depth_of(c));
}

/* HOLD is latched in the same instant as PAUSE. Only a release clears it. */
static void set_pause(struct qmi *q, u32 port, u32 prio, bool on, u32 quanta)
{
	struct qmi_class *c = class_of(q, port, prio);

	if (c->gate->pause == on)
		return;
	c->gate->pause = on;
	if (on)
		c->gate->hold = true;
	log_event(q, PARQ_EV_PAUSE, port, prio, 0, on, quanta);
}

/**
 * qmi_pause() - the pause of a class has changed
 * @q: the stage
 * @port: its port
 * @prio: its priority
 * @what: whether a pause is running and obeyed
 * @quanta: time of the pause, for the event log only
 */
void qmi_pause(struct qmi *q, u32 port, u32 prio, enum qmi_pause what,
	       u32 quanta)
{
	set_storm(q, port, prio, what == QMI_PAUSE_STORM);
	set_pause(q, port, prio, what == QMI_PAUSE_OBEYED, quanta);
	settle(q, port, prio);
	q->up.kick(q->up.ctx, port);
}

/* ---- park queue --------------------------------------------------------- */

static u64 park_addr(const struct qmi_class *c, u32 pos)
{
	return c->base + sizeof(struct parq_fd) * (pos & (BIT(c->log2) - 1));
}

static void fd_pack(const struct fd *fd, struct parq_fd *w)
{
	*w = (struct parq_fd){
		.port = fd->port,
		.prio = fd->prio,
		.queue = fd->queue,
		.flags = fd->flags,
		.pos = cpu_to_le32(fd->pos),
		.ndesc = cpu_to_le16(fd->ndesc),
		.seg = cpu_to_le16(fd->seg),
		.len = cpu_to_le16(fd->len),
		.epoch = cpu_to_le16(fd->epoch),
		.order = cpu_to_le32(fd->order),
		.time = cpu_to_le64(fd->time),
	};
}

static void fd_unpack(const struct parq_fd *w, struct fd *fd)
{
	*fd = (struct fd){
		.port = w->port,
		.prio = w->prio,
		.queue = w->queue,
		.flags = w->flags & (PARQ_FD_LAST | PARQ_FD_DROP),
		.pos = le32_to_cpu(w->pos),
		.ndesc = le16_to_cpu(w->ndesc),
		.seg = le16_to_cpu(w->seg),
		.len = le16_to_cpu(w->len),
		.epoch = le16_to_cpu(w->epoch),
		.order = le32_to_cpu(w->order),
		.time = le64_to_cpu(w->time),
	};
}

static bool park_in_host(struct qmi *q, struct qmi_class *c, const struct fd *fd)
{
	struct parq_fd w;

	fd_pack(fd, &w);
	if (!bus_write(q->bus, park_addr(c, c->tail), &w, sizeof(w)))
		return false;
	c->tail++;
	return true;
}

/* Transit frames do not depend on the host, so their FDs stay on the device. */
static void park_transit(struct qmi *q, struct qmi_class *c, const struct fd *fd)
{
	struct transit_desc *d = &q->transit->desc[fd->pos];

	d->order = fd->order;
	d->time = fd->time;
	transit_push(q->transit, &c->transit, fd->pos);
}

static void park(struct qmi *q, const struct fd *fd)
{
	struct qmi_class *c = class_of(q, fd->port, fd->prio);
	struct parq_prio_stats *s = &q->stats[fd->port].prio[fd->prio];
	bool was_empty = !depth_of(c);
	u32 depth;

	if (fd->queue == FD_TRANSIT) {
		park_transit(q, c, fd);
	} else if (!park_in_host(q, c, fd)) {
		q->up.gone(q->up.ctx, fd, NTI_DROP_DMA);
		return;
	}
	depth = depth_of(c);
	stat_add(&s->parked, 1);
	s->park_depth = cpu_to_le64(depth);
	if (depth > le64_to_cpu(s->park_high))
		s->park_high = cpu_to_le64(depth);
	log_event(q, PARQ_EV_PARK, fd->port, fd->prio, fd->queue, fd->order,
		  depth);
	if (was_empty)
		settle(q, fd->port, fd->prio);
}

static void marker_returned(struct qmi *q, const struct fd *fd)
{
	struct qmi_class *c = class_of(q, fd->port, fd->prio);

	if (fd->flags & PARQ_FD_FLUSH) {
		set_flushing(q, fd->port, fd->prio, false);
		c->gate->repaused = false;
		log_event(q, PARQ_EV_PASS, fd->port, fd->prio, 0, c->in_pass, 0);
	} else {
		c->halt_ack = true;
	}
	settle(q, fd->port, fd->prio);
}

/**
 * qmi_recycle() - accept an FD or a marker from the recycle path
 * @q: the stage
 * @fd: an FD to park, or a marker
 */
void qmi_recycle(struct qmi *q, const struct fd *fd)
{
	if (fd->flags & PARQ_FD_MARKER)
		marker_returned(q, fd);
	else
		park(q, fd);
}

/* Counts an FD of a flush pass that has passed the gate. */
void qmi_reinjected(struct qmi *q, const struct fd *fd)
{
	const struct qmi_class *c = class_of(q, fd->port, fd->prio);

	stat_add(&q->stats[fd->port].prio[fd->prio].reinjected, 1);
	log_event(q, PARQ_EV_REINJECT, fd->port, fd->prio, fd->queue, fd->order,
		  depth_of(c));
}

/* Counts a pass that the gate has turned back. */
void qmi_repaused(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);

	stat_add(&q->stats[port].prio[prio].repauses, 1);
	log_event(q, PARQ_EV_PASS, port, prio, 0, c->in_pass, 2);
	settle(q, port, prio);
}

/* ---- admission ---------------------------------------------------------- */

void qmi_admit(struct qmi *q, const struct fd *fd)
{
	bmi_push(bmi_of(q->bmi, fd->port), fd);
}

bool qmi_flush_ready(const struct qmi *q, u32 port, u32 prio)
{
	const struct qmi_class *c = &q->port[port].cls[prio];

	return c->flushing && (c->head != c->pass_end || c->pass_transit);
}

/* Whether the gate would send an FD of the class if one arrived now. */
bool qmi_sends(const struct qmi *q, u32 port, u32 prio)
{
	const struct qmi_class *c = &q->port[port].cls[prio];
	const struct gate *g = c->gate;

	if (gate_drops(g))
		return false;
	return !g->hold || (c->flushing && !g->pause && !g->repaused);
}

/*
 * Park queues are in host memory: an entry must be valid before it is used. A malformed
 * frame may have any number of descriptors, because they are not read again.
 */
static bool fd_is_ours(const struct fd *fd, u32 port, u32 prio)
{
	return fd->port == port && fd->prio == prio &&
	       fd->queue < PARQ_MAX_TXQ && fd->ndesc &&
	       (fd->ndesc <= PARQ_TX_MAX_DESC + 1 ||
		(fd->flags & PARQ_FD_DROP)) &&
	       fd->seg < PARQ_TX_MAX_SEGS;
}

/* Reads the host's next FD of a pass. Return: false if the host refused. */
static bool host_next(struct qmi *q, const struct qmi_class *c, struct fd *fd)
{
	struct parq_fd w;

	if (!bus_read(q->bus, park_addr(c, c->head), &w, sizeof(w)))
		return false;
	fd_unpack(&w, fd);
	return true;
}

static struct fd transit_fd(const struct qmi *q, u32 port, u32 prio, u32 pos)
{
	const struct transit_desc *d = &q->transit->desc[pos];

	return (struct fd){
		.port = port,
		.prio = prio,
		.queue = FD_TRANSIT,
		.flags = PARQ_FD_LAST,
		.pos = pos,
		.len = d->len,
		.order = d->order,
		.domain = d->domain,
		.time = d->time,
	};
}

static void reinject(struct qmi *q, struct fd *fd)
{
	fd->flags |= PARQ_FD_FLUSH;
	q->up.admitted(q->up.ctx, fd);
	bmi_push(bmi_of(q->bmi, fd->port), fd);
}

/* @ok: the host let its FD be read. */
static void flush_host(struct qmi *q, u32 port, u32 prio, struct fd *fd, bool ok)
{
	class_of(q, port, prio)->head++;
	if (!ok || !fd_is_ours(fd, port, prio)) {
		*fd = (struct fd){ .port = port, .prio = prio, .queue = FD_NO_QUEUE };
		q->up.gone(q->up.ctx, fd, NTI_DROP_PARK);
	} else if (q->up.epoch(q->up.ctx, port, fd->queue) != fd->epoch) {
		q->up.gone(q->up.ctx, fd, NTI_DROP_PURGE);
	} else {
		reinject(q, fd);
	}
}

static void flush_transit(struct qmi *q, u32 port, u32 prio, struct fd *fd)
{
	struct qmi_class *c = class_of(q, port, prio);

	transit_pop(q->transit, &c->transit);
	c->pass_transit--;
	reinject(q, fd);
}

/* Some of the FDs of a running pass have left the park queues. */
static void pass_moved(struct qmi *q, u32 port, u32 prio)
{
	struct qmi_class *c = class_of(q, port, prio);

	q->stats[port].prio[prio].park_depth = cpu_to_le64(depth_of(c));
	if (!qmi_flush_ready(q, port, prio))
		push_marker(q, port, prio, PARQ_FD_FLUSH);
	if (!depth_of(c))
		settle(q, port, prio);
}

/**
 * qmi_flush_next() - read the next FD of a running pass and push it into the pipeline
 * @q: the stage
 * @port: a port with a credit
 * @prio: a class for which qmi_flush_ready() is true
 *
 * Of host frames and transit frames the one that was fetched first goes first.
 */
void qmi_flush_next(struct qmi *q, u32 port, u32 prio)
{
	const struct qmi_class *c = class_of(q, port, prio);
	bool host = c->head != c->pass_end, ok;
	struct fd fd, transit;

	if (c->pass_transit)
		transit = transit_fd(q, port, prio, c->transit.head);
	ok = host && host_next(q, c, &fd);
	if (c->pass_transit && (!host || (ok && (s32)(transit.order - fd.order) < 0)))
		flush_transit(q, port, prio, &transit);
	else
		flush_host(q, port, prio, &fd, ok);
	pass_moved(q, port, prio);
}

/* ---- software's side ---------------------------------------------------- */

void qmi_park_set(struct qmi *q, u32 port, u32 prio, u64 base, u8 log2, bool en)
{
	struct qmi_class *c = class_of(q, port, prio);

	c->base = base;
	c->log2 = log2;
	c->en = en;
	c->head = 0;
	c->tail = 0;
}

void qmi_command(struct qmi *q, u32 port, u32 prio, u32 op, u8 seq)
{
	struct qmi_class *c = class_of(q, port, prio);

	execute(q, port, prio, op);
	c->ack = seq;
	settle(q, port, prio);
}

/* Changes the executor. The FSM continues where the old executor left it. */
void qmi_executor(struct qmi *q, u32 port, bool offload)
{
	struct qmi_class *c;
	u32 prio;

	if (q->port[port].offload == offload)
		return;
	q->port[port].offload = offload;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		c = class_of(q, port, prio);
		c->state = offload ?
			   parq_fsm_resume(qmi_levels(q, port, prio)) :
			   PARQ_FSM_IDLE;
		settle(q, port, prio);
	}
}

/**
 * qmi_transit_purge() - drop the parked transit frames of a class
 * @q: the stage
 * @port: its port
 * @prio: its priority
 * @domain: as of transit_extract()
 */
void qmi_transit_purge(struct qmi *q, u32 port, u32 prio, u32 domain)
{
	struct qmi_class *c = class_of(q, port, prio);
	bool in_pass = qmi_flush_ready(q, port, prio);
	struct transit_fifo taken;
	struct fd fd;

	taken = transit_extract(q->transit, &c->transit, domain, &c->pass_transit);
	if (!taken.count)
		return;
	while (taken.count) {
		fd = transit_fd(q, port, prio, transit_pop(q->transit, &taken));
		q->up.gone(q->up.ctx, &fd, NTI_DROP_PURGE);
	}
	if (in_pass) {
		pass_moved(q, port, prio);
		return;
	}
	q->stats[port].prio[prio].park_depth = cpu_to_le64(depth_of(c));
	settle(q, port, prio);
}

/**
 * qmi_port_purge() - drop the parked FDs of a stopped port and reset its FSMs
 * @q: the stage
 * @port: the port
 *
 * The caller has purged the pipeline and removed the status page.
 */
void qmi_port_purge(struct qmi *q, u32 port)
{
	struct qmi_class *c;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct fd fd = { .port = port, .prio = prio,
				 .queue = FD_NO_QUEUE };

		c = class_of(q, port, prio);
		for (; c->head != c->tail; c->head++)
			q->up.gone(q->up.ctx, &fd, NTI_DROP_PURGE);
		q->stats[port].prio[prio].park_depth = 0;
		c->gate->hold = false;
		c->gate->repaused = false;
		set_flushing(q, port, prio, false);
		*c = (struct qmi_class){ .gate = c->gate };
	}
}

void qmi_reset(struct qmi *q)
{
	u32 port, prio;

	q->flushing = 0;
	for (port = 0; port < q->ports; port++) {
		q->port[port].status = 0;
		q->port[port].flushing = 0;
		q->port[port].offload = false;
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			struct qmi_class *c = class_of(q, port, prio);

			*c = (struct qmi_class){ .gate = c->gate };
		}
	}
}
