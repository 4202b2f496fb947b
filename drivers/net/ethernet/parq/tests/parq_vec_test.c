// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the NAPI of a vector, over fakes of its queues: what a poll does and in which
 * order, and which interrupts are found lost.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "../parq_chan.h"
#include "../parq_io.h"
#include "../parq_rx.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"
#include "parq_vec_calls.h"

#define POLL_BUDGET	64
#define POLL_HW		3	/* MSI-X vector */

/**
 * struct poll - what the fakes do, and have seen
 * @received: frames that the RX queue has for a poll
 * @unsent: a socket of AF_XDP has more frames than fit
 * @rx_pending: the device has completed frames of the RX queue
 * @tx_pending: the same of TX queues, BIT(index)
 * @stays: the stack keeps the NAPI scheduled
 * @timer: the NAPI has a timer
 * @races: another processor polls as soon as the NAPI is complete
 * @schedules: times that a poll was scheduled
 * @receives: calls of poll functions of RX queues
 * @cleaned: TX queues that were cleaned, BIT(index)
 * @rx_armed: the interrupt of the RX queue is armed
 * @tx_armed: those of TX queues, BIT(index)
 * @early: an interrupt was armed before the NAPI was complete
 * @complete: the NAPI is complete
 * @watched: looks at RX queues
 * @itr_ns: moderation that was written
 */
static struct poll {
	int received;
	bool unsent;
	bool rx_pending;
	u8 tx_pending;
	bool stays;
	bool timer;
	struct parq_vec *races;
	unsigned int schedules;
	unsigned int receives;
	u8 cleaned;
	bool rx_armed;
	u8 tx_armed;
	bool early;
	bool complete;
	unsigned int watched;
	u32 itr_ns;
} poll;

/* ---- fakes -------------------------------------------------------------- */

unsigned long poll_now;

void poll_schedule(void)
{
	poll.schedules++;
}

bool poll_complete(void)
{
	poll.complete = !poll.stays;
	if (poll.races)
		poll.races->polls++;
	return poll.complete;
}

bool poll_timer(void)
{
	return poll.timer;
}

int parq_rx_poll(struct parq_rxq *q, struct napi_struct *napi, int budget)
{
	poll.receives++;
	return poll.received;
}

int parq_rx_poll_xdp(struct parq_rxq *q, struct napi_struct *napi, int budget,
		     struct bpf_prog *prog)
{
	return 0;
}

int parq_xsk_poll(struct parq_rxq *q, struct napi_struct *napi, int budget)
{
	poll.receives++;
	return poll.received;
}

bool parq_xsk_send(struct parq_xsk *x)
{
	return poll.unsent;
}

void parq_tx_clean(struct parq_txq *q, int budget)
{
	poll.cleaned |= BIT(q->index);
}

bool parq_rx_pending(const struct parq_rxq *q)
{
	return poll.rx_pending;
}

bool parq_tx_pending(const struct parq_txq *q)
{
	return poll.tx_pending & BIT(q->index);
}

void parq_rx_arm(const struct parq_rxq *q)
{
	poll.rx_armed = true;
	poll.early |= !poll.complete;
}

void parq_tx_arm(const struct parq_txq *q)
{
	poll.tx_armed |= BIT(q->index);
	poll.early |= !poll.complete;
}

void parq_rx_watch(struct parq_rxq *q)
{
	poll.watched++;
}

void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns)
{
	poll.itr_ns = vec == POLL_HW ? ns : 0;
}

/* ---- cases -------------------------------------------------------------- */

/**
 * struct bed - a vector with an RX queue and a TX queue per priority
 * @vec: the vector
 * @rxq: its RX queue
 * @rx: ring of @rxq
 * @txq: its TX queues
 * @tx: rings of @txq
 */
struct bed {
	struct parq_vec vec;
	struct parq_rxq rxq;
	struct parq_rx_ring rx;
	struct parq_txq txq[PARQ_NUM_PRIO];
	struct parq_tx_ring tx[PARQ_NUM_PRIO];
};

