// SPDX-License-Identifier: GPL-2.0
/* A device on any bus: start, stop, reset, loss. */

#include "parq_dev.h"
#include "parq_io.h"
#include "parq_port.h"
#include "parq_ptp.h"
#include "parq_reg.h"
#include "parq_stats.h"
#include "parq_switch.h"
#include "parq_trace.h"

/* Longest time for which a stopped or vanished device goes unnoticed when idle. */
#define PARQ_WATCH_PERIOD	HZ

/* Number of resets in a row that may fail before the driver gives up. */
#define PARQ_RESTART_TRIES	8

/* ---- Watch -------------------------------------------------------------- */

static void parq_dev_watch(struct work_struct *work)
{
	struct parq_dev *pd = container_of(to_delayed_work(work),
					   struct parq_dev, watch);
	unsigned int i;

	if (!parq_reg_alive(pd))
		return;
	if (pd->restarts || parq_io_fatal(pd))
		queue_work(pd->wq, &pd->recover);
	for (i = 0; i < pd->caps.ports; i++)
		parq_stats_refresh(pd->port[i]);
	parq_switch_watch(pd);
	queue_delayed_work(pd->wq, &pd->watch, PARQ_WATCH_PERIOD);
}

/*
 * Detaches the netdevs and ends all waiting for the device. @if_gone: only if the device is
 * gone: a reset may have brought it back before this has the lock.
 */
static void parq_dev_detach(struct parq_dev *pd, bool if_gone)
{
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++) {
		struct parq_port *port = pd->port[i];

		if (!port)
			continue;
		netdev_lock_ops_compat(port->netdev);
		if (!if_gone || parq_dev_gone(pd)) {
			netif_device_detach(port->netdev);
			parq_netdev_down(port);
		}
		netdev_unlock_ops_compat(port->netdev);
	}
}

static void parq_dev_recover(struct work_struct *work)
{
	struct parq_dev *pd = container_of(work, struct parq_dev, recover);
	int err;

	if (parq_dev_gone(pd)) {
		parq_io_gone(pd);
		parq_dev_detach(pd, true);
		return;
	}
	/* Another context may have reset it in the meantime. */
	if (!pd->restarts &&
	    (!parq_io_fatal(pd) || !parq_backoff_try(&pd->backoff, 0)))
		return;
	dev_err(pd->dev, "the device has stopped, reset\n");
	err = pd->bus->reset(pd);
	/* The watch tries again. */
	if (err == -EAGAIN)
		parq_backoff_undo(&pd->backoff);
	else if (err)
		dev_err(pd->dev, "reset failed: %d\n", err);
}

/* ---- Ports -------------------------------------------------------------- */

static void parq_dev_ports_free(struct parq_dev *pd)
{
	unsigned int i;

	for (i = pd->caps.ports; i-- > 0;) {
		if (pd->port[i])
			parq_port_free(pd->port[i]);
		pd->port[i] = NULL;
	}
}

static int parq_dev_ports_alloc(struct parq_dev *pd)
{
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++) {
		pd->port[i] = parq_port_alloc(pd, i);
		if (!pd->port[i]) {
			parq_dev_ports_free(pd);
			return -ENOMEM;
		}
	}
	return 0;
}

static int parq_dev_ports_register(struct parq_dev *pd)
{
	unsigned int i;
	int err;

	for (i = 0; i < pd->caps.ports; i++) {
		err = parq_port_register(pd->port[i]);
		if (err)
			goto unregister;
	}
	return 0;

unregister:
	while (i--)
		parq_port_unregister(pd->port[i]);
	return err;
}

static void parq_dev_ports_unregister(struct parq_dev *pd)
{
	unsigned int i;

	for (i = pd->caps.ports; i-- > 0;)
		parq_port_unregister(pd->port[i]);
}

/* ---- Start and stop ----------------------------------------------------- */

/**
 * parq_dev_start() - start using a device
 * @pd: device that has been reset, with its capabilities and vectors
 *
 * Return: 0, or an error and nothing is left behind.
 */
