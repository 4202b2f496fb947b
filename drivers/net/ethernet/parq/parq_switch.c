// SPDX-License-Identifier: GPL-2.0
/*
 * Ports of a device under a bridge. A bridge with such ports has a domain of the device, and
 * they forward to each other what the bridge would. So do VLAN interfaces of ports. A port is on
 * its own while it is in no bridge, or only by way of a bond: software forwards for that.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_bridge.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_red.h"
#include "parq_switch.h"
#include "parq_switch_domain.h"

/* Bits of PARQ_SW_CTRL that follow flags of the bridge port. */
static const struct {
	unsigned long flag;
	u32 ctrl;
} parq_switch_flags[] = {
	{ BR_LEARNING, PARQ_SW_CTRL_LEARN },
	{ BR_FLOOD, PARQ_SW_CTRL_FLOOD },
	{ BR_MCAST_FLOOD, PARQ_SW_CTRL_MCAST_FLOOD },
	{ BR_BCAST_FLOOD, PARQ_SW_CTRL_BCAST_FLOOD },
	{ BR_ISOLATED, PARQ_SW_CTRL_ISOLATED },
};

/* Flags of a new bridge port. */
#define PARQ_SWITCH_NEW							\
	(PARQ_SW_CTRL_LEARN | PARQ_SW_CTRL_FLOOD |			\
	 PARQ_SW_CTRL_MCAST_FLOOD | PARQ_SW_CTRL_BCAST_FLOOD)

/* ---- Ageing ------------------------------------------------------------- */

/*
 * The device has one ageing time for all bridges. The shortest keeps no address for too long:
 * one that is removed early is learned again. Bridges that do not learn do not matter.
 */
static void parq_switch_age(struct parq_switch *sw)
{
	unsigned int i;
	u32 age = 0;

	ASSERT_RTNL();
	for (i = 1; i < PARQ_NUM_DOMAINS; i++)
		if (sw->bridge[i] && sw->age[i] && (!age || sw->age[i] < age))
			age = sw->age[i];
	mutex_lock(&sw->lock);
	sw->fdb_age = age;
	parq_io_fdb_age(sw->pd, age);
	mutex_unlock(&sw->lock);
}

/* A bridge whose ageing time is 0 floods always. To the device it would mean: never ages. */
static void parq_switch_age_set(struct parq_switch *sw, unsigned int domain, u32 age)
{
	bool learned = sw->age[domain];
	unsigned int i;

	WRITE_ONCE(sw->age[domain], age);
	parq_switch_age(sw);
	if (learned == !!age)
		return;
	parq_switch_update(sw, domain);
	for (i = 0; i < sw->pd->caps.ports; i++)
		if (!age && parq_switch_wish(sw, domain, i))
			parq_switch_fdb_flush(sw, domain, i);
}

static u32 parq_switch_seconds(clock_t age)
{
	return min_t(u64, DIV_ROUND_UP_ULL(clock_t_to_jiffies(age), HZ), PARQ_SW_FDB_AGE_MAX);
}

/* ---- Attributes --------------------------------------------------------- */

/*
 * The bridge takes -EOPNOTSUPP for a driver that does not know the flags, and sets them. Other
 * errors refuse them.
 */
static int parq_switch_flags_check(struct net_device *dev,
				   struct switchdev_brport_flags flags,
				   struct netlink_ext_ack *extack)
{
	static const struct {
		unsigned long flag;
		const char *reason;
	} refused[] = {
		{ BR_HAIRPIN_MODE, "the device cannot send a frame back (hairpin)" },
		{ BR_MULTICAST_TO_UNICAST, "the device cannot do mcast_to_unicast" },
		{ BR_PORT_LOCKED, "the device cannot lock a port" },
		{ BR_PORT_MAB, "the device cannot do MAC authentication (mab)" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		if (flags.val & flags.mask & refused[i].flag)
			return parq_refuse(dev, extack, "bridge flags",
					   refused[i].reason, -EINVAL);
	return 0;
}

static void parq_switch_flags_set(const struct parq_member *m, struct switchdev_brport_flags flags)
{
	u32 clear = 0, set = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parq_switch_flags); i++) {
		if (!(flags.mask & parq_switch_flags[i].flag))
			continue;
		clear |= parq_switch_flags[i].ctrl;
		if (flags.val & parq_switch_flags[i].flag)
			set |= parq_switch_flags[i].ctrl;
	}
	parq_switch_set(m, clear, set);
	/* Who sends frames to groups depends on all ports. */
	if (clear & PARQ_SW_CTRL_MCAST_FLOOD)
		parq_switch_update(m->port->pd->sw, m->domain);
}

