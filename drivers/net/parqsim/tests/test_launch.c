// SPDX-License-Identifier: GPL-2.0
/*
 * Launch times against what the wire shows: the first bit behind preamble and start-of-frame
 * delimiter is on it at the launch time of the frame, or later for a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock_regs.h"
#include "rig.h"
#include "rnd.h"

#define QUEUE		3
#define MATE		(QUEUE + 8)	/* of the same priority */
#define OTHER		5
#define TODAY		1800000000123456789ULL
#define PPM		((s32)((1ULL << PARQ_PTP_RATE_SHIFT) / 1000000))
#define US		1000ULL		/* ns, as all times of the PTP clock */
#define MS		1000000ULL
#define FRAMES		256

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000, .fetch_ns = 100,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/**
 * struct seen - frames on the wire of port 0, in their order
 * @r: the rig
 * @at: PTP clock at the first bit behind the preamble of each, ns; exact unless it is slewed
 * @queue: its TX queue
 * @n: their number
 */
struct seen {
	struct rig *r;
	u64 at[FRAMES];
	u32 queue[FRAMES];
	u32 n;
};

/* Called at the first bit of the preamble. */
static void see(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct seen *s = ctx;
	u64 ps = rig_now(s->r) % RIG_NS + 8 * s->r->port[0].byte_ps;
	u32 seq;

	if (port)
		return;
	assert_true(s->n < FRAMES);
	rig_tag(f, &s->queue[s->n], &seq);
	s->at[s->n++] = clock_read(s->r) + ps / RIG_NS;
	(void)len;
	(void)end;
}

static void begin_at(struct rig *r, struct seen *s, int speed)
{
	rig_init(r, &config, speed, true);
	assert_true(parqsim_read(r->sim, PARQ_CAP) & PARQ_CAP_LAUNCH);
	*s = (struct seen){ .r = r };
	r->wire = see;
	r->wire_ctx = s;
	command(r, PARQ_PTP_SET, TODAY);
}

static void begin(struct rig *r, struct seen *s)
{
	begin_at(r, s, PARQ_SPEED_10G);
}

static void extension(struct rig *r, u32 queue, u64 at)
{
	rig_tx_desc(r, 0, queue, PARQ_TXX_LAUNCH, PARQ_TX_EXT | (at & PARQ_TXX_TIME));
}

/* Posts a frame of 1000 bytes. */
static void post(struct rig *r, u32 queue, u64 at)
{
	extension(r, queue, at);
	rig_post(r, 0, queue, 1000);
}

static u32 missed(struct rig *r)
{
	return rig_read(r, 0, PARQ_LAUNCH_MISSED);
}

/* Frames that the device counts as not sent, for any reason. */
static u64 drops(struct rig *r)
{
	const struct parq_stats *s = rig_stats(r, 0);

	return le64_to_cpu(s->tx_drop_desc) + le64_to_cpu(s->tx_drop_dma) +
	       le64_to_cpu(s->tx_drop_purge) + le64_to_cpu(s->tx_drop_park) +
	       le64_to_cpu(s->tx_drop_storm);
}

/* ---- when a frame starts ------------------------------------------------ */

static void starts_at_its_time(void **state)
{
	static const int speeds[] = { PARQ_SPEED_10M, PARQ_SPEED_1G, PARQ_SPEED_10G,
				      PARQ_SPEED_400G };
	struct seen s;
	struct rig r;
	u32 i, j;

	(void)state;
	for (j = 0; j < sizeof(speeds) / sizeof(speeds[0]); j++) {
		begin_at(&r, &s, speeds[j]);
		for (i = 0; i < 20; i++)
			post(&r, QUEUE, TODAY + (i + 1) * 7 * MS + i);
		rig_drain(&r);
		assert_int_equal(s.n, 20);
		for (i = 0; i < 20; i++)
			assert_true(s.at[i] == TODAY + (i + 1) * 7 * MS + i);
		assert_int_equal(missed(&r), 0);
		rig_fini(&r);
	}
}

/* The clock is slewed while a frame waits. */
static void clock_is_slewed(void **state)
{
	static const s32 rates[] = { PPM, -PPM, 1000 * PPM, -1000 * PPM, INT32_MAX, INT32_MIN };
	struct seen s;
	struct rig r;
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		begin(&r, &s);
		post(&r, QUEUE, TODAY + 3000 * MS);
		rig_run(&r, 100 * RIG_US);
		parqsim_write(r.sim, PARQ_PTP_RATE, rates[i]);
		rig_run(&r, 100 * RIG_US);
		parqsim_write(r.sim, PARQ_PTP_RATE, -(rates[i] / 2));
		post(&r, OTHER, TODAY + 2000 * MS);
		rig_drain(&r);
		assert_int_equal(s.n, 2);
		assert_in_range(s.at[0] - TODAY, 2000 * MS - 1, 2000 * MS + 1);
		assert_in_range(s.at[1] - TODAY, 3000 * MS - 1, 3000 * MS + 1);
		rig_fini(&r);
	}
}

