/* SPDX-License-Identifier: GPL-2.0 */
/* Payload fetch: builds a frame as it goes on the wire from the host's buffers. */
#ifndef _PARQSIM_GATHER_H
#define _PARQSIM_GATHER_H

#include "nti.h"

enum nti_end gather_frame(const struct txq *q, const struct bus *bus,
			  const struct fd *fd, u8 *buf, u32 *len, u32 *longest);

#endif /* _PARQSIM_GATHER_H */
