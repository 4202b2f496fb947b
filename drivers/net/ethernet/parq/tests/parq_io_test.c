// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of register access, over a minimal device. It refuses requests, keeps the
 * first refusal and counts all, as PARQ_ERR does. Other users access it concurrently and are
 * refused, too. It has address filters, queues, and settings of pauses and receive buffers.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_io.h"
#include "../parq_reg.h"
#include "parq_io_calls.h"

#define REFUSE_RXB_END	PARQ_RXB(PARQ_NUM_RXB)

/**
 * struct refuse - the device
 * @first: register of the first refusal
 * @count: number of refusals
 * @ours: register that is refused
 * @others: refusals of other users before each write of @before
 * @before: register
 * @rounds: number of times that @others occur
 * @writes: number of writes of @before
 * @low: PARQ_FILTER_LO, by filter
 * @filter: filters in force
 * @stays: address that must be received all the time, as in @filter; 0 for none
 * @missed: number of times that it was not
 * @ctrl: PARQ_RXQ_CTRL of queue 0
 * @err: PARQ_TXQ_ERR and PARQ_RXQ_ERR of queue 0
 * @refuse_ctrl: refuse writes of PARQ_RXQ_CTRL
 * @kept: other registers of port 0, up to those of receive buffers
 * @refuse_kept: refuse writes of @kept
 * @ones: number of reads of PARQ_MAGIC that return ones
 * @reset: another context resets the device during such a read
 * @pd: the driver's view of it, for @reset
 * @resets: number of resets
 * @busy: number of reads of PARQ_STATUS after a reset without PARQ_STATUS_READY
 * @cap: PARQ_CAP
 * @limits: PARQ_LIMITS
 * @depth: PARQ_PIPE_DEPTH
 * @window: PARQ_SWITCH
 * @ports: PARQ_SW_CAP_PORTS
 * @dma: the bus lets the device access memory
 */
struct refuse {
	u32 first;
	u32 count;
	u32 ours;
	u32 others;
	u32 before;
	u32 rounds;
	u32 writes;
	u32 low[PARQ_NUM_FILTERS];
	u64 filter[PARQ_NUM_FILTERS];
	u64 stays;
	u32 missed;
	u32 ctrl;
	u32 err;
	bool refuse_ctrl;
	u32 kept[REFUSE_RXB_END / 4];
	bool refuse_kept;
	u32 ones;
	bool reset;
	struct parq_dev *pd;
	u32 resets;
	u32 busy;
	u32 cap;
	u32 limits;
	u32 depth;
	u32 window;
	u32 ports;
	bool dma;
};

static struct refuse refuse;
static u8 refuse_regs[4];

static void refuse_one(u32 reg)
{
	if (!refuse.count++)
		refuse.first = reg;
}

static bool refuse_receives(u64 addr)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		if (refuse.filter[i] == addr)
			return true;
	return false;
}

static void refuse_filter(u32 reg, u32 val)
{
	u32 i = (reg - PARQ_FILTER_LO(0)) / 8;

	if (reg == PARQ_FILTER_LO(i)) {
		refuse.low[i] = val;
		return;
	}
	refuse.filter[i] = refuse.low[i] | (u64)val << 32;
	if (refuse.stays && !refuse_receives(refuse.stays))
		refuse.missed++;
}

/* Return: the register of port 0 if it is one of refuse.kept, or NULL. */
static u32 *refuse_kept(u32 reg)
{
	u32 at = reg - PARQ_PORT(0);

	return at < REFUSE_RXB_END ? &refuse.kept[at / 4] : NULL;
}

static u32 refuse_magic(void);

