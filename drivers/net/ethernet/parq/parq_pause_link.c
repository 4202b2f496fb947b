// SPDX-License-Identifier: GPL-2.0
/*
 * Link pause (IEEE 802.3x): settings, negotiation, Pause Low, and frames on request.
 *
 * ethtool and dcbnl need not hold a common lock, but link pause and PFC exclude each
 * other. So parq_pfc.lock covers the settings of both.
 *
 * Receive buffers are set up for link pause as soon as the settings allow sending pauses.
 * Whether pauses are sent is decided by the negotiation at link-up, when too little memory
 * can no longer be reported.
 */
#include <linux/bitfield.h>
#include <linux/mii.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_pause.h"

/* Default: the lower half of the priorities. */
#define PARQ_PAUSE_LOW_PRIOS	0x0f

/* Opcodes in use: IEEE 802.3 annex 31A. */
#define PARQ_OPCODE_PAUSE	0x0001
#define PARQ_OPCODE_PFC		0x0101

/* ---- negotiation -------------------------------------------------------- */

static u16 parq_pause_to_mii(u32 adv)
{
	return (adv & PARQ_LINK_ADV_PAUSE ? ADVERTISE_PAUSE_CAP : 0) |
	       (adv & PARQ_LINK_ADV_ASYM ? ADVERTISE_PAUSE_ASYM : 0);
}

/**
 * parq_pause_adv() - advertisement for some settings
 * @want: settings
 *
 * RX-only must also advertise symmetric pause; 802.3 table 28B-2 offers no other
 * encoding.
 *
 * Return: PARQ_LINK_ADV_PAUSE, PARQ_LINK_ADV_ASYM
 */
u32 parq_pause_adv(const struct parq_pause_want *want)
{
	u16 mii = mii_advertise_flowctrl((want->rx ? FLOW_CTRL_RX : 0) |
					 (want->tx ? FLOW_CTRL_TX : 0));

	return (mii & ADVERTISE_PAUSE_CAP ? PARQ_LINK_ADV_PAUSE : 0) |
	       (mii & ADVERTISE_PAUSE_ASYM ? PARQ_LINK_ADV_ASYM : 0);
}

/* RX-only settings, negotiated, may result in both directions: see parq_pause_adv(). */
static bool parq_pause_may_send(const struct parq_pause_want *want)
{
	return want->tx || (want->autoneg && want->rx);
}

/**
 * parq_pause_negotiate() - result of the negotiation, table 28B-3
 * @own: PARQ_LINK_ADV
 * @partner: PARQ_LINK_PARTNER
 *
 * Return: PARQ_FC_CTRL_PAUSE_*
 */
u32 parq_pause_negotiate(u32 own, u32 partner)
{
	u8 cap = mii_resolve_flowctrl_fdx(parq_pause_to_mii(own),
					  parq_pause_to_mii(partner));

	return (cap & FLOW_CTRL_RX ? PARQ_FC_CTRL_PAUSE_RX : 0) |
	       (cap & FLOW_CTRL_TX ? PARQ_FC_CTRL_PAUSE_TX : 0);
}

static struct parq_link parq_pause_link_state(struct parq_port *port)
{
	struct parq_link state;

	mutex_lock(&port->link_lock);
	state = port->state;
	mutex_unlock(&port->link_lock);
	return state;
}

/*
 * Without a link the result does not change: frames of the last link may still wait for
 * the host, and would be dropped if pauses were no longer sent.
 */
static u32 parq_pause_resolve(struct parq_port *port,
			      const struct parq_pause_want *want, u32 was)
{
	struct parq_link state = parq_pause_link_state(port);
	u32 may = (want->rx ? PARQ_FC_CTRL_PAUSE_RX : 0) |
		  (parq_pause_may_send(want) ? PARQ_FC_CTRL_PAUSE_TX : 0);

	if (!want->autoneg)
		return may;
	if (!state.up)
		return was & may;
	if (!state.full || !state.autoneg)
		return 0;
	return parq_pause_negotiate(parq_pause_adv(want), state.partner);
}

/**
 * parq_pause_link() - follow the link
 * @port: port whose link may have changed, before its carrier does
 *
 * Context: may sleep.
 */
void parq_pause_link(struct parq_port *port)
{
	struct parq_pfc *pfc = &port->pfc;
	u32 was, fc;

	mutex_lock(&pfc->lock);
	was = pfc->pause.fc;
	fc = parq_pause_resolve(port, &pfc->pause.want, was);
	WRITE_ONCE(pfc->pause.fc, fc);
	/* If this fails, the next check of the link tries again. */
	if (fc != was && __parq_buf_flow(port))
		WRITE_ONCE(pfc->pause.fc, was);
	mutex_unlock(&pfc->lock);
}

/* ---- settings ----------------------------------------------------------- */

