// SPDX-License-Identifier: GPL-2.0
/*
 * Offload of queueing disciplines to the scheduler. Everything here runs under rtnl
 * and the ops lock.
 */
#include <linux/err.h>
#include <linux/net.h>
#include <net/pkt_sched.h>

#include "parq.h"
#include "parq_ets.h"
#include "parq_log.h"
#include "parq_ptp.h"
#include "parq_red.h"
#include "parq_ring.h"
#include "parq_rule.h"
#include "parq_stats.h"
#include "parq_tbf.h"

/* ---- mqprio ------------------------------------------------------------- */

/* When one qdisc replaces another, the old one is destroyed last. */
static void parq_mqprio_clear(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);

	if (port->mqprios && --port->mqprios)
		return;
	parq_ets_tc_clear(port, PARQ_ETS_USER_MQPRIO);
	netdev_reset_tc(dev);
}

/* The kernel itself maps priorities to traffic classes. */
static int parq_mqprio_set(struct net_device *dev,
			   struct tc_mqprio_qopt_offload *mqprio)
{
	struct tc_mqprio_qopt *q = &mqprio->qopt;
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN] = "";
	struct parq_tc tc;
	unsigned int i;
	int err;

	/* Queues of removed channels still count as real queues while they drain. */
	err = parq_tc_mqprio_check(mqprio, port->num_chans * PARQ_NUM_PRIO, reason);
	if (!err) {
		tc = parq_tc_mqprio_fit(mqprio);
		err = parq_ets_tc_set(port, PARQ_ETS_USER_MQPRIO, &tc);
	}
	if (err)
		return parq_refuse(dev, parq_compat_mqprio_extack(mqprio),
				   "qdisc mqprio", reason, err);
	port->mqprios++;
	q->hw = TC_MQPRIO_HW_OFFLOAD_TCS;
	netdev_set_num_tc(dev, q->num_tc);
	for (i = 0; i < q->num_tc; i++)
		netdev_set_tc_queue(dev, i, q->count[i], q->offset[i]);
	return 0;
}

static int parq_setup_mqprio(struct net_device *dev,
			     struct tc_mqprio_qopt_offload *mqprio)
{
	if (mqprio->qopt.num_tc)
		return parq_mqprio_set(dev, mqprio);
	parq_mqprio_clear(dev);
	return 0;
}

/* ---- ets and prio ------------------------------------------------------- */

/* Frames that the device has dropped since the probe, in all traffic classes. */
static int parq_ets_dropped(struct parq_port *port, u64 *drops)
{
	const struct parq_stats *stats = parq_stats_get(port);
	unsigned int prio;

	if (IS_ERR(stats))
		return PTR_ERR(stats);
	*drops = 0;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		*drops += le64_to_cpu(stats->prio[prio].tx_drop);
	parq_stats_put(port);
	return 0;
}

/*
 * Adds what the device has dropped since the last call, or since the offload began.
 *
 * The qdisc itself counts all frames that it passes to the driver, offloaded or not. So its
 * packets and bytes are left alone: they would change their meaning, and might decrease, when
 * the offload begins or ends.
 */
static int parq_ets_count(struct parq_port *port, struct gnet_stats_queue *qstats)
{
	u64 drops;
	int err;

	err = parq_ets_dropped(port, &drops);
	if (err)
		return err;
	qstats->drops += drops - port->ets_drops + parq_red_ets_drops(port);
	port->ets_drops = drops;
	return 0;
}

/* Ends the offload of an ets qdisc, which keeps the drops that were counted meanwhile. */
static void parq_ets_clear(struct parq_port *port)
{
	if (port->ets_qstats)
		parq_ets_count(port, port->ets_qstats);
	port->ets_qstats = NULL;
	parq_ets_tc_clear(port, PARQ_ETS_USER_ETS);
	port->ets_handle = 0;
	port->ets_bands = 0;
	parq_red_ets(port, 0, 0);
}

/*
 * The qdisc ignores an error: it then works in software and is not shown as offloaded.
 */
