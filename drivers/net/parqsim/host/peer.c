// SPDX-License-Identifier: GPL-2.0
/*
 * A cable between two ports, of one NIC or of two, or from a port back to itself. The clocks
 * of two NICs may have different epochs, but the NICs advance in time together.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "peer.h"

#define PEER_MIN_BUF	(256 << 10)

/**
 * struct peer - one end of a cable
 * @wire: the port's end of the wire
 * @out: outgoing fibre
 * @other: the other end, itself for a loop; NULL once that was pulled
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

static void peer_deliver_train(void *ctx, const struct train *t, u32 i, bool end)
{
	struct peer *p = ctx;

	wire_rx_train(&p->wire, t, i, end);
}

static u32 peer_joins(void *ctx, const struct train *t, u32 i, u32 n)
{
	struct peer *p = ctx;

	return wire_rx_joins(&p->wire, t, i, n);
}

static void peer_joined(void *ctx, u32 n, u64 at)
{
	struct peer *p = ctx;

	wire_rx_joined(&p->wire, n, at);
}

/* What one end does sets timers of the other one's NIC. */
static void peer_work(const struct peer *from, const struct peer *to)
{
	const struct wire_host *host = to->wire.host;

	if (host != from->wire.host && host->work)
		host->work(host->ctx);
}

/*
 * The present time of one end by the clock of the other one. A NIC that was stopped may be behind
 * the whole life of the other one: it is 0 then.
 */
static u64 peer_now(const struct peer *from, const struct peer *to)
{
	const struct wire_host *a = from->wire.host, *b = to->wire.host;
	s64 ahead_ns = (s64)(a->epoch_ns - b->epoch_ns);
	s64 now = (s64)a->clock->now + ahead_ns * (s64)PARQSIM_PS_PER_NS;

	return now > 0 ? (u64)now : 0;
}

/* A NIC without work may have a clock that is behind. */
static void peer_partner(struct peer *from, struct peer *to,
			 const struct parqsim_partner *partner)
{
	if (from->wire.host != to->wire.host)
		clock_catch_up(to->wire.host->clock, peer_now(from, to));
	wire_partner(&to->wire, partner);
	peer_work(from, to);
}

static u8 *peer_buffer(struct wire *w)
{
	return cable_buffer(&to_peer(w)->out, PARQSIM_FRAME_MAX);
}

static bool peer_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	struct peer *p = to_peer(w);

	if (!p->other || !cable_send(&p->out, data, len, end))
		return false;
	peer_work(p, p->other);
	return true;
}

static struct train *peer_train(struct wire *w, u32 len)
{
	struct peer *p = to_peer(w), *q = p->other;

	if (!q || !q->wire.host->merges(q->wire.host->ctx, q->wire.port))
		return NULL;
	return cable_train(&p->out, len);
}

static void peer_segment(struct wire *w, u64 end)
{
	struct peer *p = to_peer(w);

	cable_segment(&p->out, end);
	peer_work(p, p->other);
}

/* The cable may have been cut before. */
static void peer_train_end(struct wire *w)
{
	struct peer *p = to_peer(w);

	cable_train_end(&p->out, w->host->clock->now);
	if (p->other)
		peer_work(p, p->other);
}

static u32 peer_batch(struct wire *w, u32 n, u64 step)
{
	struct peer *p = to_peer(w);

	return p->other ? cable_batch(&p->out, n, step, peer_now(p, p->other)) : 0;
}

static void peer_segments(struct wire *w, u32 n, u64 step)
{
	struct peer *p = to_peer(w);

	cable_segments(&p->out, n, step, peer_now(p, p->other));
	peer_work(p, p->other);
}

/* Discards what is on its way from an end to the other one. */
static void peer_cut_out(struct peer *p)
{
	wire_rx_cut(&p->other->wire, cable_cut(&p->out));
}

static void peer_link(struct wire *w, const struct parqsim_partner *self)
{
	struct peer *p = to_peer(w), *q = p->other;
	struct parqsim_partner far = { .present = false };

	if (!q) {
		wire_partner(w, &far);
		return;
	}
	q->wire.host->self(q->wire.host->ctx, q->wire.port, &far);
	peer_partner(p, q, self);
	if (q != p)
		wire_partner(w, &far);
	if (w->speed >= 0)
		return;
	peer_cut_out(p);
	peer_cut_out(q);
}

static void peer_cut(struct peer *p)
{
	if (!p->other)
		return;
	peer_cut_out(p);
	peer_cut_out(p->other);
	p->other->other = NULL;
	p->other = NULL;
}

/* The end in another NIC stays, without a partner. */
static void peer_pull(struct wire *w)
{
	static const struct parqsim_partner none = { .present = false };
	struct peer *q = to_peer(w)->other;

	if (!q || q->wire.host == w->host)
		return;
	peer_cut(to_peer(w));
	peer_partner(to_peer(w), q, &none);
}

static void peer_close(struct wire *w)
{
	struct peer *p = to_peer(w);

	peer_cut(p);
	kvfree(p->out.buf);
	kfree(p);
}

static const struct wire_ops peer_ops = {
	.buffer = peer_buffer,
	.frame = peer_frame,
	.train = peer_train,
	.segment = peer_segment,
	.train_end = peer_train_end,
	.batch = peer_batch,
	.segments = peer_segments,
	.link = peer_link,
	.pull = peer_pull,
	.close = peer_close,
};

/*
 * Largest number of bytes under way: the cable full at the highest speed, plus one frame. Frames
 * take less room in memory than time on the wire, as bytes. Trains may take more, but begin only
 * while half of the memory is free: frames and one train fit into the other half.
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
	u64 ahead = from->wire.host->epoch_ns - to->wire.host->epoch_ns;
	size_t size = peer_buf_size(delay);
	void *buf = kvmalloc(size, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	from->other = to;
	/* Frames leave by the sender's clock, and arrive by the receiver's. */
	cable_init(&from->out, to->wire.host->clock,
		   delay + ahead * PARQSIM_PS_PER_NS, buf, size, peer_deliver,
		   to);
	from->out.train = peer_deliver_train;
	from->out.joins = peer_joins;
	from->out.joined = peer_joined;
	return 0;
}

/**
 * peer_open() - join two ports
 * @host_a: a NIC
 * @port_a: one of its ports
 * @host_b: another NIC, or the same
 * @port_b: one of its ports; if that is @port_a, it receives what it sends
 * @length_m: length of the cable, metres
 * @a: the wire of @port_a
 * @b: the wire of @port_b; not touched for a loop
 *
 * The caller then passes on the link settings, see wire_link().
 *
 * Return: 0 or a negative errno.
 */
int peer_open(const struct wire_host *host_a, u32 port_a,
	      const struct wire_host *host_b, u32 port_b, u32 length_m,
	      struct wire **a, struct wire **b)
{
	bool loop = host_a == host_b && port_a == port_b;
	u64 delay = (u64)length_m * CABLE_PS_PER_M;
	struct peer *p, *q;

	p = peer_alloc(host_a, port_a);
	if (!p)
		return -ENOMEM;
	q = loop ? p : peer_alloc(host_b, port_b);
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
