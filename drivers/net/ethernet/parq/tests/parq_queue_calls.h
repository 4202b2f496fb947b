/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's restart of a queue, in place of the stack's. */
#ifndef _PARQ_TESTS_QUEUE_CALLS_H
#define _PARQ_TESTS_QUEUE_CALLS_H

#include <linux/netdevice.h>

#include "../compat.h" /* <net/netdev_rx_queue.h> */

#ifdef PARQ_HAVE_OPS_LOCK
#include <net/netdev_rx_queue.h>

int shelf_restart(struct net_device *dev, unsigned int index);
#define netdev_rx_queue_restart(dev, index)	shelf_restart(dev, index)
#endif

#endif /* _PARQ_TESTS_QUEUE_CALLS_H */
