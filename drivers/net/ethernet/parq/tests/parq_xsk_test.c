// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of frames that AF_XDP sockets send: where they go, which are not sent, when the
 * sockets get their chunks back, and when the sender is called again.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <net/sch_generic.h>

#include "../parq_io.h"
#include "../parq_ptp.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"
#include "parq_xsk_calls.h"

#define SLIDE_SIZE	512		/* entries of a ring */
#define SLIDE_CHAN	1
#define SLIDE_NUM	400		/* descriptors that sockets have, at most */
#define SLIDE_DMA	0x10000
#define SLIDE_TAGGED	64		/* address of a frame of priority 3 */
#define SLIDE_MORE	BIT(0)	/* XDP_PKT_CONTD, which older kernels lack */

/**
 * struct slide - the sockets, a channel, and what has been seen
 * @port: port
 * @pd: device
 * @status: status page
 * @chan: channel
 * @x: its sockets
 * @pool: their pool
 * @ring: rings of the TX queues
 * @buf: buffers of each ring
 * @desc: descriptors of each ring
 * @stats: counters by queue
 * @umem: chunks: a frame without tag, and one at SLIDE_TAGGED
 * @want: descriptors of sockets
 * @num: their number
 * @next: the next one
 * @taken: pool->tx_descs
 * @full: queues without room, BIT(priority)
 * @completed: descriptors that sockets have back
 * @kicks: times that the sender was scheduled
 * @marked: it is scheduled already
 * @bells: doorbells that were rung
 * @stamp: time stamp of a frame
 */
struct slide {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_status status;
	struct parq_chan chan;
	struct parq_xsk x;
	struct xsk_buff_pool *pool;
	struct parq_tx_ring ring[PARQ_NUM_PRIO];
	struct parq_tx_buf buf[PARQ_NUM_PRIO][SLIDE_SIZE];
	struct parq_tx_desc desc[PARQ_NUM_PRIO][SLIDE_SIZE];
	struct parq_tx_stats stats[2 * PARQ_NUM_PRIO];
	u8 umem[128];
	struct xdp_desc want[SLIDE_NUM];
	unsigned int num;
	unsigned int next;
	struct xdp_desc taken[PARQ_XSK_BULK];
	u8 full;
	unsigned int completed;
	unsigned int kicks;
	bool marked;
	unsigned int bells;
	u64 stamp;
};

static struct slide *slide;

/* ---- fakes -------------------------------------------------------------- */

u32 slide_peek(struct xsk_buff_pool *pool, u32 max)
{
	u32 n = min(max, slide->num - slide->next);

	memcpy(slide->taken, &slide->want[slide->next], n * sizeof(*slide->taken));
	slide->next += n;
	return n;
}

void slide_completed(u32 num)
{
	slide->completed += num;
}

void *slide_data(u64 addr)
{
	return slide->umem + addr;
}

bool slide_marked(void)
{
	return slide->marked;
}

void slide_schedule(void)
{
	slide->kicks++;
}

void slide_writel(u32 val, void __iomem *addr)
{
	slide->bells++;
}

bool parq_tx_has_room(struct parq_txq *q)
{
	return !(slide->full & BIT(q->prio));
}

bool parq_tx_stamp_read(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos, u64 *ns)
{
	*ns = slide->stamp;
	return slide->stamp;
}

void parq_io_wake(const struct parq_db *db)
{
}

unsigned int parq_prio_data(const struct parq_port *port, const void *data, unsigned int len,
			    unsigned int dflt)
{
	return 5;
}

/* ---- cases -------------------------------------------------------------- */

static void slide_queue(unsigned int prio)
{
	struct parq_txq *q = &slide->chan.txq[prio];

	q->port = slide->port;
	q->prio = prio;
	q->index = SLIDE_CHAN * PARQ_NUM_PRIO + prio;
	q->ring = &slide->ring[prio];
	q->nq = netdev_get_tx_queue(slide->port->netdev, q->index);
	RCU_INIT_POINTER(q->nq->qdisc, &noop_qdisc);
	q->db.status = &slide->status;
	q->db.pd = &slide->pd;
	q->ring->buf = slide->buf[prio];
	q->ring->desc = slide->desc[prio];
	q->ring->mask = SLIDE_SIZE - 1;
	q->ring->limit = SLIDE_SIZE;
	slide->port->txq[q->index] = q;
}

