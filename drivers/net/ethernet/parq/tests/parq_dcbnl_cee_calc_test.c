// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of CEE's arithmetic: what agents send, what it comes to, and back. */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/string.h>

#include "../parq_dcbnl.h"

#define S	IEEE_8021QAZ_TSA_STRICT
#define E	IEEE_8021QAZ_TSA_ETS
#define KEEP	PARQ_CEE_KEEP
#define LINK	PARQ_CEE_STRICT_LINK
#define GROUP	PARQ_CEE_STRICT_GROUP

#define RANDOM_ROUNDS	20000

/* ---- What is taken ------------------------------------------------------- */

struct good {
	const char *name;
	struct parq_cee_pg pg;
	u8 prio_tc[8];
	u8 tsa[8];
	u8 bw[8];
};

/* A traffic class: strict, group, percent of it, priorities. */
static const struct good goods[] = {
	{ "a group a class", {
		{ { 0, 0, 100, 0x03 }, { 0, 1, 100, 0x1c }, { 0, 2, 100, 0xe0 } },
		{ 25, 25, 50 },
	  }, { 0, 0, 1, 1, 1, 2, 2, 2 }, { E, E, E }, { 25, 25, 50 } },
	{ "unused classes hold anything", {
		{ { 0, 0, 100, 0x0f }, { 0, 1, 100, 0xf0 },
		  { 200, 99, 250, 0 }, { LINK, 0, 100, 0 }, { 0, 1, 100, 0 } },
		{ 40, 60, 200 },
	  }, { 0, 0, 0, 0, 1, 1, 1, 1 }, { E, E }, { 40, 60 } },
	{ "group 15 is strict", {
		{ { 0, 0, 100, 0x7f }, { 0, 15, 0, 0x80 } }, { 100 },
	  }, { 0, 0, 0, 0, 0, 0, 0, 1 }, { E, S }, { 100, 0 } },
	{ "link strict, whatever the group", {
		{ { 0, 0, 100, 0x7f }, { LINK, 77, 177, 0x80 } }, { 100 },
	  }, { 0, 0, 0, 0, 0, 0, 0, 1 }, { E, S }, { 100, 0 } },
	{ "all strict", {
		{ { 0, 15, 0, 0x0f }, { LINK, 0, 0, 0xf0 } }, {},
	  }, { 0, 0, 0, 0, 1, 1, 1, 1 }, {}, {} },
	{ "classes share their group", {
		{ { 0, 0, 25, 0x03 }, { 0, 0, 75, 0x0c }, { 0, 1, 100, 0xf0 } },
		{ 40, 60 },
	  }, { 0, 0, 1, 1, 2, 2, 2, 2 }, { E, E, E }, { 10, 30, 60 } },
	{ "alike, if nobody says how", {
		{ { 0, 0, 0, 0x03 }, { 0, 0, 0, 0x0c }, { 0, 1, 0, 0xf0 } },
		{ 40, 60 },
	  }, { 0, 0, 1, 1, 2, 2, 2, 2 }, { E, E, E }, { 20, 20, 60 } },
	{ "a group without classes lends all it has", {
		{ { 0, 0, 100, 0x0f }, { 0, 1, 100, 0xf0 } }, { 25, 25, 50 },
	  }, { 0, 0, 0, 0, 1, 1, 1, 1 }, { E, E }, { 50, 50 } },
	{ "thirds add up", {
		{ { 0, 0, 0, 0x03 }, { 0, 0, 0, 0x0c }, { 0, 0, 0, 0xf0 } }, { 100 },
	  }, { 0, 0, 1, 1, 2, 2, 2, 2 }, { E, E, E }, { 34, 33, 33 } },
	{ "no bandwidth at all", {
		{ { 0, 0, 0, 0x0f }, { 0, 1, 0, 0xf0 } }, {},
	  }, { 0, 0, 0, 0, 1, 1, 1, 1 }, { E, E }, {} },
	{ "a priority without a class is on class 0", {
		{ { 0, 0, 100, 0 }, { 0, 1, 100, 0x70 } }, { 30, 70 },
	  }, { 0, 0, 0, 0, 1, 1, 1, 0 }, { E, E }, { 30, 70 } },
	{ "a map of all is that of the others", {
		{ { 0, 0, 100, 0x03 }, { 0, 1, 100, 0xff } }, { 30, 70 },
	  }, { 0, 0, 1, 1, 1, 1, 1, 1 }, { E, E }, { 30, 70 } },
	{ "all on class 5", {
		{ [5] = { 0, 2, 0, 0xff } }, { 0, 0, 10 },
	  }, { 5, 5, 5, 5, 5, 5, 5, 5 }, { [5] = E }, { [5] = 100 } },
	{ "strict within a group of one", {
		{ { GROUP, 0, 100, 0x0f }, { GROUP, 1, 100, 0xf0 } }, { 20, 80 },
	  }, { 0, 0, 0, 0, 1, 1, 1, 1 }, { E, E }, { 20, 80 } },
};

