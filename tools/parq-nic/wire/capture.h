/* SPDX-License-Identifier: GPL-2.0 */
/* Capture files of the process. */
#ifndef _PARQ_NIC_CAPTURE_H
#define _PARQ_NIC_CAPTURE_H

#include "record.h"

#define CAPTURE_BUF_SIZE	(256 << 10)

/**
 * struct capture - a capture file
 * @pcapng: what is written to it
 * @fd: file descriptor, -1 while there is none
 * @err: errno of the first failed write; nothing is written after it
 */
struct capture {
	struct pcapng pcapng;
	int fd;
	int err;
};

/**
 * struct captures - all of them
 * @snaplen: bytes kept of a frame, 0: all
 * @file: the first @files of them are open
 * @files: how many
 */
struct captures {
	u32 snaplen;
	struct capture file[PARQ_MAX_PORTS];
	u32 files;
};

int capture_open(struct capture *c, const char *path, u32 snaplen);
void capture_flush(struct capture *c);
void capture_close(struct capture *c);

int captures_open(struct captures *c, struct record *r, const struct spec *spec,
		  u64 epoch_ns);
void captures_flush(struct captures *c);
void captures_close(struct captures *c);

#endif /* _PARQ_NIC_CAPTURE_H */
