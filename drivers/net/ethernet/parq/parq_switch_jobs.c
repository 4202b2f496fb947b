// SPDX-License-Identifier: GPL-2.0
/*
 * What the device and bridges tell of addresses, in any context. It waits for the work, in the
 * order of its arrival.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <net/switchdev.h>

#include "parq.h"
#include "parq_switch.h"
#include "parq_switch_domain.h"

/* Beyond so many addresses that have changed, by what stations do, the tables are compared. */
#define PARQ_FDB_JOBS	4096U

/* Beyond so many addresses of bridges and users the next ones are lost, as the log says. */
#define PARQ_FDB_WISHES	65536U

/* ---- The queue ---------------------------------------------------------- */

static void parq_fdb_unqueue(struct parq_switch_fdb *fdb, struct parq_fdb_job *job)
{
	lockdep_assert_held(&fdb->queue_lock);
	list_del(&job->node);
	hash_del(&job->hash);
	fdb->queued--;
}

struct parq_fdb_job *parq_switch_jobs_next(struct parq_switch_fdb *fdb)
{
	struct parq_fdb_job *job;

	spin_lock_bh(&fdb->queue_lock);
	job = list_first_entry_or_null(&fdb->queue, struct parq_fdb_job, node);
	if (job)
		parq_fdb_unqueue(fdb, job);
	spin_unlock_bh(&fdb->queue_lock);
	return job;
}

/* Told by the device. All else is told by bridges. */
static bool parq_fdb_is_event(const struct parq_fdb_job *job)
{
	return job->op == PARQ_FDB_JOB_LEARNED || job->op == PARQ_FDB_JOB_AGED;
}

/* Return: what is queued of the address of @e, told by the device if @event, or by bridges. */
static struct parq_fdb_job *parq_fdb_queued(struct parq_switch_fdb *fdb, const struct parq_fdb *e,
					    bool event)
{
	struct parq_fdb_job *job;

	lockdep_assert_held(&fdb->queue_lock);
	hash_for_each_possible(fdb->jobs, job, hash, parq_fdb_key(e))
		if (parq_fdb_same(&job->e, e) && parq_fdb_is_event(job) == event)
			return job;
	return NULL;
}

/*
 * Queues a change. Of an address only the last state counts, so an older change that still waits
 * goes: the queue grows with addresses, not with changes. Return: false if there is no memory, or
 * @max changes are queued already.
 */
static bool parq_fdb_queue(struct parq_switch *sw, const struct parq_fdb_job *new, unsigned int max)
{
	struct parq_switch_fdb *fdb = &sw->fdb;
	struct parq_fdb_job *job;
	bool again = false;

	spin_lock_bh(&fdb->queue_lock);
	job = parq_fdb_queued(fdb, &new->e, parq_fdb_is_event(new));
	if (job) {
		again = job->again || job->op != new->op;
		parq_fdb_unqueue(fdb, job);
	} else if (fdb->queued < max) {
		job = kmemdup(new, sizeof(*new), GFP_ATOMIC);
	}
	if (job) {
		*job = *new;
		job->again = again;
		list_add_tail(&job->node, &fdb->queue);
		hash_add(fdb->jobs, &job->hash, parq_fdb_key(&job->e));
		fdb->queued++;
	}
	spin_unlock_bh(&fdb->queue_lock);
	if (job)
		queue_work(sw->pd->wq, &fdb->work);
	return job;
}

void parq_switch_jobs_missed(struct parq_switch *sw, bool fewer)
{
	spin_lock_bh(&sw->fdb.queue_lock);
	sw->fdb.compare = true;
	sw->fdb.flush |= fewer;
	spin_unlock_bh(&sw->fdb.queue_lock);
	queue_work(sw->pd->wq, &sw->fdb.work);
}

/* ---- The device --------------------------------------------------------- */

void parq_switch_fdb_event(struct parq_dev *pd, const struct parq_event *ev)
{
	struct parq_switch *sw = pd->sw;
	struct parq_fdb_job new = { .e.kind = PARQ_FDB_DYNAMIC };

	if (!sw || ev->port >= pd->caps.ports || ev->index >= PARQ_NUM_DOMAINS)
		return;
	new.op = ev->prio == PARQ_FDB_AGED ? PARQ_FDB_JOB_AGED : PARQ_FDB_JOB_LEARNED;
	new.e.port = ev->port;
	new.e.domain = ev->index;
	put_unaligned_le32(le32_to_cpu(ev->a), new.e.addr);
	put_unaligned_le16(le32_to_cpu(ev->b), new.e.addr + 4);
	if (sw->has_vlans)
		new.e.vid = le32_get_bits(ev->b, PARQ_SW_FDB_EVENT_VID);
	if (!parq_fdb_queue(sw, &new, PARQ_FDB_JOBS))
		parq_switch_jobs_missed(sw, false);
}

