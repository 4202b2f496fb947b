/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VLANs of domains and their members. Addresses are looked up in a FID: a domain without VLANs, or
 * one VLAN of a domain.
 */
#ifndef _PARQSIM_VLAN_H
#define _PARQSIM_VLAN_H

#include <linux/parq_hw_switch.h>

#define VLAN_SIZE	4096
#define VLAN_VIDS	4096	/* that a tag can have */

/* A domain that does not use VLANs is the FID of its number. */
#define VLAN_FID_FIRST	(PARQ_MAX_PORTS + 1)

/**
 * struct vlan - a VLAN
 * @ports: BIT_ULL(port) of its members
 * @untagged: BIT_ULL(port) that sends its frames without tag
 * @vid: its number
 * @next: next VLAN of the same hash, or next free entry
 * @domain: its domain; 0: the entry is free
 * @host: the host is a member
 */
struct vlan {
	u64 ports;
	u64 untagged;
	u16 vid;
	u16 next;
	u8 domain;
	bool host;
};

/**
 * struct vlans - the table
 * @entry: VLAN_SIZE entries
 * @bucket: VLAN_SIZE chains, the first entry of each
 * @used: entries in use
 * @fresh: first entry that was never used
 * @free: chain of entries that are free again
 */
struct vlans {
	struct vlan *entry;
	u16 *bucket;
	u32 used;
	u16 fresh;
	u16 free;
};

void vlan_reset(struct vlans *t);
const struct vlan *vlan_find(const struct vlans *t, u32 domain, u32 vid);
bool vlan_set(struct vlans *t, const struct vlan *v);
void vlan_remove(struct vlans *t, u32 domain, u32 vid);

static inline u32 vlan_fid(const struct vlans *t, const struct vlan *v)
{
	return VLAN_FID_FIRST + (v - t->entry);
}

/* Return: the VLAN of a FID; NULL if it is a domain. */
static inline const struct vlan *vlan_of(const struct vlans *t, u32 fid)
{
	return fid < VLAN_FID_FIRST ? NULL : &t->entry[fid - VLAN_FID_FIRST];
}

static inline u32 vlan_domain(const struct vlans *t, u32 fid)
{
	const struct vlan *v = vlan_of(t, fid);

	return v ? v->domain : fid;
}

/* Return: 0 if the FID is a domain. */
static inline u32 vlan_vid(const struct vlans *t, u32 fid)
{
	const struct vlan *v = vlan_of(t, fid);

	return v ? v->vid : 0;
}

#endif /* _PARQSIM_VLAN_H */
