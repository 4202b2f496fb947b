// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of rules of ethtool: their locations, refusals and reports, and the order in which
 * the device's table gets them. The table is a fake, which notes what is written.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_chan.h"
#include "../parq_ethtool.h"
#include "../parq_io.h"
#include "parq_call_log.h"

#define ROSTER_CHANS	4
#define ROSTER_LAST	(PARQ_NUM_RULES - 1)

/**
 * struct roster - a port, and what the fakes have seen
 * @port: the port
 * @log: writes to the table: location=id
 * @open: the table was written without the lock of the rules
 * @steered: number of times that flows moved
 * @what: subject of a refusal
 * @reason: why
 */
struct roster {
	struct parq_port *port;
	struct parq_call_log log;
	bool open;
	unsigned int steered;
	const char *what;
	char reason[PARQ_REASON_LEN];
};

static struct roster *roster;

/* ---- fakes -------------------------------------------------------------- */

void parq_io_rule_set(struct parq_port *port, unsigned int location, const struct parq_rule *rule)
{
	parq_call_log_addf(&roster->log, " ", "%u=%llu", location, rule ? rule->id : 0);
	roster->open |= !mutex_is_locked(&port->rules.lock);
}

void parq_reconf_steer(struct parq_port *port,
		       void (*set)(struct parq_port *port, unsigned int n), unsigned int n)
{
	roster->steered++;
	set(port, n);
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	roster->what = what;
	strscpy(roster->reason, reason, sizeof(roster->reason));
	return err;
}

#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
int parq_ethtool_rss_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc)
{
	return -EOPNOTSUPP;
}
#endif

#ifndef PARQ_HAVE_RXFH_FIELDS
int parq_ethtool_rss_set_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc)
{
	return -EOPNOTSUPP;
}
#endif

/* ---- cases -------------------------------------------------------------- */

static int roster_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	struct parq_port *port;

	roster = kunit_kzalloc(test, sizeof(*roster), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, roster);
	port = netdev_priv(dev);
	roster->port = port;
	port->netdev = dev;
	port->pd = kunit_kzalloc(test, sizeof(*port->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->pd);
	port->pd->caps.flags = PARQ_CAP_RULES;
	port->num_chans = ROSTER_CHANS;
	parq_rules_init(port);
	return 0;
}

static void roster_exit(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, roster->open);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&roster->port->rules.lock));
	parq_rules_fini(roster->port);
	free_netdev(roster->port->netdev);
}

static void roster_expect(struct kunit *test, const char *writes)
{
	parq_call_log_expect(test, &roster->log, writes);
}

/* A rule for the frames of a destination port of UDP. */
static struct ethtool_rxnfc roster_rule(u32 location, u16 udp, u64 cookie)
{
	struct ethtool_rxnfc nfc = {
		.cmd = ETHTOOL_SRXCLSRLINS,
		.fs.flow_type = UDP_V4_FLOW,
		.fs.location = location,
		.fs.ring_cookie = cookie,
	};

	nfc.fs.h_u.udp_ip4_spec.pdst = htons(udp);
	nfc.fs.m_u.udp_ip4_spec.pdst = htons(0xffff);
	return nfc;
}

/* Return: the location that the rule got, or an error. */
static int roster_set(struct ethtool_rxnfc nfc)
{
	return parq_ethtool_set_nfc(roster->port->netdev, &nfc) ?: (int)nfc.fs.location;
}

/* Each location has frames of its own. */
static int roster_add(u32 location)
{
	return roster_set(roster_rule(location, 1000 + roster->port->rules.last, 0));
}

static int roster_del(u32 location)
{
	struct ethtool_rxnfc nfc = { .cmd = ETHTOOL_SRXCLSRLDEL, .fs.location = location };

	return parq_ethtool_set_nfc(roster->port->netdev, &nfc);
}