/* The clock is stepped while a frame waits. */
static void clock_is_stepped(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + 10 * MS);
	rig_run(&r, RIG_MS);
	command(&r, PARQ_PTP_STEP, -5 * (s64)MS);
	rig_run(&r, 13 * RIG_MS);
	assert_int_equal(s.n, 0);
	rig_drain(&r);
	assert_true(s.at[0] == TODAY + 10 * MS);
	/* Beyond its time: it starts at once. */
	post(&r, QUEUE, TODAY + 1000 * MS);
	rig_run(&r, RIG_MS);
	command(&r, PARQ_PTP_SET, TODAY + 2000 * MS);
	rig_run(&r, RIG_US);
	assert_int_equal(s.n, 2);
	/* Far back: nothing waits for hours. */
	post(&r, QUEUE, TODAY + 3000 * MS);
	rig_run(&r, RIG_MS);
	assert_int_equal(s.n, 2);
	command(&r, PARQ_PTP_SET, 0);
	rig_run(&r, RIG_US);
	assert_int_equal(s.n, 3);
	assert_int_equal(missed(&r), 0);
	rig_fini(&r);
}

/* The clock is stepped back again and again, so the launch time never comes. */
static void clock_goes_back_for_ever(void **state)
{
	struct seen s;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + 2000 * MS);
	rig_post(&r, 0, QUEUE, 1000);
	for (i = 1; i <= 20; i++) {
		rig_run(&r, 1000 * RIG_MS);
		/* Their queue waits for 4.008 s. */
		assert_int_equal(s.n, i <= 4 ? 0 : 2);
		command(&r, PARQ_PTP_STEP, -1000 * (s64)MS);
	}
	assert_in_range(s.at[0] - TODAY, 8 * MS, 8 * MS + US);
	assert_int_equal(missed(&r), 0);
	rig_fini(&r);
}

/* The longest wait, by the slowest clock. */
static void slow_clock_is_waited_for(void **state)
{
	struct seen s;
	struct rig r;
	u64 at;

	(void)state;
	begin(&r, &s);
	parqsim_write(r.sim, PARQ_PTP_RATE, INT32_MIN);
	at = clock_read(&r) + PARQ_LAUNCH_MAX_NS;
	post(&r, QUEUE, at);
	rig_drain(&r);
	assert_int_equal(s.n, 1);
	assert_in_range(s.at[0], at - 1, at + 1);
	assert_int_equal(missed(&r), 0);
	rig_fini(&r);
}

/* A time that is past, or too far ahead, is not waited for. */
static void bounds_are_kept(void **state)
{
	static const s64 ahead[] = { 0, -1, -(s64)MS, -100000000 * (s64)MS,
				     PARQ_LAUNCH_MAX_NS + 1, 100000000 * (s64)MS };
	struct seen s;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, &s);
	for (i = 0; i < sizeof(ahead) / sizeof(ahead[0]); i++) {
		post(&r, QUEUE, clock_read(&r) + ahead[i]);
		rig_run(&r, 2 * RIG_US);
		assert_int_equal(s.n, i + 1);
		assert_int_equal(missed(&r), i + 1);
	}
	post(&r, QUEUE, clock_read(&r) + PARQ_LAUNCH_MAX_NS);
	rig_run(&r, (PARQ_LAUNCH_MAX_NS - 10) * RIG_NS);
	assert_int_equal(s.n, i);
	rig_run(&r, 2 * RIG_US);
	assert_int_equal(s.n, i + 1);
	assert_int_equal(missed(&r), i);
	/* Without the bit the field means nothing. */
	rig_tx_desc(&r, 0, QUEUE, 0, PARQ_TX_EXT | ((clock_read(&r) + MS) & PARQ_TXX_TIME));
	rig_post(&r, 0, QUEUE, 1000);
	rig_run(&r, 2 * RIG_US);
	assert_int_equal(s.n, i + 2);
	assert_int_equal(missed(&r), i);
	rig_fini(&r);
}

/* ---- order -------------------------------------------------------------- */

