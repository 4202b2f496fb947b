/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Register access for parq_io*.c. A device can vanish or be powered off. Reads then
 * return 0 or -ENODEV, writes do nothing, and the first access that notices schedules
 * parq_dev.recover to detach the device.
 */
#ifndef _PARQ_REG_H
#define _PARQ_REG_H

#include "parq.h"

bool parq_reg_alive(struct parq_dev *pd);
void parq_reg_ready(struct parq_dev *pd);
void parq_reg_off(struct parq_dev *pd);

/* Accesses the bus even if the device is not ready. */
u32 parq_reg_bus_rd(struct parq_dev *pd, u32 reg);
void parq_reg_bus_wr(struct parq_dev *pd, u32 reg, u32 val);

/* Device registers and port registers. */
u32 parq_reg_rd(struct parq_dev *pd, u32 reg);
void parq_reg_wr(struct parq_dev *pd, u32 reg, u32 val);
u32 parq_reg_port_rd(const struct parq_port *port, u32 reg);
void parq_reg_port_wr(const struct parq_port *port, u32 reg, u32 val);
void parq_reg_port_wr64(const struct parq_port *port, u32 lo, u64 val);

/* Checks the result of a write. */
int parq_reg_verify(struct parq_dev *pd, u32 reg, u32 val);
int parq_reg_port_verify(const struct parq_port *port, u32 reg, u32 val);
int parq_reg_request(struct parq_port *port,
		     void (*write)(struct parq_port *port, const void *what),
		     const void *what, bool (*ours)(u32 reg),
		     unsigned int tries);
u32 parq_reg_error_take(struct parq_dev *pd, u32 *addr);
void parq_reg_disable(struct parq_dev *pd, u32 reg);

#endif /* _PARQ_REG_H */
