/* SPDX-License-Identifier: GPL-2.0 */
/* The outer side of the NIC's ports: wires and recordings. */
#ifndef _PARQSIM_PORTS_H
#define _PARQSIM_PORTS_H

#include "record.h"
#include "spec.h"
#include "train.h"
#include "wire.h"

/**
 * struct ports - outer side of the ports
 * @host: the NIC for the wires; its host sets @loop, @epoch_ns, @now and @tell, which get
 *	the struct ports
 * @num: number of ports; the host sets it
 * @open: opens a wire of a kind that only the host has; NULL: there is none. Returns 0 or
 *	a negative errno
 * @sim: the core
 * @wire: by port, NULL: nothing is plugged in
 * @record: recordings; the host starts them
 * @unplugged: number of frames sent by ports without a wire
 * @train: the train that each port sends
 * @frame: scratch: a segment for a recording
 */
struct ports {
	struct wire_host host;
	u32 num;
	int (*open)(struct ports *p, u32 port, const struct wire_spec *w,
		    struct wire **out);
	struct parqsim *sim;
	struct wire *wire[PARQ_MAX_PORTS];
	struct record record;
	u64 unplugged[PARQ_MAX_PORTS];
	const struct train *train[PARQ_MAX_PORTS];
	u8 frame[PARQSIM_FRAME_MAX];
};

int ports_plug(struct ports *p, struct parqsim *sim,
	       const struct wire_spec spec[PARQ_MAX_PORTS]);
void ports_pull(struct ports *p);
void ports_unplug(struct ports *p);
void ports_tell(struct ports *p, u32 port);

/* Callbacks of struct parqsim_host, with @ctx = struct ports. */
u8 *ports_buffer(struct ports *p, u32 port);
void ports_frame(struct ports *p, u32 port, const u8 *data, u32 len, u64 start,
		 u64 end);
struct train *ports_train(struct ports *p, u32 port, u32 len);
void ports_segment(struct ports *p, u32 port, u64 start, u64 end);
void ports_train_end(struct ports *p, u32 port);
u32 ports_batch(struct ports *p, u32 port, u32 n, u64 step);
void ports_segments(struct ports *p, u32 port, u32 n, u64 step);
void ports_link(struct ports *p, u32 port, const struct parqsim_partner *self);

#endif /* _PARQSIM_PORTS_H */
