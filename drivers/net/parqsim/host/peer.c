// SPDX-License-Identifier: GPL-2.0
/* A cable between two ports of this NIC, or from a port back to itself. */
#include <linux/errno.h>
#include <linux/slab.h>

#include "wire.h"

#define PEER_MIN_BUF	(64 << 10)

/**
 * struct peer - one end
 * @wire: the port's end of the wire
 * @out: the fibre that leads away from it
 * @other: the end that it leads to, itself for a loop
 */
struct peer {
	struct wire wire;
	struct cable out;
	struct peer *other;
};

static struct peer *to_peer(struct wire *w)
{
	return (struct peer *)((char *)w - offsetof(struct peer, wire));
}

static void peer_deliver(void *ctx, const u8 *data, u32 len)
{
	struct peer *p = ctx;

	wire_rx(&p->wire, data, len);
}

static bool peer_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	return cable_send(&to_peer(w)->out, data, len, end);
}

static void peer_link(struct wire *w, const struct parqsim_partner *self)
{
	struct peer *p = to_peer(w), *q = p->other;
	struct parqsim_partner far;

	w->host->self(w->host->ctx, q->wire.port, &far);
	wire_partner(&q->wire, self);
	if (q != p)
		wire_partner(w, &far);
	if (w->speed >= 0)
		return;
	cable_cut(&p->out);
	cable_cut(&q->out);
}

/* The end that is closed first leaves the other one alone. */
static void peer_close(struct wire *w)
{
	struct peer *p = to_peer(w);

	cable_cut(&p->out);
	cable_cut(&p->other->out);
	p->other->other = p->other;
	kvfree(p->out.buf);
	kfree(p);
}

static const struct wire_ops peer_ops = {
	.frame = peer_frame,
	.link = peer_link,
	.close = peer_close,
};

/*
 * All that can be under way: the cable full at the highest speed, and the frame
 * that goes on to it; shortest frames take less of the wire than of memory.
 */
static size_t peer_buf_size(u64 delay)
{
	u64 full = 2 * delay / parqsim_byte_ps(PARQ_NUM_SPEEDS - 1);
	size_t size = PEER_MIN_BUF;

	while (size < full + PEER_MIN_BUF)
		size *= 2;
	return size;
}

static struct peer *peer_alloc(const struct wire_host *host, u32 port)
{
	struct peer *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (p)
		wire_init(&p->wire, &peer_ops, host, port);
	return p;
}

static int peer_lay(struct peer *from, struct peer *to, u64 delay)
{
	size_t size = peer_buf_size(delay);
	void *buf = kvmalloc(size, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	from->other = to;
	cable_init(&from->out, from->wire.host->clock, delay, buf, size,
		   peer_deliver, to);
	return 0;
}

/**
 * peer_open() - join two ports
 * @host: the NIC
 * @port_a: one port
 * @port_b: another, or the same: what it sends it then receives
 * @length_m: of the cable, metres
 * @a: the wire of @port_a
 * @b: the wire of @port_b; not touched for a loop
 *
 * The link's settings are still to be told, see wire_link().
 *
 * Return: 0 or a negative errno.
 */
int peer_open(const struct wire_host *host, u32 port_a, u32 port_b,
	      u32 length_m, struct wire **a, struct wire **b)
{
	u64 delay = (u64)length_m * CABLE_PS_PER_M;
	struct peer *p, *q;

	p = peer_alloc(host, port_a);
	if (!p)
		return -ENOMEM;
	q = port_a == port_b ? p : peer_alloc(host, port_b);
	if (!q)
		goto err_free_p;
	if (peer_lay(p, q, delay))
		goto err_free_q;
	if (q != p && peer_lay(q, p, delay))
		goto err_free_buf;
	*a = &p->wire;
	if (q != p)
		*b = &q->wire;
	return 0;

err_free_buf:
	kvfree(p->out.buf);
err_free_q:
	if (q != p)
		kfree(q);
err_free_p:
	kfree(p);
	return -ENOMEM;
}
