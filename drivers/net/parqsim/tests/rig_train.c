// SPDX-License-Identifier: GPL-2.0
/*
 * Trains that the NIC sends. The oracle sees each segment as a frame. Without a cable their
 * payload is in a heap block of its exact length, so that ASan sees a byte too many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cable.h"
#include "clock.h"
#include "rig_priv.h"

static struct train *own_train(struct rig_train *p, u32 room)
{
	p->mem = calloc(1, sizeof(struct train) + TRAIN_HDR + room);
	p->t = (struct train *)p->mem;
	p->t->payload = p->mem + sizeof(struct train) + TRAIN_HDR;
	p->t->room = room;
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

void rig_segment(void *ctx, u32 port, u64 start, u64 end)
{
	struct rig *r = ctx;
	const struct train *t = r->port[port].train.t;
	u32 i = t->n - 1, len = train_seg_len(t, i);
	u8 *frame = malloc(len);

	assert_true(t->len <= t->room);
	/* Segments follow each other without a gap longer than the smallest. */
	if (i)
		assert_true(start == r->port[port].wire_free || r->lenient);
	assert_int_equal(train_segment(t, i, frame), len);
	rig_saw(r, port, frame, len, start, end);
	free(frame);
	if (r->cable[port])
		cable_segment(r->cable[port], end);
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
	free(p->mem);
	*p = (struct rig_train){ .t = NULL };
}
