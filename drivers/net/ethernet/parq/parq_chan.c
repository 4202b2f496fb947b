// SPDX-License-Identifier: GPL-2.0
/*
 * Channels: one RX queue and a TX queue for each priority.
 *
 * Life of a channel: alloc (memory), up (the device uses it), down, free.
 */
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "parq_chan.h"
#include "parq_io.h"
#include "parq_rx.h"
#include "parq_tx.h"
#include "parq_xsk.h"

/* A cache line for each head write-back: the device writes them often. */
#define PARQ_WB_STRIDE	64
#define PARQ_WB_SIZE	(PARQ_WB_STRIDE * PARQ_NUM_PRIO)

/* ---- Vectors ------------------------------------------------------------ */

static struct parq_msix parq_port_msix(const struct parq_port *port)
{
	return (struct parq_msix) {
		.vecs = port->pd->num_vecs,
		.ports = port->pd->caps.ports,
		.chans = port->pd->caps.chans,
	};
}

/* Return: RX and TX queues of some channels share a vector. */
bool parq_chans_share(const struct parq_port *port)
{
	struct parq_msix m = parq_port_msix(port);

	return parq_msix_full(&m) < m.chans;
}

static void parq_chan_vectors(struct parq_chan *chan, struct parq_port *port)
{
	struct parq_msix m = parq_port_msix(port);
	unsigned int first, i;

	chan->num_vecs = chan->index < parq_msix_full(&m) ? PARQ_CHAN_VECS : 1;
	first = parq_msix_first(&m, port->index, chan->index);
	for (i = 0; i < chan->num_vecs; i++) {
		chan->vec[i].port = port;
		chan->vec[i].index = chan->index * PARQ_CHAN_VECS + i;
		chan->vec[i].hw = first + i;
	}
}

static void parq_chan_link(struct parq_chan *chan)
{
	struct parq_vec *vec = &chan->vec[0];
	unsigned int i;

	vec->rxq = &chan->rxq;
	chan->rxq.vec = vec;
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (chan->num_vecs > 1)
			vec = &chan->vec[1 + i];
		chan->txq[i].vec = vec;
		if (!vec->num_txq++)
			vec->txq = &chan->txq[i];
	}
}

/* ---- Memory ------------------------------------------------------------- */

static void parq_chan_txq_init(struct parq_chan *chan, struct parq_port *port,
			       unsigned int prio)
{
	struct parq_txq *q = &chan->txq[prio];

	q->prio = prio;
	q->index = chan->index * PARQ_NUM_PRIO + prio;
	q->port = port;
	q->dev = port->pd->dev;
	q->stats = &port->tx_stats[q->index];
	q->nq = netdev_get_tx_queue(port->netdev, q->index);
	q->db.reg = port->pd->db + PARQ_DB_TX(port->index, q->index);
	q->db.status = port->status;
	q->db.pd = port->pd;
	q->wb = chan->wb + prio * PARQ_WB_STRIDE;
	q->wb_dma = chan->wb_dma + prio * PARQ_WB_STRIDE;
}

static void parq_chan_rxq_init(struct parq_chan *chan, struct parq_port *port)
{
	struct parq_rxq *q = &chan->rxq;

	q->index = chan->index;
	q->port = port;
	q->netdev = port->netdev;
	q->stats = &port->rx_stats[q->index];
	q->db.reg = port->pd->db + PARQ_DB_RX(port->index, q->index);
	q->db.status = port->status;
	q->db.pd = port->pd;
}

static void parq_chan_rings_free(struct parq_chan *chan)
{
	struct parq_rxq *rxq = &chan->rxq;
	unsigned int i;

	parq_rx_discard(rxq);
	if (rxq->ring)
		parq_ring_rx_free(rxq, rxq->ring);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_txq *q = &chan->txq[i];

		if (!q->ring)
			continue;
		parq_tx_flush(q);
		parq_ring_tx_free(q->port, q->ring);
	}
}

/*
 * Return: @ring has a page in each entry. Sockets of AF_XDP may have supplied fewer chunks, and
 * only the NAPI may take them, unless it is off.
 */
static bool parq_chan_rxq_fill(struct parq_rx_ring *ring)
{
	return ring->xsk || !parq_rx_ring_fill(ring);
}

