// SPDX-License-Identifier: GPL-2.0
/*
 * DCB netlink: the IEEE 802.1Qaz and 802.1Qbb operations, and the table of all operations.
 * Everything runs under rtnl. dcbnl does not hold the ops lock: what changes settings takes it.
 */
#include <linux/err.h>
#include <linux/etherdevice.h>
#include <net/dcbnl.h>

#include "parq.h"
#include "parq_dcbnl.h"
#include "parq_log.h"
#include "parq_pause.h"
#include "parq_stats.h"

/* ---- Bandwidth, PFC, buffers ---------------------------------------------- */

/* dcbnl calls this when it begins to collect settings for a message. Entries follow later. */
static int parq_dcbnl_getets(struct net_device *netdev, struct ieee_ets *ets)
{
	struct parq_port *port = netdev_priv(netdev);

	parq_dcbnl_app_show(port);
	*ets = port->ets.dcb;
	return 0;
}

static int parq_dcbnl_setets(struct net_device *netdev, struct ieee_ets *ets)
{
	struct parq_port *port = netdev_priv(netdev);
	const struct ieee_ets was = port->ets.dcb;
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_ets_check(ets, reason);
	if (!err) {
		netdev_lock_ops(netdev);
		err = parq_ets_set(port, ets, reason);
		netdev_unlock_ops(netdev);
	}
	if (err)
		return parq_refuse(netdev, NULL, "ETS", reason, err);
	parq_changed_ets(netdev, &was, ets, "IEEE");
	return 0;
}

/* kbit/s, as in the UAPI. */
static int parq_dcbnl_getmaxrate(struct net_device *netdev,
				 struct ieee_maxrate *maxrate)
{
	const struct parq_port *port = netdev_priv(netdev);

	memcpy(maxrate->tc_maxrate, port->ets.maxrate,
	       sizeof(maxrate->tc_maxrate));
	return 0;
}

static int parq_dcbnl_setmaxrate(struct net_device *netdev,
				 struct ieee_maxrate *maxrate)
{
	char reason[PARQ_REASON_LEN] = "";
	int err;

	netdev_lock_ops(netdev);
	err = parq_ets_maxrate_set(netdev_priv(netdev), maxrate->tc_maxrate,
				   reason);
	netdev_unlock_ops(netdev);
	return err ? parq_refuse(netdev, NULL, "maxrate", reason, err) : 0;
}

static int parq_dcbnl_getpfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct parq_port *port = netdev_priv(netdev);
	const struct parq_stats *stats;
	unsigned int prio;

	*pfc = (struct ieee_pfc){
		.pfc_cap = PARQ_NUM_PRIO,
		.pfc_en = port->pfc.en,
		.mbc = port->pfc.mbc,
		.delay = port->pfc.delay,
	};
	stats = parq_stats_last(port);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		const struct parq_prio_stats *s = &stats->prio[prio];

		pfc->requests[prio] = le64_to_cpu(s->tx_pause);
		pfc->indications[prio] = le64_to_cpu(s->rx_pause);
	}
	parq_stats_put(port);
	return 0;
}

static int parq_dcbnl_setpfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct parq_port *port = netdev_priv(netdev);
	char reason[PARQ_REASON_LEN] = "";
	u8 was = port->pfc.en;
	int err;

	netdev_lock_ops(netdev);
	err = parq_pfc_set(port, pfc, reason);
	netdev_unlock_ops(netdev);
	if (err)
		return parq_refuse(netdev, NULL, "PFC", reason, err);
	parq_changed_pfc(netdev, was, pfc->pfc_en, "IEEE");
	return 0;
}

static int parq_dcbnl_getbuffer(struct net_device *netdev,
				struct dcbnl_buffer *buffer)
{
	parq_buf_get(netdev_priv(netdev), buffer);
	return 0;
}

/* total_size is read-only; users send back the value shown. */
static int parq_dcbnl_setbuffer(struct net_device *netdev,
				struct dcbnl_buffer *buffer)
{
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_buf_set(netdev_priv(netdev), buffer, reason);
	return err ? parq_refuse(netdev, NULL, "buffers", reason, err) : 0;
}

/* @addr has MAX_ADDR_LEN bytes. A second address would be that of a SAN. */
static void parq_dcbnl_getpermhwaddr(struct net_device *netdev, u8 *addr)
{
	memset(addr, 0, MAX_ADDR_LEN);
	ether_addr_copy(addr, netdev->perm_addr);
}

