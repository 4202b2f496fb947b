// SPDX-License-Identifier: GPL-2.0
/*
 * The watchdog of a switch: a port that is paused for too long takes no more frames, and nobody
 * else pays for it. Then a hundred rounds of everything that keeps a port from sending what
 * waits for it: in the end all memory is free, the senders may go on, and each frame was sent or
 * counted.
 */
#include "switch.h"

#define MS	RIG_MS
#define US	RIG_US
#define LIMIT	1	/* ms */
#define RESTORE	2	/* ms */
#define ROUNDS	100
#define XOFF	16000
#define XON	8000
#define LEN	1000

/* Priority 3 is lossless at all ports, station 2 pauses it, and the sender is paused. */
static struct fabric *begin(void)
{
	struct fabric *f = switch_begin();
	u32 port;

	for (port = 0; port < PORTS; port++) {
		rig_rxb(&f->r, port, 0, PARQSIM_RX_BUFFER_MIN, XOFF, XON);
		rig_rxb_apply(&f->r, port, 0);
	}
	meet(f);
	return f;
}

static void watch(struct fabric *f, u32 port, bool forward)
{
	rig_storm(&f->r, port, LIMIT, forward);
	rig_restore(&f->r, port, RESTORE);
}

/* Station 0 sends until it is paused, to a station that pauses. Return: how many frames. */
static u32 fill(struct fabric *f, u32 to)
{
	u32 n;

	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (n = 0; !(f->xoff[0] & BIT(3)); n++) {
		send(f, 0, to, 3, LEN);
		rig_run(&f->r, US);
	}
	return n;
}

static bool storms(struct fabric *f, u32 port)
{
	return rig_levels(&f->r, port, 3) & PARQ_LEVELS_STORM;
}

static u64 dropped(struct fabric *f)
{
	return stat(f, 2, PARQ_SW_TX_DROP_STORM);
}

/* The storm of port 2 has begun. Return: the frames that it has dropped. */
static u32 begin_storm(struct fabric *f)
{
	u32 n;

	watch(f, 2, false);
	n = fill(f, 2);
	rig_run(&f->r, LIMIT * MS);
	assert_true(storms(f, 2));
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(f->xoff[0], 0);
	assert_int_equal(dropped(f), n);
	return n;
}

/* ---- what a storm does --------------------------------------------------- */

/* What comes later is never stored. All counters tell. */
static void dropped_at_admission(void **state)
{
	struct fabric *f = begin();
	const struct parq_stats *s;
	u32 n = begin_storm(f), i;

	(void)state;
	for (i = 0; i < 50; i++) {
		send(f, 0, 2, 3, LEN);
		assert_int_equal(stored(f, 0), 0);
	}
	assert_int_equal(dropped(f), n + 50);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_FRAMES), n + 1);
	s = rig_stats(&f->r, 2);
	assert_int_equal(le64_to_cpu(s->tx_drop_storm), n + 50);
	assert_int_equal(le64_to_cpu(s->prio[3].tx_drop), n + 50);
	assert_int_equal(le64_to_cpu(s->prio[3].rx_pause_storm), 1);
	/* The pause is over, the storm is not yet. */
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, RESTORE * MS - 1);
	send(f, 0, 2, 3, LEN);
	assert_int_equal(dropped(f), n + 51);
	rig_run(&f->r, 1);
	send(f, 0, 2, 3, LEN);
	assert_true(stored(f, 0));
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 1, 0);
	fabric_fini(f);
}

