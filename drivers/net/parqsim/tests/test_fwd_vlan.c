// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding by VLAN: which VLAN a frame belongs to, who gets it, with which tag, and what changes
 * of VLANs do to frames that wait.
 *
 * VLAN 10: ports 0 and 1 without tags, 2 with tags. VLAN 20: ports 0, 2 and 3, all with tags.
 */
#include "switch.h"

#define MS		RIG_MS
#define C_TAG		0x8100
#define S_TAG		0x88a8
#define UNTAGGED	(~0U)

/**
 * struct heard - what a station got last
 * @frames: number since the last call of expect()
 * @len: bytes of the last one
 * @data: its first bytes
 */
struct heard {
	u32 frames;
	u32 len;
	u8 data[64];
};

static struct heard heard[PORTS];

static void hear_vlan(void *ctx, u32 port, const u8 *data, u32 len, u64 end)
{
	struct fabric *f = ctx;

	(void)end;
	if (data[12] == 0x88 && data[13] == 0x08) {
		hear_switch(f, port, data);
		return;
	}
	heard[port].frames++;
	heard[port].len = len;
	memcpy(heard[port].data, data, sizeof(heard[port].data));
}

/* ---- settings ----------------------------------------------------------- */

static void set_vlan(struct fabric *f, u32 vid, u32 ports, u32 untagged, bool host)
{
	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, ports);
	switch_write(&f->r, PARQ_SW_VLAN_UNTAGGED_LO, untagged);
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, vid) |
		     (host ? PARQ_SW_VLAN_SET_HOST : 0));
	assert_int_equal(switch_read(&f->r, PARQ_SW_VLAN_FULL), 0);
}

static void set_pvid(struct fabric *f, u32 port, u32 vid)
{
	switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_PVID, vid);
}

static void by_vlan(struct fabric *f, bool on)
{
	switch_write(&f->r, PARQ_SW_DOMAIN(1), on ? PARQ_SW_DOMAIN_VLAN : 0);
}

static struct fabric *vlans_begin(void)
{
	struct fabric *f = switch_begin();

	memset(heard, 0, sizeof(heard));
	f->r.wire = hear_vlan;
	set_vlan(f, 10, 0x7, 0x3, false);
	set_vlan(f, 20, 0xd, 0, false);
	set_pvid(f, 0, 10);
	set_pvid(f, 1, 10);
	by_vlan(f, true);
	return f;
}

/* ---- frames ------------------------------------------------------------- */

/* @tci: of a tag of @type, or UNTAGGED */
static void send_tag(struct fabric *f, u32 port, u32 to, u32 type, u32 tci, u32 len)
{
	u8 data[RIG_JUMBO + 4] = { 0 }, *p = data + 12;

	address(data, to);
	address(data + 6, port);
	if (tci != UNTAGGED) {
		memcpy(p, (const u8[]){ type >> 8, type, tci >> 8, tci }, 4);
		p += 4;
	}
	memcpy(p, (const u8[]){ 0x88, 0xb5, MARK, port }, 4);
	rig_rx(&f->r, port, data, len);
	rig_run(&f->r, MS);
}

static void send_vid(struct fabric *f, u32 port, u32 to, u32 tci)
{
	send_tag(f, port, to, C_TAG, tci, 100);
}

/* Which stations got a frame since the last call: BIT(port). */
static u32 got(void)
{
	u32 port, ports = 0;

	for (port = 0; port < PORTS; port++) {
		assert_in_range(heard[port].frames, 0, 1);
		ports |= heard[port].frames << port;
		heard[port].frames = 0;
	}
	return ports;
}

/* The last frame at @port. */
static void expect_tag(u32 port, u32 type, u32 tci, u32 len)
{
	const u8 *p = heard[port].data + 12;

	if (tci != UNTAGGED) {
		assert_int_equal(p[0] << 8 | p[1], type);
		assert_int_equal(p[2] << 8 | p[3], tci);
		p += 4;
	}
	assert_int_equal(p[0] << 8 | p[1], 0x88b5);
	assert_int_equal(p[2], MARK);
	assert_int_equal(heard[port].len, len);
}

