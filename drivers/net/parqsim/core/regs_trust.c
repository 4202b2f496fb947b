// SPDX-License-Identifier: GPL-2.0
/* Registers that map headers of received frames to priorities, and back on transmit. */
#include "reg_table.h"

static struct steer_port *steer_port(const struct access *a)
{
	return &a->sim->steer.port[a->port];
}

static enum parq_err write_trust(const struct access *a)
{
	u32 second = FIELD_GET(PARQ_TRUST_SECOND, a->val);
	u32 first = FIELD_GET(PARQ_TRUST_FIRST, a->val);

	if (first > PARQ_TRUST_DSCP || second > PARQ_TRUST_DSCP)
		return PARQ_ERR_RANGE;
	if (second != PARQ_TRUST_NONE &&
	    (first == PARQ_TRUST_NONE || first == second))
		return PARQ_ERR_RANGE;
	steer_port(a)->trust = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_trust(const struct access *a)
{
	return steer_port(a)->trust;
}

/* Whether none of the eight 4-bit entries is above @max. */
static bool map_is_sane(u32 map, u32 max)
{
	for (; map; map >>= 4)
		if ((map & 0xf) > max)
			return false;
	return true;
}

static enum parq_err write_pcp(const struct access *a)
{
	if (!map_is_sane(a->val, PARQ_NUM_PRIO - 1))
		return PARQ_ERR_RANGE;
	steer_port(a)->pcp[a->i] = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_pcp(const struct access *a)
{
	return steer_port(a)->pcp[a->i];
}

static enum parq_err write_dscp(const struct access *a)
{
	if (!map_is_sane(a->val, PARQ_DSCP_PRIO_NONE))
		return PARQ_ERR_RANGE;
	steer_port(a)->dscp[a->i] = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_dscp(const struct access *a)
{
	return steer_port(a)->dscp[a->i];
}

static enum parq_err write_rewr(const struct access *a)
{
	a->sim->nti.port[a->port].rewr[a->i] = a->val;
	return PARQ_ERR_NONE;
}

const struct reg trust_regs[] = {
	{ PARQ_TRUST, 1, 4, PARQ_TRUST_FIRST | PARQ_TRUST_SECOND |
	  PARQ_TRUST_DEFAULT, write_trust, read_trust },
	{ PARQ_PCP_PRIO(0), 2, 4, REG_ALL, write_pcp, read_pcp },
	{ PARQ_DSCP_PRIO(0), PARQ_NUM_DSCP / 8, 4, REG_ALL, write_dscp, read_dscp },
	{ PARQ_REWR(0), PARQ_NUM_PRIO, 4, PARQ_REWR_DSCP | PARQ_REWR_DSCP_EN |
	  PARQ_REWR_PCP | PARQ_REWR_DEI | PARQ_REWR_PCP_EN, write_rewr, NULL },
	{ .count = 0 },
};
