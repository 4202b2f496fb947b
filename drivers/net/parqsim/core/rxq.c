// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/string.h>

#include "frame.h"
#include "rxq.h"

static u32 db_index(u32 port, u32 queue, u32 reg)
{
	return (PARQ_DB_RX(port, queue) + reg) / sizeof(u32);
}

static u32 db_read(const struct rxqs *r, u32 port, u32 queue, u32 reg)
{
	return __atomic_load_n(&r->db[db_index(port, queue, reg)],
			       __ATOMIC_ACQUIRE);
}

static void queue_fails(struct rxqs *r, u32 port, u32 queue, enum parq_err err)
{
	struct parq_event e = {
		.type = PARQ_EV_QUEUE,
		.port = port,
		.index = PARQ_MAX_TXQ + queue,
		.a = cpu_to_le32(err),
	};

	r->port[port].q[queue].err = err;
	if (!event_log(r->events, &e))
		stat_add(&r->stats[port].event_lost, 1);
}

/**
 * rxq_pick() - queue of a frame
 * @r: the queues
 * @port: its port
 * @slot: entry of a table, or RXQ_QUEUE()
 *
 * Return: number of the queue.
 */
u32 rxq_pick(const struct rxqs *r, u32 port, u32 slot)
{
	return slot & RXQ_DIRECT ? slot & ~RXQ_DIRECT : r->port[port].indir[slot];
}

/**
 * rxq_rang() - whether a waiting frame should try its queue again
 * @r: the queues
 * @port: port of the queue
 * @queue: its number
 * @seen: rxq_tail() when the frame found too few buffers
 *
 * Return: the queue is running, and its tail has moved.
 */
bool rxq_rang(const struct rxqs *r, u32 port, u32 queue, u32 seen)
{
	const struct rxq *q = &r->port[port].q[queue];

	return q->en && !q->hold && !q->err &&
	       db_read(r, port, queue, PARQ_DB_TAIL) != seen;
}

/* Doorbells of RX queues are read only when a frame arrives or waits. */
static bool poll_tail(struct rxqs *r, u32 port, u32 queue)
{
	struct rxq *q = &r->port[port].q[queue];
	u32 tail = db_read(r, port, queue, PARQ_DB_TAIL);

	if (tail - q->head > BIT(q->log2) ||
	    tail - q->head < q->tail - q->head) {
		queue_fails(r, port, queue, PARQ_ERR_DOORBELL);
		return false;
	}
	q->tail = tail;
	return true;
}

static bool buffer_at(struct rxqs *r, struct rxq *q, u32 pos, u64 *addr)
{
	u32 size = BIT(q->log2), at = pos & (size - 1), n = q->tail - pos;

	if (pos - q->cache_pos >= q->cache_n) {
		if (n > RXQ_PREFETCH)
			n = RXQ_PREFETCH;
		if (n > size - at)
			n = size - at;
		q->cache_n = 0;
		if (!bus_read(r->bus, q->fill + at * sizeof(*q->cache),
			      q->cache, n * sizeof(*q->cache)))
			return false;
		q->cache_pos = pos;
		q->cache_n = n;
	}
	*addr = le64_to_cpu(q->cache[pos - q->cache_pos]);
	return true;
}

/* @comp lacks GEN, which depends on the position and is added here. */
static bool complete(struct rxqs *r, const struct rxq *q, u32 pos,
		     const struct parq_rx_comp *comp)
{
	u64 addr = q->comp + sizeof(*comp) * (pos & (BIT(q->log2) - 1));
	u32 flags = le32_to_cpu(comp->flags);

	if (!((pos >> q->log2) & 1))
		flags |= PARQ_RX_GEN;
	return bus_write(r->bus, addr, comp, 8) &&
	       bus_write64(r->bus, addr + 8,
			   flags | (u64)le32_to_cpu(comp->time) << 32);
}

static bool store(struct rxqs *r, struct rxq *q, const u8 *data, u32 len,
		  const struct parq_rx_comp *last)
{
	struct parq_rx_comp comp = { .time = last->time };
	u32 pos = q->head, part;
	u64 addr;

	for (; len; pos++, data += part, len -= part) {
		part = len < q->buf ? len : q->buf;
		if (part == len)
			comp = *last;
		comp.len = cpu_to_le16(part);
		if (!buffer_at(r, q, pos, &addr) ||
		    !bus_write(r->bus, addr, data, part) ||
		    !complete(r, q, pos, &comp))
			return false;
	}
	q->head = pos;
	return true;
}

