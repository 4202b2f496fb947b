// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of link pause, over a fake device. */
#include <kunit/test.h>

#include "parq_pfc_fake.h"

/* IEEE 802.3, tables 28B-2 and 28B-3, for all settings of both ends. */
static void pause_negotiates(struct kunit *test)
{
	const u32 rx = PARQ_FC_CTRL_PAUSE_RX, tx = PARQ_FC_CTRL_PAUSE_TX;
	static const struct parq_pause_want want[] = {
		{}, { .rx = true }, { .tx = true }, { .rx = true, .tx = true },
	};
	const u32 result[4][4] = {
		{ 0, 0, 0, 0 },
		{ 0, rx | tx, rx, rx | tx },
		{ 0, tx, 0, 0 },
		{ 0, rx | tx, 0, rx | tx },
	};
	unsigned int own, other;

	for (own = 0; own < 4; own++)
		for (other = 0; other < 4; other++)
			KUNIT_EXPECT_EQ(test, result[own][other],
					parq_pause_negotiate(parq_pause_adv(&want[own]),
							     parq_pause_adv(&want[other])));
}

static int fake_pause(struct fake *f, bool autoneg, bool rx, bool tx)
{
	const struct parq_pause_want want = { autoneg, rx, tx };
	char reason[PARQ_REASON_LEN];

	return parq_pause_set(&f->port, &want, reason);
}

static void fake_link(struct fake *f, bool up, bool autoneg, u32 partner)
{
	f->port.state = (struct parq_link){
		.up = up, .full = true, .autoneg = autoneg,
		.speed = PARQ_SPEED_10G, .partner = partner,
	};
	parq_pause_link(&f->port);
}

/* A forced setting is in force at once, and no register is written twice. */
static void pause_forced(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	unsigned int before;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, false), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)PARQ_FC_CTRL_PAUSE_RX);
	KUNIT_EXPECT_EQ(test, f->rxb.xoff[0], f->rxb.size[0]);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, true), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	/* One buffer has all the memory, less one headroom. */
	KUNIT_EXPECT_EQ(test, f->rxb.prio, 0U);
	KUNIT_EXPECT_EQ(test, f->rxb.size[0], (u32)FAKE_MEMORY);
	before = f->flows_set;
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, true), 0);
	fake_link(f, true, true, 0);
	KUNIT_EXPECT_EQ(test, f->flows_set, before);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, false, false), 0);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_EQ(test, f->rxb.xoff[0], f->rxb.size[0]);
	fake_close(test, f);
}

/*
 * A partner that offers symmetric pause makes both of rx alone (table 28B-3): the buffers
 * have headroom before it is known.
 */
static void pause_rx_may_become_both(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, true, false), 0);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_LT(test, f->rxb.xoff[0], f->rxb.size[0]);
	fake_link(f, true, true, PARQ_LINK_ADV_PAUSE);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	KUNIT_EXPECT_LT(test, f->rxb.xoff[0], f->rxb.size[0]);
	/* Frames of this link may still wait for the host. */
	fake_link(f, false, true, 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	/* Forced, it is rx alone. */
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, false), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)PARQ_FC_CTRL_PAUSE_RX);
	KUNIT_EXPECT_EQ(test, f->rxb.xoff[0], f->rxb.size[0]);
	fake_close(test, f);
}

/* Buffers are set up before it is known whether the partner agrees. */
static void pause_follows_the_partner(struct kunit *test)
{
	const u32 both = PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM;
	struct fake *f = fake_new(test, true);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, true, true), 0);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_LT(test, f->rxb.xoff[0], f->rxb.size[0]);
	fake_link(f, true, true, PARQ_LINK_ADV_PAUSE);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	/* Frames of the old link may still wait. */
	fake_link(f, false, true, 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_LINK);
	fake_link(f, true, true, PARQ_LINK_ADV_ASYM);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, false, true), 0);
	fake_link(f, true, true, both);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)PARQ_FC_CTRL_PAUSE_TX);
	/* Nothing is negotiated, or half duplex has no pause. */
	fake_link(f, true, false, both);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	fake_link(f, true, true, both);
	f->port.state.full = false;
	parq_pause_link(&f->port);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	/* A port that comes up starts without link pause. */
	fake_link(f, true, true, both);
	f->port.state.up = false;
	rtnl_lock();
	parq_pfc_close(&f->port);
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_EQ(test, parq_pfc_open(&f->port), 0);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	fake_close(test, f);
}

static void pause_and_pfc_exclude_each_other(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = FAKE_ONE };
	struct fake *f = fake_new(test, true);
	char reason[PARQ_REASON_LEN];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, true, false), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, false, true), -EBUSY);
	KUNIT_EXPECT_FALSE(test, parq_pause_is_wanted(&f->port.pfc.pause.want));
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_ONE);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, false, false), 0);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, true, true), 0);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -EBUSY);
	/* PFC without priorities does not conflict; buffers do not change. */
	pfc = (struct ieee_pfc){ .delay = 7 };
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), 0);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, 0);
	KUNIT_EXPECT_LT(test, f->rxb.xoff[0], f->rxb.size[0]);
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, false, false), 0);
	KUNIT_EXPECT_EQ(test, fake_set(f, FAKE_ONE), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_ONE);
	fake_settle(test, f);
	fake_close(test, f);
}

