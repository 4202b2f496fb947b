// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/slab.h>

#include "inlet.h"

#define INLET_SIZE	(4 << 20)
#define INLET_STOP	(INLET_SIZE / 2)	/* waiting bytes at which the source stops */
#define INLET_GO	(INLET_SIZE / 4)	/* and at which it continues */

/* Largest number of bytes that a frame takes in the cable's buffer. */
static size_t inlet_cost(u32 len)
{
	return len + 32;
}

static void inlet_go(struct inlet *in)
{
	if (!in->stopped || in->waiting > INLET_GO)
		return;
	in->stopped = false;
	in->flow(in, true);
}

static void inlet_deliver(void *ctx, const u8 *data, u32 len)
{
	struct inlet *in = ctx;

	in->waiting -= inlet_cost(len);
	wire_rx(in->wire, data, len);
	inlet_go(in);
}

/**
 * inlet_init() - set up an empty inlet
 * @in: to initialise
 * @w: wire of the port that receives the frames
 * @flow: stops and restarts the source, see inlet_room(); NULL if it cannot be stopped
 *
 * Return: 0 or -ENOMEM.
 */
int inlet_init(struct inlet *in, struct wire *w,
	       void (*flow)(struct inlet *in, bool go))
{
	void *buf = kvmalloc(INLET_SIZE, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	*in = (struct inlet){ .wire = w, .flow = flow };
	cable_init(&in->cable, w->host->clock, 0, buf, INLET_SIZE,
		   inlet_deliver, in);
	return 0;
}

void inlet_fini(struct inlet *in)
{
	cable_cut(&in->cable);
	kvfree(in->cable.buf);
}

/**
 * inlet_room() - whether more frames may be read
 * @in: the inlet
 *
 * If not, the source is stopped until frames have been delivered.
 *
 * Return: inlet_frame() has room for a frame of maximum length.
 */
bool inlet_room(struct inlet *in)
{
	if (in->waiting < INLET_STOP)
		return true;
	if (!in->stopped) {
		in->stopped = true;
		in->flow(in, false);
	}
	return false;
}

/**
 * inlet_frame() - accept a frame from outside
 * @in: the inlet
 * @data: the frame
 * @len: WIRE_HEADER to PARQSIM_FRAME_MAX
 * @end: arrival of its last bit if the link is free, ps; may be in the past
 */
void inlet_frame(struct inlet *in, const u8 *data, u32 len, u64 end)
{
	u64 bits, now = in->wire->host->clock->now;

	if (in->wire->speed < 0) {
		wire_rx_lost(in->wire);
		return;
	}
	bits = (u64)(len + WIRE_OVERHEAD) *
	       parqsim_byte_ps((unsigned int)in->wire->speed);
	if (end < in->busy + bits)
		end = in->busy + bits;
	if (end < now)
		end = now;
	if (!cable_send(&in->cable, data, len, end)) {
		wire_rx_lost(in->wire);
		return;
	}
	in->busy = end;
	in->waiting += inlet_cost(len);
}

/* Discards waiting frames: the link is down. */
void inlet_cut(struct inlet *in)
{
	wire_rx_cut(in->wire, cable_cut(&in->cable));
	in->busy = 0;
	in->waiting = 0;
	inlet_go(in);
}
