// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of red qdiscs: what is accepted, what is refused, and which qdisc has a class. */
#include <kunit/test.h>

#include "../compat.h" /* <linux/string.h> <net/pkt_cls.h> */
#include "../parq_red.h"

#define ETS	0x10000U	/* handle of an ets qdisc */

/* ---- what is accepted --------------------------------------------------- */

struct red_case {
	const char *name;
	struct tc_red_qopt_offload qopt;
	u32 ets;
	const char *reason;	/* NULL: accepted */
};

#define RED(_parent, ...)	{ .parent = _parent, .set = { __VA_ARGS__ } }

static const struct red_case red_cases[] = {
	{ "at the root", RED(TC_H_ROOT, .min = 1, .max = 2, .is_ecn = true) },
	{ "without ECN", RED(TC_H_ROOT, .min = 1, .max = 2) },
	{ "no drops", RED(TC_H_ROOT, .min = 1, .max = 2, .is_ecn = true, .is_nodrop = true) },
	{ "largest", RED(TC_H_ROOT, .min = ~0U - 1, .max = ~0U, .probability = ~0U) },
	{ "first band", RED(ETS + 1, .min = 1, .max = 2), ETS },
	{ "last band", RED(ETS + 8, .min = 1, .max = 2), ETS },

	{ "no min", RED(TC_H_ROOT, .max = 2), 0, "min 0 is not above 0 and below max 2" },
	{ "no max", RED(TC_H_ROOT, .min = 1), 0, "min 1 is not above 0 and below max 0" },
	{ "nothing between", RED(TC_H_ROOT, .min = 30000, .max = 30000), 0,
	  "min 30000 is not above 0 and below max 30000" },
	{ "the wrong way round", RED(TC_H_ROOT, .min = ~0U, .max = ~0U - 1), 0,
	  "min 4294967295 is not above 0 and below max 4294967294" },
	{ "harddrop", RED(TC_H_ROOT, .min = 1, .max = 2, .is_ecn = true, .is_harddrop = true), 0,
	  "harddrop: above max the device marks what can be marked" },
	{ "no ets", RED(ETS + 1, .min = 1, .max = 2), 0,
	  "parent 1:1 is neither the root nor a class of an offloaded qdisc" },
	{ "another parent", RED(0xffff0001U, .min = 1, .max = 2), ETS,
	  "parent ffff:1 is neither the root nor a class of an offloaded qdisc" },
	{ "no class", RED(ETS, .min = 1, .max = 2), ETS, "class 1:0 is not in 1..8" },
	{ "ninth band", RED(ETS + 9, .min = 1, .max = 2), ETS, "class 1:9 is not in 1..8" },
};

static void red_desc(const struct red_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(red, red_cases, red_desc);

static void red_check_test(struct kunit *test)
{
	const struct red_case *c = test->param_value;
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_red_check(&c->qopt, c->ets, reason),
			c->reason ? -EOPNOTSUPP : 0);
	KUNIT_EXPECT_STREQ(test, reason, c->reason ?: "");
}

static void red_fit_test(struct kunit *test)
{
	struct tc_red_qopt_offload_params set = {
		.min = 30000, .max = 90000, .probability = 0x147ae147, .limit = 400000,
	};
	struct parq_red_hw hw = parq_red_fit(&set);

	KUNIT_EXPECT_EQ(test, hw.min, 30000);
	KUNIT_EXPECT_EQ(test, hw.max, 90000);
	KUNIT_EXPECT_EQ(test, hw.prob, 0x147ae147);
	KUNIT_EXPECT_EQ(test, hw.ctrl, (u32)PARQ_SW_RED_CTRL_EN);
	set.is_ecn = true;
	KUNIT_EXPECT_EQ(test, parq_red_fit(&set).ctrl,
			(u32)(PARQ_SW_RED_CTRL_EN | PARQ_SW_RED_CTRL_ECN));
	set.is_nodrop = true;
	KUNIT_EXPECT_EQ(test, parq_red_fit(&set).ctrl,
			(u32)(PARQ_SW_RED_CTRL_EN | PARQ_SW_RED_CTRL_ECN |
			      PARQ_SW_RED_CTRL_NODROP));
}

/* ---- whose class -------------------------------------------------------- */

static void red_expect_owners(struct kunit *test, const struct parq_red *red,
			      const int owner[PARQ_NUM_TC])
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		KUNIT_EXPECT_EQ_MSG(test, parq_red_owner(red, tc), owner[tc], "class %u", tc);
}

#define NOBODY	{ -1, -1, -1, -1, -1, -1, -1, -1 }
#define ROOT	{ 8, 8, 8, 8, 8, 8, 8, 8 }

/* Band 0 is the highest class, so its number depends on the number of bands. */
static void red_bands_test(struct kunit *test)
{
	struct parq_red red = {
		.slot = { [0] = { .handle = 0x20000, .parent = ETS + 1 },
			  [2] = { .handle = 0x30000, .parent = ETS + 3 } },
	};

	red_expect_owners(test, &red, (const int[])NOBODY);
	red.ets = ETS;
	red.bands = 8;
	red_expect_owners(test, &red, (const int[]){ -1, -1, -1, -1, -1, 2, -1, 0 });
	red.bands = 3;
	red_expect_owners(test, &red, (const int[]){ 2, -1, 0, -1, -1, -1, -1, -1 });
	red.bands = 1;
	red_expect_owners(test, &red, (const int[]){ 0, -1, -1, -1, -1, -1, -1, -1 });
	/* Of the ets qdisc that has just been replaced. */
	red.ets = 2 * ETS;
	red.bands = 8;
	red_expect_owners(test, &red, (const int[])NOBODY);
}

static void red_root_test(struct kunit *test)
{
	struct parq_red red = {
		.slot = { [0] = { .handle = 0x20000, .parent = ETS + 1 } },
		.ets = ETS, .bands = 8,
	};

	red.slot[PARQ_RED_ROOT] = (struct parq_red_slot){ .handle = 0x40000, .parent = TC_H_ROOT };
	red_expect_owners(test, &red, (const int[])ROOT);
	red.ets = 0;
	red_expect_owners(test, &red, (const int[])ROOT);
	KUNIT_EXPECT_EQ(test, parq_red_slot_of(TC_H_ROOT), PARQ_RED_ROOT);
	KUNIT_EXPECT_EQ(test, parq_red_slot_of(ETS + 1), 0);
	KUNIT_EXPECT_EQ(test, parq_red_slot_of(ETS + 8), 7);
}

static struct kunit_case red_test_cases[] = {
	KUNIT_CASE_PARAM(red_check_test, red_gen_params),
	KUNIT_CASE(red_fit_test),
	KUNIT_CASE(red_bands_test),
	KUNIT_CASE(red_root_test),
	{}
};

static struct kunit_suite red_test_suite = {
	.name = "parq_red_calc",
	.test_cases = red_test_cases,
};

kunit_test_suite(red_test_suite);
