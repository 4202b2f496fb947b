// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "vlan.h"

#define VLAN_NONE	0xffff	/* end of a chain */
/* Distance of the hashes of one VID in domains that follow each other. */
#define DOMAIN_STEP	61

static_assert(!(VLAN_SIZE & (VLAN_SIZE - 1)) && VLAN_FID_FIRST + VLAN_SIZE <= 0xffff);

/* VLANs of one domain never collide. */
static u16 *bucket_of(const struct vlans *t, u32 domain, u32 vid)
{
	return &t->bucket[(vid + domain * DOMAIN_STEP) % VLAN_SIZE];
}

/* Return: where the index of the VLAN is, or the end of its chain. */
static u16 *find_link(const struct vlans *t, u32 domain, u32 vid)
{
	u16 *link = bucket_of(t, domain, vid);

	while (*link != VLAN_NONE &&
	       (t->entry[*link].domain != domain || t->entry[*link].vid != vid))
		link = &t->entry[*link].next;
	return link;
}

/**
 * vlan_find() - look up a VLAN
 * @t: the table
 * @domain: its domain
 * @vid: its number
 *
 * Return: the VLAN, NULL if nobody is a member.
 */
const struct vlan *vlan_find(const struct vlans *t, u32 domain, u32 vid)
{
	u16 i = *find_link(t, domain, vid);

	return i == VLAN_NONE ? NULL : &t->entry[i];
}

/* Return: index of an entry, which is free no more. There is one. */
static u16 take_entry(struct vlans *t)
{
	u16 i = t->free;

	if (i != VLAN_NONE)
		t->free = t->entry[i].next;
	else
		i = t->fresh++;
	t->used++;
	return i;
}

/**
 * vlan_set() - add a VLAN, or change its members
 * @t: the table
 * @v: the VLAN; @next does not matter
 *
 * A VLAN keeps its FID.
 *
 * Return: false if the table is full.
 */
bool vlan_set(struct vlans *t, const struct vlan *v)
{
	u16 *link = find_link(t, v->domain, v->vid), i = *link, next = VLAN_NONE;

	if (i == VLAN_NONE && t->used == VLAN_SIZE)
		return false;
	if (i == VLAN_NONE)
		i = take_entry(t);
	else
		next = t->entry[i].next;
	*link = i;
	t->entry[i] = *v;
	t->entry[i].next = next;
	return true;
}

/* The caller has removed the addresses of its FID, which another VLAN may get. */
void vlan_remove(struct vlans *t, u32 domain, u32 vid)
{
	u16 *link = find_link(t, domain, vid), i = *link;

	if (i == VLAN_NONE)
		return;
	*link = t->entry[i].next;
	t->entry[i].domain = 0;
	t->entry[i].next = t->free;
	t->free = i;
	t->used--;
}

void vlan_reset(struct vlans *t)
{
	memset(t->bucket, 0xff, VLAN_SIZE * sizeof(*t->bucket));
	t->used = 0;
	t->fresh = 0;
	t->free = VLAN_NONE;
}
