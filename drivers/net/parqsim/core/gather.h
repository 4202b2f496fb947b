/* SPDX-License-Identifier: GPL-2.0 */
/* Payload fetch: builds a frame as it goes on the wire from the host's buffers. */
#ifndef _PARQSIM_GATHER_H
#define _PARQSIM_GATHER_H

#include "nti.h"
#include "offload.h"
#include "train.h"

/**
 * struct gather - descriptors of a frame, read for one of its FDs
 * @bus: host memory
 * @src: descriptor of the first buffer
 * @n: number of buffers
 * @index: number of the segment
 * @info: PARQ_TX_* of the first buffer
 * @ext: PARQ_TXX_*, or 0
 * @left: bytes of payload from the segment on; 0 if the frame is not cut into segments
 * @seg: the segment's place in its frame, if @left is not 0
 */
struct gather {
	const struct bus *bus;
	const struct parq_tx_desc *src;
	u32 n;
	u32 index;
	u64 info;
	u64 ext;
	u32 left;
	struct offload_seg seg;
};

/**
 * struct gathered - a frame that was built
 * @len: bytes on the wire without FCS and padding
 * @longest: @len of the longest segment of the same frame
 * @flags: FD_CSUM, FD_STAMP
 */
struct gathered {
	u32 len;
	u32 longest;
	u8 flags;
};

enum nti_end gather_frame(const struct txq *q, const struct bus *bus, struct parq_tx_desc *desc,
			  const struct fd *fd, u8 *buf, struct gathered *out);

/* Of an FD that is one of several segments, descriptors are read before it is decided how. */
enum nti_end gather_read(struct gather *g, const struct txq *q, const struct bus *bus,
			 struct parq_tx_desc *desc, const struct fd *fd);
enum nti_end gather_segment(const struct gather *g, u8 *buf, struct gathered *out);
bool gather_begin(const struct gather *g, struct train *t, u32 rewr);
bool gather_joins(const struct gather *g, const struct train *t);
enum nti_end gather_add(const struct gather *g, struct train *t, struct gathered *out);
bool gather_add_full(const struct gather *g, struct train *t, u32 n);

#endif /* _PARQSIM_GATHER_H */
