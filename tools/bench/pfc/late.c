// SPDX-License-Identifier: GPL-2.0
/* Late stop: the QMAN fetches no more of a paused class. What is in the pipeline is sent. */
#include "plain.h"
#include "policy.h"

const char * const policy_name = "late";

void nti_pump(struct nti *n, u32 port)
{
	struct nti_port *p = &n->port[port];
	struct fd fd;

	while (p->count && plain_ready(n, port)) {
		fd = p->fifo[p->head];
		p->head = (p->head + 1) % NTI_SLOTS;
		p->count--;
		plain_send(n, &fd, true);
	}
}

void nti_in(struct nti *n, const struct fd *fd)
{
	struct nti_port *p = &n->port[fd->port];

	p->fifo[(p->head + p->count++) % NTI_SLOTS] = *fd;
	nti_pump(n, fd->port);
}

bool gate_sends(const struct nti *n, u32 port, u32 prio)
{
	return true;
}

void gate_changed(struct nti *n, u32 port, u32 prio)
{
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
