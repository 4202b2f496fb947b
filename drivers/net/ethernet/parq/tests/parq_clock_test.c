// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the PTP clock of a device, of settings of time stamps, and of those of frames. */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/net_tstamp.h>

#include "../parq_io.h"
#include "../parq_ptp.h"
#include "../parq_stats.h"
#include "parq_clock_calls.h"

#define CHIME_REAL	0x1700000000000000ULL

/**
 * struct chime - the device's clock, and what the fakes do
 * @pd: device
 * @port: port
 * @boottime: time since the system has started, ns
 * @time: time of the clock
 * @op: last command
 * @val: its operand
 * @at_cmd: upper half of the time that the driver knew for the new scale at that moment
 * @rate: PARQ_PTP_RATE
 * @goes: the device goes while its clock is read
 * @err: what registration returns; 0: a clock
 * @registered: clocks
 * @ctrl: bits of PARQ_PORT_CTRL that were set
 * @stamp: last time stamp of a frame
 * @stamps: their number
 */
struct chime {
	struct parq_dev pd;
	struct parq_port *port;
	u64 boottime;
	u64 time;
	enum parq_ptp_op op;
	u64 val;
	u32 at_cmd;
	s32 rate;
	bool goes;
	int err;
	unsigned int registered;
	u32 ctrl;
	ktime_t stamp;
	unsigned int stamps;
};

static struct chime *chime;

/* ---- fakes -------------------------------------------------------------- */

u64 chime_boottime(void)
{
	return chime->boottime;
}

u64 chime_real(void)
{
	return CHIME_REAL;
}

struct ptp_clock *chime_register(struct ptp_clock_info *info)
{
	chime->registered += !chime->err;
	return chime->err ? ERR_PTR(chime->err) : (struct ptp_clock *)info;
}

void chime_unregister(void)
{
	chime->registered--;
}

void chime_stamp(struct sk_buff *skb, const struct skb_shared_hwtstamps *stamp)
{
	chime->stamp = stamp->hwtstamp;
	chime->stamps++;
}

u64 parq_io_ptp_time(struct parq_dev *pd, struct ptp_system_timestamp *sts)
{
	if (chime->goes)
		clear_bit(PARQ_DEV_READY, &pd->flags);
	return chime->time;
}

void parq_io_ptp_cmd(struct parq_dev *pd, enum parq_ptp_op op, u64 val)
{
	struct parq_ptp *ptp = pd->ptp;

	chime->op = op;
	chime->val = val;
	chime->time = op == PARQ_PTP_SET ? val : chime->time + val;
	if (ptp)
		chime->at_cmd = ptp->hi[ptp->steps % PARQ_PTP_SCALES];
}

void parq_io_ptp_rate(struct parq_dev *pd, s32 rate)
{
	chime->rate = rate;
}

void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set)
{
	chime->ctrl = (chime->ctrl & ~clear) | set;
}

void parq_stats_queues(const struct parq_port *port, struct parq_tx_counters *tx,
		       struct parq_rx_counters *rx)
{
	tx->stamps = 1;
	tx->stamps_lost = 2;
	tx->stamps_bad = 3;
}

/* ---- cases -------------------------------------------------------------- */

static int chime_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));

	chime = kunit_kzalloc(test, sizeof(*chime), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, chime);
	chime->port = netdev_priv(dev);
	chime->port->netdev = dev;
	chime->port->pd = &chime->pd;
	chime->pd.dev = root_device_register("parq-chime");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, chime->pd.dev);
	chime->pd.caps.flags = PARQ_CAP_PTP;
	set_bit(PARQ_DEV_READY, &chime->pd.flags);
	chime->boottime = 1000;
	parq_ptp_init(&chime->pd);
	KUNIT_ASSERT_NOT_NULL(test, chime->pd.ptp);
	return 0;
}

static void chime_exit(struct kunit *test)
{
	parq_ptp_fini(&chime->pd);
	KUNIT_EXPECT_NULL(test, chime->pd.ptp);
	KUNIT_EXPECT_EQ(test, chime->registered, 0U);
	parq_ptp_fini(&chime->pd);
	root_device_unregister(chime->pd.dev);
	free_netdev(chime->port->netdev);
}

