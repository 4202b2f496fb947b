// SPDX-License-Identifier: GPL-2.0
/*
 * devlink health: the reporter "pfc" of a port reports storms.
 *
 * It is in error while a storm lasts. With auto_recover it becomes healthy when all storms
 * are over. Without, it becomes healthy when a user recovers it, which also ends the
 * action taken against the storm. devlink's grace period does not change that: it limits how
 * often a driver acts against an error, and storms end by themselves.
 */
#include <linux/bitfield.h>
#include <linux/mm.h>
#include <net/devlink.h>

#include "parq.h"
#include "parq_dev.h"
#include "parq_io.h"
#include "parq_pause.h"
#include "parq_stats.h"

static const char *parq_health_action(bool forward)
{
	return forward ? "forward" : "drop";
}

/* ---- reports ------------------------------------------------------------ */

/*
 * Only the result tells whether the reporter has auto_recover. It is 0 without. With it, devlink
 * asked parq_health_recover(), or did not ask because another storm lasts or because of its
 * grace period. Counted as lasting at first: if a user recovers meanwhile, it must not stay so.
 */
static void parq_health_error(struct parq_health *h, const char *text)
{
	int ret;

	atomic_inc(&h->lasting);
	ret = devlink_health_report(h->reporter, text, h);
	if (!ret)
		return;
	atomic_add_unless(&h->lasting, -1, 0);
	atomic_inc(&h->passing);
}

static void parq_health_report(struct parq_port *port,
			       const struct parq_storm_news *news)
{
	struct parq_health *h = &port->health;
	unsigned int prio;
	char text[80];

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(news->begun & BIT(prio)))
			continue;
		snprintf(text, sizeof(text),
			 "priority %u: paused for more than %u ms, %s", prio,
			 news->limit_ms, parq_health_action(news->forward));
		parq_health_error(h, text);
	}
	if (!news->host_begun)
		return;
	snprintf(text, sizeof(text),
		 "host received nothing for %u ms: sent XON for priorities %#x",
		 news->limit_ms, news->host);
	parq_health_error(h, text);
}

/* No storm is active. devlink counts one recovery for each error that passes with its storm. */
static void parq_health_over(struct parq_health *h)
{
	int errors = atomic_xchg(&h->passing, 0);

	while (errors--)
		devlink_health_reporter_recovery_done(h->reporter);
	if (!atomic_read(&h->lasting))
		devlink_health_reporter_state_update(h->reporter,
						     DEVLINK_HEALTH_REPORTER_STATE_HEALTHY);
}

/*
 * Frames are dropped for a reason outside this machine, so the log has a line when a storm
 * begins and one when it ends.
 */
static void parq_health_log(struct parq_port *port,
			    const struct parq_storm_news *news)
{
	struct parq_health *h = &port->health;
	u8 begun = (news->begun | news->active) & ~h->logged;
	u8 ended;

	if (begun && net_ratelimit()) {
		netdev_warn(port->netdev,
			    "priorities %#04x are paused for more than %u ms: their frames are %s\n",
			    begun, news->limit_ms,
			    news->forward ? "sent anyway" : "dropped");
		h->logged |= begun;
	}
	ended = h->logged & ~news->active;
	if (ended)
		netdev_info(port->netdev,
			    "priorities %#04x are not paused any more\n", ended);
	h->logged &= ~ended;
}

/* Reporting takes the engine's lock and devlink's, so it must not run under the former. */
static void parq_health_work(struct work_struct *work)
{
	struct parq_health *h = container_of(work, struct parq_health, work);
	struct parq_port *port = container_of(h, struct parq_port, health);
	struct parq_storm_news news;

	parq_storm_take(port, &news);
	parq_health_log(port, &news);
	parq_health_report(port, &news);
	if (!news.active && !news.host)
		parq_health_over(h);
}

static void parq_health_changed(struct parq_port *port)
{
	queue_work(port->pd->wq, &port->health.work);
}

/* ---- recover ------------------------------------------------------------ */

static struct parq_port *parq_health_port(struct devlink_health_reporter *reporter)
{
	return devlink_health_reporter_priv(reporter);
}

