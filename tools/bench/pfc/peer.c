// SPDX-License-Identifier: GPL-2.0
/*
 * The peers: pause priorities 3 and 4 of each port by PFC frames. Their times are those of the
 * schedule alone, whatever the NIC does, so that all ways are paused alike.
 */
#include "bench.h"
#include "rnd.h"

#define QUANTUM_MAX	65535

static u64 quantum_ps(const struct bench *b)
{
	return 64ULL * b->byte_ps;
}

static void pfc(struct class *c, u32 quanta)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 0x02, 0, 0, 0, 0, 9,
		     0x88, 0x08, 0x01, 0x01, 0, BIT(c->prio) };

	f[18 + 2 * c->prio] = quanta >> 8;
	f[19 + 2 * c->prio] = quanta;
	judge_pfc(c, quanta);
	parqsim_rx(c->bench->sim, c->port, f, sizeof(f), true);
}

/* Each power of two is as likely as the next one: 2^low to 2^high - 1. */
static u32 log_uniform(struct class *c, u32 low, u32 high)
{
	u32 unit = BIT(low + rnd(&c->seed, high - low));

	return unit + rnd(&c->seed, unit);
}

/* Quanta that the next pause lasts, and those until the one after it. */
static void next_pause(struct class *c, u32 *on, u32 *off)
{
	if (!c->bench->o.bursty) {
		*on = log_uniform(c, 0, 16);
		*off = log_uniform(c, 0, 14);
		return;
	}
	if (!c->left)
		c->left = 4 + rnd(&c->seed, 13);
	*on = log_uniform(c, 0, 8);
	*off = log_uniform(c, 0, 8);
	if (--c->left)
		return;
	/* A burst ends with a pause of any length, and calm. */
	*on = log_uniform(c, 8, 16);
	*off = log_uniform(c, 8, 14);
}

/* Half of all pauses run out, the other half are ended by XON. */
static void act(void *ctx)
{
	struct class *c = ctx;
	struct bench *b = c->bench;
	u64 now = bench_now(b);
	u32 on, off;

	if (c->xon_next) {
		c->xon_next = false;
		pfc(c, 0);
		timer_set(&b->sim->clock, &c->timer,
			  now + log_uniform(c, 0, b->o.bursty ? 8 : 14) * quantum_ps(b));
		return;
	}
	next_pause(c, &on, &off);
	c->xon_next = rnd(&c->seed, 2);
	pfc(c, c->xon_next ? QUANTUM_MAX : on);
	timer_set(&b->sim->clock, &c->timer,
		  now + (on + (c->xon_next ? 0 : off)) * quantum_ps(b));
}

static void for_each(struct bench *b, void (*fn)(struct bench *b, struct class *c))
{
	u32 port, prio;

	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			if (PAUSED_PRIOS & BIT(prio))
				fn(b, &b->port[port].cls[prio]);
}

static void start(struct bench *b, struct class *c)
{
	timer_init(&c->timer, act, c);
	timer_set(&b->sim->clock, &c->timer,
		  bench_now(b) + log_uniform(c, 10, 14) * quantum_ps(b));
}

static void stop(struct bench *b, struct class *c)
{
	timer_cancel(&b->sim->clock, &c->timer);
	if (is_paused(&b->port[c->port], c->prio, bench_now(b)))
		pfc(c, 0);
}

void peer_init(struct bench *b)
{
	for_each(b, start);
}

void peer_stop(struct bench *b)
{
	for_each(b, stop);
}
