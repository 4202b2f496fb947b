// SPDX-License-Identifier: GPL-2.0
/*
 * Receive buffers: what waits in them, for how long, in which order, what it
 * counts, and what becomes of it when nobody takes it. All priorities are lossless
 * unless a test says otherwise. A frame of n bytes counts n + 4.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"
#include "rnd.h"

#define LOG2		7
#define SLOTS		BIT(LOG2)
#define BUF		1024
#define TOTAL		PARQSIM_RX_BUFFER_MIN

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 4, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* All RX queues are there and have no buffers. */
static void begin(struct rig *r)
{
	u32 q;

	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_write(r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
	for (q = 0; q < config.rxq; q++) {
		rig_rxq_up(r, 0, q, LOG2, BUF);
		rig_rx_tail(r, 0, q, 0);
	}
	rig_write(r, 0, PARQ_FC_CTRL, PARQ_FC_CTRL_PFC_TX);
	rig_assert_no_error(r);
}

static void tail(struct rig *r, u32 queue, u32 n)
{
	rig_rx_tail(r, 0, queue, n);
	rig_run(r, RIG_NS);
}

static u32 used(struct rig *r, u32 buf)
{
	return rig_read(r, 0, PARQ_RXB(buf) + PARQ_RXB_USED);
}

static u32 high(struct rig *r, u32 buf)
{
	return rig_read(r, 0, PARQ_RXB(buf) + PARQ_RXB_HIGH);
}

static u32 head(struct rig *r, u32 queue)
{
	return rig_read(r, 0, PARQ_RXQ(queue) + PARQ_RXQ_HEAD);
}

static u8 *buffer(struct rig *r, u32 queue, u32 pos)
{
	return rig_ptr(r, r->port[0].rxq[queue].bufs + BUF * (pos & (SLOTS - 1)), BUF);
}

static u32 seq_at(struct rig *r, u32 queue, u32 pos)
{
	const u8 *p = buffer(r, queue, pos) + RIG_SEQ;

	return (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static struct parq_stats *stats(struct rig *r)
{
	return rig_stats(r, 0);
}

/* All frames go to one queue from now on, those that wait already too. */
static void steer(struct rig *r, u32 queue)
{
	rig_rx_steer(r, 0, queue, queue);
}

/* ---- waiting ------------------------------------------------------------ */

static void waits_and_goes(void **state)
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
	static const u32 len[] = { 64, 65, 123, 124, 125, 1500, 1024, 1028, 9230 };
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
static void straight_frames_leave_no_trace(void **state)
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

/* ---- doorbells ---------------------------------------------------------- */

/* Two classes wait for one queue; news that one has taken is news for the other. */
static void news_for_two(void **state)
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

/* What a doorbell said of one queue is not taken for news of another one. */
static void news_of_the_right_queue(void **state)
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

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 0, 100, 0);
	rig_run(&r, RIG_US);
	assert_true(parqsim_doze(r.sim));
	assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
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

/* ---- lossy, disabled, gone ---------------------------------------------- */

static void lossy_priorities_do_not_wait(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	for (i = 0; i < 3; i++) {
		rig_rx_prio(&r, 0, 2, 100, i);
		rig_rx_prio(&r, 0, 3, 100, i);
	}
	rig_rx_tail(&r, 0, 0, 2);
	rig_write(&r, 0, PARQ_FC_CTRL, BIT(3));
	/* Two of class 2 found buffers, one did not; class 3 stays. */
	assert_int_equal(head(&r, 0), 2);
	assert_int_equal(seq_at(&r, 0, 1), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_frames), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_drop), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].drop), 1);
	assert_int_equal(used(&r, 0), 312);
	rig_rx_prio(&r, 0, 2, 100, 9);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 2);
	tail(&r, 0, 5);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_frames), 3);
	rig_fini(&r);
}

