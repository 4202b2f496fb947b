// SPDX-License-Identifier: GPL-2.0
/* The event ring: what is written, when, where, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>
#include <linux/parq_hw_switch.h>

#include "rig.h"

#define SIZE		BIT(RIG_EV_LOG2)
#define PORT		1	/* what happens, happens here */
#define PRIO		5
#define QUEUE		5	/* of this priority */
#define OTHER		13	/* so is this one */
#define ALL		(BIT(PARQ_NUM_EV) - 1)

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS, .forward = true,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static u32 rd(struct rig *r, u32 off)
{
	return parqsim_read(r->sim, off);
}

static void wr(struct rig *r, u32 off, u32 val)
{
	parqsim_write(r->sim, off, val);
}

static void event_init(struct rig *r, u32 mask)
{
	rig_init(r, &config, PARQ_SPEED_1G, true);
	rig_pfc(r, PORT, BIT(PRIO), true);
	wr(r, PARQ_EVENT_MASK, mask);
	rig_assert_no_error(r);
	r->irqs[0] = 0;
}

static bool is_there(struct rig *r, u32 pos)
{
	return le32_to_cpu(rig_event(r, pos)->gen) == 1 + pos / SIZE;
}

/* That it is of this instant and the last one, too. */
static void expect(struct rig *r, u32 pos, u32 type, u32 a, u32 b)
{
	const struct parq_event *e = rig_event(r, pos);

	assert_true(is_there(r, pos));
	assert_false(is_there(r, pos + 1));
	assert_int_equal(le64_to_cpu(e->time), rig_now(r) / RIG_NS);
	assert_int_equal(e->type, type);
	assert_int_equal(le32_to_cpu(e->a), a);
	assert_int_equal(le32_to_cpu(e->b), b);
	assert_int_equal(e->rsvd[0], 0);
	assert_int_equal(e->rsvd[1], 0);
}

static void expect_place(struct rig *r, u32 pos, u32 port, u32 prio, u32 index)
{
	const struct parq_event *e = rig_event(r, pos);

	assert_int_equal(e->port, port);
	assert_int_equal(e->prio, prio);
	assert_int_equal(e->index, index);
}

static void expect_lost(struct rig *r, u32 lost)
{
	assert_int_equal(rd(r, PARQ_EVENT_LOST), lost);
	assert_int_equal(le64_to_cpu(rig_stats(r, PORT)->event_lost), lost);
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->event_lost), 0);
}

static void set_phy(struct rig *r, bool on)
{
	u32 ctrl = rig_read(r, PORT, PARQ_LINK_CTRL) & ~PARQ_LINK_CTRL_EN;

	rig_write(r, PORT, PARQ_LINK_CTRL, ctrl | (on ? PARQ_LINK_CTRL_EN : 0));
}

static void pause(struct rig *r, u16 time)
{
	rig_pause(r, PORT, BIT(PRIO), time);
}

/* ---- each type ---------------------------------------------------------- */

static void link_events(void **state)
{
	struct rig r;
	u32 status;

	(void)state;
	event_init(&r, BIT(PARQ_EV_LINK));
	rig_run(&r, 5 * RIG_US);
	set_phy(&r, false);
	status = rig_read(&r, PORT, PARQ_PORT_STATUS);
	assert_int_equal(status, PARQ_PORT_STATUS_PRESENT);
	expect(&r, 0, PARQ_EV_LINK, status, 0);
	expect_place(&r, 0, PORT, 0, 0);
	assert_int_equal(r.irqs[0], 1);
	rig_run(&r, 5 * RIG_US);
	set_phy(&r, true);
	status = rig_read(&r, PORT, PARQ_PORT_STATUS);
	assert_true(status & PARQ_PORT_STATUS_LINK);
	expect(&r, 1, PARQ_EV_LINK, status, 0);
	expect_place(&r, 1, PORT, 0, 0);
	assert_int_equal(r.irqs[0], 2);
	set_phy(&r, true);	/* nothing changes */
	assert_false(is_there(&r, 2));
	rig_fini(&r);
}

