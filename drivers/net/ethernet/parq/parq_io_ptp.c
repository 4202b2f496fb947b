// SPDX-License-Identifier: GPL-2.0
/* PTP clock. See parq_hw.h for what each register means. The caller serializes. */
#include <linux/ptp_clock_kernel.h>

#include "parq_io.h"
#include "parq_reg.h"

/* @sts: the system's time before and after the read; may be NULL. Return: ns. */
u64 parq_io_ptp_time(struct parq_dev *pd, struct ptp_system_timestamp *sts)
{
	u32 lo;

	ptp_read_system_prets(sts);
	lo = parq_reg_rd(pd, PARQ_PTP_TIME_LO);
	ptp_read_system_postts(sts);
	return (u64)parq_reg_rd(pd, PARQ_PTP_TIME_HI) << 32 | lo;
}

void parq_io_ptp_cmd(struct parq_dev *pd, enum parq_ptp_op op, u64 val)
{
	parq_reg_wr(pd, PARQ_PTP_VAL_LO, lower_32_bits(val));
	parq_reg_wr(pd, PARQ_PTP_VAL_HI, upper_32_bits(val));
	parq_reg_wr(pd, PARQ_PTP_CMD, op);
}

void parq_io_ptp_rate(struct parq_dev *pd, s32 rate)
{
	parq_reg_wr(pd, PARQ_PTP_RATE, rate);
}
