// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: verdicts on received frames, frames that programs send, attachment.
 *
 * Buffers have headroom for XDP at all times, and their pages are mapped in both directions. So
 * attachment replaces a pointer, and no frame is lost.
 *
 * Frames are sent by the stack's TX queues, under their locks. There a priority that is paused
 * holds them like any other frame. A frame for which its queue has no room is dropped.
 */
#include <linux/bpf.h>
#include <linux/bpf_trace.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/if_vlan.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_tx.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* ---- Sending ------------------------------------------------------------ */

/* Stores a buffer without EOP. The pool has mapped buffers of an @own frame. */
static bool parq_xdp_buf(struct parq_txq *q, u32 pos, dma_addr_t addr, u32 len,
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

static dma_addr_t parq_xdp_head(struct parq_txq *q, const struct xdp_frame *frame,
				bool own)
{
	if (!own)
		return parq_compat_dma_map(q->dev, frame->data, frame->len);
	return page_pool_get_dma_addr(virt_to_page(frame->data)) +
	       offset_in_page(frame->data);
}

static dma_addr_t parq_xdp_frag(struct parq_txq *q, const skb_frag_t *frag,
				bool own)
{
	if (!own)
		return skb_frag_dma_map(q->dev, frag, 0, skb_frag_size(frag),
					DMA_TO_DEVICE);
	return page_pool_get_dma_addr(skb_frag_page(frag)) + skb_frag_off(frag);
}

/* Return: number of descriptors from the tail on, 0 if the frame cannot be mapped. */
static u32 parq_xdp_fill(struct parq_txq *q, struct xdp_frame *frame, bool own)
{
	const struct skb_shared_info *shinfo;
	struct parq_tx_ring *ring = q->ring;
	u32 pos = ring->tail, i;
	const skb_frag_t *frag;

	if (xdp_get_frame_len(frame) > FIELD_MAX(PARQ_TX_LEN) ||
	    !parq_xdp_buf(q, pos, parq_xdp_head(q, frame, own), frame->len, own))
		return 0;
	pos++;
	if (unlikely(xdp_frame_has_frags(frame))) {
		shinfo = xdp_get_shared_info_from_frame(frame);
		for (i = 0; i < shinfo->nr_frags; i++) {
			frag = &shinfo->frags[i];
			/* The device refuses empty buffers. */
			if (!skb_frag_size(frag))
				continue;
			if (!parq_xdp_buf(q, pos, parq_xdp_frag(q, frag, own),
					  skb_frag_size(frag), own))
				goto unmap;
			pos++;
		}
	}
	ring->desc[(pos - 1) & ring->mask].info |= cpu_to_le64(PARQ_TX_EOP);
	return pos - ring->tail;

unmap:
	parq_tx_unmap(q, ring, ring->tail, pos - ring->tail);
	return 0;
}

/*
 * As parq_tx_publish(), without a doorbell. Not in its file: a third caller of
 * __netdev_tx_sent_queue() would have the compiler take it out of line, which costs each frame of
 * the stack 10 instructions.
 */
static void parq_xdp_publish(struct parq_txq *q, u32 ndesc, unsigned int bytes)
{
	struct parq_tx_ring *ring = q->ring;

	__netdev_tx_sent_queue(q->nq, bytes, true);
	/* The cleaner relies on all entries before the tail. */
	smp_store_release(&ring->tail, ring->tail + ndesc);
	/* Stops the queue if this was the last frame that fits. */
	parq_tx_has_room(q);
}

static bool parq_xdp_send(struct parq_txq *q, struct xdp_frame *frame, bool own)
{
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_buf *first;
	u32 n;

	n = parq_xdp_fill(q, frame, own);
	if (unlikely(!n)) {
		parq_tx_count(q, &q->stats->errors, 1);
		return false;
	}
	first = &ring->buf[ring->tail & ring->mask];
	first->xdp = frame;
	first->ndesc = n;
	first->segs = 0;
	parq_xdp_publish(q, n, xdp_get_frame_len(frame));
	return true;
}

/*
 * Sends frames by TX queue @index. Afterwards those that were accepted are the first in @frames.
 * The queue exists only while it is not stopped: its removal stops it first, under its lock.
 * Return: number of frames accepted.
 */
static unsigned int parq_xdp_queue(struct parq_port *port, unsigned int index,
				   struct xdp_frame **frames, unsigned int num,
				   bool own)
{
	struct netdev_queue *nq = netdev_get_tx_queue(port->netdev, index);
	struct parq_tx_stats *stats = &port->tx_stats[index];
	unsigned int sent = 0, full = 0, i;
	struct parq_txq *q = NULL;

	__netif_tx_lock(nq, smp_processor_id());
	for (i = 0; i < num; i++) {
		if (netif_xmit_frozen_or_drv_stopped(nq)) {
			full++;
			continue;
		}
		q = port->txq[index];
		if (!parq_tx_has_room(q)) {
			full++;
		} else if (parq_xdp_send(q, frames[i], own)) {
			swap(frames[sent], frames[i]);
			sent++;
		}
	}
	if (sent) {
		parq_db_tail(&q->db, q->ring->tail);
		txq_trans_cond_update(nq);
	}
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_add(&stats->xdp, sent);
	u64_stats_add(&stats->xdp_full, full);
	u64_stats_update_end(&stats->xmit_sync);
	__netif_tx_unlock(nq);
	return sent;
}

/* Sends back what the program wants to be sent, by the channel on which it came. */
static void parq_xdp_flush(struct parq_xdp *xdp)
{
	struct parq_rxq *q = xdp->q;
	unsigned int i;

	i = parq_xdp_queue(q->port, q->index * PARQ_NUM_PRIO + xdp->tx_prio,
			   xdp->tx, xdp->num, xdp->own);
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

static unsigned int parq_xdp_prio(const struct parq_port *port,
				  const struct xdp_frame *frame)
{
	return parq_prio_xdp(port, frame->data, frame->len, 0);
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
	next = parq_xdp_prio(port, frames[0]);
	for (i = 0; i < n; i = end) {
		prio = next;
		for (end = i + 1; end < n; end++) {
			next = parq_xdp_prio(port, frames[end]);
			if (next != prio)
				break;
		}
		run = parq_xdp_queue(port, chan * PARQ_NUM_PRIO + prio,
				     &frames[i], end - i, false);
		for (; run; run--, sent++, i++)
			swap(frames[sent], frames[i]);
	}
	return sent;
}

/* ---- Verdicts ----------------------------------------------------------- */

void parq_xdp_begin(struct parq_xdp *xdp, struct parq_rxq *q,
		    struct bpf_prog *prog)
{
	xdp->q = q;
	xdp->prog = prog;
	xdp->redirected = false;
	xdp->own = !q->ring->xsk;
	xdp->num = 0;
	xdp->drops = 0;
	xdp->sends = 0;
	xdp->redirects = 0;
	xdp->aborts = 0;
}

/* A frame without a tag of its own stays in the priority in which it was received. */
static bool parq_xdp_tx(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags)
{
	struct xdp_frame *frame;
	unsigned int prio;

	/* Of a frame in several chunks this would copy the first only. */
	if (!xdp->own && xdp_buff_has_frags(buff))
		return false;
	frame = xdp_convert_buff_to_frame(buff);
	if (unlikely(!frame))
		return false;
	prio = parq_prio_xdp(xdp->q->port, frame->data, frame->len,
			     FIELD_GET(PARQ_RX_PRIO, flags));
	if (xdp->num == PARQ_XDP_BULK || (xdp->num && xdp->tx_prio != prio))
		parq_xdp_flush(xdp);
	xdp->tx_prio = prio;
	xdp->tx[xdp->num++] = frame;
	return true;
}

/* Return: XDP_PASS; XDP_DROP: the caller frees the frame; XDP_TX: it has been consumed. */
static __always_inline u32 parq_xdp_run(struct parq_xdp *xdp, struct xdp_buff *buff,
					u32 flags)
{
	struct net_device *dev = xdp->q->netdev;
	u32 act;

	act = bpf_prog_run_xdp(xdp->prog, buff);
	switch (act) {
	case XDP_PASS:
		return XDP_PASS;
	case XDP_DROP:
		xdp->drops++;
		return XDP_DROP;
	case XDP_TX:
		if (unlikely(!parq_xdp_tx(xdp, buff, flags)))
			break;
		xdp->sends++;
		return XDP_TX;
	case XDP_REDIRECT:
		if (unlikely(xdp_do_redirect(dev, buff, xdp->prog)))
			break;
		xdp->redirected = true;
		xdp->redirects++;
		return XDP_TX;
	case XDP_ABORTED:
		break;
	default:
		bpf_warn_invalid_xdp_action(dev, xdp->prog, act);
	}
	trace_xdp_exception(dev, xdp->prog, act);
	xdp->aborts++;
	return XDP_DROP;
}

static __always_inline void parq_xdp_store(struct parq_xdp_frame *frame,
					   const struct parq_rx_comp *comp)
{
	frame->hash = le32_to_cpu(comp->hash);
	frame->tci = le16_to_cpu(comp->tci);
}

/**
 * parq_xdp_chunk() - run the program on a frame in chunks of AF_XDP
 * @xdp: poll
 * @buff: the frame
 * @flags: flags of its last completion
 * @comp: that completion
 *
 * Return: XDP_PASS; XDP_DROP: the caller frees the frame; XDP_TX: it has been consumed.
 */
u32 parq_xdp_chunk(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags,
		   const struct parq_rx_comp *comp)
{
#ifdef PARQ_HAVE_XDP_METADATA
	struct parq_xdp_frame *frame = (struct parq_xdp_frame *)buff;

	XSK_CHECK_PRIV_TYPE(struct parq_xdp_frame);
	frame->flags = flags;
	parq_xdp_store(frame, comp);
#endif
	return parq_xdp_run(xdp, buff, flags);
}

static void parq_xdp_meta(struct sk_buff *skb, const struct xdp_buff *buff)
{
	u32 len = buff->data - buff->data_meta;

	if (len)
		skb_metadata_set(skb, len);
}

/**
 * parq_xdp_page() - run the program on a frame of one buffer
 * @xdp: poll
 * @page: the buffer
 * @len: length of the frame
 * @comp: its completion
 *
 * Return: skb for the stack; NULL if the program has consumed the frame; ERR_PTR(-ENOMEM).
 */
struct sk_buff *parq_xdp_page(struct parq_xdp *xdp, struct page *page, u32 len,
			      const struct parq_rx_comp *comp)
{
	struct parq_rx_ring *ring = xdp->q->ring;
	struct xdp_buff *buff = &xdp->frame.buff;
	void *va = page_address(page);
	struct sk_buff *skb;
	u32 act;

	net_prefetch(va + PARQ_RX_HEADROOM);
	page_pool_dma_sync_for_cpu(ring->pool, page, 0, len);
	xdp_init_buff(buff, PAGE_SIZE, &ring->xdp);
	xdp_prepare_buff(buff, va, PARQ_RX_HEADROOM, len, true);
	parq_xdp_store(&xdp->frame, comp);
	act = parq_xdp_run(xdp, buff, xdp->frame.flags);
	if (act == XDP_TX)
		return NULL;
	if (act == XDP_DROP) {
		page_pool_recycle_direct(ring->pool, page);
		return NULL;
	}
	skb = napi_build_skb(va, PAGE_SIZE);
	if (unlikely(!skb)) {
		page_pool_recycle_direct(ring->pool, page);
		return ERR_PTR(-ENOMEM);
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, buff->data - va);
	__skb_put(skb, buff->data_end - buff->data);
	parq_xdp_meta(skb, buff);
	return skb;
}

/* The skb and the program's view of it use the same shared info. */
static void parq_xdp_from_skb(struct parq_xdp *xdp, struct sk_buff *skb)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct xdp_buff *buff = &xdp->frame.buff;

	xdp_init_buff(buff, PAGE_SIZE, &xdp->q->ring->xdp);
	xdp_prepare_buff(buff, skb->head, skb_headroom(skb), skb_headlen(skb),
			 true);
	if (!skb_is_nonlinear(skb))
		return;
	parq_compat_xdp_frags(shinfo, skb->data_len, PAGE_SIZE);
	xdp_buff_set_frags_flag(buff);
	if (skb_pfmemalloc(skb))
		xdp_buff_set_frag_pfmemalloc(buff);
}

/* The program may have moved both ends of the frame, and freed buffers at its end. */
static void parq_xdp_to_skb(struct sk_buff *skb, const struct xdp_buff *buff,
			    unsigned int frags)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 len = 0;

	if (xdp_buff_has_frags((struct xdp_buff *)buff))
		len = shinfo->xdp_frags_size;
	parq_compat_xdp_frags_end(shinfo);
	skb->data = buff->data;
	skb_set_tail_pointer(skb, buff->data_end - buff->data);
	skb->data_len = len;
	skb->len = buff->data_end - buff->data + len;
	skb->truesize -= (frags - shinfo->nr_frags) * PAGE_SIZE;
	parq_xdp_meta(skb, buff);
}

