// SPDX-License-Identifier: GPL-2.0
/*
 * The PFC engine: memory of the park queues, the executor of the pause FSM for devices
 * that do not run it themselves (managed mode), supervision, and PFC settings. Settings
 * live as long as the netdev: they survive interface down and resets.
 *
 * All inputs are levels in the status page, so the engine may look at any time and as
 * often as it likes: from the event interrupt, after a change of its own, and from the
 * periodic work, which makes up for a lost interrupt.
 *
 * Memory of park queues is allocated under the ops lock but outside pfc->lock: reclaim may
 * wait for traffic that waits for the executor. Once parq_park_adopt() has taken it, it is
 * freed under pfc->lock: by parq_park_settle() when the device no longer uses it, by
 * parq_park_adopt() when newer settings replace it before that, and by parq_pfc_drop() when
 * the port goes down or does not come up. Settings change under the ops lock.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_pause.h"
#include "parq_trace.h"

/* A class that is held but not paused must make progress within this time. */
#define PARQ_PFC_STUCK		(3 * HZ)

/* Poll interval for the acknowledge of a command; the device needs far less. */
#define PARQ_PFC_ACK_POLL_US	20
#define PARQ_PFC_ACK_TIMEOUT_US	100000

/* ---- park queues -------------------------------------------------------- */

static void parq_park_free(struct parq_port *port, struct parq_park *park)
{
	if (park->fds)
		dma_free_coherent(port->pd->dev,
				  sizeof(*park->fds) << park->order,
				  park->fds, park->dma);
	*park = (struct parq_park){};
}

/*
 * Size of a park queue that cannot overflow, log2 of entries. If the device's limit @max_order
 * is lower than what the rings hold, the device keeps the queue from overflowing: it stops
 * fetching the class.
 */
static unsigned int parq_park_order(unsigned int tx_entries,
				    unsigned int pipe_depth,
				    unsigned int max_order)
{
	unsigned int order = order_base_2(tx_entries + pipe_depth);

	return clamp_t(unsigned int, order, PARQ_PARK_MIN_ORDER, max_order);
}

/* Allocates a queue for each class in @mask, of the size that the rings need now. */
static int parq_park_alloc(struct parq_port *port, u8 mask,
			   struct parq_park *parks)
{
	const struct parq_caps *caps = &port->pd->caps;
	unsigned int prio, order;

	order = parq_park_order(parq_ring_tx_entries(port), caps->pipe_depth,
				caps->park_order);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct parq_park *park = &parks[prio];

		*park = (struct parq_park){};
		if (!(mask & BIT(prio)))
			continue;
		park->order = order;
		park->fds = dma_alloc_coherent(port->pd->dev,
					       sizeof(*park->fds) << order,
					       &park->dma, GFP_KERNEL);
		if (!park->fds)
			goto err_free;
	}
	return 0;

err_free:
	while (prio--)
		parq_park_free(port, &parks[prio]);
	return -ENOMEM;
}

/*
 * Replaces or removes the device's park queue as settings require, as soon as HOLD permits.
 * A class that is not held has nothing parked, so no entry has to be copied.
 */
static void parq_park_settle(struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_class *c = &port->pfc.prio[prio];
	bool wanted = port->pfc.en & BIT(prio);
	struct parq_park old = c->park;

	if (!wanted)
		parq_park_free(port, &c->spare);
	if (wanted ? !c->spare.fds : !c->park.fds)
		return;
	if (parq_io_levels(port, prio) & PARQ_LEVELS_HOLD)
		return;
	/* HOLD may have risen since: the device then keeps its queue. */
	if (parq_io_park_set(port, prio, c->spare.dma, c->spare.order))
		return;
	c->park = c->spare;
	c->spare = (struct parq_park){};
	parq_park_free(port, &old);
}

