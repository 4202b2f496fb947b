// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the service work, over fakes of all that it serves: which TX queues wait
 * legally, which are stuck, a flush that the stack's watchdog looks at, and a ring that sockets
 * of AF_XDP share with the stack.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_buf_calc.h"
#include "../parq_chan.h"
#include "../parq_ets.h"
#include "../parq_io.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "../parq_ptp.h"
#include "../parq_stats.h"
#include "../parq_tx.h"
#include "../parq_xsk.h"
#include "parq_service_calls.h"

#define SERVE_TIMEO	(5 * HZ)	/* the stack's watchdog */
#define SERVE_SIZE	64		/* entries of a ring */
#define SERVE_QUEUE	3		/* the queue that tests look at, of priority 3 */

/**
 * struct serve - what the fakes do, and have seen
 * @test: the test that runs
 * @paused: priorities that are paused, BIT(priority)
 * @starved: stricter classes leave the queue no time
 * @refuses: the device refuses to start queues
 * @lost: events that the device has lost
 * @stopped: TX queues that the device has stopped
 * @resets: resets of queues
 * @reset: TX queues that were reset
 * @stats: counters of the device
 * @ring: a ring of the queue, and its buffers
 * @buf: buffers of @ring
 * @desc: descriptors of @ring
 * @q: the queue
 * @freed: rings that were freed
 * @busy: another context holds the ops lock
 * @rtnl_busy: another context holds rtnl
 * @removes: removed channels are left
 * @looks: looks at pauses
 * @links: looks at the link
 * @rules: looks at the rules in the device
 * @turns: turns that had the ops lock
 * @reaps: those that had rtnl, too
 * @delay: delay until the next turn, jiffies
 * @synced: RCU grace periods
 * @idle: no frame is in a ring of a channel
 * @xsk_from: first descriptor of the last frame of a socket that was given back
 * @xsk_num: descriptors that were given back to sockets
 * @max_frame: MTU whose frames the device accepts, 0: it was not told
 * @buf_mtu: MTU that the receive buffers are for
 */
static struct serve {
	struct kunit *test;
	u8 paused;
	bool starved;
	bool refuses;
	u32 lost;
	DECLARE_BITMAP(stopped, PARQ_MAX_TXQ);
	unsigned int resets;
	DECLARE_BITMAP(reset, PARQ_MAX_TXQ);
	struct parq_stats stats;
	struct parq_tx_ring ring[2];
	struct parq_tx_buf buf[SERVE_SIZE];
	struct parq_tx_desc desc[SERVE_SIZE];
	struct parq_txq q;
	unsigned int freed;
	bool busy;
	bool rtnl_busy;
	bool removes;
	unsigned int looks;
	unsigned int links;
	unsigned int rules;
	unsigned int turns;
	unsigned int reaps;
	unsigned long delay;
	unsigned int synced;
	bool idle;
	u32 xsk_from;
	unsigned int xsk_num;
	unsigned int max_frame;
	unsigned int buf_mtu;
} serve;

/* ---- fakes -------------------------------------------------------------- */

unsigned long serve_now;

void serve_synchronize(void)
{
	serve.synced++;
}

bool serve_ops_trylock(void)
{
	return !serve.busy;
}

bool serve_rtnl_trylock(void)
{
	return !serve.rtnl_busy;
}

void serve_queue_work(unsigned long after)
{
	serve.delay = after;
}

bool parq_io_txq_stopped(const struct parq_txq *q)
{
	return test_bit(q->index, serve.stopped);
}

bool parq_io_rxq_stopped(const struct parq_rxq *q)
{
	return q->port->chan[q->index]->draining;
}

u32 parq_io_events_lost(struct parq_dev *pd)
{
	return serve.lost;
}

u64 parq_io_clock(struct parq_dev *pd)
{
	return jiffies_to_nsecs(serve_now - INITIAL_JIFFIES);
}

void parq_io_max_frame(struct parq_port *port, unsigned int mtu)
{
	serve.max_frame = mtu;
}

void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next)
{
}

void parq_io_wake(const struct parq_db *db)
{
}

const struct parq_stats *parq_stats_get(struct parq_port *port)
{
	return &serve.stats;
}

void parq_stats_put(struct parq_port *port)
{
}

u8 parq_pause_stopped(struct parq_port *port)
{
	return 0;
}

bool parq_pfc_paused(const struct parq_port *port, unsigned int prio)
{
	return serve.paused & BIT(prio);
}

