// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of register access, over registers that only record: which of them each function
 * writes, in which order, and what it makes of what it reads.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_ets.h"
#include "../parq_io.h"
#include "../parq_reg.h"
#include "../parq_switch_domain.h"
#include "parq_io_calls.h"

#define RECORD_PORT	1	/* the port that functions are called for */
#define RECORD_CHANS	2
#define RECORD_WINDOW	0x20000
#define RECORD_NUM	200

/**
 * struct record - registers
 * @reg: those that were written, in this order
 * @val: what was written
 * @num: number of writes
 * @at: register that reads as one of @reads
 * @reads: values, the next one by each read
 * @next: number of the next one
 * @others: value of all other registers if @same
 * @same: all other registers read as @others; otherwise each as record_value()
 * @port: the port
 * @pd: device
 */
struct record {
	u32 reg[RECORD_NUM];
	u32 val[RECORD_NUM];
	unsigned int num;
	u32 at;
	u32 reads[4];
	unsigned int next;
	u32 others;
	bool same;
	struct parq_port port;
	struct parq_dev pd;
};

static struct record *record;
static u8 record_regs[4];

static u32 record_value(u32 reg)
{
	return reg * 5 + 1;
}

u32 refuse_readl(const void __iomem *addr)
{
	u32 reg = (const u8 __iomem *)addr - (const u8 __iomem __force *)record_regs;

	if (record->at && reg == record->at)
		return record->reads[record->next++];
	return record->same ? record->others : record_value(reg);
}

void refuse_writel(u32 val, void __iomem *addr)
{
	record->reg[record->num] = (const u8 __iomem *)addr -
				   (const u8 __iomem __force *)record_regs;
	record->val[record->num] = val;
	if (record->num < RECORD_NUM - 1)
		record->num++;
}

static int record_init(struct kunit *test)
{
	record = kunit_kzalloc(test, sizeof(*record), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, record);
	record->pd.regs = (void __iomem __force *)record_regs;
	record->pd.caps.chans = RECORD_CHANS;
	record->pd.caps.window = RECORD_WINDOW;
	mutex_init(&record->pd.err_lock);
	set_bit(PARQ_DEV_READY, &record->pd.flags);
	record->port.pd = &record->pd;
	record->port.index = RECORD_PORT;
	mutex_init(&record->port.link_lock);
	spin_lock_init(&record->port.ctrl_lock);
	return 0;
}

/**
 * struct wrote - a write of a register
 * @reg: the register
 * @val: its value
 */
struct wrote {
	u32 reg;
	u32 val;
};

/* Expects these writes and no others since the last time. */
static void record_expect(struct kunit *test, u32 base, const struct wrote *wrote,
			  unsigned int num)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, record->num, num);
	for (i = 0; i < num; i++) {
		KUNIT_EXPECT_EQ_MSG(test, record->reg[i], base + wrote[i].reg, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, record->val[i], wrote[i].val, "%u", i);
	}
	record->num = 0;
}

#define EXPECT_WRITES(test, base, ...) do {				\
	const struct wrote wrote_[] = { __VA_ARGS__ };			\
									\
	record_expect(test, base, wrote_, ARRAY_SIZE(wrote_));		\
} while (0)

/* Return: a register is in the dump once, with its value. */
static bool record_dumped(const u32 *out, unsigned int num, u32 reg)
{
	unsigned int i, n = 0;

	for (i = 0; i < num; i += 2)
		if (out[i] == reg && out[i + 1] == record_value(reg))
			n++;
	return n == 1;
}

