// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of DCB netlink: IEEE 802.1Qaz and 802.1Qbb settings and receive buffers, over fakes
 * of what applies them, and what the port says it can do.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "parq_dcb_fake.h"

#define ALL_ONES	0xff

/* ---- Bandwidth, PFC, buffers ---------------------------------------------- */

static void ets_changes(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);
	struct ieee_ets ets, now;

	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getets(dev, &ets), 0);
	KUNIT_EXPECT_MEMEQ(test, &ets, &quay->port[0]->ets.dcb, sizeof(ets));
	KUNIT_EXPECT_EQ(test, ets.ets_cap, PARQ_NUM_TC);
	ets.prio_tc[0] = 3;
	ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	ets.tc_tx_bw[0] = 100;
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setets(dev, &ets), 0);
	quay_expect(test, " ( ets ) IEEE:0,0>3,100");
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getets(dev, &now), 0);
	KUNIT_EXPECT_MEMEQ(test, &now, &ets, sizeof(ets));
	KUNIT_EXPECT_EQ(test, quay->port[1]->ets.dcb.prio_tc[0], 0);
}

/* What the check refuses does not reach the device. */
static void ets_is_refused(struct kunit *test)
{
	struct ieee_ets ets = { .ets_cap = PARQ_NUM_TC, .prio_tc = { 1 } };
	struct net_device *dev = quay_dev(0);

	ets.prio_tc[7] = 8;
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setets(dev, &ets), -EINVAL);
	quay_refused(test, "ETS", "prio-tc of priority 7: traffic class 8 is not in 0..7", -EINVAL);
	quay_expect(test, "");
	ets.prio_tc[7] = 7;
	quay->log.fails = "ets";
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setets(dev, &ets), -EIO);
	quay_refused(test, "ETS", "no ets", -EIO);
	quay_expect(test, " ( ets )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.dcb.prio_tc[0], 0);
}

static void rate_limits(struct kunit *test)
{
	struct ieee_maxrate rate = { .tc_maxrate = { [0] = 1000, [7] = 2000 } }, now = {};
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setmaxrate(dev, &rate), 0);
	quay_expect(test, " ( maxrate )");
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getmaxrate(dev, &now), 0);
	KUNIT_EXPECT_MEMEQ(test, &now, &rate, sizeof(rate));
	quay->log.fails = "maxrate";
	rate.tc_maxrate[7] = 1;
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setmaxrate(dev, &rate), -EIO);
	quay_refused(test, "maxrate", "no maxrate", -EIO);
	quay_expect(test, " ( maxrate )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.maxrate[7], 2000ULL);
}

/* A query gives the counters that were read last: it does not wait for the device. */
static void pfc_is_shown(struct kunit *test)
{
	struct ieee_pfc pfc;
	unsigned int prio;

	quay->port[0]->pfc.en = 0x81;
	quay->port[0]->pfc.mbc = 1;
	quay->port[0]->pfc.delay = 77;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		quay->stats.prio[prio].tx_pause = cpu_to_le64(10 + prio);
		quay->stats.prio[prio].rx_pause = cpu_to_le64(20 + prio);
	}
	memset(&pfc, ALL_ONES, sizeof(pfc));
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getpfc(quay_dev(0), &pfc), 0);
	quay_expect(test, " stats put");
	KUNIT_EXPECT_EQ(test, pfc.pfc_cap, PARQ_NUM_PRIO);
	KUNIT_EXPECT_EQ(test, pfc.pfc_en, 0x81);
	KUNIT_EXPECT_EQ(test, pfc.mbc, 1);
	KUNIT_EXPECT_EQ(test, pfc.delay, 77);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		KUNIT_EXPECT_EQ(test, pfc.requests[prio], 10ULL + prio);
		KUNIT_EXPECT_EQ(test, pfc.indications[prio], 20ULL + prio);
	}
}

static void pfc_changes(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = 0x90, .mbc = 1, .delay = 5 };
	struct net_device *dev = quay_dev(0);

	quay->port[0]->pfc.en = 0x08;
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setpfc(dev, &pfc), 0);
	quay_expect(test, " ( pfc=90,1,5 ) IEEE:08>90");
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	pfc.pfc_en = 0x01;
	quay->log.fails = "pfc=01,1,5";
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_setpfc(dev, &pfc), -EIO);
	quay_refused(test, "PFC", "no pfc", -EIO);
	quay_expect(test, " ( pfc=01,1,5 )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->pfc.en, 0x90);
}