void parq_pfc_event(struct parq_port *port)
{
	serve.looks++;
}

bool parq_ets_slow(const struct parq_port *port, unsigned int prio)
{
	return false;
}

bool parq_starved(const struct parq_ets_hw *ets, unsigned int chans, unsigned int prio,
		  u32 kbit, const struct parq_wire_use *from, const struct parq_wire_use *to)
{
	return serve.starved;
}

u32 parq_headroom_mbps(unsigned int speed)
{
	return 1000;
}

int parq_buf_mtu(struct parq_port *port, unsigned int mtu, char reason[PARQ_REASON_LEN])
{
	serve.buf_mtu = mtu;
	return 0;
}

void parq_link_check(struct parq_port *port)
{
	serve.links++;
}

void parq_rules_sync(struct parq_port *port)
{
	serve.rules++;
}

bool parq_reconf_removes(const struct parq_port *port)
{
	return serve.removes;
}

bool parq_reconf_advance(struct parq_port *port)
{
	serve.turns++;
	return false;
}

void parq_reconf_reap(struct parq_port *port)
{
	serve.turns++;
	serve.reaps++;
}

bool parq_chans_idle(const struct parq_port *port)
{
	return serve.idle;
}

void parq_chan_txq_restart(struct parq_txq *q)
{
	serve.resets++;
	__set_bit(q->index, serve.reset);
	if (serve.refuses)
		set_bit(q->index, q->port->stuck_tx);
}

void parq_chan_rxq_restart(struct parq_rxq *q)
{
	serve.resets++;
	if (serve.refuses)
		set_bit(q->index, q->port->stuck_rx);
}

void parq_vec_watch(struct parq_vec *vec)
{
}

void parq_vec_kick(struct parq_vec *vec)
{
}

void parq_xsk_kick(struct parq_port *port, unsigned int chan)
{
}

void parq_xsk_done_begin(struct parq_xsk *x)
{
}

void parq_xsk_done(struct parq_xsk *x, u32 slot, u32 num)
{
	serve.xsk_from = slot;
	serve.xsk_num += num;
	x->done = slot + num;
}

/* None has an extension. */
void parq_xsk_done_frame(struct parq_xsk *x, struct parq_txq *q,
			 const struct parq_tx_ring *ring, u32 pos)
{
	const struct parq_tx_buf *first = &ring->buf[pos & ring->mask];

	parq_xsk_done(x, first->addr, first->ndesc);
}

void parq_xsk_done_end(struct parq_xsk *x)
{
}

/*
 * The stack's watchdog may come at any moment before the memory has gone. It must not find the
 * ring then, and what it has found before must have been given up.
 */
void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring)
{
	KUNIT_EXPECT_PTR_NE(serve.test, serve.q.clean, ring);
	KUNIT_EXPECT_PTR_NE(serve.test, serve.q.ring, ring);
	KUNIT_EXPECT_NE(serve.test, serve.synced, 0U);
	memset(ring, 0xff, sizeof(*ring));
	parq_service_waits(port, SERVE_QUEUE);
	/* Position 0 of the new ring. */
	KUNIT_EXPECT_EQ(serve.test, serve.q.watch.pos, 1U << 16);
	serve.freed++;
}

void parq_tx_stamp(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos)
{
}

void parq_tx_stamp_lost(struct parq_txq *q)
{
}

/* ---- cases -------------------------------------------------------------- */

static struct parq_port *serve_port(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port),
						    PARQ_MAX_TXQ, PARQ_MAX_CHANS);
	static struct parq_txq_wb wb;
	static struct parq_tx_stats stats[PARQ_MAX_TXQ];
	struct parq_port *port;
	struct parq_dev *pd;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	dev->watchdog_timeo = SERVE_TIMEO;
	port = netdev_priv(dev);
	port->netdev = dev;
	port->pd = pd;
	port->tx_stats = stats;
	port->state.up = true;
	mutex_init(&port->link_lock);
	memset(&serve, 0, sizeof(serve));
	memset(stats, 0, sizeof(stats));
	u64_stats_init(&stats[SERVE_QUEUE].sync);
	u64_stats_init(&stats[SERVE_QUEUE].xmit_sync);
	serve.test = test;
	serve_now = INITIAL_JIFFIES;
	serve.ring[0].mask = SERVE_SIZE - 1;
	serve.ring[0].buf = serve.buf;
	serve.ring[0].desc = serve.desc;
	serve.ring[1] = serve.ring[0];
	wb = (struct parq_txq_wb){};
	serve.q = (struct parq_txq){
		.ring = &serve.ring[0],
		.clean = &serve.ring[0],
		.port = port,
		.dev = &dev->dev,
		.stats = &stats[SERVE_QUEUE],
		.nq = netdev_get_tx_queue(dev, SERVE_QUEUE),
		.wb = &wb,
		.index = SERVE_QUEUE,
		.prio = SERVE_QUEUE,
	};
	port->txq[SERVE_QUEUE] = &serve.q;
	return port;
}

