// SPDX-License-Identifier: GPL-2.0
/*
 * The table of addresses, against a model that is a plain list: what it knows, what it reports, and
 * when it removes an address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bitops.h>

#include "fdb.h"
#include "parqsim.h"
#include "rnd.h"

#define SECOND		(1000000000 * PARQSIM_PS_PER_NS)
#define MAX_LOG		(2 * FDB_SIZE)

/* A report. */
struct report {
	u64 addr;
	u64 at;
	u32 domain;
	u32 port;
	enum parq_fdb_change what;
};

static struct fixture {
	struct clock clock;
	struct fdb fdb;
	struct vlans vlans;
	struct vlan vlan[VLAN_SIZE];
	u16 vlan_bucket[VLAN_SIZE];
	struct fdb_entry entry[FDB_SIZE];
	u16 bucket[FDB_SIZE];
	struct report log[MAX_LOG];
	u32 reports;
} fix;

static struct fdb *const fdb = &fix.fdb;

static void note(void *ctx, const struct fdb_entry *e, enum parq_fdb_change what)
{
	struct fixture *f = ctx;

	assert_true(f->reports < MAX_LOG);
	f->log[f->reports++] = (struct report){
		.addr = fdb_addr(e), .at = f->clock.now, .domain = fdb_fid(e), .port = e->port,
		.what = what,
	};
}

static int setup(void **state)
{
	(void)state;
	memset(&fix, 0, sizeof(fix));
	memset(fix.entry, 0xa5, sizeof(fix.entry));
	fdb->clock = &fix.clock;
	fix.vlans.entry = fix.vlan;
	fix.vlans.bucket = fix.vlan_bucket;
	vlan_reset(&fix.vlans);
	fdb->vlans = &fix.vlans;
	fdb->up = (struct fdb_up){ .ctx = &fix, .changed = note };
	fdb->entry = fix.entry;
	fdb->bucket = fix.bucket;
	fdb_init(fdb, 1);
	fdb_reset(fdb);
	return 0;
}

/* The last report, which is the only one since the last call. */
static void expect_report(u32 domain, u64 addr, u32 port, enum parq_fdb_change what)
{
	assert_int_equal(fix.reports, 1);
	assert_int_equal(fix.log[0].addr, addr);
	assert_int_equal(fix.log[0].domain, domain);
	assert_int_equal(fix.log[0].port, port);
	assert_int_equal(fix.log[0].what, what);
	fix.reports = 0;
}

static void expect(u32 domain, u64 addr, u32 port, enum parq_fdb_kind kind)
{
	const struct fdb_entry *e = fdb_lookup(fdb, domain, addr);

	assert_non_null(e);
	assert_int_equal(fdb_addr(e), addr);
	assert_int_equal(fdb_fid(e), domain);
	assert_int_equal(e->port, port);
	assert_int_equal(e->kind, kind);
}

static void run(u64 ps)
{
	clock_run(&fix.clock, fix.clock.now + ps);
}

/* Entries that a reader of all of them finds. */
static u32 readable(void)
{
	u32 i, n = 0;

	for (i = 0; i < FDB_SIZE; i++)
		n += !!fdb_read(fdb, i);
	return n;
}

/* ---- what is known ------------------------------------------------------ */

static void learned_and_found(void **state)
{
	(void)state;
	assert_null(fdb_lookup(fdb, 1, 2));
	fdb_learn(fdb, 1, 2, 3);
	expect_report(1, 2, 3, PARQ_FDB_LEARNED);
	expect(1, 2, 3, PARQ_FDB_DYNAMIC);
	/* The same address is another one in another domain. */
	assert_null(fdb_lookup(fdb, 2, 2));
	fdb_learn(fdb, 2, 2, 0);
	expect_report(2, 2, 0, PARQ_FDB_LEARNED);
	expect(1, 2, 3, PARQ_FDB_DYNAMIC);
	expect(2, 2, 0, PARQ_FDB_DYNAMIC);
	assert_int_equal(fdb->used, 2);
	/* A second frame says nothing new. */
	fdb_learn(fdb, 1, 2, 3);
	assert_int_equal(fix.reports, 0);
	fdb_learn(fdb, 1, 2, 1);
	expect_report(1, 2, 1, PARQ_FDB_MOVED);
	expect(1, 2, 1, PARQ_FDB_DYNAMIC);
	expect(2, 2, 0, PARQ_FDB_DYNAMIC);
	assert_int_equal(fdb->used, 2);
	/* All bits of an address count. */
	fdb_learn(fdb, 63, 0xfffffffffffe, 63);
	expect_report(63, 0xfffffffffffe, 63, PARQ_FDB_LEARNED);
	expect(63, 0xfffffffffffe, 63, PARQ_FDB_DYNAMIC);
	assert_null(fdb_lookup(fdb, 63, 0xfffffffffffc));
	assert_null(fdb_lookup(fdb, 63, 0x7ffffffffffe));
}

