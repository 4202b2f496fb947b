// SPDX-License-Identifier: GPL-2.0
/* ethtool: rings, channels, moderation, registers. A thin face. */
#include <linux/bitfield.h>
#include <linux/log2.h>
#include <net/xdp_sock_drv.h>

#include "parq_chan.h"
#include "parq_ethtool.h"
#include "parq_io.h"
#include "parq_netdev.h"
#include "parq_reconf.h"

#define PARQ_REGS_VERSION	1	/* pairs of offset and value */

static void parq_get_drvinfo(struct net_device *dev,
			     struct ethtool_drvinfo *info)
{
	const struct parq_port *port = netdev_priv(dev);
	u32 version = parq_io_version(port->pd);

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

/* The device's rings are powers of two: up to the next one. */
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
 * ethtool refuses to remove channel n while an AF_XDP socket is bound to queue n,
 * which is right for RX queues only: channel n has eight TX queues.
 * Return: 0, or -EBUSY if a TX queue that would go is in use.
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

/* ethtool has checked the range; a count of 0 it leaves to the driver. */
static int parq_set_channels(struct net_device *dev,
			     struct ethtool_channels *ch)
{
	struct parq_port *port = netdev_priv(dev);
	char why[PARQ_DCB_WHY_LEN];
	int err;

	if (!ch->combined_count)
		return -EINVAL;
	err = parq_sched_queues_check(port, ch->combined_count * PARQ_NUM_PRIO,
				      why);
	if (err) {
		netdev_err(dev, "%u channels refused: %s\n", ch->combined_count,
			   why);
		return err;
	}
	err = parq_channels_unused(port, ch->combined_count);
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

	coal->rx_coalesce_usecs = port->rx_usecs;
	coal->tx_coalesce_usecs = port->tx_usecs;
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
	port->rx_usecs = rx;
	port->tx_usecs = tx;
	parq_chans_itr(port);
	return 0;
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

/* What a port has of its own; frames that have not been sent are dropped. */
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
	.get_drvinfo = parq_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = parq_get_link_ksettings,
	.set_link_ksettings = parq_set_link_ksettings,
	.nway_reset = parq_nway_reset,
	.get_pauseparam = parq_get_pauseparam,
	.set_pauseparam = parq_set_pauseparam,
	.get_pause_stats = parq_get_pause_stats,
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
	.get_ethtool_stats = parq_get_ethtool_stats,
	.get_eth_mac_stats = parq_get_eth_mac_stats,
	.get_eth_ctrl_stats = parq_get_eth_ctrl_stats,
	.get_rmon_stats = parq_get_rmon_stats,
	.get_rxfh_key_size = parq_get_rxfh_key_size,
	.get_rxfh_indir_size = parq_get_rxfh_indir_size,
	.get_rxfh = parq_get_rxfh,
	.set_rxfh = parq_set_rxfh,
#ifdef PARQ_HAVE_RXFH_FIELDS
	.get_rxfh_fields = parq_get_rxfh_fields,
#endif
#ifdef PARQ_HAVE_RX_RING_COUNT
	.get_rx_ring_count = parq_get_rx_ring_count,
#endif
#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
	.get_rxnfc = parq_get_rxnfc,
#endif
	.get_regs_len = parq_get_regs_len,
	.get_regs = parq_get_regs,
	.get_ts_info = ethtool_op_get_ts_info,
	.reset = parq_reset,
};
