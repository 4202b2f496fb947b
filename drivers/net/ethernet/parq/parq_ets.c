// SPDX-License-Identifier: GPL-2.0
/*
 * Transmission selection: DCB's settings, the settings of a qdisc, which replace them
 * while the qdisc exists, and the resulting register values. DCB's settings live as long
 * as the netdev and are in force again after the qdisc is removed.
 */
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_ets.h"
#include "parq_io.h"

/* Longest frame of the stack before segmentation, bits. */
#define PARQ_SCHED_FRAME_BITS	(65536 * 8)

/* ---- register values ---------------------------------------------------- */

/* Limits in addition to others; 0 is none. */
static void parq_ets_limit(u64 maxrate[PARQ_NUM_TC], const u64 more[PARQ_NUM_TC])
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		maxrate[tc] = min_not_zero(maxrate[tc], more[tc]);
}

static struct parq_ets_hw parq_ets_in_force(const struct parq_ets *s)
{
	struct ieee_ets ets = s->dcb;
	u64 maxrate[PARQ_NUM_TC];
	struct parq_ets_hw hw;
	unsigned int i;

	memcpy(maxrate, s->maxrate, sizeof(maxrate));
	for (i = 0; i < PARQ_ETS_USERS; i++) {
		const struct parq_tc *tc = &s->tc[i];

		if (tc->parts & PARQ_TC_MAP)
			memcpy(ets.prio_tc, tc->prio_tc, sizeof(ets.prio_tc));
		if (tc->parts & PARQ_TC_SHARES) {
			memcpy(ets.tc_tsa, tc->tsa, sizeof(ets.tc_tsa));
			memcpy(ets.tc_tx_bw, tc->bw, sizeof(ets.tc_tx_bw));
		}
		if (tc->parts & PARQ_TC_RATES)
			memcpy(maxrate, tc->maxrate, sizeof(maxrate));
		else
			parq_ets_limit(maxrate, tc->maxrate);
	}
	hw = parq_ets_fit(&ets);
	for (i = 0; i < PARQ_NUM_TC; i++)
		hw.maxrate[i] = maxrate[i];
	hw.port_rate = s->tc[PARQ_ETS_USER_TBF].port_rate;
	return hw;
}

/* Queues that share a limit, kbit/s, take longer than @ms for one frame each. */
static bool parq_ets_round_is_slow(u32 limit, unsigned int queues, unsigned int ms)
{
	/* kbit/s is bits per millisecond. */
	return limit && (u64)limit * ms < (u64)queues * PARQ_SCHED_FRAME_BITS;
}

/*
 * All queues of a traffic class take turns, one frame each. If one round at this rate
 * limit can exceed half the TX watchdog timeout, exempt the queues from it.
 */
static u8 parq_ets_slow_prios(const struct parq_port *port,
			      const struct parq_ets_hw *hw)
{
	unsigned int half = jiffies_to_msecs(port->netdev->watchdog_timeo) / 2;
	unsigned int all = port->pd->caps.chans * PARQ_NUM_PRIO;
	unsigned int queues[PARQ_NUM_TC] = {};
	unsigned int prio, tc;
	u8 slow = 0;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		queues[hw->prio_tc >> (4 * prio) & 0xf] += port->pd->caps.chans;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		tc = hw->prio_tc >> (4 * prio) & 0xf;
		if (parq_ets_round_is_slow(hw->maxrate[tc], queues[tc], half) ||
		    parq_ets_round_is_slow(hw->port_rate, all, half))
			slow |= BIT(prio);
	}
	return slow;
}

static void parq_ets_adopt(struct parq_port *port, const struct parq_ets_hw *hw)
{
	port->ets.hw = *hw;
	WRITE_ONCE(port->ets_changes, port->ets_changes + 1);
	WRITE_ONCE(port->ets.slow, parq_ets_slow_prios(port, hw));
}

/*
 * The device is accessed only if a value changes. It applies all values between two
 * frames. On error nothing has changed.
 */
static int parq_ets_commit(struct parq_port *port,
			   const struct parq_ets *new)
{
	struct parq_ets_hw hw = parq_ets_in_force(new);
	int err = 0;

	ASSERT_RTNL();
	netdev_assert_locked_ops_compat(port->netdev);

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	if (port->pfc.up && memcmp(&hw, &port->ets.hw, sizeof(hw)))
		err = parq_io_ets_set(port, &hw);
	if (err)
		return err;
	port->ets = *new;
	parq_ets_adopt(port, &hw);
	return 0;
}

/* ---- DCB ---------------------------------------------------------------- */

/* Refuses to change DCB settings that a qdisc has replaced. */
static int parq_ets_busy(const struct parq_port *port, u8 part,
			 const char *what, char *reason)
{
	unsigned int i;

	for (i = 0; i < PARQ_ETS_USERS; i++) {
		if (!(port->ets.tc[i].parts & part))
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "%s cannot change: qdisc %s at the root decides it",
			 what, port->ets.tc[i].qdisc);
		return -EBUSY;
	}
	return 0;
}

