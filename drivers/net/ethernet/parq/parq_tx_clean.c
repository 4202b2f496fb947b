// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit: completion of frames, replacement and flush of rings. Frames that the device
 * has sent or dropped are counted and freed.
 *
 * While a ring is replaced, the sender uses the new one. The cleaner uses the old one
 * until the device reports in parq_txq_wb that it has changed over.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/if_vlan.h>

#include "parq_io.h"
#include "parq_ptp.h"
#include "parq_tx.h"
#include "parq_xsk.h"

/**
 * struct parq_tx_done - results of a poll
 * @frames: frames as the stack counts them
 * @bytes: bytes of @frames
 * @more: frames on the wire in addition to @frames; wraps if there are less, because the
 *	device dropped some
 * @more_bytes: the same for @bytes
 * @dropped: frames that the device has dropped, segments counted
 */
struct parq_tx_done {
	unsigned int frames;
	unsigned int bytes;
	unsigned int more;
	unsigned int more_bytes;
	unsigned int dropped;
};

/* Frees a frame of several descriptors. */
static void parq_tx_clean_long(struct parq_txq *q, struct parq_tx_ring *ring,
			       u32 pos, struct parq_tx_done *done)
{
	const struct parq_tx_buf *first = &ring->buf[pos & ring->mask];

	parq_tx_unmap(q, ring, pos + 1, first->ndesc - 1);
	if (first->segs == 1)
		return;
	done->more += first->segs - 1;
	done->more_bytes += (first->segs - 1) * parq_tx_hdr_len(first->skb);
}

/*
 * Reads the status in the frame's first descriptor, if there is one.
 * Return: true if a part of the frame was dropped; @sent and @bytes are what was sent of it.
 */
static bool parq_tx_status(const struct parq_tx_ring *ring, u32 pos, u32 *sent,
			   u32 *bytes)
{
	const struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];
	const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
	u64 info = le64_to_cpu(desc->info);

	if (!(info & PARQ_TXS_DROPPED))
		return false;
	*sent = min_t(u32, FIELD_GET(PARQ_TXS_SENT, info), buf->segs - 1);
	*bytes = *sent ? FIELD_GET(PARQ_TXS_BYTES, le64_to_cpu(desc->addr)) : 0;
	/* The stack does not count a tag that the device inserts. */
	if (skb_vlan_tag_present(buf->skb))
		*bytes -= min(*bytes, *sent * VLAN_HLEN);
	return true;
}

/* Counts a frame that the device has cut, without the segments that it has dropped. */
static void parq_tx_count_gso(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos)
{
	const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
	struct parq_tx_stats *stats = q->stats;
	u32 sent = buf->segs, bytes;

	bytes = buf->skb->len + (sent - 1) * parq_tx_hdr_len(buf->skb);
	parq_tx_status(ring, pos, &sent, &bytes);
	if (!sent)
		return;
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->gso_packets, 1);
	u64_stats_add(&stats->gso_bytes, buf->skb->len);
	u64_stats_add(&stats->gso_wire_packets, sent);
	u64_stats_add(&stats->gso_wire_bytes, bytes);
	u64_stats_update_end(&stats->sync);
}

/*
 * Subtracts from @done what the device has not sent of a frame.
 * Return: a part of the frame was dropped.
 */
static bool parq_tx_dropped(const struct parq_tx_ring *ring, u32 pos,
			    struct parq_tx_done *done)
{
	const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
	u32 sent, bytes, len = buf->skb->len;

	if (!parq_tx_status(ring, pos, &sent, &bytes))
		return false;
	if (buf->segs > 1)
		len += (buf->segs - 1) * parq_tx_hdr_len(buf->skb);
	done->dropped += buf->segs - sent;
	done->more -= buf->segs - sent;
	done->more_bytes -= len - min(bytes, len);
	return true;
}

static struct parq_xsk *parq_tx_xsk(const struct parq_txq *q)
{
	return q->port->xsk[q->index / PARQ_NUM_PRIO];
}

/* The device has sent no part of a frame. */
static void parq_tx_count_drop(u32 len, struct parq_tx_done *done)
{
	done->dropped++;
	done->more--;
	done->more_bytes -= len;
}

