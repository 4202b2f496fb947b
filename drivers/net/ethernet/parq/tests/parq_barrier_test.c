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
#include <linux/slab.h>

#include "../parq_chan.h"
#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "../parq_prio.h"
#include "../parq_ptp.h"
#include "../parq_reg.h"
#include "../parq_rx.h"
#include "../parq_stats.h"
#include "../parq_switch.h"
#include "../parq_trace.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"
#include "parq_barrier_calls.h"

#define LATE_ORDER	3	/* of the ring; fewer entries than a refill */
#define LATE_LEN	100	/* bytes of the frame */
#define LATE_STALE	60	/* bytes of one before */
#define LATE_TCI	0x6005
#define LATE_HASH	0x12345678
#define LATE_FRAMES	12345
#define LATE_QUEUE	5
#define LATE_EVENTS	1024	/* entries of the event ring */
#define LATE_ROUNDS	4
#define LATE_FLAGS	(PARQ_RX_GEN | PARQ_RX_EOP | PARQ_RX_VLAN |	\
			 PARQ_RX_HASH_L4 | PARQ_RX_CSUM_OK)

/**
 * struct late - memory of which a part is still on its way
 * @to: address of that part
 * @from: its new contents
 * @size: its bytes, 0 for nothing
 * @barriers: calls of dma_rmb()
 * @skb: the received frame
 * @thread: what reads events
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
	irq_handler_t thread;
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

void late_arrive(void)
{
	late.barriers++;
	if (late.size)
		memcpy(late.to, late.from, late.size);
	if (late.endless)
		late_endless();
}

gro_result_t late_receive(struct sk_buff *skb)
{
	late.skb = skb;
	return GRO_NORMAL;
}

int late_request_irq(irq_handler_t thread)
{
	late.thread = thread;
	return 0;
}

/* ---- fakes -------------------------------------------------------------- */

/* The sequence number is written last. */
void parq_io_stats_snap(struct parq_port *port, u32 seq)
{
	port->stats.block->seq = cpu_to_le64(seq);
}

u32 parq_io_launch_missed(struct parq_port *port)
{
	return 0;
}

u32 parq_io_rxq_head(const struct parq_rxq *q)
{
	return late.head;
}

bool parq_reg_alive(struct parq_dev *pd)
{
	return true;
}

unsigned int parq_prio_data(const struct parq_port *port, const void *data,
			    unsigned int len, unsigned int dflt)
{
	return dflt;
}

bool parq_io_error_expected(u32 err, u32 addr)
{
	return true;
}

u32 parq_io_error_take(struct parq_dev *pd, u32 *addr)
{
	return 0;
}

int parq_io_events_start(struct parq_dev *pd, unsigned int order, unsigned int vec)
{
	return 0;
}

void parq_io_events_stop(struct parq_dev *pd)
{
}

void parq_io_events_ack(struct parq_dev *pd, u32 head)
{
}

void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns)
{
}

void parq_io_wake(const struct parq_db *db)
{
}

void parq_link_check(struct parq_port *port)
{
}

void parq_pfc_event(struct parq_port *port)
{
}

void parq_trace_event(struct parq_dev *pd, const struct parq_event *ev)
{
}

void parq_trace_mask_update(struct parq_dev *pd)
{
}

void parq_xdp_flush(struct parq_xdp *xdp)
{
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev)
{
}

void parq_switch_fdb_lost(struct parq_dev *pd)
{
}
#endif

/* ---- cases -------------------------------------------------------------- */

/* The rest of a completion arrives after its flags, which have GEN. */
static void completion(struct kunit *test, bool xdp)
{
	struct parq_rx_comp fresh = {
		.len = cpu_to_le16(LATE_LEN),
		.tci = cpu_to_le16(LATE_TCI),
		.hash = cpu_to_le32(LATE_HASH),
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
	/* There are no new pages, as is known. */
	struct parq_rxq q = {
		.ring = &ring, .stats = &stats, .index = LATE_QUEUE, .starved = true,
	};
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
		KUNIT_EXPECT_EQ(test, late.skb->hash, (u32)LATE_HASH);
		KUNIT_EXPECT_TRUE(test, late.skb->l4_hash);
		KUNIT_EXPECT_TRUE(test, late.skb->ip_summed == CHECKSUM_UNNECESSARY);
		KUNIT_EXPECT_EQ(test, skb_get_rx_queue(late.skb), LATE_QUEUE);
		kfree_skb(late.skb);
	}
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats.packets), 1ULL);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats.bytes), (u64)LATE_LEN);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats.csum_ok), 1ULL);
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

