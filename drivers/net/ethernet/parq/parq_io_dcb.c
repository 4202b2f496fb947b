// SPDX-License-Identifier: GPL-2.0
/*
 * Transmission selection, pauses, receive buffers and priorities. See parq_hw.h for
 * what each register means.
 */
#include <linux/bitfield.h>

#include "parq_io.h"
#include "parq_reg.h"

/* Number of tries of a request if it is unknown whether the device refused it. */
#define PARQ_TRIES	4

/* ---- Scheduler and pause engine ----------------------------------------- */

static bool parq_io_ets_reg(u32 reg)
{
	return (reg >= PARQ_ETS_PRIO_TC && reg <= PARQ_ETS_APPLY) ||
	       (reg >= PARQ_ETS_MAXRATE(0) && reg < PARQ_ETS_MAXRATE(PARQ_NUM_TC)) ||
	       reg == PARQ_ETS_PORT_RATE;
}

static void parq_io_ets_write(struct parq_port *port, const void *what)
{
	const struct parq_ets_hw *ets = what;
	unsigned int tc;

	parq_reg_port_wr(port, PARQ_ETS_PRIO_TC, ets->prio_tc);
	parq_reg_port_wr(port, PARQ_ETS_TSA, ets->tsa);
	parq_reg_port_wr(port, PARQ_ETS_BW_LO, ets->bw_lo);
	parq_reg_port_wr(port, PARQ_ETS_BW_HI, ets->bw_hi);
	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		parq_reg_port_wr(port, PARQ_ETS_MAXRATE(tc), ets->maxrate[tc]);
	if (port->pd->caps.flags & PARQ_CAP_PORT_RATE)
		parq_reg_port_wr(port, PARQ_ETS_PORT_RATE, ets->port_rate);
	parq_reg_port_wr(port, PARQ_ETS_APPLY, 1);
}

int parq_io_ets_set(struct parq_port *port, const struct parq_ets_hw *ets)
{
	return parq_reg_request(port, parq_io_ets_write, ets, parq_io_ets_reg,
				PARQ_TRIES);
}

int parq_io_pfc_ctrl(struct parq_port *port, u8 en, bool offload)
{
	u32 ctrl = FIELD_PREP(PARQ_PFC_CTRL_EN, en);

	if (offload)
		ctrl |= PARQ_PFC_CTRL_OFFLOAD;
	parq_reg_port_wr(port, PARQ_PFC_CTRL, ctrl);
	return parq_reg_port_verify(port, PARQ_PFC_CTRL, ctrl);
}

int parq_io_park_set(struct parq_port *port, unsigned int prio,
		     dma_addr_t dma, unsigned int order)
{
	u32 base = PARQ_PFC(prio);
	u32 ctrl = 0;
	int err;

	if (order)
		ctrl = PARQ_PARK_CTRL_EN |
		       FIELD_PREP(PARQ_PARK_CTRL_SIZE, order);
	parq_reg_port_wr64(port, base + PARQ_PARK_BASE_LO, dma);
	parq_reg_port_wr(port, base + PARQ_PARK_CTRL, ctrl);
	err = parq_reg_port_verify(port, base + PARQ_PARK_CTRL, ctrl);
	if (err == -EIO &&
	    (parq_reg_port_rd(port, base + PARQ_PFC_LEVELS) & PARQ_LEVELS_HOLD))
		err = -EBUSY;
	return err;
}

void parq_io_pfc_cmd(struct parq_port *port, unsigned int prio,
		     enum parq_pfc_op op, u8 seq)
{
	parq_reg_port_wr(port, PARQ_PFC(prio) + PARQ_PFC_CMD,
			 FIELD_PREP(PARQ_PFC_CMD_OP, op) |
			 FIELD_PREP(PARQ_PFC_CMD_SEQ, seq));
}

/* @restore_ms: 0 without PARQ_CAP_RESTORE */
int parq_io_storm_set(struct parq_port *port, u16 limit_ms, u16 restore_ms, bool forward)
{
	u32 storm = FIELD_PREP(PARQ_PFC_STORM_LIMIT, limit_ms) |
		    FIELD_PREP(PARQ_PFC_STORM_RESTORE, restore_ms);

	if (forward)
		storm |= PARQ_PFC_STORM_FORWARD;
	parq_reg_port_wr(port, PARQ_PFC_STORM, storm);
	return parq_reg_port_verify(port, PARQ_PFC_STORM, storm);
}

void parq_io_storm_obey(struct parq_port *port, u8 prios)
{
	parq_reg_port_wr(port, PARQ_PFC_OBEY,
			 FIELD_PREP(PARQ_PFC_OBEY_PRIOS, prios));
	/* Flush the write; the status page then shows its effect. */
	parq_reg_port_rd(port, PARQ_PFC_OBEY);
}

/* Return: quanta left of the pause. */
u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio)
{
	return parq_reg_port_rd(port, PARQ_PFC(prio) + PARQ_PFC_TIMER);
}

u32 parq_io_park_head(struct parq_port *port, unsigned int prio)
{
	return parq_reg_port_rd(port, PARQ_PFC(prio) + PARQ_PARK_HEAD);
}

u32 parq_io_park_tail(struct parq_port *port, unsigned int prio)
{
	return parq_reg_port_rd(port, PARQ_PFC(prio) + PARQ_PARK_TAIL);
}

/* ---- Receive buffers ---------------------------------------------------- */

/* Return: bytes. Read once, when the device is probed. */
u32 parq_io_rxb_total(struct parq_port *port)
{
	return parq_reg_port_rd(port, PARQ_RXB_TOTAL);
}

