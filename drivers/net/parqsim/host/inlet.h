/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry for frames from outside the core's time. They wait here until the device clock has
 * reached the end of each frame. However fast they are passed in, they arrive no faster
 * than the link carries them. Those that would wait for long are lost. MAC control frames pass
 * those that wait: behind them a pause would come too late.
 */
#ifndef _PARQSIM_INLET_H
#define _PARQSIM_INLET_H

#include "wire.h"

/**
 * struct inlet - frames that wait for their time
 * @wire: wire of the port that receives them
 * @cable: holds the waiting frames
 * @busy: arrival of the last of them, ps
 * @waiting: number of waiting bytes in @cable
 * @express: holds MAC control frames that have passed others
 * @express_busy: arrival of the last of them, ps
 * @flow: called when room ends or returns; NULL for a source that cannot be stopped
 * @stopped: the source is stopped
 */
struct inlet {
	struct wire *wire;
	struct cable cable;
	u64 busy;
	size_t waiting;
	struct cable express;
	u64 express_busy;
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
