// SPDX-License-Identifier: GPL-2.0
#include "bmi.h"
#include "nti.h"

/* Hands each FD whose delay has elapsed to the NTI, then arms the timer for the next one. */
static void bmi_out(void *ctx)
{
	struct bmi *b = ctx;

	while (b->count) {
		struct bmi_slot *s = &b->slot[b->head];
		struct fd fd = s->fd;

		if (s->out > b->clock->now) {
			timer_set(b->clock, &b->timer, s->out);
			return;
		}
		b->head = b->head + 1 < b->slots ? b->head + 1 : 0;
		b->count--;
		nti_in(b->nti, &fd);
	}
}

/**
 * bmi_push() - enter an FD into the pipeline
 * @b: the stage
 * @fd: the FD; its port has a credit, or it is a marker
 *
 * At most one FD enters per device clock; a second one enters a clock later.
 */
void bmi_push(struct bmi *b, const struct fd *fd)
{
	u64 in = b->last_in + b->clk_ps;
	struct bmi_slot *s;

	if (in < b->clock->now)
		in = b->clock->now;
	b->last_in = in;
	s = bmi_slot_at(b, b->count);
	s->fd = *fd;
	s->out = in + (u64)b->depth * b->clk_ps;
	if (!b->count++)
		timer_set(b->clock, &b->timer, s->out);
}

/**
 * bmi_purge() - drop the FDs of a stopped queue or port
 * @b: the stage
 * @port: port of the queue
 * @queue: TX queue, or FD_ANY_QUEUE: all queues and the markers of the port
 * @domain: with FD_TRANSIT: domain of transit frames, or FD_ANY_DOMAIN
 */
void bmi_purge(struct bmi *b, u32 port, int queue, u32 domain)
{
	u32 i, kept = 0;

	for (i = 0; i < b->count; i++) {
		struct bmi_slot *s = bmi_slot_at(b, i);

		if (fd_matches(&s->fd, port, queue, domain))
			nti_drop(b->nti, &s->fd, NTI_DROP_PURGE);
		else
			*bmi_slot_at(b, kept++) = *s;
	}
	b->count = kept;
}

void bmi_init(struct bmi *b)
{
	timer_init(&b->timer, bmi_out, b);
}

void bmi_reset(struct bmi *b)
{
	timer_cancel(b->clock, &b->timer);
	b->head = 0;
	b->count = 0;
	b->last_in = 0;
}
