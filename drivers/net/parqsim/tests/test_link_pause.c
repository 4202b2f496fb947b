// SPDX-License-Identifier: GPL-2.0
/*
 * Link pause and Pause Low: how the NIC stops, and what remains of pauses, in both
 * directions, when the link changes or the port stops.
 */
#include "flow.h"

static u32 sent(struct rig *r, u32 queue)
{
	return r->port[0].txq[queue].seen;
}

static void link_pause_stops_the_mac(void **state)
{
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	rig_post(&r, 0, 3, 1000);
	rig_post(&r, 0, 3, 1000);
	rig_run(&r, 100 * BYTE);
	get_pause(&r, 500);
	t0 = rig_now(&r);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_run(&r, 500 * QUANTUM - 1);
	assert_int_equal(sent(&r, 3), 1);	/* which was on the wire */
	rig_run(&r, 1);
	assert_int_equal(sent(&r, 3), 2);
	assert_int_equal(r.port[0].cls[3].last_sent, t0 + 500 * QUANTUM);
	assert_int_equal(status(&r), 0);
	rig_drain(&r);
	/* Loaded again, then ended. */
	get_pause(&r, 500);
	rig_post(&r, 0, 3, 1000);
	rig_run(&r, 499 * QUANTUM);
	get_pause(&r, 500);
	rig_run(&r, 499 * QUANTUM);
	assert_int_equal(sent(&r, 3), 2);
	get_pause(&r, 0);
	t0 = rig_now(&r);
	assert_int_equal(status(&r), 0);
	assert_int_equal(r.port[0].cls[3].last_sent, t0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 4);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.ctrl), 4);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_ctrl_unknown), 0);
	rig_drain(&r);
	/* Switched off: at once. */
	get_pause(&r, 0xffff);
	rig_post(&r, 0, 3, 1000);
	rig_run(&r, RIG_US);
	wr(&r, PARQ_FC_CTRL, 0);
	assert_int_equal(r.port[0].cls[3].last_sent, rig_now(&r));
	get_pause(&r, 0xffff);
	assert_int_equal(status(&r), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 6);
	rig_drain(&r);
	rig_fini(&r);
}

static void whose_pause_it_is(void **state)
{
	static const u8 own[6] = { 2, 0, 0, 0, 0, 1 };
	static const u8 other[6] = { 2, 0, 0, 0, 0, 7 };
	static const u8 group[6] = { 1, 0x80, 0xc2, 0, 0, 2 };
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	get_pause_as(&r, 0x0001, 9, other);
	get_pause_as(&r, 0x0001, 9, group);
	get_pause_as(&r, 0x0002, 9, NULL);
	get_pause_as(&r, 0x0000, 9, NULL);	/* no Pause Low either */
	assert_int_equal(status(&r), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_ctrl_unknown), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_ctrl_addr), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 0);
	get_pause_as(&r, 0x0001, 9, own);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_fini(&r);
}

#define LOW		0x0202

/* Low priorities are not fetched; other priorities and fetched frames are still sent. */
static void pause_low(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0x0f));
	for (i = 0; i < 10; i++)
		rig_post(&r, 0, 1, 1000);
	rig_run(&r, 5 * RIG_NS);	/* six clocks */
	get_pause_as(&r, LOW, 1000, NULL);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED_LOW);
	for (i = 0; i < 8; i++)
		rig_post(&r, 0, i, 500);
	rig_run(&r, 1000 * QUANTUM - 1);
	assert_int_equal(sent(&r, 1), 6);
	assert_int_equal(sent(&r, 0) + sent(&r, 2) + sent(&r, 3), 0);
	for (i = 4; i < 8; i++)
		assert_int_equal(sent(&r, i), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 1);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED_LOW);
	rig_run(&r, 1);
	assert_int_equal(status(&r), 0);
	rig_drain(&r);
	/* Another set takes effect at once. */
	get_pause_as(&r, LOW, 1000, NULL);
	rig_post(&r, 0, 0, 500);
	rig_post(&r, 0, 7, 500);
	rig_run(&r, RIG_US);
	assert_int_equal(sent(&r, 0), 1);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0x80));
	rig_post(&r, 0, 7, 500);
	rig_run(&r, RIG_US);
	assert_int_equal(sent(&r, 0), 2);
	assert_int_equal(sent(&r, 7), 2);
	rig_drain(&r);
	assert_int_equal(sent(&r, 7), 3);
	rig_fini(&r);
}

/* A pause that is obeyed does not end when other settings change. */
static void settings_do_not_end_it(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	get_pause(&r, 500);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX | PARQ_FC_CTRL_PAUSE_TX);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0x0f));
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_run(&r, 500 * QUANTUM - 1);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_run(&r, 1);
	assert_int_equal(status(&r), 0);
	get_pause_as(&r, LOW, 500, NULL);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED_LOW);
	rig_run(&r, 500 * QUANTUM - 1);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED_LOW);
	rig_fini(&r);
}

