// SPDX-License-Identifier: GPL-2.0
/* Registers of TX and RX queues. */
#include "reg_table.h"

static enum parq_err txq_start(const struct access *a)
{
	struct txq *q = &a->sim->qman.port[a->port].txq[a->i];
	u32 log2 = FIELD_GET(PARQ_TXQ_CTRL_SIZE, a->val);
	u32 vec = FIELD_GET(PARQ_TXQ_CTRL_VEC, a->val);

	if (!log2_is_sane(log2, SIM_LOG2_RING) || vec >= sim_vectors(a->sim))
		return PARQ_ERR_RANGE;
	q->base = port_addr(a->sim, a->port, PARQ_TXQ(a->i) + PARQ_TXQ_BASE_LO);
	q->wb = port_addr(a->sim, a->port, PARQ_TXQ(a->i) + PARQ_TXQ_WB_LO);
	q->log2 = log2;
	q->vec = vec;
	q->prio = FIELD_GET(PARQ_TXQ_CTRL_PRIO, a->val);
	qman_txq_enable(&a->sim->qman, a->port, a->i);
	return PARQ_ERR_NONE;
}

static enum parq_err write_txq_ctrl(const struct access *a)
{
	u32 old = port_reg(a->sim, a->port, PARQ_TXQ(a->i) + PARQ_TXQ_CTRL);

	if (!(a->val & PARQ_TXQ_CTRL_EN)) {
		if (old & PARQ_TXQ_CTRL_EN)
			sim_txq_stop(a->sim, a->port, a->i);
		return PARQ_ERR_NONE;
	}
	if (old & PARQ_TXQ_CTRL_EN)
		return a->val == old ? PARQ_ERR_NONE : PARQ_ERR_STATE;
	return txq_start(a);
}

static enum parq_err write_txq_next(const struct access *a)
{
	struct txq *q = &a->sim->qman.port[a->port].txq[a->i];
	u32 log2 = FIELD_GET(PARQ_TXQ_NEXT_CTRL_SIZE, a->val);

	if (!(a->val & PARQ_TXQ_NEXT_CTRL_VALID))
		return q->next_valid ? PARQ_ERR_STATE : PARQ_ERR_NONE;
	if (!log2_is_sane(log2, SIM_LOG2_RING))
		return PARQ_ERR_RANGE;
	if (!q->en || q->next_valid)
		return PARQ_ERR_STATE;
	q->next_base = port_addr(a->sim, a->port,
				 PARQ_TXQ(a->i) + PARQ_TXQ_NEXT_LO);
	q->next_log2 = log2;
	qman_txq_next(&a->sim->qman, a->port, a->i);
	return PARQ_ERR_NONE;
}

static u32 read_txq_next(const struct access *a)
{
	u32 val = port_reg(a->sim, a->port,
			   PARQ_TXQ(a->i) + PARQ_TXQ_NEXT_CTRL);

	if (!a->sim->qman.port[a->port].txq[a->i].next_valid)
		val &= ~PARQ_TXQ_NEXT_CTRL_VALID;
	return val;
}

static u32 read_txq_head(const struct access *a)
{
	return a->sim->qman.port[a->port].txq[a->i].head;
}

static u32 read_txq_fetch(const struct access *a)
{
	return a->sim->qman.port[a->port].txq[a->i].fetch;
}

static u32 read_txq_err(const struct access *a)
{
	return a->sim->qman.port[a->port].txq[a->i].err;
}

static u32 read_launch_missed(const struct access *a)
{
	return a->sim->qman.port[a->port].launch.missed;
}

static enum parq_err rxq_start(const struct access *a)
{
	struct rxq *q = &a->sim->rxqs.port[a->port].q[a->i];
	u32 log2 = FIELD_GET(PARQ_RXQ_CTRL_SIZE, a->val);
	u32 vec = FIELD_GET(PARQ_RXQ_CTRL_VEC, a->val);

