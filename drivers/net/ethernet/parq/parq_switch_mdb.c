// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of bridges whose ports forward. The bridge snoops: the device gives it reports and
 * queries, and it tells who is a member. The device then does as the bridge would: it uses entries
 * of IP groups only while there is a querier, because without one members do not repeat their
 * reports. A group for which it has no place is flooded, with all others that have no entry.
 */
#include <linux/etherdevice.h>
#include <linux/if_bridge.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_switch_domain.h"

/* More are flooded: bridges may have as many groups in each VLAN. */
#define PARQ_MDB_MAX	65536U

/**
 * struct parq_group - group of a domain
 * @node: in parq_switch_mdb.known
 * @vlan_node: in parq_switch_mdb.by_vlan
 * @e: address, VLAN and members
 * @state: PARQ_FDB_OK: the device has it; PARQ_FDB_NONE: its VLAN is not there;
 *	PARQ_FDB_FULL: there is no place
 */
struct parq_group {
	struct hlist_node node;
	struct hlist_node vlan_node;
	struct parq_mdb e;
	enum parq_fdb_result state;
};

/* ---- Known groups ------------------------------------------------------- */

static u64 parq_mdb_key(const struct parq_mdb *e)
{
	return ether_addr_to_u64(e->addr) ^ (u64)parq_vlan_index(e->domain, e->vid) << 45;
}

static struct parq_group *parq_mdb_find(struct parq_switch *sw, const struct parq_mdb *e)
{
	struct parq_group *g;

	lockdep_assert_held(&sw->lock);
	hash_for_each_possible(sw->mdb.known, g, node, parq_mdb_key(e))
		if (ether_addr_equal(g->e.addr, e->addr) && g->e.domain == e->domain &&
		    g->e.vid == e->vid)
			return g;
	return NULL;
}

static void parq_mdb_state(struct parq_switch *sw, struct parq_group *g,
			   enum parq_fdb_result state)
{
	lockdep_assert_held(&sw->lock);
	if (g->state == PARQ_FDB_FULL)
		sw->mdb.missing[g->e.domain]--;
	if (state == PARQ_FDB_FULL)
		sw->mdb.missing[g->e.domain]++;
	g->state = state;
}

/* Return: a group without members; NULL if there is no room. */
static struct parq_group *parq_mdb_new(struct parq_switch *sw, const struct parq_mdb *e)
{
	struct parq_group *g = sw->mdb.num < PARQ_MDB_MAX ? kzalloc_obj(*g) : NULL;

	lockdep_assert_held(&sw->lock);
	if (!g)
		return NULL;
	ether_addr_copy(g->e.addr, e->addr);
	g->e.domain = e->domain;
	g->e.vid = e->vid;
	g->state = PARQ_FDB_NONE;
	hash_add(sw->mdb.known, &g->node, parq_mdb_key(e));
	hash_add(sw->mdb.by_vlan, &g->vlan_node, parq_vlan_index(e->domain, e->vid));
	sw->mdb.num++;
	return g;
}

static void parq_mdb_free(struct parq_switch *sw, struct parq_group *g)
{
	parq_mdb_state(sw, g, PARQ_FDB_NONE);
	hash_del(&g->node);
	hash_del(&g->vlan_node);
	kfree(g);
	sw->mdb.num--;
}

/* ---- What the domain does ----------------------------------------------- */

static u32 parq_mdb_mode(struct parq_switch *sw, unsigned int domain)
{
	const struct parq_switch_mdb *mdb = &sw->mdb;
	u32 mode = 0;

	lockdep_assert_held(&sw->lock);
	if (test_bit(domain, sw->by_vlan))
		mode |= PARQ_SW_DOMAIN_VLAN;
	if (!sw->has_groups || !test_bit(domain, mdb->snoop))
		return mode;
	mode |= PARQ_SW_DOMAIN_SNOOP;
	if (test_bit(domain, mdb->ipv4))
		mode |= PARQ_SW_DOMAIN_IPV4;
	if (test_bit(domain, mdb->ipv6))
		mode |= PARQ_SW_DOMAIN_IPV6;
	/* The bridge forwards to its other members. */
	if (test_bit(domain, mdb->router) || test_bit(domain, sw->foreign))
		mode |= PARQ_SW_DOMAIN_HOST;
	if (mdb->missing[domain] || test_bit(domain, mdb->unknown))
		mode |= PARQ_SW_DOMAIN_FLOOD;
	return mode;
}

