/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about groups in frames: IGMP (RFC 3376), MLD (RFC 3810), PIM, router discovery. */
#ifndef _PARQSIM_SNOOP_H
#define _PARQSIM_SNOOP_H

#include <linux/types.h>

/* What a bridge that snoops does with a frame to a group. */
enum snoop {
	SNOOP_NONE,	/* data */
	SNOOP_COPY,	/* a query, or a message of a router: forwarded, and for the host */
	SNOOP_TRAP,	/* a report or leave: for the host, which forwards it to routers */
};

enum snoop snoop(const u8 *data, u32 len);

#endif /* _PARQSIM_SNOOP_H */
