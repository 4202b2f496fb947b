/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PRIO_H
#define _PARQ_PRIO_H

#include "parq_prio_calc.h"

struct parq_port;
struct sk_buff;

/**
 * struct parq_prio - mapping of a port's frames to priorities
 * @want: settings
 * @hw: values in the device; the sender reads them
 *
 * Under rtnl, except that the sender reads single words of @hw.
 */
struct parq_prio {
	struct parq_trust want;
	struct parq_trust_hw hw;
};

void parq_prio_init(struct parq_port *port);
int parq_prio_open(struct parq_port *port);
int parq_prio_set(struct parq_port *port, const struct parq_trust *want);
void parq_prio_reset(struct parq_port *port);
unsigned int parq_prio_tx(const struct parq_port *port,
			  const struct sk_buff *skb);

#endif /* _PARQ_PRIO_H */
