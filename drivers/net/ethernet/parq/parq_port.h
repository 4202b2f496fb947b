/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PORT_H
#define _PARQ_PORT_H

#include "parq.h"

/* ---- parq_port.c ------------------------------------------------------- */

struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index);
void parq_port_free(struct parq_port *port);
int parq_port_register(struct parq_port *port);
void parq_port_unregister(struct parq_port *port);

/* ---- parq_netdev.c ----------------------------------------------------- */

/*
 * Called under the ops lock by open and stop of the netdev, and by a reset if the netdev is
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
int parq_netdev_set_rx_mode_async(struct net_device *dev, struct netdev_hw_addr_list *uc,
				  struct netdev_hw_addr_list *mc);
#ifndef PARQ_HAVE_RX_MODE_ASYNC
void parq_netdev_set_rx_mode(struct net_device *dev);
#endif
int parq_netdev_set_mac_address(struct net_device *dev, void *addr);
int parq_netdev_change_mtu(struct net_device *dev, int mtu);
void parq_netdev_get_stats64(struct net_device *dev,
			     struct rtnl_link_stats64 *s);
void parq_netdev_tx_timeout(struct net_device *dev, unsigned int index);
int parq_netdev_bpf(struct net_device *dev, struct netdev_bpf *bpf);

/* ---- parq_queue.c ------------------------------------------------------ */

void parq_queue_netdev(struct net_device *dev);
int parq_queue_restart(struct parq_port *port, unsigned int index);

/* ---- parq_link.c ------------------------------------------------------- */

void parq_link_check(struct parq_port *port);
void parq_link_store(struct parq_port *port, const struct parq_link *link);
void parq_link_phy(struct parq_port *port, bool on);
void parq_link_apply(struct parq_port *port, bool renegotiate);

/* ---- parq_service.c ---------------------------------------------------- */

void parq_service_work(struct work_struct *work);
bool parq_service_waits(struct parq_port *port, unsigned int index);
void parq_service_tx_stuck(struct parq_port *port, unsigned int index);

#endif /* _PARQ_PORT_H */