u32 refuse_readl(const void __iomem *addr)
{
	u32 reg = (const u8 __iomem *)addr - (const u8 __iomem __force *)refuse_regs;

	if (refuse.window && reg == refuse.window + PARQ_SW_CAP)
		return refuse.ports;
	switch (reg) {
	case PARQ_ERR:
		return refuse.count ? PARQ_ERR_STATE |
		       FIELD_PREP(PARQ_ERR_COUNT, refuse.count) : 0;
	case PARQ_ERR_ADDR:
		return refuse.first;
	case PARQ_MAGIC:
		return refuse_magic();
	case PARQ_VERSION:
		return FIELD_PREP(PARQ_VERSION_MAJOR, PARQ_VERSION_MAJOR_VALUE);
	case PARQ_STATUS:
		return refuse.busy && refuse.busy-- ? 0 : PARQ_STATUS_READY;
	case PARQ_CAP:
		return refuse.cap;
	case PARQ_LIMITS:
		return refuse.limits;
	case PARQ_PIPE_DEPTH:
		return refuse.depth;
	case PARQ_SWITCH:
		return refuse.window;
	case PARQ_PORT(0) + PARQ_RXQ(0) + PARQ_RXQ_CTRL:
		return refuse.ctrl;
	case PARQ_PORT(0) + PARQ_RXQ(0) + PARQ_RXQ_ERR:
	case PARQ_PORT(0) + PARQ_TXQ(0) + PARQ_TXQ_ERR:
		return refuse.err;
	}
	return refuse_kept(reg) ? *refuse_kept(reg) : 0;
}

void refuse_writel(u32 val, void __iomem *addr)
{
	u32 reg = (const u8 __iomem *)addr - (const u8 __iomem __force *)refuse_regs;
	u32 n;

	if (reg == PARQ_ERR) {
		refuse.first = 0;
		refuse.count = 0;
		return;
	}
	if (reg == PARQ_CTRL)
		refuse.resets++;
	if (reg == PARQ_PORT(0) + PARQ_RXQ(0) + PARQ_RXQ_CTRL && !refuse.refuse_ctrl)
		refuse.ctrl = val;
	if (reg == PARQ_PORT(0) + refuse.before) {
		refuse.writes++;
		if (refuse.rounds) {
			refuse.rounds--;
			for (n = 0; n < refuse.others; n++)
				refuse_one(PARQ_PORT(1) + PARQ_FC_SEND);
		}
	}
	if (reg >= PARQ_PORT(0) + PARQ_FILTER_LO(0) &&
	    reg < PARQ_PORT(0) + PARQ_FILTER_LO(PARQ_NUM_FILTERS))
		refuse_filter(reg - PARQ_PORT(0), val);
	if (refuse.ours && reg == PARQ_PORT(0) + refuse.ours)
		refuse_one(reg);
	if (refuse_kept(reg) && !refuse.refuse_kept)
		*refuse_kept(reg) = val;
}

static u32 refuse_magic(void)
{
	if (!refuse.ones)
		return PARQ_MAGIC_VALUE;
	if (refuse.reset) {
		parq_reg_off(refuse.pd);
		parq_reg_ready(refuse.pd);
	}
	refuse.ones--;
	return ~0U;
}

static void refuse_bus_dma(struct parq_dev *pd, bool on)
{
	refuse.dma = on;
}

static const struct parq_bus_ops refuse_bus = {
	.dma = refuse_bus_dma,
};

static struct parq_port *refuse_up(struct kunit *test, u32 before)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	memset(&refuse, 0, sizeof(refuse));
	refuse.before = before;
	pd->regs = (void __iomem __force *)refuse_regs;
	pd->bus = &refuse_bus;
	mutex_init(&pd->err_lock);
	set_bit(PARQ_DEV_READY, &pd->flags);
	port->pd = pd;
	return port;
}

static void refuse_ets(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_ETS_APPLY);
	struct parq_dev *pd = port->pd;
	struct parq_ets_hw ets = {};

	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	/* A refusal of another port does not count. */
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 2U);
	/* With two refusals one may be ours: the request is repeated. */
	refuse.others = 2;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 4U);
	/* Our refusal comes after another one. */
	refuse.ours = PARQ_ETS_APPLY;
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -EIO);
	refuse.rounds = 100;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -EIO);
	clear_bit(PARQ_DEV_READY, &pd->flags);
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -ENODEV);
}

