// SPDX-License-Identifier: GPL-2.0
/* The oracle watches the wire. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "cable.h"
#include "clock.h"
#include "rig_priv.h"

static const u8 *tag_of(const u8 *data)
{
	return data + HDR_LEN + (data[12] == 0x81 ? 4 : 0);
}

void rig_tag(const u8 *f, u32 *queue, u32 *seq)
{
	const u8 *tag = tag_of(f);

	assert_int_equal(tag[0], MAGIC);
	*queue = tag[1];
	*seq = get_be32(tag + 2);
}

/* A control frame of the NIC; the host posts none. */
static void control_frame(struct rig *r, u32 port, const u8 *data, u32 len,
			  u64 start)
{
	struct rig_port *p = &r->port[port];
	struct rig_ctrl *c = &p->ctrl[p->ctrls++ % RIG_CTRL];

	rig_say(r, "port %u sends MAC control, opcode %#x", port,
		data[14] << 8 | data[15]);
	assert_int_equal(len, sizeof(c->f));
	c->at = start;
	memcpy(c->f, data, len);
}

const struct rig_ctrl *rig_ctrl(struct rig *r, u32 port, u32 n)
{
	struct rig_port *p = &r->port[port];

	assert_true(n < p->ctrls && n + RIG_CTRL >= p->ctrls);
	return &p->ctrl[n % RIG_CTRL];
}

/* Frames do not overlap, and take exactly their time. */
static void check_time(struct rig *r, u32 port, u32 len, u64 start, u64 end)
{
	struct rig_port *p = &r->port[port];

	assert_true(start == rig_now(r) || (r->in_batch && start < rig_now(r)));
	assert_true(start >= p->wire_free);
	p->wire_free = end + 12ULL * p->byte_ps;
	assert_int_equal(end - start, (u64)(8 + len + 4) * p->byte_ps);
}

/* Time from which a pause of the class is not obeyed any more. */
static u64 storm_at(const struct rig_port *p, const struct rig_class *c)
{
	return p->storm_limit ? c->pause_since + p->storm_limit : ~0ULL;
}

/* A storm lasts from the limit of its pause to the end of the time to restore. */
static void track_storm(struct rig *r, const struct rig_port *p, struct rig_class *c)
{
	u64 start = storm_at(p, c);

	if (rig_now(r) < c->pause_until) {
		c->storm = rig_now(r) >= start;
		return;
	}
	if (!c->over)
		c->storm = c->pause_until >= start;
	c->over = true;
	c->storm &= rig_now(r) >= start && rig_now(r) < c->pause_until + p->storm_restore;
}

/* Must be called before any change that affects pauses, and after those of storms. */
void rig_look_for_drops(struct rig *r, u32 port)
{
	struct rig_port *p = &r->port[port];
	struct rig_class *c;
	u64 until;

	for (c = p->cls; c < p->cls + PARQ_NUM_PRIO; c++) {
		until = rig_now(r) < c->pause_until ? rig_now(r) :
						      c->pause_until;
		track_storm(r, p, c);
		if (!p->storm_forward && (c->storm || until >= storm_at(p, c)))
			c->drops = true;
	}
}

/* No frame starts during a pause, unless the pause is a storm. */
static void check_silence(struct rig *r, u32 port, const struct rig_class *c, u64 start)
{
	const struct rig_port *p = &r->port[port];

	if (start < c->pause_until)
		assert_true(p->storm_forward && start >= storm_at(p, c));
}

/*
 * I1 to I4 for one frame: it belongs to a queue and is that queue's next one, so none was
 * lost, sent twice or overtaken, apart from frames that a storm has cost. Its class is not
 * paused.
 */
static void data_frame(struct rig *r, u32 port, const u8 *data, u32 len,
		       u64 start)
{
	struct rig_port *p = &r->port[port];
	struct rig_class *c;
	u32 queue, seq;

	assert_true(len >= HDR_LEN + TAG_LEN);
	rig_tag(data, &queue, &seq);
	assert_in_range(queue, 0, RIG_QUEUES - 1);
	c = &p->cls[queue % 8];
	rig_say(r, "port %u sends queue %u number %u", port, queue, seq);
	rig_look_for_drops(r, port);
	assert_true(seq >= p->txq[queue].seen);
	assert_true(seq == p->txq[queue].seen || c->drops);
	p->txq[queue].seen = seq + 1;
	p->txq[queue].sent++;
	check_silence(r, port, c, start);
	c->sent++;
	c->bytes += len;
	c->last_sent = start;
}

void rig_saw(struct rig *r, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	if (r->wire)
		r->wire(r->wire_ctx, port, data, len, end);
	if (r->lenient)
		return;
	check_time(r, port, len, start, end);
	if (data[12] == 0x88 && data[13] == 0x08)
		control_frame(r, port, data, len, start);
	else
		data_frame(r, port, data, len, start);
}

