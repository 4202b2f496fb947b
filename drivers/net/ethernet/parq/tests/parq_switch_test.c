// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of ports that join bridges and leave them, of settings of bridges, and of counters
 * of frames between ports, over fakes of the device's tables. The fakes note their calls.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_bridge.h>

#include "../parq_buf.h"
#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_pool.h"
#include "../parq_red.h"
#include "../parq_switch.h"
#include "../parq_switch_domain.h"
#include "parq_bridge_calls.h"

#define YARD_PORTS	3
#define YARD_BRIDGES	2
#define YARD_NEW							\
	(PARQ_SW_CTRL_HOST_FLOOD | PARQ_SW_CTRL_LEARN | PARQ_SW_CTRL_FLOOD |	\
	 PARQ_SW_CTRL_MCAST_FLOOD | PARQ_SW_CTRL_BCAST_FLOOD)

/**
 * struct yard - the device, its bridges, and what the fakes have seen
 * @calls: names of fakes in the order in which they were called, each after a space
 * @ctrl: PARQ_SW_CTRL, by port
 * @writes: number of writes of @ctrl
 * @age: PARQ_SW_FDB_AGE
 * @stat: what each counter reads
 * @addr: address of the first port
 * @pool: there is a pool
 * @egress_err: what the account of what waits costs
 * @bus_off: number of counters that can still be read
 * @offload_err: what the bridge says of a port that joins
 * @ageing: ageing time of bridges; 0: the module of bridges is not there
 * @unusable: why VLANs cannot be filtered
 * @vlan_ret: what VLANs return
 * @registers: notifiers that can still be registered
 * @registered: notifiers
 * @reason: why something was refused last
 * @vif_port: port of @vlan, if that can be a member of a domain
 * @vif_err: what it costs
 * @vif: the same as a member
 * @vif_ctrl: its settings in the device
 * @impossible: ports in a bridge cannot have VLAN interfaces
 * @conflict: a bridge cannot filter because of VLAN interfaces
 * @dev: netdevs of the ports
 * @bridge: bridges
 * @vlan: a VLAN interface
 * @port: ports
 * @pd: device
 */
struct yard {
	char calls[400];
	u32 ctrl[YARD_PORTS];
	unsigned int writes;
	u32 age;
	u64 stat;
	u8 addr[ETH_ALEN];
	bool pool;
	int egress_err;
	int bus_off;
	int offload_err;
	clock_t ageing;
	const char *unusable;
	int vlan_ret;
	unsigned int registers;
	unsigned int registered;
	char reason[PARQ_REASON_LEN];
	struct parq_port *vif_port;
	int vif_err;
	struct parq_vif vif;
	u32 vif_ctrl;
	bool impossible;
	bool conflict;
	struct net_device dev[YARD_PORTS];
	struct net_device bridge[YARD_BRIDGES];
	struct net_device vlan;
	struct parq_port port[YARD_PORTS];
	struct parq_dev pd;
};

static struct yard *yard;

/* ---- fakes -------------------------------------------------------------- */

static void yard_call(const char *name, unsigned int n)
{
	unsigned int len = strlen(yard->calls);

	snprintf(yard->calls + len, sizeof(yard->calls) - len, " %s%u", name, n);
}

int parq_io_switch_ctrl(const struct parq_port *port, u32 ctrl)
{
	yard->ctrl[port->index] = ctrl;
	yard->writes++;
	return 0;
}

void parq_io_fdb_age(struct parq_dev *pd, u32 seconds)
{
	yard->age = seconds;
}

/* A counter of its own for each port and value. */
u64 parq_io_switch_stat(const struct parq_port *port, enum parq_sw_stat n)
{
	if (!yard->bus_off--)
		clear_bit(PARQ_DEV_READY, &port->pd->flags);
	return yard->stat << (n + 1) | port->index;
}

bool parq_io_switch_no_entry(struct parq_dev *pd)
{
	return true;
}

bool parq_io_switch_vlans(struct parq_dev *pd)
{
	return true;
}

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN])
{
	ether_addr_copy(addr, yard->addr);
}

void parq_switch_vlan_update(struct parq_switch *sw, unsigned int domain)
{
	yard_call("update", domain);
}

const char *parq_switch_vlan_unusable(const struct parq_switch *sw, unsigned int domain)
{
	return yard->unusable;
}

void parq_switch_vlan_filter(struct parq_switch *sw, unsigned int domain, bool on)
{
	yard_call(on ? "filter" : "no-filter", domain);
}

int parq_switch_vlan_notify(struct parq_switch *sw, unsigned long event, void *info)
{
	yard_call("vlan", event);
	return yard->vlan_ret;
}

void parq_switch_vlan_members(struct parq_switch *sw, struct net_device *dev)
{
	yard_call("members", dev - yard->bridge);
}

void parq_switch_vlan_end(struct parq_switch *sw, unsigned int domain)
{
	yard_call("vlan-end", domain);
}

void parq_switch_vlan_leave(struct parq_port *port, unsigned int domain)
{
	yard_call("vlan-leave", domain);
}

