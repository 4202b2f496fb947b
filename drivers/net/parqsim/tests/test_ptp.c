// SPDX-License-Identifier: GPL-2.0
/*
 * The PTP clock against arithmetic in 128 bits, and the stamps of frames against what the wire
 * shows: a stamp is the time of the first bit behind preamble and start-of-frame delimiter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "ptp.h"
#include "clock_regs.h"
#include "rig.h"
#include "rnd.h"
#include "rx_state.h"

#define QUEUE		3
#define BYTE		800ULL	/* ps, at 10 Gb/s */
#define HOUR		(3600000 * RIG_MS)
#define PPM		((s32)((1ULL << PARQ_PTP_RATE_SHIFT) / 1000000))
#define TODAY		1800000000123456789ULL
#define FRAMES		128

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* ---- the clock alone ---------------------------------------------------- */

/**
 * struct exact - what a clock should show
 * @at: device clock, ps
 * @time: time of the clock, 2^-40 ps
 */
struct exact {
	u64 at;
	__int128 time;
};

static void exact_go(struct exact *e, u64 at, s32 rate)
{
	e->time += (__int128)(at - e->at) * (((__int128)1 << PARQ_PTP_RATE_SHIFT) + rate);
	e->at = at;
}

static u64 exact_ns(const struct exact *e)
{
	return (u64)(e->time / ((__int128)RIG_NS << PARQ_PTP_RATE_SHIFT));
}

static void rates_are_exact(void **state)
{
	static const s32 rates[] = { 0, 1, -1, PPM, -PPM, 1000 * PPM, -1000 * PPM,
				     INT32_MAX, INT32_MIN };
	static const u64 spans[] = { 1, 999, 1000, 1001, RIG_MS + 7, HOUR + 3, 1000 * HOUR };
	struct exact e;
	struct ptp p;
	u32 i, j;

	(void)state;
	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		for (j = 0; j < sizeof(spans) / sizeof(spans[0]); j++) {
			ptp_reset(&p, 5);
			ptp_rate(&p, 5, rates[i]);
			e = (struct exact){ .at = 5 };
			exact_go(&e, 5 + spans[j], rates[i]);
			assert_true(ptp_time(&p, 5 + spans[j]) == exact_ns(&e));
		}
}

/* A servo changes the rate eight times a second for ten hours. Nothing is lost by rounding. */
static void nothing_adds_up(void **state)
{
	struct exact e = { .at = 0 };
	u32 seed = 1, i;
	s32 rate = 0;
	struct ptp p;
	u64 now = 0;

	(void)state;
	ptp_reset(&p, 0);
	for (i = 0; i < 8 * 36000; i++) {
		now += 125 * RIG_MS + rnd(&seed, 1000000);
		exact_go(&e, now, rate);
		rate = (s32)(rnd(&seed, 2000001) - 1000000) * 1000;
		ptp_rate(&p, now, rate);
	}
	assert_true(ptp_time(&p, now) == exact_ns(&e));
}

static void rate_does_not_jump(void **state)
{
	struct ptp p;
	u64 before;

	(void)state;
	ptp_reset(&p, 0);
	ptp_rate(&p, 0, 1000 * PPM);
	before = ptp_time(&p, HOUR);
	ptp_rate(&p, HOUR, -1000 * PPM);
	assert_true(ptp_time(&p, HOUR) == before);
	assert_true(ptp_time(&p, HOUR + RIG_NS) - before <= 1);
}

/* A frame that ends now began before the last adjustment. */
static void looks_back(void **state)
{
	struct ptp p;

	(void)state;
	ptp_reset(&p, 0);
	ptp_command(&p, RIG_MS, PARQ_PTP_SET, TODAY);
	assert_true(ptp_time(&p, RIG_MS - 1) == TODAY - 1);
	assert_true(ptp_time(&p, RIG_MS - 1000) == TODAY - 1);
	assert_true(ptp_time(&p, RIG_MS - 1001) == TODAY - 2);
	ptp_rate(&p, RIG_MS, 1000 * PPM);
	assert_in_range(TODAY - ptp_time(&p, 0), 1000999, 1001001);
	ptp_rate(&p, RIG_MS, -1000 * PPM);
	assert_in_range(TODAY - ptp_time(&p, 0), 998999, 999001);
}

