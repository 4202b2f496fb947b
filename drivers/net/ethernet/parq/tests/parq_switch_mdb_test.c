// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the groups of bridges, over a fake device of two ports in a domain each. */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <net/switchdev.h>

#include "../parq_io.h"
#include "../parq_switch_domain.h"
#include "parq_mdb_calls.h"

#define MDB_PORTS	3	/* the last one is alone */
#define MDB_PLACES	4
#define MDB_SNOOPS	PARQ_SW_DOMAIN_SNOOP

/**
 * struct mdb_fake - the device, and what its bridges say
 * @there: groups of the device; without members: no place is used
 * @full: it has no place for more
 * @sets: commands
 * @vlans: it has VLAN 5
 * @mode: PARQ_SW_DOMAIN
 * @modes: times that it was written
 * @enabled: the bridges snoop
 * @router: they are routers
 * @ipv4: BIT(port) whose bridge has a querier for IPv4
 * @ipv6: the same for IPv6
 * @dev: netdevs of ports
 * @bridge: a bridge
 * @port: ports
 * @pd: device
 * @sw: the part of it that forwards
 */
struct mdb_fake {
	struct parq_mdb there[MDB_PLACES];
	bool full;
	unsigned int sets;
	bool vlans;
	u32 mode[PARQ_NUM_DOMAINS];
	unsigned int modes;
	bool enabled;
	bool router;
	u8 ipv4;
	u8 ipv6;
	struct net_device dev[MDB_PORTS];
	struct net_device bridge;
	struct parq_port port[MDB_PORTS];
	struct parq_dev pd;
	struct parq_switch sw;
};

static struct mdb_fake *fake;

static const u8 mdb_addr[ETH_ALEN] = { 1, 0, 0x5e, 0, 0, 1 };
static const u8 mdb_other[ETH_ALEN] = { 0x33, 0x33, 0, 0, 0, 1 };

/* ---- fakes -------------------------------------------------------------- */

/* Return: the place of a group, else a free one, else NULL. */
static struct parq_mdb *mdb_there(const struct parq_mdb *e)
{
	struct parq_mdb *there, *free = NULL;

	for (there = fake->there; there < fake->there + MDB_PLACES; there++) {
		if (!there->ports && !there->host)
			free = there;
		else if (ether_addr_equal(there->addr, e->addr) && there->vid == e->vid &&
			 there->domain == e->domain)
			return there;
	}
	return fake->full ? NULL : free;
}

enum parq_fdb_result parq_io_mdb_set(struct parq_dev *pd, const struct parq_mdb *e)
{
	struct parq_mdb *there = mdb_there(e);

	fake->sets++;
	if (e->vid == 5 && !fake->vlans)
		return PARQ_FDB_NONE;
	if (there)
		*there = *e;
	return there || (!e->ports && !e->host) ? PARQ_FDB_OK : PARQ_FDB_FULL;
}

bool parq_io_switch_groups(struct parq_dev *pd)
{
	return true;
}

void parq_io_switch_domain(struct parq_dev *pd, unsigned int domain, u32 mode)
{
	fake->mode[domain] = mode;
	fake->modes++;
}

bool mdb_br_multicast_enabled(const struct net_device *dev)
{
	return fake->enabled && dev == &fake->bridge;
}

bool mdb_br_multicast_router(const struct net_device *dev)
{
	return fake->router && dev == &fake->bridge;
}

bool mdb_br_multicast_has_querier_anywhere(struct net_device *dev, int proto)
{
	unsigned int i = dev - fake->dev;

	return (proto == ETH_P_IP ? fake->ipv4 : fake->ipv6) & BIT(i);
}

void mdb_put(void)
{
}

/* ---- cases -------------------------------------------------------------- */

static int mdb_init(struct kunit *test)
{
	unsigned int i;

	fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->pd.caps.ports = MDB_PORTS;
	fake->pd.sw = &fake->sw;
	fake->pd.dev = root_device_register("parq-mdb");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fake->pd.dev);
	fake->sw.pd = &fake->pd;
	mutex_init(&fake->sw.lock);
	for (i = 0; i < MDB_PORTS; i++) {
		fake->pd.port[i] = &fake->port[i];
		fake->port[i].pd = &fake->pd;
		fake->port[i].index = i;
		fake->port[i].netdev = &fake->dev[i];
	}
	fake->sw.ctrl[0] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1);
	fake->sw.ctrl[1] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, PARQ_MAX_PORTS);
	parq_switch_mdb_init(&fake->sw);
	return 0;
}

