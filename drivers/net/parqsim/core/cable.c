// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/string.h>

#include "cable.h"

/*
 * Header of a record in the buffer; the frame's bytes follow. Records start at
 * multiples of the header's size, so a header never wraps. The bytes do not wrap
 * either, because @deliver needs them in one piece: a frame that does not fit
 * before the buffer's end starts at offset 0.
 */
struct cable_frame {
	u64 at;
	u32 len;
	u32 skip;	/* CABLE_SKIP: no frame, go on at the buffer's start */
};

#define CABLE_SKIP	1

static_assert(sizeof(struct cable_frame) == 16);

static u8 *at(const struct cable *c, size_t pos)
{
	return c->buf + (pos & (c->size - 1));
}

static size_t to_end(const struct cable *c, size_t pos)
{
	return c->size - (pos & (c->size - 1));
}

static size_t record_size(size_t len)
{
	size_t unit = sizeof(struct cable_frame);

	return unit + (len + unit - 1) / unit * unit;
}

/* Reads the oldest frame's header. Return: false if the cable is empty. */
static bool peek(struct cable *c, struct cable_frame *f)
{
	if (c->head == c->tail)
		return false;
	memcpy(f, at(c, c->head), sizeof(*f));
	if (f->skip) {
		c->head += to_end(c, c->head);
		memcpy(f, at(c, c->head), sizeof(*f));
	}
	return true;
}

/*
 * @deliver may call cable_send() and cable_cut(), so the frame stays in the buffer
 * until it returns. After a cut the head has moved already.
 */
static void arrive(void *ctx)
{
	struct cable *c = ctx;
	struct cable_frame f;
	size_t pos;

	peek(c, &f);
	pos = c->head;
	c->delivering = true;
	c->deliver(c->ctx, at(c, pos) + sizeof(f), f.len);
	c->delivering = false;
	if (c->head == pos)
		c->head += record_size(f.len);
	if (peek(c, &f))
		timer_set(c->clock, &c->timer, f.at);
}

/**
 * cable_init() - set up an empty cable
 * @c: the cable
 * @clock: clock that times the delivery
 * @delay: propagation delay, ps, see CABLE_PS_PER_M
 * @buf: memory for frames under way, any alignment
 * @size: of @buf, a power of two, at least 32
 * @deliver: called for each frame that arrives; the data is valid during the
 *	call, or until cable_cut()
 * @ctx: argument of @deliver
 */
void cable_init(struct cable *c, struct clock *clock, u64 delay, void *buf,
		size_t size,
		void (*deliver)(void *ctx, const u8 *data, u32 len),
		void *ctx)
{
	*c = (struct cable){
		.delay = delay,
		.clock = clock,
		.deliver = deliver,
		.ctx = ctx,
		.buf = buf,
		.size = size,
	};
	timer_init(&c->timer, arrive, c);
}

/**
 * cable_send() - put a frame on the cable
 * @c: the cable
 * @data: the frame, copied
 * @len: its bytes
 * @end: when its last bit leaves this end, ps; must not be before the end of the
 *	previous frame
 *
 * Return: false if the buffer has no room; the frame is lost and counted in @lost.
 */
bool cable_send(struct cable *c, const u8 *data, u32 len, u64 end)
{
	struct cable_frame f = { .at = end + c->delay, .len = len };
	struct cable_frame skip = { .skip = CABLE_SKIP };
	size_t need = record_size(len), tail = c->tail;
	bool empty = c->head == tail;

	if (len > c->size || need > c->size)
		goto lost;
	if (need > to_end(c, tail))
		tail += to_end(c, tail);
	if (empty)
		c->head = tail;
	else if (tail + need - c->head > c->size)
		goto lost;
	else if (tail != c->tail)
		memcpy(at(c, c->tail), &skip, sizeof(skip));
	memcpy(at(c, tail), &f, sizeof(f));
	memcpy(at(c, tail) + sizeof(f), data, len);
	c->tail = tail + need;
	if (empty)
		timer_set(c->clock, &c->timer, f.at);
	return true;
lost:
	c->lost++;
	return false;
}

/**
 * cable_cut() - discard all frames under way
 * @c: the cable, which can be used again at once
 *
 * Return: their number, without one that is being delivered.
 */
u32 cable_cut(struct cable *c)
{
	struct cable_frame f;
	u32 frames = 0;

	timer_cancel(c->clock, &c->timer);
	for (; peek(c, &f); c->head += record_size(f.len)) {
		frames += !c->delivering;
		c->delivering = false;
	}
	return frames;
}