/* It is the first moment, to a ps, at which the clock shows a time. */
static void times_are_foreseen(void **state)
{
	static const s32 rates[] = { 0, 1, -1, PPM, -PPM, INT32_MAX, INT32_MIN };
	u32 seed = 1, i, j;
	u64 ns, when;
	struct ptp p;

	(void)state;
	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		for (j = 0; j < 1000; j++) {
			ptp_reset(&p, 0);
			ptp_command(&p, rnd(&seed, 10000), PARQ_PTP_SET, TODAY);
			ptp_rate(&p, 12345, rates[i]);
			ns = ptp_time(&p, 20000) + rnd(&seed, 4000000000U) + 1;
			when = ptp_when(&p, 20000, ns);
			assert_true(ptp_time(&p, when) == ns);
			assert_true(ptp_time(&p, when - 2) < ns);
			assert_true(ptp_when(&p, when, ns) == when);
		}
}

/* ---- registers ---------------------------------------------------------- */

static void clock_is_set_and_stepped(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	assert_true(parqsim_read(r.sim, PARQ_CAP) & PARQ_CAP_PTP);
	command(&r, PARQ_PTP_SET, TODAY);
	assert_true(clock_read(&r) == TODAY);
	rig_run(&r, 70 * RIG_NS);
	assert_true(clock_read(&r) == TODAY + 70);
	command(&r, PARQ_PTP_STEP, -1000000070LL);
	assert_true(clock_read(&r) == TODAY - 1000000000);
	command(&r, PARQ_PTP_STEP, 1000000000);
	parqsim_write(r.sim, PARQ_PTP_RATE, -100 * PPM);
	rig_run(&r, RIG_MS);
	assert_true(clock_read(&r) == TODAY + 999900);
	assert_int_equal((s32)parqsim_read(r.sim, PARQ_PTP_RATE), -100 * PPM);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(parqsim_read(r.sim, PARQ_PTP_RATE), 0);
	assert_true(clock_read(&r) == 0);
	rig_fini(&r);
}

/* The low half wraps between the two reads. */
static void time_does_not_tear(void **state)
{
	struct rig r;
	u32 lo;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	command(&r, PARQ_PTP_SET, 0x4ffffffffULL);
	lo = parqsim_read(r.sim, PARQ_PTP_TIME_LO);
	rig_run(&r, RIG_US);
	assert_int_equal(lo, 0xffffffff);
	assert_int_equal(parqsim_read(r.sim, PARQ_PTP_TIME_HI), 4);
	assert_true(clock_read(&r) == 0x4ffffffffULL + 1000);
	rig_fini(&r);
}

static void bad_command_changes_nothing(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	command(&r, PARQ_PTP_SET, TODAY);
	parqsim_write(r.sim, PARQ_PTP_CMD, PARQ_NUM_PTP_OP);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r.sim, PARQ_ERR)),
			 PARQ_ERR_RANGE);
	parqsim_write(r.sim, PARQ_ERR, 0);
	parqsim_write(r.sim, PARQ_PTP_TIME_LO, 0);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r.sim, PARQ_ERR)),
			 PARQ_ERR_READONLY);
	assert_true(clock_read(&r) == TODAY);
	rig_fini(&r);
}

/* ---- transmit ----------------------------------------------------------- */

/**
 * struct seen - frames on the wire of port 0, in their order
 * @r: the rig
 * @at: PTP clock, which runs as the device clock, at the first bit of each, ns
 * @n: their number
 */
struct seen {
	struct rig *r;
	u64 at[FRAMES];
	u32 n;
};

static void see(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct seen *s = ctx;

	if (port || f[12] == 0x88)
		return;
	assert_true(s->n < FRAMES);
	s->at[s->n++] = (end - (len + 4) * BYTE) / RIG_NS;
}

static void watch(struct rig *r, struct seen *s)
{
	rig_init(r, &config, PARQ_SPEED_10G, true);
	*s = (struct seen){ .r = r };
	r->wire = see;
	r->wire_ctx = s;
	command(r, PARQ_PTP_SET, rig_now(r) / RIG_NS);
}

/* Return: position of the frame's first descriptor. */
static u32 post(struct rig *r, u32 len)
{
	u32 pos = r->port[0].txq[QUEUE].tail;

	rig_tx_desc(r, 0, QUEUE, PARQ_TXX_STAMP, PARQ_TX_EXT);
	rig_post(r, 0, QUEUE, len);
	return pos;
}

static const struct parq_tx_desc *desc_at(struct rig *r, u32 pos)
{
	const struct rig_txq *q = &r->port[0].txq[QUEUE];
	u64 at = q->ring + sizeof(struct parq_tx_desc) * (pos & (BIT(q->log2) - 1));

	return rig_ptr(r, at, sizeof(struct parq_tx_desc));
}

