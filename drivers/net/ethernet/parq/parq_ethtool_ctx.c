// SPDX-License-Identifier: GPL-2.0
/* ethtool: RSS contexts. Rules say which frames they spread. */
#include <linux/slab.h>

#include "parq.h"
#include "parq_ethtool.h"
#include "parq_log.h"

#ifdef PARQ_HAVE_RXFH_CONTEXTS
/* The kernel shows what the driver has chosen. */
static void parq_ctx_tell(const struct parq_rss *rss, struct ethtool_rxfh_context *ctx)
{
	unsigned int i;

	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		ethtool_rxfh_context_indir(ctx)[i] = rss->indir[i];
	memcpy(ethtool_rxfh_context_key(ctx), rss->key, PARQ_RSS_KEY_LEN);
	ctx->hfunc = ETH_RSS_HASH_TOP;
	ctx->input_xfrm = rss->sym ? RXH_XFRM_SYM_XOR : 0;
}

/**
 * parq_ethtool_ctx_create() - make a context
 * @dev: interface
 * @ctx: the kernel's record, which gets what the user does not set
 * @rxfh: number of the context, 1 to PARQ_NUM_RSS_CTX, and settings
 * @extack: why not
 *
 * Unless the user says otherwise, a context spreads over all channels, by the port's hash.
 *
 * Context: ops lock.
 * Return: 0; -EOPNOTSUPP; -ENOMEM.
 */
int parq_ethtool_ctx_create(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    const struct ethtool_rxfh_param *rxfh,
			    struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	u32 id = rxfh->rss_context;
	struct parq_rss *rss;
	int err;

	if (!(port->pd->caps.flags & PARQ_CAP_RULES))
		return -EOPNOTSUPP;
	rss = kmemdup(&port->rss, sizeof(*rss), GFP_KERNEL);
	if (!rss)
		return -ENOMEM;
	parq_rss_spread(rss, port->num_chans);
	port->ctx[id - 1] = rss;
	err = parq_ethtool_rss_apply(port, id, rxfh, extack);
	if (err) {
		port->ctx[id - 1] = NULL;
		kfree(rss);
		return err;
	}
	parq_ctx_tell(rss, ctx);
	return 0;
}

int parq_ethtool_ctx_modify(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    const struct ethtool_rxfh_param *rxfh,
			    struct netlink_ext_ack *extack)
{
	return parq_ethtool_rss_apply(netdev_priv(dev), rxfh->rss_context, rxfh, extack);
}

int parq_ethtool_ctx_remove(struct net_device *dev, struct ethtool_rxfh_context *ctx,
			    u32 id, struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN];
	u32 location;

	if (parq_ethtool_rule_uses(port, id, &location)) {
		snprintf(reason, sizeof(reason), "the rule at location %u uses RSS context %u",
			 location, id);
		return parq_refuse(dev, extack, "RSS context", reason, -EBUSY);
	}
	kfree(port->ctx[id - 1]);
	port->ctx[id - 1] = NULL;
	return 0;
}
#endif
