// SPDX-License-Identifier: GPL-2.0
/*
 * AF_XDP without copies, transmit.
 *
 * The NAPI of a channel's RX queue takes descriptors from the sockets and puts them into the
 * stack's TX queues, under their locks. There a priority that is paused holds them like any other
 * frame. A frame for which its queue has no room waits, and all behind it: nothing is dropped.
 */
#include <linux/etherdevice.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_ptp.h"
#include "parq_tx.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* Frames that a poll sends, and descriptors that it drops. */
#define PARQ_XSK_BUDGET		256

/* ---- Descriptors of sockets --------------------------------------------- */

/* Completes the next @num descriptors without sending them. */
static void parq_xsk_drop(struct parq_xsk *x, u32 num)
{
	struct parq_tx_stats *stats;
	struct netdev_queue *nq;

	parq_xsk_done_begin(x);
	parq_xsk_done(x, x->slot, num);
	parq_xsk_done_end(x);
	x->slot += num;
	x->first += num;

	nq = netdev_get_tx_queue(x->port->netdev, x->chan * PARQ_NUM_PRIO);
	stats = &x->port->tx_stats[x->chan * PARQ_NUM_PRIO];
	__netif_tx_lock(nq, smp_processor_id());
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_add(&stats->xsk_invalid, 1);
	u64_stats_update_end(&stats->xmit_sync);
	__netif_tx_unlock(nq);
}

/* Takes descriptors from the sockets. Return: their number. */
static u32 parq_xsk_peek(struct parq_xsk *x)
{
	u32 left = x->num - x->first, room, n = 0;

	spin_lock_bh(&x->lock);
	room = PARQ_XSK_WINDOW - (x->slot + left - x->done);
	if (room)
		n = xsk_tx_peek_release_desc_batch(x->pool,
						   min_t(u32, room, PARQ_XSK_BULK));
	/* With less room, or after an invalid descriptor, a frame that is there is not given. */
	x->waits = room < PARQ_XSK_SEGS || parq_compat_xsk_reclaims(x->pool);
	spin_unlock_bh(&x->lock);
	if (!n)
		return 0;
	if (left && x->first)
		memmove(x->desc, &x->desc[x->first], left * sizeof(*x->desc));
	memcpy(&x->desc[left], x->pool->tx_descs, n * sizeof(*x->desc));
	x->first = 0;
	x->num = left + n;
	return n;
}

/* Discards the rest of a frame that is too long. Return: number of descriptors. */
static u32 parq_xsk_discard(struct parq_xsk *x)
{
	u32 n = 0;

	while (x->discard && x->first + n < x->num)
		x->discard = parq_compat_xsk_contd(&x->desc[x->first + n++]);
	parq_xsk_drop(x, n);
	return n;
}

/*
 * Makes complete frames available. Where several sockets share a pool, older kernels may give a
 * part of a frame. @work counts the descriptors that are dropped, so that a poll ends.
 * Return: there is one at @first.
 */
static bool parq_xsk_take(struct parq_xsk *x, unsigned int *work)
{
	while (x->first == x->ready) {
		if (*work >= PARQ_XSK_BUDGET || !parq_xsk_peek(x)) {
			x->ready = x->first;
			return false;
		}
		if (unlikely(x->discard))
			*work += parq_xsk_discard(x);
		x->ready = x->num;
		while (x->ready != x->first &&
		       unlikely(parq_compat_xsk_contd(&x->desc[x->ready - 1])))
			x->ready--;
		if (likely(x->ready != x->first) || x->num - x->first <= PARQ_XSK_SEGS)
			continue;
		x->discard = true;
		*work += x->num - x->first;
		parq_xsk_drop(x, x->num - x->first);
		x->ready = x->first;
	}
	return true;
}

/* Return: number of descriptors of the first frame; @len: bytes in them. */
static __always_inline u32 parq_xsk_parse(const struct parq_xsk *x, u32 *len)
{
	const struct xdp_desc *desc = &x->desc[x->first];
	u32 n = 1;

	*len = desc->len;
	while (unlikely(parq_compat_xsk_contd(desc))) {
		desc++;
		*len += desc->len;
		n++;
	}
	return n;
}

static __always_inline bool parq_xsk_valid(const struct parq_xsk *x, u32 n, u32 len)
{
	return x->desc[x->first].len >= ETH_HLEN && len <= FIELD_MAX(PARQ_TX_LEN) &&
	       n <= PARQ_XSK_SEGS;
}

