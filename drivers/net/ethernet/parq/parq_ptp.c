// SPDX-License-Identifier: GPL-2.0
/*
 * PTP clock of a device, and which frames of a port get time stamps.
 *
 * All ports share the clock. The device loses it in a reset: it is set again from the time that has
 * passed since the last read.
 */
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_ptp.h"
#include "parq_stats.h"

/* ppb; PARQ_PTP_RATE has room for 1953 ppm. */
#define PARQ_PTP_MAX_ADJ	1000000
/* Interval of reads. A stamp may be 39 hours away from the last one. */
#define PARQ_PTP_AUX		(3600 * HZ)

/* ---- Clock -------------------------------------------------------------- */

static struct parq_ptp *parq_ptp_of(struct ptp_clock_info *info)
{
	return container_of(info, struct parq_ptp, info);
}

/*
 * The clock's file stays open while the device is reset. Its registers may be used only while the
 * clock is valid, and what was read only if the device is there afterwards.
 * Return: 0 or -ENODEV.
 */
static int parq_ptp_check(const struct parq_ptp *ptp)
{
	lockdep_assert_held(&ptp->lock);
	return ptp->valid && parq_dev_ready(ptp->pd) ? 0 : -ENODEV;
}

/* Remembers that the clock is, or is about to be, at @ns. */
static void parq_ptp_store(struct parq_ptp *ptp, u64 ns)
{
	ptp->offset = ns - ktime_get_boottime_ns();
	WRITE_ONCE(ptp->hi[ptp->steps % PARQ_PTP_SCALES], upper_32_bits(ns));
}

/* @sts: see parq_io_ptp_time(). Return: 0 or -ENODEV. */
static int parq_ptp_read(struct parq_ptp *ptp, s64 *ns, struct ptp_system_timestamp *sts)
{
	int err = parq_ptp_check(ptp);

	if (err)
		return err;
	*ns = parq_io_ptp_time(ptp->pd, sts);
	err = parq_ptp_check(ptp);
	if (!err)
		parq_ptp_store(ptp, *ns);
	return err;
}

/* The first frame of the new scale must find a time of it: that is stored before the command. */
static void parq_ptp_jump(struct parq_ptp *ptp, enum parq_ptp_op op, u64 val, u64 ns)
{
	ptp->steps++;
	parq_ptp_store(ptp, ns);
	parq_io_ptp_cmd(ptp->pd, op, val);
}

static int parq_ptp_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	struct parq_ptp *ptp = parq_ptp_of(info);
	s32 rate = parq_ptp_rate(scaled_ppm);
	int err;

	mutex_lock(&ptp->lock);
	err = parq_ptp_check(ptp);
	if (!err) {
		ptp->rate = rate;
		parq_io_ptp_rate(ptp->pd, rate);
	}
	mutex_unlock(&ptp->lock);
	return err;
}

static int parq_ptp_adjtime(struct ptp_clock_info *info, s64 delta)
{
	struct parq_ptp *ptp = parq_ptp_of(info);
	int err;
	s64 ns;

	mutex_lock(&ptp->lock);
	err = parq_ptp_read(ptp, &ns, NULL);
	if (!err && (check_add_overflow(ns, delta, &ns) || ns < 0))
		err = -ERANGE;
	if (!err)
		parq_ptp_jump(ptp, PARQ_PTP_STEP, delta, ns);
	mutex_unlock(&ptp->lock);
	return err;
}

static int parq_ptp_gettimex(struct ptp_clock_info *info, struct timespec64 *ts,
			     struct ptp_system_timestamp *sts)
{
	struct parq_ptp *ptp = parq_ptp_of(info);
	int err;
	s64 ns;

	mutex_lock(&ptp->lock);
	err = parq_ptp_read(ptp, &ns, sts);
	mutex_unlock(&ptp->lock);
	if (!err)
		*ts = ns_to_timespec64(ns);
	return err;
}

static int parq_ptp_settime(struct ptp_clock_info *info, const struct timespec64 *ts)
{
	struct parq_ptp *ptp = parq_ptp_of(info);
	s64 ns = timespec64_to_ns(ts);
	int err;

	if (ns < 0)
		return -ERANGE;
	mutex_lock(&ptp->lock);
	err = parq_ptp_check(ptp);
	if (!err)
		parq_ptp_jump(ptp, PARQ_PTP_SET, ns, ns);
	mutex_unlock(&ptp->lock);
	return err;
}

