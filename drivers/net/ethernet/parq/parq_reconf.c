// SPDX-License-Identifier: GPL-2.0
/*
 * Reconfiguration of a port under traffic: size of rings, number of channels,
 * distribution over them.
 *
 * When a user removes channels, their TX queues may hold frames that are legally paused.
 * Such a channel drains: it gets no new flows, and lives on until it is empty. Until then
 * the remaining queues of the same priority are held, so that the frames of a flow stay in
 * order. A removed queue is held as soon as the stack has no more frames for it, or
 * parq_drain_over() says that this takes too long. When the channel goes, what the stack
 * still has for it is dropped and counted.
 */
#include <linux/ethtool.h>
#include <linux/iopoll.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/sch_generic.h>

#include "parq.h"
#include "parq_chan.h"
#include "parq_ets.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_tx.h"

/*
 * How long a change waits for the frames of an earlier one, and how often it looks. The ops
 * lock is held for that time; rtnl, too, if channels change.
 */
#define PARQ_RECONF_POLL_US	100
#define PARQ_RECONF_WAIT_US	100000
/* How long the stack may take to hand over the frames that are to be dropped. */
#define PARQ_RECONF_DISCARD_US	10000

/* ---- Ring sizes --------------------------------------------------------- */

struct parq_new_rings {
	struct parq_tx_ring *tx[PARQ_MAX_TXQ];
	struct parq_rx_ring *rx[PARQ_MAX_CHANS];
};

/* Frees rings that were never used. */
static void parq_new_rings_free(struct parq_port *port,
				struct parq_new_rings *new)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (new->tx[i])
			parq_ring_tx_free(port, new->tx[i]);
	for (i = 0; i < PARQ_MAX_CHANS; i++)
		if (new->rx[i])
			parq_chan_rxq_discard(&port->chan[i]->rxq, new->rx[i]);
}

static int parq_new_rings_alloc(struct parq_port *port,
				struct parq_new_rings *new, u32 tx, u32 rx)
{
	unsigned int i;

	for (i = 0; i < port->num_chans * PARQ_NUM_PRIO; i++) {
		if (tx == port->tx_size)
			break;
		new->tx[i] = parq_ring_tx_alloc(port->txq[i], tx);
		if (!new->tx[i])
			return -ENOMEM;
	}
	for (i = 0; i < port->num_chans; i++) {
		if (rx == port->rx_size)
			break;
		new->rx[i] = parq_chan_rxq_alloc(&port->chan[i]->rxq, rx);
		if (!new->rx[i])
			return -ENOMEM;
	}
	return 0;
}

/* Return: @q, which is removed, still has frames to send. */
static bool parq_reconf_has_frames(const struct parq_txq *q)
{
	return !(q->held && parq_tx_empty(q));
}

/*
 * Retires what is empty of an earlier change, but for channels.
 *
 * Return: the first TX queue that has frames of it to send, or -1.
 */
static int parq_reconf_unsettled(struct parq_port *port)
{
	int first = -1;
	unsigned int i;

	parq_reconf_advance(port);
	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		struct parq_txq *q = port->txq[i];

		if (!q)
			continue;
		/* Pairs with parq_tx_switch(): if equal, the old ring is retired. */
		if (smp_load_acquire(&q->clean) == q->ring) {
			parq_tx_reap(q);
			if (!q->draining || !parq_reconf_has_frames(q))
				continue;
		}
		/* Its interrupt may be moderated, or deferred. */
		parq_vec_kick(q->vec);
		if (first < 0)
			first = i;
	}
	return first;
}

/*
 * Waits for the frames of an earlier change. They leave in that time unless their class is
 * paused or its share is small.
 */
static int parq_reconf_settle(struct parq_port *port, const char *what,
			      struct netlink_ext_ack *extack)
{
	char reason[PARQ_REASON_LEN];
	int queue;

	if (!read_poll_timeout(parq_reconf_unsettled, queue, queue < 0,
			       PARQ_RECONF_POLL_US, PARQ_RECONF_WAIT_US, false, port))
		return 0;
	snprintf(reason, sizeof(reason),
		 "TX queue %d still sends frames of an earlier change", queue);
	return parq_refuse(port->netdev, extack, what, reason, -EBUSY);
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
		err = parq_chan_rxq_swap(&port->chan[i]->rxq, new->rx[i]);
		ret = ret ?: err;
	}
	return ret;
}

