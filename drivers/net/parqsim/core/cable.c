// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/compiler.h>
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
	u32 kind;
};

#define CABLE_SKIP	1	/* no frame, go on at the buffer's start */
#define CABLE_TRAIN	2	/* a struct train_sent */

static_assert(sizeof(struct cable_frame) == 16);

/**
 * struct train_sent - a train on the cable; TRAIN_HDR bytes and the payload follow
 * @t: the train
 * @first: arrival of its first segment, ps
 * @step: time between the arrivals of two segments, ps
 * @newest: arrival of the newest segment, ps
 * @pos: position of its record
 * @arrived: number of segments that have arrived
 */
struct train_sent {
	struct train t;
	u64 first;
	u64 step;
	u64 newest;
	size_t pos;
	u32 arrived;
};

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
	if (f->kind == CABLE_SKIP) {
		c->head += to_end(c, c->head);
		memcpy(f, at(c, c->head), sizeof(*f));
	}
	return true;
}

static struct train_sent *train_at(const struct cable *c, size_t pos)
{
	return (struct train_sent *)(at(c, pos) + sizeof(struct cable_frame));
}

/* All segments are full but the last one of the frame, which can only be the newest. */
static u64 segment_arrival(const struct train_sent *ct, u32 i)
{
	return i + 1 == ct->t.n ? ct->newest : ct->first + i * ct->step;
}

/* A segment arrives, or the news that none follows. Return: the train is over. */
static bool arrive_train(struct cable *c, struct train_sent *ct)
{
	u32 i = ct->arrived;
	bool end;

	if (i < ct->t.n)
		ct->arrived++;
	end = c->open != ct && ct->arrived == ct->t.n;
	c->train(c->ctx, &ct->t, i, end);
	return end;
}

/* The next segment arrives if it has been sent. */
static void await_segment(struct cable *c, const struct train_sent *ct)
{
	if (ct->arrived < ct->t.n)
		timer_set(c->clock, &c->timer, segment_arrival(ct, ct->arrived));
}

/*
 * @deliver may call cable_send() and cable_cut(), so the frame stays in the buffer
 * until it returns. After a cut the head has moved already.
 */
static void arrive(void *ctx)
{
	struct cable *c = ctx;
	struct cable_frame f;
	bool over = true;
	size_t pos;

	peek(c, &f);
	pos = c->head;
	c->delivering = true;
	if (f.kind == CABLE_TRAIN)
		over = arrive_train(c, train_at(c, pos));
	else
		c->deliver(c->ctx, at(c, pos) + sizeof(f), f.len);
	c->delivering = false;
	if (c->head == pos) {
		if (!over) {
			await_segment(c, train_at(c, pos));
			return;
		}
		c->head += record_size(f.len);
	}
	if (peek(c, &f))
		timer_set(c->clock, &c->timer, f.at);
}

/**
 * cable_init() - set up an empty cable
 * @c: the cable
 * @clock: clock that times the delivery
 * @delay: propagation delay, ps, see CABLE_PS_PER_M
 * @buf: memory for frames under way; aligned to 8 for trains
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

/* Finds room for a record. Return: false if there is none. */
static __always_inline bool place(const struct cable *c, u32 len, size_t *pos)
{
	size_t need = record_size(len), tail = c->tail;

	if (len > c->size || need > c->size)
		return false;
	if (need > to_end(c, tail))
		tail += to_end(c, tail);
	*pos = tail;
	return c->head == c->tail || tail + need - c->head <= c->size;
}

/* Puts a record on the cable, at a position found by place(). Its contents are there already. */
static __always_inline void append(struct cable *c, size_t pos, const struct cable_frame *f)
{
	struct cable_frame skip = { .kind = CABLE_SKIP };
	bool empty = c->head == c->tail;

	if (empty)
		c->head = pos;
	else if (pos != c->tail)
		memcpy(at(c, c->tail), &skip, sizeof(skip));
	memcpy(at(c, pos), f, sizeof(*f));
	c->tail = pos + record_size(f->len);
	if (empty)
		timer_set(c->clock, &c->timer, f->at);
}

