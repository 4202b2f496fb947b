// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of the window at PARQ_SWITCH, by port and traffic class: when frames are marked or
 * dropped, and how much waits to leave.
 */
#include "reg_table.h"

static struct red_class *class_at(const struct access *a)
{
	return &a->sim->red.port[a->port].tc[a->i];
}

/* A register of the same traffic class. */
static u32 *class_val(const struct access *a, u32 off)
{
	return switch_val(a->sim, PARQ_SW_RED(a->port, a->i) + off);
}

static enum parq_err write_ctrl(const struct access *a)
{
	u32 min = *class_val(a, PARQ_SW_RED_MIN), max = *class_val(a, PARQ_SW_RED_MAX);
	struct fwd_port *p = &a->sim->fwd.port[a->port];
	bool on = a->val & PARQ_SW_RED_CTRL_EN;
	struct red_class *c = class_at(a);

	if (on && (!min || min >= max))
		return PARQ_ERR_RANGE;
	c->ctrl = a->val;
	c->min = min;
	c->max = max;
	c->prob = *class_val(a, PARQ_SW_RED_PROB);
	p->red = (p->red & ~BIT(a->i)) | on << a->i;
	return PARQ_ERR_NONE;
}

static u32 read_marked(const struct access *a)
{
	*class_val(a, PARQ_SW_RED_MARKED_HI) = class_at(a)->marked >> 32;
	return class_at(a)->marked;
}

static u32 read_dropped(const struct access *a)
{
	*class_val(a, PARQ_SW_RED_DROPPED_HI) = class_at(a)->dropped >> 32;
	return class_at(a)->dropped;
}

static struct egress *egress_at(const struct access *a)
{
	return &a->sim->fwd.port[a->port].egress;
}

static enum parq_err write_limit(const struct access *a)
{
	egress_limit(egress_at(a), a->i, a->val);
	return PARQ_ERR_NONE;
}

static u32 read_limit(const struct access *a)
{
	return egress_at(a)->limit[a->i];
}

static u32 read_used(const struct access *a)
{
	return egress_waiting(egress_at(a), &a->sim->qman, a->port, a->i);
}

static enum parq_err write_high(const struct access *a)
{
	egress_at(a)->high[a->i] = read_used(a);
	return PARQ_ERR_NONE;
}

static u32 read_high(const struct access *a)
{
	return egress_high(egress_at(a), &a->sim->qman, a->port, a->i);
}

#define STRIDE	(PARQ_SW_RED(0, 1) - PARQ_SW_RED(0, 0))

const struct reg red_regs[] = {
	{ PARQ_SW_RED_CTRL, PARQ_NUM_TC, STRIDE, PARQ_SW_RED_CTRL_EN | PARQ_SW_RED_CTRL_ECN |
	  PARQ_SW_RED_CTRL_NODROP, write_ctrl, NULL },
	{ PARQ_SW_RED_MIN, PARQ_NUM_TC, STRIDE, REG_ALL, NULL, NULL },
	{ PARQ_SW_RED_MAX, PARQ_NUM_TC, STRIDE, REG_ALL, NULL, NULL },
	{ PARQ_SW_RED_PROB, PARQ_NUM_TC, STRIDE, REG_ALL, NULL, NULL },
	{ PARQ_SW_RED_MARKED_LO, PARQ_NUM_TC, STRIDE, 0, NULL, read_marked },
	{ PARQ_SW_RED_MARKED_HI, PARQ_NUM_TC, STRIDE, 0, NULL, NULL },
	{ PARQ_SW_RED_DROPPED_LO, PARQ_NUM_TC, STRIDE, 0, NULL, read_dropped },
	{ PARQ_SW_RED_DROPPED_HI, PARQ_NUM_TC, STRIDE, 0, NULL, NULL },
	{ .count = 0 },
};

static_assert(PARQ_SW_EGR(0, 1) - PARQ_SW_EGR(0, 0) == STRIDE);

const struct reg egress_regs[] = {
	{ PARQ_SW_EGR_LIMIT, PARQ_NUM_TC, STRIDE, REG_ALL, write_limit, read_limit },
	{ .count = 0 },
};

const struct reg egress_levels[] = {
	{ PARQ_SW_EGR_USED, PARQ_NUM_TC, STRIDE, 0, NULL, read_used },
	{ PARQ_SW_EGR_HIGH, PARQ_NUM_TC, STRIDE, REG_ALL, write_high, read_high },
	{ .count = 0 },
};