static int parq_chan_rings_alloc(struct parq_chan *chan, struct parq_port *port)
{
	unsigned int i;

	chan->rxq.ring = parq_ring_rx_alloc(&chan->rxq, port->rx_size);
	if (!chan->rxq.ring || parq_ring_rx_reg(&chan->rxq, chan->rxq.ring) ||
	    !parq_chan_rxq_fill(chan->rxq.ring))
		return -ENOMEM;
	if (chan->rxq.ring->xsk)
		parq_xsk_fill(&chan->rxq, chan->rxq.ring);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_txq *q = &chan->txq[i];

		q->ring = parq_ring_tx_alloc(q, port->tx_size);
		if (!q->ring)
			return -ENOMEM;
		q->clean = q->ring;
	}
	return 0;
}

/* The caller has stopped the stack's TX queues for good: no sender uses the channel. */
void parq_chan_free(struct parq_port *port, unsigned int index)
{
	struct parq_chan *chan = port->chan[index];
	unsigned int i;

	port->chan[index] = NULL;
	clear_bit(index, port->stuck_rx);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		WRITE_ONCE(port->txq[index * PARQ_NUM_PRIO + i], NULL);
		clear_bit(index * PARQ_NUM_PRIO + i, port->stuck_tx);
	}
	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_del(&chan->vec[i]);
	parq_chan_rings_free(chan);
	dma_free_coherent(port->pd->dev, PARQ_WB_SIZE, chan->wb, chan->wb_dma);
	kfree(chan);
}

/* The stack's TX queues stay stopped until parq_chan_wake(). */
int parq_chan_alloc(struct parq_port *port, unsigned int index)
{
	struct parq_chan *chan = kzalloc_obj(*chan);
	unsigned int i;
	int err;

	if (!chan)
		return -ENOMEM;
	chan->index = index;
	chan->wb = dma_alloc_coherent(port->pd->dev, PARQ_WB_SIZE,
				      &chan->wb_dma, GFP_KERNEL);
	if (!chan->wb) {
		kfree(chan);
		return -ENOMEM;
	}
	parq_chan_vectors(chan, port);
	parq_chan_rxq_init(chan, port);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_chan_txq_init(chan, port, i);
	parq_chan_link(chan);
	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_add(&chan->vec[i]);
	port->chan[index] = chan;
	err = parq_chan_rings_alloc(chan, port);
	if (err) {
		parq_chan_free(port, index);
		return err;
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		/* Readers without the ops lock, as the stack's watchdog, look at the rings. */
		smp_store_release(&port->txq[chan->txq[i].index], &chan->txq[i]);
	}
	return 0;
}

/* ---- Up and down -------------------------------------------------------- */

static void parq_chan_stop(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_io_txq_stop(&chan->txq[i]);
	parq_io_rxq_stop(&chan->rxq);
}

/* Starts a queue on hold. It is released once it has buffers. */
static int parq_chan_rxq_start(struct parq_rxq *q)
{
	int err;

	err = parq_io_rxq_start(q);
	if (err)
		return err;
	parq_rx_post(q);
	return parq_io_rxq_release(q);
}

static int parq_chan_start(struct parq_chan *chan)
{
	unsigned int i;
	int err;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		err = parq_io_txq_start(&chan->txq[i]);
		if (err)
			goto stop;
	}
	err = parq_chan_rxq_start(&chan->rxq);
	if (err)
		goto stop;
	return 0;

stop:
	parq_chan_stop(chan);
	return err;
}

static void parq_chan_vecs_down(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_down(&chan->vec[i]);
}

/* Has all queues polled. */
void parq_chan_kick(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_kick(&chan->vec[i]);
}

int parq_chan_up(struct parq_chan *chan)
{
	unsigned int i;
	int err;

	for (i = 0; i < chan->num_vecs; i++) {
		err = parq_vec_up(&chan->vec[i]);
		if (err)
			goto vecs_down;
	}
	err = parq_chan_start(chan);
	if (err)
		goto vecs_down;
	/* The first poll arms the interrupt. */
	parq_chan_kick(chan);
	return 0;

vecs_down:
	while (i--)
		parq_vec_down(&chan->vec[i]);
	return err;
}

/* Stops one channel while its port stays up. */
void parq_chan_down(struct parq_chan *chan)
{
	parq_chan_stop(chan);
	parq_chan_vecs_down(chan);
}

/* Starts the stack's queues. */
void parq_chan_wake(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		netif_tx_wake_queue(chan->txq[i].nq);
	parq_xsk_kick(chan->rxq.port, chan->index);
}

/* ---- All channels of a port --------------------------------------------- */

