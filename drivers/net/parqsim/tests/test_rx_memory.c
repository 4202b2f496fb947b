// SPDX-License-Identifier: GPL-2.0
/* Memory of receive buffers, which a port gets only when frames may have to wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/parq_hw_switch.h>

#include "rx_state.h"
#include "sim.h"

#define LOG2		6
#define BUF		1024
#define PRIO		3
#define CTRL(q)		(PARQ_RXQ(q) + PARQ_RXQ_CTRL)

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
	.rx_buffer = PARQSIM_RX_BUFFER_MIN,
};

static void begin(struct rig *r)
{
	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_rxq_up(r, 0, 0, LOG2, BUF);
	rig_rx_tail(r, 0, 0, 0);
}

static int wanted(struct rig *r, u32 port, u32 off, u32 val)
{
	return parqsim_rx_wanted(r->sim, PARQ_PORT(port) + off, val);
}

/* The NIC alone is smaller by the memory of its ports. */
static void sizes(void **state)
{
	struct parqsim_config later = config;

	(void)state;
	later.rx_later = true;
	assert_int_equal(parqsim_rx_size(&config) % 64, 0);
	assert_in_range(parqsim_rx_size(&config), 2 * config.rx_buffer, 3 * config.rx_buffer);
	assert_int_equal(parqsim_size(&later) + config.ports * parqsim_rx_size(&config),
			 parqsim_size(&config));
}

/* It follows the NIC, one port's behind the other's, if the host gives none later. */
static void from_the_beginning(void **state)
{
	size_t size = parqsim_size(&config), one = parqsim_rx_size(&config);
	static u32 db[PARQ_BAR_DB_SIZE / 4];
	struct parqsim *sim;
	u8 *mem, *at;
	u32 port;

	(void)state;
	mem = calloc(1, size);
	assert_non_null(mem);
	sim = parqsim_init(mem, &config, NULL, NULL, db);
	assert_non_null(sim);
	for (port = 0; port < config.ports; port++) {
		assert_int_equal(parqsim_rx_wanted(sim, PARQ_PORT(port) + PARQ_FC_CTRL, 1), -1);
		at = cells_at(sim->rxbuf.port[port].cells, 0);
		assert_true(at == mem + size - (config.ports - port) * one);
	}
	assert_null(sim->rxbuf.port[config.ports].cells);
	free(mem);
}

static void writes_that_need_it(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	assert_int_equal(wanted(&r, 1, PARQ_FC_CTRL, 0), -1);
	assert_int_equal(wanted(&r, 1, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_RX), -1);
	assert_int_equal(wanted(&r, 1, PARQ_FC_CTRL, PARQ_FC_CTRL_PAUSE_TX), 1);
	assert_int_equal(wanted(&r, 0, PARQ_FC_CTRL, BIT(PRIO)), 0);
	assert_int_equal(wanted(&r, 0, CTRL(1), PARQ_RXQ_CTRL_EN), -1);
	assert_int_equal(wanted(&r, 0, CTRL(1), PARQ_RXQ_CTRL_HOLD), 0);
	assert_int_equal(wanted(&r, 0, PARQ_RXQ(1) + PARQ_RXQ_BUF, PARQ_RXQ_CTRL_HOLD), -1);
	assert_int_equal(wanted(&r, 0, PARQ_TXQ(1) + PARQ_TXQ_CTRL, ~0U), -1);
	assert_int_equal(wanted(&r, 2, PARQ_FC_CTRL, BIT(PRIO)), -1);
	assert_int_equal(parqsim_rx_wanted(r.sim, PARQ_CTRL, ~0U), -1);
	rig_fini(&r);
}

/* A port that joins a domain holds frames for the others. */
static void joins_a_domain(void **state)
{
	struct parqsim_config later = config;
	struct rig r;
	u32 ctrl;

	(void)state;
	later.forward = true;
	rig_init(&r, &later, PARQ_SPEED_10G, true);
	ctrl = parqsim_read(r.sim, PARQ_SWITCH) + PARQ_SW_PORT(1) + PARQ_SW_CTRL;
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl, PARQ_SW_CTRL_DOMAIN), 1);
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl, ~PARQ_SW_CTRL_DOMAIN), -1);
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl - PARQ_SW_PORT_SIZE, ~0U), 0);
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl + PARQ_SW_PORT_SIZE, ~0U), -1);
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl + 4, ~0U), -1);
	/* One of its VLAN interfaces. */
	ctrl += PARQ_SW_VIF_CTRL;
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl, PARQ_SW_CTRL_DOMAIN), 1);
	assert_int_equal(parqsim_rx_wanted(r.sim, ctrl, ~PARQ_SW_CTRL_DOMAIN), -1);
	rig_fini(&r);
}

/* While the port is disabled no frame arrives that could wait. */
static void hold_of_a_disabled_port(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	rig_rxq_hold(&r, 0, 0);
	assert_null(r.rx_mem[0]);
	assert_int_equal(wanted(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN), -1);
	rig_fini(&r);
}

/* A host without memory loses what would wait, and nothing else. */
static void without(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	parqsim_write(r.sim, PARQ_PORT(0) + PARQ_FC_CTRL, BIT(PRIO));
	rig_rx_prio(&r, 0, PRIO, 100, 0);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	assert_int_equal(used(&r, 0), 0);
	rig_rx_tail(&r, 0, 0, 1);
	rig_rx_prio(&r, 0, PRIO, 100, 1);
	assert_int_equal(head(&r, 0), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 1);
	rig_fini(&r);
}

static void begin_pfc(struct rig *r)
{
	begin(r);
	rig_write(r, 0, PARQ_FC_CTRL, BIT(PRIO));
	rig_rx_prio(r, 0, PRIO, 100, 0);
	assert_int_equal(used(r, 0), 104);
}

/* It stays after PFC, and after a reset. A port without PFC has none. */
static void is_kept(void **state)
{
	struct rig r;

	(void)state;
	begin_pfc(&r);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 0);
	assert_non_null(r.rx_mem[0]);
	assert_null(r.rx_mem[1]);
	assert_int_equal(wanted(&r, 0, PARQ_FC_CTRL, BIT(PRIO)), -1);
	rig_write(&r, 0, PARQ_FC_CTRL, 0);
	parqsim_reset(r.sim);
	assert_int_equal(used(&r, 0), 0);
	assert_int_equal(wanted(&r, 0, PARQ_FC_CTRL, BIT(PRIO)), -1);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(from_the_beginning),
		cmocka_unit_test(writes_that_need_it),
		cmocka_unit_test(joins_a_domain),
		cmocka_unit_test(hold_of_a_disabled_port),
		cmocka_unit_test(without),
		cmocka_unit_test(is_kept),
	};

	return cmocka_run_group_tests_name("rx_memory", tests, NULL, NULL);
}
