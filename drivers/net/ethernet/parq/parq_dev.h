/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DEV_H
#define _PARQ_DEV_H

#include "parq.h"

/*
 * start and stop are the two ends of the driver's life with a device; quiesce and
 * restart bracket a reset of it, power loss included, and keep the netdevs. A restart
 * also brings back a device that was taken for gone. All run without rtnl held.
 */
int parq_dev_start(struct parq_dev *pd);
void parq_dev_stop(struct parq_dev *pd);
void parq_dev_quiesce(struct parq_dev *pd);
void parq_dev_suspend(struct parq_dev *pd);
int parq_dev_restart(struct parq_dev *pd);

#endif /* _PARQ_DEV_H */
