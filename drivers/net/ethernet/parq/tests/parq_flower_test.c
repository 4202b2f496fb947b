// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of filters of tc in the device: their order and counters, as the stack adds, asks
 * and removes them. What a filter matches is a fake, and so is the table of rules.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <net/flow_offload.h>
#include <net/pkt_cls.h>

#include "../parq.h"
#include "../parq_io.h"
#include "parq_call_log.h"
#include "parq_flower_calls.h"

#define SIEVE_CHANS	4
#define SIEVE_PROTOCOL	htons(ETH_P_IPV6)

/**
 * struct sieve - a port, what the fakes do, and what they have seen
 * @port: the port
 * @log: calls of the fakes
 * @block: filters of the stack
 * @call: what the stack calls for them
 * @cls: a request
 * @rule: its filter
 * @mask: last word of the mask that the next filter has
 * @queue: RX queue of the next filter; -1: it drops
 * @count: counters of the device
 * @locked: other contexts have the ops lock
 * @open: a counter was used without the lock of the rules
 * @rooms: questions for room
 * @service: the service work will run in that many jiffies
 * @reason: why a request was refused
 */
struct sieve {
	struct parq_port *port;
	struct parq_call_log log;
	struct flow_block block;
	struct flow_block_cb *call;
	struct flow_cls_offload cls;
	struct flow_rule *rule;
	u32 mask;
	int queue;
	struct parq_rule_count count[PARQ_NUM_RULE_COUNTERS];
	bool locked;
	bool open;
	unsigned int rooms;
	unsigned long service;
	char reason[PARQ_REASON_LEN];
};

static struct sieve *sieve;

/* ---- fakes -------------------------------------------------------------- */

static int sieve_call(const char *name)
{
	return parq_call_log_add(&sieve->log, " ", name);
}

bool sieve_trylock(void)
{
	return !sieve->locked;
}

void sieve_unlock(void)
{
	sieve_call("unlock");
}

void sieve_kick_service(unsigned long after)
{
	sieve_call("service");
	sieve->service = after;
}

void parq_rules_sync(struct parq_port *port)
{
	sieve_call("sync");
	sieve->open |= mutex_is_locked(&port->rules.lock);
}

int parq_rules_room(const struct parq_port *port, char reason[PARQ_REASON_LEN])
{
	int err = sieve_call("room");

	sieve->open |= !mutex_is_locked(&sieve->port->rules.lock);
	if (err)
		snprintf(reason, PARQ_REASON_LEN, "no room");
	return err;
}

int parq_flower_match(const struct flow_rule *rule, __be16 protocol, struct parq_match *m,
		      char reason[PARQ_REASON_LEN])
{
	int err = sieve_call(protocol == SIEVE_PROTOCOL ? "match" : "other");

	m->mask[PARQ_RULE_WORDS - 1] = sieve->mask;
	if (err)
		snprintf(reason, PARQ_REASON_LEN, "no match");
	return err;
}

static u32 sieve_queue_action(void)
{
	return FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_QUEUE) |
	       FIELD_PREP(PARQ_RULE_ACTION_ARG, sieve->queue);
}

int parq_flower_action(const struct flow_action *action, unsigned int queues, u32 *result,
		       char reason[PARQ_REASON_LEN])
{
	int err = sieve_call(queues == SIEVE_CHANS ? "action" : "queues");

	*result = sieve->queue < 0 ? FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_DROP) :
		  sieve_queue_action();
	if (err)
		snprintf(reason, PARQ_REASON_LEN, "no action");
	return err;
}

int parq_rule_queue(u32 action)
{
	return FIELD_GET(PARQ_RULE_ACTION_OP, action) == PARQ_RULE_QUEUE ?
	       (int)FIELD_GET(PARQ_RULE_ACTION_ARG, action) : -1;
}

int parq_io_rule_count(struct parq_port *port, unsigned int counter, u64 *frames, u64 *bytes)
{
	sieve->open |= !mutex_is_locked(&port->rules.lock);
	*frames = sieve->count[counter].frames;
	*bytes = sieve->count[counter].bytes;
	return sieve_call("count");
}

void parq_io_rule_count_clear(struct parq_port *port, unsigned int counter)
{
	sieve->open |= !mutex_is_locked(&port->rules.lock);
	sieve->count[counter] = (struct parq_rule_count) {};
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	sieve_call(what);
	strscpy(sieve->reason, reason, sizeof(sieve->reason));
	return err;
}