/* ---- who gets it -------------------------------------------------------- */

static void members_only(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x6);
	send_vid(f, 0, EVERYBODY, 10);
	assert_int_equal(got(), 0x6);
	send_vid(f, 0, EVERYBODY, 20);
	assert_int_equal(got(), 0xc);
	send_vid(f, 0, NOBODY, 5 << 13);
	assert_int_equal(got(), 0x6);
	send_vid(f, 3, NOBODY, 20);
	assert_int_equal(got(), 0x5);
	/* A member that does not forward. */
	join(f, 2, JOINED & ~PARQ_SW_CTRL_STATE);
	send_vid(f, 3, NOBODY, 20);
	assert_int_equal(got(), 0x1);
	fabric_fini(f);
}

static void others_are_dropped(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	send_vid(f, 2, EVERYBODY, UNTAGGED);
	send_vid(f, 2, EVERYBODY, 3 << 13);
	send_tag(f, 2, EVERYBODY, S_TAG, 10, 100);
	assert_int_equal(stat(f, 2, PARQ_SW_RX_NO_PVID), 3);
	send_vid(f, 1, EVERYBODY, 20);
	send_vid(f, 1, EVERYBODY, 30);
	send_vid(f, 1, EVERYBODY, 4095);
	assert_int_equal(stat(f, 1, PARQ_SW_RX_NO_MEMBER), 3);
	/* A PVID whose VLAN the port is not a member of. */
	set_pvid(f, 3, 10);
	send_vid(f, 3, EVERYBODY, UNTAGGED);
	assert_int_equal(stat(f, 3, PARQ_SW_RX_NO_MEMBER), 1);
	/* A blocked port does not tell. */
	join(f, 2, JOINED & ~PARQ_SW_CTRL_STATE);
	send_vid(f, 2, EVERYBODY, UNTAGGED);
	assert_int_equal(stat(f, 2, PARQ_SW_RX_NO_PVID), 3);
	assert_int_equal(stat(f, 2, PARQ_SW_RX_BLOCKED), 1);
	assert_int_equal(got(), 0);
	/* Nothing was learned from them. */
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 0);
	fabric_fini(f);
}

static void learns_by_vlan(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x6);
	send_vid(f, 2, 0, 10);
	assert_int_equal(got(), 0x1);
	/* Unknown in VLAN 20. */
	send_vid(f, 2, 0, 20);
	assert_int_equal(got(), 0x9);
	send_vid(f, 0, EVERYBODY, 20);
	assert_int_equal(got(), 0xc);
	send_vid(f, 2, 0, 20);
	assert_int_equal(got(), 0x1);
	/* Known, but its port has left the VLAN. */
	set_vlan(f, 20, 0xc, 0, false);
	send_vid(f, 2, 0, 20);
	assert_int_equal(got(), 0);
	assert_int_equal(stat(f, 2, PARQ_SW_RX_NOWHERE), 1);
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 4);
	/* What is learned goes with the port, in all VLANs. */
	join(f, 0, 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_FDB_USED), 2);
	fabric_fini(f);
}

#define RX_LOG2	6

