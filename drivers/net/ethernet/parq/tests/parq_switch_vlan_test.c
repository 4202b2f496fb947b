// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the VLANs of bridges, over a fake device of two ports with a domain each. */
#include <kunit/test.h>
#include <linux/if_bridge.h>
#include <net/switchdev.h>

#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_switch_domain.h"

#define VLAN_PORTS	2U
#define VLAN_VIDS	8	/* of each domain, from 0 on; the last one is VLAN_N_VID - 1 */
#define VLAN_ANY	(BRIDGE_VLAN_INFO_PVID | BRIDGE_VLAN_INFO_UNTAGGED)

/**
 * struct vlan_fake - the device, and what the driver has told of it
 * @there: VLANs of the device, by domain
 * @full: it has no place for more
 * @pvid: PVID by port
 * @told: VLANs of which the groups know, by domain
 * @domains: domains that were written, BIT(domain)
 * @reason: why a VLAN was refused
 * @vif: VID of a VLAN interface of each port
 * @dev: netdevs of the ports
 * @bridge: bridges by domain
 * @port: ports
 * @pd: device
 * @sw: the part of it that forwards
 */
struct vlan_fake {
	struct parq_vlan there[VLAN_PORTS + 1][VLAN_VIDS];
	bool full;
	u16 pvid[VLAN_PORTS];
	unsigned int told[VLAN_PORTS + 1];
	unsigned int domains;
	char reason[PARQ_REASON_LEN];
	u16 vif;
	struct net_device dev[VLAN_PORTS];
	struct net_device bridge[VLAN_PORTS + 1];
	struct parq_port port[VLAN_PORTS];
	struct parq_dev pd;
	struct parq_switch sw;
};

static struct vlan_fake *fake;

/* ---- fakes -------------------------------------------------------------- */

static struct parq_vlan *vlan_there(unsigned int domain, u16 vid)
{
	return &fake->there[domain][min_t(u16, vid, VLAN_VIDS - 1)];
}

bool parq_io_switch_vlan(struct parq_dev *pd, const struct parq_vlan *v)
{
	struct parq_vlan *there = vlan_there(v->domain, v->vid);

	if (fake->full && !there->vid && (v->ports || v->bridge))
		return false;
	*there = *v;
	if (!v->ports && !v->host)
		there->vid = 0;
	return true;
}

void parq_io_switch_pvid(const struct parq_port *port, u16 vid)
{
	fake->pvid[port->index] = vid;
}

void parq_switch_mdb_vlan(struct parq_switch *sw, unsigned int domain, u16 vid, bool there)
{
	fake->told[domain] += there ? 1 : -1;
}

void parq_switch_domain_write(struct parq_switch *sw, unsigned int domain)
{
	fake->domains |= BIT(domain);
}

void parq_switch_fdb_leave_vlans(struct parq_switch *sw)
{
}

bool parq_switch_vif_exists(struct parq_port *port, u16 vid)
{
	return fake->vif == vid;
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	strscpy(fake->reason, reason, sizeof(fake->reason));
	return err;
}

/* ---- cases -------------------------------------------------------------- */

/* VLANs of a domain that the device has. */
static unsigned int vlan_count(unsigned int domain)
{
	unsigned int i, n = 0;

	for (i = 0; i < VLAN_VIDS; i++)
		n += !!fake->there[domain][i].vid;
	return n;
}

static int vlan_event(unsigned long event, struct net_device *dev, u16 vid, u16 flags)
{
	struct switchdev_obj_port_vlan vlan = {
		.obj.id = SWITCHDEV_OBJ_ID_PORT_VLAN, .obj.orig_dev = dev,
		.vid = vid, .flags = flags,
	};
	struct netlink_ext_ack extack = {};
	struct switchdev_notifier_port_obj_info info = {
		.info.dev = dev, .info.extack = &extack, .obj = &vlan.obj,
	};

	return notifier_to_errno(parq_switch_vlan_notify(&fake->sw, event, &info));
}

static int vlan_add(struct net_device *dev, u16 vid, u16 flags)
{
	return vlan_event(SWITCHDEV_PORT_OBJ_ADD, dev, vid, flags);
}

/* Port 0 is in domain 1 and port 1 in domain 2: the first VLAN, and the last one. */
static void vlan_join_all(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < VLAN_PORTS; i++) {
		KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[i], 1, VLAN_ANY), 0);
		KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[i], 2, 0), 0);
		KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[i], VLAN_N_VID - 1, 0), 0);
		KUNIT_EXPECT_EQ(test, vlan_count(i + 1), 3U);
		KUNIT_EXPECT_EQ(test, fake->told[i + 1], 3U);
		KUNIT_EXPECT_EQ(test, vlan_there(i + 1, 1)->ports, BIT_ULL(i));
		KUNIT_EXPECT_EQ(test, vlan_there(i + 1, 1)->untagged, BIT_ULL(i));
		KUNIT_EXPECT_EQ(test, vlan_there(i + 1, 2)->untagged, 0ULL);
		KUNIT_EXPECT_EQ(test, fake->pvid[i], 1);
	}
}

