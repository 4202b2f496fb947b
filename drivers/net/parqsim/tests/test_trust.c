// SPDX-License-Identifier: GPL-2.0
/*
 * Trust: which priority a received frame has, by tag, code point or default. And
 * rewriting: what a sent one shows of its own.
 */
#include "flow.h"
#include "offload.h"
#include "offload_rx.h"
#include "packet.h"

#define PCP_FIRST	FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_PCP)
#define DSCP_FIRST	FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_DSCP)
#define PCP_SECOND	FIELD_PREP(PARQ_TRUST_SECOND, PARQ_TRUST_PCP)
#define DSCP_SECOND	FIELD_PREP(PARQ_TRUST_SECOND, PARQ_TRUST_DSCP)
#define DEFAULT(prio)	FIELD_PREP(PARQ_TRUST_DEFAULT, prio)

#define UNTAGGED	(-1)
#define NO_IP		(-1)

static const u8 addr[32] = { 192, 0, 2, 1, 192, 0, 2, 2, 0x20, 1, 0x0d, 0xb8 };
static const u8 ports[4] = { 0x10, 0, 0x12, 0xb7 };

/* @tci or UNTAGGED, @dscp or NO_IP */
static void packet(struct packet *p, int tci, int dscp, bool v6)
{
	packet_eth(p);
	if (tci != UNTAGGED)
		packet_tag(p, ETH_P_8021Q, tci);
	if (dscp == NO_IP) {
		set_be16(packet_push(p, 2), 0x88b5);
		packet_payload(p, 64);
		return;
	}
	if (v6)
		packet_ip6(p, addr);
	else
		packet_ip4(p, addr, 0);
	packet_udp(p, ports);
	packet_payload(p, 40);
	/* Beside the code point, ECN, which is nobody's business here. */
	if (v6)
		set_be16(p->b + p->l3, 0x6000 | dscp << 6 | 3 << 4 | 0xb);
	else
		p->b[p->l3 + 1] = dscp << 2 | 3;
	packet_finish(p);
}

static void nic_init(struct rig *r)
{
	rig_init(r, &flow_config, SPEED, true);
	rig_rxq_up(r, 0, 0, 10, 256);
	rig_assert_no_error(r);
}

static u64 received(struct rig *r, u32 prio)
{
	return le64_to_cpu(rig_stats(r, 0)->prio[prio].rx_frames);
}

/* The completion and the counters agree. */
static void expect(struct rig *r, const struct packet *p, u32 prio)
{
	u64 before = received(r, prio);
	u32 pos = rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
	u32 flags;

	rig_rx_tail(r, 0, 0, pos + 256);
	rig_rx(r, 0, p->b, p->len);
	flags = le32_to_cpu(rig_rx_comp(r, 0, 0, pos)->flags);
	assert_int_equal(FIELD_GET(PARQ_RX_PRIO, flags), prio);
	assert_int_equal(received(r, prio), before + 1);
}

static void expect_of(struct rig *r, int tci, int dscp, u32 prio)
{
	struct packet p;

	packet(&p, tci, dscp, false);
	expect(r, &p, prio);
	packet(&p, tci, dscp, true);
	expect(r, &p, prio);
}

static void tags_are_trusted_at_first(void **state)
{
	struct rig r;
	u32 prio;

	(void)state;
	nic_init(&r);
	assert_int_equal(rd(&r, PARQ_TRUST), PCP_FIRST);
	for (prio = 0; prio < 8; prio++) {
		expect_of(&r, prio << 13 | 0xabc, 63, prio);
		expect_of(&r, prio << 13 | BIT(12), NO_IP, prio);
	}
	expect_of(&r, UNTAGGED, 63, 0);
	rig_fini(&r);
}

static void default_is_for_all_else(void **state)
{
	struct rig r;

	(void)state;
	nic_init(&r);
	wr(&r, PARQ_TRUST, PCP_FIRST | DEFAULT(6));
	wr(&r, PARQ_DSCP_PRIO(46 / 8), 0x55555555);	/* without effect */
	expect_of(&r, UNTAGGED, 46, 6);
	expect_of(&r, UNTAGGED, NO_IP, 6);
	expect_of(&r, 0, 46, 0);
	wr(&r, PARQ_TRUST, DEFAULT(2));
	expect_of(&r, 5 << 13, 46, 2);
	rig_fini(&r);
}

static void each_pcp_and_dei(void **state)
{
	struct rig r;
	u32 pcp;

	(void)state;
	nic_init(&r);
	wr(&r, PARQ_PCP_PRIO(0), 0x01234567);
	wr(&r, PARQ_PCP_PRIO(1), 0x33333330);
	for (pcp = 0; pcp < 8; pcp++) {
		expect_of(&r, pcp << 13 | 0xfff, 0, 7 - pcp);
		expect_of(&r, pcp << 13 | 0x1fff, 0, pcp ? 3 : 0);
	}
	rig_fini(&r);
}