static void mdb_exit(struct kunit *test)
{
	parq_switch_mdb_fini(&fake->sw);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.num, 0U);
	KUNIT_EXPECT_TRUE(test, hash_empty(fake->sw.mdb.known));
	KUNIT_EXPECT_TRUE(test, hash_empty(fake->sw.mdb.by_vlan));
	root_device_unregister(fake->pd.dev);
}

/* Return: as the notifier; -ENOENT if it did not handle the event. */
static int mdb_event(unsigned long event, unsigned int id, struct net_device *dev, const u8 *addr,
		     u16 vid)
{
	struct switchdev_obj_port_mdb mdb = { .obj.id = id, .vid = vid };
	struct switchdev_notifier_port_obj_info info = { .info.dev = dev, .obj = &mdb.obj };
	int ret;

	ether_addr_copy(mdb.addr, addr);
	ret = parq_switch_mdb_notify(&fake->sw, event, &info);
	return info.handled ? notifier_to_errno(ret) : -ENOENT;
}

static int mdb_add(unsigned int port, const u8 *addr, u16 vid)
{
	return mdb_event(SWITCHDEV_PORT_OBJ_ADD, SWITCHDEV_OBJ_ID_PORT_MDB, &fake->dev[port], addr,
			 vid);
}

static int mdb_del(unsigned int port, const u8 *addr, u16 vid)
{
	return mdb_event(SWITCHDEV_PORT_OBJ_DEL, SWITCHDEV_OBJ_ID_PORT_MDB, &fake->dev[port], addr,
			 vid);
}

static int mdb_host(unsigned long event, unsigned int port)
{
	return mdb_event(event, SWITCHDEV_OBJ_ID_HOST_MDB, &fake->dev[port], mdb_addr, 0);
}

/* Return: members of a group in the device. */
static u64 mdb_ports(const u8 *addr, u16 vid, unsigned int domain)
{
	struct parq_mdb e = { .vid = vid, .domain = domain }, *there;

	ether_addr_copy(e.addr, addr);
	there = mdb_there(&e);
	return there ? there->ports | (there->host ? BIT_ULL(63) : 0) : 0;
}

static void mdb_snoop(unsigned int domain)
{
	parq_switch_mdb_snoop(&fake->sw, domain, true);
}

static void groups_have_members(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 1ULL);
	/* Of another domain, VLAN, address. */
	KUNIT_EXPECT_EQ(test, mdb_add(1, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, PARQ_MAX_PORTS), 2ULL);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 7), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_other, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.num, 4U);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 1ULL);
	/* What is known is not written again. */
	fake->sets = 0;
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
	fake->sw.ctrl[2] = fake->sw.ctrl[0];
	KUNIT_EXPECT_EQ(test, mdb_add(2, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 5ULL);
	KUNIT_EXPECT_EQ(test, mdb_del(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 4ULL);
	KUNIT_EXPECT_EQ(test, mdb_del(2, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.num, 3U);
	KUNIT_EXPECT_EQ(test, mdb_del(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 7, 1), 1ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_other, 0, 1), 1ULL);
}

static void bridge_is_a_member(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), BIT_ULL(63));
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), BIT_ULL(63) | 1);
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_DEL, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 1ULL);
	fake->sets = 0;
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->sets, 1U);
	KUNIT_EXPECT_EQ(test, mdb_del(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), BIT_ULL(63));
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.num, 1U);
}

static void others_are_told(struct kunit *test)
{
	static const u8 broadcast[ETH_ALEN] = { 255, 255, 255, 255, 255, 255 };

	KUNIT_EXPECT_EQ(test, mdb_add(0, broadcast, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, mdb_add(2, mdb_addr, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, mdb_event(SWITCHDEV_PORT_OBJ_ADD, SWITCHDEV_OBJ_ID_PORT_MDB,
					&fake->bridge, mdb_addr, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, mdb_event(SWITCHDEV_PORT_OBJ_ADD, SWITCHDEV_OBJ_ID_PORT_VLAN,
					&fake->dev[0], mdb_addr, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, mdb_event(SWITCHDEV_PORT_ATTR_SET, SWITCHDEV_OBJ_ID_PORT_MDB,
					&fake->dev[0], mdb_addr, 0), -ENOENT);
	fake->sw.has_groups = false;
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
}

/* A group without a place is flooded until it has one. */
static void groups_without_a_place(struct kunit *test)
{
	mdb_snoop(1);
	fake->full = true;
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), -ENOSPC);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_FLOOD));
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_other, 0), -ENOSPC);
	/* No error refuses a port to join. */
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fake->sw.mdb_refused), 3LL);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.missing[1], 2U);
	/* The first that has no place ends the attempt. */
	fake->sets = 0;
	parq_switch_mdb_watch(&fake->sw);
	KUNIT_EXPECT_EQ(test, fake->sets, 1U);
	KUNIT_EXPECT_EQ(test, mdb_del(0, mdb_other, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_FLOOD));
	fake->full = false;
	parq_switch_mdb_watch(&fake->sw);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), BIT_ULL(63) | 1);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)MDB_SNOOPS);
	fake->sets = 0;
	parq_switch_mdb_watch(&fake->sw);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.missing[1], 0U);
}

