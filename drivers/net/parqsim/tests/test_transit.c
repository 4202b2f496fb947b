// SPDX-License-Identifier: GPL-2.0
/* Frames that wait to leave by another port: what a pause does to them, and what ends them. */
#include "switch.h"

#define MS	RIG_MS
#define XOFF	4000
#define XON	2000

/* ---- pauses ------------------------------------------------------------- */

/* Watermarks at all ports, in bytes. */
static void set_watermarks(struct fabric *f)
{
	u32 port;

	for (port = 0; port < PORTS; port++) {
		rig_rxb(&f->r, port, 0, PARQSIM_RX_BUFFER_MIN, XOFF, XON);
		rig_rxb_apply(&f->r, port, 0);
	}
}

static void pause_travels_upstream(void **state)
{
	struct fabric *f = switch_begin();
	u32 n;

	(void)state;
	set_watermarks(f);
	meet(f);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (n = 0; !f->xoff[0]; n++) {
		send(f, 0, 2, 3, 1000);
		rig_run(&f->r, RIG_US);
	}
	assert_int_equal(f->xoff[0], BIT(3));
	assert_int_equal(n, XOFF / 1004 + 1);
	assert_int_equal(stored(f, 0), n * 1004);
	/* Nobody else is affected. */
	send(f, 1, 2, 4, 1000);
	send(f, 0, 1, 4, 1000);
	rig_run(&f->r, 10 * RIG_US);
	assert_sent(f, 0, 1, 1, 0);
	assert_int_equal(f->xoff[1] | f->xoff[2] | f->xoff[3], 0);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_int_equal(f->xoff[0], 0);
	assert_sent(f, 0, 0, n, 0);
	fabric_fini(f);
}

/*
 * PARQ_FC_LIMIT is for a host that takes no frames. It does not end a pause that another station
 * has caused: frames would be lost.
 */
static void long_pause(void **state)
{
	struct fabric *f = switch_begin();
	u32 n, i;

	(void)state;
	set_watermarks(f);
	rig_write(&f->r, 0, PARQ_FC_LIMIT, 1);
	meet(f);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (n = 0; !f->xoff[0]; n++) {
		send(f, 0, 2, 3, 1000);
		rig_run(&f->r, RIG_US);
	}
	for (i = 0; i < 5; i++) {
		rig_pause(&f->r, 2, BIT(3), 0xffff);
		rig_run(&f->r, MS);
		assert_int_equal(f->xoff[0], BIT(3));
	}
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_int_equal(f->xoff[0], 0);
	assert_sent(f, 0, 0, n, 0);
	assert_int_equal(le64_to_cpu(rig_stats(&f->r, 0)->tx_pause_storm), 0);
	fabric_fini(f);
}

/* Frames that may be dropped do not fill the buffers of those who send to others. */
static void slow_port_takes_its_share(void **state)
{
	u32 limit = PARQSIM_RX_BUFFER_MIN / PARQ_SW_LOSSY_SHARE, i;
	struct fabric *f = switch_begin();

	(void)state;
	meet(f);
	rig_pause(&f->r, 2, BIT(5), 0xffff);
	for (i = 0; i < 100; i++)
		send(f, 0, 2, 5, 1500);
	assert_in_range(stored(f, 0), limit, limit + 2 * 1504);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_FULL), 100 - stored(f, 0) / 1504);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NO_ROOM), 0);
	/* A flood goes to the others. */
	send(f, 0, EVERYBODY, 5, 1500);
	rig_run(&f->r, 10 * RIG_US);
	assert_sent(f, 0, 1, 0, 1);
	rig_pause(&f->r, 2, BIT(5), 0);
	rig_run(&f->r, MS);
	assert_int_equal(stored(f, 0), 0);
	send(f, 0, 2, 5, 1500);
	rig_run(&f->r, MS);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_FULL), 101 - f->sent[2] + 1);
	fabric_fini(f);
}

