// SPDX-License-Identifier: GPL-2.0
/* Registers of the device. */
#include "reg_table.h"

static u32 read_magic(const struct access *a)
{
	(void)a;
	return PARQ_MAGIC_VALUE;
}

static u32 read_version(const struct access *a)
{
	(void)a;
	return FIELD_PREP(PARQ_VERSION_MAJOR, PARQ_VERSION_MAJOR_VALUE);
}

static u32 read_cap(const struct access *a)
{
	const struct parqsim_config *cfg = &a->sim->cfg;

	u32 ports = cfg->ports < PARQ_NIC_PORTS ? cfg->ports : PARQ_NIC_PORTS;

	return FIELD_PREP(PARQ_CAP_PORTS, ports - 1) |
	       FIELD_PREP(PARQ_CAP_TXQ, cfg->txq - 1) |
	       FIELD_PREP(PARQ_CAP_RXQ, cfg->rxq - 1) |
	       (cfg->no_offload ? 0 : PARQ_CAP_OFFLOAD) |
	       (((sim_has_trains(a->sim) ? PARQ_CAP_GRO : 0) |
		 PARQ_CAP_CSUM | PARQ_CAP_TSO | PARQ_CAP_VLAN | PARQ_CAP_RSS |
		 PARQ_CAP_TRACE | PARQ_CAP_PTP | PARQ_CAP_RSS_FIELDS | PARQ_CAP_RULES |
		 PARQ_CAP_UNPAD | PARQ_CAP_RULE_COUNT | PARQ_CAP_LAUNCH |
		 PARQ_CAP_PORT_RATE | PARQ_CAP_RESTORE) &
		~FIELD_PREP(PARQSIM_LACKS, cfg->lacks));
}

static u32 read_limits(const struct access *a)
{
	return FIELD_PREP(PARQ_LIMITS_RING, SIM_LOG2_RING) |
	       FIELD_PREP(PARQ_LIMITS_PARK, SIM_LOG2_PARK) |
	       FIELD_PREP(PARQ_LIMITS_VECTORS, sim_vectors(a->sim));
}

static u32 read_depth(const struct access *a)
{
	return a->sim->cfg.depth;
}

static u32 read_status(const struct access *a)
{
	return PARQ_STATUS_READY | (a->sim->fatal ? PARQ_STATUS_FATAL : 0);
}

static enum parq_err write_ctrl(const struct access *a)
{
	if (a->val & PARQ_CTRL_RESET)
		parqsim_reset(a->sim);
	return PARQ_ERR_NONE;
}

static u32 read_err(const struct access *a)
{
	return a->sim->regs.err;
}

static enum parq_err write_err(const struct access *a)
{
	if (a->val)
		return PARQ_ERR_RANGE;
	a->sim->regs.err = 0;
	a->sim->regs.err_addr = 0;
	return PARQ_ERR_NONE;
}

static u32 read_err_addr(const struct access *a)
{
	return a->sim->regs.err_addr;
}

static u32 read_time_lo(const struct access *a)
{
	u64 ns = a->sim->clock.now / PARQSIM_PS_PER_NS;

	a->sim->regs.time_hi = ns >> 32;
	return ns;
}

static u32 read_time_hi(const struct access *a)
{
	return a->sim->regs.time_hi;
}

static enum parq_err write_wake(const struct access *a)
{
	sim_wake(a->sim);
	return PARQ_ERR_NONE;
}

static enum parq_err write_event_ctrl(const struct access *a)
{
	u32 log2 = FIELD_GET(PARQ_EVENT_CTRL_SIZE, a->val);
	u32 vec = FIELD_GET(PARQ_EVENT_CTRL_VEC, a->val);

	if (!(a->val & PARQ_EVENT_CTRL_EN)) {
		event_stop(&a->sim->events);
		return PARQ_ERR_NONE;
	}
	if (a->sim->events.en)
		return a->val == *reg_val(a->sim, PARQ_EVENT_CTRL) ?
		       PARQ_ERR_NONE : PARQ_ERR_STATE;
	if (!log2_is_sane(log2, SIM_LOG2_RING) || vec >= sim_vectors(a->sim))
		return PARQ_ERR_RANGE;
	*reg_val(a->sim, PARQ_EVENT_HEAD) = 0;
	event_start(&a->sim->events, *reg_val(a->sim, PARQ_EVENT_BASE_LO) |
		    (u64)*reg_val(a->sim, PARQ_EVENT_BASE_HI) << 32, log2, vec);
	return PARQ_ERR_NONE;
}