/* ---- cases -------------------------------------------------------------- */

static int sieve_bind(enum flow_block_command command, enum flow_block_binder_type type,
		      struct list_head *list)
{
	struct flow_block_offload block = {
		.command = command,
		.binder_type = type,
		.block = &sieve->block,
	};
	int err;

	INIT_LIST_HEAD(&block.cb_list);
	err = parq_flower_setup(sieve->port, &block);
	list_splice_init(&block.cb_list, list);
	return err;
}

static int sieve_setup(enum flow_block_command command, struct list_head *list)
{
	return sieve_bind(command, FLOW_BLOCK_BINDER_TYPE_CLSACT_INGRESS, list);
}

static int sieve_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	struct parq_port *port;

	sieve = kunit_kzalloc(test, sizeof(*sieve), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, sieve);
	sieve->rule = kunit_kzalloc(test, struct_size(sieve->rule, action.entries, 1), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sieve->rule);
	port = netdev_priv(dev);
	sieve->port = port;
	port->netdev = dev;
	port->pd = kunit_kzalloc(test, sizeof(*port->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->pd);
	port->pd->caps.flags = PARQ_CAP_RULE_COUNT;
	port->num_chans = SIEVE_CHANS;
	set_bit(PARQ_PORT_UP, &port->flags);
	dev->features = NETIF_F_HW_TC;
	mutex_init(&port->rules.lock);
	INIT_LIST_HEAD(&port->rules.filters);
	sieve->rule->action.num_entries = 1;
	sieve->rule->action.entries[0].hw_stats = FLOW_ACTION_HW_STATS_ANY;
	sieve->queue = -1;
	flow_block_init(&sieve->block);
	KUNIT_ASSERT_EQ(test, sieve_setup(FLOW_BLOCK_BIND, &sieve->block.cb_list), 0);
	sieve->call = list_first_entry(&sieve->block.cb_list, struct flow_block_cb, list);
	return 0;
}

static int sieve_ask(enum tc_setup_type type, enum flow_cls_command command, unsigned long cookie)
{
	sieve->cls.command = command;
	sieve->cls.cookie = cookie;
	sieve->cls.rule = sieve->rule;
	sieve->cls.common.protocol = SIEVE_PROTOCOL;
	return sieve->call->cb(type, &sieve->cls, sieve->call->cb_priv);
}

static int sieve_add(unsigned long cookie, u32 pref)
{
	sieve->cls.common.prio = pref;
	return sieve_ask(TC_SETUP_CLSFLOWER, FLOW_CLS_REPLACE, cookie);
}

static int sieve_del(unsigned long cookie)
{
	return sieve_ask(TC_SETUP_CLSFLOWER, FLOW_CLS_DESTROY, cookie);
}

/* What the stack is told: frames and bytes since the last time. */
static int sieve_stats(unsigned long cookie)
{
	sieve->cls.stats = (struct flow_stats) {};
	return sieve_ask(TC_SETUP_CLSFLOWER, FLOW_CLS_STATS, cookie);
}

/* Nothing is locked, and no filter is left. */
static void sieve_exit(struct kunit *test)
{
	struct parq_filter *filter, *next;
	LIST_HEAD(list);

	list_for_each_entry_safe(filter, next, &sieve->port->rules.filters, node)
		KUNIT_EXPECT_EQ(test, sieve_del(filter->cookie), 0);
	KUNIT_EXPECT_FALSE(test, sieve->open);
	KUNIT_EXPECT_FALSE(test, parq_flower_offloaded(sieve->port));
	KUNIT_EXPECT_EQ(test, sieve_setup(FLOW_BLOCK_UNBIND, &list), 0);
	flow_block_cb_free(sieve->call);
	free_netdev(sieve->port->netdev);
}

static void sieve_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &sieve->log, calls);
}

/* Compares the cookies of all filters, one digit each, in the order in which they apply. */
static void sieve_expect_order(struct kunit *test, const char *cookies)
{
	const struct parq_filter *filter;
	char text[20] = "";

	list_for_each_entry(filter, &sieve->port->rules.filters, node)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%lu", filter->cookie);
	KUNIT_EXPECT_STREQ(test, text, cookies);
	KUNIT_EXPECT_EQ(test, sieve->port->rules.num_filters, (unsigned int)strlen(text));
	KUNIT_EXPECT_EQ(test, parq_flower_offloaded(sieve->port), !!*text);
}

static struct parq_filter *sieve_first(void)
{
	return list_first_entry(&sieve->port->rules.filters, struct parq_filter, node);
}

