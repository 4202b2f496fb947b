// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: attachment of programs, and what they can ask about a frame.
 *
 * Buffers have headroom for XDP at all times, and their pages are mapped in both directions. So
 * attachment replaces a pointer, and no frame is lost.
 */
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/if_vlan.h>

#include "parq.h"
#include "parq_log.h"
#include "parq_ptp.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* ---- Metadata ----------------------------------------------------------- */

#ifdef PARQ_HAVE_XDP_METADATA
static int parq_xdp_rx_hash(const struct xdp_md *ctx, u32 *hash,
			    enum xdp_rss_hash_type *type)
{
	const struct parq_xdp_frame *frame = (const void *)ctx;
	const struct ethhdr *eth = frame->buff.data;
	u32 flags = le32_to_cpu(frame->comp->flags);

	if (!(flags & (PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4)))
		return -ENODATA;
	*hash = le32_to_cpu(frame->comp->hash);
	*type = XDP_RSS_TYPE_NONE;
	if (eth->h_proto == htons(ETH_P_IP))
		*type |= XDP_RSS_L3_IPV4;
	else if (eth->h_proto == htons(ETH_P_IPV6))
		*type |= XDP_RSS_L3_IPV6;
	if (flags & PARQ_RX_HASH_L4)
		*type |= XDP_RSS_L4;
	return 0;
}

static int parq_xdp_rx_vlan_tag(const struct xdp_md *ctx, __be16 *proto, u16 *tci)
{
	const struct parq_xdp_frame *frame = (const void *)ctx;

	if (!(frame->comp->flags & cpu_to_le32(PARQ_RX_VLAN)))
		return -ENODATA;
	*proto = htons(ETH_P_8021Q);
	*tci = le16_to_cpu(frame->comp->tci);
	return 0;
}

static int parq_xdp_rx_timestamp(const struct xdp_md *ctx, u64 *timestamp)
{
	const struct parq_xdp_frame *frame = (const void *)ctx;
	u32 flags = le32_to_cpu(frame->comp->flags);

	if (!(flags & PARQ_RX_STAMP) ||
	    !parq_ptp_rx_stamp(netdev_priv(frame->buff.rxq->dev), flags,
			       le32_to_cpu(frame->comp->time), timestamp))
		return -ENODATA;
	return 0;
}

static const struct xdp_metadata_ops parq_xdp_metadata_ops = {
	.xmo_rx_timestamp = parq_xdp_rx_timestamp,
	.xmo_rx_hash = parq_xdp_rx_hash,
	.xmo_rx_vlan_tag = parq_xdp_rx_vlan_tag,
};
#endif

/* ---- Attachment --------------------------------------------------------- */

static bool parq_xdp_prog_fits(const struct bpf_prog *prog, unsigned int mtu)
{
	return !prog || prog->aux->xdp_has_frags || mtu <= PARQ_XDP_MTU;
}

/**
 * parq_xdp_mtu_fits() - check an MTU against the program
 * @port: port
 * @mtu: MTU
 *
 * Context: ops lock.
 * Return: false if the program cannot have the largest frames.
 */
bool parq_xdp_mtu_fits(const struct parq_port *port, unsigned int mtu)
{
	return parq_xdp_prog_fits(port->xdp_prog, mtu);
}

/*
 * Of merged segments no program can tell what was on the wire, nor a socket. Those that wait in the
 * ring when a program is attached pass it by.
 */
netdev_features_t parq_xdp_fix_features(struct net_device *dev,
					netdev_features_t features)
{
	const struct parq_port *port = netdev_priv(dev);

	if (port->xdp_prog || parq_xsk_bound(port))
		features &= ~NETIF_F_GRO_HW;
	return features;
}

int parq_xdp_setup(struct net_device *dev, struct bpf_prog *prog,
		   struct netlink_ext_ack *extack)
{
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN];
	struct bpf_prog *old;

	netdev_assert_locked_ops_compat(dev);
	if (!parq_xdp_prog_fits(prog, dev->mtu)) {
		snprintf(reason, sizeof(reason),
			 "without xdp.frags, the MTU can be %zu at most",
			 (size_t)PARQ_XDP_MTU);
		return parq_refuse(dev, extack, "XDP program", reason, -EINVAL);
	}
	/* Polls that have read the old one end before it is freed: bpf_prog_put() waits for RCU. */
	old = xchg(&port->xdp_prog, prog);
	if (!old != !prog)
		netdev_update_features(dev);
	if (old)
		bpf_prog_put(old);
	return 0;
}

/**
 * parq_xdp_netdev() - tell the stack what programs can do
 * @dev: netdev that is not registered yet
 */
void parq_xdp_netdev(struct net_device *dev)
{
#ifdef PARQ_HAVE_XDP_FEATURES
	dev->xdp_features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			    NETDEV_XDP_ACT_NDO_XMIT | NETDEV_XDP_ACT_RX_SG |
			    NETDEV_XDP_ACT_NDO_XMIT_SG;
#endif
#ifdef PARQ_HAVE_XDP_METADATA
	dev->xdp_metadata_ops = &parq_xdp_metadata_ops;
#endif
	parq_xsk_netdev(dev);
}
