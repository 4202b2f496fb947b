// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>

#include "nti.h"
#include "qman.h"
#include "qman_ets.h"
#include "qmi.h"

#define WIRE_OVERHEAD	24	/* preamble, FCS and gap: ETS shares wire time */
#define WIRE_MIN	60	/* shorter frames are padded */
#define QMAN_NEVER	(~0ULL)

static struct qman_class *class_of(struct qman *qm, u32 port, u32 prio)
{
	return &qm->port[port].cls[prio];
}

static u32 db_index(u32 port, u32 queue, u32 reg)
{
	return (PARQ_DB_TX(port, queue) + reg) / sizeof(u32);
}

static u32 db_read(const struct qman *qm, u32 port, u32 queue, u32 reg)
{
	return __atomic_load_n(&qm->db[db_index(port, queue, reg)],
			       __ATOMIC_ACQUIRE);
}

static void db_clear(struct qman *qm, u32 port, u32 queue)
{
	__atomic_store_n(&qm->db[db_index(port, queue, PARQ_DB_TAIL)], 0,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&qm->db[db_index(port, queue, PARQ_DB_ARM)], 0,
			 __ATOMIC_RELAXED);
}

/* ---- queues ------------------------------------------------------------- */

static void queue_work_changed(struct qman *qm, u32 port, u32 queue)
{
	const struct txq *q = &qm->port[port].txq[queue];
	struct qman_class *c = class_of(qm, port, q->prio);

	if (txq_has_work(q)) {
		c->queues |= BIT_ULL(queue);
		qman_kick(qm);
	} else {
		c->queues &= ~BIT_ULL(queue);
	}
}

/* A queue stops for one reason; what fails after that is not reported. */
static void queue_fails(struct qman *qm, u32 port, u32 queue, enum parq_err err)
{
	struct txq *q = &qm->port[port].txq[queue];
	struct parq_event e = {
		.type = PARQ_EV_QUEUE,
		.port = port,
		.prio = q->prio,
		.index = queue,
		.a = cpu_to_le32(err),
	};

	if (q->err)
		return;
	q->err = err;
	queue_work_changed(qm, port, queue);
	if (!event_log(qm->events, &e))
		stat_add(&qm->stats[port].event_lost, 1);
}

static void write_back(struct qman *qm, u32 port, u32 queue)
{
	const struct txq *q = &qm->port[port].txq[queue];
	u64 state = FIELD_PREP(PARQ_TXW_RING, q->ring & 0xff) |
		    FIELD_PREP(PARQ_TXW_DROPS, q->drops & 0xffffff);

	if (!bus_write64(qm->bus, q->wb, q->head | state << 32))
		queue_fails(qm, port, queue, PARQ_ERR_DMA);
}

/*
 * What was sent of a frame: the host finds it before the head passes the frame. If it
 * cannot be told, the head stays in front of the frame: beyond it lies what was sent.
 */
static void report_drop(struct qman *qm, const struct fd *fd)
{
	struct txq *q = &qm->port[fd->port].txq[fd->queue];
	struct parq_tx_desc status = {
		.addr = cpu_to_le64(q->sent_bytes),
		.info = cpu_to_le64(PARQ_TXS_DROPPED | q->sent),
	};
	u64 at = (fd->pos & (BIT(q->log2) - 1)) * sizeof(status);

	if (!bus_write(qm->bus, q->base + at, &status, sizeof(status))) {
		q->lost = true;
		queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
		return;
	}
	q->drops++;
}

static void count_segment(struct txq *q, const struct fd *fd, bool sent)
{
	if (!sent) {
		q->cut = true;
		return;
	}
	q->sent++;
	q->sent_bytes += fd->len;
}

static void forget_segments(struct txq *q)
{
	q->sent = 0;
	q->sent_bytes = 0;
	q->cut = false;
}

