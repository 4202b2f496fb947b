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

#endif /* _PARQ_DEV_H */