/* The bridge flushed the port when it changed the state, which the device learns only now. */
static void parq_switch_stp_set(const struct parq_member *m, u8 state)
{
	struct parq_switch *sw = m->port->pd->sw;
	u32 is, was = FIELD_GET(PARQ_SW_CTRL_STATE,
				parq_switch_wish(sw, m->domain, m->port->index));

	switch (state) {
	case BR_STATE_FORWARDING:
		is = PARQ_SW_FORWARDING;
		break;
	case BR_STATE_LEARNING:
		is = PARQ_SW_LEARNING;
		break;
	default:
		is = PARQ_SW_BLOCKING;
		break;
	}
	parq_switch_set(m, PARQ_SW_CTRL_STATE, FIELD_PREP(PARQ_SW_CTRL_STATE, is));
	if (is == PARQ_SW_BLOCKING && was != PARQ_SW_BLOCKING)
		parq_switch_fdb_flush(sw, m->domain, m->port->index);
}

/* Of a bridge port. Return: 0, an error, or -EOPNOTSUPP for what the driver does not know. */
static int parq_switch_port_attr(const struct parq_member *m, struct net_device *dev,
				 const struct switchdev_attr *attr, struct netlink_ext_ack *extack)
{
	switch (attr->id) {
	case SWITCHDEV_ATTR_ID_PORT_STP_STATE:
		parq_switch_stp_set(m, attr->u.stp_state);
		return 0;
	case SWITCHDEV_ATTR_ID_PORT_PRE_BRIDGE_FLAGS:
		return parq_switch_flags_check(dev, attr->u.brport_flags, extack);
	case SWITCHDEV_ATTR_ID_PORT_BRIDGE_FLAGS:
		parq_switch_flags_set(m, attr->u.brport_flags);
		return 0;
	case SWITCHDEV_ATTR_ID_PORT_MROUTER:
		if (!m->port->pd->sw->has_groups)
			return -EOPNOTSUPP;
		parq_switch_set(m, PARQ_SW_CTRL_ROUTER,
				attr->u.mrouter ? PARQ_SW_CTRL_ROUTER : 0);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

/* Of a bridge; @dev is the bridge, or a port that joins it. Return: as above. */
static int parq_switch_bridge_attr(struct parq_switch *sw, struct net_device *dev,
				   unsigned int domain, const struct switchdev_attr *attr,
				   struct netlink_ext_ack *extack)
{
	char conflict[PARQ_REASON_LEN];
	const char *reason = NULL;

	switch (attr->id) {
	case SWITCHDEV_ATTR_ID_BRIDGE_AGEING_TIME:
		parq_switch_age_set(sw, domain, parq_switch_seconds(attr->u.ageing_time));
		return 0;
	case SWITCHDEV_ATTR_ID_BRIDGE_MC_DISABLED:
		if (!sw->has_groups)
			return -EOPNOTSUPP;
		parq_switch_mdb_snoop(sw, domain, !attr->u.mc_disabled);
		return 0;
	case SWITCHDEV_ATTR_ID_BRIDGE_MROUTER:
		if (!sw->has_groups)
			return -EOPNOTSUPP;
		parq_switch_mdb_router(sw, domain, attr->u.mrouter);
		return 0;
	case SWITCHDEV_ATTR_ID_BRIDGE_VLAN_FILTERING:
		if (attr->u.vlan_filtering)
			reason = parq_switch_vlan_unusable(sw, domain);
		if (!reason && attr->u.vlan_filtering &&
		    !parq_switch_vif_can_filter(sw, domain, conflict))
			reason = conflict;
		if (!reason)
			parq_switch_vlan_filter(sw, domain, attr->u.vlan_filtering);
		break;
	case SWITCHDEV_ATTR_ID_BRIDGE_VLAN_PROTOCOL:
		if (attr->u.vlan_protocol != ETH_P_8021Q)
			reason = "the device cannot do vlan_protocol 802.1ad";
		break;
	case SWITCHDEV_ATTR_ID_BRIDGE_MST:
		if (attr->u.mst)
			reason = "the device cannot do mst_enabled";
		break;
	case SWITCHDEV_ATTR_ID_VLAN_MSTI:
		if (attr->u.vlan_msti.msti)
			reason = "the device cannot do MST instances";
		break;
	default:
		return -EOPNOTSUPP;
	}
	return reason ? parq_refuse(dev, extack, "bridge setting", reason, -EINVAL) : 0;
}

/**
 * parq_switch_attr() - set or check an attribute of a bridge or of its port
 * @sw: device
 * @info: attribute
 *
 * Context: any if the attribute is to be checked; rtnl, may sleep otherwise.
 * Return: as a notifier.
 */
static int parq_switch_attr(struct parq_switch *sw,
			    struct switchdev_notifier_port_attr_info *info)
{
	struct netlink_ext_ack *extack = switchdev_notifier_info_to_extack(&info->info);
	struct net_device *dev = switchdev_notifier_info_to_dev(&info->info);
	struct parq_member m;
	int err = -EOPNOTSUPP;
	unsigned int domain;
	bool found;

	found = parq_switch_find(sw, dev, &m);
	domain = found ? m.domain : parq_switch_bridge_domain(sw, dev);
	if (!domain)
		return NOTIFY_DONE;
	if (found)
		err = parq_switch_port_attr(&m, dev, info->attr, extack);
	if (err == -EOPNOTSUPP)
		err = parq_switch_bridge_attr(sw, dev, domain, info->attr, extack);
	if (err == -EOPNOTSUPP)
		return NOTIFY_DONE;
	info->handled = true;
	return notifier_from_errno(err);
}

static int parq_switch_blocking_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct parq_switch *sw = container_of(nb, struct parq_switch, blocking_nb);

	int ret;

	if (event == SWITCHDEV_PORT_ATTR_SET)
		return parq_switch_attr(sw, info);
	ret = parq_switch_vlan_notify(sw, event, info);
	return ret == NOTIFY_DONE ? parq_switch_mdb_notify(sw, event, info) : ret;
}

static int parq_switch_atomic_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct parq_switch *sw = container_of(nb, struct parq_switch, atomic_nb);

	/* Only flags that are to be checked come this way. */
	return event == SWITCHDEV_PORT_ATTR_SET ? parq_switch_attr(sw, info) :
						  parq_switch_fdb_notify(sw, event, info);
}

