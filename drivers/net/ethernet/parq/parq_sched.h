/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_SCHED_H
#define _PARQ_SCHED_H

#include "parq_tc.h"

struct parq_port;

/* Qdiscs that can replace DCB's selection. Two exist only while one replaces the other. */
enum parq_sched_user {
	PARQ_SCHED_MQPRIO,
	PARQ_SCHED_ETS,
	PARQ_SCHED_USERS
};

/**
 * struct parq_sched - transmission selection of a port; under rtnl, except @slow
 * @ets: DCB's settings, as the user gave them
 * @maxrate: DCB's limits, kbit/s
 * @tc: settings of qdiscs; no parts: there is no qdisc
 * @hw: values in the device; while it is down, values for the next start
 * @slow: BIT(priority) whose queues may wait longer than the TX watchdog's timeout
 *	without being stuck
 */
struct parq_sched {
	struct ieee_ets ets;
	u64 maxrate[PARQ_NUM_TC];
	struct parq_tc tc[PARQ_SCHED_USERS];
	struct parq_ets hw;
	u8 slow;
};

/* Called by the base of the driver and by the PFC engine. */
void parq_sched_init(struct parq_port *port);
int parq_sched_open(struct parq_port *port);
bool parq_sched_slow(const struct parq_port *port, unsigned int prio);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_sched_ets_set(struct parq_port *port, const struct ieee_ets *ets,
		       char reason[PARQ_REASON_LEN]);
int parq_sched_maxrate_set(struct parq_port *port,
			   const u64 maxrate[PARQ_NUM_TC],
			   char reason[PARQ_REASON_LEN]);
int parq_sched_tc_set(struct parq_port *port, enum parq_sched_user user,
		      const struct parq_tc *tc);
void parq_sched_tc_clear(struct parq_port *port, enum parq_sched_user user);
int parq_sched_queues_check(const struct parq_port *port, unsigned int queues,
			    char reason[PARQ_REASON_LEN]);

#endif /* _PARQ_SCHED_H */
