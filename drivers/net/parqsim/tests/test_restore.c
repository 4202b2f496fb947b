// SPDX-License-Identifier: GPL-2.0
/*
 * Storms that outlast their pause: what happens until there was no pause for the time to restore,
 * and what ends a storm sooner.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

#define LIMIT	2	/* ms */
#define RESTORE	3	/* ms */
#define PRIO	3
#define OTHER	4
#define FRAMES	10
#define LEN	1000

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static bool storms(struct rig *r)
{
	return rig_levels(r, 0, PRIO) & PARQ_LEVELS_STORM;
}

static u64 storms_ever(struct rig *r)
{
	return le64_to_cpu(rig_stats(r, 0)->prio[PRIO].rx_pause_storm);
}

static u64 dropped(struct rig *r)
{
	return le64_to_cpu(rig_stats(r, 0)->tx_drop_storm);
}

static u64 sent(struct rig *r)
{
	return r->port[0].cls[PRIO].sent;
}

static void xoff(struct rig *r, u16 quanta)
{
	rig_pause(r, 0, BIT(PRIO), quanta);
}

/* Time for a managed executor to look several times. */
static void spend(struct rig *r, u64 ps)
{
	u32 i;

	for (i = 0; i < 20; i++)
		rig_run(r, ps / 20);
}

static void fill(struct rig *r)
{
	u32 i;

	for (i = 0; i < FRAMES; i++)
		rig_post(r, 0, PRIO, LEN);
	spend(r, 100 * RIG_US);
}

/* Up to one picosecond before the storm is over. */
static void almost_over(struct rig *r)
{
	rig_run(r, r->port[0].cls[PRIO].pause_until + RESTORE * RIG_MS - rig_now(r) - 1);
	assert_true(storms(r));
}