/* More than the driver keeps: they are flooded until the domain ends. */
static void groups_without_memory(struct kunit *test)
{
	mdb_snoop(1);
	fake->sw.mdb.num = 65536;
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_FLOOD));
	fake->sw.mdb.num = 65535;
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	fake->sw.mdb.num = 1;
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_FLOOD));
	parq_switch_mdb_end(&fake->sw, 1);
	mdb_snoop(1);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)MDB_SNOOPS);
}

static void groups_follow_vlans(struct kunit *test)
{
	struct parq_switch *sw = &fake->sw;

	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 5), 0);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 5, 1), 0ULL);
	fake->vlans = true;
	mutex_lock(&sw->lock);
	parq_switch_mdb_vlan(sw, PARQ_MAX_PORTS, 5, true);
	parq_switch_mdb_vlan(sw, 1, 6, true);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 5, 1), 0ULL);
	parq_switch_mdb_vlan(sw, 1, 5, true);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 5, 1), 1ULL);
	fake->sets = 0;
	parq_switch_mdb_vlan(sw, 1, 5, true);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
	/* The device has removed them together with the VLAN. */
	parq_switch_mdb_vlan(sw, 1, 5, false);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
	parq_switch_mdb_vlan(sw, 1, 5, true);
	KUNIT_EXPECT_EQ(test, fake->sets, 1U);
	mutex_unlock(&sw->lock);
}

/* Each bit by itself, in the first and in the last domain. */
static void domains_do_as_bridges(struct kunit *test)
{
	static const unsigned int domains[] = { 1, PARQ_MAX_PORTS };
	struct parq_switch *sw = &fake->sw;
	unsigned int i, domain, port;

	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		domain = domains[i];
		port = i;
		parq_switch_mdb_router(sw, domain, true);
		KUNIT_EXPECT_EQ(test, fake->modes, 0U);
		mdb_snoop(domain);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_HOST));
		parq_switch_mdb_router(sw, domain, false);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)MDB_SNOOPS);
		set_bit(domain, sw->foreign);
		mdb_snoop(domain);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_HOST));
		clear_bit(domain, sw->foreign);
		set_bit(domain, sw->by_vlan);
		mdb_snoop(domain);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_VLAN));
		parq_switch_mdb_snoop(sw, domain, false);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)PARQ_SW_DOMAIN_VLAN);
		clear_bit(domain, sw->by_vlan);
		mdb_snoop(domain);
		fake->ipv4 = BIT(port);
		parq_switch_mdb_watch(sw);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_IPV4));
		fake->ipv4 = 0;
		fake->ipv6 = BIT(port);
		parq_switch_mdb_watch(sw);
		KUNIT_EXPECT_EQ(test, fake->mode[domain], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_IPV6));
		fake->modes = 0;
		parq_switch_mdb_watch(sw);
		KUNIT_EXPECT_EQ(test, fake->modes, 0U);
		/* Queriers of a bridge that does not snoop do not matter. */
		parq_switch_mdb_snoop(sw, domain, false);
		fake->modes = 0;
		fake->ipv6 = 0;
		parq_switch_mdb_watch(sw);
		KUNIT_EXPECT_EQ(test, fake->modes, 0U);
		KUNIT_EXPECT_TRUE(test, test_bit(domain, sw->mdb.ipv6));
		parq_switch_mdb_end(sw, domain);
		fake->modes = 0;
	}
}

