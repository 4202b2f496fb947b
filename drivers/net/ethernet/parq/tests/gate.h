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
 * @pass: FDs that the running pass has not returned yet
 * @open: pending command, PARQ_PFC_NOP for none
 * @refused: commands without effect
 * @storms: number of storms
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
/* Turns a running pause into a storm: it is not obeyed any more. */
void gate_storm(struct gate *g);
/* Advances the device by one event; false if there is none. */
bool gate_advance(struct gate *g);

/* Pseudo-random, the same numbers in every run. */
u32 gate_random(u32 *seed);

#endif /* _PARQ_TESTS_GATE_H */
