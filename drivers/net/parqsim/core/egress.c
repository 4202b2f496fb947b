// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "egress.h"
#include "qman.h"

void egress_reset(struct egress *e)
{
	u32 tc;

	memset(e, 0, sizeof(*e));
	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		e->limit[tc] = PARQ_SW_EGR_UNLIMITED;
}

/* Sets PARQ_SW_EGR_LIMIT. What waits stays. */
void egress_limit(struct egress *e, u32 tc, u32 bytes)
{
	e->limit[tc] = bytes;
	if (bytes == PARQ_SW_EGR_UNLIMITED)
		e->limited &= ~BIT(tc);
	else
		e->limited |= BIT(tc);
}

/* Bytes of the copies in a traffic class that have not left. */
u32 egress_waiting(const struct egress *e, const struct qman *qm, u32 port, u32 tc)
{
	u32 prio, sum = 0;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (qman_tc(qm, port, prio) == tc)
			sum += e->queued[prio];
	return sum;
}

u32 egress_high(struct egress *e, const struct qman *qm, u32 port, u32 tc)
{
	u32 waits = egress_waiting(e, qm, port, tc);

	if (e->high[tc] < waits)
		e->high[tc] = waits;
	return e->high[tc];
}

/* Priorities have come to other classes. */
void egress_regroup(struct egress *e, const struct qman *qm, u32 port)
{
	u32 tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		egress_high(e, qm, port, tc);
}

/**
 * egress_takes() - compare with the limit of a class
 * @e: the port
 * @qm: knows the classes
 * @port: the same port
 * @prio: priority of a copy that may be dropped
 * @len: its bytes
 *
 * Return: false if more than the limit would wait.
 */
bool egress_takes(const struct egress *e, const struct qman *qm, u32 port, u32 prio, u32 len)
{
	u32 tc = qman_tc(qm, port, prio);

	return !(e->limited & BIT(tc)) ||
	       (u64)egress_waiting(e, qm, port, tc) + len <= e->limit[tc];
}

/* A copy waits from now on. In no class waits more than in all. */
void egress_add(struct egress *e, const struct qman *qm, u32 port, u32 prio, u32 len)
{
	e->queued[prio] += len;
	e->waits += len;
	if (e->most < e->waits)
		e->most = e->waits;
	if (e->waits > e->high[qman_tc(qm, port, prio)])
		egress_high(e, qm, port, qman_tc(qm, port, prio));
}

/* It has left, or was dropped. */
void egress_leave(struct egress *e, u32 prio, u32 len)
{
	e->queued[prio] -= len;
	e->waits -= len;
}
