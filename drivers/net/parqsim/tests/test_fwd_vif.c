// SPDX-License-Identifier: GPL-2.0
/*
 * VLAN interfaces of ports that forward: those that the host has, and those in domains.
 *
 * Of the host: port 0 has interfaces for VIDs 10 and 4094, and an RX queue. In domains: all ports
 * are in domain 1. Domain 2 has port 0 by VID 10, port 1 by VID 20, and port 2 by VID 10.
 */
#include "switch.h"

#define MS		RIG_MS
#define RX_LOG2		6
#define UNTAGGED	(~0U)

/* ---- the switch ---------------------------------------------------------- */

static void vif(struct fabric *f, u32 port, u32 vid, bool on)
{
	switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_VIF_SET,
		     FIELD_PREP(PARQ_SW_VIF_SET_VID, vid) | (on ? PARQ_SW_VIF_SET_EN : 0));
}

/* Frames that each station got since the last call of got(), and the last of them. */
static u32 frames[PORTS], length[PORTS];
static u8 last[PORTS][64];

static void hear_any(void *ctx, u32 port, const u8 *data, u32 len, u64 end)
{
	struct fabric *f = ctx;

	(void)end;
	if (data[12] == 0x88 && data[13] == 0x08) {
		hear_switch(f, port, data);
		return;
	}
	frames[port]++;
	length[port] = len;
	memcpy(last[port], data, sizeof(last[port]));
}

static struct fabric *vifs_begin(void)
{
	struct fabric *f = switch_begin();

	memset(frames, 0, sizeof(frames));
	f->r.wire = hear_any;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	vif(f, 0, 10, true);
	vif(f, 0, 4094, true);
	return f;
}

/* @tci: of a tag of @type, or UNTAGGED */
static void send_type(struct fabric *f, u32 port, u32 to, u32 type, u32 tci)
{
	u8 data[100] = { 0 }, *p = data + 12;

	address(data, to);
	address(data + 6, port);
	if (tci != UNTAGGED) {
		memcpy(p, (const u8[]){ type >> 8, type, tci >> 8, tci }, 4);
		p += 4;
	}
	memcpy(p, (const u8[]){ 0x88, 0xb5, MARK, port }, 4);
	rig_rx(&f->r, port, data, sizeof(data));
	rig_run(&f->r, MS);
}

static void send_vid(struct fabric *f, u32 port, u32 to, u32 tci)
{
	send_type(f, port, to, 0x8100, tci);
}

/* Which stations got a frame since the last call: BIT(port). */
static u32 got(void)
{
	u32 port, ports = 0;

	for (port = 0; port < PORTS; port++) {
		assert_in_range(frames[port], 0, 1);
		ports |= frames[port] << port;
		frames[port] = 0;
	}
	return ports;
}

/* Frames that the host of port 0 got. */
static u32 at_host(struct fabric *f)
{
	return rig_read(&f->r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
}

static u32 flags_at_host(struct fabric *f, u32 i)
{
	return le32_to_cpu(rig_rx_comp(&f->r, 0, 0, i)->flags);
}

/* ---- interfaces of the host ---------------------------------------------- */

static void host_alone(void **state)
{
	struct fabric *f = vifs_begin();
	u32 ctrl = rig_read(&f->r, 0, PARQ_PORT_CTRL);

	(void)state;
	rig_write(&f->r, 0, PARQ_PORT_CTRL, ctrl | PARQ_PORT_CTRL_PROMISC);
	send_vid(f, 0, EVERYBODY, 10);
	send_vid(f, 0, NOBODY, 3 << 13 | 10);
	send_vid(f, 0, GROUP, 5 << 13 | BIT(12) | 4094);
	send_vid(f, 0, 2, 10);
	assert_int_equal(got(), 0);
	assert_int_equal(at_host(f), 4);
	assert_int_equal(flags_at_host(f, 0) & PARQ_RX_FORWARDED, 0);
	assert_int_equal(flags_at_host(f, 3) & PARQ_RX_FORWARDED, 0);
	assert_int_equal(le16_to_cpu(rig_rx_comp(&f->r, 0, 0, 1)->tci), 3 << 13 | 10);
	/* Nothing was learned, dropped or counted. */
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 0);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_FRAMES), 0);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NOWHERE), 0);
	/* Filters of the port. */
	rig_write(&f->r, 0, PARQ_PORT_CTRL, ctrl);
	send_vid(f, 0, NOBODY, 10);
	send_vid(f, 0, GROUP, 10);
	assert_int_equal(le64_to_cpu(f->r.sim->stats[0].rx_filtered), 2);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(at_host(f), 5);
	assert_int_equal(got(), 0);
	fabric_fini(f);
}

