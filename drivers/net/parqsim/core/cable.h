/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a cable in virtual time: a frame that ended at one end
 * arrives at the other after the time that light takes.
 */
#ifndef _PARQSIM_CABLE_H
#define _PARQSIM_CABLE_H

#include "clock.h"

/* Signal speed in fibre and copper, about two thirds of light's: 5 ns a metre. */
#define CABLE_PS_PER_M		5000

/**
 * struct cable - one direction
 * @delay: of its length, ps
 * @lost: frames for which the buffer had no room
 * @clock: the time it lives in
 * @timer: arrival of the frame at @head; set whenever a frame is under way
 * @deliver: takes what arrives
 * @ctx: its argument
 * @buf: frames under way, each a struct cable_frame and its bytes
 * @size: of @buf, a power of two
 * @head: position of the oldest frame; positions count up and do not wrap
 * @tail: position of the next frame
 */
struct cable {
	u64 delay;
	u64 lost;
	struct clock *clock;
	struct timer timer;
	void (*deliver)(void *ctx, const u8 *data, u32 len);
	void *ctx;
	u8 *buf;
	size_t size;
	size_t head;
	size_t tail;
};

/*
 * @buf of @size bytes (a power of two) holds what is under way, each frame with
 * up to 31 bytes more; @deliver is called when a frame's last bit arrives, at
 * that time of @clock.
 */
void cable_init(struct cable *c, struct clock *clock, u64 delay, void *buf,
		size_t size,
		void (*deliver)(void *ctx, const u8 *data, u32 len),
		void *ctx);

/* A frame whose last bit leaves this end at @end. False: no room, lost. */
bool cable_send(struct cable *c, const u8 *data, u32 len, u64 end);

/* Cuts the cable: what is under way is gone. */
void cable_cut(struct cable *c);

#endif /* _PARQSIM_CABLE_H */
