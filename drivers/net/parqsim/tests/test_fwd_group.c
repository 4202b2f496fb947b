// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding to groups in a domain that snoops: members, routers, those who are not known, what the
 * host gets, and changes while frames wait. Stations 1 and 2 are members of GROUP.
 */
#include "switch.h"

#define MS	RIG_MS
#define SNOOP	(PARQ_SW_DOMAIN_SNOOP | PARQ_SW_DOMAIN_IPV4 | PARQ_SW_DOMAIN_IPV6)
#define IPV4	0x0800
#define IPV6	0x86dd
#define RX_LOG2	6

/* @a: address of the group. Return: enum parq_fdb_result. */
static u32 set_address(struct fabric *f, u32 vid, const u8 *a, u32 ports, bool host)
{
	switch_write(&f->r, PARQ_SW_MDB_ADDR_LO, a[0] | a[1] << 8 | a[2] << 16 | (u32)a[3] << 24);
	switch_write(&f->r, PARQ_SW_MDB_ADDR_HI, a[4] | a[5] << 8);
	switch_write(&f->r, PARQ_SW_MDB_PORTS_LO, ports);
	switch_write(&f->r, PARQ_SW_MDB_SET, FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_MDB_SET_VID, vid) | (host ? PARQ_SW_MDB_SET_HOST : 0));
	return switch_read(&f->r, PARQ_SW_MDB_RESULT);
}

static u32 set_group(struct fabric *f, u32 vid, u32 station, u32 ports, bool host)
{
	u8 a[6];

	address(a, station);
	return set_address(f, vid, a, ports, host);
}

static void mode(struct fabric *f, u32 val)
{
	switch_write(&f->r, PARQ_SW_DOMAIN(1), val);
}

static u32 completions(struct fabric *f)
{
	return rig_read(&f->r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
}

/* Completions that have been looked at. */
static u32 looked_at;

static void look(struct fabric *f)
{
	looked_at = completions(f);
}

static struct fabric *groups_begin(void)
{
	struct fabric *f = switch_begin();

	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	mode(f, SNOOP);
	assert_int_equal(set_group(f, 0, GROUP, 0x6, false), PARQ_FDB_OK);
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_USED), 1);
	look(f);
	return f;
}

/* Return: 0: the host did not get the last frame; 1: it got a copy; 2: it got the frame alone. */
static u32 at_host(struct fabric *f)
{
	u32 before = looked_at;

	look(f);
	assert_in_range(looked_at - before, 0, 1);
	if (looked_at == before)
		return 0;
	return le32_to_cpu(rig_rx_comp(&f->r, 0, 0, before)->flags) & PARQ_RX_FORWARDED ? 1 : 2;
}

static void send_to(struct fabric *f, u32 to)
{
	send(f, 0, to, 3, 100);
	rig_run(&f->r, MS);
}

/* @da: address of the group; @message: IGMP or MLD type; 0: other data */
static void send_packet(struct fabric *f, const u8 *da, u32 type, u8 message)
{
	u8 data[100] = { 0 }, *ip = data + 14;

	memcpy(data, da, 6);
	data[6] = 2;
	ip[-2] = type >> 8;
	ip[-1] = type & 0xff;
	if (type == IPV4) {
		ip[0] = 0x46;
		ip[9] = message ? 2 : 17;
		ip[24] = message;
	} else {
		ip[0] = 0x60;
		ip[40] = message ? 58 : 17;
		ip[48] = message;
	}
	rig_rx(&f->r, 0, data, sizeof(data));
	rig_run(&f->r, MS);
}

static u64 copies(struct fabric *f)
{
	u64 sum = 0;
	u32 port;

	for (port = 0; port < PORTS; port++)
		sum += stat(f, port, PARQ_SW_TX_FRAMES);
	return sum;
}

/* Frames that the ports have sent, those of send_packet() included. */
static void assert_copies(struct fabric *f, u32 p1, u32 p2, u32 p3)
{
	assert_int_equal(stat(f, 1, PARQ_SW_TX_FRAMES), p1);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_FRAMES), p2);
	assert_int_equal(stat(f, 3, PARQ_SW_TX_FRAMES), p3);
}

/* ---- who gets it -------------------------------------------------------- */

static void members_and_routers(void **state)
{
	struct fabric *f = groups_begin();

	(void)state;
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 1, 0);
	assert_int_equal(at_host(f), 0);
	/* Without MCAST_FLOOD, too. */
	join(f, 1, JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD);
	join(f, 3, JOINED | PARQ_SW_CTRL_ROUTER);
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 1, 1);
	set_group(f, 0, GROUP, 0x1, true);
	send_to(f, GROUP);
	assert_sent(f, 0, 0, 0, 1);
	assert_int_equal(at_host(f), 1);
	mode(f, SNOOP | PARQ_SW_DOMAIN_HOST);
	set_group(f, 0, GROUP, 0x2, false);
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 0, 1);
	assert_int_equal(at_host(f), 1);
	/* Members that do not forward, that are isolated, that are elsewhere. */
	set_group(f, 0, GROUP, 0xe, false);
	join(f, 0, JOINED | PARQ_SW_CTRL_ISOLATED);
	join(f, 1, JOINED & ~PARQ_SW_CTRL_STATE);
	join(f, 2, JOINED | PARQ_SW_CTRL_ISOLATED);
	join(f, 3, 0);
	send_to(f, GROUP);
	assert_sent(f, 0, 0, 0, 0);
	fabric_fini(f);
}

