// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of removed TX queues: how long they accept frames from their qdisc. */
#include <kunit/test.h>
#include <linux/jiffies.h>

#include "../parq_ring.h"

#define BACKLOG		100000U		/* bytes in the qdisc at the removal */
#define ACCEPTED	(U32_MAX - 999)	/* by the driver at the removal; wraps soon */
#define LOOK		msecs_to_jiffies(PARQ_DRAIN_LOOK_MS)
#define LIMIT		msecs_to_jiffies(PARQ_DRAIN_MS)

/**
 * struct drain_case - a removed queue, looked at in regular intervals
 * @name: for people
 * @bytes: in the qdisc at the removal
 * @leave: bytes that leave the qdisc between two looks
 * @arrive: bytes that arrive meanwhile
 * @tags: bytes by which those that leave become longer
 * @paused: looks at the start that find the priority paused
 * @idle: looks at the start that find no frame in the driver
 * @busy: one of so many finds one all the same; 0: none
 * @over: the queue has to stop, %LIMIT after @paused
 */
struct drain_case {
	const char *name;
	u32 bytes;
	u32 leave;
	u32 arrive;
	u32 tags;
	unsigned int paused;
	unsigned int idle;
	unsigned int busy;
	bool over;
};

#define LIMIT_LOOKS	DIV_ROUND_UP(LIMIT, LOOK)
#define ALL_LOOKS	100

static const struct drain_case drain_cases[] = {
	{ "slow, but it ends", .bytes = BACKLOG, .leave = BACKLOG / ALL_LOOKS },
	{ "tags make its frames longer", .bytes = BACKLOG, .leave = BACKLOG / ALL_LOOKS,
	  .tags = BACKLOG / ALL_LOOKS / 8 },
	{ "as much arrives as leaves", .bytes = BACKLOG, .leave = BACKLOG / 5,
	  .arrive = BACKLOG / 5, .over = true },
	{ "a little arrives", .bytes = BACKLOG, .leave = BACKLOG / ALL_LOOKS,
	  .arrive = BACKLOG / 30, .over = true },
	{ "frames for a queue that had none", .leave = 100, .arrive = 200, .over = true },
	{ "not while it is paused", .bytes = BACKLOG, .arrive = BACKLOG / 2, .paused = 20,
	  .over = true },
	{ "the qdisc keeps its frames", .bytes = BACKLOG, .idle = ALL_LOOKS, .over = true },
	{ "the qdisc is late with them", .bytes = BACKLOG, .leave = BACKLOG / ALL_LOOKS,
	  .idle = 3 },
	{ "the qdisc releases a few of them", .bytes = BACKLOG, .leave = BACKLOG / ALL_LOOKS,
	  .idle = ALL_LOOKS, .busy = 4 },
};

static void drain_case_name(const struct drain_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(drain, drain_cases, drain_case_name);

static void drain_over(struct kunit *test)
{
	const struct drain_case *c = test->param_value;
	struct parq_drain d = { .bytes = c->bytes, .queued = ACCEPTED };
	struct parq_drain_look now = { .bytes = c->bytes, .queued = ACCEPTED };
	unsigned int i, expected = c->over ? c->paused + LIMIT_LOOKS : 0;

	for (i = 1; i <= ALL_LOOKS; i++) {
		now.at += LOOK;
		now.bytes += c->arrive - c->leave;
		now.queued += c->leave + c->tags;
		now.paused = i <= c->paused;
		now.empty = i <= c->idle && !(c->busy && i % c->busy == 0);
		if (parq_drain_over(&d, &now))
			break;
	}
	KUNIT_EXPECT_EQ(test, i, expected ?: ALL_LOOKS + 1);
}

/* Between two looks the priority may have been paused, or the driver may have had frames. */
static void drain_late(struct kunit *test)
{
	struct parq_drain d = { .bytes = BACKLOG };
	struct parq_drain_look now = { .bytes = 2 * BACKLOG, .at = 100 * LIMIT, .empty = true };

	KUNIT_EXPECT_FALSE(test, parq_drain_over(&d, &now));
}

static struct kunit_case parq_drain_tests[] = {
	KUNIT_CASE_PARAM(drain_over, drain_gen_params),
	KUNIT_CASE(drain_late),
	{}
};

static struct kunit_suite parq_drain_suite = {
	.name = "parq_reconf_calc",
	.test_cases = parq_drain_tests,
};

kunit_test_suite(parq_drain_suite);
