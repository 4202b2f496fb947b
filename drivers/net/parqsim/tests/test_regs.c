// SPDX-License-Identifier: GPL-2.0
/*
 * BAR0: reset values, and refused writes, which must change nothing but PARQ_ERR.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rig.h"
#include "rnd.h"

static const struct parqsim_config config = {
	.ports = 2, .txq = 16, .rxq = 4, .depth = 100, .clk_ps = 1000,
	.speeds = BIT(PARQ_SPEED_1G) | BIT(PARQ_SPEED_10G),
	.addr = { 2, 0, 0, 0xff, 0xff, 0xff },
};

#define P0(reg)		(PARQ_PORT(0) + (reg))

static u32 rd(struct rig *r, u32 off)
{
	return parqsim_read(r->sim, off);
}

/* A write that must be refused for @cause, without changing the register. */
static void refused(struct rig *r, u32 off, u32 val, enum parq_err cause)
{
	u32 before = rd(r, off);

	parqsim_write(r->sim, PARQ_ERR, 0);
	parqsim_write(r->sim, off, val);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(r, PARQ_ERR)), cause);
	assert_int_equal(FIELD_GET(PARQ_ERR_COUNT, rd(r, PARQ_ERR)), 1);
	assert_int_equal(rd(r, PARQ_ERR_ADDR), off);
	assert_int_equal(rd(r, off), before);
	parqsim_write(r->sim, PARQ_ERR, 0);
}

static void accepted(struct rig *r, u32 off, u32 val)
{
	parqsim_write(r->sim, off, val);
	rig_assert_no_error(r);
	assert_int_equal(rd(r, off), val);
}

static void reset_values(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	assert_int_equal(rd(&r, PARQ_MAGIC), PARQ_MAGIC_VALUE);
	assert_int_equal(FIELD_GET(PARQ_VERSION_MAJOR, rd(&r, PARQ_VERSION)), 2);
	assert_int_equal(FIELD_GET(PARQ_CAP_PORTS, rd(&r, PARQ_CAP)), 1);
	assert_int_equal(FIELD_GET(PARQ_CAP_TXQ, rd(&r, PARQ_CAP)), 15);
	assert_int_equal(FIELD_GET(PARQ_CAP_RXQ, rd(&r, PARQ_CAP)), 3);
	assert_true(rd(&r, PARQ_CAP) & PARQ_CAP_OFFLOAD);
	assert_int_equal(FIELD_GET(PARQ_LIMITS_VECTORS, rd(&r, PARQ_LIMITS)),
			 2 * (16 + 4) + 1);
	assert_int_equal(rd(&r, PARQ_PIPE_DEPTH), 100);
	assert_int_equal(rd(&r, PARQ_STATUS), PARQ_STATUS_READY);
	assert_int_equal(rd(&r, P0(PARQ_MAX_FRAME)), 1518);
	assert_int_equal(rd(&r, P0(PARQ_RXQ(3) + PARQ_RXQ_BUF)), 2048);
	assert_int_equal(rd(&r, P0(PARQ_LINK_CTRL)), PARQ_LINK_CTRL_AN |
			 PARQ_LINK_CTRL_FULL_DUPLEX |
			 FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10G));
	/* The last three bytes count up from port to port, and wrap. */
	assert_int_equal(rd(&r, P0(PARQ_PERM_ADDR_LO)), 0xff000002);
	assert_int_equal(rd(&r, P0(PARQ_PERM_ADDR_HI)), 0xffff);
	assert_int_equal(rd(&r, PARQ_PORT(1) + PARQ_PERM_ADDR_LO), 0x00000002);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* Ports count up from the address of the first. */
static void addresses(void **state)
{
	struct parqsim_config cfg = config;
	struct rig r;

	(void)state;
	memcpy(cfg.addr, (const u8[]){ 2, 1, 3, 4, 5, 0xff }, 6);
	rig_bare(&r, &cfg);
	assert_int_equal(rd(&r, P0(PARQ_PERM_ADDR_LO)), 0x04030102);
	assert_int_equal(rd(&r, P0(PARQ_PERM_ADDR_HI)), 0xff05);
	assert_int_equal(rd(&r, PARQ_PORT(1) + PARQ_PERM_ADDR_LO), 0x04030102);
	assert_int_equal(rd(&r, PARQ_PORT(1) + PARQ_PERM_ADDR_HI), 0x0006);
	assert_int_equal(rd(&r, PARQ_PORT(1) + PARQ_MAC_ADDR_LO), 0x04030102);
	assert_int_equal(rd(&r, PARQ_PORT(1) + PARQ_MAC_ADDR_HI), 0x0006);
	rig_fini(&r);
}