static void groups_without_entry(void **state)
{
	struct fabric *f = groups_begin();

	(void)state;
	join(f, 1, JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD);
	join(f, 3, (JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD) | PARQ_SW_CTRL_ROUTER);
	/* IP: routers alone. */
	send_to(f, GROUP + 1);
	assert_sent(f, 0, 0, 0, 1);
	assert_int_equal(at_host(f), 0);
	mode(f, SNOOP | PARQ_SW_DOMAIN_HOST);
	send_to(f, GROUP + 1);
	assert_sent(f, 0, 0, 0, 1);
	assert_int_equal(at_host(f), 1);
	mode(f, SNOOP);
	/* Others: MCAST_FLOOD. */
	send_to(f, GROUP + 3);
	assert_sent(f, 0, 0, 1, 0);
	assert_int_equal(at_host(f), 1);
	/* No place for some: to all. */
	mode(f, SNOOP | PARQ_SW_DOMAIN_FLOOD);
	send_to(f, GROUP + 1);
	send_to(f, GROUP + 3);
	assert_sent(f, 0, 2, 2, 2);
	look(f);
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 1, 1);
	fabric_fini(f);
}

/* Nobody asks, so the entries of IP groups do not count; those of other groups do. */
static void without_querier(void **state)
{
	struct fabric *f = groups_begin();

	(void)state;
	mode(f, PARQ_SW_DOMAIN_SNOOP | PARQ_SW_DOMAIN_IPV6);
	assert_int_equal(set_group(f, 0, GROUP + 3, 0x8, false), PARQ_FDB_OK);
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 1, 1);
	assert_int_equal(at_host(f), 1);
	send_to(f, GROUP + 3);
	assert_sent(f, 0, 0, 0, 1);
	assert_int_equal(at_host(f), 0);
	/* Nor those of any group in a domain that does not snoop. */
	mode(f, 0);
	send_to(f, GROUP + 3);
	assert_sent(f, 0, 1, 1, 1);
	assert_int_equal(at_host(f), 1);
	fabric_fini(f);
}

/*
 * 233.0.0.1 has the address of 224.0.0.1, where queries go, and ff0e::1 that of all nodes: who
 * joins one of these must not cut off those who need not join the other.
 */
static void members_of_what_all_get(void **state)
{
	static const u8 local[] = { 1, 0, 0x5e, 0, 0, 1 }, nodes[] = { 0x33, 0x33, 0, 0, 0, 1 };
	struct fabric *f = groups_begin();

	(void)state;
	assert_int_equal(set_address(f, 0, local, 0x2, false), PARQ_FDB_OK);
	assert_int_equal(set_address(f, 0, nodes, 0x2, false), PARQ_FDB_OK);
	send_packet(f, local, IPV4, 0);
	assert_copies(f, 1, 1, 1);
	assert_int_equal(at_host(f), 1);
	send_packet(f, local, IPV4, 0x11);
	assert_copies(f, 2, 2, 2);
	send_packet(f, nodes, IPV6, 0);
	assert_copies(f, 3, 3, 3);
	/* Members and routers without MCAST_FLOOD get what they have joined; others do not. */
	join(f, 1, JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD);
	join(f, 2, JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD);
	join(f, 3, (JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD) | PARQ_SW_CTRL_ROUTER);
	send_packet(f, local, IPV4, 0);
	assert_copies(f, 4, 3, 4);
	/* No place for another group: that changes nothing for one that has an entry. */
	mode(f, SNOOP | PARQ_SW_DOMAIN_FLOOD);
	send_packet(f, nodes, IPV6, 0);
	assert_copies(f, 5, 3, 5);
	fabric_fini(f);
}

