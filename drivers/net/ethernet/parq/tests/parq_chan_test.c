// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of channels and of their queues, over fakes of rings, vectors and registers. The
 * fakes note their calls, for the order counts.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <net/sch_generic.h>

#include "../parq_chan.h"
#include "../parq_io.h"
#include "../parq_rx.h"
#include "../parq_tx.h"
#include "../parq_xsk.h"
#include "parq_call_log.h"
#include "parq_chan_calls.h"

#define LOOM_CHANS	3
#define LOOM_SIZE	64	/* entries of a ring */
#define LOOM_EACH	(1 + PARQ_NUM_PRIO)	/* rings of a channel */
#define LOOM_FIRST	"rx-alloc reg fill"	/* the first ring of a channel */

/**
 * struct loom - a port, what the fakes do, and what they have seen
 * @port: the port
 * @log: calls of the fakes
 * @dma: areas of DMA memory
 * @rings: rings
 * @vecs: vectors that exist
 * @up: vectors that are up
 * @kicks: vectors that were kicked
 * @napi: NAPIs that are off
 * @started: TX queues that run, BIT(index)
 * @itr: vectors whose moderation was written
 * @awake: channels whose sockets were told so, BIT(index)
 * @pending: polls until the RX queue has no frame
 * @busy: TX queue with a frame, or -1
 * @xsk: new RX rings are of sockets
 * @db: the doorbell that was written last, by its offset
 * @tail: what was written
 */
struct loom {
	struct parq_port *port;
	struct parq_call_log log;
	unsigned int dma;
	unsigned int rings;
	unsigned int vecs;
	unsigned int up;
	unsigned int kicks;
	int napi;
	unsigned long started;
	unsigned int itr;
	u8 awake;
	unsigned int pending;
	int busy;
	struct parq_xsk *xsk;
	u32 db;
	u32 tail;
};

static struct loom *loom;
static u8 loom_regs[4];

/* ---- fakes -------------------------------------------------------------- */

static int loom_call(const char *name)
{
	return parq_call_log_add(&loom->log, " ", name);
}

void *loom_alloc(size_t size, dma_addr_t *dma)
{
	void *mem = loom_call("dma") ? NULL : kzalloc(size, GFP_KERNEL);

	*dma = 0x10000;
	loom->dma += !!mem;
	return mem;
}

void loom_free(void *mem)
{
	loom->dma--;
	kfree(mem);
}

void loom_writel(u32 val, void __iomem *addr)
{
	loom->db = (const u8 __iomem *)addr - (const u8 __iomem __force *)loom_regs;
	loom->tail = val;
}

void loom_napi(struct napi_struct *napi, bool on)
{
	loom->napi += on ? -1 : 1;
}

void parq_vec_add(struct parq_vec *vec)
{
	loom->vecs++;
}

void parq_vec_del(struct parq_vec *vec)
{
	loom->vecs--;
}

int parq_vec_up(struct parq_vec *vec)
{
	int err = loom_call("vec-up");

	loom->up += !err;
	return err;
}

void parq_vec_down(struct parq_vec *vec)
{
	loom->up--;
}

void parq_vec_pause(struct parq_vec *vec)
{
	loom_call("pause");
	loom->napi++;
}

void parq_vec_kick(struct parq_vec *vec)
{
	loom->kicks++;
}

void parq_vec_select(struct parq_vec *vec)
{
	loom_call("select");
}

void parq_vec_itr(struct parq_vec *vec)
{
	loom->itr++;
}

struct parq_tx_ring *parq_ring_tx_alloc(const struct parq_txq *q, u32 size)
{
	struct parq_tx_ring *ring;

	if (loom_call("tx-alloc"))
		return NULL;
	ring = kzalloc_obj(*ring);
	ring->mask = size - 1;
	loom->rings++;
	return ring;
}

void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring)
{
	loom->rings--;
	kfree(ring);
}

struct parq_rx_ring *parq_ring_rx_alloc(struct parq_rxq *q, u32 size)
{
	struct parq_rx_ring *ring;

	if (loom_call("rx-alloc"))
		return NULL;
	ring = kzalloc_obj(*ring);
	ring->mask = size - 1;
	ring->xsk = loom->xsk;
	loom->rings++;
	return ring;
}

int parq_ring_rx_reg(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	return loom_call("reg");
}

