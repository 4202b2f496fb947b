// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of a device that forwards. The device learns, and tells the bridge by events, which
 * may be lost. The bridge tells which addresses are its own, and which a user has added. One
 * work does both in the order of their arrival, with a list of what the device has: with its
 * help the table is restored after a reset, and compared after a loss of events.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_switch_fdb.h"

/* A device that claims to have more entries takes neither all memory nor all time. */
#define PARQ_FDB_MAX	65536U

/* Entries that are read before another one gets the lock. */
#define PARQ_FDB_READS	256

/**
 * struct parq_fdb_known - entry that the device has
 * @node: in parq_switch_fdb.known
 * @e: entry
 * @seen: the device has it; during a comparison
 */
struct parq_fdb_known {
	struct hlist_node node;
	struct parq_fdb e;
	bool seen;
};

enum parq_fdb_job_op {
	PARQ_FDB_JOB_ADD,	/* the bridge wants it */
	PARQ_FDB_JOB_DELETE,	/* the bridge does not have it any more */
	PARQ_FDB_JOB_LEARNED,	/* the device has learned it, or it has moved */
	PARQ_FDB_JOB_AGED,	/* the device has removed it */
};

/**
 * struct parq_fdb_job - change of the table
 * @node: in parq_switch_fdb.queue
 * @op: which change
 * @e: entry; a deletion tells of its kind only whether it is PARQ_FDB_HOST
 */
struct parq_fdb_job {
	struct list_head node;
	enum parq_fdb_job_op op;
	struct parq_fdb e;
};

/* ---- Known entries ------------------------------------------------------ */

static u64 parq_fdb_key(const struct parq_fdb *e)
{
	return ether_addr_to_u64(e->addr) | (u64)e->domain << 48;
}

static struct parq_fdb_known *parq_fdb_find(struct parq_switch *sw, const struct parq_fdb *e)
{
	u64 key = parq_fdb_key(e);
	struct parq_fdb_known *k;

	lockdep_assert_held(&sw->fdb.lock);
	hash_for_each_possible(sw->fdb.known, k, node, key)
		if (parq_fdb_key(&k->e) == key)
			return k;
	return NULL;
}

static void parq_fdb_remove(struct parq_switch *sw, struct parq_fdb_known *k)
{
	lockdep_assert_held(&sw->fdb.lock);
	hash_del(&k->node);
	kfree(k);
	sw->fdb.num--;
}

/* Adds or replaces. Return: false if there is no room. */
static bool parq_fdb_store(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k) {
		k = sw->fdb.num < PARQ_FDB_MAX ? kzalloc_obj(*k) : NULL;
		if (!k)
			return false;
		hash_add(sw->fdb.known, &k->node, parq_fdb_key(e));
		sw->fdb.num++;
	}
	k->e = *e;
	return true;
}

/* Frames to and from this port can use the entry. */
static bool parq_fdb_current(const struct parq_switch *sw, const struct parq_fdb *e)
{
	return e->port < sw->pd->caps.ports && parq_port_is_up(sw->pd->port[e->port]) &&
	       e->domain &&
	       parq_switch_port_domain(sw, e->port) == e->domain;
}

static void parq_fdb_tell(struct parq_switch *sw, enum switchdev_notifier_type type,
			  const struct parq_fdb *e)
{
	struct switchdev_notifier_fdb_info info = {
		.addr = e->addr,
		.offloaded = type != SWITCHDEV_FDB_DEL_TO_BRIDGE,
	};

	call_switchdev_notifiers(type, sw->pd->port[e->port]->netdev, &info.info, NULL);
}

/* ---- What bridges want -------------------------------------------------- */

