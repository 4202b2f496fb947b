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

static struct kunit_case parq_ptp_cases[] = {
	KUNIT_CASE(parq_ptp_test_rate),
	KUNIT_CASE(parq_ptp_test_extend),
	{}
};

static struct kunit_suite parq_ptp_suite = {
	.name = "parq_ptp",
	.test_cases = parq_ptp_cases,
};

kunit_test_suite(parq_ptp_suite);