static void others_are_forwarded(void **state)
{
	struct fabric *f = vifs_begin();

	(void)state;
	send_vid(f, 0, NOBODY, UNTAGGED);
	assert_int_equal(got(), 0xe);
	send_vid(f, 0, NOBODY, 0);
	assert_int_equal(got(), 0xe);
	send_vid(f, 0, NOBODY, 11);
	assert_int_equal(got(), 0xe);
	send_vid(f, 0, NOBODY, 4095);
	assert_int_equal(got(), 0xe);
	/* An S-tag, and the same VID at another port. */
	send_type(f, 0, NOBODY, 0x88a8, 10);
	assert_int_equal(got(), 0xe);
	send_vid(f, 1, NOBODY, 10);
	assert_int_equal(got(), 0xd);
	assert_int_equal(at_host(f), 0);
	/* Port 0 sends what others bring with this VID. */
	send_vid(f, 1, 0, 10);
	assert_int_equal(got(), 0x1);
	fabric_fini(f);
}

/* Neither state nor VLANs of the port matter. */
static void state_and_vlans(void **state)
{
	struct fabric *f = vifs_begin();

	(void)state;
	join(f, 0, JOINED & ~PARQ_SW_CTRL_STATE);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_BLOCKED), 0);
	join(f, 0, JOINED);
	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, 0xf);
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, 20));
	switch_write(&f->r, PARQ_SW_DOMAIN(1), PARQ_SW_DOMAIN_VLAN);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(at_host(f), 2);
	assert_int_equal(got(), 0);
	send_vid(f, 0, EVERYBODY, 20);
	assert_int_equal(got(), 0xe);
	send_vid(f, 0, EVERYBODY, 30);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_NO_MEMBER), 1);
	assert_int_equal(at_host(f), 2);
	/* A port on its own. */
	join(f, 0, 0);
	send_vid(f, 0, EVERYBODY, 10);
	send_vid(f, 0, EVERYBODY, 30);
	assert_int_equal(at_host(f), 4);
	fabric_fini(f);
}

/* They go one by one, stay while the port is disabled, and end with a reset. */
static void until_a_reset(void **state)
{
	struct fabric *f = vifs_begin();
	u32 ctrl = rig_read(&f->r, 0, PARQ_PORT_CTRL);

	(void)state;
	vif(f, 0, 10, true);
	vif(f, 0, 30, false);
	vif(f, 0, 4094, false);
	send_vid(f, 0, EVERYBODY, 4094);
	assert_int_equal(got(), 0xe);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0);
	assert_int_equal(f->r.sim->fwd.port[0].vifs, 1);
	rig_write(&f->r, 0, PARQ_PORT_CTRL, ctrl & ~PARQ_PORT_CTRL_EN);
	rig_write(&f->r, 0, PARQ_PORT_CTRL, ctrl);
	join(f, 0, JOINED);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0);
	parqsim_reset(f->r.sim);
	assert_int_equal(f->r.sim->fwd.port[0].vifs, 0);
	assert_false(f->r.sim->fwd.port[0].vif[10]);
	rig_fini(&f->r);
}

/* ---- interfaces in domains ------------------------------------------------ */

#define IN2	((JOINED & ~PARQ_SW_CTRL_DOMAIN) | FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 2))

/* The interface joins a domain. */
static void vif_join(struct fabric *f, u32 port, u32 vid, u32 ctrl)
{
	switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_VIF_CTRL, ctrl);
	vif(f, port, vid, true);
}

static struct fabric *domains_begin(void)
{
	struct fabric *f = switch_begin();

