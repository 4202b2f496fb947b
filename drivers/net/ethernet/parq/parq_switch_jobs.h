/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of the table of addresses that wait for the work that makes them. */
#ifndef _PARQ_SWITCH_JOBS_H
#define _PARQ_SWITCH_JOBS_H

#include "parq_switch_domain.h"

enum parq_fdb_job_op {
	PARQ_FDB_JOB_ADD,	/* the bridge wants it */
	PARQ_FDB_JOB_DELETE,	/* the bridge does not have it any more */
	PARQ_FDB_JOB_LEARNED,	/* the device has learned it, or it has moved */
	PARQ_FDB_JOB_AGED,	/* the device has removed it */
};

/**
 * struct parq_fdb_job - change of the table
 * @node: in parq_switch_fdb.queue
 * @hash: in parq_switch_fdb.jobs
 * @op: which change
 * @again: it replaces a deletion, or an addition that it reverts: what was there before has gone
 * @e: entry; a deletion tells of its kind only whether it is behind the host
 */
struct parq_fdb_job {
	struct list_head node;
	struct hlist_node hash;
	enum parq_fdb_job_op op;
	bool again;
	struct parq_fdb e;
};

static inline u64 parq_fdb_key(const struct parq_fdb *e)
{
	return ether_addr_to_u64(e->addr) ^ (u64)parq_vlan_index(e->domain, e->vid) << 45;
}

/* One address in one table. */
static inline bool parq_fdb_same(const struct parq_fdb *a, const struct parq_fdb *b)
{
	return ether_addr_equal(a->addr, b->addr) && a->domain == b->domain && a->vid == b->vid;
}

/* Return: the oldest job, which is the caller's, or NULL. */
struct parq_fdb_job *parq_switch_jobs_next(struct parq_switch_fdb *fdb);

/*
 * Changes are lost: of the device, or if @flush of the bridge, which has fewer entries now: what
 * stations have sent is removed, wherever they are. Context: any.
 */
void parq_switch_jobs_missed(struct parq_switch *sw, bool flush);

void parq_switch_jobs_init(struct parq_switch_fdb *fdb);

#endif /* _PARQ_SWITCH_JOBS_H */
