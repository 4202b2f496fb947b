// SPDX-License-Identifier: GPL-2.0
/*
 * The pause protocol: the rig's oracle checks each frame on the wire (order,
 * loss, duplicates, leaks); the tests here make the schedules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>

#include "rig.h"
#include "rnd.h"

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
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

/* A class is paused while its frames are under way: they are parked, nobody
 * else waits, and after the pause they leave before what came later.
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

/* A new pause inside a flush pass turns the rest of the pass back, and a fall
 * of the pause before the pass has ended does not let later FDs overtake.
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

/* A stopped port drops what it has, at once, and starts afresh. */
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
	assert_int_equal(le64_to_cpu(s->tx.frames), sent);
	assert_true(le64_to_cpu(s->tx_drop_purge) > 0);
	rig_port_up(&r, 0, offload);
	rig_pfc(&r, 0, 0xff, offload);
	for (q = 0; q < 8; q++)
		fill(&r, 0, q, 30, 500);
	rig_drain(&r);
	rig_fini(&r);
}

/* ---- random schedules --------------------------------------------------- */

static void random_pfc_frame(struct rig *r, u32 port, u32 *seed)
{
	u16 t[8];
	u32 i;

	for (i = 0; i < 8; i++)
		t[i] = rnd(seed, 3) ? rnd(seed, 400) : 0;
	rig_pfc_frame(r, port, rnd(seed, 256), t);
}

static void random_step(struct rig *r, u32 *seed)
{
	u32 port = rnd(seed, r->cfg.ports), q = rnd(seed, RIG_QUEUES), n;
	struct rig_port *p = &r->port[port];

	switch (rnd(seed, 40)) {
	case 0 ... 13:
		for (n = rnd(seed, 20); n && rig_room(r, port, q) >= 2; n--)
			rig_post(r, port, q, 60 + rnd(seed, 1400));
		break;
	case 14 ... 17:
		if (rig_room(r, port, q) >= 3)
			rig_post_tso(r, port, q, 100 + rnd(seed, 1800),
				     20 + rnd(seed, 300));
		break;
	case 18 ... 27:
		random_pfc_frame(r, port, seed);
		break;
	case 28:
		rig_pfc(r, port, rnd(seed, 256), p->offload);
		break;
	case 29:
		rig_pfc(r, port, 0xff, p->offload);
		break;
	case 30:
		rig_pfc(r, port, p->pfc_en, !p->offload);
		break;
	case 31:
		rig_ets(r, port, rnd(seed, 0x1000000) * 0x11 & 0x77777777,
			rnd(seed, 2) ? 0 : 0x22222222, 0x0a0a0a0a14141e1e);
		break;
	case 32:
		if (r->used < RIG_MEM / 2)
			rig_replace_ring(r, port, q, 6 + rnd(seed, 2));
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 8000)) * RIG_NS);
		break;
	}
}

static void run_schedule(u32 seed, u32 steps)
{
	static const int speeds[] = { PARQ_SPEED_100M, PARQ_SPEED_1G,
				      PARQ_SPEED_10G, PARQ_SPEED_100G };
	struct parqsim_config cfg = config;
	struct rig r;
	u32 port, i;

	cfg.ports = 1 + rnd(&seed, 4);
	cfg.depth = 4 + rnd(&seed, 60);
	rig_init(&r, &cfg, speeds[rnd(&seed, 4)], rnd(&seed, 2));
	r.trace = getenv("RIG_TRACE");
	for (port = 0; port < cfg.ports; port++)
		rig_pfc(&r, port, 0xff, r.port[port].offload);
	for (i = 0; i < steps; i++)
		random_step(&r, &seed);
	for (port = 0; port < cfg.ports; port++)
		rig_pause(&r, port, 0xff, 0);
	rig_drain(&r);
	for (port = 0; port < cfg.ports; port++) {
		const struct parq_stats *s = rig_stats(&r, port);

		for (i = 0; i < 8; i++)
			assert_int_equal(le64_to_cpu(s->prio[i].tx_drop), 0);
	}
	rig_fini(&r);
}

static u32 seed_running;

/* RIG_SEED=n runs the one schedule that a failure has named. */
static void random_schedules(void **state)
{
	const char *one = getenv("RIG_SEED"), *n = getenv("RIG_RUNS");
	u32 i, runs = n ? strtoul(n, NULL, 0) : 300;

	(void)state;
	if (one) {
		run_schedule(strtoul(one, NULL, 0), 400);
		return;
	}
	for (i = 1; i <= runs; i++) {
		seed_running = i * 2654435761u;
		run_schedule(seed_running, 400);
	}
	seed_running = 0;
}

static int name_seed(void **state)
{
	(void)state;
	if (seed_running)
		print_error("to repeat it: RIG_SEED=%u\n", seed_running);
	return 0;
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
		cmocka_unit_test_teardown(random_schedules, name_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
