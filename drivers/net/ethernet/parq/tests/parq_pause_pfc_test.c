// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the PFC engine, over a fake device. */
#include <kunit/test.h>
#include <linux/rtnetlink.h>

#include "parq_pfc_fake.h"

#define FAKE_STUCK	(3 * HZ)	/* a class that is held but not paused is stuck then */

/* ---- life --------------------------------------------------------------- */

static void pfc_opens_and_closes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_EXPECT_EQ(test, fake_open(f, 0x0f), 0);
	KUNIT_EXPECT_EQ(test, f->en, 0x0f);
	KUNIT_EXPECT_TRUE(test, f->offload);
	expect_queues(test, f, 0x0f, FAKE_ORDER);
	fake_close(test, f);
	KUNIT_EXPECT_EQ(test, f->en, 0);
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, 0x0f);
}

static void pfc_park_order(struct kunit *test)
{
	static const struct {
		unsigned int entries;
		unsigned int pipe;
		unsigned int most;
		unsigned int order;
	} cases[] = {
		/* Never smaller than the device takes. */
		{ 0, 1, 20, 6 },
		{ 60, 4, 20, 6 },
		/* Rings and pipeline fit, to the entry. */
		{ 60, 5, 20, 7 },
		{ 2048, 0, 20, 11 },
		{ 2048, 64, 20, 12 },
		/* Never larger than the device takes. */
		{ 65536, 64, 16, 16 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fake *f = fake_new(test, true);

		f->entries = cases[i].entries;
		f->pd.caps.pipe_depth = cases[i].pipe;
		f->pd.caps.park_order = cases[i].most;
		KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
		KUNIT_EXPECT_EQ(test, f->order[FAKE_CLASS], cases[i].order);
		fake_close(test, f);
	}
}

/* Refused before anything changes. */
static void pfc_refuses_macsec(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_cap = 200, .pfc_en = 0xff, .mbc = 3 };
	struct fake *f = fake_new(test, false);
	char reason[PARQ_REASON_LEN] = "";

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -EINVAL);
	rtnl_unlock();
	KUNIT_EXPECT_STREQ(test, reason, "macsec-bypass 3 is not 0 or 1");
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, 0);
}

/* Settings of a port that is down reach the device when it comes up. */
static void pfc_keeps_settings(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = 0x81, .mbc = 1, .delay = 1234 };
	struct fake *f = fake_new(test, false);
	char reason[PARQ_REASON_LEN];

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), 0);
	KUNIT_EXPECT_EQ(test, f->allocs, 0U);
	KUNIT_EXPECT_EQ(test, f->en, 0);
	KUNIT_EXPECT_EQ(test, parq_pfc_open(&f->port), 0);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->en, 0x81);
	KUNIT_EXPECT_EQ(test, f->flow, 0x81U);
	KUNIT_EXPECT_TRUE(test, f->ets);
	KUNIT_EXPECT_TRUE(test, f->port.pfc.mbc);
	KUNIT_EXPECT_EQ(test, f->port.pfc.delay, 1234);
	fake_close(test, f);
}

/* Whichever step of it fails, nothing is left behind. */
static void pfc_open_fails(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	unsigned int n;

	KUNIT_EXPECT_EQ(test, fake_set(f, 0xff), 0);
	for (n = 1; n <= PARQ_NUM_PRIO; n++) {
		f->fail_at = n;
		KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -ENOMEM);
		expect_queues(test, f, 0, 0);
		KUNIT_EXPECT_FALSE(test, f->port.pfc.up);
	}
	f->refuse_ets = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -EIO);
	expect_queues(test, f, 0, 0);
	f->refuse_ets = false;
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -EIO);
	expect_queues(test, f, 0, 0);
	f->refuse_pfc = false;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), 0);
	expect_queues(test, f, 0xff, FAKE_ORDER);
	fake_close(test, f);
}

