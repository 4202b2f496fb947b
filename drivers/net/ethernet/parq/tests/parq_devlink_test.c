// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of devlink: parameters, the shared buffer with and without a pool, and what a
 * failure leaves.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>

#include "../parq_buf.h"
#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_pause.h"
#include "../parq_egress.h"
#include "../parq_pool.h"
#include "../parq_sb.h"
#include "parq_call_log.h"
#include "parq_devlink_calls.h"

#define KNOB_PORTS	3
#define KNOB_TOTAL	1000	/* receive memory of a port, bytes */
#define KNOB_POOL	5000

/**
 * struct knob - the device, and what the fakes do and have seen
 * @pd: device
 * @port: its ports
 * @ops: operations
 * @params: parameters
 * @log: calls of the fakes
 * @pool: there is a pool
 * @fixed: its limits are bytes
 * @egress: the device tells what waits to leave
 * @cable: length of the cables, by port
 * @opcode: of Pause Low, by port
 * @prios: of Pause Low, by port
 * @restore: time after which a storm is over, by port
 * @limit: limit that was set last
 * @snapshots: ports of which levels were recorded
 * @clears: ports whose highest levels were cleared
 */
static struct knob {
	struct parq_dev pd;
	struct parq_port port[KNOB_PORTS];
	const struct devlink_ops *ops;
	const struct devlink_param *params;
	struct parq_call_log log;
	bool pool;
	bool fixed;
	bool egress;
	u32 cable[KNOB_PORTS];
	u16 opcode[KNOB_PORTS];
	u8 prios[KNOB_PORTS];
	u16 restore[KNOB_PORTS];
	u32 limit;
	unsigned int snapshots;
	unsigned int clears;
} *knob;

/* ---- fakes -------------------------------------------------------------- */

static int knob_call(const char *name)
{
	return parq_call_log_add(&knob->log, ",", name);
}

void *knob_alloc(const struct devlink_ops *ops, size_t size)
{
	knob->ops = ops;
	return &knob->pd;
}

int knob_register(const char *what, unsigned int num)
{
	char text[32];

	snprintf(text, sizeof(text), "%s:%u", what, num);
	return knob_call(text);
}

void knob_params(const struct devlink_param *params)
{
	knob->params = params;
}

void knob_unregister(const char *what)
{
	char text[32];

	snprintf(text, sizeof(text), "-%s", what);
	knob_call(text);
}

static int knob_health(const char *what, const struct parq_port *port)
{
	char text[16];

	snprintf(text, sizeof(text), "%s%u", what, port->index);
	return knob_call(text);
}

int parq_health_init(struct parq_port *port)
{
	return knob_health("health", port);
}

void parq_health_fini(struct parq_port *port)
{
	knob_health("-health", port);
}

int parq_pfc_executor_set(struct parq_port *port, bool offload)
{
	int err = knob_call("executor");

	if (!err)
		port->pfc.offload = offload;
	return err;
}

u32 parq_buf_cable_get(struct parq_port *port)
{
	return knob->cable[port->index];
}

int parq_buf_cable_check(struct parq_port *port, u32 cable_m, char reason[PARQ_REASON_LEN])
{
	return knob_call("check");
}

int parq_buf_cable_set(struct parq_port *port, u32 cable_m, char reason[PARQ_REASON_LEN])
{
	int err = knob_call("cable");

	if (!err)
		knob->cable[port->index] = cable_m;
	return err;
}

int parq_buf_snapshot(struct parq_port *port)
{
	int err = knob_call("levels");

	knob->snapshots += !err;
	return err;
}

void parq_buf_max_clear(struct parq_port *port)
{
	knob->clears++;
}

void parq_pause_low_get(struct parq_port *port, u16 *opcode, u8 *prios)
{
	*opcode = knob->opcode[port->index];
	*prios = knob->prios[port->index];
}

int parq_pause_low_check(u16 opcode, char reason[PARQ_REASON_LEN])
{
	return opcode == 1 ? -EINVAL : 0;
}

