// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the offload of qdiscs: what they set, what their end leaves, and what is counted
 * for them. parq_ets_tc_calc_test.c has what is accepted.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "../parq.h"
#include "../parq_ptp.h"
#include "../parq_red.h"
#include "../parq_stats.h"
#include "parq_call_log.h"

#define LOFT_CHANS	2
#define LOFT_QUEUES	(LOFT_CHANS * PARQ_NUM_PRIO)
#define ETS_A		0x10000U	/* handles of ets qdiscs */
#define ETS_B		0xffff0000U
#define TBF		0x30000U
#define TBF_ROOT	0x60000U	/* at the root */
#define RED		0x40000U
#define LOWER		0x50000U	/* any below these */

/**
 * struct loft - a port, and what the fakes do and have seen
 * @test: test that runs
 * @port: port
 * @pd: device
 * @ptp: its clock
 * @txq: TX queue with a ring
 * @qstats: counters of the ets qdisc
 * @log: calls of the fakes
 * @tc: settings that were set last
 * @stats: counters
 * @gets: queries of @stats that have not ended
 * @gone: the device does not answer
 * @red_drops: of red qdiscs, since the last call
 * @what: what was refused
 * @reason: why
 * @err: the error
 */
struct loft {
	struct kunit *test;
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_ptp *ptp;
	struct parq_txq txq;
	struct gnet_stats_queue qstats;
	struct parq_call_log log;
	struct parq_tc tc;
	struct parq_stats stats;
	int gets;
	bool gone;
	u64 red_drops;
	char what[48];
	char reason[PARQ_REASON_LEN];
	int err;
};

static struct loft *loft;

/* ---- fakes ---------------------------------------------------------------- */

#define loft_call(...)	parq_call_log_addf(&loft->log, " ", __VA_ARGS__)

int parq_ets_tc_set(struct parq_port *port, enum parq_ets_user user, const struct parq_tc *tc)
{
	loft->tc = *tc;
	return loft_call("set%u", user);
}

void parq_ets_tc_clear(struct parq_port *port, enum parq_ets_user user)
{
	loft_call("clear%u", user);
}

const struct parq_stats *parq_stats_get(struct parq_port *port)
{
	if (loft->gone)
		return ERR_PTR(-ENODEV);
	loft->gets++;
	return &loft->stats;
}

void parq_stats_put(struct parq_port *port)
{
	loft->gets--;
}

int parq_red_setup(struct parq_port *port, struct tc_red_qopt_offload *qopt)
{
	return loft_call("red:%x", qopt->parent);
}

void parq_red_ets(struct parq_port *port, u32 handle, unsigned int bands)
{
	loft_call("red-ets:%x,%u", handle, bands);
}

u64 parq_red_ets_drops(struct parq_port *port)
{
	u64 drops = loft->red_drops;

	loft->red_drops = 0;
	return drops;
}

void parq_red_graft(struct parq_port *port, unsigned int band, u32 child)
{
	loft_call("graft:%u,%x", band, child);
}

void parq_red_clear(struct parq_port *port)
{
	loft_call("red-clear");
}

int parq_tbf_setup(struct parq_port *port, struct tc_tbf_qopt_offload *qopt, bool nested)
{
	return loft_call("tbf%u:%x%s", qopt->command, qopt->parent, nested ? "+" : "");
}

void parq_tbf_graft(struct parq_port *port, unsigned int slot, u32 child)
{
	loft_call("tbf-graft:%u,%x", slot, child);
}

void parq_tbf_clear(struct parq_port *port)
{
	loft_call("tbf-clear");
}

void parq_ring_tx_need(const struct parq_txq *q, struct parq_tx_ring *ring)
{
	KUNIT_EXPECT_PTR_EQ(loft->test, q, (const struct parq_txq *)&loft->txq);
	KUNIT_EXPECT_PTR_EQ(loft->test, ring, q->ring);
	KUNIT_EXPECT_NE(loft->test, q->nq->xmit_lock_owner, -1);
	loft_call("need");
}

