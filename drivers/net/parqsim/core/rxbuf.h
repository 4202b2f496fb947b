/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive buffers: where frames of lossless priorities wait for buffers of their
 * RX queue, and those of all priorities while it is on hold. What waits counts
 * against a buffer, whose watermarks say when the other end has to stop; it
 * is in the FIFO of its priority, so that order does not depend on which
 * priority has which buffer.
 */
#ifndef _PARQSIM_RXBUF_H
#define _PARQSIM_RXBUF_H

#include "cells.h"
#include "rxq.h"

/**
 * struct rxb_config - buffers of a port, as the host wants them
 * @size: of each, bytes
 * @xoff: high watermark
 * @xon: low watermark
 * @prio: buffer of a priority
 */
struct rxb_config {
	u32 size[PARQ_NUM_RXB];
	u32 xoff[PARQ_NUM_RXB];
	u32 xon[PARQ_NUM_RXB];
	u8 prio[PARQ_NUM_PRIO];
};

/**
 * struct rxb - what is in a buffer, bytes with FCS
 * @used: now
 * @high: most ever
 */
struct rxb {
	u32 used;
	u32 high;
};

/**
 * struct rxb_fifo - frames that wait
 * @head: cell of the oldest, CELL_NONE if there is none
 * @tail: cell of the newest
 * @seen: tail doorbell at which the oldest found too few buffers
 */
struct rxb_fifo {
	u32 head;
	u32 tail;
	u32 seen;
};

/**
 * struct rxbuf_port - one port
 * @cfg: in force
 * @buf: by number
 * @fifo: by priority
 * @cells: memory of what waits
 * @used: bytes in all buffers
 * @waiting: BIT(priority): its FIFO is not empty
 * @lossless: BIT(priority): its frames wait when there are too few buffers
 * @closed: of them, those that take no more for now
 * @above: BIT(buffer): has risen above XOFF and not yet fallen to XON
 * @told: what was said of that last
 */
struct rxbuf_port {
	struct rxb_config cfg;
	struct rxb buf[PARQ_NUM_RXB];
	struct rxb_fifo fifo[PARQ_NUM_PRIO];
	struct cells cells;
	u32 used;
	u8 waiting;
	u8 lossless;
	u8 closed;
	u8 above;
	u16 told;
};

/* All buffers of a port, seen as one. */
#define RXBUF_ANY	BIT(PARQ_NUM_PRIO)

/**
 * struct rxbuf_up - what the receive buffers tell
 * @ctx: goes with each call
 * @level: BIT(priority) for those whose buffer is above its watermark, and
 *	RXBUF_ANY if any buffer is; they have changed
 */
struct rxbuf_up {
	void *ctx;
	void (*level)(void *ctx, u32 port, u16 above);
};

struct rxbuf {
	struct rxqs *rxqs;
	struct parq_stats *stats;
	struct rxbuf_up up;
	u32 total;		/* PARQ_RXB_TOTAL */
	u8 waiting;		/* BIT(port) */
	struct rxbuf_port port[PARQ_MAX_PORTS];
	u8 frame[PARQSIM_FRAME_MAX];	/* on its way from cells to a queue */
};

/* Memory that the buffers of @ports ports need, a multiple of CELL_SIZE. */
size_t rxbuf_size(u32 total, u32 ports);
void rxbuf_init(struct rxbuf *r, void *mem, u32 total, u32 ports);
void rxbuf_reset(struct rxbuf *r);

/* Software's side. */
bool rxbuf_valid(const struct rxbuf *r, const struct rxb_config *cfg);
void rxbuf_set(struct rxbuf *r, u32 port, const struct rxb_config *cfg);
void rxbuf_lossless(struct rxbuf *r, u32 port, u8 lossless, u8 closed);
void rxbuf_retry(struct rxbuf *r, u32 port);
bool rxbuf_poll(struct rxbuf *r);

/* The wire's side. */
void rxbuf_in(struct rxbuf *r, u32 port, const struct rx_frame *f);

/* Bytes in the buffer of a priority. */
static inline u32 rxbuf_used(const struct rxbuf *r, u32 port, u32 prio)
{
	const struct rxbuf_port *p = &r->port[port];

	return p->buf[p->cfg.prio[prio]].used;
}

#endif /* _PARQSIM_RXBUF_H */
