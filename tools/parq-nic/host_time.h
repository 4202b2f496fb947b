/* SPDX-License-Identifier: GPL-2.0 */
/* The core follows real time, and the process sleeps when it may. */
#ifndef _PARQ_NIC_HOST_TIME_H
#define _PARQ_NIC_HOST_TIME_H

#include "host.h"

bool host_run(struct host *h);
u64 host_sleep_ns(struct host *h);

#endif /* _PARQ_NIC_HOST_TIME_H */
