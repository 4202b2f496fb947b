/* SPDX-License-Identifier: GPL-2.0 */
/* A cable that leads to a port, for frames and for trains of segments. */
#ifndef _PARQSIM_TESTS_CABLE_IN_H
#define _PARQSIM_TESTS_CABLE_IN_H

#include "cable.h"
#include "rig.h"

#define CABLE_BUF	(32 << 10)

/**
 * struct cable_in - a cable, and where it leads
 * @r: the NIC
 * @port: its port
 * @cable: the cable
 * @buf: memory of @cable
 * @joined: segments that have arrived in batches
 */
struct cable_in {
	struct rig *r;
	u32 port;
	struct cable cable;
	u8 buf[CABLE_BUF] __attribute__((aligned(8)));
	u32 joined;
};

static inline void arrive(void *ctx, const u8 *data, u32 len)
{
	struct cable_in *in = ctx;

	parqsim_rx(in->r->sim, in->port, data, len, true);
}

static inline void arrive_train(void *ctx, const struct train *t, u32 i, bool end)
{
	struct cable_in *in = ctx;

	parqsim_rx_train(in->r->sim, in->port, t, i, end);
}

static inline u32 joins(void *ctx, const struct train *t, u32 i, u32 n)
{
	struct cable_in *in = ctx;

	return parqsim_rx_joins(in->r->sim, in->port, t, i, n);
}

static inline void joined(void *ctx, u32 n, u64 at)
{
	struct cable_in *in = ctx;

	in->joined += n;
	parqsim_rx_joined(in->r->sim, in->port, n, at);
}

/* @delay: of the cable, ps */
static inline void cable_in_init(struct cable_in *in, struct rig *r, u32 port, u64 delay)
{
	in->r = r;
	in->port = port;
	in->joined = 0;
	cable_init(&in->cable, parqsim_clock(r->sim), delay, in->buf, CABLE_BUF, arrive, in);
	in->cable.train = arrive_train;
	in->cable.joins = joins;
	in->cable.joined = joined;
}

#endif /* _PARQSIM_TESTS_CABLE_IN_H */
