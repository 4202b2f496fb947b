// SPDX-License-Identifier: GPL-2.0
/* The transmit side, as its host sees it: heads, and what interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>

#include "rig.h"

#define QUEUE		3
#define LEN		1000
#define LOG2		7	/* of the new ring */

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static u32 *irqs(struct rig *r)
{
	return &r->irqs[RIG_TX_VEC + QUEUE];
}

static void arm(struct rig *r, u32 pos)
{
	r->db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_ARM) / 4] = pos;
}

static void send(struct rig *r, u32 frames)
{
	while (frames--)
		rig_post(r, 0, QUEUE, LEN);
	rig_drain(r);
}

/* Of the many that move past it, the first head interrupts. */
static void interrupts_are_armed(void **state)
{
	struct rig r;
	u32 tail;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	arm(&r, 0);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 1);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 1);
	tail = r.port[0].txq[QUEUE].tail;
	arm(&r, tail);
	assert_int_equal(*irqs(&r), 1);
	send(&r, 5);
	assert_int_equal(*irqs(&r), 2);
	rig_fini(&r);
}

/* A ring that was replaced may take long to become empty: what it completes
 * meanwhile is told, though nobody can ask for it.
 */
static void old_ring_interrupts(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	arm(&r, 0);
	send(&r, 1);
	assert_int_equal(*irqs(&r), 1);
	for (i = 0; i < 4; i++)
		rig_post(&r, 0, QUEUE, LEN);
	rig_replace_ring(&r, 0, QUEUE, LOG2);
	rig_post(&r, 0, QUEUE, LEN);
	rig_post(&r, 0, QUEUE, LEN);
	rig_drain(&r);
	/* Four heads, of which the last one is followed by the change; then ARM 0. */
	assert_int_equal(*irqs(&r), 1 + 4 + 1 + 1);
	send(&r, 1);
	assert_int_equal(*irqs(&r), 1 + 4 + 1 + 1);
	rig_fini(&r);
}

/* Bytes are those of the wire: a tag that is inserted counts, and so does padding. */
static void bytes_of_the_wire(void **state)
{
	static const struct {
		u64 info;
		u32 bytes;
	} frames[] = {
		{ 14, 60 },
		{ 59, 60 },
		{ 59 | PARQ_TX_VLAN, 63 },
		{ 52 | PARQ_TX_VLAN, 60 },
		{ 100, 100 },
		{ 100 | PARQ_TX_VLAN, 104 },
	};
	const struct parq_stats *s;
	u32 i, bytes = 0;
	struct rig r;

	(void)state;
	rig_init(&r, &config, PARQ_SPEED_10G, true);
	r.lenient = true;	/* the oracle knows nothing of such frames */
	for (i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		rig_tx_desc(&r, 0, QUEUE, rig_tx_buf(&r, 0, QUEUE),
			    frames[i].info | PARQ_TX_EOP);
		rig_tx_ring(&r, 0, QUEUE);
		rig_run(&r, 10 * RIG_US);
		bytes += frames[i].bytes;
		s = rig_stats(&r, 0);
		assert_int_equal(le64_to_cpu(s->prio[QUEUE].tx_frames), i + 1);
		assert_int_equal(le64_to_cpu(s->prio[QUEUE].tx_bytes), bytes);
		assert_int_equal(le64_to_cpu(s->txq[QUEUE].bytes), bytes);
		assert_int_equal(le64_to_cpu(s->tx.bytes), bytes + 4 * (i + 1));
	}
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interrupts_are_armed),
		cmocka_unit_test(old_ring_interrupts),
		cmocka_unit_test(bytes_of_the_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