void parq_switch_fdb_lost(struct parq_dev *pd)
{
	if (pd->sw)
		parq_switch_jobs_missed(pd->sw, false);
}

/* ---- Bridges ------------------------------------------------------------ */

/*
 * Finds domain and place of an address behind @dev: one of our ports, another member of a bridge,
 * or the bridge. Return: false if this device has no part in it.
 */
static bool parq_fdb_place(struct parq_switch *sw, struct net_device *dev, struct parq_fdb *e)
{
	const struct net_device *bridge;
	struct parq_member m;

	if (parq_switch_find(sw, dev, &m)) {
		e->kind = PARQ_FDB_STATIC;
		e->port = m.port->index;
		e->domain = m.domain;
		return e->domain;
	}
	rcu_read_lock();
	bridge = netif_is_bridge_master(dev) ? dev : netdev_master_upper_dev_get_rcu(dev);
	rcu_read_unlock();
	e->kind = PARQ_FDB_HOST;
	e->domain = bridge ? parq_switch_bridge_domain(sw, bridge) : 0;
	return e->domain;
}

/* What the device has learned before a user adds the address must not replace the user's entry. */
static void parq_fdb_supersede(struct parq_switch *sw, const struct parq_fdb *e)
{
	struct parq_fdb_job *job;

	spin_lock_bh(&sw->fdb.queue_lock);
	job = parq_fdb_queued(&sw->fdb, e, true);
	if (job)
		parq_fdb_unqueue(&sw->fdb, job);
	spin_unlock_bh(&sw->fdb.queue_lock);
	kfree(job);
}

/* Return: it changes what the bridge has, by @op. So does what another device tells the bridge. */
static bool parq_fdb_change(unsigned long event, enum parq_fdb_job_op *op)
{
	switch (event) {
	case SWITCHDEV_FDB_ADD_TO_DEVICE:
	case SWITCHDEV_FDB_ADD_TO_BRIDGE:
		*op = PARQ_FDB_JOB_ADD;
		return true;
	case SWITCHDEV_FDB_DEL_TO_DEVICE:
	case SWITCHDEV_FDB_DEL_TO_BRIDGE:
		*op = PARQ_FDB_JOB_DELETE;
		return true;
	default:
		return false;
	}
}

/*
 * The device learns by itself what the bridge has learned from the same frames, but for addresses
 * behind other members: without these it would flood. The bridge does not repeat what the device of
 * another member has told it.
 */
int parq_switch_fdb_notify(struct parq_switch *sw, unsigned long event, void *data)
{
	const struct switchdev_notifier_fdb_info *info = data;
	struct parq_fdb_job new = {};
	struct net_device *dev;
	bool learned;

	/* Other events have other information. */
	if (!parq_fdb_change(event, &new.op))
		return NOTIFY_DONE;
	dev = switchdev_notifier_info_to_dev(&info->info);
	learned = switchdev_fdb_is_dynamically_learned(info);
	/* As on the device, no entry of a group is used; one without VLAN if none is filtered. */
	if (is_multicast_ether_addr(info->addr) || (info->vid && !sw->has_vlans) ||
	    !parq_fdb_place(sw, dev, &new.e))
		return NOTIFY_DONE;
	new.e.vid = info->vid;
	if (learned && new.e.kind == PARQ_FDB_HOST)
		new.e.kind = PARQ_FDB_EXTERN;
	else if (learned && (new.op == PARQ_FDB_JOB_ADD || event == SWITCHDEV_FDB_DEL_TO_BRIDGE))
		return NOTIFY_DONE;
	if (info->is_local)
		new.e.kind = PARQ_FDB_HOST;
	ether_addr_copy(new.e.addr, info->addr);
	if (new.op == PARQ_FDB_JOB_ADD && !learned)
		parq_fdb_supersede(sw, &new.e);
	if (parq_fdb_queue(sw, &new, learned ? PARQ_FDB_JOBS : PARQ_FDB_WISHES))
		return NOTIFY_DONE;
	/* An error would keep other drivers from the change, and refuse nothing. */
	if (learned && new.op == PARQ_FDB_JOB_ADD)
		return NOTIFY_DONE;
	if (!learned)
		dev_err_ratelimited(sw->pd->dev, "no memory to %s address %pM\n",
				    new.op == PARQ_FDB_JOB_ADD ? "add" : "delete", new.e.addr);
	parq_switch_jobs_missed(sw, learned);
	return NOTIFY_DONE;
}

void parq_switch_jobs_init(struct parq_switch_fdb *fdb)
{
	spin_lock_init(&fdb->queue_lock);
	INIT_LIST_HEAD(&fdb->queue);
	hash_init(fdb->jobs);
}