static void the_port_offers_it(struct kunit *test)
{
	struct parq_port *port = sieve->port;
	LIST_HEAD(list);

	port->pd->caps.flags = U32_MAX & ~PARQ_CAP_RULE_COUNT;
	KUNIT_EXPECT_EQ(test, sieve_setup(FLOW_BLOCK_BIND, &list), -EOPNOTSUPP);
	port->pd->caps.flags = PARQ_CAP_RULE_COUNT;
	KUNIT_EXPECT_EQ(test, sieve_bind(FLOW_BLOCK_BIND, FLOW_BLOCK_BINDER_TYPE_CLSACT_EGRESS,
					 &list), -EOPNOTSUPP);
	/* It has the block already. */
	KUNIT_EXPECT_EQ(test, sieve_setup(FLOW_BLOCK_BIND, &list), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, sieve->call->cb_priv, (void *)port);
	KUNIT_EXPECT_PTR_EQ(test, sieve->call->cb_ident, (void *)port);
	KUNIT_EXPECT_EQ(test, sieve_ask(TC_SETUP_CLSU32, FLOW_CLS_REPLACE, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, sieve_ask(TC_SETUP_CLSFLOWER, FLOW_CLS_TMPLT_CREATE, 1),
			-EOPNOTSUPP);
	sieve_expect(test, "");
	sieve_expect_order(test, "");
}

static void a_filter_comes_and_goes(struct kunit *test)
{
	struct parq_rules *rules = &sieve->port->rules;
	struct parq_filter *filter;

	rules->last = 41;
	sieve->queue = 3;
	sieve->mask = 0x12;
	KUNIT_EXPECT_EQ(test, sieve_add(7, 0x10000), 0);
	sieve_expect(test, " match action room sync unlock");
	sieve_expect_order(test, "7");
	filter = sieve_first();
	KUNIT_EXPECT_EQ(test, filter->pref, 0x10000U);
	KUNIT_EXPECT_EQ(test, filter->rule.id, 42ULL);
	KUNIT_EXPECT_EQ(test, filter->rule.match.mask[PARQ_RULE_WORDS - 1], 0x12U);
	KUNIT_EXPECT_EQ(test, filter->rule.action, (u32)PARQ_RULE_ACTION_COUNTS |
			sieve_queue_action());
	KUNIT_EXPECT_TRUE(test, rules->stale);
	rules->stale = false;
	KUNIT_EXPECT_EQ(test, sieve_add(8, 0x10000), 0);
	sieve_expect_order(test, "78");
	KUNIT_EXPECT_EQ(test, rules->last, 43ULL);
	/* The service work gives it to the device as soon as the ops lock is free. */
	rules->stale = false;
	sieve->log.text[0] = 0;
	sieve->locked = true;
	sieve->service = 1;
	KUNIT_EXPECT_EQ(test, sieve_del(8), 0);
	sieve_expect(test, " service");
	sieve_expect_order(test, "7");
	KUNIT_EXPECT_EQ(test, sieve->service, 0UL);
	KUNIT_EXPECT_TRUE(test, rules->stale);
	/* One that is not there. */
	rules->stale = false;
	KUNIT_EXPECT_EQ(test, sieve_del(8), -ENOENT);
	KUNIT_EXPECT_EQ(test, sieve_stats(8), -ENOENT);
	sieve_expect(test, "");
	sieve_expect_order(test, "7");
	KUNIT_EXPECT_FALSE(test, rules->stale);
	sieve->locked = false;
	KUNIT_EXPECT_EQ(test, sieve_del(7), 0);
	sieve_expect(test, " sync unlock");
	sieve_expect_order(test, "");
}

/* By preference, then by the mask that came first. */
static void filters_apply_in_the_order_of_tc(struct kunit *test)
{
	static const struct {
		unsigned long cookie;
		u32 pref;
		u32 mask;
		const char *order;
	} adds[] = {
		{ 1, 20, 0xf0, "1" },
		{ 2, 30, 0xf0, "12" },
		{ 3, 10, 0xf0, "312" },
		{ 4, 20, 0x0f, "3142" },
		{ 5, 20, 0xf0, "31542" },
		{ 6, 20, 0x0f, "315462" },
		{ 7, 20, 0xff, "3154672" },
		{ 8, 10, 0xff, "38154672" },
		{ 9, 40, 0xf0, "381546729" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(adds); i++) {
		sieve->mask = adds[i].mask;
		KUNIT_EXPECT_EQ(test, sieve_add(adds[i].cookie, adds[i].pref), 0);
		sieve_expect_order(test, adds[i].order);
		sieve->log.text[0] = 0;
	}
	KUNIT_EXPECT_EQ(test, sieve_del(4), 0);
	sieve_expect_order(test, "38156729");
}

/* The stack runs it in software, and nothing has changed. */
static void a_filter_is_refused(struct kunit *test)
{
	static const struct {
		const char *fails;
		const char *calls;
		const char *reason;
	} steps[] = {
		{ "match", " match", "no match" },
		{ "action", " match action", "no action" },
		{ "room", " match action room", "no room" },
	};
	struct parq_port *port = sieve->port;
	struct netlink_ext_ack extack = {};
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(steps); i++) {
		sieve->cls.common.extack = i % 2 ? &extack : NULL;
		sieve->log.fails = steps[i / 2].fails;
		KUNIT_EXPECT_EQ(test, sieve_add(1, 1), -EIO);
		sieve_expect(test, steps[i / 2].calls);
		if (i % 2)
			KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, steps[i / 2].reason));
	}
	sieve->log.fails = NULL;
	sieve->cls.classid = 1;
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "classid, hw_tc: not supported"));
	sieve->cls.classid = 0;
	sieve->cls.common.chain_index = 1;
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), -EOPNOTSUPP);
	sieve->cls.common.chain_index = 0;
	sieve->rule->action.entries[0].hw_stats = FLOW_ACTION_HW_STATS_DELAYED;
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), -EOPNOTSUPP);
	sieve->rule->action.entries[0].hw_stats = FLOW_ACTION_HW_STATS_IMMEDIATE;
	port->netdev->features = ~NETIF_F_HW_TC;
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), -EOPNOTSUPP);
	sieve_expect(test, "");
	sieve_expect_order(test, "");
	KUNIT_EXPECT_FALSE(test, port->rules.stale);
	KUNIT_EXPECT_EQ(test, port->rules.last, 0ULL);
	KUNIT_EXPECT_EQ(test, port->rules.next, 0U);
	port->netdev->features = NETIF_F_HW_TC;
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), 0);
}

