// SPDX-License-Identifier: GPL-2.0
/*
 * A frame is cut in many ways, as the device does it: headers of the whole
 * frame, payload of one segment, offload_tso(). Each segment has to be a packet
 * that the test's own arithmetic finds right, and their payloads one after the
 * other the payload that was cut. Headers that do not fit the descriptor are
 * refused and left alone.
 *
 * Segments live in heap blocks of their exact length, so that ASan sees a
 * single byte too many.
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

#define ID		0xfffe		/* as packet_ip4() writes it: it wraps */
#define SEQ		0xfffffff0U	/* as packet_tcp() writes it: it wraps */

#define FIN		0x01
#define PSH		0x08
#define ACK		0x10
#define URG		0x20
#define ECE		0x40
#define CWR		0x80

static const u8 addr4[8] = { 192, 0, 2, 1, 198, 51, 100, 254 };
static const u8 addr6[32] = {
	0x20, 0x01, 0x0d, 0xb8, [15] = 1,
	0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, [31] = 0xfe,
};

/**
 * struct shape - which headers a frame has
 * @v6: IPv6, else IPv4
 * @tags: VLAN tags, the outer an S-tag if there are two
 * @ip_opt: bytes of IPv4 options or of an IPv6 hop-by-hop header
 * @tcp_opt: bytes of TCP options
 * @flags: of TCP
 */
struct shape {
	bool v6;
	u32 tags;
	u32 ip_opt;
	u32 tcp_opt;
	u8 flags;
};

/* A frame as the driver gives it to TSO. Returns the length of its headers. */
static u32 build(struct packet *p, const struct shape *s, u32 payload)
{
	u32 hdr_len, sum;
	u8 *tcp;

	packet_eth(p);
	if (s->tags > 1)
		packet_tag(p, ETH_P_8021AD, 0x0123);
	if (s->tags)
		packet_tag(p, ETH_P_8021Q, 0x6456);
	if (s->v6) {
		packet_ip6(p, addr6);
		if (s->ip_opt)
			packet_ext(p, IPPROTO_HOPOPTS, s->ip_opt);
	} else {
		packet_ip4(p, addr4, s->ip_opt);
	}
	tcp = packet_tcp(p, (const u8 *)"\x12\x34\x00\x50", s->tcp_opt);
	tcp[13] = s->flags;
	hdr_len = p->len;
	packet_payload(p, payload);
	packet_lengths(p);
	sum = ref_pseudo(p->b, p->l3, IPPROTO_TCP, 0);
	set_be16(packet_check(p), sum);
	if (!s->v6)
		set_be16(p->b + p->l3 + 10, 0xbeef);	/* of no importance */
	return hdr_len;
}

static u8 *segment(const struct packet *p, const struct offload_seg *seg)
{
	u8 *frame = malloc(seg->hdr_len + seg->len);

	memcpy(frame, p->b, seg->hdr_len);
	memcpy(frame + seg->hdr_len, p->b + seg->hdr_len + seg->offset,
	       seg->len);
	return frame;
}

static void check_ip(const u8 *frame, const struct packet *p,
		     const struct offload_seg *seg)
{
	u32 len = seg->hdr_len + seg->len - p->l3;
	const u8 *h = frame + p->l3;

	if (seg->ipv6) {
		assert_int_equal(be16_at(h + 4), len - 40);
		return;
	}
	assert_int_equal(be16_at(h + 2), len);
	assert_int_equal(be16_at(h + 4), (u16)(ID + seg->index));
	assert_int_equal(ref_sum(0, h, p->l4 - p->l3), 0xffff);
}

static void check_tcp(const u8 *frame, const struct packet *p,
		      const struct offload_seg *seg)
{
	u32 len = seg->hdr_len + seg->len - p->l4;
	const u8 *h = frame + p->l4;
	u8 flags = p->b[p->l4 + 13];
	u32 sum;

	assert_int_equal(be16_at(h + 4) << 16 | be16_at(h + 6),
			 SEQ + seg->offset);
	if (!seg->last)
		flags &= ~(FIN | PSH);
	if (seg->index)
		flags &= ~CWR;
	assert_int_equal(h[13], flags);
	sum = ref_pseudo(frame, p->l3, IPPROTO_TCP, len);
	assert_int_equal(ref_sum(sum, h, len), 0xffff);
}

