// SPDX-License-Identifier: GPL-2.0
/*
 * Receive buffers: settings, and how the device comes to have them without
 * losing a frame. What they come to is computed in parq_headroom.c.
 *
 * A request is computed and fitted to the memory first, and refused there. All
 * that follows is the device's part:
 *
 * 1. Lossless buffers that are to get less, or to take priorities of others,
 *    pause their peer early and are waited for, until what they hold and what
 *    is on the way fits.
 * 2. Priorities that cease to be lossless do so.
 * 3. All buffers change at once.
 * 4. Priorities that become lossless do so: from here on their buffer has its
 *    headroom.
 *
 * parq_pfc.lock covers everything here; rtnl is not needed.
 */
#include <linux/bitfield.h>
#include <linux/iopoll.h>

#include "parq.h"
#include "parq_buffer.h"
#include "parq_io_dcb.h"

/* Longest wait for a buffer to empty; the host has 100 ms to take frames. */
#define PARQ_BUFFER_POLL_US	50
#define PARQ_BUFFER_TIMEOUT_US	100000

/* ---- what the device has ------------------------------------------------ */

static int parq_buffer_apply(struct parq_port *port, const struct parq_rxb *rxb)
{
	struct parq_buffer *buf = &port->pfc.buf;
	int err;

	if (!memcmp(rxb, &buf->hw, sizeof(*rxb)))
		return 0;
	err = parq_io_rxb_apply(port, rxb);
	if (!err)
		buf->hw = *rxb;
	return err;
}

/* What the peer is told, and by what kind of frames: PARQ_FC_CTRL. */
static u32 parq_buffer_flow_of(const struct parq_port *port,
			       const struct parq_rxb_want *want)
{
	u32 pfc = want->link_pause ? 0 : want->lossless;

	return FIELD_PREP(PARQ_FC_CTRL_PFC_TX, pfc) | port->pfc.pause.fc;
}

/* Return: priorities whose frames may wait, BIT(priority). */
static u8 parq_buffer_lossless(u32 flow)
{
	return flow & PARQ_FC_CTRL_PAUSE_TX ? 0xff :
	       FIELD_GET(PARQ_FC_CTRL_PFC_TX, flow);
}

static int parq_buffer_flow(struct parq_port *port, u32 flow)
{
	struct parq_buffer *buf = &port->pfc.buf;
	int err;

	if (flow == buf->hw_flow)
		return 0;
	err = parq_io_fc_ctrl(port, flow);
	if (!err)
		buf->hw_flow = flow;
	return err;
}

