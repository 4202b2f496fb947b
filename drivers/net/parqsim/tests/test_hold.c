// SPDX-License-Identifier: GPL-2.0
/*
 * RX queues on hold: frames of all priorities wait until the queue is released, with the
 * same rings or with new ones. Priority 3 is lossless, the others are lossy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rnd.h"
#include "rx_state.h"

#define LOG2		6
#define SLOTS		BIT(LOG2)
#define BUF		1024
#define LOSSLESS	3
#define LOSSY		5
#define CTRL(q)		(PARQ_RXQ(q) + PARQ_RXQ_CTRL)

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 4, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/*
 * All RX queues are there, with all their buffers. A frame counts against buffer 1 if
 * it is lossless, else against buffer 0.
 */
static void begin(struct rig *r)
{
	u32 q;

	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_write(r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
	for (q = 0; q < config.rxq; q++)
		rig_rxq_up(r, 0, q, LOG2, BUF);
	rig_rxb(r, 0, 0, 20000, 20000, 20000);
	rig_rxb(r, 0, 1, 20000, 3000, 0);
	rig_rxb_apply(r, 0, 0x1 << 4 * LOSSLESS);
	rig_write(r, 0, PARQ_FC_CTRL, BIT(LOSSLESS));
	rig_assert_no_error(r);
}

static u64 drops(struct rig *r)
{
	const struct parq_stats *s = stats(r);

	return le64_to_cpu(s->rx_drop_nobuf) + le64_to_cpu(s->rx_drop_buffer) +
	       le64_to_cpu(s->rx_drop_dma) + le64_to_cpu(s->rx_drop_disabled);
}

/* ---- replacement -------------------------------------------------------- */

/* Frames of one buffer and of several, before the hold and in it. */
static void rings_are_replaced(void **state)
{
	const struct rig_rxq *q;
	struct rig r;
	u32 i, prio, n;

	for (prio = LOSSLESS; prio <= LOSSY; prio += LOSSY - LOSSLESS) {
		begin(&r);
		q = &r.port[0].rxq[0];
		for (i = 0; i < 6; i++)
			rig_rx_prio(&r, 0, prio, i & 1 ? 100 : 1500, i);
		n = head(&r, 0);
		assert_int_equal(n, 9);
		rig_rxq_hold(&r, 0, 0);
		/* The old rings and buffers are not accessed any more. */
		rig_deny(&r, q->fill, q->bufs + SLOTS * BUF - q->fill);
		for (; i < 12; i++)
			rig_rx_prio(&r, 0, prio, i & 1 ? 100 : 1500, i);
		assert_int_equal(head(&r, 0), n);
		assert_int_equal(used(&r, prio == LOSSLESS), 3 * (104 + 1504));
		assert_int_equal(seq_at(&r, 0, n - 1), 5);
		rig_rxq_replace(&r, 0, 0, LOG2 + 1, BUF);
		assert_int_equal(head(&r, 0), 0);
		rig_rx_tail(&r, 0, 0, SLOTS);
		rig_run(&r, RIG_US);
		assert_int_equal(head(&r, 0), 0);
		rig_rxq_release(&r, 0, 0);
		assert_int_equal(head(&r, 0), n);
		for (i = 0; i < 3; i++) {
			assert_int_equal(seq_at(&r, 0, 3 * i), 6 + 2 * i);
			assert_int_equal(seq_at(&r, 0, 3 * i + 2), 7 + 2 * i);
		}
		assert_int_equal(used(&r, 0) + used(&r, 1), 0);
		assert_int_equal(drops(&r), 0);
		assert_int_equal(le64_to_cpu(stats(&r)->prio[prio].rx_frames), 12);
		rig_fini(&r);
	}
	(void)state;
}

/* A queue that keeps its ring continues at the same position. */
static void hold_and_release(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 3 * SLOTS; i++) {
		if (i % 3)
			rig_rxq_hold(&r, 0, 0);
		rig_rx_tail(&r, 0, 0, i + SLOTS);
		rig_rx_prio(&r, 0, LOSSY, 100, i);
		rig_rxq_release(&r, 0, 0);
		assert_int_equal(head(&r, 0), i + 1);
		assert_int_equal(seq_at(&r, 0, i), i);
	}
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

/* An armed queue interrupts for the frames of the release. */
static void release_interrupts(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rxq_hold(&r, 0, 0);
	rig_rx_prio(&r, 0, LOSSLESS, 100, 0);
	assert_int_equal(r.irqs[RIG_RX_VEC], 0);
	rig_rxq_release(&r, 0, 0);
	assert_int_equal(r.irqs[RIG_RX_VEC], 1);
	rig_fini(&r);
}

/* ---- how long it lasts -------------------------------------------------- */

/* A lossless priority pauses the peer; no other priority is affected. */
static void peer_is_paused(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rx_steer(&r, 0, 1, 2);
	rig_rxq_hold(&r, 0, 1);
	for (i = 0; i < 4; i++) {
		rig_rx_flow(&r, 0, LOSSLESS, 0, 1000, i);
		rig_rx_flow(&r, 0, LOSSY, 1, 1000, i);
	}
	rig_run(&r, RIG_US);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), BIT(LOSSLESS));
	assert_int_equal(head(&r, 2), 4);
	/* Frames of one priority keep their order across queues. */
	rig_rx_flow(&r, 0, LOSSLESS, 1, 1000, 4);
	assert_int_equal(head(&r, 2), 4);
	rig_rxq_release(&r, 0, 1);
	rig_run(&r, RIG_US);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), 0);
	assert_int_equal(head(&r, 1), 4);
	assert_int_equal(head(&r, 2), 5);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

