// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of APP entries, trust and rewriting: what the port's table has, what dcbnl lists,
 * and what a refusal leaves.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>

#include "parq_dcb_fake.h"

#define DSCP		IEEE_8021QAZ_APP_SEL_DSCP
#define ETHERTYPE	IEEE_8021QAZ_APP_SEL_ETHERTYPE

static int app_set(unsigned int port, u8 selector, u16 protocol, u8 priority)
{
	struct dcb_app app = { selector, priority, protocol };

	return parq_dcbnl_app_set(quay_dev(port), &app);
}

static int app_del(unsigned int port, u8 selector, u16 protocol, u8 priority)
{
	struct dcb_app app = { selector, priority, protocol };

	return parq_dcbnl_app_del(quay_dev(port), &app);
}

static int rewr_set(unsigned int port, u8 selector, u16 protocol, u8 priority)
{
	struct dcb_app app = { selector, priority, protocol };

	return parq_dcbnl_app_set_rewr(quay_dev(port), &app);
}

static int rewr_del(unsigned int port, u8 selector, u16 protocol, u8 priority)
{
	struct dcb_app app = { selector, priority, protocol };

	return parq_dcbnl_app_del_rewr(quay_dev(port), &app);
}

static int event_of(unsigned int port, unsigned long event, struct net_device *dev)
{
	struct netdev_notifier_info info = { .dev = dev };
	struct notifier_block *nb = &quay->port[port]->dcb_nb;

	return nb->notifier_call(nb, event, &info);
}

/* ---- Entries -------------------------------------------------------------- */

static void entries_come_and_go(struct kunit *test)
{
	const struct parq_trust *want = &quay->port[0]->prio.want;

	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 5), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 63, 3), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, ETHERTYPE, 0, 7), 0);
	quay_expect(test, " ( prio ) ( prio ) ( prio ) ( prio )");
	quay_lists(test, QUAY_INDEX, " 5:10=3 5:10=5 5:63=3 1:0=7");
	KUNIT_EXPECT_EQ(test, want->dscp[10], BIT(3) | BIT(5));
	KUNIT_EXPECT_EQ(test, want->dscp[63], BIT(3));
	KUNIT_EXPECT_EQ(test, want->dflt, BIT(7));
	/* The same entry again. */
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), -EEXIST);
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 4), -ENOENT);
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 11, 3), -ENOENT);
	KUNIT_EXPECT_EQ(test, app_del(0, DCB_APP_SEL_PCP, 10, 3), -ENOENT);
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), 0);
	quay_expect(test, " ( prio )");
	quay_lists(test, QUAY_INDEX, " 5:10=5 5:63=3 1:0=7");
	KUNIT_EXPECT_EQ(test, want->dscp[10], BIT(5));
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), -ENOENT);
	KUNIT_EXPECT_STREQ(test, quay->what, "");
}

static void entries_are_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 64, 3), -EINVAL);
	quay_refused(test, "APP", "DSCP 64 is not in 0..63", -EINVAL);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 8), -EINVAL);
	quay_refused(test, "APP", "priority 8 is not in 0..7", -EINVAL);
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 64, 3), -ENOENT);
	KUNIT_EXPECT_EQ(test, rewr_set(0, ETHERTYPE, 0, 3), -EOPNOTSUPP);
	quay_refused(test, "rewriting", "selector 1 is neither dscp (5) nor pcp (255)",
		     -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 64, 3), -EINVAL);
	quay_refused(test, "rewriting", "DSCP 64 is not in 0..63", -EINVAL);
	quay_expect(test, "");
	KUNIT_EXPECT_EQ(test, quay->lists, 0U);
}

/* The device refuses: neither the table nor dcbnl's list keeps the entry, or both still do. */
static void device_refuses_an_entry(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	quay->log.fails = "prio";
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 5), -EIO);
	quay_refused(test, "APP", "", -EIO);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), -EIO);
	quay_refused(test, "APP", "", -EIO);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	quay_expect(test, " ( prio ) ( prio ) ( prio )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->prio.want.dscp[10], BIT(3));
	quay->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 5), 0);
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=5");
}

