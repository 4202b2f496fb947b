// SPDX-License-Identifier: GPL-2.0
/* The transmit side, as its host sees it: heads, and what interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

#define QUEUE		3
#define LEN		1000
#define LOG2		7	/* of the new ring */

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static u32 *irqs(struct rig *r)
{
	return &r->irqs[RIG_TX_VEC + QUEUE];
}

static void arm(struct rig *r, u32 pos)
{
	r->db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_ARM) / 4] = pos;
}

static void send(struct rig *r, u32 frames)
{
	while (frames--)
		rig_post(r, 0, QUEUE, LEN);
	rig_drain(r);
}

/* A queue waits until its port is enabled, first or again. */
static void waits_for_its_port(void **state)
{
	struct rig r;
	u32 reset;

	(void)state;
	for (reset = 0; reset < 2; reset++) {
		rig_init(&r, &config, PARQ_SPEED_10G, true);
		if (reset)
			parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
		else
			rig_write(&r, 0, PARQ_PORT_CTRL, 0);
		rig_write(&r, 0, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
			  PARQ_LINK_CTRL_FULL_DUPLEX |
			  FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10G));
		rig_txq_up(&r, 0, QUEUE);
		rig_post(&r, 0, QUEUE, LEN);
		rig_run(&r, 100 * RIG_US);
		assert_int_equal(rig_read(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_FETCH), 0);
		rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
		rig_run(&r, 100 * RIG_US);
		assert_int_equal(r.port[0].txq[QUEUE].seen, 1);
		rig_fini(&r);
	}
}

/* Of the many that move past it, the first head interrupts. */
static void interrupts_are_armed(void **state)
{
	struct rig r;
	u32 tail;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	arm(&r, 0);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 1);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 1);
	tail = r.port[0].txq[QUEUE].tail;
	arm(&r, tail);
	assert_int_equal(*irqs(&r), 1);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 2);
	/* A head that is at the position has not passed it. */
	arm(&r, r.port[0].txq[QUEUE].tail + 2);
	send(&r, 1);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_HEAD), tail + 12);
	assert_int_equal(*irqs(&r), 2);
	send(&r, 1);
	assert_int_equal(*irqs(&r), 3);
	rig_fini(&r);
}

/*
 * The queue shares its vector with the event ring. An event has set the vector's timer, and a
 * frame ends at the same time: one interrupt speaks of both.
 */
static void interrupts_merge(void **state)
{
	u32 vec = RIG_TX_VEC + QUEUE;
	struct rig r;
	u64 end;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	parqsim_write(r.sim, PARQ_EVENT_CTRL, 0);
	parqsim_write(r.sim, PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN |
		      FIELD_PREP(PARQ_EVENT_CTRL_SIZE, RIG_EV_LOG2) |
		      FIELD_PREP(PARQ_EVENT_CTRL_VEC, vec));
	parqsim_write(r.sim, PARQ_EVENT_MASK, BIT(PARQ_EV_ERROR));
	arm(&r, 0);
	rig_post(&r, 0, QUEUE, 101);
	rig_run(&r, 50 * RIG_NS);
	end = r.port[0].cls[QUEUE].last_sent + 100 * RIG_NS;
	parqsim_write(r.sim, PARQ_VEC_ITR(vec), (end - rig_now(&r)) / RIG_NS);
	parqsim_bad_access(r.sim, 2);
	assert_int_equal(*irqs(&r), 1);
	rig_run(&r, RIG_NS);
	parqsim_write(r.sim, PARQ_ERR, 0);
	parqsim_bad_access(r.sim, 2);
	rig_run(&r, end - rig_now(&r) - 1);
	assert_int_equal(*irqs(&r), 1);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_HEAD), 0);
	rig_run(&r, 1);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_HEAD), 1);
	assert_int_equal(*irqs(&r), 2);
	rig_fini(&r);
}

/* A ring that was replaced may take long to become empty: the host is told what it
 * completes until then, although it cannot ask.
 */
static void old_ring_interrupts(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	arm(&r, 0);
	send(&r, 1);
	assert_int_equal(*irqs(&r), 1);
	for (i = 0; i < 4; i++)
		rig_post(&r, 0, QUEUE, LEN);
	rig_replace_ring(&r, 0, QUEUE, LOG2);
	rig_post(&r, 0, QUEUE, LEN);
	rig_post(&r, 0, QUEUE, LEN);
	rig_drain(&r);
	/* Four heads, of which the last one is followed by the change; then ARM 0. */
	assert_int_equal(*irqs(&r), 1 + 4 + 1 + 1);
	send(&r, 1);
	assert_int_equal(*irqs(&r), 1 + 4 + 1 + 1);
	rig_fini(&r);
}

