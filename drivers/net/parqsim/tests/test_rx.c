// SPDX-License-Identifier: GPL-2.0
/* The receive side: what reaches the host, where, and what is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "packet.h"
#include "rig.h"
#include "sim.h"

#define LOG2		6
#define BUF		1024

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 4, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* RX queue 0 with all its buffers but the last @keep given to the NIC. */
static void rx_init(struct rig *r, u32 ctrl, u32 keep)
{
	rig_init(r, &config, PARQ_SPEED_10G, true);
	rig_rxq_up(r, 0, 0, LOG2, BUF);
	rig_write(r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | ctrl);
	rig_assert_no_error(r);
	r->db[(PARQ_DB_RX(0, 0) + PARQ_DB_TAIL) / 4] = BIT(LOG2) - keep;
}

static const struct parq_rx_comp *comp_at(struct rig *r, u32 pos)
{
	return rig_rx_comp(r, 0, 0, pos);
}

static u32 flags_at(struct rig *r, u32 pos)
{
	return le32_to_cpu(comp_at(r, pos)->flags);
}

static u32 build(u8 *f, u8 last_da, u32 len)
{
	u32 i;

	memset(f, 0, len);
	f[0] = 2;
	f[5] = last_da;
	f[6] = 2;
	f[12] = 0x88;
	f[13] = 0xb5;
	for (i = 14; i < len; i++)
		f[i] = i * 7;
	return len;
}

static void receive(struct rig *r, const u8 *f, u32 len)
{
	parqsim_rx(r->sim, 0, f, len, true);
}

static const struct parq_stats *stats(struct rig *r)
{
	return rig_stats(r, 0);
}

/* A frame longer than a buffer takes several; only the last has EOP. */
static void spans_buffers(void **state)
{
	struct rig r;
	u8 f[9000];

	(void)state;
	rx_init(&r, 0, 0);
	rig_write(&r, 0, PARQ_MAX_FRAME, 9018);
	receive(&r, f, build(f, 1, 2500));
	assert_int_equal(flags_at(&r, 0), PARQ_RX_GEN);
	assert_int_equal(flags_at(&r, 1), PARQ_RX_GEN);
	assert_int_equal(flags_at(&r, 2) & (PARQ_RX_GEN | PARQ_RX_EOP),
			 PARQ_RX_GEN | PARQ_RX_EOP);
	assert_int_equal(le16_to_cpu(comp_at(&r, 0)->len), BUF);
	assert_int_equal(le16_to_cpu(comp_at(&r, 2)->len), 2500 - 2 * BUF);
	assert_memory_equal(rig_ptr(&r, r.port[0].rxq[0].bufs, 2500), f, 2500);
	rig_fini(&r);
}

/* GEN changes with every round of the ring. */
static void gen_alternates(void **state)
{
	u32 i, tail = BIT(LOG2);
	struct rig r;
	u8 f[64];

	(void)state;
	rx_init(&r, 0, 0);
	for (i = 0; i < 3 * BIT(LOG2); i++) {
		receive(&r, f, build(f, 1, 64));
		r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_TAIL) / 4] = ++tail;
		assert_int_equal(!!(flags_at(&r, i) & PARQ_RX_GEN),
				 !((i >> LOG2) & 1));
	}
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 3 * BIT(LOG2));
	rig_fini(&r);
}

/* All 48 bits of the address count. */
static void own_address(void **state)
{
	struct rig r;
	u8 f[64];
	u32 i;

	(void)state;
	rx_init(&r, 0, 0);
	rig_write(&r, 0, PARQ_MAC_ADDR_LO, 0x33221102);
	rig_write(&r, 0, PARQ_MAC_ADDR_HI, 0x5544);
	rig_assert_no_error(&r);
	build(f, 1, 64);
	memcpy(f, (const u8[]){ 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 }, 6);
	receive(&r, f, 64);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	for (i = 0; i < 6; i++) {
		f[i] ^= 0x80;
		receive(&r, f, 64);
		f[i] ^= 0x80;
	}
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 6);
	rig_fini(&r);
}

