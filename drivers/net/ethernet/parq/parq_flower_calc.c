// SPDX-License-Identifier: GPL-2.0
/* Filters of tc as words of a frame's headers. Pure. */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <net/flow_offload.h>

#include "compat.h"
#include "parq_rule.h"

#define PARQ_FLOWER_KEYS						\
	(BIT_ULL(FLOW_DISSECTOR_KEY_CONTROL) | BIT_ULL(FLOW_DISSECTOR_KEY_BASIC) |	\
	 BIT_ULL(FLOW_DISSECTOR_KEY_ETH_ADDRS) | BIT_ULL(FLOW_DISSECTOR_KEY_VLAN) |	\
	 BIT_ULL(FLOW_DISSECTOR_KEY_IPV4_ADDRS) | BIT_ULL(FLOW_DISSECTOR_KEY_IPV6_ADDRS) | \
	 BIT_ULL(FLOW_DISSECTOR_KEY_PORTS) | BIT_ULL(FLOW_DISSECTOR_KEY_IP))

/* What tc calls the fields that are refused. */
static const struct {
	unsigned int key;
	const char *name;
} parq_flower_names[] = {
	{ FLOW_DISSECTOR_KEY_META, "indev, l2_miss" },
	{ FLOW_DISSECTOR_KEY_PORTS_RANGE, "ranges of ports" },
	{ FLOW_DISSECTOR_KEY_TCP, "tcp_flags" },
	{ FLOW_DISSECTOR_KEY_ICMP, "type, code" },
	{ FLOW_DISSECTOR_KEY_ARP, "arp_*" },
	{ FLOW_DISSECTOR_KEY_MPLS, "mpls_*" },
	{ FLOW_DISSECTOR_KEY_CVLAN, "cvlan_*" },
	{ FLOW_DISSECTOR_KEY_NUM_OF_VLANS, "num_of_vlans" },
	{ FLOW_DISSECTOR_KEY_CT, "ct_*" },
	{ FLOW_DISSECTOR_KEY_HASH, "hash" },
	{ FLOW_DISSECTOR_KEY_PPPOE, "pppoe_sid, ppp_proto" },
	{ FLOW_DISSECTOR_KEY_ENC_KEYID, "enc_*" },
	{ FLOW_DISSECTOR_KEY_ENC_CONTROL, "enc_*" },
	{ FLOW_DISSECTOR_KEY_ENC_PORTS, "enc_*" },
	{ FLOW_DISSECTOR_KEY_ENC_IP, "enc_*" },
	{ FLOW_DISSECTOR_KEY_ENC_OPTS, "enc_*" },
};

static const char *parq_flower_name(unsigned int key)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parq_flower_names); i++)
		if (parq_flower_names[i].key == key)
			return parq_flower_names[i].name;
	return "another field";
}

static int parq_flower_keys(const struct flow_rule *rule, char *reason)
{
	u64 more = rule->match.dissector->used_keys & ~PARQ_FLOWER_KEYS;
	unsigned int key;

	if (!more)
		return 0;
	key = __ffs64(more);
	snprintf(reason, PARQ_REASON_LEN, "match on %s (key %u): not supported",
		 parq_flower_name(key), key);
	return -EOPNOTSUPP;
}

/* Fragments, and what the stack knows of tunnels. */
static int parq_flower_control(const struct flow_rule *rule, char *reason)
{
	struct flow_match_control match;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_CONTROL))
		return 0;
	flow_rule_match_control(rule, &match);
	if (!match.mask->flags)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "match on flags %#x (ip_flags): not supported",
		 match.mask->flags);
	return -EOPNOTSUPP;
}

/*
 * Only frames of its protocol reach a filter, and the protocol of a tagged frame is that of its
 * outer tag.
 */
