// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses that the peer renews without end: what is done with the class, when that
 * begins and when it ends. The rig's oracle knows which frames may be sent then, which
 * may be missing, and that nothing else differs.
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
#define PRIO	3
#define OTHER	4
#define FRAMES	40
#define LEN	1000

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static void begin(struct rig *r, bool offload, bool forward)
{
	rig_init(r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(r, 0, 0xff, offload);
	rig_storm(r, 0, LIMIT, forward);
}

static void fill(struct rig *r, u32 queue, u32 frames, u32 len)
{
	while (frames-- && rig_room(r, 0, queue) >= 2)
		rig_post(r, 0, queue, len);
}

/* Time for a managed executor to look several times. */
static void spend(struct rig *r, u64 ps)
{
	u32 i;

	for (i = 0; i < 16; i++)
		rig_run(r, ps / 16);
}

/* At 10 Gb/s a pause runs out after 3.3 ms: it is renewed every ms. */
static void keep_paused(struct rig *r, u8 prios, u32 ms)
{
	while (ms--) {
		rig_pause(r, 0, prios, 0xffff);
		spend(r, RIG_MS);
	}
}

static u64 sent(struct rig *r, u32 prio)
{
	return r->port[0].cls[prio].sent;
}

static bool storms(struct rig *r, u32 prio)
{
	return rig_levels(r, 0, prio) & PARQ_LEVELS_STORM;
}

static u64 storms_ever(struct rig *r, u32 prio)
{
	const struct parq_status *st = rig_ptr(r, r->port[0].status, sizeof(*st));
	u64 n = le64_to_cpu(rig_stats(r, 0)->prio[prio].rx_pause_storm);

	/* The snapshot brings the page up to date, too. */
	assert_int_equal(le64_to_cpu(st->pfc[prio].storms), n);
	return n;
}

/* Storms are the only reason for drops. */
static u64 dropped(struct rig *r)
{
	const struct parq_stats *s = rig_stats(r, 0);

	assert_int_equal(le64_to_cpu(s->tx_drop_purge), 0);
	return le64_to_cpu(s->tx_drop_storm);
}

static u64 depth(struct rig *r, u32 prio)
{
	return le64_to_cpu(rig_stats(r, 0)->prio[prio].park_depth);
}

/* The class sends as ever, and is paused by the next pause as ever. */
static void as_before(struct rig *r, u32 prio)
{
	u64 was = sent(r, prio), drops = dropped(r);

	assert_false(storms(r, prio));
	fill(r, prio, 5, LEN);
	rig_drain(r);
	assert_int_equal(sent(r, prio), was + 5);
	rig_pause(r, 0, BIT(prio), 0xffff);
	fill(r, prio, 5, LEN);
	spend(r, LIMIT * RIG_MS - RIG_US);
	assert_int_equal(sent(r, prio), was + 5);
	assert_false(storms(r, prio));
	rig_pause(r, 0, BIT(prio), 0);
	rig_drain(r);
	assert_int_equal(sent(r, prio), was + 10);
	assert_int_equal(dropped(r), drops);
}

/* Parked, and more to come, when the bound is reached. */
static void begin_storm(struct rig *r, bool offload, bool forward)
{
	begin(r, offload, forward);
	fill(r, PRIO, FRAMES, LEN);
	fill(r, OTHER, FRAMES, LEN);
	spend(r, 5 * RIG_US);
	rig_pause(r, 0, BIT(PRIO), 0xffff);
	spend(r, RIG_MS);
	assert_true(depth(r, PRIO) > 0);
	assert_int_equal(sent(r, OTHER), FRAMES);
	rig_pause(r, 0, BIT(PRIO), 0xffff);
	rig_run(r, RIG_MS - 1);
	assert_false(storms(r, PRIO));
	assert_true(depth(r, PRIO) > 0);
	rig_run(r, 1);
	assert_true(storms(r, PRIO));
	assert_false(rig_levels(r, 0, PRIO) & PARQ_LEVELS_PAUSE);
	assert_int_equal(storms_ever(r, PRIO), 1);
	spend(r, 100 * RIG_US);
}

static void dropped_until_xon(void **state)
{
	bool offload = *state;
	struct rig r;
	u64 before;

	begin_storm(&r, offload, false);
	before = sent(&r, PRIO);
	assert_int_equal(before + dropped(&r), FRAMES);
	assert_int_equal(depth(&r, PRIO), 0);
	/* What comes is dropped as well, and nothing of it is kept. */
	fill(&r, PRIO, FRAMES, LEN);
	fill(&r, PRIO + 8, FRAMES, LEN);
	fill(&r, OTHER, FRAMES, LEN);
	rig_drain(&r);
	assert_int_equal(sent(&r, PRIO), before);
	assert_int_equal(sent(&r, OTHER), 2 * FRAMES);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].tx_drop),
			 dropped(&r));
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[OTHER].tx_drop), 0);
	keep_paused(&r, BIT(PRIO), 5);
	assert_true(storms(&r, PRIO));
	assert_int_equal(storms_ever(&r, PRIO), 1);
	rig_pause(&r, 0, BIT(PRIO), 0);
	as_before(&r, PRIO);
	rig_fini(&r);
}

