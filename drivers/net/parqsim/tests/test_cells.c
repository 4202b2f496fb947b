// SPDX-License-Identifier: GPL-2.0
/* Chains of cells: each holds what was written to it, and all come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cells.h"
#include "rnd.h"

#define CELLS		64
#define CHAINS		6
#define LONGEST		600	/* bytes: so that all chains together fit */

static u32 mem[CELLS * (CELL_SIZE + sizeof(u32)) / sizeof(u32)];

static void fill(struct cells *c)
{
	static struct cells_part part;

	cells_init(c, &part, CELLS);
	cells_add(c, mem);
}

static void sizes(void **state)
{
	(void)state;
	assert_int_equal(cells_size(CELLS), sizeof(mem));
	assert_int_equal(cells_size(1), 2 * CELL_SIZE);
	assert_int_equal(cells_size(17), 17 * CELL_SIZE + 2 * CELL_SIZE);
}

static u32 chain_length(const struct cells *c, u32 cell)
{
	u32 n = 0;

	for (; cell != CELL_NONE; cell = *cells_next(c, cell))
		n++;
	return n;
}

/* Not one more than is needed. */
static void chains_are_as_long_as_they_must_be(void **state)
{
	struct cells c;
	u32 len, first;

	(void)state;
	fill(&c);
	for (len = 1; len <= CELLS * CELL_SIZE; len++) {
		first = cells_alloc(&c, len);
		assert_int_equal(chain_length(&c, first),
				 (len + CELL_SIZE - 1) / CELL_SIZE);
		cells_free(&c, first);
		assert_int_equal(chain_length(&c, c.free) + CELLS - c.fresh,
				 CELLS);
	}
	cells_reset(&c);
	assert_int_equal(c.fresh, 0);
	first = cells_alloc(&c, CELLS * CELL_SIZE);
	assert_int_equal(chain_length(&c, first), CELLS);
}

/* In two pieces and from any place; chains that went leave holes. */
static void chains_keep_what_they_hold(void **state)
{
	u32 first[CHAINS], len[CHAINS], seed = 1, i, j, k;
	u8 data[LONGEST], back[LONGEST];
	struct cells c;

	(void)state;
	fill(&c);
	for (i = 0; i < 2000; i++) {
		j = i % CHAINS;
		if (i >= CHAINS) {
			memset(data, i - CHAINS, len[j]);
			k = rnd(&seed, len[j]);
			cells_read(&c, first[j], k, back, len[j] - k);
			assert_memory_equal(data, back, len[j] - k);
			cells_free(&c, first[j]);
		}
		len[j] = 1 + rnd(&seed, LONGEST - 1);
		first[j] = cells_alloc(&c, len[j]);
		memset(data, i, len[j]);
		k = rnd(&seed, len[j]);
		cells_write(&c, first[j], 0, data, k);
		cells_write(&c, first[j], k, data, len[j] - k);
	}
}

/* A chain goes on in the next part. */
static void parts_are_one_pool(void **state)
{
	static u32 second[sizeof(mem) / sizeof(mem[0])];
	u8 data[LONGEST], back[LONGEST];
	struct cells_part part[2];
	struct cells c;
	u32 first, cell;

	(void)state;
	cells_init(&c, part, CELLS);
	assert_false(cells_have(&c, 1));
	cells_add(&c, mem);
	cells_alloc(&c, (CELLS - 1) * CELL_SIZE);
	assert_true(cells_have(&c, CELL_SIZE));
	assert_false(cells_have(&c, CELL_SIZE + 1));
	cells_add(&c, second);
	assert_true(cells_have(&c, LONGEST));
	first = cells_alloc(&c, LONGEST);
	assert_ptr_equal(cells_at(&c, first), mem + (CELLS - 1) * CELL_SIZE / sizeof(u32));
	cell = *cells_next(&c, first);
	assert_ptr_equal(cells_at(&c, cell), second);
	memset(data, 42, sizeof(data));
	cells_write(&c, first, 0, data, sizeof(data));
	cells_read(&c, first, 0, back, sizeof(back));
	assert_memory_equal(data, back, sizeof(data));
	cells_free(&c, first);
	assert_int_equal(chain_length(&c, c.free), (LONGEST + CELL_SIZE - 1) / CELL_SIZE);
	assert_true(cells_have(&c, (CELLS + 1) * CELL_SIZE));
	assert_false(cells_have(&c, (CELLS + 1) * CELL_SIZE + 1));
	cells_alloc(&c, (CELLS + 1) * CELL_SIZE);
	assert_false(cells_have(&c, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(chains_are_as_long_as_they_must_be),
		cmocka_unit_test(chains_keep_what_they_hold),
		cmocka_unit_test(parts_are_one_pool),
	};

	return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
