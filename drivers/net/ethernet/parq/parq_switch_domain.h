/* SPDX-License-Identifier: GPL-2.0 */
/* A device whose ports forward: its domains and tables, which the files of this subject share. */
#ifndef _PARQ_SWITCH_DOMAIN_H
#define _PARQ_SWITCH_DOMAIN_H

#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/hashtable.h>
#include <linux/if_vlan.h>
#include <linux/notifier.h>
#include <linux/parq_hw_switch.h>
#include <linux/xarray.h>

#include "parq.h"
#include "parq_egress.h"
#include "parq_log.h"
#include "parq_pool.h"

/* A bridge with at least one port needs a domain. Domain 0 is that of ports on their own. */
#define PARQ_NUM_DOMAINS	(1 + PARQ_MAX_PORTS)
#define PARQ_FDB_HASH_BITS	10

/**
 * struct parq_fdb - entry of the table of addresses
 * @addr: address
 * @domain: domain
 * @port: port; not used by addresses behind the host
 * @kind: enum parq_fdb_kind
 * @vid: VLAN of the domain; 0: the entry is for a bridge that filters no VLANs
 */
struct parq_fdb {
	u8 addr[ETH_ALEN];
	u16 vid;
	u8 domain;
	u8 port;
	u8 kind;
};

/**
 * struct parq_vlan - VLAN of a domain
 * @ports: BIT_ULL(port) of its members
 * @untagged: BIT_ULL(port) that sends its frames without tag
 * @vid: its number
 * @domain: its domain
 * @bridge: the bridge itself is a member
 * @host: the device sends copies to the host
 * @rcu: frees it
 */
struct parq_vlan {
	u64 ports;
	u64 untagged;
	u16 vid;
	u8 domain;
	bool bridge;
	bool host;
	struct rcu_head rcu;
};

/**
 * struct parq_vif - VLAN interface of a port that is a member of a domain
 * @dev: its netdev
 * @rcu: frees it
 * @ctrl: as PARQ_SW_CTRL of a port; 0: it is leaving
 * @vid: its VID
 * @port: its port
 */
struct parq_vif {
	struct net_device *dev;
	struct rcu_head rcu;
	u32 ctrl;
	u16 vid;
	u8 port;
};

/**
 * struct parq_member - a port in a domain, or a VLAN interface of it
 * @port: the port
 * @domain: the domain; 0: it is in none
 * @vif: the VLAN interface; NULL: it is the port
 */
struct parq_member {
	struct parq_port *port;
	unsigned int domain;
	struct parq_vif *vif;
};

/**
 * struct parq_mdb - members of a group
 * @ports: BIT_ULL(port) of them
 * @addr: address of the group
 * @vid: VLAN of the domain; 0: the entry is for a bridge that filters no VLANs
 * @domain: its domain
 * @host: the bridge itself is a member
 */
struct parq_mdb {
	u64 ports;
	u8 addr[ETH_ALEN];
	u16 vid;
	u8 domain;
	bool host;
};

/**
 * struct parq_switch_stats - counters
 * @val: values of enum parq_sw_stat; of a port
 * @fdb_refused: addresses that the device got no entry for; of the device
 * @mdb_refused: groups that the device got no entry for; of the device
 */
struct parq_switch_stats {
	u64 val[PARQ_NUM_SW_STAT];
	u64 fdb_refused;
	u64 mdb_refused;
};

/**
 * struct parq_switch_fdb - addresses of a device
 * @lock: protects @known and members with __guarded_by() it, and serializes commands; bridges
 *	are called within it
 * @known: the entries that the device has, as far as the driver knows, or should have
 * @num: number of @known
 * @externs: of them, of kind PARQ_FDB_EXTERN
 * @hosts: of them, those of kind PARQ_FDB_HOST
 * @placed: of @hosts, those that the device has
 * @missing: the device may lack some of @known
 * @lost: PARQ_EVENT_LOST at the last comparison
 * @left: BIT_ULL(domain - 1) whose VLANs have ended, or were left by a port: what is known of them
 *	goes when a VLAN begins, or with the watch
 * @settle: calls of the watch until @known is compared, because a port was flushed; 0: none
 * @queue_lock: protects members with __guarded_by() it; may be taken in any context
 * @queue: struct parq_fdb_job, oldest first; two of an address at most, told by the device and by
 *	bridges
 * @jobs: the same, by address
 * @queued: number of jobs in @queue
 * @compare: events were lost: @known must be compared with the device
 * @flush: changes of a bridge were lost: all dynamic entries must go
 * @work: does what is queued
 */
