/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Group addresses and the ports of their members, by FID (see vlan.h). Entries of one hash are
 * chained, and nothing on the path of a frame loops over the table.
 */
#ifndef _PARQSIM_MDB_H
#define _PARQSIM_MDB_H

#include <linux/types.h>

#define MDB_SIZE	4096

/**
 * struct mdb_group - a group
 * @key: address, with byte 0 in bits 7:0, and FID in bits 63:48; 0: the entry is free
 * @ports: BIT_ULL(port) of its members
 * @next: next group of the same hash, or next free entry
 * @host: the host is a member
 */
struct mdb_group {
	u64 key;
	u64 ports;
	u16 next;
	bool host;
};

/**
 * struct mdb - the table
 * @entry: MDB_SIZE entries
 * @bucket: MDB_SIZE chains, the first entry of each
 * @multiplier: of the hash, odd
 * @used: entries in use
 * @fresh: first entry that was never used
 * @free: chain of entries that are free again
 */
struct mdb {
	struct mdb_group *entry;
	u16 *bucket;
	u64 multiplier;
	u32 used;
	u16 fresh;
	u16 free;
};

void mdb_init(struct mdb *m, u64 seed);
void mdb_reset(struct mdb *m);

/* Called for each frame to a group. */
const struct mdb_group *mdb_find(const struct mdb *m, u32 fid, u64 addr);

/* Called by the registers. */
bool mdb_set(struct mdb *m, u32 fid, u64 addr, u64 ports, bool host);
void mdb_purge(struct mdb *m, u32 fid);

#endif /* _PARQSIM_MDB_H */
