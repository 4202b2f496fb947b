// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit.
 *
 * The sender (the stack, under the queue's lock) moves ring->tail, the cleaner
 * (NAPI) moves ring->head, and the device says in parq_txq_wb how far it got.
 * There is no status per descriptor and no register read.
 *
 * While a ring is replaced, the sender is on the new one and the cleaner still
 * on the old one, until the device says that it has gone over.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/if_vlan.h>
#include <linux/tcp.h>
#include <net/checksum.h>
#include <net/sock.h>

#include "parq_io.h"
#include "parq_kick.h"
#include "parq_tx.h"

/*
 * LLDP negotiates PFC itself and must leave while its own priority is paused:
 * it takes the highest one that cannot be, or at least is not.
 */
static unsigned int parq_tx_lldp_prio(const struct parq_port *port)
{
	int prio;

	for (prio = PARQ_NUM_PRIO - 1; prio >= 0; prio--)
		if (!(READ_ONCE(port->pfc.en) & BIT(prio)))
			return prio;
	for (prio = PARQ_NUM_PRIO - 1; prio > 0; prio--)
		if (!parq_pfc_paused(port, prio) &&
		    !parq_storm_drops(port, prio))
			break;
	return prio;
}

/*
 * 802.1p priority of a frame: that of its tag, or else of the socket, if nothing
 * else is to be trusted.
 */
static unsigned int parq_tx_prio(const struct parq_port *port,
				 const struct sk_buff *skb)
{
	if (unlikely(skb->protocol == htons(ETH_P_LLDP)))
		return parq_tx_lldp_prio(port);
	if (unlikely(READ_ONCE(port->trusting)))
		return parq_prio_tx(port, skb);
	if (skb_vlan_tag_present(skb))
		return skb_vlan_tag_get_prio(skb);
	if (unlikely(skb->protocol == htons(ETH_P_8021Q)) &&
	    skb_headlen(skb) >= VLAN_ETH_HLEN) {
		const struct vlan_ethhdr *eth = (const void *)skb->data;

		return ntohs(eth->h_vlan_TCI) >> VLAN_PRIO_SHIFT;
	}
	return skb->priority < PARQ_NUM_PRIO ? skb->priority : 0;
}

/*
 * The channel of @queue was taken away, but is open for what is under way. A
 * flow that used it settles on another for good.
 */
static noinline_for_stack unsigned int parq_tx_settle(struct sk_buff *skb,
						      unsigned int queue,
						      unsigned int num)
{
	queue %= num * PARQ_NUM_PRIO;
	if (skb->sk && sk_fullsock(skb->sk))
		sk_tx_queue_set(skb->sk, queue);
	return queue;
}

/*
 * Which channel: what forwarding, XPS, the socket or the flow's hash says. Asked
 * even where there is one channel only, so that sockets stay with it when there
 * are more.
 */
u16 parq_tx_select_queue(struct net_device *dev, struct sk_buff *skb,
			 struct net_device *sb_dev)
{
	const struct parq_port *port = netdev_priv(dev);
	unsigned int num = READ_ONCE(port->num_chans);
	unsigned int queue;

	if (skb_rx_queue_recorded(skb)) {
		queue = skb_get_rx_queue(skb) % num * PARQ_NUM_PRIO;
	} else {
		queue = netdev_pick_tx(dev, skb, sb_dev);
		if (unlikely(queue >= num * PARQ_NUM_PRIO))
			queue = parq_tx_settle(skb, queue, num);
	}
	return round_down(queue, PARQ_NUM_PRIO) + parq_tx_prio(port, skb);
}

static unsigned int parq_tx_hdr_len(const struct sk_buff *skb)
{
	return skb_tcp_all_headers(skb);
}

/*
 * The stack compares gso_segs with what the device can do, but counts the segments
 * of what virtual machines and packet sockets send only after that.
 */
static bool parq_tx_many_segs(const struct sk_buff *skb)
{
	return skb->len > parq_tx_hdr_len(skb) +
			  skb_shinfo(skb)->gso_size * PARQ_TX_MAX_SEGS;
}

/* What an extension cannot express is cut by the stack. */
static noinline netdev_features_t
parq_tx_gso_check(struct sk_buff *skb, netdev_features_t features)
{
	if (skb_is_gso_tcp(skb) &&
	    (parq_tx_hdr_len(skb) > PARQ_TX_MAX_HDR - VLAN_HLEN ||
	     skb_shinfo(skb)->gso_size < PARQ_TX_MIN_MSS ||
	     parq_tx_many_segs(skb) || skb->len > U16_MAX - VLAN_HLEN))
		features &= ~NETIF_F_GSO_MASK;
	return vlan_features_check(skb, features);
}

netdev_features_t parq_tx_features_check(struct sk_buff *skb,
					 struct net_device *dev,
					 netdev_features_t features)
{
	if (likely(!skb_is_gso(skb)))
		return features;
	return parq_tx_gso_check(skb, features);
}

static u32 parq_tx_room(const struct parq_tx_ring *ring)
{
	return ring->mask + 1 - (ring->tail - READ_ONCE(ring->head));
}

/* Counters of the sender that are not worth a line each. */
static void parq_tx_count(struct parq_txq *q, u64_stats_t *counter,
			  unsigned int n)
{
	u64_stats_update_begin(&q->stats->xmit_sync);
	u64_stats_add(counter, n);
	u64_stats_update_end(&q->stats->xmit_sync);
}

/*
 * Looks for room again and stops the queue if there is none. Either the sender
 * sees the head that the cleaner wrote, or the cleaner sees the stop bit: each
 * writes its own, has a full barrier, and then reads the other's.
 * Return: the queue was stopped.
 */
static noinline bool parq_tx_stop(struct parq_txq *q)
{
	struct parq_tx_ring *ring = q->ring;

	ring->limit = READ_ONCE(ring->head) + ring->mask + 1;
	if (parq_tx_room(ring) >= PARQ_TX_FRAME_DESC)
		return false;
	if (!netif_txq_try_stop(q->nq, parq_tx_room(ring), PARQ_TX_WAKE_DESC)) {
		parq_tx_count(q, &q->stats->stops, 1);
		return true;
	}
	ring->limit = READ_ONCE(ring->head) + ring->mask + 1;
	return false;
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
	return true;
}

static __always_inline void parq_tx_desc_set(struct parq_tx_ring *ring, u32 pos,
					     u64 addr, u64 info)
{
	struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];

	desc->addr = cpu_to_le64(addr);
	desc->info = cpu_to_le64(info);
}