/**
 * parq_xdp_skb() - run the program on a frame of several buffers
 * @xdp: poll
 * @skb: the frame
 * @comp: completion of its last buffer
 *
 * Such frames are put together as skbs all the time: one that is incomplete when a program is
 * attached or detached needs no care then.
 *
 * Return: skb for the stack; NULL if the program has consumed the frame; ERR_PTR(-EMSGSIZE) if
 * it cannot have it.
 */
struct sk_buff *parq_xdp_skb(struct parq_xdp *xdp, struct sk_buff *skb,
			     const struct parq_rx_comp *comp)
{
	unsigned int frags = skb_shinfo(skb)->nr_frags;
	u32 act;

	if (frags && !xdp->prog->aux->xdp_has_frags) {
		dev_kfree_skb_any(skb);
		return ERR_PTR(-EMSGSIZE);
	}
	parq_xdp_from_skb(xdp, skb);
	parq_xdp_store(&xdp->frame, comp);
	act = parq_xdp_run(xdp, &xdp->frame.buff, xdp->frame.flags);
	if (act == XDP_TX) {
		/* The buffers are no longer the skb's. */
		kfree_skb_partial(skb, true);
		return NULL;
	}
	parq_xdp_to_skb(skb, &xdp->frame.buff, frags);
	if (act == XDP_PASS)
		return skb;
	dev_kfree_skb_any(skb);
	return NULL;
}

