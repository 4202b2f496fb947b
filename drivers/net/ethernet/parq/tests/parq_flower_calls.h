/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's lock and workqueue, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_FLOWER_CALLS_H
#define _PARQ_TESTS_FLOWER_CALLS_H

#include <linux/netdevice.h>
#include <linux/workqueue.h>

#include "../compat.h" /* <net/netdev_lock.h> */

bool sieve_trylock(void);
void sieve_unlock(void);
void sieve_kick_service(unsigned long after);
#undef netdev_unlock_ops
#define netdev_trylock(dev)			((void)(dev), sieve_trylock())
#define netdev_unlock_ops(dev)			((void)(dev), sieve_unlock())
#define mod_delayed_work(wq, work, after)	\
	((void)(wq), (void)(work), sieve_kick_service(after))

#endif /* _PARQ_TESTS_FLOWER_CALLS_H */