static int parq_pause_change(struct parq_port *port,
			     const struct parq_pause_want *want, char *reason)
{
	struct parq_pfc *pfc = &port->pfc;
	struct parq_rxb_want rxb = pfc->buf.want;
	struct parq_pause was = pfc->pause;
	int err;

	pfc->pause.want = *want;
	WRITE_ONCE(pfc->pause.fc, parq_pause_resolve(port, want, was.fc));
	rxb.link_pause = parq_pause_may_send(want);
	rxb.lossless = rxb.link_pause ? 0xff : pfc->en;
	err = __parq_buf_change(port, &rxb, reason);
	if (err) {
		pfc->pause.want = was.want;
		WRITE_ONCE(pfc->pause.fc, was.fc);
	}
	return err;
}

/**
 * parq_pause_set() - change link pause
 * @port: port, up or down
 * @want: settings
 * @reason: receives a sentence if the change is refused
 *
 * The caller advertises parq_pause_adv().
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EBUSY (PFC is on, or a buffer does not
 * drain), -EINVAL or -ENOBUFS (receive buffers), -EIO (the device refused), -ENODEV (it
 * is gone).
 */
int parq_pause_set(struct parq_port *port, const struct parq_pause_want *want,
		   char reason[PARQ_REASON_LEN])
{
	struct parq_pfc *pfc = &port->pfc;
	int err = -EBUSY;

	mutex_lock(&pfc->lock);
	if (parq_pause_is_wanted(want) && pfc->en)
		snprintf(reason, PARQ_REASON_LEN,
			 "rx %s, tx %s exclude PFC, which is on for priorities %#x",
			 want->rx ? "on" : "off", want->tx ? "on" : "off",
			 pfc->en);
	else
		err = parq_pause_change(port, want, reason);
	mutex_unlock(&pfc->lock);
	return err;
}

/* Context: may sleep. */
struct parq_pause_want parq_pause_get(struct parq_port *port)
{
	struct parq_pause_want want;

	mutex_lock(&port->pfc.lock);
	want = port->pfc.pause.want;
	mutex_unlock(&port->pfc.lock);
	return want;
}

/* ---- received pauses ---------------------------------------------------- */

/**
 * parq_pause_stopped() - priorities that the peer's link pause stops now
 * @port: port
 *
 * Reads a register while link pause is in force: not for hot paths.
 *
 * Context: any.
 * Return: BIT(priority).
 */
u8 parq_pause_stopped(struct parq_port *port)
{
	const struct parq_pause *pause = &port->pfc.pause;
	u32 status;

	if (!(READ_ONCE(pause->fc) & PARQ_FC_CTRL_PAUSE_RX))
		return 0;
	status = parq_io_fc_status(port);
	if (status & PARQ_FC_STATUS_PAUSED)
		return 0xff;
	return status & PARQ_FC_STATUS_PAUSED_LOW ?
	       READ_ONCE(pause->low_prios) : 0;
}

/**
 * parq_pause_low_get() - opcode and priorities of Pause Low, as set
 * @port: port, up or down
 * @opcode: receives the opcode, 0 for none
 * @prios: receives BIT(priority) to stop
 *
 * Context: may sleep.
 */
void parq_pause_low_get(struct parq_port *port, u16 *opcode, u8 *prios)
{
	mutex_lock(&port->pfc.lock);
	*opcode = port->pfc.pause.low_opcode;
	*prios = port->pfc.pause.low_prios;
	mutex_unlock(&port->pfc.lock);
}

/**
 * parq_pause_low_check() - check an opcode for Pause Low
 * @opcode: opcode of MAC control frames
 * @reason: receives a sentence if the change is refused
 *
 * Return: 0 or -EINVAL.
 */
int parq_pause_low_check(u16 opcode, char reason[PARQ_REASON_LEN])
{
	if (opcode != PARQ_OPCODE_PAUSE && opcode != PARQ_OPCODE_PFC)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "opcode %u (%#06x) is reserved for %s",
		 opcode, opcode,
		 opcode == PARQ_OPCODE_PFC ? "PFC" : "802.3x pause");
	return -EINVAL;
}

/**
 * parq_pause_low_set() - set opcode and priorities of Pause Low
 * @port: port, up or down
 * @opcode: opcode that parq_pause_low_check() accepted; 0: no Pause Low
 * @prios: BIT(priority) to stop; also applies to a Pause Low that is running
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_pause_low_set(struct parq_port *port, u16 opcode, u8 prios)
{
	struct parq_pfc *pfc = &port->pfc;
	int err = 0;

	mutex_lock(&pfc->lock);
	if (parq_dev_gone(port->pd))
		err = -ENODEV;
	else if (pfc->up && (opcode != pfc->pause.low_opcode ||
			     prios != pfc->pause.low_prios))
		err = parq_io_fc_low(port, opcode, prios);
	if (!err) {
		pfc->pause.low_opcode = opcode;
		WRITE_ONCE(pfc->pause.low_prios, prios);
	}
	mutex_unlock(&pfc->lock);
	return err;
}

/* ---- frames on request -------------------------------------------------- */