/* Each code point alone, so that no other entry could be taken for its own. */
static void each_code_point(void **state)
{
	struct rig r;
	u32 dscp;

	(void)state;
	nic_init(&r);
	wr(&r, PARQ_TRUST, DSCP_FIRST | DEFAULT(1));
	for (dscp = 0; dscp < PARQ_NUM_DSCP; dscp++) {
		u32 shift = 4 * (dscp % 8), prio = 7 - dscp % 6;

		wr(&r, PARQ_DSCP_PRIO(dscp / 8),
		   (0x88888888 & ~(0xfU << shift)) | prio << shift);
		expect_of(&r, UNTAGGED, dscp, prio);
		expect_of(&r, UNTAGGED, (dscp + 1) % PARQ_NUM_DSCP, 1);
		expect_of(&r, UNTAGGED, (dscp + 8) % PARQ_NUM_DSCP, 1);
		wr(&r, PARQ_DSCP_PRIO(dscp / 8), 0x88888888);
	}
	rig_fini(&r);
}

static void the_first_that_says_something_decides(void **state)
{
	struct rig r;

	(void)state;
	nic_init(&r);
	wr(&r, PARQ_DSCP_PRIO(3), 0x88888388);		/* 26 is 3 */
	wr(&r, PARQ_DSCP_PRIO(0), 0x88888882);		/* 0 is 2 */
	wr(&r, PARQ_TRUST, DSCP_FIRST | PCP_SECOND | DEFAULT(7));
	expect_of(&r, 5 << 13, 26, 3);
	expect_of(&r, 5 << 13, 27, 5);
	expect_of(&r, 5 << 13, NO_IP, 5);
	expect_of(&r, UNTAGGED, 26, 3);
	expect_of(&r, UNTAGGED, 27, 7);
	wr(&r, PARQ_TRUST, PCP_FIRST | DSCP_SECOND | DEFAULT(7));
	expect_of(&r, 5 << 13, 26, 5);
	expect_of(&r, UNTAGGED, 26, 3);
	expect_of(&r, UNTAGGED, NO_IP, 7);
	rig_fini(&r);
}

/* What has a bad FCS may say anything. */
static void bad_frames_are_not_trusted(void **state)
{
	struct packet p;
	struct rig r;

	(void)state;
	nic_init(&r);
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_FCS_ERR);
	wr(&r, PARQ_TRUST, PCP_FIRST | DEFAULT(4));
	packet(&p, 5 << 13, 26, false);
	parqsim_rx(r.sim, 0, p.b, p.len, false);
	assert_int_equal(received(&r, 4), 1);
	assert_int_equal(received(&r, 5), 0);
	rig_fini(&r);
}

/* The buffer is that of the priority, whatever has said which it is. */
static void a_code_point_pauses_its_peer(void **state)
{
	const struct rig_ctrl *ctrl;
	struct packet p;
	struct rig r;

	(void)state;
	nic_init(&r);
	rig_rxb(&r, 0, 0, 2000, 2000, 2000);
	rig_rxb(&r, 0, 3, 2000, 50, 0);
	rig_rxb_apply(&r, 0, 0x00003000);
	wr(&r, PARQ_FC_CTRL, FIELD_PREP(PARQ_FC_CTRL_PFC_TX, BIT(3)));
	wr(&r, PARQ_DSCP_PRIO(3), 0x88888388);
	wr(&r, PARQ_TRUST, DSCP_FIRST);
	rig_rx_tail(&r, 0, 0, 0);
	packet(&p, UNTAGGED, 26, false);
	rig_rx(&r, 0, p.b, p.len);
	rig_run(&r, CTRL_SLOT);
	ctrl = rig_ctrl(&r, 0, 0);
	assert_int_equal(ctrl->f[17], BIT(3));
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_drop_nobuf), 0);
	rig_fini(&r);
}

