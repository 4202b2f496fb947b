// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of VLAN interfaces of ports that forward, over a fake device of two ports. */
#include <kunit/test.h>
#include <linux/rtnetlink.h>

#include "../parq_io.h"
#include "../parq_switch_domain.h"
#include "parq_vif_calls.h"

#define VIF_PORTS	2U
#define VIF_UPPERS	3U	/* of the first port */

/**
 * struct vif_fake - the device, and interfaces over its ports
 * @there: VIDs of VLAN interfaces that the device was told of, by port. Before the VID "-" if there
 *	is none any more, behind it "@" and the domain, if any
 * @ctrl: PARQ_SW_VIF_CTRL
 * @err: why that is not written, or 0
 * @id: VIDs of the upper interfaces of the first port
 * @proto: their protocols; 0: no VLAN interface
 * @uppers: how many there are
 * @upper: upper interfaces of the first port; the other has none
 * @dev: netdevs of the ports
 * @port: ports
 * @pd: device
 * @sw: the part of it that forwards
 */
struct vif_fake {
	char there[VIF_PORTS][60];
	u32 ctrl;
	int err;
	u16 id[VIF_UPPERS];
	u16 proto[VIF_UPPERS];
	unsigned int uppers;
	struct net_device upper[VIF_UPPERS];
	struct net_device dev[VIF_PORTS];
	struct parq_port port[VIF_PORTS];
	struct parq_dev pd;
	struct parq_switch sw;
};

static struct vif_fake *fake;

/* ---- fakes -------------------------------------------------------------- */

void parq_io_switch_vif(const struct parq_port *port, u16 vid, bool on)
{
	char *there = fake->there[port->index];
	unsigned int len = strlen(there);

	len += snprintf(there + len, sizeof(fake->there[0]) - len, " %s%u", on ? "" : "-", vid);
	if (on && fake->ctrl)
		snprintf(there + len, sizeof(fake->there[0]) - len, "@%lu",
			 FIELD_GET(PARQ_SW_CTRL_DOMAIN, fake->ctrl));
}

int parq_io_switch_vif_ctrl(const struct parq_port *port, u32 ctrl)
{
	if (!fake->err)
		fake->ctrl = ctrl;
	return fake->err;
}

/* The device at the bottom. */
struct net_device *vif_real_dev(const struct net_device *dev)
{
	return &fake->dev[0];
}

bool vif_is_vlan(const struct net_device *dev)
{
	return fake->proto[dev - fake->upper];
}

u16 vif_id(const struct net_device *dev)
{
	return fake->id[dev - fake->upper];
}

__be16 vif_proto(const struct net_device *dev)
{
	return htons(fake->proto[dev - fake->upper]);
}

/* The iterator is that of the last interface, or of the port. */
struct net_device *vif_upper(struct net_device *dev, struct list_head **iter)
{
	unsigned int i;

	if (dev != &fake->dev[0])
		return NULL;
	for (i = 0; i < fake->uppers; i++)
		if (*iter == (i ? &fake->upper[i - 1].dev_list : &dev->adj_list.upper))
			break;
	if (i == fake->uppers)
		return NULL;
	*iter = &fake->upper[i].dev_list;
	return &fake->upper[i];
}

/* ---- cases -------------------------------------------------------------- */

/* One more upper interface of the first port. */
static struct net_device *vif_new(u16 proto, u16 id)
{
	unsigned int i = fake->uppers++;

	fake->proto[i] = proto;
	fake->id[i] = id;
	return &fake->upper[i];
}

static void vif_expect(struct kunit *test, const char *there)
{
	KUNIT_EXPECT_STREQ(test, fake->there[0], there);
	KUNIT_EXPECT_STREQ(test, fake->there[1], "");
	fake->there[0][0] = 0;
}

/* @reason: why the first port cannot have the interface; NULL: it can */
static void vif_try(struct kunit *test, const struct net_device *vlan, const char *reason)
{
	char found[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_switch_vif_possible(&fake->port[0], vlan, found), !reason);
	KUNIT_EXPECT_STREQ(test, found, reason ?: "");
}

static void vif_join(struct kunit *test, const char *reason)
{
	char found[PARQ_REASON_LEN] = "";

	KUNIT_EXPECT_EQ(test, parq_switch_vif_can_join(&fake->port[0], found), !reason);
	KUNIT_EXPECT_STREQ(test, found, reason ?: "");
}

/* The first port is a member of VLAN 10 of domain 1. */
static void vif_in_vlan(struct kunit *test, bool filters)
{
	static struct parq_vlan v;

	v = (struct parq_vlan){ .ports = BIT_ULL(0), .vid = 10, .domain = 1 };
	__assign_bit(1, fake->sw.by_vlan, filters);
	KUNIT_ASSERT_NULL(test, xa_store(&fake->sw.vlans, parq_vlan_index(1, 10), &v, GFP_KERNEL));
}

