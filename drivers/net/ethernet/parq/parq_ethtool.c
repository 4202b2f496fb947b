// SPDX-License-Identifier: GPL-2.0
/* ethtool operations, except link settings and counters. */
#include <linux/bitfield.h>
#include <linux/log2.h>
#include <net/xdp_sock_drv.h>

#include "parq.h"
#include "parq_chan.h"
#include "parq_ethtool.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_pause.h"
#include "parq_port.h"
#include "parq_ptp.h"
#include "parq_rule.h"

#define PARQ_REGS_VERSION	1	/* pairs of offset and value */

static void parq_get_drvinfo(struct net_device *dev,
			     struct ethtool_drvinfo *info)
{
	const struct parq_port *port = netdev_priv(dev);
	u32 version = port->pd->caps.version;

	strscpy(info->driver, PARQ_DRV_NAME, sizeof(info->driver));
	strscpy(info->bus_info, port->pd->bus->name(port->pd),
		sizeof(info->bus_info));
	snprintf(info->fw_version, sizeof(info->fw_version), "contract %lu.%lu",
		 FIELD_GET(PARQ_VERSION_MAJOR, version),
		 FIELD_GET(PARQ_VERSION_MINOR, version));
}

/* ---- Rings -------------------------------------------------------------- */

static void parq_get_ringparam(struct net_device *dev,
			       struct ethtool_ringparam *ring,
			       struct kernel_ethtool_ringparam *kernel_ring,
			       struct netlink_ext_ack *extack)
{
	const struct parq_port *port = netdev_priv(dev);

	ring->rx_max_pending = BIT(port->pd->caps.ring_order);
	ring->tx_max_pending = BIT(port->pd->caps.ring_order);
	ring->rx_pending = port->rx_size;
	ring->tx_pending = port->tx_size;
}

/* Rounds up to a power of two: the device has no other ring sizes. */
static int parq_ring_size(const struct parq_port *port, const char *what,
			  u32 *size, struct netlink_ext_ack *extack)
{
	u32 max = BIT(port->pd->caps.ring_order);

	if (*size < PARQ_RING_MIN || *size > max) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s ring of %u: not within %u to %u",
				       what, *size, PARQ_RING_MIN, max);
		return -EINVAL;
	}
	*size = roundup_pow_of_two(*size);
	return 0;
}

static int parq_set_ringparam(struct net_device *dev,
			      struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	u32 tx = ring->tx_pending, rx = ring->rx_pending;

	if (parq_ring_size(port, "TX", &tx, extack) ||
	    parq_ring_size(port, "RX", &rx, extack))
		return -EINVAL;
	if (tx == port->tx_size && rx == port->rx_size)
		return 0;
	return parq_reconf_rings(port, tx, rx, extack);
}

/* ---- Channels ----------------------------------------------------------- */

static void parq_get_channels(struct net_device *dev,
			      struct ethtool_channels *ch)
{
	const struct parq_port *port = netdev_priv(dev);

	ch->max_combined = port->pd->caps.chans;
	ch->combined_count = port->num_chans;
}

/*
 * ethtool refuses to remove channel n while an AF_XDP socket is bound to queue n. That
 * covers the RX queue only: channel n has eight TX queues.
 * Return: 0, or -EBUSY if a TX queue to be removed is in use.
 */
static int parq_channels_unused(const struct parq_port *port, unsigned int num)
{
	unsigned int i;

	for (i = num * PARQ_NUM_PRIO; i < port->num_chans * PARQ_NUM_PRIO; i++) {
		if (!xsk_get_pool_from_qid(port->netdev, i))
			continue;
		netdev_err(port->netdev,
			   "%u channels refused: TX queue %u is in use by AF_XDP\n",
			   num, i);
		return -EBUSY;
	}
	return 0;
}

/* ethtool has checked the limits. */
static int parq_set_channels(struct net_device *dev,
			     struct ethtool_channels *ch)
{
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_ets_queues_check(port, ch->combined_count * PARQ_NUM_PRIO,
				    reason);
	if (err)
		return parq_refuse(dev, NULL, "channels", reason, err);
	err = parq_channels_unused(port, ch->combined_count);
	if (err)
		return err;
	err = parq_ethtool_rule_channels(port, ch->combined_count) ?:
	      parq_flower_channels(port, ch->combined_count);
	if (err)
		return err;
	return parq_reconf_chans(port, ch->combined_count);
}

/* ---- Interrupt moderation ----------------------------------------------- */