/* What is behind a frame that waits does so, too. Other queues of any class do not. */
static void only_its_queue_waits(void **state)
{
	struct seen s;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + 5 * MS);
	rig_post(&r, 0, QUEUE, 1000);
	post(&r, QUEUE, TODAY + 4 * MS);
	for (i = 0; i < 10; i++) {
		rig_post(&r, 0, MATE, 1000);
		rig_post(&r, 0, OTHER, 1000);
	}
	rig_run(&r, 20 * RIG_US);
	assert_int_equal(s.n, 20);
	for (i = 0; i < 20; i++)
		assert_int_not_equal(s.queue[i], QUEUE);
	rig_drain(&r);
	assert_int_equal(s.n, 23);
	assert_true(s.at[20] == TODAY + 5 * MS);
	assert_in_range(s.at[22] - s.at[20], 1638, 1640);
	assert_int_equal(missed(&r), 1);
	rig_fini(&r);
}

/* Sixteen queues, whose times alternate. */
static void queues_have_their_own_times(void **state)
{
	struct seen s;
	struct rig r;
	u32 i, j;

	(void)state;
	begin(&r, &s);
	for (i = 0; i < RIG_QUEUES; i++)
		for (j = 0; j < 16; j++)
			post(&r, i, TODAY + MS + (j * RIG_QUEUES + (i ^ j)) * 2 * US);
	rig_drain(&r);
	assert_int_equal(s.n, RIG_QUEUES * 16);
	for (i = 0; i < s.n; i++) {
		assert_true(s.at[i] == TODAY + MS + i * 2 * US);
		assert_int_equal(s.queue[i], i % 16 ^ i / 16);
	}
	rig_fini(&r);
}

/* The class is paused across launch times: these frames are late, and in order. */
static void pause_delays(void **state)
{
	struct seen s;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, &s);
	rig_pfc(&r, 0, BIT(QUEUE), true);
	for (i = 0; i < 30; i++) {
		post(&r, QUEUE, TODAY + (i + 1) * 20 * US);
		post(&r, OTHER, TODAY + (i + 1) * 20 * US + 10 * US);
	}
	rig_run(&r, 205 * RIG_US);
	assert_int_equal(s.n, 10 + 9);
	rig_pause(&r, 0, BIT(QUEUE), 65535);
	rig_run(&r, 200 * RIG_US);
	assert_int_equal(s.n, 10 + 20 - 1);
	rig_pause(&r, 0, BIT(QUEUE), 0);
	rig_drain(&r);
	/* Frames 10 to 19 leave together. All others are on time. */
	assert_int_equal(s.n, 60);
	assert_true(clock_read(&r) - TODAY < 700 * US);
	assert_true(s.at[58] == TODAY + 600 * US);
	assert_true(s.at[59] == TODAY + 610 * US);
	rig_fini(&r);
}

static void begin_storm(struct rig *r, struct seen *s, bool forward)
{
	begin(r, s);
	rig_pfc(r, 0, BIT(QUEUE), true);
	rig_storm(r, 0, 1, forward);
	post(r, MATE, TODAY + 500 * US);
	post(r, QUEUE, TODAY + 2 * MS);
	rig_run(r, 10 * RIG_US);
	rig_pause(r, 0, BIT(QUEUE), 0xffff);
	rig_run(r, 980 * RIG_US);
	assert_int_equal(s->n, 0);
	assert_int_equal(drops(r), 0);
}

/* In a storm, from 1010 us on, frames are dropped when they would be sent, and not before. */
static void storm_drops(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin_storm(&r, &s, false);
	rig_run(&r, 1000 * RIG_US);
	assert_int_equal(drops(&r), 1);
	rig_run(&r, 20 * RIG_US);
	assert_int_equal(drops(&r), 2);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->tx_drop_storm), 2);
	assert_int_equal(s.n, 0);
	rig_fini(&r);
}