/* A queue that stops has no pending ring, and starts again with one ring. */
static void stopped_with_a_ring_pending(void **state)
{
	u32 next = PARQ_TXQ(QUEUE) + PARQ_TXQ_NEXT_CTRL;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_post(&r, 0, QUEUE, LEN);
	rig_replace_ring(&r, 0, QUEUE, LOG2);
	assert_true(rig_read(&r, 0, next) & PARQ_TXQ_NEXT_CTRL_VALID);
	rig_write(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
	assert_false(rig_read(&r, 0, next) & PARQ_TXQ_NEXT_CTRL_VALID);
	rig_txq_up(&r, 0, QUEUE);
	send(&r, 5);
	rig_fini(&r);
}

/* Bytes are those of the wire: a tag that is inserted counts, and so does padding. */
static void bytes_of_the_wire(void **state)
{
	static const struct {
		u64 info;
		u32 bytes;
	} frames[] = {
		{ 14, 60 },
		{ 59, 60 },
		{ 59 | PARQ_TX_VLAN, 63 },
		{ 52 | PARQ_TX_VLAN, 60 },
		{ 100, 100 },
		{ 100 | PARQ_TX_VLAN, 104 },
	};
	const struct parq_stats *s;
	u32 i, bytes = 0;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	r.lenient = true;	/* the oracle knows nothing of such frames */
	for (i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		rig_tx_desc(&r, 0, QUEUE, rig_tx_buf(&r, 0, QUEUE),
			    frames[i].info | PARQ_TX_EOP);
		rig_tx_ring(&r, 0, QUEUE);
		rig_run(&r, 10 * RIG_US);
		bytes += frames[i].bytes;
		s = rig_stats(&r, 0);
		assert_int_equal(le64_to_cpu(s->prio[QUEUE].tx_frames), i + 1);
		assert_int_equal(le64_to_cpu(s->prio[QUEUE].tx_bytes), bytes);
		assert_int_equal(le64_to_cpu(s->txq[QUEUE].bytes), bytes);
		assert_int_equal(le64_to_cpu(s->tx.bytes), bytes + 4 * (i + 1));
	}
	rig_fini(&r);
}

/* ---- what was not sent --------------------------------------------------- */

#define EOP	PARQ_TX_EOP

static u32 drops_of(struct rig *r)
{
	const struct parq_txq_wb *wb = rig_ptr(r, r->port[0].txq[QUEUE].wb,
					       sizeof(*wb));

	return FIELD_GET(PARQ_TXW_DROPS, le32_to_cpu(wb->state));
}

static u32 head_of(struct rig *r)
{
	const struct parq_txq_wb *wb = rig_ptr(r, r->port[0].txq[QUEUE].wb,
					       sizeof(*wb));

	return le32_to_cpu(wb->head);
}

static const struct parq_tx_desc *desc_of(struct rig *r, u32 pos)
{
	u64 at = r->port[0].txq[QUEUE].ring + pos * sizeof(struct parq_tx_desc);

	return rig_ptr(r, at, sizeof(struct parq_tx_desc));
}

static void expect_status(struct rig *r, u32 pos, u32 sent, u32 bytes)
{
	const struct parq_tx_desc *d = desc_of(r, pos);

	assert_true(le64_to_cpu(d->info) == (PARQ_TXS_DROPPED | sent));
	assert_int_equal(le64_to_cpu(d->addr), bytes);
}

/* The host refuses the sixth of seven frames: the descriptor of that one says so. */
static void drops_are_told(void **state)
{
	u64 gone, info;
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	gone = rig_alloc(&r, RIG_BUF, RIG_BUF);
	rig_deny(&r, gone, RIG_BUF);
	for (i = 0; i < 7; i++) {
		if (i == 5) {
			rig_tx_desc(&r, 0, QUEUE, gone, 100 | EOP);
			rig_tx_ring(&r, 0, QUEUE);
		} else {
			rig_post(&r, 0, QUEUE, 100);
		}
		info = le64_to_cpu(desc_of(&r, i)->info);
		rig_run(&r, 10 * RIG_US);
		assert_int_equal(head_of(&r), i + 1);
		assert_int_equal(drops_of(&r), i >= 5);
		if (i == 5)
			expect_status(&r, i, 0, 0);
		else
			assert_true(le64_to_cpu(desc_of(&r, i)->info) == info);
	}
	/* A queue that is enabled again counts from 0. */
	rig_write(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
	rig_txq_up(&r, 0, QUEUE);
	send(&r, 1);
	assert_int_equal(drops_of(&r), 0);
	rig_fini(&r);
}

/* The payload of the middle one of three segments is refused. */
static void cut_frame_in_part(void **state)
{
	u32 mss = 100, hdr = 54;
	struct rig r;
	u64 at;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	r.port[0].cls[QUEUE].drops = true;
	at = rig_tx_buf(&r, 0, QUEUE);
	rig_deny(&r, at + hdr + mss + mss / 2, 1);
	rig_post_tso(&r, 0, QUEUE, 2 * mss + 50, mss);
	rig_run(&r, 10 * RIG_US);
	rig_deny(&r, 0, 0);
	assert_int_equal(head_of(&r), 3);
	assert_int_equal(drops_of(&r), 1);
	expect_status(&r, 0, 2, 2 * hdr + mss + 50);
	rig_fini(&r);
}

/* Its last byte has been read: it is complete, although it is still on the wire. */
static void stopped_with_a_frame_on_the_wire(void **state)
{
	const struct parq_stats *s;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10M, true);
	rig_post(&r, 0, QUEUE, LEN);
	rig_post(&r, 0, QUEUE, LEN);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(head_of(&r), 0);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(head_of(&r), 2);
	rig_run(&r, 10000 * RIG_US);
	assert_int_equal(head_of(&r), 2);
	s = rig_stats(&r, 0);
	assert_int_equal(le64_to_cpu(s->txq[QUEUE].frames), 1);
	assert_int_equal(le64_to_cpu(s->txq[QUEUE].drop), 1);
	rig_fini(&r);
}

/* The last byte of a segment has been read: the frame's descriptor says what was sent. */
static void stopped_with_a_segment_on_the_wire(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10M, true);
	rig_post_tso(&r, 0, QUEUE, 500, 100);
	rig_run(&r, 200 * RIG_US);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	assert_int_equal(head_of(&r), 0);
	expect_status(&r, 0, 2, 2 * 154);
	rig_fini(&r);
}