static void forwarded_until_xon(void **state)
{
	bool offload = *state;
	struct rig r;

	begin_storm(&r, offload, true);
	assert_int_equal(sent(&r, PRIO), FRAMES);
	fill(&r, PRIO, FRAMES, LEN);
	keep_paused(&r, BIT(PRIO), 5);
	assert_int_equal(sent(&r, PRIO), 2 * FRAMES);
	assert_int_equal(storms_ever(&r, PRIO), 1);
	assert_int_equal(dropped(&r), 0);
	rig_pause(&r, 0, BIT(PRIO), 0);
	as_before(&r, PRIO);
	rig_fini(&r);
}

/* Nobody renews the pause: it runs out. */
static void silence_ends_it(void **state)
{
	bool offload = *state;
	u64 end, before;
	struct rig r;

	begin_storm(&r, offload, false);
	end = r.port[0].cls[PRIO].pause_until;
	before = sent(&r, PRIO);
	rig_run(&r, end - rig_now(&r) - RIG_NS);
	assert_true(storms(&r, PRIO));
	rig_run(&r, RIG_NS);
	assert_false(storms(&r, PRIO));
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(PRIO) + PARQ_PFC_TIMER), 0);
	assert_int_equal(sent(&r, PRIO), before);
	as_before(&r, PRIO);
	rig_fini(&r);
}

/* One XON a moment before the bound, and it is another pause. */
static void bound_is_without_a_break(void **state)
{
	bool offload = *state;
	struct rig r;
	u32 i;

	begin(&r, offload, false);
	for (i = 0; i < 5; i++) {
		fill(&r, PRIO, 3, LEN);
		rig_pause(&r, 0, BIT(PRIO), 0xffff);
		spend(&r, LIMIT * RIG_MS - RIG_US);
		rig_pause(&r, 0, BIT(PRIO), 0);
	}
	rig_drain(&r);
	assert_int_equal(storms_ever(&r, PRIO), 0);
	assert_int_equal(dropped(&r), 0);
	rig_fini(&r);
}

static void all_at_once(void **state)
{
	bool offload = *state;
	struct rig r;
	u64 all = 0;
	u32 q;

	begin(&r, offload, false);
	for (q = 0; q < RIG_QUEUES; q++)
		fill(&r, q, FRAMES, LEN);
	spend(&r, 5 * RIG_US);
	keep_paused(&r, 0xff, 2 * LIMIT);
	for (q = 0; q < RIG_QUEUES; q++)
		fill(&r, q, FRAMES, LEN);
	rig_drain(&r);
	for (q = 0; q < PARQ_NUM_PRIO; q++) {
		assert_true(storms(&r, q));
		assert_int_equal(storms_ever(&r, q), 1);
		assert_int_equal(depth(&r, q), 0);
		all += sent(&r, q);
	}
	assert_int_equal(all + dropped(&r), 2 * RIG_QUEUES * FRAMES);
	rig_pause(&r, 0, 0xff, 0);
	for (q = 0; q < PARQ_NUM_PRIO; q++)
		as_before(&r, q);
	rig_fini(&r);
}