static int slide_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port),
						    2 * PARQ_NUM_PRIO, 2);
	struct vlan_ethhdr *eth;
	unsigned int prio;

	slide = kunit_kzalloc(test, sizeof(*slide), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, slide);
	slide->pool = kunit_kzalloc(test, sizeof(*slide->pool), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, slide->pool);
	slide->pool->tx_descs = slide->taken;
	slide->port = netdev_priv(dev);
	slide->port->netdev = dev;
	slide->port->pd = &slide->pd;
	slide->port->tx_stats = slide->stats;
	slide->port->chan[SLIDE_CHAN] = &slide->chan;
	slide->port->xsk[SLIDE_CHAN] = &slide->x;
	set_bit(PARQ_PORT_UP, &slide->port->flags);
	slide->chan.rxq.vec = &slide->chan.vec[0];
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		slide_queue(prio);
	eth = (struct vlan_ethhdr *)(slide->umem + SLIDE_TAGGED);
	eth->h_vlan_proto = htons(ETH_P_8021Q);
	eth->h_vlan_TCI = htons(3 << VLAN_PRIO_SHIFT);
	slide->x.pool = slide->pool;
	slide->x.port = slide->port;
	slide->x.chan = SLIDE_CHAN;
	spin_lock_init(&slide->x.lock);
	return 0;
}

static void slide_exit(struct kunit *test)
{
	free_netdev(slide->port->netdev);
}

static void slide_want(u64 addr, u32 len, u32 options)
{
	slide->want[slide->num++] = (struct xdp_desc){
		.addr = addr, .len = len, .options = options,
	};
}

static u64 slide_info(unsigned int prio, u32 pos)
{
	return le64_to_cpu(slide->desc[prio][pos].info);
}

/* The slots @from to @to - 1 are complete. */
static void slide_done(u32 from, u32 to)
{
	parq_xsk_done_begin(&slide->x);
	parq_xsk_done(&slide->x, from, to - from);
	parq_xsk_done_end(&slide->x);
}

static u64 slide_invalid(void)
{
	return u64_stats_read(&slide->stats[SLIDE_CHAN * PARQ_NUM_PRIO].xsk_invalid);
}

static void frames_go_by_priority(struct kunit *test)
{
	slide_want(0, 60, 0);
	slide_want(8, 61, 0);
	slide_want(SLIDE_TAGGED, 62, 0);
	slide_want(0, 63, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 3U);
	KUNIT_EXPECT_EQ(test, slide->ring[3].tail, 1U);
	KUNIT_EXPECT_EQ(test, slide_info(0, 0), 60 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, slide_info(0, 1), 61 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, slide_info(0, 2), 63 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, slide_info(3, 0), 62 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(slide->desc[0][1].addr), SLIDE_DMA + 8ULL);
	/* Numbers of the descriptors, whatever their queue. */
	KUNIT_EXPECT_EQ(test, slide->buf[0][1].addr, (dma_addr_t)1);
	KUNIT_EXPECT_EQ(test, slide->buf[3][0].addr, (dma_addr_t)2);
	KUNIT_EXPECT_EQ(test, slide->buf[0][2].addr, (dma_addr_t)3);
	KUNIT_EXPECT_EQ(test, slide->buf[0][0].len, 60U);
	KUNIT_EXPECT_EQ(test, slide->buf[0][0].ndesc, 1);
	KUNIT_EXPECT_TRUE(test, parq_tx_is_xsk(&slide->buf[0][0]));
	KUNIT_EXPECT_EQ(test, slide->bells, 3U);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&slide->stats[8].xsk), 3ULL);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&slide->stats[11].xsk), 1ULL);
	slide->port->trusting = true;
	slide_want(0, 60, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[5].tail, 1U);
}

