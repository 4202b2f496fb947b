/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a cable in virtual time: delivers each frame after the
 * propagation delay.
 */
#ifndef _PARQSIM_CABLE_H
#define _PARQSIM_CABLE_H

#include "clock.h"

/* Signal speed in fibre and copper, about two thirds of light's: 5 ns a metre. */
#define CABLE_PS_PER_M		5000

/**
 * struct cable - one direction
 * @delay: propagation delay, ps
 * @lost: frames for which the buffer had no room
 * @delivering: the frame at @head is being delivered
 * @clock: clock that times the delivery
 * @timer: arrival of the frame at @head; set while a frame is under way
 * @deliver: called when a frame arrives
 * @ctx: argument of @deliver
 * @buf: frames under way, each a struct cable_frame and its bytes
 * @size: of @buf, a power of two
 * @head: position of the oldest frame; positions count up and do not wrap
 * @tail: position of the next frame
 */
struct cable {
	u64 delay;
	u64 lost;
	bool delivering;
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
 * @buf has @size bytes (a power of two). Each frame takes up to 31 bytes more than
 * its length. @deliver is called at the time of @clock at which the frame's last bit
 * arrives.
 */
void cable_init(struct cable *c, struct clock *clock, u64 delay, void *buf,
		size_t size,
		void (*deliver)(void *ctx, const u8 *data, u32 len),
		void *ctx);

/* Sends a frame whose last bit leaves this end at @end. Return: false if it is lost: no room. */
bool cable_send(struct cable *c, const u8 *data, u32 len, u64 end);

/* Arrival of the oldest frame under way, ps, or 0. */
static inline u64 cable_first(const struct cable *c)
{
	return c->head != c->tail ? c->timer.at : 0;
}

/* Discards all frames under way. Return: their number. */
u32 cable_cut(struct cable *c);

#endif /* _PARQSIM_CABLE_H */