static bool at_host(u32 kind)
{
	return kind == PARQ_FDB_EXTERN || kind == PARQ_FDB_HOST;
}

static void each_kind_moves_or_stays(void **state)
{
	u32 kind;

	(void)state;
	for (kind = PARQ_FDB_DYNAMIC; kind <= PARQ_FDB_HOST; kind++) {
		assert_true(fdb_add(fdb, 1, kind, 0, kind));
		fdb_learn(fdb, 1, kind, 0);
		if (kind == PARQ_FDB_EXTERN) {
			/* Its port means nothing. */
			expect_report(1, kind, 0, PARQ_FDB_MOVED);
			expect(1, kind, 0, PARQ_FDB_DYNAMIC);
			continue;
		}
		expect(1, kind, 0, kind);
		assert_int_equal(fix.reports, 0);
		fdb_learn(fdb, 1, kind, 1);
		if (kind == PARQ_FDB_STATIC || kind == PARQ_FDB_HOST) {
			expect(1, kind, 0, kind);
			assert_int_equal(fix.reports, 0);
			continue;
		}
		expect_report(1, kind, 1, PARQ_FDB_MOVED);
		expect(1, kind, 1, PARQ_FDB_DYNAMIC);
	}
}

/* Each kind by each other one, without a report: the host knows. */
static void added_and_deleted(void **state)
{
	u32 from, to;
	bool host;

	(void)state;
	for (from = PARQ_FDB_DYNAMIC; from <= PARQ_FDB_HOST; from++)
		for (to = PARQ_FDB_DYNAMIC; to <= PARQ_FDB_HOST; to++) {
			assert_true(fdb_add(fdb, 1, 7, 0, from));
			assert_true(fdb_add(fdb, 1, 7, 1, to));
			expect(1, 7, 1, to);
			assert_int_equal(fdb->used, 1);
			assert_int_equal(readable(), 1);
			assert_int_equal(timer_is_set(&fdb->timer), to == PARQ_FDB_DYNAMIC);
			host = at_host(to);
			assert_false(fdb_delete(fdb, 2, 7, 1, to));
			/* One that has moved stays; the host is at no port. */
			assert_false(fdb_delete(fdb, 1, 7, 0, PARQ_FDB_STATIC));
			assert_int_equal(fdb_delete(fdb, 1, 7, 0, PARQ_FDB_EXTERN), host);
			assert_int_equal(fdb_delete(fdb, 1, 7, 1, PARQ_FDB_DYNAMIC), !host);
			assert_false(fdb_delete(fdb, 1, 7, 1, to));
			assert_null(fdb_lookup(fdb, 1, 7));
			assert_int_equal(fdb->used, 0);
			assert_int_equal(readable(), 0);
			assert_false(timer_is_set(&fdb->timer));
		}
	assert_int_equal(fix.reports, 0);
}

static void flush_takes_dynamic_entries_of_a_port(void **state)
{
	u32 domain, port, kind;

	(void)state;
	for (domain = 1; domain <= 2; domain++)
		for (port = 0; port < 3; port++)
			for (kind = PARQ_FDB_DYNAMIC; kind <= PARQ_FDB_HOST; kind++)
				assert_true(fdb_add(fdb, domain, port << 8 | kind, port, kind));
	fdb_flush(fdb, 1, 0, 1);
	assert_null(fdb_lookup(fdb, 1, 0x100));
	assert_int_equal(fdb->used, 23);
	fdb_flush(fdb, FDB_ANY_DOMAIN, 0, 2);
	assert_null(fdb_lookup(fdb, 1, 0x200));
	assert_null(fdb_lookup(fdb, 2, 0x200));
	assert_int_equal(fdb->used, 21);
	fdb_flush(fdb, 2, 0, 3);
	assert_int_equal(fdb->used, 21);
	expect(2, 0x100, 1, PARQ_FDB_DYNAMIC);
	for (kind = PARQ_FDB_EXTERN; kind <= PARQ_FDB_HOST; kind++)
		expect(1, 0x100 | kind, 1, kind);
	assert_int_equal(fix.reports, 0);
}

