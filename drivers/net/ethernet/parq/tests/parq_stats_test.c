// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of statistics: each frame that was dropped is in one of the interface's
 * counters, and each that was to be sent in those of its queue.
 */
#include <kunit/test.h>

#include "../parq_io.h"
#include "../parq_port.h"
#include "../parq_reg.h"
#include "../parq_stats.h"

/**
 * struct count - a port of one queue of each kind
 * @port: the port
 * @pd: its device
 * @netdev: its netdev, of which netdev_priv() is @port
 * @tx: counters of the TX queue
 * @rx: counters of the RX queue
 * @now: what the device counts
 * @missed: PARQ_LAUNCH_MISSED
 */
struct count {
	struct parq_port *port;
	struct parq_dev pd;
	struct net_device *netdev;
	struct parq_tx_stats tx;
	struct parq_rx_stats rx;
	struct parq_stats now;
	u32 missed;
};

static struct count *count;

void parq_io_stats_snap(struct parq_port *port, u32 seq)
{
	*port->stats.block = count->now;
	port->stats.block->seq = cpu_to_le64(seq);
}

u32 parq_io_launch_missed(struct parq_port *port)
{
	return count->missed;
}

bool parq_reg_alive(struct parq_dev *pd)
{
	return true;
}

static int count_init(struct kunit *test)
{
	struct parq_port *port;

	count = kunit_kzalloc(test, sizeof(*count), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, count);
	count->netdev = kunit_kzalloc(test, sizeof(*count->netdev) + sizeof(*port) + NETDEV_ALIGN,
				      GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, count->netdev);
	port = netdev_priv(count->netdev);
	count->port = port;
	port->pd = &count->pd;
	port->netdev = count->netdev;
	port->tx_stats = &count->tx;
	port->rx_stats = &count->rx;
	port->stats.block = kunit_kzalloc(test, sizeof(*port->stats.block), GFP_KERNEL);
	port->stats.base = kunit_kzalloc(test, sizeof(*port->stats.base), GFP_KERNEL);
	port->stats.sum = kunit_kzalloc(test, sizeof(*port->stats.sum), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->stats.block);
	KUNIT_ASSERT_NOT_NULL(test, port->stats.base);
	KUNIT_ASSERT_NOT_NULL(test, port->stats.sum);
	mutex_init(&port->stats.lock);
	set_bit(PARQ_DEV_READY, &count->pd.flags);
	parq_stats_netdev(count->netdev);
	count->netdev->num_tx_queues = 1;
	count->pd.caps.chans = 1;
	count->netdev->real_num_tx_queues = 1;
	count->netdev->real_num_rx_queues = 1;
	return 0;
}

/* Powers of two, so that each sum tells what is in it. */
static void link_rx(struct kunit *test)
{
	struct rtnl_link_stats64 s = {};

	count->now.rx_drop_nobuf = cpu_to_le64(1);
	count->now.rx_drop_buffer = cpu_to_le64(2);
	count->now.rx_drop_dma = cpu_to_le64(4);
	count->now.rx_drop_disabled = cpu_to_le64(8);
	u64_stats_add(&count->rx.dropped, 16);
	u64_stats_add(&count->rx.errors, 32);
	u64_stats_add(&count->rx.packets, 64);
	count->now.rx_undersize = cpu_to_le64(256);
	count->now.rx_oversize = cpu_to_le64(512);
	count->now.rx_fcs_err = cpu_to_le64(1024);
	count->now.rx.multicast = cpu_to_le64(2048);
	count->now.rx_fragment = cpu_to_le64(4096);
	count->now.rx_jabber = cpu_to_le64(8192);
	parq_stats_refresh(count->port);
	parq_stats_link(count->port, &s);
	KUNIT_EXPECT_EQ(test, s.rx_missed_errors, 1ULL + 2 + 4);
	KUNIT_EXPECT_EQ(test, s.rx_dropped, 8ULL + 16);
	KUNIT_EXPECT_EQ(test, s.rx_length_errors, 256ULL + 512 + 4096 + 8192);
	KUNIT_EXPECT_EQ(test, s.rx_crc_errors, 1024ULL);
	KUNIT_EXPECT_EQ(test, s.rx_errors, 32ULL + 1024 + s.rx_length_errors);
	KUNIT_EXPECT_EQ(test, s.rx_packets, 64ULL);
	KUNIT_EXPECT_EQ(test, s.multicast, 2048ULL);
	/* A reset of the device takes nothing away. */
	parq_stats_fold(count->port);
	count->now = (struct parq_stats){ .rx_drop_disabled = cpu_to_le64(128) };
	parq_stats_restart(count->port);
	parq_stats_refresh(count->port);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(count->port->stats.block->seq), 1ULL);
	parq_stats_link(count->port, &s);
	KUNIT_EXPECT_EQ(test, s.rx_missed_errors, 1ULL + 2 + 4);
	KUNIT_EXPECT_EQ(test, s.rx_dropped, 8ULL + 16 + 128);
	KUNIT_EXPECT_EQ(test, s.multicast, 2048ULL);
}

