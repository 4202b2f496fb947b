/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_KICK_H
#define _PARQ_KICK_H

#include "parq.h"

/* Requests to the service work of a port that is up. Any context. */

/* Have it run in so many milliseconds. */
void parq_kick_service(struct parq_port *port, unsigned int msecs);
/* Have it reset a queue. */
void parq_kick_stuck(struct parq_port *port, bool rx, unsigned int index);
/* Have it check the queue of an event, @index as in the event. */
void parq_kick_event(struct parq_port *port, unsigned int index);

#endif /* _PARQ_KICK_H */