static void count(struct rxqs *r, u32 port, u32 queue,
		  const struct rx_frame *f)
{
	struct parq_stats *s = &r->stats[port];
	struct parq_prio_stats *prio = &s->prio[f->prio];
	struct parq_queue_stats *q = &s->rxq[queue];

	stat_add(&prio->rx_frames, f->segs);
	stat_add(&prio->rx_bytes, f->bytes);
	stat_add(&q->frames, f->segs);
	stat_add(&q->bytes, f->bytes);
	if (f->comp.flags & cpu_to_le32(PARQ_RX_CSUM_OK | PARQ_RX_CSUM_BAD))
		stat_add(&q->csum, f->segs);
}

/* See rxq_look(). Inline: each frame goes through it. */
static __always_inline enum rxq_end look(struct rxqs *r, u32 port, u32 queue, u32 len)
{
	const struct rxq *q = &r->port[port].q[queue];

	if (q->hold)
		return RXQ_HELD;
	if (!q->en)
		return RXQ_DISABLED;
	if (q->err || !poll_tail(r, port, queue))
		return RXQ_NOBUF;
	if ((len + q->buf - 1) / q->buf > q->tail - q->head)
		return RXQ_NOBUF;
	return RXQ_STORED;
}

/**
 * rxq_look() - whether a queue could take a frame now
 * @r: the queues
 * @port: its port
 * @queue: its number
 * @len: bytes of the frame
 *
 * Return: RXQ_STORED if it could. The host may still refuse an address later.
 */
enum rxq_end rxq_look(struct rxqs *r, u32 port, u32 queue, u32 len)
{
	return look(r, port, queue, len);
}

/* Whether a queue could take a frame of @len bytes that represents several, see PARQ_RX_GRO. */
bool rxq_merges(struct rxqs *r, u32 port, u32 queue, u32 len)
{
	return len <= PARQ_RX_GRO_BUFS * r->port[port].q[queue].buf &&
	       look(r, port, queue, len) == RXQ_STORED;
}

/* Bytes of a frame for which rxq_merges() would return true, 0 for none. */
u32 rxq_merge_room(struct rxqs *r, u32 port, u32 queue)
{
	const struct rxq *q = &r->port[port].q[queue];
	u32 bufs;

	if (look(r, port, queue, 0) != RXQ_STORED)
		return 0;
	bufs = q->tail - q->head;
	return (bufs < PARQ_RX_GRO_BUFS ? bufs : PARQ_RX_GRO_BUFS) * q->buf;
}

/**
 * rxq_deliver() - store a frame in host memory
 * @r: the queues
 * @port: its port
 * @queue: its number
 * @f: the frame
 *
 * Counts the frame if it is stored. The caller counts drops.
 *
 * Return: RXQ_STORED, or the reason it is not stored.
 */
enum rxq_end rxq_deliver(struct rxqs *r, u32 port, u32 queue,
			 const struct rx_frame *f)
{
	enum rxq_end end = look(r, port, queue, f->len);
	struct rxq *q = &r->port[port].q[queue];
	u32 old = q->head, arm;

	if (end != RXQ_STORED)
		return end;
	if (!store(r, q, f->data, f->len, &f->comp)) {
		queue_fails(r, port, queue, PARQ_ERR_DMA);
		return RXQ_DMA;
	}
	count(r, port, queue, f);
	/* Pairs with the host's barrier between arming and its last read of the ring. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	arm = db_read(r, port, queue, PARQ_DB_ARM);
	if (arm - old < q->head - old)
		irq_raise(r->irq, q->vec);
	return RXQ_STORED;
}

/* The caller has set rings, buffer size and vector. */
void rxq_enable(struct rxqs *r, u32 port, u32 queue)
{
	struct rxq *q = &r->port[port].q[queue];

	q->tail = 0;
	q->head = 0;
	q->cache_n = 0;
	q->err = PARQ_ERR_NONE;
	q->en = true;
	__atomic_store_n(&r->db[db_index(port, queue, PARQ_DB_TAIL)], 0,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&r->db[db_index(port, queue, PARQ_DB_ARM)], 0,
			 __ATOMIC_RELAXED);
}

void rxq_disable(struct rxqs *r, u32 port, u32 queue)
{
	r->port[port].q[queue].en = false;
	r->port[port].q[queue].hold = false;
}

void rxq_reset(struct rxqs *r)
{
	memset(r->port, 0, r->ports * sizeof(*r->port));
}
