/* SPDX-License-Identifier: GPL-2.0 */
/* VLANs of bridges whose ports forward. Context: rtnl, may sleep, unless said otherwise. */
#ifndef _PARQ_SWITCH_VLAN_H
#define _PARQ_SWITCH_VLAN_H

#include "parq_switch_fdb.h"

/* Return: why the bridge of a domain cannot filter VLANs, or NULL. */
const char *parq_switch_vlan_unusable(const struct parq_switch *sw, unsigned int domain);

/* The bridge of a domain filters VLANs from now on, or does not. */
void parq_switch_vlan_filter(struct parq_switch *sw, unsigned int domain, bool on);

/* An event of a bridge or of its port. Return: as a notifier. */
int parq_switch_vlan_notify(struct parq_switch *sw, unsigned long event, void *info);

/* Members of @dev have changed, which may be a bridge. */
void parq_switch_vlan_members(struct parq_switch *sw, struct net_device *dev);

/* What the host gets of a domain may have changed. */
void parq_switch_vlan_update(struct parq_switch *sw, unsigned int domain);

/* The port has left @domain. */
void parq_switch_vlan_leave(struct parq_port *port, unsigned int domain);

/* The domain has no ports any more. */
void parq_switch_vlan_end(struct parq_switch *sw, unsigned int domain);

/* The device has lost all VLANs. Context: may sleep. */
void parq_switch_vlan_restart(struct parq_switch *sw);

#endif /* _PARQ_SWITCH_VLAN_H */
