/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delivers segments of a train as one frame, see PARQ_RX_GRO. Each segment is checked and counted
 * when it arrives. One that cannot be stored at once ends the frame and goes the way of any
 * frame, as do those behind it: so buffers fill, and pauses are sent, as without trains.
 */
#ifndef _PARQSIM_GRO_H
#define _PARQSIM_GRO_H

#include "rxq.h"
#include "train.h"

struct mac;
struct rxbuf;
struct steer;

/**
 * struct gro_port - segments that have arrived at a port and are not delivered yet
 * @train: their train
 * @first: number of the first one in the train
 * @n: number of segments, 0 for none
 * @f: what the completion of their frame says
 */
struct gro_port {
	const struct train *train;
	u32 first;
	u32 n;
	struct rx_frame f;
};

/**
 * struct gro - the segments of all ports
 * @clock: the clock
 * @mac: the MACs
 * @steer: classifies
 * @rxbuf: receive buffers
 * @ports: number of ports
 * @port: by number
 * @frame: scratch: a segment as a frame
 */
struct gro {
	const struct clock *clock;
	struct mac *mac;
	struct steer *steer;
	struct rxbuf *rxbuf;
	u8 ports;
	struct gro_port *port;
	u8 frame[PARQSIM_FRAME_MAX];
};

void gro_reset(struct gro *g);
void gro_segment(struct gro *g, u32 port, const struct train *t, u32 i);
u32 gro_joins(struct gro *g, u32 port, const struct train *t, u32 i, u32 n);
void gro_joined(struct gro *g, u32 port, u32 n, u64 at);
void gro_end(struct gro *g, u32 port);

#endif /* _PARQSIM_GRO_H */