int parq_pause_low_set(struct parq_port *port, u16 opcode, u8 prios)
{
	int err = knob_call("low");

	if (err)
		return err;
	knob->opcode[port->index] = opcode;
	knob->prios[port->index] = prios;
	return 0;
}

int parq_storm_restore_set(struct parq_port *port, u16 ms)
{
	int err = knob_call("restore");

	if (!err)
		knob->restore[port->index] = ms;
	return err;
}

u16 parq_storm_restore_get(struct parq_port *port)
{
	return knob->restore[port->index];
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	knob_call("refuse");
	return err;
}

unsigned int parq_rxb_buffer(const struct parq_rxb *rxb, unsigned int prio)
{
	return rxb->prio >> (4 * prio) & 7;
}

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN])
{
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
bool parq_pool_exists(const struct parq_dev *pd)
{
	return knob->pool;
}

bool parq_pool_fixed(const struct parq_dev *pd)
{
	return knob->fixed;
}

u32 parq_pool_size(struct parq_dev *pd)
{
	return KNOB_POOL;
}

int parq_pool_set(struct parq_dev *pd, u32 bytes, bool fixed, struct netlink_ext_ack *extack)
{
	knob->limit = bytes;
	knob->fixed = fixed;
	return knob_call("pool");
}

u32 parq_pool_limit(struct parq_port *port, unsigned int n)
{
	return 10 * port->index + n;
}

int parq_pool_limit_set(struct parq_port *port, unsigned int n, u32 threshold,
			struct netlink_ext_ack *extack)
{
	knob->limit = threshold + 10 * port->index + n;
	return knob_call("limit");
}

int parq_pool_snapshot(struct parq_dev *pd)
{
	return knob_call("pool-levels");
}

void parq_pool_max_clear(struct parq_dev *pd)
{
	knob_call("pool-clear");
}

void parq_pool_occupancy(struct parq_port *port, u32 *cur, u32 *max)
{
	*cur = 100 + port->index;
	*max = 200 + port->index;
}

bool parq_egress_exists(const struct parq_dev *pd)
{
	return knob->egress;
}

u32 parq_egress_limit(struct parq_port *port, unsigned int tc)
{
	return 50 + 10 * port->index + tc;
}

int parq_egress_limit_set(struct parq_port *port, unsigned int tc, u32 bytes,
			  struct netlink_ext_ack *extack)
{
	knob->limit = bytes + 10 * port->index + tc;
	return knob_call("egress-limit");
}

void parq_io_levels_hold(struct parq_dev *pd, bool on)
{
	knob_call(on ? "hold" : "let-go");
}

int parq_egress_snapshot(struct parq_dev *pd)
{
	return knob_call("egress-levels");
}

void parq_egress_max_clear(struct parq_dev *pd)
{
	knob_call("egress-clear");
}

void parq_egress_occupancy(const struct parq_port *port, unsigned int n, u32 *cur, u32 *max)
{
	*cur = 500 + 10 * port->index + n;
	*max = 600 + 10 * port->index + n;
}

#define KNOB_SHARES	true
#else
#define KNOB_SHARES	false
#endif

/* ---- cases -------------------------------------------------------------- */

static int knob_init(struct kunit *test)
{
	unsigned int i, n;

	knob = kunit_kzalloc(test, sizeof(*knob), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, knob);
	KUNIT_ASSERT_PTR_EQ(test, parq_devlink_alloc(NULL), &knob->pd);
	knob->pd.caps.ports = KNOB_PORTS;
	knob->pd.caps.flags = PARQ_CAP_OFFLOAD;
	for (i = 0; i < KNOB_PORTS; i++) {
		struct parq_port *port = &knob->port[i];
		struct parq_buf *buf = &port->pfc.buf;

		knob->pd.port[i] = port;
		port->pd = &knob->pd;
		port->index = i;
		mutex_init(&port->pfc.lock);
		knob->pd.rx_memory += KNOB_TOTAL;
		buf->rxb.prio = 0x76543212;
		for (n = 0; n < PARQ_NUM_RXB; n++) {
			buf->rxb.size[n] = 10 * i + n;
			buf->rxb.xoff[n] = 10 * i + n + 1000;
			buf->used[n] = 10 * i + n + 2000;
			buf->high[n] = 10 * i + n + 3000;
		}
		knob->cable[i] = 10;
		knob->opcode[i] = 514;
		knob->prios[i] = 0x81;
	}
	KUNIT_ASSERT_EQ(test, parq_devlink_register(&knob->pd), 0);
	KUNIT_EXPECT_STREQ(test, knob->log.text,
			   ",params:5,sb:11008,devlink:0,health0,health1,health2");
	knob->log.text[0] = 0;
	return 0;
}

static void knob_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &knob->log, calls);
}

