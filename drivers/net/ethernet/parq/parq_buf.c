// SPDX-License-Identifier: GPL-2.0
/*
 * Receive buffers: settings, and changes of the device's buffers without losing a
 * frame. Sizes and watermarks are computed in parq_buf_calc.c.
 *
 * A request is first computed and fitted to the memory. It can be refused only there.
 * The device is then changed in four steps:
 *
 * 1. A lossless buffer that shrinks, or takes priorities of other buffers, pauses its
 *    peer early. The driver waits until the frames that it holds, and those on the way,
 *    fit its new size.
 * 2. Priorities that are to be lossy become lossy.
 * 3. All buffers change at once.
 * 4. Priorities that are to be lossless become lossless: their buffer has its headroom
 *    now.
 *
 * parq_pfc.lock covers everything here; the ops lock is not needed.
 */
#include <linux/bitfield.h>
#include <linux/iopoll.h>

#include "parq.h"
#include "parq_buf.h"
#include "parq_io.h"
#include "parq_pool.h"

/*
 * Interval of polls of a draining buffer; the host has 100 ms to take its frames.
 * parq_pfc.lock is held for that time.
 */
#define PARQ_BUFFER_POLL_US	50
#define PARQ_BUFFER_TIMEOUT_US	100000

/* ---- what the device has ------------------------------------------------ */

/* Writes all values. */
static int parq_buf_write(struct parq_port *port, const struct parq_rxb *rxb, char *reason)
{
	struct parq_buf *buf = &port->pfc.buf;
	int err;

	err = parq_pool_apply(port, rxb, parq_rxb_growth(&buf->hw, rxb), reason);
	if (!err)
		buf->hw = *rxb;
	return err;
}

static int parq_buf_apply(struct parq_port *port, const struct parq_rxb *rxb, char *reason)
{
	if (!memcmp(rxb, &port->pfc.buf.hw, sizeof(*rxb)))
		return 0;
	return parq_buf_write(port, rxb, reason);
}

/* Value of PARQ_FC_CTRL: the lossless priorities, and by which frames they are paused. */
static u32 parq_buf_flow_of(const struct parq_port *port,
			    const struct parq_rxb_want *want)
{
	u32 pfc = want->link_pause ? 0 : want->lossless;

	return FIELD_PREP(PARQ_FC_CTRL_PFC_TX, pfc) | port->pfc.pause.fc;
}

/* Return: priorities whose frames may wait, BIT(priority). */
static u8 parq_buf_lossless(u32 flow)
{
	return flow & PARQ_FC_CTRL_PAUSE_TX ? 0xff :
	       FIELD_GET(PARQ_FC_CTRL_PFC_TX, flow);
}

static int parq_buf_flow(struct parq_port *port, u32 flow)
{
	struct parq_buf *buf = &port->pfc.buf;
	int err;

	if (flow == buf->hw_flow)
		return 0;
	err = parq_io_fc_ctrl(port, flow);
	if (!err)
		buf->hw_flow = flow;
	return err;
}

/* Return: buffers of @which that hold more than XOFF of @rxb, BIT(buffer). */
static u8 parq_buf_above(struct parq_port *port, const struct parq_rxb *rxb,
			 u8 which)
{
	unsigned int n;
	u8 above = 0;

	for (n = 0; n < PARQ_NUM_RXB; n++)
		if (which & BIT(n) && parq_io_rxb_used(port, n) > rxb->xoff[n])
			above |= BIT(n);
	return above;
}

/*
 * Waits until each buffer that changes is below its early XOFF: its new headroom then has
 * room for what the peer sends until the pause stops it.
 */
static int parq_buf_drain(struct parq_port *port, const struct parq_rxb *rxb,
			  u8 lossless, char *reason)
{
	struct parq_buf *buf = &port->pfc.buf;
	struct parq_rxb step;
	u8 which, above;
	int err;

	which = parq_rxb_prepare(&buf->hw, rxb, lossless, &step);
	if (!which)
		return 0;
	parq_pool_hold(port, which);
	err = parq_buf_apply(port, &step, reason);
	if (err)
		return err;
	if (!read_poll_timeout(parq_buf_above, above, !above,
			       PARQ_BUFFER_POLL_US, PARQ_BUFFER_TIMEOUT_US,
			       false, port, &step, which))
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "buffer %lu is too full to change and does not drain",
		 __ffs(above));
	return -EBUSY;
}