static u32 completions(struct fabric *f, u32 port)
{
	return rig_read(&f->r, port, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
}

/* The host gets what comes in its VLANs, as received, and link-local groups of any. */
static void host_is_a_member(void **state)
{
	static const u8 lldp[64] = {
		1, 0x80, 0xc2, 0, 0, 0x0e, 2, [12] = 0x81, 0, 0, 99, 0x88, 0xcc
	};
	struct fabric *f = vlans_begin();

	(void)state;
	join(f, 0, JOINED | PARQ_SW_CTRL_HOST_FLOOD);
	rig_rxq_up(&f->r, 0, 0, RX_LOG2, 2048);
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	send_vid(f, 0, NOBODY, UNTAGGED);
	assert_int_equal(completions(f, 0), 0);
	set_vlan(f, 10, 0x7, 0x3, true);
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	send_vid(f, 0, NOBODY, 10);
	send_vid(f, 0, EVERYBODY, 20);
	assert_int_equal(completions(f, 0), 2);
	assert_int_equal(le16_to_cpu(rig_rx_comp(&f->r, 0, 0, 0)->tci), 0);
	assert_int_equal(le16_to_cpu(rig_rx_comp(&f->r, 0, 0, 1)->tci), 10);
	rig_rx(&f->r, 0, lldp, sizeof(lldp));
	assert_int_equal(completions(f, 0), 3);
	/* An address behind the host, in this VLAN alone. */
	switch_write(&f->r, PARQ_SW_FDB_ADDR_LO, 2);
	switch_write(&f->r, PARQ_SW_FDB_ADDR_HI, 3 << 8 | 1);
	switch_write(&f->r, PARQ_SW_FDB_ENTRY, FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_FDB_ENTRY_VID, 20) |
		     FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, PARQ_FDB_HOST));
	switch_write(&f->r, PARQ_SW_FDB_CMD, PARQ_FDB_ADD);
	memset(heard, 0, sizeof(heard));
	send_vid(f, 0, 3, 20);
	assert_int_equal(got(), 0);
	assert_int_equal(completions(f, 0), 4);
	set_vlan(f, 10, 0x7, 0x3, false);
	send_vid(f, 0, 3, 10);
	assert_int_equal(got(), 0x6);
	assert_int_equal(completions(f, 0), 4);
	fabric_fini(f);
}

/* Tags pass unchanged, and VLANs do not matter. */
static void domain_without_vlans(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x6);
	by_vlan(f, false);
	send_vid(f, 3, EVERYBODY, 30);
	assert_int_equal(got(), 0x7);
	expect_tag(1, C_TAG, 30, 100);
	send_vid(f, 3, 0, UNTAGGED);
	assert_int_equal(got(), 0x7);
	expect_tag(2, 0, UNTAGGED, 100);
	by_vlan(f, true);
	/* What it has learned of the VLAN is there. */
	send_vid(f, 2, 0, 10);
	assert_int_equal(got(), 0x1);
	send_vid(f, 3, EVERYBODY, 30);
	assert_int_equal(got(), 0);
	/* A port that joins later does as its domain. */
	join(f, 3, 0);
	join(f, 3, JOINED);
	send_vid(f, 3, EVERYBODY, 30);
	assert_int_equal(stat(f, 3, PARQ_SW_RX_NO_MEMBER), 2);
	fabric_fini(f);
}

/* ---- tags --------------------------------------------------------------- */

static void tags(void **state)
{
	struct fabric *f = vlans_begin();
	u32 port;

	(void)state;
	/* Priority 6 of untagged frames. */
	for (port = 0; port < PORTS; port++)
		rig_write(&f->r, port, PARQ_TRUST, FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_PCP) |
			  FIELD_PREP(PARQ_TRUST_DEFAULT, 6));
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x6);
	expect_tag(1, 0, UNTAGGED, 100);
	expect_tag(2, C_TAG, 6 << 13 | 10, 104);
	/* With a tag: without VID, and with one. DEI stays. */
	send_vid(f, 0, EVERYBODY, 3 << 13 | BIT(12));
	assert_int_equal(got(), 0x6);
	expect_tag(1, 0, UNTAGGED, 96);
	expect_tag(2, C_TAG, 3 << 13 | BIT(12) | 10, 100);
	send_vid(f, 0, EVERYBODY, 4 << 13 | BIT(12) | 10);
	assert_int_equal(got(), 0x6);
	expect_tag(1, 0, UNTAGGED, 96);
	expect_tag(2, C_TAG, 4 << 13 | BIT(12) | 10, 100);
	send_vid(f, 2, EVERYBODY, 5 << 13 | 10);
	assert_int_equal(got(), 0x3);
	expect_tag(0, 0, UNTAGGED, 96);
	/* Rewriting comes last. */
	rig_write(&f->r, 2, PARQ_REWR(6), PARQ_REWR_PCP_EN | FIELD_PREP(PARQ_REWR_PCP, 1));
	send_vid(f, 0, EVERYBODY, UNTAGGED);
	assert_int_equal(got(), 0x6);
	expect_tag(2, C_TAG, 1 << 13 | 10, 104);
	fabric_fini(f);
}

