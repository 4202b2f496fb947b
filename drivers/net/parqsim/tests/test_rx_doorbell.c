// SPDX-License-Identifier: GPL-2.0
/* Frames that wait go on when the doorbell says that there are buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rx_wait.h"

/* Two classes wait for one queue. A doorbell that one of them has read serves the other. */
static void doorbell_serves_two_queues(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 1, 100, 0);
	rig_rx_prio(&r, 0, 2, 100, 1);
	rig_rx_prio(&r, 0, 2, 100, 2);
	rig_rx_tail(&r, 0, 0, 2);
	/* Of class 2: its arrival reads the doorbell and uses it up. */
	rig_rx_prio(&r, 0, 2, 100, 3);
	assert_int_equal(head(&r, 0), 2);
	tail(&r, 0, 3);
	assert_int_equal(head(&r, 0), 3);
	tail(&r, 0, 4);
	assert_int_equal(head(&r, 0), 4);
	rig_fini(&r);

	begin(&r);
	rig_rx_prio(&r, 0, 1, 3000, 0);	/* three buffers */
	rig_rx_prio(&r, 0, 2, 100, 1);
	rig_rx_tail(&r, 0, 0, 4);
	/* This one takes nothing, but sees the doorbell. */
	rig_write(&r, 0, PARQ_FC_CTRL, BIT(1) | BIT(2));
	rig_rx_prio(&r, 0, 3, 9000, 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(head(&r, 0), 0);
	rig_run(&r, RIG_NS);
	assert_int_equal(head(&r, 0), 4);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);
}

/* The doorbell of one queue does not serve another queue. */
static void doorbell_serves_its_own_queue(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	steer(&r, 1);
	rig_rx_prio(&r, 0, 4, 3000, 0);
	tail(&r, 1, 2);			/* it needs three */
	tail(&r, 1, 3);
	assert_int_equal(head(&r, 1), 3);
	steer(&r, 2);
	rig_rx_prio(&r, 0, 4, 100, 1);
	tail(&r, 2, 2);
	assert_int_equal(head(&r, 2), 1);
	rig_fini(&r);
}

/* One look at the doorbells sees all of them. */
static void rings_with_a_tx_doorbell(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_post(&r, 0, 0, 100);
	rig_rx_tail(&r, 0, 0, 1);
	parqsim_run(r.sim, rig_now(&r));
	assert_int_equal(head(&r, 0), 1);
	rig_drain(&r);
	rig_fini(&r);
}

static u32 doze_word(struct rig *r)
{
	const struct parq_status *s = rig_ptr(r, r->port[0].status, sizeof(*s));

	return le32_to_cpu(s->doze);
}

/* Nothing waits: RX doorbells are nobody's business, as ever. */
static void no_look_when_nothing_waits(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_run(&r, RIG_US);
	rig_rx_tail(&r, 0, 0, 5);
	rig_rx_tail(&r, 0, 1, ~0U);	/* a bad one, seen by nobody */
	assert_true(parqsim_doze(r.sim));
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	assert_false(parqsim_run(r.sim, rig_now(&r)));
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(1) + PARQ_RXQ_ERR), 0);
	rig_fini(&r);
}

/* The doorbell comes before the last look: the NIC does not sleep. */
static void rings_before_doze(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_run(&r, RIG_US);
	rig_rx_tail(&r, 0, 0, 1);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(doze_word(&r), 0);
	assert_int_equal(head(&r, 0), 1);
	assert_true(parqsim_doze(r.sim));
	rig_fini(&r);
}

/* It comes behind it: the host reads that the NIC dozes, and wakes it. */
static void rings_behind_doze(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_run(&r, RIG_US);
	for (i = 0; i < 2; i++) {
		assert_true(parqsim_doze(r.sim));
		assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
	}
	rig_rx_tail(&r, 0, 0, 1);
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	parqsim_write(r.sim, PARQ_WAKE, 1);
	assert_int_equal(doze_word(&r), 0);
	assert_int_equal(head(&r, 0), 0);
	assert_true(parqsim_run(r.sim, rig_now(&r)));
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(used(&r, 0), 0);
	/* Each doorbell once, also one that does not help yet. */
	rig_rx_prio(&r, 0, 0, 3000, 1);
	rig_rx_tail(&r, 0, 0, 3);
	assert_true(parqsim_run(r.sim, rig_now(&r)));
	assert_false(parqsim_run(r.sim, rig_now(&r)));
	assert_true(parqsim_doze(r.sim));
	rig_rx_tail(&r, 0, 0, 4);
	assert_true(parqsim_run(r.sim, rig_now(&r)));
	assert_int_equal(doze_word(&r), 0);
	assert_int_equal(head(&r, 0), 4);
	rig_fini(&r);
}

