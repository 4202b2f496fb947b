// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the sender: queues of frames, descriptors, the doorbell, and frames that cannot
 * be sent.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/tcp.h>
#include <net/sch_generic.h>

#include "../parq_io.h"
#include "../parq_tx.h"
#include "parq_tx_calls.h"

#define CHUTE_SIZE	64		/* entries of the ring */
#define CHUTE_CHANS	2
#define CHUTE_QUEUE	9
#define CHUTE_DMA	0x1000		/* address of the first mapping; others follow, in pages */
#define CHUTE_MAC	14U
#define CHUTE_HDR	(CHUTE_MAC + 20U + 20U)

/**
 * struct chute - the queue, and what has been seen
 * @q: the queue
 * @ring: its ring
 * @buf: buffers of @ring
 * @desc: descriptors of @ring
 * @stats: counters
 * @port: port
 * @pd: device
 * @status: status page
 * @maps: mappings so far
 * @fails: mapping that fails, from 1 on; 0: none
 * @mapped: bytes that are mapped
 * @more: the stack has more frames
 * @bells: doorbells that were rung
 * @tail: the last one
 * @freed: frames that were freed
 * @paused: priorities that are paused
 * @drops: priorities that drop
 */
struct chute {
	struct parq_txq q;
	struct parq_tx_ring ring;
	struct parq_tx_buf buf[CHUTE_SIZE];
	struct parq_tx_desc desc[CHUTE_SIZE];
	struct parq_tx_stats stats;
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_status status;
	unsigned int maps;
	unsigned int fails;
	unsigned int mapped;
	bool more;
	unsigned int bells;
	u32 tail;
	unsigned int freed;
	u8 paused;
	u8 drops;
};

static struct chute *chute;

/* ---- fakes -------------------------------------------------------------- */

dma_addr_t chute_map(unsigned int len)
{
	if (++chute->maps == chute->fails)
		return 0;
	chute->mapped += len;
	return CHUTE_DMA * chute->maps;
}

bool chute_mapping_error(dma_addr_t addr)
{
	return !addr;
}

void chute_unmap(dma_addr_t addr, unsigned int len)
{
	chute->mapped -= len;
}

bool chute_more(void)
{
	return chute->more;
}

void chute_writel(u32 val, void __iomem *addr)
{
	chute->bells++;
	chute->tail = val;
}

void parq_io_wake(const struct parq_db *db)
{
}

bool parq_pfc_paused(const struct parq_port *port, unsigned int prio)
{
	return chute->paused & BIT(prio);
}

bool parq_storm_drops(const struct parq_port *port, unsigned int prio)
{
	return chute->drops & BIT(prio);
}

unsigned int parq_prio_tx(const struct parq_port *port, const struct sk_buff *skb)
{
	return 6;
}

/* ---- cases -------------------------------------------------------------- */

static int chute_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port),
						    CHUTE_CHANS * PARQ_NUM_PRIO, CHUTE_CHANS);
	struct parq_txq *q;

	chute = kunit_kzalloc(test, sizeof(*chute), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, chute);
	chute->port = netdev_priv(dev);
	chute->port->netdev = dev;
	chute->port->pd = &chute->pd;
	chute->port->num_chans = CHUTE_CHANS;
	q = &chute->q;
	chute->port->txq[CHUTE_QUEUE] = q;
	q->port = chute->port;
	q->index = CHUTE_QUEUE;
	q->ring = &chute->ring;
	q->stats = &chute->stats;
	q->nq = netdev_get_tx_queue(dev, CHUTE_QUEUE);
	RCU_INIT_POINTER(q->nq->qdisc, &noop_qdisc);
	q->db.status = &chute->status;
	q->db.pd = &chute->pd;
	u64_stats_init(&chute->stats.xmit_sync);
	chute->ring.buf = chute->buf;
	chute->ring.desc = chute->desc;
	chute->ring.mask = CHUTE_SIZE - 1;
	chute->ring.limit = CHUTE_SIZE;
	chute->ring.need = PARQ_TX_FRAME_DESC + 1;
	return 0;
}