static void dump_has_all(struct kunit *test)
{
	static const u32 port_regs[] = {
		PARQ_PORT_CTRL, PARQ_MAX_FRAME, PARQ_STATS_BASE_HI, PARQ_ETS_BW_HI,
		PARQ_PFC_STORM, PARQ_FC_LOW, PARQ_RXB_PRIO, PARQ_TRUST,
		PARQ_REWR(PARQ_NUM_PRIO - 1), PARQ_FILTER_HI(PARQ_NUM_FILTERS - 1),
		PARQ_ETS_MAXRATE(PARQ_NUM_TC - 1), PARQ_PFC(0) + PARQ_PARK_BASE_LO,
		PARQ_PFC(7) + PARQ_PARK_TAIL, PARQ_RXB(0) + PARQ_RXB_SIZE,
		PARQ_RXB(7) + PARQ_RXB_HIGH, PARQ_TXQ(0) + PARQ_TXQ_BASE_LO,
		PARQ_TXQ(8 * RECORD_CHANS - 1) + PARQ_TXQ_ERR, PARQ_RXQ(0) + PARQ_RXQ_FILL_LO,
		PARQ_RXQ(RECORD_CHANS - 1) + PARQ_RXQ_ERR,
	};
	unsigned int len = parq_io_dump_len(&record->port), num = len / 4, i;
	u32 *out = kunit_kzalloc(test, len + 8, GFP_KERNEL);
	u32 base = PARQ_PORT(RECORD_PORT);

	KUNIT_ASSERT_NOT_NULL(test, out);
	parq_io_dump(&record->port, out);
	KUNIT_EXPECT_TRUE(test, record_dumped(out, num, PARQ_MAGIC));
	KUNIT_EXPECT_TRUE(test, record_dumped(out, num, PARQ_EVENT_HEAD));
	for (i = 0; i < ARRAY_SIZE(port_regs); i++)
		KUNIT_EXPECT_TRUE_MSG(test, record_dumped(out, num, base + port_regs[i]), "%u", i);
	for (i = 0; i < num; i += 2)
		KUNIT_EXPECT_TRUE_MSG(test, record_dumped(out, num, out[i]), "%u", i);
	/* The last one ends the buffer. */
	KUNIT_EXPECT_EQ(test, out[num - 2], base + PARQ_RXQ(RECORD_CHANS - 1) + PARQ_RXQ_ERR);
	KUNIT_EXPECT_EQ(test, out[num], 0U);
	/* Each channel adds its queues. */
	record->pd.caps.chans++;
	KUNIT_EXPECT_EQ(test, parq_io_dump_len(&record->port) - len, 8 *
			(8 * ((PARQ_TXQ_ERR - PARQ_TXQ_BASE_LO) / 4 + 1U) +
			 (PARQ_RXQ_ERR - PARQ_RXQ_FILL_LO) / 4 + 1U));
}

static void device_is_set(struct kunit *test)
{
	struct parq_dev *pd = &record->pd;
	u32 ctrl = PARQ_EVENT_CTRL_EN | FIELD_PREP(PARQ_EVENT_CTRL_SIZE, 9) |
		   FIELD_PREP(PARQ_EVENT_CTRL_VEC, 3);

	pd->ev.dma = 0x123456780;
	record->at = PARQ_EVENT_CTRL;
	record->reads[0] = ctrl;
	KUNIT_EXPECT_EQ(test, parq_io_events_start(pd, 9, 3), 0);
	EXPECT_WRITES(test, 0, { PARQ_EVENT_BASE_LO, 0x23456780 }, { PARQ_EVENT_BASE_HI, 1 },
		      { PARQ_EVENT_CTRL, ctrl });
	KUNIT_EXPECT_EQ(test, parq_io_events_start(pd, 9, 3), -EIO);
	record->num = 0;
	parq_io_events_stop(pd);
	EXPECT_WRITES(test, 0, { PARQ_EVENT_CTRL, 0 });
	/* The read ends the device's accesses. */
	KUNIT_EXPECT_EQ(test, record->next, 3U);
	parq_io_events_mask(pd, 5);
	parq_io_events_ack(pd, 6);
	parq_io_vec_itr(pd, 2, 7000);
	parq_io_ptp_rate(pd, -1);
	parq_io_ptp_cmd(pd, PARQ_PTP_STEP, 0x100000002);
	EXPECT_WRITES(test, 0, { PARQ_EVENT_MASK, 5 }, { PARQ_EVENT_HEAD, 6 },
		      { PARQ_VEC_ITR(2), 7000 }, { PARQ_PTP_RATE, ~0U }, { PARQ_PTP_VAL_LO, 2 },
		      { PARQ_PTP_VAL_HI, 1 }, { PARQ_PTP_CMD, PARQ_PTP_STEP });
	KUNIT_EXPECT_EQ(test, parq_io_events_lost(pd), record_value(PARQ_EVENT_LOST));
	KUNIT_EXPECT_EQ(test, parq_io_ptp_time(pd, NULL),
			(u64)record_value(PARQ_PTP_TIME_HI) << 32 | record_value(PARQ_PTP_TIME_LO));
}

/* The low half wraps between two reads. */
static void clock_is_read(struct kunit *test)
{
	record->at = PARQ_TIME_LO;
	record->reads[0] = 9;
	record->reads[1] = 9;
	KUNIT_EXPECT_EQ(test, parq_io_clock(&record->pd),
			(u64)record_value(PARQ_TIME_HI) << 32 | 9);
	record->next = 0;
	record->reads[0] = 0xfffffff0;
	record->reads[1] = 3;
	record->reads[2] = 4;
	KUNIT_EXPECT_EQ(test, parq_io_clock(&record->pd),
			(u64)record_value(PARQ_TIME_HI) << 32 | 4);
}

