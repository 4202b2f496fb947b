// SPDX-License-Identifier: GPL-2.0
/*
 * Channels: one RX queue and a TX queue for each priority.
 *
 * Life of a channel: alloc (memory), up (the device uses it), down, free. When
 * the user takes channels away, their TX queues may hold frames that are
 * legally paused: such a channel drains, unselected, until it is empty. Until
 * then the remaining queues of the same priority are held, so that no flow
 * overtakes itself. A removed queue is held as soon as the stack has no more
 * frames for it.
 */
#include <linux/dma-mapping.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/sch_generic.h>

#include "parq_chan.h"
#include "parq_io.h"
#include "parq_irq.h"
#include "parq_netdev.h"

/* A cache line for each head write-back: the device writes them often. */
#define PARQ_WB_STRIDE	64
#define PARQ_WB_SIZE	(PARQ_WB_STRIDE * PARQ_NUM_PRIO)

/* ---- Vectors ------------------------------------------------------------ */

static unsigned int parq_port_quota(const struct parq_port *port)
{
	return (port->pd->num_vecs - 1) / port->pd->caps.ports;
}

/* Channels of the port that have a vector for each of their queues. */
static unsigned int parq_port_rich(const struct parq_port *port)
{
	unsigned int chans = port->pd->caps.chans;
	unsigned int quota = parq_port_quota(port);

	if (quota <= chans)
		return 0;
	return min((quota - chans) / (PARQ_CHAN_VECS - 1), chans);
}

/* Return: RX and TX queues of some channels have a vector in common. */
bool parq_chans_share(const struct parq_port *port)
{
	return parq_port_rich(port) < port->pd->caps.chans;
}

/*
 * MSI-X vectors of a port: as many channels as possible have one for each
 * queue, the others one for all of theirs. With fewer vectors than channels
 * several channels, in the end those of several ports, share an interrupt.
 * Vector 0 is for events.
 */
static void parq_chan_vectors(struct parq_chan *chan, struct parq_port *port)
{
	unsigned int all = port->pd->num_vecs - 1;
	unsigned int chans = port->pd->caps.chans;
	unsigned int quota = parq_port_quota(port);
	unsigned int rich = parq_port_rich(port);
	unsigned int first, i;

	first = 1 + port->index * quota;
	if (chan->index < rich) {
		chan->num_vecs = PARQ_CHAN_VECS;
		first += chan->index * PARQ_CHAN_VECS;
	} else {
		chan->num_vecs = 1;
		if (quota >= chans)
			first += rich * (PARQ_CHAN_VECS - 1) + chan->index;
		else if (quota)
			first += chan->index % quota;
		else
			first = 1 + (port->index + chan->index) % all;
	}
	for (i = 0; i < chan->num_vecs; i++) {
		chan->vec[i].port = port;
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

static void parq_txq_init(struct parq_chan *chan, struct parq_port *port,
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

static void parq_rxq_init(struct parq_chan *chan, struct parq_port *port)
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

	parq_rx_forget(rxq);
	if (rxq->ring)
		parq_rx_ring_free(rxq, rxq->ring);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_txq *q = &chan->txq[i];

		if (!q->ring)
			continue;
		parq_tx_flush(q);
		parq_tx_ring_free(q->port, q->ring);
	}
}

static int parq_chan_rings_alloc(struct parq_chan *chan, struct parq_port *port)
{
	unsigned int i;

	chan->rxq.ring = parq_rx_ring_alloc(&chan->rxq, port->rx_size);
	if (!chan->rxq.ring || parq_rx_ring_fill(chan->rxq.ring))
		return -ENOMEM;
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_txq *q = &chan->txq[i];

		q->ring = parq_tx_ring_alloc(port, port->tx_size);
		if (!q->ring)
			return -ENOMEM;
		q->clean = q->ring;
	}
	return 0;
}

/* The stack's TX queues are stopped for good: no sender uses the channel. */
static void parq_chan_free(struct parq_port *port, unsigned int index)
{
	struct parq_chan *chan = port->chan[index];
	unsigned int i;

	port->chan[index] = NULL;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		WRITE_ONCE(port->txq[index * PARQ_NUM_PRIO + i], NULL);
	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_del(&chan->vec[i]);
	parq_chan_rings_free(chan);
	dma_free_coherent(port->pd->dev, PARQ_WB_SIZE, chan->wb, chan->wb_dma);
	kfree(chan);
}

