/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pool of memory that receive buffers of all ports share, of a device that forwards. Without
 * switchdev there is none.
 */
#ifndef _PARQ_POOL_H
#define _PARQ_POOL_H

#include <linux/mutex.h>
#include <linux/parq_hw.h>
#include <linux/types.h>

#include "parq_buf_calc.h"
#include "parq_io.h"

struct netlink_ext_ack;
struct parq_dev;
struct parq_port;

/**
 * struct parq_pool - the pool of a device
 * @lock: protects members with __guarded_by() it, and serializes changes of the device's pool;
 *	taken within parq_pfc.lock
 * @total: receive memory of all ports, bytes; 0: the device has no pool
 * @size: PARQ_SW_POOL_SIZE as set by a user; @total if no user has set it
 * @fixed: limits are bytes; else thresholds
 * @limit: PARQ_SW_POOL_LIMIT; parq_pfc.lock of the port protects it
 * @used: bytes that the buffers of each port held of it at the last devlink snapshot
 * @high: highest value until then, since clearmax
 */
struct parq_pool {
	struct mutex lock; /* within parq_pfc.lock */

	u32 total;

	u32 size __guarded_by(&lock);

	bool fixed;
	u32 limit[PARQ_MAX_PORTS][PARQ_NUM_RXB];
	u32 used[PARQ_MAX_PORTS];
	u32 high[PARQ_MAX_PORTS];
};

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)

/* Called by the receive buffers. Context: parq_pfc.lock. */
int parq_pool_apply(struct parq_port *port, const struct parq_rxb *rxb, u32 more, char *reason);
void parq_pool_hold(struct parq_port *port, u8 which);
void parq_pool_release(struct parq_port *port);

/* Called by devlink, which holds its lock. All but the first: the device has a pool. */
bool parq_pool_exists(const struct parq_dev *pd);
bool parq_pool_fixed(const struct parq_dev *pd);
u32 parq_pool_size(struct parq_dev *pd);
int parq_pool_set(struct parq_dev *pd, u32 bytes, bool fixed, struct netlink_ext_ack *extack);
u32 parq_pool_limit(struct parq_port *port, unsigned int n);
int parq_pool_limit_set(struct parq_port *port, unsigned int n, u32 threshold,
			struct netlink_ext_ack *extack);
int parq_pool_snapshot(struct parq_dev *pd);
void parq_pool_max_clear(struct parq_dev *pd);
void parq_pool_occupancy(struct parq_port *port, u32 *cur, u32 *max);

/* Called by the switch: init before the netdevs are registered, restart after a reset. */
void parq_pool_init(struct parq_dev *pd);
void parq_pool_fini(struct parq_dev *pd);
void parq_pool_restart(struct parq_dev *pd);

#else

static inline int parq_pool_apply(struct parq_port *port, const struct parq_rxb *rxb, u32 more,
				  char *reason)
{
	return parq_io_rxb_apply(port, rxb);
}

static inline void parq_pool_hold(struct parq_port *port, u8 which)
{
}

static inline void parq_pool_release(struct parq_port *port)
{
}

static inline bool parq_pool_exists(const struct parq_dev *pd)
{
	return false;
}

static inline bool parq_pool_fixed(const struct parq_dev *pd)
{
	return false;
}

static inline u32 parq_pool_size(struct parq_dev *pd)
{
	return 0;
}

static inline int parq_pool_set(struct parq_dev *pd, u32 bytes, bool fixed,
				struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static inline u32 parq_pool_limit(struct parq_port *port, unsigned int n)
{
	return 0;
}

static inline int parq_pool_limit_set(struct parq_port *port, unsigned int n, u32 threshold,
				      struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static inline int parq_pool_snapshot(struct parq_dev *pd)
{
	return 0;
}

static inline void parq_pool_max_clear(struct parq_dev *pd)
{
}

static inline void parq_pool_occupancy(struct parq_port *port, u32 *cur, u32 *max)
{
}

#endif /* CONFIG_NET_SWITCHDEV */

#endif /* _PARQ_POOL_H */