static void errors_are_expected(struct kunit *test)
{
	static const struct {
		u32 reg;
		bool expected;
	} regs[] = {
		{ PARQ_PORT(0) + PARQ_FC_SEND, true },
		{ PARQ_PORT(3) + PARQ_FC_SEND, true },
		{ PARQ_PORT(0) + PARQ_FC_SEND + 4, false },
		{ PARQ_FC_SEND, false },
		{ PARQ_PORT(1) + PARQ_PFC(0) + PARQ_PARK_CTRL, true },
		{ PARQ_PORT(1) + PARQ_PFC(7) + PARQ_PARK_CTRL, true },
		{ PARQ_PORT(1) + PARQ_PFC(8) + PARQ_PARK_CTRL, false },
		{ PARQ_PORT(1) + PARQ_PFC(0) - 0x40 + PARQ_PARK_CTRL, false },
		{ PARQ_PORT(1) + PARQ_PFC(7) + PARQ_PARK_BASE_LO, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		KUNIT_EXPECT_EQ_MSG(test, parq_io_error_expected(PARQ_ERR_STATE, regs[i].reg),
				    regs[i].expected, "%u", i);
		KUNIT_EXPECT_FALSE(test, parq_io_error_expected(PARQ_ERR_RANGE, regs[i].reg));
	}
}

static void port_is_set(struct kunit *test)
{
	struct parq_link link = {
		.up = true, .autoneg = true, .full = true, .speed = 2, .adv = 5,
		.adv_pause = PARQ_LINK_ADV_PAUSE,
	};
	struct parq_port *port = &record->port;
	u32 base = PARQ_PORT(RECORD_PORT);

	port->ctrl = 5;
	port->filter[PARQ_NUM_FILTERS - 1] = 1;
	port->stats.dma = 0x100000002;
	port->status_dma = 0x300000004;
	parq_io_port_init(port);
	KUNIT_EXPECT_EQ(test, port->ctrl, 0U);
	KUNIT_EXPECT_EQ(test, port->filter[PARQ_NUM_FILTERS - 1], 0ULL);
	parq_io_status_set(port);
	parq_io_stats_snap(port, 7);
	parq_io_max_frame(port, 1500);
	EXPECT_WRITES(test, base, { PARQ_STATS_BASE_LO, 2 }, { PARQ_STATS_BASE_HI, 1 },
		      { PARQ_STATUS_BASE_LO, 4 }, { PARQ_STATUS_BASE_HI, 3 },
		      { PARQ_STATS_SNAP, 7 }, { PARQ_MAX_FRAME, 1518 });
	parq_io_link_set(port, &link);
	link = (struct parq_link){ .speed = 3 };
	parq_io_link_set(port, &link);
	EXPECT_WRITES(test, base, { PARQ_LINK_ADV, 5 | PARQ_LINK_ADV_PAUSE },
		      { PARQ_LINK_CTRL, FIELD_PREP(PARQ_LINK_CTRL_SPEED, 2) | PARQ_LINK_CTRL_EN |
					PARQ_LINK_CTRL_AN | PARQ_LINK_CTRL_FULL_DUPLEX },
		      { PARQ_LINK_ADV, 0 },
		      { PARQ_LINK_CTRL, FIELD_PREP(PARQ_LINK_CTRL_SPEED, 3) });
	/* It is written if it changes, and read if the device stops. */
	record->at = base + PARQ_PORT_CTRL;
	parq_io_port_ctrl(port, 0, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	parq_io_port_ctrl(port, 0, PARQ_PORT_CTRL_EN);
	parq_io_port_ctrl(port, PARQ_PORT_CTRL_PROMISC, 0);
	KUNIT_EXPECT_EQ(test, record->next, 0U);
	parq_io_port_ctrl(port, PARQ_PORT_CTRL_EN, 0);
	KUNIT_EXPECT_EQ(test, record->next, 1U);
	EXPECT_WRITES(test, base, { PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC },
		      { PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN }, { PARQ_PORT_CTRL, 0 });
}

static void link_is_read(struct kunit *test)
{
	struct parq_port *port = &record->port;
	struct parq_link state = {};

	port->link.adv = 5;
	record->at = PARQ_PORT(RECORD_PORT) + PARQ_PORT_STATUS;
	record->reads[0] = PARQ_PORT_STATUS_LINK | FIELD_PREP(PARQ_PORT_STATUS_SPEED, 2);
	record->reads[1] = PARQ_PORT_STATUS_PRESENT | PARQ_PORT_STATUS_FULL_DUPLEX;
	mutex_lock(&port->link_lock);
	parq_io_link_get(port, &state);
	KUNIT_EXPECT_TRUE(test, state.up && !state.present && !state.full);
	KUNIT_EXPECT_EQ(test, state.speed, 2U);
	KUNIT_EXPECT_EQ(test, state.adv, 5U);
	KUNIT_EXPECT_EQ(test, state.partner,
			record_value(PARQ_PORT(RECORD_PORT) + PARQ_LINK_PARTNER));
	parq_io_link_get(port, &state);
	KUNIT_EXPECT_TRUE(test, !state.up && state.present && state.full);
	mutex_unlock(&port->link_lock);
	record->same = true;
	record->others = 0xfffffffe;
	KUNIT_EXPECT_EQ(test, parq_io_port_speeds(port), (u32)BIT(PARQ_NUM_SPEEDS) - 2);
}

static void queues_are_set(struct kunit *test)
{
	struct parq_tx_ring ring = { .mask = 255, .dma = 0x100000002 };
	struct parq_vec vec = { .hw = 6 };
	struct parq_txq q = {
		.port = &record->port, .index = 9, .prio = 1, .ring = &ring, .vec = &vec,
		.wb_dma = 0x300000004,
	};
	u32 base = PARQ_PORT(RECORD_PORT) + PARQ_TXQ(9);
	u32 ctrl = PARQ_TXQ_CTRL_EN | FIELD_PREP(PARQ_TXQ_CTRL_PRIO, 1) |
		   FIELD_PREP(PARQ_TXQ_CTRL_SIZE, 8) | FIELD_PREP(PARQ_TXQ_CTRL_VEC, 6);

	record->at = base + PARQ_TXQ_CTRL;
	record->reads[0] = ctrl;
	KUNIT_EXPECT_EQ(test, parq_io_txq_start(&q), 0);
	EXPECT_WRITES(test, base, { PARQ_TXQ_BASE_LO, 2 }, { PARQ_TXQ_BASE_HI, 1 },
		      { PARQ_TXQ_WB_LO, 4 }, { PARQ_TXQ_WB_HI, 3 }, { PARQ_TXQ_CTRL, ctrl });
	KUNIT_EXPECT_EQ(test, parq_io_txq_start(&q), -EIO);
	record->num = 0;
	record->next = 0;
	parq_io_txq_stop(&q);
	KUNIT_EXPECT_EQ(test, record->next, 1U);
	EXPECT_WRITES(test, base, { PARQ_TXQ_CTRL, 0 });
	record->at = base + PARQ_TXQ_NEXT_CTRL;
	parq_io_txq_next(&q, &ring);
	KUNIT_EXPECT_EQ(test, record->next, 2U);
	EXPECT_WRITES(test, base, { PARQ_TXQ_NEXT_LO, 2 }, { PARQ_TXQ_NEXT_HI, 1 },
		      { PARQ_TXQ_NEXT_CTRL, PARQ_TXQ_NEXT_CTRL_VALID |
					    FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE, 8) });
}

/* Only what differs is written, and the order of trust last. */
static void trust_is_set(struct kunit *test)
{
	struct parq_port *port = &record->port;
	struct parq_trust_hw was = {}, is = {};
	unsigned int all = 1 + ARRAY_SIZE(is.pcp) + ARRAY_SIZE(is.dscp) + ARRAY_SIZE(is.rewr);
	u32 base = PARQ_PORT(RECORD_PORT);

	record->same = true;
	KUNIT_EXPECT_EQ(test, parq_io_trust_set(port, NULL, &is), 0);
	KUNIT_EXPECT_EQ(test, record->num, all);
	KUNIT_EXPECT_EQ(test, record->reg[all - 1], base + PARQ_TRUST);
	record->num = 0;
	is.trust = 1;
	is.pcp[1] = 2;
	is.dscp[7] = 3;
	is.rewr[7] = 4;
	KUNIT_EXPECT_EQ(test, parq_io_trust_set(port, &was, &is), 0);
	EXPECT_WRITES(test, base, { PARQ_PCP_PRIO(1), 2 }, { PARQ_DSCP_PRIO(7), 3 },
		      { PARQ_REWR(7), 4 }, { PARQ_TRUST, 1 });
}

/* A refusal of the first register or of the last one is one of ours. What was there is back. */
static void trust_is_refused(struct kunit *test)
{
	static const struct {
		u32 reg;
		int err;
	} refused[] = {
		{ PARQ_TRUST - 4, 0 },
		{ PARQ_TRUST, -EIO },
		{ PARQ_REWR(PARQ_NUM_PRIO - 1), -EIO },
		{ PARQ_REWR(PARQ_NUM_PRIO), 0 },
	};
	struct parq_trust_hw was = { .trust = 1 }, is = { .trust = 2 };
	u32 base = PARQ_PORT(RECORD_PORT);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		record->same = true;
		record->others = base + refused[i].reg;
		record->at = PARQ_ERR;
		record->next = 0;
		record->reads[1] = PARQ_ERR_STATE | FIELD_PREP(PARQ_ERR_COUNT, 1);
		KUNIT_EXPECT_EQ_MSG(test, parq_io_trust_set(&record->port, &was, &is),
				    refused[i].err, "%u", i);
		KUNIT_EXPECT_EQ(test, record->num, refused[i].err ? 3U : 2U);
		KUNIT_EXPECT_EQ(test, record->val[record->num - 1], refused[i].err ? 1U : 0U);
		record->num = 0;
	}
}

