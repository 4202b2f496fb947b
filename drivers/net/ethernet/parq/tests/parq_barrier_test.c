// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of reads of memory that the device writes, on a processor that loads early.
 *
 * Neither x86 nor its emulators reorder loads, so a missing dma_rmb() does not show there.
 * Here memory is stale until the barrier: only the word that announces the rest is
 * visible, and the rest appears when dma_rmb() is called. Code that reads too early, or
 * has no barrier, gets the stale values.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/iopoll.h>

#include "../compat.h"

/* Replaces the rest of the driver. */
#define parq_io_wake				late_wake
#define parq_reg_alive				late_alive
#define parq_io_stats_snap			late_snap
#define parq_prio_data				late_prio

#include "../parq_chan.h"
#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_port.h"
#include "../parq_reg.h"
#include "../parq_rx.h"
#include "../parq_stats.h"
#include "../parq_switch.h"
#include "../parq_trace.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"

#define LATE_ORDER	3	/* of the ring; fewer entries than a refill */
#define LATE_LEN	100	/* bytes of the frame */
#define LATE_STALE	60	/* bytes of one before */
#define LATE_TCI	0x6005
#define LATE_FRAMES	12345
#define LATE_QUEUE	5
#define LATE_EVENTS	1024	/* entries of the event ring */
#define LATE_ROUNDS	4
#define LATE_FLAGS	(PARQ_RX_GEN | PARQ_RX_EOP | PARQ_RX_VLAN)

/**
 * struct late - memory of which a part is still on its way
 * @to: address of that part
 * @from: its new contents
 * @size: its bytes, 0 for nothing
 * @barriers: calls of dma_rmb()
 * @skb: the received frame
 * @head: position that the device fills next, of an RX queue
 * @endless: event ring in which an entry that was read is written again
 * @written: number of events in it so far
 */
struct late {
	void *to;
	const void *from;
	size_t size;
	unsigned int barriers;
	struct sk_buff *skb;
	u32 head;
	struct parq_event *endless;
	u32 written;
};

static struct late late;

/* It ends after a while, so that the test fails and does not hang. */
static void late_endless(void)
{
	u32 round = late.written / LATE_EVENTS + 1;

	if (round > LATE_ROUNDS)
		return;
	late.endless[late.written % LATE_EVENTS].gen = cpu_to_le32(round);
	late.written++;
}

static void late_arrive(void)
{
	late.barriers++;
	if (late.size)
		memcpy(late.to, late.from, late.size);
	if (late.endless)
		late_endless();
}

static gro_result_t late_receive(struct napi_struct *napi, struct sk_buff *skb)
{
	late.skb = skb;
	return GRO_NORMAL;
}

/* No page pool and no DMA either. */
#undef dma_rmb
#define dma_rmb()				late_arrive()
#define napi_gro_receive			late_receive
#define napi_build_skb				build_skb
#define page_pool_dma_sync_for_cpu(pool, ...)	((void)(pool))
#define skb_mark_for_recycle(skb)		((void)(skb))

/* Replaces functions that need a device. */
static int late_nothing(const void *whose, ...)
{
	return 0;
}

static u32 late_head(const struct parq_rxq *q)
{
	return late.head;
}

/* A program that passes all frames to the stack. */
#define parq_xdp_run(xdp, ...)			((void)(xdp), (u32)XDP_PASS)
#define parq_xdp_flush				late_nothing
#define parq_io_rxq_head			late_head
#define parq_tx_clean				late_nothing
#define parq_xsk_poll				late_nothing
#define parq_xsk_send(x)			((void)(x), false)
#define parq_tx_arm				late_nothing
#define parq_tx_pending				late_nothing
#define parq_pfc_event				late_nothing
#define parq_trace_event				late_nothing
#define parq_link_check			late_nothing
#define parq_switch_fdb_event			late_nothing
#define parq_switch_fdb_lost			late_nothing
#define parq_trace_mask_update			late_nothing
#define parq_io_vec_itr				late_nothing
#define parq_io_error_take			late_nothing
#define parq_io_error_expected(err, addr)	((err) == (addr))
#define parq_io_events_start			late_nothing
#define parq_io_events_stop			late_nothing
#define parq_io_events_ack			late_nothing

#include "../parq_rx.c"
#include "../parq_xdp_rx.c"
#include "../parq_stats.c"
#include "../parq_vec.c"
#include "../parq_events.c"

void late_wake(const struct parq_db *db)
{
}

unsigned int late_prio(const struct parq_port *port, const void *data,
		       unsigned int len, unsigned int dflt)
{
	return dflt;
}

bool late_alive(struct parq_dev *pd)
{
	return true;
}

