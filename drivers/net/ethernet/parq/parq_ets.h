/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETS_H
#define _PARQ_ETS_H

#include "parq_ets_tc_calc.h"

struct parq_port;

/* Qdiscs that can replace DCB's selection. Two exist only while one replaces the other. */
enum parq_ets_user {
	PARQ_ETS_USER_MQPRIO,
	PARQ_ETS_USER_ETS,
	PARQ_ETS_USERS
};

/**
 * struct parq_ets - transmission selection of a port; under rtnl, except @slow
 * @dcb: DCB's settings, as the user gave them
 * @maxrate: DCB's limits, kbit/s
 * @tc: settings of qdiscs; no parts: there is no qdisc
 * @hw: values in the device; while it is down, values for the next start
 * @slow: BIT(priority) whose queues may wait longer than the TX watchdog's timeout
 *	without being stuck
 */
struct parq_ets {
	struct ieee_ets dcb;
	u64 maxrate[PARQ_NUM_TC];
	struct parq_tc tc[PARQ_ETS_USERS];
	struct parq_ets_hw hw;
	u8 slow;
};

/* Called by the base of the driver and by the PFC engine. */
void parq_ets_init(struct parq_port *port);
int parq_ets_open(struct parq_port *port);
bool parq_ets_slow(const struct parq_port *port, unsigned int prio);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_ets_set(struct parq_port *port, const struct ieee_ets *ets,
		 char reason[PARQ_REASON_LEN]);
int parq_ets_maxrate_set(struct parq_port *port,
			 const u64 maxrate[PARQ_NUM_TC],
			 char reason[PARQ_REASON_LEN]);
int parq_ets_tc_set(struct parq_port *port, enum parq_ets_user user,
		    const struct parq_tc *tc);
void parq_ets_tc_clear(struct parq_port *port, enum parq_ets_user user);
int parq_ets_queues_check(const struct parq_port *port, unsigned int queues,
			  char reason[PARQ_REASON_LEN]);

#endif /* _PARQ_ETS_H */
