/* SPDX-License-Identifier: GPL-2.0 */
/* Maps the wires of ports to captures. */
#ifndef _PARQSIM_RECORD_H
#define _PARQSIM_RECORD_H

#include "pcapng.h"
#include "spec.h"

/**
 * struct record_ops - file operations of the host
 * @open: opens a file and starts the section of its capture; 0 or a negative errno
 */
struct record_ops {
	int (*open)(void *ctx, u32 port, const char *path,
		    struct pcapng **file);
};

/**
 * struct record - all recordings
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 * @port: capture and interface of each port; a port without capture is not recorded
 */
struct record {
	u64 epoch_ns;
	struct {
		struct pcapng *file;
		u32 interface;
	} port[PARQ_MAX_PORTS];
};

int record_open(struct record *r, const struct spec *spec, u64 epoch_ns,
		const struct record_ops *ops, void *ctx);
void record_frame(struct record *r, u32 port, enum pcapng_dir dir, int speed,
		  u64 ps, const u8 *data, u32 len);

#endif /* _PARQSIM_RECORD_H */
