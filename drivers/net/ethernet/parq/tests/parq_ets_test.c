// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the transmission selection: whose settings are in force, and what is written to
 * the device.
 */
#include <kunit/test.h>

#include "../parq.h"
#include "../parq_ets.h"
#include "../parq_io.h"

#define FAKE_PRIO	3

/**
 * struct fake - a device that only has a scheduler
 * @port: its port
 * @pd: the device
 * @netdev: has a watchdog
 * @ets: settings in the device
 * @told: number of writes
 * @refuse: refuse writes
 */
struct fake {
	struct parq_port port;
	struct parq_dev pd;
	struct net_device netdev;
	struct parq_ets_hw ets;
	unsigned int told;
	bool refuse;
};

int parq_io_ets_set(struct parq_port *port, const struct parq_ets_hw *ets)
{
	struct fake *f = container_of(port->pd, struct fake, pd);

	f->told++;
	if (f->refuse)
		return -EIO;
	f->ets = *ets;
	return 0;
}

/* Takes rtnl until fake_close(). */
static struct fake *fake_up(struct kunit *test)
{
	struct fake *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	static const struct net_device_ops no_ops;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->port.pd = &f->pd;
	f->port.netdev = &f->netdev;
	f->pd.caps.chans = 4;
	f->netdev.watchdog_timeo = 5 * HZ;
	f->netdev.netdev_ops = &no_ops;
	rtnl_lock();
	parq_ets_init(&f->port);
	KUNIT_EXPECT_EQ(test, parq_ets_open(&f->port), 0);
	f->port.pfc.up = true;
	f->told = 0;
	return f;
}

static void fake_close(struct fake *f)
{
	rtnl_unlock();
}

static u8 fake_tc(const struct fake *f, unsigned int prio)
{
	return f->ets.prio_tc >> (4 * prio) & 0xf;
}

/* The device is written only if one of its values changes. */
static void ets_dcb(struct kunit *test)
{
	struct fake *f = fake_up(test);
	struct ieee_ets ets = f->port.ets.dcb;
	char reason[PARQ_REASON_LEN] = "";

	f->refuse = true;
	ets.willing = !ets.willing;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), 0);
	KUNIT_EXPECT_EQ(test, f->port.ets.dcb.willing, ets.willing);
	KUNIT_EXPECT_EQ(test, f->told, 0U);
	ets.prio_tc[FAKE_PRIO] = 7;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), -EIO);
	KUNIT_EXPECT_EQ(test, f->port.ets.dcb.prio_tc[FAKE_PRIO], 0);
	f->refuse = false;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), 0);
	KUNIT_EXPECT_EQ(test, fake_tc(f, FAKE_PRIO), 7);
	KUNIT_EXPECT_EQ(test, f->port.ets.dcb.ets_cap, PARQ_NUM_TC);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), -ENODEV);
	KUNIT_EXPECT_STREQ(test, reason, "");
	fake_close(f);
}

static void ets_maxrate(struct kunit *test)
{
	u64 rate[PARQ_NUM_TC] = { [3] = 10000000, [7] = 1 };
	struct fake *f = fake_up(test);
	char reason[PARQ_REASON_LEN];

	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_EQ(test, f->ets.maxrate[3], 10000000U);
	KUNIT_EXPECT_EQ(test, f->ets.maxrate[7], 1U);
	KUNIT_EXPECT_EQ(test, f->ets.maxrate[0], 0U);
	KUNIT_EXPECT_MEMEQ(test, f->port.ets.maxrate, rate, sizeof(rate));
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_EQ(test, f->told, 1U);
	/* A refused change leaves all settings as they were. */
	rate[0] = 1;
	rate[7] = 1ULL << 32;
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, reason,
			   "maxrate of TC 7: 4294967296 kbit/s, not 0..4294967295");
	KUNIT_EXPECT_EQ(test, f->port.ets.maxrate[0], 0ULL);
	KUNIT_EXPECT_EQ(test, f->told, 1U);
	rate[7] = 0;
	f->refuse = true;
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), -EIO);
	KUNIT_EXPECT_EQ(test, f->port.ets.maxrate[3], 10000000ULL);
	KUNIT_EXPECT_EQ(test, f->port.ets.maxrate[0], 0ULL);
	fake_close(f);
}

