/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_BACKOFF_H
#define _PARQ_BACKOFF_H

#include <linux/jiffies.h>
#include <linux/types.h>

/* Longest pause: 8 s. Meanwhile a stopped RX queue may pause its lossless class upstream. */
#define PARQ_BACKOFF_MAX	3

/**
 * struct parq_backoff - attempts to mend something that may break again at once
 * @next: earliest time of the next one, jiffies
 * @pos: the caller's measure of progress, after the last attempt
 * @tries: attempts in quick succession, up to PARQ_BACKOFF_MAX + 1
 */
struct parq_backoff {
	unsigned long next;
	u32 pos;
	u8 tries;
};

/**
 * parq_backoff_try() - tell whether an attempt may be made now
 * @b: earlier attempts; all zero: none
 * @pos: progress; differs from parq_backoff.pos if it has worked since the last attempt
 *
 * The first attempt may be made at once, the next ones after pauses of 1, 2, 4 and 8 seconds.
 * If it has worked, or nothing was tried for longer than the next pause would be, they start
 * again.
 *
 * Return: true, and the attempt counts.
 */
static inline bool parq_backoff_try(struct parq_backoff *b, u32 pos)
{
	if (pos != b->pos)
		b->tries = 0;
	if (b->tries && time_before(jiffies, b->next))
		return false;
	if (b->tries && time_after(jiffies, b->next + ((unsigned long)HZ << b->tries)))
		b->tries = 0;
	if (b->tries <= PARQ_BACKOFF_MAX)
		b->tries++;
	b->next = jiffies + ((unsigned long)HZ << (b->tries - 1));
	return true;
}

/* The attempt that was permitted last was not made. */
static inline void parq_backoff_undo(struct parq_backoff *b)
{
	if (b->tries)
		b->tries--;
	b->next = jiffies;
}

#endif /* _PARQ_BACKOFF_H */