/* The last frame of the old ring is complete: go on with the new one. */
static void queue_switch(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];

	if (!q->next_valid || q->head != q->tail)
		return;
	q->base = q->next_base;
	q->log2 = q->next_log2;
	q->tail = q->next_tail;
	q->next_valid = false;
	q->fetch = 0;
	q->head = 0;
	q->cache_n = 0;
	q->ring++;
	write_back(qm, port, queue);
	irq_raise(qm->irq, q->vec);
	queue_work_changed(qm, port, queue);
}

static bool poll_queue(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];
	u32 *known = q->next_valid ? &q->next_tail : &q->tail;
	u32 base = q->next_valid ? 0 : q->head;
	u32 log2 = q->next_valid ? q->next_log2 : q->log2;
	u32 tail;

	if (q->err)
		return false;
	tail = db_read(qm, port, queue, PARQ_DB_TAIL);
	if (tail == *known)
		return false;
	if (tail - base > BIT(log2) || tail - base < *known - base) {
		queue_fails(qm, port, queue, PARQ_ERR_DOORBELL);
		return true;
	}
	*known = tail;
	queue_work_changed(qm, port, queue);
	return true;
}

static bool poll_port(struct qman *qm, u32 port)
{
	bool rang = false;
	u64 queues;

	for (queues = qm->port[port].enabled; queues; queues &= queues - 1)
		rang |= poll_queue(qm, port, __builtin_ctzll(queues));
	return rang;
}

/**
 * qman_poll() - look at all doorbells
 * @qm: the stage
 *
 * Return: whether one has rung.
 */
bool qman_poll(struct qman *qm)
{
	bool rang = false;
	u32 port;

	for (port = 0; port < qm->ports; port++)
		rang |= poll_port(qm, port);
	return rang;
}

/* Base, write-back address, size, vector and priority are set. */
void qman_txq_enable(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];

	q->tail = 0;
	q->fetch = 0;
	q->head = 0;
	q->ring = 0;
	q->drops = 0;
	forget_segments(q);
	q->frame.nseg = 0;
	q->cache_n = 0;
	q->err = PARQ_ERR_NONE;
	q->lost = false;
	q->mute = false;
	q->next_valid = false;
	q->en = true;
	db_clear(qm, port, queue);
	qm->port[port].enabled |= BIT_ULL(queue);
}

/**
 * qman_txq_disable() - stop fetching from a queue, at once
 * @qm: the stage
 * @port: its port
 * @queue: its number
 *
 * What it has in the pipeline is the caller's to purge; what is parked is recognised by
 * its epoch.
 */
void qman_txq_disable(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];
	struct fd at_head = { .port = port, .queue = queue, .pos = q->head };

	/* Segments of the frame at the head are out, the others will never be. */
	if (q->sent && !q->lost)
		report_drop(qm, &at_head);
	q->en = false;
	q->next_valid = false;
	q->epoch++;
	qm->port[port].enabled &= ~BIT_ULL(queue);
	queue_work_changed(qm, port, queue);
}

/**
 * qman_txq_next() - a new ring will take the place of a queue's
 * @qm: the stage
 * @port: its port
 * @queue: its number; next_base and next_log2 are set
 *
 * Return: false if one is to come already.
 */
bool qman_txq_next(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];

	if (q->next_valid)
		return false;
	poll_queue(qm, port, queue);
	db_clear(qm, port, queue);
	q->next_tail = 0;
	q->next_valid = true;
	queue_switch(qm, port, queue);
	return true;
}

/* ---- when a class may send ---------------------------------------------- */

void qman_ets_set(struct qman *qm, u32 port, const struct qman_ets *ets)
{
	struct qman_port *p = &qm->port[port];
	u32 tc;

	p->ets = *ets;
	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		shaper_set(&p->shaper[tc], qm->clock->now, ets->maxrate[tc]);
	qman_kick(qm);
}

void qman_limit(struct qman *qm, u32 port, u32 prio, u32 limit)
{
	class_of(qm, port, prio)->limit = limit;
	qman_kick(qm);
}

void qman_port_enable(struct qman *qm, u32 port, bool en)
{
	qm->port[port].en = en;
	qman_kick(qm);
}

