// SPDX-License-Identifier: GPL-2.0
/*
 * Flow control, sending side: which frames the NIC sends when its receive buffers fill,
 * when, and with which times.
 */
#include "flow.h"

/* ---- when XOFF and XON go out ------------------------------------------- */

static void xoff_and_xon(void **state)
{
	struct rig r;
	u64 t0, t1;

	(void)state;
	begin(&r, BIT(3) | BIT(5));
	t0 = rig_now(&r);
	fill(&r, 3);
	assert_int_equal(ctrls(&r), 1);
	expect_pfc(&r, 0, t0, BIT(3), BIT(3));
	expect_event(&r, 0, t0, 3, 0, 1, 104);
	assert_int_equal(status(&r), BIT(3));
	rig_run(&r, 2 * RIG_US);
	t1 = rig_now(&r);
	take(&r, 1);
	assert_int_equal(ctrls(&r), 2);
	expect_pfc(&r, 1, t1, BIT(3), 0);
	expect_event(&r, 1, t1, 3, 0, 0, 0);
	assert_int_equal(status(&r), 0);
	/* No other frame follows. */
	rig_run(&r, 100 * MS);
	assert_int_equal(ctrls(&r), 2);
	rig_fini(&r);
}

/* Above XOFF, not at it; at XON, not above it. */
static void watermarks_to_the_byte(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 0xff);
	rig_rxb(&r, 0, 4, 1000, 312, 208);
	rig_rxb_apply(&r, 0, 0x76543210);
	fill(&r, 4);
	fill(&r, 4);
	fill(&r, 4);
	assert_int_equal(rd(&r, PARQ_RXB(4) + PARQ_RXB_USED), 312);
	assert_int_equal(status(&r), 0);
	rig_rx_prio(&r, 0, 4, 64, 0);
	assert_int_equal(status(&r), BIT(4));
	take(&r, 1);
	assert_int_equal(rd(&r, PARQ_RXB(4) + PARQ_RXB_USED), 276);
	rig_run(&r, RIG_US);
	assert_int_equal(status(&r), BIT(4));
	rig_rxb(&r, 0, 4, 1000, 312, 171);
	rig_rxb_apply(&r, 0, 0x76543210);
	take(&r, 2);
	assert_int_equal(rd(&r, PARQ_RXB(4) + PARQ_RXB_USED), 172);
	rig_run(&r, RIG_US);
	assert_int_equal(status(&r), BIT(4));
	/* A new watermark has the same effect. */
	rig_rxb(&r, 0, 4, 1000, 312, 172);
	rig_rxb_apply(&r, 0, 0x76543210);
	assert_int_equal(status(&r), 0);
	assert_int_equal(ctrls(&r), 2);
	rig_rxb(&r, 0, 4, 1000, 171, 171);
	rig_run(&r, RIG_US);
	rig_rxb_apply(&r, 0, 0x76543210);
	assert_int_equal(status(&r), BIT(4));
	rig_fini(&r);
}

/* A buffer pauses all lossless priorities in it, and no other. */
static void priorities_of_a_buffer(void **state)
{
	struct rig r;
	u64 t;

	(void)state;
	begin(&r, BIT(1) | BIT(2) | BIT(6));
	rig_rxb_apply(&r, 0, 0x70000000);	/* all but 7 in buffer 0 */
	t = rig_now(&r);
	fill(&r, 2);
	expect_pfc(&r, 0, t, BIT(1) | BIT(2) | BIT(6), 0xff);
	rig_run(&r, RIG_US);
	t = rig_now(&r);
	rig_rxb_apply(&r, 0, 0x76543210);	/* 0 holds it, no priority is in 0 */
	expect_pfc(&r, 1, t, BIT(1) | BIT(2) | BIT(6), 0);
	assert_int_equal(ctrls(&r), 2);
	rig_run(&r, RIG_US);
	t = rig_now(&r);
	rig_rxb_apply(&r, 0, 0x76543200);	/* now 1 is in 0 */
	expect_pfc(&r, 2, t, BIT(1), BIT(1));
	rig_fini(&r);
}