/**
 * cable_buffer() - memory of the next frame
 * @c: the cable, without an open train
 * @len: most that the frame may have, bytes
 *
 * A shorter frame has the same place. Nothing is on the cable before cable_send().
 *
 * Return: @len bytes; NULL: there is no room behind the frame sent last.
 */
u8 *cable_buffer(struct cable *c, u32 len)
{
	size_t pos;

	if (!place(c, len, &pos) || pos != c->tail)
		return NULL;
	return at(c, pos) + sizeof(struct cable_frame);
}

/*
 * Time of arrival of what leaves at @time. The sender's clock may be behind the whole life of the
 * receiver, so that the delay between the two is negative: then it arrives at 0.
 */
static u64 arrival(const struct cable *c, u64 time)
{
	u64 at = time + c->delay;

	return (s64)c->delay < 0 && at > time ? 0 : at;
}

/**
 * cable_send() - put a frame on the cable
 * @c: the cable
 * @data: the frame; copied, unless it was built in cable_buffer()
 * @len: its bytes
 * @end: when its last bit leaves this end, ps; must not be before the end of the
 *	previous frame
 *
 * Return: false if the buffer has no room; the frame is lost and counted in @lost.
 */
bool cable_send(struct cable *c, const u8 *data, u32 len, u64 end)
{
	struct cable_frame f = { .at = arrival(c, end), .len = len };
	size_t pos;
	u8 *to;

	if (!place(c, len, &pos)) {
		c->lost++;
		return false;
	}
	to = at(c, pos) + sizeof(f);
	if (data != to)
		memcpy(to, data, len);
	append(c, pos, &f);
	return true;
}

/**
 * cable_train() - begin a train
 * @c: the cable
 * @len: bytes of payload that may follow
 *
 * Nothing is on the cable before cable_segment(). All of a train stays in the buffer until its
 * last segment has arrived, and short trains take more room than their segments. So half of the
 * buffer is left to frames and to one train.
 *
 * Return: a train without segments; NULL if half of the buffer is in use, or the receiver takes
 * none.
 */
struct train *cable_train(struct cable *c, u32 len)
{
	u32 most = sizeof(struct train_sent) + TRAIN_HDR;
	struct train_sent *ct;
	size_t pos, room;

	c->open = NULL;
	if (!c->train || c->tail - c->head > c->size / 2 || !place(c, most, &pos))
		return NULL;
	room = c->size - (c->head == c->tail ? 0 : pos - c->head);
	if (room > to_end(c, pos))
		room = to_end(c, pos);
	room -= sizeof(struct cable_frame) + most;
	ct = train_at(c, pos);
	ct->t.payload = (u8 *)(ct + 1) + TRAIN_HDR;
	ct->t.room = len < room ? len : room;
	ct->t.len = 0;
	ct->t.n = 0;
	ct->pos = pos;
	ct->arrived = 0;
	c->open = ct;
	return &ct->t;
}

/**
 * cable_segment() - send the newest segment of the train
 * @c: the cable
 * @end: when its last bit leaves this end, ps
 */
void cable_segment(struct cable *c, u64 end)
{
	struct train_sent *ct = c->open;
	struct cable_frame f = {
		.at = arrival(c, end),
		.len = sizeof(*ct) + TRAIN_HDR + ct->t.len,
		.kind = CABLE_TRAIN,
	};
	bool idle = ct->arrived && ct->arrived + 1 == ct->t.n;

	ct->newest = f.at;
	if (ct->t.n == 1) {
		ct->first = f.at;
		append(c, ct->pos, &f);
		return;
	}
	if (ct->t.n == 2)
		ct->step = f.at - ct->first;
	f.at = ct->first;
	memcpy(at(c, ct->pos), &f, sizeof(f));
	c->tail = ct->pos + record_size(f.len);
	if (idle)
		timer_set(c->clock, &c->timer, ct->newest);
}

