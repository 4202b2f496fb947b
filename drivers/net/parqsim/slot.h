/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slots for NICs, each with a name. The module parameters make one, and each directory in
 * configfs makes one. A slot has a NIC while it is live.
 */
#ifndef _PARQSIM_SLOT_H
#define _PARQSIM_SLOT_H

#include <linux/list.h>

#include "nic.h"

#define SLOT_NAME_SIZE	20

/* Kinds of wires that a NIC in the kernel supports. */
#define SLOT_WIRES	(BIT(WIRE_PEER) | BIT(WIRE_NIC) | BIT(WIRE_LOOP) | \
			 BIT(WIRE_NETDEV))

struct dentry;

/**
 * struct slot - place of a NIC
 * @list: entry in the list of all slots
 * @name: name of the NIC
 * @spec: options; fixed while the slot is live
 * @nic: the NIC, NULL while the slot is not live
 * @old: the dead NIC that @nic has replaced, or NULL
 * @debugfs: its directory
 * @to_reset: BIT_ULL(port) whose options are reset once the slot is not live
 */
struct slot {
	struct list_head list;
	char name[SLOT_NAME_SIZE];
	struct spec spec;
	struct nic *nic;
	struct nic *old;
	struct dentry *debugfs;
	u64 to_reset;
};

/* Parent directory of all slots. */
extern struct dentry *slots_debugfs;

void slots_init(void);
void slots_fini(void);

/* Serializes requests to all slots. RTNL and locks of NICs are taken within. */
void slots_lock(void);
void slots_unlock(void);

struct slot *slot_create(const char *name);
void slot_destroy(struct slot *slot);

/* Called between slots_lock() and slots_unlock(). */
struct slot *slot_find(const char *name);
void slot_reset_port(struct slot *slot, u32 port);
int slot_set(struct slot *slot, const char *option, u32 port, const char *val);
int slot_up(struct slot *slot);
void slot_down(struct slot *slot);
int slot_replace(struct slot *slot);

#endif /* _PARQSIM_SLOT_H */
