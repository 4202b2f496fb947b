// SPDX-License-Identifier: GPL-2.0
/*
 * Switches with more ports than a NIC can have: where their registers are, line rate at all ports
 * at once, that many senders to one port share it and lose nothing, and that a reset empties all
 * pipelines.
 */
#include "sim.h"
#include "stations.h"

#define LEN	256	/* bytes on the wire without preamble and gap, of an incast */
#define BUFFER	PARQSIM_RX_BUFFER_MIN

/* ---- where things are ---------------------------------------------------- */

static void registers(void **state)
{
	u32 last = PARQ_MAX_PORTS - 1;

	(void)state;
	begin(PARQ_MAX_PORTS, PARQ_SPEED_10G, BUFFER, true);
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
 * Each station sends @frames frames of @len bytes to the next one, without a gap. One FD a clock
 * for all ports would not suffice: with 256 bytes four ports need 0.72 of it. At the end less than
 * @pending frames are under way: a pipeline and the frame on the wire.
 */
static void line_rate(u32 number, u32 len, u32 frames, u32 pending)
{
	u64 start, gap;
	u32 port, i;

	begin(number, PARQ_SPEED_400G, BUFFER, true);
	meet();
	start = now();
	gap = (u64)(len + WIRE_GAP) * byte_ps;
	for (i = 1; i <= frames; i++) {
		parqsim_run(sim, start + i * gap);
		for (port = 0; port < ports; port++)
			send(port, (port + 1) % ports, len);
	}
	for (port = 0; port < ports; port++)
		assert_in_range(station[port].heard, frames - pending, frames);
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
	line_rate(16, 256, 2000, 40);
}

static void line_rate_64(void **state)
{
	(void)state;
	line_rate(PARQ_MAX_PORTS, 1518, 4000, 4);
}

/* ---- incast -------------------------------------------------------------- */

/* All but the last station send to the last one for @ps, as fast as they may. */
static void incast(u32 number, u64 ps)
{
	u64 gap, until, heard, least = ~0ULL, most = 0;
	u32 last = number - 1, port;

	begin(number, PARQ_SPEED_10G, BUFFER, true);
	meet();
	gap = (u64)(LEN + WIRE_GAP) * byte_ps;
	for (until = now() + ps; now() < until;) {
		parqsim_run(sim, now() + gap);
		for (port = 0; port < last; port++)
			if (!station[port].xoff)
				send(port, last, LEN);
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

/* ---- reset --------------------------------------------------------------- */

/* An FD of the host, which no link that fails drops, is in each pipeline. */
static void reset_empties_pipelines(void **state)
{
	u32 port;

	(void)state;
	begin(PARQ_MAX_PORTS, PARQ_SPEED_10G, BUFFER, true);
	for (port = 0; port < ports; port += PARQSIM_PIPE_PORTS)
		bmi_push(bmi_of(sim->bmi, port), &(struct fd){ .port = port });
	parqsim_write(sim, PARQ_CTRL, PARQ_CTRL_RESET);
	for (port = 0; port < ports; port += PARQSIM_PIPE_PORTS)
		assert_int_equal(bmi_of(sim->bmi, port)->count, 0);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),
		cmocka_unit_test(line_rate_16),
		cmocka_unit_test(line_rate_64),
		cmocka_unit_test(incast_of_16),
		cmocka_unit_test(incast_of_64),
		cmocka_unit_test(reset_empties_pipelines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
