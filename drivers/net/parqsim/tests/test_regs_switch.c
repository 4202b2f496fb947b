// SPDX-License-Identifier: GPL-2.0
/*
 * The window at PARQ_SWITCH: ranges, commands to the table of addresses, its events, and when the
 * registers of a port are cleared. Devices that do not forward have no such window.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"
#include "rnd.h"
#include "sim.h"

#define SECOND		(1000 * RIG_MS)
#define WINDOW		PARQ_PORT(PARQ_NIC_PORTS)
#define SW(reg)		(WINDOW + (reg))
#define PORT(port, reg)	(WINDOW + PARQ_SW_PORT(port) + (reg))
#define RED(port, tc, reg)	(WINDOW + PARQ_SW_RED(port, tc) + (reg))
#define EGR(port, tc, reg)	(WINDOW + PARQ_SW_EGR(port, tc) + (reg))
#define ADDR		0x665544332202ULL

static const struct parqsim_config config = {
	.ports = 3, .txq = RIG_QUEUES, .rxq = 4, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_SPEED_10G), .forward = true, .addr = { 2, 0, 0, 0, 0, 1 },
};

static u32 rd(struct rig *r, u32 off)
{
	return parqsim_read(r->sim, off);
}

static void wr(struct rig *r, u32 off, u32 val)
{
	parqsim_write(r->sim, off, val);
}

/* A write that must be refused for @cause, without changing the register. */
static void refused(struct rig *r, u32 off, u32 val, enum parq_err cause)
{
	u32 before = rd(r, off);

	wr(r, PARQ_ERR, 0);
	wr(r, off, val);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(r, PARQ_ERR)), cause);
	assert_int_equal(FIELD_GET(PARQ_ERR_COUNT, rd(r, PARQ_ERR)), 1);
	assert_int_equal(rd(r, PARQ_ERR_ADDR), off);
	wr(r, PARQ_ERR, 0);
	assert_int_equal(rd(r, off), before);
	wr(r, PARQ_ERR, 0);
}

static void accepted(struct rig *r, u32 off, u32 val)
{
	wr(r, off, val);
	rig_assert_no_error(r);
	assert_int_equal(rd(r, off), val);
}

/* ---- the entry of a command --------------------------------------------- */

static u32 entry(u32 domain, u32 port, enum parq_fdb_kind kind)
{
	return FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, domain) |
	       FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, port) |
	       FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, kind);
}

static u32 vid_field(u32 vid)
{
	return FIELD_PREP(PARQ_SW_FDB_ENTRY_VID, vid);
}

static void set_entry(struct rig *r, u64 addr, u32 val)
{
	accepted(r, SW(PARQ_SW_FDB_ADDR_LO), addr);
	accepted(r, SW(PARQ_SW_FDB_ADDR_HI), addr >> 32);
	accepted(r, SW(PARQ_SW_FDB_ENTRY), val);
}

static u32 command(struct rig *r, enum parq_fdb_op op)
{
	wr(r, SW(PARQ_SW_FDB_CMD), op);
	rig_assert_no_error(r);
	return rd(r, SW(PARQ_SW_FDB_RESULT));
}

static u32 add(struct rig *r, u64 addr, u32 domain, u32 port, enum parq_fdb_kind kind)
{
	set_entry(r, addr, entry(domain, port, kind));
	return command(r, PARQ_FDB_ADD);
}

/* Reads all entries. Return: their number; @at: index of that of @addr. */
static u32 dump(struct rig *r, u64 addr, u32 *at)
{
	u32 size = rd(r, SW(PARQ_SW_FDB_SIZE)), i, n = 0;

	*at = ~0U;
	for (i = 0; i < size; i++) {
		wr(r, SW(PARQ_SW_FDB_INDEX), i);
		if (command(r, PARQ_FDB_READ) != PARQ_FDB_OK)
			continue;
		n++;
		if (rd(r, SW(PARQ_SW_FDB_ADDR_LO)) == (u32)addr &&
		    rd(r, SW(PARQ_SW_FDB_ADDR_HI)) == addr >> 32)
			*at = i;
	}
	assert_int_equal(rd(r, SW(PARQ_SW_FDB_USED)), n);
	return n;
}

/* Deletes the entry if it is there, at any port. */
static bool gone(struct rig *r, u64 addr, u32 domain)
{
	u32 port;

	for (port = 0; port < config.ports; port++) {
		set_entry(r, addr, entry(domain, port, PARQ_FDB_DYNAMIC));
		if (command(r, PARQ_FDB_DELETE) == PARQ_FDB_OK)
			return false;
	}
	return true;
}

/* ---- the window --------------------------------------------------------- */

static void no_window_without_forwarding(void **state)
{
	struct parqsim_config cfg = config;
	struct rig r;
	u32 off;

	(void)state;
	cfg.forward = false;
	for (cfg.ports = 1; cfg.ports <= PARQ_NIC_PORTS; cfg.ports++) {
		rig_bare(&r, &cfg);
		assert_int_equal(rd(&r, PARQ_SWITCH), 0);
		rig_assert_no_error(&r);
		for (off = WINDOW; off < parq_bar_regs_size(cfg.ports); off += 4)
			refused(&r, off, 0, PARQ_ERR_ACCESS);
		rig_fini(&r);
	}
}

static size_t size_of(bool forward)
{
	struct parqsim_config cfg = config;

	cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	cfg.forward = forward;
	return parqsim_size(&cfg);
}

static void memory_follows_forwarding(void **state)
{
	(void)state;
	assert_true(size_of(true) > size_of(false) + FDB_SIZE * sizeof(struct fdb_entry));
}