/* Those of @which that hold more than @rxb lets them, BIT(buffer). */
static u8 parq_buffer_above(struct parq_port *port, const struct parq_rxb *rxb,
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
 * Have buffers that get less, or others' frames, hold so little that their new
 * headroom has room for what the peer sends until a pause stops it.
 */
static int parq_buffer_drain(struct parq_port *port, const struct parq_rxb *rxb,
			     u8 lossless, char *why)
{
	struct parq_buffer *buf = &port->pfc.buf;
	struct parq_rxb step;
	u8 which, above;
	int err;

	which = parq_rxb_prepare(&buf->hw, rxb, lossless, &step);
	if (!which)
		return 0;
	err = parq_buffer_apply(port, &step);
	if (err)
		return err;
	if (!read_poll_timeout(parq_buffer_above, above, !above,
			       PARQ_BUFFER_POLL_US, PARQ_BUFFER_TIMEOUT_US,
			       false, port, &step, which))
		return 0;
	snprintf(why, PARQ_DCB_WHY_LEN,
		 "buffer %lu is too full to be changed, and does not empty",
		 __ffs(above));
	return -EBUSY;
}

/* The order is that of the head of this file; on error it is as it was. */
static int parq_buffer_program(struct parq_port *port,
			       const struct parq_rxb *rxb, u32 flow, bool drain,
			       char *why)
{
	struct parq_buffer *buf = &port->pfc.buf;
	struct parq_rxb old = buf->hw;
	u32 was = buf->hw_flow;
	int err = 0;

	if (drain)
		err = parq_buffer_drain(port, rxb,
					parq_buffer_lossless(was & flow), why);
	if (!err)
		err = parq_buffer_flow(port, was & flow);
	if (!err)
		err = parq_buffer_apply(port, rxb);
	if (!err)
		err = parq_buffer_flow(port, flow);
	if (!err)
		return 0;

	parq_buffer_apply(port, &old);
	parq_buffer_flow(port, was);
	return err;
}

/* ---- what is wanted ----------------------------------------------------- */

static void parq_buffer_explain(int err, char *why)
{
	if (err == -ENODEV)
		snprintf(why, PARQ_DCB_WHY_LEN, "the device is gone");
	else if (err == -EIO)
		snprintf(why, PARQ_DCB_WHY_LEN, "the device refused it");
}

static int parq_buffer_adopt(struct parq_port *port,
			     const struct parq_rxb_want *want, bool drain,
			     char *why)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb rxb;
	int err;

	lockdep_assert_held(&pfc->lock);

	if (parq_dev_gone(port->pd)) {
		parq_buffer_explain(-ENODEV, why);
		return -ENODEV;
	}
	err = parq_rxb_fit(want, &rxb, why);
	if (err)
		return err;
	if (pfc->up) {
		err = parq_buffer_program(port, &rxb,
					  parq_buffer_flow_of(port, want),
					  drain, why);
		parq_buffer_explain(err, why);
	}
	if (!err) {
		pfc->buf.want = *want;
		pfc->buf.rxb = rxb;
	}
	return err;
}

/**
 * __parq_buffer_change() - have other receive buffers
 * @port: port, up or down
 * @want: what they are computed from
 * @why: why not, in a sentence
 *
 * The device is told only if something changes for it.
 *
 * Context: parq_pfc.lock is held; may sleep.
 * Return: 0, or an error and nothing has changed: -EINVAL (cannot be had),
 * -ENOBUFS (too little memory), -EBUSY (a buffer does not empty), -EIO (the
 * device refused), -ENODEV (it is gone).
 */
int __parq_buffer_change(struct parq_port *port,
			 const struct parq_rxb_want *want,
			 char why[PARQ_DCB_WHY_LEN])
{
	return parq_buffer_adopt(port, want, true, why);
}

/**
 * __parq_buffer_flow() - link pause has come into force, or no longer is
 * @port: port, up or down
 *
 * Buffers stay as they are.
 *
 * Context: parq_pfc.lock is held.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int __parq_buffer_flow(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;

	lockdep_assert_held(&pfc->lock);

	if (!pfc->up)
		return 0;
	return parq_buffer_flow(port,
				parq_buffer_flow_of(port, &pfc->buf.want));
}

/* ---- what they follow --------------------------------------------------- */

/**
 * parq_buffer_mtu() - follow the MTU
 * @port: port, up or down
 * @mtu: largest one that the device lets through, from before it grows, or
 *	since it has shrunk
 * @why: why not, in a sentence
 *
 * Context: may sleep.
 * Return: as __parq_buffer_change().
 */
