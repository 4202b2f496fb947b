// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "offload.h"
#include "red.h"

/* @seed: of the random numbers */
void red_reset(struct red *r, u32 ports, u64 seed)
{
	r->random = seed;
	memset(r->port, 0, ports * sizeof(*r->port));
}

/* SplitMix64, of which the upper half is used. */
static u32 next_random(struct red *r)
{
	u64 z = r->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) >> 32;
}

/* Whether RED acts on a copy that finds @waiting bytes in its class. */
static bool hits(struct red *r, const struct red_class *c, u64 waiting)
{
	if (waiting < c->min)
		return false;
	if (waiting >= c->max)
		return true;
	return next_random(r) < (waiting - c->min) * c->prob / (c->max - c->min);
}

/**
 * red_judge() - decide what becomes of a copy
 * @r: state of the random numbers
 * @c: its class, in which RED is on
 * @waiting: bytes of the copies that wait in it
 * @data: the frame
 * @len: its bytes
 * @keep: its priority is lossless where it came from
 *
 * The caller counts marks: there may be no room for the frame.
 *
 * Return: its fate.
 */
enum red_fate red_judge(struct red *r, struct red_class *c, u64 waiting, const u8 *data, u32 len,
			bool keep)
{
	if (!hits(r, c, waiting))
		return RED_PASS;
	if ((c->ctrl & PARQ_SW_RED_CTRL_ECN) && offload_ecn(data, len))
		return RED_MARK;
	if (keep || (c->ctrl & PARQ_SW_RED_CTRL_NODROP))
		return RED_PASS;
	c->dropped++;
	return RED_DROP;
}
