// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of CEE over DCB netlink: what is staged, what a commit changes and in which order,
 * and what a refusal leaves. parq_dcbnl_cee_calc_test.c has the arithmetic.
 */
#include <kunit/test.h>

#include "parq_dcb_fake.h"

#define UNCHANGED	1
#define CHANGED		2
#define KEEP		PARQ_CEE_KEEP
#define BAD_INDEX	"a priority, traffic class or group is not in 0..7"
#define ON_ERROR	(DCB_FEATCFG_ENABLE | DCB_FEATCFG_ERROR)

static int cee_init(struct kunit *test)
{
	int err = quay_init(test);

	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(quay_dev(0), PARQ_DCBX_CEE), 0);
	return err;
}

/* Classes 0 and 7: groups 0 and 7, priorities 1 to 7 and 0, @pct and the rest of 100 %. */
static void stage_groups(u8 pct)
{
	struct net_device *dev = quay_dev(0);

	quay->ops->setpgtccfgtx(dev, 0, 0, 0, 100, 0xfe);
	quay->ops->setpgtccfgtx(dev, 7, 0, 7, 100, 0x01);
	quay->ops->setpgbwgcfgtx(dev, 0, 100 - pct);
	quay->ops->setpgbwgcfgtx(dev, 7, pct);
}

static u8 commit(void)
{
	return quay->ops->setall(quay_dev(0));
}

static u8 feature(int id)
{
	u8 flags = 0xff;

	return quay->ops->getfeatcfg(quay_dev(0), id, &flags) ? 0xff : flags;
}

static struct parq_cee_tc class(bool rx, int tc)
{
	struct net_device *dev = quay_dev(0);
	struct parq_cee_tc t;

	if (rx)
		quay->ops->getpgtccfgrx(dev, tc, &t.strict, &t.pgid, &t.pct, &t.up_map);
	else
		quay->ops->getpgtccfgtx(dev, tc, &t.strict, &t.pgid, &t.pct, &t.up_map);
	return t;
}

static void expect_class(struct kunit *test, bool rx, int tc, struct parq_cee_tc want)
{
	struct parq_cee_tc is = class(rx, tc);

	KUNIT_EXPECT_EQ(test, is.strict, want.strict);
	KUNIT_EXPECT_EQ(test, is.pgid, want.pgid);
	KUNIT_EXPECT_EQ(test, is.pct, want.pct);
	KUNIT_EXPECT_EQ(test, is.up_map, want.up_map);
}

static u8 group_tx(int pgid)
{
	u8 pct = 0xff;

	quay->ops->getpgbwgcfgtx(quay_dev(0), pgid, &pct);
	return pct;
}

static u8 group_rx(int pgid)
{
	u8 pct = 0xff;

	quay->ops->getpgbwgcfgrx(quay_dev(0), pgid, &pct);
	return pct;
}

static u8 pfc_of(int prio)
{
	u8 setting = 0xff;

	quay->ops->getpfccfg(quay_dev(0), prio, &setting);
	return setting;
}

/* ---- Staging -------------------------------------------------------------- */

static void ieee_mode_ignores_cee(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, PARQ_DCBX_IEEE), 0);
	stage_groups(60);
	quay->ops->setpgtccfgtx(dev, 8, 0, 0, 0, 0);
	quay->ops->setpgbwgcfgtx(dev, 8, 0);
	quay->ops->setpfccfg(dev, 3, 1);
	quay->ops->setpfccfg(dev, 8, 1);
	quay->ops->setpfcstate(dev, 1);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, PARQ_DCBX_CEE), 0);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	quay_expect(test, "");
}

