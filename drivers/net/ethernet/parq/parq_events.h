/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_EVENTS_H
#define _PARQ_EVENTS_H

#include "parq.h"

int parq_events_init(struct parq_dev *pd);
void parq_events_fini(struct parq_dev *pd);

#endif /* _PARQ_EVENTS_H */
