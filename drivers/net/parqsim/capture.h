/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Capture files of a NIC inside the kernel. Frames are formatted into memory as they pass.
 * A work item writes them to the file. In simulated time it runs before time advances.
 */
#ifndef _PARQSIM_CAPTURE_H
#define _PARQSIM_CAPTURE_H

#include <linux/fs.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>

#include "record.h"
#include "spec.h"

struct nic;

/*
 * Size of each of a file's two buffers. The writer may wait for the next tick, 10 ms. In that
 * time a full link of 100 Gb/s carries 80000 long frames in simulated time.
 */
#define CAPTURE_BUF_SIZE	(IS_ENABLED(CONFIG_UML) ? SZ_16M : SZ_1M)

/**
 * struct capture - a capture file
 * @pcapng: frames to be written
 * @file: the file
 * @spare: the other buffer; used by the work item only
 * @err: error of the first failed write; nothing is written after it
 */
struct capture {
	struct pcapng pcapng;
	struct file *file;
	u8 *spare;
	int err;
};

/**
 * struct captures - capture files of a NIC
 * @snaplen: bytes kept of each frame, 0: all
 * @file: capture files; the first @files are open
 * @files: number of open files
 * @nic: its lock protects @pcapng of each file
 * @work: writes the files
 */
struct captures {
	u32 snaplen;
	struct capture file[PARQ_MAX_PORTS];
	u32 files;
	struct nic *nic;
	struct work_struct work;
};

int captures_open(struct captures *c, struct record *r, const struct spec *spec,
		  u64 epoch_ns, struct nic *nic);
void captures_close(struct captures *c);
void captures_sync(struct captures *c);
void captures_kick(struct captures *c);

#endif /* _PARQSIM_CAPTURE_H */
