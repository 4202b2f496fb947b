// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/compiler.h>

#include "frame.h"
#include "nti.h"
#include "qman.h"
#include "qman_ets.h"
#include "qmi.h"

#define QMAN_NEVER	(~0ULL)

#define DB_STRIDE	((PARQ_DB_TX(0, 1) - PARQ_DB_TX(0, 0)) / sizeof(u32))

static struct qman_pipe *pipe_of(struct qman *qm, u32 port)
{
	return &qm->pipe[port / PARQSIM_PIPE_PORTS];
}

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
	qm->port[port].rung[queue] = 0;
	__atomic_store_n(&qm->db[db_index(port, queue, PARQ_DB_TAIL)], 0,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&qm->db[db_index(port, queue, PARQ_DB_ARM)], 0,
			 __ATOMIC_RELAXED);
}

/* ---- queues ------------------------------------------------------------- */

/* A class has its first frames to fetch, or none any more. Inline: each frame goes through it. */
static __always_inline void class_set_work(struct qman *qm, u32 port, u32 prio, bool work)
{
	struct qman_port *p = &qm->port[port];

	if (work) {
		p->queued |= BIT(prio);
		qm->queued |= BIT_ULL(port);
		return;
	}
	p->queued &= ~BIT(prio);
	if (!p->queued)
		qm->queued &= ~BIT_ULL(port);
}

static void queue_work_changed(struct qman *qm, u32 port, u32 queue)
{
	const struct txq *q = &qm->port[port].txq[queue];
	struct qman_class *c = class_of(qm, port, q->prio);
	u64 before = c->queues, bit = BIT_ULL(queue), now;

	now = txq_has_work(q) ? before | bit : before & ~bit;
	if (now == before)
		return;
	c->queues = now;
	/* With transit frames the class has work anyway. */
	if (!c->transit.count && !now != !before)
		class_set_work(qm, port, q->prio, now);
	if (now & ~before)
		qman_kick(qm, port);
}

/* Stops a queue and reports the error. Only the first error of a queue is reported. */
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
 * Writes the status of a frame, before the head passes the frame. If the write is refused the
 * head stays before the frame: the host must not read a missing status.
 */
static void report(struct qman *qm, const struct fd *fd, u64 addr, u64 info)
{
	struct txq *q = &qm->port[fd->port].txq[fd->queue];
	struct parq_tx_desc status = {
		.addr = cpu_to_le64(addr),
		.info = cpu_to_le64(info),
	};
	u64 at = (fd->pos & (BIT(q->log2) - 1)) * sizeof(status);

	if (bus_write(qm->bus, q->base + at, &status, sizeof(status)))
		return;
	q->lost = true;
	queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
}

/* Writes how much of a frame was sent. */
static void report_drop(struct qman *qm, const struct fd *fd)
{
	struct txq *q = &qm->port[fd->port].txq[fd->queue];

	report(qm, fd, q->sent_bytes, PARQ_TXS_DROPPED | q->sent);
	if (!q->lost)
		q->drops++;
}

static void count_segment(struct txq *q, const struct fd *fd, bool sent)
{
	if (!sent) {
		q->cut = true;
		return;
	}
	if ((fd->flags & FD_STAMP) && !q->sent) {
		q->stamped = true;
		q->stamp = fd->time;
	}
	q->sent++;
	q->sent_bytes += fd->len;
}

static void reset_segments(struct txq *q)
{
	q->sent = 0;
	q->sent_bytes = 0;
	q->cut = false;
	q->stamped = false;
}

/* Switches to the pending ring once the last frame of the old one is complete. */
static void queue_switch(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];

	if (q->head != q->tail)
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

static bool queue_rang(struct qman *qm, u32 port, u32 queue, u32 tail)
{
	struct txq *q = &qm->port[port].txq[queue];
	u32 *known = q->next_valid ? &q->next_tail : &q->tail;
	u32 base = q->next_valid ? 0 : q->head;
	u32 log2 = q->next_valid ? q->next_log2 : q->log2;

	qm->port[port].rung[queue] = tail;
	if (q->err)
		return false;
	if (tail - base > BIT(log2) || tail - base < *known - base) {
		queue_fails(qm, port, queue, PARQ_ERR_DOORBELL);
		return true;
	}
	*known = tail;
	queue_work_changed(qm, port, queue);
	return true;
}