/* Settings of a port that is down reach the device when it comes up. */
static void ets_while_down(struct kunit *test)
{
	u64 rate[PARQ_NUM_TC] = { 1 };
	struct fake *f = fake_up(test);
	char reason[PARQ_REASON_LEN];

	f->port.pfc.up = false;
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_EQ(test, f->told, 0U);
	f->refuse = true;
	KUNIT_EXPECT_EQ(test, parq_ets_open(&f->port), -EIO);
	f->refuse = false;
	KUNIT_EXPECT_EQ(test, parq_ets_open(&f->port), 0);
	KUNIT_EXPECT_EQ(test, f->ets.maxrate[0], 1U);
	fake_close(f);
}

/* A qdisc replaces DCB's settings, which then cannot change. They return after it. */
static void ets_qdisc(struct kunit *test)
{
	struct parq_tc tc = { .qdisc = "mqprio", .parts = PARQ_TC_MAP | PARQ_TC_RATES,
			      .maxrate = { 0, 10 }, .queues = 16 };
	u64 rate[PARQ_NUM_TC] = { [1] = 1000 }, other[PARQ_NUM_TC] = {};
	struct fake *f = fake_up(test);
	char reason[PARQ_REASON_LEN];
	struct ieee_ets ets;
	struct parq_ets_hw was;

	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	was = f->ets;
	tc.prio_tc[FAKE_PRIO] = 1;
	KUNIT_EXPECT_EQ(test, parq_ets_tc_set(&f->port, PARQ_ETS_USER_MQPRIO,
					      &tc), 0);
	KUNIT_EXPECT_EQ(test, fake_tc(f, FAKE_PRIO), 1);
	KUNIT_EXPECT_EQ(test, f->ets.maxrate[1], 10U);
	KUNIT_EXPECT_EQ(test, parq_ets_queues_check(&f->port, 16, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_ets_queues_check(&f->port, 8, reason), -EBUSY);
	KUNIT_EXPECT_STREQ(test, reason,
			   "qdisc mqprio at the root uses 16 TX queues, more than 8");

	/* Equal values change nothing. Values that the qdisc does not replace may change. */
	ets = f->port.ets.dcb;
	ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), 0);
	KUNIT_EXPECT_EQ(test, f->ets.tsa & 0xf, (u32)PARQ_TSA_ETS);
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	ets.tc_tsa[0] = IEEE_8021QAZ_TSA_STRICT;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), 0);
	ets.prio_tc[0] = 5;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), -EBUSY);
	KUNIT_EXPECT_STREQ(test, reason,
			   "prio-tc cannot change: qdisc mqprio at the root decides it");
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, other, reason),
			-EBUSY);
	KUNIT_EXPECT_STREQ(test, reason,
			   "maxrate cannot change: qdisc mqprio at the root decides it");

	parq_ets_tc_clear(&f->port, PARQ_ETS_USER_MQPRIO);
	KUNIT_EXPECT_MEMEQ(test, &f->ets, &was, sizeof(was));
	f->told = 0;
	parq_ets_tc_clear(&f->port, PARQ_ETS_USER_MQPRIO);
	KUNIT_EXPECT_EQ(test, f->told, 0U);
	fake_close(f);
}