/* The counters of a device that is gone are those of the last read. */
static void last_of_a_dead_device(struct kunit *test)
{
	const struct parq_stats *stats;

	count->now.prio[3].tx_pause = cpu_to_le64(7);
	stats = parq_stats_last(count->port);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(stats->prio[3].tx_pause), 7ULL);
	parq_stats_put(count->port);
	clear_bit(PARQ_DEV_READY, &count->pd.flags);
	memset(&count->now, 0xff, sizeof(count->now));
	KUNIT_EXPECT_TRUE(test, IS_ERR(parq_stats_get(count->port)));
	stats = parq_stats_last(count->port);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(stats->prio[3].tx_pause), 7ULL);
	parq_stats_put(count->port);
}

static void count_tx(void)
{
	u64_stats_add(&count->tx.packets, 1);
	u64_stats_add(&count->tx.hw_drops, 2);
	u64_stats_add(&count->tx.dropped, 4);
	u64_stats_add(&count->tx.errors, 8);
}

static void link_tx(struct kunit *test)
{
	struct rtnl_link_stats64 s = {};

	count_tx();
	parq_stats_link(count->port, &s);
	KUNIT_EXPECT_EQ(test, s.tx_packets, 1ULL);
	KUNIT_EXPECT_EQ(test, s.tx_dropped, 2ULL + 4 + 8);
	KUNIT_EXPECT_EQ(test, s.tx_errors, 8ULL);
}

#if defined(PARQ_HAVE_NETDEV_STAT_OPS) && defined(PARQ_HAVE_NETDEV_STAT_DROPS)
/* Only what has reached the device counts as dropped by it. */
static void queue_tx(struct kunit *test)
{
	struct netdev_queue_stats_tx s = {}, base = {};
	struct netdev_queue_stats_rx rx = {};

	count_tx();
	u64_stats_add(&count->tx.gso_packets, 1);
	u64_stats_add(&count->tx.gso_bytes, 2);
	u64_stats_add(&count->tx.gso_wire_packets, 4);
	u64_stats_add(&count->tx.gso_wire_bytes, 8);
	count->now.txq[0].frames = cpu_to_le64(64);
	count->now.txq[0].drop = cpu_to_le64(16);
	count->now.txq[0].csum = cpu_to_le64(24);
	count->now.tx_drop_desc = cpu_to_le64(1);
	count->now.tx_drop_dma = cpu_to_le64(2);
	count->now.tx_drop_park = cpu_to_le64(4);
	count->now.tx_drop_purge = cpu_to_le64(8);
	count->netdev->stat_ops->get_queue_stats_tx(count->netdev, 0, &s);
	KUNIT_EXPECT_EQ(test, s.packets, 1ULL);
	KUNIT_EXPECT_EQ(test, s.hw_drops, 16ULL);
	KUNIT_EXPECT_EQ(test, s.needs_csum, 24ULL);
	KUNIT_EXPECT_EQ(test, s.csum_none, 40ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gso_packets, 1ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gso_bytes, 2ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gso_wire_packets, 4ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gso_wire_bytes, 8ULL);
	count->netdev->stat_ops->get_base_stats(count->netdev, &rx, &base);
	KUNIT_EXPECT_EQ(test, base.hw_drops, 0ULL);
	KUNIT_EXPECT_EQ(test, base.hw_drop_errors, 1ULL + 4);
	/* The queue goes. */
	count->netdev->real_num_tx_queues = 0;
	count->netdev->stat_ops->get_base_stats(count->netdev, &rx, &base);
	KUNIT_EXPECT_EQ(test, base.hw_drops, 16ULL);
	KUNIT_EXPECT_EQ(test, base.needs_csum, 24ULL);
	KUNIT_EXPECT_EQ(test, base.hw_gso_packets, 1ULL);
}

