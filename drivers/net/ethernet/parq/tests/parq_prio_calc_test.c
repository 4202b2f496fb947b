// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of trust: APP entries, order and rewriting, and what they come to. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/if_ether.h>
#include <linux/string.h>

#include "../compat.h" /* <net/dcbnl.h> */
#include "../parq_prio.h"

#define SEL_TYPE	IEEE_8021QAZ_APP_SEL_ETHERTYPE
#define SEL_STREAM	IEEE_8021QAZ_APP_SEL_STREAM
#define SEL_ANY		IEEE_8021QAZ_APP_SEL_ANY
#define SEL_DSCP	IEEE_8021QAZ_APP_SEL_DSCP
#define SEL_PCP		DCB_APP_SEL_PCP

#define FIRST(sel)	FIELD_PREP_CONST(PARQ_TRUST_FIRST, PARQ_TRUST_##sel)
#define SECOND(sel)	FIELD_PREP_CONST(PARQ_TRUST_SECOND, PARQ_TRUST_##sel)
#define DEFAULT(prio)	FIELD_PREP_CONST(PARQ_TRUST_DEFAULT, prio)

/* ---- What is refused ----------------------------------------------------- */

struct refusal {
	struct dcb_app app;
	int app_err;
	int rewr_err;
	const char *reason;
};

static const struct refusal refusals[] = {
	{ { SEL_DSCP, 8, 0 }, -EINVAL, -EINVAL, "priority 8 is not in 0..7" },
	{ { SEL_DSCP, 255, 0 }, -EINVAL, -EINVAL, "priority 255 is not in 0..7" },
	{ { SEL_DSCP, 0, 64 }, -EINVAL, -EINVAL, "DSCP 64 is not in 0..63" },
	{ { SEL_DSCP, 0, 65535 }, -EINVAL, -EINVAL, "DSCP 65535 is not in 0..63" },
	{ { SEL_PCP, 7, 16 }, -EINVAL, -EINVAL, "PCP 16 is not in 0..15" },
	{ { SEL_TYPE, 0, 1 }, -EINVAL, -EOPNOTSUPP,
	  "EtherType 0x1 is neither 0 (default priority) nor in 0x600..0xffff" },
	{ { SEL_TYPE, 0, 0x5ff }, -EINVAL, -EOPNOTSUPP,
	  "EtherType 0x5ff is neither 0 (default priority) nor in 0x600..0xffff" },
	{ { SEL_STREAM, 0, 0 }, -EINVAL, -EOPNOTSUPP, "port 0 is not in 1..65535" },
	{ { SEL_ANY, 0, 0 }, -EINVAL, -EOPNOTSUPP, "port 0 is not in 1..65535" },
	{ { 0, 0, 1 }, -EINVAL, -EOPNOTSUPP, "selector 0 is not in 1..5 or 255" },
	{ { 6, 0, 1 }, -EINVAL, -EOPNOTSUPP, "selector 6 is not in 1..5 or 255" },
	{ { 254, 0, 1 }, -EINVAL, -EOPNOTSUPP,
	  "selector 254 is not in 1..5 or 255" },
};

static void refusal_name(const struct refusal *c, char *desc)
{
	strscpy(desc, c->reason, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusals, refusals, refusal_name);

static void trust_refused(struct kunit *test)
{
	const struct refusal *c = test->param_value;
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_trust_app_check(&c->app, reason), c->app_err);
	KUNIT_EXPECT_STREQ(test, reason, c->reason);
	KUNIT_EXPECT_EQ(test, parq_trust_rewr_check(&c->app, reason), c->rewr_err);
}

/* All that a message can hold: what is taken fits the device. */
static void trust_all_entries(struct kunit *test)
{
	char reason[PARQ_REASON_LEN];
	unsigned int sel, prio, proto;

	for (sel = 0; sel < 256; sel++) {
		for (prio = 0; prio < 256; prio += prio < 9 ? 1 : 41) {
			for (proto = 0; proto < 65536; proto += proto < 70 ? 1 : 7001) {
				struct dcb_app app = { sel, prio, proto };
				struct parq_trust t = {};
				struct parq_trust_hw hw;
				unsigned int i;

				if (parq_trust_app_check(&app, reason))
					continue;
				KUNIT_ASSERT_LT(test, prio, 8U);
				parq_trust_app(&t, &app, true);
				if (!parq_trust_rewr_check(&app, reason))
					parq_trust_rewr(&t, &app, true);
				hw = parq_trust_fit(&t);
				for (i = 0; i < 64; i++)
					KUNIT_ASSERT_LE(test, hw.dscp[i / 8] >>
							(i % 8 * 4) & 0xf, 8U);
				parq_trust_app(&t, &app, false);
				if (!parq_trust_rewr_check(&app, reason))
					parq_trust_rewr(&t, &app, false);
				KUNIT_ASSERT_TRUE(test, !memchr_inv(&t, 0,
								    sizeof(t)));
			}
		}
	}
}