/* A frame without room waits, and all behind it. */
static void frames_wait(struct kunit *test)
{
	struct parq_txq *q = &slide->chan.txq[3];

	slide->full = BIT(3);
	slide_want(0, 60, 0);
	slide_want(SLIDE_TAGGED, 61, 0);
	slide_want(0, 62, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 1U);
	KUNIT_EXPECT_EQ(test, slide->ring[3].tail, 0U);
	slide->full = 0;
	netif_tx_stop_queue(q->nq);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	/* Nobody tells when a queue that was frozen is no more. */
	netif_tx_start_queue(q->nq);
	set_bit(__QUEUE_STATE_FROZEN, &q->nq->state);
	KUNIT_EXPECT_TRUE(test, parq_xsk_send(&slide->x));
	clear_bit(__QUEUE_STATE_FROZEN, &q->nq->state);
	KUNIT_EXPECT_EQ(test, slide->ring[3].tail, 0U);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[3].tail, 1U);
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 2U);
}

static void frames_of_several_descriptors(struct kunit *test)
{
	slide_want(0, 60, SLIDE_MORE);
	slide_want(8, 100, SLIDE_MORE);
	/* The rest is not there yet. */
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 0U);
	slide_want(16, 200, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 3U);
	KUNIT_EXPECT_EQ(test, slide_info(0, 0), 60ULL);
	KUNIT_EXPECT_EQ(test, slide_info(0, 1), 100ULL);
	KUNIT_EXPECT_EQ(test, slide_info(0, 2), 200 | PARQ_TX_EOP);
	KUNIT_EXPECT_EQ(test, slide->buf[0][0].ndesc, 3);
	KUNIT_EXPECT_EQ(test, slide->buf[0][0].len, 360U);
	KUNIT_EXPECT_EQ(test, slide->x.slot, 3U);
	KUNIT_EXPECT_EQ(test, slide->completed, 0U);
}

static void frames_are_invalid(struct kunit *test)
{
	unsigned int i;

	slide_want(0, 13, 0);
	slide_want(0, 14, 0);
	slide_want(0, 65000, SLIDE_MORE);
	slide_want(0, 536, 0);
	slide_want(0, 65000, SLIDE_MORE);
	slide_want(0, 535, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 3U);
	KUNIT_EXPECT_EQ(test, slide_invalid(), 2ULL);
	/* They complete in order: the third waits for the second. */
	KUNIT_EXPECT_EQ(test, slide->completed, 1U);
	slide_done(1, 2);
	KUNIT_EXPECT_EQ(test, slide->completed, 4U);
	slide_done(4, 6);
	KUNIT_EXPECT_EQ(test, slide->completed, 6U);
	/* As many descriptors as a frame may have, and one more. */
	for (i = 1; i < PARQ_XSK_SEGS; i++)
		slide_want(0, 60, SLIDE_MORE);
	slide_want(0, 60, 0);
	for (i = 1; i < PARQ_XSK_SEGS + 1; i++)
		slide_want(0, 60, SLIDE_MORE);
	slide_want(0, 60, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 3U + PARQ_XSK_SEGS);
	KUNIT_EXPECT_EQ(test, slide_invalid(), 3ULL);
	slide_done(6, 6 + PARQ_XSK_SEGS);
	KUNIT_EXPECT_EQ(test, slide->completed, 7U + 2 * PARQ_XSK_SEGS);
	/* Far too many: what is there is dropped, and the rest as it comes. */
	for (i = 0; i < 3 * PARQ_XSK_BULK; i++)
		slide_want(0, 60, SLIDE_MORE);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_TRUE(test, slide->x.discard);
	slide_want(0, 60, 0);
	slide_want(0, 60, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_FALSE(test, slide->x.discard);
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 4U + PARQ_XSK_SEGS);
	KUNIT_EXPECT_EQ(test, slide->completed, 8U + 2 * PARQ_XSK_SEGS + 3 * PARQ_XSK_BULK);
}

static void polls_have_a_budget(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 300; i++)
		slide_want(0, 60, 0);
	KUNIT_EXPECT_TRUE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 256U);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 300U);
	/* Those that are dropped count, too. */
	for (i = 300; i < SLIDE_NUM; i++)
		slide_want(0, 5, 0);
	slide->num = SLIDE_NUM;
	slide->next = 100;
	for (i = 100; i < SLIDE_NUM; i++)
		slide->want[i].len = 5;
	KUNIT_EXPECT_TRUE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(&slide->x));
	KUNIT_EXPECT_EQ(test, slide_invalid(), 300ULL);
}