static void chute_exit(struct kunit *test)
{
	free_netdev(chute->port->netdev);
}

static void chute_freed(struct sk_buff *skb)
{
	chute->freed++;
}

/* A frame of a TCP segment with @len bytes after the headers. */
static struct sk_buff *chute_frame(struct kunit *test, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(CHUTE_HDR + len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, CHUTE_HDR + len);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, CHUTE_MAC);
	skb_set_transport_header(skb, CHUTE_MAC + 20);
	tcp_hdr(skb)->doff = 5;
	skb->protocol = htons(ETH_P_IP);
	skb->dev = chute->port->netdev;
	skb->destructor = chute_freed;
	skb_set_queue_mapping(skb, CHUTE_QUEUE);
	return skb;
}

static netdev_tx_t chute_send(struct sk_buff *skb)
{
	return parq_tx_xmit(skb, chute->port->netdev);
}

/* The frames in the ring, which the device has not sent. */
static void chute_empty(struct kunit *test)
{
	while (chute->ring.head != chute->ring.tail) {
		struct parq_tx_buf *buf = &chute->buf[chute->ring.head & chute->ring.mask];

		chute->ring.head += buf->ndesc;
		buf->skb->destructor = NULL;
		kfree_skb(buf->skb);
	}
	chute->mapped = 0;
}

static void expect_desc(struct kunit *test, u32 pos, u64 addr, u64 info)
{
	struct parq_tx_desc *desc = &chute->desc[pos & chute->ring.mask];

	KUNIT_EXPECT_EQ_MSG(test, le64_to_cpu(desc->addr), addr, "%u", pos);
	KUNIT_EXPECT_EQ_MSG(test, le64_to_cpu(desc->info), info, "%u", pos);
}

/* A frame that was not sent: it is counted and freed, and nothing of it is left. */
static void expect_dropped(struct kunit *test, struct sk_buff *skb)
{
	u64 errors = u64_stats_read(&chute->stats.errors);
	unsigned int bells = chute->bells;
	u32 tail = chute->ring.tail;

	chute->freed = 0;
	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_OK);
	KUNIT_EXPECT_EQ(test, chute->freed, 1U);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&chute->stats.errors), errors + 1);
	KUNIT_EXPECT_EQ(test, chute->mapped, 0U);
	KUNIT_EXPECT_EQ(test, chute->ring.tail, tail);
	/* Earlier frames of the burst wait for it. */
	KUNIT_EXPECT_EQ(test, chute->bells, bells + !chute->more);
}

static void frame_of_one_buffer(struct kunit *test)
{
	struct sk_buff *skb = chute_frame(test, 6);

	chute->ring.head = 5;
	chute->ring.tail = 5;
	chute->ring.limit += 5;
	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_OK);
	expect_desc(test, 5, CHUTE_DMA, 60 | PARQ_TX_EOP);
	KUNIT_EXPECT_PTR_EQ(test, chute->buf[5].skb, skb);
	KUNIT_EXPECT_EQ(test, chute->buf[5].addr, (dma_addr_t)CHUTE_DMA);
	KUNIT_EXPECT_EQ(test, chute->buf[5].len, 60U);
	KUNIT_EXPECT_EQ(test, chute->buf[5].ndesc, 1);
	KUNIT_EXPECT_EQ(test, chute->buf[5].segs, 1);
	KUNIT_EXPECT_EQ(test, chute->ring.tail, 6U);
	KUNIT_EXPECT_EQ(test, chute->bells, 1U);
	KUNIT_EXPECT_EQ(test, chute->tail, 6U);
	/* The last frame of a burst rings. */
	chute->more = true;
	chute_send(chute_frame(test, 6));
	KUNIT_EXPECT_EQ(test, chute->bells, 1U);
	chute->more = false;
	skb = chute_frame(test, 6);
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) + CHUTE_MAC + 20;
	skb->csum_offset = 16;
	__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), 0x6005);
	chute_send(skb);
	KUNIT_EXPECT_EQ(test, chute->tail, 8U);
	expect_desc(test, 7, 3 * CHUTE_DMA, 60 | PARQ_TX_EOP | PARQ_TX_CSUM | PARQ_TX_VLAN |
		    FIELD_PREP(PARQ_TX_CSUM_START, CHUTE_MAC + 20) |
		    FIELD_PREP(PARQ_TX_CSUM_OFFSET, 16) | FIELD_PREP(PARQ_TX_TCI, 0x6005));
	KUNIT_EXPECT_EQ(test, chute->freed, 0U);
	chute_empty(test);
}

