// SPDX-License-Identifier: GPL-2.0
/* What waits to leave by a port of a switch: it is counted to the byte, and limited. */
#include "switch.h"

#define OUT		3
#define LEN		200
#define LOSSLESS	3	/* priority */

static void hold(struct fabric *f)
{
	rig_pause(&f->r, OUT, 0xff, 0xffff);
}

static void let_go(struct fabric *f)
{
	rig_pause(&f->r, OUT, 0xff, 0);
	rig_run(&f->r, RIG_MS);
}

/* Stations know each other, and port OUT is paused. */
static struct fabric *egress_begin(void)
{
	struct fabric *f = switch_begin();
	u32 port;

	meet(f);
	for (port = 0; port < PORTS; port++) {
		switch_write(&f->r, PARQ_SW_EGR(port, 0) + PARQ_SW_EGR_HIGH, 1);
		switch_write(&f->r, PARQ_SW_PORT(port) + PARQ_SW_EGR_PORT_HIGH, 1);
	}
	hold(f);
	return f;
}

static void fill(struct fabric *f, u32 prio, u32 frames)
{
	while (frames--)
		send(f, 0, OUT, prio, LEN);
	rig_run(&f->r, RIG_MS / 100);
}

static u32 used(struct fabric *f, u32 tc)
{
	return switch_read(&f->r, PARQ_SW_EGR(OUT, tc) + PARQ_SW_EGR_USED);
}

static u32 high(struct fabric *f, u32 tc)
{
	return switch_read(&f->r, PARQ_SW_EGR(OUT, tc) + PARQ_SW_EGR_HIGH);
}

static u32 port_used(struct fabric *f)
{
	return switch_read(&f->r, PARQ_SW_PORT(OUT) + PARQ_SW_EGR_PORT_USED);
}

static u32 port_high(struct fabric *f)
{
	return switch_read(&f->r, PARQ_SW_PORT(OUT) + PARQ_SW_EGR_PORT_HIGH);
}

static void limit(struct fabric *f, u32 tc, u32 bytes)
{
	switch_write(&f->r, PARQ_SW_EGR(OUT, tc) + PARQ_SW_EGR_LIMIT, bytes);
}

static void assert_used(struct fabric *f, u32 tc, u32 frames, u32 most)
{
	assert_int_equal(used(f, tc), frames * LEN);
	assert_int_equal(high(f, tc), most * LEN);
}

/* ---- the account ---------------------------------------------------------- */

static void counts(void **state)
{
	struct fabric *f = egress_begin();
	u32 tc;

	(void)state;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		assert_used(f, tc, 0, 0);
		assert_int_equal(switch_read(&f->r, PARQ_SW_EGR(OUT, tc) + PARQ_SW_EGR_LIMIT),
				 PARQ_SW_EGR_UNLIMITED);
	}
	/* All priorities are in class 0, whether they may be dropped or not. */
	fill(f, 1, 2);
	fill(f, LOSSLESS, 3);
	assert_used(f, 0, 5, 5);
	assert_used(f, 1, 0, 0);
	assert_int_equal(port_used(f), 5 * LEN);
	let_go(f);
	assert_used(f, 0, 0, 5);
	assert_int_equal(port_used(f), 0);
	assert_int_equal(port_high(f), 5 * LEN);
	assert_int_equal(switch_read(&f->r, PARQ_SW_PORT(0) + PARQ_SW_EGR_PORT_HIGH), 0);
	hold(f);
	fill(f, 1, 2);
	assert_used(f, 0, 2, 5);
	/* A new maximum begins with what waits. */
	switch_write(&f->r, PARQ_SW_EGR(OUT, 0) + PARQ_SW_EGR_HIGH, 0);
	switch_write(&f->r, PARQ_SW_PORT(OUT) + PARQ_SW_EGR_PORT_HIGH, 0);
	assert_used(f, 0, 2, 2);
	assert_int_equal(port_high(f), 2 * LEN);
	/* What is dropped with its port does not wait. */
	join(f, OUT, JOINED & ~PARQ_SW_CTRL_STATE);
	assert_used(f, 0, 0, 2);
	assert_int_equal(port_used(f), 0);
	fabric_fini(f);
}

/* Levels of all ports at once: of the pool, and of what waits. Buffers read as they are. */
static void snapshot(void **state)
{
	struct fabric *f = egress_begin();
	u32 pool;

	(void)state;
	fill(f, 1, 2);
	fill(f, LOSSLESS, 3);
	pool = switch_read(&f->r, PARQ_SW_PORT(0) + PARQ_SW_POOL_PORT_USED);
	assert_true(stored(f, 0));
	switch_write(&f->r, PARQ_SW_SNAPSHOT, 1);
	let_go(f);
	assert_used(f, 0, 5, 5);
	assert_int_equal(port_used(f), 5 * LEN);
	assert_int_equal(port_high(f), 5 * LEN);
	assert_int_equal(stored(f, 0), 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_PORT(0) + PARQ_SW_POOL_PORT_USED), pool);
	/* What is written acts, and is seen later. */
	switch_write(&f->r, PARQ_SW_EGR(OUT, 0) + PARQ_SW_EGR_HIGH, 7);
	assert_used(f, 0, 5, 5);
	switch_write(&f->r, PARQ_SW_SNAPSHOT, 0);
	assert_used(f, 0, 0, 0);
	assert_int_equal(port_used(f), 0);
	assert_int_equal(port_high(f), 5 * LEN);
	assert_int_equal(switch_read(&f->r, PARQ_SW_PORT(0) + PARQ_SW_POOL_PORT_USED), 0);
	/* One after another. */
	switch_write(&f->r, PARQ_SW_SNAPSHOT, 1);
	hold(f);
	fill(f, 1, 1);
	assert_used(f, 0, 0, 0);
	switch_write(&f->r, PARQ_SW_SNAPSHOT, 1);
	let_go(f);
	assert_used(f, 0, 1, 1);
	switch_write(&f->r, PARQ_SW_SNAPSHOT, 0);
	assert_used(f, 0, 0, 1);
	fabric_fini(f);
}

