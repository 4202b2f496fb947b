// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the places of tbf and red qdiscs. */
#include <kunit/test.h>
#include <linux/pkt_sched.h>

#include "../parq_qtree.h"

#define ETS		0x10000U	/* handle of an ets qdisc */
#define HANDLE(n)	(0x100000U * (n))

static void expect_way(struct kunit *test, const struct parq_qtree *tree, u32 parent,
		       struct parq_qtree_way expected)
{
	struct parq_qtree_way way = parq_qtree_walk(tree, parent);

	KUNIT_EXPECT_EQ(test, way.place, expected.place);
	KUNIT_EXPECT_EQ(test, way.tbfs, expected.tbfs);
	KUNIT_EXPECT_EQ(test, way.reds, expected.reds);
}

/* Chains at the root, and below a band. */
static void qtree_way_test(struct kunit *test)
{
	static struct parq_qtree tree;

	memset(&tree, 0, sizeof(tree));
	expect_way(test, &tree, TC_H_ROOT, (struct parq_qtree_way){ TC_H_ROOT });
	expect_way(test, &tree, ETS | 3, (struct parq_qtree_way){ ETS | 3 });
	expect_way(test, &tree, 0, (struct parq_qtree_way){});
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(1), TC_H_ROOT), 0);
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_RED, HANDLE(2), HANDLE(1) | 1), 0);
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(3), HANDLE(2) | 1), 0);
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_RED, HANDLE(4), ETS | 3), 0);
	expect_way(test, &tree, HANDLE(1) | 1, (struct parq_qtree_way){ TC_H_ROOT, 1, 0 });
	expect_way(test, &tree, HANDLE(3) | 1, (struct parq_qtree_way){ TC_H_ROOT, 2, 1 });
	expect_way(test, &tree, HANDLE(3), (struct parq_qtree_way){ TC_H_ROOT, 2, 1 });
	expect_way(test, &tree, HANDLE(4) | 1, (struct parq_qtree_way){ ETS | 3, 0, 1 });
	/* A handle of all ones is not the root. */
	expect_way(test, &tree, 0xffff0000U, (struct parq_qtree_way){ 0xffff0000U });
	/* What is below one that ends has no place. */
	parq_qtree_remove(&tree, HANDLE(2));
	parq_qtree_remove(&tree, HANDLE(5));
	expect_way(test, &tree, HANDLE(3) | 1, (struct parq_qtree_way){ HANDLE(2) | 1, 1, 0 });
	/* Its parent again, as another kind. */
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_RED, HANDLE(3), ETS | 4), 0);
	expect_way(test, &tree, HANDLE(3) | 1, (struct parq_qtree_way){ ETS | 4, 0, 1 });
}

static void qtree_full_test(struct kunit *test)
{
	static struct parq_qtree tree;
	unsigned int n;

	memset(&tree, 0, sizeof(tree));
	for (n = 1; n <= PARQ_QTREE_NODES; n++)
		KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(n), ETS | n), 0);
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(n), ETS | n), -ENOSPC);
	expect_way(test, &tree, HANDLE(n) | 1, (struct parq_qtree_way){ HANDLE(n) | 1 });
	/* One that is there can be told again, and one that ends leaves room. */
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(2), ETS | 7), 0);
	parq_qtree_remove(&tree, HANDLE(1));
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(n), ETS | 5), 0);
	expect_way(test, &tree, HANDLE(2) | 1, (struct parq_qtree_way){ ETS | 7, 1, 0 });
	expect_way(test, &tree, HANDLE(n) | 1, (struct parq_qtree_way){ ETS | 5, 1, 0 });
}

/* A circle has no place, but an end. */
static void qtree_circle_test(struct kunit *test)
{
	static struct parq_qtree tree;

	memset(&tree, 0, sizeof(tree));
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_TBF, HANDLE(1), HANDLE(2) | 1), 0);
	KUNIT_EXPECT_EQ(test, parq_qtree_add(&tree, PARQ_QTREE_RED, HANDLE(2), HANDLE(1) | 1), 0);
	expect_way(test, &tree, HANDLE(1) | 1,
		   (struct parq_qtree_way){ HANDLE(1) | 1, PARQ_QTREE_NODES / 2,
					    PARQ_QTREE_NODES / 2 });
}

static struct kunit_case qtree_test_cases[] = {
	KUNIT_CASE(qtree_way_test),
	KUNIT_CASE(qtree_full_test),
	KUNIT_CASE(qtree_circle_test),
	{}
};

static struct kunit_suite qtree_test_suite = {
	.name = "parq_qtree",
	.test_cases = qtree_test_cases,
};

kunit_test_suite(qtree_test_suite);
