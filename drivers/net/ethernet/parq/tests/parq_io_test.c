// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of requests that the device may refuse, over a device of a few lines: it
 * keeps the first refusal and counts them, as PARQ_ERR does. Others use it meanwhile and are
 * refused, too.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/io.h>

#define parq_dev_lost				refuse_lost

#include "../parq_io.h"
#include "../parq_netdev.h"

/**
 * struct refuse - the device
 * @first: register of the first refusal
 * @count: refusals
 * @ours: register that is refused
 * @others: refusals of others in front of each write of @before
 * @before: register
 * @rounds: times that @others come
 * @writes: of PARQ_FC_SEND and of PARQ_ETS_APPLY
 */
struct refuse {
	u32 first;
	u32 count;
	u32 ours;
	u32 others;
	u32 before;
	u32 rounds;
	u32 writes;
};

static struct refuse refuse;
static u8 refuse_regs[4];

static void refuse_one(u32 reg)
{
	if (!refuse.count++)
		refuse.first = reg;
}

static u32 refuse_readl(const void __iomem *addr)
{
	u32 reg = (const u8 __iomem *)addr - (const u8 __iomem __force *)refuse_regs;

	switch (reg) {
	case PARQ_ERR:
		return refuse.count ? PARQ_ERR_STATE |
		       FIELD_PREP(PARQ_ERR_COUNT, refuse.count) : 0;
	case PARQ_ERR_ADDR:
		return refuse.first;
	case PARQ_MAGIC:
		return PARQ_MAGIC_VALUE;
	}
	return 0;
}

static void refuse_writel(u32 val, void __iomem *addr)
{
	u32 reg = (const u8 __iomem *)addr - (const u8 __iomem __force *)refuse_regs;
	u32 n;

	if (reg == PARQ_ERR) {
		refuse.first = 0;
		refuse.count = 0;
		return;
	}
	if (reg == PARQ_PORT(0) + refuse.before) {
		refuse.writes++;
		if (refuse.rounds) {
			refuse.rounds--;
			for (n = 0; n < refuse.others; n++)
				refuse_one(PARQ_PORT(1) + PARQ_FC_SEND);
		}
	}
	if (refuse.ours && reg == PARQ_PORT(0) + refuse.ours)
		refuse_one(reg);
}

#undef readl
#undef writel
#define readl	refuse_readl
#define writel	refuse_writel

#include "../parq_io.c"

void refuse_lost(struct parq_dev *pd)
{
}

static void refuse_up(struct kunit *test, struct parq_dev *pd,
		      struct parq_port *port, u32 before)
{
	memset(&refuse, 0, sizeof(refuse));
	refuse.before = before;
	pd->regs = (void __iomem __force *)refuse_regs;
	mutex_init(&pd->err_lock);
	set_bit(PARQ_DEV_READY, &pd->flags);
	port->pd = pd;
}

static void refuse_ets(struct kunit *test)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	struct parq_ets ets = {};

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	refuse_up(test, pd, port, PARQ_ETS_APPLY);
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	/* Another port's refusal is none of ours. */
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 2U);
	/* Two of them may be: once more. */
	refuse.others = 2;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), 0);
	KUNIT_EXPECT_EQ(test, refuse.writes, 4U);
	/* Ours behind another one. */
	refuse.ours = PARQ_ETS_APPLY;
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -EIO);
	refuse.rounds = 100;
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -EIO);
	clear_bit(PARQ_DEV_READY, &pd->flags);
	KUNIT_EXPECT_EQ(test, parq_io_ets_set(port, &ets), -ENODEV);
}

/* Whoever asked for one frame must not get two. */
static void refuse_fc_send(struct kunit *test)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	refuse_up(test, pd, port, PARQ_FC_SEND);
	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), 0);
	refuse.others = 1;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), 0);
	refuse.ours = PARQ_FC_SEND;
	refuse.rounds = 1;
	KUNIT_EXPECT_EQ(test, parq_io_fc_send(port, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, refuse.writes, 3U);
}

static struct kunit_case parq_io_tests[] = {
	KUNIT_CASE(refuse_ets),
	KUNIT_CASE(refuse_fc_send),
	{}
};

static struct kunit_suite parq_io_suite = {
	.name = "parq_io",
	.test_cases = parq_io_tests,
};

kunit_test_suite(parq_io_suite);

MODULE_DESCRIPTION("KUnit suite of requests that the device may refuse");
MODULE_LICENSE("GPL");
