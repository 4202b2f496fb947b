// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the settings of receive buffers: what is accepted, what is refused and why,
 * and what holds for all that is accepted.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>

#include "parq_buf_calc_test.h"

/* ---- What is taken ------------------------------------------------------ */

/* The device and the link of the examples. */
static struct parq_rxb_want example(u8 lossless)
{
	return (struct parq_rxb_want){
		.lossless = lossless,
		.cable_m = PARQ_CABLE_DEFAULT_M,
		.mtu = ETH_DATA_LEN,
		.fastest = PARQ_SPEED_10G,
		.speed = PARQ_SPEED_10G,
		.total = 1024 * 1024,
	};
}

/* What has to hold for whatever is taken. */
static void expect_sound(struct kunit *test, const struct parq_rxb_want *want,
			 const struct parq_rxb *rxb)
{
	u32 frame = want->mtu + 14 + 4 + 8;
	struct parq_path path = parq_rxb_path(want, want->speed);
	struct parq_headroom over = parq_headroom_overflow(&path);
	unsigned int n;
	u64 sum = 0;

	for (n = 0; n < PARQ_NUM_RXB; n++) {
		u8 prios = parq_rxb_prios(rxb, n);
		bool lossless = prios & want->lossless;

		sum += rxb->size[n];
		KUNIT_EXPECT_LE(test, rxb->xon[n], rxb->xoff[n]);
		KUNIT_EXPECT_LE(test, rxb->xoff[n], rxb->size[n]);
		if (!prios)
			continue;
		KUNIT_EXPECT_GE(test, rxb->size[n], frame);
		if (!lossless) {
			KUNIT_EXPECT_EQ(test, rxb->xon[n], rxb->size[n]);
			continue;
		}
		KUNIT_EXPECT_EQ(test, (int)(prios & want->lossless), (int)prios);
		KUNIT_EXPECT_EQ(test, rxb->size[n] - rxb->xoff[n],
				parq_headroom_sum(&over));
		KUNIT_EXPECT_GE(test, rxb->xoff[n], frame);
		KUNIT_EXPECT_LT(test, rxb->xon[n], rxb->xoff[n]);
		KUNIT_EXPECT_GE(test, rxb->xon[n],
				min(rxb->xoff[n] / 2, path.tx_frame));
	}
	KUNIT_EXPECT_LE(test, sum, (u64)want->total);
	if ((!want->set || want->own_sizes) && !want->share)
		KUNIT_EXPECT_EQ(test, sum, (u64)want->total);
}

/* Every set of lossless priorities has a buffer each as long as they fit. */
static void rxb_own(struct kunit *test)
{
	char reason[PARQ_REASON_LEN] = "";
	unsigned int lossless, prio;

	for (lossless = 0; lossless < BIT(PARQ_NUM_PRIO); lossless++) {
		struct parq_rxb_want want = example(lossless);
		struct parq_rxb rxb;

		KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
		expect_sound(test, &want, &rxb);
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			unsigned int n = parq_rxb_buffer(&rxb, prio);

			if (lossless & BIT(prio))
				KUNIT_EXPECT_EQ(test,
						(int)parq_rxb_prios(&rxb, n),
						(int)BIT(prio));
			else
				KUNIT_EXPECT_EQ(test, n, 0U);
			/* The other priorities keep their buffers. */
			if (prio && lossless & BIT(prio))
				KUNIT_EXPECT_EQ(test, n, prio);
		}
	}
	KUNIT_EXPECT_STREQ(test, reason, "");
}

static void rxb_own_default(struct kunit *test)
{
	struct parq_rxb_want want = example(0);
	char reason[PARQ_REASON_LEN];
	struct parq_rxb rxb;
	unsigned int n;

	/* As after a reset: buffer 0 has all, with its watermarks at SIZE. */
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0U);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		u32 size = n ? 0 : want.total;

		KUNIT_EXPECT_EQ(test, rxb.size[n], size);
		KUNIT_EXPECT_EQ(test, rxb.xoff[n], size);
		KUNIT_EXPECT_EQ(test, rxb.xon[n], size);
	}
}

