// SPDX-License-Identifier: GPL-2.0
/*
 * Why the pause protocol has each of its rules: for every one the schedule that
 * breaks when the rule is missing, as the model checker found it (tools/verify/run
 * -v prints them). Each is played at all its relations of speeds, clock by clock;
 * the rig's oracle sees what leaves in a wrong order, twice, or while it is paused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

#define PRIO	3
#define LEN	60
#define DEPTH	6
/* Clocks in which all that moves has come to rest. */
#define REST	(8 * DEPTH)
/* Of the levels word. */
#define FLAGS	(PARQ_LEVELS_PAUSE | PARQ_LEVELS_HOLD | PARQ_LEVELS_REPAUSED | \
		 PARQ_LEVELS_HALT | PARQ_LEVELS_HALT_ACK | PARQ_LEVELS_FLUSHING | \
		 PARQ_LEVELS_PARKED)

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = DEPTH, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static void begin(struct rig *r, bool offload)
{
	rig_init(r, &config, PARQ_SPEED_100G, offload);
	rig_pfc(r, 0, BIT(PRIO), offload);
	rig_run(r, REST * RIG_NS);
}

static void post(struct rig *r, u32 frames)
{
	while (frames--)
		rig_post(r, 0, PRIO, LEN);
}

/* A managed executor looks at the end only. */
static void clocks(struct rig *r, u32 n)
{
	rig_run(r, n * RIG_NS);
}

/* It looks after each clock, and finds in the status page what the register says. */
static void clocks_watched(struct rig *r, u32 n)
{
	while (n--) {
		rig_run(r, RIG_NS);
		assert_int_equal((rig_levels(r, 0, PRIO) ^
				  rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS)) & FLAGS, 0);
	}
}

static void pause(struct rig *r)
{
	rig_pause(r, 0, BIT(PRIO), 0xffff);
}

static void resume(struct rig *r)
{
	rig_pause(r, 0, BIT(PRIO), 0);
}

static u64 levels(struct rig *r)
{
	return rig_levels(r, 0, PRIO);
}

static u64 depth(struct rig *r)
{
	return le64_to_cpu(rig_stats(r, 0)->prio[PRIO].park_depth);
}

/* As the executor's last one, so that it notices nothing. */
static void command(struct rig *r, enum parq_pfc_op op)
{
	u32 ack = FIELD_GET(PARQ_LEVELS_ACK, levels(r));

	rig_write(r, 0, PARQ_PFC(PRIO) + PARQ_PFC_CMD,
		  FIELD_PREP(PARQ_PFC_CMD_OP, op) |
		  FIELD_PREP(PARQ_PFC_CMD_SEQ, ack));
}

/* All that was posted is out. Returns what the schedule made the class do. */
static struct parq_prio_stats end(struct rig *r)
{
	struct parq_prio_stats s;

	rig_drain(r);
	s = rig_stats(r, 0)->prio[PRIO];
	assert_int_equal(s.park_depth, 0);
	rig_fini(r);
	return s;
}

/*
 * Paused, with frames parked and none under way: those that the pipeline held, or,
 * because a managed executor stops the QMAN late, all of them.
 */
static void begin_parked(struct rig *r, bool offload, u32 frames)
{
	begin(r, offload);
	post(r, frames);
	clocks(r, DEPTH - 1);
	pause(r);
	clocks(r, REST);
	clocks_watched(r, REST);
	assert_true(levels(r) & PARQ_LEVELS_HALT_ACK);
	assert_in_range(depth(r), offload ? DEPTH - 1 : frames, frames);
}

/*
 * A pause begins while frames are in the pipeline and ends before the last of them
 * came to the gate: those in front were turned back and must not be overtaken.
 */