/* ---- Bridges ------------------------------------------------------------ */

/*
 * A module that called the bridge would load it on each machine with such a NIC. The caller has
 * a bridge, so its module is there.
 */
static u32 parq_switch_bridge_age(const struct net_device *bridge)
{
	u32 age = BR_DEFAULT_AGEING_TIME / HZ;
#if IS_ENABLED(CONFIG_BRIDGE)
	clock_t (*get)(const struct net_device *bridge) = symbol_get(br_get_ageing_time);

	if (get) {
		age = parq_switch_seconds(get(bridge));
		symbol_put(br_get_ageing_time);
	}
#endif
	return age;
}

/* Return: domain of the bridge; 0 if there is no place for it. */
static unsigned int parq_switch_domain_get(struct parq_switch *sw, struct net_device *bridge)
{
	unsigned int domain = parq_switch_bridge_domain(sw, bridge);

	if (domain)
		return domain;
	for (domain = 1; domain < PARQ_NUM_DOMAINS; domain++)
		if (!sw->bridge[domain])
			break;
	if (domain == PARQ_NUM_DOMAINS)
		return 0;
	WRITE_ONCE(sw->age[domain], parq_switch_bridge_age(bridge));
	WRITE_ONCE(sw->bridge[domain], bridge);
	parq_switch_age(sw);
	parq_switch_vlan_members(sw, bridge);
	parq_switch_mdb_begin(sw, domain, bridge);
	return domain;
}

static void parq_switch_domain_put(struct parq_switch *sw, unsigned int domain)
{
	if (parq_switch_domain_used(sw, domain))
		return;
	parq_switch_mdb_end(sw, domain);
	parq_switch_vlan_end(sw, domain);
	WRITE_ONCE(sw->bridge[domain], NULL);
	parq_switch_age(sw);
}

static void parq_switch_leave(const struct parq_member *m)
{
	struct parq_switch *sw = m->port->pd->sw;

	parq_switch_set(m, ~0U, 0);
	parq_switch_mdb_leave(m->port, m->domain);
	parq_switch_vlan_leave(m->port, m->domain);
	parq_switch_update(sw, m->domain);
	parq_switch_fdb_leave(sw, m->port->index, m->domain);
	if (m->vif)
		parq_switch_vif_free(m);
	parq_switch_domain_put(sw, m->domain);
}

