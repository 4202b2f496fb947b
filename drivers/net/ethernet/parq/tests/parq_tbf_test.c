// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of tbf qdiscs: what is accepted, what is refused, and which class has a limit. */
#include <kunit/test.h>

#include "../parq.h"
#include "../parq_tbf.h"

#define ETS	0x10000U	/* handle of an ets qdisc */
#define TBF	0x130000U	/* of a tbf qdisc */
#define RED	0x230000U	/* of a qdisc that is none */

/* ---- what is accepted --------------------------------------------------- */

struct tbf_case {
	const char *name;
	u32 parent;
	u64 rate;		/* bytes/s */
	u32 ets;
	const char *reason;	/* NULL: accepted */
	bool port_rate;
};

static const struct tbf_case tbf_cases[] = {
	{ "first band", ETS + 1, 125000, ETS },
	{ "last band", ETS + 8, 125000, ETS },
	{ "slowest", ETS + 1, 125, ETS },
	{ "fastest", ETS + 1, 536870911875ULL, ETS },

	{ "root", TC_H_ROOT, 125000, 0, NULL, true },
	{ "root of ets", TC_H_ROOT, 125000, ETS, NULL, true },

	{ "no limit of a port", TC_H_ROOT, 125000, 0,
	  "root: the device limits bands of ets or prio, not a whole port" },
	{ "no ets", ETS + 1, 125000, 0,
	  "parent 1:1 is not a class of an offloaded ets or prio" },
	{ "another parent", 0xffff0001U, 125000, ETS,
	  "parent ffff:1 is not a class of an offloaded ets or prio" },
	{ "no class", ETS, 125000, ETS, "class 1:0 is not in 1..8" },
	{ "ninth band", ETS + 9, 125000, ETS, "class 1:9 is not in 1..8" },
	{ "root, no rate", TC_H_ROOT, 0, 0, "rate 0 B/s is not in 125..536870911875", true },
	{ "no rate", ETS + 1, 0, ETS, "rate 0 B/s is not in 125..536870911875" },
	{ "too slow", ETS + 1, 124, ETS, "rate 124 B/s is not in 125..536870911875" },
	{ "too fast", ETS + 1, 536870911876ULL, ETS,
	  "rate 536870911876 B/s is not in 125..536870911875" },
};

