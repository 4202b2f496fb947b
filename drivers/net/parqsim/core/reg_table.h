/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Each register is an entry of a table: where it is, which bits exist, and what a
 * write does. A write that its function refuses leaves no trace but PARQ_ERR.
 */
#ifndef _PARQSIM_REG_TABLE_H
#define _PARQSIM_REG_TABLE_H

#include <linux/bitfield.h>

#include "sim.h"

/**
 * struct access - one read or write, located
 * @sim: the NIC
 * @port: its port, 0 for device registers
 * @i: index in the register's array
 * @val: value to write
 */
struct access {
	struct parqsim *sim;
	u32 port;
	u32 i;
	u32 val;
};

/**
 * struct reg - one register, or an array of them
 * @off: offset in BAR0, or in the port's block
 * @count: of the array; 0 ends the table
 * @stride: bytes from one to the next
 * @mask: bits that exist; 0: the register is read-only
 * @write: what a legal value does; NULL: it is only remembered
 * @read: computes the value; NULL: what was written last
 */
struct reg {
	u32 off;
	u32 count;
	u32 stride;
	u32 mask;
	enum parq_err (*write)(const struct access *a);
	u32 (*read)(const struct access *a);
};

#define REG_ALL		(~0U)

extern const struct reg device_regs[];
extern const struct reg port_regs[];
extern const struct reg flow_regs[];
extern const struct reg trust_regs[];
extern const struct reg pause_regs[];
extern const struct reg queue_regs[];

static inline u32 port_reg(struct parqsim *sim, u32 port, u32 off)
{
	return *reg_val(sim, PARQ_PORT(port) + off);
}

/* A LO and HI pair. */
static inline u64 port_addr(struct parqsim *sim, u32 port, u32 lo)
{
	return port_reg(sim, port, lo) |
	       (u64)port_reg(sim, port, lo + 4) << 32;
}

static inline bool log2_is_sane(u32 log2, u32 limit)
{
	return log2 >= 6 && log2 <= limit;
}

/* Of write-only registers. */
static inline u32 reg_read_zero(const struct access *a)
{
	(void)a;
	return 0;
}

#endif /* _PARQSIM_REG_TABLE_H */
