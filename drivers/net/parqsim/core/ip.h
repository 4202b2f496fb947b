/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers of IP packets, and their checksums. No function accesses memory outside the bytes named
 * by its arguments, whatever the headers claim.
 */
#ifndef _PARQSIM_IP_H
#define _PARQSIM_IP_H

#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/string.h>

#include "frame.h"

/* DS octet (RFC 2474): code point and ECN (RFC 3168). Bits 27:20 of the first word in IPv6. */
#define DS_DSCP		GENMASK(7, 2)
#define DS_ECN		GENMASK(1, 0)
#define IP6_DS		GENMASK(11, 4)	/* of the first 16 bits */

/* Offsets in headers, and minimum header lengths, in bytes. */
#define IP4_DS		1
#define IP4_TOTAL_LEN	2
#define IP4_ID		4
#define IP4_FRAG	6
#define IP4_PROTO	9
#define IP4_CHECK	10
#define IP4_ADDR	12
#define IP4_ADDR_LEN	8	/* source and destination */
#define IP4_HDR_LEN	20

#define IP6_LABEL	GENMASK(19, 0)	/* of the first 32 bits */
#define IP6_PAYLOAD_LEN	4
#define IP6_NEXT	6
#define IP6_ADDR	8
#define IP6_ADDR_LEN	32
#define IP6_HDR_LEN	40
#define IP6_SEGS_LEFT	3	/* in a routing header */

#define PORTS_LEN	4	/* source and destination, TCP, UDP and SCTP */
#define TCP_HDR_LEN	20

#define IP4_MORE_FRAGS	BIT(13)
#define IP4_FRAG_OFF	GENMASK(12, 0)

/**
 * struct ip - what the IP headers of a frame say
 * @addr: source and destination address, adjacent
 * @addr_len: bytes of both addresses
 * @proto: protocol of the payload
 * @l3: bytes from frame start to the IP header
 * @l4: bytes from frame start to the payload of the IP headers
 * @end: bytes from frame start to the packet's end; may be beyond the frame
 * @frag: an IPv4 fragment; IPv6 fragments have @proto set to the fragment header
 * @moved: the L4 pseudo header may have other addresses than @addr
 */
struct ip {
	const u8 *addr;
	u32 addr_len;
	u8 proto;
	u32 l3;
	u32 l4;
	u32 end;
	bool frag;
	bool moved;
};

static inline u32 get_be32(const u8 *p)
{
	return (u32)get_be16(p) << 16 | get_be16(p + 2);
}

static inline void put_be32(u8 *p, u32 val)
{
	put_be16(p, val >> 16);
	put_be16(p + 2, val);
}

/* A word at any address, whatever is stored there. */
struct word {
	u64 val;
} __packed __attribute__((may_alias));

struct half {
	u32 val;
} __packed __attribute__((may_alias));

/*
 * Ones' complement sum in memory byte order on any machine (RFC 1071, 2B). All blocks
 * added to one sum must have an even length, except the last. Carries are worth 1; they are
 * counted apart, or each addition would wait for that of the carry before it.
 */
static inline u64 sum_add(u64 sum, const u8 *p, u32 len)
{
	u64 word, carries = 0;

	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		word = ((const struct word *)p)->val;
		sum += word;
		carries += sum < word;
	}
	/* What is left of an IPv4 header. */
	if (len >= sizeof(u32)) {
		sum += ((const struct half *)p)->val;
		carries += sum < ((const struct half *)p)->val;
		len -= sizeof(u32);
		p += sizeof(u32);
	}
	if (len) {
		word = 0;
		memcpy(&word, p, len);
		sum += word;
		carries += sum < word;
	}
	sum += carries;
	return sum + (sum < carries);
}

