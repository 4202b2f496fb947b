// SPDX-License-Identifier: GPL-2.0
/* Refused DMA, and park queues whose contents were changed. See drop.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "drop.h"

/* ---- refused DMA -------------------------------------------------------- */

static void refused_buffer(void **state)
{
	struct rig *r = *state;
	u64 at, gone;
	u32 i;

	gone = rig_alloc(r, RIG_BUF, RIG_BUF);
	rig_deny(r, gone, RIG_BUF);
	for (i = 0; i < 3; i++) {
		post(r, QUEUE, 1);
		at = rig_tx_buf(r, 0, QUEUE);
		rig_tx_desc(r, 0, QUEUE, i == 0 ? gone : at, 100);
		rig_tx_desc(r, 0, QUEUE, i == 1 ? gone : at, 100);
		rig_tx_desc(r, 0, QUEUE, i == 2 ? gone : at, 100 | PARQ_TX_EOP);
		rig_tx_ring(r, 0, QUEUE);
	}
	rig_drain(r);
	expect_drops(r, 0, 3, 0, 0);
	expect_goes_on(r, QUEUE);
	assert_int_equal(le32_to_cpu(rig_event(r, 0)->gen), 0);
}

/* Segments do not get the headers of the frame before, whose train they would fit. */
static void refused_headers(void **state)
{
	struct rig *r = *state;
	u64 gone = rig_alloc(r, RIG_BUF, RIG_BUF);

	r->train_room = 65536;
	rig_post_tso(r, 0, QUEUE, 400, 100);
	rig_deny(r, gone, RIG_BUF);
	rig_tx_desc(r, 0, QUEUE, FIELD_PREP(PARQ_TXX_MSS, 100) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, 54), PARQ_TX_EXT);
	rig_tx_desc(r, 0, QUEUE, gone, 54 | PARQ_TX_TSO4 | FIELD_PREP(PARQ_TX_CSUM_START, 34));
	rig_tx_desc(r, 0, QUEUE, rig_tx_buf(r, 0, QUEUE), 400 | PARQ_TX_EOP);
	rig_tx_ring(r, 0, QUEUE);
	rig_drain(r);
	assert_int_equal(r->trains, 1);
	expect_drops(r, 0, 4, 0, 0);
	expect_goes_on(r, QUEUE);
}

/* Nothing was fetched, so nothing is dropped; fetched frames are sent. */
static void refused_descriptors(void **state)
{
	struct rig *r = *state;
	const struct rig_txq *q;

	q = &r->port[0].txq[QUEUE];
	keep_mac_busy(r);
	post(r, QUEUE, 2);
	rig_deny(r, q->ring + 2 * sizeof(struct parq_tx_desc),
		 sizeof(struct parq_tx_desc));
	post(r, QUEUE, 2);
	expect_stopped(r, QUEUE, PARQ_ERR_DMA, 1);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_FETCH), 2);
	rig_run(r, 100 * RIG_US);
	assert_int_equal(q->seen, 2);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), 2);
	rig_deny(r, 0, 0);
	expect_stopped(r, QUEUE, PARQ_ERR_DMA, 1);
	expect_recovers(r);
	expect_drops(r, 0, 0, 0, 0);
}

/* The queue has the descriptors, and is not refused anything. */
static void refused_descriptors_that_are_kept(void **state)
{
	struct rig *r = *state;
	const struct rig_txq *q = &r->port[0].txq[QUEUE];

	keep_mac_busy(r);
	post(r, QUEUE, KEPT);
	rig_deny(r, q->ring, sizeof(struct parq_tx_desc) << RIG_LOG2);
	rig_run(r, 100 * RIG_US);
	assert_int_equal(q->seen, KEPT);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), KEPT);
	rig_deny(r, 0, 0);
	expect_goes_on(r, QUEUE);
	expect_goes_on(r, SISTER);
	expect_drops(r, 0, 0, 0, 0);
}

/* Posts good frames, and behind them empty ones. */
static void post_bad(struct rig *r, u32 good, u32 bad)
{
	const struct rig_txq *q = &r->port[0].txq[QUEUE];
	struct parq_tx_desc *ring = rig_ptr(r, q->ring, sizeof(*ring) << RIG_LOG2);
	u32 i;

	for (i = 0; i < good + bad; i++)
		rig_post(r, 0, QUEUE, 100);
	for (i = 1; i <= bad; i++)
		ring[q->tail - i].info = cpu_to_le64(PARQ_TX_EOP);
	rig_run(r, RIG_US / 2);
}

/*
 * Frames were fetched, and then the ring becomes inaccessible: those whose descriptors the queue
 * does not have any more cannot be sent, and their status cannot be written. The head must not
 * claim that any was sent.
 */
static void refused_descriptors_behind_the_fetch(void **state)
{
	struct rig *r = *state;
	struct rig_txq *q;

	q = &r->port[0].txq[QUEUE];
	keep_mac_busy(r);
	post_bad(r, 3, KEPT);
	rig_deny(r, q->ring, sizeof(struct parq_tx_desc) << RIG_LOG2);
	rig_run(r, 100 * RIG_US);
	expect_drops(r, KEPT, 3, 0, 0);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), 0);
	expect_stopped(r, QUEUE, PARQ_ERR_DMA, 1);
	rig_deny(r, 0, 0);
	expect_recovers(r);
}

