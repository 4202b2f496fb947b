// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of frames that XDP programs send: back, or redirected from another interface. The
 * device does not take them, so the rings keep what was written.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <net/sch_generic.h>

#include "../parq_io.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "parq_xdp_calls.h"

#define RELAY_SIZE	64		/* entries of a ring */
#define RELAY_START	61		/* so that positions wrap soon */
#define RELAY_CHANS	2
#define RELAY_QUEUES	(RELAY_CHANS * PARQ_NUM_PRIO)
#define RELAY_DMA	0x1000		/* address of the first mapping; others follow, in pages */
#define RELAY_POOL	0x100000	/* address of the page of the pool */
#define RELAY_FRAMES	4
#define RELAY_LEN	100		/* bytes in the first buffer of a frame */

/**
 * struct relay - a port, frames, and what the fakes do and have seen
 * @port: the port
 * @q: its TX queues
 * @ring: their rings
 * @buf: buffers of the rings
 * @desc: descriptors of the rings
 * @status: status page
 * @regs: doorbells: what was written last, by queue
 * @frames: frames
 * @list: the same, as they are passed
 * @maps: mappings so far
 * @fails: mapping that fails, from 1 on; 0: none
 * @mapped: bytes that are mapped
 * @synced: bytes that were synchronized for the device
 * @returned: frames that were freed
 * @exceptions: frames of which the program's writer is told
 * @bells: doorbells that were rung
 * @looks: looks at the room of a queue
 * @cpu: processor
 * @prio: of all frames, as the port sees it
 */
struct relay {
	struct parq_port *port;
	struct parq_txq q[RELAY_QUEUES];
	struct parq_tx_ring ring[RELAY_QUEUES];
	struct parq_tx_buf buf[RELAY_QUEUES][RELAY_SIZE];
	struct parq_tx_desc desc[RELAY_QUEUES][RELAY_SIZE];
	struct parq_status status;
	u32 regs[RELAY_QUEUES];
	struct xdp_frame *frames[RELAY_FRAMES];
	struct xdp_frame *list[RELAY_FRAMES];
	unsigned int maps;
	unsigned int fails;
	unsigned int mapped;
	unsigned int synced;
	unsigned int returned;
	unsigned int exceptions;
	unsigned int bells;
	unsigned int looks;
	unsigned int cpu;
	unsigned int prio;
};

static struct relay *relay;

/* ---- fakes -------------------------------------------------------------- */

dma_addr_t chute_map(unsigned int len)
{
	if (++relay->maps == relay->fails)
		return 0;
	relay->mapped += len;
	return RELAY_DMA * relay->maps;
}

bool chute_mapping_error(dma_addr_t addr)
{
	return !addr;
}

void chute_unmap(dma_addr_t addr, unsigned int len)
{
	relay->mapped -= len;
}

bool chute_more(void)
{
	return false;
}

void chute_writel(u32 val, void __iomem *addr)
{
	*(u32 __force *)(addr - PARQ_DB_TAIL) = val;
	relay->bells++;
}

void relay_sync(dma_addr_t addr, unsigned int len)
{
	if (addr >= RELAY_POOL)
		relay->synced += len;
}

dma_addr_t relay_page(const struct page *page)
{
	return RELAY_POOL;
}

void relay_return(struct xdp_frame *frame)
{
	relay->returned++;
}

void relay_exception(void)
{
	relay->exceptions++;
}

unsigned int relay_cpu(void)
{
	return relay->cpu;
}

void parq_io_wake(const struct parq_db *db)
{
}

bool parq_tx_has_room(struct parq_txq *q)
{
	struct parq_tx_ring *ring = q->ring;

	relay->looks++;
	ring->limit = ring->head + RELAY_SIZE;
	if (ring->limit - ring->tail >= PARQ_TX_FRAME_DESC)
		return true;
	netif_tx_stop_queue(q->nq);
	return false;
}

unsigned int parq_prio_data(const struct parq_port *port, const void *data, unsigned int len,
			    unsigned int dflt)
{
	return relay->prio;
}

/* ---- cases -------------------------------------------------------------- */

/* The ring has entries of earlier frames. */
static void relay_queue(struct parq_port *port, unsigned int i)
{
	struct parq_txq *q = &relay->q[i];

	memset(relay->buf[i], 0xff, sizeof(relay->buf[i]));
	memset(relay->desc[i], 0xff, sizeof(relay->desc[i]));
	relay->ring[i] = (struct parq_tx_ring) {
		.buf = relay->buf[i],
		.desc = relay->desc[i],
		.mask = RELAY_SIZE - 1,
		.head = RELAY_START,
		.tail = RELAY_START,
		.limit = RELAY_START,
	};
	q->ring = &relay->ring[i];
	q->stats = &port->tx_stats[i];
	q->nq = netdev_get_tx_queue(port->netdev, i);
	q->nq->trans_start = jiffies - HZ;
	q->db.reg = (void __iomem __force *)&relay->regs[i];
	q->db.status = &relay->status;
	port->txq[i] = q;
}