static long parq_ptp_aux(struct ptp_clock_info *info)
{
	struct parq_ptp *ptp = parq_ptp_of(info);
	s64 ns;

	mutex_lock(&ptp->lock);
	parq_ptp_read(ptp, &ns, NULL);
	mutex_unlock(&ptp->lock);
	return PARQ_PTP_AUX;
}

static const struct ptp_clock_info parq_ptp_info = {
	.owner = THIS_MODULE,
	.name = PARQ_DRV_NAME,
	.max_adj = PARQ_PTP_MAX_ADJ,
	.adjfine = parq_ptp_adjfine,
	.adjtime = parq_ptp_adjtime,
	.gettimex64 = parq_ptp_gettimex,
	.settime64 = parq_ptp_settime,
	.do_aux_work = parq_ptp_aux,
};

/* ---- Life --------------------------------------------------------------- */

/* Sets the clock of a device that has been reset. */
static void parq_ptp_set(struct parq_ptp *ptp, u64 ns)
{
	mutex_lock(&ptp->lock);
	ptp->steps = 0;
	parq_ptp_jump(ptp, PARQ_PTP_SET, ns, ns);
	parq_io_ptp_rate(ptp->pd, ptp->rate);
	ptp->valid = true;
	mutex_unlock(&ptp->lock);
}

/**
 * parq_ptp_init() - register the clock of a device
 * @pd: device that has been reset
 *
 * Without a clock all else works: parq_dev.ptp is NULL then.
 */
void parq_ptp_init(struct parq_dev *pd)
{
	struct ptp_clock *clock;
	struct parq_ptp *ptp;

	if (!(pd->caps.flags & PARQ_CAP_PTP))
		return;
	ptp = kzalloc_obj(*ptp);
	if (!ptp)
		return;
	mutex_init(&ptp->lock);
	ptp->pd = pd;
	ptp->info = parq_ptp_info;
	parq_ptp_set(ptp, ktime_get_real_ns());
	clock = ptp_clock_register(&ptp->info, pd->dev);
	if (IS_ERR_OR_NULL(clock)) {
		/* NULL: the kernel has no PTP clocks. */
		if (clock)
			dev_warn(pd->dev, "no PTP clock: %pe\n", clock);
		mutex_destroy(&ptp->lock);
		kfree(ptp);
		return;
	}
	ptp->clock = clock;
	pd->ptp = ptp;
	ptp_schedule_worker(clock, PARQ_PTP_AUX);
}

/* Undoes parq_ptp_init(), after the ports are gone. */
void parq_ptp_fini(struct parq_dev *pd)
{
	struct parq_ptp *ptp = pd->ptp;

	if (!ptp)
		return;
	ptp_clock_unregister(ptp->clock);
	pd->ptp = NULL;
	mutex_destroy(&ptp->lock);
	kfree(ptp);
}

/* Before a reset. The clock of a device that is gone continues from the last read. */
void parq_ptp_save(struct parq_dev *pd)
{
	struct parq_ptp *ptp = pd->ptp;
	s64 ns;

	if (!ptp)
		return;
	mutex_lock(&ptp->lock);
	parq_ptp_read(ptp, &ns, NULL);
	ptp->valid = false;
	mutex_unlock(&ptp->lock);
}

void parq_ptp_restore(struct parq_dev *pd)
{
	if (pd->ptp)
		parq_ptp_set(pd->ptp, ktime_get_boottime_ns() + pd->ptp->offset);
}

/* ---- Settings of a port ------------------------------------------------- */

int parq_ptp_hwtstamp_get(struct net_device *dev, struct kernel_hwtstamp_config *cfg)
{
	const struct parq_port *port = netdev_priv(dev);

	if (!port->pd->ptp)
		return -EOPNOTSUPP;
	cfg->flags = 0;
	cfg->tx_type = port->tx_stamps ? HWTSTAMP_TX_ON : HWTSTAMP_TX_OFF;
	cfg->rx_filter = port->rx_stamps ? HWTSTAMP_FILTER_ALL : HWTSTAMP_FILTER_NONE;
	return 0;
}