/* Only a device that can limit a port has the register. */
static void refuse_port_rate(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_ETS_PORT_RATE);
	struct parq_ets_hw ets = { .port_rate = 5 };

	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 0U);
	port->pd->caps.flags = PARQ_CAP_PORT_RATE;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 1U);
}

/* A driver that asked for one frame must not get two. */
static void refuse_fc_send(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);

	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), 0);
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), 0);
	refuse.ours = PARQ_FC_SEND;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, refuse.writes, 3U);
}

/* Return: a register of port 0. */
static u32 refuse_has(u32 reg)
{
	return refuse.kept[reg / 4];
}

static void pauses_are_set(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);
	u32 park = PARQ_PFC(3);

	KUNIT_EXPECT_EQ(test, parq_io_pfc_ctrl(port, 0x18, true), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_PFC_CTRL), (u32)(0x18 | PARQ_PFC_CTRL_OFFLOAD));
	KUNIT_EXPECT_EQ(test, parq_io_pfc_ctrl(port, 0x18, false), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_PFC_CTRL), 0x18U);
	KUNIT_EXPECT_EQ(test, parq_io_storm_set(port, 100, 7, true), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_PFC_STORM),
			(u32)(100 | PARQ_PFC_STORM_FORWARD | 7 << 17));
	KUNIT_EXPECT_EQ(test, parq_io_storm_set(port, 100, 0, false), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_PFC_STORM), 100U);
	parq_io_storm_obey(port, 0x81);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_PFC_OBEY), 0x81U);
	KUNIT_EXPECT_EQ(test, parq_io_fc_low(port, 0x202, 0x81), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_FC_LOW), 0x810202U);
	KUNIT_EXPECT_EQ(test, parq_io_fc_limit(port, 100), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_FC_LIMIT), 100U);
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 3, 0x123456780, 10), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(park + PARQ_PARK_BASE_LO), 0x23456780U);
	KUNIT_EXPECT_EQ(test, refuse_has(park + PARQ_PARK_CTRL), 0xa1U);
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 3, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(park + PARQ_PARK_CTRL), 0U);
	parq_io_pfc_cmd(port, 3, PARQ_PFC_FLUSH, 7);
	KUNIT_EXPECT_EQ(test, refuse_has(park + PARQ_PFC_CMD), (u32)(PARQ_PFC_FLUSH | 7 << 8));
}

/* Each setting is read back. A park queue that is in use is no error of the device. */
static void pauses_are_refused(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);

	refuse.refuse_kept = true;
	KUNIT_EXPECT_EQ(test, parq_io_pfc_ctrl(port, 0x18, true), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_storm_set(port, 100, 0, true), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_fc_ctrl(port, 0x18), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_fc_limit(port, 100), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_fc_low(port, 0x202, 0x81), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 3, 0, 10), -EIO);
	refuse.kept[(PARQ_PFC(3) + PARQ_PFC_LEVELS) / 4] = PARQ_LEVELS_HOLD;
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 3, 0, 10), -EBUSY);
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 4, 0, 10), -EIO);
	clear_bit(PARQ_DEV_READY, &port->pd->flags);
	KUNIT_EXPECT_EQ(test, parq_io_park_set(port, 3, 0, 10), -ENODEV);
}