/* Frames of a filter that was removed may be counted still. */
static void counters_are_not_reused_soon(struct kunit *test)
{
	struct parq_rules *rules = &sieve->port->rules;
	u32 action, counter;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		sieve->count[i].frames = 9;
		KUNIT_EXPECT_EQ(test, sieve_add(i, 10 - i), 0);
		KUNIT_EXPECT_EQ(test, sieve_first()->counter, i);
		action = sieve_first()->rule.action;
		counter = FIELD_GET(PARQ_RULE_ACTION_COUNTER, action);
		KUNIT_EXPECT_EQ(test, counter, i);
		KUNIT_EXPECT_EQ(test, sieve->count[i].frames, 0ULL);
	}
	sieve->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, sieve_del(1), 0);
	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), 0);
	KUNIT_EXPECT_EQ(test, sieve_first()->counter, 3U);
	rules->next = PARQ_NUM_RULE_COUNTERS - 1;
	KUNIT_EXPECT_EQ(test, sieve_add(3, 1), 0);
	KUNIT_EXPECT_EQ(test, sieve_del(1), 0);
	KUNIT_EXPECT_EQ(test, sieve_first()->counter, PARQ_NUM_RULE_COUNTERS - 1U);
	KUNIT_EXPECT_EQ(test, rules->next, 0U);
	/* 0 and 2 are in use, 1 is not. */
	KUNIT_EXPECT_EQ(test, sieve_add(4, 0), 0);
	KUNIT_EXPECT_EQ(test, sieve_first()->counter, 1U);
	rules->next = PARQ_NUM_RULE_COUNTERS - 1;
	KUNIT_EXPECT_EQ(test, sieve_add(5, 0), 0);
	KUNIT_EXPECT_EQ(test, sieve_del(4), 0);
	KUNIT_EXPECT_EQ(test, sieve_first()->counter, 3U);
	KUNIT_EXPECT_EQ(test, rules->next, 4U);
}