static void reset_values(void **state)
{
	struct rig r;
	u32 port, n;

	(void)state;
	rig_bare(&r, &config);
	assert_int_equal(rd(&r, PARQ_SWITCH), WINDOW);
	refused(&r, PARQ_SWITCH, 0, PARQ_ERR_READONLY);
	assert_int_equal(rd(&r, SW(PARQ_SW_CAP)), (config.ports - 1) | PARQ_SW_CAP_VLAN |
			 PARQ_SW_CAP_MDB | PARQ_SW_CAP_POOL | PARQ_SW_CAP_RED |
			 PARQ_SW_CAP_VIF | PARQ_SW_CAP_VIF_DOMAIN | PARQ_SW_CAP_EGRESS |
			 PARQ_SW_CAP_SNAPSHOT | PARQ_SW_CAP_NO_ENTRY);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_SIZE)), 8192);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_AGE)), 300);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ADDR_LO)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ADDR_HI)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_CMD)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_INDEX)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_RESULT)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_SIZE)), 4096);
	for (n = PARQ_SW_VLAN_USED; n <= PARQ_SW_VLAN_FULL; n += 4)
		assert_int_equal(rd(&r, SW(n)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_MDB_SIZE)), 4096);
	for (n = PARQ_SW_MDB_USED; n <= PARQ_SW_SNAPSHOT; n += 4)
		assert_int_equal(rd(&r, SW(n)), 0);
	for (n = 1; n <= PARQ_MAX_PORTS; n++)
		assert_int_equal(rd(&r, SW(PARQ_SW_DOMAIN(n))), 0);
	for (port = 0; port < config.ports; port++) {
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_CTRL)), 0);
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_PVID)), 0);
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_VIF_SET)), 0);
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_VIF_CTRL)), 0);
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_POOL_PORT_USED)), 0);
		assert_int_equal(rd(&r, PORT(port, PARQ_SW_POOL_HIGH)), 0);
		for (n = 0; n < PARQ_NUM_RXB; n++)
			assert_int_equal(rd(&r, PORT(port, PARQ_SW_POOL_LIMIT(n))), 0);
		for (n = 0; n < PARQ_NUM_SW_STAT; n++) {
			assert_int_equal(rd(&r, PORT(port, PARQ_SW_STAT_LO(n))), 0);
			assert_int_equal(rd(&r, PORT(port, PARQ_SW_STAT_HI(n))), 0);
		}
		for (n = 0; n < PARQ_SW_RED(1, 0) - PARQ_SW_RED(0, 0); n += 4)
			assert_int_equal(rd(&r, RED(port, 0, n)), 0);
		for (n = 0; n < PARQ_NUM_TC; n++) {
			assert_int_equal(rd(&r, EGR(port, n, PARQ_SW_EGR_LIMIT)),
					 PARQ_SW_EGR_UNLIMITED);
			assert_int_equal(rd(&r, EGR(port, n, PARQ_SW_EGR_USED)), 0);
			assert_int_equal(rd(&r, EGR(port, n, PARQ_SW_EGR_HIGH)), 0);
		}
	}
	rig_assert_no_error(&r);
	rig_fini(&r);
}

static void ranges(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	refused(&r, SW(PARQ_SW_CAP), config.ports - 1, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_FDB_SIZE), 8192, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_FDB_USED), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_FDB_RESULT), 0, PARQ_ERR_READONLY);
	accepted(&r, SW(PARQ_SW_FDB_AGE), 0);
	accepted(&r, SW(PARQ_SW_FDB_AGE), PARQ_SW_FDB_AGE_MAX);
	refused(&r, SW(PARQ_SW_FDB_AGE), PARQ_SW_FDB_AGE_MAX + 1, PARQ_ERR_RANGE);
	accepted(&r, SW(PARQ_SW_FDB_ADDR_LO), ~0U);
	accepted(&r, SW(PARQ_SW_FDB_ADDR_HI), 0xffff);
	refused(&r, SW(PARQ_SW_FDB_ADDR_HI), 0x10000, PARQ_ERR_RESERVED);
	accepted(&r, SW(PARQ_SW_FDB_ENTRY), entry(PARQ_MAX_PORTS, 2, PARQ_FDB_HOST));
	refused(&r, SW(PARQ_SW_FDB_ENTRY), entry(PARQ_MAX_PORTS + 1, 2, 0), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), entry(127, 2, 0), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), entry(1, 3, 0), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), entry(1, 63, 0), PARQ_ERR_RANGE);
	accepted(&r, SW(PARQ_SW_FDB_ENTRY), entry(1, 2, 0) | vid_field(PARQ_SW_VID_MAX));
	refused(&r, SW(PARQ_SW_FDB_ENTRY), entry(1, 2, 0) | vid_field(4095), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), BIT(18), PARQ_ERR_RESERVED);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), BIT(15), PARQ_ERR_RESERVED);
	refused(&r, SW(PARQ_SW_FDB_ENTRY), BIT(6), PARQ_ERR_RESERVED);
	accepted(&r, SW(PARQ_SW_FDB_INDEX), 8191);
	refused(&r, SW(PARQ_SW_FDB_INDEX), 8192, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_CMD), PARQ_NUM_FDB_OP, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_CMD), ~0U, PARQ_ERR_RANGE);
	refused(&r, SW(0x28), 0, PARQ_ERR_ACCESS);
	accepted(&r, SW(PARQ_SW_POOL_SIZE), config.ports * rd(&r, PARQ_PORT(0) + PARQ_RXB_TOTAL));
	refused(&r, SW(PARQ_SW_POOL_SIZE),
		config.ports * rd(&r, PARQ_PORT(0) + PARQ_RXB_TOTAL) + 1, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_POOL_USED), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_POOL_ROOM), 0, PARQ_ERR_READONLY);
	accepted(&r, SW(PARQ_SW_SNAPSHOT), 1);
	refused(&r, SW(PARQ_SW_SNAPSHOT), 2, PARQ_ERR_RESERVED);
	refused(&r, SW(PARQ_SW_SNAPSHOT + 4), 0, PARQ_ERR_ACCESS);
	refused(&r, SW(0xffc), 0, PARQ_ERR_ACCESS);
	rig_fini(&r);
}

