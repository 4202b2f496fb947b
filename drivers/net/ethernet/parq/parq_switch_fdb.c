// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of a device that forwards. The device learns, and tells the bridge by events, which
 * may be lost. The bridge tells which addresses are its own, and which a user has added. One
 * work does both in the order of their arrival, with a list of what the device has or should
 * have: with its help the table is restored after a reset, and compared after a loss of events.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_switch.h"
#include "parq_switch_domain.h"

/* A device that claims to have more entries takes neither all memory nor all time. */
#define PARQ_FDB_MAX	65536U

/*
 * Calls of the watch after which the thread that reads events has read those from before a port was
 * flushed. It may believe them if the port learns again.
 */
#define PARQ_FDB_SETTLE	2

/*
 * Part of the table for addresses behind other members. The device does not age them: who invents
 * addresses there must not keep it from learning.
 */
#define PARQ_FDB_EXTERN_PART	4

/*
 * Part of the table for addresses of the bridge itself, and of users behind it: a bridge has those
 * of all its ports in each VLAN. The device floods to addresses that it does not know, and to the
 * host.
 */
#define PARQ_FDB_HOST_PART	4

/* Part of the known entries for them. */
#define PARQ_FDB_HOSTS	(PARQ_FDB_MAX / 2)

/* Entries that are read before another one gets the lock. */
#define PARQ_FDB_READS	256

/**
 * struct parq_fdb_known - entry that the device has, or that it had no place for
 * @node: in parq_switch_fdb.known
 * @e: entry
 * @there: the device has it; during a comparison: it was read
 */
struct parq_fdb_known {
	struct hlist_node node;
	struct parq_fdb e;
	bool there;
};

/* ---- Known entries ------------------------------------------------------ */

/* Such an entry follows its address. All others are somebody's wish. */
static bool parq_fdb_moves(const struct parq_fdb *e)
{
	return e->kind == PARQ_FDB_DYNAMIC || e->kind == PARQ_FDB_EXTERN;
}

static struct parq_fdb_known *parq_fdb_find(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k;

	lockdep_assert_held(&sw->fdb.lock);
	hash_for_each_possible(sw->fdb.known, k, node, parq_fdb_key(e))
		if (parq_fdb_same(&k->e, e))
			return k;
	return NULL;
}

/* Counts an entry of a kind that has a share; before it changes @by is -1, then 1. */
static void parq_fdb_count(struct parq_switch *sw, const struct parq_fdb_known *k, int by)
{
	lockdep_assert_held(&sw->fdb.lock);
	if (k->e.kind == PARQ_FDB_EXTERN)
		sw->fdb.externs += by;
	if (k->e.kind != PARQ_FDB_HOST)
		return;
	sw->fdb.hosts += by;
	if (k->there)
		sw->fdb.placed += by;
}

static void parq_fdb_set_there(struct parq_switch *sw, struct parq_fdb_known *k, bool there)
{
	parq_fdb_count(sw, k, -1);
	k->there = there;
	parq_fdb_count(sw, k, 1);
}

static void parq_fdb_remove(struct parq_switch *sw, struct parq_fdb_known *k)
{
	lockdep_assert_held(&sw->fdb.lock);
	/* Another one gets its place. */
	if (k->e.kind == PARQ_FDB_HOST && k->there && sw->fdb.hosts > sw->fdb.placed)
		sw->fdb.missing = true;
	parq_fdb_count(sw, k, -1);
	hash_del(&k->node);
	kfree(k);
	sw->fdb.num--;
}

/* Adds or replaces. @there: the device has it. Return: the entry, or NULL if there is no room. */
static struct parq_fdb_known *parq_fdb_store(struct parq_switch *sw, const struct parq_fdb *e,
					     bool there)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k) {
		k = sw->fdb.num < PARQ_FDB_MAX ? kzalloc_obj(*k) : NULL;
		if (!k)
			return NULL;
		hash_add(sw->fdb.known, &k->node, parq_fdb_key(e));
		sw->fdb.num++;
	} else {
		parq_fdb_count(sw, k, -1);
	}
	k->e = *e;
	k->there = there;
	parq_fdb_count(sw, k, 1);
	return k;
}

/* The port learns, in this domain and VLAN. */
static bool parq_fdb_current(struct parq_switch *sw, const struct parq_fdb *e)
{
	u32 ctrl;

	if (e->port >= sw->pd->caps.ports || !parq_port_is_up(sw->pd->port[e->port]))
		return false;
	if (e->vid && !parq_switch_in_vlan(sw, e->domain, e->vid, e->port))
		return false;
	ctrl = parq_switch_member_ctrl(sw, e->domain, e->port);
	return ctrl & PARQ_SW_CTRL_LEARN &&
	       FIELD_GET(PARQ_SW_CTRL_STATE, ctrl) != PARQ_SW_BLOCKING &&
	       FIELD_GET(PARQ_SW_CTRL_DOMAIN, ctrl) == e->domain;
}

