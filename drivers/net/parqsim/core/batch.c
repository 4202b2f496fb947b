// SPDX-License-Identifier: GPL-2.0
#include "batch.h"
#include "gather.h"
#include "qman_ets.h"

/**
 * struct batch - a batch, and the segment that has just started
 * @sim: the NIC
 * @np: its port at the NTI, which has the FD of that segment
 * @qp: the port at the QMAN
 * @cls: class of the frame
 * @q: queue of the frame
 * @pipe: what fetches for the port
 * @bmi: pipeline of the port
 * @t: the train
 * @port: the port
 * @bytes: bytes of a segment, with all that takes time on the wire
 * @flying: FDs between QMAN and wire
 * @n: segments that the batch adds
 * @step: time of a segment on the wire, ps
 * @fetch: time of the next fetch, ps
 */
struct batch {
	struct parqsim *sim;
	struct nti_port *np;
	struct qman_port *qp;
	struct qman_class *cls;
	struct txq *q;
	struct qman_pipe *pipe;
	struct bmi *bmi;
	struct train *t;
	u32 port;
	u32 bytes;
	u32 flying;
	u32 n;
	u64 step;
	u64 fetch;
};

static u64 now(const struct batch *b)
{
	return b->sim->clock.now;
}

static struct timer *mac_timer(const struct batch *b)
{
	return &b->sim->mac.port[b->port].tx.timer;
}

static void begin(struct batch *b, struct parqsim *sim, u32 port, struct train *t)
{
	const struct fd *fd = &sim->nti.port[port].sending;

	b->sim = sim;
	b->port = port;
	b->t = t;
	b->np = &sim->nti.port[port];
	b->qp = &sim->qman.port[port];
	b->cls = &b->qp->cls[fd->prio];
	b->q = &b->qp->txq[fd->queue];
	b->pipe = &sim->qman.pipe[port / PARQSIM_PIPE_PORTS];
	b->bmi = bmi_of(sim->bmi, port);
	b->flying = b->np->count + b->bmi->count;
	b->step = mac_timer(b)->at - now(b);
	b->bytes = fd->len + QMAN_OVERHEAD;
}

/* ---- whether segments repeat each other --------------------------------- */

/* The segment that has just started is in the middle of its frame, and nothing is unusual. */
static bool in_frame(const struct batch *b)
{
	const struct fd *fd = &b->np->sending;
	const struct txq *q = b->q;

	return b->np->busy && !b->np->settled && fd->flags == FD_CSUM &&
	       b->step == mac_tx_ps(&b->sim->mac, b->port, b->bytes) &&
	       q->en && !q->err && !q->mute && !q->lost && q->epoch == fd->epoch &&
	       q->frame.nseg && q->frame.pos == fd->pos &&
	       q->frame.seg == fd->seg + 1 + b->flying;
}

/* The QMAN has no choice: no other class, queue or port of the pipe has work, or waits. */
static bool alone(const struct batch *b)
{
	const struct qman *qm = &b->sim->qman;
	const struct fd *fd = &b->np->sending;
	const struct qman_class *c = b->cls;

	return ((qm->queued | b->sim->qmi.flushing) & b->pipe->ports) == BIT_ULL(b->port) &&
	       !b->sim->qmi.port[b->port].flushing && b->qp->queued == BIT(fd->prio) &&
	       c->queues == BIT_ULL(fd->queue) && !c->transit.count;
}

/* Nothing holds the class, now or after the next fetch. */
static bool is_free(const struct batch *b)
{
	const struct fd *fd = &b->np->sending;
	const struct qman_class *c = b->cls;

	return b->qp->en && b->qp->credits && !c->halt && !(b->qp->low & BIT(fd->prio)) &&
	       c->in_flight + 1 < c->limit && !b->np->gate[fd->prio].hold &&
	       !gate_drops(&b->np->gate[fd->prio]) &&
	       !b->qp->shaper[b->qp->ets.prio_tc[fd->prio]].kbit && !b->qp->port_shaper.kbit;
}

/* There is one fetch while a segment is on the wire. */
static bool fetches_one(struct batch *b)
{
	const struct qman *qm = &b->sim->qman;
	u64 ahead = b->flying * b->step;

	b->fetch = now(b) + b->step + ahead - qm->lead_ps;
	return ahead < qm->lead_ps && qm->lead_ps < ahead + b->step &&
	       b->cls->ahead == b->flying * b->bytes &&
	       !(b->qp->under_way & ~BIT(b->np->sending.prio)) &&
	       timer_is_set(&b->pipe->tick) && b->pipe->tick.at == b->fetch &&
	       qm->clk_ps <= b->step && b->bmi->last_in + qm->clk_ps <= b->fetch;
}

