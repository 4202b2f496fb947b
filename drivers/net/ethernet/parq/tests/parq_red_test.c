// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of offloaded red qdiscs, over a fake device: which traffic classes have which
 * settings, and whose are the frames that the device has marked or dropped.
 * parq_red_calc_test.c has the arithmetic.
 */
#include <kunit/test.h>
#include <net/red.h>

#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_red.h"
#include "../parq_switch_domain.h"

#define LANE_PORTS	2
#define ETS		0x10000U	/* handle of an ets qdisc */
#define ROOT		0x20000U	/* of red qdiscs */
#define RED_A		0x30000U
#define RED_B		0x40000U
#define ON		PARQ_SW_RED_CTRL_EN
#define ALL_TCS		(BIT(PARQ_NUM_TC) - 1)
#define BAD_MIN		"min 2000 is not above 0 and below max 1000"

/**
 * struct lane - the device, and what the fakes do and have seen
 * @test: test that runs
 * @port: ports
 * @dev: their netdevs
 * @pd: device
 * @sw: its switch
 * @hw: settings, by port and traffic class
 * @count: counters
 * @set: BIT(traffic class) of the first port that was set
 * @reads: number of counters read
 * @refuses: BIT(traffic class) that the device refuses to set, except to switch it off
 * @off: the device is off
 * @goes: counters that can be read before the device goes; negative: it does not
 * @meanwhile: frames that a class drops while it is set
 * @has_red: the device has RED
 * @what: what was refused
 * @reason: why
 */
struct lane {
	struct kunit *test;
	struct parq_port port[LANE_PORTS];
	struct net_device dev[LANE_PORTS];
	struct parq_dev pd;
	struct parq_switch sw;
	struct parq_red_hw hw[LANE_PORTS][PARQ_NUM_TC];
	struct parq_red_count count[LANE_PORTS][PARQ_NUM_TC];
	u8 set;
	unsigned int reads;
	u8 refuses;
	bool off;
	int goes;
	unsigned int meanwhile;
	bool has_red;
	char what[32];
	char reason[PARQ_REASON_LEN];
};

static struct lane *lane;

/* ---- fakes ---------------------------------------------------------------- */

bool parq_io_switch_red(struct parq_dev *pd)
{
	return lane->has_red;
}

int parq_io_red_set(const struct parq_port *port, unsigned int tc, const struct parq_red_hw *hw)
{
	KUNIT_EXPECT_TRUE(lane->test, mutex_is_locked(&lane->sw.lock));
	if (!port->index)
		lane->set |= BIT(tc);
	if (lane->off)
		return -ENODEV;
	lane->count[port->index][tc].dropped += lane->meanwhile;
	if (hw->ctrl && lane->refuses & BIT(tc))
		return -EIO;
	lane->hw[port->index][tc] = *hw;
	return 0;
}

void parq_io_red_count(const struct parq_port *port, unsigned int tc, struct parq_red_count *count)
{
	KUNIT_EXPECT_TRUE(lane->test, mutex_is_locked(&lane->sw.lock));
	lane->reads++;
	*count = lane->count[port->index][tc];
	if (lane->goes-- == 0) {
		clear_bit(PARQ_DEV_READY, &lane->pd.flags);
		memset(count, 0xff, sizeof(*count));
	}
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	strscpy(lane->what, what, sizeof(lane->what));
	strscpy(lane->reason, reason, sizeof(lane->reason));
	return err;
}

/* ---- requests ------------------------------------------------------------- */

static int red_set(unsigned int port, u32 handle, u32 parent, u32 min,
		   struct gnet_stats_queue *qstats)
{
	struct tc_red_qopt_offload qopt = {
		.command = TC_RED_REPLACE, .handle = handle, .parent = parent,
		.set = { .min = min, .max = 1000, .probability = 5, .qstats = qstats },
	};

	return parq_red_setup(&lane->port[port], &qopt);
}

/* The first port. */
static int red_replace(u32 handle, u32 parent, u32 min)
{
	struct gnet_stats_queue qstats = {};

	return red_set(0, handle, parent, min, &qstats);
}

static int red_command(u32 handle, enum tc_red_command command)
{
	struct tc_red_qopt_offload qopt = { .command = command, .handle = handle };

	return parq_red_setup(&lane->port[0], &qopt);
}

