/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_H
#define _PARQ_ETHTOOL_H

#include <linux/ethtool.h>

#include "parq.h"

extern const struct ethtool_ops parq_ethtool_ops;

/* Link settings, parq_ethtool_link.c */
int parq_get_link_ksettings(struct net_device *dev,
			    struct ethtool_link_ksettings *ks);
int parq_set_link_ksettings(struct net_device *dev,
			    const struct ethtool_link_ksettings *ks);
int parq_nway_reset(struct net_device *dev);

/* Link pause, parq_ethtool_pause.c */
void parq_get_pauseparam(struct net_device *dev,
			 struct ethtool_pauseparam *pp);
int parq_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pp);
void parq_get_pause_stats(struct net_device *dev,
			  struct ethtool_pause_stats *stats);

/* Private flags, parq_ethtool_flags.c */
int parq_priv_flags_count(void);
void parq_priv_flags_strings(u8 *data);
u32 parq_get_priv_flags(struct net_device *dev);
int parq_set_priv_flags(struct net_device *dev, u32 flags);

/* Counters, parq_ethtool_stats.c */
int parq_get_sset_count(struct net_device *dev, int sset);
void parq_get_strings(struct net_device *dev, u32 sset, u8 *data);
void parq_get_ethtool_stats(struct net_device *dev,
			    struct ethtool_stats *stats, u64 *data);
void parq_get_eth_mac_stats(struct net_device *dev,
			    struct ethtool_eth_mac_stats *mac);
void parq_get_eth_ctrl_stats(struct net_device *dev,
			     struct ethtool_eth_ctrl_stats *ctrl);
void parq_get_rmon_stats(struct net_device *dev,
			 struct ethtool_rmon_stats *rmon,
			 const struct ethtool_rmon_hist_range **ranges);

/* Tunables, parq_ethtool_storm.c */
int parq_get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
		     void *data);
int parq_set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
		     const void *data);

/* Receive-side scaling, parq_ethtool_rss.c */
u32 parq_get_rxfh_key_size(struct net_device *dev);
u32 parq_get_rxfh_indir_size(struct net_device *dev);
#ifdef PARQ_HAVE_RXFH_PARAM
int parq_get_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh);
int parq_set_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
		  struct netlink_ext_ack *extack);
#else
int parq_get_rxfh(struct net_device *dev, u32 *indir, u8 *key, u8 *hfunc);
int parq_set_rxfh(struct net_device *dev, const u32 *indir, const u8 *key,
		  const u8 hfunc);
#endif
#ifdef PARQ_HAVE_RXFH_FIELDS
int parq_get_rxfh_fields(struct net_device *dev,
			 struct ethtool_rxfh_fields *fields);
#endif
#ifdef PARQ_HAVE_RX_RING_COUNT
u32 parq_get_rx_ring_count(struct net_device *dev);
#endif
#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
int parq_get_rxnfc(struct net_device *dev, struct ethtool_rxnfc *nfc,
		   u32 *rules);
#endif

#endif /* _PARQ_ETHTOOL_H */
