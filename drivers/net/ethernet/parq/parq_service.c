// SPDX-License-Identifier: GPL-2.0
/*
 * The service work of a port that is up. It frees what has drained, retries what failed,
 * resets stuck queues, and tells the stack's watchdog which queues wait legally.
 */
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_chan.h"
#include "parq_headroom.h"
#include "parq_io.h"
#include "parq_link.h"
#include "parq_reconf.h"
#include "parq_service.h"
#include "parq_stats.h"
#include "parq_tx_clean.h"
#include "parq_vec.h"

/* ---- Channels ----------------------------------------------------------- */

/*
 * A held queue gets no frames, so the stack's watchdog would consider it dead. It is fine
 * as long as it is empty or completes frames.
 */
static void parq_service_feed_txq(struct parq_txq *q)
{
	u32 head = READ_ONCE(q->clean->head);

	if (q->held && (head != q->fed || parq_tx_empty(q)))
		txq_trans_cond_update(q->nq);
	q->fed = head;
}

/*
 * The register of a queue tells whether it has stopped. An event may be lost, or arrive
 * late, for a queue that no longer exists. If reads of the register differ, the next turn
 * reads it again.
 */
static void parq_service_find_stuck(struct parq_port *port)
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

static void parq_service_reset_stuck(struct parq_port *port)
{
	struct parq_txq *q;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		if (!test_and_clear_bit(i, port->stuck_tx))
			continue;
		q = port->txq[i];
		if (q)
			parq_chan_txq_restart(q);
	}
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		if (!test_and_clear_bit(i, port->stuck_rx))
			continue;
		if (port->chan[i] && !port->chan[i]->draining)
			parq_chan_rxq_restart(&port->chan[i]->rxq);
	}
}

/*
 * Frees drained rings and channels, polls queues that had no memory or lost an interrupt,
 * and resets stuck ones.
 *
 * Context: process, under rtnl.
 */
static void parq_service_chans(struct parq_port *port)
{
	unsigned int i, n;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		if (!port->txq[i])
			continue;
		parq_tx_reap(port->txq[i]);
		parq_service_feed_txq(port->txq[i]);
	}
	parq_service_find_stuck(port);
	parq_service_reset_stuck(port);
	parq_reconf_reap(port);
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

/* ---- Priorities --------------------------------------------------------- */

/* Bits on the wire of @frames with @bytes, and @more bytes in addition for each frame. */
static u64 parq_service_wire_bits(__le64 frames, __le64 bytes, unsigned int more)
{
	return 8 * (le64_to_cpu(bytes) + more * le64_to_cpu(frames));
}

static bool parq_service_wire_use(struct parq_port *port, struct parq_wire_use *use)
{
	const struct parq_stats *hw = parq_stats_get(port);
	unsigned int i;

	if (IS_ERR(hw))
		return false;
	use->ns = ktime_get_ns();
	/* 24 bytes are preamble, FCS and gap; the MAC counts the FCS itself. */
	use->bits = parq_service_wire_bits(hw->tx.frames, hw->tx.bytes, 20);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		const struct parq_prio_stats *p = &hw->prio[i];

		use->prio[i] = parq_service_wire_bits(p->tx_frames, p->tx_bytes, 24);
		use->paused_ns[i] = le64_to_cpu(p->rx_pause_ns);
	}
	parq_stats_put(port);
	return true;
}

/* Return: BIT(priority) that have frames but have completed none since the last call. */
static u8 parq_service_no_progress(struct parq_port *port)
{
	struct parq_starve *s = &port->starve;
	u32 pos[PARQ_NUM_PRIO] = {};
	u8 waiting = 0;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		const struct parq_txq *q = port->txq[i];
		const struct parq_tx_ring *ring;

		if (!q)
			continue;
		ring = READ_ONCE(q->clean);
		/* A ring that replaced another one starts at 0. @seq keeps the sum rising. */
		pos[i % PARQ_NUM_PRIO] += READ_ONCE(ring->head) + (ring->seq << 16);
		if (!parq_tx_empty(q))
			waiting |= BIT(i % PARQ_NUM_PRIO);
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (pos[i] != s->pos[i])
			waiting &= ~BIT(i);
	memcpy(s->pos, pos, sizeof(pos));
	return waiting;
}