static void chute_frag(struct kunit *test, struct sk_buff *skb, unsigned int i, unsigned int len)
{
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	skb_add_rx_frag(skb, i, page, 0, len, PAGE_SIZE);
}

/* Empty fragments have no descriptor. */
static struct sk_buff *chute_frags(struct kunit *test)
{
	struct sk_buff *skb = chute_frame(test, 6);

	chute_frag(test, skb, 0, 100);
	chute_frag(test, skb, 1, 0);
	chute_frag(test, skb, 2, 200);
	return skb;
}

static void frame_of_fragments(struct kunit *test)
{
	struct sk_buff *skb = chute_frags(test);

	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_OK);
	expect_desc(test, 0, CHUTE_DMA, 60);
	expect_desc(test, 1, 2 * CHUTE_DMA, 100);
	expect_desc(test, 2, 3 * CHUTE_DMA, 200 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, chute->buf[0].ndesc, 3);
	KUNIT_EXPECT_EQ(test, chute->buf[0].segs, 1);
	KUNIT_EXPECT_EQ(test, chute->buf[0].len, 60U);
	KUNIT_EXPECT_EQ(test, chute->buf[1].len, 100U);
	KUNIT_EXPECT_EQ(test, chute->buf[2].addr, (dma_addr_t)(3 * CHUTE_DMA));
	KUNIT_EXPECT_EQ(test, chute->tail, 3U);
	KUNIT_EXPECT_EQ(test, chute->mapped, 360U);
	chute_empty(test);
}

static struct sk_buff *chute_tso(struct kunit *test)
{
	struct sk_buff *skb = chute_frame(test, 1000);

	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) + CHUTE_MAC + 20;
	skb->csum_offset = 16;
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = 400;
	skb_shinfo(skb)->gso_segs = 3;
	return skb;
}

static void frame_of_segments(struct kunit *test)
{
	u64 csum = PARQ_TX_CSUM | FIELD_PREP(PARQ_TX_CSUM_START, CHUTE_MAC + 20) |
		   FIELD_PREP(PARQ_TX_CSUM_OFFSET, 16);
	struct sk_buff *skb = chute_tso(test);

	chute_send(skb);
	expect_desc(test, 0, FIELD_PREP(PARQ_TXX_MSS, 400) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, CHUTE_HDR), PARQ_TX_EXT);
	expect_desc(test, 1, CHUTE_DMA, (CHUTE_HDR + 1000) | csum | PARQ_TX_TSO4 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, chute->buf[0].ndesc, 2);
	KUNIT_EXPECT_EQ(test, chute->buf[0].segs, 3);
	KUNIT_EXPECT_EQ(test, chute->buf[1].len, 0U);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&chute->stats.tso), 1ULL);
	/* Without the length, which the device adds to each segment. */
	KUNIT_EXPECT_EQ(test, (__force u16)tcp_hdr(skb)->check,
			(__force u16)csum_fold((__force __wsum)~htonl(1020)) ^ 0xffff);
	skb = chute_tso(test);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV6;
	chute_send(skb);
	expect_desc(test, 3, 2 * CHUTE_DMA, (CHUTE_HDR + 1000) | csum | PARQ_TX_TSO6 | PARQ_TX_EOP);
	chute_empty(test);
}

