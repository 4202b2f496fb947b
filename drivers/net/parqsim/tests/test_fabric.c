// SPDX-License-Identifier: GPL-2.0
/*
 * Random schedules of a switch with four stations: frames to stations that it knows and does not
 * know, to groups whose members come and go, pauses by the stations, frames of the host, passes
 * that are turned back, ports that leave and return, a domain that begins and ceases to forward
 * by VLAN, or to know the members of groups, storms. Stations obey the pauses of the switch. At
 * each moment: order per flow, nothing from a paused class. In the end: each copy was sent or
 * counted, and no memory is lost.
 *
 *	FABRIC_RUNS=n	schedules to try, the same ones each time
 *	RIG_SEED=n	one schedule
 */
#include "rnd.h"
#include "switch.h"

#define RUNS	300
#define STEPS	400
#define GROUPS	4	/* station number GROUP + n is group n */
#define BUFFER	(PARQSIM_RX_BUFFER_MIN / PARQ_NUM_RXB)

static struct fabric fabric;
static u32 last;	/* seed of the present schedule */
static u64 storms;	/* copies that all storms have cost */

/**
 * struct ledger - what should become of the frames
 * @expected: copies that the switch has accepted
 * @known: BIT(station) that has sent since the last change of its port; without and by VLAN
 * @by_vlan: the domain forwards by VLAN
 * @mode: PARQ_SW_DOMAIN
 * @members: BIT(port) of a group; without and by VLAN
 * @routers: BIT(port) that gets all groups
 * @floods: BIT(port) that gets groups whose members are not known
 * @open: BIT(port) that is in the domain
 * @left: ports have left the domain or lost their link in this schedule
 */
struct ledger {
	u64 expected;
	u32 known[2];
	bool by_vlan;
	u32 mode;
	u32 members[2][GROUPS];
	u32 routers;
	u32 floods;
	u32 open;
	bool left;
};

static u64 total(struct fabric *f, enum parq_sw_stat n)
{
	u64 sum = 0;
	u32 port;

	for (port = 0; port < PORTS; port++)
		sum += stat(f, port, n);
	return sum;
}

/* Group 3 is not of IP: its members are always known. */
static u32 group_ports(const struct ledger *l, u32 n)
{
	u32 members = l->members[l->by_vlan][n];
	bool ip = n < 3, known = !ip || (l->mode & PARQ_SW_DOMAIN_IPV4);

	if (!(l->mode & PARQ_SW_DOMAIN_SNOOP) || !known)
		return l->floods;
	if (members)
		return members | l->routers;
	if (l->mode & PARQ_SW_DOMAIN_FLOOD)
		return ~0U;
	return ip ? l->routers : l->floods;
}

static u32 copies(const struct ledger *l, u32 from, u32 to)
{
	if (to >= GROUP)
		return __builtin_popcount(l->open & ~BIT(from) & group_ports(l, to - GROUP));
	if (to < PORTS && (l->known[l->by_vlan] & BIT(to)))
		return to != from && (l->open & BIT(to));
	return __builtin_popcount(l->open & ~BIT(from));
}

/*
 * A station sends at the speed of its link. A frame is lost as a whole only if its sender ignores a
 * pause.
 */
static void random_frames(struct fabric *f, struct ledger *l, u32 *seed)
{
	u32 port = rnd(seed, PORTS), prio = rnd(seed, PARQ_NUM_PRIO), n = rnd(seed, 20);
	u32 to = rnd(seed, 3) ? rnd(seed, PORTS) :
		 rnd(seed, 3) ? GROUP + rnd(seed, GROUPS) : EVERYBODY;
	u32 len;
	u64 lost;

	for (; n && !(f->xoff[port] & BIT(prio)); n--) {
		lost = stat(f, port, PARQ_SW_RX_NO_ROOM);
		len = 64 + rnd(seed, 1400);
		send(f, port, to, prio, len);
		rig_run(&f->r, (u64)(len + 24) * f->r.port[port].byte_ps);
		assert_int_equal(stat(f, port, PARQ_SW_RX_NO_ROOM), lost);
		if (!(l->open & BIT(port)))
			continue;
		l->known[l->by_vlan] |= BIT(port);
		l->expected += copies(l, port, to);
	}
}