/* Return: the domain that a port or its VLAN interface joins; 0: @reason tells why it cannot. */
static unsigned int parq_switch_domain_join(struct parq_port *port, struct net_device *bridge,
					    char reason[PARQ_REASON_LEN])
{
	struct parq_switch *sw = port->pd->sw;
	unsigned int domain = parq_switch_bridge_domain(sw, bridge);

	if (domain && parq_switch_wish(sw, domain, port->index)) {
		snprintf(reason, PARQ_REASON_LEN, "%s of the same port is in the bridge",
			 netdev_name(parq_switch_member_dev(sw, domain, port->index)));
		return 0;
	}
	domain = parq_switch_domain_get(sw, bridge);
	if (!domain)
		snprintf(reason, PARQ_REASON_LEN,
			 "the device has no place for more than %u bridges", PARQ_NUM_DOMAINS - 1);
	return domain;
}

/*
 * Frames to unknown addresses always go to the host, too: it has the members of the bridge that
 * are not ports of this device, and an unknown address may be behind one of them.
 */
static int parq_switch_join(struct parq_port *port, struct net_device *dev,
			    struct net_device *bridge, struct netlink_ext_ack *extack)
{
	struct parq_switch *sw = port->pd->sw;
	struct parq_member m = { .port = port };
	char reason[PARQ_REASON_LEN];
	int err = 0;

	m.domain = parq_switch_domain_join(port, bridge, reason);
	if (!m.domain)
		return parq_refuse(dev, extack, "bridge", reason, -EBUSY);
	if (dev != port->netdev)
		err = parq_switch_vif_new(&m, dev);
	if (err) {
		parq_switch_domain_put(sw, m.domain);
		return err;
	}
	/* The bridge sets the state once the port is up. */
	parq_switch_set(&m, ~0U, FIELD_PREP(PARQ_SW_CTRL_DOMAIN, m.domain) |
			FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_BLOCKING) |
			PARQ_SW_CTRL_HOST_FLOOD | PARQ_SWITCH_NEW);
	err = switchdev_bridge_port_offload(dev, port->netdev, NULL, &sw->atomic_nb,
					    &sw->blocking_nb, false, extack);
	if (err)
		parq_switch_leave(&m);
	return err;
}

/* A port, or a VLAN interface of it, joins a bridge, or leaves it. */
static int parq_switch_bridged(struct parq_switch *sw, struct net_device *dev,
			       const struct netdev_notifier_changeupper_info *info)
{
	struct netlink_ext_ack *extack = netdev_notifier_info_to_extack(&info->info);
	struct parq_port *port = parq_switch_port(sw, dev);
	struct parq_member m;

	if (!port && is_vlan_dev(dev))
		port = parq_switch_vif_port(sw, dev);
	if (info->linking)
		return port ? parq_switch_join(port, dev, info->upper_dev, extack) : 0;
	/* A VLAN interface may have left its port before. */
	if (!parq_switch_find(sw, dev, &m) || !m.domain)
		return 0;
	switchdev_bridge_port_unoffload(dev, NULL, NULL, NULL);
	parq_switch_leave(&m);
	return 0;
}

static int parq_switch_changed(struct parq_switch *sw, struct net_device *dev,
			       const struct netdev_notifier_changeupper_info *info)
{
	struct parq_port *port = parq_switch_port(sw, dev);
	int err = 0;

	if (port && is_vlan_dev(info->upper_dev))
		parq_switch_vif_set(port, info->upper_dev, info->linking);
	else if (netif_is_bridge_master(info->upper_dev))
		err = parq_switch_bridged(sw, dev, info);
	if (!err && !port)
		parq_switch_vlan_members(sw, info->upper_dev);
	return err;
}

static int parq_switch_changing(struct parq_port *port,
				const struct netdev_notifier_changeupper_info *info)
{
	char reason[PARQ_REASON_LEN];

	if (!info->linking ||
	    !((is_vlan_dev(info->upper_dev) &&
	       !parq_switch_vif_possible(port, info->upper_dev, reason)) ||
	      (netif_is_bridge_master(info->upper_dev) &&
	       !parq_switch_vif_can_join(port, reason))))
		return 0;
	return parq_refuse(port->netdev, netdev_notifier_info_to_extack(&info->info), "upper",
			   reason, -EINVAL);
}