static struct bed *bed_new(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	struct bed *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, b);
	memset(&poll, 0, sizeof(poll));
	poll_now = INITIAL_JIFFIES;
	b->vec.port = netdev_priv(dev);
	b->vec.port->netdev = dev;
	b->vec.hw = POLL_HW;
	b->vec.rxq = &b->rxq;
	b->vec.txq = b->txq;
	b->vec.num_txq = PARQ_NUM_PRIO;
	b->rxq.ring = &b->rx;
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		b->txq[i].index = i;
		b->txq[i].ring = &b->tx[i];
		b->txq[i].clean = &b->tx[i];
	}
	parq_vec_select(&b->vec);
	return b;
}

static void bed_end(struct bed *b)
{
	free_netdev(b->vec.port->netdev);
}

static int bed_poll(struct bed *b, int budget)
{
	poll.complete = false;
	poll.cleaned = 0;
	poll.receives = 0;
	poll.rx_armed = false;
	poll.tx_armed = 0;
	poll.schedules = 0;
	return b->vec.napi.poll(&b->vec.napi, budget);
}

static void poll_ends(struct kunit *test)
{
	struct bed *b = bed_new(test);

	poll.received = POLL_BUDGET - 1;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), POLL_BUDGET - 1);
	KUNIT_EXPECT_EQ(test, poll.cleaned, 0xff);
	KUNIT_EXPECT_TRUE(test, poll.complete);
	KUNIT_EXPECT_TRUE(test, poll.rx_armed);
	KUNIT_EXPECT_EQ(test, poll.tx_armed, 0xff);
	KUNIT_EXPECT_FALSE(test, poll.early);
	KUNIT_EXPECT_EQ(test, poll.schedules, 0U);
	/* Completed between the poll and arming. */
	poll.rx_pending = true;
	bed_poll(b, POLL_BUDGET);
	KUNIT_EXPECT_EQ(test, poll.schedules, 1U);
	poll.rx_pending = false;
	poll.tx_pending = BIT(PARQ_NUM_PRIO - 1);
	bed_poll(b, POLL_BUDGET);
	KUNIT_EXPECT_EQ(test, poll.schedules, 1U);
	/* What was armed may be older than what another processor has armed. */
	poll.tx_pending = 0;
	poll.races = &b->vec;
	bed_poll(b, POLL_BUDGET);
	KUNIT_EXPECT_EQ(test, poll.schedules, 1U);
	bed_end(b);
}

static void poll_goes_on(struct kunit *test)
{
	struct bed *b = bed_new(test);

	poll.received = POLL_BUDGET;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), POLL_BUDGET);
	KUNIT_EXPECT_FALSE(test, poll.complete);
	KUNIT_EXPECT_FALSE(test, poll.rx_armed);
	/* The stack polls again by itself. */
	poll.received = 1;
	poll.stays = true;
	poll.rx_pending = true;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), 1);
	KUNIT_EXPECT_FALSE(test, poll.rx_armed);
	KUNIT_EXPECT_EQ(test, poll.tx_armed, 0);
	KUNIT_EXPECT_EQ(test, poll.schedules, 0U);
	bed_end(b);
}

/* Netpoll receives nothing. */
static void poll_without_budget(struct kunit *test)
{
	struct bed *b = bed_new(test);

	poll.received = 1;
	KUNIT_EXPECT_EQ(test, bed_poll(b, 0), 0);
	KUNIT_EXPECT_EQ(test, poll.cleaned, 0xff);
	KUNIT_EXPECT_EQ(test, poll.receives, 0U);
	bed_end(b);
}

static void poll_of_sockets(struct kunit *test)
{
	struct bed *b = bed_new(test);

	b->rx.xsk = kunit_kzalloc(test, sizeof(*b->rx.xsk), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b->rx.xsk);
	parq_vec_select(&b->vec);
	poll.received = 5;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), 5);
	KUNIT_EXPECT_EQ(test, poll.receives, 1U);
	poll.unsent = true;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), POLL_BUDGET);
	KUNIT_EXPECT_FALSE(test, poll.complete);
	bed_end(b);
}

