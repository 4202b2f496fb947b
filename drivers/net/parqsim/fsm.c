// SPDX-License-Identifier: GPL-2.0
/* The NIC's own copy of the pause FSM: the driver's is in another module. */
#include "../ethernet/parq/parq_pause_fsm.c"
