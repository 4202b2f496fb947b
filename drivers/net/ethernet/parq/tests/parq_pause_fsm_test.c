// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the pause FSM, against gate.c. The executor reads the levels late, seldom
 * and repeatedly, as with interrupts.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>

#include "../parq_pause_fsm.h"
#include "gate.h"

#define HOLD	PARQ_LEVELS_HOLD
#define HALT	PARQ_LEVELS_HALT
#define ACK	PARQ_LEVELS_HALT_ACK
#define PAUSE	PARQ_LEVELS_PAUSE
#define FLUSH	PARQ_LEVELS_FLUSHING
#define PARKED	PARQ_LEVELS_PARKED

#define FSM_ALL_FLAGS	GENMASK(6, 0)

/* ---- single steps ------------------------------------------------------- */

struct fsm_case {
	const char *name;
	enum parq_fsm_state state;
	u64 levels;
	enum parq_fsm_state next;
	enum parq_pfc_op op;
};

static const struct fsm_case fsm_cases[] = {
	{ "idle stays idle", PARQ_FSM_IDLE, 0, PARQ_FSM_IDLE, PARQ_PFC_NOP },
	{ "pause latched", PARQ_FSM_IDLE, PAUSE | HOLD,
	  PARQ_FSM_HALTING, PARQ_PFC_HALT },
	{ "pause over before anybody looked", PARQ_FSM_IDLE, HOLD,
	  PARQ_FSM_HALTING, PARQ_PFC_HALT },
	{ "pipe not clean", PARQ_FSM_HALTING, PAUSE | HOLD | HALT,
	  PARQ_FSM_HALTING, PARQ_PFC_NOP },
	{ "pipe clean", PARQ_FSM_HALTING, PAUSE | HOLD | HALT | ACK,
	  PARQ_FSM_PARKED, PARQ_PFC_NOP },
	{ "parked while paused", PARQ_FSM_PARKED,
	  PAUSE | HOLD | HALT | ACK | PARKED, PARQ_FSM_PARKED, PARQ_PFC_NOP },
	{ "pause over, FDs parked", PARQ_FSM_PARKED,
	  HOLD | HALT | ACK | PARKED, PARQ_FSM_FLUSHING, PARQ_PFC_FLUSH },
	{ "pause over, nothing parked", PARQ_FSM_PARKED, HOLD | HALT | ACK,
	  PARQ_FSM_RELEASING, PARQ_PFC_RELEASE },
	{ "pass runs", PARQ_FSM_FLUSHING, HOLD | HALT | ACK | FLUSH | PARKED,
	  PARQ_FSM_FLUSHING, PARQ_PFC_NOP },
	{ "pass runs and is turned back", PARQ_FSM_FLUSHING,
	  PAUSE | HOLD | HALT | ACK | FLUSH | PARQ_LEVELS_REPAUSED | PARKED,
	  PARQ_FSM_FLUSHING, PARQ_PFC_NOP },
	{ "pass over", PARQ_FSM_FLUSHING, HOLD | HALT | ACK,
	  PARQ_FSM_PARKED, PARQ_PFC_NOP },
	{ "released", PARQ_FSM_RELEASING, 0, PARQ_FSM_IDLE, PARQ_PFC_NOP },
	{ "released and held again", PARQ_FSM_RELEASING, PAUSE | HOLD,
	  PARQ_FSM_IDLE, PARQ_PFC_NOP },
	{ "release overtaken by a pause", PARQ_FSM_RELEASING,
	  PAUSE | HOLD | HALT | ACK, PARQ_FSM_PARKED, PARQ_PFC_NOP },
};

static void fsm_case_name(const struct fsm_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fsm, fsm_cases, fsm_case_name);

static void fsm_steps(struct kunit *test)
{
	const struct fsm_case *c = test->param_value;
	struct parq_fsm_next next = parq_fsm_step(c->state, c->levels, false);

	KUNIT_EXPECT_EQ(test, (int)next.state, (int)c->next);
	KUNIT_EXPECT_EQ(test, (int)next.op, (int)c->op);
}

/* No decision is made while a pending command may change the levels. */
static void fsm_waits_for_ack(struct kunit *test)
{
	enum parq_fsm_state state;
	u64 levels;

	for (state = 0; state < PARQ_FSM_NUM_STATES; state++) {
		for (levels = 0; levels <= FSM_ALL_FLAGS; levels++) {
			struct parq_fsm_next next;

			next = parq_fsm_step(state, levels, true);
			KUNIT_EXPECT_EQ(test, (int)next.state, (int)state);
			KUNIT_EXPECT_EQ(test, (int)next.op, PARQ_PFC_NOP);
		}
	}
}

/* If the port is stopped under the executor, every state returns to idle. */
static void fsm_survives_stop(struct kunit *test)
{
	enum parq_fsm_state state;
	u64 levels;

	for (state = 0; state < PARQ_FSM_NUM_STATES; state++) {
		for (levels = 0; levels <= FSM_ALL_FLAGS; levels++) {
			struct parq_fsm_next next;

			if (state == PARQ_FSM_IDLE || (levels & HALT))
				continue;
			next = parq_fsm_step(state, levels, false);
			KUNIT_EXPECT_EQ(test, (int)next.state, PARQ_FSM_IDLE);
			KUNIT_EXPECT_EQ(test, (int)next.op, PARQ_PFC_NOP);
		}
	}
}

