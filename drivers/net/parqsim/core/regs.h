/* SPDX-License-Identifier: GPL-2.0 */
/* BAR0: stored register values. */
#ifndef _PARQSIM_REGS_H
#define _PARQSIM_REGS_H

#include "parqsim.h"

/**
 * struct regs - stored register values
 * @val: the last value written to each RW register, up to those of the last port, or of its part
 *	of the window of the switch
 * @err: PARQ_ERR
 * @err_addr: PARQ_ERR_ADDR
 * @time_hi: PARQ_TIME_HI, latched by a read of PARQ_TIME_LO
 */
struct regs {
	u32 *val;
	u32 err;
	u32 err_addr;
	u32 time_hi;
};

#endif /* _PARQSIM_REGS_H */