static int parq_get_coalesce(struct net_device *dev,
			     struct ethtool_coalesce *coal,
			     struct kernel_ethtool_coalesce *kernel_coal,
			     struct netlink_ext_ack *extack)
{
	const struct parq_port *port = netdev_priv(dev);

	coal->rx_coalesce_usecs = port->itr.rx_usecs;
	coal->tx_coalesce_usecs = port->itr.tx_usecs;
	return 0;
}

static int parq_set_coalesce(struct net_device *dev,
			     struct ethtool_coalesce *coal,
			     struct kernel_ethtool_coalesce *kernel_coal,
			     struct netlink_ext_ack *extack)
{
	u32 rx = coal->rx_coalesce_usecs, tx = coal->tx_coalesce_usecs;
	u32 max = PARQ_VEC_ITR_MAX_NS / NSEC_PER_USEC;
	struct parq_port *port = netdev_priv(dev);

	if (rx > max || tx > max) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "%u us: not within 0 to %u",
				       rx > max ? rx : tx, max);
		return -EINVAL;
	}
	if (rx != tx && parq_chans_share(port)) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "rx-usecs %u, tx-usecs %u: not equal, but vectors are shared",
				       rx, tx);
		return -EINVAL;
	}
	port->itr.rx_usecs = rx;
	port->itr.tx_usecs = tx;
	parq_chans_itr(port);
	return 0;
}

/* ---- Private flags ------------------------------------------------------- */

enum parq_priv_flag {
	PARQ_PRIV_RX_MACCTRL,	/* the host gets MAC control frames */
	PARQ_PRIV_STORM_FORWARD, /* frames of a storm are sent, not dropped */
	PARQ_NUM_PRIV_FLAGS
};

static const char parq_priv_names[PARQ_NUM_PRIV_FLAGS][ETH_GSTRING_LEN] = {
	[PARQ_PRIV_RX_MACCTRL] = "rx-mac-control",
	[PARQ_PRIV_STORM_FORWARD] = "pfc-storm-forward",
};

static u32 parq_get_priv_flags(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);
	bool forward;
	u16 limit_ms;

	parq_storm_get(port, &limit_ms, &forward);
	return (port->rx_macctrl ? BIT(PARQ_PRIV_RX_MACCTRL) : 0) |
	       (forward ? BIT(PARQ_PRIV_STORM_FORWARD) : 0);
}

/* All flags are set at once. Those that the device may refuse come first. */
static int parq_set_priv_flags(struct net_device *dev, u32 flags)
{
	bool macctrl = flags & BIT(PARQ_PRIV_RX_MACCTRL);
	struct parq_port *port = netdev_priv(dev);
	bool forward;
	u16 limit_ms;
	int err;

	/* Not every caller in the kernel checks for unknown flags. */
	if (flags >> PARQ_NUM_PRIV_FLAGS)
		return -EINVAL;
	parq_storm_get(port, &limit_ms, &forward);
	err = parq_storm_set(port, limit_ms,
			     flags & BIT(PARQ_PRIV_STORM_FORWARD));
	if (err || macctrl == port->rx_macctrl)
		return err;
	port->rx_macctrl = macctrl;
	parq_netdev_rx_ctrl(port, dev->features);
	return 0;
}

/* ---- pfc-prevention-tout ------------------------------------------------- */

static int parq_get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
			    void *data)
{
	bool forward;

	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EOPNOTSUPP;
	parq_storm_get(netdev_priv(dev), data, &forward);
	return 0;
}

/* ethtool has checked that @data is a u16. */
static int parq_set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
			    const void *data)
{
	u16 limit_ms, ms = *(const u16 *)data;
	struct parq_port *port = netdev_priv(dev);
	bool forward;

	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EOPNOTSUPP;
	if (ms == PFC_STORM_PREVENTION_AUTO)
		ms = PARQ_STORM_AUTO_MS;
	parq_storm_get(port, &limit_ms, &forward);
	return parq_storm_set(port, ms, forward);
}

/* ---- Names ----------------------------------------------------------------- */

static int parq_get_sset_count(struct net_device *dev, int sset)
{
	switch (sset) {
	case ETH_SS_STATS:
		return parq_ethtool_stats_count(dev);
	case ETH_SS_PRIV_FLAGS:
		return PARQ_NUM_PRIV_FLAGS;
	default:
		return -EOPNOTSUPP;
	}
}

static void parq_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_STATS)
		parq_ethtool_stats_strings(dev, data);
	if (sset == ETH_SS_PRIV_FLAGS)
		memcpy(data, parq_priv_names, sizeof(parq_priv_names));
}

