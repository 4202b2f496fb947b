// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "frame.h"
#include "rxbuf.h"

/**
 * struct waiter - header of a waiting frame in its cells; the bytes follow
 * @next: first cell of the next frame, CELL_NONE for none
 * @settings: those that selected @slot
 * @len: bytes of the frame in the cells
 * @wire: bytes with FCS, charged to the buffer
 * @slot: entry of a table, or RXQ_QUEUE()
 * @buf: buffer charged, even if its priority is mapped to another buffer later
 * @comp: completion of the last host buffer
 */
struct waiter {
	u32 next;
	u32 settings;
	u16 len;
	u16 wire;
	u16 slot;
	u8 buf;
	struct parq_rx_comp comp;
};

/*
 * Cells cannot run out before the buffers are full. A frame charged with c bytes
 * (c >= 64) has at most c - 4 bytes in cells, after a struct waiter of 32. That takes
 * floor((c - 4 + 32 + 63) / 64) = floor((c + 91) / 64) cells. For c from 64 to 100
 * that is 2 cells or 128 bytes, at most 2 * c. From 101 on it is at most c + 91 bytes,
 * less than 2 * c. So frames charged with n bytes take at most 2 * n bytes of cells. n
 * is at most the total, see fits(), and the pool has cells for twice the total. The ports of
 * a switch share cells: for twice the total of each port that has memory.
 */
static_assert(sizeof(struct waiter) == 32);
static_assert((RXBUF_SMALLEST - 4 + sizeof(struct waiter) + CELL_SIZE - 1) / CELL_SIZE *
	      CELL_SIZE <= 2 * RXBUF_SMALLEST);

static struct waiter *waiter_at(const struct rxbuf_port *p, u32 cell)
{
	return cells_at(p->cells, cell);
}

/* ---- accounting --------------------------------------------------------- */

/* Whether the pool takes what is beyond the reserved memory of a buffer, or else its headroom. */
static bool fits_pool(const struct rxbuf *r, u32 port, u32 buf, u32 bytes)
{
	const struct rxb_config *cfg = &r->port[port].cfg;
	u32 beyond = pool_beyond(r->port[port].buf[buf].used, cfg->xoff[buf], bytes);

	return !beyond || pool_takes(&r->pool, port, buf, beyond) ||
	       r->pool.port[port].buf[buf].head + beyond <= cfg->size[buf] - cfg->xoff[buf];
}

/*
 * After a buffer was made smaller it may hold more than its new size for a while. That
 * memory is still in use, so the sum is checked against the total as well.
 */
static bool fits(const struct rxbuf *r, u32 port, u32 buf, u32 bytes)
{
	const struct rxbuf_port *p = &r->port[port];

	return (p->buf[buf].used + bytes <= p->cfg.size[buf] && p->used + bytes <= r->total) ||
	       (r->pooled && fits_pool(r, port, buf, bytes));
}

/*
 * Whether a frame for the host has room beside those that wait for it. Transit frames do not count
 * as long as it need not wait: a full switch still hears BPDUs and LLDP.
 */
static bool fits_host(const struct rxbuf *r, u32 port, u32 buf, u32 bytes)
{
	const struct rxbuf_port *p = &r->port[port];

	return (p->buf[buf].used - p->buf[buf].transit + bytes <= p->cfg.size[buf] &&
		p->used - p->transit + bytes <= r->total) ||
	       (r->pooled && fits_pool(r, port, buf, bytes));
}

static void charge(struct rxbuf *r, u32 port, u32 buf, u32 bytes)
{
	struct rxbuf_port *p = &r->port[port];
	struct rxb *b = &p->buf[buf];
	u32 beyond;

	if (r->pooled) {
		beyond = pool_beyond(b->used, p->cfg.xoff[buf], bytes);
		if (beyond)
			pool_charge(&r->pool, port, buf, beyond);
	}
	p->used += bytes;
	b->used += bytes;
	if (b->used > b->high)
		b->high = b->used;
}

static void discharge(struct rxbuf *r, u32 port, u32 buf, u32 bytes)
{
	struct rxbuf_port *p = &r->port[port];

	if (r->pooled)
		pool_discharge(&r->pool, port, buf, bytes);
	p->used -= bytes;
	p->buf[buf].used -= bytes;
}

/* BIT(priority) whose buffer is above its watermark, and RXBUF_ANY if any buffer is. */
static u16 levels(const struct rxbuf_port *p)
{
	u16 above = p->above ? RXBUF_ANY : 0;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (p->above & BIT(p->cfg.prio[prio]))
			above |= BIT(prio);
	return above;
}

