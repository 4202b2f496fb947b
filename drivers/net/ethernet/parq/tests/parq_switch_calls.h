/* SPDX-License-Identifier: GPL-2.0 */
/* A bridge of two ports and a foreign member, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_SWITCH_CALLS_H
#define _PARQ_TESTS_SWITCH_CALLS_H

#include <linux/netdevice.h>
#include <net/switchdev.h>

int fdb_tell(unsigned long type, struct net_device *dev, struct switchdev_notifier_info *info);
struct net_device *fdb_master(struct net_device *dev);
#define call_switchdev_notifiers(type, dev, info, extack) \
	((void)(extack), fdb_tell(type, dev, info))
#define netdev_master_upper_dev_get_rcu	fdb_master

#endif /* _PARQ_TESTS_SWITCH_CALLS_H */
