// SPDX-License-Identifier: GPL-2.0
/*
 * RED and ECN: which copies of transit frames are marked or dropped, by the length of their class,
 * and what a mark changes.
 */
#include "ecn.h"

static const u8 addr6[32] = {
	[0] = 0xfe, [1] = 0x80, [15] = 1, [16] = 0xfe, [17] = 0x80, [31] = 2,
};

/* ---- when --------------------------------------------------------------- */

/* The first frame finds 0 bytes, the fifth MIN, the thirteenth MAX. */
static void below_min_and_above_max(void **state)
{
	struct fabric *f = red_begin(ECN, 0);

	(void)state;
	fill(f, 12, ECT0);
	assert_int_equal(marked(f, OUT, 0), 0);
	fill(f, 8, ECT0);
	assert_int_equal(marked(f, OUT, 0), 8);
	let_go(f, OUT);
	assert_int_equal(heard[OUT].frames, 20);
	assert_int_equal(heard[OUT].marked, 8);
	assert_int_equal(dropped(f, OUT, 0), 0);
	assert_int_equal(marked(f, 1, 0), 0);
	fabric_fini(f);
}

/* Whether a frame is marked that finds 5 * LEN bytes of another priority. */
static bool marks_at(struct fabric *f, u32 min, u32 max)
{
	u32 before = marked(f, OUT, 0);

	set_red(f, OUT, 0, ECN, min, max, ALWAYS);
	send_ip(f, 0, OUT, 0, ECT0);
	rig_run(&f->r, 10 * US);
	assert_int_equal(ecn_of(heard[OUT].data) == CE, marked(f, OUT, 0) != before);
	return marked(f, OUT, 0) != before;
}

static void limits_to_the_byte(void **state)
{
	struct fabric *f = red_begin(0, 0);

	(void)state;
	fill(f, 5, ECT0);
	assert_false(marks_at(f, 5 * LEN + 1, 5 * LEN + 2));
	assert_false(marks_at(f, 5 * LEN, 5 * LEN + 1));
	assert_true(marks_at(f, 5 * LEN - 1, 5 * LEN));
	assert_true(marks_at(f, 1, 2));
	assert_false(marks_at(f, ~0U - 1, ~0U));
	let_go(f, OUT);
	fabric_fini(f);
}

/* Return: marks of 1000000 in a class of @waiting bytes. The highest probability is a half. */
static u32 share(struct fabric *f, u32 waiting, u32 frames)
{
	u32 before, i;

	set_red(f, OUT, 0, 0, 0, 0, 0);
	fill(f, waiting / LEN, ECT0);
	set_red(f, OUT, 0, ECN, MIN, MAX, BIT(31));
	before = marked(f, OUT, 0);
	for (i = 0; i < frames; i++) {
		/* A pause ends before long. */
		if (!(i % 1000))
			hold(f, OUT);
		send_ip(f, 1, OUT, 0, ECT0);
		rig_run(&f->r, 2 * US);
	}
	assert_int_equal(heard[OUT].frames, frames);
	assert_int_equal(heard[OUT].marked, marked(f, OUT, 0) - before);
	before = marked(f, OUT, 0) - before;
	let_go(f, OUT);
	memset(heard, 0, sizeof(heard));
	return (u64)before * 1000000 / frames;
}

/* Frames of another priority of the class find as many bytes each. */
static void rises_linearly(void **state)
{
	struct fabric *f = red_begin(0, 0);
	u32 waiting, got, want;

	(void)state;
	for (waiting = MIN + 2 * LEN; waiting < MAX; waiting += 2 * LEN) {
		want = 500000ULL * (waiting - MIN) / (MAX - MIN);
		got = share(f, waiting, 60000);
		print_message("# figure marks; %u; %.2f; %.2f\n", waiting, (double)want / 10000,
			      (double)got / 10000);
		assert_in_range(got, want - want / 50, want + want / 50);
	}
	assert_int_equal(share(f, MIN, 1000), 0);
	assert_int_equal(share(f, MAX, 1000), 1000000);
	fabric_fini(f);
}

