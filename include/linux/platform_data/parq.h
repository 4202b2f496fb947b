/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A PARQ NIC that is not on PCI: a platform device of this name. Its interrupts are
 * resources, the vectors in order.
 */
#ifndef _LINUX_PLATFORM_DATA_PARQ_H
#define _LINUX_PLATFORM_DATA_PARQ_H

#include <linux/types.h>

#define PARQ_PLATFORM_NAME	"parqsim"

/**
 * struct parq_platform_data - how the driver reaches the NIC
 * @read: a register; all ones if there is no NIC any more. Context: any but hard
 *	interrupts, interrupts are on
 * @write: a register. Context: any but hard interrupts, interrupts are on; of a write
 *	to PARQ_WAKE: any; of one to PARQ_FC_CTRL or PARQ_RXQ_CTRL: it may sleep
 * @ctx: argument of both
 * @db: doorbells, ordinary memory of parq_bar_db_size(ports) bytes
 */
struct parq_platform_data {
	u32 (*read)(void *ctx, u32 reg);
	void (*write)(void *ctx, u32 reg, u32 val);
	void *ctx;
	void *db;
};

#endif /* _LINUX_PLATFORM_DATA_PARQ_H */
