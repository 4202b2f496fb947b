// SPDX-License-Identifier: GPL-2.0
/* ethtool: receive-side scaling. A device without it has neither table nor key to show. */
#include "parq.h"
#include "parq_chan.h"
#include "parq_ethtool.h"

static bool parq_rss_has(const struct parq_port *port)
{
	return port->pd->caps.flags & PARQ_CAP_RSS;
}

u32 parq_ethtool_rss_key_size(struct net_device *dev)
{
	return parq_rss_has(netdev_priv(dev)) ? PARQ_RSS_KEY_LEN : 0;
}

u32 parq_ethtool_rss_indir_size(struct net_device *dev)
{
	return parq_rss_has(netdev_priv(dev)) ? PARQ_RSS_INDIR_LEN : 0;
}

static int parq_rss_get(const struct parq_port *port, u32 *indir, u8 *key,
			u8 *hfunc)
{
	unsigned int i;

	if (!parq_rss_has(port))
		return -EOPNOTSUPP;
	if (hfunc)
		*hfunc = ETH_RSS_HASH_TOP;
	if (key)
		memcpy(key, port->rss.key, PARQ_RSS_KEY_LEN);
	for (i = 0; indir && i < PARQ_RSS_INDIR_LEN; i++)
		indir[i] = port->rss.indir[i];
	return 0;
}

/* ethtool has checked that the queues exist. */
static int parq_rss_set(struct parq_port *port, const u32 *indir,
			const u8 *key, u8 hfunc)
{
	unsigned int i;

	if (!parq_rss_has(port))
		return -EOPNOTSUPP;
	if (hfunc != ETH_RSS_HASH_NO_CHANGE && hfunc != ETH_RSS_HASH_TOP)
		return -EOPNOTSUPP;
	if (key)
		memcpy(port->rss.key, key, PARQ_RSS_KEY_LEN);
	for (i = 0; indir && i < PARQ_RSS_INDIR_LEN; i++)
		port->rss.indir[i] = indir[i];
	parq_reconf_rss(port);
	return 0;
}

#ifdef PARQ_HAVE_RXFH_PARAM
int parq_ethtool_rss_get(struct net_device *dev, struct ethtool_rxfh_param *rxfh)
{
	return parq_rss_get(netdev_priv(dev), rxfh->indir, rxfh->key,
			    &rxfh->hfunc);
}

int parq_ethtool_rss_set(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			 struct netlink_ext_ack *extack)
{
	if (rxfh->hfunc != ETH_RSS_HASH_NO_CHANGE &&
	    rxfh->hfunc != ETH_RSS_HASH_TOP)
		NL_SET_ERR_MSG_MOD(extack, "only the Toeplitz hash function is supported");
	return parq_rss_set(netdev_priv(dev), rxfh->indir, rxfh->key,
			    rxfh->hfunc);
}
#else
int parq_ethtool_rss_get(struct net_device *dev, u32 *indir, u8 *key, u8 *hfunc)
{
	return parq_rss_get(netdev_priv(dev), indir, key, hfunc);
}

int parq_ethtool_rss_set(struct net_device *dev, const u32 *indir, const u8 *key,
			 const u8 hfunc)
{
	return parq_rss_set(netdev_priv(dev), indir, key, hfunc);
}
#endif

/* Header fields that the device hashes; fixed. */
static u32 parq_rss_fields(u32 flow_type)
{
	switch (flow_type) {
	case TCP_V4_FLOW:
	case UDP_V4_FLOW:
	case TCP_V6_FLOW:
	case UDP_V6_FLOW:
		return RXH_IP_SRC | RXH_IP_DST | RXH_L4_B_0_1 | RXH_L4_B_2_3;
	case SCTP_V4_FLOW:
	case AH_ESP_V4_FLOW:
	case AH_V4_FLOW:
	case ESP_V4_FLOW:
	case IPV4_FLOW:
	case SCTP_V6_FLOW:
	case AH_ESP_V6_FLOW:
	case AH_V6_FLOW:
	case ESP_V6_FLOW:
	case IPV6_FLOW:
		return RXH_IP_SRC | RXH_IP_DST;
	default:
		return 0;
	}
}

#ifdef PARQ_HAVE_RXFH_FIELDS
int parq_ethtool_rss_fields(struct net_device *dev,
			    struct ethtool_rxfh_fields *fields)
{
	if (!parq_rss_has(netdev_priv(dev)))
		return -EOPNOTSUPP;
	fields->data = parq_rss_fields(fields->flow_type);
	return 0;
}
#endif

#ifdef PARQ_HAVE_RX_RING_COUNT
u32 parq_ethtool_rss_ring_count(struct net_device *dev)
{
	const struct parq_port *port = netdev_priv(dev);

	return port->num_chans;
}
#endif

#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
int parq_ethtool_rss_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc,
			 u32 *rules)
{
	const struct parq_port *port = netdev_priv(dev);

	switch (nfc->cmd) {
	case ETHTOOL_GRXRINGS:
		nfc->data = port->num_chans;
		return 0;
	case ETHTOOL_GRXFH:
		if (!parq_rss_has(port))
			return -EOPNOTSUPP;
		nfc->data = parq_rss_fields(nfc->flow_type);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
#endif
