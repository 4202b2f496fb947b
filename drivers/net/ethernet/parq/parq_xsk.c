// SPDX-License-Identifier: GPL-2.0
/*
 * AF_XDP without copies: pools of chunks come and go.
 *
 * A pool belongs to a channel. Its RX queue gets a ring with the pool's chunks, and back one with
 * pages, while frames wait in the device. Its TX queues remain those of the stack. When a pool
 * goes, frames of its sockets that are still paused are dropped, and those of others keep their
 * order.
 */
#include <linux/iopoll.h>
#include <linux/slab.h>

#include "parq_chan.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_tx.h"
#include "parq_xsk.h"

/*
 * How long a removal waits for frames. It is more than they need unless they are paused, or the
 * first of them waits for its launch time.
 */
#define PARQ_XSK_POLL_US	100
#define PARQ_XSK_WAIT_US	10000
/* The same if neither is so, but their priority has little or no share of the wire. */
#define PARQ_XSK_LONG_US	1000000

/* ---- Checks ------------------------------------------------------------- */

static bool parq_xsk_frame_fits(const struct parq_xsk *x, unsigned int mtu,
				char *reason)
{
	if (mtu + ETH_HLEN + 2 * VLAN_HLEN <= x->frame)
		return true;
	snprintf(reason, PARQ_REASON_LEN,
		 "chunks of %u bytes at channel %u allow an MTU of %u",
		 x->pool->chunk_size, (u8)x->chan,
		 x->frame - ETH_HLEN - 2 * VLAN_HLEN);
	return false;
}

/**
 * parq_xsk_mtu_fits() - check an MTU against the chunks of sockets
 * @port: port
 * @mtu: MTU
 * @reason: why not, of PARQ_REASON_LEN
 *
 * Context: ops lock.
 * Return: false if sockets have no room for the largest frames.
 */
bool parq_xsk_mtu_fits(const struct parq_port *port, unsigned int mtu,
		       char *reason)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		const struct parq_xsk *x = parq_xsk_of(port, i);

		if (x && !parq_xsk_frame_fits(x, mtu, reason))
			return false;
	}
	return true;
}

/* The pool is mapped. */
static int parq_xsk_check(struct parq_xsk *x, char *reason)
{
	u32 size = xsk_pool_get_rx_frame_size(x->pool);

	/* The pool's own headroom may leave nothing. */
	if (size < PARQ_RXQ_BUF_MIN || size > x->pool->chunk_size) {
		snprintf(reason, PARQ_REASON_LEN,
			 "chunks of %u bytes with %u of headroom cannot hold %u",
			 x->pool->chunk_size, x->pool->headroom, PARQ_RXQ_BUF_MIN);
		return -EINVAL;
	}
	x->buf = min_t(u32, round_down(size, 64), PARQ_RXQ_BUF_MAX);
	x->frame = x->buf;
	if (parq_compat_xsk_frags(x->pool))
		x->frame *= PARQ_XSK_SEGS;
	return parq_xsk_frame_fits(x, x->port->netdev->mtu, reason) ? 0 : -EINVAL;
}

/* ---- A pool comes ------------------------------------------------------- */

static int parq_xsk_reg(struct parq_xsk *x)
{
	int err;

	err = __xdp_rxq_info_reg(&x->rxq, x->port->netdev, x->chan, 0,
				 parq_compat_xsk_frag_step(x->pool));
	if (err)
		return err;
	err = xdp_rxq_info_reg_mem_model(&x->rxq, MEM_TYPE_XSK_BUFF_POOL, NULL);
	if (err) {
		xdp_rxq_info_unreg(&x->rxq);
		return err;
	}
	xsk_pool_set_rxq_info(x->pool, &x->rxq);
	return 0;
}

static void parq_xsk_free(struct parq_xsk *x)
{
	if (xdp_rxq_info_is_reg(&x->rxq))
		xdp_rxq_info_unreg(&x->rxq);
	if (x->pool->dma_pages)
		xsk_pool_dma_unmap(x->pool, 0);
	kvfree(x);
}

static struct parq_xsk *parq_xsk_alloc(struct parq_port *port, unsigned int chan,
				       struct xsk_buff_pool *pool, char *reason)
{
	struct parq_xsk *x = kvzalloc(sizeof(*x), GFP_KERNEL);
	int err;

