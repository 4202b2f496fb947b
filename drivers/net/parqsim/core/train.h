/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trains: segments of one TSO frame that follow each other on a wire without a gap longer than the
 * smallest. The stages of the sender handle each segment by itself, at its own time, and none of
 * them knows how long the train will become. Only its bytes are kept together: headers once, and
 * the payload in one piece. Who needs a segment as a frame has it built.
 */
#ifndef _PARQSIM_TRAIN_H
#define _PARQSIM_TRAIN_H

#include <linux/parq_hw.h>

/* Headers of a segment, with an inserted tag. */
#define TRAIN_HDR	(PARQ_TX_MAX_HDR + 4)

/**
 * struct train - segments of one TSO frame on a wire
 * @payload: of all segments, in memory of the wire; TRAIN_HDR bytes before it may be written
 * @room: bytes of payload that fit in
 * @len: bytes of payload so far
 * @hdr_len: bytes of headers of each segment
 * @l4: bytes from frame start to the TCP header
 * @mss: bytes of payload of each segment; the last one of the frame may be shorter
 * @first: number of the first segment in its frame
 * @n: number of segments so far
 * @ipv6: IPv6, not IPv4
 * @last: the newest segment is the last one of its frame
 * @hdr: headers of the frame, as offload_tso() expects them
 */
struct train {
	u8 *payload;
	u32 room;
	u32 len;
	u16 hdr_len;
	u16 l4;
	u16 mss;
	u16 first;
	u16 n;
	bool ipv6;
	bool last;
	u8 hdr[TRAIN_HDR];
};

/* Bytes of payload of @n segments from @i on. */
static inline u32 train_payload(const struct train *t, u32 i, u32 n)
{
	return (i + n == t->n ? t->len : (i + n) * t->mss) - i * t->mss;
}

/* Bytes of a segment, without FCS. */
static inline u32 train_seg_len(const struct train *t, u32 i)
{
	return t->hdr_len + train_payload(t, i, 1);
}

u32 train_segment(const struct train *t, u32 i, u8 *buf);
void train_headers(const struct train *t, u32 i, u32 n, u8 *buf);

#endif /* _PARQSIM_TRAIN_H */