/* At 10 Gb/s one frame pauses for 3.3 ms. The storm begins now. */
static void begin_storm(struct rig *r, bool offload, bool forward)
{
	rig_init(r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(r, 0, 0xff, offload);
	rig_restore(r, 0, RESTORE);
	rig_storm(r, 0, LIMIT, forward);
	xoff(r, 0xffff);
	rig_run(r, LIMIT * RIG_MS - 1);
	assert_false(storms(r));
	rig_run(r, 1);
	assert_true(storms(r));
}

/* It has ended now: the class sends, and the next pause is obeyed up to the limit. */
static void ended(struct rig *r)
{
	u64 was = sent(r), drops = dropped(r), ever = storms_ever(r);

	assert_false(storms(r));
	fill(r);
	assert_int_equal(sent(r), was + FRAMES);
	xoff(r, 0xffff);
	fill(r);
	rig_run(r, LIMIT * RIG_MS - 100 * RIG_US - 1);
	assert_int_equal(sent(r), was + FRAMES);
	assert_false(storms(r));
	assert_int_equal(dropped(r), drops);
	rig_run(r, 1);
	assert_true(storms(r));
	assert_int_equal(storms_ever(r), ever + 1);
	spend(r, 100 * RIG_US);
	assert_int_equal(dropped(r), drops + FRAMES);
}

/* Frames are dropped up to the last picosecond. */
static void outlasts_its_pause(void **state)
{
	struct rig r;

	begin_storm(&r, *state, false);
	fill(&r);
	rig_run(&r, RIG_MS);
	xoff(&r, 0);
	fill(&r);
	almost_over(&r);
	assert_int_equal(dropped(&r), 2 * FRAMES);
	assert_int_equal(sent(&r), 0);
	rig_run(&r, 1);
	ended(&r);
	rig_fini(&r);
}

/* Nobody says XON: its time counts from where the pause runs out. */
static void silence(void **state)
{
	struct rig r;

	begin_storm(&r, *state, false);
	almost_over(&r);
	rig_run(&r, 1);
	ended(&r);
	rig_fini(&r);
}

/* A pause in between is not obeyed, and is no other storm. XON after XON ends it all the same. */
static void pause_in_between(void **state)
{
	struct rig r;
	u32 i;

	begin_storm(&r, *state, false);
	xoff(&r, 0);
	for (i = 0; i < 5; i++) {
		almost_over(&r);
		xoff(&r, 100);
		assert_false(rig_levels(&r, 0, PRIO) & PARQ_LEVELS_PAUSE);
		fill(&r);
	}
	assert_int_equal(dropped(&r), 5 * FRAMES);
	assert_int_equal(storms_ever(&r), 1);
	for (i = 0; i < 5; i++) {
		xoff(&r, 0);
		rig_run(&r, 100 * RIG_US);
	}
	almost_over(&r);
	xoff(&r, 0);
	rig_run(&r, 1);
	ended(&r);
	rig_fini(&r);
}

static void forwarded(void **state)
{
	struct rig r;

	begin_storm(&r, *state, true);
	xoff(&r, 0);
	rig_run(&r, RIG_MS);
	xoff(&r, 0xffff);
	fill(&r);
	assert_int_equal(sent(&r), FRAMES);
	xoff(&r, 0);
	rig_run(&r, RESTORE * RIG_MS);
	assert_int_equal(dropped(&r), 0);
	assert_false(storms(&r));
	rig_storm(&r, 0, LIMIT, false);
	ended(&r);
	rig_fini(&r);
}

/* Pauses with gaps are no storm, however short the gaps are. */
static void gaps(void **state)
{
	struct rig r;
	u32 i;

	begin_storm(&r, *state, false);
	xoff(&r, 0);
	rig_run(&r, RESTORE * RIG_MS);
	for (i = 0; i < 5; i++) {
		xoff(&r, 0xffff);
		rig_run(&r, LIMIT * RIG_MS - 1);
		xoff(&r, 0);
		rig_run(&r, 1);
	}
	assert_int_equal(storms_ever(&r), 1);
	assert_int_equal(dropped(&r), 0);
	ended(&r);
	rig_fini(&r);
}

/* Other priorities storm, or do not, for themselves. */
static void each_for_itself(void **state)
{
	struct rig r;

	begin_storm(&r, *state, false);
	rig_pause(&r, 0, BIT(PRIO), 0);
	rig_run(&r, RIG_MS);
	rig_pause(&r, 0, BIT(OTHER), 0xffff);
	rig_run(&r, LIMIT * RIG_MS);
	assert_false(storms(&r));
	assert_true(rig_levels(&r, 0, OTHER) & PARQ_LEVELS_STORM);
	rig_pause(&r, 0, BIT(OTHER), 0);
	ended(&r);
	assert_true(rig_levels(&r, 0, OTHER) & PARQ_LEVELS_STORM);
	rig_run(&r, RESTORE * RIG_MS);
	assert_false(rig_levels(&r, 0, OTHER) & PARQ_LEVELS_STORM);
	rig_fini(&r);
}

/* ---- what ends it sooner ------------------------------------------------- */

static void begin_restore(struct rig *r, bool offload)
{
	begin_storm(r, offload, false);
	xoff(r, 0);
	rig_run(r, RIG_MS);
	assert_true(storms(r));
}

static void no_pfc(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	rig_pfc(&r, 0, 0xff & ~BIT(OTHER), *state);
	assert_true(storms(&r));
	rig_pfc(&r, 0, 0xff & ~BIT(PRIO), *state);
	assert_false(storms(&r));
	rig_pfc(&r, 0, 0xff, *state);
	ended(&r);
	rig_fini(&r);
}

static void link_lost(void **state)
{
	struct rig r;
	u32 ctrl;

	begin_restore(&r, *state);
	ctrl = rig_read(&r, 0, PARQ_LINK_CTRL);
	rig_write(&r, 0, PARQ_LINK_CTRL, ctrl & ~PARQ_LINK_CTRL_EN);
	assert_false(storms(&r));
	rig_write(&r, 0, PARQ_LINK_CTRL, ctrl);
	r.port[0].cls[PRIO].storm = false;
	ended(&r);
	rig_fini(&r);
}

static void disabled(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS) & PARQ_LEVELS_STORM, 0);
	assert_int_equal(FIELD_GET(PARQ_PFC_STORM_RESTORE, rig_read(&r, 0, PARQ_PFC_STORM)),
			 RESTORE);
	rig_port_up(&r, 0, *state);
	rig_pfc(&r, 0, 0xff, *state);
	ended(&r);
	rig_fini(&r);
}

static void reset(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS), 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC_STORM), 0);
	rig_run(&r, RESTORE * RIG_MS);
	rig_fini(&r);
}