/* A lossy priority fills its buffer, then loses frames, each of which is counted. */
static void lossy_until_it_is_full(void **state)
{
	const struct parq_prio_stats *s;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rxq_hold(&r, 0, 0);
	for (i = 0; i < 30; i++)
		rig_rx_prio(&r, 0, LOSSY, 996, i);
	assert_int_equal(used(&r, 0), 20000);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 10);
	assert_int_equal(r.port[0].ctrls, 0);
	/* Without enough buffers it drops frames as usual. */
	rig_rxq_replace(&r, 0, 0, LOG2, BUF);
	rig_rx_tail(&r, 0, 0, 15);
	rig_rxq_release(&r, 0, 0);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(seq_at(&r, 0, 14), 14);
	s = &stats(&r)->prio[LOSSY];
	assert_int_equal(le64_to_cpu(s->rx_frames), 15);
	assert_int_equal(le64_to_cpu(s->rx_drop), 15);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 5);
	rig_fini(&r);
}

/*
 * A host that never releases: its peer resumes after PARQ_FC_LIMIT, and no doorbell is read
 * until then.
 */
static void hold_for_ever(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_FC_LIMIT, 1);
	rig_rxq_hold(&r, 0, 0);
	for (i = 0; i < 4; i++)
		rig_rx_prio(&r, 0, LOSSLESS, 1000, i);
	rig_run(&r, RIG_US);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), BIT(LOSSLESS));
	rig_rx_tail(&r, 0, 0, 1);
	assert_false(parqsim_run(r.sim, rig_now(&r)));
	assert_true(parqsim_doze(r.sim));
	rig_rx_tail(&r, 0, 0, SLOTS);
	rig_run(&r, 2 * RIG_MS);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS),
			 FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(LOSSLESS)));
	rig_rx_prio(&r, 0, LOSSLESS, 1000, 4);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[LOSSLESS].rx_drop), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	rig_rxq_release(&r, 0, 0);
	rig_rx_prio(&r, 0, LOSSLESS, 1000, 5);
	assert_int_equal(head(&r, 0), 5);
	assert_int_equal(seq_at(&r, 0, 4), 5);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), 0);
	rig_fini(&r);
}

