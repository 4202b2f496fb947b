// SPDX-License-Identifier: GPL-2.0
/* Counters of the device, whose sums survive resets, and counters of queues. */
#include <linux/iopoll.h>

#include "parq_io.h"
#include "parq_reg.h"
#include "parq_stats.h"

/* ---- Counters of the device --------------------------------------------- */

#define PARQ_STATS_TIMEOUT_US	100000
#define PARQ_STATS_WORDS	(sizeof(struct parq_stats) / sizeof(__le64))

static int parq_stats_snap(struct parq_port *port)
{
	__le64 *seq = &port->stats.block->seq;
	u32 missed = 0;
	u64 val;

	lockdep_assert_held(&port->stats.lock);
	if (!parq_dev_ready(port->pd) || port->stats.folded)
		return -ENODEV;
	/* A register, which costs a NIC in software as much as half a frame. */
	if (port->pd->caps.flags & PARQ_CAP_LAUNCH && test_bit(PARQ_PORT_LAUNCHES, &port->flags))
		missed = parq_io_launch_missed(port);
	port->stats.seq = (u32)(port->stats.seq + 1);
	parq_io_stats_snap(port, port->stats.seq);
	if (read_poll_timeout(le64_to_cpu, val, val == port->stats.seq, 20,
			      PARQ_STATS_TIMEOUT_US, false, READ_ONCE(*seq)))
		return parq_reg_alive(port->pd) ? -ETIMEDOUT : -ENODEV;
	dma_rmb();
	port->stats.missed += (u32)(missed - port->stats.missed_seen);
	port->stats.missed_seen = missed;
	return 0;
}

/* stats.sum = stats.base + stats.block, except gauges, which are not added. */
static void parq_stats_sum(struct parq_port *port)
{
	const __le64 *base = (const __le64 *)port->stats.base;
	const __le64 *now = (const __le64 *)port->stats.block;
	__le64 *sum = (__le64 *)port->stats.sum;
	unsigned int i;

	lockdep_assert_held(&port->stats.lock);
	for (i = 0; i < PARQ_STATS_WORDS; i++)
		sum[i] = cpu_to_le64(le64_to_cpu(base[i]) +
				     le64_to_cpu(READ_ONCE(now[i])));
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_prio_stats *prio = &port->stats.sum->prio[i];
		u64 was = le64_to_cpu(port->stats.base->prio[i].park_high);
		u64 is = le64_to_cpu(port->stats.block->prio[i].park_high);

		prio->park_high = cpu_to_le64(max(was, is));
	}
	/* rtnl's statistics may be read where sleeping is not allowed. */
	atomic64_set(&port->stats.rx_missed,
		     le64_to_cpu(port->stats.sum->rx_drop_nobuf) +
		     le64_to_cpu(port->stats.sum->rx_drop_dma) +
		     le64_to_cpu(port->stats.sum->rx_drop_buffer));
	atomic64_set(&port->stats.rx_disabled,
		     le64_to_cpu(port->stats.sum->rx_drop_disabled));
	atomic64_set(&port->stats.rx_length,
		     le64_to_cpu(port->stats.sum->rx_undersize) +
		     le64_to_cpu(port->stats.sum->rx_fragment) +
		     le64_to_cpu(port->stats.sum->rx_oversize) +
		     le64_to_cpu(port->stats.sum->rx_jabber));
	atomic64_set(&port->stats.rx_crc, le64_to_cpu(port->stats.sum->rx_fcs_err));
	atomic64_set(&port->stats.rx_multicast,
		     le64_to_cpu(port->stats.sum->rx.multicast));
	atomic64_set(&port->stats.own_storms,
		     le64_to_cpu(port->stats.sum->tx_pause_storm));
}

/**
 * parq_stats_get() - read the counters of the device
 * @port: port
 *
 * On success the caller owns the counters until parq_stats_put().
 *
 * Context: may sleep.
 * Return: counters since probe; ERR_PTR(-ENODEV) if the device is gone or off;
 * ERR_PTR(-ETIMEDOUT) if it did not answer in 100 ms.
 */
