/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQSIM_TESTS_RND_H
#define _PARQSIM_TESTS_RND_H

#include <linux/types.h>

/* xorshift: the same numbers in each run. @seed is not 0. */
static inline u32 rnd(u32 *seed, u32 below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed % below;
}

#endif /* _PARQSIM_TESTS_RND_H */