/* Each thing that ends a pause ends a storm. */
static void other_ends(void **state)
{
	bool offload = *state;
	struct rig r;
	u32 ctrl;

	begin_storm(&r, offload, false);
	rig_pfc(&r, 0, 0xff & ~BIT(PRIO), offload);
	assert_false(storms(&r, PRIO));
	rig_pfc(&r, 0, 0xff, offload);
	as_before(&r, PRIO);
	rig_fini(&r);

	begin_storm(&r, offload, false);
	ctrl = rig_read(&r, 0, PARQ_LINK_CTRL);
	rig_write(&r, 0, PARQ_LINK_CTRL, ctrl & ~PARQ_LINK_CTRL_EN);
	assert_false(storms(&r, PRIO));
	rig_write(&r, 0, PARQ_LINK_CTRL, ctrl);
	rig_pause(&r, 0, BIT(PRIO), 0);
	as_before(&r, PRIO);
	rig_fini(&r);

	begin_storm(&r, offload, false);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS) &
			 PARQ_LEVELS_STORM, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC_STORM), LIMIT);
	rig_port_up(&r, 0, offload);
	rig_pfc(&r, 0, 0xff, offload);
	as_before(&r, PRIO);
	rig_fini(&r);

	begin_storm(&r, offload, false);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS), 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC_STORM), 0);
	rig_fini(&r);
}

/* Bounds and action count for what runs. */
static void settings_change(void **state)
{
	bool offload = *state;
	u64 before, drops;
	struct rig r;

	begin_storm(&r, offload, false);
	before = sent(&r, PRIO);
	drops = dropped(&r);
	rig_storm(&r, 0, LIMIT, true);
	fill(&r, PRIO, 3, LEN);
	rig_drain(&r);
	assert_int_equal(sent(&r, PRIO), before + 3);
	rig_storm(&r, 0, LIMIT, false);
	fill(&r, PRIO, 3, LEN);
	rig_drain(&r);
	assert_int_equal(dropped(&r), drops + 3);
	/* A longer bound has not passed: the pause is obeyed again. */
	rig_storm(&r, 0, 2 * LIMIT, false);
	assert_false(storms(&r, PRIO));
	assert_true(rig_levels(&r, 0, PRIO) & PARQ_LEVELS_HOLD);
	fill(&r, PRIO, 3, LEN);
	keep_paused(&r, BIT(PRIO), LIMIT - 1);
	assert_int_equal(dropped(&r), drops + 3);
	assert_int_equal(sent(&r, PRIO), before + 3);
	/* None at all; and then a short one again. */
	rig_storm(&r, 0, 0, false);
	keep_paused(&r, BIT(PRIO), 10);
	assert_int_equal(dropped(&r), drops + 3);
	rig_storm(&r, 0, 1, false);
	assert_true(storms(&r, PRIO));
	rig_drain(&r);
	assert_int_equal(dropped(&r), drops + 6);
	assert_int_equal(storms_ever(&r, PRIO), 2);
	rig_pause(&r, 0, BIT(PRIO), 0);
	rig_storm(&r, 0, LIMIT, false);
	as_before(&r, PRIO);
	rig_fini(&r);
}

/* A bound that all priorities have passed. */
static void settings_of_each_priority(void **state)
{
	struct rig r;
	u32 prio;

	begin(&r, *state, false);
	keep_paused(&r, 0xff, LIMIT - 1);
	rig_storm(&r, 0, 1, false);
	for (prio = 0; prio < 8; prio++)
		assert_true(storms(&r, prio));
	rig_fini(&r);
}

