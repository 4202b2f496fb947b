// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>

#include "peer.h"
#include "ports.h"

static void ports_record(struct ports *p, u32 port, enum pcapng_dir dir, u64 ps,
			 const u8 *data, u32 len)
{
	if (p->record.port[port].file)
		record_frame(&p->record, port, dir,
			     p->wire[port] ? p->wire[port]->speed : -1, ps, data, len);
}

/* Segment @i of a train, as a frame. */
static void ports_record_segment(struct ports *p, u32 port, enum pcapng_dir dir, u64 ps,
				 const struct train *t, u32 i)
{
	if (p->record.port[port].file)
		ports_record(p, port, dir, ps, p->frame, train_segment(t, i, p->frame));
}

static void ports_rx(void *ctx, u32 port, const u8 *data, u32 len)
{
	struct ports *p = ctx;

	ports_record(p, port, PCAPNG_INBOUND, p->host.clock->now, data, len);
	parqsim_rx(p->sim, port, data, len, true);
}

static void ports_rx_train(void *ctx, u32 port, const struct train *t, u32 i, bool end)
{
	struct ports *p = ctx;

	if (i < t->n)
		ports_record_segment(p, port, PCAPNG_INBOUND, p->host.clock->now, t, i);
	parqsim_rx_train(p->sim, port, t, i, end);
}

static u32 ports_rx_joins(void *ctx, u32 port, const struct train *t, u32 i, u32 n)
{
	const struct ports *p = ctx;

	return p->record.port[port].file ? 0 : parqsim_rx_joins(p->sim, port, t, i, n);
}

static void ports_rx_joined(void *ctx, u32 port, u32 n, u64 at)
{
	const struct ports *p = ctx;

	parqsim_rx_joined(p->sim, port, n, at);
}

static bool ports_merges(void *ctx, u32 port)
{
	const struct ports *p = ctx;

	return parqsim_merges(p->sim, port);
}

static int ports_partner(void *ctx, u32 port,
			 const struct parqsim_partner *partner)
{
	struct ports *p = ctx;

	return parqsim_link(p->sim, port, partner);
}

static void ports_self(void *ctx, u32 port, struct parqsim_partner *self)
{
	struct ports *p = ctx;

	parqsim_link_self(p->sim, port, self);
}

static int ports_plug_one(struct ports *p, u32 port, const struct wire_spec *w)
{
	struct wire **out = &p->wire[port];

	switch (w->kind) {
	case WIRE_NONE:
	case WIRE_NIC:
		/* The host finds the other NIC, once it exists. */
		return 0;
	case WIRE_PEER:
		return peer_open(&p->host, port, &p->host, w->peer, w->length_m,
				 out, &p->wire[w->peer]);
	case WIRE_LOOP:
		return peer_open(&p->host, port, &p->host, port, w->length_m,
				 out, NULL);
	default:
		return p->open ? p->open(p, port, w, out) : -EOPNOTSUPP;
	}
}

/**
 * ports_plug() - plug in the wires of the ports
 * @p: ports without wires; the host has set its members
 * @sim: the core
 * @spec: the wires
 *
 * Return: 0 or a negative errno; nothing is plugged in then.
 */
int ports_plug(struct ports *p, struct parqsim *sim,
	       const struct wire_spec spec[PARQ_MAX_PORTS])
{
	u32 port;
	int err;

	p->sim = sim;
	p->host.clock = parqsim_clock(sim);
	p->host.rx = ports_rx;
	p->host.rx_train = ports_rx_train;
	p->host.rx_joins = ports_rx_joins;
	p->host.rx_joined = ports_rx_joined;
	p->host.merges = ports_merges;
	p->host.link = ports_partner;
	p->host.self = ports_self;
	p->host.ctx = p;
	for (port = 0; port < p->num; port++) {
		err = ports_plug_one(p, port, &spec[port]);
		if (err)
			goto err_unplug;
	}
	for (port = 0; port < p->num; port++)
		ports_tell(p, port);
	return 0;

err_unplug:
	ports_unplug(p);
	return err;
}

/* Passes the link settings of a port to its wire, if there is one. */
void ports_tell(struct ports *p, u32 port)
{
	struct parqsim_partner self;

	if (!p->wire[port])
		return;
	parqsim_link_self(p->sim, port, &self);
	wire_link(p->wire[port], &self);
}

/* Called when the NIC has stopped: the other ends lose their link. */
void ports_pull(struct ports *p)
{
	u32 port;

	for (port = 0; port < p->num; port++)
		wire_pull(p->wire[port]);
}

/* Called when the NIC has stopped and no wire leads to another NIC any more. */
void ports_unplug(struct ports *p)
{
	u32 port;

	for (port = 0; port < p->num; port++) {
		wire_close(p->wire[port]);
		p->wire[port] = NULL;
	}
}

u8 *ports_buffer(struct ports *p, u32 port)
{
	return p->wire[port] ? wire_buffer(p->wire[port]) : NULL;
}

void ports_frame(struct ports *p, u32 port, const u8 *data, u32 len, u64 start,
		 u64 end)
{
	ports_record(p, port, PCAPNG_OUTBOUND, start, data, len);
	if (p->wire[port])
		wire_frame(p->wire[port], data, len, end);
	else
		p->unplugged[port]++;
}

struct train *ports_train(struct ports *p, u32 port, u32 len)
{
	struct train *t = p->wire[port] ? wire_train(p->wire[port], len) : NULL;

	p->train[port] = t;
	return t;
}

void ports_segment(struct ports *p, u32 port, u64 start, u64 end)
{
	const struct train *t = p->train[port];

	ports_record_segment(p, port, PCAPNG_OUTBOUND, start, t, t->n - 1);
	wire_segment(p->wire[port], end);
}

void ports_train_end(struct ports *p, u32 port)
{
	if (p->wire[port])
		wire_train_end(p->wire[port]);
}

/* A recording has each segment at its own time. */
u32 ports_batch(struct ports *p, u32 port, u32 n, u64 step)
{
	if (!p->wire[port] || p->record.port[port].file)
		return 0;
	return wire_batch(p->wire[port], n, step);
}

void ports_segments(struct ports *p, u32 port, u32 n, u64 step)
{
	wire_segments(p->wire[port], n, step);
}

void ports_link(struct ports *p, u32 port, const struct parqsim_partner *self)
{
	if (p->wire[port])
		wire_link(p->wire[port], self);
}