/* Each frame starts when it would. What the host does between steps takes effect at once. */
static void sends_in_steps(void **state)
{
	u64 at[2];
	u32 i, n;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct rig r;

		rig_init(&r, &config, PARQ_SPEED_10G, true);
		r.most = i;
		for (n = 0; n < 20; n++)
			rig_post(&r, 0, QUEUE, LEN);
		rig_run(&r, 100 * RIG_US);
		assert_int_equal(r.port[0].cls[QUEUE].sent, 20);
		at[i] = r.port[0].cls[QUEUE].last_sent;
		rig_fini(&r);
	}
	assert_int_equal(at[0], at[1]);
}

/* A step that ends in the middle still looks at the doorbells. */
static void step_sees_doorbells(void **state)
{
	struct rig r;
	u64 until;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_post(&r, 0, QUEUE, LEN);
	rig_post(&r, 0, QUEUE, LEN);
	/* Without frames the NIC has no events. A step to @until would see the doorbell there. */
	parqsim_run(r.sim, rig_now(&r));
	until = rig_now(&r) + 1000 * RIG_US;
	assert_int_equal(parqsim_step(r.sim, until, 1), 1);
	assert_true(rig_now(&r) < until);
	rig_post(&r, 0, QUEUE, LEN);
	while (parqsim_step(r.sim, until, 1))
		;
	assert_int_equal(r.port[0].cls[QUEUE].sent, 3);
	/* At the time of the step, not at the end. */
	assert_true(r.port[0].cls[QUEUE].last_sent < until);
	rig_fini(&r);
}

/* One frame has been seen, another one rings. Return: events until the wire is idle again. */
static u32 step_behind_a_frame(struct rig *r, u32 most)
{
	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_post(r, 0, QUEUE, LEN);
	parqsim_run(r->sim, rig_now(r));
	if (most != ~0U)
		rig_post(r, 0, QUEUE, LEN);
	return parqsim_step(r->sim, rig_now(r) + 1000 * RIG_US, most);
}

/* The doorbell is the last event of a step: the frame is fetched in the next one. */
static void doorbell_is_an_event(void **state)
{
	struct rig r;
	u32 events;

	(void)state;
	/* And one of those that a call returns, before the fetch. */
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_post(&r, 0, QUEUE, LEN);
	assert_int_equal(parqsim_step(r.sim, rig_now(&r), ~0U), 2);
	rig_fini(&r);
	events = step_behind_a_frame(&r, ~0U);
	rig_fini(&r);
	assert_int_equal(step_behind_a_frame(&r, events + 1), events + 1);
	assert_int_equal(rig_read(&r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_FETCH),
			 r.port[0].txq[QUEUE].tail / 2);
	rig_drain(&r);
	rig_fini(&r);
}

/* The frame that rings during the events of another one waits for the next step. */
static void events_see_no_doorbells(void **state)
{
	struct rig r;
	u64 until;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_post(&r, 0, QUEUE, LEN);
	parqsim_run(r.sim, rig_now(&r));
	rig_post(&r, 0, QUEUE, LEN);
	until = rig_now(&r) + 1000 * RIG_US;
	assert_int_equal(parqsim_events(r.sim, until, until, 1), 1);
	assert_true(rig_now(&r) < until);
	while (parqsim_events(r.sim, until, until, 1))
		;
	assert_int_equal(rig_now(&r), until);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 1);
	parqsim_step(r.sim, until, ~0U);
	rig_drain(&r);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 2);
	rig_fini(&r);
}