/* Return: interrupts found lost by a look at the vector, a second after the last one. */
static unsigned int poll_lost(struct bed *b)
{
	u64 before = b->vec.port->lost_irqs;

	poll.schedules = 0;
	poll_now += HZ;
	parq_vec_watch(&b->vec);
	return b->vec.port->lost_irqs - before;
}

/* A poll was due at two looks, and nothing has happened in between. */
static void irq_is_lost(struct kunit *test)
{
	struct bed *b = bed_new(test);

	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b) + poll_lost(b), 0U, "idle");
	poll.rx_pending = true;
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "it may be on its way");
	KUNIT_EXPECT_EQ(test, poll_lost(b), 1U);
	KUNIT_EXPECT_EQ(test, poll.schedules, 1U);
	poll.rx_pending = false;
	poll.tx_pending = BIT(PARQ_NUM_PRIO - 1);
	KUNIT_EXPECT_EQ(test, poll_lost(b), 1U);
	poll.tx_pending = 0;
	KUNIT_EXPECT_EQ(test, poll_lost(b), 0U);
	poll.tx_pending = 1;
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "there was a poll");
	KUNIT_EXPECT_EQ(test, poll.watched, 7U);
	bed_end(b);
}

/* Whatever has moved is a sign of a poll, even if all queues have moved by the same number. */
static void irq_is_not_lost(struct kunit *test)
{
	struct bed *b = bed_new(test);
	unsigned int i;

	poll.rx_pending = true;
	poll_lost(b);
	b->rx.pos++;
	KUNIT_EXPECT_EQ(test, poll_lost(b), 0U);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		b->tx[i].head++;
		KUNIT_EXPECT_EQ(test, poll_lost(b), 0U);
	}
	b->rx.pos++;
	b->tx[0].head++;
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "RX and TX");
	set_bit(NAPI_STATE_SCHED, &b->vec.napi.state);
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "scheduled");
	clear_bit(NAPI_STATE_SCHED, &b->vec.napi.state);
	poll.timer = true;
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "deferred");
	poll.timer = false;
	/* The service work was asked for in between: that look does not count. */
	poll_now -= HZ - 1;
	KUNIT_EXPECT_EQ_MSG(test, poll_lost(b), 0U, "too early");
	poll_now += HZ - 1;
	KUNIT_EXPECT_EQ(test, poll_lost(b), 1U);
	bed_end(b);
}

/* Vectors of one kind only. */
static void vec_itr(struct kunit *test)
{
	struct bed *b = bed_new(test);

	b->vec.port->itr.rx_usecs = 10;
	b->vec.port->itr.tx_usecs = 20;
	parq_vec_itr(&b->vec);
	KUNIT_EXPECT_EQ(test, poll.itr_ns, 10000U);
	b->vec.rxq = NULL;
	parq_vec_select(&b->vec);
	parq_vec_itr(&b->vec);
	KUNIT_EXPECT_EQ(test, poll.itr_ns, 20000U);
	poll.received = 1;
	KUNIT_EXPECT_EQ(test, bed_poll(b, POLL_BUDGET), 0);
	KUNIT_EXPECT_EQ(test, poll.tx_armed, 0xff);
	KUNIT_EXPECT_FALSE(test, poll.rx_armed);
	poll.tx_pending = 1;
	poll_lost(b);
	KUNIT_EXPECT_EQ(test, poll_lost(b), 1U);
	KUNIT_EXPECT_EQ(test, poll.watched, 0U);
	bed_end(b);
}

static struct kunit_case vec_cases[] = {
	KUNIT_CASE(poll_ends),
	KUNIT_CASE(poll_goes_on),
	KUNIT_CASE(poll_without_budget),
	KUNIT_CASE(poll_of_sockets),
	KUNIT_CASE(irq_is_lost),
	KUNIT_CASE(irq_is_not_lost),
	KUNIT_CASE(vec_itr),
	{}
};

static struct kunit_suite vec_suite = {
	.name = "parq_vec",
	.test_cases = vec_cases,
};

kunit_test_suite(vec_suite);

MODULE_DESCRIPTION("KUnit suite of the NAPI of a vector");
MODULE_LICENSE("GPL");