/* A frame without a tag has priority 0 or the default, as one that was redirected. */
static __always_inline unsigned int parq_xsk_prio(const struct parq_xsk *x,
						  const struct xdp_desc *desc)
{
	return parq_xdp_prio(x->port, xsk_buff_raw_get_data(x->pool, desc->addr),
			     desc->len, 0);
}

/* ---- Sending ------------------------------------------------------------ */

#ifdef PARQ_HAVE_XSK_TX_METADATA
/**
 * struct parq_xsk_request - what a socket requests of a frame
 * @info: PARQ_TX_* of the first buffer
 * @ext: PARQ_TXX_* of the extension; 0: there is none
 * @time: PARQ_TXX_TIME
 */
struct parq_xsk_request {
	u64 info;
	u64 ext;
	u64 time;
};

static void parq_xsk_ask_stamp(void *priv)
{
	struct parq_xsk_request *req = priv;

	req->ext |= PARQ_TXX_STAMP;
}

/* Tells the stack that there are stamps. The cleaner calls parq_xsk_done_frame() instead. */
static u64 parq_xsk_stamp(void *priv)
{
	const struct parq_tx_desc *status = priv;

	return le64_to_cpu(status->addr);
}

static void parq_xsk_ask_launch(u64 time, void *priv)
{
	struct parq_xsk_request *req = priv;

	req->ext |= PARQ_TXX_LAUNCH;
	req->time = time & PARQ_TXX_TIME;
}

/* There is no way to refuse a request that a descriptor cannot express. */
static void parq_xsk_ask_csum(u16 start, u16 offset, void *priv)
{
	struct parq_xsk_request *req = priv;

	if (start <= FIELD_MAX(PARQ_TX_CSUM_START) &&
	    offset <= FIELD_MAX(PARQ_TX_CSUM_OFFSET))
		req->info |= PARQ_TX_CSUM | FIELD_PREP(PARQ_TX_CSUM_START, start) |
			     FIELD_PREP(PARQ_TX_CSUM_OFFSET, offset);
}

static const struct xsk_tx_metadata_ops parq_xsk_metadata_ops = {
	.tmo_request_checksum = parq_xsk_ask_csum,
};

/* If there are launch times. */
static const struct xsk_tx_metadata_ops parq_xsk_timed_ops = {
	.tmo_request_timestamp = parq_xsk_ask_stamp,
	.tmo_fill_timestamp = parq_xsk_stamp,
	.tmo_request_checksum = parq_xsk_ask_csum,
	.tmo_request_launch_time = parq_xsk_ask_launch,
};

static const struct xsk_tx_metadata_ops *parq_xsk_ops(const struct net_device *dev)
{
	const struct parq_port *port = netdev_priv(dev);

	return parq_ptp_launches(port->pd) ? &parq_xsk_timed_ops : &parq_xsk_metadata_ops;
}

static struct xsk_tx_metadata *parq_xsk_meta(const struct parq_xsk *x,
					     const struct xdp_desc *desc)
{
	return xsk_buff_get_metadata(x->pool, desc->addr, desc->options);
}

/*
 * Reads what is requested of the frame at @pos. An extension becomes its first descriptor. Not
 * inline: it would cost others 6 instructions.
 * Return: PARQ_TX_* of its first buffer.
 */
static noinline u64 parq_xsk_request(const struct parq_xsk *x, struct parq_tx_ring *ring, u32 pos,
				     struct xsk_tx_metadata *meta)
{
	struct parq_tx_buf *second = &ring->buf[(pos + 1) & ring->mask];
	struct xsk_tx_metadata_compl compl = {};
	struct parq_xsk_request req = {};

	xsk_tx_metadata_request(x->pool, &meta, x->port->netdev->xsk_tx_metadata_ops, &req);
	if (!req.ext)
		return req.info;
	xsk_tx_metadata_to_compl(meta, &compl);
	second->stamp = compl.tx_timestamp;
	second->segs = 1;
	ring->buf[pos & ring->mask].ndesc++;
	parq_tx_desc_set(ring, pos, req.ext, PARQ_TX_EXT | req.time);
	return req.info;
}
#else
struct xsk_tx_metadata;

static struct xsk_tx_metadata *parq_xsk_meta(const struct parq_xsk *x,
					     const struct xdp_desc *desc)
{
	return NULL;
}

