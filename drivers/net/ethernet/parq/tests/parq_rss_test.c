// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of receive-side scaling in ethtool, over a device with and without it. */
#include <kunit/test.h>

#include "../parq_chan.h"
#include "../parq_ethtool.h"
#include "../parq_io.h"

#define RSS_ADDRS	(RXH_IP_SRC | RXH_IP_DST)
#define RSS_PORTS	(RXH_L4_B_0_1 | RXH_L4_B_2_3)

static struct net_device *rss_dev;
static unsigned int rss_programmed;
static unsigned int rss_ctx;	/* the context that was programmed last */

void parq_reconf_steer(struct parq_port *port,
		       void (*set)(struct parq_port *port, unsigned int n), unsigned int n)
{
	rss_programmed++;
	rss_ctx = n;
}

void parq_io_rss_set(struct parq_port *port, unsigned int ctx)
{
}

static int rss_init(struct kunit *test)
{
	struct parq_port *port;

	rss_dev = kunit_kzalloc(test, sizeof(*rss_dev) + sizeof(*port) + NETDEV_ALIGN,
				GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rss_dev);
	port = netdev_priv(rss_dev);
	port->pd = kunit_kzalloc(test, sizeof(*port->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->pd);
	port->netdev = rss_dev;
	port->rss.key[0] = 42;
	port->rss.indir[1] = 3;
	parq_ethtool_rss_default(&port->rss);
	rss_programmed = 0;
	rss_ctx = 0;
	return 0;
}

/* The operations of this kernel, with the same arguments for all kernels. */
static int rss_read(u32 *indir, u8 *key)
{
#ifdef PARQ_HAVE_RXFH_PARAM
	struct ethtool_rxfh_param rxfh = { .indir = indir, .key = key };

	return parq_ethtool_rss_get(rss_dev, &rxfh);
#else
	u8 hfunc;

	return parq_ethtool_rss_get(rss_dev, indir, key, &hfunc);
#endif
}

static int rss_write(u32 *indir, u8 *key)
{
#ifdef PARQ_HAVE_RXFH_PARAM
	struct ethtool_rxfh_param rxfh = { .indir = indir, .key = key };

	return parq_ethtool_rss_set(rss_dev, &rxfh, NULL);
#else
	return parq_ethtool_rss_set(rss_dev, indir, key, ETH_RSS_HASH_NO_CHANGE);
#endif
}

static int rss_hashed(u32 flow_type, u64 *fields)
{
#ifdef PARQ_HAVE_RXFH_FIELDS
	struct ethtool_rxfh_fields nfc = { .flow_type = flow_type };
	int err = parq_ethtool_rss_fields(rss_dev, &nfc);
#else
	struct ethtool_rxnfc nfc = { .cmd = ETHTOOL_GRXFH, .flow_type = flow_type };
	int err = parq_ethtool_rss_nfc(rss_dev, &nfc);
#endif

	*fields = nfc.data;
	return err;
}

static int rss_hash(u32 flow_type, u32 fields)
{
#ifdef PARQ_HAVE_RXFH_FIELDS
	struct ethtool_rxfh_fields nfc = { .flow_type = flow_type, .data = fields };

	return parq_ethtool_rss_set_fields(rss_dev, &nfc, NULL);
#else
	struct ethtool_rxnfc nfc = { .cmd = ETHTOOL_SRXFH, .flow_type = flow_type,
				     .data = fields };

	return parq_ethtool_rss_set_nfc(rss_dev, &nfc);
#endif
}

static void with_rss(struct kunit *test)
{
	struct parq_port *port = netdev_priv(rss_dev);
	u32 *indir = kunit_kcalloc(test, PARQ_RSS_INDIR_LEN, sizeof(*indir), GFP_KERNEL);
	u8 key[PARQ_RSS_KEY_LEN] = {};
	u64 fields;

	KUNIT_ASSERT_NOT_NULL(test, indir);
	port->pd->caps.flags = PARQ_CAP_RSS;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_key_size(rss_dev), PARQ_RSS_KEY_LEN);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_indir_size(rss_dev), PARQ_RSS_INDIR_LEN);
	KUNIT_EXPECT_EQ(test, rss_read(indir, key), 0);
	KUNIT_EXPECT_EQ(test, indir[1], 3);
	KUNIT_EXPECT_EQ(test, key[0], 42);
	KUNIT_EXPECT_EQ(test, rss_hashed(UDP_V4_FLOW, &fields), 0);
	KUNIT_EXPECT_EQ(test, fields, (u64)(RSS_ADDRS | RSS_PORTS));
	/* This device has no choice. */
	KUNIT_EXPECT_EQ(test, rss_hash(UDP_V4_FLOW, RSS_ADDRS), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_programmed, 0);
	indir[1] = 2;
	KUNIT_EXPECT_EQ(test, rss_write(indir, key), 0);
	KUNIT_EXPECT_EQ(test, port->rss.indir[1], 2);
	KUNIT_EXPECT_EQ(test, rss_programmed, 1);
}