/* How a port is in the domain. */
static u32 joined(const struct ledger *l, u32 port)
{
	return (JOINED & ~(l->floods & BIT(port) ? 0 : PARQ_SW_CTRL_MCAST_FLOOD)) |
	       (l->routers & BIT(port) ? PARQ_SW_CTRL_ROUTER : 0);
}

static void set_mode(struct fabric *f, struct ledger *l, u32 mode)
{
	l->mode = mode;
	l->by_vlan = mode & PARQ_SW_DOMAIN_VLAN;
	switch_write(&f->r, PARQ_SW_DOMAIN(1), mode);
}

static void set_group(struct fabric *f, struct ledger *l, u32 n, u32 members)
{
	u8 addr[6];

	l->members[l->by_vlan][n] = members;
	address(addr, GROUP + n);
	switch_write(&f->r, PARQ_SW_MDB_ADDR_LO,
		     addr[0] | addr[1] << 8 | addr[2] << 16 | (u32)addr[3] << 24);
	switch_write(&f->r, PARQ_SW_MDB_ADDR_HI, addr[4] | addr[5] << 8);
	switch_write(&f->r, PARQ_SW_MDB_PORTS_LO, members);
	switch_write(&f->r, PARQ_SW_MDB_SET, FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_MDB_SET_VID, l->by_vlan));
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_RESULT), PARQ_FDB_OK);
}

/* Members come and go, or what else decides who gets the frames of a group. */
static void random_groups(struct fabric *f, struct ledger *l, u32 *seed)
{
	u32 port = rnd(seed, PORTS);

	switch (rnd(seed, 8)) {
	case 0:
		l->routers ^= BIT(port);
		break;
	case 1:
		l->floods ^= BIT(port);
		break;
	case 2:
		set_mode(f, l, l->mode ^ BIT(1 + rnd(seed, 5)));
		return;
	default:
		set_group(f, l, rnd(seed, GROUPS), rnd(seed, 4) ? rnd(seed, BIT(PORTS)) : 0);
		return;
	}
	if (l->open & BIT(port))
		join(f, port, joined(l, port));
}

static void random_membership(struct fabric *f, struct ledger *l, u32 *seed)
{
	u32 port = rnd(seed, PORTS);

	if (!(l->open & BIT(port))) {
		join(f, port, joined(l, port));
		l->open |= BIT(port);
		return;
	}
	join(f, port, rnd(seed, 2) ? 0 : JOINED & ~PARQ_SW_CTRL_STATE);
	/* A port that leaves takes its addresses along. */
	if (!switch_read(&f->r, PARQ_SW_PORT(port) + PARQ_SW_CTRL)) {
		l->known[0] &= ~BIT(port);
		l->known[1] &= ~BIT(port);
	}
	l->open &= ~BIT(port);
}

/* All frames are of VLAN 1. Those without a VID get that one. */
static void one_vlan(struct fabric *f)
{
	u32 port;

	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, BIT(PORTS) - 1);
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, 1));
	for (port = 0; port < PORTS; port++)
		switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_PVID, 1);
}

/* A watchdog, or a pause that it may find too long. */
static void random_storm(struct fabric *f, u32 *seed)
{
	u32 port = rnd(seed, PORTS);

	switch (rnd(seed, 4)) {
	case 0:
		rig_storm(&f->r, port, rnd(seed, 3), false);
		break;
	case 1:
		rig_restore(&f->r, port, rnd(seed, 3));
		break;
	default:
		rig_pause(&f->r, port, rnd(seed, 256), 0xffff);
		rig_run(&f->r, rnd(seed, 1500) * RIG_US);
		break;
	}
}