/*
 * With auto_recover devlink calls this from devlink_health_report(). The storm is not over then,
 * and parq_health_work() tells devlink when it is. The recovery of a user counts once, even if
 * there are several errors.
 */
static int parq_health_recover(struct devlink_health_reporter *reporter,
			       void *priv_ctx, struct netlink_ext_ack *extack)
{
	struct parq_port *port = parq_health_port(reporter);
	int err;

	if (priv_ctx)
		return -EINPROGRESS;
	err = parq_storm_end(port);
	if (err == -EBUSY)
		NL_SET_ERR_MSG_MOD(extack, "the host still accepts no frames");
	else if (err)
		NL_SET_ERR_MSG_MOD(extack, "the device is gone");
	if (err)
		return err;
	atomic_set(&port->health.lasting, 0);
	atomic_set(&port->health.passing, 0);
	return 0;
}

/* ---- diagnose ----------------------------------------------------------- */

/* If devlink runs out of memory, the text is truncated; no error is returned. */
static void parq_health_say_class(struct devlink_fmsg *fmsg,
				  struct parq_port *port, unsigned int prio,
				  const struct parq_prio_stats *sum, u64 ran_ns)
{
	u64 levels = parq_io_levels(port, prio), storms = le64_to_cpu(sum->rx_pause_storm);
	bool lasts = levels & PARQ_LEVELS_STORM;
	const char *state = "free";

	if (lasts)
		state = "storm";
	else if (levels & PARQ_LEVELS_PAUSE)
		state = "paused";
	else if (levels & PARQ_LEVELS_HOLD)
		state = "released";
	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "priority", prio);
	devlink_fmsg_string_pair_put(fmsg, "state", state);
	/* Pauses of a port that is down are over; its status page is empty. */
	if (!lasts && !(levels & PARQ_LEVELS_PAUSE))
		ran_ns = 0;
	devlink_fmsg_u64_pair_put(fmsg, "paused_ms",
				  div_u64(ran_ns, NSEC_PER_MSEC));
	devlink_fmsg_u32_pair_put(fmsg, "parked",
				  FIELD_GET(PARQ_LEVELS_DEPTH, levels));
	devlink_fmsg_u64_pair_put(fmsg, "storms", storms);
	/* One that has just begun may be missing in the sum. */
	devlink_fmsg_u64_pair_put(fmsg, "restored", storms - (lasts && storms));
	devlink_fmsg_u64_pair_put(fmsg, "dropped", le64_to_cpu(sum->tx_drop));
	devlink_fmsg_bool_pair_put(fmsg, "host_stalls",
				   READ_ONCE(port->pfc.storm.host) & BIT(prio));
	devlink_fmsg_u64_pair_put(fmsg, "host_storms",
				  le64_to_cpu(sum->tx_pause_storm));
	devlink_fmsg_obj_nest_end(fmsg);
}

/* The status page excludes a running pause; the statistics include it. */
static u64 parq_health_ran_ns(const struct parq_port *port, unsigned int prio)
{
	u64 all = le64_to_cpu(port->stats.block->prio[prio].rx_pause_ns);
	u64 ended = le64_to_cpu(READ_ONCE(port->status->pfc[prio].pause_ns));

	return all > ended ? all - ended : 0;
}

static int parq_health_diagnose(struct devlink_health_reporter *reporter,
				struct devlink_fmsg *fmsg,
				struct netlink_ext_ack *extack)
{
	struct parq_port *port = parq_health_port(reporter);
	const struct parq_stats *stats;
	unsigned int prio;
	u16 limit_ms;
	bool forward;

	parq_storm_get(port, &limit_ms, &forward);
	stats = parq_stats_get(port);
	if (IS_ERR(stats)) {
		NL_SET_ERR_MSG_MOD(extack, "the device does not answer");
		return PTR_ERR(stats);
	}
	devlink_fmsg_u32_pair_put(fmsg, "timeout_ms", limit_ms);
	devlink_fmsg_u32_pair_put(fmsg, "restore_ms", parq_storm_restore_get(port));
	devlink_fmsg_string_pair_put(fmsg, "action",
				     parq_health_action(forward));
	devlink_fmsg_u64_pair_put(fmsg, "tx_drop_storm",
				  le64_to_cpu(stats->tx_drop_storm));
	devlink_fmsg_arr_pair_nest_start(fmsg, "priorities");
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_health_say_class(fmsg, port, prio, &stats->prio[prio],
				      parq_health_ran_ns(port, prio));
	devlink_fmsg_arr_pair_nest_end(fmsg);
	parq_stats_put(port);
	return 0;
}