/* The first since PARQ_ERR was cleared, and only that. */
static void error_events(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	event_init(&r, BIT(PARQ_EV_ERROR));
	for (i = 0; i < 3; i++) {
		rig_run(&r, RIG_US);
		wr(&r, PARQ_MAGIC, i);
		expect(&r, i, PARQ_EV_ERROR, rd(&r, PARQ_ERR), PARQ_MAGIC);
		assert_int_equal(rd(&r, PARQ_ERR),
				 FIELD_PREP(PARQ_ERR_CAUSE, PARQ_ERR_READONLY) |
				 FIELD_PREP(PARQ_ERR_COUNT, 1));
		expect_place(&r, i, 0, 0, 0);
		rig_write(&r, PORT, PARQ_MAX_FRAME, 1);
		assert_false(is_there(&r, i + 1));
		assert_int_equal(r.irqs[0], i + 1);
		wr(&r, PARQ_ERR, 0);
	}
	rig_write(&r, PORT, PARQ_MAX_FRAME, 1);
	expect(&r, i, PARQ_EV_ERROR, rd(&r, PARQ_ERR),
	       PARQ_PORT(PORT) + PARQ_MAX_FRAME);
	rig_fini(&r);
}

static void queue_events(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	event_init(&r, BIT(PARQ_EV_QUEUE));
	r.db[(PARQ_DB_TX(PORT, OTHER) + PARQ_DB_TAIL) / 4] = ~0U;
	parqsim_run(r.sim, rig_now(&r));
	expect(&r, 0, PARQ_EV_QUEUE, PARQ_ERR_DOORBELL, 0);
	expect_place(&r, 0, PORT, OTHER % 8, OTHER);
	assert_int_equal(r.irqs[0], 1);
	rig_run(&r, RIG_US);
	for (i = 0; i < 2; i++) {
		rig_rxq_up(&r, PORT, i, 6, 256);
		rig_deny(&r, r.port[PORT].rxq[i].fill, 8);
		rig_rx_steer(&r, PORT, i, i);
		rig_rx_prio(&r, PORT, 0, 100, 0);
		expect(&r, 1 + i, PARQ_EV_QUEUE, PARQ_ERR_DMA, 0);
		expect_place(&r, 1 + i, PORT, 0, PARQ_MAX_TXQ + i);
	}
	assert_int_equal(r.irqs[0], 3);
	expect_lost(&r, 0);
	rig_fini(&r);
}

/* From idle to idle, each from where the one before went to. */
static void fsm_events(void **state)
{
	static const u8 way[] = {
		PARQ_FSM_IDLE, PARQ_FSM_HALTING, PARQ_FSM_PARKED,
		PARQ_FSM_FLUSHING, PARQ_FSM_PARKED, PARQ_FSM_RELEASING,
		PARQ_FSM_IDLE,
	};
	const struct parq_event *e;
	struct rig r;
	u32 i;

	(void)state;
	event_init(&r, BIT(PARQ_EV_FSM));
	for (i = 0; i < 5; i++)
		rig_post(&r, PORT, QUEUE, 1000);
	rig_run(&r, RIG_US);
	pause(&r, 0xffff);
	rig_run(&r, 50 * RIG_US);
	pause(&r, 0);
	rig_drain(&r);
	for (i = 0; i + 1 < sizeof(way); i++) {
		e = rig_event(&r, i);
		assert_true(is_there(&r, i));
		assert_int_equal(e->type, PARQ_EV_FSM);
		expect_place(&r, i, PORT, PRIO, 0);
		assert_int_equal(le32_to_cpu(e->b), way[i]);
		assert_int_equal(le32_to_cpu(e->a), way[i + 1]);
	}
	assert_false(is_there(&r, i));
	assert_int_equal(r.irqs[0], i);
	rig_fini(&r);
}