int parq_flower_setup(struct parq_port *port, struct flow_block_offload *block)
{
	return loft_call("flower");
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	strscpy(loft->what, what, sizeof(loft->what));
	strscpy(loft->reason, reason, sizeof(loft->reason));
	loft->err = err;
	return err;
}

/* ---- requests ------------------------------------------------------------- */

static int setup(enum tc_setup_type type, void *data)
{
	return parq_tc_setup(loft->port->netdev, type, data);
}

/* Two classes of half the priorities each; the second one has the queues from @offset on. */
static int mqprio_set(unsigned int offset, u8 *hw)
{
	struct tc_mqprio_qopt_offload mqprio = { .qopt = {
		.num_tc = 2, .prio_tc_map = { 0, 0, 0, 0, 1, 1, 1, 1 },
		.count = { 4, 4 }, .offset = { 0, offset } } };
	int err = setup(TC_SETUP_QDISC_MQPRIO, &mqprio);

	*hw = mqprio.qopt.hw;
	return err;
}

static int mqprio_destroy(void)
{
	struct tc_mqprio_qopt_offload mqprio = {};

	return setup(TC_SETUP_QDISC_MQPRIO, &mqprio);
}

static int ets_replace(u32 handle, u32 parent, unsigned int bands)
{
	struct tc_ets_qopt_offload ets = {
		.command = TC_ETS_REPLACE, .handle = handle, .parent = parent,
		.replace_params = { .bands = bands, .quanta = { 1, 1, 1, 1, 1, 1, 1, 1 },
				    .qstats = &loft->qstats },
	};

	return setup(TC_SETUP_QDISC_ETS, &ets);
}

static int ets_command(u32 handle, enum tc_ets_command command)
{
	struct tc_ets_qopt_offload ets = { .command = command, .handle = handle };

	return setup(TC_SETUP_QDISC_ETS, &ets);
}

static int ets_stats(u32 handle, struct gnet_stats_queue *qstats)
{
	struct tc_ets_qopt_offload ets = {
		.command = TC_ETS_STATS, .handle = handle, .stats.qstats = qstats };

	return setup(TC_SETUP_QDISC_ETS, &ets);
}

static int etf(int queue, bool enable)
{
	struct tc_etf_qopt_offload qopt = { .queue = queue, .enable = enable };

	return setup(TC_SETUP_QDISC_ETF, &qopt);
}

static void dropped(unsigned int prio, u64 frames)
{
	loft->stats.prio[prio].tx_drop = cpu_to_le64(frames);
}

static void expect_calls(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &loft->log, calls);
}

static void expect_refused(struct kunit *test, const char *what, const char *reason, int err)
{
	KUNIT_EXPECT_STREQ(test, loft->what, what);
	KUNIT_EXPECT_STREQ(test, loft->reason, reason);
	KUNIT_EXPECT_EQ(test, loft->err, err);
	loft->what[0] = 0;
}

static int loft_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mq(sizeof(struct parq_port), LOFT_QUEUES);

	loft = kunit_kzalloc(test, sizeof(*loft), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, loft);
	loft->ptp = kunit_kzalloc(test, sizeof(*loft->ptp), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, loft->ptp);
	loft->test = test;
	loft->port = netdev_priv(dev);
	loft->port->netdev = dev;
	loft->port->pd = &loft->pd;
	loft->port->num_chans = LOFT_CHANS;
	loft->txq.nq = netdev_get_tx_queue(dev, LOFT_QUEUES - 1);
	rtnl_lock();
	return 0;
}

static void loft_exit(struct kunit *test)
{
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, loft->gets, 0);
	free_netdev(loft->port->netdev);
}

/* ---- cases: mqprio -------------------------------------------------------- */

