// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of reconfiguration under traffic: sizes of rings, steering, channels that are
 * added, and channels that drain. The order of calls counts.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "../parq_chan.h"
#include "../parq_io.h"
#include "parq_reconf_calls.h"
#include "parq_reconf_fake.h"

#define WEIR_CHANS	3	/* of a port when it comes up */
#define WEIR_QUEUES(first, end)	GENMASK_ULL(8 * (end) - 1, 8 * (first))
#define WEIR_PRIO(prio)	(0x0101010101010101ULL << (prio))
/* Frames move to other RX queues of three channels. */
#define WEIR_STEER3	" hold0 hold1 hold2 drain0 drain1 drain2 rss0 release0 release1 release2"
#define WEIR_STEER4	" hold0 hold1 hold2 hold3 drain0 drain1 drain2 drain3 rss0" \
			" release0 release1 release2 release3"

static const struct net_device_ops weir_ops = {};

static int weir_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port), PARQ_MAX_TXQ,
						    PARQ_MAX_CHANS);
	struct parq_port *port;
	unsigned int i;

	weir = kunit_kzalloc(test, sizeof(*weir), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, weir);
	port = netdev_priv(dev);
	weir->port = port;
	weir->memory = PARQ_MAX_TXQ + PARQ_MAX_CHANS;
	weir->qdisc = kunit_kcalloc(test, PARQ_MAX_TXQ, sizeof(*weir->qdisc), GFP_KERNEL);
	port->tx_stats = kunit_kcalloc(test, PARQ_MAX_TXQ, sizeof(*port->tx_stats), GFP_KERNEL);
	port->pd = kunit_kzalloc(test, sizeof(*port->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, weir->qdisc);
	KUNIT_ASSERT_NOT_NULL(test, port->tx_stats);
	KUNIT_ASSERT_NOT_NULL(test, port->pd);
	dev->netdev_ops = &weir_ops;
	port->netdev = dev;
	port->tx_size = WEIR_TX;
	port->rx_size = WEIR_RX;
	port->num_chans = WEIR_CHANS;
	weir_queues(8 * WEIR_CHANS, WEIR_CHANS);
	for (i = 0; i < WEIR_CHANS; i++)
		weir_chan(port, i);
	set_bit(PARQ_PORT_UP, &port->flags);
	weir->log.text[0] = 0;
	return 0;
}

static void weir_exit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, weir->rings, 0U);
	free_netdev(weir->port->netdev);
}

static void weir_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &weir->log, calls);
}

/* A TX queue was in the way of a change. */
static void weir_expect_refusal(struct kunit *test, const char *what, unsigned int queue)
{
	char reason[PARQ_REASON_LEN];

	snprintf(reason, sizeof(reason), "TX queue %u still sends frames of an earlier change",
		 queue);
	KUNIT_EXPECT_STREQ(test, weir->what, what);
	KUNIT_EXPECT_STREQ(test, weir->reason, reason);
}

static int weir_rings(u32 tx, u32 rx, struct netlink_ext_ack *extack)
{
	int err;

	rtnl_lock();
	err = parq_reconf_rings(weir->port, tx, rx, extack);
	rtnl_unlock();
	return err;
}

static int weir_chans(unsigned int num)
{
	int err;

	rtnl_lock();
	err = parq_reconf_chans(weir->port, num);
	rtnl_unlock();
	return err;
}

static bool weir_advance(void)
{
	bool empty;

	rtnl_lock();
	empty = parq_reconf_advance(weir->port);
	rtnl_unlock();
	return empty;
}

static void weir_reap(void)
{
	rtnl_lock();
	parq_reconf_reap(weir->port);
	rtnl_unlock();
}

