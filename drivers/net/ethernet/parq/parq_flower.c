// SPDX-License-Identifier: GPL-2.0
/*
 * Offload of the flower classifier of tc, on ingress.
 *
 * A filter comes under rtnl. The ops lock may be held, if a qdisc comes or goes, or not, and no
 * caller says so. Its order is rtnl, ops lock, the lock of the stack's block, which all callers
 * hold. So this may only try to take the ops lock. If that fails, the service work gives the rules
 * to the device, as soon as the lock is free.
 */
#include <linux/bitfield.h>
#include <linux/slab.h>
#include <net/pkt_cls.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_rule.h"

/* Blocks of all ports, under rtnl. */
static LIST_HEAD(parq_flower_blocks);

static int parq_flower_refuse(struct netlink_ext_ack *extack, const char *reason, int err)
{
	/* Without one, the filter works in software, and nobody wants to know why. */
	if (extack)
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s", reason);
	return err;
}

/* After a change. The rules of a port that is down come with it. */
static void parq_flower_sync(struct parq_port *port)
{
	if (!parq_compat_rtnl_trylock_ops(port->netdev)) {
		parq_kick_service(port, 0);
		return;
	}
	parq_rules_sync(port);
	netdev_unlock_ops(port->netdev);
}

/* ---- Counters --------------------------------------------------------------- */

/* Under the lock of the rules. */
static void parq_flower_read(struct parq_port *port, struct parq_filter *filter)
{
	struct parq_rule_count now, *seen = &filter->seen;

	if (parq_io_rule_count(port, filter->counter, &now.frames, &now.bytes) ||
	    now.frames == seen->frames)
		return;
	filter->unread.frames += now.frames - seen->frames;
	filter->unread.bytes += now.bytes - seen->bytes;
	filter->used = jiffies;
	*seen = now;
}

static void parq_flower_clear(struct parq_port *port, struct parq_filter *filter)
{
	parq_io_rule_count_clear(port, filter->counter);
	filter->seen = (struct parq_rule_count) {};
}

/**
 * parq_flower_down() - keep what a port has counted
 * @port: port that goes down; perhaps the device will be reset
 *
 * Context: ops lock.
 */
void parq_flower_down(struct parq_port *port)
{
	struct parq_filter *filter;

	mutex_lock(&port->rules.lock);
	list_for_each_entry(filter, &port->rules.filters, node)
		parq_flower_read(port, filter);
	mutex_unlock(&port->rules.lock);
}

/**
 * parq_flower_up() - begin to count
 * @port: port that comes up, and has not got its rules yet
 *
 * Context: ops lock.
 */
void parq_flower_up(struct parq_port *port)
{
	struct parq_filter *filter;

	mutex_lock(&port->rules.lock);
	list_for_each_entry(filter, &port->rules.filters, node)
		parq_flower_clear(port, filter);
	mutex_unlock(&port->rules.lock);
}

/* ---- Filters ---------------------------------------------------------------- */

static struct parq_filter *parq_flower_find(struct parq_port *port, unsigned long cookie)
{
	struct parq_filter *filter;

	list_for_each_entry(filter, &port->rules.filters, node)
		if (filter->cookie == cookie)
			return filter;
	return NULL;
}

/* The counter of a filter that was removed may be in the device still. So it is not reused soon. */
static void parq_flower_count(struct parq_port *port, struct parq_filter *filter)
{
	DECLARE_BITMAP(used, PARQ_NUM_RULE_COUNTERS) = {};
	struct parq_filter *other;

	list_for_each_entry(other, &port->rules.filters, node)
		__set_bit(other->counter, used);
	while (test_bit(port->rules.next, used))
		port->rules.next = (port->rules.next + 1) % PARQ_NUM_RULE_COUNTERS;
	filter->counter = port->rules.next;
	port->rules.next = (port->rules.next + 1) % PARQ_NUM_RULE_COUNTERS;
	filter->rule.action |= PARQ_RULE_ACTION_COUNTS |
			       FIELD_PREP(PARQ_RULE_ACTION_COUNTER, filter->counter);
	parq_flower_clear(port, filter);
}

/*
 * As tc looks for a match: by preference, and among filters of one preference by mask, the mask
 * that came first. Filters of one mask exclude each other, unless one replaces the other.
 *
 * Return: the filter before @new, or the head of the list.
 */
static struct list_head *parq_flower_place(struct parq_port *port, const struct parq_filter *new)
{
	struct list_head *place = &port->rules.filters;
	struct parq_filter *filter;

	list_for_each_entry(filter, &port->rules.filters, node) {
		if (filter->pref > new->pref)
			break;
		place = &filter->node;
		if (filter->pref == new->pref &&
		    !memcmp(filter->rule.match.mask, new->rule.match.mask,
			    sizeof(new->rule.match.mask)))
			break;
	}
	return place;
}

