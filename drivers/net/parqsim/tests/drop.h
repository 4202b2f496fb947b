/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The transmit side against a host that makes mistakes or refuses DMA: what is dropped, where
 * it is counted, and whether the queue goes on. Good frames travel before, between and behind
 * the bad ones: the rig's oracle checks that none of them is lost and no bad one is sent.
 */
#ifndef _PARQSIM_TESTS_DROP_H
#define _PARQSIM_TESTS_DROP_H

#include "rig.h"

#define PRIO		3
#define QUEUE		3	/* of this priority */
#define SISTER		11	/* another queue of the same priority */
#define OTHER		4	/* a queue of another priority */

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static inline void drop_init(struct rig *r)
{
	rig_init(r, &config, PARQ_SPEED_1G, true);
	rig_pfc(r, 0, BIT(PRIO), true);
	parqsim_write(r->sim, PARQ_EVENT_MASK, BIT(PARQ_EV_QUEUE));
}

/* For a test of one rig, which is its state. */
static inline int drop_setup(void **state)
{
	static struct rig r;

	drop_init(&r);
	*state = &r;
	return 0;
}

static inline int drop_teardown(void **state)
{
	rig_fini(*state);
	return 0;
}

#define drop_test(f)	cmocka_unit_test_setup_teardown(f, drop_setup, drop_teardown)

/* Sends a long frame: frames posted now are fetched, but have to wait. */
static inline void keep_mac_busy(struct rig *r)
{
	rig_post(r, 0, OTHER, 1500);
	rig_run(r, RIG_US / 2);
}

static inline void post(struct rig *r, u32 queue, u32 frames)
{
	while (frames--)
		rig_post(r, 0, queue, 100);
	rig_run(r, RIG_US / 2);
}

/*
 * A queue keeps the descriptors that it has read last. Behind so many frames of one descriptor it
 * has to read older ones again.
 */
#define KEPT		16

static inline void pause(struct rig *r, u16 time)
{
	rig_pause(r, 0, BIT(PRIO), time);
	rig_run(r, 20 * RIG_US);
}

/* Posts @frames that are fetched and then parked. */
static inline void park(struct rig *r, u32 queue, u32 frames)
{
	u64 before = le64_to_cpu(rig_stats(r, 0)->prio[PRIO].parked);

	keep_mac_busy(r);
	post(r, queue, frames);
	pause(r, 0xffff);
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->prio[PRIO].parked),
			 before + frames);
}

static inline u32 txq_read(struct rig *r, u32 queue, u32 off)
{
	return rig_read(r, 0, PARQ_TXQ(queue) + off);
}

static inline void restart(struct rig *r, u32 queue)
{
	rig_write(r, 0, PARQ_TXQ(queue) + PARQ_TXQ_CTRL, 0);
	rig_txq_up(r, 0, queue);
	rig_assert_no_error(r);
}

/* Checks the drops by reason, and the other counters that they must be in. */
static inline void expect_drops(struct rig *r, u32 desc, u32 dma, u32 purge, u32 park)
{
	const struct parq_stats *s = rig_stats(r, 0);
	u64 prios = 0, queues = 0;
	u32 i;

	assert_int_equal(le64_to_cpu(s->tx_drop_desc), desc);
	assert_int_equal(le64_to_cpu(s->tx_drop_dma), dma);
	assert_int_equal(le64_to_cpu(s->tx_drop_purge), purge);
	assert_int_equal(le64_to_cpu(s->tx_drop_park), park);
	assert_int_equal(le64_to_cpu(s->tx_drop_storm), 0);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		prios += le64_to_cpu(s->prio[i].tx_drop);
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		queues += le64_to_cpu(s->txq[i].drop);
	assert_int_equal(prios, desc + dma + purge + park);
	/* The owner of an invalid entry is unknown. */
	assert_int_equal(queues, desc + dma + purge);
	assert_int_equal(le64_to_cpu(s->prio[PRIO].tx_drop), prios);
}

static inline void expect_goes_on(struct rig *r, u32 queue)
{
	assert_int_equal(txq_read(r, queue, PARQ_TXQ_ERR), PARQ_ERR_NONE);
	post(r, queue, 2);
	rig_drain(r);
}

/* The queue that stopped works again, and the other one of its class was not affected. */
static inline void expect_recovers(struct rig *r)
{
	restart(r, QUEUE);
	expect_goes_on(r, QUEUE);
	expect_goes_on(r, SISTER);
}

/* @n: queues stopped so far, this one included: each logs one event */
static inline void expect_stopped(struct rig *r, u32 queue, enum parq_err err, u32 n)
{
	const struct parq_event *e = rig_event(r, n - 1);
	u32 fetch = txq_read(r, queue, PARQ_TXQ_FETCH);

	assert_int_equal(txq_read(r, queue, PARQ_TXQ_ERR), err);
	assert_int_equal(le32_to_cpu(e->gen), 1);
	assert_int_equal(e->type, PARQ_EV_QUEUE);
	assert_int_equal(e->port, 0);
	assert_int_equal(e->index, queue);
	assert_int_equal(le32_to_cpu(e->a), err);
	assert_int_equal(le32_to_cpu(rig_event(r, n)->gen), 0);
	post(r, queue, 2);
	assert_int_equal(txq_read(r, queue, PARQ_TXQ_FETCH), fetch);
}

#endif /* _PARQSIM_TESTS_DROP_H */
