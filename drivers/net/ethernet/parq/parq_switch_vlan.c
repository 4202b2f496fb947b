// SPDX-License-Identifier: GPL-2.0
/*
 * VLANs of bridges whose ports forward. The device has all VLANs of a bridge, whether the bridge
 * filters them or not: so a change of vlan_filtering is one write, and cannot fail. The host is a
 * member of a VLAN if the bridge is, and of all VLANs of a bridge that has members elsewhere, or
 * that must send frames to groups itself. The bridge then drops what is for nobody.
 */
#include <linux/if_bridge.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq_io.h"
#include "parq_log.h"
#include "parq_switch_domain.h"

/* ---- One VLAN ----------------------------------------------------------- */

static bool parq_vlan_for_host(const struct parq_switch *sw, const struct parq_vlan *v)
{
	return v->bridge || test_bit(v->domain, sw->foreign) ||
	       !parq_switch_sends_groups(sw, v->domain);
}

/* Nobody is a member whom this device knows. */
static bool parq_vlan_empty(const struct parq_vlan *v)
{
	return !v->ports && !v->bridge;
}

/*
 * Makes the VLAN in the device and in the table as @new. Return: 0; -ENOSPC, -ENOMEM: nothing has
 * changed.
 */
static int parq_vlan_store(struct parq_switch *sw, const struct parq_vlan *new)
{
	unsigned long index = parq_vlan_index(new->domain, new->vid);
	struct parq_vlan *v, *old;
	int err;

	lockdep_assert_held(&sw->lock);
	v = kmemdup(new, sizeof(*new), GFP_KERNEL);
	if (!v)
		return -ENOMEM;
	v->host = parq_vlan_for_host(sw, v);
	err = xa_reserve(&sw->vlans, index, GFP_KERNEL);
	if (err)
		goto free;
	if (!parq_io_switch_vlan(sw->pd, v)) {
		err = -ENOSPC;
		goto release;
	}
	/* There is memory for it. */
	old = xa_store(&sw->vlans, index, v, GFP_KERNEL);
	if (old)
		kfree_rcu(old, rcu);
	else
		parq_switch_mdb_vlan(sw, new->domain, new->vid, true);
	return 0;

release:
	xa_release(&sw->vlans, index);
free:
	kfree(v);
	return err;
}

/* The device and the table have the VLAN no more. */
static void parq_vlan_erase(struct parq_switch *sw, struct parq_vlan *v)
{
	const struct parq_vlan none = { .domain = v->domain, .vid = v->vid };

	lockdep_assert_held(&sw->lock);
	parq_io_switch_vlan(sw->pd, &none);
	parq_switch_mdb_vlan(sw, v->domain, v->vid, false);
	xa_erase(&sw->vlans, parq_vlan_index(v->domain, v->vid));
	kfree_rcu(v, rcu);
}

static void parq_vlan_pvid(struct parq_port *port, u16 vid)
{
	struct parq_switch *sw = port->pd->sw;

	lockdep_assert_held(&sw->lock);
	if (sw->pvid[port->index] == vid)
		return;
	sw->pvid[port->index] = vid;
	parq_io_switch_pvid(port, vid);
}

/* ---- Members ------------------------------------------------------------ */

/* A frame cannot belong to both. @port: as below. */
static bool parq_vlan_is_taken(struct parq_switch *sw, struct parq_port *port,
			       unsigned int domain, u16 vid)
{
	lockdep_assert_held(&sw->lock);
	return port && test_bit(domain, sw->by_vlan) && parq_switch_vif_exists(port, vid);
}

/* The PVID is that of a port. A bridge with VLAN interfaces filters no VLANs. */
static bool parq_vlan_has_pvid(struct parq_switch *sw, struct parq_port *port,
			       unsigned int domain)
{
	return port && !parq_switch_vif(sw, domain, port->index);
}

