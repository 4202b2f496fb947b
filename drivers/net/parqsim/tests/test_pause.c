// SPDX-License-Identifier: GPL-2.0
/*
 * What the pause protocol does for traffic: the rig's oracle checks each frame on
 * the wire (order, loss, duplicates, leaks); the tests here make the schedules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static void fill(struct rig *r, u32 port, u32 queue, u32 frames, u32 len)
{
	while (frames-- && rig_room(r, port, queue) >= 2)
		rig_post(r, port, queue, len);
}

/* Time for a managed executor to look several times. */
static void spend(struct rig *r, u64 ps)
{
	u32 i;

	for (i = 0; i < 16; i++)
		rig_run(r, ps / 16);
}

/* The status page has the counters of the statistics, and the registers' positions. */
static void expect_page(struct rig *r, u32 prio)
{
	const struct parq_prio_stats *s = &rig_stats(r, 0)->prio[prio];
	const struct parq_status *page = rig_ptr(r, r->port[0].status, sizeof(*page));
	const struct parq_pfc_status *p = &page->pfc[prio];

	assert_int_equal(p->parked, s->parked);
	assert_int_equal(p->reinjected, s->reinjected);
	assert_int_equal(p->passes, s->passes);
	assert_int_equal(p->repauses, s->repauses);
	assert_int_equal(p->pause_ns, s->rx_pause_ns);
	assert_int_equal(le32_to_cpu(p->park_head),
			 rig_read(r, 0, PARQ_PFC(prio) + PARQ_PARK_HEAD));
	assert_int_equal(le32_to_cpu(p->park_tail),
			 rig_read(r, 0, PARQ_PFC(prio) + PARQ_PARK_TAIL));
}

/*
 * A class is paused while its frames are under way: they are parked, no other class waits,
 * and after the pause they leave before later ones.
 */
static void parks_and_reinjects(void **state)
{
	bool offload = *state;
	struct parq_stats *s;
	u64 before;
	struct rig r;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	fill(&r, 0, 3, 40, 1000);
	fill(&r, 0, 4, 40, 1000);
	spend(&r, 5 * RIG_US);
	rig_pause(&r, 0, BIT(3), 0xffff);
	before = r.port[0].cls[3].sent;
	spend(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[3].sent, before);
	assert_int_equal(r.port[0].cls[4].sent, 40);
	s = rig_stats(&r, 0);
	assert_true(le64_to_cpu(s->prio[3].park_depth) > 0);
	assert_int_equal(s->prio[3].park_depth, s->prio[3].parked);
	assert_int_equal(le64_to_cpu(s->prio[4].parked), 0);
	fill(&r, 0, 3, 20, 500);
	rig_pause(&r, 0, BIT(3), 0);
	rig_drain(&r);
	s = rig_stats(&r, 0);
	assert_int_equal(le64_to_cpu(s->prio[3].park_depth), 0);
	assert_int_equal(s->prio[3].reinjected, s->prio[3].parked);
	assert_int_equal(le64_to_cpu(s->prio[3].tx_drop), 0);
	rig_fini(&r);
}

/* The pause timer, not an XON, ends the pause; to the picosecond. */
static void timer_ends_pause(void **state)
{
	bool offload = *state;
	u64 end;
	struct rig r;

	rig_init(&r, &config, PARQ_SPEED_1G, offload);
	rig_pfc(&r, 0, BIT(5), offload);
	spend(&r, RIG_US);
	rig_pause(&r, 0, BIT(5), 100);
	end = rig_now(&r) + 100ULL * 512 * 1000;
	fill(&r, 0, 5, 3, 100);
	spend(&r, 40 * RIG_US);
	assert_int_equal(r.port[0].cls[5].sent, 0);
	rig_drain(&r);
	assert_true(r.port[0].cls[5].last_sent >= end);
	rig_fini(&r);
}

/*
 * A new pause inside a flush pass turns the rest of the pass back. If the pause falls before
 * the pass has ended, later FDs still do not overtake.
 */
static void repause_in_pass(void **state)
{
	bool offload = *state;
	struct parq_stats *s;
	struct rig r;
	u32 i;

	rig_init(&r, &config, PARQ_SPEED_1G, offload);
	rig_pfc(&r, 0, BIT(2), offload);
	fill(&r, 0, 2, 60, 300);
	fill(&r, 0, 10, 60, 300);
	spend(&r, 5 * RIG_US);
	for (i = 0; i < 20; i++) {
		rig_pause(&r, 0, BIT(2), 0xffff);
		spend(&r, 3 * RIG_US);
		rig_pause(&r, 0, BIT(2), 0);
		spend(&r, 4 * RIG_US);
		rig_pause(&r, 0, BIT(2), 0xffff);
		spend(&r, 500 * RIG_NS);
		rig_pause(&r, 0, BIT(2), 0);
		spend(&r, 500 * RIG_NS);
	}
	rig_drain(&r);
	s = rig_stats(&r, 0);
	assert_true(le64_to_cpu(s->prio[2].repauses) > 0);
	expect_page(&r, 2);
	rig_fini(&r);
}

