// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the pool that receive buffers share, over a fake device. */
#include <kunit/test.h>
#include <linux/netlink.h>

#include "../parq_pool.h"
#include "../parq_switch_domain.h"

#define POND_PORTS	3
#define POND_TOTAL	100000	/* receive memory of a port, bytes */
#define POND_OWN	20000	/* of them, of its buffers */
#define POND_ALPHA	(PARQ_SW_POOL_LIMIT_DYNAMIC | PARQ_SW_POOL_ALPHA_1)

/**
 * struct pond - the device and the driver's view of it
 * @pd: device
 * @port: its ports
 * @has: it has a pool
 * @size: PARQ_SW_POOL_SIZE
 * @least: lowest @size since this was set
 * @used: PARQ_SW_POOL_USED
 * @room: PARQ_SW_POOL_ROOM
 * @drains: bytes that leave the pool each time that @used is read
 * @limit: PARQ_SW_POOL_LIMIT
 * @port_used: PARQ_SW_POOL_PORT_USED
 * @high: PARQ_SW_POOL_HIGH
 * @goes: port whose registers are the last that can be read
 * @applied: times that receive buffers were set
 * @err: what that returns
 * @allowed: bytes of the pool that the device was allowed while they were set
 */
struct pond {
	struct parq_dev *pd;
	struct parq_port *port[POND_PORTS];
	bool has;
	u32 size;
	u32 least;
	u32 used;
	u32 room;
	u32 drains;
	u32 limit[POND_PORTS][PARQ_NUM_RXB];
	u32 port_used[POND_PORTS];
	u32 high[POND_PORTS];
	unsigned int goes;
	unsigned int applied;
	int err;
	u32 allowed;
};

static struct pond *pond;

/* ---- fakes -------------------------------------------------------------- */

bool parq_io_switch_pool(struct parq_dev *pd)
{
	return pond->has;
}

void parq_io_pool_size(struct parq_dev *pd, u32 size)
{
	pond->size = size;
	pond->least = min(pond->least, size);
}

u32 parq_io_pool_used(struct parq_dev *pd)
{
	pond->used -= min(pond->used, pond->drains);
	return pond->used;
}

u32 parq_io_pool_room(struct parq_dev *pd)
{
	return pond->room;
}

void parq_io_pool_limit(const struct parq_port *port, unsigned int n, u32 limit)
{
	pond->limit[port->index][n] = limit;
}

u32 parq_io_pool_port_used(const struct parq_port *port)
{
	return pond->port_used[port->index];
}

u32 parq_io_pool_high(const struct parq_port *port)
{
	if (port->index == pond->goes)
		clear_bit(PARQ_DEV_READY, &pond->pd->flags);
	return pond->high[port->index];
}

void parq_io_pool_max_clear(const struct parq_port *port)
{
	pond->high[port->index] = pond->port_used[port->index];
}

int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb)
{
	pond->applied++;
	pond->allowed = pond->size;
	return pond->err;
}

/* ---- cases -------------------------------------------------------------- */

static void pond_port(struct kunit *test, unsigned int i)
{
	struct parq_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, port);
	port->index = i;
	port->pd = pond->pd;
	mutex_init(&port->pfc.lock);
	pond->pd->rx_memory += POND_TOTAL;
	port->pfc.buf.want.total = POND_TOTAL;
	port->pfc.buf.want.mtu = i == 1 ? 9000 : 1500;
	port->pfc.buf.rxb.size[0] = POND_OWN / 2;
	port->pfc.buf.rxb.size[PARQ_NUM_RXB - 1] = POND_OWN / 2;
	pond->port[i] = port;
	pond->pd->port[i] = port;
}