void parq_switch_vlan_restart(struct parq_switch *sw)
{
	yard_call("vlan-restart", 0);
}

bool parq_io_switch_vifs(struct parq_dev *pd)
{
	return true;
}

bool parq_switch_vif_possible(struct parq_port *port, const struct net_device *vlan,
			      char reason[PARQ_REASON_LEN])
{
	snprintf(reason, PARQ_REASON_LEN, "no interface at %u", port->index);
	return !yard->impossible;
}

bool parq_switch_vif_can_join(struct parq_port *port, char reason[PARQ_REASON_LEN])
{
	snprintf(reason, PARQ_REASON_LEN, "no bridge at %u", port->index);
	return !yard->impossible;
}

bool parq_io_switch_vif_domains(struct parq_dev *pd)
{
	return true;
}

struct parq_port *parq_switch_vif_port(struct parq_switch *sw, const struct net_device *vlan)
{
	return yard->vif_port;
}

int parq_switch_vif_new(struct parq_member *m, struct net_device *vlan)
{
	if (yard->vif_err)
		return yard->vif_err;
	m->vif = &yard->vif;
	yard->vif = (struct parq_vif){ .dev = vlan, .vid = 10, .port = m->port->index };
	return xa_err(xa_store(&yard->pd.sw->vifs, parq_vif_index(m->domain, m->port->index),
			       m->vif, GFP_KERNEL));
}

void parq_switch_vif_free(const struct parq_member *m)
{
	xa_erase(&yard->pd.sw->vifs, parq_vif_index(m->domain, m->port->index));
	yard_call("vif-free", m->domain);
}

void parq_switch_vif_write(struct parq_port *port, const struct parq_vif *vif, u32 ctrl)
{
	yard->vif_ctrl = ctrl;
	yard->writes++;
}

void parq_switch_vif_set(struct parq_port *port, const struct net_device *vlan, bool on)
{
	yard_call(on ? "vif" : "no-vif", port->index);
}

bool parq_switch_vif_can_filter(struct parq_switch *sw, unsigned int domain,
				char reason[PARQ_REASON_LEN])
{
	snprintf(reason, PARQ_REASON_LEN, "no filter in %u", domain);
	return !yard->conflict;
}

void parq_switch_vif_restart(struct parq_switch *sw)
{
	yard_call("vif-restart", 0);
}

void parq_switch_mdb_snoop(struct parq_switch *sw, unsigned int domain, bool on)
{
	yard_call(on ? "snoop" : "no-snoop", domain);
}

void parq_switch_mdb_router(struct parq_switch *sw, unsigned int domain, bool on)
{
	yard_call(on ? "router" : "no-router", domain);
}

int parq_switch_mdb_notify(struct parq_switch *sw, unsigned long event, void *info)
{
	yard_call("mdb", event);
	return NOTIFY_DONE;
}

void parq_switch_mdb_begin(struct parq_switch *sw, unsigned int domain,
			   const struct net_device *bridge)
{
	yard_call("mdb-begin", domain);
}

void parq_switch_mdb_end(struct parq_switch *sw, unsigned int domain)
{
	yard_call("mdb-end", domain);
}

void parq_switch_mdb_leave(struct parq_port *port, unsigned int domain)
{
	yard_call("mdb-leave", domain);
}

void parq_switch_mdb_watch(struct parq_switch *sw)
{
	yard_call("mdb-watch", 0);
}

void parq_switch_mdb_restart(struct parq_switch *sw)
{
	yard_call("mdb-restart", 0);
}

void parq_switch_mdb_init(struct parq_switch *sw)
{
	sw->has_groups = true;
}

void parq_switch_mdb_fini(struct parq_switch *sw)
{
	yard_call("mdb-fini", 0);
}

void parq_switch_fdb_init(struct parq_switch *sw)
{
}

void parq_switch_fdb_fini(struct parq_switch *sw)
{
	yard_call("fdb-fini", 0);
}

void parq_switch_fdb_restart(struct parq_switch *sw)
{
	yard_call("fdb-restart", 0);
}

void parq_switch_fdb_watch(struct parq_dev *pd)
{
	yard_call("fdb-watch", 0);
}

int parq_switch_fdb_notify(struct parq_switch *sw, unsigned long event, void *info)
{
	yard_call("fdb", event);
	return NOTIFY_DONE;
}

void parq_switch_fdb_flush(struct parq_switch *sw, unsigned int domain, unsigned int port)
{
	yard_call("flush", domain * 10 + port);
}

void parq_switch_fdb_leave(struct parq_switch *sw, unsigned int port, unsigned int domain)
{
	yard_call("fdb-leave", port);
}

bool parq_pool_exists(const struct parq_dev *pd)
{
	return yard->pool;
}

void parq_pool_init(struct parq_dev *pd)
{
}

void parq_pool_fini(struct parq_dev *pd)
{
	yard_call("pool-fini", 0);
}

void parq_pool_restart(struct parq_dev *pd)
{
	yard_call("pool-restart", 0);
}

int parq_red_init(struct parq_dev *pd)
{
	return 0;
}

