/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A wire whose other end is a network interface of this machine. Frames of the port are sent
 * by the interface. All frames received by the interface go to the port, and not to the
 * stack. The link of the port follows that of the interface.
 */
#ifndef _PARQSIM_NETDEV_H
#define _PARQSIM_NETDEV_H

#include "ports.h"

/* @open of struct ports. The interface is looked up in the caller's network namespace. */
int netdev_open(struct ports *p, u32 port, const struct wire_spec *w,
		struct wire **out);

#endif /* _PARQSIM_NETDEV_H */
