/* SPDX-License-Identifier: GPL-2.0 */
/* Transmission selection (IEEE 802.1Qaz): selects one of the priorities that can send. */
#ifndef _PARQSIM_QMAN_ETS_H
#define _PARQSIM_QMAN_ETS_H

#include "qman.h"

bool qman_ets_valid(const struct qman_ets *ets);
u32 qman_fair_pick(u64 set, u32 last, s32 *allowance);
u32 qman_ets_pick(struct qman_port *p, u8 ready);
void qman_ets_repeat(struct qman_port *p, u32 prio, u32 bytes, u32 n);
void qman_ets_charge(struct qman_port *p, u32 prio, u32 bytes);
void qman_ets_refund(struct qman_port *p, u32 prio, u32 bytes);

/* The first set bit after @last, wrapping around. */
static inline u32 qman_next_bit(u64 set, u32 last)
{
	u64 behind = set & (~1ULL << last);

	return __builtin_ctzll(behind ? behind : set);
}

#endif /* _PARQSIM_QMAN_ETS_H */