static void knob_exit(struct kunit *test)
{
	knob->log.text[0] = 0;
	knob->log.fails = NULL;
	parq_devlink_unregister(&knob->pd);
	knob_expect(test, ",-health2,-health1,-health0,-devlink,-sb,-params");
}

static struct devlink *knob_devlink(void)
{
	return (struct devlink *)&knob->pd;
}

static const struct devlink_param *knob_param(const char *name)
{
	const struct devlink_param *param = knob->params;

	while (strcmp(param->name, name))
		param++;
	return param;
}

static struct devlink_param_gset_ctx knob_get(const char *name)
{
	const struct devlink_param *param = knob_param(name);
	struct devlink_param_gset_ctx ctx = {};

#ifdef PARQ_HAVE_DEVLINK_GET_EXTACK
	param->get(knob_devlink(), param->id, &ctx, NULL);
#else
	param->get(knob_devlink(), param->id, &ctx);
#endif
	return ctx;
}

/* Return: as the function that checks the value, or else as the one that sets it. */
static int knob_set(const char *name, union devlink_param_value val)
{
	const struct devlink_param *param = knob_param(name);
	struct devlink_param_gset_ctx ctx = { .val = val };
	struct netlink_ext_ack extack = {};
	int err = 0;

#ifdef PARQ_HAVE_DEVLINK_VALIDATE_PTR
	if (param->validate)
		err = param->validate(knob_devlink(), param->id, &val, &extack);
#else
	if (param->validate)
		err = param->validate(knob_devlink(), param->id, val, &extack);
#endif
	if (err)
		return err;
#ifdef PARQ_HAVE_DEVLINK_SET_EXTACK
	return param->set(knob_devlink(), param->id, &ctx, &extack);
#else
	return param->set(knob_devlink(), param->id, &ctx);
#endif
}

static int knob_executor(const char *name)
{
	union devlink_param_value val = {};

	strscpy(val.vstr, name, sizeof(val.vstr));
	return knob_set("pfc_executor", val);
}

/* All ports have it or none. */
static void executor_is_set(struct kunit *test)
{
	struct parq_switch *sw = (struct parq_switch *)knob;
	unsigned int i;

	KUNIT_EXPECT_STREQ(test, knob_get("pfc_executor").val.vstr, "managed");
	KUNIT_EXPECT_EQ(test, knob_executor("offload"), 0);
	knob_expect(test, ",executor,executor,executor");
	KUNIT_EXPECT_STREQ(test, knob_get("pfc_executor").val.vstr, "offload");
	KUNIT_EXPECT_EQ(test, knob_executor("nobody"), -EINVAL);
	knob->log.fails = "executor";
	knob->log.skip = 2;
	KUNIT_EXPECT_EQ(test, knob_executor("managed"), -EIO);
	knob->log.fails = NULL;
	knob_expect(test, ",executor,executor,executor,refuse,executor,executor");
	for (i = 0; i < KNOB_PORTS; i++)
		KUNIT_EXPECT_EQ(test, knob->port[i].pfc.offload, i == 2);
	knob->pd.caps.flags = 0;
	KUNIT_EXPECT_EQ(test, knob_executor("offload"), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, knob_executor("managed"), 0);
	knob->pd.sw = sw;
	KUNIT_EXPECT_EQ(test, knob_executor("managed"), -EOPNOTSUPP);
	knob->pd.sw = NULL;
}