/* Less and less memory: lossless priorities share, in the end one buffer. */
static void rxb_own_scarce(struct kunit *test)
{
	struct parq_rxb_want want = example(0xf8);
	char reason[PARQ_REASON_LEN] = "";
	u32 frame = frame_len(&want);
	u32 need = headroom_at(&want, PARQ_SPEED_10G) + frame;
	struct parq_rxb rxb;

	want.total = frame + 5 * need;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0x76543000U);
	want.total--;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0x76533000U);
	expect_sound(test, &want, &rxb);
	want.total = frame + 2 * need;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0x66333000U);
	expect_sound(test, &want, &rxb);
	want.total = frame + need;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0x33333000U);
	KUNIT_EXPECT_EQ(test, rxb.xoff[3], frame);
	KUNIT_EXPECT_EQ(test, rxb.xon[3], frame - frame / 2);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_STREQ(test, reason, "");
	want.total--;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -ENOBUFS);
}

/* If ports share, each buffer has a frame more than it needs, so that XON is one below XOFF. */
static void rxb_share(struct kunit *test)
{
	struct parq_rxb_want want = example(BIT(3)), tight;
	u32 frame = frame_len(&want), least = frame + headroom_at(&want, want.fastest);
	char reason[PARQ_REASON_LEN] = "";
	struct parq_rxb rxb;

	want.share = true;
	KUNIT_ASSERT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_EQ(test, rxb.size[0], 2 * frame);
	KUNIT_EXPECT_EQ(test, rxb.size[3], least + frame);
	KUNIT_EXPECT_EQ(test, rxb.xoff[3], 2 * frame);
	KUNIT_EXPECT_EQ(test, rxb.xon[3], frame);
	KUNIT_EXPECT_EQ(test, parq_rxb_sum(&rxb), 3 * frame + least);
	tight = want;
	tight.total = frame + least + 1;
	KUNIT_ASSERT_EQ(test, parq_rxb_fit(&tight, &rxb, reason), 0);
	expect_sound(test, &tight, &rxb);
	KUNIT_EXPECT_EQ(test, parq_rxb_sum(&rxb), tight.total);
}

/* The pool must have room for all that buffers get, wherever that comes from. */
static void rxb_growth(struct kunit *test)
{
	struct parq_rxb old = { .size = { 900000, 10000, 5000 } }, new = old, reset = { 0 };

	KUNIT_EXPECT_EQ(test, parq_rxb_growth(&old, &new), 0U);
	new.size[2] = 7000;
	KUNIT_EXPECT_EQ(test, parq_rxb_growth(&old, &new), 2000U);
	/* Buffer 0 may be full. */
	swap(new.size[0], new.size[1]);
	KUNIT_EXPECT_EQ(test, parq_rxb_growth(&old, &new), 892000U);
	new.size[1] = 10000;
	new.size[2] = 0;
	KUNIT_EXPECT_EQ(test, parq_rxb_growth(&old, &new), 0U);
	KUNIT_EXPECT_EQ(test, parq_rxb_growth(&reset, &new), 0U);
}

/* A user's map, set before PFC is on: sizes and watermarks follow PFC. */
static void rxb_map_first(struct kunit *test)
{
	struct parq_rxb_want want = example(0);
	char reason[PARQ_REASON_LEN] = "";
	struct parq_rxb before, rxb;

	want.set = true;
	want.own_sizes = true;
	want.user = (struct dcbnl_buffer){ .prio2buffer = { 0, 0, 0, 1, 5 } };
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &before, reason), 0);
	expect_sound(test, &want, &before);
	KUNIT_EXPECT_EQ(test, before.prio, 0x00051000U);
	KUNIT_EXPECT_EQ(test, before.size[1], before.size[5]);
	KUNIT_EXPECT_EQ(test, before.xoff[1], before.size[1]);

	want.lossless = BIT(3);
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_EQ(test, rxb.prio, before.prio);
	KUNIT_EXPECT_EQ(test, rxb.size[1],
			rxb.size[5] + headroom_at(&want, want.fastest));
	KUNIT_EXPECT_STREQ(test, reason, "");

	want.lossless = BIT(3) | BIT(2);
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -EINVAL);
	KUNIT_EXPECT_STREQ(test, reason,
			   "buffer 0 would hold lossless priority 2 and lossy priority 0");
	want.lossless = BIT(3);
	want.total = 2 * frame_len(&want);
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -ENOBUFS);
}

