// SPDX-License-Identifier: GPL-2.0
/* Registers of the window at PARQ_SWITCH: when frames of a traffic class are marked or dropped. */
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
