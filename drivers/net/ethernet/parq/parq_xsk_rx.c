// SPDX-License-Identifier: GPL-2.0
/*
 * AF_XDP without copies, receive: the device writes to the chunks of sockets.
 *
 * A poll function of its own, so that others do not cost more. A ring has buffers as long as the
 * sockets supply chunks; then frames of lossless priorities wait in the device.
 */
#include <linux/etherdevice.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_rx.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* Return: number of entries without a chunk. */
static u32 parq_xsk_ring_fill(struct parq_rx_ring *ring)
{
	u32 end = ring->pos + ring->mask + 1, tail = ring->tail, at, got, i;

	while (tail != end) {
		at = tail & ring->mask;
		got = xsk_buff_alloc_batch(ring->xsk->pool, &ring->buff[at],
					   min(end - tail, ring->mask + 1 - at));
		if (!got)
			break;
		for (i = at; i < at + got; i++)
			ring->fill[i] = cpu_to_le64(xsk_buff_xdp_get_dma(ring->buff[i]));
		tail += got;
	}
	ring->tail = tail;
	return end - tail;
}

/**
 * parq_xsk_fill() - give a ring the chunks that sockets have supplied
 * @q: RX queue
 * @ring: its ring
 *
 * A socket that wants to be woken up looks at the flag after it has supplied chunks.
 *
 * Context: NAPI, or while it is off: there can be one reader of the fill ring only.
 */
void parq_xsk_fill(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	struct xsk_buff_pool *pool = ring->xsk->pool;
	u32 left = parq_xsk_ring_fill(ring);

	if (!xsk_uses_need_wakeup(pool)) {
		if (!left)
			return;
		if (!q->starved)
			parq_kick_service(q->port, PARQ_RX_RETRY_MS);
		WRITE_ONCE(q->starved, true);
		return;
	}
	if (left) {
		xsk_set_rx_need_wakeup(pool);
		smp_mb(); /* orders the flag before the next read of the fill ring */
		left = parq_xsk_ring_fill(ring);
	}
	if (!left)
		xsk_clear_rx_need_wakeup(pool);
}

static void parq_xsk_refill(struct parq_rxq *q)
{
	struct parq_rx_ring *ring = q->ring;

	if (ring->mask + 1 - (ring->tail - ring->pos) < PARQ_RX_BATCH)
		return;
	parq_xsk_fill(q, ring);
	if (ring->tail != ring->posted)
		parq_rx_post(q);
}

/* Adds a chunk to a frame. Return: the frame, if this is its end and it is valid. */
static struct xdp_buff *parq_xsk_append(struct parq_rxq *q, struct xdp_buff *buff,
					bool eop, struct parq_rx_done *done)
{
	struct xdp_buff *frame = q->partial;

	if (!frame) {
		frame = buff;
	} else if (IS_ERR(frame)) {
		xsk_buff_free(buff);
	} else if (!parq_compat_xsk_frags(q->ring->xsk->pool) ||
		   !parq_compat_xsk_add_frag(frame, buff)) {
		xsk_buff_free(buff);
		xsk_buff_free(frame);
		frame = ERR_PTR(-EMSGSIZE);
	}
	q->partial = eop ? NULL : frame;
	if (!eop)
		return NULL;
	done->frames++;
	if (!IS_ERR(frame) && frame->data_end - frame->data >= ETH_HLEN)
		return frame;
	done->errors++;
	if (!IS_ERR(frame))
		xsk_buff_free(frame);
	return NULL;
}

/* Takes a buffer from the ring. Return: the frame, if it is complete and valid. */
static __always_inline struct xdp_buff *parq_xsk_take(struct parq_rxq *q, u32 len, bool eop,
						      struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = q->ring;
	struct xdp_buff **entry = &ring->buff[ring->pos & ring->mask], *buff = *entry;

	if (unlikely(!buff || !len || len > ring->buf)) {
		parq_rx_invalid(q, len);
		return NULL;
	}
	*entry = NULL;
	ring->pos++;
	xsk_buff_set_size(buff, len);
	parq_compat_xsk_sync(buff, ring->xsk->pool);
	if (unlikely(!eop || q->partial || len < ETH_HLEN))
		return parq_xsk_append(q, buff, eop, done);
	done->frames++;
	return buff;
}

/*
 * Copies all chunks of a frame but the first, if there is an @skb. It does not use the frame's
 * shared info: that is in a chunk, where user space can write.
 * Return: bytes in these chunks.
 */