/* Steps 1 to 4 of the comment at the head of this file. On error nothing has changed. */
static int parq_buf_program(struct parq_port *port,
			    const struct parq_rxb *rxb, u32 flow, bool drain,
			    char *reason)
{
	struct parq_buf *buf = &port->pfc.buf;
	struct parq_rxb old = buf->hw;
	u32 was = buf->hw_flow;
	int err = 0;

	if (drain)
		err = parq_buf_drain(port, rxb,
				     parq_buf_lossless(was & flow), reason);
	if (!err)
		err = parq_buf_flow(port, was & flow);
	if (!err)
		err = parq_buf_apply(port, rxb, reason);
	if (!err)
		err = parq_buf_flow(port, flow);
	if (drain)
		parq_pool_release(port);
	if (!err)
		return 0;

	/* The device may have done what it is said to have refused: write all of it. */
	parq_io_rxb_apply(port, &old);
	buf->hw = old;
	parq_io_fc_ctrl(port, was);
	buf->hw_flow = was;
	return err;
}

/* ---- what is wanted ----------------------------------------------------- */

static int parq_buf_adopt(struct parq_port *port,
			  const struct parq_rxb_want *want, bool drain,
			  char *reason)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb rxb;
	int err;

	lockdep_assert_held(&pfc->lock);

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	err = parq_rxb_fit(want, &rxb, reason);
	if (err)
		return err;
	if (pfc->up)
		err = parq_buf_program(port, &rxb,
				       parq_buf_flow_of(port, want),
				       drain, reason);
	if (!err) {
		pfc->buf.want = *want;
		pfc->buf.rxb = rxb;
	}
	return err;
}

/**
 * __parq_buf_change() - change the receive buffers
 * @port: port, up or down
 * @want: inputs of the calculation
 * @reason: receives a sentence if the change is refused
 *
 * The device is accessed only if one of its values changes.
 *
 * Context: parq_pfc.lock is held; may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (not possible), -ENOBUFS (too
 * little memory), -EBUSY (a buffer does not drain), -EIO (the device refused), -ENODEV
 * (it is gone).
 */
int __parq_buf_change(struct parq_port *port,
		      const struct parq_rxb_want *want,
		      char reason[PARQ_REASON_LEN])
{
	return parq_buf_adopt(port, want, true, reason);
}

/**
 * __parq_buf_flow() - apply a change of link pause
 * @port: port, up or down
 *
 * Sizes and watermarks do not change.
 *
 * Context: parq_pfc.lock is held.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int __parq_buf_flow(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;

	lockdep_assert_held(&pfc->lock);

	if (!pfc->up)
		return 0;
	return parq_buf_flow(port,
			     parq_buf_flow_of(port, &pfc->buf.want));
}

/* ---- what they follow --------------------------------------------------- */

/**
 * parq_buf_mtu() - follow the MTU
 * @port: port, up or down
 * @mtu: largest MTU to accept; called before the MTU grows, or after it has shrunk
 * @reason: receives a sentence if the change is refused
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (not possible), -ENOBUFS (too
 * little memory), -EBUSY (a buffer does not drain), -EIO (the device refused), -ENODEV
 * (it is gone).
 */