static int parq_flower_add(struct parq_port *port, struct parq_filter *filter, char *reason)
{
	struct parq_rules *rules = &port->rules;
	int err;

	mutex_lock(&rules->lock);
	err = parq_rules_room(port, reason);
	if (!err) {
		parq_flower_count(port, filter);
		filter->rule.id = ++rules->last;
		list_add(&filter->node, parq_flower_place(port, filter));
		rules->num_filters++;
		rules->stale = true;
	}
	mutex_unlock(&rules->lock);
	return err;
}

static int parq_flower_make(struct parq_port *port, struct flow_cls_offload *cls,
			    struct parq_filter *filter, char *reason)
{
	const struct flow_rule *rule = flow_cls_offload_flow_rule(cls);
	int err;

	if (cls->classid) {
		snprintf(reason, PARQ_REASON_LEN, "classid, hw_tc: not supported");
		return -EOPNOTSUPP;
	}
	filter->cookie = cls->cookie;
	filter->pref = cls->common.prio;
	err = parq_flower_match(rule, cls->common.protocol, &filter->rule.match, reason);
	return err ?: parq_flower_action(&rule->action, port->num_chans, &filter->rule.action,
					 reason);
}

static int parq_flower_replace(struct parq_port *port, struct flow_cls_offload *cls)
{
	struct netlink_ext_ack *extack = cls->common.extack;
	char reason[PARQ_REASON_LEN] = "";
	struct parq_filter *filter;
	int err;

	if (!tc_cls_can_offload_and_chain0(port->netdev, &cls->common) ||
	    !flow_action_hw_stats_check(&flow_cls_offload_flow_rule(cls)->action, extack,
					FLOW_ACTION_HW_STATS_IMMEDIATE_BIT))
		return -EOPNOTSUPP;
	filter = kzalloc_obj(*filter);
	if (!filter)
		return -ENOMEM;
	err = parq_flower_make(port, cls, filter, reason);
	if (!err)
		err = parq_flower_add(port, filter, reason);
	if (err) {
		kfree(filter);
		return parq_flower_refuse(extack, reason, err);
	}
	parq_flower_sync(port);
	return 0;
}

static int parq_flower_destroy(struct parq_port *port, const struct flow_cls_offload *cls)
{
	struct parq_filter *filter = parq_flower_find(port, cls->cookie);

	if (!filter)
		return -ENOENT;
	mutex_lock(&port->rules.lock);
	list_del(&filter->node);
	port->rules.num_filters--;
	port->rules.stale = true;
	mutex_unlock(&port->rules.lock);
	kfree(filter);
	parq_flower_sync(port);
	return 0;
}

static int parq_flower_stats(struct parq_port *port, struct flow_cls_offload *cls)
{
	struct parq_filter *filter = parq_flower_find(port, cls->cookie);

	if (!filter)
		return -ENOENT;
	mutex_lock(&port->rules.lock);
	parq_flower_read(port, filter);
	flow_stats_update(&cls->stats, filter->unread.bytes, filter->unread.frames, 0,
			  filter->used, FLOW_ACTION_HW_STATS_IMMEDIATE);
	filter->unread = (struct parq_rule_count) {};
	mutex_unlock(&port->rules.lock);
	return 0;
}

static int parq_flower_call(enum tc_setup_type type, void *data, void *priv)
{
	struct flow_cls_offload *cls = data;
	struct parq_port *port = priv;

	if (type != TC_SETUP_CLSFLOWER)
		return -EOPNOTSUPP;
	switch (cls->command) {
	case FLOW_CLS_REPLACE:
		return parq_flower_replace(port, cls);
	case FLOW_CLS_DESTROY:
		return parq_flower_destroy(port, cls);
	case FLOW_CLS_STATS:
		return parq_flower_stats(port, cls);
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- Interface to the port --------------------------------------------------- */

/**
 * parq_flower_setup() - offer the offload to a block of filters
 * @port: port
 * @block: the request
 *
 * Ports may share a block: each has the filters.
 *
 * Context: rtnl.
 * Return: 0, or -EOPNOTSUPP and its filters work in software.
 */
int parq_flower_setup(struct parq_port *port, struct flow_block_offload *block)
{
	if (!(port->pd->caps.flags & PARQ_CAP_RULE_COUNT))
		return -EOPNOTSUPP;
	return flow_block_cb_setup_simple(block, &parq_flower_blocks, parq_flower_call, port, port,
					  true);
}

/* Context: rtnl. */
bool parq_flower_offloaded(const struct parq_port *port)
{
	return port->rules.num_filters;
}

/* Context: rtnl. Return: 0, or -EBUSY if a filter sends frames to a channel from @num on. */
int parq_flower_channels(struct parq_port *port, unsigned int num)
{
	char reason[PARQ_REASON_LEN];
	struct parq_filter *filter;
	int queue;

	list_for_each_entry(filter, &port->rules.filters, node) {
		queue = parq_rule_queue(filter->rule.action);
		if (queue < (int)num)
			continue;
		snprintf(reason, sizeof(reason), "the filter of tc, pref %u, uses queue %d",
			 filter->pref, queue);
		return parq_refuse(port->netdev, NULL, "channels", reason, -EBUSY);
	}
	return 0;
}