static void groups_are_committed(struct kunit *test)
{
	const struct ieee_ets *ets = &quay->port[0]->ets.dcb;

	stage_groups(60);
	/* What is staged is not shown yet. */
	KUNIT_EXPECT_EQ(test, group_tx(7), 0);
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( ets ) CEE:00>00 CEE:0,0>7,40");
	KUNIT_EXPECT_EQ(test, ets->prio_tc[0], 7);
	KUNIT_EXPECT_EQ(test, ets->prio_tc[7], 0);
	KUNIT_EXPECT_EQ(test, ets->tc_tx_bw[7], 60);
	KUNIT_EXPECT_EQ(test, ets->tc_tsa[7], IEEE_8021QAZ_TSA_ETS);
	KUNIT_EXPECT_EQ(test, group_tx(0), 40);
	KUNIT_EXPECT_EQ(test, group_tx(7), 60);
	expect_class(test, false, 0, (struct parq_cee_tc){ 0, 0, 100, 0xfe });
	expect_class(test, false, 7, (struct parq_cee_tc){ 0, 7, 100, 0x01 });
	/* Nothing is left to commit, and the same settings are no change. */
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	stage_groups(60);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	quay_expect(test, " ( ) CEE:00>00 CEE:7,40>7,40");
	/* A message that names less than all changes that only. */
	quay->ops->setpgbwgcfgtx(quay_dev(0), 7, 50);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	KUNIT_EXPECT_EQ(test, ets->tc_tx_bw[0], 44);
	KUNIT_EXPECT_EQ(test, group_tx(7), 50);
}

/* The device has no groups for reception. They are checked, and shown as they were given. */
static void groups_for_reception(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	stage_groups(60);
	quay->ops->setpgtccfgrx(dev, 0, 0, 1, 100, 0x0f);
	quay->ops->setpgtccfgrx(dev, 7, 2, 15, 0, 0xf0);
	quay->ops->setpgbwgcfgrx(dev, 0, 30);
	quay->ops->setpgbwgcfgrx(dev, 7, 70);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.dcb.prio_tc[0], 7);
	expect_class(test, true, 0, (struct parq_cee_tc){ 0, 1, 100, 0x0f });
	expect_class(test, true, 7, (struct parq_cee_tc){ 2, 15, 0, 0xf0 });
	KUNIT_EXPECT_EQ(test, group_rx(0), 30);
	KUNIT_EXPECT_EQ(test, group_rx(7), 70);
	KUNIT_EXPECT_EQ(test, group_tx(7), 60);
	quay_expect(test, " ( ets ) CEE:00>00 CEE:0,0>7,40");
	quay->ops->setpgtccfgrx(dev, 0, 3, 0, 100, 0x0f);
	quay->ops->setpgbwgcfgtx(dev, 7, 10);
	KUNIT_EXPECT_EQ(test, commit(), EINVAL);
	quay_refused(test, "CEE", "strict priority 3 of traffic class 0 is not in 0..2", -EINVAL);
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, group_tx(7), 60);
	KUNIT_EXPECT_EQ(test, class(true, 0).strict, 0);
}

/* An index that is out of range refuses all that is staged with it. */
static void indices_out_of_range(struct kunit *test)
{
	static const int bad[] = { -1, 8 };
	struct net_device *dev = quay_dev(0);
	unsigned int i, setter;

	/* What is behind the arrays is not 0. */
	quay->port[0]->pfc.en = BIT(0);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		for (setter = 0; setter < 5; setter++) {
			stage_groups(60);
			switch (setter) {
			case 0:
				quay->ops->setpgtccfgtx(dev, bad[i], 0, 0, 100, 0);
				break;
			case 1:
				quay->ops->setpgtccfgrx(dev, bad[i], 0, 0, 100, 0);
				break;
			case 2:
				quay->ops->setpgbwgcfgtx(dev, bad[i], 0);
				break;
			case 3:
				quay->ops->setpgbwgcfgrx(dev, bad[i], 0);
				break;
			default:
				quay->ops->setpfccfg(dev, bad[i], 1);
			}
			KUNIT_EXPECT_EQ(test, commit(), EINVAL);
			quay_refused(test, "CEE", BAD_INDEX, -EINVAL);
			KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
		}
		expect_class(test, false, bad[i], (struct parq_cee_tc){ KEEP, KEEP, KEEP, KEEP });
		expect_class(test, true, bad[i], (struct parq_cee_tc){ KEEP, KEEP, KEEP, KEEP });
		KUNIT_EXPECT_EQ(test, group_tx(bad[i]), 0);
		KUNIT_EXPECT_EQ(test, group_rx(bad[i]), 0);
		KUNIT_EXPECT_EQ(test, pfc_of(bad[i]), 0);
	}
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), ON_ERROR);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), ON_ERROR);
}