/* Nothing but the fields that TSO owns may differ. */
static void check_rest(u8 *frame, const struct packet *p,
		       const struct offload_seg *seg)
{
	u8 *whole = segment(p, seg);

	if (seg->ipv6) {
		memcpy(whole + p->l3 + 4, frame + p->l3 + 4, 2);
	} else {
		memcpy(whole + p->l3 + 2, frame + p->l3 + 2, 4);
		memcpy(whole + p->l3 + 10, frame + p->l3 + 10, 2);
	}
	memcpy(whole + p->l4 + 4, frame + p->l4 + 4, 4);
	whole[p->l4 + 13] = frame[p->l4 + 13];
	memcpy(whole + p->l4 + 16, frame + p->l4 + 16, 2);
	assert_memory_equal(frame, whole, seg->hdr_len + seg->len);
	free(whole);
}

/* What the receive side of the same NIC thinks of it */
static void check_rx(const u8 *frame, const struct offload_seg *seg)
{
	struct offload_rss none = { .ctrl = 0 };
	struct offload_rx rx;

	offload_parse(frame, seg->hdr_len + seg->len, &none, &rx);
	assert_int_equal(rx.csum, PARQ_RX_CSUM_OK);
}

static u32 cut(const struct shape *s, u32 payload, u32 mss)
{
	struct offload_seg seg = { .ipv6 = s->v6 };
	struct packet p;

	seg.hdr_len = build(&p, s, payload);
	seg.l4 = p.l4;
	for (; !seg.last; seg.index++) {
		u8 *frame;

		seg.offset = seg.index * mss;
		seg.len = payload - seg.offset;
		seg.last = seg.len <= mss;
		if (!seg.last)
			seg.len = mss;
		frame = segment(&p, &seg);
		assert_true(offload_tso(frame, &seg));
		check_ip(frame, &p, &seg);
		check_tcp(frame, &p, &seg);
		check_rest(frame, &p, &seg);
		check_rx(frame, &seg);
		free(frame);
	}
	return seg.index;
}

static void each_size(void **state)
{
	struct shape s = { .flags = ACK };
	u32 payload, mss;

	(void)state;
	for (payload = 1; payload < 80; payload++) {
		for (mss = PARQ_TX_MIN_MSS; mss < 80; mss++) {
			u32 n = (payload + mss - 1) / mss;

			s.v6 = false;
			assert_int_equal(cut(&s, payload, mss), n);
			s.v6 = true;
			assert_int_equal(cut(&s, payload, mss), n);
		}
	}
}

static void each_shape(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < 2 * 3 * 6 * 11; i++) {
		struct shape s = {
			.v6 = i % 2,
			.tags = i / 2 % 3,
			.ip_opt = i / 6 % 6 * 8,
			.tcp_opt = i / 36 * 4,
			.flags = ACK | PSH,
		};

		assert_int_equal(cut(&s, 2900, 1448), 3);
	}
}

static void each_flag(void **state)
{
	struct shape s = { 0 };
	u32 flags;

	(void)state;
	for (flags = 0; flags < 256; flags++) {
		s.flags = flags;
		s.v6 = flags & ECE;
		assert_int_equal(cut(&s, 30, 10), 3);
		assert_int_equal(cut(&s, 10, 10), 1);
	}
}

/* The rule of RFC 3168 by example, without the test's arithmetic */
static void flags_by_segment(void **state)
{
	static const u8 expected[] = {
		CWR | ECE | URG | ACK, ECE | URG | ACK,
		ECE | URG | ACK | PSH | FIN,
	};
	struct shape s = { .flags = CWR | ECE | URG | ACK | PSH | FIN };
	struct offload_seg seg = { .len = 10 };
	struct packet p;

	(void)state;
	seg.hdr_len = build(&p, &s, 30);
	seg.l4 = p.l4;
	for (seg.index = 0; seg.index < 3; seg.index++) {
		u8 *frame;

		seg.offset = 10 * seg.index;
		seg.last = seg.index == 2;
		frame = segment(&p, &seg);
		assert_true(offload_tso(frame, &seg));
		assert_int_equal(frame[p.l4 + 13], expected[seg.index]);
		free(frame);
	}
}