/* The stack's TX queues stay stopped until parq_chan_wake(). */
static int parq_chan_alloc(struct parq_port *port, unsigned int index)
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
	parq_rxq_init(chan, port);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_txq_init(chan, port, i);
	parq_chan_link(chan);
	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_add(&chan->vec[i]);
	port->chan[index] = chan;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		port->txq[chan->txq[i].index] = &chan->txq[i];

	err = parq_chan_rings_alloc(chan, port);
	if (err)
		parq_chan_free(port, index);
	return err;
}

/* ---- Up and down -------------------------------------------------------- */

static void parq_chan_stop(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_io_txq_stop(&chan->txq[i]);
	parq_io_rxq_stop(&chan->rxq);
}

/* On hold, until it has buffers. */
static int parq_rxq_start(struct parq_rxq *q)
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
	err = parq_rxq_start(&chan->rxq);
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

static int parq_chan_up(struct parq_chan *chan)
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
	/* The first poll arms. */
	for (i = 0; i < chan->num_vecs; i++)
		parq_vec_kick(&chan->vec[i]);
	return 0;

vecs_down:
	while (i--)
		parq_vec_down(&chan->vec[i]);
	return err;
}

/* For one channel of a port that goes on. */
static void parq_chan_down(struct parq_chan *chan)
{
	parq_chan_stop(chan);
	parq_chan_vecs_down(chan);
}

/* Lets senders in. */
static void parq_chan_wake(struct parq_chan *chan)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		netif_tx_wake_queue(chan->txq[i].nq);
}

/* ---- All channels of a port --------------------------------------------- */

/**
 * parq_chans_open() - allocate what the selected channels need
 * @port: port that is down
 *
 * Return: 0 or -ENOMEM, nothing is allocated then.
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

/* Drops all frames; the device has let go of them. */
void parq_chans_close(struct parq_port *port)
{
	unsigned int i;

	netif_set_real_num_queues(port->netdev, port->num_chans * PARQ_NUM_PRIO,
				  port->num_chans);
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
 * parq_chans_wake() - let senders in
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

/* After PARQ_PORT_CTRL_EN was cleared, which has stopped all queues. */
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

/* Return: all that was sent has been completed. */
bool parq_chans_idle(const struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (port->txq[i] && !parq_tx_empty(port->txq[i]))
			return false;
	return true;
}

/* ---- Ring sizes --------------------------------------------------------- */

/*
 * The service work tries again, at its next regular turn. That is within a second on a
 * port that is up. No earlier, or a device that never takes the queue keeps it busy.
 */
static void parq_queue_refused(struct parq_port *port, bool rx,
			       unsigned int index)
{
	netdev_err(port->netdev, "%s queue %u: does not start\n",
		   rx ? "RX" : "TX", index);
	set_bit(index, rx ? port->stuck_rx : port->stuck_tx);
}

/* Receives what a queue on hold has completed. */
static void parq_rxq_drain(struct parq_rxq *q)
{
	u32 rounds = q->ring->mask + 1;

	/*
	 * napi_disable() waits for a poll that was scheduled, also on one processor and
	 * where a thread polls all the time, for which napi_synchronize() does not.
	 */
	do {
		parq_vec_kick(q->vec);
		napi_disable(&q->vec->napi);
		napi_enable(&q->vec->napi);
		/* data_race: an enabled NAPI may move on meanwhile, with one more round. */
	} while (data_race(parq_rx_pending(q)) && --rounds);
	/* An interrupt may have come while the NAPI was disabled. */
	parq_vec_kick(q->vec);
}

/* Frees a ring that was not put to use. */
static void parq_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	napi_disable(&q->vec->napi);
	parq_rx_ring_free(q, ring);
	napi_enable(&q->vec->napi);
	parq_vec_kick(q->vec);
}

/*
 * Puts a queue on another RX ring. Meanwhile frames wait in the device as long as its
 * receive buffer has room, and the device pauses the peer for lossless ones.
 */
