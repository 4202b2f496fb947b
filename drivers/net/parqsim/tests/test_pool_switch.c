// SPDX-License-Identifier: GPL-2.0
/*
 * The shared pool of a switch whose senders have PFC: how much each of them gets, when it is paused
 * and when it may go on, and that nothing is lost, whatever changes meanwhile.
 */
#include <stdio.h>

#include "cable.h"
#include "rnd.h"
#include "stations.h"

#define SENDERS		16
#define LEN		1522	/* bytes on the wire without preamble and gap */
#define RESERVED	(2 * LEN)
/* Stations stop at once: what is on the wire, a frame of the switch's own, and XOFF. */
#define HEADROOM	(4 * LEN)
#define DYNAMIC(th)	(PARQ_SW_POOL_LIMIT_DYNAMIC | (th))

static u32 of_pool(u32 off)
{
	return parqsim_read(sim, sw(off));
}

static u32 port_pool(u32 port, u32 off)
{
	return of_pool(PARQ_SW_PORT(port) + off);
}

static void set_limit(u32 port, u32 limit)
{
	parqsim_write(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_POOL_LIMIT(0)), limit);
}

/* A buffer with a little memory of its own: the rest is the pool's. */
static void own_memory(u32 port, u32 reserved, u32 headroom)
{
	wr(port, PARQ_RXB(0) + PARQ_RXB_SIZE, reserved + headroom);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XOFF, reserved);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XON, reserved - LEN);
	wr(port, PARQ_RXB_APPLY, 1);
}

static void begin_pool(u32 number, u32 limit, bool lossless)
{
	u32 port;

	begin(number, PARQ_SPEED_100G, PARQSIM_RX_BUFFER_MIN, lossless);
	assert_int_equal(of_pool(PARQ_SW_POOL_ROOM), number * (PARQSIM_RX_BUFFER_MIN -
							       PARQSIM_RX_BUFFER_MIN));
	meet();
	for (port = 0; port < number; port++) {
		own_memory(port, RESERVED, HEADROOM);
		set_limit(port, limit);
		/* A park queue for frames of a host, of which there are none. */
		wr(port, PARQ_PFC(PRIO) + PARQ_PARK_CTRL,
		   PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, 10));
		wr(port, PARQ_PFC_CTRL,
		   FIELD_PREP(PARQ_PFC_CTRL_EN, BIT(PRIO)) | PARQ_PFC_CTRL_OFFLOAD);
	}
	assert_int_equal(of_pool(PARQ_SW_POOL_ROOM),
			 number * (PARQSIM_RX_BUFFER_MIN - RESERVED - HEADROOM));
	parqsim_write(sim, sw(PARQ_SW_POOL_SIZE), number * PARQSIM_RX_BUFFER_MIN);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
}

/* All of it has come back, and was counted once. */
static void end_pool(void)
{
	u32 port, sum = 0;

	for (port = 0; port < ports; port++) {
		sum += port_pool(port, PARQ_SW_POOL_PORT_USED);
		assert_false(station[port].xoff);
		assert_int_equal(station[port].late, 0);
	}
	assert_int_equal(sum, 0);
	assert_int_equal(of_pool(PARQ_SW_POOL_USED), 0);
	end();
}

static u64 gap(void)
{
	return (u64)(LEN + WIRE_GAP) * byte_ps;
}

/* Stations @first to @end - 1 send to @to, each until it is paused. */
static void send_until_paused(u32 first, u32 end, u32 to)
{
	u32 port, sent;

	do {
		parqsim_run(sim, now() + gap());
		for (port = first, sent = 0; port < end; port++) {
			if (station[port].xoff)
				continue;
			send(port, to, LEN);
			sent++;
		}
	} while (sent);
}

/* ---- shares -------------------------------------------------------------- */

/*
 * Each of n senders gets pool * alpha / (1 + n * alpha), to one frame. That can be more than its
 * port has.
 */
static void shares(void **state)
{
	u32 threshold, n, port, room;
	u64 alpha, exact;

	(void)state;
	for (threshold = 7; threshold <= 13; threshold++) {
		for (n = 1; n <= 8; n *= 2) {
			begin_pool(9, DYNAMIC(threshold), true);
			room = of_pool(PARQ_SW_POOL_ROOM);
			/* In eighths. */
			alpha = 1 << (threshold - 7);
			exact = room * alpha / (8 + n * alpha);
			pause_station(8, 0xffff);
			send_until_paused(0, n, 8);
			for (port = 0; port < n; port++)
				assert_in_range(port_pool(port, PARQ_SW_POOL_PORT_USED),
						exact - LEN, exact + LEN);
			print_message("# figure pool; %.3f; %u; %ju; %u\n", (double)alpha / 8, n,
				      (uintmax_t)exact, port_pool(0, PARQ_SW_POOL_HIGH));
			pause_station(8, 0);
			parqsim_run(sim, now() + SETTLE_PS * SENDERS);
			assert_int_equal(dropped(), 0);
			end_pool();
		}
	}
}