/* A VLAN is another FID of its domain. */
static void vlans_of_a_domain(void **state)
{
	u32 fid[3], i, kind;

	(void)state;
	for (i = 0; i < 3; i++) {
		const struct vlan v = { .ports = 1, .domain = 1 + i / 2, .vid = 10 + i };

		assert_true(vlan_set(&fix.vlans, &v));
		fid[i] = vlan_fid(&fix.vlans, vlan_find(&fix.vlans, v.domain, v.vid));
		for (kind = PARQ_FDB_DYNAMIC; kind <= PARQ_FDB_HOST; kind++)
			assert_true(fdb_add(fdb, fid[i], 2 * kind, 1, kind));
	}
	assert_true(fdb_add(fdb, 1, 0, 1, PARQ_FDB_DYNAMIC));
	fdb_flush(fdb, 1, 11, 1);
	assert_null(fdb_lookup(fdb, fid[1], 0));
	assert_int_equal(fdb->used, 12);
	fdb_flush(fdb, 1, 0, 1);
	assert_null(fdb_lookup(fdb, 1, 0));
	assert_null(fdb_lookup(fdb, fid[0], 0));
	expect(fid[2], 0, 1, PARQ_FDB_DYNAMIC);
	assert_int_equal(fdb->used, 10);
	fdb_purge(fdb, fid[1]);
	assert_int_equal(fdb->used, 7);
	assert_null(fdb_lookup(fdb, fid[1], 2 * PARQ_FDB_HOST));
	fdb_purge(fdb, fid[2]);
	assert_int_equal(fdb->used, 3);
	assert_false(timer_is_set(&fdb->timer));
	expect(fid[0], 2 * PARQ_FDB_HOST, 1, PARQ_FDB_HOST);
	assert_int_equal(fix.reports, 0);
}

/* ---- room --------------------------------------------------------------- */

/* Adds, finds and deletes @count addresses. */
static void all_fit(u32 count, u64 (*addr)(u32 i))
{
	u32 i;

	for (i = 0; i < count; i++) {
		fdb_learn(fdb, 1, addr(i), i % 4);
		assert_int_equal(fix.reports, i + 1);
	}
	assert_int_equal(fdb->used, count);
	assert_int_equal(readable(), count);
	for (i = 0; i < count; i++)
		expect(1, addr(i), i % 4, PARQ_FDB_DYNAMIC);
	for (i = 0; i < count; i++) {
		assert_true(fdb_delete(fdb, 1, addr(i), i % 4, PARQ_FDB_DYNAMIC));
		assert_null(fdb_lookup(fdb, 1, addr(i)));
	}
	assert_int_equal(fdb->used, 0);
	fix.reports = 0;
}

static u64 counts(u32 i)
{
	return 2 + 4ULL * i;
}

static u64 last_bytes(u32 i)
{
	return 2 | (u64)i << 35;
}

static u64 one_bucket[4096];

static u64 collides(u32 i)
{
	return one_bucket[i];
}

/* Addresses that the table has in one chain: found by a look at its memory. */
static void find_collisions(void)
{
	u64 addr = 2;
	u32 bucket, n;

	fdb_learn(fdb, 1, addr, 0);
	for (bucket = 0; fix.bucket[bucket] == 0xffff; bucket++)
		;
	fdb_delete(fdb, 1, addr, 0, PARQ_FDB_DYNAMIC);
	for (n = 0; n < 4096; addr += 4) {
		fdb_add(fdb, 1, addr, 0, PARQ_FDB_STATIC);
		if (fix.bucket[bucket] != 0xffff)
			one_bucket[n++] = addr;
		fdb_delete(fdb, 1, addr, 0, PARQ_FDB_DYNAMIC);
	}
	fix.reports = 0;
}

static void any_addresses_fit(void **state)
{
	(void)state;
	find_collisions();
	all_fit(FDB_SIZE / 2, collides);
	all_fit(FDB_SIZE / 2, counts);
	all_fit(FDB_SIZE / 2, last_bytes);
	all_fit(FDB_SIZE, counts);
}

