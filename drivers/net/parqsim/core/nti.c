// SPDX-License-Identifier: GPL-2.0
#include "gather.h"
#include "mac.h"
#include "nti.h"
#include "offload.h"

/*
 * The gate. An FD of a flush pass passes while PAUSE is low. Once an FD of the pass has
 * met a pause, the rest of the pass goes back, even if PAUSE falls again: only a
 * complete rotation leaves the park queue in its old order.
 */
static bool gate_passes(struct nti *n, const struct fd *fd)
{
	struct gate *g = &n->port[fd->port].gate[fd->prio];

	if (!g->hold)
		return true;
	if (!(fd->flags & PARQ_FD_FLUSH))
		return false;
	if (g->pause && !g->repaused) {
		g->repaused = true;
		n->up.repaused(n->up.ctx, fd->port, fd->prio);
	}
	return !g->repaused;
}

/**
 * nti_drop() - end an FD in the pipeline without sending it
 * @n: the stage
 * @fd: the FD; a marker just vanishes
 * @end: the reason
 */
void nti_drop(struct nti *n, const struct fd *fd, enum nti_end end)
{
	if (fd->flags & PARQ_FD_MARKER)
		return;
	n->up.credit(n->up.ctx, fd, false);
	n->up.done(n->up.ctx, fd, end);
}

static void nti_recycle(struct nti *n, const struct fd *fd)
{
	struct fd rec = *fd;

	rec.flags |= PARQ_FD_REC;
	n->up.credit(n->up.ctx, fd, false);
	n->up.recycle(n->up.ctx, &rec);
}

/* The FD is one of several segments of its frame. */
static bool is_segment(const struct fd *fd)
{
	return fd->seg || !(fd->flags & PARQ_FD_LAST);
}

/* The FD is that of the segment after the one that was sent last. */
static bool follows(const struct nti_port *p, const struct fd *fd)
{
	const struct fd *last = &p->sending;

	return fd->queue == last->queue && fd->epoch == last->epoch &&
	       fd->pos == last->pos && fd->seg == last->seg + 1;
}

static bool joins(const struct nti *n, u32 port, const struct gather *g, const struct train *t)
{
	return gather_joins(g, t) && mac_fits(n->mac, port, t->hdr, t->hdr_len + t->mss);
}

/* Return: the train that a segment becomes a part of; NULL if it goes alone. */
static struct train *nti_train(struct nti *n, struct nti_port *p, const struct fd *fd,
			       const struct gather *g)
{
	struct train *t = mac_train(n->mac, fd->port);
	u32 rewr = p->rewr[fd->prio];

	if (t && follows(p, fd) && p->train_rewr == rewr && joins(n, fd->port, g, t))
		return t;
	/* The last segment alone saves nothing. */
	t = g->left && !g->seg.last ? mac_train_begin(n->mac, fd->port, g->left) : NULL;
	if (!t || !gather_begin(g, t, rewr) || !joins(n, fd->port, g, t))
		return NULL;
	p->train_rewr = rewr;
	return t;
}

/* Builds one of several segments, as a part of a train if possible. */
static enum nti_end nti_segment(struct nti *n, struct nti_port *p, const struct fd *fd,
				const struct txq *q, struct gathered *out, struct train **train)
{
	struct gather g;
	enum nti_end end = gather_read(&g, q, n->bus, n->desc, fd);

	if (end != NTI_SENT)
		return end;
	*train = nti_train(n, p, fd, &g);
	return *train ? gather_add(&g, *train, out) :
	       gather_segment(&g, mac_own_buf(n->mac, fd->port), out);
}

/* Builds the frame of an FD as it goes on the wire. @train: the train of which it is a part. */
static enum nti_end build(struct nti *n, struct nti_port *p, const struct fd *fd, u8 *buf,
			  struct gathered *frame, struct train **train)
{
	const struct txq *q;

	if (fd->queue == FD_TRANSIT) {
		n->up.load(n->up.ctx, fd, buf);
		*frame = (struct gathered){ .len = fd->len, .longest = fd->len };
		return NTI_SENT;
	}
	q = n->up.txq(n->up.ctx, fd->port, fd->queue);
	if (is_segment(fd))
		return nti_segment(n, p, fd, q, frame, train);
	return gather_frame(q, n->bus, n->desc, fd, buf, frame);
}

