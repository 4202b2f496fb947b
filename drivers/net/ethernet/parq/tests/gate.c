// SPDX-License-Identifier: GPL-2.0
/*
 * A minimal gate of a device: it accepts the same commands under the same conditions.
 */
#include "gate.h"

#define HOLD	PARQ_LEVELS_HOLD
#define HALT	PARQ_LEVELS_HALT
#define ACK	PARQ_LEVELS_HALT_ACK
#define PAUSE	PARQ_LEVELS_PAUSE
#define FLUSH	PARQ_LEVELS_FLUSHING

static void gate_set(struct gate *g, u64 flag, bool on)
{
	if (on)
		g->levels |= flag;
	else
		g->levels &= ~flag;
}

void gate_pause(struct gate *g, bool on)
{
	if (on && (g->levels & PARQ_LEVELS_STORM))
		return;
	g->levels &= ~PARQ_LEVELS_STORM;
	gate_set(g, PAUSE, on);
	if (on)
		g->levels |= HOLD;
	if (on && (g->levels & FLUSH))
		g->levels |= PARQ_LEVELS_REPAUSED;
}

void gate_storm(struct gate *g)
{
	if (!(g->levels & PAUSE))
		return;
	g->levels &= ~PAUSE;
	g->levels |= PARQ_LEVELS_STORM;
	g->storms++;
}

static bool gate_take(struct gate *g, enum parq_pfc_op op)
{
	switch (op) {
	case PARQ_PFC_HALT:
		if (!(g->levels & HOLD) || (g->levels & HALT))
			return false;
		g->levels |= HALT;
		return true;
	case PARQ_PFC_FLUSH:
		if (!(g->levels & ACK) || (g->levels & FLUSH) || !g->parked)
			return false;
		g->levels |= FLUSH;
		g->pass = g->parked;
		gate_set(g, PARQ_LEVELS_REPAUSED, g->levels & PAUSE);
		return true;
	case PARQ_PFC_RELEASE:
		if (!(g->levels & ACK) || (g->levels & (FLUSH | PAUSE)) ||
		    g->parked)
			return false;
		g->levels &= ~(HOLD | HALT | ACK);
		return true;
	default:
		return false;
	}
}

bool gate_advance(struct gate *g)
{
	if (g->open != PARQ_PFC_NOP) {
		g->refused += !gate_take(g, g->open);
		g->open = PARQ_PFC_NOP;
	} else if (g->pass) {
		g->pass--;
		g->parked--;
		g->parked += !!(g->levels & PARQ_LEVELS_REPAUSED);
	} else if (g->levels & FLUSH) {
		g->levels &= ~(FLUSH | PARQ_LEVELS_REPAUSED);
	} else if (g->pipe && (g->levels & HOLD)) {
		g->pipe--;
		g->parked++;
	} else if ((g->levels & (HALT | ACK)) == HALT) {
		g->levels |= ACK;
	} else if (!(g->levels & HOLD) && g->pipe < GATE_PIPE) {
		g->pipe++;
		return false;
	} else {
		return false;
	}
	gate_set(g, PARQ_LEVELS_PARKED, g->parked);
	return true;
}

u32 gate_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}