/* They take the ops lock themselves. */
static void buffer_sizes(struct kunit *test)
{
	struct dcbnl_buffer buffer = { .prio2buffer = { 1, 2 }, .buffer_size = { 3, 4 },
				       .total_size = 5 }, now = {};
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->dcbnl_setbuffer(dev, &buffer), 0);
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	KUNIT_EXPECT_EQ(test, quay->ops->dcbnl_getbuffer(dev, &now), 0);
	KUNIT_EXPECT_MEMEQ(test, &now, &buffer, sizeof(buffer));
	quay_expect(test, " buffers");
	quay->log.fails = "buffers";
	KUNIT_EXPECT_EQ(test, quay->ops->dcbnl_setbuffer(dev, &buffer), -EIO);
	quay_refused(test, "buffers", "no buffers", -EIO);
}

/* ---- What there is -------------------------------------------------------- */

static void permanent_address(struct kunit *test)
{
	static const u8 perm[ETH_ALEN] = { 2, 3, 4, 5, 6, 7 };
	struct net_device *dev = quay_dev(0);
	u8 addr[MAX_ADDR_LEN + 1];

	memset(addr, ALL_ONES, sizeof(addr));
	ether_addr_copy(dev->perm_addr, perm);
	quay->ops->getpermhwaddr(dev, addr);
	KUNIT_EXPECT_MEMEQ(test, addr, perm, ETH_ALEN);
	KUNIT_EXPECT_NULL(test, memchr_inv(addr + ETH_ALEN, 0, MAX_ADDR_LEN - ETH_ALEN));
	KUNIT_EXPECT_EQ(test, addr[MAX_ADDR_LEN], ALL_ONES);
}

static void capabilities(struct kunit *test)
{
	static const struct {
		int id;
		u8 cap;
	} caps[] = {
		{ DCB_CAP_ATTR_ALL, 0 },
		{ DCB_CAP_ATTR_PG, 1 },
		{ DCB_CAP_ATTR_PFC, 1 },
		{ DCB_CAP_ATTR_UP2TC, 1 },
		/* Eight classes. */
		{ DCB_CAP_ATTR_PG_TCS, 0x80 },
		{ DCB_CAP_ATTR_PFC_TCS, 0x80 },
		{ DCB_CAP_ATTR_GSP, 0 },
		{ DCB_CAP_ATTR_BCN, 0 },
		{ DCB_CAP_ATTR_DCBX, DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE |
				     DCB_CAP_DCBX_VER_IEEE },
		{ DCB_CAP_ATTR_MAX + 1, 0 },
	};
	unsigned int i;
	u8 cap;

	for (i = 0; i < ARRAY_SIZE(caps); i++) {
		cap = ALL_ONES;
		KUNIT_EXPECT_EQ(test, quay->ops->getcap(quay_dev(0), caps[i].id, &cap), 0);
		KUNIT_EXPECT_EQ_MSG(test, cap, caps[i].cap, "attribute %d", caps[i].id);
	}
	KUNIT_EXPECT_EQ(test, quay->ops->getdcbx(quay_dev(0)),
			DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE);
}

static void numbers_of_classes(struct kunit *test)
{
	static const int ids[] = { DCB_NUMTCS_ATTR_PG, DCB_NUMTCS_ATTR_PFC };
	struct net_device *dev = quay_dev(0);
	unsigned int i;
	u8 num;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		KUNIT_EXPECT_EQ(test, quay->ops->getnumtcs(dev, ids[i], &num), 0);
		KUNIT_EXPECT_EQ(test, num, PARQ_NUM_TC);
		KUNIT_EXPECT_EQ(test, quay->ops->setnumtcs(dev, ids[i], 8), 0);
		KUNIT_EXPECT_EQ(test, quay->ops->setnumtcs(dev, ids[i], 7), -EINVAL);
		KUNIT_EXPECT_EQ(test, quay->ops->setnumtcs(dev, ids[i], 9), -EINVAL);
	}
	num = ALL_ONES;
	KUNIT_EXPECT_EQ(test, quay->ops->getnumtcs(dev, DCB_NUMTCS_ATTR_ALL, &num), -EINVAL);
	KUNIT_EXPECT_EQ(test, num, 0);
	KUNIT_EXPECT_EQ(test, quay->ops->setnumtcs(dev, DCB_NUMTCS_ATTR_MAX + 1, 0), -EINVAL);
}

static struct kunit_case dcbnl_cases[] = {
	KUNIT_CASE(ets_changes),
	KUNIT_CASE(ets_is_refused),
	KUNIT_CASE(rate_limits),
	KUNIT_CASE(pfc_is_shown),
	KUNIT_CASE(pfc_changes),
	KUNIT_CASE(buffer_sizes),
	KUNIT_CASE(permanent_address),
	KUNIT_CASE(capabilities),
	KUNIT_CASE(numbers_of_classes),
	{}
};

static struct kunit_suite dcbnl_suite = {
	.name = "parq_dcbnl",
	.init = quay_init,
	.exit = quay_exit,
	.test_cases = dcbnl_cases,
};

kunit_test_suite(dcbnl_suite);

MODULE_DESCRIPTION("KUnit suites of DCB netlink");
MODULE_LICENSE("GPL");
