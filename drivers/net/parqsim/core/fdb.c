// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "fdb.h"
#include "parqsim.h"

#define FDB_NONE		0xffff	/* end of a chain or list */
#define FDB_FREE		0xff	/* kind of a free entry */
#define HASH_BITS	13
#define AGE_RESET_S	300
#define PS_PER_S	(1000000000 * PARQSIM_PS_PER_NS)
/* Entries that one event of the timer removes. */
#define AGE_BATCH	64

static_assert(FDB_SIZE == BIT(HASH_BITS) && FDB_SIZE < FDB_NONE);

/* ---- chains ------------------------------------------------------------- */

static u64 key_of(u32 fid, u64 addr)
{
	return (u64)fid << 48 | addr;
}

/*
 * Multiply-shift: if the multiplier is random, any two keys collide with a probability of
 * 2 / FDB_SIZE at most.
 */
static u16 *bucket_of(const struct fdb *f, u64 key)
{
	return &f->bucket[key * f->multiplier >> (64 - HASH_BITS)];
}

static struct fdb_entry *find_entry(const struct fdb *f, u64 key)
{
	u32 i;

	for (i = *bucket_of(f, key); i != FDB_NONE; i = f->entry[i].next)
		if (f->entry[i].key == key)
			return &f->entry[i];
	return NULL;
}

/* Return: index of a free entry, which is free no more; FDB_NONE if there is none. */
static u16 take_entry(struct fdb *f)
{
	u16 i = f->free;

	if (i != FDB_NONE)
		f->free = f->entry[i].next;
	else if (f->fresh < FDB_SIZE)
		i = f->fresh++;
	return i;
}

/* Return: an entry of @key, which the table does not have yet; NULL if the table is full. */
static struct fdb_entry *insert(struct fdb *f, u64 key)
{
	u16 *first = bucket_of(f, key), i = take_entry(f);
	struct fdb_entry *e;

	if (i == FDB_NONE)
		return NULL;
	e = &f->entry[i];
	*e = (struct fdb_entry){ .key = key, .next = *first, .kind = FDB_FREE };
	*first = i;
	f->used++;
	return e;
}

/* ---- ages --------------------------------------------------------------- */

/* When the oldest entry goes. */
static u64 deadline(const struct fdb *f)
{
	return f->entry[f->oldest].seen + f->age_s * PS_PER_S + FDB_SLACK_PS;
}

static void set_timer(struct fdb *f)
{
	if (f->oldest == FDB_NONE || !f->age_s)
		timer_cancel(f->clock, &f->timer);
	else
		timer_set(f->clock, &f->timer, deadline(f));
}

/* Makes an entry the newest one. If the timer is set, it is early enough. */
static void list_add(struct fdb *f, struct fdb_entry *e)
{
	u16 i = e - f->entry;

	e->seen = f->clock->now;
	e->newer = FDB_NONE;
	e->older = f->newest;
	f->newest = i;
	if (e->older != FDB_NONE) {
		f->entry[e->older].newer = i;
	} else {
		f->oldest = i;
		set_timer(f);
	}
}

/* The timer may be early then, and looks at the next entry. Without entries it is off. */
static void list_remove(struct fdb *f, struct fdb_entry *e)
{
	if (e->older != FDB_NONE)
		f->entry[e->older].newer = e->newer;
	else
		f->oldest = e->newer;
	if (e->newer != FDB_NONE)
		f->entry[e->newer].older = e->older;
	else
		f->newest = e->older;
	if (f->oldest == FDB_NONE)
		timer_cancel(f->clock, &f->timer);
}

/* ---- entries ------------------------------------------------------------ */

static void set(struct fdb *f, struct fdb_entry *e, u32 port, enum parq_fdb_kind kind)
{
	if (e->kind == PARQ_FDB_DYNAMIC)
		list_remove(f, e);
	e->port = port;
	e->kind = kind;
	if (kind == PARQ_FDB_DYNAMIC)
		list_add(f, e);
}

static void erase(struct fdb *f, struct fdb_entry *e)
{
	u16 *link = bucket_of(f, e->key), i = e - f->entry;

	if (e->kind == PARQ_FDB_DYNAMIC)
		list_remove(f, e);
	while (*link != i)
		link = &f->entry[*link].next;
	*link = e->next;
	e->kind = FDB_FREE;
	e->next = f->free;
	f->free = i;
	f->used--;
}

static void changed(struct fdb *f, const struct fdb_entry *e, enum parq_fdb_change what)
{
	f->up.changed(f->up.ctx, e, what);
}

static void lose(struct fdb *f, struct fdb_entry *e)
{
	changed(f, e, PARQ_FDB_AGED);
	erase(f, e);
}

/* Many entries of one age go in several events. */
static void age(void *ctx)
{
	struct fdb *f = ctx;
	u32 n;

	for (n = 0; n < AGE_BATCH && f->oldest != FDB_NONE && deadline(f) <= f->clock->now; n++)
		lose(f, &f->entry[f->oldest]);
	set_timer(f);
}

/**
 * fdb_init() - prepare a table
 * @f: the table; clock, callback and memory are set
 * @seed: selects the hash
 */
void fdb_init(struct fdb *f, u64 seed)
{
	timer_init(&f->timer, age, f);
	/* Seeds that differ in a bit give multipliers that differ in half of theirs. */
	seed = (seed ^ seed >> 33) * 0xff51afd7ed558ccdULL;
	seed = (seed ^ seed >> 33) * 0xc4ceb9fe1a85ec53ULL;
	f->multiplier = seed | 1;
}

