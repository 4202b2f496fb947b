/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flow control, what is sent: tells the other end to stop when receive buffers
 * rise above their watermarks, goes on telling it, and tells it when to resume.
 * Frames are made when they can start, so that they carry the newest state.
 */
#ifndef _PARQSIM_FC_H
#define _PARQSIM_FC_H

#include "bus.h"
#include "clock.h"

struct fc;
struct mac;

/*
 * Sets of what can be paused: BIT(priority), and FC_LINK for all of the link. The
 * bits are those of PARQ_FC_CTRL, PARQ_FC_SEND and PARQ_FC_STATUS.
 */
#define FC_PRIOS	PARQ_FC_CTRL_PFC_TX
#define FC_LINK		PARQ_FC_CTRL_PAUSE_TX
#define FC_CLASSES	9

#define FC_SENDS	PARQ_FC_SEND_MAX

/* What has happened to a class: argument a of PARQ_EV_XOFF. */
enum fc_change {
	FC_XON,
	FC_XOFF,
	FC_BOUNDED,
};

/**
 * struct fc_up - what flow control tells the rest of the NIC
 * @ctx: goes with each call
 * @lossless: BIT(priority) whose frames may wait, and of them those that take
 *	no more
 * @changed: the other end has been told, or is about to be; @cls is a priority
 *	or 8 for the link
 */
struct fc_up {
	void *ctx;
	void (*lossless)(void *ctx, u32 port, u8 lossless, u8 closed);
	void (*changed)(void *ctx, u32 port, u32 cls, enum fc_change what);
};

struct fc_timer {
	struct fc *fc;
	u8 port;
	u8 cls;
	struct timer timer;
};

/**
 * struct fc_port - one port
 * @en: lossless: PARQ_FC_CTRL_PFC_TX and PARQ_FC_CTRL_PAUSE_TX
 * @above: buffers are above their watermarks
 * @bounded: has been paused for PARQ_FC_LIMIT and not fallen to XON since
 * @xoff: the other end has been told to stop
 * @again: of them, those that it must be told again
 * @time: PARQ_FC_TIME
 * @refresh: PARQ_FC_REFRESH
 * @limit_ms: PARQ_FC_LIMIT
 * @send: requests of PARQ_FC_SEND
 * @send_head: the oldest of them
 * @send_n: how many
 * @since: when the class went XOFF, ps
 * @limit: bound of each pause
 * @repeat: time to tell it again
 */
struct fc_port {
	u16 en;
	u16 above;
	u16 bounded;
	u16 xoff;
	u16 again;
	u16 time;
	u16 refresh;
	u32 limit_ms;
	u16 send[FC_SENDS];
	u8 send_head;
	u8 send_n;
	u64 since[FC_CLASSES];
	struct fc_timer limit[FC_CLASSES];
	struct fc_timer repeat;
};

struct fc {
	struct clock *clock;
	struct parq_stats *stats;
	struct mac *mac;
	struct fc_up up;
	struct fc_port port[PARQ_MAX_PORTS];
};

void fc_init(struct fc *f);
void fc_reset(struct fc *f);

/* Software's side. */
void fc_set(struct fc *f, u32 port, u16 en);
void fc_set_limit(struct fc *f, u32 port, u32 ms);
bool fc_send(struct fc *f, u32 port, u16 request);
u64 fc_running_ns(const struct fc *f, u32 port, u32 prio);

/* The stages' side. */
void fc_level(struct fc *f, u32 port, u16 above);
void fc_forget(struct fc *f, u32 port);
bool fc_control(struct fc *f, u32 port, u8 *frame);

#endif /* _PARQSIM_FC_H */