static int relay_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port), RELAY_QUEUES,
						    RELAY_CHANS);
	struct parq_port *port;
	unsigned int i;

	relay = kunit_kzalloc(test, sizeof(*relay), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, relay);
	port = netdev_priv(dev);
	relay->port = port;
	port->netdev = dev;
	port->num_chans = RELAY_CHANS;
	port->tx_stats = kunit_kcalloc(test, RELAY_QUEUES, sizeof(*port->tx_stats), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->tx_stats);
	set_bit(PARQ_PORT_UP, &port->flags);
	for (i = 0; i < RELAY_QUEUES; i++)
		relay_queue(port, i);
	for (i = 0; i < RELAY_FRAMES; i++) {
		struct xdp_frame *frame = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, frame);
		frame->headroom = 64;
		frame->data = (void *)(frame + 1) + frame->headroom;
		frame->len = RELAY_LEN + i;
		frame->frame_sz = PAGE_SIZE;
		relay->frames[i] = frame;
		relay->list[i] = frame;
	}
	return 0;
}

static void relay_exit(struct kunit *test)
{
	free_netdev(relay->port->netdev);
}

/* Two more buffers, of 200 and 300 bytes, and an empty one. */
static void relay_frags(unsigned int i)
{
	struct skb_shared_info *shinfo = xdp_get_shared_info_from_frame(relay->frames[i]);
	unsigned int n;

	relay->frames[i]->flags |= XDP_FLAGS_HAS_FRAGS;
	shinfo->nr_frags = 3;
	shinfo->xdp_frags_size = 500;
	for (n = 0; n < 3; n++) {
		skb_frag_off_set(&shinfo->frags[n], 0x10 * n);
		skb_frag_size_set(&shinfo->frags[n], n == 1 ? 0 : 200 + 50 * n);
	}
}

static void relay_tag(unsigned int i, unsigned int prio)
{
	struct vlan_ethhdr *eth = relay->frames[i]->data;

	eth->h_vlan_proto = htons(ETH_P_8021Q);
	eth->h_vlan_TCI = htons(prio << VLAN_PRIO_SHIFT | 5);
}

static void relay_expect_desc(struct kunit *test, unsigned int queue, u32 pos, u64 addr, u64 info)
{
	const struct parq_tx_desc *desc = &relay->desc[queue][pos % RELAY_SIZE];

	KUNIT_EXPECT_EQ_MSG(test, le64_to_cpu(desc->addr), addr, "%u", pos);
	KUNIT_EXPECT_EQ_MSG(test, le64_to_cpu(desc->info), info, "%u", pos);
}

/* The first entry of a frame says what the cleaner has to do. */
static void relay_expect_buf(struct kunit *test, unsigned int queue, u32 pos,
			     const struct xdp_frame *frame, u32 len, u16 ndesc)
{
	const struct parq_tx_buf *buf = &relay->buf[queue][pos % RELAY_SIZE];

	KUNIT_EXPECT_PTR_EQ(test, buf->xdp, frame);
	KUNIT_EXPECT_EQ(test, buf->len, len);
	KUNIT_EXPECT_EQ(test, buf->ndesc, ndesc);
	KUNIT_EXPECT_EQ(test, buf->segs, 0);
}

/* Counters of a queue: frames accepted, and frames without room. */
static void relay_expect_stats(struct kunit *test, unsigned int queue, u64 sent, u64 full)
{
	const struct parq_tx_stats *stats = &relay->port->tx_stats[queue];

	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->xdp), sent);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->xdp_full), full);
}

static struct parq_xdp relay_poll(struct parq_rxq *q, bool own, bool sync)
{
	struct parq_xdp xdp = {
		.q = q,
		.own = own,
		.sync = sync,
		.tx_prio = 3,
		.num = RELAY_FRAMES,
	};
	unsigned int i;

	q->port = relay->port;
	q->netdev = relay->port->netdev;
	q->index = 1;
	for (i = 0; i < RELAY_FRAMES; i++) {
		xdp.tx[i] = relay->frames[i];
		xdp.dma[i] = RELAY_POOL + 0x1000 * (i + 1);
	}
	return xdp;
}