static void refresh(void **state)
{
	struct rig r;
	u64 t0, t1;
	u32 i;

	(void)state;
	begin(&r, 0xff);
	t0 = rig_now(&r);
	fill(&r, 0);
	rig_run(&r, 10 * REFRESH * QUANTUM);
	assert_int_equal(ctrls(&r), 11);
	for (i = 0; i <= 10; i++)
		expect_pfc(&r, i, t0 + i * REFRESH * QUANTUM, BIT(0), BIT(0));
	/* Another class rises: the next refresh names both. */
	rig_run(&r, 100 * QUANTUM);
	t1 = rig_now(&r);
	fill(&r, 7);
	expect_pfc(&r, 11, t1, BIT(7), BIT(7));
	rig_run(&r, REFRESH * QUANTUM);
	assert_int_equal(ctrls(&r), 13);
	expect_pfc(&r, 12, t0 + 11 * REFRESH * QUANTUM, BIT(0) | BIT(7), 0xff);
	/* One falls; the other is refreshed as before. */
	take(&r, 1);
	expect_pfc(&r, 13, rig_now(&r), BIT(0), 0);
	rig_run(&r, REFRESH * QUANTUM);
	assert_int_equal(ctrls(&r), 15);
	expect_pfc(&r, 14, t0 + 12 * REFRESH * QUANTUM, BIT(7), BIT(7));
	/* Events report changes, not refreshes. */
	assert_int_equal(le32_to_cpu(rig_event(&r, 2)->gen), 1);
	assert_int_equal(le32_to_cpu(rig_event(&r, 3)->gen), 0);
	rig_fini(&r);
}

/* The slowest link has the longest times: 65535 quanta are 3.36 seconds. */
static void refresh_of_slow_links(void **state)
{
	const u64 quantum = 51200 * RIG_NS;
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10M));
	r.port[0].byte_ps = parqsim_byte_ps(PARQ_SPEED_10M);
	wr(&r, PARQ_FC_REFRESH, 65535);
	t0 = rig_now(&r);
	fill(&r, 0);
	rig_run(&r, 65535 * quantum - 1);
	assert_int_equal(ctrls(&r), 1);
	rig_run(&r, 1);
	expect_pfc(&r, 1, t0 + 65535 * quantum, BIT(0), BIT(0));
	rig_fini(&r);
}

/* ---- what it waits for, and what not ------------------------------------ */

/*
 * A frame is on the wire, others wait behind it. The control frame is next, and carries the
 * state of that moment.
 */
static void at_the_next_boundary(void **state)
{
	struct rig r;
	u64 t0, end;

	(void)state;
	begin(&r, 0xff);
	t0 = rig_now(&r);
	rig_post(&r, 0, 0, 1000);
	rig_post(&r, 0, 0, 1000);
	rig_run(&r, 500 * BYTE);
	assert_true(r.port[0].cls[0].last_sent >= t0);
	end = r.port[0].cls[0].last_sent + SLOT(1000);
	fill(&r, 1);
	fill(&r, 2);
	fill(&r, 3);
	take(&r, 1);		/* of class 1: it was never XOFF */
	assert_int_equal(ctrls(&r), 0);
	assert_int_equal(status(&r), 0);
	rig_run(&r, end - rig_now(&r) - 1);
	assert_int_equal(ctrls(&r), 0);
	rig_run(&r, 1);
	expect_pfc(&r, 0, end, BIT(2) | BIT(3), 0xff);
	assert_int_equal(r.port[0].txq[0].seen, 1);
	/* A class that falls in the meantime also comes before data. */
	take(&r, 2);
	rig_drain(&r);
	expect_pfc(&r, 1, end + CTRL_SLOT, BIT(2), 0);
	assert_int_equal(r.port[0].cls[0].last_sent, end + 2 * CTRL_SLOT);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[1].tx_pause), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].tx_pause), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].tx_pause), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[1].tx_xoff), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].tx_xoff), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].tx_xoff), 1);
	rig_fini(&r);
}

/* An XON that lasted less than a frame's time is not sent. */
static void coalesced(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 0xff);
	fill(&r, 1);
	assert_int_equal(ctrls(&r), 1);
	take(&r, 1);
	assert_int_equal(status(&r), BIT(1));	/* XON has to wait for the wire */
	fill(&r, 1);
	rig_run(&r, 2 * CTRL_SLOT);
	assert_int_equal(ctrls(&r), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[1].tx_pause_transition), 1);
	rig_fini(&r);
}

