/* SPDX-License-Identifier: GPL-2.0 */
/* The suites' lists of dcbnl, notifiers and ops lock, in place of the kernel's. */
#ifndef _PARQ_TESTS_DCB_CALLS_H
#define _PARQ_TESTS_DCB_CALLS_H

#include <linux/netdevice.h>
#include <net/dcbnl.h>

#include "../compat.h" /* <net/netdev_lock.h> */

int quay_list(const struct net_device *dev, bool rewr, const struct dcb_app *app);
int quay_unlist(const struct net_device *dev, bool rewr, const struct dcb_app *app);
int quay_watch(struct notifier_block *nb);
int quay_unwatch(struct notifier_block *nb);
void quay_lock(const struct net_device *dev, bool lock);
#undef netdev_lock_ops
#undef netdev_unlock_ops
#define dcb_ieee_setapp(dev, app)	quay_list(dev, false, app)
#define dcb_ieee_delapp(dev, app)	quay_unlist(dev, false, app)
#define dcb_setrewr(dev, app)		quay_list(dev, true, app)
#define dcb_delrewr(dev, app)		quay_unlist(dev, true, app)
#define register_netdevice_notifier	quay_watch
#define unregister_netdevice_notifier	quay_unwatch
#define netdev_lock_ops(dev)		quay_lock(dev, true)
#define netdev_unlock_ops(dev)		quay_lock(dev, false)

#endif /* _PARQ_TESTS_DCB_CALLS_H */