static void serve_end(struct parq_port *port)
{
	mutex_destroy(&port->link_lock);
	free_netdev(port->netdev);
}

static void waits_legally(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	serve.ring[0].tail = 2;
	serve.ring[0].head = 1;
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "completed one");
	KUNIT_EXPECT_FALSE(test, parq_service_waits(port, SERVE_QUEUE));
	serve.paused = (u8)~BIT(SERVE_QUEUE);
	KUNIT_EXPECT_FALSE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "others are paused");
	serve.paused = BIT(SERVE_QUEUE);
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "paused");
	serve.paused = 0;
	set_bit(SERVE_QUEUE, port->waits_tx);
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "starved");
	clear_bit(SERVE_QUEUE, port->waits_tx);
	KUNIT_EXPECT_FALSE(test, parq_service_waits(port, SERVE_QUEUE));
	port->txq[SERVE_QUEUE] = NULL;
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "does not exist");
	serve_end(port);
}

/* A turn of the service work, a second after the last. */
static void serve_turn(struct parq_port *port)
{
	set_bit(PARQ_PORT_UP, &port->flags);
	port->service_at = serve_now;
	parq_service_work(&port->service.work);
}

/* Return: seconds until the queue is found stuck, at most @max; 0: it is not. */
static unsigned int serve_stuck_after(struct parq_port *port, unsigned int max)
{
	unsigned int i;

	for (i = 1; i <= max; i++) {
		serve_now += HZ;
		serve_turn(port);
		if (test_and_clear_bit(SERVE_QUEUE, port->stuck_tx))
			return i;
	}
	return 0;
}

static void stuck_without_a_reason(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 0U, "empty");
	serve.ring[0].tail = 2;
	serve.paused = BIT(SERVE_QUEUE);
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 0U, "paused");
	serve.paused = 0;
	port->state.up = false;
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 0U, "no link");
	port->state.up = true;
	serve.starved = true;
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 0U, "starved");
	KUNIT_EXPECT_TRUE(test, test_bit(SERVE_QUEUE, port->waits_tx));
	serve.starved = false;
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 60), 5U);
	KUNIT_EXPECT_EQ(test, u64_stats_read(&serve.q.stats->timeouts), 1ULL);
	KUNIT_EXPECT_FALSE(test, test_bit(SERVE_QUEUE, port->waits_tx));
	/* Time from before a change of the schedule says nothing. */
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 4), 0U);
	port->ets_changes++;
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 60), 6U);
	/* The stack's watchdog, which times stopped queues, comes first. */
	netif_tx_stop_queue(serve.q.nq);
	KUNIT_EXPECT_GT(test, serve_stuck_after(port, 60), 10U);
	serve_end(port);
}

static void serve_desc(u32 pos, u64 addr, u64 info)
{
	serve.desc[pos].addr = cpu_to_le64(addr);
	serve.desc[pos].info = cpu_to_le64(info);
}

/* Time in which the first frame waits for its launch time is no time that it had on the wire. */
static void launch_time_is_no_fault(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	serve_desc(1, PARQ_TXX_LAUNCH, PARQ_TX_EXT);
	serve.ring[0].tail = 3;
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 6U, "no launch time");
	/* Nothing but the first frame counts, and it has completed. */
	serve.ring[0].head = 1;
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 6), 0U);
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "launch time");
	KUNIT_EXPECT_EQ(test, serve.q.watch.since.before_ns, parq_io_clock(port->pd));
	serve.starved = true;
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 0U, "starved");
	KUNIT_EXPECT_LT(test, serve.q.watch.since.before_ns, parq_io_clock(port->pd));
	serve.starved = false;
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 60), 5U);
	KUNIT_EXPECT_FALSE(test, test_bit(SERVE_QUEUE, port->waits_tx));
	/* A dead device: the longest wait, and no progress for 5 s after it. */
	KUNIT_EXPECT_EQ(test, serve_stuck_after(port, 60), 10U);
	serve_desc(1, PARQ_TXX_LAUNCH, PARQ_TX_EXT | PARQ_TXS_STAMP);
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 6U, "a status");
	serve_desc(1, PARQ_TXX_LAUNCH, PARQ_TX_EOP | 60);
	KUNIT_EXPECT_EQ_MSG(test, serve_stuck_after(port, 60), 6U, "an address");
	serve_end(port);
}

