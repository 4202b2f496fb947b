/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DEVLINK_HEALTH_H
#define _PARQ_DEVLINK_HEALTH_H

struct parq_port;

/* devlink health of a port. The device must be registered with devlink. */
int parq_health_init(struct parq_port *port);
void parq_health_fini(struct parq_port *port);

#endif /* _PARQ_DEVLINK_HEALTH_H */
