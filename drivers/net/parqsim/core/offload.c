// SPDX-License-Identifier: GPL-2.0
#include "ip.h"
#include "offload.h"

#define TCP_SEQ		4
#define TCP_DATA_OFF	12
#define TCP_FLAGS	13
#define TCP_CHECK	16

#define TCP_FIN		BIT(0)
#define TCP_PSH		BIT(3)
#define TCP_CWR		BIT(7)

static void csum_store(u8 *p, u16 sum)
{
	memcpy(p, &sum, sizeof(sum));
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

/* Replaces the bits of @mask in the DS octet, if there is one. */
static void rewrite_ds(u8 *frame, u32 len, u8 mask, u8 val)
{
	struct ip ip;
	u8 *h, ds;

	if (!ip_parse(frame, len, &ip))
		return;
	h = frame + ip.l3;
	ds = val | (ip_ds(frame, &ip) & ~mask);
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
		rewrite_ds(frame, len, DS_DSCP,
			   FIELD_PREP(DS_DSCP, FIELD_GET(PARQ_REWR_DSCP, rewr)));
}

u8 offload_ecn(const u8 *frame, u32 len)
{
	struct ip ip;

	return ip_parse(frame, len, &ip) ? ip_ds(frame, &ip) & DS_ECN : 0;
}

void offload_mark(u8 *frame, u32 len)
{
	rewrite_ds(frame, len, DS_ECN, DS_ECN);
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