static bool parq_io_rxb_reg(u32 reg)
{
	return reg == PARQ_RXB_PRIO || reg == PARQ_RXB_APPLY ||
	       (reg >= PARQ_RXB(0) && reg < PARQ_RXB(PARQ_NUM_RXB));
}

static void parq_io_rxb_write(struct parq_port *port, const void *what)
{
	const struct parq_rxb *rxb = what;
	unsigned int n;

	parq_reg_port_wr(port, PARQ_RXB_PRIO, rxb->prio);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		parq_reg_port_wr(port, PARQ_RXB(n) + PARQ_RXB_SIZE, rxb->size[n]);
		parq_reg_port_wr(port, PARQ_RXB(n) + PARQ_RXB_XOFF, rxb->xoff[n]);
		parq_reg_port_wr(port, PARQ_RXB(n) + PARQ_RXB_XON, rxb->xon[n]);
	}
	parq_reg_port_wr(port, PARQ_RXB_APPLY, 1);
}

int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb)
{
	return parq_reg_request(port, parq_io_rxb_write, rxb, parq_io_rxb_reg,
				PARQ_TRIES);
}

/* @ctrl: PARQ_FC_CTRL_* */
int parq_io_fc_ctrl(struct parq_port *port, u32 ctrl)
{
	parq_reg_port_wr(port, PARQ_FC_CTRL, ctrl);
	return parq_reg_port_verify(port, PARQ_FC_CTRL, ctrl);
}

int parq_io_fc_limit(struct parq_port *port, u16 limit_ms)
{
	parq_reg_port_wr(port, PARQ_FC_LIMIT, limit_ms);
	return parq_reg_port_verify(port, PARQ_FC_LIMIT, limit_ms);
}

/* Return: priorities for which the peer is paused, BIT(priority). */
u8 parq_io_fc_xoff(struct parq_port *port)
{
	return FIELD_GET(PARQ_FC_STATUS_XOFF,
			 parq_reg_port_rd(port, PARQ_FC_STATUS));
}

/* Return: PARQ_FC_STATUS_*. Context: any. */
u32 parq_io_fc_status(struct parq_port *port)
{
	return parq_reg_port_rd(port, PARQ_FC_STATUS);
}

int parq_io_fc_low(struct parq_port *port, u16 opcode, u8 prios)
{
	u32 low = FIELD_PREP(PARQ_FC_LOW_OPCODE, opcode) |
		  FIELD_PREP(PARQ_FC_LOW_PRIOS, prios);

	parq_reg_port_wr(port, PARQ_FC_LOW, low);
	return parq_reg_port_verify(port, PARQ_FC_LOW, low);
}

static bool parq_io_fc_send_reg(u32 reg)
{
	return reg == PARQ_FC_SEND;
}

static void parq_io_fc_send_write(struct parq_port *port, const void *what)
{
	parq_reg_port_wr(port, PARQ_FC_SEND, *(const u32 *)what);
}

/* Tries only once: a second try could send a second frame. */
int parq_io_fc_send(struct parq_port *port, u32 request)
{
	int err = parq_reg_request(port, parq_io_fc_send_write, &request,
				   parq_io_fc_send_reg, 1);

	return err == -EIO ? -EBUSY : err;
}

/* Return: bytes in a buffer. */
u32 parq_io_rxb_used(struct parq_port *port, unsigned int n)
{
	return parq_reg_port_rd(port, PARQ_RXB(n) + PARQ_RXB_USED);
}

/* Return: highest level since parq_io_rxb_max_clear(), bytes. */
u32 parq_io_rxb_high(struct parq_port *port, unsigned int n)
{
	return parq_reg_port_rd(port, PARQ_RXB(n) + PARQ_RXB_HIGH);
}

void parq_io_rxb_max_clear(struct parq_port *port, unsigned int n)
{
	parq_reg_port_wr(port, PARQ_RXB(n) + PARQ_RXB_HIGH, 0);
}

/* ---- Priority of frames -------------------------------------------------- */

static void parq_io_trust_words(struct parq_port *port, u32 reg, const u32 *was,
				const u32 *is, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		if (!was || was[i] != is[i])
			parq_reg_port_wr(port, reg + 4 * i, is[i]);
}

struct parq_trust_change {
	const struct parq_trust_hw *was;
	const struct parq_trust_hw *is;
};

static bool parq_io_trust_reg(u32 reg)
{
	return reg >= PARQ_TRUST && reg <= PARQ_REWR(PARQ_NUM_PRIO - 1);
}

/* The tables are written before the order of trust, which may enable them. */
static void parq_io_trust_write(struct parq_port *port, const void *what)
{
	const struct parq_trust_change *change = what;
	const struct parq_trust_hw *was = change->was, *hw = change->is;

	parq_io_trust_words(port, PARQ_PCP_PRIO(0), was ? was->pcp : NULL,
			    hw->pcp, ARRAY_SIZE(hw->pcp));
	parq_io_trust_words(port, PARQ_DSCP_PRIO(0), was ? was->dscp : NULL,
			    hw->dscp, ARRAY_SIZE(hw->dscp));
	parq_io_trust_words(port, PARQ_REWR(0), was ? was->rewr : NULL,
			    hw->rewr, ARRAY_SIZE(hw->rewr));
	parq_io_trust_words(port, PARQ_TRUST, was ? &was->trust : NULL,
			    &hw->trust, 1);
}

int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw)
{
	const struct parq_trust_change change = { was, hw }, back = { hw, was };
	int err;

	err = parq_reg_request(port, parq_io_trust_write, &change,
			       parq_io_trust_reg, PARQ_TRIES);
	if (err == -EIO && was)
		parq_io_trust_write(port, &back);
	return err;
}