static int parq_rxq_swap(struct parq_rxq *q, struct parq_rx_ring *next)
{
	struct parq_rx_ring *old = q->ring;
	int err;

	err = parq_io_rxq_hold(q);
	if (err) {
		/* It may still write to the old ring. */
		parq_queue_refused(q->port, true, q->index);
		parq_rxq_discard(q, next);
		return err;
	}
	parq_rxq_drain(q);
	parq_vec_pause(q->vec);
	parq_rx_forget(q);
	q->broken = false;
	q->ring = next;
	err = parq_rxq_start(q);
	if (err)
		parq_queue_refused(q->port, true, q->index);
	parq_rx_ring_free(q, old);
	/* Its positions begin anew, and may be what they were. */
	q->vec->watch_pending = false;
	napi_enable(&q->vec->napi);
	parq_vec_kick(q->vec);
	return err;
}

struct parq_new_rings {
	struct parq_tx_ring *tx[PARQ_MAX_TXQ];
	struct parq_rx_ring *rx[PARQ_MAX_CHANS];
};

/* Those that were not put to use. */
static void parq_new_rings_free(struct parq_port *port,
				struct parq_new_rings *new)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (new->tx[i])
			parq_tx_ring_free(port, new->tx[i]);
	for (i = 0; i < PARQ_MAX_CHANS; i++)
		if (new->rx[i])
			parq_rxq_discard(&port->chan[i]->rxq, new->rx[i]);
}

static int parq_new_rings_alloc(struct parq_port *port,
				struct parq_new_rings *new, u32 tx, u32 rx)
{
	unsigned int i;

	for (i = 0; i < port->num_chans * PARQ_NUM_PRIO; i++) {
		if (tx == port->tx_size)
			break;
		new->tx[i] = parq_tx_ring_alloc(port, tx);
		if (!new->tx[i])
			return -ENOMEM;
	}
	for (i = 0; i < port->num_chans; i++) {
		if (rx == port->rx_size)
			break;
		new->rx[i] = parq_rx_ring_alloc(&port->chan[i]->rxq, rx);
		if (!new->rx[i] || parq_rx_ring_fill(new->rx[i]))
			return -ENOMEM;
	}
	return 0;
}

/* Return: -EBUSY while an earlier change still waits for paused frames. */
static int parq_port_settled(struct parq_port *port,
			     struct netlink_ext_ack *extack)
{
	unsigned int i;
	bool busy;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		struct parq_txq *q = port->txq[i];

		if (!q)
			continue;
		/* Pairs with parq_tx_switch(): then the old one is retired. */
		busy = smp_load_acquire(&q->clean) != q->ring;
		if (busy || port->chan[i / PARQ_NUM_PRIO]->draining) {
			NL_SET_ERR_MSG_FMT_MOD(extack,
					       "TX queue %u still sends what an earlier change left",
					       i);
			return -EBUSY;
		}
		parq_tx_reap(q);
	}
	return 0;
}

static int parq_new_rings_swap(struct parq_port *port,
			       struct parq_new_rings *new)
{
	unsigned int i;
	int err, ret = 0;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (new->tx[i])
			parq_tx_replace(port->txq[i], new->tx[i]);
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		if (!new->rx[i])
			continue;
		err = parq_rxq_swap(&port->chan[i]->rxq, new->rx[i]);
		ret = ret ?: err;
	}
	return ret;
}

/**
 * parq_rings_set() - change the size of rings
 * @port: port
 * @tx: entries of a TX ring, a power of two within the limits
 * @rx: entries of an RX ring, likewise
 * @extack: why not
 *
 * On a port that is up no frame to send is lost or reordered, paused or not. Frames
 * that arrive meanwhile wait in the device.
 *
 * Context: under rtnl.
 * Return: 0; -EBUSY, an earlier change is not through; -ENOMEM. Nothing has
 * changed then. -ENODEV: the device is gone.
 */
int parq_rings_set(struct parq_port *port, u32 tx, u32 rx,
		   struct netlink_ext_ack *extack)
{
	struct parq_new_rings *new;
	int err;

	if (!parq_port_is_up(port)) {
		port->tx_size = tx;
		port->rx_size = rx;
		return 0;
	}
	err = parq_port_settled(port, extack);
	if (err)
		return err;
	new = kzalloc_obj(*new);
	if (!new)
		return -ENOMEM;
	err = parq_new_rings_alloc(port, new, tx, rx);
	if (err)
		goto free_rings;
	if (tx != port->tx_size) {
		port->pending = port->num_chans * tx;
		err = parq_pfc_resize(port);
		port->pending = 0;
		if (err)
			goto free_rings;
	}
	/* Nothing can fail any more, but for a device that dies. */
	port->tx_size = tx;
	port->rx_size = rx;
	err = parq_new_rings_swap(port, new);
	kfree(new);
	return err;

free_rings:
	parq_new_rings_free(port, new);
	kfree(new);
	return err;
}

