// SPDX-License-Identifier: GPL-2.0
/*
 * Receive: the NIC's verdict on a frame is compared with its known contents, for each kind
 * of packet, each truncated length and each flipped bit. Hashes must be those that the RSS
 * specification publishes. Transmit: tags and checksums; test_tso.c tests segments.
 *
 * Frames are in heap blocks of their exact length, so that ASan detects a single byte too
 * many.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "offload.h"
#include "offload_rx.h"
#include "packet.h"
#include "rss.h"

/* The vectors whose packets all other tests use */
#define V4		(&rss_vectors[0])
#define V6		(&rss_vectors[5])

static struct offload_rx parse_rss(const u8 *data, u32 len, u32 rss_ctrl)
{
	u8 *frame = malloc(len ? len : 1);
	struct offload_rss rss = { .ctrl = rss_ctrl };
	struct offload_rx rx;

	memcpy(rss.key, rss_key, sizeof(rss.key));
	offload_rss_update(&rss);
	/* Old contents must not remain visible. */
	memset(&rx, 0xff, sizeof(rx));
	memcpy(frame, data, len);
	offload_parse(frame + (len ? 0 : 1), len, &rss, &rx);
	free(frame);
	return rx;
}

static struct offload_rx parse(const struct packet *p)
{
	return parse_rss(p->b, p->len, RSS_ALL);
}

static void expect_hash(const struct offload_rx *rx,
			const struct rss_vector *v, u32 type)
{
	assert_int_equal(rx->hash_type, type);
	if (!type)
		assert_int_equal(rx->hash, 0);
	else
		assert_int_equal(rx->hash, type == PARQ_RX_HASH_L4 ?
				 v->l4 : v->l3);
}

static void expect(const struct packet *p, const struct rss_vector *v,
		   u32 csum, u32 type)
{
	struct offload_rx rx = parse(p);

	assert_int_equal(rx.csum, csum);
	expect_hash(&rx, v, type);
}

/* ---- Hashes ------------------------------------------------------------- */

static void toeplitz_published_vectors(void **state)
{
	const struct rss_vector *v;
	u8 data[36];

	(void)state;
	for (v = rss_vectors; v < rss_vectors + RSS_NUM_VECTORS; v++) {
		memcpy(data, v->addr, v->addr_len);
		rss_ports(data + v->addr_len, v);
		assert_int_equal(offload_toeplitz(rss_key, data, v->addr_len),
				 v->l3);
		assert_int_equal(offload_toeplitz(rss_key, data,
						  v->addr_len + 4), v->l4);
	}
	assert_int_equal(offload_toeplitz(rss_key, data, 0), 0);
}

