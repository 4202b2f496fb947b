// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of receive buffers that follow the link, over a fake device. */
#include <kunit/test.h>

#include "../parq_buf.h"
#include "parq_pfc_fake.h"

/* Watermark of the lossless class, bytes. The more headroom is needed, the lower it is. */
static u32 buf_xoff(const struct fake *f)
{
	return f->rxb.xoff[parq_rxb_buffer(&f->rxb, FAKE_CLASS)];
}

static u32 buf_link(struct fake *f, bool up, enum parq_speed speed)
{
	f->port.state.up = up;
	f->port.state.speed = speed;
	parq_buf_link(&f->port);
	return buf_xoff(f);
}

/* The fastest speed is that of fake_new(), 10 Gb/s. */
static void buf_follows_speed(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	u32 fastest;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fastest = buf_xoff(f);
	KUNIT_EXPECT_EQ(test, buf_link(f, true, PARQ_SPEED_10G), fastest);
	KUNIT_EXPECT_GT(test, buf_link(f, true, PARQ_SPEED_1G), fastest);
	KUNIT_EXPECT_GT(test, buf_xoff(f), fastest);
	/* It may come up with any. */
	KUNIT_EXPECT_EQ(test, buf_link(f, false, PARQ_SPEED_1G), fastest);
	/* The device says what does not exist. */
	KUNIT_EXPECT_EQ(test, buf_link(f, true, PARQ_NUM_SPEEDS), fastest);
	fake_settle(test, f);
	fake_close(test, f);
}

static void buf_tries_again(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	u32 fastest;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fastest = buf_xoff(f);
	f->refuse_rxb = true;
	KUNIT_EXPECT_EQ(test, buf_link(f, true, PARQ_SPEED_1G), fastest);
	f->refuse_rxb = false;
	KUNIT_EXPECT_GT(test, buf_link(f, true, PARQ_SPEED_1G), fastest);
	fake_settle(test, f);
	fake_close(test, f);
}

/* A port that is down has the watermarks when it comes up. */
static void buf_follows_while_down(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	u32 fastest;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fastest = buf_xoff(f);
	rtnl_lock();
	parq_pfc_close(&f->port);
	KUNIT_EXPECT_EQ(test, buf_link(f, true, PARQ_SPEED_1G), fastest);
	KUNIT_EXPECT_EQ(test, parq_pfc_open(&f->port), 0);
	rtnl_unlock();
	KUNIT_EXPECT_GT(test, buf_xoff(f), fastest);
	fake_settle(test, f);
	fake_close(test, f);
}

/* Each priority has a buffer of its own, in another order. */
static void buf_is_told(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_rxb *rxb = &f->port.pfc.buf.rxb;
	struct dcbnl_buffer user = {};
	unsigned int i;

	rxb->prio = 0x01234567;
	for (i = 0; i < PARQ_NUM_RXB; i++)
		rxb->size[i] = 1000 + i;
	f->port.pfc.buf.want.total = 5000;
	parq_buf_get(&f->port, &user);
	KUNIT_EXPECT_EQ(test, user.total_size, 5000);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		KUNIT_EXPECT_EQ(test, user.prio2buffer[i], parq_rxb_buffer(rxb, i));
		KUNIT_EXPECT_EQ(test, user.buffer_size[i], 1000 + i);
	}
	KUNIT_EXPECT_NE(test, user.prio2buffer[0], 0);
}

static struct kunit_case parq_buf_tests[] = {
	KUNIT_CASE(buf_follows_speed),
	KUNIT_CASE(buf_tries_again),
	KUNIT_CASE(buf_follows_while_down),
	KUNIT_CASE(buf_is_told),
	{}
};

static struct kunit_suite parq_buf_suite = {
	.name = "parq_buf",
	.test_cases = parq_buf_tests,
};

kunit_test_suite(parq_buf_suite);
