/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of a device whose ports forward. */
#ifndef _PARQ_SWITCH_FDB_H
#define _PARQ_SWITCH_FDB_H

#include "parq_switch_domain.h"

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)

/* The port is down: as parq_switch_fdb_flush(). */
void parq_switch_port_down(struct parq_port *port);

/* An event of the device. @ev is a copy, not yet checked. */
void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev);

/* Events were lost: the table is compared. */
void parq_switch_fdb_lost(struct parq_dev *pd);

/* About once a second: asks the device whether it has lost events, or has a place again. */
void parq_switch_fdb_watch(struct parq_dev *pd);

/* An event of a bridge. Context: any. Return: as a notifier. */
int parq_switch_fdb_notify(struct parq_switch *sw, unsigned long event, void *info);

void parq_switch_fdb_init(struct parq_switch *sw);
void parq_switch_fdb_fini(struct parq_switch *sw);
void parq_switch_fdb_restart(struct parq_switch *sw);

/* Removes what was learned at @port, which has stopped learning. Context: may sleep. */
void parq_switch_fdb_flush(struct parq_switch *sw, unsigned int port);

/* Walks the list once for all VLANs that were left. Before a VLAN begins. Context: may sleep. */
void parq_switch_fdb_leave_vlans(struct parq_switch *sw);

/* @port has left @domain; the bridge still knows its port. Context: rtnl. */
void parq_switch_fdb_leave(struct parq_switch *sw, unsigned int port, unsigned int domain);

#else

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

#endif /* _PARQ_SWITCH_FDB_H */
