// SPDX-License-Identifier: GPL-2.0
#include "frame.h"
#include "snoop.h"

#define ETH_IPV4	0x0800
#define ETH_IPV6	0x86dd
#define IP_IGMP		2
#define IP_HOPOPTS	0
#define IP_ICMPV6	58
#define IP_PIM		103
#define IPV4_MIN	20
#define IPV6_LEN	40

static enum snoop igmp(u32 type)
{
	switch (type) {
	case 0x12:	/* report, version 1 */
	case 0x16:	/* report, version 2 */
	case 0x17:	/* leave */
	case 0x22:	/* report, version 3 */
		return SNOOP_TRAP;
	default:
		return SNOOP_COPY;
	}
}

static enum snoop mld(u32 type)
{
	switch (type) {
	case 131:	/* report */
	case 132:	/* done */
	case 143:	/* report, version 2 */
		return SNOOP_TRAP;
	case 130:	/* query */
	case 151:	/* advertisement of a router (RFC 4286) */
		return SNOOP_COPY;
	default:
		return SNOOP_NONE;
	}
}

/* A later fragment, which has no header of its own, is data. */
static enum snoop snoop_ipv4(const u8 *ip, u32 len)
{
	u32 header = 4 * (ip[0] & 0xf);

	if (len < IPV4_MIN || ip[0] >> 4 != 4 || header < IPV4_MIN || (get_be16(ip + 6) & 0x1fff))
		return SNOOP_NONE;
	if (ip[9] == IP_PIM)
		return SNOOP_COPY;
	return ip[9] == IP_IGMP && header < len ? igmp(ip[header]) : SNOOP_NONE;
}

/* MLD has a router alert in a hop-by-hop header. */
static enum snoop snoop_ipv6(const u8 *ip, u32 len)
{
	u32 at;

	if (len < IPV6_LEN + 2 || ip[0] >> 4 != 6)
		return SNOOP_NONE;
	if (ip[6] == IP_PIM)
		return SNOOP_COPY;
	at = IPV6_LEN + 8 * (ip[IPV6_LEN + 1] + 1);
	if (ip[6] != IP_HOPOPTS || ip[IPV6_LEN] != IP_ICMPV6 || at >= len)
		return SNOOP_NONE;
	return mld(ip[at]);
}

/**
 * snoop() - find out what a frame to a group is
 * @data: the frame, with or without a C-tag
 * @len: bytes without FCS, at least FRAME_MIN
 *
 * Return: what a bridge that snoops does with it.
 */
enum snoop snoop(const u8 *data, u32 len)
{
	u32 at = TAG_AT, type;

	if (get_be16(data + at) == ETH_C_TAG)
		at += TAG_LEN;
	type = get_be16(data + at);
	at += 2;
	if (type == ETH_IPV4)
		return snoop_ipv4(data + at, len - at);
	return type == ETH_IPV6 ? snoop_ipv6(data + at, len - at) : SNOOP_NONE;
}