static void illegal_accesses(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	refused(&r, PARQ_MAGIC, 0, PARQ_ERR_READONLY);
	refused(&r, PARQ_CAP, 1, PARQ_ERR_READONLY);
	refused(&r, P0(PARQ_PORT_CTRL), BIT(31), PARQ_ERR_RESERVED);
	refused(&r, P0(PARQ_STATUS_BASE_LO), 64, PARQ_ERR_RESERVED);
	assert_int_equal(rd(&r, PARQ_PORT(2) + PARQ_PORT_CTRL), 0);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(&r, PARQ_ERR)),
			 PARQ_ERR_ACCESS);
	parqsim_write(r.sim, PARQ_ERR, 0);
	parqsim_write(r.sim, P0(0x7ffc), 0);
	assert_int_equal(rd(&r, PARQ_ERR_ADDR), P0(0x7ffc));
	rig_fini(&r);
}

/* The first one is described; their number has an end. */
static void illegal_accesses_are_counted(void **state)
{
	u32 max = FIELD_MAX(PARQ_ERR_COUNT), i;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	parqsim_write(r.sim, PARQ_MAGIC, 0);
	for (i = 2; i <= max; i++)
		parqsim_bad_access(r.sim, 2);
	assert_int_equal(FIELD_GET(PARQ_ERR_COUNT, rd(&r, PARQ_ERR)), max);
	parqsim_bad_access(r.sim, 2);
	assert_int_equal(FIELD_GET(PARQ_ERR_COUNT, rd(&r, PARQ_ERR)), max);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, rd(&r, PARQ_ERR)), PARQ_ERR_READONLY);
	assert_int_equal(rd(&r, PARQ_ERR_ADDR), PARQ_MAGIC);
	parqsim_write(r.sim, PARQ_ERR, 0);
	assert_int_equal(rd(&r, PARQ_ERR), 0);
	assert_int_equal(rd(&r, PARQ_ERR_ADDR), 0);
	rig_fini(&r);
}

static void illegal_values(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	refused(&r, P0(PARQ_LINK_CTRL), PARQ_LINK_CTRL_FULL_DUPLEX |
		FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_100G),
		PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_LINK_CTRL),
		FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_1G),
		PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_LINK_ADV), 0, PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_LINK_ADV), BIT(PARQ_SPEED_400G), PARQ_ERR_RANGE);
	refused(&r, PARQ_VEC_ITR(41), 1, PARQ_ERR_ACCESS);
	refused(&r, P0(PARQ_TXQ(16) + PARQ_TXQ_BASE_LO), 64, PARQ_ERR_ACCESS);
	refused(&r, P0(PARQ_STATS_SNAP), 1, PARQ_ERR_STATE);
	refused(&r, P0(PARQ_RXQ(0) + PARQ_RXQ_BUF), 2049, PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_RXQ(4) + PARQ_RXQ_BUF), 2048, PARQ_ERR_ACCESS);
	refused(&r, P0(PARQ_RSS_INDIR(0)), 0x00040000, PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_TXQ(0) + PARQ_TXQ_CTRL), PARQ_TXQ_CTRL_EN |
		FIELD_PREP(PARQ_TXQ_CTRL_SIZE, 6) |
		FIELD_PREP(PARQ_TXQ_CTRL_VEC, 41), PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_RXQ(0) + PARQ_RXQ_CTRL), PARQ_RXQ_CTRL_EN |
		FIELD_PREP(PARQ_RXQ_CTRL_SIZE, 6) |
		FIELD_PREP(PARQ_RXQ_CTRL_VEC, 41), PARQ_ERR_RANGE);
	refused(&r, PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN |
		FIELD_PREP(PARQ_EVENT_CTRL_SIZE, 6) |
		FIELD_PREP(PARQ_EVENT_CTRL_VEC, 41), PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_TXQ(0) + PARQ_TXQ_NEXT_CTRL),
		PARQ_TXQ_NEXT_CTRL_VALID |
		FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE, 6), PARQ_ERR_STATE);
	refused(&r, P0(PARQ_PFC_CTRL), BIT(0), PARQ_ERR_STATE);
	refused(&r, P0(PARQ_PFC(0) + PARQ_PFC_CMD), 4, PARQ_ERR_RANGE);
	rig_fini(&r);
}

