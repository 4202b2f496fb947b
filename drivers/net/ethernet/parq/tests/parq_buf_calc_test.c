// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the headroom calculation, against published figures, speeds and lengths. */
#include <kunit/test.h>

#include "parq_buf_calc_test.h"

/* ---- The published example ---------------------------------------------- */

/*
 * A MAC of 2006 on 2000 m of fibre at 1 Gb/s, sending jumbo frames and receiving
 * standard ones, with one VLAN tag each.
 */
static const struct parq_path published = {
	.speed = PARQ_SPEED_1G,
	.cable_m = 2000,
	.ps_per_m = PARQ_FIBRE_PS_PER_M,
	.tx_frame = 9831 + 4,
	.rx_frame = 1518 + 4,
	.xoff_latency = 10,
	.xon_latency = 2,
	.phy_latency = 4,
};

static void headroom_overflow(struct kunit *test)
{
	struct parq_headroom h = parq_headroom_overflow(&published);

	KUNIT_EXPECT_EQ(test, h.media_delay, 1250U);
	KUNIT_EXPECT_EQ(test, h.mac_latency, 10U);
	KUNIT_EXPECT_EQ(test, h.wait_to_transmit, 9843U);
	KUNIT_EXPECT_EQ(test, h.ipg, 12U);
	KUNIT_EXPECT_EQ(test, h.pause_packet, 72U);
	KUNIT_EXPECT_EQ(test, h.media_delay2, 1250U);
	KUNIT_EXPECT_EQ(test, h.phy_latency, 4U);
	KUNIT_EXPECT_EQ(test, h.reaction, 128U);
	KUNIT_EXPECT_EQ(test, h.packet_delay, 1530U);
	KUNIT_EXPECT_EQ(test, h.pauses, 0U);
	KUNIT_EXPECT_EQ(test, h.step, 0U);
	KUNIT_EXPECT_EQ(test, parq_headroom_sum(&h), 14099U);
}

/* The document prints 12839 for a sum of 12841. */
static void headroom_underflow(struct kunit *test)
{
	struct parq_headroom h = parq_headroom_underflow(&published);

	KUNIT_EXPECT_EQ(test, h.mac_latency, 2U);
	KUNIT_EXPECT_EQ(test, h.wait_to_transmit, 9843U);
	KUNIT_EXPECT_EQ(test, h.ipg, 12U);
	KUNIT_EXPECT_EQ(test, h.pause_packet, 72U);
	KUNIT_EXPECT_EQ(test, h.media_delay, 1250U);
	KUNIT_EXPECT_EQ(test, h.phy_latency, 4U);
	KUNIT_EXPECT_EQ(test, h.reaction, 128U);
	KUNIT_EXPECT_EQ(test, h.media_delay2, 1530U);
	KUNIT_EXPECT_EQ(test, h.packet_delay, 0U);
	KUNIT_EXPECT_EQ(test, h.pauses, 0U);
	KUNIT_EXPECT_EQ(test, h.step, 0U);
	KUNIT_EXPECT_EQ(test, parq_headroom_sum(&h), 12841U);
}

/* ---- Speeds and lengths ------------------------------------------------- */

struct speed_case {
	enum parq_speed speed;
	u32 media;	/* 100 m of fibre take 500 ns */
	u32 reaction;
};

static const struct speed_case speed_cases[] = {
	{ PARQ_SPEED_10M, 1, 128 },
	{ PARQ_SPEED_100M, 7, 128 },
	{ PARQ_SPEED_1G, 63, 128 },
	{ PARQ_SPEED_2500M, 157, 3840 },
	{ PARQ_SPEED_5G, 313, 3840 },
	{ PARQ_SPEED_10G, 625, 3840 },
	{ PARQ_SPEED_25G, 1563, 5120 },
	{ PARQ_SPEED_40G, 2500, 7552 },
	{ PARQ_SPEED_50G, 3125, 25216 },
	{ PARQ_SPEED_100G, 6250, 25216 },
	{ PARQ_SPEED_200G, 12500, 57920 },
	{ PARQ_SPEED_400G, 25000, 57920 },
};

static void headroom_speeds(struct kunit *test)
{
	struct parq_path path = published;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, (int)ARRAY_SIZE(speed_cases),
			(int)PARQ_NUM_SPEEDS);
	path.cable_m = 100;
	for (i = 0; i < ARRAY_SIZE(speed_cases); i++) {
		struct parq_headroom h;

		path.speed = speed_cases[i].speed;
		h = parq_headroom_overflow(&path);
		KUNIT_EXPECT_EQ(test, h.media_delay, speed_cases[i].media);
		KUNIT_EXPECT_EQ(test, h.media_delay2, speed_cases[i].media);
		KUNIT_EXPECT_EQ(test, h.reaction, speed_cases[i].reaction);
	}
}

