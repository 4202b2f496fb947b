// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the life of a device that has no ports, over fakes of all that it starts. */
#include <kunit/test.h>

#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_port.h"
#include "../parq_ptp.h"
#include "../parq_reg.h"
#include "../parq_stats.h"
#include "../parq_switch.h"
#include "../parq_trace.h"

#define LIFE_TRIES	8	/* resets in a row that may fail */

/**
 * struct life - what the fakes do, and have seen
 * @fatal: the device has stopped
 * @reset_err: what a reset returns
 * @bus_err: what the bus returns when asked for one
 * @stops: times that DMA of a device that is gone was ended
 * @recoveries: resets that the driver asked its bus for
 * @late: a recovery was pending when the device's parts began to go
 * @going: completed at that time
 */
static struct life {
	bool fatal;
	int reset_err;
	int bus_err;
	unsigned int stops;
	unsigned int recoveries;
	bool late;
	struct completion going;
} life;

/* ---- fakes -------------------------------------------------------------- */

bool parq_reg_alive(struct parq_dev *pd)
{
	return true;
}

bool parq_io_fatal(struct parq_dev *pd)
{
	return life.fatal;
}

int parq_io_reset(struct parq_dev *pd)
{
	return life.reset_err;
}

void parq_io_off(struct parq_dev *pd)
{
}

void parq_io_gone(struct parq_dev *pd)
{
	life.stops++;
}

void parq_io_port_init(struct parq_port *port)
{
}

int parq_events_init(struct parq_dev *pd)
{
	return 0;
}

void parq_events_fini(struct parq_dev *pd)
{
}

void parq_debugfs_init(struct parq_dev *pd)
{
}

void parq_debugfs_fini(struct parq_dev *pd)
{
}

int parq_devlink_register(struct parq_dev *pd)
{
	return 0;
}

void parq_devlink_unregister(struct parq_dev *pd)
{
	life.late = work_pending(&pd->recover);
	complete(&life.going);
}

void parq_trace_add(struct parq_dev *pd)
{
}

void parq_trace_del(struct parq_dev *pd)
{
}

struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index)
{
	return NULL;
}

void parq_port_free(struct parq_port *port)
{
}

int parq_port_register(struct parq_port *port)
{
	return 0;
}

void parq_port_unregister(struct parq_port *port)
{
}

int parq_netdev_up(struct parq_port *port)
{
	return 0;
}

void parq_netdev_down(struct parq_port *port)
{
}

void parq_netdev_attach(struct parq_port *port)
{
}

void parq_stats_refresh(struct parq_port *port)
{
}

void parq_stats_fold(struct parq_port *port)
{
}

void parq_stats_restart(struct parq_port *port)
{
}

void parq_ptp_init(struct parq_dev *pd)
{
}

void parq_ptp_fini(struct parq_dev *pd)
{
}

void parq_ptp_save(struct parq_dev *pd)
{
}

void parq_ptp_restore(struct parq_dev *pd)
{
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
int parq_switch_init(struct parq_dev *pd)
{
	return 0;
}

void parq_switch_fini(struct parq_dev *pd)
{
}

void parq_switch_fold(struct parq_dev *pd)
{
}

void parq_switch_restart(struct parq_dev *pd)
{
}

void parq_switch_watch(struct parq_dev *pd)
{
}
#endif

static int life_bus_reset(struct parq_dev *pd)
{
	life.recoveries++;
	return life.bus_err;
}

static const char *life_bus_name(struct parq_dev *pd)
{
	return "test";
}

static const struct parq_bus_ops life_bus = {
	.reset = life_bus_reset,
	.name = life_bus_name,
};

/* ---- cases -------------------------------------------------------------- */

static struct parq_dev *life_dev(struct kunit *test)
{
	struct device *dev = root_device_register("parq-life");
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	memset(&life, 0, sizeof(life));
	init_completion(&life.going);
	pd->dev = dev;
	pd->bus = &life_bus;
	KUNIT_ASSERT_EQ(test, parq_dev_start(pd), 0);
	return pd;
}

static void life_end(struct parq_dev *pd)
{
	parq_dev_stop(pd);
	root_device_unregister(pd->dev);
}

static void life_recovers(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);

	cancel_delayed_work_sync(&pd->watch);
	pd->recover.func(&pd->recover);
	/* Another reset was faster than this one. */
	KUNIT_EXPECT_EQ(test, life.recoveries, 0U);
	life.fatal = true;
	pd->recover.func(&pd->recover);
	KUNIT_EXPECT_EQ(test, life.recoveries, 1U);
	/* The device is down since the last reset failed. */
	life.fatal = false;
	pd->restarts = 1;
	pd->recover.func(&pd->recover);
	KUNIT_EXPECT_EQ(test, life.recoveries, 2U);
	life_end(pd);
}

