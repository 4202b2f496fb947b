// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of link settings in ethtool: what is shown, refused, and changed in which order. */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "../parq_buf.h"
#include "../parq_ethtool.h"
#include "../parq_log.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "../parq_stats.h"
#include "parq_call_log.h"

#define PLUG_SPEEDS	(BIT(PARQ_SPEED_100M) | BIT(PARQ_SPEED_1G) | BIT(PARQ_SPEED_10G))

/**
 * struct plug - a port, and what the fakes do and have seen
 * @port: port
 * @pd: device
 * @stats: counters of the device
 * @log: calls of the fakes
 * @pause: link pause
 * @fastest: speed that the receive buffers suffice for
 * @most: the fastest of these speeds
 * @renegotiated: the link was renegotiated
 * @reason: why something was refused
 */
struct plug {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_stats stats;
	struct parq_call_log log;
	struct parq_pause_want pause;
	enum parq_speed fastest;
	enum parq_speed most;
	bool renegotiated;
	char reason[PARQ_REASON_LEN];
};

static struct plug *plug;

/* ---- fakes -------------------------------------------------------------- */

static int plug_call(const char *name)
{
	return parq_call_log_add(&plug->log, " ", name) ? -EBUSY : 0;
}

struct parq_pause_want parq_pause_get(struct parq_port *port)
{
	return plug->pause;
}

int parq_pause_set(struct parq_port *port, const struct parq_pause_want *want,
		   char reason[PARQ_REASON_LEN])
{
	int err = plug_call("pause");

	if (!err)
		plug->pause = *want;
	return err;
}

u32 parq_pause_adv(const struct parq_pause_want *want)
{
	return (want->rx ? PARQ_LINK_ADV_PAUSE : 0) |
	       (want->rx != want->tx ? PARQ_LINK_ADV_ASYM : 0);
}

enum parq_speed parq_buf_fastest_of(const struct parq_link *link)
{
	return link->autoneg ? __fls(link->adv | 1) : link->speed;
}

int parq_buf_fastest(struct parq_port *port, enum parq_speed fastest,
		     char reason[PARQ_REASON_LEN])
{
	int err = plug_call("fastest");

	if (err)
		return err;
	plug->fastest = fastest;
	plug->most = max(plug->most, fastest);
	return 0;
}

void parq_buf_link(struct parq_port *port)
{
	plug_call("buf");
}

void parq_link_store(struct parq_port *port, const struct parq_link *link)
{
	plug_call("store");
	port->link = *link;
}

void parq_link_apply(struct parq_port *port, bool renegotiate)
{
	plug_call("apply");
	plug->renegotiated = renegotiate;
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	plug_call("refuse");
	strscpy(plug->reason, reason, sizeof(plug->reason));
	return err;
}

void parq_changed(struct net_device *dev, const char *by, const char *fmt, ...)
{
	plug_call("changed");
}

const struct parq_stats *parq_stats_last(struct parq_port *port)
{
	return &plug->stats;
}

void parq_stats_put(struct parq_port *port)
{
	plug_call("put");
}

/* ---- cases -------------------------------------------------------------- */

static int plug_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	struct parq_port *port;

	plug = kunit_kzalloc(test, sizeof(*plug), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, plug);
	port = netdev_priv(dev);
	plug->port = port;
	port->netdev = dev;
	port->pd = &plug->pd;
	port->speeds = PLUG_SPEEDS;
	port->link = (struct parq_link){
		.up = true, .autoneg = true, .full = true, .adv = PLUG_SPEEDS,
		.speed = PARQ_SPEED_10G, .adv_pause = PARQ_LINK_ADV_PAUSE,
	};
	plug->pause = (struct parq_pause_want){ .autoneg = true, .rx = true, .tx = true };
	mutex_init(&port->link_lock);
	netif_carrier_off(dev);
	return 0;
}

static void plug_exit(struct kunit *test)
{
	free_netdev(plug->port->netdev);
}

static void plug_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &plug->log, calls);
}

static void plug_show(struct kunit *test, struct ethtool_link_ksettings *ks)
{
	memset(ks, 0xff, sizeof(*ks));
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_get(plug->port->netdev, ks), 0);
}