static int pond_init(struct kunit *test)
{
	struct parq_switch *sw = kunit_kzalloc(test, sizeof(*sw), GFP_KERNEL);
	unsigned int i;

	pond = kunit_kzalloc(test, sizeof(*pond), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sw);
	KUNIT_ASSERT_NOT_NULL(test, pond);
	pond->pd = kunit_kzalloc(test, sizeof(*pond->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, pond->pd);
	pond->pd->sw = sw;
	set_bit(PARQ_DEV_READY, &pond->pd->flags);
	pond->pd->caps.ports = POND_PORTS;
	sw->pd = pond->pd;
	for (i = 0; i < POND_PORTS; i++)
		pond_port(test, i);
	pond->has = true;
	pond->goes = POND_PORTS;
	pond->room = POND_PORTS * POND_TOTAL;
	parq_pool_init(pond->pd);
	pond->least = U32_MAX;
	return 0;
}

static void pond_exit(struct kunit *test)
{
	parq_pool_fini(pond->pd);
}

static void pond_lock(unsigned int i)
{
	mutex_lock(&pond->port[i]->pfc.lock);
}

static void pond_unlock(unsigned int i)
{
	mutex_unlock(&pond->port[i]->pfc.lock);
}

/* Return: as parq_pool_apply() of port 0. */
static int pond_apply(u32 more, char *reason)
{
	struct parq_rxb rxb = {};
	int err;

	pond_lock(0);
	err = parq_pool_apply(pond->port[0], &rxb, more, reason);
	pond_unlock(0);
	return err;
}

static void pool_has_all_memory(struct kunit *test)
{
	unsigned int i, n;

	KUNIT_EXPECT_TRUE(test, parq_pool_exists(pond->pd));
	KUNIT_EXPECT_FALSE(test, parq_pool_fixed(pond->pd));
	KUNIT_EXPECT_EQ(test, pond->size, (u32)POND_PORTS * POND_TOTAL);
	KUNIT_EXPECT_EQ(test, parq_pool_size(pond->pd),
			(u32)POND_PORTS * (POND_TOTAL - POND_OWN));
	for (i = 0; i < POND_PORTS; i++) {
		pond_lock(i);
		parq_pool_release(pond->port[i]);
		pond_unlock(i);
		for (n = 0; n < PARQ_NUM_RXB; n++) {
			KUNIT_EXPECT_EQ(test, pond->limit[i][n], (u32)POND_ALPHA);
			KUNIT_EXPECT_EQ(test, parq_pool_limit(pond->port[i], n),
					(u32)PARQ_SW_POOL_ALPHA_1);
		}
	}
	/* Buffers may have more than there is, until they change. */
	pond->port[2]->pfc.buf.rxb.size[1] = 3 * POND_TOTAL;
	KUNIT_EXPECT_EQ(test, parq_pool_size(pond->pd), 0U);
	/* A reset of the device. */
	pond->size = 0;
	parq_pool_restart(pond->pd);
	KUNIT_EXPECT_EQ(test, pond->size, (u32)POND_PORTS * POND_TOTAL);
}

static void no_pool(struct kunit *test)
{
	struct parq_switch *sw = pond->pd->sw;

	memset(&sw->pool, 0, sizeof(sw->pool));
	pond->has = false;
	pond->size = 1;
	parq_pool_init(pond->pd);
	KUNIT_EXPECT_FALSE(test, parq_pool_exists(pond->pd));
	parq_pool_restart(pond->pd);
	KUNIT_EXPECT_EQ(test, pond->size, 1U);
	pond->limit[0][0] = 1;
	pond_lock(0);
	parq_pool_hold(pond->port[0], 0xff);
	parq_pool_release(pond->port[0]);
	pond_unlock(0);
	KUNIT_EXPECT_EQ(test, pond->limit[0][0], 1U);
	KUNIT_EXPECT_EQ(test, pond_apply(1000, NULL), 0);
	KUNIT_EXPECT_EQ(test, pond->applied, 1U);
	KUNIT_EXPECT_EQ(test, pond->size, 1U);
	pond->pd->sw = NULL;
	KUNIT_EXPECT_FALSE(test, parq_pool_exists(pond->pd));
	pond->pd->sw = sw;
}

static void buffers_are_held(struct kunit *test)
{
	unsigned int n;

	pond_lock(1);
	parq_pool_release(pond->port[1]);
	parq_pool_hold(pond->port[1], 0x81);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		KUNIT_EXPECT_EQ(test, pond->limit[1][n],
				n == 0 || n == 7 ? 0 : (u32)POND_ALPHA);
	parq_pool_release(pond->port[1]);
	KUNIT_EXPECT_EQ(test, pond->limit[1][0], (u32)POND_ALPHA);
	KUNIT_EXPECT_EQ(test, pond->limit[1][7], (u32)POND_ALPHA);
	pond_unlock(1);
}

/* Buffers get more only once the pool does without it. */
static void pool_drains(struct kunit *test)
{
	char reason[PARQ_REASON_LEN] = "";
	u32 size = pond->size;

	KUNIT_EXPECT_EQ(test, pond_apply(0, reason), 0);
	KUNIT_EXPECT_EQ(test, pond->least, U32_MAX);
	pond->used = size;
	pond->drains = 400;
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), 0);
	KUNIT_EXPECT_EQ(test, pond->used, size - 1200);
	KUNIT_EXPECT_EQ(test, pond->least, size - 1000);
	KUNIT_EXPECT_EQ(test, pond->allowed, size - 1000);
	KUNIT_EXPECT_EQ(test, pond->size, size);
	/* To the byte. */
	pond->used = size - 600;
	pond->drains = 400;
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), 0);
	KUNIT_EXPECT_EQ(test, pond->used, size - 1000);
	/* Not more than a user allows, nor more than there is. */
	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, 50000, false, NULL), 0);
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), 0);
	KUNIT_EXPECT_EQ(test, pond->allowed, 50000U);
	pond->used = 0;
	KUNIT_EXPECT_EQ(test, pond_apply(size + 1, reason), 0);
	KUNIT_EXPECT_EQ(test, pond->allowed, 0U);
	KUNIT_EXPECT_EQ(test, pond->size, 50000U);
	pond->err = -EIO;
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), -EIO);
	KUNIT_EXPECT_EQ(test, pond->size, 50000U);
	KUNIT_EXPECT_STREQ(test, reason, "");
}