static void while_all_are_paused(void **state)
{
	struct rig r;
	u64 t0;
	u32 i;

	(void)state;
	begin(&r, 0xff);
	rig_pfc(&r, 0, 0xff, true);
	for (i = 0; i < 8; i++)
		rig_post(&r, 0, i, 500);
	rig_pause(&r, 0, 0xff, 0xffff);
	rig_run(&r, 5 * RIG_US);
	t0 = rig_now(&r);
	fill(&r, 4);
	expect_pfc(&r, 0, t0, BIT(4), BIT(4));
	rig_run(&r, REFRESH * QUANTUM);
	expect_pfc(&r, 1, t0 + REFRESH * QUANTUM, BIT(4), BIT(4));
	for (i = 0; i < 8; i++)
		assert_int_equal(r.port[0].txq[i].seen, 0);
	rig_pause(&r, 0, 0xff, 0);
	rig_drain(&r);
	rig_fini(&r);
}

static void while_link_is_paused(void **state)
{
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_TX | PARQ_FC_CTRL_PAUSE_RX);
	get_pause(&r, 0xffff);
	rig_post(&r, 0, 0, 500);
	rig_run(&r, RIG_US);
	t0 = rig_now(&r);
	fill(&r, 0);
	expect_link(&r, 0, t0, true);
	rig_run(&r, REFRESH * QUANTUM);
	expect_link(&r, 1, t0 + REFRESH * QUANTUM, true);
	assert_int_equal(r.port[0].txq[0].seen, 0);
	assert_int_equal(status(&r), PARQ_FC_STATUS_LINK_XOFF |
			 PARQ_FC_STATUS_PAUSED);
	/* The running pause counts for each priority. */
	assert_int_equal(le64_to_cpu(stats(&r)->prio[7].tx_pause_ns),
			 REFRESH * QUANTUM / RIG_NS);
	rig_fini(&r);
}

/* ---- link pause, sent --------------------------------------------------- */

static void first_and_last_buffer(void **state)
{
	struct rig r;
	u64 t0, t1;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_TX);
	t0 = rig_now(&r);
	fill(&r, 2);
	rig_run(&r, RIG_US);
	fill(&r, 6);
	rig_run(&r, RIG_US);
	expect_link(&r, 0, t0, true);
	expect_event(&r, 0, t0, 0, 1, 1, 104);
	take(&r, 1);
	rig_run(&r, RIG_US);
	assert_int_equal(ctrls(&r), 1);
	t1 = rig_now(&r);
	take(&r, 2);
	expect_link(&r, 1, t1, false);
	expect_event(&r, 1, t1, 0, 1, 0, 0);
	assert_int_equal(ctrls(&r), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->tx.pause), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->tx.pfc), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].tx_pause), 0);
	rig_fini(&r);
}

/* ---- changes of settings ------------------------------------------------ */

/* A class that is left paused gets XON; the new kind of pause is sent at once. */
static void other_kind(void **state)
{
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, 0xff);
	fill(&r, 2);
	fill(&r, 3);
	rig_run(&r, RIG_US);
	assert_int_equal(status(&r), BIT(2) | BIT(3));
	t0 = rig_now(&r);
	wr(&r, PARQ_FC_CTRL, 0xff & ~BIT(3));
	expect_pfc(&r, 2, t0, BIT(3), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[3].rx_drop), 1);
	rig_run(&r, RIG_US);
	t0 = rig_now(&r);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_TX);
	rig_run(&r, RIG_US);
	expect_pfc(&r, 3, t0, BIT(2), 0);
	expect_link(&r, 4, t0 + CTRL_SLOT, true);
	assert_int_equal(status(&r), PARQ_FC_STATUS_LINK_XOFF);
	/* Its frame still waits: the class was never lossy. */
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_drop), 0);
	t0 = rig_now(&r);
	wr(&r, PARQ_FC_CTRL, 0);
	expect_link(&r, 5, t0, false);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_drop), 1);
	assert_int_equal(ctrls(&r), 6);
	rig_fini(&r);
}