static void registers_refuse(void **state)
{
	u32 n, bit;
	struct rig r;

	(void)state;
	nic_init(&r);
	refused(&r, PARQ_TRUST, 3, PARQ_ERR_RANGE);
	refused(&r, PARQ_TRUST, PCP_FIRST | 3 << 4, PARQ_ERR_RANGE);
	refused(&r, PARQ_TRUST, PCP_SECOND, PARQ_ERR_RANGE);
	refused(&r, PARQ_TRUST, PCP_FIRST | PCP_SECOND, PARQ_ERR_RANGE);
	refused(&r, PARQ_TRUST, DSCP_FIRST | DSCP_SECOND, PARQ_ERR_RANGE);
	refused(&r, PARQ_TRUST, BIT(2), PARQ_ERR_RESERVED);
	for (n = 0; n < 8; n++) {
		for (bit = 0; bit < 32; bit += 4)
			refused(&r, PARQ_DSCP_PRIO(n), 9U << bit, PARQ_ERR_RANGE);
		refused(&r, PARQ_REWR(n), BIT(6), PARQ_ERR_RESERVED);
	}
	refused(&r, PARQ_PCP_PRIO(0), 0x80000000, PARQ_ERR_RANGE);
	refused(&r, PARQ_PCP_PRIO(1), 8, PARQ_ERR_RANGE);
	assert_int_equal(rd(&r, PARQ_PCP_PRIO(1)), 0x76543210);
	assert_int_equal(rd(&r, PARQ_DSCP_PRIO(7)), 0x88888888);
	rig_fini(&r);
}

static void ports_and_resets(void **state)
{
	struct rig r;

	(void)state;
	nic_init(&r);
	wr(&r, PARQ_TRUST, DEFAULT(3));
	wr(&r, PARQ_DSCP_PRIO(1), 0);
	assert_int_equal(rig_read(&r, 1, PARQ_TRUST), PCP_FIRST);
	assert_int_equal(rig_read(&r, 1, PARQ_DSCP_PRIO(1)), 0x88888888);
	/* Stopping the port does not reset it. */
	wr(&r, PARQ_PORT_CTRL, 0);
	assert_int_equal(rd(&r, PARQ_TRUST), DEFAULT(3));
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_int_equal(rd(&r, PARQ_TRUST), PCP_FIRST);
	assert_int_equal(rd(&r, PARQ_DSCP_PRIO(1)), 0x88888888);
	rig_fini(&r);
}

/* ---- rewriting ---------------------------------------------------------- */

static u32 rewr_dscp(u32 dscp)
{
	return PARQ_REWR_DSCP_EN | FIELD_PREP(PARQ_REWR_DSCP, dscp);
}

static u32 rewr_pcp(u32 pcp, bool dei)
{
	return PARQ_REWR_PCP_EN | FIELD_PREP(PARQ_REWR_PCP, pcp) |
	       (dei ? PARQ_REWR_DEI : 0);
}

/* Rewritten, it is what it would have been if it had been built so. */
static void rewritten_is_as_if_built_so(void **state)
{
	struct packet p, want;
	u32 was, is, v6;

	(void)state;
	for (was = 0; was < PARQ_NUM_DSCP; was++) {
		for (is = 0; is < 2 * PARQ_NUM_DSCP; is++) {
			v6 = is / PARQ_NUM_DSCP;
			packet(&p, 0xafff, was, v6);
			packet(&want, 0x7fff, is % PARQ_NUM_DSCP, v6);
			offload_rewrite(p.b, p.len, rewr_pcp(3, true) |
					rewr_dscp(is % PARQ_NUM_DSCP));
			assert_memory_equal(p.b, want.b, want.len);
		}
	}
}

static void nothing_else_is_touched(void **state)
{
	u32 all = rewr_pcp(7, true) | rewr_dscp(63), len;
	struct packet p, was;

	(void)state;
	packet(&p, UNTAGGED, NO_IP, false);
	was = p;
	offload_rewrite(p.b, p.len, all);
	assert_memory_equal(p.b, was.b, p.len);
	/* An S-tag is not ours; what is behind it, is. */
	packet_eth(&p);
	packet_tag(&p, ETH_P_8021AD, 0);
	set_be16(packet_push(&p, 2), 0x88b5);
	packet_payload(&p, 64);
	was = p;
	offload_rewrite(p.b, p.len, all);
	assert_memory_equal(p.b, was.b, p.len);
	packet(&p, 0x2001, 10, false);
	was = p;
	offload_rewrite(p.b, p.len, 0);
	offload_rewrite(p.b, p.len, PARQ_REWR_DSCP | PARQ_REWR_PCP |
			PARQ_REWR_DEI);
	assert_memory_equal(p.b, was.b, p.len);
	/* Cut off anywhere, and nothing behind the end is written. */
	for (len = 0; len < p.len; len++) {
		p = was;
		offload_rewrite(p.b, len, all);
		assert_memory_equal(p.b + len, was.b + len, p.len - len);
	}
}

