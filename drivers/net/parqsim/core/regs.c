// SPDX-License-Identifier: GPL-2.0
/* BAR0: finds the register at an offset and checks the access. */
#include <linux/string.h>

#include "reg_table.h"

static void record_error(struct parqsim *sim, u32 off, enum parq_err cause)
{
	struct regs *r = &sim->regs;
	struct parq_event e = { .type = PARQ_EV_ERROR };
	u32 n = FIELD_GET(PARQ_ERR_COUNT, r->err);

	if (n) {
		if (n < FIELD_MAX(PARQ_ERR_COUNT))
			r->err += FIELD_PREP(PARQ_ERR_COUNT, 1);
		return;
	}
	r->err = FIELD_PREP(PARQ_ERR_CAUSE, cause) |
		 FIELD_PREP(PARQ_ERR_COUNT, 1);
	r->err_addr = off;
	e.a = cpu_to_le32(r->err);
	e.b = cpu_to_le32(off);
	event_log(&sim->events, &e);
}

/**
 * struct place - the register at an offset
 * @reg: its table entry, NULL for none
 * @port: its port, 0 for device registers
 * @i: index in the entry's array
 * @level: it is one of those that PARQ_SW_SNAPSHOT holds
 */
struct place {
	const struct reg *reg;
	u32 port;
	u32 i;
	bool level;
};

static bool find(struct place *p, const struct reg *r, u32 off)
{
	for (; r->count; r++) {
		u32 rel = off - r->off;

		if (off >= r->off && !(rel % r->stride) &&
		    rel / r->stride < r->count) {
			p->reg = r;
			p->i = rel / r->stride;
			return true;
		}
	}
	return false;
}

static bool find_level(struct place *p, const struct reg *r, u32 off)
{
	p->level = find(p, r, off);
	return p->level;
}

/* Only queues and vectors that this NIC has have registers. */
static void check_index(struct place *p, u32 count)
{
	if (p->i >= count)
		p->reg = NULL;
}

/*
 * @off: in the window of the switch, from @base on, where each port has a part of @regs, and of
 * @levels, if there are any
 */
static struct place locate_class(const struct parqsim *sim, const struct reg *regs,
				 const struct reg *levels, u32 base, u32 off)
{
	const u32 size = PARQ_SW_RED(1, 0) - PARQ_SW_RED(0, 0);
	struct place p = { .port = (off - base) / size };

	off = (off - base) % size;
	if (p.port < sim->cfg.ports && !find(&p, regs, off) && levels)
		find_level(&p, levels, off);
	return p;
}

/* @off: in the window of the switch */
static struct place locate_switch(const struct parqsim *sim, u32 off)
{
	struct place p = { .reg = NULL };

	if (off < PARQ_SW_PORT(0)) {
		find(&p, switch_regs, off);
		return p;
	}
	if (off >= PARQ_SW_EGR(0, 0))
		return locate_class(sim, egress_regs, egress_levels, PARQ_SW_EGR(0, 0), off);
	if (off >= PARQ_SW_RED(0, 0))
		return locate_class(sim, red_regs, NULL, PARQ_SW_RED(0, 0), off);
	p.port = (off - PARQ_SW_PORT(0)) / PARQ_SW_PORT_SIZE;
	off = (off - PARQ_SW_PORT(0)) % PARQ_SW_PORT_SIZE;
	if (p.port < sim->cfg.ports && !find(&p, switch_port_regs, off))
		find_level(&p, switch_port_levels, off);
	return p;
}

static struct place locate(const struct parqsim *sim, u32 off)
{
	struct place p = { .reg = NULL };

