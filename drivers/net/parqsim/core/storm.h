/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Storms: pauses that the link partner renews for too long. This stage is between the
 * MAC, which has the pause timers, and the gate, which obeys pauses for a limited time.
 */
#ifndef _PARQSIM_STORM_H
#define _PARQSIM_STORM_H

#include "bus.h"
#include "clock.h"
#include "qmi.h"

struct storm;

/**
 * struct storm_up - callback to the gate
 * @ctx: first argument of the callback
 * @pause: whether the pause of a class is obeyed has changed
 */
struct storm_up {
	void *ctx;
	void (*pause)(void *ctx, u32 port, u32 prio, enum qmi_pause what,
		      u32 quanta);
};

/**
 * struct storm_class - one (port, priority)
 * @storm: the stage
 * @port: its port
 * @prio: its priority
 * @paused: the pause timer is running
 * @told: last argument of the callback
 * @quanta: time in the frame that began the pause
 * @since: when the pause began, or that of the storm, or storm_obey() restarted it, ps
 * @ended: when the last pause ended, ps
 * @look: end of the limit, or of the storm
 */
struct storm_class {
	struct storm *storm;
	u8 port;
	u8 prio;
	bool paused;
	enum qmi_pause told;
	u32 quanta;
	u64 since;
	u64 ended;
	struct timer look;
};

/**
 * struct storm_port - one port
 * @limit_ms: limit of how long a pause is obeyed, 0 for none
 * @restore_ms: a storm lasts until there was no pause for so long
 * @cls: by priority
 */
struct storm_port {
	u32 limit_ms;
	u32 restore_ms;
	struct storm_class cls[PARQ_NUM_PRIO];
};

struct storm {
	struct clock *clock;
	struct storm_up up;
	u8 ports;
	struct storm_port *port;
};

void storm_init(struct storm *s);
void storm_reset(struct storm *s);

/* Called by the registers and, when a link is lost, by the MAC. */
void storm_set(struct storm *s, u32 port, u32 limit_ms, u32 restore_ms);
void storm_obey(struct storm *s, u32 port, u8 prios);

/* Called by the MAC: PAUSE of a class has changed. */
void storm_pause(struct storm *s, u32 port, u32 prio, bool on, u32 quanta);

#endif /* _PARQSIM_STORM_H */
