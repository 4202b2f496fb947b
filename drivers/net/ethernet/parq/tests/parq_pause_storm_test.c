// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of storms, over a fake device. */
#include <kunit/test.h>
#include <linux/rtnetlink.h>

#include "parq_pfc_fake.h"

static void fake_changed(struct parq_port *port)
{
	fake_of(port)->changes++;
}

static void fake_begin_storm(struct fake *f, unsigned int prio)
{
	gate_pause(&f->gate[prio], true);
	gate_storm(&f->gate[prio]);
	fake_publish(f);
}

static void fake_end_storm(struct fake *f, unsigned int prio)
{
	gate_pause(&f->gate[prio], false);
	fake_publish(f);
}

static struct parq_storm_news fake_news(struct fake *f)
{
	struct parq_storm_news news;

	parq_pfc_event(&f->port);
	parq_storm_take(&f->port, &news);
	return news;
}

/* They live as long as the netdev, and cost nothing when they are what they were. */
static void storm_settings(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	bool forward;
	u16 ms;

	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 200, true), 0);
	KUNIT_EXPECT_EQ(test, f->storms_set, 0U);
	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	KUNIT_EXPECT_EQ(test, f->limit_ms, 200);
	KUNIT_EXPECT_EQ(test, f->fc_limit_ms, 200);
	KUNIT_EXPECT_TRUE(test, f->forward);
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 200, true), 0);
	KUNIT_EXPECT_EQ(test, f->storms_set, 1U);
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 0, false), 0);
	KUNIT_EXPECT_EQ(test, f->limit_ms, 0);
	KUNIT_EXPECT_EQ(test, f->fc_limit_ms, 0);
	KUNIT_EXPECT_FALSE(test, f->forward);

	f->refuse_storm = true;
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 7, true), -EIO);
	f->refuse_storm = false;
	f->refuse_limit = true;
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 7, true), -EIO);
	f->refuse_limit = false;
	KUNIT_EXPECT_EQ(test, f->limit_ms, 0);
	KUNIT_EXPECT_EQ(test, f->fc_limit_ms, 0);
	KUNIT_EXPECT_FALSE(test, f->forward);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 7, true), -ENODEV);
	KUNIT_EXPECT_EQ(test, parq_storm_end(&f->port), -ENODEV);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	parq_storm_get(&f->port, &ms, &forward);
	KUNIT_EXPECT_EQ(test, ms, 0);
	KUNIT_EXPECT_FALSE(test, forward);
	fake_close(test, f);
}

/* So does the time to restore, which is set for itself. */
static void storm_restore(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	KUNIT_EXPECT_EQ(test, parq_storm_restore_set(&f->port, 500), 0);
	KUNIT_EXPECT_EQ(test, parq_storm_restore_get(&f->port), 500);
	KUNIT_EXPECT_EQ(test, f->storms_set, 0U);
	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	KUNIT_EXPECT_EQ(test, f->restore_ms, 500);
	KUNIT_EXPECT_EQ(test, parq_storm_restore_set(&f->port, 500), 0);
	KUNIT_EXPECT_EQ(test, f->storms_set, 1U);
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 200, true), 0);
	KUNIT_EXPECT_EQ(test, f->restore_ms, 500);
	KUNIT_EXPECT_EQ(test, parq_storm_restore_set(&f->port, 0), 0);
	KUNIT_EXPECT_EQ(test, f->restore_ms, 0);
	KUNIT_EXPECT_EQ(test, f->limit_ms, 200);
	KUNIT_EXPECT_TRUE(test, f->forward);

	f->refuse_storm = true;
	KUNIT_EXPECT_EQ(test, parq_storm_restore_set(&f->port, 9), -EIO);
	f->refuse_storm = false;
	KUNIT_EXPECT_EQ(test, parq_storm_restore_get(&f->port), 0);
	set_bit(PARQ_DEV_GONE, &f->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_storm_restore_set(&f->port, 9), -ENODEV);
	clear_bit(PARQ_DEV_GONE, &f->pd.flags);
	fake_close(test, f);
}

/* A device that refuses them is not opened with PFC on, and nothing is left. */
static void storm_open_fails(struct kunit *test)
{
	struct fake *f = fake_new(test, true);

	f->refuse_storm = true;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), -EIO);
	expect_queues(test, f, 0, 0);
	KUNIT_EXPECT_EQ(test, f->en, 0);
	f->refuse_storm = false;
	KUNIT_EXPECT_EQ(test, fake_open(f, 0xff), 0);
	fake_close(test, f);
}

