// SPDX-License-Identifier: GPL-2.0
/*
 * Tail FIFO: at the end of the pipeline each (port, priority) has a FIFO on the chip, which
 * takes frames of a paused class out of the way of others. Those of a class that is not
 * paused leave in the order in which the pipeline has brought them.
 *
 * A FIFO holds as many frames as the pipeline may: the QMAN keeps those of a class that it has
 * fetched and that have not been sent within that.
 */
#include "frame.h"
#include "plain.h"
#include "policy.h"

#define NR_NONE	(~0ULL)

const char * const policy_name = "fifo";

/**
 * struct item - an FD that waits
 * @fd: the FD
 * @nr: place in the order in which the pipeline has brought them
 * @held: it has met a pause: its frame is in the FIFO's memory, its credit is given back
 */
struct item {
	struct fd fd;
	u64 nr;
	bool held;
};

struct fifo {
	struct item item[NTI_SLOTS];
	u32 head;
	u32 count;
	u64 bytes;
	u64 fds;
};

static struct fifo fifos[PARQ_NIC_PORTS][PARQ_NUM_PRIO];
static struct policy_need need;
static u64 brought, bytes;

static u32 frame_bytes(const struct fd *fd)
{
	return (fd->len < FRAME_MIN ? FRAME_MIN : fd->len) + FCS_LEN;
}

static void hold(struct nti *n, struct fifo *f, struct item *i)
{
	if (i->held)
		return;
	i->held = true;
	n->up.credit(n->up.ctx, &i->fd, true);
	f->fds++;
	f->bytes += frame_bytes(&i->fd);
	bytes += frame_bytes(&i->fd);
	if (bytes > need.bytes)
		need.bytes = bytes;
	if (f->bytes > need.class_bytes)
		need.class_bytes = f->bytes;
	if (f->fds > need.class_fds)
		need.class_fds = f->fds;
}

static void send_first(struct nti *n, struct fifo *f)
{
	struct item i = f->item[f->head];

	f->head = (f->head + 1) % NTI_SLOTS;
	f->count--;
	if (i.held) {
		f->fds--;
		f->bytes -= frame_bytes(&i.fd);
		bytes -= frame_bytes(&i.fd);
	}
	plain_send(n, &i.fd, !i.held);
}

/* The oldest that may go. */
static struct fifo *pick(const struct nti *n, u32 port)
{
	struct fifo *best = NULL;
	u64 nr = NR_NONE;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct fifo *f = &fifos[port][prio];

		if (!f->count || plain_paused(n, port, prio) || f->item[f->head].nr >= nr)
			continue;
		best = f;
		nr = f->item[f->head].nr;
	}
	return best;
}

void nti_pump(struct nti *n, u32 port)
{
	struct fifo *f;

	while (plain_ready(n, port)) {
		f = pick(n, port);
		if (!f)
			return;
		send_first(n, f);
	}
}

void nti_in(struct nti *n, const struct fd *fd)
{
	struct fifo *f = &fifos[fd->port][fd->prio];
	struct item *i = &f->item[(f->head + f->count) % NTI_SLOTS];

	if (f->count++ == NTI_SLOTS)
		__builtin_trap();
	*i = (struct item){ .fd = *fd, .nr = brought++ };
	/* Behind others of its class that wait it waits, too. */
	if (plain_paused(n, fd->port, fd->prio) || f->fds)
		hold(n, f, i);
	nti_pump(n, fd->port);
}

bool gate_sends(const struct nti *n, u32 port, u32 prio)
{
	return !plain_paused(n, port, prio);
}

void gate_changed(struct nti *n, u32 port, u32 prio)
{
	struct fifo *f = &fifos[port][prio];
	u32 i;

	if (plain_paused(n, port, prio))
		for (i = 0; i < f->count; i++)
			hold(n, f, &f->item[(f->head + i) % NTI_SLOTS]);
	nti_pump(n, port);
}

void policy_init(struct parqsim *sim, u64 read_ps)
{
	u32 port, prio;

	for (port = 0; port < sim->cfg.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			qman_limit(&sim->qman, port, prio, sim->cfg.depth);
}

void policy_parked(struct parqsim *sim, u32 bytes)
{
}

struct policy_need policy_need(void)
{
	return need;
}