/* Builds a request for the kind of frame that the port's flow control uses. */
static int parq_pause_request(struct parq_port *port, u8 prios, bool xoff,
			      char *reason)
{
	u32 flow = port->pfc.up ? port->pfc.buf.hw_flow : 0;
	struct parq_link state = parq_pause_link_state(port);
	u8 missing = prios & ~FIELD_GET(PARQ_FC_CTRL_PFC_TX, flow);
	u32 request = prios;
	int err;

	if (!prios)
		request = flow & PARQ_FC_CTRL_PAUSE_TX ? PARQ_FC_SEND_LINK :
			  flow & PARQ_FC_CTRL_PFC_TX;
	/* A port that is down has no flow control, whatever has been set. */
	if (!port->pfc.up || !state.up || !state.full) {
		snprintf(reason, PARQ_REASON_LEN,
			 "port %u has no full duplex link", port->index);
		return -ENETDOWN;
	}
	if (missing) {
		snprintf(reason, PARQ_REASON_LEN,
			 "priority %lu of port %u has no PFC", __ffs(missing),
			 port->index);
		return -EOPNOTSUPP;
	}
	if (!request) {
		snprintf(reason, PARQ_REASON_LEN,
			 "port %u has neither PFC nor link pause",
			 port->index);
		return -EOPNOTSUPP;
	}
	err = parq_io_fc_send(port, request | (xoff ? PARQ_FC_SEND_XOFF : 0));
	if (err == -EBUSY)
		snprintf(reason, PARQ_REASON_LEN,
			 "port %u: %u requests pending, or link down",
			 port->index, PARQ_FC_SEND_MAX);
	return err;
}

/**
 * parq_pause_send() - send one pause frame
 * @port: port, up or down
 * @prios: priorities that a PFC frame names, BIT(priority); 0: the whole port, by a PFC
 *	frame for all priorities with PFC, or by link pause
 * @xoff: with PARQ_FC_TIME; otherwise with time 0
 * @reason: receives a sentence if the change is refused
 *
 * Frames caused by the receive buffers are sent as before.
 *
 * Context: may sleep.
 * Return: 0, or an error and nothing is sent: -EOPNOTSUPP (the port has no such flow
 * control), -ENETDOWN (no full duplex link), -EBUSY (too many requests are pending),
 * -ENODEV (the device is gone).
 */
int parq_pause_send(struct parq_port *port, u8 prios, bool xoff,
		    char reason[PARQ_REASON_LEN])
{
	int err;

	mutex_lock(&port->pfc.lock);
	err = parq_pause_request(port, prios, xoff, reason);
	mutex_unlock(&port->pfc.lock);
	/* It has lost its link and its flow control, too, which @reason may name. */
	if (err && parq_dev_gone(port->pd)) {
		*reason = '\0';
		err = -ENODEV;
	}
	return err;
}

/**
 * parq_pause_send_all() - send one pause frame from each port that can send one
 * @pd: device
 * @xoff: true to pause the peer, false to let it resume
 * @reason: receives a sentence if the change is refused
 *
 * Ports without a link or without flow control are skipped.
 *
 * Context: may sleep.
 * Return: 0; the error of parq_pause_send() if no port could send, or if a port failed for
 * another reason.
 */
int parq_pause_send_all(struct parq_dev *pd, bool xoff,
			char reason[PARQ_REASON_LEN])
{
	char refused[PARQ_REASON_LEN];
	int err, failed = 0;
	bool sent = false;
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++) {
		*refused = '\0';
		err = parq_pause_send(pd->port[i], 0, xoff, refused);
		if (!err) {
			sent = true;
		} else if (err != -EOPNOTSUPP && err != -ENETDOWN) {
			strscpy(reason, refused, PARQ_REASON_LEN);
			failed = err;
		}
	}
	if (sent || failed)
		return failed;
	strscpy(reason, refused, PARQ_REASON_LEN);
	return err;
}

/* ---- life --------------------------------------------------------------- */

/**
 * parq_pause_init() - default settings: no link pause
 * @port: port
 *
 * So PFC can be enabled at once.
 */
void parq_pause_init(struct parq_port *port)
{
	port->pfc.pause = (struct parq_pause){
		.want.autoneg = true,
		.low_prios = PARQ_PAUSE_LOW_PRIOS,
	};
}

/**
 * __parq_pause_open() - program Pause Low after a reset
 * @port: port that is disabled and has no link
 *
 * __parq_buf_open() programs the rest.
 *
 * Context: parq_pfc.lock is held.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int __parq_pause_open(struct parq_port *port)
{
	struct parq_pause *pause = &port->pfc.pause;

	WRITE_ONCE(pause->fc, parq_pause_resolve(port, &pause->want, 0));
	return parq_io_fc_low(port, pause->low_opcode, pause->low_prios);
}