const struct parq_stats *parq_stats_get(struct parq_port *port)
{
	int err;

	mutex_lock(&port->stats.lock);
	err = parq_stats_snap(port);
	if (err) {
		mutex_unlock(&port->stats.lock);
		return ERR_PTR(err);
	}
	parq_stats_sum(port);
	return port->stats.sum;
}

/**
 * parq_stats_last() - read the counters of the device, or take those of the last read
 * @port: port
 *
 * For users who want to see counters of a device that is gone or off, too. The caller owns the
 * counters until parq_stats_put().
 *
 * Context: may sleep.
 * Return: counters since probe.
 */
const struct parq_stats *parq_stats_last(struct parq_port *port)
{
	mutex_lock(&port->stats.lock);
	if (!parq_stats_snap(port))
		parq_stats_sum(port);
	return port->stats.sum;
}

void parq_stats_put(struct parq_port *port)
{
	mutex_unlock(&port->stats.lock);
}

/**
 * parq_stats_refresh() - update the device's part of rtnl's statistics
 * @port: port
 *
 * Context: may sleep.
 */
void parq_stats_refresh(struct parq_port *port)
{
	if (!IS_ERR(parq_stats_get(port)))
		parq_stats_put(port);
}

/**
 * parq_stats_fold() - save the counters before a reset of the device
 * @port: port, before the reset
 *
 * Until parq_stats_restart() the counters cannot be read. If the device does not answer,
 * the counters of the last read are saved.
 *
 * Context: may sleep.
 */
void parq_stats_fold(struct parq_port *port)
{
	unsigned int i;

	mutex_lock(&port->stats.lock);
	if (!port->stats.folded) {
		if (!parq_stats_snap(port))
			parq_stats_sum(port);
		*port->stats.base = *port->stats.sum;
		port->stats.base->seq = 0;
		for (i = 0; i < PARQ_NUM_PRIO; i++)
			port->stats.base->prio[i].park_depth = 0;
	}
	port->stats.folded = true;
	mutex_unlock(&port->stats.lock);
}

/**
 * parq_stats_restart() - resume counting after a reset
 * @port: port, after the reset
 *
 * Context: may sleep.
 */
void parq_stats_restart(struct parq_port *port)
{
	mutex_lock(&port->stats.lock);
	memset(port->stats.block, 0, sizeof(*port->stats.block));
	port->stats.seq = 0;
	port->stats.missed_seen = 0;
	port->stats.folded = false;
	mutex_unlock(&port->stats.lock);
}

/* ---- Counters of the driver --------------------------------------------- */