static void parq_fdb_add(struct parq_switch *sw, const struct parq_fdb *e)
{
	/* Without room here the next comparison removes it. */
	if (parq_io_fdb_cmd(sw->pd, PARQ_FDB_ADD, e) != PARQ_FDB_OK) {
		dev_warn_ratelimited(sw->pd->dev, "no place for address %pM in the table\n",
				     e->addr);
		return;
	}
	if (parq_fdb_store(sw, e) && e->kind == PARQ_FDB_STATIC)
		parq_fdb_tell(sw, SWITCHDEV_FDB_OFFLOADED, e);
}

/*
 * The bridge deletes the old entry of an address that it has seen to move. If the device has seen
 * it, too, its entry is another one.
 */
static void parq_fdb_delete(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k)
		return;
	if (e->kind == PARQ_FDB_HOST ? k->e.kind != PARQ_FDB_HOST :
	    k->e.kind == PARQ_FDB_HOST || k->e.port != e->port)
		return;
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
	parq_fdb_remove(sw, k);
}

/* ---- What the device reports -------------------------------------------- */

static void parq_fdb_learned(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	/* An event from before the port left its bridge, or before a user added the address. */
	if (!parq_fdb_current(sw, e) || (k && k->e.kind != PARQ_FDB_DYNAMIC))
		return;
	if (parq_fdb_store(sw, e))
		parq_fdb_tell(sw, SWITCHDEV_FDB_ADD_TO_BRIDGE, e);
}

static void parq_fdb_aged(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k || k->e.kind != PARQ_FDB_DYNAMIC)
		return;
	parq_fdb_tell(sw, SWITCHDEV_FDB_DEL_TO_BRIDGE, &k->e);
	parq_fdb_remove(sw, k);
}

/* ---- Comparison --------------------------------------------------------- */

/* The device has the entry @e. */
static void parq_fdb_see(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (e->kind == PARQ_FDB_DYNAMIC && (!k || k->e.port != e->port)) {
		parq_fdb_learned(sw, e);
		k = parq_fdb_find(sw, e);
	}
	if (!k)
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, e);
	else if (k->e.kind == e->kind && k->e.port == e->port)
		k->seen = true;
}

/*
 * Reads all entries of the device. They change while they are read, but with events. So the number
 * of those in use does not tell when the last one has been read.
 */
static void parq_fdb_read_all(struct parq_switch *sw)
{
	u32 index, size = min(parq_io_fdb_size(sw->pd), PARQ_FDB_MAX);
	struct parq_fdb e;

	for (index = 0; index < size; index++) {
		if (parq_io_fdb_read(sw->pd, index, &e))
			parq_fdb_see(sw, &e);
		/* Another one waits, perhaps with rtnl. */
		if (index % PARQ_FDB_READS == PARQ_FDB_READS - 1) {
			mutex_unlock(&sw->fdb.lock);
			cond_resched();
			mutex_lock(&sw->fdb.lock);
		}
	}
}

/*
 * Makes the bridge have what the device has learned, and the device what the bridge wants. A port
 * can leave, or the device restart, while entries are read: that removes known entries, and only
 * the work adds others.
 */
static void parq_fdb_compare(struct parq_switch *sw)
{
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each(sw->fdb.known, i, k, node)
		k->seen = false;
	parq_fdb_read_all(sw);
	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (k->seen)
			continue;
		if (k->e.kind == PARQ_FDB_DYNAMIC)
			parq_fdb_aged(sw, &k->e);
		else
			parq_fdb_add(sw, &k->e);
	}
}

/* ---- The work ----------------------------------------------------------- */

static void parq_fdb_do(struct parq_switch *sw, const struct parq_fdb_job *job)
{
	switch (job->op) {
	case PARQ_FDB_JOB_ADD:
		parq_fdb_add(sw, &job->e);
		break;
	case PARQ_FDB_JOB_DELETE:
		parq_fdb_delete(sw, &job->e);
		break;
	case PARQ_FDB_JOB_LEARNED:
		parq_fdb_learned(sw, &job->e);
		break;
	case PARQ_FDB_JOB_AGED:
		parq_fdb_aged(sw, &job->e);
		break;
	}
}