/* What waits for a queue that is disabled is dropped when it is the oldest. */
static void disabled_queue(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_steer(&r, 0, 1, 2);
	rig_rx_flow(&r, 0, 2, 0, 100, 0);
	rig_rx_flow(&r, 0, 3, 0, 100, 1);
	rig_rx_flow(&r, 0, 2, 1, 100, 2);
	rig_rx_flow(&r, 0, 2, 0, 100, 3);
	rig_rx_flow(&r, 0, 2, 1, 100, 4);
	assert_int_equal(used(&r, 0), 520);
	tail(&r, 2, 1);
	assert_int_equal(head(&r, 2), 0);
	rig_write(&r, 0, PARQ_RXQ(1) + PARQ_RXQ_CTRL, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 3);
	assert_int_equal(head(&r, 2), 1);
	assert_int_equal(seq_at(&r, 2, 0), 2);
	assert_int_equal(used(&r, 0), 104);
	tail(&r, 2, 2);
	assert_int_equal(seq_at(&r, 2, 1), 4);
	assert_int_equal(used(&r, 0), 0);
	/* Behind one that waits for another queue it may still find its own enabled. */
	rig_rx_flow(&r, 0, 2, 1, 100, 5);
	rig_rxq_up(&r, 0, 1, LOG2, BUF);
	rig_rx_flow(&r, 0, 2, 0, 100, 6);
	rig_write(&r, 0, PARQ_RXQ(1) + PARQ_RXQ_CTRL, 0);
	assert_int_equal(used(&r, 0), 208);
	rig_rxq_up(&r, 0, 1, LOG2, BUF);
	tail(&r, 2, 3);
	assert_int_equal(seq_at(&r, 2, 2), 5);
	assert_int_equal(seq_at(&r, 1, 0), 6);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 3);
	rig_fini(&r);
}

/* A new table is one for frames that wait, too; order is as it was. */
static void steered_when_they_leave(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_rx_steer(&r, 0, 1, 1);
	for (i = 0; i < 4; i++)
		rig_rx_flow(&r, 0, 2, i & 1, 100, i);
	rig_rx_tail(&r, 0, 2, 8);
	rig_rx_steer(&r, 0, 1, 2);
	assert_int_equal(head(&r, 2), 0);
	rig_rx_steer(&r, 0, 3, 2);
	assert_int_equal(head(&r, 2), 0);
	tail(&r, 3, 1);
	assert_int_equal(seq_at(&r, 3, 0), 0);
	assert_int_equal(seq_at(&r, 2, 0), 1);
	assert_int_equal(used(&r, 0), 208);
	/* Nobody rings for this one. */
	rig_rx_steer(&r, 0, 2, 2);
	assert_int_equal(seq_at(&r, 2, 1), 2);
	assert_int_equal(seq_at(&r, 2, 2), 3);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);
}

/* The restart of a queue that an error has stopped. */
static void restart(struct rig *r, u32 buffers)
{
	rig_deny(r, 0, 0);
	rig_rxq_replace(r, 0, 0, LOG2, BUF);
	rig_rxq_release(r, 0, 0);
	assert_int_equal(rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_ERR), PARQ_ERR_NONE);
	tail(r, 0, buffers);
}

/*
 * An error stops the queue, wherever it is found. A frame that the host has refused is
 * lost. The others wait; the one at which a bad tail was found, too.
 */
static void standing_queue(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_rx_prio(&r, 0, 2, 100, 0);
	rig_rx_prio(&r, 0, 3, 100, 1);
	tail(&r, 0, SLOTS + 1);
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_ERR),
			 PARQ_ERR_DOORBELL);
	assert_int_equal(used(&r, 0), 208);
	/* There is nothing to look at until the queue is enabled again. */
	assert_false(parqsim_run(r.sim, rig_now(&r)));
	assert_true(parqsim_doze(r.sim));
	restart(&r, 2);
	assert_int_equal(head(&r, 0), 2);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);

	begin(&r);
	rig_rx_prio(&r, 0, 2, 100, 0);
	rig_rx_prio(&r, 0, 2, 100, 1);
	rig_rx_prio(&r, 0, 3, 100, 2);
	rig_deny(&r, r.port[0].rxq[0].bufs, BUF);
	tail(&r, 0, 1);
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_ERR),
			 PARQ_ERR_DMA);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_dma), 1);
	assert_int_equal(used(&r, 0), 208);
	restart(&r, 2);
	assert_int_equal(seq_at(&r, 0, 0) + seq_at(&r, 0, 1), 3);
	assert_int_equal(used(&r, 0), 0);
	rig_fini(&r);

	/* One of a lossy priority has no reason to wait. */
	begin(&r);
	rig_write(&r, 0, PARQ_FC_CTRL, BIT(2));
	rig_rx_prio(&r, 0, 2, 3000, 0);
	tail(&r, 0, 2);
	rig_deny(&r, r.port[0].rxq[0].bufs, BUF);
	rig_rx_prio(&r, 0, 3, 100, 1);
	rig_rx_prio(&r, 0, 3, 100, 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_dma), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_drop), 1);
	assert_int_equal(used(&r, 0), 3004);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 0);
	rig_fini(&r);
}

