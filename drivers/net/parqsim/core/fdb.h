/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses and the ports behind them, by FID (see vlan.h). Nothing on the path of a frame loops
 * over the table: entries of one hash are chained, and dynamic ones are listed in the order of
 * their age.
 */
#ifndef _PARQSIM_FDB_H
#define _PARQSIM_FDB_H

#include <linux/parq_hw_switch.h>

#include "clock.h"
#include "vlan.h"

/* All of them can be used with any addresses. PARQ_SW_FDB_SIZE promises half. */
#define FDB_SIZE	8192
#define FDB_ANY_DOMAIN	0	/* no entry is in domain 0 */
/*
 * Frames of an address do not move it in the list of ages more often than this. Entries stay for
 * so much longer.
 */
#define FDB_SLACK_PS	500000000000ULL

/**
 * struct fdb_entry - an address in a FID
 * @key: address, with byte 0 in bits 7:0, and FID in bits 63:48
 * @seen: time of a frame of this address, FDB_SLACK_PS before the last one at most; dynamic only
 * @next: next entry of the same hash, or next free entry
 * @older: next entry that was seen before this one; dynamic only
 * @newer: next entry that was seen after this one; dynamic only
 * @port: the port behind which it is, if it is not behind the host
 * @kind: enum parq_fdb_kind, or another value for a free entry
 */
struct fdb_entry {
	u64 key;
	u64 seen;
	u16 next;
	u16 older;
	u16 newer;
	u8 port;
	u8 kind;
};

/**
 * struct fdb_up - callback to the host's side
 * @ctx: first argument of the callback
 * @changed: the table has changed on its own: an address was learned, has moved, or is gone
 *	because of its age. Must not change the table
 */
struct fdb_up {
	void *ctx;
	void (*changed)(void *ctx, const struct fdb_entry *e, enum parq_fdb_change what);
};

/**
 * struct fdb - the table
 * @clock: time, and what the timer is set on
 * @vlans: which VLANs are in a domain
 * @up: callback
 * @entry: FDB_SIZE entries
 * @bucket: FDB_SIZE chains, the first entry of each
 * @multiplier: of the hash, odd
 * @age_s: time without frames after which a dynamic entry goes; 0: never
 * @used: entries in use
 * @fresh: first entry that was never used
 * @free: chain of entries that are free again
 * @oldest: first of the dynamic entries to go
 * @newest: last one
 * @timer: set while there are dynamic entries that will go
 */
struct fdb {
	struct clock *clock;
	const struct vlans *vlans;
	struct fdb_up up;
	struct fdb_entry *entry;
	u16 *bucket;
	u64 multiplier;
	u32 age_s;
	u32 used;
	u16 fresh;
	u16 free;
	u16 oldest;
	u16 newest;
	struct timer timer;
};

static inline u64 fdb_addr(const struct fdb_entry *e)
{
	return e->key & GENMASK_ULL(47, 0);
}

static inline u32 fdb_fid(const struct fdb_entry *e)
{
	return e->key >> 48;
}

void fdb_init(struct fdb *f, u64 seed);
void fdb_reset(struct fdb *f);

/* Called for each frame. */
const struct fdb_entry *fdb_lookup(const struct fdb *f, u32 fid, u64 addr);
bool fdb_learn(struct fdb *f, u32 fid, u64 addr, u32 port);

/* Called by the registers. */
void fdb_set_age(struct fdb *f, u32 age_s);
bool fdb_add(struct fdb *f, u32 fid, u64 addr, u32 port, enum parq_fdb_kind kind);
bool fdb_delete(struct fdb *f, u32 fid, u64 addr, u32 port, enum parq_fdb_kind kind);
void fdb_flush(struct fdb *f, u32 domain, u32 vid, u32 port);
void fdb_purge(struct fdb *f, u32 fid);
const struct fdb_entry *fdb_read(const struct fdb *f, u32 index);

#endif /* _PARQSIM_FDB_H */
