/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive buffers. Frames of lossless priorities wait here for buffers of their RX queue;
 * frames of any priority wait while the queue is on hold. Waiting frames are charged to a
 * buffer, whose watermarks decide when to pause the link partner. The host's driver computes
 * the watermarks (parq_buf_calc.c). Waiting frames are stored in one FIFO per priority, so
 * that their order does not depend on the mapping of priorities to buffers.
 */
#ifndef _PARQSIM_RXBUF_H
#define _PARQSIM_RXBUF_H

#include "cells.h"
#include "pool.h"
#include "rxq.h"

/**
 * struct rxb_config - receive buffers of a port, as set by the host
 * @size: size of each buffer, bytes
 * @xoff: high watermark, bytes
 * @xon: low watermark, bytes
 * @prio: buffer of each priority
 */
struct rxb_config {
	u32 size[PARQ_NUM_RXB];
	u32 xoff[PARQ_NUM_RXB];
	u32 xon[PARQ_NUM_RXB];
	u8 prio[PARQ_NUM_PRIO];
};

/**
 * struct rxb - fill level of a buffer, bytes with FCS
 * @used: present level
 * @transit: of these, bytes of transit frames
 * @high: highest level since the last write of PARQ_RXB_HIGH
 */
struct rxb {
	u32 used;
	u32 transit;
	u32 high;
};

/**
 * struct rxb_fifo - waiting frames of a priority
 * @head: first cell of the oldest frame, CELL_NONE if empty
 * @tail: first cell of the newest frame
 * @seen: tail doorbell at which the oldest frame found too few buffers
 */
struct rxb_fifo {
	u32 head;
	u32 tail;
	u32 seen;
};

/**
 * struct rxbuf_port - one port
 * @cfg: configuration in force
 * @buf: by buffer
 * @fifo: by priority
 * @cells: memory for waiting frames; NULL: no frame can wait
 * @own: @cells of a port that shares them with no other
 * @used: bytes in all buffers
 * @transit: of these, bytes of transit frames
 * @waiting: BIT(priority) whose FIFO is not empty
 * @lossless: BIT(priority) whose frames wait if the queue has too few buffers
 * @closed: BIT(priority) of @lossless that accept no frames for now
 * @above: BIT(buffer) that rose above XOFF and has not fallen to XON since
 * @more: BIT(priority) whose frames wait for the next step only
 * @told: argument of the last @level callback
 * @settings: number of changes of the settings that select a slot
 */
struct rxbuf_port {
	struct rxb_config cfg;
	struct rxb buf[PARQ_NUM_RXB];
	struct rxb_fifo fifo[PARQ_NUM_PRIO];
	struct cells *cells;
	struct cells own;
	u32 used;
	u32 transit;
	u8 waiting;
	u8 lossless;
	u8 closed;
	u8 above;
	u8 more;
	u16 told;
	u32 settings;
};

#define RXBUF_SMALLEST	64	/* bytes of a frame with FCS; the MAC drops shorter ones */

/*
 * Waiting frames delivered by a register write and by the last look at the doorbells. The next
 * step delivers the rest: a host may hold a lock during such calls.
 */
#define RXBUF_SOME	64

/* No limit to the number of waiting frames that are delivered. */
#define RXBUF_ALL	(~0U)

/* All buffers of a port, seen as one. */
#define RXBUF_ANY	BIT(PARQ_NUM_PRIO)

/**
 * struct rxbuf_up - callbacks of the receive buffers
 * @ctx: first argument of the callbacks
 * @level: BIT(priority) whose buffer is above its watermark, and RXBUF_ANY if any
 *	buffer is; called when the set has changed
 * @steer: slot of a frame that has waited while settings changed, see rxbuf_steer()
 */
struct rxbuf_up {
	void *ctx;
	void (*level)(void *ctx, u32 port, u16 above);
	u16 (*steer)(void *ctx, u32 port, const u8 *data, u32 len,
		     const struct parq_rx_comp *comp);
};