/* All of a frame is in its descriptors, of which the last one ends before @tail. */
static __always_inline void parq_tx_publish(struct parq_txq *q,
					    struct parq_tx_ring *ring,
					    u32 tail, unsigned int bytes)
{
	bool ring_bell;

	/* Before the tail, since what completes has to have been sent. */
	ring_bell = __netdev_tx_sent_queue(q->nq, bytes, netdev_xmit_more());
	/* The cleaner believes entries before tail, whatever the device says. */
	smp_store_release(&ring->tail, tail);
	if (unlikely((s32)(ring->limit - tail) < PARQ_TX_FRAME_DESC))
		ring_bell |= parq_tx_stop(q);
	if (ring_bell)
		parq_db_tail(&q->db, tail);
}

static noinline netdev_tx_t parq_tx_drop(struct parq_txq *q,
					 struct sk_buff *skb)
{
	parq_tx_count(q, &q->stats->errors, 1);
	dev_kfree_skb_any(skb);
	/* Frames before this one may wait for the doorbell. */
	if (!netdev_xmit_more())
		parq_db_tail(&q->db, q->ring->tail);
	return NETDEV_TX_OK;
}

/*
 * What the descriptor of the first buffer, of @len bytes, says of the frame, but
 * for its end.
 * Return: false for a checksum that lies where a descriptor cannot say.
 */