static void the_stack_reads_counters(struct kunit *test)
{
	struct flow_stats *stats = &sieve->cls.stats;
	struct parq_filter *filter;

	KUNIT_EXPECT_EQ(test, sieve_add(1, 1), 0);
	filter = sieve_first();
	sieve->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	sieve_expect(test, " count");
	KUNIT_EXPECT_EQ(test, stats->pkts, 0ULL);
	KUNIT_EXPECT_EQ(test, stats->lastused, 0ULL);
	KUNIT_EXPECT_EQ(test, stats->used_hw_stats, FLOW_ACTION_HW_STATS_IMMEDIATE);
	sieve->count[0] = (struct parq_rule_count) { .frames = 10, .bytes = 1000 };
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 10ULL);
	KUNIT_EXPECT_EQ(test, stats->bytes, 1000ULL);
	KUNIT_EXPECT_EQ(test, stats->drops, 0ULL);
	KUNIT_EXPECT_TRUE(test, time_in_range((unsigned long)stats->lastused, jiffies - HZ,
					      jiffies));
	/* It was in use then. */
	filter->used = 5;
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 0ULL);
	KUNIT_EXPECT_EQ(test, stats->bytes, 0ULL);
	KUNIT_EXPECT_EQ(test, stats->lastused, 5ULL);
	sieve->count[0] = (struct parq_rule_count) { .frames = 12, .bytes = 1300 };
	sieve->log.fails = "count";
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 0ULL);
	sieve->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 2ULL);
	KUNIT_EXPECT_EQ(test, stats->bytes, 300ULL);
}

/* What was counted before a reset is reported after it. */
static void the_port_goes_down_and_up(struct kunit *test)
{
	struct flow_stats *stats = &sieve->cls.stats;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, sieve_add(i, 1), 0);
		sieve->count[i] = (struct parq_rule_count) { .frames = 4 + i, .bytes = 400 };
	}
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	for (i = 0; i < 2; i++)
		sieve->count[i] = (struct parq_rule_count) { .frames = 7, .bytes = 700 };
	sieve->log.text[0] = 0;
	parq_flower_down(sieve->port);
	sieve_expect(test, " count count");
	/* It goes on to count until it is reset. */
	sieve->count[0].frames = 50;
	parq_flower_up(sieve->port);
	sieve_expect(test, "");
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, sieve->count[i].frames, 0ULL);
		sieve->count[i] = (struct parq_rule_count) { .frames = 1, .bytes = 100 };
	}
	KUNIT_EXPECT_EQ(test, sieve_stats(0), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 8ULL);
	KUNIT_EXPECT_EQ(test, stats->bytes, 800ULL);
	KUNIT_EXPECT_EQ(test, sieve_stats(1), 0);
	KUNIT_EXPECT_EQ(test, stats->pkts, 3ULL);
	KUNIT_EXPECT_EQ(test, stats->bytes, 400ULL);
}

static void channels_of_filters_stay(struct kunit *test)
{
	struct parq_port *port = sieve->port;

	KUNIT_EXPECT_EQ(test, sieve_add(1, 10), 0);
	sieve->queue = 2;
	KUNIT_EXPECT_EQ(test, sieve_add(2, 20), 0);
	sieve->queue = 3;
	KUNIT_EXPECT_EQ(test, sieve_add(3, 30), 0);
	sieve->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, parq_flower_channels(port, 4), 0);
	sieve_expect(test, "");
	KUNIT_EXPECT_EQ(test, parq_flower_channels(port, 3), -EBUSY);
	sieve_expect(test, " channels");
	KUNIT_EXPECT_STREQ(test, sieve->reason, "the filter of tc, pref 30, uses queue 3");
	KUNIT_EXPECT_EQ(test, parq_flower_channels(port, 1), -EBUSY);
	KUNIT_EXPECT_STREQ(test, sieve->reason, "the filter of tc, pref 20, uses queue 2");
}

static struct kunit_case sieve_cases[] = {
	KUNIT_CASE(the_port_offers_it),
	KUNIT_CASE(a_filter_comes_and_goes),
	KUNIT_CASE(filters_apply_in_the_order_of_tc),
	KUNIT_CASE(a_filter_is_refused),
	KUNIT_CASE(counters_are_not_reused_soon),
	KUNIT_CASE(the_stack_reads_counters),
	KUNIT_CASE(the_port_goes_down_and_up),
	KUNIT_CASE(channels_of_filters_stay),
	{}
};

static struct kunit_suite sieve_suite = {
	.name = "parq_flower",
	.init = sieve_init,
	.exit = sieve_exit,
	.test_cases = sieve_cases,
};

kunit_test_suite(sieve_suite);

MODULE_DESCRIPTION("KUnit suite of filters of tc");
MODULE_LICENSE("GPL");
