// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bench.h"

static u64 bench_now(void *ctx)
{
	struct bench *b = ctx;

	return b->clock.now;
}

static void bench_rx(void *ctx, u32 port, const u8 *data, u32 len)
{
	struct bench *b = ctx;
	struct bench_port *p = &b->port[port];

	if (p->rx < BENCH_MAX_RX) {
		p->at[p->rx] = b->clock.now;
		p->len[p->rx] = len;
		p->first[p->rx] = data[0];
	}
	p->rx++;
}

static bool bench_merges(void *ctx, u32 port)
{
	(void)ctx;
	(void)port;
	return true;
}

static void bench_rx_train(void *ctx, u32 port, const struct train *t, u32 i, bool end)
{
	(void)end;
	if (i < t->n)
		bench_rx(ctx, port, t->hdr, train_seg_len(t, i));
}

static u32 bench_rx_joins(void *ctx, u32 port, const struct train *t, u32 i, u32 n)
{
	(void)ctx;
	(void)port;
	(void)t;
	(void)i;
	return n < BENCH_JOINS ? n : BENCH_JOINS;
}

/* Only the last one has a time. */
static void bench_rx_joined(void *ctx, u32 port, u32 n, u64 at)
{
	struct bench *b = ctx;
	struct bench_port *p = &b->port[port];

	p->rx += n;
	p->at[p->rx - 1] = at;
}

static int bench_link(void *ctx, u32 port, const struct parqsim_partner *far)
{
	struct bench *b = ctx;
	struct bench_port *p = &b->port[port];

	p->present = far->present;
	p->adv = far->adv;
	p->speed = far->present && far->en && p->self.en &&
		   far->speed == p->self.speed ? far->speed : -1;
	return p->speed;
}

static void bench_self(void *ctx, u32 port, struct parqsim_partner *self)
{
	struct bench *b = ctx;

	*self = b->port[port].self;
}

static void bench_tell(void *ctx, u32 port, enum wire_news news)
{
	(void)ctx;
	(void)port;
	(void)news;
}

void bench_init(struct bench *b, u64 epoch_ns)
{
	u32 i;

	memset(b, 0, sizeof(*b));
	assert_int_equal(loop_init(&b->loop), 0);
	b->host = (struct wire_host){
		.clock = &b->clock,
		.loop = &b->loop,
		.epoch_ns = epoch_ns,
		.now = bench_now,
		.rx = bench_rx,
		.rx_train = bench_rx_train,
		.rx_joins = bench_rx_joins,
		.rx_joined = bench_rx_joined,
		.merges = bench_merges,
		.link = bench_link,
		.self = bench_self,
		.tell = bench_tell,
		.ctx = b,
	};
	for (i = 0; i < PARQ_NIC_PORTS; i++) {
		b->port[i].self.present = true;
		b->port[i].self.full_duplex = true;
		b->port[i].speed = -1;
	}
}

void bench_fini(struct bench *b)
{
	u32 i;

	for (i = 0; i < PARQ_NIC_PORTS; i++)
		wire_close(b->wire[i]);
	assert_null(b->clock.first);
	loop_fini(&b->loop);
}

void bench_set(struct bench *b, u32 port, bool en, u8 speed)
{
	b->port[port].self.en = en;
	b->port[port].self.speed = speed;
	if (b->wire[port])
		wire_link(b->wire[port], &b->port[port].self);
}

void bench_send(struct bench *b, u32 port, u8 first, u32 len, u64 end)
{
	u8 data[PARQSIM_FRAME_MAX] = { first };

	wire_frame(b->wire[port], data, len, end);
}

void bench_poll(struct bench *b)
{
	struct loop_fd *f;
	u32 events;

	while ((f = loop_wait(&b->loop, 0, &events)))
		f->ready(f->ctx, events);
}

void bench_run(struct bench *b, u64 until)
{
	bench_poll(b);
	clock_run(&b->clock, until);
	bench_poll(b);
}