/* Whether a buffer is above its high watermark: it has crossed it if the pool takes no more. */
static bool is_above(const struct rxbuf *r, u32 port, u32 buf)
{
	const struct rxbuf_port *p = &r->port[port];

	return r->pooled ? r->pool.port[port].buf[buf].head :
			   p->buf[buf].used > p->cfg.xoff[buf];
}

static u64 xon_of(const struct rxbuf *r, u32 port, u32 buf)
{
	u32 xon = r->port[port].cfg.xon[buf];

	return r->pooled ? xon + pool_limit(&r->pool, port, buf) : xon;
}

static void look_at_watermark(struct rxbuf *r, u32 port, u32 buf)
{
	struct rxbuf_port *p = &r->port[port];

	if (is_above(r, port, buf))
		p->above |= BIT(buf);
	else if (p->buf[buf].used <= xon_of(r, port, buf))
		p->above &= ~BIT(buf);
}

static void tell_levels(struct rxbuf *r, u32 port)
{
	struct rxbuf_port *p = &r->port[port];
	u16 above = levels(p);

	if (above == p->told)
		return;
	p->told = above;
	r->up.level(r->up.ctx, port, above);
}

/* Called once after all changes of one instant. */
static void look_at_watermarks(struct rxbuf *r, u32 port)
{
	u32 i;

	for (i = 0; i < PARQ_NUM_RXB; i++)
		look_at_watermark(r, port, i);
	tell_levels(r, port);
}

void rxbuf_judge(struct rxbuf *r, u32 port)
{
	look_at_watermarks(r, port);
}

/* The same after a change of one buffer. */
static void buffer_changed(struct rxbuf *r, u32 port, u32 buf)
{
	struct rxbuf_port *p = &r->port[port];
	u8 was = p->above;

	look_at_watermark(r, port, buf);
	if (p->above != was)
		tell_levels(r, port);
}

/* Counts a drop because neither the host nor the receive buffer had room. */
static void count_no_room(struct rxbuf *r, u32 port, u32 prio, __le64 *stat)
{
	stat_add(stat, 1);
	stat_add(&r->stats[port].prio[prio].rx_drop, 1);
}

static void count_drop(struct rxbuf *r, u32 port, u32 prio, u32 queue,
		       enum rxq_end reason)
{
	struct parq_stats *s = &r->stats[port];

	switch (reason) {
	case RXQ_NOBUF:
	case RXQ_HELD:
		count_no_room(r, port, prio, &s->rx_drop_nobuf);
		stat_add(&s->rxq[queue].drop, 1);
		break;
	case RXQ_DMA:
		stat_add(&s->rx_drop_dma, 1);
		break;
	default:
		stat_add(&s->rx_drop_disabled, 1);
		break;
	}
}

/* ---- what waits --------------------------------------------------------- */

static void set_waiting(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxbuf_port *p = &r->port[port];

	if (p->fifo[prio].head == CELL_NONE)
		p->waiting &= ~BIT(prio);
	else
		p->waiting |= BIT(prio);
	if (p->waiting)
		r->waiting |= BIT_ULL(port);
	else
		r->waiting &= ~BIT_ULL(port);
}

/*
 * The oldest frame of a priority gets the slot that the settings of now select. What has been
 * accepted is not dropped by a later rule.
 */
static void steer_oldest(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxbuf_port *p = &r->port[port];
	u32 cell = p->fifo[prio].head;
	struct waiter *w = waiter_at(p, cell);
	u16 slot;

	cells_read(p->cells, cell, sizeof(*w), r->frame, w->len);
	slot = r->up.steer(r->up.ctx, port, r->frame, w->len, &w->comp);
	if (slot != RXQ_DROP)
		w->slot = slot;
	w->settings = p->settings;
}

/* The queue to which the oldest frame would be delivered now. */
static u32 next_queue(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxbuf_port *p = &r->port[port];
	const struct waiter *w = waiter_at(p, p->fifo[prio].head);

	if (w->settings != p->settings)
		steer_oldest(r, port, prio);
	return rxq_pick(r->rxqs, port, w->slot);
}

/* The oldest frame found too few buffers: remembers the queue's tail for rxq_rang(). */
static void refused(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxb_fifo *q = &r->port[port].fifo[prio];

	q->seen = rxq_tail(r->rxqs, port, next_queue(r, port, prio));
}