void parq_red_fini(struct parq_dev *pd)
{
	yard_call("red-fini", 0);
}

void parq_red_fold(struct parq_dev *pd)
{
}

void parq_red_restart(struct parq_dev *pd)
{
	yard_call("red-restart", 0);
}

int parq_egress_init(struct parq_dev *pd)
{
	return yard->egress_err;
}

void parq_egress_fini(struct parq_dev *pd)
{
	yard_call("egress-fini", 0);
}

void parq_egress_restart(struct parq_dev *pd)
{
	yard_call("egress-restart", 0);
}

void parq_buf_share(struct parq_port *port)
{
	yard_call("share", port->index);
}

void parq_buf_restart(struct parq_port *port)
{
	yard_call("buf-restart", port->index);
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	strscpy(yard->reason, reason, sizeof(yard->reason));
	return err;
}

clock_t bridge_br_get_ageing_time(const struct net_device *dev)
{
	return yard->ageing;
}

bool bridge_loaded(void)
{
	return yard->ageing;
}

void bridge_put(void)
{
}

int bridge_offload(struct net_device *port)
{
	yard_call("offload", port == &yard->vlan ? 99 : port - yard->dev);
	return yard->offload_err;
}

void bridge_unoffload(struct net_device *port)
{
	yard_call("unoffload", port == &yard->vlan ? 99 : port - yard->dev);
}

int bridge_register(struct notifier_block *nb)
{
	if (yard->registered == yard->registers)
		return -ENOMEM;
	yard->registered++;
	return 0;
}

int bridge_unregister(struct notifier_block *nb)
{
	yard->registered--;
	return 0;
}

bool bridge_is_vlan(const struct net_device *dev)
{
	return dev == &yard->vlan;
}

bool bridge_is_bridge(const struct net_device *dev)
{
	return dev == &yard->bridge[0] || dev == &yard->bridge[1];
}

/* ---- cases -------------------------------------------------------------- */

static int yard_init(struct kunit *test)
{
	unsigned int i;

	yard = kunit_kzalloc(test, sizeof(*yard), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, yard);
	yard->pd.dev = root_device_register("parq-yard");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, yard->pd.dev);
	yard->pd.caps.ports = YARD_PORTS;
	yard->pd.caps.window = 1;
	yard->pd.caps.flags = PARQ_CAP_OFFLOAD;
	set_bit(PARQ_DEV_READY, &yard->pd.flags);
	for (i = 0; i < YARD_PORTS; i++) {
		yard->pd.port[i] = &yard->port[i];
		yard->port[i].pd = &yard->pd;
		yard->port[i].index = i;
		yard->port[i].netdev = &yard->dev[i];
		snprintf(yard->dev[i].name, IFNAMSIZ, "port%u", i);
		set_bit(PARQ_PORT_UP, &yard->port[i].flags);
	}
	yard->addr[0] = 2;
	yard->registers = 3;
	yard->ageing = 30 * USER_HZ;
	yard->bus_off = -1;
	rtnl_lock();
	KUNIT_ASSERT_EQ(test, parq_switch_init(&yard->pd), 0);
	KUNIT_ASSERT_NOT_NULL(test, yard->pd.sw);
	return 0;
}

static void yard_exit(struct kunit *test)
{
	parq_switch_fini(&yard->pd);
	rtnl_unlock();
	root_device_unregister(yard->pd.dev);
}

static void yard_expect(struct kunit *test, const char *calls)
{
	KUNIT_EXPECT_STREQ(test, yard->calls, calls);
	yard->calls[0] = 0;
}

static int yard_upper(unsigned long event, struct net_device *dev, struct net_device *upper,
		      bool linking)
{
	struct netdev_notifier_changeupper_info info = {
		.info.dev = dev, .upper_dev = upper, .master = true, .linking = linking,
	};
	struct notifier_block *nb = &yard->pd.sw->netdev_nb;

	return notifier_to_errno(nb->notifier_call(nb, event, &info));
}

static int yard_join(unsigned int port, unsigned int bridge)
{
	return yard_upper(NETDEV_CHANGEUPPER, &yard->dev[port], &yard->bridge[bridge], true);
}

static int yard_leave(unsigned int port, unsigned int bridge)
{
	return yard_upper(NETDEV_CHANGEUPPER, &yard->dev[port], &yard->bridge[bridge], false);
}

/* Return: as the notifier; -ENOENT if it did not handle the attribute. */
static int yard_attr(struct net_device *dev, const struct switchdev_attr *attr)
{
	struct switchdev_notifier_port_attr_info info = { .info.dev = dev, .attr = attr };
	struct notifier_block *nb = &yard->pd.sw->blocking_nb;
	int ret = nb->notifier_call(nb, SWITCHDEV_PORT_ATTR_SET, &info);

	return info.handled ? notifier_to_errno(ret) : -ENOENT;
}

/* Settings of a port in a domain. */
static u32 yard_ctrl(unsigned int domain, enum parq_sw_state state, u32 flags)
{
	return FIELD_PREP(PARQ_SW_CTRL_DOMAIN, domain) | FIELD_PREP(PARQ_SW_CTRL_STATE, state) |
	       flags;
}

