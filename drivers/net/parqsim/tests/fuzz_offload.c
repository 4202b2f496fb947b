// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing is read or written outside the frame, whatever a frame and a descriptor say:
 * each call gets a heap block of the exact length, so that ASan detects a single byte too
 * many. Some properties also hold for all input: a refusal changes nothing, an inserted
 * tag is detected and can be removed again, an inserted checksum is not 0.
 *
 * The input, struct args and then bytes, is XORed onto a correct packet and descriptor. So
 * all zeroes are correct, and each small deviation is one mutation away.
 */
#include <linux/bitfield.h>
#include <stdlib.h>

#include "offload.h"
#include "offload_rx.h"
#include "packet.h"

struct args {
	u32 l4;
	u32 check;
	u32 hdr_len;
	u32 seg_offset;
	u32 index;
	u16 tci;
	u16 cut;	/* bytes missing at the end */
	u8 rss_ctrl;
	u8 kind;	/* KIND_* */
	u8 wrong;	/* WRONG_* */
	u8 payload;
};

#define KIND_IPV6	BIT(0)
#define KIND_UDP	BIT(1)
#define KIND_S_TAG	BIT(2)
#define KIND_C_TAG	BIT(3)
#define KIND_OPTIONS	BIT(4)
#define KIND_FRAGMENT	BIT(5)

#define WRONG_FAMILY	BIT(0)
#define WRONG_LAST	BIT(1)

static const u8 addr[32] = { 0x20, 0x01, 0x0d, 0xb8, [31] = 1 };
static const u8 key[PARQ_RSS_KEY_LEN] = { 0x6d, 0x5a, 0x56, 0xda, 0x25 };

static void check(bool ok)
{
	if (!ok)
		abort();
}

/* Returns the length of the headers. */
static u32 build(struct packet *p, const struct args *a)
{
	u32 hdr_len;

	packet_eth(p);
	if (a->kind & KIND_S_TAG)
		packet_tag(p, ETH_P_8021AD, 0x0123);
	if (a->kind & KIND_C_TAG)
		packet_tag(p, ETH_P_8021Q, 0x6456);
	if (a->kind & KIND_IPV6) {
		packet_ip6(p, addr);
		if (a->kind & KIND_OPTIONS) {
			packet_ext(p, IPPROTO_HOPOPTS, 8);
			packet_ext(p, IPPROTO_DSTOPTS, 16);
			packet_ext(p, IPPROTO_ROUTING, 24);
		}
		if (a->kind & KIND_FRAGMENT)
			packet_ext(p, IPPROTO_FRAGMENT, 8);
	} else {
		packet_ip4(p, addr, a->kind & KIND_OPTIONS ? 8 : 0);
		if (a->kind & KIND_FRAGMENT)
			p->b[p->l3 + 7] = 1;
	}
	if (a->kind & KIND_UDP)
		packet_udp(p, key);
	else
		packet_tcp(p, key, a->kind & KIND_OPTIONS ? 12 : 0);
	hdr_len = p->len;
	packet_payload(p, a->payload);
	packet_finish(p);
	return hdr_len;
}

static u8 *block(const struct packet *p, u32 room)
{
	u8 *copy = malloc(p->len + room);

	memcpy(copy, p->b, p->len);
	return copy;
}

static struct offload_rx parse(const u8 *frame, u32 len, u32 rss_ctrl)
{
	struct offload_rss rss = { .ctrl = rss_ctrl };
	struct offload_rx rx;
	u32 type;

	memcpy(rss.key, key, sizeof(rss.key));
	/* The register accepts no others. */
	for (type = 0; type < PARQ_RSS_NUM_TYPES; type++)
		rss.set[type] = key[type] & offload_rss_fields(type);
	offload_rss_update(&rss);
	memset(&rx, 0xff, sizeof(rx));
	offload_parse(frame, len, &rss, &rx);
	return rx;
}

static void fuzz_parse(const struct packet *p, const struct args *a)
{
	u8 *frame = block(p, 0);
	struct offload_rx rx = parse(frame, p->len, ~a->rss_ctrl);

	check(rx.csum == 0 || rx.csum == PARQ_RX_CSUM_OK ||
	      rx.csum == PARQ_RX_CSUM_BAD);
	check(rx.hash_type == 0 || rx.hash_type == PARQ_RX_HASH_L3 ||
	      rx.hash_type == PARQ_RX_HASH_L4);
	check(rx.hash_type || !rx.hash);
	check(rx.tagged || !rx.tci);
	check(rx.ip ? rx.dscp < PARQ_NUM_DSCP : !rx.dscp);
	free(frame);
}

