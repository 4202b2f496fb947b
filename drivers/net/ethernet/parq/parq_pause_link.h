/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PAUSE_LINK_H
#define _PARQ_PAUSE_LINK_H

#include <linux/types.h>

#include "parq_ets_calc.h"

struct parq_dev;
struct parq_port;

/**
 * struct parq_pause_want - link pause as set by the user
 * @autoneg: negotiated with the link partner; otherwise @rx and @tx apply as they are
 * @rx: obey pause frames
 * @tx: send pause frames
 */
struct parq_pause_want {
	bool autoneg;
	bool rx;
	bool tx;
};

/**
 * struct parq_pause - link pause of a port; parq_pfc.lock covers it
 * @want: settings; kept as long as the netdev
 * @fc: the part in force: PARQ_FC_CTRL_PAUSE_*
 * @low_opcode: opcode of Pause Low, 0 for none
 * @low_prios: BIT(priority) that Pause Low stops
 */
struct parq_pause {
	struct parq_pause_want want;
	u32 fc;
	u16 low_opcode;
	u8 low_prios;
};

/* Pure functions: IEEE 802.3 annex 28B */
u32 parq_pause_adv(const struct parq_pause_want *want);
u32 parq_pause_negotiate(u32 own, u32 partner);

static inline bool parq_pause_is_wanted(const struct parq_pause_want *want)
{
	return want->rx || want->tx;
}

/* Called by the PFC engine, which holds parq_pfc.lock (except for init). */
void parq_pause_init(struct parq_port *port);
int __parq_pause_open(struct parq_port *port);

/* Called by the base of the driver. */
void parq_pause_link(struct parq_port *port);
u8 parq_pause_stopped(struct parq_port *port);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_pause_set(struct parq_port *port, const struct parq_pause_want *want,
		   char reason[PARQ_REASON_LEN]);
struct parq_pause_want parq_pause_get(struct parq_port *port);
void parq_pause_low_get(struct parq_port *port, u16 *opcode, u8 *prios);
int parq_pause_low_check(u16 opcode, char reason[PARQ_REASON_LEN]);
int parq_pause_low_set(struct parq_port *port, u16 opcode, u8 prios);
int parq_pause_send(struct parq_port *port, u8 prios, bool xoff,
		    char reason[PARQ_REASON_LEN]);
int parq_pause_send_all(struct parq_dev *pd, bool xoff,
			char reason[PARQ_REASON_LEN]);

#endif /* _PARQ_PAUSE_LINK_H */