#define RELAY_BACK	(1 * PARQ_NUM_PRIO + 3)	/* the queue for frames that are sent back */

/* The pool has mapped them. */
static void frames_are_sent_back(struct kunit *test)
{
	struct parq_rxq q = {};
	struct parq_xdp xdp;
	unsigned int i;

	xdp = relay_poll(&q, true, false);
	parq_xdp_flush(&xdp);
	KUNIT_EXPECT_EQ(test, xdp.num, 0U);
	for (i = 0; i < RELAY_FRAMES; i++) {
		relay_expect_desc(test, RELAY_BACK, RELAY_START + i, RELAY_POOL + 0x1000 * (i + 1),
				  (RELAY_LEN + i) | PARQ_TX_EOP);
		relay_expect_buf(test, RELAY_BACK, RELAY_START + i, relay->frames[i], 0, 1);
	}
	KUNIT_EXPECT_EQ(test, relay->ring[RELAY_BACK].tail, (u32)RELAY_START + RELAY_FRAMES);
	KUNIT_EXPECT_EQ(test, relay->regs[RELAY_BACK], (u32)RELAY_START + RELAY_FRAMES);
	KUNIT_EXPECT_EQ(test, relay->bells, 1U);
	KUNIT_EXPECT_EQ(test, relay->q[RELAY_BACK].nq->dql.num_queued, 4U * RELAY_LEN + 6);
	KUNIT_EXPECT_TRUE(test, time_in_range(relay->q[RELAY_BACK].nq->trans_start,
					      jiffies - HZ / 2, jiffies));
	/* Byte queue limits do not stop it. */
	KUNIT_EXPECT_FALSE(test, netif_xmit_stopped(relay->q[RELAY_BACK].nq));
	relay_expect_stats(test, RELAY_BACK, RELAY_FRAMES, 0);
	KUNIT_EXPECT_EQ(test, relay->maps + relay->synced, 0U);
	KUNIT_EXPECT_EQ(test, relay->returned + relay->exceptions, 0U);
	/* There is nothing left. */
	relay->looks = 0;
	parq_xdp_flush(&xdp);
	KUNIT_EXPECT_EQ(test, relay->looks, 0U);
	xdp = relay_poll(&q, true, true);
	parq_xdp_flush(&xdp);
	KUNIT_EXPECT_EQ(test, relay->synced, 4U * RELAY_LEN + 6);
	KUNIT_EXPECT_EQ(test, relay->maps, 0U);
}

static void frames_of_many_buffers_are_sent_back(struct kunit *test)
{
	struct parq_rxq q = {};
	struct parq_xdp xdp;

	relay_frags(1);
	xdp = relay_poll(&q, true, true);
	xdp.num = 2;
	parq_xdp_flush(&xdp);
	relay_expect_desc(test, RELAY_BACK, RELAY_START, RELAY_POOL + 0x1000,
			  RELAY_LEN | PARQ_TX_EOP);
	relay_expect_desc(test, RELAY_BACK, RELAY_START + 1, RELAY_POOL + 0x2000, RELAY_LEN + 1);
	relay_expect_desc(test, RELAY_BACK, RELAY_START + 2, RELAY_POOL, 200);
	relay_expect_desc(test, RELAY_BACK, RELAY_START + 3, RELAY_POOL + 0x20, 300 | PARQ_TX_EOP);
	relay_expect_buf(test, RELAY_BACK, RELAY_START + 1, relay->frames[1], 0, 3);
	KUNIT_EXPECT_EQ(test, relay->buf[RELAY_BACK][(RELAY_START + 2) % RELAY_SIZE].len, 0U);
	KUNIT_EXPECT_EQ(test, relay->regs[RELAY_BACK], RELAY_START + 4U);
	KUNIT_EXPECT_EQ(test, relay->q[RELAY_BACK].nq->dql.num_queued, 2U * RELAY_LEN + 1 + 500);
	KUNIT_EXPECT_EQ(test, relay->synced, 2U * RELAY_LEN + 1 + 500);
	KUNIT_EXPECT_EQ(test, relay->maps, 0U);
}

