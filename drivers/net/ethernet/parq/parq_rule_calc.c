// SPDX-License-Identifier: GPL-2.0
/* Rules as words of a frame's headers, and those of ethtool as such. Pure. */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/in.h>

#include "compat.h"
#include "parq_rule.h"

void parq_match_word(struct parq_match *m, unsigned int word, u32 val, u32 mask)
{
	m->key[word] |= val & mask;
	m->mask[word] |= mask;
}

void parq_match_mac(struct parq_match *m, unsigned int word, const u8 *addr, const u8 *mask)
{
	parq_match_word(m, word, get_unaligned_le32(addr), get_unaligned_le32(mask));
	parq_match_word(m, word + 1, get_unaligned_le16(addr + 4), get_unaligned_le16(mask + 4));
}

void parq_match_ip(struct parq_match *m, unsigned int word, const __be32 *addr,
		   const __be32 *mask, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		parq_match_word(m, word + i, be32_to_cpu(addr[i]), be32_to_cpu(mask[i]));
}

/* @val, @mask: both ports, source first */
void parq_match_ports(struct parq_match *m, u32 val, u32 mask)
{
	if (!mask)
		return;
	parq_match_word(m, PARQ_RULE_PORTS, val, mask);
	parq_match_word(m, PARQ_RULE_PROTO, PARQ_RULE_PROTO_PORTS, PARQ_RULE_PROTO_PORTS);
}

/* @version: PARQ_RULE_PROTO_IPV4 or _IPV6; @mask: of @proto, 0 for any */
void parq_match_proto(struct parq_match *m, u32 version, u8 proto, u8 mask)
{
	parq_match_word(m, PARQ_RULE_PROTO, version, version);
	parq_match_word(m, PARQ_RULE_PROTO, proto, mask);
}

void parq_match_ds(struct parq_match *m, u8 ds, u8 mask)
{
	parq_match_word(m, PARQ_RULE_PROTO, FIELD_PREP(PARQ_RULE_PROTO_DS, ds),
			FIELD_PREP(PARQ_RULE_PROTO_DS, mask));
}

/* A C-tag; @tci: of it */
void parq_match_tci(struct parq_match *m, u16 tci, u16 mask)
{
	parq_match_word(m, PARQ_RULE_PROTO, PARQ_RULE_PROTO_TAG, PARQ_RULE_PROTO_TAG);
	parq_match_word(m, PARQ_RULE_TYPES, FIELD_PREP(PARQ_RULE_TYPES_TCI, tci),
			FIELD_PREP(PARQ_RULE_TYPES_TCI, mask));
}

/* Return: the RX queue that PARQ_RULE_ACTION names, or -1. */
int parq_rule_queue(u32 action)
{
	if (FIELD_GET(PARQ_RULE_ACTION_OP, action) != PARQ_RULE_QUEUE)
		return -1;
	return FIELD_GET(PARQ_RULE_ACTION_ARG, action);
}

static void parq_rule_l4v4(struct parq_match *m, const struct ethtool_tcpip4_spec *h,
			   const struct ethtool_tcpip4_spec *mask, u8 proto)
{
	parq_match_proto(m, PARQ_RULE_PROTO_IPV4, proto, 0xff);
	parq_match_ip(m, PARQ_RULE_IP_SRC, &h->ip4src, &mask->ip4src, 1);
	parq_match_ip(m, PARQ_RULE_IP_DST, &h->ip4dst, &mask->ip4dst, 1);
	parq_match_ports(m, be16_to_cpu(h->psrc) << 16 | be16_to_cpu(h->pdst),
			 be16_to_cpu(mask->psrc) << 16 | be16_to_cpu(mask->pdst));
	parq_match_ds(m, h->tos, mask->tos);
}

static void parq_rule_l4v6(struct parq_match *m, const struct ethtool_tcpip6_spec *h,
			   const struct ethtool_tcpip6_spec *mask, u8 proto)
{
	parq_match_proto(m, PARQ_RULE_PROTO_IPV6, proto, 0xff);
	parq_match_ip(m, PARQ_RULE_IP_SRC, h->ip6src, mask->ip6src, 4);
	parq_match_ip(m, PARQ_RULE_IP_DST, h->ip6dst, mask->ip6dst, 4);
	parq_match_ports(m, be16_to_cpu(h->psrc) << 16 | be16_to_cpu(h->pdst),
			 be16_to_cpu(mask->psrc) << 16 | be16_to_cpu(mask->pdst));
	parq_match_ds(m, h->tclass, mask->tclass);
}

static int parq_rule_ipv4(struct parq_match *m, const struct ethtool_usrip4_spec *h,
			  const struct ethtool_usrip4_spec *mask, char *reason)
{
	if (mask->ip_ver && h->ip_ver != ETH_RX_NFC_IP4) {
		snprintf(reason, PARQ_REASON_LEN, "IP version %u in a rule for IPv4", h->ip_ver);
		return -EINVAL;
	}
	parq_match_proto(m, PARQ_RULE_PROTO_IPV4, h->proto, mask->proto);
	parq_match_ip(m, PARQ_RULE_IP_SRC, &h->ip4src, &mask->ip4src, 1);
	parq_match_ip(m, PARQ_RULE_IP_DST, &h->ip4dst, &mask->ip4dst, 1);
	parq_match_ports(m, be32_to_cpu(h->l4_4_bytes), be32_to_cpu(mask->l4_4_bytes));
	parq_match_ds(m, h->tos, mask->tos);
	return 0;
}