static void parq_fdb_tell(struct parq_switch *sw, enum switchdev_notifier_type type,
			  const struct parq_fdb *e)
{
	struct switchdev_notifier_fdb_info info = {
		.addr = e->addr,
		.vid = e->vid,
		.offloaded = type != SWITCHDEV_FDB_DEL_TO_BRIDGE,
	};

	call_switchdev_notifiers(type, parq_switch_member_dev(sw, e->domain, e->port), &info.info,
				 NULL);
}

/* ---- What bridges want -------------------------------------------------- */

/* Its kind has a share of the table, and others have all of it. */
static bool parq_fdb_share_full(struct parq_switch *sw, const struct parq_fdb_known *k)
{
	return k->e.kind == PARQ_FDB_HOST && !k->there &&
	       sw->fdb.placed >= parq_io_fdb_size(sw->pd) / PARQ_FDB_HOST_PART;
}

/* The watch tries again if the device does not take the entry. */
static enum parq_fdb_result parq_fdb_put(struct parq_switch *sw, struct parq_fdb_known *k)
{
	enum parq_fdb_result result;

	if (parq_fdb_share_full(sw, k))
		return PARQ_FDB_FULL;
	result = parq_io_fdb_cmd(sw->pd, PARQ_FDB_ADD, &k->e);
	parq_fdb_set_there(sw, k, result == PARQ_FDB_OK);
	if (!k->there)
		sw->fdb.missing = true;
	else if (k->e.kind == PARQ_FDB_STATIC)
		parq_fdb_tell(sw, SWITCHDEV_FDB_OFFLOADED, &k->e);
	return result;
}

/* There are as many of this kind as there may be. */
static bool parq_fdb_too_many(struct parq_switch *sw, enum parq_fdb_kind kind)
{
	if (kind == PARQ_FDB_EXTERN)
		return sw->fdb.externs >= parq_io_fdb_size(sw->pd) / PARQ_FDB_EXTERN_PART;
	return kind == PARQ_FDB_HOST && sw->fdb.hosts >= PARQ_FDB_HOSTS;
}

/* A user, or the bridge, wants an entry that the device does not have. */
static void parq_fdb_refused(struct parq_switch *sw, const struct parq_fdb *e)
{
	atomic64_inc(&sw->fdb_refused);
	dev_warn_ratelimited(sw->pd->dev, "no place for address %pM in the table\n", e->addr);
}

/* A station behind another member that finds no room is flooded, as any other. */
static void parq_fdb_add(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);
	enum parq_fdb_result result = PARQ_FDB_FULL;
	struct parq_fdb old = k ? k->e : *e;
	bool was_there = k && k->there;

	/* First here: the device has no entry that nobody can delete. */
	if (k || !parq_fdb_too_many(sw, e->kind))
		k = parq_fdb_store(sw, e, was_there && old.kind == e->kind);
	if (k)
		result = parq_fdb_put(sw, k);
	if (result == PARQ_FDB_OK)
		return;
	if (was_there)
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &old);
	if (k && parq_fdb_moves(e))
		parq_fdb_remove(sw, k);
	else if (result == PARQ_FDB_FULL && !parq_fdb_moves(e))
		parq_fdb_refused(sw, e);
}

/* Tries again what the device had no place for. */
static void parq_fdb_retry(struct parq_switch *sw)
{
	struct parq_fdb_known *k;
	unsigned int i;

	if (!sw->fdb.missing)
		return;
	sw->fdb.missing = false;
	hash_for_each(sw->fdb.known, i, k, node)
		if (!k->there)
			parq_fdb_put(sw, k);
}

/*
 * The bridge deletes the old entry of an address that it has seen to move. If the device has seen
 * it, too, its entry is at another port: the device keeps that one, and an event tells of it.
 */
static void parq_fdb_delete(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k)
		return;
	if (parq_fdb_at_host(e->kind) != parq_fdb_at_host(k->e.kind) ||
	    (!parq_fdb_at_host(e->kind) && k->e.port != e->port))
		return;
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
	/* An event that came before the deletion may have added it to the bridge after that. */
	if (k->e.kind == PARQ_FDB_DYNAMIC)
		parq_fdb_tell(sw, SWITCHDEV_FDB_DEL_TO_BRIDGE, &k->e);
	parq_fdb_remove(sw, k);
}

/* ---- What the device reports -------------------------------------------- */

