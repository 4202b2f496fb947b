/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PAUSE_FSM_H
#define _PARQ_PAUSE_FSM_H

#include <linux/parq_hw.h>

/**
 * enum parq_fsm_state - state of one (port, priority)
 * @PARQ_FSM_IDLE: frames flow; HOLD and HALT are low
 * @PARQ_FSM_HALTING: HALT was requested, the pipe-cleaner is under way
 * @PARQ_FSM_PARKED: every FD of the class has been sent or parked
 * @PARQ_FSM_FLUSHING: a pass returns parked FDs to the pipeline
 * @PARQ_FSM_RELEASING: a release of HOLD and HALT was requested
 * @PARQ_FSM_NUM_STATES: number of states
 */
enum parq_fsm_state {
	PARQ_FSM_IDLE,
	PARQ_FSM_HALTING,
	PARQ_FSM_PARKED,
	PARQ_FSM_FLUSHING,
	PARQ_FSM_RELEASING,
	PARQ_FSM_NUM_STATES
};

/**
 * struct parq_fsm_next - result of a step
 * @state: new state
 * @op: command for the gate, PARQ_PFC_NOP for none
 */
struct parq_fsm_next {
	enum parq_fsm_state state;
	enum parq_pfc_op op;
};

struct parq_fsm_next parq_fsm_step(enum parq_fsm_state state, u64 levels,
				   bool busy);
enum parq_fsm_state parq_fsm_resume(u64 levels);
const char *parq_fsm_name(enum parq_fsm_state state);

#endif /* _PARQ_PAUSE_FSM_H */
