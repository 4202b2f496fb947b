// SPDX-License-Identifier: GPL-2.0
/*
 * Receive.
 *
 * A completion describes the buffer at the same position. It is checked against what was
 * posted before any of it is used.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <net/xdp_sock_drv.h>

#include "parq_io.h"
#include "parq_ptp.h"
#include "parq_rx.h"
#include "parq_switch.h"

/**
 * parq_rx_ring_fill() - give each free entry a page
 * @ring: ring
 *
 * Never sleeps, not even before the ring is used: under memory pressure the page pool
 * would sleep for its own allocations with bottom halves disabled.
 *
 * Context: NAPI, or before the ring is used.
 * Return: number of entries without a page.
 */
u32 parq_rx_ring_fill(struct parq_rx_ring *ring)
{
	u32 end = ring->pos + ring->mask + 1;
	struct page_pool *pool = ring->pool;
	u32 tail = ring->tail;

	for (; tail != end; tail++) {
		struct page *page = page_pool_dev_alloc_pages(pool);
		u32 entry = tail & ring->mask;

		if (unlikely(!page))
			break;
		ring->page[entry] = page;
		ring->fill[entry] = cpu_to_le64(page_pool_get_dma_addr(page) +
						PARQ_RX_HEADROOM);
	}
	ring->tail = tail;
	return end - tail;
}

/* Rings the doorbell for all filled entries. */
void parq_rx_post(struct parq_rxq *q)
{
	struct parq_rx_ring *ring = q->ring;

	ring->posted = ring->tail;
	parq_db_tail(&q->db, ring->tail);
}

/* Stops polling the queue until it has been reset. */
static void parq_rx_broken(struct parq_rxq *q)
{
	WRITE_ONCE(q->broken, true);
	parq_kick_stuck(q->port, true, q->index);
}

/* A completion has @len bytes, which the buffer at this position does not have. */
void parq_rx_invalid(struct parq_rxq *q, u32 len)
{
	if (net_ratelimit())
		netdev_err(q->netdev,
			   "RX queue %u: %u bytes at position %u, posted %u, at most %u bytes, reset\n",
			   q->index, len, q->ring->pos, q->ring->posted,
			   q->ring->buf);
	parq_rx_broken(q);
}

/* @sync: the processor does not see at once what the device has written. */
static __always_inline struct sk_buff *
parq_rx_build(struct parq_rxq *q, struct page *page, u32 len, bool sync)
{
	void *va = page_address(page);
	struct sk_buff *skb;

	net_prefetch(va + PARQ_RX_HEADROOM);
	if (unlikely(sync))
		page_pool_dma_sync_for_cpu(q->ring->pool, page, 0, len);
	skb = napi_build_skb(va, PAGE_SIZE);
	if (unlikely(!skb)) {
		/* virt_to_page() again: a variable would cost all frames 2 instructions. */
		page_pool_recycle_direct(q->ring->pool, virt_to_page(va));
		return NULL;
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, PARQ_RX_HEADROOM);
	__skb_put(skb, len);
	return skb;
}

/* Drops the frame that is being put together. */
static void parq_rx_drop_partial(struct parq_rxq *q)
{
	if (!IS_ERR_OR_NULL(q->skb))
		dev_kfree_skb_any(q->skb);
	q->skb = NULL;
}

/* Adds a buffer to the current frame, or begins a new one. */
static struct sk_buff *parq_rx_append(struct parq_rxq *q, struct page *page,
				      u32 len)
{
	struct page_pool *pool = q->ring->pool;
	struct sk_buff *skb = q->skb;

	if (!skb) {
		skb = parq_rx_build(q, page, len, true);
		return skb ?: ERR_PTR(-ENOMEM);
	}
	if (IS_ERR(skb)) {
		page_pool_recycle_direct(pool, page);
		return skb;
	}
	if (skb_shinfo(skb)->nr_frags == MAX_SKB_FRAGS) {
		page_pool_recycle_direct(pool, page);
		parq_rx_drop_partial(q);
		return ERR_PTR(-EMSGSIZE);
	}
	page_pool_dma_sync_for_cpu(pool, page, 0, len);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page,
			PARQ_RX_HEADROOM, len, PAGE_SIZE);
	return skb;
}

/*
 * Takes the next buffer, of @len bytes.
 * Return: the frame, if it is complete and could be built.
 */
