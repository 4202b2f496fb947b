/* SPDX-License-Identifier: GPL-2.0 */
/* What the stack and the workqueue are told, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_RECONF_CALLS_H
#define _PARQ_TESTS_RECONF_CALLS_H

#include <linux/delay.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>
#include <net/sch_generic.h>

#include "../compat.h" /* <net/netdev_lock.h> */

void weir_nap(void);
void weir_synchronize(void);
int weir_tx_queues(unsigned int num);
int weir_rx_queues(unsigned int num);
int weir_queues(unsigned int tx, unsigned int rx);
bool weir_configured(void);
void weir_kick_service(unsigned long after);
#define usleep_range(min, max)			((void)(min), (void)(max), weir_nap())
#define synchronize_net()			weir_synchronize()
#define netif_set_real_num_tx_queues(dev, num)	((void)(dev), weir_tx_queues(num))
#undef netif_set_real_num_rx_queues
#define netif_set_real_num_rx_queues(dev, num)	((void)(dev), weir_rx_queues(num))
#define netif_set_real_num_queues(dev, tx, rx)	((void)(dev), weir_queues(tx, rx))
#define netif_is_rxfh_configured(dev)		((void)(dev), weir_configured())
#define mod_delayed_work(wq, work, after)	\
	((void)(wq), (void)(work), weir_kick_service(after))

#endif /* _PARQ_TESTS_RECONF_CALLS_H */