static void storm_is_sent(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin_storm(&r, &s, true);
	rig_drain(&r);
	assert_int_equal(s.n, 2);
	assert_in_range(s.at[0] - TODAY, 1010 * US, 1011 * US);
	assert_true(s.at[1] == TODAY + 2 * MS);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

/* Random times and pauses. The oracle of the rig watches the order of each queue. */
static void pauses_never_reorder(void **state)
{
	u32 seed = 1, i;
	struct seen s;
	struct rig r;
	u64 at;

	(void)state;
	begin(&r, &s);
	rig_pfc(&r, 0, 0xff, true);
	for (i = 0; i < 200; i++) {
		at = clock_read(&r) + rnd(&seed, 40 * US);
		post(&r, rnd(&seed, RIG_QUEUES), at);
		if (!rnd(&seed, 4))
			rig_pause(&r, 0, BIT(rnd(&seed, 8)), rnd(&seed, 2) * 500);
		rig_run(&r, rnd(&seed, 5) * RIG_US);
	}
	rig_drain(&r);
	assert_int_equal(s.n, 200);
	rig_fini(&r);
}

/* Of a frame that is cut, the first segment waits. */
static void segments_follow(void **state)
{
	struct seen s;
	struct rig r;
	struct rig_txq *q;
	u32 pos, i;
	u64 *desc;

	(void)state;
	begin(&r, &s);
	q = &r.port[0].txq[QUEUE];
	pos = q->tail;
	rig_post_tso(&r, 0, QUEUE, 1000, 100);
	desc = rig_ptr(&r, q->ring + 16 * (pos & (BIT(q->log2) - 1)), 16);
	desc[0] |= cpu_to_le64(PARQ_TXX_LAUNCH);
	desc[1] |= cpu_to_le64((TODAY + MS) & PARQ_TXX_TIME);
	rig_drain(&r);
	assert_int_equal(s.n, 10);
	assert_true(s.at[0] == TODAY + MS);
	for (i = 1; i < 10; i++)
		assert_true(s.at[i] - s.at[i - 1] < 200);
	rig_fini(&r);
}

/* ---- what ends a wait --------------------------------------------------- */

/* No frame that waits has become an FD, so none is counted as dropped. */
static void queue_stops(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + MS);
	rig_post(&r, 0, QUEUE, 1000);
	post(&r, OTHER, TODAY + 2 * MS);
	rig_run(&r, RIG_US);
	rig_write(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
	assert_int_equal(drops(&r), 0);
	rig_txq_up(&r, 0, QUEUE);
	post(&r, QUEUE, TODAY + 3 * MS);
	rig_drain(&r);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.queue[0], OTHER);
	assert_true(s.at[0] == TODAY + 2 * MS);
	assert_true(s.at[1] == TODAY + 3 * MS);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

static void port_stops(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + MS);
	post(&r, OTHER, TODAY + 2 * MS);
	rig_run(&r, RIG_US);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	rig_run(&r, 3 * RIG_MS);
	assert_int_equal(s.n, 0);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

static void device_is_reset(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + MS);
	rig_run(&r, RIG_US);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_10G, true);
	command(&r, PARQ_PTP_SET, TODAY);
	rig_post(&r, 0, QUEUE, 1000);
	rig_run(&r, 10 * RIG_MS);
	assert_int_equal(s.n, 1);
	assert_int_equal(missed(&r), 0);
	rig_fini(&r);
}

/* The replaced ring ends once its last frame has been launched. */
static void ring_is_replaced(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	post(&r, QUEUE, TODAY + MS);
	rig_run(&r, RIG_US);
	rig_replace_ring(&r, 0, QUEUE, RIG_LOG2);
	post(&r, QUEUE, TODAY + 2 * MS);
	rig_drain(&r);
	assert_int_equal(s.n, 2);
	assert_true(s.at[0] == TODAY + MS);
	assert_true(s.at[1] == TODAY + 2 * MS);
	rig_fini(&r);
}

/* A malformed frame has no launch time. */
static void malformed_frame_does_not_wait(void **state)
{
	struct seen s;
	struct rig r;

	(void)state;
	begin(&r, &s);
	extension(&r, QUEUE, TODAY + MS);
	rig_tx_desc(&r, 0, QUEUE, 0, PARQ_TX_EOP);
	rig_post(&r, 0, QUEUE, 1000);
	rig_run(&r, 10 * RIG_US);
	assert_int_equal(s.n, 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->tx_drop_desc), 1);
	assert_int_equal(missed(&r), 0);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_at_its_time),
		cmocka_unit_test(clock_is_slewed),
		cmocka_unit_test(clock_is_stepped),
		cmocka_unit_test(clock_goes_back_for_ever),
		cmocka_unit_test(slow_clock_is_waited_for),
		cmocka_unit_test(bounds_are_kept),
		cmocka_unit_test(only_its_queue_waits),
		cmocka_unit_test(queues_have_their_own_times),
		cmocka_unit_test(pause_delays),
		cmocka_unit_test(storm_drops),
		cmocka_unit_test(storm_is_sent),
		cmocka_unit_test(pauses_never_reorder),
		cmocka_unit_test(segments_follow),
		cmocka_unit_test(queue_stops),
		cmocka_unit_test(port_stops),
		cmocka_unit_test(device_is_reset),
		cmocka_unit_test(ring_is_replaced),
		cmocka_unit_test(malformed_frame_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