struct parq_switch_fdb {
	struct mutex lock; /* @known, the device's commands */

	DECLARE_HASHTABLE(known, PARQ_FDB_HASH_BITS);

	atomic64_t left;

	unsigned int num __guarded_by(&lock);
	unsigned int externs __guarded_by(&lock);
	unsigned int hosts __guarded_by(&lock);
	unsigned int placed __guarded_by(&lock);
	bool missing __guarded_by(&lock);
	u32 lost __guarded_by(&lock);
	unsigned int settle __guarded_by(&lock);

	spinlock_t queue_lock; /* may be taken in any context */

	struct list_head queue __guarded_by(&queue_lock);

	DECLARE_HASHTABLE(jobs, PARQ_FDB_HASH_BITS);

	unsigned int queued __guarded_by(&queue_lock);
	bool compare __guarded_by(&queue_lock);
	bool flush __guarded_by(&queue_lock);

	struct work_struct work;
};

/**
 * struct parq_switch_mdb - groups of a device; all protected by parq_switch.lock
 * @known: struct parq_group that the device has or should have, by address and VLAN
 * @by_vlan: the same, by parq_vlan_index()
 * @num: number of @known
 * @missing: of them, those that the device has no place for, by domain
 * @unknown: domains with groups that have no room in @known
 * @snoop: domains whose bridge snoops
 * @router: domains whose bridge is a multicast router
 * @ipv4: domains with a querier for IPv4
 * @ipv6: domains with a querier for IPv6
 * @mode: PARQ_SW_DOMAIN
 */
struct parq_switch_mdb {
	DECLARE_HASHTABLE(known, PARQ_FDB_HASH_BITS);
	DECLARE_HASHTABLE(by_vlan, PARQ_FDB_HASH_BITS);

	unsigned int num;
	unsigned int missing[PARQ_NUM_DOMAINS];
	DECLARE_BITMAP(unknown, PARQ_NUM_DOMAINS);
	DECLARE_BITMAP(snoop, PARQ_NUM_DOMAINS);
	DECLARE_BITMAP(router, PARQ_NUM_DOMAINS);
	DECLARE_BITMAP(ipv4, PARQ_NUM_DOMAINS);
	DECLARE_BITMAP(ipv6, PARQ_NUM_DOMAINS);
	u32 mode[PARQ_NUM_DOMAINS];
};

/**
 * struct parq_switch - what a device needs to forward; parq_dev.sw
 * @pd: device
 * @netdev_nb: ports join and leave bridges
 * @blocking_nb: settings of bridges and their ports
 * @atomic_nb: addresses; checks of settings
 * @has_vlans: the device forwards by VLAN, if it is told to
 * @has_no_entry: the device counts frames whose source it did not learn
 * @has_groups: the device has a table of groups
 * @has_vifs: a port of the device can forward and have VLAN interfaces
 * @has_vif_domains: these can be members of domains
 * @bridge: bridge of a domain, or NULL; written under rtnl, read in any context
 * @age: ageing time of the bridge of a domain, s; 0: its ports do not learn; written under rtnl
 * @lock: protects writes of @ctrl, and members with __guarded_by() it; taken within the ops lock
 *	or rtnl
 * @ctrl: PARQ_SW_CTRL of each port while it is up, if it had an ageing time
 * @fdb_age: PARQ_SW_FDB_AGE
 * @pvid: PARQ_SW_PVID of each port
 * @by_vlan: domains whose bridge filters VLANs
 * @foreign: domains whose bridge has members that are not ports of this device
 * @vifs: struct parq_vif, by parq_vif_index(); written under rtnl, read under RCU or rtnl; @ctrl of
 *	each is written under @lock
 * @vlans: struct parq_vlan, by parq_vlan_index(); written under @lock, read under RCU
 * @mdb: groups; protected by @lock
 * @fdb: addresses
 * @pool: memory that receive buffers share
 * @red: red qdiscs, by port; NULL if the device cannot mark frames; protected by @lock
 * @egress: what waits to leave, by port; NULL if the device does not tell
 * @fdb_refused: of users and of bridges, those that got no entry, since probe
 * @mdb_refused: groups that got no entry, since probe
 * @stat_lock: protects members with __guarded_by() it
 * @base: counters from before the last reset of the device, by port
 * @last: counters since probe as last read, by port; written under @stat_lock, read in any context
 */
