/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A wire whose other end is a network interface of this machine. What the port sends leaves
 * the machine by it; what it receives, whatever that is, comes to the port and to nobody
 * else. Its link follows the interface's.
 */
#ifndef _PARQSIM_NETDEV_H
#define _PARQSIM_NETDEV_H

#include "ports.h"

/* struct ports's @open, of a NIC's ports. The interface is looked for where the caller is. */
int netdev_open(struct ports *p, u32 port, const struct wire_spec *w,
		struct wire **out);

#endif /* _PARQSIM_NETDEV_H */
