// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "../log.h"
#include "record.h"

#define RECORD_PS_PER_NS	1000

static int record_add(struct record *r, u32 port, const char *path,
		      u32 snaplen)
{
	struct pcapng *p = &r->file[r->files];
	int err;

	err = pcapng_open(p, path);
	if (err) {
		log_error("--record p%u=%s: %s", port, path, strerror(-err));
		return err;
	}
	p->snaplen = snaplen;
	r->files++;
	r->port[port].file = p;
	return 0;
}

/**
 * record_open() - begin to record
 * @r: to initialise
 * @path: capture file of each port, or NULL; ports may share one
 * @snaplen: bytes recorded of a frame, 0: all
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 *
 * Return: 0 or a negative errno, which has been logged.
 */
int record_open(struct record *r, const char *const path[PARQ_MAX_PORTS],
		u32 snaplen, u64 epoch_ns)
{
	u32 used[PARQ_MAX_PORTS] = { 0 };
	char name[8];
	u32 i, j;
	int err;

	*r = (struct record){ .epoch_ns = epoch_ns };
	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		if (!path[i])
			continue;
		for (j = 0; !path[j] || strcmp(path[i], path[j]); j++)
			;
		if (j == i) {
			err = record_add(r, i, path[i], snaplen);
			if (err)
				goto err_close;
		}
		r->port[i].file = r->port[j].file;
		r->port[i].interface = used[j]++;
		snprintf(name, sizeof(name), "p%u", i);
		pcapng_interface(r->port[i].file, name);
	}
	record_flush(r);
	return 0;

err_close:
	record_close(r);
	return err;
}

void record_close(struct record *r)
{
	while (r->files)
		pcapng_close(&r->file[--r->files]);
}

/**
 * record_frame() - a frame passes one end of a wire
 * @r: all recordings
 * @port: at which end
 * @dir: which way
 * @ps: device clock: of its first bit going out, of its last coming in
 * @data: the frame, without FCS
 * @len: of it
 */
void record_frame(struct record *r, u32 port, enum pcapng_dir dir, u64 ps,
		  const u8 *data, u32 len)
{
	if (r->port[port].file)
		pcapng_packet(r->port[port].file, r->port[port].interface, dir,
			      r->epoch_ns + ps / RECORD_PS_PER_NS, data, len);
}

void record_flush(struct record *r)
{
	u32 i;

	for (i = 0; i < r->files; i++)
		pcapng_flush(&r->file[i]);
}