static int parq_switch_netdev_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct parq_switch *sw = container_of(nb, struct parq_switch, netdev_nb);
	struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct parq_port *port;

	switch (event) {
	case NETDEV_PRECHANGEUPPER:
		port = parq_switch_port(sw, dev);
		return port ? notifier_from_errno(parq_switch_changing(port, info)) : NOTIFY_DONE;
	case NETDEV_CHANGEUPPER:
		return notifier_from_errno(parq_switch_changed(sw, dev, info));
	default:
		return NOTIFY_DONE;
	}
}

/* ---- Counters ----------------------------------------------------------- */

static void parq_switch_stats_read(struct parq_switch *sw, const struct parq_port *port)
{
	unsigned int n, i = port->index;

	lockdep_assert_held(&sw->stat_lock);
	/* The last ones stay if the device goes meanwhile. */
	for (n = 0; n < PARQ_NUM_SW_STAT; n++) {
		u64 val;

		if (!parq_switch_has_stat(sw, n))
			continue;
		val = parq_io_switch_stat(port, n);
		if (!parq_dev_ready(sw->pd))
			return;
		atomic64_set(&sw->last[i][n], sw->base[i].val[n] + val);
	}
}

static u64 parq_switch_stat(const struct parq_port *port, enum parq_sw_stat n)
{
	return atomic64_read(&port->pd->sw->last[port->index][n]);
}

struct parq_switch_stats parq_switch_stats(struct parq_port *port)
{
	struct parq_switch *sw = port->pd->sw;
	struct parq_switch_stats stats;
	unsigned int n;

	mutex_lock(&sw->stat_lock);
	parq_switch_stats_read(sw, port);
	for (n = 0; n < PARQ_NUM_SW_STAT; n++)
		stats.val[n] = parq_switch_stat(port, n);
	mutex_unlock(&sw->stat_lock);
	stats.fdb_refused = atomic64_read(&sw->fdb_refused);
	stats.mdb_refused = atomic64_read(&sw->mdb_refused);
	return stats;
}

/*
 * What was to go elsewhere and did not. A frame that is flooded may be dropped more than once. A
 * frame that a blocked port received, of a VLAN without this port, or whose destination is where
 * it came from, is not lost.
 */
void parq_switch_link_stats(const struct parq_port *port, struct rtnl_link_stats64 *s)
{
	if (!port->pd->sw)
		return;
	s->rx_missed_errors += parq_switch_stat(port, PARQ_SW_RX_NO_ROOM);
	s->tx_dropped += parq_switch_stat(port, PARQ_SW_TX_DROP_LONG) +
			 parq_switch_stat(port, PARQ_SW_TX_DROP_LINK) +
			 parq_switch_stat(port, PARQ_SW_TX_DROP_PURGE) +
			 parq_switch_stat(port, PARQ_SW_TX_DROP_STORM) +
			 parq_switch_stat(port, PARQ_SW_TX_DROP_FULL) +
			 parq_switch_stat(port, PARQ_SW_TX_DROP_RED);
}

void parq_switch_watch(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;
	unsigned int i;

	if (!sw)
		return;
	mutex_lock(&sw->stat_lock);
	for (i = 0; i < pd->caps.ports; i++)
		parq_switch_stats_read(sw, pd->port[i]);
	mutex_unlock(&sw->stat_lock);
	parq_switch_mdb_watch(sw);
	parq_switch_fdb_watch(pd);
}

void parq_switch_fold(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;
	unsigned int i, n;

	if (!sw)
		return;
	mutex_lock(&sw->stat_lock);
	for (i = 0; i < pd->caps.ports; i++) {
		parq_switch_stats_read(sw, pd->port[i]);
		for (n = 0; n < PARQ_NUM_SW_STAT; n++)
			sw->base[i].val[n] = parq_switch_stat(pd->port[i], n);
	}
	mutex_unlock(&sw->stat_lock);
	parq_red_fold(pd);
}

/* ---- Life --------------------------------------------------------------- */

static void parq_switch_pool_restart(struct parq_dev *pd)
{
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++)
		parq_buf_restart(pd->port[i]);
	parq_pool_restart(pd);
}

