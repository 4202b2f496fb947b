/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of parq_pause_fsm.c for the model in pause.pml. Spin's C expressions may contain neither
 * calls nor assignments, but macros that do. "now" is Spin's state, Pname->c the variable c
 * of process "name".
 */
#ifndef _PARQ_VERIFY_PAUSE_H
#define _PARQ_VERIFY_PAUSE_H

#include "parq_pause_fsm.h"

/* pause.pml has these values as numbers. */
_Static_assert(PARQ_PFC_HALT == 1, "HALT");
_Static_assert(PARQ_PFC_FLUSH == 2, "FLUSH");
_Static_assert(PARQ_PFC_RELEASE == 3, "RELEASE");
_Static_assert(PARQ_FSM_FLUSHING == 3, "FLUSHING");
_Static_assert(PARQ_FSM_RELEASING == 4, "RELEASING");

#if MUTANT == 8
#define HOLD_LEVEL	pause
#else
#define HOLD_LEVEL	hold
#endif

#define LEVELS(c)						\
	((now.pause[c] ? PARQ_LEVELS_PAUSE : 0) |		\
	 (now.HOLD_LEVEL[c] ? PARQ_LEVELS_HOLD : 0) |			\
	 (now.halt[c] ? PARQ_LEVELS_HALT : 0) |			\
	 (now.halt_ack[c] ? PARQ_LEVELS_HALT_ACK : 0) |		\
	 (now.flushing[c] ? PARQ_LEVELS_FLUSHING : 0) |		\
	 (now.repaused[c] ? PARQ_LEVELS_REPAUSED : 0) |		\
	 (now.parked[c] ? PARQ_LEVELS_PARKED : 0))

static inline bool fsm_moves(u8 state, u64 levels, bool busy)
{
	struct parq_fsm_next n = parq_fsm_step(state, levels, busy);

	return n.state != state || n.op != PARQ_PFC_NOP;
}

/* Steps the FSM whose state is *@state. Returns the command. */
static inline u8 fsm_step(u8 *state, u64 levels)
{
	struct parq_fsm_next n = parq_fsm_step(*state, levels, false);

	*state = n.state;
	return n.op;
}

#define OFFLOAD_MOVES						\
	fsm_moves(now.state[Poffload->c], LEVELS(Poffload->c), false)
#define OFFLOAD_STEP						\
	(Poffload->op = fsm_step(&now.state[Poffload->c],	\
				 LEVELS(Poffload->c)))
#define PAGE_IS_OLD						\
	(now.page[Ppublish->c] != LEVELS(Ppublish->c) ||	\
	 now.page_ack[Ppublish->c] != now.ack[Ppublish->c])
#define PAGE_UPDATE(c)						\
	(now.page[c] = LEVELS(c), now.page_ack[c] = now.ack[c])

/* What the host reads. */
#if LATE
#define PAGE(c)		now.page[c]
#define PAGE_ACK(c)	now.page_ack[c]
#else
#define PAGE(c)		LEVELS(c)
#define PAGE_ACK(c)	now.ack[c]
#endif

#define HOST_MOVES						\
	fsm_moves(now.state[Phost->c], PAGE(Phost->c),		\
		  now.seq[Phost->c] != PAGE_ACK(Phost->c))
#define HOST_STEP						\
	(Phost->op = fsm_step(&now.state[Phost->c], PAGE(Phost->c)))

#if LATE
#define SWITCH_PAGE(c)	PAGE_UPDATE(c)
#else
#define SWITCH_PAGE(c)	((void)0)
#endif
#define SWITCH							\
	(SWITCH_PAGE(Pswitcher->c),				\
	 now.state[Pswitcher->c] =				\
		parq_fsm_resume(LEVELS(Pswitcher->c)))

#endif /* _PARQ_VERIFY_PAUSE_H */
