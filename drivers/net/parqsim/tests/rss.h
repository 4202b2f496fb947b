/* SPDX-License-Identifier: GPL-2.0 */
/* Published hashes, and packets that have them. */
#ifndef _PARQSIM_TESTS_RSS_H
#define _PARQSIM_TESTS_RSS_H

#include <linux/parq_hw.h>

#include "packet.h"

#define RSS_ALL		(PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 | \
			 PARQ_RSS_CTRL_IPV6 | PARQ_RSS_CTRL_TCP | \
			 PARQ_RSS_CTRL_UDP)

/* "Verifying the RSS hash calculation", Microsoft */
static const u8 rss_key[PARQ_RSS_KEY_LEN] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2,
	0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0,
	0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4,
	0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c,
	0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

#define RSS_NUM_VECTORS	8

static const struct rss_vector {
	u8 addr[32];		/* source, destination */
	u32 addr_len;
	u16 sport;
	u16 dport;
	u32 l3;
	u32 l4;
} rss_vectors[RSS_NUM_VECTORS] = {
	{ { 66, 9, 149, 187, 161, 142, 100, 80 }, 8,
	  2794, 1766, 0x323e8fc2, 0x51ccc178 },
	{ { 199, 92, 111, 2, 65, 69, 140, 83 }, 8,
	  14230, 4739, 0xd718262a, 0xc626b0ea },
	{ { 24, 19, 198, 95, 12, 22, 207, 184 }, 8,
	  12898, 38024, 0xd2d0a5de, 0x5c2b394a },
	{ { 38, 27, 205, 30, 209, 142, 163, 6 }, 8,
	  48228, 2217, 0x82989176, 0xafc7327f },
	{ { 153, 39, 163, 191, 202, 188, 127, 2 }, 8,
	  44251, 1303, 0x5d1809c5, 0x10e828a2 },
	/* 3ffe:2501:200:1fff::7, 3ffe:2501:200:3::1 */
	{ { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff,
	    0, 0, 0, 0, 0, 0, 0, 7,
	    0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03,
	    0, 0, 0, 0, 0, 0, 0, 1 }, 32,
	  2794, 1766, 0x2cc18cd5, 0x40207d3d },
	/* 3ffe:501:8::260:97ff:fe40:efab, ff02::1 */
	{ { 0x3f, 0xfe, 0x05, 0x01, 0x00, 0x08, 0, 0,
	    0x02, 0x60, 0x97, 0xff, 0xfe, 0x40, 0xef, 0xab,
	    0xff, 0x02, 0, 0, 0, 0, 0, 0,
	    0, 0, 0, 0, 0, 0, 0, 1 }, 32,
	  14230, 4739, 0x0f0c461c, 0xdde51bbf },
	/* 3ffe:1900:4545:3:200:f8ff:fe21:67cf, fe80::200:f8ff:fe21:67cf */
	{ { 0x3f, 0xfe, 0x19, 0x00, 0x45, 0x45, 0x00, 0x03,
	    0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf,
	    0xfe, 0x80, 0, 0, 0, 0, 0, 0,
	    0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf }, 32,
	  44251, 38024, 0x4b61e985, 0x02d1feef },
};

static inline void rss_ports(u8 *ports, const struct rss_vector *v)
{
	set_be16(ports, v->sport);
	set_be16(ports + 2, v->dport);
}

static inline void rss_ip(struct packet *p, const struct rss_vector *v)
{
	if (v->addr_len == 32)
		packet_ip6(p, v->addr);
	else
		packet_ip4(p, v->addr, 0);
}

static inline void rss_l4(struct packet *p, const struct rss_vector *v,
			  u8 proto, u32 payload)
{
	u8 ports[4];

	rss_ports(ports, v);
	if (proto == IPPROTO_TCP)
		packet_tcp(p, ports, 0);
	else
		packet_udp(p, ports);
	packet_payload(p, payload);
	packet_finish(p);
}

static inline void rss_packet(struct packet *p, const struct rss_vector *v,
			      u8 proto, u32 payload)
{
	packet_eth(p);
	rss_ip(p, v);
	rss_l4(p, v, proto, payload);
}

/* By the definition: a 1 in the data adds the key from there on. */
static inline u32 ref_toeplitz(const u8 *key, const u8 *data, u32 len)
{
	u32 hash = 0, i, k;

	for (i = 0; i < 8 * len; i++) {
		if (!(data[i / 8] & (0x80 >> i % 8)))
			continue;
		for (k = 0; k < 32; k++)
			if (key[(i + k) / 8] & (0x80 >> (i + k) % 8))
				hash ^= BIT(31 - k);
	}
	return hash;
}

#endif /* _PARQSIM_TESTS_RSS_H */