int parq_dev_start(struct parq_dev *pd)
{
	int err;

	mutex_init(&pd->mask_lock);
	mutex_init(&pd->err_lock);
	INIT_DELAYED_WORK(&pd->watch, parq_dev_watch);
	INIT_WORK(&pd->recover, parq_dev_recover);
	pd->wq = alloc_workqueue("parq-%s", WQ_UNBOUND | WQ_MEM_RECLAIM, 0,
				 pd->bus->name(pd));
	if (!pd->wq)
		return -ENOMEM;
	err = parq_dev_ports_alloc(pd);
	if (err)
		goto destroy_wq;
	parq_ptp_init(pd);
	err = parq_switch_init(pd);
	if (err)
		goto fini_ptp;
	err = parq_events_init(pd);
	if (err)
		goto fini_switch;
	parq_trace_add(pd);
	parq_debugfs_init(pd);
	err = parq_dev_ports_register(pd);
	if (err)
		goto fini_debugfs;
	err = parq_devlink_register(pd);
	if (err)
		goto unregister_ports;
	queue_delayed_work(pd->wq, &pd->watch, PARQ_WATCH_PERIOD);
	return 0;

unregister_ports:
	parq_dev_ports_unregister(pd);
fini_debugfs:
	parq_debugfs_fini(pd);
	parq_trace_del(pd);
	parq_events_fini(pd);
fini_switch:
	parq_switch_fini(pd);
fini_ptp:
	parq_ptp_fini(pd);
	parq_io_off(pd);
	/* A register that read as all ones has queued it, and it accesses the ports. */
	cancel_work_sync(&pd->recover);
	parq_dev_ports_free(pd);
destroy_wq:
	destroy_workqueue(pd->wq);
	pd->wq = NULL;
	return err;
}

/**
 * parq_dev_stop() - undo parq_dev_start()
 * @pd: device, there or gone
 */
void parq_dev_stop(struct parq_dev *pd)
{
	cancel_delayed_work_sync(&pd->watch);
	cancel_work_sync(&pd->recover);
	parq_devlink_unregister(pd);
	parq_dev_ports_unregister(pd);
	parq_debugfs_fini(pd);
	parq_trace_del(pd);
	if (pd->ev.irq)
		parq_events_fini(pd);
	parq_switch_fini(pd);
	parq_ptp_fini(pd);
	cancel_work_sync(&pd->recover);
	/* A port whose open failed has left its status page enabled. */
	parq_io_off(pd);
	parq_dev_ports_free(pd);
	destroy_workqueue(pd->wq);
	pd->wq = NULL;
}

/**
 * parq_dev_quiesce() - stop using a device that is about to be reset
 * @pd: device, there or gone
 *
 * The netdevs stay, detached. Frames that have not been sent are dropped and
 * counted. Registers are not used any more.
 */
void parq_dev_quiesce(struct parq_dev *pd)
{
	unsigned int i;

	cancel_delayed_work_sync(&pd->watch);
	parq_dev_detach(pd, false);
	if (pd->ev.irq)
		parq_events_fini(pd);
	/* Only now: the parked frames have been dropped and counted. */
	for (i = 0; i < pd->caps.ports; i++)
		parq_stats_fold(pd->port[i]);
	parq_switch_fold(pd);
	parq_ptp_save(pd);
	parq_io_off(pd);
}

/**
 * parq_dev_suspend() - stop using a device that is about to lose its power
 * @pd: device, there or gone
 *
 * Detaches the ports and ends all DMA. Unlike after parq_dev_quiesce(), nothing resets the device
 * until parq_dev_restart().
 *
 * Context: must not be called during a reset.
 */
void parq_dev_suspend(struct parq_dev *pd)
{
	cancel_delayed_work_sync(&pd->watch);
	cancel_work_sync(&pd->recover);
	parq_dev_quiesce(pd);
}

static int parq_dev_attach(struct parq_dev *pd)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pd->caps.ports && !err; i++) {
		struct parq_port *port = pd->port[i];

		netdev_lock_ops_compat(port->netdev);
		if (netif_running(port->netdev))
			err = parq_netdev_up(port);
		if (!err)
			parq_netdev_attach(port);
		netdev_unlock_ops_compat(port->netdev);
	}
	return err;
}

static int parq_dev_resume(struct parq_dev *pd)
{
	unsigned int i;
	int err;

	err = parq_io_reset(pd);
	if (err)
		return err;
	for (i = 0; i < pd->caps.ports; i++) {
		parq_io_port_init(pd->port[i]);
		parq_stats_restart(pd->port[i]);
	}
	parq_ptp_restore(pd);
	parq_switch_restart(pd);
	err = parq_events_init(pd);
	if (err)
		return err;
	return parq_dev_attach(pd);
}

/**
 * parq_dev_restart() - undo parq_dev_quiesce()
 * @pd: device; all its state may be lost
 *
 * Restores all settings. If the device does not come back, the watch resets it again, up
 * to PARQ_RESTART_TRIES times.
 *
 * Return: 0, or an error and netdevs stay detached.
 */
int parq_dev_restart(struct parq_dev *pd)
{
	int err = parq_dev_resume(pd);

	/* The watch reads it, and is not running now. */
	pd->restarts = err ? pd->restarts + 1 : 0;
	if (pd->restarts > PARQ_RESTART_TRIES) {
		dev_err(pd->dev, "given up after %u resets\n", pd->restarts);
		return err;
	}
	queue_delayed_work(pd->wq, &pd->watch, PARQ_WATCH_PERIOD);
	return err;
}