/* Frames that may be dropped take a part of what buffer and pool have for their sender. */
static void lossy_share(void **state)
{
	u32 limit = 42 * LEN, most = (RESERVED + HEADROOM + limit) / PARQ_SW_LOSSY_SHARE, i;

	(void)state;
	begin_pool(3, limit, false);
	pause_station(2, 0xffff);
	for (i = 0; i < 100; i++) {
		parqsim_run(sim, now() + gap());
		send(0, 2, LEN);
	}
	assert_in_range((100 - stat(2, PARQ_SW_TX_DROP_FULL)) * LEN, most, most + 2 * LEN);
	assert_int_equal(stat(0, PARQ_SW_RX_NO_ROOM), 0);
	pause_station(2, 0);
	parqsim_run(sim, now() + SETTLE_PS);
	end_pool();
}

/* ---- sixteen to one ------------------------------------------------------ */

#define FRAMES	100000

/**
 * struct change - what changes while frames flow
 * @every: turns from one change to the next, 0: none
 * @what: makes a change
 */
struct change {
	u32 every;
	void (*what)(u32 *seed);
};

/* The receiver hears FRAMES, and all that were sent if nothing was to be dropped. */
static u64 incast(u32 limit, bool lossless, struct change change)
{
	u32 turn, port, seed = 1;
	u64 start, sent = 0, n;

	begin_pool(SENDERS + 1, limit, lossless);
	for (start = now(), turn = 1; station[SENDERS].heard < FRAMES; turn++) {
		parqsim_run(sim, now() + gap());
		if (change.every && !(turn % change.every))
			change.what(&seed);
		for (port = 0; port < SENDERS; port++)
			if (!station[(turn + port) % SENDERS].xoff)
				send((turn + port) % SENDERS, SENDERS, LEN);
	}
	assert_in_range(station[SENDERS].heard * gap() * 1000 / (now() - start),
			change.every ? 500 : 999, 1001);
	parqsim_run(sim, now() + SETTLE_PS * SENDERS * 4);
	for (port = 0; port < SENDERS; port++)
		sent += station[port].sent;
	n = dropped();
	assert_int_equal(station[SENDERS].heard + n, sent);
	end_pool();
	return n;
}

static void incast_lossless(void **state)
{
	u32 threshold;

	(void)state;
	assert_int_equal(incast(0, true, (struct change){ 0 }), 0);
	assert_int_equal(incast(40 * LEN, true, (struct change){ 0 }), 0);
	assert_int_equal(incast(~PARQ_SW_POOL_LIMIT_DYNAMIC, true, (struct change){ 0 }), 0);
	for (threshold = PARQ_SW_POOL_ALPHA_MIN; threshold <= PARQ_SW_POOL_ALPHA_MAX; threshold++)
		assert_int_equal(incast(DYNAMIC(threshold), true, (struct change){ 0 }), 0);
}

static void incast_lossy(void **state)
{
	(void)state;
	assert_true(incast(DYNAMIC(PARQ_SW_POOL_ALPHA_1), false, (struct change){ 0 }) > FRAMES);
}

/* Of the pool, or of a port: its limit, or its own memory, which never becomes less. */
static void any(u32 *seed)
{
	u32 port = rnd(seed, SENDERS);

	switch (rnd(seed, 3)) {
	case 0:
		parqsim_write(sim, sw(PARQ_SW_POOL_SIZE),
			      rnd(seed, 2 * SENDERS) * PARQSIM_RX_BUFFER_MIN / 64);
		break;
	case 1:
		set_limit(port, rnd(seed, 2) ? rnd(seed, 100 * LEN) :
			  DYNAMIC(PARQ_SW_POOL_ALPHA_MIN + rnd(seed, 14)));
		break;
	default:
		/* Refused if the pool has no room: then nothing changes. */
		own_memory(port, RESERVED * (1 + rnd(seed, 6)), HEADROOM);
		parqsim_write(sim, PARQ_ERR, 0);
		break;
	}
}

static void changes_lose_nothing(void **state)
{
	(void)state;
	assert_int_equal(incast(DYNAMIC(PARQ_SW_POOL_ALPHA_1), true, (struct change){ 50, any }),
			 0);
}

/* ---- limits that move ---------------------------------------------------- */

/*
 * 0 sends to 4, the others to 5; both wait. Some frames leave to 4, which stops again. Then 5 goes
 * on, so that the limit of 0 rises while none of its frames comes or goes.
 */
