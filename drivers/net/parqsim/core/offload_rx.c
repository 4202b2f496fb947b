// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>

#include "ip.h"
#include "offload_rx.h"

/* The longest frame that may have padding: a switch has added two tags. No FCS. */
#define PADDED_MAX	(ETH_ZLEN + 2 * TAG_LEN)

#define UDP_LEN		4
#define UDP_CHECK	6
#define UDP_HDR_LEN	8

static_assert(OFFLOAD_HASHED * sizeof(u32) == IP6_ADDR_LEN + PORTS_LEN);

/* Verifies the TCP or UDP checksum. Return: 0 for a UDP packet without one. */
static u32 l4_verify(const u8 *frame, const struct ip *ip, u32 len)
{
	const u8 *h = frame + ip->l4;
	u8 pseudo[4] = { 0, ip->proto };
	u64 sum;

	if (ip->proto == IPPROTO_UDP) {
		if (len < UDP_HDR_LEN || !get_be16(h + UDP_CHECK))
			return 0;
		if (get_be16(h + UDP_LEN) < UDP_HDR_LEN ||
		    get_be16(h + UDP_LEN) > len)
			return 0;
		len = get_be16(h + UDP_LEN);
	} else if (ip->proto != IPPROTO_TCP || len < TCP_HDR_LEN) {
		return 0;
	}
	put_be16(pseudo + 2, len);
	sum = sum_add(0, ip->addr, ip->addr_len);
	sum = sum_add(sum, pseudo, sizeof(pseudo));
	if (sum_fold(sum_add(sum, h, len)) == 0xffff)
		return PARQ_RX_CSUM_OK;
	return ip->moved ? 0 : PARQ_RX_CSUM_BAD;
}

static u32 ip_verify(const u8 *frame, const struct ip *ip, u32 len)
{
	u64 sum = sum_add(0, frame + ip->l3, ip->l4 - ip->l3);

	if (!is_ipv6(ip) && sum_fold(sum) != 0xffff)
		return PARQ_RX_CSUM_BAD;
	return l4_verify(frame, ip, l4_len(ip, len));
}

/* Whether these @n words were hashed last. */
static bool was_hashed(const struct offload_rss *rss, const u32 *data, u32 n)
{
	u32 i;

	if (n != rss->n)
		return false;
	for (i = 0; i < n; i++)
		if (data[i] != rss->data[i])
			return false;
	return true;
}

static u32 hash_of(struct offload_rss *rss, const u32 *data, u32 n)
{
	if (was_hashed(rss, data, n))
		return rss->hash;
	memcpy(rss->data, data, n * sizeof(*data));
	rss->n = n;
	rss->hash = offload_toeplitz(rss->key, (const u8 *)data, n * sizeof(*data));
	return rss->hash;
}

static enum parq_rss_type rss_type(const struct ip *ip, u32 len)
{
	u32 type = is_ipv6(ip) ? PARQ_RSS_IPV6 : PARQ_RSS_IPV4;

	if (l4_len(ip, len) < PORTS_LEN)
		return type;
	if (ip->proto == IPPROTO_TCP)
		return type + PARQ_RSS_TCP4 - PARQ_RSS_IPV4;
	if (ip->proto == IPPROTO_UDP)
		return type + PARQ_RSS_UDP4 - PARQ_RSS_IPV4;
	return type;
}

/* Puts the XOR of @n words of sources and as many words of destinations in place of both. */
static void make_symmetric(u32 *addr, u32 n, u8 *ports)
{
	u16 port = get_be16(ports) ^ get_be16(ports + 2);
	u32 i;

	for (i = 0; i < n; i++)
		addr[i] ^= addr[n + i];
	memcpy(addr + n, addr, n * sizeof(*addr));
	put_be16(ports, port);
	put_be16(ports + 2, port);
}

/*
 * Makes all words that are hashed. Fields that are not hashed count as 0. The flow label is
 * XORed into the word of the ports. Return: their number.
 */