static void levels_are_read(struct kunit *test)
{
	struct parq_port *port = &record->port;
	u32 base = PARQ_PORT(RECORD_PORT);
	struct parq_rxq q = { .port = port, .index = 3 };

	KUNIT_EXPECT_EQ(test, parq_io_rxb_total(port), record_value(base + PARQ_RXB_TOTAL));
	KUNIT_EXPECT_EQ(test, parq_io_rxb_used(port, 7),
			record_value(base + PARQ_RXB(7) + PARQ_RXB_USED));
	KUNIT_EXPECT_EQ(test, parq_io_rxb_high(port, 7),
			record_value(base + PARQ_RXB(7) + PARQ_RXB_HIGH));
	KUNIT_EXPECT_EQ(test, parq_io_fc_status(port), record_value(base + PARQ_FC_STATUS));
	KUNIT_EXPECT_EQ(test, parq_io_fc_xoff(port), (u8)record_value(base + PARQ_FC_STATUS));
	KUNIT_EXPECT_EQ(test, parq_io_pfc_timer(port, 3),
			record_value(base + PARQ_PFC(3) + PARQ_PFC_TIMER));
	KUNIT_EXPECT_EQ(test, parq_io_park_head(port, 3),
			record_value(base + PARQ_PFC(3) + PARQ_PARK_HEAD));
	KUNIT_EXPECT_EQ(test, parq_io_park_tail(port, 3),
			record_value(base + PARQ_PFC(3) + PARQ_PARK_TAIL));
	KUNIT_EXPECT_EQ(test, parq_io_launch_missed(port),
			record_value(base + PARQ_LAUNCH_MISSED));
	KUNIT_EXPECT_EQ(test, parq_io_rxq_head(&q),
			record_value(base + PARQ_RXQ(3) + PARQ_RXQ_HEAD));
	parq_io_rxb_max_clear(port, 7);
	EXPECT_WRITES(test, base, { PARQ_RXB(7) + PARQ_RXB_HIGH, 0 });
}