static __always_inline bool parq_tx_info(const struct sk_buff *skb, u32 len,
					 u64 *info)
{
	unsigned int start, offset;

	BUILD_BUG_ON(FIELD_MAX(PARQ_TX_CSUM_START) != U8_MAX ||
		     FIELD_MAX(PARQ_TX_CSUM_OFFSET) != U8_MAX);

	*info = len;
	if (skb->ip_summed == CHECKSUM_PARTIAL) {
		start = skb_checksum_start_offset(skb);
		offset = skb->csum_offset;
		if (unlikely((start | offset) > U8_MAX))
			return false;
		*info |= PARQ_TX_CSUM |
			 (u64)start << __bf_shf(PARQ_TX_CSUM_START) |
			 (u64)offset << __bf_shf(PARQ_TX_CSUM_OFFSET);
	}
	if (skb_vlan_tag_present(skb))
		*info |= PARQ_TX_VLAN |
			 (u64)skb_vlan_tag_get(skb) << __bf_shf(PARQ_TX_TCI);
	return true;
}

static void parq_tx_unmap(const struct parq_txq *q, struct parq_tx_ring *ring,
			  u32 pos, u32 n)
{
	struct parq_tx_buf *buf;

	for (; n; n--, pos++) {
		buf = &ring->buf[pos & ring->mask];
		if (buf->len)
			dma_unmap_page(q->dev, buf->addr, buf->len,
				       DMA_TO_DEVICE);
	}
}

/*
 * The device wants the pseudo header's sum without the length, which differs
 * from segment to segment. To be called before the header is mapped for DMA.
 */
static bool parq_tx_tso_header(struct sk_buff *skb)
{
	if (skb_cow_head(skb, 0))
		return false;
	csum_replace_by_diff(&tcp_hdr(skb)->check, (__force __wsum)
			     htonl(skb->len - skb_transport_offset(skb)));
	return true;
}

/* Returns what goes into the extension. */
static u64 parq_tx_tso(struct parq_txq *q, struct sk_buff *skb,
		       struct parq_tx_buf *first, u64 *info)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);

	*info |= shinfo->gso_type & SKB_GSO_TCPV4 ? PARQ_TX_TSO4 : PARQ_TX_TSO6;
	first->segs = shinfo->gso_segs;
	parq_tx_count(q, &q->stats->tso, 1);
	return FIELD_PREP(PARQ_TXX_MSS, shinfo->gso_size) |
	       FIELD_PREP(PARQ_TXX_HDR_LEN, parq_tx_hdr_len(skb));
}

/*
 * The linear part, which @addr and @info speak of, and the frame's fragments.
 * Return: descriptors from @pos on, 0 if a fragment cannot be mapped.
 */
static u32 parq_tx_frags(struct parq_txq *q, struct sk_buff *skb, u32 pos,
			 u64 addr, u64 info)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct parq_tx_ring *ring = q->ring;
	u32 start = pos, len, i;
	struct parq_tx_buf *buf;

	for (i = 0; i < shinfo->nr_frags; i++) {
		parq_tx_desc_set(ring, pos++, addr, info);
		len = skb_frag_size(&shinfo->frags[i]);
		addr = skb_frag_dma_map(q->dev, &shinfo->frags[i], 0, len,
					DMA_TO_DEVICE);
		if (unlikely(dma_mapping_error(q->dev, addr))) {
			parq_tx_unmap(q, ring, start + 1, pos - start - 1);
			return 0;
		}
		buf = &ring->buf[pos & ring->mask];
		buf->addr = addr;
		buf->len = len;
		info = FIELD_PREP(PARQ_TX_LEN, len);
	}
	parq_tx_desc_set(ring, pos++, addr, info | PARQ_TX_EOP);
	return pos - start;
}

/* Descriptors of a frame whose linear part is mapped in @first. */
static u32 parq_tx_fill(struct parq_txq *q, struct sk_buff *skb,
			struct parq_tx_buf *first, u64 info)
{
	struct parq_tx_ring *ring = q->ring;
	u32 pos = ring->tail, frags;
	u64 ext;

	first->segs = 1;
	if (skb_is_gso(skb)) {
		ext = parq_tx_tso(q, skb, first, &info);
		parq_tx_desc_set(ring, pos++, ext, PARQ_TX_EXT);
		/* Its mapping is the first entry's. */
		ring->buf[pos & ring->mask].len = 0;
	}
	frags = parq_tx_frags(q, skb, pos, first->addr, info);
	return frags ? pos + frags - ring->tail : 0;
}