/* What was in the pipeline parks on the device; what the host has fetched parks in its memory. */
static void parks_with_the_host(void **state)
{
	const struct parq_prio_stats *s;
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	for (i = 0; i < 20; i++) {
		send(f, 0, 2, 3, 1500);
		send(f, 1, 2, 3, 1500);
		rig_post(&f->r, 2, 3, 1500);
	}
	rig_run(&f->r, 10 * RIG_US);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	rig_run(&f->r, 10 * RIG_US);
	s = &rig_stats(&f->r, 2)->prio[3];
	assert_in_range(le64_to_cpu(s->park_depth), 2, f->r.cfg.depth);
	assert_true(f->r.sim->qmi.port[2].cls[3].transit.count);
	assert_true(f->r.sim->qmi.port[2].cls[3].transit.count < le64_to_cpu(s->park_depth));
	/* A pass is turned back half way: everything keeps its order. */
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, 2 * RIG_US);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	rig_run(&f->r, 10 * RIG_US);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 40, 0);
	s = &rig_stats(&f->r, 2)->prio[3];
	assert_int_equal(le64_to_cpu(s->park_depth), 0);
	assert_int_equal(le64_to_cpu(s->tx_frames), 60);
	fabric_fini(f);
}

/* In a pass host frames and transit frames go in the order in which they were fetched. */
static void passes_in_order(void **state)
{
	struct fabric *f = switch_begin();
	const struct parq_event *e;
	u32 i, order = 0, n = 0;

	(void)state;
	meet(f);
	for (i = 0; i < 20; i++) {
		send(f, 0, 2, 3, 1500);
		rig_post(&f->r, 2, 3, 1500);
	}
	rig_run(&f->r, 10 * RIG_US);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	rig_run(&f->r, 10 * RIG_US);
	parqsim_write(f->r.sim, PARQ_EVENT_MASK, BIT(PARQ_EV_REINJECT));
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	for (i = 0; i < BIT(RIG_EV_LOG2); i++) {
		e = rig_event(&f->r, i);
		if (e->type != PARQ_EV_REINJECT)
			continue;
		assert_true(le32_to_cpu(e->a) > order);
		order = le32_to_cpu(e->a);
		n++;
	}
	assert_in_range(n, 4, f->r.cfg.depth);
	fabric_fini(f);
}

static void assert_shared(struct fabric *f)
{
	u32 transit, host, frames, i;

	frames = le64_to_cpu(rig_stats(&f->r, 2)->prio[3].tx_frames);
	for (i = 0; i < 60; i++) {
		send(f, 0, 2, 3, 976);
		rig_post(&f->r, 2, 3, 226);
		rig_post(&f->r, 2, 11, 226);
	}
	rig_run(&f->r, 40 * RIG_US);
	transit = 1000 * f->sent[2];
	frames = le64_to_cpu(rig_stats(&f->r, 2)->prio[3].tx_frames) - frames;
	host = 250 * (frames - f->sent[2]);
	assert_in_range(host, transit - 1500, transit + 1500);
	rig_run(&f->r, MS);
}

/* Host and fabric send as many bytes each, whatever the length of their frames. */
static void shares_with_the_host(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	meet(f);
	assert_shared(f);
	fabric_fini(f);
}

/* The same if the host has sent while there was nothing else. */
static void alone_before(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	for (i = 0; i < 100; i++)
		rig_post(&f->r, 2, 3, 226);
	rig_run(&f->r, MS);
	assert_shared(f);
	fabric_fini(f);
}

/* ---- what ends a frame -------------------------------------------------- */

/* Frames that wait for port 2: in its queue, in the pipeline and parked. */
static void fill(struct fabric *f)
{
	u32 i;

	meet(f);
	for (i = 0; i < 30; i++)
		send(f, 0, 2, 3, 1500);
	rig_run(&f->r, 10 * RIG_US);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	rig_run(&f->r, 10 * RIG_US);
	assert_true(f->r.sim->qmi.port[2].cls[3].transit.count);
	assert_true(stored(f, 0));
}

static void assert_purged(struct fabric *f, enum parq_sw_stat reason)
{
	rig_run(&f->r, 10 * RIG_US);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(f->sent[2] + stat(f, 2, reason), 30);
	assert_true(stat(f, 2, reason));
	/* The class works afterwards, for the host as well. */
	memset(f->sent, 0, sizeof(f->sent));
	rig_pause(&f->r, 2, BIT(3), 0);
	join(f, 2, JOINED);
	send(f, 0, EVERYBODY, 3, 100);
	rig_post(&f->r, 2, 3, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 1, 1);
	assert_int_equal(le64_to_cpu(rig_stats(&f->r, 2)->txq[3].frames),
			 f->r.port[2].txq[3].posted);
}