static void tbf_desc(const struct tbf_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(tbf, tbf_cases, tbf_desc);

static struct tc_tbf_qopt_offload tbf_request(u32 handle, u32 parent, u64 rate)
{
	return (struct tc_tbf_qopt_offload){
		.command = TC_TBF_REPLACE, .handle = handle, .parent = parent,
		.replace_params.rate.rate_bytes_ps = rate,
	};
}

static void tbf_check_test(struct kunit *test)
{
	const struct tbf_case *c = test->param_value;
	struct tc_tbf_qopt_offload qopt = tbf_request(TBF, c->parent, c->rate);
	char reason[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_tbf_check(&qopt, c->ets, c->port_rate, reason),
			c->reason ? -EOPNOTSUPP : 0);
	KUNIT_EXPECT_STREQ(test, reason, c->reason ?: "");
}

/* ---- whose class -------------------------------------------------------- */

static void tbf_expect_limits(struct kunit *test, const struct parq_tbf *tbf, u32 ets,
			      unsigned int bands, const u64 expected[PARQ_NUM_TC])
{
	u64 maxrate[PARQ_NUM_TC];

	memset(maxrate, 0xff, sizeof(maxrate));
	parq_tbf_limits(tbf, ets, bands, maxrate);
	KUNIT_EXPECT_MEMEQ(test, maxrate, expected, sizeof(maxrate));
}

/* Band 0 is the highest class, so its number depends on the number of bands. */
static void tbf_limits_test(struct kunit *test)
{
	struct parq_tbf tbf = {
		.slot = { [0] = { .handle = TBF, .parent = ETS + 1, .kbit = 10 },
			  [2] = { .handle = TBF * 2, .parent = ETS + 3, .kbit = 30 } },
	};
	static const u64 eight[PARQ_NUM_TC] = { [7] = 10, [5] = 30 };
	static const u64 three[PARQ_NUM_TC] = { [2] = 10, [0] = 30 };
	static const u64 one[PARQ_NUM_TC] = { [0] = 10 };
	static const u64 none[PARQ_NUM_TC];

	tbf_expect_limits(test, &tbf, ETS, 8, eight);
	tbf_expect_limits(test, &tbf, ETS, 3, three);
	tbf_expect_limits(test, &tbf, ETS, 1, one);
	/* Of the ets qdisc that has just been replaced, or is in software. */
	tbf_expect_limits(test, &tbf, 2 * ETS, 8, none);
	tbf_expect_limits(test, &tbf, 0, 8, none);
}

/* ---- life --------------------------------------------------------------- */

/**
 * struct fake - a port that is down, with an offloaded ets qdisc of eight bands
 * @port: the port
 * @pd: its device, which forwards
 * @netdev: its netdev
 */
struct fake {
	struct parq_port port;
	struct parq_dev pd;
	struct net_device netdev;
};

/* Takes rtnl until fake_close(). */
static struct fake *fake_open(struct kunit *test)
{
	struct fake *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct parq_tc tc = { .qdisc = "ets", .parts = PARQ_TC_MAP | PARQ_TC_SHARES };
	static const struct net_device_ops no_ops;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->port.pd = &f->pd;
	f->port.netdev = &f->netdev;
	f->netdev.netdev_ops = &no_ops;
	/* That it is there is all that matters. */
	f->pd.sw = kunit_kzalloc(test, 1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f->pd.sw);
	rtnl_lock();
	parq_ets_init(&f->port);
	KUNIT_EXPECT_EQ(test, parq_ets_tc_set(&f->port, PARQ_ETS_USER_ETS, &tc), 0);
	f->port.ets_handle = ETS;
	f->port.ets_bands = 8;
	return f;
}

static void fake_close(struct fake *f)
{
	rtnl_unlock();
}

static int fake_replace(struct fake *f, u32 handle, u32 parent, u64 rate)
{
	struct tc_tbf_qopt_offload qopt = tbf_request(handle, parent, rate);

	return parq_tbf_setup(&f->port, &qopt, false);
}

/* Below another one, which is the root. */
static int fake_nest(struct fake *f, u32 handle, u64 rate)
{
	struct tc_tbf_qopt_offload qopt = tbf_request(handle, TC_H_ROOT, rate);

	return parq_tbf_setup(&f->port, &qopt, true);
}

static int fake_command(struct fake *f, enum tc_tbf_command command, u32 handle)
{
	struct tc_tbf_qopt_offload qopt = { .command = command, .handle = handle };

	return parq_tbf_setup(&f->port, &qopt, false);
}

static void tbf_replace_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;

	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 10000U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), 0);
	/* The same with another rate, and another one in another band. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 2500000), 0);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 2, ETS + 8, 125), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 20000U);
	KUNIT_EXPECT_EQ(test, hw->maxrate[0], 1U);
	/* Refused: a new one changes nothing, that of a band ends. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 3, ETS + 3, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 20000U);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->maxrate[0], 1U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[0], 0U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), -EOPNOTSUPP);
	/* A NIC does not forward. */
	f->pd.sw = NULL;
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	fake_close(f);
}

/* At the root it is the limit of the port, whatever bands have. */
static void tbf_root_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;

	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, TC_H_ROOT, 1250000), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 0U);
	f->pd.caps.flags = PARQ_CAP_PORT_RATE;
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, TC_H_ROOT, 1250000), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 10000U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), 0);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 2, ETS + 3, 125000), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 1000U);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 10000U);
	/* Another one takes its place, and tc refuses the rest of the request. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 3, TC_H_ROOT, 2500000), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 20000U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 3), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 10000U);
	/* Another one takes its place for good. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 3, TC_H_ROOT, 2500000), 0);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 20000U);
	/* A rate that is refused ends the limit, and so does the end of the offload. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 3, TC_H_ROOT, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 0U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF * 3), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 3, TC_H_ROOT, 1250000), 0);
	parq_tbf_clear(&f->port);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 0U);
	KUNIT_EXPECT_EQ(test, hw->prio_tc, 0U);
	fake_close(f);
}

/* Of two at the root the lower limit holds. */
static void tbf_nested_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;

	f->pd.caps.flags = PARQ_CAP_PORT_RATE;
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, TC_H_ROOT, 1250000), 0);
	KUNIT_EXPECT_EQ(test, fake_nest(f, TBF * 2, 2500000), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 10000U);
	KUNIT_EXPECT_EQ(test, fake_nest(f, TBF * 2, 625000), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 5000U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), 0);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF * 2), 0);
	/* The first one gets another child. */
	parq_tbf_graft(&f->port, PARQ_TBF_NESTED, TBF * 2);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 5000U);
	parq_tbf_graft(&f->port, PARQ_TBF_NESTED, RED);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 10000U);
	KUNIT_EXPECT_EQ(test, fake_nest(f, TBF * 2, 625000), 0);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 5000U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), 0);
	KUNIT_EXPECT_EQ(test, hw->port_rate, 0U);
	fake_close(f);
}