/* A frame that is not sent is freed, and its program's writer is told. */
static void frames_are_not_sent_back(struct kunit *test)
{
	struct parq_rxq q = {};
	struct parq_xdp xdp;

	xdp = relay_poll(&q, false, false);
	relay->fails = 2;
	relay->frames[3]->len = FIELD_MAX(PARQ_TX_LEN) + 1;
	parq_xdp_flush(&xdp);
	KUNIT_EXPECT_EQ(test, relay->returned, 2U);
	KUNIT_EXPECT_EQ(test, relay->exceptions, 2U);
	KUNIT_EXPECT_EQ(test, xdp.num, 0U);
	/* These are mapped. */
	relay_expect_desc(test, RELAY_BACK, RELAY_START, RELAY_DMA, RELAY_LEN | PARQ_TX_EOP);
	relay_expect_buf(test, RELAY_BACK, RELAY_START, relay->frames[0], RELAY_LEN, 1);
	relay_expect_desc(test, RELAY_BACK, RELAY_START + 1, 3 * RELAY_DMA,
			  (RELAY_LEN + 2) | PARQ_TX_EOP);
	relay_expect_buf(test, RELAY_BACK, RELAY_START + 1, relay->frames[2], RELAY_LEN + 2, 1);
	KUNIT_EXPECT_EQ(test, relay->buf[RELAY_BACK][RELAY_START].addr, (dma_addr_t)RELAY_DMA);
	KUNIT_EXPECT_EQ(test, relay->mapped, 2U * RELAY_LEN + 2);
	KUNIT_EXPECT_EQ(test, relay->maps, 3U);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&relay->port->tx_stats[RELAY_BACK].errors), 2ULL);
	relay_expect_stats(test, RELAY_BACK, 2, 0);
	/* The queue may not send; it need not even exist. */
	xdp = relay_poll(&q, false, false);
	relay->port->txq[RELAY_BACK] = NULL;
	relay->bells = 0;
	netif_tx_stop_queue(relay->q[RELAY_BACK].nq);
	parq_xdp_flush(&xdp);
	KUNIT_EXPECT_EQ(test, relay->returned, 6U);
	KUNIT_EXPECT_EQ(test, relay->bells, 0U);
	relay_expect_stats(test, RELAY_BACK, 2, RELAY_FRAMES);
}

static int relay_xmit(int n)
{
	return parq_xdp_xmit(relay->port->netdev, n, relay->list, 0);
}

/* The channel is that of the processor. */
static void redirected_frames_are_sent(struct kunit *test)
{
	relay_frags(1);
	relay->cpu = 3;
	KUNIT_EXPECT_EQ(test, relay_xmit(2), 2);
	relay_expect_desc(test, 8, RELAY_START, RELAY_DMA, RELAY_LEN | PARQ_TX_EOP);
	relay_expect_desc(test, 8, RELAY_START + 1, 2 * RELAY_DMA, RELAY_LEN + 1);
	relay_expect_desc(test, 8, RELAY_START + 2, 3 * RELAY_DMA, 200);
	relay_expect_desc(test, 8, RELAY_START + 3, 4 * RELAY_DMA, 300 | PARQ_TX_EOP);
	relay_expect_buf(test, 8, RELAY_START + 1, relay->frames[1], RELAY_LEN + 1, 3);
	KUNIT_EXPECT_EQ(test, relay->buf[8][(RELAY_START + 3) % RELAY_SIZE].len, 300U);
	KUNIT_EXPECT_EQ(test, relay->regs[8], RELAY_START + 4U);
	KUNIT_EXPECT_EQ(test, relay->bells, 1U);
	KUNIT_EXPECT_EQ(test, relay->q[8].nq->dql.num_queued, 2U * RELAY_LEN + 1 + 500);
	relay_expect_stats(test, 8, 2, 0);
	relay->cpu = 4;
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 1);
	relay_expect_stats(test, 0, 1, 0);
}

/* Nothing of a frame stays mapped if one of its buffers cannot be. */
static void buffers_cannot_be_mapped(struct kunit *test)
{
	unsigned int i;

	relay_frags(0);
	for (i = 1; i <= 3; i++) {
		relay->list[0] = relay->frames[0];
		relay->list[1] = relay->frames[1];
		relay->fails = relay->maps + i;
		KUNIT_EXPECT_EQ(test, relay_xmit(2), 1);
		KUNIT_EXPECT_PTR_EQ(test, relay->list[0], relay->frames[1]);
		KUNIT_EXPECT_PTR_EQ(test, relay->list[1], relay->frames[0]);
		KUNIT_EXPECT_EQ(test, relay->mapped, i * (RELAY_LEN + 1));
		KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&relay->port->tx_stats[0].errors),
				(u64)i);
		KUNIT_EXPECT_EQ(test, relay->ring[0].tail, RELAY_START + i);
	}
	relay_expect_stats(test, 0, 3, 0);
	/* The caller frees it. */
	KUNIT_EXPECT_EQ(test, relay->returned, 0U);
	relay->frames[1]->len = FIELD_MAX(PARQ_TX_LEN);
	relay->list[0] = relay->frames[1];
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 1);
	relay->frames[1]->len++;
	relay->bells = 0;
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 0);
	KUNIT_EXPECT_EQ(test, relay->bells, 0U);
	relay_expect_stats(test, 0, 4, 0);
}