static void seeds_select_the_hash(void **state)
{
	u32 before, i, n = 0;

	(void)state;
	find_collisions();
	before = fdb->multiplier >> 32;
	fdb_init(fdb, 2);
	fdb_reset(fdb);
	assert_int_not_equal(fdb->multiplier >> 32, before);
	for (i = 0; i < 4096; i++)
		fdb_learn(fdb, 1, one_bucket[i], 0);
	for (i = 0; i < FDB_SIZE; i++)
		n += fix.bucket[i] != 0xffff;
	assert_true(n > 1024);
}

/* Each bit of the seed changes about half of the bits of either half of the multiplier. */
static void seeds_that_differ_in_a_bit(void **state)
{
	u64 seed = 0x0123456789abcdefULL, before, differs;
	u32 bit;

	(void)state;
	fdb_init(fdb, seed);
	before = fdb->multiplier;
	for (bit = 0; bit < 64; bit++) {
		fdb_init(fdb, seed ^ BIT_ULL(bit));
		differs = before ^ fdb->multiplier;
		assert_in_range(hweight64((u32)differs), 6, 26);
		assert_in_range(hweight64(differs >> 32), 6, 26);
	}
}

/* Dynamic entries give way to those of the host alone, the oldest first. Known ones still move. */
static void full_table(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < FDB_SIZE; i++)
		assert_true(fdb_add(fdb, 1, i, 0, PARQ_FDB_DYNAMIC));
	assert_false(fdb_add(fdb, 1, FDB_SIZE, 0, PARQ_FDB_DYNAMIC));
	assert_false(fdb_add(fdb, 1, FDB_SIZE, 0, PARQ_FDB_EXTERN));
	assert_false(fdb_learn(fdb, 2, 0, 1));
	assert_int_equal(fix.reports, 0);
	assert_int_equal(fdb->used, FDB_SIZE);
	assert_null(fdb_lookup(fdb, 1, FDB_SIZE));
	assert_null(fdb_lookup(fdb, 2, 0));
	assert_true(fdb_add(fdb, 1, 5, 0, PARQ_FDB_STATIC));
	assert_true(fdb_learn(fdb, 1, 6, 1));
	expect_report(1, 6, 1, PARQ_FDB_MOVED);
	assert_true(fdb_learn(fdb, 1, 5, 1));
	for (i = 0; i < FDB_SIZE; i++) {
		if (i == 5)
			continue;
		assert_true(fdb_add(fdb, 2, i, 0, PARQ_FDB_HOST));
		if (i < 5)
			expect_report(1, i, 0, PARQ_FDB_AGED);
	}
	assert_int_equal(fdb->used, FDB_SIZE);
	assert_false(fdb_add(fdb, 3, 7, 0, PARQ_FDB_STATIC));
	fdb_reset(fdb);
	assert_int_equal(fdb->used, 0);
	assert_int_equal(readable(), 0);
	assert_null(fdb_lookup(fdb, 1, 5));
	assert_true(clock_next(&fix.clock) == PARQSIM_NEVER);
}

/* ---- ages --------------------------------------------------------------- */

static void ages_without_frames(void **state)
{
	(void)state;
	assert_true(clock_next(&fix.clock) == PARQSIM_NEVER);
	fdb_learn(fdb, 1, 2, 3);
	fix.reports = 0;
	run(300 * SECOND);
	expect(1, 2, 3, PARQ_FDB_DYNAMIC);
	run(SECOND);
	expect_report(1, 2, 3, PARQ_FDB_AGED);
	assert_null(fdb_lookup(fdb, 1, 2));
	assert_true(clock_next(&fix.clock) == PARQSIM_NEVER);
	/* It may come back. */
	fdb_learn(fdb, 1, 2, 3);
	expect_report(1, 2, 3, PARQ_FDB_LEARNED);
}

/* Whenever the last frame was, the entry goes between the age and a second later. */
static void frames_keep_it(void **state)
{
	u64 last = 0, step;
	u32 i;

	(void)state;
	fdb_set_age(fdb, 2);
	for (step = SECOND / 16; step <= 2 * SECOND; step += SECOND / 16) {
		fix.reports = 0;
		for (i = 0; i < 20; i++) {
			last = fix.clock.now;
			fdb_learn(fdb, 1, 2, 3);
			run(step);
		}
		expect_report(1, 2, 3, PARQ_FDB_LEARNED);
		run(10 * SECOND);
		assert_int_equal(fix.reports, 1);
		assert_int_equal(fix.log[0].what, PARQ_FDB_AGED);
		assert_in_range(fix.log[0].at - last, 2 * SECOND, 3 * SECOND);
	}
}

