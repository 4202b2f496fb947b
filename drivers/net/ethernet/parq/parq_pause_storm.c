// SPDX-License-Identifier: GPL-2.0
/*
 * A storm is a pause that lasts too long, in either direction.
 *
 * The device limits both by itself, even if the host does not run. This file has the
 * settings, which live as long as the netdev, and the reports. No storm goes unreported:
 * the device counts storms in its status page and statistics, and one look finds all that
 * began since the last one.
 *
 * parq_pfc.lock covers everything here; the ops lock is not needed.
 */
#include <linux/bitfield.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_pause.h"

/* ---- register values ---------------------------------------------------- */

static int parq_storm_program(struct parq_port *port, u16 limit_ms, u16 restore_ms, bool forward)
{
	int err = parq_io_storm_set(port, limit_ms, restore_ms, forward);

	return err ? err : parq_io_fc_limit(port, limit_ms);
}

/**
 * __parq_storm_open() - program the settings after a reset
 * @port: port that is disabled, whose status page the device has
 *
 * Context: parq_pfc.lock is held.
 * Return: 0, -EIO (the device refused) or -ENODEV (it is gone).
 */
int __parq_storm_open(struct parq_port *port)
{
	struct parq_storm *s = &port->pfc.storm;
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		s->hw_storms[prio] = parq_io_storms(port, prio);
	return parq_storm_program(port, s->limit_ms, s->restore_ms, s->forward);
}

static void parq_storm_changed(struct parq_port *port)
{
	if (port->pfc.storm.changed)
		port->pfc.storm.changed(port);
}

/**
 * __parq_storm_close() - end all storms of a port
 * @port: port that is disabled
 *
 * Settings are kept.
 *
 * Context: parq_pfc.lock is held.
 */
void __parq_storm_close(struct parq_port *port)
{
	struct parq_storm *s = &port->pfc.storm;

	if (!s->active && !s->host)
		return;
	s->active = 0;
	s->host = 0;
	parq_storm_changed(port);
}

/* ---- detection ---------------------------------------------------------- */

/* Reads flags before counts: a flag that is seen comes with its count. */
static bool parq_storm_look_peer(struct parq_port *port, unsigned int prio)
{
	struct parq_storm *s = &port->pfc.storm;
	u8 was = s->active;
	u64 storms;

	s->active &= ~BIT(prio);
	if (parq_io_levels(port, prio) & PARQ_LEVELS_STORM)
		s->active |= BIT(prio);
	dma_rmb();
	storms = parq_io_storms(port, prio);
	if (storms == s->hw_storms[prio])
		return s->active != was;
	s->hw_storms[prio] = storms;
	s->begun |= BIT(prio);
	return true;
}

/* Reads the register only if a pause of the host was ended before or has been now. */
static bool parq_storm_look_host(struct parq_port *port)
{
	struct parq_storm *s = &port->pfc.storm;
	u64 own = atomic64_read(&port->stats.own_storms);
	u8 was = s->host;

	if (own == s->hw_own && !s->host)
		return false;
	s->host = FIELD_GET(PARQ_FC_STATUS_BOUNDED, parq_io_fc_status(port));
	s->host_begun += own - s->hw_own;
	s->hw_own = own;
	return s->host != was || s->host_begun;
}

/**
 * __parq_storm_look() - find storms that began or ended since the last call
 * @port: port that is open
 *
 * Called whenever the thread of the event interrupt has run, and every second or two by
 * the service work.
 *
 * Context: parq_pfc.lock is held.
 */
void __parq_storm_look(struct parq_port *port)
{
	bool changed = parq_storm_look_host(port);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		changed |= parq_storm_look_peer(port, prio);
	if (changed)
		parq_storm_changed(port);
}

/**
 * parq_storm_drops() - tell whether a storm would drop a frame
 * @port: port
 * @prio: 0 to 7
 *
 * Context: any; reads memory only.
 * Return: true if the device would drop the frame.
 */
bool parq_storm_drops(const struct parq_port *port, unsigned int prio)
{
	return (parq_io_levels(port, prio) & PARQ_LEVELS_STORM) &&
	       !READ_ONCE(port->pfc.storm.forward);
}

/* ---- settings and reports ----------------------------------------------- */

