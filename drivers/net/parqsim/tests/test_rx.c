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

#include "rig.h"

#define LOG2		6
#define BUF		1024

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 4, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

struct rx {
	struct rig rig;
	u64 fill;
	u64 comp;
	u64 bufs;
};

static void write64(struct rig *r, u32 off, u64 val)
{
	rig_write(r, 0, off, val);
	rig_write(r, 0, off + 4, val >> 32);
}

/* RX queue 0 with all its buffers but the last @keep given to the NIC. */
static void rx_init(struct rx *x, u32 ctrl, u32 keep)
{
	struct rig *r = &x->rig;
	__le64 *fill;
	u32 i;

	rig_init(r, &config, PARQ_SPEED_10G, true);
	x->fill = rig_alloc(r, sizeof(__le64) << LOG2, 64);
	x->comp = rig_alloc(r, sizeof(struct parq_rx_comp) << LOG2, 64);
	x->bufs = rig_alloc(r, BUF << LOG2, 64);
	fill = rig_ptr(r, x->fill, sizeof(__le64) << LOG2);
	for (i = 0; i < BIT(LOG2); i++)
		fill[i] = cpu_to_le64(x->bufs + i * BUF);
	write64(r, PARQ_RXQ(0) + PARQ_RXQ_FILL_LO, x->fill);
	write64(r, PARQ_RXQ(0) + PARQ_RXQ_COMP_LO, x->comp);
	rig_write(r, 0, PARQ_RXQ(0) + PARQ_RXQ_BUF, BUF);
	rig_write(r, 0, PARQ_RXQ(0) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN |
		  FIELD_PREP(PARQ_RXQ_CTRL_SIZE, LOG2) |
		  FIELD_PREP(PARQ_RXQ_CTRL_VEC, 20));
	rig_write(r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | ctrl);
	rig_assert_no_error(r);
	r->db[(PARQ_DB_RX(0, 0) + PARQ_DB_TAIL) / 4] = BIT(LOG2) - keep;
}

static const struct parq_rx_comp *comp_at(struct rx *x, u32 pos)
{
	return rig_ptr(&x->rig, x->comp + sizeof(struct parq_rx_comp) *
		       (pos & (BIT(LOG2) - 1)), sizeof(struct parq_rx_comp));
}

static u32 flags_at(struct rx *x, u32 pos)
{
	return le32_to_cpu(comp_at(x, pos)->flags);
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

static void receive(struct rx *x, const u8 *f, u32 len)
{
	parqsim_rx(x->rig.sim, 0, f, len, true);
}

static const struct parq_stats *stats(struct rx *x)
{
	return rig_stats(&x->rig, 0);
}

/* A frame longer than a buffer takes several; only the last has EOP. */
static void spans_buffers(void **state)
{
	struct rx x;
	u8 f[9000];

	(void)state;
	rx_init(&x, 0, 0);
	rig_write(&x.rig, 0, PARQ_MAX_FRAME, 9018);
	receive(&x, f, build(f, 1, 2500));
	assert_int_equal(flags_at(&x, 0), PARQ_RX_GEN);
	assert_int_equal(flags_at(&x, 1), PARQ_RX_GEN);
	assert_int_equal(flags_at(&x, 2) & (PARQ_RX_GEN | PARQ_RX_EOP),
			 PARQ_RX_GEN | PARQ_RX_EOP);
	assert_int_equal(le16_to_cpu(comp_at(&x, 0)->len), BUF);
	assert_int_equal(le16_to_cpu(comp_at(&x, 2)->len), 2500 - 2 * BUF);
	assert_memory_equal(rig_ptr(&x.rig, x.bufs, 2500), f, 2500);
	rig_fini(&x.rig);
}

/* GEN changes with every round of the ring. */
static void gen_alternates(void **state)
{
	u32 i, tail = BIT(LOG2);
	struct rx x;
	u8 f[64];

	(void)state;
	rx_init(&x, 0, 0);
	for (i = 0; i < 3 * BIT(LOG2); i++) {
		receive(&x, f, build(f, 1, 64));
		x.rig.db[(PARQ_DB_RX(0, 0) + PARQ_DB_TAIL) / 4] = ++tail;
		assert_int_equal(!!(flags_at(&x, i) & PARQ_RX_GEN),
				 !((i >> LOG2) & 1));
	}
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 3 * BIT(LOG2));
	rig_fini(&x.rig);
}

static void no_buffer_is_counted(void **state)
{
	struct rx x;
	u8 f[1500];
	u32 i;

	(void)state;
	rx_init(&x, 0, BIT(LOG2) - 3);
	for (i = 0; i < 4; i++)
		receive(&x, f, build(f, 1, 1500));
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 1);
	assert_int_equal(le64_to_cpu(stats(&x)->rx_drop_nobuf), 3);
	receive(&x, f, build(f, 1, 100));
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 2);
	rig_fini(&x.rig);
}

