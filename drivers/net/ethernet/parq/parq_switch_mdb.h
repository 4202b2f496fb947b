/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multicast groups of bridges whose ports forward, and what a domain does as its bridge. Context:
 * rtnl, may sleep, unless said otherwise. All may be called for a device that has no groups.
 */
#ifndef _PARQ_SWITCH_MDB_H
#define _PARQ_SWITCH_MDB_H

#include "parq_switch_fdb.h"

/* Writes PARQ_SW_DOMAIN if it has changed. Context: sw->lock. */
void parq_switch_domain_write(struct parq_switch *sw, unsigned int domain);

/* The bridge snoops from now on, or does not; it is a multicast router, or is not. */
void parq_switch_mdb_snoop(struct parq_switch *sw, unsigned int domain, bool on);
void parq_switch_mdb_router(struct parq_switch *sw, unsigned int domain, bool on);

/* An event of a bridge or of its port. Return: as a notifier. */
int parq_switch_mdb_notify(struct parq_switch *sw, unsigned long event, void *info);

/* A VLAN is there, or is no more. Context: sw->lock. */
void parq_switch_mdb_vlan(struct parq_switch *sw, unsigned int domain, u16 vid, bool there);

/* The domain has its first port, and @bridge. */
void parq_switch_mdb_begin(struct parq_switch *sw, unsigned int domain,
			   const struct net_device *bridge);

/* The domain has no ports any more. */
void parq_switch_mdb_end(struct parq_switch *sw, unsigned int domain);

/* The port has left @domain. */
void parq_switch_mdb_leave(struct parq_port *port, unsigned int domain);

/* About once a second: whether there are queriers, and a place again. Context: may sleep. */
void parq_switch_mdb_watch(struct parq_switch *sw);

/* The device has lost all groups, and PARQ_SW_DOMAIN. Context: may sleep. */
void parq_switch_mdb_restart(struct parq_switch *sw);

void parq_switch_mdb_init(struct parq_switch *sw);
void parq_switch_mdb_fini(struct parq_switch *sw);

#endif /* _PARQ_SWITCH_MDB_H */
