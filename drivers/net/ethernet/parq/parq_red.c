// SPDX-License-Identifier: GPL-2.0
/* Red qdiscs of ports that forward. All of their state is protected by the lock of the switch. */
#include <linux/slab.h>
#include <linux/string.h>
#include <net/red.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_red.h"
#include "parq_switch_domain.h"

static struct parq_red *parq_red_of(const struct parq_port *port)
{
	lockdep_assert_held(&port->pd->sw->lock);
	return &port->pd->sw->red[port->index];
}

static bool parq_red_exists(const struct parq_dev *pd)
{
	return pd->sw && pd->sw->red;
}

/* ---- The device --------------------------------------------------------- */

/* Increment since @last. The counter restarts at 0 if the device was reset behind our back. */
static u64 parq_red_growth(u64 last, u64 now)
{
	return now < last ? now : now - last;
}

/* Adds what the device has counted for a traffic class since the last call. */
static void parq_red_collect_tc(struct parq_port *port, unsigned int tc)
{
	struct parq_red *red = parq_red_of(port);
	struct parq_red_count now, *sum = &red->slot[red->owner[tc]].count;
	u64 dropped;

	parq_io_red_count(port, tc, &now);
	if (!parq_dev_ready(port->pd))
		return;
	dropped = parq_red_growth(red->last[tc].dropped, now.dropped);
	sum->marked += parq_red_growth(red->last[tc].marked, now.marked);
	sum->dropped += dropped;
	if (red->owner[tc] != PARQ_RED_ROOT)
		red->ets_drops += dropped;
	red->last[tc] = now;
}

/* The same for the classes of one qdisc, or of all if there is no @slot. */
static void parq_red_collect(struct parq_port *port, const struct parq_red_slot *slot)
{
	struct parq_red *red = parq_red_of(port);
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		if (red->hw[tc].ctrl && (!slot || red->owner[tc] == slot - red->slot))
			parq_red_collect_tc(port, tc);
}

/* Return: 0, or -EIO if the device refuses. A device that is off gets them when it restarts. */
static int parq_red_apply_tc(struct parq_port *port, unsigned int tc)
{
	struct parq_red *red = parq_red_of(port);
	int owner = parq_red_owner(red, tc), err = 0;
	struct parq_red_hw want = {};

	if (owner >= 0)
		want = red->slot[owner].hw;
	if (memcmp(&want, &red->hw[tc], sizeof(want))) {
		err = parq_io_red_set(port, tc, &want);
		if (err == -EIO) {
			want = (struct parq_red_hw){};
			parq_io_red_set(port, tc, &want);
		}
		/* What it has counted until now is the old owner's, if it had one. */
		if (red->hw[tc].ctrl)
			parq_red_collect_tc(port, tc);
		red->hw[tc] = want;
	}
	red->owner[tc] = max(owner, 0);
	return err == -ENODEV ? 0 : err;
}

/* Brings the device up to date with the qdiscs. What it has counted has been collected. */
static int parq_red_apply(struct parq_port *port)
{
	unsigned int tc;
	int err = 0, e;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		e = parq_red_apply_tc(port, tc);
		err = err ?: e;
	}
	return err;
}

/* ---- A qdisc ------------------------------------------------------------ */

/* Return: the qdisc's slot if the driver has it, or NULL. */
static struct parq_red_slot *parq_red_find(struct parq_red *red, u32 handle)
{
	unsigned int i;

	for (i = 0; i < PARQ_RED_SLOTS; i++)
		if (red->slot[i].handle == handle)
			return &red->slot[i];
	return NULL;
}

/* Return: the device works for the qdisc of a slot. */
static bool parq_red_works(const struct parq_red *red, const struct parq_red_slot *slot)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		if (red->hw[tc].ctrl && red->owner[tc] == slot - red->slot)
			return true;
	return false;
}

static void parq_red_drop(struct parq_port *port, struct parq_red_slot *slot)
{
	parq_red_collect(port, NULL);
	*slot = (struct parq_red_slot){};
	parq_red_apply(port);
}