	if (!log2_is_sane(log2, SIM_LOG2_RING) || vec >= sim_vectors(a->sim))
		return PARQ_ERR_RANGE;
	q->fill = port_addr(a->sim, a->port, PARQ_RXQ(a->i) + PARQ_RXQ_FILL_LO);
	q->comp = port_addr(a->sim, a->port, PARQ_RXQ(a->i) + PARQ_RXQ_COMP_LO);
	q->buf = port_reg(a->sim, a->port, PARQ_RXQ(a->i) + PARQ_RXQ_BUF);
	q->log2 = log2;
	q->vec = vec;
	rxq_enable(&a->sim->rxqs, a->port, a->i);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rxq_ctrl(const struct access *a)
{
	u32 old = port_reg(a->sim, a->port, PARQ_RXQ(a->i) + PARQ_RXQ_CTRL);
	enum parq_err err = PARQ_ERR_NONE;

	if (!(a->val & PARQ_RXQ_CTRL_EN))
		rxq_disable(&a->sim->rxqs, a->port, a->i);
	else if (!(old & PARQ_RXQ_CTRL_EN))
		err = rxq_start(a);
	else if ((a->val ^ old) & ~PARQ_RXQ_CTRL_HOLD)
		err = PARQ_ERR_STATE;
	if (err)
		return err;
	a->sim->rxqs.port[a->port].q[a->i].hold = a->val & PARQ_RXQ_CTRL_HOLD;
	rxbuf_retry(&a->sim->rxbuf, a->port);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rxq_buf(const struct access *a)
{
	if (a->sim->rxqs.port[a->port].q[a->i].en)
		return PARQ_ERR_STATE;
	if (a->val < PARQ_RXQ_BUF_MIN || a->val > PARQ_RXQ_BUF_MAX ||
	    a->val % 64)
		return PARQ_ERR_RANGE;
	return PARQ_ERR_NONE;
}

static u32 read_rxq_head(const struct access *a)
{
	return a->sim->rxqs.port[a->port].q[a->i].head;
}

static u32 read_rxq_err(const struct access *a)
{
	return a->sim->rxqs.port[a->port].q[a->i].err;
}

#define TXQ_REG(off, mask, write, read) \
	{ PARQ_TXQ(0) + (off), PARQ_MAX_TXQ, 0x40, mask, write, read }
#define RXQ_REG(off, mask, write, read) \
	{ PARQ_RXQ(0) + (off), PARQ_MAX_RXQ, 0x40, mask, write, read }

const struct reg queue_regs[] = {
	TXQ_REG(PARQ_TXQ_BASE_LO, ~63U, NULL, NULL),
	TXQ_REG(PARQ_TXQ_BASE_HI, REG_ALL, NULL, NULL),
	TXQ_REG(PARQ_TXQ_WB_LO, ~7U, NULL, NULL),
	TXQ_REG(PARQ_TXQ_WB_HI, REG_ALL, NULL, NULL),
	TXQ_REG(PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN | PARQ_TXQ_CTRL_PRIO |
		PARQ_TXQ_CTRL_SIZE | PARQ_TXQ_CTRL_VEC, write_txq_ctrl, NULL),
	TXQ_REG(PARQ_TXQ_NEXT_LO, ~63U, NULL, NULL),
	TXQ_REG(PARQ_TXQ_NEXT_HI, REG_ALL, NULL, NULL),
	TXQ_REG(PARQ_TXQ_NEXT_CTRL, PARQ_TXQ_NEXT_CTRL_VALID |
		PARQ_TXQ_NEXT_CTRL_SIZE, write_txq_next, read_txq_next),
	TXQ_REG(PARQ_TXQ_HEAD, 0, NULL, read_txq_head),
	TXQ_REG(PARQ_TXQ_FETCH, 0, NULL, read_txq_fetch),
	TXQ_REG(PARQ_TXQ_ERR, 0, NULL, read_txq_err),
	{ PARQ_LAUNCH_MISSED, 1, 4, 0, NULL, read_launch_missed },
	RXQ_REG(PARQ_RXQ_FILL_LO, ~63U, NULL, NULL),
	RXQ_REG(PARQ_RXQ_FILL_HI, REG_ALL, NULL, NULL),
	RXQ_REG(PARQ_RXQ_COMP_LO, ~63U, NULL, NULL),
	RXQ_REG(PARQ_RXQ_COMP_HI, REG_ALL, NULL, NULL),
	RXQ_REG(PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN | PARQ_RXQ_CTRL_HOLD |
		PARQ_RXQ_CTRL_SIZE | PARQ_RXQ_CTRL_VEC, write_rxq_ctrl, NULL),
	RXQ_REG(PARQ_RXQ_BUF, REG_ALL, write_rxq_buf, NULL),
	RXQ_REG(PARQ_RXQ_HEAD, 0, NULL, read_rxq_head),
	RXQ_REG(PARQ_RXQ_ERR, 0, NULL, read_rxq_err),
	{ .count = 0 },
};
