// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/slab.h>

#include "frame.h"
#include "inlet.h"

#define INLET_SIZE	(1024 * 1024)
#define INLET_STOP	(INLET_SIZE / 2)	/* waiting bytes at which the source stops */
#define INLET_GO	(INLET_SIZE / 4)	/* and at which it continues */

/* As above, in time on the link, ps. A frame that would wait for longer than that is lost. */
#define INLET_MOST_PS	(100000000ULL * PARQSIM_PS_PER_NS)
#define INLET_STOP_PS	(INLET_MOST_PS / 2)
#define INLET_GO_PS	(INLET_MOST_PS / 4)

#define EXPRESS_SIZE	(16 << 10)

/* Largest number of bytes that a frame takes in the cable's buffer. */
static size_t inlet_cost(u32 len)
{
	return len + 32;
}

/* For how long the link is busy from @now on, ps. */
static u64 inlet_backlog(const struct inlet *in, u64 now)
{
	return in->busy > now ? in->busy - now : 0;
}

static void inlet_go(struct inlet *in)
{
	if (!in->stopped || in->waiting > INLET_GO ||
	    inlet_backlog(in, in->wire->host->clock->now) > INLET_GO_PS)
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

static void inlet_deliver_express(void *ctx, const u8 *data, u32 len)
{
	struct inlet *in = ctx;

	wire_rx(in->wire, data, len);
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
	void *express = kvmalloc(EXPRESS_SIZE, GFP_KERNEL);

	if (!buf || !express) {
		kvfree(buf);
		kvfree(express);
		return -ENOMEM;
	}
	*in = (struct inlet){ .wire = w, .flow = flow };
	cable_init(&in->cable, w->host->clock, 0, buf, INLET_SIZE,
		   inlet_deliver, in);
	cable_init(&in->express, w->host->clock, 0, express, EXPRESS_SIZE,
		   inlet_deliver_express, in);
	return 0;
}

void inlet_fini(struct inlet *in)
{
	cable_cut(&in->cable);
	cable_cut(&in->express);
	kvfree(in->cable.buf);
	kvfree(in->express.buf);
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
	const struct wire_host *host = in->wire->host;

	if (in->waiting < INLET_STOP &&
	    inlet_backlog(in, host->now(host->ctx)) < INLET_STOP_PS)
		return true;
	if (!in->stopped) {
		in->stopped = true;
		in->flow(in, false);
	}
	return false;
}

/* Whether a frame passes those that wait. It does not pass the one that the link carries now. */
static bool inlet_passes(const struct inlet *in, const u8 *data)
{
	return get_be16(data + 12) == ETH_MAC_CONTROL &&
	       (in->busy > cable_first(&in->cable) || cable_first(&in->express));
}

/* @end is the earliest arrival that the link allows. Return: false if the frame is lost. */
static bool inlet_queue(struct inlet *in, const u8 *data, u32 len, u64 end, u64 bits)
{
	if (inlet_backlog(in, end) > INLET_MOST_PS)
		return false;
	if (end < in->busy + bits)
		end = in->busy + bits;
	if (!cable_send(&in->cable, data, len, end))
		return false;
	in->busy = end;
	in->waiting += inlet_cost(len);
	return true;
}

/* As inlet_queue(). */
static bool inlet_pass(struct inlet *in, const u8 *data, u32 len, u64 end, u64 bits)
{
	u64 carried = cable_first(&in->cable) ?: in->busy;

	if (end < carried + bits)
		end = carried + bits;
	if (end < in->express_busy + bits)
		end = in->express_busy + bits;
	if (!cable_send(&in->express, data, len, end))
		return false;
	in->express_busy = end;
	/* What comes now waits for longer. What waits already keeps its time. */
	in->busy = in->busy + bits > end ? in->busy + bits : end;
	return true;
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
	bool ok = false;

	if (end < now)
		end = now;
	if (in->wire->speed >= 0) {
		bits = (u64)(len + WIRE_OVERHEAD) *
		       parqsim_byte_ps((unsigned int)in->wire->speed);
		ok = inlet_passes(in, data) ? inlet_pass(in, data, len, end, bits) :
					      inlet_queue(in, data, len, end, bits);
	}
	if (!ok)
		wire_rx_lost(in->wire);
}

/* Discards waiting frames: the link is down. */
void inlet_cut(struct inlet *in)
{
	wire_rx_cut(in->wire, cable_cut(&in->cable) + cable_cut(&in->express));
	in->busy = 0;
	in->express_busy = 0;
	in->waiting = 0;
	inlet_go(in);
}