static void steering_is_set(struct kunit *test)
{
	struct parq_port *port = &record->port;
	struct parq_rule rule = { .action = 5 };
	u64 frames, bytes;
	unsigned int i;
	u32 at = PARQ_PORT(RECORD_PORT) + PARQ_RULE_COUNT(3);

	parq_io_rss_set(port, 0);
	KUNIT_EXPECT_EQ(test, record->num, 0U);
	port->pd->caps.flags = PARQ_CAP_RSS;
	parq_io_rss_set(port, 0);
	KUNIT_EXPECT_EQ(test, record->num, PARQ_RSS_KEY_LEN / 4 + PARQ_RSS_INDIR_LEN / 4 + 1U);
	KUNIT_EXPECT_EQ(test, record->val[record->num - 1],
			(u32)(PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 | PARQ_RSS_CTRL_IPV6 |
			      PARQ_RSS_CTRL_TCP | PARQ_RSS_CTRL_UDP));
	record->num = 0;
	rule.match.key[0] = 1;
	rule.match.mask[PARQ_RULE_WORDS - 1] = 2;
	parq_io_rule_set(port, 4, &rule);
	KUNIT_EXPECT_EQ(test, record->num, 2U * PARQ_RULE_WORDS + 2);
	KUNIT_EXPECT_EQ(test, record->val[0], 1U);
	KUNIT_EXPECT_EQ(test, record->val[2 * PARQ_RULE_WORDS - 1], 2U);
	KUNIT_EXPECT_EQ(test, record->val[2 * PARQ_RULE_WORDS], 5U);
	KUNIT_EXPECT_EQ(test, record->val[2 * PARQ_RULE_WORDS + 1], 4U);
	record->num = 0;
	parq_io_rule_set(port, 4, NULL);
	EXPECT_WRITES(test, PARQ_PORT(RECORD_PORT), { PARQ_RULE_ACTION, 0 }, { PARQ_RULE_SET, 4 });
	parq_io_rule_count_clear(port, 3);
	EXPECT_WRITES(test, at, { PARQ_COUNT_FRAMES_LO, 0 });
	/* The upper half stays, and then changes between two reads. */
	record->at = at + PARQ_COUNT_FRAMES_HI;
	for (i = 0; i < 4; i++)
		record->reads[i] = i == 3 ? 8 : 7;
	KUNIT_EXPECT_EQ(test, parq_io_rule_count(port, 3, &frames, &bytes), 0);
	KUNIT_EXPECT_EQ(test, frames, 7ULL << 32 | record_value(at + PARQ_COUNT_FRAMES_LO));
	KUNIT_EXPECT_EQ(test, bytes, (u64)record_value(at + PARQ_COUNT_BYTES_HI) << 32 |
			record_value(at + PARQ_COUNT_BYTES_LO));
	parq_io_rule_count(port, 3, &frames, &bytes);
	KUNIT_EXPECT_EQ(test, frames, 8ULL << 32);
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
static const u8 record_addr[ETH_ALEN] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

static void ports_forward(struct kunit *test)
{
	struct parq_port *port = &record->port;
	struct parq_vlan v = {
		.ports = 0x100000002, .untagged = 0x300000004, .vid = 5, .domain = 6, .host = true,
	};
	struct parq_dev *pd = &record->pd;
	u32 vlan = FIELD_PREP(PARQ_SW_VLAN_SET_VID, 5) | FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 6);
	u32 at = PARQ_SW_PORT(RECORD_PORT), base = RECORD_WINDOW;

	record->at = base + PARQ_SW_VLAN_FULL;
	record->reads[1] = 1;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_vlan(pd, &v));
	EXPECT_WRITES(test, base, { PARQ_SW_VLAN_PORTS_LO, 2 }, { PARQ_SW_VLAN_PORTS_HI, 1 },
		      { PARQ_SW_VLAN_UNTAGGED_LO, 4 }, { PARQ_SW_VLAN_UNTAGGED_HI, 3 },
		      { PARQ_SW_VLAN_SET, vlan | PARQ_SW_VLAN_SET_HOST });
	v.host = false;
	KUNIT_EXPECT_FALSE(test, parq_io_switch_vlan(pd, &v));
	KUNIT_EXPECT_EQ(test, record->val[4], vlan);
	record->num = 0;
	record->at = base + at + PARQ_SW_CTRL;
	record->reads[2] = 9;
	KUNIT_EXPECT_EQ(test, parq_io_switch_ctrl(port, 9), 0);
	KUNIT_EXPECT_EQ(test, parq_io_switch_ctrl(port, 8), -EIO);
	parq_io_switch_pvid(port, 7);
	parq_io_switch_domain(pd, 4, 3);
	EXPECT_WRITES(test, base, { at + PARQ_SW_CTRL, 9 }, { at + PARQ_SW_CTRL, 8 },
		      { at + PARQ_SW_PVID, 7 }, { PARQ_SW_DOMAIN(4), 3 });
	record->at = base + at + PARQ_SW_VIF_CTRL;
	record->next = 2;
	KUNIT_EXPECT_EQ(test, parq_io_switch_vif_ctrl(port, 9), 0);
	KUNIT_EXPECT_EQ(test, parq_io_switch_vif_ctrl(port, 8), -EIO);
	parq_io_switch_vif(port, 4094, true);
	parq_io_switch_vif(port, 10, false);
	EXPECT_WRITES(test, base, { at + PARQ_SW_VIF_CTRL, 9 }, { at + PARQ_SW_VIF_CTRL, 8 },
		      { at + PARQ_SW_VIF_SET, PARQ_SW_VIF_SET_EN | 4094 },
		      { at + PARQ_SW_VIF_SET, 10 });
	KUNIT_EXPECT_EQ(test, parq_io_switch_stat(port, 2),
			(u64)record_value(base + at + PARQ_SW_STAT_HI(2)) << 32 |
			record_value(base + at + PARQ_SW_STAT_LO(2)));
	record->same = true;
	record->others = PARQ_SW_CAP_VLAN;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_vlans(pd));
	KUNIT_EXPECT_FALSE(test, parq_io_switch_groups(pd) || parq_io_switch_pool(pd));
	record->others = PARQ_SW_CAP_NO_ENTRY;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_no_entry(pd));
	record->others = PARQ_SW_CAP_MDB;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_groups(pd));
	KUNIT_EXPECT_FALSE(test, parq_io_switch_vlans(pd) || parq_io_switch_no_entry(pd));
	record->others = PARQ_SW_CAP_POOL;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_pool(pd));
	record->others = PARQ_SW_CAP_VIF;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_vifs(pd));
	KUNIT_EXPECT_FALSE(test, parq_io_switch_vif_domains(pd));
	record->others = PARQ_SW_CAP_VIF_DOMAIN;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_vif_domains(pd));
	KUNIT_EXPECT_FALSE(test, parq_io_switch_vifs(pd));
}

