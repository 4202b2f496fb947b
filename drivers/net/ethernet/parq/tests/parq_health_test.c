// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the health reporter: reports of storms, recovery, and what a user is shown. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_pause.h"
#include "../parq_stats.h"
#include "parq_health_calls.h"

/**
 * struct ward - a port, and what the fakes do and have seen
 * @port: port
 * @pd: device
 * @status: status page
 * @block: statistics of the device
 * @stats: the same with those from before its reset
 * @ops: operations of the reporter
 * @notes: what was noted, each after a space
 * @news: of storms
 * @listens: the port tells of storms
 * @report_err: what a report returns; not 0 with auto_recover
 * @create_err: what a creation returns
 * @end_err: what the end of storms returns
 * @gone: the device does not answer
 * @forward: frames of a storm are sent
 * @recoveries: number of errors that have passed
 */
struct ward {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_status status;
	struct parq_stats block;
	struct parq_stats stats;
	const struct devlink_health_reporter_ops *ops;
	char notes[4096];
	struct parq_storm_news news;
	bool listens;
	int report_err;
	int create_err;
	int end_err;
	bool gone;
	bool forward;
	unsigned int recoveries;
};

static struct ward *ward;

/* ---- fakes -------------------------------------------------------------- */

void ward_note(const char *what)
{
	strlcat(ward->notes, " ", sizeof(ward->notes));
	strlcat(ward->notes, what, sizeof(ward->notes));
}

void ward_put(const char *name, u64 val)
{
	char text[64];

	snprintf(text, sizeof(text), "%s=%llu", name, val);
	ward_note(text);
}

void ward_recovered(void)
{
	ward_put("recovered", ++ward->recoveries);
}

void ward_text(const char *name, const char *text)
{
	ward_note(name);
	ward_note(text);
}

void ward_binary(const void *data, unsigned int len)
{
	ward_put("registers", ((const u32 *)data)[len / 4 - 1]);
}

struct devlink_health_reporter *ward_create(const struct devlink_health_reporter_ops *ops)
{
	ward->ops = ops;
	return ward->create_err ? ERR_PTR(ward->create_err) :
				  (struct devlink_health_reporter *)ward;
}

void *ward_priv(void)
{
	return ward->port;
}

int ward_report(const char *text, void *ctx)
{
	ward_note(text);
	return ward->report_err;
}

void parq_storm_listen(struct parq_port *port, void (*changed)(struct parq_port *port))
{
	ward->listens = changed;
}

void parq_storm_take(struct parq_port *port, struct parq_storm_news *news)
{
	*news = ward->news;
	ward->news.begun = 0;
	ward->news.host_begun = 0;
}

int parq_storm_end(struct parq_port *port)
{
	return ward->end_err;
}

void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward)
{
	*limit_ms = 100;
	*forward = ward->forward;
}

u16 parq_storm_restore_get(struct parq_port *port)
{
	return 7;
}

const struct parq_stats *parq_stats_get(struct parq_port *port)
{
	return ward->gone ? ERR_PTR(-ENODEV) : &ward->stats;
}

void parq_stats_put(struct parq_port *port)
{
	ward_note("put");
}

unsigned int parq_io_dump_len(const struct parq_port *port)
{
	return 8;
}

void parq_io_dump(struct parq_port *port, u32 *out)
{
	out[1] = 77;
	if (ward->gone)
		clear_bit(PARQ_DEV_READY, &port->pd->flags);
}

u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio)
{
	return 10 + prio;
}

u32 parq_io_park_head(struct parq_port *port, unsigned int prio)
{
	return 20 + prio;
}

u32 parq_io_park_tail(struct parq_port *port, unsigned int prio)
{
	return 30 + prio;
}

/* ---- cases -------------------------------------------------------------- */

static int ward_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));

	ward = kunit_kzalloc(test, sizeof(*ward), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, ward);
	ward->port = netdev_priv(dev);
	ward->port->netdev = dev;
	ward->port->pd = &ward->pd;
	ward->port->status = &ward->status;
	ward->port->stats.block = &ward->block;
	set_bit(PARQ_DEV_READY, &ward->pd.flags);
	KUNIT_ASSERT_EQ(test, parq_health_init(ward->port), 0);
	/* There may be a storm already. */
	KUNIT_EXPECT_STREQ(test, ward->notes, " work");
	KUNIT_EXPECT_TRUE(test, ward->listens);
	ward->notes[0] = 0;
	return 0;
}