struct parq_switch {
	struct parq_dev *pd;
	struct notifier_block netdev_nb;
	struct notifier_block blocking_nb;
	struct notifier_block atomic_nb;
	bool has_vlans;
	bool has_no_entry;
	bool has_groups;
	bool has_vifs;
	bool has_vif_domains;

	struct net_device *bridge[PARQ_NUM_DOMAINS];
	u32 age[PARQ_NUM_DOMAINS];

	struct mutex lock; /* within the ops lock or rtnl */

	u32 ctrl[PARQ_MAX_PORTS];

	u32 fdb_age __guarded_by(&lock);
	u16 pvid[PARQ_MAX_PORTS] __guarded_by(&lock);
	DECLARE_BITMAP(by_vlan, PARQ_NUM_DOMAINS) __guarded_by(&lock);
	DECLARE_BITMAP(foreign, PARQ_NUM_DOMAINS) __guarded_by(&lock);

	struct xarray vifs;
	struct xarray vlans;

	struct parq_switch_mdb mdb;

	struct parq_switch_fdb fdb;

	struct parq_pool pool;

	struct parq_red *red;

	struct parq_egress *egress;

	atomic64_t fdb_refused;
	atomic64_t mdb_refused;

	struct mutex stat_lock; /* no other lock is taken within it */

	struct parq_switch_stats base[PARQ_MAX_PORTS] __guarded_by(&stat_lock);

	atomic64_t last[PARQ_MAX_PORTS][PARQ_NUM_SW_STAT];
};

/* These may be called in any context. */

/* Return: the port of this device that has the netdev, or NULL. */
static inline struct parq_port *parq_switch_port(const struct parq_switch *sw,
						 const struct net_device *dev)
{
	unsigned int i;

	for (i = 0; i < sw->pd->caps.ports; i++)
		if (sw->pd->port[i]->netdev == dev)
			return sw->pd->port[i];
	return NULL;
}

/* Return: domain of a port; 0 if it is on its own. */
static inline unsigned int parq_switch_port_domain(const struct parq_switch *sw,
						   unsigned int port)
{
	return FIELD_GET(PARQ_SW_CTRL_DOMAIN, READ_ONCE(sw->ctrl[port]));
}

/* A domain has one member of a port at most. */
static inline unsigned long parq_vif_index(unsigned int domain, unsigned int port)
{
	return domain * PARQ_MAX_PORTS + port;
}

/* Return: VLAN interface of a port in a domain, or NULL. Context: RCU or rtnl. */
static inline struct parq_vif *parq_switch_vif(struct parq_switch *sw, unsigned int domain,
					       unsigned int port)
{
	return xa_load(&sw->vifs, parq_vif_index(domain, port));
}

/*
 * Return: PARQ_SW_CTRL of a port in a domain, or of its VLAN interface there, as the bridge wants
 * it; 0 if neither is a member.
 */
static inline u32 parq_switch_wish(struct parq_switch *sw, unsigned int domain, unsigned int port)
{
	u32 ctrl = READ_ONCE(sw->ctrl[port]);
	const struct parq_vif *vif;

	if (FIELD_GET(PARQ_SW_CTRL_DOMAIN, ctrl) == domain)
		return ctrl;
	rcu_read_lock();
	vif = parq_switch_vif(sw, domain, port);
	ctrl = vif ? READ_ONCE(vif->ctrl) : 0;
	rcu_read_unlock();
	return ctrl;
}

/*
 * Return: netdev of the member that a port has, or has just had, in a domain. It stays as long as
 * the member: parq_switch_fdb_leave() waits.
 */
static inline struct net_device *parq_switch_member_dev(struct parq_switch *sw,
							unsigned int domain, unsigned int port)
{
	const struct parq_vif *vif;
	struct net_device *dev;

	rcu_read_lock();
	vif = parq_switch_vif(sw, domain, port);
	dev = vif ? vif->dev : sw->pd->port[port]->netdev;
	rcu_read_unlock();
	return dev;
}

/*
 * Return: false if @dev is neither a port of this device nor a VLAN interface in a domain. A VLAN
 * interface is valid under rtnl.
 */
static inline bool parq_switch_find(struct parq_switch *sw, const struct net_device *dev,
				    struct parq_member *m)
{
	struct parq_vif *vif;
	unsigned long index;

