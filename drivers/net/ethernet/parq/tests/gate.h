/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TESTS_GATE_H
#define _PARQ_TESTS_GATE_H

#include <linux/types.h>
#include <linux/parq_hw.h>

#define GATE_PIPE	3

/**
 * struct gate - the device's side of one class
 * @levels: flags of the levels word
 * @parked: FDs in the park queue
 * @pipe: FDs in the pipeline
 * @pass: FDs that the pass has still to bring back
 * @open: command on its way, PARQ_PFC_NOP for none
 * @refused: commands that came when they had no effect
 * @storms: pauses that were too long
 */
struct gate {
	u64 levels;
	unsigned int parked;
	unsigned int pipe;
	unsigned int pass;
	enum parq_pfc_op open;
	unsigned int refused;
	u64 storms;
};

void gate_pause(struct gate *g, bool on);
/* A pause that runs has been too long: it is obeyed no longer. */
void gate_storm(struct gate *g);
/* The device gets on by one event of its own; false if there is none. */
bool gate_advance(struct gate *g);

/* The same numbers in every run. */
u32 gate_random(u32 *seed);

#endif /* _PARQ_TESTS_GATE_H */