/* The lower of the qdisc's limit and DCB's is in force. */
static void tbf_maxrate_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;
	u64 rate[PARQ_NUM_TC] = { [5] = 15000, [6] = 7000 };
	char reason[PARQ_REASON_LEN];

	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 10000U);
	KUNIT_EXPECT_EQ(test, hw->maxrate[6], 7000U);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 2500000), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 15000U);
	rate[5] = 0;
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 20000U);
	parq_ets_tc_clear(&f->port, PARQ_ETS_USER_ETS);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	KUNIT_EXPECT_EQ(test, hw->maxrate[6], 7000U);
	fake_close(f);
}

/* One that ends before its band has it was refused by tc: the limit is that of the one before. */
static void tbf_no_graft_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;

	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	parq_tbf_graft(&f->port, 2, TBF);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 2500000), 0);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 2, ETS + 3, 125), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 1U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 20000U);
	/* The band has the new one, whose end leaves none. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 2, ETS + 3, 125), 0);
	parq_tbf_graft(&f->port, 2, TBF * 2);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 1U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	/* The ets was in software when the band got the new one. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF * 2, ETS + 3, 125), 0);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 1U);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF * 2), 0);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	fake_close(f);
}

/* What changes while the device is gone is in force when it is back. */
static void tbf_gone_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const u64 *limit = f->port.ets.tc[PARQ_ETS_USER_ETS].maxrate;

	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_NE(test, fake_replace(f, TBF * 2, ETS + 4, 125), 0);
	KUNIT_EXPECT_EQ(test, limit[5], 10000ULL);
	KUNIT_EXPECT_NE(test, fake_replace(f, TBF, ETS + 3, 125), 0);
	KUNIT_EXPECT_EQ(test, limit[5], 0ULL);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_DESTROY, TBF), 0);
	KUNIT_EXPECT_EQ(test, limit[5], 0ULL);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	fake_close(f);
}

static void tbf_tree_test(struct kunit *test)
{
	struct fake *f = fake_open(test);
	const struct parq_ets_hw *hw = &f->port.ets.hw;

	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	/* It becomes the child of its band, of another band, and then of none. */
	parq_tbf_graft(&f->port, 2, TBF);
	parq_tbf_graft(&f->port, 3, RED);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 10000U);
	parq_tbf_graft(&f->port, 2, RED);
	KUNIT_EXPECT_EQ(test, hw->maxrate[5], 0U);
	/* The ets goes to software and comes back. */
	KUNIT_EXPECT_EQ(test, fake_replace(f, TBF, ETS + 3, 1250000), 0);
	f->port.ets_bands = 2;
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), -EOPNOTSUPP);
	f->port.ets_bands = 8;
	f->port.ets_handle = 0;
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), -EOPNOTSUPP);
	f->port.ets_handle = ETS;
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), 0);
	/* Offload is switched off. */
	parq_tbf_clear(&f->port);
	KUNIT_EXPECT_EQ(test, fake_command(f, TC_TBF_STATS, TBF), -EOPNOTSUPP);
	fake_close(f);
}

static struct kunit_case tbf_test_cases[] = {
	KUNIT_CASE_PARAM(tbf_check_test, tbf_gen_params),
	KUNIT_CASE(tbf_limits_test),
	KUNIT_CASE(tbf_replace_test),
	KUNIT_CASE(tbf_root_test),
	KUNIT_CASE(tbf_nested_test),
	KUNIT_CASE(tbf_maxrate_test),
	KUNIT_CASE(tbf_no_graft_test),
	KUNIT_CASE(tbf_gone_test),
	KUNIT_CASE(tbf_tree_test),
	{}
};

static struct kunit_suite tbf_test_suite = {
	.name = "parq_tbf",
	.test_cases = tbf_test_cases,
};

kunit_test_suite(tbf_test_suite);