/* A class has the frames of its priorities, at its port. */
static void classes(void **state)
{
	struct fabric *f = red_begin(0, 0);
	u32 i;

	(void)state;
	rig_ets(&f->r, OUT, 0x00011000, 0, 0);	/* 3 and 4 are in 1 */
	set_red(f, OUT, 1, ECN, MIN, MIN + 1, 0);
	fill(f, 4, ECT0);
	rig_run(&f->r, 10 * US);
	/* Class 0 has no RED, and its frames do not count. */
	send_ip(f, 0, OUT, 0, ECT0);
	assert_int_equal(marked(f, OUT, 1), 0);
	send_ip(f, 0, OUT, 4, ECT0);
	assert_int_equal(marked(f, OUT, 1), 0);
	send_ip(f, 0, OUT, 4, ECT0);
	assert_int_equal(marked(f, OUT, 1), 1);
	for (i = 0; i < PARQ_NUM_TC; i++)
		assert_int_equal(marked(f, OUT, i), i == 1);
	rig_run(&f->r, 10 * US);
	/* The map changes: RED of class 1 has nothing to do with priority 3 then. */
	rig_ets(&f->r, OUT, 0, 0, 0);
	send_ip(f, 0, OUT, 3, ECT0);
	send_ip(f, 0, OUT, 0, ECT0);
	assert_int_equal(marked(f, OUT, 1), 1);
	let_go(f, OUT);
	fabric_fini(f);
}

/* ---- what --------------------------------------------------------------- */

/* What becomes of a frame that comes to a full class. Return: it is sent. */
static bool goes(struct fabric *f, u32 prio, u32 ecn, bool marks, bool drops)
{
	u32 m = marked(f, OUT, 0), d = dropped(f, OUT, 0), frames = heard[OUT].frames;
	u64 stat_drops = stat(f, OUT, PARQ_SW_TX_DROP_RED);

	send_ip(f, 0, OUT, prio, ecn);
	rig_run(&f->r, 10 * US);
	assert_int_equal(marked(f, OUT, 0) - m, marks);
	assert_int_equal(dropped(f, OUT, 0) - d, drops);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_RED) - stat_drops, drops);
	return heard[OUT].frames > frames;
}

static void ecn_fields(void **state)
{
	struct fabric *f = red_begin(0, 0);

	(void)state;
	fill(f, 12, ECT0);
	set_red(f, OUT, 0, ECN, MIN, MAX, 0);
	assert_true(goes(f, 0, ECT0, true, false));
	assert_int_equal(ecn_of(heard[OUT].data), CE);
	assert_true(goes(f, 0, ECT1, true, false));
	assert_int_equal(ecn_of(heard[OUT].data), CE);
	assert_true(goes(f, 0, CE, true, false));
	assert_int_equal(ecn_of(heard[OUT].data), CE);
	assert_false(goes(f, 0, NOT_ECT, false, true));
	assert_false(goes(f, 0, NO_IP, false, true));
	set_red(f, OUT, 0, NODROP, MIN, MAX, 0);
	assert_true(goes(f, 0, NOT_ECT, false, false));
	assert_int_equal(ecn_of(heard[OUT].data), NOT_ECT);
	assert_true(goes(f, 0, NO_IP, false, false));
	assert_true(goes(f, 0, ECT0, true, false));
	/* Without ECN, all may be dropped. */
	set_red(f, OUT, 0, ON, MIN, MAX, 0);
	assert_false(goes(f, 0, ECT0, false, true));
	assert_false(goes(f, 0, CE, false, true));
	set_red(f, OUT, 0, ON | PARQ_SW_RED_CTRL_NODROP, MIN, MAX, 0);
	assert_true(goes(f, 0, ECT0, false, false));
	assert_int_equal(ecn_of(heard[OUT].data), ECT0);
	let_go(f, OUT);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_FRAMES) + stat(f, OUT, PARQ_SW_TX_DROP_RED),
			 heard[OUT].frames + 4 + PORTS - 1);
	fabric_fini(f);
}