	memset(frames, 0, sizeof(frames));
	f->r.wire = hear_any;
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	vif_join(f, 0, 10, IN2);
	vif_join(f, 1, 20, IN2);
	vif_join(f, 2, 10, IN2);
	return f;
}

/* The tag behind @skip bytes of other tags of the last frame at @port; UNTAGGED: there is none. */
static void expect_tag(u32 port, u32 skip, u32 tci, u32 len)
{
	const u8 *p = last[port] + 12 + skip;

	if (tci != UNTAGGED) {
		assert_int_equal(p[0] << 8 | p[1], 0x8100);
		assert_int_equal(p[2] << 8 | p[3], tci);
		p += 4;
	}
	if (tci == UNTAGGED || skip)
		assert_int_equal(p[0] << 8 | p[1], 0x88b5);
	assert_int_equal(length[port], len);
}

static void tags(void **state)
{
	struct fabric *f = domains_begin();

	(void)state;
	send_vid(f, 0, EVERYBODY, 5 << 13 | BIT(12) | 10);
	assert_int_equal(got(), 0x6);
	expect_tag(1, 0, 5 << 13 | BIT(12) | 20, 100);
	expect_tag(2, 0, 5 << 13 | BIT(12) | 10, 100);
	send_vid(f, 1, EVERYBODY, 3 << 13 | 20);
	assert_int_equal(got(), 0x5);
	expect_tag(0, 0, 3 << 13 | 10, 100);
	/* A port as a whole among them. */
	join(f, 3, IN2);
	send_vid(f, 0, EVERYBODY, 5 << 13 | 10);
	assert_int_equal(got(), 0xe);
	expect_tag(3, 0, UNTAGGED, 96);
	rig_write(&f->r, 3, PARQ_TRUST, FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_PCP) |
		  FIELD_PREP(PARQ_TRUST_DEFAULT, 6));
	send_vid(f, 3, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x7);
	expect_tag(1, 0, 6 << 13 | 20, 104);
	expect_tag(2, 0, 6 << 13 | 10, 104);
	/* Its tags are part of the frame. */
	send_vid(f, 3, EVERYBODY, 4 << 13 | 7);
	assert_int_equal(got(), 0x7);
	expect_tag(1, 0, 4 << 13 | 20, 104);
	expect_tag(1, 4, 4 << 13 | 7, 104);
	fabric_fini(f);
}

/* Each domain has its addresses. Nothing of one is seen in the other. */
static void two_domains(void **state)
{
	struct fabric *f = domains_begin();

	(void)state;
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0xe);
	send_vid(f, 1, 0, 20);
	assert_int_equal(got(), 0x5);
	send_vid(f, 2, 0, 11);
	assert_int_equal(got(), 0x1);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0x6);
	send_vid(f, 1, 0, 20);
	assert_int_equal(got(), 0x1);
	expect_tag(0, 0, 10, 100);
	send_vid(f, 0, 1, 10);
	assert_int_equal(got(), 0x2);
	/* VID 20 is not one of port 0. */
	send_vid(f, 0, NOBODY, 20);
	assert_int_equal(got(), 0xe);
	/* 0 and 2 in domain 1; 1 and 0 in domain 2. */
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 4);
	vif_join(f, 0, 10, 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 3);
	/* The host has had the broadcasts. */
	assert_int_equal(at_host(f), 2);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0);
	assert_int_equal(at_host(f), 3);
	vif(f, 1, 20, false);
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 2);
	send_vid(f, 1, NOBODY, 20);
	assert_int_equal(got(), 0xd);
	assert_int_equal(f->r.sim->fwd.port[1].vifs, 0);
	fabric_fini(f);
}

