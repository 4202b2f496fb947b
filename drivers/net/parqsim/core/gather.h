/* SPDX-License-Identifier: GPL-2.0 */
/* Payload fetch: builds a frame as it goes on the wire from the host's buffers. */
#ifndef _PARQSIM_GATHER_H
#define _PARQSIM_GATHER_H

#include "nti.h"

/**
 * struct gathered - a frame that was built
 * @len: bytes on the wire without FCS and padding
 * @longest: @len of the longest segment of the same frame
 * @csum: its checksum was inserted
 */
struct gathered {
	u32 len;
	u32 longest;
	bool csum;
};

enum nti_end gather_frame(const struct txq *q, const struct bus *bus,
			  const struct fd *fd, u8 *buf, struct gathered *out);

#endif /* _PARQSIM_GATHER_H */