/* ---- PFC ------------------------------------------------------------------ */

static void pfc_is_committed(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);
	unsigned int prio;

	quay->port[0]->pfc.mbc = 1;
	quay->port[0]->pfc.delay = 9;
	/* Enabling a priority enables PFC. */
	quay->ops->setpfccfg(dev, 0, 1);
	quay->ops->setpfccfg(dev, 3, 0);
	quay->ops->setpfccfg(dev, 7, 1);
	KUNIT_EXPECT_EQ(test, quay->ops->getpfcstate(dev), 0);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=81,1,9 ) CEE:00>81 CEE:0,0>0,0");
	KUNIT_EXPECT_EQ(test, quay->ops->getpfcstate(dev), 1);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		KUNIT_EXPECT_EQ(test, pfc_of(prio), prio == 0 || prio == 7);
	/* The priorities stay while it is off. */
	quay->ops->setpfcstate(dev, 0);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=00,1,9 ) CEE:81>00 CEE:0,0>0,0");
	KUNIT_EXPECT_EQ(test, quay->ops->getpfcstate(dev), 0);
	KUNIT_EXPECT_EQ(test, pfc_of(7), 1);
	/* Disabling a priority does not enable it. */
	quay->ops->setpfccfg(dev, 0, 0);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	quay_expect(test, " ( ) CEE:00>00 CEE:0,0>0,0");
	quay->ops->setpfcstate(dev, 1);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=80,1,9 ) CEE:00>80 CEE:0,0>0,0");
	quay->ops->setpfcstate(dev, 2);
	KUNIT_EXPECT_EQ(test, commit(), EINVAL);
	quay_refused(test, "CEE", "PFC state 2 is not 0 or 1", -EINVAL);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), ON_ERROR);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), DCB_FEATCFG_ENABLE);
	quay_expect(test, "");
}

/* Both or none: PFC first, because it is the one that may find no memory. */
static void both_or_none(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	quay->port[0]->pfc.mbc = 1;
	quay->port[0]->pfc.delay = 9;
	quay->port[0]->pfc.en = 0x02;
	stage_groups(60);
	quay->ops->setpfccfg(dev, 3, 1);
	quay->log.fails = "ets";
	KUNIT_EXPECT_EQ(test, commit(), EIO);
	quay_refused(test, "CEE", "no ets", -EIO);
	quay_expect(test, " ( pfc=0a,1,9 ets pfc=02,1,9 )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->pfc.en, 0x02);
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.dcb.prio_tc[0], 0);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), ON_ERROR);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), ON_ERROR);
	/* It is not staged any more. */
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	quay_expect(test, "");
	stage_groups(60);
	KUNIT_EXPECT_EQ(test, commit(), EIO);
	quay_expect(test, " ( ets )");
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), ON_ERROR);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), DCB_FEATCFG_ENABLE);
	stage_groups(60);
	quay->ops->setpfccfg(dev, 3, 1);
	quay->log.fails = "pfc=0a,1,9";
	KUNIT_EXPECT_EQ(test, commit(), EIO);
	quay_refused(test, "CEE", "no pfc", -EIO);
	quay_expect(test, " ( pfc=0a,1,9 )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.dcb.prio_tc[0], 0);
	/* Success ends the errors. */
	quay->log.fails = NULL;
	stage_groups(60);
	quay->ops->setpfccfg(dev, 3, 1);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=0a,1,9 ets ) CEE:02>0a CEE:0,0>7,40");
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), DCB_FEATCFG_ENABLE);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), DCB_FEATCFG_ENABLE);
}