static void cable_is_set(struct kunit *test)
{
	union devlink_param_value val = { .vu32 = 50 };
	unsigned int i;

	KUNIT_EXPECT_EQ(test, knob_get("cable_length").val.vu32, 10U);
	KUNIT_EXPECT_EQ(test, knob_set("cable_length", val), 0);
	knob_expect(test, ",check,check,check,cable,cable,cable");
	KUNIT_EXPECT_EQ(test, knob_get("cable_length").val.vu32, 50U);
	knob->log.fails = "check";
	knob->log.skip = 1;
	KUNIT_EXPECT_EQ(test, knob_set("cable_length", val), -EIO);
	knob_expect(test, ",check,check,refuse");
	knob->log.fails = "cable";
	knob->log.skip = 1;
	val.vu32 = 70;
	KUNIT_EXPECT_EQ(test, knob_set("cable_length", val), -EIO);
	for (i = 0; i < KNOB_PORTS; i++)
		KUNIT_EXPECT_EQ(test, knob->cable[i], i ? 50U : 70U);
	/* The port that was changed could not be changed back. */
	knob_expect(test, ",check,check,check,cable,cable,refuse,cable");
}

/* All ports have it or none; a device that cannot has 0. */
static void restore_is_set(struct kunit *test)
{
	union devlink_param_value val = { .vu16 = FIELD_MAX(PARQ_PFC_STORM_RESTORE) };
	unsigned int i;

	knob->pd.caps.flags = PARQ_CAP_RESTORE;
	KUNIT_EXPECT_EQ(test, knob_set("pfc_storm_restore", val), 0);
	knob_expect(test, ",restore,restore,restore");
	KUNIT_EXPECT_EQ(test, knob_get("pfc_storm_restore").val.vu16, 32767);
	val.vu16++;
	KUNIT_EXPECT_EQ(test, knob_set("pfc_storm_restore", val), -ERANGE);
	val.vu16 = 5;
	knob->log.fails = "restore";
	knob->log.skip = 2;
	KUNIT_EXPECT_EQ(test, knob_set("pfc_storm_restore", val), -EIO);
	knob->log.fails = NULL;
	knob_expect(test, ",restore,restore,restore,refuse,restore,restore");
	/* The ports that were changed could not be changed back. */
	for (i = 0; i < KNOB_PORTS; i++)
		KUNIT_EXPECT_EQ(test, knob->restore[i], i == 2 ? 32767 : 5);
	knob->pd.caps.flags = U32_MAX & ~PARQ_CAP_RESTORE;
	KUNIT_EXPECT_EQ(test, knob_set("pfc_storm_restore", val), -EOPNOTSUPP);
	knob_expect(test, "");
	val.vu16 = 0;
	KUNIT_EXPECT_EQ(test, knob_set("pfc_storm_restore", val), 0);
}

static void pause_low_is_set(struct kunit *test)
{
	union devlink_param_value opcode = { .vu16 = 515 }, prios = { .vu8 = 0x0f };
	unsigned int i;

	KUNIT_EXPECT_EQ(test, knob_get("pause_low_opcode").val.vu16, 514);
	KUNIT_EXPECT_EQ(test, knob_get("pause_low_prios").val.vu8, 0x81);
	KUNIT_EXPECT_EQ(test, knob_set("pause_low_opcode", opcode), 0);
	KUNIT_EXPECT_EQ(test, knob_set("pause_low_prios", prios), 0);
	for (i = 0; i < KNOB_PORTS; i++) {
		KUNIT_EXPECT_EQ(test, knob->opcode[i], 515);
		KUNIT_EXPECT_EQ(test, knob->prios[i], 0x0f);
	}
	knob->log.text[0] = 0;
	opcode.vu16 = 1;
	KUNIT_EXPECT_EQ(test, knob_set("pause_low_opcode", opcode), -EINVAL);
	knob_expect(test, ",refuse");
	knob->log.fails = "low";
	knob->log.skip = 2;
	opcode.vu16 = 516;
	KUNIT_EXPECT_EQ(test, knob_set("pause_low_opcode", opcode), -EIO);
	knob_expect(test, ",low,low,low,refuse,low,low");
}