/* PFC turned off for a paused class releases it, in order. */
static void pfc_off_releases(void **state)
{
	bool offload = *state;
	struct rig r;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	fill(&r, 0, 1, 50, 200);
	spend(&r, RIG_US);
	rig_pause(&r, 0, BIT(1), 0xffff);
	spend(&r, 10 * RIG_US);
	rig_pfc(&r, 0, 0xff & ~BIT(1), offload);
	rig_drain(&r);
	rig_pause(&r, 0, BIT(1), 0xffff);
	fill(&r, 0, 1, 50, 200);
	spend(&r, RIG_US);
	assert_true(r.port[0].cls[1].sent > 50);
	rig_drain(&r);
	rig_fini(&r);
}

/* A stopped port drops all its frames at once, and starts from scratch. */
static void port_stop_while_parked(void **state)
{
	bool offload = *state;
	struct parq_stats *s;
	struct rig r;
	u64 sent;
	u32 q;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	for (q = 0; q < 8; q++)
		fill(&r, 0, q, 30, 500);
	spend(&r, RIG_US);
	rig_pause(&r, 0, 0xff, 0xffff);
	spend(&r, 20 * RIG_US);
	s = rig_stats(&r, 0);
	sent = le64_to_cpu(s->tx.frames);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(3) + PARQ_PFC_LEVELS) & 0x7f, 0);
	spend(&r, 100 * RIG_US);
	s = rig_stats(&r, 0);
	for (q = 0; q < 8; q++)
		assert_int_equal(s->prio[q].park_depth, 0);
	assert_int_equal(le64_to_cpu(s->tx.frames), sent);
	assert_true(le64_to_cpu(s->tx_drop_purge) > 0);
	rig_port_up(&r, 0, offload);
	rig_pfc(&r, 0, 0xff, offload);
	for (q = 0; q < 8; q++)
		fill(&r, 0, q, 30, 500);
	rig_drain(&r);
	rig_fini(&r);
}

/* The other executor goes on where the one before it stopped, without another event. */
static void executor_takes_over(void **state)
{
	bool offload = *state;
	struct rig r;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, BIT(3), offload);
	fill(&r, 0, 3, 30, 500);
	spend(&r, RIG_US);
	rig_pause(&r, 0, BIT(3), 0xffff);
	spend(&r, 20 * RIG_US);
	assert_true(rig_levels(&r, 0, 3) & PARQ_LEVELS_HALT_ACK);
	/* The host does not look before it hands over. */
	rig_pause(&r, 0, BIT(3), 0);
	rig_pfc(&r, 0, BIT(3), !offload);
	assert_int_equal(FIELD_GET(PARQ_LEVELS_STATE, rig_levels(&r, 0, 3)),
			 offload ? PARQ_FSM_IDLE : PARQ_FSM_FLUSHING);
	rig_drain(&r);
	rig_fini(&r);
}

/* Another write of the same value is no change. */
static void executor_stays(void **state)
{
	bool offload = *state;
	struct rig r;
	u64 levels;
	u32 irqs;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, BIT(3), offload);
	fill(&r, 0, 3, 30, 500);
	spend(&r, RIG_US);
	rig_pause(&r, 0, BIT(3), 0xffff);
	spend(&r, 20 * RIG_US);
	levels = rig_levels(&r, 0, 3);
	irqs = r.irqs[0];
	rig_write(&r, 0, PARQ_PFC_CTRL, rig_read(&r, 0, PARQ_PFC_CTRL));
	assert_true(rig_levels(&r, 0, 3) == levels);
	assert_int_equal(r.irqs[0], irqs);
	rig_pause(&r, 0, BIT(3), 0);
	rig_drain(&r);
	rig_fini(&r);
}

#define MOMENTS		100