static struct sk_buff *parq_rx_take(struct parq_rxq *q, u32 len, bool eop,
				    struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = q->ring;
	struct page **entry = &ring->page[ring->pos & ring->mask];
	struct sk_buff *skb;

	skb = parq_rx_append(q, *entry, len);
	*entry = NULL;
	ring->pos++;
	q->skb = skb;
	if (!eop)
		return NULL;
	done->frames++;
	q->skb = NULL;
	if (IS_ERR(skb)) {
		if (PTR_ERR(skb) == -ENOMEM)
			done->dropped++;
		else
			done->errors++;
		return NULL;
	}
	if (skb_headlen(skb) < ETH_HLEN) {
		done->errors++;
		dev_kfree_skb_any(skb);
		return NULL;
	}
	return skb;
}

/**
 * parq_rx_any() - read a completion of any kind
 * @q: RX queue
 * @flags: its flags
 * @skb: the frame, if this was its end and it could be built; else NULL
 * @done: results of the poll
 *
 * Context: NAPI.
 * Return: the completion; NULL if there is none, or it is invalid.
 */
const struct parq_rx_comp *parq_rx_any(struct parq_rxq *q, u32 *flags, struct sk_buff **skb,
				       struct parq_rx_done *done)
{
	const struct parq_rx_ring *ring = q->ring;
	const struct parq_rx_comp *comp = &ring->comp[ring->pos & ring->mask];
	u32 len = parq_rx_next(q, flags);

	if (!len)
		return NULL;
	*skb = parq_rx_take(q, len, *flags & PARQ_RX_EOP, done);
	return comp;
}

/*
 * Offset of the TCP header of a merged frame, see PARQ_RX_GRO.
 * Return: -EPROTO if its headers are not what the device promises.
 */
static int parq_rx_tcp_offset(const struct sk_buff *skb, bool *ipv6)
{
	const struct ethhdr *eth = (struct ethhdr *)skb->data;
	const struct iphdr *ip = (struct iphdr *)(eth + 1);
	const struct ipv6hdr *ip6 = (struct ipv6hdr *)(eth + 1);
	u32 len = skb_headlen(skb), off;
	bool tcp;

	*ipv6 = eth->h_proto == htons(ETH_P_IPV6);
	if (len < ETH_HLEN + (*ipv6 ? sizeof(*ip6) : sizeof(*ip)))
		return -EPROTO;
	if (*ipv6) {
		tcp = ip6->nexthdr == IPPROTO_TCP;
		off = ETH_HLEN + sizeof(*ip6);
	} else {
		tcp = eth->h_proto == htons(ETH_P_IP) && ip->ihl >= 5 &&
		      ip->protocol == IPPROTO_TCP;
		off = ETH_HLEN + 4 * ip->ihl;
	}
	return tcp && len >= off + sizeof(struct tcphdr) ? off : -EPROTO;
}

/* Segments count as frames. One of them, and @skb's own bytes, are counted as of any frame. */
static void parq_rx_count_gro(struct parq_rx_stats *stats, const struct sk_buff *skb,
			      u32 hdr)
{
	u32 segs = skb_shinfo(skb)->gso_segs, more = (segs - 1) * hdr;

	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->packets, segs - 1);
	u64_stats_add(&stats->bytes, more);
	u64_stats_add(&stats->csum_ok, segs - 1);
	u64_stats_inc(&stats->gro_packets);
	u64_stats_add(&stats->gro_bytes, skb->len);
	u64_stats_add(&stats->gro_wire_packets, segs);
	u64_stats_add(&stats->gro_wire_bytes, skb->len + more);
	u64_stats_update_end(&stats->sync);
}

/*
 * Makes a merged frame what the stack's own GRO would have made of its segments.
 * Not inline: it would cost other rare frames 11 instructions.
 */
static noinline int parq_rx_gro(struct parq_rxq *q, struct sk_buff *skb, u32 mss)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	const struct tcphdr *th;
	bool ipv6;
	u32 hdr;
	int off;

	off = parq_rx_tcp_offset(skb, &ipv6);
	if (off < 0)
		return off;
	th = (struct tcphdr *)(skb->data + off);
	hdr = off + 4 * th->doff;
	if (th->doff < 5 || !mss || mss == GSO_BY_FRAGS || hdr >= skb->len)
		return -EPROTO;
	shinfo->gso_size = mss;
	shinfo->gso_segs = DIV_ROUND_UP(skb->len - hdr, mss);
	shinfo->gso_type = ipv6 ? SKB_GSO_TCPV6 : SKB_GSO_TCPV4;
	if (th->cwr)
		shinfo->gso_type |= SKB_GSO_TCP_ECN;
	skb->csum_start = skb_headroom(skb) + off;
	skb->csum_offset = offsetof(struct tcphdr, check);
	skb->ip_summed = CHECKSUM_PARTIAL;
	parq_rx_count_gro(q->stats, skb, hdr);
	return 0;
}

