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
	struct xdp_buff **buff;
	__le64 *fill;

	while (tail != end) {
		at = tail & ring->mask;
		got = xsk_buff_alloc_batch(ring->xsk->pool, &ring->buff[at],
					   min(end - tail, ring->mask + 1 - at));
		if (!got)
			break;
		buff = &ring->buff[at];
		fill = &ring->fill[at];
		for (i = 0; i < got; i++)
			fill[i] = cpu_to_le64(xsk_buff_xdp_get_dma(buff[i]));
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

/* Takes the next chunk, with @len bytes. Return: the frame, if it is complete and valid. */
static struct xdp_buff *parq_xsk_take(struct parq_rxq *q, u32 len, bool eop,
				      struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = q->ring;
	struct xdp_buff **entry = &ring->buff[ring->pos & ring->mask], *buff = *entry;

	*entry = NULL;
	ring->pos++;
	xsk_buff_set_size(buff, len);
	parq_compat_xsk_sync(buff, ring->xsk->pool);
	return parq_xsk_append(q, buff, eop, done);
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
	u32 act;

#ifdef PARQ_HAVE_XDP_METADATA
	XSK_CHECK_PRIV_TYPE(struct parq_xdp_frame);
	((struct parq_xdp_frame *)buff)->comp = comp;
#endif
	act = bpf_prog_run_xdp(xdp->prog, buff);
	if (likely(act == XDP_REDIRECT))
		return parq_xdp_redirect(xdp, buff);
	return parq_xdp_verdict(xdp, buff, flags, NULL, act);
}

/* Runs the program on a frame of @len bytes, and completes what it has decided. */
static __always_inline void parq_xsk_frame(struct parq_xdp *xdp, struct napi_struct *napi,
					   struct xdp_buff *buff, u32 len, u32 flags,
					   const struct parq_rx_comp *comp,
					   struct parq_rx_done *done)
{
	u32 act = parq_xsk_run(xdp, buff, flags, comp);

	if (unlikely(act == XDP_PASS)) {
		parq_xsk_pass(xdp->q, napi, buff, flags, comp, done);
		return;
	}
	if (act == XDP_DROP)
		xsk_buff_free(buff);
	done->bytes += len;
}

/* Receives up to @num frames of one chunk each. Return: at least one. */
static __always_inline bool parq_xsk_short(struct parq_xdp *xdp, struct napi_struct *napi,
					   u32 num, struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = xdp->q->ring;
	u32 at = ring->pos & ring->mask, want = PARQ_RX_EOP | parq_rx_gen(ring, ring->pos);
	const struct parq_rx_comp *comp = &ring->comp[at], *end = comp + num;
	struct xdp_buff **entry = &ring->buff[at], *buff;
	u32 most = ring->buf, flags, len;

	for (; comp != end; comp++, entry++) {
		if (!parq_rx_is_short(comp, want, PARQ_RX_GEN | PARQ_RX_EOP | PARQ_RX_GRO, most,
				      &flags, &len))
			break;
		buff = *entry;
		*entry = NULL;
		xsk_buff_set_size(buff, len);
		if (unlikely(xdp->sync))
			parq_compat_xsk_sync(buff, ring->xsk->pool);
		parq_xsk_frame(xdp, napi, buff, len, flags, comp, done);
	}
	num -= end - comp;
	ring->pos += num;
	done->frames += num;
	return num;
}

/* Takes a completion that parq_xsk_short() does not. Return: false if it is invalid. */
static bool parq_xsk_long(struct parq_xdp *xdp, struct napi_struct *napi,
			  struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = xdp->q->ring;
	const struct parq_rx_comp *comp = &ring->comp[ring->pos & ring->mask];
	struct xdp_buff *buff;
	u32 flags, len;

	len = parq_rx_next(xdp->q, &flags);
	if (!len)
		return false;
	buff = parq_xsk_take(xdp->q, len, flags & PARQ_RX_EOP, done);
	if (!buff)
		return true;
	if (xdp_buff_has_frags(buff) && xdp->prog && !xdp->prog->aux->xdp_has_frags) {
		/* It would take the first chunk for the frame. */
		xsk_buff_free(buff);
		done->errors++;
		return true;
	}
	/* Merged segments are from before the socket, see parq_xdp_fix_features(). */
	if (xdp->prog && !(flags & PARQ_RX_GRO))
		parq_xsk_frame(xdp, napi, buff, xdp_get_buff_len(buff), flags, comp, done);
	else
		parq_xsk_pass(xdp->q, napi, buff, flags, comp, done);
	return true;
}

static noinline int parq_xsk_receive(struct parq_rxq *q, struct napi_struct *napi, int budget)
{
	struct bpf_prog *prog = READ_ONCE(q->port->xdp_prog);
	struct parq_rx_done done = {};
	struct parq_xdp xdp;
	u32 burst;

	parq_xdp_begin(&xdp, q, prog);
	while (parq_rx_more(q->ring, budget, &done)) {
		burst = parq_rx_burst(q->ring, budget - done.frames);
		if ((!prog || q->partial || !parq_xsk_short(&xdp, napi, burst, &done)) &&
		    !parq_xsk_long(&xdp, napi, &done))
			break;
	}
	if (done.frames) {
		parq_xdp_end(&xdp);
		parq_rx_account(q, &done);
	}
	return done.frames;
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
	int done = 0;

	/* Sockets that send poll without it. */
	if (parq_rx_pending(q))
		done = parq_xsk_receive(q, napi, budget);
	parq_xsk_refill(q);
	return done;
}
