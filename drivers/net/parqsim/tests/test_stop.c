// SPDX-License-Identifier: GPL-2.0
/*
 * A port of a switch stops while it is full: two stations fill their receive buffers with frames
 * for it, until they are paused, and some frames are parked. However it stops, a hundred times
 * each: all cells are free, nobody stays paused, and each frame was sent or is counted by the
 * reason.
 */
#include <stdlib.h>

#include "rnd.h"
#include "switch.h"

#define ROUNDS	100
#define PRIO	3
#define OUT	2	/* the port that stops */
#define XOFF	20000
#define XON	10000

/**
 * struct way - a way to stop a port
 * @stop: stops OUT
 * @go: starts it again
 * @reason: counter of the frames that were dropped
 */
struct way {
	void (*stop)(struct fabric *f);
	void (*go)(struct fabric *f);
	enum parq_sw_stat reason;
};

static struct parqsim_partner partner;
static u64 used;	/* memory of the host when all ports were up */

/* ---- ways to stop -------------------------------------------------------- */

static void pull(struct fabric *f)
{
	const struct parqsim_partner none = { .present = false };

	parqsim_link_self(f->r.sim, OUT, &partner);
	parqsim_link(f->r.sim, OUT, &none);
}

static void plug(struct fabric *f)
{
	partner.present = true;
	parqsim_link(f->r.sim, OUT, &partner);
}

static void leave(struct fabric *f)
{
	join(f, OUT, 0);
}

static void block(struct fabric *f)
{
	join(f, OUT, JOINED & ~PARQ_SW_CTRL_STATE);
}

static void forward(struct fabric *f)
{
	join(f, OUT, JOINED);
}

static void disable(struct fabric *f)
{
	rig_write(&f->r, OUT, PARQ_PORT_CTRL, 0);
}

static void enable(struct fabric *f)
{
	f->r.used = used;
	rig_port_up(&f->r, OUT, true);
	rig_pfc(&f->r, OUT, 0xff, true);
	rig_write(&f->r, OUT, PARQ_FC_CTRL, BIT(PRIO));
	join(f, OUT, JOINED);
}

/* ---- rounds -------------------------------------------------------------- */

static void set_up(struct fabric *f)
{
	u32 port;

	for (port = 0; port < PORTS; port++) {
		rig_pfc(&f->r, port, 0xff, true);
		rig_write(&f->r, port, PARQ_FC_CTRL, BIT(PRIO));
		rig_rxb(&f->r, port, 0, PARQSIM_RX_BUFFER_MIN, XOFF, XON);
		rig_rxb_apply(&f->r, port, 0);
		join(f, port, JOINED);
	}
	used = f->r.used;
	meet(f);
}

/* Return: frames for OUT. It sends some, and is then paused, at a random time. */
static u32 fill(struct fabric *f, u32 *seed)
{
	u32 until = rnd(seed, 30), n = 0, port;

	while (!f->xoff[0] || !f->xoff[1]) {
		if (n >= until)
			rig_pause(&f->r, OUT, BIT(PRIO), 0xffff);
		for (port = 0; port < 2; port++) {
			if (f->xoff[port])
				continue;
			send(f, port, OUT, PRIO, 64 + rnd(seed, 1400));
			n++;
		}
		rig_run(&f->r, rnd(seed, 2000) * RIG_NS);
	}
	return n;
}

static u32 parked(struct fabric *f)
{
	return f->r.sim->qmi.port[OUT].cls[PRIO].transit.count;
}

static void assert_empty(struct fabric *f)
{
	const struct transit *t = &f->r.sim->transit;
	u32 port, i, n = 0;

	for (port = 0; port < PORTS; port++) {
		assert_int_equal(stored(f, port), 0);
		assert_int_equal(f->r.sim->fwd.port[port].egress.queued[PRIO], 0);
	}
	for (i = t->free; i != TRANSIT_NONE; i = t->desc[i].next)
		n++;
	assert_int_equal(n, t->fresh);
	assert_int_equal(f->xoff[0] | f->xoff[1], 0);
}

static void assert_works(struct fabric *f)
{
	f->r.port[OUT].cls[PRIO].pause_until = 0;
	rig_pause(&f->r, OUT, BIT(PRIO), 0);
	memset(f->sent, 0, sizeof(f->sent));
	send(f, 0, EVERYBODY, PRIO, 100);
	send(f, OUT, 0, PRIO, 100);
	rig_run(&f->r, RIG_MS);
	assert_sent(f, 1, 1, 1, 1);
}

/* Frames of @reason, and of no other. */
static u64 counted(struct fabric *f, enum parq_sw_stat reason)
{
	u64 n = stat(f, OUT, reason);
	u32 i, port;

	for (i = PARQ_SW_TX_DROP_LONG; i <= PARQ_SW_TX_DROP_FULL; i++)
		assert_true(i == reason || !stat(f, OUT, i));
	for (port = 0; port < PORTS; port++)
		assert_int_equal(stat(f, port, PARQ_SW_RX_NO_ROOM), 0);
	return n;
}

static void stops(const struct way *way)
{
	struct fabric *f = switch_begin();
	u32 seed = 4711, round, n, with_parked = 0;
	u64 before;

	set_up(f);
	for (round = 0; round < ROUNDS; round++) {
		memset(f->sent, 0, sizeof(f->sent));
		before = counted(f, way->reason);
		n = fill(f, &seed);
		with_parked += parked(f) > 0;
		way->stop(f);
		rig_run(&f->r, RIG_MS);
		assert_empty(f);
		assert_int_equal(f->sent[OUT] + counted(f, way->reason) - before, n);
		assert_true(counted(f, way->reason) > before);
		way->go(f);
		assert_works(f);
	}
	assert_true(with_parked > ROUNDS / 2);
	fabric_fini(f);
}

static void link_down(void **state)
{
	(void)state;
	stops(&(struct way){ pull, plug, PARQ_SW_TX_DROP_LINK });
}

static void leaves_domain(void **state)
{
	(void)state;
	stops(&(struct way){ leave, forward, PARQ_SW_TX_DROP_PURGE });
}

static void blocks(void **state)
{
	(void)state;
	stops(&(struct way){ block, forward, PARQ_SW_TX_DROP_PURGE });
}

static void port_down(void **state)
{
	(void)state;
	stops(&(struct way){ disable, enable, PARQ_SW_TX_DROP_LINK });
}

/* All ports lose their links, which ends the pauses of the stations. All counters are 0. */
static void reset(void **state)
{
	struct fabric *f = switch_begin();
	u32 seed = 4711, round;

	(void)state;
	set_up(f);
	for (round = 0; round < ROUNDS; round++) {
		fill(f, &seed);
		parqsim_reset(f->r.sim);
		memset(f->xoff, 0, sizeof(f->xoff));
		assert_empty(f);
		f->r.used = 0;
		rig_start(&f->r, SPEED, true);
		memset(f->next, 0, sizeof(f->next));
		memset(f->seen, 0, sizeof(f->seen));
		set_up(f);
		assert_works(f);
	}
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(link_down),
		cmocka_unit_test(leaves_domain),
		cmocka_unit_test(blocks),
		cmocka_unit_test(port_down),
		cmocka_unit_test(reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
