/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQSIM_PEER_H
#define _PARQSIM_PEER_H

#include "wire.h"

int peer_open(const struct wire_host *host_a, u32 port_a,
	      const struct wire_host *host_b, u32 port_b, u32 length_m,
	      struct wire **a, struct wire **b);

#endif /* _PARQSIM_PEER_H */