/* An open without enough receive memory, or that the device refuses, keeps the buffers. */
static void pfc_open_keeps_buffers(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_buf *buf = &f->port.pfc.buf, before;
	u32 total = buf->want.total;

	KUNIT_ASSERT_EQ(test, fake_set(f, FAKE_ONE), 0);
	before = *buf;
	f->port.mru = PARQ_MTU_MAX;
	f->refuse_rxb = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, FAKE_ONE), -EIO);
	f->refuse_rxb = false;
	KUNIT_EXPECT_EQ(test, memcmp(&buf->rxb, &before.rxb, sizeof(buf->rxb)), 0);
	KUNIT_EXPECT_EQ(test, buf->want.mtu, before.want.mtu);

	rtnl_lock();
	buf->want.total = SZ_8K;
	KUNIT_EXPECT_EQ(test, parq_pfc_open(&f->port), -ENOBUFS);
	buf->want.total = total;
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, memcmp(&buf->rxb, &before.rxb, sizeof(buf->rxb)), 0);
	KUNIT_EXPECT_EQ(test, buf->want.mtu, before.want.mtu);

	KUNIT_EXPECT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_EQ(test, buf->want.mtu, (unsigned int)PARQ_MTU_MAX);
	fake_close(test, f);
}

/* ---- settings ----------------------------------------------------------- */

/* A class that is lossless before and after keeps its queue. */
static void pfc_touches_only_what_changes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	memset(f->queues_set, 0, sizeof(f->queues_set));
	KUNIT_EXPECT_EQ(test, fake_set(f, 0x0c), 0);
	KUNIT_EXPECT_EQ(test, f->queues_set[2], 1U);
	KUNIT_EXPECT_EQ(test, f->queues_set[3], 0U);
	KUNIT_EXPECT_EQ(test, f->queues_set[4], 1U);
	expect_queues(test, f, 0x0c, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0x0c), 0);
	KUNIT_EXPECT_EQ(test, f->queues_set[2], 1U);
	fake_close(test, f);
}

static void pfc_set_fails(struct kunit *test)
{
	struct ieee_pfc pfc = { .pfc_en = 0xff, .mbc = 1, .delay = 99 };
	struct fake *f = fake_new(test, false);
	char reason[PARQ_REASON_LEN];
	struct parq_rxb rxb;
	unsigned int n;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	rxb = f->rxb;
	rtnl_lock();
	for (n = 1; n < PARQ_NUM_PRIO; n++) {
		f->fail_at = n;
		KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -ENOMEM);
		expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	}
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -EIO);
	f->refuse_pfc = false;
	/* Queues that were not wanted after all go at the next look. */
	parq_pfc_event(&f->port);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	f->refuse_rxb = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -EIO);
	f->refuse_rxb = false;
	/* Its buffer would have to give room away, and is full. */
	f->used = FAKE_MEMORY;
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -EBUSY);
	f->used = 0;
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, memcmp(&f->rxb, &rxb, sizeof(rxb)), 0);
	KUNIT_EXPECT_EQ(test, f->flow, (u32)FAKE_ONE);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_pfc_set(&f->port, &pfc, reason), -ENODEV);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, f->en, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, f->port.pfc.en, FAKE_ONE);
	KUNIT_EXPECT_FALSE(test, f->port.pfc.mbc);
	KUNIT_EXPECT_EQ(test, f->port.pfc.delay, 0);
	fake_close(test, f);
}

/* PFC goes off for a class whose frames are parked: its memory stays till then. */
static void pfc_off_while_parked(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	fake_park(f, FAKE_CLASS, false);
	KUNIT_ASSERT_GT(test, f->gate[FAKE_CLASS].parked, 0U);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0xff & ~FAKE_ONE), 0);
	expect_queues(test, f, 0xff, FAKE_ORDER);
	fake_settle(test, f);
	expect_queues(test, f, 0xff & ~FAKE_ONE, FAKE_ORDER);
	fake_close(test, f);
}

/* On again before the frames have left: the queue of before will do. */
static void pfc_off_and_on_while_parked(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	dma_addr_t dma;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	dma = f->dma[FAKE_CLASS];
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, fake_set(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fake_set(f, FAKE_ONE), 0);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	fake_settle(test, f);
	expect_queues(test, f, FAKE_ONE, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, f->dma[FAKE_CLASS], dma);
	fake_close(test, f);
}