/* @port: NULL: the bridge itself */
static int parq_vlan_add(struct parq_switch *sw, struct parq_port *port, unsigned int domain,
			 const struct switchdev_obj_port_vlan *vlan)
{
	struct parq_vlan new = { .domain = domain, .vid = vlan->vid };
	const struct parq_vlan *v;
	int err = 0;
	u64 bit;

	/* The device has lost what was in the VLAN if it had this one before. */
	parq_switch_fdb_leave_vlans(sw);
	mutex_lock(&sw->lock);
	v = xa_load(&sw->vlans, parq_vlan_index(domain, vlan->vid));
	if (v)
		new = *v;
	if (port) {
		bit = BIT_ULL(port->index);
		new.ports |= bit;
		new.untagged &= ~bit;
		if (vlan->flags & BRIDGE_VLAN_INFO_UNTAGGED)
			new.untagged |= bit;
	} else {
		new.bridge = true;
	}
	/* Each port that joins has all VLANs of the bridge told again. */
	if (parq_vlan_is_taken(sw, port, domain, vlan->vid))
		err = -EBUSY;
	else if (!v || v->ports != new.ports || v->untagged != new.untagged ||
		 v->bridge != new.bridge)
		err = parq_vlan_store(sw, &new);
	if (err || !parq_vlan_has_pvid(sw, port, domain))
		goto unlock;
	if (vlan->flags & BRIDGE_VLAN_INFO_PVID)
		parq_vlan_pvid(port, vlan->vid);
	else if (sw->pvid[port->index] == vlan->vid)
		parq_vlan_pvid(port, 0);
unlock:
	mutex_unlock(&sw->lock);
	return err;
}

/* The bridge does not expect that this fails: the VLAN has its place in table and device. */
static void parq_vlan_remove(struct parq_switch *sw, struct parq_port *port, unsigned int domain,
			     u16 vid)
{
	struct parq_vlan *v = xa_load(&sw->vlans, parq_vlan_index(domain, vid));

	lockdep_assert_held(&sw->lock);
	if (parq_vlan_has_pvid(sw, port, domain) && sw->pvid[port->index] == vid)
		parq_vlan_pvid(port, 0);
	if (!v)
		return;
	if (port) {
		v->ports &= ~BIT_ULL(port->index);
		v->untagged &= v->ports;
	} else {
		v->bridge = false;
	}
	if (parq_vlan_empty(v)) {
		parq_vlan_erase(sw, v);
	} else {
		v->host = parq_vlan_for_host(sw, v);
		parq_io_switch_vlan(sw->pd, v);
	}
	parq_switch_fdb_left(sw, domain);
}

static void parq_vlan_del(struct parq_switch *sw, struct parq_port *port, unsigned int domain,
			  u16 vid)
{
	mutex_lock(&sw->lock);
	parq_vlan_remove(sw, port, domain, vid);
	mutex_unlock(&sw->lock);
}

static int parq_vlan_refuse(struct net_device *dev, struct netlink_ext_ack *extack, u16 vid,
			    int err)
{
	char reason[PARQ_REASON_LEN] = "";

	if (err == -ENOSPC)
		strscpy(reason, "the device has no place for one more VLAN", sizeof(reason));
	else if (err == -EBUSY)
		snprintf(reason, sizeof(reason), "the port has a VLAN interface with VID %u", vid);
	return parq_refuse(dev, extack, "VLAN", reason, err);
}

int parq_switch_vlan_notify(struct parq_switch *sw, unsigned long event, void *data)
{
	struct switchdev_notifier_port_obj_info *info = data;
	const struct switchdev_obj_port_vlan *vlan;
	struct netlink_ext_ack *extack;
	struct net_device *dev;
	struct parq_member m;
	unsigned int domain;
	int err = 0;

	if ((event != SWITCHDEV_PORT_OBJ_ADD && event != SWITCHDEV_PORT_OBJ_DEL) ||
	    info->obj->id != SWITCHDEV_OBJ_ID_PORT_VLAN || !sw->has_vlans)
		return NOTIFY_DONE;
	dev = switchdev_notifier_info_to_dev(&info->info);
	extack = switchdev_notifier_info_to_extack(&info->info);
	domain = parq_switch_find(sw, dev, &m) ? m.domain : parq_switch_bridge_domain(sw, dev);
	if (!domain)
		return NOTIFY_DONE;
	vlan = SWITCHDEV_OBJ_PORT_VLAN(info->obj);
	if (event == SWITCHDEV_PORT_OBJ_ADD)
		err = parq_vlan_add(sw, m.port, domain, vlan);
	else
		parq_vlan_del(sw, m.port, domain, vlan->vid);
	info->handled = true;
	if (err)
		parq_vlan_refuse(dev, extack, vlan->vid, err);
	return notifier_from_errno(err);
}

/* ---- Domains ------------------------------------------------------------ */