/*
 * Completes the frames of AF_XDP sockets in [@pos, @to), up to the end of the ring or the first
 * that has more than one descriptor or is not the pool's next.
 * Return: position behind them.
 */
static __always_inline u32 parq_tx_clean_xsk_next(struct parq_xsk *x, struct parq_tx_ring *ring,
						  u32 pos, u32 to, struct parq_tx_done *done)
{
	u32 at = pos & ring->mask, num = min(to - pos, ring->mask + 1 - at), slot = x->done;
	const struct parq_tx_buf *buf = &ring->buf[at], *end = buf + num;
	u32 bytes = 0;

	for (; buf != end; buf++) {
		if (unlikely(buf->ndesc != 1 || buf->segs || buf->xdp || buf->addr != slot))
			break;
		bytes += buf->len;
		slot++;
	}
	num = slot - x->done;
	done->frames += num;
	done->bytes += bytes;
	if (num)
		parq_xsk_done(x, x->done, num);
	return pos + num;
}

/* The same for complete frames of AF_XDP sockets as parq_tx_clean_xdp() for those of programs. */
static u32 parq_tx_clean_xsk(struct parq_txq *q, struct parq_tx_ring *ring, u32 pos, u32 to,
			     bool drops, struct parq_tx_done *done)
{
	struct parq_xsk *x = parq_tx_xsk(q);

	parq_xsk_done_begin(x);
	while (pos != to) {
		const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
		const struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];

		if (!parq_tx_is_xsk(buf) || buf->ndesc > to - pos)
			break;
		done->frames++;
		done->bytes += buf->len;
		if (drops && le64_to_cpu(desc->info) & PARQ_TXS_DROPPED)
			parq_tx_count_drop(buf->len, done);
		parq_xsk_done_frame(x, q, ring, pos);
		pos += buf->ndesc;
		if (!drops)
			pos = parq_tx_clean_xsk_next(x, ring, pos, to, done);
	}
	parq_xsk_done_end(x);
	return pos;
}

/* Unmaps a frame of XDP. Return: its length. */
static __always_inline u32 parq_tx_unmap_xdp(struct parq_txq *q, struct parq_tx_ring *ring,
					     u32 pos)
{
	const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];

	/* Most have one buffer, of a page pool. */
	if (unlikely(buf->len || buf->ndesc != 1))
		parq_tx_unmap(q, ring, pos, buf->ndesc);
	return xdp_get_frame_len(buf->xdp);
}

/*
 * Frees complete frames of programs in [@pos, @to), up to the first that is of somebody else.
 * Return: position behind them.
 */
static u32 parq_tx_clean_xdp(struct parq_txq *q, struct parq_tx_ring *ring, u32 pos, u32 to,
			     bool drops, struct parq_tx_done *done)
{
	struct xdp_frame_bulk bulk;

	xdp_frame_bulk_init(&bulk);
	rcu_read_lock(); /* for bulk frees */
	while (pos != to) {
		const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
		const struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];
		u32 len;

		if (buf->segs || !buf->xdp || buf->ndesc > to - pos)
			break;
		len = parq_tx_unmap_xdp(q, ring, pos);
		done->frames++;
		done->bytes += len;
		if (drops && le64_to_cpu(desc->info) & PARQ_TXS_DROPPED)
			parq_tx_count_drop(len, done);
		xdp_return_frame_bulk(buf->xdp, &bulk);
		pos += buf->ndesc;
	}
	xdp_flush_frame_bulk(&bulk);
	rcu_read_unlock();
	return pos;
}

/* Frees the complete frames in [head, @to). @drops: some may have a drop status. */
static __always_inline void parq_tx_clean_ring(struct parq_txq *q,
					       struct parq_tx_ring *ring,
					       u32 to, int budget, bool drops,
					       struct parq_tx_done *done)
{
	/* Called here, after all mappings that it is asked about exist. */
	bool unmap = dma_need_unmap(q->dev);
	u32 pos = ring->head;

