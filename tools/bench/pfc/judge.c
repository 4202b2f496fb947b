// SPDX-License-Identifier: GPL-2.0
/*
 * What the wire shows: leaks and order by the judge of recordings, and how much of the wire was
 * used meanwhile. It knows pauses and frames, and nothing of the NIC.
 */
#include "bench.h"

#define PS_PER_US	1000000

#define GAP		12
#define FCS		4
#define AROUND		(8 + FCS + GAP)	/* preamble, FCS, gap */

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static bool port_is_paused(const struct port *p, u64 at)
{
	u32 prio;

	for (prio = PAUSED_FIRST; prio <= PAUSED_LAST; prio++)
		if (is_paused(p, prio, at))
			return true;
	return false;
}

/* Up to now nothing has changed but that pauses may have run out. */
static void add_time(struct port *p, u64 from, u64 to, bool elsewhere)
{
	u64 sent = from < p->frame_end ? min_of(to, p->frame_end) - from : 0;

	if (port_is_paused(p, from)) {
		p->paused_ps += to - from;
		p->busy_ps += sent;
		if (!is_paused(p, p->frame, from))
			p->others_ps += sent;
	} else if (elsewhere) {
		p->calm_ps += to - from;
		p->calm_busy_ps += sent;
	}
	p->seen = to;
}

/* The next moment after @from, up to @to, at which a pause ends. */
static u64 next_end(const struct bench *b, u64 from, u64 to)
{
	u32 port, prio;
	u64 end;

	for (port = 0; port < b->o.ports; port++)
		for (prio = PAUSED_FIRST; prio <= PAUSED_LAST; prio++) {
			end = b->port[port].judge.cls[prio].until;
			if (end > from && end < to)
				to = end;
		}
	return to;
}

/* Accounts for the time since the last call; to be called before anything changes. */
void judge_time(struct bench *b)
{
	u64 now = bench_now(b), from = b->port[0].seen, to;
	u32 port, paused;

	for (; from < now; from = to) {
		to = next_end(b, from, now);
		for (port = 0, paused = 0; port < b->o.ports; port++)
			paused += port_is_paused(&b->port[port], from);
		for (port = 0; port < b->o.ports; port++)
			add_time(&b->port[port], from, to, paused);
	}
}

/* A pause is over, and so is the wait for the first frame after it. */
static void add_pause(void *ctx, u32 prio, const struct wire_pause *p)
{
	struct bench *b = ctx;
	struct result *r = &b->res;
	u64 bytes = p->leak_bytes + p->leaks * FCS;

	r->leak_frames += p->leaks;
	r->leak_bytes += bytes;
	if (p->leaks > r->leak_max_frames)
		r->leak_max_frames = p->leaks;
	if (bytes > r->leak_max_bytes)
		r->leak_max_bytes = bytes;
	if (p->late > r->late_ps)
		r->late_ps = p->late;
	if (p->has_resumed && !b->stopping && r->resumes < RESUMES_MAX)
		r->resume_ps[r->resumes++] = p->resumed - p->end;
}

void judge_init(struct bench *b)
{
	static const u8 addr[6] = { 0 };
	u32 port;

	for (port = 0; port < b->o.ports; port++) {
		struct wire_judge *j = &b->port[port].judge;

		wire_judge_init(j, addr, b->o.gbps * 1000, PAUSED_PRIOS);
		j->per_us = PS_PER_US;
		j->tell_pause = add_pause;
		j->ctx = b;
	}
}

void judge_end(struct bench *b)
{
	u32 port, prio;

	for (port = 0; port < b->o.ports; port++) {
		struct port *p = &b->port[port];

		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			wire_judge_sent(&p->judge, prio, p->cls[prio].queue.posted);
		wire_judge_end(&p->judge);
	}
}

/* The peer pauses a class, or with 0 it ends the pause. */
void judge_pfc(struct class *c, u32 quanta)
{
	struct wire_frame f = {
		.dst = PFC_DST, .kind = WIRE_PFC, .vector = BIT(c->prio),
	};

	judge_time(c->bench);
	f.quanta[c->prio] = quanta;
	wire_judge_frame(&c->bench->port[c->port].judge, bench_now(c->bench), false, &f);
}

/* A frame starts now. @len: bytes without FCS; @end: of its last bit */
void judge_frame(struct bench *b, u32 port, u32 prio, u32 seq, u32 len, u64 end)
{
	const struct wire_frame f = {
		.len = len, .prio = prio, .pcp = WIRE_NO_PRIO,
		.is_test = true, .flow = prio, .seq = seq,
	};
	struct port *p = &b->port[port];

	judge_time(b);
	p->frame = prio;
	p->frame_end = end + GAP * b->byte_ps;
	if (!b->stopping) {
		b->res.wire_bytes += len + AROUND;
		b->res.own_bytes += PAUSED_PRIOS & BIT(prio) ? len + AROUND : 0;
	}
	wire_judge_frame(&p->judge, bench_now(b), true, &f);
}
