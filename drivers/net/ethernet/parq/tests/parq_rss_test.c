// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of receive-side scaling in ethtool, over a device with and without it. */
#include <kunit/test.h>

/* Its own copy: the driver's is in another module. */
#define parq_reconf_rss			rss_program
#define parq_ethtool_rss_key_size	rss_key_size
#define parq_ethtool_rss_indir_size	rss_indir_size
#define parq_ethtool_rss_get		rss_get
#define parq_ethtool_rss_set		rss_set
#define parq_ethtool_rss_fields		rss_fields
#define parq_ethtool_rss_ring_count	rss_ring_count
#define parq_ethtool_rss_nfc		rss_nfc
#include "../parq_ethtool_rss.c"

static struct net_device *rss_dev;
static unsigned int rss_programmed;

void parq_reconf_rss(struct parq_port *port)
{
	rss_programmed++;
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
	rss_programmed = 0;
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

static int rss_hashed(u64 *fields)
{
#ifdef PARQ_HAVE_RXFH_FIELDS
	struct ethtool_rxfh_fields nfc = { .flow_type = UDP_V4_FLOW };
	int err = parq_ethtool_rss_fields(rss_dev, &nfc);
#else
	struct ethtool_rxnfc nfc = { .cmd = ETHTOOL_GRXFH, .flow_type = UDP_V4_FLOW };
	int err = parq_ethtool_rss_nfc(rss_dev, &nfc, NULL);
#endif

	*fields = nfc.data;
	return err;
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
	KUNIT_EXPECT_EQ(test, rss_hashed(&fields), 0);
	KUNIT_EXPECT_NE(test, fields, 0ULL);
	indir[1] = 2;
	KUNIT_EXPECT_EQ(test, rss_write(indir, key), 0);
	KUNIT_EXPECT_EQ(test, port->rss.indir[1], 2);
	KUNIT_EXPECT_EQ(test, rss_programmed, 1);
}

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
	KUNIT_EXPECT_EQ(test, rss_hashed(&fields), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rss_programmed, 0);
}

static struct kunit_case parq_rss_tests[] = {
	KUNIT_CASE(with_rss),
	KUNIT_CASE(without_rss),
	{}
};

static struct kunit_suite parq_rss_suite = {
	.name = "parq_rss",
	.init = rss_init,
	.test_cases = parq_rss_tests,
};

kunit_test_suite(parq_rss_suite);