static void no_buffer_is_counted(void **state)
{
	struct rig r;
	u8 f[1500];
	u32 i;

	(void)state;
	rx_init(&r, 0, BIT(LOG2) - 3);
	for (i = 0; i < 4; i++)
		receive(&r, f, build(f, 1, 1500));
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_nobuf), 3);
	receive(&r, f, build(f, 1, 100));
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 2);
	rig_fini(&r);
}

static void drops_have_reasons(void **state)
{
	u8 f[1600], bc[64];
	struct rig r;
	u64 frames;

	(void)state;
	rx_init(&r, 0, 0);
	receive(&r, f, build(f, 9, 100));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 1);
	receive(&r, f, build(f, 1, 59));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_undersize), 1);
	receive(&r, f, build(f, 1, 1515));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_oversize), 1);
	parqsim_rx(r.sim, 0, f, build(f, 1, 100), false);
	parqsim_rx(r.sim, 0, f, build(f, 1, 59), false);
	parqsim_rx(r.sim, 0, f, build(f, 1, 1515), false);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_fcs_err), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_fragment), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_jabber), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_undersize), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_oversize), 1);
	build(bc, 0, 64);
	memset(bc, 0xff, 6);
	receive(&r, bc, 64);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.broadcast), 1);
	rig_write(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_CTRL, 0);
	receive(&r, f, build(f, 1, 100));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 1);
	rig_write(&r, 0, PARQ_PORT_CTRL, 0);
	receive(&r, f, 100);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 2);
	/* Without a link nothing is received. */
	frames = le64_to_cpu(stats(&r)->rx.frames);
	rig_write(&r, 0, PARQ_LINK_CTRL, 0);
	receive(&r, f, 100);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 3);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.frames), frames);
	rig_fini(&r);
}

/* Further addresses, and all of them, on request. */
static void filters(void **state)
{
	struct rig r;
	u8 f[64];

	(void)state;
	rx_init(&r, 0, 0);
	rig_write(&r, 0, PARQ_FILTER_LO(5), 0x00000002);
	rig_write(&r, 0, PARQ_FILTER_HI(5), PARQ_FILTER_HI_VALID | 9 << 8);
	receive(&r, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	rig_write(&r, 0, PARQ_FILTER_HI(5), 0);
	receive(&r, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 1);
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	receive(&r, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 2);
	/* All groups, and still no other station. */
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_ALLMULTI);
	receive(&r, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 2);
	f[0] = 3;
	receive(&r, f, 64);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 3);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	receive(&r, f, 64);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 3);
	rig_fini(&r);
}

/* The tag is stripped and told; its PCP is the priority that is counted. */
static void vlan_is_stripped(void **state)
{
	struct rig r;
	u8 f[104];

	(void)state;
	rx_init(&r, PARQ_PORT_CTRL_VLAN_STRIP, 0);
	build(f, 1, 104);
	memcpy(f + 12, "\x81\x00\xa0\x2a\x88\xb5", 6);
	receive(&r, f, 104);
	assert_true(flags_at(&r, 0) & PARQ_RX_VLAN);
	assert_int_equal(FIELD_GET(PARQ_RX_PRIO, flags_at(&r, 0)), 5);
	assert_int_equal(le16_to_cpu(comp_at(&r, 0)->tci), 0xa02a);
	assert_int_equal(le16_to_cpu(comp_at(&r, 0)->len), 100);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].rx_frames), 1);
	/* It was on the wire. */
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].rx_bytes), 104);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].bytes), 104);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.bytes), 104 + 4);
	rig_fini(&r);
}