/* ---- Number of channels ------------------------------------------------- */

/**
 * parq_rss_apply() - give the device the table and the key of the port
 * @port: port, up or down
 *
 * Flows move between queues. All frames that have arrived in the old ones are
 * received before the first one arrives in the new ones; until then they wait in the
 * device. So no flow overtakes itself.
 *
 * Context: under rtnl.
 */
void parq_rss_apply(struct parq_port *port)
{
	unsigned int i, num = 0;

	/* Channels that drain receive nothing any more. */
	while (num < PARQ_MAX_CHANS && port->chan[num] &&
	       !port->chan[num]->draining)
		num++;
	if (!parq_port_is_up(port))
		num = 0;
	for (i = 0; i < num; i++)
		parq_io_rxq_hold(&port->chan[i]->rxq);
	for (i = 0; i < num; i++)
		parq_rxq_drain(&port->chan[i]->rxq);
	parq_io_rss_set(port);
	for (i = 0; i < num; i++)
		if (parq_io_rxq_release(&port->chan[i]->rxq))
			parq_queue_refused(port, true, i);
}

static void parq_rss_default(struct parq_port *port)
{
	unsigned int i;

	if (netif_is_rxfh_configured(port->netdev))
		return;
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		port->rss_indir[i] = ethtool_rxfh_indir_default(i,
								port->num_chans);
	parq_rss_apply(port);
}

static int parq_chans_select(struct parq_port *port, unsigned int num)
{
	int err;

	err = netif_set_real_num_queues(port->netdev, num * PARQ_NUM_PRIO, num);
	if (err)
		return err;
	WRITE_ONCE(port->num_chans, num);
	parq_rss_default(port);
	return 0;
}

static int parq_chans_add(struct parq_port *port, unsigned int num)
{
	unsigned int was = port->num_chans, i;
	int err;

	port->pending = (num - was) * port->tx_size;
	err = parq_pfc_resize(port);
	port->pending = 0;
	if (err)
		return err;
	for (i = was; i < num; i++) {
		err = parq_chan_alloc(port, i);
		if (err)
			goto free;
		err = parq_chan_up(port->chan[i]);
		if (err) {
			parq_chan_free(port, i);
			goto free;
		}
	}
	err = parq_chans_select(port, num);
	if (err)
		goto free;
	for (i = was; i < num; i++)
		parq_chan_wake(port->chan[i]);
	return 0;

free:
	while (i-- > was) {
		parq_chan_down(port->chan[i]);
		parq_chan_free(port, i);
	}
	return err;
}

/* Return: frames wait in the stack for this queue. */
static bool parq_txq_backlog(const struct parq_txq *q)
{
	const struct Qdisc *qdisc = rtnl_dereference(q->nq->qdisc);

	/* One that serves other queues too says nothing of this one. */
	return (qdisc->flags & TCQ_F_ONETXQUEUE) && qdisc_qlen_sum(qdisc);
}

/*
 * Stops @queues, except removed ones that turn out to have a backlog. On return
 * no sender is in a held queue, and none enters before parq_chans_release().
 */
static void parq_chans_hold(struct parq_port *port, const unsigned long *queues)
{
	struct parq_txq *q;
	unsigned int i;

	for_each_set_bit(i, queues, PARQ_MAX_TXQ)
		WRITE_ONCE(port->txq[i]->held, true);
	/*
	 * A NAPI that has not seen @held may be about to wake a queue, and a sender
	 * may be about to send what was the last frame of the backlog.
	 */
	synchronize_net();
	for_each_set_bit(i, queues, PARQ_MAX_TXQ) {
		q = port->txq[i];
		if (q->draining && parq_txq_backlog(q)) {
			WRITE_ONCE(q->held, false);
			parq_tx_wake(q);
			continue;
		}
		__netif_tx_lock_bh(q->nq);
		netif_tx_stop_queue(q->nq);
		__netif_tx_unlock_bh(q->nq);
		txq_trans_cond_update(q->nq);
	}
}