static void ranges_of_a_port(void **state)
{
	u32 all = GENMASK(16, 10), domain, st, n;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	for (domain = 0; domain <= PARQ_MAX_PORTS; domain++)
		for (st = PARQ_SW_BLOCKING; st <= PARQ_SW_FORWARDING; st++)
			accepted(&r, PORT(2, PARQ_SW_CTRL), all |
				 FIELD_PREP(PARQ_SW_CTRL_DOMAIN, domain) |
				 FIELD_PREP(PARQ_SW_CTRL_STATE, st));
	refused(&r, PORT(2, PARQ_SW_CTRL), domain, PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_CTRL), 1 | FIELD_PREP(PARQ_SW_CTRL_STATE, st), PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_CTRL), BIT(7), PARQ_ERR_RESERVED);
	refused(&r, PORT(2, PARQ_SW_CTRL), BIT(17), PARQ_ERR_RESERVED);
	accepted(&r, PORT(2, PARQ_SW_PVID), PARQ_SW_VID_MAX);
	refused(&r, PORT(2, PARQ_SW_PVID), PARQ_SW_VID_MAX + 1, PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_PVID), 4096, PARQ_ERR_RESERVED);
	refused(&r, PORT(2, PARQ_SW_POOL_PORT_USED), 0, PARQ_ERR_READONLY);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		accepted(&r, PORT(2, PARQ_SW_POOL_LIMIT(n)), GENMASK(30, 0));
		accepted(&r, PORT(2, PARQ_SW_POOL_LIMIT(n)), BIT(31) | PARQ_SW_POOL_ALPHA_MIN);
		accepted(&r, PORT(2, PARQ_SW_POOL_LIMIT(n)), BIT(31) | PARQ_SW_POOL_ALPHA_MAX);
		refused(&r, PORT(2, PARQ_SW_POOL_LIMIT(n)), BIT(31) | (PARQ_SW_POOL_ALPHA_MIN - 1),
			PARQ_ERR_RANGE);
		refused(&r, PORT(2, PARQ_SW_POOL_LIMIT(n)), BIT(31) | (PARQ_SW_POOL_ALPHA_MAX + 1),
			PARQ_ERR_RANGE);
	}
	wr(&r, PORT(2, PARQ_SW_VIF_SET), PARQ_SW_VIF_SET_EN | PARQ_SW_VID_MAX);
	wr(&r, PORT(2, PARQ_SW_VIF_SET), PARQ_SW_VID_MAX);
	rig_assert_no_error(&r);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_VIF_SET)), 0);
	refused(&r, PORT(2, PARQ_SW_VIF_SET), PARQ_SW_VIF_SET_EN, PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_VIF_SET), PARQ_SW_VIF_SET_EN | (PARQ_SW_VID_MAX + 1),
		PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_VIF_SET), BIT(17) | 10, PARQ_ERR_RESERVED);
	accepted(&r, PORT(2, PARQ_SW_VIF_CTRL), all | PARQ_MAX_PORTS);
	refused(&r, PORT(2, PARQ_SW_VIF_CTRL), PARQ_MAX_PORTS + 1, PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_VIF_CTRL), 1 | FIELD_PREP(PARQ_SW_CTRL_STATE, st),
		PARQ_ERR_RANGE);
	refused(&r, PORT(2, PARQ_SW_VIF_CTRL), BIT(17), PARQ_ERR_RESERVED);
	refused(&r, PORT(2, PARQ_SW_EGR_PORT_USED), 0, PARQ_ERR_READONLY);
	wr(&r, PORT(2, PARQ_SW_EGR_PORT_HIGH), ~0U);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_EGR_PORT_HIGH)), 0);
	refused(&r, PORT(2, PARQ_SW_STAT_HI(PARQ_NUM_SW_STAT)), 0, PARQ_ERR_ACCESS);
	refused(&r, PORT(2, PARQ_SW_STAT_LO(0)), 0, PARQ_ERR_READONLY);
	refused(&r, PORT(2, PARQ_SW_STAT_HI(PARQ_NUM_SW_STAT - 1)), 0, PARQ_ERR_READONLY);
	refused(&r, PORT(2, PARQ_SW_STAT_LO(PARQ_NUM_SW_STAT)), 0, PARQ_ERR_ACCESS);
	refused(&r, PORT(3, PARQ_SW_CTRL), 0, PARQ_ERR_ACCESS);
	refused(&r, parq_bar_regs_size(config.ports) - 4, 0, PARQ_ERR_ACCESS);
	assert_int_equal(rd(&r, PORT(0, PARQ_SW_CTRL)), 0);
	rig_fini(&r);
}

