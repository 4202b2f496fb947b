// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the DCB arithmetic: what is accepted, what is refused, and the reason. */
#include <kunit/test.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../parq_ets.h"
#include "../parq_log.h"

#define TSA_STRICT	IEEE_8021QAZ_TSA_STRICT
#define TSA_CBS		IEEE_8021QAZ_TSA_CB_SHAPER
#define TSA_ETS		IEEE_8021QAZ_TSA_ETS
#define TSA_VENDOR	IEEE_8021QAZ_TSA_VENDOR

/* ---- ETS: what is taken ------------------------------------------------- */

struct ets_case {
	const char *name;
	struct ieee_ets ets;
	struct parq_ets_hw hw;
};

static const struct ets_case ets_good[] = {
	{ "all strict on TC 0, zero caps", {}, {} },
	{ "one to one, three share", {
		.ets_cap = 8,
		.tc_tsa = { TSA_ETS, 0, 0, TSA_ETS, TSA_ETS },
		.tc_tx_bw = { 20, 0, 0, 40, 40 },
		.prio_tc = { 0, 1, 2, 3, 4, 5, 6, 7 },
	  }, { 0x76543210, 0x00022002, 0x28000014, 0x00000028 } },
	{ "sum 0: equal shares", {
		.tc_tsa = { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS,
			    TSA_ETS, TSA_ETS, TSA_ETS },
	  }, { 0, 0x22222222, 0x0c0c0c0c, 0x0c0c0c0c } },
	{ "no share of a sum of 100: the least", {
		.tc_tsa = { TSA_ETS, TSA_ETS },
		.tc_tx_bw = { 0, 100 },
	  }, { 0, 0x22, 0x6401, 0 } },
	{ "bandwidth left on strict TCs", {
		.tc_tx_bw = { 20, 0, 0, 40, 40 },
	  }, {} },
	{ "all priorities on TC 7, willing", {
		.willing = 1,
		.prio_tc = { 7, 7, 7, 7, 7, 7, 7, 7 },
		.tc_reco_tsa = { TSA_VENDOR, TSA_CBS },
		.tc_reco_bw = { 100 },
		.reco_prio_tc = { 7 },
	  }, { 0x77777777, 0, 0, 0 } },
};

static void ets_case_name(const struct ets_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(ets_good, ets_good, ets_case_name);

static void dcb_ets_taken(struct kunit *test)
{
	const struct ets_case *c = test->param_value;
	struct parq_ets_hw hw = parq_ets_fit(&c->ets);
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_ets_check(&c->ets, reason), 0);
	KUNIT_EXPECT_STREQ(test, reason, "");
	KUNIT_EXPECT_EQ(test, hw.prio_tc, c->hw.prio_tc);
	KUNIT_EXPECT_EQ(test, hw.tsa, c->hw.tsa);
	KUNIT_EXPECT_EQ(test, hw.bw_lo, c->hw.bw_lo);
	KUNIT_EXPECT_EQ(test, hw.bw_hi, c->hw.bw_hi);
}

/* ---- ETS: what is refused ----------------------------------------------- */

struct ets_refusal {
	struct ieee_ets ets;
	int err;
	const char *reason;
};

