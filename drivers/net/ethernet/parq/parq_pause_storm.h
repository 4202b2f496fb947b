/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PAUSE_STORM_H
#define _PARQ_PAUSE_STORM_H

#include <linux/types.h>
#include <linux/parq_hw.h>

struct parq_port;

/* Value that ethtool calls "auto", ms. */
#define PARQ_STORM_AUTO_MS	100

/**
 * struct parq_storm - storms of a port; parq_pfc.lock covers them
 * @limit_ms: longest pause, in both directions, as set by the user; 0 is no limit
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
void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward);
void parq_storm_listen(struct parq_port *port,
		       void (*changed)(struct parq_port *port));
void parq_storm_take(struct parq_port *port, struct parq_storm_news *news);
int parq_storm_end(struct parq_port *port);

#endif /* _PARQ_PAUSE_STORM_H */