/* Takes no rtnl: a port that leaves its bridge waits for it. See parq_switch_fdb_leave(). */
static void parq_fdb_work(struct work_struct *work)
{
	struct parq_switch *sw = container_of(work, struct parq_switch, fdb.work);
	struct parq_switch_fdb *fdb = &sw->fdb;
	struct parq_fdb_job *job, *next;
	LIST_HEAD(jobs);
	bool compare;

	spin_lock_bh(&fdb->queue_lock);
	list_splice_init(&fdb->queue, &jobs);
	compare = fdb->compare;
	fdb->compare = false;
	spin_unlock_bh(&fdb->queue_lock);

	mutex_lock(&fdb->lock);
	list_for_each_entry_safe(job, next, &jobs, node) {
		parq_fdb_do(sw, job);
		kfree(job);
	}
	if (compare)
		parq_fdb_compare(sw);
	mutex_unlock(&fdb->lock);
}

/* @job is NULL if there was no memory for an event. */
static void parq_fdb_queue(struct parq_switch *sw, struct parq_fdb_job *job)
{
	spin_lock_bh(&sw->fdb.queue_lock);
	if (job)
		list_add_tail(&job->node, &sw->fdb.queue);
	else
		sw->fdb.compare = true;
	spin_unlock_bh(&sw->fdb.queue_lock);
	queue_work(sw->pd->wq, &sw->fdb.work);
}

void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev)
{
	struct parq_switch *sw = pd->sw;
	struct parq_fdb_job *job;

	if (!sw || ev->port >= pd->caps.ports || ev->index >= PARQ_NUM_DOMAINS)
		return;
	job = kzalloc_obj(*job);
	if (job) {
		job->op = ev->prio == PARQ_FDB_AGED ? PARQ_FDB_JOB_AGED : PARQ_FDB_JOB_LEARNED;
		job->e.port = ev->port;
		job->e.domain = ev->index;
		job->e.kind = PARQ_FDB_DYNAMIC;
		put_unaligned_le32(le32_to_cpu(ev->a), job->e.addr);
		put_unaligned_le16(le32_to_cpu(ev->b), job->e.addr + 4);
	}
	parq_fdb_queue(sw, job);
}

void parq_switch_fdb_lost(struct parq_dev *pd)
{
	if (pd->sw)
		parq_fdb_queue(pd->sw, NULL);
}

void parq_switch_fdb_watch(struct parq_dev *pd)
{
	struct parq_switch *sw = pd->sw;
	bool lost;
	u32 count;

	if (!sw)
		return;
	count = parq_io_events_lost(pd);
	mutex_lock(&sw->fdb.lock);
	lost = count != sw->fdb.lost;
	sw->fdb.lost = count;
	mutex_unlock(&sw->fdb.lock);
	if (lost)
		parq_fdb_queue(sw, NULL);
}

/* ---- Bridges ------------------------------------------------------------ */

/*
 * Finds the domain of an address behind @dev: one of our ports, another member of a bridge, or the
 * bridge. Return: false if this device has no part in it.
 */
static bool parq_fdb_place(const struct parq_switch *sw, struct net_device *dev,
			   struct parq_fdb *e)
{
	const struct parq_port *port = parq_switch_port(sw, dev);
	const struct net_device *bridge;

	if (port) {
		e->kind = PARQ_FDB_STATIC;
		e->port = port->index;
		e->domain = parq_switch_port_domain(sw, port->index);
		return e->domain;
	}
	rcu_read_lock();
	bridge = netif_is_bridge_master(dev) ? dev : netdev_master_upper_dev_get_rcu(dev);
	rcu_read_unlock();
	e->kind = PARQ_FDB_HOST;
	e->domain = bridge ? parq_switch_bridge_domain(sw, bridge) : 0;
	return e->domain;
}