/* The host is not told of its own steps, only of levels that change. */
static void fsm_of_the_host(void **state)
{
	struct rig r;

	(void)state;
	event_init(&r, BIT(PARQ_EV_FSM));
	rig_pfc(&r, PORT, BIT(PRIO), false);
	r.irqs[0] = 0;
	pause(&r, 0xffff);
	assert_int_equal(r.irqs[0], 1);
	rig_run(&r, 10 * RIG_US);
	rig_run(&r, 10 * RIG_US);
	pause(&r, 0);
	rig_run(&r, 10 * RIG_US);
	rig_run(&r, 10 * RIG_US);
	assert_true(r.irqs[0] > 2);
	assert_int_equal(rig_read(&r, PORT, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS) &
			 PARQ_LEVELS_HOLD, 0);
	assert_false(is_there(&r, 0));
	/* A limit that changes no level is no reason either. */
	r.irqs[0] = 0;
	rig_storm(&r, PORT, 5, false);
	assert_int_equal(r.irqs[0], 0);
	wr(&r, PARQ_EVENT_CTRL, 0);
	pause(&r, 0xffff);
	assert_int_equal(r.irqs[0], 0);
	rig_fini(&r);
}

/* How many of a type there are, and whether b of the last is @b. */
static u32 count(struct rig *r, u32 type, u32 b)
{
	const struct parq_event *e, *last = NULL;
	u32 pos, n = 0;

	for (pos = 0; pos < SIZE && is_there(r, pos); pos++) {
		e = rig_event(r, pos);
		if (e->type != type)
			continue;
		expect_place(r, pos, PORT, PRIO, type == PARQ_EV_PARK ||
			     type == PARQ_EV_REINJECT ? QUEUE : 0);
		last = e;
		n++;
	}
	assert_non_null(last);
	assert_int_equal(le32_to_cpu(last->b), b);
	return n;
}

/* Five frames are parked, two of them come out before the next pause. */
static void trace_events(void **state)
{
	static const u8 passes[] = { 1, 2, 0, 1, 0 };
	const struct parq_prio_stats *s;
	const struct parq_event *e;
	u32 i, pos, pass = 0;
	struct rig r;

	(void)state;
	event_init(&r, BIT(PARQ_EV_PAUSE) | BIT(PARQ_EV_PARK) |
		   BIT(PARQ_EV_REINJECT) | BIT(PARQ_EV_PASS));
	for (i = 0; i < 6; i++)
		rig_post(&r, PORT, QUEUE, 1000);
	rig_run(&r, RIG_US);
	pause(&r, 1234);
	expect(&r, 0, PARQ_EV_PAUSE, 1, 1234);
	expect_place(&r, 0, PORT, PRIO, 0);
	rig_run(&r, 20 * RIG_US);
	for (pos = 1; pos <= 5; pos++) {
		e = rig_event(&r, pos);
		assert_int_equal(e->type, PARQ_EV_PARK);
		assert_int_equal(le32_to_cpu(e->a), pos);
		assert_int_equal(le32_to_cpu(e->b), pos);
	}
	pause(&r, 0);
	assert_int_equal(count(&r, PARQ_EV_PAUSE, 0), 2);
	assert_int_equal(count(&r, PARQ_EV_PASS, 1), 1);
	rig_run(&r, 10 * RIG_US);
	assert_int_equal(count(&r, PARQ_EV_REINJECT, 0), 2);
	pause(&r, 0xffff);
	rig_run(&r, 10 * RIG_US);
	/* Begun, turned back, ended; and parked again. */
	assert_int_equal(count(&r, PARQ_EV_PASS, 0), 3);
	assert_int_equal(count(&r, PARQ_EV_PARK, 3), 5 + 3);
	pause(&r, 0);
	rig_drain(&r);
	assert_int_equal(count(&r, PARQ_EV_REINJECT, 0), 5);
	assert_int_equal(count(&r, PARQ_EV_PASS, 0), 5);
	assert_int_equal(count(&r, PARQ_EV_PAUSE, 0), 4);
	/* The order in which they were fetched is that in which they leave. */
	for (pos = 0, i = 0; is_there(&r, pos); pos++) {
		e = rig_event(&r, pos);
		if (e->type == PARQ_EV_REINJECT)
			assert_int_equal(le32_to_cpu(e->a), ++i);
		if (e->type != PARQ_EV_PASS)
			continue;
		assert_int_equal(le32_to_cpu(e->a), pass < 3 ? 5 : 3);
		assert_int_equal(le32_to_cpu(e->b), passes[pass++]);
	}
	/* Statistics count what events tell. */
	s = &rig_stats(&r, PORT)->prio[PRIO];
	assert_int_equal(le64_to_cpu(s->parked), 5 + 3);
	assert_int_equal(le64_to_cpu(s->reinjected), 5);
	assert_int_equal(le64_to_cpu(s->passes), 2);
	assert_int_equal(le64_to_cpu(s->repauses), 1);
	rig_fini(&r);
}