/* A refusal of any of their registers is one of the request. */
static void buffers_are_set(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);
	struct parq_rxb rxb = { .prio = 0x76543210 };
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++) {
		rxb.size[n] = 3000 + n;
		rxb.xoff[n] = 2000 + n;
		rxb.xon[n] = 1000 + n;
	}
	KUNIT_EXPECT_EQ(test, parq_io_rxb_apply(port, &rxb), 0);
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_RXB_PRIO), rxb.prio);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		KUNIT_EXPECT_EQ(test, refuse_has(PARQ_RXB(n) + PARQ_RXB_SIZE), rxb.size[n]);
		KUNIT_EXPECT_EQ(test, refuse_has(PARQ_RXB(n) + PARQ_RXB_XOFF), rxb.xoff[n]);
		KUNIT_EXPECT_EQ(test, refuse_has(PARQ_RXB(n) + PARQ_RXB_XON), rxb.xon[n]);
	}
	KUNIT_EXPECT_EQ(test, refuse_has(PARQ_RXB_APPLY), 1U);
	refuse.ours = PARQ_RXB_PRIO;
	KUNIT_EXPECT_EQ(test, parq_io_rxb_apply(port, &rxb), -EIO);
	refuse.ours = PARQ_RXB_APPLY;
	KUNIT_EXPECT_EQ(test, parq_io_rxb_apply(port, &rxb), -EIO);
	refuse.ours = PARQ_RXB(0) + PARQ_RXB_SIZE;
	KUNIT_EXPECT_EQ(test, parq_io_rxb_apply(port, &rxb), -EIO);
	refuse.ours = PARQ_RXB(PARQ_NUM_RXB - 1) + PARQ_RXB_XON;
	KUNIT_EXPECT_EQ(test, parq_io_rxb_apply(port, &rxb), -EIO);
}

static u64 refuse_value(const u8 *addr)
{
	return get_unaligned_le32(addr) | (u64)get_unaligned_le16(addr + 4) << 32 |
	       (u64)PARQ_FILTER_HI_VALID << 32;
}

/* An address that is wanted before and after a change is received all the time. */
static void filters_stay(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);
	const u8 *want[PARQ_NUM_FILTERS];
	u8 addr[40][ETH_ALEN] = {};
	unsigned int i, step, first, n;

	spin_lock_init(&port->ctrl_lock);
	for (i = 0; i < ARRAY_SIZE(addr); i++) {
		addr[i][0] = 2;
		addr[i][5] = i;
	}
	/* Number 8 is in all sets; its index moves down, and then up. */
	for (step = 0; step <= 16; step++) {
		first = step <= 8 ? step : 16 - step;
		for (n = 9 - first; n <= PARQ_NUM_FILTERS; n++) {
			for (i = 0; i < n; i++)
				want[i] = addr[first + i];
			parq_io_filters_set(port, want, n);
			refuse.stays = refuse_value(addr[8]);
			for (i = 0; i < n; i++)
				KUNIT_EXPECT_TRUE(test, refuse_receives(refuse_value(want[i])));
			KUNIT_EXPECT_FALSE(test, n < PARQ_NUM_FILTERS &&
					   refuse_receives(refuse_value(addr[first + n])));
		}
	}
	KUNIT_EXPECT_EQ(test, refuse.missed, 0U);
	refuse.stays = 0;
	parq_io_filters_set(port, want, 0);
	KUNIT_EXPECT_FALSE(test, refuse_receives(refuse_value(addr[8])));
}

static void refuse_rxq(struct kunit *test, struct parq_port *port, struct parq_rxq *q)
{
	q->port = port;
	q->ring = kunit_kzalloc(test, sizeof(*q->ring), GFP_KERNEL);
	q->vec = kunit_kzalloc(test, sizeof(*q->vec), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, q->ring);
	KUNIT_ASSERT_NOT_NULL(test, q->vec);
	q->ring->order = 9;
	q->vec->hw = 5;
}

/* A device that is gone has stopped no queue. */
static void stopped_queues(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);
	struct parq_txq txq = { .port = port };
	struct parq_rxq rxq = { .port = port };

	refuse.err = PARQ_ERR_NONE;
	KUNIT_EXPECT_FALSE(test, parq_io_txq_stopped(&txq));
	KUNIT_EXPECT_FALSE(test, parq_io_rxq_stopped(&rxq));
	refuse.err = PARQ_ERR_DMA;
	KUNIT_EXPECT_TRUE(test, parq_io_txq_stopped(&txq));
	KUNIT_EXPECT_TRUE(test, parq_io_rxq_stopped(&rxq));
	clear_bit(PARQ_DEV_READY, &port->pd->flags);
	KUNIT_EXPECT_FALSE(test, parq_io_txq_stopped(&txq));
	KUNIT_EXPECT_FALSE(test, parq_io_rxq_stopped(&rxq));
}