static int parq_ets_replace(struct net_device *dev, const char *qdisc,
			    const struct tc_ets_qopt_offload *ets)
{
	struct parq_port *port = netdev_priv(dev);
	char what[sizeof("offload of qdisc prio ffff")];
	char reason[PARQ_REASON_LEN] = "";
	u64 drops = port->ets_drops;
	struct parq_tc tc;
	int err;

	err = parq_tc_ets_check(ets, reason);
	if (!err && port->ets_handle != ets->handle)
		err = parq_ets_dropped(port, &drops);
	if (err)
		goto err_software;
	tc = parq_tc_ets_fit(ets, qdisc);
	parq_tbf_limits(&port->tbf, ets->handle, ets->replace_params.bands, tc.maxrate);
	err = parq_ets_tc_set(port, PARQ_ETS_USER_ETS, &tc);
	if (err)
		goto err_software;
	port->ets_handle = ets->handle;
	port->ets_bands = ets->replace_params.bands;
	port->ets_qstats = ets->replace_params.qstats;
	port->ets_drops = drops;
	parq_red_ets(port, ets->handle, ets->replace_params.bands);
	return 0;

err_software:
	snprintf(what, sizeof(what), "offload of qdisc %s %x", qdisc,
		 TC_H_MAJ(ets->handle) >> 16);
	parq_refuse(dev, NULL, what, reason, err);
	/* It may have been offloaded with other settings before. Stop that. */
	if (port->ets_handle == ets->handle)
		parq_ets_clear(port);
	return err;
}

static int parq_setup_ets(struct net_device *dev, const char *qdisc,
			  struct tc_ets_qopt_offload *ets)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_qtree_way way;

	if (ets->command == TC_ETS_REPLACE) {
		way = parq_qtree_walk(&port->qtree, ets->parent);
		if (!way.reds)
			ets->parent = way.place;
		return parq_ets_replace(dev, qdisc, ets);
	}
	if (port->ets_handle != ets->handle)
		return -EOPNOTSUPP;
	switch (ets->command) {
	case TC_ETS_DESTROY:
		parq_ets_clear(port);
		return 0;
	case TC_ETS_STATS:
		/* Without the device's counters it is not shown as offloaded. */
		return parq_ets_count(port, ets->stats.qstats) ? -EOPNOTSUPP : 0;
	case TC_ETS_GRAFT:
		/* Frames of the host pass the children of bands before they reach the driver. */
		parq_tbf_graft(port, ets->graft_params.band, ets->graft_params.child_handle);
		parq_red_graft(port, ets->graft_params.band, ets->graft_params.child_handle);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static int parq_setup_prio(struct net_device *dev, const struct tc_prio_qopt_offload *prio)
{
	struct tc_ets_qopt_offload ets = parq_tc_prio_as_ets(prio);

	return parq_setup_ets(dev, "prio", &ets);
}

/* ---- red, tbf and fifo -------------------------------------------------- */

static_assert(PARQ_TBF_ROOT == PARQ_RED_ROOT);

/* Whether the device has a class for a place: the root, or one of the offloaded ets or prio. */
static bool parq_qdisc_has(const struct parq_port *port, u32 place, unsigned int bands)
{
	if (place == TC_H_ROOT)
		return true;
	return port->ets_handle && TC_H_MAJ(place) == port->ets_handle &&
	       TC_H_MIN(place) - 1 < bands;
}

/*
 * What is below a tbf or red qdisc that gets another child is not there any more. One below a qdisc
 * that works in software has no place: the driver is told when it ends.
 */
static int parq_qdisc_graft(struct parq_port *port, u32 handle, u32 child)
{
	struct parq_qtree_way way = parq_qtree_walk(&port->qtree, handle);
	unsigned int slot, last;

	if ((!way.tbfs && !way.reds) || !parq_qdisc_has(port, way.place, PARQ_NUM_TC))
		return -EOPNOTSUPP;
	slot = parq_tbf_slot_of(way.place, false);
	last = way.place == TC_H_ROOT ? PARQ_TBF_NESTED : slot;
	if (!way.reds)
		parq_red_graft(port, slot, child);
	for (slot += way.tbfs; slot <= last; slot++)
		parq_tbf_graft(port, slot, child);
	return 0;
}

static int parq_setup_red(struct parq_port *port, struct tc_red_qopt_offload *red)
{
	struct parq_qtree_way way;
	u32 parent = red->parent;
	int err;

	if (red->command == TC_RED_GRAFT)
		return parq_qdisc_graft(port, red->handle, red->child_handle);
	if (red->command == TC_RED_DESTROY)
		parq_qtree_remove(&port->qtree, red->handle);
	if (red->command != TC_RED_REPLACE)
		return parq_red_setup(port, red);
	way = parq_qtree_walk(&port->qtree, parent);
	/* One below another is refused, as its parent is not a place. */
	if (!way.reds)
		red->parent = way.place;
	err = parq_qtree_add(&port->qtree, PARQ_QTREE_RED, red->handle, parent) ?:
		parq_red_setup(port, red);
	if (err)
		parq_qtree_remove(&port->qtree, red->handle);
	return err;
}

static int parq_setup_tbf(struct parq_port *port, struct tc_tbf_qopt_offload *tbf)
{
	struct parq_qtree_way way;
	u32 parent = tbf->parent;
	int err;

	if (tbf->command == TC_TBF_GRAFT)
		return parq_qdisc_graft(port, tbf->handle, tbf->child_handle);
	if (tbf->command == TC_TBF_DESTROY)
		parq_qtree_remove(&port->qtree, tbf->handle);
	if (tbf->command != TC_TBF_REPLACE)
		return parq_tbf_setup(port, tbf, false);
	way = parq_qtree_walk(&port->qtree, parent);
	/* At the root there may be another one above: the lower limit holds. */
	if (!way.tbfs || (way.tbfs == 1 && way.place == TC_H_ROOT))
		tbf->parent = way.place;
	err = parq_qtree_add(&port->qtree, PARQ_QTREE_TBF, tbf->handle, parent) ?:
		parq_tbf_setup(port, tbf, way.tbfs);
	if (err)
		parq_qtree_remove(&port->qtree, tbf->handle);
	return err;
}

/*
 * Frames of a class leave in the order in which they came: each traffic class is a fifo. The limit,
 * which is not told, is for the host's frames, as all that the qdisc counts.
 */
static int parq_setup_fifo(struct parq_port *port, const struct tc_fifo_qopt_offload *fifo)
{
	u32 place = parq_qtree_walk(&port->qtree, fifo->parent).place;

	if (!port->pd->sw)
		return -EOPNOTSUPP;
	if (fifo->command != TC_FIFO_STATS)
		return 0;
	return parq_qdisc_has(port, place, port->ets_bands) ? 0 : -EOPNOTSUPP;
}

/* ---- etf ---------------------------------------------------------------- */

/*
 * The qdisc has checked that its clock is CLOCK_TAI, and sorts the frames of a queue. It tells the
 * user only that the driver refuses, and the log tells why.
 */
static int parq_etf_check(const struct parq_port *port, int queue)
{
	char what[sizeof("offload of qdisc etf, TX queue -2147483648")];
	const char *reason = NULL;
	int err = -EOPNOTSUPP;

	if (queue < 0 || queue >= port->netdev->num_tx_queues) {
		reason = "no such queue";
		err = -EINVAL;
	} else if (!parq_ptp_launches(port->pd)) {
		reason = port->pd->caps.flags & PARQ_CAP_LAUNCH ?
			 "there is no PTP clock" : "the NIC has no launch times";
	}
	if (!reason)
		return 0;
	snprintf(what, sizeof(what), "offload of qdisc etf, TX queue %d", queue);
	return parq_refuse(port->netdev, NULL, what, reason, err);
}

/* Frames that are in the ring keep their launch times. */
static int parq_setup_etf(struct net_device *dev, const struct tc_etf_qopt_offload *etf)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_txq *q;
	int err;

	err = parq_etf_check(port, etf->queue);
	if (err)
		return err;
	if (etf->enable)
		set_bit(PARQ_PORT_LAUNCHES, &port->flags);
	assign_bit(etf->queue, port->launch, etf->enable);
	q = port->txq[etf->queue];
	if (!q)
		return 0;
	__netif_tx_lock_bh(q->nq);
	parq_ring_tx_need(q, q->ring);
	__netif_tx_unlock_bh(q->nq);
	return 0;
}

