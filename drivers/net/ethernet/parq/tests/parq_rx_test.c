// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of received frames: of several buffers, merged ones, and invalid completions. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>

#include "../parq_io.h"
#include "../parq_ptp.h"
#include "../parq_rx.h"
#include "parq_rx_calls.h"

#define DOCK_ORDER	6	/* of the ring */
#define DOCK_SIZE	BIT(DOCK_ORDER)
#define DOCK_BUFS	(MAX_SKB_FRAGS + 1)	/* of a frame at most */
#define DOCK_QUEUE	2

/**
 * struct dock - an RX queue, what the fakes do, and what they have seen
 * @q: the queue
 * @ring: its ring
 * @page: buffers of @ring
 * @fill: addresses of @page
 * @comp: completions
 * @stats: counters
 * @port: port
 * @pd: device
 * @status: status page
 * @napi: NAPI
 * @pages: pages that can still be allocated
 * @recycled: pages that were given back
 * @skb: frame that was received last
 * @received: number of frames
 * @tail: doorbell
 */
struct dock {
	struct parq_rxq q;
	struct parq_rx_ring ring;
	struct page *page[DOCK_SIZE];
	__le64 fill[DOCK_SIZE];
	struct parq_rx_comp comp[DOCK_SIZE];
	struct parq_rx_stats stats;
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_status status;
	struct napi_struct napi;
	unsigned int pages;
	unsigned int recycled;
	struct sk_buff *skb;
	unsigned int received;
	u32 tail;
};

static struct dock *dock;

/* ---- fakes -------------------------------------------------------------- */

struct page *dock_alloc(void)
{
	return dock->pages && dock->pages-- ? alloc_page(GFP_KERNEL | __GFP_ZERO) : NULL;
}

void dock_recycle(struct page *page)
{
	dock->recycled++;
	put_page(page);
}

void dock_receive(struct sk_buff *skb)
{
	kfree_skb(dock->skb);
	dock->skb = skb;
	dock->received++;
}

void dock_writel(u32 val, void __iomem *addr)
{
	dock->tail = val;
}

void parq_io_wake(const struct parq_db *db)
{
}

u32 parq_io_rxq_head(const struct parq_rxq *q)
{
	return 0;
}

/* ---- cases -------------------------------------------------------------- */

static int dock_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));

	dock = kunit_kzalloc(test, sizeof(*dock), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, dock);
	dock->port = netdev_priv(dev);
	dock->port->netdev = dev;
	dock->port->pd = &dock->pd;
	dock->q.index = DOCK_QUEUE;
	dock->q.netdev = dev;
	dock->q.port = dock->port;
	dock->q.ring = &dock->ring;
	dock->q.stats = &dock->stats;
	dock->q.db.status = &dock->status;
	dock->q.db.pd = &dock->pd;
	u64_stats_init(&dock->stats.sync);
	dock->ring.comp = dock->comp;
	dock->ring.page = dock->page;
	dock->ring.fill = dock->fill;
	dock->ring.mask = DOCK_SIZE - 1;
	dock->ring.order = DOCK_ORDER;
	dock->ring.buf = PARQ_RX_BUF;
	dock->pages = DOCK_SIZE;
	KUNIT_ASSERT_EQ(test, parq_rx_ring_fill(&dock->ring), 0U);
	parq_rx_post(&dock->q);
	KUNIT_ASSERT_EQ(test, dock->tail, (u32)DOCK_SIZE);
	dock->pages = U32_MAX;
	return 0;
}

static void dock_exit(struct kunit *test)
{
	unsigned int i;

	kfree_skb(dock->skb);
	for (i = 0; i < DOCK_SIZE; i++)
		if (dock->page[i])
			put_page(dock->page[i]);
	free_netdev(dock->port->netdev);
}

/* Return: the contents of the buffer that the device fills next after @n others. */
static void *dock_data(unsigned int n)
{
	return page_address(dock->page[(dock->ring.pos + n) & dock->ring.mask]) +
	       PARQ_RX_HEADROOM;
}

