/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETS_TC_H
#define _PARQ_ETS_TC_H

#include <linux/netdevice.h>

struct parq_port;

/* setup_tc is for ndo_setup_tc. clear is called when hw-tc-offload is switched off. */
int parq_tc_setup(struct net_device *dev, enum tc_setup_type type, void *data);
void parq_tc_ets_clear(struct parq_port *port);

#endif /* _PARQ_ETS_TC_H */
