/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RX_H
#define _PARQ_RX_H

#include "parq_ring.h"

int parq_rx_poll(struct parq_rxq *q, struct napi_struct *napi, int budget);
int parq_rx_poll_xdp(struct parq_rxq *q, struct napi_struct *napi, int budget,
		     struct bpf_prog *prog);
bool parq_rx_pending(const struct parq_rxq *q);
void parq_rx_watch(struct parq_rxq *q);
void parq_rx_arm(const struct parq_rxq *q);
void parq_rx_discard(struct parq_rxq *q);
u32 parq_rx_ring_fill(struct parq_rx_ring *ring);
void parq_rx_post(struct parq_rxq *q);

#endif /* _PARQ_RX_H */