/* An entry may be in both lists. */
static void rewriting(struct kunit *test)
{
	const struct parq_trust *want = &quay->port[0]->prio.want;

	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_del(0, DSCP, 10, 3), -ENOENT);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 11, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), -EEXIST);
	quay_expect(test, " ( prio ) ( prio ) ( prio )");
	quay_lists(test, QUAY_INDEX, " 5:10=3 r5:10=3 r5:11=3");
	KUNIT_EXPECT_EQ(test, want->rewr_dscp[3], BIT_ULL(10) | BIT_ULL(11));
	KUNIT_EXPECT_EQ(test, rewr_del(0, DSCP, 10, 3), 0);
	quay_expect(test, " ( prio )");
	KUNIT_EXPECT_EQ(test, want->rewr_dscp[3], BIT_ULL(11));
	KUNIT_EXPECT_EQ(test, want->dscp[10], BIT(3));
	quay_lists(test, QUAY_INDEX, " 5:10=3 r5:11=3");
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	quay->log.fails = "prio";
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), -EIO);
	quay_refused(test, "rewriting", "", -EIO);
	KUNIT_EXPECT_EQ(test, rewr_del(0, DSCP, 11, 3), -EIO);
	quay_refused(test, "rewriting", "", -EIO);
	quay_lists(test, QUAY_INDEX, " 5:10=3 r5:11=3");
	KUNIT_EXPECT_EQ(test, want->rewr_dscp[3], BIT_ULL(11));
	quay->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, rewr_del(0, DSCP, 11, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), 0);
}

/* ---- CEE's entries -------------------------------------------------------- */

static void cee_entries(struct kunit *test)
{
	const struct dcbnl_rtnl_ops *ops = quay->ops;
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, ops->getapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260), 0);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260, 0), 0);
	KUNIT_EXPECT_EQ(test, quay->lists, 0U);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260, 0x30), 0);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_ETHTYPE, ETH_P_FCOE, 0x08), 0);
	KUNIT_EXPECT_EQ(test, ops->getapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260), 0x30);
	KUNIT_EXPECT_EQ(test, ops->getapp(dev, DCB_APP_IDTYPE_ETHTYPE, ETH_P_FCOE), 0x08);
	KUNIT_EXPECT_EQ(test, ops->getapp(dev, DCB_APP_IDTYPE_ETHTYPE, 3260), 0);
	/* One entry each, which changes. */
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260, 0x81), 0);
	quay_lists(test, QUAY_INDEX, " 0:35078=8 1:3260=129");
	KUNIT_EXPECT_EQ(test, ops->getapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260), 0x81);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 3260, 0), 0);
	quay_lists(test, QUAY_INDEX, " 0:35078=8");
	/* IEEE's command removes what it would not set. */
	KUNIT_EXPECT_EQ(test, app_del(0, DCB_APP_IDTYPE_ETHTYPE, ETH_P_FCOE, 0x08), 0);
	quay_lists(test, QUAY_INDEX, "");
	/* The device does not use them. */
	quay_expect(test, "");
	KUNIT_EXPECT_STREQ(test, quay->what, "");
}

static void bounds_of_cee_entries(struct kunit *test)
{
	const struct dcbnl_rtnl_ops *ops = quay->ops;
	struct net_device *dev = quay_dev(0);

	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 0, 1), -EINVAL);
	quay_refused(test, "APP", "port 0x0 is not in 0x1..0xffff", -EINVAL);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_ETHTYPE, 0x5ff, 1), -EINVAL);
	quay_refused(test, "APP", "EtherType 0x5ff is not in 0x600..0xffff", -EINVAL);
	KUNIT_EXPECT_EQ(test, quay->lists, 0U);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_PORTNUM, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, ops->setapp(dev, DCB_APP_IDTYPE_ETHTYPE, 0x600, 1), 0);
	quay_lists(test, QUAY_INDEX, " 1:1=1 0:1536=1");
}