/* ---- Registers and reset ------------------------------------------------ */

static int parq_get_regs_len(struct net_device *dev)
{
	return parq_io_dump_len(netdev_priv(dev));
}

static void parq_get_regs(struct net_device *dev, struct ethtool_regs *regs,
			  void *data)
{
	regs->version = PARQ_REGS_VERSION;
	parq_io_dump(netdev_priv(dev), data);
}

/* Resets one port. Frames that have not been sent are dropped. */
static int parq_reset(struct net_device *dev, u32 *flags)
{
	const u32 mine = ETH_RESET_DMA | ETH_RESET_FILTER | ETH_RESET_OFFLOAD |
			 ETH_RESET_MAC;
	struct parq_port *port = netdev_priv(dev);
	int err;

	if ((*flags & mine) != mine)
		return -EOPNOTSUPP;
	if (netif_running(dev)) {
		parq_netdev_down(port);
		err = parq_netdev_up(port);
		if (err)
			return err;
	}
	*flags &= ~mine;
	return 0;
}

const struct ethtool_ops parq_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS,
	PARQ_COMPAT_NEEDS_RTNL(ETHTOOL_OP_NEEDS_RTNL_SCHANNELS |
			       ETHTOOL_OP_NEEDS_RTNL_GLINK)
#ifdef PARQ_HAVE_INPUT_XFRM
	.supported_input_xfrm = RXH_XFRM_SYM_XOR,
#endif
#ifdef PARQ_HAVE_RXFH_CONTEXTS
	.rxfh_per_ctx_fields = true,
	.rxfh_per_ctx_key = true,
	.rxfh_max_num_contexts = PARQ_NUM_RSS_CTX + 1,
#endif
	.get_drvinfo = parq_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = parq_ethtool_link_get,
	.set_link_ksettings = parq_ethtool_link_set,
	.get_link_ext_state = parq_ethtool_link_ext_state,
	.nway_reset = parq_ethtool_link_nway_reset,
	.get_pauseparam = parq_ethtool_link_get_pause,
	.set_pauseparam = parq_ethtool_link_set_pause,
	.get_pause_stats = parq_ethtool_link_get_pause_stats,
	.get_priv_flags = parq_get_priv_flags,
	.set_priv_flags = parq_set_priv_flags,
	.get_ringparam = parq_get_ringparam,
	.set_ringparam = parq_set_ringparam,
	.get_channels = parq_get_channels,
	.set_channels = parq_set_channels,
	.get_coalesce = parq_get_coalesce,
	.set_coalesce = parq_set_coalesce,
	.get_tunable = parq_get_tunable,
	.set_tunable = parq_set_tunable,
	.get_sset_count = parq_get_sset_count,
	.get_strings = parq_get_strings,
	.get_ethtool_stats = parq_ethtool_stats_get,
	.get_eth_mac_stats = parq_ethtool_stats_eth_mac,
	.get_eth_ctrl_stats = parq_ethtool_stats_eth_ctrl,
	.get_rmon_stats = parq_ethtool_stats_rmon,
	.get_rxfh_key_size = parq_ethtool_rss_key_size,
	.get_rxfh_indir_size = parq_ethtool_rss_indir_size,
	.get_rxfh = parq_ethtool_rss_get,
	.set_rxfh = parq_ethtool_rss_set,
#ifdef PARQ_HAVE_RXFH_FIELDS
	.get_rxfh_fields = parq_ethtool_rss_fields,
	.set_rxfh_fields = parq_ethtool_rss_set_fields,
#endif
#ifdef PARQ_HAVE_RXFH_CONTEXTS
	.create_rxfh_context = parq_ethtool_ctx_create,
	.modify_rxfh_context = parq_ethtool_ctx_modify,
	.remove_rxfh_context = parq_ethtool_ctx_remove,
#endif
#ifdef PARQ_HAVE_RX_RING_COUNT
	.get_rx_ring_count = parq_ethtool_rss_ring_count,
#endif
	.get_rxnfc = parq_ethtool_get_nfc,
	.set_rxnfc = parq_ethtool_set_nfc,
	.get_regs_len = parq_get_regs_len,
	.get_regs = parq_get_regs,
	.get_ts_info = parq_ptp_ts_info,
#ifdef PARQ_HAVE_TS_STATS
	.get_ts_stats = parq_ptp_ts_stats,
#endif
	.reset = parq_reset,
};
