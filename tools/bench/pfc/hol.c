// SPDX-License-Identifier: GPL-2.0
/*
 * Head-of-line: a frame that may not start blocks the pipeline's exit until its pause is over.
 * All that has come out before it, for other ports, goes on.
 */
#include "plain.h"
#include "policy.h"

const char * const policy_name = "hol";

#define SLOTS	(PARQ_NIC_PORTS * NTI_SLOTS)

/* FDs behind the exit, of all ports in their order. */
static struct fd queue[SLOTS];
static u32 head, count;

static bool is_blocked(const struct nti *n, u32 port)
{
	const struct nti_port *p = &n->port[port];

	return p->count && plain_paused(n, port, p->fifo[p->head].prio);
}

static bool exit_is_blocked(const struct nti *n)
{
	u32 port;

	for (port = 0; port < n->ports; port++)
		if (is_blocked(n, port))
			return true;
	return false;
}

static void pump_port(struct nti *n, u32 port)
{
	struct nti_port *p = &n->port[port];
	struct fd fd;

	while (p->count && !is_blocked(n, port) && plain_ready(n, port)) {
		fd = p->fifo[p->head];
		p->head = (p->head + 1) % NTI_SLOTS;
		p->count--;
		plain_send(n, &fd, true);
	}
}

static void pump_exit(struct nti *n)
{
	const struct fd *fd;
	struct nti_port *p;

	while (count && !exit_is_blocked(n)) {
		fd = &queue[head];
		head = (head + 1) % SLOTS;
		count--;
		p = &n->port[fd->port];
		p->fifo[(p->head + p->count++) % NTI_SLOTS] = *fd;
		pump_port(n, fd->port);
	}
}

void nti_pump(struct nti *n, u32 port)
{
	pump_port(n, port);
	pump_exit(n);
}

void nti_in(struct nti *n, const struct fd *fd)
{
	queue[(head + count++) % SLOTS] = *fd;
	pump_exit(n);
}

bool gate_sends(const struct nti *n, u32 port, u32 prio)
{
	return true;
}

void gate_changed(struct nti *n, u32 port, u32 prio)
{
	nti_pump(n, port);
}

void policy_init(struct parqsim *sim, u64 read_ps)
{
}

void policy_parked(struct parqsim *sim, u32 bytes)
{
}

struct policy_need policy_need(void)
{
	return (struct policy_need){ .bytes = 0 };
}