void parq_ring_rx_free(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	loom_call("rx-free");
	loom->rings--;
	kfree(ring);
}

/* Return: entries without a page. */
u32 parq_rx_ring_fill(struct parq_rx_ring *ring)
{
	return loom_call("fill") ? 1 : 0;
}

void parq_rx_post(struct parq_rxq *q)
{
	loom_call("post");
}

void parq_rx_discard(struct parq_rxq *q)
{
	loom_call("discard");
}

bool parq_rx_pending(const struct parq_rxq *q)
{
	return loom->pending && loom->pending--;
}

void parq_tx_flush(struct parq_txq *q)
{
	loom_call("flush");
}

bool parq_tx_wake(struct parq_txq *q)
{
	loom_call("tx-wake");
	return true;
}

void parq_tx_purge(struct parq_txq *q, struct parq_tx_ring *next)
{
	loom_call("purge");
	parq_ring_tx_free(q->port, q->ring);
	q->ring = next;
}

bool parq_tx_empty(const struct parq_txq *q)
{
	return q->index != loom->busy;
}

void parq_io_wake(const struct parq_db *db)
{
}

int parq_io_txq_start(struct parq_txq *q)
{
	int err = loom_call("tx-start");

	if (!err)
		__set_bit(q->index, &loom->started);
	return err;
}

void parq_io_txq_stop(struct parq_txq *q)
{
	__clear_bit(q->index, &loom->started);
}

int parq_io_rxq_start(struct parq_rxq *q)
{
	return loom_call("rx-start");
}

int parq_io_rxq_hold(struct parq_rxq *q)
{
	return loom_call("hold");
}

int parq_io_rxq_release(struct parq_rxq *q)
{
	return loom_call("release");
}

void parq_io_rxq_stop(struct parq_rxq *q)
{
	loom_call("rx-stop");
}

void parq_xsk_fill(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	loom_call("xsk-fill");
}

void parq_xsk_empty(struct parq_rx_ring *ring)
{
	loom_call("xsk-empty");
}

void parq_xsk_kick(struct parq_port *port, unsigned int chan)
{
	loom->awake |= BIT(chan);
}

/* ---- cases -------------------------------------------------------------- */

static int loom_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port), PARQ_MAX_TXQ,
						    PARQ_MAX_CHANS);
	struct parq_port *port;
	unsigned int i;

	loom = kunit_kzalloc(test, sizeof(*loom), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, loom);
	loom->busy = -1;
	port = netdev_priv(dev);
	loom->port = port;
	port->netdev = dev;
	port->pd = kunit_kzalloc(test, sizeof(*port->pd), GFP_KERNEL);
	port->status = kunit_kzalloc(test, sizeof(*port->status), GFP_KERNEL);
	port->tx_stats = kunit_kcalloc(test, PARQ_MAX_TXQ, sizeof(*port->tx_stats), GFP_KERNEL);
	port->rx_stats = kunit_kcalloc(test, PARQ_MAX_RXQ, sizeof(*port->rx_stats), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->pd);
	KUNIT_ASSERT_NOT_NULL(test, port->status);
	KUNIT_ASSERT_NOT_NULL(test, port->tx_stats);
	KUNIT_ASSERT_NOT_NULL(test, port->rx_stats);
	port->pd->db = (void __iomem __force *)loom_regs;
	port->pd->caps.ports = 1;
	port->pd->caps.chans = LOOM_CHANS;
	/* Of events, one of each queue of a channel, and one for each of the others. */
	port->pd->num_vecs = 1 + PARQ_CHAN_VECS + LOOM_CHANS - 1;
	port->num_chans = LOOM_CHANS;
	port->tx_size = LOOM_SIZE;
	port->rx_size = 2 * LOOM_SIZE;
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		RCU_INIT_POINTER(netdev_get_tx_queue(dev, i)->qdisc, &noop_qdisc);
	netif_tx_stop_all_queues(dev);
	return 0;
}

/* Nothing is left of any channel. */
static void loom_exit(struct kunit *test)
{
	parq_chans_close(loom->port);
	KUNIT_EXPECT_EQ(test, loom->dma, 0U);
	KUNIT_EXPECT_EQ(test, loom->rings, 0U);
	KUNIT_EXPECT_EQ(test, loom->vecs, 0U);
	KUNIT_EXPECT_EQ(test, loom->up, 0U);
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	KUNIT_EXPECT_EQ(test, loom->started, 0UL);
	free_netdev(loom->port->netdev);
}