static u64 parq_xsk_request(const struct parq_xsk *x, struct parq_tx_ring *ring, u32 pos,
			    struct xsk_tx_metadata *meta)
{
	return 0;
}
#endif

/* Stores a descriptor of a socket, without what describes the frame. */
static __always_inline void parq_xsk_buf(const struct parq_xsk *x, struct parq_tx_ring *ring,
					 u32 pos, const struct xdp_desc *desc, u64 info)
{
	dma_addr_t dma = xsk_buff_raw_get_dma(x->pool, desc->addr);

	xsk_buff_raw_dma_sync_for_device(x->pool, dma, desc->len);
	parq_tx_desc_set(ring, pos, dma, info | desc->len);
}

/*
 * Puts the first frame, of @n descriptors, into @ring at @pos.
 * Return: number of descriptors with the extension.
 */
static noinline u32 parq_xsk_frame(const struct parq_xsk *x, struct parq_tx_ring *ring, u32 pos,
				   u32 n, u32 len)
{
	struct parq_tx_buf *first = &ring->buf[pos & ring->mask];
	const struct xdp_desc *desc = &x->desc[x->first];
	struct xsk_tx_metadata *meta = parq_xsk_meta(x, desc);
	u32 used = n, i;
	u64 info = 0;

	*first = (struct parq_tx_buf){ .addr = x->slot, .len = len, .ndesc = n };
	if (meta) {
		info = parq_xsk_request(x, ring, pos, meta);
		used = first->ndesc;
		pos += used - n;
	}
	for (i = 0; i < n; i++, desc++, pos++) {
		if (i + 1 == n)
			info |= PARQ_TX_EOP;
		else
			ring->buf[(pos + 1) & ring->mask].segs = 0;
		parq_xsk_buf(x, ring, pos, desc, info);
		info = 0;
	}
	return used;
}

/*
 * Return: number of frames, from the first on and @most at most, of priority @prio and of one
 * descriptor of which nothing is requested.
 */
static u32 parq_xsk_short(const struct parq_xsk *x, unsigned int prio, u32 most)
{
	const struct xdp_desc *first = &x->desc[x->first], *desc = first;
	const struct xdp_desc *end = first + min(most, x->ready - x->first);

	for (; desc != end; desc++)
		if (unlikely(desc->options ||
			     desc->len - ETH_HLEN > FIELD_MAX(PARQ_TX_LEN) - ETH_HLEN) ||
		    parq_xsk_prio(x, desc) != prio)
			break;
	return desc - first;
}

/*
 * Puts the first @n of these frames into @ring, which does not end before them. Apart from
 * parq_xsk_short(): in one loop, calls of the stack would cost twice as much around them.
 * Return: bytes.
 */
static u32 parq_xsk_fill_short(const struct parq_xsk *x, struct parq_tx_ring *ring, u32 at, u32 n)
{
	const struct xdp_desc *desc = &x->desc[x->first], *end = desc + n;
	bool sync = dma_dev_need_sync(x->port->pd->dev);
	struct parq_tx_desc *to = &ring->desc[at];
	struct parq_tx_buf *buf = &ring->buf[at];
	u32 slot = x->slot, bytes = 0, len;
	dma_addr_t dma;

	for (; desc != end; desc++, to++, buf++) {
		dma = xsk_buff_raw_get_dma(x->pool, desc->addr);
		len = desc->len;
		if (unlikely(sync))
			xsk_buff_raw_dma_sync_for_device(x->pool, dma, len);
		*buf = (struct parq_tx_buf){ .addr = slot++, .len = len, .ndesc = 1 };
		to->addr = cpu_to_le64(dma);
		to->info = cpu_to_le64(PARQ_TX_EOP | len);
		bytes += len;
	}
	return bytes;
}

