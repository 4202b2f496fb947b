/* SPDX-License-Identifier: GPL-2.0 */
/* What is found in a recording, as JSON. */
#ifndef _WIRE_JSON_H
#define _WIRE_JSON_H

#include "wire_judge.h"
#include "wire_port.h"

/**
 * struct wire_seen - of the port's frames in a recording
 * @begin: time of the first, ns since 1970
 * @end: time of the last
 * @frames: all
 * @sent: frames that the port sends
 * @named: the standards have a response time for its speed
 */
struct wire_seen {
	uint64_t begin;
	uint64_t end;
	uint64_t frames;
	uint64_t sent;
	bool named;
};

/* Frames and pauses in between, as they come. */
void wire_json_begin(struct wire_judge *j, const struct wire_seen *seen);
void wire_json_frame(const struct wire_packet *p, const struct wire_frame *f,
		     bool sent, enum wire_finding found);
void wire_json_end(const struct wire_judge *j, const struct wire_file *w,
		   const struct wire_port *port);

#endif /* _WIRE_JSON_H */
