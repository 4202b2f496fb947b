// SPDX-License-Identifier: GPL-2.0
/* ethtool: link pause and its counters. */
#include "parq_ethtool.h"
#include "parq_io.h"
#include "parq_link.h"
#include "parq_refuse.h"

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
	struct parq_link link = port->link;
	u32 adv = parq_pause_adv(&want);
	char why[PARQ_DCB_WHY_LEN];
	bool anew;
	int err;

	err = parq_pause_set(port, &want, why);
	if (err)
		return parq_refuse(dev, NULL, "link pause", why, err);
	anew = adv != port->link.adv_pause;
	link.adv_pause = adv;
	parq_link_store(port, &link);
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
	parq_compat_pause_storms(stats, le64_to_cpu(hw->tx_pause_storm));
	parq_stats_put(port);
}