static struct ptp_clock_info *chime_info(void)
{
	return &chime->pd.ptp->info;
}

static int chime_get(u64 *ns)
{
	struct timespec64 ts = {};
	int err = chime_info()->gettimex64(chime_info(), &ts, NULL);

	*ns = timespec64_to_ns(&ts);
	return err;
}

static int chime_set(s64 ns)
{
	struct timespec64 ts = ns_to_timespec64(ns);

	return chime_info()->settime64(chime_info(), &ts);
}

static void clock_is_registered(struct kunit *test)
{
	struct parq_dev *pd = &chime->pd;
	u64 ns;

	KUNIT_EXPECT_EQ(test, (int)chime->op, PARQ_PTP_SET);
	KUNIT_EXPECT_EQ(test, chime->val, CHIME_REAL);
	KUNIT_EXPECT_EQ(test, chime_get(&ns), 0);
	KUNIT_EXPECT_EQ(test, ns, CHIME_REAL);
	KUNIT_EXPECT_EQ(test, chime_info()->max_adj, 1000000);
	parq_ptp_fini(pd);
	pd->caps.flags = 0;
	parq_ptp_init(pd);
	KUNIT_EXPECT_NULL(test, pd->ptp);
	pd->caps.flags = PARQ_CAP_PTP;
	chime->err = -ENOMEM;
	parq_ptp_init(pd);
	KUNIT_EXPECT_NULL(test, pd->ptp);
	parq_ptp_save(pd);
	parq_ptp_restore(pd);
}

/* The time of the new scale is known before its first frame arrives. */
static void clock_is_set(struct kunit *test)
{
	struct parq_ptp *ptp = chime->pd.ptp;
	unsigned int steps = ptp->steps;
	u64 ns;

	KUNIT_EXPECT_EQ(test, chime_set(5ULL << 32 | 6), 0);
	KUNIT_EXPECT_EQ(test, (int)chime->op, PARQ_PTP_SET);
	KUNIT_EXPECT_EQ(test, chime->at_cmd, 5U);
	KUNIT_EXPECT_EQ(test, ptp->steps, steps + 1);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), 1LL << 32), 0);
	KUNIT_EXPECT_EQ(test, (int)chime->op, PARQ_PTP_STEP);
	KUNIT_EXPECT_EQ(test, chime->val, 1ULL << 32);
	KUNIT_EXPECT_EQ(test, chime->at_cmd, 6U);
	KUNIT_EXPECT_EQ(test, ptp->steps, steps + 2);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), -1LL << 32), 0);
	KUNIT_EXPECT_EQ(test, chime_get(&ns), 0);
	KUNIT_EXPECT_EQ(test, ns, 5ULL << 32 | 6);
	/* Not before 1970, nor after 2262. */
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), -ns), 0);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), -1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chime_set(-1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), S64_MAX), 0);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chime_set(0), 0);
	/* A look now and then keeps the upper half. */
	chime->time = 9ULL << 32;
	KUNIT_EXPECT_EQ(test, chime_info()->do_aux_work(chime_info()), 3600L * HZ);
	KUNIT_EXPECT_EQ(test, ptp->hi[ptp->steps % PARQ_PTP_SCALES], 9U);
}

/* A reset takes neither its time nor its rate. */
static void clock_survives_a_reset(struct kunit *test)
{
	u64 ns;

	KUNIT_EXPECT_EQ(test, chime_info()->adjfine(chime_info(), 1 << 16), 0);
	KUNIT_EXPECT_EQ(test, chime->rate, 1099512);
	chime->time = CHIME_REAL + 50;
	parq_ptp_save(&chime->pd);
	KUNIT_EXPECT_EQ(test, chime_get(&ns), -ENODEV);
	KUNIT_EXPECT_EQ(test, chime_set(7), -ENODEV);
	KUNIT_EXPECT_EQ(test, chime_info()->adjfine(chime_info(), 0), -ENODEV);
	KUNIT_EXPECT_EQ(test, chime_info()->adjtime(chime_info(), 7), -ENODEV);
	chime->boottime += 100;
	chime->rate = 0;
	chime->time = 0;
	parq_ptp_restore(&chime->pd);
	KUNIT_EXPECT_EQ(test, chime->time, CHIME_REAL + 150);
	KUNIT_EXPECT_EQ(test, chime->rate, 1099512);
	KUNIT_EXPECT_EQ(test, chime->pd.ptp->steps, 1U);
	KUNIT_EXPECT_EQ(test, chime_get(&ns), 0);
	/* The device goes while it is read: what was read is no time. */
	chime->goes = true;
	chime->time = ~0ULL;
	KUNIT_EXPECT_EQ(test, chime_get(&ns), -ENODEV);
	chime->boottime += 100;
	parq_ptp_save(&chime->pd);
	parq_ptp_restore(&chime->pd);
	KUNIT_EXPECT_EQ(test, chime->time, CHIME_REAL + 250);
}