/* Completes the buffer after @n others. */
static void dock_complete(unsigned int n, u32 len, u32 flags)
{
	u32 pos = dock->ring.pos + n;

	dock->comp[pos & dock->ring.mask] = (struct parq_rx_comp){
		.len = cpu_to_le16(len),
		.flags = cpu_to_le32(flags | ((pos >> DOCK_ORDER) & 1 ? 0 : PARQ_RX_GEN)),
	};
}

static int dock_poll(int budget)
{
	int done;

	local_bh_disable();
	done = parq_rx_poll(&dock->q, &dock->napi, budget);
	local_bh_enable();
	return done;
}

static u64 dock_count(const u64_stats_t *counter)
{
	return u64_stats_read(counter);
}

static void frames_of_several_buffers(struct kunit *test)
{
	dock_complete(0, 2000, 0);
	dock_complete(1, 1000, 0);
	KUNIT_EXPECT_EQ(test, dock_poll(4), 0);
	KUNIT_EXPECT_NOT_NULL(test, dock->q.skb);
	dock_complete(0, 500, PARQ_RX_EOP | PARQ_RX_CSUM_BAD | PARQ_RX_HASH_L3);
	dock_complete(1, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(1), 1);
	KUNIT_ASSERT_NOT_NULL(test, dock->skb);
	KUNIT_EXPECT_EQ(test, dock->skb->len, 3500U - ETH_HLEN);
	KUNIT_EXPECT_EQ(test, skb_shinfo(dock->skb)->nr_frags, 2);
	KUNIT_EXPECT_EQ(test, skb_frag_size(&skb_shinfo(dock->skb)->frags[1]), 500U);
	KUNIT_EXPECT_EQ(test, skb_frag_off(&skb_shinfo(dock->skb)->frags[0]),
			(unsigned int)PARQ_RX_HEADROOM);
	KUNIT_EXPECT_FALSE(test, dock->skb->l4_hash);
	KUNIT_EXPECT_TRUE(test, dock->skb->ip_summed == CHECKSUM_NONE);
	KUNIT_EXPECT_NULL(test, dock->q.skb);
	KUNIT_EXPECT_EQ(test, dock_poll(4), 1);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.packets), 2ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.bytes), 3560ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.csum_bad), 1ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.csum_ok), 0ULL);
}

/* All of one poll, with one of two buffers in between, and not more than were posted. */
static void frames_around_the_end(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < DOCK_SIZE - 5; i++)
		dock_complete(i, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(DOCK_SIZE), DOCK_SIZE - 5);
	KUNIT_EXPECT_EQ(test, dock->ring.posted, 2U * DOCK_SIZE - 5);
	for (i = 0; i < DOCK_SIZE; i++)
		dock_complete(i, 100 + i, i == 2 ? 0 : PARQ_RX_EOP);
	dock->pages = 0;
	KUNIT_EXPECT_EQ(test, dock_poll(10), 10);
	KUNIT_EXPECT_EQ(test, dock->ring.pos, DOCK_SIZE + 6U);
	KUNIT_EXPECT_EQ(test, dock->skb->len, 110U - ETH_HLEN);
	KUNIT_EXPECT_EQ(test, dock_poll(DOCK_SIZE), DOCK_SIZE - 11);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.packets), 2ULL * DOCK_SIZE - 6);
	KUNIT_EXPECT_FALSE(test, dock->q.broken);
	dock_complete(0, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(DOCK_SIZE), 0);
	KUNIT_EXPECT_TRUE(test, dock->q.broken);
}

