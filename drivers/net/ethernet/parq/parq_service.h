/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_SERVICE_H
#define _PARQ_SERVICE_H

#include "parq.h"

void parq_service_work(struct work_struct *work);
bool parq_service_waits(struct parq_port *port, unsigned int index);
void parq_service_tx_stuck(struct parq_port *port, unsigned int index);

#endif /* _PARQ_SERVICE_H */