static void messages(void **state)
{
	static const u8 local[] = { 1, 0, 0x5e, 0, 0, 22 }, data[] = { 1, 0, 0x5e, 1, 2, 3 },
			nodes[] = { 0x33, 0x33, 0, 0, 0, 1 },
			snoopers[] = { 0x33, 0x33, 0, 0, 0, 22 };
	struct fabric *f = groups_begin();

	(void)state;
	/* Reports, and a leave. */
	send_packet(f, local, IPV4, 0x22);
	assert_int_equal(at_host(f), 2);
	send_packet(f, data, IPV4, 0x16);
	assert_int_equal(at_host(f), 2);
	send_packet(f, snoopers, IPV6, 143);
	assert_int_equal(at_host(f), 2);
	assert_int_equal(copies(f), 0);
	/* Queries: general, and of a group without an entry. */
	send_packet(f, local, IPV4, 0x11);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(copies(f), 3);
	send_packet(f, data, IPV4, 0x11);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(copies(f), 6);
	send_packet(f, nodes, IPV6, 130);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(copies(f), 9);
	/* Groups that nobody has to join. */
	send_packet(f, local, IPV4, 0);
	send_packet(f, nodes, IPV6, 0);
	assert_int_equal(copies(f), 15);
	look(f);
	send_packet(f, data, IPV4, 0);
	send_packet(f, snoopers, IPV6, 0);
	assert_int_equal(copies(f), 15);
	/* A domain that does not snoop. */
	mode(f, 0);
	send_packet(f, local, IPV4, 0x22);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(copies(f), 18);
	fabric_fini(f);
}

/* ---- VLANs -------------------------------------------------------------- */

static void set_vlan(struct fabric *f, u32 ports, bool host)
{
	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, ports);
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, 1) | (host ? PARQ_SW_VLAN_SET_HOST : 0));
}

static void by_vlan(void **state)
{
	static const u8 local[] = { 1, 0, 0x5e, 0, 0, 22 };
	struct fabric *f = groups_begin();

	(void)state;
	mode(f, SNOOP | PARQ_SW_DOMAIN_VLAN | PARQ_SW_DOMAIN_HOST);
	assert_int_equal(set_group(f, 1, GROUP, 0xe, true), PARQ_FDB_NONE);
	set_vlan(f, 0x7, false);
	switch_write(&f->r, PARQ_SW_PORT(0) + PARQ_SW_PVID, 1);
	assert_int_equal(set_group(f, 1, GROUP, 0xa, true), PARQ_FDB_OK);
	/* Port 3 is not a member of the VLAN, nor is the host. Port 2 is no member of the group. */
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 0, 0);
	assert_int_equal(at_host(f), 0);
	/* Reports reach it all the same. */
	send_packet(f, local, IPV4, 0x22);
	assert_int_equal(at_host(f), 2);
	send_packet(f, local, IPV4, 0x11);
	assert_int_equal(at_host(f), 1);
	set_vlan(f, 0x7, true);
	send_to(f, GROUP);
	assert_sent(f, 0, 1, 0, 0);
	assert_int_equal(at_host(f), 1);
	/* A VLAN that ends takes its groups along. */
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_USED), 2);
	set_vlan(f, 0, false);
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_USED), 1);
	fabric_fini(f);
}

/* ---- limits and changes ------------------------------------------------- */

static void full(void **state)
{
	struct fabric *f = groups_begin();
	u32 i, size = switch_read(&f->r, PARQ_SW_MDB_SIZE);

	(void)state;
	switch_write(&f->r, PARQ_SW_MDB_ADDR_LO, 1);
	for (i = 1; i <= size; i++) {
		switch_write(&f->r, PARQ_SW_MDB_ADDR_HI, i);
		switch_write(&f->r, PARQ_SW_MDB_SET, FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, 2) |
			     PARQ_SW_MDB_SET_HOST);
		assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_RESULT),
				 i < size ? PARQ_FDB_OK : PARQ_FDB_FULL);
	}
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_USED), size);
	/* What is there can be changed. */
	assert_int_equal(set_group(f, 0, GROUP, 0x8, false), PARQ_FDB_OK);
	send_to(f, GROUP);
	assert_sent(f, 0, 0, 0, 1);
	assert_int_equal(set_group(f, 0, GROUP, 0, false), PARQ_FDB_OK);
	assert_int_equal(switch_read(&f->r, PARQ_SW_MDB_USED), size - 1);
	fabric_fini(f);
}

/* A member that stays gets each frame once, in order, whatever others do. */
static void changes_lose_nothing(void **state)
{
	struct fabric *f = groups_begin();
	u32 i;

	(void)state;
	for (i = 0; i < 40; i++) {
		rig_pause(&f->r, 1, BIT(3), i % 8 ? 0xffff : 0);
		send(f, 0, GROUP, 3, 100);
		set_group(f, 0, GROUP, i & 1 ? 0x2 : 0xe, i & 2);
		rig_run(&f->r, MS / 10);
	}
	/* The last member leaves while frames wait for it. */
	set_group(f, 0, GROUP, 0, false);
	rig_pause(&f->r, 1, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_int_equal(f->sent[1], 40);
	assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_PURGE), 0);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_routers),
		cmocka_unit_test(groups_without_entry),
		cmocka_unit_test(without_querier),
		cmocka_unit_test(members_of_what_all_get),
		cmocka_unit_test(messages),
		cmocka_unit_test(by_vlan),
		cmocka_unit_test(full),
		cmocka_unit_test(changes_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