/* As many buffers as a frame may have, then one more. */
static void frames_of_too_many_buffers(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < DOCK_BUFS; i++)
		dock_complete(i, 100, i + 1 < DOCK_BUFS ? 0 : PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(4), 1);
	KUNIT_EXPECT_EQ(test, dock->received, 1U);
	for (i = 0; i < DOCK_BUFS + 2; i++)
		dock_complete(i, 100, i < DOCK_BUFS + 1 ? 0 : PARQ_RX_EOP);
	dock_complete(i, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(4), 2);
	KUNIT_EXPECT_EQ(test, dock->received, 2U);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.errors), 1ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.packets), 2ULL);
	KUNIT_EXPECT_EQ(test, dock->recycled, 2U);
	KUNIT_EXPECT_FALSE(test, dock->q.broken);
	/* Shorter than its header. */
	dock_complete(0, ETH_HLEN - 1, PARQ_RX_EOP);
	dock_complete(1, ETH_HLEN, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(4), 2);
	KUNIT_EXPECT_EQ(test, dock->received, 3U);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.errors), 2ULL);
}

static void completions_are_invalid(struct kunit *test)
{
	static const u32 lengths[] = { 0, U16_MAX };
	unsigned int i;

	for (i = 0; i <= ARRAY_SIZE(lengths); i++) {
		u32 len = i < ARRAY_SIZE(lengths) ? lengths[i] : 100;
		u32 posted = dock->ring.posted;

		/* A buffer that the device does not have. */
		if (len == 100)
			dock->ring.posted = dock->ring.pos;
		dock_complete(0, len, PARQ_RX_EOP);
		dock_complete(1, 100, PARQ_RX_EOP);
		KUNIT_EXPECT_EQ(test, dock_poll(4), 0);
		KUNIT_EXPECT_TRUE_MSG(test, dock->q.broken, "%u", i);
		KUNIT_EXPECT_TRUE(test, test_and_clear_bit(DOCK_QUEUE, dock->port->stuck_rx));
		/* It stays so until it is reset. */
		dock_complete(0, 100, PARQ_RX_EOP);
		KUNIT_EXPECT_EQ(test, dock_poll(4), 0);
		dock->ring.posted = posted;
		dock->q.broken = false;
	}
	KUNIT_EXPECT_EQ(test, dock->received, 0U);
}

/* Frames that are left in a ring, complete ones as far as anyone knows. */
static void frames_are_discarded(struct kunit *test)
{
	struct parq_rx_ring *ring = &dock->ring;
	unsigned int i;

	dock_complete(0, 60, 0);
	KUNIT_EXPECT_EQ(test, dock_poll(1), 0);
	KUNIT_EXPECT_TRUE(test, !parq_rx_pending(&dock->q) && dock->q.skb);
	dock_complete(0, 60, PARQ_RX_EOP);
	dock_complete(1, 60, 0);
	dock_complete(2, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_TRUE(test, parq_rx_pending(&dock->q));
	parq_rx_discard(&dock->q);
	KUNIT_EXPECT_NULL(test, dock->q.skb);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.flushed), 2ULL);
	dock->q.broken = true;
	KUNIT_EXPECT_FALSE(test, parq_rx_pending(&dock->q));
	ring->comp[ring->pos & ring->mask].flags = 0;
	parq_rx_discard(&dock->q);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.flushed), 4ULL);
	dock->q.broken = false;
	/* All of them, and none behind those that were posted. */
	for (i = 0; i < DOCK_SIZE; i++)
		dock_complete(i, 60, PARQ_RX_EOP);
	parq_rx_discard(&dock->q);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.flushed), 4ULL + DOCK_SIZE - 1);
	dock->q.ring = NULL;
	parq_rx_discard(&dock->q);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.flushed), 4ULL + DOCK_SIZE - 1);
}

/* Buffers are posted in batches. Without memory the service work tries again. */
static void buffers_are_posted(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < PARQ_RX_BATCH; i++)
		dock_complete(i, 60, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, dock_poll(PARQ_RX_BATCH - 1), PARQ_RX_BATCH - 1);
	KUNIT_EXPECT_EQ(test, dock->tail, (u32)DOCK_SIZE);
	KUNIT_EXPECT_EQ(test, dock_poll(1), 1);
	KUNIT_EXPECT_EQ(test, dock->tail, (u32)DOCK_SIZE + PARQ_RX_BATCH);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(dock->fill[0]), 0x10000ULL + PARQ_RX_HEADROOM);
	for (i = 0; i < PARQ_RX_BATCH; i++)
		dock_complete(i, 60, PARQ_RX_EOP);
	dock->pages = 3;
	KUNIT_EXPECT_EQ(test, dock_poll(64), PARQ_RX_BATCH);
	KUNIT_EXPECT_TRUE(test, dock->q.starved);
	KUNIT_EXPECT_EQ(test, dock_count(&dock->stats.alloc_fail), 1ULL);
	KUNIT_EXPECT_EQ(test, dock->tail, (u32)DOCK_SIZE + PARQ_RX_BATCH + 3);
}