/* Frames of a priority that becomes lossy still wait, as for all lossy ones. */
static void lossy_meanwhile(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rxq_hold(&r, 0, 0);
	rig_rx_prio(&r, 0, LOSSLESS, 100, 0);
	rig_write(&r, 0, PARQ_FC_CTRL, 0);
	rig_rx_prio(&r, 0, LOSSLESS, 100, 1);
	assert_int_equal(used(&r, 1), 208);
	rig_rxq_release(&r, 0, 0);
	assert_int_equal(head(&r, 0), 2);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

/* ---- steering ----------------------------------------------------------- */

/* Queue 2 is removed: its waiting frames go to the queues of the new table, in order. */
static void queue_is_taken_away(void **state)
{
	u32 prio, i;
	struct rig r;

	for (prio = LOSSLESS; prio <= LOSSY; prio += LOSSY - LOSSLESS) {
		begin(&r);
		rig_rx_steer(&r, 0, 1, 2);
		rig_rxq_hold(&r, 0, 1);
		rig_rxq_hold(&r, 0, 2);
		for (i = 0; i < 8; i++)
			rig_rx_flow(&r, 0, prio, i & 1, 100, i);
		rig_rx_steer(&r, 0, 1, 1);
		rig_rxq_release(&r, 0, 2);
		rig_write(&r, 0, CTRL(2), 0);
		assert_int_equal(head(&r, 1), 0);
		rig_rxq_release(&r, 0, 1);
		for (i = 0; i < 8; i++)
			assert_int_equal(seq_at(&r, 1, i), i);
		assert_int_equal(head(&r, 2), 0);
		assert_int_equal(drops(&r), 0);
		rig_fini(&r);
	}
	(void)state;
}

/* ---- the end of it ------------------------------------------------------ */

/* Waiting frames are dropped by everything that ends the queue without a hold. */
static void ends(void **state)
{
	static const struct {
		u32 off;
		bool disabled;
	} how[] = {
		{ CTRL(0), false },
		{ CTRL(0), true },
		{ PARQ_PORT_CTRL, false },
		{ PARQ_PORT_CTRL, true },
	};
	struct rig r;
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(how) / sizeof(*how); i++) {
		begin(&r);
		rig_rxq_hold(&r, 0, 0);
		if (how[i].disabled)
			rig_write(&r, 0, CTRL(0), PARQ_RXQ_CTRL_HOLD);
		rig_rx_prio(&r, 0, LOSSLESS, 100, 0);
		rig_rx_prio(&r, 0, LOSSY, 100, 1);
		assert_int_equal(used(&r, 0) + used(&r, 1), 208);
		rig_write(&r, 0, how[i].off, 0);
		assert_int_equal(used(&r, 0) + used(&r, 1), 0);
		assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 2);
		assert_int_equal(rig_read(&r, 0, CTRL(0)) &
				 (PARQ_RXQ_CTRL_EN | PARQ_RXQ_CTRL_HOLD), 0);
		rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
		rig_rxq_up(&r, 0, 0, LOG2, BUF);
		rig_rx_prio(&r, 0, LOSSLESS, 100, 2);
		assert_int_equal(head(&r, 0), 1);
		rig_assert_no_error(&r);
		rig_fini(&r);
	}
	begin(&r);
	rig_rxq_hold(&r, 0, 0);
	rig_rx_prio(&r, 0, LOSSLESS, 100, 0);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(used(&r, 0) + used(&r, 1), 0);
	assert_int_equal(rig_read(&r, 0, CTRL(0)), 0);
	rig_fini(&r);
}

static void expect_refused(struct rig *r, u32 off, u32 val)
{
	u32 before = rig_read(r, 0, off);

	rig_write(r, 0, off, val);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r->sim, PARQ_ERR)),
			 PARQ_ERR_STATE);
	assert_int_equal(rig_read(r, 0, off), before);
	parqsim_write(r->sim, PARQ_ERR, 0);
}

/* HOLD is the only field that may change while the queue is enabled. */
static void refused_writes(void **state)
{
	struct rig r;
	u32 ctrl;

	(void)state;
	begin(&r);
	ctrl = rig_read(&r, 0, CTRL(0));
	expect_refused(&r, CTRL(0), (ctrl | PARQ_RXQ_CTRL_HOLD) ^
		       FIELD_PREP(PARQ_RXQ_CTRL_SIZE, 1));
	rig_rx_prio(&r, 0, LOSSLESS, 100, 0);
	assert_int_equal(head(&r, 0), 1);
	rig_rxq_hold(&r, 0, 0);
	expect_refused(&r, CTRL(0), ctrl ^ FIELD_PREP(PARQ_RXQ_CTRL_VEC, 1));
	expect_refused(&r, PARQ_RXQ(0) + PARQ_RXQ_BUF, 2 * BUF);
	rig_rx_prio(&r, 0, LOSSLESS, 100, 1);
	assert_int_equal(head(&r, 0), 1);
	/* A refused range does not change HOLD either. */
	rig_write(&r, 0, CTRL(0), PARQ_RXQ_CTRL_HOLD);
	rig_write(&r, 0, CTRL(0), PARQ_RXQ_CTRL_EN);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r.sim, PARQ_ERR)),
			 PARQ_ERR_RANGE);
	assert_int_equal(rig_read(&r, 0, CTRL(0)), PARQ_RXQ_CTRL_HOLD);
	assert_int_equal(used(&r, 1), 104);
	assert_int_equal(drops(&r), 0);
	rig_fini(&r);
}

/* ---- any order ---------------------------------------------------------- */

/**
 * struct traffic - frames of two flows per priority; queues are removed and added
 * @r: the rig
 * @seed: seed of all random numbers
 * @sent: by priority
 * @seen: by priority and flow: number after that of the last received frame
 * @read: by queue: completions read
 * @first: by queue: position at which the frame being read began
 */