/* A qdisc is added before the previous one is removed; one is removed with the device. */
static void ets_qdiscs(struct kunit *test)
{
	struct parq_tc mqprio = { .parts = PARQ_TC_MAP };
	struct parq_tc shares = { .qdisc = "prio", .parts = PARQ_TC_MAP | PARQ_TC_SHARES };
	struct fake *f = fake_up(test);
	char reason[PARQ_REASON_LEN];
	struct ieee_ets ets;

	mqprio.prio_tc[FAKE_PRIO] = 1;
	shares.prio_tc[FAKE_PRIO] = 2;
	shares.tsa[2] = PARQ_TSA_ETS;
	shares.bw[2] = 30;
	parq_ets_tc_set(&f->port, PARQ_ETS_USER_ETS, &shares);
	KUNIT_EXPECT_EQ(test, fake_tc(f, FAKE_PRIO), 2);
	KUNIT_EXPECT_EQ(test, f->ets.tsa, 0x200U);
	KUNIT_EXPECT_EQ(test, f->ets.bw_lo, 30U << 16);
	ets = f->port.ets.dcb;
	ets.tc_tx_bw[0] = 10;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), -EBUSY);
	KUNIT_EXPECT_STREQ(test, reason,
			   "tc-bw cannot change: qdisc prio at the root decides it");
	parq_ets_tc_set(&f->port, PARQ_ETS_USER_MQPRIO, &mqprio);
	parq_ets_tc_clear(&f->port, PARQ_ETS_USER_ETS);
	KUNIT_EXPECT_EQ(test, fake_tc(f, FAKE_PRIO), 1);
	KUNIT_EXPECT_EQ(test, f->ets.tsa, 0U);

	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	parq_ets_tc_clear(&f->port, PARQ_ETS_USER_MQPRIO);
	KUNIT_EXPECT_EQ(test, f->port.ets.tc[PARQ_ETS_USER_MQPRIO].parts, 0);
	fake_close(f);
}

/*
 * The watchdog waits for 5 s. 32 queues with 64 KiB each take half of that at 6.7
 * Mb/s; four of them need an eighth.
 */
static void ets_slow(struct kunit *test)
{
	u64 rate[PARQ_NUM_TC] = { 6800, 6000 };
	struct parq_tc tbf = { .port_rate = 6800 };
	struct fake *f = fake_up(test);
	char reason[PARQ_REASON_LEN];
	struct ieee_ets ets;

	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_FALSE(test, parq_ets_slow(&f->port, 0));
	rate[0] = 6600;
	KUNIT_EXPECT_EQ(test, parq_ets_maxrate_set(&f->port, rate, reason), 0);
	KUNIT_EXPECT_TRUE(test, parq_ets_slow(&f->port, 0));
	KUNIT_EXPECT_TRUE(test, parq_ets_slow(&f->port, 7));
	ets = f->port.ets.dcb;
	ets.prio_tc[7] = 1;
	KUNIT_EXPECT_EQ(test, parq_ets_set(&f->port, &ets, reason), 0);
	KUNIT_EXPECT_FALSE(test, parq_ets_slow(&f->port, 7));
	KUNIT_EXPECT_FALSE(test, parq_ets_slow(&f->port, 0));
	/* All of them share the limit of the port. */
	KUNIT_EXPECT_EQ(test, parq_ets_tc_set(&f->port, PARQ_ETS_USER_TBF, &tbf), 0);
	KUNIT_EXPECT_EQ(test, f->port.ets.hw.port_rate, 6800U);
	KUNIT_EXPECT_FALSE(test, parq_ets_slow(&f->port, 7));
	tbf.port_rate = 6600;
	KUNIT_EXPECT_EQ(test, parq_ets_tc_set(&f->port, PARQ_ETS_USER_TBF, &tbf), 0);
	KUNIT_EXPECT_TRUE(test, parq_ets_slow(&f->port, 7));
	KUNIT_EXPECT_TRUE(test, parq_ets_slow(&f->port, 0));
	fake_close(f);
}

static struct kunit_case parq_ets_tests[] = {
	KUNIT_CASE(ets_dcb),
	KUNIT_CASE(ets_maxrate),
	KUNIT_CASE(ets_while_down),
	KUNIT_CASE(ets_qdisc),
	KUNIT_CASE(ets_qdiscs),
	KUNIT_CASE(ets_slow),
	{}
};

static struct kunit_suite parq_ets_suite = {
	.name = "parq_ets",
	.test_cases = parq_ets_tests,
};

kunit_test_suite(parq_ets_suite);
