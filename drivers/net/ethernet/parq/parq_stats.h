/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_STATS_H
#define _PARQ_STATS_H

#include "parq.h"

/* Values of struct parq_tx_stats and struct parq_rx_stats. */
struct parq_tx_counters {
	u64 packets;
	u64 bytes;
	u64 wakes;
	u64 hw_drops;
	u64 gso_packets;
	u64 gso_bytes;
	u64 gso_wire_packets;
	u64 gso_wire_bytes;
	u64 stamps;
	u64 stamps_lost;
	u64 stamps_bad;
	u64 dropped;
	u64 errors;
	u64 tso;
	u64 stops;
	u64 timeouts;
	u64 xdp;
	u64 xdp_full;
	u64 xdp_down;
	u64 xsk;
	u64 xsk_invalid;
};

struct parq_rx_counters {
	u64 packets;
	u64 bytes;
	u64 csum_ok;
	u64 csum_bad;
	u64 gro_packets;
	u64 gro_bytes;
	u64 gro_wire_packets;
	u64 gro_wire_bytes;
	u64 errors;
	u64 dropped;
	u64 flushed;
	u64 alloc_fail;
	u64 xdp_drop;
	u64 xdp_tx;
	u64 xdp_redirect;
	u64 xdp_aborted;
};

/* Counters of the device; contexts are documented in parq_stats.c. */
const struct parq_stats *parq_stats_get(struct parq_port *port);
const struct parq_stats *parq_stats_last(struct parq_port *port);
void parq_stats_put(struct parq_port *port);
void parq_stats_refresh(struct parq_port *port);
void parq_stats_fold(struct parq_port *port);
void parq_stats_restart(struct parq_port *port);

/* Adds up the counters of all queues, removed ones included. Any context. */
void parq_stats_queues(const struct parq_port *port,
		       struct parq_tx_counters *tx,
		       struct parq_rx_counters *rx);

/* Drops of the device are as last read. Any context. */
void parq_stats_link(const struct parq_port *port, struct rtnl_link_stats64 *s);

void parq_stats_netdev(struct net_device *dev);

#endif /* _PARQ_STATS_H */