static void held_queues(struct kunit *test)
{
	struct parq_port *port = refuse_up(test, PARQ_FC_SEND);
	struct parq_rxq q = {};
	u32 runs;

	refuse_rxq(test, port, &q);
	runs = PARQ_RXQ_CTRL_EN | FIELD_PREP(PARQ_RXQ_CTRL_SIZE, 9) |
	       FIELD_PREP(PARQ_RXQ_CTRL_VEC, 5);
	KUNIT_EXPECT_EQ(test, parq_io_rxq_start(&q), 0);
	KUNIT_EXPECT_EQ(test, refuse.ctrl, runs | PARQ_RXQ_CTRL_HOLD);
	KUNIT_EXPECT_EQ(test, parq_io_rxq_release(&q), 0);
	KUNIT_EXPECT_EQ(test, refuse.ctrl, runs);
	KUNIT_EXPECT_EQ(test, parq_io_rxq_hold(&q), 0);
	KUNIT_EXPECT_EQ(test, refuse.ctrl, runs | PARQ_RXQ_CTRL_HOLD);
	/* A queue that did not start is not released. */
	refuse.ctrl = 0;
	refuse.refuse_ctrl = true;
	KUNIT_EXPECT_EQ(test, parq_io_rxq_start(&q), -EIO);
	refuse.refuse_ctrl = false;
	KUNIT_EXPECT_EQ(test, parq_io_rxq_release(&q), -EIO);
	KUNIT_EXPECT_EQ(test, parq_io_rxq_hold(&q), 0);
	KUNIT_EXPECT_EQ(test, refuse.ctrl, PARQ_RXQ_CTRL_HOLD);
}

/* A device that is gone stays gone, until a reset finds that it answers. */
static void gone_until_reset(struct kunit *test)
{
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;

	pd->dev = root_device_register("refuse");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pd->dev);
	KUNIT_EXPECT_TRUE(test, parq_reg_alive(pd));
	refuse.ones = 1;
	KUNIT_EXPECT_FALSE(test, parq_reg_alive(pd));
	KUNIT_EXPECT_TRUE(test, parq_dev_gone(pd));
	KUNIT_EXPECT_FALSE(test, parq_reg_alive(pd));
	KUNIT_EXPECT_FALSE(test, test_bit(PARQ_DEV_READY, &pd->flags));
	/* If it does not answer the reset either, it stays gone. */
	refuse.ones = 1;
	KUNIT_EXPECT_EQ(test, parq_io_reset(pd), -ENODEV);
	KUNIT_EXPECT_TRUE(test, parq_dev_gone(pd));
	refuse.dma = true;
	parq_io_gone(pd);
	KUNIT_EXPECT_FALSE(test, refuse.dma);
	KUNIT_EXPECT_EQ(test, parq_io_reset(pd), 0);
	KUNIT_EXPECT_FALSE(test, parq_dev_gone(pd));
	KUNIT_EXPECT_TRUE(test, refuse.dma);
	parq_io_gone(pd);
	KUNIT_EXPECT_TRUE(test, refuse.dma);
	KUNIT_EXPECT_TRUE(test, parq_reg_alive(pd));
	root_device_unregister(pd->dev);
}

/* Reads during another context's reset are ignored. */
static void reset_is_no_loss(struct kunit *test)
{
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;

	refuse.pd = pd;
	refuse.ones = 1;
	refuse.reset = true;
	KUNIT_EXPECT_TRUE(test, parq_reg_alive(pd));
	KUNIT_EXPECT_FALSE(test, parq_dev_gone(pd));
	KUNIT_EXPECT_TRUE(test, test_bit(PARQ_DEV_READY, &pd->flags));
}

