/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_STORM_H
#define _PARQ_STORM_H

#include <linux/types.h>
#include <linux/parq_hw.h>

struct parq_port;

/* What ethtool calls "auto", ms. */
#define PARQ_STORM_AUTO_MS	100

/**
 * struct parq_storm - pauses that are too long; parq_pfc.lock covers them
 * @limit_ms: longest one, in both directions, as the user gave it; 0 is no bound
 * @forward: frames of a class that the peer pauses for longer are sent, not dropped
 * @active: classes that the peer pauses for longer now, BIT(priority)
 * @begun: classes for which that has begun since parq_storm_take()
 * @host: classes for which the host does not take frames, and the peer was let go
 * @host_begun: times that the peer was let go since parq_storm_take()
 * @hw_storms: what the device has counted, by priority, when last seen
 * @hw_own: what it has counted for the other direction
 * @changed: one of @active, @begun, @host and @host_begun has changed; called under
 *	parq_pfc.lock, must not sleep. NULL while nobody listens
 */
struct parq_storm {
	u16 limit_ms;
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
 * struct parq_storm_news - what has become of storms
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

/* For dcbnl, devlink, ethtool and debugfs. */
int parq_storm_set(struct parq_port *port, u16 limit_ms, bool forward);
void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward);
void parq_storm_listen(struct parq_port *port,
		       void (*changed)(struct parq_port *port));
void parq_storm_take(struct parq_port *port, struct parq_storm_news *news);
int parq_storm_end(struct parq_port *port);

#endif /* _PARQ_STORM_H */