/* The sequence number is written last. */
void late_snap(struct parq_port *port, u32 seq)
{
	port->stats.block->seq = cpu_to_le64(seq);
}

/* The rest of a completion arrives after its flags, which have GEN. */
static void completion(struct kunit *test, bool xdp)
{
	struct parq_rx_comp fresh = {
		.len = cpu_to_le16(LATE_LEN),
		.tci = cpu_to_le16(LATE_TCI),
		.flags = cpu_to_le32(LATE_FLAGS),
	};
	struct parq_rx_comp comp[1 << LATE_ORDER] = {
		[0] = {
			.len = cpu_to_le16(LATE_STALE),
			.flags = cpu_to_le32(LATE_FLAGS),
		},
	};
	struct page *page[1 << LATE_ORDER] = {};
	struct parq_rx_stats stats = {};
	struct parq_rx_ring ring = {
		.comp = comp,
		.page = page,
		.mask = (1 << LATE_ORDER) - 1,
		.order = LATE_ORDER,
		.tail = 1,
		.posted = 1,
	};
	struct parq_rxq q = { .ring = &ring, .stats = &stats };
	struct napi_struct napi = {};
	int done;

	q.netdev = alloc_etherdev(0);
	KUNIT_ASSERT_NOT_NULL(test, q.netdev);
	u64_stats_init(&stats.sync);
	page[0] = alloc_page(GFP_KERNEL | __GFP_ZERO);
	late = (struct late){
		.to = comp, .from = &fresh, .size = sizeof(fresh),
	};
	local_bh_disable();
	done = xdp ? parq_rx_poll_xdp(&q, &napi, 2, NULL) :
		     parq_rx_poll(&q, &napi, 2);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, done, 1);
	KUNIT_EXPECT_GE(test, late.barriers, 1U);
	KUNIT_EXPECT_NOT_NULL(test, late.skb);
	if (late.skb) {
		KUNIT_EXPECT_EQ(test, late.skb->len,
				(unsigned int)LATE_LEN - ETH_HLEN);
		KUNIT_EXPECT_EQ(test, late.skb->vlan_tci, LATE_TCI);
		kfree_skb(late.skb);
	}
	free_netdev(q.netdev);
}

static void barrier_completion(struct kunit *test)
{
	completion(test, false);
}

static void barrier_completion_xdp(struct kunit *test)
{
	completion(test, true);
}

/* Counters arrive after the sequence number that announces them. */
static void barrier_statistics(struct kunit *test)
{
	struct parq_stats *block[4], *fresh;
	const struct parq_stats *stats;
	struct parq_port *port;
	struct parq_dev *pd;
	unsigned int i;

	port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	for (i = 0; i < ARRAY_SIZE(block); i++) {
		block[i] = kunit_kzalloc(test, sizeof(**block), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, block[i]);
	}
	port->pd = pd;
	port->stats.block = block[0];
	port->stats.base = block[1];
	port->stats.sum = block[2];
	fresh = block[3];
	fresh->seq = cpu_to_le64(1);
	fresh->prio[0].tx_frames = cpu_to_le64(LATE_FRAMES);
	mutex_init(&port->stats.lock);
	set_bit(PARQ_DEV_READY, &pd->flags);
	late = (struct late){
		.to = port->stats.block, .from = fresh, .size = sizeof(*fresh),
	};
	stats = parq_stats_get(port);
	KUNIT_ASSERT_FALSE(test, IS_ERR(stats));
	KUNIT_EXPECT_EQ(test, le64_to_cpu(stats->prio[0].tx_frames),
			(u64)LATE_FRAMES);
	parq_stats_put(port);
}

/* The contents of an event arrive after its GEN. */
static void barrier_event(struct kunit *test)
{
	struct parq_event fresh = {
		.type = PARQ_EV_QUEUE, .index = LATE_QUEUE, .gen = cpu_to_le32(1),
	};
	struct parq_event *ring;
	struct parq_port *port;
	struct parq_dev *pd;

	ring = kunit_kcalloc(test, LATE_EVENTS, sizeof(*ring), GFP_KERNEL);
	port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	port->netdev = alloc_etherdev(0);
	KUNIT_ASSERT_NOT_NULL(test, port->netdev);
	pd->port[0] = port;
	pd->caps.ports = 1;
	pd->ev.ring = ring;
	pd->ev.order = ilog2(LATE_EVENTS);
	ring[0] = fresh;
	ring[0].index = 0;
	late = (struct late){
		.to = ring, .from = &fresh, .size = sizeof(fresh),
	};
	parq_events_read(pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, 1U);
	KUNIT_EXPECT_TRUE(test, test_bit(LATE_QUEUE, port->queue_events));
	free_netdev(port->netdev);
}