static void frame_with_a_stamp(struct kunit *test)
{
	struct sk_buff *skb = chute_frame(test, 6);

	skb_shinfo(skb)->tx_flags = SKBTX_HW_TSTAMP;
	chute_send(skb);
	expect_desc(test, 0, CHUTE_DMA, 60 | PARQ_TX_EOP);
	KUNIT_EXPECT_FALSE(test, skb_shinfo(skb)->tx_flags & SKBTX_IN_PROGRESS);
	chute->port->tx_stamps = true;
	skb = chute_frame(test, 6);
	skb_shinfo(skb)->tx_flags = SKBTX_HW_TSTAMP;
	chute_send(skb);
	expect_desc(test, 1, PARQ_TXX_STAMP, PARQ_TX_EXT);
	expect_desc(test, 2, 2 * CHUTE_DMA, 60 | PARQ_TX_EOP);
	KUNIT_EXPECT_TRUE(test, parq_tx_is_stamped(&chute->ring, 1));
	KUNIT_EXPECT_TRUE(test, skb_shinfo(skb)->tx_flags & SKBTX_IN_PROGRESS);
	/* With a launch time, which others do not have. */
	chute->ring.need = PARQ_TX_LAUNCH;
	skb = chute_frame(test, 6);
	skb->tstamp = 0x123000000000007;
	chute_send(skb);
	expect_desc(test, 3, PARQ_TXX_LAUNCH, PARQ_TX_EXT | 7);
	KUNIT_EXPECT_FALSE(test, parq_tx_is_stamped(&chute->ring, 3));
	chute_send(chute_frame(test, 6));
	expect_desc(test, 5, 4 * CHUTE_DMA, 60 | PARQ_TX_EOP);
	chute_empty(test);
}

static void frames_are_dropped(struct kunit *test)
{
	struct sk_buff *skb;

	chute->fails = 1;
	expect_dropped(test, chute_frame(test, 6));
	chute->fails = chute->maps + 1;
	expect_dropped(test, chute_frags(test));
	chute->fails = chute->maps + 3;
	chute->more = true;
	expect_dropped(test, chute_frags(test));
	chute->fails = 0;
	expect_dropped(test, chute_frame(test, 65536 - CHUTE_HDR));
	chute_send(chute_frame(test, 65535 - CHUTE_HDR));
	KUNIT_EXPECT_EQ(test, chute->ring.tail, 1U);
	chute_empty(test);
	/* The checksum is too far behind for a descriptor. */
	skb = chute_frame(test, 400);
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) + 256;
	skb->csum_offset = 16;
	chute_send(skb);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(chute->desc[1].info),
			(CHUTE_HDR + 400) | PARQ_TX_EOP);
	chute_empty(test);
}

/* The sender's copy of the head is old, then there is no room. */
static void ring_is_full(struct kunit *test)
{
	struct sk_buff *skb = chute_frame(test, 6);
	u32 last = CHUTE_SIZE - PARQ_TX_FRAME_DESC;

	chute->ring.tail = last;
	chute->ring.head = 1;
	chute->more = true;
	/* Room for one more is left behind it. */
	chute_send(skb);
	KUNIT_EXPECT_EQ(test, chute->ring.limit, CHUTE_SIZE + 1U);
	KUNIT_EXPECT_FALSE(test, netif_tx_queue_stopped(chute->q.nq));
	KUNIT_EXPECT_EQ(test, chute->bells, 0U);
	KUNIT_EXPECT_TRUE(test, parq_tx_has_room(&chute->q));
	chute_send(chute_frame(test, 6));
	KUNIT_EXPECT_TRUE(test, netif_tx_queue_stopped(chute->q.nq));
	KUNIT_EXPECT_EQ(test, chute->tail, last + 2);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&chute->stats.stops), 1ULL);
	KUNIT_EXPECT_FALSE(test, parq_tx_has_room(&chute->q));
	skb = chute_frame(test, 6);
	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_BUSY);
	KUNIT_EXPECT_EQ(test, chute->ring.tail, last + 2);
	KUNIT_EXPECT_EQ(test, chute->freed, 0U);
	chute->ring.head = 2;
	KUNIT_EXPECT_TRUE(test, parq_tx_has_room(&chute->q));
	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_OK);
	chute->ring.head = last;
	chute_empty(test);
}

