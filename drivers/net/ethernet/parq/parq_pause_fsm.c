// SPDX-License-Identifier: GPL-2.0
/*
 * The pause FSM of one (port, priority).
 *
 * Pure: no lock, clock, log or I/O, and no memory but its arguments. The device (offload)
 * and the driver (managed) execute the same source.
 *
 * Inputs are levels, never edges: an executor may skip, merge or repeat steps and still
 * ends in the same state. The device checks every command against its own levels, so a
 * decision based on outdated levels is harmless. For example, the device refuses a
 * RELEASE if PAUSE has risen meanwhile.
 */
#include "parq_pause_fsm.h"

static struct parq_fsm_next next(enum parq_fsm_state state, enum parq_pfc_op op)
{
	return (struct parq_fsm_next){ .state = state, .op = op };
}

/* All FDs of the class are parked or sent; no pass is running, no command is pending. */
static struct parq_fsm_next leave_parked(u64 levels)
{
	if (levels & PARQ_LEVELS_PAUSE)
		return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
	if (levels & PARQ_LEVELS_PARKED)
		return next(PARQ_FSM_FLUSHING, PARQ_PFC_FLUSH);
	return next(PARQ_FSM_RELEASING, PARQ_PFC_RELEASE);
}

/**
 * parq_fsm_step() - decide what one class does next
 * @state: state that the previous step returned
 * @levels: PARQ_LEVELS_* as the device published them
 * @busy: the command of a previous step has not been acknowledged
 *
 * Must be called until it returns the state it was given and PARQ_PFC_NOP: each call
 * follows one edge at most.
 *
 * Context: any.
 * Return: the new state and the command to give to the gate.
 */
struct parq_fsm_next parq_fsm_step(enum parq_fsm_state state, u64 levels,
				   bool busy)
{
	if (busy)
		return next(state, PARQ_PFC_NOP);
	/*
	 * HALT is low: a release was carried out, or the port was stopped. HOLD
	 * does not matter here: the class may already be held again.
	 */
	if (state != PARQ_FSM_IDLE && !(levels & PARQ_LEVELS_HALT))
		return next(PARQ_FSM_IDLE, PARQ_PFC_NOP);

	switch (state) {
	case PARQ_FSM_IDLE:
		/* HOLD, not PAUSE: a pause may end before the executor runs. */
		if (levels & PARQ_LEVELS_HOLD)
			return next(PARQ_FSM_HALTING, PARQ_PFC_HALT);
		break;
	case PARQ_FSM_HALTING:
		if (levels & PARQ_LEVELS_HALT_ACK)
			return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
		break;
	case PARQ_FSM_PARKED:
		return leave_parked(levels);
	case PARQ_FSM_FLUSHING:
		/* A pass runs to its end, regardless of PAUSE. */
		if (!(levels & PARQ_LEVELS_FLUSHING))
			return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
		break;
	case PARQ_FSM_RELEASING:
		/* The release was refused: PAUSE had risen again. */
		return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
	default:
		break;
	}
	return next(state, PARQ_PFC_NOP);
}

/**
 * parq_fsm_resume() - state of a class after a change of executor
 * @levels: PARQ_LEVELS_* as the device published them
 *
 * No command may be pending.
 *
 * Return: the state in which the old executor left the class.
 */
enum parq_fsm_state parq_fsm_resume(u64 levels)
{
	if (!(levels & PARQ_LEVELS_HALT))
		return PARQ_FSM_IDLE;
	if (!(levels & PARQ_LEVELS_HALT_ACK))
		return PARQ_FSM_HALTING;
	if (levels & PARQ_LEVELS_FLUSHING)
		return PARQ_FSM_FLUSHING;
	return PARQ_FSM_PARKED;
}

/**
 * parq_fsm_name() - name of a state
 * @state: any value
 *
 * Return: a constant string.
 */
const char *parq_fsm_name(enum parq_fsm_state state)
{
	static const char *const names[PARQ_FSM_NUM_STATES] = {
		[PARQ_FSM_IDLE] = "idle",
		[PARQ_FSM_HALTING] = "halting",
		[PARQ_FSM_PARKED] = "parked",
		[PARQ_FSM_FLUSHING] = "flushing",
		[PARQ_FSM_RELEASING] = "releasing",
	};

	return (unsigned int)state < PARQ_FSM_NUM_STATES ? names[state] : "?";
}