static void drops_have_reasons(void **state)
{
	u8 f[1600], bc[64];
	struct rx x;

	(void)state;
	rx_init(&x, 0, 0);
	receive(&x, f, build(f, 9, 100));
	assert_int_equal(le64_to_cpu(stats(&x)->rx_filtered), 1);
	receive(&x, f, build(f, 1, 59));
	assert_int_equal(le64_to_cpu(stats(&x)->rx_undersize), 1);
	receive(&x, f, build(f, 1, 1515));
	assert_int_equal(le64_to_cpu(stats(&x)->rx_oversize), 1);
	parqsim_rx(x.rig.sim, 0, f, build(f, 1, 100), false);
	assert_int_equal(le64_to_cpu(stats(&x)->rx_fcs_err), 1);
	build(bc, 0, 64);
	memset(bc, 0xff, 6);
	receive(&x, bc, 64);
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 1);
	assert_int_equal(le64_to_cpu(stats(&x)->rx.broadcast), 1);
	rig_write(&x.rig, 0, PARQ_RXQ(0) + PARQ_RXQ_CTRL, 0);
	receive(&x, f, build(f, 1, 100));
	assert_int_equal(le64_to_cpu(stats(&x)->rx_drop_disabled), 1);
	rig_fini(&x.rig);
}

/* Further addresses, and all of them, on request. */
static void filters(void **state)
{
	struct rx x;
	u8 f[64];

	(void)state;
	rx_init(&x, 0, 0);
	rig_write(&x.rig, 0, PARQ_FILTER_LO(5), 0x00000002);
	rig_write(&x.rig, 0, PARQ_FILTER_HI(5), PARQ_FILTER_HI_VALID | 9 << 8);
	receive(&x, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 1);
	rig_write(&x.rig, 0, PARQ_FILTER_HI(5), 0);
	receive(&x, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&x)->rx_filtered), 1);
	rig_write(&x.rig, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	receive(&x, f, build(f, 9, 64));
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 2);
	rig_fini(&x.rig);
}

/* The tag is stripped and told; its PCP is the priority that is counted. */
static void vlan_is_stripped(void **state)
{
	struct rx x;
	u8 f[104];

	(void)state;
	rx_init(&x, PARQ_PORT_CTRL_VLAN_STRIP, 0);
	build(f, 1, 104);
	memcpy(f + 12, "\x81\x00\xa0\x2a\x88\xb5", 6);
	receive(&x, f, 104);
	assert_true(flags_at(&x, 0) & PARQ_RX_VLAN);
	assert_int_equal(FIELD_GET(PARQ_RX_PRIO, flags_at(&x, 0)), 5);
	assert_int_equal(le16_to_cpu(comp_at(&x, 0)->tci), 0xa02a);
	assert_int_equal(le16_to_cpu(comp_at(&x, 0)->len), 100);
	assert_int_equal(le64_to_cpu(stats(&x)->prio[5].rx_frames), 1);
	rig_fini(&x.rig);
}

/* PFC frames stop here; those that are wrong are counted and do nothing. */
static void pfc_frames(void **state)
{
	static const u8 good[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7,
				     0x88, 0x08, 0x01, 0x01, 0, 0x04,
				     0, 0, 0, 0, 0, 100 };
	struct rx x;
	u8 f[60];

	(void)state;
	rx_init(&x, 0, 0);
	rig_pfc(&x.rig, 0, BIT(2), true);
	memcpy(f, good, 60);
	f[15] = 2;		/* no such opcode */
	receive(&x, f, 60);
	memcpy(f, good, 60);
	f[0] = 2, f[1] = 0, f[2] = 0, f[5] = 9;	/* somebody else's address */
	receive(&x, f, 60);
	parqsim_rx(x.rig.sim, 0, good, 60, false);
	assert_int_equal(rig_read(&x.rig, 0, PARQ_PFC(2) + PARQ_PFC_TIMER), 0);
	assert_int_equal(le64_to_cpu(stats(&x)->rx_ctrl_unknown), 2);
	assert_int_equal(le64_to_cpu(stats(&x)->rx.pfc), 0);
	f[5] = 1;		/* our own address will do */
	receive(&x, f, 60);
	assert_int_equal(rig_read(&x.rig, 0, PARQ_PFC(2) + PARQ_PFC_TIMER), 100);
	assert_int_equal(le64_to_cpu(stats(&x)->prio[2].rx_pause), 1);
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 0);
	rig_write(&x.rig, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_MACCTRL);
	receive(&x, good, 60);
	assert_int_equal(le64_to_cpu(stats(&x)->rxq[0].frames), 1);
	rig_fini(&x.rig);
}

/* One interrupt for one armed position, and no more often than ITR says. */
static void interrupts_are_armed_and_spaced(void **state)
{
	struct rx x;
	u32 *irqs;
	u8 f[64];

	(void)state;
	rx_init(&x, 0, 0);
	irqs = &x.rig.irqs[20];
	receive(&x, f, build(f, 1, 64));
	assert_int_equal(*irqs, 1);
	receive(&x, f, 64);
	assert_int_equal(*irqs, 1);
	x.rig.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 2;
	receive(&x, f, 64);
	assert_int_equal(*irqs, 2);
	parqsim_write(x.rig.sim, PARQ_VEC_ITR(20), 5000);
	rig_run(&x.rig, 10 * RIG_US);
	x.rig.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 3;
	receive(&x, f, 64);
	x.rig.db[(PARQ_DB_RX(0, 0) + PARQ_DB_ARM) / 4] = 4;
	receive(&x, f, 64);
	assert_int_equal(*irqs, 3);
	rig_run(&x.rig, 6 * RIG_US);
	assert_int_equal(*irqs, 4);
	rig_fini(&x.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_buffers),
		cmocka_unit_test(gen_alternates),
		cmocka_unit_test(no_buffer_is_counted),
		cmocka_unit_test(drops_have_reasons),
		cmocka_unit_test(filters),
		cmocka_unit_test(vlan_is_stripped),
		cmocka_unit_test(pfc_frames),
		cmocka_unit_test(interrupts_are_armed_and_spaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
