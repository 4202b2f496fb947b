/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What waits on the device to leave by its ports, by traffic class: occupancy and limits, of a
 * device that forwards. Without switchdev there is none.
 */
#ifndef _PARQ_EGRESS_H
#define _PARQ_EGRESS_H

#include <linux/parq_hw.h>
#include <linux/types.h>

struct netlink_ext_ack;
struct parq_dev;
struct parq_port;

/* In place of a traffic class: all of them together. */
#define PARQ_EGRESS_PORT	PARQ_NUM_TC

/**
 * struct parq_egress - a port
 * @limit: PARQ_SW_EGR_LIMIT, by traffic class; parq_switch.lock protects it
 * @used: bytes that waited at the last devlink snapshot, by traffic class, and of the port
 * @high: highest value until then, since clearmax
 */
struct parq_egress {
	u32 limit[PARQ_NUM_TC];
	u32 used[PARQ_NUM_TC + 1];
	u32 high[PARQ_NUM_TC + 1];
};

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)

bool parq_egress_exists(const struct parq_dev *pd);

/* Called by devlink, which holds its lock, of a device that has this. */
u32 parq_egress_limit(struct parq_port *port, unsigned int tc);
int parq_egress_limit_set(struct parq_port *port, unsigned int tc, u32 bytes,
			  struct netlink_ext_ack *extack);
int parq_egress_snapshot(struct parq_dev *pd);
void parq_egress_max_clear(struct parq_dev *pd);
void parq_egress_occupancy(const struct parq_port *port, unsigned int n, u32 *cur, u32 *max);

/* Called by the switch: init before the netdevs are registered, restart after a reset. */
int parq_egress_init(struct parq_dev *pd);
void parq_egress_fini(struct parq_dev *pd);
void parq_egress_restart(struct parq_dev *pd);

#else

static inline bool parq_egress_exists(const struct parq_dev *pd)
{
	return false;
}

static inline u32 parq_egress_limit(struct parq_port *port, unsigned int tc)
{
	return 0;
}

static inline int parq_egress_limit_set(struct parq_port *port, unsigned int tc, u32 bytes,
					struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static inline int parq_egress_snapshot(struct parq_dev *pd)
{
	return 0;
}

static inline void parq_egress_max_clear(struct parq_dev *pd)
{
}

static inline void parq_egress_occupancy(const struct parq_port *port, unsigned int n, u32 *cur,
					 u32 *max)
{
	*cur = 0;
	*max = 0;
}

#endif

#endif /* _PARQ_EGRESS_H */