/* Storms that a user ends: another bound, and if it is still paused another storm. */
static void obeyed_again(void **state)
{
	bool offload = *state;
	struct rig r;
	u64 drops;

	begin(&r, offload, false);
	keep_paused(&r, BIT(PRIO) | BIT(OTHER), LIMIT + 1);
	assert_true(storms(&r, PRIO) && storms(&r, OTHER));
	drops = dropped(&r);
	rig_obey(&r, 0, (u8)~BIT(OTHER));	/* others are not paused */
	assert_false(storms(&r, PRIO));
	assert_true(storms(&r, OTHER));
	assert_true(rig_levels(&r, 0, PRIO) & PARQ_LEVELS_PAUSE);
	assert_int_equal(rig_levels(&r, 0, 0) & 0x7f, 0);
	fill(&r, PRIO, FRAMES, LEN);
	keep_paused(&r, BIT(PRIO), LIMIT - 1);
	assert_int_equal(dropped(&r), drops);
	assert_int_equal(storms_ever(&r, PRIO), 1);
	keep_paused(&r, BIT(PRIO), 2);
	assert_int_equal(storms_ever(&r, PRIO), 2);
	assert_int_equal(dropped(&r), drops + FRAMES);
	rig_pause(&r, 0, 0xff, 0);
	as_before(&r, PRIO);
	as_before(&r, OTHER);
	rig_fini(&r);
}

/* Return: when the pause began. */
static u64 park_some(struct rig *r)
{
	u64 start;

	fill(r, PRIO, FRAMES, LEN);
	rig_run(r, 5 * RIG_US);
	start = rig_now(r);
	rig_pause(r, 0, BIT(PRIO), 0xffff);
	rig_run(r, 50 * RIG_US);
	return start;
}

/* What the host hears of it. */
static void says_so(void **state)
{
	const struct parq_event *e;
	u64 start, parked;
	struct rig r;

	(void)state;
	begin(&r, true, false);
	park_some(&r);
	rig_pause(&r, 0, BIT(PRIO), 0);
	rig_drain(&r);
	parqsim_write(r.sim, PARQ_EVENT_MASK, BIT(PARQ_EV_STORM));
	r.irqs[0] = 0;
	start = park_some(&r);
	parked = depth(&r, PRIO);
	assert_true(parked > 0);
	rig_run(&r, start + RIG_MS - rig_now(&r));
	keep_paused(&r, BIT(PRIO), LIMIT - 1);
	assert_int_equal(r.irqs[0], 1);
	e = rig_event(&r, 0);
	assert_int_equal(e->type, PARQ_EV_STORM);
	assert_int_equal(e->prio, PRIO);
	assert_int_equal(e->index, 0);
	assert_int_equal(le32_to_cpu(e->a), 1);
	assert_int_equal(le32_to_cpu(e->b), parked);
	assert_int_equal(le64_to_cpu(e->time), (start + LIMIT * RIG_MS) / RIG_NS);
	rig_pause(&r, 0, BIT(PRIO), 0);
	e = rig_event(&r, 1);
	assert_int_equal(e->type, PARQ_EV_STORM);
	assert_int_equal(le32_to_cpu(e->a), 0);
	assert_int_equal(le64_to_cpu(e->time), rig_now(&r) / RIG_NS);
	assert_int_equal(r.irqs[0], 2);
	rig_fini(&r);
}

/* A pause ends with the storm that follows from it, and only once. */
static void pause_events(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, true, false);
	parqsim_write(r.sim, PARQ_EVENT_MASK, BIT(PARQ_EV_PAUSE));
	keep_paused(&r, BIT(PRIO), LIMIT);
	rig_pause(&r, 0, BIT(PRIO), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(rig_event(&r, i)->type, PARQ_EV_PAUSE);
		assert_int_equal(le32_to_cpu(rig_event(&r, i)->a), !i);
	}
	assert_int_equal(le32_to_cpu(rig_event(&r, i)->gen), 0);
	rig_fini(&r);
}

/*
 * What is dropped does not complete in front of a frame of its queue that is still
 * on the wire: completion would go back.
 */
static void completes_in_order(void **state)
{
	const struct parq_txq_wb *wb;
	bool offload = *state;
	struct rig r;

	begin(&r, offload, true);
	wb = rig_ptr(&r, r.port[0].txq[PRIO].wb, sizeof(*wb));
	keep_paused(&r, BIT(PRIO), LIMIT + 1);
	fill(&r, PRIO, 1, LEN);
	rig_run(&r, 100 * RIG_NS);
	rig_storm(&r, 0, LIMIT, false);
	fill(&r, PRIO, FRAMES, LEN);
	rig_run(&r, 100 * RIG_NS);
	assert_int_equal(sent(&r, PRIO), 1);
	assert_true(r.port[0].wire_free > rig_now(&r));
	assert_int_equal(le32_to_cpu(wb->head), 0);
	rig_drain(&r);
	assert_int_equal(dropped(&r), FRAMES);
	rig_pause(&r, 0, BIT(PRIO), 0);
	as_before(&r, PRIO);
	rig_fini(&r);
}