/* The lowest and the highest value are accepted, those beyond are not. */
static void limits(void **state)
{
	static const struct {
		u32 off;
		u32 low;
		u32 high;
		u32 step;
	} regs[] = {
		{ P0(PARQ_MAX_FRAME), PARQ_MAX_FRAME_MIN, PARQ_MAX_FRAME_MAX, 1 },
		{ P0(PARQ_FC_TIME), 1, 65535, 1 },
		{ P0(PARQ_FC_REFRESH), 1, 65535, 1 },
		{ P0(PARQ_FC_LIMIT), 0, PARQ_FC_LIMIT_MAX_MS, 1 },
		{ P0(PARQ_RXQ(0) + PARQ_RXQ_BUF), PARQ_RXQ_BUF_MIN, PARQ_RXQ_BUF_MAX, 64 },
		{ PARQ_VEC_ITR(0), 0, PARQ_VEC_ITR_MAX_NS, 1 },
		{ PARQ_VEC_ITR(40), 0, PARQ_VEC_ITR_MAX_NS, 1 },
	};
	struct rig r;
	u32 i;

	(void)state;
	rig_bare(&r, &config);
	for (i = 0; i < sizeof(regs) / sizeof(*regs); i++) {
		accepted(&r, regs[i].off, regs[i].low);
		refused(&r, regs[i].off, regs[i].low - regs[i].step, PARQ_ERR_RANGE);
		accepted(&r, regs[i].off, regs[i].high);
		refused(&r, regs[i].off, regs[i].high + regs[i].step, PARQ_ERR_RANGE);
	}
	rig_fini(&r);
}

/* Sizes of rings are logarithms. The pipeline's depth of 100 fits in 128 parked frames. */
static void limits_of_rings(void **state)
{
	static const struct {
		u32 off;
		u32 enable;
		u32 size;
		u32 low;
		u32 high;
	} rings[] = {
		{ PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN, PARQ_EVENT_CTRL_SIZE, 6, 15 },
		{ P0(PARQ_TXQ(0) + PARQ_TXQ_CTRL), PARQ_TXQ_CTRL_EN, PARQ_TXQ_CTRL_SIZE, 6, 15 },
		{ P0(PARQ_RXQ(0) + PARQ_RXQ_CTRL), PARQ_RXQ_CTRL_EN, PARQ_RXQ_CTRL_SIZE, 6, 15 },
		{ P0(PARQ_PFC(0) + PARQ_PARK_CTRL), PARQ_PARK_CTRL_EN, PARQ_PARK_CTRL_SIZE, 7, 16 },
	};
	struct rig r;
	u32 i, log2;

	(void)state;
	rig_bare(&r, &config);
	for (i = 0; i < sizeof(rings) / sizeof(*rings); i++)
		for (log2 = rings[i].low - 1; log2 <= rings[i].high + 1; log2++) {
			u32 val = rings[i].enable | (rings[i].size & -rings[i].size) * log2;

			if (log2 < rings[i].low || log2 > rings[i].high)
				refused(&r, rings[i].off, val, PARQ_ERR_RANGE);
			else
				accepted(&r, rings[i].off, val);
			accepted(&r, rings[i].off, 0);
		}
	rig_fini(&r);
}

/* All frames of the pipeline fit in a park queue, and just so. */
static void park_queue_of_a_full_pipeline(void **state)
{
	u32 off = P0(PARQ_PFC(0) + PARQ_PARK_CTRL);
	struct parqsim_config cfg = config;
	struct rig r;

	(void)state;
	cfg.depth = 128;
	rig_bare(&r, &cfg);
	refused(&r, off, PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, 6), PARQ_ERR_RANGE);
	accepted(&r, off, PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, 7));
	rig_fini(&r);
}

#define CONFIG_IN_RANGE(field, low, high) do { \
	struct parqsim_config c = config; \
	c.rx_buffer = PARQSIM_RX_BUFFER_MIN; \
	c.field = (low); \
	assert_true(parqsim_size(&c)); \
	c.field = (high); \
	assert_true(parqsim_size(&c)); \
	c.field = (low) - 1; \
	assert_false(parqsim_size(&c)); \
	c.field = (high) + 1; \
	assert_false(parqsim_size(&c)); \
	assert_null(parqsim_init(NULL, &c, NULL, NULL, NULL)); \
} while (0)

