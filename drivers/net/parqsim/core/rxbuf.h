/* SPDX-License-Identifier: GPL-2.0 */
/* Between the MAC and RX queues: what cannot be delivered is dropped, counted. */
#ifndef _PARQSIM_RXBUF_H
#define _PARQSIM_RXBUF_H

#include "rxq.h"

struct rxbuf {
	struct rxqs *rxqs;
	struct parq_stats *stats;
};

void rxbuf_in(struct rxbuf *r, u32 port, const struct rx_frame *f);

#endif /* _PARQSIM_RXBUF_H */
