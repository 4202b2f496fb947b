// SPDX-License-Identifier: GPL-2.0
/* What waits in receive buffers, for how long, in which order, and what it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rnd.h"
#include "rx_wait.h"

/* ---- waiting ------------------------------------------------------------ */

static void waits_for_a_buffer(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 3, 100, 7);
	assert_int_equal(used(&r, 0), 104);
	assert_int_equal(high(&r, 0), 104);
	assert_int_equal(head(&r, 0), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_frames), 0);
	rig_run(&r, 50 * RIG_US);
	tail(&r, 0, 1);
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(seq_at(&r, 0, 0), 7);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(high(&r, 0), 104);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_frames), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_bytes), 100);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_drop), 0);
	/* It says when it has arrived, not when it went on. */
	assert_int_equal(le32_to_cpu(rig_rx_comp(&r, 0, 0, 0)->time), 0);
	rig_write(&r, 0, PARQ_RXB(0) + PARQ_RXB_HIGH, 4711);
	assert_int_equal(high(&r, 0), 0);
	rig_fini(&r);
}

/* Waiting or not, the host gets the same. */
static void nothing_is_lost_on_the_way(void **state)
{
	static const u32 len[] = { 64, 65, 123, 124, 125, 1500, 1024, 1028, RIG_JUMBO };
	struct rig r;
	u32 i, pos = 0, at;
	u8 copy[RIG_JUMBO];

	(void)state;
	for (i = 0; i < sizeof(len) / sizeof(*len); i++) {
		begin(&r);
		rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN |
			  PARQ_PORT_CTRL_VLAN_STRIP);
		rig_rx_prio(&r, 0, 5, len[i], 99);
		assert_int_equal(used(&r, 0), len[i] + 4);
		tail(&r, 0, SLOTS / 2);
		pos = head(&r, 0);
		assert_int_equal(pos, (len[i] - 4 + BUF - 1) / BUF);
		memcpy(copy, buffer(&r, 0, 0), len[i] - 4);
		rig_rx_prio(&r, 0, 5, len[i], 99);
		assert_int_equal(head(&r, 0), 2 * pos);
		assert_memory_equal(copy, buffer(&r, 0, pos), len[i] - 4);
		for (at = 0; at < pos; at++) {
			const struct parq_rx_comp *a = rig_rx_comp(&r, 0, 0, at);
			const struct parq_rx_comp *b = rig_rx_comp(&r, 0, 0,
								   pos + at);

			assert_memory_equal(a, b, offsetof(struct parq_rx_comp,
							   time));
		}
		rig_fini(&r);
	}
}

/* It is in its buffer for no time: only that it fits is looked at. */
static void frames_that_pass_leave_no_trace(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	tail(&r, 0, SLOTS);
	rig_rxb(&r, 0, 0, 104, 0, 0);
	rig_rxb_apply(&r, 0, 0);
	rig_rx_prio(&r, 0, 0, 100, 0);
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(high(&r, 0), 0);
	assert_int_equal(r.port[0].ctrls, 0);
	rig_rx_prio(&r, 0, 0, 101, 0);
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].rx_drop), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 0);
	rig_fini(&r);
}

static void full_to_the_byte(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rxb(&r, 0, 0, 312, 312, 312);
	rig_rxb_apply(&r, 0, 0);
	rig_rx_prio(&r, 0, 1, 100, 0);
	rig_rx_prio(&r, 0, 2, 100, 1);
	rig_rx_prio(&r, 0, 1, 101, 2);	/* one too many */
	assert_int_equal(used(&r, 0), 208);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[1].rx_drop), 1);
	rig_rx_prio(&r, 0, 1, 100, 3);
	assert_int_equal(used(&r, 0), 312);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	tail(&r, 0, 3);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(high(&r, 0), 312);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 3);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].drop), 0);
	rig_fini(&r);
}