/* Sockets get their chunks back in their order. */
static void chunks_return_in_order(struct kunit *test)
{
	slide_done(2, 4);
	slide_done(5, 6);
	KUNIT_EXPECT_EQ(test, slide->completed, 0U);
	KUNIT_EXPECT_EQ(test, slide->x.late, 3U);
	slide_done(0, 2);
	KUNIT_EXPECT_EQ(test, slide->completed, 4U);
	slide_done(4, 5);
	KUNIT_EXPECT_EQ(test, slide->completed, 6U);
	KUNIT_EXPECT_EQ(test, slide->x.late, 0U);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(slide->x.bits, PARQ_XSK_WINDOW));
	KUNIT_EXPECT_EQ(test, slide->kicks, 0U);
}

/* A frame with an extension has a descriptor more, and a place for its stamp. */
static void stamps_are_reported(struct kunit *test)
{
	struct parq_tx_buf *buf = slide->buf[0];
	struct parq_txq *q = &slide->chan.txq[0];
	u64 stamp = 0;

	slide->stamp = 77;
	buf[0] = (struct parq_tx_buf){ .ndesc = 3, .addr = 0 };
	buf[1] = (struct parq_tx_buf){ .segs = 1, .stamp = &stamp };
	parq_xsk_done_begin(&slide->x);
	parq_xsk_done_frame(&slide->x, q, &slide->ring[0], 0);
	KUNIT_EXPECT_EQ(test, slide->x.done, 2U);
	KUNIT_EXPECT_EQ(test, stamp, 77ULL);
	slide->stamp = 0;
	buf[0].addr = 2;
	parq_xsk_done_frame(&slide->x, q, &slide->ring[0], 0);
	KUNIT_EXPECT_EQ(test, stamp, 77ULL);
	buf[0].addr = 4;
	buf[1].segs = 0;
	parq_xsk_done_frame(&slide->x, q, &slide->ring[0], 0);
	KUNIT_EXPECT_EQ(test, slide->x.done, 7U);
	/* The entry behind a frame of one descriptor is another frame's. */
	buf[0] = (struct parq_tx_buf){ .ndesc = 1, .addr = 7 };
	buf[1].segs = 1;
	parq_xsk_done_frame(&slide->x, q, &slide->ring[0], 0);
	KUNIT_EXPECT_EQ(test, slide->x.done, 8U);
	parq_xsk_done_end(&slide->x);
	KUNIT_EXPECT_EQ(test, slide->completed, 8U);
}

#ifdef PARQ_HAVE_XSK_TX_METADATA
/* Each request adds to those before it. What the device cannot be told is not asked of it. */
static void requests_are_passed_on(struct kunit *test)
{
	struct net_device *dev = slide->port->netdev;
	const struct xsk_tx_metadata_ops *ops;
	struct {
		u64 info;
		u64 ext;
		u64 time;
	} req = { .info = PARQ_TX_EOP };

	parq_xsk_netdev(dev);
	ops = dev->xsk_tx_metadata_ops;
	KUNIT_EXPECT_NULL(test, ops->tmo_request_launch_time);
	ops->tmo_request_checksum(256, 0, &req);
	ops->tmo_request_checksum(0, 256, &req);
	KUNIT_EXPECT_EQ(test, req.info, PARQ_TX_EOP);
	ops->tmo_request_checksum(255, 255, &req);
	KUNIT_EXPECT_EQ(test, req.info, PARQ_TX_EOP | PARQ_TX_CSUM | PARQ_TX_CSUM_START |
			PARQ_TX_CSUM_OFFSET);
	/* Launch times need a clock. */
	slide->pd.caps.flags = PARQ_CAP_LAUNCH;
	slide->pd.ptp = kunit_kzalloc(test, sizeof(*slide->pd.ptp), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, slide->pd.ptp);
	parq_xsk_netdev(dev);
	ops = dev->xsk_tx_metadata_ops;
	ops->tmo_request_timestamp(&req);
	KUNIT_EXPECT_EQ(test, req.ext, PARQ_TXX_STAMP);
	ops->tmo_request_launch_time(U64_MAX, &req);
	KUNIT_EXPECT_EQ(test, req.ext, PARQ_TXX_STAMP | PARQ_TXX_LAUNCH);
	KUNIT_EXPECT_EQ(test, req.time, PARQ_TXX_TIME);
}
#else
static void requests_are_passed_on(struct kunit *test)
{
	kunit_skip(test, "sockets of this kernel request nothing");
}
#endif