static bool plug_has(const unsigned long *modes, unsigned int mode)
{
	return test_bit(mode, modes);
}

static void link_is_shown(struct kunit *test)
{
	struct parq_port *port = plug->port;
	struct ethtool_link_ksettings ks;

	port->link.adv = BIT(PARQ_SPEED_1G);
	port->state.speed = PARQ_SPEED_1G;
	plug_show(test, &ks);
	KUNIT_EXPECT_EQ(test, bitmap_weight(ks.link_modes.supported,
					    __ETHTOOL_LINK_MODE_MASK_NBITS), 6);
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.supported,
					 ETHTOOL_LINK_MODE_10000baseT_Full_BIT));
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.supported,
					 ETHTOOL_LINK_MODE_Asym_Pause_BIT));
	KUNIT_EXPECT_EQ(test, bitmap_weight(ks.link_modes.advertising,
					    __ETHTOOL_LINK_MODE_MASK_NBITS), 3);
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.advertising,
					 ETHTOOL_LINK_MODE_1000baseT_Full_BIT));
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.advertising,
					 ETHTOOL_LINK_MODE_Pause_BIT));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(ks.link_modes.lp_advertising,
					     __ETHTOOL_LINK_MODE_MASK_NBITS));
	KUNIT_EXPECT_EQ(test, ks.base.autoneg, AUTONEG_ENABLE);
	KUNIT_EXPECT_EQ(test, ks.base.port, PORT_OTHER);
	/* There is no carrier. */
	KUNIT_EXPECT_EQ(test, ks.base.speed, (u32)SPEED_UNKNOWN);
	KUNIT_EXPECT_EQ(test, ks.base.duplex, DUPLEX_UNKNOWN);
	netif_carrier_on(port->netdev);
	port->state.partner = BIT(PARQ_SPEED_100M) | PARQ_LINK_ADV_ASYM;
	port->state.full = true;
	plug_show(test, &ks);
	KUNIT_EXPECT_EQ(test, ks.base.speed, (u32)SPEED_1000);
	KUNIT_EXPECT_EQ(test, ks.base.duplex, DUPLEX_FULL);
	KUNIT_EXPECT_EQ(test, bitmap_weight(ks.link_modes.lp_advertising,
					    __ETHTOOL_LINK_MODE_MASK_NBITS), 3);
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.lp_advertising,
					 ETHTOOL_LINK_MODE_100baseT_Full_BIT));
	KUNIT_EXPECT_TRUE(test, plug_has(ks.link_modes.lp_advertising,
					 ETHTOOL_LINK_MODE_Autoneg_BIT));
	/* What a device says that does not exist. */
	port->state.speed = PARQ_NUM_SPEEDS;
	plug_show(test, &ks);
	KUNIT_EXPECT_EQ(test, ks.base.speed, (u32)SPEED_UNKNOWN);
	/* A speed that is forced is shown without a link, too. */
	netif_carrier_off(port->netdev);
	port->link.autoneg = false;
	port->link.full = false;
	port->link.speed = PARQ_SPEED_100M;
	plug_show(test, &ks);
	KUNIT_EXPECT_EQ(test, ks.base.speed, (u32)SPEED_100);
	KUNIT_EXPECT_EQ(test, ks.base.duplex, DUPLEX_HALF);
	KUNIT_EXPECT_EQ(test, ks.base.autoneg, AUTONEG_DISABLE);
	KUNIT_EXPECT_EQ(test, bitmap_weight(ks.link_modes.advertising,
					    __ETHTOOL_LINK_MODE_MASK_NBITS), 1);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(ks.link_modes.lp_advertising,
					     __ETHTOOL_LINK_MODE_MASK_NBITS));
}

static void reasons_for_no_link(struct kunit *test)
{
	struct ethtool_link_ext_state_info info = {};
	struct net_device *dev = plug->port->netdev;
	struct parq_port *port = plug->port;

	KUNIT_EXPECT_EQ(test, parq_ethtool_link_ext_state(dev, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.link_ext_state, ETHTOOL_LINK_EXT_STATE_NO_CABLE);
	port->state.present = true;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_ext_state(dev, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.link_ext_state, ETHTOOL_LINK_EXT_STATE_AUTONEG);
	KUNIT_EXPECT_EQ(test, (int)info.autoneg,
			ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED);
	port->state.partner = 1;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_ext_state(dev, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.autoneg, ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_HCD);
	port->link.autoneg = false;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_ext_state(dev, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.autoneg,
			ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED_FORCE_MODE);
	port->state.up = true;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_ext_state(dev, &info), -ENODATA);
}