	*m = (struct parq_member){ .port = parq_switch_port(sw, dev) };
	if (m->port) {
		m->domain = parq_switch_port_domain(sw, m->port->index);
		return true;
	}
	rcu_read_lock();
	xa_for_each(&sw->vifs, index, vif) {
		if (vif->dev != dev)
			continue;
		m->port = sw->pd->port[vif->port];
		m->domain = index / PARQ_MAX_PORTS;
		m->vif = vif;
		break;
	}
	rcu_read_unlock();
	return m->port;
}

/*
 * A port that does not want all groups may want some of them. A device without a table of groups
 * sends no frame to a group then, and the bridge sends all. Return: the device does.
 */
static inline bool parq_switch_sends_groups(const struct parq_switch *sw, unsigned int domain)
{
	unsigned int i;
	u32 ctrl;

	if (sw->has_groups)
		return true;
	for (i = 0; i < sw->pd->caps.ports; i++) {
		ctrl = READ_ONCE(sw->ctrl[i]);
		if (FIELD_GET(PARQ_SW_CTRL_DOMAIN, ctrl) == domain &&
		    !(ctrl & PARQ_SW_CTRL_MCAST_FLOOD))
			return false;
	}
	return true;
}

static inline unsigned long parq_vlan_index(unsigned int domain, u16 vid)
{
	return domain * VLAN_N_VID + vid;
}

/* Return: the domain has the VLAN. */
static inline bool parq_switch_vlan_exists(struct parq_switch *sw, unsigned int domain, u16 vid)
{
	return xa_load(&sw->vlans, parq_vlan_index(domain, vid));
}

/* Something of a VLAN has ended in a domain. See parq_switch_fdb_leave_vlans(). */
static inline void parq_switch_fdb_left(struct parq_switch *sw, unsigned int domain)
{
	atomic64_or(BIT_ULL(domain - 1), &sw->fdb.left);
}

/* Return: @port is a member of the VLAN. */
static inline bool parq_switch_in_vlan(struct parq_switch *sw, unsigned int domain, u16 vid,
				       unsigned int port)
{
	const struct parq_vlan *v;
	bool in;

	rcu_read_lock();
	v = xa_load(&sw->vlans, parq_vlan_index(domain, vid));
	in = v && READ_ONCE(v->ports) & BIT_ULL(port);
	rcu_read_unlock();
	return in;
}

/* Return: PARQ_SW_CTRL of a port in a domain while it is up, or of its VLAN interface there. */
static inline u32 parq_switch_member_ctrl(struct parq_switch *sw, unsigned int domain,
					  unsigned int port)
{
	u32 ctrl = parq_switch_wish(sw, domain, port);

	if (!READ_ONCE(sw->age[domain]))
		ctrl &= ~PARQ_SW_CTRL_LEARN;
	if (!parq_switch_sends_groups(sw, domain))
		ctrl &= ~PARQ_SW_CTRL_MCAST_FLOOD;
	return ctrl;
}

/* Return: the bridge must not send a frame that @port has received to other ports. */
static inline bool parq_switch_forwarded(const struct parq_port *port, const u8 *addr)
{
	const struct parq_switch *sw = port->pd->sw;

	return !sw || !is_multicast_ether_addr(addr) || is_broadcast_ether_addr(addr) ||
	       parq_switch_sends_groups(sw, parq_switch_port_domain(sw, port->index));
}

/* Return: domain of a bridge; 0 if no port is in it. */
static inline unsigned int parq_switch_bridge_domain(const struct parq_switch *sw,
						     const struct net_device *bridge)
{
	unsigned int i;

	for (i = 1; i < PARQ_NUM_DOMAINS; i++)
		if (READ_ONCE(sw->bridge[i]) == bridge)
			return i;
	return 0;
}

/* Return: a port is in @domain, or a VLAN interface. */
static inline bool parq_switch_domain_used(struct parq_switch *sw, unsigned int domain)
{
	unsigned int i;

	for (i = 0; i < sw->pd->caps.ports; i++)
		if (parq_switch_wish(sw, domain, i))
			return true;
	return false;
}