/**
 * struct merged - a frame that the device has merged
 * @ipv6: of IPv6
 * @proto: protocol
 * @ihl: of IPv4
 * @doff: of TCP
 * @mss: PARQ_RX_GRO_SIZE
 * @len: bytes
 * @segs: segments; 0: the frame is invalid
 */
struct merged {
	bool ipv6;
	u8 proto;
	u8 ihl;
	u8 doff;
	u16 mss;
	u32 len;
	u16 segs;
};

static void dock_merge(const struct merged *m)
{
	struct ethhdr *eth = dock_data(0);
	struct iphdr *ip = (struct iphdr *)(eth + 1);
	struct ipv6hdr *ip6 = (struct ipv6hdr *)(eth + 1);
	u32 off = ETH_HLEN + (m->ipv6 ? 40 : 4 * m->ihl);
	struct tcphdr *th = dock_data(0) + off;

	memset(eth, 0, 200);
	eth->h_proto = htons(m->ipv6 ? ETH_P_IPV6 : ETH_P_IP);
	if (m->ipv6) {
		ip6->nexthdr = m->proto;
	} else {
		ip->ihl = m->ihl;
		ip->protocol = m->proto;
	}
	th->doff = m->doff;
	th->cwr = m->ipv6;
	dock_complete(0, m->len, PARQ_RX_EOP | PARQ_RX_GRO | PARQ_RX_CSUM_OK |
		      FIELD_PREP(PARQ_RX_GRO_SIZE, m->mss));
}

static void frames_are_merged(struct kunit *test)
{
	static const struct merged frames[] = {
		{ false, IPPROTO_TCP, 5, 5, 100, 54 + 300, 3 },
		{ false, IPPROTO_TCP, 6, 8, 100, 70 + 301, 4 },
		{ true, IPPROTO_TCP, 0, 5, 100, 74 + 1, 1 },
		{ false, IPPROTO_UDP, 5, 5, 100, 354, 0 },
		{ true, IPPROTO_UDP, 0, 5, 100, 354, 0 },
		{ false, IPPROTO_TCP, 4, 5, 100, 354, 0 },
		{ false, IPPROTO_TCP, 5, 4, 100, 354, 0 },
		{ false, IPPROTO_TCP, 5, 5, 0, 354, 0 },
		{ false, IPPROTO_TCP, 5, 5, GSO_BY_FRAGS, 354, 0 },
		{ false, IPPROTO_TCP, 5, 5, 100, 54, 0 },
		{ false, IPPROTO_TCP, 5, 5, 100, 53, 0 },
		{ false, IPPROTO_TCP, 5, 5, 100, 33, 0 },
		{ true, IPPROTO_TCP, 0, 5, 100, 53, 0 },
	};
	struct parq_rx_stats *stats = &dock->stats;
	const struct skb_shared_info *shinfo;
	u64 packets, errors, ok, wire;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		const struct merged *m = &frames[i];

		packets = dock_count(&stats->packets);
		errors = dock_count(&stats->errors);
		ok = dock_count(&stats->csum_ok);
		wire = dock_count(&stats->gro_wire_bytes);
		dock->received = 0;
		dock_merge(m);
		KUNIT_EXPECT_EQ(test, dock_poll(4), 1);
		KUNIT_EXPECT_EQ_MSG(test, dock->received, !!m->segs, "%u", i);
		KUNIT_EXPECT_EQ(test, dock_count(&stats->errors), errors + !m->segs);
		KUNIT_EXPECT_EQ(test, dock_count(&stats->packets), packets + m->segs);
		if (!dock->received)
			continue;
		shinfo = skb_shinfo(dock->skb);
		KUNIT_EXPECT_EQ(test, shinfo->gso_size, m->mss);
		KUNIT_EXPECT_EQ_MSG(test, shinfo->gso_segs, m->segs, "%u", i);
		KUNIT_EXPECT_EQ(test, shinfo->gso_type, m->ipv6 ?
				(unsigned int)(SKB_GSO_TCPV6 | SKB_GSO_TCP_ECN) :
				(unsigned int)SKB_GSO_TCPV4);
		KUNIT_EXPECT_TRUE(test, dock->skb->ip_summed == CHECKSUM_PARTIAL);
		KUNIT_EXPECT_EQ(test, dock->skb->csum_offset, 16);
		KUNIT_EXPECT_EQ(test, skb_checksum_start_offset(dock->skb),
				m->ipv6 ? 40 : 4 * m->ihl);
		KUNIT_EXPECT_EQ(test, dock_count(&stats->csum_ok), ok + m->segs);
		KUNIT_EXPECT_EQ(test, dock_count(&stats->gro_wire_bytes) - wire,
				m->len + (m->segs - 1) *
				((m->ipv6 ? 54ULL : 14 + 4 * m->ihl) + 4 * m->doff));
	}
	KUNIT_EXPECT_EQ(test, dock_count(&stats->gro_packets), 3ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&stats->gro_wire_packets), 8ULL);
	KUNIT_EXPECT_EQ(test, dock_count(&stats->gro_bytes), 354ULL + 371 + 75);
	KUNIT_EXPECT_EQ(test, dock_count(&stats->bytes), dock_count(&stats->gro_wire_bytes));
}