static void mqprio_is_offloaded(struct kunit *test)
{
	struct net_device *dev = loft->port->netdev;
	u8 hw = 0;

	KUNIT_EXPECT_EQ(test, mqprio_set(12, &hw), 0);
	expect_calls(test, " set0");
	KUNIT_EXPECT_EQ(test, loft->tc.parts, PARQ_TC_MAP);
	KUNIT_EXPECT_EQ(test, loft->tc.prio_tc[7], 1);
	KUNIT_EXPECT_EQ(test, loft->tc.queues, 16);
	KUNIT_EXPECT_EQ(test, hw, TC_MQPRIO_HW_OFFLOAD_TCS);
	KUNIT_EXPECT_EQ(test, netdev_get_num_tc(dev), 2);
	KUNIT_EXPECT_EQ(test, dev->tc_to_txq[0].count, 4);
	KUNIT_EXPECT_EQ(test, dev->tc_to_txq[1].count, 4);
	KUNIT_EXPECT_EQ(test, dev->tc_to_txq[1].offset, 12);
	/* Another one replaces it. The old one is destroyed last. */
	KUNIT_EXPECT_EQ(test, mqprio_set(4, &hw), 0);
	expect_calls(test, " set0");
	KUNIT_EXPECT_EQ(test, dev->tc_to_txq[1].offset, 4);
	KUNIT_EXPECT_EQ(test, mqprio_destroy(), 0);
	expect_calls(test, "");
	KUNIT_EXPECT_EQ(test, netdev_get_num_tc(dev), 2);
	KUNIT_EXPECT_EQ(test, mqprio_destroy(), 0);
	expect_calls(test, " clear0");
	KUNIT_EXPECT_EQ(test, netdev_get_num_tc(dev), 0);
	/* The end of one that was refused. */
	KUNIT_EXPECT_EQ(test, mqprio_destroy(), 0);
	expect_calls(test, " clear0");
	KUNIT_EXPECT_EQ(test, loft->port->mqprios, 0);
	KUNIT_EXPECT_STREQ(test, loft->what, "");
}

static void mqprio_is_refused(struct kunit *test)
{
	u8 hw;

	/* Queues of removed channels do not count. */
	loft->port->num_chans = 1;
	KUNIT_EXPECT_EQ(test, mqprio_set(12, &hw), -EINVAL);
	expect_refused(test, "qdisc mqprio", "queues 4@12 of TC 1: some of 0..7 are needed",
		       -EINVAL);
	expect_calls(test, "");
	loft->log.fails = "set0";
	KUNIT_EXPECT_EQ(test, mqprio_set(4, &hw), -EIO);
	expect_refused(test, "qdisc mqprio", "", -EIO);
	expect_calls(test, " set0");
	KUNIT_EXPECT_EQ(test, hw, 0);
	KUNIT_EXPECT_EQ(test, loft->port->mqprios, 0);
	KUNIT_EXPECT_EQ(test, netdev_get_num_tc(loft->port->netdev), 0);
}

/* ---- cases: ets ----------------------------------------------------------- */

static void ets_is_offloaded(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	expect_calls(test, " set1 red-ets:10000,3");
	KUNIT_EXPECT_EQ(test, loft->tc.parts, PARQ_TC_MAP | PARQ_TC_SHARES);
	/* The band with the highest precedence is the first. */
	KUNIT_EXPECT_EQ(test, loft->tc.prio_tc[0], 2);
	KUNIT_EXPECT_EQ(test, loft->port->ets_handle, ETS_A);
	/* Another one replaces it. The end of the old one is none. */
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 8), 0);
	expect_calls(test, " set1 red-ets:ffff0000,8");
	KUNIT_EXPECT_EQ(test, ets_command(ETS_A, TC_ETS_DESTROY), -EOPNOTSUPP);
	expect_calls(test, "");
	KUNIT_EXPECT_EQ(test, ets_command(ETS_B, TC_ETS_DESTROY), 0);
	expect_calls(test, " clear1 red-ets:0,0");
	KUNIT_EXPECT_EQ(test, loft->port->ets_handle, 0);
	KUNIT_EXPECT_EQ(test, ets_command(ETS_B, TC_ETS_DESTROY), -EOPNOTSUPP);
	expect_calls(test, "");
	KUNIT_EXPECT_STREQ(test, loft->what, "");
}