/* Not inline: it would cost frames with a bad checksum 19 instructions. */
static noinline int parq_rx_slower(struct parq_rxq *q, struct sk_buff *skb, u32 flags,
				   const struct parq_rx_comp *comp)
{
	u64 ns;

	if (flags & PARQ_RX_VLAN)
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q),
				       le16_to_cpu(comp->tci));
#ifdef CONFIG_NET_SWITCHDEV
	if (flags & PARQ_RX_FORWARDED)
		skb->offload_fwd_mark = parq_switch_forwarded(netdev_priv(q->netdev), skb->data);
#endif
	if (flags & PARQ_RX_STAMP && parq_ptp_rx_stamp(netdev_priv(q->netdev), flags,
						       le32_to_cpu(comp->time), &ns))
		skb_hwtstamps(skb)->hwtstamp = ns_to_ktime(ns);
	if (flags & PARQ_RX_GRO)
		return parq_rx_gro(q, skb, FIELD_GET(PARQ_RX_GRO_SIZE, flags));
	return 0;
}

/* Handles rare flags of a completion. Return: negative errno if the frame is invalid. */
static int parq_rx_slow(struct parq_rxq *q, struct sk_buff *skb, u32 flags,
			const struct parq_rx_comp *comp, struct parq_rx_done *done)
{
	if (flags & PARQ_RX_CSUM_BAD)
		done->csum_bad++;
	/* The most frequent of them is not slowed down by the others. */
	if (flags & (PARQ_RX_VLAN | PARQ_RX_FORWARDED | PARQ_RX_GRO | PARQ_RX_STAMP))
		return parq_rx_slower(q, skb, flags, comp);
	return 0;
}

/* Passes a complete frame to the stack. */
static __always_inline void parq_rx_deliver(struct parq_rxq *q,
					    struct napi_struct *napi,
					    struct sk_buff *skb, u32 flags,
					    const struct parq_rx_comp *comp,
					    struct parq_rx_done *done)
{
	done->bytes += skb->len;
	if (flags & (PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4))
		skb_set_hash(skb, le32_to_cpu(comp->hash),
			     flags & PARQ_RX_HASH_L4 ? PKT_HASH_TYPE_L4 :
						       PKT_HASH_TYPE_L3);
	if (likely(flags & PARQ_RX_CSUM_OK)) {
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		done->csum_ok++;
	}
	if (unlikely(flags & (PARQ_RX_VLAN | PARQ_RX_CSUM_BAD | PARQ_RX_FORWARDED |
			       PARQ_RX_GRO | PARQ_RX_STAMP)) &&
	    parq_rx_slow(q, skb, flags, comp, done)) {
		done->errors++;
		done->bytes -= skb->len;
		dev_kfree_skb_any(skb);
		return;
	}
	skb_record_rx_queue(skb, q->index);
	skb->protocol = eth_type_trans(skb, q->netdev);
	napi_gro_receive(napi, skb);
}

/**
 * parq_rx_pass() - pass a frame to the stack, for the other poll functions
 * @q: RX queue
 * @napi: NAPI that runs
 * @skb: the frame
 * @flags: flags of its last completion
 * @comp: that completion
 * @done: results of the poll
 */
void parq_rx_pass(struct parq_rxq *q, struct napi_struct *napi, struct sk_buff *skb,
		  u32 flags, const struct parq_rx_comp *comp, struct parq_rx_done *done)
{
	parq_rx_deliver(q, napi, skb, flags, comp, done);
}

/**
 * parq_rx_poll() - receive up to @budget frames
 * @q: RX queue
 * @napi: NAPI that runs
 * @budget: frames, at least 1
 *
 * Context: NAPI.
 * Return: frames received or dropped.
 */