static void stopped_port(void **state)
{
	struct rig r;
	u32 ctrls;

	(void)state;
	begin(&r);
	rig_rxb(&r, 0, 0, 1000, 104, 0);
	rig_rxb_apply(&r, 0, 0);
	rig_rx_prio(&r, 0, 2, 100, 0);
	rig_rx_prio(&r, 0, 3, 100, 1);
	rig_run(&r, RIG_US);
	ctrls = r.port[0].ctrls;
	assert_int_equal(ctrls, 1);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 2);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_STATUS), 0);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].ctrls, ctrls);
	assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
	/* Settings stay. */
	assert_int_equal(rig_read(&r, 0, PARQ_FC_CTRL), 0xff);
	assert_int_equal(rig_read(&r, 0, PARQ_RXB(0) + PARQ_RXB_SIZE), 1000);
	rig_fini(&r);
}

static void reset_forgets(void **state)
{
	struct rig r;
	u32 b;

	(void)state;
	begin(&r);
	for (b = 0; b < PARQ_NUM_RXB; b++)
		rig_rxb(&r, 0, b, 8000, 100, 50);
	rig_rxb_apply(&r, 0, 0x76543210);
	for (b = 0; b < PARQ_NUM_RXB; b++)
		rig_rx_prio(&r, 0, b, 1000, 0);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(parqsim_next(r.sim), PARQSIM_NEVER);
	for (b = 0; b < PARQ_NUM_RXB; b++) {
		u32 all = b ? 0 : TOTAL, reg = PARQ_RXB(b);

		assert_int_equal(used(&r, b), 0);
		assert_int_equal(high(&r, b), 0);
		assert_int_equal(rig_read(&r, 0, reg + PARQ_RXB_SIZE), all);
		assert_int_equal(rig_read(&r, 0, reg + PARQ_RXB_XOFF), all);
		assert_int_equal(rig_read(&r, 0, reg + PARQ_RXB_XON), all);
	}
	assert_int_equal(rig_read(&r, 0, PARQ_RXB_TOTAL), TOTAL);
	assert_int_equal(rig_read(&r, 0, PARQ_RXB_PRIO), 0);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_CTRL), 0);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_TIME), 65535);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_REFRESH), 32767);
	assert_int_equal(rig_read(&r, 0, PARQ_FC_LIMIT), 0);
	rig_assert_no_error(&r);
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
	for (len = 64; len < 9234; len += len < 300 ? 1 : 271) {
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
		cmocka_unit_test(waits_and_goes),
		cmocka_unit_test(nothing_is_lost_on_the_way),
		cmocka_unit_test(straight_frames_leave_no_trace),
		cmocka_unit_test(full_to_the_byte),
		cmocka_unit_test(order_with_too_few_buffers),
		cmocka_unit_test(order_when_the_doorbell_is_new),
		cmocka_unit_test(news_for_two),
		cmocka_unit_test(news_of_the_right_queue),
		cmocka_unit_test(no_look_when_nothing_waits),
		cmocka_unit_test(rings_before_doze),
		cmocka_unit_test(rings_behind_doze),
		cmocka_unit_test(rings_with_a_tx_doorbell),
		cmocka_unit_test(late_frames_interrupt),
		cmocka_unit_test(remapping_keeps_order_and_account),
		cmocka_unit_test(a_smaller_buffer_waits),
		cmocka_unit_test(never_more_than_all),
		cmocka_unit_test(refused_apply_changes_nothing),
		cmocka_unit_test(lossy_priorities_do_not_wait),
		cmocka_unit_test(disabled_queue),
		cmocka_unit_test(steered_when_they_leave),
		cmocka_unit_test(standing_queue),
		cmocka_unit_test(stopped_port),
		cmocka_unit_test(reset_forgets),
		cmocka_unit_test(cells_are_enough),
		cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