/* A failed change changes nothing. */
static void pause_set_fails(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_rxb before;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0), 0);
	before = f->rxb;
	f->refuse_flow = true;
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, true), -EIO);
	f->refuse_flow = false;
	f->refuse_rxb = true;
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, true), -EIO);
	f->refuse_rxb = false;
	/* Too little memory is reported even without a link. */
	f->port.pfc.buf.want.cable_m = PARQ_CABLE_MAX_M;
	f->port.pfc.buf.want.fastest = PARQ_SPEED_400G;
	KUNIT_EXPECT_EQ(test, fake_pause(f, true, true, true), -ENOBUFS);
	KUNIT_EXPECT_FALSE(test, parq_pause_is_wanted(&f->port.pfc.pause.want));
	KUNIT_EXPECT_EQ(test, f->flow, 0U);
	KUNIT_EXPECT_TRUE(test, !memcmp(&before, &f->rxb, sizeof(before)));
	fake_close(test, f);
}

static void pause_stops(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	char reason[PARQ_REASON_LEN];

	KUNIT_EXPECT_EQ(test, parq_pause_low_check(0x0001, reason), -EINVAL);
	KUNIT_EXPECT_EQ(test, parq_pause_low_check(0x0101, reason), -EINVAL);
	KUNIT_EXPECT_EQ(test, parq_pause_low_check(0x0202, reason), 0);
	KUNIT_EXPECT_EQ(test, parq_pause_low_set(&f->port, 0x0202, 0x81), 0);
	KUNIT_EXPECT_EQ(test, f->low, 0U);
	KUNIT_ASSERT_EQ(test, fake_open(f, 0), 0);
	KUNIT_EXPECT_EQ(test, f->low, 0x810202U);
	f->flow_status = PARQ_FC_STATUS_PAUSED;
	KUNIT_EXPECT_EQ(test, parq_pause_stopped(&f->port), 0);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, false), 0);
	KUNIT_EXPECT_EQ(test, parq_pause_stopped(&f->port), 0xff);
	f->flow_status = PARQ_FC_STATUS_PAUSED_LOW;
	KUNIT_EXPECT_EQ(test, parq_pause_stopped(&f->port), 0x81);
	f->flow_status = 0;
	KUNIT_EXPECT_EQ(test, parq_pause_stopped(&f->port), 0);
	fake_close(test, f);
}

/* The kind of frame is that of the port's flow control. */
static void pause_on_request(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	char reason[PARQ_REASON_LEN];

	f->pd.caps.ports = 1;
	f->pd.port[0] = &f->port;
	KUNIT_EXPECT_EQ(test, parq_pause_send_all(&f->pd, true, reason), -ENETDOWN);
	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0, true, reason),
			-ENETDOWN);
	KUNIT_EXPECT_EQ(test, parq_pause_send_all(&f->pd, true, reason),
			-ENETDOWN);
	fake_link(f, true, true, 0);
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0x04, true, reason),
			-EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason, "priority 2 of port 0 has no PFC");
	KUNIT_EXPECT_EQ(test, f->sent, 0U);
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0x08, false, reason), 0);
	KUNIT_EXPECT_EQ(test, f->sent, 0x08U);
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0, true, reason), 0);
	KUNIT_EXPECT_EQ(test, f->sent, (u32)(0x18 | PARQ_FC_SEND_XOFF));
	KUNIT_EXPECT_EQ(test, fake_set(f, 0), 0);
	KUNIT_EXPECT_EQ(test, parq_pause_send_all(&f->pd, true, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fake_pause(f, false, true, true), 0);
	KUNIT_EXPECT_EQ(test, parq_pause_send_all(&f->pd, true, reason), 0);
	KUNIT_EXPECT_EQ(test, f->sent,
			(u32)(PARQ_FC_SEND_LINK | PARQ_FC_SEND_XOFF));
	fake_close(test, f);
}

/* What has been set for a port that is down is not in force. That is not what to look for. */
static void pause_on_request_down(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	char reason[PARQ_REASON_LEN];

	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	fake_link(f, true, true, 0);
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0x08, true, reason), 0);
	rtnl_lock();
	parq_pfc_close(&f->port);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, parq_pause_send(&f->port, 0x08, true, reason), -ENETDOWN);
	KUNIT_EXPECT_STREQ(test, reason, "port 0 has no full duplex link");
	fake_close(test, f);
}

/* The reason is that of the port that failed, or none. */
static void pause_on_request_gone(struct kunit *test)
{
	struct fake *lossy = fake_new(test, true), *f = fake_new(test, true);
	char reason[PARQ_REASON_LEN] = "";

	lossy->pd.caps.ports = 2;
	lossy->pd.port[0] = &lossy->port;
	lossy->pd.port[1] = &f->port;
	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	fake_link(f, true, true, 0);
	f->gone = true;
	KUNIT_EXPECT_EQ(test, parq_pause_send_all(&lossy->pd, true, reason), -ENODEV);
	KUNIT_EXPECT_STREQ(test, reason, "");
	fake_close(test, f);
	fake_close(test, lossy);
}

static struct kunit_case parq_pause_tests[] = {
	KUNIT_CASE(pause_negotiates),
	KUNIT_CASE(pause_forced),
	KUNIT_CASE(pause_rx_may_become_both),
	KUNIT_CASE(pause_follows_the_partner),
	KUNIT_CASE(pause_and_pfc_exclude_each_other),
	KUNIT_CASE(pause_set_fails),
	KUNIT_CASE(pause_stops),
	KUNIT_CASE(pause_on_request),
	KUNIT_CASE(pause_on_request_down),
	KUNIT_CASE(pause_on_request_gone),
	{}
};

static struct kunit_suite parq_pause_suite = {
	.name = "parq_pause_link",
	.test_cases = parq_pause_tests,
};

kunit_test_suite(parq_pause_suite);
