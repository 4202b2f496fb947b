// SPDX-License-Identifier: GPL-2.0
/* Memory of receive buffers: that of a port, and what it leaves to the pool of a switch. */
#include "rxbuf.h"

/* ---- what a port has ---------------------------------------------------- */

bool rxbuf_valid(const struct rxbuf *r, const struct rxb_config *cfg)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < PARQ_NUM_RXB; i++) {
		if (cfg->xon[i] > cfg->xoff[i] || cfg->xoff[i] > cfg->size[i])
			return false;
		sum += cfg->size[i];
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (cfg->prio[i] >= PARQ_NUM_RXB || !cfg->size[cfg->prio[i]])
			return false;
	return sum <= r->total;
}

static u32 left_by(const struct rxbuf *r, const struct rxb_config *cfg)
{
	u32 left = r->total, i;

	for (i = 0; i < PARQ_NUM_RXB; i++)
		left -= cfg->size[i];
	return left;
}

/* What the buffers of a port do not have for themselves is the pool's. */
void rxbuf_give(struct rxbuf *r, u32 port)
{
	const struct rxbuf_port *p = &r->port[port];
	u32 i;

	pool_give(&r->pool, port, left_by(r, &p->cfg));
	for (i = 0; i < PARQ_NUM_RXB; i++)
		pool_settle(&r->pool, port, i, p->buf[i].used, p->cfg.xoff[i], p->cfg.size[i]);
}

/*
 * Whether a valid configuration of a port leaves to the pool what is in use, with what the buffers
 * hold and will have no memory for.
 */
bool rxbuf_leaves(const struct rxbuf *r, u32 port, const struct rxb_config *cfg)
{
	const struct pool_port *p = &r->pool.port[port];
	u32 used, i;

	if (!r->pooled || !r->port[port].cells)
		return true;
	used = r->pool.used - p->used;
	for (i = 0; i < PARQ_NUM_RXB; i++)
		used += pool_settled(&r->pool, port, i, r->port[port].buf[i].used, cfg->xoff[i],
				     cfg->size[i]);
	return used <= r->pool.room - p->gives + left_by(r, cfg);
}

/* ---- life --------------------------------------------------------------- */

static_assert(2 * PARQSIM_RX_BUFFER_MAX / CELL_SIZE < BIT(CELL_PART_SHIFT));

static u32 cell_count(u32 total)
{
	return 2 * total / CELL_SIZE;
}

u32 rxbuf_frames(u32 total)
{
	return total / RXBUF_SMALLEST;
}

size_t rxbuf_size(u32 total)
{
	return cells_size(cell_count(total));
}

void rxbuf_init(struct rxbuf *r, u32 total, u32 ports, bool pooled)
{
	r->total = total;
	r->left = RXBUF_ALL;
	r->ports = ports;
	r->pooled = pooled;
	cells_init(&r->cells, r->part, cell_count(total));
}

/* @mem: rxbuf_size() bytes for a port that has none. */
void rxbuf_memory(struct rxbuf *r, u32 port, void *mem)
{
	struct rxbuf_port *p = &r->port[port];

	if (r->pooled) {
		p->cells = &r->cells;
	} else {
		p->cells = &p->own;
		cells_init(p->cells, &r->part[port], cell_count(r->total));
	}
	cells_add(p->cells, mem);
	if (r->pooled)
		rxbuf_give(r, port);
}

/* Buffer 0 has all memory, and its watermark is at its size, so it never sends XOFF. */
static void port_reset(struct rxbuf_port *p, u32 total)
{
	struct cells *cells = p->cells, own = p->own;
	u32 prio;

	*p = (struct rxbuf_port){
		.cfg = { .size = { total }, .xoff = { total }, .xon = { total } },
		.cells = cells,
		.own = own,
	};
	cells_reset(&p->own);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		p->fifo[prio] = (struct rxb_fifo){
			.head = CELL_NONE, .tail = CELL_NONE,
		};
}

void rxbuf_reset(struct rxbuf *r)
{
	u32 port;

	r->waiting = 0;
	cells_reset(&r->cells);
	if (r->pooled)
		pool_reset(&r->pool, r->ports);
	for (port = 0; port < r->ports; port++)
		port_reset(&r->port[port], r->total);
}