/* Other ports, other priorities, the other members of a flood, and what the port receives. */
static void nobody_else(void **state)
{
	struct fabric *f = begin();
	u32 n = begin_storm(f);

	(void)state;
	send(f, 0, 1, 3, LEN);
	send(f, 0, 2, 4, LEN);
	send(f, 0, EVERYBODY, 3, LEN);
	send(f, 2, 0, 3, LEN);
	rig_run(&f->r, MS / 2);
	assert_sent(f, 1, 2, 1, 1);
	assert_int_equal(dropped(f), n + 1);
	/* Its sender is paused as ever. */
	rig_pause(&f->r, 1, BIT(3), 0xffff);
	for (n = 0; n < XOFF / LEN + 1; n++)
		send(f, 2, 1, 3, LEN);
	rig_run(&f->r, 10 * US);
	assert_int_equal(f->xoff[2], BIT(3));
	assert_int_equal(f->xoff[0], 0);
	rig_pause(&f->r, 1, BIT(3), 0);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_sent(f, 0, n, 0, 0);
	fabric_fini(f);
}

/* In a domain that forwards by VLAN, too. */
static void in_a_vlan(void **state)
{
	struct fabric *f = begin();
	u32 n, port;

	(void)state;
	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, BIT(PORTS) - 1);
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, 1));
	for (port = 0; port < PORTS; port++)
		switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_PVID, 1);
	switch_write(&f->r, PARQ_SW_DOMAIN(1), PARQ_SW_DOMAIN_VLAN);
	meet(f);
	n = begin_storm(f);
	send(f, 0, 2, 3, LEN);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(dropped(f), n + 1);
	fabric_fini(f);
}

static void forwarded(void **state)
{
	struct fabric *f = begin();
	u32 n;

	(void)state;
	watch(f, 2, true);
	f->r.port[2].cls[3].pause_until = 0;
	n = fill(f, 2);
	rig_run(&f->r, LIMIT * MS - n * US - 10 * US);
	/* switch.h hears frames of a pause that is not obeyed. */
	f->r.wire = NULL;
	rig_run(&f->r, MS);
	send(f, 0, 2, 3, LEN);
	rig_run(&f->r, MS);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_FRAMES), n + 1 + PORTS - 1);
	assert_int_equal(dropped(f), 0);
	fabric_fini(f);
}

/* ---- a hundred rounds ---------------------------------------------------- */

static void up_again(struct fabric *f)
{
	rig_port_up(&f->r, 2, true);
	rig_pfc(&f->r, 2, 0xff, true);
	rig_write(&f->r, 2, PARQ_FC_CTRL, BIT(3));
}

static void pauses_for_ever(struct fabric *f)
{
	rig_run(&f->r, LIMIT * MS);
	assert_true(storms(f, 2));
}

static void pulled(struct fabric *f)
{
	const struct parqsim_partner none = { .present = false };
	struct parqsim_partner self;

	parqsim_link_self(f->r.sim, 2, &self);
	parqsim_link(f->r.sim, 2, &none);
	self.present = true;
	rig_run(&f->r, MS);
	parqsim_link(f->r.sim, 2, &self);
}

static void goes_down(struct fabric *f)
{
	rig_write(&f->r, 2, PARQ_PORT_CTRL, 0);
	rig_run(&f->r, MS);
	up_again(f);
}

static void leaves(struct fabric *f)
{
	join(f, 2, 0);
	rig_run(&f->r, MS);
}

static void blocks(struct fabric *f)
{
	join(f, 2, JOINED & ~PARQ_SW_CTRL_STATE);
	rig_run(&f->r, MS);
}

/**
 * struct round - what happens while frames wait for port 2
 * @to: they are sent to this station
 * @act: happens
 * @reason: counts what was not sent
 */
struct round {
	u32 to;
	void (*act)(struct fabric *f);
	enum parq_sw_stat reason;
};

/* Some frames are under way when the pause comes. Return: all frames of round @i. */
static u32 fill_round(struct fabric *f, u32 to, u32 i)
{
	u32 n;

	for (n = 0; n < i % 20; n++)
		send(f, 0, to, 3, LEN + i);
	rig_run(&f->r, 2 * US);
	return n + fill(f, to);
}

static u32 parked(struct fabric *f)
{
	return f->r.sim->qmi.port[2].cls[3].transit.count;
}