/* Takes ownership of the memory. */
static void parq_park_adopt(struct parq_port *port, u8 mask,
			    struct parq_park *parks)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct parq_pfc_class *c = &port->pfc.prio[prio];

		if (!(mask & BIT(prio)))
			continue;
		parq_park_free(port, &c->spare);
		if (c->park.fds && c->park.order == parks[prio].order)
			parq_park_free(port, &parks[prio]);
		else
			c->spare = parks[prio];
	}
}

/* ---- pause FSM, managed mode -------------------------------------------- */

static bool parq_pfc_acked(const struct parq_port *port, unsigned int prio,
			   u64 levels)
{
	return port->pfc.prio[prio].seq == FIELD_GET(PARQ_LEVELS_ACK, levels);
}

/* Takes a class over from the device, or after a reset. */
static void parq_pfc_resume(struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_class *c = &port->pfc.prio[prio];
	u64 levels = parq_io_levels(port, prio);

	c->state = parq_fsm_resume(levels);
	c->seq = FIELD_GET(PARQ_LEVELS_ACK, levels);
}

/* Runs at most one step. Return: whether another one may follow. */
static bool parq_pfc_step(struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_class *c = &port->pfc.prio[prio];
	u64 levels = parq_io_levels(port, prio);
	struct parq_fsm_next next;

	next = parq_fsm_step(c->state, levels,
			     !parq_pfc_acked(port, prio, levels));
	if (next.state == c->state && next.op == PARQ_PFC_NOP)
		return false;

	trace_parq_fsm(port->netdev, 0, prio, c->state, next.state, levels,
		       false);
	if (c->state == PARQ_FSM_RELEASING && next.state == PARQ_FSM_PARKED)
		WRITE_ONCE(c->refused, c->refused + 1);
	c->state = next.state;
	if (next.op != PARQ_PFC_NOP) {
		c->seq++;
		WRITE_ONCE(c->commands, c->commands + 1);
		parq_io_pfc_cmd(port, prio, next.op, c->seq);
	}
	return true;
}

/*
 * The FSM follows at most as many edges as it has states before it has to wait for the
 * device. The bound keeps a device whose levels change in circles from looping here.
 */
static void parq_pfc_run(struct parq_port *port, unsigned int prio)
{
	unsigned int i;

	for (i = 0; i < PARQ_FSM_NUM_STATES; i++)
		if (!parq_pfc_step(port, prio))
			break;
}

/* ---- supervision -------------------------------------------------------- */

/*
 * Starts again from the state in the levels word, and has the device write that word again.
 * A disturbed device may have left a wrong word, and writes none while nothing changes. A
 * command without effect makes it write.
 */
static void parq_pfc_resync(struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_class *c = &port->pfc.prio[prio];
	u64 levels;

	parq_pfc_resume(port, prio);
	c->seq++;
	parq_io_pfc_cmd(port, prio, PARQ_PFC_NOP, c->seq);
	if (!read_poll_timeout(parq_io_levels, levels,
			       parq_pfc_acked(port, prio, levels),
			       PARQ_PFC_ACK_POLL_US, PARQ_PFC_ACK_TIMEOUT_US,
			       false, port, prio))
		parq_pfc_resume(port, prio);
}

/*
 * A class is stuck if it is held but not paused, and neither a flag of its levels nor the
 * head of its park queue has changed for a long time; or if a command is not acknowledged.
 * Registers are read only when in doubt: flags also stay the same during a long pass on a slow
 * link, and during a pass that the peer's link pause stops.
 */