/* Rings change while a class is held: it has its new queue when it is released. */
static void pfc_resizes(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_EXPECT_EQ(test, fake_resize(f, 2 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, f->allocs, 0U);
	f->entries = FAKE_ENTRIES;
	KUNIT_ASSERT_EQ(test, fake_open(f, 0x18), 0);
	fake_park(f, FAKE_CLASS, false);
	f->fail_at = 2;
	KUNIT_EXPECT_EQ(test, fake_resize(f, 4 * FAKE_ENTRIES), -ENOMEM);
	expect_queues(test, f, 0x18, FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, fake_resize(f, 2 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, fake_resize(f, 4 * FAKE_ENTRIES), 0);
	KUNIT_EXPECT_EQ(test, f->order[3], (unsigned int)FAKE_ORDER);
	KUNIT_EXPECT_EQ(test, f->order[4], FAKE_ORDER + 2U);
	KUNIT_EXPECT_EQ(test, f->allocs, 3U);
	fake_settle(test, f);
	expect_queues(test, f, 0x18, FAKE_ORDER + 2);
	fake_close(test, f);
}

/* ---- executor ----------------------------------------------------------- */

/* Anything at any moment, seen late or not at all; and then no pause any more. */
static void fake_schedule(struct kunit *test, u32 seed)
{
	struct fake *f = fake_new(test, true);
	unsigned int i, prio;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	KUNIT_ASSERT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	for (i = 0; i < 300; i++) {
		prio = gate_random(&seed) % PARQ_NUM_PRIO;
		switch (gate_random(&seed) % 8) {
		case 0:
			if (f->en & BIT(prio))
				gate_pause(&f->gate[prio], gate_random(&seed) & 1);
			break;
		case 1:
			gate_storm(&f->gate[prio]);
			fallthrough;
		case 2:
			parq_pfc_event(&f->port);
			break;
		case 3:
			if (gate_random(&seed) % 8)
				break;
			KUNIT_EXPECT_EQ(test, fake_set(f, gate_random(&seed)), 0);
			break;
		case 4:
			if (gate_random(&seed) % 8)
				break;
			KUNIT_EXPECT_EQ(test, fake_resize(f, FAKE_ENTRIES <<
							  gate_random(&seed) % 3), 0);
			break;
		default:
			gate_advance(&f->gate[prio]);
			fake_publish(f);
			break;
		}
	}
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, f->en, f->port.pfc.en);
	KUNIT_EXPECT_EQ(test, f->allocs, (unsigned int)hweight8(f->en));
	fake_close(test, f);
}

static void pfc_schedules(struct kunit *test)
{
	u32 seed;

	for (seed = 0; seed < 500; seed++)
		fake_schedule(test, seed);
}

/* Every edge of a pause is seen, and commands are counted. */
static void pfc_runs_the_fsm(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_FALSE(test, f->offload);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_IDLE);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	/* HALT, FLUSH, RELEASE: to halting, parked, flushing, parked, ... */
	KUNIT_EXPECT_EQ(test, c->commands, 3ULL);
	KUNIT_EXPECT_EQ(test, f->edges, 6U);
	KUNIT_EXPECT_EQ(test, c->refused, 0ULL);
	fake_close(test, f);
}

static void pfc_counts_refused_releases(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];
	struct gate *g = &f->gate[FAKE_CLASS];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	gate_pause(g, true);
	for (i = 0; i < 20 && g->open != PARQ_PFC_RELEASE; i++) {
		gate_pause(g, false);
		gate_advance(g);
		fake_publish(f);
		parq_pfc_event(&f->port);
	}
	KUNIT_ASSERT_EQ(test, (int)g->open, PARQ_PFC_RELEASE);
	gate_pause(g, true);
	gate_advance(g);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->refused, 1ULL);
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, c->refused, 1ULL);
	fake_close(test, f);
}

static void pfc_executor_changes(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];
	struct gate *g = &f->gate[FAKE_CLASS];

	/* Down: for the next time that it is up. */
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), 0);
	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	KUNIT_EXPECT_TRUE(test, f->offload);

	/* Where the device stopped, the driver goes on. */
	fake_park(f, FAKE_CLASS, true);
	KUNIT_EXPECT_EQ(test, f->commands, 0U);
	f->refuse_pfc = true;
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), -EIO);
	KUNIT_EXPECT_TRUE(test, f->port.pfc.offload);
	f->refuse_pfc = false;
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), 0);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	gate_pause(g, false);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, (int)g->open, PARQ_PFC_FLUSH);

	/* Not while a command is on its way. */
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), -ETIMEDOUT);
	KUNIT_EXPECT_FALSE(test, f->port.pfc.offload);
	gate_advance(g);
	fake_publish(f);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), 0);
	KUNIT_EXPECT_TRUE(test, f->offload);

	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, false), -ENODEV);
	fake_close(test, f);
}

/* ---- supervision -------------------------------------------------------- */

/* As if so much time had gone by. */
static void fake_wait(struct fake *f, unsigned long time)
{
	f->port.pfc.prio[FAKE_CLASS].since -= time;
}