static void children_of_ets(struct kunit *test)
{
	struct tc_ets_qopt_offload graft = {
		.command = TC_ETS_GRAFT, .handle = ETS_A,
		.graft_params = { .band = 7, .child_handle = 0x50000 },
	};

	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_QDISC_ETS, &graft), -EOPNOTSUPP);
	expect_calls(test, "");
	loft->port->ets_handle = ETS_A;
	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_QDISC_ETS, &graft), 0);
	expect_calls(test, " tbf-graft:7,50000 graft:7,50000");
	KUNIT_EXPECT_EQ(test, ets_command(ETS_A, TC_ETS_GRAFT + 1), -EOPNOTSUPP);
}

/* It counts from its offload on, or from the last query on. */
static void ets_counts(struct kunit *test)
{
	struct gnet_stats_queue qstats = { .drops = 1000 };
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		dropped(prio, 1 << prio);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1000U);
	dropped(0, 3);
	dropped(7, 138);
	loft->red_drops = 100;
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1112U);
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1112U);
	/* The same qdisc gets other settings, for which the device need not answer. */
	dropped(0, 8);
	loft->gone = true;
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 4), 0);
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1112U);
	loft->gone = false;
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1117U);
	/* Another one begins to count. */
	dropped(0, 20);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 3), 0);
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_B, &qstats), 0);
	KUNIT_EXPECT_EQ(test, qstats.drops, 1117U);
	KUNIT_EXPECT_EQ(test, qstats.overlimits, 0U);
	KUNIT_EXPECT_EQ(test, ets_stats(ETS_A, &qstats), -EOPNOTSUPP);
}

/* A root whose offload ends keeps its drops. One that is being destroyed is not the root. */
static void end_of_offload(struct kunit *test)
{
	parq_tc_clear(loft->port);
	expect_calls(test, " red-clear tbf-clear clear1 red-ets:0,0");
	dropped(3, 7);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	dropped(3, 12);
	expect_calls(test, " set1 red-ets:10000,3");
	parq_tc_clear(loft->port);
	expect_calls(test, " red-clear tbf-clear clear1 red-ets:0,0");
	KUNIT_EXPECT_EQ(test, loft->qstats.drops, 5U);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 3), 0);
	dropped(3, 20);
	KUNIT_EXPECT_EQ(test, ets_command(ETS_B, TC_ETS_DESTROY), 0);
	KUNIT_EXPECT_EQ(test, loft->qstats.drops, 13U);
	/* There is none. */
	dropped(3, 30);
	parq_tc_clear(loft->port);
	KUNIT_EXPECT_EQ(test, loft->qstats.drops, 13U);
}

static void ets_is_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, ETS_B + 2, 3), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc ets 1",
		       "parent ffff:2 is not the root, nor an offloaded tbf there", -EOPNOTSUPP);
	loft->gone = true;
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 3), -ENODEV);
	expect_refused(test, "offload of qdisc ets ffff", "", -ENODEV);
	loft->gone = false;
	expect_calls(test, "");
	loft->log.fails = "set1";
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), -EIO);
	expect_refused(test, "offload of qdisc ets 1", "", -EIO);
	expect_calls(test, " set1");
	KUNIT_EXPECT_EQ(test, loft->port->ets_handle, 0);
	/* It has been offloaded with other settings. */
	loft->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	expect_calls(test, " set1 red-ets:10000,3");
	dropped(0, 6);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 9), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc ets ffff", "bands 9 is not in 1..8", -EOPNOTSUPP);
	expect_calls(test, "");
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 9), -EOPNOTSUPP);
	expect_calls(test, " clear1 red-ets:0,0");
	KUNIT_EXPECT_EQ(test, loft->qstats.drops, 6U);
}

