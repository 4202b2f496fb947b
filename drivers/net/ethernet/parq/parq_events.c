// SPDX-License-Identifier: GPL-2.0
/* The event ring of a device, its interrupt and the thread that reads it. */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>

#include "parq.h"
#include "parq_dev.h"
#include "parq_io.h"
#include "parq_pause.h"
#include "parq_port.h"
#include "parq_switch.h"
#include "parq_trace.h"

/* A larger ring has no use. The device may support smaller ones only. */
#define PARQ_EVENT_ORDER_MAX	10U
#define PARQ_EVENT_VEC		0
/* Number of entries searched for one that was written after a lost one. */
#define PARQ_EVENT_AHEAD	16
/* Limits the interrupts caused by a peer that pauses and releases as fast as it can. */
#define PARQ_EVENT_ITR_NS	10000

/* The device has stopped a queue because of an error. */
static void parq_event_queue(struct parq_port *port,
			     const struct parq_event *ev)
{
	bool rx = ev->index >= PARQ_MAX_TXQ;

	if (ev->index >= PARQ_MAX_TXQ + PARQ_MAX_RXQ)
		return;
	if (net_ratelimit())
		netdev_err(port->netdev, "%s queue %u stopped, error %u\n",
			   rx ? "RX" : "TX",
			   rx ? ev->index - PARQ_MAX_TXQ : ev->index,
			   le32_to_cpu(ev->a));
	parq_kick_event(port, ev->index);
}

static void parq_event_error(struct parq_dev *pd, const struct parq_event *ev)
{
	u32 addr, err = parq_io_error_take(pd, &addr);

	/* The context that provoked the error may have read and cleared it already. */
	if (!err) {
		err = le32_to_cpu(ev->a);
		addr = le32_to_cpu(ev->b);
	}
	if (!parq_io_error_expected(err, addr) && net_ratelimit())
		dev_err(pd->dev, "illegal access to register %#x: error %lu, %lu so far\n", addr,
			FIELD_GET(PARQ_ERR_CAUSE, err),
			FIELD_GET(PARQ_ERR_COUNT, err));
}

/* @ev is a copy, so the device cannot change it after the check. */
static void parq_event_handle(struct parq_dev *pd, const struct parq_event *ev)
{
	struct parq_port *port = NULL;

	if (ev->port < pd->caps.ports)
		port = pd->port[ev->port];
	switch (ev->type) {
	case PARQ_EV_LINK:
		if (port)
			parq_link_check(port);
		break;
	case PARQ_EV_ERROR:
		parq_event_error(pd, ev);
		break;
	case PARQ_EV_QUEUE:
		if (port)
			parq_event_queue(port, ev);
		break;
	case PARQ_EV_FDB:
		parq_switch_fdb_event(pd, ev);
		break;
	default:
		parq_trace_event(pd, ev);
		break;
	}
}

/* Return: the entry at @pos has been written. 0 is the value of a fresh ring. */
static bool parq_event_written(const struct parq_events *ev, u32 pos)
{
	u32 entry = pos & (BIT(ev->order) - 1);

	return le32_to_cpu(READ_ONCE(ev->ring[entry].gen)) ==
	       1 + (pos >> ev->order);
}

/*
 * The device writes entries in order. If an entry's GEN is wrong but a later entry has
 * been written, the entry is lost. Waiting for it would stop the ring forever. Its
 * contents are unknown, so every queue is checked, and the table of addresses. The link is
 * checked once a second anyway.
 *
 * Return: there are more entries to read, perhaps behind other lost ones.
 */