struct order_case {
	u8 order[4];
	unsigned int num;
	int err;
	u32 trust;
	const char *reason;
};

static const struct order_case orders[] = {
	{ { SEL_PCP }, 1, 0, FIRST(PCP), "" },
	{ { SEL_DSCP }, 1, 0, FIRST(DSCP), "" },
	{ { SEL_DSCP, SEL_PCP }, 2, 0, FIRST(DSCP) | SECOND(PCP), "" },
	{ { SEL_PCP, SEL_DSCP }, 2, 0, FIRST(PCP) | SECOND(DSCP), "" },
	{ {}, 0, 0, 0, "" },
	{ { SEL_DSCP, SEL_DSCP }, 2, -EINVAL, 0, "selector 5 comes twice" },
	{ { SEL_DSCP, SEL_PCP, SEL_DSCP }, 3, -EINVAL, 0,
	  "selector 5 comes twice" },
	{ { SEL_TYPE }, 1, -EOPNOTSUPP, 0,
	  "selector 1 is neither dscp (5) nor pcp (255)" },
	{ { SEL_DSCP, SEL_STREAM }, 2, -EOPNOTSUPP, 0,
	  "selector 2 is neither dscp (5) nor pcp (255)" },
	{ { 0 }, 1, -EOPNOTSUPP, 0,
	  "selector 0 is neither dscp (5) nor pcp (255)" },
};

static void trust_orders(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		const struct order_case *c = &orders[i];
		char reason[PARQ_REASON_LEN] = "";
		struct parq_trust t = {};
		u8 order[PARQ_TRUST_SELS];

		KUNIT_EXPECT_EQ(test, parq_trust_order_check(c->order, c->num,
							     reason), c->err);
		KUNIT_EXPECT_STREQ(test, reason, c->reason);
		if (c->err)
			continue;
		parq_trust_order(&t, c->order, c->num);
		KUNIT_EXPECT_EQ(test, parq_trust_order_get(&t, order), c->num);
		KUNIT_EXPECT_TRUE(test, !memcmp(order, c->order, c->num));
		KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).trust, c->trust);
	}
}

/* ---- What it comes to ---------------------------------------------------- */

static void add(struct parq_trust *t, u8 sel, u8 prio, u16 proto)
{
	parq_trust_app(t, &(const struct dcb_app){ sel, prio, proto }, true);
}

static void del(struct parq_trust *t, u8 sel, u8 prio, u16 proto)
{
	parq_trust_app(t, &(const struct dcb_app){ sel, prio, proto }, false);
}

/* Nothing set is what the device has after a reset. */
static void trust_default(struct kunit *test)
{
	struct parq_trust t = {};
	struct parq_trust_hw hw = parq_trust_fit(&t);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, hw.trust, 1U);
	KUNIT_EXPECT_EQ(test, hw.pcp[0], 0x76543210U);
	KUNIT_EXPECT_EQ(test, hw.pcp[1], 0x76543210U);
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, hw.dscp[i], 0x88888888U);
		KUNIT_EXPECT_EQ(test, hw.rewr[i], 0U);
	}
	KUNIT_EXPECT_TRUE(test, parq_trust_plain(&hw));
}

/* Unless its user has said the order, an entry of DSCP is what lets it count. */
static void trust_dscp_unasked(struct kunit *test)
{
	struct parq_trust t = {};
	struct parq_trust_hw hw;

	add(&t, SEL_DSCP, 3, 26);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_EQ(test, hw.trust, FIRST(DSCP) | SECOND(PCP));
	KUNIT_EXPECT_EQ(test, hw.dscp[3], 0x88888388U);
	KUNIT_EXPECT_FALSE(test, parq_trust_plain(&hw));
	del(&t, SEL_DSCP, 3, 26);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_TRUE(test, parq_trust_plain(&hw));
	add(&t, SEL_DSCP, 3, 26);
	parq_trust_order(&t, (const u8[]){ SEL_PCP }, 1);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_EQ(test, hw.trust, FIRST(PCP));
	KUNIT_EXPECT_TRUE(test, parq_trust_plain(&hw));
}