u8 *rig_buffer(void *ctx, u32 port)
{
	struct rig *r = ctx;
	struct rig_port *p = &r->port[port];

	if (r->cable[port])
		return cable_buffer(r->cable[port], PARQSIM_FRAME_MAX);
	return p->buffers++ % 2 ? p->buffer : NULL;
}

void rig_frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	struct rig *r = ctx;

	assert_null(r->port[port].train.t);
	rig_saw(r, port, data, len, start, end);
	if (r->cable[port])
		cable_send(r->cable[port], data, len, end);
}

/* The oracle now holds the classes that the frame pauses. */
void rig_hear_pfc(struct rig *r, u32 port, const u8 *f)
{
	struct rig_port *p = &r->port[port];
	u32 prio, quanta;

	rig_look_for_drops(r, port);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct rig_class *c = &p->cls[prio];

		if (!(f[17] & p->pfc_en & BIT(prio)))
			continue;
		quanta = f[18 + 2 * prio] << 8 | f[19 + 2 * prio];
		if (rig_now(r) >= c->pause_until) {
			if (!quanta)
				continue;
			if (!c->storm)
				c->pause_since = rig_now(r);
			c->over = false;
		}
		c->pause_until = rig_now(r) + (u64)quanta * 64 * p->byte_ps;
	}
}

/* ---- trains ------------------------------------------------------------- */

/*
 * The oracle sees each segment as a frame. Without a cable the payload is in a heap block of its
 * exact length, so that ASan sees a byte too many. As on a cable, a train begins with what is left
 * of the last one.
 */
static struct train *own_train(struct rig_train *p, u32 room)
{
	p->mem = realloc(p->mem, sizeof(struct train) + TRAIN_HDR + room);
	p->t = (struct train *)p->mem;
	p->t->payload = p->mem + sizeof(struct train) + TRAIN_HDR;
	p->t->room = room;
	p->t->len = 0;
	p->t->n = 0;
	return p->t;
}

struct train *rig_train(void *ctx, u32 port, u32 len)
{
	struct rig *r = ctx;
	struct rig_train *p = &r->port[port].train;
	u32 room = len < r->train_room ? len : r->train_room;

	assert_null(p->t);
	if (!room)
		return NULL;
	if (!r->cable[port])
		return own_train(p, room);
	p->t = cable_train(r->cable[port], room);
	return p->t;
}

static void saw_segment(struct rig *r, u32 port, u32 i, u64 start, u64 end)
{
	const struct train *t = r->port[port].train.t;
	u32 len = train_seg_len(t, i);
	u8 *frame = malloc(len);

	assert_true(t->len <= t->room);
	/* Segments follow each other without a gap longer than the smallest. */
	if (i)
		assert_true(start == r->port[port].wire_free || r->lenient);
	assert_int_equal(train_segment(t, i, frame), len);
	rig_saw(r, port, frame, len, start, end);
	free(frame);
}

void rig_segment(void *ctx, u32 port, u64 start, u64 end)
{
	struct rig *r = ctx;

	saw_segment(r, port, r->port[port].train.t->n - 1, start, end);
	if (r->cable[port])
		cable_segment(r->cable[port], end);
}

u32 rig_batch(void *ctx, u32 port, u32 n, u64 step)
{
	struct rig *r = ctx;

	if (!r->batches)
		return 0;
	return r->cable[port] ? cable_batch(r->cable[port], n, step, rig_now(r) + r->ahead) : n;
}

void rig_segments(void *ctx, u32 port, u32 n, u64 step)
{
	const struct train *t;
	struct rig *r = ctx;
	u64 start, gap;
	u32 i;

	t = r->port[port].train.t;
	gap = 12 * step / (train_seg_len(t, 0) + 24);
	r->in_batch = true;
	for (i = n; i; i--) {
		start = rig_now(r) - (i - 1) * step;
		saw_segment(r, port, t->n - i, start, start + step - gap);
	}
	r->in_batch = false;
	r->batched += n;
	if (r->cable[port])
		cable_segments(r->cable[port], n, step, rig_now(r) + r->ahead);
}

/* The partner's time. */
u64 rig_others(void *ctx)
{
	const struct rig *r = ctx;
	u64 next = r->partner ? parqsim_next(r->partner->sim) : PARQSIM_NEVER;

	return next == PARQSIM_NEVER ? next : next - r->ahead;
}

void rig_train_end(void *ctx, u32 port)
{
	struct rig *r = ctx;
	struct rig_train *p = &r->port[port].train;

	assert_non_null(p->t);
	if (p->t->n > 1) {
		r->trains++;
		r->segs = p->t->n;
	}
	if (r->cable[port])
		cable_train_end(r->cable[port], rig_now(r));
	p->t = NULL;
}