/* A frame with an S-tag has no VLAN, and keeps its tag behind the new one. */
static void service_tag(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	send_tag(f, 0, EVERYBODY, S_TAG, 20, 100);
	assert_int_equal(got(), 0x6);
	expect_tag(1, S_TAG, 20, 100);
	assert_int_equal(heard[2].len, 104);
	assert_memory_equal(heard[2].data + 12,
			    ((const u8[]){ 0x81, 0, 0, 10, 0x88, 0xa8, 0, 20, 0x88, 0xb5 }), 10);
	fabric_fini(f);
}

/* Short ones are padded. A tag does not count in the length that a port allows. */
static void lengths(void **state)
{
	struct fabric *f = vlans_begin();
	u32 port;

	(void)state;
	for (port = 0; port < PORTS; port++)
		rig_write(&f->r, port, PARQ_MAX_FRAME, 1004);
	send_tag(f, 2, EVERYBODY, C_TAG, 10, 60);
	assert_int_equal(got(), 0x3);
	expect_tag(0, 0, UNTAGGED, 60);
	send_tag(f, 0, EVERYBODY, 0, UNTAGGED, 1000);
	assert_int_equal(got(), 0x6);
	expect_tag(1, 0, UNTAGGED, 1000);
	expect_tag(2, C_TAG, 10, 1004);
	send_tag(f, 2, EVERYBODY, C_TAG, 10, 1004);
	assert_int_equal(got(), 0x3);
	expect_tag(0, 0, UNTAGGED, 1000);
	/* An S-tag does not count, either, next to that of the VLAN. */
	send_tag(f, 0, EVERYBODY, S_TAG, 20, 1004);
	assert_int_equal(got(), 0x6);
	expect_tag(1, S_TAG, 20, 1004);
	assert_int_equal(heard[2].len, 1008);
	/* A byte too long for a port with a smaller limit. */
	rig_write(&f->r, 2, PARQ_MAX_FRAME, 504);
	send_tag(f, 0, EVERYBODY, 0, UNTAGGED, 501);
	assert_int_equal(got(), 0x2);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_LONG), 1);
	fabric_fini(f);
}

/* @len bytes with tags of VID 10, of @types, which end with 0. */
static void send_tags(struct fabric *f, u32 port, const u16 *types, u32 len)
{
	u8 data[RIG_JUMBO + 4] = { 0 }, *p = data + 12;

	address(data, EVERYBODY);
	address(data + 6, port);
	for (; *types; types++, p += 4)
		memcpy(p, (const u8[]){ *types >> 8, *types, 0, 10 }, 4);
	memcpy(p, (const u8[]){ 0x88, 0xb5, MARK, port }, 4);
	rig_rx(&f->r, port, data, len);
	rig_run(&f->r, MS);
}

/*
 * A port judges the frame that it would send, before it is stored: with the tag that it would get,
 * and without the one that it would lose.
 */
static void lengths_as_sent(void **state)
{
	static const u16 service[] = { S_TAG, C_TAG, 0 }, twice[] = { C_TAG, C_TAG, 0 },
			 thrice[] = { C_TAG, S_TAG, C_TAG, 0 };
	struct fabric *f = vlans_begin();

	(void)state;
	/* With a third tag it is too long for port 2. */
	rig_write(&f->r, 0, PARQ_MAX_FRAME, 1004);
	rig_write(&f->r, 1, PARQ_MAX_FRAME, 1004);
	rig_write(&f->r, 2, PARQ_MAX_FRAME, 1004);
	send_tags(f, 0, service, 1008);
	assert_int_equal(got(), 0x2);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_LONG), 1);
	/* Nobody gets it: it is not stored. */
	set_vlan(f, 10, 0x5, 0, false);
	send_tags(f, 0, service, 1008);
	assert_int_equal(got(), 0);
	assert_int_equal(stat(f, 2, PARQ_SW_TX_DROP_LONG), 2);
	assert_int_equal(stat(f, 0, PARQ_SW_RX_FRAMES), 1);
	/* Without the outer one of three tags it fits. */
	set_vlan(f, 10, 0x7, 0x3, false);
	rig_write(&f->r, 2, PARQ_MAX_FRAME, 1104);
	send_tags(f, 2, thrice, 1012);
	assert_int_equal(got(), 0x3);
	assert_int_equal(heard[0].len, 1008);
	/* A tag that goes does not allow for a longer frame. */
	send_tags(f, 2, twice, 1009);
	assert_int_equal(got(), 0);
	assert_int_equal(stat(f, 0, PARQ_SW_TX_DROP_LONG), 1);
	send_tags(f, 2, twice, 1008);
	assert_int_equal(got(), 0x3);
	assert_int_equal(heard[0].len, 1004);
	fabric_fini(f);
}