/* Each entry counts. A request may have the key alone, or the table alone. */
static void rss_table_and_key(struct kunit *test)
{
	struct parq_port *port = netdev_priv(rss_dev);
	u32 *indir = kunit_kcalloc(test, PARQ_RSS_INDIR_LEN, sizeof(*indir), GFP_KERNEL);
	u8 *key = kunit_kzalloc(test, PARQ_RSS_KEY_LEN, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, indir);
	KUNIT_ASSERT_NOT_NULL(test, key);
	port->pd->caps.flags = PARQ_CAP_RSS;
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		indir[i] = i % 7 + 1;
	KUNIT_EXPECT_EQ(test, rss_write(indir, NULL), 0);
	KUNIT_EXPECT_EQ(test, port->rss.key[0], 42);
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		KUNIT_EXPECT_EQ(test, port->rss.indir[i], i % 7 + 1);
	memset(key, 0x5a, PARQ_RSS_KEY_LEN);
	KUNIT_EXPECT_EQ(test, rss_write(NULL, key), 0);
	KUNIT_EXPECT_EQ(test, port->rss.indir[0], 1);
	KUNIT_EXPECT_MEMEQ(test, port->rss.key, key, PARQ_RSS_KEY_LEN);
	KUNIT_EXPECT_EQ(test, rss_programmed, 2U);
	memset(key, 0, PARQ_RSS_KEY_LEN);
	memset(indir, 0, PARQ_RSS_INDIR_LEN * sizeof(*indir));
	KUNIT_EXPECT_EQ(test, rss_read(NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, rss_read(indir, key), 0);
	KUNIT_EXPECT_MEMEQ(test, port->rss.key, key, PARQ_RSS_KEY_LEN);
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		KUNIT_EXPECT_EQ(test, indir[i], i % 7 + 1);
}

/* Frames with ports are hashed with them, others by their addresses. */
static void rss_defaults(struct kunit *test)
{
	static const struct {
		u32 flow_type;
		u32 fields;
	} kinds[] = {
		{ TCP_V4_FLOW, RSS_ADDRS | RSS_PORTS }, { UDP_V4_FLOW, RSS_ADDRS | RSS_PORTS },
		{ TCP_V6_FLOW, RSS_ADDRS | RSS_PORTS }, { UDP_V6_FLOW, RSS_ADDRS | RSS_PORTS },
		{ IPV4_FLOW, RSS_ADDRS }, { IPV6_FLOW, RSS_ADDRS },
		{ SCTP_V4_FLOW, RSS_ADDRS }, { SCTP_V6_FLOW, RSS_ADDRS },
		{ AH_V4_FLOW, RSS_ADDRS }, { AH_V6_FLOW, RSS_ADDRS },
		{ ESP_V4_FLOW, RSS_ADDRS }, { ESP_V6_FLOW, RSS_ADDRS },
		{ AH_ESP_V4_FLOW, RSS_ADDRS }, { AH_ESP_V6_FLOW, RSS_ADDRS },
		{ ETHER_FLOW, 0 },
	};
	struct parq_port *port = netdev_priv(rss_dev);
	unsigned int i;
	u64 fields;

	port->pd->caps.flags = PARQ_CAP_RSS;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		KUNIT_EXPECT_EQ(test, rss_hashed(kinds[i].flow_type, &fields), 0);
		KUNIT_EXPECT_EQ(test, fields, (u64)kinds[i].fields);
	}
}