/* Host memory refuses the word that the NIC sleeps: it looks by itself until it is told. */
static void doze_refused(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_run(&r, RIG_US);
	rig_deny(&r, r.port[0].status, 8);
	assert_true(parqsim_doze(r.sim));
	assert_int_equal(parqsim_next(r.sim), rig_now(&r) + RIG_MS);
	assert_int_equal(doze_word(&r), 0);
	rig_rx_tail(&r, 0, 0, 1);
	rig_run(&r, RIG_MS);
	assert_int_equal(head(&r, 0), 1);
	assert_true(parqsim_doze(r.sim));
	rig_deny(&r, 0, 0);
	rig_run(&r, RIG_MS);
	assert_true(parqsim_doze(r.sim));
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
	rig_fini(&r);
}

/* It gives up after 32 looks, until a page is set that may be another driver's. */
static void naps_end(void **state)
{
	struct rig r;
	u32 i, n;

	(void)state;
	begin(&r);
	rig_run(&r, RIG_US);
	/* A page that is set during the sleep says so, or ends it. */
	assert_true(parqsim_doze(r.sim));
	rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	rig_deny(&r, r.port[0].status, 4096);
	rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	for (i = 0; i < 2; i++) {
		for (n = 0; n < 32; n++) {
			assert_true(parqsim_doze(r.sim));
			assert_int_equal(parqsim_next(r.sim), rig_now(&r) + RIG_MS);
			rig_run(&r, RIG_MS);
		}
		assert_true(parqsim_doze(r.sim));
		assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
		rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	}
	rig_fini(&r);
}

/* A step delivers a limited number of waiting frames, and the NIC stays awake until none waits. */
static void waiting_frames_by_steps(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 100; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_rx_tail(&r, 0, 0, 100);
	for (i = 1; i <= 6; i++) {
		assert_int_equal(parqsim_step(r.sim, rig_now(&r), 16), 16);
		assert_int_equal(head(&r, 0), 16 * i);
	}
	assert_in_range(parqsim_step(r.sim, rig_now(&r), 16), 1, 15);
	assert_int_equal(head(&r, 0), 100);
	for (i = 0; i < 100; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_rx_tail(&r, 0, 0, 200);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(head(&r, 0), 164);
	assert_true(parqsim_run(r.sim, rig_now(&r)));
	assert_int_equal(head(&r, 0), 200);
	assert_true(parqsim_doze(r.sim));
	rig_fini(&r);
}

/* What is left waits for buffers, and for no step. */
static void sleeps_behind_a_step(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 100; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_rx_tail(&r, 0, 0, 90);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(head(&r, 0), 64);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(head(&r, 0), 90);
	assert_true(parqsim_doze(r.sim));
	rig_fini(&r);
}

struct arrival {
	struct rig *r;
	u32 len;
};

static void arrives(void *ctx)
{
	const struct arrival *a = ctx;

	rig_rx_prio(a->r, 0, 0, a->len, 99);
}

/*
 * 65 frames wait, and one of another priority. A frame arrives in a step that delivers one of them.
 * All in front of it leave with it, and the limit holds for the other priority.
 */
static void arrive_in_a_step(struct rig *r, u32 len)
{
	struct arrival a = { .r = r, .len = len };
	struct timer t;

	rig_rx_tail(r, 0, 0, SLOTS);
	assert_int_equal(parqsim_step(r->sim, rig_now(r), 1), 1);
	assert_int_equal(head(r, 0), 1);
	timer_init(&t, arrives, &a);
	timer_set(parqsim_clock(r->sim), &t, rig_now(r));
	parqsim_step(r->sim, rig_now(r), 1);
	assert_int_equal(used(r, 0), 104);
	assert_int_equal(head(r, 0), 65 + (len + BUF - 1) / BUF);
	assert_int_equal(seq_at(r, 0, 65), 99);
	parqsim_step(r->sim, rig_now(r), 1);
	assert_int_equal(used(r, 0), 0);
}

/* The limit of a step delays frames. None is dropped for lack of room in the meantime. */
static void steps_drop_nothing(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 1, 100, 0);
	for (i = 0; i < 65; i++)
		rig_rx_prio(&r, 0, 0, 1000, i);
	arrive_in_a_step(&r, 3000);
	rig_fini(&r);
	/* Nor because the priority has been paused for too long. */
	begin(&r);
	rig_rxb(&r, 0, 0, TOTAL, 0, 0);
	rig_rxb_apply(&r, 0, 0);
	rig_write(&r, 0, PARQ_FC_LIMIT, 1);
	rig_rx_prio(&r, 0, 1, 100, 0);
	for (i = 0; i < 65; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_run(&r, 2 * RIG_MS);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), PARQ_FC_STATUS_BOUNDED);
	arrive_in_a_step(&r, 100);
	rig_fini(&r);
}