static void counts_classes(void **state)
{
	struct fabric *f = egress_begin();

	(void)state;
	rig_ets(&f->r, OUT, 0x00011000, 0, 0);	/* 3 and 4 are in 1 */
	fill(f, LOSSLESS, 1);
	fill(f, 4, 2);
	fill(f, 5, 4);
	assert_used(f, 1, 3, 3);
	assert_used(f, 0, 4, 4);
	assert_int_equal(port_high(f), 7 * LEN);
	/* They wait in their new class, which has never had as much. */
	rig_ets(&f->r, OUT, 0x00010000, 0, 0);
	assert_used(f, 1, 2, 3);
	assert_used(f, 0, 5, 5);
	let_go(f);
	assert_used(f, 0, 0, 5);
	hold(f);
	fill(f, 5, 6);
	rig_ets(&f->r, OUT, 0x00200000, 0, 0);
	let_go(f);
	assert_used(f, 2, 0, 6);
	fabric_fini(f);
}

/* Each copy of a flood counts at its port. */
static void counts_floods(void **state)
{
	struct fabric *f = egress_begin();

	(void)state;
	rig_pause(&f->r, 1, 0xff, 0xffff);
	send(f, 0, EVERYBODY, 1, LEN);
	rig_run(&f->r, RIG_MS / 10);
	assert_used(f, 0, 1, 1);
	assert_int_equal(switch_read(&f->r, PARQ_SW_EGR(1, 0) + PARQ_SW_EGR_USED), LEN);
	assert_int_equal(switch_read(&f->r, PARQ_SW_EGR(2, 0) + PARQ_SW_EGR_USED), 0);
	assert_int_equal(switch_read(&f->r, PARQ_SW_EGR(2, 0) + PARQ_SW_EGR_HIGH), LEN);
	rig_pause(&f->r, 1, 0xff, 0);
	let_go(f);
	fabric_fini(f);
}

/* ---- limits --------------------------------------------------------------- */

static void limits_to_the_byte(void **state)
{
	struct fabric *f = egress_begin();

	(void)state;
	limit(f, 0, 5 * LEN);
	fill(f, 1, 4);
	/* Class 1 has no priority, and no limit. */
	limit(f, 1, 0);
	fill(f, 2, 2);
	assert_used(f, 0, 5, 5);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 1);
	limit(f, 0, 6 * LEN - 1);
	fill(f, 1, 1);
	assert_used(f, 0, 5, 5);
	limit(f, 0, 6 * LEN);
	fill(f, 1, 1);
	assert_used(f, 0, 6, 6);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 2);
	/* A frame that was dropped was not stored, and another port takes its copy. */
	memset(f->sent, 0, sizeof(f->sent));
	send(f, 0, EVERYBODY, 1, LEN);
	rig_run(&f->r, RIG_MS / 10);
	assert_sent(f, 0, 1, 1, 0);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 3);
	/* What waits stays. */
	limit(f, 0, 0);
	assert_used(f, 0, 6, 6);
	fill(f, 1, 1);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 4);
	let_go(f);
	assert_sent(f, 0, 0, 0, 6);
	fill(f, 1, 1);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 5);
	limit(f, 0, PARQ_SW_EGR_UNLIMITED);
	fill(f, 1, 1);
	assert_sent(f, 0, 0, 0, 1);
	fabric_fini(f);
}

/* RED has no part in what the limit drops. */
static void limits_before_red(void **state)
{
	const u32 red = PARQ_SW_RED(OUT, 0);
	struct fabric *f = egress_begin();

	(void)state;
	switch_write(&f->r, red + PARQ_SW_RED_MIN, 1);
	switch_write(&f->r, red + PARQ_SW_RED_MAX, 2);
	switch_write(&f->r, red + PARQ_SW_RED_CTRL, PARQ_SW_RED_CTRL_EN);
	limit(f, 0, LEN);
	fill(f, 1, 3);
	assert_used(f, 0, 1, 1);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 2);
	assert_int_equal(switch_read(&f->r, red + PARQ_SW_RED_DROPPED_LO), 0);
	limit(f, 0, 2 * LEN);
	fill(f, 1, 1);
	assert_int_equal(switch_read(&f->r, red + PARQ_SW_RED_DROPPED_LO), 1);
	let_go(f);
	fabric_fini(f);
}

/* They count, but lose nothing. */
static void limits_no_lossless_priority(void **state)
{
	struct fabric *f = egress_begin();

	(void)state;
	limit(f, 0, 2 * LEN);
	fill(f, LOSSLESS, 9);
	assert_used(f, 0, 9, 9);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 0);
	fill(f, 1, 1);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 1);
	/* Lossless is what it is where it came from. */
	rig_write(&f->r, 0, PARQ_FC_CTRL, 0);
	fill(f, LOSSLESS, 1);
	assert_int_equal(stat(f, OUT, PARQ_SW_TX_DROP_FULL), 2);
	let_go(f);
	assert_sent(f, 0, 0, 0, 9);
	fabric_fini(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(snapshot),
		cmocka_unit_test(counts_classes),
		cmocka_unit_test(counts_floods),
		cmocka_unit_test(limits_to_the_byte),
		cmocka_unit_test(limits_before_red),
		cmocka_unit_test(limits_no_lossless_priority),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
