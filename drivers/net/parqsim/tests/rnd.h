/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQSIM_TESTS_RND_H
#define _PARQSIM_TESTS_RND_H

#include <stdlib.h>

#include <linux/types.h>

/* xorshift: the same numbers in each run. @seed is not 0. */
static inline u32 rnd(u32 *seed, u32 below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed % below;
}

/* Return: what the environment has by this @name, or @usual. */
static inline u32 number(const char *name, u32 usual)
{
	const char *s = getenv(name);

	return s ? strtoul(s, NULL, 0) : usual;
}

#endif /* _PARQSIM_TESTS_RND_H */