static void parq_pfc_supervise(struct parq_port *port, unsigned int prio)
{
	struct parq_pfc_class *c = &port->pfc.prio[prio];
	u64 levels = parq_io_levels(port, prio);
	bool held = (levels & PARQ_LEVELS_HOLD) && !(levels & PARQ_LEVELS_PAUSE);
	bool open = !port->pfc.offload && !parq_pfc_acked(port, prio, levels);
	u32 head;

	if (!(held || open) || levels != c->last) {
		c->last = levels;
		c->since = jiffies;
		c->head = le32_to_cpu(port->status->pfc[prio].park_head);
		WRITE_ONCE(c->stuck, false);
		return;
	}
	if (time_before(jiffies, c->since + PARQ_PFC_STUCK))
		return;
	c->since = jiffies;
	head = parq_io_park_head(port, prio);
	if (!open &&
	    (head != c->head || parq_pause_stopped(port) & BIT(prio))) {
		c->head = head;
		WRITE_ONCE(c->stuck, false);
		return;
	}

	if (!c->stuck) {
		WRITE_ONCE(c->stuck, true);
		WRITE_ONCE(c->stalls, c->stalls + 1);
		trace_parq_stall(port->netdev, prio, levels);
		if (net_ratelimit())
			netdev_warn(port->netdev, "priority %u %s, levels %#llx\n", prio,
				    open ? "has a command that is not acknowledged" :
					   "is held but not paused and makes no progress",
				    levels);
	}
	if (!port->pfc.offload)
		parq_pfc_resync(port, prio);
}

/**
 * parq_pfc_event() - run the FSMs and supervision once
 * @port: port
 *
 * Called whenever the thread of the event interrupt has run, and every second or two by
 * the service work.
 *
 * Context: may sleep.
 */
void parq_pfc_event(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	unsigned int prio;

	mutex_lock(&pfc->lock);
	for (prio = 0; pfc->up && prio < PARQ_NUM_PRIO; prio++) {
		parq_pfc_supervise(port, prio);
		if (!pfc->offload)
			parq_pfc_run(port, prio);
		parq_park_settle(port, prio);
	}
	if (pfc->up)
		__parq_storm_look(port);
	mutex_unlock(&pfc->lock);
}

/**
 * parq_pfc_paused() - tell whether a class is stopped legally
 * @port: port
 * @prio: 0 to 7
 *
 * Context: any; reads memory only.
 * Return: true while the class is paused, or held with something going on.
 */
bool parq_pfc_paused(const struct parq_port *port, unsigned int prio)
{
	u64 levels = parq_io_levels(port, prio);

	if (levels & PARQ_LEVELS_PAUSE)
		return true;
	return (levels & PARQ_LEVELS_HOLD) &&
	       !READ_ONCE(port->pfc.prio[prio].stuck);
}

/* ---- settings ----------------------------------------------------------- */

/*
 * Programs pfc->en: first park queues, then PFC, then removal of queues that are no longer
 * needed. On error PFC is as before.
 */
static int parq_pfc_apply(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	unsigned int prio;
	int err;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (pfc->en & BIT(prio))
			parq_park_settle(port, prio);
	err = parq_io_pfc_ctrl(port, pfc->en, pfc->offload);
	if (err)
		return err;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (!(pfc->en & BIT(prio)))
			parq_park_settle(port, prio);
	return 0;
}

/*
 * Receive buffers are changed first, because only they can be refused. While link pause is
 * set, they belong to it.
 */
static int parq_pfc_buffers(struct parq_port *port, const struct ieee_pfc *ieee,
			    char *reason)
{
	const struct parq_pause_want *pause = &port->pfc.pause.want;
	struct parq_rxb_want want = port->pfc.buf.want;

	if (ieee->pfc_en && parq_pause_is_wanted(pause)) {
		snprintf(reason, PARQ_REASON_LEN,
			 "priorities %#x: link pause is set (rx %s, tx %s), which excludes PFC",
			 ieee->pfc_en, pause->rx ? "on" : "off",
			 pause->tx ? "on" : "off");
		return -EBUSY;
	}
	if (!want.link_pause)
		want.lossless = ieee->pfc_en;
	want.delay = ieee->delay;
	return __parq_buf_change(port, &want, reason);
}