static int red_stats(u32 handle, struct gnet_stats_queue *qstats)
{
	struct tc_red_qopt_offload qopt = {
		.command = TC_RED_STATS, .handle = handle, .stats.qstats = qstats };

	return parq_red_setup(&lane->port[0], &qopt);
}

static int red_xstats(u32 handle, struct red_stats *xstats)
{
	struct tc_red_qopt_offload qopt = {
		.command = TC_RED_XSTATS, .handle = handle, .xstats = xstats };

	return parq_red_setup(&lane->port[0], &qopt);
}

/* Compares what a qdisc has dropped since the last time. */
static void expect_drops(struct kunit *test, u32 handle, unsigned int drops)
{
	struct gnet_stats_queue qstats = {};

	KUNIT_EXPECT_EQ(test, red_stats(handle, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, drops);
	KUNIT_EXPECT_EQ(test, qstats.overlimits, drops);
}

/* Compares the lower limit of each class of the first port; 0: it is off. */
static void expect_limits(struct kunit *test, const u32 min[PARQ_NUM_TC])
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		const struct parq_red_hw *hw = &lane->hw[0][tc];

		KUNIT_EXPECT_EQ_MSG(test, hw->min, min[tc], "class %u", tc);
		KUNIT_EXPECT_EQ_MSG(test, hw->ctrl, min[tc] ? (u32)ON : 0, "class %u", tc);
	}
}

#define LIMITS(...)	((const u32[PARQ_NUM_TC]) { __VA_ARGS__ })

/* Compares the classes that were set since the last time. */
static void expect_set(struct kunit *test, u8 set)
{
	KUNIT_EXPECT_EQ(test, lane->set, set);
	lane->set = 0;
}

static void expect_refused(struct kunit *test, const char *what, const char *reason)
{
	KUNIT_EXPECT_STREQ(test, lane->what, what);
	KUNIT_EXPECT_STREQ(test, lane->reason, reason);
	lane->what[0] = 0;
}

/* Three bands: classes 2 to 0. Two of them have red qdiscs. */
static void lane_bands(struct kunit *test)
{
	parq_red_ets(&lane->port[0], ETS, 3);
	expect_set(test, 0);
	KUNIT_EXPECT_EQ(test, red_replace(RED_A, ETS + 1, 100), 0);
	expect_set(test, BIT(2));
	KUNIT_EXPECT_EQ(test, red_replace(RED_B, ETS + 3, 300), 0);
	expect_set(test, BIT(0));
	lane->reads = 0;
}

static int lane_init(struct kunit *test)
{
	unsigned int i;

	lane = kunit_kzalloc(test, sizeof(*lane), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, lane);
	lane->test = test;
	lane->goes = -1;
	lane->pd.sw = &lane->sw;
	lane->pd.caps.ports = LANE_PORTS;
	mutex_init(&lane->sw.lock);
	set_bit(PARQ_DEV_READY, &lane->pd.flags);
	for (i = 0; i < LANE_PORTS; i++) {
		lane->port[i].index = i;
		lane->port[i].pd = &lane->pd;
		lane->port[i].netdev = &lane->dev[i];
		lane->pd.port[i] = &lane->port[i];
	}
	KUNIT_EXPECT_EQ(test, parq_red_init(&lane->pd), 0);
	KUNIT_EXPECT_NULL(test, lane->sw.red);
	lane->has_red = true;
	KUNIT_EXPECT_EQ(test, parq_red_init(&lane->pd), 0);
	KUNIT_ASSERT_NOT_NULL(test, lane->sw.red);
	return 0;
}

static void lane_exit(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&lane->sw.lock));
	lane->pd.sw = &lane->sw;
	parq_red_fini(&lane->pd);
}

/* ---- cases: settings ------------------------------------------------------ */

static void root_has_all_classes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), 0);
	expect_limits(test, LIMITS(100, 100, 100, 100, 100, 100, 100, 100));
	KUNIT_EXPECT_EQ(test, lane->hw[0][7].max, 1000);
	KUNIT_EXPECT_EQ(test, lane->hw[0][7].prob, 5);
	KUNIT_EXPECT_EQ(test, lane->hw[1][7].ctrl, 0);
	expect_set(test, ALL_TCS);
	/* The device is told only what changes. */
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), 0);
	expect_set(test, 0);
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 200), 0);
	expect_set(test, ALL_TCS);
	KUNIT_EXPECT_EQ(test, red_command(RED_A, TC_RED_DESTROY), -EOPNOTSUPP);
	expect_limits(test, LIMITS(200, 200, 200, 200, 200, 200, 200, 200));
	KUNIT_EXPECT_EQ(test, red_command(ROOT, TC_RED_DESTROY), 0);
	expect_limits(test, LIMITS(0));
	KUNIT_EXPECT_EQ(test, red_command(ROOT, TC_RED_DESTROY), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, lane->what, "");
}