/* Prio is ets with strict bands alone, and has its own name. */
static void prio_is_offloaded(struct kunit *test)
{
	struct tc_prio_qopt_offload prio = {
		.command = TC_PRIO_REPLACE, .handle = ETS_A, .parent = TC_H_ROOT,
		.replace_params = { .bands = 3, .priomap = { 0, 1, 2 } },
	};

	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_QDISC_PRIO, &prio), 0);
	expect_calls(test, " set1 red-ets:10000,3");
	KUNIT_EXPECT_STREQ(test, loft->tc.qdisc, "prio");
	KUNIT_EXPECT_EQ(test, loft->tc.prio_tc[0], 2);
	KUNIT_EXPECT_EQ(test, loft->tc.prio_tc[2], 0);
	KUNIT_EXPECT_EQ(test, loft->port->ets_bands, 3);
	prio.replace_params.bands = 9;
	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_QDISC_PRIO, &prio), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc prio 1", "bands 9 is not in 1..8", -EOPNOTSUPP);
	expect_calls(test, " clear1 red-ets:0,0");
	KUNIT_EXPECT_EQ(test, loft->port->ets_bands, 0);
}

/* Limits of tbf qdiscs come with the bands. */
static void bands_have_limits(struct kunit *test)
{
	loft->port->tbf.slot[2] = (struct parq_tbf_slot){
		.handle = TBF, .parent = ETS_A | 3, .kbit = 20000 };
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	KUNIT_EXPECT_EQ(test, loft->tc.maxrate[0], 20000ULL);
	KUNIT_EXPECT_EQ(test, loft->tc.maxrate[1], 0ULL);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_B, TC_H_ROOT, 3), 0);
	KUNIT_EXPECT_EQ(test, loft->tc.maxrate[0], 0ULL);
}

/* @other: the parent, or the child that is grafted */
static int red_request(enum tc_red_command command, u32 handle, u32 other)
{
	struct tc_red_qopt_offload red = { .command = command, .handle = handle, .parent = other };

	if (command == TC_RED_GRAFT)
		red.child_handle = other;
	return setup(TC_SETUP_QDISC_RED, &red);
}

static int tbf_request(enum tc_tbf_command command, u32 handle, u32 other)
{
	struct tc_tbf_qopt_offload tbf = { .command = command, .handle = handle, .parent = other };

	if (command == TC_TBF_GRAFT)
		tbf.child_handle = other;
	return setup(TC_SETUP_QDISC_TBF, &tbf);
}

static int fifo_request(enum tc_fifo_command command, u32 parent)
{
	struct tc_fifo_qopt_offload fifo = { .command = command, .parent = parent };

	return setup(TC_SETUP_QDISC_FIFO, &fifo);
}

/* A tbf at the root limits what the bands send, and one below that does. Nothing is below a red. */
static void bands_below_tbf(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF_ROOT, TC_H_ROOT), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, TBF_ROOT | 1), 0);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TBF_ROOT | 1, 3), 0);
	KUNIT_EXPECT_EQ(test, loft->port->ets_bands, 3);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TBF | 1, 4), 0);
	KUNIT_EXPECT_EQ(test, loft->port->ets_bands, 4);
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, RED, TBF | 1), 0);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, RED | 1, 3), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc ets 1",
		       "parent 4:1 is not the root, nor an offloaded tbf there", -EOPNOTSUPP);
}