	while (pos != to) {
		struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
		struct sk_buff *skb = buf->skb;
		u32 n = 1;

		if (unlikely(buf->ndesc != 1 || buf->segs != 1)) {
			n = buf->ndesc;
			/* The device has not completed this frame. */
			if (n > to - pos)
				break;
			if (!buf->segs) {
				/* Netpoll may not use page pools. */
				if (!budget)
					break;
				pos = buf->xdp ?
				      parq_tx_clean_xdp(q, ring, pos, to, drops, done) :
				      parq_tx_clean_xsk(q, ring, pos, to, drops, done);
				continue;
			}
			parq_tx_clean_long(q, ring, pos, done);
			if (buf->segs > 1)
				parq_tx_count_gso(q, ring, pos);
			if (parq_tx_is_stamped(ring, pos))
				parq_tx_stamp(q, ring, pos);
		}
		done->frames++;
		done->bytes += skb->len;
		if (unmap)
			dma_unmap_page(q->dev, buf->addr, buf->len,
				       DMA_TO_DEVICE);
		if (drops && parq_tx_dropped(ring, pos, done))
			dev_kfree_skb_any(skb);
		else
			napi_consume_skb(skb, budget);
		pos += n;
	}
	WRITE_ONCE(ring->head, pos);
}

static void parq_tx_broken(struct parq_txq *q, u32 head)
{
	const struct parq_tx_ring *ring = q->clean;

	if (q->broken)
		return;
	if (net_ratelimit())
		netdev_err(q->port->netdev,
			   "TX queue %u: head %u is not within %u to %u, reset\n",
			   q->index, head, ring->head, ring->tail);
	WRITE_ONCE(q->broken, true);
	parq_kick_stuck(q->port, false, q->index);
}

/* Switches to the new ring after the device has left the old one. */
static struct parq_tx_ring *parq_tx_switch(struct parq_txq *q, u8 seq, int budget,
					   struct parq_tx_done *done)
{
	struct parq_tx_ring *ring = q->clean;
	struct parq_tx_ring *next;

	/* Pairs with parq_tx_replace(): the new ring is complete. */
	next = smp_load_acquire(&ring->next);
	if (!next || next->seq != seq)
		return NULL;
	parq_tx_clean_ring(q, ring, ring->tail, budget, true, done);
	/* All use of the old ring ends before another context may free it... */
	smp_store_release(&q->retired, ring);
	/* ...and that happens before another context may replace the new ring. */
	smp_store_release(&q->clean, next);
	parq_kick_service(q->port, 0);
	return next;
}

/**
 * parq_tx_wake() - let the stack send again, if there is room
 * @q: TX queue
 *
 * Context: any but the sender's.
 * Return: the queue was stopped and has been woken.
 */
bool parq_tx_wake(struct parq_txq *q)
{
	smp_mb(); /* see parq_tx_stop() */
	if (likely(!netif_tx_queue_stopped(q->nq)) || READ_ONCE(q->held) ||
	    parq_tx_room(READ_ONCE(q->ring)) < PARQ_TX_WAKE_DESC)
		return false;
	netif_tx_wake_queue(q->nq);
	parq_xsk_kick(q->port, q->index / PARQ_NUM_PRIO);
	return true;
}

static __always_inline void parq_tx_account(struct parq_txq *q,
					    const struct parq_tx_done *done)
{
	struct parq_tx_stats *stats = q->stats;
	bool woken;

	netdev_tx_completed_queue(q->nq, done->frames, done->bytes);
	woken = parq_tx_wake(q);
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->packets, done->frames + done->more);
	u64_stats_add(&stats->bytes, done->bytes + done->more_bytes);
	u64_stats_add(&stats->wakes, woken);
	u64_stats_update_end(&stats->sync);
	if (unlikely(READ_ONCE(q->draining)) && parq_tx_empty(q))
		parq_kick_service(q->port, 0);
}

/* Frees complete frames up to @head. The device wrote @head, so it is checked first. */
static __always_inline void parq_tx_clean_to(struct parq_txq *q,
					     struct parq_tx_ring *ring, u32 head,
					     int budget, bool drops,
					     struct parq_tx_done *done)
{
	u32 tail;