static void loom_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &loom->log, calls);
}

static void loom_up(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, parq_chans_open(loom->port), 0);
	KUNIT_ASSERT_EQ(test, parq_chans_up(loom->port), 0);
	loom->log.text[0] = 0;
	loom->kicks = 0;
}

/* As of a port that is disabled, which stops all queues. */
static void loom_down(void)
{
	loom->started = 0;
	parq_chans_down(loom->port);
}

/* Queues know their registers, memory and vectors. */
static void channels_are_wired(struct kunit *test)
{
	struct parq_port *port = loom->port;
	struct parq_chan *chan;
	unsigned int i, n;

	KUNIT_EXPECT_TRUE(test, parq_chans_share(port));
	KUNIT_ASSERT_EQ(test, parq_chans_open(port), 0);
	KUNIT_EXPECT_EQ(test, loom->vecs, PARQ_CHAN_VECS + LOOM_CHANS - 1U);
	for (i = 0; i < LOOM_CHANS; i++) {
		chan = port->chan[i];
		KUNIT_EXPECT_EQ(test, chan->index, i);
		KUNIT_EXPECT_EQ(test, chan->num_vecs, i ? 1U : PARQ_CHAN_VECS);
		KUNIT_EXPECT_EQ(test, chan->vec[0].hw, i ? PARQ_CHAN_VECS + i : 1);
		KUNIT_EXPECT_EQ(test, chan->vec[0].index, i * PARQ_CHAN_VECS);
		KUNIT_EXPECT_PTR_EQ(test, chan->vec[0].rxq, &chan->rxq);
		KUNIT_EXPECT_PTR_EQ(test, chan->rxq.vec, &chan->vec[0]);
		KUNIT_EXPECT_EQ(test, chan->rxq.index, i);
		KUNIT_EXPECT_PTR_EQ(test, chan->rxq.stats, &port->rx_stats[i]);
		KUNIT_EXPECT_TRUE(test, chan->rxq.db.reg == port->pd->db + PARQ_DB_RX(0, i));
		KUNIT_EXPECT_EQ(test, chan->rxq.ring->mask, 2U * LOOM_SIZE - 1);
		for (n = 0; n < PARQ_NUM_PRIO; n++) {
			struct parq_txq *q = &chan->txq[n];

			KUNIT_EXPECT_EQ(test, q->prio, n);
			KUNIT_EXPECT_EQ(test, q->index, 8 * i + n);
			KUNIT_EXPECT_PTR_EQ(test, port->txq[8 * i + n], q);
			KUNIT_EXPECT_PTR_EQ(test, q->vec, &chan->vec[i ? 0 : 1 + n]);
			KUNIT_EXPECT_EQ(test, q->vec->num_txq, i ? 8U : 1U);
			KUNIT_EXPECT_PTR_EQ(test, q->vec->txq, i ? &chan->txq[0] : q);
			KUNIT_EXPECT_PTR_EQ(test, q->stats, &port->tx_stats[8 * i + n]);
			KUNIT_EXPECT_PTR_EQ(test, (void *)q->wb, chan->wb + 64 * n);
			KUNIT_EXPECT_EQ(test, q->wb_dma, chan->wb_dma + 64 * n);
			KUNIT_EXPECT_TRUE(test, q->db.reg ==
					  port->pd->db + PARQ_DB_TX(0, 8 * i + n));
			KUNIT_EXPECT_PTR_EQ(test, q->nq,
					    netdev_get_tx_queue(port->netdev, 8 * i + n));
			KUNIT_EXPECT_PTR_EQ(test, q->clean, q->ring);
			KUNIT_EXPECT_EQ(test, q->ring->mask, LOOM_SIZE - 1U);
		}
	}
	KUNIT_EXPECT_NULL(test, port->txq[8 * LOOM_CHANS]);
	port->pd->num_vecs = 1 + LOOM_CHANS * PARQ_CHAN_VECS;
	KUNIT_EXPECT_FALSE(test, parq_chans_share(port));
}

