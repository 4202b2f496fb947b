// SPDX-License-Identifier: GPL-2.0
/*
 * The pause FSM of one (port, priority).
 *
 * Pure: no lock, clock, log or I/O, and no memory but its arguments. The same
 * source is executed by the device (offload) and by the driver (managed).
 *
 * Inputs are levels, never edges: an executor may skip, merge or repeat steps
 * at will and ends in the same state. The device checks every command
 * against its own levels, so a decision taken on levels that have meanwhile changed
 * is harmless; in particular a PAUSE that rises while RELEASE is on its way
 * makes the device refuse it.
 */
#include "parq_fsm.h"

static struct parq_fsm_next next(enum parq_fsm_state state, enum parq_pfc_op op)
{
	return (struct parq_fsm_next){ .state = state, .op = op };
}

/* All FDs of the class are parked or sent, no pass runs, no command is open. */
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
 * @busy: the command of a previous step is not yet acknowledged
 *
 * To be called until it returns the state it was given and PARQ_PFC_NOP: each
 * call moves at most one edge.
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
	 * HALT low: a release was carried out, or the port was stopped under
	 * us. HOLD says nothing here, the class may be held again by now.
	 */
	if (state != PARQ_FSM_IDLE && !(levels & PARQ_LEVELS_HALT))
		return next(PARQ_FSM_IDLE, PARQ_PFC_NOP);

	switch (state) {
	case PARQ_FSM_IDLE:
		/* HOLD, not PAUSE: a pause may end before anybody looks. */
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
		/* A pass runs to its end, whatever PAUSE does meanwhile. */
		if (!(levels & PARQ_LEVELS_FLUSHING))
			return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
		break;
	case PARQ_FSM_RELEASING:
		/* Refused: PAUSE had risen again. */
		return next(PARQ_FSM_PARKED, PARQ_PFC_NOP);
	default:
		break;
	}
	return next(state, PARQ_PFC_NOP);
}

/**
 * parq_fsm_resume() - state in which an executor takes a class over
 * @levels: PARQ_LEVELS_* as the device published them
 *
 * For a change of executor. No command may be open.
 *
 * Return: the state that the other executor left the class in.
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
 * parq_fsm_name() - name of a state, for people
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