/**
 * parq_reconf_rings() - change the size of rings
 * @port: port
 * @tx: entries of a TX ring, a power of two within the limits
 * @rx: entries of an RX ring, a power of two within the limits
 * @extack: why not
 *
 * On a port that is up, no frame to be sent is lost or reordered, even if paused. Frames
 * that arrive until then wait in the device.
 *
 * Context: ops lock.
 * Return: 0; -EBUSY (frames of an earlier change are unsent after 100 ms) or -ENOMEM, and
 * nothing has changed; -ENODEV (the device is gone).
 */
int parq_reconf_rings(struct parq_port *port, u32 tx, u32 rx,
		      struct netlink_ext_ack *extack)
{
	struct parq_new_rings *new;
	int err;

	netdev_assert_locked_ops_compat(port->netdev);
	if (!parq_port_is_up(port)) {
		port->tx_size = tx;
		port->rx_size = rx;
		return 0;
	}
	if (tx != port->tx_size) {
		err = parq_reconf_settle(port, "rings", extack);
		if (err)
			return err;
	}
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
	/* From here on only a loss of the device can fail. */
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
 * parq_reconf_steer() - program what selects the queues of frames
 * @port: port, up or down
 * @set: function that programs it
 * @n: what: argument of @set
 *
 * Flows move between queues. Frames in the old queues are received before the first frame
 * arrives in the new ones; until then new frames wait in the device. So the frames of a
 * flow stay in order.
 *
 * Context: ops lock.
 */
void parq_reconf_steer(struct parq_port *port,
		       void (*set)(struct parq_port *port, unsigned int n), unsigned int n)
{
	unsigned int i, num = 0;

	netdev_assert_locked_ops_compat(port->netdev);
	/* Draining channels receive nothing any more. */
	while (num < PARQ_MAX_CHANS && port->chan[num] &&
	       !port->chan[num]->draining)
		num++;
	if (!parq_port_is_up(port))
		num = 0;
	for (i = 0; i < num; i++)
		parq_io_rxq_hold(&port->chan[i]->rxq);
	for (i = 0; i < num; i++)
		parq_chan_rxq_drain(&port->chan[i]->rxq);
	set(port, n);
	for (i = 0; i < num; i++)
		if (parq_io_rxq_release(&port->chan[i]->rxq))
			parq_chan_refused(port, true, i);
}

static void parq_reconf_rss_default(struct parq_port *port)
{
	if (netif_is_rxfh_configured(port->netdev))
		return;
	parq_rss_spread(&port->rss, port->num_chans);
	parq_reconf_steer(port, parq_io_rss_set, 0);
}

static int parq_reconf_select(struct parq_port *port, unsigned int num)
{
	int err;

	err = netif_set_real_num_queues(port->netdev, num * PARQ_NUM_PRIO, num);
	if (err)
		return err;
	WRITE_ONCE(port->num_chans, num);
	parq_reconf_rss_default(port);
	return 0;
}

static int parq_reconf_add(struct parq_port *port, unsigned int num)
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
	err = parq_reconf_select(port, num);
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

/* Return: frames that wait in the stack for this queue; their bytes in @bytes. */
static u32 parq_reconf_backlog(const struct parq_txq *q, u32 *bytes)
{
	struct Qdisc *qdisc = netdev_ops_lock_dereference(q->nq->qdisc, q->port->netdev);
	u32 frames = 0;

	*bytes = 0;
	/* The backlog of a shared qdisc says nothing about a single queue. */
	if (qdisc->flags & TCQ_F_ONETXQUEUE)
		qdisc_qstats_qlen_backlog(qdisc, &frames, bytes);
	return frames;
}

/* Return: the stack has frames for a removed queue, which may send them. */
static bool parq_reconf_open(struct parq_txq *q, u8 stopped)
{
	struct parq_drain_look now = {
		.queued = parq_tx_queued(q),
		.at = jiffies,
		.paused = stopped & BIT(q->prio) || parq_pfc_paused(q->port, q->prio),
		.empty = parq_tx_empty(q),
	};

	return parq_reconf_backlog(q, &now.bytes) && !parq_drain_over(&q->drain, &now);
}

/*
 * Stops @queues. On return no sender is in one of them, and none enters before
 * parq_reconf_release().
 */
static void parq_reconf_hold(struct parq_port *port, const unsigned long *queues)
{
	struct parq_txq *q;
	unsigned int i;

	if (bitmap_empty(queues, PARQ_MAX_TXQ))
		return;
	for_each_set_bit(i, queues, PARQ_MAX_TXQ)
		WRITE_ONCE(port->txq[i]->held, true);
	/* A NAPI that has not seen @held may be about to wake a queue. */
	synchronize_net();
	for_each_set_bit(i, queues, PARQ_MAX_TXQ) {
		q = port->txq[i];
		__netif_tx_lock_bh(q->nq);
		netif_tx_stop_queue(q->nq);
		__netif_tx_unlock_bh(q->nq);
		txq_trans_cond_update(q->nq);
	}
}

static void parq_reconf_release(struct parq_txq *q)
{
	WRITE_ONCE(q->held, false);
	parq_tx_wake(q);
}

static void parq_reconf_release_prio(struct parq_port *port, unsigned int prio)
{
	unsigned int i;

	for (i = 0; i < port->num_chans; i++)
		if (port->chan[i]->txq[prio].held)
			parq_reconf_release(&port->chan[i]->txq[prio]);
}

/*
 * Stops removed queues that need no longer be open. Otherwise senders that bypass the qdisc
 * could keep them full forever.
 */
static void parq_reconf_seal(struct parq_port *port)
{
	DECLARE_BITMAP(queues, PARQ_MAX_TXQ) = {};
	u8 stopped = parq_pause_stopped(port);
	bool open = false;
	struct parq_txq *q;
	unsigned int i;

	for (i = port->num_chans * PARQ_NUM_PRIO; i < PARQ_MAX_TXQ; i++) {
		q = port->txq[i];
		if (!q || q->held)
			continue;
		if (parq_reconf_open(q, stopped))
			open = true;
		else
			__set_bit(i, queues);
	}
	parq_reconf_hold(port, queues);
	for_each_set_bit(i, queues, PARQ_MAX_TXQ) {
		/* A sender was about to send the last frame of the backlog. */
		if (!parq_reconf_open(port->txq[i], stopped))
			continue;
		parq_reconf_release(port->txq[i]);
		open = true;
	}
	if (open)
		parq_kick_service(port, PARQ_DRAIN_LOOK_MS);
}

/* Return: priorities whose removed queues are empty, BIT(priority). */
static u8 parq_reconf_empty_prios(const struct parq_port *port)
{
	const struct parq_txq *q;
	u8 prios = 0xff;
	unsigned int i;

	for (i = port->num_chans * PARQ_NUM_PRIO; i < PARQ_MAX_TXQ; i++) {
		q = port->txq[i];
		if (q && parq_reconf_has_frames(q))
			prios &= ~BIT(q->prio);
	}
	return prios;
}

/* Return: the stack has frames for one of @queues. */
static bool parq_reconf_backlogs(const struct parq_port *port,
				 const unsigned long *queues)
{
	unsigned int i;
	u32 bytes;

	for_each_set_bit(i, queues, PARQ_MAX_TXQ)
		if (parq_reconf_backlog(port->txq[i], &bytes))
			return true;
	return false;
}

/*
 * Takes removed queues away from the stack. The frames that it still has for them are dropped
 * and counted here, because the stack does not count what it drops: the queues accept and drop
 * until the stack no longer chooses them. What a qdisc keeps back is counted as of the moment
 * before that. On return no sender is in one of them.
 */
static void parq_reconf_discard(struct parq_port *port)
{
	unsigned int num = port->num_chans * PARQ_NUM_PRIO, i;
	DECLARE_BITMAP(queues, PARQ_MAX_TXQ) = {};
	DECLARE_BITMAP(kept, PARQ_MAX_TXQ) = {};
	bool left;
	u32 bytes;

	for (i = num; i < PARQ_MAX_TXQ; i++) {
		if (!port->txq[i])
			continue;
		__set_bit(i, queues);
		parq_tx_close(port->txq[i]);
		parq_reconf_release(port->txq[i]);
	}
	read_poll_timeout(parq_reconf_backlogs, left, !left, PARQ_RECONF_POLL_US,
			  PARQ_RECONF_DISCARD_US, false, port, queues);
	for_each_set_bit(i, queues, PARQ_MAX_TXQ)
		if (parq_reconf_backlog(port->txq[i], &bytes))
			__set_bit(i, kept);
	/* The driver gets none of what a qdisc keeps back, and counts no frame twice. */
	parq_reconf_hold(port, kept);
	for_each_set_bit(i, kept, PARQ_MAX_TXQ) {
		struct parq_txq *q = port->txq[i];

		__netif_tx_lock_bh(q->nq);
		parq_tx_count(q, &q->stats->dropped, parq_reconf_backlog(q, &bytes));
		__netif_tx_unlock_bh(q->nq);
	}
	netif_set_real_num_tx_queues(port->netdev, num);
	parq_reconf_hold(port, queues);
}

static void parq_reconf_free(struct parq_port *port)
{
	unsigned int i;

	parq_reconf_discard(port);
	for (i = port->num_chans; i < PARQ_MAX_CHANS; i++)
		if (port->chan[i])
			parq_chan_down(port->chan[i]);
	/* Only now: RPS and generic XDP warn about a frame of an RX queue that is gone. */
	netif_set_real_num_rx_queues(port->netdev, port->num_chans);
	for (i = port->num_chans; i < PARQ_MAX_CHANS; i++)
		if (port->chan[i])
			parq_chan_free(port, i);
}

/**
 * parq_reconf_removes() - tell whether removed channels are left
 * @port: port
 *
 * Context: any; true is certain under the ops lock only.
 * Return: true until parq_reconf_reap() has freed them, and the stack knows their queues no more.
 */
bool parq_reconf_removes(const struct parq_port *port)
{
	return READ_ONCE(port->netdev->real_num_rx_queues) > READ_ONCE(port->num_chans);
}

/**
 * parq_reconf_advance() - advance a removal of channels
 * @port: port
 *
 * Stops removed queues for which the stack has no more frames, and releases the priorities
 * whose removed queues are empty.
 *
 * Context: ops lock.
 * Return: true if all removed channels are empty.
 */
bool parq_reconf_advance(struct parq_port *port)
{
	unsigned long prios;
	unsigned int i;

	netdev_assert_locked_ops_compat(port->netdev);
	if (!parq_reconf_removes(port))
		return true;
	parq_reconf_seal(port);
	prios = parq_reconf_empty_prios(port);
	for_each_set_bit(i, &prios, PARQ_NUM_PRIO)
		parq_reconf_release_prio(port, i);
	return prios == 0xff;
}

/**
 * parq_reconf_reap() - advance a removal of channels, and free those that are empty
 * @port: port
 *
 * Context: rtnl and ops lock.
 */
void parq_reconf_reap(struct parq_port *port)
{
	ASSERT_RTNL();
	if (parq_reconf_advance(port) && parq_reconf_removes(port))
		parq_reconf_free(port);
}

/* No sender is in @q, and none that knows of the removal will choose it. */
static void parq_reconf_drain_start(struct parq_txq *q)
{
	WRITE_ONCE(q->draining, true);
	q->drain = (struct parq_drain) {
		.queued = parq_tx_queued(q),
		.at = jiffies,
	};
	if (parq_reconf_backlog(q, &q->drain.bytes))
		parq_reconf_release(q);
}

static void parq_reconf_remove(struct parq_port *port, unsigned int num)
{
	unsigned int was = port->num_chans, i, prio;
	DECLARE_BITMAP(queues, PARQ_MAX_TXQ) = {};

	/* Before flows move to the remaining queues. */
	bitmap_set(queues, 0, was * PARQ_NUM_PRIO);
	parq_reconf_hold(port, queues);
	WRITE_ONCE(port->num_chans, num);
	parq_reconf_rss_default(port);
	/* Senders have chosen by the new number, or their frames are in a qdisc or a ring. */
	synchronize_net();
	for (i = num; i < was; i++) {
		port->chan[i]->draining = true;
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			parq_reconf_drain_start(&port->chan[i]->txq[prio]);
		parq_io_rxq_stop(&port->chan[i]->rxq);
	}
	parq_reconf_reap(port);
}

/**
 * parq_reconf_chans() - change the number of channels
 * @port: port
 * @num: channels, 1 to parq_caps.chans
 *
 * On a port that is up, the other channels continue. Frames in removed TX queues are sent
 * as soon as their class may send. Frames that arrive while flows move to other RX queues
 * wait in the device.
 *
 * Context: rtnl and ops lock.
 * Return: 0; -EBUSY (frames of an earlier change are unsent after 100 ms); -ENOMEM; -ENODEV.
 */
int parq_reconf_chans(struct parq_port *port, unsigned int num)
{
	int err;

	ASSERT_RTNL();
	netdev_assert_locked_ops_compat(port->netdev);
	if (num == port->num_chans)
		return 0;
	if (!parq_port_is_up(port))
		return parq_reconf_select(port, num);
	err = parq_reconf_settle(port, "channels", NULL);
	if (err)
		return err;
	parq_reconf_reap(port);
	if (num > port->num_chans)
		return parq_reconf_add(port, num);
	parq_reconf_remove(port, num);
	return 0;
}
