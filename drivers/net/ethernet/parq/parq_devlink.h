/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DEVLINK_H
#define _PARQ_DEVLINK_H

struct device;
struct parq_dev;
struct parq_port;

/* ---- parq_devlink.c ---------------------------------------------------- */

/*
 * struct parq_dev lives in the private part of the devlink instance. register
 * is the last step of a probe and unregister the first one of a removal; a
 * devlink port is registered before its netdev and unregistered after it.
 */
struct parq_dev *parq_devlink_alloc(struct device *dev);
void parq_devlink_free(struct parq_dev *pd);
int parq_devlink_register(struct parq_dev *pd);
void parq_devlink_unregister(struct parq_dev *pd);
int parq_devlink_port_register(struct parq_port *port);
void parq_devlink_port_unregister(struct parq_port *port);

/* ---- parq_devlink_health.c --------------------------------------------- */

/* devlink health of a port. The device must be registered with devlink. */
int parq_health_init(struct parq_port *port);
void parq_health_fini(struct parq_port *port);

#endif /* _PARQ_DEVLINK_H */