static void domains_begin_and_end(struct kunit *test)
{
	struct parq_switch *sw = &fake->sw;

	fake->enabled = true;
	parq_switch_mdb_begin(sw, 1, &fake->bridge);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)MDB_SNOOPS);
	fake->router = true;
	parq_switch_mdb_begin(sw, PARQ_MAX_PORTS, &fake->bridge);
	KUNIT_EXPECT_EQ(test, fake->mode[PARQ_MAX_PORTS], (u32)(MDB_SNOOPS | PARQ_SW_DOMAIN_HOST));
	fake->ipv4 = 3;
	fake->ipv6 = 3;
	parq_switch_mdb_watch(sw);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_host(SWITCHDEV_PORT_OBJ_ADD, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_other, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(1, mdb_addr, 0), 0);
	set_bit(1, sw->mdb.unknown);
	parq_switch_mdb_end(sw, 1);
	KUNIT_EXPECT_EQ(test, fake->mode[1], 0U);
	KUNIT_EXPECT_EQ(test, sw->mdb.num, 1U);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_other, 0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, PARQ_MAX_PORTS), 2ULL);
	/* The next bridge of the domain has nothing of it. */
	fake->enabled = false;
	fake->router = false;
	parq_switch_mdb_begin(sw, 1, &fake->bridge);
	mdb_snoop(1);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)MDB_SNOOPS);
}

static void ports_leave(struct kunit *test)
{
	fake->sw.ctrl[2] = fake->sw.ctrl[0];
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(2, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_other, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(2, mdb_addr, 7), 0);
	fake->sets = 0;
	parq_switch_mdb_leave(&fake->port[0], PARQ_MAX_PORTS);
	KUNIT_EXPECT_EQ(test, fake->sets, 0U);
	parq_switch_mdb_leave(&fake->port[0], 1);
	KUNIT_EXPECT_EQ(test, fake->sets, 2U);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 4ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_other, 0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 7, 1), 4ULL);
	KUNIT_EXPECT_EQ(test, fake->sw.mdb.num, 2U);
}

static void reset_loses_nothing(struct kunit *test)
{
	mdb_snoop(1);
	mdb_snoop(PARQ_MAX_PORTS);
	KUNIT_EXPECT_EQ(test, mdb_add(0, mdb_addr, 0), 0);
	KUNIT_EXPECT_EQ(test, mdb_add(1, mdb_other, 0), 0);
	memset(fake->there, 0, sizeof(fake->there));
	memset(fake->mode, 0, sizeof(fake->mode));
	fake->modes = 0;
	parq_switch_mdb_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_addr, 0, 1), 1ULL);
	KUNIT_EXPECT_EQ(test, mdb_ports(mdb_other, 0, PARQ_MAX_PORTS), 2ULL);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)MDB_SNOOPS);
	KUNIT_EXPECT_EQ(test, fake->mode[PARQ_MAX_PORTS], (u32)MDB_SNOOPS);
	KUNIT_EXPECT_EQ(test, fake->modes, 2U);
}

/* Neither of a bridge nor of a querier does such a device know anything. */
static void device_without_groups(struct kunit *test)
{
	struct parq_switch *sw = &fake->sw;

	sw->has_groups = false;
	mdb_snoop(1);
	set_bit(1, sw->by_vlan);
	mdb_snoop(1);
	KUNIT_EXPECT_EQ(test, fake->mode[1], (u32)PARQ_SW_DOMAIN_VLAN);
	fake->ipv4 = 3;
	parq_switch_mdb_watch(sw);
	KUNIT_EXPECT_FALSE(test, test_bit(1, sw->mdb.ipv4));
}

static struct kunit_case mdb_cases[] = {
	KUNIT_CASE(groups_have_members),
	KUNIT_CASE(bridge_is_a_member),
	KUNIT_CASE(others_are_told),
	KUNIT_CASE(groups_without_a_place),
	KUNIT_CASE(groups_without_memory),
	KUNIT_CASE(groups_follow_vlans),
	KUNIT_CASE(domains_do_as_bridges),
	KUNIT_CASE(domains_begin_and_end),
	KUNIT_CASE(ports_leave),
	KUNIT_CASE(reset_loses_nothing),
	KUNIT_CASE(device_without_groups),
	{}
};

static struct kunit_suite mdb_suite = {
	.name = "parq_switch_mdb",
	.init = mdb_init,
	.exit = mdb_exit,
	.test_cases = mdb_cases,
};

kunit_test_suite(mdb_suite);

MODULE_DESCRIPTION("KUnit suite of the groups of bridges");
MODULE_LICENSE("GPL");
