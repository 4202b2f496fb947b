/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PTP clock: a time that follows the device clock at an adjustable rate. All arithmetic is
 * exact, so nothing adds up however often it is read or adjusted.
 */
#ifndef _PARQSIM_PTP_H
#define _PARQSIM_PTP_H

#include "parqsim.h"

/**
 * struct ptp - the clock, as of its last adjustment
 * @at: device clock at that moment, ps
 * @ns: time at that moment, ns
 * @ps: what is beyond @ns, ps, less than 1000
 * @frac: what is beyond @ps, 2^-40 ps
 * @rate: PARQ_PTP_RATE
 * @steps: commands since the reset
 * @arrival: when the frame that is being received began, ns; with PARQ_PORT_CTRL_RX_STAMP
 * @latched: PARQ_PTP_TIME_HI
 */
struct ptp {
	u64 at;
	u64 ns;
	u32 ps;
	u64 frac;
	s32 rate;
	u32 steps;
	u64 arrival;
	u32 latched;
};

u64 ptp_time(const struct ptp *p, u64 at);
u64 ptp_when(const struct ptp *p, u64 at, u64 ns);
void ptp_rate(struct ptp *p, u64 now, s32 rate);
void ptp_command(struct ptp *p, u64 now, enum parq_ptp_op op, u64 val);
void ptp_reset(struct ptp *p, u64 now);

#endif /* _PARQSIM_PTP_H */
