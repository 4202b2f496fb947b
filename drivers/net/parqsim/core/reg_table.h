/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of registers: offset, bits that exist, and the function called by a write. A
 * refused write changes PARQ_ERR only.
 */
#ifndef _PARQSIM_REG_TABLE_H
#define _PARQSIM_REG_TABLE_H

#include <linux/bitfield.h>

#include "sim.h"

/**
 * struct access - one access to a register
 * @sim: the NIC
 * @port: port of the register, 0 for device registers
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
 * @off: offset in BAR0, in the port's block, or in the window of the switch
 * @count: entries of the array; 0 ends the table
 * @stride: bytes from one entry to the next
 * @mask: bits that exist; 0: the register is read-only
 * @write: checks and applies a value; NULL: the value is only stored
 * @read: computes the value; NULL: the value written last is returned
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
extern const struct reg steer_regs[];
extern const struct reg pause_regs[];
extern const struct reg queue_regs[];
extern const struct reg switch_regs[];
extern const struct reg switch_port_regs[];
extern const struct reg red_regs[];
extern const struct reg egress_regs[];
/* Those of which PARQ_SW_SNAPSHOT holds what @read has computed then. */
extern const struct reg switch_port_levels[];
extern const struct reg egress_levels[];

static inline u32 port_reg(const struct parqsim *sim, u32 port, u32 off)
{
	return sim->regs.val[(PARQ_PORT(port) + off) / sizeof(u32)];
}

/* Address in a pair of LO and HI registers. */
static inline u64 port_addr(const struct parqsim *sim, u32 port, u32 lo)
{
	return port_reg(sim, port, lo) |
	       (u64)port_reg(sim, port, lo + 4) << 32;
}

static inline bool log2_is_sane(u32 log2, u32 limit)
{
	return log2 >= 6 && log2 <= limit;
}

/* Read function of write-only registers. */
static inline u32 reg_read_zero(const struct access *a)
{
	(void)a;
	return 0;
}

#endif /* _PARQSIM_REG_TABLE_H */