/* The ring has been replaced, the device has not left the old one, and the queue is reset. */
static void flush_is_looked_at(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	serve.ring[0].next = &serve.ring[1];
	serve.q.ring = &serve.ring[1];
	serve.ring[1].seq = 1;
	serve.ring[1].limit = 3 * SERVE_SIZE;
	parq_tx_flush(&serve.q);
	KUNIT_EXPECT_EQ(test, serve.freed, 1U);
	KUNIT_EXPECT_EQ(test, serve.ring[1].limit, (u32)SERVE_SIZE);
	KUNIT_EXPECT_PTR_EQ(test, serve.q.clean, &serve.ring[1]);
	KUNIT_EXPECT_TRUE(test, parq_tx_empty(&serve.q));
	/* The device has left it, and the cleaner did not see that yet. */
	serve.ring[0] = serve.ring[1];
	serve.ring[0].next = &serve.ring[1];
	serve.ring[1].seq = 1;
	serve.q.clean = &serve.ring[0];
	serve.q.wb->state = cpu_to_le32(FIELD_PREP(PARQ_TXW_RING, 1));
	serve.synced = 0;
	parq_tx_flush(&serve.q);
	KUNIT_EXPECT_EQ(test, serve.freed, 2U);
	KUNIT_EXPECT_PTR_EQ(test, serve.q.clean, &serve.ring[1]);
	serve_end(port);
}

/* Frames of sockets are on either side of one of the stack. Their addresses are slots. */
static void sockets_share_a_ring(struct kunit *test)
{
	static const struct parq_tx_buf xsk = { .addr = 100, .ndesc = 1, .len = 60 };
	struct parq_xsk *x = kunit_kzalloc(test, sizeof(*x), GFP_KERNEL);
	struct parq_port *port = serve_port(test);
	struct sk_buff *skb = alloc_skb(60, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_NOT_NULL(test, x);
	skb_put_zero(skb, 60);
	port->xsk[SERVE_QUEUE / PARQ_NUM_PRIO] = x;
	serve.buf[0] = xsk;
	serve.buf[1] = xsk;
	serve.buf[1].addr = 101;
	serve.buf[1].ndesc = 2;
	serve.buf[3] = (struct parq_tx_buf){ .skb = skb, .ndesc = 1, .segs = 1, .len = 60 };
	/* Three in the order of the pool, and one that is early. */
	for (i = 4; i < 8; i++) {
		serve.buf[i] = xsk;
		serve.buf[i].addr = i < 7 ? 99 + i : 110;
	}
	serve.ring[0].tail = 8;
	dql_queued(&serve.q.nq->dql, 7 * 60);
	local_bh_disable();
	serve.q.wb->head = cpu_to_le32(4);
	parq_tx_clean(&serve.q, 64);
	KUNIT_EXPECT_EQ(test, serve.xsk_num, 3U);
	KUNIT_EXPECT_EQ(test, serve.xsk_from, 101U);
	KUNIT_EXPECT_EQ(test, u64_stats_read(&serve.q.stats->packets), 3ULL);
	serve.q.wb->head = cpu_to_le32(8);
	parq_tx_clean(&serve.q, 64);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, serve.xsk_num, 7U);
	KUNIT_EXPECT_EQ(test, serve.xsk_from, 110U);
	KUNIT_EXPECT_EQ(test, u64_stats_read(&serve.q.stats->packets), 7ULL);
	KUNIT_EXPECT_EQ(test, u64_stats_read(&serve.q.stats->bytes), 420ULL);
	KUNIT_EXPECT_FALSE(test, serve.q.broken);
	serve_end(port);
}

/* Turns of the service work, one a second. Return: resets in @secs seconds. */
static unsigned int serve_resets(struct parq_port *port, unsigned int secs)
{
	unsigned int was = serve.resets;

	for (; secs; secs--) {
		serve_turn(port);
		serve_now += HZ;
	}
	return serve.resets - was;
}