/* A NIC is made if each of its properties is possible. */
static void configurations(void **state)
{
	struct parqsim_config cfg = config;

	(void)state;
	CONFIG_IN_RANGE(ports, 1, PARQ_NIC_PORTS);
	CONFIG_IN_RANGE(txq, 1, PARQ_MAX_TXQ);
	CONFIG_IN_RANGE(rxq, 1, PARQ_MAX_RXQ);
	CONFIG_IN_RANGE(depth, PARQSIM_DEPTH_MIN, PARQSIM_DEPTH_MAX);
	CONFIG_IN_RANGE(fetch_ns, 0, PARQSIM_FETCH_MAX_NS);
	CONFIG_IN_RANGE(speeds, 1, BIT(PARQ_NUM_SPEEDS) - 1);
	CONFIG_IN_RANGE(rx_buffer, PARQSIM_RX_BUFFER_MIN, PARQSIM_RX_BUFFER_MAX);
	cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	assert_int_equal(parqsim_size(&cfg) % 64, 0);
	/* Only the first byte says that an address is a group's. */
	memset(cfg.addr + 1, 0xff, 5);
	assert_true(parqsim_size(&cfg));
	cfg.addr[0] = 3;
	assert_false(parqsim_size(&cfg));
	cfg.addr[0] = 2;
	cfg.clk_ps = 0;
	assert_false(parqsim_size(&cfg));
}

/* Ports that forward may be more. Their queues share the vectors that a device can have. */
static void configurations_of_a_switch(void **state)
{
	struct parqsim_config cfg = config;

	(void)state;
	cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	cfg.forward = true;
	cfg.txq = PARQ_NUM_PRIO;
	cfg.rxq = 1;
	cfg.ports = PARQ_MAX_PORTS + 1;
	assert_false(parqsim_size(&cfg));
	cfg.ports = PARQ_MAX_PORTS;
	assert_true(parqsim_size(&cfg));
	cfg.forward = false;
	assert_false(parqsim_size(&cfg));
	cfg.forward = true;
	cfg.txq = 30;
	assert_true(parqsim_size(&cfg));
	cfg.txq = 31;
	assert_false(parqsim_size(&cfg));
	/* One vector is for events, and no other one is left. */
	cfg.ports = 62;
	cfg.txq = 32;
	static_assert(62 * (32 + 1) + 1 == PARQ_MAX_VECTORS);
	assert_true(parqsim_size(&cfg));
}

static size_t size_of_ports(u32 ports)
{
	struct parqsim_config cfg = config;

	cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	cfg.rx_later = true;
	cfg.ports = ports;
	return parqsim_size(&cfg);
}

/* Each port takes the same memory, and only those that exist take any. */
static void memory_follows_ports(void **state)
{
	size_t port = size_of_ports(2) - size_of_ports(1), shared = size_of_ports(1) - port;
	size_t all = size_of_ports(PARQ_NIC_PORTS);

	(void)state;
	/* There is room for each register, and not much more. */
	assert_in_range(port, PARQ_PORT_SIZE, 8 * PARQ_PORT_SIZE);
	/* Parts are rounded to 64 bytes. */
	assert_in_range(all, shared + PARQ_NIC_PORTS * port - 4096,
			shared + PARQ_NIC_PORTS * port + 4096);
	assert_in_range(shared, 0, 4 * port);
}

/* Staged values are applied together, or not at all. */
static void ets_is_all_or_nothing(void **state)
{
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	accepted(&r, P0(PARQ_ETS_PRIO_TC), 0x76543210);
	accepted(&r, P0(PARQ_ETS_TSA), 0x00000020);
	refused(&r, P0(PARQ_ETS_APPLY), 1, PARQ_ERR_RANGE);
	accepted(&r, P0(PARQ_ETS_BW_LO), 100 << 8);
	parqsim_write(r.sim, P0(PARQ_ETS_APPLY), 1);
	rig_assert_no_error(&r);
	accepted(&r, P0(PARQ_ETS_MAXRATE(7)), ~0U);
	accepted(&r, P0(PARQ_ETS_PRIO_TC), 0x80000000);
	refused(&r, P0(PARQ_ETS_APPLY), 1, PARQ_ERR_RANGE);
	accepted(&r, P0(PARQ_ETS_PORT_RATE), ~0U);
	refused(&r, P0(PARQ_ETS_PORT_RATE) + 4, 1, PARQ_ERR_ACCESS);
	rig_fini(&r);
}

