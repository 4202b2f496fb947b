// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of what qdiscs ask: what is accepted, what is refused, and the reason. */
#include <kunit/test.h>

#include "../compat.h" /* <linux/string.h> <net/pkt_cls.h> <net/pkt_sched.h> */
#include "../parq_ets.h"

/* ---- mqprio ------------------------------------------------------------- */

#define QUEUES		32	/* four channels */
#define ONE_TO_ONE	{ 0, 1, 2, 3, 4, 5, 6, 7 }

struct mqprio_case {
	const char *name;
	struct tc_mqprio_qopt_offload mqprio;
	int err;
	const char *reason;
};

static const struct mqprio_case mqprio_cases[] = {
	{ "a queue each", { .qopt = {
		.num_tc = 8, .prio_tc_map = ONE_TO_ONE,
		.count = { 1, 1, 1, 1, 1, 1, 1, 1 },
		.offset = ONE_TO_ONE } } },
	{ "of another channel", { .qopt = {
		.num_tc = 8, .prio_tc_map = ONE_TO_ONE,
		.count = { 1, 1, 1, 1, 1, 1, 1, 1 },
		.offset = { 24, 25, 26, 27, 28, 29, 30, 31 } } } },
	{ "one class of all", { .qopt = {
		.num_tc = 1, .count = { 32 } } } },
	{ "halves", { .qopt = {
		.num_tc = 2, .prio_tc_map = { 0, 0, 0, 0, 1, 1, 1, 1 },
		.count = { 4, 4 }, .offset = { 0, 4 } } } },
	{ "limits", { .mode = TC_MQPRIO_MODE_CHANNEL,
		.shaper = TC_MQPRIO_SHAPER_BW_RATE,
		.flags = TC_MQPRIO_F_MAX_RATE,
		.max_rate = { 1250000, 125 }, .qopt = {
		.num_tc = 2, .prio_tc_map = { 0, 0, 0, 0, 1, 1, 1, 1 },
		.count = { 4, 4 }, .offset = { 0, 4 } } } },

	{ "too many", { .qopt = { .num_tc = 9 } }, -EINVAL,
	  "num_tc 9 is not in 1..8" },
	{ "no such class", { .qopt = {
		.num_tc = 1, .prio_tc_map = { 0, 0, 3 }, .count = { 8 } } },
	  -EINVAL, "priority 2: TC 3 is not in 0..0" },
	{ "priority 9", { .qopt = {
		.num_tc = 2, .prio_tc_map = { [9] = 1 },
		.count = { 8, 1 } } }, -EINVAL,
	  "priority 9 in TC 1: it is sent as priority 0, in TC 0" },
	{ "no queues", { .qopt = { .num_tc = 1 } }, -EINVAL,
	  "queues 0@0 of TC 0: some of 0..31 are needed" },
	{ "queues beyond", { .qopt = { .num_tc = 1, .count = { 33 } } },
	  -EINVAL, "queues 33@0 of TC 0: some of 0..31 are needed" },
	{ "far beyond", { .qopt = { .num_tc = 1, .count = { 65535 },
				    .offset = { 65535 } } },
	  -EINVAL, "queues 65535@65535 of TC 0: some of 0..31 are needed" },
	{ "another one's queue", { .qopt = {
		.num_tc = 2, .prio_tc_map = { 0, 0, 0, 0, 1, 1, 1, 1 },
		.count = { 5, 4 }, .offset = { 0, 4 } } }, -EINVAL,
	  "queue 4 of TC 0 serves priority 4, which is in TC 1" },
	{ "a priority without", { .qopt = {
		.num_tc = 2, .prio_tc_map = { 0, 0, 0, 0, 1, 1, 1, 1 },
		.count = { 4, 3 }, .offset = { 0, 4 } } }, -EINVAL,
	  "priority 7 in TC 1: none of queues 3@4 serves it" },
	{ "a minimum", { .mode = TC_MQPRIO_MODE_CHANNEL,
		.shaper = TC_MQPRIO_SHAPER_BW_RATE, .min_rate = { 125 },
		.qopt = { .num_tc = 1, .count = { 32 } } }, -EOPNOTSUPP,
	  "min_rate of TC 0: minimum rates are not supported" },
	{ "too slow", { .mode = TC_MQPRIO_MODE_CHANNEL,
		.shaper = TC_MQPRIO_SHAPER_BW_RATE, .max_rate = { 1 },
		.qopt = { .num_tc = 1, .count = { 32 } } }, -EINVAL,
	  "max_rate of TC 0: 1 B/s, not 0 or 125..536870911875" },
	{ "unknown shaper", { .mode = TC_MQPRIO_MODE_CHANNEL, .shaper = 2,
		.qopt = { .num_tc = 1, .count = { 32 } } }, -EOPNOTSUPP,
	  "shaper 2 is not known" },
};