/* ---- all ---------------------------------------------------------------- */

static int parq_query_caps(const struct tc_query_caps_base *base)
{
	if (base->type != TC_SETUP_QDISC_MQPRIO)
		return -EOPNOTSUPP;
	parq_compat_mqprio_caps(base->caps);
	return 0;
}

/**
 * parq_tc_clear() - end the offload of ets, prio, red and tbf qdiscs
 * @port: port
 *
 * Context: rtnl and ops lock.
 */
void parq_tc_clear(struct parq_port *port)
{
	parq_red_clear(port);
	parq_tbf_clear(port);
	parq_ets_clear(port);
	port->qtree = (struct parq_qtree){};
}

int parq_tc_setup(struct net_device *dev, enum tc_setup_type type, void *data)
{
	switch (type) {
	case TC_QUERY_CAPS:
		return parq_query_caps(data);
	case TC_SETUP_QDISC_MQPRIO:
		return parq_setup_mqprio(dev, data);
	case TC_SETUP_QDISC_ETS:
		return parq_setup_ets(dev, "ets", data);
	case TC_SETUP_QDISC_PRIO:
		return parq_setup_prio(dev, data);
	case TC_SETUP_QDISC_ETF:
		return parq_setup_etf(dev, data);
	case TC_SETUP_QDISC_RED:
		return parq_setup_red(netdev_priv(dev), data);
	case TC_SETUP_QDISC_TBF:
		return parq_setup_tbf(netdev_priv(dev), data);
	case TC_SETUP_QDISC_FIFO:
		return parq_setup_fifo(netdev_priv(dev), data);
	case TC_SETUP_BLOCK:
		return parq_flower_setup(netdev_priv(dev), data);
	default:
		return -EOPNOTSUPP;
	}
}
