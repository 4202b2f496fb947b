/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PAUSE_PFC_H
#define _PARQ_PAUSE_PFC_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "parq_buf.h"
#include "parq_ets_calc.h"
#include "parq_pause_fsm.h"
#include "parq_pause_link.h"
#include "parq_pause_storm.h"

struct parq_port;

/* Smallest park queue, log2 of entries: PARQ_PARK_CTRL_SIZE. */
#define PARQ_PARK_MIN_ORDER	6

/**
 * struct parq_park - memory of a park queue
 * @fds: entries, written and read by the device; NULL if there is none
 * @dma: address of @fds
 * @order: log2 of the number of entries
 */
struct parq_park {
	struct parq_fd *fds;
	dma_addr_t dma;
	unsigned int order;
};

/**
 * struct parq_pfc_class - one (port, priority)
 * @park: park queue in use by the device
 * @spare: new park queue; replaces @park as soon as HOLD is low
 * @state: state of the FSM, managed mode only
 * @seq: SEQ of the last command, managed mode only
 * @last: levels word at supervision's last look
 * @head: head of the park queue at that look
 * @since: when one of the two last changed or was examined, jiffies
 * @stuck: for PARQ_PFC_STUCK the class was held without pause and progress, or a command
 *	had no answer
 * @commands: commands given to the gate; this and the next members are read without lock
 * @refused: releases overtaken by a new pause
 * @stalls: number of times @stuck was set
 */
struct parq_pfc_class {
	struct parq_park park;
	struct parq_park spare;
	enum parq_fsm_state state;
	u8 seq;

	u64 last;
	u32 head;
	unsigned long since;
	bool stuck;

	u64 commands;
	u64 refused;
	u64 stalls;
};

/**
 * struct parq_pfc - PFC engine of a port
 * @lock: protects all members below; taken within rtnl, never around it. A change of
 *	receive buffers holds it until they have drained, at most 100 ms: a second change
 *	would break what the first one computed. In managed mode the FSMs wait as long.
 * @en: priorities with PFC, BIT(priority)
 * @mbc: MACsec bypass capability, as set by the user
 * @delay: bit times, as set by the user; 0 is the driver's default
 * @offload: the device runs the FSM
 * @up: the device has its memory and settings
 * @buf: receive buffers
 * @pause: link pause
 * @storm: storms
 * @prio: by priority
 */
struct parq_pfc {
	struct mutex lock;	/* settings, memory and FSMs */
	u8 en;
	bool mbc;
	u16 delay;
	bool offload;
	bool up;
	struct parq_buf buf;
	struct parq_pause pause;
	struct parq_storm storm;
	struct parq_pfc_class prio[PARQ_NUM_PRIO];
};

/* Called by the base of the driver; the contexts are documented in parq_pause_pfc.c. */
void parq_pfc_init(struct parq_port *port);
void parq_pfc_fini(struct parq_port *port);
int parq_pfc_open(struct parq_port *port);
void parq_pfc_close(struct parq_port *port);
int parq_pfc_resize(struct parq_port *port);
void parq_pfc_event(struct parq_port *port);
bool parq_pfc_paused(const struct parq_port *port, unsigned int prio);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_pfc_set(struct parq_port *port, const struct ieee_pfc *pfc,
		 char reason[PARQ_REASON_LEN]);
int parq_pfc_executor_set(struct parq_port *port, bool offload);

#endif /* _PARQ_PAUSE_PFC_H */
