// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/string.h>

#include "offload.h"

#define TAG_LEN		4
#define TCI_PCP		GENMASK(15, 13)
#define TCI_DEI		BIT(12)

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

#define TCP_SEQ		4
#define TCP_DATA_OFF	12
#define TCP_FLAGS	13
#define TCP_CHECK	16
#define TCP_HDR_LEN	20

#define UDP_LEN		4
#define UDP_CHECK	6
#define UDP_HDR_LEN	8

#define PORTS_LEN	4	/* source and destination, TCP and UDP */

static_assert(OFFLOAD_HASHED * sizeof(u32) == IP6_ADDR_LEN + PORTS_LEN);

#define IP4_MORE_FRAGS	BIT(13)
#define IP4_FRAG_OFF	GENMASK(12, 0)

#define TCP_FIN		BIT(0)
#define TCP_PSH		BIT(3)
#define TCP_CWR		BIT(7)

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

static u16 get_be16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static void put_be16(u8 *p, u16 val)
{
	p[0] = val >> 8;
	p[1] = val;
}

static u32 get_be32(const u8 *p)
{
	return (u32)get_be16(p) << 16 | get_be16(p + 2);
}

static void put_be32(u8 *p, u32 val)
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
static u64 sum_add(u64 sum, const u8 *p, u32 len)
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