static void append(struct rxbuf *r, u32 port, const struct rx_frame *f)
{
	struct rxbuf_port *p = &r->port[port];
	struct rxb_fifo *q = &p->fifo[f->prio];
	u32 buf = p->cfg.prio[f->prio], cell;

	cell = cells_alloc(p->cells, sizeof(struct waiter) + f->len);
	*waiter_at(p, cell) = (struct waiter){
		.next = CELL_NONE,
		.len = f->len,
		.wire = f->wire,
		.buf = buf,
		.slot = f->slot,
		.settings = p->settings,
		.comp = f->comp,
	};
	cells_write(p->cells, cell, sizeof(struct waiter), f->data, f->len);
	if (q->head == CELL_NONE) {
		q->head = cell;
		refused(r, port, f->prio);
	} else {
		waiter_at(p, q->tail)->next = cell;
	}
	q->tail = cell;
	charge(r, port, buf, f->wire);
	set_waiting(r, port, f->prio);
}

static void remove_oldest(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxbuf_port *p = &r->port[port];
	u32 cell = p->fifo[prio].head;
	const struct waiter *w = waiter_at(p, cell);

	p->fifo[prio].head = w->next;
	discharge(r, port, w->buf, w->wire);
	cells_free(p->cells, cell);
	set_waiting(r, port, prio);
}

static enum rxq_end deliver_oldest(struct rxbuf *r, u32 port, u32 prio,
				   u32 queue)
{
	struct rxbuf_port *p = &r->port[port];
	u32 cell = p->fifo[prio].head;
	const struct waiter *w = waiter_at(p, cell);
	struct rx_frame f = {
		.data = r->frame,
		.len = w->len,
		.wire = w->wire,
		.segs = 1,
		.bytes = w->wire - FCS_LEN,
		.prio = prio,
		.slot = w->slot,
		.comp = w->comp,
	};
	enum rxq_end end = rxq_look(r->rxqs, port, queue, w->len);

	if (end != RXQ_STORED)
		return end;
	cells_read(p->cells, cell, sizeof(*w), r->frame, w->len);
	return rxq_deliver(r->rxqs, port, queue, &f);
}

static bool waits(const struct rxbuf_port *p, u32 prio, enum rxq_end reason)
{
	return reason == RXQ_HELD ||
	       (reason == RXQ_NOBUF && (p->lossless & BIT(prio)));
}

/*
 * Delivers waiting frames in order, @left of them at most. Return: why the oldest remaining
 * frame waits; RXQ_STORED if none remains.
 */
static enum rxq_end drain_waiting(struct rxbuf *r, u32 port, u32 prio)
{
	struct rxbuf_port *p = &r->port[port];
	enum rxq_end end;
	u32 queue;

	p->more &= ~BIT(prio);
	while (p->waiting & BIT(prio)) {
		if (!r->left) {
			p->more |= BIT(prio);
			return RXQ_HELD;
		}
		queue = next_queue(r, port, prio);
		end = deliver_oldest(r, port, prio, queue);
		if (waits(p, prio, end)) {
			refused(r, port, prio);
			return end;
		}
		if (end != RXQ_STORED)
			count_drop(r, port, prio, queue, end);
		remove_oldest(r, port, prio);
		r->left--;
	}
	return RXQ_STORED;
}

/* Inline: each frame goes through it. */
static __always_inline enum rxq_end drain(struct rxbuf *r, u32 port, u32 prio)
{
	if (!(r->port[port].waiting & BIT(prio)))
		return RXQ_STORED;
	return drain_waiting(r, port, prio);
}

/* ---- what arrives ------------------------------------------------------- */

/* Whether @f, which found too few host buffers or a queue on hold, is to wait. */
static bool may_wait(const struct rxbuf_port *p, const struct rx_frame *f, enum rxq_end reason)
{
	return waits(p, f->prio, reason) && !f->lossy && !(p->closed & BIT(f->prio)) &&
	       p->cells && cells_have(p->cells, sizeof(struct waiter) + f->len);
}

/* Whether there is no room for @f, or it may not wait. */
static bool full(const struct rxbuf *r, u32 port, const struct rx_frame *f)
{
	const struct rxbuf_port *p = &r->port[port];

	return (p->closed & BIT(f->prio)) ||
	       !fits(r, port, p->cfg.prio[f->prio], f->wire);
}

/**
 * rxbuf_in() - accept a frame for the host
 * @r: the buffers
 * @port: its port
 * @f: the frame
 *
 * If no frame of its priority waits, the frame is delivered at once. It must fit in its
 * buffer all the same, but does not move a watermark.
 */