static bool parq_events_skip(struct parq_dev *pd)
{
	struct parq_events *ev = &pd->ev;
	unsigned int i, port, queue;

	for (i = 1; i < PARQ_EVENT_AHEAD; i++)
		if (parq_event_written(ev, ev->pos + i))
			break;
	if (i == PARQ_EVENT_AHEAD)
		return false;
	/* Orders GEN of the later entry before reads of the entries in front of it. */
	dma_rmb();
	if (parq_event_written(ev, ev->pos))
		return true;
	dev_err_ratelimited(pd->dev, "no event at position %u, skipped\n",
			    ev->pos);
	ev->pos++;
	for (port = 0; port < pd->caps.ports; port++)
		for (queue = 0; queue < PARQ_MAX_TXQ + PARQ_MAX_RXQ; queue++)
			if (pd->port[port])
				parq_kick_event(pd->port[port], queue);
	parq_switch_fdb_lost(pd);
	return true;
}

/*
 * Reads at most as many entries as the ring holds. Otherwise a device that writes events
 * without end would keep the thread busy, and free_irq() waits for the thread. Entries
 * written while it runs cause another interrupt.
 */
static void parq_events_read(struct parq_dev *pd)
{
	struct parq_events *ev = &pd->ev;
	u32 entries = BIT(ev->order);
	struct parq_event copy;
	unsigned int left;

	for (left = entries; left; left--) {
		if (!parq_event_written(ev, ev->pos)) {
			if (!parq_events_skip(pd))
				break;
			continue;
		}
		dma_rmb();
		copy = ev->ring[ev->pos & (entries - 1)];
		parq_event_handle(pd, &copy);
		ev->pos++;
		if (ev->pos - ev->acked >= entries / 4) {
			ev->acked = ev->pos;
			parq_io_events_ack(pd, ev->pos);
			cond_resched();
		}
	}
}

static irqreturn_t parq_events_thread(int irq, void *data)
{
	struct parq_dev *pd = data;
	unsigned int i;

	parq_events_read(pd);
	for (i = 0; i < pd->caps.ports; i++)
		if (pd->port[i] && parq_port_is_up(pd->port[i]))
			parq_pfc_event(pd->port[i]);
	return IRQ_HANDLED;
}

/**
 * parq_events_init() - start the event ring and its interrupt
 * @pd: device that has just been reset, with all its ports
 *
 * Context: process.
 * Return: 0, -ENOMEM, -EIO if the device refused, or the error of request_irq().
 */
int parq_events_init(struct parq_dev *pd)
{
	struct parq_events *ev = &pd->ev;
	int err;

	ev->pos = 0;
	ev->acked = 0;
	ev->order = min(PARQ_EVENT_ORDER_MAX, pd->caps.ring_order);
	ev->ring = dma_alloc_coherent(pd->dev, sizeof(*ev->ring) << ev->order,
				      &ev->dma, GFP_KERNEL);
	if (!ev->ring)
		return -ENOMEM;
	err = request_threaded_irq(pd->bus->irq(pd, PARQ_EVENT_VEC), NULL,
				   parq_events_thread, IRQF_ONESHOT,
				   pd->bus->name(pd), pd);
	if (err)
		goto free_ring;
	parq_io_vec_itr(pd, PARQ_EVENT_VEC, PARQ_EVENT_ITR_NS);
	err = parq_io_events_start(pd, ev->order, PARQ_EVENT_VEC);
	if (err)
		goto stop;
	mutex_lock(&pd->mask_lock);
	ev->irq = pd->bus->irq(pd, PARQ_EVENT_VEC);
	mutex_unlock(&pd->mask_lock);
	parq_trace_mask_update(pd);
	return 0;

stop:
	parq_io_events_stop(pd);
	free_irq(pd->bus->irq(pd, PARQ_EVENT_VEC), pd);
free_ring:
	dma_free_coherent(pd->dev, sizeof(*ev->ring) << ev->order, ev->ring,
			  ev->dma);
	return err;
}

void parq_events_fini(struct parq_dev *pd)
{
	struct parq_events *ev = &pd->ev;
	int irq = ev->irq;

	mutex_lock(&pd->mask_lock);
	ev->irq = 0;
	mutex_unlock(&pd->mask_lock);
	parq_io_events_stop(pd);
	free_irq(irq, pd);
	dma_free_coherent(pd->dev, sizeof(*ev->ring) << ev->order, ev->ring,
			  ev->dma);
}
