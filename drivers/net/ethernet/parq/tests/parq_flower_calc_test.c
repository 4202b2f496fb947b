// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of filters of tc as words of a frame's headers. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <net/flow_offload.h>

#include "../compat.h"
#include "../parq_rule.h"
#include "parq_match_expect.h"

/**
 * struct fields - what a filter compares: values, or masks
 * @control: kind of addresses, and flags
 * @basic: EtherType and IP protocol
 * @vlan: tag
 * @eth: MAC addresses
 * @ip4: IPv4 addresses
 * @ip6: IPv6 addresses
 * @ports: of TCP, UDP and SCTP
 * @ip: TOS and TTL
 */
struct fields {
	struct flow_dissector_key_control control;
	struct flow_dissector_key_basic basic;
	struct flow_dissector_key_vlan vlan;
	struct flow_dissector_key_eth_addrs eth;
	struct flow_dissector_key_ipv4_addrs ip4;
	struct flow_dissector_key_ipv6_addrs ip6;
	struct flow_dissector_key_ports ports;
	struct flow_dissector_key_ip ip;
};

/**
 * struct filter - a filter, as the stack describes it
 * @keys: BIT_ULL(key) for each key it has
 * @protocol: ETH_P_*
 * @val: values
 * @mask: masks
 */
struct filter {
	u64 keys;
	u16 protocol;
	struct fields val;
	struct fields mask;
};

static int flower_make(struct filter *f, struct parq_match *m)
{
	struct flow_dissector d = {
		.used_keys = f->keys,
		.offset = {
			[FLOW_DISSECTOR_KEY_CONTROL] = offsetof(struct fields, control),
			[FLOW_DISSECTOR_KEY_BASIC] = offsetof(struct fields, basic),
			[FLOW_DISSECTOR_KEY_VLAN] = offsetof(struct fields, vlan),
			[FLOW_DISSECTOR_KEY_ETH_ADDRS] = offsetof(struct fields, eth),
			[FLOW_DISSECTOR_KEY_IPV4_ADDRS] = offsetof(struct fields, ip4),
			[FLOW_DISSECTOR_KEY_IPV6_ADDRS] = offsetof(struct fields, ip6),
			[FLOW_DISSECTOR_KEY_PORTS] = offsetof(struct fields, ports),
			[FLOW_DISSECTOR_KEY_IP] = offsetof(struct fields, ip),
		},
	};
	struct flow_rule rule = {
		.match = { .dissector = &d, .mask = &f->mask, .key = &f->val },
	};
	char reason[PARQ_REASON_LEN] = "";
	int err;

	memset(m, 0xff, sizeof(*m));
	err = parq_flower_match(&rule, htons(f->protocol), m, reason);
	return err && !*reason ? -ENOMSG : err;
}

static void flower_type(struct filter *f, u16 type)
{
	f->keys |= BIT_ULL(FLOW_DISSECTOR_KEY_CONTROL) | BIT_ULL(FLOW_DISSECTOR_KEY_BASIC);
	f->val.basic.n_proto = htons(type);
	f->mask.basic.n_proto = htons(0xffff);
}

static void flower_udp4(struct kunit *test)
{
	struct filter f = { .protocol = ETH_P_IP };
	struct parq_match m;

	flower_type(&f, ETH_P_IP);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_TYPES) | BIT(PARQ_RULE_PROTO));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_TYPES], (u32)ETH_P_IP);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_TYPES], 0xffffU);
	/* Frames with a tag are of another protocol. */
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], 0U);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PROTO], PARQ_RULE_PROTO_TAG | PARQ_RULE_PROTO_S_TAG);

	f.keys |= BIT_ULL(FLOW_DISSECTOR_KEY_IPV4_ADDRS) | BIT_ULL(FLOW_DISSECTOR_KEY_PORTS) |
		  BIT_ULL(FLOW_DISSECTOR_KEY_IP);
	f.val.basic.ip_proto = IPPROTO_UDP;
	f.mask.basic.ip_proto = 0xff;
	f.val.ip4.dst = htonl(0xc0000201);
	f.mask.ip4.dst = htonl(0xffffff00);
	f.val.ports.dst = htons(4791);
	f.mask.ports.dst = htons(0xfff0);
	f.val.ip.tos = 0xb8;
	f.mask.ip.tos = 0xfc;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_TYPES) | BIT(PARQ_RULE_PROTO) |
		    BIT(PARQ_RULE_PORTS) | BIT(PARQ_RULE_IP_DST));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_IP_DST], 0xc0000200U);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PORTS], 0xfff0U);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PORTS], 4791U & 0xfff0);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV4 | 0xb800U | IPPROTO_UDP);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV4 | PARQ_RULE_PROTO_TAG |
			PARQ_RULE_PROTO_S_TAG | 0xfcffU);
}

