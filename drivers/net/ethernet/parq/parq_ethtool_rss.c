// SPDX-License-Identifier: GPL-2.0
/* ethtool: receive-side scaling. A device without it has neither table nor key to show. */
#include "parq.h"
#include "parq_chan.h"
#include "parq_ethtool.h"
#include "parq_io.h"
#include "parq_log.h"

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

static bool parq_rss_has_fields(const struct parq_port *port)
{
	return port->pd->caps.flags & PARQ_CAP_RSS_FIELDS;
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

static bool parq_rss_has_hfunc(u8 hfunc)
{
	return hfunc == ETH_RSS_HASH_NO_CHANGE || hfunc == ETH_RSS_HASH_TOP;
}

/* ethtool has checked that the queues exist. */
static void parq_rss_set(struct parq_port *port, u32 ctx, const u32 *indir, const u8 *key)
{
	struct parq_rss *rss = parq_port_rss(port, ctx);
	unsigned int i;

	if (key)
		memcpy(rss->key, key, PARQ_RSS_KEY_LEN);
	for (i = 0; indir && i < PARQ_RSS_INDIR_LEN; i++)
		rss->indir[i] = indir[i];
	parq_reconf_steer(port, parq_io_rss_set, ctx);
}

#ifdef PARQ_HAVE_RXFH_PARAM
int parq_ethtool_rss_get(struct net_device *dev, struct ethtool_rxfh_param *rxfh)
{
	const struct parq_port *port = netdev_priv(dev);

#ifdef PARQ_HAVE_INPUT_XFRM
	rxfh->input_xfrm = port->rss.sym ? RXH_XFRM_SYM_XOR : 0;
#endif
	return parq_rss_get(port, rxfh->indir, rxfh->key, &rxfh->hfunc);
}

/* The kernel has checked that the fields of all flow types are symmetric. */
static int parq_rss_check(const struct parq_port *port, const struct ethtool_rxfh_param *rxfh,
			  struct netlink_ext_ack *extack)
{
	if (!parq_rss_has(port))
		return -EOPNOTSUPP;
	if (!parq_rss_has_hfunc(rxfh->hfunc)) {
		NL_SET_ERR_MSG_MOD(extack, "only the Toeplitz hash function is supported");
		return -EOPNOTSUPP;
	}
#ifdef PARQ_HAVE_INPUT_XFRM
	if (rxfh->input_xfrm && rxfh->input_xfrm != RXH_XFRM_NO_CHANGE &&
	    !parq_rss_has_fields(port)) {
		NL_SET_ERR_MSG_MOD(extack, "the device has no symmetric hash");
		return -EOPNOTSUPP;
	}
#endif
	return 0;
}

/**
 * parq_ethtool_rss_apply() - change settings of an RSS context
 * @port: port, up or down
 * @ctx: context that exists; 0 for the port itself
 * @rxfh: what changes; ethtool has checked that the queues exist
 * @extack: why not
 *
 * Context: ops lock.
 * Return: 0; -EOPNOTSUPP, and nothing has changed.
 */
int parq_ethtool_rss_apply(struct parq_port *port, u32 ctx,
			   const struct ethtool_rxfh_param *rxfh,
			   struct netlink_ext_ack *extack)
{
	int err = parq_rss_check(port, rxfh, extack);

	if (err)
		return err;
#ifdef PARQ_HAVE_INPUT_XFRM
	if (rxfh->input_xfrm != RXH_XFRM_NO_CHANGE)
		parq_port_rss(port, ctx)->sym = rxfh->input_xfrm;
#endif
	parq_rss_set(port, ctx, rxfh->indir, rxfh->key);
	return 0;
}

int parq_ethtool_rss_set(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
			 struct netlink_ext_ack *extack)
{
	return parq_ethtool_rss_apply(netdev_priv(dev), 0, rxfh, extack);
}
#else
int parq_ethtool_rss_get(struct net_device *dev, u32 *indir, u8 *key, u8 *hfunc)
{
	return parq_rss_get(netdev_priv(dev), indir, key, hfunc);
}

int parq_ethtool_rss_set(struct net_device *dev, const u32 *indir, const u8 *key,
			 const u8 hfunc)
{
	struct parq_port *port = netdev_priv(dev);

	if (!parq_rss_has(port) || !parq_rss_has_hfunc(hfunc))
		return -EOPNOTSUPP;
	parq_rss_set(port, 0, indir, key);
	return 0;
}
#endif

/* ---- Fields that are hashed ----------------------------------------------- */

#define PARQ_RSS_ADDRS	(PARQ_RSS_FIELDS_SRC | PARQ_RSS_FIELDS_DST)
#define PARQ_RSS_PORTS	(PARQ_RSS_FIELDS_SPORT | PARQ_RSS_FIELDS_DPORT)

/* The fields of a device that has no choice. */
void parq_ethtool_rss_default(struct parq_rss *rss)
{
	unsigned int type;

	for (type = 0; type < PARQ_RSS_NUM_TYPES; type++)
		rss->fields[type] = PARQ_RSS_ADDRS | PARQ_RSS_PORTS;
	rss->fields[PARQ_RSS_IPV4] = PARQ_RSS_ADDRS;
	rss->fields[PARQ_RSS_IPV6] = PARQ_RSS_ADDRS;
}

/* Return: the type of packets that a flow type means by itself, or -1. */
static int parq_rss_type(u32 flow_type)
{
	switch (flow_type) {
	case TCP_V4_FLOW:
		return PARQ_RSS_TCP4;
	case UDP_V4_FLOW:
		return PARQ_RSS_UDP4;
	case IPV4_FLOW:
		return PARQ_RSS_IPV4;
	case TCP_V6_FLOW:
		return PARQ_RSS_TCP6;
	case UDP_V6_FLOW:
		return PARQ_RSS_UDP6;
	case IPV6_FLOW:
		return PARQ_RSS_IPV6;
	default:
		return -1;
	}
}

/* Return: the type as which packets of a flow type are hashed, or -1. */
static int parq_rss_hashed_as(u32 flow_type)
{
	switch (flow_type) {
	case SCTP_V4_FLOW:
	case AH_ESP_V4_FLOW:
	case AH_V4_FLOW:
	case ESP_V4_FLOW:
		return PARQ_RSS_IPV4;
	case SCTP_V6_FLOW:
	case AH_ESP_V6_FLOW:
	case AH_V6_FLOW:
	case ESP_V6_FLOW:
		return PARQ_RSS_IPV6;
	default:
		return parq_rss_type(flow_type);
	}
}

static const struct {
	u32 rxh;
	u8 field;
} parq_rss_field[] = {
	{ RXH_IP_SRC, PARQ_RSS_FIELDS_SRC },
	{ RXH_IP_DST, PARQ_RSS_FIELDS_DST },
	{ RXH_L4_B_0_1, PARQ_RSS_FIELDS_SPORT },
	{ RXH_L4_B_2_3, PARQ_RSS_FIELDS_DPORT },
	{ RXH_IP6_FL, PARQ_RSS_FIELDS_LABEL },
};

/* Return: RXH_* of packets of a flow type. */
static u32 parq_rss_hashed(const struct parq_rss *rss, u32 flow_type)
{
	int type = parq_rss_hashed_as(flow_type);
	u32 rxh = 0;
	unsigned int i;

	for (i = 0; type >= 0 && i < ARRAY_SIZE(parq_rss_field); i++)
		if (rss->fields[type] & parq_rss_field[i].field)
			rxh |= parq_rss_field[i].rxh;
	return rxh;
}

/* Return: the fields, or -1 if packets of the type do not have one of them. */
static int parq_rss_fields_of(int type, u64 rxh)
{
	unsigned int i;
	u8 fields = 0;

	for (i = 0; i < ARRAY_SIZE(parq_rss_field); i++) {
		if (!(rxh & parq_rss_field[i].rxh))
			continue;
		fields |= parq_rss_field[i].field;
		rxh &= ~(u64)parq_rss_field[i].rxh;
	}
	if (type < PARQ_RSS_IPV6 && fields & PARQ_RSS_FIELDS_LABEL)
		return -1;
	if ((type == PARQ_RSS_IPV4 || type == PARQ_RSS_IPV6) && fields & PARQ_RSS_PORTS)
		return -1;
	return rxh ? -1 : fields;
}

static int parq_rss_set_fields(struct parq_port *port, u32 ctx, u32 flow_type, u64 rxh,
			       struct netlink_ext_ack *extack)
{
	struct parq_rss *rss = parq_port_rss(port, ctx);
	int type = parq_rss_type(flow_type), fields;
	char reason[PARQ_REASON_LEN];

	if (!parq_rss_has_fields(port))
		return parq_refuse(port->netdev, extack, "rx-flow-hash",
				   "the device has no choice of fields", -EOPNOTSUPP);
	if (!rss) {
		snprintf(reason, sizeof(reason), "RSS context %u does not exist", ctx);
		return parq_refuse(port->netdev, extack, "rx-flow-hash", reason, -ENOENT);
	}
	if (type < 0) {
		snprintf(reason, sizeof(reason),
			 "flow type %u: only TCP, UDP and IP have fields of their own", flow_type);
		return parq_refuse(port->netdev, extack, "rx-flow-hash", reason, -EINVAL);
	}
	fields = parq_rss_fields_of(type, rxh);
	if (fields < 0) {
		snprintf(reason, sizeof(reason),
			 "fields %#llx are not all in packets of flow type %u", rxh, flow_type);
		return parq_refuse(port->netdev, extack, "rx-flow-hash", reason, -EINVAL);
	}
	rss->fields[type] = fields;
	parq_reconf_steer(port, parq_io_rss_set, ctx);
	return 0;
}

#ifdef PARQ_HAVE_RXFH_FIELDS
int parq_ethtool_rss_fields(struct net_device *dev,
			    struct ethtool_rxfh_fields *fields)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_rss *rss = parq_port_rss(port, fields->rss_context);

	if (!parq_rss_has(port))
		return -EOPNOTSUPP;
	if (!rss)
		return -ENOENT;
	fields->data = parq_rss_hashed(rss, fields->flow_type);
	return 0;
}

int parq_ethtool_rss_set_fields(struct net_device *dev,
				const struct ethtool_rxfh_fields *fields,
				struct netlink_ext_ack *extack)
{
	return parq_rss_set_fields(netdev_priv(dev), fields->rss_context, fields->flow_type,
				   fields->data, extack);
}
#else
int parq_ethtool_rss_set_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc)
{
	if (nfc->cmd != ETHTOOL_SRXFH)
		return -EOPNOTSUPP;
	return parq_rss_set_fields(netdev_priv(dev), 0, nfc->flow_type, nfc->data, NULL);
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
int parq_ethtool_rss_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc)
{
	const struct parq_port *port = netdev_priv(dev);

	switch (nfc->cmd) {
	case ETHTOOL_GRXRINGS:
		nfc->data = port->num_chans;
		return 0;
	case ETHTOOL_GRXFH:
		if (!parq_rss_has(port))
			return -EOPNOTSUPP;
		nfc->data = parq_rss_hashed(&port->rss, nfc->flow_type);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
#endif