static void exclusions(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 0);
	refused(&r, PARQ_FC_CTRL, BIT(0) | PARQ_FC_CTRL_PAUSE_TX, PARQ_ERR_STATE);
	refused(&r, PARQ_FC_CTRL, BIT(7) | PARQ_FC_CTRL_PAUSE_RX, PARQ_ERR_STATE);
	refused(&r, PARQ_FC_CTRL, BIT(10), PARQ_ERR_RESERVED);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	refused(&r, PARQ_PFC_CTRL, BIT(0) | PARQ_PFC_CTRL_OFFLOAD, PARQ_ERR_STATE);
	wr(&r, PARQ_PFC_CTRL, PARQ_PFC_CTRL_OFFLOAD);	/* PFC stays off */
	wr(&r, PARQ_FC_CTRL, 0);
	wr(&r, PARQ_PFC_CTRL, BIT(0) | PARQ_PFC_CTRL_OFFLOAD);
	refused(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX, PARQ_ERR_STATE);
	refused(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_TX, PARQ_ERR_STATE);
	wr(&r, PARQ_FC_CTRL, 0xff);
	refused(&r, PARQ_FC_TIME, 0, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_TIME, 65536, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_REFRESH, 0, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_REFRESH, 65536, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_LIMIT, PARQ_FC_LIMIT_MAX_MS + 1, PARQ_ERR_RANGE);
	wr(&r, PARQ_FC_LIMIT, PARQ_FC_LIMIT_MAX_MS);
	refused(&r, PARQ_FC_LOW, 0x0001, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_LOW, 0xff0101, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_LOW, BIT(24), PARQ_ERR_RESERVED);
	refused(&r, PARQ_FC_STATUS, 0, PARQ_ERR_READONLY);
	refused(&r, PARQ_RXB_TOTAL, 0, PARQ_ERR_READONLY);
	rig_fini(&r);
}

/* ---- bounded pauses ----------------------------------------------------- */

static void bounded(void **state)
{
	struct rig r;
	u64 t0, end;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_FC_REFRESH, 60000);
	wr(&r, PARQ_FC_LIMIT, 2);
	t0 = rig_now(&r);
	fill(&r, 5);
	end = t0 + 2 * MS;
	rig_run(&r, 2 * MS - 1);
	assert_int_equal(ctrls(&r), 1);
	rig_run(&r, 1);
	assert_int_equal(ctrls(&r), 2);
	expect_pfc(&r, 1, end, BIT(5), 0);
	assert_int_equal(le32_to_cpu(rig_event(&r, 1)->a), 2);
	assert_int_equal(le32_to_cpu(rig_event(&r, 1)->b), 104);
	expect_event(&r, 2, end, 5, 0, 0, 104);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].tx_pause_storm), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].tx_pause_ns), 2000000);
	/* Stored frames stay, new ones are dropped, and the peer is not paused. */
	fill(&r, 5);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(rd(&r, PARQ_RXB(5) + PARQ_RXB_USED), 104);
	rig_run(&r, 50 * MS);
	assert_int_equal(ctrls(&r), 2);
	fill(&r, 4);		/* others are as before */
	assert_int_equal(status(&r), BIT(4) |
			 FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(5)));
	/* The host takes frames again: lossless again. */
	take(&r, 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].rx_frames), 1);
	rig_run(&r, RIG_US);
	t0 = rig_now(&r);
	fill(&r, 5);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	expect_pfc(&r, ctrls(&r) - 1, t0, BIT(5), BIT(5));
	rig_run(&r, 2 * MS);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].tx_pause_storm), 2);
	rig_fini(&r);
}

/* A break restarts the time; a new limit counts from the beginning of the pause. */
static void bound_is_without_a_break(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_FC_LIMIT, 2);
	for (i = 1; i < 10; i++) {
		fill(&r, 0);
		rig_run(&r, MS);
		take(&r, i);
		rig_run(&r, RIG_US);
	}
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_pause_storm), 0);
	wr(&r, PARQ_FC_LIMIT, 0);
	fill(&r, 0);
	rig_run(&r, 10 * MS);
	assert_int_equal(status(&r), BIT(0));
	wr(&r, PARQ_FC_LIMIT, 12);
	rig_run(&r, 2 * MS - RIG_US);
	assert_int_equal(status(&r), BIT(0));
	rig_run(&r, 2 * RIG_US);
	assert_int_equal(status(&r), FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(0)));
	fill(&r, 1);
	rig_run(&r, 10 * MS);
	assert_int_equal(status(&r), BIT(1) |
			 FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(0)));
	wr(&r, PARQ_FC_LIMIT, 9);	/* has passed */
	rig_run(&r, 1);
	assert_int_equal(status(&r),
			 FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(0) | BIT(1)));
	assert_int_equal(le64_to_cpu(stats(&r)->tx_pause_storm), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[1].tx_pause_storm), 1);
	rig_fini(&r);
}