static void pool_does_not_drain(struct kunit *test)
{
	char reason[PARQ_REASON_LEN] = "";
	u32 size = pond->size;

	pond->used = size;
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), -EBUSY);
	KUNIT_EXPECT_STREQ(test, reason,
			   "the shared pool holds 300000 bytes and does not drain to 299000");
	KUNIT_EXPECT_EQ(test, pond->applied, 0U);
	KUNIT_EXPECT_EQ(test, pond->size, size);
	reason[0] = 0;
	set_bit(PARQ_DEV_GONE, &pond->pd->flags);
	KUNIT_EXPECT_EQ(test, pond_apply(1000, reason), -ENODEV);
	KUNIT_EXPECT_STREQ(test, reason, "");
}

/* Expects a refusal that has changed nothing. */
static void pond_refused(struct kunit *test, u32 bytes, int err, const char *reason)
{
	struct netlink_ext_ack extack = {};
	u32 size = pond->size;

	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, bytes, true, &extack), err);
	if (reason)
		KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, reason));
	KUNIT_EXPECT_EQ(test, pond->size, size);
	KUNIT_EXPECT_FALSE(test, parq_pool_fixed(pond->pd));
}

static void pool_is_set(struct kunit *test)
{
	u32 left = POND_PORTS * (POND_TOTAL - POND_OWN), frame = 9000 + 14 + 4 + PARQ_MAX_TAGS;
	unsigned int i, n;

	pond_refused(test, frame - 1, -EINVAL, "is less than a frame of 90");
	pond_refused(test, left + 1, -ENOBUFS, "size 240001 is more than the 240000 bytes");
	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, frame, false, NULL), 0);
	KUNIT_EXPECT_EQ(test, pond->size, frame);
	KUNIT_EXPECT_EQ(test, parq_pool_size(pond->pd), frame);
	/* Limits stay, unless they mean something else. */
	KUNIT_EXPECT_EQ(test, parq_pool_limit_set(pond->port[2], 7, 3, NULL), 0);
	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, left, false, NULL), 0);
	KUNIT_EXPECT_EQ(test, pond->limit[2][7], (u32)(PARQ_SW_POOL_LIMIT_DYNAMIC | 3));
	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, left, true, NULL), 0);
	KUNIT_EXPECT_TRUE(test, parq_pool_fixed(pond->pd));
	for (i = 0; i < POND_PORTS; i++)
		for (n = 0; n < PARQ_NUM_RXB; n++)
			KUNIT_EXPECT_EQ(test, pond->limit[i][n], (u32)POND_PORTS * POND_TOTAL);
	KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, left, false, NULL), 0);
	KUNIT_EXPECT_EQ(test, pond->limit[2][7], (u32)POND_ALPHA);
	set_bit(PARQ_DEV_GONE, &pond->pd->flags);
	pond_refused(test, frame, -ENODEV, NULL);
}

