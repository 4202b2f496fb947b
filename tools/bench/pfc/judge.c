// SPDX-License-Identifier: GPL-2.0
/* What the wire shows. The judge knows pauses and frames, and nothing of the NIC. */
#include "bench.h"

#define GAP		12
#define AROUND		(8 + 4 + GAP)	/* preamble, FCS, gap */

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static bool port_is_paused(const struct port *p, u64 at)
{
	u32 prio;

	for (prio = PAUSED_FIRST; prio <= PAUSED_LAST; prio++)
		if (at < p->cls[prio].xoff_until)
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
		if (from >= p->cls[p->frame].xoff_until)
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
			end = b->port[port].cls[prio].xoff_until;
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

void judge_xoff(struct class *c, u64 until)
{
	struct bench *b = c->bench;

	judge_time(b);
	if (!is_paused(c)) {
		c->xoff_at = bench_now(b);
		c->leaked = 0;
		c->leaked_bytes = 0;
		b->res.pauses++;
	}
	c->xoff_until = until;
	c->waits = true;
}

void judge_xon(struct class *c)
{
	judge_time(c->bench);
	c->xoff_until = bench_now(c->bench);
}

static void leak(struct bench *b, struct class *c, u32 len)
{
	struct result *r = &b->res;

	c->leaked++;
	c->leaked_bytes += len;
	r->leak_frames++;
	r->leak_bytes += len;
	if (c->leaked > r->leak_max_frames)
		r->leak_max_frames = c->leaked;
	if (c->leaked_bytes > r->leak_max_bytes)
		r->leak_max_bytes = c->leaked_bytes;
	if (bench_now(b) - c->xoff_at > r->late_ps)
		r->late_ps = bench_now(b) - c->xoff_at;
}

static void resume(struct bench *b, struct class *c)
{
	if (!c->waits)
		return;
	c->waits = false;
	if (!b->stopping && b->res.resumes < RESUMES_MAX)
		b->res.resume_ps[b->res.resumes++] = bench_now(b) - c->xoff_until;
}

/* A frame starts now. @len: bytes without FCS; @end: of its last bit */
void judge_frame(struct bench *b, u32 port, u32 prio, u32 seq, u32 len, u64 end)
{
	struct port *p = &b->port[port];
	struct class *c = &p->cls[prio];

	judge_time(b);
	p->frame = prio;
	p->frame_end = end + GAP * b->byte_ps;
	if (!b->stopping) {
		b->res.wire_bytes += len + AROUND;
		b->res.own_bytes += PAUSED_PRIOS & BIT(prio) ? len + AROUND : 0;
	}
	c->queue.sent++;
	c->queue.disorder += seq != c->queue.next;
	c->queue.next = seq + 1;
	if (is_paused(c))
		leak(b, c, len + 4);
	else
		resume(b, c);
}