void parq_xdp_end(struct parq_xdp *xdp)
{
	struct parq_rx_stats *stats = xdp->q->stats;

	if (xdp->num)
		parq_xdp_flush(xdp);
	if (xdp->redirected)
		xdp_do_flush();
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->xdp_drop, xdp->drops);
	u64_stats_add(&stats->xdp_tx, xdp->sends);
	u64_stats_add(&stats->xdp_redirect, xdp->redirects);
	u64_stats_add(&stats->xdp_aborted, xdp->aborts);
	u64_stats_update_end(&stats->sync);
}

/* ---- Metadata ----------------------------------------------------------- */

#ifdef PARQ_HAVE_XDP_METADATA
static int parq_xdp_rx_hash(const struct xdp_md *ctx, u32 *hash,
			    enum xdp_rss_hash_type *type)
{
	const struct parq_xdp_frame *frame = (const void *)ctx;
	const struct ethhdr *eth = frame->buff.data;

	if (!(frame->flags & (PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4)))
		return -ENODATA;
	*hash = frame->hash;
	*type = XDP_RSS_TYPE_NONE;
	if (eth->h_proto == htons(ETH_P_IP))
		*type |= XDP_RSS_L3_IPV4;
	else if (eth->h_proto == htons(ETH_P_IPV6))
		*type |= XDP_RSS_L3_IPV6;
	if (frame->flags & PARQ_RX_HASH_L4)
		*type |= XDP_RSS_L4;
	return 0;
}

