/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_RSS_H
#define _PARQ_ETHTOOL_RSS_H

#include <linux/ethtool.h>

#include "compat.h"

u32 parq_ethtool_rss_key_size(struct net_device *dev);
u32 parq_ethtool_rss_indir_size(struct net_device *dev);

#ifdef PARQ_HAVE_RXFH_PARAM
int parq_ethtool_rss_get(struct net_device *dev, struct ethtool_rxfh_param *rxfh);
int parq_ethtool_rss_set(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			 struct netlink_ext_ack *extack);
#else
int parq_ethtool_rss_get(struct net_device *dev, u32 *indir, u8 *key, u8 *hfunc);
int parq_ethtool_rss_set(struct net_device *dev, const u32 *indir, const u8 *key,
			 const u8 hfunc);
#endif

#ifdef PARQ_HAVE_RXFH_FIELDS
int parq_ethtool_rss_fields(struct net_device *dev,
			    struct ethtool_rxfh_fields *fields);
#endif
#ifdef PARQ_HAVE_RX_RING_COUNT
u32 parq_ethtool_rss_ring_count(struct net_device *dev);
#endif
#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
int parq_ethtool_rss_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc,
			 u32 *rules);
#endif

#endif /* _PARQ_ETHTOOL_RSS_H */