/* A checksum that was wrong is not made right: back again, it is as it was. */
static void wrong_checksums_stay_wrong(void **state)
{
	struct packet p, was, want;

	(void)state;
	packet(&p, UNTAGGED, 0, false);
	packet(&want, UNTAGGED, 63, false);
	p.b[p.l3 + 10] ^= 1;
	was = p;
	offload_rewrite(p.b, p.len, rewr_dscp(63));
	assert_int_not_equal(be16_at(p.b + p.l3 + 10),
			     be16_at(want.b + want.l3 + 10));
	offload_rewrite(p.b, p.len, rewr_dscp(0));
	assert_memory_equal(p.b, was.b, p.len);
}

/* Whatever the checksum is, the sum of the header stays the same. */
static void each_checksum(void **state)
{
	struct packet p;
	u32 n, before;
	u8 *h;

	(void)state;
	packet(&p, UNTAGGED, 0, false);
	h = p.b + p.l3;
	for (n = 0; n < 2 << 16; n++) {
		h[1] = n % 2 ? 0 : 63 << 2;
		set_be16(h + 10, n / 2);
		before = ref_sum(0, h, 20) % 0xffff;
		offload_rewrite(p.b, p.len, rewr_dscp(n % 2 ? 63 : 0));
		assert_int_equal(ref_sum(0, h, 20) % 0xffff, before);
	}
}

struct wire {
	u8 f[8][256];
	u32 len[8];
	u32 n;
};

static void on_wire(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct wire *w = ctx;

	(void)port;
	(void)end;
	if (w->n < 8 && len <= sizeof(w->f[0])) {
		memcpy(w->f[w->n], f, len);
		w->len[w->n] = len;
	}
	w->n++;
}

/* Of the priority alone, also what TSO has cut; a tag that is inserted, too. */
static void sent_frames_show_their_priority(void **state)
{
	struct offload_rss none = { .ctrl = 0 };
	static struct wire w;
	struct offload_rx rx;
	struct rig r;
	u32 i;

	(void)state;
	nic_init(&r);
	w.n = 0;
	r.wire = on_wire;
	r.wire_ctx = &w;
	r.tagged = true;
	wr(&r, PARQ_REWR(3), rewr_dscp(26) | rewr_pcp(5, false));
	rig_post(&r, 0, 3, 100);
	rig_drain(&r);
	rig_post_tso(&r, 0, 3, 200, 100);
	rig_drain(&r);
	rig_post(&r, 0, 4, 100);
	rig_drain(&r);
	assert_int_equal(w.n, 4);
	for (i = 0; i < 4; i++) {
		offload_parse(w.f[i], w.len[i], &none, &rx);
		assert_true(rx.ip);
		assert_int_equal(rx.dscp, i < 3 ? 26 : 0);
		if (i == 1 || i == 2) {
			assert_int_equal(ref_sum(0, w.f[i] + 14, 20), 0xffff);
			continue;
		}
		assert_true(rx.tagged);
		assert_int_equal(rx.tci >> 13, i ? 4 : 5);
	}
	rig_fini(&r);
}

/* A parked frame shows what is set when it is sent at last. */
static void parked_frames_too(void **state)
{
	struct offload_rss none = { .ctrl = 0 };
	static struct wire w;
	struct offload_rx rx;
	struct rig r;

	(void)state;
	nic_init(&r);
	rig_pfc(&r, 0, 0xff, true);
	w.n = 0;
	r.wire = on_wire;
	r.wire_ctx = &w;
	rig_pause(&r, 0, BIT(3), 65535);
	rig_post(&r, 0, 3, 100);
	rig_run(&r, MS);
	assert_int_equal(w.n, 0);
	wr(&r, PARQ_REWR(3), rewr_dscp(26));
	rig_pause(&r, 0, BIT(3), 0);
	rig_drain(&r);
	assert_int_equal(w.n, 1);
	offload_parse(w.f[0], w.len[0], &none, &rx);
	assert_int_equal(rx.dscp, 26);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_trusted_at_first),
		cmocka_unit_test(default_is_for_all_else),
		cmocka_unit_test(each_pcp_and_dei),
		cmocka_unit_test(each_code_point),
		cmocka_unit_test(the_first_that_says_something_decides),
		cmocka_unit_test(bad_frames_are_not_trusted),
		cmocka_unit_test(a_code_point_pauses_its_peer),
		cmocka_unit_test(registers_refuse),
		cmocka_unit_test(ports_and_resets),
		cmocka_unit_test(rewritten_is_as_if_built_so),
		cmocka_unit_test(nothing_else_is_touched),
		cmocka_unit_test(wrong_checksums_stay_wrong),
		cmocka_unit_test(each_checksum),
		cmocka_unit_test(sent_frames_show_their_priority),
		cmocka_unit_test(parked_frames_too),
	};

	return cmocka_run_group_tests_name("trust", tests, NULL, NULL);
}