static const struct ets_refusal ets_bad[] = {
	{ { .willing = 2 }, -EINVAL, "willing 2 is not 0 or 1" },
	{ { .ets_cap = 9 }, -EINVAL, "ets-cap 9 is not in 0..8" },
	{ { .cbs = 1 }, -EOPNOTSUPP,
	  "cbs 1 is not 0: the device has no credit-based shaper" },
	{ { .prio_tc = { 0, 0, 0, 8 } }, -EINVAL,
	  "prio-tc of priority 3: traffic class 8 is not in 0..7" },
	{ { .prio_tc = { 0, 0, 0, 0, 0, 0, 0, 255 } }, -EINVAL,
	  "prio-tc of priority 7: traffic class 255 is not in 0..7" },
	{ { .tc_tsa = { 0, TSA_CBS } }, -EOPNOTSUPP,
	  "tc-tsa of traffic class 1: 1 is neither strict (0) nor ets (2)" },
	{ { .tc_tsa = { TSA_VENDOR } }, -EOPNOTSUPP,
	  "tc-tsa of traffic class 0: 255 is neither strict (0) nor ets (2)" },
	{ { .tc_tx_bw = { 0, 0, 101 } }, -EINVAL,
	  "tc-bw of traffic class 2: 101% is not in 0..100%" },
	{ { .tc_rx_bw = { 255 } }, -EINVAL,
	  "tc-rx-bw of traffic class 0: 255% is not in 0..100%" },
	{ { .tc_tsa = { TSA_ETS, TSA_ETS }, .tc_tx_bw = { 50, 49 } }, -EINVAL,
	  "tc-bw of the ets traffic classes adds up to 99%, not 0% or 100%" },
	{ { .tc_tsa = { TSA_ETS, TSA_ETS }, .tc_tx_bw = { 100, 100 } }, -EINVAL,
	  "tc-bw of the ets traffic classes adds up to 200%, not 0% or 100%" },
	{ { .tc_tsa = { TSA_ETS }, .tc_tx_bw = { 50, 50 } }, -EINVAL,
	  "tc-bw of the ets traffic classes adds up to 50%, not 0% or 100%" },
	{ { .reco_prio_tc = { 0, 9 } }, -EINVAL,
	  "reco-prio-tc of priority 1: traffic class 9 is not in 0..7" },
	{ { .tc_reco_bw = { 200 } }, -EINVAL,
	  "reco-tc-bw of traffic class 0: 200% is not in 0..100%" },
	{ { .tc_reco_tsa = { 3 } }, -EINVAL,
	  "reco-tc-tsa of traffic class 0: 3 is not in 0..2 or 255" },
};