static void parq_tx_counters_add(const struct parq_tx_stats *stats,
				 struct parq_tx_counters *sum)
{
	struct parq_tx_counters c;
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->sync);
		c.packets = u64_stats_read(&stats->packets);
		c.bytes = u64_stats_read(&stats->bytes);
		c.wakes = u64_stats_read(&stats->wakes);
		c.hw_drops = u64_stats_read(&stats->hw_drops);
		c.gso_packets = u64_stats_read(&stats->gso_packets);
		c.gso_bytes = u64_stats_read(&stats->gso_bytes);
		c.gso_wire_packets = u64_stats_read(&stats->gso_wire_packets);
		c.gso_wire_bytes = u64_stats_read(&stats->gso_wire_bytes);
		c.stamps = u64_stats_read(&stats->stamps);
		c.stamps_lost = u64_stats_read(&stats->stamps_lost);
		c.stamps_bad = u64_stats_read(&stats->stamps_bad);
	} while (u64_stats_fetch_retry(&stats->sync, start));
	do {
		start = u64_stats_fetch_begin(&stats->xmit_sync);
		c.dropped = u64_stats_read(&stats->dropped);
		c.errors = u64_stats_read(&stats->errors);
		c.tso = u64_stats_read(&stats->tso);
		c.stops = u64_stats_read(&stats->stops);
		c.timeouts = u64_stats_read(&stats->timeouts);
		c.xdp = u64_stats_read(&stats->xdp);
		c.xdp_full = u64_stats_read(&stats->xdp_full);
		c.xdp_down = u64_stats_read(&stats->xdp_down);
		c.xsk = u64_stats_read(&stats->xsk);
		c.xsk_invalid = u64_stats_read(&stats->xsk_invalid);
	} while (u64_stats_fetch_retry(&stats->xmit_sync, start));
	sum->packets += c.packets;
	sum->bytes += c.bytes;
	sum->wakes += c.wakes;
	sum->hw_drops += c.hw_drops;
	sum->gso_packets += c.gso_packets;
	sum->gso_bytes += c.gso_bytes;
	sum->gso_wire_packets += c.gso_wire_packets;
	sum->gso_wire_bytes += c.gso_wire_bytes;
	sum->stamps += c.stamps;
	sum->stamps_lost += c.stamps_lost;
	sum->stamps_bad += c.stamps_bad;
	sum->dropped += c.dropped;
	sum->errors += c.errors;
	sum->tso += c.tso;
	sum->stops += c.stops;
	sum->timeouts += c.timeouts;
	sum->xdp += c.xdp;
	sum->xdp_full += c.xdp_full;
	sum->xdp_down += c.xdp_down;
	sum->xsk += c.xsk;
	sum->xsk_invalid += c.xsk_invalid;
}

static void parq_rx_counters_add(const struct parq_rx_stats *stats,
				 struct parq_rx_counters *sum)
{
	struct parq_rx_counters c;
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->sync);
		c.packets = u64_stats_read(&stats->packets);
		c.bytes = u64_stats_read(&stats->bytes);
		c.csum_ok = u64_stats_read(&stats->csum_ok);
		c.csum_bad = u64_stats_read(&stats->csum_bad);
		c.gro_packets = u64_stats_read(&stats->gro_packets);
		c.gro_bytes = u64_stats_read(&stats->gro_bytes);
		c.gro_wire_packets = u64_stats_read(&stats->gro_wire_packets);
		c.gro_wire_bytes = u64_stats_read(&stats->gro_wire_bytes);
		c.errors = u64_stats_read(&stats->errors);
		c.dropped = u64_stats_read(&stats->dropped);
		c.flushed = u64_stats_read(&stats->flushed);
		c.alloc_fail = u64_stats_read(&stats->alloc_fail);
		c.xdp_drop = u64_stats_read(&stats->xdp_drop);
		c.xdp_tx = u64_stats_read(&stats->xdp_tx);
		c.xdp_redirect = u64_stats_read(&stats->xdp_redirect);
		c.xdp_aborted = u64_stats_read(&stats->xdp_aborted);
	} while (u64_stats_fetch_retry(&stats->sync, start));
	sum->packets += c.packets;
	sum->bytes += c.bytes;
	sum->csum_ok += c.csum_ok;
	sum->csum_bad += c.csum_bad;
	sum->gro_packets += c.gro_packets;
	sum->gro_bytes += c.gro_bytes;
	sum->gro_wire_packets += c.gro_wire_packets;
	sum->gro_wire_bytes += c.gro_wire_bytes;
	sum->errors += c.errors;
	sum->dropped += c.dropped;
	sum->flushed += c.flushed;
	sum->alloc_fail += c.alloc_fail;
	sum->xdp_drop += c.xdp_drop;
	sum->xdp_tx += c.xdp_tx;
	sum->xdp_redirect += c.xdp_redirect;
	sum->xdp_aborted += c.xdp_aborted;
}

void parq_stats_queues(const struct parq_port *port,
		       struct parq_tx_counters *tx, struct parq_rx_counters *rx)
{
	unsigned int i;

	for (i = 0; i < port->netdev->num_tx_queues; i++)
		parq_tx_counters_add(&port->tx_stats[i], tx);
	for (i = 0; i < port->pd->caps.chans; i++)
		parq_rx_counters_add(&port->rx_stats[i], rx);
}