static int parq_xdp_rx_vlan_tag(const struct xdp_md *ctx, __be16 *proto, u16 *tci)
{
	const struct parq_xdp_frame *frame = (const void *)ctx;

	if (!(frame->flags & PARQ_RX_VLAN))
		return -ENODATA;
	*proto = htons(ETH_P_8021Q);
	*tci = frame->tci;
	return 0;
}

static const struct xdp_metadata_ops parq_xdp_metadata_ops = {
	.xmo_rx_hash = parq_xdp_rx_hash,
	.xmo_rx_vlan_tag = parq_xdp_rx_vlan_tag,
};
#endif

/* ---- Attachment --------------------------------------------------------- */

static bool parq_xdp_prog_fits(const struct bpf_prog *prog, unsigned int mtu)
{
	return !prog || prog->aux->xdp_has_frags || mtu <= PARQ_XDP_MTU;
}

/**
 * parq_xdp_mtu_fits() - check an MTU against the program
 * @port: port
 * @mtu: MTU
 *
 * Context: ops lock.
 * Return: false if the program cannot have the largest frames.
 */
bool parq_xdp_mtu_fits(const struct parq_port *port, unsigned int mtu)
{
	return parq_xdp_prog_fits(port->xdp_prog, mtu);
}

/*
 * Of merged segments no program can tell what was on the wire, nor a socket. Those that wait in the
 * ring when a program is attached pass it by.
 */