/* The ports have their settings again when they come up. */
void parq_switch_restart(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;

	if (!sw)
		return;
	mutex_lock(&sw->lock);
	parq_io_fdb_age(pd, sw->fdb_age);
	mutex_unlock(&sw->lock);
	parq_switch_pool_restart(pd);
	parq_red_restart(pd);
	parq_egress_restart(pd);
	parq_switch_vlan_restart(sw);
	parq_switch_vif_restart(sw);
	parq_switch_mdb_restart(sw);
	parq_switch_fdb_restart(sw);
}

static int parq_switch_notifiers(struct parq_switch *sw)
{
	int err;

	sw->netdev_nb.notifier_call = parq_switch_netdev_event;
	sw->blocking_nb.notifier_call = parq_switch_blocking_event;
	sw->atomic_nb.notifier_call = parq_switch_atomic_event;
	err = register_netdevice_notifier(&sw->netdev_nb);
	if (err)
		return err;
	err = register_switchdev_blocking_notifier(&sw->blocking_nb);
	if (err)
		goto unregister_netdev;
	err = register_switchdev_notifier(&sw->atomic_nb);
	if (err)
		goto unregister_blocking;
	return 0;

unregister_blocking:
	unregister_switchdev_blocking_notifier(&sw->blocking_nb);
unregister_netdev:
	unregister_netdevice_notifier(&sw->netdev_nb);
	return err;
}

static void parq_switch_free(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;

	parq_switch_fdb_fini(sw);
	parq_switch_mdb_fini(sw);
	xa_destroy(&sw->vlans);
	xa_destroy(&sw->vifs);
	parq_egress_fini(pd);
	parq_red_fini(pd);
	parq_pool_fini(pd);
	pd->sw = NULL;
	mutex_destroy(&sw->stat_lock);
	mutex_destroy(&sw->lock);
	kfree(sw);
}

/* Return: why a device that claims to forward is used as a NIC, or NULL. */
static const char *parq_switch_unusable(const struct parq_dev *pd)
{
	u8 addr[ETH_ALEN];

	/* Frames that never reach the host can be paused by the device alone. */
	if (!(pd->caps.flags & PARQ_CAP_OFFLOAD))
		return "the device cannot run the pause FSM";
	/* It is the switch id. All devices without an address would be one. */
	parq_io_port_addr(pd->port[0], addr);
	if (!is_valid_ether_addr(addr))
		return "its first port has no valid address";
	return NULL;
}

/* With a pool, receive buffers have only what they need for themselves. */
static void parq_switch_pool_init(struct parq_dev *pd)
{
	unsigned int i;

	parq_pool_init(pd);
	for (i = 0; i < pd->caps.ports && parq_pool_exists(pd); i++)
		parq_buf_share(pd->port[i]);
}

int parq_switch_init(struct parq_dev *pd)
{
	struct parq_switch *sw;
	const char *reason;
	int err;

	if (!pd->caps.window)
		return 0;
	reason = parq_switch_unusable(pd);
	if (reason) {
		dev_err(pd->dev, "the ports do not forward: %s\n", reason);
		return 0;
	}
	sw = kzalloc_obj(*sw);
	if (!sw)
		return -ENOMEM;
	sw->pd = pd;
	mutex_init(&sw->lock);
	mutex_init(&sw->stat_lock);
	parq_switch_fdb_init(sw);
	xa_init(&sw->vifs);
	xa_init(&sw->vlans);
	sw->has_vlans = parq_io_switch_vlans(pd);
	sw->has_no_entry = parq_io_switch_no_entry(pd);
	sw->has_vifs = parq_io_switch_vifs(pd);
	parq_switch_mdb_init(sw);
	sw->has_vif_domains = sw->has_vifs && sw->has_groups && parq_io_switch_vif_domains(pd);
	pd->sw = sw;
	parq_switch_pool_init(pd);
	err = parq_red_init(pd);
	if (!err)
		err = parq_egress_init(pd);
	if (!err)
		err = parq_switch_notifiers(sw);
	if (err)
		parq_switch_free(pd);
	return err;
}

/* All ports have left their bridges, because their netdevs are gone. */
void parq_switch_fini(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;

	if (!sw)
		return;
	unregister_switchdev_notifier(&sw->atomic_nb);
	unregister_switchdev_blocking_notifier(&sw->blocking_nb);
	unregister_netdevice_notifier(&sw->netdev_nb);
	parq_switch_free(pd);
}