static bool is_segment(const struct batch *b, const struct fd *fd, u32 seg)
{
	const struct fd *sent = &b->np->sending;

	return fd->port == b->port && fd->queue == sent->queue && fd->pos == sent->pos &&
	       fd->epoch == sent->epoch && fd->seg == seg && !fd->flags;
}

/*
 * FDs on their way are the next segments. One leaves the pipeline while a segment is on the wire:
 * those in the pipeline, and the one to be fetched next, follow each other at that distance.
 */
static bool flies_in_line(const struct batch *b)
{
	u64 out = b->fetch + (u64)b->bmi->depth * b->bmi->clk_ps - b->bmi->count * b->step;
	u32 seg = b->np->sending.seg, i;

	if (out <= now(b) || out >= now(b) + b->step)
		return false;
	for (i = 0; i < b->np->count; i++)
		if (!is_segment(b, nti_waiting(b->np, i), ++seg))
			return false;
	for (i = 0; i < b->bmi->count; i++, out += b->step)
		if (bmi_slot_at(b->bmi, i)->out != out ||
		    !is_segment(b, &bmi_slot_at(b->bmi, i)->fd, ++seg))
			return false;
	return true;
}

/* ---- how many segments -------------------------------------------------- */

/* Of the times @from, @from + step and so on, the number of those that are before @until. */
static u64 times_before(const struct batch *b, u64 from, u64 until)
{
	return from < until ? (until - 1 - from) / b->step + 1 : 0;
}

static void limit(struct batch *b, u64 n)
{
	if (b->n > n)
		b->n = n;
}

/* Number of fetches before doorbells are read. */
static u32 fetches_before_look(const struct batch *b)
{
	return times_before(b, b->fetch, b->sim->qman.looked_at + QMAN_LOOK_PS);
}

/* The last segment of the frame is fetched on its own. */
static void limit_by_sender(struct batch *b, const struct gather *g)
{
	const struct train *t = b->t;
	u32 looks;

	b->n = b->q->frame.nseg - 1 - b->q->frame.seg;
	limit(b, (g->left - 1) / t->mss);
	limit(b, (t->room - t->len) / t->mss);
	limit(b, times_before(b, now(b) + b->step, b->sim->clock.until));
	looks = fetches_before_look(b);
	if (b->n > looks && qman_rang(&b->sim->qman))
		b->n = looks;
}

/* All FDs on their way are fetched in the batch. */
static bool is_worth_it(const struct batch *b)
{
	return b->n > b->flying;
}

/* ---- the batch ---------------------------------------------------------- */

/* The stages' own timers are off, so that the others can be seen. */
static void timers_off(const struct batch *b)
{
	struct clock *c = &b->sim->clock;

	timer_cancel(c, mac_timer(b));
	timer_cancel(c, &b->pipe->tick);
	timer_cancel(c, &b->bmi->timer);
}

/* The batch has no segment after all. */
static void timers_back(const struct batch *b)
{
	struct clock *c = &b->sim->clock;

	timer_resume(c, mac_timer(b));
	timer_resume(c, &b->pipe->tick);
	if (b->bmi->count)
		timer_resume(c, &b->bmi->timer);
}

static void timers_on(const struct batch *b)
{
	struct clock *c = &b->sim->clock;

	timer_set(c, mac_timer(b), now(b) + b->step);
	timer_set(c, &b->pipe->tick, b->fetch);
	if (b->bmi->count)
		timer_set(c, &b->bmi->timer, bmi_slot_at(b->bmi, 0)->out);
}

/* FD of segment @seg, which is fetched in the batch. */
static struct fd fd_of(const struct batch *b, u32 seg)
{
	u32 i = seg - b->q->frame.seg;
	struct fd fd = b->np->sending;

	fd.flags = 0;
	fd.seg = seg;
	fd.order = b->cls->order + i;
	fd.time = (b->fetch + i * b->step) / PARQSIM_PS_PER_NS;
	return fd;
}