/* A frame takes several buffers or none; a shorter one must not overtake it. */
static void order_with_too_few_buffers(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	tail(&r, 0, 2);
	rig_rx_prio(&r, 0, 4, 3000, 0);
	rig_rx_prio(&r, 0, 4, 100, 1);
	rig_rx_prio(&r, 0, 6, 100, 2);	/* of another class: it may */
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(seq_at(&r, 0, 0), 2);
	tail(&r, 0, 3);
	assert_int_equal(head(&r, 0), 1);
	tail(&r, 0, 4);
	assert_int_equal(head(&r, 0), 4);
	assert_int_equal(seq_at(&r, 0, 1), 0);
	assert_int_equal(used(&r, 0), 104);
	tail(&r, 0, 5);
	assert_int_equal(seq_at(&r, 0, 4), 1);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);
}

/*
 * A frame that comes when buffers have just been given does not overtake those that
 * still wait because nobody has looked at the doorbell.
 */
static void order_when_the_doorbell_is_new(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 3; i++)
		rig_rx_prio(&r, 0, 4, 100, i);
	rig_rx_tail(&r, 0, 0, 2);
	rig_rx_prio(&r, 0, 4, 100, 3);
	assert_int_equal(head(&r, 0), 2);
	rig_rx_tail(&r, 0, 0, 4);
	rig_rx_prio(&r, 0, 4, 100, 4);
	assert_int_equal(head(&r, 0), 4);
	tail(&r, 0, 5);
	for (i = 0; i < 5; i++)
		assert_int_equal(seq_at(&r, 0, i), i);
	rig_fini(&r);
}

/* ---- buffers and priorities --------------------------------------------- */

static void remapping_keeps_order_and_account(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 3, 100, 0);
	rig_rx_prio(&r, 0, 3, 100, 1);
	rig_rxb(&r, 0, 0, 1000, 1000, 1000);
	rig_rxb(&r, 0, 1, 1000, 1000, 1000);
	rig_rxb_apply(&r, 0, 0x00001000);
	assert_int_equal(used(&r, 0), 208);
	rig_rx_prio(&r, 0, 3, 100, 2);
	assert_int_equal(used(&r, 0), 208);
	assert_int_equal(used(&r, 1), 104);
	rig_rxb_apply(&r, 0, 0);
	rig_rx_prio(&r, 0, 3, 200, 3);
	assert_int_equal(used(&r, 0), 412);
	assert_int_equal(used(&r, 1), 104);
	for (i = 0; i < 4; i++) {
		static const u32 left[2][4] = { { 308, 204, 204, 0 },
						{ 104, 104, 0, 0 } };

		tail(&r, 0, i + 1);
		assert_int_equal(seq_at(&r, 0, i), i);
		assert_int_equal(used(&r, 0), left[0][i]);
		assert_int_equal(used(&r, 1), left[1][i]);
	}
	rig_fini(&r);
}

/* What has arrived stays, even if it is more than there is room for now. */
static void a_smaller_buffer_waits(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 5; i++)
		rig_rx_prio(&r, 0, 2, 100, i);
	rig_rxb(&r, 0, 0, 312, 312, 312);
	rig_rxb_apply(&r, 0, 0);
	assert_int_equal(used(&r, 0), 520);
	rig_rx_prio(&r, 0, 2, 64, 9);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	tail(&r, 0, 2);
	assert_int_equal(used(&r, 0), 312);
	rig_rx_prio(&r, 0, 2, 64, 9);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 2);
	tail(&r, 0, 3);
	rig_rx_prio(&r, 0, 2, 100, 5);
	assert_int_equal(used(&r, 0), 312);
	tail(&r, 0, 6);
	for (i = 0; i < 6; i++)
		assert_int_equal(seq_at(&r, 0, i), i);
	rig_fini(&r);
}

/* Buffers that change hands do not make memory: all of them together are bounded. */
static void never_more_than_all(void **state)
{
	u32 n = TOTAL / 1004, i;
	struct rig r;

	(void)state;
	begin(&r);
	for (i = 0; i < n; i++)
		rig_rx_prio(&r, 0, 0, 1000, i);
	assert_int_equal(used(&r, 0), n * 1004);
	rig_rxb(&r, 0, 0, 0, 0, 0);
	rig_rxb(&r, 0, 1, TOTAL, TOTAL, TOTAL);
	rig_rxb_apply(&r, 0, 0x11111111);
	rig_rx_prio(&r, 0, 0, 1000, n);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	rig_rx_prio(&r, 0, 1, TOTAL - n * 1004 - 4, n);
	assert_int_equal(used(&r, 1), TOTAL - n * 1004);
	rig_rx_prio(&r, 0, 2, 64, n);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 2);
	tail(&r, 0, SLOTS);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(used(&r, 1), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), n + 1);
	rig_fini(&r);
}