/* Memory is freed after this: all DMA must have ended. */
static void off_waits(struct kunit *test)
{
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;

	pd->dev = root_device_register("refuse");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pd->dev);
	refuse.busy = 3;
	parq_io_off(pd);
	KUNIT_EXPECT_EQ(test, refuse.resets, 1U);
	KUNIT_EXPECT_EQ(test, refuse.busy, 0U);
	KUNIT_EXPECT_FALSE(test, test_bit(PARQ_DEV_READY, &pd->flags));
	/* It is off, or gone. */
	parq_io_off(pd);
	KUNIT_EXPECT_EQ(test, refuse.resets, 1U);
	/* It never becomes ready: the bus keeps it away from memory. */
	set_bit(PARQ_DEV_READY, &pd->flags);
	refuse.busy = U32_MAX;
	refuse.dma = true;
	parq_io_off(pd);
	KUNIT_EXPECT_FALSE(test, refuse.dma);
	KUNIT_EXPECT_EQ(test, refuse.resets, 2U);
	KUNIT_EXPECT_FALSE(test, test_bit(PARQ_DEV_READY, &pd->flags));
	root_device_unregister(pd->dev);
}

static void caps_offer(u32 txq, u32 ring, u32 park, u32 vectors, u32 depth)
{
	refuse.cap = FIELD_PREP(PARQ_CAP_PORTS, 1) |
		     FIELD_PREP(PARQ_CAP_TXQ, txq - 1) |
		     FIELD_PREP(PARQ_CAP_RXQ, 7);
	refuse.limits = FIELD_PREP(PARQ_LIMITS_RING, ring) |
			FIELD_PREP(PARQ_LIMITS_PARK, park) |
			FIELD_PREP(PARQ_LIMITS_VECTORS, vectors);
	refuse.depth = depth;
}

/* A device that is too small, or reports impossible values, is refused before it is used. */
static void caps_are_checked(struct kunit *test)
{
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;

	pd->dev = root_device_register("caps");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pd->dev);
	caps_offer(8, 6, 6, 2, 64);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), 0);
	caps_offer(64, 15, 20, 2047, PARQ_PIPE_DEPTH_MAX);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), 0);
	KUNIT_EXPECT_EQ(test, pd->caps.vectors, 2047U);
	KUNIT_EXPECT_EQ(test, pd->caps.ports, 2U);
	KUNIT_EXPECT_EQ(test, pd->caps.txq, 64U);
	KUNIT_EXPECT_EQ(test, pd->caps.rxq, 8U);
	KUNIT_EXPECT_EQ(test, pd->caps.chans, 8U);
	KUNIT_EXPECT_EQ(test, pd->caps.ring_order, 13U);
	KUNIT_EXPECT_EQ(test, pd->caps.park_order, 20U);
	caps_offer(7, 15, 20, 64, 32);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	caps_offer(64, 5, 20, 64, 32);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	caps_offer(64, 15, 5, 64, 32);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	caps_offer(64, 15, 6, 64, 65);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	caps_offer(64, 15, 20, 1, 32);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	caps_offer(64, 15, 31, 64, PARQ_PIPE_DEPTH_MAX + 1);
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -EOPNOTSUPP);
	/* It vanishes while they are read. */
	caps_offer(64, 15, 20, 2047, PARQ_PIPE_DEPTH_MAX);
	refuse.cap = ~0U;
	refuse.ones = 1;
	KUNIT_EXPECT_EQ(test, parq_io_caps(pd), -ENODEV);
	root_device_unregister(pd->dev);
}

/* What needs something else is not used without it. */
static void caps_need_others(struct kunit *test)
{
	static const struct {
		u32 cap;
		u32 flags;
	} cases[] = {
		{ PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS | PARQ_CAP_RULES | PARQ_CAP_RULE_COUNT,
		  PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS | PARQ_CAP_RULES | PARQ_CAP_RULE_COUNT },
		{ PARQ_CAP_RSS_FIELDS | PARQ_CAP_RULES | PARQ_CAP_RULE_COUNT, 0 },
		{ PARQ_CAP_RSS | PARQ_CAP_RULES | PARQ_CAP_RULE_COUNT, PARQ_CAP_RSS },
		{ PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS | PARQ_CAP_RULE_COUNT,
		  PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS },
		{ PARQ_CAP_PTP | PARQ_CAP_LAUNCH, PARQ_CAP_PTP | PARQ_CAP_LAUNCH },
		{ PARQ_CAP_LAUNCH, 0 },
	};
	const u32 all = cases[0].cap | PARQ_CAP_PTP | PARQ_CAP_LAUNCH;
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;
	unsigned int i;

	caps_offer(64, 15, 20, 64, 32);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		refuse.cap = (refuse.cap & ~all) | cases[i].cap;
		KUNIT_EXPECT_EQ(test, parq_io_caps(pd), 0);
		KUNIT_EXPECT_EQ_MSG(test, pd->caps.flags & all, cases[i].flags, "%u", i);
	}
}

