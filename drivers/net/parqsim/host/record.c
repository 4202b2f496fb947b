// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>

#include "record.h"

#define RECORD_PS_PER_NS	1000
#define RECORD_BYTE_PS		8000000	/* ps of a byte at 1 Mb/s */

/**
 * record_open() - start recording
 * @r: to initialise
 * @spec: files of the ports
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 * @ops: file operations of the host
 * @ctx: argument of @ops
 *
 * Return: 0 or the negative errno of @ops; files opened before the error stay open.
 */
int record_open(struct record *r, const struct spec *spec, u64 epoch_ns,
		const struct record_ops *ops, void *ctx)
{
	u32 used[PARQ_MAX_PORTS] = { 0 };
	char name[8];
	u32 i, j;
	int err;

	*r = (struct record){ .epoch_ns = epoch_ns };
	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		if (!spec->record[i])
			continue;
		for (j = 0; strcmp(spec_record(spec, i), spec_record(spec, j)); j++)
			;
		if (j == i) {
			err = ops->open(ctx, i, spec_record(spec, i),
					&r->port[i].file);
			if (err)
				return err;
		}
		r->port[i].file = r->port[j].file;
		r->port[i].interface = used[j]++;
		snprintf(name, sizeof(name), "p%u", i);
		pcapng_interface(r->port[i].file, name);
	}
	return 0;
}

/**
 * record_frame() - record a frame at one end of a wire
 * @r: all recordings
 * @port: port at this end, which is recorded
 * @dir: direction
 * @speed: enum parq_speed of the link, -1 while it is down
 * @ps: device clock at the first bit of an outgoing frame, or the last of an incoming one
 * @data: the frame, without FCS
 * @len: its bytes
 */
void record_frame(struct record *r, u32 port, enum pcapng_dir dir, int speed,
		  u64 ps, const u8 *data, u32 len)
{
	u32 byte_ps = parqsim_byte_ps((unsigned int)speed);

	pcapng_packet(r->port[port].file, r->port[port].interface, dir,
		      byte_ps ? RECORD_BYTE_PS / byte_ps : 0,
		      r->epoch_ns + ps / RECORD_PS_PER_NS, data, len);
}