static void other_kinds_stay(void **state)
{
	u32 kind;

	(void)state;
	for (kind = PARQ_FDB_EXTERN; kind <= PARQ_FDB_HOST; kind++)
		assert_true(fdb_add(fdb, 1, kind, 0, kind));
	assert_true(clock_next(&fix.clock) == PARQSIM_NEVER);
	run(1000 * SECOND);
	assert_int_equal(fdb->used, 3);
	/* One that moves becomes dynamic, and one that the host sets ceases to be. */
	fdb_learn(fdb, 1, PARQ_FDB_EXTERN, 1);
	fdb_learn(fdb, 1, 99, 1);
	assert_true(fdb_add(fdb, 1, 99, 1, PARQ_FDB_STATIC));
	fix.reports = 0;
	run(301 * SECOND);
	expect_report(1, PARQ_FDB_EXTERN, 1, PARQ_FDB_AGED);
	assert_int_equal(fdb->used, 3);
}

static void age_changes_for_old_entries(void **state)
{
	(void)state;
	fdb_learn(fdb, 1, 1, 0);
	run(10 * SECOND);
	fdb_learn(fdb, 1, 2, 0);
	fix.reports = 0;
	/* Shorter: one is too old at once. */
	fdb_set_age(fdb, 5);
	assert_int_equal(fix.reports, 0);
	run(0);
	expect_report(1, 1, 0, PARQ_FDB_AGED);
	/* Never. */
	fdb_set_age(fdb, 0);
	assert_true(clock_next(&fix.clock) == PARQSIM_NEVER);
	fdb_learn(fdb, 1, 3, 0);
	fix.reports = 0;
	run(100000 * SECOND);
	assert_int_equal(fix.reports, 0);
	fdb_set_age(fdb, PARQ_SW_FDB_AGE_MAX);
	run(899999 * SECOND);
	assert_int_equal(fix.reports, 0);
	run(2 * SECOND);
	assert_int_equal(fix.reports, 2);
	/* Longer. */
	fdb_set_age(fdb, 1);
	fdb_learn(fdb, 1, 4, 0);
	fdb_set_age(fdb, 10);
	fix.reports = 0;
	run(10 * SECOND);
	assert_int_equal(fix.reports, 0);
	run(SECOND);
	expect_report(1, 4, 0, PARQ_FDB_AGED);
}

/* A host that allows few events at once is not kept by a full table. */
static void ages_in_parts(void **state)
{
	u32 i, events = 0, before;

	(void)state;
	for (i = 0; i < FDB_SIZE; i++)
		fdb_learn(fdb, 1, i, 0);
	fix.reports = 0;
	do {
		before = fix.reports;
		events += clock_step(&fix.clock, 301 * SECOND, 1);
		assert_in_range(fix.reports - before, 0, 64);
	} while (fix.reports != before);
	assert_int_equal(fix.reports, FDB_SIZE);
	assert_in_range(events, FDB_SIZE / 64, FDB_SIZE / 64 + 1);
	/* In the order in which they were seen. */
	for (i = 0; i < FDB_SIZE; i++)
		assert_int_equal(fix.log[i].addr, i);
}

/* ---- against a model ---------------------------------------------------- */

#define ADDRS	48
#define PORTS	4

struct model {
	bool known;
	u32 port;
	enum parq_fdb_kind kind;
	u64 last;
} model[3][ADDRS];

/* Reports of ages are right, and none is missing. */
static void model_ages(u64 age)
{
	u32 i, d;

	for (i = 0; i < fix.reports; i++) {
		const struct report *r = &fix.log[i];
		struct model *m = &model[r->domain][r->addr];

		assert_int_equal(r->what, PARQ_FDB_AGED);
		assert_true(m->known && m->kind == PARQ_FDB_DYNAMIC);
		assert_in_range(r->at - m->last, age, age + SECOND);
		m->known = false;
	}
	fix.reports = 0;
	for (d = 1; d < 3; d++)
		for (i = 0; i < ADDRS; i++)
			if (model[d][i].known && model[d][i].kind == PARQ_FDB_DYNAMIC)
				assert_true(fix.clock.now - model[d][i].last <= age + SECOND);
}

