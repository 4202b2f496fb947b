/* SPDX-License-Identifier: GPL-2.0 */
/* The event ring in host memory. */
#ifndef _PARQSIM_EVENT_H
#define _PARQSIM_EVENT_H

#include "irq.h"

struct events {
	const struct bus *bus;
	struct irq *irq;
	u64 base;
	u32 mask;
	u32 head;	/* first entry that the host has not consumed */
	u32 tail;
	u32 lost;
	u16 vec;
	u8 log2;
	bool en;
};

void event_init(struct events *ev, const struct bus *bus, struct irq *irq);
void event_reset(struct events *ev);
void event_start(struct events *ev, u64 base, u8 log2, u16 vec);
void event_stop(struct events *ev);
bool event_log(struct events *ev, const struct parq_event *e);

/* Raises the event interrupt: the levels of a class whose FSM the host runs have changed. */
void event_poke(struct events *ev);

static inline bool event_wanted(const struct events *ev, u32 type)
{
	return ev->en && (ev->mask & BIT(type));
}

#endif /* _PARQSIM_EVENT_H */