static void stamps_are_set(struct kunit *test)
{
	static const struct {
		int tx_type;
		int rx_filter;
		int err;
		bool tx;
		bool rx;
	} cases[] = {
		{ HWTSTAMP_TX_ON, HWTSTAMP_FILTER_NONE, 0, true, false },
		{ HWTSTAMP_TX_OFF, HWTSTAMP_FILTER_ALL, 0, false, true },
		{ HWTSTAMP_TX_ONESTEP_SYNC, HWTSTAMP_FILTER_ALL, -ERANGE, false, true },
		{ HWTSTAMP_TX_ON, HWTSTAMP_FILTER_SOME, -ERANGE, false, true },
		{ HWTSTAMP_TX_ON, -1, -ERANGE, false, true },
		{ HWTSTAMP_TX_ON, HWTSTAMP_FILTER_NTP_ALL + 1, -ERANGE, false, true },
		{ HWTSTAMP_TX_ON, HWTSTAMP_FILTER_NTP_ALL, 0, true, true },
		{ HWTSTAMP_TX_OFF, HWTSTAMP_FILTER_NONE, 0, false, false },
	};
	static const int filters[] = { HWTSTAMP_FILTER_NONE, HWTSTAMP_FILTER_ALL };
	static const int types[] = { HWTSTAMP_TX_OFF, HWTSTAMP_TX_ON };
	struct net_device *dev = chime->port->netdev;
	struct kernel_hwtstamp_config cfg = {};
	struct parq_ptp *ptp = chime->pd.ptp;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		cfg.tx_type = cases[i].tx_type;
		cfg.rx_filter = cases[i].rx_filter;
		KUNIT_EXPECT_EQ_MSG(test, parq_ptp_hwtstamp_set(dev, &cfg, NULL), cases[i].err,
				    "%u", i);
		if (!cases[i].err)
			KUNIT_EXPECT_EQ(test, (int)cfg.rx_filter, filters[cases[i].rx]);
		KUNIT_EXPECT_EQ(test, chime->port->tx_stamps, cases[i].tx);
		KUNIT_EXPECT_EQ(test, chime->port->rx_stamps, cases[i].rx);
		KUNIT_EXPECT_EQ(test, !!(chime->ctrl & PARQ_PORT_CTRL_RX_STAMP), cases[i].rx);
		cfg.flags = 1;
		KUNIT_EXPECT_EQ(test, parq_ptp_hwtstamp_get(dev, &cfg), 0);
		KUNIT_EXPECT_EQ(test, (int)cfg.flags, 0);
		KUNIT_EXPECT_EQ(test, (int)cfg.tx_type, types[cases[i].tx]);
		KUNIT_EXPECT_EQ(test, (int)cfg.rx_filter, filters[cases[i].rx]);
	}
	chime->pd.ptp = NULL;
	KUNIT_EXPECT_EQ(test, parq_ptp_hwtstamp_set(dev, &cfg, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parq_ptp_hwtstamp_get(dev, &cfg), -EOPNOTSUPP);
	chime->pd.ptp = ptp;
}

