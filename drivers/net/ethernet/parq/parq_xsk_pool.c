// SPDX-License-Identifier: GPL-2.0
/*
 * AF_XDP without copies: what rings and cleaners need of a channel's pool of chunks.
 */
#include "parq.h"
#include "parq_ptp.h"
#include "parq_xsk.h"

/* Return: the pool at a channel, for new rings; NULL for none. */
struct parq_xsk *parq_xsk_of(const struct parq_port *port, unsigned int chan)
{
	struct parq_xsk *x = port->xsk[chan];

	return x && !x->closing ? x : NULL;
}

bool parq_xsk_bound(const struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_CHANS; i++)
		if (parq_xsk_of(port, i))
			return true;
	return false;
}

/* Gives back all chunks of a ring that the device does not use. NAPI is off. */
void parq_xsk_empty(struct parq_rx_ring *ring)
{
	u32 i;

	for (i = 0; i <= ring->mask; i++) {
		if (ring->buff[i])
			xsk_buff_free(ring->buff[i]);
		ring->buff[i] = NULL;
	}
}

/* ---- Wakeup ------------------------------------------------------------- */

/**
 * parq_xsk_kick() - have sockets send, and refill the ring of their RX queue
 * @port: port
 * @chan: channel; nothing happens if it has no sockets
 *
 * Context: any.
 */
void parq_xsk_kick(struct parq_port *port, unsigned int chan)
{
	struct napi_struct *napi;
	struct parq_chan *c;

	if (!READ_ONCE(port->xsk[chan]))
		return;
	/* A channel is freed after a grace period, see parq_vec_poll(). */
	rcu_read_lock();
	c = READ_ONCE(port->chan[chan]);
	if (c) {
		napi = &c->rxq.vec->napi;
		if (!napi_if_scheduled_mark_missed(napi))
			napi_schedule(napi);
	}
	rcu_read_unlock();
}

/* ---- Completion --------------------------------------------------------- */

void parq_xsk_done_begin(struct parq_xsk *x)
	__acquires(&x->lock)
{
	spin_lock_bh(&x->lock);
}

/* Descriptors @slot to @slot + @num - 1 are complete. */
void parq_xsk_done(struct parq_xsk *x, u32 slot, u32 num)
{
	u32 i;

	if (likely(slot == x->done)) {
		x->done += num;
		return;
	}
	for (i = 0; i < num; i++)
		__set_bit((slot + i) % PARQ_XSK_WINDOW, x->bits);
	x->late += num;
}

/* The same for the frame at @pos in a ring of @q. */
void parq_xsk_done_frame(struct parq_xsk *x, struct parq_txq *q,
			 const struct parq_tx_ring *ring, u32 pos)
{
	const struct parq_tx_buf *first = &ring->buf[pos & ring->mask];
	const struct parq_tx_buf *second = &ring->buf[(pos + 1) & ring->mask];
	u32 num = first->ndesc;
	u64 ns;

	if (num > 1 && second->segs) {
		num--;
		if (second->stamp && parq_tx_stamp_read(q, ring, pos, &ns))
			*second->stamp = ns;
	}
	parq_xsk_done(x, first->addr, num);
}

void parq_xsk_done_end(struct parq_xsk *x)
	__releases(&x->lock)
{
	struct parq_port *port = x->port;
	unsigned int chan = x->chan;
	bool kick;

	while (unlikely(x->late) &&
	       __test_and_clear_bit(x->done % PARQ_XSK_WINDOW, x->bits)) {
		x->done++;
		x->late--;
	}
	kick = x->waits && x->done != x->given;
	if (kick)
		x->waits = false;
	if (x->done != x->given)
		xsk_tx_completed(x->pool, x->done - x->given);
	x->given = x->done;
	/* The pool may be removed as soon as the lock is free. */
	spin_unlock_bh(&x->lock);
	if (kick)
		parq_xsk_kick(port, chan);
}
