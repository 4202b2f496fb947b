// SPDX-License-Identifier: GPL-2.0
#include "irq.h"

static void irq_send(struct irq_vec *v)
{
	struct irq *irq = v->irq;

	v->not_before = irq->clock->now + v->itr_ns * PARQSIM_PS_PER_NS;
	irq->bus->host->irq(irq->bus->ctx, (u32)(v - irq->vec));
}

static void irq_timer(void *ctx)
{
	irq_send(ctx);
}

/**
 * irq_raise() - request an interrupt
 * @irq: all vectors
 * @vector: a valid vector number
 *
 * The message is sent now, or once PARQ_VEC_ITR has passed since the last one. Requests
 * in between merge into one.
 */
void irq_raise(struct irq *irq, u32 vector)
{
	struct irq_vec *v = &irq->vec[vector];

	if (timer_is_set(&v->timer))
		return;
	if (irq->clock->now >= v->not_before)
		irq_send(v);
	else
		timer_set(irq->clock, &v->timer, v->not_before);
}

void irq_init(struct irq *irq, const struct bus *bus, struct clock *clock)
{
	u32 i;

	irq->bus = bus;
	irq->clock = clock;
	for (i = 0; i < irq->vectors; i++) {
		irq->vec[i].irq = irq;
		timer_init(&irq->vec[i].timer, irq_timer, &irq->vec[i]);
	}
}

void irq_reset(struct irq *irq)
{
	u32 i;

	for (i = 0; i < irq->vectors; i++) {
		timer_cancel(irq->clock, &irq->vec[i].timer);
		irq->vec[i].itr_ns = 0;
		irq->vec[i].not_before = 0;
	}
}
