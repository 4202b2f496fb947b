// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suites of the PFC engine, and of link pause beside it, over a fake device:
 * eight gates (gate.c) behind the functions of parq_io_dcb.h that the engine calls,
 * whose accesses can be refused, and memory that can be short.
 */
#include <kunit/test.h>
#include <linux/dma-mapping.h>
#include <linux/rtnetlink.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "../parq.h"
#include "gate.h"

#define FAKE_ENTRIES	512
#define FAKE_PIPE	64
#define FAKE_ORDER	10	/* of the park queues for these */
#define FAKE_MEMORY	SZ_1M	/* of receive buffers */
#define FAKE_CLASS	3	/* the one that tests pause */
#define FAKE_ONE	BIT(FAKE_CLASS)
#define FAKE_LINK	(PARQ_FC_CTRL_PAUSE_RX | PARQ_FC_CTRL_PAUSE_TX)

/**
 * struct fake - a device with one port, and the driver's view of it
 * @test: whose it is
 * @port: the port
 * @pd: the device
 * @dev: whom memory is allocated for
 * @netdev: has an MTU
 * @status: its status page
 * @gate: by priority
 * @seq: of the command on its way, or of the last one
 * @dma: park queue, by priority; 0 for none
 * @order: of it
 * @queues_set: times that the device was given another queue, or none
 * @head: register PARQ_PARK_HEAD, by priority
 * @en: PARQ_PFC_CTRL, priorities with PFC
 * @offload: PARQ_PFC_CTRL, the device runs the FSM
 * @sched: the scheduler has its settings
 * @rxb: receive buffers
 * @flow: PARQ_FC_CTRL
 * @flows_set: times that it was written
 * @flow_status: PARQ_FC_STATUS
 * @low: opcode and priorities of Pause Low, as PARQ_FC_LOW
 * @sent: last request of PARQ_FC_SEND
 * @limit_ms: PARQ_PFC_STORM_LIMIT
 * @fc_limit_ms: PARQ_FC_LIMIT
 * @forward: PARQ_PFC_STORM_FORWARD
 * @obeyed: PARQ_PFC_OBEY, as last written
 * @storms_set: times that PARQ_PFC_STORM was written
 * @used: register PARQ_RXB_USED of every buffer
 * @entries: descriptors that the rings of a priority hold
 * @refuse_pfc: PARQ_PFC_CTRL does not take what is written
 * @refuse_sched: nor does the scheduler
 * @refuse_rxb: nor does PARQ_RXB_APPLY
 * @refuse_flow: nor does PARQ_FC_CTRL
 * @refuse_storm: nor does PARQ_PFC_STORM
 * @refuse_limit: nor does PARQ_FC_LIMIT
 * @liar: says to each command that it is done, and that the next one is due
 * @commands: that came
 * @allocs: pieces of memory that are allocated
 * @fail_at: the allocation that fails, counted down; 0 for none
 * @edges: of FSMs that were traced
 * @stalls: that were traced
 * @changes: of storms that were told
 */
struct fake {
	struct kunit *test;
	struct parq_port port;
	struct parq_dev pd;
	struct device dev;
	struct net_device netdev;
	struct parq_status status;
	struct gate gate[PARQ_NUM_PRIO];
	u8 seq[PARQ_NUM_PRIO];
	dma_addr_t dma[PARQ_NUM_PRIO];
	unsigned int order[PARQ_NUM_PRIO];
	unsigned int queues_set[PARQ_NUM_PRIO];
	u32 head[PARQ_NUM_PRIO];
	u8 en;
	bool offload;
	bool sched;
	struct parq_rxb rxb;
	u32 flow;
	unsigned int flows_set;
	u32 flow_status;
	u32 low;
	u32 sent;
	u16 limit_ms;
	u16 fc_limit_ms;
	bool forward;
	u8 obeyed;
	unsigned int storms_set;
	u32 used;
	unsigned int entries;
	bool refuse_pfc;
	bool refuse_sched;
	bool refuse_rxb;
	bool refuse_flow;
	bool refuse_storm;
	bool refuse_limit;
	bool liar;
	unsigned int commands;
	unsigned int allocs;
	unsigned int fail_at;
	unsigned int edges;
	unsigned int stalls;
	unsigned int changes;
};

