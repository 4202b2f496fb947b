/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_NETDEV_H
#define _PARQ_NETDEV_H

#include "parq.h"

/*
 * Called under rtnl by open and stop of the netdev, and by a reset if the netdev is
 * open. down may be called twice.
 */
int parq_netdev_up(struct parq_port *port);
void parq_netdev_down(struct parq_port *port);
void parq_netdev_attach(struct parq_port *port);

/* Sets the reception filters that @features and the private flags select. */
void parq_netdev_rx_ctrl(struct parq_port *port, netdev_features_t features);

/* net_device_ops */
int parq_netdev_open(struct net_device *dev);
int parq_netdev_stop(struct net_device *dev);
void parq_netdev_set_rx_mode(struct net_device *dev);
int parq_netdev_set_mac_address(struct net_device *dev, void *addr);
int parq_netdev_change_mtu(struct net_device *dev, int mtu);
void parq_netdev_get_stats64(struct net_device *dev,
			     struct rtnl_link_stats64 *s);
void parq_netdev_tx_timeout(struct net_device *dev, unsigned int index);

#endif /* _PARQ_NETDEV_H */
