// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the TX watchdog's arithmetic: starved, or stuck. */
#include <kunit/test.h>

#include "../parq_ets.h"

#define ONE_TO_ONE	0x76543210
#define MBIT		1000		/* kbit/s */
#define SECOND		((u64)NSEC_PER_SEC)
#define CHANS		4
/* What each queue of a priority with a class of its own needs: 2.1 Mbit. */
#define NEED		(CHANS * 65536ULL * 8)

/**
 * struct starve_case - five seconds at 10 Mb/s, which carry 50 Mbit
 * @name: for people
 * @prio_tc: traffic classes, 4 bits a priority
 * @tsa: of traffic classes, 4 bits each
 * @bw: weights of traffic classes 0 to 3
 * @maxrate: of the traffic class of priority 0
 * @port_rate: of the port
 * @bits: that were sent by priority
 * @control: of the device's own
 * @paused_ms: time that priority 0 was paused
 * @starved: priority 0 is
 */
struct starve_case {
	const char *name;
	u32 prio_tc;
	u32 tsa;
	u32 bw;
	u32 maxrate;
	u32 port_rate;
	u64 bits[PARQ_NUM_PRIO];
	u64 control;
	unsigned int paused_ms;
	bool starved;
};

#define ALL	50000000ULL
/* Clocks may differ by 200 ppm. */
#define PPM	(ALL / 5000)

static const struct starve_case cases[] = {
	{ "nobody sends: stuck", .prio_tc = ONE_TO_ONE },
	{ "a stricter class takes all", .prio_tc = ONE_TO_ONE,
	  .bits = { [7] = ALL }, .starved = true },
	{ "it leaves just too little", .prio_tc = ONE_TO_ONE,
	  .bits = { [7] = ALL - PPM - NEED + 1 }, .starved = true },
	{ "it leaves enough: stuck beside a busy class", .prio_tc = ONE_TO_ONE,
	  .bits = { [7] = ALL - PPM - NEED } },
	{ "two take it together", .prio_tc = ONE_TO_ONE,
	  .bits = { [1] = ALL / 2, [5] = ALL / 2 }, .starved = true },
	{ "the device's control frames take it", .prio_tc = ONE_TO_ONE,
	  .control = ALL, .starved = true },
	{ "a priority of its class takes all: stuck", .prio_tc = 0,
	  .bits = { [7] = ALL } },
	{ "a class below takes all: stuck", .prio_tc = 0x76543201,
	  .bits = { [1] = ALL } },
	{ "its share is enough: stuck", .prio_tc = ONE_TO_ONE, .tsa = 0x22,
	  .bw = 0x5a0a, .bits = { [1] = ALL } },
	{ "its share is one percent", .prio_tc = ONE_TO_ONE, .tsa = 0x22,
	  .bw = 0x6301, .bits = { [1] = ALL }, .starved = true },
	{ "a strict class leaves too little to share", .prio_tc = ONE_TO_ONE,
	  .tsa = 0x22, .bw = 0x5a0a, .bits = { [7] = ALL - 20 * 1000000 },
	  .starved = true },
	{ "its limit is low", .prio_tc = ONE_TO_ONE, .maxrate = 400,
	  .starved = true },
	{ "its limit is enough: stuck", .prio_tc = ONE_TO_ONE, .maxrate = 500 },
	{ "the limit of the port is low", .prio_tc = ONE_TO_ONE, .port_rate = 400,
	  .starved = true },
	{ "a stricter class takes all that the port may send", .prio_tc = ONE_TO_ONE,
	  .port_rate = 5000, .bits = { [7] = ALL / 2 }, .starved = true },
	{ "it leaves half of that: stuck", .prio_tc = ONE_TO_ONE,
	  .port_rate = 5000, .bits = { [7] = ALL / 4 } },
	{ "a limit above the link's speed: stuck", .prio_tc = ONE_TO_ONE, .port_rate = 11000 },
	{ "paused for most of the time", .prio_tc = ONE_TO_ONE,
	  .paused_ms = 4900, .starved = true },
	{ "paused for a while: stuck", .prio_tc = ONE_TO_ONE,
	  .paused_ms = 4000 },
	{ "counters that do not add up", .prio_tc = ONE_TO_ONE,
	  .bits = { [7] = 2 * ALL }, .paused_ms = 6000, .starved = true },
};

static void starve_cases(struct kunit *test)
{
	unsigned int i, prio;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct starve_case *c = &cases[i];
		/* What was before does not count. */
		struct parq_wire_use from = { .before_ns = 76 * SECOND,
					      .after_ns = 77 * SECOND,
					      .bits = 1234567 };
		struct parq_wire_use to = from;
		struct parq_ets_hw ets = {
			.prio_tc = c->prio_tc,
			.tsa = c->tsa,
			.bw_lo = c->bw,
			.port_rate = c->port_rate,
		};

		ets.maxrate[c->prio_tc & 0xf] = c->maxrate;
		to.before_ns += 6 * SECOND;
		to.after_ns += 7 * SECOND;
		to.bits += c->control;
		to.paused_ns[0] += c->paused_ms * (u64)NSEC_PER_MSEC;
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			to.prio[prio] += c->bits[prio];
			to.bits += c->bits[prio];
		}
		KUNIT_EXPECT_EQ_MSG(test,
				    parq_starved(&ets, CHANS, 0, 10 * MBIT,
						 &from, &to),
				    c->starved, "%s", c->name);
	}
}

static struct kunit_case parq_starve_tests[] = {
	KUNIT_CASE(starve_cases),
	{}
};

static struct kunit_suite parq_starve_suite = {
	.name = "parq_ets_starved",
	.test_cases = parq_starve_tests,
};

kunit_test_suite(parq_starve_suite);