static void good_name(const struct good *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(goods, goods, good_name);

static void cee_taken(struct kunit *test)
{
	const struct good *c = test->param_value;
	struct ieee_ets ets = { .willing = 1, .tc_rx_bw = { 7 } };
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_cee_to_ets(&c->pg, &ets, reason), 0);
	KUNIT_EXPECT_STREQ(test, reason, "");
	KUNIT_EXPECT_TRUE(test, !memcmp(ets.prio_tc, c->prio_tc, 8));
	KUNIT_EXPECT_TRUE(test, !memcmp(ets.tc_tsa, c->tsa, 8));
	KUNIT_EXPECT_TRUE(test, !memcmp(ets.tc_tx_bw, c->bw, 8));
	KUNIT_EXPECT_EQ(test, ets.willing, 1);
	KUNIT_EXPECT_EQ(test, ets.tc_rx_bw[0], 7);
}

/* An agent that speaks IEEE sends zeroes here. */
static void cee_zeroes_say_nothing(struct kunit *test)
{
	struct ieee_ets ets = { .prio_tc = { 1, 2, 3 }, .tc_tsa = { E, S, E },
				.tc_tx_bw = { 10, 0, 90 } };
	const struct parq_cee_pg pg = {};
	struct ieee_ets was = ets;
	char reason[PARQ_REASON_LEN];

	KUNIT_EXPECT_EQ(test, parq_cee_to_ets(&pg, &ets, reason), 0);
	KUNIT_EXPECT_TRUE(test, !memcmp(&ets, &was, sizeof(ets)));
}

/* ---- What is refused ----------------------------------------------------- */

struct bad {
	struct parq_cee_pg pg;
	int err;
	const char *reason;
};

static const struct bad bads[] = {
	{ { { { 0, 0, 100, 0x0f }, { 0, 1, 100, 0xf8 } }, { 50, 50 } }, -EINVAL,
	  "priority 3 is in traffic classes 0 and 1" },
	{ { { { 0, 0, 100, 0xff }, { 0, 1, 100, 0xff } }, { 50, 50 } }, -EINVAL,
	  "all priorities are in traffic classes 0 and 1" },
	{ { { { 0, 8, 100, 0x0f } }, { 100 } }, -EINVAL,
	  "priority group 8 of traffic class 0 is not in 0..7 or 15" },
	{ { { { 0, 0, 100, 0x0f }, { 0, 16, 100, 0xf0 } }, { 100 } }, -EINVAL,
	  "priority group 16 of traffic class 1 is not in 0..7 or 15" },
	{ { { { 3, 0, 100, 0x0f } }, { 100 } }, -EINVAL,
	  "strict priority 3 of traffic class 0 is not in 0..2" },
	{ { { { 0, 0, 101, 0xff } }, { 100 } }, -EINVAL,
	  "bandwidth of traffic class 0: 101% is not in 0..100%" },
	{ { { { 0, 3, 100, 0xff } }, { 0, 0, 0, 101 } }, -EINVAL,
	  "bandwidth of priority group 3: 101% is not in 0..100%" },
	{ { { { GROUP, 0, 50, 0x0f }, { 0, 0, 50, 0xf0 } }, { 100 } }, -EOPNOTSUPP,
	  "traffic class 0: no strict priority within priority group 0" },
	{ { { { 0, 0, 100, 0x0f }, { 0, 1, 100, 0xf0 } }, { 60, 41 } }, -EINVAL,
	  "bandwidths of the priority groups add up to 101%, more than 100%" },
	/* Class 0 is in use for the priority that none has. */
	{ { { { 0, 9, 100, 0 }, { 0, 0, 100, 0x7f } }, { 100 } }, -EINVAL,
	  "priority group 9 of traffic class 0 is not in 0..7 or 15" },
};