static void limits_are_set(struct kunit *test)
{
	static const struct {
		bool fixed;
		u32 threshold;
		int err;
		u32 limit;
	} cases[] = {
		{ false, 2, -EINVAL, 0 },
		{ false, 3, 0, PARQ_SW_POOL_LIMIT_DYNAMIC | 3 },
		{ false, 16, 0, PARQ_SW_POOL_LIMIT_DYNAMIC | 16 },
		{ false, 17, -EINVAL, 0 },
		{ true, 0, 0, 0 },
		{ true, 17, 0, 17 },
		{ true, POND_PORTS * POND_TOTAL, 0, POND_PORTS * POND_TOTAL },
		{ true, POND_PORTS * POND_TOTAL + 1, -EINVAL, 0 },
	};
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ(test, parq_pool_set(pond->pd, 50000, cases[i].fixed, NULL), 0);
		pond->limit[1][6] = 1;
		pond->limit[1][5] = 1;
		err = parq_pool_limit_set(pond->port[1], 6, cases[i].threshold, NULL);
		KUNIT_EXPECT_EQ_MSG(test, err, cases[i].err, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, pond->limit[1][6], err ? 1 : cases[i].limit, "%u", i);
		KUNIT_EXPECT_EQ(test, pond->limit[1][5], 1U);
		if (!err)
			KUNIT_EXPECT_EQ(test, parq_pool_limit(pond->port[1], 6),
					cases[i].threshold);
	}
	set_bit(PARQ_DEV_GONE, &pond->pd->flags);
	KUNIT_EXPECT_EQ(test, parq_pool_limit_set(pond->port[1], 6, 5, NULL), -ENODEV);
}

static void occupancy_is_recorded(struct kunit *test)
{
	unsigned int i;
	u32 cur, max;

	for (i = 0; i < POND_PORTS; i++) {
		pond->port_used[i] = 10 + i;
		pond->high[i] = 20 + i;
	}
	KUNIT_EXPECT_EQ(test, parq_pool_snapshot(pond->pd), 0);
	parq_pool_max_clear(pond->pd);
	for (i = 0; i < POND_PORTS; i++) {
		parq_pool_occupancy(pond->port[i], &cur, &max);
		KUNIT_EXPECT_EQ(test, cur, 10 + i);
		KUNIT_EXPECT_EQ(test, max, 20 + i);
		KUNIT_EXPECT_EQ(test, pond->high[i], 10 + i);
	}
	pond->port_used[1] = ~0U;
	pond->goes = 1;
	KUNIT_EXPECT_EQ(test, parq_pool_snapshot(pond->pd), -ENODEV);
	parq_pool_occupancy(pond->port[1], &cur, &max);
	KUNIT_EXPECT_EQ(test, cur, 11U);
	KUNIT_EXPECT_EQ(test, max, 21U);
}

static struct kunit_case pond_cases[] = {
	KUNIT_CASE(pool_has_all_memory),
	KUNIT_CASE(no_pool),
	KUNIT_CASE(buffers_are_held),
	KUNIT_CASE(pool_drains),
	KUNIT_CASE(pool_does_not_drain),
	KUNIT_CASE(pool_is_set),
	KUNIT_CASE(limits_are_set),
	KUNIT_CASE(occupancy_is_recorded),
	{}
};

static struct kunit_suite pond_suite = {
	.name = "parq_pool",
	.init = pond_init,
	.exit = pond_exit,
	.test_cases = pond_cases,
};

kunit_test_suite(pond_suite);

MODULE_DESCRIPTION("KUnit suite of the pool that receive buffers share");
MODULE_LICENSE("GPL");
