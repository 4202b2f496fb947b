/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wires, plugged into the ports. A frame that leaves a port at a time of the device clock
 * reaches the other end. A frame from the other end reaches the port when its last bit has
 * arrived, by the same clock.
 *
 * Losses are never silent: a frame that a wire cannot carry is counted at the port that
 * sent it or should receive it, and the first loss is reported. Frames that were on their way when
 * a link went down are counted where they should arrive: the link's own report tells of them.
 */
#ifndef _PARQSIM_WIRE_H
#define _PARQSIM_WIRE_H

#include "cable.h"
#include "parqsim.h"

#define WIRE_MIN_FRAME		60	/* without FCS */
#define WIRE_HEADER		14	/* addresses and type */

/* FCS, and preamble and minimum gap around a frame, in bytes. */
#define WIRE_OVERHEAD		(4 + 8 + 12)

/**
 * enum wire_news - reports of a wire
 * @WIRE_LINK_UP: its link is up
 * @WIRE_LINK_DOWN: its link is down
 * @WIRE_TX_LOST: the first sent frame was lost
 * @WIRE_RX_LOST: the first received frame was lost
 */
enum wire_news {
	WIRE_LINK_UP,
	WIRE_LINK_DOWN,
	WIRE_TX_LOST,
	WIRE_RX_LOST,
};

struct loop;

/**
 * struct wire_host - the NIC for its wires
 * @clock: clock of the core
 * @loop: event loop for the file descriptors of wires
 * @epoch_ns: CLOCK_MONOTONIC when the device clock was 0, ns
 * @now: returns the device clock for the present real time, ps; the core may be behind
 * @rx: the last bit of a frame has arrived at a port, now in the core's time
 * @rx_train: as parqsim_rx_train()
 * @rx_joins: as parqsim_rx_joins()
 * @rx_joined: as parqsim_rx_joined()
 * @merges: as parqsim_merges()
 * @link: as parqsim_link()
 * @self: as parqsim_link_self()
 * @tell: reports of a port's wire
 * @work: another NIC has given this one something to do; may be NULL
 * @ctx: argument of the callbacks
 */
struct wire_host {
	struct clock *clock;
	struct loop *loop;
	u64 epoch_ns;
	u64 (*now)(void *ctx);
	void (*rx)(void *ctx, u32 port, const u8 *data, u32 len);
	void (*rx_train)(void *ctx, u32 port, const struct train *t, u32 i, bool end);
	u32 (*rx_joins)(void *ctx, u32 port, const struct train *t, u32 i, u32 n);
	void (*rx_joined)(void *ctx, u32 port, u32 n, u64 at);
	bool (*merges)(void *ctx, u32 port);
	int (*link)(void *ctx, u32 port, const struct parqsim_partner *partner);
	void (*self)(void *ctx, u32 port, struct parqsim_partner *self);
	void (*tell)(void *ctx, u32 port, enum wire_news news);
	void (*work)(void *ctx);
	void *ctx;
};

/**
 * struct wire_stats - counters of one port's end of a wire, frames
 * @tx: sent by the port
 * @rx: delivered to the port
 * @tx_lost: sent and lost: no room, or no other end
 * @rx_lost: not delivered: too long, no room, or the link went down
 */
struct wire_stats {
	u64 tx;
	u64 rx;
	u64 tx_lost;
	u64 rx_lost;
};

/**
 * struct wire - one port's end of a wire
 * @ops: kind of wire
 * @host: the NIC
 * @stats: counters
 * @port: port into which it is plugged
 * @speed: speed of the link, -1 while it is down
 * @told: losses that have been reported
 */
struct wire {
	const struct wire_ops *ops;
	const struct wire_host *host;
	struct wire_stats stats;
	u32 port;
	int speed;
	bool told;
};

/**
 * struct wire_ops - a kind of wire
 * @buffer: memory of PARQSIM_FRAME_MAX bytes in which the next frame may be built, see struct
 *	parqsim_host; NULL if there is none now. NULL: never
 * @frame: the port sends a frame whose last bit leaves at @end; returns false if it is lost
 * @train: the port begins a train of up to @len bytes of payload, see struct parqsim_host; returns
 *	NULL if the wire takes single frames only. NULL: never
 * @segment: as @frame, for the newest segment of the train
 * @train_end: nothing is added to the train any more
 * @batch: as in struct parqsim_host; NULL: none
 * @segments: as in struct parqsim_host
 * @link: the port's settings have changed; answers with wire_partner()
 * @pull: this end is pulled out of its NIC and must not use it any more; an end in
 *	another NIC loses its link. NULL: nothing to do
 * @close: ends the wire and frees it
 */
struct wire_ops {
	u8 *(*buffer)(struct wire *w);
	bool (*frame)(struct wire *w, const u8 *data, u32 len, u64 end);
	struct train *(*train)(struct wire *w, u32 len);
	void (*segment)(struct wire *w, u64 end);
	void (*train_end)(struct wire *w);
	u32 (*batch)(struct wire *w, u32 n, u64 step);
	void (*segments)(struct wire *w, u32 n, u64 step);
	void (*link)(struct wire *w, const struct parqsim_partner *self);
	void (*pull)(struct wire *w);
	void (*close)(struct wire *w);
};

void wire_init(struct wire *w, const struct wire_ops *ops,
	       const struct wire_host *host, u32 port);
u8 *wire_buffer(struct wire *w);
void wire_frame(struct wire *w, const u8 *data, u32 len, u64 end);
struct train *wire_train(struct wire *w, u32 len);
void wire_segment(struct wire *w, u64 end);
void wire_train_end(struct wire *w);
u32 wire_batch(struct wire *w, u32 n, u64 step);
void wire_segments(struct wire *w, u32 n, u64 step);
void wire_link(struct wire *w, const struct parqsim_partner *self);
void wire_pull(struct wire *w);
void wire_close(struct wire *w);
void wire_rx(struct wire *w, const u8 *data, u32 len);
void wire_rx_train(struct wire *w, const struct train *t, u32 i, bool end);
u32 wire_rx_joins(struct wire *w, const struct train *t, u32 i, u32 n);
void wire_rx_joined(struct wire *w, u32 n, u64 at);
void wire_rx_lost(struct wire *w);
void wire_rx_cut(struct wire *w, u32 frames);
void wire_tx_lost(struct wire *w, u32 frames);
void wire_partner(struct wire *w, const struct parqsim_partner *partner);

#endif /* _PARQSIM_WIRE_H */