/**
 * parq_chans_open() - allocate the selected channels
 * @port: port that is down
 *
 * Return: 0, or -ENOMEM and nothing is allocated.
 */
int parq_chans_open(struct parq_port *port)
{
	unsigned int i;
	int err;

	for (i = 0; i < port->num_chans; i++) {
		err = parq_chan_alloc(port, i);
		if (err) {
			parq_chans_close(port);
			return err;
		}
	}
	return 0;
}

/*
 * Drops all frames. The device must not access them any more. The stack knows the queues of
 * removed channels until parq_reconf_reap() or parq_netdev_stop().
 */
void parq_chans_close(struct parq_port *port)
{
	unsigned int i;

	for (i = PARQ_MAX_CHANS; i-- > 0;)
		if (port->chan[i])
			parq_chan_free(port, i);
}

int parq_chans_up(struct parq_port *port)
{
	unsigned int i;
	int err;

	for (i = 0; i < port->num_chans; i++) {
		err = parq_chan_up(port->chan[i]);
		if (err)
			goto down;
	}
	return 0;

down:
	while (i--)
		parq_chan_down(port->chan[i]);
	return err;
}

/**
 * parq_chans_wake() - start the stack's queues
 * @port: port that is up
 *
 * All other TX queues of the stack stay stopped: senders such as pktgen and AF_XDP
 * check whether a queue is stopped, not whether it exists.
 */
void parq_chans_wake(struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i < port->num_chans; i++)
		parq_chan_wake(port->chan[i]);
}

/* Called after PARQ_PORT_CTRL_EN was cleared, which stopped all queues. */
void parq_chans_down(struct parq_port *port)
{
	unsigned int i;

	for (i = PARQ_MAX_CHANS; i-- > 0;)
		if (port->chan[i])
			parq_chan_vecs_down(port->chan[i]);
}

void parq_chans_itr(struct parq_port *port)
{
	unsigned int i, n;

	for (i = 0; i < PARQ_MAX_CHANS; i++)
		for (n = 0; port->chan[i] && n < port->chan[i]->num_vecs; n++)
			parq_vec_itr(&port->chan[i]->vec[n]);
}

/* Return: all frames that were sent have completed. */
bool parq_chans_idle(const struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (port->txq[i] && !parq_tx_empty(port->txq[i]))
			return false;
	return true;
}

/* ---- Single queues ------------------------------------------------------ */

/* The service work tries again, see parq_service_reset_stuck(). */
void parq_chan_refused(struct parq_port *port, bool rx, unsigned int index)
{
	if (net_ratelimit())
		netdev_err(port->netdev,
			   "%s queue %u: the device refused to start it, retrying\n",
			   rx ? "RX" : "TX", index);
	set_bit(index, rx ? port->stuck_rx : port->stuck_tx);
}

/* Receives the frames that a queue on hold has completed. */
void parq_chan_rxq_drain(struct parq_rxq *q)
{
	u32 rounds = q->ring->mask + 1;

	/*
	 * napi_disable_locked() waits for a poll that was scheduled, also on one processor and
	 * where a thread polls all the time, for which napi_synchronize() does not.
	 */
	do {
		parq_vec_kick(q->vec);
		napi_disable_locked(&q->vec->napi);
		napi_enable_locked(&q->vec->napi);
		/* data_race: a running NAPI may advance; that costs one more round. */
	} while (data_race(parq_rx_pending(q)) && --rounds);
	/* An interrupt may have come while the NAPI was disabled. */
	parq_vec_kick(q->vec);
}

/* Return: a ring that parq_chan_rxq_use() can be given, NULL without memory. */
struct parq_rx_ring *parq_chan_rxq_alloc(struct parq_rxq *q, u32 size)
{
	struct parq_rx_ring *ring = parq_ring_rx_alloc(q, size);

	if (!ring || (!parq_ring_rx_reg(q, ring) && parq_chan_rxq_fill(ring)))
		return ring;
	parq_chan_rxq_discard(q, ring);
	return NULL;
}

/* Frees a ring that the device does not use. */
void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	napi_disable_locked(&q->vec->napi);
	parq_ring_rx_free(q, ring);
	napi_enable_locked(&q->vec->napi);
	parq_vec_kick(q->vec);
}

/*
 * Takes the ring of a queue from the device, and receives the frames in it. On success the
 * NAPI is off until parq_chan_rxq_resume(). Meanwhile frames wait in the device as long as its
 * receive buffer has room. For lossless priorities the device pauses the peer.
 */
