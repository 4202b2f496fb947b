/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_BUF_H
#define _PARQ_BUF_H

#include <linux/types.h>

#include "parq_buf_calc.h"
#include "parq_log.h"

struct parq_link;
struct parq_port;

/**
 * struct parq_buf - receive buffers of a port; parq_pfc.lock covers them
 * @want: settings and other inputs of the calculation; kept as long as the netdev
 * @rxb: result of the calculation
 * @hw: values in the device, undefined while parq_pfc.up is not set; of a switch always, all 0
 *	after its reset
 * @hw_flow: PARQ_FC_CTRL
 * @used: bytes in each buffer at the last devlink snapshot
 * @high: highest level of each buffer at the last devlink snapshot
 */
struct parq_buf {
	struct parq_rxb_want want;
	struct parq_rxb rxb;
	struct parq_rxb hw;
	u32 hw_flow;
	u32 used[PARQ_NUM_RXB];
	u32 high[PARQ_NUM_RXB];
};

/* Called by the PFC engine, which holds parq_pfc.lock (except for init). */
void parq_buf_init(struct parq_port *port);
void parq_buf_share(struct parq_port *port);
void parq_buf_restart(struct parq_port *port);
int __parq_buf_open(struct parq_port *port, char reason[PARQ_REASON_LEN]);
void __parq_buf_close(struct parq_port *port);
int __parq_buf_flow(struct parq_port *port);
int __parq_buf_change(struct parq_port *port,
		      const struct parq_rxb_want *want,
		      char reason[PARQ_REASON_LEN]);

/* Called by the base of the driver. */
int parq_buf_mtu(struct parq_port *port, unsigned int mtu,
		 char reason[PARQ_REASON_LEN]);
int parq_buf_fastest(struct parq_port *port, enum parq_speed fastest,
		     char reason[PARQ_REASON_LEN]);
void parq_buf_link(struct parq_port *port);
enum parq_speed parq_buf_fastest_of(const struct parq_link *link);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_buf_set(struct parq_port *port, const struct dcbnl_buffer *user,
		 char reason[PARQ_REASON_LEN]);
void parq_buf_get(struct parq_port *port, struct dcbnl_buffer *user);
u32 parq_buf_cable_get(struct parq_port *port);
int parq_buf_cable_check(struct parq_port *port, u32 cable_m,
			 char reason[PARQ_REASON_LEN]);
int parq_buf_cable_set(struct parq_port *port, u32 cable_m,
		       char reason[PARQ_REASON_LEN]);
int parq_buf_snapshot(struct parq_port *port);
void parq_buf_max_clear(struct parq_port *port);

#endif /* _PARQ_BUF_H */