static void blocking_purges(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	fill(f);
	join(f, 2, JOINED & ~PARQ_SW_CTRL_STATE);
	assert_int_equal(stored(f, 0), 0);
	assert_purged(f, PARQ_SW_TX_DROP_PURGE);
	fabric_fini(f);
}

/* In a pass, with parked frames of the host that go on. */
static void leaving_purges_in_a_pass(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	for (i = 0; i < 20; i++)
		rig_post(&f->r, 2, 3, 1500);
	fill(f);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, RIG_US);
	join(f, 2, 0);
	assert_purged(f, PARQ_SW_TX_DROP_PURGE);
	fabric_fini(f);
}

/* Without a pause they wait for the frame on the wire. */
static void leaving_purges_what_waits_for_the_wire(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	for (i = 0; i < 30; i++)
		send(f, 0, 2, 3, 1500);
	rig_run(&f->r, 10 * RIG_US);
	assert_true(stored(f, 0) > 2 * 1504);
	join(f, 2, 0);
	assert_int_equal(stored(f, 0), 1504);
	assert_purged(f, PARQ_SW_TX_DROP_PURGE);
	fabric_fini(f);
}

static void leaving_purges_the_pipeline(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	meet(f);
	send(f, 0, 2, 3, 1500);
	rig_run(&f->r, RIG_NS);
	assert_int_equal(f->r.sim->bmi->count, 1);
	join(f, 2, 0);
	assert_int_equal(stored(f, 0), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);
	fabric_fini(f);
}

static void cable_pulled(void **state)
{
	const struct parqsim_partner none = { .present = false };
	struct parqsim_partner self;
	struct fabric *f = switch_begin();

	(void)state;
	fill(f);
	parqsim_link_self(f->r.sim, 2, &self);
	parqsim_link(f->r.sim, 2, &none);
	assert_int_equal(stored(f, 0), 0);
	send(f, 0, 2, 3, 1000);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(f->sent[2] + stat(f, 2, PARQ_SW_TX_DROP_LINK), 31);
	f->next[0][3] = 30;
	self.present = true;
	parqsim_link(f->r.sim, 2, &self);
	f->r.port[2].cls[3].pause_until = 0;
	memset(f->sent, 0, sizeof(f->sent));
	send(f, 0, 2, 3, 1000);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 1, 0);
	fabric_fini(f);
}

static void port_disabled(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	fill(f);
	rig_write(&f->r, 2, PARQ_PORT_CTRL, 0);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_PORT(2) + PARQ_SW_CTRL), 0);
	assert_int_equal(f->sent[2] + stat(f, 2, PARQ_SW_TX_DROP_LINK), 30);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_PURGE), 0);
	send(f, 0, 2, 3, 1000);
	rig_run(&f->r, MS);
	fabric_fini(f);
}

static void ingress_disabled(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (i = 0; i < 10; i++)
		send(f, 0, 2, 3, 1500);
	rig_run(&f->r, RIG_US);
	rig_write(&f->r, 0, PARQ_PORT_CTRL, 0);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 10, 0);
	fabric_fini(f);
}

/* What is written to PARQ_SW_CTRL of a disabled port has no effect before it is enabled. */
static void joined_while_disabled(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	rig_write(&f->r, 0, PARQ_PORT_CTRL, 0);
	join(f, 0, JOINED);
	send(f, 0, EVERYBODY, 0, 100);
	send(f, 1, 0, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 1, 1);
	assert_int_equal(le64_to_cpu(rig_stats(&f->r, 0)->rx_drop_disabled), 1);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_FRAMES), 0);
	assert_int_equal(stat(f, 0, PARQ_SW_TX_DROP_LINK), 1);
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 1);
	rig_write(&f->r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	send(f, 0, EVERYBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 1, 1);
	fabric_fini(f);
}

static void storm(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	rig_storm(&f->r, 2, 1, false);
	fill(f);
	rig_run(&f->r, 2 * MS);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(f->sent[2] + stat(f, 2, PARQ_SW_TX_DROP_STORM), 30);
	fabric_fini(f);
}