int parq_rx_poll(struct parq_rxq *q, struct napi_struct *napi, int budget)
{
	struct parq_rx_ring *ring = q->ring;
	struct parq_rx_done done = {};
	const struct parq_rx_comp *comp;
	struct sk_buff *skb;
	u32 at, flags, len;
	struct page *page;
	bool sync;

	if (unlikely(q->broken))
		return 0;
	/* All buffers have been mapped. To ask once saves four instructions per frame. */
	sync = dma_dev_need_sync(q->port->pd->dev);
	while (done.frames < budget) {
		at = ring->pos & ring->mask;
		comp = &ring->comp[at];
		flags = le32_to_cpu(READ_ONCE(comp->flags));
		if (!parq_rx_valid(ring, ring->pos, flags))
			break;
		/* Orders the read of GEN before reads of the rest. */
		dma_rmb();
		len = le16_to_cpu(READ_ONCE(comp->len));
		if (likely(flags & PARQ_RX_EOP && !q->skb && ring->pos != ring->posted &&
			   len - ETH_HLEN <= PARQ_RX_BUF - ETH_HLEN)) {
			page = ring->page[at];
			ring->page[at] = NULL;
			ring->pos++;
			done.frames++;
			skb = parq_rx_build(q, page, len, sync);
			if (unlikely(!skb)) {
				done.dropped++;
				continue;
			}
		} else {
			if (!parq_rx_fits(q, len))
				break;
			skb = parq_rx_take(q, len, flags & PARQ_RX_EOP, &done);
			if (!skb)
				continue;
		}
		parq_rx_deliver(q, napi, skb, flags, comp, &done);
	}
	parq_rx_refill(q, PARQ_RX_BATCH, &done);
	if (done.frames || done.alloc_fail)
		parq_rx_account(q, &done);
	return done.frames;
}

/**
 * parq_rx_discard() - drop and count the frames that are left in the ring
 * @q: RX queue whose NAPI is off, and whose ring the device no longer uses
 */
void parq_rx_discard(struct parq_rxq *q)
{
	const struct parq_rx_ring *ring = q->ring;
	struct parq_rx_stats *stats = q->stats;
	unsigned int flushed = 0;
	u32 pos;

	parq_rx_drop_partial(q);
	if (!IS_ERR_OR_NULL(q->partial))
		xsk_buff_free(q->partial);
	q->partial = NULL;
	if (!ring)
		return;
	pos = ring->pos;
	if (q->broken) {
		/* Nothing is known about this one. Most frames have one completion. */
		flushed++;
		pos++;
	}
	for (; pos != ring->posted && parq_rx_completed(ring, pos); pos++)
		if (ring->comp[pos & ring->mask].flags & cpu_to_le32(PARQ_RX_EOP))
			flushed++;
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->flushed, flushed);
	u64_stats_update_end(&stats->sync);
}

/* Return: the device has written a completion that parq_rx_poll() has not read. */
bool parq_rx_pending(const struct parq_rxq *q)
{
	return !q->broken && parq_rx_completed(q->ring, q->ring->pos);
}

/* The device has filled the buffer at @pos, up to @head, but it is not completed. */
static bool parq_rx_skipped(const struct parq_rxq *q, u32 pos, u32 *head)
{
	const struct parq_rx_ring *ring = q->ring;

	if (q->broken || parq_rx_completed(ring, pos))
		return false;
	*head = parq_io_rxq_head(q);
	/* The NAPI may post more concurrently. The next call then finds what this one misses. */
	if (*head == pos || *head - pos > data_race(ring->posted) - pos)
		return false;
	/* The register read has pushed the device's earlier writes to memory. */
	dma_rmb();
	return !parq_rx_completed(ring, pos);
}

/**
 * parq_rx_watch() - detect a queue that waits for a lost completion
 * @q: RX queue of a vector that is up
 *
 * Must be called about once a second. A completion with a wrong GEN stops the queue
 * forever: the device continues behind it, but parq_rx_poll() does not. The device's head
 * is then beyond it. The queue is reset if two calls in a row see this at the same
 * position. One call is not enough, because NAPI and device may have gone round the ring
 * between the reads.
 *
 * Context: process, ops lock.
 */
void parq_rx_watch(struct parq_rxq *q)
{
	u32 pos, head;
	bool skipped;

	/* The NAPI may advance concurrently: the next call then sees another position. */
	pos = data_race(q->ring->pos);
	skipped = parq_rx_skipped(q, pos, &head);
	if (skipped && q->watch_skipped && pos == q->watch_pos) {
		if (net_ratelimit())
			netdev_err(q->netdev,
				   "RX queue %u: no completion at position %u, but the device is at %u, reset\n",
				   q->index, pos, head);
		parq_rx_broken(q);
	}
	q->watch_skipped = skipped;
	q->watch_pos = pos;
}

void parq_rx_arm(const struct parq_rxq *q)
{
	/* See parq_vec_poll(). */
	parq_db_arm(&q->db, data_race(q->ring->pos));
}