/* Removes all entries. The callback is not called. */
void fdb_reset(struct fdb *f)
{
	timer_cancel(f->clock, &f->timer);
	memset(f->bucket, 0xff, FDB_SIZE * sizeof(*f->bucket));
	f->age_s = AGE_RESET_S;
	f->used = 0;
	f->fresh = 0;
	f->free = FDB_NONE;
	f->oldest = FDB_NONE;
	f->newest = FDB_NONE;
}

const struct fdb_entry *fdb_lookup(const struct fdb *f, u32 fid, u64 addr)
{
	return find_entry(f, key_of(fid, addr));
}

/**
 * fdb_learn() - note where a frame came from
 * @f: the table
 * @fid: FID of the frame
 * @addr: source address; the caller drops frames from group addresses and from 0
 * @port: the port
 *
 * An extern entry becomes a dynamic one: its address is not behind the host any more.
 *
 * Return: false if the address is not in the table, which is full.
 */
bool fdb_learn(struct fdb *f, u32 fid, u64 addr, u32 port)
{
	u64 key = key_of(fid, addr);
	struct fdb_entry *e = find_entry(f, key);

	if (!e) {
		e = insert(f, key);
		if (!e)
			return false;
		set(f, e, port, PARQ_FDB_DYNAMIC);
		changed(f, e, PARQ_FDB_LEARNED);
		return true;
	}
	if (e->kind == PARQ_FDB_STATIC || e->kind == PARQ_FDB_HOST)
		return true;
	if (e->kind == PARQ_FDB_EXTERN || e->port != port) {
		set(f, e, port, PARQ_FDB_DYNAMIC);
		changed(f, e, PARQ_FDB_MOVED);
	} else if (f->clock->now - e->seen >= FDB_SLACK_PS) {
		set(f, e, port, PARQ_FDB_DYNAMIC);
	}
	return true;
}

/**
 * fdb_set_age() - change the age at which dynamic entries go
 * @f: the table
 * @age_s: time without a frame, s, up to PARQ_SW_FDB_AGE_MAX; 0: they stay
 *
 * Also applies to entries that exist. Those that are too old by now go in the next step of the
 * clock.
 */
void fdb_set_age(struct fdb *f, u32 age_s)
{
	f->age_s = age_s;
	set_timer(f);
}

/**
 * fdb_add() - add an entry, or replace that of its address
 * @f: the table
 * @fid: FID, not 0
 * @addr: address
 * @port: port
 * @kind: kind; a dynamic entry has been seen now
 *
 * In a full table a static entry, or one of the host, replaces the oldest dynamic one: a station
 * that fills the table with addresses must not keep the host's own out. Nor must one behind the
 * host push out those behind ports.
 *
 * Return: false if the table is full.
 */
bool fdb_add(struct fdb *f, u32 fid, u64 addr, u32 port, enum parq_fdb_kind kind)
{
	u64 key = key_of(fid, addr);
	struct fdb_entry *e = find_entry(f, key);

	if (!e)
		e = insert(f, key);
	if (!e && kind != PARQ_FDB_DYNAMIC && kind != PARQ_FDB_EXTERN && f->oldest != FDB_NONE) {
		lose(f, &f->entry[f->oldest]);
		e = insert(f, key);
	}
	if (!e)
		return false;
	set(f, e, port, kind);
	return true;
}

/*
 * Of an address that has moved meanwhile only the old entry may be deleted, so its place must
 * match: @port, or the host if @kind says so. Return: false if there is no such entry.
 */
bool fdb_delete(struct fdb *f, u32 fid, u64 addr, u32 port, enum parq_fdb_kind kind)
{
	struct fdb_entry *e = find_entry(f, key_of(fid, addr));

	if (!e || parq_fdb_at_host(e->kind) != parq_fdb_at_host(kind) ||
	    (!parq_fdb_at_host(kind) && e->port != port))
		return false;
	erase(f, e);
	return true;
}

/* Removes the dynamic entries of @port in @domain, or in any; @vid: in this VLAN only, or 0. */
void fdb_flush(struct fdb *f, u32 domain, u32 vid, u32 port)
{
	struct fdb_entry *e;
	u32 i, newer, fid;

	for (i = f->oldest; i != FDB_NONE; i = newer) {
		e = &f->entry[i];
		newer = e->newer;
		fid = fdb_fid(e);
		if (e->port != port || (vid && vid != vlan_vid(f->vlans, fid)))
			continue;
		if (domain == FDB_ANY_DOMAIN || domain == vlan_domain(f->vlans, fid))
			erase(f, e);
	}
}

/* Removes all entries of @fid, without a report. */
void fdb_purge(struct fdb *f, u32 fid)
{
	u32 i;

	for (i = 0; i < f->fresh; i++)
		if (f->entry[i].kind != FDB_FREE && fdb_fid(&f->entry[i]) == fid)
			erase(f, &f->entry[i]);
}

/* Return: the entry at @index, below FDB_SIZE; NULL if it is free. */
const struct fdb_entry *fdb_read(const struct fdb *f, u32 index)
{
	return index < f->fresh && f->entry[index].kind != FDB_FREE ? &f->entry[index] : NULL;
}