/* With little room in the window, the sender is called as soon as a descriptor completes. */
static void window_is_full(struct kunit *test)
{
	struct parq_xsk *x = &slide->x;

	x->slot = PARQ_XSK_WINDOW - PARQ_XSK_SEGS;
	slide_want(0, 60, 0);
	slide_want(0, 60, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(x));
	KUNIT_EXPECT_TRUE(test, x->waits);
	slide->x.slot = PARQ_XSK_WINDOW;
	slide_want(0, 60, 0);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 2U);
	slide_done(1, 2);
	KUNIT_EXPECT_EQ(test, slide->kicks, 0U);
	slide_done(0, 1);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
	KUNIT_EXPECT_FALSE(test, x->waits);
	slide_done(2, 3);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(x));
	KUNIT_EXPECT_EQ(test, slide->ring[0].tail, 3U);
	slide_done(3, 100);
	KUNIT_EXPECT_FALSE(test, parq_xsk_send(x));
	KUNIT_EXPECT_FALSE(test, x->waits);
}

static void sender_is_called(struct kunit *test)
{
	struct net_device *dev = slide->port->netdev;

	KUNIT_EXPECT_EQ(test, parq_xsk_wakeup(dev, SLIDE_CHAN, 0), 0);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
	slide->marked = true;
	KUNIT_EXPECT_EQ(test, parq_xsk_wakeup(dev, SLIDE_CHAN, 0), 0);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
	slide->marked = false;
	KUNIT_EXPECT_EQ(test, parq_xsk_wakeup(dev, 0, 0), -ENXIO);
	KUNIT_EXPECT_EQ(test, parq_xsk_wakeup(dev, PARQ_MAX_CHANS, 0), -ENXIO);
	clear_bit(PARQ_PORT_UP, &slide->port->flags);
	KUNIT_EXPECT_EQ(test, parq_xsk_wakeup(dev, SLIDE_CHAN, 0), -ENETDOWN);
	parq_xsk_kick(slide->port, 0);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
	slide->port->chan[SLIDE_CHAN] = NULL;
	parq_xsk_kick(slide->port, SLIDE_CHAN);
	KUNIT_EXPECT_EQ(test, slide->kicks, 1U);
}

static void pools_at_channels(struct kunit *test)
{
	struct parq_port *port = slide->port;

	KUNIT_EXPECT_PTR_EQ(test, parq_xsk_of(port, SLIDE_CHAN), &slide->x);
	KUNIT_EXPECT_NULL(test, parq_xsk_of(port, 0));
	KUNIT_EXPECT_TRUE(test, parq_xsk_bound(port));
	slide->x.closing = true;
	KUNIT_EXPECT_NULL(test, parq_xsk_of(port, SLIDE_CHAN));
	KUNIT_EXPECT_FALSE(test, parq_xsk_bound(port));
	slide->x.closing = false;
	port->xsk[SLIDE_CHAN] = NULL;
	port->xsk[0] = &slide->x;
	KUNIT_EXPECT_TRUE(test, parq_xsk_bound(port));
	port->xsk[0] = NULL;
	port->xsk[PARQ_MAX_CHANS - 1] = &slide->x;
	KUNIT_EXPECT_TRUE(test, parq_xsk_bound(port));
}

static struct kunit_case slide_cases[] = {
	KUNIT_CASE(frames_go_by_priority),
	KUNIT_CASE(frames_wait),
	KUNIT_CASE(frames_of_several_descriptors),
	KUNIT_CASE(frames_are_invalid),
	KUNIT_CASE(polls_have_a_budget),
	KUNIT_CASE(chunks_return_in_order),
	KUNIT_CASE(stamps_are_reported),
	KUNIT_CASE(requests_are_passed_on),
	KUNIT_CASE(window_is_full),
	KUNIT_CASE(sender_is_called),
	KUNIT_CASE(pools_at_channels),
	{}
};

static struct kunit_suite slide_suite = {
	.name = "parq_xsk",
	.init = slide_init,
	.exit = slide_exit,
	.test_cases = slide_cases,
};

kunit_test_suite(slide_suite);

MODULE_DESCRIPTION("KUnit suite of frames that AF_XDP sockets send");
MODULE_LICENSE("GPL");