/* From a rack to a town and beyond, at 10 Gb/s. */
static const u32 lengths[][2] = {
	{ 1, 7 }, { 3, 19 }, { 10, 63 }, { 100, 625 }, { 300, 1875 },
	{ 2000, 12500 }, { 10000, 62500 }, { 40000, 250000 }, { 80000, 500000 },
	{ PARQ_CABLE_MAX_M, 625000 },
};

static void headroom_lengths(struct kunit *test)
{
	struct parq_path path = published;
	unsigned int i;

	path.speed = PARQ_SPEED_10G;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct parq_headroom h;

		path.cable_m = lengths[i][0];
		h = parq_headroom_overflow(&path);
		KUNIT_EXPECT_EQ(test, h.media_delay, lengths[i][1]);
	}
	/* The largest values that can be requested do not wrap. */
	path.speed = PARQ_SPEED_400G;
	path.ps_per_m = PARQ_COPPER_PS_PER_M;
	KUNIT_EXPECT_EQ(test, parq_headroom_overflow(&path).media_delay,
			28500000U);
}

/* A user's delay replaces the cable, half of it in each direction. */
static void headroom_delay(struct kunit *test)
{
	struct parq_path path = published;
	struct parq_headroom h;

	path.round_trip = 65535;
	h = parq_headroom_overflow(&path);
	KUNIT_EXPECT_EQ(test, h.media_delay, 4096U);
	KUNIT_EXPECT_EQ(test, h.media_delay2, 4096U);
	path.round_trip = 1;
	KUNIT_EXPECT_EQ(test, parq_headroom_overflow(&path).media_delay, 1U);
	/* Delay of the published cable. */
	path.round_trip = 2 * 1250 * 8;
	h = parq_headroom_overflow(&path);
	KUNIT_EXPECT_EQ(test, parq_headroom_sum(&h), 14099U);
}

/* ---- What holds always -------------------------------------------------- */

static u32 need_of(enum parq_speed speed, u32 cable_m, u16 delay,
		   unsigned int mtu)
{
	struct parq_rxb_want want = { .cable_m = cable_m, .delay = delay,
				      .mtu = mtu };

	return headroom_at(&want, speed);
}

/* A longer cable, a faster link or a larger frame never needs less. */
static void headroom_grows(struct kunit *test)
{
	u64 state = 1;
	unsigned int i;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		u32 cable = PARQ_CABLE_MIN_M + rnd(&state, PARQ_CABLE_MAX_M);
		unsigned int speed = rnd(&state, PARQ_NUM_SPEEDS);
		unsigned int mtu = 68 + rnd(&state, 10240 - 68 + 1);
		u16 delay = 1 + rnd(&state, 65535);
		u32 need = need_of(speed, cable, 0, mtu);
		u32 fixed = need_of(speed, cable, delay, mtu);

		KUNIT_EXPECT_LE(test, need,
				need_of(speed, cable + rnd(&state, 1000), 0,
					mtu));
		KUNIT_EXPECT_LT(test, need, need_of(speed, cable, 0, mtu + 1));
		/* A delay in bit times does not depend on the speed. */
		KUNIT_EXPECT_LE(test, fixed,
				need_of(speed, cable + 1000, delay, mtu));
		if (delay < 65535)
			KUNIT_EXPECT_LE(test, fixed,
					need_of(speed, cable, delay + 1, mtu));
		if (speed + 1 == PARQ_NUM_SPEEDS)
			continue;
		KUNIT_EXPECT_LE(test, need, need_of(speed + 1, cable, 0, mtu));
		KUNIT_EXPECT_LE(test, fixed,
				need_of(speed + 1, cable, delay, mtu));
	}
}

static struct kunit_case parq_headroom_tests[] = {
	KUNIT_CASE(headroom_overflow),
	KUNIT_CASE(headroom_underflow),
	KUNIT_CASE(headroom_speeds),
	KUNIT_CASE(headroom_lengths),
	KUNIT_CASE(headroom_delay),
	KUNIT_CASE(headroom_grows),
	{}
};

static struct kunit_suite parq_headroom_suite = {
	.name = "parq_buf_calc",
	.test_cases = parq_headroom_tests,
};

kunit_test_suite(parq_headroom_suite);
