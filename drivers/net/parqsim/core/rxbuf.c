// SPDX-License-Identifier: GPL-2.0
#include "rxbuf.h"

static void count_drop(struct rxbuf *r, u32 port, const struct rx_frame *f,
		       enum rxq_end why)
{
	struct parq_stats *s = &r->stats[port];

	switch (why) {
	case RXQ_NOBUF:
		stat_add(&s->rx_drop_nobuf, 1);
		stat_add(&s->prio[f->prio].rx_drop, 1);
		stat_add(&s->rxq[f->queue].drop, 1);
		break;
	case RXQ_DMA:
		stat_add(&s->rx_drop_dma, 1);
		break;
	default:
		stat_add(&s->rx_drop_disabled, 1);
		break;
	}
}

/* A frame for the host has arrived. */
void rxbuf_in(struct rxbuf *r, u32 port, const struct rx_frame *f)
{
	enum rxq_end end = rxq_deliver(r->rxqs, port, f);

	if (end != RXQ_STORED)
		count_drop(r, port, f, end);
}
