// SPDX-License-Identifier: GPL-2.0
/* What becomes of frames in receive buffers when nobody takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rx_wait.h"

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
static void stopped_queue(void **state)
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

static void reset_empties_buffers(void **state)
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

/* As many of the shortest frames as before find room. */
static void reset_frees_buffers(void **state)
{
	u32 round, n, first = 0;
	struct rig r;

	(void)state;
	begin(&r);
	for (round = 0; round < 2; round++) {
		for (n = 0; !le64_to_cpu(stats(&r)->rx_drop_buffer); n++)
			rig_rx_prio(&r, 0, 0, 62, 0);
		if (!round)
			first = n;
		assert_int_equal(n, first);
		parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
		r.used = 0;
		rig_start(&r, PARQ_SPEED_10G, true);
		rig_rxq_up(&r, 0, 0, LOG2, BUF);
		rig_rx_tail(&r, 0, 0, 0);
		rig_write(&r, 0, PARQ_FC_CTRL, PARQ_FC_CTRL_PFC_TX);
	}
	assert_int_equal(first, TOTAL / 66 + 1);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lossy_priorities_do_not_wait),
		cmocka_unit_test(disabled_queue),
		cmocka_unit_test(steered_when_they_leave),
		cmocka_unit_test(stopped_queue),
		cmocka_unit_test(stopped_port),
		cmocka_unit_test(reset_empties_buffers),
		cmocka_unit_test(reset_frees_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