static void ward_exit(struct kunit *test)
{
	ward->notes[0] = 0;
	parq_health_fini(ward->port);
	KUNIT_EXPECT_FALSE(test, ward->listens);
	KUNIT_EXPECT_STREQ(test, ward->notes, " destroy");
	free_netdev(ward->port->netdev);
}

static void ward_expect(struct kunit *test, const char *notes)
{
	KUNIT_EXPECT_STREQ(test, ward->notes, notes);
	ward->notes[0] = 0;
}

static void ward_noted(struct kunit *test, const char *part)
{
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(ward->notes, part), "%s", ward->notes);
}

static void ward_work(void)
{
	ward->port->health.work.func(&ward->port->health.work);
}

static int ward_recover(void *ctx)
{
	struct netlink_ext_ack extack = {};

	return ward->ops->recover((struct devlink_health_reporter *)ward, ctx, &extack);
}

/* With auto_recover an error passes with its storm. */
static void storms_pass(struct kunit *test)
{
	struct parq_health *h = &ward->port->health;

	ward->report_err = -ECANCELED;
	ward->news = (struct parq_storm_news){ .begun = 0x81, .active = 0x81, .limit_ms = 50 };
	ward_work();
	ward_expect(test,
		    " priority 0: paused for more than 50 ms, drop priority 7: paused for more than 50 ms, drop");
	KUNIT_EXPECT_EQ(test, atomic_read(&h->passing), 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->lasting), 0);
	KUNIT_EXPECT_EQ(test, h->logged, 0x81);
	KUNIT_EXPECT_EQ(test, ward_recover(h), -EINPROGRESS);
	ward->news.active = 0x80;
	ward_work();
	ward_expect(test, "");
	KUNIT_EXPECT_EQ(test, h->logged, 0x80);
	ward->news.active = 0;
	ward->news.host = 1;
	ward_work();
	ward_expect(test, "");
	ward->news.host = 0;
	ward_work();
	ward_expect(test, " recovered=1 recovered=2 healthy");
	KUNIT_EXPECT_EQ(test, h->logged, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->passing), 0);
}

/* Without it, an error lasts until a user recovers it. */
static void storms_last(struct kunit *test)
{
	struct parq_health *h = &ward->port->health;

	ward->news = (struct parq_storm_news){
		.host_begun = 0x10, .host = 0x30, .limit_ms = 50, .forward = true,
	};
	ward_work();
	ward_expect(test, " host received nothing for 50 ms: sent XON for priorities 0x30");
	KUNIT_EXPECT_EQ(test, atomic_read(&h->lasting), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->passing), 0);
	ward->news.host = 0;
	ward->news.begun = 0x04;
	ward_work();
	ward_expect(test, " priority 2: paused for more than 50 ms, forward");
	KUNIT_EXPECT_EQ(test, atomic_read(&h->lasting), 2);
	ward->end_err = -EBUSY;
	KUNIT_EXPECT_EQ(test, ward_recover(NULL), -EBUSY);
	ward->end_err = -ENODEV;
	KUNIT_EXPECT_EQ(test, ward_recover(NULL), -ENODEV);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->lasting), 2);
	ward->end_err = 0;
	atomic_set(&h->passing, 3);
	KUNIT_EXPECT_EQ(test, ward_recover(NULL), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->lasting), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&h->passing), 0);
	ward_work();
	ward_expect(test, " healthy");
}