static void ranges_of_a_class(void **state)
{
	const u32 all = PARQ_SW_RED_CTRL_EN | PARQ_SW_RED_CTRL_ECN | PARQ_SW_RED_CTRL_NODROP;
	struct rig r;
	u32 tc;

	(void)state;
	rig_bare(&r, &config);
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		/* Off, nothing else matters. */
		accepted(&r, RED(2, tc, PARQ_SW_RED_CTRL), all & ~PARQ_SW_RED_CTRL_EN);
		refused(&r, RED(2, tc, PARQ_SW_RED_CTRL), all, PARQ_ERR_RANGE);
		accepted(&r, RED(2, tc, PARQ_SW_RED_MAX), 1);
		refused(&r, RED(2, tc, PARQ_SW_RED_CTRL), all, PARQ_ERR_RANGE);
		accepted(&r, RED(2, tc, PARQ_SW_RED_MIN), 1);
		refused(&r, RED(2, tc, PARQ_SW_RED_CTRL), all, PARQ_ERR_RANGE);
		accepted(&r, RED(2, tc, PARQ_SW_RED_MAX), 2);
		accepted(&r, RED(2, tc, PARQ_SW_RED_CTRL), all);
		accepted(&r, RED(2, tc, PARQ_SW_RED_MIN), ~0U);
		accepted(&r, RED(2, tc, PARQ_SW_RED_MAX), ~0U);
		accepted(&r, RED(2, tc, PARQ_SW_RED_PROB), ~0U);
		refused(&r, RED(2, tc, PARQ_SW_RED_CTRL), PARQ_SW_RED_CTRL_EN, PARQ_ERR_RANGE);
		refused(&r, RED(2, tc, PARQ_SW_RED_CTRL), BIT(3), PARQ_ERR_RESERVED);
		refused(&r, RED(2, tc, PARQ_SW_RED_MARKED_LO), 0, PARQ_ERR_READONLY);
		accepted(&r, EGR(2, tc, PARQ_SW_EGR_LIMIT), tc);
		refused(&r, EGR(2, tc, PARQ_SW_EGR_USED), 0, PARQ_ERR_READONLY);
		wr(&r, EGR(2, tc, PARQ_SW_EGR_HIGH), ~0U);
		assert_int_equal(rd(&r, EGR(2, tc, PARQ_SW_EGR_HIGH)), 0);
		refused(&r, EGR(2, tc, PARQ_SW_EGR_HIGH + 4), 0, PARQ_ERR_ACCESS);
		refused(&r, RED(2, tc, PARQ_SW_RED_MARKED_HI), 0, PARQ_ERR_READONLY);
		refused(&r, RED(2, tc, PARQ_SW_RED_DROPPED_LO), 0, PARQ_ERR_READONLY);
		refused(&r, RED(2, tc, PARQ_SW_RED_DROPPED_HI), 0, PARQ_ERR_READONLY);
		assert_int_equal(rd(&r, RED(1, tc, PARQ_SW_RED_CTRL)), 0);
	}
	refused(&r, RED(0, 0, 2), 0, PARQ_ERR_ACCESS);
	refused(&r, RED(3, 0, PARQ_SW_RED_CTRL), 0, PARQ_ERR_ACCESS);
	refused(&r, EGR(3, 0, PARQ_SW_EGR_LIMIT), 0, PARQ_ERR_ACCESS);
	refused(&r, RED(0, 0, 0) - 4, 0, PARQ_ERR_ACCESS);
	rig_fini(&r);
}

/* A reset of the device ends it, a port that is disabled keeps it. */
static void class_until_reset(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	accepted(&r, RED(1, 0, PARQ_SW_RED_MIN), 1000);
	accepted(&r, RED(1, 0, PARQ_SW_RED_MAX), 2000);
	accepted(&r, RED(1, 0, PARQ_SW_RED_CTRL), PARQ_SW_RED_CTRL_EN);
	accepted(&r, EGR(1, 0, PARQ_SW_EGR_LIMIT), 3000);
	rig_write(&r, 1, PARQ_PORT_CTRL, 0);
	assert_int_equal(rd(&r, EGR(1, 0, PARQ_SW_EGR_LIMIT)), 3000);
	assert_int_equal(rd(&r, RED(1, 0, PARQ_SW_RED_CTRL)), PARQ_SW_RED_CTRL_EN);
	assert_int_equal(r.sim->fwd.port[1].red, BIT(0));
	r.sim->red.port[1].tc[0].marked = 1;
	parqsim_reset(r.sim);
	assert_int_equal(rd(&r, RED(1, 0, PARQ_SW_RED_CTRL)), 0);
	assert_int_equal(rd(&r, RED(1, 0, PARQ_SW_RED_MIN)), 0);
	assert_int_equal(rd(&r, RED(1, 0, PARQ_SW_RED_MARKED_LO)), 0);
	assert_int_equal(rd(&r, EGR(1, 0, PARQ_SW_EGR_LIMIT)), PARQ_SW_EGR_UNLIMITED);
	assert_int_equal(r.sim->fwd.port[1].red, 0);
	rig_fini(&r);
}

static void red_counters_of_64_bits(void **state)
{
	struct red_class *c;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	c = &r.sim->red.port[1].tc[7];
	c->marked = 0x1ffffffffULL;
	c->dropped = 0x700000005ULL;
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_MARKED_LO)), ~0U);
	c->marked++;
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_DROPPED_LO)), 5);
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_MARKED_HI)), 1);
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_DROPPED_HI)), 7);
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_MARKED_LO)), 0);
	assert_int_equal(rd(&r, RED(1, 7, PARQ_SW_RED_MARKED_HI)), 2);
	assert_int_equal(rd(&r, RED(1, 6, PARQ_SW_RED_MARKED_LO)), 0);
	rig_fini(&r);
}

/* The high half is of the instant at which the low one was read, whatever is read between. */
static void counters_of_64_bits(void **state)
{
	u64 *stat, *other;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	stat = &r.sim->fwd.port[1].stat[PARQ_SW_TX_FRAMES];
	other = &r.sim->fwd.port[1].stat[PARQ_SW_TX_DROP_FULL];
	*stat = 0x1ffffffffULL;
	*other = 0x700000005ULL;
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_LO(PARQ_SW_TX_FRAMES))), ~0U);
	++*stat;
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_LO(PARQ_SW_TX_DROP_FULL))), 5);
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_HI(PARQ_SW_TX_FRAMES))), 1);
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_HI(PARQ_SW_TX_DROP_FULL))), 7);
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_LO(PARQ_SW_TX_FRAMES))), 0);
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_STAT_HI(PARQ_SW_TX_FRAMES))), 2);
	assert_int_equal(rd(&r, PORT(0, PARQ_SW_STAT_LO(PARQ_SW_TX_FRAMES))), 0);
	rig_fini(&r);
}