static int plug_force(u32 speed, u8 duplex)
{
	struct ethtool_link_ksettings ks = {
		.base = { .autoneg = AUTONEG_DISABLE, .speed = speed, .duplex = duplex },
	};

	plug->reason[0] = 0;
	return parq_ethtool_link_set(plug->port->netdev, &ks);
}

static void link_is_forced(struct kunit *test)
{
	static const struct {
		u32 speed;
		u8 duplex;
		const char *reason;
	} refused[] = {
		{ SPEED_UNKNOWN, DUPLEX_FULL, "without negotiation a speed is needed" },
		{ SPEED_25000, DUPLEX_FULL, "the port does not have a speed of 25000 Mb/s" },
		{ 7, DUPLEX_FULL, "the port does not have a speed of 7 Mb/s" },
		{ SPEED_1000, DUPLEX_HALF, "half duplex is possible at 10 and 100 Mb/s only" },
		{ SPEED_100, 7, "duplex is neither half nor full" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		KUNIT_EXPECT_EQ(test, plug_force(refused[i].speed, refused[i].duplex), -EINVAL);
		KUNIT_EXPECT_STREQ(test, plug->reason, refused[i].reason);
		plug_expect(test, " refuse");
	}
	KUNIT_EXPECT_EQ(test, plug_force(SPEED_100, DUPLEX_HALF), 0);
	/* Buffers suffice for the old speed until the link has the new one. */
	plug_expect(test, " pause fastest store apply fastest buf");
	KUNIT_EXPECT_EQ(test, (int)plug->most, PARQ_SPEED_10G);
	KUNIT_EXPECT_EQ(test, (int)plug->fastest, PARQ_SPEED_100M);
	KUNIT_EXPECT_FALSE(test, plug->renegotiated);
	KUNIT_EXPECT_FALSE(test, plug->port->link.autoneg || plug->port->link.full);
	KUNIT_EXPECT_EQ(test, plug->port->link.speed, (unsigned int)PARQ_SPEED_100M);
	KUNIT_EXPECT_EQ(test, plug_force(SPEED_100, DUPLEX_HALF), 0);
	plug_expect(test, "");
	KUNIT_EXPECT_EQ(test, plug_force(SPEED_1000, DUPLEX_UNKNOWN), 0);
	KUNIT_EXPECT_TRUE(test, plug->port->link.full);
}

static int plug_negotiate(unsigned int mode, bool pause, bool asym)
{
	struct ethtool_link_ksettings ks = { .base.autoneg = AUTONEG_ENABLE };

	__set_bit(mode, ks.link_modes.advertising);
	__assign_bit(ETHTOOL_LINK_MODE_Pause_BIT, ks.link_modes.advertising, pause);
	__assign_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT, ks.link_modes.advertising, asym);
	plug->log.text[0] = 0;
	return parq_ethtool_link_set(plug->port->netdev, &ks);
}