/* Qdiscs below each other, in a band: one of each kind, in any order. */
static void chains_of_bands(struct kunit *test)
{
	unsigned int minor;

	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 8), 0);
	expect_calls(test, " set1 red-ets:10000,8");
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, RED, ETS_A | 3), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	expect_calls(test, " red:10003 tbf0:10003");
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, LOWER, TBF | 1), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, LOWER, TBF | 1), 0);
	expect_calls(test, " red:30001 tbf0:30001+");
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_STATS, RED, 0), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_STATS, TBF, 0), 0);
	expect_calls(test, " red:0 tbf2:0");
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, RED, TBF), 0);
	expect_calls(test, " tbf-graft:2,30000");
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_GRAFT, TBF, LOWER), 0);
	expect_calls(test, "");
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_GRAFT, 0x90000, LOWER), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, 0x90000, LOWER), -EOPNOTSUPP);
	/* What is below a tbf that fails has no place, whatever class of it that is. */
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, ETS_A | 1), 0);
	expect_calls(test, " tbf0:10001");
	loft->log.fails = "tbf0:10001";
	for (minor = 0; minor < 100; minor++) {
		KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, LOWER, TBF | minor), 0);
		KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, LOWER, 0x90000), 0);
		loft->log.text[0] = 0;
		KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, ETS_A | 1), -EIO);
		KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, LOWER, 0x90000), -EOPNOTSUPP);
		expect_calls(test, " tbf0:10001");
		loft->log.fails = NULL;
		KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, ETS_A | 1), 0);
		loft->log.fails = "tbf0:10001";
		loft->log.text[0] = 0;
	}
	loft->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	expect_calls(test, " tbf0:10003");
	/* What is below a red that ends, or fails, has no place. */
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_DESTROY, RED, 0), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	expect_calls(test, " red:0 tbf0:40001");
	loft->log.fails = "red:10003";
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, RED, ETS_A | 3), -EIO);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	expect_calls(test, " red:10003 tbf0:40001");
}

/* At the root there may be two tbf qdiscs. */
static void chains_of_root(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF_ROOT, TC_H_ROOT), 0);
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, RED, TBF_ROOT | 1), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, LOWER, TBF | 1), 0);
	expect_calls(test, " tbf0:ffffffff red:ffffffff tbf0:ffffffff+ tbf0:30001+");
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_GRAFT, TBF_ROOT, RED), 0);
	expect_calls(test, " graft:8,40000 tbf-graft:9,40000");
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, RED, TBF), 0);
	expect_calls(test, " tbf-graft:9,30000");
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_GRAFT, TBF, LOWER), 0);
	expect_calls(test, "");
	/* A red at the root has a tbf below it in the first place. */
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_REPLACE, RED, TC_H_ROOT), 0);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, RED | 1), 0);
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, RED, TBF), 0);
	expect_calls(test, " red:ffffffff tbf0:ffffffff tbf-graft:8,30000 tbf-graft:9,30000");
	parq_tc_clear(loft->port);
	KUNIT_EXPECT_EQ(test, red_request(TC_RED_GRAFT, RED, TBF), -EOPNOTSUPP);
}

/* Each class is a fifo, wherever the qdisc is. */
static void fifos_are_classes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, TC_H_ROOT), -EOPNOTSUPP);
	/* That it is there is all that matters. */
	loft->pd.sw = kunit_kzalloc(test, 1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, loft->pd.sw);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_REPLACE, ETS_A | 3), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, TC_H_ROOT), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, ETS_A | 3), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, 3), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ets_replace(ETS_A, TC_H_ROOT, 3), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, ETS_A | 3), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, ETS_A | 4), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, ETS_A), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, ETS_B | 3), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, TBF | 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, tbf_request(TC_TBF_REPLACE, TBF, ETS_A | 2), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_STATS, TBF | 1), 0);
	KUNIT_EXPECT_EQ(test, fifo_request(TC_FIFO_DESTROY, TBF | 1), 0);
}

/* ---- cases: etf and the others -------------------------------------------- */