static void stamps_are_offered(struct kunit *test)
{
	struct net_device *dev = chime->port->netdev;
	struct kernel_ethtool_ts_info info = {}, none = {};
	struct parq_ptp *ptp = chime->pd.ptp;

	KUNIT_EXPECT_EQ(test, parq_ptp_ts_info(dev, &info), 0);
	KUNIT_EXPECT_EQ(test, info.phc_index, 5);
	KUNIT_EXPECT_EQ(test, (u32)info.tx_types,
			(u32)(BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON)));
	KUNIT_EXPECT_EQ(test, (u32)info.rx_filters,
			(u32)(BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL)));
	chime->pd.ptp = NULL;
	KUNIT_EXPECT_EQ(test, parq_ptp_ts_info(dev, &none), 0);
	KUNIT_EXPECT_EQ(test, (u32)(info.so_timestamping & ~none.so_timestamping),
			(u32)(SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE |
			      SOF_TIMESTAMPING_RAW_HARDWARE));
	KUNIT_EXPECT_EQ(test, (u32)none.tx_types, 0U);
	chime->pd.ptp = ptp;
}

#ifdef PARQ_HAVE_TS_STATS
static void stamps_are_counted(struct kunit *test)
{
	struct parq_ptp *ptp = chime->pd.ptp;
	struct ethtool_ts_stats stats = {};

	chime->pd.ptp = NULL;
	parq_ptp_ts_stats(chime->port->netdev, &stats);
	KUNIT_EXPECT_EQ(test, (u64)stats.pkts, 0ULL);
	chime->pd.ptp = ptp;
	parq_ptp_ts_stats(chime->port->netdev, &stats);
	KUNIT_EXPECT_EQ(test, (u64)stats.pkts, 1ULL);
	KUNIT_EXPECT_EQ(test, (u64)stats.lost, 2ULL);
	KUNIT_EXPECT_EQ(test, (u64)stats.err, 3ULL);
}
#else
static void stamps_are_counted(struct kunit *test)
{
	kunit_skip(test, "this kernel does not ask for them");
}
#endif

/* The device writes the stamp, so it may be no time. */
static void stamps_of_frames(struct kunit *test)
{
	static const struct {
		u64 info;
		u64 addr;
		unsigned int good;
		unsigned int lost;
		unsigned int bad;
	} cases[] = {
		{ PARQ_TXS_STAMP, 7, 1, 0, 0 },
		{ PARQ_TXS_STAMP, KTIME_MAX, 2, 0, 0 },
		{ PARQ_TXS_STAMP, KTIME_MAX + 1ULL, 2, 0, 1 },
		{ PARQ_TXS_DROPPED, 7, 2, 1, 1 },
		{ PARQ_TXS_STAMP | PARQ_TXS_DROPPED, 7, 2, 2, 1 },
		{ 0, 7, 2, 3, 1 },
	};
	struct parq_tx_stats *stats = kunit_kzalloc(test, sizeof(*stats), GFP_KERNEL);
	struct parq_tx_desc desc[2] = {};
	struct parq_tx_buf buf[2] = {};
	struct parq_tx_ring ring = { .desc = desc, .buf = buf, .mask = 1 };
	struct parq_txq q = { .stats = stats };
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, stats);
	u64_stats_init(&stats->sync);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		desc[1].info = cpu_to_le64(cases[i].info);
		desc[1].addr = cpu_to_le64(cases[i].addr);
		parq_tx_stamp(&q, &ring, 3);
		KUNIT_EXPECT_EQ_MSG(test, chime->stamps, cases[i].good, "%u", i);
		KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->stamps), (u64)cases[i].good);
		KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->stamps_lost),
				(u64)cases[i].lost);
		KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->stamps_bad), (u64)cases[i].bad);
	}
	KUNIT_EXPECT_EQ(test, chime->stamp, ns_to_ktime(KTIME_MAX));
	parq_tx_stamp_lost(&q);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&stats->stamps_lost), 4ULL);
}

static struct kunit_case chime_cases[] = {
	KUNIT_CASE(clock_is_registered),
	KUNIT_CASE(clock_is_set),
	KUNIT_CASE(clock_survives_a_reset),
	KUNIT_CASE(stamps_are_set),
	KUNIT_CASE(stamps_are_offered),
	KUNIT_CASE(stamps_are_counted),
	KUNIT_CASE(stamps_of_frames),
	{}
};

static struct kunit_suite chime_suite = {
	.name = "parq_clock",
	.init = chime_init,
	.exit = chime_exit,
	.test_cases = chime_cases,
};

kunit_test_suite(chime_suite);

MODULE_DESCRIPTION("KUnit suite of the PTP clock");
MODULE_LICENSE("GPL");