/* A removed queue drops what it still gets. */
static void queue_is_closed(struct kunit *test)
{
	struct sk_buff *skb = chute_tso(test);

	chute->q.closed = true;
	chute->ring.limit = chute->ring.tail;
	KUNIT_EXPECT_EQ(test, (int)chute_send(skb), (int)NETDEV_TX_OK);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&chute->stats.dropped), 3ULL);
	KUNIT_EXPECT_EQ(test, (int)chute_send(chute_frame(test, 6)), (int)NETDEV_TX_OK);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&chute->stats.dropped), 4ULL);
	KUNIT_EXPECT_EQ(test, chute->freed, 2U);
	KUNIT_EXPECT_EQ(test, chute->ring.tail, 0U);
	KUNIT_EXPECT_FALSE(test, parq_tx_has_room(&chute->q));
	KUNIT_EXPECT_FALSE(test, netif_tx_queue_stopped(chute->q.nq));
}

/* Return: the queue that a frame gets. It is freed. */
static unsigned int chute_select(struct sk_buff *skb)
{
	unsigned int queue = parq_tx_select_queue(chute->port->netdev, skb, NULL);

	kfree_skb(skb);
	return queue;
}

/* Of a frame that was forwarded from channel @chan. */
static struct sk_buff *chute_from(struct kunit *test, unsigned int chan, __be16 protocol)
{
	struct sk_buff *skb = chute_frame(test, 6);

	skb_record_rx_queue(skb, chan);
	skb->protocol = protocol;
	return skb;
}

static void queues_of_frames(struct kunit *test)
{
	struct sk_buff *skb;
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		skb = chute_from(test, 1, htons(ETH_P_IP));
		skb->priority = prio;
		KUNIT_EXPECT_EQ(test, chute_select(skb), 8 + prio);
		skb = chute_from(test, 2, htons(ETH_P_8021Q));
		((struct vlan_ethhdr *)skb->data)->h_vlan_TCI = htons(prio << 13 | 0x1fff);
		KUNIT_EXPECT_EQ(test, chute_select(skb), prio);
		skb = chute_from(test, 3, htons(ETH_P_IP));
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), prio << 13 | 0x1fff);
		KUNIT_EXPECT_EQ(test, chute_select(skb), 8 + prio);
	}
	skb = chute_from(test, 0, htons(ETH_P_IP));
	skb->priority = PARQ_NUM_PRIO;
	KUNIT_EXPECT_EQ(test, chute_select(skb), 0U);
	/* By its flow, of the channels that there will be. */
	chute->port->num_chans = 1;
	for (prio = 0; prio < 20; prio++) {
		skb = chute_frame(test, 6);
		__skb_set_sw_hash(skb, prio * 0x0fffffff, true);
		skb->priority = 3;
		KUNIT_EXPECT_EQ(test, chute_select(skb), 3U);
	}
	chute->port->trusting = true;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_IP))), 6U);
}

