// SPDX-License-Identifier: GPL-2.0
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

static void wire_lost(struct wire *w, enum wire_news news)
{
	if (w->told)
		return;
	w->told = true;
	w->host->tell(w->host->ctx, w->port, news);
}

/* Called by kinds of wires: frames that were sent are lost after all. */
void wire_tx_lost(struct wire *w, u32 frames)
{
	w->stats.tx_lost += frames;
	wire_lost(w, WIRE_TX_LOST);
}

/* Memory in which the next frame may be built. Return: NULL: none. */
u8 *wire_buffer(struct wire *w)
{
	return w->ops->buffer ? w->ops->buffer(w) : NULL;
}

/**
 * wire_frame() - send a frame of the port
 * @w: the port's wire
 * @data: valid during the call only
 * @len: bytes without FCS
 * @end: when the last bit leaves, ps
 */
void wire_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	w->stats.tx++;
	if (!w->ops->frame(w, data, len, end))
		wire_tx_lost(w, 1);
}

/* Begins a train of up to @len bytes of payload. Return: NULL: single frames only. */
struct train *wire_train(struct wire *w, u32 len)
{
	return w->ops->train ? w->ops->train(w, len) : NULL;
}

/* Sends the newest segment of the train, whose last bit leaves at @end. */
void wire_segment(struct wire *w, u64 end)
{
	w->stats.tx++;
	w->ops->segment(w, end);
}

/* Nothing is added to the train any more. */
void wire_train_end(struct wire *w)
{
	w->ops->train_end(w);
}

/* Whether @n segments can be sent at once, see struct parqsim_host. Return: how many. */
u32 wire_batch(struct wire *w, u32 n, u64 step)
{
	return w->ops->batch ? w->ops->batch(w, n, step) : 0;
}

/* Sends the newest segments of the train. */
void wire_segments(struct wire *w, u32 n, u64 step)
{
	w->stats.tx += n;
	w->ops->segments(w, n, step);
}

/* The port's own link settings have changed to @self. */
void wire_link(struct wire *w, const struct parqsim_partner *self)
{
	w->ops->link(w, self);
}

/**
 * wire_pull() - pull the wire of a NIC that has stopped
 * @w: the port's wire, or NULL; NICs at other ends may be running
 */
void wire_pull(struct wire *w)
{
	if (w && w->ops->pull)
		w->ops->pull(w);
}

void wire_close(struct wire *w)
{
	if (w)
		w->ops->close(w);
}

/* Called by kinds of wires: a frame has arrived. */
void wire_rx(struct wire *w, const u8 *data, u32 len)
{
	w->stats.rx++;
	w->host->rx(w->host->ctx, w->port, data, len);
}

/* Called by kinds of wires: segment @i has arrived, or none if that is the number of them. */
void wire_rx_train(struct wire *w, const struct train *t, u32 i, bool end)
{
	w->stats.rx += i < t->n;
	w->host->rx_train(w->host->ctx, w->port, t, i, end);
}

/* Called by kinds of wires: as parqsim_rx_joins(). */
u32 wire_rx_joins(struct wire *w, const struct train *t, u32 i, u32 n)
{
	return w->host->rx_joins(w->host->ctx, w->port, t, i, n);
}

/* Called by kinds of wires: as parqsim_rx_joined(). */
void wire_rx_joined(struct wire *w, u32 n, u64 at)
{
	w->stats.rx += n;
	w->host->rx_joined(w->host->ctx, w->port, n, at);
}

/* Called by kinds of wires: a received frame is lost. */
void wire_rx_lost(struct wire *w)
{
	w->stats.rx_lost++;
	wire_lost(w, WIRE_RX_LOST);
}

/* Called by kinds of wires: the link has gone, and with it frames that were on their way. */
void wire_rx_cut(struct wire *w, u32 frames)
{
	w->stats.rx_lost += frames;
}

/* Called by kinds of wires: the link settings of the other end. */
void wire_partner(struct wire *w, const struct parqsim_partner *partner)
{
	int speed = w->host->link(w->host->ctx, w->port, partner);

	if (speed != w->speed)
		w->host->tell(w->host->ctx, w->port,
			      speed < 0 ? WIRE_LINK_DOWN : WIRE_LINK_UP);
	w->speed = speed;
}