static void etf_is_offloaded(struct kunit *test)
{
	struct parq_port *port = loft->port;

	loft->pd.ptp = loft->ptp;
	loft->pd.caps.flags = PARQ_CAP_LAUNCH;
	KUNIT_EXPECT_EQ(test, etf(3, false), 0);
	KUNIT_EXPECT_FALSE(test, test_bit(PARQ_PORT_LAUNCHES, &port->flags));
	KUNIT_EXPECT_EQ(test, etf(0, true), 0);
	expect_calls(test, "");
	port->txq[LOFT_QUEUES - 1] = &loft->txq;
	KUNIT_EXPECT_EQ(test, etf(LOFT_QUEUES - 1, true), 0);
	expect_calls(test, " need");
	KUNIT_EXPECT_EQ(test, loft->txq.nq->xmit_lock_owner, -1);
	KUNIT_EXPECT_TRUE(test, test_bit(0, port->launch));
	KUNIT_EXPECT_TRUE(test, test_bit(LOFT_QUEUES - 1, port->launch));
	KUNIT_EXPECT_EQ(test, bitmap_weight(port->launch, PARQ_MAX_TXQ), 2);
	/* Frames of the ring may still have launch times. */
	KUNIT_EXPECT_EQ(test, etf(0, false), 0);
	KUNIT_EXPECT_EQ(test, etf(LOFT_QUEUES - 1, false), 0);
	expect_calls(test, " need");
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->launch, PARQ_MAX_TXQ));
	KUNIT_EXPECT_TRUE(test, test_bit(PARQ_PORT_LAUNCHES, &port->flags));
	KUNIT_EXPECT_STREQ(test, loft->what, "");
}

static void etf_is_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etf(0, true), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc etf, TX queue 0", "the NIC has no launch times",
		       -EOPNOTSUPP);
	loft->pd.caps.flags = PARQ_CAP_LAUNCH;
	KUNIT_EXPECT_EQ(test, etf(0, true), -EOPNOTSUPP);
	expect_refused(test, "offload of qdisc etf, TX queue 0", "there is no PTP clock",
		       -EOPNOTSUPP);
	loft->pd.ptp = loft->ptp;
	KUNIT_EXPECT_EQ(test, etf(-1, true), -EINVAL);
	expect_refused(test, "offload of qdisc etf, TX queue -1", "no such queue", -EINVAL);
	KUNIT_EXPECT_EQ(test, etf(LOFT_QUEUES, true), -EINVAL);
	expect_refused(test, "offload of qdisc etf, TX queue 16", "no such queue", -EINVAL);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(loft->port->launch, PARQ_MAX_TXQ));
	KUNIT_EXPECT_EQ(test, loft->port->flags, 0UL);
}

static void other_requests(struct kunit *test)
{
	struct tc_query_caps_base query = { .type = TC_SETUP_QDISC_ETS };
	u64 caps = 0;

	query.caps = &caps;
	KUNIT_EXPECT_EQ(test, setup(TC_QUERY_CAPS, &query), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, caps, 0ULL);
	query.type = TC_SETUP_QDISC_MQPRIO;
	KUNIT_EXPECT_EQ(test, setup(TC_QUERY_CAPS, &query), 0);
	/* The stack is to check numbers of queues. */
	KUNIT_EXPECT_NE(test, caps, 0ULL);
	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_BLOCK, NULL), 0);
	expect_calls(test, " flower");
	KUNIT_EXPECT_EQ(test, setup(TC_SETUP_QDISC_CBS, NULL), -EOPNOTSUPP);
	expect_calls(test, "");
}

static struct kunit_case loft_cases[] = {
	KUNIT_CASE(mqprio_is_offloaded),
	KUNIT_CASE(mqprio_is_refused),
	KUNIT_CASE(ets_is_offloaded),
	KUNIT_CASE(children_of_ets),
	KUNIT_CASE(ets_counts),
	KUNIT_CASE(end_of_offload),
	KUNIT_CASE(ets_is_refused),
	KUNIT_CASE(prio_is_offloaded),
	KUNIT_CASE(bands_have_limits),
	KUNIT_CASE(bands_below_tbf),
	KUNIT_CASE(chains_of_bands),
	KUNIT_CASE(chains_of_root),
	KUNIT_CASE(fifos_are_classes),
	KUNIT_CASE(etf_is_offloaded),
	KUNIT_CASE(etf_is_refused),
	KUNIT_CASE(other_requests),
	{}
};

static struct kunit_suite loft_suite = {
	.name = "parq_ets_tc",
	.init = loft_init,
	.exit = loft_exit,
	.test_cases = loft_cases,
};

kunit_test_suite(loft_suite);

MODULE_DESCRIPTION("KUnit suite of the offload of qdiscs");
MODULE_LICENSE("GPL");