/* Frames that keep the link take a priority that no pause and no launch time stops. */
static void queues_of_link_protocols(struct kunit *test)
{
	static const u16 protocols[] = { ETH_P_LLDP, ETH_P_SLOW, ETH_P_PAE };
	struct parq_port *port = chute->port;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(protocols); i++)
		KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(protocols[i]))), 7U);
	/* Of the same upper byte. */
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_TIPC))), 0U);
	port->pfc.en = 0xe0;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 4U);
	__set_bit(8 + 4, port->launch);
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 3U);
	port->pfc.en = 0xfe;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 0U);
	/* Of a channel that is not there any more. */
	__set_bit(port->netdev->real_num_tx_queues, port->launch);
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 0U);
	port->pfc.en = 0xff;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 7U);
	chute->paused = 0xc0;
	chute->drops = 0x20;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 3U);
	chute->paused = 0xff;
	KUNIT_EXPECT_EQ(test, chute_select(chute_from(test, 0, htons(ETH_P_LLDP))), 0U);
}

/* Return: the device segments the frame. It is freed. */
static bool chute_segments(struct sk_buff *skb)
{
	netdev_features_t features = NETIF_F_TSO | NETIF_F_HW_CSUM;

	features = parq_tx_features_check(skb, chute->port->netdev, features);
	kfree_skb(skb);
	return features & NETIF_F_TSO;
}

static void segments_are_checked(struct kunit *test)
{
	struct sk_buff *skb;

	KUNIT_EXPECT_TRUE(test, chute_segments(chute_frame(test, 60000)));
	KUNIT_EXPECT_TRUE(test, chute_segments(chute_tso(test)));
	skb = chute_tso(test);
	skb_shinfo(skb)->gso_size = PARQ_TX_MIN_MSS;
	KUNIT_EXPECT_TRUE(test, chute_segments(skb));
	skb = chute_tso(test);
	skb_shinfo(skb)->gso_size = PARQ_TX_MIN_MSS - 1;
	KUNIT_EXPECT_FALSE(test, chute_segments(skb));
	/* Headers of 252 bytes, and one more: the device may insert a tag. */
	skb = chute_tso(test);
	skb_set_transport_header(skb, 252 - 20);
	tcp_hdr(skb)->doff = 5;
	KUNIT_EXPECT_TRUE(test, chute_segments(skb));
	skb = chute_tso(test);
	skb_set_transport_header(skb, 253 - 20);
	tcp_hdr(skb)->doff = 5;
	KUNIT_EXPECT_FALSE(test, chute_segments(skb));
	/* 256 segments, and one more. */
	skb = chute_frame(test, 256 * 100);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = 100;
	KUNIT_EXPECT_TRUE(test, chute_segments(skb));
	skb = chute_frame(test, 256 * 100 + 1);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = 100;
	KUNIT_EXPECT_FALSE(test, chute_segments(skb));
	/* A tag must fit, too. */
	skb = chute_frame(test, 65531 - CHUTE_HDR);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = 1000;
	KUNIT_EXPECT_TRUE(test, chute_segments(skb));
	skb = chute_frame(test, 65532 - CHUTE_HDR);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = 1000;
	KUNIT_EXPECT_FALSE(test, chute_segments(skb));
}

static struct kunit_case chute_cases[] = {
	KUNIT_CASE(frame_of_one_buffer),
	KUNIT_CASE(frame_of_fragments),
	KUNIT_CASE(frame_of_segments),
	KUNIT_CASE(frame_with_a_stamp),
	KUNIT_CASE(frames_are_dropped),
	KUNIT_CASE(ring_is_full),
	KUNIT_CASE(queue_is_closed),
	KUNIT_CASE(queues_of_frames),
	KUNIT_CASE(queues_of_link_protocols),
	KUNIT_CASE(segments_are_checked),
	{}
};

static struct kunit_suite chute_suite = {
	.name = "parq_tx",
	.init = chute_init,
	.exit = chute_exit,
	.test_cases = chute_cases,
};

kunit_test_suite(chute_suite);

MODULE_DESCRIPTION("KUnit suite of the sender");
MODULE_LICENSE("GPL");