/* It stops again after each reset: the next resets come at growing intervals. */
static void life_backs_off(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);
	unsigned int i;

	cancel_delayed_work_sync(&pd->watch);
	life.fatal = true;
	for (i = 0; i < 5; i++) {
		pd->watch.work.func(&pd->watch.work);
		flush_work(&pd->recover);
	}
	KUNIT_EXPECT_EQ(test, life.recoveries, 1U);
	/* A reset that the bus did not begin does not count. */
	pd->backoff.next = jiffies;
	life.bus_err = -EAGAIN;
	for (i = 0; i < 5; i++) {
		pd->watch.work.func(&pd->watch.work);
		flush_work(&pd->recover);
	}
	KUNIT_EXPECT_EQ(test, life.recoveries, 6U);
	life_end(pd);
}

static void life_is_gone(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);

	cancel_delayed_work_sync(&pd->watch);
	pd->recover.func(&pd->recover);
	KUNIT_EXPECT_EQ(test, life.stops, 0U);
	set_bit(PARQ_DEV_GONE, &pd->flags);
	pd->recover.func(&pd->recover);
	KUNIT_EXPECT_EQ(test, life.stops, 1U);
	KUNIT_EXPECT_EQ(test, life.recoveries, 0U);
	life_end(pd);
}

static void life_gives_up(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);
	unsigned int i;

	parq_dev_quiesce(pd);
	life.reset_err = -EIO;
	for (i = 0; i < LIFE_TRIES; i++) {
		KUNIT_EXPECT_EQ(test, parq_dev_restart(pd), -EIO);
		KUNIT_EXPECT_TRUE(test, cancel_delayed_work_sync(&pd->watch));
	}
	KUNIT_EXPECT_EQ(test, parq_dev_restart(pd), -EIO);
	KUNIT_EXPECT_FALSE(test, cancel_delayed_work_sync(&pd->watch));
	/* A reset by hand brings it back. */
	life.reset_err = 0;
	KUNIT_EXPECT_EQ(test, parq_dev_restart(pd), 0);
	KUNIT_EXPECT_EQ(test, pd->restarts, 0U);
	KUNIT_EXPECT_TRUE(test, cancel_delayed_work_sync(&pd->watch));
	life_end(pd);
}

static void life_wait(struct work_struct *work)
{
	wait_for_completion(&life.going);
}

/* The watch has found a stopped device, and its recovery waits for a processor, behind @busy. */
static void life_recovery_waits(struct kunit *test, struct parq_dev *pd, struct work_struct *busy)
{
	struct workqueue_struct *wq = pd->wq;

	cancel_delayed_work_sync(&pd->watch);
	pd->wq = alloc_ordered_workqueue("parq-life", 0);
	KUNIT_ASSERT_NOT_NULL(test, pd->wq);
	destroy_workqueue(wq);
	INIT_WORK_ONSTACK(busy, life_wait);
	queue_work(pd->wq, busy);
	life.fatal = true;
	pd->watch.work.func(&pd->watch.work);
	KUNIT_EXPECT_TRUE(test, work_pending(&pd->recover));
}

/* It must not restart a device that suspends. */
static void life_suspends(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);
	struct work_struct busy;

	life_recovery_waits(test, pd, &busy);
	parq_dev_suspend(pd);
	complete(&life.going);
	flush_workqueue(pd->wq);
	destroy_work_on_stack(&busy);
	KUNIT_EXPECT_EQ(test, life.recoveries, 0U);

	/* The reset of a resume has mended it. */
	life.fatal = false;
	KUNIT_EXPECT_EQ(test, parq_dev_restart(pd), 0);
	life_end(pd);
	KUNIT_EXPECT_EQ(test, life.recoveries, 0U);
}

/* It must not begin while the parts go that it uses. */
static void life_stops(struct kunit *test)
{
	struct parq_dev *pd = life_dev(test);
	struct work_struct busy;

	life_recovery_waits(test, pd, &busy);
	life_end(pd);
	destroy_work_on_stack(&busy);
	KUNIT_EXPECT_FALSE(test, life.late);
	KUNIT_EXPECT_EQ(test, life.recoveries, 0U);
}

static struct kunit_case life_cases[] = {
	KUNIT_CASE(life_recovers),
	KUNIT_CASE(life_backs_off),
	KUNIT_CASE(life_is_gone),
	KUNIT_CASE(life_gives_up),
	KUNIT_CASE(life_suspends),
	KUNIT_CASE(life_stops),
	{}
};

static struct kunit_suite life_suite = {
	.name = "parq_dev",
	.test_cases = life_cases,
};

kunit_test_suite(life_suite);

MODULE_DESCRIPTION("KUnit suite of a device's life");
MODULE_LICENSE("GPL");