static void too_long(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	rig_write(&f->r, 0, PARQ_MAX_FRAME, 9000);
	rig_write(&f->r, 1, PARQ_MAX_FRAME, 9000);
	send(f, 0, NOBODY, 0, 3000);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 0, 0);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_LONG), 1);
	fabric_fini(f);
}

/* A buffer that is full drops the frame for all ports. */
static void no_room(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (i = 0; i < 100; i++)
		send(f, 0, 2, 3, 1500);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NO_ROOM), 100 - PARQSIM_RX_BUFFER_MIN / 1504);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, PARQSIM_RX_BUFFER_MIN / 1504, 0);
	fabric_fini(f);
}

/* Each priority fills its own buffer. */
static void no_room_in_one_buffer(void **state)
{
	const u32 half = PARQSIM_RX_BUFFER_MIN / 2;
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	meet(f);
	rig_write(&f->r, 0, PARQ_FC_CTRL, BIT(3) | BIT(4));
	rig_rxb(&f->r, 0, 0, half, half, 0);
	rig_rxb(&f->r, 0, 1, half, half, 0);
	rig_rxb_apply(&f->r, 0, 1 << 4 * 4);
	rig_pause(&f->r, 2, BIT(3) | BIT(4), 0xffff);
	for (i = 0; i < 50; i++)
		send(f, 0, 2, 3, 1500);
	assert_int_equal(stored(f, 0), half / 1504 * 1504);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NO_ROOM), 50 - half / 1504);
	send(f, 0, 2, 4, 1500);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NO_ROOM), 50 - half / 1504);
	rig_pause(&f->r, 2, BIT(3) | BIT(4), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, half / 1504 + 1, 0);
	fabric_fini(f);
}

/* Copies of floods use up their share of the descriptors: a frame to one port still gets one. */
static void many_copies(void **state)
{
	struct fabric *f = switch_begin();
	const struct transit *t = &f->r.sim->transit;
	u32 port, i, dropped = 0, sent = 0;

	(void)state;
	meet(f);
	for (port = 0; port < PORTS; port++)
		rig_pause(&f->r, port, BIT(3), 0xffff);
	for (i = 0; t->extra < t->frames / 4; i++)
		send(f, i % PORTS, EVERYBODY, 3, 64);
	send(f, 0, EVERYBODY, 3, 64);
	for (port = 0; port < PORTS; port++)
		dropped += stat(f, port, PARQ_SW_TX_DROP_FULL);
	assert_in_range(dropped, 2, 3);
	send(f, 0, 1, 3, 64);
	for (port = 0; port < PORTS; port++)
		rig_pause(&f->r, port, BIT(3), 0);
	rig_run(&f->r, 10 * MS);
	for (port = 0; port < PORTS; port++)
		sent += f->sent[port];
	assert_int_equal(sent, 3 * (i + 1) + 1 - dropped);
	fabric_fini(f);
}

static void reset(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	fill(f);
	parqsim_reset(f->r.sim);
	f->r.used = 0;
	rig_start(&f->r, SPEED, true);
	memset(f->next, 0, sizeof(f->next));
	memset(f->seen, 0, sizeof(f->seen));
	join(f, 0, JOINED);
	join(f, 1, JOINED);
	meet(f);
	send(f, 0, 1, 3, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 0, 0);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pause_travels_upstream),
		cmocka_unit_test(long_pause),
		cmocka_unit_test(slow_port_takes_its_share),
		cmocka_unit_test(parks_with_the_host),
		cmocka_unit_test(passes_in_order),
		cmocka_unit_test(shares_with_the_host),
		cmocka_unit_test(alone_before),
		cmocka_unit_test(blocking_purges),
		cmocka_unit_test(leaving_purges_in_a_pass),
		cmocka_unit_test(leaving_purges_what_waits_for_the_wire),
		cmocka_unit_test(leaving_purges_the_pipeline),
		cmocka_unit_test(cable_pulled),
		cmocka_unit_test(port_disabled),
		cmocka_unit_test(ingress_disabled),
		cmocka_unit_test(joined_while_disabled),
		cmocka_unit_test(storm),
		cmocka_unit_test(too_long),
		cmocka_unit_test(no_room),
		cmocka_unit_test(no_room_in_one_buffer),
		cmocka_unit_test(many_copies),
		cmocka_unit_test(reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