static void flower_tcp6(struct kunit *test)
{
	struct filter f = { .protocol = ETH_P_IPV6 };
	struct parq_match m;
	unsigned int i;

	flower_type(&f, ETH_P_IPV6);
	f.keys |= BIT_ULL(FLOW_DISSECTOR_KEY_IPV6_ADDRS) | BIT_ULL(FLOW_DISSECTOR_KEY_PORTS);
	f.val.basic.ip_proto = IPPROTO_TCP;
	f.mask.basic.ip_proto = 0xff;
	for (i = 0; i < 4; i++) {
		f.val.ip6.src.s6_addr32[i] = htonl(0x20010db8 + i);
		f.mask.ip6.src.s6_addr32[i] = htonl(~0U);
	}
	f.val.ports.src = htons(1000);
	f.mask.ports.src = htons(0xffff);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_TYPES) | BIT(PARQ_RULE_PROTO) | BIT(PARQ_RULE_PORTS) |
		    GENMASK(PARQ_RULE_IP_SRC + 3, PARQ_RULE_IP_SRC));
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_IP_SRC + i], 0x20010db8U + i);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PORTS], 1000U << 16);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV6 | IPPROTO_TCP);
}

static void flower_vlan(struct kunit *test)
{
	struct filter f = { .protocol = ETH_P_8021Q };
	struct parq_match m;

	f.keys = BIT_ULL(FLOW_DISSECTOR_KEY_VLAN);
	f.val.vlan.vlan_tpid = htons(ETH_P_8021Q);
	f.mask.vlan.vlan_tpid = htons(0xffff);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], PARQ_RULE_PROTO_TAG);

	flower_type(&f, ETH_P_IP);
	f.val.vlan.vlan_id = 5;
	f.mask.vlan.vlan_id = 0xfff;
	f.val.vlan.vlan_priority = 3;
	f.mask.vlan.vlan_priority = 7;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO) | BIT(PARQ_RULE_TYPES));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_TYPES], 0x60050000U | ETH_P_IP);
	/* The stack does not compare the drop eligible indicator. */
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_TYPES], 0xefffffffU);

	f.val.vlan.vlan_tpid = htons(ETH_P_8021AD);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
	f.val.vlan.vlan_tpid = htons(ETH_P_8021Q);
	f.protocol = ETH_P_8021AD;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
}

/* Any protocol: tags do not matter. */
static void flower_all(struct kunit *test)
{
	struct filter f = { .protocol = ETH_P_ALL };
	struct parq_match m;

	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, 0);
	f.keys = BIT_ULL(FLOW_DISSECTOR_KEY_ETH_ADDRS);
	memcpy(f.val.eth.dst, "\x01\x02\x03\x04\x05\x06", ETH_ALEN);
	memset(f.mask.eth.dst, 0xff, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_DST_LO) | BIT(PARQ_RULE_DST_HI));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_DST_LO], 0x04030201U);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_DST_HI], 0x0605U);
}

