/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flow control, sending side: pauses the link partner when a receive buffer rises
 * above its high watermark, refreshes the pause, and ends it at the low watermark.
 * A frame is made only when it can start, so that it carries the newest state.
 */
#ifndef _PARQSIM_FC_H
#define _PARQSIM_FC_H

#include "bus.h"
#include "clock.h"

struct fc;
struct mac;

/*
 * Sets of what can be paused: BIT(priority), and FC_LINK for the whole link. The
 * bits match those of PARQ_FC_CTRL, PARQ_FC_SEND and PARQ_FC_STATUS.
 */
#define FC_PRIOS	PARQ_FC_CTRL_PFC_TX
#define FC_LINK		PARQ_FC_CTRL_PAUSE_TX
#define FC_CLASSES	9

#define FC_SENDS	PARQ_FC_SEND_MAX

/* Change of a class: argument a of PARQ_EV_XOFF. */
enum fc_change {
	FC_XON,
	FC_XOFF,
	FC_BOUNDED,
};

/**
 * struct fc_up - callbacks to the rest of the NIC
 * @ctx: first argument of each callback
 * @lossless: sets the lossless priorities, BIT(priority), and those of them that
 *	accept no more frames
 * @stalled: frames for the host are to blame for the pause of @cls
 * @judge: what is above its watermark is judged again, as time has passed; NULL: never
 * @changed: the state of @cls has changed; a frame says so now or at the next frame
 *	boundary; @cls is a priority, or 8 for the link
 */
struct fc_up {
	void *ctx;
	void (*lossless)(void *ctx, u32 port, u8 lossless, u8 closed);
	bool (*stalled)(void *ctx, u32 port, u32 cls);
	void (*judge)(void *ctx, u32 port);
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
 * @en: lossless classes: PARQ_FC_CTRL_PFC_TX and PARQ_FC_CTRL_PAUSE_TX
 * @above: classes whose buffer is above its watermark
 * @bounded: classes paused for PARQ_FC_LIMIT that have not fallen to XON since
 * @xoff: classes for which the link partner has been told to stop
 * @again: classes of @xoff whose XOFF must be refreshed
 * @time: PARQ_FC_TIME
 * @refresh: PARQ_FC_REFRESH
 * @limit_ms: PARQ_FC_LIMIT
 * @send: pending requests of PARQ_FC_SEND
 * @send_head: index of the oldest request
 * @send_n: number of requests
 * @since: when the class went XOFF, ps
 * @limit: end of PARQ_FC_LIMIT, by class
 * @repeat: time of the next refresh
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
	u8 ports;
	struct fc_port *port;
};

void fc_init(struct fc *f);
void fc_reset(struct fc *f);

/* Called by the registers. */
void fc_set(struct fc *f, u32 port, u16 en);
void fc_set_limit(struct fc *f, u32 port, u32 ms);
bool fc_send(struct fc *f, u32 port, u16 request);
u64 fc_running_ns(const struct fc *f, u32 port, u32 prio);

/* Called by the other stages. */
void fc_level(struct fc *f, u32 port, u16 above);
void fc_port_reset(struct fc *f, u32 port);
bool fc_control(struct fc *f, u32 port, u8 *frame);

#endif /* _PARQSIM_FC_H */