static void hold_is_a_latch(void **state)
{
	bool offload = *state;
	u32 before, paused, turned = 0;
	struct rig r;

	for (before = 1; before < 2 * DEPTH; before++)
		for (paused = 1; paused < 2 * DEPTH; paused++) {
			begin(&r, offload);
			post(&r, DEPTH);
			clocks(&r, before);
			pause(&r);
			clocks(&r, paused);
			resume(&r);
			turned += le64_to_cpu(end(&r).parked) > 0;
		}
	assert_true(turned > 0);
}

/*
 * The QMAN has stopped and the pause is over, but frames of the class are still
 * between QMAN and gate. A pass that began now would have its frames behind them;
 * one more pause turns all back, and the first are the last.
 */
static void halt_ack_is_behind_the_last(void **state)
{
	bool offload = *state;
	u32 before, paused, open, turned = 0;
	struct rig r;

	for (before = DEPTH - 2; before < DEPTH + 2; before++)
		for (paused = 1; paused < 2 * DEPTH; paused++)
			for (open = 1; open < 2 * DEPTH; open++) {
				begin(&r, offload);
				post(&r, DEPTH);
				clocks(&r, before);
				pause(&r);
				clocks_watched(&r, paused);
				resume(&r);
				clocks_watched(&r, open);
				pause(&r);
				clocks_watched(&r, REST);
				resume(&r);
				turned += le64_to_cpu(end(&r).parked) > 0;
			}
	assert_true(turned > 0);
}

/*
 * A pass of more frames than the pipeline holds meets a pause before it has read
 * the last of them: that one, too, goes to the tail, or the queue is not in its
 * old order.
 */
static void pass_goes_to_its_end(void **state)
{
	u32 open, paused, turned = 0;
	struct rig r;

	(void)state;
	for (open = 1; open < 3 * DEPTH; open++)
		for (paused = 1; paused < 4 * DEPTH; paused += 3) {
			begin_parked(&r, false, 3 * DEPTH);
			resume(&r);
			clocks_watched(&r, open);
			pause(&r);
			clocks_watched(&r, paused);
			resume(&r);
			clocks_watched(&r, REST);
			turned += le64_to_cpu(end(&r).repauses) > 0;
		}
	assert_true(turned > 0);
}

/*
 * A pause inside a pass ends before the pass does: its first frames were turned
 * back, so the last ones must be as well.
 */
static void turning_back_is_sticky(void **state)
{
	bool offload = *state;
	u32 open, paused, turned = 0;
	struct rig r;

	for (open = 1; open < 3 * DEPTH; open++)
		for (paused = 1; paused < DEPTH; paused++) {
			begin_parked(&r, offload, DEPTH);
			resume(&r);
			clocks_watched(&r, open);
			pause(&r);
			clocks(&r, paused);
			resume(&r);
			clocks_watched(&r, REST);
			turned += le64_to_cpu(end(&r).repauses) > 0;
		}
	assert_true(turned > 0);
}

/*
 * The executor has decided to release, and before its command arrives a pause
 * begins: the class stays held. If the device were the executor there would be
 * no time between the two.
 */
static void release_looks_at_pause(void **state)
{
	u32 looks, late, refused = 0;
	struct rig r;

	(void)state;
	for (looks = 1; looks < 6; looks++)
		for (late = 1; late < 2 * DEPTH; late++) {
			begin(&r, false);
			pause(&r);
			clocks_watched(&r, REST);
			resume(&r);
			clocks_watched(&r, looks);
			refused += r.port[0].cls[PRIO].decided == PARQ_PFC_RELEASE;
			pause(&r);
			clocks(&r, late);
			post(&r, DEPTH);
			clocks_watched(&r, REST);
			resume(&r);
			end(&r);
		}
	assert_true(refused > 0);
}

/*
 * A release comes while a pass has frames under way and none is left in the park
 * queue: it would let new frames overtake those that a pause then turns back. The
 * executor never asks for it; the device does not rely on that.
 */