/*
 * The limit passes while a long frame is on the wire. Even if the buffer falls and rises
 * again before XON can be sent, XON is sent.
 */
static void break_that_was_due_comes(void **state)
{
	struct rig r;
	u64 end;

	(void)state;
	begin(&r, BIT(0));
	wr(&r, PARQ_FC_REFRESH, 60000);
	wr(&r, PARQ_FC_LIMIT, 1);
	fill(&r, 0);
	rig_run(&r, MS - 200 * BYTE);
	rig_post(&r, 0, 1, 1500);
	rig_run(&r, 200 * BYTE);
	end = r.port[0].cls[1].last_sent + SLOT(1500);
	assert_true(end > rig_now(&r));
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_pause_storm), 1);
	take(&r, 1);
	rig_rx_prio(&r, 0, 0, 100, 1);	/* still lossy */
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	rig_run(&r, 10 * RIG_US);
	expect_pfc(&r, 1, end, BIT(0), 0);
	assert_int_equal(ctrls(&r), 2);
	fill(&r, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(status(&r), BIT(0));
	rig_fini(&r);
}

static void bounded_link(void **state)
{
	struct rig r;
	u64 t0;
	u32 i;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_TX);
	wr(&r, PARQ_FC_REFRESH, 60000);
	wr(&r, PARQ_FC_LIMIT, 1);
	t0 = rig_now(&r);
	fill(&r, 5);
	rig_run(&r, MS);
	expect_link(&r, 1, t0 + MS, false);
	for (i = 0; i < 8; i++) {
		assert_int_equal(le64_to_cpu(stats(&r)->prio[i].tx_pause_storm), 1);
		assert_int_equal(le64_to_cpu(stats(&r)->prio[i].tx_pause_ns), 1000000);
		assert_int_equal(le64_to_cpu(stats(&r)->prio[i].tx_pause_transition), 2);
		fill(&r, i);
	}
	assert_int_equal(le64_to_cpu(stats(&r)->tx_pause_storm), 1);
	assert_int_equal(status(&r), PARQ_FC_STATUS_BOUNDED);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 8);
	take(&r, 1);
	rig_run(&r, RIG_US);
	fill(&r, 5);
	assert_int_equal(status(&r), PARQ_FC_STATUS_LINK_XOFF);
	rig_fini(&r);
}

/* ---- frames on request -------------------------------------------------- */

static void on_request(void **state)
{
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, 0x3f);
	t0 = rig_now(&r);
	wr(&r, PARQ_FC_SEND, 0x21 | PARQ_FC_SEND_XOFF);
	wr(&r, PARQ_FC_SEND, 0x21);
	wr(&r, PARQ_FC_SEND, 0x21);
	rig_run(&r, MS);
	assert_int_equal(ctrls(&r), 3);		/* one each, and no refresh */
	expect_pfc(&r, 0, t0, 0x21, 0x21);
	expect_pfc(&r, 1, t0 + CTRL_SLOT, 0x21, 0);
	expect_pfc(&r, 2, t0 + 2 * CTRL_SLOT, 0x21, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_pause), 3);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_xoff), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_pause_transition), 0);
	assert_int_equal(status(&r), 0);
	/* Frames of the buffers are sent as before. */
	t0 = rig_now(&r);
	fill(&r, 0);
	rig_run(&r, RIG_US);
	wr(&r, PARQ_FC_SEND, 0x01);
	rig_run(&r, REFRESH * QUANTUM);
	assert_int_equal(status(&r), BIT(0));
	assert_int_equal(ctrls(&r), 6);
	expect_pfc(&r, 5, t0 + REFRESH * QUANTUM, BIT(0), BIT(0));
	/* Frames of the buffers come first. */
	rig_run(&r, RIG_US);
	t0 = rig_now(&r);
	wr(&r, PARQ_FC_SEND, 0x01);
	wr(&r, PARQ_FC_SEND, 0x02);
	fill(&r, 4);
	rig_run(&r, RIG_US);
	expect_pfc(&r, 6, t0, BIT(0), 0);
	expect_pfc(&r, 7, t0 + CTRL_SLOT, BIT(4), BIT(4));
	expect_pfc(&r, 8, t0 + 2 * CTRL_SLOT, BIT(1), 0);
	rig_fini(&r);
}

