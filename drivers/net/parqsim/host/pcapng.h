/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captures: pcapng (draft-ietf-opsawg-pcapng), Ethernet without FCS, time stamps in
 * nanoseconds, a direction and the link's speed for every packet. Formats into memory; the host
 * writes the memory to a file.
 */
#ifndef _PARQSIM_PCAPNG_H
#define _PARQSIM_PCAPNG_H

#include <linux/types.h>

/* Low bits of epb_flags. */
enum pcapng_dir {
	PCAPNG_INBOUND = 1,
	PCAPNG_OUTBOUND = 2,
};

/**
 * struct pcapng - a capture
 * @buf: bytes that the host has not written yet
 * @size: size of @buf
 * @len: bytes in @buf
 * @snaplen: bytes kept of each packet, 0: all
 * @packets: number of packets in @buf
 * @lost: packets that were not recorded: there was no room, or the host could not write them
 * @full: makes room in @buf, or returns false: the packet is lost
 */
struct pcapng {
	u8 *buf;
	size_t size;
	size_t len;
	u32 snaplen;
	u32 packets;
	u64 lost;
	bool (*full)(struct pcapng *p);
};

void pcapng_section(struct pcapng *p, const char *writer);
void pcapng_interface(struct pcapng *p, const char *name);
void pcapng_packet(struct pcapng *p, u32 interface, enum pcapng_dir dir,
		   u32 mbit, u64 ns, const void *data, u32 len);

#endif /* _PARQSIM_PCAPNG_H */