/* ---- commands ----------------------------------------------------------- */

static void commands(void **state)
{
	struct rig r;
	u32 at;

	(void)state;
	rig_bare(&r, &config);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_NONE);
	assert_int_equal(add(&r, ADDR, 2, 1, PARQ_FDB_STATIC), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 1);
	/* A command reads as 0. */
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_CMD)), 0);
	assert_int_equal(dump(&r, ADDR, &at), 1);
	assert_int_not_equal(at, ~0U);
	set_entry(&r, 0, 0);
	accepted(&r, SW(PARQ_SW_FDB_INDEX), at);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ADDR_LO)), (u32)ADDR);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ADDR_HI)), ADDR >> 32);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), entry(2, 1, PARQ_FDB_STATIC));
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_INDEX)), at);
	/* A read of no entry leaves them. */
	accepted(&r, SW(PARQ_SW_FDB_INDEX), at ^ 1);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_NONE);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), entry(2, 1, PARQ_FDB_STATIC));
	/* Replaced by another port and kind. */
	assert_int_equal(add(&r, ADDR, 2, 0, PARQ_FDB_HOST), PARQ_FDB_OK);
	accepted(&r, SW(PARQ_SW_FDB_INDEX), at);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), entry(2, 0, PARQ_FDB_HOST));
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 1);
	/* Deleted by address and domain, and whatever the port: both are behind the host. */
	assert_true(gone(&r, ADDR, 1));
	assert_true(gone(&r, ADDR ^ 0x100000000ULL, 2));
	set_entry(&r, ADDR, entry(2, 0, PARQ_FDB_DYNAMIC));
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_NONE);
	set_entry(&r, ADDR, entry(2, 2, PARQ_FDB_EXTERN));
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_OK);
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_NONE);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 0);
	rig_fini(&r);
}

/* What an entry must not be is refused by the command, which keeps the last result. */
static void commands_that_are_refused(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	assert_true(gone(&r, ADDR, 1));
	set_entry(&r, ADDR, entry(0, 0, PARQ_FDB_STATIC));
	refused(&r, SW(PARQ_SW_FDB_CMD), PARQ_FDB_ADD, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_CMD), PARQ_FDB_DELETE, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_FDB_CMD), PARQ_FDB_FLUSH, PARQ_ERR_RANGE);
	set_entry(&r, 0x5e0001, entry(1, 0, PARQ_FDB_STATIC));
	refused(&r, SW(PARQ_SW_FDB_CMD), PARQ_FDB_ADD, PARQ_ERR_RANGE);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_RESULT)), PARQ_FDB_NONE);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 0);
	/* Other commands take any address. */
	assert_int_equal(command(&r, PARQ_FDB_FLUSH), PARQ_FDB_OK);
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_NONE);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_NONE);
	rig_fini(&r);
}

static void flush(void **state)
{
	u32 domain, port, kind, at;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	for (domain = 1; domain <= 2; domain++)
		for (port = 0; port < 3; port++)
			for (kind = 0; kind <= PARQ_FDB_HOST; kind++)
				add(&r, port << 16 | kind << 8, domain, port, kind);
	assert_int_equal(dump(&r, 0, &at), 24);
	set_entry(&r, ADDR, entry(1, 2, PARQ_FDB_STATIC));
	assert_int_equal(command(&r, PARQ_FDB_FLUSH), PARQ_FDB_OK);
	assert_int_equal(dump(&r, 0, &at), 23);
	assert_true(gone(&r, 2 << 16, 1));
	assert_false(gone(&r, 2 << 16, 2));
	set_entry(&r, ADDR, entry(3, 2, PARQ_FDB_STATIC));
	assert_int_equal(command(&r, PARQ_FDB_FLUSH), PARQ_FDB_OK);
	assert_int_equal(dump(&r, 0, &at), 22);
	rig_fini(&r);
}

/* A host finds each entry once, also of a full table. */
static void all_entries_are_read(void **state)
{
	static bool seen[8192];
	u32 i, size, addr;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	size = rd(&r, SW(PARQ_SW_FDB_SIZE));
	for (i = 0; i < size; i++)
		assert_int_equal(add(&r, 2 * i, 1, i % 3, i % 4), PARQ_FDB_OK);
	assert_int_equal(add(&r, 2 * i, 1, 0, PARQ_FDB_DYNAMIC), PARQ_FDB_FULL);
	assert_int_equal(add(&r, 2, 1, 0, PARQ_FDB_STATIC), PARQ_FDB_OK);
	assert_int_equal(add(&r, 2, 1, 1, PARQ_FDB_EXTERN), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), size);
	memset(seen, 0, sizeof(seen));
	for (i = 0; i < size; i++) {
		wr(&r, SW(PARQ_SW_FDB_INDEX), i);
		assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_OK);
		addr = rd(&r, SW(PARQ_SW_FDB_ADDR_LO)) / 2;
		assert_true(addr < size && !seen[addr]);
		seen[addr] = true;
		assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), entry(1, addr % 3, addr % 4));
	}
	rig_fini(&r);
}

/* ---- VLANs -------------------------------------------------------------- */

static u32 vlan(u32 domain, u32 vid, bool host)
{
	return FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, domain) |
	       FIELD_PREP(PARQ_SW_VLAN_SET_VID, vid) | (host ? PARQ_SW_VLAN_SET_HOST : 0);
}