/* The last frame decides. */
static void pauses_override_each_other(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0x0f));
	get_pause(&r, 1000);
	rig_post(&r, 0, 0, 500);
	rig_post(&r, 0, 7, 500);
	rig_run(&r, RIG_US);
	assert_int_equal(sent(&r, 0) + sent(&r, 7), 0);
	/* Both are fetched by now: both are sent, but no further one of class 0. */
	get_pause_as(&r, LOW, 1000, NULL);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED_LOW);
	rig_run(&r, 2 * RIG_US);
	rig_post(&r, 0, 0, 500);
	rig_post(&r, 0, 7, 500);
	rig_run(&r, 2 * RIG_US);
	assert_int_equal(sent(&r, 0), 1);
	assert_int_equal(sent(&r, 7), 2);
	get_pause(&r, 10);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_run(&r, 5 * QUANTUM);
	assert_int_equal(sent(&r, 0), 1);
	/* The ten quanta of the last frame replace the thousand. */
	rig_run(&r, 10 * QUANTUM);
	assert_int_equal(status(&r), 0);
	assert_int_equal(sent(&r, 0), 2);
	rig_drain(&r);
	get_pause(&r, 1000);
	get_pause_as(&r, LOW, 0, NULL);
	assert_int_equal(status(&r), 0);
	get_pause_as(&r, LOW, 1000, NULL);
	get_pause(&r, 0);
	assert_int_equal(status(&r), 0);
	rig_fini(&r);
}

static void pfc_ends_link_pause(void **state)
{
	static const u16 none[8];
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0x0f));
	get_pause(&r, 100);
	rig_pfc_frame(&r, 0, 0, none);		/* names nobody, but is one */
	assert_int_equal(status(&r), PARQ_FC_STATUS_PFC_SEEN |
			 PARQ_FC_STATUS_PAUSED);
	get_pause(&r, 0);
	assert_true(status(&r) & PARQ_FC_STATUS_PAUSED);
	rig_run(&r, 100 * QUANTUM);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PFC_SEEN);
	get_pause(&r, 100);
	get_pause_as(&r, LOW, 100, NULL);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PFC_SEEN);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 4);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pfc), 1);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	assert_int_equal(status(&r), 0);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	get_pause(&r, 100);
	assert_int_equal(status(&r), PARQ_FC_STATUS_PAUSED);
	rig_fini(&r);
}

/* ---- links -------------------------------------------------------------- */

/* No timer is loaded, but frames are counted, and the host gets them if enabled. */
static void half_duplex(void **state)
{
	u64 before;
	struct rig r;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_100M));
	r.port[0].byte_ps = parqsim_byte_ps(PARQ_SPEED_100M);
	fill(&r, 0);
	rig_run(&r, 10 * MS);
	assert_int_equal(ctrls(&r), 0);
	assert_int_equal(status(&r), 0);
	/* Frames wait nevertheless. */
	take(&r, 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].rx_frames), 1);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	wr(&r, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_MACCTRL);
	rig_rx_tail(&r, 0, 0, 8);
	before = le64_to_cpu(stats(&r)->rxq[0].frames);
	get_pause(&r, 0xffff);
	assert_int_equal(status(&r), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pause), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), before + 1);
	wr(&r, PARQ_FC_CTRL, 0);
	wr(&r, PARQ_PFC_CTRL, 0xff | PARQ_PFC_CTRL_OFFLOAD);
	rig_pause(&r, 0, 0xff, 0xffff);
	assert_int_equal(rd(&r, PARQ_PFC(0) + PARQ_PFC_TIMER), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), before + 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pfc), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].rx_pause), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].rx_pause_transition), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_ctrl_unknown), 0);
	rig_fini(&r);
}

/* Both ends clear their state. On the new link each sends XOFF again if still due. */
static void link_loss(void **state)
{
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, 0xff);
	t0 = rig_now(&r);
	fill(&r, 2);
	rig_run(&r, 10 * RIG_US);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	assert_int_equal(status(&r), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].tx_pause_ns), 10000);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].tx_pause_transition), 2);
	rig_run(&r, 10 * MS);
	assert_int_equal(ctrls(&r), 1);
	expect_pfc(&r, 0, t0, BIT(2), BIT(2));
	t0 = rig_now(&r);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	expect_pfc(&r, 1, t0, BIT(2), BIT(2));
	take(&r, 1);
	rig_run(&r, RIG_US);
	wr(&r, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX);
	get_pause(&r, 0xffff);
	rig_post(&r, 0, 0, 500);
	rig_run(&r, RIG_US);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	assert_int_equal(status(&r), 0);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	assert_int_equal(r.port[0].cls[0].last_sent, rig_now(&r));
	rig_drain(&r);
	rig_fini(&r);
}

