// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: receive with a program.
 *
 * It has a poll function of its own: parq_rx_poll() does not test for programs.
 */
#include <linux/bpf_trace.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "parq.h"
#include "parq_rx.h"
#include "parq_xdp.h"

/* ---- Verdicts ----------------------------------------------------------- */

void parq_xdp_begin(struct parq_xdp *xdp, struct parq_rxq *q,
		    struct bpf_prog *prog)
{
	xdp->q = q;
	xdp->prog = prog;
	xdp->own = !q->ring->xsk;
	/* All buffers of the ring have been mapped, so that the answer does not change. */
	xdp->sync = dma_dev_need_sync(q->port->pd->dev);
	xdp->tx_prio = PARQ_NUM_PRIO;
	xdp->num = 0;
	xdp->drops = 0;
	xdp->sends = 0;
	xdp->redirects = 0;
	xdp->aborts = 0;
}

/* The verdict @act cannot be carried out. */
static u32 parq_xdp_abort(struct parq_xdp *xdp, u32 act)
{
	trace_xdp_exception(xdp->q->netdev, xdp->prog, act);
	xdp->aborts++;
	return XDP_DROP;
}

/**
 * parq_xdp_tx() - send a frame back
 * @xdp: poll
 * @buff: the frame
 * @flags: flags of its last completion
 * @dma: of the page with its first buffer, if that is of the ring's page pool
 *
 * A frame without a tag of its own stays in the priority in which it was received.
 *
 * Return: as parq_xdp_run().
 */
u32 parq_xdp_tx(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags, dma_addr_t dma)
{
	struct xdp_frame *frame;
	unsigned int prio, at;

	/* Of a frame in several chunks this would copy the first only. */
	if (unlikely(!xdp->own && xdp_buff_has_frags(buff)))
		return parq_xdp_abort(xdp, XDP_TX);
	frame = xdp_convert_buff_to_frame(buff);
	if (unlikely(!frame))
		return parq_xdp_abort(xdp, XDP_TX);
	prio = parq_xdp_prio(xdp->q->port, frame->data, frame->len,
			     FIELD_GET(PARQ_RX_PRIO, flags));
	if (unlikely(xdp->num == PARQ_XDP_BULK || xdp->tx_prio != prio)) {
		parq_xdp_flush(xdp);
		xdp->tx_prio = prio;
	}
	/* The mask spares UBSAN's checks of the index: 4 instructions with CONFIG_UBSAN_BOUNDS. */
	BUILD_BUG_ON_NOT_POWER_OF_2(PARQ_XDP_BULK);
	at = xdp->num++ & (PARQ_XDP_BULK - 1);
	xdp->tx[at] = frame;
	xdp->dma[at] = dma + offset_in_page(frame->data);
	xdp->sends++;
	return XDP_TX;
}

/**
 * parq_xdp_act() - carry out a verdict other than XDP_PASS, XDP_DROP and XDP_TX
 * @xdp: poll
 * @buff: the frame
 * @act: verdict
 *
 * Return: as parq_xdp_run().
 */
u32 parq_xdp_act(struct parq_xdp *xdp, struct xdp_buff *buff, u32 act)
{
	struct net_device *dev = xdp->q->netdev;

	switch (act) {
	case XDP_REDIRECT:
		if (unlikely(xdp_do_redirect(dev, buff, xdp->prog)))
			break;
		xdp->redirects++;
		return XDP_TX;
	case XDP_ABORTED:
		break;
	default:
		bpf_warn_invalid_xdp_action(dev, xdp->prog, act);
	}
	return parq_xdp_abort(xdp, act);
}

void parq_xdp_end(struct parq_xdp *xdp)
{
	struct parq_rx_stats *stats = xdp->q->stats;

	parq_xdp_flush(xdp);
	if (xdp->redirects)
		xdp_do_flush();
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->xdp_drop, xdp->drops);
	u64_stats_add(&stats->xdp_tx, xdp->sends);
	u64_stats_add(&stats->xdp_redirect, xdp->redirects);
	u64_stats_add(&stats->xdp_aborted, xdp->aborts);
	u64_stats_update_end(&stats->sync);
}