static void expect_refused(struct rig *r)
{
	rig_write(r, 0, PARQ_RXB_APPLY, 1);
	assert_int_equal(parqsim_read(r->sim, PARQ_ERR), PARQ_ERR_RANGE |
			 FIELD_PREP(PARQ_ERR_COUNT, 1));
	assert_int_equal(parqsim_read(r->sim, PARQ_ERR_ADDR),
			 PARQ_PORT(0) + PARQ_RXB_APPLY);
	parqsim_write(r->sim, PARQ_ERR, 0);
}

/* All registers, or none; what is in force is what was taken over last. */
static void refused_apply_changes_nothing(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rxb(&r, 0, 0, 208, 104, 104);
	rig_rxb_apply(&r, 0, 0);
	rig_rxb(&r, 0, 0, TOTAL, TOTAL, TOTAL);
	rig_rxb(&r, 0, 7, 1, 0, 0);		/* more than there is */
	expect_refused(&r);
	rig_rxb(&r, 0, 0, ~0U, 1, 1);		/* nor does the sum wrap */
	rig_rxb(&r, 0, 7, 2, 0, 0);
	expect_refused(&r);
	rig_rxb(&r, 0, 7, 0, 0, 0);
	rig_rxb(&r, 0, 0, 1000, 500, 501);	/* XON above XOFF */
	expect_refused(&r);
	rig_rxb(&r, 0, 0, 1000, 1001, 500);	/* XOFF above SIZE */
	expect_refused(&r);
	rig_rxb(&r, 0, 0, 1000, 1000, 1000);
	rig_rxb(&r, 0, 3, 0, 0, 1);		/* of one that is none, too */
	expect_refused(&r);
	rig_rxb(&r, 0, 3, 0, 0, 0);
	rig_write(&r, 0, PARQ_RXB_PRIO, 0x10000000);	/* a buffer of size 0 */
	expect_refused(&r);
	rig_write(&r, 0, PARQ_RXB_PRIO, 0x00080000);	/* no buffer at all */
	expect_refused(&r);
	/* Two fit, and the second one is above XOFF. */
	rig_rx_prio(&r, 0, 7, 100, 0);
	assert_int_equal(r.port[0].ctrls, 0);
	rig_rx_prio(&r, 0, 7, 100, 0);
	assert_int_equal(r.port[0].ctrls, 1);
	rig_rx_prio(&r, 0, 7, 100, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	rig_write(&r, 0, PARQ_RXB_PRIO, 0);
	rig_rxb_apply(&r, 0, 0);
	rig_rx_prio(&r, 0, 7, 100, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 1);
	rig_fini(&r);
}

/* ---- memory ------------------------------------------------------------- */

/* Full of frames of each size, from empty and from what others have left. */
static void cells_are_enough(void **state)
{
	u32 len, n, pos = 0;
	struct rig r;

	(void)state;
	begin(&r);
	for (len = 64; len < PARQ_MAX_FRAME_MAX; len += len < 300 ? 1 : 271) {
		for (n = 0; used(&r, 0) + len + 4 <= TOTAL; n++)
			rig_rx_prio(&r, 0, n % 8, len, n);
		assert_int_equal(used(&r, 0), n * (len + 4));
		while (used(&r, 0)) {
			pos += (len + BUF - 1) / BUF;
			tail(&r, 0, pos);
		}
		assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_buffer), 0);
	}
	rig_fini(&r);
}

/**
 * struct traffic - frames of random classes, some of which are lost
 * @r: the bench
 * @seed: of everything
 * @sent: by class
 * @seen: by class: number behind the last one that has come
 * @given: by queue: buffers
 * @read: by queue: completions
 * @first: by queue: where the frame began that is being read
 */
