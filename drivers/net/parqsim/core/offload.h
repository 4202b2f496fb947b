/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work on frames in flight: checksums, tags, segmentation, hashing. Pure
 * functions over bytes; no state. Nothing is read or written outside the
 * bytes that the arguments name, whatever the frame says of itself.
 */
#ifndef _PARQSIM_OFFLOAD_H
#define _PARQSIM_OFFLOAD_H

#include <linux/parq_hw.h>

/**
 * struct offload_rx - what the receive side learns from a frame's headers
 * @tagged: an 802.1Q C-tag follows the addresses
 * @tci: its tag control information
 * @ip: IPv4 or IPv6
 * @dscp: its code point
 * @csum: PARQ_RX_CSUM_OK, PARQ_RX_CSUM_BAD, or 0 if nothing was verified
 * @hash: Toeplitz hash over what @hash_type says
 * @hash_type: PARQ_RX_HASH_L3, PARQ_RX_HASH_L4, or 0
 */
struct offload_rx {
	bool tagged;
	u16 tci;
	bool ip;
	u8 dscp;
	u32 csum;
	u32 hash;
	u32 hash_type;
};

void offload_parse(const u8 *frame, u32 len, u32 rss_ctrl, const u8 *key,
		   struct offload_rx *rx);

/* @key has 4 bytes more than @data. */
u32 offload_toeplitz(const u8 *key, const u8 *data, u32 len);

/*
 * Move what follows the addresses; to insert, @frame has room for 4 more bytes.
 * Return the length.
 */
u32 offload_vlan_insert(u8 *frame, u32 len, u16 tci);
u32 offload_vlan_strip(u8 *frame, u32 len);

/* As PARQ_TX_CSUM says. False: the offsets lie beyond the frame. */
bool offload_csum(u8 *frame, u32 len, u32 start, u32 offset);

/* As PARQ_REWR says, in place. */
void offload_rewrite(u8 *frame, u32 len, u32 rewr);

/**
 * struct offload_seg - one segment of a frame that TSO cuts
 * @ipv6: else IPv4
 * @l4: bytes from frame start to the TCP header
 * @hdr_len: bytes of all headers
 * @offset: bytes of payload before this segment
 * @len: bytes of payload in this segment
 * @index: segment number, from 0
 * @last: nothing follows
 */
struct offload_seg {
	bool ipv6;
	u32 l4;
	u32 hdr_len;
	u32 offset;
	u32 len;
	u32 index;
	bool last;
};

/*
 * @frame holds the headers of the whole frame and this segment's payload:
 * makes a valid frame of it, as PARQ_TX_TSO4 and PARQ_TX_TSO6 say. False: the
 * headers are not IPv4 or IPv6 with TCP where the descriptor says.
 */
bool offload_tso(u8 *frame, const struct offload_seg *seg);

#endif /* _PARQSIM_OFFLOAD_H */