static void ports_join_and_leave(struct kunit *test)
{
	struct parq_switch *sw = yard->pd.sw;

	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	yard_expect(test, " members0 mdb-begin1 offload0");
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], yard_ctrl(1, PARQ_SW_BLOCKING, YARD_NEW));
	KUNIT_EXPECT_EQ(test, yard_join(2, 1), 0);
	yard_expect(test, " members1 mdb-begin2 offload2");
	KUNIT_EXPECT_EQ(test, yard->ctrl[2], yard_ctrl(2, PARQ_SW_BLOCKING, YARD_NEW));
	KUNIT_EXPECT_EQ(test, yard_join(1, 0), 0);
	yard_expect(test, " offload1");
	KUNIT_EXPECT_PTR_EQ(test, sw->bridge[1], &yard->bridge[0]);
	KUNIT_EXPECT_PTR_EQ(test, sw->bridge[2], &yard->bridge[1]);
	KUNIT_EXPECT_EQ(test, yard_leave(0, 0), 0);
	yard_expect(test, " unoffload0 mdb-leave1 vlan-leave1 update1 fdb-leave0");
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], 0U);
	KUNIT_EXPECT_EQ(test, yard_leave(1, 0), 0);
	yard_expect(test,
		    " unoffload1 mdb-leave1 vlan-leave1 update1 fdb-leave1 mdb-end1 vlan-end1");
	KUNIT_EXPECT_NULL(test, sw->bridge[1]);
	KUNIT_EXPECT_EQ(test, yard_join(1, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, sw->bridge[1], &yard->bridge[0]);
	KUNIT_EXPECT_PTR_EQ(test, sw->bridge[2], &yard->bridge[1]);
}

static void port_is_not_taken(struct kunit *test)
{
	yard->offload_err = -EOPNOTSUPP;
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), -EOPNOTSUPP);
	yard_expect(test,
		    " members0 mdb-begin1 offload0 mdb-leave1 vlan-leave1 update1 fdb-leave0 mdb-end1 vlan-end1");
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], 0U);
	KUNIT_EXPECT_NULL(test, yard->pd.sw->bridge[1]);
}

static void other_interfaces(struct kunit *test)
{
	struct notifier_block *nb = &yard->pd.sw->netdev_nb;
	struct netdev_notifier_info info = { .dev = &yard->dev[0] };

	/* A bond. */
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->dev[0], &yard->dev[1], true),
			0);
	yard_expect(test, "");
	/* Another interface joins the bridge. */
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[1], true),
			0);
	yard_expect(test, " members1");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, &yard->vlan, &yard->bridge[1],
					 true), 0);
	KUNIT_EXPECT_EQ(test, nb->notifier_call(nb, NETDEV_UP, &info), NOTIFY_DONE);
	yard_expect(test, "");
}

static void vlan_interfaces(struct kunit *test)
{
	struct net_device *dev = &yard->dev[0];

	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->vlan, true), 0);
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->bridge[0], true), 0);
	yard_expect(test, "");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, dev, &yard->vlan, true), 0);
	yard_expect(test, " vif0");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, dev, &yard->vlan, false), 0);
	yard_expect(test, " no-vif0");
	yard->impossible = true;
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->bridge[0], true),
			-EINVAL);
	KUNIT_EXPECT_STREQ(test, yard->reason, "no bridge at 0");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->vlan, true), -EINVAL);
	KUNIT_EXPECT_STREQ(test, yard->reason, "no interface at 0");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->bridge[0], false), 0);
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->vlan, false), 0);
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_PRECHANGEUPPER, dev, &yard->dev[1], true), 0);
	yard_expect(test, "");
}

/* A VLAN interface of a port that is in a bridge, too. */
static void vlan_interface_joins(struct kunit *test)
{
	struct parq_switch *sw = yard->pd.sw;
	struct switchdev_attr attr = {
		.id = SWITCHDEV_ATTR_ID_PORT_STP_STATE, .u.stp_state = BR_STATE_FORWARDING,
	};

	yard->vif_port = &yard->port[0];
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	yard->calls[0] = 0;
	yard->vif_err = -ENOMEM;
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[1], true),
			-ENOMEM);
	yard_expect(test, " members1 mdb-begin2 mdb-end2 vlan-end2");
	yard->vif_err = 0;
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[1], true),
			0);
	yard_expect(test, " members1 mdb-begin2 offload99 members1");
	KUNIT_EXPECT_EQ(test, yard->vif_ctrl, yard_ctrl(2, PARQ_SW_BLOCKING, YARD_NEW));
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], yard_ctrl(1, PARQ_SW_BLOCKING, YARD_NEW));
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->vlan, &attr), 0);
	KUNIT_EXPECT_EQ(test, yard->vif_ctrl, yard_ctrl(2, PARQ_SW_FORWARDING, YARD_NEW));
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], yard_ctrl(1, PARQ_SW_BLOCKING, YARD_NEW));
	attr.u.stp_state = BR_STATE_BLOCKING;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->vlan, &attr), 0);
	yard_expect(test, " flush20");
	/* One of its port is enough. */
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[0], true),
			-EBUSY);
	KUNIT_EXPECT_STREQ(test, yard->reason, "port0 of the same port is in the bridge");
	yard_expect(test, "");
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[1], false),
			0);
	yard_expect(test,
		    " unoffload99 mdb-leave2 vlan-leave2 update2 fdb-leave0 vif-free2 mdb-end2 vlan-end2 members1");
	KUNIT_EXPECT_EQ(test, yard->vif_ctrl, 0U);
	KUNIT_EXPECT_NULL(test, sw->bridge[2]);
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->vlan, &attr), -ENOENT);
	/* It was never here. */
	KUNIT_EXPECT_EQ(test, yard_upper(NETDEV_CHANGEUPPER, &yard->vlan, &yard->bridge[1], false),
			0);
	yard_expect(test, " members1");
}

