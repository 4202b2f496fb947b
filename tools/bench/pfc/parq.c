// SPDX-License-Identifier: GPL-2.0
/*
 * PARQ: nothing of the core is replaced. Two things of a chip that the core's memory, which
 * answers at once, does not have: a pass waits for host memory until its first frame can go,
 * and what is parked waits on the chip until PCI Express has taken it.
 */
#include "policy.h"

const char * const policy_name = "parq";

/**
 * struct pass - a flush pass that waits for host memory
 * @passes: number of the one that @ready is of
 * @ready: when its first FD is there
 * @timer: then the QMAN is told
 */
struct pass {
	u64 passes;
	u64 ready;
	struct timer timer;
};

static struct pass pass[PARQ_NIC_PORTS][PARQ_NUM_PRIO];
static u64 read_time;

/* What waits to be written, as the time that it takes. PCI Express is as fast as all ports. */
static u64 backlog, backlog_high, last, byte_ps;

bool __wrap_qmi_flush_ready(const struct qmi *q, u32 port, u32 prio)
{
	u64 passes = le64_to_cpu(q->stats[port].prio[prio].passes);
	struct pass *p = &pass[port][prio];

	if (!__real_qmi_flush_ready(q, port, prio))
		return false;
	if (p->passes != passes) {
		p->passes = passes;
		p->ready = q->clock->now + read_time;
		timer_set(q->clock, &p->timer, p->ready);
	}
	return q->clock->now >= p->ready;
}

static void is_there(void *ctx)
{
	/* All ports are of one pipe. */
	qman_kick(ctx, 0);
}

void policy_init(struct parqsim *sim, u64 read_ps)
{
	u32 port, prio;

	read_time = read_ps;
	for (port = 0; port < PARQ_NIC_PORTS; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			timer_init(&pass[port][prio].timer, is_there, &sim->qman);
}

void policy_parked(struct parqsim *sim, u32 bytes)
{
	u64 passed = sim->clock.now - last;

	last = sim->clock.now;
	byte_ps = sim->mac.port[0].byte_ps / sim->cfg.ports;
	backlog -= passed < backlog ? passed : backlog;
	backlog += bytes * byte_ps;
	if (backlog > backlog_high)
		backlog_high = backlog;
}

struct policy_need policy_need(void)
{
	return (struct policy_need){ .bytes = byte_ps ? backlog_high / byte_ps : 0 };
}