struct traffic {
	struct rig r;
	u32 seed;
	u32 sent[8];
	u32 seen[8];
	u32 given[4];
	u32 read[4];
	u32 first[4];
};

static void read_completions(struct traffic *t, u32 q)
{
	u32 flags, prio, seq;

	for (; t->read[q] != head(&t->r, q); t->read[q]++) {
		flags = le32_to_cpu(rig_rx_comp(&t->r, 0, q, t->read[q])->flags);
		if (!(flags & PARQ_RX_EOP))
			continue;
		seq = seq_at(&t->r, q, t->first[q]);
		prio = FIELD_GET(PARQ_RX_PRIO, flags);
		assert_true(seq >= t->seen[prio] && seq < t->sent[prio]);
		t->seen[prio] = seq + 1;
		t->first[q] = t->read[q] + 1;
	}
}

static void random_buffers(struct traffic *t)
{
	u32 prios = 0, b, size;

	for (b = 0; b < PARQ_NUM_RXB; b++) {
		size = rnd(&t->seed, TOTAL / PARQ_NUM_RXB);
		rig_rxb(&t->r, 0, b, 1 + size, size, size / 2);
		prios = prios << 4 | rnd(&t->seed, PARQ_NUM_RXB);
	}
	rig_rxb_apply(&t->r, 0, prios);
}

static void random_step(struct traffic *t)
{
	u32 q = rnd(&t->seed, 4), prio = rnd(&t->seed, 8);

	switch (rnd(&t->seed, 8)) {
	case 0 ... 3:
		steer(&t->r, prio / 2);	/* a class stays in its queue */
		rig_rx_prio(&t->r, 0, prio, 64 +
			    rnd(&t->seed, rnd(&t->seed, 8) ? 300 : 9000),
			    t->sent[prio]++);
		break;
	case 4 ... 5:
		t->given[q] += rnd(&t->seed, t->read[q] + SLOTS - t->given[q] + 1);
		rig_rx_tail(&t->r, 0, q, t->given[q]);
		break;
	case 6:
		random_buffers(t);
		break;
	default:
		rig_run(&t->r, rnd(&t->seed, 1000) * RIG_NS);
		break;
	}
}

/* Frames, buffers, settings in any order: each class comes in its own. */
static void random_traffic(void **state)
{
	struct traffic t = { .seed = 4711 };
	u32 i, q, sent = 0, got = 0, lost;

	(void)state;
	begin(&t.r);
	for (i = 0; i < 30000; i++) {
		random_step(&t);
		for (q = 0; q < 4; q++)
			read_completions(&t, q);
	}
	for (i = 0; i < 4000; i++) {
		tail(&t.r, i % 4, head(&t.r, i % 4) + SLOTS);
		read_completions(&t, i % 4);
	}
	for (i = 0; i < 8; i++) {
		assert_int_equal(used(&t.r, i), 0);
		got += le64_to_cpu(stats(&t.r)->prio[i].rx_frames);
		sent += t.sent[i];
	}
	lost = le64_to_cpu(stats(&t.r)->rx_drop_buffer);
	assert_int_equal(got + lost, sent);
	assert_int_equal(le64_to_cpu(stats(&t.r)->rx_drop_nobuf), 0);
	assert_true(lost > 1000 && got > 1000);
	rig_fini(&t.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_for_a_buffer),
		cmocka_unit_test(nothing_is_lost_on_the_way),
		cmocka_unit_test(frames_that_pass_leave_no_trace),
		cmocka_unit_test(full_to_the_byte),
		cmocka_unit_test(order_with_too_few_buffers),
		cmocka_unit_test(order_when_the_doorbell_is_new),
		cmocka_unit_test(remapping_keeps_order_and_account),
		cmocka_unit_test(a_smaller_buffer_waits),
		cmocka_unit_test(never_more_than_all),
		cmocka_unit_test(refused_apply_changes_nothing),
		cmocka_unit_test(cells_are_enough),
		cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
