/* SPDX-License-Identifier: GPL-2.0 */
/* The service suite's time and locks, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_SERVICE_CALLS_H
#define _PARQ_TESTS_SERVICE_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <net/devlink.h>

#include "../compat.h" /* <net/netdev_lock.h> */

extern unsigned long serve_now;
void serve_synchronize(void);
bool serve_ops_trylock(void);
bool serve_rtnl_trylock(void);
void serve_queue_work(unsigned long after);

#define jiffies					serve_now
#define synchronize_net()			serve_synchronize()
#undef netdev_unlock_ops_compat
#define netdev_unlock_ops_compat(dev)		((void)(dev))
#define netdev_trylock(dev)			((void)(dev), serve_ops_trylock())
#undef dma_need_unmap
#define dma_need_unmap(dev)			((void)(dev), false)
#define rtnl_trylock()				serve_rtnl_trylock()
#define rtnl_unlock()				((void)0)
#define queue_delayed_work(wq, work, after)	((void)(wq), (void)(work), serve_queue_work(after))
#define mod_delayed_work(wq, work, after)	((void)(wq), (void)(work), serve_queue_work(after))

#endif /* _PARQ_TESTS_SERVICE_CALLS_H */
