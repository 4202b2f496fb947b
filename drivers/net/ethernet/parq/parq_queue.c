// SPDX-License-Identifier: GPL-2.0
/*
 * The stack's queue management: it replaces the memory of one RX queue while the others
 * continue. Everything here runs under the ops lock.
 *
 * Between stop and start frames wait in the device as long as its receive buffer has room. For
 * lossless priorities the device pauses the peer.
 */
#include "parq_chan.h"
#include "parq_port.h"

#ifdef PARQ_HAVE_OPS_LOCK
#include <linux/module.h>
#include <net/netdev_rx_queue.h>

/**
 * struct parq_queue_mem - memory of an RX queue, as the stack holds it
 * @q: the queue
 * @ring: a ring that the device does not use, NULL for none
 */
struct parq_queue_mem {
	struct parq_rxq *q;
	struct parq_rx_ring *ring;
};

/* A port that is down has no rings. The stack does not start its queues either. */
static int parq_queue_mem_alloc(struct net_device *dev,
				struct netdev_queue_config *qcfg, void *mem, int idx)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_queue_mem *m = mem;

	if (!netif_running(dev))
		return 0;
	/* A reset has failed, or the channel was removed and drains. */
	if (!parq_port_is_up(port) || idx >= port->num_chans)
		return -ENETDOWN;
	m->q = &port->chan[idx]->rxq;
	m->ring = parq_chan_rxq_alloc(m->q, port->rx_size);
	return m->ring ? 0 : -ENOMEM;
}

static void parq_queue_mem_free(struct net_device *dev, void *mem)
{
	struct parq_queue_mem *m = mem;

	if (m->ring)
		parq_chan_rxq_discard(m->q, m->ring);
}

static int parq_queue_stop(struct net_device *dev, void *mem, int idx)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_rxq *q = &port->chan[idx]->rxq;
	struct parq_queue_mem *m = mem;
	int err;

	err = parq_chan_rxq_hold(q);
	if (err)
		return err;
	m->q = q;
	m->ring = q->ring;
	return 0;
}

/* If the device refuses, the service work tries again. The memory is in use all the same. */
static int parq_queue_start(struct net_device *dev, struct netdev_queue_config *qcfg,
			    void *mem, int idx)
{
	struct parq_queue_mem *m = mem;

	parq_chan_rxq_use(m->q, m->ring);
	parq_chan_rxq_resume(m->q);
	return 0;
}

static const struct netdev_queue_mgmt_ops parq_queue_ops = {
	.ndo_queue_mem_size = sizeof(struct parq_queue_mem),
	.ndo_queue_mem_alloc = parq_queue_mem_alloc,
	.ndo_queue_mem_free = parq_queue_mem_free,
	.ndo_queue_start = parq_queue_start,
	.ndo_queue_stop = parq_queue_stop,
};

/**
 * parq_queue_netdev() - offer queue management to the stack
 * @dev: netdev that is not registered yet
 *
 * The stack then holds the ops lock, too.
 */
void parq_queue_netdev(struct net_device *dev)
{
	dev->queue_mgmt_ops = &parq_queue_ops;
}

/**
 * parq_queue_restart() - have the stack restart an RX queue
 * @port: port, up or down
 * @index: queue
 *
 * Context: process, without the ops lock.
 * Return: 0 or an error.
 */
int parq_queue_restart(struct parq_port *port, unsigned int index)
{
	struct net_device *dev = port->netdev;
	int err = -ENOENT;

	netdev_lock(dev);
	if (index < dev->real_num_rx_queues)
		err = netdev_rx_queue_restart(dev, index);
	netdev_unlock(dev);
	return err;
}

MODULE_IMPORT_NS("NETDEV_INTERNAL");
#else
void parq_queue_netdev(struct net_device *dev)
{
}

int parq_queue_restart(struct parq_port *port, unsigned int index)
{
	return -EOPNOTSUPP;
}
#endif