static u32 shape(const struct offload_rss *rss, const u8 *frame, const struct ip *ip, u32 fields,
		 u32 *data)
{
	u32 n = ip->addr_len / sizeof(*data);
	u8 *ports = (u8 *)(data + n);

	if (!(fields & PARQ_RSS_FIELDS_SRC))
		memset(data, 0, ip->addr_len / 2);
	if (!(fields & PARQ_RSS_FIELDS_DST))
		memset(data + n / 2, 0, ip->addr_len / 2);
	memset(ports, 0, PORTS_LEN);
	if (fields & PARQ_RSS_FIELDS_SPORT)
		memcpy(ports, frame + ip->l4, PORTS_LEN / 2);
	if (fields & PARQ_RSS_FIELDS_DPORT)
		memcpy(ports + PORTS_LEN / 2, frame + ip->l4 + PORTS_LEN / 2, PORTS_LEN / 2);
	if (rss->ctrl & PARQ_RSS_CTRL_SYM)
		make_symmetric(data, n / 2, ports);
	if (fields & PARQ_RSS_FIELDS_LABEL)
		put_be32(ports, get_be32(ports) ^ (get_be32(frame + ip->l3) & IP6_LABEL));
	return n + 1;
}

static void rss_hash(const u8 *frame, const struct ip *ip, u32 len, struct offload_rss *rss,
		     struct offload_rx *rx)
{
	u32 type = rss_type(ip, len), fields = rss->fields[type];
	u32 data[OFFLOAD_HASHED], n = ip->addr_len / sizeof(*data);
	bool l4 = (fields & OFFLOAD_PORTS) == OFFLOAD_PORTS;

	if (!fields)
		return;
	/* Copies of a constant length are no calls. */
	if (is_ipv6(ip))
		memcpy(data, ip->addr, IP6_ADDR_LEN);
	else
		memcpy(data, ip->addr, IP4_ADDR_LEN);
	if (rss->shaped & BIT(type))
		n = shape(rss, frame, ip, fields, data);
	else if (l4)
		memcpy(data + n++, frame + ip->l4, PORTS_LEN);
	rx->hash_type = l4 ? PARQ_RX_HASH_L4 : PARQ_RX_HASH_L3;
	rx->hash = hash_of(rss, data, n);
}

/* Return: the fields that packets of a type have. */
u32 offload_rss_fields(u32 type)
{
	u32 all = OFFLOAD_ADDRS;

	if (type >= PARQ_RSS_IPV6)
		all |= PARQ_RSS_FIELDS_LABEL;
	if (type != PARQ_RSS_IPV4 && type != PARQ_RSS_IPV6)
		all |= OFFLOAD_PORTS;
	return all;
}

/* The fields that PARQ_RSS_CTRL names by itself. */
static u32 ctrl_fields(u32 ctrl, u32 type)
{
	static const u8 l4[] = { 0, PARQ_RSS_CTRL_TCP, PARQ_RSS_CTRL_UDP };

	if (ctrl & l4[type % PARQ_RSS_IPV6])
		return OFFLOAD_ADDRS | OFFLOAD_PORTS;
	return ctrl & (type < PARQ_RSS_IPV6 ? PARQ_RSS_CTRL_IPV4 : PARQ_RSS_CTRL_IPV6) ?
	       OFFLOAD_ADDRS : 0;
}

/**
 * offload_rss_update() - use new settings
 * @rss: settings; @ctrl, @set or @key has changed
 */
void offload_rss_update(struct offload_rss *rss)
{
	u32 type, fields;

	rss->shaped = 0;
	rss->n = 0;
	for (type = 0; type < PARQ_RSS_NUM_TYPES; type++) {
		fields = rss->ctrl & PARQ_RSS_CTRL_FIELDS ? rss->set[type] :
							    ctrl_fields(rss->ctrl, type);
		rss->fields[type] = fields;
		if (rss->ctrl & PARQ_RSS_CTRL_SYM ||
		    (fields != OFFLOAD_ADDRS && fields != (OFFLOAD_ADDRS | OFFLOAD_PORTS)))
			rss->shaped |= BIT(type);
	}
}