static u64 stamp_at(struct rig *r, u32 pos)
{
	const struct parq_tx_desc *d = desc_at(r, pos);

	assert_true(le64_to_cpu(d->info) == PARQ_TXS_STAMP);
	return le64_to_cpu(d->addr);
}

static void frames_are_stamped(void **state)
{
	u32 pos[8], i;
	struct seen s;
	struct rig r;

	(void)state;
	watch(&r, &s);
	for (i = 0; i < 8; i++)
		pos[i] = post(&r, 60 + 100 * i);
	rig_drain(&r);
	assert_int_equal(s.n, 8);
	for (i = 0; i < 8; i++)
		assert_true(stamp_at(&r, pos[i]) == s.at[i]);
	rig_fini(&r);
}

/* Only frames that ask for it: no other descriptor is written. */
static void others_are_not_stamped(void **state)
{
	struct parq_tx_desc before;
	struct seen s;
	struct rig r;
	u32 pos;

	(void)state;
	watch(&r, &s);
	pos = r.port[0].txq[QUEUE].tail;
	rig_post(&r, 0, QUEUE, 100);
	before = *desc_at(&r, pos);
	rig_drain(&r);
	assert_memory_equal(desc_at(&r, pos), &before, sizeof(before));
	rig_fini(&r);
}

/* Frames park for a long time. Their stamps are those of their start after it. */
static void parked_frames_have_their_real_start(void **state)
{
	u32 pos[6], i, n;
	struct seen s;
	struct rig r;

	(void)state;
	watch(&r, &s);
	rig_pfc(&r, 0, BIT(QUEUE), true);
	for (i = 0; i < 6; i++)
		pos[i] = post(&r, 1000);
	rig_run(&r, 2 * RIG_US);
	rig_pause(&r, 0, BIT(QUEUE), 65535);
	rig_run(&r, RIG_MS);
	n = s.n;
	assert_in_range(n, 1, 5);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[QUEUE].park_depth), 6 - n);
	rig_pause(&r, 0, BIT(QUEUE), 0);
	rig_drain(&r);
	assert_int_equal(s.n, 6);
	for (i = 0; i < 6; i++)
		assert_true(stamp_at(&r, pos[i]) == s.at[i]);
	assert_true(s.at[n] - s.at[n - 1] >= 999000);
	rig_fini(&r);
}

/* Of a frame that is cut, the first segment counts. */
static void first_segment_counts(void **state)
{
	struct rig_txq *q;
	struct seen s;
	struct rig r;
	u32 pos;

	(void)state;
	watch(&r, &s);
	q = &r.port[0].txq[QUEUE];
	pos = q->tail;
	rig_post_tso(&r, 0, QUEUE, 1000, 100);
	((struct parq_tx_desc *)desc_at(&r, pos))->addr |= cpu_to_le64(PARQ_TXX_STAMP);
	rig_drain(&r);
	assert_int_equal(s.n, 10);
	assert_true(stamp_at(&r, pos) == s.at[0]);
	/* The next frame does not inherit it. */
	pos = q->tail;
	rig_tx_desc(&r, 0, QUEUE, 0, PARQ_TX_EXT);
	rig_post(&r, 0, QUEUE, 100);
	rig_drain(&r);
	assert_true(le64_to_cpu(desc_at(&r, pos)->info) == PARQ_TX_EXT);
	rig_fini(&r);
}

/* A frame that was not sent says so, and has no stamp. */
static void dropped_frames_have_none(void **state)
{
	struct seen s;
	struct rig r;
	u32 pos;

	(void)state;
	watch(&r, &s);
	pos = r.port[0].txq[QUEUE].tail;
	rig_tx_desc(&r, 0, QUEUE, PARQ_TXX_STAMP, PARQ_TX_EXT);
	rig_tx_desc(&r, 0, QUEUE, 0, PARQ_TX_EOP);
	rig_tx_ring(&r, 0, QUEUE);
	rig_drain(&r);
	assert_true(le64_to_cpu(desc_at(&r, pos)->info) == PARQ_TXS_DROPPED);
	rig_fini(&r);
}