static void bad_name(const struct bad *c, char *desc)
{
	strscpy(desc, c->reason, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(bads, bads, bad_name);

static void cee_refused(struct kunit *test)
{
	const struct bad *c = test->param_value;
	char reason[PARQ_REASON_LEN] = "";
	struct ieee_ets ets, was;

	memset(&ets, 0x5a, sizeof(ets));
	was = ets;
	KUNIT_EXPECT_EQ(test, parq_cee_to_ets(&c->pg, &ets, reason), c->err);
	KUNIT_EXPECT_STREQ(test, reason, c->reason);
	KUNIT_EXPECT_TRUE(test, !memcmp(&ets, &was, sizeof(ets)));
}

static void cee_stage(struct kunit *test)
{
	struct parq_cee_tc tc = { 1, 2, 3, 4 };

	parq_cee_tc_stage(&tc, &(const struct parq_cee_tc){ KEEP, KEEP, KEEP, 8 });
	KUNIT_EXPECT_EQ(test, tc.strict, 1);
	KUNIT_EXPECT_EQ(test, tc.pgid, 2);
	KUNIT_EXPECT_EQ(test, tc.pct, 3);
	KUNIT_EXPECT_EQ(test, tc.up_map, 8);
	parq_cee_tc_stage(&tc, &(const struct parq_cee_tc){ 0, 0, 0, KEEP });
	KUNIT_EXPECT_EQ(test, tc.strict, 0);
	KUNIT_EXPECT_EQ(test, tc.pgid, 0);
	KUNIT_EXPECT_EQ(test, tc.pct, 0);
	KUNIT_EXPECT_EQ(test, tc.up_map, KEEP);
}

/* ---- PFC ----------------------------------------------------------------- */

static void cee_pfc(struct kunit *test)
{
	struct parq_cee_cfg cfg = { .pfc = { 1, 0, 0, 1 }, .pfc_on = 1 };
	char reason[PARQ_REASON_LEN] = "";
	u8 en = 0xaa;

	KUNIT_EXPECT_EQ(test, parq_cee_to_pfc(&cfg, &en, reason), 0);
	KUNIT_EXPECT_EQ(test, en, 0x09);
	cfg.pfc_on = 0;
	KUNIT_EXPECT_EQ(test, parq_cee_to_pfc(&cfg, &en, reason), 0);
	KUNIT_EXPECT_EQ(test, en, 0);
	en = 0xaa;
	cfg.pfc_on = 2;
	KUNIT_EXPECT_EQ(test, parq_cee_to_pfc(&cfg, &en, reason), -EINVAL);
	KUNIT_EXPECT_STREQ(test, reason, "PFC state 2 is not 0 or 1");
	cfg.pfc_on = 1;
	cfg.pfc[7] = 2;		/* transmit alone */
	KUNIT_EXPECT_EQ(test, parq_cee_to_pfc(&cfg, &en, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason, "PFC 2 of priority 7 is not 0 or 1");
	cfg.pfc[7] = 255;
	KUNIT_EXPECT_EQ(test, parq_cee_to_pfc(&cfg, &en, reason), -EINVAL);
	KUNIT_EXPECT_EQ(test, en, 0xaa);
}

/* ---- And back ------------------------------------------------------------ */

/* Users get back what they gave, as long as it is what is in force. */
static void cee_shows_what_was_given(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(goods); i++) {
		struct parq_cee_cfg kept = { .tx = goods[i].pg, .pfc_on = 1,
					     .pfc = { 0, 1 } }, cfg;
		char reason[PARQ_REASON_LEN];
		struct ieee_ets ets = {};
		unsigned int n;

		KUNIT_ASSERT_EQ(test, parq_cee_to_ets(&kept.tx, &ets, reason), 0);
		cfg = parq_cee_from(&ets, 2, &kept);
		for (n = 0; n < 8; n++) {
			KUNIT_EXPECT_EQ(test, cfg.tx.tc[n].pgid,
					kept.tx.tc[n].pgid);
			KUNIT_EXPECT_EQ(test, cfg.tx.tc[n].pct,
					kept.tx.tc[n].pct);
			KUNIT_EXPECT_EQ(test, cfg.tx.pct[n], kept.tx.pct[n]);
		}
		KUNIT_EXPECT_EQ(test, cfg.pfc[1], 1);
		/* Only PFC has been changed by somebody else. */
		cfg = parq_cee_from(&ets, 0x81, &kept);
		KUNIT_EXPECT_EQ(test, cfg.pfc[1], 0);
		KUNIT_EXPECT_EQ(test, cfg.pfc[7], 1);
		KUNIT_EXPECT_EQ(test, cfg.tx.pct[0], kept.tx.pct[0]);
	}
}

static void cee_shows_what_is_in_force(struct kunit *test)
{
	const struct ieee_ets ets = {
		.prio_tc = { 0, 0, 0, 0, 1, 1, 2, 2 },
		.tc_tsa = { E, E, S }, .tc_tx_bw = { 30, 70 },
	};
	const struct parq_cee_cfg kept = {};
	struct parq_cee_cfg cfg = parq_cee_from(&ets, 0x18, &kept);

	KUNIT_EXPECT_EQ(test, cfg.tx.tc[0].up_map, 0x0f);
	KUNIT_EXPECT_EQ(test, cfg.tx.tc[1].up_map, 0x30);
	KUNIT_EXPECT_EQ(test, cfg.tx.tc[2].up_map, 0xc0);
	KUNIT_EXPECT_EQ(test, cfg.tx.tc[1].pgid, 1);
	KUNIT_EXPECT_EQ(test, cfg.tx.tc[2].pgid, 15);
	KUNIT_EXPECT_EQ(test, cfg.tx.tc[2].strict, LINK);
	KUNIT_EXPECT_EQ(test, cfg.tx.pct[1], 70);
	KUNIT_EXPECT_EQ(test, cfg.pfc_on, 1);
	KUNIT_EXPECT_EQ(test, cfg.pfc[3], 1);
	KUNIT_EXPECT_EQ(test, cfg.pfc[5], 0);
}

/* Anything at all: refused and untouched, or a sum of 100 or 0; never a crash. */
static void cee_random(struct kunit *test)
{
	unsigned int round, i, taken = 0, refused = 0;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 20111011);
	for (round = 0; round < RANDOM_ROUNDS; round++) {
		struct ieee_ets ets = {}, was = {};
		char reason[PARQ_REASON_LEN];
		unsigned int sum = 0, n = 0;
		struct parq_cee_cfg cfg;
		u8 *byte = (u8 *)&cfg.tx;

		memset(&cfg, 0, sizeof(cfg));
		for (i = 0; i < sizeof(cfg.tx); i++)
			if (prandom_u32_state(&rnd) % 3)
				byte[i] = prandom_u32_state(&rnd) %
					  (round % 2 ? 256 : 16);
		/* Most maps would be refused. */
		for (i = 0; i < 8 && round % 4 < 2; i++)
			cfg.tx.tc[i].up_map = cfg.tx.tc[i].up_map & BIT(i);
		if (parq_cee_to_ets(&cfg.tx, &ets, reason)) {
			KUNIT_ASSERT_TRUE(test, !memcmp(&ets, &was, sizeof(ets)));
			refused++;
			continue;
		}
		taken++;
		for (i = 0; i < 8; i++) {
			KUNIT_ASSERT_LT(test, ets.prio_tc[i], 8);
			KUNIT_ASSERT_TRUE(test, ets.tc_tsa[i] == E ||
					  !ets.tc_tx_bw[i]);
			sum += ets.tc_tx_bw[i];
			n += ets.tc_tsa[i] == E;
		}
		KUNIT_ASSERT_TRUE(test, !sum || (n && sum == 100));
		/* What it comes to is what it comes from. */
		cfg = parq_cee_from(&ets, 0, &(const struct parq_cee_cfg){});
		was = ets;
		KUNIT_ASSERT_EQ(test, parq_cee_to_ets(&cfg.tx, &was, reason), 0);
		KUNIT_ASSERT_TRUE(test, !memcmp(&ets, &was, sizeof(ets)));
	}
	KUNIT_EXPECT_GE(test, taken, RANDOM_ROUNDS / 20U);
	KUNIT_EXPECT_GE(test, refused, RANDOM_ROUNDS / 20U);
}

static struct kunit_case parq_cee_tests[] = {
	KUNIT_CASE_PARAM(cee_taken, goods_gen_params),
	KUNIT_CASE(cee_zeroes_say_nothing),
	KUNIT_CASE_PARAM(cee_refused, bads_gen_params),
	KUNIT_CASE(cee_stage),
	KUNIT_CASE(cee_pfc),
	KUNIT_CASE(cee_shows_what_was_given),
	KUNIT_CASE(cee_shows_what_is_in_force),
	KUNIT_CASE(cee_random),
	{}
};

static struct kunit_suite parq_cee_suite = {
	.name = "parq_dcbnl_cee_calc",
	.test_cases = parq_cee_tests,
};

kunit_test_suite(parq_cee_suite);