static void hash_of_published_packets(void **state)
{
	const struct rss_vector *v;
	struct packet p;

	(void)state;
	for (v = rss_vectors; v < rss_vectors + RSS_NUM_VECTORS; v++) {
		rss_packet(&p, v, IPPROTO_TCP, 10);
		expect(&p, v, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
		rss_packet(&p, v, IPPROTO_UDP, 10);
		expect(&p, v, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

/* Each combination of RSS_CTRL bits against each kind of packet */
static void hash_of_enabled_types_only(void **state)
{
	static const u8 protos[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP };
	u32 ctrl, i;

	(void)state;
	for (ctrl = 0; ctrl <= RSS_ALL; ctrl++) {
		for (i = 0; i < 6; i++) {
			const struct rss_vector *v = i < 3 ? V4 : V6;
			u8 proto = protos[i % 3];
			struct offload_rx rx;
			struct packet p;
			u32 type = 0;

			rss_packet(&p, v, proto == IPPROTO_TCP ? proto :
				   IPPROTO_UDP, 10);
			p.b[p.next] = proto;
			if (ctrl & (i < 3 ? PARQ_RSS_CTRL_IPV4 :
				    PARQ_RSS_CTRL_IPV6))
				type = PARQ_RX_HASH_L3;
			if ((proto == IPPROTO_TCP &&
			     ctrl & PARQ_RSS_CTRL_TCP) ||
			    (proto == IPPROTO_UDP && ctrl & PARQ_RSS_CTRL_UDP))
				type = PARQ_RX_HASH_L4;
			if (!(ctrl & PARQ_RSS_CTRL_EN))
				type = 0;
			rx = parse_rss(p.b, p.len, ctrl);
			expect_hash(&rx, v, type);
		}
	}
}

/* ---- Tags --------------------------------------------------------------- */

static void c_tag(void **state)
{
	struct offload_rx rx;
	struct packet p;
	u32 prio;

	(void)state;
	for (prio = 0; prio < 8; prio++) {
		packet_eth(&p);
		packet_tag(&p, ETH_P_8021Q, prio << 13 | 0x1abc);
		rss_ip(&p, V4);
		rss_l4(&p, V4, IPPROTO_TCP, 30);
		rx = parse(&p);
		assert_true(rx.tagged);
		assert_int_equal(rx.tci, prio << 13 | 0x1abc);
		expect(&p, V4, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

static void no_tag(void **state)
{
	struct offload_rx rx;
	struct packet p;

	(void)state;
	rss_packet(&p, V6, IPPROTO_UDP, 30);
	rx = parse(&p);
	assert_false(rx.tagged);
	assert_int_equal(rx.tci, 0);
}

static void s_tag_is_looked_through(void **state)
{
	struct offload_rx rx;
	struct packet p;
	u32 inner;

	(void)state;
	for (inner = 0; inner < 2; inner++) {
		packet_eth(&p);
		packet_tag(&p, ETH_P_8021AD, 0xe123);
		if (inner)
			packet_tag(&p, ETH_P_8021Q, 0x6456);
		rss_ip(&p, V6);
		rss_l4(&p, V6, IPPROTO_TCP, 30);
		rx = parse(&p);
		assert_false(rx.tagged);
		expect(&p, V6, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

static void further_tags_hide_the_packet(void **state)
{
	static const u16 tags[][3] = {
		{ ETH_P_8021Q, ETH_P_8021Q, 0 },
		{ ETH_P_8021Q, ETH_P_8021AD, 0 },
		{ ETH_P_8021AD, ETH_P_8021AD, 0 },
		{ ETH_P_8021AD, ETH_P_8021Q, ETH_P_8021Q },
	};
	struct packet p;
	u32 i, k;

	(void)state;
	for (i = 0; i < 4; i++) {
		packet_eth(&p);
		for (k = 0; k < 3 && tags[i][k]; k++)
			packet_tag(&p, tags[i][k], 0x2001);
		rss_ip(&p, V4);
		rss_l4(&p, V4, IPPROTO_TCP, 30);
		expect(&p, V4, 0, 0);
		assert_int_equal(parse(&p).tagged, tags[i][0] == ETH_P_8021Q);
	}
}

static void shortest_tagged_frame(void **state)
{
	struct offload_rx rx;
	struct packet p;

	(void)state;
	packet_eth(&p);
	packet_tag(&p, ETH_P_8021Q, 0xe001);
	packet_push(&p, 2);
	rx = parse(&p);
	assert_true(rx.tagged);
	assert_int_equal(rx.tci, 0xe001);
	rx = parse_rss(p.b, p.len - 1, RSS_ALL);
	assert_false(rx.tagged);
}

static void vlan_insert_and_strip(void **state)
{
	struct packet p, q;
	u32 len;

	(void)state;
	for (len = 12; len < 100; len++) {
		u8 *frame = malloc(len + 4);

		packet_eth(&p);
		packet_payload(&p, len - 12);
		memcpy(frame, p.b, len);
		packet_eth(&q);
		packet_tag(&q, ETH_P_8021Q, 0x7123);
		packet_payload(&q, len - 12);
		assert_int_equal(offload_vlan_insert(frame, len, 0x7123),
				 len + 4);
		assert_memory_equal(frame, q.b, len + 4);
		assert_int_equal(offload_vlan_strip(frame, len + 4), len);
		assert_memory_equal(frame, p.b, len);
		free(frame);
	}
}

static void vlan_of_runts(void **state)
{
	u8 *frame = malloc(15);
	u32 len;

	(void)state;
	memset(frame, 0x81, 15);
	for (len = 0; len < 12; len++)
		assert_int_equal(offload_vlan_insert(frame, len, 1), len);
	for (len = 0; len < 16; len++)
		assert_int_equal(offload_vlan_strip(frame, len), len);
	free(frame);
}

/* ---- Checksums of what is received -------------------------------------- */

#define NUM_KINDS	4

static const struct kind {
	const struct rss_vector *v;
	u8 proto;
} kinds[NUM_KINDS] = {
	{ V4, IPPROTO_TCP },
	{ V4, IPPROTO_UDP },
	{ V6, IPPROTO_TCP },
	{ V6, IPPROTO_UDP },
};

static void right_at_each_length(void **state)
{
	struct packet p;
	u32 i, len;

	(void)state;
	for (i = 0; i < NUM_KINDS; i++) {
		for (len = 0; len < 130; len++) {
			rss_packet(&p, kinds[i].v, kinds[i].proto, len);
			expect(&p, kinds[i].v, PARQ_RX_CSUM_OK,
			       PARQ_RX_HASH_L4);
			packet_payload(&p, 46);
			expect(&p, kinds[i].v, PARQ_RX_CSUM_OK,
			       PARQ_RX_HASH_L4);
		}
	}
}

static void cut_off_anywhere_is_no_verdict(void **state)
{
	struct offload_rx rx;
	struct packet p;
	u32 i, len;

	(void)state;
	for (i = 0; i < NUM_KINDS; i++) {
		packet_eth(&p);
		packet_tag(&p, ETH_P_8021AD, 1);
		packet_tag(&p, ETH_P_8021Q, 2);
		if (kinds[i].v == V6) {
			packet_ip6(&p, V6->addr);
			packet_ext(&p, IPPROTO_HOPOPTS, 8);
			packet_ext(&p, IPPROTO_ROUTING, 24);
		} else {
			packet_ip4(&p, V4->addr, 12);
		}
		rss_l4(&p, kinds[i].v, kinds[i].proto, 30);
		expect(&p, kinds[i].v, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
		for (len = 0; len < p.len; len++) {
			bool l3 = len >= p.l3 + (kinds[i].v == V6 ? 40 : 32);

			rx = parse_rss(p.b, len, RSS_ALL);
			assert_int_equal(rx.csum, 0);
			expect_hash(&rx, kinds[i].v,
				    l3 ? PARQ_RX_HASH_L3 : 0);
		}
	}
}

static void one_wrong_bit_is_never_right(void **state)
{
	struct packet p;
	u32 i, bit;

	(void)state;
	for (i = 0; i < NUM_KINDS; i++) {
		u32 from;

		rss_packet(&p, kinds[i].v, kinds[i].proto, 33);
		/* Most of an IPv6 header is under no checksum. */
		from = kinds[i].v == V6 ? p.l3 + 8 : p.l3;
		for (bit = 8 * from; bit < 8 * p.len; bit++) {
			u32 csum;

			p.b[bit / 8] ^= 1 << bit % 8;
			csum = parse(&p).csum;
			assert_int_not_equal(csum, PARQ_RX_CSUM_OK);
			if (bit >= 8 * (p.l4 + 8))
				assert_int_equal(csum, PARQ_RX_CSUM_BAD);
			p.b[bit / 8] ^= 1 << bit % 8;
		}
		expect(&p, kinds[i].v, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

static void bad_ip4_header_is_bad(void **state)
{
	struct packet p;

	(void)state;
	rss_packet(&p, V4, IPPROTO_UDP, 20);
	p.b[p.l3 + 8]--;	/* TTL */
	expect(&p, V4, PARQ_RX_CSUM_BAD, PARQ_RX_HASH_L4);
	p.b[p.next] = IPPROTO_ICMP;
	expect(&p, V4, PARQ_RX_CSUM_BAD, PARQ_RX_HASH_L3);
}

static void ip4_options(void **state)
{
	struct packet p;
	u32 options;

	(void)state;
	for (options = 0; options <= 40; options += 4) {
		packet_eth(&p);
		packet_ip4(&p, V4->addr, options);
		rss_l4(&p, V4, IPPROTO_TCP, 11);
		expect(&p, V4, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

static void not_believable_as_ip(void **state)
{
	struct packet p;
	u32 i;

	(void)state;
	for (i = 0; i < 256; i++) {
		rss_packet(&p, V4, IPPROTO_TCP, 11);
		p.b[p.l3] = i;
		packet_ip4_check(&p);
		if (i >> 4 != 4 || (i & 15) < 5)
			expect(&p, V4, 0, 0);
		rss_packet(&p, V6, IPPROTO_TCP, 11);
		p.b[p.l3] = i;
		if (i >> 4 != 6)
			expect(&p, V6, 0, 0);
	}
	rss_packet(&p, V4, IPPROTO_TCP, 11);
	set_be16(p.b + 12, ETH_P_ARP);
	expect(&p, V4, 0, 0);
}

static void other_protocols_are_not_verified(void **state)
{
	struct packet p;

	(void)state;
	rss_packet(&p, V4, IPPROTO_UDP, 20);
	p.b[p.next] = IPPROTO_ICMP;
	packet_ip4_check(&p);
	expect(&p, V4, 0, PARQ_RX_HASH_L3);
	rss_packet(&p, V6, IPPROTO_UDP, 20);
	p.b[p.next] = IPPROTO_ICMPV6;
	expect(&p, V6, 0, PARQ_RX_HASH_L3);
}

static void udp_without_checksum(void **state)
{
	struct packet p;
	u32 i;

	(void)state;
	for (i = 1; i < NUM_KINDS; i += 2) {
		rss_packet(&p, kinds[i].v, IPPROTO_UDP, 20);
		set_be16(packet_check(&p), 0);
		expect(&p, kinds[i].v, 0, PARQ_RX_HASH_L4);
	}
}

/* RFC 768: the sum ends with the UDP length, which may be less than IP's. */
static void udp_length(void **state)
{
	struct packet p;
	u32 i, len;

	(void)state;
	for (i = 1; i < NUM_KINDS; i += 2) {
		rss_packet(&p, kinds[i].v, IPPROTO_UDP, 20);
		packet_payload(&p, 5);
		set_be16(p.b + p.l3 + (i == 1 ? 2 : 4),
			 p.len - p.l3 - (i == 1 ? 0 : 40));
		if (i == 1)
			packet_ip4_check(&p);
		expect(&p, kinds[i].v, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
		for (len = 0; len < 8; len++) {
			set_be16(p.b + p.l4 + 4, len);
			expect(&p, kinds[i].v, 0, PARQ_RX_HASH_L4);
		}
		set_be16(p.b + p.l4 + 4, p.len - p.l4 + 1);
		expect(&p, kinds[i].v, 0, PARQ_RX_HASH_L4);
	}
}

static void packet_too_short_for_l4(void **state)
{
	u32 i, n, min;
	struct packet p;

	(void)state;
	for (i = 0; i < NUM_KINDS; i++) {
		min = kinds[i].proto == IPPROTO_TCP ? 20 : 8;
		for (n = 0; n < min; n++) {
			rss_packet(&p, kinds[i].v, kinds[i].proto, 30);
			if (kinds[i].v == V6) {
				set_be16(p.b + p.l3 + 4, n);
			} else {
				set_be16(p.b + p.l3 + 2, 20 + n);
				packet_ip4_check(&p);
			}
			expect(&p, kinds[i].v, 0,
			       n < 4 ? PARQ_RX_HASH_L3 : PARQ_RX_HASH_L4);
		}
	}
}

static void ip4_length_within_its_header(void **state)
{
	struct packet p;
	u32 len;

	(void)state;
	for (len = 0; len < 20; len++) {
		rss_packet(&p, V4, IPPROTO_TCP, 30);
		set_be16(p.b + p.l3 + 2, len);
		packet_ip4_check(&p);
		expect(&p, V4, 0, PARQ_RX_HASH_L3);
	}
}

static void ip4_fragments(void **state)
{
	static const u16 frag[] = { 0x2000, 0x2001, 0x0001, 0x1fff, 0x6000 };
	struct packet p;
	u32 i;

	(void)state;
	for (i = 0; i < 5; i++) {
		rss_packet(&p, V4, i & 1 ? IPPROTO_UDP : IPPROTO_TCP, 32);
		set_be16(p.b + p.l3 + 6, frag[i]);
		packet_ip4_check(&p);
		expect(&p, V4, 0, PARQ_RX_HASH_L3);
		p.b[p.l3 + 8]--;
		expect(&p, V4, PARQ_RX_CSUM_BAD, PARQ_RX_HASH_L3);
	}
	/* Neither "do not fragment" nor the reserved bit makes a fragment. */
	set_be16(p.b + p.l3 + 6, 0xc000);
	packet_finish(&p);
	expect(&p, V4, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
}

static void ip6_extension_headers(void **state)
{
	struct packet p;
	u32 len;

	(void)state;
	for (len = 8; len <= 2048; len += 8) {
		packet_eth(&p);
		packet_ip6(&p, V6->addr);
		packet_ext(&p, IPPROTO_HOPOPTS, 8);
		packet_ext(&p, IPPROTO_DSTOPTS, len);
		packet_ext(&p, IPPROTO_ROUTING, 24);
		packet_ext(&p, IPPROTO_DSTOPTS, 16);
		rss_l4(&p, V6, len & 8 ? IPPROTO_TCP : IPPROTO_UDP, 21);
		expect(&p, V6, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	}
}

static void ip6_extension_beyond_the_packet(void **state)
{
	struct packet p;
	u8 *h;

	(void)state;
	packet_eth(&p);
	packet_ip6(&p, V6->addr);
	h = packet_ext(&p, IPPROTO_HOPOPTS, 8);
	rss_l4(&p, V6, IPPROTO_TCP, 20);
	expect(&p, V6, PARQ_RX_CSUM_OK, PARQ_RX_HASH_L4);
	h[1] = 200;
	expect(&p, V6, 0, PARQ_RX_HASH_L3);
	h[1] = 0;
	/* The frame goes on, but the packet ends within the extension. */
	set_be16(p.b + p.l3 + 4, 7);
	expect(&p, V6, 0, PARQ_RX_HASH_L3);
}

static void ip6_fragments(void **state)
{
	struct packet p;
	u8 *h;

	(void)state;
	packet_eth(&p);
	packet_ip6(&p, V6->addr);
	packet_ext(&p, IPPROTO_HOPOPTS, 8);
	h = packet_ext(&p, IPPROTO_FRAGMENT, 8);
	set_be16(h + 2, 1);
	rss_l4(&p, V6, IPPROTO_UDP, 32);
	expect(&p, V6, 0, PARQ_RX_HASH_L3);
}

/* The pseudo header may have addresses that the parser does not search for. */
static void ip6_moved_addresses_are_not_bad(void **state)
{
	struct packet p;
	u8 *h;

	(void)state;
	packet_eth(&p);
	packet_ip6(&p, V6->addr);
	h = packet_ext(&p, IPPROTO_ROUTING, 24);
	rss_l4(&p, V6, IPPROTO_TCP, 20);
	p.b[p.len - 1]++;
	expect(&p, V6, PARQ_RX_CSUM_BAD, PARQ_RX_HASH_L4);
	h[3] = 1;
	expect(&p, V6, 0, PARQ_RX_HASH_L4);

	packet_eth(&p);
	packet_ip6(&p, V6->addr);
	packet_ext(&p, IPPROTO_DSTOPTS, 24);
	rss_l4(&p, V6, IPPROTO_TCP, 20);
	p.b[p.len - 1]++;
	expect(&p, V6, 0, PARQ_RX_HASH_L4);
}

/* ---- Checksums of what is sent ------------------------------------------ */

static void csum_insert(void **state)
{
	u32 i, len;

	(void)state;
	for (i = 0; i < NUM_KINDS; i++) {
		for (len = 0; len < 40; len++) {
			struct packet p, q;
			u32 field;
			u8 *frame;

			rss_packet(&p, kinds[i].v, kinds[i].proto, len);
			q = p;
			set_be16(packet_check(&q),
				 ref_pseudo(q.b, q.l3, kinds[i].proto,
					    q.len - q.l4));
			frame = malloc(q.len);
			memcpy(frame, q.b, q.len);
			field = packet_check(&q) - q.b;
			assert_true(offload_csum(frame, q.len, q.l4,
						 field - q.l4));
			assert_memory_equal(frame, p.b, p.len);
			free(frame);
		}
	}
}

static void csum_of_zero_is_ffff(void **state)
{
	u8 frame[6] = { 0xaa, 0xbb, 0x12, 0x34, 0xed, 0xcb };

	(void)state;
	assert_true(offload_csum(frame, 6, 2, 2));
	assert_memory_equal(frame, "\xaa\xbb\x12\x34\xff\xff", 6);
	memset(frame, 0, 6);
	assert_true(offload_csum(frame, 6, 0, 4));
	assert_memory_equal(frame, "\0\0\0\0\xff\xff", 6);
	memset(frame, 0, 6);
	frame[1] = 1;
	assert_true(offload_csum(frame, 6, 0, 4));
	assert_memory_equal(frame, "\0\1\0\0\xff\xfe", 6);
}

static void csum_beyond_the_frame(void **state)
{
	static const u32 bad[15][3] = {	/* length, start, offset */
		{ 60, 61, 0 }, { 60, 60, 0 }, { 60, 59, 0 }, { 60, 34, 25 },
		{ 60, 34, 26 }, { 60, 34, 27 }, { 60, 34, 94 },
		{ 60, 34, 255 }, { 60, 255, 255 },
		{ 60, ~0U, 0 }, { 60, 34, ~0U }, { 60, 34, ~33U },
		{ 60, ~0U, ~0U }, { 0, 0, 0 }, { 1, 0, 0 },
	};
	u8 frame[60] = { 0 }, before[60] = { 0 };
	u32 i;

	(void)state;
	for (i = 0; i < 15; i++) {
		assert_false(offload_csum(frame, bad[i][0], bad[i][1],
					  bad[i][2]));
		assert_memory_equal(frame, before, 60);
	}
	assert_true(offload_csum(frame, 60, 34, 24));
	assert_true(offload_csum(frame, 60, 0, 58));
}

#define T(name)		cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(toeplitz_published_vectors),
		T(hash_of_published_packets),
		T(hash_of_enabled_types_only),
		T(c_tag),
		T(no_tag),
		T(s_tag_is_looked_through),
		T(further_tags_hide_the_packet),
		T(shortest_tagged_frame),
		T(vlan_insert_and_strip),
		T(vlan_of_runts),
		T(right_at_each_length),
		T(cut_off_anywhere_is_no_verdict),
		T(one_wrong_bit_is_never_right),
		T(bad_ip4_header_is_bad),
		T(ip4_options),
		T(not_believable_as_ip),
		T(other_protocols_are_not_verified),
		T(udp_without_checksum),
		T(udp_length),
		T(packet_too_short_for_l4),
		T(ip4_length_within_its_header),
		T(ip4_fragments),
		T(ip6_extension_headers),
		T(ip6_extension_beyond_the_packet),
		T(ip6_fragments),
		T(ip6_moved_addresses_are_not_bad),
		T(csum_insert),
		T(csum_of_zero_is_ffff),
		T(csum_beyond_the_frame),
	};

	return cmocka_run_group_tests_name("offload", tests, NULL, NULL);
}
