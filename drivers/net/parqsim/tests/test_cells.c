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

	for (; cell != CELL_NONE; cell = c->next[cell])
		n++;
	return n;
}

/* Not one more than is needed. */
static void chains_are_as_long_as_they_must_be(void **state)
{
	struct cells c;
	u32 len, first;

	(void)state;
	cells_init(&c, mem, CELLS);
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
	cells_init(&c, mem, CELLS);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(chains_are_as_long_as_they_must_be),
		cmocka_unit_test(chains_keep_what_they_hold),
	};

	return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
