// SPDX-License-Identifier: GPL-2.0
/*
 * Transmission selection: what DCB has been told, and what the device makes of
 * it. The settings live as long as the netdev.
 */
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_sched.h"

/* Longest frame that the stack gives, before it is cut, in bits. */
#define PARQ_SCHED_FRAME_BITS	(65536 * 8)

/* ---- what the device is told -------------------------------------------- */

static struct parq_ets parq_sched_fit(const struct parq_sched *s)
{
	struct parq_ets hw = parq_dcb_ets_fit(&s->ets);
	unsigned int i;

	for (i = 0; i < PARQ_NUM_TC; i++)
		hw.maxrate[i] = parq_dcb_rate_fit(s->maxrate[i]);
	return hw;
}

/*
 * All queues of a traffic class take turns, one frame each. A limit at which that
 * may take half of what the watchdog waits for, keeps it from judging them.
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
		/* kbit/s are bits a millisecond. */
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
 * The device is told only if something changes for it, and takes all over between
 * two frames. On error nothing has changed.
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

/**
 * parq_sched_ets_set() - change what DCB says
 * @port: port, up or down
 * @ets: settings that parq_dcb_ets_check() took
 *
 * Context: rtnl.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_sched_ets_set(struct parq_port *port, const struct ieee_ets *ets)
{
	struct parq_sched new = port->sched;

	new.ets = *ets;
	new.ets.ets_cap = PARQ_NUM_TC;
	return parq_sched_commit(port, &new);
}

/**
 * parq_sched_maxrate_set() - change DCB's rate limits
 * @port: port, up or down
 * @maxrate: bytes/s by traffic class, 0 for none; rounded down to kbit/s
 * @why: why not, in a sentence; or empty
 *
 * Context: rtnl.
 * Return: 0, or an error and nothing has changed: -EINVAL (out of range), others
 * as parq_sched_ets_set().
 */
int parq_sched_maxrate_set(struct parq_port *port,
			   const u64 maxrate[PARQ_NUM_TC],
			   char why[PARQ_DCB_WHY_LEN])
{
	struct parq_sched new = port->sched;
	unsigned int tc;
	int err = 0;

	*why = '\0';
	for (tc = 0; tc < PARQ_NUM_TC && !err; tc++)
		err = parq_dcb_rate_check("maxrate", tc, maxrate[tc], why);
	if (err)
		return err;
	memcpy(new.maxrate, maxrate, sizeof(new.maxrate));
	return parq_sched_commit(port, &new);
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
 * parq_sched_open() - give the device its settings
 * @port: port that comes up
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
 * parq_sched_slow() - may a queue rightly stand for longer than the watchdog waits
 * @port: port
 * @prio: its priority
 *
 * Context: any.
 * Return: true if its traffic class is limited to so little.
 */
bool parq_sched_slow(const struct parq_port *port, unsigned int prio)
{
	return READ_ONCE(port->sched.slow) & BIT(prio);
}