/* Held, not paused, and nothing moves: that is one stall, counted once. */
static void pfc_sees_a_stall(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, true);
	fake_wait(f, 2 * FAKE_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);

	gate_pause(&f->gate[FAKE_CLASS], false);
	fake_publish(f);
	parq_pfc_event(&f->port);
	fake_wait(f, FAKE_STUCK / 2);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);

	/* The head moves: a long pass on a slow link. */
	f->head[FAKE_CLASS]++;
	fake_wait(f, FAKE_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));

	fake_wait(f, FAKE_STUCK);
	parq_pfc_event(&f->port);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	KUNIT_EXPECT_EQ(test, f->stalls, 1U);
	KUNIT_EXPECT_FALSE(test, parq_pfc_paused(&f->port, FAKE_CLASS));

	gate_pause(&f->gate[FAKE_CLASS], true);
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_close(test, f);
}

/* An executor that has lost its way finds it again by the levels. */
static void pfc_recovers_from_a_stall(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, false);
	gate_pause(&f->gate[FAKE_CLASS], false);
	fake_publish(f);
	/* A command that never arrived is not acknowledged either. */
	c->seq++;
	parq_pfc_event(&f->port);
	fake_wait(f, FAKE_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_settle(test, f);
	fake_close(test, f);
}

/* Nor does it have to be held: the answer to its last command is to another one. */
static void pfc_recovers_from_a_wrong_answer(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_pfc_class *c = &f->port.pfc.prio[FAKE_CLASS];

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	fake_park(f, FAKE_CLASS, false);
	fake_settle(test, f);
	f->seq[FAKE_CLASS] += 3;
	fake_publish(f);
	parq_pfc_event(&f->port);
	fake_wait(f, FAKE_STUCK / 2);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 0ULL);
	KUNIT_EXPECT_EQ(test, parq_pfc_executor_set(&f->port, true), -ETIMEDOUT);

	fake_wait(f, FAKE_STUCK);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_park(f, FAKE_CLASS, false);
	KUNIT_EXPECT_EQ(test, (int)c->state, PARQ_FSM_PARKED);
	KUNIT_EXPECT_TRUE(test, parq_pfc_paused(&f->port, FAKE_CLASS));
	fake_settle(test, f);
	KUNIT_EXPECT_EQ(test, c->stalls, 1ULL);
	fake_close(test, f);
}

/* A device whose levels go round in circles does not keep the driver. */
static void pfc_survives_a_lying_device(struct kunit *test)
{
	struct fake *f = fake_new(test, false);

	KUNIT_ASSERT_EQ(test, fake_open(f, FAKE_ONE), 0);
	f->liar = true;
	f->gate[FAKE_CLASS].levels = PARQ_LEVELS_HOLD;
	fake_publish(f);
	parq_pfc_event(&f->port);
	KUNIT_EXPECT_LE(test, f->commands, (unsigned int)PARQ_FSM_NUM_STATES);
	fake_close(test, f);
}

static struct kunit_case parq_pfc_tests[] = {
	KUNIT_CASE(pfc_opens_and_closes),
	KUNIT_CASE(pfc_park_order),
	KUNIT_CASE(pfc_refuses_macsec),
	KUNIT_CASE(pfc_keeps_settings),
	KUNIT_CASE(pfc_open_fails),
	KUNIT_CASE(pfc_open_keeps_buffers),
	KUNIT_CASE(pfc_touches_only_what_changes),
	KUNIT_CASE(pfc_set_fails),
	KUNIT_CASE(pfc_off_while_parked),
	KUNIT_CASE(pfc_off_and_on_while_parked),
	KUNIT_CASE(pfc_resizes),
	KUNIT_CASE(pfc_schedules),
	KUNIT_CASE(pfc_runs_the_fsm),
	KUNIT_CASE(pfc_counts_refused_releases),
	KUNIT_CASE(pfc_executor_changes),
	KUNIT_CASE(pfc_sees_a_stall),
	KUNIT_CASE(pfc_recovers_from_a_stall),
	KUNIT_CASE(pfc_recovers_from_a_wrong_answer),
	KUNIT_CASE(pfc_survives_a_lying_device),
	{}
};

static struct kunit_suite parq_pfc_suite = {
	.name = "parq_pause_pfc",
	.test_cases = parq_pfc_tests,
};

kunit_test_suite(parq_pfc_suite);
