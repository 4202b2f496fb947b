// SPDX-License-Identifier: GPL-2.0
/*
 * Switches with more ports than a NIC can have: where their registers are, line rate at all ports
 * at once, and that many senders to one port share it and lose nothing. A station is at the far end
 * of each cable. No port has a host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/bitfield.h>
#include <linux/parq_hw_switch.h>

#include "clock.h"
#include "parqsim.h"

#define LEN		256	/* bytes on the wire without preamble and gap */
#define PRIO		3	/* lossless */
#define US		1000000ULL
/* Lets what is under way arrive, more than it takes to empty all receive buffers. */
#define SETTLE_PS	(10000 * US)

/**
 * struct station - what is at the far end of a cable
 * @sent: frames that it has sent
 * @heard: frames that have arrived at it
 * @from: of these, frames of each station
 * @free_at: when it can send again
 * @xoff: PRIO is paused
 */
struct station {
	u64 sent;
	u64 heard;
	u64 from[PARQ_MAX_PORTS];
	u64 free_at;
	bool xoff;
};

static struct parqsim *sim;
static struct station station[PARQ_MAX_PORTS];
static u32 db[PARQ_BAR_DB_MANY / 4];
static u32 ports, byte_ps;

/* ---- the world around the switch ----------------------------------------- */

static bool no_read(void *ctx, u64 addr, void *buf, u32 len)
{
	(void)ctx;
	(void)addr;
	(void)buf;
	(void)len;
	return false;
}

static bool no_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	(void)ctx;
	(void)addr;
	(void)buf;
	(void)len;
	return false;
}

static bool no_write64(void *ctx, u64 addr, u64 val)
{
	(void)ctx;
	(void)addr;
	(void)val;
	return false;
}

static void no_irq(void *ctx, u32 vector)
{
	(void)ctx;
	(void)vector;
}

static void hear(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	struct station *s = &station[port];

	(void)ctx;
	(void)len;
	(void)start;
	(void)end;
	if (data[12] == 0x88 && data[13] == 0x08) {
		if (data[17] & BIT(PRIO))
			s->xoff = data[18 + 2 * PRIO] || data[19 + 2 * PRIO];
		return;
	}
	s->heard++;
	s->from[data[11]]++;
}

static void mirror(void *ctx, u32 port, const struct parqsim_partner *self)
{
	(void)ctx;
	parqsim_link(sim, port, self);
}

static const struct parqsim_host host = {
	.dma_read = no_read, .dma_write = no_write, .dma_write64 = no_write64,
	.irq = no_irq, .frame = hear, .link = mirror,
};

/* ---- the switch ---------------------------------------------------------- */

static void wr(u32 port, u32 off, u32 val)
{
	parqsim_write(sim, PARQ_PORT(port) + off, val);
}

static u32 sw(u32 off)
{
	return parqsim_read(sim, PARQ_SWITCH) + off;
}

static u64 stat(u32 port, enum parq_sw_stat n)
{
	return parqsim_read(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_STAT_LO(n)));
}

/* All in one domain, and PRIO is lossless at each: half of the buffer is headroom. */
static void port_up(u32 port, enum parq_speed speed)
{
	wr(port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, speed));
	wr(port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XOFF, PARQSIM_RX_BUFFER_MIN / 2);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XON, PARQSIM_RX_BUFFER_MIN / 4);
	wr(port, PARQ_RXB_APPLY, 1);
	wr(port, PARQ_FC_CTRL, BIT(PRIO));
	parqsim_write(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_CTRL),
		      FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) | PARQ_SW_CTRL_LEARN |
		      PARQ_SW_CTRL_FLOOD | FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING));
}

static void begin(u32 number, enum parq_speed speed)
{
	const struct parqsim_config cfg = {
		.ports = number, .txq = PARQ_NUM_PRIO, .rxq = 1, .depth = 32, .clk_ps = 1000,
		.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .rx_buffer = PARQSIM_RX_BUFFER_MIN,
		.addr = { 2, 0, 0, 0, 0, 1 }, .forward = true,
	};
	u32 port;

	ports = number;
	byte_ps = parqsim_byte_ps(speed);
	memset(station, 0, sizeof(station));
	sim = parqsim_init(calloc(1, parqsim_size(&cfg)), &cfg, &host, NULL, db);
	assert_non_null(sim);
	for (port = 0; port < ports; port++)
		port_up(port, speed);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
}

static void end(void)
{
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
	free(sim);
}

static u64 now(void)
{
	return parqsim_clock(sim)->now;
}

/* The last bit of a frame arrives now. */
static void send(u32 from, u32 to)
{
	u8 data[LEN - 4] = {
		2, 0, 0, 0, 1, to, 2, 0, 0, 0, 1, from, 0x81, 0, PRIO << 5, 0, 0x88, 0xb5,
	};

	parqsim_rx(sim, from, data, sizeof(data), true);
	station[from].sent++;
}

/* All stations send once, so that the switch knows where they are. */
static void meet(void)
{
	u32 port;

	for (port = 0; port < ports; port++)
		send(port, port ^ 1);
	parqsim_run(sim, now() + SETTLE_PS);
	memset(station, 0, sizeof(station));
}