struct rxbuf {
	struct rxqs *rxqs;
	struct parq_stats *stats;
	struct rxbuf_up up;
	u32 total;		/* PARQ_RXB_TOTAL */
	bool pooled;		/* ports share @cells and @pool */
	struct cells cells;
	struct cells_part *part;	/* by port; in order of their memory if pooled */
	struct pool pool;
	u32 left;		/* waiting frames that may still be delivered, or RXBUF_ALL */
	u64 waiting;		/* BIT(port) */
	u8 ports;
	struct rxbuf_port *port;
	u8 frame[PARQSIM_FRAME_MAX];	/* scratch: a frame between cells and queue */
};

/* Memory that the buffers of a port need, a multiple of CELL_SIZE. */
size_t rxbuf_size(u32 total);
void rxbuf_init(struct rxbuf *r, u32 total, u32 ports, bool pooled);
void rxbuf_memory(struct rxbuf *r, u32 port, void *mem);
void rxbuf_reset(struct rxbuf *r);

/* Called by the registers. */
bool rxbuf_valid(const struct rxbuf *r, const struct rxb_config *cfg);
bool rxbuf_leaves(const struct rxbuf *r, u32 port, const struct rxb_config *cfg);
void rxbuf_give(struct rxbuf *r, u32 port);
void rxbuf_set(struct rxbuf *r, u32 port, const struct rxb_config *cfg);
void rxbuf_lossless(struct rxbuf *r, u32 port, u8 lossless, u8 closed);
void rxbuf_retry(struct rxbuf *r, u32 port);
void rxbuf_steer(struct rxbuf *r, u32 port);
void rxbuf_empty(struct rxbuf *r, u32 port);
bool rxbuf_poll(struct rxbuf *r);

/* Called before an XOFF is refreshed: limits move with what other ports hold of the pool. */
void rxbuf_judge(struct rxbuf *r, u32 port);

/* Called by the wire. */
void rxbuf_in(struct rxbuf *r, u32 port, const struct rx_frame *f);
u32 rxbuf_merge_room(struct rxbuf *r, u32 port, const struct rx_frame *f);
bool rxbuf_merges(struct rxbuf *r, u32 port, const struct rx_frame *f, u32 len);

/* Called by the forwarder and by the ports that send what it has stored. */
u32 rxbuf_store(struct rxbuf *r, u32 port, u32 prio, const u8 *data, u32 len, u32 users);
void rxbuf_load(const struct rxbuf *r, u32 port, u32 cell, u8 *data, u32 len);
void rxbuf_unuse(struct rxbuf *r, u32 port, u32 cell);

/* Bytes that the buffer of a priority, of a port of a switch, can hold now. */
static inline u64 rxbuf_room(const struct rxbuf *r, u32 port, u32 prio)
{
	const struct rxbuf_port *p = &r->port[port];
	u32 buf = p->cfg.prio[prio];

	return p->cfg.size[buf] + pool_limit(&r->pool, port, buf);
}

/* Whether frames of a priority that came by a port must not be dropped. */
static inline bool rxbuf_is_lossless(const struct rxbuf *r, u32 port, u32 prio)
{
	return r->port[port].lossless & BIT(prio);
}

/* Whether frames in the buffer of a priority wait for the host, not all for other ports. */
static inline bool rxbuf_waits(const struct rxbuf *r, u32 port, u32 prio)
{
	const struct rxbuf_port *p = &r->port[port];
	const struct rxb *b = &p->buf[p->cfg.prio[prio]];

	return b->used != b->transit;
}

static inline bool rxbuf_any_waits(const struct rxbuf *r, u32 port)
{
	return r->port[port].used != r->port[port].transit;
}

/* Frames that the buffers of one port can store. */
u32 rxbuf_frames(u32 total);

/* Bytes charged to the buffer of a priority. */
static inline u32 rxbuf_used(const struct rxbuf *r, u32 port, u32 prio)
{
	const struct rxbuf_port *p = &r->port[port];

	return p->buf[p->cfg.prio[prio]].used;
}

#endif /* _PARQSIM_RXBUF_H */