	/* Pairs with parq_tx_xmit(): entries before the tail are complete. */
	tail = smp_load_acquire(&ring->tail);
	if (unlikely(head - ring->head > tail - ring->head)) {
		parq_tx_broken(q, head);
		head = ring->head;
	}
	parq_tx_clean_ring(q, ring, head, budget, drops, done);
	/* A head must not be inside a frame. Netpoll stops at frames of XDP. */
	if (unlikely(ring->head != head) && budget)
		parq_tx_broken(q, head);
	if (done->frames)
		parq_tx_account(q, done);
}

/* Handles drops, and a ring that the device has left. */
static void parq_tx_clean_slow(struct parq_txq *q, u64 wb, int budget)
{
	struct parq_tx_stats *stats = q->stats;
	struct parq_tx_ring *ring = q->clean;
	u32 head = lower_32_bits(wb);
	u32 state = upper_32_bits(wb);
	struct parq_tx_done done = {};

	/* Before the head, the device has written a status of each dropped frame. */
	dma_rmb();
	if (FIELD_GET(PARQ_TXW_RING, state) != ring->seq) {
		/* Netpoll cannot empty a ring that the device has left. */
		if (!budget)
			return;
		ring = parq_tx_switch(q, FIELD_GET(PARQ_TXW_RING, state),
				      budget, &done);
		if (!ring) {
			parq_tx_broken(q, head);
			return;
		}
	}
	parq_tx_clean_to(q, ring, head, budget, true, &done);
	/* The frames of XDP at which netpoll stops may have been dropped. */
	if (budget || ring->head == head)
		q->state = state;
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->hw_drops, done.dropped);
	u64_stats_update_end(&stats->sync);
}

/**
 * parq_tx_clean() - free the frames that the device has completed
 * @q: TX queue
 * @budget: of NAPI, 0 under netpoll
 *
 * Context: NAPI.
 */
void parq_tx_clean(struct parq_txq *q, int budget)
{
	/* One read on 64 bits. On 32 bits, where it is only compiled, it would tear. */
	u64 wb = le64_to_cpu(READ_ONCE(*(const __le64 *)q->wb));
	struct parq_tx_ring *ring = q->clean;
	struct parq_tx_done done = {};
	u32 head = lower_32_bits(wb);

	if (unlikely(upper_32_bits(wb) != q->state)) {
		parq_tx_clean_slow(q, wb, budget);
		return;
	}
	if (head == ring->head)
		return;
	/* Orders the head before reads of what the device wrote earlier. */
	dma_rmb();
	parq_tx_clean_to(q, ring, head, budget, false, &done);
}

/* Return: the device has written a head that parq_tx_clean() has not read. */
bool parq_tx_pending(const struct parq_txq *q)
{
	u64 wb = le64_to_cpu(READ_ONCE(*(const __le64 *)q->wb));
	const struct parq_tx_ring *ring = q->clean;

	if (unlikely(q->broken))
		return false;
	return lower_32_bits(wb) != ring->head ||
	       upper_32_bits(wb) != q->state;
}

/* Return: all frames that were sent have completed. */
bool parq_tx_empty(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring = READ_ONCE(q->ring);

	return ring == READ_ONCE(q->clean) &&
	       READ_ONCE(ring->head) == READ_ONCE(ring->tail);
}

/*
 * Requests an interrupt for the next completion. While a ring is replaced, the doorbell
 * refers to the new ring, and completions of the old one always interrupt.
 */
void parq_tx_arm(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring = READ_ONCE(q->clean);

	if (likely(ring == READ_ONCE(q->ring)))
		parq_db_arm(&q->db, READ_ONCE(ring->head));
}

/* ---- Replacing and emptying --------------------------------------------- */

/**
 * parq_tx_reap() - free the old ring after a replacement
 * @q: TX queue
 *
 * Context: process, ops lock.
 */
void parq_tx_reap(struct parq_txq *q)
{
	struct parq_tx_ring *ring = xchg(&q->retired, NULL);

	if (!ring)
		return;
	/*
	 * A poll may be about to arm the old ring, see parq_vec_poll(), and the stack's watchdog
	 * about to read its position.
	 */
	synchronize_net();
	parq_ring_tx_free(q->port, ring);
}