static struct devlink_port *knob_port(unsigned int i)
{
	return &knob->port[i].devlink_port;
}

static void buffers_are_pools(struct kunit *test)
{
	const struct devlink_ops *ops = knob->ops;
	const unsigned int in = DEVLINK_SB_POOL_TYPE_INGRESS;
	struct devlink_sb_pool_info info;
	u32 threshold, cur, max;
	u16 pool;

	KUNIT_EXPECT_EQ(test, ops->sb_pool_get(knob_devlink(), 0, 7, &info), 0);
	KUNIT_EXPECT_EQ(test, info.size, 7U + 17 + 27);
	KUNIT_EXPECT_EQ(test, (int)info.pool_type, DEVLINK_SB_POOL_TYPE_INGRESS);
	KUNIT_EXPECT_EQ(test, (int)info.threshold_type, DEVLINK_SB_THRESHOLD_TYPE_STATIC);
	KUNIT_EXPECT_EQ(test, info.cell_size, 1U);
	KUNIT_EXPECT_EQ(test, ops->sb_pool_set(knob_devlink(), 0, 7, 1,
					       DEVLINK_SB_THRESHOLD_TYPE_STATIC, NULL),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_port_pool_get(knob_port(2), 0, 7, &threshold), 0);
	KUNIT_EXPECT_EQ(test, threshold, 27U);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_get(knob_port(1), 0, 0, in, &pool,
						       &threshold), 0);
	KUNIT_EXPECT_EQ(test, pool, 2);
	KUNIT_EXPECT_EQ(test, threshold, 1012U);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_get(knob_port(1), 0, 0, in + 1, &pool,
						       &threshold), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(1), 0, 0, in, 0, 5, NULL),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_snapshot(knob_devlink(), 0), 0);
	KUNIT_EXPECT_EQ(test, knob->snapshots, 3U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_max_clear(knob_devlink(), 0), 0);
	KUNIT_EXPECT_EQ(test, knob->clears, 3U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_port_pool_get(knob_port(1), 0, 5, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 2015U);
	KUNIT_EXPECT_EQ(test, max, 3015U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_tc_port_bind_get(knob_port(1), 0, 0, in, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 2012U);
	KUNIT_EXPECT_EQ(test, max, 3012U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_tc_port_bind_get(knob_port(1), 0, 0, in + 1, &cur,
							   &max), -EOPNOTSUPP);
	/* The first port that is gone ends it. */
	knob->log.text[0] = 0;
	knob->log.fails = "levels";
	knob->log.skip = 1;
	KUNIT_EXPECT_EQ(test, ops->sb_occ_snapshot(knob_devlink(), 0), -EIO);
	knob_expect(test, ",levels,levels");
}

/* There is one pool, and the classes are the buffers. */
static void buffers_share_a_pool(struct kunit *test)
{
	const struct devlink_ops *ops = knob->ops;
	const unsigned int in = DEVLINK_SB_POOL_TYPE_INGRESS;
	struct devlink_sb_pool_info info;
	u32 threshold, cur, max;
	u16 pool = 1;

	if (!KNOB_SHARES)
		kunit_skip(test, "without switchdev no ports share a pool");
	knob->pool = true;
	KUNIT_EXPECT_EQ(test, ops->sb_pool_get(knob_devlink(), 0, 0, &info), 0);
	KUNIT_EXPECT_EQ(test, info.size, (u32)KNOB_POOL);
	KUNIT_EXPECT_EQ(test, (int)info.threshold_type, DEVLINK_SB_THRESHOLD_TYPE_DYNAMIC);
	KUNIT_EXPECT_EQ(test, ops->sb_port_pool_get(knob_port(2), 0, 0, &threshold), 0);
	KUNIT_EXPECT_EQ(test, threshold, (u32)PARQ_SW_POOL_ALPHA_MAX);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_get(knob_port(1), 0, 0, in, &pool,
						       &threshold), 0);
	KUNIT_EXPECT_EQ(test, pool, 0);
	KUNIT_EXPECT_EQ(test, threshold, 10U);
	KUNIT_EXPECT_EQ(test, ops->sb_pool_set(knob_devlink(), 0, 0, 77,
					       DEVLINK_SB_THRESHOLD_TYPE_STATIC, NULL), 0);
	KUNIT_EXPECT_EQ(test, knob->limit, 77U);
	KUNIT_EXPECT_TRUE(test, knob->fixed);
	KUNIT_EXPECT_EQ(test, ops->sb_pool_get(knob_devlink(), 0, 0, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.threshold_type, DEVLINK_SB_THRESHOLD_TYPE_STATIC);
	KUNIT_EXPECT_EQ(test, ops->sb_port_pool_get(knob_port(2), 0, 0, &threshold), 0);
	KUNIT_EXPECT_EQ(test, threshold, (u32)KNOB_POOL);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 7, in, 0, 500, NULL), 0);
	KUNIT_EXPECT_EQ(test, knob->limit, 527U);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 8, in, 0, 500, NULL),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 7, in + 1, 0, 500, NULL),
			-EOPNOTSUPP);
	knob->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, ops->sb_occ_snapshot(knob_devlink(), 0), 0);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_max_clear(knob_devlink(), 0), 0);
	knob_expect(test, ",levels,levels,levels,hold,pool-levels,let-go,pool-clear");
	KUNIT_EXPECT_EQ(test, ops->sb_occ_port_pool_get(knob_port(1), 0, 0, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 101U);
	KUNIT_EXPECT_EQ(test, max, 201U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_tc_port_bind_get(knob_port(1), 0, 6, in, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 2016U);
	KUNIT_EXPECT_EQ(test, max, 3016U);
	knob->log.fails = "levels";
	KUNIT_EXPECT_EQ(test, ops->sb_occ_snapshot(knob_devlink(), 0), -EIO);
	knob_expect(test, ",levels");
}

/* The pool behind those of the ingress is that of what waits to leave. */
static void what_waits_has_a_pool(struct kunit *test)
{
	const unsigned int in = DEVLINK_SB_POOL_TYPE_INGRESS, out = DEVLINK_SB_POOL_TYPE_EGRESS;
	const struct devlink_ops *ops = knob->ops;
	struct devlink_sb_pool_info info;
	u32 threshold, cur, max;
	u16 pool = 0;

	if (!KNOB_SHARES)
		kunit_skip(test, "without switchdev nothing waits to leave");
	knob->pool = true;
	knob->egress = true;
	KUNIT_EXPECT_EQ(test, ops->sb_pool_get(knob_devlink(), 0, 1, &info), 0);
	KUNIT_EXPECT_EQ(test, info.size, (u32)KNOB_PORTS * KNOB_TOTAL);
	KUNIT_EXPECT_EQ(test, (int)info.pool_type, DEVLINK_SB_POOL_TYPE_EGRESS);
	KUNIT_EXPECT_EQ(test, (int)info.threshold_type, DEVLINK_SB_THRESHOLD_TYPE_STATIC);
	KUNIT_EXPECT_EQ(test, ops->sb_pool_set(knob_devlink(), 0, 1, 77,
					       DEVLINK_SB_THRESHOLD_TYPE_STATIC, NULL),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_port_pool_get(knob_port(2), 0, 1, &threshold), 0);
	KUNIT_EXPECT_EQ(test, threshold, (u32)KNOB_PORTS * KNOB_TOTAL);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_get(knob_port(1), 0, 7, out, &pool, &threshold),
			0);
	KUNIT_EXPECT_EQ(test, pool, 1);
	KUNIT_EXPECT_EQ(test, threshold, 67U);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_get(knob_port(1), 0, 8, out, &pool, &threshold),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 7, out, 1, 500, NULL), 0);
	KUNIT_EXPECT_EQ(test, knob->limit, 527U);
	/* A class of one direction has no pool of the other. */
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 7, out, 0, 1, NULL),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, ops->sb_tc_pool_bind_set(knob_port(2), 0, 7, in, 1, 1, NULL),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, knob->limit, 527U);
	knob->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, ops->sb_occ_snapshot(knob_devlink(), 0), 0);
	knob_expect(test, ",levels,levels,levels,hold,pool-levels,egress-levels,let-go");
	KUNIT_EXPECT_EQ(test, ops->sb_occ_max_clear(knob_devlink(), 0), 0);
	knob_expect(test, ",pool-clear,egress-clear");
	KUNIT_EXPECT_EQ(test, ops->sb_occ_port_pool_get(knob_port(1), 0, 1, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 518U);
	KUNIT_EXPECT_EQ(test, max, 618U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_tc_port_bind_get(knob_port(1), 0, 6, out, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 516U);
	KUNIT_EXPECT_EQ(test, max, 616U);
	KUNIT_EXPECT_EQ(test, ops->sb_occ_tc_port_bind_get(knob_port(1), 0, 6, in, &cur, &max), 0);
	KUNIT_EXPECT_EQ(test, cur, 2016U);
	knob->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, parq_sb_register(&knob->pd), 0);
	knob->pool = false;
	KUNIT_EXPECT_EQ(test, parq_sb_register(&knob->pd), 0);
	knob_expect(test, ",sb:14168,sb:21168");
	KUNIT_EXPECT_EQ(test, ops->sb_pool_get(knob_devlink(), 0, 8, &info), 0);
	KUNIT_EXPECT_EQ(test, (int)info.pool_type, DEVLINK_SB_POOL_TYPE_EGRESS);
}

