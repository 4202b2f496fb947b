/* SPDX-License-Identifier: GPL-2.0 */
/* VLAN interfaces of the suite, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_VIF_CALLS_H
#define _PARQ_TESTS_VIF_CALLS_H

#include <linux/if_vlan.h>
#include <linux/netdevice.h>

bool vif_is_vlan(const struct net_device *dev);
u16 vif_id(const struct net_device *dev);
__be16 vif_proto(const struct net_device *dev);
struct net_device *vif_real_dev(const struct net_device *dev);
struct net_device *vif_upper(struct net_device *dev, struct list_head **iter);
#define is_vlan_dev			vif_is_vlan
#define vlan_dev_vlan_id		vif_id
#define vlan_dev_vlan_proto		vif_proto
#define vlan_dev_real_dev		vif_real_dev
#define netdev_upper_get_next_dev_rcu	vif_upper

#endif /* _PARQ_TESTS_VIF_CALLS_H */