/* Nothing but its traffic class's rate limit may keep it from being fetched. */
static bool class_wants(const struct qman_port *p, u32 prio)
{
	const struct qman_class *c = &p->cls[prio];

	return c->queues && !c->halt && c->in_flight < c->limit &&
	       !(p->low & BIT(prio));
}

static struct shaper *shaper_of(struct qman_port *p, u32 prio)
{
	return &p->shaper[p->ets.prio_tc[prio]];
}

/* What is parked has been fetched before: only pauses hold it. */
static bool class_ready(struct qman *qm, u32 port, u32 prio)
{
	struct qman_port *p = &qm->port[port];

	return qmi_flush_ready(qm->qmi, port, prio) ||
	       (class_wants(p, prio) &&
		shaper_open(shaper_of(p, prio), qm->clock->now));
}

/* Bytes that the wire of a port has yet to begin with. */
static u64 port_ahead(const struct qman *qm, u32 port)
{
	const struct qman_class *c = qm->port[port].cls;
	u64 ahead = 0;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (c[prio].ahead && qm->up.sends(qm->up.ctx, port, prio))
			ahead += c[prio].ahead;
	return ahead;
}

/*
 * When to fetch for a port. What has been fetched cannot be overtaken, so that is as
 * late as the wire allows: when what is under way will keep it busy for just as
 * long as the next frame needs to get there. QMAN_NEVER: not before a frame starts.
 */
static u64 port_due(const struct qman *qm, u32 port)
{
	u64 ps = qm->up.wire_ps(qm->up.ctx, port, port_ahead(qm, port));
	u64 free = qm->up.wire_free(qm->up.ctx, port);

	if (ps > qm->lead_ps)
		return QMAN_NEVER;
	return free + ps > qm->lead_ps ? free + ps - qm->lead_ps : 0;
}

static bool port_open(const struct qman *qm, u32 port)
{
	return qm->port[port].en && qm->port[port].credits;
}

/* BIT(prio) of the classes that could send now. */
static u8 ready_prios(struct qman *qm, u32 port)
{
	u8 ready = 0;
	u32 prio;

	if (!port_open(qm, port) || port_due(qm, port) > qm->clock->now)
		return 0;
	/* A host that lets time pass in leaps has heard none since the last one. */
	poll_port(qm, port);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (class_ready(qm, port, prio))
			ready |= BIT(prio);
	return ready;
}

static u32 wire_bytes(const struct fd *fd)
{
	return (fd->len < WIRE_MIN ? WIRE_MIN : fd->len) + WIRE_OVERHEAD;
}

/* What is dropped in its turn takes none. */
static u32 fd_ahead(const struct fd *fd)
{
	return fd->flags & PARQ_FD_DROP ? 0 : wire_bytes(fd);
}

/* ---- making FDs --------------------------------------------------------- */

static bool queue_sticks(const struct qman *qm, u32 port, u32 queue)
{
	const struct bus *bus = qm->bus;

	return bus->host->stuck && bus->host->stuck(bus->ctx, port, queue);
}

/* Return: false if no FD was made: the host refused the descriptors, or the queue is stuck. */
static bool make_fd(struct qman *qm, u32 port, u32 prio, u32 queue,
		    struct fd *fd)
{
	struct qman_port *p = &qm->port[port];
	struct txq *q = &p->txq[queue];
	struct txq_frame *f = &q->frame;

	if (!f->nseg && queue_sticks(qm, port, queue)) {
		q->mute = true;
		queue_work_changed(qm, port, queue);
		return false;
	}
	if (!f->nseg && !txq_parse(q, qm->bus, p->max_len)) {
		queue_fails(qm, port, queue, PARQ_ERR_DMA);
		return false;
	}
	*fd = (struct fd){
		.port = port,
		.prio = prio,
		.queue = queue,
		.flags = f->drop ? PARQ_FD_DROP : 0,
		.pos = f->pos,
		.ndesc = f->ndesc,
		.seg = f->seg,
		.len = txq_seg_len(f),
		.epoch = q->epoch,
		.order = p->cls[prio].order++,
		.time = qm->clock->now / PARQSIM_PS_PER_NS,
	};
	if (++f->seg == f->nseg) {
		fd->flags |= PARQ_FD_LAST;
		q->fetch += f->ndesc;
		f->nseg = 0;
	}
	return true;
}