static void registration_fails(struct kunit *test)
{
	static const struct {
		const char *fails;
		const char *calls;
	} steps[] = {
		{ "params:5", ",params:5" },
		{ "sb:11008", ",params:5,sb:11008,-params" },
		{ "health0", ",params:5,sb:11008,devlink:0,health0,-devlink,-sb,-params" },
		{ "health2",
		  ",params:5,sb:11008,devlink:0,health0,health1,health2,-health1,-health0,-devlink,-sb,-params",
		},
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		knob->log.fails = steps[i].fails;
		KUNIT_EXPECT_EQ(test, parq_devlink_register(&knob->pd), -EIO);
		knob_expect(test, steps[i].calls);
	}
	parq_devlink_free(&knob->pd);
	knob_expect(test, ",-free");
}

static struct kunit_case knob_cases[] = {
	KUNIT_CASE(executor_is_set),
	KUNIT_CASE(cable_is_set),
	KUNIT_CASE(restore_is_set),
	KUNIT_CASE(pause_low_is_set),
	KUNIT_CASE(buffers_are_pools),
	KUNIT_CASE(buffers_share_a_pool),
	KUNIT_CASE(what_waits_has_a_pool),
	KUNIT_CASE(registration_fails),
	{}
};

static struct kunit_suite knob_suite = {
	.name = "parq_devlink",
	.init = knob_init,
	.exit = knob_exit,
	.test_cases = knob_cases,
};

kunit_test_suite(knob_suite);

MODULE_DESCRIPTION("KUnit suite of devlink");
MODULE_LICENSE("GPL");
