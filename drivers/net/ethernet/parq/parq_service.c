// SPDX-License-Identifier: GPL-2.0
/*
 * The service work of a port that is up. It frees what has drained, retries what failed,
 * resets stuck queues, and tells the stack's watchdog which queues wait legally.
 */

#include "parq.h"
#include "parq_buf_calc.h"
#include "parq_chan.h"
#include "parq_io.h"
#include "parq_port.h"
#include "parq_stats.h"
#include "parq_tx.h"

/* Until the next attempt to take the ops lock. Others hold it for milliseconds. */
#define PARQ_SERVICE_RETRY_MS	50
/* A frame waits no longer for its launch time, ms. The margin is a turn. */
#define PARQ_SERVICE_LAUNCH_MS	(PARQ_LAUNCH_MAX_NS / NSEC_PER_MSEC + MSEC_PER_SEC)

/* ---- Channels ----------------------------------------------------------- */

/*
 * The register of a queue tells whether it has stopped. An event may be lost, or arrive
 * late, for a queue that no longer exists.
 */
static void parq_service_find_stuck(struct parq_port *port)
{
	u32 lost = parq_io_events_lost(port->pd);
	bool all = lost != port->events_lost;
	unsigned int i;
	bool look;

	port->events_lost = lost;
	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		look = test_and_clear_bit(i, port->queue_events) || all;
		if (look && port->txq[i] && parq_io_txq_stopped(port->txq[i]))
			set_bit(i, port->stuck_tx);
	}
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		look = test_and_clear_bit(PARQ_MAX_TXQ + i, port->queue_events) || all;
		if (look && port->chan[i] &&
		    parq_io_rxq_stopped(&port->chan[i]->rxq))
			set_bit(i, port->stuck_rx);
	}
}

/*
 * A queue may be stuck again right after its reset, without a frame in between, or the device
 * may refuse to start it. The next reset then waits for a regular turn, at growing intervals.
 */
static void parq_service_reset_stuck(struct parq_port *port)
{
	struct parq_chan *chan;
	struct parq_rxq *rxq;
	struct parq_txq *q;
	unsigned int i;
	u32 pos;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		q = port->txq[i];
		if (!test_bit(i, port->stuck_tx) ||
		    (q && !parq_backoff_try(&q->backoff, parq_tx_pos(q))))
			continue;
		clear_bit(i, port->stuck_tx);
		if (!q)
			continue;
		parq_chan_txq_restart(q);
		q->backoff.pos = parq_tx_pos(q);
	}
	for (i = 0; i < PARQ_MAX_CHANS; i++) {
		chan = port->chan[i];
		rxq = chan && !chan->draining ? &chan->rxq : NULL;
		/* data_race: a NAPI that advances concurrently costs a second. */
		pos = rxq ? data_race(rxq->ring->pos) : 0;
		if (!test_bit(i, port->stuck_rx) ||
		    (rxq && !parq_backoff_try(&rxq->backoff, pos)))
			continue;
		clear_bit(i, port->stuck_rx);
		if (!rxq)
			continue;
		parq_chan_rxq_restart(rxq);
		/* data_race: as above. */
		rxq->backoff.pos = data_race(rxq->ring->pos);
	}
}

/*
 * Frees drained rings and, under rtnl, channels, polls queues that had no memory or lost an
 * interrupt, and resets stuck ones.
 *
 * Context: process, ops lock.
 */
