/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes of frames in flight: checksums, tags, segmentation. Pure functions over bytes. They never
 * access memory outside the bytes named by the arguments, whatever the frame's headers claim.
 */
#ifndef _PARQSIM_OFFLOAD_H
#define _PARQSIM_OFFLOAD_H

#include <linux/parq_hw.h>

/*
 * Insert or strip a C-tag by moving the bytes after the addresses. For insertion @frame
 * needs room for 4 more bytes. Return: the new length.
 */
u32 offload_vlan_insert(u8 *frame, u32 len, u16 tci);
u32 offload_vlan_strip(u8 *frame, u32 len);

/* Inserts a checksum, see PARQ_TX_CSUM. Return: false if an offset is beyond the frame. */
bool offload_csum(u8 *frame, u32 len, u32 start, u32 offset);

/* Rewrites PCP, DEI and DSCP in place, see PARQ_REWR. */
void offload_rewrite(u8 *frame, u32 len, u32 rewr);

/* Return: ECN field; 0, as of a packet that cannot be marked, if the frame is no IP packet. */
u8 offload_ecn(const u8 *frame, u32 len);
/* Sets CE in an IP packet. Other frames are not changed. */
void offload_mark(u8 *frame, u32 len);

/**
 * struct offload_seg - one TCP segment of a frame
 * @ipv6: IPv6, not IPv4
 * @l4: bytes from frame start to the TCP header
 * @hdr_len: bytes of all headers
 * @offset: bytes of payload before this segment
 * @len: bytes of payload in this segment
 * @index: segment number, from 0
 * @last: this is the last segment
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
 * @frame holds the headers of the whole frame and this segment's payload. Makes a valid
 * segment of it, see PARQ_TX_TSO4 and PARQ_TX_TSO6. Return: false if the descriptor's
 * offsets do not lead to IPv4 or IPv6 with TCP.
 */
bool offload_tso(u8 *frame, const struct offload_seg *seg);

/* The same for headers that stand for several segments. The payload is not read. */
bool offload_merge(u8 *hdr, const struct offload_seg *seg);
bool offload_tso_ok(const u8 *hdr, const struct offload_seg *seg);

#endif /* _PARQSIM_OFFLOAD_H */