/* The statistics include the pause that runs, the status page does not. */
static void classes_are_diagnosed(struct kunit *test)
{
	static const struct {
		u64 levels;
		u64 ran_ms;
		const char *state;
		bool lasts;
	} cases[] = {
		{ PARQ_LEVELS_STORM | PARQ_LEVELS_PAUSE | PARQ_LEVELS_HOLD, 5, "storm", true },
		{ PARQ_LEVELS_PAUSE | PARQ_LEVELS_HOLD, 5, "paused" },
		{ PARQ_LEVELS_HOLD, 0, "released" },
		{ 0, 0, "free" },
	};
	struct parq_prio_stats *sum = &ward->stats.prio[7];
	struct netlink_ext_ack extack = {};
	char expected[200];
	unsigned int i;

	ward->forward = true;
	ward->stats.tx_drop_storm = cpu_to_le64(9);
	sum->rx_pause_storm = cpu_to_le64(1);
	sum->tx_drop = cpu_to_le64(2);
	sum->tx_pause_storm = cpu_to_le64(3);
	ward->block.prio[7].rx_pause_ns = cpu_to_le64(8 * NSEC_PER_MSEC);
	ward->status.pfc[7].pause_ns = cpu_to_le64(3 * NSEC_PER_MSEC);
	ward->port->pfc.storm.host = 0x80;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ward->status.pfc[7].levels =
			cpu_to_le64(cases[i].levels | FIELD_PREP(PARQ_LEVELS_DEPTH, 6));
		ward->notes[0] = 0;
		KUNIT_EXPECT_EQ(test, ward->ops->diagnose((void *)ward, NULL, &extack), 0);
		snprintf(expected, sizeof(expected),
			 " { priority=7 state %s paused_ms=%llu parked=6 storms=1 restored=%u dropped=2 host_stalls=1 host_storms=3 } . put",
			 cases[i].state, cases[i].ran_ms, !cases[i].lasts);
		ward_noted(test, expected);
	}
	ward_noted(test, " timeout_ms=100 restore_ms=7 action forward tx_drop_storm=9");
	ward_noted(test, " { priority=0 state free paused_ms=0 parked=0 storms=0 restored=0");
	/* The pause has ended between the two reads. */
	ward->status.pfc[7].levels = cpu_to_le64(PARQ_LEVELS_PAUSE);
	ward->status.pfc[7].pause_ns = cpu_to_le64(9 * NSEC_PER_MSEC);
	ward->notes[0] = 0;
	KUNIT_EXPECT_EQ(test, ward->ops->diagnose((void *)ward, NULL, &extack), 0);
	ward_noted(test, " { priority=7 state paused paused_ms=0 ");
	ward->gone = true;
	ward->notes[0] = 0;
	KUNIT_EXPECT_EQ(test, ward->ops->diagnose((void *)ward, NULL, &extack), -ENODEV);
	ward_expect(test, "");
}

static void device_is_dumped(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	ward->status.pfc[7] = (struct parq_pfc_status){
		.levels = cpu_to_le64(1), .parked = cpu_to_le64(2), .reinjected = cpu_to_le64(3),
		.passes = cpu_to_le64(4), .repauses = cpu_to_le64(5), .pause_ns = cpu_to_le64(6),
		.storms = cpu_to_le64(7),
	};
	KUNIT_EXPECT_EQ(test, ward->ops->dump((void *)ward, NULL, NULL, &extack), 0);
	ward_noted(test,
		   " { priority=7 levels=1 parked=2 reinjected=3 passes=4 repauses=5 pause_ns=6 storms=7 quanta=17 park_head=27 park_tail=37 } . registers=77");
	ward_noted(test, " priorities { priority=0 ");
	ward->gone = true;
	ward->notes[0] = 0;
	KUNIT_EXPECT_EQ(test, ward->ops->dump((void *)ward, NULL, NULL, &extack), -ENODEV);
	ward_expect(test, "");
}

static void creation_fails(struct kunit *test)
{
	ward->create_err = -ENOMEM;
	ward->listens = false;
	KUNIT_EXPECT_EQ(test, parq_health_init(ward->port), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, ward->listens);
}

static struct kunit_case ward_cases[] = {
	KUNIT_CASE(storms_pass),
	KUNIT_CASE(storms_last),
	KUNIT_CASE(classes_are_diagnosed),
	KUNIT_CASE(device_is_dumped),
	KUNIT_CASE(creation_fails),
	{}
};

static struct kunit_suite ward_suite = {
	.name = "parq_health",
	.init = ward_init,
	.exit = ward_exit,
	.test_cases = ward_cases,
};

kunit_test_suite(ward_suite);

MODULE_DESCRIPTION("KUnit suite of the health reporter");
MODULE_LICENSE("GPL");
