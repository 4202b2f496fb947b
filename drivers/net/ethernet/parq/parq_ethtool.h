/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_H
#define _PARQ_ETHTOOL_H

#include <linux/ethtool.h>

#include "compat.h"

/* ---- parq_ethtool.c ---------------------------------------------------- */

extern const struct ethtool_ops parq_ethtool_ops;

/* ---- parq_ethtool_link.c ----------------------------------------------- */

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

/* ---- parq_ethtool_rss.c ------------------------------------------------ */

struct parq_port;
struct parq_rss;

void parq_ethtool_rss_default(struct parq_rss *rss);
u32 parq_ethtool_rss_key_size(struct net_device *dev);
u32 parq_ethtool_rss_indir_size(struct net_device *dev);

#ifdef PARQ_HAVE_RXFH_PARAM
int parq_ethtool_rss_apply(struct parq_port *port, u32 ctx,
			   const struct ethtool_rxfh_param *rxfh,
			   struct netlink_ext_ack *extack);
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
int parq_ethtool_rss_set_fields(struct net_device *dev,
				const struct ethtool_rxfh_fields *fields,
				struct netlink_ext_ack *extack);
#else
int parq_ethtool_rss_set_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc);
#endif
#ifdef PARQ_HAVE_RX_RING_COUNT
u32 parq_ethtool_rss_ring_count(struct net_device *dev);
#endif
#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
int parq_ethtool_rss_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc);
#endif

/* ---- parq_ethtool_ctx.c ------------------------------------------------ */

#ifdef PARQ_HAVE_RXFH_CONTEXTS
int parq_ethtool_ctx_create(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    const struct ethtool_rxfh_param *rxfh,
			    struct netlink_ext_ack *extack);
int parq_ethtool_ctx_modify(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    const struct ethtool_rxfh_param *rxfh,
			    struct netlink_ext_ack *extack);
int parq_ethtool_ctx_remove(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    u32 id, struct netlink_ext_ack *extack);
#endif

/* ---- parq_ethtool_rule.c ----------------------------------------------- */

bool parq_ethtool_rule_uses(const struct parq_port *port, u32 ctx, u32 *location);
int parq_ethtool_rule_channels(struct parq_port *port, unsigned int num);
int parq_ethtool_get_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc, u32 *rules);
int parq_ethtool_set_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc);

/* ---- parq_ethtool_stats.c ---------------------------------------------- */

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

#endif /* _PARQ_ETHTOOL_H */
