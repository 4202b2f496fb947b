// SPDX-License-Identifier: GPL-2.0
/* Forwarding between ports: where frames go, and what the host gets. */
#include "switch.h"

#define MS	RIG_MS

/* ---- where to ----------------------------------------------------------- */

static void learns(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	send(f, 0, NOBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 1, 1);
	send(f, 1, 0, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 1, 0, 0, 0);
	/* To itself: its port has the frame. */
	send(f, 1, 1, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);
	assert_int_equal(stat(f, 1, PARQ_SW_RX_NOWHERE), 1);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_FRAMES), 1);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_FRAMES), 1);
	fabric_fini(f);
}

static void floods_where_told(void **state)
{
	struct fabric *f = switch_begin();
	u8 group[64] = { 0x33, 0x33, [6] = 2, [12] = 0x88, 0xb5, [AT_MARK] = MARK };

	(void)state;
	join(f, 1, JOINED & ~PARQ_SW_CTRL_FLOOD);
	join(f, 2, JOINED & ~PARQ_SW_CTRL_BCAST_FLOOD);
	join(f, 3, JOINED & ~PARQ_SW_CTRL_MCAST_FLOOD);
	send(f, 0, NOBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 1, 1);
	send(f, 0, EVERYBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 0, 1);
	f->next[0][0]++;
	group[AT_MARK + 5] = f->next[0][0] - 1;
	rig_rx(&f->r, 0, group, sizeof(group));
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 1, 0);
	fabric_fini(f);
}

static void keeps_to_the_domain(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	join(f, 2, (JOINED & ~PARQ_SW_CTRL_DOMAIN) | FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 2));
	join(f, 3, 0);
	send(f, 0, EVERYBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 1, 0, 0);
	send(f, 2, EVERYBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);
	assert_int_equal(stat(f, 2, PARQ_SW_RX_NOWHERE), 0);
	fabric_fini(f);
}

static void isolated_ports(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	join(f, 0, JOINED | PARQ_SW_CTRL_ISOLATED);
	join(f, 1, JOINED | PARQ_SW_CTRL_ISOLATED);
	send(f, 0, EVERYBODY, 0, 100);
	send(f, 2, EVERYBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 1, 1, 1, 2);
	send(f, 1, 0, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);
	fabric_fini(f);
}

static void states(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	join(f, 0, JOINED & ~PARQ_SW_CTRL_STATE);
	send(f, 0, EVERYBODY, 0, 100);
	send(f, 1, 0, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 1, 1);	/* 0 is unknown, and blocked */
	assert_int_equal(stat(f, 0, PARQ_SW_RX_BLOCKED), 1);
	join(f, 0, (JOINED & ~PARQ_SW_CTRL_STATE) |
		   FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_LEARNING));
	send(f, 0, EVERYBODY, 0, 100);
	send(f, 1, 0, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);	/* known, but its port does not send yet */
	fabric_fini(f);
}

/* ---- the host ----------------------------------------------------------- */

#define RX_LOG2	6