/* A user ends it, with a pause and without one. */
static void obeyed_again(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	rig_obey(&r, 0, BIT(OTHER));
	assert_true(storms(&r));
	rig_obey(&r, 0, BIT(PRIO));
	ended(&r);
	xoff(&r, 0);
	rig_run(&r, RIG_MS);
	xoff(&r, 0xffff);
	rig_obey(&r, 0, BIT(PRIO));
	assert_false(storms(&r));
	assert_true(rig_levels(&r, 0, PRIO) & PARQ_LEVELS_PAUSE);
	xoff(&r, 0);
	ended(&r);
	rig_fini(&r);
}

/* ---- settings ------------------------------------------------------------ */

static void another_time(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	rig_restore(&r, 0, 2 * RESTORE);
	rig_run(&r, (2 * RESTORE - 1) * RIG_MS - 1);
	assert_true(storms(&r));
	/* It counts from the end of the pause, which is longer ago. */
	rig_restore(&r, 0, RESTORE);
	ended(&r);
	rig_restore(&r, 0, 0);
	assert_true(storms(&r));
	xoff(&r, 0);
	ended(&r);
	rig_fini(&r);
}

/* The longest ones, and the limit beside them. */
static void another_limit(void **state)
{
	struct rig r;

	begin_restore(&r, *state);
	rig_storm(&r, 0, LIMIT + 1, false);
	assert_true(storms(&r));
	rig_storm(&r, 0, LIMIT + 2, false);
	assert_false(storms(&r));
	rig_storm(&r, 0, LIMIT, false);
	ended(&r);
	xoff(&r, 0);
	assert_true(storms(&r));
	rig_storm(&r, 0, 0, false);
	assert_false(storms(&r));
	rig_storm(&r, 0, LIMIT, false);
	ended(&r);
	rig_restore(&r, 0, FIELD_MAX(PARQ_PFC_STORM_RESTORE));
	rig_storm(&r, 0, FIELD_MAX(PARQ_PFC_STORM_LIMIT), true);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC_STORM), ~0U);
	assert_true(parqsim_read(r.sim, PARQ_CAP) & PARQ_CAP_RESTORE);
	rig_fini(&r);
}

/* What the host hears of it. */
static void says_so(void **state)
{
	const struct parq_event *e;
	struct rig r;
	u64 end;

	begin_storm(&r, *state, false);
	parqsim_write(r.sim, PARQ_EVENT_MASK, BIT(PARQ_EV_STORM) | BIT(PARQ_EV_PAUSE));
	xoff(&r, 0);
	rig_run(&r, RIG_MS);
	xoff(&r, 100);
	rig_run(&r, RIG_MS);
	end = r.port[0].cls[PRIO].pause_until + RESTORE * RIG_MS;
	rig_run(&r, end - rig_now(&r));
	e = rig_event(&r, 0);
	assert_int_equal(e->type, PARQ_EV_STORM);
	assert_int_equal(e->prio, PRIO);
	assert_int_equal(le32_to_cpu(e->a), 0);
	assert_int_equal(le64_to_cpu(e->time), end / RIG_NS);
	assert_int_equal(le32_to_cpu(rig_event(&r, 1)->gen), 0);
	rig_fini(&r);
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(outlasts_its_pause, &offload),
		cmocka_unit_test(outlasts_its_pause),
		cmocka_unit_test_prestate(silence, &offload),
		cmocka_unit_test(silence),
		cmocka_unit_test_prestate(pause_in_between, &offload),
		cmocka_unit_test(pause_in_between),
		cmocka_unit_test_prestate(forwarded, &offload),
		cmocka_unit_test(forwarded),
		cmocka_unit_test_prestate(gaps, &offload),
		cmocka_unit_test_prestate(each_for_itself, &offload),
		cmocka_unit_test_prestate(no_pfc, &offload),
		cmocka_unit_test(no_pfc),
		cmocka_unit_test_prestate(link_lost, &offload),
		cmocka_unit_test_prestate(disabled, &offload),
		cmocka_unit_test_prestate(reset, &offload),
		cmocka_unit_test_prestate(obeyed_again, &offload),
		cmocka_unit_test_prestate(another_time, &offload),
		cmocka_unit_test_prestate(another_limit, &offload),
		cmocka_unit_test_prestate(says_so, &offload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
