/* SPDX-License-Identifier: GPL-2.0 */
/* Entry points of the thin faces: dcbnl, qdiscs, devlink, debugfs. */
#ifndef _PARQ_FACES_H
#define _PARQ_FACES_H

#include <linux/netdevice.h>

struct device;
struct parq_dev;
struct parq_port;

/* Before register_netdev(). */
void parq_dcbnl_init(struct parq_port *port);
int parq_dcbnl_register(struct parq_port *port);
void parq_dcbnl_unregister(struct parq_port *port);

/* ndo_setup_tc; clear is for a user who switches hw-tc-offload off. */
int parq_setup_tc(struct net_device *dev, enum tc_setup_type type, void *data);
void parq_qdisc_ets_clear(struct parq_port *port);

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

/* devlink health of a port of a registered device, parq_health.c */
int parq_health_init(struct parq_port *port);
void parq_health_fini(struct parq_port *port);

/*
 * Directories of the module, of a device, of a port. Readers take rtnl: fini
 * is not called under it.
 */
void parq_debugfs_create(void);
void parq_debugfs_destroy(void);
void parq_debugfs_init(struct parq_dev *pd);
void parq_debugfs_fini(struct parq_dev *pd);
void parq_debugfs_port_init(struct parq_port *port);
void parq_debugfs_port_fini(struct parq_port *port);
void parq_debugfs_pause_dev(struct parq_dev *pd);
void parq_debugfs_pause_port(struct parq_port *port);

#endif /* _PARQ_FACES_H */