static void groups_are_set(struct kunit *test)
{
	static const enum parq_fdb_result results[] = {
		PARQ_FDB_OK, PARQ_FDB_FULL, PARQ_FDB_FULL,
	};
	struct parq_mdb e = { .ports = 0x100000002, .vid = 5, .domain = 6, .host = true };
	u32 set = FIELD_PREP(PARQ_SW_MDB_SET_VID, 5) | FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, 6);
	unsigned int i;

	ether_addr_copy(e.addr, record_addr);
	record->at = RECORD_WINDOW + PARQ_SW_MDB_RESULT;
	record->reads[0] = PARQ_FDB_OK;
	record->reads[1] = PARQ_FDB_FULL;
	record->reads[2] = PARQ_FDB_FULL + 1;
	for (i = 0; i < ARRAY_SIZE(results); i++) {
		KUNIT_EXPECT_EQ(test, (int)parq_io_mdb_set(&record->pd, &e), (int)results[i]);
		EXPECT_WRITES(test, RECORD_WINDOW,
			      { PARQ_SW_MDB_PORTS_LO, 2 }, { PARQ_SW_MDB_PORTS_HI, 1 },
			      { PARQ_SW_MDB_ADDR_LO, 0x33221102 },
			      { PARQ_SW_MDB_ADDR_HI, 0x5544 },
			      { PARQ_SW_MDB_SET, set | (e.host ? PARQ_SW_MDB_SET_HOST : 0) });
		e.host = !e.host;
	}
}