static void parq_fdb_learned(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	/* An event from before the port stopped learning, or before a user added the address. */
	if (!parq_fdb_current(sw, e) || (k && !parq_fdb_moves(&k->e) && k->there))
		return;
	/* A station must not get what is for the bridge because the device has no place for it. */
	if ((!k || parq_fdb_moves(&k->e)) && parq_fdb_store(sw, e, true))
		parq_fdb_tell(sw, SWITCHDEV_FDB_ADD_TO_BRIDGE, e);
	else
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, e);
}

static void parq_fdb_aged(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k || k->e.kind != PARQ_FDB_DYNAMIC)
		return;
	parq_fdb_tell(sw, SWITCHDEV_FDB_DEL_TO_BRIDGE, &k->e);
	parq_fdb_remove(sw, k);
}

/* Removes what was learned at @port in @domain from the device and from the bridge. */
static void parq_fdb_flush(struct parq_switch *sw, unsigned int domain, unsigned int port)
{
	const struct parq_fdb flush = { .port = port, .domain = domain };
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	sw->fdb.settle = PARQ_FDB_SETTLE;
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_FLUSH, &flush);
	hash_for_each_safe(sw->fdb.known, i, next, k, node)
		if (k->e.port == port && k->e.domain == domain)
			parq_fdb_aged(sw, &k->e);
}

/* The VLAN of an entry has ended: the device has the entry no more. A wish waits for the VLAN. */
static void parq_fdb_vlan_ended(struct parq_switch *sw, struct parq_fdb_known *k)
{
	if (k->e.kind == PARQ_FDB_DYNAMIC) {
		parq_fdb_aged(sw, &k->e);
	} else if (k->e.kind == PARQ_FDB_EXTERN) {
		parq_fdb_remove(sw, k);
	} else {
		parq_fdb_set_there(sw, k, false);
		sw->fdb.missing = true;
	}
}

/* Removes what was learned by ports in VLANs that they have left, and what VLANs had that ended. */
static void parq_fdb_leave_vlans(struct parq_switch *sw)
{
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;
	u64 left;

	lockdep_assert_held(&sw->fdb.lock);
	left = atomic64_xchg(&sw->fdb.left, 0);
	if (!left)
		return;
	sw->fdb.settle = PARQ_FDB_SETTLE;
	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (!k->e.vid || !(left & BIT_ULL(k->e.domain - 1)))
			continue;
		if (!parq_switch_vlan_exists(sw, k->e.domain, k->e.vid)) {
			parq_fdb_vlan_ended(sw, k);
		} else if (k->e.kind == PARQ_FDB_DYNAMIC &&
			   !parq_switch_in_vlan(sw, k->e.domain, k->e.vid, k->e.port)) {
			parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
			parq_fdb_aged(sw, &k->e);
		}
	}
}

/* Removes what the bridge has learned from its other members. */
static void parq_fdb_drop_extern(struct parq_switch *sw)
{
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (k->e.kind != PARQ_FDB_EXTERN)
			continue;
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
		parq_fdb_remove(sw, k);
	}
}

/* Removes what stations have sent, wherever they are. */
static void parq_fdb_flush_all(struct parq_switch *sw)
{
	unsigned int domain, i;

	for (domain = 1; domain < PARQ_NUM_DOMAINS; domain++)
		for (i = 0; i < sw->pd->caps.ports; i++)
			if (parq_switch_wish(sw, domain, i))
				parq_fdb_flush(sw, domain, i);
	parq_fdb_drop_extern(sw);
}

/* ---- Comparison --------------------------------------------------------- */

/* The device has the entry @e. */
static void parq_fdb_see(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (e->kind == PARQ_FDB_DYNAMIC &&
	    (!k || k->e.kind != PARQ_FDB_DYNAMIC || k->e.port != e->port)) {
		parq_fdb_learned(sw, e);
		k = parq_fdb_find(sw, e);
	}
	if (k && k->e.kind == e->kind && k->e.port == e->port)
		parq_fdb_set_there(sw, k, true);
	else if (!k || k->e.kind == PARQ_FDB_DYNAMIC)
		parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, e);
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
		parq_fdb_set_there(sw, k, false);
	parq_fdb_read_all(sw);
	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (k->there)
			continue;
		if (k->e.kind == PARQ_FDB_DYNAMIC)
			parq_fdb_aged(sw, &k->e);
		else if (parq_fdb_put(sw, k) != PARQ_FDB_OK && parq_fdb_moves(&k->e))
			parq_fdb_remove(sw, k);
	}
}

/* ---- The work ----------------------------------------------------------- */

/* An entry of the bridge that it has deleted, and of which only a later change is told. */
static void parq_fdb_revert(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_known *k = parq_fdb_find(sw, e);

	if (!k || k->e.kind == PARQ_FDB_DYNAMIC)
		return;
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_DELETE, &k->e);
	parq_fdb_remove(sw, k);
}