static void rings_get_other_sizes(struct kunit *test)
{
	struct parq_port *port = weir->port;

	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, WEIR_RX, NULL), 0);
	weir_expect(test, " resize");
	KUNIT_EXPECT_EQ(test, weir->pending, WEIR_CHANS * 2U * WEIR_TX);
	KUNIT_EXPECT_EQ(test, port->pending, 0U);
	KUNIT_EXPECT_EQ(test, weir->replaced, WEIR_QUEUES(0, WEIR_CHANS));
	KUNIT_EXPECT_EQ(test, port->tx_size, 2U * WEIR_TX);
	KUNIT_EXPECT_EQ(test, port->rx_size, (u32)WEIR_RX);
	/* RX rings do not wait for frames to be sent. */
	weir->replaced = 0;
	port->txq[3]->clean = (void *)port;
	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, 2 * WEIR_RX, NULL), 0);
	weir_expect(test, " swap0 swap1 swap2");
	KUNIT_EXPECT_EQ(test, weir->replaced, 0ULL);
	KUNIT_EXPECT_EQ(test, weir->kicks, 0U);
	KUNIT_EXPECT_EQ(test, port->rx_size, 2U * WEIR_RX);
	weir->memory = 0;
	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, 2 * WEIR_RX, NULL), 0);
	weir_expect(test, "");
}

static void rings_of_a_port_that_is_down(struct kunit *test)
{
	clear_bit(PARQ_PORT_UP, &weir->port->flags);
	weir->memory = 0;
	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, 4 * WEIR_RX, NULL), 0);
	weir_expect(test, "");
	KUNIT_EXPECT_EQ(test, weir->port->tx_size, 2U * WEIR_TX);
	KUNIT_EXPECT_EQ(test, weir->port->rx_size, 4U * WEIR_RX);
}

/* Nothing has changed if the memory is short, or the receive buffers have no room. */
static void rings_are_refused(struct kunit *test)
{
	static const unsigned int memory[] = { 0, 8 * WEIR_CHANS - 1, 8 * WEIR_CHANS + 2 };
	struct parq_port *port = weir->port;
	unsigned int i;

	for (i = 0; i <= ARRAY_SIZE(memory); i++) {
		bool fits = i == ARRAY_SIZE(memory);

		weir->memory = fits ? PARQ_MAX_TXQ : memory[i];
		weir->log.fails = "resize";
		KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, 2 * WEIR_RX, NULL),
				fits ? -EIO : -ENOMEM);
		weir_expect(test, fits ? " resize" : "");
		KUNIT_EXPECT_EQ(test, weir->rings, 0U);
		KUNIT_EXPECT_EQ(test, weir->replaced, 0ULL);
		KUNIT_EXPECT_EQ(test, port->pending, 0U);
		KUNIT_EXPECT_EQ(test, port->tx_size, (u32)WEIR_TX);
		KUNIT_EXPECT_EQ(test, port->rx_size, (u32)WEIR_RX);
	}
}

/* The others get their rings all the same. */
static void a_queue_does_not_start_again(struct kunit *test)
{
	weir->log.fails = "swap0";
	KUNIT_EXPECT_EQ(test, weir_rings(WEIR_TX, 2 * WEIR_RX, NULL), -EIO);
	weir_expect(test, " swap0 swap1 swap2");
	weir->log.fails = "swap2";
	KUNIT_EXPECT_EQ(test, weir_rings(WEIR_TX, WEIR_RX, NULL), -EIO);
	weir_expect(test, " swap0 swap1 swap2");
}

static void a_change_waits_for_an_earlier_one(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	struct parq_port *port = weir->port;

	/* Frames of today do not count. */
	weir->busy = BIT_ULL(2);
	port->txq[5]->clean = (void *)port;
	port->txq[6]->clean = (void *)port;
	weir->patience = 6;
	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, WEIR_RX, &extack), 0);
	KUNIT_EXPECT_EQ(test, weir->kicks, 6U);
	KUNIT_EXPECT_EQ(test, weir->reaped, WEIR_QUEUES(0, WEIR_CHANS));
	KUNIT_EXPECT_EQ(test, weir->replaced, WEIR_QUEUES(0, WEIR_CHANS));
	KUNIT_EXPECT_NULL(test, weir->what);
	/* They do not leave. */
	weir->log.text[0] = 0;
	port->txq[0]->clean = (void *)port;
	port->txq[6]->clean = (void *)port;
	KUNIT_EXPECT_EQ(test, weir_rings(WEIR_TX, WEIR_RX, &extack), -EBUSY);
	weir_expect(test, "");
	weir_expect_refusal(test, "rings", 0);
	KUNIT_EXPECT_PTR_EQ(test, weir->extack, &extack);
	KUNIT_EXPECT_EQ(test, port->tx_size, 2U * WEIR_TX);
	port->txq[0]->clean = NULL;
	KUNIT_EXPECT_EQ(test, weir_chans(WEIR_CHANS + 1), -EBUSY);
	weir_expect(test, "");
	weir_expect_refusal(test, "channels", 6);
	KUNIT_EXPECT_EQ(test, port->num_chans, (unsigned int)WEIR_CHANS);
}

