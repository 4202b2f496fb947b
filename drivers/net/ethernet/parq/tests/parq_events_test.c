// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the event ring: its life, whom each event reaches, and what the device is told.
 * parq_barrier_test.c has events that come late, without end, or not at all.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "parq_events_calls.h"
#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "../parq_switch.h"
#include "../parq_trace.h"
#include "parq_call_log.h"

#define BELL_ORDER	4
#define BELL_IRQ	77

/**
 * struct bell - a device of two ports, the second of which is missing, and what the fakes have seen
 * @test: test that runs
 * @pd: device
 * @dev: netdev of the first port
 * @log: calls of the fakes
 * @thread: thread of the interrupt
 * @ring: event ring, NULL if it is free
 * @written: position of the next event
 * @err: register of the last illegal access
 */
struct bell {
	struct kunit *test;
	struct parq_dev pd;
	struct net_device *dev;
	struct parq_call_log log;
	irq_handler_t thread;
	struct parq_event *ring;
	u32 written;
	u32 err;
};

static struct bell *bell;

#define bell_call(...)	parq_call_log_addf(&bell->log, " ", __VA_ARGS__)

/* ---- fakes ---------------------------------------------------------------- */

void *bell_alloc(size_t size, dma_addr_t *dma)
{
	if (bell_call("alloc:%zu", size))
		return NULL;
	*dma = 0x1000;
	bell->ring = kunit_kzalloc(bell->test, size, GFP_KERNEL);
	return bell->ring;
}

void bell_free(size_t size, void *mem, dma_addr_t dma)
{
	KUNIT_EXPECT_PTR_EQ(bell->test, mem, (void *)bell->ring);
	KUNIT_EXPECT_EQ(bell->test, dma, (dma_addr_t)0x1000);
	bell->ring = NULL;
	bell_call("free:%zu", size);
}

int bell_request(int irq, irq_handler_t thread, unsigned long flags, const char *name, void *data)
{
	KUNIT_EXPECT_EQ(bell->test, flags, (unsigned long)IRQF_ONESHOT);
	KUNIT_EXPECT_STREQ(bell->test, name, "bell");
	KUNIT_EXPECT_PTR_EQ(bell->test, data, (void *)&bell->pd);
	bell->thread = thread;
	return bell_call("irq:%d", irq);
}

void bell_free_irq(int irq, void *data)
{
	KUNIT_EXPECT_PTR_EQ(bell->test, data, (void *)&bell->pd);
	bell_call("free-irq:%d", irq);
}

void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns)
{
	bell_call("itr:%u,%u", vec, ns);
}

int parq_io_events_start(struct parq_dev *pd, unsigned int order, unsigned int vec)
{
	return bell_call("start:%u,%u", order, vec);
}

void parq_io_events_stop(struct parq_dev *pd)
{
	bell_call("stop");
}

void parq_io_events_ack(struct parq_dev *pd, u32 head)
{
	bell_call("ack:%u", head);
}

u32 parq_io_error_take(struct parq_dev *pd, u32 *addr)
{
	*addr = 0x20;
	return bell->err;
}

bool parq_io_error_expected(u32 err, u32 addr)
{
	bell_call("error:%x@%x", err, addr);
	return true;
}

void parq_link_check(struct parq_port *port)
{
	bell_call("link%u", port->index);
}

void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev)
{
	bell_call("fdb:%u", le32_to_cpu(ev->a));
}

void parq_switch_fdb_lost(struct parq_dev *pd)
{
	bell_call("fdb-lost");
}

void parq_trace_event(struct parq_dev *pd, const struct parq_event *ev)
{
	bell_call("trace:%u", ev->type);
}

void parq_trace_mask_update(struct parq_dev *pd)
{
	bell_call("mask:%d", pd->ev.irq);
}

void parq_pfc_event(struct parq_port *port)
{
	bell_call("pfc%u", port->index);
}

static int bell_irq(struct parq_dev *pd, unsigned int vec)
{
	return BELL_IRQ + vec;
}

static const char *bell_name(struct parq_dev *pd)
{
	return "bell";
}

static const struct parq_bus_ops bell_bus = {
	.irq = bell_irq,
	.name = bell_name,
};

/* ---- events --------------------------------------------------------------- */

/* Puts an event of this type into the ring. */
static struct parq_event *put(u8 type, u8 port)
{
	struct parq_event *ev = &bell->ring[bell->written & (BIT(BELL_ORDER) - 1)];

	*ev = (struct parq_event){ .type = type, .port = port, .a = cpu_to_le32(5),
		.b = cpu_to_le32(0x40), .gen = cpu_to_le32(1 + (bell->written >> BELL_ORDER)) };
	bell->written++;
	return ev;
}

static void expect_calls(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &bell->log, calls);
}

static void interrupt(struct kunit *test, const char *calls)
{
	KUNIT_EXPECT_EQ(test, bell->thread(BELL_IRQ, &bell->pd), IRQ_HANDLED);
	expect_calls(test, calls);
}

static int bell_init(struct kunit *test)
{
	struct parq_port *port;

	bell = kunit_kzalloc(test, sizeof(*bell), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, bell);
	bell->test = test;
	bell->dev = alloc_etherdev(sizeof(struct parq_port));
	KUNIT_ASSERT_NOT_NULL(test, bell->dev);
	port = netdev_priv(bell->dev);
	port->netdev = bell->dev;
	port->pd = &bell->pd;
	bell->pd.bus = &bell_bus;
	bell->pd.caps.ports = 2;
	bell->pd.caps.ring_order = BELL_ORDER;
	bell->pd.port[0] = port;
	mutex_init(&bell->pd.mask_lock);
	return 0;
}