/* Drops that belong to no queue are in the base. */
static void queue_rx(struct kunit *test)
{
	struct netdev_queue_stats_rx s = {}, base = {};
	struct netdev_queue_stats_tx tx = {};

	u64_stats_add(&count->rx.alloc_fail, 1);
	u64_stats_add(&count->rx.dropped, 2);
	u64_stats_add(&count->rx.csum_ok, 8);
	u64_stats_add(&count->rx.csum_bad, 16);
	u64_stats_add(&count->rx.gro_packets, 1);
	u64_stats_add(&count->rx.gro_bytes, 2);
	u64_stats_add(&count->rx.gro_wire_packets, 4);
	u64_stats_add(&count->rx.gro_wire_bytes, 8);
	count->now.rxq[0].frames = cpu_to_le64(64);
	count->now.rxq[0].drop = cpu_to_le64(1);
	count->now.rxq[0].csum = cpu_to_le64(24);
	count->now.rx_drop_nobuf = cpu_to_le64(1);
	count->now.rx_drop_buffer = cpu_to_le64(2);
	count->now.rx_drop_dma = cpu_to_le64(4);
	count->now.rx_drop_disabled = cpu_to_le64(8);
	count->now.rx_filtered = cpu_to_le64(16);
	count->now.rx_fcs_err = cpu_to_le64(32);
	count->now.rx_undersize = cpu_to_le64(64);
	count->now.rx_oversize = cpu_to_le64(128);
	count->now.rx_fragment = cpu_to_le64(256);
	count->now.rx_jabber = cpu_to_le64(512);
	count->netdev->stat_ops->get_queue_stats_rx(count->netdev, 0, &s);
	KUNIT_EXPECT_EQ(test, s.alloc_fail, 1ULL + 2);
	KUNIT_EXPECT_EQ(test, s.csum_unnecessary, 8ULL);
	KUNIT_EXPECT_EQ(test, s.csum_bad, 16ULL);
	KUNIT_EXPECT_EQ(test, s.csum_none, 40ULL);
	KUNIT_EXPECT_EQ(test, s.hw_drops, 1ULL);
	KUNIT_EXPECT_EQ(test, s.hw_drop_overruns, 1ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gro_packets, 1ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gro_bytes, 2ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gro_wire_packets, 4ULL);
	KUNIT_EXPECT_EQ(test, s.hw_gro_wire_bytes, 8ULL);
	count->netdev->stat_ops->get_base_stats(count->netdev, &base, &tx);
	KUNIT_EXPECT_EQ(test, base.hw_drops, 1022ULL);
	KUNIT_EXPECT_EQ(test, base.hw_drop_overruns, 2ULL);
	/* The queue goes. */
	count->netdev->real_num_rx_queues = 0;
	count->netdev->stat_ops->get_base_stats(count->netdev, &base, &tx);
	KUNIT_EXPECT_EQ(test, base.hw_drops, 1023ULL);
	KUNIT_EXPECT_EQ(test, base.hw_drop_overruns, 3ULL);
}
#else
static void queue_tx(struct kunit *test)
{
	kunit_skip(test, "this kernel does not ask for drops of queues");
}

#define queue_rx	queue_tx
#endif

/* The register wraps, and a reset clears it. */
static void launch_missed(struct kunit *test)
{
	struct parq_port *port = count->port;

	count->missed = 5;
	parq_stats_refresh(port);
	KUNIT_EXPECT_EQ(test, port->stats.missed, 0ULL);
	count->pd.caps.flags = PARQ_CAP_LAUNCH;
	parq_stats_refresh(port);
	KUNIT_EXPECT_EQ(test, port->stats.missed, 0ULL);
	set_bit(PARQ_PORT_LAUNCHES, &port->flags);
	count->missed = U32_MAX;
	parq_stats_refresh(port);
	count->missed = 1;
	parq_stats_refresh(port);
	KUNIT_EXPECT_EQ(test, port->stats.missed, U32_MAX + 2ULL);
	count->missed = 3;
	parq_stats_fold(port);
	parq_stats_restart(port);
	count->missed = 7;
	parq_stats_refresh(port);
	KUNIT_EXPECT_EQ(test, port->stats.missed, U32_MAX + 11ULL);
}

static struct kunit_case parq_stats_tests[] = {
	KUNIT_CASE(link_rx),
	KUNIT_CASE(last_of_a_dead_device),
	KUNIT_CASE(link_tx),
	KUNIT_CASE(queue_tx),
	KUNIT_CASE(queue_rx),
	KUNIT_CASE(launch_missed),
	{}
};

static struct kunit_suite parq_stats_suite = {
	.name = "parq_stats",
	.init = count_init,
	.test_cases = parq_stats_tests,
};

kunit_test_suite(parq_stats_suite);