/**
 * parq_tx_replace() - replace the ring of a queue without losing a frame
 * @q: TX queue without a pending replacement
 * @next: empty ring; the queue owns it from here on
 *
 * Works while the queue is paused, too: the device drains the old ring first. The queue
 * is woken, because the new ring has room.
 *
 * Context: process, ops lock.
 */
void parq_tx_replace(struct parq_txq *q, struct parq_tx_ring *next)
{
	struct parq_tx_ring *ring = q->ring;

	netdev_assert_locked_ops_compat(q->port->netdev);
	__netif_tx_lock_bh(q->nq);
	/* The old ring ends where its doorbell is. */
	parq_db_tail(&q->db, ring->tail);
	next->seq = ring->seq + 1;
	/* Pairs with parq_tx_switch(). */
	smp_store_release(&ring->next, next);
	WRITE_ONCE(q->ring, next);
	parq_io_txq_next(q, next);
	__netif_tx_unlock_bh(q->nq);
	parq_tx_wake(q);
}

/**
 * parq_tx_close() - have a queue drop the frames that it gets from now on
 * @q: removed TX queue, empty
 *
 * The sender finds no room in the ring, and then looks for the reason.
 *
 * Context: process, ops lock.
 */
void parq_tx_close(struct parq_txq *q)
{
	__netif_tx_lock_bh(q->nq);
	q->ring->limit = q->ring->tail;
	q->closed = true;
	__netif_tx_unlock_bh(q->nq);
}

/* Gives the frame at the head back to its AF_XDP socket, not sent. */
static void parq_tx_flush_xsk(struct parq_txq *q, struct parq_tx_ring *ring)
{
	const struct parq_tx_buf *buf = &ring->buf[ring->head & ring->mask];
	struct parq_xsk *x = parq_tx_xsk(q);

	parq_xsk_done_begin(x);
	parq_xsk_done_frame(x, q, ring, ring->head);
	parq_xsk_done_end(x);
	WRITE_ONCE(ring->head, ring->head + buf->ndesc);
}

/* Segments that the device has sent of the frame at the head do not count as dropped. */
static void parq_tx_flush_ring(struct parq_txq *q, struct parq_tx_ring *ring,
			       struct parq_tx_done *done)
{
	while (ring->head != ring->tail) {
		struct parq_tx_buf *buf = &ring->buf[ring->head & ring->mask];
		struct parq_tx_done one = { .frames = 1 };

		if (parq_tx_is_xsk(buf)) {
			done->dropped++;
			parq_tx_flush_xsk(q, ring);
			continue;
		}
		if (!buf->segs) {
			parq_tx_unmap_xdp(q, ring, ring->head);
			done->dropped++;
			WRITE_ONCE(ring->head, ring->head + buf->ndesc);
			xdp_return_frame(buf->xdp);
			continue;
		}
		one.bytes = buf->skb->len;
		if (parq_tx_is_stamped(ring, ring->head))
			parq_tx_stamp_lost(q);
		parq_tx_clean_long(q, ring, ring->head, &one);
		if (buf->len)
			dma_unmap_page(q->dev, buf->addr, buf->len,
				       DMA_TO_DEVICE);
		if (parq_tx_dropped(ring, ring->head, &one)) {
			if (buf->segs > 1)
				parq_tx_count_gso(q, ring, ring->head);
			done->frames += one.frames + one.more;
			done->bytes += one.bytes + one.more_bytes;
			done->dropped += one.dropped;
		} else {
			done->dropped += buf->segs;
		}
		WRITE_ONCE(ring->head, ring->head + buf->ndesc);
		dev_kfree_skb_any(buf->skb);
	}
}

/* Completes frames that were sent before the device stopped. Wakes no queue. */
static void parq_tx_clean_last(struct parq_txq *q)
{
	bool held = q->held;

	if (q->broken)
		return;
	WRITE_ONCE(q->held, true);
	local_bh_disable();
	parq_tx_clean(q, 1);
	local_bh_enable();
	WRITE_ONCE(q->held, held);
}

