// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: frames that programs send.
 *
 * They are sent by the stack's TX queues, under their locks. There a priority that is paused holds
 * them like any other frame. A frame for which its queue has no room is dropped.
 */
#include <linux/bpf_trace.h>
#include <linux/filter.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_tx.h"
#include "parq_xdp.h"

/* Stores a buffer without EOP. The pool has mapped buffers of an @own frame. */
static __always_inline bool parq_xdp_buf(struct parq_txq *q, u32 pos, dma_addr_t addr, u32 len,
					 bool own)
{
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];

	if (own)
		dma_sync_single_for_device(q->dev, addr, len, DMA_BIDIRECTIONAL);
	else if (unlikely(dma_mapping_error(q->dev, addr)))
		return false;
	buf->addr = addr;
	buf->len = own ? 0 : len;
	parq_tx_desc_set(ring, pos, addr, FIELD_PREP(PARQ_TX_LEN, len));
	return true;
}

static dma_addr_t parq_xdp_frag(struct parq_txq *q, const skb_frag_t *frag,
				bool own)
{
	if (!own)
		return skb_frag_dma_map(q->dev, frag, 0, skb_frag_size(frag),
					DMA_TO_DEVICE);
	return page_pool_get_dma_addr(skb_frag_page(frag)) + skb_frag_off(frag);
}

/* Stores the other buffers of a frame. Return: their number, negative if one cannot be mapped. */
static int parq_xdp_frags(struct parq_txq *q, u32 pos, struct xdp_frame *frame, bool own)
{
	const struct skb_shared_info *shinfo = xdp_get_shared_info_from_frame(frame);
	const skb_frag_t *frag;
	u32 at = pos, i;

	for (i = 0; i < shinfo->nr_frags; i++) {
		frag = &shinfo->frags[i];
		/* The device refuses empty buffers. */
		if (!skb_frag_size(frag))
			continue;
		if (!parq_xdp_buf(q, at, parq_xdp_frag(q, frag, own),
				  skb_frag_size(frag), own)) {
			parq_tx_unmap(q, q->ring, pos - 1, at - pos + 1);
			return -ENOMEM;
		}
		at++;
	}
	return at - pos;
}

/**
 * struct parq_xdp_bulk - frames to be sent by one queue
 * @frame: frames; the first @sent of them have been accepted
 * @dma: addresses of their first buffers, if they are of an RX ring's page pool, or NULL
 * @sync: these buffers must be synchronized
 * @num: their number
 * @next: next one to try
 * @sent: those accepted
 */
struct parq_xdp_bulk {
	struct xdp_frame **frame;
	const dma_addr_t *dma;
	bool sync;
	unsigned int num;
	unsigned int next;
	unsigned int sent;
};

/*
 * Stores a frame of @len bytes from @pos on; @own as for parq_xdp_buf(), with @dma.
 * Return: number of descriptors, 0 if the frame is too long or cannot be mapped.
 */
static u32 parq_xdp_fill(struct parq_txq *q, u32 pos, struct xdp_frame *frame, u32 len, bool own,
			 dma_addr_t dma)
{
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_buf *first = &ring->buf[pos & ring->mask];
	int frags = 0;

	if (unlikely(len > FIELD_MAX(PARQ_TX_LEN)))
		return 0;
	if (!own)
		dma = parq_compat_dma_map(q->dev, frame->data, frame->len);
	if (unlikely(!parq_xdp_buf(q, pos, dma, frame->len, own)))
		return 0;
	if (unlikely(xdp_frame_has_frags(frame))) {
		frags = parq_xdp_frags(q, pos + 1, frame, own);
		if (frags < 0)
			return 0;
	}
	ring->desc[(pos + frags) & ring->mask].info |= cpu_to_le64(PARQ_TX_EOP);
	first->xdp = frame;
	first->ndesc = 1 + frags;
	first->segs = 0;
	return 1 + frags;
}

/* The same for a frame of one buffer that a program sends back. */
static __always_inline void parq_xdp_fill_own(struct parq_tx_ring *ring, u32 pos,
					      struct xdp_frame *frame, u32 len, dma_addr_t dma)
{
	struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];

	BUILD_BUG_ON(FIELD_PREP(PARQ_TX_LEN, 1) != 1 || FIELD_MAX(PARQ_TX_LEN) < PAGE_SIZE - 1);
	buf->xdp = frame;
	buf->len = 0; /* nothing to unmap */
	buf->ndesc = 1;
	buf->segs = 0;
	parq_tx_desc_set(ring, pos, dma, PARQ_TX_EOP | len);
}