static u16 sum_fold(u64 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void csum_store(u8 *p, u16 sum)
{
	memcpy(p, &sum, sizeof(sum));
}

/* Return: bytes before the network header. @type is the EtherType, 0 if there is none. */
static u32 eth_parse(const u8 *frame, u32 len, u16 *type)
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

static bool ip4_parse(const u8 *frame, u32 len, struct ip *ip)
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
static bool ip6_parse(const u8 *frame, u32 len, struct ip *ip)
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

static bool ip_parse(const u8 *frame, u32 len, struct ip *ip)
{
	u16 type;

	*ip = (struct ip){ .l3 = eth_parse(frame, len, &type) };
	if (type == ETH_P_IP)
		return ip4_parse(frame, len, ip);
	if (type == ETH_P_IPV6)
		return ip6_parse(frame, len, ip);
	return false;
}

static bool is_ipv6(const struct ip *ip)
{
	return ip->addr_len == IP6_ADDR_LEN;
}

/* Whether a complete C-tag follows the addresses. */
static bool has_c_tag(const u8 *frame, u32 len)
{
	return len >= ETH_HLEN + TAG_LEN &&
	       get_be16(frame + 2 * ETH_ALEN) == ETH_P_8021Q;
}

static u8 ip_ds(const u8 *frame, const struct ip *ip)
{
	const u8 *h = frame + ip->l3;

	return is_ipv6(ip) ? FIELD_GET(IP6_DS, get_be16(h)) : h[IP4_DS];
}

/* Return: bytes of L4 header and data; 0 if the packet is truncated or a fragment. */
static u32 l4_len(const struct ip *ip, u32 len)
{
	return ip->frag || ip->end > len || ip->end < ip->l4 ?
	       0 : ip->end - ip->l4;
}

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
		addr[i] = addr[n + i] = addr[i] ^ addr[n + i];
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

/* Whether packets of a type have the fields. */
bool offload_rss_valid(u32 type, u32 fields)
{
	u32 all = OFFLOAD_ADDRS;

	if (type >= PARQ_RSS_IPV6)
		all |= PARQ_RSS_FIELDS_LABEL;
	if (type != PARQ_RSS_IPV4 && type != PARQ_RSS_IPV6)
		all |= OFFLOAD_PORTS;
	return !(fields & ~all);
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

/**
 * offload_vlan_insert() - insert a C-tag after the addresses
 * @frame: the frame, with room for 4 more bytes
 * @len: its bytes
 * @tci: tag control information
 *
 * Return: the new length; @len, if the frame has no addresses.
 */
u32 offload_vlan_insert(u8 *frame, u32 len, u16 tci)
{
	u8 *tag = frame + 2 * ETH_ALEN;

	if (len < 2 * ETH_ALEN)
		return len;
	memmove(tag + TAG_LEN, tag, len - 2 * ETH_ALEN);
	put_be16(tag, ETH_P_8021Q);
	put_be16(tag + 2, tci);
	return len + TAG_LEN;
}

/**
 * offload_vlan_strip() - remove the C-tag after the addresses
 * @frame: a frame for which offload_parse() set @tagged
 * @len: its bytes
 *
 * Return: the new length; @len, if the frame is too short for a tag.
 */
u32 offload_vlan_strip(u8 *frame, u32 len)
{
	u8 *tag = frame + 2 * ETH_ALEN;

	if (len < 2 * ETH_ALEN + TAG_LEN)
		return len;
	memmove(tag, tag + TAG_LEN, len - 2 * ETH_ALEN - TAG_LEN);
	return len - TAG_LEN;
}

/* Updates the checksum incrementally (RFC 1624), so a wrong checksum stays wrong. */
static void ip4_set_ds(u8 *h, u8 ds)
{
	u32 sum = (u16)~get_be16(h + IP4_CHECK) + (u16)~get_be16(h);

	h[IP4_DS] = ds;
	sum += get_be16(h);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	put_be16(h + IP4_CHECK, ~sum);
}

static void rewrite_dscp(u8 *frame, u32 len, u8 dscp)
{
	struct ip ip;
	u8 *h, ds;

	if (!ip_parse(frame, len, &ip))
		return;
	h = frame + ip.l3;
	ds = FIELD_PREP(DS_DSCP, dscp) | (ip_ds(frame, &ip) & DS_ECN);
	if (!is_ipv6(&ip))
		ip4_set_ds(h, ds);
	else
		put_be16(h, (get_be16(h) & ~IP6_DS) | FIELD_PREP(IP6_DS, ds));
}

/**
 * offload_rewrite() - rewrite PCP, DEI and DSCP of a frame
 * @frame: the frame
 * @len: its bytes
 * @rewr: PARQ_REWR_* of the frame's priority
 */
void offload_rewrite(u8 *frame, u32 len, u32 rewr)
{
	u8 *tci = frame + ETH_HLEN;
	u32 pcp;

	if (rewr & PARQ_REWR_PCP_EN && has_c_tag(frame, len)) {
		pcp = FIELD_PREP(TCI_PCP, FIELD_GET(PARQ_REWR_PCP, rewr)) |
		      (rewr & PARQ_REWR_DEI ? TCI_DEI : 0);
		put_be16(tci, pcp | (get_be16(tci) & ~(TCI_PCP | TCI_DEI)));
	}
	if (rewr & PARQ_REWR_DSCP_EN)
		rewrite_dscp(frame, len, FIELD_GET(PARQ_REWR_DSCP, rewr));
}

/**
 * offload_csum() - insert a checksum
 * @frame: the frame
 * @len: its bytes
 * @start: first byte to sum; the sum extends to the frame's end
 * @offset: bytes from @start to the checksum field, which holds the pseudo header's sum
 *
 * A result of 0 is stored as 0xffff, because 0 means "no checksum" in UDP.
 *
 * Return: false if the field is outside the frame; the frame is not changed.
 */
bool offload_csum(u8 *frame, u32 len, u32 start, u32 offset)
{
	u16 sum;

	if (start > len || offset > len - start || len - start - offset < 2)
		return false;
	sum = ~sum_fold(sum_add(0, frame + start, len - start));
	csum_store(frame + start + offset, sum ? sum : 0xffff);
	return true;
}

static bool tso_parse(const u8 *frame, const struct offload_seg *seg,
		      struct ip *ip)
{
	u32 hdr;

	if (seg->l4 > seg->hdr_len || seg->hdr_len - seg->l4 < TCP_HDR_LEN)
		return false;
	hdr = (frame[seg->l4 + TCP_DATA_OFF] >> 4) * 4;
	return hdr == seg->hdr_len - seg->l4 &&
	       ip_parse(frame, seg->hdr_len, ip) && !ip->frag &&
	       ip->l4 == seg->l4 && ip->proto == IPPROTO_TCP &&
	       is_ipv6(ip) == seg->ipv6;
}

static void tso_ip4(u8 *h, u32 hdr, u32 total, u32 index)
{
	put_be16(h + IP4_TOTAL_LEN, total);
	put_be16(h + IP4_ID, get_be16(h + IP4_ID) + index);
	csum_store(h + IP4_CHECK, 0);
	csum_store(h + IP4_CHECK, ~sum_fold(sum_add(0, h, hdr)));
}

static void tso_tcp(u8 *h, const struct offload_seg *seg)
{
	put_be32(h + TCP_SEQ, get_be32(h + TCP_SEQ) + seg->offset);
	if (!seg->last)
		h[TCP_FLAGS] &= ~(TCP_FIN | TCP_PSH);
	if (seg->index)
		h[TCP_FLAGS] &= ~TCP_CWR;
}

/* Rewrites all of the headers but the TCP checksum. Return: as offload_tso(). */
static bool tso_headers(u8 *frame, const struct offload_seg *seg)
{
	struct ip ip;
	u64 total;

	if (!tso_parse(frame, seg, &ip))
		return false;
	total = (u64)seg->hdr_len - ip.l3 + seg->len;
	if (total > 0xffff)
		return false;
	if (seg->ipv6)
		put_be16(frame + ip.l3 + IP6_PAYLOAD_LEN, total - IP6_HDR_LEN);
	else
		tso_ip4(frame + ip.l3, ip.l4 - ip.l3, total, seg->index);
	tso_tcp(frame + seg->l4, seg);
	return true;
}

/* Sum over the length, the last part of the pseudo header that is missing. */
static u64 tso_sum(const struct offload_seg *seg)
{
	u8 pseudo[2];

	put_be16(pseudo, seg->hdr_len - seg->l4 + seg->len);
	return sum_add(0, pseudo, sizeof(pseudo));
}

/**
 * offload_tso() - turn headers and payload into one TCP segment
 * @frame: @seg->hdr_len bytes of headers, then @seg->len bytes of payload
 * @seg: the segment to make
 *
 * CWR stays on the first segment only (RFC 3168, 6.1.2), FIN and PSH on the last only.
 *
 * Return: false if the headers do not match @seg, or the segment is too long for the IP
 * length field; the frame is not changed.
 */
bool offload_tso(u8 *frame, const struct offload_seg *seg)
{
	u8 *h = frame + seg->l4;

	if (!tso_headers(frame, seg))
		return false;
	csum_store(h + TCP_CHECK,
		   ~sum_fold(sum_add(tso_sum(seg), h,
				     seg->hdr_len - seg->l4 + seg->len)));
	return true;
}

/**
 * offload_merge() - turn headers into those of one frame that represents several segments
 * @hdr: @seg->hdr_len bytes of headers
 * @seg: the segments: the first one's number and offset, the length of all, and whether the last
 *	one is among them
 *
 * FIN, PSH and CWR are those of all segments. The TCP checksum field gets the pseudo header's sum.
 *
 * Return: as offload_tso().
 */
bool offload_merge(u8 *hdr, const struct offload_seg *seg)
{
	u8 *check = hdr + seg->l4 + TCP_CHECK;

	if (!tso_headers(hdr, seg))
		return false;
	csum_store(check, sum_fold(sum_add(tso_sum(seg), check, 2)));
	return true;
}

/**
 * offload_tso_ok() - whether each segment would be a packet with right checksums
 * @hdr: @seg->hdr_len bytes of headers
 * @seg: its longest segment
 *
 * A host that puts a wrong sum into the checksum field gets segments with a wrong checksum.
 *
 * Return: true if so.
 */
bool offload_tso_ok(const u8 *hdr, const struct offload_seg *seg)
{
	u8 pseudo[2] = { 0, IPPROTO_TCP };
	struct ip ip;
	u16 sum;

	if (!tso_parse(hdr, seg, &ip) || ip.moved ||
	    (u64)seg->hdr_len - ip.l3 + seg->len > 0xffff)
		return false;
	memcpy(&sum, hdr + seg->l4 + TCP_CHECK, sizeof(sum));
	return sum_fold(sum_add(sum_add(0, ip.addr, ip.addr_len), pseudo, sizeof(pseudo))) == sum;
}