static bool poll_queue(struct qman *qm, u32 port, u32 queue)
{
	u32 tail = db_read(qm, port, queue, PARQ_DB_TAIL);

	return tail != qm->port[port].rung[queue] && queue_rang(qm, port, queue, tail);
}

/**
 * qman_ring() - have the doorbells of some queues read in the next look
 * @qm: the stage
 * @port: port of the queues
 * @queues: BIT(queue)
 *
 * Takes no lock. The doorbell is read after the bit was cleared.
 *
 * Return: false if a look at all of them has been requested already.
 */
bool qman_ring(struct qman *qm, u32 port, u64 queues)
{
	u64 had = __atomic_fetch_or(&qm->port[port].rang, queues, __ATOMIC_SEQ_CST);

	if (!(~had & queues))
		return false;
	__atomic_fetch_or(&qm->rang, BIT_ULL(port), __ATOMIC_SEQ_CST);
	return true;
}

/* BIT(port) that rang since the last look. */
static u64 take_rang(struct qman *qm)
{
	if (!__atomic_load_n(&qm->rang, __ATOMIC_RELAXED))
		return 0;
	return __atomic_exchange_n(&qm->rang, 0, __ATOMIC_SEQ_CST);
}

static bool poll_rang(struct qman *qm, u32 port)
{
	struct qman_port *p = &qm->port[port];
	bool rang = false;
	u64 queues;

	queues = __atomic_exchange_n(&p->rang, 0, __ATOMIC_SEQ_CST) & p->enabled;
	for (; queues; queues &= queues - 1)
		rang |= poll_queue(qm, port, __builtin_ctzll(queues));
	return rang;
}

/* Doorbells that have not rung are recognised without a look at their queues. */
static bool poll_port(struct qman *qm, u32 port)
{
	const u32 *db = &qm->db[db_index(port, 0, PARQ_DB_TAIL)];
	const struct qman_port *p = &qm->port[port];
	u64 left = p->enabled;
	bool rang = false;
	u32 queue, tail;

	for (queue = 0; left; queue++, left >>= 1, db += DB_STRIDE) {
		tail = __atomic_load_n(db, __ATOMIC_ACQUIRE);
		if (tail != p->rung[queue] && (left & 1))
			rang |= queue_rang(qm, port, queue, tail);
	}
	return rang;
}

/**
 * qman_poll() - read all doorbells, or those that rang
 * @qm: the stage
 *
 * Return: whether one has rung.
 */
bool qman_poll(struct qman *qm)
{
	u64 ports = qm->rings ? take_rang(qm) : qm->enabled;
	bool rang = false;
	u32 port;

	qm->looked_at = qm->clock->now;
	for (; ports; ports &= ports - 1) {
		port = __builtin_ctzll(ports);
		rang |= qm->rings ? poll_rang(qm, port) : poll_port(qm, port);
	}
	return rang;
}

static bool port_rang(const struct qman *qm, u32 port)
{
	const struct qman_port *p = &qm->port[port];
	u64 queues = p->enabled;
	u32 queue;

	for (; queues; queues &= queues - 1) {
		queue = __builtin_ctzll(queues);
		if (db_read(qm, port, queue, PARQ_DB_TAIL) != p->rung[queue])
			return true;
	}
	return false;
}

/* Whether qman_poll() would find a doorbell that rang. */
bool qman_rang(const struct qman *qm)
{
	u64 ports;

	if (qm->rings)
		return __atomic_load_n(&qm->rang, __ATOMIC_RELAXED);
	for (ports = qm->enabled; ports; ports &= ports - 1)
		if (port_rang(qm, __builtin_ctzll(ports)))
			return true;
	return false;
}

/* The caller has set base, write-back address, size, vector and priority. */
void qman_txq_enable(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];

	q->tail = 0;
	q->fetch = 0;
	q->head = 0;
	q->ring = 0;
	q->drops = 0;
	reset_segments(q);
	q->frame.nseg = 0;
	q->cache_n = 0;
	q->err = PARQ_ERR_NONE;
	q->lost = false;
	q->mute = false;
	q->waits = false;
	q->next_valid = false;
	q->en = true;
	db_clear(qm, port, queue);
	qm->port[port].enabled |= BIT_ULL(queue);
	qm->enabled |= BIT_ULL(port);
}