/* The ring has room for two frames, as the sender knows of the first. */
static void the_ring_is_full(struct kunit *test)
{
	struct parq_tx_ring *ring = &relay->ring[0];

	ring->tail = ring->head + RELAY_SIZE - PARQ_TX_FRAME_DESC - 1;
	ring->limit = ring->tail + PARQ_TX_FRAME_DESC;
	KUNIT_EXPECT_EQ(test, relay_xmit(RELAY_FRAMES), 2);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[0], relay->frames[0]);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[1], relay->frames[1]);
	KUNIT_EXPECT_TRUE(test, netif_tx_queue_stopped(relay->q[0].nq));
	KUNIT_EXPECT_EQ(test, relay->bells, 1U);
	relay_expect_stats(test, 0, 2, 2);
	/* It stops with the last frame that fits. */
	netif_tx_start_queue(relay->q[0].nq);
	ring->head += 1;
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 1);
	KUNIT_EXPECT_TRUE(test, netif_tx_queue_stopped(relay->q[0].nq));
	relay_expect_stats(test, 0, 3, 2);
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 0);
	relay_expect_stats(test, 0, 3, 3);
}

static void frames_have_priorities(struct kunit *test)
{
	relay_tag(0, 3);
	relay_tag(2, 5);
	relay_tag(3, 5);
	netif_tx_stop_queue(relay->q[3].nq);
	KUNIT_EXPECT_EQ(test, relay_xmit(RELAY_FRAMES), 3);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[0], relay->frames[1]);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[1], relay->frames[2]);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[2], relay->frames[3]);
	KUNIT_EXPECT_PTR_EQ(test, relay->list[3], relay->frames[0]);
	relay_expect_stats(test, 3, 0, 1);
	relay_expect_stats(test, 0, 1, 0);
	relay_expect_stats(test, 5, 2, 0);
	KUNIT_EXPECT_EQ(test, relay->bells, 2U);
	/* Short ones have no tag. */
	relay->list[0] = relay->frames[2];
	relay->frames[2]->len = VLAN_ETH_HLEN - 1;
	KUNIT_EXPECT_EQ(test, relay_xmit(1), 1);
	relay_expect_stats(test, 0, 2, 0);
	/* The port has rules of its own. */
	relay->port->trusting = true;
	relay->prio = 7;
	KUNIT_EXPECT_EQ(test, relay_xmit(2), 2);
	relay_expect_stats(test, 7, 2, 0);
}

static void the_port_is_down(struct kunit *test)
{
	struct parq_port *port = relay->port;

	KUNIT_EXPECT_EQ(test, parq_xdp_xmit(port->netdev, 3, relay->list, ~XDP_XMIT_FLAGS_MASK),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&port->tx_stats[0].xdp_down), 0ULL);
	netif_carrier_off(port->netdev);
	KUNIT_EXPECT_EQ(test, relay_xmit(3), -ENETDOWN);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&port->tx_stats[0].xdp_down), 3ULL);
	netif_carrier_on(port->netdev);
	clear_bit(PARQ_PORT_UP, &port->flags);
	KUNIT_EXPECT_EQ(test, relay_xmit(1), -ENETDOWN);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&port->tx_stats[0].xdp_down), 4ULL);
	KUNIT_EXPECT_EQ(test, relay->maps + relay->bells, 0U);
	set_bit(PARQ_PORT_UP, &port->flags);
	KUNIT_EXPECT_EQ(test, parq_xdp_xmit(port->netdev, 1, relay->list, XDP_XMIT_FLUSH), 1);
}

static struct kunit_case relay_cases[] = {
	KUNIT_CASE(frames_are_sent_back),
	KUNIT_CASE(frames_of_many_buffers_are_sent_back),
	KUNIT_CASE(frames_are_not_sent_back),
	KUNIT_CASE(redirected_frames_are_sent),
	KUNIT_CASE(buffers_cannot_be_mapped),
	KUNIT_CASE(the_ring_is_full),
	KUNIT_CASE(frames_have_priorities),
	KUNIT_CASE(the_port_is_down),
	{}
};

static struct kunit_suite relay_suite = {
	.name = "parq_xdp",
	.init = relay_init,
	.exit = relay_exit,
	.test_cases = relay_cases,
};

kunit_test_suite(relay_suite);

MODULE_DESCRIPTION("KUnit suite of frames that XDP programs send");
MODULE_LICENSE("GPL");