static u32 completions(struct fabric *f, u32 port)
{
	return rig_read(&f->r, port, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
}

static bool forwarded(struct fabric *f, u32 port, u32 pos)
{
	return le32_to_cpu(rig_rx_comp(&f->r, port, 0, pos)->flags) & PARQ_RX_FORWARDED;
}

static void host_gets_groups(void **state)
{
	static const u8 lldp[64] = { 1, 0x80, 0xc2, 0, 0, 0x0e, 2, [12] = 0x88, 0xcc };
	struct fabric *f = switch_begin();

	(void)state;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	send(f, 0, EVERYBODY, 0, 100);
	rig_rx(&f->r, 0, lldp, sizeof(lldp));
	send(f, 0, NOBODY, 0, 100);
	join(f, 0, JOINED | PARQ_SW_CTRL_HOST_FLOOD);
	send(f, 0, NOBODY, 0, 100);
	rig_run(&f->r, MS);
	assert_int_equal(completions(f, 0), 3);
	assert_true(forwarded(f, 0, 0));
	assert_false(forwarded(f, 0, 1));
	assert_true(forwarded(f, 0, 2));
	assert_sent(f, 0, 3, 3, 3);
	/* Link-local groups pass in any state. */
	join(f, 0, JOINED & ~PARQ_SW_CTRL_STATE);
	rig_rx(&f->r, 0, lldp, sizeof(lldp));
	rig_run(&f->r, MS);
	assert_int_equal(completions(f, 0), 4);
	fabric_fini(f);
}

/* Frames to an address behind the host go there alone, until it sends by a port. */
static void address_behind_host(void **state)
{
	struct fabric *f = switch_begin();

	(void)state;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	switch_write(&f->r, PARQ_SW_FDB_ADDR_LO, 2);
	switch_write(&f->r, PARQ_SW_FDB_ADDR_HI, 3 << 8 | 1);
	switch_write(&f->r, PARQ_SW_FDB_ENTRY, FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, PARQ_FDB_EXTERN));
	switch_write(&f->r, PARQ_SW_FDB_CMD, PARQ_FDB_ADD);
	send(f, 0, 3, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 0, 0, 0, 0);
	assert_int_equal(completions(f, 0), 1);
	send(f, 3, 0, 0, 100);
	send(f, 0, 3, 0, 100);
	rig_run(&f->r, MS);
	assert_sent(f, 1, 0, 0, 1);
	assert_int_equal(completions(f, 0), 1);
	fabric_fini(f);
}

/* Buffers that are full of transit frames do not keep LLDP and BPDUs from the host. */
static void full_switch_hears_lldp(void **state)
{
	static const u8 lldp[64] = { 1, 0x80, 0xc2, 0, 0, 0x0e, 2, [12] = 0x88, 0xcc };
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	meet(f);
	rig_pause(&f->r, 2, BIT(3), 0xffff);
	for (i = 0; i < 100; i++)
		send(f, 0, 2, 3, i < 80 ? 1000 : 64);
	assert_true(stat(f, 0, PARQ_SW_RX_NO_ROOM));
	i = completions(f, 0);
	rig_rx(&f->r, 0, lldp, sizeof(lldp));
	assert_int_equal(completions(f, 0), i + 1);
	/* Without room it cannot wait, either. */
	rig_rxq_hold(&f->r, 0, 0);
	rig_rx(&f->r, 0, lldp, sizeof(lldp));
	send(f, 0, EVERYBODY, 0, 100);
	assert_int_equal(le64_to_cpu(rig_stats(&f->r, 0)->rx_drop_buffer), 1);
	rig_rxq_release(&f->r, 0, 0);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_int_equal(completions(f, 0), i + 1);
	fabric_fini(f);
}

/* Its frames in a lossless priority do not wait: its senders would be paused for others, too. */
static void dead_host_delays_nobody(void **state)
{
	struct fabric *f = switch_begin();
	u32 i;

	(void)state;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	rig_rx_tail(&f->r, 0, 0, 0);
	for (i = 0; i < 50; i++)
		send(f, 0, EVERYBODY, 3, 1000);
	rig_run(&f->r, MS);
	assert_int_equal(f->xoff[0], 0);
	assert_sent(f, 0, 50, 50, 50);
	assert_int_equal(le64_to_cpu(rig_stats(&f->r, 0)->rx_drop_nobuf), 50);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(learns),
		cmocka_unit_test(floods_where_told),
		cmocka_unit_test(keeps_to_the_domain),
		cmocka_unit_test(isolated_ports),
		cmocka_unit_test(states),
		cmocka_unit_test(host_gets_groups),
		cmocka_unit_test(address_behind_host),
		cmocka_unit_test(full_switch_hears_lldp),
		cmocka_unit_test(dead_host_delays_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