/* ---- Frames of one buffer ----------------------------------------------- */

/* Runs the program on a frame of @len bytes. Return: as parq_xdp_run(). */
static __always_inline u32 parq_xdp_page(struct parq_xdp *xdp, struct page *page, u32 len,
					 u32 flags)
{
	struct xdp_buff *buff = &xdp->frame.buff;
	void *va = page_address(page);

	net_prefetch(va + PARQ_RX_HEADROOM);
	if (unlikely(xdp->sync))
		page_pool_dma_sync_for_cpu(xdp->q->ring->pool, page, 0, len);
	xdp_prepare_buff(buff, va, PARQ_RX_HEADROOM, len, true);
	return parq_xdp_run(xdp, buff, flags, page);
}

/*
 * Gives the buffer of a dropped frame back to the device, without the page pool. The next entry to
 * fill is the frame's own, as long as no other is free. It still has the address: only the device
 * reads it, and can harm but itself by writing there.
 */
static __always_inline void parq_xdp_reuse(struct parq_xdp *xdp, struct parq_rx_ring *ring,
					   u32 from, struct page *page)
{
	u32 to = ring->tail & ring->mask;
	dma_addr_t addr;

	/* The memory reserves get their pages back. */
	if (unlikely(page_is_pfmemalloc(page))) {
		ring->page[from] = NULL;
		page_pool_recycle_direct(ring->pool, page);
		return;
	}
	if (unlikely(to != from)) {
		ring->page[from] = NULL;
		ring->page[to] = page;
		addr = page_pool_get_dma_addr(page) + PARQ_RX_HEADROOM;
		ring->fill[to] = cpu_to_le64(addr);
	}
	ring->tail++;
	if (unlikely(xdp->sync)) {
		/* The program may have written to it. */
		addr = page_pool_get_dma_addr(page) + PARQ_RX_HEADROOM;
		dma_sync_single_for_device(xdp->q->port->pd->dev, addr, PARQ_RX_BUF,
					   DMA_BIDIRECTIONAL);
	}
}

static void parq_xdp_meta(struct sk_buff *skb, const struct xdp_buff *buff)
{
	u32 len = buff->data - buff->data_meta;

	if (len)
		skb_metadata_set(skb, len);
}

/* Return: skb of a frame that the program has passed, NULL if there is no memory. */
static struct sk_buff *parq_xdp_build(struct parq_xdp *xdp, struct page *page)
{
	const struct xdp_buff *buff = &xdp->frame.buff;
	void *va = page_address(page);
	struct sk_buff *skb;

	skb = napi_build_skb(va, PAGE_SIZE);
	if (unlikely(!skb)) {
		page_pool_recycle_direct(xdp->q->ring->pool, page);
		return NULL;
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, buff->data - va);
	__skb_put(skb, buff->data_end - buff->data);
	parq_xdp_meta(skb, buff);
	return skb;
}

/* ---- Frames of several buffers ------------------------------------------ */

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
static void parq_xdp_to_skb(struct sk_buff *skb, struct xdp_buff *buff,
			    unsigned int frags)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 len = 0;

	if (xdp_buff_has_frags(buff))
		len = shinfo->xdp_frags_size;
	xdp_buff_clear_frags_flag(buff);
	parq_compat_xdp_frags_end(shinfo);
	skb->data = buff->data;
	skb_set_tail_pointer(skb, buff->data_end - buff->data);
	skb->data_len = len;
	skb->len = buff->data_end - buff->data + len;
	skb->truesize -= (frags - shinfo->nr_frags) * PAGE_SIZE;
	parq_xdp_meta(skb, buff);
}

/*
 * Runs the program on a frame of several buffers. Such frames are put together as skbs all the
 * time: one that is incomplete when a program is attached or detached needs no care then.
 * Return: skb for the stack; NULL if the program has consumed the frame; ERR_PTR(-EMSGSIZE) if it
 * cannot have it.
 */
static struct sk_buff *parq_xdp_skb(struct parq_xdp *xdp, struct sk_buff *skb, u32 flags)
{
	unsigned int frags = skb_shinfo(skb)->nr_frags;
	u32 act;