static void move_fds(const struct batch *b)
{
	u32 seg = b->np->sending.seg + b->n, i;
	struct fd sending = fd_of(b, seg);

	for (i = 0; i < b->np->count; i++)
		*nti_waiting(b->np, i) = fd_of(b, ++seg);
	for (i = 0; i < b->bmi->count; i++) {
		bmi_slot_at(b->bmi, i)->fd = fd_of(b, ++seg);
		bmi_slot_at(b->bmi, i)->out += b->n * b->step;
	}
	sending.flags = FD_CSUM;
	b->np->sending = sending;
}

/* Doorbells would have been read before some of the fetches, and none has rung. */
static void move_look(const struct batch *b)
{
	u32 first = fetches_before_look(b), every = (QMAN_LOOK_PS + b->step - 1) / b->step, last;

	if (first >= b->n)
		return;
	last = first + (b->n - 1 - first) / every * every;
	b->sim->qman.looked_at = b->fetch + last * b->step;
}

/* What the QMAN remembers of each fetch. With one class and one queue nothing is shared out. */
static void move_qman(struct batch *b)
{
	u32 queue = b->np->sending.queue, prio = b->np->sending.prio;

	move_look(b);
	qman_ets_repeat(b->qp, prio, b->bytes, b->n);
	b->qp->queue_allowance[queue] = -(s32)b->bytes;
	b->cls->share[SHARE_HOST] = -(s32)b->bytes;
	b->cls->last_queue = queue;
	b->cls->order += b->n;
	b->q->frame.seg += b->n;
	b->pipe->last_port = b->port;
	b->fetch += b->n * b->step;
	b->bmi->last_in = b->fetch - b->step;
	b->pipe->free_at = b->bmi->last_in + b->sim->qman.clk_ps;
}

static void count(const struct batch *b)
{
	const struct fd *fd = &b->np->sending;

	batch_count_sent(b->sim, fd, b->n);
	b->q->sent += b->n;
	b->q->sent_bytes += b->n * fd->len;
	mac_count_frames(&b->sim->stats[b->port].tx, b->t->hdr, fd->len, b->n);
}

static void move(struct batch *b)
{
	count(b);
	move_fds(b);
	move_qman(b);
	b->sim->clock.now += b->n * b->step;
}

static bool repeats(struct batch *b)
{
	return in_frame(b) && alone(b) && is_free(b) && fetches_one(b) && flies_in_line(b);
}

/* Reads the descriptors for the next segment. Return: whether it joins the train. */
static bool read_next(const struct batch *b, struct gather *g)
{
	struct fd next = b->np->sending;

	next.seg++;
	return gather_read(g, b->q, &b->sim->bus, b->sim->nti.desc, &next) == NTI_SENT &&
	       gather_joins(g, b->t) && b->np->train_rewr == b->np->rewr[next.prio];
}

/* Other timers, and those of other NICs, expire after the start of the last segment. */
static void limit_by_others(struct batch *b)
{
	const struct bus *bus = &b->sim->bus;

	limit(b, times_before(b, now(b) + b->step, clock_next(&b->sim->clock)));
	if (bus->host->others)
		limit(b, times_before(b, now(b) + b->step, bus->host->others(bus->ctx)));
}

/* Sends at most @b->n segments. */
static void send(struct batch *b, const struct gather *g)
{
	const struct bus *bus = &b->sim->bus;
	bool asked;

	timers_off(b);
	b->n = bus->host->batch(bus->ctx, b->port, b->n, b->step);
	asked = b->n;
	limit_by_others(b);
	if (!is_worth_it(b) || !gather_add_full(g, b->t, b->n))
		b->n = 0;
	if (b->n)
		move(b);
	if (asked)
		bus->host->segments(bus->ctx, b->port, b->n, b->step);
	if (b->n)
		timers_on(b);
	else
		timers_back(b);
}

/**
 * batch_send() - send further segments of a train, if nothing else can happen meanwhile
 * @sim: the NIC
 * @port: a port with a train, of which a segment may just have started
 *
 * The time advances to the start of the newest segment.
 */
void batch_send(struct parqsim *sim, u32 port)
{
	struct train *t = mac_train(&sim->mac, port);
	struct gather g;
	struct batch b;

	if (t->n < 2 || !sim->bus.host->batch || sim->clock.until <= sim->clock.now)
		return;
	begin(&b, sim, port, t);
	if (!repeats(&b) || !read_next(&b, &g))
		return;
	limit_by_sender(&b, &g);
	if (is_worth_it(&b))
		send(&b, &g);
}