static void verified_checksums_are_counted(void **state)
{
	struct packet p;
	struct rig r;

	(void)state;
	rx_init(&r, PARQ_PORT_CTRL_RX_CSUM | PARQ_PORT_CTRL_PROMISC, 0);
	packet_eth(&p);
	packet_ip4(&p, (const u8 *)"\xc0\0\2\1\xc6\x33\x64\1", 0);
	packet_udp(&p, (const u8 *)"\x12\x34\0\x50");
	packet_payload(&p, 100);
	packet_finish(&p);
	receive(&r, p.b, p.len);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].csum), 1);
	p.b[p.len - 1] ^= 1;	/* a wrong one */
	receive(&r, p.b, p.len);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].csum), 2);
	p.b[12] = 0x88;		/* none */
	receive(&r, p.b, p.len);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].csum), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 3);
	rig_fini(&r);
}

/* PFC frames stop here; those that are wrong are counted and do nothing. */
/* PFC for priority 2, 100 quanta. */
static const u8 pfc_good[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7,
				 0x88, 0x08, 0x01, 0x01, 0, 0x04,
				 0, 0, 0, 0, 0, 100 };

/* A packet of @payload bytes behind two tags or none, in a frame of @len bytes. Return: its end. */
static u32 padded(struct packet *p, bool tags, bool ipv6, u32 payload, u32 len)
{
	static const u8 addr[32] = { 10, 1, 2, 3, 10, 1, 2, 4 };
	u32 end;

	packet_eth(p);
	if (tags) {
		packet_tag(p, ETH_P_8021AD, 7);
		packet_tag(p, ETH_P_8021Q, 8);
	}
	if (ipv6)
		packet_ip6(p, addr);
	else
		packet_ip4(p, addr, 0);
	packet_udp(p, addr);
	packet_payload(p, payload);
	packet_finish(p);
	end = p->len;
	if (len > end)
		packet_push(p, len - end);
	return end;
}

static void padding_is_cut_off(void **state)
{
	static const struct {
		bool tags, ipv6;
		u32 payload, len;
		bool cut;
	} cases[] = {
		{ false, false, 1, 60, true },
		{ false, false, 1, 68, true },
		{ false, false, 1, 69, false },
		{ true, false, 0, 68, true },
		{ false, true, 0, 0, false },
		{ true, true, 0, 0, false },
		{ false, false, 18, 0, false },
	};
	static const u8 addr[8] = { 10, 1, 2, 3, 10, 1, 2, 4 };
	struct packet p;
	struct rig r;
	u32 i, end;

	(void)state;
	rx_init(&r, PARQ_PORT_CTRL_RX_UNPAD | PARQ_PORT_CTRL_RX_CSUM, 0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		end = padded(&p, cases[i].tags, cases[i].ipv6, cases[i].payload, cases[i].len);
		receive(&r, p.b, p.len);
		if (!cases[i].cut)
			end = p.len;
		assert_int_equal(le16_to_cpu(comp_at(&r, i)->len), end);
		assert_true(flags_at(&r, i) & PARQ_RX_CSUM_OK);
	}
	/* A packet that claims to be shorter than its headers, or longer than its frame. */
	padded(&p, false, false, 1, 60);
	set_be16(p.b + 16, 19);
	receive(&r, p.b, p.len);
	assert_int_equal(le16_to_cpu(comp_at(&r, i++)->len), 60);
	set_be16(p.b + 16, 47);
	receive(&r, p.b, p.len);
	assert_int_equal(le16_to_cpu(comp_at(&r, i++)->len), 60);
	/* The tag that is stripped is no padding. */
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_UNPAD |
		  PARQ_PORT_CTRL_VLAN_STRIP);
	packet_eth(&p);
	packet_tag(&p, ETH_P_8021Q, 8);
	packet_ip4(&p, addr, 0);
	packet_udp(&p, addr);
	packet_finish(&p);
	packet_push(&p, 64 - p.len);
	receive(&r, p.b, p.len);
	assert_int_equal(le16_to_cpu(comp_at(&r, i++)->len), 14 + 20 + 8);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	receive(&r, p.b, p.len);
	assert_int_equal(le16_to_cpu(comp_at(&r, i)->len), 64);
	rig_fini(&r);
}