static void roster_expect_refusal(struct kunit *test, const char *what, const char *reason)
{
	KUNIT_EXPECT_NOT_NULL(test, roster->what);
	if (roster->what)
		KUNIT_EXPECT_STREQ(test, roster->what, what);
	KUNIT_EXPECT_STREQ(test, roster->reason, reason);
	roster->what = NULL;
	roster->reason[0] = 0;
}

/* The ethtool of users chooses a location for them. */
static void locations_are_chosen(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_LAST), ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), ROSTER_LAST - 1);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_ANY), 0);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_ANY), 1);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), -ENOSPC);
	roster_expect_refusal(test, "rule", "no location is free there, of 64");
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_LAST), -ENOSPC);
	roster_expect_refusal(test, "rule", "no location is free there, of 64");
	KUNIT_EXPECT_EQ(test, roster_del(ROSTER_LAST), 0);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_LAST), ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, roster_del(0), 0);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), 0);
	KUNIT_EXPECT_EQ(test, parq_rules_ntuple(roster->port), 4U);
}

static void locations_have_limits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), 0);
	KUNIT_EXPECT_EQ(test, roster_del(0), 0);
	KUNIT_EXPECT_EQ(test, roster_add(20), 20);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_LAST), 21);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), 19);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_ANY), 0);
	KUNIT_EXPECT_EQ(test, roster_add(ROSTER_LAST), ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, roster_add(PARQ_NUM_RULES), -EINVAL);
	roster_expect_refusal(test, "rule", "location 64: not within 0 to 63");
	KUNIT_EXPECT_EQ(test, roster_del(PARQ_NUM_RULES), -ENOENT);
	roster_expect_refusal(test, "rule", "there is no rule at location 64");
	KUNIT_EXPECT_EQ(test, roster_del(5), -ENOENT);
	roster_expect_refusal(test, "rule", "there is no rule at location 5");
	KUNIT_EXPECT_EQ(test, parq_rules_ntuple(roster->port), 5U);
}

/* At any time a frame finds each rule that was there before and is there after it. */
static void rules_move_in_the_device(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, roster_add(10), 10);
	roster_expect(test, " 0=1");
	KUNIT_EXPECT_EQ(test, roster_add(20), 20);
	roster_expect(test, " 1=2");
	KUNIT_EXPECT_EQ(test, roster_add(5), 5);
	roster_expect(test, " 2=2 1=1 0=3");
	KUNIT_EXPECT_EQ(test, roster->steered, 3U);
	/* One takes the place of another. */
	KUNIT_EXPECT_EQ(test, roster_add(10), 10);
	roster_expect(test, " 1=4");
	KUNIT_EXPECT_EQ(test, roster_del(5), 0);
	roster_expect(test, " 0=4 1=2 2=0");
	KUNIT_EXPECT_EQ(test, roster->steered, 5U);
	KUNIT_EXPECT_FALSE(test, roster->port->rules.stale);
	parq_rules_sync(roster->port);
	roster_expect(test, "");
	KUNIT_EXPECT_EQ(test, roster->steered, 5U);
	KUNIT_EXPECT_EQ(test, roster_del(10), 0);
	KUNIT_EXPECT_EQ(test, roster_del(20), 0);
	roster_expect(test, " 0=2 1=0 0=0");
}

/* Filters of tc come after the rules of ethtool. */
static void rules_of_tc_share_the_table(struct kunit *test)
{
	struct parq_filter filters[2] = { { .rule.id = 101 }, { .rule.id = 102 } };
	struct parq_rules *rules = &roster->port->rules;

	list_add_tail(&filters[0].node, &rules->filters);
	list_add_tail(&filters[1].node, &rules->filters);
	rules->num_filters = 2;
	parq_rules_sync(roster->port);
	roster_expect(test, "");
	rules->stale = true;
	parq_rules_sync(roster->port);
	roster_expect(test, " 1=102 0=101");
	KUNIT_EXPECT_EQ(test, roster_add(63), 63);
	roster_expect(test, " 2=102 1=101 0=1");
	KUNIT_EXPECT_EQ(test, parq_rules_ntuple(roster->port), 1U);
	list_del(&filters[0].node);
	list_del(&filters[1].node);
	rules->num_filters = 0;
	/* The device may have been reset, or not. */
	parq_rules_restore(roster->port);
	roster_expect(test, " 0=1 1=0 2=0");
	parq_rules_restore(roster->port);
	roster_expect(test, " 0=1");
	KUNIT_EXPECT_EQ(test, roster->steered, 2U);
}