static void goes_on_at_the_refresh(void **state)
{
	u64 refresh, start;
	u32 port, held;

	(void)state;
	begin_pool(6, DYNAMIC(PARQ_SW_POOL_ALPHA_1), true);
	refresh = 32767 * 64ULL * byte_ps;
	pause_station(4, 0xffff);
	pause_station(5, 0xffff);
	send_until_paused(0, 1, 4);
	held = port_pool(0, PARQ_SW_POOL_PORT_USED);
	assert_in_range(held, of_pool(PARQ_SW_POOL_ROOM) / 2 - LEN, of_pool(PARQ_SW_POOL_ROOM) / 2);
	send_until_paused(1, 4, 5);
	pause_station(4, 0);
	parqsim_run(sim, now() + 8 * gap());
	pause_station(4, 0xffff);
	parqsim_run(sim, now() + 2 * gap());
	assert_in_range(port_pool(0, PARQ_SW_POOL_PORT_USED), held - 8 * LEN, held - LEN);
	held = port_pool(0, PARQ_SW_POOL_PORT_USED);
	assert_true(station[0].xoff);
	pause_station(5, 0);
	for (start = now(); station[0].xoff; ) {
		parqsim_run(sim, now() + US);
		assert_true(now() - start < refresh);
	}
	assert_int_equal(port_pool(0, PARQ_SW_POOL_PORT_USED), held);
	pause_station(4, 0);
	parqsim_run(sim, now() + SETTLE_PS * SENDERS);
	for (port = 0; port < 4; port++)
		assert_int_equal(stat(port, PARQ_SW_RX_NO_ROOM), 0);
	end_pool();
}

/* ---- what ports give ----------------------------------------------------- */

static void what_is_in_use_cannot_be_taken_back(void **state)
{
	u32 room, used, port;

	(void)state;
	begin_pool(2, DYNAMIC(PARQ_SW_POOL_ALPHA_MAX), true);
	room = of_pool(PARQ_SW_POOL_ROOM);
	pause_station(1, 0xffff);
	send_until_paused(0, 1, 1);
	used = of_pool(PARQ_SW_POOL_USED);
	assert_in_range(used, PARQSIM_RX_BUFFER_MIN, room);
	own_memory(1, RESERVED, HEADROOM + room - used + 1);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(sim, PARQ_ERR)), PARQ_ERR_STATE);
	parqsim_write(sim, PARQ_ERR, 0);
	assert_int_equal(of_pool(PARQ_SW_POOL_ROOM), room);
	own_memory(1, RESERVED, HEADROOM + room - used);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
	assert_int_equal(of_pool(PARQ_SW_POOL_ROOM), used);
	/* The highest level of a port begins again when it is told to. */
	assert_int_equal(port_pool(0, PARQ_SW_POOL_HIGH), used);
	pause_station(1, 0);
	parqsim_run(sim, now() + SETTLE_PS * SENDERS);
	assert_int_equal(port_pool(0, PARQ_SW_POOL_HIGH), used);
	parqsim_write(sim, sw(PARQ_SW_PORT(0) + PARQ_SW_POOL_HIGH), 4711);
	assert_int_equal(port_pool(0, PARQ_SW_POOL_HIGH), 0);
	for (port = 0; port < 2; port++)
		assert_int_equal(stat(port, PARQ_SW_RX_NO_ROOM), 0);
	end_pool();
}

/*
 * A buffer of port 1 that holds much is to give its memory to another buffer: what it holds would
 * be the pool's, which has no room for it.
 */
static void what_moves_to_the_pool_must_fit(void **state)
{
	const u32 own = PARQSIM_RX_BUFFER_MIN / 2;
	u32 room, used;

	(void)state;
	begin_pool(3, DYNAMIC(PARQ_SW_POOL_ALPHA_MAX), true);
	set_limit(1, 0);
	own_memory(1, own, HEADROOM);
	room = of_pool(PARQ_SW_POOL_ROOM);
	pause_station(2, 0xffff);
	send_until_paused(0, 2, 2);
	used = of_pool(PARQ_SW_POOL_USED);
	assert_in_range(used, room - own / 2, room);
	wr(1, PARQ_RXB(1) + PARQ_RXB_SIZE, own - RESERVED);
	own_memory(1, RESERVED, HEADROOM);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(sim, PARQ_ERR)), PARQ_ERR_STATE);
	parqsim_write(sim, PARQ_ERR, 0);
	assert_int_equal(of_pool(PARQ_SW_POOL_ROOM), room);
	assert_int_equal(of_pool(PARQ_SW_POOL_USED), used);
	/* Given to the pool, it has room. */
	wr(1, PARQ_RXB(1) + PARQ_RXB_SIZE, 0);
	own_memory(1, RESERVED, HEADROOM);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
	assert_in_range(of_pool(PARQ_SW_POOL_USED), used + 1, of_pool(PARQ_SW_POOL_ROOM));
	pause_station(2, 0);
	parqsim_run(sim, now() + SETTLE_PS * SENDERS);
	assert_int_equal(dropped(), 0);
	end_pool();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares),
		cmocka_unit_test(lossy_share),
		cmocka_unit_test(incast_lossless),
		cmocka_unit_test(incast_lossy),
		cmocka_unit_test(changes_lose_nothing),
		cmocka_unit_test(goes_on_at_the_refresh),
		cmocka_unit_test(what_is_in_use_cannot_be_taken_back),
		cmocka_unit_test(what_moves_to_the_pool_must_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