int parq_buf_mtu(struct parq_port *port, unsigned int mtu,
		 char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err = 0;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.mtu = mtu;
	if (mtu != pfc->buf.want.mtu)
		err = __parq_buf_change(port, &want, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/* Return: speed that a link with these settings may come up with. */
enum parq_speed parq_buf_fastest_of(const struct parq_link *link)
{
	return link->autoneg ? __fls(link->adv | 1) : link->speed;
}

/* Speed for the watermarks: the link's, or the fastest possible while it is down. */
static enum parq_speed parq_buf_speed(struct parq_port *port,
				      enum parq_speed fastest)
{
	enum parq_speed speed = fastest;

	mutex_lock(&port->link_lock);
	if (port->state.up && port->state.speed < PARQ_NUM_SPEEDS)
		speed = port->state.speed;
	mutex_unlock(&port->link_lock);
	return speed;
}

/**
 * parq_buf_fastest() - follow the link's settings
 * @port: port, up or down
 * @fastest: parq_buf_fastest_of(); called before it rises, or after it has fallen
 * @reason: receives a sentence if the change is refused
 *
 * Buffers must suffice for every speed with which the link may come up: -ENOBUFS cannot
 * be reported at link-up. Until parq_buf_link() is called, watermarks also are those
 * for the fastest speed.
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (not possible), -ENOBUFS (too
 * little memory), -EBUSY (a buffer does not drain), -EIO (the device refused), -ENODEV
 * (it is gone).
 */
int parq_buf_fastest(struct parq_port *port, enum parq_speed fastest,
		     char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.fastest = fastest;
	want.speed = max(fastest, parq_buf_speed(port, fastest));
	err = __parq_buf_change(port, &want, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/**
 * parq_buf_link() - follow the link
 * @port: port whose link may have changed
 *
 * While the link is down, the watermarks are those for its fastest speed, which are right
 * for all speeds. Once it is up they can rise. No buffer needs to drain for that.
 *
 * Context: may sleep.
 */
void parq_buf_link(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	char reason[PARQ_REASON_LEN];
	struct parq_rxb_want want;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.speed = parq_buf_speed(port, want.fastest);
	/* If this fails, the next call tries again. */
	if (want.speed != pfc->buf.want.speed)
		parq_buf_adopt(port, &want, false, reason);
	mutex_unlock(&pfc->lock);
}

/* ---- settings ----------------------------------------------------------- */

/* A user who changes only the map sends back the sizes as shown. */
static bool parq_buf_sizes_kept(const struct parq_buf *buf,
				const struct dcbnl_buffer *user)
{
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++)
		if (user->buffer_size[n] != buf->rxb.size[n])
			return false;
	return true;
}

/**
 * parq_buf_set() - change the buffers
 * @port: port, up or down
 * @user: map and sizes; all sizes 0 selects the driver's sizes
 * @reason: receives a sentence if the change is refused
 *
 * If the driver chose the sizes and @user has the same, the driver continues to choose
 * them when the map or PFC changes.
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (not possible), -ENOBUFS (too
 * little memory), -EBUSY (a buffer does not drain), -EIO (the device refused), -ENODEV
 * (it is gone).
 */
int parq_buf_set(struct parq_port *port, const struct dcbnl_buffer *user,
		 char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.user = *user;
	want.own_sizes = (!want.set || want.own_sizes) &&
			 parq_buf_sizes_kept(&pfc->buf, user);
	want.set = memchr_inv(user->buffer_size, 0, sizeof(user->buffer_size));
	err = __parq_buf_change(port, &want, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/**
 * parq_buf_get() - buffers as they are
 * @port: port, up or down
 * @user: filled
 *
 * Context: may sleep.
 */
void parq_buf_get(struct parq_port *port, struct dcbnl_buffer *user)
{
	struct parq_buf *buf = &port->pfc.buf;
	unsigned int i;

	mutex_lock(&port->pfc.lock);
	user->total_size = buf->want.total;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		user->prio2buffer[i] = parq_rxb_buffer(&buf->rxb, i);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		user->buffer_size[i] = buf->rxb.size[i];
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_buf_cable_get() - length of the cable, as set
 * @port: port, up or down
 *
 * Context: may sleep.
 * Return: its length, m.
 */
u32 parq_buf_cable_get(struct parq_port *port)
{
	u32 cable_m;

	mutex_lock(&port->pfc.lock);
	cable_m = port->pfc.buf.want.cable_m;
	mutex_unlock(&port->pfc.lock);
	return cable_m;
}

static int parq_cable_range(u32 cable_m, char *reason)
{
	if (cable_m >= PARQ_CABLE_MIN_M && cable_m <= PARQ_CABLE_MAX_M)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "a cable of %u m is not within %u to %u",
		 cable_m, PARQ_CABLE_MIN_M, PARQ_CABLE_MAX_M);
	return -EINVAL;
}

/**
 * parq_buf_cable_check() - check a length of the cable
 * @port: port, up or down
 * @cable_m: its length, m
 * @reason: receives a sentence if the change is refused
 *
 * Context: may sleep.
 * Return: 0, -EINVAL (out of range) or -ENOBUFS (too little memory).
 */
int parq_buf_cable_check(struct parq_port *port, u32 cable_m,
			 char reason[PARQ_REASON_LEN])
{
	struct parq_rxb_want want;
	struct parq_rxb rxb;
	int err;

	err = parq_cable_range(cable_m, reason);
	if (err)
		return err;
	mutex_lock(&port->pfc.lock);
	want = port->pfc.buf.want;
	mutex_unlock(&port->pfc.lock);
	want.cable_m = cable_m;
	return parq_rxb_fit(&want, &rxb, reason);
}

/**
 * parq_buf_cable_set() - change the length of the cable
 * @port: port, up or down
 * @cable_m: length that parq_buf_cable_check() accepted, m
 * @reason: receives a sentence if the change is refused
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (not possible), -ENOBUFS (too
 * little memory), -EBUSY (a buffer does not drain), -EIO (the device refused), -ENODEV
 * (it is gone).
 */
int parq_buf_cable_set(struct parq_port *port, u32 cable_m,
		       char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.cable_m = cable_m;
	err = __parq_buf_change(port, &want, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/* ---- occupancy ---------------------------------------------------------- */

/**
 * parq_buf_snapshot() - record present and highest levels of the buffers
 * @port: port; if it is down, its buffers are empty
 *
 * Context: may sleep.
 * Return: 0; -ENODEV (the device is gone), and the record has not changed.
 */
int parq_buf_snapshot(struct parq_port *port)
{
	u32 used[PARQ_NUM_RXB], high[PARQ_NUM_RXB];
	struct parq_buf *buf = &port->pfc.buf;
	unsigned int n;
	int err = 0;

	mutex_lock(&port->pfc.lock);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		used[n] = parq_io_rxb_used(port, n);
		high[n] = parq_io_rxb_high(port, n);
	}
	/* During a reset they read as 0. */
	if (!parq_dev_ready(port->pd)) {
		err = -ENODEV;
	} else {
		memcpy(buf->used, used, sizeof(used));
		memcpy(buf->high, high, sizeof(high));
	}
	mutex_unlock(&port->pfc.lock);
	return err;
}

/**
 * parq_buf_max_clear() - reset the recorded maximum occupancy
 * @port: port
 *
 * Context: may sleep.
 */
void parq_buf_max_clear(struct parq_port *port)
{
	unsigned int n;

	mutex_lock(&port->pfc.lock);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		parq_io_rxb_max_clear(port, n);
	mutex_unlock(&port->pfc.lock);
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_buf_init() - default settings
 * @port: port that has just been reset, with its link settings
 */
void parq_buf_init(struct parq_port *port)
{
	struct parq_buf *buf = &port->pfc.buf;
	char reason[PARQ_REASON_LEN];

	buf->want.cable_m = PARQ_CABLE_DEFAULT_M;
	buf->want.mtu = port->netdev->mtu;
	buf->want.fastest = parq_buf_fastest_of(&port->link);
	buf->want.speed = buf->want.fastest;
	buf->want.total = parq_io_rxb_total(port);
	port->pd->rx_memory += buf->want.total;
	/* Too little memory is reported when the port is opened. Until then sizes are 0. */
	parq_rxb_fit(&buf->want, &buf->rxb, reason);
}

/**
 * parq_buf_share() - let other ports have what the buffers do not need
 * @port: port of a device with a pool, before it is used
 */
void parq_buf_share(struct parq_port *port)
{
	struct parq_buf *buf = &port->pfc.buf;
	char reason[PARQ_REASON_LEN];

	buf->want.share = true;
	parq_rxb_fit(&buf->want, &buf->rxb, reason);
}

/**
 * parq_buf_restart() - the device has been reset, and buffer 0 has all memory again
 * @port: port that is down
 *
 * Context: may sleep.
 */
void parq_buf_restart(struct parq_port *port)
{
	mutex_lock(&port->pfc.lock);
	memset(&port->pfc.buf.hw, 0, sizeof(port->pfc.buf.hw));
	mutex_unlock(&port->pfc.lock);
}

/**
 * __parq_buf_open() - program the settings after a reset
 * @port: port that is disabled, with its MTU
 * @reason: receives a sentence if the change is refused
 *
 * Context: parq_pfc.lock is held; no frame has arrived yet.
 * Return: 0, or an error, settings are unchanged and no priority is lossless: -ENOBUFS
 * (the device has too little memory), -EIO (it refused), -ENODEV (it is gone).
 */
int __parq_buf_open(struct parq_port *port, char reason[PARQ_REASON_LEN])
{
	struct parq_buf *buf = &port->pfc.buf;
	struct parq_rxb_want want = buf->want;
	struct parq_rxb rxb;
	int err;

	buf->hw_flow = 0;
	want.mtu = port->mru;
	err = parq_rxb_fit(&want, &rxb, reason);
	if (err)
		return err;
	err = parq_buf_write(port, &rxb, reason);
	if (err)
		return err;
	parq_pool_release(port);
	err = parq_buf_flow(port, parq_buf_flow_of(port, &want));
	if (err)
		return err;
	buf->want = want;
	buf->rxb = rxb;
	return 0;
}

/**
 * __parq_buf_close() - no priority is lossless any more
 * @port: port that is disabled
 *
 * Settings stay.
 *
 * Context: parq_pfc.lock is held.
 */
void __parq_buf_close(struct parq_port *port)
{
	parq_buf_flow(port, 0);
}