/* An FD takes a credit, and its traffic class is charged for it. */
void qman_took_credit(struct qman *qm, const struct fd *fd)
{
	struct qman_port *p = &qm->port[fd->port];

	p->credits--;
	p->cls[fd->prio].ahead += fd_ahead(fd);
	qman_ets_charge(p, fd->prio, wire_bytes(fd));
}

static void send_from_ring(struct qman *qm, u32 port, u32 prio)
{
	struct qman_class *c = class_of(qm, port, prio);
	u32 queue = qman_next_bit(c->queues, c->last_queue);
	struct fd fd;

	c->last_queue = queue;
	if (!make_fd(qm, port, prio, queue, &fd))
		return;
	queue_work_changed(qm, port, queue);
	c->in_flight++;
	if (!(fd.flags & PARQ_FD_DROP))
		shaper_charge(shaper_of(&qm->port[port], prio), qm->clock->now,
			      wire_bytes(&fd));
	qman_took_credit(qm, &fd);
	qmi_admit(qm->qmi, &fd);
}

static void send_from_port(struct qman *qm, u32 port, u8 ready)
{
	u32 prio = qman_ets_pick(&qm->port[port], ready);

	if (qmi_flush_ready(qm->qmi, port, prio))
		qmi_flush_next(qm->qmi, port, prio);
	else
		send_from_ring(qm, port, prio);
}

/* When a class may be fetched, were it alone; QMAN_NEVER: it does not want to. */
static u64 class_due(struct qman *qm, u32 port, u32 prio)
{
	struct qman_port *p = &qm->port[port];
	const struct shaper *s = shaper_of(p, prio);

	if (qmi_flush_ready(qm->qmi, port, prio))
		return 0;
	if (!class_wants(p, prio))
		return QMAN_NEVER;
	return shaper_open(s, qm->clock->now) ? 0 : s->free_at;
}

/* Nothing is ready. What waits for a rate limit or for the wire will be. */
static void await(struct qman *qm)
{
	u64 at = QMAN_NEVER, due, own;
	u32 port, prio;

	for (port = 0; port < qm->ports; port++) {
		if (!port_open(qm, port))
			continue;
		due = port_due(qm, port);
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			own = class_due(qm, port, prio);
			own = own > due ? own : due;
			at = own < at ? own : at;
		}
	}
	if (at != QMAN_NEVER)
		timer_set(qm->clock, &qm->later, at);
}

/* One clock: one FD of one port, ports in turn. */
static void qman_tick(void *ctx)
{
	struct qman *qm = ctx;
	u32 i, port;
	u8 ready;

	for (i = 1; i <= qm->ports; i++) {
		port = (qm->last_port + i) % qm->ports;
		ready = ready_prios(qm, port);
		if (!ready)
			continue;
		timer_set(qm->clock, &qm->tick, qm->clock->now + qm->clk_ps);
		qm->last_port = port;
		send_from_port(qm, port, ready);
		return;
	}
	await(qm);
}

static void qman_later(void *ctx)
{
	qman_kick(ctx);
}

/* Something may have become ready. */
void qman_kick(struct qman *qm)
{
	if (!timer_is_set(&qm->tick))
		timer_set(qm->clock, &qm->tick, qm->clock->now);
}

/* ---- what comes back ---------------------------------------------------- */

void qman_halt(struct qman *qm, u32 port, u32 prio, bool on)
{
	class_of(qm, port, prio)->halt = on;
	if (!on)
		qman_kick(qm);
}