void parq_switch_domain_write(struct parq_switch *sw, unsigned int domain)
{
	u32 mode = parq_mdb_mode(sw, domain);

	if (mode == sw->mdb.mode[domain])
		return;
	sw->mdb.mode[domain] = mode;
	parq_io_switch_domain(sw->pd, domain, mode);
}

static void parq_mdb_set_bit(struct parq_switch *sw, unsigned long *bits, unsigned int domain,
			     bool on)
{
	mutex_lock(&sw->lock);
	__assign_bit(domain, bits, on);
	parq_switch_domain_write(sw, domain);
	mutex_unlock(&sw->lock);
}

void parq_switch_mdb_snoop(struct parq_switch *sw, unsigned int domain, bool on)
{
	parq_mdb_set_bit(sw, sw->mdb.snoop, domain, on);
}

void parq_switch_mdb_router(struct parq_switch *sw, unsigned int domain, bool on)
{
	parq_mdb_set_bit(sw, sw->mdb.router, domain, on);
}

/* ---- Members ------------------------------------------------------------ */

/* Makes the device have the group as it is. Return: 0, -ENOSPC. */
static int parq_mdb_put(struct parq_switch *sw, struct parq_group *g)
{
	enum parq_fdb_result result = parq_io_mdb_set(sw->pd, &g->e);

	parq_mdb_state(sw, g, result);
	return result == PARQ_FDB_FULL ? -ENOSPC : 0;
}

/* A group that is not known, or has no place, is flooded. */
static int parq_mdb_add(struct parq_switch *sw, const struct parq_mdb *e)
{
	struct parq_group *g = parq_mdb_find(sw, e);
	int err = 0;

	if (!g)
		g = parq_mdb_new(sw, e);
	if (!g) {
		__set_bit(e->domain, sw->mdb.unknown);
		parq_switch_domain_write(sw, e->domain);
		return -ENOMEM;
	}
	if ((g->e.ports | e->ports) != g->e.ports || (e->host && !g->e.host) ||
	    g->state != PARQ_FDB_OK) {
		g->e.ports |= e->ports;
		g->e.host |= e->host;
		err = parq_mdb_put(sw, g);
	}
	parq_switch_domain_write(sw, e->domain);
	return err;
}

static void parq_mdb_remove(struct parq_switch *sw, struct parq_group *g,
			    const struct parq_mdb *e)
{
	unsigned int domain = g->e.domain;

	g->e.ports &= ~e->ports;
	g->e.host &= !e->host;
	parq_mdb_put(sw, g);
	if (!g->e.ports && !g->e.host)
		parq_mdb_free(sw, g);
	parq_switch_domain_write(sw, domain);
}

static int parq_mdb_change(struct parq_switch *sw, bool add, const struct parq_mdb *e)
{
	struct parq_group *g;
	int err = 0;

	mutex_lock(&sw->lock);
	if (add) {
		err = parq_mdb_add(sw, e);
	} else {
		g = parq_mdb_find(sw, e);
		if (g)
			parq_mdb_remove(sw, g, e);
	}
	mutex_unlock(&sw->lock);
	if (err) {
		atomic64_inc(&sw->mdb_refused);
		dev_warn_ratelimited(sw->pd->dev,
				     "no place for group %pM: groups without an entry are flooded\n",
				     e->addr);
	}
	return err;
}