static void too_many_bridges(struct kunit *test)
{
	struct parq_switch *sw = yard->pd.sw;
	unsigned int i;

	for (i = 1; i < PARQ_NUM_DOMAINS; i++)
		sw->bridge[i] = &yard->dev[0];
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), -EBUSY);
	KUNIT_EXPECT_STREQ(test, yard->reason, "the device has no place for more than 64 bridges");
	yard_expect(test, "");
	memset(sw->bridge, 0, sizeof(sw->bridge));
}

/* The shortest ageing time of bridges that learn is the device's. */
static void ageing_times(struct kunit *test)
{
	struct switchdev_attr attr = { .id = SWITCHDEV_ATTR_ID_BRIDGE_AGEING_TIME };
	u32 learns = yard_ctrl(2, PARQ_SW_BLOCKING, YARD_NEW);

	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	KUNIT_EXPECT_EQ(test, yard->age, 30U);
	yard->ageing = 20 * USER_HZ - 1;
	KUNIT_EXPECT_EQ(test, yard_join(1, 1), 0);
	KUNIT_EXPECT_EQ(test, yard->age, 20U);
	yard->calls[0] = 0;
	attr.u.ageing_time = 40 * USER_HZ;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->bridge[1], &attr), 0);
	KUNIT_EXPECT_EQ(test, yard->age, 30U);
	yard_expect(test, "");
	/* It floods always. */
	yard->writes = 0;
	attr.u.ageing_time = 0;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[1], &attr), 0);
	yard_expect(test, " update2 flush21");
	KUNIT_EXPECT_EQ(test, yard->ctrl[1], (u32)(learns & ~PARQ_SW_CTRL_LEARN));
	KUNIT_EXPECT_EQ(test, yard->writes, 1U);
	KUNIT_EXPECT_EQ(test, yard->age, 30U);
	attr.u.ageing_time = 10 * USER_HZ;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->bridge[1], &attr), 0);
	yard_expect(test, " update2");
	KUNIT_EXPECT_EQ(test, yard->ctrl[1], learns);
	KUNIT_EXPECT_EQ(test, yard->age, 10U);
	KUNIT_EXPECT_EQ(test, yard_leave(1, 1), 0);
	KUNIT_EXPECT_EQ(test, yard->age, 30U);
	attr.u.ageing_time = LONG_MAX;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->bridge[0], &attr), 0);
	KUNIT_EXPECT_EQ(test, yard->age, (u32)PARQ_SW_FDB_AGE_MAX);
	yard->ageing = 0;
	KUNIT_EXPECT_EQ(test, yard_join(1, 1), 0);
	KUNIT_EXPECT_EQ(test, yard->age, 300U);
	KUNIT_EXPECT_EQ(test, yard_leave(1, 1), 0);
	/* After a reset. */
	yard->age = 0;
	yard->calls[0] = 0;
	parq_switch_restart(&yard->pd);
	KUNIT_EXPECT_EQ(test, yard->age, (u32)PARQ_SW_FDB_AGE_MAX);
	yard_expect(test,
		    " buf-restart0 buf-restart1 buf-restart2 pool-restart0 red-restart0 egress-restart0 vlan-restart0 vif-restart0 mdb-restart0 fdb-restart0");
}

static int yard_flags(unsigned int id, unsigned long mask, unsigned long val)
{
	struct switchdev_attr attr = {
		.id = id, .u.brport_flags.mask = mask, .u.brport_flags.val = val,
	};

	return yard_attr(&yard->dev[0], &attr);
}