/*
 * The device learns by itself what the bridge has learned from the same frames. An address that
 * the bridge has learned from another member could move to a port of the device, and an entry for
 * the host does not: frames to it go to the host as to all unknown addresses.
 */
int parq_switch_fdb_notify(struct parq_switch *sw, unsigned long event, void *data)
{
	const struct switchdev_notifier_fdb_info *info = data;
	struct parq_fdb_job *job, new = {};

	if (event == SWITCHDEV_FDB_ADD_TO_DEVICE)
		new.op = PARQ_FDB_JOB_ADD;
	else if (event == SWITCHDEV_FDB_DEL_TO_DEVICE)
		new.op = PARQ_FDB_JOB_DELETE;
	else
		return NOTIFY_DONE;
	/* A bridge that filters no VLANs uses only entries without VLAN. */
	if (info->vid || (new.op == PARQ_FDB_JOB_ADD &&
			  switchdev_fdb_is_dynamically_learned(info)))
		return NOTIFY_DONE;
	if (!parq_fdb_place(sw, switchdev_notifier_info_to_dev(&info->info), &new.e))
		return NOTIFY_DONE;
	if (info->is_local)
		new.e.kind = PARQ_FDB_HOST;
	ether_addr_copy(new.e.addr, info->addr);
	job = kmemdup(&new, sizeof(new), GFP_ATOMIC);
	if (!job)
		return notifier_from_errno(-ENOMEM);
	parq_fdb_queue(sw, job);
	return NOTIFY_DONE;
}

void parq_switch_port_down(struct parq_port *port)
{
	struct parq_switch *sw = port->pd->sw;
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	if (!sw)
		return;
	/* Events that are older than this. */
	flush_work(&sw->fdb.work);
	mutex_lock(&sw->fdb.lock);
	hash_for_each_safe(sw->fdb.known, i, next, k, node)
		if (k->e.port == port->index)
			parq_fdb_aged(sw, &k->e);
	mutex_unlock(&sw->fdb.lock);
}

void parq_switch_fdb_leave(struct parq_switch *sw, unsigned int port, unsigned int domain)
{
	const struct parq_fdb flush = { .port = port, .domain = domain };
	bool ends = !parq_switch_domain_used(sw, domain);
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	/* Nothing more can come from the bridge for this port, and nothing goes to it after this. */
	flush_work(&sw->fdb.work);
	mutex_lock(&sw->fdb.lock);
	/*
	 * The bridge deleted the port's addresses before it removed the port. What the work has
	 * added between the two would keep a pointer to a port that the bridge frees.
	 */
	parq_fdb_tell(sw, SWITCHDEV_FDB_FLUSH_TO_BRIDGE, &flush);
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_FLUSH, &flush);
	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (k->e.domain != domain ||
		    (!ends && (k->e.kind == PARQ_FDB_HOST || k->e.port != port)))
			continue;
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
		parq_fdb_remove(sw, k);
	}
	mutex_unlock(&sw->fdb.lock);
}

/* ---- Life --------------------------------------------------------------- */

/* The device has lost all entries, and its count of lost events. */
void parq_switch_fdb_restart(struct parq_switch *sw)
{
	mutex_lock(&sw->fdb.lock);
	sw->fdb.lost = 0;
	parq_fdb_compare(sw);
	mutex_unlock(&sw->fdb.lock);
}

void parq_switch_fdb_init(struct parq_switch *sw)
{
	mutex_init(&sw->fdb.lock);
	hash_init(sw->fdb.known);
	spin_lock_init(&sw->fdb.queue_lock);
	INIT_LIST_HEAD(&sw->fdb.queue);
	INIT_WORK(&sw->fdb.work, parq_fdb_work);
}

/* Nothing can queue the work any more. */
void parq_switch_fdb_fini(struct parq_switch *sw)
{
	flush_work(&sw->fdb.work);
	mutex_destroy(&sw->fdb.lock);
}