/* Nothing remains of the port's pauses in either direction. */
static void port_stop(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX | PARQ_FC_CTRL_PAUSE_TX);
	get_pause(&r, 0xffff);
	rig_post(&r, 0, 0, 500);
	rig_run(&r, RIG_US);
	fill(&r, 0);
	assert_int_equal(ctrls(&r), 1);
	wr(&r, PARQ_PORT_CTRL, 0);
	assert_int_equal(status(&r), 0);
	rig_run(&r, 100 * MS);
	assert_int_equal(ctrls(&r), 1);
	assert_int_equal(sent(&r, 0), 0);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[0].tx_pause_transition), 2);
	rig_fini(&r);
}

/* A reset NIC obeys nothing. */
static void reset(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, PARQ_FC_CTRL_PAUSE_RX);
	wr(&r, PARQ_FC_LOW, LOW | FIELD_PREP(PARQ_FC_LOW_PRIOS, 0xff));
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, SPEED, true);
	get_pause(&r, 0xffff);
	assert_int_equal(status(&r), 0);
	get_pause_as(&r, LOW, 0xffff, NULL);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_ctrl_unknown), 1);
	rig_fini(&r);
}

/* A reset ends what was above its watermark or bounded, and all settings. */
static void reset_of_the_sender(void **state)
{
	u16 w[9] = { BIT(0), 65535 };
	struct rig r;
	u64 t0;

	(void)state;
	begin(&r, 0xff);
	wr(&r, PARQ_FC_LIMIT, 1);
	fill(&r, 0);
	rig_run(&r, MS);
	assert_int_equal(status(&r), FIELD_PREP(PARQ_FC_STATUS_BOUNDED, BIT(0)));
	wr(&r, PARQ_FC_SEND, BIT(1));
	wr(&r, PARQ_FC_SEND, BIT(1));
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, SPEED, true);
	rig_rxq_up(&r, 0, 0, 8, 2048);
	rig_rx_tail(&r, 0, 0, 0);
	r.port[0].ctrls = 0;
	wr(&r, PARQ_FC_CTRL, BIT(0));
	rig_rxb(&r, 0, 0, 2000, 103, 0);
	rig_rxb_apply(&r, 0, 0);
	rig_run(&r, RIG_US);
	assert_int_equal(status(&r), 0);
	t0 = rig_now(&r);
	fill(&r, 0);
	rig_run(&r, 32767 * QUANTUM);
	assert_int_equal(ctrls(&r), 2);
	expect_frame(&r, 0, t0, 0x0101, w, 9);
	expect_frame(&r, 1, t0 + 32767 * QUANTUM, 0x0101, w, 9);
	assert_int_equal(status(&r), BIT(0));
	rig_fini(&r);
}

/* The pause bits are passed on and have no effect. */
static void advertisement(void **state)
{
	u32 pause = PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM;
	struct rig r;

	(void)state;
	begin(&r, 0);
	wr(&r, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_AN |
	   PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, SPEED));
	assert_int_equal(rd(&r, PARQ_LINK_ADV), rd(&r, PARQ_LINK_CAP));
	wr(&r, PARQ_LINK_ADV, BIT(PARQ_SPEED_1G) | BIT(PARQ_SPEED_25G) | pause);
	assert_int_equal(rd(&r, PARQ_LINK_ADV),
			 BIT(PARQ_SPEED_1G) | BIT(PARQ_SPEED_25G) | pause);
	assert_int_equal(rd(&r, PARQ_LINK_PARTNER), rd(&r, PARQ_LINK_ADV));
	assert_int_equal(FIELD_GET(PARQ_PORT_STATUS_SPEED,
				   rd(&r, PARQ_PORT_STATUS)), PARQ_SPEED_25G);
	refused(&r, PARQ_LINK_ADV, pause, PARQ_ERR_RANGE);
	refused(&r, PARQ_LINK_ADV, BIT(PARQ_NUM_SPEEDS), PARQ_ERR_RESERVED);
	/* Two ends that have only these bits in common have no link. */
	parqsim_link(r.sim, 0, &(struct parqsim_partner){
		.present = true, .en = true, .an = true, .full_duplex = true,
		.adv = BIT(PARQ_SPEED_10G) | pause,
	});
	assert_int_equal(rd(&r, PARQ_PORT_STATUS), PARQ_PORT_STATUS_PRESENT);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(link_pause_stops_the_mac),
		cmocka_unit_test(whose_pause_it_is),
		cmocka_unit_test(pause_low),
		cmocka_unit_test(pauses_override_each_other),
		cmocka_unit_test(pfc_ends_link_pause),
		cmocka_unit_test(half_duplex),
		cmocka_unit_test(link_loss),
		cmocka_unit_test(port_stop),
		cmocka_unit_test(reset),
		cmocka_unit_test(reset_of_the_sender),
		cmocka_unit_test(advertisement),
		cmocka_unit_test(settings_do_not_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