/* Draining channels receive nothing. */
static void frames_are_steered(struct kunit *test)
{
	struct parq_port *port = weir->port;

	rtnl_lock();
	port->chan[2]->draining = true;
	weir->log.fails = "release1";
	parq_reconf_steer(port, parq_io_rss_set, 7);
	weir_expect(test, " hold0 hold1 drain0 drain1 rss7 release0 release1 refused1");
	weir->log.fails = NULL;
	clear_bit(PARQ_PORT_UP, &port->flags);
	parq_reconf_steer(port, parq_io_rss_set, 3);
	weir_expect(test, " rss3");
	set_bit(PARQ_PORT_UP, &port->flags);
	/* All channels that a port can have. */
	port->chan[2]->draining = false;
	while (port->num_chans < PARQ_MAX_CHANS)
		weir_chan(port, port->num_chans++);
	parq_reconf_steer(port, parq_io_rss_set, 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(weir->log.text, " hold6 hold7 drain0 "));
	KUNIT_EXPECT_NOT_NULL(test, strstr(weir->log.text, " drain6 drain7 rss0 release0 "));
	rtnl_unlock();
}

/* The stack sees their queues when they are up. */
static void channels_are_added(struct kunit *test)
{
	struct parq_port *port = weir->port;

	KUNIT_EXPECT_EQ(test, weir_chans(WEIR_CHANS), 0);
	weir_expect(test, "");
	KUNIT_EXPECT_EQ(test, weir_chans(4), 0);
	weir_expect(test, " resize alloc3 up3 tx32 rx4" WEIR_STEER4 " wake3");
	KUNIT_EXPECT_EQ(test, weir->pending, (u32)WEIR_TX);
	KUNIT_EXPECT_EQ(test, port->pending, 0U);
	KUNIT_EXPECT_EQ(test, port->num_chans, 4U);
	KUNIT_EXPECT_EQ(test, port->rss.indir[3], 3);
	KUNIT_EXPECT_EQ(test, port->rss.indir[4], 0);
	/* The user's table stays. */
	weir->configured = true;
	KUNIT_EXPECT_EQ(test, weir_chans(6), 0);
	weir_expect(test, " resize alloc4 up4 alloc5 up5 tx48 rx6 wake4 wake5");
	KUNIT_EXPECT_EQ(test, weir->pending, 2U * WEIR_TX);
	KUNIT_EXPECT_EQ(test, port->num_chans, 6U);
	KUNIT_EXPECT_EQ(test, port->rss.indir[4], 0);
	KUNIT_EXPECT_FALSE(test, parq_reconf_removes(port));
}

static void channels_are_not_added(struct kunit *test)
{
	static const struct {
		const char *fails;
		int err;
		const char *calls;
	} steps[] = {
		{ "resize", -EIO, " resize" },
		{ "alloc3", -ENOMEM, " resize alloc3" },
		{ "up3", -EIO, " resize alloc3 up3 free3" },
		{ "alloc4", -ENOMEM, " resize alloc3 up3 alloc4 down3 free3" },
		{ "up4", -EIO, " resize alloc3 up3 alloc4 up4 free4 down3 free3" },
		{ "rx5", -EIO, " resize alloc3 up3 alloc4 up4 tx40 rx5 down4 free4 down3 free3" },
	};
	struct parq_port *port = weir->port;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		weir->log.fails = steps[i].fails;
		KUNIT_EXPECT_EQ(test, weir_chans(5), steps[i].err);
		weir_expect(test, steps[i].calls);
		KUNIT_EXPECT_EQ(test, port->num_chans, (unsigned int)WEIR_CHANS);
		KUNIT_EXPECT_EQ(test, port->pending, 0U);
		KUNIT_EXPECT_NULL(test, port->chan[WEIR_CHANS]);
	}
}