/**
 * qman_txq_disable() - stop fetching from a queue at once
 * @qm: the stage
 * @port: port of the queue
 * @queue: its number
 *
 * The caller purges the queue's FDs from the pipeline. Parked FDs are recognised later by
 * their stale epoch.
 */
void qman_txq_disable(struct qman *qm, u32 port, u32 queue)
{
	struct txq *q = &qm->port[port].txq[queue];
	struct fd at_head = { .port = port, .queue = queue, .pos = q->head };

	/* Some segments of the frame at the head were sent; the others never will be. */
	if (q->sent && !q->lost)
		report_drop(qm, &at_head);
	q->en = false;
	q->next_valid = false;
	q->epoch++;
	launch_end(&qm->port[port].launch, BIT_ULL(queue));
	qm->port[port].enabled &= ~BIT_ULL(queue);
	if (!qm->port[port].enabled)
		qm->enabled &= ~BIT_ULL(port);
	queue_work_changed(qm, port, queue);
}

/**
 * qman_txq_next() - replace the ring of a queue
 * @qm: the stage
 * @port: port of the queue
 * @queue: its number; next_base and next_log2 are set
 *
 * Return: false if a replacement is pending already.
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
	shaper_set(&p->port_shaper, qm->clock->now, ets->port_rate);
	qman_kick(qm, port);
}

void qman_limit(struct qman *qm, u32 port, u32 prio, u32 limit)
{
	class_of(qm, port, prio)->limit = limit;
	qman_kick(qm, port);
}

void qman_port_enable(struct qman *qm, u32 port, bool en)
{
	qm->port[port].en = en;
	qman_kick(qm, port);
}

/* Whether a TX queue of a class can be fetched: parked FDs have room in the host's memory. */
static bool host_wants(const struct qman_class *c)
{
	return c->queues && c->in_flight < c->limit;
}

/* Whether a class can be fetched, apart from rate limits. */
static inline bool class_wants(const struct qman_port *p, u32 prio)
{
	const struct qman_class *c = &p->cls[prio];

	return (c->transit.count || host_wants(c)) && !c->halt && !(p->low & BIT(prio));
}

static struct shaper *shaper_of(struct qman_port *p, u32 prio)
{
	return &p->shaper[p->ets.prio_tc[prio]];
}

/* When the rate limits of its traffic class and of the port let a class be fetched; 0: they do. */
static u64 limits_due(struct qman *qm, u32 port, u32 prio)
{
	struct qman_port *p = &qm->port[port];
	const struct shaper *tc = shaper_of(p, prio);
	u64 due = shaper_open(tc, qm->clock->now) ? 0 : tc->free_at;

	if (shaper_open(&p->port_shaper, qm->clock->now) || p->port_shaper.free_at < due)
		return due;
	return p->port_shaper.free_at;
}

/* Parked FDs were charged to rate limits when they were fetched, so only pauses hold them. */
static bool class_ready(struct qman *qm, u32 port, u32 prio)
{
	return qmi_flush_ready(qm->qmi, port, prio) ||
	       (class_wants(&qm->port[port], prio) && !limits_due(qm, port, prio));
}

/* Bytes of fetched FDs that will be sent but have not started on the wire. */
static u64 port_ahead(const struct qman *qm, u32 port)
{
	const struct qman_port *p = &qm->port[port];
	u32 prios = p->under_way, prio;
	u64 ahead = 0;

	for (; prios; prios &= prios - 1) {
		prio = __builtin_ctz(prios);
		if (qm->up.sends(qm->up.ctx, port, prio))
			ahead += p->cls[prio].ahead;
	}
	return ahead;
}

/*
 * When to fetch for a port. A fetched frame cannot be overtaken, so the fetch is as late
 * as the wire allows: the bytes under way must last for just the time that the next frame
 * needs to reach the gate. QMAN_NEVER: not before another frame has started.
 */
static u64 port_due(const struct qman *qm, u32 port)
{
	u64 ahead = port_ahead(qm, port), ps = 0, free;

	if (ahead)
		ps = qm->up.wire_ps(qm->up.ctx, port, ahead);
	if (ps > qm->lead_ps)
		return QMAN_NEVER;
	free = qm->up.wire_free(qm->up.ctx, port);
	return free + ps > qm->lead_ps ? free + ps - qm->lead_ps : 0;
}

static bool port_open(const struct qman *qm, u32 port)
{
	return qm->port[port].en && qm->port[port].credits;
}