/* "replace" adds the new one before it deletes the old one. */
static void trust_highest_counts(struct kunit *test)
{
	struct parq_trust t = {};

	add(&t, SEL_DSCP, 2, 63);
	add(&t, SEL_DSCP, 6, 63);
	add(&t, SEL_DSCP, 0, 63);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).dscp[7], 0x68888888U);
	del(&t, SEL_DSCP, 6, 63);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).dscp[7], 0x28888888U);
	del(&t, SEL_DSCP, 2, 63);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).dscp[7], 0x08888888U);
	del(&t, SEL_DSCP, 0, 63);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).dscp[7], 0x88888888U);
}

static void trust_pcp(struct kunit *test)
{
	struct parq_trust t = {};
	struct parq_trust_hw hw;

	add(&t, SEL_PCP, 0, 5);
	add(&t, SEL_PCP, 1, 15);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_EQ(test, hw.pcp[0], 0x76043210U);
	KUNIT_EXPECT_EQ(test, hw.pcp[1], 0x16543210U);
	KUNIT_EXPECT_EQ(test, hw.trust, FIRST(PCP));
	KUNIT_EXPECT_FALSE(test, parq_trust_plain(&hw));
}

/* Other EtherTypes and ports are for applications alone. */
static void trust_default_prio(struct kunit *test)
{
	struct parq_trust t = {};
	struct parq_trust_hw hw;

	add(&t, SEL_TYPE, 3, 0x8915);
	add(&t, SEL_STREAM, 3, 3260);
	KUNIT_EXPECT_TRUE(test, !memchr_inv(&t, 0, sizeof(t)));
	add(&t, SEL_TYPE, 0, 0);
	add(&t, SEL_TYPE, 4, 0);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_EQ(test, hw.trust, FIRST(PCP) | DEFAULT(4));
	KUNIT_EXPECT_FALSE(test, parq_trust_plain(&hw));
	del(&t, SEL_TYPE, 4, 0);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).trust, FIRST(PCP));
}

static void trust_rewr(struct kunit *test)
{
	const struct dcb_app dscp = { SEL_DSCP, 3, 26 }, ef = { SEL_DSCP, 3, 46 };
	const struct dcb_app pcp = { SEL_PCP, 3, 5 }, dei = { SEL_PCP, 7, 15 };
	const struct dcb_app zero = { SEL_DSCP, 0, 0 };
	struct parq_trust t = {};
	struct parq_trust_hw hw;

	parq_trust_rewr(&t, &dscp, true);
	parq_trust_rewr(&t, &pcp, true);
	parq_trust_rewr(&t, &dei, true);
	parq_trust_rewr(&t, &zero, true);
	hw = parq_trust_fit(&t);
	KUNIT_EXPECT_EQ(test, hw.rewr[0], (u32)PARQ_REWR_DSCP_EN);
	KUNIT_EXPECT_EQ(test, hw.rewr[3], (u32)(PARQ_REWR_DSCP_EN | 26 |
						PARQ_REWR_PCP_EN | 5 << 8));
	KUNIT_EXPECT_EQ(test, hw.rewr[7], (u32)(PARQ_REWR_PCP_EN | 7 << 8 |
						PARQ_REWR_DEI));
	KUNIT_EXPECT_EQ(test, hw.rewr[1], 0U);
	/* It is the sender's last word: no frame is classified by it. */
	KUNIT_EXPECT_TRUE(test, parq_trust_plain(&hw));
	parq_trust_rewr(&t, &ef, true);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).rewr[3] & PARQ_REWR_DSCP, 46U);
	parq_trust_rewr(&t, &ef, false);
	parq_trust_rewr(&t, &pcp, false);
	KUNIT_EXPECT_EQ(test, parq_trust_fit(&t).rewr[3],
			(u32)(PARQ_REWR_DSCP_EN | 26));
}

static struct kunit_case parq_trust_tests[] = {
	KUNIT_CASE_PARAM(trust_refused, refusals_gen_params),
	KUNIT_CASE(trust_all_entries),
	KUNIT_CASE(trust_orders),
	KUNIT_CASE(trust_default),
	KUNIT_CASE(trust_dscp_unasked),
	KUNIT_CASE(trust_highest_counts),
	KUNIT_CASE(trust_pcp),
	KUNIT_CASE(trust_default_prio),
	KUNIT_CASE(trust_rewr),
	{}
};

static struct kunit_suite parq_trust_suite = {
	.name = "parq_prio_calc",
	.test_cases = parq_trust_tests,
};

kunit_test_suite(parq_trust_suite);