/**
 * parq_ets_set() - change DCB's ETS settings
 * @port: port, up or down
 * @ets: settings that parq_ets_check() accepted
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error and nothing has changed: -EBUSY (a qdisc has replaced the
 * settings), -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_ets_set(struct parq_port *port, const struct ieee_ets *ets,
		 char reason[PARQ_REASON_LEN])
{
	struct parq_ets new = port->ets;
	int err = 0;

	if (memcmp(ets->prio_tc, new.dcb.prio_tc, sizeof(ets->prio_tc)))
		err = parq_ets_busy(port, PARQ_TC_MAP, "prio-tc", reason);
	if (!err && memcmp(ets->tc_tsa, new.dcb.tc_tsa, sizeof(ets->tc_tsa)))
		err = parq_ets_busy(port, PARQ_TC_SHARES, "tc-tsa", reason);
	if (!err && memcmp(ets->tc_tx_bw, new.dcb.tc_tx_bw,
			   sizeof(ets->tc_tx_bw)))
		err = parq_ets_busy(port, PARQ_TC_SHARES, "tc-bw", reason);
	if (err)
		return err;
	new.dcb = *ets;
	new.dcb.ets_cap = PARQ_NUM_TC;
	return parq_ets_commit(port, &new);
}

/**
 * parq_ets_maxrate_set() - change DCB's rate limits
 * @port: port, up or down
 * @maxrate: kbit/s by traffic class, 0 for none
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error and nothing has changed: -EINVAL (out of range), or as for
 * parq_ets_set().
 */
int parq_ets_maxrate_set(struct parq_port *port,
			 const u64 maxrate[PARQ_NUM_TC],
			 char reason[PARQ_REASON_LEN])
{
	struct parq_ets new = port->ets;
	unsigned int tc;
	int err = 0;

	for (tc = 0; tc < PARQ_NUM_TC && !err; tc++)
		err = parq_ets_maxrate_check(tc, maxrate[tc], reason);
	if (!err && memcmp(maxrate, new.maxrate, sizeof(new.maxrate)))
		err = parq_ets_busy(port, PARQ_TC_RATES, "maxrate", reason);
	if (err)
		return err;
	memcpy(new.maxrate, maxrate, sizeof(new.maxrate));
	return parq_ets_commit(port, &new);
}

/* ---- qdiscs ------------------------------------------------------------- */

/**
 * parq_ets_tc_set() - replace DCB's settings by those of a qdisc
 * @port: port, up or down
 * @user: the qdisc
 * @tc: its settings
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_ets_tc_set(struct parq_port *port, enum parq_ets_user user,
		    const struct parq_tc *tc)
{
	struct parq_ets new = port->ets;

	new.tc[user] = *tc;
	return parq_ets_commit(port, &new);
}

/**
 * parq_ets_tc_force() - replace DCB's settings by those of a qdisc, now or later
 * @port: port, up or down
 * @user: the qdisc
 * @tc: its settings
 *
 * If the device refuses them, it keeps others until the next change, or a reset.
 *
 * Context: rtnl and ops lock.
 */
void parq_ets_tc_force(struct parq_port *port, enum parq_ets_user user, const struct parq_tc *tc)
{
	if (parq_ets_tc_set(port, user, tc))
		port->ets.tc[user] = *tc;
}

/**
 * parq_ets_tc_clear() - end a qdisc's settings, so that DCB's are in force again
 * @port: port, up or down
 * @user: the qdisc; no effect if it has no settings
 *
 * Context: rtnl and ops lock.
 */
void parq_ets_tc_clear(struct parq_port *port, enum parq_ets_user user)
{
	static const struct parq_tc none;

	if (port->ets.tc[user].parts)
		parq_ets_tc_force(port, user, &none);
}

/**
 * parq_ets_queues_check() - check whether TX queues may be removed
 * @port: port
 * @queues: number of queues that would remain
 * @reason: receives a sentence if the change is refused
 *
 * Context: rtnl and ops lock.
 * Return: 0, or -EBUSY if a qdisc uses more queues.
 */
int parq_ets_queues_check(const struct parq_port *port, unsigned int queues,
			  char reason[PARQ_REASON_LEN])
{
	unsigned int used = port->ets.tc[PARQ_ETS_USER_MQPRIO].queues;

	if (queues >= used)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "qdisc mqprio at the root uses %u TX queues, more than %u",
		 used, queues);
	return -EBUSY;
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_ets_init() - default settings
 * @port: port whose device capabilities are known
 */
void parq_ets_init(struct parq_port *port)
{
	struct parq_ets_hw hw;

	parq_ets_default(&port->ets.dcb);
	hw = parq_ets_in_force(&port->ets);
	parq_ets_adopt(port, &hw);
}

/**
 * parq_ets_open() - program the settings after a reset
 * @port: port that is coming up
 *
 * Context: ops lock.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_ets_open(struct parq_port *port)
{
	struct parq_ets_hw hw = parq_ets_in_force(&port->ets);
	int err = parq_io_ets_set(port, &hw);

	if (!err)
		parq_ets_adopt(port, &hw);
	return err;
}

/**
 * parq_ets_slow() - tell whether a queue may legally exceed the watchdog's timeout
 * @port: port
 * @prio: its priority
 *
 * Context: any.
 * Return: true if the rate limit of its traffic class is that low.
 */
bool parq_ets_slow(const struct parq_port *port, unsigned int prio)
{
	return READ_ONCE(port->ets.slow) & BIT(prio);
}
