// SPDX-License-Identifier: GPL-2.0
#include <kunit/test.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "../parq_ets.h"
#include "../parq_pool.h"
#include "parq_pfc_calls.h"
#include "parq_pfc_fake.h"

/* ---- what the engine calls ---------------------------------------------- */

struct fake *fake_of(const struct parq_port *port)
{
	return container_of(port->pd, struct fake, pd);
}

void *fake_alloc(struct device *dev, size_t size, dma_addr_t *dma, gfp_t gfp)
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
void fake_free(struct device *dev, size_t size, void *mem, dma_addr_t dma)
{
	struct fake *f = container_of(dev, struct fake, dev);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		KUNIT_EXPECT_NE(f->test, f->dma[prio], dma);
	f->allocs--;
	kfree(mem);
}

/* Tracepoints know of no device. */
static struct fake *fake_now;

void trace_parq_fsm(const struct net_device *netdev, u64 time, u8 prio, u32 old_state,
		    u32 new_state, u64 levels, bool offload)
{
	fake_now->edges++;
}

void trace_parq_stall(const struct net_device *netdev, u8 prio, u64 levels)
{
	fake_now->stalls++;
}

int parq_ets_open(struct parq_port *port)
{
	struct fake *f = fake_of(port);

	f->ets = !f->refuse_ets;
	return f->ets ? 0 : -EIO;
}

void fake_publish(struct fake *f)
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

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
/* The device has no pool. */
int parq_pool_apply(struct parq_port *port, const struct parq_rxb *rxb, u32 more, char *reason)
{
	return parq_io_rxb_apply(port, rxb);
}

void parq_pool_hold(struct parq_port *port, u8 which)
{
}

void parq_pool_release(struct parq_port *port)
{
}
#endif

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
	struct fake *f = fake_of(port);

	if (f->gone)
		return -ENODEV;
	f->sent = request;
	return 0;
}

int parq_io_storm_set(struct parq_port *port, u16 limit_ms, u16 restore_ms, bool forward)
{
	struct fake *f = fake_of(port);

	if (f->refuse_storm)
		return -EIO;
	f->limit_ms = limit_ms;
	f->restore_ms = restore_ms;
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

void parq_io_rxb_max_clear(struct parq_port *port, unsigned int n)
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

struct fake *fake_new(struct kunit *test, bool offload)
{
	struct fake *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	static const struct net_device_ops no_ops;

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
	f->netdev.netdev_ops = &no_ops;
	mutex_init(&f->port.link_lock);
	f->test = test;
	fake_now = f;
	parq_pfc_init(&f->port);
	return f;
}

int fake_set(struct fake *f, u8 en)
{
	struct ieee_pfc pfc = { .pfc_en = en };
	char reason[PARQ_REASON_LEN];
	int err;

	rtnl_lock();
	err = parq_pfc_set(&f->port, &pfc, reason);
	rtnl_unlock();
	return err;
}

int fake_open(struct fake *f, u8 en)
{
	int err = fake_set(f, en);

	if (err)
		return err;
	rtnl_lock();
	err = parq_pfc_open(&f->port);
	rtnl_unlock();
	return err;
}

int fake_resize(struct fake *f, unsigned int entries)
{
	int err;

	f->entries = entries;
	rtnl_lock();
	err = parq_pfc_resize(&f->port);
	rtnl_unlock();
	return err;
}

/* The port has been stopped: whatever was parked is gone. */
void fake_close(struct kunit *test, struct fake *f)
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
void fake_park(struct fake *f, unsigned int prio, bool offload)
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
void fake_settle(struct kunit *test, struct fake *f)
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

void expect_queues(struct kunit *test, const struct fake *f, u8 mask, unsigned int order)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		bool wanted = mask & BIT(prio);

		KUNIT_EXPECT_EQ(test, !!f->dma[prio], wanted);
		KUNIT_EXPECT_EQ(test, f->order[prio], wanted ? order : 0);
	}
	KUNIT_EXPECT_EQ(test, f->allocs, (unsigned int)hweight8(mask));
}