/* @max: ports for which the BARs have room. Return: of parq_io_caps(). */
static int caps_of_switch(struct parq_dev *pd, unsigned int max, u32 window, u32 ports)
{
	pd->max_ports = max;
	refuse.window = window;
	refuse.ports = ports - 1;
	return parq_io_caps(pd);
}

static void ports_of_a_switch(struct kunit *test)
{
	static const struct {
		u32 cap;
		u32 size;
	} more[] = {
		{ PARQ_SW_CAP_RED, PARQ_SW_RED(PARQ_MAX_PORTS, 0) },
		{ PARQ_SW_CAP_EGRESS, PARQ_SW_EGR(PARQ_MAX_PORTS, 0) },
		{ PARQ_SW_CAP_EGRESS | PARQ_SW_CAP_RED, PARQ_SW_EGR(PARQ_MAX_PORTS, 0) },
	};
	u32 end = PARQ_BAR_REGS_MANY - PARQ_SW_PORT(PARQ_MAX_PORTS);
	unsigned int i;
	struct parq_dev *pd = refuse_up(test, PARQ_FC_SEND)->pd;

	pd->dev = root_device_register("caps");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pd->dev);
	caps_offer(8, 6, 6, 2, 64);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_NIC_PORTS, 0, 64), 0);
	KUNIT_EXPECT_EQ(test, pd->caps.ports, 2U);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_NIC_PORTS, PARQ_PORT(4), 4), 0);
	KUNIT_EXPECT_EQ(test, pd->caps.ports, 4U);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_NIC_PORTS, PARQ_PORT(4), 5),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_NIC_PORTS, PARQ_PORT(6), 4),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, end, 64), 0);
	KUNIT_EXPECT_EQ(test, pd->caps.ports, 64U);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, end + 4, 64),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, end - 1, 64),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, ~3U, 1), -EOPNOTSUPP);
	/* More registers of each port. */
	for (i = 0; i < ARRAY_SIZE(more); i++) {
		end = PARQ_BAR_REGS_MANY - more[i].size;
		KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, end, 64 | more[i].cap), 0);
		KUNIT_EXPECT_EQ(test, caps_of_switch(pd, PARQ_MAX_PORTS, end + 4, 64 | more[i].cap),
				-EOPNOTSUPP);
	}
	root_device_unregister(pd->dev);
}

static struct kunit_case parq_io_tests[] = {
	KUNIT_CASE(caps_are_checked),
	KUNIT_CASE(caps_need_others),
	KUNIT_CASE(ports_of_a_switch),
	KUNIT_CASE(filters_stay),
	KUNIT_CASE(refuse_ets),
	KUNIT_CASE(refuse_port_rate),
	KUNIT_CASE(refuse_fc_send),
	KUNIT_CASE(pauses_are_set),
	KUNIT_CASE(pauses_are_refused),
	KUNIT_CASE(buffers_are_set),
	KUNIT_CASE(stopped_queues),
	KUNIT_CASE(held_queues),
	KUNIT_CASE(gone_until_reset),
	KUNIT_CASE(reset_is_no_loss),
	KUNIT_CASE(off_waits),
	{}
};

static struct kunit_suite parq_io_suite = {
	.name = "parq_io",
	.test_cases = parq_io_tests,
};

kunit_test_suite(parq_io_suite);

MODULE_DESCRIPTION("KUnit suite of register access");
MODULE_LICENSE("GPL");
