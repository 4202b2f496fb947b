/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of stored frames that wait to leave by a port: a pool of descriptors, and FIFOs of them.
 * A frame is stored once, in the receive buffers of the port by which it came.
 */
#ifndef _PARQSIM_TRANSIT_H
#define _PARQSIM_TRANSIT_H

#include <linux/bits.h>
#include <linux/parq_hw.h>
#include <linux/types.h>

#include "cells.h"

#define TRANSIT_NONE	(~0U)
#define TRANSIT_PORT_BITS	(32 - CELL_BITS)

/* What becomes of the tag of a stored frame when a copy leaves. */
enum transit_edit {
	TRANSIT_AS_IS,
	TRANSIT_TAG,		/* a tag is inserted */
	TRANSIT_UNTAG,		/* its tag is removed */
	TRANSIT_VID,		/* its tag gets a VID */
};

/**
 * struct transit_desc - a copy
 * @next: next descriptor in its FIFO, or in the chain of free ones
 * @cell: first cell of the frame
 * @in: port by which the frame came
 * @order: as in struct fd, while it is parked
 * @len: bytes that leave, without FCS
 * @vid: of the tag that it gets by @edit
 * @edit: enum transit_edit
 * @extra: not the first copy of its frame
 * @mark: leaves with CE
 * @domain: by whose member of the port it leaves
 * @time: as in struct fd, while it is parked
 */
struct transit_desc {
	u32 next;
	u32 cell : CELL_BITS;
	u32 in : TRANSIT_PORT_BITS;
	u32 order;
	u16 len;
	u16 vid : 12;
	u16 edit : 2;
	u16 extra : 1;
	u16 mark : 1;
	u8 domain;
	u64 time;
};

static_assert(BIT(CELL_BITS) == PARQ_MAX_PORTS << CELL_PART_SHIFT &&
	      BIT(TRANSIT_PORT_BITS) == PARQ_MAX_PORTS);

/* A FIFO; all zero if it is empty. */
struct transit_fifo {
	u32 head;
	u32 tail;
	u32 count;
};

/**
 * struct transit - the pool
 * @desc: descriptors
 * @frames: frames that can be stored: each has a descriptor for its first copy
 * @extra: descriptors in use for more copies, of all frames together
 * @free: chain of descriptors that were freed
 * @fresh: first descriptor that was never used
 */
struct transit {
	struct transit_desc *desc;
	u32 frames;
	u32 extra;
	u32 free;
	u32 fresh;
};

/* Descriptors that a pool for @frames stored frames has. */
u32 transit_count(u32 frames);
void transit_reset(struct transit *t, u32 frames);

u32 transit_take(struct transit *t, bool extra);
void transit_put(struct transit *t, u32 i);
void transit_push(struct transit *t, struct transit_fifo *q, u32 i);
u32 transit_pop(struct transit *t, struct transit_fifo *q);
struct transit_fifo transit_extract(struct transit *t, struct transit_fifo *q, u32 domain,
				    u32 *first);

#endif /* _PARQSIM_TRANSIT_H */