/* Return: the device has the counter. */
static inline bool parq_switch_has_stat(const struct parq_switch *sw, enum parq_sw_stat n)
{
	switch (n) {
	case PARQ_SW_RX_NO_PVID:
	case PARQ_SW_RX_NO_MEMBER:
		return sw->has_vlans;
	case PARQ_SW_TX_DROP_RED:
		return sw->red;
	case PARQ_SW_RX_NO_ENTRY:
		return sw->has_no_entry;
	default:
		return true;
	}
}

/* ---- parq_switch_jobs.c -------------------------------------------------- */

/* Changes of the table of addresses that wait for the work that makes them. */

enum parq_fdb_job_op {
	PARQ_FDB_JOB_ADD,	/* the bridge wants it */
	PARQ_FDB_JOB_DELETE,	/* the bridge does not have it any more */
	PARQ_FDB_JOB_LEARNED,	/* the device has learned it, or it has moved */
	PARQ_FDB_JOB_AGED,	/* the device has removed it */
};

/**
 * struct parq_fdb_job - change of the table
 * @node: in parq_switch_fdb.queue
 * @hash: in parq_switch_fdb.jobs
 * @op: which change
 * @again: it replaces a deletion, or an addition that it reverts: what was there before has gone
 * @e: entry; a deletion tells of its kind only whether it is behind the host
 */
struct parq_fdb_job {
	struct list_head node;
	struct hlist_node hash;
	enum parq_fdb_job_op op;
	bool again;
	struct parq_fdb e;
};

static inline u64 parq_fdb_key(const struct parq_fdb *e)
{
	return ether_addr_to_u64(e->addr) ^ (u64)parq_vlan_index(e->domain, e->vid) << 45;
}

/* One address in one table. */
static inline bool parq_fdb_same(const struct parq_fdb *a, const struct parq_fdb *b)
{
	return ether_addr_equal(a->addr, b->addr) && a->domain == b->domain && a->vid == b->vid;
}

/* Return: the oldest job, which is the caller's, or NULL. */
struct parq_fdb_job *parq_switch_jobs_next(struct parq_switch_fdb *fdb);

/*
 * Changes are lost: of the device, or if @fewer of the bridge, which has fewer entries now: what
 * stations have sent is removed, wherever they are. Context: any.
 */
void parq_switch_jobs_missed(struct parq_switch *sw, bool fewer);

void parq_switch_jobs_init(struct parq_switch_fdb *fdb);

/* ---- parq_switch_fdb.c --------------------------------------------------- */

/* About once a second: asks the device whether it has lost events, or has a place again. */
void parq_switch_fdb_watch(struct parq_dev *pd);

/* An event of a bridge. Context: any. Return: as a notifier. */
int parq_switch_fdb_notify(struct parq_switch *sw, unsigned long event, void *info);

void parq_switch_fdb_init(struct parq_switch *sw);
void parq_switch_fdb_fini(struct parq_switch *sw);
void parq_switch_fdb_restart(struct parq_switch *sw);

/* Removes what was learned at @port in @domain: it has stopped learning. Context: may sleep. */
void parq_switch_fdb_flush(struct parq_switch *sw, unsigned int domain, unsigned int port);

/* Walks the list once for all VLANs that were left. Before a VLAN begins. Context: may sleep. */
void parq_switch_fdb_leave_vlans(struct parq_switch *sw);

/* @port has left @domain; the bridge still knows its port. Context: rtnl. */
void parq_switch_fdb_leave(struct parq_switch *sw, unsigned int port, unsigned int domain);

/* ---- parq_switch_mdb.c --------------------------------------------------- */

/*
 * Groups, and what a domain does as its bridge. Context: rtnl, may sleep, unless said otherwise.
 * All may be called for a device that has no groups.
 */

/* Writes PARQ_SW_DOMAIN if it has changed. Context: sw->lock. */
void parq_switch_domain_write(struct parq_switch *sw, unsigned int domain);

/* The bridge snoops from now on, or does not; it is a multicast router, or is not. */
void parq_switch_mdb_snoop(struct parq_switch *sw, unsigned int domain, bool on);
void parq_switch_mdb_router(struct parq_switch *sw, unsigned int domain, bool on);

/* An event of a bridge or of its port. Return: as a notifier. */
int parq_switch_mdb_notify(struct parq_switch *sw, unsigned long event, void *info);

/* A VLAN is there, or is no more. Context: sw->lock. */
void parq_switch_mdb_vlan(struct parq_switch *sw, unsigned int domain, u16 vid, bool there);

