// SPDX-License-Identifier: GPL-2.0
/*
 * Transmission selection: DCB's settings, the settings of a qdisc, which replace them
 * while the qdisc exists, and the resulting register values. DCB's settings live as long
 * as the netdev and are in force again after the qdisc is removed.
 */
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_io_dcb.h"
#include "parq_sched.h"

/* Longest frame of the stack before segmentation, bits. */
#define PARQ_SCHED_FRAME_BITS	(65536 * 8)

/* ---- register values ---------------------------------------------------- */

static struct parq_ets parq_sched_fit(const struct parq_sched *s)
{
	struct ieee_ets ets = s->ets;
	u64 maxrate[PARQ_NUM_TC];
	struct parq_ets hw;
	unsigned int i;

	memcpy(maxrate, s->maxrate, sizeof(maxrate));
	for (i = 0; i < PARQ_SCHED_USERS; i++) {
		const struct parq_tc *tc = &s->tc[i];

		if (tc->parts & PARQ_TC_MAP)
			memcpy(ets.prio_tc, tc->prio_tc, sizeof(ets.prio_tc));
		if (tc->parts & PARQ_TC_SHARES) {
			memcpy(ets.tc_tsa, tc->tsa, sizeof(ets.tc_tsa));
			memcpy(ets.tc_tx_bw, tc->bw, sizeof(ets.tc_tx_bw));
		}
		if (tc->parts & PARQ_TC_RATES)
			memcpy(maxrate, tc->maxrate, sizeof(maxrate));
	}
	hw = parq_dcb_ets_fit(&ets);
	for (i = 0; i < PARQ_NUM_TC; i++)
		hw.maxrate[i] = maxrate[i];
	return hw;
}

/*
 * All queues of a traffic class take turns, one frame each. If one round at this rate
 * limit can exceed half the TX watchdog timeout, exempt the queues from it.
 */
static u8 parq_sched_slow_prios(const struct parq_port *port,
				const struct parq_ets *hw)
{
	unsigned int queues[PARQ_NUM_TC] = {};
	unsigned int prio, tc;
	u64 bits;
	u8 slow = 0;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		queues[hw->prio_tc >> (4 * prio) & 0xf] += port->pd->caps.chans;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		tc = hw->prio_tc >> (4 * prio) & 0xf;
		/* kbit/s is bits per millisecond. */
		bits = (u64)hw->maxrate[tc] *
		       jiffies_to_msecs(port->netdev->watchdog_timeo) / 2;
		if (bits && bits < queues[tc] * PARQ_SCHED_FRAME_BITS)
			slow |= BIT(prio);
	}
	return slow;
}

static void parq_sched_adopt(struct parq_port *port, const struct parq_ets *hw)
{
	port->sched.hw = *hw;
	WRITE_ONCE(port->sched.slow, parq_sched_slow_prios(port, hw));
}

/*
 * The device is accessed only if a value changes. It applies all values between two
 * frames. On error nothing has changed.
 */
static int parq_sched_commit(struct parq_port *port,
			     const struct parq_sched *new)
{
	struct parq_ets hw = parq_sched_fit(new);
	int err = 0;

	ASSERT_RTNL();

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	if (port->pfc.up && memcmp(&hw, &port->sched.hw, sizeof(hw)))
		err = parq_io_ets_set(port, &hw);
	if (err)
		return err;
	port->sched = *new;
	parq_sched_adopt(port, &hw);
	return 0;
}

/* ---- DCB ---------------------------------------------------------------- */

/* Refuses to change DCB settings that a qdisc has replaced. */
static int parq_sched_busy(const struct parq_port *port, u8 part,
			   const char *what, char *reason)
{
	static const char * const users[] = { "mqprio", "ets" };
	unsigned int i;

	for (i = 0; i < PARQ_SCHED_USERS; i++) {
		if (!(port->sched.tc[i].parts & part))
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "%s cannot change: qdisc %s at the root decides it",
			 what, users[i]);
		return -EBUSY;
	}
	return 0;
}

