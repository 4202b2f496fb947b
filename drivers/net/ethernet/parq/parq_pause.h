/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PAUSE_H
#define _PARQ_PAUSE_H

#include <linux/mutex.h>
#include <linux/parq_hw.h>
#include <linux/types.h>

#include "parq_buf.h"
#include "parq_ets.h"
#include "parq_log.h"
#include "parq_pause_fsm.h"

struct parq_dev;
struct parq_port;

/* ---- parq_pause_storm.c ------------------------------------------------ */

/* Value that ethtool calls "auto", ms. */
#define PARQ_STORM_AUTO_MS	100

/**
 * struct parq_storm - storms of a port; parq_pfc.lock covers them
 * @limit_ms: longest pause, in both directions, as set by the user; 0 is no limit
 * @restore_ms: a storm lasts until the peer has not paused for so long
 * @forward: frames of a stormed class are sent, not dropped
 * @active: BIT(priority) that the peer has paused for longer, now
 * @begun: BIT(priority) whose storm began since parq_storm_take()
 * @host: BIT(priority) whose frames the host does not take, so that the peer's pause
 *	was ended
 * @host_begun: number of such pauses since parq_storm_take()
 * @hw_storms: the device's counter when last seen, by priority
 * @hw_own: the device's counter for the other direction when last seen
 * @changed: called when @active, @begun, @host or @host_begun has changed, under
 *	parq_pfc.lock; must not sleep. NULL if there is no listener
 */
struct parq_storm {
	u16 limit_ms;
	u16 restore_ms;
	bool forward;
	u8 active;
	u8 begun;
	u8 host;
	u64 host_begun;
	u64 hw_storms[PARQ_NUM_PRIO];
	u64 hw_own;
	void (*changed)(struct parq_port *port);
};

/**
 * struct parq_storm_news - active storms, and those started since the last call
 * @active: see struct parq_storm, as are all the others
 * @begun: see @active
 * @host: see @active
 * @host_begun: see @active
 * @limit_ms: see @active
 * @forward: see @active
 */
struct parq_storm_news {
	u8 active;
	u8 begun;
	u8 host;
	u64 host_begun;
	u16 limit_ms;
	bool forward;
};

/* Called by the PFC engine, which holds parq_pfc.lock. */
int __parq_storm_open(struct parq_port *port);
void __parq_storm_close(struct parq_port *port);
void __parq_storm_look(struct parq_port *port);

/* Called by the base of the driver. */
bool parq_storm_drops(const struct parq_port *port, unsigned int prio);

/* Called by dcbnl, devlink, ethtool and debugfs. */
int parq_storm_set(struct parq_port *port, u16 limit_ms, bool forward);
int parq_storm_restore_set(struct parq_port *port, u16 ms);
u16 parq_storm_restore_get(struct parq_port *port);
void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward);
void parq_storm_listen(struct parq_port *port,
		       void (*changed)(struct parq_port *port));
void parq_storm_take(struct parq_port *port, struct parq_storm_news *news);
int parq_storm_end(struct parq_port *port);

/* ---- parq_pause_link.c ------------------------------------------------- */

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

/* ---- parq_pause_pfc.c -------------------------------------------------- */

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
 * @lock: protects all members below; taken within the ops lock, never around it. A change of
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

#endif /* _PARQ_PAUSE_H */