/* The frames were sent, but the host cannot be told. */
static void refused_write_back(void **state)
{
	struct rig *r = *state;
	const struct rig_txq *q;

	q = &r->port[0].txq[QUEUE];
	rig_deny(r, q->wb, sizeof(struct parq_txq_wb));
	keep_mac_busy(r);
	post(r, QUEUE, 3);
	rig_run(r, 100 * RIG_US);
	assert_int_equal(q->seen, 3);
	expect_stopped(r, QUEUE, PARQ_ERR_DMA, 1);
	rig_deny(r, 0, 0);
	expect_recovers(r);
	expect_drops(r, 0, 0, 0, 0);
}

/* A stopped queue keeps the first reason. */
static void refused_behind_a_bad_tail(void **state)
{
	struct rig *r = *state;

	keep_mac_busy(r);
	post(r, QUEUE, 3);
	r->db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_TAIL) / 4] = 2;
	rig_run(r, RIG_US);
	rig_deny(r, r->port[0].txq[QUEUE].wb, sizeof(struct parq_txq_wb));
	rig_run(r, 100 * RIG_US);
	assert_int_equal(r->port[0].txq[QUEUE].seen, 3);
	expect_stopped(r, QUEUE, PARQ_ERR_DOORBELL, 1);
}

static u64 park_queue(struct rig *r)
{
	return rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PARK_BASE_LO) |
	       (u64)rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PARK_BASE_HI) << 32;
}

static u64 park_bytes(struct rig *r)
{
	u32 ctrl = rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PARK_CTRL);

	return sizeof(struct parq_fd) << FIELD_GET(PARQ_PARK_CTRL_SIZE, ctrl);
}

/* All rounds together have more FDs than the class may have in flight. */
#define ROUNDS		10
#define ROUND		8

/* The queue whose FD is lost stops; its class and the other queues continue. */
static void refused_park_write(void **state)
{
	struct rig *r = *state;
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		keep_mac_busy(r);
		post(r, QUEUE, ROUND);
		rig_deny(r, park_queue(r), park_bytes(r));
		pause(r, 0xffff);
		expect_drops(r, 0, ROUND * (i + 1), 0, 0);
		assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), 0);
		rig_deny(r, 0, 0);
		pause(r, 0);
		expect_stopped(r, QUEUE, PARQ_ERR_DMA, i + 1);
		expect_recovers(r);
		restart(r, QUEUE);
	}
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->prio[PRIO].parked), 0);
}

static void expect_released(struct rig *r)
{
	assert_int_equal(rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PFC_LEVELS) &
			 (PARQ_LEVELS_PAUSE | PARQ_LEVELS_HOLD |
			  PARQ_LEVELS_HALT | PARQ_LEVELS_FLUSHING |
			  PARQ_LEVELS_PARKED), 0);
}

/* Lost entries complete nothing; the queue's next frame completes their descriptors. */
static void refused_park_read(void **state)
{
	struct rig *r = *state;
	struct rig_txq *q;
	u32 i, head;

	q = &r->port[0].txq[QUEUE];
	for (i = 0; i < ROUNDS; i++) {
		head = q->tail;
		park(r, QUEUE, ROUND);
		rig_deny(r, park_queue(r), park_bytes(r));
		pause(r, 0);
		expect_drops(r, 0, 0, 0, ROUND * (i + 1));
		expect_released(r);
		assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), head);
		rig_deny(r, 0, 0);
		q->seen += ROUND;
		expect_goes_on(r, QUEUE);
	}
	assert_int_equal(le32_to_cpu(rig_event(r, 0)->gen), 0);
}

/* Only these writes are lost: neither frames nor the pause depend on them. */
static void refused_status_and_statistics(void **state)
{
	struct rig *r = *state;
	const struct parq_stats *s;

	rig_deny(r, r->port[0].status, PARQ_STATUS_PAGE_SIZE);
	park(r, QUEUE, 5);
	pause(r, 0);
	rig_drain(r);
	rig_deny(r, r->port[0].stats, sizeof(struct parq_stats));
	rig_write(r, 0, PARQ_STATS_SNAP, ~0U);
	rig_deny(r, 0, 0);
	rig_assert_no_error(r);
	s = rig_ptr(r, r->port[0].stats, sizeof(*s));
	assert_int_not_equal(le64_to_cpu(s->seq), ~0U);
	expect_released(r);
	expect_goes_on(r, QUEUE);
	expect_drops(r, 0, 0, 0, 0);
}

/* ---- what is read back from a park queue -------------------------------- */

static struct parq_fd *parked_fd(struct rig *r, u32 i)
{
	u32 head = rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PARK_HEAD);
	u32 size = park_bytes(r) / sizeof(struct parq_fd);
	u64 at = (head + i) % size * sizeof(struct parq_fd);

	return rig_ptr(r, park_queue(r) + at, sizeof(struct parq_fd));
}