/* Return: number of frames that have been put into the ring: the first ones of its priority. */
static unsigned int parq_xsk_batch(struct parq_xsk *x, struct parq_txq *q)
{
	struct parq_tx_ring *ring = q->ring;
	unsigned int frames = 0, bytes = 0;
	u32 tail = ring->tail, at, n, len;

	BUILD_BUG_ON(PARQ_XSK_SEGS + 1 > PARQ_TX_FRAME_DESC);

	while (x->first != x->ready && ring->limit - tail >= PARQ_TX_FRAME_DESC) {
		n = parq_xsk_short(x, q->prio, ring->limit - tail - PARQ_TX_FRAME_DESC + 1);
		if (likely(n)) {
			at = tail & ring->mask;
			n = min(n, ring->mask + 1 - at);
			bytes += parq_xsk_fill_short(x, ring, at, n);
			tail += n;
			frames += n;
		} else {
			n = parq_xsk_parse(x, &len);
			if (!parq_xsk_valid(x, n, len) ||
			    parq_xsk_prio(x, &x->desc[x->first]) != q->prio)
				break;
			tail += parq_xsk_frame(x, ring, tail, n, len);
			bytes += len;
			frames++;
		}
		x->first += n;
		x->slot += n;
	}
	if (frames) {
		/* Before the doorbell: a frame may complete only after it was counted as sent. */
		__netdev_tx_sent_queue(q->nq, bytes, true);
		/* The cleaner relies on all entries before the tail. */
		smp_store_release(&ring->tail, tail);
	}
	return frames;
}

/*
 * Sends the first frames by the queue of their priority. The sender is kicked when a queue that was
 * stopped wakes, see parq_tx_wake(). After one that was frozen it must try @again by itself, and if
 * the first frame has another priority by now.
 * Return: number of frames sent.
 */
static unsigned int parq_xsk_queue(struct parq_xsk *x, unsigned int prio, bool *again)
{
	unsigned int index = x->chan * PARQ_NUM_PRIO + prio, sent = 0, n;
	struct netdev_queue *nq = netdev_get_tx_queue(x->port->netdev, index);
	struct parq_tx_stats *stats = &x->port->tx_stats[index];
	struct parq_txq *q = NULL;

	__netif_tx_lock(nq, smp_processor_id());
	do {
		if (netif_xmit_frozen_or_drv_stopped(nq)) {
			*again = !netif_tx_queue_stopped(nq);
			break;
		}
		q = x->port->txq[index];
		if (!parq_tx_has_room(q))
			break;
		n = parq_xsk_batch(x, q);
		sent += n;
		*again = !sent;
	} while (n);
	if (sent) {
		parq_db_tail(&q->db, q->ring->tail);
		txq_trans_cond_update(nq);
		u64_stats_update_begin(&stats->xmit_sync);
		u64_stats_add(&stats->xsk, sent);
		u64_stats_update_end(&stats->xmit_sync);
	}
	__netif_tx_unlock(nq);
	return sent;
}

/**
 * parq_xsk_send() - send what the sockets of a channel want to be sent
 * @x: pool
 *
 * Context: NAPI of the channel's RX queue.
 * Return: there may be more to send at once.
 */
bool parq_xsk_send(struct parq_xsk *x)
{
	unsigned int work = 0, n;
	bool again = false;
	u32 len;

	while (work < PARQ_XSK_BUDGET) {
		if (!parq_xsk_take(x, &work))
			return work >= PARQ_XSK_BUDGET;
		n = parq_xsk_parse(x, &len);
		if (unlikely(!parq_xsk_valid(x, n, len))) {
			parq_xsk_drop(x, n);
			work += n;
			continue;
		}
		n = parq_xsk_queue(x, parq_xsk_prio(x, &x->desc[x->first]), &again);
		if (!n)
			return again;
		work += n;
	}
	return true;
}

/* ---- Wakeup ------------------------------------------------------------- */

int parq_xsk_wakeup(struct net_device *dev, u32 chan, u32 flags)
{
	struct parq_port *port = netdev_priv(dev);

	if (!parq_port_is_up(port))
		return -ENETDOWN;
	if (chan >= PARQ_MAX_CHANS || !READ_ONCE(port->xsk[chan]))
		return -ENXIO;
	local_bh_disable();
	parq_xsk_kick(port, chan);
	local_bh_enable();
	return 0;
}

/**
 * parq_xsk_netdev() - tell the stack what sockets can do
 * @dev: netdev that is not registered yet
 */
void parq_xsk_netdev(struct net_device *dev)
{
#ifdef PARQ_HAVE_XDP_FEATURES
	dev->xdp_features |= NETDEV_XDP_ACT_XSK_ZEROCOPY;
#endif
#ifdef PARQ_HAVE_XSK_FRAGS
	dev->xdp_zc_max_segs = PARQ_XSK_SEGS;
#endif
#ifdef PARQ_HAVE_XSK_TX_METADATA
	dev->xsk_tx_metadata_ops = parq_xsk_ops(dev);
#endif
}
