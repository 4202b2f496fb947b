/* SPDX-License-Identifier: GPL-2.0 */
/* The registers of the PTP clock, for tests of what follows it. */
#ifndef _PARQSIM_TESTS_CLOCK_REGS_H
#define _PARQSIM_TESTS_CLOCK_REGS_H

#include "rig.h"

static inline u64 clock_read(struct rig *r)
{
	u64 lo = parqsim_read(r->sim, PARQ_PTP_TIME_LO);

	return lo | (u64)parqsim_read(r->sim, PARQ_PTP_TIME_HI) << 32;
}

static inline void command(struct rig *r, enum parq_ptp_op op, u64 val)
{
	parqsim_write(r->sim, PARQ_PTP_VAL_LO, val);
	parqsim_write(r->sim, PARQ_PTP_VAL_HI, val >> 32);
	parqsim_write(r->sim, PARQ_PTP_CMD, op);
	rig_assert_no_error(r);
}

#endif