/* ---- what the engine calls ---------------------------------------------- */

static struct fake *fake_of(const struct parq_port *port)
{
	return container_of(port->pd, struct fake, pd);
}

static void *fake_alloc(struct device *dev, size_t size, dma_addr_t *dma,
			gfp_t gfp)
{
	struct fake *f = container_of(dev, struct fake, dev);
	void *mem;

	if (f->fail_at && !--f->fail_at)
		return NULL;
	mem = kzalloc(size, gfp);
	*dma = (dma_addr_t)(uintptr_t)mem;
	f->allocs += !!mem;
	return mem;
}

/* No class may have memory that is given back. */
static void fake_free(struct device *dev, size_t size, void *mem, dma_addr_t dma)
{
	struct fake *f = container_of(dev, struct fake, dev);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		KUNIT_EXPECT_NE(f->test, f->dma[prio], dma);
	f->allocs--;
	kfree(mem);
}

/* The driver's tracepoints are in another module; these know of no device. */
#define _PARQ_TRACE_H

static struct fake *fake_now;

static void trace_parq_fsm(const struct net_device *netdev, u64 time, u8 prio,
			   u32 old_state, u32 new_state, u64 levels,
			   bool offload)
{
	fake_now->edges++;
}

static void trace_parq_stall(const struct net_device *netdev, u8 prio,
			     u64 levels)
{
	fake_now->stalls++;
}

static int fake_sched_open(struct parq_port *port)
{
	struct fake *f = fake_of(port);

	f->sched = !f->refuse_sched;
	return f->sched ? 0 : -EIO;
}

/* Its own copy: the driver's is in another module. */
#define parq_sched_open		fake_sched_open
#define dma_alloc_coherent	fake_alloc
#define dma_free_coherent	fake_free
#include "../parq_pfc.c"
#include "../parq_buffer.c"
#include "../parq_pause.c"
#include "../parq_storm.c"

static void fake_publish(struct fake *f)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct parq_pfc_status *st = &f->status.pfc[prio];
		u64 levels = f->gate[prio].levels;
		u8 ack = f->seq[prio] - (f->gate[prio].open != PARQ_PFC_NOP);

		levels |= FIELD_PREP(PARQ_LEVELS_ACK, ack);
		st->levels = cpu_to_le64(levels);
		st->park_head = cpu_to_le32(f->head[prio]);
		st->storms = cpu_to_le64(f->gate[prio].storms);
	}
}

unsigned int parq_ring_tx_entries(const struct parq_port *port)
{
	return fake_of(port)->entries;
}

u32 parq_io_rxb_total(struct parq_port *port)
{
	return FAKE_MEMORY;
}

/* A lossless class has a buffer with headroom, always. */
int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb)
{
	struct fake *f = fake_of(port);
	unsigned int prio;

	if (f->refuse_rxb)
		return -EIO;
	f->rxb = *rxb;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		unsigned int n = parq_rxb_buffer(rxb, prio);

		if (f->flow & (BIT(prio) | PARQ_FC_CTRL_PAUSE_TX))
			KUNIT_EXPECT_LT(f->test, rxb->xoff[n], rxb->size[n]);
	}
	return 0;
}

/* PFC and link pause exclude each other, in the device as well. */
int parq_io_fc_ctrl(struct parq_port *port, u32 ctrl)
{
	struct fake *f = fake_of(port);

	if (f->refuse_flow)
		return -EIO;
	if (ctrl & FAKE_LINK)
		KUNIT_EXPECT_EQ(f->test, f->en | (ctrl & ~FAKE_LINK), 0U);
	f->flow = ctrl;
	f->flows_set++;
	return 0;
}

u32 parq_io_fc_status(struct parq_port *port)
{
	return fake_of(port)->flow_status;
}

