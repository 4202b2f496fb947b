/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's bridges, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_BRIDGE_CALLS_H
#define _PARQ_TESTS_BRIDGE_CALLS_H

#include <linux/if_vlan.h>
#include <linux/module.h>
#include <net/switchdev.h>

clock_t bridge_br_get_ageing_time(const struct net_device *dev);
bool bridge_loaded(void);
void bridge_put(void);
int bridge_offload(struct net_device *port);
void bridge_unoffload(struct net_device *port);
int bridge_register(struct notifier_block *nb);
int bridge_unregister(struct notifier_block *nb);
bool bridge_is_vlan(const struct net_device *dev);
bool bridge_is_bridge(const struct net_device *dev);
#undef symbol_get
#undef symbol_put
#define symbol_get(name)	(bridge_loaded() ? bridge_##name : NULL)
#define symbol_put(name)	((void)(bridge_##name), bridge_put())
#define is_vlan_dev		bridge_is_vlan
#define netif_is_bridge_master	bridge_is_bridge
#define switchdev_bridge_port_offload(port, dev, ...)	((void)(dev), bridge_offload(port))
#define switchdev_bridge_port_unoffload(port, ...)	bridge_unoffload(port)
#define register_netdevice_notifier			bridge_register
#define unregister_netdevice_notifier			bridge_unregister
#define register_switchdev_notifier			bridge_register
#define unregister_switchdev_notifier			bridge_unregister
#define register_switchdev_blocking_notifier		bridge_register
#define unregister_switchdev_blocking_notifier		bridge_unregister

#endif /* _PARQ_TESTS_BRIDGE_CALLS_H */