struct traffic {
	struct rig r;
	u32 seed;
	u32 sent[8];
	u32 seen[8][2];
	u32 read[4];
	u32 first[4];
};

static void read_queue(struct traffic *t, u32 q)
{
	u32 flags, prio, seq;

	for (; t->read[q] != head(&t->r, q); t->read[q]++) {
		flags = le32_to_cpu(rig_rx_comp(&t->r, 0, q, t->read[q])->flags);
		if (!(flags & PARQ_RX_EOP))
			continue;
		seq = seq_at(&t->r, q, t->first[q]);
		prio = FIELD_GET(PARQ_RX_PRIO, flags);
		assert_in_range(seq, t->seen[prio][seq & 1], t->sent[prio] - 1);
		if (prio == LOSSLESS && t->seen[prio][seq & 1])
			assert_int_equal(seq, t->seen[prio][seq & 1] + 1);
		t->seen[prio][seq & 1] = seq + 1;
		t->first[q] = t->read[q] + 1;
	}
}

static void random_step(struct traffic *t)
{
	u32 q = rnd(&t->seed, 4), prio = rnd(&t->seed, 8);
	struct rig *r = &t->r;

	switch (rnd(&t->seed, 12)) {
	case 0 ... 4:
		/* A peer that is paused sends nothing. */
		if (rig_read(r, 0, PARQ_FC_STATUS) & BIT(prio))
			break;
		rig_rx_flow(r, 0, prio, t->sent[prio] & 1, 64 +
			    rnd(&t->seed, rnd(&t->seed, 8) ? 300 : 5000),
			    t->sent[prio]);
		t->sent[prio]++;
		break;
	case 5:
		rig_rx_tail(r, 0, q, t->read[q] + BIT(r->port[0].rxq[q].log2));
		break;
	case 6:
		rig_rxq_hold(r, 0, q);
		break;
	case 7:
		rig_rxq_hold(r, 0, q);
		read_queue(t, q);
		if (r->used > RIG_MEM - (1 << 20))
			break;
		rig_rxq_replace(r, 0, q, LOG2 + rnd(&t->seed, 2), BUF);
		t->read[q] = 0;
		t->first[q] = 0;
		break;
	case 8 ... 9:
		rig_rxq_release(r, 0, q);
		break;
	case 10:
		rig_rx_steer(r, 0, rnd(&t->seed, 4), rnd(&t->seed, 4));
		break;
	default:
		rig_run(r, rnd(&t->seed, 1000) * RIG_NS);
		break;
	}
}

/* Each flow arrives in order, lossless ones complete, and other losses are counted. */
static void random_traffic(void **state)
{
	struct traffic t = { .seed = 815 };
	u32 i, q, sent = 0, got = 0;

	(void)state;
	begin(&t.r);
	for (i = 0; i < 30000; i++) {
		random_step(&t);
		for (q = 0; q < 4; q++)
			read_queue(&t, q);
	}
	for (i = 0; i < 400; i++) {
		q = i % 4;
		rig_rxq_release(&t.r, 0, q);
		rig_rx_tail(&t.r, 0, q, t.read[q] + BIT(t.r.port[0].rxq[q].log2));
		rig_run(&t.r, RIG_NS);
		read_queue(&t, q);
	}
	for (i = 0; i < 8; i++) {
		got += le64_to_cpu(stats(&t.r)->prio[i].rx_frames);
		sent += t.sent[i];
	}
	assert_int_equal(used(&t.r, 0) + used(&t.r, 1), 0);
	assert_int_equal(got + drops(&t.r), sent);
	assert_int_equal(le64_to_cpu(stats(&t.r)->prio[LOSSLESS].rx_frames),
			 t.sent[LOSSLESS]);
	assert_int_equal(le64_to_cpu(stats(&t.r)->rx_drop_disabled), 0);
	assert_true(got > 5000 && drops(&t.r) > 100);
	rig_fini(&t.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings_are_replaced),
		cmocka_unit_test(hold_and_release),
		cmocka_unit_test(release_interrupts),
		cmocka_unit_test(peer_is_paused),
		cmocka_unit_test(lossy_until_it_is_full),
		cmocka_unit_test(hold_for_ever),
		cmocka_unit_test(lossy_meanwhile),
		cmocka_unit_test(queue_is_taken_away),
		cmocka_unit_test(ends),
		cmocka_unit_test(refused_writes),
		cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