/* What is wrong with groups is the groups' error. */
static void errors_of_groups(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	stage_groups(101);
	quay->ops->setpfccfg(dev, 3, 1);
	KUNIT_EXPECT_EQ(test, commit(), EINVAL);
	quay_refused(test, "CEE", "bandwidth of priority group 0: 255% is not in 0..100%", -EINVAL);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), ON_ERROR);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), 0);
	stage_groups(60);
	quay->ops->setpfccfg(dev, 3, 2);
	KUNIT_EXPECT_EQ(test, commit(), EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), DCB_FEATCFG_ENABLE);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), DCB_FEATCFG_ERROR);
	quay_expect(test, "");
}

/* ---- State, mode and features --------------------------------------------- */

static void dcb_is_disabled(struct kunit *test)
{
	const struct ieee_ets *ets = &quay->port[0]->ets.dcb;
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 1), 0);
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 2), EINVAL);
	quay_refused(test, "DCB state", "2 is not 0 or 1", -EINVAL);
	quay_expect(test, "");
	stage_groups(60);
	quay->ops->setpfccfg(dev, 3, 1);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=08,0,0 ets ) CEE:00>08 CEE:0,0>7,40");
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 0), 0);
	quay_expect(test, " ( pfc=00,0,0 ets ) CEE:08>00 CEE:7,40>0,0");
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 0);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), 0);
	/* Once more is no change, and leaves what is kept. */
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 0), 0);
	/* What is staged now changes a part of the old settings, and waits. */
	quay->ops->setpgbwgcfgtx(dev, 7, 50);
	quay->ops->setpgbwgcfgtx(dev, 0, 50);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 1), 0);
	quay_expect(test, " ( pfc=08,0,0 ets ) CEE:00>08 CEE:0,0>7,40");
	KUNIT_EXPECT_EQ(test, ets->prio_tc[0], 7);
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( ets ) CEE:08>08 CEE:7,40>7,50");
	KUNIT_EXPECT_STREQ(test, quay->what, "");
}

static void state_is_refused(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	stage_groups(60);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( ets ) CEE:00>00 CEE:0,0>7,40");
	quay->log.fails = "ets";
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 0), EIO);
	quay_refused(test, "DCB state", "no ets", -EIO);
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
	quay->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 0), 0);
	quay->log.fails = "ets";
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 1), EIO);
	quay_refused(test, "DCB state", "no ets", -EIO);
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 0);
	/* The old settings are kept all the same. */
	quay->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 1), 0);
	KUNIT_EXPECT_EQ(test, quay->port[0]->ets.dcb.prio_tc[0], 7);
}

/* IEEE's commands enable DCB. CEE then changes what they have set. */
static void other_settings_enable_it(struct kunit *test)
{
	struct parq_port *port = quay->port[0];
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 0), 0);
	quay_expect(test, " ( ) CEE:00>00 CEE:0,0>0,0");
	port->pfc.en = 0x10;
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
	quay->ops->setpfccfg(dev, 3, 1);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay_expect(test, " ( pfc=18,0,0 ) CEE:10>18 CEE:0,0>0,0");
	port->pfc.en = 0;
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 0);
	port->ets.dcb.prio_tc[7] = 1;
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
	/* It is enabled as it is, and stays so. */
	KUNIT_EXPECT_EQ(test, quay->ops->setstate(dev, 1), 0);
	quay_expect(test, "");
	port->ets.dcb.prio_tc[7] = 0;
	KUNIT_EXPECT_EQ(test, quay->ops->getstate(dev), 1);
}