/* CEE's query does not name a priority: the newest entry counts. Rewriting is none of its. */
static void newest_entry_is_shown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, app_set(0, ETHERTYPE, 0x800, 5), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, ETHERTYPE, 0x800, 2), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 9, 3), 0);
	KUNIT_EXPECT_EQ(test, quay->ops->getapp(quay_dev(0), ETHERTYPE, 0x800), 2);
	KUNIT_EXPECT_EQ(test, quay->ops->getapp(quay_dev(0), DSCP, 9), 0);
	KUNIT_EXPECT_EQ(test, quay->ops->getapp(quay_dev(1), ETHERTYPE, 0x800), 0);
}

/* ---- dcbnl's lists -------------------------------------------------------- */

/* The first two ports have the same index, so that only one of them is in the lists. */
static void ports_share_an_index(struct kunit *test)
{
	struct ieee_ets ets;
	unsigned int lists;

	KUNIT_EXPECT_EQ(test, app_set(2, DSCP, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, app_set(1, DSCP, 10, 3), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	quay_lists(test, QUAY_OTHER, " 5:1=1");
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getets(quay_dev(0), &ets), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3 r5:10=3");
	/* What is listed stays so. */
	lists = quay->lists;
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getets(quay_dev(0), &ets), 0);
	KUNIT_EXPECT_EQ(test, quay->lists, lists);
	KUNIT_EXPECT_EQ(test, quay->ops->ieee_getets(quay_dev(1), &ets), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	/* An entry that is not listed leaves the lists as they are. */
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_del(0, DSCP, 10, 3), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	KUNIT_EXPECT_EQ(test, app_del(1, DSCP, 10, 3), 0);
	quay_lists(test, QUAY_INDEX, "");
	quay_lists(test, QUAY_OTHER, " 5:1=1");
}

/* An interface of another driver has the index and the entry. It keeps it. */
static void foreign_entry(struct kunit *test)
{
	quay->entry[quay->entries++] = (struct quay_entry){
		.ifindex = QUAY_INDEX, .app = { DSCP, 3, 10 } };
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, quay->port[0]->prio.want.dscp[10], BIT(3));
	KUNIT_EXPECT_EQ(test, app_del(0, DSCP, 10, 3), 0);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
}

/* What dcbnl has no memory for is set all the same, and listed later. */
static void lists_are_full(struct kunit *test)
{
	quay->room = 1;
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 11, 4), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 11, 4), 0);
	quay_expect(test, " ( prio ) ( prio ) ( prio )");
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	quay->room = QUAY_ENTRIES;
	parq_dcbnl_app_show(quay->port[0]);
	quay_lists(test, QUAY_INDEX, " 5:10=3 5:11=4 r5:11=4");
}

/* ---- Trust ---------------------------------------------------------------- */

static void trust(struct kunit *test)
{
	u8 order[] = { DCB_APP_SEL_PCP, DSCP }, now[PARQ_TRUST_SELS];
	struct net_device *dev = quay_dev(0);
	int num = -1;

	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_get_trust(dev, now, &num), 0);
	KUNIT_EXPECT_EQ(test, num, 1);
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_set_trust(dev, order, 2), 0);
	quay_expect(test, " ( prio )");
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_get_trust(dev, now, &num), 0);
	KUNIT_EXPECT_EQ(test, num, 2);
	KUNIT_EXPECT_MEMEQ(test, now, order, 2);
	KUNIT_EXPECT_STREQ(test, quay->what, "");
	order[0] = ETHERTYPE;
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_set_trust(dev, order, 2), -EOPNOTSUPP);
	quay_refused(test, "trust", "selector 1 is neither dscp (5) nor pcp (255)", -EOPNOTSUPP);
	quay_expect(test, "");
	quay->log.fails = "prio";
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_set_trust(dev, order, 0), -EIO);
	quay_refused(test, "trust", "", -EIO);
	quay_expect(test, " ( prio )");
	KUNIT_EXPECT_EQ(test, quay->port[0]->prio.want.num, 2);
}

/* ---- Life ----------------------------------------------------------------- */

