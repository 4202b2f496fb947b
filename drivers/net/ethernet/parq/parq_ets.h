/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETS_H
#define _PARQ_ETS_H

#include <linux/dcbnl.h>
#include <linux/netdevice.h>
#include <linux/parq_hw.h>
#include <net/pkt_cls.h>
#include <net/pkt_sched.h>

#include "parq_log.h"

struct parq_port;

/* ---- parq_ets_calc.c --------------------------------------------------- */

/* Rate limits of qdiscs are in bytes/s, the device's in kbit/s. */
#define PARQ_ETS_KBIT		125
#define PARQ_ETS_RATE_MAX	(U32_MAX * (u64)PARQ_ETS_KBIT)

/* Size of a line about ETS: three titles, two digits for each class, eight percentages. */
#define PARQ_ETS_TEXT_LEN	80

/**
 * struct parq_ets_hw - 802.1Qaz settings as the device takes them
 * @prio_tc: PARQ_ETS_PRIO_TC
 * @tsa: PARQ_ETS_TSA
 * @bw_lo: PARQ_ETS_BW_LO
 * @bw_hi: PARQ_ETS_BW_HI
 * @maxrate: PARQ_ETS_MAXRATE
 * @port_rate: PARQ_ETS_PORT_RATE; 0 without PARQ_CAP_PORT_RATE
 */
struct parq_ets_hw {
	u32 prio_tc;
	u32 tsa;
	u32 bw_lo;
	u32 bw_hi;
	u32 maxrate[PARQ_NUM_TC];
	u32 port_rate;
};

/**
 * struct parq_wire_use - use of a port's wire since reset
 * @before_ns: the device's clock just before the counters were read
 * @after_ns: the same just after that
 * @bits: all bits sent: preamble, FCS, padding and gap included
 * @prio: bits of @bits by priority
 * @paused_ns: time for which each priority was paused
 */
struct parq_wire_use {
	u64 before_ns;
	u64 after_ns;
	u64 bits;
	u64 prio[PARQ_NUM_PRIO];
	u64 paused_ns[PARQ_NUM_PRIO];
};

void parq_ets_default(struct ieee_ets *ets);
void parq_ets_text(const struct ieee_ets *ets, char text[PARQ_ETS_TEXT_LEN]);
int parq_ets_check(const struct ieee_ets *ets, char reason[PARQ_REASON_LEN]);
struct parq_ets_hw parq_ets_fit(const struct ieee_ets *ets);
int parq_ets_maxrate_check(unsigned int tc, u64 kbit, char reason[PARQ_REASON_LEN]);
int parq_ets_rate_check(const char *name, unsigned int tc, u64 rate,
			char reason[PARQ_REASON_LEN]);
u32 parq_ets_rate_fit(u64 rate);
u8 parq_ets_percent(u64 part, u64 sum);
bool parq_starved(const struct parq_ets_hw *ets, unsigned int chans,
		  unsigned int prio, u32 kbit, const struct parq_wire_use *from,
		  const struct parq_wire_use *to);

/* ---- parq_ets_tc_calc.c ------------------------------------------------ */

/* Parts of the scheduler that a qdisc can set in place of DCB. */
#define PARQ_TC_MAP		BIT(0)	/* traffic classes of priorities */
#define PARQ_TC_SHARES		BIT(1)	/* algorithms and bandwidths */
#define PARQ_TC_RATES		BIT(2)	/* limits */

/**
 * struct parq_tc - settings of a qdisc
 * @qdisc: its kind
 * @parts: PARQ_TC_*; DCB sets the other parts
 * @prio_tc: as in struct ieee_ets
 * @tsa: as in struct ieee_ets
 * @bw: as in struct ieee_ets, but need not add up to 100
 * @maxrate: kbit/s by traffic class, 0 for none; without PARQ_TC_RATES the lower of it and
 *	DCB's is in force
 * @port_rate: kbit/s of the port, 0 for none
 * @queues: TX queues that must exist for it
 */
struct parq_tc {
	const char *qdisc;
	u8 parts;
	u8 prio_tc[PARQ_NUM_PRIO];
	u8 tsa[PARQ_NUM_TC];
	u8 bw[PARQ_NUM_TC];
	u64 maxrate[PARQ_NUM_TC];
	u32 port_rate;
	unsigned int queues;
};

int parq_tc_mqprio_check(const struct tc_mqprio_qopt_offload *mqprio,
			 unsigned int queues, char reason[PARQ_REASON_LEN]);
struct parq_tc parq_tc_mqprio_fit(const struct tc_mqprio_qopt_offload *mqprio);
int parq_tc_ets_check(const struct tc_ets_qopt_offload *ets,
		      char reason[PARQ_REASON_LEN]);
struct parq_tc parq_tc_ets_fit(const struct tc_ets_qopt_offload *ets, const char *qdisc);
struct tc_ets_qopt_offload parq_tc_prio_as_ets(const struct tc_prio_qopt_offload *prio);

/* ---- parq_ets.c -------------------------------------------------------- */

/*
 * Qdiscs that can replace DCB's selection, or limit the port. The first two exist together only
 * while one replaces the other.
 */
enum parq_ets_user {
	PARQ_ETS_USER_MQPRIO,
	PARQ_ETS_USER_ETS,	/* prio, too: it is an ets with strict bands alone */
	PARQ_ETS_USER_TBF,	/* at the root */
	PARQ_ETS_USERS
};

/**
 * struct parq_ets - transmission selection of a port
 * @dcb: DCB's settings, as the user gave them
 * @maxrate: DCB's limits, kbit/s
 * @tc: settings of qdiscs; no parts: there is no qdisc
 * @hw: values in the device; while it is down, values for the next start
 * @slow: BIT(priority) whose queues may wait longer than the TX watchdog's timeout
 *	without being stuck
 *
 * @dcb, @maxrate and @tc are written under rtnl and the ops lock, and read under either. @hw is
 * under the ops lock.
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
void parq_ets_tc_force(struct parq_port *port, enum parq_ets_user user, const struct parq_tc *tc);
void parq_ets_tc_clear(struct parq_port *port, enum parq_ets_user user);
int parq_ets_queues_check(const struct parq_port *port, unsigned int queues,
			  char reason[PARQ_REASON_LEN]);

/* ---- parq_ets_tc.c ----------------------------------------------------- */

/* setup_tc is for ndo_setup_tc. clear is called when hw-tc-offload is switched off. */
int parq_tc_setup(struct net_device *dev, enum tc_setup_type type, void *data);
void parq_tc_clear(struct parq_port *port);

#endif /* _PARQ_ETS_H */
