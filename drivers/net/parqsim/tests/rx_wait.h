/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames wait in receive buffers for RX queues without buffers. All priorities are lossless
 * unless a test says otherwise. A frame of n bytes is charged as n + 4.
 */
#ifndef _PARQSIM_TESTS_RX_WAIT_H
#define _PARQSIM_TESTS_RX_WAIT_H

#include "rx_state.h"

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

/* All RX queues are there and have no buffers. */
static inline void begin(struct rig *r)
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

static inline void tail(struct rig *r, u32 queue, u32 n)
{
	rig_rx_tail(r, 0, queue, n);
	rig_run(r, RIG_NS);
}

#endif /* _PARQSIM_TESTS_RX_WAIT_H */
