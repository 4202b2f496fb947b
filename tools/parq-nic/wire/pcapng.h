/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Capture files: pcapng (draft-ietf-opsawg-pcapng), Ethernet without FCS, time
 * stamps in nanoseconds, a direction with every packet.
 */
#ifndef _PARQ_NIC_PCAPNG_H
#define _PARQ_NIC_PCAPNG_H

#include <linux/types.h>

#define PCAPNG_BUF_SIZE		(256 << 10)

/* Low bits of epb_flags. */
enum pcapng_dir {
	PCAPNG_INBOUND = 1,
	PCAPNG_OUTBOUND = 2,
};

/**
 * struct pcapng - a file that is being written
 * @fd: it, -1 while there is none
 * @err: errno of the first failed write; nothing is written after it
 * @lost: packets that were not written because of it
 * @snaplen: bytes kept of a packet, 0: all; set before pcapng_interface()
 * @len: bytes in @buf
 * @buf: not written yet
 */
struct pcapng {
	int fd;
	int err;
	u64 lost;
	u32 snaplen;
	size_t len;
	u8 *buf;
};

int pcapng_open(struct pcapng *p, const char *path);
void pcapng_close(struct pcapng *p);
void pcapng_interface(struct pcapng *p, const char *name);
void pcapng_packet(struct pcapng *p, u32 interface, enum pcapng_dir dir, u64 ns,
		   const void *data, u32 len);
void pcapng_flush(struct pcapng *p);

#endif /* _PARQ_NIC_PCAPNG_H */
