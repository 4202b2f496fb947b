/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PRIO_H
#define _PARQ_PRIO_H

#include <linux/dcbnl.h>
#include <linux/parq_hw.h>

#include "parq_ets.h"
#include "parq_log.h"

struct parq_port;
struct sk_buff;

/* ---- parq_prio_calc.c -------------------------------------------------- */

/* Selectors of a frame's priority: PCP of the tag, DSCP. */
#define PARQ_TRUST_SELS		2
#define PARQ_NUM_PCP		16	/* with DEI */

/**
 * struct parq_trust - mapping of frames to priorities, and of priorities to frames
 * @dscp: priorities of a code point by APP entries, BIT(priority)
 * @pcp: priorities of a PCP by APP entries, BIT(priority); with DEI from 8 on
 * @dflt: priorities of all other frames by APP entries, BIT(priority)
 * @rewr_dscp: code points of a priority by rewrite entries, BIT(DSCP)
 * @rewr_pcp: PCPs of a priority by rewrite entries, BIT(PCP), with DEI from 8 on
 * @order: selectors in the order of their use, valid if @ordered
 * @num: number of selectors
 * @ordered: a user has set the order
 *
 * The highest bit of each map is used.
 */
struct parq_trust {
	u8 dscp[PARQ_NUM_DSCP];
	u8 pcp[PARQ_NUM_PCP];
	u8 dflt;
	u64 rewr_dscp[PARQ_NUM_PRIO];
	u16 rewr_pcp[PARQ_NUM_PRIO];
	u8 order[PARQ_TRUST_SELS];
	u8 num;
	bool ordered;
};

/**
 * struct parq_trust_hw - the same as register values
 * @trust: PARQ_TRUST
 * @pcp: PARQ_PCP_PRIO
 * @dscp: PARQ_DSCP_PRIO
 * @rewr: PARQ_REWR
 */
struct parq_trust_hw {
	u32 trust;
	u32 pcp[PARQ_NUM_PCP / 8];
	u32 dscp[PARQ_NUM_DSCP / 8];
	u32 rewr[PARQ_NUM_PRIO];
};

int parq_trust_app_check(const struct dcb_app *app, char reason[PARQ_REASON_LEN]);
int parq_trust_rewr_check(const struct dcb_app *app,
			  char reason[PARQ_REASON_LEN]);
int parq_trust_order_check(const u8 *order, unsigned int num,
			   char reason[PARQ_REASON_LEN]);
void parq_trust_app(struct parq_trust *t, const struct dcb_app *app, bool add);
void parq_trust_rewr(struct parq_trust *t, const struct dcb_app *app, bool add);
void parq_trust_order(struct parq_trust *t, const u8 *order, unsigned int num);
unsigned int parq_trust_order_get(const struct parq_trust *t,
				  u8 order[PARQ_TRUST_SELS]);
struct parq_trust_hw parq_trust_fit(const struct parq_trust *t);
bool parq_trust_plain(const struct parq_trust_hw *hw);

/* ---- parq_prio.c ------------------------------------------------------- */

/**
 * struct parq_prio - mapping of a port's frames to priorities
 * @want: settings
 * @hw: values in the device; the sender reads them
 *
 * Written under rtnl and the ops lock, or under rtnl while the port is down; read under either.
 * The sender reads single words of @hw.
 */
struct parq_prio {
	struct parq_trust want;
	struct parq_trust_hw hw;
};

void parq_prio_init(struct parq_port *port);
int parq_prio_open(struct parq_port *port);
int parq_prio_set(struct parq_port *port, const struct parq_trust *want);
void parq_prio_reset(struct parq_port *port);
unsigned int parq_prio_tx(const struct parq_port *port,
			  const struct sk_buff *skb);
unsigned int parq_prio_data(const struct parq_port *port, const void *data,
			    unsigned int len, unsigned int dflt);

#endif /* _PARQ_PRIO_H */