/* ---- dump --------------------------------------------------------------- */

static void parq_health_dump_class(struct devlink_fmsg *fmsg,
				   struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_status st = port->status->pfc[prio];

	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "priority", prio);
	devlink_fmsg_u64_pair_put(fmsg, "levels", le64_to_cpu(st.levels));
	devlink_fmsg_u64_pair_put(fmsg, "parked", le64_to_cpu(st.parked));
	devlink_fmsg_u64_pair_put(fmsg, "reinjected",
				  le64_to_cpu(st.reinjected));
	devlink_fmsg_u64_pair_put(fmsg, "passes", le64_to_cpu(st.passes));
	devlink_fmsg_u64_pair_put(fmsg, "repauses", le64_to_cpu(st.repauses));
	devlink_fmsg_u64_pair_put(fmsg, "pause_ns", le64_to_cpu(st.pause_ns));
	devlink_fmsg_u64_pair_put(fmsg, "storms", le64_to_cpu(st.storms));
	devlink_fmsg_u32_pair_put(fmsg, "quanta",
				  parq_io_pfc_timer(port, prio));
	devlink_fmsg_u32_pair_put(fmsg, "park_head",
				  parq_io_park_head(port, prio));
	devlink_fmsg_u32_pair_put(fmsg, "park_tail",
				  parq_io_park_tail(port, prio));
	devlink_fmsg_obj_nest_end(fmsg);
}

/* Dumps status page, park queues, and all registers as "ethtool -d" does. */
static int parq_health_dump(struct devlink_health_reporter *reporter,
			    struct devlink_fmsg *fmsg, void *priv_ctx,
			    struct netlink_ext_ack *extack)
{
	struct parq_port *port = parq_health_port(reporter);
	unsigned int prio, len = parq_io_dump_len(port);
	u32 *regs;

	regs = kvzalloc(len, GFP_KERNEL);
	if (!regs)
		return -ENOMEM;
	parq_io_dump(port, regs);
	if (!parq_dev_ready(port->pd)) {
		kvfree(regs);
		NL_SET_ERR_MSG_MOD(extack, "the device does not answer");
		return -ENODEV;
	}
	devlink_fmsg_arr_pair_nest_start(fmsg, "priorities");
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_health_dump_class(fmsg, port, prio);
	devlink_fmsg_arr_pair_nest_end(fmsg);
	devlink_fmsg_binary_pair_put(fmsg, "registers", regs, len);
	kvfree(regs);
	return 0;
}

static const struct devlink_health_reporter_ops parq_health_ops = {
	.name = "pfc",
	.recover = parq_health_recover,
	.diagnose = parq_health_diagnose,
	.dump = parq_health_dump,
};

/* ---- life --------------------------------------------------------------- */

/**
 * parq_health_init() - create the reporter of a port
 * @port: port of a devlink instance that is registered
 *
 * Return: 0 or an error.
 */
int parq_health_init(struct parq_port *port)
{
	struct parq_health *h = &port->health;
	struct devlink_health_reporter *reporter;

	reporter = parq_compat_health_create(&port->devlink_port,
					     &parq_health_ops, port);
	if (IS_ERR(reporter))
		return PTR_ERR(reporter);
	h->reporter = reporter;
	atomic_set(&h->lasting, 0);
	atomic_set(&h->passing, 0);
	INIT_WORK(&h->work, parq_health_work);
	parq_storm_listen(port, parq_health_changed);
	/* Report storms that began earlier. */
	parq_health_changed(port);
	return 0;
}

/**
 * parq_health_fini() - undo parq_health_init()
 * @port: port
 */
void parq_health_fini(struct parq_port *port)
{
	parq_storm_listen(port, NULL);
	cancel_work_sync(&port->health.work);
	parq_compat_health_destroy(port->health.reporter);
}