int parq_io_fc_low(struct parq_port *port, u16 opcode, u8 prios)
{
	fake_of(port)->low = FIELD_PREP(PARQ_FC_LOW_OPCODE, opcode) |
			     FIELD_PREP(PARQ_FC_LOW_PRIOS, prios);
	return 0;
}

int parq_io_fc_send(struct parq_port *port, u32 request)
{
	fake_of(port)->sent = request;
	return 0;
}

int parq_io_storm_set(struct parq_port *port, u16 limit_ms, bool forward)
{
	struct fake *f = fake_of(port);

	if (f->refuse_storm)
		return -EIO;
	f->limit_ms = limit_ms;
	f->forward = forward;
	f->storms_set++;
	return 0;
}

int parq_io_fc_limit(struct parq_port *port, u16 limit_ms)
{
	struct fake *f = fake_of(port);

	if (f->refuse_limit && limit_ms)
		return -EIO;
	f->fc_limit_ms = limit_ms;
	return 0;
}

u32 parq_io_rxb_used(struct parq_port *port, unsigned int n)
{
	return fake_of(port)->used;
}

u32 parq_io_rxb_high(struct parq_port *port, unsigned int n)
{
	return fake_of(port)->used;
}

void parq_io_rxb_forget(struct parq_port *port, unsigned int n)
{
}

int parq_io_pfc_ctrl(struct parq_port *port, u8 en, bool offload)
{
	struct fake *f = fake_of(port);
	unsigned int prio;

	if (f->refuse_pfc)
		return -EIO;
	f->en = en;
	f->offload = offload;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (!(en & BIT(prio)))
			gate_pause(&f->gate[prio], false);
	fake_publish(f);
	return 0;
}

int parq_io_park_set(struct parq_port *port, unsigned int prio, dma_addr_t dma,
		     unsigned int order)
{
	struct fake *f = fake_of(port);

	if (f->gate[prio].levels & PARQ_LEVELS_HOLD)
		return -EBUSY;
	f->dma[prio] = dma;
	f->order[prio] = order;
	f->queues_set[prio]++;
	return 0;
}

/* Pauses that run are obeyed again. */
void parq_io_storm_obey(struct parq_port *port, u8 prios)
{
	struct fake *f = fake_of(port);
	unsigned int prio;

	f->obeyed = prios;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct gate *g = &f->gate[prio];

		if (!(prios & BIT(prio)) || !(g->levels & PARQ_LEVELS_STORM))
			continue;
		gate_pause(g, false);
		gate_pause(g, true);
	}
	fake_publish(f);
}

/* One at a time, or the device could not tell which one it acknowledges. */
void parq_io_pfc_cmd(struct parq_port *port, unsigned int prio,
		     enum parq_pfc_op op, u8 seq)
{
	struct fake *f = fake_of(port);

	f->commands++;
	KUNIT_EXPECT_EQ(f->test, (int)f->gate[prio].open, PARQ_PFC_NOP);
	KUNIT_EXPECT_EQ(f->test, seq, (u8)(f->seq[prio] + 1));
	f->seq[prio] = seq;
	if (f->liar)
		f->gate[prio].levels ^= PARQ_LEVELS_HALT;
	else
		f->gate[prio].open = op;
	fake_publish(f);
}

u32 parq_io_park_head(struct parq_port *port, unsigned int prio)
{
	return fake_of(port)->head[prio];
}

/* ---- what tests do with it ---------------------------------------------- */

static struct fake *fake_new(struct kunit *test, bool offload)
{
	struct fake *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, f);
	f->entries = FAKE_ENTRIES;
	f->pd.dev = &f->dev;
	f->pd.caps.pipe_depth = FAKE_PIPE;
	f->pd.caps.park_order = 16;
	f->pd.caps.flags = offload ? PARQ_CAP_OFFLOAD : 0;
	f->port.pd = &f->pd;
	f->port.status = &f->status;
	f->port.netdev = &f->netdev;
	f->port.mru = 1500;
	f->port.link.speed = PARQ_SPEED_10G;
	f->netdev.mtu = 1500;
	mutex_init(&f->port.link_lock);
	f->test = test;
	fake_now = f;
	parq_pfc_init(&f->port);
	return f;
}