static void storm_is_seen(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_storm_news news;

	/* What the device counted for somebody else. */
	f->gate[FAKE_CLASS].storms = 5;
	fake_publish(f);
	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	parq_storm_listen(&f->port, fake_changed);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.begun, 0);
	KUNIT_EXPECT_EQ(test, f->changes, 0U);

	fake_begin_storm(f, FAKE_CLASS);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.begun, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, news.active, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, f->changes, 1U);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.begun, 0);
	KUNIT_EXPECT_EQ(test, news.active, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, f->changes, 1U);
	/* The class is not held up, and not paused. */
	KUNIT_EXPECT_TRUE(test, parq_storm_drops(&f->port, FAKE_CLASS));
	KUNIT_EXPECT_FALSE(test, parq_storm_drops(&f->port, FAKE_CLASS + 1));
	KUNIT_EXPECT_EQ(test, parq_storm_set(&f->port, 1, true), 0);
	KUNIT_EXPECT_FALSE(test, parq_storm_drops(&f->port, FAKE_CLASS));

	fake_end_storm(f, FAKE_CLASS);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.active, 0);
	KUNIT_EXPECT_EQ(test, f->changes, 2U);
	/* Over before anybody looked, and all at once. */
	fake_begin_storm(f, FAKE_CLASS);
	fake_end_storm(f, FAKE_CLASS);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.begun, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, news.active, 0);
	KUNIT_EXPECT_EQ(test, f->changes, 3U);
	/* None is left that the port's end could change. */
	fake_settle(test, f);
	fake_close(test, f);
	KUNIT_EXPECT_EQ(test, f->changes, 3U);
}

static void storm_of_all(struct kunit *test)
{
	struct fake *f = fake_new(test, false);
	struct parq_storm_news news;
	unsigned int prio;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	parq_storm_listen(&f->port, fake_changed);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		fake_begin_storm(f, prio);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.begun, 0xff);
	KUNIT_EXPECT_EQ(test, news.active, 0xff);
	KUNIT_EXPECT_EQ(test, f->changes, 1U);
	/* A user has them end; those that the peer still pauses are paused. */
	fake_end_storm(f, 0);
	KUNIT_EXPECT_EQ(test, parq_storm_end(&f->port), 0);
	KUNIT_EXPECT_EQ(test, f->obeyed, 0xff);
	KUNIT_EXPECT_EQ(test, f->gate[0].levels & PARQ_LEVELS_PAUSE, 0ULL);
	KUNIT_EXPECT_NE(test, f->gate[1].levels & PARQ_LEVELS_PAUSE, 0ULL);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.active, 0);
	KUNIT_EXPECT_EQ(test, f->changes, 2U);
	/* The port goes down in the middle of the next one. */
	fake_begin_storm(f, 1);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.active, BIT(1));
	fake_close(test, f);
	KUNIT_EXPECT_EQ(test, f->changes, 4U);
	KUNIT_EXPECT_EQ(test, f->port.pfc.storm.active, 0);
}

/* Ours: the device counts them, and says while the host does not take frames. */
static void storm_of_the_host(struct kunit *test)
{
	struct fake *f = fake_new(test, true);
	struct parq_storm_news news;

	KUNIT_ASSERT_EQ(test, fake_open(f, 0xff), 0);
	parq_storm_listen(&f->port, fake_changed);
	f->flow_status = FIELD_PREP(PARQ_FC_STATUS_BOUNDED, FAKE_ONE);
	atomic64_set(&f->port.stats.own_storms, 2);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.host_begun, 2ULL);
	KUNIT_EXPECT_EQ(test, news.host, FAKE_ONE);
	KUNIT_EXPECT_EQ(test, news.begun, 0);
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.host_begun, 0ULL);
	KUNIT_EXPECT_EQ(test, f->changes, 1U);
	f->flow_status = 0;
	news = fake_news(f);
	KUNIT_EXPECT_EQ(test, news.host, 0);
	KUNIT_EXPECT_EQ(test, f->changes, 2U);
	fake_close(test, f);
}

static struct kunit_case parq_storm_tests[] = {
	KUNIT_CASE(storm_settings),
	KUNIT_CASE(storm_restore),
	KUNIT_CASE(storm_open_fails),
	KUNIT_CASE(storm_is_seen),
	KUNIT_CASE(storm_of_all),
	KUNIT_CASE(storm_of_the_host),
	{}
};

static struct kunit_suite parq_storm_suite = {
	.name = "parq_pause_storm",
	.test_cases = parq_storm_tests,
};

kunit_test_suite(parq_storm_suite);