/* The clock is stepped while frames are parked: a stamp has the time of its moment. */
static void stamp_is_of_its_moment(void **state)
{
	u32 first, second;
	struct seen s;
	struct rig r;

	(void)state;
	watch(&r, &s);
	first = post(&r, 1000);
	rig_drain(&r);
	command(&r, PARQ_PTP_STEP, HOUR);
	second = post(&r, 1000);
	rig_drain(&r);
	assert_true(stamp_at(&r, first) == s.at[0]);
	assert_true(stamp_at(&r, second) == s.at[1] + HOUR);
	rig_fini(&r);
}

/* ---- receive ------------------------------------------------------------ */

#define STEPS(comp)	FIELD_GET(PARQ_RX_STEPS, le32_to_cpu((comp)->flags))

static u64 rx_stamp(const struct parq_rx_comp *c)
{
	u32 flags = le32_to_cpu(c->flags);

	assert_true(flags & PARQ_RX_STAMP);
	return (u64)FIELD_GET(PARQ_RX_STAMP_HI, flags) << 32 | le32_to_cpu(c->time);
}

static void rx_begin(struct rig *r)
{
	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_rxq_up(r, 0, 0, 7, 2048);
	rig_write(r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_STAMP);
	rig_run(r, RIG_MS);
	command(r, PARQ_PTP_SET, TODAY);
	rig_assert_no_error(r);
}

static void received_frames_are_stamped(void **state)
{
	const struct parq_rx_comp *c;
	struct rig r;

	(void)state;
	rx_begin(&r);
	rig_run(&r, RIG_MS);
	rig_rx_prio(&r, 0, 2, 1000, 1);
	c = rig_rx_comp(&r, 0, 0, 0);
	/* It began 1004 bytes ago: 803.2 ns. */
	assert_true(rx_stamp(c) == ((TODAY + 1000000 - 804) & (BIT_ULL(48) - 1)));
	assert_int_equal(STEPS(c), 1);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	rig_rx_prio(&r, 0, 2, 1000, 2);
	c = rig_rx_comp(&r, 0, 0, 1);
	assert_false(le32_to_cpu(c->flags) & (PARQ_RX_STAMP | PARQ_RX_STEPS | PARQ_RX_STAMP_HI));
	assert_int_equal(le32_to_cpu(c->time), (u32)(rig_now(&r) / RIG_NS));
	rig_fini(&r);
}

/* A frame waits while the clock is stepped again and again. */
static void waiting_frames_keep_their_stamp(void **state)
{
	u64 at[6];
	struct rig r;
	u32 i;

	(void)state;
	rx_begin(&r);
	rig_rxq_hold(&r, 0, 0);
	for (i = 0; i < 6; i++) {
		at[i] = clock_read(&r) - 81;	/* 100 bytes: 80.8 ns */
		rig_rx_prio(&r, 0, 2, 97, i);
		rig_run(&r, 5000 * RIG_MS);
		command(&r, PARQ_PTP_STEP, HOUR * 1000);
	}
	rig_rxq_release(&r, 0, 0);
	rig_run(&r, RIG_MS);
	for (i = 0; i < 6; i++) {
		const struct parq_rx_comp *c = rig_rx_comp(&r, 0, 0, i);

		assert_true(rx_stamp(c) == (at[i] & (BIT_ULL(48) - 1)));
		assert_int_equal(STEPS(c), (1 + i) % 4);
	}
	rig_fini(&r);
}

/* Segments of one frame have a stamp each. */
static void stamped_segments_are_not_merged(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	assert_false(parqsim_merges(r.sim, 0));
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_GRO);
	assert_true(parqsim_merges(r.sim, 0));
	assert_false(parqsim_merges(r.sim, 1));
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_GRO | PARQ_PORT_CTRL_RX_STAMP);
	assert_false(parqsim_merges(r.sim, 0));
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_exact),
		cmocka_unit_test(nothing_adds_up),
		cmocka_unit_test(rate_does_not_jump),
		cmocka_unit_test(looks_back),
		cmocka_unit_test(times_are_foreseen),
		cmocka_unit_test(clock_is_set_and_stepped),
		cmocka_unit_test(time_does_not_tear),
		cmocka_unit_test(bad_command_changes_nothing),
		cmocka_unit_test(frames_are_stamped),
		cmocka_unit_test(others_are_not_stamped),
		cmocka_unit_test(parked_frames_have_their_real_start),
		cmocka_unit_test(first_segment_counts),
		cmocka_unit_test(dropped_frames_have_none),
		cmocka_unit_test(stamp_is_of_its_moment),
		cmocka_unit_test(received_frames_are_stamped),
		cmocka_unit_test(waiting_frames_keep_their_stamp),
		cmocka_unit_test(stamped_segments_are_not_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