static void ets_is_refused(struct rig *r, u32 off, u32 bad)
{
	u32 good = rd(r, off);

	accepted(r, off, bad);
	refused(r, P0(PARQ_ETS_APPLY), 1, PARQ_ERR_RANGE);
	accepted(r, off, good);
	parqsim_write(r->sim, P0(PARQ_ETS_APPLY), 1);
	rig_assert_no_error(r);
}

/* Whichever priority or traffic class has an invalid value. */
static void ets_of_each_class(void **state)
{
	struct rig r;
	u32 i, lo;

	(void)state;
	rig_bare(&r, &config);
	accepted(&r, P0(PARQ_ETS_TSA), 0x22222222);
	accepted(&r, P0(PARQ_ETS_BW_LO), 0x64016401);
	accepted(&r, P0(PARQ_ETS_BW_HI), 0x01640164);
	for (i = 0; i < 8; i++) {
		ets_is_refused(&r, P0(PARQ_ETS_PRIO_TC), 0x8U << 4 * i);
		ets_is_refused(&r, P0(PARQ_ETS_TSA), 0x22222222 ^ 0x3U << 4 * i);
		lo = i < 4 ? PARQ_ETS_BW_LO : PARQ_ETS_BW_HI;
		ets_is_refused(&r, P0(lo), rd(&r, P0(lo)) & ~(0xffU << 8 * (i % 4)));
		ets_is_refused(&r, P0(lo), rd(&r, P0(lo)) | 0x65U << 8 * (i % 4));
	}
	rig_fini(&r);
}

/* Writes that the state of the pause engine forbids. */
static void wrong_state(void **state)
{
	static const u16 quanta[8] = { [3] = 0xffff };
	u32 park = P0(PARQ_PFC(3) + PARQ_PARK_CTRL), cmd = P0(PARQ_PFC(3) +
							     PARQ_PFC_CMD);
	struct rig r;
	u32 on;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_pfc(&r, 0, BIT(3), true);
	on = rd(&r, park);
	refused(&r, park, on & ~PARQ_PARK_CTRL_EN, PARQ_ERR_STATE);
	refused(&r, cmd, PARQ_PFC_HALT, PARQ_ERR_STATE);
	refused(&r, P0(PARQ_RXQ(0) + PARQ_RXQ_CTRL), PARQ_RXQ_CTRL_EN,
		PARQ_ERR_RANGE);
	refused(&r, P0(PARQ_TXQ(0) + PARQ_TXQ_CTRL),
		rd(&r, P0(PARQ_TXQ(0) + PARQ_TXQ_CTRL)) ^
		FIELD_PREP(PARQ_TXQ_CTRL_PRIO, 1), PARQ_ERR_STATE);
	rig_pfc_frame(&r, 0, BIT(3), quanta);
	refused(&r, park, on, PARQ_ERR_STATE);
	assert_int_equal(rd(&r, P0(PARQ_PFC(3) + PARQ_PFC_TIMER)), 0xffff);
	rig_fini(&r);
}

/* Sets the address of the status page, whose old contents must not matter. */
static void set_page(struct rig *r, u64 page)
{
	memset(rig_ptr(r, page, sizeof(struct parq_status)), 0xa5,
	       sizeof(struct parq_status));
	accepted(r, P0(PARQ_STATUS_BASE_LO), page);
	accepted(r, P0(PARQ_STATUS_BASE_HI), page >> 32);
}

