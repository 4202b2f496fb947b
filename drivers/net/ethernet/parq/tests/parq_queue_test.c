// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of queue management: what the stack may replace, and what becomes of its memory. */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "parq_queue_calls.h"
#include "../parq_chan.h"
#include "../parq_port.h"
#include "parq_call_log.h"

#ifdef PARQ_HAVE_OPS_LOCK
#define DESK_CHANS	2
#define DESK_SIZE	256

/**
 * struct desk - a port, and what the fakes do and have seen
 * @port: port
 * @dev: its netdev
 * @chan: its channels
 * @old: ring of the second queue
 * @new: ring that is allocated
 * @log: calls of the fakes
 * @mem: the stack's memory for a queue
 */
struct desk {
	struct parq_port *port;
	struct net_device *dev;
	struct parq_chan chan[DESK_CHANS];
	struct parq_rx_ring old;
	struct parq_rx_ring new;
	struct parq_call_log log;
	u8 mem[64] __aligned(8);
};

static struct desk *desk;

/* ---- fakes ---------------------------------------------------------------- */

struct parq_rx_ring *parq_chan_rxq_alloc(struct parq_rxq *q, u32 size)
{
	if (q != &desk->chan[1].rxq || size != DESK_SIZE)
		return NULL;
	return parq_call_log_add(&desk->log, " ", "alloc") ? NULL : &desk->new;
}

void parq_chan_rxq_discard(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	bool right = q == &desk->chan[1].rxq && ring == &desk->new;

	parq_call_log_add(&desk->log, " ", right ? "discard" : "discard?");
}

int parq_chan_rxq_hold(struct parq_rxq *q)
{
	return parq_call_log_add(&desk->log, " ", q == &desk->chan[1].rxq ? "hold" : "hold?");
}

int parq_chan_rxq_use(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	q->ring = ring;
	return parq_call_log_add(&desk->log, " ", q == &desk->chan[1].rxq ? "use" : "use?");
}

void parq_chan_rxq_resume(struct parq_rxq *q)
{
	parq_call_log_add(&desk->log, " ", q == &desk->chan[1].rxq ? "resume" : "resume?");
}

int desk_restart(struct net_device *dev, unsigned int index)
{
	lockdep_assert_held(&dev->lock);
	return parq_call_log_add(&desk->log, " ", index == 1 ? "restart1" : "restart");
}

/* ---- cases ---------------------------------------------------------------- */

static int desk_init(struct kunit *test)
{
	unsigned int i;

	desk = kunit_kzalloc(test, sizeof(*desk), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, desk);
	desk->dev = alloc_etherdev_mq(sizeof(struct parq_port), DESK_CHANS);
	KUNIT_ASSERT_NOT_NULL(test, desk->dev);
	desk->port = netdev_priv(desk->dev);
	desk->port->netdev = desk->dev;
	desk->port->num_chans = DESK_CHANS;
	desk->port->rx_size = DESK_SIZE;
	for (i = 0; i < DESK_CHANS; i++)
		desk->port->chan[i] = &desk->chan[i];
	desk->chan[1].rxq.ring = &desk->old;
	set_bit(__LINK_STATE_START, &desk->dev->state);
	set_bit(PARQ_PORT_UP, &desk->port->flags);
	parq_queue_netdev(desk->dev);
	KUNIT_ASSERT_LE(test, desk->dev->queue_mgmt_ops->ndo_queue_mem_size, sizeof(desk->mem));
	return 0;
}

static void desk_exit(struct kunit *test)
{
	free_netdev(desk->dev);
}

static int mem_alloc(int index)
{
	return desk->dev->queue_mgmt_ops->ndo_queue_mem_alloc(desk->dev, NULL, desk->mem, index);
}

static void mem_free(void)
{
	desk->dev->queue_mgmt_ops->ndo_queue_mem_free(desk->dev, desk->mem);
}

static void memory_comes_and_goes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	mem_free();
	parq_call_log_expect(test, &desk->log, " alloc discard");
	desk->log.fails = "alloc";
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENOMEM);
	/* There is nothing to free. */
	mem_free();
	parq_call_log_expect(test, &desk->log, " alloc");
}

/* The stack has no memory for queues of a port that is down, and none for those that drain. */
static void memory_is_refused(struct kunit *test)
{
	clear_bit(__LINK_STATE_START, &desk->dev->state);
	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	mem_free();
	set_bit(__LINK_STATE_START, &desk->dev->state);
	desk->port->num_chans = 1;
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENETDOWN);
	desk->port->num_chans = 2;
	clear_bit(PARQ_PORT_UP, &desk->port->flags);
	KUNIT_EXPECT_EQ(test, mem_alloc(1), -ENETDOWN);
	parq_call_log_expect(test, &desk->log, "");
}

/* The old ring is the stack's between stop and start, or goes back if the start fails. */
static void memory_is_replaced(struct kunit *test)
{
	const struct netdev_queue_mgmt_ops *ops = desk->dev->queue_mgmt_ops;
	u8 new[sizeof(desk->mem)] __aligned(8);

	KUNIT_EXPECT_EQ(test, mem_alloc(1), 0);
	memcpy(new, desk->mem, sizeof(new));
	memset(desk->mem, 0, sizeof(desk->mem));
	desk->log.fails = "hold";
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_stop(desk->dev, desk->mem, 1), -EIO);
	mem_free();
	parq_call_log_expect(test, &desk->log, " alloc hold");
	desk->log.fails = "use";
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_stop(desk->dev, desk->mem, 1), 0);
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_start(desk->dev, NULL, new, 1), 0);
	parq_call_log_expect(test, &desk->log, " hold use resume");
	KUNIT_EXPECT_PTR_EQ(test, desk->chan[1].rxq.ring, &desk->new);
	KUNIT_EXPECT_EQ(test, ops->ndo_queue_start(desk->dev, NULL, desk->mem, 1), 0);
	KUNIT_EXPECT_PTR_EQ(test, desk->chan[1].rxq.ring, &desk->old);
}

static void queue_is_restarted(struct kunit *test)
{
	desk->dev->real_num_rx_queues = 2;
	KUNIT_EXPECT_EQ(test, parq_queue_restart(desk->port, 2), -ENOENT);
	parq_call_log_expect(test, &desk->log, "");
	KUNIT_EXPECT_EQ(test, parq_queue_restart(desk->port, 1), 0);
	desk->log.fails = "restart";
	KUNIT_EXPECT_EQ(test, parq_queue_restart(desk->port, 0), -EIO);
	parq_call_log_expect(test, &desk->log, " restart1 restart");
	KUNIT_EXPECT_TRUE(test, mutex_trylock(&desk->dev->lock));
	mutex_unlock(&desk->dev->lock);
}

static struct kunit_case desk_cases[] = {
	KUNIT_CASE(memory_comes_and_goes),
	KUNIT_CASE(memory_is_refused),
	KUNIT_CASE(memory_is_replaced),
	KUNIT_CASE(queue_is_restarted),
	{}
};

static struct kunit_suite desk_suite = {
	.name = "parq_queue",
	.init = desk_init,
	.exit = desk_exit,
	.test_cases = desk_cases,
};

kunit_test_suite(desk_suite);
#endif

MODULE_DESCRIPTION("KUnit suite of queue management");
MODULE_LICENSE("GPL");