/* The device is accessed only if a value changes. */
static int __parq_storm_set(struct parq_port *port, u16 limit_ms, u16 restore_ms, bool forward)
{
	struct parq_storm *s = &port->pfc.storm;
	int err = 0;

	if (port->pfc.up && (limit_ms != s->limit_ms || restore_ms != s->restore_ms ||
			     forward != s->forward))
		err = parq_storm_program(port, limit_ms, restore_ms, forward);
	if (err) {
		parq_storm_program(port, s->limit_ms, s->restore_ms, s->forward);
		return err;
	}
	s->limit_ms = limit_ms;
	WRITE_ONCE(s->restore_ms, restore_ms);
	WRITE_ONCE(s->forward, forward);
	return 0;
}

/**
 * parq_storm_set() - limit pauses
 * @port: port, up or down
 * @limit_ms: longest pause, in both directions; 0 is no limit
 * @forward: what is done with frames of a class that the peer pauses for longer:
 *	they are sent, or else dropped
 *
 * Both also apply to running pauses.
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_storm_set(struct parq_port *port, u16 limit_ms, bool forward)
{
	int err;

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	mutex_lock(&port->pfc.lock);
	err = __parq_storm_set(port, limit_ms, port->pfc.storm.restore_ms, forward);
	mutex_unlock(&port->pfc.lock);
	return err;
}

/**
 * parq_storm_restore_set() - have storms outlast their pauses
 * @port: port, up or down
 * @ms: a storm of the peer lasts until there was no pause for so long, up to
 *	PARQ_PFC_STORM_RESTORE; 0, the only value without PARQ_CAP_RESTORE: it ends with its pause
 *
 * Also applies to storms that last.
 *
 * Context: may sleep.
 * Return: as parq_storm_set().
 */
int parq_storm_restore_set(struct parq_port *port, u16 ms)
{
	struct parq_storm *s = &port->pfc.storm;
	int err;

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	mutex_lock(&port->pfc.lock);
	err = __parq_storm_set(port, s->limit_ms, ms, s->forward);
	mutex_unlock(&port->pfc.lock);
	return err;
}

/* Return: what parq_storm_restore_set() has set. */
u16 parq_storm_restore_get(struct parq_port *port)
{
	return READ_ONCE(port->pfc.storm.restore_ms);
}

/**
 * parq_storm_get() - read the settings
 * @port: port, up or down
 * @limit_ms: as in parq_storm_set()
 * @forward: as in parq_storm_set()
 */
void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward)
{
	mutex_lock(&port->pfc.lock);
	*limit_ms = port->pfc.storm.limit_ms;
	*forward = port->pfc.storm.forward;
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_storm_listen() - set the function to call when storms begin and end
 * @port: port
 * @changed: called under parq_pfc.lock, must not sleep; NULL for none
 */
void parq_storm_listen(struct parq_port *port,
		       void (*changed)(struct parq_port *port))
{
	mutex_lock(&port->pfc.lock);
	port->pfc.storm.changed = changed;
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_storm_take() - active storms, and those started since the last call
 * @port: port
 * @news: filled
 */
void parq_storm_take(struct parq_port *port, struct parq_storm_news *news)
{
	struct parq_storm *s = &port->pfc.storm;

	mutex_lock(&port->pfc.lock);
	*news = (struct parq_storm_news){
		.active = s->active,
		.begun = s->begun,
		.host = s->host,
		.host_begun = s->host_begun,
		.limit_ms = s->limit_ms,
		.forward = s->forward,
	};
	s->begun = 0;
	s->host_begun = 0;
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_storm_end() - obey all running pauses again, for up to the limit
 * @port: port, up or down
 *
 * Return: 0, -EBUSY: a storm of the host lasts, which only the host can end, or -ENODEV: the
 * device is gone.
 */
int parq_storm_end(struct parq_port *port)
{
	int err = 0;

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	mutex_lock(&port->pfc.lock);
	if (port->pfc.up) {
		parq_io_storm_obey(port, FIELD_MAX(PARQ_PFC_OBEY_PRIOS));
		__parq_storm_look(port);
		if (port->pfc.storm.host)
			err = -EBUSY;
	}
	mutex_unlock(&port->pfc.lock);
	return err;
}