static void parq_rule_ipv6(struct parq_match *m, const struct ethtool_usrip6_spec *h,
			   const struct ethtool_usrip6_spec *mask)
{
	parq_match_proto(m, PARQ_RULE_PROTO_IPV6, h->l4_proto, mask->l4_proto);
	parq_match_ip(m, PARQ_RULE_IP_SRC, h->ip6src, mask->ip6src, 4);
	parq_match_ip(m, PARQ_RULE_IP_DST, h->ip6dst, mask->ip6dst, 4);
	parq_match_ports(m, be32_to_cpu(h->l4_4_bytes), be32_to_cpu(mask->l4_4_bytes));
	parq_match_ds(m, h->tclass, mask->tclass);
}

static void parq_rule_eth(struct parq_match *m, const struct ethhdr *h, const struct ethhdr *mask)
{
	parq_match_mac(m, PARQ_RULE_DST_LO, h->h_dest, mask->h_dest);
	parq_match_mac(m, PARQ_RULE_SRC_LO, h->h_source, mask->h_source);
	parq_match_word(m, PARQ_RULE_TYPES, be16_to_cpu(h->h_proto), be16_to_cpu(mask->h_proto));
}

/* The C-tag. No other has a place in the device's key. */
static int parq_rule_ext(struct parq_match *m, const struct ethtool_flow_ext *h,
			 const struct ethtool_flow_ext *mask, char *reason)
{
	if (mask->data[0] || mask->data[1]) {
		snprintf(reason, PARQ_REASON_LEN, "user-def: not supported");
		return -EINVAL;
	}
	if (mask->vlan_etype &&
	    (mask->vlan_etype != htons(0xffff) || h->vlan_etype != htons(ETH_P_8021Q))) {
		snprintf(reason, PARQ_REASON_LEN, "vlan-etype %#x: only 0x8100 is supported",
			 be16_to_cpu(h->vlan_etype));
		return -EINVAL;
	}
	if (!mask->vlan_etype && !mask->vlan_tci)
		return 0;
	parq_match_tci(m, be16_to_cpu(h->vlan_tci), be16_to_cpu(mask->vlan_tci));
	return 0;
}

static int parq_rule_flow(struct parq_match *m, const struct ethtool_rx_flow_spec *fs,
			  u32 flow_type, char *reason)
{
	const union ethtool_flow_union *h = &fs->h_u, *mask = &fs->m_u;

	switch (flow_type) {
	case TCP_V4_FLOW:
		parq_rule_l4v4(m, &h->tcp_ip4_spec, &mask->tcp_ip4_spec, IPPROTO_TCP);
		return 0;
	case UDP_V4_FLOW:
		parq_rule_l4v4(m, &h->udp_ip4_spec, &mask->udp_ip4_spec, IPPROTO_UDP);
		return 0;
	case SCTP_V4_FLOW:
		parq_rule_l4v4(m, &h->sctp_ip4_spec, &mask->sctp_ip4_spec, IPPROTO_SCTP);
		return 0;
	case TCP_V6_FLOW:
		parq_rule_l4v6(m, &h->tcp_ip6_spec, &mask->tcp_ip6_spec, IPPROTO_TCP);
		return 0;
	case UDP_V6_FLOW:
		parq_rule_l4v6(m, &h->udp_ip6_spec, &mask->udp_ip6_spec, IPPROTO_UDP);
		return 0;
	case SCTP_V6_FLOW:
		parq_rule_l4v6(m, &h->sctp_ip6_spec, &mask->sctp_ip6_spec, IPPROTO_SCTP);
		return 0;
	case IPV4_USER_FLOW:
		return parq_rule_ipv4(m, &h->usr_ip4_spec, &mask->usr_ip4_spec, reason);
	case IPV6_USER_FLOW:
		parq_rule_ipv6(m, &h->usr_ip6_spec, &mask->usr_ip6_spec);
		return 0;
	case ETHER_FLOW:
		parq_rule_eth(m, &h->ether_spec, &mask->ether_spec);
		return 0;
	default:
		snprintf(reason, PARQ_REASON_LEN, "flow type %u: not supported", flow_type);
		return -EINVAL;
	}
}

/**
 * parq_rule_match() - make the device's match of a rule
 * @fs: the rule
 * @m: result
 * @reason: why not
 *
 * Return: 0, or -EINVAL for a flow type, or a field of it, that the device does not compare.
 */
int parq_rule_match(const struct ethtool_rx_flow_spec *fs, struct parq_match *m,
		    char reason[PARQ_REASON_LEN])
{
	u32 flow_type = fs->flow_type & ~(FLOW_EXT | FLOW_MAC_EXT | FLOW_RSS);
	int err;

	memset(m, 0, sizeof(*m));
	err = parq_rule_flow(m, fs, flow_type, reason);
	if (!err && fs->flow_type & FLOW_EXT)
		err = parq_rule_ext(m, &fs->h_ext, &fs->m_ext, reason);
	if (!err && fs->flow_type & FLOW_MAC_EXT)
		parq_match_mac(m, PARQ_RULE_DST_LO, fs->h_ext.h_dest, fs->m_ext.h_dest);
	return err;
}