/* As parq_switch_bridge_age(): the caller has a bridge. */
static bool parq_vlan_is_8021q(const struct net_device *bridge)
{
	u16 proto = ETH_P_8021Q;
#if IS_ENABLED(CONFIG_BRIDGE) && IS_ENABLED(CONFIG_BRIDGE_VLAN_FILTERING)
	int (*get)(const struct net_device *bridge, u16 *proto) =
		symbol_get(br_vlan_get_proto);

	if (get) {
		get(bridge, &proto);
		symbol_put(br_vlan_get_proto);
	}
#endif
	return proto == ETH_P_8021Q;
}

const char *parq_switch_vlan_unusable(const struct parq_switch *sw, unsigned int domain)
{
	if (!sw->has_vlans)
		return "the device cannot do vlan_filtering";
	if (!parq_vlan_is_8021q(sw->bridge[domain]))
		return "the device cannot do vlan_protocol 802.1ad";
	return NULL;
}

void parq_switch_vlan_filter(struct parq_switch *sw, unsigned int domain, bool on)
{
	if (!sw->has_vlans)
		return;
	mutex_lock(&sw->lock);
	__assign_bit(domain, sw->by_vlan, on);
	parq_switch_domain_write(sw, domain);
	mutex_unlock(&sw->lock);
}

void parq_switch_vlan_update(struct parq_switch *sw, unsigned int domain)
{
	unsigned long index, first = parq_vlan_index(domain, 0);
	struct parq_vlan *v;

	mutex_lock(&sw->lock);
	xa_for_each_range(&sw->vlans, index, v, first, first + VLAN_N_VID - 1) {
		bool host = parq_vlan_for_host(sw, v);

		if (host == v->host)
			continue;
		v->host = host;
		parq_io_switch_vlan(sw->pd, v);
	}
	mutex_unlock(&sw->lock);
}

static bool parq_vlan_has_foreign(struct parq_switch *sw, struct net_device *bridge)
{
	struct net_device *dev;
	struct list_head *iter;
	struct parq_member m;

	netdev_for_each_lower_dev(bridge, dev, iter)
		if (!parq_switch_find(sw, dev, &m))
			return true;
	return false;
}

void parq_switch_vlan_members(struct parq_switch *sw, struct net_device *dev)
{
	unsigned int domain = parq_switch_bridge_domain(sw, dev);

	ASSERT_RTNL();
	if (!domain)
		return;
	mutex_lock(&sw->lock);
	__assign_bit(domain, sw->foreign, parq_vlan_has_foreign(sw, dev));
	parq_switch_domain_write(sw, domain);
	mutex_unlock(&sw->lock);
	parq_switch_vlan_update(sw, domain);
}

/* The bridge has deleted its VLANs, unless it could not add all of them. */
void parq_switch_vlan_leave(struct parq_port *port, unsigned int domain)
{
	unsigned long index, first = parq_vlan_index(domain, 0);
	struct parq_switch *sw = port->pd->sw;
	struct parq_vlan *v;

	xa_for_each_range(&sw->vlans, index, v, first, first + VLAN_N_VID - 1)
		if (v->ports & BIT_ULL(port->index))
			parq_vlan_del(sw, port, domain, v->vid);
}

void parq_switch_vlan_end(struct parq_switch *sw, unsigned int domain)
{
	unsigned long index, first = parq_vlan_index(domain, 0);
	struct parq_vlan *v;

	parq_switch_vlan_filter(sw, domain, false);
	mutex_lock(&sw->lock);
	xa_for_each_range(&sw->vlans, index, v, first, first + VLAN_N_VID - 1)
		parq_vlan_erase(sw, v);
	__clear_bit(domain, sw->foreign);
	parq_switch_domain_write(sw, domain);
	mutex_unlock(&sw->lock);
}

void parq_switch_vlan_restart(struct parq_switch *sw)
{
	struct parq_vlan *v;
	unsigned long index;
	unsigned int i;

	if (!sw->has_vlans)
		return;
	mutex_lock(&sw->lock);
	xa_for_each(&sw->vlans, index, v)
		parq_io_switch_vlan(sw->pd, v);
	for (i = 0; i < sw->pd->caps.ports; i++)
		parq_io_switch_pvid(sw->pd->port[i], sw->pvid[i]);
	mutex_unlock(&sw->lock);
}