/* Any frame, and a ring that seems to be full. */
static noinline netdev_tx_t parq_tx_xmit_any(struct parq_txq *q,
					     struct sk_buff *skb)
{
	struct parq_tx_ring *ring = q->ring;
	u32 len = skb_headlen(skb), n;
	struct parq_tx_buf *first;
	u64 info;

	/* A woken queue does not promise room. */
	if (ring->limit - ring->tail < PARQ_TX_FRAME_DESC && parq_tx_stop(q))
		return NETDEV_TX_BUSY;
	/* The MTU does not bind every sender. */
	if (skb->len > FIELD_MAX(PARQ_TX_LEN))
		return parq_tx_drop(q, skb);
	if (skb_is_gso(skb) && !parq_tx_tso_header(skb))
		return parq_tx_drop(q, skb);
	if (!parq_tx_info(skb, len, &info)) {
		if (skb_checksum_help(skb))
			return parq_tx_drop(q, skb);
		parq_tx_info(skb, len, &info);
	}

	first = &ring->buf[ring->tail & ring->mask];
	first->addr = parq_compat_dma_map(q->dev, skb->data, len);
	if (dma_mapping_error(q->dev, first->addr))
		return parq_tx_drop(q, skb);
	n = parq_tx_fill(q, skb, first, info);
	if (!n) {
		dma_unmap_page(q->dev, first->addr, len, DMA_TO_DEVICE);
		return parq_tx_drop(q, skb);
	}
	first->skb = skb;
	first->len = len;
	first->ndesc = n;
	skb_tx_timestamp(skb);
	parq_tx_publish(q, ring, ring->tail + n, skb->len);
	return NETDEV_TX_OK;
}

/*
 * The straight line is for frames of one buffer with neither segments nor a
 * time stamp, in a ring with room.
 */
netdev_tx_t parq_tx_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_txq *q = port->txq[skb_get_queue_mapping(skb)];
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_buf *first;
	u32 tail = ring->tail;
	u32 len = skb->len;
	dma_addr_t addr;
	u64 info;

	BUILD_BUG_ON(MAX_SKB_FRAGS + 1 > PARQ_TX_MAX_DESC);
	BUILD_BUG_ON(PARQ_TX_FRAME_DESC > PARQ_RING_MIN);

	if (unlikely(shinfo->nr_frags | shinfo->tx_flags | shinfo->gso_size) ||
	    unlikely(ring->limit - tail < PARQ_TX_FRAME_DESC) ||
	    unlikely(len > FIELD_MAX(PARQ_TX_LEN)) ||
	    unlikely(!parq_tx_info(skb, len, &info)))
		return parq_tx_xmit_any(q, skb);

	addr = parq_compat_dma_map(q->dev, skb->data, len);
	if (unlikely(dma_mapping_error(q->dev, addr)))
		return parq_tx_drop(q, skb);
	first = &ring->buf[tail & ring->mask];
	first->skb = skb;
	first->addr = addr;
	first->len = len;
	first->ndesc = 1;
	first->segs = 1;
	parq_tx_desc_set(ring, tail, addr, info | PARQ_TX_EOP);
	parq_tx_publish(q, ring, tail + 1, len);
	return NETDEV_TX_OK;
}

/* ---- Completion --------------------------------------------------------- */

/**
 * struct parq_tx_done - what a poll has completed
 * @frames: as the stack counts
 * @bytes: in them
 * @more: what were frames on the wire beyond @frames; wraps where it is less, for
 *	what the device dropped
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

/* Frames that are not one descriptor. */
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
 * Takes back from @done what the device has not sent of a frame, by the status that
 * it left in the frame's first descriptor.
 * Return: some of it was dropped.
 */