/* Takes ownership of the memory, or frees it. */
static int parq_pfc_change(struct parq_port *port, const struct ieee_pfc *ieee,
			   u8 new, struct parq_park *parks, char *reason)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want was = pfc->buf.want;
	char again[PARQ_REASON_LEN];
	u8 old = pfc->en;
	unsigned int prio;
	int err;

	err = parq_pfc_buffers(port, ieee, reason);
	if (err) {
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			parq_park_free(port, &parks[prio]);
		return err;
	}
	if (pfc->up && old != ieee->pfc_en) {
		parq_park_adopt(port, new, parks);
		pfc->en = ieee->pfc_en;
		err = parq_pfc_apply(port);
	}
	if (err) {
		pfc->en = old;
		parq_pfc_apply(port);
		__parq_buf_change(port, &was, again);
		return err;
	}
	pfc->en = ieee->pfc_en;
	pfc->mbc = ieee->mbc;
	pfc->delay = ieee->delay;
	return 0;
}

/**
 * parq_pfc_set() - change the priorities that are lossless
 * @port: port, up or down
 * @ieee: settings of a user; pfc_cap is the driver's and is ignored
 * @reason: receives a sentence if the change is refused
 *
 * Classes whose setting does not change are not touched. If PFC is disabled for a paused
 * class, its frames are released in order, and then its park queue is freed. The same
 * priorities are lossless on receive.
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error and nothing has changed: -ENOMEM, -EINVAL, -ENOBUFS (receive
 * buffers), -EBUSY (a buffer does not drain, or link pause is set), -EIO (the device
 * refused), -ENODEV (it is gone).
 */
int parq_pfc_set(struct parq_port *port, const struct ieee_pfc *ieee,
		 char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_park parks[PARQ_NUM_PRIO];
	int err;
	u8 new;

	ASSERT_RTNL();
	netdev_assert_locked_ops_compat(port->netdev);

	if (ieee->mbc > 1) {
		snprintf(reason, PARQ_REASON_LEN,
			 "macsec-bypass %u is not 0 or 1", ieee->mbc);
		return -EINVAL;
	}
	if (parq_dev_gone(port->pd))
		return -ENODEV;
	new = pfc->up ? ieee->pfc_en & ~pfc->en : 0;
	err = parq_park_alloc(port, new, parks);
	if (err)
		return err;

	mutex_lock(&pfc->lock);
	err = parq_pfc_change(port, ieee, new, parks, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/* Waits until no command is pending, so that the new executor sees its effects. */
static int parq_pfc_drain_commands(struct parq_port *port)
{
	unsigned int prio;
	u64 levels;
	int err;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		err = read_poll_timeout(parq_io_levels, levels,
					parq_pfc_acked(port, prio, levels),
					PARQ_PFC_ACK_POLL_US,
					PARQ_PFC_ACK_TIMEOUT_US, false,
					port, prio);
		if (err)
			return err;
	}
	return 0;
}

/**
 * parq_pfc_executor_set() - select the executor of a port's pause FSMs
 * @port: port, up or down
 * @offload: the device, which must have PARQ_CAP_OFFLOAD; otherwise the driver
 *
 * May be called at any time, even with parked frames: the new executor continues from the
 * levels.
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -ETIMEDOUT (a command is
 * not acknowledged), -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_pfc_executor_set(struct parq_port *port, bool offload)
{
	struct parq_pfc *pfc = &port->pfc;
	unsigned int prio;
	int err = 0;

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	mutex_lock(&pfc->lock);
	if (offload == pfc->offload)
		goto out;
	if (pfc->up && offload)
		err = parq_pfc_drain_commands(port);
	if (pfc->up && !err)
		err = parq_io_pfc_ctrl(port, pfc->en, offload);
	if (err)
		goto out;

	pfc->offload = offload;
	if (!pfc->up || offload)
		goto out;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		parq_pfc_resume(port, prio);
		parq_pfc_run(port, prio);
	}
out:
	mutex_unlock(&pfc->lock);
	return err;
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_pfc_init() - default settings
 * @port: port whose device capabilities and link settings are known
 */
void parq_pfc_init(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;

	mutex_init(&pfc->lock);
	pfc->offload = port->pd->caps.flags & PARQ_CAP_OFFLOAD;
	parq_pause_init(port);
	parq_buf_init(port);
}

/**
 * parq_pfc_fini() - undo parq_pfc_init()
 * @port: port that is closed
 */
void parq_pfc_fini(struct parq_port *port)
{
	mutex_destroy(&port->pfc.lock);
}

static void parq_pfc_drop(struct parq_port *port)
{
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct parq_pfc_class *c = &port->pfc.prio[prio];

		parq_io_park_set(port, prio, 0, 0);
		parq_park_free(port, &c->park);
		parq_park_free(port, &c->spare);
		c->state = PARQ_FSM_IDLE;
		c->seq = 0;
		WRITE_ONCE(c->stuck, false);
	}
	/* Old levels must not be taken for new ones. */
	memset(port->status->pfc, 0, sizeof(port->status->pfc));
}