int parq_buffer_mtu(struct parq_port *port, unsigned int mtu,
		    char why[PARQ_DCB_WHY_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err = 0;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.mtu = mtu;
	if (mtu != pfc->buf.want.mtu)
		err = __parq_buffer_change(port, &want, why);
	mutex_unlock(&pfc->lock);
	return err;
}

/* Return: speed that a link with these settings may come up with. */
enum parq_speed parq_buffer_fastest_of(const struct parq_link *link)
{
	return link->autoneg ? __fls(link->adv | 1) : link->speed;
}

/* Of the link; what is down may come up with the fastest. */
static enum parq_speed parq_buffer_speed(struct parq_port *port,
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
 * parq_buffer_fastest() - follow the link's settings
 * @port: port, up or down
 * @fastest: parq_buffer_fastest_of(), from before it rises, or since it has fallen
 * @why: why not, in a sentence
 *
 * Buffers must suffice for every speed that the link may come up with: at link-up,
 * -ENOBUFS could no longer be reported. Watermarks are those of the
 * fastest, too, until parq_buffer_link() has seen what has become of the link.
 *
 * Context: may sleep.
 * Return: as __parq_buffer_change().
 */
int parq_buffer_fastest(struct parq_port *port, enum parq_speed fastest,
			char why[PARQ_DCB_WHY_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.fastest = fastest;
	want.speed = max(fastest, parq_buffer_speed(port, fastest));
	err = __parq_buffer_change(port, &want, why);
	mutex_unlock(&pfc->lock);
	return err;
}

/**
 * parq_buffer_link() - follow the link
 * @port: port whose link may have changed
 *
 * A link that is down is taken for the fastest, so that watermarks are right
 * whatever it comes up with, and then rise. Nothing waits for buffers here: the
 * link is what it is already.
 *
 * Context: may sleep.
 */
void parq_buffer_link(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	char why[PARQ_DCB_WHY_LEN];
	struct parq_rxb_want want;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.speed = parq_buffer_speed(port, want.fastest);
	/* If it fails, the next look at the link comes back to it. */
	if (want.speed != pfc->buf.want.speed)
		parq_buffer_adopt(port, &want, false, why);
	mutex_unlock(&pfc->lock);
}

/* ---- settings ----------------------------------------------------------- */

/* Sizes come back as they were shown when only the map was to change. */
static bool parq_buffer_sizes_kept(const struct parq_buffer *buf,
				   const struct dcbnl_buffer *user)
{
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++)
		if (user->buffer_size[n] != buf->rxb.size[n])
			return false;
	return true;
}

/**
 * parq_buffer_set() - change the buffers
 * @port: port, up or down
 * @user: map and sizes; with all sizes 0 the driver's own are taken again
 * @why: why not, in a sentence
 *
 * Sizes that are the driver's own and do not change remain its own: they follow the
 * map, and later PFC.
 *
 * Context: may sleep.
 * Return: as __parq_buffer_change().
 */
int parq_buffer_set(struct parq_port *port, const struct dcbnl_buffer *user,
		    char why[PARQ_DCB_WHY_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.user = *user;
	want.own_sizes = (!want.set || want.own_sizes) &&
			 parq_buffer_sizes_kept(&pfc->buf, user);
	want.set = memchr_inv(user->buffer_size, 0, sizeof(user->buffer_size));
	err = __parq_buffer_change(port, &want, why);
	mutex_unlock(&pfc->lock);
	return err;
}

/**
 * parq_buffer_get() - buffers as they are
 * @port: port, up or down
 * @user: filled
 *
 * Context: may sleep.
 */
void parq_buffer_get(struct parq_port *port, struct dcbnl_buffer *user)
{
	struct parq_buffer *buf = &port->pfc.buf;
	unsigned int i;

	mutex_lock(&port->pfc.lock);
	user->total_size = buf->want.total;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		user->prio2buffer[i] = parq_rxb_buffer(&buf->rxb, i);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		user->buffer_size[i] = buf->rxb.size[i];
	mutex_unlock(&port->pfc.lock);
}

static int parq_cable_range(u32 cable_m, char *why)
{
	if (cable_m >= PARQ_CABLE_MIN_M && cable_m <= PARQ_CABLE_MAX_M)
		return 0;
	snprintf(why, PARQ_DCB_WHY_LEN, "a cable of %u m is not within %u to %u",
		 cable_m, PARQ_CABLE_MIN_M, PARQ_CABLE_MAX_M);
	return -EINVAL;
}

/**
 * parq_buffer_cable_check() - can a cable be this long
 * @port: port, up or down
 * @cable_m: its length, m
 * @why: why not, in a sentence
 *
 * Context: may sleep.
 * Return: 0, -EINVAL (out of range) or -ENOBUFS (too little memory).
 */
int parq_buffer_cable_check(struct parq_port *port, u32 cable_m,
			    char why[PARQ_DCB_WHY_LEN])
{
	struct parq_rxb_want want;
	struct parq_rxb rxb;
	int err;

	err = parq_cable_range(cable_m, why);
	if (err)
		return err;
	mutex_lock(&port->pfc.lock);
	want = port->pfc.buf.want;
	mutex_unlock(&port->pfc.lock);
	want.cable_m = cable_m;
	return parq_rxb_fit(&want, &rxb, why);
}

/**
 * parq_buffer_cable_set() - change the length of the cable
 * @port: port, up or down
 * @cable_m: length that parq_buffer_cable_check() took, m
 * @why: why not, in a sentence
 *
 * Context: may sleep.
 * Return: as __parq_buffer_change().
 */
int parq_buffer_cable_set(struct parq_port *port, u32 cable_m,
			  char why[PARQ_DCB_WHY_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want want;
	int err;

	mutex_lock(&pfc->lock);
	want = pfc->buf.want;
	want.cable_m = cable_m;
	err = __parq_buffer_change(port, &want, why);
	mutex_unlock(&pfc->lock);
	return err;
}

/* ---- occupancy ---------------------------------------------------------- */

/**
 * parq_buffer_snapshot() - read how full the buffers are, and have been
 * @port: port; one that is down has nothing in them
 *
 * Context: may sleep.
 */
void parq_buffer_snapshot(struct parq_port *port)
{
	struct parq_buffer *buf = &port->pfc.buf;
	unsigned int n;

	mutex_lock(&port->pfc.lock);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		buf->used[n] = parq_io_rxb_used(port, n);
		buf->high[n] = parq_io_rxb_high(port, n);
	}
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_buffer_forget() - reset the recorded maximum occupancy
 * @port: port
 *
 * Context: may sleep.
 */
void parq_buffer_forget(struct parq_port *port)
{
	unsigned int n;

	mutex_lock(&port->pfc.lock);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		parq_io_rxb_forget(port, n);
	mutex_unlock(&port->pfc.lock);
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_buffer_init() - default settings
 * @port: port that has just been reset, with its link settings
 */
void parq_buffer_init(struct parq_port *port)
{
	struct parq_buffer *buf = &port->pfc.buf;
	char why[PARQ_DCB_WHY_LEN];

	buf->want.cable_m = PARQ_CABLE_DEFAULT_M;
	buf->want.mtu = port->netdev->mtu;
	buf->want.fastest = parq_buffer_fastest_of(&port->link);
	buf->want.speed = buf->want.fastest;
	buf->want.total = parq_io_rxb_total(port);
	/* A device that has too little is refused when the port is opened. */
	parq_rxb_fit(&buf->want, &buf->rxb, why);
}

/**
 * __parq_buffer_open() - give the device all that it may have forgotten
 * @port: port that is disabled, with its MTU
 * @why: why not, in a sentence
 *
 * Context: parq_pfc.lock is held; no frame has come yet.
 * Return: 0, or an error and no priority is lossless: -ENOBUFS (the device has
 * too little memory), -EIO (it refused), -ENODEV (it is gone).
 */
int __parq_buffer_open(struct parq_port *port, char why[PARQ_DCB_WHY_LEN])
{
	struct parq_buffer *buf = &port->pfc.buf;
	int err;

	buf->want.mtu = port->mru;
	buf->hw_flow = 0;
	err = parq_rxb_fit(&buf->want, &buf->rxb, why);
	if (err)
		return err;
	err = parq_io_rxb_apply(port, &buf->rxb);
	if (!err) {
		buf->hw = buf->rxb;
		err = parq_buffer_flow(port,
				       parq_buffer_flow_of(port, &buf->want));
	}
	parq_buffer_explain(err, why);
	return err;
}

/**
 * __parq_buffer_close() - no priority is lossless any more
 * @port: port that is disabled
 *
 * Settings stay.
 *
 * Context: parq_pfc.lock is held.
 */
void __parq_buffer_close(struct parq_port *port)
{
	parq_buffer_flow(port, 0);
}
