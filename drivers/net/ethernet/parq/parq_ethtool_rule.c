// SPDX-License-Identifier: GPL-2.0
/* ethtool: rules ("ntuple filters"), as the user set them. parq_rule.c keeps them, by location. */
#include <linux/bitfield.h>
#include <linux/slab.h>

#include "parq.h"
#include "parq_ethtool.h"
#include "parq_rule.h"

static int parq_rule_refuse(struct parq_port *port, const char *reason, int err)
{
	return parq_refuse(port->netdev, NULL, "rule", reason, err);
}

/* ---- Locations ------------------------------------------------------------- */

/* Return: the location of the first or last rule that is there, or that is not; -1 for none. */
static int parq_rule_first(const struct parq_port *port, bool there)
{
	int i;

	for (i = 0; i < PARQ_NUM_RULES; i++)
		if (!!port->rules.ntuple[i] == there)
			return i;
	return -1;
}

static int parq_rule_last(const struct parq_port *port, bool there)
{
	int i;

	for (i = PARQ_NUM_RULES; i-- > 0;)
		if (!!port->rules.ntuple[i] == there)
			return i;
	return -1;
}

/*
 * Return: the location of a new rule, or -1. One that is to be the first, or the last, has none if
 * there are rules at both ends.
 */
static int parq_rule_locate(const struct parq_port *port, u32 location)
{
	int free, used;

	switch (location) {
	case RX_CLS_LOC_ANY:
		return parq_rule_first(port, false);
	case RX_CLS_LOC_FIRST:
		used = parq_rule_first(port, true);
		return used < 0 ? 0 : used - 1;
	case RX_CLS_LOC_LAST:
		used = parq_rule_last(port, true);
		free = used + 1;
		return used < 0 ? PARQ_NUM_RULES - 1 : free < PARQ_NUM_RULES ? free : -1;
	default:
		return location < PARQ_NUM_RULES ? (int)location : -1;
	}
}

static int parq_rule_location(struct parq_port *port, u32 location)
{
	int at = parq_rule_locate(port, location);
	char reason[PARQ_REASON_LEN];

	if (at >= 0)
		return at;
	if (location & RX_CLS_LOC_SPECIAL) {
		snprintf(reason, sizeof(reason), "no location is free there, of %u",
			 PARQ_NUM_RULES);
		return parq_rule_refuse(port, reason, -ENOSPC);
	}
	snprintf(reason, sizeof(reason), "location %u: not within 0 to %u", location,
		 PARQ_NUM_RULES - 1);
	return parq_rule_refuse(port, reason, -EINVAL);
}

/* ---- Insertion -------------------------------------------------------------- */

/* Sets the action of @nt by its @fs and @ctx. */
static int parq_rule_set_action(struct parq_port *port, struct parq_ntuple *nt)
{
	u64 cookie = nt->fs.ring_cookie;
	char reason[PARQ_REASON_LEN];

	if (cookie == RX_CLS_FLOW_DISC) {
		nt->rule.action = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_DROP);
		return 0;
	}
	if (nt->fs.flow_type & FLOW_RSS) {
		snprintf(reason, sizeof(reason), "RSS context %u does not exist", nt->ctx);
		if (!parq_port_rss(port, nt->ctx))
			return parq_rule_refuse(port, reason, -EINVAL);
		snprintf(reason, sizeof(reason), "RSS context %u and queue %#llx", nt->ctx,
			 cookie);
		if (cookie)
			return parq_rule_refuse(port, reason, -EINVAL);
		nt->rule.action = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_CTX) |
			       FIELD_PREP(PARQ_RULE_ACTION_ARG, nt->ctx);
		return 0;
	}
	snprintf(reason, sizeof(reason), "queue %#llx: not within 0 to %u", cookie,
		 port->num_chans - 1);
	if (cookie >= port->num_chans)
		return parq_rule_refuse(port, reason, -EINVAL);
	nt->rule.action = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_QUEUE) |
		       FIELD_PREP(PARQ_RULE_ACTION_ARG, cookie);
	return 0;
}

/* Of two rules for the same frames one would have no effect. */
static int parq_rule_check_twin(struct parq_port *port, const struct parq_ntuple *nt)
{
	char reason[PARQ_REASON_LEN];
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RULES; i++) {
		if (i == nt->fs.location || !port->rules.ntuple[i] ||
		    memcmp(&port->rules.ntuple[i]->rule.match, &nt->rule.match,
			   sizeof(nt->rule.match)))
			continue;
		snprintf(reason, sizeof(reason), "the rule at location %u has the same match", i);
		return parq_rule_refuse(port, reason, -EEXIST);
	}
	return 0;
}

static int parq_rule_make(struct parq_port *port, struct parq_ntuple *nt)
{
	char reason[PARQ_REASON_LEN];
	int err;

	err = parq_rule_match(&nt->fs, &nt->rule.match, reason);
	if (err)
		return parq_rule_refuse(port, reason, err);
	err = parq_rule_set_action(port, nt);
	return err ?: parq_rule_check_twin(port, nt);
}