int parq_chan_rxq_hold(struct parq_rxq *q)
{
	int err = parq_io_rxq_hold(q);

	if (err) {
		/* The device may still write to the ring. */
		parq_chan_refused(q->port, true, q->index);
		return err;
	}
	parq_chan_rxq_drain(q);
	parq_vec_pause(q->vec);
	parq_rx_discard(q);
	return 0;
}

/* Gives a full ring to a queue that parq_chan_rxq_hold() has stopped. */
int parq_chan_rxq_use(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	int err;

	q->broken = false;
	q->ring = ring;
	if (ring->xsk)
		parq_xsk_fill(q, ring);
	parq_vec_select(q->vec);
	err = parq_chan_rxq_start(q);
	if (err)
		parq_chan_refused(q->port, true, q->index);
	/* Positions restart at 0 and may look unchanged to the watch. */
	q->vec->watch_pending = false;
	q->watch_skipped = false;
	return err;
}

void parq_chan_rxq_resume(struct parq_rxq *q)
{
	napi_enable_locked(&q->vec->napi);
	parq_vec_kick(q->vec);
}

/* Replaces the ring of a queue. */
int parq_chan_rxq_swap(struct parq_rxq *q, struct parq_rx_ring *next)
{
	struct parq_rx_ring *old = q->ring;
	int err;

	err = parq_chan_rxq_hold(q);
	if (err) {
		parq_chan_rxq_discard(q, next);
		return err;
	}
	err = parq_chan_rxq_use(q, next);
	parq_ring_rx_free(q, old);
	parq_chan_rxq_resume(q);
	return err;
}

/*
 * Takes the chunks of AF_XDP from a queue for which there is no memory for another ring. The
 * service work tries to get one. Until then frames wait in the device.
 */
void parq_chan_rxq_strip(struct parq_rxq *q)
{
	if (parq_io_rxq_hold(q))
		parq_io_rxq_stop(q);
	parq_chan_rxq_drain(q);
	parq_vec_pause(q->vec);
	parq_rx_discard(q);
	parq_xsk_empty(q->ring);
	q->ring->xsk = NULL;
	q->broken = true;
	parq_vec_select(q->vec);
	parq_chan_rxq_resume(q);
	parq_kick_stuck(q->port, true, q->index);
}

/* Neither stack nor device uses the queue until parq_chan_txq_resume(). */
static void parq_chan_txq_pause(struct parq_txq *q)
{
	parq_vec_pause(q->vec);
	/* Not before: a completion could wake the queue again. */
	__netif_tx_lock_bh(q->nq);
	netif_tx_stop_queue(q->nq);
	__netif_tx_unlock_bh(q->nq);
	parq_io_txq_stop(q);
}

static void parq_chan_txq_resume(struct parq_txq *q)
{
	int err;

	q->watch.waits = false;
	err = parq_io_txq_start(q);
	if (err)
		parq_chan_refused(q->port, false, q->index);
	else if (q->ring->tail)
		parq_db_tail(&q->db, q->ring->tail);
	napi_enable_locked(&q->vec->napi);
	parq_vec_kick(q->vec);
	if (!err)
		parq_tx_wake(q);
}

/* Resets a queue. Its frames are dropped and counted. */
void parq_chan_txq_restart(struct parq_txq *q)
{
	if (net_ratelimit())
		netdev_warn(q->port->netdev, "TX queue %u: reset\n", q->index);
	parq_chan_txq_pause(q);
	parq_tx_flush(q);
	parq_chan_txq_resume(q);
}

/* Drops and counts the frames of AF_XDP sockets in a queue. Without memory, all of its frames. */
void parq_chan_txq_purge(struct parq_txq *q)
{
	struct parq_tx_ring *ring = parq_ring_tx_alloc(q, q->ring->mask + 1);

	parq_chan_txq_pause(q);
	if (ring)
		parq_tx_purge(q, ring);
	else
		parq_tx_flush(q);
	parq_chan_txq_resume(q);
}

void parq_chan_rxq_restart(struct parq_rxq *q)
{
	struct parq_rx_ring *ring = parq_chan_rxq_alloc(q, q->port->rx_size);

	if (net_ratelimit())
		netdev_warn(q->port->netdev, "RX queue %u: reset\n", q->index);
	if (ring)
		parq_chan_rxq_swap(q, ring);
	else
		parq_chan_refused(q->port, true, q->index);
}