static void bands_have_classes(struct kunit *test)
{
	lane_bands(test);
	expect_limits(test, LIMITS(300, 0, 100));
	/* The qdisc gets more bands, and so other classes. */
	parq_red_ets(&lane->port[0], ETS, 8);
	expect_limits(test, LIMITS(0, 0, 0, 0, 0, 300, 0, 100));
	expect_set(test, BIT(0) | BIT(2) | BIT(5) | BIT(7));
	/* Another child, which may be no red qdisc, ends the old one. */
	parq_red_graft(&lane->port[0], 0, RED_A);
	expect_set(test, 0);
	parq_red_graft(&lane->port[0], 0, ROOT);
	expect_limits(test, LIMITS(0, 0, 0, 0, 0, 300));
	KUNIT_EXPECT_EQ(test, red_command(RED_A, TC_RED_DESTROY), -EOPNOTSUPP);
	/* A root replaces the tree, which is destroyed later, and the other way round. */
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 50), 0);
	expect_limits(test, LIMITS(50, 50, 50, 50, 50, 50, 50, 50));
	KUNIT_EXPECT_EQ(test, red_command(ROOT, TC_RED_DESTROY), 0);
	expect_limits(test, LIMITS(0, 0, 0, 0, 0, 300));
	parq_red_ets(&lane->port[0], 0, 0);
	expect_limits(test, LIMITS(0));
}

static void offload_ends(struct kunit *test)
{
	struct gnet_stats_queue qstats = {};

	lane_bands(test);
	lane->count[0][0].dropped = 3;
	parq_red_clear(&lane->port[0]);
	expect_limits(test, LIMITS(0));
	KUNIT_EXPECT_EQ(test, red_stats(RED_A, &qstats), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, red_stats(RED_B, &qstats), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 3ULL);
	KUNIT_EXPECT_EQ(test, qstats.drops, 0U);
}

/* The offload of a qdisc ends with what it was offloaded before. Its counts are told. */
static void settings_are_refused(struct kunit *test)
{
	struct gnet_stats_queue qstats = { .drops = 10, .overlimits = 20 };

	lane_bands(test);
	lane->count[0][2] = (struct parq_red_count){ .marked = 4, .dropped = 3 };
	KUNIT_EXPECT_EQ(test, red_set(0, RED_A, ETS + 1, 2000, &qstats), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc red 3", BAD_MIN);
	KUNIT_EXPECT_EQ(test, qstats.drops, 13U);
	KUNIT_EXPECT_EQ(test, qstats.overlimits, 27U);
	expect_limits(test, LIMITS(300));
	/* It works in software now. */
	KUNIT_EXPECT_EQ(test, red_stats(RED_A, &qstats), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, qstats.drops, 13U);
	lane->count[0][2].dropped = 5;
	KUNIT_EXPECT_EQ(test, red_replace(RED_A, ETS + 1, 100), 0);
	expect_limits(test, LIMITS(300, 0, 100));
	/* One that has never been offloaded. */
	lane->set = 0;
	KUNIT_EXPECT_EQ(test, red_set(0, ROOT, ETS + 2, 2000, &qstats), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc red 2", BAD_MIN);
	KUNIT_EXPECT_EQ(test, qstats.drops, 13U);
	expect_set(test, 0);
}

/* A class that refuses its settings is switched off, and then all of the qdisc. */
static void device_refuses_settings(struct kunit *test)
{
	struct gnet_stats_queue qstats = {};

	lane->refuses = BIT(5);
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), -EIO);
	expect_refused(test, "offload of qdisc red 2", "");
	expect_limits(test, LIMITS(0));
	expect_set(test, ALL_TCS);
	KUNIT_EXPECT_EQ(test, red_stats(ROOT, &qstats), -EOPNOTSUPP);
	/* It still has the settings before. */
	lane->refuses = 0;
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), 0);
	lane->refuses = BIT(0) | BIT(7);
	lane->count[0][3].dropped = 2;
	KUNIT_EXPECT_EQ(test, red_set(0, ROOT, TC_H_ROOT, 200, &qstats), -EIO);
	expect_limits(test, LIMITS(0));
	KUNIT_EXPECT_EQ(test, qstats.drops, 2U);
}