/* Return: there was a place. */
static bool set_vlan(struct rig *r, u32 domain, u32 vid, u32 ports, bool host)
{
	accepted(r, SW(PARQ_SW_VLAN_PORTS_LO), ports);
	wr(r, SW(PARQ_SW_VLAN_SET), vlan(domain, vid, host));
	rig_assert_no_error(r);
	assert_int_equal(rd(r, SW(PARQ_SW_VLAN_SET)), 0);
	return !rd(r, SW(PARQ_SW_VLAN_FULL));
}

static void ranges_of_vlans(void **state)
{
	struct rig r;
	u32 domain;

	(void)state;
	rig_bare(&r, &config);
	refused(&r, SW(PARQ_SW_VLAN_SIZE), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_VLAN_USED), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_VLAN_FULL), 0, PARQ_ERR_READONLY);
	accepted(&r, SW(PARQ_SW_VLAN_PORTS_LO), 7);
	refused(&r, SW(PARQ_SW_VLAN_PORTS_LO), 8, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_PORTS_HI), 1, PARQ_ERR_RANGE);
	accepted(&r, SW(PARQ_SW_VLAN_UNTAGGED_LO), 7);
	refused(&r, SW(PARQ_SW_VLAN_UNTAGGED_LO), BIT(31), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_UNTAGGED_HI), BIT(31), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_SET), vlan(0, 1, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_SET), vlan(PARQ_MAX_PORTS + 1, 1, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_SET), vlan(1, 0, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_SET), vlan(1, 4095, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_VLAN_SET), vlan(1, 1, true) | BIT(12), PARQ_ERR_RESERVED);
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_USED)), 0);
	for (domain = 1; domain <= PARQ_MAX_PORTS; domain++) {
		accepted(&r, SW(PARQ_SW_DOMAIN(domain)), PARQ_SW_DOMAIN_VLAN);
		accepted(&r, SW(PARQ_SW_DOMAIN(domain)), 0);
	}
	refused(&r, SW(PARQ_SW_DOMAIN(0)), 0, PARQ_ERR_ACCESS);
	refused(&r, SW(PARQ_SW_DOMAIN(domain)), 0, PARQ_ERR_ACCESS);
	accepted(&r, SW(PARQ_SW_DOMAIN(1)), GENMASK(5, 0));
	refused(&r, SW(PARQ_SW_DOMAIN(1)), BIT(6), PARQ_ERR_RESERVED);
	rig_fini(&r);
}

/* A full table refuses one more VLAN. Those in it can be changed. */
static void vlans_fill_the_table(void **state)
{
	struct rig r;
	u32 vid;

	(void)state;
	rig_bare(&r, &config);
	for (vid = 1; vid <= PARQ_SW_VID_MAX; vid++)
		assert_true(set_vlan(&r, PARQ_MAX_PORTS, vid, vid & 7, true));
	assert_true(set_vlan(&r, 1, 1, 1, false));
	assert_true(set_vlan(&r, 1, 2, 1, false));
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_USED)), 4096);
	assert_false(set_vlan(&r, 1, 3, 1, false));
	assert_false(set_vlan(&r, 1, 3, 0, true));
	assert_true(set_vlan(&r, 1, 3, 0, false));
	assert_true(set_vlan(&r, 1, 2, 5, true));
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_USED)), 4096);
	assert_true(set_vlan(&r, PARQ_MAX_PORTS, 17, 0, false));
	assert_true(set_vlan(&r, PARQ_MAX_PORTS, 17, 0, false));
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_USED)), 4095);
	assert_true(set_vlan(&r, 1, 3, 1, false));
	rig_fini(&r);
}

/* Addresses of a VLAN are other ones, and end with it. */
static void addresses_of_vlans(void **state)
{
	struct rig r;
	u32 at;

	(void)state;
	rig_bare(&r, &config);
	set_entry(&r, ADDR, entry(2, 1, PARQ_FDB_STATIC) | vid_field(10));
	assert_int_equal(command(&r, PARQ_FDB_ADD), PARQ_FDB_NONE);
	assert_true(set_vlan(&r, 2, 10, 7, false));
	assert_true(set_vlan(&r, 2, 11, 7, false));
	assert_int_equal(command(&r, PARQ_FDB_ADD), PARQ_FDB_OK);
	assert_int_equal(dump(&r, ADDR, &at), 1);
	wr(&r, SW(PARQ_SW_FDB_INDEX), at);
	assert_int_equal(command(&r, PARQ_FDB_READ), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)),
			 entry(2, 1, PARQ_FDB_STATIC) | vid_field(10));
	assert_int_equal(add(&r, ADDR, 2, 0, PARQ_FDB_STATIC), PARQ_FDB_OK);
	set_entry(&r, ADDR, entry(2, 1, PARQ_FDB_DYNAMIC) | vid_field(11));
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_NONE);
	assert_int_equal(command(&r, PARQ_FDB_ADD), PARQ_FDB_OK);
	/* A flush of another VLAN, and of the domain. */
	set_entry(&r, ADDR, entry(2, 1, PARQ_FDB_DYNAMIC) | vid_field(10));
	assert_int_equal(command(&r, PARQ_FDB_FLUSH), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 3);
	set_entry(&r, ADDR, entry(2, 1, PARQ_FDB_DYNAMIC));
	assert_int_equal(command(&r, PARQ_FDB_FLUSH), PARQ_FDB_OK);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 2);
	assert_true(set_vlan(&r, 2, 10, 0, false));
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 1);
	assert_false(gone(&r, ADDR, 2));
	rig_fini(&r);
}

/* ---- time and events ---------------------------------------------------- */

static void expect_event(struct rig *r, u32 pos, u32 port, enum parq_fdb_change what)
{
	const struct parq_event *e = rig_event(r, pos);

	assert_int_equal(le32_to_cpu(e->gen), 1);
	assert_int_equal(le32_to_cpu(rig_event(r, pos + 1)->gen), 0);
	assert_int_equal(e->type, PARQ_EV_FDB);
	assert_int_equal(e->port, port);
	assert_int_equal(e->prio, what);
	assert_int_equal(e->index, 3);
	assert_int_equal(le32_to_cpu(e->a), (u32)ADDR);
	assert_int_equal(le32_to_cpu(e->b), ADDR >> 32);
}

