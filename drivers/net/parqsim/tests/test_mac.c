// SPDX-License-Identifier: GPL-2.0
/* How the MAC counts MAC control frames that the host sends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

#define LEN		60

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* All priorities are named. */
static const u8 pfc[LEN] = {
	0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, 0x01, 0x01,
	0, 0xff, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0,
};

static void mac_init(struct rig *r, int speed)
{
	rig_init(r, &config, speed, true);
	/* These frames have no number for the oracle. */
	r->lenient = true;
}

/* @cut: bytes of each buffer; the last has the rest */
static void send_cut(struct rig *r, const u8 *f, u32 len, u32 cut, u64 info)
{
	u64 at = rig_tx_buf(r, 0, 0);
	u32 n;

	memcpy(rig_ptr(r, at, len), f, len);
	for (; len; at += n, len -= n) {
		n = len < cut ? len : cut;
		rig_tx_desc(r, 0, 0, at, info | n | (n == len ? PARQ_TX_EOP : 0));
		info = 0;
	}
	rig_tx_ring(r, 0, 0);
	rig_run(r, 100 * RIG_US);
}

static void send(struct rig *r, const u8 *f)
{
	send_cut(r, f, LEN, LEN, 0);
}

static void expect(struct rig *r, u32 frames, u32 ctrl, u32 pfcs)
{
	const struct parq_stats *s = rig_stats(r, 0);

	assert_int_equal(le64_to_cpu(s->tx.frames), frames);
	assert_int_equal(le64_to_cpu(s->tx.ctrl), ctrl);
	assert_int_equal(le64_to_cpu(s->tx.pfc), pfcs);
}

static void sent_control_frames(void **state)
{
	struct rig r;
	u8 f[LEN];

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	send(&r, pfc);
	expect(&r, 1, 1, 1);
	memcpy(f, pfc, LEN);
	f[15] = 0;		/* no opcode of anything */
	send(&r, f);
	expect(&r, 2, 2, 1);
	f[14] = 0;
	f[15] = 1;		/* IEEE 802.3x */
	send(&r, f);
	expect(&r, 3, 3, 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->tx.pause), 1);
	memcpy(f, pfc, LEN);
	f[13] = 0x09;		/* a neighbour of MAC control */
	send(&r, f);
	f[12] = 0x08;
	f[13] = 0x88;
	send(&r, f);
	expect(&r, 5, 3, 1);
	rig_fini(&r);
}

/* A frame counts as PFC if the link partner would treat it as PFC. */
static void sent_addresses(void **state)
{
	struct rig r;
	u8 f[LEN];

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	memcpy(f, pfc, LEN);
	memcpy(f, "\x02\0\0\0\0\7", 6);	/* possibly the link partner's address */
	send(&r, f);
	expect(&r, 1, 1, 1);
	memcpy(f, pfc, 6);
	f[5] = 2;		/* another reserved group */
	send(&r, f);
	memset(f, 0xff, 6);
	send(&r, f);
	expect(&r, 3, 3, 1);
	rig_write(&r, 0, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
		  FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_100M));
	assert_false(rig_read(&r, 0, PARQ_PORT_STATUS) &
		     PARQ_PORT_STATUS_FULL_DUPLEX);
	send(&r, pfc);		/* half duplex: nobody obeys it, but it is one */
	expect(&r, 4, 4, 2);
	rig_fini(&r);
}

/* Type and opcode may lie in different buffers, and the padding in none. */
static void sent_in_pieces(void **state)
{
	struct rig r;
	u32 cut;

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	for (cut = 2; cut < 20; cut++) {
		send_cut(&r, pfc, LEN, cut, 0);
		expect(&r, cut - 1, cut - 1, cut - 1);
	}
	send_cut(&r, pfc, 18, 18, 0);
	expect(&r, cut - 1, cut - 1, cut - 1);
	/* Bytes of an earlier frame do not count as its opcode. */
	send_cut(&r, pfc, 14, 14, 0);
	expect(&r, cut, cut, cut - 1);
	rig_fini(&r);
}

/* Behind a tag it is an ordinary frame, no matter who inserted the tag. */
static void sent_tagged(void **state)
{
	struct rig r;
	u8 f[LEN];

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	memcpy(f, pfc, 12);
	memcpy(f + 12, "\x81\x00\xe0\x00", 4);
	memcpy(f + 16, pfc + 12, LEN - 16);
	send(&r, f);
	send_cut(&r, pfc, LEN, LEN, PARQ_TX_VLAN |
		 FIELD_PREP(PARQ_TX_TCI, 0xe000));
	expect(&r, 2, 0, 0);
	rig_fini(&r);
}

/* They count as sent, and have no effect on the NIC itself. */
static void sent_and_received_are_apart(void **state)
{
	const struct parq_stats *s;
	struct rig r;
	u32 prio;

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	rig_pfc(&r, 0, 0xff, true);
	send(&r, pfc);
	s = rig_stats(&r, 0);
	assert_int_equal(le64_to_cpu(s->rx.ctrl), 0);
	assert_int_equal(le64_to_cpu(s->rx.pfc), 0);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		assert_int_equal(le64_to_cpu(s->prio[prio].rx_pause), 0);
		assert_int_equal(le64_to_cpu(s->prio[prio].tx_pause), 0);
		assert_int_equal(rig_read(&r, 0, PARQ_PFC(prio) +
					  PARQ_PFC_TIMER), 0);
	}
	parqsim_rx(r.sim, 0, pfc, LEN, true);
	expect(&r, 1, 1, 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx.pfc), 1);
	s = rig_stats(&r, 1);
	assert_int_equal(le64_to_cpu(s->tx.ctrl), 0);
	rig_fini(&r);
}

/* Frames count by their size with FCS: each bound belongs to the lower range. */
static void sizes(void **state)
{
	static const u32 bound[] = PARQ_RMON_BOUNDS;
	u8 f[RIG_BUF] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0xb5 };
	const struct parq_stats *s;
	struct rig r;
	u32 i, len;

	(void)state;
	mac_init(&r, PARQ_SPEED_10G);
	rig_write(&r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
	for (i = 0; i + 1 < PARQ_NUM_RMON; i++)
		for (len = bound[i]; len <= bound[i] + 1; len++) {
			send_cut(&r, f, len - 4, len, 0);
			parqsim_rx(r.sim, 0, f, len - 4, true);
		}
	s = rig_stats(&r, 0);
	for (i = 0; i < PARQ_NUM_RMON; i++) {
		len = i == 0 || i + 1 == PARQ_NUM_RMON ? 1 : 2;
		assert_int_equal(le64_to_cpu(s->tx.rmon[i]), len);
		assert_int_equal(le64_to_cpu(s->rx.rmon[i]), len);
	}
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sent_control_frames),
		cmocka_unit_test(sent_addresses),
		cmocka_unit_test(sent_in_pieces),
		cmocka_unit_test(sent_tagged),
		cmocka_unit_test(sent_and_received_are_apart),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