/* Segments were added to the train on the cable: the newest arrives by @ps later. */
static void extend(struct cable *c, struct train_sent *ct, u64 ps)
{
	struct cable_frame f = {
		.at = ct->first,
		.len = sizeof(*ct) + TRAIN_HDR + ct->t.len,
		.kind = CABLE_TRAIN,
	};

	ct->newest += ps;
	memcpy(at(c, ct->pos), &f, sizeof(f));
	c->tail = ct->pos + record_size(f.len);
}

/* Whether the next to arrive is a segment of the open train. */
static bool batch_is_first(const struct cable *c)
{
	return c->head == c->open->pos;
}

/* Segments that arrive until @until if @n more follow. */
static u32 arrivals(const struct train_sent *ct, u32 n, u64 until)
{
	u64 next = ct->first + ct->arrived * ct->step, due = 0;
	u32 left = ct->t.n + n - ct->arrived;

	if (next <= until)
		due = (until - next) / ct->step + 1;
	return due < left ? due : left;
}

/**
 * cable_batch() - prepare to send several segments at once
 * @c: the cable, whose open train has at least two segments
 * @n: their number
 * @step: time of each on the wire, ps
 * @now: start of the newest segment so far, by the receiver's clock, ps
 *
 * Until the start of the last of them nothing arrives, or segments that the receiver takes at
 * once. The timer of their arrival is off until cable_segments(). A sender that is late gets none:
 * its segments arrive in the receiver's past, and so at the receiver's present time.
 *
 * Return: how many there may be, at most @n; 0: cable_segments() must not follow.
 */
u32 cable_batch(struct cable *c, u32 n, u64 step, u64 now)
{
	struct train_sent *ct = c->open;
	u32 arrive, joined;

	if (!c->joins || !ct || ct->step != step)
		return 0;
	/* What arrives before the train has a timer that the caller sees. */
	if (!batch_is_first(c))
		return n;
	if (ct->first + ct->arrived * ct->step < c->clock->now)
		return 0;
	arrive = arrivals(ct, n, now + n * step);
	joined = arrive ? c->joins(c->ctx, &ct->t, ct->arrived, arrive) : 0;
	if (arrive - joined >= n)
		return 0;
	timer_cancel(c->clock, &c->timer);
	return n - (arrive - joined);
}

/**
 * cable_segments() - send several segments at once
 * @c: the cable
 * @n: their number; 0: none after all
 * @step: as in cable_batch()
 * @now: start of the newest segment, by the receiver's clock, ps
 */
void cable_segments(struct cable *c, u32 n, u64 step, u64 now)
{
	struct train_sent *ct = c->open;
	u32 arrived;

	if (n)
		extend(c, ct, n * step);
	if (!batch_is_first(c))
		return;
	if (!n) {
		timer_resume(c->clock, &c->timer);
		return;
	}
	arrived = arrivals(ct, 0, now);
	if (arrived)
		c->joined(c->ctx, arrived, ct->first + (ct->arrived + arrived - 1) * step);
	ct->arrived += arrived;
	await_segment(c, ct);
}

/**
 * cable_train_end() - end the train
 * @c: the cable
 * @now: present time of the sender, ps
 */
void cable_train_end(struct cable *c, u64 now)
{
	struct train_sent *ct = c->open;

	c->open = NULL;
	if (ct && ct->t.n && ct->arrived == ct->t.n)
		timer_set(c->clock, &c->timer, arrival(c, now));
}

/**
 * cable_cut() - discard all frames under way
 * @c: the cable, which can be used again at once
 *
 * Return: their number, without one that is being delivered.
 */
u32 cable_cut(struct cable *c)
{
	const struct train_sent *ct;
	struct cable_frame f;
	u32 frames = 0;

	timer_cancel(c->clock, &c->timer);
	c->open = NULL;
	for (; peek(c, &f); c->head += record_size(f.len)) {
		ct = train_at(c, c->head);
		frames += f.kind == CABLE_TRAIN ? ct->t.n - ct->arrived : !c->delivering;
		c->delivering = false;
	}
	return frames;
}