/* The device writes a page as soon as it gets it: a new one, and the same one again. */
static void status_page_is_written(void **state)
{
	static const u16 quanta[8] = { [3] = 0xffff };
	struct parq_status *st, was;
	u64 page[2];
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_pfc(&r, 0, BIT(3), true);
	rig_pfc_frame(&r, 0, BIT(3), quanta);
	rig_post(&r, 0, 3, 1000);
	rig_run(&r, 10 * RIG_US);
	page[0] = r.port[0].status;
	page[1] = rig_alloc(&r, PARQ_STATUS_PAGE_SIZE, 4096);
	/* Brings the counters up to date. */
	rig_stats(&r, 0);
	memcpy(&was, rig_ptr(&r, page[0], sizeof(was)), sizeof(was));
	assert_true(le64_to_cpu(was.pfc[3].levels) & PARQ_LEVELS_PAUSE);
	for (i = 0; i < 2; i++) {
		st = rig_ptr(&r, page[i], sizeof(*st));
		set_page(&r, page[i]);
		assert_int_equal(le32_to_cpu(st->doze), 0);
		assert_memory_equal(st->pfc, was.pfc, sizeof(was.pfc));
		assert_true(parqsim_doze(r.sim));
		assert_int_equal(le32_to_cpu(st->doze), PARQ_DOZE_ASLEEP);
		set_page(&r, page[i]);
		assert_int_equal(le32_to_cpu(st->doze), PARQ_DOZE_ASLEEP);
		parqsim_write(r.sim, PARQ_WAKE, 1);
	}
	rig_fini(&r);
}

/* A doorbell beyond the ring stops its queue only. */
static void bad_doorbell(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	r.db[(PARQ_DB_TX(0, 2) + PARQ_DB_TAIL) / 4] = 129;
	rig_run(&r, RIG_US);
	assert_int_equal(rd(&r, P0(PARQ_TXQ(2) + PARQ_TXQ_ERR)),
			 PARQ_ERR_DOORBELL);
	rig_post(&r, 0, 3, 100);
	rig_drain(&r);
	assert_int_equal(r.port[0].txq[3].seen, 1);
	rig_fini(&r);
}

static const u32 cleared[][2] = {
	{ PARQ_TXQ(0) + PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN },
	{ PARQ_TXQ(15) + PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN },
	{ PARQ_RXQ(0) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN | PARQ_RXQ_CTRL_HOLD },
	{ PARQ_RXQ(3) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN | PARQ_RXQ_CTRL_HOLD },
	{ PARQ_PFC(0) + PARQ_PARK_CTRL, PARQ_PARK_CTRL_EN },
	{ PARQ_PFC(7) + PARQ_PARK_CTRL, PARQ_PARK_CTRL_EN },
	{ PARQ_PFC_CTRL, PARQ_PFC_CTRL_EN },
	{ PARQ_STATUS_BASE_LO, ~0U },
	{ PARQ_STATUS_BASE_HI, ~0U },
};

/* The registers of a stopped port say what is off. Its other registers keep their values. */
static void stopped_port(void **state)
{
	struct rig r;
	u32 i, size;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	for (i = 0; i < config.rxq; i++) {
		rig_rxq_up(&r, 0, i, 6, 1024);
		rig_rxq_hold(&r, 0, i);
	}
	rig_pfc(&r, 0, 0xff, true);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		rig_rxb(&r, 0, i, ~0U, ~0U, ~0U);
	size = rd(&r, P0(PARQ_TXQ(15) + PARQ_TXQ_CTRL)) & ~PARQ_TXQ_CTRL_EN;
	for (i = 0; i < sizeof(cleared) / sizeof(*cleared); i++)
		assert_int_not_equal(rd(&r, P0(cleared[i][0])) & cleared[i][1], 0);
	parqsim_write(r.sim, P0(PARQ_PORT_CTRL), 0);
	for (i = 0; i < sizeof(cleared) / sizeof(*cleared); i++)
		assert_int_equal(rd(&r, P0(cleared[i][0])) & cleared[i][1], 0);
	assert_int_equal(rd(&r, P0(PARQ_TXQ(15) + PARQ_TXQ_CTRL)), size);
	assert_true(rd(&r, P0(PARQ_PFC_CTRL)) & PARQ_PFC_CTRL_OFFLOAD);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		assert_int_equal(rd(&r, P0(PARQ_RXB(i) + PARQ_RXB_XON)), ~0U);
	rig_fini(&r);
}

/* The high word belongs to the low word that was read last. */
static void time_of_the_device(void **state)
{
	struct rig r;
	u64 ns;

	(void)state;
	rig_bare(&r, &config);
	rig_run(&r, 13 * 1000 * RIG_MS);
	ns = rig_now(&r) / RIG_NS;
	assert_int_equal(rd(&r, PARQ_TIME_LO), (u32)ns);
	assert_int_equal(rd(&r, PARQ_TIME_HI), ns >> 32);
	rig_run(&r, 13 * 1000 * RIG_MS);
	assert_int_equal(rd(&r, PARQ_TIME_HI), ns >> 32);
	rig_fini(&r);
}

