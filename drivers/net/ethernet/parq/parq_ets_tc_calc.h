/* SPDX-License-Identifier: GPL-2.0 */
/* Offload of queueing disciplines to the scheduler: pure arithmetic. */
#ifndef _PARQ_ETS_TC_CALC_H
#define _PARQ_ETS_TC_CALC_H

#include <net/pkt_cls.h>
#include <net/pkt_sched.h>

#include "parq_ets_calc.h"

/* Parts of the scheduler that a qdisc can set in place of DCB. */
#define PARQ_TC_MAP		BIT(0)	/* traffic classes of priorities */
#define PARQ_TC_SHARES		BIT(1)	/* algorithms and bandwidths */
#define PARQ_TC_RATES		BIT(2)	/* limits */

/**
 * struct parq_tc - settings of a qdisc
 * @parts: PARQ_TC_*; DCB sets the other parts
 * @prio_tc: as in struct ieee_ets
 * @tsa: as in struct ieee_ets
 * @bw: as in struct ieee_ets, but need not add up to 100
 * @maxrate: kbit/s by traffic class, 0 for none
 * @queues: TX queues that must exist for it
 */
struct parq_tc {
	u8 parts;
	u8 prio_tc[PARQ_NUM_PRIO];
	u8 tsa[PARQ_NUM_TC];
	u8 bw[PARQ_NUM_TC];
	u64 maxrate[PARQ_NUM_TC];
	unsigned int queues;
};

int parq_tc_mqprio_check(const struct tc_mqprio_qopt_offload *mqprio,
			 unsigned int queues, char reason[PARQ_REASON_LEN]);
struct parq_tc parq_tc_mqprio_fit(const struct tc_mqprio_qopt_offload *mqprio);
int parq_tc_ets_check(const struct tc_ets_qopt_offload *ets,
		      char reason[PARQ_REASON_LEN]);
struct parq_tc parq_tc_ets_fit(const struct tc_ets_qopt_offload *ets);

#endif /* _PARQ_ETS_TC_CALC_H */