static u32 doze_word(struct rig *r)
{
	const struct parq_status *st = rig_ptr(r, r->port[0].status, sizeof(*st));

	return le32_to_cpu(st->doze);
}

/* The doorbell comes before the last look: the NIC does not sleep. */
static void rings_before_doze(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_post(&r, 0, QUEUE, LEN);
	assert_false(parqsim_doze(r.sim));
	assert_int_equal(doze_word(&r), 0);
	rig_drain(&r);
	assert_true(parqsim_doze(r.sim));
	rig_fini(&r);
}

/* A host that tells which doorbell rang: no other is read. */
static void reads_what_rang(void **state)
{
	struct parqsim_config cfg = config;
	struct rig r;

	(void)state;
	cfg.rings = true;
	rig_init(&r, &cfg, PARQ_SPEED_10G, true);
	rig_run(&r, RIG_US);
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	r.cfg.rings = false;
	rig_post(&r, 0, QUEUE, LEN);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 0);
	assert_true(parqsim_doze(r.sim));
	/* The first call makes the host run the core. */
	assert_true(parqsim_ring(r.sim, PARQ_DB_TX(0, QUEUE)));
	assert_false(parqsim_ring(r.sim, PARQ_DB_TX(0, QUEUE)));
	assert_true(parqsim_ring(r.sim, PARQ_DB_TX(0, QUEUE + 1)));
	assert_false(parqsim_doze(r.sim));
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 1);
	assert_int_equal(doze_word(&r), PARQ_DOZE_ASLEEP);
	/* No frame waits for an RX queue. Other offsets are no doorbell of this NIC. */
	rig_post(&r, 0, QUEUE, LEN);
	assert_false(parqsim_ring(r.sim, PARQ_DB_RX(0, 0)));
	assert_true(parqsim_ring(r.sim, 1));
	rig_run(&r, 100 * RIG_US);
	rig_post(&r, 0, QUEUE, LEN);
	assert_true(parqsim_ring(r.sim, PARQ_DB_TX(PARQ_NIC_PORTS, 0)));
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 3);
	rig_fini(&r);
}

/* Until the page takes the word that drivers must ring, all doorbells are read. */
static void reads_all_until_told(void **state)
{
	struct parqsim_config cfg = config;
	struct rig r;

	(void)state;
	cfg.rings = true;
	rig_init(&r, &cfg, PARQ_SPEED_10G, true);
	r.cfg.rings = false;
	rig_deny(&r, r.port[0].status, 8);
	rig_write(&r, 0, PARQ_STATUS_BASE_LO, r.port[0].status);
	rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	rig_post(&r, 0, QUEUE, LEN);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 1);
	/* It looks by itself. */
	assert_true(parqsim_doze(r.sim));
	assert_true(parqsim_next(r.sim) <= rig_now(&r) + RIG_MS);
	rig_deny(&r, 0, 0);
	assert_true(parqsim_doze(r.sim));
	rig_run(&r, RIG_MS);
	rig_post(&r, 0, QUEUE, LEN);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 1);
	parqsim_ring(r.sim, PARQ_DB_TX(0, QUEUE));
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 2);
	/* A new page can tell drivers, too. */
	rig_deny(&r, r.port[0].status, 8);
	rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	rig_deny(&r, 0, 0);
	rig_write(&r, 0, PARQ_STATUS_BASE_HI, r.port[0].status >> 32);
	rig_post(&r, 0, QUEUE, LEN);
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].cls[QUEUE].sent, 2);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_are_told),
		cmocka_unit_test(cut_frame_in_part),
		cmocka_unit_test(stopped_with_a_frame_on_the_wire),
		cmocka_unit_test(stopped_with_a_segment_on_the_wire),
		cmocka_unit_test(waits_for_its_port),
		cmocka_unit_test(interrupts_are_armed),
		cmocka_unit_test(interrupts_merge),
		cmocka_unit_test(old_ring_interrupts),
		cmocka_unit_test(bytes_of_the_wire),
		cmocka_unit_test(sends_in_steps),
		cmocka_unit_test(step_sees_doorbells),
		cmocka_unit_test(doorbell_is_an_event),
		cmocka_unit_test(events_see_no_doorbells),
		cmocka_unit_test(stopped_with_a_ring_pending),
		cmocka_unit_test(rings_before_doze),
		cmocka_unit_test(reads_what_rang),
		cmocka_unit_test(reads_all_until_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