	if (off < PARQ_PORT(0)) {
		if (find(&p, device_regs, off) && off >= PARQ_VEC_ITR(0))
			check_index(&p, sim_vectors(sim));
		return p;
	}
	if (sim->cfg.forward && off >= sim_window(&sim->cfg))
		return locate_switch(sim, off - sim_window(&sim->cfg));
	p.port = (off - PARQ_PORT(0)) / PARQ_PORT_SIZE;
	off = (off - PARQ_PORT(0)) % PARQ_PORT_SIZE;
	if (p.port < sim->cfg.ports && !find(&p, port_regs, off) &&
	    !find(&p, flow_regs, off) && !find(&p, trust_regs, off) &&
	    !find(&p, steer_regs, off) && !find(&p, pause_regs, off) &&
	    find(&p, queue_regs, off))
		check_index(&p, off >= PARQ_RXQ(0) ? sim->cfg.rxq : sim->cfg.txq);
	return p;
}

/* ---- memory of receive buffers ------------------------------------------ */

/* Whether frames may wait in receive buffers after a write of @val to the register at @off. */
static bool makes_wait(const struct parqsim *sim, u32 port, u32 off, u32 val)
{
	if (off == PARQ_FC_CTRL)
		return val & (PARQ_FC_CTRL_PFC_TX | PARQ_FC_CTRL_PAUSE_TX);
	return off >= PARQ_RXQ(0) && off < PARQ_RXQ(PARQ_MAX_RXQ) &&
	       (off - PARQ_RXQ(0)) % (PARQ_RXQ(1) - PARQ_RXQ(0)) == PARQ_RXQ_CTRL &&
	       (val & PARQ_RXQ_CTRL_HOLD) &&
	       (port_reg(sim, port, PARQ_PORT_CTRL) & PARQ_PORT_CTRL_EN);
}

/* @off: of the register, relative to those of the ports in the window of the switch */
static bool joins(const struct parqsim *sim, u32 off, u32 val)
{
	u32 reg = off % PARQ_SW_PORT_SIZE;

	return sim->cfg.forward && (reg == PARQ_SW_CTRL || reg == PARQ_SW_VIF_CTRL) &&
	       (val & PARQ_SW_CTRL_DOMAIN);
}

int parqsim_rx_wanted(const struct parqsim *sim, u32 off, u32 val)
{
	const u32 window = sim_window(&sim->cfg) + PARQ_SW_PORT(0);
	u32 port = (off - PARQ_PORT(0)) / PARQ_PORT_SIZE;
	bool wanted;

	if (off >= window)
		port = (off - window) / PARQ_SW_PORT_SIZE;
	if (off < PARQ_PORT(0) || port >= sim->cfg.ports || sim->rxbuf.port[port].cells)
		return -1;
	wanted = off >= window ? joins(sim, off - window, val) :
		 makes_wait(sim, port, (off - PARQ_PORT(0)) % PARQ_PORT_SIZE, val);
	return wanted ? (int)port : -1;
}

/* ---- accesses ----------------------------------------------------------- */

void parqsim_bad_access(struct parqsim *sim, u32 off)
{
	record_error(sim, off, PARQ_ERR_ACCESS);
}

u32 parqsim_read(struct parqsim *sim, u32 off)
{
	struct place p = locate(sim, off);
	struct access a = { .sim = sim, .port = p.port, .i = p.i };

	if (!p.reg) {
		parqsim_bad_access(sim, off);
		return 0;
	}
	if (!p.reg->read || (p.level && *switch_val(sim, PARQ_SW_SNAPSHOT)))
		return *reg_val(sim, off);
	return p.reg->read(&a);
}

void parqsim_write(struct parqsim *sim, u32 off, u32 val)
{
	struct place p = locate(sim, off);
	struct access a = { .sim = sim, .port = p.port, .i = p.i, .val = val };
	enum parq_err err = PARQ_ERR_NONE;

	if (sim->fatal && off != PARQ_CTRL)
		return;
	if (!p.reg)
		err = PARQ_ERR_ACCESS;
	else if (!p.reg->mask)
		err = PARQ_ERR_READONLY;
	else if (val & ~p.reg->mask)
		err = PARQ_ERR_RESERVED;
	else if (p.reg->write)
		err = p.reg->write(&a);
	if (err != PARQ_ERR_NONE)
		record_error(sim, off, err);
	else if (off != PARQ_CTRL && !p.level)	/* a reset has just cleared all values */
		*reg_val(sim, off) = val;
}