/* ---- where things are ---------------------------------------------------- */

static void registers(void **state)
{
	u32 last = PARQ_MAX_PORTS - 1;

	(void)state;
	begin(PARQ_MAX_PORTS, PARQ_SPEED_10G);
	assert_int_equal(FIELD_GET(PARQ_CAP_PORTS, parqsim_read(sim, PARQ_CAP)),
			 PARQ_NIC_PORTS - 1);
	assert_int_equal(FIELD_GET(PARQ_SW_CAP_PORTS, parqsim_read(sim, sw(PARQ_SW_CAP))), last);
	assert_int_equal(parqsim_read(sim, PARQ_SWITCH), PARQ_PORT(PARQ_MAX_PORTS));
	assert_int_equal(FIELD_GET(PARQ_LIMITS_VECTORS, parqsim_read(sim, PARQ_LIMITS)),
			 PARQ_MAX_PORTS * (PARQ_NUM_PRIO + 1) + 1);
	assert_true(parqsim_read(sim, PARQ_PORT(last) + PARQ_PORT_STATUS) &
		    PARQ_PORT_STATUS_LINK);
	assert_int_equal(parqsim_read(sim, PARQ_PORT(last) + PARQ_PERM_ADDR_HI), 0x4000);
	/* An address of each port, which is in a domain of its own. */
	parqsim_write(sim, sw(PARQ_SW_FDB_ADDR_LO), 0x10);
	parqsim_write(sim, sw(PARQ_SW_FDB_ENTRY),
		      FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, last) |
		      FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, PARQ_MAX_PORTS) |
		      FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, PARQ_FDB_STATIC));
	parqsim_write(sim, sw(PARQ_SW_FDB_CMD), PARQ_FDB_ADD);
	assert_int_equal(parqsim_read(sim, sw(PARQ_SW_FDB_RESULT)), PARQ_FDB_OK);
	end();
}

/* ---- line rate ----------------------------------------------------------- */

/*
 * Each station sends to the next one, without a gap, for @frames frames. One FD a clock for all
 * ports would not suffice: four ports need 0.72 of it.
 */
static void line_rate(u32 number, u32 frames)
{
	u64 start, gap;
	u32 port, i;

	begin(number, PARQ_SPEED_400G);
	meet();
	start = now();
	gap = (u64)(LEN + 20) * byte_ps;
	for (i = 1; i <= frames; i++) {
		parqsim_run(sim, start + i * gap);
		for (port = 0; port < ports; port++)
			send(port, (port + 1) % ports);
	}
	/* Less than 40 frames are under way: a pipeline and the frame on the wire. */
	for (port = 0; port < ports; port++)
		assert_in_range(station[port].heard, frames - 40, frames);
	parqsim_run(sim, now() + SETTLE_PS);
	for (port = 0; port < ports; port++) {
		assert_int_equal(station[port].heard, frames);
		assert_int_equal(station[(port + 1) % ports].from[port], frames);
		assert_int_equal(stat(port, PARQ_SW_RX_NO_ROOM), 0);
		assert_false(station[port].xoff);
	}
	end();
}

static void line_rate_16(void **state)
{
	(void)state;
	line_rate(16, 2000);
}

static void line_rate_64(void **state)
{
	(void)state;
	line_rate(PARQ_MAX_PORTS, 1000);
}

/* ---- incast -------------------------------------------------------------- */

/* All but the last station send to the last one for @ps, as fast as they may. */
static void incast(u32 number, u64 ps)
{
	u64 gap, until, heard, least = ~0ULL, most = 0;
	u32 last = number - 1, port;

	begin(number, PARQ_SPEED_10G);
	meet();
	gap = (u64)(LEN + 20) * byte_ps;
	for (until = now() + ps; now() < until;) {
		parqsim_run(sim, now() + gap);
		for (port = 0; port < last; port++)
			if (!station[port].xoff)
				send(port, last);
	}
	heard = station[last].heard;
	/* The port was never idle, but for its first frames. */
	assert_in_range(heard, ps / gap - 40, ps / gap);
	for (port = 0; port < last; port++) {
		least = station[port].sent < least ? station[port].sent : least;
		most = station[port].sent > most ? station[port].sent : most;
	}
	parqsim_run(sim, now() + SETTLE_PS * number);
	for (port = 0; port < last; port++) {
		assert_int_equal(station[last].from[port], station[port].sent);
		assert_int_equal(stat(port, PARQ_SW_RX_NO_ROOM), 0);
		assert_false(station[port].xoff);
	}
	/* Equal but for what a buffer holds: they are paused and resumed by turns. */
	assert_in_range(most - least, 0, PARQSIM_RX_BUFFER_MIN / LEN);
	end();
}

static void incast_of_16(void **state)
{
	(void)state;
	incast(16, 20000 * US);
}

static void incast_of_64(void **state)
{
	(void)state;
	incast(PARQ_MAX_PORTS, 40000 * US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),
		cmocka_unit_test(line_rate_16),
		cmocka_unit_test(line_rate_64),
		cmocka_unit_test(incast_of_16),
		cmocka_unit_test(incast_of_64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