/* Clock by clock, how priority 3 is paused, and how the pause ends. */
static void begin_moment(struct rig *r, bool offload, u32 at)
{
	rig_init(r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(r, 0, BIT(3), offload);
	fill(r, 0, 3, 40, 100);
	rig_run(r, RIG_US);
	rig_pause(r, 0, BIT(3), 0xffff);
	rig_run(r, RIG_NS);
	rig_run(r, at % 50 * RIG_NS);
	if (at < 50)
		return;
	rig_run(r, RIG_US);
	rig_pause(r, 0, BIT(3), 0);
	rig_run(r, RIG_NS);
	rig_run(r, at % 50 * RIG_NS);
}

/* Nothing is left to do, not even after a change. */
static void expect_rest(struct rig *r)
{
	rig_run(r, RIG_US);
	rig_write(r, 0, PARQ_ETS_APPLY, 1);
	assert_true(parqsim_next(r->sim) == PARQSIM_NEVER);
	rig_fini(r);
}

/* A port that stops at any moment of a pause counts its frames, and not the NIC's own markers. */
static void port_stop_at_each_moment(void **state)
{
	const struct parq_prio_stats *s;
	bool offload = *state;
	struct rig r;
	u32 at;

	for (at = 0; at < MOMENTS; at++) {
		begin_moment(&r, offload, at);
		rig_write(&r, 0, PARQ_PORT_CTRL, 0);
		s = &rig_stats(&r, 0)->prio[3];
		assert_int_equal(le64_to_cpu(s->tx_frames) + le64_to_cpu(s->tx_drop),
				 rig_read(&r, 0, PARQ_TXQ(3) + PARQ_TXQ_FETCH));
		expect_rest(&r);
	}
}

static void reset_at_each_moment(void **state)
{
	bool offload = *state;
	struct rig r;
	u32 at;

	for (at = 0; at < MOMENTS; at++) {
		begin_moment(&r, offload, at);
		parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
		r.port[0].status = 0;
		r.port[1].status = 0;
		expect_rest(&r);
	}
}

/* After a reset no class is halted, limited or behind. The reset itself writes nothing. */
static void reset_while_parked(void **state)
{
	bool offload = *state;
	struct rig r;
	u64 used;
	u32 q;

	rig_init(&r, &config, PARQ_SPEED_10G, offload);
	rig_pfc(&r, 0, 0xff, offload);
	for (q = 0; q < 8; q++)
		fill(&r, 0, q, 30, 500);
	spend(&r, RIG_US);
	rig_pause(&r, 0, 0xff, 0xffff);
	spend(&r, 20 * RIG_US);
	for (q = 0; q < 8; q++)
		assert_true(le64_to_cpu(rig_stats(&r, 0)->prio[q].park_depth) > 0);
	used = r.used;
	r.used = 0;
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	r.used = used;
	/* The host is the executor, and may give commands. */
	rig_write(&r, 0, PARQ_PFC(3) + PARQ_PFC_CMD, FIELD_PREP(PARQ_PFC_CMD_OP, PARQ_PFC_NOP));
	rig_assert_no_error(&r);
	rig_start(&r, PARQ_SPEED_10G, offload);
	for (q = 0; q < 8; q++) {
		assert_int_equal(rig_read(&r, 0, PARQ_PFC(q) + PARQ_PFC_LEVELS), 0);
		assert_int_equal(rig_stats(&r, 0)->prio[q].park_depth, 0);
		fill(&r, 0, q, 60, 500);
	}
	rig_drain(&r);
	rig_fini(&r);
}

static void expect_time(struct rig *r, u32 prio, u64 ps, u32 transitions)
{
	const struct parq_prio_stats *s = &rig_stats(r, 0)->prio[prio];

	assert_int_equal(le64_to_cpu(s->rx_pause_ns), ps / RIG_NS);
	assert_int_equal(le64_to_cpu(s->rx_pause_transition), transitions);
}

/* The time of a pause counts while it is running; another XOFF does not begin it again. */
static void time_is_counted(void **state)
{
	u64 quantum = 51200;
	struct rig r;

	rig_init(&r, &config, PARQ_SPEED_10G, *state);
	rig_pfc(&r, 0, 0xff, *state);
	rig_pause(&r, 0, BIT(0) | BIT(3), 100);
	rig_run(&r, 50 * quantum);
	expect_time(&r, 0, 50 * quantum, 1);
	rig_pause(&r, 0, BIT(3), 100);
	rig_run(&r, 51 * quantum);
	expect_time(&r, 0, 100 * quantum, 2);
	expect_time(&r, 3, 101 * quantum, 1);
	rig_run(&r, 51 * quantum);
	expect_time(&r, 1, 0, 0);
	expect_time(&r, 3, 150 * quantum, 2);
	expect_page(&r, 0);
	expect_page(&r, 3);
	rig_fini(&r);
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(parks_and_reinjects, &offload),
		cmocka_unit_test(parks_and_reinjects),
		cmocka_unit_test_prestate(timer_ends_pause, &offload),
		cmocka_unit_test(timer_ends_pause),
		cmocka_unit_test_prestate(repause_in_pass, &offload),
		cmocka_unit_test(repause_in_pass),
		cmocka_unit_test_prestate(pfc_off_releases, &offload),
		cmocka_unit_test(pfc_off_releases),
		cmocka_unit_test_prestate(port_stop_while_parked, &offload),
		cmocka_unit_test(port_stop_while_parked),
		cmocka_unit_test_prestate(reset_while_parked, &offload),
		cmocka_unit_test(reset_while_parked),
		cmocka_unit_test_prestate(time_is_counted, &offload),
		cmocka_unit_test(time_is_counted),
		cmocka_unit_test_prestate(executor_takes_over, &offload),
		cmocka_unit_test(executor_takes_over),
		cmocka_unit_test_prestate(executor_stays, &offload),
		cmocka_unit_test(executor_stays),
		cmocka_unit_test_prestate(port_stop_at_each_moment, &offload),
		cmocka_unit_test(port_stop_at_each_moment),
		cmocka_unit_test_prestate(reset_at_each_moment, &offload),
		cmocka_unit_test(reset_at_each_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
