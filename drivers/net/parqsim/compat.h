/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else. compat_probe.sh generates compat_gen.h.
 */
#ifndef _PARQSIM_COMPAT_H
#define _PARQSIM_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/slab.h>

#include "compat_gen.h"

#ifdef PARQSIM_HAVE_NET_GSO
#include <net/gso.h>
#endif

#ifndef PARQSIM_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, const enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* Allocates a netdev that only carries a NAPI. */
static inline struct net_device *parqsim_compat_dummy_alloc(void)
{
#ifdef PARQSIM_HAVE_NETDEV_DUMMY
	return alloc_netdev_dummy(0);
#else
	struct net_device *dev = kvzalloc(sizeof(*dev), GFP_KERNEL);

	if (dev)
		init_dummy_netdev(dev);
	return dev;
#endif
}

static inline void parqsim_compat_dummy_free(struct net_device *dev)
{
#ifdef PARQSIM_HAVE_NETDEV_DUMMY
	free_netdev(dev);
#else
	kvfree(dev);
#endif
}

#endif /* _PARQSIM_COMPAT_H */
