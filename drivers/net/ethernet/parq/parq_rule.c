// SPDX-License-Identifier: GPL-2.0
/*
 * Table of rules of a port. The device compares those of ethtool first, by location, and then the
 * filters of tc, by preference. So the locations of ethtool only say in which order its rules
 * apply, and a rule of the device moves when one before it comes or goes.
 */
#include <linux/slab.h>

#include "parq.h"
#include "parq_chan.h"
#include "parq_io.h"
#include "parq_rule.h"

/* The device may or may not have the rule that it had before it went down. */
#define PARQ_RULE_UNKNOWN	U64_MAX

void parq_rules_init(struct parq_port *port)
{
	mutex_init(&port->rules.lock);
	INIT_LIST_HEAD(&port->rules.filters);
}

/* The stack has removed its filters. */
void parq_rules_fini(struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RULES; i++)
		kfree(port->rules.ntuple[i]);
	mutex_destroy(&port->rules.lock);
}

/* Return: rules of ethtool. Context: ops lock or parq_rules.lock. */
unsigned int parq_rules_ntuple(const struct parq_port *port)
{
	unsigned int i, num = 0;

	for (i = 0; i < PARQ_NUM_RULES; i++)
		num += !!port->rules.ntuple[i];
	return num;
}

/**
 * parq_rules_room() - tell whether a port can have one more rule
 * @port: port
 * @reason: why not
 *
 * Context: parq_rules.lock.
 * Return: 0, or -ENOSPC.
 */
int parq_rules_room(const struct parq_port *port, char reason[PARQ_REASON_LEN])
{
	unsigned int filters = port->rules.num_filters;

	if (parq_rules_ntuple(port) + filters < PARQ_NUM_RULES)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "all %u rules are in use, %u of them by filters of tc",
		 PARQ_NUM_RULES, filters);
	return -ENOSPC;
}

/* Stores the rules that the device should have in @want. Return: their number. */
static unsigned int parq_rules_want(const struct parq_port *port,
				    const struct parq_rule *want[PARQ_NUM_RULES])
{
	const struct parq_filter *filter;
	unsigned int i, num = 0;

	for (i = 0; i < PARQ_NUM_RULES; i++)
		if (port->rules.ntuple[i])
			want[num++] = &port->rules.ntuple[i]->rule;
	list_for_each_entry(filter, &port->rules.filters, node)
		want[num++] = &filter->rule;
	return num;
}

static u64 parq_rule_id(const struct parq_rule *rule)
{
	return rule ? rule->id : 0;
}

static void parq_rules_set_one(struct parq_port *port, unsigned int at,
			       const struct parq_rule *rule)
{
	if (port->rules.hw[at] == parq_rule_id(rule))
		return;
	parq_io_rule_set(port, at, rule);
	port->rules.hw[at] = parq_rule_id(rule);
}

/*
 * Frames arrive meanwhile. If there are more rules than before, they move from the last one on; if
 * there are fewer, from the first one on. So a rule is written to its new location before its old
 * one is overwritten, and the order is right all the time.
 */
static void parq_rules_set(struct parq_port *port, unsigned int unused)
{
	const struct parq_rule *want[PARQ_NUM_RULES] = {};
	unsigned int num = parq_rules_want(port, want), i;

	if (num && port->rules.hw[num - 1] == 0)
		for (i = PARQ_NUM_RULES; i-- > 0;)
			parq_rules_set_one(port, i, want[i]);
	else
		for (i = 0; i < PARQ_NUM_RULES; i++)
			parq_rules_set_one(port, i, want[i]);
	port->rules.stale = false;
}

/**
 * parq_rules_sync() - give the device the rules of a port
 * @port: port, up or down
 *
 * Nothing happens if it has them.
 *
 * Context: ops lock.
 */
void parq_rules_sync(struct parq_port *port)
{
	mutex_lock(&port->rules.lock);
	if (port->rules.stale)
		parq_reconf_steer(port, parq_rules_set, 0);
	mutex_unlock(&port->rules.lock);
}

/**
 * parq_rules_restore() - give the device the rules of a port that comes up
 * @port: port; the device may have been reset
 *
 * Context: ops lock.
 */
void parq_rules_restore(struct parq_port *port)
{
	unsigned int i;

	mutex_lock(&port->rules.lock);
	for (i = 0; i < PARQ_NUM_RULES; i++)
		if (port->rules.hw[i])
			port->rules.hw[i] = PARQ_RULE_UNKNOWN;
	parq_rules_set(port, 0);
	mutex_unlock(&port->rules.lock);
}

/**
 * parq_rules_put() - set, replace or remove a rule of ethtool
 * @port: port
 * @location: of ethtool
 * @ntuple: rule that is freed by the port from now on; NULL for none
 * @reason: why not
 *
 * Context: ops lock.
 * Return: 0; -ENOSPC, and nothing has changed.
 */
int parq_rules_put(struct parq_port *port, unsigned int location, struct parq_ntuple *ntuple,
		   char reason[PARQ_REASON_LEN])
{
	struct parq_rules *rules = &port->rules;
	struct parq_ntuple *old = rules->ntuple[location];
	int err = 0;

	mutex_lock(&rules->lock);
	if (ntuple && !old)
		err = parq_rules_room(port, reason);
	if (!err) {
		if (ntuple)
			ntuple->rule.id = ++rules->last;
		rules->ntuple[location] = ntuple;
		rules->stale = true;
	}
	mutex_unlock(&rules->lock);
	if (err)
		return err;
	kfree(old);
	parq_rules_sync(port);
	return 0;
}
