/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RECONF_H
#define _PARQ_RECONF_H

#include "parq.h"

/* Called under rtnl. The port may be up or down. Refusals set extack. */
int parq_reconf_rings(struct parq_port *port, u32 tx, u32 rx,
		      struct netlink_ext_ack *extack);
int parq_reconf_chans(struct parq_port *port, unsigned int num);
void parq_reconf_rss(struct parq_port *port);
void parq_reconf_reap(struct parq_port *port);

#endif /* _PARQ_RECONF_H */