static void model_learn(u32 domain, u32 addr, u32 port)
{
	struct model *m = &model[domain][addr], was = *m;

	fdb_learn(fdb, domain, addr, port);
	if (was.known && was.kind >= PARQ_FDB_STATIC) {
		assert_int_equal(fix.reports, 0);
		return;
	}
	if (!was.known || was.kind == PARQ_FDB_EXTERN || was.port != port) {
		expect_report(domain, addr, port, was.known ? PARQ_FDB_MOVED : PARQ_FDB_LEARNED);
		m->kind = PARQ_FDB_DYNAMIC;
	}
	m->known = true;
	m->port = port;
	m->last = fix.clock.now;
}

static void model_flush(u32 domain, u32 port)
{
	u32 d, i;

	fdb_flush(fdb, domain, 0, port);
	for (d = 1; d < 3; d++)
		for (i = 0; i < ADDRS; i++)
			if ((!domain || d == domain) && model[d][i].port == port &&
			    model[d][i].kind == PARQ_FDB_DYNAMIC)
				model[d][i].known = false;
}

static void model_compare(void)
{
	u32 d, i, n = 0, dynamic = 0;

	for (d = 1; d < 3; d++)
		for (i = 0; i < ADDRS; i++) {
			const struct model *m = &model[d][i];

			if (m->known)
				expect(d, i, m->port, m->kind);
			else
				assert_null(fdb_lookup(fdb, d, i));
			n += m->known;
			dynamic += m->known && m->kind == PARQ_FDB_DYNAMIC;
		}
	assert_int_equal(fdb->used, n);
	assert_int_equal(timer_is_set(&fdb->timer), !!dynamic);
}

static void random_steps(void **state)
{
	u32 seed = 77, i, domain, addr, port, kind;
	struct model *m;
	bool gone;

	(void)state;
	memset(model, 0, sizeof(model));
	fdb_set_age(fdb, 4);
	for (i = 0; i < 100000; i++) {
		domain = 1 + rnd(&seed, 2);
		addr = rnd(&seed, ADDRS);
		port = rnd(&seed, PORTS);
		kind = rnd(&seed, PARQ_FDB_HOST + 1);
		switch (rnd(&seed, 64)) {
		case 0:
			model_flush(rnd(&seed, 3), port);
			break;
		case 1:
			run(rnd(&seed, 8) * SECOND);
			break;
		case 2 ... 3:
			assert_true(fdb_add(fdb, domain, addr, port, kind));
			model[domain][addr] = (struct model){ true, port, kind, fix.clock.now };
			break;
		case 4 ... 9:
			m = &model[domain][addr];
			gone = m->known && at_host(m->kind) == at_host(kind) &&
			       (m->port == port || at_host(kind));
			assert_int_equal(fdb_delete(fdb, domain, addr, port, kind), gone);
			m->known &= !gone;
			break;
		case 10 ... 29:
			model_learn(domain, addr, port);
			break;
		default:
			run(rnd(&seed, 1000) * (SECOND / 10000));
			break;
		}
		model_ages(4 * SECOND);
		model_compare();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(learned_and_found, setup),
		cmocka_unit_test_setup(each_kind_moves_or_stays, setup),
		cmocka_unit_test_setup(added_and_deleted, setup),
		cmocka_unit_test_setup(flush_takes_dynamic_entries_of_a_port, setup),
		cmocka_unit_test_setup(vlans_of_a_domain, setup),
		cmocka_unit_test_setup(any_addresses_fit, setup),
		cmocka_unit_test_setup(seeds_select_the_hash, setup),
		cmocka_unit_test_setup(seeds_that_differ_in_a_bit, setup),
		cmocka_unit_test_setup(full_table, setup),
		cmocka_unit_test_setup(ages_without_frames, setup),
		cmocka_unit_test_setup(frames_keep_it, setup),
		cmocka_unit_test_setup(other_kinds_stay, setup),
		cmocka_unit_test_setup(age_changes_for_old_entries, setup),
		cmocka_unit_test_setup(ages_in_parts, setup),
		cmocka_unit_test_setup(random_steps, setup),
	};

	return cmocka_run_group_tests_name("fdb", tests, NULL, NULL);
}