/* BIT_ULL(port) of a pipe with frames to fetch: in rings, or in park queues during a pass. */
static u64 ports_with_work(const struct qman *qm, const struct qman_pipe *pipe)
{
	return (qm->queued | qm->qmi->flushing) & pipe->ports;
}

/* BIT(priority) with frames to fetch. */
static u32 prios_with_work(const struct qman *qm, u32 port)
{
	return qm->port[port].queued | qm->qmi->port[port].flushing;
}

/* BIT(priority) of the classes that can send now. */
static u8 ready_prios(struct qman *qm, u32 port)
{
	u32 prios, prio;
	u8 ready = 0;

	if (!port_open(qm, port) || port_due(qm, port) > qm->clock->now)
		return 0;
	for (prios = prios_with_work(qm, port); prios; prios &= prios - 1) {
		prio = __builtin_ctz(prios);
		if (class_ready(qm, port, prio))
			ready |= BIT(prio);
	}
	return ready;
}

static u32 wire_bytes(const struct fd *fd)
{
	return (fd->len < FRAME_MIN ? FRAME_MIN : fd->len) + QMAN_OVERHEAD;
}

/* A frame that will be dropped takes no time on the wire. */
static u32 fd_ahead(const struct fd *fd)
{
	return fd->flags & PARQ_FD_DROP ? 0 : wire_bytes(fd);
}

/* ---- launch times ------------------------------------------------------- */

/* A launch time is that of a stamp: behind the preamble. */
static u64 launch_lead(const struct qman *qm, u32 port)
{
	return qm->pipe_ps + qm->up.wire_ps(qm->up.ctx, port, FRAME_PREAMBLE);
}

/* Considers the launch time of a frame that has been read. Return: the queue waits. */
static bool frame_waits(struct qman *qm, u32 port, u32 queue)
{
	struct qman_port *p = &qm->port[port];
	struct txq *q = &p->txq[queue];

	if (!launch_wait(&p->launch, queue, q->frame.launch, launch_lead(qm, port))) {
		p->launch.missed++;
		return false;
	}
	q->waits = true;
	queue_work_changed(qm, port, queue);
	return true;
}

/* Goes on with the queues of a port whose launch time has come. */
static void launch_look(struct qman *qm, u32 port)
{
	struct qman_port *p = &qm->port[port];
	u64 due = launch_due(&p->launch, launch_lead(qm, port));
	u32 queue;

	for (; due; due &= due - 1) {
		queue = __builtin_ctzll(due);
		p->txq[queue].waits = false;
		queue_work_changed(qm, port, queue);
	}
}

static void launch_timer(void *ctx)
{
	struct qman_port *p = ctx;

	launch_look(p->qm, p - p->qm->port);
}

/* The time or the rate of the PTP clock has changed. */
void qman_ptp_changed(struct qman *qm)
{
	u32 port;

	for (port = 0; port < qm->ports; port++)
		if (qm->port[port].launch.queues)
			launch_look(qm, port);
}

/* ---- making FDs --------------------------------------------------------- */

static bool queue_sticks(const struct qman *qm, u32 port, u32 queue)
{
	const struct bus *bus = qm->bus;

	return bus->host->stuck && bus->host->stuck(bus->ctx, port, queue);
}

/* Return: false if there is no frame to make FDs of now. */
static bool read_frame(struct qman *qm, u32 port, u32 queue)
{
	struct qman_port *p = &qm->port[port];
	struct txq *q = &p->txq[queue];

	if (queue_sticks(qm, port, queue)) {
		q->mute = true;
		queue_work_changed(qm, port, queue);
		return false;
	}
	if (!txq_parse(q, qm->bus, p->max_len)) {
		queue_fails(qm, port, queue, PARQ_ERR_DMA);
		return false;
	}
	return !q->frame.timed || !frame_waits(qm, port, queue);
}

/*
 * Return: false if no FD was made: the host refused the descriptors, the frame waits for its launch
 * time, or a fault was injected.
 */
static bool make_fd(struct qman *qm, u32 port, u32 prio, u32 queue,
		    struct fd *fd)
{
	struct qman_port *p = &qm->port[port];
	struct txq *q = &p->txq[queue];
	struct txq_frame *f = &q->frame;