#ifdef PARQ_HAVE_RXFH_FIELDS
/* A context has settings of its own. */
static void rss_contexts(struct kunit *test)
{
	struct ethtool_rxfh_fields nfc = { .flow_type = IPV4_FLOW, .data = RXH_IP_SRC };
	u8 key[PARQ_RSS_KEY_LEN] = { 7 };
	struct ethtool_rxfh_param rxfh = { .key = key };
	struct parq_port *port = netdev_priv(rss_dev);
	struct netlink_ext_ack extack = {};

	port->pd->caps.flags = PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS;
	port->ctx[PARQ_NUM_RSS_CTX - 1] = kunit_kzalloc(test, sizeof(port->rss), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port->ctx[PARQ_NUM_RSS_CTX - 1]);
	nfc.rss_context = PARQ_NUM_RSS_CTX;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set_fields(rss_dev, &nfc, &extack), 0);
	KUNIT_EXPECT_EQ(test, rss_ctx, (unsigned int)PARQ_NUM_RSS_CTX);
	KUNIT_EXPECT_EQ(test, port->ctx[PARQ_NUM_RSS_CTX - 1]->fields[PARQ_RSS_IPV4],
			PARQ_RSS_FIELDS_SRC);
	KUNIT_EXPECT_NE(test, port->rss.fields[PARQ_RSS_IPV4], PARQ_RSS_FIELDS_SRC);
	nfc.data = 0;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_fields(rss_dev, &nfc), 0);
	KUNIT_EXPECT_EQ(test, nfc.data, RXH_IP_SRC);
	rss_ctx = 0;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_apply(port, PARQ_NUM_RSS_CTX, &rxfh, &extack), 0);
	KUNIT_EXPECT_EQ(test, rss_ctx, (unsigned int)PARQ_NUM_RSS_CTX);
	KUNIT_EXPECT_EQ(test, port->ctx[PARQ_NUM_RSS_CTX - 1]->key[0], 7);
	KUNIT_EXPECT_EQ(test, port->rss.key[0], 42);
	KUNIT_EXPECT_EQ(test, rss_programmed, 2U);
	/* Those that do not exist. */
	for (nfc.rss_context = PARQ_NUM_RSS_CTX - 1; nfc.rss_context <= PARQ_NUM_RSS_CTX + 1;
	     nfc.rss_context += 2) {
		KUNIT_EXPECT_EQ(test, parq_ethtool_rss_fields(rss_dev, &nfc), -ENOENT);
		KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set_fields(rss_dev, &nfc, &extack),
				-ENOENT);
		KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "does not exist"));
	}
	KUNIT_EXPECT_EQ(test, rss_programmed, 2U);
}
#endif

static void without_rss(struct kunit *test)
{
	u32 *indir = kunit_kcalloc(test, PARQ_RSS_INDIR_LEN, sizeof(*indir), GFP_KERNEL);
	u8 key[PARQ_RSS_KEY_LEN] = {};
	u64 fields;

	KUNIT_ASSERT_NOT_NULL(test, indir);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_key_size(rss_dev), 0);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_indir_size(rss_dev), 0);
	KUNIT_EXPECT_EQ(test, rss_read(indir, key), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_write(indir, key), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_hashed(UDP_V4_FLOW, &fields), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_hash(UDP_V4_FLOW, RSS_ADDRS), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_programmed, 0);
}