/**
 * parq_sched_ets_set() - change DCB's ETS settings
 * @port: port, up or down
 * @ets: settings that parq_dcb_ets_check() accepted
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl.
 * Return: 0, or an error and nothing has changed: -EBUSY (a qdisc has replaced the
 * settings), -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_sched_ets_set(struct parq_port *port, const struct ieee_ets *ets,
		       char reason[PARQ_REASON_LEN])
{
	struct parq_sched new = port->sched;
	int err = 0;

	if (memcmp(ets->prio_tc, new.ets.prio_tc, sizeof(ets->prio_tc)))
		err = parq_sched_busy(port, PARQ_TC_MAP, "prio-tc", reason);
	if (!err && memcmp(ets->tc_tsa, new.ets.tc_tsa, sizeof(ets->tc_tsa)))
		err = parq_sched_busy(port, PARQ_TC_SHARES, "tc-tsa", reason);
	if (!err && memcmp(ets->tc_tx_bw, new.ets.tc_tx_bw,
			   sizeof(ets->tc_tx_bw)))
		err = parq_sched_busy(port, PARQ_TC_SHARES, "tc-bw", reason);
	if (err)
		return err;
	new.ets = *ets;
	new.ets.ets_cap = PARQ_NUM_TC;
	return parq_sched_commit(port, &new);
}

/**
 * parq_sched_maxrate_set() - change DCB's rate limits
 * @port: port, up or down
 * @maxrate: kbit/s by traffic class, 0 for none
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl.
 * Return: 0, or an error and nothing has changed: -EINVAL (out of range), or as for
 * parq_sched_ets_set().
 */
int parq_sched_maxrate_set(struct parq_port *port,
			   const u64 maxrate[PARQ_NUM_TC],
			   char reason[PARQ_REASON_LEN])
{
	struct parq_sched new = port->sched;
	unsigned int tc;
	int err = 0;

	for (tc = 0; tc < PARQ_NUM_TC && !err; tc++)
		err = parq_dcb_maxrate_check(tc, maxrate[tc], reason);
	if (!err && memcmp(maxrate, new.maxrate, sizeof(new.maxrate)))
		err = parq_sched_busy(port, PARQ_TC_RATES, "maxrate", reason);
	if (err)
		return err;
	memcpy(new.maxrate, maxrate, sizeof(new.maxrate));
	return parq_sched_commit(port, &new);
}

/* ---- qdiscs ------------------------------------------------------------- */

/**
 * parq_sched_tc_set() - replace DCB's settings by those of a qdisc
 * @port: port, up or down
 * @user: the qdisc
 * @tc: its settings
 *
 * Context: rtnl.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_sched_tc_set(struct parq_port *port, enum parq_sched_user user,
		      const struct parq_tc *tc)
{
	struct parq_sched new = port->sched;

	new.tc[user] = *tc;
	return parq_sched_commit(port, &new);
}

/**
 * parq_sched_tc_clear() - end a qdisc's settings, so that DCB's are in force again
 * @port: port, up or down
 * @user: the qdisc; no effect if it has no settings
 *
 * If the device refuses DCB's settings, it keeps the qdisc's until the next change.
 *
 * Context: rtnl.
 */
void parq_sched_tc_clear(struct parq_port *port, enum parq_sched_user user)
{
	static const struct parq_tc none;

	if (port->sched.tc[user].parts &&
	    parq_sched_tc_set(port, user, &none))
		port->sched.tc[user] = none;
}

/**
 * parq_sched_queues_check() - check whether TX queues may be removed
 * @port: port
 * @queues: number of queues that would remain
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl.
 * Return: 0, or -EBUSY if a qdisc uses more queues.
 */
int parq_sched_queues_check(const struct parq_port *port, unsigned int queues,
			    char reason[PARQ_REASON_LEN])
{
	unsigned int used = port->sched.tc[PARQ_SCHED_MQPRIO].queues;

	if (queues >= used)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "qdisc mqprio at the root uses %u TX queues, more than %u",
		 used, queues);
	return -EBUSY;
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_sched_init() - default settings
 * @port: port whose device capabilities are known
 */
void parq_sched_init(struct parq_port *port)
{
	struct parq_ets hw;

	parq_dcb_ets_default(&port->sched.ets);
	hw = parq_sched_fit(&port->sched);
	parq_sched_adopt(port, &hw);
}

/**
 * parq_sched_open() - program the settings after a reset
 * @port: port that is coming up
 *
 * Context: rtnl.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_sched_open(struct parq_port *port)
{
	struct parq_ets hw = parq_sched_fit(&port->sched);
	int err = parq_io_ets_set(port, &hw);

	if (!err)
		parq_sched_adopt(port, &hw);
	return err;
}

/**
 * parq_sched_slow() - tell whether a queue may legally exceed the watchdog's timeout
 * @port: port
 * @prio: its priority
 *
 * Context: any.
 * Return: true if the rate limit of its traffic class is that low.
 */
bool parq_sched_slow(const struct parq_port *port, unsigned int prio)
{
	return READ_ONCE(port->sched.slow) & BIT(prio);
}
