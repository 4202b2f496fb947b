// SPDX-License-Identifier: GPL-2.0
/* Requests to run the service work of a port. Any file may call these functions. */
#include <linux/workqueue.h>

#include "parq_kick.h"

void parq_kick_service(struct parq_port *port, unsigned int msecs)
{
	if (parq_port_is_up(port))
		mod_delayed_work(port->pd->wq, &port->service,
				 msecs_to_jiffies(msecs));
}

void parq_kick_stuck(struct parq_port *port, bool rx, unsigned int index)
{
	set_bit(index, rx ? port->stuck_rx : port->stuck_tx);
	parq_kick_service(port, 0);
}

void parq_kick_event(struct parq_port *port, unsigned int index)
{
	set_bit(index, port->queue_events);
	parq_kick_service(port, 0);
}