/* Which fields each flow type can have: as many as are told, and no others. */
static void rss_each_field(struct kunit *test)
{
	static const struct {
		u32 flow_type;
		u32 legal;
	} kinds[] = {
		{ TCP_V4_FLOW, RSS_ADDRS | RSS_PORTS },
		{ UDP_V4_FLOW, RSS_ADDRS | RSS_PORTS },
		{ IPV4_FLOW, RSS_ADDRS },
		{ TCP_V6_FLOW, RSS_ADDRS | RSS_PORTS | RXH_IP6_FL },
		{ UDP_V6_FLOW, RSS_ADDRS | RSS_PORTS | RXH_IP6_FL },
		{ IPV6_FLOW, RSS_ADDRS | RXH_IP6_FL },
		/* Hashed as IP. */
		{ SCTP_V4_FLOW, 0 },
		{ ESP_V6_FLOW, 0 },
		{ ETHER_FLOW, 0 },
	};
	struct parq_port *port = netdev_priv(rss_dev);
	unsigned int i, n, changes = 0;
	u64 was, is;
	int err;

	port->pd->caps.flags = PARQ_CAP_RSS | PARQ_CAP_RSS_FIELDS;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (n = 0; n <= 32; n++) {
			u32 fields = n < 32 ? BIT(n) : kinds[i].legal;
			bool legal = kinds[i].legal && !(fields & ~kinds[i].legal);

			KUNIT_ASSERT_EQ(test, rss_hashed(kinds[i].flow_type, &was), 0);
			err = rss_hash(kinds[i].flow_type, fields);
			KUNIT_ASSERT_EQ(test, rss_hashed(kinds[i].flow_type, &is), 0);
			changes += legal;
			KUNIT_EXPECT_EQ(test, err, legal ? 0 : -EINVAL);
			KUNIT_EXPECT_EQ(test, is, legal ? fields : was);
			KUNIT_EXPECT_EQ(test, rss_programmed, changes);
		}
	}
	KUNIT_EXPECT_EQ(test, rss_hashed(SCTP_V4_FLOW, &is), 0);
	KUNIT_EXPECT_EQ(test, is, (u64)RSS_ADDRS);
}

#ifdef PARQ_HAVE_INPUT_XFRM
static void rss_symmetric(struct kunit *test)
{
	struct ethtool_rxfh_param rxfh = { .input_xfrm = RXH_XFRM_SYM_XOR };
	struct parq_port *port = netdev_priv(rss_dev);

	port->pd->caps.flags = PARQ_CAP_RSS;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set(rss_dev, &rxfh, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_FALSE(test, port->rss.sym);
	port->pd->caps.flags |= PARQ_CAP_RSS_FIELDS;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set(rss_dev, &rxfh, NULL), 0);
	KUNIT_EXPECT_TRUE(test, port->rss.sym);
	rxfh.input_xfrm = RXH_XFRM_NO_CHANGE;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set(rss_dev, &rxfh, NULL), 0);
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_get(rss_dev, &rxfh), 0);
	KUNIT_EXPECT_EQ(test, rxfh.input_xfrm, RXH_XFRM_SYM_XOR);
	/* Nothing changes if part of the request is refused. */
	rxfh.input_xfrm = 0;
	rxfh.hfunc = ETH_RSS_HASH_XOR;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set(rss_dev, &rxfh, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_TRUE(test, port->rss.sym);
	rxfh.hfunc = ETH_RSS_HASH_TOP;
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_set(rss_dev, &rxfh, NULL), 0);
	KUNIT_EXPECT_FALSE(test, port->rss.sym);
	rxfh = (struct ethtool_rxfh_param) { .input_xfrm = RXH_XFRM_SYM_XOR };
	KUNIT_EXPECT_EQ(test, parq_ethtool_rss_get(rss_dev, &rxfh), 0);
	KUNIT_EXPECT_EQ(test, rxfh.input_xfrm, 0);
	KUNIT_EXPECT_EQ(test, rxfh.hfunc, ETH_RSS_HASH_TOP);
}
#endif

static struct kunit_case parq_rss_tests[] = {
	KUNIT_CASE(with_rss),
	KUNIT_CASE(rss_table_and_key),
	KUNIT_CASE(rss_defaults),
#ifdef PARQ_HAVE_RXFH_FIELDS
	KUNIT_CASE(rss_contexts),
#endif
	KUNIT_CASE(without_rss),
	KUNIT_CASE(rss_each_field),
#ifdef PARQ_HAVE_INPUT_XFRM
	KUNIT_CASE(rss_symmetric),
#endif
	{}
};

static struct kunit_suite parq_rss_suite = {
	.name = "parq_rss",
	.init = rss_init,
	.test_cases = parq_rss_tests,
};

kunit_test_suite(parq_rss_suite);