static int fake_set(struct fake *f, u8 en)
{
	struct ieee_pfc pfc = { .pfc_en = en };
	char why[PARQ_DCB_WHY_LEN];
	int err;

	rtnl_lock();
	err = parq_pfc_set(&f->port, &pfc, why);
	rtnl_unlock();
	return err;
}

static int fake_open(struct fake *f, u8 en)
{
	int err = fake_set(f, en);

	if (err)
		return err;
	rtnl_lock();
	err = parq_pfc_open(&f->port);
	rtnl_unlock();
	return err;
}

static int fake_resize(struct fake *f, unsigned int entries)
{
	int err;

	f->entries = entries;
	rtnl_lock();
	err = parq_pfc_resize(&f->port);
	rtnl_unlock();
	return err;
}

/* The port has been stopped: whatever was parked is gone. */
static void fake_close(struct kunit *test, struct fake *f)
{
	memset(f->gate, 0, sizeof(f->gate));
	rtnl_lock();
	parq_pfc_close(&f->port);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->allocs, 0U);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	parq_pfc_fini(&f->port);
}

/* The class is held, with frames parked, when the device has come to rest. */
static void fake_park(struct fake *f, unsigned int prio, bool offload)
{
	struct gate *g = &f->gate[prio];
	unsigned int i;

	g->pipe = GATE_PIPE;
	gate_pause(g, true);
	for (i = 0; i < 100; i++) {
		if (offload && !(g->levels & PARQ_LEVELS_HALT))
			g->levels |= PARQ_LEVELS_HALT;
		fake_publish(f);
		parq_pfc_event(&f->port);
		gate_advance(g);
	}
	fake_publish(f);
}

/* No class is paused: all have to be free again in bounded time. */
static void fake_settle(struct kunit *test, struct fake *f)
{
	unsigned int prio, i;

	for (i = 0; i < 200; i++) {
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			gate_pause(&f->gate[prio], false);
			gate_advance(&f->gate[prio]);
		}
		fake_publish(f);
		parq_pfc_event(&f->port);
	}
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		KUNIT_EXPECT_EQ(test, f->gate[prio].levels, 0ULL);
		KUNIT_EXPECT_EQ(test, f->gate[prio].parked, 0U);
	}
}

static void expect_queues(struct kunit *test, const struct fake *f, u8 mask,
			  unsigned int order)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		bool wanted = mask & BIT(prio);

		KUNIT_EXPECT_EQ(test, !!f->dma[prio], wanted);
		KUNIT_EXPECT_EQ(test, f->order[prio], wanted ? order : 0);
	}
	KUNIT_EXPECT_EQ(test, f->allocs, (unsigned int)hweight8(mask));
}

/* ---- life --------------------------------------------------------------- */

static void pfc_opens_and_closes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_EXPECT_EQ(test, fake_open(f, 0x0f), 0);
	KUNIT_EXPECT_EQ(test, f->en, 0x0f);
	KUNIT_EXPECT_TRUE(test, f->offload);
	expect_queues(test, f, 0x0f, FAKE_ORDER);
	fake_close(test, f);
	KUNIT_EXPECT_EQ(test, f->en, 0);
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, 0x0f);
}

/* Settings of a port that is down reach the device when it comes up. */
static void pfc_keeps_settings(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = 0x81, .mbc = 1, .delay = 1234 };
	struct fake *f = fake_new(test, false);
	char why[PARQ_DCB_WHY_LEN];

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), 0);
	KUNIT_EXPECT_EQ(test, f->allocs, 0U);
	KUNIT_EXPECT_EQ(test, f->en, 0);
	KUNIT_EXPECT_EQ(test, parq_pfc_open(&f->port), 0);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->en, 0x81);
	KUNIT_EXPECT_EQ(test, f->flow, 0x81U);
	KUNIT_EXPECT_TRUE(test, f->sched);
	KUNIT_EXPECT_TRUE(test, f->port.pfc.mbc);
	KUNIT_EXPECT_EQ(test, f->port.pfc.delay, 1234);
	fake_close(test, f);
}

