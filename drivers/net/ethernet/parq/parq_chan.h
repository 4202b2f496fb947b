/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_CHAN_H
#define _PARQ_CHAN_H

#include "parq.h"

/* All of them are called under rtnl. */
int parq_chans_open(struct parq_port *port);
int parq_chans_up(struct parq_port *port);
void parq_chans_wake(struct parq_port *port);
void parq_chans_down(struct parq_port *port);
void parq_chans_close(struct parq_port *port);
bool parq_chans_idle(const struct parq_port *port);
bool parq_chans_share(const struct parq_port *port);
void parq_chans_itr(struct parq_port *port);

/* A channel of a port that is up; @index has no channel before alloc and after free. */
int parq_chan_alloc(struct parq_port *port, unsigned int index);
int parq_chan_up(struct parq_chan *chan);
void parq_chan_wake(struct parq_chan *chan);
void parq_chan_down(struct parq_chan *chan);
void parq_chan_free(struct parq_port *port, unsigned int index);

/* The port must be up. */
void parq_chan_refused(struct parq_port *port, bool rx, unsigned int index);
void parq_chan_rxq_drain(struct parq_rxq *q);
void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring);
int parq_chan_rxq_swap(struct parq_rxq *q, struct parq_rx_ring *next);
void parq_chan_rxq_restart(struct parq_rxq *q);
void parq_chan_txq_restart(struct parq_txq *q);

#endif /* _PARQ_CHAN_H */