static void release_waits_for_the_pass(void **state)
{
	u32 open, paused, early = 0;
	struct rig r;

	(void)state;
	for (open = 1; open < 3 * DEPTH; open++)
		for (paused = 1; paused < 2 * DEPTH; paused++) {
			begin_parked(&r, false, DEPTH);
			post(&r, DEPTH);
			resume(&r);
			clocks_watched(&r, open);
			pause(&r);
			clocks_watched(&r, paused);
			resume(&r);
			early += (levels(&r) & PARQ_LEVELS_FLUSHING) &&
				 !(levels(&r) & PARQ_LEVELS_PARKED);
			command(&r, PARQ_PFC_RELEASE);
			clocks_watched(&r, REST);
			end(&r);
		}
	assert_true(early > 0);
}

/*
 * The executor sleeps during a long pause of a class: the QMAN fetches no more
 * than the park queue can take.
 */
static void admission_is_bounded(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, false);
	pause(&r);
	post(&r, BIT(RIG_LOG2));
	clocks(&r, 4 * BIT(RIG_LOG2));
	assert_int_equal(depth(&r), BIT(RIG_PARK_LOG2));
	resume(&r);
	end(&r);
}

/* A command that does not fit the state of its class changes no level. */
static void commands_out_of_place(void **state)
{
	const u64 halted = PARQ_LEVELS_HOLD | PARQ_LEVELS_HALT | PARQ_LEVELS_HALT_ACK;
	enum parq_pfc_op op;
	struct rig r;
	u64 before;

	(void)state;
	begin(&r, false);
	for (op = PARQ_PFC_HALT; op <= PARQ_PFC_RELEASE; op++) {
		command(&r, op);
		clocks_watched(&r, REST);
		assert_int_equal(levels(&r), 0);
	}
	post(&r, 1);
	end(&r);
	/* Nothing to flush: that releases nothing. */
	begin(&r, false);
	pause(&r);
	clocks_watched(&r, REST);
	resume(&r);
	command(&r, PARQ_PFC_FLUSH);
	assert_int_equal(levels(&r) & (halted | PARQ_LEVELS_FLUSHING), halted);
	end(&r);
	begin_parked(&r, false, 4);
	before = levels(&r);
	for (op = PARQ_PFC_HALT; op <= PARQ_PFC_RELEASE; op += PARQ_PFC_RELEASE - PARQ_PFC_HALT) {
		command(&r, op);
		assert_int_equal(levels(&r), before);
		clocks_watched(&r, REST);
		assert_int_equal(levels(&r), before);
	}
	resume(&r);
	end(&r);
	/* HALT without its ACK: frames are still under way. And a pass that has begun already. */
	begin(&r, false);
	post(&r, DEPTH);
	clocks(&r, DEPTH + 2);
	pause(&r);
	clocks(&r, 1);
	resume(&r);
	command(&r, PARQ_PFC_HALT);
	command(&r, PARQ_PFC_FLUSH);
	assert_int_equal(levels(&r) & (halted | PARQ_LEVELS_FLUSHING),
			 halted & ~PARQ_LEVELS_HALT_ACK);
	end(&r);
	begin_parked(&r, false, 4);
	resume(&r);
	command(&r, PARQ_PFC_FLUSH);
	assert_true(levels(&r) & PARQ_LEVELS_FLUSHING);
	command(&r, PARQ_PFC_FLUSH);
	assert_int_equal(le64_to_cpu(end(&r).passes), 1);
}

int main(void)
{
	static int offload = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(hold_is_a_latch, &offload),
		cmocka_unit_test(hold_is_a_latch),
		cmocka_unit_test_prestate(halt_ack_is_behind_the_last, &offload),
		cmocka_unit_test(halt_ack_is_behind_the_last),
		cmocka_unit_test(pass_goes_to_its_end),
		cmocka_unit_test_prestate(turning_back_is_sticky, &offload),
		cmocka_unit_test(turning_back_is_sticky),
		cmocka_unit_test(release_looks_at_pause),
		cmocka_unit_test(release_waits_for_the_pass),
		cmocka_unit_test(admission_is_bounded),
		cmocka_unit_test(commands_out_of_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