/* These are not fetched until they are not among @prios any more. */
void qman_pause_low(struct qman *qm, u32 port, u8 prios)
{
	qm->port[port].low = prios;
	qman_kick(qm);
}

/**
 * qman_left_pipe() - an FD gives its credit back
 * @qm: the stage
 * @fd: the FD
 * @sent: it has begun on the wire; if not, its class gets back what it was charged
 */
void qman_left_pipe(struct qman *qm, const struct fd *fd, bool sent)
{
	struct qman_port *p = &qm->port[fd->port];

	p->credits++;
	p->cls[fd->prio].ahead -= fd_ahead(fd);
	if (!sent)
		qman_ets_refund(p, fd->prio, wire_bytes(fd));
	qman_kick(qm);
}

/* The descriptors of an FD could not be read again: its queue stops. */
void qman_ring_refused(struct qman *qm, const struct fd *fd)
{
	queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
}

/**
 * qman_complete() - an FD has been sent, or dropped in its turn
 * @qm: the stage
 * @fd: the FD
 * @sent: it has been sent
 *
 * Frames of a queue end in order, so the last segment of one completes all
 * descriptors before its end.
 */
void qman_complete(struct qman *qm, const struct fd *fd, bool sent)
{
	struct txq *q = &qm->port[fd->port].txq[fd->queue];
	u32 old = q->head, arm;

	class_of(qm, fd->port, fd->prio)->in_flight--;
	qman_kick(qm);
	if (!q->en || q->epoch != fd->epoch || q->lost)
		return;
	count_segment(q, fd, sent);
	if (!(fd->flags & PARQ_FD_LAST))
		return;
	if (q->cut)
		report_drop(qm, fd);
	forget_segments(q);
	if (q->lost)
		return;
	q->head = fd->pos + fd->ndesc;
	write_back(qm, fd->port, fd->queue);
	/* Pairs with the host's between arming and its last look at the head. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	arm = db_read(qm, fd->port, fd->queue, PARQ_DB_ARM);
	/* In front of a new ring ARM speaks of that, and nobody can ask. */
	if (q->next_valid || arm - old < q->head - old)
		irq_raise(qm->irq, q->vec);
	queue_switch(qm, fd->port, fd->queue);
}

/* A parked FD is no more, without having completed. */
void qman_gone(struct qman *qm, const struct fd *fd, bool dma)
{
	class_of(qm, fd->port, fd->prio)->in_flight--;
	qman_kick(qm);
	if (dma)
		queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
}

/* ---- life --------------------------------------------------------------- */

/*
 * All its queues are disabled, its pipeline and its park queues are empty; at most
 * the frame on the wire is still in flight.
 */
void qman_port_purge(struct qman *qm, u32 port)
{
	struct qman_class *c;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		c = class_of(qm, port, prio);
		c->limit = ~0U;
		c->halt = false;
	}
}

void qman_init(struct qman *qm)
{
	timer_init(&qm->tick, qman_tick, qm);
	timer_init(&qm->later, qman_later, qm);
}

void qman_reset(struct qman *qm)
{
	struct qman_port *p;
	u32 port, i;

	timer_cancel(qm->clock, &qm->tick);
	timer_cancel(qm->clock, &qm->later);
	for (port = 0; port < qm->ports; port++) {
		p = &qm->port[port];
		p->credits = qm->depth;
		p->en = false;
		p->ets = (struct qman_ets){ .prio_tc = { 0 } };
		p->enabled = 0;
		p->ets_active = 0;
		p->vclock = 0;
		for (i = 0; i < PARQ_MAX_TXQ; i++)
			p->txq[i] = (struct txq){ .epoch = p->txq[i].epoch + 1 };
		for (i = 0; i < PARQ_NUM_TC; i++) {
			p->vtime[i] = 0;
			p->shaper[i] = (struct shaper){ .kbit = 0 };
		}
		for (i = 0; i < PARQ_NUM_PRIO; i++)
			p->cls[i] = (struct qman_class){ .limit = ~0U };
	}
}