/* A device that is off gets them when it starts. */
static void device_is_off(struct kunit *test)
{
	lane->off = true;
	lane_bands(test);
	expect_limits(test, LIMITS(0));
	KUNIT_EXPECT_STREQ(test, lane->what, "");
	lane->off = false;
	parq_red_restart(&lane->pd);
	expect_limits(test, LIMITS(300, 0, 100));
}

static void no_red(struct kunit *test)
{
	struct parq_port *port = &lane->port[0];
	struct parq_red *red = lane->sw.red;

	lane->sw.red = NULL;
	KUNIT_EXPECT_EQ(test, red_command(ROOT, TC_RED_STATS), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, lane->what, "");
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc red", "the device cannot mark frames");
	parq_red_ets(port, ETS, 8);
	parq_red_graft(port, 0, RED_A);
	parq_red_clear(port);
	parq_red_fold(&lane->pd);
	parq_red_restart(&lane->pd);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(port), 0ULL);
	lane->sw.red = red;
	/* The port does not forward. */
	lane->pd.sw = NULL;
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, lane->what, "");
	parq_red_ets(port, ETS, 8);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(port), 0ULL);
	expect_set(test, 0);
}

/* ---- cases: counters ------------------------------------------------------ */

static void root_counts(struct kunit *test)
{
	struct gnet_stats_queue qstats = { .drops = 10, .overlimits = 20 };
	struct red_stats xstats = { .prob_drop = 30, .prob_mark = 40 };

	KUNIT_EXPECT_EQ(test, red_replace(ROOT, TC_H_ROOT, 100), 0);
	lane->count[0][0] = (struct parq_red_count){ .marked = 1, .dropped = 2 };
	lane->count[0][7] = (struct parq_red_count){ .marked = 4, .dropped = 8 };
	KUNIT_EXPECT_EQ(test, red_stats(ROOT, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 20U);
	KUNIT_EXPECT_EQ(test, qstats.overlimits, 35U);
	KUNIT_EXPECT_EQ(test, red_stats(ROOT, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 20U);
	KUNIT_EXPECT_EQ(test, qstats.overlimits, 35U);
	/* Its own counters are told apart from these. */
	lane->count[0][0] = (struct parq_red_count){ .marked = 17, .dropped = 34 };
	KUNIT_EXPECT_EQ(test, red_xstats(ROOT, &xstats), 0);
	KUNIT_EXPECT_EQ(test, xstats.prob_mark, 61U);
	KUNIT_EXPECT_EQ(test, xstats.prob_drop, 72U);
	KUNIT_EXPECT_EQ(test, red_xstats(ROOT, &xstats), 0);
	KUNIT_EXPECT_EQ(test, xstats.prob_mark, 61U);
	KUNIT_EXPECT_EQ(test, xstats.prob_drop, 72U);
	KUNIT_EXPECT_EQ(test, red_stats(ROOT, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 52U);
	/* No ets qdisc is above it. */
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 0ULL);
	KUNIT_EXPECT_EQ(test, red_command(ROOT, TC_RED_GRAFT), -EOPNOTSUPP);
}

/* A query reads the classes of its qdisc. */
static void bands_count(struct kunit *test)
{
	lane_bands(test);
	lane->count[0][0].dropped = 3;
	lane->count[0][1].dropped = 100;
	lane->count[0][2].dropped = 4;
	lane->count[1][2].dropped = 200;
	expect_drops(test, RED_A, 4);
	KUNIT_EXPECT_EQ(test, lane->reads, 1U);
	expect_drops(test, RED_B, 3);
	KUNIT_EXPECT_EQ(test, lane->reads, 2U);
	lane->count[0][0].dropped = 5;
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 9ULL);
	KUNIT_EXPECT_EQ(test, lane->reads, 4U);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 0ULL);
	expect_drops(test, RED_B, 2);
	/* Those of a child that goes are the qdisc's, but not those of an ets qdisc before it. */
	lane->count[0][2].dropped = 10;
	KUNIT_EXPECT_EQ(test, red_command(RED_A, TC_RED_DESTROY), 0);
	parq_red_ets(&lane->port[0], ETS, 3);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 6ULL);
	lane->count[0][0].dropped = 20;
	parq_red_ets(&lane->port[0], 2 * ETS, 3);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 0ULL);
}