static void illegal_requests(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, 0x3f);
	refused(&r, PARQ_FC_SEND, 0, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_XOFF, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_SEND, 0x01 | PARQ_FC_SEND_LINK, PARQ_ERR_RANGE);
	refused(&r, PARQ_FC_SEND, BIT(10), PARQ_ERR_RESERVED);
	refused(&r, PARQ_FC_SEND, 0x41, PARQ_ERR_STATE);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_TX);
	assert_int_equal(ctrls(&r), 0);
	wr(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK | PARQ_FC_SEND_XOFF);
	expect_link(&r, 0, rig_now(&r), true);
	for (i = 0; i < PARQ_FC_SEND_MAX; i++)
		wr(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(ctrls(&r), 1 + PARQ_FC_SEND_MAX);
	wr(&r, PARQ_LINK_CTRL, 0);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_100M));
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	wr(&r, PARQ_FC_CTRL, 0x3f);
	refused(&r, PARQ_FC_SEND, 0x01, PARQ_ERR_STATE);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	wr(&r, PARQ_FC_SEND, 0x01);
	wr(&r, PARQ_PORT_CTRL, 0);
	refused(&r, PARQ_FC_SEND, 0x01, PARQ_ERR_STATE);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_TX);
	refused(&r, PARQ_FC_SEND, PARQ_FC_SEND_LINK, PARQ_ERR_STATE);
	rig_fini(&r);
}

/* Requests that wait are dropped when the link changes. */
static void requests_die_with_the_link(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_FC_SEND, 0x01);
	wr(&r, PARQ_FC_SEND, 0x01);
	wr(&r, PARQ_LINK_CTRL, 0);
	rig_run(&r, RIG_US);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	rig_run(&r, RIG_US);
	assert_int_equal(ctrls(&r), 1);
	rig_fini(&r);
}

/* ---- counters ----------------------------------------------------------- */

static void counters(void **state)
{
	struct parq_stats *s;
	struct rig r;

	(void)state;
	begin(&r, 0xff);
	fill(&r, 6);
	rig_run(&r, 3 * RIG_US);
	s = rig_stats(&r, 0);
	assert_int_equal(le64_to_cpu(s->tx.frames), 1);
	assert_int_equal(le64_to_cpu(s->tx.bytes), 64);
	assert_int_equal(le64_to_cpu(s->tx.multicast), 1);
	assert_int_equal(le64_to_cpu(s->tx.broadcast), 0);
	assert_int_equal(le64_to_cpu(s->tx.ctrl), 1);
	assert_int_equal(le64_to_cpu(s->tx.pfc), 1);
	assert_int_equal(le64_to_cpu(s->tx.pause), 0);
	assert_int_equal(le64_to_cpu(s->tx.rmon[0]), 1);
	assert_int_equal(le64_to_cpu(s->prio[6].tx_pause), 1);
	assert_int_equal(le64_to_cpu(s->prio[6].tx_frames), 0);
	/* A running pause is included, and not counted twice when it ends. */
	assert_int_equal(le64_to_cpu(s->prio[6].tx_pause_ns), 3000);
	assert_int_equal(le64_to_cpu(s->prio[6].tx_pause_transition), 1);
	rig_run(&r, 4 * RIG_US);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[6].tx_pause_ns), 7000);
	take(&r, 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[6].tx_pause_ns), 7000);
	rig_run(&r, 5 * RIG_US);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[6].tx_pause_ns), 7000);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[6].tx_pause_transition), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[6].tx_pause), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].tx_pause_ns), 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 1)->tx.frames), 0);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xoff_and_xon),
		cmocka_unit_test(watermarks_to_the_byte),
		cmocka_unit_test(priorities_of_a_buffer),
		cmocka_unit_test(refresh),
		cmocka_unit_test(refresh_of_slow_links),
		cmocka_unit_test(at_the_next_boundary),
		cmocka_unit_test(coalesced),
		cmocka_unit_test(while_all_are_paused),
		cmocka_unit_test(while_link_is_paused),
		cmocka_unit_test(first_and_last_buffer),
		cmocka_unit_test(other_kind),
		cmocka_unit_test(exclusions),
		cmocka_unit_test(bounded),
		cmocka_unit_test(bound_is_without_a_break),
		cmocka_unit_test(break_that_was_due_comes),
		cmocka_unit_test(bounded_link),
		cmocka_unit_test(on_request),
		cmocka_unit_test(illegal_requests),
		cmocka_unit_test(requests_die_with_the_link),
		cmocka_unit_test(counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