/*
 * Stops removed queues as soon as they have no backlog. Senders that bypass the
 * qdisc could keep them full for ever.
 */
static void parq_chans_seal(struct parq_port *port)
{
	DECLARE_BITMAP(queues, PARQ_MAX_TXQ) = {};
	struct parq_txq *q;
	unsigned int i;

	for (i = port->num_chans * PARQ_NUM_PRIO; i < PARQ_MAX_TXQ; i++) {
		q = port->txq[i];
		if (q && !q->held && !parq_txq_backlog(q))
			__set_bit(i, queues);
	}
	if (!bitmap_empty(queues, PARQ_MAX_TXQ))
		parq_chans_hold(port, queues);
}

static void parq_chans_release(struct parq_port *port, unsigned int prio)
{
	unsigned int i;

	for (i = 0; i < port->num_chans; i++) {
		struct parq_txq *q = &port->chan[i]->txq[prio];

		if (!q->held)
			continue;
		WRITE_ONCE(q->held, false);
		parq_tx_wake(q);
	}
}

/* Return: priorities whose removed queues have sent all, BIT(priority). */
static u8 parq_chans_drained(const struct parq_port *port)
{
	const struct parq_txq *q;
	u8 prios = 0xff;
	unsigned int i;

	for (i = port->num_chans * PARQ_NUM_PRIO; i < PARQ_MAX_TXQ; i++) {
		q = port->txq[i];
		if (q && !(q->held && parq_tx_empty(q)))
			prios &= ~BIT(q->prio);
	}
	return prios;
}

/* Releases classes, and frees channels, that wait for nothing any more. */
static void parq_chans_reap(struct parq_port *port)
{
	unsigned long prios;
	unsigned int i;

	if (port->num_chans == PARQ_MAX_CHANS || !port->chan[port->num_chans])
		return;
	parq_chans_seal(port);
	prios = parq_chans_drained(port);
	for_each_set_bit(i, &prios, PARQ_NUM_PRIO)
		parq_chans_release(port, i);
	if (prios != 0xff)
		return;
	for (i = port->num_chans; i < PARQ_MAX_CHANS; i++)
		if (port->chan[i])
			parq_chan_down(port->chan[i]);
	/*
	 * Not before: this throws away what waits in the stack for TX queues that
	 * go, and RPS and generic XDP warn about a frame of an RX queue that went.
	 */
	netif_set_real_num_queues(port->netdev, port->num_chans * PARQ_NUM_PRIO,
				  port->num_chans);
	for (i = port->num_chans; i < PARQ_MAX_CHANS; i++)
		if (port->chan[i])
			parq_chan_free(port, i);
}

static void parq_chans_remove(struct parq_port *port, unsigned int num)
{
	unsigned int was = port->num_chans, i, prio;
	DECLARE_BITMAP(queues, PARQ_MAX_TXQ) = {};

	/* Before flows move to the queues that remain. */
	bitmap_set(queues, 0, num * PARQ_NUM_PRIO);
	parq_chans_hold(port, queues);
	WRITE_ONCE(port->num_chans, num);
	parq_rss_default(port);
	synchronize_net();
	for (i = num; i < was; i++) {
		port->chan[i]->draining = true;
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			WRITE_ONCE(port->chan[i]->txq[prio].draining, true);
		parq_io_rxq_stop(&port->chan[i]->rxq);
	}
	parq_chans_reap(port);
}

/**
 * parq_chans_set() - change the number of channels
 * @port: port
 * @num: channels, 1 to parq_caps.chans
 *
 * On a port that is up, other channels go on. Frames in removed TX queues are
 * sent, whenever their class may. Frames that arrive while flows move to other RX
 * queues wait in the device.
 *
 * Context: under rtnl.
 * Return: 0; -EBUSY, an earlier change is not through; -ENOMEM; -ENODEV.
 */
int parq_chans_set(struct parq_port *port, unsigned int num)
{
	int err;

	if (num == port->num_chans)
		return 0;
	if (!parq_port_is_up(port))
		return parq_chans_select(port, num);
	err = parq_port_settled(port, NULL);
	if (err)
		return err;
	if (num > port->num_chans)
		return parq_chans_add(port, num);
	parq_chans_remove(port, num);
	return 0;
}