/* After a reset everything has its initial state. */
static void reset_empties_buffers(void **state)
{
	struct rig r;
	u64 next;
	u32 q;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_1G, true);
	for (q = 0; q < 8; q++)
		rig_post(&r, 0, q, 1000);
	rig_run(&r, RIG_US);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	r.used = 0;	/* the NIC uses none of the memory any more */
	next = parqsim_next(r.sim);
	assert_true(next == PARQSIM_NEVER);
	rig_run(&r, 100 * RIG_US);
	assert_true(parqsim_doze(r.sim));
	assert_int_equal(rd(&r, P0(PARQ_TXQ(0) + PARQ_TXQ_CTRL)), 0);
	assert_int_equal(rd(&r, P0(PARQ_MAX_FRAME)), 1518);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* Activity ends as in a reset, and the NIC reacts only to a reset. */
static void fatal_until_reset(void **state)
{
	struct rig r;
	u32 q;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_1G, true);
	for (q = 0; q < 8; q++)
		rig_post(&r, 0, q, 1000);
	rig_run(&r, RIG_US);
	parqsim_fail(r.sim);
	r.used = 0;	/* no DMA: none of the memory is the NIC's any more */
	assert_true(parqsim_next(r.sim) == PARQSIM_NEVER);
	assert_int_equal(rd(&r, PARQ_STATUS),
			 PARQ_STATUS_READY | PARQ_STATUS_FATAL);
	parqsim_write(r.sim, P0(PARQ_MAX_FRAME), 9000);
	parqsim_write(r.sim, P0(PARQ_PORT_CTRL), PARQ_PORT_CTRL_EN);
	assert_int_equal(rd(&r, P0(PARQ_MAX_FRAME)), 1518);
	assert_int_equal(rd(&r, P0(PARQ_PORT_CTRL)), 0);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(rd(&r, PARQ_STATUS), PARQ_STATUS_READY);
	parqsim_write(r.sim, P0(PARQ_MAX_FRAME), 9000);
	assert_int_equal(rd(&r, P0(PARQ_MAX_FRAME)), 9000);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* Random writes everywhere: memory outside of what the host gave is refused
 * by the host, and the NIC gets over it.
 */
static void random_writes(void **state)
{
	u32 seed = 4711, i, off, val;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	r.lenient = true;
	for (i = 0; i < 200000; i++) {
		off = rnd(&seed, PARQ_BAR_REGS_SIZE / 4) * 4;
		val = rnd(&seed, 3) ? rnd(&seed, 0x200) : rnd(&seed, ~0U);
		if (rnd(&seed, 2))
			off = PARQ_PORT(rnd(&seed, 2)) +
			      PARQ_TXQ(rnd(&seed, 16)) + 4 * rnd(&seed, 11);
		if (rnd(&seed, 8))
			parqsim_write(r.sim, off, val);
		else
			parqsim_read(r.sim, off);
		if (!rnd(&seed, 16))
			r.db[rnd(&seed, PARQ_BAR_DB_SIZE / 4)] = rnd(&seed, 40);
		if (!rnd(&seed, 4))
			parqsim_run(r.sim, rig_now(&r) + rnd(&seed, 3000000));
	}
	assert_int_equal(rd(&r, PARQ_MAGIC), PARQ_MAGIC_VALUE);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reset_values),
		cmocka_unit_test(addresses),
		cmocka_unit_test(illegal_accesses),
		cmocka_unit_test(illegal_accesses_are_counted),
		cmocka_unit_test(illegal_values),
		cmocka_unit_test(ets_is_all_or_nothing),
		cmocka_unit_test(ets_of_each_class),
		cmocka_unit_test(wrong_state),
		cmocka_unit_test(status_page_is_written),
		cmocka_unit_test(bad_doorbell),
		cmocka_unit_test(reset_empties_buffers),
		cmocka_unit_test(fatal_until_reset),
		cmocka_unit_test(random_writes),
		cmocka_unit_test(limits),
		cmocka_unit_test(limits_of_rings),
		cmocka_unit_test(park_queue_of_a_full_pipeline),
		cmocka_unit_test(configurations),
		cmocka_unit_test(configurations_of_a_switch),
		cmocka_unit_test(memory_follows_ports),
		cmocka_unit_test(stopped_port),
		cmocka_unit_test(time_of_the_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
