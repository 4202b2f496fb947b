// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of queue management: what the stack may replace, and what becomes of its memory. */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "parq_queue_calls.h"
#include "../parq_chan.h"
#include "../parq_port.h"
#include "parq_call_log.h"

#ifdef PARQ_HAVE_OPS_LOCK
#define SHELF_CHANS	2
#define SHELF_SIZE	256

/**
 * struct shelf - a port, and what the fakes do and have seen
 * @port: port
 * @dev: its netdev
 * @chan: its channels
 * @old: ring of the second queue
 * @new: ring that is allocated
 * @log: calls of the fakes
 * @mem: the stack's memory for a queue
 */
struct shelf {
	struct parq_port *port;
	struct net_device *dev;
	struct parq_chan chan[SHELF_CHANS];
	struct parq_rx_ring old;
	struct parq_rx_ring new;
	struct parq_call_log log;
	u8 mem[64] __aligned(8);
};

static struct shelf *shelf;

/* ---- fakes ---------------------------------------------------------------- */

struct parq_rx_ring *parq_chan_rxq_alloc(struct parq_rxq *q, u32 size)
{
	if (q != &shelf->chan[1].rxq || size != SHELF_SIZE)
		return NULL;
	return parq_call_log_add(&shelf->log, " ", "alloc") ? NULL : &shelf->new;
}

void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	bool right = q == &shelf->chan[1].rxq && ring == &shelf->new;

	parq_call_log_add(&shelf->log, " ", right ? "discard" : "discard?");
}

int parq_chan_rxq_hold(struct parq_rxq *q)
{
	return parq_call_log_add(&shelf->log, " ", q == &shelf->chan[1].rxq ? "hold" : "hold?");
}

int parq_chan_rxq_use(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	q->ring = ring;
	return parq_call_log_add(&shelf->log, " ", q == &shelf->chan[1].rxq ? "use" : "use?");
}

void parq_chan_rxq_resume(struct parq_rxq *q)
{
	parq_call_log_add(&shelf->log, " ", q == &shelf->chan[1].rxq ? "resume" : "resume?");
}

int shelf_restart(struct net_device *dev, unsigned int index)
{
	lockdep_assert_held(&dev->lock);
	return parq_call_log_add(&shelf->log, " ", index == 1 ? "restart1" : "restart");
}

/* ---- cases ---------------------------------------------------------------- */

static int shelf_init(struct kunit *test)
{
	unsigned int i;

	shelf = kunit_kzalloc(test, sizeof(*shelf), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, shelf);
	shelf->dev = alloc_etherdev_mq(sizeof(struct parq_port), SHELF_CHANS);
	KUNIT_ASSERT_NOT_NULL(test, shelf->dev);
	shelf->port = netdev_priv(shelf->dev);
	shelf->port->netdev = shelf->dev;
	shelf->port->num_chans = SHELF_CHANS;
	shelf->port->rx_size = SHELF_SIZE;
	for (i = 0; i < SHELF_CHANS; i++)
		shelf->port->chan[i] = &shelf->chan[i];
	shelf->chan[1].rxq.ring = &shelf->old;
	set_bit(__LINK_STATE_START, &shelf->dev->state);
	set_bit(PARQ_PORT_UP, &shelf->port->flags);
	parq_queue_netdev(shelf->dev);
	KUNIT_ASSERT_LE(test, shelf->dev->queue_mgmt_ops->ndo_queue_mem_size, sizeof(shelf->mem));
	return 0;
}

static void shelf_exit(struct kunit *test)
{
	free_netdev(shelf->dev);
}

static int mem_alloc(int index)
{
	return shelf->dev->queue_mgmt_ops->ndo_queue_mem_alloc(shelf->dev, NULL, shelf->mem, index);
}

static void mem_free(void)
{
	shelf->dev->queue_mgmt_ops->ndo_queue_mem_free(shelf->dev, shelf->mem);
}

static void memory_comes_and_goes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	mem_free();
	parq_call_log_expect(test, &shelf->log, " alloc discard");
	shelf->log.fails = "alloc";
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENOMEM);
	/* There is nothing to free. */
	mem_free();
	parq_call_log_expect(test, &shelf->log, " alloc");
}

/* The stack has no memory for queues of a port that is down, and none for those that drain. */
static void memory_is_refused(struct kunit *test)
{
	clear_bit(__LINK_STATE_START, &shelf->dev->state);
	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	mem_free();
	set_bit(__LINK_STATE_START, &shelf->dev->state);
	shelf->port->num_chans = 1;
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENETDOWN);
	shelf->port->num_chans = 2;
	clear_bit(PARQ_PORT_UP, &shelf->port->flags);
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENETDOWN);
	parq_call_log_expect(test, &shelf->log, "");
}

/* The old ring is the stack's between stop and start, or goes back if the start fails. */
static void memory_is_replaced(struct kunit *test)
{
	const struct netdev_queue_mgmt_ops *ops = shelf->dev->queue_mgmt_ops;
	u8 new[sizeof(shelf->mem)] __aligned(8);

	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	memcpy(new, shelf->mem, sizeof(new));
	memset(shelf->mem, 0, sizeof(shelf->mem));
	shelf->log.fails = "hold";
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_stop(shelf->dev, shelf->mem, 1), -EIO);
	mem_free();
	parq_call_log_expect(test, &shelf->log, " alloc hold");
	shelf->log.fails = "use";
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_stop(shelf->dev, shelf->mem, 1), 0);
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_start(shelf->dev, NULL, new, 1), 0);
	parq_call_log_expect(test, &shelf->log, " hold use resume");
	KUNIT_EXPECT_PTR_EQ(test, shelf->chan[1].rxq.ring, &shelf->new);
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_start(shelf->dev, NULL, shelf->mem, 1), 0);
	KUNIT_EXPECT_PTR_EQ(test, shelf->chan[1].rxq.ring, &shelf->old);
}

static void queue_is_restarted(struct kunit *test)
{
	shelf->dev->real_num_rx_queues = 2;
	KUNIT_EXPECT_EQ(test, parq_queue_restart(shelf->port, 2), -ENOENT);
	parq_call_log_expect(test, &shelf->log, "");
	KUNIT_EXPECT_EQ(test, parq_queue_restart(shelf->port, 1), 0);
	shelf->log.fails = "restart";
	KUNIT_EXPECT_EQ(test, parq_queue_restart(shelf->port, 0), -EIO);
	parq_call_log_expect(test, &shelf->log, " restart1 restart");
	KUNIT_EXPECT_TRUE(test, mutex_trylock(&shelf->dev->lock));
	mutex_unlock(&shelf->dev->lock);
}

static struct kunit_case shelf_cases[] = {
	KUNIT_CASE(memory_comes_and_goes),
	KUNIT_CASE(memory_is_refused),
	KUNIT_CASE(memory_is_replaced),
	KUNIT_CASE(queue_is_restarted),
	{}
};

static struct kunit_suite shelf_suite = {
	.name = "parq_queue",
	.init = shelf_init,
	.exit = shelf_exit,
	.test_cases = shelf_cases,
};

kunit_test_suite(shelf_suite);
#endif

MODULE_DESCRIPTION("KUnit suite of queue management");
MODULE_LICENSE("GPL");