void rxbuf_in(struct rxbuf *r, u32 port, const struct rx_frame *f)
{
	u32 queue = rxq_pick(r->rxqs, port, f->slot);
	struct rxbuf_port *p = &r->port[port];
	u8 waited = p->waiting;
	enum rxq_end end;
	bool room, wait;

	end = drain(r, port, f->prio);
	/* The limit of a step delays frames, and drops none. */
	if ((p->more & BIT(f->prio)) && full(r, port, f)) {
		r->left = RXBUF_ALL;
		end = drain(r, port, f->prio);
		r->left = 0;
	}
	room = fits_host(r, port, p->cfg.prio[f->prio], f->wire);
	if (room && end == RXQ_STORED)
		end = rxq_deliver(r->rxqs, port, queue, f);
	wait = may_wait(p, f, end);
	if (!room || (wait && !fits(r, port, p->cfg.prio[f->prio], f->wire)))
		count_no_room(r, port, f->prio, &r->stats[port].rx_drop_buffer);
	else if (wait)
		append(r, port, f);
	else if (end != RXQ_STORED)
		count_drop(r, port, f->prio, queue, end);
	if (waited || p->waiting)
		look_at_watermarks(r, port);
}

/**
 * rxbuf_merges() - whether a segment can be merged with those before it
 * @r: the buffers
 * @port: its port
 * @f: its priority, slot and bytes on the wire
 * @len: bytes of the frame that represents all of them
 *
 * Return: false if rxbuf_in() would not deliver the segment at once.
 */
bool rxbuf_merges(struct rxbuf *r, u32 port, const struct rx_frame *f, u32 len)
{
	const struct rxbuf_port *p = &r->port[port];

	return !(p->waiting & BIT(f->prio)) && fits(r, port, p->cfg.prio[f->prio], f->wire) &&
	       rxq_merges(r->rxqs, port, rxq_pick(r->rxqs, port, f->slot), len);
}

/* Bytes of a frame for which rxbuf_merges() would return true, 0 for none. */
u32 rxbuf_merge_room(struct rxbuf *r, u32 port, const struct rx_frame *f)
{
	const struct rxbuf_port *p = &r->port[port];

	if ((p->waiting & BIT(f->prio)) || !fits(r, port, p->cfg.prio[f->prio], f->wire))
		return 0;
	return rxq_merge_room(r->rxqs, port, rxq_pick(r->rxqs, port, f->slot));
}

/* ---- transit frames ----------------------------------------------------- */

/**
 * struct stored - header of a transit frame in its cells; the bytes follow
 * @users: copies that have not left
 * @wire: bytes with FCS, charged to the buffer
 * @buf: buffer charged
 */
struct stored {
	u32 users;
	u16 wire;
	u8 buf;
};

static_assert(sizeof(struct stored) <= sizeof(struct waiter));

static struct stored *stored_at(const struct rxbuf *r, u32 port, u32 cell)
{
	return cells_at(r->port[port].cells, cell);
}

/**
 * rxbuf_store() - store a frame that leaves by other ports
 * @r: the buffers
 * @port: port by which the frame came
 * @prio: its priority, whose buffer is charged until all copies have left
 * @data: the frame
 * @len: bytes without FCS
 * @users: number of copies, at least 1
 *
 * Return: first cell of the frame, or CELL_NONE if its buffer has no room.
 */
u32 rxbuf_store(struct rxbuf *r, u32 port, u32 prio, const u8 *data, u32 len, u32 users)
{
	struct rxbuf_port *p = &r->port[port];
	u32 buf = p->cfg.prio[prio], wire = len + FCS_LEN, cell;

	if (!p->cells || (p->closed & BIT(prio)) || !fits(r, port, buf, wire) ||
	    !cells_have(p->cells, sizeof(struct stored) + len))
		return CELL_NONE;
	cell = cells_alloc(p->cells, sizeof(struct stored) + len);
	*stored_at(r, port, cell) = (struct stored){ .users = users, .wire = wire, .buf = buf };
	cells_write(p->cells, cell, sizeof(struct stored), data, len);
	charge(r, port, buf, wire);
	p->transit += wire;
	p->buf[buf].transit += wire;
	buffer_changed(r, port, buf);
	return cell;
}

/* Reads a stored frame of @len bytes. */
void rxbuf_load(const struct rxbuf *r, u32 port, u32 cell, u8 *data, u32 len)
{
	cells_read(r->port[port].cells, cell, sizeof(struct stored), data, len);
}