static enum parq_err write_event_mask(const struct access *a)
{
	a->sim->events.mask = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_event_lost(const struct access *a)
{
	return a->sim->events.lost;
}

static enum parq_err write_event_head(const struct access *a)
{
	struct events *ev = &a->sim->events;

	if (a->val - ev->head > ev->tail - ev->head)
		return PARQ_ERR_RANGE;
	ev->head = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_switch(const struct access *a)
{
	return a->sim->cfg.forward ? sim_window(&a->sim->cfg) : 0;
}

static u32 read_ptp_lo(const struct access *a)
{
	u64 ns = ptp_time(&a->sim->ptp, a->sim->clock.now);

	a->sim->ptp.latched = ns >> 32;
	return ns;
}

static u32 read_ptp_hi(const struct access *a)
{
	return a->sim->ptp.latched;
}

static enum parq_err write_ptp_cmd(const struct access *a)
{
	if (a->val >= PARQ_NUM_PTP_OP)
		return PARQ_ERR_RANGE;
	ptp_command(&a->sim->ptp, a->sim->clock.now, a->val,
		    *reg_val(a->sim, PARQ_PTP_VAL_LO) |
		    (u64)*reg_val(a->sim, PARQ_PTP_VAL_HI) << 32);
	qman_ptp_changed(&a->sim->qman);
	return PARQ_ERR_NONE;
}

static enum parq_err write_ptp_rate(const struct access *a)
{
	ptp_rate(&a->sim->ptp, a->sim->clock.now, a->val);
	qman_ptp_changed(&a->sim->qman);
	return PARQ_ERR_NONE;
}

static enum parq_err write_itr(const struct access *a)
{
	if (a->val > PARQ_VEC_ITR_MAX_NS)
		return PARQ_ERR_RANGE;
	a->sim->irq.vec[a->i].itr_ns = a->val;
	return PARQ_ERR_NONE;
}

const struct reg device_regs[] = {
	{ PARQ_MAGIC, 1, 4, 0, NULL, read_magic },
	{ PARQ_VERSION, 1, 4, 0, NULL, read_version },
	{ PARQ_CAP, 1, 4, 0, NULL, read_cap },
	{ PARQ_LIMITS, 1, 4, 0, NULL, read_limits },
	{ PARQ_PIPE_DEPTH, 1, 4, 0, NULL, read_depth },
	{ PARQ_CTRL, 1, 4, PARQ_CTRL_RESET, write_ctrl, reg_read_zero },
	{ PARQ_STATUS, 1, 4, 0, NULL, read_status },
	{ PARQ_ERR, 1, 4, REG_ALL, write_err, read_err },
	{ PARQ_ERR_ADDR, 1, 4, 0, NULL, read_err_addr },
	{ PARQ_TIME_LO, 1, 4, 0, NULL, read_time_lo },
	{ PARQ_TIME_HI, 1, 4, 0, NULL, read_time_hi },
	{ PARQ_WAKE, 1, 4, REG_ALL, write_wake, reg_read_zero },
	{ PARQ_EVENT_BASE_LO, 1, 4, ~63U, NULL, NULL },
	{ PARQ_EVENT_BASE_HI, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_EVENT_CTRL, 1, 4, PARQ_EVENT_CTRL_EN | PARQ_EVENT_CTRL_SIZE |
	  PARQ_EVENT_CTRL_VEC, write_event_ctrl, NULL },
	{ PARQ_EVENT_MASK, 1, 4, BIT(PARQ_NUM_EV) - 1, write_event_mask, NULL },
	{ PARQ_EVENT_LOST, 1, 4, 0, NULL, read_event_lost },
	{ PARQ_EVENT_HEAD, 1, 4, REG_ALL, write_event_head, NULL },
	{ PARQ_SWITCH, 1, 4, 0, NULL, read_switch },
	{ PARQ_PTP_TIME_LO, 1, 4, 0, NULL, read_ptp_lo },
	{ PARQ_PTP_TIME_HI, 1, 4, 0, NULL, read_ptp_hi },
	{ PARQ_PTP_VAL_LO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_PTP_VAL_HI, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_PTP_CMD, 1, 4, REG_ALL, write_ptp_cmd, reg_read_zero },
	{ PARQ_PTP_RATE, 1, 4, REG_ALL, write_ptp_rate, NULL },
	{ PARQ_VEC_ITR(0), PARQ_MAX_VECTORS, 4, REG_ALL, write_itr, NULL },
	{ .count = 0 },
};