/* Must be called about once a second. Reads the device only if a priority waits. */
static void parq_service_find_starved(struct parq_port *port)
{
	u8 waiting = parq_service_no_progress(port), starved = 0;
	struct parq_starve *s = &port->starve;
	struct parq_wire_use now;
	struct parq_link link;
	unsigned int i;
	u32 kbit;

	/* parq_io_link_get() writes the state in several steps. */
	mutex_lock(&port->link_lock);
	link = port->state;
	mutex_unlock(&port->link_lock);
	kbit = 1000 * parq_headroom_mbps(link.speed);
	/* A change of speed, or a link pause, restarts the measurement. */
	if (kbit != s->kbit || !link.up || parq_pause_stopped(port))
		s->waits = 0;
	s->kbit = kbit;
	s->waits &= waiting;
	if (waiting && parq_service_wire_use(port, &now)) {
		for (i = 0; i < PARQ_NUM_PRIO; i++) {
			if (waiting & ~s->waits & BIT(i))
				s->since[i] = now;
			if ((s->waits & BIT(i)) &&
			    parq_starved(&port->sched.hw, port->pd->caps.chans, i,
					 kbit, &s->since[i], &now))
				starved |= BIT(i);
		}
		s->waits = waiting;
	}
	WRITE_ONCE(s->prios, starved);
}

/**
 * parq_service_waiting() - queues that complete nothing but are not stuck
 * @port: port
 *
 * Context: any.
 * Return: BIT(priority) whose TX queues may wait for long: paused, rate-limited, or
 * starved by stricter classes.
 */
u8 parq_service_waiting(struct parq_port *port)
{
	u8 waiting = parq_pause_stopped(port) | READ_ONCE(port->starve.prios);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (parq_pfc_paused(port, prio) || parq_sched_slow(port, prio))
			waiting |= BIT(prio);
	return waiting;
}

/*
 * The stack's watchdog considers a queue dead that is stopped for long. For a queue that
 * waits legally, the start of its transmission is set to now. The same is done for queues
 * that are stopped because they do not exist.
 */
static void parq_service_feed_watchdog(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	u8 waiting = parq_service_waiting(port);
	unsigned int i;

	for (i = 0; i < dev->num_tx_queues; i++)
		if (waiting & BIT(i % PARQ_NUM_PRIO) ||
		    !READ_ONCE(port->txq[i]))
			txq_trans_cond_update(netdev_get_tx_queue(dev, i));
}

/* ---- All of it ---------------------------------------------------------- */

/*
 * A smaller MTU is programmed once no longer frame is under way. Receive buffers then need
 * less. If they cannot change now, the next turn tries again.
 */
static void parq_service_shrink_mru(struct parq_port *port)
{
	unsigned int mtu = port->netdev->mtu;
	char reason[PARQ_REASON_LEN];

	if (port->mru != mtu && parq_chans_idle(port)) {
		port->mru = mtu;
		parq_io_max_frame(port, mtu);
	}
	parq_buffer_mtu(port, port->mru, reason);
}

/**
 * parq_service_work() - periodic work of a port, about once a second
 * @work: parq_port.service
 */
void parq_service_work(struct work_struct *work)
{
	struct parq_port *port = container_of(to_delayed_work(work),
					      struct parq_port, service);
	unsigned long next = HZ;

	/* The port may have gone down after this was queued. */
	if (!parq_port_is_up(port))
		return;
	parq_service_feed_watchdog(port);
	parq_pfc_event(port);
	/* In case the event, or the read that it triggered, was lost. */
	parq_link_check(port);
	/* Trylock: rtnl is held by a context that cancels this work and waits for it. */
	if (rtnl_trylock()) {
		parq_service_chans(port);
		parq_service_find_starved(port);
		parq_service_shrink_mru(port);
		rtnl_unlock();
	} else {
		next = msecs_to_jiffies(10);
	}
	queue_delayed_work(port->pd->wq, &port->service, next);
}
