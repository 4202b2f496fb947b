// SPDX-License-Identifier: GPL-2.0
/* Registers of flow control and of receive buffers. */
#include "frame.h"
#include "reg_table.h"

#define MAX_QUANTA	65535	/* largest time in a pause frame */

static struct fc_port *fc_port(const struct access *a)
{
	return &a->sim->fc.port[a->port];
}

static struct rxbuf_port *rxbuf_port(const struct access *a)
{
	return &a->sim->rxbuf.port[a->port];
}

static enum parq_err write_fc_ctrl(const struct access *a)
{
	u32 link = PARQ_FC_CTRL_PAUSE_TX | PARQ_FC_CTRL_PAUSE_RX;

	if ((a->val & link) && ((a->val & PARQ_FC_CTRL_PFC_TX) ||
				a->sim->mac.port[a->port].pfc_en))
		return PARQ_ERR_STATE;
	mac_pause_rx(&a->sim->mac, a->port, a->val & PARQ_FC_CTRL_PAUSE_RX);
	fc_set(&a->sim->fc, a->port, a->val & (FC_PRIOS | FC_LINK));
	return PARQ_ERR_NONE;
}

static enum parq_err write_fc_time(const struct access *a)
{
	if (!a->val || a->val > MAX_QUANTA)
		return PARQ_ERR_RANGE;
	fc_port(a)->time = a->val;
	return PARQ_ERR_NONE;
}

static enum parq_err write_fc_refresh(const struct access *a)
{
	if (!a->val || a->val > MAX_QUANTA)
		return PARQ_ERR_RANGE;
	fc_port(a)->refresh = a->val;
	return PARQ_ERR_NONE;
}

static enum parq_err write_fc_limit(const struct access *a)
{
	if (a->val > PARQ_FC_LIMIT_MAX_MS)
		return PARQ_ERR_RANGE;
	fc_set_limit(&a->sim->fc, a->port, a->val);
	return PARQ_ERR_NONE;
}

/* Refuses the opcodes of 802.3x and PFC: Pause Low must not replace them. */
static enum parq_err write_fc_low(const struct access *a)
{
	u32 opcode = FIELD_GET(PARQ_FC_LOW_OPCODE, a->val);

	if (opcode == OPCODE_PAUSE || opcode == OPCODE_PFC)
		return PARQ_ERR_RANGE;
	mac_pause_low(&a->sim->mac, a->port, opcode,
		      FIELD_GET(PARQ_FC_LOW_PRIOS, a->val));
	return PARQ_ERR_NONE;
}

static enum parq_err write_fc_send(const struct access *a)
{
	bool link = a->val & PARQ_FC_SEND_LINK;

	if (link == !!(a->val & PARQ_FC_SEND_VECTOR))
		return PARQ_ERR_RANGE;
	if (a->val & (FC_PRIOS | FC_LINK) & ~fc_port(a)->en)
		return PARQ_ERR_STATE;
	if (!mac_may_control(&a->sim->mac, a->port) ||
	    !fc_send(&a->sim->fc, a->port, a->val))
		return PARQ_ERR_STATE;
	return PARQ_ERR_NONE;
}

static u32 read_fc_status(const struct access *a)
{
	const struct mac_port *p = &a->sim->mac.port[a->port];
	u16 bounded = fc_port(a)->bounded;

	return fc_port(a)->xoff |
	       FIELD_PREP(PARQ_FC_STATUS_BOUNDED,
			  bounded & FC_LINK ? FC_PRIOS : bounded) |
	       (p->pfc_seen ? PARQ_FC_STATUS_PFC_SEEN : 0) |
	       (p->stop == MAC_STOP_ALL ? PARQ_FC_STATUS_PAUSED : 0) |
	       (p->stop == MAC_STOP_LOW ? PARQ_FC_STATUS_PAUSED_LOW : 0);
}

static u32 read_rxb_total(const struct access *a)
{
	return a->sim->rxbuf.total;
}

static enum parq_err write_rxb_apply(const struct access *a)
{
	u32 prio = port_reg(a->sim, a->port, PARQ_RXB_PRIO), i;
	struct rxb_config cfg;

	for (i = 0; i < PARQ_NUM_RXB; i++) {
		cfg.size[i] = port_reg(a->sim, a->port, PARQ_RXB(i) + PARQ_RXB_SIZE);
		cfg.xoff[i] = port_reg(a->sim, a->port, PARQ_RXB(i) + PARQ_RXB_XOFF);
		cfg.xon[i] = port_reg(a->sim, a->port, PARQ_RXB(i) + PARQ_RXB_XON);
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		cfg.prio[i] = prio >> (4 * i) & 0xf;
	if (!rxbuf_valid(&a->sim->rxbuf, &cfg))
		return PARQ_ERR_RANGE;
	if (!rxbuf_leaves(&a->sim->rxbuf, a->port, &cfg))
		return PARQ_ERR_STATE;
	rxbuf_set(&a->sim->rxbuf, a->port, &cfg);
	return PARQ_ERR_NONE;
}

static u32 read_rxb_used(const struct access *a)
{
	return rxbuf_port(a)->buf[a->i].used;
}

static u32 read_rxb_high(const struct access *a)
{
	return rxbuf_port(a)->buf[a->i].high;
}

/* The peak starts again at the present level. */
static enum parq_err write_rxb_high(const struct access *a)
{
	rxbuf_port(a)->buf[a->i].high = rxbuf_port(a)->buf[a->i].used;
	return PARQ_ERR_NONE;
}

#define RXB_REG(off, mask, write, read) \
	{ PARQ_RXB(0) + (off), PARQ_NUM_RXB, 0x20, mask, write, read }

const struct reg flow_regs[] = {
	{ PARQ_FC_CTRL, 1, 4, PARQ_FC_CTRL_PFC_TX | PARQ_FC_CTRL_PAUSE_TX |
	  PARQ_FC_CTRL_PAUSE_RX, write_fc_ctrl, NULL },
	{ PARQ_FC_TIME, 1, 4, REG_ALL, write_fc_time, NULL },
	{ PARQ_FC_REFRESH, 1, 4, REG_ALL, write_fc_refresh, NULL },
	{ PARQ_FC_LIMIT, 1, 4, REG_ALL, write_fc_limit, NULL },
	{ PARQ_FC_LOW, 1, 4, PARQ_FC_LOW_OPCODE | PARQ_FC_LOW_PRIOS,
	  write_fc_low, NULL },
	{ PARQ_FC_SEND, 1, 4, PARQ_FC_SEND_VECTOR | PARQ_FC_SEND_LINK |
	  PARQ_FC_SEND_XOFF, write_fc_send, reg_read_zero },
	{ PARQ_FC_STATUS, 1, 4, 0, NULL, read_fc_status },
	{ PARQ_RXB_TOTAL, 1, 4, 0, NULL, read_rxb_total },
	{ PARQ_RXB_PRIO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_RXB_APPLY, 1, 4, REG_ALL, write_rxb_apply, reg_read_zero },
	RXB_REG(PARQ_RXB_SIZE, REG_ALL, NULL, NULL),
	RXB_REG(PARQ_RXB_XOFF, REG_ALL, NULL, NULL),
	RXB_REG(PARQ_RXB_XON, REG_ALL, NULL, NULL),
	RXB_REG(PARQ_RXB_USED, 0, NULL, read_rxb_used),
	RXB_REG(PARQ_RXB_HIGH, REG_ALL, write_rxb_high, read_rxb_high),
	{ .count = 0 },
};