static void flags_of_a_port(struct kunit *test)
{
	static const struct {
		unsigned long flag;
		u32 ctrl;
	} flags[] = {
		{ BR_LEARNING, PARQ_SW_CTRL_LEARN },
		{ BR_FLOOD, PARQ_SW_CTRL_FLOOD },
		{ BR_BCAST_FLOOD, PARQ_SW_CTRL_BCAST_FLOOD },
		{ BR_MCAST_FLOOD, PARQ_SW_CTRL_MCAST_FLOOD },
	};
	u32 all = yard_ctrl(1, PARQ_SW_BLOCKING, YARD_NEW);
	unsigned int set = SWITCHDEV_ATTR_ID_PORT_BRIDGE_FLAGS, i;

	KUNIT_EXPECT_EQ(test, yard_flags(set, BR_FLOOD, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	yard->calls[0] = 0;
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		KUNIT_EXPECT_EQ(test, yard_flags(set, flags[i].flag, ~flags[i].flag), 0);
		KUNIT_EXPECT_EQ(test, yard->ctrl[0], all & ~flags[i].ctrl);
		yard_expect(test, flags[i].flag == BR_MCAST_FLOOD ? " update1" : "");
		KUNIT_EXPECT_EQ(test, yard_flags(set, flags[i].flag, flags[i].flag), 0);
		KUNIT_EXPECT_EQ(test, yard->ctrl[0], all);
		yard->calls[0] = 0;
	}
	KUNIT_EXPECT_EQ(test, yard_flags(set, BR_ISOLATED | BR_FLOOD, BR_ISOLATED), 0);
	KUNIT_EXPECT_EQ(test, yard->ctrl[0],
			(u32)((all & ~PARQ_SW_CTRL_FLOOD) | PARQ_SW_CTRL_ISOLATED));
	/* A port that is down gets them as it comes up. */
	clear_bit(PARQ_PORT_UP, &yard->port[0].flags);
	KUNIT_EXPECT_EQ(test, yard_flags(set, BR_ISOLATED | BR_FLOOD, BR_FLOOD), 0);
	KUNIT_EXPECT_NE(test, yard->ctrl[0], all);
	set_bit(PARQ_PORT_UP, &yard->port[0].flags);
	parq_switch_port_up(&yard->port[0]);
	KUNIT_EXPECT_EQ(test, yard->ctrl[0], all);
	yard->writes = 0;
	parq_switch_port_up(&yard->port[1]);
	KUNIT_EXPECT_EQ(test, yard_flags(set, BR_FLOOD, BR_FLOOD), 0);
	KUNIT_EXPECT_EQ(test, yard->writes, 0U);
}

static void flags_are_refused(struct kunit *test)
{
	static const unsigned long refused[] = {
		BR_HAIRPIN_MODE, BR_MULTICAST_TO_UNICAST, BR_PORT_LOCKED, BR_PORT_MAB,
	};
	unsigned int check = SWITCHDEV_ATTR_ID_PORT_PRE_BRIDGE_FLAGS, i;

	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		unsigned long flag = refused[i];

		KUNIT_EXPECT_EQ(test, yard_flags(check, flag, flag), flag ? -EINVAL : 0);
		KUNIT_EXPECT_EQ(test, yard_flags(check, 0, flag), 0);
		KUNIT_EXPECT_EQ(test, yard_flags(check, flag, 0), 0);
	}
	KUNIT_EXPECT_EQ(test, yard_flags(check, BR_FLOOD, BR_FLOOD), 0);
}

static void states_of_a_port(struct kunit *test)
{
	static const struct {
		u8 state;
		enum parq_sw_state is;
		const char *calls;
	} steps[] = {
		{ BR_STATE_LISTENING, PARQ_SW_BLOCKING, "" },
		{ BR_STATE_LEARNING, PARQ_SW_LEARNING, "" },
		{ BR_STATE_FORWARDING, PARQ_SW_FORWARDING, "" },
		{ BR_STATE_BLOCKING, PARQ_SW_BLOCKING, " flush12" },
		{ BR_STATE_LEARNING, PARQ_SW_LEARNING, "" },
		{ BR_STATE_DISABLED, PARQ_SW_BLOCKING, " flush12" },
	};
	struct switchdev_attr attr = { .id = SWITCHDEV_ATTR_ID_PORT_STP_STATE };
	unsigned int i;

	KUNIT_EXPECT_EQ(test, yard_join(2, 0), 0);
	yard->calls[0] = 0;
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		attr.u.stp_state = steps[i].state;
		KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[2], &attr), 0);
		KUNIT_EXPECT_EQ(test, yard->ctrl[2], yard_ctrl(1, steps[i].is, YARD_NEW));
		yard_expect(test, steps[i].calls);
	}
}

static void settings_of_groups(struct kunit *test)
{
	struct switchdev_attr port = { .id = SWITCHDEV_ATTR_ID_PORT_MROUTER, .u.mrouter = true };
	struct switchdev_attr bridge = {
		.id = SWITCHDEV_ATTR_ID_BRIDGE_MROUTER, .u.mrouter = true,
	};
	struct switchdev_attr snoop = { .id = SWITCHDEV_ATTR_ID_BRIDGE_MC_DISABLED };

	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	yard->calls[0] = 0;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &port), 0);
	KUNIT_EXPECT_TRUE(test, yard->ctrl[0] & PARQ_SW_CTRL_ROUTER);
	port.u.mrouter = false;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &port), 0);
	KUNIT_EXPECT_FALSE(test, yard->ctrl[0] & PARQ_SW_CTRL_ROUTER);
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &bridge), 0);
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &snoop), 0);
	snoop.u.mc_disabled = true;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->bridge[0], &snoop), 0);
	yard_expect(test, " router1 snoop1 no-snoop1");
	yard->pd.sw->has_groups = false;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &port), -ENOENT);
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &bridge), -ENOENT);
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->dev[0], &snoop), -ENOENT);
	yard_expect(test, "");
}