static u8 parq_dcbnl_getcap(struct net_device *netdev, int id, u8 *cap)
{
	switch (id) {
	case DCB_CAP_ATTR_PG:
	case DCB_CAP_ATTR_PFC:
	case DCB_CAP_ATTR_UP2TC:
		*cap = true;
		break;
	case DCB_CAP_ATTR_PG_TCS:
	case DCB_CAP_ATTR_PFC_TCS:
		/* Bit n - 1: n traffic classes are possible. */
		*cap = BIT(PARQ_NUM_TC - 1);
		break;
	case DCB_CAP_ATTR_DCBX:
		*cap = PARQ_DCBX_CEE | PARQ_DCBX_IEEE;
		break;
	case DCB_CAP_ATTR_GSP:
	case DCB_CAP_ATTR_BCN:
	default:
		*cap = false;
		break;
	}
	return 0;
}

static int parq_dcbnl_getnumtcs(struct net_device *netdev, int id, u8 *num)
{
	switch (id) {
	case DCB_NUMTCS_ATTR_PG:
	case DCB_NUMTCS_ATTR_PFC:
		*num = PARQ_NUM_TC;
		return 0;
	default:
		*num = 0;
		return -EINVAL;
	}
}

/* The number of traffic classes is fixed. */
static int parq_dcbnl_setnumtcs(struct net_device *netdev, int id, u8 num)
{
	u8 has;
	int err = parq_dcbnl_getnumtcs(netdev, id, &has);

	return err ?: num == has ? 0 : -EINVAL;
}

/* ---- Life --------------------------------------------------------------- */

static const struct dcbnl_rtnl_ops parq_dcbnl_ops = {
	.ieee_getets = parq_dcbnl_getets,
	.ieee_setets = parq_dcbnl_setets,
	.ieee_getmaxrate = parq_dcbnl_getmaxrate,
	.ieee_setmaxrate = parq_dcbnl_setmaxrate,
	.ieee_getpfc = parq_dcbnl_getpfc,
	.ieee_setpfc = parq_dcbnl_setpfc,
	.ieee_setapp = parq_dcbnl_app_set,
	.ieee_delapp = parq_dcbnl_app_del,
	.getstate = parq_dcbnl_cee_getstate,
	.setstate = parq_dcbnl_cee_setstate,
	.getpermhwaddr = parq_dcbnl_getpermhwaddr,
	.setpgtccfgtx = parq_dcbnl_cee_setpgtccfgtx,
	.setpgbwgcfgtx = parq_dcbnl_cee_setpgbwgcfgtx,
	.setpgtccfgrx = parq_dcbnl_cee_setpgtccfgrx,
	.setpgbwgcfgrx = parq_dcbnl_cee_setpgbwgcfgrx,
	.getpgtccfgtx = parq_dcbnl_cee_getpgtccfgtx,
	.getpgbwgcfgtx = parq_dcbnl_cee_getpgbwgcfgtx,
	.getpgtccfgrx = parq_dcbnl_cee_getpgtccfgrx,
	.getpgbwgcfgrx = parq_dcbnl_cee_getpgbwgcfgrx,
	.setpfccfg = parq_dcbnl_cee_setpfccfg,
	.getpfccfg = parq_dcbnl_cee_getpfccfg,
	.setall = parq_dcbnl_cee_setall,
	.getcap = parq_dcbnl_getcap,
	.getnumtcs = parq_dcbnl_getnumtcs,
	.setnumtcs = parq_dcbnl_setnumtcs,
	.getpfcstate = parq_dcbnl_cee_getpfcstate,
	.setpfcstate = parq_dcbnl_cee_setpfcstate,
	.setapp = parq_dcbnl_app_set_cee,
	.getapp = parq_dcbnl_app_get_cee,
	.getfeatcfg = parq_dcbnl_cee_getfeatcfg,
	.setfeatcfg = parq_dcbnl_cee_setfeatcfg,
	.getdcbx = parq_dcbnl_cee_getdcbx,
	.setdcbx = parq_dcbnl_cee_setdcbx,
	.dcbnl_getbuffer = parq_dcbnl_getbuffer,
	.dcbnl_setbuffer = parq_dcbnl_setbuffer,
	PARQ_COMPAT_DCB_APPTRUST(parq_dcbnl_app_get_trust, parq_dcbnl_app_set_trust)
	PARQ_COMPAT_DCB_REWR(parq_dcbnl_app_set_rewr, parq_dcbnl_app_del_rewr)
};

/**
 * parq_dcbnl_init() - set up DCB netlink
 * @port: port whose netdev is not registered yet
 */
void parq_dcbnl_init(struct parq_port *port)
{
	port->cee.mode = PARQ_DCBX_IEEE;
	port->netdev->dcbnl_ops = &parq_dcbnl_ops;
}