static void ets_refusal_name(const struct ets_refusal *c, char *desc)
{
	strscpy(desc, c->reason, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(ets_bad, ets_bad, ets_refusal_name);

static void dcb_ets_refused(struct kunit *test)
{
	const struct ets_refusal *c = test->param_value;
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_ets_check(&c->ets, reason), c->err);
	KUNIT_EXPECT_STREQ(test, reason, c->reason);
}

/*
 * Whatever is taken can be given to the device: TCs 0 to 7, strict or ETS,
 * weights of ETS TCs 1 to 100.
 */
static void dcb_ets_fits(struct kunit *test)
{
	char reason[PARQ_REASON_LEN];
	unsigned int tc, a, mask;

	for (mask = 0; mask < BIT(PARQ_NUM_TC); mask++) {
		for (a = 0; a <= 100; a += 10) {
			struct ieee_ets ets = {};
			struct parq_ets_hw hw;
			u64 bw;

			for (tc = 0; tc < PARQ_NUM_TC; tc++)
				ets.tc_tsa[tc] = mask & BIT(tc) ? TSA_ETS : 0;
			ets.tc_tx_bw[0] = a;
			ets.tc_tx_bw[1] = 100 - a;
			if (parq_ets_check(&ets, reason))
				continue;
			hw = parq_ets_fit(&ets);
			bw = hw.bw_lo | (u64)hw.bw_hi << 32;
			for (tc = 0; tc < PARQ_NUM_TC; tc++, bw >>= 8)
				KUNIT_EXPECT_EQ(test, !!(mask & BIT(tc)),
						(bw & 0xff) >= 1 &&
						(bw & 0xff) <= 100);
		}
	}
}

static void dcb_ets_default(struct kunit *test)
{
	char reason[PARQ_REASON_LEN];
	struct ieee_ets ets;
	struct parq_ets_hw hw;

	memset(&ets, 0xff, sizeof(ets));
	parq_ets_default(&ets);
	KUNIT_EXPECT_EQ(test, parq_ets_check(&ets, reason), 0);
	KUNIT_EXPECT_EQ(test, ets.ets_cap, 8);
	hw = parq_ets_fit(&ets);
	KUNIT_EXPECT_EQ(test, hw.prio_tc, 0U);
	KUNIT_EXPECT_EQ(test, hw.tsa, 0U);
}

/* ---- rates and shares ---------------------------------------------------- */

static void dcb_rates(struct kunit *test)
{
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_check(3, 0, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_check(3, 1, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_check(3, U32_MAX, reason), 0);
	KUNIT_EXPECT_STREQ(test, reason, "");
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_check(3, 1ULL << 32, reason),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, reason,
			   "maxrate of TC 3: 4294967296 kbit/s, not 0..4294967295");
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_check(0, U64_MAX, reason), -EINVAL);

	*reason = '\0';
	KUNIT_EXPECT_EQ(test, parq_ets_rate_check("max_rate", 3, 0, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_rate_check("max_rate", 3, 125, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_rate_check("max_rate", 3,
						  536870911875ULL, reason), 0);
	KUNIT_EXPECT_STREQ(test, reason, "");
	KUNIT_EXPECT_EQ(test, parq_ets_rate_check("max_rate", 3, 124, reason),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, reason,
			   "max_rate of TC 3: 124 B/s, not 0 or 125..536870911875");
	KUNIT_EXPECT_EQ(test, parq_ets_rate_check("max_rate", 7,
						  536870911876ULL, reason),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, reason,
			   "max_rate of TC 7: 536870911876 B/s, not 0 or 125..536870911875");

	KUNIT_EXPECT_EQ(test, parq_ets_rate_fit(0), 0U);
	KUNIT_EXPECT_EQ(test, parq_ets_rate_fit(125), 1U);
	KUNIT_EXPECT_EQ(test, parq_ets_rate_fit(249), 1U);
	/* 10 Gb/s */
	KUNIT_EXPECT_EQ(test, parq_ets_rate_fit(1250000000), 10000000U);
	KUNIT_EXPECT_EQ(test, parq_ets_rate_fit(536870911875ULL), U32_MAX);
}

static void dcb_percent(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, parq_ets_percent(5000, 10000), 50);
	KUNIT_EXPECT_EQ(test, parq_ets_percent(1, 3), 33);
	KUNIT_EXPECT_EQ(test, parq_ets_percent(2, 3), 67);
	KUNIT_EXPECT_EQ(test, parq_ets_percent(256, 8 << 20), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_percent(8 << 20, 8 << 20), 100);
}

/* ---- Reasons ------------------------------------------------------------- */

static void dcb_reason_is(struct kunit *test, const char *reason, int err, const char *text)
{
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, parq_refuse(NULL, &extack, "ETS", reason, err), err);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_STREQ(test, strstr(extack._msg, ": ") ?: "", text);
}

/* An error of the device has a reason, too. */
static void dcb_reasons(struct kunit *test)
{
	dcb_reason_is(test, "tc 9 is not in 0..7", -EINVAL, ": tc 9 is not in 0..7");
	dcb_reason_is(test, "PFC is on", -EIO, ": PFC is on");
	dcb_reason_is(test, "", -EIO, ": the device refused it");
	dcb_reason_is(test, "", -ENODEV, ": the device is gone");
	dcb_reason_is(test, "", -ENOMEM, ": out of memory");
	dcb_reason_is(test, "", -ETIMEDOUT, ": the device does not answer");
	dcb_reason_is(test, "", -EOPNOTSUPP, ": not supported by the device");
}

static struct kunit_case parq_dcb_tests[] = {
	KUNIT_CASE_PARAM(dcb_ets_taken, ets_good_gen_params),
	KUNIT_CASE_PARAM(dcb_ets_refused, ets_bad_gen_params),
	KUNIT_CASE(dcb_ets_fits),
	KUNIT_CASE(dcb_ets_default),
	KUNIT_CASE(dcb_rates),
	KUNIT_CASE(dcb_percent),
	KUNIT_CASE(dcb_reasons),
	{}
};

static struct kunit_suite parq_dcb_suite = {
	.name = "parq_ets_calc",
	.test_cases = parq_dcb_tests,
};

kunit_test_suite(parq_dcb_suite);

MODULE_DESCRIPTION("KUnit suites of the PARQ driver");
MODULE_LICENSE("GPL");