static bool parq_tx_dropped(const struct parq_tx_ring *ring, u32 pos,
			    struct parq_tx_done *done)
{
	const struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];
	const struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
	u32 sent, bytes = 0, len = buf->skb->len;
	u64 info = le64_to_cpu(desc->info);

	if (!(info & PARQ_TXS_DROPPED))
		return false;
	if (buf->segs > 1)
		len += (buf->segs - 1) * parq_tx_hdr_len(buf->skb);
	sent = min_t(u32, FIELD_GET(PARQ_TXS_SENT, info), buf->segs - 1);
	if (sent)
		bytes = FIELD_GET(PARQ_TXS_BYTES, le64_to_cpu(desc->addr));
	/* The stack does not count the tag that the device has put in. */
	if (skb_vlan_tag_present(buf->skb))
		bytes -= min(bytes, sent * VLAN_HLEN);
	done->dropped += buf->segs - sent;
	done->more -= buf->segs - sent;
	done->more_bytes -= len - min(bytes, len);
	return true;
}

/* Frees what is complete in [head, @to); @drops: some of it may not have been sent. */
static __always_inline void parq_tx_clean_ring(struct parq_txq *q,
					       struct parq_tx_ring *ring,
					       u32 to, int budget, bool drops,
					       struct parq_tx_done *done)
{
	/* Asked after all that is to be unmapped has been mapped. */
	bool unmap = dma_need_unmap(q->dev);
	u32 pos = ring->head;