/* The allocation of a channel fails after each of its steps, and leaves nothing. */
static void memory_is_short(struct kunit *test)
{
	static const struct {
		const char *fails;
		unsigned int skip;
	} steps[] = {
		{ "dma", 0 }, { "dma", LOOM_CHANS - 1 },
		{ "rx-alloc", 0 }, { "rx-alloc", LOOM_CHANS - 1 },
		{ "reg", 1 }, { "fill", 1 },
		{ "tx-alloc", 0 }, { "tx-alloc", PARQ_NUM_PRIO - 1 },
		{ "tx-alloc", LOOM_CHANS * PARQ_NUM_PRIO - 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		loom->log.fails = steps[i].fails;
		loom->log.skip = steps[i].skip;
		KUNIT_EXPECT_EQ_MSG(test, parq_chans_open(loom->port), -ENOMEM, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, loom->dma + loom->rings + loom->vecs, 0U, "%u", i);
		KUNIT_EXPECT_NULL(test, loom->port->chan[0]);
	}
}

static void channels_go_up_and_down(struct kunit *test)
{
	struct parq_port *port = loom->port;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, parq_chans_open(port), 0);
	KUNIT_EXPECT_EQ(test, loom->rings, LOOM_CHANS * LOOM_EACH);
	KUNIT_ASSERT_EQ(test, parq_chans_up(port), 0);
	KUNIT_EXPECT_EQ(test, loom->started, GENMASK(8 * LOOM_CHANS - 1, 0));
	KUNIT_EXPECT_EQ(test, loom->up, loom->vecs);
	/* The first poll arms the interrupt. */
	KUNIT_EXPECT_EQ(test, loom->kicks, loom->vecs);
	parq_chans_itr(port);
	KUNIT_EXPECT_EQ(test, loom->itr, loom->vecs);
	KUNIT_EXPECT_EQ(test, loom->awake, 0);
	parq_chans_wake(port);
	KUNIT_EXPECT_EQ(test, loom->awake, BIT(LOOM_CHANS) - 1);
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		KUNIT_EXPECT_EQ(test, __netif_subqueue_stopped(port->netdev, i),
				i >= 8 * LOOM_CHANS);
	loom->log.text[0] = 0;
	parq_chan_down(port->chan[1]);
	loom_expect(test, " rx-stop");
	KUNIT_EXPECT_EQ(test, loom->up, loom->vecs - 1);
	KUNIT_EXPECT_EQ(test, loom->started,
			GENMASK(8 * LOOM_CHANS - 1, 0) & ~GENMASK(15, 8));
	loom->up++;
	loom_down();
	set_bit(8, port->stuck_tx);
	set_bit(15, port->stuck_tx);
	set_bit(1, port->stuck_rx);
	parq_chan_free(port, 1);
	KUNIT_EXPECT_NULL(test, port->chan[1]);
	KUNIT_EXPECT_NULL(test, port->txq[8]);
	KUNIT_EXPECT_NULL(test, port->txq[15]);
	KUNIT_EXPECT_NOT_NULL(test, port->txq[7]);
	KUNIT_EXPECT_NOT_NULL(test, port->txq[16]);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->stuck_tx, PARQ_MAX_TXQ));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->stuck_rx, PARQ_MAX_RXQ));
}

static void channels_do_not_go_up(struct kunit *test)
{
	static const struct {
		const char *fails;
		unsigned int skip;
	} steps[] = {
		{ "vec-up", 0 }, { "vec-up", 5 }, { "vec-up", PARQ_CHAN_VECS + 1 },
		{ "tx-start", 0 }, { "tx-start", 8 * LOOM_CHANS - 1 },
		{ "rx-start", 0 }, { "rx-start", LOOM_CHANS - 1 },
		{ "release", 0 }, { "release", LOOM_CHANS - 1 },
	};
	unsigned int i;

	KUNIT_ASSERT_EQ(test, parq_chans_open(loom->port), 0);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		loom->log.fails = steps[i].fails;
		loom->log.skip = steps[i].skip;
		KUNIT_EXPECT_EQ_MSG(test, parq_chans_up(loom->port), -EIO, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, loom->up, 0U, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, loom->started, 0UL, "%u", i);
	}
}

static void frames_are_under_way(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, parq_chans_idle(loom->port));
	KUNIT_ASSERT_EQ(test, parq_chans_open(loom->port), 0);
	KUNIT_EXPECT_TRUE(test, parq_chans_idle(loom->port));
	for (loom->busy = 0; loom->busy < 8 * LOOM_CHANS; loom->busy++)
		KUNIT_EXPECT_FALSE(test, parq_chans_idle(loom->port));
}