static void pfc_ignored(struct rig *r)
{
	u8 f[60];

	memcpy(f, pfc_good, 60);
	f[15] = 2;		/* no such opcode */
	receive(r, f, 60);
	memcpy(f, pfc_good, 60);
	f[0] = 2, f[1] = 0, f[2] = 0, f[5] = 9;	/* somebody else's address */
	receive(r, f, 60);
	parqsim_rx(r->sim, 0, pfc_good, 60, false);
	assert_int_equal(le64_to_cpu(stats(r)->rx_fcs_err), 1);
	receive(r, pfc_good, 59);
	assert_int_equal(le64_to_cpu(stats(r)->rx_undersize), 1);
	assert_int_equal(rig_read(r, 0, PARQ_PFC(2) + PARQ_PFC_TIMER), 0);
	assert_int_equal(le64_to_cpu(stats(r)->rx_ctrl_unknown), 1);
	assert_int_equal(le64_to_cpu(stats(r)->rx_ctrl_addr), 1);
	assert_int_equal(le64_to_cpu(stats(r)->rx.pfc), 0);
	f[5] = 1;		/* our own address will do */
	receive(r, f, 60);
}

static void pfc_frames(void **state)
{
	struct rig r;
	u8 f[60];
	u32 i;

	(void)state;
	rx_init(&r, 0, 0);
	rig_pfc(&r, 0, 0xff, true);
	pfc_ignored(&r);
	assert_int_equal(rig_read(&r, 0, PARQ_PFC(2) + PARQ_PFC_TIMER), 100);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_pause), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[2].rx_xoff), 1);
	memcpy(f, pfc_good, 60);
	f[16] = 0xff;		/* reserved: names nobody */
	f[17] = BIT(0) | BIT(5);
	memset(f + 18, 1, 16);
	receive(&r, f, 60);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		bool named = i == 0 || i == 5, before = i == 2;

		assert_int_equal(rig_read(&r, 0, PARQ_PFC(i) + PARQ_PFC_TIMER),
				 named ? 0x0101 : before ? 100 : 0);
		assert_int_equal(le64_to_cpu(stats(&r)->prio[i].rx_pause),
				 named || before);
		assert_int_equal(le64_to_cpu(stats(&r)->prio[i].rx_xoff),
				 named || before);
	}
	assert_int_equal(le64_to_cpu(stats(&r)->rx.pfc), 2);
	/* Named, but not paused: a time of 0, then without PFC. */
	memset(f + 18, 0, 16);
	receive(&r, f, 60);
	rig_pfc(&r, 0, 0, true);
	memset(f + 18, 1, 16);
	receive(&r, f, 60);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].rx_pause), 3);
	assert_int_equal(le64_to_cpu(stats(&r)->prio[5].rx_xoff), 1);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 0);
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_MACCTRL);
	receive(&r, pfc_good, 60);
	assert_int_equal(le64_to_cpu(stats(&r)->rxq[0].frames), 1);
	assert_int_equal(flags_at(&r, 0) & PARQ_RX_FCS_ERR, 0);
	rig_fini(&r);
}

/* One interrupt for one armed position, and no more often than ITR says. */
static void interrupts_are_armed_and_spaced(void **state)
{
	struct rig r;
	u32 *irqs;
	u8 f[64];

	(void)state;
	rx_init(&r, 0, 0);
	irqs = &r.irqs[RIG_RX_VEC];
	receive(&r, f, build(f, 1, 64));
	assert_int_equal(*irqs, 1);
	receive(&r, f, 64);
	assert_int_equal(*irqs, 1);
	r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 3;
	receive(&r, f, 64);
	assert_int_equal(*irqs, 1);
	receive(&r, f, 64);
	assert_int_equal(*irqs, 2);
	parqsim_write(r.sim, PARQ_VEC_ITR(RIG_RX_VEC), 5000);
	rig_run(&r, 10 * RIG_US);
	r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 4;
	receive(&r, f, 64);
	r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 5;
	receive(&r, f, 64);
	assert_int_equal(*irqs, 3);
	rig_run(&r, 6 * RIG_US);
	assert_int_equal(*irqs, 4);
	rig_fini(&r);
}