static void resets_back_off(struct kunit *test)
{
	struct parq_port *port = serve_port(test);
	struct parq_chan *chan = kunit_kzalloc(test, sizeof(*chan), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, chan);
	chan->rxq.port = port;
	chan->rxq.index = 1;
	chan->rxq.ring = kunit_kzalloc(test, sizeof(*chan->rxq.ring), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, chan->rxq.ring);
	port->chan[1] = chan;
	serve.refuses = true;
	set_bit(SERVE_QUEUE, port->stuck_tx);
	KUNIT_EXPECT_TRUE_MSG(test, parq_service_waits(port, SERVE_QUEUE), "reset is due");
	/* At 0, 1, 3, 7 and 15 s, and then each 8 s. */
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 3), 2U);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 60), 8U);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 320), 40U);
	/* Another queue is not delayed. */
	clear_bit(SERVE_QUEUE, port->stuck_tx);
	set_bit(1, port->stuck_rx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 4), 3U);
	/* It has worked for a while. */
	serve.refuses = false;
	KUNIT_EXPECT_EQ(test, serve_resets(port, 64), 1U);
	set_bit(1, port->stuck_rx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	/* Stuck again right after its reset. */
	set_bit(1, port->stuck_rx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	set_bit(1, port->stuck_rx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 0U);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	/* It has worked in between. */
	chan->rxq.ring->pos = 5;
	set_bit(1, port->stuck_rx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	set_bit(SERVE_QUEUE, port->stuck_tx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	serve.ring[0].head = 5;
	set_bit(SERVE_QUEUE, port->stuck_tx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	/* A removed channel and one that is gone need no reset. */
	chan->draining = true;
	set_bit(1, port->stuck_rx);
	set_bit(2, port->stuck_rx);
	set_bit(SERVE_QUEUE + 1, port->stuck_tx);
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 0U);
	KUNIT_EXPECT_FALSE(test, test_bit(1, port->stuck_rx));
	KUNIT_EXPECT_FALSE(test, test_bit(2, port->stuck_rx));
	KUNIT_EXPECT_FALSE(test, test_bit(SERVE_QUEUE + 1, port->stuck_tx));
	serve_end(port);
}

/*
 * The event of a queue that has stopped may be among those that were lost. A removed channel
 * waits for its TX queues, but its RX queue was stopped on purpose.
 */
static void lost_events(struct kunit *test)
{
	struct parq_port *port = serve_port(test);
	struct parq_chan *chan = kunit_kzalloc(test, sizeof(*chan), GFP_KERNEL);
	struct parq_txq *q;

	KUNIT_ASSERT_NOT_NULL(test, chan);
	chan->draining = true;
	chan->rxq.port = port;
	chan->rxq.index = PARQ_MAX_CHANS - 1;
	port->chan[PARQ_MAX_CHANS - 1] = chan;
	q = &chan->txq[PARQ_NUM_PRIO - 1];
	*q = (struct parq_txq){
		.port = port,
		.ring = &serve.ring[1],
		.clean = &serve.ring[1],
		.index = PARQ_MAX_TXQ - 1,
		.draining = true,
	};
	port->txq[PARQ_MAX_TXQ - 1] = q;
	__set_bit(PARQ_MAX_TXQ - 1, serve.stopped);
	KUNIT_EXPECT_EQ_MSG(test, serve_resets(port, 1), 0U, "no event");
	serve.lost = 1;
	KUNIT_EXPECT_EQ(test, serve_resets(port, 1), 1U);
	KUNIT_EXPECT_TRUE(test, test_bit(PARQ_MAX_TXQ - 1, serve.reset));
	/* The same are lost only once. */
	KUNIT_EXPECT_EQ(test, serve_resets(port, 4), 0U);
	serve_end(port);
}

/* Turns of the service work, each when the last one has asked for it, for @secs seconds. */
static void serve_turns(struct parq_port *port, unsigned int secs)
{
	unsigned long end = serve_now + secs * HZ;

	serve.looks = 0;
	serve.links = 0;
	serve.rules = 0;
	serve.turns = 0;
	serve.reaps = 0;
	while (time_before(serve_now, end)) {
		parq_service_work(&port->service.work);
		serve_now += serve.delay;
	}
}

static void lock_is_busy(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	port->service_at = serve_now;
	parq_service_work(&port->service.work);
	KUNIT_EXPECT_EQ_MSG(test, serve.looks, 0U, "the port is down");
	set_bit(PARQ_PORT_UP, &port->flags);
	serve_turns(port, 10);
	KUNIT_EXPECT_EQ(test, serve.looks, 10U);
	KUNIT_EXPECT_EQ(test, serve.links, 10U);
	KUNIT_EXPECT_EQ(test, serve.turns, 10U);
	KUNIT_EXPECT_EQ(test, serve.rules, 10U);
	serve.busy = true;
	serve_turns(port, 10);
	KUNIT_EXPECT_EQ(test, serve.looks, 10U);
	KUNIT_EXPECT_EQ(test, serve.links, 10U);
	KUNIT_EXPECT_EQ(test, serve.turns, 0U);
	KUNIT_EXPECT_EQ(test, serve.rules, 0U);
	KUNIT_EXPECT_LE(test, serve.delay, msecs_to_jiffies(100));
	/* The next attempt takes the lock, and does nothing else. */
	parq_service_work(&port->service.work);
	serve_now += serve.delay;
	serve.busy = false;
	serve.looks = 0;
	serve.turns = 0;
	parq_service_work(&port->service.work);
	KUNIT_EXPECT_EQ(test, serve.looks, 0U);
	KUNIT_EXPECT_EQ(test, serve.turns, 1U);
	KUNIT_EXPECT_EQ(test, serve_now + serve.delay, port->service_at);
	/* A request does not repeat it either. */
	parq_service_work(&port->service.work);
	KUNIT_EXPECT_EQ(test, serve.looks, 0U);
	KUNIT_EXPECT_EQ(test, serve.turns, 2U);
	serve_now = port->service_at - 1;
	parq_service_work(&port->service.work);
	KUNIT_EXPECT_EQ(test, serve.looks, 0U);
	KUNIT_EXPECT_EQ(test, serve.delay, 1UL);
	serve_end(port);
}

/* Nothing but the end of a removal of channels waits for rtnl. */
static void rtnl_is_busy(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	port->service_at = serve_now;
	set_bit(PARQ_PORT_UP, &port->flags);
	serve.rtnl_busy = true;
	serve_turns(port, 10);
	KUNIT_EXPECT_EQ(test, serve.turns, 10U);
	serve.removes = true;
	serve_turns(port, 10);
	KUNIT_EXPECT_GE(test, serve.turns, 100U);
	KUNIT_EXPECT_EQ(test, serve.looks, 10U);
	KUNIT_EXPECT_EQ(test, serve.reaps, 0U);
	serve.rtnl_busy = false;
	serve_turns(port, 10);
	KUNIT_EXPECT_EQ(test, serve.turns, serve.reaps);
	KUNIT_EXPECT_LE(test, serve.reaps, 11U);
	serve_end(port);
}

/* A smaller MTU is the device's as soon as no longer frame waits. */
static void mtu_shrinks(struct kunit *test)
{
	struct parq_port *port = serve_port(test);

	set_bit(PARQ_PORT_UP, &port->flags);
	port->mru = 9000;
	port->netdev->mtu = 1500;
	serve_turns(port, 2);
	KUNIT_EXPECT_EQ(test, serve.max_frame, 0U);
	KUNIT_EXPECT_EQ(test, serve.buf_mtu, 9000U);
	serve.idle = true;
	serve_turns(port, 2);
	KUNIT_EXPECT_EQ(test, serve.max_frame, 1500U);
	KUNIT_EXPECT_EQ(test, serve.buf_mtu, 1500U);
	KUNIT_EXPECT_EQ(test, port->mru, 1500U);
	/* The device is told once. */
	serve.max_frame = 0;
	serve_turns(port, 2);
	KUNIT_EXPECT_EQ(test, serve.max_frame, 0U);
	serve_end(port);
}

static struct kunit_case serve_cases[] = {
	KUNIT_CASE(waits_legally),
	KUNIT_CASE(stuck_without_a_reason),
	KUNIT_CASE(launch_time_is_no_fault),
	KUNIT_CASE(flush_is_looked_at),
	KUNIT_CASE(sockets_share_a_ring),
	KUNIT_CASE(resets_back_off),
	KUNIT_CASE(lost_events),
	KUNIT_CASE(lock_is_busy),
	KUNIT_CASE(rtnl_is_busy),
	KUNIT_CASE(mtu_shrinks),
	{}
};

static struct kunit_suite serve_suite = {
	.name = "parq_service",
	.test_cases = serve_cases,
};

kunit_test_suite(serve_suite);

MODULE_DESCRIPTION("KUnit suite of the service work");
MODULE_LICENSE("GPL");