/* Whatever stops all priorities together needs the headroom once. */
static void rxb_link_pause(struct kunit *test)
{
	struct parq_rxb_want want = example(0xff);
	char reason[PARQ_REASON_LEN];
	struct parq_rxb rxb;

	want.link_pause = true;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0U);
	KUNIT_EXPECT_EQ(test, rxb.size[0], want.total);
	KUNIT_EXPECT_EQ(test, rxb.size[0] - rxb.xoff[0],
			headroom_at(&want, want.speed));
	/* A user's buffers have one each. */
	want.set = true;
	want.user = (struct dcbnl_buffer){
		.prio2buffer = { 0, 0, 0, 1 },
		.buffer_size = { 64 * 1024, 128 * 1024 },
	};
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_LT(test, rxb.xoff[0], rxb.size[0]);
	KUNIT_EXPECT_EQ(test, rxb.size[1] - rxb.xoff[1],
			rxb.size[0] - rxb.xoff[0]);
}

/* The command of the user's guide, and the figures in it. */
static void rxb_guide(struct kunit *test)
{
	struct parq_rxb_want want = example(BIT(3) | BIT(4));
	char reason[PARQ_REASON_LEN] = "";
	struct parq_headroom h;
	struct parq_path path;
	struct parq_rxb rxb;

	want.set = true;
	want.cable_m = 100;
	want.user = (struct dcbnl_buffer){
		.prio2buffer = { 0, 0, 0, 1, 2, 0, 0, 0 },
		.buffer_size = { 128 * 1024, 256 * 1024, 256 * 1024 },
	};
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	expect_sound(test, &want, &rxb);
	KUNIT_EXPECT_EQ(test, rxb.prio, 0x00021000U);

	path = parq_rxb_path(&want, want.speed);
	h = parq_headroom_overflow(&path);
	KUNIT_EXPECT_EQ(test, h.media_delay, 713U);
	KUNIT_EXPECT_EQ(test, h.mac_latency, 10U);
	KUNIT_EXPECT_EQ(test, h.pauses, 588U);
	KUNIT_EXPECT_EQ(test, h.wait_to_transmit, 1534U);
	KUNIT_EXPECT_EQ(test, h.ipg, 12U);
	KUNIT_EXPECT_EQ(test, h.pause_packet, 72U);
	KUNIT_EXPECT_EQ(test, h.media_delay2, 713U);
	KUNIT_EXPECT_EQ(test, h.phy_latency, 4U);
	KUNIT_EXPECT_EQ(test, h.reaction, 3840U);
	KUNIT_EXPECT_EQ(test, h.packet_delay, 1534U);
	KUNIT_EXPECT_EQ(test, h.step, 1526U);
	KUNIT_EXPECT_EQ(test, parq_headroom_sum(&h), 10546U);
	KUNIT_EXPECT_EQ(test, rxb.size[1], 262144U);
	KUNIT_EXPECT_EQ(test, rxb.xoff[1], 251598U);
	KUNIT_EXPECT_EQ(test, rxb.xon[1], 9012U);
	KUNIT_EXPECT_EQ(test, rxb.xoff[2], rxb.xoff[1]);
	KUNIT_EXPECT_EQ(test, rxb.xoff[0], 131072U);
	KUNIT_EXPECT_STREQ(test, reason, "");
}

/* Its table of headrooms: 10 m, 100 m, 2000 m at MTU 1500 and 9000. */
struct guide_row {
	enum parq_speed speed;
	u32 need[6];
};

static const struct guide_row guide_rows[] = {
	{ PARQ_SPEED_1G, { 5424, 5552, 8258, 27924, 28052, 30758 } },
	{ PARQ_SPEED_10G, { 9264, 10546, 37620, 31764, 33046, 60120 } },
	{ PARQ_SPEED_25G, { 10758, 13964, 81650, 33258, 36464, 104150 } },
	{ PARQ_SPEED_40G, { 13402, 18532, 126832, 35902, 41032, 149332 } },
	{ PARQ_SPEED_100G, { 31922, 44746, 315496, 54422, 67246, 337996 } },
	{ PARQ_SPEED_400G, { 68900, 120200, 1203200, 91400, 142700, 1225700 } },
};