/* The lengths in the headers of the whole frame are rewritten, not relied upon. */
static void lengths_of_the_whole_do_not_matter(void **state)
{
	static const u16 lengths[] = { 0, 1, 40, 0x7fff, 0xffff };
	u32 i, k;

	(void)state;
	for (k = 0; k < 2; k++) {
		for (i = 0; i < 5; i++) {
			struct shape s = { .v6 = k, .ip_opt = 8 };
			struct offload_seg seg = { .ipv6 = k, .len = 50 };
			struct packet p;
			u8 *frame;

			seg.hdr_len = build(&p, &s, 100);
			seg.l4 = p.l4;
			set_be16(p.b + p.l3 + (k ? 4 : 2), lengths[i]);
			frame = segment(&p, &seg);
			assert_true(offload_tso(frame, &seg));
			check_ip(frame, &p, &seg);
			check_tcp(frame, &p, &seg);
			free(frame);
		}
	}
}

static void refuse(const struct packet *p, const struct offload_seg *seg)
{
	u8 *frame = segment(p, seg), *before = segment(p, seg);

	assert_false(offload_tso(frame, seg));
	assert_memory_equal(frame, before, seg->hdr_len + seg->len);
	free(before);
	free(frame);
}

static void wrong_offsets_are_refused(void **state)
{
	struct offload_seg good = { .len = 10 }, seg;
	struct packet p;
	u32 k, n;

	(void)state;
	for (k = 0; k < 2; k++) {
		struct shape s = { .v6 = k, .tags = 1, .ip_opt = 8 };

		good.ipv6 = k;
		good.hdr_len = build(&p, &s, 300);
		good.l4 = p.l4;
		for (n = 0; n < 256; n++) {
			seg = good;
			seg.l4 = n;
			if (n != good.l4)
				refuse(&p, &seg);
			seg = good;
			seg.hdr_len = n;
			if (n != good.hdr_len)
				refuse(&p, &seg);
		}
		seg = good;
		seg.l4 = ~0U;
		refuse(&p, &seg);
		seg = good;
		seg.ipv6 = !seg.ipv6;
		refuse(&p, &seg);
	}
}

/* One byte of the headers is set to something else. */
static void refuse_with(const struct shape *s, u32 l3_off, u32 l4_off, u8 val)
{
	struct offload_seg seg = { .ipv6 = s->v6, .len = 10 };
	struct packet p;

	seg.hdr_len = build(&p, s, 30);
	seg.l4 = p.l4;
	if (l4_off)
		p.b[p.l4 + l4_off] = val;
	else
		p.b[p.l3 + l3_off] = val;
	refuse(&p, &seg);
}

static void wrong_headers_are_refused(void **state)
{
	static const struct shape ip4 = { .tcp_opt = 12 };
	static const struct shape ip6 = { .v6 = true, .tcp_opt = 12 };
	u32 i;

	(void)state;
	for (i = 0; i < 256; i++) {
		if (i != 0x45)
			refuse_with(&ip4, 0, 0, i);
		if (i >> 4 != 6)
			refuse_with(&ip6, 0, 0, i);
		if (i != IPPROTO_TCP) {
			refuse_with(&ip4, 9, 0, i);
			refuse_with(&ip6, 6, 0, i);
		}
		if (i >> 4 != 8) {
			refuse_with(&ip4, 0, 12, i);
			refuse_with(&ip6, 0, 12, i);
		}
	}
	refuse_with(&ip4, 6, 0, 0x20);	/* more fragments */
	refuse_with(&ip4, 7, 0, 0x01);	/* fragment offset */
}

static void longer_than_ip_can_say_is_refused(void **state)
{
	struct offload_seg seg = { .last = true };
	const struct shape s = { .flags = ACK };
	struct packet p;
	u8 *frame;

	(void)state;
	seg.hdr_len = build(&p, &s, 0);
	seg.l4 = p.l4;
	frame = calloc(1, 0x10000 + 14);
	memcpy(frame, p.b, p.len);
	seg.len = 0x10000 - 40;
	assert_false(offload_tso(frame, &seg));
	seg.len = ~0U;
	assert_false(offload_tso(frame, &seg));
	assert_memory_equal(frame, p.b, p.len);
	seg.len = 0xffff - 40;
	assert_true(offload_tso(frame, &seg));
	check_ip(frame, &p, &seg);
	check_tcp(frame, &p, &seg);
	free(frame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_size),
		cmocka_unit_test(each_shape),
		cmocka_unit_test(each_flag),
		cmocka_unit_test(flags_by_segment),
		cmocka_unit_test(lengths_of_the_whole_do_not_matter),
		cmocka_unit_test(wrong_offsets_are_refused),
		cmocka_unit_test(wrong_headers_are_refused),
		cmocka_unit_test(longer_than_ip_can_say_is_refused),
	};

	return cmocka_run_group_tests_name("tso", tests, NULL, NULL);
}
