/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BMI, the intermediate stage: an in-order pipeline for all classes of up to PARQSIM_PIPE_PORTS
 * ports. Pipelines do not know of each other. An FD leaves a fixed number of clocks after it
 * entered. Credits ensure that the NTI has room for it. The pipeline carries no payload: the
 * payload is fetched after the FD has passed the gate.
 */
#ifndef _PARQSIM_BMI_H
#define _PARQSIM_BMI_H

#include "clock.h"
#include "fd.h"
#include "parqsim.h"

struct nti;

/* Markers need no credit: each class has at most one pipe-cleaner and one end of pass. */
#define BMI_MARKERS	(2 * PARQ_NUM_PRIO)

struct bmi_slot {
	struct fd fd;
	u64 out;
};

struct bmi {
	struct clock *clock;
	struct nti *nti;
	struct timer timer;
	u32 clk_ps;
	u32 depth;
	u64 last_in;
	u32 head;
	u32 count;
	u32 slots;
	struct bmi_slot *slot;
};

/* The pipeline of a port. */
static inline struct bmi *bmi_of(struct bmi *pipes, u32 port)
{
	return &pipes[port / PARQSIM_PIPE_PORTS];
}

/* The ring's slot @i behind the first one; @i is at most the number of slots. */
static inline struct bmi_slot *bmi_slot_at(const struct bmi *b, u32 i)
{
	i += b->head;
	return &b->slot[i < b->slots ? i : i - b->slots];
}

void bmi_init(struct bmi *b);
void bmi_reset(struct bmi *b);
void bmi_push(struct bmi *b, const struct fd *fd);
void bmi_purge(struct bmi *b, u32 port, int queue, u32 domain);

#endif /* _PARQSIM_BMI_H */
