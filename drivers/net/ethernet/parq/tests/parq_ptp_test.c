// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the PTP clock's arithmetic. */
#include <kunit/test.h>

#include "../parq_ptp.h"

static void parq_ptp_test_rate(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(0), 0);
	/* 1 ppm is 2^40 / 10^6 = 1099511.6 */
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(1 << 16), 1099512);
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(-(1 << 16)), -1099512);
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(1), 17);
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(-1), -17);
	/* The limit, 1000 ppm, and all that the register holds. */
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(65536000), 1099511628);
	KUNIT_EXPECT_EQ(test, parq_ptp_rate(-127999999), -2147483631);
}

static void parq_ptp_test_extend(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0x12345678, 0x5678, 9), 0x1234567800000009ULL);
	/* Up to half of the range before and after. */
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0x12340000, 0xffff, 1), 0x1233ffff00000001ULL);
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0x1234ffff, 0x0000, 1), 0x1235000000000001ULL);
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0x12348000, 0x0000, 2), 0x1234000000000002ULL);
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0x12340000, 0x7fff, ~0U), 0x12347fffffffffffULL);
	/* Any stamp of a device is some time. */
	KUNIT_EXPECT_EQ(test, parq_ptp_extend(0, 0xffff, 0), 0xffffffff00000000ULL);
}

/* A port whose clock has had a different time in each scale. */
static struct parq_port *parq_ptp_test_port(struct kunit *test)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	struct parq_ptp *ptp = kunit_kzalloc(test, sizeof(*ptp), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	KUNIT_ASSERT_NOT_NULL(test, ptp);
	for (i = 0; i < PARQ_PTP_SCALES; i++)
		ptp->hi[i] = i << 16;
	pd->ptp = ptp;
	port->pd = pd;
	port->rx_stamps = true;
	return port;
}

/* After a step, frames from before and after it each have the time of their scale. */
static void parq_ptp_test_scales(struct kunit *test)
{
	struct parq_port *port = parq_ptp_test_port(test);
	unsigned int i;
	bool stamped;
	u32 flags;
	u64 ns;

	for (i = 0; i < PARQ_PTP_SCALES; i++) {
		flags = FIELD_PREP(PARQ_RX_STEPS, i) | FIELD_PREP(PARQ_RX_STAMP_HI, 7);
		stamped = parq_ptp_rx_stamp(port, flags, 5, &ns);
		KUNIT_EXPECT_TRUE(test, stamped);
		KUNIT_EXPECT_EQ(test, ns, (u64)(i << 16 | 7) << 32 | 5);
	}
}

/* A device stamps frames although nobody asked for it, and merged ones. */
static void parq_ptp_test_unasked(struct kunit *test)
{
	struct parq_port *port = parq_ptp_test_port(test);
	u64 ns;

	KUNIT_EXPECT_FALSE(test, parq_ptp_rx_stamp(port, PARQ_RX_STAMP | PARQ_RX_GRO, 5, &ns));
	port->rx_stamps = false;
	KUNIT_EXPECT_FALSE(test, parq_ptp_rx_stamp(port, PARQ_RX_STAMP, 5, &ns));
}

static struct kunit_case parq_ptp_cases[] = {
	KUNIT_CASE(parq_ptp_test_rate),
	KUNIT_CASE(parq_ptp_test_extend),
	KUNIT_CASE(parq_ptp_test_scales),
	KUNIT_CASE(parq_ptp_test_unasked),
	{}
};

static struct kunit_suite parq_ptp_suite = {
	.name = "parq_ptp",
	.test_cases = parq_ptp_cases,
};

kunit_test_suite(parq_ptp_suite);