/* Of what the device does, not of commands. */
static void events(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	wr(&r, PARQ_EVENT_MASK, BIT(PARQ_EV_FDB));
	accepted(&r, SW(PARQ_SW_FDB_AGE), 1);
	assert_int_equal(add(&r, ADDR, 3, 2, PARQ_FDB_DYNAMIC), PARQ_FDB_OK);
	assert_int_equal(add(&r, ADDR, 3, 1, PARQ_FDB_DYNAMIC), PARQ_FDB_OK);
	assert_int_equal(command(&r, PARQ_FDB_DELETE), PARQ_FDB_OK);
	assert_int_equal(le32_to_cpu(rig_event(&r, 0)->gen), 0);
	fdb_learn(&r.sim->fdb, 3, ADDR, 2);
	expect_event(&r, 0, 2, PARQ_FDB_LEARNED);
	fdb_learn(&r.sim->fdb, 3, ADDR, 0);
	expect_event(&r, 1, 0, PARQ_FDB_MOVED);
	rig_run(&r, SECOND);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 1);
	rig_run(&r, SECOND);
	expect_event(&r, 2, 0, PARQ_FDB_AGED);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 0);
	assert_true(parqsim_next(r.sim) == PARQSIM_NEVER);
	/* Of a VLAN. */
	assert_true(set_vlan(&r, 3, 20, 7, false));
	fdb_learn(&r.sim->fdb, VLAN_FID_FIRST, ADDR, 1);
	assert_int_equal(rig_event(&r, 3)->index, 3);
	assert_int_equal(le32_to_cpu(rig_event(&r, 3)->b),
			 ADDR >> 32 | FIELD_PREP(PARQ_SW_FDB_EVENT_VID, 20));
	/* A refused one is counted at its port. */
	rig_deny(&r, r.events, sizeof(struct parq_event) << RIG_EV_LOG2);
	fdb_learn(&r.sim->fdb, 3, ADDR, 1);
	assert_int_equal(rd(&r, PARQ_EVENT_LOST), 1);
	rig_deny(&r, 0, 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 1)->event_lost), 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->event_lost), 0);
	rig_fini(&r);
}

/* ---- groups ------------------------------------------------------------- */

#define GROUP	0x030201005e01ULL

static u32 group(u32 domain, u32 vid, bool host)
{
	return FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, domain) | FIELD_PREP(PARQ_SW_MDB_SET_VID, vid) |
	       (host ? PARQ_SW_MDB_SET_HOST : 0);
}

/* Return: the device has done it. */
static bool set_group(struct rig *r, u32 domain, u32 vid, u64 addr, u32 ports, bool host)
{
	accepted(r, SW(PARQ_SW_MDB_ADDR_LO), addr);
	accepted(r, SW(PARQ_SW_MDB_ADDR_HI), addr >> 32);
	accepted(r, SW(PARQ_SW_MDB_PORTS_LO), ports);
	wr(r, SW(PARQ_SW_MDB_SET), group(domain, vid, host));
	rig_assert_no_error(r);
	assert_int_equal(rd(r, SW(PARQ_SW_MDB_SET)), 0);
	return rd(r, SW(PARQ_SW_MDB_RESULT)) == PARQ_FDB_OK;
}

static void groups(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	assert_true(rd(&r, SW(PARQ_SW_CAP)) & PARQ_SW_CAP_MDB);
	assert_in_range(rd(&r, SW(PARQ_SW_MDB_SIZE)), 1024, 65536);
	refused(&r, SW(PARQ_SW_MDB_SIZE), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_MDB_USED), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_MDB_RESULT), 0, PARQ_ERR_READONLY);
	refused(&r, SW(PARQ_SW_MDB_PORTS_LO), 8, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_MDB_PORTS_HI), 1, PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_MDB_ADDR_HI), BIT(16), PARQ_ERR_RESERVED);
	/* An address that is not that of a group, and broadcast. */
	refused(&r, SW(PARQ_SW_MDB_SET), group(1, 0, true), PARQ_ERR_RANGE);
	accepted(&r, SW(PARQ_SW_MDB_ADDR_LO), ~0U);
	accepted(&r, SW(PARQ_SW_MDB_ADDR_HI), 0xffff);
	refused(&r, SW(PARQ_SW_MDB_SET), group(1, 0, true), PARQ_ERR_RANGE);
	assert_true(set_group(&r, PARQ_MAX_PORTS, 0, GROUP, 7, false));
	refused(&r, SW(PARQ_SW_MDB_SET), group(0, 0, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_MDB_SET), group(PARQ_MAX_PORTS + 1, 0, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_MDB_SET), group(1, 4095, true), PARQ_ERR_RANGE);
	refused(&r, SW(PARQ_SW_MDB_SET), group(1, 0, true) | BIT(12), PARQ_ERR_RESERVED);
	/* A VLAN that is not there, or no more. */
	assert_false(set_group(&r, 1, 7, GROUP, 1, true));
	assert_true(set_vlan(&r, 1, 7, 7, false));
	assert_true(set_group(&r, 1, 7, GROUP, 1, true));
	assert_int_equal(rd(&r, SW(PARQ_SW_MDB_USED)), 2);
	assert_true(set_vlan(&r, 1, 7, 0, false));
	assert_int_equal(rd(&r, SW(PARQ_SW_MDB_USED)), 1);
	assert_true(set_group(&r, PARQ_MAX_PORTS, 0, GROUP, 0, false));
	assert_int_equal(rd(&r, SW(PARQ_SW_MDB_USED)), 0);
	rig_fini(&r);
}