/* Frames belong to the qdisc that had the class when they came. */
static void counts_of_qdiscs_that_change(struct kunit *test)
{
	struct gnet_stats_queue qstats = {};

	lane_bands(test);
	lane->count[0][2].dropped = 1;
	/* The same qdisc with other settings. */
	KUNIT_EXPECT_EQ(test, red_replace(RED_A, ETS + 1, 200), 0);
	lane->count[0][2].dropped = 3;
	expect_drops(test, RED_A, 3);
	/* Another one with the same settings begins to count. */
	lane->count[0][2].dropped = 7;
	KUNIT_EXPECT_EQ(test, red_replace(ROOT, ETS + 1, 200), 0);
	KUNIT_EXPECT_EQ(test, red_stats(RED_A, &qstats), -EOPNOTSUPP);
	expect_drops(test, ROOT, 0);
	lane->count[0][2].dropped = 8;
	expect_drops(test, ROOT, 1);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 8ULL);
	/* What comes while a class is set is the old qdisc's, if there was one. */
	lane->meanwhile = 16;
	KUNIT_EXPECT_EQ(test, red_replace(RED_A, TC_H_ROOT, 200), 0);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 16ULL);
	expect_drops(test, RED_A, 6 * 16);
	/* A root goes, below which a band has the same settings. */
	lane->count[0][2].dropped += 32;
	lane->meanwhile = 0;
	KUNIT_EXPECT_EQ(test, red_command(RED_A, TC_RED_DESTROY), 0);
	expect_drops(test, ROOT, 0);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 0ULL);
}

/* The counters restart at 0 if the device was reset, announced or not. */
static void resets(struct kunit *test)
{
	struct gnet_stats_queue qstats = {};

	lane_bands(test);
	KUNIT_EXPECT_EQ(test, red_set(1, ROOT, TC_H_ROOT, 500, &qstats), 0);
	lane->count[0][2].dropped = 10;
	expect_drops(test, RED_A, 10);
	lane->count[0][2].dropped = 4;
	expect_drops(test, RED_A, 4);
	lane->count[0][0].dropped = 5;
	lane->count[0][2].dropped = 6;
	lane->count[1][7].dropped = 7;
	lane->reads = 0;
	parq_red_fold(&lane->pd);
	KUNIT_EXPECT_EQ(test, lane->reads, 2U + PARQ_NUM_TC);
	memset(lane->hw, 0, sizeof(lane->hw));
	memset(lane->count, 0, sizeof(lane->count));
	parq_red_restart(&lane->pd);
	expect_limits(test, LIMITS(300, 0, 100));
	KUNIT_EXPECT_EQ(test, lane->hw[1][7].min, 500);
	lane->count[0][2].dropped = 20;
	expect_drops(test, RED_A, 22);
	expect_drops(test, RED_B, 5);
}

/* What a device that is gone reads as is no count. */
static void device_goes(struct kunit *test)
{
	lane_bands(test);
	lane->count[0][2].dropped = 3;
	lane->goes = 0;
	expect_drops(test, RED_A, 0);
	KUNIT_EXPECT_EQ(test, parq_red_ets_drops(&lane->port[0]), 0ULL);
	set_bit(PARQ_DEV_READY, &lane->pd.flags);
	expect_drops(test, RED_A, 3);
}

static struct kunit_case lane_cases[] = {
	KUNIT_CASE(root_has_all_classes),
	KUNIT_CASE(bands_have_classes),
	KUNIT_CASE(offload_ends),
	KUNIT_CASE(settings_are_refused),
	KUNIT_CASE(device_refuses_settings),
	KUNIT_CASE(device_is_off),
	KUNIT_CASE(no_red),
	KUNIT_CASE(root_counts),
	KUNIT_CASE(bands_count),
	KUNIT_CASE(counts_of_qdiscs_that_change),
	KUNIT_CASE(resets),
	KUNIT_CASE(device_goes),
	{}
};

static struct kunit_suite lane_suite = {
	.name = "parq_red",
	.init = lane_init,
	.exit = lane_exit,
	.test_cases = lane_cases,
};

kunit_test_suite(lane_suite);

MODULE_DESCRIPTION("KUnit suite of offloaded red qdiscs");
MODULE_LICENSE("GPL");