/* A copy of a stored frame has left. The last one frees its memory. */
void rxbuf_unuse(struct rxbuf *r, u32 port, u32 cell)
{
	struct stored *s = stored_at(r, port, cell);
	struct rxbuf_port *p = &r->port[port];
	u32 buf;

	if (--s->users)
		return;
	buf = s->buf;
	discharge(r, port, buf, s->wire);
	p->transit -= s->wire;
	p->buf[buf].transit -= s->wire;
	cells_free(p->cells, cell);
	buffer_changed(r, port, buf);
}

/* ---- software's side ---------------------------------------------------- */

/*
 * Priorities that share a queue each remember the tail they saw: the doorbell is new to
 * each of them.
 */
static bool poll_prio(struct rxbuf *r, u32 port, u32 prio)
{
	const struct rxbuf_port *p = &r->port[port];

	if (!(p->more & BIT(prio)) &&
	    !rxq_rang(r->rxqs, port, next_queue(r, port, prio), p->fifo[prio].seen))
		return false;
	drain(r, port, prio);
	return true;
}

static bool poll_port(struct rxbuf *r, u32 port)
{
	u8 prios = r->port[port].waiting;
	bool rang = false;

	for (; prios; prios &= prios - 1)
		rang |= poll_prio(r, port, __builtin_ctz(prios));
	if (rang)
		look_at_watermarks(r, port);
	return rang;
}

/**
 * rxbuf_poll() - read the doorbells of the queues that frames wait for
 * @r: the buffers
 *
 * Return: whether one has rung.
 */
bool rxbuf_poll(struct rxbuf *r)
{
	u64 ports = r->waiting;
	bool rang = false;

	for (; ports; ports &= ports - 1)
		rang |= poll_port(r, __builtin_ctzll(ports));
	return rang;
}

static void drain_prios(struct rxbuf *r, u32 port, u32 prios, u32 limit)
{
	u32 left = r->left;

	r->left = limit;
	for (prios &= r->port[port].waiting; prios; prios &= prios - 1)
		drain(r, port, __builtin_ctz(prios));
	r->left = left;
	look_at_watermarks(r, port);
}

/**
 * rxbuf_lossless() - set the priorities whose frames may wait
 * @r: the buffers
 * @port: a port
 * @lossless: BIT(priority); waiting frames of other priorities are delivered or dropped,
 *	RXBUF_SOME now and the others in the next steps
 * @closed: BIT(priority) of @lossless that keep their frames but accept no more
 */
void rxbuf_lossless(struct rxbuf *r, u32 port, u8 lossless, u8 closed)
{
	struct rxbuf_port *p = &r->port[port];
	u8 gone = p->lossless & ~lossless;

	p->lossless = lossless;
	p->closed = closed;
	if (gone)
		drain_prios(r, port, gone, RXBUF_SOME);
}

/**
 * rxbuf_retry() - deliver again after the state of a queue or PARQ_RSS_INDIR changed
 * @r: the buffers
 * @port: a port
 *
 * Such changes ring no doorbell. Frames that wait for a disabled queue are dropped. Handles
 * RXBUF_SOME frames. The next step continues with the state that it finds.
 */
void rxbuf_retry(struct rxbuf *r, u32 port)
{
	drain_prios(r, port, BIT(PARQ_NUM_PRIO) - 1, RXBUF_SOME);
}

/**
 * rxbuf_steer() - select slots of waiting frames again, after a change of what selects them
 * @r: the buffers
 * @port: a port
 *
 * Otherwise earlier and later frames of a flow would wait for different queues. The rest is as in
 * rxbuf_retry().
 */
void rxbuf_steer(struct rxbuf *r, u32 port)
{
	r->port[port].settings++;
	rxbuf_retry(r, port);
}

/**
 * rxbuf_empty() - drop all waiting frames of a port
 * @r: the buffers
 * @port: a port whose queues are disabled
 */
void rxbuf_empty(struct rxbuf *r, u32 port)
{
	drain_prios(r, port, BIT(PARQ_NUM_PRIO) - 1, RXBUF_ALL);
}

/* Waiting frames stay charged to the buffer in which they arrived. */
void rxbuf_set(struct rxbuf *r, u32 port, const struct rxb_config *cfg)
{
	r->port[port].cfg = *cfg;
	if (r->pooled && r->port[port].cells)
		rxbuf_give(r, port);
	look_at_watermarks(r, port);
}