static void addresses_are_set(struct kunit *test)
{
	struct parq_fdb e = { .vid = 5, .domain = 6, .port = 7, .kind = 1 }, read = {};
	struct parq_dev *pd = &record->pd;
	u32 base = RECORD_WINDOW, entry;

	entry = FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, 7) | FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, 6) |
		FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, 1) | FIELD_PREP(PARQ_SW_FDB_ENTRY_VID, 5);
	ether_addr_copy(e.addr, record_addr);
	record->at = base + PARQ_SW_FDB_RESULT;
	record->reads[0] = PARQ_FDB_FULL;
	record->reads[1] = PARQ_FDB_OK;
	record->reads[2] = PARQ_FDB_NONE;
	KUNIT_EXPECT_EQ(test, (int)parq_io_fdb_cmd(pd, PARQ_FDB_ADD, &e), PARQ_FDB_FULL);
	EXPECT_WRITES(test, base, { PARQ_SW_FDB_ADDR_LO, 0x33221102 },
		      { PARQ_SW_FDB_ADDR_HI, 0x5544 }, { PARQ_SW_FDB_ENTRY, entry },
		      { PARQ_SW_FDB_CMD, PARQ_FDB_ADD });
	KUNIT_EXPECT_TRUE(test, parq_io_fdb_read(pd, 3, &read));
	EXPECT_WRITES(test, base, { PARQ_SW_FDB_INDEX, 3 }, { PARQ_SW_FDB_CMD, PARQ_FDB_READ });
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(read.addr),
			record_value(base + PARQ_SW_FDB_ADDR_LO));
	KUNIT_EXPECT_EQ(test, get_unaligned_le16(read.addr + 4),
			(u16)record_value(base + PARQ_SW_FDB_ADDR_HI));
	entry = record_value(base + PARQ_SW_FDB_ENTRY);
	e.port = FIELD_GET(PARQ_SW_FDB_ENTRY_PORT, entry);
	e.domain = FIELD_GET(PARQ_SW_FDB_ENTRY_DOMAIN, entry);
	e.kind = FIELD_GET(PARQ_SW_FDB_ENTRY_KIND, entry);
	e.vid = FIELD_GET(PARQ_SW_FDB_ENTRY_VID, entry);
	KUNIT_EXPECT_EQ(test, read.port, e.port);
	KUNIT_EXPECT_EQ(test, read.domain, e.domain);
	KUNIT_EXPECT_EQ(test, read.kind, e.kind);
	KUNIT_EXPECT_EQ(test, read.vid, e.vid);
	KUNIT_EXPECT_FALSE(test, parq_io_fdb_read(pd, 3, &read));
	record->num = 0;
	parq_io_fdb_age(pd, 300);
	EXPECT_WRITES(test, base, { PARQ_SW_FDB_AGE, 300 });
	KUNIT_EXPECT_EQ(test, parq_io_fdb_size(pd), record_value(base + PARQ_SW_FDB_SIZE));
	clear_bit(PARQ_DEV_READY, &pd->flags);
	KUNIT_EXPECT_FALSE(test, parq_io_fdb_read(pd, 3, &read));
}