static void mqprio_case_name(const struct mqprio_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mqprio, mqprio_cases, mqprio_case_name);

static void tc_mqprio(struct kunit *test)
{
	const struct mqprio_case *c = test->param_value;
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_tc_mqprio_check(&c->mqprio, QUEUES, reason),
			c->err);
	KUNIT_EXPECT_STREQ(test, reason, c->reason ?: "");
}

static void tc_mqprio_fit(struct kunit *test)
{
	struct parq_tc tc = parq_tc_mqprio_fit(&mqprio_cases[1].mqprio);
	static const u8 map[PARQ_NUM_PRIO] = ONE_TO_ONE;

	KUNIT_EXPECT_EQ(test, tc.parts, PARQ_TC_MAP);
	KUNIT_EXPECT_MEMEQ(test, tc.prio_tc, map, sizeof(map));
	KUNIT_EXPECT_EQ(test, tc.queues, 32U);

	tc = parq_tc_mqprio_fit(&mqprio_cases[4].mqprio);
	KUNIT_EXPECT_EQ(test, tc.parts, PARQ_TC_MAP | PARQ_TC_RATES);
	KUNIT_EXPECT_EQ(test, tc.prio_tc[4], 1);
	KUNIT_EXPECT_EQ(test, tc.maxrate[0], 10000ULL);
	KUNIT_EXPECT_EQ(test, tc.maxrate[1], 1ULL);
	KUNIT_EXPECT_EQ(test, tc.maxrate[2], 0ULL);
	KUNIT_EXPECT_EQ(test, tc.queues, 8U);
}

/* ---- ets ---------------------------------------------------------------- */

/* bands 8 strict 4 quanta 5000 3000 1000 1000 priomap 7 6 5 4 3 2 1 0 */
static void tc_ets_fit(struct kunit *test)
{
	struct tc_ets_qopt_offload ets = {
		.parent = TC_H_ROOT,
		.replace_params = {
			.bands = 8,
			.priomap = { 7, 6, 5, 4, 3, 2, 1, 0 },
			.quanta = { 0, 0, 0, 0, 5000, 3000, 1000, 1000 },
		},
	};
	static const u8 map[] = ONE_TO_ONE;
	static const u8 tsa[] = { 2, 2, 2, 2, 0, 0, 0, 0 };
	static const u8 bw[] = { 10, 10, 30, 50, 0, 0, 0, 0 };
	char reason[PARQ_REASON_LEN] = "";
	struct parq_tc tc;

	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), 0);
	KUNIT_EXPECT_STREQ(test, reason, "");
	tc = parq_tc_ets_fit(&ets, "ets");
	KUNIT_EXPECT_STREQ(test, tc.qdisc, "ets");
	KUNIT_EXPECT_EQ(test, tc.parts, PARQ_TC_MAP | PARQ_TC_SHARES);
	KUNIT_EXPECT_MEMEQ(test, tc.prio_tc, map, sizeof(map));
	KUNIT_EXPECT_MEMEQ(test, tc.tsa, tsa, sizeof(tsa));
	KUNIT_EXPECT_MEMEQ(test, tc.bw, bw, sizeof(bw));

	/* Three bands are the three lowest classes, the first of them on top. */
	ets.replace_params.bands = 3;
	memset(ets.replace_params.priomap, 2,
	       sizeof(ets.replace_params.priomap));
	ets.replace_params.priomap[5] = 0;
	tc = parq_tc_ets_fit(&ets, "ets");
	KUNIT_EXPECT_EQ(test, tc.prio_tc[5], 2);
	KUNIT_EXPECT_EQ(test, tc.prio_tc[0], 0);
	KUNIT_EXPECT_EQ(test, tc.tsa[0], 0);
}

static void tc_ets_refused(struct kunit *test)
{
	struct tc_ets_qopt_offload ets = {
		.parent = TC_H_ROOT,
		.replace_params.bands = 9,
	};
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason, "bands 9 is not in 1..8");
	ets.parent = 0x10003;
	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason,
			   "parent 1:3 is not the root, nor an offloaded tbf there");
}

