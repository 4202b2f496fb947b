/* SPDX-License-Identifier: GPL-2.0 */
/* DCB registers: transmission selection, pauses, receive buffers, priorities. */
#ifndef _PARQ_IO_DCB_H
#define _PARQ_IO_DCB_H

#include "parq.h"

/*
 * Scheduler and pause engine. Errors: -EIO (the device refused the values), -EBUSY (the
 * class is held; park queue only), -ENODEV (no device). On error nothing has changed.
 * Order 0 means no park queue.
 */
int parq_io_ets_set(struct parq_port *port, const struct parq_ets_hw *ets);
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
 * Receive buffers and flow control. All buffers change at once, and no stored frame is
 * dropped. Errors: -EIO (the device refused the values), -ENODEV (no device).
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
void parq_io_rxb_max_clear(struct parq_port *port, unsigned int n);

/*
 * Mapping of frames to priorities, and rewriting. @was: values in the device, NULL if
 * unknown. Errors: -EIO (the device refused the values), -ENODEV (no device).
 */
int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw);

/*
 * Requests one pause frame, PARQ_FC_SEND_*. Errors: -EBUSY (the device does not accept it
 * now, see PARQ_FC_SEND), -ENODEV (no device).
 */
int parq_io_fc_send(struct parq_port *port, u32 request);

/*
 * Levels word of a class, PARQ_LEVELS_*, all flags of the same moment. Read from the
 * status page, not from a register.
 */
static inline u64 parq_io_levels(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].levels));
}

/* Number of storms of a class so far, from the status page. */
static inline u64 parq_io_storms(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].storms));
}

#endif /* _PARQ_IO_DCB_H */