/* A device that writes an event for each one that is read. */
static void events_without_end(struct kunit *test)
{
	struct parq_event *ring;
	struct parq_dev *pd;
	unsigned int i;

	ring = kunit_kcalloc(test, LATE_EVENTS, sizeof(*ring), GFP_KERNEL);
	pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	pd->ev.ring = ring;
	pd->ev.order = ilog2(LATE_EVENTS);
	late = (struct late){ .endless = ring };
	for (i = 0; i < LATE_EVENTS; i++)
		late_endless();
	parq_events_read(pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, (u32)LATE_EVENTS);
	KUNIT_EXPECT_EQ(test, pd->ev.acked, (u32)LATE_EVENTS);
	parq_events_read(pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, (u32)LATE_EVENTS * 2);
}

/* The first event has a wrong GEN; later events arrived. */
static void event_lost(struct kunit *test)
{
	struct parq_event *ring;
	struct parq_port *port;
	struct parq_dev *pd;

	ring = kunit_kcalloc(test, LATE_EVENTS, sizeof(*ring), GFP_KERNEL);
	port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	pd->port[0] = port;
	pd->caps.ports = 1;
	pd->ev.ring = ring;
	pd->ev.order = ilog2(LATE_EVENTS);
	port->netdev = alloc_etherdev(0);
	KUNIT_ASSERT_NOT_NULL(test, port->netdev);
	pd->dev = &port->netdev->dev;
	late = (struct late){};
	ring[0].gen = cpu_to_le32(0x80000001);
	parq_events_read(pd);
	KUNIT_EXPECT_EQ_MSG(test, pd->ev.pos, 0U, "nothing came later");
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->queue_events, PARQ_MAX_TXQ + PARQ_MAX_RXQ));
	ring[1].type = PARQ_NUM_EV;
	ring[1].gen = cpu_to_le32(1);
	parq_events_read(pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, 2U);
	KUNIT_EXPECT_TRUE_MSG(test, bitmap_full(port->queue_events, PARQ_MAX_TXQ + PARQ_MAX_RXQ),
			      "every queue is looked at");
	free_netdev(port->netdev);
}

static bool watch_resets(struct parq_rxq *q)
{
	parq_rx_watch(q);
	return test_and_clear_bit(q->index, q->port->stuck_rx);
}

/* A completion has a wrong GEN, and the device continues behind it. */
static void completion_lost(struct kunit *test)
{
	struct parq_rx_comp comp[1 << LATE_ORDER] = {};
	struct parq_rx_ring ring = {
		.comp = comp,
		.mask = (1 << LATE_ORDER) - 1,
		.order = LATE_ORDER,
		.posted = 1 << LATE_ORDER,
	};
	struct parq_rxq q = { .ring = &ring };

	late = (struct late){};
	q.port = kunit_kzalloc(test, sizeof(*q.port), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, q.port);
	q.netdev = alloc_etherdev(0);
	KUNIT_ASSERT_NOT_NULL(test, q.netdev);
	/* Not a reset yet: the NAPI may still see the next completion. */
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	comp[0].flags = cpu_to_le32(LATE_FLAGS);
	late.head = 1;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	/* The device is one further: a fault, if it lasts. */
	ring.pos = 1;
	comp[2].flags = cpu_to_le32(LATE_FLAGS);
	late.head = 3;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	ring.pos = 3;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	ring.pos = 1;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	KUNIT_EXPECT_TRUE(test, watch_resets(&q));
	KUNIT_EXPECT_TRUE(test, q.broken);
	/* One reset is enough. */
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	/* All completions of the ring. */
	q.broken = false;
	ring.pos = 0;
	comp[0].flags = 0;
	comp[2].flags = 0;
	late.head = 1 << LATE_ORDER;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	KUNIT_EXPECT_TRUE(test, watch_resets(&q));
	/* A position beyond the posted ones is invalid. */
	q.broken = false;
	late.head++;
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	KUNIT_EXPECT_FALSE(test, watch_resets(&q));
	free_netdev(q.netdev);
}

static struct kunit_case parq_barrier_tests[] = {
	KUNIT_CASE(barrier_completion),
	KUNIT_CASE(barrier_completion_xdp),
	KUNIT_CASE(barrier_statistics),
	KUNIT_CASE(barrier_event),
	KUNIT_CASE(events_without_end),
	KUNIT_CASE(event_lost),
	KUNIT_CASE(completion_lost),
	{}
};

static struct kunit_suite parq_barrier_suite = {
	.name = "parq_barrier",
	.test_cases = parq_barrier_tests,
};

kunit_test_suite(parq_barrier_suite);