static u64 copies(struct fabric *f, enum parq_sw_stat n)
{
	u64 sum = 0;
	u32 port;

	for (port = 0; port < PORTS; port++)
		sum += stat(f, port, n);
	return sum;
}

static void rounds(void **state)
{
	const struct round *round = *state;
	u32 each = round->to == EVERYBODY ? PORTS - 1 : 1, some = 0, i, n;
	struct fabric *f = begin();
	u64 all, most, used = f->r.used;

	if (round->act == pauses_for_ever)
		watch(f, 2, false);
	for (i = 0; i < ROUNDS; i++) {
		all = copies(f, PARQ_SW_TX_FRAMES);
		most = stat(f, 2, round->reason);
		n = fill_round(f, round->to, i);
		assert_true(stored(f, 0) > XON);
		some += !!parked(f);
		/* A port that comes up again has its old memory. */
		f->r.used = used;
		round->act(f);
		rig_run(&f->r, 100 * US);
		assert_int_equal(stored(f, 0), 0);
		assert_int_equal(f->xoff[0], 0);
		all = copies(f, PARQ_SW_TX_FRAMES) - all;
		assert_int_equal(all + stat(f, 2, round->reason) - most, (u64)n * each);
		assert_true(stat(f, 2, round->reason) > most);
		/* The class works for the next round. */
		rig_pause(&f->r, 2, BIT(3), 0);
		f->r.port[2].cls[3].pause_until = 0;
		rig_run(&f->r, RESTORE * MS);
		join(f, 2, JOINED);
		send(f, 2, EVERYBODY, 0, 64);
		send(f, 0, 2, 3, 64);
		rig_run(&f->r, MS);
	}
	assert_true(some > ROUNDS / 2);
	assert_int_equal(copies(f, PARQ_SW_RX_NO_ROOM) + copies(f, PARQ_SW_TX_DROP_FULL), 0);
	fabric_fini(f);
}

/* A reset has no time to count. No frame of before comes later, and nothing is lost of the pool. */
static void reset_rounds(void **state)
{
	struct fabric *f = begin();
	u32 some = 0, i, port;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		fill_round(f, 2, i);
		some += !!parked(f);
		parqsim_reset(f->r.sim);
		assert_int_equal(f->r.sim->transit.fresh, 0);
		f->r.used = 0;
		rig_start(&f->r, SPEED, true);
		memset(f->next, 0, sizeof(f->next));
		memset(f->seen, 0, sizeof(f->seen));
		memset(f->xoff, 0, sizeof(f->xoff));
		for (port = 0; port < PORTS; port++) {
			assert_int_equal(stored(f, port), 0);
			rig_pfc(&f->r, port, 0xff, true);
			rig_write(&f->r, port, PARQ_FC_CTRL, BIT(3));
			rig_rxb(&f->r, port, 0, PARQSIM_RX_BUFFER_MIN, XOFF, XON);
			rig_rxb_apply(&f->r, port, 0);
			join(f, port, JOINED);
		}
		meet(f);
		send(f, 0, 2, 3, LEN);
		rig_run(&f->r, MS);
		assert_sent(f, 0, 0, 1, 0);
	}
	assert_true(some > ROUNDS / 2);
	fabric_fini(f);
}

#define ROUNDS_OF(to, act, reason) \
	{ #act, rounds, NULL, NULL, &(struct round){ to, act, PARQ_SW_TX_DROP_ ## reason } }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dropped_at_admission),
		cmocka_unit_test(nobody_else),
		cmocka_unit_test(in_a_vlan),
		cmocka_unit_test(forwarded),
		ROUNDS_OF(2, pauses_for_ever, STORM),
		ROUNDS_OF(EVERYBODY, pauses_for_ever, STORM),
		ROUNDS_OF(2, pulled, LINK),
		ROUNDS_OF(EVERYBODY, pulled, LINK),
		ROUNDS_OF(2, goes_down, LINK),
		ROUNDS_OF(2, leaves, PURGE),
		ROUNDS_OF(2, blocks, PURGE),
		cmocka_unit_test(reset_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