static inline u16 sum_fold(u64 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* Return: bytes before the network header. @type is the EtherType, 0 if there is none. */
static inline u32 eth_parse(const u8 *frame, u32 len, u16 *type)
{
	static const u16 tags[] = { ETH_P_8021AD, ETH_P_8021Q };
	u32 i, off = ETH_HLEN;

	*type = len < off ? 0 : get_be16(frame + off - 2);
	for (i = 0; i < 2; i++) {
		if (*type != tags[i])
			continue;
		off += TAG_LEN;
		*type = len < off ? 0 : get_be16(frame + off - 2);
	}
	return off;
}

static inline bool ip4_parse(const u8 *frame, u32 len, struct ip *ip)
{
	const u8 *h = frame + ip->l3;
	u32 hdr;

	if (len - ip->l3 < IP4_HDR_LEN || h[0] >> 4 != 4)
		return false;
	hdr = (h[0] & 0xf) * 4;
	if (hdr < IP4_HDR_LEN || hdr > len - ip->l3)
		return false;
	ip->addr = h + IP4_ADDR;
	ip->addr_len = IP4_ADDR_LEN;
	ip->proto = h[IP4_PROTO];
	ip->l4 = ip->l3 + hdr;
	ip->end = ip->l3 + get_be16(h + IP4_TOTAL_LEN);
	ip->frag = get_be16(h + IP4_FRAG) & (IP4_MORE_FRAGS | IP4_FRAG_OFF);
	return true;
}

/*
 * The pseudo header has the final destination, which a routing header may name (RFC 8200,
 * 8.1), and the home address, which a destination option may name (RFC 6275, 6.3). The
 * IPv6 header does not have them. The walk ends at a fragment header.
 */
static inline bool ip6_parse(const u8 *frame, u32 len, struct ip *ip)
{
	const u8 *h = frame + ip->l3;

	if (len - ip->l3 < IP6_HDR_LEN || h[0] >> 4 != 6)
		return false;
	ip->addr = h + IP6_ADDR;
	ip->addr_len = IP6_ADDR_LEN;
	ip->proto = h[IP6_NEXT];
	ip->l4 = ip->l3 + IP6_HDR_LEN;
	ip->end = ip->l4 + get_be16(h + IP6_PAYLOAD_LEN);
	while (ip->proto == IPPROTO_HOPOPTS || ip->proto == IPPROTO_DSTOPTS ||
	       ip->proto == IPPROTO_ROUTING) {
		u32 ext;

		h = frame + ip->l4;
		if (len - ip->l4 < 8)
			break;
		ext = (h[1] + 1) * 8;
		if (ext > len - ip->l4)
			break;
		if (ip->proto == IPPROTO_DSTOPTS ||
		    (ip->proto == IPPROTO_ROUTING && h[IP6_SEGS_LEFT]))
			ip->moved = true;
		ip->proto = h[0];
		ip->l4 += ext;
	}
	return true;
}

static inline bool ip_parse(const u8 *frame, u32 len, struct ip *ip)
{
	u16 type;

	*ip = (struct ip){ .l3 = eth_parse(frame, len, &type) };
	if (type == ETH_P_IP)
		return ip4_parse(frame, len, ip);
	if (type == ETH_P_IPV6)
		return ip6_parse(frame, len, ip);
	return false;
}

/* Return: bytes of L4 header and data; 0 if the packet is truncated or a fragment. */
static inline u32 l4_len(const struct ip *ip, u32 len)
{
	return ip->frag || ip->end > len || ip->end < ip->l4 ?
	       0 : ip->end - ip->l4;
}

static inline bool is_ipv6(const struct ip *ip)
{
	return ip->addr_len == IP6_ADDR_LEN;
}

/* Whether a complete C-tag follows the addresses. */
static inline bool has_c_tag(const u8 *frame, u32 len)
{
	return len >= ETH_HLEN + TAG_LEN &&
	       get_be16(frame + 2 * ETH_ALEN) == ETH_P_8021Q;
}

static inline u8 ip_ds(const u8 *frame, const struct ip *ip)
{
	const u8 *h = frame + ip->l3;

	return is_ipv6(ip) ? FIELD_GET(IP6_DS, get_be16(h)) : h[IP4_DS];
}

#endif /* _PARQSIM_IP_H */