/* A register write delivers a limited number of them, and a port that is disabled drops all. */
static void waiting_frames_by_registers(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rxq_hold(&r, 0, 0);
	for (i = 0; i < 100; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_rx_tail(&r, 0, 0, 100);
	rig_rxq_release(&r, 0, 0);
	assert_int_equal(head(&r, 0), 64);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(head(&r, 0), 100);
	rig_rxq_hold(&r, 0, 0);
	for (i = 0; i < 100; i++)
		rig_rx_prio(&r, 0, 0, 100, i);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);
}

/* The next step goes on although the queue of the next frame has the tail that the last had. */
static void steps_change_queues(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_steer(&r, 0, 0, 1);
	rig_rx_tail(&r, 0, 0, 1);
	rig_rx_tail(&r, 0, 1, 1);
	rig_rx_flow(&r, 0, 0, 0, 100, 0);
	rig_rx_flow(&r, 0, 0, 0, 100, 1);
	rig_rx_flow(&r, 0, 0, 0, 100, 2);
	rig_rx_flow(&r, 0, 0, 1, 100, 3);
	rig_rx_tail(&r, 0, 0, 3);
	assert_int_equal(parqsim_step(r.sim, rig_now(&r), 2), 2);
	assert_int_equal(head(&r, 0), 3);
	assert_int_equal(head(&r, 1), 0);
	assert_in_range(parqsim_step(r.sim, rig_now(&r), 2), 1, 2);
	assert_int_equal(head(&r, 1), 1);
	rig_fini(&r);
}

/* An armed host hears of frames that come to it late. */
static void late_frames_interrupt(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	assert_int_equal(r.irqs[RIG_RX_VEC], 0);
	tail(&r, 0, 1);
	assert_int_equal(r.irqs[RIG_RX_VEC], 1);
	rig_fini(&r);
}

/* A completion has the time at which its frame arrived, however long that waited. */
static void time_of_arrival(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_run(&r, 5 * RIG_US);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_run(&r, 7 * RIG_US);
	tail(&r, 0, 2);
	rig_rx_prio(&r, 0, 0, 100, 0);
	assert_int_equal(head(&r, 0), 2);
	assert_int_equal(le32_to_cpu(rig_rx_comp(&r, 0, 0, 0)->time), 5000);
	assert_int_equal(le32_to_cpu(rig_rx_comp(&r, 0, 0, 1)->time), rig_now(&r) / RIG_NS);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doorbell_serves_two_queues),
		cmocka_unit_test(doorbell_serves_its_own_queue),
		cmocka_unit_test(no_look_when_nothing_waits),
		cmocka_unit_test(rings_before_doze),
		cmocka_unit_test(rings_behind_doze),
		cmocka_unit_test(doze_refused),
		cmocka_unit_test(rings_with_a_tx_doorbell),
		cmocka_unit_test(waiting_frames_by_steps),
		cmocka_unit_test(sleeps_behind_a_step),
		cmocka_unit_test(waiting_frames_by_registers),
		cmocka_unit_test(steps_drop_nothing),
		cmocka_unit_test(steps_change_queues),
		cmocka_unit_test(late_frames_interrupt),
		cmocka_unit_test(naps_end),
		cmocka_unit_test(time_of_arrival),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