/* RED takes nothing from priority 3, which is lossless where the frames came from. */
static void lossless_loses_nothing(void **state)
{
	static const u32 ctrl[] = { ON, ECN, NODROP };
	u32 i, ecn, sent = 0;
	struct fabric *f = red_begin(0, 0);

	(void)state;
	set_red(f, OUT, 0, ON, 1, 2, ALWAYS);
	hold(f, OUT);
	for (i = 0; i < 3; i++) {
		set_red(f, OUT, 0, ctrl[i], 1, 2, ALWAYS);
		for (ecn = NOT_ECT; ecn <= NO_IP; ecn++, sent++)
			send_ip(f, 0, OUT, 3, ecn);
	}
	assert_int_equal(dropped(f, OUT, 0), 0);
	assert_int_equal(marked(f, OUT, 0), 2 * 3);
	let_go(f, OUT);
	assert_int_equal(heard[OUT].frames, sent);
	/* Port 1 does not pause its senders: what comes from there may be dropped. */
	rig_write(&f->r, 1, PARQ_FC_CTRL, 0);
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	hold(f, OUT);
	send_ip(f, 0, OUT, 3, NOT_ECT);
	send_ip(f, 1, OUT, 3, NOT_ECT);
	send_ip(f, 0, OUT, 3, NOT_ECT);
	assert_int_equal(dropped(f, OUT, 0), 1);
	let_go(f, OUT);
	assert_int_equal(heard[OUT].frames, sent + 2);
	fabric_fini(f);
}

/* A frame that finds no room in the receive buffer is not marked, either. */
static void no_room(void **state)
{
	struct fabric *f = red_begin(0, 0);
	u32 i;

	(void)state;
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	hold(f, OUT);
	for (i = 0; i < 100; i++)
		send_ip(f, 0, OUT, 3, ECT0);
	assert_in_range(stat(f, 0, PARQ_SW_RX_NO_ROOM), 20, 80);
	assert_int_equal(marked(f, OUT, 0) + stat(f, 0, PARQ_SW_RX_NO_ROOM), 99);
	let_go(f, OUT);
	assert_int_equal(heard[OUT].marked, marked(f, OUT, 0));
	fabric_fini(f);
}

/* What waits is neither marked nor dropped by a change. A mark outlives it. */
static void changes_while_frames_wait(void **state)
{
	struct fabric *f = red_begin(ECN, 0);

	(void)state;
	fill(f, 16, ECT0);
	assert_int_equal(marked(f, OUT, 0), 4);
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	/* Values that are not in force yet. */
	switch_write(&f->r, PARQ_SW_RED(OUT, 0) + PARQ_SW_RED_MIN, 1000000);
	switch_write(&f->r, PARQ_SW_RED(OUT, 0) + PARQ_SW_RED_MAX, 2000000);
	send_ip(f, 0, OUT, 3, ECT0);
	assert_int_equal(marked(f, OUT, 0), 5);
	switch_write(&f->r, PARQ_SW_RED(OUT, 0) + PARQ_SW_RED_CTRL, ECN);
	send_ip(f, 0, OUT, 3, ECT0);
	set_red(f, OUT, 0, 0, 0, 0, 0);
	send_ip(f, 0, OUT, 3, ECT0);
	assert_int_equal(marked(f, OUT, 0), 5);
	let_go(f, OUT);
	assert_int_equal(heard[OUT].frames, 19);
	assert_int_equal(heard[OUT].marked, 5);
	fabric_fini(f);
}

/* ---- the mark ----------------------------------------------------------- */

