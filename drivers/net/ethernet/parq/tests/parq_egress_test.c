// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of what waits to leave by the ports of a switch, over a fake device. */
#include <kunit/test.h>
#include <linux/netlink.h>

#include "../parq_egress.h"
#include "../parq_io.h"
#include "../parq_switch_domain.h"

#define QUAY_PORTS	2
#define QUAY_TOTAL	100000	/* receive memory of a port, bytes */

/**
 * struct quay - the device and the driver's view of it
 * @pd: device
 * @port: its ports
 * @has: it tells what waits
 * @limit: PARQ_SW_EGR_LIMIT
 * @used: PARQ_SW_EGR_USED, and PARQ_SW_EGR_PORT_USED
 * @high: PARQ_SW_EGR_HIGH, and PARQ_SW_EGR_PORT_HIGH
 * @goes: port whose registers are the last that can be read
 */
struct quay {
	struct parq_dev *pd;
	struct parq_port *port[QUAY_PORTS];
	bool has;
	u32 limit[QUAY_PORTS][PARQ_NUM_TC];
	u32 used[QUAY_PORTS][PARQ_NUM_TC + 1];
	u32 high[QUAY_PORTS][PARQ_NUM_TC + 1];
	unsigned int goes;
};

static struct quay *quay;

/* ---- fakes -------------------------------------------------------------- */

bool parq_io_switch_egress(struct parq_dev *pd)
{
	return quay->has;
}

void parq_io_egress_limit(const struct parq_port *port, unsigned int tc, u32 bytes)
{
	quay->limit[port->index][tc] = bytes;
}

u32 parq_io_egress_used(const struct parq_port *port, unsigned int n)
{
	if (port->index == quay->goes)
		clear_bit(PARQ_DEV_READY, &quay->pd->flags);
	return quay->used[port->index][n];
}

u32 parq_io_egress_high(const struct parq_port *port, unsigned int n)
{
	return quay->high[port->index][n];
}

void parq_io_egress_max_clear(const struct parq_port *port, unsigned int n)
{
	quay->high[port->index][n] = quay->used[port->index][n];
}

/* ---- cases -------------------------------------------------------------- */

