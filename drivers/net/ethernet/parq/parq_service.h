/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_SERVICE_H
#define _PARQ_SERVICE_H

#include "parq.h"

void parq_service_work(struct work_struct *work);
u8 parq_service_waiting(struct parq_port *port);

#endif /* _PARQ_SERVICE_H */