static void vif_kinds(struct kunit *test)
{
	static const char no_s_tag[] = "a port in a bridge cannot have 802.1ad VLAN interfaces";
	static const char no_vid[] = "a port in a bridge cannot have a VLAN interface with VID 0";

	vif_try(test, vif_new(ETH_P_8021Q, 10), NULL);
	vif_join(test, NULL);
	vif_try(test, vif_new(ETH_P_8021AD, 20), no_s_tag);
	vif_join(test, no_s_tag);
	fake->proto[1] = ETH_P_8021Q;
	fake->id[1] = 0;
	vif_try(test, &fake->upper[1], no_vid);
	vif_join(test, no_vid);
	/* Outside bridges. */
	fake->sw.ctrl[0] = 0;
	vif_try(test, &fake->upper[1], NULL);
}

static void vif_without_capability(struct kunit *test)
{
	struct net_device *vlan = vif_new(ETH_P_8021Q, 10);

	fake->sw.has_vifs = false;
	vif_try(test, vlan, "a port in a bridge cannot have VLAN interfaces");
	vif_join(test, "a port in a bridge cannot have VLAN interfaces");
	parq_switch_vif_set(&fake->port[0], vlan, true);
	parq_switch_vif_restart(&fake->sw);
	vif_expect(test, "");
	/* A bond over it. */
	fake->proto[0] = 0;
	vif_join(test, NULL);
}

static void vif_in_a_vlan_of_the_bridge(struct kunit *test)
{
	char reason[PARQ_REASON_LEN] = "";

	vif_in_vlan(test, true);
	vif_try(test, vif_new(ETH_P_8021Q, 11), NULL);
	KUNIT_EXPECT_TRUE(test, parq_switch_vif_can_filter(&fake->sw, 1, reason));
	vif_try(test, vif_new(ETH_P_8021Q, 10), "the port is a member of VLAN 10 of its bridge");
	KUNIT_EXPECT_FALSE(test, parq_switch_vif_can_filter(&fake->sw, 1, reason));
	KUNIT_EXPECT_STREQ(test, reason, "port0 has VLAN 10 and a VLAN interface with this VID");
	KUNIT_EXPECT_TRUE(test, parq_switch_vif_can_filter(&fake->sw, 2, reason));
	__clear_bit(1, fake->sw.by_vlan);
	vif_try(test, &fake->upper[1], NULL);
}

static void vif_exists(struct kunit *test)
{
	vif_new(0, 12);
	vif_new(ETH_P_8021Q, 10);
	vif_new(ETH_P_8021Q, 11);
	vif_new(ETH_P_8021AD, 13);
	KUNIT_EXPECT_TRUE(test, parq_switch_vif_exists(&fake->port[0], 10));
	KUNIT_EXPECT_TRUE(test, parq_switch_vif_exists(&fake->port[0], 11));
	KUNIT_EXPECT_FALSE(test, parq_switch_vif_exists(&fake->port[0], 12));
	KUNIT_EXPECT_FALSE(test, parq_switch_vif_exists(&fake->port[0], 13));
	KUNIT_EXPECT_FALSE(test, parq_switch_vif_exists(&fake->port[1], 10));
}

/* The device is told of 802.1Q interfaces alone, and again after a reset. */
static void vif_in_the_device(struct kunit *test)
{
	parq_switch_vif_set(&fake->port[0], vif_new(ETH_P_8021Q, 10), true);
	vif_expect(test, " 10");
	parq_switch_vif_set(&fake->port[0], &fake->upper[0], false);
	vif_expect(test, " -10");
	parq_switch_vif_set(&fake->port[0], vif_new(ETH_P_8021AD, 20), true);
	vif_expect(test, "");
	vif_new(ETH_P_8021Q, 4094);
	parq_switch_vif_restart(&fake->sw);
	vif_expect(test, " 10 4094");
}

static u32 vif_member_ctrl(unsigned int domain)
{
	return FIELD_PREP(PARQ_SW_CTRL_DOMAIN, domain);
}

/* One that the device can have in a domain. */
static void vif_can_be_member(struct kunit *test)
{
	struct net_device *vlan = vif_new(ETH_P_8021Q, 10);

	KUNIT_EXPECT_PTR_EQ(test, parq_switch_vif_port(&fake->sw, vlan), &fake->port[0]);
	/* Over another VLAN interface. */
	fake->proto[1] = ETH_P_8021Q;
	fake->id[1] = 12;
	KUNIT_EXPECT_NULL(test, parq_switch_vif_port(&fake->sw, &fake->upper[1]));
	vif_new(ETH_P_8021AD, 20);
	KUNIT_EXPECT_NULL(test, parq_switch_vif_port(&fake->sw, &fake->upper[1]));
	fake->sw.has_vif_domains = false;
	KUNIT_EXPECT_NULL(test, parq_switch_vif_port(&fake->sw, vlan));
	/* The device has no register for it. */
	fake->ctrl = vif_member_ctrl(1);
	parq_switch_vif_set(&fake->port[0], vlan, true);
	vif_expect(test, " 10@1");
}

