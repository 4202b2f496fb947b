// SPDX-License-Identifier: GPL-2.0
/* The table of VLANs, against a model that is an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rnd.h"
#include "vlan.h"

#define DOMAINS		4
#define VIDS		2000

static struct vlan entry[VLAN_SIZE];
static u16 bucket[VLAN_SIZE];
static struct vlans table = { .entry = entry, .bucket = bucket };

/* Members of each VLAN; 0: it is not there. */
static u64 model[DOMAINS + 1][VIDS + 1];
static u32 fid[DOMAINS + 1][VIDS + 1];

static int setup(void **state)
{
	(void)state;
	memset(entry, 0xa5, sizeof(entry));
	memset(model, 0, sizeof(model));
	vlan_reset(&table);
	return 0;
}

static void expect(u32 domain, u32 vid)
{
	const struct vlan *v = vlan_find(&table, domain, vid);

	if (!model[domain][vid]) {
		assert_null(v);
		return;
	}
	assert_non_null(v);
	assert_true(v->ports == model[domain][vid] && v->untagged == ~v->ports);
	assert_int_equal(vlan_fid(&table, v), fid[domain][vid]);
	assert_int_equal(vlan_domain(&table, fid[domain][vid]), domain);
	assert_int_equal(vlan_vid(&table, fid[domain][vid]), vid);
	assert_ptr_equal(vlan_of(&table, fid[domain][vid]), v);
}

/* An entry keeps its FID until it is removed. */
static void set(u32 domain, u32 vid, u64 ports)
{
	const struct vlan v = { .ports = ports, .untagged = ~ports, .vid = vid, .domain = domain };
	bool known = model[domain][vid], full = table.used == VLAN_SIZE;

	assert_int_equal(vlan_set(&table, &v), known || !full);
	if (!known && full)
		return;
	model[domain][vid] = ports;
	if (!known)
		fid[domain][vid] = vlan_fid(&table, vlan_find(&table, domain, vid));
}

static void random_steps(void **state)
{
	u32 seed = 5, i, d, vid, used = 0;

	(void)state;
	for (i = 0; i < 200000; i++) {
		d = 1 + rnd(&seed, DOMAINS);
		vid = 1 + rnd(&seed, VIDS);
		if (rnd(&seed, 3)) {
			set(d, vid, 1 + rnd(&seed, 1000));
		} else {
			vlan_remove(&table, d, vid);
			model[d][vid] = 0;
		}
		expect(d, vid);
		expect(1 + rnd(&seed, DOMAINS), 1 + rnd(&seed, VIDS));
	}
	for (d = 1; d <= DOMAINS; d++)
		for (vid = 1; vid <= VIDS; vid++) {
			expect(d, vid);
			used += !!model[d][vid];
		}
	assert_int_equal(table.used, used);
	assert_int_equal(used, VLAN_SIZE);
}

static void domains_are_fids(void **state)
{
	u32 domain;

	(void)state;
	for (domain = 1; domain <= PARQ_MAX_PORTS; domain++) {
		assert_null(vlan_of(&table, domain));
		assert_int_equal(vlan_domain(&table, domain), domain);
		assert_int_equal(vlan_vid(&table, domain), 0);
	}
	assert_null(vlan_find(&table, 1, 1));
	vlan_remove(&table, 1, 1);
	assert_int_equal(table.used, 0);
	set(1, 1, 1);
	assert_int_equal(fid[1][1], PARQ_MAX_PORTS + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(domains_are_fids, setup),
		cmocka_unit_test_setup(random_steps, setup),
	};

	return cmocka_run_group_tests_name("vlan", tests, NULL, NULL);
}
