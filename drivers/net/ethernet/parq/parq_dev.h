/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DEV_H
#define _PARQ_DEV_H

#include "parq.h"

/* ---- parq_dev.c -------------------------------------------------------- */

/*
 * start and stop begin and end the driver's use of a device. quiesce and restart
 * bracket a reset, power loss included, and keep the netdevs. restart also recovers a
 * device that was marked as gone. All must be called without the ops lock.
 */
int parq_dev_start(struct parq_dev *pd);
void parq_dev_stop(struct parq_dev *pd);
void parq_dev_quiesce(struct parq_dev *pd);
void parq_dev_suspend(struct parq_dev *pd);
int parq_dev_restart(struct parq_dev *pd);

/* ---- parq_events.c ----------------------------------------------------- */

int parq_events_init(struct parq_dev *pd);
void parq_events_fini(struct parq_dev *pd);

/* ---- parq_platform.c --------------------------------------------------- */

int parq_platform_register(void);
void parq_platform_unregister(void);

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

/* ---- parq_debugfs.c ---------------------------------------------------- */

/*
 * Directories of the module, of a device, of a port. Readers take the ops lock, so fini must be
 * called without it.
 */
void parq_debugfs_create(void);
void parq_debugfs_destroy(void);
void parq_debugfs_init(struct parq_dev *pd);
void parq_debugfs_fini(struct parq_dev *pd);
void parq_debugfs_port_init(struct parq_port *port);
void parq_debugfs_port_fini(struct parq_port *port);

#endif /* _PARQ_DEV_H */