static void modes(struct kunit *test)
{
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, quay->ops->getdcbx(dev), PARQ_DCBX_CEE);
	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, DCB_CAP_DCBX_LLD_MANAGED), 1);
	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, PARQ_DCBX_CEE | PARQ_DCBX_IEEE), 1);
	KUNIT_EXPECT_EQ(test, quay->ops->getdcbx(dev), PARQ_DCBX_CEE);
	/* The same mode keeps what is staged, another one drops it. */
	quay->ops->setpfccfg(dev, 3, 1);
	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, PARQ_DCBX_CEE), 0);
	KUNIT_EXPECT_EQ(test, commit(), CHANGED);
	quay->ops->setpfccfg(dev, 4, 1);
	KUNIT_EXPECT_EQ(test, quay->ops->setdcbx(dev, PARQ_DCBX_IEEE), 0);
	KUNIT_EXPECT_EQ(test, quay->ops->getdcbx(dev), PARQ_DCBX_IEEE);
	KUNIT_EXPECT_EQ(test, commit(), UNCHANGED);
	KUNIT_EXPECT_EQ(test, quay->port[0]->pfc.en, BIT(3));
}

static void features(struct kunit *test)
{
	static const u8 agent = DCB_FEATCFG_WILLING | DCB_FEATCFG_ADVERTISE;
	struct net_device *dev = quay_dev(0);
	u8 flags = 0xff;

	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PG), DCB_FEATCFG_ENABLE);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), 0);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_APP), DCB_FEATCFG_ENABLE);
	KUNIT_EXPECT_EQ(test, quay->ops->getfeatcfg(dev, DCB_FEATCFG_ATTR_ALL, &flags), EINVAL);
	KUNIT_EXPECT_EQ(test, flags, 0);
	KUNIT_EXPECT_EQ(test, quay->ops->getfeatcfg(dev, DCB_FEATCFG_ATTR_MAX + 1, &flags), EINVAL);
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_PFC, agent), 0);
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_PG,
						    DCB_FEATCFG_ENABLE | DCB_FEATCFG_WILLING), 0);
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), agent);
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_PFC, 0x10), EINVAL);
	quay_refused(test, "CEE", "feature 3 with flags 0x10 is unknown", -EINVAL);
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_ALL, 0), EINVAL);
	quay_refused(test, "CEE", "feature 1 with flags 0x0 is unknown", -EINVAL);
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_PFC, DCB_FEATCFG_ENABLE),
			EOPNOTSUPP);
	quay_refused(test, "CEE", "flags 0x2 of feature 3: settings enable it, not flags",
		     -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), agent);
	quay->port[0]->pfc.en = 1;
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), agent | DCB_FEATCFG_ENABLE);
	/* The flags that are the settings' own are not stored. */
	KUNIT_EXPECT_EQ(test, quay->ops->setfeatcfg(dev, DCB_FEATCFG_ATTR_PFC,
						    DCB_FEATCFG_ENABLE), 0);
	quay->port[0]->pfc.en = 0;
	KUNIT_EXPECT_EQ(test, feature(DCB_FEATCFG_ATTR_PFC), 0);
}

/* A message of CEE that shows all begins with class 0. */
static void entries_are_listed_first(struct kunit *test)
{
	struct dcb_app app = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 10 };

	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_set(quay_dev(0), &app), 0);
	quay->entries = 0;
	parq_dcbnl_app_show(quay->port[1]);
	class(true, 0);
	class(false, 1);
	quay_lists(test, QUAY_INDEX, "");
	class(false, 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
}

static struct kunit_case cee_cases[] = {
	KUNIT_CASE(ieee_mode_ignores_cee),
	KUNIT_CASE(groups_are_committed),
	KUNIT_CASE(groups_for_reception),
	KUNIT_CASE(indices_out_of_range),
	KUNIT_CASE(pfc_is_committed),
	KUNIT_CASE(both_or_none),
	KUNIT_CASE(errors_of_groups),
	KUNIT_CASE(dcb_is_disabled),
	KUNIT_CASE(state_is_refused),
	KUNIT_CASE(other_settings_enable_it),
	KUNIT_CASE(modes),
	KUNIT_CASE(features),
	KUNIT_CASE(entries_are_listed_first),
	{}
};

static struct kunit_suite cee_suite = {
	.name = "parq_dcbnl_cee",
	.init = cee_init,
	.exit = quay_exit,
	.test_cases = cee_cases,
};

kunit_test_suite(cee_suite);