static void rxb_guide_table(struct kunit *test)
{
	static const u32 cables[] = { 10, 100, 2000 };
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(guide_rows); i++) {
		const struct guide_row *row = &guide_rows[i];

		for (n = 0; n < ARRAY_SIZE(row->need); n++) {
			struct parq_rxb_want want = {
				.cable_m = cables[n % 3],
				.mtu = n < 3 ? 1500 : 9000,
			};

			KUNIT_EXPECT_EQ(test, headroom_at(&want, row->speed),
					row->need[n]);
		}
	}
}

/* Sizes are for the fastest speed, watermarks for that of the link. */
static void rxb_speed(struct kunit *test)
{
	struct parq_rxb_want want = example(BIT(3));
	char reason[PARQ_REASON_LEN];
	struct parq_rxb fast, slow;

	want.fastest = PARQ_SPEED_400G;
	want.speed = PARQ_SPEED_400G;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &fast, reason), 0);
	want.speed = PARQ_SPEED_10M;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &slow, reason), 0);
	expect_sound(test, &want, &slow);
	KUNIT_EXPECT_TRUE(test, !memcmp(fast.size, slow.size,
					sizeof(fast.size)));
	KUNIT_EXPECT_LT(test, fast.xoff[3], slow.xoff[3]);
	/* The other way round: a link that was faster than it now may be. */
	want.fastest = PARQ_SPEED_10M;
	want.speed = PARQ_SPEED_400G;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &slow, reason), 0);
	KUNIT_EXPECT_TRUE(test, !memcmp(&fast, &slow, sizeof(fast)));
}

/* ---- What is refused ---------------------------------------------------- */

struct refusal {
	u8 lossless;
	struct dcbnl_buffer user;
	int err;
	const char *reason;
};

#define BIG	300000

static const struct refusal refusals[] = {
	{ 0, { { 0, 0, 0, 8 }, { BIG } }, -EINVAL,
	  "prio-buffer of priority 3: buffer 8 is not in 0..7" },
	{ 0, { { 0, 0, 0, 0, 0, 0, 0, 255 }, { BIG } }, -EINVAL,
	  "prio-buffer of priority 7: buffer 255 is not in 0..7" },
	{ 0, { { 0, 0, 0, 1 }, { BIG } }, -EINVAL,
	  "buffer 1 of lossy priority 3: 0 bytes, 1526 needed" },
	{ BIT(3), { { 0, 0, 0, 1 }, { BIG } }, -EINVAL,
	  "buffer 1 of lossless priority 3: 0 bytes, 10790 needed" },
	{ 0, { {}, { 1525 } }, -ENOBUFS,
	  "buffer 0 of lossy priority 0: 1525 bytes, 1526 needed" },
	{ BIT(3), { { 0, 0, 0, 1 }, { BIG, 10789 } }, -ENOBUFS,
	  "buffer 1 of lossless priority 3: 10789 bytes, 10790 needed" },
	{ BIT(4), { { 7, 7, 7, 7, 1, 7, 7, 7 },
		    { 0, 9000, 0, 0, 0, 0, 0, BIG } }, -ENOBUFS,
	  "buffer 1 of lossless priority 4: 9000 bytes, 10790 needed" },
	{ BIT(3), { {}, { BIG } }, -EINVAL,
	  "buffer 0 would hold lossless priority 3 and lossy priority 0" },
	{ 0xfe, { { 1, 1, 1, 1, 1, 1, 1, 1 }, { 0, BIG } }, -EINVAL,
	  "buffer 1 would hold lossless priority 1 and lossy priority 0" },
	{ 0, { {}, { 1048577 } }, -ENOBUFS,
	  "buffer-size totals 1048577 bytes, the port has 1048576" },
	/* A sum that 32 bits do not hold; one that wraps to nothing. */
	{ 0, { {}, { U32_MAX, U32_MAX, U32_MAX, U32_MAX,
		     U32_MAX, U32_MAX, U32_MAX, U32_MAX } }, -ENOBUFS,
	  "buffer-size totals 34359738360 bytes, the port has 1048576" },
	{ 0, { {}, { 0x80000000, 0x80000000 } }, -ENOBUFS,
	  "buffer-size totals 4294967296 bytes, the port has 1048576" },
};

