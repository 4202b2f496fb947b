/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_NETDEV_H
#define _PARQ_NETDEV_H

#include "parq.h"

/*
 * Device, parq_dev.c. start and stop are the two ends of the driver's life with
 * a device; quiesce and restart bracket a reset of it, power loss included,
 * and keep the netdevs. All run without rtnl held. found: a device that had
 * vanished is there again, before restart.
 */
int parq_dev_start(struct parq_dev *pd);
void parq_dev_stop(struct parq_dev *pd);
void parq_dev_quiesce(struct parq_dev *pd);
void parq_dev_suspend(struct parq_dev *pd);
int parq_dev_restart(struct parq_dev *pd);
void parq_dev_found(struct parq_dev *pd);

/* Ports */
struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index);
void parq_port_free(struct parq_port *port);
int parq_port_register(struct parq_port *port);
void parq_port_unregister(struct parq_port *port);

/*
 * Under rtnl. What open and stop of the netdev do, and what a reset does to a
 * netdev that is open. down may be called twice.
 */
int parq_port_up(struct parq_port *port);
void parq_port_down(struct parq_port *port);
void parq_port_attach(struct parq_port *port);

/* What is received, as features and private flags say. */
void parq_port_rx_ctrl(struct parq_port *port, netdev_features_t features);

/* Reconfiguration, under rtnl, up or down; refuses with extack. */
int parq_rings_set(struct parq_port *port, u32 tx, u32 rx,
		   struct netlink_ext_ack *extack);
int parq_chans_set(struct parq_port *port, unsigned int num);
void parq_rss_apply(struct parq_port *port);

#endif /* _PARQ_NETDEV_H */