static void link_is_negotiated(struct kunit *test)
{
	struct parq_port *port = plug->port;

	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_25000baseCR_Full_BIT, true, false),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, plug->reason,
			   "no mode that the port can negotiate is advertised");
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_1000baseT_Full_BIT, true, false), 0);
	plug_expect(test, " pause fastest store apply fastest buf");
	KUNIT_EXPECT_EQ(test, port->link.adv, (u32)BIT(PARQ_SPEED_1G));
	KUNIT_EXPECT_EQ(test, port->link.speed, (unsigned int)PARQ_SPEED_10G);
	KUNIT_EXPECT_FALSE(test, plug->renegotiated);
	/* Each way to advertise pauses. */
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_1000baseT_Full_BIT, true, true), 0);
	plug_expect(test, " pause fastest changed store apply fastest buf");
	KUNIT_EXPECT_TRUE(test, plug->pause.rx && !plug->pause.tx);
	KUNIT_EXPECT_TRUE(test, plug->renegotiated);
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_1000baseT_Full_BIT, false, true), 0);
	KUNIT_EXPECT_TRUE(test, !plug->pause.rx && plug->pause.tx);
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_1000baseT_Full_BIT, false, false),
			0);
	KUNIT_EXPECT_TRUE(test, !plug->pause.rx && !plug->pause.tx);
	KUNIT_EXPECT_EQ(test, port->link.adv_pause, 0U);
	/* What is refused leaves pauses as they were. */
	plug->log.fails = "fastest";
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_10000baseT_Full_BIT, true, false),
			-EBUSY);
	plug_expect(test, " pause fastest pause refuse");
	KUNIT_EXPECT_FALSE(test, plug->pause.rx);
	plug->log.fails = "pause";
	KUNIT_EXPECT_EQ(test, plug_negotiate(ETHTOOL_LINK_MODE_10000baseT_Full_BIT, true, false),
			-EBUSY);
	plug_expect(test, " pause refuse");
	KUNIT_EXPECT_EQ(test, port->link.adv, (u32)BIT(PARQ_SPEED_1G));
}

static void link_is_reset(struct kunit *test)
{
	struct net_device *dev = plug->port->netdev;

	KUNIT_EXPECT_EQ(test, parq_ethtool_link_nway_reset(dev), -ENETDOWN);
	set_bit(PARQ_PORT_UP, &plug->port->flags);
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_nway_reset(dev), 0);
	KUNIT_EXPECT_TRUE(test, plug->renegotiated);
	plug_expect(test, " apply");
	plug->port->link.autoneg = false;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_nway_reset(dev), -EINVAL);
	plug_expect(test, "");
}

static void pauses_are_set(struct kunit *test)
{
	struct ethtool_pauseparam pp = { .autoneg = 1, .rx_pause = 1, .tx_pause = 1 };
	struct net_device *dev = plug->port->netdev;
	struct ethtool_pause_stats stats = {};

	KUNIT_EXPECT_EQ(test, parq_ethtool_link_set_pause(dev, &pp), 0);
	plug_expect(test, " pause store");
	pp.tx_pause = 0;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_set_pause(dev, &pp), 0);
	plug_expect(test, " pause changed store apply");
	KUNIT_EXPECT_TRUE(test, plug->renegotiated);
	KUNIT_EXPECT_EQ(test, plug->port->link.adv_pause,
			(u32)(PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM));
	pp.autoneg = 0;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_set_pause(dev, &pp), 0);
	plug_expect(test, " pause changed store");
	plug->log.fails = "pause";
	pp.rx_pause = 0;
	KUNIT_EXPECT_EQ(test, parq_ethtool_link_set_pause(dev, &pp), -EBUSY);
	plug_expect(test, " pause refuse");
	parq_ethtool_link_get_pause(dev, &pp);
	KUNIT_EXPECT_TRUE(test, !pp.autoneg && pp.rx_pause && !pp.tx_pause);
	plug->stats.tx.pause = cpu_to_le64(1);
	plug->stats.rx.pause = cpu_to_le64(2);
	parq_ethtool_link_get_pause_stats(dev, &stats);
	KUNIT_EXPECT_EQ(test, stats.tx_pause_frames, 1ULL);
	KUNIT_EXPECT_EQ(test, stats.rx_pause_frames, 2ULL);
	plug_expect(test, " put");
}

static struct kunit_case plug_cases[] = {
	KUNIT_CASE(link_is_shown),
	KUNIT_CASE(reasons_for_no_link),
	KUNIT_CASE(link_is_forced),
	KUNIT_CASE(link_is_negotiated),
	KUNIT_CASE(link_is_reset),
	KUNIT_CASE(pauses_are_set),
	{}
};

static struct kunit_suite plug_suite = {
	.name = "parq_ethtool_link",
	.init = plug_init,
	.exit = plug_exit,
	.test_cases = plug_cases,
};

kunit_test_suite(plug_suite);

MODULE_DESCRIPTION("KUnit suite of link settings in ethtool");
MODULE_LICENSE("GPL");