static void settings_of_a_bridge(struct kunit *test)
{
	struct switchdev_attr filter = { .id = SWITCHDEV_ATTR_ID_BRIDGE_VLAN_FILTERING };
	struct switchdev_attr protocol = { .id = SWITCHDEV_ATTR_ID_BRIDGE_VLAN_PROTOCOL };
	struct switchdev_attr mst = { .id = SWITCHDEV_ATTR_ID_BRIDGE_MST };
	struct switchdev_attr msti = { .id = SWITCHDEV_ATTR_ID_VLAN_MSTI };
	struct switchdev_attr other = { .id = SWITCHDEV_ATTR_ID_UNDEFINED };
	struct net_device *bridge = &yard->bridge[0];

	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &mst), -ENOENT);
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	yard->calls[0] = 0;
	filter.u.vlan_filtering = true;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &filter), 0);
	yard->conflict = true;
	KUNIT_EXPECT_EQ(test, yard_attr(&yard->bridge[0], &filter), -EINVAL);
	KUNIT_EXPECT_STREQ(test, yard->reason, "no filter in 1");
	yard->unusable = "no room";
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &filter), -EINVAL);
	KUNIT_EXPECT_STREQ(test, yard->reason, "no room");
	filter.u.vlan_filtering = false;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &filter), 0);
	yard_expect(test, " filter1 no-filter1");
	protocol.u.vlan_protocol = ETH_P_8021Q;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &protocol), 0);
	protocol.u.vlan_protocol = ETH_P_8021AD;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &protocol), -EINVAL);
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &mst), 0);
	mst.u.mst = true;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &mst), -EINVAL);
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &msti), 0);
	msti.u.vlan_msti.msti = 1;
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &msti), -EINVAL);
	KUNIT_EXPECT_EQ(test, yard_attr(bridge, &other), -ENOENT);
}

/* VLANs see an event first, then groups; addresses come by the other way. */
static void events_are_passed_on(struct kunit *test)
{
	struct notifier_block *blocking = &yard->pd.sw->blocking_nb;
	struct notifier_block *atomic = &yard->pd.sw->atomic_nb;
	struct switchdev_attr attr = {
		.id = SWITCHDEV_ATTR_ID_PORT_PRE_BRIDGE_FLAGS,
		.u.brport_flags = { .mask = BR_HAIRPIN_MODE, .val = BR_HAIRPIN_MODE },
	};
	struct switchdev_notifier_port_attr_info info = {
		.info.dev = &yard->dev[0], .attr = &attr,
	};

	blocking->notifier_call(blocking, 98, NULL);
	yard->vlan_ret = NOTIFY_OK;
	KUNIT_EXPECT_EQ(test, blocking->notifier_call(blocking, 98, NULL), NOTIFY_OK);
	atomic->notifier_call(atomic, 99, NULL);
	yard_expect(test, " vlan98 mdb98 vlan98 fdb99");
	KUNIT_EXPECT_EQ(test, yard_join(0, 0), 0);
	KUNIT_EXPECT_EQ(test, atomic->notifier_call(atomic, SWITCHDEV_PORT_ATTR_SET, &info),
			notifier_from_errno(-EINVAL));
}

/* Powers of two, so that each sum tells what is in it. */
static void counters_of_ports(struct kunit *test)
{
	struct parq_port *port = &yard->port[1];
	struct rtnl_link_stats64 link = { .rx_missed_errors = 1, .tx_dropped = 1 };
	struct parq_switch_stats stats;
	unsigned int n;

	yard->stat = 1;
	yard->pd.sw->red = kunit_kzalloc(test, sizeof(*yard->pd.sw->red), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, yard->pd.sw->red);
	atomic64_set(&yard->pd.sw->fdb_refused, 5);
	atomic64_set(&yard->pd.sw->mdb_refused, 6);
	stats = parq_switch_stats(port);
	for (n = 0; n < PARQ_NUM_SW_STAT; n++)
		KUNIT_EXPECT_EQ(test, stats.val[n], 2ULL << n | 1);
	KUNIT_EXPECT_EQ(test, stats.fdb_refused, 5ULL);
	KUNIT_EXPECT_EQ(test, stats.mdb_refused, 6ULL);
	/* A reset takes nothing away. */
	parq_switch_fold(&yard->pd);
	yard->stat = 2;
	parq_switch_watch(&yard->pd);
	yard_expect(test, " mdb-watch0 fdb-watch0");
	/* The device goes. */
	yard->stat = 4;
	yard->bus_off = 0;
	stats = parq_switch_stats(port);
	for (n = 0; n < PARQ_NUM_SW_STAT; n++)
		KUNIT_EXPECT_EQ(test, stats.val[n], (2ULL << n | 1) + (4ULL << n | 1));
	parq_switch_link_stats(port, &link);
	KUNIT_EXPECT_EQ(test, link.rx_missed_errors, 1 + stats.val[PARQ_SW_RX_NO_ROOM]);
	KUNIT_EXPECT_EQ(test, link.tx_dropped, 1 + stats.val[PARQ_SW_TX_DROP_LONG] +
			stats.val[PARQ_SW_TX_DROP_LINK] + stats.val[PARQ_SW_TX_DROP_PURGE] +
			stats.val[PARQ_SW_TX_DROP_STORM] + stats.val[PARQ_SW_TX_DROP_FULL] +
			stats.val[PARQ_SW_TX_DROP_RED]);
}

