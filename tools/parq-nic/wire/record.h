/* SPDX-License-Identifier: GPL-2.0 */
/* Which ports' wires are recorded to which capture files. */
#ifndef _PARQ_NIC_RECORD_H
#define _PARQ_NIC_RECORD_H

#include <linux/parq_hw.h>

#include "pcapng.h"

/**
 * struct record - all recordings
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 * @file: capture files, the first @files of them open
 * @files: how many
 * @port: capture file and interface of a port; no file for one not recorded
 */
struct record {
	u64 epoch_ns;
	struct pcapng file[PARQ_MAX_PORTS];
	u32 files;
	struct {
		struct pcapng *file;
		u32 interface;
	} port[PARQ_MAX_PORTS];
};

int record_open(struct record *r, const char *const path[PARQ_MAX_PORTS],
		u32 snaplen, u64 epoch_ns);
void record_close(struct record *r);
void record_frame(struct record *r, u32 port, enum pcapng_dir dir, u64 ps,
		  const u8 *data, u32 len);
void record_flush(struct record *r);

#endif /* _PARQ_NIC_RECORD_H */