/**
 * parq_pfc_open() - program memory and settings of the PFC engine
 * @port: port whose status page the device has, and whose rings exist
 *
 * Context: ops lock; no frame has been queued yet.
 * Return: 0, or an error and nothing is left behind: -ENOMEM, -ENOBUFS (the device has
 * too little memory), -EIO (it refused), -ENODEV (it is gone).
 */
int parq_pfc_open(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_park parks[PARQ_NUM_PRIO];
	char reason[PARQ_REASON_LEN] = "";
	unsigned int prio;
	int err;

	netdev_assert_locked_ops_compat(port->netdev);

	err = parq_park_alloc(port, pfc->en, parks);
	if (err)
		return err;

	mutex_lock(&pfc->lock);
	parq_park_adopt(port, pfc->en, parks);
	err = parq_ets_open(port);
	if (!err)
		err = __parq_pause_open(port);
	if (!err)
		err = __parq_buf_open(port, reason);
	if (!err)
		err = __parq_storm_open(port);
	if (!err)
		err = parq_pfc_apply(port);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_pfc_resume(port, prio);
	if (err) {
		__parq_buf_close(port);
		parq_pfc_drop(port);
	}
	pfc->up = !err;
	mutex_unlock(&pfc->lock);
	return err ? parq_refuse(port->netdev, NULL, "flow control", reason, err) : 0;
}

/**
 * parq_pfc_close() - undo parq_pfc_open()
 * @port: port that is not enabled, or that the device has stopped: PARQ_PORT_CTRL_EN was cleared,
 *	and the device does not access its memory any more
 *
 * Frees the park queues. Nothing waits for a pause: parq_chans_close() drops and counts parked
 * frames with all others of the TX rings. Settings are kept.
 *
 * Context: ops lock.
 */
void parq_pfc_close(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;

	mutex_lock(&pfc->lock);
	if (pfc->up) {
		pfc->up = false;
		parq_io_pfc_ctrl(port, 0, false);
		__parq_storm_close(port);
		__parq_buf_close(port);
		parq_pfc_drop(port);
	}
	mutex_unlock(&pfc->lock);
}

/**
 * parq_pfc_resize() - fit the park queues to the rings
 * @port: port whose TX rings or channels have changed, or are about to change
 *
 * The queue of a held class is replaced when the class is released. Until then the device
 * keeps the smaller queue from overflowing: it stops fetching.
 *
 * Context: ops lock.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int parq_pfc_resize(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_park parks[PARQ_NUM_PRIO];
	unsigned int prio;
	int err;

	netdev_assert_locked_ops_compat(port->netdev);

	if (!pfc->up)
		return 0;
	err = parq_park_alloc(port, pfc->en, parks);
	if (err)
		return err;

	mutex_lock(&pfc->lock);
	parq_park_adopt(port, pfc->en, parks);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_park_settle(port, prio);
	mutex_unlock(&pfc->lock);
	return 0;
}
