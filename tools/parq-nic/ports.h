/* SPDX-License-Identifier: GPL-2.0 */
/* The outer side of the NIC's ports: their wires, and who records them. */
#ifndef _PARQ_NIC_PORTS_H
#define _PARQ_NIC_PORTS_H

#include "options.h"
#include "wire/record.h"
#include "wire/wire.h"

/**
 * struct ports - the ports' outer sides
 * @host: the NIC, as the wires see it
 * @sim: the core
 * @wire: by port, NULL: nothing is plugged in
 * @record: recordings
 * @unplugged: frames sent by ports without a wire
 */
struct ports {
	struct wire_host host;
	struct parqsim *sim;
	struct wire *wire[PARQ_MAX_PORTS];
	struct record record;
	u64 unplugged[PARQ_MAX_PORTS];
};

int ports_plug(struct ports *p, struct parqsim *sim, struct loop *loop,
	       u64 epoch_ns, const struct wire_spec spec[PARQ_MAX_PORTS]);
void ports_unplug(struct ports *p);

/* struct parqsim_host's, with @ctx = struct ports. */
void ports_frame(struct ports *p, u32 port, const u8 *data, u32 len, u64 start,
		 u64 end);
void ports_link(struct ports *p, u32 port, const struct parqsim_partner *self);

void ports_print(const struct ports *p, FILE *out);

#endif /* _PARQ_NIC_PORTS_H */
