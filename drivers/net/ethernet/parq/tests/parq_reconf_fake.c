// SPDX-License-Identifier: GPL-2.0
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/slab.h>

#include "../parq_chan.h"
#include "../parq_io.h"
#include "../parq_tx.h"
#include "parq_reconf_calls.h"
#include "parq_reconf_fake.h"

struct weir *weir;

static int weir_call(const char *name, unsigned int num)
{
	return parq_call_log_addf(&weir->log, " ", "%s%u", name, num);
}

u64 weir_held(void)
{
	u64 queues = 0;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (weir->port->txq[i] && weir->port->txq[i]->held)
			queues |= BIT_ULL(i);
	return queues;
}

u64 weir_stops(void)
{
	u64 queues = 0;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (__netif_subqueue_stopped(weir->port->netdev, i))
			queues |= BIT_ULL(i);
	return queues;
}

/* The stack has @frames for a TX queue, of 100 bytes each. */
void weir_backlog(unsigned int queue, u32 frames)
{
	weir->qdisc[queue].q.qlen = frames;
	weir->qdisc[queue].qstats.backlog = 100 * frames;
}

void weir_nap(void)
{
	unsigned int i;

	fsleep(100);
	if (!weir->naps || --weir->naps)
		return;
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		weir_backlog(i, 0);
}

void weir_synchronize(void)
{
	unsigned int i;

	if (weir->synced < ARRAY_SIZE(weir->held)) {
		weir->held[weir->synced] = weir_held();
		weir->stops[weir->synced] = weir_stops();
	}
	weir_call("sync", ++weir->synced);
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (weir->late & BIT_ULL(i))
			weir_backlog(i, 1);
}

int weir_tx_queues(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		weir->dropped += u64_stats_read(&weir->port->tx_stats[i].dropped);
	weir->port->netdev->real_num_tx_queues = num;
	return weir_call("tx", num);
}

int weir_rx_queues(unsigned int num)
{
	weir->port->netdev->real_num_rx_queues = num;
	return weir_call("rx", num);
}

int weir_queues(unsigned int tx, unsigned int rx)
{
	int err = weir_call("tx", tx) ?: weir_call("rx", rx);

	if (err)
		return err;
	weir->port->netdev->real_num_tx_queues = tx;
	weir->port->netdev->real_num_rx_queues = rx;
	return 0;
}

bool weir_configured(void)
{
	return weir->configured;
}

void weir_kick_service(unsigned long after)
{
	weir->service = after;
}

static void *weir_ring(size_t size)
{
	if (!weir->memory)
		return NULL;
	weir->memory--;
	weir->rings++;
	return kzalloc(size, GFP_KERNEL);
}

struct parq_tx_ring *parq_ring_tx_alloc(const struct parq_txq *q, u32 size)
{
	struct parq_tx_ring *ring = weir_ring(sizeof(*ring));

	if (ring)
		ring->mask = size - 1;
	return ring;
}

void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring)
{
	weir->rings--;
	kfree(ring);
}

struct parq_rx_ring *parq_chan_rxq_alloc(struct parq_rxq *q, u32 size)
{
	struct parq_rx_ring *ring = weir_ring(sizeof(*ring));

	if (ring)
		ring->mask = size - 1;
	return ring;
}

void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	weir->rings--;
	kfree(ring);
}

/* As of the port's new size. */
void parq_tx_replace(struct parq_txq *q, struct parq_tx_ring *next)
{
	if (next->mask == weir->port->tx_size - 1)
		weir->replaced |= BIT_ULL(q->index);
	parq_ring_tx_free(q->port, next);
}

int parq_chan_rxq_swap(struct parq_rxq *q, struct parq_rx_ring *next)
{
	bool right = next->mask == weir->port->rx_size - 1;

	parq_chan_rxq_discard(q, next);
	return weir_call(right ? "swap" : "mix", q->index);
}

