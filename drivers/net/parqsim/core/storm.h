/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Storms: pauses that the other end renews for ever. Sits between the MAC, which
 * knows that a pause runs, and the gate, which obeys: for a bounded time.
 */
#ifndef _PARQSIM_STORM_H
#define _PARQSIM_STORM_H

#include "bus.h"
#include "clock.h"
#include "qmi.h"

struct storm;

/**
 * struct storm_up - what the rest of the NIC is told
 * @ctx: goes with each call
 * @pause: what becomes of the pause of a class has changed
 */
struct storm_up {
	void *ctx;
	void (*pause)(void *ctx, u32 port, u32 prio, enum qmi_pause what,
		      u32 quanta);
};

/**
 * struct storm_class - one (port, priority)
 * @storm: whose it is
 * @port: its port
 * @prio: its priority
 * @paused: the other end asks for it
 * @told: what the rest of the NIC was told
 * @quanta: with which the pause began
 * @since: when it began, or was last obeyed again, ps
 * @limit: end of its bound
 */
struct storm_class {
	struct storm *storm;
	u8 port;
	u8 prio;
	bool paused;
	enum qmi_pause told;
	u32 quanta;
	u64 since;
	struct timer limit;
};

struct storm {
	struct clock *clock;
	struct storm_up up;
	u32 limit_ms[PARQ_MAX_PORTS];
	struct storm_class cls[PARQ_MAX_PORTS][PARQ_NUM_PRIO];
};

void storm_init(struct storm *s);
void storm_reset(struct storm *s);

/* Software's side. */
void storm_set_limit(struct storm *s, u32 port, u32 ms);
void storm_obey(struct storm *s, u32 port, u8 prios);

/* The MAC's side: PAUSE of a class has changed. */
void storm_pause(struct storm *s, u32 port, u32 prio, bool on, u32 quanta);

#endif /* _PARQSIM_STORM_H */