void parq_stats_link(const struct parq_port *port, struct rtnl_link_stats64 *s)
{
	struct parq_tx_counters tx = {};
	struct parq_rx_counters rx = {};

	parq_stats_queues(port, &tx, &rx);
	s->tx_packets = tx.packets;
	s->tx_bytes = tx.bytes;
	s->tx_dropped = tx.dropped + tx.errors + tx.hw_drops + tx.xdp_full +
			tx.xdp_down + tx.xsk_invalid;
	s->tx_errors = tx.errors;
	s->rx_packets = rx.packets;
	s->rx_bytes = rx.bytes;
	/* Frames without a buffer count as missed, not here. */
	s->rx_dropped = rx.dropped + rx.flushed + atomic64_read(&port->stats.rx_disabled);
	s->rx_length_errors = atomic64_read(&port->stats.rx_length);
	s->rx_crc_errors = atomic64_read(&port->stats.rx_crc);
	s->rx_errors = rx.errors + s->rx_length_errors + s->rx_crc_errors;
	s->rx_missed_errors = atomic64_read(&port->stats.rx_missed);
	s->multicast = atomic64_read(&port->stats.rx_multicast);
}

/* ---- The stack's queue statistics --------------------------------------- */

#ifdef PARQ_HAVE_NETDEV_STAT_OPS
/* Values of struct parq_queue_stats. */
struct parq_hw_counters {
	u64 frames;
	u64 drop;
	u64 csum;
};

/* Adds up the device's counters of RX or TX queues [@first, @end), as last read. */
static void parq_hw_counters_add(struct parq_port *port, bool rx,
				 unsigned int first, unsigned int end,
				 struct parq_hw_counters *sum)
{
	const struct parq_queue_stats *queue;
	unsigned int i;

	mutex_lock(&port->stats.lock);
	queue = rx ? port->stats.sum->rxq : port->stats.sum->txq;
	for (i = first; i < end; i++) {
		sum->frames += le64_to_cpu(queue[i].frames);
		sum->drop += le64_to_cpu(queue[i].drop);
		sum->csum += le64_to_cpu(queue[i].csum);
	}
	mutex_unlock(&port->stats.lock);
}

/*
 * Each dump begins with queue 0. The device is read only then, so that one that does not
 * answer delays it once.
 */
static void parq_hw_refresh(struct parq_port *port, int index)
{
	if (!index)
		parq_stats_refresh(port);
}

static void parq_fill_rx(const struct parq_rx_counters *c,
			 const struct parq_hw_counters *hw,
			 struct netdev_queue_stats_rx *stats)
{
	stats->packets = c->packets;
	stats->bytes = c->bytes;
	stats->alloc_fail = c->alloc_fail + c->dropped;
	/* The two from the device are of the same moment: the difference never decreases. */
	parq_compat_stats_rx_csum(stats, c->csum_ok, c->csum_bad,
				  hw->frames - hw->csum);
	parq_compat_stats_rx_gro(stats, c->gro_packets, c->gro_bytes,
				 c->gro_wire_packets, c->gro_wire_bytes);
	parq_compat_stats_rx_drops(stats, hw->drop, hw->drop);
}

static void parq_fill_tx(const struct parq_tx_counters *c,
			 const struct parq_hw_counters *hw,
			 struct netdev_queue_stats_tx *stats)
{
	stats->packets = c->packets;
	stats->bytes = c->bytes;
	parq_compat_stats_stop(stats, c->stops, c->wakes);
	parq_compat_stats_tx_csum(stats, hw->frames - hw->csum, hw->csum);
	parq_compat_stats_tx_gso(stats, c->gso_packets, c->gso_bytes,
				 c->gso_wire_packets, c->gso_wire_bytes);
	parq_compat_stats_tx_drops(stats, hw->drop);
}