int parq_switch_mdb_notify(struct parq_switch *sw, unsigned long event, void *data)
{
	struct switchdev_notifier_port_obj_info *info = data;
	const struct switchdev_obj_port_mdb *mdb;
	struct parq_mdb e = {};
	struct parq_member m;
	int err;

	if ((event != SWITCHDEV_PORT_OBJ_ADD && event != SWITCHDEV_PORT_OBJ_DEL) ||
	    (info->obj->id != SWITCHDEV_OBJ_ID_PORT_MDB &&
	     info->obj->id != SWITCHDEV_OBJ_ID_HOST_MDB) || !sw->has_groups)
		return NOTIFY_DONE;
	/* Each port of the bridge is told that the bridge itself is a member. */
	if (!parq_switch_find(sw, switchdev_notifier_info_to_dev(&info->info), &m) || !m.domain)
		return NOTIFY_DONE;
	e.domain = m.domain;
	mdb = SWITCHDEV_OBJ_PORT_MDB(info->obj);
	/* As on the device, no group of this address is used: broadcasts are flooded. */
	if (is_broadcast_ether_addr(mdb->addr))
		return NOTIFY_DONE;
	ether_addr_copy(e.addr, mdb->addr);
	e.vid = mdb->vid;
	e.host = info->obj->id == SWITCHDEV_OBJ_ID_HOST_MDB;
	if (!e.host)
		e.ports = BIT_ULL(m.port->index);
	info->handled = true;
	err = parq_mdb_change(sw, event == SWITCHDEV_PORT_OBJ_ADD, &e);
	/* It is flooded. To a port that joins the bridge an error would refuse the bridge. */
	return notifier_from_errno(e.host ? 0 : err);
}

void parq_switch_mdb_vlan(struct parq_switch *sw, unsigned int domain, u16 vid, bool there)
{
	struct parq_group *g;

	lockdep_assert_held(&sw->lock);
	hash_for_each_possible(sw->mdb.by_vlan, g, vlan_node, parq_vlan_index(domain, vid)) {
		if (g->e.domain != domain || g->e.vid != vid)
			continue;
		if (!there)
			parq_mdb_state(sw, g, PARQ_FDB_NONE);
		else if (g->state != PARQ_FDB_OK)
			parq_mdb_put(sw, g);
	}
	parq_switch_domain_write(sw, domain);
}

/* ---- Domains ------------------------------------------------------------ */

/* As parq_switch_bridge_age(): the caller has a bridge. */
void parq_switch_mdb_begin(struct parq_switch *sw, unsigned int domain,
			   const struct net_device *bridge)
{
#if IS_ENABLED(CONFIG_BRIDGE) && IS_ENABLED(CONFIG_BRIDGE_IGMP_SNOOPING)
	bool (*enabled)(const struct net_device *dev) = symbol_get(br_multicast_enabled);
	bool (*router)(const struct net_device *dev) = symbol_get(br_multicast_router);

	if (router) {
		parq_switch_mdb_router(sw, domain, router(bridge));
		symbol_put(br_multicast_router);
	}
	if (enabled) {
		parq_switch_mdb_snoop(sw, domain, enabled(bridge));
		symbol_put(br_multicast_enabled);
	}
#endif
}

void parq_switch_mdb_end(struct parq_switch *sw, unsigned int domain)
{
	struct parq_switch_mdb *mdb = &sw->mdb;
	struct hlist_node *next;
	struct parq_group *g;
	unsigned int i;

	mutex_lock(&sw->lock);
	__clear_bit(domain, mdb->snoop);
	__clear_bit(domain, mdb->router);
	__clear_bit(domain, mdb->ipv4);
	__clear_bit(domain, mdb->ipv6);
	__clear_bit(domain, mdb->unknown);
	parq_switch_domain_write(sw, domain);
	hash_for_each_safe(mdb->known, i, next, g, node)
		if (g->e.domain == domain)
			parq_mdb_remove(sw, g, &(struct parq_mdb){ .ports = ~0ULL, .host = true });
	mutex_unlock(&sw->lock);
}