/* Whichever step of it fails, nothing is left behind. */
static void pfc_open_fails(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	unsigned int n;

	KUNIT_EXPECT_EQ(test, fake_set(f, 0xff), 0);
	for (n = 1; n <= PARQ_NUM_PRIO; n++) {
		f->fail_at = n;
		KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -ENOMEM);
		expect_queues(test, f, 0, 0);
		KUNIT_EXPECT_FALSE(test, f->port.pfc.up);
	}
	f->refuse_sched = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -EIO);
	expect_queues(test, f, 0, 0);
	f->refuse_sched = false;
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -EIO);
	expect_queues(test, f, 0, 0);
	f->refuse_pfc = false;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), 0);
	expect_queues(test, f, 0xff, FAKE_ORDER);
	fake_close(test, f);
}

/* ---- settings ----------------------------------------------------------- */

/* A class that is lossless before and after keeps its queue. */
static void pfc_touches_only_what_changes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	memset(f->queues_set, 0, sizeof(f->queues_set));
	KUNIT_EXPECT_EQ(test, fake_set(f, 0x0c), 0);
	KUNIT_EXPECT_EQ(test, f->queues_set[2], 1U);
	KUNIT_EXPECT_EQ(test, f->queues_set[3], 0U);
	KUNIT_EXPECT_EQ(test, f->queues_set[4], 1U);
	expect_queues(test, f, 0x0c, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0x0c), 0);
	KUNIT_EXPECT_EQ(test, f->queues_set[2], 1U);
	fake_close(test, f);
}

static void pfc_set_fails(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = 0xff, .mbc = 1, .delay = 99 };
	struct fake *f = fake_new(test, false);
	char why[PARQ_DCB_WHY_LEN];
	struct parq_rxb rxb;
	unsigned int n;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	rxb = f->rxb;
	rtnl_lock();
	for (n = 1; n < PARQ_NUM_PRIO; n++) {
		f->fail_at = n;
		KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), -ENOMEM);
		expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	}
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), -EIO);
	f->refuse_pfc = false;
	/* Queues that were not wanted after all go at the next look. */
	parq_pfc_event(&f->port);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	f->refuse_rxb = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), -EIO);
	f->refuse_rxb = false;
	/* Its buffer would have to give room away, and is full. */
	f->used = FAKE_MEMORY;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), -EBUSY);
	f->used = 0;
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, memcmp(&f->rxb, &rxb, sizeof(rxb)), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_ONE);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, why), -ENODEV);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->en, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, FAKE_ONE);
	KUNIT_EXPECT_FALSE(test, f->port.pfc.mbc);
	KUNIT_EXPECT_EQ(test, f->port.pfc.delay, 0);
	fake_close(test, f);
}

/* PFC goes off for a class whose frames are parked: its memory stays till then. */
static void pfc_off_while_parked(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	fake_park(f, FAKE_CLASS, false);
	KUNIT_ASSERT_GT(test, f->gate[FAKE_CLASS].parked, 0U);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0xff & ~FAKE_ONE), 0);
	expect_queues(test, f, 0xff, FAKE_ORDER);
	fake_settle(test, f);
	expect_queues(test, f, 0xff & ~FAKE_ONE, FAKE_ORDER);
	fake_close(test, f);
}

/* On again before the frames have left: the queue of before will do. */
static void pfc_off_and_on_while_parked(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	dma_addr_t dma;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	dma = f->dma[FAKE_CLASS];
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_set(f, FAKE_ONE), 0);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	fake_settle(test, f);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, f->dma[FAKE_CLASS], dma);
	fake_close(test, f);
}