	while (pos != to) {
		struct parq_tx_buf *buf = &ring->buf[pos & ring->mask];
		struct sk_buff *skb = buf->skb;
		u32 n = 1;

		if (unlikely(buf->ndesc != 1 || buf->segs != 1)) {
			n = buf->ndesc;
			/* The device has not done all of this frame. */
			if (n > to - pos)
				break;
			parq_tx_clean_long(q, ring, pos, done);
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
	netdev_err(q->port->netdev,
		   "TX queue %u: head %u is not within %u to %u, reset\n",
		   q->index, head, ring->head, ring->tail);
	WRITE_ONCE(q->broken, true);
	parq_kick_stuck(q->port, false, q->index);
}

/* The device has left a ring that was replaced. */
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
	/* All use of the old ring is over before someone may free it... */
	smp_store_release(&q->retired, ring);
	/* ...and that before someone may replace the new one. */
	smp_store_release(&q->clean, next);
	parq_kick_service(q->port, 0);
	return next;
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

/* Frees what is complete up to @head, which the device says and may lie about. */
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
	/* Heads do not stand within frames. */
	if (unlikely(ring->head != head))
		parq_tx_broken(q, head);
	if (done->frames)
		parq_tx_account(q, done);
}

/* The device has dropped frames, or left a ring that was replaced. */
static noinline void parq_tx_clean_odd(struct parq_txq *q, u64 wb, int budget)
{
	struct parq_tx_stats *stats = q->stats;
	struct parq_tx_ring *ring = q->clean;
	u32 head = lower_32_bits(wb);
	u32 state = upper_32_bits(wb);
	struct parq_tx_done done = {};

	/* Of frames that it dropped it has written a status before the head. */
	dma_rmb();
	if (FIELD_GET(PARQ_TXW_RING, state) != ring->seq) {
		ring = parq_tx_switch(q, FIELD_GET(PARQ_TXW_RING, state),
				      budget, &done);
		if (!ring) {
			parq_tx_broken(q, head);
			return;
		}
	}
	q->state = state;
	parq_tx_clean_to(q, ring, head, budget, true, &done);
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
	/* In one piece: 64BIT. */
	u64 wb = le64_to_cpu(READ_ONCE(*(const __le64 *)q->wb));
	struct parq_tx_ring *ring = q->clean;
	struct parq_tx_done done = {};
	u32 head = lower_32_bits(wb);

	if (unlikely(upper_32_bits(wb) != q->state)) {
		parq_tx_clean_odd(q, wb, budget);
		return;
	}
	if (head == ring->head)
		return;
	/* What the device wrote before the head. */
	dma_rmb();
	parq_tx_clean_to(q, ring, head, budget, false, &done);
}

/* Return: the device has written something that parq_tx_clean() wants. */
bool parq_tx_pending(const struct parq_txq *q)
{
	u64 wb = le64_to_cpu(READ_ONCE(*(const __le64 *)q->wb));
	const struct parq_tx_ring *ring = q->clean;

	if (unlikely(q->broken))
		return false;
	return lower_32_bits(wb) != ring->head ||
	       upper_32_bits(wb) != q->state;
}

/* Return: nothing that was sent is still to be completed. */
bool parq_tx_empty(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring = READ_ONCE(q->ring);

	return ring == READ_ONCE(q->clean) &&
	       READ_ONCE(ring->head) == READ_ONCE(ring->tail);
}

/*
 * Asks for an interrupt for what comes next. While a ring is replaced the
 * doorbell speaks of the new one already, and what the old one completes
 * interrupts anyway.
 */
void parq_tx_arm(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring = READ_ONCE(q->clean);

	if (likely(ring == READ_ONCE(q->ring)))
		parq_db_arm(&q->db, READ_ONCE(ring->head));
}

/* ---- Replacing and emptying --------------------------------------------- */

/**
 * parq_tx_reap() - free the ring that a replacement has left behind
 * @q: TX queue
 *
 * Context: process, under rtnl.
 */
void parq_tx_reap(struct parq_txq *q)
{
	struct parq_tx_ring *ring = xchg(&q->retired, NULL);

	if (!ring)
		return;
	/* A poll may be about to arm, see parq_vec_poll(). */
	synchronize_net();
	parq_ring_tx_free(q->port, ring);
}

/**
 * parq_tx_replace() - go on with another ring, without a loss
 * @q: TX queue, which has no replacement under way
 * @next: empty ring, the queue's from here on
 *
 * Works while the queue is paused as well: the device drains the old ring
 * first. The queue is woken, the new ring has room.
 *
 * Context: process, under rtnl.
 */
void parq_tx_replace(struct parq_txq *q, struct parq_tx_ring *next)
{
	struct parq_tx_ring *ring = q->ring;

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

/* Segments that the device has sent of the frame at the head are not lost. */
static void parq_tx_flush_ring(struct parq_txq *q, struct parq_tx_ring *ring,
			       struct parq_tx_done *done)
{
	while (ring->head != ring->tail) {
		struct parq_tx_buf *buf = &ring->buf[ring->head & ring->mask];
		struct parq_tx_done one = {
			.frames = 1,
			.bytes = buf->skb->len,
		};

		parq_tx_clean_long(q, ring, ring->head, &one);
		if (buf->len)
			dma_unmap_page(q->dev, buf->addr, buf->len,
				       DMA_TO_DEVICE);
		if (parq_tx_dropped(ring, ring->head, &one)) {
			done->frames += one.frames + one.more;
			done->bytes += one.bytes + one.more_bytes;
			done->dropped += one.dropped;
		} else {
			done->dropped += buf->segs;
		}
		ring->head += buf->ndesc;
		dev_kfree_skb_any(buf->skb);
	}
}

/* What was complete before the device stopped is sent. Nothing is woken by it. */
static void parq_tx_clean_last(struct parq_txq *q)
{
	bool held = q->held;

	if (q->broken)
		return;
	WRITE_ONCE(q->held, true);
	parq_tx_clean(q, 0);
	WRITE_ONCE(q->held, held);
}

/**
 * parq_tx_flush() - drop all frames and begin at position 0 again
 * @q: TX queue that the device does not touch any more
 *
 * Context: process; neither sender nor cleaner runs.
 */
void parq_tx_flush(struct parq_txq *q)
{
	struct parq_tx_ring *ring = q->ring;
	struct parq_tx_done done = {};

	parq_tx_clean_last(q);
	if (q->clean != ring) {
		parq_tx_flush_ring(q, q->clean, &done);
		parq_ring_tx_free(q->port, q->clean);
		q->clean = ring;
	}
	parq_tx_reap(q);
	parq_tx_flush_ring(q, ring, &done);
	ring->head = 0;
	ring->tail = 0;
	ring->limit = ring->mask + 1;
	ring->seq = 0;
	q->state = 0;
	*q->wb = (struct parq_txq_wb){};
	q->broken = false;
	netdev_tx_reset_queue(q->nq);
	if (done.dropped)
		parq_tx_count(q, &q->stats->dropped, done.dropped);
	u64_stats_update_begin(&q->stats->sync);
	u64_stats_add(&q->stats->packets, done.frames);
	u64_stats_add(&q->stats->bytes, done.bytes);
	u64_stats_update_end(&q->stats->sync);
}