/* What the NIC has written, for three segments that get a tag. */
static void entries(void **state)
{
	struct rig *r = *state;
	const struct parq_fd *fd;
	u32 i;

	keep_mac_busy(r);
	rig_tx_desc(r, 0, QUEUE, FIELD_PREP(PARQ_TXX_MSS, 400) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, 54), PARQ_TX_EXT);
	rig_tx_desc(r, 0, QUEUE, rig_tx_buf(r, 0, QUEUE), 1054 | PARQ_TX_TSO4 | PARQ_TX_VLAN |
		    FIELD_PREP(PARQ_TX_CSUM_START, 34) | PARQ_TX_EOP);
	rig_tx_ring(r, 0, QUEUE);
	rig_run(r, RIG_US / 2);
	pause(r, 0xffff);
	assert_int_equal(rig_read(r, 0, PARQ_PFC(PRIO) + PARQ_PARK_TAIL), 3);
	for (i = 0; i < 3; i++) {
		fd = parked_fd(r, i);
		assert_int_equal(fd->port, 0);
		assert_int_equal(fd->prio, PRIO);
		assert_int_equal(fd->queue, QUEUE);
		assert_int_equal(fd->flags, PARQ_FD_REC | (i == 2 ? PARQ_FD_LAST : 0));
		assert_int_equal(le32_to_cpu(fd->pos), 0);
		assert_int_equal(le16_to_cpu(fd->ndesc), 2);
		assert_int_equal(le16_to_cpu(fd->seg), i);
		assert_int_equal(le16_to_cpu(fd->len), 58 + (i == 2 ? 200 : 400));
		assert_int_equal(le32_to_cpu(fd->order), i);
		assert_in_range(le64_to_cpu(fd->time), 500, 1000);
	}
}

static void corrupt_entries(void **state)
{
	struct rig *r = *state;

	park(r, QUEUE, 12);
	parked_fd(r, 0)->port = 1;
	parked_fd(r, 1)->prio = OTHER;
	parked_fd(r, 2)->queue = PARQ_MAX_TXQ;
	parked_fd(r, 3)->seg = cpu_to_le16(PARQ_TX_MAX_SEGS);
	parked_fd(r, 4)->ndesc = 0;
	parked_fd(r, 5)->ndesc = cpu_to_le16(PARQ_TX_MAX_DESC + 2);
	memset(parked_fd(r, 6), 0xff, sizeof(struct parq_fd));
	memset(parked_fd(r, 7), 0, sizeof(struct parq_fd));
	/* These fields are not taken from memory. */
	parked_fd(r, 8)->flags |= PARQ_FD_MARKER;
	parked_fd(r, 9)->flags |= PARQ_FD_MARKER | PARQ_FD_FLUSH;
	parked_fd(r, 10)->flags &= ~PARQ_FD_REC;
	r->port[0].txq[QUEUE].seen += 8;
	pause(r, 0);
	rig_drain(r);
	expect_drops(r, 0, 0, 0, 8);
	expect_released(r);
	expect_goes_on(r, QUEUE);
}

/* A queue that was disabled does not complete its old parked FDs. */
static void stale_entries(void **state)
{
	struct rig *r = *state;

	keep_mac_busy(r);
	post(r, QUEUE, 5);
	post(r, SISTER, 5);
	pause(r, 0xffff);
	restart(r, QUEUE);
	post(r, QUEUE, 3);
	expect_drops(r, 0, 0, 0, 0);
	pause(r, 0);
	rig_drain(r);
	expect_drops(r, 0, 0, 5, 0);
	expect_released(r);
}

/* A queue that is off owns no entry, whatever its epoch. */
static void entries_of_a_disabled_queue(void **state)
{
	struct rig *r = *state;

	park(r, QUEUE, 3);
	parked_fd(r, 0)->epoch = 0;
	parked_fd(r, 1)->epoch = 0xffff;
	rig_write(r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
	pause(r, 0);
	expect_drops(r, 0, 0, 3, 0);
	expect_released(r);
}

/* FDs of a disabled queue leave the pipeline at once, those of its class's other queue stay. */
static void disabled_queue(void **state)
{
	struct rig *r = *state;

	keep_mac_busy(r);
	post(r, QUEUE, 5);
	post(r, SISTER, 5);
	restart(r, QUEUE);
	expect_drops(r, 0, 0, 5, 0);
	post(r, QUEUE, 3);
	rig_drain(r);
	expect_drops(r, 0, 0, 5, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		drop_test(refused_buffer),
		drop_test(refused_headers),
		drop_test(refused_descriptors),
		drop_test(refused_descriptors_that_are_kept),
		drop_test(refused_descriptors_behind_the_fetch),
		drop_test(refused_write_back),
		drop_test(refused_behind_a_bad_tail),
		drop_test(refused_park_write),
		drop_test(refused_park_read),
		drop_test(refused_status_and_statistics),
		drop_test(entries),
		drop_test(corrupt_entries),
		drop_test(stale_entries),
		drop_test(entries_of_a_disabled_queue),
		drop_test(disabled_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