/* A queue that is enabled again does not know what its host asked for before. */
static void restarted_queue_interrupts(void **state)
{
	struct rig r;
	u8 f[64];

	(void)state;
	rx_init(&r, 0, 0);
	r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 5;
	rig_write(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_CTRL, 0);
	rig_rxq_up(&r, 0, 0, LOG2, BUF);
	receive(&r, f, build(f, 1, 64));
	assert_int_equal(r.irqs[RIG_RX_VEC], 1);
	rig_fini(&r);
}

/* And clears filters. */
static void reset_stops_queues(void **state)
{
	struct rig r;
	u8 f[64];

	(void)state;
	rx_init(&r, 0, 0);
	rig_write(&r, 0, PARQ_FILTER_LO(0), 0x00000002);
	rig_write(&r, 0, PARQ_FILTER_HI(0), PARQ_FILTER_HI_VALID | 9 << 8);
	receive(&r, f, build(f, 1, 64));
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	rig_start(&r, PARQ_SPEED_10G, true);
	receive(&r, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&r)->rx_filtered), 1);
	build(f, 1, 64);
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD), 0);
	receive(&r, f, 64);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_disabled), 1);
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD), 0);
	rig_fini(&r);
}

/* ---- queues that stand -------------------------------------------------- */

static void stands_init(struct rig *r)
{
	rx_init(r, 0, 0);
	parqsim_write(r->sim, PARQ_EVENT_MASK, BIT(PARQ_EV_QUEUE));
}

/* @n: queues that have stopped so far, this one included: one event each */
static void expect_stopped(struct rig *r, enum parq_err err, u32 n)
{
	const struct parq_event *e = rig_event(r, n - 1);
	u64 frames = le64_to_cpu(stats(r)->rxq[0].frames);
	u64 drops = le64_to_cpu(stats(r)->rx_drop_nobuf);
	u8 f[64];

	receive(r, f, build(f, 1, 64));
	assert_int_equal(rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_ERR), err);
	assert_int_equal(le64_to_cpu(stats(r)->rxq[0].frames), frames);
	assert_int_equal(le64_to_cpu(stats(r)->rx_drop_nobuf), drops + 1);
	assert_int_equal(le32_to_cpu(e->gen), 1);
	assert_int_equal(e->type, PARQ_EV_QUEUE);
	assert_int_equal(e->index, PARQ_MAX_TXQ);
	assert_int_equal(le32_to_cpu(e->a), err);
	assert_int_equal(le32_to_cpu(rig_event(r, n)->gen), 0);
}

static void restart(struct rig *r)
{
	u64 frames = le64_to_cpu(stats(r)->rxq[0].frames);
	u8 f[64];

	rig_write(r, 0, PARQ_RXQ(0) + PARQ_RXQ_CTRL, 0);
	rig_rxq_up(r, 0, 0, LOG2, BUF);
	rig_assert_no_error(r);
	receive(r, f, build(f, 1, 64));
	assert_int_equal(le64_to_cpu(stats(r)->rxq[0].frames), frames + 1);
	assert_int_equal(rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD), 1);
}

static void bad_tails(void **state)
{
	u32 *tail;
	struct rig r;
	u8 f[64];

	(void)state;
	stands_init(&r);
	tail = &r.db[(PARQ_DB_RX(0, 0) + PARQ_DB_TAIL) / 4];
	*tail = BIT(LOG2) + 1;
	expect_stopped(&r, PARQ_ERR_DOORBELL, 1);
	restart(&r);
	*tail = BIT(LOG2) + 1;	/* a frame has come in: a full ring */
	receive(&r, f, build(f, 1, 64));
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD), 2);
	*tail = BIT(LOG2);
	expect_stopped(&r, PARQ_ERR_DOORBELL, 2);
	restart(&r);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_drop_dma), 0);
	rig_fini(&r);
}