/* ---- frames that wait --------------------------------------------------- */

/*
 * Frames of a paused class leave as they were to, whatever becomes of their VLAN meanwhile. None
 * leaves before.
 */
static void changes_lose_nothing(void **state)
{
	struct fabric *f = vlans_begin();
	u32 i;

	(void)state;
	for (i = 0; i < 10; i++) {
		/* Each lasts for 3.3 ms. */
		rig_pause(&f->r, 1, BIT(3), 0xffff);
		rig_pause(&f->r, 2, BIT(3), 0xffff);
		send_vid(f, 0, EVERYBODY, 3 << 13);
	}
	set_vlan(f, 10, 0x7, 0x4, false);
	set_vlan(f, 10, 0, 0, false);
	set_vlan(f, 20, 0x1, 0x1, false);
	set_pvid(f, 0, 20);
	by_vlan(f, false);
	rig_run(&f->r, MS);
	assert_int_equal(got(), 0);
	assert_int_equal(stored(f, 0), 10 * 104);
	rig_pause(&f->r, 1, BIT(3), 0);
	rig_pause(&f->r, 2, BIT(3), 0);
	rig_run(&f->r, MS);
	assert_int_equal(heard[1].frames, 10);
	assert_int_equal(heard[2].frames, 10);
	expect_tag(1, 0, UNTAGGED, 96);
	expect_tag(2, C_TAG, 3 << 13 | 10, 100);
	for (i = 0; i < PORTS; i++)
		assert_int_equal(stat(f, i, PARQ_SW_TX_DROP_PURGE), 0);
	fabric_fini(f);
}

/* The bytes that wait for a port are those that leave. */
static void shares_by_what_leaves(void **state)
{
	struct fabric *f = vlans_begin();

	(void)state;
	rig_pause(&f->r, 1, BIT(3), 0xffff);
	send_vid(f, 2, EVERYBODY, 3 << 13 | 10);
	assert_int_equal(f->r.sim->fwd.port[1].egress.queued[3], 96);
	join(f, 1, 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_PORT(1) + PARQ_SW_CTRL), 0);
	assert_int_equal(f->r.sim->fwd.port[1].egress.queued[3], 0);
	assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_PURGE), 1);
	fabric_fini(f);
}

/* So are those of its limit: port 1 sends without a tag. */
static void is_limited_by_what_leaves(void **state)
{
	const u32 limit = PARQ_SW_EGR(1, 0) + PARQ_SW_EGR_LIMIT;
	struct fabric *f = vlans_begin();

	(void)state;
	switch_write(&f->r, limit, 95);
	send_vid(f, 2, EVERYBODY, 1 << 13 | 10);
	assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_FULL), 1);
	switch_write(&f->r, limit, 96);
	send_vid(f, 2, EVERYBODY, 1 << 13 | 10);
	assert_int_equal(stat(f, 1, PARQ_SW_TX_DROP_FULL), 1);
	rig_run(&f->r, MS);
	expect_tag(1, 0, UNTAGGED, 96);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_only),
		cmocka_unit_test(others_are_dropped),
		cmocka_unit_test(learns_by_vlan),
		cmocka_unit_test(host_is_a_member),
		cmocka_unit_test(domain_without_vlans),
		cmocka_unit_test(tags),
		cmocka_unit_test(service_tag),
		cmocka_unit_test(lengths),
		cmocka_unit_test(lengths_as_sent),
		cmocka_unit_test(changes_lose_nothing),
		cmocka_unit_test(shares_by_what_leaves),
		cmocka_unit_test(is_limited_by_what_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