/* ---- the mask ----------------------------------------------------------- */

/* An address that the host adds as a dynamic one, for a second. */
static void age_of_an_address(struct rig *r)
{
	u32 sw = rd(r, PARQ_SWITCH);

	wr(r, sw + PARQ_SW_FDB_AGE, 1);
	wr(r, sw + PARQ_SW_FDB_ADDR_LO, 2);
	wr(r, sw + PARQ_SW_FDB_ENTRY, FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, PORT) |
	   FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, 1));
	wr(r, sw + PARQ_SW_FDB_CMD, PARQ_FDB_ADD);
	rig_run(r, 2000 * RIG_MS);
}

static void cause_all_types(struct rig *r)
{
	u32 i;

	rig_storm(r, PORT, 1, false);
	set_phy(r, false);
	set_phy(r, true);
	for (i = 0; i < 4; i++)
		rig_post(r, PORT, QUEUE, 1000);
	rig_run(r, RIG_US);
	pause(r, 0xffff);
	rig_run(r, 20 * RIG_US);
	pause(r, 0);
	rig_drain(r);
	r->db[(PARQ_DB_TX(PORT, OTHER) + PARQ_DB_TAIL) / 4] = ~0U;
	rig_run(r, RIG_US);
	wr(r, PARQ_MAGIC, 0);
	rig_rxq_up(r, PORT, 0, 6, 1024);
	rig_rx_tail(r, PORT, 0, 0);
	rig_rxb(r, PORT, 0, 1000, 0, 0);
	rig_write(r, PORT, PARQ_RXB_APPLY, 1);
	rig_write(r, PORT, PARQ_FC_CTRL, 0xff);
	rig_rx_prio(r, PORT, PRIO, 100, 0);
	pause(r, 0xffff);
	rig_run(r, RIG_MS);
	pause(r, 0);
	rig_rx_tail(r, PORT, 0, ~0U);
	rig_rx_prio(r, PORT, PRIO, 100, 0);
	age_of_an_address(r);
}

static void mask_picks(u32 mask)
{
	u32 pos, seen = 0;
	struct rig r;

	event_init(&r, mask);
	cause_all_types(&r);
	for (pos = 0; pos < SIZE && is_there(&r, pos); pos++)
		seen |= BIT(rig_event(&r, pos)->type);
	assert_int_equal(seen, mask);
	assert_int_equal(r.irqs[0], pos);
	/* What is not wanted is not lost either. */
	expect_lost(&r, 0);
	rig_fini(&r);
}

static void mask_is_respected(void **state)
{
	u32 type;

	(void)state;
	mask_picks(0);
	mask_picks(ALL);
	for (type = 0; type < PARQ_NUM_EV; type++) {
		mask_picks(BIT(type));
		mask_picks(ALL & ~BIT(type));
	}
}

/* ---- the ring ----------------------------------------------------------- */

/* Event number @n of those that it makes: rises and falls take turns. */
static void cause(struct rig *r, u32 n)
{
	rig_run(r, RIG_US);
	pause(r, n & 1 ? 0 : 1000 + n);
}

static void expect_cause(struct rig *r, u32 pos, u32 n)
{
	expect(r, pos, PARQ_EV_PAUSE, !(n & 1), n & 1 ? 0 : 1000 + n);
	expect_place(r, pos, PORT, PRIO, 0);
}