	if (frags && !xdp->prog->aux->xdp_has_frags) {
		dev_kfree_skb_any(skb);
		return ERR_PTR(-EMSGSIZE);
	}
	parq_xdp_from_skb(xdp, skb);
	act = parq_xdp_run(xdp, &xdp->frame.buff, flags, virt_to_page(skb->head));
	if (act == XDP_TX) {
		xdp_buff_clear_frags_flag(&xdp->frame.buff);
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

/* Return: the frame, if the program has passed it to the stack. */
static struct sk_buff *parq_xdp_any(struct parq_xdp *xdp, struct sk_buff *skb, u32 flags,
				    struct parq_rx_done *done)
{
	u32 len = skb->len;

	/* Merged segments are from before the attachment, see parq_xdp_fix_features(). */
	if (flags & PARQ_RX_GRO)
		return skb;
	skb = parq_xdp_skb(xdp, skb, flags);
	if (IS_ERR(skb)) {
		done->errors++;
		return NULL;
	}
	if (!skb)
		done->bytes += len;
	return skb;
}

/**
 * parq_rx_poll_xdp() - receive up to @budget frames, with a program
 * @q: RX queue
 * @napi: NAPI that runs
 * @budget: frames, at least 1
 * @prog: program
 *
 * Context: NAPI.
 * Return: frames received or dropped.
 */
int parq_rx_poll_xdp(struct parq_rxq *q, struct napi_struct *napi, int budget,
		     struct bpf_prog *prog)
{
	struct parq_rx_ring *ring = q->ring;
	struct parq_rx_done done = {};
	const struct parq_rx_comp *comp;
	u32 at, flags, len = 0, act;
	struct parq_xdp xdp;
	struct sk_buff *skb;
	struct page *page;

	/* The ring may have no pool, see parq_chan_rxq_strip(). */
	if (unlikely(q->broken))
		return 0;
	parq_xdp_begin(&xdp, q, prog);
	xdp_init_buff(&xdp.frame.buff, PAGE_SIZE, &ring->xdp);
	while (done.frames < budget) {
		at = ring->pos & ring->mask;
		comp = &ring->comp[at];
		flags = le32_to_cpu(READ_ONCE(comp->flags));
		if (!parq_rx_valid(ring, ring->pos, flags))
			break;
		/* Orders the read of GEN before reads of the rest. */
		dma_rmb();
		len = le16_to_cpu(READ_ONCE(comp->len));
		page = ring->page[at];
		xdp.frame.comp = comp;
		if (likely((flags & (PARQ_RX_EOP | PARQ_RX_GRO)) == PARQ_RX_EOP &&
			   !q->skb && page &&
			   len - ETH_HLEN <= PARQ_RX_BUF - ETH_HLEN)) {
			ring->pos++;
			done.frames++;
			act = parq_xdp_page(&xdp, page, len, flags);
			if (act == XDP_DROP) {
				parq_xdp_reuse(&xdp, ring, at, page);
				done.bytes += len;
				continue;
			}
			ring->page[at] = NULL;
			if (act == XDP_TX) {
				done.bytes += len;
				continue;
			}
			skb = parq_xdp_build(&xdp, page);
			if (unlikely(!skb)) {
				done.dropped++;
				continue;
			}
		} else {
			if (unlikely(q->broken))
				break;
			skb = parq_rx_any(q, &ring->page[at], len, flags & PARQ_RX_EOP,
					  &done);
			if (skb)
				skb = parq_xdp_any(&xdp, skb, flags, &done);
			if (!skb)
				continue;
		}
		parq_rx_pass(q, napi, skb, flags, comp, &done);
	}
	parq_xdp_end(&xdp);
	/* Entries of dropped frames have a page before they are posted. */
	if (unlikely((s32)(ring->posted - ring->pos) < 0))
		parq_rx_invalid(q, len);
	parq_rx_refill(q, &done);
	/* Those of dropped frames. */
	if (ring->tail - ring->posted >= PARQ_RX_BATCH)
		parq_rx_post(q);
	if (done.frames || done.alloc_fail)
		parq_rx_account(q, &done);
	return done.frames;
}
