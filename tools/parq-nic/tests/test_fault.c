// SPDX-License-Identifier: GPL-2.0
/* Faults: as frequent as configured, none before, and repeatable by seed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fault.h"

#define VECTORS		4
#define TRIES		100000

static const struct fault_spec spec = {
	.seed = 42,
	.one_in = {
		[FAULT_DMA] = 100,
		[FAULT_LOST] = 10,
		[FAULT_LATE] = 20,
		[FAULT_TWICE] = 40,
		[FAULT_REFUSED] = 200,
		[FAULT_STUCK] = 100,
	},
};

static void start(struct fault *f)
{
	assert_int_equal(fault_init(f, &spec, VECTORS), 0);
	fault_set(f, FAULT_ALL);
}

static void off_until_switched_on(void **state)
{
	struct fault f;
	u64 word = 5;
	u32 i;

	(void)state;
	assert_int_equal(fault_init(&f, &spec, VECTORS), 0);
	for (i = 0; i < TRIES; i++) {
		assert_false(fault_dma(&f, &word, sizeof(word)));
		assert_false(fault_refused(&f));
		assert_false(fault_stuck(&f));
		assert_false(fault_fatal(&f));
		assert_int_equal(fault_irq(&f, 0, 1), 1);
	}
	assert_int_equal(word, 5);
	fault_fini(&f);
}

/* Within 10 % of the configured rate. */
static void about_one_in(u64 count, u32 n)
{
	assert_in_range(count, TRIES / n * 9 / 10, TRIES / n * 11 / 10);
}

static void as_often_as_asked_for(void **state)
{
	u8 frame[FAULT_MAX_LEN + 4] = { 0 }, zero[sizeof(frame)] = { 0 };
	u32 i, times[3] = { 0 }, vector;
	u64 word = 0, now;
	struct fault f;

	(void)state;
	start(&f);
	for (i = 0; i < TRIES; i++) {
		now = i * FAULT_LATE_MAX_NS;
		fault_dma(&f, &word, sizeof(word));
		assert_false(fault_dma(&f, frame, sizeof(frame)));
		fault_refused(&f);
		times[fault_irq(&f, i % VECTORS, now)]++;
		while (fault_irq_due(&f, now, &vector))
			assert_in_range(vector, 0, VECTORS - 1);
	}
	assert_memory_equal(frame, zero, sizeof(frame));
	about_one_in(f.count[FAULT_DMA], 100);
	about_one_in(f.count[FAULT_LOST], 10);
	about_one_in(f.count[FAULT_REFUSED], 200);
	assert_int_equal(times[0], f.count[FAULT_LOST] + f.count[FAULT_LATE]);
	assert_int_equal(times[2], f.count[FAULT_TWICE]);
	fault_fini(&f);
}

/* Each late interrupt arrives once, within its delay. */
static void late_ones_come(void **state)
{
	struct fault_spec late = { .one_in[FAULT_LATE] = 1 };
	struct fault f;
	u32 i, vector;

	(void)state;
	assert_int_equal(fault_init(&f, &late, VECTORS), 0);
	fault_set(&f, BIT(FAULT_LATE));
	for (i = 0; i < VECTORS; i++)
		assert_int_equal(fault_irq(&f, i, 1000), 0);
	assert_false(fault_irq_due(&f, 1000, &vector));
	for (i = 0; i < VECTORS; i++) {
		assert_true(fault_irq_due(&f, 1001 + FAULT_LATE_MAX_NS, &vector));
		assert_int_equal(vector, i);
	}
	assert_false(fault_irq_due(&f, 1001 + FAULT_LATE_MAX_NS, &vector));
	assert_int_equal(f.next_ns, 0);
	fault_fini(&f);
}

/* One at a time, at the configured rate on average. */
static void one_queue_is_stuck(void **state)
{
	struct fault f;
	u32 i, n, sum = 0;

	(void)state;
	assert_int_equal(fault_init(&f, &spec, VECTORS), 0);
	for (i = 1; i <= 1000; i++) {
		fault_set(&f, BIT(FAULT_STUCK));
		for (n = 1; !fault_stuck(&f); n++)
			;
		sum += n;
		for (n = 0; n < 1000; n++)
			assert_false(fault_stuck(&f));
		assert_int_equal(f.count[FAULT_STUCK], i);
	}
	assert_in_range(sum / 1000, 90, 110);
	fault_fini(&f);
}

/* A card that stopped once does not stop again after a reset. */
static void stops_once(void **state)
{
	const struct fault_spec often = { .seed = 1, .one_in[FAULT_FATAL] = 1 };
	struct fault f;
	u32 i;

	(void)state;
	assert_int_equal(fault_init(&f, &often, VECTORS), 0);
	for (i = 1; i <= 3; i++) {
		fault_set(&f, BIT(FAULT_FATAL));
		assert_true(fault_fatal(&f));
		assert_false(fault_fatal(&f));
		assert_int_equal(f.count[FAULT_FATAL], i);
	}
	fault_fini(&f);
}

static void same_seed_same_faults(void **state)
{
	u64 one[64], other[64];
	struct fault f;
	u32 i;

	(void)state;
	memset(one, 0, sizeof(one));
	memset(other, 0, sizeof(other));
	start(&f);
	for (i = 0; i < TRIES; i++)
		fault_dma(&f, &one[i % 64], sizeof(*one));
	fault_fini(&f);
	start(&f);
	for (i = 0; i < TRIES; i++)
		fault_dma(&f, &other[i % 64], sizeof(*other));
	fault_fini(&f);
	assert_memory_equal(one, other, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(off_until_switched_on),
		cmocka_unit_test(as_often_as_asked_for),
		cmocka_unit_test(late_ones_come),
		cmocka_unit_test(one_queue_is_stuck),
		cmocka_unit_test(stops_once),
		cmocka_unit_test(same_seed_same_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