/* ---- prio --------------------------------------------------------------- */

/* bands 3 priomap 2 2 2 2 2 0 1 */
static void tc_prio_fit(struct kunit *test)
{
	struct gnet_stats_queue qstats;
	struct tc_prio_qopt_offload prio = {
		.command = TC_PRIO_REPLACE,
		.handle = 0x20000,
		.parent = TC_H_ROOT,
		.replace_params = {
			.bands = 3,
			.priomap = { 2, 2, 2, 2, 2, 0, 1, 2 },
			.qstats = &qstats,
		},
	};
	static const u8 map[] = { 0, 0, 0, 0, 0, 2, 1, 0 };
	struct tc_ets_qopt_offload ets = parq_tc_prio_as_ets(&prio);
	char reason[PARQ_REASON_LEN] = "";
	struct parq_tc tc;

	KUNIT_EXPECT_EQ(test, ets.command, TC_ETS_REPLACE);
	KUNIT_EXPECT_EQ(test, ets.handle, 0x20000U);
	KUNIT_EXPECT_PTR_EQ(test, ets.replace_params.qstats, &qstats);
	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), 0);
	tc = parq_tc_ets_fit(&ets, "prio");
	KUNIT_EXPECT_STREQ(test, tc.qdisc, "prio");
	KUNIT_EXPECT_EQ(test, tc.parts, PARQ_TC_MAP | PARQ_TC_SHARES);
	KUNIT_EXPECT_MEMEQ(test, tc.prio_tc, map, sizeof(map));
	KUNIT_EXPECT_NULL(test, memchr_inv(tc.tsa, PARQ_TSA_STRICT, sizeof(tc.tsa)));
	KUNIT_EXPECT_NULL(test, memchr_inv(tc.bw, 0, sizeof(tc.bw)));

	prio.replace_params.bands = 16;
	ets = parq_tc_prio_as_ets(&prio);
	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason, "bands 16 is not in 1..8");
	prio.parent = 0x10003;
	ets = parq_tc_prio_as_ets(&prio);
	KUNIT_EXPECT_EQ(test, parq_tc_ets_check(&ets, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason,
			   "parent 1:3 is not the root, nor an offloaded tbf there");
}

static void tc_prio_commands(struct kunit *test)
{
	struct gnet_stats_basic_sync bstats;
	struct gnet_stats_queue qstats;
	struct tc_prio_qopt_offload prio = {
		.command = TC_PRIO_STATS,
		.handle = 0x30000,
		.stats = { .bstats = &bstats, .qstats = &qstats },
	};
	struct tc_ets_qopt_offload ets = parq_tc_prio_as_ets(&prio);

	KUNIT_EXPECT_EQ(test, ets.command, TC_ETS_STATS);
	KUNIT_EXPECT_EQ(test, ets.handle, 0x30000U);
	KUNIT_EXPECT_PTR_EQ(test, ets.stats.bstats, &bstats);
	KUNIT_EXPECT_PTR_EQ(test, ets.stats.qstats, &qstats);

	prio.command = TC_PRIO_GRAFT;
	prio.graft_params.band = 15;
	prio.graft_params.child_handle = 0x40000;
	ets = parq_tc_prio_as_ets(&prio);
	KUNIT_EXPECT_EQ(test, ets.command, TC_ETS_GRAFT);
	KUNIT_EXPECT_EQ(test, ets.graft_params.band, 15);
	KUNIT_EXPECT_EQ(test, ets.graft_params.child_handle, 0x40000U);

	prio.command = TC_PRIO_DESTROY;
	ets = parq_tc_prio_as_ets(&prio);
	KUNIT_EXPECT_EQ(test, ets.command, TC_ETS_DESTROY);
	KUNIT_EXPECT_EQ(test, ets.handle, 0x30000U);
}

static struct kunit_case parq_tc_tests[] = {
	KUNIT_CASE_PARAM(tc_mqprio, mqprio_gen_params),
	KUNIT_CASE(tc_mqprio_fit),
	KUNIT_CASE(tc_ets_fit),
	KUNIT_CASE(tc_ets_refused),
	KUNIT_CASE(tc_prio_fit),
	KUNIT_CASE(tc_prio_commands),
	{}
};

static struct kunit_suite parq_tc_suite = {
	.name = "parq_ets_tc_calc",
	.test_cases = parq_tc_tests,
};

kunit_test_suite(parq_tc_suite);