/* dcbnl has dropped APP entries, but no others, of an interface that goes. */
static void port_loses_its_index(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 11, 4), 0);
	quay_expect(test, " ( prio ) ( prio ) ( prio )");
	KUNIT_EXPECT_EQ(test, event_of(0, NETDEV_DOWN, quay_dev(0)), NOTIFY_DONE);
	quay_expect(test, "");
	KUNIT_EXPECT_FALSE(test, list_empty(&quay->port[0]->app_entries));
	KUNIT_EXPECT_EQ(test, quay->unlists, 0U);
	KUNIT_EXPECT_EQ(test, event_of(0, NETDEV_UNREGISTER, quay_dev(0)), NOTIFY_DONE);
	quay_expect(test, " reset");
	KUNIT_EXPECT_TRUE(test, list_empty(&quay->port[0]->app_entries));
	KUNIT_EXPECT_EQ(test, quay->unlists, 1U);
	quay_lists(test, QUAY_INDEX, " 5:10=3 5:11=4");
}

/* dcbnl has dropped the APP entries of all interfaces with this index. */
static void other_interface_goes(struct kunit *test)
{
	struct net_device *other = quay_dev(1);

	KUNIT_EXPECT_EQ(test, app_set(0, DSCP, 10, 3), 0);
	KUNIT_EXPECT_EQ(test, rewr_set(0, DSCP, 10, 3), 0);
	quay_expect(test, " ( prio ) ( prio )");
	/* dcbnl drops nothing for these. */
	other->dcbnl_ops = NULL;
	event_of(0, NETDEV_UNREGISTER, other);
	other->dcbnl_ops = quay->ops;
	event_of(0, NETDEV_DOWN, other);
	event_of(0, NETDEV_UNREGISTER, quay_dev(2));
	KUNIT_EXPECT_EQ(test, quay->lists, 2U);
	/* A port without entries leaves the lists to the other. */
	event_of(1, NETDEV_UNREGISTER, quay_dev(0));
	KUNIT_EXPECT_EQ(test, quay->unlists, 0U);
	quay_lists(test, QUAY_INDEX, " 5:10=3 r5:10=3");
	quay->entries = 0;
	KUNIT_EXPECT_EQ(test, event_of(0, NETDEV_UNREGISTER, other), NOTIFY_DONE);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	KUNIT_EXPECT_EQ(test, quay->unlists, 0U);
	quay_expect(test, "");
}

static void registration(struct kunit *test)
{
	struct parq_port *port = quay->port[1];
	struct parq_port *none;

	KUNIT_EXPECT_EQ(test, quay->watches, 3U);
	none = kunit_kzalloc(test, sizeof(*none), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, none);
	quay->watch_err = -ENOMEM;
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_register(none), -ENOMEM);
	rtnl_lock();
	KUNIT_EXPECT_NULL(test, none->app_node.next);
	/* A port that is not registered any more has its entries for itself. */
	quay->watch_err = 0;
	KUNIT_EXPECT_EQ(test, app_set(1, DSCP, 10, 3), 0);
	rtnl_unlock();
	parq_dcbnl_app_unregister(port);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, quay->watches, 2U);
	parq_dcbnl_app_show(quay->port[0]);
	quay_lists(test, QUAY_INDEX, " 5:10=3");
	rtnl_unlock();
	event_of(1, NETDEV_UNREGISTER, port->netdev);
	KUNIT_EXPECT_EQ(test, parq_dcbnl_app_register(port), 0);
	rtnl_lock();
}

static struct kunit_case app_cases[] = {
	KUNIT_CASE(entries_come_and_go),
	KUNIT_CASE(entries_are_refused),
	KUNIT_CASE(device_refuses_an_entry),
	KUNIT_CASE(rewriting),
	KUNIT_CASE(cee_entries),
	KUNIT_CASE(bounds_of_cee_entries),
	KUNIT_CASE(newest_entry_is_shown),
	KUNIT_CASE(ports_share_an_index),
	KUNIT_CASE(foreign_entry),
	KUNIT_CASE(lists_are_full),
	KUNIT_CASE(trust),
	KUNIT_CASE(port_loses_its_index),
	KUNIT_CASE(other_interface_goes),
	KUNIT_CASE(registration),
	{}
};

static struct kunit_suite app_suite = {
	.name = "parq_dcbnl_app",
	.init = quay_init,
	.exit = quay_exit,
	.test_cases = app_cases,
};

kunit_test_suite(app_suite);