static u32 parq_xsk_frags(const struct xdp_buff *buff, struct sk_buff *skb)
{
	u32 sum = 0;

#ifdef PARQ_HAVE_XSK_FRAGS
	const struct xdp_buff_xsk *first, *pos;
	u32 len;

	if (likely(!xdp_buff_has_frags(buff)))
		return 0;
	first = container_of(buff, struct xdp_buff_xsk, xdp);
	list_for_each_entry(pos, &first->pool->xskb_list, list_node) {
		len = pos->xdp.data_end - pos->xdp.data;
		if (skb)
			memcpy(__skb_put(skb, len), pos->xdp.data, len);
		sum += len;
	}
#endif
	return sum;
}

/* Copies a frame for the stack. */
static struct sk_buff *parq_xsk_skb(struct napi_struct *napi, const struct xdp_buff *buff)
{
	u32 meta = buff->data - buff->data_meta;
	u32 len = buff->data_end - buff->data_meta;
	struct sk_buff *skb;

	skb = napi_alloc_skb(napi, len + parq_xsk_frags(buff, NULL));
	if (unlikely(!skb))
		return NULL;
	memcpy(__skb_put(skb, len), buff->data_meta, len);
	parq_xsk_frags(buff, skb);
	if (meta) {
		skb_metadata_set(skb, meta);
		__skb_pull(skb, meta);
	}
	return skb;
}

/* Not inline: it would cost frames of sockets 5 instructions. */
static noinline void parq_xsk_pass(struct parq_rxq *q, struct napi_struct *napi,
				   struct xdp_buff *buff, u32 flags,
				   const struct parq_rx_comp *comp,
				   struct parq_rx_done *done)
{
	struct sk_buff *skb = parq_xsk_skb(napi, buff);

	xsk_buff_free(buff);
	if (skb)
		parq_rx_pass(q, napi, skb, flags, comp, done);
	else
		done->dropped++;
}

/* Runs the program on a frame. Return: as parq_xdp_run(). */
static __always_inline u32 parq_xsk_run(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags,
					const struct parq_rx_comp *comp)
{
#ifdef PARQ_HAVE_XDP_METADATA
	XSK_CHECK_PRIV_TYPE(struct parq_xdp_frame);
	((struct parq_xdp_frame *)buff)->comp = comp;
#endif
	return parq_xdp_run(xdp, buff, flags, NULL);
}

/**
 * parq_xsk_poll() - receive up to @budget frames into chunks of sockets
 * @q: RX queue whose ring has chunks
 * @napi: NAPI that runs
 * @budget: frames, at least 1
 *
 * Context: NAPI.
 * Return: frames received or dropped.
 */
int parq_xsk_poll(struct parq_rxq *q, struct napi_struct *napi, int budget)
{
	struct bpf_prog *prog = READ_ONCE(q->port->xdp_prog);
	struct parq_rx_ring *ring = q->ring;
	struct parq_rx_done done = {};
	const struct parq_rx_comp *comp;
	struct xdp_buff *buff;
	struct parq_xdp xdp;
	u32 flags, act, len;

	parq_xdp_begin(&xdp, q, prog);
	while (!q->broken && done.frames < budget) {
		comp = &ring->comp[ring->pos & ring->mask];
		flags = le32_to_cpu(READ_ONCE(comp->flags));
		if (!parq_rx_valid(ring, ring->pos, flags))
			break;
		/* Orders the read of GEN before reads of the rest. */
		dma_rmb();
		buff = parq_xsk_take(q, le16_to_cpu(READ_ONCE(comp->len)),
				     flags & PARQ_RX_EOP, &done);
		if (unlikely(!buff))
			continue;
		if (unlikely(xdp_buff_has_frags(buff)) && prog &&
		    !prog->aux->xdp_has_frags) {
			/* It would take the first chunk for the frame. */
			xsk_buff_free(buff);
			done.errors++;
			continue;
		}
		len = xdp_get_buff_len(buff);
		act = XDP_PASS;
		/* Merged segments are from before the socket, see parq_xdp_fix_features(). */
		if (likely(prog && !(flags & PARQ_RX_GRO)))
			act = parq_xsk_run(&xdp, buff, flags, comp);
		if (act == XDP_PASS) {
			parq_xsk_pass(q, napi, buff, flags, comp, &done);
			continue;
		}
		if (act == XDP_DROP)
			xsk_buff_free(buff);
		done.bytes += len;
	}
	if (done.frames) {
		parq_xdp_end(&xdp);
		parq_rx_account(q, &done);
	}
	parq_xsk_refill(q);
	return done.frames;
}