/* ---- cleared ------------------------------------------------------------ */

static void stopped_port(void **state)
{
	u32 ctrl = 1 | FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING), at;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	wr(&r, PARQ_EVENT_MASK, BIT(PARQ_EV_FDB));
	accepted(&r, PORT(0, PARQ_SW_CTRL), ctrl);
	accepted(&r, PORT(1, PARQ_SW_CTRL), ctrl);
	assert_int_equal(r.sim->fwd.port[1].ctrl, ctrl);
	add(&r, 0x100, 1, 0, PARQ_FDB_DYNAMIC);
	add(&r, 0x200, 1, 1, PARQ_FDB_DYNAMIC);
	add(&r, 0x300, 2, 1, PARQ_FDB_DYNAMIC);
	add(&r, 0x400, 1, 1, PARQ_FDB_STATIC);
	rig_write(&r, 1, PARQ_PORT_CTRL, 0);
	rig_assert_no_error(&r);
	assert_int_equal(rd(&r, PORT(0, PARQ_SW_CTRL)), ctrl);
	assert_int_equal(rd(&r, PORT(1, PARQ_SW_CTRL)), 0);
	assert_int_equal(r.sim->fwd.port[1].ctrl, 0);
	assert_int_equal(dump(&r, 0x100, &at), 2);
	assert_int_not_equal(at, ~0U);
	assert_false(gone(&r, 0x400, 1));
	assert_int_equal(le32_to_cpu(rig_event(&r, 0)->gen), 0);
	rig_fini(&r);
}

static void reset_clears_all(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	accepted(&r, PORT(2, PARQ_SW_CTRL), 1);
	accepted(&r, PORT(2, PARQ_SW_PVID), 1);
	accepted(&r, SW(PARQ_SW_DOMAIN(1)), PARQ_SW_DOMAIN_VLAN);
	assert_true(set_vlan(&r, 1, 1, 7, true));
	assert_true(set_group(&r, 1, 1, GROUP, 4, false));
	accepted(&r, SW(PARQ_SW_FDB_AGE), 7);
	add(&r, 0x100, 1, 0, PARQ_FDB_DYNAMIC);
	add(&r, 0x400, 1, 1, PARQ_FDB_STATIC);
	r.sim->fwd.port[2].stat[0] = ~0ULL;
	rd(&r, PORT(2, PARQ_SW_STAT_LO(0)));
	accepted(&r, SW(PARQ_SW_SNAPSHOT), 1);
	wr(&r, PARQ_CTRL, PARQ_CTRL_RESET);
	r.used = 0;
	assert_true(parqsim_next(r.sim) == PARQSIM_NEVER);
	assert_int_equal(rd(&r, SW(PARQ_SW_SNAPSHOT)), 0);
	/* Levels are those of the present. */
	r.sim->fwd.port[2].egress.waits = 9;
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_EGR_PORT_USED)), 9);
	r.sim->fwd.port[2].egress.waits = 0;
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_USED)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_AGE)), 300);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ADDR_LO)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_FDB_ENTRY)), 0);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_CTRL)), 0);
	assert_int_equal(r.sim->fwd.port[2].ctrl, 0);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_PVID)), 0);
	assert_int_equal(r.sim->fwd.port[2].pvid, 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_DOMAIN(1))), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_DOMAIN(1))), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_VLAN_USED)), 0);
	assert_int_equal(rd(&r, SW(PARQ_SW_MDB_USED)), 0);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_STAT_HI(0))), 0);
	assert_int_equal(rd(&r, PORT(2, PARQ_SW_STAT_LO(0))), 0);
	assert_true(gone(&r, 0x400, 1));
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* Random accesses to the window and to the switches of the ports. */
static void random_writes(void **state)
{
	u32 seed = 4711, i, off;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	wr(&r, PARQ_EVENT_MASK, BIT(PARQ_EV_FDB));
	for (i = 0; i < 300000; i++) {
		off = SW(4 * rnd(&seed, 20));
		if (!rnd(&seed, 8))
			off = SW(4 * rnd(&seed, 0x600));
		if (!rnd(&seed, 100))
			off = PARQ_PORT(rnd(&seed, 3)) + PARQ_PORT_CTRL;
		if (rnd(&seed, 8))
			wr(&r, off, rnd(&seed, 4) ? rnd(&seed, 0x500) & 0x307 : rnd(&seed, ~0U));
		else
			rd(&r, off);
		if (!rnd(&seed, 64))
			parqsim_run(r.sim, rig_now(&r) + rnd(&seed, 1000) * RIG_MS);
	}
	wr(&r, PARQ_ERR, 0);
	dump(&r, 0, &off);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_window_without_forwarding),
		cmocka_unit_test(memory_follows_forwarding),
		cmocka_unit_test(reset_values),
		cmocka_unit_test(ranges),
		cmocka_unit_test(ranges_of_a_port),
		cmocka_unit_test(counters_of_64_bits),
		cmocka_unit_test(ranges_of_a_class),
		cmocka_unit_test(class_until_reset),
		cmocka_unit_test(red_counters_of_64_bits),
		cmocka_unit_test(commands),
		cmocka_unit_test(commands_that_are_refused),
		cmocka_unit_test(flush),
		cmocka_unit_test(all_entries_are_read),
		cmocka_unit_test(ranges_of_vlans),
		cmocka_unit_test(vlans_fill_the_table),
		cmocka_unit_test(addresses_of_vlans),
		cmocka_unit_test(events),
		cmocka_unit_test(groups),
		cmocka_unit_test(stopped_port),
		cmocka_unit_test(reset_clears_all),
		cmocka_unit_test(random_writes),
	};

	return cmocka_run_group_tests_name("regs_switch", tests, NULL, NULL);
}
