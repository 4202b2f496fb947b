/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PFC_H
#define _PARQ_PFC_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "parq_buffer.h"
#include "parq_dcb.h"
#include "parq_fsm.h"
#include "parq_pause.h"
#include "parq_storm.h"

struct parq_port;

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
 * @park: park queue that the device has
 * @spare: replaces @park as soon as HOLD is low
 * @state: of the FSM, managed mode only
 * @seq: of the last command, managed mode only
 * @last: levels word that supervision saw last
 * @head: head of the park queue that supervision saw last
 * @since: when one of the two changed, or was looked at more closely, jiffies
 * @stuck: held without a pause and without progress, or with a command that has
 *	no answer, for PARQ_PFC_STUCK
 * @commands: commands given to the gate; this and what follows is read without the lock
 * @refused: releases that a new pause overtook
 * @stalls: times @stuck rose
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
 * @lock: covers all that follows; taken within rtnl, never around it
 * @en: priorities with PFC, BIT(priority)
 * @mbc: MACsec bypass capability, as the user gave it
 * @delay: bit times, as the user gave it; 0 is the driver's own
 * @offload: the device runs the FSM
 * @up: the device has memory and settings
 * @buf: receive buffers
 * @pause: link pause
 * @storm: pauses that are too long
 * @prio: by priority
 */
struct parq_pfc {
	struct mutex lock;	/* of settings, memory and FSMs */
	u8 en;
	bool mbc;
	u16 delay;
	bool offload;
	bool up;
	struct parq_buffer buf;
	struct parq_pause pause;
	struct parq_storm storm;
	struct parq_pfc_class prio[PARQ_NUM_PRIO];
};

/* Called by the base of the driver; see parq_pfc.c for what each one needs. */
void parq_pfc_init(struct parq_port *port);
void parq_pfc_fini(struct parq_port *port);
int parq_pfc_open(struct parq_port *port);
void parq_pfc_close(struct parq_port *port);
int parq_pfc_resize(struct parq_port *port);
void parq_pfc_event(struct parq_port *port);
bool parq_pfc_paused(const struct parq_port *port, unsigned int prio);

/* For dcbnl, devlink, ethtool and debugfs. */
int parq_pfc_set(struct parq_port *port, const struct ieee_pfc *pfc,
		 char why[PARQ_DCB_WHY_LEN]);
int parq_pfc_executor_set(struct parq_port *port, bool offload);

#endif /* _PARQ_PFC_H */