static int parq_rule_insert(struct parq_port *port, struct ethtool_rxnfc *nfc)
{
	int at = parq_rule_location(port, nfc->fs.location), err;
	char reason[PARQ_REASON_LEN];
	struct parq_ntuple *nt;

	if (at < 0)
		return at;
	nt = kzalloc_obj(*nt);
	if (!nt)
		return -ENOMEM;
	nt->fs = nfc->fs;
	nt->fs.location = at;
	nt->ctx = nfc->fs.flow_type & FLOW_RSS ? nfc->rss_context : 0;
	err = parq_rule_make(port, nt);
	if (err)
		goto free;
	err = parq_rules_put(port, at, nt, reason);
	if (err) {
		parq_rule_refuse(port, reason, err);
		goto free;
	}
	nfc->fs.location = at;
	return 0;

free:
	kfree(nt);
	return err;
}

static int parq_rule_delete(struct parq_port *port, u32 location)
{
	char reason[PARQ_REASON_LEN];

	if (location >= PARQ_NUM_RULES || !port->rules.ntuple[location]) {
		snprintf(reason, sizeof(reason), "there is no rule at location %u", location);
		return parq_rule_refuse(port, reason, -ENOENT);
	}
	return parq_rules_put(port, location, NULL, reason);
}

/* ---- Reports ----------------------------------------------------------------- */

static int parq_rule_get(const struct parq_port *port, struct ethtool_rxnfc *nfc)
{
	u32 location = nfc->fs.location;

	if (location >= PARQ_NUM_RULES || !port->rules.ntuple[location])
		return -ENOENT;
	nfc->fs = port->rules.ntuple[location]->fs;
	if (nfc->fs.flow_type & FLOW_RSS)
		nfc->rss_context = port->rules.ntuple[location]->ctx;
	return 0;
}

static int parq_rule_list(const struct parq_port *port, struct ethtool_rxnfc *nfc, u32 *rules)
{
	u32 count = 0;
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RULES; i++) {
		if (!port->rules.ntuple[i])
			continue;
		if (count == nfc->rule_cnt)
			return -EMSGSIZE;
		rules[count++] = i;
	}
	nfc->rule_cnt = count;
	nfc->data = PARQ_NUM_RULES;
	return 0;
}

/* Return: a rule uses an RSS context; its location in @location. */
bool parq_ethtool_rule_uses(const struct parq_port *port, u32 ctx, u32 *location)
{
	const struct parq_ntuple *nt;
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RULES; i++) {
		nt = port->rules.ntuple[i];
		if (!nt || !(nt->fs.flow_type & FLOW_RSS) || nt->ctx != ctx)
			continue;
		*location = i;
		return true;
	}
	return false;
}

/* Return: 0, or -EBUSY if a rule sends frames to a channel from @num on. */
int parq_ethtool_rule_channels(struct parq_port *port, unsigned int num)
{
	char reason[PARQ_REASON_LEN];
	const struct parq_ntuple *nt;
	unsigned int i;
	int queue;

	for (i = 0; i < PARQ_NUM_RULES; i++) {
		nt = port->rules.ntuple[i];
		queue = nt ? parq_rule_queue(nt->rule.action) : -1;
		if (queue < (int)num)
			continue;
		snprintf(reason, sizeof(reason), "the rule at location %u uses queue %d", i, queue);
		return parq_refuse(port->netdev, NULL, "channels", reason, -EBUSY);
	}
	return 0;
}

int parq_ethtool_get_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc, u32 *rules)
{
	struct parq_port *port = netdev_priv(dev);

	switch (nfc->cmd) {
	case ETHTOOL_GRXCLSRLCNT:
		if (!(port->pd->caps.flags & PARQ_CAP_RULES))
			return -EOPNOTSUPP;
		nfc->rule_cnt = parq_rules_ntuple(port);
		nfc->data = PARQ_NUM_RULES | RX_CLS_LOC_SPECIAL;
		return 0;
	case ETHTOOL_GRXCLSRULE:
		return parq_rule_get(port, nfc);
	case ETHTOOL_GRXCLSRLALL:
		return parq_rule_list(port, nfc, rules);
	default:
#if !defined(PARQ_HAVE_RX_RING_COUNT) || !defined(PARQ_HAVE_RXFH_FIELDS)
		return parq_ethtool_rss_nfc(dev, nfc);
#else
		return -EOPNOTSUPP;
#endif
	}
}

int parq_ethtool_set_nfc(struct net_device *dev, struct ethtool_rxnfc *nfc)
{
	struct parq_port *port = netdev_priv(dev);

	switch (nfc->cmd) {
	case ETHTOOL_SRXCLSRLINS:
		if (!(port->pd->caps.flags & PARQ_CAP_RULES))
			return -EOPNOTSUPP;
		return parq_rule_insert(port, nfc);
	case ETHTOOL_SRXCLSRLDEL:
		return parq_rule_delete(port, nfc->fs.location);
	default:
#ifndef PARQ_HAVE_RXFH_FIELDS
		return parq_ethtool_rss_set_nfc(dev, nfc);
#else
		return -EOPNOTSUPP;
#endif
	}
}