static int parq_flower_protocol(__be16 protocol, struct parq_match *m, char *reason)
{
	switch (be16_to_cpu(protocol)) {
	case ETH_P_ALL:
		return 0;
	case ETH_P_8021Q:
		parq_match_tci(m, 0, 0);
		return 0;
	case ETH_P_8021AD:
		snprintf(reason, PARQ_REASON_LEN, "protocol 802.1ad: only 802.1Q is supported");
		return -EOPNOTSUPP;
	default:
		parq_match_word(m, PARQ_RULE_PROTO, 0, PARQ_RULE_PROTO_TAG | PARQ_RULE_PROTO_S_TAG);
		parq_match_word(m, PARQ_RULE_TYPES, be16_to_cpu(protocol), PARQ_RULE_TYPES_ETH);
		return 0;
	}
}

static int parq_flower_vlan(const struct flow_rule *rule, struct parq_match *m, char *reason)
{
	struct flow_match_vlan match;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_VLAN))
		return 0;
	flow_rule_match_vlan(rule, &match);
	if (match.mask->vlan_tpid && match.key->vlan_tpid != htons(ETH_P_8021Q)) {
		snprintf(reason, PARQ_REASON_LEN, "VLAN protocol %#x: only 802.1Q is supported",
			 be16_to_cpu(match.key->vlan_tpid));
		return -EOPNOTSUPP;
	}
	parq_match_tci(m, FIELD_PREP(VLAN_PRIO_MASK, match.key->vlan_priority) |
			  match.key->vlan_id,
		       FIELD_PREP(VLAN_PRIO_MASK, match.mask->vlan_priority) |
		       match.mask->vlan_id);
	return 0;
}

static void parq_flower_eth(const struct flow_rule *rule, struct parq_match *m)
{
	struct flow_match_eth_addrs match;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_ETH_ADDRS))
		return;
	flow_rule_match_eth_addrs(rule, &match);
	parq_match_mac(m, PARQ_RULE_DST_LO, match.key->dst, match.mask->dst);
	parq_match_mac(m, PARQ_RULE_SRC_LO, match.key->src, match.mask->src);
}

static int parq_flower_basic(const struct flow_rule *rule, struct parq_match *m, char *reason)
{
	struct flow_match_basic match;
	u16 type;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_BASIC))
		return 0;
	flow_rule_match_basic(rule, &match);
	type = be16_to_cpu(match.key->n_proto);
	parq_match_word(m, PARQ_RULE_TYPES, type, be16_to_cpu(match.mask->n_proto));
	if (!match.mask->ip_proto)
		return 0;
	if (type != ETH_P_IP && type != ETH_P_IPV6) {
		snprintf(reason, PARQ_REASON_LEN, "ip_proto of protocol %#x: not supported", type);
		return -EOPNOTSUPP;
	}
	parq_match_proto(m, type == ETH_P_IP ? PARQ_RULE_PROTO_IPV4 : PARQ_RULE_PROTO_IPV6,
			 match.key->ip_proto, match.mask->ip_proto);
	return 0;
}

static int parq_flower_ip(const struct flow_rule *rule, struct parq_match *m, char *reason)
{
	struct flow_match_ip match;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_IP))
		return 0;
	flow_rule_match_ip(rule, &match);
	if (match.mask->ttl) {
		snprintf(reason, PARQ_REASON_LEN, "match on ip_ttl: not supported");
		return -EOPNOTSUPP;
	}
	parq_match_ds(m, match.key->tos, match.mask->tos);
	return 0;
}

static void parq_flower_addrs(const struct flow_rule *rule, struct parq_match *m)
{
	struct flow_match_ipv4_addrs ip4;
	struct flow_match_ipv6_addrs ip6;

	if (flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_IPV4_ADDRS)) {
		flow_rule_match_ipv4_addrs(rule, &ip4);
		parq_match_proto(m, PARQ_RULE_PROTO_IPV4, 0, 0);
		parq_match_ip(m, PARQ_RULE_IP_SRC, &ip4.key->src, &ip4.mask->src, 1);
		parq_match_ip(m, PARQ_RULE_IP_DST, &ip4.key->dst, &ip4.mask->dst, 1);
	}
	if (flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_IPV6_ADDRS)) {
		flow_rule_match_ipv6_addrs(rule, &ip6);
		parq_match_proto(m, PARQ_RULE_PROTO_IPV6, 0, 0);
		parq_match_ip(m, PARQ_RULE_IP_SRC, ip6.key->src.s6_addr32,
			      ip6.mask->src.s6_addr32, 4);
		parq_match_ip(m, PARQ_RULE_IP_DST, ip6.key->dst.s6_addr32,
			      ip6.mask->dst.s6_addr32, 4);
	}
}

