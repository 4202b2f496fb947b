// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "offload.h"
#include "train.h"

static struct offload_seg segments(const struct train *t, u32 i, u32 n)
{
	return (struct offload_seg){
		.ipv6 = t->ipv6,
		.l4 = t->l4,
		.hdr_len = t->hdr_len,
		.offset = (t->first + i) * t->mss,
		.len = train_payload(t, i, n),
		.index = t->first + i,
		.last = t->last && i + n == t->n,
	};
}

/**
 * train_segment() - build a segment as it is on the wire
 * @t: the train
 * @i: number of the segment in the train
 * @buf: PARQSIM_FRAME_MAX bytes
 *
 * Return: its bytes, without FCS.
 */
u32 train_segment(const struct train *t, u32 i, u8 *buf)
{
	struct offload_seg seg = segments(t, i, 1);

	memcpy(buf, t->hdr, t->hdr_len);
	memcpy(buf + t->hdr_len, t->payload + i * t->mss, seg.len);
	offload_tso(buf, &seg);
	return t->hdr_len + seg.len;
}

/**
 * train_headers() - build the headers of one frame that represents several segments
 * @t: the train
 * @i: number of the first segment in the train
 * @n: number of segments
 * @buf: TRAIN_HDR bytes
 *
 * The TCP checksum field holds the pseudo header's sum.
 */
void train_headers(const struct train *t, u32 i, u32 n, u8 *buf)
{
	struct offload_seg seg = segments(t, i, n);

	memcpy(buf, t->hdr, t->hdr_len);
	offload_merge(buf, &seg);
}