bool parq_tx_empty(const struct parq_txq *q)
{
	return !(weir->busy & BIT_ULL(q->index));
}

void parq_tx_reap(struct parq_txq *q)
{
	weir->reaped |= BIT_ULL(q->index);
}

bool parq_tx_wake(struct parq_txq *q)
{
	if (q->held)
		return false;
	weir->woken |= BIT_ULL(q->index);
	netif_tx_start_queue(q->nq);
	return true;
}

void parq_tx_close(struct parq_txq *q)
{
	if (q->held)
		weir->closed |= BIT_ULL(q->index);
}

void parq_vec_kick(struct parq_vec *vec)
{
	unsigned int i;

	weir->kicks++;
	if (!weir->patience || --weir->patience)
		return;
	weir->busy = 0;
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (weir->port->txq[i])
			weir->port->txq[i]->clean = weir->port->txq[i]->ring;
}

bool parq_drain_over(struct parq_drain *d, const struct parq_drain_look *now)
{
	weir->look = *now;
	return weir->over & BIT_ULL(container_of(d, struct parq_txq, drain)->index);
}

u8 parq_pause_stopped(struct parq_port *port)
{
	return weir->stopped;
}

bool parq_pfc_paused(const struct parq_port *port, unsigned int prio)
{
	return weir->paused & BIT(prio);
}

int parq_pfc_resize(struct parq_port *port)
{
	weir->pending = port->pending;
	return parq_call_log_add(&weir->log, " ", "resize");
}

int parq_io_rxq_hold(struct parq_rxq *q)
{
	return weir_call("hold", q->index);
}

void parq_chan_rxq_drain(struct parq_rxq *q)
{
	weir_call("drain", q->index);
}

int parq_io_rxq_release(struct parq_rxq *q)
{
	return weir_call("release", q->index);
}

void parq_io_rxq_stop(struct parq_rxq *q)
{
	weir_call("stop", q->index);
}

void parq_chan_refused(struct parq_port *port, bool rx, unsigned int index)
{
	weir_call(rx ? "refused" : "refused-tx", index);
}

void parq_io_rss_set(struct parq_port *port, unsigned int ctx)
{
	weir_call("rss", ctx);
}

void weir_chan(struct parq_port *port, unsigned int index)
{
	struct parq_chan *chan = &weir->chans[index];
	unsigned int i;

	memset(chan, 0, sizeof(*chan));
	port->chan[index] = chan;
	chan->index = index;
	chan->rxq.index = index;
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct parq_txq *q = &chan->txq[i];

		port->txq[8 * index + i] = q;
		q->prio = i;
		q->index = 8 * index + i;
		q->port = port;
		q->vec = &chan->vec[0];
		q->stats = &port->tx_stats[q->index];
		q->nq = netdev_get_tx_queue(port->netdev, q->index);
		weir->qdisc[q->index].flags = TCQ_F_ONETXQUEUE;
		RCU_INIT_POINTER(q->nq->qdisc, &weir->qdisc[q->index]);
	}
}

int parq_chan_alloc(struct parq_port *port, unsigned int index)
{
	if (weir_call("alloc", index))
		return -ENOMEM;
	weir_chan(port, index);
	return 0;
}

int parq_chan_up(struct parq_chan *chan)
{
	return weir_call("up", chan->index);
}

void parq_chan_wake(struct parq_chan *chan)
{
	weir_call("wake", chan->index);
}

void parq_chan_down(struct parq_chan *chan)
{
	weir_call("down", chan->index);
}

void parq_chan_free(struct parq_port *port, unsigned int index)
{
	weir_call("free", index);
	memset(port->txq + 8 * index, 0, PARQ_NUM_PRIO * sizeof(port->txq[0]));
	port->chan[index] = NULL;
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	weir->what = what;
	strscpy(weir->reason, reason, sizeof(weir->reason));
	weir->extack = extack;
	return err;
}