static int parq_red_set(struct parq_port *port, const struct tc_red_qopt_offload *qopt,
			char *reason)
{
	struct parq_red *red = parq_red_of(port);
	struct parq_red_slot *slot;
	int err;

	err = parq_red_check(qopt, red->ets, reason);
	if (err)
		return err;
	parq_red_collect(port, NULL);
	slot = &red->slot[parq_red_slot_of(qopt->parent)];
	/* A new qdisc begins to count, and the old one is destroyed later. */
	if (slot->handle != qopt->handle)
		*slot = (struct parq_red_slot){ .handle = qopt->handle, .parent = qopt->parent };
	slot->hw = parq_red_fit(&qopt->set);
	return parq_red_apply(port);
}

/*
 * Adds what the device has done since the last call. Packets, bytes and the backlog are those of
 * the host's frames: the qdisc counts them itself. It does so without rtnl, and may overwrite
 * what is added in the same moment, as with other drivers.
 */
static void parq_red_stats(struct parq_red_slot *slot, struct gnet_stats_queue *qstats)
{
	u64 marked = slot->count.marked - slot->told.marked;
	u64 dropped = slot->count.dropped - slot->told.dropped;

	qstats->overlimits += marked + dropped;
	qstats->drops += dropped;
	slot->told = slot->count;
}

/* The qdisc ignores an error: it then works in software and is not shown as offloaded. */
static int parq_red_replace(struct parq_port *port, const struct tc_red_qopt_offload *qopt)
{
	char what[sizeof("offload of qdisc red ffff")];
	char reason[PARQ_REASON_LEN] = "";
	struct parq_red_slot *slot;
	int err;

	err = parq_red_set(port, qopt, reason);
	if (!err)
		return 0;
	/* It may have been offloaded with other settings before. Stop that, but keep its counts. */
	slot = parq_red_find(parq_red_of(port), qopt->handle);
	if (slot) {
		parq_red_collect(port, slot);
		parq_red_stats(slot, qopt->set.qstats);
		slot->hw = (struct parq_red_hw){};
		parq_red_apply(port);
	}
	snprintf(what, sizeof(what), "offload of qdisc red %x", TC_H_MAJ(qopt->handle) >> 16);
	return parq_refuse(port->netdev, NULL, what, reason, err);
}

static void parq_red_xstats(struct parq_red_slot *slot, struct red_stats *xstats)
{
	xstats->prob_mark += slot->count.marked - slot->told_red.marked;
	xstats->prob_drop += slot->count.dropped - slot->told_red.dropped;
	slot->told_red = slot->count;
}