static void parq_service_chans(struct parq_port *port, bool rtnl)
{
	unsigned int i, n;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (port->txq[i])
			parq_tx_reap(port->txq[i]);
	parq_service_find_stuck(port);
	parq_service_reset_stuck(port);
	if (rtnl)
		parq_reconf_reap(port);
	else
		parq_reconf_advance(port);
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

/* ---- TX queues that complete nothing ------------------------------------ */

/* Bits on the wire of @frames with @bytes, and @more bytes in addition for each frame. */
static u64 parq_service_wire_bits(__le64 frames, __le64 bytes, unsigned int more)
{
	return 8 * (le64_to_cpu(bytes) + more * le64_to_cpu(frames));
}

static bool parq_service_wire_use(struct parq_port *port, struct parq_wire_use *use)
{
	const struct parq_stats *hw;
	unsigned int i;

	use->before_ns = parq_io_clock(port->pd);
	hw = parq_stats_get(port);
	if (IS_ERR(hw))
		return false;
	use->after_ns = parq_io_clock(port->pd);
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

/* Return: true if @q has completed frames since the last call. */
static bool parq_service_progress(struct parq_txq *q)
{
	u32 was = READ_ONCE(q->watch.pos), pos = parq_tx_pos(q);

	WRITE_ONCE(q->watch.pos, pos);
	return pos != was;
}

/* Return: true if @q has frames but has completed none since the last call. */
static bool parq_service_no_progress(struct parq_txq *q)
{
	return !parq_service_progress(q) && !parq_tx_empty(q);
}

/* Return: BIT(priority) that are paused, or have a rate limit that takes long. */
static u8 parq_service_slow(struct parq_port *port)
{
	u8 slow = parq_pause_stopped(port);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (parq_pfc_paused(port, prio) || parq_ets_slow(port, prio))
			slow |= BIT(prio);
	return slow;
}

/* @slow is what parq_service_slow() has returned. */
static bool parq_service_txq_waits(struct parq_port *port, unsigned int index,
				   u8 slow)
{
	return slow & BIT(index % PARQ_NUM_PRIO) ||
	       test_bit(index, port->waits_tx) ||
	       test_bit(index, port->stuck_tx) ||
	       !READ_ONCE(port->txq[index]);
}

/**
 * parq_service_waits() - tell whether a stopped TX queue waits legally, however long
 * @port: port
 * @index: queue
 *
 * The service work also refreshes queues that are served, but needs the ops lock for that.
 *
 * Context: watchdog of the stack.
 * Return: true if the queue is paused, rate-limited, starved by stricter classes, about to be
 * reset, does not exist, has a first frame that waits for its launch time, or has completed frames
 * since it was last looked at.
 */
bool parq_service_waits(struct parq_port *port, unsigned int index)
{
	struct parq_txq *q;
	bool waits;

	if (parq_service_txq_waits(port, index, parq_service_slow(port)))
		return true;
	rcu_read_lock();
	q = READ_ONCE(port->txq[index]);
	waits = !q || parq_service_progress(q);
	rcu_read_unlock();
	return waits;
}

/**
 * parq_service_tx_stuck() - have a TX queue reset that completes nothing
 * @port: port
 * @index: queue
 *
 * Context: any; no sender is in the queue.
 */
void parq_service_tx_stuck(struct parq_port *port, unsigned int index)
{
	struct parq_tx_stats *stats = &port->tx_stats[index];

	if (net_ratelimit())
		netdev_err(port->netdev,
			   "TX queue %u, priority %u: no completion for %u ms\n",
			   index, index % PARQ_NUM_PRIO,
			   jiffies_to_msecs(port->netdev->watchdog_timeo));
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_inc(&stats->timeouts);
	u64_stats_update_end(&stats->xmit_sync);
	parq_kick_stuck(port, false, index);
}

/*
 * @q completes nothing, and only stricter classes may be the reason: they leave it no time
 * on the wire. It is stuck if they have left it time for watchdog_timeo.
 */
static void parq_service_judge_txq(struct parq_txq *q, u32 kbit,
				   const struct parq_wire_use *now)
{
	struct parq_tx_watch *w = &q->watch;
	struct parq_port *port = q->port;
	unsigned long timeo;

	if (parq_starved(&port->ets.hw, port->pd->caps.chans, q->prio, kbit,
			 &w->since, now)) {
		set_bit(q->index, port->waits_tx);
		w->starved_at = jiffies;
		return;
	}
	clear_bit(q->index, port->waits_tx);
	/*
	 * The stack's watchdog times stopped queues, and ignores those with few frames. It starts
	 * again with each frame of a sender that bypasses the qdisc, because such a sender does
	 * not stop when byte queue limits stop the queue.
	 */
	timeo = port->netdev->watchdog_timeo;
	if (netif_xmit_stopped(q->nq))
		timeo *= 2;
	if (time_before(jiffies, w->starved_at + timeo))
		return;
	w->waits = false;
	/* It may have been served since the caller looked. */
	if (!parq_service_no_progress(q))
		return;
	__netif_tx_lock_bh(q->nq);
	parq_service_tx_stuck(port, q->index);
	__netif_tx_unlock_bh(q->nq);
}

/* Return: true if @q waits; it then has to be judged. */
static bool parq_service_look_at_txq(struct parq_txq *q, u8 slow)
{
	if (parq_service_no_progress(q))
		return !(slow & BIT(q->prio)) &&
		       !test_bit(q->index, q->port->stuck_tx);
	/*
	 * The stack gives a stopped queue no frames. It is fine as long as it completes those it
	 * has: a slow link may need longer for them than watchdog_timeo. If it has none, only a
	 * change of channels is a reason to be stopped.
	 */
	if (!parq_tx_empty(q) || READ_ONCE(q->held))
		txq_trans_cond_update(q->nq);
	return false;
}

static void parq_service_not_waiting(struct parq_port *port, unsigned int index)
{
	clear_bit(index, port->waits_tx);
	if (port->txq[index])
		port->txq[index]->watch.waits = false;
}

/*
 * @q completes nothing. Its time on the wire counts from now on if it begins to wait, the link has
 * been @changed or its share of it, or its first frame may wait for its launch time.
 */
static void parq_service_time_txq(struct parq_txq *q, u32 kbit, bool changed,
				  const struct parq_wire_use *now)
{
	struct parq_tx_watch *w = &q->watch;
	unsigned long end;

	if (!w->waits) {
		w->waits = true;
		w->waits_at = jiffies;
		changed = true;
	}
	end = w->waits_at + msecs_to_jiffies(PARQ_SERVICE_LAUNCH_MS);
	if (parq_tx_launches(q) && time_before(jiffies, end)) {
		set_bit(q->index, q->port->waits_tx);
		changed = true;
	}
	if (!changed && now->before_ns >= w->since.after_ns) {
		parq_service_judge_txq(q, kbit, now);
		return;
	}
	w->since = *now;
	w->starved_at = jiffies;
}

/* About once a second. Reads the device only if a queue waits, and once. */
static void parq_service_watch_tx(struct parq_port *port)
{
	bool restart, tried = false, read = false;
	struct parq_wire_use now;
	struct parq_link link;
	unsigned int i;
	u32 kbit, changes = READ_ONCE(port->ets_changes);
	u8 slow;

	/* parq_io_link_get() writes the state in several steps. */
	mutex_lock(&port->link_lock);
	link = port->state;
	mutex_unlock(&port->link_lock);
	kbit = 1000 * parq_headroom_mbps(link.speed);
	/* By how much a queue was starved can only be told while nothing changes. */
	restart = kbit != port->watch_kbit || changes != port->watch_changes;
	port->watch_kbit = kbit;
	port->watch_changes = changes;
	slow = link.up ? parq_service_slow(port) : 0xff;
	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		struct parq_txq *q = port->txq[i];
		bool waits = q && parq_service_look_at_txq(q, slow);

		if (waits && !tried) {
			read = parq_service_wire_use(port, &now);
			tried = true;
		}
		if (waits && read)
			parq_service_time_txq(q, kbit, restart, &now);
		else
			parq_service_not_waiting(port, i);
	}
}

/*
 * The stack's watchdog considers a queue dead that is stopped for too long. For a queue that
 * waits legally, the start of its transmission is set to now. The same is done for queues
 * that are stopped because they do not exist.
 */
static void parq_service_feed_watchdog(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	u8 slow = parq_service_slow(port);
	unsigned int i;

	for (i = 0; i < dev->num_tx_queues; i++)
		if (parq_service_txq_waits(port, i, slow))
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
	parq_buf_mtu(port, port->mru, reason);
}

/* What needs no ops lock. It must not wait for it: the stack's watchdog does not. */
static void parq_service_look(struct parq_port *port)
{
	parq_service_feed_watchdog(port);
	parq_pfc_event(port);
	/* In case the event was lost. */
	parq_link_check(port);
}

/*
 * The work also runs by request, and again after it found the ops lock taken. What does not
 * need the lock is due once a second all the same.
 */
static bool parq_service_due(struct parq_port *port)
{
	if (time_before(jiffies, port->service_at))
		return false;
	port->service_at = jiffies + HZ;
	return true;
}

/*
 * What needs the ops lock. Only the end of a removal of channels needs rtnl, too.
 *
 * Trylock: the locks are held by a context that cancels this work and waits for it.
 *
 * Return: false if another context holds a lock that is needed.
 */
static bool parq_service_serve(struct parq_port *port)
{
	bool removes = parq_reconf_removes(port);
	struct net_device *dev = port->netdev;
	bool rtnl, ops;

	rtnl = removes && parq_compat_trylock_rtnl();
	ops = parq_compat_trylock_ops(dev);
	if (ops) {
		parq_rules_sync(port);
		parq_service_chans(port, rtnl);
		parq_service_watch_tx(port);
		parq_service_shrink_mru(port);
		netdev_unlock_ops_compat(dev);
	}
	if (rtnl)
		parq_compat_unlock_rtnl();
	return ops && rtnl == removes;
}

/**
 * parq_service_work() - periodic work of a port, about once a second
 * @work: parq_port.service
 */
void parq_service_work(struct work_struct *work)
{
	struct parq_port *port = container_of(to_delayed_work(work),
					      struct parq_port, service);
	unsigned long next;

	/* The port may have gone down after this was queued. */
	if (!parq_port_is_up(port))
		return;
	if (parq_service_due(port))
		parq_service_look(port);
	if (parq_service_serve(port))
		/* A request in between does not delay what is due. */
		next = clamp_t(long, port->service_at - jiffies, 1, HZ);
	else
		next = msecs_to_jiffies(PARQ_SERVICE_RETRY_MS);
	queue_delayed_work(port->pd->wq, &port->service, next);
}
