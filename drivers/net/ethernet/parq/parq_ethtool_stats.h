/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_STATS_H
#define _PARQ_ETHTOOL_STATS_H

#include <linux/ethtool.h>

/* Statistics of ETH_SS_STATS. */
int parq_ethtool_stats_count(struct net_device *dev);
void parq_ethtool_stats_strings(struct net_device *dev, u8 *data);
void parq_ethtool_stats_get(struct net_device *dev,
			    struct ethtool_stats *stats, u64 *data);

void parq_ethtool_stats_eth_mac(struct net_device *dev,
				struct ethtool_eth_mac_stats *mac);
void parq_ethtool_stats_eth_ctrl(struct net_device *dev,
				 struct ethtool_eth_ctrl_stats *ctrl);
void parq_ethtool_stats_rmon(struct net_device *dev,
			     struct ethtool_rmon_stats *rmon,
			     const struct ethtool_rmon_hist_range **ranges);

#endif /* _PARQ_ETHTOOL_STATS_H */
