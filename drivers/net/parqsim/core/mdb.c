// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/string.h>

#include "mdb.h"

#define MDB_NONE	0xffff	/* end of a chain */
#define HASH_BITS	12

static_assert(MDB_SIZE == 1 << HASH_BITS && MDB_SIZE < MDB_NONE);

static u64 key_of(u32 fid, u64 addr)
{
	return (u64)fid << 48 | addr;
}

/* Multiply-shift, as in the table of addresses. */
static u16 *bucket_of(const struct mdb *m, u64 key)
{
	return &m->bucket[key * m->multiplier >> (64 - HASH_BITS)];
}

/* Return: where the index of the group is, or the end of its chain. */
static u16 *find_link(const struct mdb *m, u64 key)
{
	u16 *link = bucket_of(m, key);

	while (*link != MDB_NONE && m->entry[*link].key != key)
		link = &m->entry[*link].next;
	return link;
}

/* @seed: selects the hash */
void mdb_init(struct mdb *m, u64 seed)
{
	m->multiplier = (seed ^ seed >> 31) * 0x9e3779b97f4a7c15ULL | 1;
}

void mdb_reset(struct mdb *m)
{
	memset(m->bucket, 0xff, MDB_SIZE * sizeof(*m->bucket));
	m->used = 0;
	m->fresh = 0;
	m->free = MDB_NONE;
}

/* Return: the group, NULL if it has no entry. */
const struct mdb_group *mdb_find(const struct mdb *m, u32 fid, u64 addr)
{
	u16 i = *find_link(m, key_of(fid, addr));

	return i == MDB_NONE ? NULL : &m->entry[i];
}

static void erase(struct mdb *m, u16 *link)
{
	u16 i = *link;

	*link = m->entry[i].next;
	m->entry[i].key = 0;
	m->entry[i].next = m->free;
	m->free = i;
	m->used--;
}

/* Return: index of an entry, which is free no more. There is one. */
static u16 take_entry(struct mdb *m)
{
	u16 i = m->free;

	if (i != MDB_NONE)
		m->free = m->entry[i].next;
	else
		i = m->fresh++;
	m->used++;
	return i;
}

/**
 * mdb_set() - set the members of a group at once
 * @m: the table
 * @fid: FID, not 0
 * @addr: address of the group
 * @ports: BIT_ULL(port) of its members
 * @host: the host is a member
 *
 * A group without members has no entry.
 *
 * Return: false if the table is full.
 */
bool mdb_set(struct mdb *m, u32 fid, u64 addr, u64 ports, bool host)
{
	u64 key = key_of(fid, addr);
	u16 *link = find_link(m, key), i = *link, next = MDB_NONE;

	if (!ports && !host) {
		if (i != MDB_NONE)
			erase(m, link);
		return true;
	}
	if (i == MDB_NONE && m->used == MDB_SIZE)
		return false;
	if (i == MDB_NONE)
		i = take_entry(m);
	else
		next = m->entry[i].next;
	*link = i;
	m->entry[i] = (struct mdb_group){ .key = key, .ports = ports, .next = next, .host = host };
	return true;
}

/* Removes all groups of @fid. */
void mdb_purge(struct mdb *m, u32 fid)
{
	u32 i;

	for (i = 0; i < m->fresh; i++)
		if (m->entry[i].key >> 48 == fid)
			erase(m, find_link(m, m->entry[i].key));
}
