// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>

#include "device_clock.h"
#include "ports.h"

static u64 ports_now(void *ctx)
{
	struct ports *p = ctx;

	return device_clock_ps(p->host.epoch_ns);
}

static void ports_rx(void *ctx, u32 port, const u8 *data, u32 len)
{
	struct ports *p = ctx;

	record_frame(&p->record, port, PCAPNG_INBOUND, p->host.clock->now,
		     data, len);
	parqsim_rx(p->sim, port, data, len, true);
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
	case WIRE_PEER:
		return peer_open(&p->host, port, w->peer, w->length_m, out,
				 &p->wire[w->peer]);
	case WIRE_LOOP:
		return peer_open(&p->host, port, port, w->length_m, out, NULL);
	case WIRE_TAP:
		return tap_open(&p->host, port, w->name, out);
	case WIRE_SOCKET:
		return socket_open(&p->host, port, w->name, w->listen,
				   w->length_m, out);
	default:
		return 0;
	}
}

/**
 * ports_plug() - give the ports their wires
 * @p: to initialise
 * @sim: the core
 * @loop: waits for the wires' file descriptors
 * @epoch_ns: CLOCK_MONOTONIC when the device clock was 0
 * @spec: the wires
 *
 * Return: 0 or a negative errno, which has been logged.
 */
int ports_plug(struct ports *p, struct parqsim *sim, struct loop *loop,
	       u64 epoch_ns, const struct wire_spec spec[PARQ_MAX_PORTS])
{
	struct parqsim_partner self;
	u32 port;
	int err;

	p->sim = sim;
	p->host = (struct wire_host){
		.clock = parqsim_clock(sim),
		.loop = loop,
		.epoch_ns = epoch_ns,
		.now = ports_now,
		.rx = ports_rx,
		.link = ports_partner,
		.self = ports_self,
		.ctx = p,
	};
	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		err = ports_plug_one(p, port, &spec[port]);
		if (err)
			goto err_unplug;
	}
	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		if (!p->wire[port])
			continue;
		parqsim_link_self(sim, port, &self);
		wire_link(p->wire[port], &self);
	}
	return 0;

err_unplug:
	ports_unplug(p);
	return err;
}

void ports_unplug(struct ports *p)
{
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		wire_close(p->wire[port]);
		p->wire[port] = NULL;
	}
}

void ports_frame(struct ports *p, u32 port, const u8 *data, u32 len, u64 start,
		 u64 end)
{
	record_frame(&p->record, port, PCAPNG_OUTBOUND, start, data, len);
	if (p->wire[port])
		wire_frame(p->wire[port], data, len, end);
	else
		p->unplugged[port]++;
}

void ports_link(struct ports *p, u32 port, const struct parqsim_partner *self)
{
	if (p->wire[port])
		wire_link(p->wire[port], self);
}

/* One line for each port that has a wire, one for each recording that failed. */
void ports_print(const struct ports *p, FILE *out)
{
	u32 i;

	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		const struct wire *w = p->wire[i];

		if (p->unplugged[i])
			fprintf(out, "p%u: no wire: sent %" PRIu64 ", all lost\n",
				i, p->unplugged[i]);
		if (w)
			fprintf(out, "p%u: link %s: sent %" PRIu64 ", of them lost %"
				PRIu64 "; received %" PRIu64 ", lost on the way %"
				PRIu64 "\n", i, w->speed < 0 ? "down" : "up",
				w->stats.tx, w->stats.tx_lost, w->stats.rx,
				w->stats.rx_lost);
	}
	for (i = 0; i < p->record.files; i++)
		if (p->record.file[i].lost)
			fprintf(out, "recording %u: not written %" PRIu64 "\n",
				i, p->record.file[i].lost);
}