/* The device writes to the ring until it is on hold. */
static void rx_ring_is_swapped(struct kunit *test)
{
	struct parq_rx_ring *next;
	struct parq_rxq *q;

	loom_up(test);
	q = &loom->port->chan[0]->rxq;
	q->broken = true;
	q->watch_skipped = true;
	q->vec->watch_pending = true;
	loom->pending = 3;
	next = parq_chan_rxq_alloc(q, LOOM_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, next);
	KUNIT_EXPECT_EQ(test, parq_chan_rxq_swap(q, next), 0);
	loom_expect(test, " " LOOM_FIRST
		    " hold pause discard select rx-start post release rx-free");
	KUNIT_EXPECT_PTR_EQ(test, q->ring, next);
	KUNIT_EXPECT_FALSE(test, q->broken);
	KUNIT_EXPECT_FALSE(test, q->watch_skipped);
	KUNIT_EXPECT_FALSE(test, q->vec->watch_pending);
	/* Four rounds, after them, and in the end. */
	KUNIT_EXPECT_EQ(test, loom->pending, 0U);
	KUNIT_EXPECT_EQ(test, loom->kicks, 6U);
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	/* A device that always has frames. */
	loom->pending = U32_MAX;
	loom->kicks = 0;
	parq_chan_rxq_drain(q);
	KUNIT_EXPECT_EQ(test, loom->kicks, LOOM_SIZE + 1U);
	loom_down();
}

static void rx_ring_is_not_swapped(struct kunit *test)
{
	struct parq_rx_ring *next, *ring;
	struct parq_rxq *q;

	loom_up(test);
	q = &loom->port->chan[1]->rxq;
	ring = q->ring;
	loom->log.fails = "hold";
	next = parq_chan_rxq_alloc(q, LOOM_SIZE);
	KUNIT_EXPECT_EQ(test, parq_chan_rxq_swap(q, next), -EIO);
	loom_expect(test, " " LOOM_FIRST " hold rx-free");
	KUNIT_EXPECT_PTR_EQ(test, q->ring, ring);
	KUNIT_EXPECT_TRUE(test, test_and_clear_bit(1, loom->port->stuck_rx));
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	KUNIT_EXPECT_EQ(test, loom->kicks, 1U);
	/* It has the ring, but does not start. */
	loom->log.fails = "rx-start";
	next = parq_chan_rxq_alloc(q, LOOM_SIZE);
	KUNIT_EXPECT_EQ(test, parq_chan_rxq_swap(q, next), -EIO);
	KUNIT_EXPECT_PTR_EQ(test, q->ring, next);
	KUNIT_EXPECT_TRUE(test, test_and_clear_bit(1, loom->port->stuck_rx));
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	/* No memory for one. */
	loom->log.fails = "fill";
	KUNIT_EXPECT_NULL(test, parq_chan_rxq_alloc(q, LOOM_SIZE));
	loom->log.fails = "reg";
	KUNIT_EXPECT_NULL(test, parq_chan_rxq_alloc(q, LOOM_SIZE));
	loom->log.fails = "rx-alloc";
	KUNIT_EXPECT_NULL(test, parq_chan_rxq_alloc(q, LOOM_SIZE));
	loom_down();
}

static void rx_queue_is_reset(struct kunit *test)
{
	struct parq_rxq *q;

	loom_up(test);
	q = &loom->port->chan[0]->rxq;
	loom->port->rx_size = LOOM_SIZE;
	parq_chan_rxq_restart(q);
	KUNIT_EXPECT_EQ(test, q->ring->mask, LOOM_SIZE - 1U);
	KUNIT_EXPECT_FALSE(test, test_bit(0, loom->port->stuck_rx));
	loom->log.text[0] = 0;
	loom->log.fails = "rx-alloc";
	parq_chan_rxq_restart(q);
	loom_expect(test, " rx-alloc");
	KUNIT_EXPECT_TRUE(test, test_bit(0, loom->port->stuck_rx));
	loom_down();
}

