/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transmission selection: keeps rings full and measures each priority's share of the wire.
 */
#ifndef _PARQSIM_TESTS_SCHED_H
#define _PARQSIM_TESTS_SCHED_H

#include "rig.h"
#include "rnd.h"

#define ONE_TO_ONE	0x76543210	/* a traffic class for each priority */
#define STRICT		0
#define ETS		0x22222222
#define EQUAL		0x0c0c0c0c0c0c0c0cULL
#define MS		(1000 * RIG_US)

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* A NIC that fetches far ahead, so that there is something to park. */
static const struct parqsim_config deep = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

static inline void refill(struct rig *r, u8 prios, u32 len)
{
	u32 q;

	for (q = 0; q < 8; q++)
		while ((prios & BIT(q)) && rig_room(r, 0, q) >= 4)
			rig_post(r, 0, q, len);
}

/* Runs with full rings. The rig has the results. */
static inline void saturate(struct rig *r, u8 prios, u32 len, u64 ps)
{
	u64 end = rig_now(r) + ps;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		r->port[0].cls[prio].bytes = 0;
	while (rig_now(r) < end) {
		refill(r, prios, len);
		rig_run(r, 5 * RIG_US);
	}
}

static inline u64 total(struct rig *r)
{
	u64 sum = 0;
	u32 prio;

	for (prio = 0; prio < 8; prio++)
		sum += r->port[0].cls[prio].bytes;
	return sum;
}

static inline void flap(struct rig *r, u32 *seed, u8 prios)
{
	u16 t[8];
	u32 i;

	for (i = 0; i < 8; i++)
		t[i] = rnd(seed, 4) ? rnd(seed, 600) : 0;
	rig_pfc_frame(r, 0, rnd(seed, 256) & prios, t);
}

#endif /* _PARQSIM_TESTS_SCHED_H */