/* ---- XON storms --------------------------------------------------------- */

#define ITR	(10 * RIG_US)	/* shortest time between two interrupts */
#define SLOT	(84 * 800ULL)	/* ps of the shortest frame at 10 Gb/s */
#define STORM	20000

static void begin_flood(struct rig *r, bool offload)
{
	begin(r, offload, false);
	parqsim_write(r->sim, PARQ_VEC_ITR(0), ITR / RIG_NS);
	parqsim_write(r->sim, PARQ_EVENT_MASK, BIT(PARQ_EV_STORM) |
		      BIT(PARQ_EV_LINK) | BIT(PARQ_EV_ERROR) |
		      BIT(PARQ_EV_QUEUE));
	rig_run(r, ITR);
	r->irqs[0] = 0;
}

/* XON frames at the full rate of the link: they are counted, and that is all. */
static void xon_flood(void **state)
{
	bool offload = *state;
	struct rig r;
	u32 i;

	begin_flood(&r, offload);
	fill(&r, PRIO, FRAMES, LEN);
	for (i = 0; i < STORM; i++) {
		rig_pause(&r, 0, 0xff, 0);
		rig_run(&r, SLOT);
	}
	assert_int_equal(r.irqs[0], 0);
	assert_int_equal(sent(&r, PRIO), FRAMES);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].rx_pause), STORM);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].rx_xoff), 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].rx_pause_transition),
			 0);
	rig_fini(&r);
}

/* XOFF and XON in turn: no more interrupts than their moderation lets through. */
static void flapping_flood(void **state)
{
	bool offload = *state;
	struct rig r;
	u32 i;

	begin_flood(&r, offload);
	for (i = 0; i < STORM; i++) {
		fill(&r, PRIO, 1, 100);
		rig_pause(&r, 0, 0xff, i & 1 ? 0 : 0xffff);
		rig_run(&r, SLOT);
	}
	if (offload)
		assert_int_equal(r.irqs[0], 0);
	else
		assert_in_range(r.irqs[0], 1, STORM * SLOT / ITR + 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].rx_pause_transition),
			 STORM);
	rig_pause(&r, 0, 0xff, 0);
	rig_drain(&r);
	assert_int_equal(dropped(&r), 0);
	rig_fini(&r);
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(dropped_until_xon, &offload),
		cmocka_unit_test(dropped_until_xon),
		cmocka_unit_test_prestate(forwarded_until_xon, &offload),
		cmocka_unit_test(forwarded_until_xon),
		cmocka_unit_test_prestate(silence_ends_it, &offload),
		cmocka_unit_test(silence_ends_it),
		cmocka_unit_test_prestate(bound_is_without_a_break, &offload),
		cmocka_unit_test(bound_is_without_a_break),
		cmocka_unit_test_prestate(all_at_once, &offload),
		cmocka_unit_test(all_at_once),
		cmocka_unit_test_prestate(other_ends, &offload),
		cmocka_unit_test(other_ends),
		cmocka_unit_test_prestate(settings_change, &offload),
		cmocka_unit_test(settings_change),
		cmocka_unit_test_prestate(settings_of_each_priority, &offload),
		cmocka_unit_test(settings_of_each_priority),
		cmocka_unit_test_prestate(obeyed_again, &offload),
		cmocka_unit_test(obeyed_again),
		cmocka_unit_test(says_so),
		cmocka_unit_test(pause_events),
		cmocka_unit_test_prestate(completes_in_order, &offload),
		cmocka_unit_test(completes_in_order),
		cmocka_unit_test_prestate(xon_flood, &offload),
		cmocka_unit_test(xon_flood),
		cmocka_unit_test_prestate(flapping_flood, &offload),
		cmocka_unit_test(flapping_flood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
