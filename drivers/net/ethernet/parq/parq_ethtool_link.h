/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_LINK_H
#define _PARQ_ETHTOOL_LINK_H

#include <linux/ethtool.h>

int parq_ethtool_link_get(struct net_device *dev,
			  struct ethtool_link_ksettings *ks);
int parq_ethtool_link_set(struct net_device *dev,
			  const struct ethtool_link_ksettings *ks);
int parq_ethtool_link_ext_state(struct net_device *dev,
				struct ethtool_link_ext_state_info *info);
int parq_ethtool_link_nway_reset(struct net_device *dev);

void parq_ethtool_link_get_pause(struct net_device *dev,
				 struct ethtool_pauseparam *pp);
int parq_ethtool_link_set_pause(struct net_device *dev,
				struct ethtool_pauseparam *pp);
void parq_ethtool_link_get_pause_stats(struct net_device *dev,
				       struct ethtool_pause_stats *stats);

#endif /* _PARQ_ETHTOOL_LINK_H */