/* Those of the other bridge stay. */
static void vlan_domain_ends(struct kunit *test)
{
	vlan_join_all(test);
	parq_switch_vlan_filter(&fake->sw, 1, true);
	__set_bit(1, fake->sw.foreign);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->bridge[1], 1, 0), 0);
	fake->domains = 0;
	parq_switch_vlan_end(&fake->sw, 1);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 0U);
	KUNIT_EXPECT_EQ(test, fake->told[1], 0U);
	KUNIT_EXPECT_EQ(test, vlan_count(2), 3U);
	KUNIT_EXPECT_EQ(test, fake->told[2], 3U);
	KUNIT_EXPECT_FALSE(test, test_bit(1, fake->sw.by_vlan));
	KUNIT_EXPECT_FALSE(test, test_bit(1, fake->sw.foreign));
	KUNIT_EXPECT_EQ(test, fake->domains, (unsigned int)BIT(1));
	parq_switch_vlan_end(&fake->sw, 2);
	KUNIT_EXPECT_TRUE(test, xa_empty(&fake->sw.vlans));
}

/* The bridge is a member of one VLAN, which therefore stays. */
static void vlan_port_leaves(struct kunit *test)
{
	vlan_join_all(test);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->bridge[1], 2, 0), 0);
	parq_switch_vlan_leave(&fake->port[0], 1);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 1U);
	KUNIT_EXPECT_EQ(test, vlan_there(1, 2)->ports, 0ULL);
	KUNIT_EXPECT_EQ(test, vlan_count(2), 3U);
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 0);
	KUNIT_EXPECT_EQ(test, fake->pvid[1], 1);
	KUNIT_EXPECT_EQ(test, vlan_event(SWITCHDEV_PORT_OBJ_DEL, &fake->bridge[1], 2, 0), 0);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 0U);
}

/* A port that the user tells again, with other flags. */
static void vlan_changes(struct kunit *test)
{
	vlan_join_all(test);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[0], 2, VLAN_ANY), 0);
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 2);
	KUNIT_EXPECT_EQ(test, vlan_there(1, 2)->untagged, 1ULL);
	/* VLAN 2 is neither that of untagged frames any more, nor sent without tags. */
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[0], 2, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 0);
	KUNIT_EXPECT_EQ(test, vlan_there(1, 2)->untagged, 0ULL);
	KUNIT_EXPECT_EQ(test, fake->told[1], 3U);
	KUNIT_EXPECT_EQ(test, vlan_event(SWITCHDEV_PORT_OBJ_DEL, &fake->dev[0], 1, 0), 0);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 2U);
}

static void vlan_has_no_place(struct kunit *test)
{
	vlan_join_all(test);
	fake->full = true;
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[0], 3, VLAN_ANY), -ENOSPC);
	KUNIT_EXPECT_STREQ(test, fake->reason, "the device has no place for one more VLAN");
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	KUNIT_EXPECT_EQ(test, fake->told[1], 3U);
	KUNIT_EXPECT_NULL(test, xa_load(&fake->sw.vlans, parq_vlan_index(1, 3)));
	/* A member more of a VLAN that is there takes no place. */
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->bridge[1], 1, 0), 0);
	KUNIT_EXPECT_TRUE(test, vlan_there(1, 1)->bridge);
}

/* A bridge that filters cannot have the VLAN of an interface. One that does not can. */
static void vlan_of_an_interface(struct kunit *test)
{
	vlan_join_all(test);
	fake->vif = 3;
	parq_switch_vlan_filter(&fake->sw, 1, true);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[0], 3, VLAN_ANY), -EBUSY);
	KUNIT_EXPECT_STREQ(test, fake->reason, "the port has a VLAN interface with VID 3");
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	KUNIT_EXPECT_NULL(test, xa_load(&fake->sw.vlans, parq_vlan_index(1, 3)));
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->bridge[1], 3, 0), 0);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[1], 3, 0), 0);
}