netdev_features_t parq_xdp_fix_features(struct net_device *dev,
					netdev_features_t features)
{
	const struct parq_port *port = netdev_priv(dev);

	if (port->xdp_prog || parq_xsk_bound(port))
		features &= ~NETIF_F_GRO_HW;
	return features;
}

int parq_xdp_setup(struct net_device *dev, struct bpf_prog *prog,
		   struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN];
	struct bpf_prog *old;

	netdev_assert_locked_ops_compat(dev);
	if (!parq_xdp_prog_fits(prog, dev->mtu)) {
		snprintf(reason, sizeof(reason),
			 "without xdp.frags, the MTU can be %zu at most",
			 (size_t)PARQ_XDP_MTU);
		return parq_refuse(dev, extack, "XDP program", reason, -EINVAL);
	}
	/* Polls that have read the old one end before it is freed: bpf_prog_put() waits for RCU. */
	old = xchg(&port->xdp_prog, prog);
	if (!old != !prog)
		netdev_update_features(dev);
	if (old)
		bpf_prog_put(old);
	return 0;
}

/**
 * parq_xdp_netdev() - tell the stack what programs can do
 * @dev: netdev that is not registered yet
 */
void parq_xdp_netdev(struct net_device *dev)
{
#ifdef PARQ_HAVE_XDP_FEATURES
	dev->xdp_features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			    NETDEV_XDP_ACT_NDO_XMIT | NETDEV_XDP_ACT_RX_SG |
			    NETDEV_XDP_ACT_NDO_XMIT_SG;
#endif
#ifdef PARQ_HAVE_XDP_METADATA
	dev->xdp_metadata_ops = &parq_xdp_metadata_ops;
#endif
	parq_xsk_netdev(dev);
}
