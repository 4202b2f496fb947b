// SPDX-License-Identifier: GPL-2.0
/*
 * VLAN interfaces of ports whose device forwards. The stack gives the frames of a VLAN interface to
 * it before the bridge of the port can see them. So does the device. If the interface is itself a
 * member of a bridge, it is one of the domain, too. A frame cannot belong to a VLAN interface and
 * to a VLAN of a bridge.
 */
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "parq_io.h"
#include "parq_switch_domain.h"

/* Return: the next VLAN interface of a port. *@iter: first &dev->adj_list.upper. Context: RCU. */
static struct net_device *parq_vif_next(const struct parq_port *port, struct list_head **iter)
{
	struct net_device *dev;

	do {
		dev = netdev_upper_get_next_dev_rcu(port->netdev, iter);
	} while (dev && !is_vlan_dev(dev));
	return dev;
}

/* The device knows C-tags only, and VID 0 is no VLAN. */
static bool parq_vif_is_known(const struct net_device *vlan)
{
	return vlan_dev_vlan_proto(vlan) == htons(ETH_P_8021Q) && vlan_dev_vlan_id(vlan);
}

static bool parq_vif_possible(const struct parq_port *port, const struct net_device *vlan,
			      char reason[PARQ_REASON_LEN])
{
	const char *what;

	if (!port->pd->sw->has_vifs)
		what = "VLAN interfaces";
	else if (vlan_dev_vlan_proto(vlan) != htons(ETH_P_8021Q))
		what = "802.1ad VLAN interfaces";
	else if (!vlan_dev_vlan_id(vlan))
		what = "a VLAN interface with VID 0";
	else
		return true;
	snprintf(reason, PARQ_REASON_LEN, "a port in a bridge cannot have %s", what);
	return false;
}

bool parq_switch_vif_possible(struct parq_port *port, const struct net_device *vlan,
			      char reason[PARQ_REASON_LEN])
{
	unsigned int domain = parq_switch_port_domain(port->pd->sw, port->index);
	struct parq_switch *sw = port->pd->sw;
	u16 vid = vlan_dev_vlan_id(vlan);
	bool filters;

	ASSERT_RTNL();
	if (!domain)
		return true;
	if (!parq_vif_possible(port, vlan, reason))
		return false;
	mutex_lock(&sw->lock);
	filters = test_bit(domain, sw->by_vlan);
	mutex_unlock(&sw->lock);
	if (!filters || !parq_switch_in_vlan(sw, domain, vid, port->index))
		return true;
	snprintf(reason, PARQ_REASON_LEN, "the port is a member of VLAN %u of its bridge", vid);
	return false;
}

bool parq_switch_vif_can_join(struct parq_port *port, char reason[PARQ_REASON_LEN])
{
	struct list_head *iter = &port->netdev->adj_list.upper;
	const struct net_device *vlan;
	bool can = true;

	rcu_read_lock();
	while (can && (vlan = parq_vif_next(port, &iter)))
		can = parq_vif_possible(port, vlan, reason);
	rcu_read_unlock();
	return can;
}

static void parq_vif_write(struct parq_port *port, u16 vid, bool on, u32 ctrl)
{
	struct parq_switch *sw = port->pd->sw;

	lockdep_assert_held(&sw->lock);
	/* VIF_SET would put the settings of another interface in force. */
	if (on && sw->has_vif_domains && parq_io_switch_vif_ctrl(port, ctrl) == -EIO) {
		if (net_ratelimit())
			netdev_err(port->netdev, "settings %#x of VLAN interface %u refused by the device\n",
				   ctrl, vid);
		return;
	}
	parq_io_switch_vif(port, vid, on);
}

/* Others have no place in the device. Their port is in no bridge. */
void parq_switch_vif_set(struct parq_port *port, const struct net_device *vlan, bool on)
{
	struct parq_switch *sw = port->pd->sw;

	if (!sw->has_vifs || !parq_vif_is_known(vlan))
		return;
	mutex_lock(&sw->lock);
	parq_vif_write(port, vlan_dev_vlan_id(vlan), on, 0);
	mutex_unlock(&sw->lock);
}

bool parq_switch_vif_exists(struct parq_port *port, u16 vid)
{
	struct list_head *iter = &port->netdev->adj_list.upper;
	struct net_device *vlan;
	bool found = false;

	rcu_read_lock();
	while (!found && (vlan = parq_vif_next(port, &iter)))
		found = parq_vif_is_known(vlan) && vlan_dev_vlan_id(vlan) == vid;
	rcu_read_unlock();
	return found;
}

