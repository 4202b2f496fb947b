/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of interrupt vectors. Of hundreds a turn has one or two: a summary tells in which words
 * they are.
 */
#ifndef _PARQSIM_VECTORS_H
#define _PARQSIM_VECTORS_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/parq_hw.h>

/**
 * struct vectors - set of vectors
 * @words: which words of @bits are not 0
 * @bits: the vectors
 */
struct vectors {
	unsigned long words;
	unsigned long bits[BITS_TO_LONGS(PARQ_MAX_VECTORS)];
};

static_assert(BITS_TO_LONGS(PARQ_MAX_VECTORS) <= BITS_PER_LONG);

/* Adds those of a word of @bits. */
static inline void vectors_add(struct vectors *v, unsigned int word,
			       unsigned long bits)
{
	if (!bits)
		return;
	v->words |= BIT(word);
	v->bits[word] |= bits;
}

/* Removes one of a set that is not empty. Return: the vector. */
static inline unsigned int vectors_take(struct vectors *v)
{
	unsigned int word = __ffs(v->words), bit = __ffs(v->bits[word]);

	v->bits[word] &= v->bits[word] - 1;
	if (!v->bits[word])
		v->words &= ~BIT(word);
	return word * BITS_PER_LONG + bit;
}

#endif /* _PARQSIM_VECTORS_H */
