/* SPDX-License-Identifier: GPL-2.0 */
/* What suites of rules and of filters expect of the device's match. */
#ifndef _PARQ_TESTS_PARQ_MATCH_EXPECT_H
#define _PARQ_TESTS_PARQ_MATCH_EXPECT_H

#include <kunit/test.h>

#include "../parq_rule.h"

/* Words in @words are compared, and no others. */
static inline void expect_only(struct kunit *test, const struct parq_match *m, u32 words)
{
	unsigned int i;

	for (i = 0; i < PARQ_RULE_WORDS; i++) {
		KUNIT_EXPECT_EQ(test, !!m->mask[i], !!(words & BIT(i)));
		KUNIT_EXPECT_EQ(test, m->key[i] & ~m->mask[i], 0U);
	}
}

#endif /* _PARQ_TESTS_PARQ_MATCH_EXPECT_H */