static void pool_is_accessed(struct kunit *test)
{
	u32 base = RECORD_WINDOW, at = PARQ_SW_PORT(RECORD_PORT);
	struct parq_port *port = &record->port;
	struct parq_dev *pd = &record->pd;

	parq_io_pool_size(pd, 1000);
	parq_io_pool_limit(port, 7, 5);
	parq_io_pool_max_clear(port);
	EXPECT_WRITES(test, base, { PARQ_SW_POOL_SIZE, 1000 }, { at + PARQ_SW_POOL_LIMIT(7), 5 },
		      { at + PARQ_SW_POOL_HIGH, 0 });
	KUNIT_EXPECT_EQ(test, parq_io_pool_used(pd), record_value(base + PARQ_SW_POOL_USED));
	KUNIT_EXPECT_EQ(test, parq_io_pool_room(pd), record_value(base + PARQ_SW_POOL_ROOM));
	KUNIT_EXPECT_EQ(test, parq_io_pool_port_used(port),
			record_value(base + at + PARQ_SW_POOL_PORT_USED));
	KUNIT_EXPECT_EQ(test, parq_io_pool_high(port),
			record_value(base + at + PARQ_SW_POOL_HIGH));
}

static void egress_is_accessed(struct kunit *test)
{
	u32 base = RECORD_WINDOW, at = PARQ_SW_PORT(RECORD_PORT), tc = PARQ_SW_EGR(RECORD_PORT, 7);
	struct parq_port *port = &record->port;

	parq_io_egress_limit(port, 7, 1000);
	parq_io_egress_max_clear(port, 7);
	parq_io_egress_max_clear(port, PARQ_EGRESS_PORT);
	EXPECT_WRITES(test, base, { tc + PARQ_SW_EGR_LIMIT, 1000 }, { tc + PARQ_SW_EGR_HIGH, 0 },
		      { at + PARQ_SW_EGR_PORT_HIGH, 0 });
	KUNIT_EXPECT_EQ(test, parq_io_egress_used(port, 7),
			record_value(base + tc + PARQ_SW_EGR_USED));
	KUNIT_EXPECT_EQ(test, parq_io_egress_high(port, 7),
			record_value(base + tc + PARQ_SW_EGR_HIGH));
	KUNIT_EXPECT_EQ(test, parq_io_egress_used(port, PARQ_EGRESS_PORT),
			record_value(base + at + PARQ_SW_EGR_PORT_USED));
	KUNIT_EXPECT_EQ(test, parq_io_egress_high(port, PARQ_EGRESS_PORT),
			record_value(base + at + PARQ_SW_EGR_PORT_HIGH));
	record->same = true;
	record->others = ~(u32)PARQ_SW_CAP_EGRESS;
	KUNIT_EXPECT_FALSE(test, parq_io_switch_egress(&record->pd));
	record->others = PARQ_SW_CAP_EGRESS;
	KUNIT_EXPECT_TRUE(test, parq_io_switch_egress(&record->pd));
}

static void levels_are_held(struct kunit *test)
{
	struct parq_dev *pd = &record->pd;

	record->same = true;
	record->others = ~(u32)PARQ_SW_CAP_SNAPSHOT;
	parq_io_levels_hold(pd, true);
	record->others = PARQ_SW_CAP_SNAPSHOT;
	parq_io_levels_hold(pd, true);
	parq_io_levels_hold(pd, false);
	EXPECT_WRITES(test, RECORD_WINDOW, { PARQ_SW_SNAPSHOT, 1 }, { PARQ_SW_SNAPSHOT, 0 });
}
#endif

static struct kunit_case record_cases[] = {
	KUNIT_CASE(dump_has_all),
	KUNIT_CASE(device_is_set),
	KUNIT_CASE(clock_is_read),
	KUNIT_CASE(errors_are_expected),
	KUNIT_CASE(port_is_set),
	KUNIT_CASE(link_is_read),
	KUNIT_CASE(queues_are_set),
	KUNIT_CASE(trust_is_set),
	KUNIT_CASE(trust_is_refused),
	KUNIT_CASE(levels_are_read),
	KUNIT_CASE(steering_is_set),
#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
	KUNIT_CASE(ports_forward),
	KUNIT_CASE(groups_are_set),
	KUNIT_CASE(addresses_are_set),
	KUNIT_CASE(pool_is_accessed),
	KUNIT_CASE(egress_is_accessed),
	KUNIT_CASE(levels_are_held),
#endif
	{}
};

static struct kunit_suite record_suite = {
	.name = "parq_io_regs",
	.init = record_init,
	.test_cases = record_cases,
};

kunit_test_suite(record_suite);

MODULE_DESCRIPTION("KUnit suite of the registers that functions access");
MODULE_LICENSE("GPL");