static void bell_exit(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, bell->ring);
	free_netdev(bell->dev);
}

static void begin(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, parq_events_init(&bell->pd), 0);
	expect_calls(test, " alloc:512 irq:77 itr:0,10000 start:4,0 mask:77");
}

static void end(struct kunit *test)
{
	parq_events_fini(&bell->pd);
	expect_calls(test, " stop free-irq:77 free:512");
}

/* ---- cases ---------------------------------------------------------------- */

static void comes_and_goes(struct kunit *test)
{
	bell->pd.ev.pos = 9;
	bell->pd.ev.acked = 9;
	begin(test);
	KUNIT_EXPECT_EQ(test, bell->pd.ev.pos, 0U);
	KUNIT_EXPECT_EQ(test, bell->pd.ev.acked, 0U);
	end(test);
	KUNIT_EXPECT_EQ(test, bell->pd.ev.irq, 0);
	/* The device may have larger rings, which have no use. */
	bell->pd.caps.ring_order = 15;
	KUNIT_EXPECT_EQ(test, parq_events_init(&bell->pd), 0);
	expect_calls(test, " alloc:32768 irq:77 itr:0,10000 start:10,0 mask:77");
	parq_events_fini(&bell->pd);
}

static void does_not_come(struct kunit *test)
{
	bell->log.fails = "alloc:512";
	KUNIT_EXPECT_EQ(test, parq_events_init(&bell->pd), -ENOMEM);
	expect_calls(test, " alloc:512");
	bell->log.fails = "irq:77";
	KUNIT_EXPECT_EQ(test, parq_events_init(&bell->pd), -EIO);
	expect_calls(test, " alloc:512 irq:77 free:512");
	bell->log.fails = "start:4,0";
	KUNIT_EXPECT_EQ(test, parq_events_init(&bell->pd), -EIO);
	expect_calls(test,
		     " alloc:512 irq:77 itr:0,10000 start:4,0 stop free-irq:77 free:512");
	KUNIT_EXPECT_EQ(test, bell->pd.ev.irq, 0);
}

static void reach_their_ports(struct kunit *test)
{
	begin(test);
	put(PARQ_EV_LINK, 0);
	put(PARQ_EV_FDB, 0);
	put(PARQ_EV_PAUSE, 0);
	interrupt(test, " link0 fdb:5 trace:3");
	/* A port that is missing, and one that no device has. */
	put(PARQ_EV_LINK, 1);
	put(PARQ_EV_QUEUE, 1);
	put(PARQ_EV_LINK, 2);
	put(PARQ_EV_QUEUE, 255);
	interrupt(test, " ack:4");
	KUNIT_EXPECT_EQ(test, bell->pd.ev.pos, 7U);
	/* The service work does not run: the port is down for it. */
	set_bit(PARQ_PORT_UP, &bell->pd.port[0]->flags);
	interrupt(test, " pfc0");
	clear_bit(PARQ_PORT_UP, &bell->pd.port[0]->flags);
	end(test);
}

static void queues_are_checked(struct kunit *test)
{
	unsigned long *queues = bell->pd.port[0]->queue_events;
	const unsigned int all = PARQ_MAX_TXQ + PARQ_MAX_RXQ;

	begin(test);
	put(PARQ_EV_QUEUE, 0)->index = 0;
	put(PARQ_EV_QUEUE, 0)->index = all - 1;
	put(PARQ_EV_QUEUE, 0)->index = all;
	interrupt(test, "");
	KUNIT_EXPECT_EQ(test, bitmap_weight(queues, all), 2);
	KUNIT_EXPECT_TRUE(test, test_bit(0, queues));
	KUNIT_EXPECT_TRUE(test, test_bit(all - 1, queues));
	/* An event is lost. It may have been of any queue, or address. */
	bell->written++;
	put(PARQ_EV_FDB, 0);
	interrupt(test, " fdb-lost fdb:5 ack:5");
	KUNIT_EXPECT_EQ(test, bitmap_weight(queues, all), (int)all);
	end(test);
}

/* Of the event if somebody else has read and cleared the register. */
static void illegal_access(struct kunit *test)
{
	begin(test);
	put(PARQ_EV_ERROR, 0);
	interrupt(test, " error:5@40");
	bell->err = 0x13;
	put(PARQ_EV_ERROR, 0);
	interrupt(test, " error:13@20");
	end(test);
}

/* The device learns how far the ring was read at each quarter of it. */
static void quarters_are_told(struct kunit *test)
{
	unsigned int i;

	begin(test);
	for (i = 0; i < 3; i++)
		put(PARQ_EV_PAUSE, 0);
	interrupt(test, " trace:3 trace:3 trace:3");
	put(PARQ_EV_PAUSE, 0);
	interrupt(test, " trace:3 ack:4");
	for (i = 0; i < 13; i++)
		put(PARQ_EV_LINK, 1);
	interrupt(test, " ack:8 ack:12 ack:16");
	KUNIT_EXPECT_EQ(test, bell->pd.ev.pos, 17U);
	end(test);
}

static struct kunit_case bell_cases[] = {
	KUNIT_CASE(comes_and_goes),
	KUNIT_CASE(does_not_come),
	KUNIT_CASE(reach_their_ports),
	KUNIT_CASE(queues_are_checked),
	KUNIT_CASE(illegal_access),
	KUNIT_CASE(quarters_are_told),
	{}
};

static struct kunit_suite bell_suite = {
	.name = "parq_events",
	.init = bell_init,
	.exit = bell_exit,
	.test_cases = bell_cases,
};

kunit_test_suite(bell_suite);

MODULE_DESCRIPTION("KUnit suite of the event ring");
MODULE_LICENSE("GPL");
