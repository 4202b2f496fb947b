// SPDX-License-Identifier: GPL-2.0
/* Registers of the pause engine, one set per (port, priority). */
#include "reg_table.h"

static enum parq_err write_park_ctrl(const struct access *a)
{
	struct qmi_class *c = &a->sim->qmi.port[a->port].cls[a->i];
	u32 log2 = FIELD_GET(PARQ_PARK_CTRL_SIZE, a->val);
	bool en = a->val & PARQ_PARK_CTRL_EN;

	if (c->gate->hold)
		return PARQ_ERR_STATE;
	if (!en && (a->sim->mac.port[a->port].pfc_en & BIT(a->i)))
		return PARQ_ERR_STATE;
	if (en && (!log2_is_sane(log2, SIM_LOG2_PARK) ||
		   BIT(log2) < a->sim->cfg.depth))
		return PARQ_ERR_RANGE;
	qmi_park_set(&a->sim->qmi, a->port, a->i,
		     port_addr(a->sim, a->port,
			       PARQ_PFC(a->i) + PARQ_PARK_BASE_LO),
		     log2, en);
	qman_limit(&a->sim->qman, a->port, a->i, en ? BIT(log2) : ~0U);
	return PARQ_ERR_NONE;
}

static enum parq_err write_pfc_cmd(const struct access *a)
{
	u32 op = FIELD_GET(PARQ_PFC_CMD_OP, a->val);

	if (op > PARQ_PFC_RELEASE)
		return PARQ_ERR_RANGE;
	if (a->sim->qmi.port[a->port].offload)
		return PARQ_ERR_STATE;
	qmi_command(&a->sim->qmi, a->port, a->i, op,
		    FIELD_GET(PARQ_PFC_CMD_SEQ, a->val));
	return PARQ_ERR_NONE;
}

static u32 read_levels(const struct access *a)
{
	return qmi_levels(&a->sim->qmi, a->port, a->i);
}

static u32 read_pfc_timer(const struct access *a)
{
	return mac_pause_quanta(&a->sim->mac, a->port, a->i);
}

static u32 read_park_head(const struct access *a)
{
	return a->sim->qmi.port[a->port].cls[a->i].head;
}

static u32 read_park_tail(const struct access *a)
{
	return a->sim->qmi.port[a->port].cls[a->i].tail;
}

#define PFC_REG(off, mask, write, read) \
	{ PARQ_PFC(0) + (off), PARQ_NUM_PRIO, 0x40, mask, write, read }

const struct reg pause_regs[] = {
	PFC_REG(PARQ_PARK_BASE_LO, ~63U, NULL, NULL),
	PFC_REG(PARQ_PARK_BASE_HI, REG_ALL, NULL, NULL),
	PFC_REG(PARQ_PARK_CTRL, PARQ_PARK_CTRL_EN | PARQ_PARK_CTRL_SIZE,
		write_park_ctrl, NULL),
	PFC_REG(PARQ_PFC_CMD, PARQ_PFC_CMD_OP | PARQ_PFC_CMD_SEQ,
		write_pfc_cmd, reg_read_zero),
	PFC_REG(PARQ_PFC_LEVELS, 0, NULL, read_levels),
	PFC_REG(PARQ_PFC_TIMER, 0, NULL, read_pfc_timer),
	PFC_REG(PARQ_PARK_HEAD, 0, NULL, read_park_head),
	PFC_REG(PARQ_PARK_TAIL, 0, NULL, read_park_tail),
	{ .count = 0 },
};