static void fuzz_vlan(const struct packet *p, const struct args *a)
{
	u8 *frame = block(p, 4);
	struct offload_rx rx;
	u32 len;

	len = offload_vlan_insert(frame, p->len, a->tci);
	check(len == (p->len < 12 ? p->len : p->len + 4));
	if (p->len >= 14) {
		rx = parse(frame, len, 0);
		check(rx.tagged && rx.tci == a->tci);
	}
	if (len != p->len)
		check(offload_vlan_strip(frame, len) == p->len);
	check(!memcmp(frame, p->b, p->len));
	free(frame);

	frame = block(p, 0);
	offload_vlan_strip(frame, p->len);
	free(frame);
}

/* What it has written is read back; all else is as it was, or a checksum. */
static void fuzz_rewrite(const struct packet *p, const struct args *a)
{
	u32 rewr = a->tci | PARQ_REWR_DSCP_EN | PARQ_REWR_PCP_EN;
	struct offload_rx was = parse(p->b, p->len, ~a->rss_ctrl), rx;
	u8 *frame = block(p, 0);

	offload_rewrite(frame, p->len, rewr);
	rx = parse(frame, p->len, ~a->rss_ctrl);
	check(rx.tagged == was.tagged && rx.ip == was.ip);
	check(!rx.tagged || rx.tci >> 13 == FIELD_GET(PARQ_REWR_PCP, rewr));
	check(!rx.tagged || !((rx.tci ^ was.tci) & 0xfff));
	check(!rx.ip || rx.dscp == FIELD_GET(PARQ_REWR_DSCP, rewr));
	check(rx.csum == was.csum && rx.hash == was.hash);
	free(frame);
}

/* A mark changes nothing but the ECN field of an IP packet, and the IPv4 checksum. */
static void fuzz_mark(const struct packet *p, const struct args *a)
{
	struct offload_rx was = parse(p->b, p->len, ~a->rss_ctrl), rx;
	u8 *frame = block(p, 0);

	offload_mark(frame, p->len);
	rx = parse(frame, p->len, ~a->rss_ctrl);
	check(offload_ecn(frame, p->len) == (was.ip ? 3 : 0));
	check(was.ip || !memcmp(frame, p->b, p->len));
	check(rx.tagged == was.tagged && rx.tci == was.tci);
	check(rx.ip == was.ip && rx.dscp == was.dscp);
	check(rx.csum == was.csum && rx.hash == was.hash);
	free(frame);
}

static void fuzz_csum(const struct packet *p, u32 start, u32 offset)
{
	u8 *frame = block(p, 0);

	if (offload_csum(frame, p->len, start, offset))
		check(be16_at(frame + start + offset));
	else
		check(!memcmp(frame, p->b, p->len));
	free(frame);
}

static void fuzz_tso(const struct packet *p, const struct args *a, u32 l4,
		     u32 hdr_len)
{
	bool ipv6 = a->kind & KIND_IPV6, wrong = a->wrong & WRONG_FAMILY;
	struct offload_seg seg = {
		.ipv6 = ipv6 != wrong,
		.l4 = l4,
		.hdr_len = hdr_len < p->len ? hdr_len : p->len,
		.offset = a->seg_offset,
		.index = a->index,
		.last = !(a->wrong & WRONG_LAST),
	};
	u8 *frame = block(p, 0);

	seg.len = p->len - seg.hdr_len;
	if (!offload_tso(frame, &seg))
		check(!memcmp(frame, p->b, p->len));
	free(frame);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u32 i, hdr_len, offset;
	struct packet p;
	struct args a;

	if (size < sizeof(a) || size > PACKET_MAX)
		return 0;
	memcpy(&a, data, sizeof(a));
	data += sizeof(a);
	size -= sizeof(a);
	hdr_len = build(&p, &a);
	offset = packet_check(&p) - p.b - p.l4;
	if (p.len < size)
		packet_push(&p, size - p.len);
	for (i = 0; i < size; i++)
		p.b[i] ^= data[i];
	p.len -= a.cut < p.len ? a.cut : p.len;

	fuzz_parse(&p, &a);
	fuzz_vlan(&p, &a);
	fuzz_rewrite(&p, &a);
	fuzz_mark(&p, &a);
	fuzz_csum(&p, p.l4 ^ a.l4, offset ^ a.check);
	fuzz_tso(&p, &a, p.l4 ^ a.l4, hdr_len ^ a.hdr_len);
	return 0;
}