/* ---- Members of domains ------------------------------------------------- */

struct parq_port *parq_switch_vif_port(struct parq_switch *sw, const struct net_device *vlan)
{
	struct parq_port *port = parq_switch_port(sw, vlan_dev_real_dev(vlan));
	struct list_head *iter;
	struct net_device *dev;

	if (!port || !sw->has_vif_domains || !parq_vif_is_known(vlan))
		return NULL;
	/* One that is over another VLAN interface belongs to that. */
	iter = &port->netdev->adj_list.upper;
	rcu_read_lock();
	do {
		dev = parq_vif_next(port, &iter);
	} while (dev && dev != vlan);
	rcu_read_unlock();
	return dev ? port : NULL;
}

int parq_switch_vif_new(struct parq_member *m, struct net_device *vlan)
{
	struct parq_switch *sw = m->port->pd->sw;
	struct parq_vif *vif = kzalloc_obj(*vif);
	int err;

	ASSERT_RTNL();
	if (!vif)
		return -ENOMEM;
	vif->dev = vlan;
	vif->vid = vlan_dev_vlan_id(vlan);
	vif->port = m->port->index;
	err = xa_err(xa_store(&sw->vifs, parq_vif_index(m->domain, vif->port), vif, GFP_KERNEL));
	if (err)
		kfree(vif);
	else
		m->vif = vif;
	return err;
}

void parq_switch_vif_free(const struct parq_member *m)
{
	ASSERT_RTNL();
	xa_erase(&m->port->pd->sw->vifs, parq_vif_index(m->domain, m->port->index));
	kfree_rcu(m->vif, rcu);
}

/* An interface that leaves both its bridge and its port is not there any more. */
void parq_switch_vif_write(struct parq_port *port, const struct parq_vif *vif, u32 ctrl)
{
	parq_vif_write(port, vif->vid, parq_switch_vif_exists(port, vif->vid), ctrl);
}

/* ---- Bridges that filter VLANs ------------------------------------------ */

/* Return: VID of a VLAN interface of a VLAN that the port is a member of, or 0. */
static u16 parq_vif_conflict(struct parq_port *port, unsigned int domain)
{
	struct list_head *iter = &port->netdev->adj_list.upper;
	struct net_device *vlan;
	u16 vid = 0;

	rcu_read_lock();
	while (!vid && (vlan = parq_vif_next(port, &iter)))
		if (parq_switch_in_vlan(port->pd->sw, domain, vlan_dev_vlan_id(vlan), port->index))
			vid = vlan_dev_vlan_id(vlan);
	rcu_read_unlock();
	return vid;
}

bool parq_switch_vif_can_filter(struct parq_switch *sw, unsigned int domain,
				char reason[PARQ_REASON_LEN])
{
	unsigned int i;
	u16 vid;

	ASSERT_RTNL();
	for (i = 0; i < sw->pd->caps.ports; i++) {
		if (parq_switch_vif(sw, domain, i)) {
			snprintf(reason, PARQ_REASON_LEN,
				 "%s is a VLAN interface: its bridge cannot filter VLANs",
				 netdev_name(parq_switch_member_dev(sw, domain, i)));
			return false;
		}
		if (parq_switch_port_domain(sw, i) != domain)
			continue;
		vid = parq_vif_conflict(sw->pd->port[i], domain);
		if (!vid)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "%s has VLAN %u and a VLAN interface with this VID",
			 netdev_name(sw->pd->port[i]->netdev), vid);
		return false;
	}
	return true;
}

static void parq_vif_restart_port(struct parq_port *port)
{
	struct list_head *iter = &port->netdev->adj_list.upper;
	struct parq_switch *sw = port->pd->sw;
	struct net_device *vlan;
	struct parq_member m;
	u32 ctrl;

	rcu_read_lock();
	while ((vlan = parq_vif_next(port, &iter))) {
		if (!parq_vif_is_known(vlan))
			continue;
		ctrl = 0;
		if (parq_switch_find(sw, vlan, &m))
			ctrl = parq_switch_member_ctrl(sw, m.domain, port->index);
		parq_vif_write(port, vlan_dev_vlan_id(vlan), true, ctrl);
	}
	rcu_read_unlock();
}

void parq_switch_vif_restart(struct parq_switch *sw)
{
	unsigned int i;

	if (!sw->has_vifs)
		return;
	mutex_lock(&sw->lock);
	for (i = 0; i < sw->pd->caps.ports; i++)
		parq_vif_restart_port(sw->pd->port[i]);
	mutex_unlock(&sw->lock);
}