static void settings(void **state)
{
	struct fabric *f = domains_begin();

	(void)state;
	vif_join(f, 1, 20, IN2 & ~PARQ_SW_CTRL_STATE);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0x4);
	send_vid(f, 1, EVERYBODY, 20);
	assert_int_equal(stat(f, 1, PARQ_SW_RX_BLOCKED), 1);
	/* The port itself forwards. */
	send_vid(f, 1, EVERYBODY, 10);
	assert_int_equal(got(), 0xd);
	vif_join(f, 1, 20, IN2 & ~PARQ_SW_CTRL_BCAST_FLOOD);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0x4);
	send_vid(f, 0, NOBODY, 10);
	assert_int_equal(got(), 0x6);
	vif_join(f, 1, 20, IN2 | PARQ_SW_CTRL_ISOLATED);
	vif_join(f, 2, 10, IN2 | PARQ_SW_CTRL_ISOLATED);
	send_vid(f, 1, EVERYBODY, 20);
	assert_int_equal(got(), 0x1);
	/* To the host: copies as received, and what other ports have not. */
	assert_int_equal(at_host(f), 2);
	vif_join(f, 0, 10, IN2 | PARQ_SW_CTRL_HOST_FLOOD);
	send_vid(f, 0, NOBODY, 3 << 13 | 10);
	assert_int_equal(got(), 0x6);
	assert_int_equal(at_host(f), 3);
	assert_int_not_equal(flags_at_host(f, 2) & PARQ_RX_FORWARDED, 0);
	assert_int_equal(le16_to_cpu(rig_rx_comp(&f->r, 0, 0, 2)->tci), 3 << 13 | 10);
	fabric_fini(f);
}

/* A port on its own filters addresses as a NIC does. Its VLAN interface forwards all. */
static void port_alone(void **state)
{
	struct fabric *f = domains_begin();

	(void)state;
	join(f, 0, 0);
	send_vid(f, 0, NOBODY, UNTAGGED);
	send_vid(f, 0, NOBODY, 11);
	assert_int_equal(at_host(f), 0);
	assert_int_equal(got(), 0);
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(at_host(f), 1);
	assert_int_equal(flags_at_host(f, 0) & PARQ_RX_FORWARDED, 0);
	send_vid(f, 0, NOBODY, 10);
	assert_int_equal(got(), 0x6);
	send_vid(f, 1, NOBODY, 20);
	assert_int_equal(got(), 0x5);
	vif(f, 0, 10, false);
	send_vid(f, 0, NOBODY, 10);
	assert_int_equal(got(), 0);
	assert_int_equal(at_host(f), 1);
	fabric_fini(f);
}

static void refuse(struct fabric *f, u32 off, u32 val)
{
	rig_write(&f->r, 0, parqsim_read(f->r.sim, PARQ_SWITCH) + off - PARQ_PORT(0), val);
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(f->r.sim, PARQ_ERR)),
			 PARQ_ERR_STATE);
	parqsim_write(f->r.sim, PARQ_ERR, 0);
}

/* A domain has one member of a port. */
static void one_of_a_port(void **state)
{
	struct fabric *f = domains_begin();

	(void)state;
	refuse(f, PARQ_SW_PORT(0) + PARQ_SW_CTRL, IN2);
	switch_write(&f->r, PARQ_SW_PORT(0) + PARQ_SW_VIF_CTRL, IN2);
	refuse(f, PARQ_SW_PORT(0) + PARQ_SW_VIF_SET, PARQ_SW_VIF_SET_EN | 30);
	switch_write(&f->r, PARQ_SW_PORT(3) + PARQ_SW_VIF_CTRL, JOINED);
	refuse(f, PARQ_SW_PORT(3) + PARQ_SW_VIF_SET, PARQ_SW_VIF_SET_EN | 30);
	send_vid(f, 0, EVERYBODY, 30);
	assert_int_equal(got(), 0xe);
	/* What is gone is no obstacle. */
	vif(f, 0, 10, false);
	vif_join(f, 0, 30, IN2);
	send_vid(f, 0, EVERYBODY, 30);
	assert_int_equal(got(), 0x6);
	fabric_fini(f);
}

/* Port 1 has ten copies of each domain that wait, in one order. */
static struct fabric *both_wait(void)
{
	struct fabric *f = domains_begin();
	u32 i;

	for (i = 0; i < 10; i++) {
		rig_pause(&f->r, 1, BIT(3), 0xffff);
		send_vid(f, 0, EVERYBODY, 3 << 13 | 10);
		send_vid(f, 0, EVERYBODY, 3 << 13 | 11);
	}
	assert_int_equal(frames[1], 0);
	return f;
}