static void the_table_is_full(struct kunit *test)
{
	struct parq_rules *rules = &roster->port->rules;
	char reason[PARQ_REASON_LEN] = "";
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RULES - 1; i++)
		KUNIT_EXPECT_EQ(test, roster_add(i), (int)i);
	rules->num_filters = 1;
	roster->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, roster_add(ROSTER_LAST), -ENOSPC);
	roster_expect_refusal(test, "rule", "all 64 rules are in use, 1 of them by filters of tc");
	KUNIT_EXPECT_NULL(test, rules->ntuple[ROSTER_LAST]);
	KUNIT_EXPECT_EQ(test, rules->last, (u64)ROSTER_LAST);
	KUNIT_EXPECT_FALSE(test, rules->stale);
	roster_expect(test, "");
	KUNIT_EXPECT_EQ(test, parq_rules_room(roster->port, reason), -ENOSPC);
	/* Another one in its place needs no room. */
	KUNIT_EXPECT_EQ(test, roster_add(3), 3);
	roster_expect(test, " 3=64");
	rules->num_filters = 0;
	KUNIT_EXPECT_EQ(test, parq_rules_room(roster->port, reason), 0);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_ANY), ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_ANY), -ENOSPC);
	KUNIT_EXPECT_EQ(test, roster_add(RX_CLS_LOC_FIRST), -ENOSPC);
	roster->log.text[0] = 0;
	parq_rules_restore(roster->port);
	KUNIT_EXPECT_EQ(test, rules->hw[0], 1ULL);
	KUNIT_EXPECT_EQ(test, rules->hw[ROSTER_LAST], 65ULL);
	roster->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, roster_del(ROSTER_LAST), 0);
	roster_expect(test, " 63=0");
}

static u32 roster_action(u32 op, u32 arg)
{
	return FIELD_PREP(PARQ_RULE_ACTION_OP, op) | FIELD_PREP(PARQ_RULE_ACTION_ARG, arg);
}

static void frames_go_where_the_rule_says(struct kunit *test)
{
	struct parq_port *port = roster->port;
	struct parq_ntuple **nt = port->rules.ntuple;
	struct ethtool_rxnfc nfc;

	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(1, 1, RX_CLS_FLOW_DISC)), 1);
	KUNIT_EXPECT_EQ(test, nt[1]->rule.action,
			roster_action(PARQ_RULE_DROP, 0));
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(2, 2, ROSTER_CHANS - 1)), 2);
	KUNIT_EXPECT_EQ(test, nt[2]->rule.action,
			roster_action(PARQ_RULE_QUEUE, ROSTER_CHANS - 1));
	KUNIT_EXPECT_EQ(test, nt[2]->rule.match.key[PARQ_RULE_PORTS], 2U);
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(3, 3, ROSTER_CHANS)), -EINVAL);
	roster_expect_refusal(test, "rule", "queue 0x4: not within 0 to 3");
	port->ctx[6] = kunit_kzalloc(test, sizeof(*port->ctx[6]), GFP_KERNEL);
	nfc = roster_rule(3, 3, 0);
	nfc.fs.flow_type |= FLOW_RSS;
	nfc.rss_context = 7;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), 3);
	KUNIT_EXPECT_EQ(test, nt[3]->rule.action,
			roster_action(PARQ_RULE_CTX, 7));
	KUNIT_EXPECT_EQ(test, nt[3]->ctx, 7U);
	nfc.fs.ring_cookie = 1;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), -EINVAL);
	roster_expect_refusal(test, "rule", "RSS context 7 and queue 0x1");
	nfc.rss_context = 6;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), -EINVAL);
	roster_expect_refusal(test, "rule", "RSS context 6 does not exist");
	/* Without the flag it has no meaning. */
	nfc = roster_rule(4, 4, 0);
	nfc.rss_context = 7;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), 4);
	KUNIT_EXPECT_EQ(test, nt[4]->ctx, 0U);
	nfc = roster_rule(5, 5, 0);
	nfc.fs.flow_type = 0x7f;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), -EINVAL);
	roster_expect_refusal(test, "rule", "flow type 127: not supported");
	KUNIT_EXPECT_EQ(test, parq_rules_ntuple(port), 4U);
}

