/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_CHAN_H
#define _PARQ_CHAN_H

#include "parq.h"

/* ---- parq_chan.c ------------------------------------------------------- */

/* All of them are called under the ops lock. */
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
void parq_chan_kick(struct parq_chan *chan);
void parq_chan_down(struct parq_chan *chan);
void parq_chan_free(struct parq_port *port, unsigned int index);

/* The port must be up. */
void parq_chan_refused(struct parq_port *port, bool rx, unsigned int index);
void parq_chan_rxq_drain(struct parq_rxq *q);
struct parq_rx_ring *parq_chan_rxq_alloc(struct parq_rxq *q, u32 size);
void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring);
int parq_chan_rxq_hold(struct parq_rxq *q);
int parq_chan_rxq_use(struct parq_rxq *q, struct parq_rx_ring *ring);
void parq_chan_rxq_resume(struct parq_rxq *q);
int parq_chan_rxq_swap(struct parq_rxq *q, struct parq_rx_ring *next);
void parq_chan_rxq_strip(struct parq_rxq *q);
void parq_chan_rxq_restart(struct parq_rxq *q);
void parq_chan_txq_restart(struct parq_txq *q);
void parq_chan_txq_purge(struct parq_txq *q);

/* ---- parq_vec.c -------------------------------------------------------- */

/* Process context. del undoes add, down undoes up. */
void parq_vec_add(struct parq_vec *vec);
void parq_vec_del(struct parq_vec *vec);
int parq_vec_up(struct parq_vec *vec);
void parq_vec_down(struct parq_vec *vec);
void parq_vec_pause(struct parq_vec *vec);
void parq_vec_kick(struct parq_vec *vec);
void parq_vec_select(struct parq_vec *vec);
void parq_vec_watch(struct parq_vec *vec);
void parq_vec_itr(struct parq_vec *vec);

/* ---- parq_vec_calc.c --------------------------------------------------- */

/**
 * struct parq_msix - MSI-X vectors, and who needs them
 * @vecs: vectors granted, PARQ_MIN_VECS at least; vector 0 is for events
 * @ports: ports
 * @chans: channels of each port
 */
struct parq_msix {
	unsigned int vecs;
	unsigned int ports;
	unsigned int chans;
};

unsigned int parq_msix_full(const struct parq_msix *m);
unsigned int parq_msix_first(const struct parq_msix *m, unsigned int port,
			     unsigned int chan);

/* ---- parq_reconf.c ----------------------------------------------------- */

/* Called under the ops lock. The port may be up or down. Refusals set extack. */
int parq_reconf_rings(struct parq_port *port, u32 tx, u32 rx,
		      struct netlink_ext_ack *extack);
int parq_reconf_chans(struct parq_port *port, unsigned int num);
void parq_reconf_steer(struct parq_port *port,
		       void (*set)(struct parq_port *port, unsigned int n), unsigned int n);
bool parq_reconf_removes(const struct parq_port *port);
bool parq_reconf_advance(struct parq_port *port);
void parq_reconf_reap(struct parq_port *port);

#endif /* _PARQ_CHAN_H */