static void parq_flower_ports(const struct flow_rule *rule, struct parq_match *m)
{
	struct flow_match_ports match;

	if (!flow_rule_match_key(rule, FLOW_DISSECTOR_KEY_PORTS))
		return;
	flow_rule_match_ports(rule, &match);
	parq_match_ports(m, be16_to_cpu(match.key->src) << 16 | be16_to_cpu(match.key->dst),
			 be16_to_cpu(match.mask->src) << 16 | be16_to_cpu(match.mask->dst));
}

/**
 * parq_flower_match() - make the device's match of a filter
 * @rule: the filter
 * @protocol: of the filter, ETH_P_ALL for any
 * @m: result
 * @reason: why not
 *
 * Return: 0, or -EOPNOTSUPP for a field that the device does not compare.
 */
int parq_flower_match(const struct flow_rule *rule, __be16 protocol, struct parq_match *m,
		      char reason[PARQ_REASON_LEN])
{
	int err;

	memset(m, 0, sizeof(*m));
	err = parq_flower_keys(rule, reason);
	if (!err)
		err = parq_flower_control(rule, reason);
	if (!err)
		err = parq_flower_protocol(protocol, m, reason);
	if (!err)
		err = parq_flower_vlan(rule, m, reason);
	if (!err)
		err = parq_flower_basic(rule, m, reason);
	if (!err)
		err = parq_flower_ip(rule, m, reason);
	parq_flower_eth(rule, m);
	parq_flower_addrs(rule, m);
	parq_flower_ports(rule, m);
	return err;
}

static int parq_flower_queue(u32 queue, unsigned int queues, u32 *result, char *reason)
{
	if (queue >= queues) {
		snprintf(reason, PARQ_REASON_LEN, "queue_mapping %u: not within 0 to %u", queue,
			 queues - 1);
		return -EINVAL;
	}
	*result = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_QUEUE) |
		  FIELD_PREP(PARQ_RULE_ACTION_ARG, queue);
	return 0;
}

/**
 * parq_flower_action() - make the device's action of a filter
 * @action: of the filter
 * @queues: RX queues that there are
 * @result: PARQ_RULE_ACTION, without a counter
 * @reason: why not
 *
 * Return: 0; -EOPNOTSUPP; -EINVAL for a queue that does not exist.
 */
int parq_flower_action(const struct flow_action *action, unsigned int queues, u32 *result,
		       char reason[PARQ_REASON_LEN])
{
	const struct flow_action_entry *entry = &action->entries[0];
	int queue;

	if (action->num_entries != 1) {
		snprintf(reason, PARQ_REASON_LEN, "%u actions: only one is supported",
			 action->num_entries);
		return -EOPNOTSUPP;
	}
	queue = parq_compat_flow_queue(entry);
	if (queue >= 0)
		return parq_flower_queue(queue, queues, result, reason);
	switch (entry->id) {
	case FLOW_ACTION_DROP:
		*result = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_DROP);
		return 0;
	case FLOW_ACTION_ACCEPT:
		/* Context 0 leaves the frame to the port's hash. */
		*result = FIELD_PREP(PARQ_RULE_ACTION_OP, PARQ_RULE_CTX);
		return 0;
	default:
		snprintf(reason, PARQ_REASON_LEN,
			 "action %u: not drop, pass or skbedit queue_mapping",
			 entry->id);
		return -EOPNOTSUPP;
	}
}