/*
 * Frames of two buffers each, until the host refuses something: which frame that
 * is depends on how far buffer addresses were read ahead.
 */
static void refuse(struct rig *r, u64 addr, u64 len, u32 n)
{
	u32 i, head;
	u8 f[1500];

	rig_deny(r, addr, len);
	for (i = 0; le64_to_cpu(stats(r)->rx_drop_dma) != n; i++) {
		assert_true(i < BIT(LOG2) / 2);
		head = rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
		receive(r, f, build(f, 1, 1500));
	}
	assert_int_equal(head, 1 + 2 * (i - 1));
	assert_int_equal(rig_read(r, 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD), head);
	expect_stopped(r, PARQ_ERR_DMA, n);
	rig_deny(r, 0, 0);
	expect_stopped(r, PARQ_ERR_DMA, n);
	restart(r);
}

static void refused_dma(void **state)
{
	const struct rig_rxq *q;
	struct rig r;
	u32 i, n = 0;

	(void)state;
	stands_init(&r);
	q = &r.port[0].rxq[0];
	restart(&r);
	for (i = 1; i <= 2; i++) {	/* the first buffer, the second */
		refuse(&r, q->bufs + i * BUF + 64, 64, ++n);
		refuse(&r, q->comp + i * sizeof(struct parq_rx_comp), 8, ++n);
		refuse(&r, q->comp + i * sizeof(struct parq_rx_comp) + 8, 8,
		       ++n);
	}
	refuse(&r, q->fill, sizeof(__le64) << LOG2, ++n);
	rig_fini(&r);
}

/* A frame with a bad FCS reaches a host that asks for it, and says so. */
static void bad_fcs(void **state)
{
	struct rig r;
	u8 f[100];
	u32 len;

	(void)state;
	rx_init(&r, 0, 0);
	len = build(f, 1, 100);
	parqsim_rx(r.sim, 0, f, len, false);
	assert_int_equal(flags_at(&r, 0), 0);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_FCS_ERR);
	parqsim_rx(r.sim, 0, f, len, false);
	receive(&r, f, len);
	assert_true(flags_at(&r, 0) & PARQ_RX_FCS_ERR);
	assert_false(flags_at(&r, 1) & PARQ_RX_FCS_ERR);
	assert_true(flags_at(&r, 1) & PARQ_RX_EOP);
	assert_int_equal(le64_to_cpu(stats(&r)->rx_fcs_err), 2);
	assert_int_equal(le64_to_cpu(stats(&r)->rx.frames), 1);
	rig_fini(&r);
}

/* A merged frame has PARQ_RX_GRO_BUFS buffers at most. */
static void merged_frame_fits_its_buffers(void **state)
{
	struct rxqs *q;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	rig_rxq_up(&r, 0, 0, 6, 512);
	q = &r.sim->rxqs;
	assert_true(rxq_merges(q, 0, 0, PARQ_RX_GRO_BUFS * 512));
	assert_false(rxq_merges(q, 0, 0, PARQ_RX_GRO_BUFS * 512 + 1));
	assert_int_equal(rxq_merge_room(q, 0, 0), PARQ_RX_GRO_BUFS * 512);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_buffers),
		cmocka_unit_test(gen_alternates),
		cmocka_unit_test(own_address),
		cmocka_unit_test(no_buffer_is_counted),
		cmocka_unit_test(drops_have_reasons),
		cmocka_unit_test(filters),
		cmocka_unit_test(vlan_is_stripped),
		cmocka_unit_test(padding_is_cut_off),
		cmocka_unit_test(verified_checksums_are_counted),
		cmocka_unit_test(pfc_frames),
		cmocka_unit_test(interrupts_are_armed_and_spaced),
		cmocka_unit_test(restarted_queue_interrupts),
		cmocka_unit_test(reset_stops_queues),
		cmocka_unit_test(bad_tails),
		cmocka_unit_test(refused_dma),
		cmocka_unit_test(bad_fcs),
		cmocka_unit_test(merged_frame_fits_its_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
