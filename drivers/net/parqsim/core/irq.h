/* SPDX-License-Identifier: GPL-2.0 */
/* MSI-X messages, moderated by PARQ_VEC_ITR. */
#ifndef _PARQSIM_IRQ_H
#define _PARQSIM_IRQ_H

#include "bus.h"
#include "clock.h"

struct irq_vec {
	struct irq *irq;
	struct timer timer;
	u64 not_before;
	u32 itr_ns;
};

struct irq {
	const struct bus *bus;
	struct clock *clock;
	u32 vectors;
	struct irq_vec *vec;
};

void irq_init(struct irq *irq, const struct bus *bus, struct clock *clock);
void irq_reset(struct irq *irq);
void irq_raise(struct irq *irq, u32 vector);

#endif /* _PARQSIM_IRQ_H */
