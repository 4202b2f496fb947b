// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of rules as words of a frame's headers. */
#include <kunit/test.h>
#include <linux/in.h>

#include "parq_match_expect.h"

static int rule_make(const struct ethtool_rx_flow_spec *fs, struct parq_match *m)
{
	char reason[PARQ_REASON_LEN] = "";
	int err;

	memset(m, 0xff, sizeof(*m));
	err = parq_rule_match(fs, m, reason);
	return err && !*reason ? -ENOMSG : err;
}

static void rule_tcp4(struct kunit *test)
{
	struct ethtool_rx_flow_spec fs = { .flow_type = TCP_V4_FLOW };
	struct parq_match m;

	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], PARQ_RULE_PROTO_IPV4 | IPPROTO_TCP);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PROTO], PARQ_RULE_PROTO_IPV4 | 0xffU);

	fs.h_u.tcp_ip4_spec.ip4src = htonl(0xc0000201);
	fs.m_u.tcp_ip4_spec.ip4src = htonl(0xffffff00);
	fs.h_u.tcp_ip4_spec.pdst = htons(443);
	fs.m_u.tcp_ip4_spec.pdst = htons(0xffff);
	fs.h_u.tcp_ip4_spec.tos = 0xb8;
	fs.m_u.tcp_ip4_spec.tos = 0xfc;
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO) | BIT(PARQ_RULE_PORTS) | BIT(PARQ_RULE_IP_SRC));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_IP_SRC], 0xc0000200U);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_IP_SRC], 0xffffff00U);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PORTS], 443U);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PORTS], 0xffffU);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV4 | 0xb800U | IPPROTO_TCP);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV4 | 0xfcffU);
}

static void rule_udp6(struct kunit *test)
{
	struct ethtool_rx_flow_spec fs = { .flow_type = UDP_V6_FLOW };
	struct parq_match m;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		fs.h_u.udp_ip6_spec.ip6dst[i] = htonl(0x20010db8 + i);
		fs.m_u.udp_ip6_spec.ip6dst[i] = htonl(~0U);
	}
	fs.h_u.udp_ip6_spec.psrc = htons(1000);
	fs.m_u.udp_ip6_spec.psrc = htons(0xffff);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO) | BIT(PARQ_RULE_PORTS) |
		  GENMASK(PARQ_RULE_IP_DST + 3, PARQ_RULE_IP_DST));
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_IP_DST + i], 0x20010db8U + i);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PORTS], 1000U << 16);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO],
			PARQ_RULE_PROTO_PORTS | PARQ_RULE_PROTO_IPV6 | IPPROTO_UDP);
}

static void rule_ether(struct kunit *test)
{
	struct ethtool_rx_flow_spec fs = { .flow_type = ETHER_FLOW };
	struct parq_match m;

	memcpy(fs.h_u.ether_spec.h_dest, "\x01\x02\x03\x04\x05\x06", ETH_ALEN);
	memset(fs.m_u.ether_spec.h_dest, 0xff, ETH_ALEN);
	fs.h_u.ether_spec.h_proto = htons(0x88f7);
	fs.m_u.ether_spec.h_proto = htons(0xffff);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_DST_LO) | BIT(PARQ_RULE_DST_HI) | BIT(PARQ_RULE_TYPES));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_DST_LO], 0x04030201U);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_DST_HI], 0x0605U);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_TYPES], 0x88f7U);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_TYPES], 0xffffU);
}

static void rule_vlan(struct kunit *test)
{
	struct ethtool_rx_flow_spec fs = { .flow_type = IPV4_USER_FLOW | FLOW_EXT | FLOW_MAC_EXT };
	struct parq_match m;

	fs.h_ext.vlan_tci = htons(0x6005);
	fs.m_ext.vlan_tci = htons(0x0fff);
	memset(fs.h_ext.h_dest, 2, ETH_ALEN);
	memset(fs.m_ext.h_dest, 0xff, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	expect_only(test, &m, BIT(PARQ_RULE_PROTO) | BIT(PARQ_RULE_TYPES) | BIT(PARQ_RULE_DST_LO) |
		  BIT(PARQ_RULE_DST_HI));
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_TYPES], 5U << 16);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_TYPES], 0xfffU << 16);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], PARQ_RULE_PROTO_TAG | PARQ_RULE_PROTO_IPV4);
	/* Any C-tag. */
	fs.m_ext.vlan_tci = 0;
	fs.h_ext.vlan_etype = htons(ETH_P_8021Q);
	fs.m_ext.vlan_etype = htons(0xffff);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], PARQ_RULE_PROTO_TAG | PARQ_RULE_PROTO_IPV4);
	KUNIT_EXPECT_EQ(test, m.mask[PARQ_RULE_TYPES], 0U);
}

static void rule_ip(struct kunit *test)
{
	struct ethtool_rx_flow_spec fs = { .flow_type = IPV4_USER_FLOW };
	struct parq_match m;

	fs.h_u.usr_ip4_spec.proto = IPPROTO_ICMP;
	fs.m_u.usr_ip4_spec.proto = 0xff;
	fs.h_u.usr_ip4_spec.ip_ver = ETH_RX_NFC_IP4;
	fs.m_u.usr_ip4_spec.ip_ver = 0xff;
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PROTO], PARQ_RULE_PROTO_IPV4 | IPPROTO_ICMP);
	fs.h_u.usr_ip4_spec.l4_4_bytes = htonl(0x00500051);
	fs.m_u.usr_ip4_spec.l4_4_bytes = htonl(~0U);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), 0);
	KUNIT_EXPECT_EQ(test, m.key[PARQ_RULE_PORTS], 0x00500051U);
	KUNIT_EXPECT_TRUE(test, m.key[PARQ_RULE_PROTO] & PARQ_RULE_PROTO_PORTS);
	fs.h_u.usr_ip4_spec.ip_ver = 6;
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), -EINVAL);
}

static void rule_refusals(struct kunit *test)
{
	static const u32 types[] = {
		AH_V4_FLOW, ESP_V4_FLOW, AH_V6_FLOW, ESP_V6_FLOW, AH_ESP_V4_FLOW, IPV4_FLOW, 0, 99,
	};
	struct ethtool_rx_flow_spec fs = { .flow_type = TCP_V4_FLOW | FLOW_EXT };
	struct parq_match m;
	unsigned int i;

	fs.m_ext.data[1] = htonl(1);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), -EINVAL);
	fs.m_ext.data[1] = 0;
	fs.h_ext.vlan_etype = htons(ETH_P_8021AD);
	fs.m_ext.vlan_etype = htons(0xffff);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), -EINVAL);
	fs.h_ext.vlan_etype = htons(ETH_P_8021Q);
	fs.m_ext.vlan_etype = htons(0xff00);
	KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), -EINVAL);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		fs = (struct ethtool_rx_flow_spec){ .flow_type = types[i] };
		KUNIT_EXPECT_EQ(test, rule_make(&fs, &m), -EINVAL);
	}
}

static struct kunit_case parq_rule_calc_tests[] = {
	KUNIT_CASE(rule_tcp4),
	KUNIT_CASE(rule_udp6),
	KUNIT_CASE(rule_ether),
	KUNIT_CASE(rule_vlan),
	KUNIT_CASE(rule_ip),
	KUNIT_CASE(rule_refusals),
	{}
};

static struct kunit_suite parq_rule_calc_suite = {
	.name = "parq_rule_calc",
	.test_cases = parq_rule_calc_tests,
};

kunit_test_suite(parq_rule_calc_suite);
