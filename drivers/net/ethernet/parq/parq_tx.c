// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit: queue selection, descriptors and the doorbell. parq_tx_clean.c completes and
 * frees frames.
 *
 * The sender (the stack, under the queue's lock) moves ring->tail, the cleaner (NAPI)
 * moves ring->head, and the device writes its position to parq_txq_wb. There is no status
 * per descriptor, and no register is read.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/if_vlan.h>
#include <linux/tcp.h>
#include <net/checksum.h>
#include <net/sock.h>

#include "parq_io.h"
#include "parq_tx.h"

/*
 * Upper byte of the EtherTypes in parq_tx_keeps_link(). Those of IP, ARP and 802.1Q have others,
 * so their frames need no more than one comparison.
 */
#define PARQ_TX_CTRL_MASK	htons(0xff00)
#define PARQ_TX_CTRL		htons(ETH_P_LLDP & 0xff00)

/*
 * Protocols that decide about the link: LLDP negotiates PFC, LACP (a slow protocol) makes the
 * link part of a bond, and EAPOL opens an 802.1X port.
 */
static bool parq_tx_keeps_link(const struct sk_buff *skb)
{
	BUILD_BUG_ON((ETH_P_SLOW ^ ETH_P_LLDP) & 0xff00);
	BUILD_BUG_ON((ETH_P_PAE ^ ETH_P_LLDP) & 0xff00);

	return skb->protocol == htons(ETH_P_LLDP) ||
	       skb->protocol == htons(ETH_P_SLOW) ||
	       skb->protocol == htons(ETH_P_PAE);
}

/* Whether a qdisc etf has a queue of this priority: it drops frames without a launch time. */
static bool parq_tx_timed(const struct parq_port *port, unsigned int prio)
{
	unsigned int queue;

	for (queue = prio; queue < port->netdev->real_num_tx_queues; queue += PARQ_NUM_PRIO)
		if (test_bit(queue, port->launch))
			return true;
	return false;
}

/*
 * A pause must not stop frames of these protocols. Use the highest priority without PFC, else
 * the highest that is not paused now; and none for launch times.
 */
static unsigned int parq_tx_link_prio(const struct parq_port *port)
{
	int prio;

	for (prio = PARQ_NUM_PRIO - 1; prio >= 0; prio--)
		if (!(READ_ONCE(port->pfc.en) & BIT(prio)) && !parq_tx_timed(port, prio))
			return prio;
	for (prio = PARQ_NUM_PRIO - 1; prio > 0; prio--)
		if (!parq_pfc_paused(port, prio) && !parq_storm_drops(port, prio) &&
		    !parq_tx_timed(port, prio))
			break;
	return prio;
}

/*
 * 802.1p priority of a frame: that of its tag, or without a tag that of its socket, unless
 * other selectors are trusted.
 */
static unsigned int parq_tx_prio(const struct parq_port *port,
				 const struct sk_buff *skb)
{
	if (unlikely((skb->protocol & PARQ_TX_CTRL_MASK) == PARQ_TX_CTRL) &&
	    parq_tx_keeps_link(skb))
		return parq_tx_link_prio(port);
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
 * The stack has selected a queue of a channel that was removed and is draining. This selects
 * the one that the stack will select when the channel has gone, and remembers it on the same
 * condition: a socket without a route, of a virtual machine for example, has many flows.
 */
static noinline_for_stack unsigned int parq_tx_settle(struct sk_buff *skb,
						      unsigned int num)
{
	unsigned int queue = reciprocal_scale(skb_get_hash(skb), num * PARQ_NUM_PRIO);
	struct sock *sk = skb->sk;

	if (sk && sk_fullsock(sk) && rcu_access_pointer(sk->sk_dst_cache))
		sk_tx_queue_set(sk, queue);
	return queue;
}

/*
 * Selects the channel by forwarding, XPS, the socket or the flow's hash. Called even with
 * one channel, so that sockets keep their channel when more are added.
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
			queue = parq_tx_settle(skb, num);
	}
	return round_down(queue, PARQ_NUM_PRIO) + parq_tx_prio(port, skb);
}

/*
 * The stack compares gso_segs with the device's limit. For frames of virtual machines and
 * packet sockets it computes gso_segs only after that comparison.
 */
static bool parq_tx_many_segs(const struct sk_buff *skb)
{
	return skb->len > parq_tx_hdr_len(skb) +
			  skb_shinfo(skb)->gso_size * PARQ_TX_MAX_SEGS;
}

/*
 * Has the stack segment frames that an extension cannot express. Inline it would cost all frames
 * 6 instructions, and the four other functions of this file that are not inline 2 to 4.
 */
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

/*
 * Stops the queue, unless there is room after all. Either the sender sees the head that
 * the cleaner wrote, or the cleaner sees the stop bit: each writes its own value, executes
 * a full barrier, and then reads the other's.
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

/*
 * Publishes a frame whose descriptors are complete; the last one ends before @tail. @full: too few
 * may be left for another frame.
 */
static __always_inline void parq_tx_publish(struct parq_txq *q, u32 tail, unsigned int bytes,
					    bool full)
{
	struct parq_tx_ring *ring = q->ring;
	bool ring_bell;

	/* Before the tail moves: a frame may complete only after it was counted as sent. */
	ring_bell = __netdev_tx_sent_queue(q->nq, bytes, netdev_xmit_more());
	/* The cleaner relies on all entries before the tail. */
	smp_store_release(&ring->tail, tail);
	if (full)
		ring_bell |= parq_tx_stop(q);
	if (ring_bell)
		parq_db_tail(&q->db, tail);
}

/**
 * parq_tx_has_room() - check for room for any frame, and stop the queue if there is none
 * @q: TX queue that is not stopped
 *
 * For senders other than the stack. The queue may have been woken, or closed, without room.
 *
 * Context: the queue's lock.
 * Return: a frame fits.
 */
bool parq_tx_has_room(struct parq_txq *q)
{
	const struct parq_tx_ring *ring = q->ring;

	if (likely(ring->limit - ring->tail >= PARQ_TX_FRAME_DESC))
		return true;
	return !q->closed && !parq_tx_stop(q);
}

static noinline netdev_tx_t parq_tx_drop(struct parq_txq *q,
					 struct sk_buff *skb)
{
	parq_tx_count(q, &q->stats->errors, 1);
	dev_kfree_skb_any(skb);
	/* Earlier frames may wait for the doorbell. */
	if (!netdev_xmit_more())
		parq_db_tail(&q->db, q->ring->tail);
	return NETDEV_TX_OK;
}

/* The queue is going, see parq_tx_close(). */
static netdev_tx_t parq_tx_discard(struct parq_txq *q, struct sk_buff *skb)
{
	parq_tx_count(q, &q->stats->dropped, skb_shinfo(skb)->gso_segs ?: 1);
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

/*
 * Builds the descriptor of the first buffer, of @len bytes, without EOP.
 * Return: false if the checksum's offset does not fit in a descriptor.
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

/*
 * The device needs the pseudo header's sum without the length, which differs between
 * segments. Must be called before the header is mapped for DMA.
 */
static bool parq_tx_tso_header(struct sk_buff *skb)
{
	if (skb_cow_head(skb, 0))
		return false;
	csum_replace_by_diff(&tcp_hdr(skb)->check, (__force __wsum)
			     htonl(skb->len - skb_transport_offset(skb)));
	return true;
}

/* Return: contents of the extension. */
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
 * Fills descriptors for the linear part, described by @addr and @info, and the fragments.
 * Return: number of descriptors from @pos on, 0 if a fragment cannot be mapped.
 */
static u32 parq_tx_frags(struct parq_txq *q, struct sk_buff *skb, u32 pos,
			 u64 addr, u64 info)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct parq_tx_ring *ring = q->ring;
	u32 start = pos, len, i;
	struct parq_tx_buf *buf;

	for (i = 0; i < shinfo->nr_frags; i++) {
		len = skb_frag_size(&shinfo->frags[i]);
		/* pktgen makes empty fragments. The device refuses empty buffers. */
		if (unlikely(!len))
			continue;
		parq_tx_desc_set(ring, pos++, addr, info);
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

static bool parq_tx_wants_stamp(const struct parq_txq *q, const struct sk_buff *skb)
{
	return unlikely(skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP) &&
	       READ_ONCE(q->port->tx_stamps);
}

/* Fills the descriptors of a frame whose linear part is mapped in @first. */
static u32 parq_tx_fill(struct parq_txq *q, struct sk_buff *skb,
			struct parq_tx_buf *first, u64 info)
{
	struct parq_tx_ring *ring = q->ring;
	bool stamped = parq_tx_wants_stamp(q, skb);
	u64 ext = 0, launch = 0;
	u32 pos = ring->tail, frags;
	struct parq_tx_buf *second;

	/* In CLOCK_TAI, and so is the clock of a NIC that PTP controls. */
	if (unlikely(ring->need == PARQ_TX_LAUNCH))
		launch = ktime_to_ns(skb->tstamp);
	first->segs = 1;
	if (skb_is_gso(skb) || stamped || launch) {
		if (skb_is_gso(skb))
			ext = parq_tx_tso(q, skb, first, &info);
		if (stamped)
			ext |= PARQ_TXX_STAMP;
		if (launch)
			ext |= PARQ_TXX_LAUNCH;
		parq_tx_desc_set(ring, pos++, ext, PARQ_TX_EXT | (launch & PARQ_TXX_TIME));
		/* The first entry owns the mapping. */
		second = &ring->buf[pos & ring->mask];
		second->len = 0;
		second->addr = stamped ? PARQ_TX_STAMPED : 0;
	}
	frags = parq_tx_frags(q, skb, pos, first->addr, info);
	return frags ? pos + frags - ring->tail : 0;
}

/* Sends any frame, and handles a ring that seems full. */
static noinline netdev_tx_t parq_tx_xmit_any(struct parq_txq *q,
					     struct sk_buff *skb)
{
	struct parq_tx_ring *ring = q->ring;
	u32 len = skb_headlen(skb), n;
	struct parq_tx_buf *first;
	u64 info;

	if (unlikely(ring->limit - ring->tail < PARQ_TX_FRAME_DESC)) {
		if (q->closed)
			return parq_tx_discard(q, skb);
		/* A queue may be woken without room for this frame. */
		if (parq_tx_stop(q))
			return NETDEV_TX_BUSY;
	}
	/* Not every sender obeys the MTU. */
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
	if (unlikely(skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP) &&
	    parq_tx_is_stamped(ring, ring->tail))
		skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
	skb_tx_timestamp(skb);
	n += ring->tail;
	parq_tx_publish(q, n, skb->len, (s32)(ring->limit - n) < PARQ_TX_FRAME_DESC);
	return NETDEV_TX_OK;
}

/*
 * Handles frames of one buffer, without segmentation, stamp and launch time, if the ring has room
 * for one more after it. parq_tx_xmit_any() handles all others.
 */
netdev_tx_t parq_tx_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);
	/* The mask spares UBSAN's check of the index: an instruction with CONFIG_UBSAN_BOUNDS. */
	struct parq_txq *q = port->txq[skb_get_queue_mapping(skb) % PARQ_MAX_TXQ];
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct parq_tx_ring *ring = q->ring;
	u32 at = ring->tail & ring->mask, len = skb->len;
	struct parq_tx_desc *desc;
	struct parq_tx_buf *buf;
	dma_addr_t addr;
	u64 info;

	BUILD_BUG_ON_NOT_POWER_OF_2(PARQ_MAX_TXQ);
	BUILD_BUG_ON(MAX_SKB_FRAGS + 1 > PARQ_TX_MAX_DESC);
	BUILD_BUG_ON(PARQ_TX_FRAME_DESC >= PARQ_RING_MIN);

	if (unlikely(shinfo->nr_frags | shinfo->tx_flags | shinfo->gso_size) ||
	    unlikely(ring->limit - ring->tail < ring->need) ||
	    unlikely(len > FIELD_MAX(PARQ_TX_LEN)) ||
	    unlikely(!parq_tx_info(skb, len, &info)))
		return parq_tx_xmit_any(q, skb);

	/*
	 * Nobody reads the entries before the tail moves. With all that is known stored, and read
	 * again, little has to survive the call.
	 */
	buf = &ring->buf[at];
	buf->skb = skb;
	buf->len = len;
	buf->ndesc = 1;
	buf->segs = 1;
	desc = &ring->desc[at];
	desc->info = cpu_to_le64(info | PARQ_TX_EOP);
	addr = parq_compat_dma_map(q->dev, skb->data, len);
	if (unlikely(dma_mapping_error(q->dev, addr)))
		return parq_tx_drop(q, buf->skb);
	buf->addr = addr;
	desc->addr = cpu_to_le64(addr);
	/* The mask spares a check of byte queue limits. */
	parq_tx_publish(q, q->ring->tail + 1, buf->len & FIELD_MAX(PARQ_TX_LEN), false);
	return NETDEV_TX_OK;
}