/* Sends the packet to a full class. All but the ECN field and the checksum leave as they came. */
static void assert_marked(struct fabric *f, struct packet *p)
{
	u32 before = marked(f, OUT, 0);

	rig_rx(&f->r, 0, p->b, p->len);
	rig_run(&f->r, 10 * US);
	assert_int_equal(marked(f, OUT, 0), before + 1);
	set_ecn(p, CE);
	packet_finish(p);
	assert_int_equal(heard[OUT].len, p->len);
	assert_memory_equal(heard[OUT].data, p->b, p->len);
}

static void headers(void **state)
{
	struct fabric *f = red_begin(0, 0);
	struct packet p;
	u32 tags, six;

	(void)state;
	fill(f, 5, ECT0);
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	for (tags = 0; tags <= 2; tags++) {
		for (six = 0; six <= 1; six++) {
			begin_packet(&p, 0, OUT, UNTAGGED);
			if (tags == 2)
				packet_tag(&p, ETH_P_8021AD, 7);
			if (tags)
				packet_tag(&p, ETH_P_8021Q, 5);
			if (six)
				packet_ip6(&p, addr6);
			else
				packet_ip4(&p, addr4, 0);
			end_packet(&p, tags & 1 ? ECT1 : ECT0);
			assert_marked(f, &p);
		}
	}
	begin_packet(&p, 0, OUT, 5);
	packet_ip4(&p, addr4, 40);
	end_packet(&p, ECT0);
	assert_marked(f, &p);
	let_go(f, OUT);
	fabric_fini(f);
}

/* A checksum that was wrong is as wrong as before: who gets the packet still sees it. */
static void wrong_checksum(void **state)
{
	struct fabric *f = red_begin(0, 0);
	struct packet p;
	u32 sum;

	(void)state;
	fill(f, 5, ECT0);
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	begin_packet(&p, 0, OUT, 5);
	packet_ip4(&p, addr4, 0);
	end_packet(&p, ECT0);
	p.b[p.l3 + 11] ^= 0x10;
	sum = ref_sum(0, p.b + p.l3, 20);
	rig_rx(&f->r, 0, p.b, p.len);
	rig_run(&f->r, 10 * US);
	assert_int_equal(ecn_of(heard[OUT].data), CE);
	assert_int_equal(ref_sum(0, heard[OUT].data + p.l3, 20), sum);
	let_go(f, OUT);
	fabric_fini(f);
}

/* What only looks like IP cannot be marked: cut off, or with a wrong version or length. */
static void no_ip(void **state)
{
	struct fabric *f = red_begin(0, 0);
	struct packet p;
	u32 i;

	(void)state;
	fill(f, 5, ECT0);
	set_red(f, OUT, 0, ECN, 1, 2, ALWAYS);
	for (i = 0; i < 3; i++) {
		begin_packet(&p, 0, OUT, 5);
		packet_ip4(&p, addr4, 0);
		end_packet(&p, ECT0);
		p.b[p.l3] = i == 0 ? 0x65 : i == 1 ? 0x44 : 0x4f;
		rig_rx(&f->r, 0, p.b, i == 2 ? 64 : p.len);
		assert_int_equal(dropped(f, OUT, 0), i + 1);
	}
	assert_int_equal(marked(f, OUT, 0), 0);
	let_go(f, OUT);
	fabric_fini(f);
}

/* One frame, stored once. It leaves with a mark by OUT, without by others and for the host. */
static void copies_of_one_frame(void **state)
{
	struct fabric *f = red_begin(0, 0);
	u32 i;

	(void)state;
	rig_rxq_up(&f->r, 0, 0, 6, 2048);
	fill(f, 12, ECT0);
	for (i = 1; i < PORTS; i++)
		set_red(f, i, 0, ECN, MIN, MAX, 0);
	memset(heard, 0, sizeof(heard));
	send_ip(f, 0, EVERYBODY, 0, ECT0);
	send_ip(f, 0, EVERYBODY, 0, NOT_ECT);
	rig_run(&f->r, 20 * US);
	for (i = 1; i < PORTS; i++) {
		assert_int_equal(heard[i].frames, i == OUT ? 1 : 2);
		assert_int_equal(heard[i].marked, i == OUT);
		assert_int_equal(marked(f, i, 0), i == OUT);
		assert_int_equal(dropped(f, i, 0), i == OUT);
	}
	assert_int_equal(ecn_of(rig_ptr(&f->r, f->r.port[0].rxq[0].bufs, LEN)), ECT0);
	let_go(f, OUT);
	fabric_fini(f);
}