static void refused_head(struct rig *r, u32 head)
{
	u32 before = rd(r, PARQ_EVENT_HEAD);

	wr(r, PARQ_EVENT_HEAD, head);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(r, PARQ_ERR)),
			 PARQ_ERR_RANGE);
	assert_int_equal(rd(r, PARQ_EVENT_HEAD), before);
	wr(r, PARQ_ERR, 0);
}

/* At once, then some at a time: up to a full ring. */
static void generations(void **state)
{
	u32 n, head = 0;
	struct rig r;

	(void)state;
	event_init(&r, BIT(PARQ_EV_PAUSE));
	for (n = 0; n < 10 * SIZE; n++) {
		cause(&r, n);
		expect_cause(&r, n, n);
		if (n >= 5 * SIZE && n + 1 - head < SIZE)
			continue;
		head = n + 1;
		wr(&r, PARQ_EVENT_HEAD, head);
		rig_assert_no_error(&r);
	}
	assert_int_equal(rd(&r, PARQ_EVENT_LOST), 0);
	assert_int_equal(r.irqs[0], n);
	rig_fini(&r);
}

/* What is there stays there; what comes is counted, and nobody is woken. */
static void full_ring(void **state)
{
	struct parq_event before[SIZE];
	u32 n, pos;
	struct rig r;

	(void)state;
	event_init(&r, BIT(PARQ_EV_PAUSE));
	for (n = 0; n < SIZE; n++)
		cause(&r, n);
	expect_lost(&r, 0);
	memcpy(before, rig_event(&r, 0), sizeof(before));
	for (; n < SIZE + 7; n++)
		cause(&r, n);
	expect_lost(&r, 7);
	assert_memory_equal(before, rig_event(&r, 0), sizeof(before));
	assert_int_equal(r.irqs[0], SIZE);
	refused_head(&r, SIZE + 1);
	refused_head(&r, ~0U);
	/* Room for one: the next is written, at the next position. */
	wr(&r, PARQ_EVENT_HEAD, 1);
	cause(&r, n);
	expect_cause(&r, SIZE, n);
	assert_int_equal(r.irqs[0], SIZE + 1);
	cause(&r, ++n);
	expect_lost(&r, 8);
	refused_head(&r, 0);
	refused_head(&r, SIZE + 2);
	/* Room for all of them. */
	wr(&r, PARQ_EVENT_HEAD, SIZE + 1);
	rig_assert_no_error(&r);
	for (pos = SIZE + 1; pos < 2 * SIZE + 1; pos++) {
		cause(&r, ++n);
		expect_cause(&r, pos, n);
	}
	expect_lost(&r, 8);
	cause(&r, ++n);
	expect_lost(&r, 9);
	rig_fini(&r);
}

/* The port counts its lost events, of each type; errors belong to no port. */
static void each_type_is_lost(void **state)
{
	u32 type, lost;
	struct rig r;

	(void)state;
	for (type = 0; type < PARQ_NUM_EV; type++) {
		event_init(&r, BIT(type));
		rig_deny(&r, r.events, SIZE * sizeof(struct parq_event));
		cause_all_types(&r);
		lost = rd(&r, PARQ_EVENT_LOST);
		assert_int_not_equal(lost, 0);
		assert_int_equal(le64_to_cpu(rig_stats(&r, PORT)->event_lost),
				 type == PARQ_EV_ERROR ? 0 : lost);
		rig_fini(&r);
	}
}

/* Of an entry that could be written in part, the host must see nothing. */
static void refused_ring(void **state)
{
	struct rig r;

	(void)state;
	event_init(&r, BIT(PARQ_EV_PAUSE));
	cause(&r, 0);
	rig_deny(&r, r.events, SIZE * sizeof(struct parq_event));
	cause(&r, 1);
	rig_deny(&r, r.events + 2 * sizeof(struct parq_event) - 8, 8);
	cause(&r, 2);
	rig_deny(&r, r.events + sizeof(struct parq_event), 8);
	cause(&r, 3);
	assert_false(is_there(&r, 1));
	assert_int_equal(r.irqs[0], 1);
	expect_lost(&r, 3);
	rig_deny(&r, 0, 0);
	cause(&r, 4);
	expect_cause(&r, 1, 4);
	assert_int_equal(r.irqs[0], 2);
	expect_lost(&r, 3);
	rig_fini(&r);
}

