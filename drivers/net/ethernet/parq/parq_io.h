/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to the device, its ports and queues. Only parq_io*.c, parq_reg.c and the inline
 * functions here access registers and doorbells.
 */
#ifndef _PARQ_IO_H
#define _PARQ_IO_H

#include <linux/io.h>

#include "parq.h"

/* Device */
int parq_io_reset(struct parq_dev *pd);
int parq_io_caps(struct parq_dev *pd);
void parq_io_off(struct parq_dev *pd);
bool parq_io_fatal(struct parq_dev *pd);
u32 parq_io_error_take(struct parq_dev *pd, u32 *addr);
bool parq_io_error_expected(u32 err, u32 addr);
void parq_io_wake(const struct parq_db *db);
int parq_io_events_start(struct parq_dev *pd, unsigned int order,
			 unsigned int vec);
void parq_io_events_stop(struct parq_dev *pd);
void parq_io_events_mask(struct parq_dev *pd, u32 mask);
void parq_io_events_ack(struct parq_dev *pd, u32 head);
u32 parq_io_events_lost(struct parq_dev *pd);
u64 parq_io_clock(struct parq_dev *pd);
void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns);

/* Port */
void parq_io_port_init(struct parq_port *port);
u32 parq_io_port_speeds(struct parq_port *port);
void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN]);
void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set);
void parq_io_status_set(struct parq_port *port);
void parq_io_stats_snap(struct parq_port *port, u32 seq);
void parq_io_max_frame(struct parq_port *port, unsigned int mtu);
void parq_io_mac_set(struct parq_port *port, const u8 addr[ETH_ALEN]);
void parq_io_filters_set(struct parq_port *port, const u8 *const *want,
			 unsigned int n);
void parq_io_link_set(struct parq_port *port, const struct parq_link *link);
void parq_io_link_get(struct parq_port *port, struct parq_link *state);
void parq_io_rss_set(struct parq_port *port);

/*
 * Queues. Errors: -EIO (the device refused), -ENODEV (no device). After stop returns, the
 * device does not access the ring any more.
 */
int parq_io_txq_start(struct parq_txq *q);
void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next);
void parq_io_txq_stop(struct parq_txq *q);
int parq_io_rxq_start(struct parq_rxq *q);
int parq_io_rxq_hold(struct parq_rxq *q);
int parq_io_rxq_release(struct parq_rxq *q);
void parq_io_rxq_stop(struct parq_rxq *q);
bool parq_io_txq_stopped(const struct parq_txq *q);
bool parq_io_rxq_stopped(const struct parq_rxq *q);
u32 parq_io_rxq_head(const struct parq_rxq *q);

/* The register write orders this after all writes to memory that the device will read. */
static inline void parq_db_tail(const struct parq_db *db, u32 tail)
{
	writel(tail, db->reg + PARQ_DB_TAIL);
	/* The tail is written before doze is read: see "Doorbells" in parq_hw.h. */
	mb();
	if (unlikely(READ_ONCE(db->status->doze)))
		parq_io_wake(db);
}

/* The caller must check for work once more, after a full barrier. */
static inline void parq_db_arm(const struct parq_db *db, u32 pos)
{
	writel_relaxed(pos, db->reg + PARQ_DB_ARM);
}

unsigned int parq_io_dump_len(const struct parq_port *port);
void parq_io_dump(struct parq_port *port, u32 *out);

#endif /* _PARQ_IO_H */