/* @tpid: of the frame's tag, ETH_P_IP: it has none */
static void send_vlan(struct fabric *f, u32 prio, u32 tpid)
{
	struct packet p;

	begin_packet(&p, 0, EVERYBODY, tpid == ETH_P_8021Q ? prio << 13 | 10 : UNTAGGED);
	if (tpid == ETH_P_8021AD)
		packet_tag(&p, ETH_P_8021AD, 7);
	packet_ip4(&p, addr4, 0);
	end_packet(&p, ECT0);
	rig_rx(&f->r, 0, p.b, p.len);
}

static void assert_heard(u32 port, u32 len, u32 tpid, bool mark)
{
	const struct heard *h = &heard[port];

	assert_int_equal(h->len, len);
	assert_int_equal(be16_at(h->data + 12), tpid);
	assert_int_equal(ecn_of(h->data), mark ? CE : ECT0);
	assert_int_equal(ref_sum(0, h->data + ip_at(h->data), 20), 0xffff);
}

/*
 * VLAN 10 has port 1 without tag. Copies are edited, marked, or both. The tag of a provider is no
 * tag of the VLAN: it gets one more.
 */
static void mark_and_tag(void **state)
{
	static const u16 tpids[3] = { ETH_P_IP, ETH_P_8021Q, ETH_P_8021AD };
	struct fabric *f = red_begin(0, 0);
	u32 marks, tag, n;

	(void)state;
	switch_write(&f->r, PARQ_SW_VLAN_PORTS_LO, 0xf);
	switch_write(&f->r, PARQ_SW_VLAN_UNTAGGED_LO, BIT(1));
	switch_write(&f->r, PARQ_SW_VLAN_SET, FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, 1) |
		     FIELD_PREP(PARQ_SW_VLAN_SET_VID, 10));
	switch_write(&f->r, PARQ_SW_PORT(0) + PARQ_SW_PVID, 10);
	switch_write(&f->r, PARQ_SW_DOMAIN(1), PARQ_SW_DOMAIN_VLAN);
	for (n = 1; n < PORTS; n++)
		hold(f, n);
	send_vlan(f, 3, ETH_P_8021Q);
	for (marks = 0; marks < BIT(PORTS); marks += 2) {
		for (n = 1; n < PORTS; n++)
			set_red(f, n, 0, marks & BIT(n) ? ECN : 0, 1, 2, 0);
		for (tag = 0; tag < 3; tag++) {
			send_vlan(f, 0, tpids[tag]);
			rig_run(&f->r, 10 * US);
			for (n = 1; n < PORTS; n++)
				assert_heard(n, LEN - 4 * (tag == 1) + (n != 1 ? 4 : 0),
					     n != 1 ? ETH_P_8021Q :
					     tag == 1 ? ETH_P_IP : tpids[tag], marks & BIT(n));
		}
	}
	for (n = 1; n < PORTS; n++)
		let_go(f, n);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(below_min_and_above_max),
		cmocka_unit_test(limits_to_the_byte),
		cmocka_unit_test(rises_linearly),
		cmocka_unit_test(classes),
		cmocka_unit_test(ecn_fields),
		cmocka_unit_test(lossless_loses_nothing),
		cmocka_unit_test(no_room),
		cmocka_unit_test(changes_while_frames_wait),
		cmocka_unit_test(headers),
		cmocka_unit_test(wrong_checksum),
		cmocka_unit_test(no_ip),
		cmocka_unit_test(copies_of_one_frame),
		cmocka_unit_test(mark_and_tag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
