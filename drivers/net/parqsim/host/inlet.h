/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way in for frames that come from outside the core's time: they wait here
 * until the device clock has come to the end of each. However fast they are
 * handed over, they arrive no faster than the link is.
 */
#ifndef _PARQSIM_INLET_H
#define _PARQSIM_INLET_H

#include "wire.h"

/**
 * struct inlet - frames that wait for their time
 * @wire: to whose port they are on their way
 * @cable: where they wait
 * @busy: when the last of them will have arrived, ps
 * @waiting: bytes that wait
 * @flow: there is no room any more, or there is again; NULL for a source that cannot wait
 * @stopped: there is none
 */
struct inlet {
	struct wire *wire;
	struct cable cable;
	u64 busy;
	size_t waiting;
	void (*flow)(struct inlet *in, bool go);
	bool stopped;
};

int inlet_init(struct inlet *in, struct wire *w,
	       void (*flow)(struct inlet *in, bool go));
void inlet_fini(struct inlet *in);
bool inlet_room(struct inlet *in);
void inlet_frame(struct inlet *in, const u8 *data, u32 len, u64 end);
void inlet_cut(struct inlet *in);

#endif /* _PARQSIM_INLET_H */