/* A filter for some frames becomes one for all, as the interface permits. */
int parq_ptp_hwtstamp_set(struct net_device *dev, struct kernel_hwtstamp_config *cfg,
			  struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	bool rx = cfg->rx_filter != HWTSTAMP_FILTER_NONE;

	if (!port->pd->ptp)
		return -EOPNOTSUPP;
	if (cfg->tx_type != HWTSTAMP_TX_OFF && cfg->tx_type != HWTSTAMP_TX_ON) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "TX time stamps of type %d are not supported",
				       cfg->tx_type);
		return -ERANGE;
	}
	if (cfg->rx_filter < 0 || cfg->rx_filter > HWTSTAMP_FILTER_NTP_ALL ||
	    cfg->rx_filter == HWTSTAMP_FILTER_SOME) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "RX filter %d for time stamps is not supported",
				       cfg->rx_filter);
		return -ERANGE;
	}
	WRITE_ONCE(port->tx_stamps, cfg->tx_type == HWTSTAMP_TX_ON);
	WRITE_ONCE(port->rx_stamps, rx);
	parq_io_port_ctrl(port, rx ? 0 : PARQ_PORT_CTRL_RX_STAMP,
			  rx ? PARQ_PORT_CTRL_RX_STAMP : 0);
	cfg->rx_filter = rx ? HWTSTAMP_FILTER_ALL : HWTSTAMP_FILTER_NONE;
	return 0;
}

#ifndef PARQ_HAVE_NDO_HWTSTAMP
int parq_ptp_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd)
{
	struct kernel_hwtstamp_config kernel_cfg;
	struct hwtstamp_config cfg;
	int err;

	if (cmd != SIOCSHWTSTAMP && cmd != SIOCGHWTSTAMP)
		return -EOPNOTSUPP;
	if (copy_from_user(&cfg, ifr->ifr_data, sizeof(cfg)))
		return -EFAULT;
	kernel_cfg.tx_type = cfg.tx_type;
	kernel_cfg.rx_filter = cfg.rx_filter;
	err = cmd == SIOCSHWTSTAMP ? parq_ptp_hwtstamp_set(dev, &kernel_cfg, NULL) :
				     parq_ptp_hwtstamp_get(dev, &kernel_cfg);
	if (err)
		return err;
	cfg = (struct hwtstamp_config){
		.tx_type = kernel_cfg.tx_type,
		.rx_filter = kernel_cfg.rx_filter,
	};
	return copy_to_user(ifr->ifr_data, &cfg, sizeof(cfg)) ? -EFAULT : 0;
}
#endif

int parq_ptp_ts_info(struct net_device *dev, struct kernel_ethtool_ts_info *info)
{
	const struct parq_port *port = netdev_priv(dev);
	const struct parq_ptp *ptp = port->pd->ptp;
	int err = ethtool_op_get_ts_info(dev, info);

	if (err || !ptp)
		return err;
	info->so_timestamping |= SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE |
				 SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = ptp_clock_index(ptp->clock);
	info->tx_types = BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL);
	return 0;
}

#ifdef PARQ_HAVE_TS_STATS
void parq_ptp_ts_stats(struct net_device *dev, struct ethtool_ts_stats *stats)
{
	const struct parq_port *port = netdev_priv(dev);
	struct parq_tx_counters tx = {};
	struct parq_rx_counters rx = {};

	if (!port->pd->ptp)
		return;
	parq_stats_queues(port, &tx, &rx);
	stats->pkts = tx.stamps;
	stats->lost = tx.stamps_lost;
	stats->err = tx.stamps_bad;
}
#endif

/* ---- Stamps of sent frames ---------------------------------------------- */

static void parq_tx_count_stamp(struct parq_txq *q, u64_stats_t *counter)
{
	u64_stats_update_begin(&q->stats->sync);
	u64_stats_inc(counter);
	u64_stats_update_end(&q->stats->sync);
}

/*
 * Reads and counts the time stamp of a complete frame with a request, which the device has written
 * like a drop. Return: there is one, @ns.
 */
bool parq_tx_stamp_read(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos, u64 *ns)
{
	const struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];
	u64 info = le64_to_cpu(desc->info);

	*ns = le64_to_cpu(desc->addr);
	if ((info & (PARQ_TXS_STAMP | PARQ_TXS_DROPPED)) != PARQ_TXS_STAMP) {
		parq_tx_count_stamp(q, &q->stats->stamps_lost);
		return false;
	}
	if (*ns > KTIME_MAX) {
		parq_tx_count_stamp(q, &q->stats->stamps_bad);
		return false;
	}
	parq_tx_count_stamp(q, &q->stats->stamps);
	return true;
}

/* Reports the same to the sender of an skb. */
void parq_tx_stamp(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos)
{
	struct skb_shared_hwtstamps stamp = {};
	u64 ns;

	if (!parq_tx_stamp_read(q, ring, pos, &ns))
		return;
	stamp.hwtstamp = ns_to_ktime(ns);
	skb_tstamp_tx(ring->buf[pos & ring->mask].skb, &stamp);
}

/* A frame with a request was not sent. */
void parq_tx_stamp_lost(struct parq_txq *q)
{
	parq_tx_count_stamp(q, &q->stats->stamps_lost);
}