static void parq_fdb_do(struct parq_switch *sw, const struct parq_fdb_job *job)
{
	if (job->again && (job->op == PARQ_FDB_JOB_ADD || job->op == PARQ_FDB_JOB_DELETE))
		parq_fdb_revert(sw, &job->e);
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

/*
 * Does the jobs that are queued when it starts. Others queue it again: a port that leaves waits for
 * one run, not for all.
 */
static void parq_fdb_jobs(struct parq_switch *sw)
{
	struct parq_switch_fdb *fdb = &sw->fdb;
	struct parq_fdb_job *job;
	unsigned int left;

	spin_lock_bh(&fdb->queue_lock);
	left = fdb->queued;
	spin_unlock_bh(&fdb->queue_lock);
	for (; left && (job = parq_switch_jobs_next(fdb)); left--) {
		mutex_lock(&fdb->lock);
		parq_fdb_do(sw, job);
		mutex_unlock(&fdb->lock);
		kfree(job);
		cond_resched();
	}
}

/* Takes no rtnl: a port that leaves its bridge waits for it. See parq_switch_fdb_leave(). */
static void parq_fdb_work(struct work_struct *work)
{
	struct parq_switch *sw = container_of(work, struct parq_switch, fdb.work);
	struct parq_switch_fdb *fdb = &sw->fdb;
	bool compare, flush;

	parq_fdb_jobs(sw);
	spin_lock_bh(&fdb->queue_lock);
	compare = fdb->compare;
	flush = fdb->flush;
	fdb->compare = false;
	fdb->flush = false;
	spin_unlock_bh(&fdb->queue_lock);

	mutex_lock(&fdb->lock);
	if (flush)
		parq_fdb_flush_all(sw);
	if (compare)
		parq_fdb_compare(sw);
	mutex_unlock(&fdb->lock);
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
	lost = count != sw->fdb.lost || sw->fdb.settle == 1;
	if (sw->fdb.settle)
		sw->fdb.settle--;
	sw->fdb.lost = count;
	parq_fdb_leave_vlans(sw);
	parq_fdb_retry(sw);
	mutex_unlock(&sw->fdb.lock);
	if (lost)
		parq_switch_jobs_missed(sw, false);
}

void parq_switch_fdb_flush(struct parq_switch *sw, unsigned int domain, unsigned int port)
{
	mutex_lock(&sw->fdb.lock);
	parq_fdb_flush(sw, domain, port);
	mutex_unlock(&sw->fdb.lock);
}

void parq_switch_fdb_leave_vlans(struct parq_switch *sw)
{
	mutex_lock(&sw->fdb.lock);
	parq_fdb_leave_vlans(sw);
	mutex_unlock(&sw->fdb.lock);
}

void parq_switch_port_down(struct parq_port *port)
{
	struct parq_switch *sw = port->pd->sw;
	unsigned int domain;

	if (!sw)
		return;
	/* Its own, and those of its VLAN interfaces. */
	for (domain = 1; domain < PARQ_NUM_DOMAINS; domain++)
		if (parq_switch_wish(sw, domain, port->index))
			parq_switch_fdb_flush(sw, domain, port->index);
}

void parq_switch_fdb_leave(struct parq_switch *sw, unsigned int port, unsigned int domain)
{
	const struct parq_fdb flush = { .port = port, .domain = domain };
	bool ends = !parq_switch_domain_used(sw, domain);
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	/* Nothing more comes from the bridge for this port, and nothing goes to it after this. */
	flush_work(&sw->fdb.work);
	mutex_lock(&sw->fdb.lock);
	/*
	 * The bridge deleted the port's addresses before it removed the port. What the work has
	 * added between the two would keep a pointer to a port that the bridge frees.
	 */
	parq_fdb_tell(sw, SWITCHDEV_FDB_FLUSH_TO_BRIDGE, &flush);
	sw->fdb.settle = PARQ_FDB_SETTLE;
	parq_io_fdb_cmd(sw->pd, PARQ_FDB_FLUSH, &flush);
	hash_for_each_safe(sw->fdb.known, i, next, k, node) {
		if (k->e.domain != domain ||
		    (!ends && (parq_fdb_at_host(k->e.kind) || k->e.port != port)))
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
	parq_switch_jobs_init(&sw->fdb);
	INIT_WORK(&sw->fdb.work, parq_fdb_work);
}

/* Nothing can queue the work any more. */
void parq_switch_fdb_fini(struct parq_switch *sw)
{
	struct parq_fdb_known *k;
	struct hlist_node *next;
	unsigned int i;

	flush_work(&sw->fdb.work);
	mutex_lock(&sw->fdb.lock);
	hash_for_each_safe(sw->fdb.known, i, next, k, node)
		parq_fdb_remove(sw, k);
	mutex_unlock(&sw->fdb.lock);
	mutex_destroy(&sw->fdb.lock);
}