/* Rings change while a class is held: it has its new queue when it is released. */
static void pfc_resizes(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_EXPECT_EQ(test, fake_resize(f, 2 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, f->allocs, 0U);
	f->entries = FAKE_ENTRIES;
	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	fake_park(f, FAKE_CLASS, false);
	f->fail_at = 2;
	KUNIT_EXPECT_EQ(test, fake_resize(f, 4 * FAKE_ENTRIES), -ENOMEM);
	expect_queues(test, f, 0x18, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, fake_resize(f, 2 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, fake_resize(f, 4 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, f->order[3], (unsigned int)FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, f->order[4], FAKE_ORDER + 2U);
	KUNIT_EXPECT_EQ(test, f->allocs, 3U);
	fake_settle(test, f);
	expect_queues(test, f, 0x18, FAKE_ORDER + 2);
	fake_close(test, f);
}

/* ---- executor ----------------------------------------------------------- */

/* Anything at any moment, seen late or not at all; and then no pause any more. */
static void fake_schedule(struct kunit *test, u32 seed)
{
	struct fake *f = fake_new(test, true);
	unsigned int i, prio;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	KUNIT_ASSERT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	for (i = 0; i < 300; i++) {
		prio = gate_random(&seed) % PARQ_NUM_PRIO;
		switch (gate_random(&seed) % 8) {
		case 0:
			if (f->en & BIT(prio))
				gate_pause(&f->gate[prio], gate_random(&seed) & 1);
			break;
		case 1:
			gate_storm(&f->gate[prio]);
			fallthrough;
		case 2:
			parq_pfc_event(&f->port);
			break;
		case 3:
			if (gate_random(&seed) % 8)
				break;
			KUNIT_EXPECT_EQ(test, fake_set(f, gate_random(&seed)), 0);
			break;
		case 4:
			if (gate_random(&seed) % 8)
				break;
			KUNIT_EXPECT_EQ(test, fake_resize(f, FAKE_ENTRIES <<
							  gate_random(&seed) % 3), 0);
			break;
		default:
			gate_advance(&f->gate[prio]);
			fake_publish(f);
			break;
		}
	}
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, f->en, f->port.pfc.en);
	KUNIT_EXPECT_EQ(test, f->allocs, (unsigned int)hweight8(f->en));
	fake_close(test, f);
}

static void pfc_schedules(struct kunit *test)
{
	u32 seed;

	for (seed = 0; seed < 500; seed++)
		fake_schedule(test, seed);
}

/* Every edge of a pause is seen, and commands are counted. */
static void pfc_runs_the_fsm(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_FALSE(test, f->offload);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_IDLE);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	/* HALT, FLUSH, RELEASE: to halting, parked, flushing, parked, ... */
	KUNIT_EXPECT_EQ(test, c->commands, 3ULL);
	KUNIT_EXPECT_EQ(test, f->edges, 6U);
	KUNIT_EXPECT_EQ(test, c->refused, 0ULL);
	fake_close(test, f);
}

static void pfc_counts_refused_releases(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];
	struct gate *g = &f->gate[FAKE_CLASS];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	gate_pause(g, true);
	for (i = 0; i < 20 && g->open != PARQ_PFC_RELEASE; i++) {
		gate_pause(g, false);
		gate_advance(g);
		fake_publish(f);
		parq_pfc_event(&f->port);
	}
	KUNIT_ASSERT_EQ(test, (int)g->open, PARQ_PFC_RELEASE);
	gate_pause(g, true);
	gate_advance(g);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->refused, 1ULL);
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, c->refused, 1ULL);
	fake_close(test, f);
}

static void pfc_executor_changes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];
	struct gate *g = &f->gate[FAKE_CLASS];

	/* Down: for the next time that it is up. */
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), 0);
	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_TRUE(test, f->offload);

	/* Where the device stopped, the driver goes on. */
	fake_park(f, FAKE_CLASS, true);
	KUNIT_EXPECT_EQ(test, f->commands, 0U);
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), -EIO);
	KUNIT_EXPECT_TRUE(test, f->port.pfc.offload);
	f->refuse_pfc = false;
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	gate_pause(g, false);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, (int)g->open, PARQ_PFC_FLUSH);

	/* Not while a command is on its way. */
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), -ETIMEDOUT);
	KUNIT_EXPECT_FALSE(test, f->port.pfc.offload);
	gate_advance(g);
	fake_publish(f);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), 0);
	KUNIT_EXPECT_TRUE(test, f->offload);

	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), -ENODEV);
	fake_close(test, f);
}

