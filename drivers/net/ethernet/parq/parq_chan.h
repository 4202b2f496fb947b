/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_CHAN_H
#define _PARQ_CHAN_H

#include "parq.h"

/* All under rtnl. */
int parq_chans_open(struct parq_port *port);
int parq_chans_up(struct parq_port *port);
void parq_chans_wake(struct parq_port *port);
void parq_chans_down(struct parq_port *port);
void parq_chans_close(struct parq_port *port);
void parq_chans_service(struct parq_port *port);
bool parq_chans_idle(const struct parq_port *port);
bool parq_chans_share(const struct parq_port *port);
void parq_chans_itr(struct parq_port *port);

#endif /* _PARQ_CHAN_H */
