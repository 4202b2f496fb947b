// SPDX-License-Identifier: GPL-2.0
/* The account of the shared pool: what limits let buffers have, and in which order it is freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pool.h"

#define PORTS	8
#define SIZE	(1 << 20)
#define FRAME	1500

static struct pool_port port[PORTS];

static void begin(struct pool *pool, u32 limit)
{
	u32 i, buf;

	*pool = (struct pool){ .port = port };
	pool_reset(pool, PORTS);
	pool_give(pool, 0, SIZE / 2);
	pool_give(pool, 1, SIZE);
	pool_give(pool, 0, SIZE);
	assert_int_equal(pool->room, 2 * SIZE);
	pool->size = SIZE;
	for (i = 0; i < PORTS; i++)
		for (buf = 0; buf < PARQ_NUM_RXB; buf++)
			port[i].buf[buf].limit = limit;
}

/* @n senders send frames of @len in turn until the pool takes no more of any. */
static void fill(struct pool *pool, u32 n, u32 len)
{
	bool more = true;
	u32 i;

	while (more) {
		for (i = 0, more = false; i < n; i++) {
			if (!pool_takes(pool, i, 1, len))
				continue;
			pool_charge(pool, i, 1, len);
			more = true;
		}
	}
}

/* Each of n gets size * alpha / (1 + n * alpha), to one frame. */
static void shares(void **state)
{
	static const u32 lens[] = { 64, 1500, 9022 };
	u32 threshold, n, l, i;
	struct pool pool;
	u64 exact;

	(void)state;
	for (threshold = 7; threshold <= 13; threshold++) {
		for (n = 1; n <= 8; n *= 2) {
			/* In eighths: alpha is 2^(threshold - 7) / 8. */
			u64 alpha = 1 << (threshold - 7);

			exact = SIZE * alpha / (8 + n * alpha);
			for (l = 0; l < sizeof(lens) / sizeof(*lens); l++) {
				begin(&pool, PARQ_SW_POOL_LIMIT_DYNAMIC | threshold);
				fill(&pool, n, lens[l]);
				for (i = 0; i < n; i++)
					assert_in_range(port[i].used, exact - lens[l],
							exact + lens[l]);
			}
			print_message("# alpha %ju/8, %u senders: %u of %ju\n", (uintmax_t)alpha, n,
				      port[0].used, (uintmax_t)exact);
		}
	}
}

/* The least and the largest threshold; a limit in bytes; none. */
static void limits(void **state)
{
	struct pool pool;

	(void)state;
	begin(&pool, PARQ_SW_POOL_LIMIT_DYNAMIC | PARQ_SW_POOL_ALPHA_MIN);
	assert_int_equal(pool_limit(&pool, 0, 0), SIZE / 128);
	begin(&pool, PARQ_SW_POOL_LIMIT_DYNAMIC | PARQ_SW_POOL_ALPHA_MAX);
	assert_int_equal(pool_limit(&pool, 0, 0), SIZE * 64ULL);
	assert_true(pool_takes(&pool, 0, 0, SIZE / 2));
	assert_false(pool_takes(&pool, 0, 0, SIZE));
	begin(&pool, 10000);
	assert_true(pool_takes(&pool, 0, 0, 10000));
	assert_false(pool_takes(&pool, 0, 0, 10001));
	begin(&pool, SIZE);
	pool_charge(&pool, 0, 0, SIZE - 10);
	assert_true(pool_takes(&pool, 1, 0, 10));
	assert_false(pool_takes(&pool, 1, 0, 11));
	pool.size = SIZE / 2;
	assert_false(pool_takes(&pool, 1, 0, 1));
	assert_int_equal(pool_limit(&pool, 1, 0), SIZE);
	begin(&pool, 0);
	assert_false(pool_takes(&pool, 0, 0, 1));
	/* A pool is not larger than what ports give. */
	begin(&pool, 4 * SIZE);
	pool.size = 4 * SIZE;
	assert_true(pool_takes(&pool, 0, 0, 2 * SIZE));
	assert_false(pool_takes(&pool, 0, 0, 2 * SIZE + 1));
}

/* Reserved memory, pool, headroom; and back. */
static void order(void **state)
{
	struct pool pool;
	struct pool_buf *b = &port[2].buf[1];

	(void)state;
	begin(&pool, 2 * FRAME);
	assert_int_equal(pool_beyond(0, FRAME, FRAME), 0);
	assert_int_equal(pool_beyond(0, FRAME, FRAME + 1), 1);
	assert_int_equal(pool_beyond(FRAME + 1, FRAME, FRAME), FRAME);
	pool_charge(&pool, 2, 1, FRAME);
	pool_charge(&pool, 2, 1, FRAME);
	assert_int_equal(b->shared, 2 * FRAME);
	assert_int_equal(b->head, 0);
	pool_charge(&pool, 2, 1, 2);
	assert_int_equal(b->head, 2);
	assert_int_equal(pool.used, 2 * FRAME);
	pool_discharge(&pool, 2, 1, 3);
	assert_int_equal(b->head, 0);
	assert_int_equal(b->shared, 2 * FRAME - 1);
	pool_discharge(&pool, 2, 1, 3 * FRAME);
	assert_int_equal(b->shared, 0);
	assert_int_equal(pool.used, 0);
	assert_int_equal(port[2].used, 0);
	assert_int_equal(port[2].high, 2 * FRAME);
}

/* A buffer gets less or more of its own: what it holds changes sides. */
static void settled(void **state)
{
	const struct pool_buf *b = &port[0].buf[0];
	struct pool pool;

	(void)state;
	begin(&pool, 2 * FRAME);
	/* FRAME reserved, 2 * FRAME shared, 100 of the headroom. */
	pool_charge(&pool, 0, 0, 2 * FRAME);
	pool_charge(&pool, 0, 0, 100);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, FRAME, 2 * FRAME);
	assert_int_equal(b->shared, 2 * FRAME);
	assert_int_equal(b->head, 100);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, 200, 2 * FRAME);
	assert_int_equal(b->shared, 2 * FRAME);
	assert_int_equal(b->head, FRAME - 100);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, 2 * FRAME, 3 * FRAME);
	assert_int_equal(b->shared, FRAME + 100);
	assert_int_equal(b->head, 0);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, 300, FRAME);
	assert_int_equal(b->shared, 2 * FRAME + 100);
	assert_int_equal(b->head, FRAME - 300);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, 4 * FRAME, 4 * FRAME);
	assert_int_equal(pool.used, 0);
	assert_int_equal(b->head, 0);
	pool_settle(&pool, 0, 0, 3 * FRAME + 100, 0, 0);
	assert_int_equal(pool.used, 3 * FRAME + 100);
	assert_int_equal(port[0].used, pool.used);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares),
		cmocka_unit_test(limits),
		cmocka_unit_test(order),
		cmocka_unit_test(settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
