// SPDX-License-Identifier: GPL-2.0
/* ethtool: link pause, its counters, and who gets MAC control frames. */
#include "parq_ethtool.h"
#include "parq_io.h"
#include "parq_netdev.h"

void parq_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pp)
{
	struct parq_pause_want want = parq_pause_get(netdev_priv(dev));

	pp->autoneg = want.autoneg;
	pp->rx_pause = want.rx;
	pp->tx_pause = want.tx;
}

/*
 * What is advertised follows rx and tx whether they are negotiated or not, as
 * ethtool wants it. The interface has no extack: the reason goes to the log.
 */
int parq_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pp)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_pause_want want = {
		.autoneg = pp->autoneg,
		.rx = pp->rx_pause,
		.tx = pp->tx_pause,
	};
	u32 adv = parq_pause_adv(&want);
	char why[PARQ_DCB_WHY_LEN];
	bool anew;
	int err;

	err = parq_pause_set(port, &want, why);
	if (err) {
		if (net_ratelimit())
			netdev_err(dev, "link pause refused: %s\n", why);
		return err;
	}
	anew = adv != port->link.adv_pause;
	port->link.adv_pause = adv;
	if (anew)
		parq_link_apply(port, true);
	return 0;
}

void parq_get_pause_stats(struct net_device *dev,
			  struct ethtool_pause_stats *stats)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_stats *hw = parq_stats_get(port);

	if (IS_ERR(hw))
		return;
	stats->tx_pause_frames = le64_to_cpu(hw->tx.pause);
	stats->rx_pause_frames = le64_to_cpu(hw->rx.pause);
	parq_stats_put(port);
}

/* ---- private flags ------------------------------------------------------ */

enum parq_priv_flag {
	PARQ_PRIV_RX_MACCTRL,
	PARQ_NUM_PRIV_FLAGS
};

static const char parq_priv_names[PARQ_NUM_PRIV_FLAGS][ETH_GSTRING_LEN] = {
	[PARQ_PRIV_RX_MACCTRL] = "rx-mac-control",
};

int parq_priv_flags_count(void)
{
	return PARQ_NUM_PRIV_FLAGS;
}

void parq_priv_flags_strings(u8 *data)
{
	memcpy(data, parq_priv_names, sizeof(parq_priv_names));
}

u32 parq_get_priv_flags(struct net_device *dev)
{
	const struct parq_port *port = netdev_priv(dev);

	return port->rx_macctrl ? BIT(PARQ_PRIV_RX_MACCTRL) : 0;
}

int parq_set_priv_flags(struct net_device *dev, u32 flags)
{
	struct parq_port *port = netdev_priv(dev);

	port->rx_macctrl = flags & BIT(PARQ_PRIV_RX_MACCTRL);
	parq_port_rx_ctrl(port, dev->features);
	return 0;
}
