/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offload of red qdiscs: ports of a device that forwards mark frames between them (ECN), or drop
 * them early. Host frames pass the qdisc itself.
 */
#ifndef _PARQ_RED_H
#define _PARQ_RED_H

#include <linux/parq_hw_switch.h>
#include <net/pkt_cls.h>

#include "parq_log.h"

struct parq_dev;
struct parq_port;

/* ---- parq_red_calc.c --------------------------------------------------- */

/* Qdiscs of a port: one a band of the ets or prio qdisc, and the one that is the root. */
#define PARQ_RED_ROOT	PARQ_NUM_TC
#define PARQ_RED_SLOTS	(PARQ_NUM_TC + 1)

/**
 * struct parq_red_hw - settings as the device takes them
 * @ctrl: PARQ_SW_RED_CTRL; 0: no other field matters
 * @min: PARQ_SW_RED_MIN
 * @max: PARQ_SW_RED_MAX
 * @prob: PARQ_SW_RED_PROB
 */
struct parq_red_hw {
	u32 ctrl;
	u32 min;
	u32 max;
	u32 prob;
};

/**
 * struct parq_red_count - frames between ports
 * @marked: marked
 * @dropped: dropped
 */
struct parq_red_count {
	u64 marked;
	u64 dropped;
};

/**
 * struct parq_red_slot - an offloaded qdisc
 * @handle: its handle; 0: there is none
 * @parent: its place, a class of the ets or prio qdisc, or TC_H_ROOT
 * @hw: its settings
 * @count: what the device has done for it
 * @told: of @count, what is in the drops and overlimits of the qdisc
 * @told_red: of @count, what is in the counters that only red has
 */
struct parq_red_slot {
	u32 handle;
	u32 parent;
	struct parq_red_hw hw;
	struct parq_red_count count;
	struct parq_red_count told;
	struct parq_red_count told_red;
};

/**
 * struct parq_red - red qdiscs of a port
 * @slot: by band, and PARQ_RED_ROOT
 * @ets: handle of the offloaded ets or prio qdisc, 0 for none
 * @bands: its bands
 * @hw: settings in the device, by traffic class
 * @owner: slot that has each traffic class, if @hw is on
 * @last: counters of the device as last read
 * @ets_drops: frames dropped for qdiscs below the ets qdisc since that was last told
 */
struct parq_red {
	struct parq_red_slot slot[PARQ_RED_SLOTS];
	u32 ets;
	u8 bands;
	struct parq_red_hw hw[PARQ_NUM_TC];
	u8 owner[PARQ_NUM_TC];
	struct parq_red_count last[PARQ_NUM_TC];
	u64 ets_drops;
};

int parq_red_check(const struct tc_red_qopt_offload *qopt, u32 ets, char reason[PARQ_REASON_LEN]);
struct parq_red_hw parq_red_fit(const struct tc_red_qopt_offload_params *set);
unsigned int parq_red_slot_of(u32 parent);
int parq_red_owner(const struct parq_red *red, unsigned int tc);

/* ---- parq_red.c -------------------------------------------------------- */

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)

/* Called by the interface to qdiscs. Context: rtnl and ops lock. */
int parq_red_setup(struct parq_port *port, struct tc_red_qopt_offload *qopt);
void parq_red_ets(struct parq_port *port, u32 handle, unsigned int bands);
u64 parq_red_ets_drops(struct parq_port *port);
void parq_red_graft(struct parq_port *port, unsigned int index, u32 child);
void parq_red_clear(struct parq_port *port);

/* Called by the switch. fold and restart bracket a reset of the device. */
int parq_red_init(struct parq_dev *pd);
void parq_red_fini(struct parq_dev *pd);
void parq_red_fold(struct parq_dev *pd);
void parq_red_restart(struct parq_dev *pd);

#else

static inline int parq_red_setup(struct parq_port *port, struct tc_red_qopt_offload *qopt)
{
	return -EOPNOTSUPP;
}

static inline void parq_red_ets(struct parq_port *port, u32 handle, unsigned int bands)
{
}

static inline u64 parq_red_ets_drops(struct parq_port *port)
{
	return 0;
}

static inline void parq_red_graft(struct parq_port *port, unsigned int index, u32 child)
{
}

static inline void parq_red_clear(struct parq_port *port)
{
}

#endif /* CONFIG_NET_SWITCHDEV */

#endif /* _PARQ_RED_H */