static void nti_send(struct nti *n, struct nti_port *p, const struct fd *fd)
{
	struct train *train = NULL;
	struct gathered frame;
	enum nti_end end;
	u8 *buf;

	if (fd->flags & PARQ_FD_FLUSH)
		n->up.reinjected(n->up.ctx, fd);
	if (fd->flags & PARQ_FD_DROP) {
		nti_drop(n, fd, NTI_DROP_DESC);
		return;
	}
	buf = is_segment(fd) ? mac_own_buf(n->mac, fd->port) :
	      mac_tx_buf(n->mac, fd->port, fd->len);
	end = build(n, p, fd, buf, &frame, &train);
	/* If one segment is too long, no segment of the frame is sent. */
	if (end == NTI_SENT && !train &&
	    !mac_fits(n->mac, fd->port, buf, frame.longest))
		end = NTI_DROP_DESC;
	if (end != NTI_SENT) {
		nti_drop(n, fd, end);
		return;
	}
	p->sending = *fd;
	p->sending.len = frame.len;
	p->sending.flags |= frame.flags;
	if (frame.flags & FD_STAMP)
		p->sending.time = mac_tx_stamp(n->mac, fd->port);
	p->busy = true;
	if (train) {
		mac_send_segment(n->mac, fd->port);
	} else {
		if (p->rewr[fd->prio])
			offload_rewrite(buf, frame.len, p->rewr[fd->prio]);
		mac_send(n->mac, fd->port, buf, frame.len);
	}
	n->up.credit(n->up.ctx, fd, true);
}

/*
 * Handles the FD at the front. Markers and recycled FDs do not wait for the MAC. Return:
 * false if the FD has to wait.
 */
static bool nti_step(struct nti *n, struct nti_port *p, const struct fd *fd)
{
	if (fd->flags & PARQ_FD_MARKER) {
		n->up.recycle(n->up.ctx, fd);
		return true;
	}
	if (!gate_passes(n, fd)) {
		nti_recycle(n, fd);
		return true;
	}
	/* Even a drop waits for the frame on the wire: FDs of a queue end in order. */
	if (p->busy)
		return false;
	if (gate_drops(&p->gate[fd->prio])) {
		nti_drop(n, fd, NTI_DROP_STORM);
		return true;
	}
	if (!mac_tx_ready(n->mac, fd->port))
		return false;
	nti_send(n, p, fd);
	return true;
}

/**
 * nti_pump() - handle the FDs that wait for a port's MAC
 * @n: the stage
 * @port: the port
 *
 * Called whenever the MAC can take a frame again.
 */
void nti_pump(struct nti *n, u32 port)
{
	struct nti_port *p = &n->port[port];

	while (p->count) {
		struct fd fd = p->fifo[p->head];

		if (!nti_step(n, p, &fd))
			break;
		p->head = (p->head + 1) % NTI_SLOTS;
		p->count--;
	}
}

/* Accepts an FD from the pipeline. */
void nti_in(struct nti *n, const struct fd *fd)
{
	struct nti_port *p = &n->port[fd->port];

	*nti_waiting(p, p->count) = *fd;
	p->count++;
	nti_pump(n, fd->port);
}

/* The frame on the wire has ended. The caller calls nti_pump() next. */
void nti_tx_done(struct nti *n, u32 port)
{
	struct nti_port *p = &n->port[port];

	p->busy = false;
	if (!p->settled)
		n->up.done(n->up.ctx, &p->sending, NTI_SENT);
	p->settled = false;
}

/**
 * nti_settle() - complete the frame on the wire before its queue stops
 * @n: the stage
 * @port: port of the queue
 * @queue: TX queue
 *
 * The frame ends on the wire as usual. It needs no host memory any more, so it counts as
 * complete now.
 */
void nti_settle(struct nti *n, u32 port, u32 queue)
{
	struct nti_port *p = &n->port[port];

	if (!p->busy || p->settled || p->sending.queue != queue)
		return;
	p->settled = true;
	n->up.done(n->up.ctx, &p->sending, NTI_SENT);
}

/**
 * nti_purge() - drop the waiting FDs of a stopped queue or port
 * @n: the stage
 * @port: port of the queue
 * @queue: TX queue, or FD_ANY_QUEUE: all queues and the markers of the port
 * @domain: with FD_TRANSIT: domain of transit frames, or FD_ANY_DOMAIN
 *
 * The frame on the wire is not touched.
 */
void nti_purge(struct nti *n, u32 port, int queue, u32 domain)
{
	struct nti_port *p = &n->port[port];
	u32 i, kept = 0;

	for (i = 0; i < p->count; i++) {
		struct fd fd = *nti_waiting(p, i);

		if (fd_matches(&fd, port, queue, domain))
			nti_drop(n, &fd, NTI_DROP_PURGE);
		else
			*nti_waiting(p, kept++) = fd;
	}
	p->count = kept;
}

/* Sets the storm action of all priorities of a port. */
void nti_storm_forward(struct nti *n, u32 port, bool on)
{
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		n->port[port].gate[prio].forward = on;
}

void nti_reset(struct nti *n)
{
	u32 port;

	for (port = 0; port < n->ports; port++)
		n->port[port] = (struct nti_port){ .head = 0 };
}