/* ---- supervision -------------------------------------------------------- */

/* As if so much time had gone by. */
static void fake_wait(struct fake *f, unsigned long time)
{
	f->port.pfc.prio[FAKE_CLASS].since -= time;
}

/* Held, not paused, and nothing moves: once, and not for ever. */
static void pfc_sees_a_stall(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, true);
	fake_wait(f, 2 * PARQ_PFC_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);

	gate_pause(&f->gate[FAKE_CLASS], false);
	fake_publish(f);
	parq_pfc_event(&f->port);
	fake_wait(f, PARQ_PFC_STUCK / 2);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);

	/* The head moves: a long pass on a slow link. */
	f->head[FAKE_CLASS]++;
	fake_wait(f, PARQ_PFC_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));

	fake_wait(f, PARQ_PFC_STUCK);
	parq_pfc_event(&f->port);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	KUNIT_EXPECT_EQ(test, f->stalls, 1U);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));

	gate_pause(&f->gate[FAKE_CLASS], true);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_close(test, f);
}

/* An executor that has lost its way finds it again by the levels. */
static void pfc_recovers_from_a_stall(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, false);
	gate_pause(&f->gate[FAKE_CLASS], false);
	fake_publish(f);
	/* A command that never arrived is not acknowledged either. */
	c->seq++;
	parq_pfc_event(&f->port);
	fake_wait(f, PARQ_PFC_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_settle(test, f);
	fake_close(test, f);
}

/* Nor does it have to be held: the answer to its last command is to another one. */
static void pfc_recovers_from_a_wrong_answer(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, false);
	fake_settle(test, f);
	f->seq[FAKE_CLASS] += 3;
	fake_publish(f);
	parq_pfc_event(&f->port);
	fake_wait(f, PARQ_PFC_STUCK / 2);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), -ETIMEDOUT);

	fake_wait(f, PARQ_PFC_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_close(test, f);
}

/* A device whose levels go round in circles does not keep the driver. */
static void pfc_leaves_a_liar(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	f->liar = true;
	f->gate[FAKE_CLASS].levels = PARQ_LEVELS_HOLD;
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_LE(test, f->commands, (unsigned int)PARQ_FSM_NUM_STATES);
	fake_close(test, f);
}

#include "parq_pause_cases.h"
#include "parq_storm_cases.h"

static struct kunit_case parq_pfc_tests[] = {
	KUNIT_CASE(pfc_opens_and_closes),
	KUNIT_CASE(pfc_keeps_settings),
	KUNIT_CASE(pfc_open_fails),
	KUNIT_CASE(pfc_touches_only_what_changes),
	KUNIT_CASE(pfc_set_fails),
	KUNIT_CASE(pfc_off_while_parked),
	KUNIT_CASE(pfc_off_and_on_while_parked),
	KUNIT_CASE(pfc_resizes),
	KUNIT_CASE(pfc_schedules),
	KUNIT_CASE(pfc_runs_the_fsm),
	KUNIT_CASE(pfc_counts_refused_releases),
	KUNIT_CASE(pfc_executor_changes),
	KUNIT_CASE(pfc_sees_a_stall),
	KUNIT_CASE(pfc_recovers_from_a_stall),
	KUNIT_CASE(pfc_recovers_from_a_wrong_answer),
	KUNIT_CASE(pfc_leaves_a_liar),
	{}
};

static struct kunit_suite parq_pfc_suite = {
	.name = "parq_pfc",
	.test_cases = parq_pfc_tests,
};

kunit_test_suites(&parq_pfc_suite, &parq_pause_suite, &parq_storm_suite);