static void refusal_name(const struct refusal *c, char *desc)
{
	strscpy(desc, c->reason, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refusals, refusals, refusal_name);

static void rxb_refused(struct kunit *test)
{
	const struct refusal *c = test->param_value;
	struct parq_rxb_want want = example(c->lossless);
	char reason[PARQ_REASON_LEN] = "";
	struct parq_rxb rxb, before;

	memset(&before, 0xa5, sizeof(before));
	rxb = before;
	want.set = true;
	want.user = c->user;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), c->err);
	KUNIT_EXPECT_STREQ(test, reason, c->reason);
	KUNIT_EXPECT_EQ(test, memcmp(&rxb, &before, sizeof(rxb)), 0);
}

static void rxb_own_refused(struct kunit *test)
{
	struct parq_rxb_want want = example(BIT(3));
	char reason[PARQ_REASON_LEN] = "";
	struct parq_rxb rxb;

	want.fastest = PARQ_SPEED_400G;
	want.cable_m = PARQ_CABLE_MAX_M;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -ENOBUFS);
	KUNIT_EXPECT_STREQ(test, reason,
			   "receive buffers need 57066252 bytes, the port has 1048576");
	/* All of them lossless: no room for lossy ones is asked for. */
	want.lossless = 0xff;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -ENOBUFS);
	KUNIT_EXPECT_STREQ(test, reason,
			   "receive buffers need 57064726 bytes, the port has 1048576");
	want.lossless = 0;
	want.total = 0;
	KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), -ENOBUFS);
	KUNIT_EXPECT_STREQ(test, reason,
			   "receive buffers need 1526 bytes, the port has 0");
}

/* ---- What holds always -------------------------------------------------- */

static struct parq_rxb_want random_want(u64 *state)
{
	struct parq_rxb_want want = {
		.set = rnd(state, 2),
		.own_sizes = !rnd(state, 4),
		.lossless = rnd(state, 256),
		.delay = rnd(state, 2) ? 0 : rnd(state, 65536),
		.cable_m = 1 + rnd(state, rnd(state, 2) ? 100 : 20000),
		.mtu = 68 + rnd(state, 10240 - 68 + 1),
		.fastest = rnd(state, PARQ_NUM_SPEEDS),
		.speed = rnd(state, PARQ_NUM_SPEEDS),
		.total = 1U << (12 + rnd(state, 13)),
	};
	unsigned int i;

	want.total += rnd(state, want.total);
	for (i = 0; i < PARQ_NUM_RXB; i++) {
		/* Mostly sensible: lossless ones in the upper four. */
		want.user.prio2buffer[i] = rnd(state, 4);
		if (want.lossless & BIT(i))
			want.user.prio2buffer[i] += 4;
		if (!rnd(state, 20))
			want.user.prio2buffer[i] = rnd(state, 9);
		want.user.buffer_size[i] = want.total / (8 + rnd(state, 4));
		if (!rnd(state, 20))
			want.user.buffer_size[i] = rnd(state, want.total);
	}
	return want;
}

/* Whatever is taken is sound, and whatever is not is explained. */
static void rxb_random(struct kunit *test)
{
	unsigned int i, taken[2] = {}, refused[2] = {};
	u64 state = 2;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		struct parq_rxb_want want = random_want(&state);
		char reason[PARQ_REASON_LEN] = "";
		struct parq_rxb rxb;
		int err;

		err = parq_rxb_fit(&want, &rxb, reason);
		if (!err) {
			taken[want.set]++;
			expect_sound(test, &want, &rxb);
			KUNIT_EXPECT_STREQ(test, reason, "");
			continue;
		}
		refused[want.set]++;
		KUNIT_EXPECT_TRUE(test, err == -EINVAL || err == -ENOBUFS);
		KUNIT_EXPECT_TRUE(test, *reason);
		KUNIT_EXPECT_LT(test, (int)strlen(reason) + 6, 80);
	}
	/* The test would be worth nothing if one of them were rare. */
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_GE(test, taken[i], RANDOM_ROUNDS / 20U);
		KUNIT_EXPECT_GE(test, refused[i], RANDOM_ROUNDS / 20U);
	}
}

