/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the headers of received frames say: checksums, tags, hashes. Pure functions over bytes; what
 * a struct offload_rss remembers changes no result. They never access memory outside the bytes
 * named by the arguments, whatever the frame's headers claim.
 */
#ifndef _PARQSIM_OFFLOAD_RX_H
#define _PARQSIM_OFFLOAD_RX_H

#include <linux/parq_hw.h>

/* 32-bit words that are hashed at most: two IPv6 addresses and two ports. */
#define OFFLOAD_HASHED	9

#define OFFLOAD_ADDRS	(PARQ_RSS_FIELDS_SRC | PARQ_RSS_FIELDS_DST)
#define OFFLOAD_PORTS	(PARQ_RSS_FIELDS_SPORT | PARQ_RSS_FIELDS_DPORT)

/**
 * struct offload_rss - how received frames are hashed
 * @ctrl: PARQ_RSS_CTRL_*
 * @set: PARQ_RSS_FIELDS, by type
 * @fields: those in force
 * @shaped: BIT(type) whose fields are others than addresses, or addresses and ports, or which
 *	are hashed symmetrically
 * @key: PARQ_RSS_KEY
 * @n: number of words in @data, 0 for none; the owner clears it when @key changes
 * @data: fields of the frame that was hashed last: the next one is often of the same flow
 * @hash: their hash
 */
struct offload_rss {
	u32 ctrl;
	u8 set[PARQ_RSS_NUM_TYPES];
	u8 fields[PARQ_RSS_NUM_TYPES];
	u8 shaped;
	u8 key[PARQ_RSS_KEY_LEN];
	u32 n;
	u32 data[OFFLOAD_HASHED];
	u32 hash;
};

/**
 * struct offload_rx - result of parsing a received frame's headers
 * @tagged: an 802.1Q C-tag follows the addresses
 * @tci: tag control information of that tag
 * @ip: IPv4 or IPv6
 * @dscp: DSCP of the IP header
 * @padding: bytes behind the packet in a frame as short as frames with padding are
 * @csum: PARQ_RX_CSUM_OK, PARQ_RX_CSUM_BAD, or 0 if nothing was verified
 * @hash: Toeplitz hash over the fields of struct offload_rss
 * @hash_type: PARQ_RX_HASH_L3, PARQ_RX_HASH_L4, or 0
 */
struct offload_rx {
	bool tagged;
	u16 tci;
	bool ip;
	u8 dscp;
	u8 padding;
	u32 csum;
	u32 hash;
	u32 hash_type;
};

u32 offload_rss_fields(u32 type);
void offload_rss_update(struct offload_rss *rss);
void offload_parse(const u8 *frame, u32 len, struct offload_rss *rss, struct offload_rx *rx);
void offload_hash(const u8 *frame, u32 len, struct offload_rss *rss, struct offload_rx *rx);
void offload_classify(const u8 *hdr, u32 len, struct offload_rss *rss, struct offload_rx *rx);

/* Sets @tagged, @tci, @ip and @dscp alone. */
void offload_parse_prio(const u8 *frame, u32 len, struct offload_rx *rx);

/* @key is 4 bytes longer than @data, whose length is a multiple of 4. */
u32 offload_toeplitz(const u8 *key, const u8 *data, u32 len);

#endif /* _PARQSIM_OFFLOAD_RX_H */