	if (!f->nseg && !read_frame(qm, port, queue))
		return false;
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

/* Takes a credit for an FD and charges its traffic class, apart from rate limits. */
void qman_credit_taken(struct qman *qm, const struct fd *fd)
{
	struct qman_port *p = &qm->port[fd->port];
	struct qman_class *c = &p->cls[fd->prio];

	p->credits--;
	c->ahead += fd_ahead(fd);
	if (c->ahead)
		p->under_way |= BIT(fd->prio);
	qman_ets_charge(p, fd->prio, wire_bytes(fd));
}

static inline void admit(struct qman *qm, const struct fd *fd)
{
	struct qman_port *p = &qm->port[fd->port];

	if (!(fd->flags & PARQ_FD_DROP)) {
		shaper_charge(shaper_of(p, fd->prio), qm->clock->now, wire_bytes(fd));
		shaper_charge(&p->port_shaper, qm->clock->now, wire_bytes(fd));
	}
	qman_credit_taken(qm, fd);
	qmi_admit(qm->qmi, fd);
}

static void send_from_ring(struct qman *qm, u32 port, u32 prio)
{
	struct qman_class *c = class_of(qm, port, prio);
	s32 *allowance = qm->port[port].queue_allowance;
	u32 queue = qman_fair_pick(c->queues, c->last_queue, allowance);
	struct fd fd;
	u32 bytes;

	c->last_queue = queue;
	if (!make_fd(qm, port, prio, queue, &fd))
		return;
	c->in_flight++;
	bytes = wire_bytes(&fd);
	allowance[queue] -= bytes;
	c->share[SHARE_HOST] -= bytes;
	if (!txq_has_work(&qm->port[port].txq[queue]))
		queue_work_changed(qm, port, queue);
	admit(qm, &fd);
}

static void send_transit(struct qman *qm, u32 port, u32 prio)
{
	struct qman_class *c = class_of(qm, port, prio);
	u32 i = transit_pop(qm->transit, &c->transit);
	struct fd fd = {
		.port = port,
		.prio = prio,
		.queue = FD_TRANSIT,
		.flags = PARQ_FD_LAST,
		.pos = i,
		.len = qm->transit->desc[i].len,
		.order = c->order++,
		.domain = qm->transit->desc[i].domain,
		.time = qm->clock->now / PARQSIM_PS_PER_NS,
	};

	c->share[SHARE_TRANSIT] -= wire_bytes(&fd);
	if (!c->transit.count)
		class_set_work(qm, port, prio, c->queues);
	admit(qm, &fd);
}

/* Host and transit frames of a class share by bytes. Return: it is a transit frame's turn. */
static bool transit_goes(struct qman_class *c)
{
	u32 ready = BIT(SHARE_TRANSIT);

	if (!c->transit.count) {
		/* The host is alone. As in qman_fair_pick() it does not run into debt. */
		c->share[SHARE_HOST] = 0;
		return false;
	}
	if (host_wants(c))
		ready |= BIT(SHARE_HOST);
	c->last_share = qman_fair_pick(ready, c->last_share, c->share);
	return c->last_share == SHARE_TRANSIT;
}

static void send_from_port(struct qman *qm, u32 port, u8 ready)
{
	u32 prio = qman_ets_pick(&qm->port[port], ready);

	if (qmi_flush_ready(qm->qmi, port, prio))
		qmi_flush_next(qm->qmi, port, prio);
	else if (transit_goes(class_of(qm, port, prio)))
		send_transit(qm, port, prio);
	else
		send_from_ring(qm, port, prio);
}

/* Earliest fetch of a class by its own limits; QMAN_NEVER: it has nothing or is held. */
static u64 class_due(struct qman *qm, u32 port, u32 prio)
{
	if (qmi_flush_ready(qm->qmi, port, prio))
		return 0;
	if (!class_wants(&qm->port[port], prio))
		return QMAN_NEVER;
	return limits_due(qm, port, prio);
}

/* Sets the timer for the moment at which a rate limit or the wire allows the next fetch. */
static void await_ports(struct qman *qm, struct qman_pipe *pipe, u64 ports)
{
	u64 at = QMAN_NEVER, due, own;
	u32 port, prios;

	for (; ports; ports &= ports - 1) {
		port = __builtin_ctzll(ports);
		if (!port_open(qm, port))
			continue;
		due = port_due(qm, port);
		for (prios = prios_with_work(qm, port); prios; prios &= prios - 1) {
			own = class_due(qm, port, __builtin_ctz(prios));
			own = own > due ? own : due;
			at = own < at ? own : at;
		}
	}
	if (at != QMAN_NEVER)
		timer_set(qm->clock, &pipe->tick, at < pipe->free_at ? pipe->free_at : at);
}

static void await(struct qman *qm, struct qman_pipe *pipe)
{
	u64 ports = ports_with_work(qm, pipe);

	if (ports)
		await_ports(qm, pipe, ports);
}

/* One clock: fetches one FD. The ports of a pipe take turns. */
static void qman_tick(void *ctx)
{
	struct qman_pipe *pipe = ctx;
	struct qman *qm = pipe->qm;
	u32 port = pipe->last_port;
	u64 ports;
	u8 ready;

	if (qm->clock->now - qm->looked_at >= QMAN_LOOK_PS)
		qman_poll(qm);
	ports = ports_with_work(qm, pipe);
	while (ports) {
		port = qman_next_bit(ports, port);
		ports &= ~BIT_ULL(port);
		ready = ready_prios(qm, port);
		if (!ready)
			continue;
		pipe->free_at = qm->clock->now + qm->clk_ps;
		pipe->last_port = port;
		send_from_port(qm, port, ready);
		break;
	}
	await(qm, pipe);
}

/*
 * Looks for work of a port's pipe in the next clock: a class may have become ready. Without frames
 * to fetch there is none.
 */
void qman_kick(struct qman *qm, u32 port)
{
	struct qman_pipe *pipe = pipe_of(qm, port);
	u64 at = qm->clock->now;

	if (!ports_with_work(qm, pipe))
		return;
	if (at < pipe->free_at)
		at = pipe->free_at;
	if (!timer_is_set(&pipe->tick) || pipe->tick.at > at)
		timer_set(qm->clock, &pipe->tick, at);
}

/* ---- transit frames ----------------------------------------------------- */

/**
 * qman_transit() - accept a copy of a stored frame
 * @qm: the stage
 * @port: port by which it leaves
 * @prio: its priority
 * @desc: its descriptor
 */
void qman_transit(struct qman *qm, u32 port, u32 prio, u32 desc)
{
	struct qman_class *c = class_of(qm, port, prio);

	transit_push(qm->transit, &c->transit, desc);
	if (c->transit.count == 1)
		class_set_work(qm, port, prio, true);
	qman_kick(qm, port);
}

/* Removes the copies of a class that were not fetched. @domain: as of transit_extract() */
struct transit_fifo qman_transit_extract(struct qman *qm, u32 port, u32 prio, u32 domain)
{
	struct qman_class *c = class_of(qm, port, prio);
	struct transit_fifo taken;
	u32 none = 0;