/* The domain has its first port, and @bridge. */
void parq_switch_mdb_begin(struct parq_switch *sw, unsigned int domain,
			   const struct net_device *bridge);

/* The domain has no ports any more. */
void parq_switch_mdb_end(struct parq_switch *sw, unsigned int domain);

/* The port has left @domain. */
void parq_switch_mdb_leave(struct parq_port *port, unsigned int domain);

/* About once a second: whether there are queriers, and a place again. Context: may sleep. */
void parq_switch_mdb_watch(struct parq_switch *sw);

/* The device has lost all groups, and PARQ_SW_DOMAIN. Context: may sleep. */
void parq_switch_mdb_restart(struct parq_switch *sw);

void parq_switch_mdb_init(struct parq_switch *sw);
void parq_switch_mdb_fini(struct parq_switch *sw);

/* ---- parq_switch_vlan.c -------------------------------------------------- */

/* Context: rtnl, may sleep, unless said otherwise. */

/* Return: why the bridge of a domain cannot filter VLANs, or NULL. */
const char *parq_switch_vlan_unusable(const struct parq_switch *sw, unsigned int domain);

/* The bridge of a domain filters VLANs from now on, or does not. */
void parq_switch_vlan_filter(struct parq_switch *sw, unsigned int domain, bool on);

/* An event of a bridge or of its port. Return: as a notifier. */
int parq_switch_vlan_notify(struct parq_switch *sw, unsigned long event, void *info);

/* Members of @dev have changed, which may be a bridge. */
void parq_switch_vlan_members(struct parq_switch *sw, struct net_device *dev);

/* What the host gets of a domain may have changed. */
void parq_switch_vlan_update(struct parq_switch *sw, unsigned int domain);

/* The port has left @domain. */
void parq_switch_vlan_leave(struct parq_port *port, unsigned int domain);

/* The domain has no ports any more. */
void parq_switch_vlan_end(struct parq_switch *sw, unsigned int domain);

/* The device has lost all VLANs. Context: may sleep. */
void parq_switch_vlan_restart(struct parq_switch *sw);

/* ---- parq_switch_member.c ------------------------------------------------ */

/* Changes PARQ_SW_CTRL of a member. Context: rtnl, may sleep. */
void parq_switch_set(const struct parq_member *m, u32 clear, u32 set);

/* Something has changed that all members of a domain follow. Context: rtnl, may sleep. */
void parq_switch_update(struct parq_switch *sw, unsigned int domain);

/* ---- parq_switch_vif.c --------------------------------------------------- */

/* VLAN interfaces of ports. Context: rtnl, may sleep, unless said otherwise. */

/* Return: false if the port cannot have @vlan in its bridge. @reason tells why. */
bool parq_switch_vif_possible(struct parq_port *port, const struct net_device *vlan,
			      char reason[PARQ_REASON_LEN]);

/* Return: false if the port cannot have its VLAN interfaces in a bridge. */
bool parq_switch_vif_can_join(struct parq_port *port, char reason[PARQ_REASON_LEN]);

/* The port has the VLAN interface from now on, or has not. */
void parq_switch_vif_set(struct parq_port *port, const struct net_device *vlan, bool on);

/* Return: the port has a VLAN interface with this VID. */
bool parq_switch_vif_exists(struct parq_port *port, u16 vid);

/* Return: port of a VLAN interface that can be a member of a domain, or NULL. */
struct parq_port *parq_switch_vif_port(struct parq_switch *sw, const struct net_device *vlan);

/* Makes a VLAN interface a member of a domain, without settings. Return: 0, or -ENOMEM. */
int parq_switch_vif_new(struct parq_member *m, struct net_device *vlan);

/* It is no member any more. Nothing of it is left in the tables. */
void parq_switch_vif_free(const struct parq_member *m);

/* The device gets the settings of a member. Context: sw->lock. */
void parq_switch_vif_write(struct parq_port *port, const struct parq_vif *vif, u32 ctrl);

/*
 * Return: false if the domain has a VLAN interface, or a port of it has a VLAN interface of a VLAN
 * that it is a member of.
 */
bool parq_switch_vif_can_filter(struct parq_switch *sw, unsigned int domain,
				char reason[PARQ_REASON_LEN]);

/* The device has lost all VLAN interfaces. Context: may sleep. */
void parq_switch_vif_restart(struct parq_switch *sw);

#endif /* _PARQ_SWITCH_DOMAIN_H */