static void rare_flags(struct kunit *test)
{
	struct parq_ptp *ptp = kunit_kzalloc(test, sizeof(*ptp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ptp);
	ptp->hi[1] = 0x50000;
	dock->pd.ptp = ptp;
	dock_complete(0, 60, PARQ_RX_EOP | PARQ_RX_STAMP | FIELD_PREP(PARQ_RX_STEPS, 1) |
		      FIELD_PREP(PARQ_RX_STAMP_HI, 6));
	dock->comp[0].time = cpu_to_le32(7);
	KUNIT_EXPECT_EQ(test, dock_poll(1), 1);
	KUNIT_EXPECT_EQ(test, skb_hwtstamps(dock->skb)->hwtstamp, 0LL);
	dock->port->rx_stamps = true;
	dock->comp[1] = dock->comp[0];
	KUNIT_EXPECT_EQ(test, dock_poll(1), 1);
	KUNIT_EXPECT_EQ(test, skb_hwtstamps(dock->skb)->hwtstamp, 0x5000600000007LL);
#ifdef CONFIG_NET_SWITCHDEV
	KUNIT_EXPECT_FALSE(test, dock->skb->offload_fwd_mark);
	dock_complete(0, 60, PARQ_RX_EOP | PARQ_RX_FORWARDED);
	KUNIT_EXPECT_EQ(test, dock_poll(1), 1);
	KUNIT_EXPECT_TRUE(test, dock->skb->offload_fwd_mark);
#endif
}

static struct kunit_case dock_cases[] = {
	KUNIT_CASE(frames_of_several_buffers),
	KUNIT_CASE(frames_around_the_end),
	KUNIT_CASE(frames_of_too_many_buffers),
	KUNIT_CASE(completions_are_invalid),
	KUNIT_CASE(frames_are_discarded),
	KUNIT_CASE(buffers_are_posted),
	KUNIT_CASE(frames_are_merged),
	KUNIT_CASE(rare_flags),
	{}
};

static struct kunit_suite dock_suite = {
	.name = "parq_rx",
	.init = dock_init,
	.exit = dock_exit,
	.test_cases = dock_cases,
};

kunit_test_suite(dock_suite);

MODULE_DESCRIPTION("KUnit suite of received frames");
MODULE_LICENSE("GPL");