	taken = transit_extract(qm->transit, &c->transit, domain, &none);
	if (taken.count && !c->transit.count)
		class_set_work(qm, port, prio, c->queues);
	return taken;
}

/* ---- what comes back ---------------------------------------------------- */

void qman_halt(struct qman *qm, u32 port, u32 prio, bool on)
{
	class_of(qm, port, prio)->halt = on;
	if (!on)
		qman_kick(qm, port);
}

/* Stops fetching @prios. Each call replaces the set. */
void qman_pause_low(struct qman *qm, u32 port, u8 prios)
{
	qm->port[port].low = prios;
	qman_kick(qm, port);
}

/**
 * qman_left_pipe() - return the credit of an FD
 * @qm: the stage
 * @fd: the FD
 * @sent: it has started on the wire; otherwise its traffic class is refunded
 */
void qman_left_pipe(struct qman *qm, const struct fd *fd, bool sent)
{
	struct qman_port *p = &qm->port[fd->port];
	struct qman_class *c = &p->cls[fd->prio];

	p->credits++;
	c->ahead -= fd_ahead(fd);
	if (!c->ahead)
		p->under_way &= ~BIT(fd->prio);
	if (!sent)
		qman_ets_refund(p, fd->prio, wire_bytes(fd));
	await(qm, pipe_of(qm, fd->port));
}

/* Stops the queue of an FD whose descriptors could not be read a second time. */
void qman_ring_refused(struct qman *qm, const struct fd *fd)
{
	queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
}

/* An FD of a class is gone. The next one may have waited for that. */
static void class_left(struct qman *qm, u32 port, u32 prio)
{
	struct qman_class *c = class_of(qm, port, prio);
	bool full = c->in_flight >= c->limit;

	c->in_flight--;
	if (full)
		qman_kick(qm, port);
}

/**
 * qman_complete() - complete an FD that was sent, or dropped in order
 * @qm: the stage
 * @fd: the FD
 * @sent: it was sent
 *
 * Frames of a queue end in order. So the last segment of a frame completes all
 * descriptors up to its end.
 */
void qman_complete(struct qman *qm, const struct fd *fd, bool sent)
{
	struct txq *q = &qm->port[fd->port].txq[fd->queue];
	u32 old = q->head, arm;

	class_left(qm, fd->port, fd->prio);
	if (!q->en || q->epoch != fd->epoch || q->lost)
		return;
	count_segment(q, fd, sent);
	if (!(fd->flags & PARQ_FD_LAST))
		return;
	if (q->cut)
		report_drop(qm, fd);
	else if (q->stamped)
		report(qm, fd, q->stamp, PARQ_TXS_STAMP);
	reset_segments(q);
	if (q->lost)
		return;
	q->head = fd->pos + fd->ndesc;
	write_back(qm, fd->port, fd->queue);
	/* Pairs with the host's barrier between arming and its last read of the head. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	arm = db_read(qm, fd->port, fd->queue, PARQ_DB_ARM);
	/* While a ring is pending ARM refers to the new ring, so each head interrupts. */
	if (q->next_valid || arm - old < q->head - old)
		irq_raise(qm->irq, q->vec);
	if (q->next_valid)
		queue_switch(qm, fd->port, fd->queue);
}

/* Accounts for a parked FD that was dropped without completing. */
void qman_gone(struct qman *qm, const struct fd *fd, bool dma)
{
	class_left(qm, fd->port, fd->prio);
	if (dma)
		queue_fails(qm, fd->port, fd->queue, PARQ_ERR_DMA);
}

/* ---- life --------------------------------------------------------------- */

/*
 * Called after all queues of the port were disabled and its pipeline and park queues
 * emptied. The frame on the wire may still be in flight.
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
	struct qman_pipe *pipe;
	u32 port;

	for (port = 0; port < qm->ports; port++) {
		pipe = pipe_of(qm, port);
		pipe->qm = qm;
		pipe->ports |= BIT_ULL(port);
		timer_init(&pipe->tick, qman_tick, pipe);
		qm->port[port].qm = qm;
		qm->port[port].launch = (struct launch){ .clock = qm->clock, .ptp = qm->ptp };
		timer_init(&qm->port[port].launch.timer, launch_timer, &qm->port[port]);
	}
}

static void pipes_reset(struct qman *qm)
{
	struct qman_pipe *pipe;
	u32 port;

	for (port = 0; port < qm->ports; port += PARQSIM_PIPE_PORTS) {
		pipe = pipe_of(qm, port);
		timer_cancel(qm->clock, &pipe->tick);
		pipe->free_at = 0;
		pipe->last_port = port;
	}
}

void qman_reset(struct qman *qm)
{
	struct qman_port *p;
	u32 port, i;

	pipes_reset(qm);
	qm->looked_at = 0;
	qm->queued = 0;
	qm->enabled = 0;
	for (port = 0; port < qm->ports; port++) {
		p = &qm->port[port];
		p->credits = qm->depth;
		p->en = false;
		p->ets = (struct qman_ets){ .prio_tc = { 0 } };
		p->enabled = 0;
		p->queued = 0;
		p->under_way = 0;
		p->ets_active = 0;
		p->vclock = 0;
		p->port_shaper = (struct shaper){ .kbit = 0 };
		launch_end(&p->launch, ~0ULL);
		p->launch.missed = 0;
		for (i = 0; i < PARQ_MAX_TXQ; i++) {
			p->queue_allowance[i] = 0;
			p->txq[i] = (struct txq){ .epoch = p->txq[i].epoch + 1 };
		}
		for (i = 0; i < PARQ_NUM_TC; i++) {
			p->vtime[i] = 0;
			p->last_prio[i] = 0;
			p->shaper[i] = (struct shaper){ .kbit = 0 };
		}
		for (i = 0; i < PARQ_NUM_PRIO; i++) {
			p->prio_allowance[i] = 0;
			p->cls[i] = (struct qman_class){ .limit = ~0U };
		}
	}
}
