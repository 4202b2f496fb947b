/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PORT_H
#define _PARQ_PORT_H

#include "parq.h"

struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index);
void parq_port_free(struct parq_port *port);
int parq_port_register(struct parq_port *port);
void parq_port_unregister(struct parq_port *port);

#endif /* _PARQ_PORT_H */