/* Of two rules for the same frames the later one would have no effect. */
static void no_rule_is_in_vain(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(0, 80, 0)), 0);
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(ROSTER_LAST, 81, 0)), ROSTER_LAST);
	roster->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(8, 80, 1)), -EEXIST);
	roster_expect_refusal(test, "rule", "the rule at location 0 has the same match");
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(0, 81, 1)), -EEXIST);
	roster_expect_refusal(test, "rule", "the rule at location 63 has the same match");
	roster_expect(test, "");
	KUNIT_EXPECT_EQ(test, roster->port->rules.ntuple[0]->fs.ring_cookie, 0ULL);
	/* Itself, with another action. */
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(0, 80, 2)), 0);
	roster_expect(test, " 0=3");
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(8, 82, 0)), 8);
}

static void rules_are_reported(struct kunit *test)
{
	struct net_device *dev = roster->port->netdev;
	struct ethtool_rxnfc nfc = roster_rule(9, 9, 2);
	u32 rules[3] = { 99, 99, 99 };

	KUNIT_EXPECT_EQ(test, roster_set(nfc), 9);
	roster->port->ctx[0] = kunit_kzalloc(test, sizeof(struct parq_rss), GFP_KERNEL);
	nfc = roster_rule(ROSTER_LAST, 10, 0);
	nfc.fs.flow_type |= FLOW_RSS;
	nfc.rss_context = 1;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), ROSTER_LAST);

	nfc = (struct ethtool_rxnfc) { .cmd = ETHTOOL_GRXCLSRLCNT };
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), 0);
	KUNIT_EXPECT_EQ(test, nfc.rule_cnt, 2U);
	KUNIT_EXPECT_EQ(test, nfc.data, (u64)(PARQ_NUM_RULES | RX_CLS_LOC_SPECIAL));

	nfc = (struct ethtool_rxnfc) { .cmd = ETHTOOL_GRXCLSRLALL, .rule_cnt = 2 };
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, rules), 0);
	KUNIT_EXPECT_EQ(test, nfc.rule_cnt, 2U);
	KUNIT_EXPECT_EQ(test, nfc.data, (u64)PARQ_NUM_RULES);
	KUNIT_EXPECT_EQ(test, rules[0], 9U);
	KUNIT_EXPECT_EQ(test, rules[1], (u32)ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, rules[2], 99U);
	nfc.rule_cnt = 3;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, rules), 0);
	KUNIT_EXPECT_EQ(test, nfc.rule_cnt, 2U);
	nfc.rule_cnt = 1;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, rules), -EMSGSIZE);

	nfc = (struct ethtool_rxnfc) { .cmd = ETHTOOL_GRXCLSRULE, .fs.location = 9,
				       .rss_context = 5 };
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), 0);
	KUNIT_EXPECT_EQ(test, nfc.fs.ring_cookie, 2ULL);
	KUNIT_EXPECT_EQ(test, nfc.fs.location, 9U);
	KUNIT_EXPECT_EQ(test, nfc.rss_context, 5U);
	nfc.fs.location = ROSTER_LAST;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), 0);
	KUNIT_EXPECT_EQ(test, nfc.fs.location, (u32)ROSTER_LAST);
	KUNIT_EXPECT_EQ(test, nfc.rss_context, 1U);
	nfc.fs.location = 8;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), -ENOENT);
	nfc.fs.location = PARQ_NUM_RULES;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), -ENOENT);
}