	if (!x)
		return ERR_PTR(-ENOMEM);
	x->pool = pool;
	x->port = port;
	x->chan = chan;
	spin_lock_init(&x->lock);
	err = xsk_pool_dma_map(pool, port->pd->dev, 0);
	if (!err)
		err = parq_xsk_check(x, reason);
	if (!err)
		err = parq_xsk_reg(x);
	if (err) {
		parq_xsk_free(x);
		return ERR_PTR(err);
	}
	return x;
}

/* Gives the RX queue a ring of the kind that it needs now. */
static int parq_xsk_swap(struct parq_port *port, unsigned int chan)
{
	struct parq_rxq *q = &port->chan[chan]->rxq;
	struct parq_rx_ring *ring;
	int err;

	ring = parq_chan_rxq_alloc(q, port->rx_size);
	if (!ring)
		return -ENOMEM;
	err = parq_chan_rxq_swap(q, ring);
	/* If the device has refused to start it, the service work tries again. */
	return q->ring == ring ? 0 : err;
}

static int parq_xsk_enable(struct parq_port *port, struct xsk_buff_pool *pool,
			   unsigned int chan)
{
	struct net_device *dev = port->netdev;
	char reason[PARQ_REASON_LEN] = "";
	struct parq_xsk *x;
	int err;

	if (chan >= port->num_chans) {
		snprintf(reason, sizeof(reason), "there are channels 0 to %u, not %u",
			 port->num_chans - 1, chan);
		return parq_refuse(dev, NULL, "AF_XDP", reason, -EINVAL);
	}
	if (port->xsk[chan])
		return -EBUSY;
	x = parq_xsk_alloc(port, chan, pool, reason);
	if (IS_ERR(x))
		return parq_refuse(dev, NULL, "AF_XDP", reason, PTR_ERR(x));
	set_bit(PARQ_PORT_LAUNCHES, &port->flags);
	WRITE_ONCE(port->xsk[chan], x);
	/* Before frames arrive in chunks. */
	netdev_update_features(dev);
	err = parq_port_is_up(port) ? parq_xsk_swap(port, chan) : 0;
	if (!err)
		return 0;
	WRITE_ONCE(port->xsk[chan], NULL);
	netdev_update_features(dev);
	synchronize_net();
	parq_xsk_free(x);
	return parq_refuse(dev, NULL, "AF_XDP", reason, err);
}

/* ---- A pool goes -------------------------------------------------------- */

static bool parq_xsk_ring_waits(const struct parq_tx_ring *ring)
{
	u32 pos = READ_ONCE(ring->head), tail = READ_ONCE(ring->tail);
	const struct parq_tx_buf *buf;

	for (; pos != tail; pos += buf->ndesc) {
		buf = &ring->buf[pos & ring->mask];
		if (parq_tx_is_xsk(buf))
			return true;
	}
	return false;
}

/*
 * Return: AF_XDP sockets have frames in a TX queue to which none adds frames. While the NAPI runs,
 * true may be late. Context: process, ops lock.
 */
static bool parq_xsk_waits(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring;
	bool waits;

	__netif_tx_lock_bh(q->nq);
	/* Pairs with parq_tx_switch(). */
	ring = smp_load_acquire(&q->clean);
	waits = parq_xsk_ring_waits(ring) ||
		(ring != q->ring && parq_xsk_ring_waits(q->ring));
	__netif_tx_unlock_bh(q->nq);
	return waits;
}

/* Return: priorities whose TX queues have frames of sockets, BIT(priority). */
static u8 parq_xsk_prios(struct parq_port *port, unsigned int chan)
{
	u8 prios = 0;
	unsigned int i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (parq_xsk_waits(&port->chan[chan]->txq[i]))
			prios |= BIT(i);
	return prios;
}

/* Return: no frame of the sockets is in a TX queue. */
static bool parq_xsk_complete(struct parq_xsk *x)
{
	bool complete;

	spin_lock_bh(&x->lock);
	complete = x->done == x->slot;
	spin_unlock_bh(&x->lock);
	return complete;
}

/**
 * struct parq_xsk_wait - a removal that waits for frames
 * @x: pool
 * @look: when to look next at queues that have frames of its sockets
 * @pos: completed positions of the channel's TX queues at the last look
 */
struct parq_xsk_wait {
	struct parq_xsk *x;
	ktime_t look;
	u32 pos[PARQ_NUM_PRIO];
};

/* Return: the priority's TX queue sends nothing, because of a pause or a launch time. */
static bool parq_xsk_rests(struct parq_xsk_wait *w, unsigned int prio)
{
	struct parq_port *port = w->x->port;
	const struct parq_txq *q = &port->chan[w->x->chan]->txq[prio];
	u32 was = w->pos[prio];

	w->pos[prio] = parq_tx_pos(q);
	return parq_pfc_paused(port, prio) || (w->pos[prio] == was && parq_tx_launches(q));
}

