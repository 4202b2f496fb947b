/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DEBUGFS_H
#define _PARQ_DEBUGFS_H

struct parq_dev;
struct parq_port;

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

#endif /* _PARQ_DEBUGFS_H */