/* The bridge deletes the port's groups when it is no port of it any more. */
void parq_switch_mdb_leave(struct parq_port *port, unsigned int domain)
{
	const struct parq_mdb left = { .ports = BIT_ULL(port->index) };
	struct parq_switch *sw = port->pd->sw;
	struct hlist_node *next;
	struct parq_group *g;
	unsigned int i;

	mutex_lock(&sw->lock);
	hash_for_each_safe(sw->mdb.known, i, next, g, node)
		if (g->e.domain == domain && (g->e.ports & left.ports))
			parq_mdb_remove(sw, g, &left);
	mutex_unlock(&sw->lock);
}

/* ---- The watch ---------------------------------------------------------- */

/* The bridge tells nobody when a querier comes or goes. */
static void parq_mdb_queriers(struct parq_switch *sw)
{
#if IS_ENABLED(CONFIG_BRIDGE) && IS_ENABLED(CONFIG_BRIDGE_IGMP_SNOOPING)
	bool (*exists)(struct net_device *dev, int proto) =
		symbol_get(br_multicast_has_querier_anywhere);
	unsigned int i, domain;

	lockdep_assert_held(&sw->lock);
	if (!exists)
		return;
	for_each_set_bit(domain, sw->mdb.snoop, PARQ_NUM_DOMAINS) {
		struct net_device *dev;

		for (i = 0; i < sw->pd->caps.ports; i++)
			if (parq_switch_wish(sw, domain, i))
				break;
		if (i == sw->pd->caps.ports)
			continue;
		dev = parq_switch_member_dev(sw, domain, i);
		__assign_bit(domain, sw->mdb.ipv4, exists(dev, ETH_P_IP));
		__assign_bit(domain, sw->mdb.ipv6, exists(dev, ETH_P_IPV6));
		parq_switch_domain_write(sw, domain);
	}
	symbol_put(br_multicast_has_querier_anywhere);
#endif
}

/* Tries again what the device had no place for. */
static void parq_mdb_retry(struct parq_switch *sw)
{
	struct parq_group *g;
	unsigned int i;

	lockdep_assert_held(&sw->lock);
	hash_for_each(sw->mdb.known, i, g, node) {
		if (g->state != PARQ_FDB_FULL)
			continue;
		if (parq_mdb_put(sw, g))
			return;
		parq_switch_domain_write(sw, g->e.domain);
	}
}

void parq_switch_mdb_watch(struct parq_switch *sw)
{
	unsigned int domain, missing = 0;

	if (!sw->has_groups)
		return;
	mutex_lock(&sw->lock);
	for (domain = 1; domain < PARQ_NUM_DOMAINS; domain++)
		missing += sw->mdb.missing[domain];
	if (missing)
		parq_mdb_retry(sw);
	if (!bitmap_empty(sw->mdb.snoop, PARQ_NUM_DOMAINS))
		parq_mdb_queriers(sw);
	mutex_unlock(&sw->lock);
}

/* ---- Life --------------------------------------------------------------- */

/* Groups first: no port forwards yet. */
void parq_switch_mdb_restart(struct parq_switch *sw)
{
	unsigned int domain, i;
	struct parq_group *g;

	mutex_lock(&sw->lock);
	hash_for_each(sw->mdb.known, i, g, node)
		parq_mdb_put(sw, g);
	memset(sw->mdb.mode, 0, sizeof(sw->mdb.mode));
	for (domain = 1; domain < PARQ_NUM_DOMAINS; domain++)
		parq_switch_domain_write(sw, domain);
	mutex_unlock(&sw->lock);
}

void parq_switch_mdb_init(struct parq_switch *sw)
{
	hash_init(sw->mdb.known);
	hash_init(sw->mdb.by_vlan);
	sw->has_groups = parq_io_switch_groups(sw->pd);
}

void parq_switch_mdb_fini(struct parq_switch *sw)
{
	struct hlist_node *next;
	struct parq_group *g;
	unsigned int i;

	mutex_lock(&sw->lock);
	hash_for_each_safe(sw->mdb.known, i, next, g, node)
		parq_mdb_free(sw, g);
	mutex_unlock(&sw->lock);
}