static void channels_of_a_port_that_is_down(struct kunit *test)
{
	struct parq_port *port = weir->port;

	clear_bit(PARQ_PORT_UP, &port->flags);
	weir->log.fails = "tx16";
	KUNIT_EXPECT_EQ(test, weir_chans(2), -EIO);
	weir_expect(test, " tx16");
	KUNIT_EXPECT_EQ(test, port->num_chans, (unsigned int)WEIR_CHANS);
	weir->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	weir_expect(test, " tx16 rx2 rss0");
	KUNIT_EXPECT_EQ(test, port->num_chans, 2U);
	KUNIT_EXPECT_EQ(test, port->rss.indir[1], 1);
	KUNIT_EXPECT_EQ(test, port->rss.indir[2], 0);
}

/* The stack's watchdog counts from now on. */
static bool weir_moved(const struct netdev_queue *nq)
{
	return time_in_range(nq->trans_start, jiffies - HZ / 2, jiffies);
}

/* Senders leave before flows move, and once more before their frames are looked for. */
static void empty_channels_go_at_once(struct kunit *test)
{
	struct parq_port *port = weir->port;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		netdev_get_tx_queue(port->netdev, i)->trans_start = jiffies - HZ;
	KUNIT_EXPECT_EQ(test, weir_chans(1), 0);
	weir_expect(test, " sync1" WEIR_STEER3
		    " sync2 stop1 stop2 tx8 sync3 down1 down2 rx1 free1 free2");
	KUNIT_EXPECT_EQ(test, weir->held[0], WEIR_QUEUES(0, WEIR_CHANS));
	KUNIT_EXPECT_EQ(test, weir->stops[0], 0ULL);
	KUNIT_EXPECT_EQ(test, weir->stops[1], WEIR_QUEUES(0, WEIR_CHANS));
	/* While the stack still chooses them, they drop what it has. */
	KUNIT_EXPECT_EQ(test, weir->closed, WEIR_QUEUES(1, WEIR_CHANS));
	KUNIT_EXPECT_EQ(test, weir->held[2], WEIR_QUEUES(1, WEIR_CHANS));
	KUNIT_EXPECT_EQ(test, weir->stops[2], 0ULL);
	KUNIT_EXPECT_EQ(test, weir_held(), 0ULL);
	KUNIT_EXPECT_EQ(test, weir_stops(), WEIR_QUEUES(1, WEIR_CHANS));
	for (i = 0; i < 8 * WEIR_CHANS; i++)
		KUNIT_EXPECT_TRUE(test, weir_moved(netdev_get_tx_queue(port->netdev, i)));
	KUNIT_EXPECT_EQ(test, port->num_chans, 1U);
	KUNIT_EXPECT_EQ(test, port->rss.indir[1], 0);
	KUNIT_EXPECT_EQ(test, weir->service, 0UL);
	KUNIT_EXPECT_EQ(test, weir->dropped, 0ULL);
}