/* Return: whether @ip is valid. Inline: each frame goes through it. */
static __always_inline bool parse_prio(const u8 *frame, u32 len, struct ip *ip,
				       struct offload_rx *rx)
{
	*rx = (struct offload_rx){ 0 };
	if (has_c_tag(frame, len)) {
		rx->tagged = true;
		rx->tci = get_be16(frame + ETH_HLEN);
	}
	if (!ip_parse(frame, len, ip))
		return false;
	rx->ip = true;
	rx->dscp = FIELD_GET(DS_DSCP, ip_ds(frame, ip));
	return true;
}

void offload_parse_prio(const u8 *frame, u32 len, struct offload_rx *rx)
{
	struct ip ip;

	parse_prio(frame, len, &ip, rx);
}

/* @verify: the payload is there; otherwise checksums are known to be right */
static void parse(const u8 *frame, u32 len, struct offload_rss *rss, struct offload_rx *rx,
		  bool verify)
{
	struct ip ip;

	if (!parse_prio(frame, len, &ip, rx))
		return;
	if (len <= PADDED_MAX && ip.end >= ip.l4 && ip.end < len)
		rx->padding = len - ip.end;
	rx->csum = verify ? ip_verify(frame, &ip, len) : PARQ_RX_CSUM_OK;
	if (rss->ctrl & PARQ_RSS_CTRL_EN)
		rss_hash(frame, &ip, len, rss, rx);
}

/**
 * offload_parse() - parse the headers of a received frame
 * @frame: the frame without FCS
 * @len: its bytes
 * @rss: how it is hashed
 * @rx: result; all members are set
 *
 * S-tags are skipped. Checksums are not judged for fragments, for packets that do not end
 * within the frame, for UDP without a checksum and for protocols other than TCP and UDP.
 * A bad IPv4 header checksum is always PARQ_RX_CSUM_BAD. Bytes after the packet's end are
 * padding. Fragments and truncated packets are hashed by address only.
 */
void offload_parse(const u8 *frame, u32 len, struct offload_rss *rss, struct offload_rx *rx)
{
	parse(frame, len, rss, rx, true);
}

/**
 * offload_classify() - offload_parse() of a segment whose checksums are right
 * @hdr: its headers
 * @len: bytes of the segment without FCS; its payload is not read
 * @rss: how it is hashed
 * @rx: result; all members are set
 */
void offload_classify(const u8 *hdr, u32 len, struct offload_rss *rss, struct offload_rx *rx)
{
	parse(hdr, len, rss, rx, false);
}

/* Replaces the hash of a parsed frame by that of other settings. Without one it is 0. */
void offload_hash(const u8 *frame, u32 len, struct offload_rss *rss, struct offload_rx *rx)
{
	struct ip ip;

	rx->hash = 0;
	rx->hash_type = 0;
	if (ip_parse(frame, len, &ip) && (rss->ctrl & PARQ_RSS_CTRL_EN))
		rss_hash(frame, &ip, len, rss, rx);
}

/**
 * offload_toeplitz() - hash of the Microsoft RSS specification
 * @key: the key, @len + 4 bytes
 * @data: bytes to hash, in wire order
 * @len: bytes of @data, a multiple of 4
 *
 * Return: the hash. Each bit of @data that is 1 XORs in the 32 bits of the key that start
 * at the same bit position.
 */
u32 offload_toeplitz(const u8 *key, const u8 *data, u32 len)
{
	u32 i, word, bit, hash = 0;
	u64 window;

	for (i = 0; i < len; i += 4) {
		window = (u64)get_be32(key + i) << 32 | get_be32(key + i + 4);
		for (word = get_be32(data + i); word; word ^= BIT(31) >> bit) {
			bit = __builtin_clz(word);
			hash ^= window << bit >> 32;
		}
	}
	return hash;
}