/* The queue begins again at position 0, with @bytes of frames in its ring. */
static void parq_tx_rewind(struct parq_txq *q, unsigned int bytes,
			   const struct parq_tx_done *done)
{
	q->state = 0;
	*q->wb = (struct parq_txq_wb){};
	q->broken = false;
	netdev_tx_reset_queue(q->nq);
	if (bytes)
		netdev_tx_sent_queue(q->nq, bytes);
	q->drain.queued = parq_tx_queued(q);
	if (done->dropped)
		parq_tx_count(q, &q->stats->dropped, done->dropped);
	u64_stats_update_begin(&q->stats->sync);
	u64_stats_add(&q->stats->packets, done->frames);
	u64_stats_add(&q->stats->bytes, done->bytes);
	u64_stats_update_end(&q->stats->sync);
}

/**
 * parq_tx_flush() - drop all frames and restart at position 0
 * @q: TX queue that the device does not access any more
 *
 * Context: process; neither sender nor cleaner runs. The stack's watchdog may read the
 * position: parq_service_waits().
 */
void parq_tx_flush(struct parq_txq *q)
{
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_done done = {};

	parq_tx_clean_last(q);
	if (q->clean != ring) {
		parq_tx_flush_ring(q, q->clean, &done);
		q->retired = q->clean;
		WRITE_ONCE(q->clean, ring);
	}
	parq_tx_reap(q);
	parq_tx_flush_ring(q, ring, &done);
	WRITE_ONCE(ring->head, 0);
	ring->tail = 0;
	ring->limit = ring->mask + 1;
	WRITE_ONCE(ring->seq, 0);
	parq_tx_rewind(q, 0, &done);
}

/* ---- Frames of sockets that go ------------------------------------------ */

/*
 * Moves frames from @ring, which ends, to @next, in order. Dropped are those of AF_XDP, one of
 * which a part was sent, and those for which there is no room.
 * Return: bytes moved.
 */
static unsigned int parq_tx_move(struct parq_txq *q, struct parq_tx_ring *ring,
				 struct parq_tx_ring *next, struct parq_tx_done *done)
{
	u32 from = ring->head, end = ring->tail, n, i;
	const struct parq_tx_desc *desc;
	const struct parq_tx_buf *buf;
	unsigned int bytes = 0;

	for (; from != end; from += n) {
		buf = &ring->buf[from & ring->mask];
		desc = &ring->desc[from & ring->mask];
		n = buf->ndesc;
		ring->head = from;
		ring->tail = from + n;
		if (parq_tx_is_xsk(buf) ||
		    desc->info & cpu_to_le64(PARQ_TXS_DROPPED | PARQ_TXS_STAMP) ||
		    parq_tx_room(next) < n) {
			parq_tx_flush_ring(q, ring, done);
			continue;
		}
		bytes += buf->segs ? buf->skb->len : xdp_get_frame_len(buf->xdp);
		for (i = from; i != from + n; i++, next->tail++) {
			next->desc[next->tail & next->mask] = ring->desc[i & ring->mask];
			next->buf[next->tail & next->mask] = ring->buf[i & ring->mask];
		}
	}
	return bytes;
}

/**
 * parq_tx_purge() - drop the frames of AF_XDP sockets, and keep all others
 * @q: TX queue that the device does not access any more
 * @next: empty ring; the queue owns it from here on
 *
 * The frames that are left begin at position 0 of @next. The caller starts the queue.
 *
 * Context: process; neither sender nor cleaner runs.
 */
void parq_tx_purge(struct parq_txq *q, struct parq_tx_ring *next)
{
	struct parq_tx_ring *ring = q->ring, *old;
	struct parq_tx_done done = {};
	unsigned int bytes;

	parq_tx_clean_last(q);
	parq_tx_reap(q);
	old = q->clean;
	bytes = parq_tx_move(q, old, next, &done);
	if (old != ring)
		bytes += parq_tx_move(q, ring, next, &done);
	WRITE_ONCE(q->ring, next);
	WRITE_ONCE(q->clean, next);
	q->retired = old;
	parq_tx_reap(q);
	if (old != ring)
		parq_ring_tx_free(q->port, ring);
	parq_tx_rewind(q, bytes, &done);
}