/* A speed that is not above the fastest one never makes what fits unfit. */
static void rxb_slower(struct kunit *test)
{
	u64 state = 3;
	unsigned int i;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		struct parq_rxb_want want = random_want(&state);
		char reason[PARQ_REASON_LEN];
		struct parq_rxb was, rxb;

		want.speed = want.fastest;
		if (parq_rxb_fit(&want, &was, reason))
			continue;
		want.speed = rnd(&state, want.fastest + 1);
		KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
		KUNIT_EXPECT_TRUE(test, !memcmp(was.size, rxb.size,
						sizeof(was.size)));
		want.fastest = want.speed;
		KUNIT_EXPECT_EQ(test, parq_rxb_fit(&want, &rxb, reason), 0);
	}
}

/* ---- Changes ------------------------------------------------------------ */

/*
 * The first step of a change is one that the device takes; it moves nothing,
 * and no buffer is left that may hold more than the second step bears.
 */
static void rxb_change(struct kunit *test)
{
	unsigned int i, n, changes = 0, joins = 0;
	u64 state = 4;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		struct parq_rxb_want from = random_want(&state);
		struct parq_rxb_want to = random_want(&state);
		struct parq_rxb old, new, step;
		char reason[PARQ_REASON_LEN];
		u8 stay, which;

		to.total = from.total;
		if (parq_rxb_fit(&from, &old, reason) ||
		    parq_rxb_fit(&to, &new, reason))
			continue;
		changes++;
		stay = from.lossless & to.lossless;
		which = parq_rxb_prepare(&old, &new, stay, &step);
		KUNIT_EXPECT_EQ(test, step.prio, old.prio);
		for (n = 0; n < PARQ_NUM_RXB; n++) {
			u8 had = parq_rxb_prios(&old, n) & stay;
			u8 has = parq_rxb_prios(&new, n) & stay;

			KUNIT_EXPECT_EQ(test, step.size[n], old.size[n]);
			KUNIT_EXPECT_LE(test, step.xon[n], step.xoff[n]);
			KUNIT_EXPECT_LE(test, step.xoff[n], old.xoff[n]);
			if (!(which & BIT(n)))
				KUNIT_EXPECT_EQ(test, step.xoff[n],
						old.xoff[n]);
			/* Nobody can be paused for a lossy one. */
			if (!had && !has) {
				KUNIT_EXPECT_FALSE(test, which & BIT(n));
				continue;
			}
			KUNIT_EXPECT_LE(test, step.xoff[n], new.xoff[n]);
			if (new.size[n] < old.size[n])
				KUNIT_EXPECT_TRUE(test, which & BIT(n));
			if (!(has & ~had))
				continue;
			joins++;
			KUNIT_EXPECT_TRUE(test, which & BIT(n));
			/* Its own headroom, and that of those who join. */
			if (new.xoff[n] >= new.size[n] - new.xoff[n])
				KUNIT_EXPECT_LE(test, step.xoff[n] +
						2 * (new.size[n] - new.xoff[n]),
						new.size[n]);
			else
				KUNIT_EXPECT_EQ(test, step.xoff[n], 0U);
		}
		/* What stays as it is waits for nothing. */
		KUNIT_EXPECT_EQ(test,
				(int)parq_rxb_prepare(&old, &old, from.lossless,
						      &step), 0);
		KUNIT_EXPECT_TRUE(test, !memcmp(&step, &old, sizeof(old)));
	}
	KUNIT_EXPECT_GE(test, changes, RANDOM_ROUNDS / 20U);
	KUNIT_EXPECT_GE(test, joins, RANDOM_ROUNDS / 20U);
}

static struct kunit_case parq_rxb_tests[] = {
	KUNIT_CASE(rxb_own),
	KUNIT_CASE(rxb_own_default),
	KUNIT_CASE(rxb_own_scarce),
	KUNIT_CASE(rxb_share),
	KUNIT_CASE(rxb_growth),
	KUNIT_CASE(rxb_map_first),
	KUNIT_CASE(rxb_link_pause),
	KUNIT_CASE(rxb_guide),
	KUNIT_CASE(rxb_guide_table),
	KUNIT_CASE(rxb_speed),
	KUNIT_CASE_PARAM(rxb_refused, refusals_gen_params),
	KUNIT_CASE(rxb_own_refused),
	KUNIT_CASE(rxb_random),
	KUNIT_CASE(rxb_slower),
	KUNIT_CASE(rxb_change),
	{}
};

static struct kunit_suite parq_rxb_suite = {
	.name = "parq_rxb",
	.test_cases = parq_rxb_tests,
};

kunit_test_suite(parq_rxb_suite);