static int quay_init(struct kunit *test)
{
	struct parq_switch *sw = kunit_kzalloc(test, sizeof(*sw), GFP_KERNEL);
	unsigned int i, n;

	quay = kunit_kzalloc(test, sizeof(*quay), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sw);
	KUNIT_ASSERT_NOT_NULL(test, quay);
	quay->pd = kunit_kzalloc(test, sizeof(*quay->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, quay->pd);
	quay->pd->sw = sw;
	set_bit(PARQ_DEV_READY, &quay->pd->flags);
	quay->pd->caps.ports = QUAY_PORTS;
	sw->pd = quay->pd;
	mutex_init(&sw->lock);
	for (i = 0; i < QUAY_PORTS; i++) {
		quay->port[i] = kunit_kzalloc(test, sizeof(*quay->port[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, quay->port[i]);
		quay->port[i]->index = i;
		quay->port[i]->pd = quay->pd;
		quay->pd->rx_memory += QUAY_TOTAL;
		quay->pd->port[i] = quay->port[i];
		for (n = 0; n <= PARQ_EGRESS_PORT; n++) {
			quay->used[i][n] = 100 * i + n;
			quay->high[i][n] = 100 * i + n + 1000;
		}
	}
	quay->has = true;
	quay->goes = QUAY_PORTS;
	return parq_egress_init(quay->pd);
}

static void quay_exit(struct kunit *test)
{
	parq_egress_fini(quay->pd);
}

static void egress_may_not_exist(struct kunit *test)
{
	struct parq_switch *sw = quay->pd->sw;

	KUNIT_EXPECT_TRUE(test, parq_egress_exists(quay->pd));
	parq_egress_fini(quay->pd);
	sw->egress = NULL;
	quay->has = false;
	KUNIT_EXPECT_EQ(test, parq_egress_init(quay->pd), 0);
	KUNIT_EXPECT_FALSE(test, parq_egress_exists(quay->pd));
	quay->limit[0][0] = 7;
	parq_egress_restart(quay->pd);
	KUNIT_EXPECT_EQ(test, quay->limit[0][0], 7U);
	quay->pd->sw = NULL;
	KUNIT_EXPECT_FALSE(test, parq_egress_exists(quay->pd));
	parq_egress_restart(quay->pd);
	quay->pd->sw = sw;
}

static void egress_has_limits(struct kunit *test)
{
	const u32 total = QUAY_PORTS * QUAY_TOTAL;
	struct netlink_ext_ack extack = {};
	struct parq_port *port = quay->port[1];

	KUNIT_EXPECT_EQ(test, parq_egress_limit(port, 7), total);
	KUNIT_EXPECT_EQ(test, parq_egress_limit_set(port, 7, 5000, &extack), 0);
	KUNIT_EXPECT_EQ(test, parq_egress_limit(port, 7), 5000U);
	KUNIT_EXPECT_EQ(test, quay->limit[1][7], 5000U);
	KUNIT_EXPECT_EQ(test, parq_egress_limit(port, 6), total);
	KUNIT_EXPECT_EQ(test, parq_egress_limit_set(port, 7, total + 1, &extack), -EINVAL);
	KUNIT_EXPECT_STREQ(test, extack._msg,
			   "parq: threshold 200001 is more than the 200000 bytes of all ports");
	KUNIT_EXPECT_EQ(test, quay->limit[1][7], 5000U);
	KUNIT_EXPECT_EQ(test, parq_egress_limit_set(port, 6, 0, &extack), 0);
	/* All there is means no limit. */
	KUNIT_EXPECT_EQ(test, parq_egress_limit_set(port, 7, total, &extack), 0);
	KUNIT_EXPECT_EQ(test, quay->limit[1][7], PARQ_SW_EGR_UNLIMITED);
	KUNIT_EXPECT_EQ(test, parq_egress_limit(port, 7), total);
	/* A reset of the device. */
	memset(quay->limit, 1, sizeof(quay->limit));
	parq_egress_restart(quay->pd);
	KUNIT_EXPECT_EQ(test, quay->limit[1][7], PARQ_SW_EGR_UNLIMITED);
	KUNIT_EXPECT_EQ(test, quay->limit[1][6], 0U);
	KUNIT_EXPECT_EQ(test, quay->limit[0][0], PARQ_SW_EGR_UNLIMITED);
	set_bit(PARQ_DEV_GONE, &quay->pd->flags);
	KUNIT_EXPECT_EQ(test, parq_egress_limit_set(port, 7, 1, &extack), -ENODEV);
	KUNIT_EXPECT_EQ(test, parq_egress_limit(port, 7), total);
}

static void quay_expect(struct kunit *test, unsigned int i, unsigned int n, u32 used, u32 high)
{
	u32 cur, max;

	parq_egress_occupancy(quay->port[i], n, &cur, &max);
	KUNIT_EXPECT_EQ(test, cur, used);
	KUNIT_EXPECT_EQ(test, max, high);
}

static void egress_tells_what_waits(struct kunit *test)
{
	quay_expect(test, 1, 3, 0, 0);
	KUNIT_EXPECT_EQ(test, parq_egress_snapshot(quay->pd), 0);
	quay_expect(test, 0, 0, 0, 1000);
	quay_expect(test, 1, 3, 103, 1103);
	quay_expect(test, 1, PARQ_EGRESS_PORT, 108, 1108);
	/* As of the snapshot. */
	quay->used[1][3] = 50;
	parq_egress_max_clear(quay->pd);
	quay_expect(test, 1, 3, 103, 1103);
	KUNIT_EXPECT_EQ(test, parq_egress_snapshot(quay->pd), 0);
	quay_expect(test, 1, 3, 50, 50);
	quay_expect(test, 1, PARQ_EGRESS_PORT, 108, 108);
	/* What a device tells that is gone is not kept. */
	quay->used[1][3] = ~0U;
	quay->goes = 1;
	KUNIT_EXPECT_EQ(test, parq_egress_snapshot(quay->pd), -ENODEV);
	quay_expect(test, 1, 3, 50, 50);
}

static struct kunit_case quay_cases[] = {
	KUNIT_CASE(egress_may_not_exist),
	KUNIT_CASE(egress_has_limits),
	KUNIT_CASE(egress_tells_what_waits),
	{}
};

static struct kunit_suite quay_suite = {
	.name = "parq_egress",
	.init = quay_init,
	.exit = quay_exit,
	.test_cases = quay_cases,
};

kunit_test_suite(quay_suite);

MODULE_DESCRIPTION("KUnit suite of what waits to leave by the ports of a switch");
MODULE_LICENSE("GPL");
