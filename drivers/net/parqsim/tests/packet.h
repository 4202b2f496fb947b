/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds frames for tests, header after header, and knows from its own
 * arithmetic what their checksums have to be.
 */
#ifndef _PARQSIM_TESTS_PACKET_H
#define _PARQSIM_TESTS_PACKET_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/types.h>
#include <string.h>

#define PACKET_MAX	4096

/**
 * struct packet - a frame being built
 * @b: its bytes
 * @len: how many
 * @next: where the protocol of the next header is written, 0 for nowhere
 * @l3: bytes before the IP header
 * @l4: bytes before the TCP or UDP header
 */
struct packet {
	u8 b[PACKET_MAX];
	u32 len;
	u32 next;
	u32 l3;
	u32 l4;
};

static inline u32 be16_at(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static inline void set_be16(u8 *p, u32 val)
{
	p[0] = val >> 8;
	p[1] = val;
}

static inline u8 *packet_push(struct packet *p, u32 len)
{
	u8 *at = p->b + p->len;

	memset(at, 0, len);
	p->len += len;
	return at;
}

static inline void packet_eth(struct packet *p)
{
	*p = (struct packet){ 0 };
	memcpy(packet_push(p, 12), "\x02\0\0\0\0\1\x02\0\0\0\0\2", 12);
}

static inline void packet_tag(struct packet *p, u16 tpid, u16 tci)
{
	u8 *h = packet_push(p, 4);

	set_be16(h, tpid);
	set_be16(h + 2, tci);
}

/* @addr: source and destination; @options: bytes of them, multiples of 4 */
static inline void packet_ip4(struct packet *p, const u8 *addr, u32 options)
{
	u8 *h;

	set_be16(packet_push(p, 2), ETH_P_IP);
	p->l3 = p->len;
	p->next = p->len + 9;
	h = packet_push(p, 20 + options);
	h[0] = 0x45 + options / 4;
	set_be16(h + 4, 0xfffe);	/* ID */
	h[6] = 0x40;			/* do not fragment */
	h[8] = 64;
	memcpy(h + 12, addr, 8);
	memset(h + 20, 1, options);	/* NOP */
}

static inline void packet_ip6(struct packet *p, const u8 *addr)
{
	u8 *h;

	set_be16(packet_push(p, 2), ETH_P_IPV6);
	p->l3 = p->len;
	p->next = p->len + 6;
	h = packet_push(p, 40);
	h[0] = 0x60;
	h[7] = 64;
	memcpy(h + 8, addr, 32);
}

/* An IPv6 extension header of @len bytes, a multiple of 8 */
static inline u8 *packet_ext(struct packet *p, u8 proto, u32 len)
{
	u8 *h;

	p->b[p->next] = proto;
	p->next = p->len;
	h = packet_push(p, len);
	h[1] = len / 8 - 1;
	return h;
}

/* @ports: source and destination */
static inline u8 *packet_tcp(struct packet *p, const u8 *ports, u32 options)
{
	u8 *h;

	p->b[p->next] = IPPROTO_TCP;
	p->l4 = p->len;
	h = packet_push(p, 20 + options);
	memcpy(h, ports, 4);
	memcpy(h + 4, "\xff\xff\xff\xf0\x12\x34\x56\x78", 8);
	h[12] = (20 + options) / 4 << 4;
	h[13] = 0x10;			/* ACK */
	set_be16(h + 14, 0xffff);
	memset(h + 20, 1, options);
	return h;
}

static inline void packet_udp(struct packet *p, const u8 *ports)
{
	u8 *h;

	p->b[p->next] = IPPROTO_UDP;
	p->l4 = p->len;
	h = packet_push(p, 8);
	memcpy(h, ports, 4);
}

static inline void packet_payload(struct packet *p, u32 len)
{
	u8 *h = packet_push(p, len);
	u32 i;

	for (i = 0; i < len; i++)
		h[i] = i * 31 + (i >> 8) + 1;
}

/* RFC 1071 to the letter: 16 bits at a time, in network order. */
static inline u32 ref_sum(u32 sum, const u8 *p, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		sum += i & 1 ? p[i] : p[i] << 8;
	while (sum > 0xffff)
		sum = sum - 0xffff;
	return sum;
}

/* Of the packet at @l3; @len is that of the L4 header and its data */
static inline u32 ref_pseudo(const u8 *frame, u32 l3, u8 proto, u32 len)
{
	bool v6 = frame[l3] >> 4 == 6;

	return ref_sum(len + proto, frame + l3 + (v6 ? 8 : 12), v6 ? 32 : 8);
}

static inline u8 packet_proto(const struct packet *p)
{
	return p->b[p->next];
}

static inline u8 *packet_check(struct packet *p)
{
	return p->b + p->l4 + (packet_proto(p) == IPPROTO_TCP ? 16 : 6);
}

/* The IP and UDP lengths */
static inline void packet_lengths(struct packet *p)
{
	if (p->b[p->l3] >> 4 == 6)
		set_be16(p->b + p->l3 + 4, p->len - p->l3 - 40);
	else
		set_be16(p->b + p->l3 + 2, p->len - p->l3);
	if (p->l4 && packet_proto(p) == IPPROTO_UDP)
		set_be16(p->b + p->l4 + 4, p->len - p->l4);
}

static inline void packet_ip4_check(struct packet *p)
{
	u8 *h = p->b + p->l3;

	set_be16(h + 10, 0);
	set_be16(h + 10, ~ref_sum(0, h, (h[0] & 15) * 4));
}

/* Lengths and checksums; what is added afterwards is padding. */
static inline void packet_finish(struct packet *p)
{
	u32 sum, len = p->len - p->l4;

	packet_lengths(p);
	if (p->b[p->l3] >> 4 == 4)
		packet_ip4_check(p);
	if (!p->l4)
		return;
	set_be16(packet_check(p), 0);
	sum = ref_pseudo(p->b, p->l3, packet_proto(p), len);
	sum = ref_sum(sum, p->b + p->l4, len);
	set_be16(packet_check(p), sum == 0xffff ? 0xffff : ~sum);
}

#endif /* _PARQSIM_TESTS_PACKET_H */
