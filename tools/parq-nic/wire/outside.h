/* SPDX-License-Identifier: GPL-2.0 */
/* Wires that lead out of the process. */
#ifndef _PARQ_NIC_OUTSIDE_H
#define _PARQ_NIC_OUTSIDE_H

#include "../loop.h"
#include "wire.h"

/*
 * One kind each. They return 0 or a negative errno, which has been logged, and
 * the wire, whose link settings are still to be told (wire_link()).
 */
int tap_open(const struct wire_host *host, u32 port, const char *ifname,
	     struct wire **out);
int socket_open(const struct wire_host *host, u32 port, const char *path,
		bool listen, u32 length_m, struct wire **out);

#endif /* _PARQ_NIC_OUTSIDE_H */
