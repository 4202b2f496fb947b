/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_KICK_H
#define _PARQ_KICK_H

#include "parq.h"

/* Requests to the service work of a port that is up. Callable in any context. */

/* Runs the service work in @msecs milliseconds. */
void parq_kick_service(struct parq_port *port, unsigned int msecs);
/* Resets a queue. */
void parq_kick_stuck(struct parq_port *port, bool rx, unsigned int index);
/* Checks the queue that an event names; @index as in the event. */
void parq_kick_event(struct parq_port *port, unsigned int index);

#endif /* _PARQ_KICK_H */
