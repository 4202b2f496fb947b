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

/* The verdict @act cannot be carried out. Return: as parq_xdp_run(). */
u32 parq_xdp_abort(struct parq_xdp *xdp, u32 act)
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
	if (act == XDP_REDIRECT)
		return parq_xdp_redirect(xdp, buff);
	if (act != XDP_ABORTED)
		bpf_warn_invalid_xdp_action(xdp->q->netdev, xdp->prog, act);
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

	/* No prefetch: the program reads the frame at once. */
	if (unlikely(xdp->sync))
		page_pool_dma_sync_for_cpu(xdp->q->ring->pool, page, 0, len);
	xdp_prepare_buff(buff, page_address(page), PARQ_RX_HEADROOM, len, true);
	return parq_xdp_run(xdp, buff, flags, page);
}

/*
 * Gives the buffer of a dropped frame back to the device, without the page pool. It goes to the
 * oldest of the @holes entries before the frame's own that are free, else to its own. That still
 * has the address: only the device reads it, and can harm but itself by writing there.
 * Return: number of free entries with that of the frame.
 */
static noinline u32 parq_xdp_move(struct parq_xdp *xdp, struct page **entry, u32 holes)
{
	struct parq_rx_ring *ring = xdp->q->ring;
	struct page *page = *entry;
	dma_addr_t addr;
	u32 at, to;

	*entry = NULL;
	/* The memory reserves get their pages back. */
	if (page_is_pfmemalloc(page)) {
		page_pool_recycle_direct(ring->pool, page);
		return holes + 1;
	}
	at = entry - ring->page;
	to = (at - holes) & ring->mask;
	addr = page_pool_get_dma_addr(page) + PARQ_RX_HEADROOM;
	ring->page[to] = page;
	ring->fill[to] = cpu_to_le64(addr);
	/* The program may have written to it. */
	if (xdp->sync)
		dma_sync_single_for_device(xdp->q->port->pd->dev, addr, PARQ_RX_BUF,
					   DMA_BIDIRECTIONAL);
	return holes;
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

/* ---- Poll --------------------------------------------------------------- */

/* Receives up to @num frames of one buffer each. Return: at least one. */
static __always_inline bool parq_xdp_short(struct parq_xdp *xdp, struct napi_struct *napi,
					   u32 num, struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = xdp->q->ring;
	u32 holes = ring->pos + ring->mask + 1 - ring->tail, at = ring->pos & ring->mask;
	u32 want = PARQ_RX_EOP | parq_rx_gen(ring, ring->pos), flags, len, act;
	const struct parq_rx_comp *comp = &ring->comp[at], *end = comp + num;
	struct page **entry = &ring->page[at], *page;
	struct sk_buff *skb;

	for (; comp != end; comp++, entry++) {
		if (!parq_rx_is_short(comp, want, PARQ_RX_GEN | PARQ_RX_EOP | PARQ_RX_GRO,
				      PARQ_RX_BUF, &flags, &len))
			break;
		page = *entry;
		xdp->frame.comp = comp;
		act = parq_xdp_page(xdp, page, len, flags);
		if (act == XDP_DROP) {
			done->bytes += len;
			if (unlikely(holes || xdp->sync || page_is_pfmemalloc(page)))
				holes = parq_xdp_move(xdp, entry, holes);
			continue;
		}
		*entry = NULL;
		holes++;
		if (act == XDP_TX) {
			done->bytes += len;
			continue;
		}
		skb = parq_xdp_build(xdp, page);
		if (likely(skb))
			parq_rx_pass(xdp->q, napi, skb, flags, comp, done);
		else
			done->dropped++;
	}
	num -= end - comp;
	ring->pos += num;
	ring->tail = ring->pos + ring->mask + 1 - holes;
	done->frames += num;
	return num;
}

/* Takes a completion that parq_xdp_short() does not. Return: false if it is invalid. */
static bool parq_xdp_long(struct parq_xdp *xdp, struct napi_struct *napi,
			  struct parq_rx_done *done)
{
	const struct parq_rx_comp *comp;
	struct sk_buff *skb;
	u32 flags;

	comp = parq_rx_any(xdp->q, &flags, &skb, done);
	if (!comp || !skb)
		return comp;
	xdp->frame.comp = comp;
	skb = parq_xdp_any(xdp, skb, flags, done);
	if (skb)
		parq_rx_pass(xdp->q, napi, skb, flags, comp, done);
	return true;
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
	struct parq_xdp xdp;
	u32 burst;

	/* The ring may have no pool, see parq_chan_rxq_strip(). */
	if (unlikely(q->broken))
		return 0;
	parq_xdp_begin(&xdp, q, prog);
	xdp_init_buff(&xdp.frame.buff, PAGE_SIZE, &ring->xdp);
	while (parq_rx_more(ring, budget, &done)) {
		burst = parq_rx_burst(ring, budget - done.frames);
		if ((q->skb || !parq_xdp_short(&xdp, napi, burst, &done)) &&
		    !parq_xdp_long(&xdp, napi, &done))
			break;
	}
	parq_xdp_end(&xdp);
	/* With all entries filled, buffers of dropped frames need not be moved. */
	parq_rx_refill(q, 1, &done);
	if (done.frames || done.alloc_fail)
		parq_rx_account(q, &done);
	return done.frames;
}