/* Sockets may have supplied fewer chunks than the ring has entries. */
static void rings_of_sockets(struct kunit *test)
{
	struct parq_xsk *xsk = kunit_kzalloc(test, sizeof(*xsk), GFP_KERNEL);
	struct parq_rxq *q;

	loom->xsk = xsk;
	loom->log.fails = "fill";
	KUNIT_ASSERT_EQ(test, parq_chan_alloc(loom->port, 0), 0);
	loom_expect(test,
		    " dma rx-alloc reg xsk-fill tx-alloc tx-alloc tx-alloc tx-alloc tx-alloc tx-alloc tx-alloc tx-alloc");
	q = &loom->port->chan[0]->rxq;
	KUNIT_EXPECT_EQ(test, parq_chan_rxq_swap(q, parq_chan_rxq_alloc(q, LOOM_SIZE)), 0);
	loom_expect(test,
		    " rx-alloc reg hold pause discard xsk-fill select rx-start post release rx-free");
	/* There is no memory for a ring without them. */
	parq_chan_rxq_strip(q);
	loom_expect(test, " hold pause discard xsk-empty select");
	KUNIT_EXPECT_NULL(test, q->ring->xsk);
	KUNIT_EXPECT_TRUE(test, q->broken);
	KUNIT_EXPECT_TRUE(test, test_bit(0, loom->port->stuck_rx));
	loom->log.fails = "hold";
	parq_chan_rxq_strip(q);
	loom_expect(test, " hold rx-stop pause discard xsk-empty select");
}

static void tx_queue_is_reset(struct kunit *test)
{
	struct parq_txq *q;

	loom_up(test);
	q = loom->port->txq[3];
	netif_tx_start_queue(q->nq);
	q->watch.waits = true;
	parq_chan_txq_restart(q);
	loom_expect(test, " pause flush tx-start tx-wake");
	KUNIT_EXPECT_TRUE(test, netif_tx_queue_stopped(q->nq));
	KUNIT_EXPECT_FALSE(test, q->watch.waits);
	KUNIT_EXPECT_EQ(test, loom->kicks, 1U);
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	loom->log.fails = "tx-start";
	parq_chan_txq_restart(q);
	loom_expect(test, " pause flush tx-start");
	KUNIT_EXPECT_TRUE(test, test_bit(3, loom->port->stuck_tx));
	KUNIT_EXPECT_FALSE(test, test_bit(3, &loom->started));
	KUNIT_EXPECT_EQ(test, loom->kicks, 2U);
	KUNIT_EXPECT_EQ(test, loom->napi, 0);
	loom_down();
}

/* Frames that stay are told to the device by its doorbell. */
static void tx_queue_is_purged(struct kunit *test)
{
	struct parq_txq *q;

	loom_up(test);
	q = loom->port->txq[9];
	parq_chan_txq_purge(q);
	loom_expect(test, " tx-alloc pause purge tx-start tx-wake");
	KUNIT_EXPECT_EQ(test, q->ring->mask, LOOM_SIZE - 1U);
	KUNIT_EXPECT_EQ(test, loom->db, 0U);
	loom->log.fails = "tx-alloc";
	q->ring->tail = 5;
	parq_chan_txq_purge(q);
	loom_expect(test, " tx-alloc pause flush tx-start tx-wake");
	KUNIT_EXPECT_EQ(test, loom->db, (u32)(PARQ_DB_TX(0, 9) + PARQ_DB_TAIL));
	KUNIT_EXPECT_EQ(test, loom->tail, 5U);
	loom_down();
}

static struct kunit_case loom_cases[] = {
	KUNIT_CASE(channels_are_wired),
	KUNIT_CASE(memory_is_short),
	KUNIT_CASE(channels_go_up_and_down),
	KUNIT_CASE(channels_do_not_go_up),
	KUNIT_CASE(frames_are_under_way),
	KUNIT_CASE(rx_ring_is_swapped),
	KUNIT_CASE(rx_ring_is_not_swapped),
	KUNIT_CASE(rx_queue_is_reset),
	KUNIT_CASE(rings_of_sockets),
	KUNIT_CASE(tx_queue_is_reset),
	KUNIT_CASE(tx_queue_is_purged),
	{}
};

static struct kunit_suite loom_suite = {
	.name = "parq_chan",
	.init = loom_init,
	.exit = loom_exit,
	.test_cases = loom_cases,
};

kunit_test_suite(loom_suite);

MODULE_DESCRIPTION("KUnit suite of channels");
MODULE_LICENSE("GPL");