/* The other queues of a priority wait for its removed ones, and for no others. */
static void a_paused_queue_drains(struct kunit *test)
{
	struct parq_port *port = weir->port;

	weir->busy = BIT_ULL(2) | BIT_ULL(16 + 5);
	KUNIT_EXPECT_FALSE(test, parq_reconf_removes(port));
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	weir_expect(test, " sync1" WEIR_STEER3 " sync2 stop2");
	KUNIT_EXPECT_TRUE(test, parq_reconf_removes(port));
	KUNIT_EXPECT_TRUE(test, port->chan[2]->draining);
	KUNIT_EXPECT_FALSE(test, port->chan[1]->draining);
	KUNIT_EXPECT_TRUE(test, port->txq[16]->draining);
	KUNIT_EXPECT_FALSE(test, port->txq[15]->draining);
	KUNIT_EXPECT_EQ(test, weir_held(), (WEIR_PRIO(5) & WEIR_QUEUES(0, 2)) | WEIR_QUEUES(2, 3));
	KUNIT_EXPECT_EQ(test, weir->woken, WEIR_QUEUES(0, 2) & ~WEIR_PRIO(5));
	weir_reap();
	weir_expect(test, "");
	KUNIT_EXPECT_EQ(test, weir->woken, WEIR_QUEUES(0, 2) & ~WEIR_PRIO(5));
	KUNIT_EXPECT_FALSE(test, weir_advance());
	/* No other change may come. */
	KUNIT_EXPECT_EQ(test, weir_rings(2 * WEIR_TX, WEIR_RX, NULL), -EBUSY);
	weir_expect_refusal(test, "rings", 21);
	weir->busy = BIT_ULL(2);
	weir->woken = 0;
	KUNIT_EXPECT_TRUE(test, weir_advance());
	KUNIT_EXPECT_EQ(test, weir->woken, WEIR_PRIO(5) & WEIR_QUEUES(0, 2));
	KUNIT_EXPECT_EQ(test, weir_held(), WEIR_QUEUES(2, 3));
	weir_expect(test, "");
	/* It is removed before channels are added. */
	KUNIT_EXPECT_EQ(test, weir_chans(3), 0);
	weir_expect(test, " tx16 sync3 down2 rx2 free2 resize alloc2 up2 tx24 rx3" WEIR_STEER3
		    " wake2");
	KUNIT_EXPECT_FALSE(test, parq_reconf_removes(port));
	KUNIT_EXPECT_TRUE(test, weir_advance());
	weir_reap();
	weir_expect(test, "");
}

/* A removed queue is open while the stack has frames for it. */
static void the_stack_has_frames(struct kunit *test)
{
	struct parq_port *port = weir->port;
	struct parq_txq *q = port->txq[16 + 4];

	q->drain.open = 1;
	q->nq->dql.num_queued = 700;
	weir_backlog(q->index, 3);
	/* The backlog of a qdisc that queues share says nothing. */
	weir_backlog(16, 3);
	weir->qdisc[16].flags = 0;
	weir->busy = BIT_ULL(q->index);
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	KUNIT_EXPECT_EQ(test, q->drain.bytes, 300U);
	KUNIT_EXPECT_EQ(test, q->drain.queued, 700U);
	KUNIT_EXPECT_EQ(test, q->drain.open, 0UL);
	KUNIT_EXPECT_TRUE(test, time_in_range(q->drain.at, jiffies - HZ, jiffies));
	KUNIT_EXPECT_EQ(test, weir_held(), (WEIR_PRIO(4) & WEIR_QUEUES(0, 2)) |
			(WEIR_QUEUES(2, 3) & ~BIT_ULL(q->index)));
	KUNIT_EXPECT_TRUE(test, weir->woken & BIT_ULL(q->index));
	KUNIT_EXPECT_EQ(test, weir->service, msecs_to_jiffies(PARQ_DRAIN_LOOK_MS));
	KUNIT_EXPECT_EQ(test, weir->look.bytes, 300U);
	KUNIT_EXPECT_EQ(test, weir->look.queued, 700U);
	KUNIT_EXPECT_TRUE(test, time_in_range(weir->look.at, q->drain.at, jiffies));
	KUNIT_EXPECT_FALSE(test, weir->look.empty);
	KUNIT_EXPECT_FALSE(test, weir->look.paused);
	weir->log.text[0] = 0;
	weir->paused = BIT(4);
	weir->busy = 0;
	KUNIT_EXPECT_FALSE(test, weir_advance());
	KUNIT_EXPECT_TRUE(test, weir->look.empty);
	KUNIT_EXPECT_TRUE(test, weir->look.paused);
	weir->paused = 0xff & ~BIT(4);
	weir->stopped = 0xff & ~BIT(4);
	KUNIT_EXPECT_FALSE(test, weir_advance());
	KUNIT_EXPECT_FALSE(test, weir->look.paused);
	weir->stopped = BIT(4);
	KUNIT_EXPECT_FALSE(test, weir_advance());
	KUNIT_EXPECT_TRUE(test, weir->look.paused);
	weir_expect(test, "");
	/* The last one has left. */
	weir->busy = BIT_ULL(q->index);
	weir->service = 0;
	weir_backlog(q->index, 0);
	KUNIT_EXPECT_FALSE(test, weir_advance());
	weir_expect(test, " sync3");
	KUNIT_EXPECT_TRUE(test, q->held);
	KUNIT_EXPECT_TRUE(test, netif_tx_queue_stopped(q->nq));
	KUNIT_EXPECT_EQ(test, weir->service, 0UL);
	weir->busy = 0;
	weir_reap();
	weir_expect(test, " tx16 sync4 down2 rx2 free2");
	KUNIT_EXPECT_EQ(test, weir->dropped, 0ULL);
}