static void parq_xsk_wait_begin(struct parq_xsk_wait *w, struct parq_xsk *x)
{
	unsigned int i;

	w->x = x;
	w->look = ktime_add_us(ktime_get(), PARQ_XSK_WAIT_US);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		w->pos[i] = parq_tx_pos(&x->port->chan[x->chan]->txq[i]);
}

/* Return: nothing to wait for. */
static bool parq_xsk_settled(struct parq_xsk_wait *w)
{
	struct parq_port *port = w->x->port;
	bool settled = true;
	unsigned long prios;
	unsigned int i;

	if (parq_xsk_complete(w->x))
		return true;
	parq_chan_kick(port->chan[w->x->chan]);
	if (ktime_before(ktime_get(), w->look))
		return false;
	w->look = ktime_add_us(ktime_get(), PARQ_XSK_WAIT_US);
	prios = parq_xsk_prios(port, w->x->chan) & ~parq_pause_stopped(port);
	for_each_set_bit(i, &prios, PARQ_NUM_PRIO)
		settled &= parq_xsk_rests(w, i);
	return settled;
}

/*
 * Takes the frames of sockets out of the TX queues. A frame that is on the wire while its queue is
 * reset would be sent twice, so this waits as long as the priority may send, unless its first frame
 * has a launch time that has not come.
 */
static void parq_xsk_purge(struct parq_port *port, struct parq_xsk *x)
{
	struct parq_xsk_wait w;
	unsigned long prios;
	unsigned int i;
	bool settled;

	parq_xsk_wait_begin(&w, x);
	read_poll_timeout(parq_xsk_settled, settled, settled, PARQ_XSK_POLL_US,
			  PARQ_XSK_LONG_US, false, &w);
	/* The cleaner may not have come to move the queue's head. */
	if (parq_xsk_complete(x))
		return;
	prios = parq_xsk_prios(port, x->chan);
	for_each_set_bit(i, &prios, PARQ_NUM_PRIO)
		parq_chan_txq_purge(&port->chan[x->chan]->txq[i]);
}

/* Descriptors that were taken from sockets, but not sent. */
static void parq_xsk_drop_rest(struct parq_port *port, struct parq_xsk *x)
{
	struct parq_tx_stats *stats = &port->tx_stats[x->chan * PARQ_NUM_PRIO];
	struct netdev_queue *nq;

	nq = netdev_get_tx_queue(port->netdev, x->chan * PARQ_NUM_PRIO);
	__netif_tx_lock_bh(nq);
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_add(&stats->dropped, x->num - x->first);
	u64_stats_update_end(&stats->xmit_sync);
	__netif_tx_unlock_bh(nq);
	parq_xsk_done_begin(x);
	parq_xsk_done(x, x->slot, x->num - x->first);
	parq_xsk_done_end(x);
}

/* Cannot fail: the memory goes in any case. */
static int parq_xsk_disable(struct parq_port *port, unsigned int chan)
{
	struct parq_xsk *x;

	if (chan >= PARQ_MAX_CHANS || !port->xsk[chan])
		return 0;
	x = port->xsk[chan];
	x->closing = true;
	if (port->chan[chan]) {
		if (parq_xsk_swap(port, chan))
			parq_chan_rxq_strip(&port->chan[chan]->rxq);
		parq_xsk_purge(port, x);
	}
	parq_xsk_drop_rest(port, x);
	WRITE_ONCE(port->xsk[chan], NULL);
	/* Cleaners may be about to read the pointer. */
	synchronize_net();
	netdev_update_features(port->netdev);
	parq_xsk_free(x);
	return 0;
}

/**
 * parq_xsk_setup() - bind a pool to a channel, or unbind it
 * @dev: netdev
 * @pool: pool; NULL to unbind
 * @chan: channel
 *
 * Nothing is lost of what other queues receive or send.
 *
 * Context: rtnl and ops lock.
 * Return: 0 or an error, and nothing has changed.
 */
int parq_xsk_setup(struct net_device *dev, struct xsk_buff_pool *pool,
		   unsigned int chan)
{
	struct parq_port *port = netdev_priv(dev);

	netdev_assert_locked_ops_compat(dev);
	return pool ? parq_xsk_enable(port, pool, chan) :
		      parq_xsk_disable(port, chan);
}