/* A device with less has fewer counters. */
static void counters_of_less(struct kunit *test)
{
	struct parq_switch_stats stats;

	yard->stat = 1;
	yard->pd.sw->has_vlans = false;
	yard->pd.sw->has_no_entry = false;
	stats = parq_switch_stats(&yard->port[0]);
	KUNIT_EXPECT_EQ(test, stats.val[PARQ_SW_RX_NO_ENTRY], 0ULL);
	KUNIT_EXPECT_EQ(test, stats.val[PARQ_SW_RX_NO_PVID], 0ULL);
	KUNIT_EXPECT_EQ(test, stats.val[PARQ_SW_TX_DROP_RED], 0ULL);
	KUNIT_EXPECT_NE(test, stats.val[PARQ_SW_RX_NO_PVID - 1], 0ULL);
}

static void device_is_a_nic(struct kunit *test)
{
	struct parq_dev *pd = &yard->pd;
	struct rtnl_link_stats64 link = {};
	unsigned int i;

	parq_switch_fini(pd);
	yard_expect(test, " fdb-fini0 mdb-fini0 egress-fini0 red-fini0 pool-fini0");
	KUNIT_EXPECT_EQ(test, yard->registered, 0U);
	KUNIT_EXPECT_NULL(test, pd->sw);
	parq_switch_fini(pd);
	parq_switch_fold(pd);
	parq_switch_restart(pd);
	parq_switch_watch(pd);
	parq_switch_port_up(&yard->port[0]);
	parq_switch_link_stats(&yard->port[0], &link);
	yard_expect(test, "");
	/* It lacks what a switch needs. */
	pd->caps.flags = 0;
	KUNIT_EXPECT_EQ(test, parq_switch_init(pd), 0);
	KUNIT_EXPECT_NULL(test, pd->sw);
	pd->caps.flags = PARQ_CAP_OFFLOAD;
	yard->addr[0] = 1;
	KUNIT_EXPECT_EQ(test, parq_switch_init(pd), 0);
	KUNIT_EXPECT_NULL(test, pd->sw);
	yard->addr[0] = 2;
	pd->caps.window = 0;
	KUNIT_EXPECT_EQ(test, parq_switch_init(pd), 0);
	KUNIT_EXPECT_NULL(test, pd->sw);
	pd->caps.window = 1;
	/* Each notifier fails. */
	for (i = 0; i < 3; i++) {
		yard->registers = i;
		KUNIT_EXPECT_EQ(test, parq_switch_init(pd), -ENOMEM);
		KUNIT_EXPECT_NULL(test, pd->sw);
		KUNIT_EXPECT_EQ(test, yard->registered, 0U);
		yard_expect(test, " fdb-fini0 mdb-fini0 egress-fini0 red-fini0 pool-fini0");
	}
	yard->registers = 3;
	yard->egress_err = -ENOMEM;
	KUNIT_EXPECT_EQ(test, parq_switch_init(pd), -ENOMEM);
	KUNIT_EXPECT_NULL(test, pd->sw);
	yard_expect(test, " fdb-fini0 mdb-fini0 egress-fini0 red-fini0 pool-fini0");
	yard->egress_err = 0;
	yard->pool = true;
	KUNIT_EXPECT_EQ(test, parq_switch_init(pd), 0);
	yard_expect(test, " share0 share1 share2");
}

static struct kunit_case yard_cases[] = {
	KUNIT_CASE(ports_join_and_leave),
	KUNIT_CASE(port_is_not_taken),
	KUNIT_CASE(other_interfaces),
	KUNIT_CASE(vlan_interfaces),
	KUNIT_CASE(vlan_interface_joins),
	KUNIT_CASE(too_many_bridges),
	KUNIT_CASE(ageing_times),
	KUNIT_CASE(flags_of_a_port),
	KUNIT_CASE(flags_are_refused),
	KUNIT_CASE(states_of_a_port),
	KUNIT_CASE(settings_of_groups),
	KUNIT_CASE(settings_of_a_bridge),
	KUNIT_CASE(events_are_passed_on),
	KUNIT_CASE(counters_of_ports),
	KUNIT_CASE(counters_of_less),
	KUNIT_CASE(device_is_a_nic),
	{}
};

static struct kunit_suite yard_suite = {
	.name = "parq_switch",
	.init = yard_init,
	.exit = yard_exit,
	.test_cases = yard_cases,
};

kunit_test_suite(yard_suite);

MODULE_DESCRIPTION("KUnit suite of ports that join bridges");
MODULE_LICENSE("GPL");