/* A sender was in the queue as it was stopped. */
static void a_last_frame_is_late(struct kunit *test)
{
	struct parq_txq *q = weir->port->txq[16 + 7];

	weir_backlog(q->index, 1);
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	weir->log.text[0] = 0;
	weir_backlog(q->index, 0);
	weir->late = BIT_ULL(q->index);
	weir->woken = 0;
	weir->service = 0;
	KUNIT_EXPECT_FALSE(test, weir_advance());
	weir_expect(test, " sync3");
	KUNIT_EXPECT_FALSE(test, q->held);
	KUNIT_EXPECT_EQ(test, weir->woken, BIT_ULL(q->index));
	KUNIT_EXPECT_EQ(test, weir->service, msecs_to_jiffies(PARQ_DRAIN_LOOK_MS));
}

/* Frames that do not come in time are dropped and counted, each once. */
static void the_stack_keeps_frames(struct kunit *test)
{
	struct parq_port *port = weir->port;
	unsigned int i;

	weir_backlog(16, 2);
	weir_backlog(23, 5);
	weir->over = WEIR_QUEUES(2, 3);
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	weir_expect(test, " sync1" WEIR_STEER3
		    " sync2 stop2 sync3 sync4 tx16 sync5 down2 rx2 free2");
	KUNIT_EXPECT_EQ(test, weir->dropped, 7ULL);
	/* The qdiscs empty in time: nothing is dropped. */
	KUNIT_EXPECT_EQ(test, weir_chans(3), 0);
	weir->log.text[0] = 0;
	for (i = 16; i < 24; i++) {
		weir_backlog(i, 9);
		u64_stats_set(&port->tx_stats[i].dropped, 0);
	}
	weir->naps = 2;
	weir->dropped = 0;
	KUNIT_EXPECT_EQ(test, weir_chans(2), 0);
	weir_expect(test, " sync6" WEIR_STEER3 " sync7 stop2 sync8 tx16 sync9 down2 rx2 free2");
	KUNIT_EXPECT_EQ(test, weir->dropped, 0ULL);
}

static struct kunit_case weir_cases[] = {
	KUNIT_CASE(rings_get_other_sizes),
	KUNIT_CASE(rings_of_a_port_that_is_down),
	KUNIT_CASE(rings_are_refused),
	KUNIT_CASE(a_queue_does_not_start_again),
	KUNIT_CASE(a_change_waits_for_an_earlier_one),
	KUNIT_CASE(frames_are_steered),
	KUNIT_CASE(channels_are_added),
	KUNIT_CASE(channels_are_not_added),
	KUNIT_CASE(channels_of_a_port_that_is_down),
	KUNIT_CASE(empty_channels_go_at_once),
	KUNIT_CASE(a_paused_queue_drains),
	KUNIT_CASE(the_stack_has_frames),
	KUNIT_CASE(a_last_frame_is_late),
	KUNIT_CASE(the_stack_keeps_frames),
	{}
};

static struct kunit_suite weir_suite = {
	.name = "parq_reconf",
	.init = weir_init,
	.exit = weir_exit,
	.test_cases = weir_cases,
};

kunit_test_suite(weir_suite);

MODULE_DESCRIPTION("KUnit suite of reconfiguration under traffic");
MODULE_LICENSE("GPL");