static void parq_get_queue_stats_rx(struct net_device *dev, int index,
				    struct netdev_queue_stats_rx *stats)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_hw_counters hw = {};
	struct parq_rx_counters c = {};

	parq_hw_refresh(port, index);
	parq_hw_counters_add(port, true, index, index + 1, &hw);
	parq_rx_counters_add(&port->rx_stats[index], &c);
	parq_fill_rx(&c, &hw, stats);
}

static void parq_get_queue_stats_tx(struct net_device *dev, int index,
				    struct netdev_queue_stats_tx *stats)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_hw_counters hw = {};
	struct parq_tx_counters c = {};

	parq_hw_refresh(port, index);
	parq_hw_counters_add(port, false, index, index + 1, &hw);
	parq_tx_counters_add(&port->tx_stats[index], &c);
	parq_fill_tx(&c, &hw, stats);
}

/* Frames that the device has dropped before they had a queue, or with a malformed FD. */
static void parq_base_drops(struct parq_port *port, struct parq_hw_counters *rx,
			    u64 *rx_overruns, u64 *tx_errors)
{
	const struct parq_stats *hw = port->stats.sum;

	mutex_lock(&port->stats.lock);
	*rx_overruns = rx->drop + le64_to_cpu(hw->rx_drop_buffer);
	rx->drop += le64_to_cpu(hw->rx_drop_buffer) +
		    le64_to_cpu(hw->rx_drop_dma) +
		    le64_to_cpu(hw->rx_drop_disabled) +
		    le64_to_cpu(hw->rx_filtered) +
		    le64_to_cpu(hw->rx_fcs_err) +
		    le64_to_cpu(hw->rx_undersize) +
		    le64_to_cpu(hw->rx_fragment) +
		    le64_to_cpu(hw->rx_oversize) +
		    le64_to_cpu(hw->rx_jabber);
	*tx_errors = le64_to_cpu(hw->tx_drop_desc) +
		     le64_to_cpu(hw->tx_drop_park);
	mutex_unlock(&port->stats.lock);
}

/* Counters of queues that are not in use now, and those that belong to no queue. */
static void parq_get_base_stats(struct net_device *dev,
				struct netdev_queue_stats_rx *rx,
				struct netdev_queue_stats_tx *tx)
{
	struct parq_hw_counters hw_rx = {}, hw_tx = {};
	struct parq_port *port = netdev_priv(dev);
	struct parq_rx_counters r = {};
	struct parq_tx_counters t = {};
	u64 overruns, errors;
	unsigned int i;

	for (i = dev->real_num_rx_queues; i < port->pd->caps.chans; i++)
		parq_rx_counters_add(&port->rx_stats[i], &r);
	for (i = dev->real_num_tx_queues; i < dev->num_tx_queues; i++)
		parq_tx_counters_add(&port->tx_stats[i], &t);
	parq_stats_refresh(port);
	parq_hw_counters_add(port, true, dev->real_num_rx_queues,
			     port->pd->caps.chans, &hw_rx);
	parq_hw_counters_add(port, false, dev->real_num_tx_queues,
			     dev->num_tx_queues, &hw_tx);
	parq_base_drops(port, &hw_rx, &overruns, &errors);
	parq_fill_rx(&r, &hw_rx, rx);
	parq_fill_tx(&t, &hw_tx, tx);
	parq_compat_stats_rx_drops(rx, hw_rx.drop, overruns);
	parq_compat_stats_tx_errors(tx, errors);
}

static const struct netdev_stat_ops parq_stat_ops = {
	.get_queue_stats_rx = parq_get_queue_stats_rx,
	.get_queue_stats_tx = parq_get_queue_stats_tx,
	.get_base_stats = parq_get_base_stats,
};
#endif

/**
 * parq_stats_netdev() - offer per-queue statistics to the stack
 * @dev: netdev that is not registered yet
 */
void parq_stats_netdev(struct net_device *dev)
{
#ifdef PARQ_HAVE_NETDEV_STAT_OPS
	dev->stat_ops = &parq_stat_ops;
#endif
}
