/* SPDX-License-Identifier: GPL-2.0 */
/* Ports that forward to each other under a bridge. Without switchdev a device is a NIC. */
#ifndef _PARQ_SWITCH_H
#define _PARQ_SWITCH_H

#include "parq_switch_domain.h"

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)

/* ---- parq_switch.c ------------------------------------------------------ */

/*
 * init is called before the netdevs are registered and events are enabled, fini after both
 * have ended. All functions may be called for a device that does not forward.
 */
int parq_switch_init(struct parq_dev *pd);
void parq_switch_fini(struct parq_dev *pd);

/* Bracket a reset of the device, which loses the table, the counters and the settings. */
void parq_switch_fold(struct parq_dev *pd);
void parq_switch_restart(struct parq_dev *pd);

/* About once a second. */
void parq_switch_watch(struct parq_dev *pd);

/* Adds the drops of frames between ports to rtnl's statistics, as last read. Context: any. */
void parq_switch_link_stats(const struct parq_port *port, struct rtnl_link_stats64 *s);

/* Return: counters since probe; of the last read if the device is gone or off. */
struct parq_switch_stats parq_switch_stats(struct parq_port *port);

/* ---- parq_switch_member.c ----------------------------------------------- */

/* Sets again what PARQ_PORT_CTRL_EN had cleared. Context: ops lock. */
void parq_switch_port_up(struct parq_port *port);

/* ---- parq_switch_fdb.c -------------------------------------------------- */

/* The port is down: as parq_switch_fdb_flush(). */
void parq_switch_port_down(struct parq_port *port);

/* An event of the device. @ev is a copy, not yet checked. */
void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev);

/* Events were lost: the table is compared. */
void parq_switch_fdb_lost(struct parq_dev *pd);

#else

static inline int parq_switch_init(struct parq_dev *pd)
{
	return 0;
}

static inline void parq_switch_fini(struct parq_dev *pd)
{
}

static inline void parq_switch_fold(struct parq_dev *pd)
{
}

static inline void parq_switch_restart(struct parq_dev *pd)
{
}

static inline void parq_switch_port_up(struct parq_port *port)
{
}

static inline void parq_switch_watch(struct parq_dev *pd)
{
}

static inline void parq_switch_link_stats(const struct parq_port *port,
					  struct rtnl_link_stats64 *s)
{
}

static inline struct parq_switch_stats parq_switch_stats(struct parq_port *port)
{
	return (struct parq_switch_stats){};
}

static inline void parq_switch_port_down(struct parq_port *port)
{
}

static inline void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev)
{
}

static inline void parq_switch_fdb_lost(struct parq_dev *pd)
{
}

#endif /* CONFIG_NET_SWITCHDEV */

#endif /* _PARQ_SWITCH_H */