/* Puts frames into the ring, as many as its known room allows. */
static __always_inline void parq_xdp_batch(struct parq_txq *q, struct parq_xdp_bulk *b)
{
	unsigned int next = b->next, sent = b->sent, bytes = 0;
	struct parq_tx_ring *ring = q->ring;
	u32 tail = ring->tail, len, n;

	for (; next < b->num && ring->limit - tail >= PARQ_TX_FRAME_DESC; next++) {
		struct xdp_frame *frame = b->frame[next];

		if (likely(b->dma && !xdp_frame_has_frags(frame))) {
			len = frame->len;
			if (unlikely(b->sync))
				dma_sync_single_for_device(q->dev, b->dma[next], len,
							   DMA_BIDIRECTIONAL);
			parq_xdp_fill_own(ring, tail, frame, len, b->dma[next]);
			n = 1;
		} else {
			len = xdp_get_frame_len(frame);
			n = parq_xdp_fill(q, tail, frame, len, b->dma,
					  b->dma ? b->dma[next] : 0);
			if (unlikely(!n)) {
				parq_tx_count(q, &q->stats->errors, 1);
				continue;
			}
		}
		tail += n;
		bytes += len;
		if (unlikely(sent != next))
			swap(b->frame[sent], b->frame[next]);
		sent++;
	}
	b->next = next;
	b->sent = sent;
	if (tail == ring->tail)
		return;
	/* Before the tail moves: a frame may complete only after it was counted as sent. */
	__netdev_tx_sent_queue(q->nq, bytes, true);
	/* The cleaner relies on all entries before the tail. */
	smp_store_release(&ring->tail, tail);
}

/*
 * Sends the frames of @b by TX queue @index. Afterwards those that were accepted are the first.
 * The queue exists only while it is not stopped: its removal stops it first, under its lock.
 * Return: number of frames accepted.
 */
static __always_inline unsigned int parq_xdp_queue(struct parq_port *port, unsigned int index,
						   struct parq_xdp_bulk b)
{
	struct netdev_queue *nq = netdev_get_tx_queue(port->netdev, index);
	struct parq_tx_stats *stats = &port->tx_stats[index];
	struct parq_txq *q = NULL;

	__netif_tx_lock(nq, smp_processor_id());
	while (!netif_xmit_frozen_or_drv_stopped(nq)) {
		q = port->txq[index];
		/* Stops the queue if the last frame that fits has been sent. */
		if (!parq_tx_has_room(q) || b.next == b.num)
			break;
		parq_xdp_batch(q, &b);
	}
	if (b.sent) {
		parq_db_tail(&q->db, q->ring->tail);
		txq_trans_cond_update(nq);
	}
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_add(&stats->xdp, b.sent);
	u64_stats_add(&stats->xdp_full, b.num - b.next);
	u64_stats_update_end(&stats->xmit_sync);
	__netif_tx_unlock(nq);
	return b.sent;
}

/**
 * parq_xdp_flush() - send back what the program wants to be sent, by the channel on which it came
 * @xdp: poll
 *
 * Context: NAPI.
 */
void parq_xdp_flush(struct parq_xdp *xdp)
{
	struct parq_rxq *q = xdp->q;
	unsigned int i;

	if (!xdp->num)
		return;
	i = parq_xdp_queue(q->port, q->index * PARQ_NUM_PRIO + xdp->tx_prio,
			   (struct parq_xdp_bulk){ .frame = xdp->tx, .num = xdp->num,
						   .dma = xdp->own ? xdp->dma : NULL,
						   .sync = xdp->sync });
	for (; i < xdp->num; i++) {
		trace_xdp_exception(q->netdev, xdp->prog, XDP_TX);
		xdp_return_frame_rx_napi(xdp->tx[i]);
	}
	xdp->num = 0;
}

static void parq_xdp_refuse(struct parq_port *port, int n)
{
	struct netdev_queue *nq = netdev_get_tx_queue(port->netdev, 0);
	struct parq_tx_stats *stats = &port->tx_stats[0];

	__netif_tx_lock(nq, smp_processor_id());
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_add(&stats->xdp_down, n);
	u64_stats_update_end(&stats->xmit_sync);
	__netif_tx_unlock(nq);
}

/**
 * parq_xdp_xmit() - send frames that were redirected here
 * @dev: netdev
 * @n: number of frames
 * @frames: frames; on return those that were not sent are the last
 * @flags: ignored, the doorbell is rung for each call
 *
 * A frame waits for no other priority: one that its queue does not accept is left out, and the
 * next is tried.
 *
 * Return: frames sent, the caller frees the others; -ENETDOWN if there is no link.
 */
int parq_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames,
		  u32 flags)
{
	struct parq_port *port = netdev_priv(dev);
	unsigned int chan, prio, next, run;
	int sent = 0, i, end;

	if (unlikely(flags & ~XDP_XMIT_FLAGS_MASK))
		return -EINVAL;
	if (unlikely(!netif_carrier_ok(dev) || !parq_port_is_up(port))) {
		parq_xdp_refuse(port, n);
		return -ENETDOWN;
	}
	chan = smp_processor_id() % READ_ONCE(port->num_chans);
	next = parq_xdp_prio(port, frames[0]->data, frames[0]->len, 0);
	for (i = 0; i < n; i = end) {
		prio = next;
		for (end = i + 1; end < n; end++) {
			next = parq_xdp_prio(port, frames[end]->data,
					     frames[end]->len, 0);
			if (next != prio)
				break;
		}
		run = parq_xdp_queue(port, chan * PARQ_NUM_PRIO + prio,
				     (struct parq_xdp_bulk){ .frame = &frames[i],
							     .num = end - i });
		for (; run; run--, sent++, i++)
			swap(frames[sent], frames[i]);
	}
	return sent;
}
