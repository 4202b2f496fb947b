/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to the device. Nothing but parq_io.c and the inline functions here
 * reads or writes a register or a doorbell.
 *
 * All of these know that a device can vanish or be switched off: reads then
 * return 0 or -ENODEV, writes do nothing, and the first to notice that it
 * vanished has parq_dev.recover let go of it.
 */
#ifndef _PARQ_IO_H
#define _PARQ_IO_H

#include <linux/io.h>

#include "parq.h"

/* Device */
int parq_io_reset(struct parq_dev *pd);
int parq_io_caps(struct parq_dev *pd);
void parq_io_off(struct parq_dev *pd);
bool parq_io_alive(struct parq_dev *pd);
u32 parq_io_version(struct parq_dev *pd);
bool parq_io_fatal(struct parq_dev *pd);
u32 parq_io_error_take(struct parq_dev *pd, u32 *addr);
bool parq_io_error_expected(u32 err, u32 addr);
void parq_io_wake(struct parq_dev *pd);
int parq_io_events_start(struct parq_dev *pd, unsigned int order,
			 unsigned int vec);
void parq_io_events_stop(struct parq_dev *pd);
void parq_io_events_mask(struct parq_dev *pd, u32 mask);
void parq_io_events_ack(struct parq_dev *pd, u32 head);
u32 parq_io_events_lost(struct parq_dev *pd);
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
 * Scheduler and pause engine. Errors: -EIO, the device refused the values;
 * -EBUSY, the class is held (park queue only); -ENODEV, no device. Nothing has
 * changed then. A park queue of order 0 is none.
 */
int parq_io_ets_set(struct parq_port *port, const struct parq_ets *ets);
int parq_io_pfc_ctrl(struct parq_port *port, u8 en, bool offload);
int parq_io_park_set(struct parq_port *port, unsigned int prio,
		     dma_addr_t dma, unsigned int order);
void parq_io_pfc_cmd(struct parq_port *port, unsigned int prio,
		     enum parq_pfc_op op, u8 seq);
int parq_io_storm_set(struct parq_port *port, u16 limit_ms, bool forward);
void parq_io_storm_obey(struct parq_port *port, u8 prios);
u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio);
u32 parq_io_park_head(struct parq_port *port, unsigned int prio);
u32 parq_io_park_tail(struct parq_port *port, unsigned int prio);

/*
 * Receive buffers and the pauses that they ask for. Errors: as above. All
 * buffers change at once, and nothing that has arrived is dropped.
 */
u32 parq_io_rxb_total(struct parq_port *port);
int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb);
int parq_io_fc_ctrl(struct parq_port *port, u32 ctrl);
u8 parq_io_fc_xoff(struct parq_port *port);
u32 parq_io_fc_status(struct parq_port *port);
int parq_io_fc_low(struct parq_port *port, u16 opcode, u8 prios);
int parq_io_fc_limit(struct parq_port *port, u16 limit_ms);
u32 parq_io_rxb_used(struct parq_port *port, unsigned int n);
u32 parq_io_rxb_high(struct parq_port *port, unsigned int n);
void parq_io_rxb_forget(struct parq_port *port, unsigned int n);

/*
 * Priority of frames, and rewriting; @was is what the device has, NULL if nobody
 * knows. Errors: as above.
 */
int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw);

/*
 * One frame on request, PARQ_FC_SEND_*. Errors: -EBUSY, the device does not take
 * it now, see there; -ENODEV, no device.
 */
int parq_io_fc_send(struct parq_port *port, u32 request);

/*
 * Queues. Errors: -EIO, the device refused; -ENODEV, no device. When stop has
 * returned, the device does not touch the ring any more.
 */
int parq_io_txq_start(struct parq_txq *q);
void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next);
void parq_io_txq_stop(struct parq_txq *q);
int parq_io_rxq_start(struct parq_rxq *q);
int parq_io_rxq_hold(struct parq_rxq *q);
int parq_io_rxq_release(struct parq_rxq *q);
void parq_io_rxq_stop(struct parq_rxq *q);

/* Return: 1, the device has stopped the queue; 0; -EAGAIN, its answers differ; -ENODEV. */
int parq_io_txq_stopped(const struct parq_txq *q);
int parq_io_rxq_stopped(const struct parq_rxq *q);

/* Register dump: pairs of offset and value. */
unsigned int parq_io_dump_len(const struct parq_port *port);
void parq_io_dump(struct parq_port *port, u32 *out);

/*
 * The levels word of a class, from the status page: no register is read.
 * PARQ_LEVELS_*, of one moment.
 */
static inline u64 parq_io_levels(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].levels));
}

/* Storms of a class, ever; from the status page, too. */
static inline u64 parq_io_storms(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].storms));
}

/* The write orders what the device will read before it. */
static inline void parq_db_tail(const struct parq_db *db, u32 tail)
{
	writel(tail, db->reg + PARQ_DB_TAIL);
	/* Tail before doze: see "Doorbells" in parq_hw.h. */
	mb();
	if (unlikely(READ_ONCE(db->status->doze)))
		parq_io_wake(db->pd);
}

/* The caller looks for work once more, after a full barrier. */
static inline void parq_db_arm(const struct parq_db *db, u32 pos)
{
	writel_relaxed(pos, db->reg + PARQ_DB_ARM);
}

#endif /* _PARQ_IO_H */