/* Of a qdisc that is offloaded. */
static int parq_red_command(struct parq_port *port, struct parq_red_slot *slot,
			    struct tc_red_qopt_offload *qopt)
{
	switch (qopt->command) {
	case TC_RED_DESTROY:
		parq_red_drop(port, slot);
		return 0;
	case TC_RED_STATS:
		if (!parq_red_works(parq_red_of(port), slot))
			return -EOPNOTSUPP;
		parq_red_collect(port, slot);
		parq_red_stats(slot, qopt->stats.qstats);
		return 0;
	case TC_RED_XSTATS:
		parq_red_collect(port, slot);
		parq_red_xstats(slot, qopt->xstats);
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

/**
 * parq_red_setup() - do what a red qdisc asks for
 * @port: port
 * @qopt: request, with its place as the parent
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error: the qdisc then works in software.
 */
int parq_red_setup(struct parq_port *port, struct tc_red_qopt_offload *qopt)
{
	struct parq_switch *sw = port->pd->sw;
	struct parq_red_slot *slot;
	int err = -EOPNOTSUPP;

	/* For the host's frames alone there is the qdisc. */
	if (!sw)
		return -EOPNOTSUPP;
	if (!sw->red)
		return qopt->command != TC_RED_REPLACE ? -EOPNOTSUPP :
			parq_refuse(port->netdev, NULL, "offload of qdisc red",
				    "the device cannot mark frames", -EOPNOTSUPP);
	mutex_lock(&sw->lock);
	if (qopt->command == TC_RED_REPLACE) {
		err = parq_red_replace(port, qopt);
	} else {
		slot = parq_red_find(parq_red_of(port), qopt->handle);
		if (slot)
			err = parq_red_command(port, slot, qopt);
	}
	mutex_unlock(&sw->lock);
	return err;
}

/* ---- The tree of qdiscs ------------------------------------------------- */

/**
 * parq_red_ets() - follow the ets qdisc
 * @port: port
 * @handle: of the offloaded ets qdisc, 0 for none
 * @bands: its bands, which traffic classes serve
 *
 * Context: rtnl and ops lock.
 */
void parq_red_ets(struct parq_port *port, u32 handle, unsigned int bands)
{
	struct parq_red *red;

	if (!parq_red_exists(port->pd))
		return;
	mutex_lock(&port->pd->sw->lock);
	red = parq_red_of(port);
	parq_red_collect(port, NULL);
	/* A new qdisc begins to count. */
	if (red->ets != handle)
		red->ets_drops = 0;
	red->ets = handle;
	red->bands = bands;
	parq_red_apply(port);
	mutex_unlock(&port->pd->sw->lock);
}

/**
 * parq_red_ets_drops() - get what red qdiscs below the ets qdisc have dropped
 * @port: port
 *
 * A drop of a child is one of its parent, too.
 *
 * Context: rtnl and ops lock.
 * Return: frames between ports since the last call.
 */
u64 parq_red_ets_drops(struct parq_port *port)
{
	struct parq_red *red;
	u64 drops;

	if (!parq_red_exists(port->pd))
		return 0;
	mutex_lock(&port->pd->sw->lock);
	red = parq_red_of(port);
	parq_red_collect(port, NULL);
	drops = red->ets_drops;
	red->ets_drops = 0;
	mutex_unlock(&port->pd->sw->lock);
	return drops;
}

/* What is above the qdisc of a slot gets another child, possibly not a red qdisc. */
void parq_red_graft(struct parq_port *port, unsigned int index, u32 child)
{
	struct parq_red_slot *slot;

	if (!parq_red_exists(port->pd))
		return;
	mutex_lock(&port->pd->sw->lock);
	slot = &parq_red_of(port)->slot[index];
	if (slot->handle != child)
		parq_red_drop(port, slot);
	mutex_unlock(&port->pd->sw->lock);
}

/* Offload has been switched off: the stack does not report the end of qdiscs any more. */
void parq_red_clear(struct parq_port *port)
{
	struct parq_red *red;

	if (!parq_red_exists(port->pd))
		return;
	mutex_lock(&port->pd->sw->lock);
	parq_red_collect(port, NULL);
	red = parq_red_of(port);
	memset(red->slot, 0, sizeof(red->slot));
	parq_red_apply(port);
	mutex_unlock(&port->pd->sw->lock);
}

/* ---- Life --------------------------------------------------------------- */

/* Before the device loses its counters. */
void parq_red_fold(struct parq_dev *pd)
{
	unsigned int i;

	if (!parq_red_exists(pd))
		return;
	mutex_lock(&pd->sw->lock);
	for (i = 0; i < pd->caps.ports; i++)
		parq_red_collect(pd->port[i], NULL);
	mutex_unlock(&pd->sw->lock);
}

/* A device that was reset has no RED, and its counters are 0. */
void parq_red_restart(struct parq_dev *pd)
{
	struct parq_red *red;
	unsigned int i;

	if (!parq_red_exists(pd))
		return;
	mutex_lock(&pd->sw->lock);
	for (i = 0; i < pd->caps.ports; i++) {
		red = parq_red_of(pd->port[i]);
		memset(red->hw, 0, sizeof(red->hw));
		memset(red->last, 0, sizeof(red->last));
		parq_red_apply(pd->port[i]);
	}
	mutex_unlock(&pd->sw->lock);
}

int parq_red_init(struct parq_dev *pd)
{
	if (!parq_io_switch_red(pd))
		return 0;
	pd->sw->red = kcalloc(pd->caps.ports, sizeof(*pd->sw->red), GFP_KERNEL);
	return pd->sw->red ? 0 : -ENOMEM;
}

void parq_red_fini(struct parq_dev *pd)
{
	kfree(pd->sw->red);
}
