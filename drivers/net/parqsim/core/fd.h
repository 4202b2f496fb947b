/* SPDX-License-Identifier: GPL-2.0 */
/* A frame descriptor inside the device. In host memory it is a struct parq_fd. */
#ifndef _PARQSIM_FD_H
#define _PARQSIM_FD_H

#include <linux/bits.h>
#include <linux/types.h>

struct fd {
	u8 port;
	u8 prio;
	u8 queue;
	u8 flags;
	u32 pos;
	u16 ndesc;
	u16 seg;
	u16 len;
	u16 epoch;
	u32 order;
	u8 domain;
	u64 time;
};

/* Flags of a frame on the wire, beside PARQ_FD_*. */
#define FD_STAMP	BIT(6)	/* @time is its time stamp, PARQ_TXX_STAMP */
#define FD_CSUM		BIT(7)	/* its checksum was inserted */

#define FD_NO_QUEUE	0xff	/* queue number of markers */
/* ... of transit frames; their @pos is a struct transit_desc, and @domain is its domain */
#define FD_TRANSIT	0xfe
#define FD_ANY_QUEUE	(-1)	/* all queues of a port, and its markers */
#define FD_ANY_DOMAIN	0

static inline bool fd_matches(const struct fd *fd, u32 port, int queue, u32 domain)
{
	return fd->port == port && (queue == FD_ANY_QUEUE || fd->queue == queue) &&
	       (domain == FD_ANY_DOMAIN || fd->domain == domain);
}

#endif /* _PARQSIM_FD_H */
