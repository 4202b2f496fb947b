/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a cable in virtual time: delivers each frame after the propagation delay, and
 * each segment of a train.
 */
#ifndef _PARQSIM_CABLE_H
#define _PARQSIM_CABLE_H

#include "clock.h"
#include "train.h"

struct train_sent;

/* Signal speed in fibre and copper, about two thirds of light's: 5 ns a metre. */
#define CABLE_PS_PER_M		5000

/**
 * struct cable - one direction
 * @delay: propagation delay, ps, and how far the receiver's clock is ahead of the sender's,
 *	which may make the sum negative
 * @lost: frames for which the buffer had no room
 * @delivering: the frame at @head is being delivered
 * @clock: clock that times the delivery
 * @timer: arrival of the frame at @head; set while a frame is under way
 * @deliver: called when a frame arrives
 * @train: called when segment @i of a train arrives, none if @i is the number of segments. With
 *	@end no other follows. The owner sets it after cable_init(); NULL: no trains
 * @joins: returns how many of the next @n segments, from @i on, the receiver would take at once.
 *	The owner sets it and @joined after cable_init(); NULL: no batches
 * @joined: called when @n of these have arrived, the last one at @at
 * @ctx: argument of the callbacks
 * @open: train to which segments may be added, NULL for none
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
	void (*train)(void *ctx, const struct train *t, u32 i, bool end);
	u32 (*joins)(void *ctx, const struct train *t, u32 i, u32 n);
	void (*joined)(void *ctx, u32 n, u64 at);
	void *ctx;
	struct train_sent *open;
	u8 *buf;
	size_t size;
	size_t head;
	size_t tail;
};

/*
 * @buf has @size bytes (a power of two), aligned to 8 for trains. Each frame takes up to 31
 * bytes more than its length. @deliver is called at the time of @clock at which the frame's last
 * bit arrives.
 */
void cable_init(struct cable *c, struct clock *clock, u64 delay, void *buf,
		size_t size,
		void (*deliver)(void *ctx, const u8 *data, u32 len),
		void *ctx);

/* Memory of @len bytes for the next frame, in which it may be built; NULL: none. */
u8 *cable_buffer(struct cable *c, u32 len);

/* Sends a frame whose last bit leaves this end at @end. Return: false if it is lost: no room. */
bool cable_send(struct cable *c, const u8 *data, u32 len, u64 end);

/*
 * Begins a train, with room for @len bytes of payload or fewer; NULL: no room. cable_segment()
 * sends its newest segment, and cable_train_end() comes before the next frame.
 */
struct train *cable_train(struct cable *c, u32 len);
void cable_segment(struct cable *c, u64 end);
void cable_train_end(struct cable *c, u64 now);

/*
 * Sends several segments at once: the first one @step after the newest, each other one @step after
 * the one before. If cable_batch() returns how many there may be, cable_segments() comes next. By
 * then they are in the train. @now is the sender's present time by the receiver's clock.
 */
u32 cable_batch(struct cable *c, u32 n, u64 step, u64 now);
void cable_segments(struct cable *c, u32 n, u64 step, u64 now);

/* Arrival of the oldest frame under way, ps, or 0. */
static inline u64 cable_first(const struct cable *c)
{
	return c->head != c->tail ? c->timer.at : 0;
}

/* Discards all frames under way. Return: their number, segments included. */
u32 cable_cut(struct cable *c);

#endif /* _PARQSIM_CABLE_H */