/* ---- Service ------------------------------------------------------------ */

static void parq_txq_restart(struct parq_txq *q)
{
	int err;

	netdev_warn(q->port->netdev, "TX queue %u: reset\n", q->index);
	parq_vec_pause(q->vec);
	/* Not before: a completion could wake the queue again. */
	__netif_tx_lock_bh(q->nq);
	netif_tx_stop_queue(q->nq);
	__netif_tx_unlock_bh(q->nq);
	parq_io_txq_stop(q);
	parq_tx_flush(q);
	err = parq_io_txq_start(q);
	if (err)
		parq_queue_refused(q->port, false, q->index);
	napi_enable(&q->vec->napi);
	parq_vec_kick(q->vec);
	if (!err)
		parq_tx_wake(q);
}

static void parq_rxq_restart(struct parq_rxq *q)
{
	struct parq_rx_ring *ring = parq_rx_ring_alloc(q, q->port->rx_size);

	netdev_warn(q->port->netdev, "RX queue %u: reset\n", q->index);
	if (ring && !parq_rx_ring_fill(ring)) {
		parq_rxq_swap(q, ring);
		return;
	}
	if (ring)
		parq_rxq_discard(q, ring);
	parq_queue_refused(q->port, true, q->index);
}

/*
 * A held queue gets no frames, so the stack's watchdog would take it for dead. It
 * is alive as long as it is empty or completes what it has.
 */
static void parq_txq_feed_watchdog(struct parq_txq *q)
{
	u32 head = READ_ONCE(q->clean->head);

	if (q->held && (head != q->fed || parq_tx_empty(q)))
		txq_trans_cond_update(q->nq);
	q->fed = head;
}

/*
 * The register of a queue tells whether it has stopped. An event may be lost, or
 * late and about a queue that no longer exists. A register that does not say the same
 * twice is asked again at the next turn.
 */
static void parq_chans_find_stuck(struct parq_port *port)
{
	u32 lost = parq_io_events_lost(port->pd);
	bool all = lost != port->events_lost;
	unsigned int i;
	int stopped;
	bool look;

	port->events_lost = lost;
	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		look = test_and_clear_bit(i, port->queue_events) || all;
		if (!look || !port->txq[i])
			continue;
		stopped = parq_io_txq_stopped(port->txq[i]);
		if (stopped)
			set_bit(i, stopped > 0 ? port->stuck_tx : port->queue_events);
	}
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		look = test_and_clear_bit(PARQ_MAX_TXQ + i, port->queue_events);
		if (!(look || all) || !port->chan[i])
			continue;
		stopped = parq_io_rxq_stopped(&port->chan[i]->rxq);
		if (stopped > 0)
			set_bit(i, port->stuck_rx);
		else if (stopped)
			set_bit(PARQ_MAX_TXQ + i, port->queue_events);
	}
}

static void parq_chans_reset_stuck(struct parq_port *port)
{
	struct parq_txq *q;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		if (!test_and_clear_bit(i, port->stuck_tx))
			continue;
		q = port->txq[i];
		if (q)
			parq_txq_restart(q);
	}
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		if (!test_and_clear_bit(i, port->stuck_rx))
			continue;
		if (port->chan[i] && !port->chan[i]->draining)
			parq_rxq_restart(&port->chan[i]->rxq);
	}
}

/**
 * parq_chans_service() - what channels need from time to time
 * @port: port that is up
 *
 * Frees rings and channels that have become empty, polls queues that had no
 * memory or lost an interrupt, resets those that are stuck.
 *
 * Context: process, under rtnl.
 */
void parq_chans_service(struct parq_port *port)
{
	unsigned int i, n;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		if (!port->txq[i])
			continue;
		parq_tx_reap(port->txq[i]);
		parq_txq_feed_watchdog(port->txq[i]);
	}
	parq_chans_find_stuck(port);
	parq_chans_reset_stuck(port);
	parq_chans_reap(port);
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		struct parq_chan *chan = port->chan[i];

		if (!chan)
			continue;
		for (n = 0; n < chan->num_vecs; n++)
			parq_vec_watch(&chan->vec[n]);
		if (!READ_ONCE(chan->rxq.starved))
			continue;
		WRITE_ONCE(chan->rxq.starved, false);
		parq_vec_kick(chan->rxq.vec);
	}
}