/* Port 0 is in domain 2 by a VLAN interface, whose VLANs are not those of the port. */
static void vlan_of_a_member(struct kunit *test)
{
	static struct net_device dev;
	struct parq_vif vif = { .dev = &dev, .ctrl = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 2) };

	vlan_join_all(test);
	KUNIT_ASSERT_NULL(test, xa_store(&fake->sw.vifs, parq_vif_index(2, 0), &vif, GFP_KERNEL));
	KUNIT_EXPECT_EQ(test, vlan_add(&dev, 3, VLAN_ANY), 0);
	KUNIT_EXPECT_EQ(test, vlan_there(2, 3)->ports, BIT_ULL(0));
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	KUNIT_EXPECT_EQ(test, vlan_add(&dev, 1, 0), 0);
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	parq_switch_vlan_leave(&fake->port[0], 2);
	KUNIT_EXPECT_EQ(test, vlan_there(2, 1)->ports, BIT_ULL(1));
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	xa_erase(&fake->sw.vifs, parq_vif_index(2, 0));
}

/* The host gets frames of VLANs of the bridge, and of all of them if it has other members. */
static void vlan_for_host(struct kunit *test)
{
	vlan_join_all(test);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->bridge[1], 1, 0), 0);
	KUNIT_EXPECT_TRUE(test, vlan_there(1, 1)->host);
	KUNIT_EXPECT_FALSE(test, vlan_there(1, 2)->host);
	__set_bit(1, fake->sw.foreign);
	parq_switch_vlan_update(&fake->sw, 1);
	KUNIT_EXPECT_TRUE(test, vlan_there(1, 2)->host);
	KUNIT_EXPECT_TRUE(test, vlan_there(1, VLAN_N_VID - 1)->host);
	KUNIT_EXPECT_FALSE(test, vlan_there(2, 2)->host);
	__clear_bit(1, fake->sw.foreign);
	parq_switch_vlan_update(&fake->sw, 1);
	KUNIT_EXPECT_TRUE(test, vlan_there(1, 1)->host);
	KUNIT_EXPECT_FALSE(test, vlan_there(1, 2)->host);
}

/* A reset of the device. */
static void vlan_restarts(struct kunit *test)
{
	vlan_join_all(test);
	memset(fake->there, 0, sizeof(fake->there));
	memset(fake->pvid, 0, sizeof(fake->pvid));
	parq_switch_vlan_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 3U);
	KUNIT_EXPECT_EQ(test, vlan_count(2), 3U);
	KUNIT_EXPECT_EQ(test, fake->pvid[0], 1);
	KUNIT_EXPECT_EQ(test, fake->pvid[1], 1);
	/* One that has no VLANs is told of none. */
	fake->sw.has_vlans = false;
	memset(fake->there, 0, sizeof(fake->there));
	parq_switch_vlan_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 0U);
	KUNIT_EXPECT_EQ(test, vlan_add(&fake->dev[0], 3, 0), 0);
	KUNIT_EXPECT_EQ(test, vlan_count(1), 0U);
}

static int vlan_init(struct kunit *test)
{
	unsigned int i;

	fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->pd.caps.ports = VLAN_PORTS;
	fake->pd.sw = &fake->sw;
	fake->sw.pd = &fake->pd;
	fake->sw.has_vlans = true;
	fake->sw.has_groups = true;
	mutex_init(&fake->sw.lock);
	xa_init(&fake->sw.vifs);
	xa_init(&fake->sw.vlans);
	for (i = 0; i < VLAN_PORTS; i++) {
		fake->port[i].netdev = &fake->dev[i];
		fake->port[i].pd = &fake->pd;
		fake->port[i].index = i;
		fake->pd.port[i] = &fake->port[i];
		fake->sw.bridge[i + 1] = &fake->bridge[i + 1];
		fake->sw.ctrl[i] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, i + 1);
	}
	return 0;
}

static void vlan_exit(struct kunit *test)
{
	unsigned int i;

	if (!fake)
		return;
	for (i = 1; i <= VLAN_PORTS; i++)
		parq_switch_vlan_end(&fake->sw, i);
	xa_destroy(&fake->sw.vlans);
	xa_destroy(&fake->sw.vifs);
	mutex_destroy(&fake->sw.lock);
}

static struct kunit_case vlan_cases[] = {
	KUNIT_CASE(vlan_domain_ends),
	KUNIT_CASE(vlan_port_leaves),
	KUNIT_CASE(vlan_changes),
	KUNIT_CASE(vlan_has_no_place),
	KUNIT_CASE(vlan_of_an_interface),
	KUNIT_CASE(vlan_of_a_member),
	KUNIT_CASE(vlan_for_host),
	KUNIT_CASE(vlan_restarts),
	{}
};

static struct kunit_suite vlan_suite = {
	.name = "parq_switch_vlan",
	.init = vlan_init,
	.exit = vlan_exit,
	.test_cases = vlan_cases,
};

kunit_test_suite(vlan_suite);

MODULE_DESCRIPTION("KUnit suite of the VLANs of bridges");
MODULE_LICENSE("GPL");