static void fsm_names(struct kunit *test)
{
	enum parq_fsm_state a, b;

	for (a = 0; a < PARQ_FSM_NUM_STATES; a++)
		for (b = 0; b < a; b++)
			KUNIT_EXPECT_STRNEQ(test, parq_fsm_name(a),
					    parq_fsm_name(b));
	KUNIT_EXPECT_STREQ(test, parq_fsm_name(PARQ_FSM_NUM_STATES), "?");
	KUNIT_EXPECT_STREQ(test, parq_fsm_name(-1), "?");
}

/* ---- against a gate ----------------------------------------------------- */

/* As in the driver: until nothing changes, in a bounded number of steps. */
static void gate_execute(struct gate *g, enum parq_fsm_state *state)
{
	struct parq_fsm_next next;
	unsigned int i;

	for (i = 0; i < PARQ_FSM_NUM_STATES; i++) {
		next = parq_fsm_step(*state, g->levels,
				     g->open != PARQ_PFC_NOP);
		if (next.op != PARQ_PFC_NOP)
			g->open = next.op;
		if (next.state == *state && next.op == PARQ_PFC_NOP)
			return;
		*state = next.state;
	}
}

/* After the last pause the class must be free again in a bounded time. */
static void gate_settle(struct kunit *test, struct gate *g,
			enum parq_fsm_state *state)
{
	unsigned int i;

	gate_pause(g, false);
	for (i = 0; i < 100; i++) {
		gate_execute(g, state);
		if (!gate_advance(g) && *state == PARQ_FSM_IDLE)
			break;
	}
	KUNIT_EXPECT_EQ(test, (int)*state, PARQ_FSM_IDLE);
	KUNIT_EXPECT_EQ(test, g->levels, 0ULL);
	KUNIT_EXPECT_EQ(test, g->parked, 0U);
}

/* One schedule of 60 events; @swap: the executors take turns. */
static void gate_schedule(struct kunit *test, u32 seed, bool swap)
{
	enum parq_fsm_state state = PARQ_FSM_IDLE;
	struct gate g = { .pipe = GATE_PIPE };
	unsigned int i;

	for (i = 0; i < 60; i++) {
		switch (gate_random(&seed) % 4) {
		case 0:
			gate_pause(&g, gate_random(&seed) & 1);
			break;
		case 1:
			gate_execute(&g, &state);
			break;
		default:
			gate_advance(&g);
			break;
		}
		if (swap && g.open == PARQ_PFC_NOP && gate_random(&seed) & 1)
			state = parq_fsm_resume(g.levels);
	}
	gate_settle(test, &g, &state);
}

static void fsm_schedules(struct kunit *test)
{
	u32 seed;

	for (seed = 0; seed < 5000; seed++)
		gate_schedule(test, seed, false);
}

static void fsm_schedules_swapped(struct kunit *test)
{
	u32 seed;

	for (seed = 0; seed < 5000; seed++)
		gate_schedule(test, seed, true);
}

/*
 * When one executor has come to rest, the other one resumes in the same state, and comes to
 * rest, too.
 */
static void fsm_resume_agrees(struct kunit *test)
{
	enum parq_fsm_state state = PARQ_FSM_IDLE;
	struct gate g = { .pipe = GATE_PIPE };
	u32 seed = 1;
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		if (gate_random(&seed) % 8 == 0)
			gate_pause(&g, gate_random(&seed) & 1);
		gate_advance(&g);
		gate_execute(&g, &state);
		if (g.open == PARQ_PFC_NOP)
			KUNIT_EXPECT_EQ(test, (int)parq_fsm_resume(g.levels),
					(int)state);
	}
}

/*
 * The only command that a device ever refuses is a release overtaken by a pause; and that
 * does happen.
 */
static void fsm_refusals(struct kunit *test)
{
	enum parq_fsm_state state = PARQ_FSM_PARKED;
	struct gate g = { .levels = HOLD | HALT | ACK };

	gate_execute(&g, &state);
	KUNIT_ASSERT_EQ(test, (int)g.open, PARQ_PFC_RELEASE);
	gate_pause(&g, true);
	gate_advance(&g);
	KUNIT_EXPECT_EQ(test, g.refused, 1U);
	KUNIT_EXPECT_EQ(test, g.levels, PAUSE | HOLD | HALT | ACK);
	gate_execute(&g, &state);
	KUNIT_EXPECT_EQ(test, (int)state, PARQ_FSM_PARKED);
	KUNIT_EXPECT_EQ(test, (int)g.open, PARQ_PFC_NOP);
	gate_settle(test, &g, &state);
	KUNIT_EXPECT_EQ(test, g.refused, 1U);
}

static struct kunit_case parq_fsm_tests[] = {
	KUNIT_CASE_PARAM(fsm_steps, fsm_gen_params),
	KUNIT_CASE(fsm_waits_for_ack),
	KUNIT_CASE(fsm_survives_stop),
	KUNIT_CASE(fsm_names),
	KUNIT_CASE(fsm_schedules),
	KUNIT_CASE(fsm_schedules_swapped),
	KUNIT_CASE(fsm_resume_agrees),
	KUNIT_CASE(fsm_refusals),
	{}
};

static struct kunit_suite parq_fsm_suite = {
	.name = "parq_pause_fsm",
	.test_cases = parq_fsm_tests,
};

kunit_test_suite(parq_fsm_suite);

MODULE_DESCRIPTION("KUnit suites of pauses");
MODULE_LICENSE("GPL");
