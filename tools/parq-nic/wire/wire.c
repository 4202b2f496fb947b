// SPDX-License-Identifier: GPL-2.0
#include "../log.h"
#include "wire.h"

void wire_init(struct wire *w, const struct wire_ops *ops,
	       const struct wire_host *host, u32 port)
{
	*w = (struct wire){
		.ops = ops,
		.host = host,
		.port = port,
		.speed = -1,
	};
}

static void wire_tell(struct wire *w, const char *way)
{
	if (w->told)
		return;
	w->told = true;
	log_warn("p%u: frames %s are lost (told once, all are counted)",
		 w->port, way);
}

/**
 * wire_frame() - a frame leaves the port
 * @w: the port's wire
 * @data: valid during the call only
 * @len: without FCS
 * @end: when its last bit does, ps
 */
void wire_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	w->stats.tx++;
	if (w->ops->frame(w, data, len, end))
		return;
	w->stats.tx_lost++;
	wire_tell(w, "sent");
}

/* The port's own settings are these now. */
void wire_link(struct wire *w, const struct parqsim_partner *self)
{
	w->ops->link(w, self);
}

void wire_close(struct wire *w)
{
	if (w)
		w->ops->close(w);
}

/* For the kinds of wire: a frame has arrived. */
void wire_rx(struct wire *w, const u8 *data, u32 len)
{
	w->stats.rx++;
	w->host->rx(w->host->ctx, w->port, data, len);
}

/* For the kinds of wire: a frame will not arrive. */
void wire_rx_lost(struct wire *w)
{
	w->stats.rx_lost++;
	wire_tell(w, "received");
}

/* For the kinds of wire: the other end's settings are these. */
void wire_partner(struct wire *w, const struct parqsim_partner *partner)
{
	int speed = w->host->link(w->host->ctx, w->port, partner);

	if (speed != w->speed)
		log_info("p%u: link %s", w->port, speed < 0 ? "down" : "up");
	w->speed = speed;
}