static void a_device_without_rules(struct kunit *test)
{
	struct net_device *dev = roster->port->netdev;
	struct ethtool_rxnfc nfc = { .cmd = ETHTOOL_GRXCLSRLCNT };

	roster->port->pd->caps.flags = U32_MAX & ~PARQ_CAP_RULES;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, roster_add(0), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parq_rules_ntuple(roster->port), 0U);
	nfc.cmd = ETHTOOL_SRXFH;
	KUNIT_EXPECT_EQ(test, parq_ethtool_set_nfc(dev, &nfc), -EOPNOTSUPP);
	nfc.cmd = ETHTOOL_GRXFH;
	KUNIT_EXPECT_EQ(test, parq_ethtool_get_nfc(dev, &nfc, NULL), -EOPNOTSUPP);
}

/* Contexts and channels stay while a rule uses them. */
static void contexts_and_channels_are_in_use(struct kunit *test)
{
	struct parq_port *port = roster->port;
	struct ethtool_rxnfc nfc = roster_rule(5, 5, 0);
	u32 location = 99;

	KUNIT_EXPECT_FALSE(test, parq_ethtool_rule_uses(port, 0, &location));
	KUNIT_EXPECT_EQ(test, parq_ethtool_rule_channels(port, 1), 0);
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(0, 1, RX_CLS_FLOW_DISC)), 0);
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(1, 2, 2)), 1);
	KUNIT_EXPECT_EQ(test, roster_set(roster_rule(ROSTER_LAST, 3, 3)), ROSTER_LAST);
	/* Only those that spread frames use a context. */
	KUNIT_EXPECT_FALSE(test, parq_ethtool_rule_uses(port, 0, &location));
	port->ctx[1] = kunit_kzalloc(test, sizeof(*port->ctx[1]), GFP_KERNEL);
	nfc.fs.flow_type |= FLOW_RSS;
	nfc.rss_context = 2;
	KUNIT_EXPECT_EQ(test, roster_set(nfc), 5);
	KUNIT_EXPECT_FALSE(test, parq_ethtool_rule_uses(port, 1, &location));
	KUNIT_EXPECT_EQ(test, location, 99U);
	KUNIT_EXPECT_TRUE(test, parq_ethtool_rule_uses(port, 2, &location));
	KUNIT_EXPECT_EQ(test, location, 5U);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rule_channels(port, 4), 0);
	KUNIT_EXPECT_NULL(test, roster->what);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rule_channels(port, 3), -EBUSY);
	roster_expect_refusal(test, "channels", "the rule at location 63 uses queue 3");
	KUNIT_EXPECT_EQ(test, parq_ethtool_rule_channels(port, 2), -EBUSY);
	roster_expect_refusal(test, "channels", "the rule at location 1 uses queue 2");
}

static struct kunit_case roster_cases[] = {
	KUNIT_CASE(locations_are_chosen),
	KUNIT_CASE(locations_have_limits),
	KUNIT_CASE(rules_move_in_the_device),
	KUNIT_CASE(rules_of_tc_share_the_table),
	KUNIT_CASE(the_table_is_full),
	KUNIT_CASE(frames_go_where_the_rule_says),
	KUNIT_CASE(no_rule_is_in_vain),
	KUNIT_CASE(rules_are_reported),
	KUNIT_CASE(a_device_without_rules),
	KUNIT_CASE(contexts_and_channels_are_in_use),
	{}
};

static struct kunit_suite roster_suite = {
	.name = "parq_rule",
	.init = roster_init,
	.exit = roster_exit,
	.test_cases = roster_cases,
};

kunit_test_suite(roster_suite);

MODULE_DESCRIPTION("KUnit suite of rules of ethtool");
MODULE_LICENSE("GPL");
