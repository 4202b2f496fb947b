// SPDX-License-Identifier: GPL-2.0
/* The table of groups: against a model in all orders, how full it gets, what goes with a VLAN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mdb.h"
#include "rnd.h"

#define GROUP	0x0000005e0001ULL
#define FIDS	3
#define ADDRS	40

static struct mdb_group entry[MDB_SIZE];
static u16 bucket[MDB_SIZE];
static struct mdb table = { .entry = entry, .bucket = bucket };

static int setup(void **state)
{
	(void)state;
	mdb_init(&table, 1);
	mdb_reset(&table);
	return 0;
}

static u64 address(u32 n)
{
	return GROUP | (u64)n << 24;
}

static void expect(u32 fid, u32 n, u64 ports, bool host)
{
	const struct mdb_group *g = mdb_find(&table, fid, address(n));

	if (!ports && !host) {
		assert_null(g);
		return;
	}
	assert_non_null(g);
	assert_int_equal(g->ports, ports);
	assert_int_equal(g->host, host);
}

/* Sets and removals in random orders, as a plain array has them. */
static void as_a_plain_array(void **state)
{
	u64 ports[FIDS][ADDRS] = { 0 };
	bool host[FIDS][ADDRS] = { 0 };
	u32 seed = 7, i, fid, n, used;

	(void)state;
	for (i = 0; i < 20000; i++) {
		fid = rnd(&seed, FIDS);
		n = rnd(&seed, ADDRS);
		ports[fid][n] = rnd(&seed, 2) ? (u64)rnd(&seed, 4) << 60 : 0;
		host[fid][n] = !rnd(&seed, 3);
		assert_true(mdb_set(&table, fid + 1, address(n), ports[fid][n], host[fid][n]));
		if (!rnd(&seed, 200)) {
			mdb_purge(&table, fid + 1);
			memset(ports[fid], 0, sizeof(ports[fid]));
			memset(host[fid], 0, sizeof(host[fid]));
		}
		fid = rnd(&seed, FIDS);
		n = rnd(&seed, ADDRS);
		expect(fid + 1, n, ports[fid][n], host[fid][n]);
	}
	for (fid = 0, used = 0; fid < FIDS; fid++)
		for (n = 0; n < ADDRS; n++)
			used += ports[fid][n] || host[fid][n];
	assert_int_equal(table.used, used);
}

/* All entries can be used. A full table changes what it has, and takes no more. */
static void full(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < MDB_SIZE; i++)
		assert_true(mdb_set(&table, 1, address(i), 1, false));
	assert_false(mdb_set(&table, 1, address(i), 1, false));
	expect(1, i, 0, false);
	assert_true(mdb_set(&table, 1, address(5), 6, true));
	expect(1, 5, 6, true);
	/* The end of a group that is not there. */
	assert_true(mdb_set(&table, 2, address(5), 0, false));
	assert_true(mdb_set(&table, 1, address(5), 0, false));
	assert_true(mdb_set(&table, 2, address(5), 0, true));
	expect(2, 5, 0, true);
	mdb_purge(&table, 1);
	assert_int_equal(table.used, 1);
	expect(2, 5, 0, true);
	mdb_reset(&table);
	expect(2, 5, 0, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(as_a_plain_array, setup),
		cmocka_unit_test_setup(full, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