/* While there is no ring nothing is lost; the next starts at its beginning. */
static void disabled_and_enabled(void **state)
{
	u32 ctrl = PARQ_EVENT_CTRL_EN | FIELD_PREP(PARQ_EVENT_CTRL_VEC, 7) |
		   FIELD_PREP(PARQ_EVENT_CTRL_SIZE, RIG_EV_LOG2);
	struct parq_event *old;
	struct rig r;
	u32 n;

	(void)state;
	event_init(&r, BIT(PARQ_EV_PAUSE));
	for (n = 0; n < 5; n++)
		cause(&r, n);
	wr(&r, PARQ_EVENT_HEAD, 3);
	old = rig_event(&r, n);
	wr(&r, PARQ_EVENT_CTRL, ctrl);	/* not while it is enabled */
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(&r, PARQ_ERR)),
			 PARQ_ERR_STATE);
	wr(&r, PARQ_ERR, 0);
	wr(&r, PARQ_EVENT_CTRL, 0);
	cause(&r, n++);
	assert_int_equal(r.irqs[0], 5);
	r.events = rig_alloc(&r, SIZE * sizeof(struct parq_event), 64);
	wr(&r, PARQ_EVENT_BASE_LO, r.events);
	wr(&r, PARQ_EVENT_BASE_HI, r.events >> 32);
	cause(&r, n++);
	assert_false(is_there(&r, 0));
	wr(&r, PARQ_EVENT_CTRL, ctrl);
	rig_assert_no_error(&r);
	assert_int_equal(rd(&r, PARQ_EVENT_HEAD), 0);
	cause(&r, n);
	expect_cause(&r, 0, n);
	assert_int_equal(old->gen, 0);
	assert_int_equal(r.irqs[0], 5);
	assert_int_equal(r.irqs[7], 1);
	expect_lost(&r, 0);
	rig_fini(&r);
}

/* An interrupt has been sent, and the next one waits. A reset ends the moderation. */
static void reset_ends_moderation(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	event_init(&r, BIT(PARQ_EV_ERROR));
	wr(&r, PARQ_VEC_ITR(0), PARQ_VEC_ITR_MAX_NS);
	for (i = 0; i < 2; i++) {
		parqsim_bad_access(r.sim, 2);
		assert_int_equal(r.irqs[0], 1);
		wr(&r, PARQ_ERR, 0);
	}
	wr(&r, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_1G, true);
	wr(&r, PARQ_EVENT_MASK, BIT(PARQ_EV_ERROR));
	r.irqs[0] = 0;
	rig_run(&r, PARQ_VEC_ITR_MAX_NS * RIG_NS / 2);
	for (i = 0; i < 2; i++) {
		parqsim_bad_access(r.sim, 2);
		assert_int_equal(r.irqs[0], i + 1);
		wr(&r, PARQ_ERR, 0);
	}
	rig_run(&r, PARQ_VEC_ITR_MAX_NS * RIG_NS);
	assert_int_equal(r.irqs[0], 2);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(link_events),
		cmocka_unit_test(error_events),
		cmocka_unit_test(queue_events),
		cmocka_unit_test(fsm_events),
		cmocka_unit_test(fsm_of_the_host),
		cmocka_unit_test(trace_events),
		cmocka_unit_test(mask_is_respected),
		cmocka_unit_test(generations),
		cmocka_unit_test(full_ring),
		cmocka_unit_test(refused_ring),
		cmocka_unit_test(disabled_and_enabled),
		cmocka_unit_test(each_type_is_lost),
		cmocka_unit_test(reset_ends_moderation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