static int late_irq(struct parq_dev *pd, unsigned int vec)
{
	return 1;
}

static const char *late_name(struct parq_dev *pd)
{
	return "test";
}

static const struct parq_bus_ops late_bus = { .irq = late_irq, .name = late_name };

/* A device of one port, with an event ring. */
static struct parq_dev *late_dev(struct kunit *test)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	port->netdev = alloc_etherdev(0);
	KUNIT_ASSERT_NOT_NULL(test, port->netdev);
	pd->dev = &port->netdev->dev;
	pd->bus = &late_bus;
	pd->port[0] = port;
	pd->caps.ports = 1;
	pd->caps.ring_order = ilog2(LATE_EVENTS);
	mutex_init(&pd->mask_lock);
	late = (struct late){};
	KUNIT_ASSERT_EQ(test, parq_events_init(pd), 0);
	KUNIT_ASSERT_EQ(test, pd->ev.order, ilog2(LATE_EVENTS));
	return pd;
}

static void late_dev_end(struct parq_dev *pd)
{
	parq_events_fini(pd);
	free_netdev(pd->port[0]->netdev);
}

/* However large the device's rings may be. */
static void barrier_events_fit(struct kunit *test)
{
	struct parq_dev *pd = late_dev(test);

	parq_events_fini(pd);
	pd->caps.ring_order = 15;
	KUNIT_ASSERT_EQ(test, parq_events_init(pd), 0);
	KUNIT_EXPECT_EQ(test, pd->ev.order, 10U);
	late_dev_end(pd);
}

/* The contents of an event arrive after its GEN. */
static void barrier_event(struct kunit *test)
{
	struct parq_event fresh = {
		.type = PARQ_EV_QUEUE, .index = LATE_QUEUE, .gen = cpu_to_le32(1),
	};
	struct parq_dev *pd = late_dev(test);

	pd->ev.ring[0] = fresh;
	pd->ev.ring[0].index = 0;
	late.to = pd->ev.ring;
	late.from = &fresh;
	late.size = sizeof(fresh);
	late.thread(0, pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, 1U);
	KUNIT_EXPECT_TRUE(test, test_bit(LATE_QUEUE, pd->port[0]->queue_events));
	late_dev_end(pd);
}

/* A device that writes an event for each one that is read. */
static void events_without_end(struct kunit *test)
{
	struct parq_dev *pd = late_dev(test);
	unsigned int i;

	late.endless = pd->ev.ring;
	for (i = 0; i < LATE_EVENTS; i++)
		late_endless();
	late.thread(0, pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, (u32)LATE_EVENTS);
	KUNIT_EXPECT_EQ(test, pd->ev.acked, (u32)LATE_EVENTS);
	late.thread(0, pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, (u32)LATE_EVENTS * 2);
	late_dev_end(pd);
}

/* The first event has a wrong GEN; later events arrived. */
static void event_lost(struct kunit *test)
{
	struct parq_dev *pd = late_dev(test);
	unsigned long *events = pd->port[0]->queue_events;

	pd->ev.ring[0].gen = cpu_to_le32(0x80000001);
	late.thread(0, pd);
	KUNIT_EXPECT_EQ_MSG(test, pd->ev.pos, 0U, "nothing came later");
	KUNIT_EXPECT_TRUE(test, bitmap_empty(events, PARQ_MAX_TXQ + PARQ_MAX_RXQ));
	pd->ev.ring[1].type = PARQ_NUM_EV;
	pd->ev.ring[1].gen = cpu_to_le32(1);
	late.thread(0, pd);
	KUNIT_EXPECT_EQ(test, pd->ev.pos, 2U);
	KUNIT_EXPECT_TRUE_MSG(test, bitmap_full(events, PARQ_MAX_TXQ + PARQ_MAX_RXQ),
			      "every queue is looked at");
	late_dev_end(pd);
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
	KUNIT_CASE(barrier_events_fit),
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

MODULE_DESCRIPTION("KUnit suite of reads of memory that the device writes");
MODULE_LICENSE("GPL");
