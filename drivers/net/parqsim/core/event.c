// SPDX-License-Identifier: GPL-2.0
#include "event.h"

void event_init(struct events *ev, const struct bus *bus, struct irq *irq)
{
	ev->bus = bus;
	ev->irq = irq;
}

void event_reset(struct events *ev)
{
	*ev = (struct events){ .bus = ev->bus, .irq = ev->irq };
}

void event_start(struct events *ev, u64 base, u8 log2, u16 vec)
{
	ev->base = base;
	ev->log2 = log2;
	ev->vec = vec;
	ev->tail = 0;
	ev->head = 0;
	ev->en = true;
}

void event_stop(struct events *ev)
{
	ev->en = false;
}

void event_poke(struct events *ev)
{
	if (ev->en)
		irq_raise(ev->irq, ev->vec);
}

/**
 * event_log() - write an event, if its type is enabled
 * @ev: the ring
 * @e: the event; time and @gen are filled in here
 *
 * The last 64-bit word, which has @gen, is written last and in one piece. So the host
 * never takes a half-written entry for a valid one.
 *
 * Return: false if the event is enabled but was lost.
 */
bool event_log(struct events *ev, const struct parq_event *e)
{
	u64 addr = ev->base + sizeof(*e) * (ev->tail & (BIT(ev->log2) - 1));
	u32 gen = (ev->tail >> ev->log2) + 1;
	struct parq_event w = *e;

	if (!event_wanted(ev, e->type))
		return true;
	if (ev->tail - ev->head >= BIT(ev->log2)) {
		ev->lost++;
		return false;
	}
	w.time = cpu_to_le64(ev->irq->clock->now / PARQSIM_PS_PER_NS);
	if (!bus_write(ev->bus, addr, &w, 24) ||
	    !bus_write64(ev->bus, addr + 24, (u64)gen << 32)) {
		ev->lost++;
		return false;
	}
	ev->tail++;
	irq_raise(ev->irq, ev->vec);
	return true;
}