/* Keys without a word in the device, and unsupported fields of the other keys. */
static void flower_refusals(struct kunit *test)
{
	struct filter f = { .protocol = ETH_P_IP };
	struct parq_match m;
	unsigned int key;

	for (key = 0; key < FLOW_DISSECTOR_KEY_MAX; key++) {
		switch (key) {
		case FLOW_DISSECTOR_KEY_CONTROL:
		case FLOW_DISSECTOR_KEY_BASIC:
		case FLOW_DISSECTOR_KEY_VLAN:
		case FLOW_DISSECTOR_KEY_ETH_ADDRS:
		case FLOW_DISSECTOR_KEY_IPV4_ADDRS:
		case FLOW_DISSECTOR_KEY_IPV6_ADDRS:
		case FLOW_DISSECTOR_KEY_PORTS:
		case FLOW_DISSECTOR_KEY_IP:
			continue;
		}
		f.keys = BIT_ULL(key);
		KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
	}
	f.keys = 0;
	flower_type(&f, ETH_P_IP);
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), 0);
	f.mask.control.flags = FLOW_DIS_IS_FRAGMENT;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
	f.mask.control.flags = 0;
	f.keys |= BIT_ULL(FLOW_DISSECTOR_KEY_IP);
	f.mask.ip.ttl = 1;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
	f.mask.ip.ttl = 0;
	flower_type(&f, ETH_P_ARP);
	f.mask.basic.ip_proto = 0xff;
	KUNIT_EXPECT_EQ(test, flower_make(&f, &m), -EOPNOTSUPP);
}

/* No macros in macros: sparse gives up on them. */
static u32 op_of(u32 action)
{
	return FIELD_GET(PARQ_RULE_ACTION_OP, action);
}

static u32 arg_of(u32 action)
{
	return FIELD_GET(PARQ_RULE_ACTION_ARG, action);
}

static void flower_actions(struct kunit *test)
{
	struct flow_rule *rule = kzalloc(struct_size(rule, action.entries, 2), GFP_KERNEL);
	char reason[PARQ_REASON_LEN] = "";
	struct flow_action *a;
	u32 got = 0;

	KUNIT_ASSERT_NOT_NULL(test, rule);
	a = &rule->action;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), -EOPNOTSUPP);
	a->num_entries = 1;
	a->entries[0].id = FLOW_ACTION_DROP;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), 0);
	KUNIT_EXPECT_EQ(test, op_of(got), (u32)PARQ_RULE_DROP);
	a->entries[0].id = FLOW_ACTION_ACCEPT;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), 0);
	KUNIT_EXPECT_EQ(test, op_of(got), (u32)PARQ_RULE_CTX);
	KUNIT_EXPECT_EQ(test, arg_of(got), 0U);
#ifdef PARQ_HAVE_RX_QUEUE_MAPPING
	a->entries[0].id = FLOW_ACTION_RX_QUEUE_MAPPING;
	a->entries[0].rx_queue = 3;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), 0);
	KUNIT_EXPECT_EQ(test, op_of(got), (u32)PARQ_RULE_QUEUE);
	KUNIT_EXPECT_EQ(test, arg_of(got), 3U);
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 3, &got, reason), -EINVAL);
	KUNIT_EXPECT_STREQ(test, reason, "queue_mapping 3: not within 0 to 2");
#endif
	a->entries[0].id = FLOW_ACTION_REDIRECT;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), -EOPNOTSUPP);
	a->entries[0].id = FLOW_ACTION_DROP;
	a->num_entries = 2;
	KUNIT_EXPECT_EQ(test, parq_flower_action(a, 4, &got, reason), -EOPNOTSUPP);
	KUNIT_EXPECT_STREQ(test, reason, "2 actions: only one is supported");
	kfree(rule);
}

static struct kunit_case flower_calc_cases[] = {
	KUNIT_CASE(flower_udp4),
	KUNIT_CASE(flower_tcp6),
	KUNIT_CASE(flower_vlan),
	KUNIT_CASE(flower_all),
	KUNIT_CASE(flower_refusals),
	KUNIT_CASE(flower_actions),
	{}
};

static struct kunit_suite flower_calc_suite = {
	.name = "parq_flower_calc",
	.test_cases = flower_calc_cases,
};

kunit_test_suite(flower_calc_suite);
