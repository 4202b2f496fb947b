/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_QDISC_H
#define _PARQ_QDISC_H

#include <linux/netdevice.h>

struct parq_port;

/* setup_tc is for ndo_setup_tc. clear is called when hw-tc-offload is switched off. */
int parq_qdisc_setup_tc(struct net_device *dev, enum tc_setup_type type, void *data);
void parq_qdisc_ets_clear(struct parq_port *port);

#endif /* _PARQ_QDISC_H */