static void random_step(struct fabric *f, struct ledger *l, u32 *seed)
{
	u32 port = rnd(seed, PORTS), queue = rnd(seed, RIG_QUEUES);

	switch (rnd(seed, 24)) {
	case 0 ... 9:
		random_frames(f, l, seed);
		break;
	case 10 ... 13:
		rig_pause(&f->r, port, rnd(seed, 256), rnd(seed, 3) ? rnd(seed, 2000) : 0);
		break;
	case 14 ... 15:
		if (rig_room(&f->r, port, queue) >= 2)
			rig_post(&f->r, port, queue, 60 + rnd(seed, 1400));
		break;
	case 16:
		if (!rnd(seed, 4))
			random_membership(f, l, seed);
		if (!rnd(seed, 4))
			set_mode(f, l, l->mode ^ PARQ_SW_DOMAIN_VLAN);
		break;
	case 17:
		random_groups(f, l, seed);
		break;
	case 18:
		random_storm(f, seed);
		break;
	default:
		rig_run(&f->r, rnd(seed, 8000) * RIG_NS);
		break;
	}
}

static void lossless_ports(struct fabric *f)
{
	u32 port, i;

	for (port = 0; port < PORTS; port++) {
		for (i = 0; i < PARQ_NUM_RXB; i++)
			rig_rxb(&f->r, port, i, BUFFER, BUFFER / 2, BUFFER / 4);
		rig_rxb_apply(&f->r, port, 0x76543210);
		rig_write(&f->r, port, PARQ_FC_CTRL, 0xff);
	}
}

static bool buffered(struct fabric *f)
{
	u32 port, used = 0;

	for (port = 0; port < PORTS; port++)
		used |= f->r.sim->rxbuf.port[port].used;
	return used;
}

static void settle(struct fabric *f)
{
	u32 port, i;

	for (port = 0; port < PORTS; port++)
		rig_pause(&f->r, port, 0xff, 0);
	for (i = 0; i < 100 && buffered(f); i++)
		rig_run(&f->r, RIG_MS / 10);
	rig_run(&f->r, RIG_MS);
}

static void schedule(u32 seed)
{
	struct ledger l = { .open = BIT(PORTS) - 1, .floods = BIT(PORTS) - 1 };
	struct parqsim_config cfg = switch_config;
	struct fabric *f = &fabric;
	u32 i, sent = 0;

	last = seed;
	cfg.depth = 4 + rnd(&seed, 60);
	cfg.fetch_ns = rnd(&seed, 2) ? RIG_FETCH_NS : rnd(&seed, 2000);
	fabric_init(f, &cfg, rnd(&seed, 2));
	f->r.most = rnd(&seed, 2) ? 0 : 1 + rnd(&seed, 20);
	lossless_ports(f);
	one_vlan(f);
	for (i = 0; i < STEPS; i++)
		random_step(f, &l, &seed);
	settle(f);
	for (i = 0; i < PORTS; i++) {
		sent += f->sent[i];
		assert_int_equal(f->xoff[i], 0);
	}
	assert_int_equal(total(f, PARQ_SW_TX_FRAMES), sent);
	storms += total(f, PARQ_SW_TX_DROP_STORM);
	assert_int_equal(sent + total(f, PARQ_SW_TX_DROP_PURGE) + total(f, PARQ_SW_TX_DROP_FULL) +
			 total(f, PARQ_SW_TX_DROP_STORM), l.expected);
	fabric_fini(f);
}

static void random_schedules(void **state)
{
	u32 one = number("RIG_SEED", 0), runs = number("FABRIC_RUNS", RUNS), i;

	(void)state;
	if (one) {
		schedule(one);
		return;
	}
	for (i = 1; i <= runs; i++)
		schedule(i * 2654435761u);
	assert_true(storms > runs);
}

/* After a failure: how to repeat it. */
static int say_seed(void **state)
{
	(void)state;
	print_message("# last schedule: RIG_SEED=%u\n", last);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(random_schedules, say_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