static void vif_is_member(struct kunit *test)
{
	struct parq_member found, m = { .port = &fake->port[0], .domain = 2 };
	struct net_device *vlan = vif_new(ETH_P_8021Q, 10);
	char reason[PARQ_REASON_LEN];

	vif_new(ETH_P_8021Q, 11);
	snprintf(vlan->name, IFNAMSIZ, "port0.10");
	KUNIT_ASSERT_EQ(test, parq_switch_vif_new(&m, vlan), 0);
	KUNIT_EXPECT_EQ(test, m.vif->vid, 10);
	KUNIT_EXPECT_TRUE(test, parq_switch_find(&fake->sw, vlan, &found));
	KUNIT_EXPECT_PTR_EQ(test, found.vif, m.vif);
	KUNIT_EXPECT_PTR_EQ(test, found.port, &fake->port[0]);
	KUNIT_EXPECT_EQ(test, found.domain, 2U);
	KUNIT_EXPECT_FALSE(test, parq_switch_domain_used(&fake->sw, 2));
	m.vif->ctrl = vif_member_ctrl(2);
	KUNIT_EXPECT_TRUE(test, parq_switch_domain_used(&fake->sw, 2));
	KUNIT_EXPECT_EQ(test, parq_switch_wish(&fake->sw, 2, 0), m.vif->ctrl);
	KUNIT_EXPECT_EQ(test, parq_switch_wish(&fake->sw, 1, 0), fake->sw.ctrl[0]);
	KUNIT_EXPECT_EQ(test, parq_switch_wish(&fake->sw, 2, 1), 0U);
	KUNIT_EXPECT_PTR_EQ(test, parq_switch_member_dev(&fake->sw, 2, 0), vlan);
	KUNIT_EXPECT_PTR_EQ(test, parq_switch_member_dev(&fake->sw, 1, 0), &fake->dev[0]);
	KUNIT_EXPECT_FALSE(test, parq_switch_vif_can_filter(&fake->sw, 2, reason));
	KUNIT_EXPECT_STREQ(test, reason,
			   "port0.10 is a VLAN interface: its bridge cannot filter VLANs");
	KUNIT_EXPECT_TRUE(test, parq_switch_vif_can_filter(&fake->sw, 1, reason));
	mutex_lock(&fake->sw.lock);
	parq_switch_vif_write(&fake->port[0], m.vif, m.vif->ctrl);
	mutex_unlock(&fake->sw.lock);
	vif_expect(test, " 10@2");
	parq_switch_vif_restart(&fake->sw);
	vif_expect(test, " 10@2 11");
	/* Settings that the device refuses: not those of the one before. */
	fake->err = -EIO;
	parq_switch_vif_restart(&fake->sw);
	vif_expect(test, "");
	/* It has left its port, and needs none. */
	fake->uppers = 0;
	mutex_lock(&fake->sw.lock);
	parq_switch_vif_write(&fake->port[0], m.vif, 0);
	mutex_unlock(&fake->sw.lock);
	vif_expect(test, " -10");
	fake->err = 0;
	parq_switch_vif_free(&m);
	KUNIT_EXPECT_FALSE(test, parq_switch_find(&fake->sw, vlan, &found));
}

static int vif_init(struct kunit *test)
{
	unsigned int i;

	fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->pd.caps.ports = VIF_PORTS;
	fake->pd.sw = &fake->sw;
	fake->sw.pd = &fake->pd;
	fake->sw.has_vifs = true;
	fake->sw.has_vif_domains = true;
	fake->sw.has_groups = true;
	mutex_init(&fake->sw.lock);
	xa_init(&fake->sw.vifs);
	xa_init(&fake->sw.vlans);
	for (i = 0; i < VIF_PORTS; i++) {
		fake->port[i].netdev = &fake->dev[i];
		fake->port[i].pd = &fake->pd;
		fake->port[i].index = i;
		fake->pd.port[i] = &fake->port[i];
		fake->sw.ctrl[i] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1);
		snprintf(fake->dev[i].name, IFNAMSIZ, "port%u", i);
	}
	rtnl_lock();
	return 0;
}

static void vif_exit(struct kunit *test)
{
	if (!fake)
		return;
	rtnl_unlock();
	xa_destroy(&fake->sw.vlans);
	xa_destroy(&fake->sw.vifs);
	mutex_destroy(&fake->sw.lock);
}

static struct kunit_case vif_cases[] = {
	KUNIT_CASE(vif_kinds),
	KUNIT_CASE(vif_without_capability),
	KUNIT_CASE(vif_in_a_vlan_of_the_bridge),
	KUNIT_CASE(vif_exists),
	KUNIT_CASE(vif_in_the_device),
	KUNIT_CASE(vif_can_be_member),
	KUNIT_CASE(vif_is_member),
	{}
};

static struct kunit_suite vif_suite = {
	.name = "parq_switch_vif",
	.init = vif_init,
	.exit = vif_exit,
	.test_cases = vif_cases,
};

kunit_test_suite(vif_suite);

MODULE_DESCRIPTION("KUnit suite of VLAN interfaces of ports that forward");
MODULE_LICENSE("GPL");