enum stop {
	PORT_BLOCKS,
	PORT_LEAVES,
	INTERFACE_BLOCKS,
	INTERFACE_LEAVES,
	INTERFACE_MOVES,
	INTERFACE_GOES,
	STOPS,
};

static void stop(struct fabric *f, enum stop way)
{
	switch (way) {
	case PORT_BLOCKS:
		join(f, 1, JOINED & ~PARQ_SW_CTRL_STATE);
		break;
	case PORT_LEAVES:
		join(f, 1, 0);
		break;
	case INTERFACE_BLOCKS:
		vif_join(f, 1, 20, IN2 & ~PARQ_SW_CTRL_STATE);
		break;
	case INTERFACE_LEAVES:
		vif_join(f, 1, 20, 0);
		break;
	case INTERFACE_MOVES:
		join(f, 1, 0);
		vif_join(f, 1, 20, JOINED);
		break;
	default:
		vif(f, 1, 20, false);
		break;
	}
}

/* What waits for a member that stops is dropped, and nothing that waits for another one. */
static void member_stops(void **state)
{
	struct fabric *f;
	enum stop way;

	(void)state;
	for (way = 0; way < STOPS; way++) {
		bool port = way <= PORT_LEAVES, both = way == INTERFACE_MOVES;

		f = both_wait();
		stop(f, way);
		assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_PURGE), both ? 20 : 10);
		rig_pause(&f->r, 1, BIT(3), 0);
		rig_run(&f->r, MS);
		assert_int_equal(frames[1], both ? 0 : 10);
		if (!both)
			expect_tag(1, 0, 3 << 13 | (port ? 20 : 11), 100);
		assert_int_equal(stat(f, 1, PARQ_SW_TX_FRAMES), frames[1]);
		assert_int_equal(stored(f, 0), 0);
		fabric_fini(f);
	}
}

/* The same while those that were parked are reinjected. */
static void member_stops_in_pass(void **state)
{
	enum stop way;
	u32 ns;

	(void)state;
	for (way = 0; way < STOPS; way++) {
		for (ns = 0; ns < 3000; ns += 97) {
			bool both = way == INTERFACE_MOVES;
			struct fabric *f = both_wait();
			u64 purged;

			rig_pause(&f->r, 1, BIT(3), 0);
			rig_run(&f->r, ns * RIG_NS);
			stop(f, way);
			rig_run(&f->r, MS);
			purged = stat(f, 1, PARQ_SW_TX_DROP_PURGE);
			assert_int_equal(frames[1] + purged, 20);
			assert_in_range(frames[1], both ? 0 : 10, 20);
			assert_int_equal(stored(f, 0), 0);
			fabric_fini(f);
		}
	}
}

/* Those of all domains go with their port. */
static void port_stops(void **state)
{
	const struct parqsim_partner none = { .present = false };
	struct fabric *f;
	u32 way, ctrl;

	(void)state;
	for (way = 0; way < 2; way++) {
		f = both_wait();
		ctrl = rig_read(&f->r, 1, PARQ_PORT_CTRL);
		assert_true(stored(f, 0));
		if (way)
			rig_write(&f->r, 1, PARQ_PORT_CTRL, ctrl & ~PARQ_PORT_CTRL_EN);
		else
			parqsim_link(f->r.sim, 1, &none);
		rig_run(&f->r, MS);
		assert_int_equal(stored(f, 0), 0);
		assert_int_equal(frames[1], 0);
		assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_LINK), 20);
		fabric_fini(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_alone),
		cmocka_unit_test(others_are_forwarded),
		cmocka_unit_test(state_and_vlans),
		cmocka_unit_test(until_a_reset),
		cmocka_unit_test(tags),
		cmocka_unit_test(two_domains),
		cmocka_unit_test(settings),
		cmocka_unit_test(port_alone),
		cmocka_unit_test(one_of_a_port),
		cmocka_unit_test(member_stops),
		cmocka_unit_test(member_stops_in_pass),
		cmocka_unit_test(port_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
