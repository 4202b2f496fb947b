// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/string.h>

#include "fc.h"
#include "frame.h"
#include "mac.h"

#define PS_PER_MS	(1000000 * PARQSIM_PS_PER_NS)

static_assert(((FC_PRIOS ^ PARQ_FC_SEND_VECTOR) | (FC_LINK ^ PARQ_FC_SEND_LINK)) == 0);
static_assert(((FC_PRIOS ^ PARQ_FC_STATUS_XOFF) |
	       (FC_LINK ^ PARQ_FC_STATUS_LINK_XOFF)) == 0);

/* BIT(priority) of a set; link pause covers all priorities. */
static u8 prios_of(u16 set)
{
	return set & FC_LINK ? FC_PRIOS : set;
}

/* Classes that the link partner should pause. */
static u16 wanted(const struct fc_port *p)
{
	return p->en & p->above & ~p->bounded;
}

static void tell_lossless(struct fc *f, u32 port)
{
	const struct fc_port *p = &f->port[port];

	f->up.lossless(f->up.ctx, port, prios_of(p->en), prios_of(p->bounded));
}

/* ---- what the link partner has been told -------------------------------- */

static u64 since_ns(const struct fc *f, u32 port, u32 cls)
{
	return (f->clock->now - f->port[port].since[cls]) / PARQSIM_PS_PER_NS;
}

static void set_limit(struct fc *f, u32 port, u32 cls)
{
	struct fc_port *p = &f->port[port];
	struct timer *t = &p->limit[cls].timer;

	if (p->limit_ms && (p->xoff & BIT(cls)))
		timer_set(f->clock, t, p->since[cls] + p->limit_ms * PS_PER_MS);
	else
		timer_cancel(f->clock, t);
}

/* Link pause counts for each priority. */
static void count_change(struct fc *f, u32 port, u32 cls, bool xoff)
{
	u8 prios = prios_of(BIT(cls));
	struct parq_prio_stats *s;

	for (; prios; prios &= prios - 1) {
		s = &f->stats[port].prio[__builtin_ctz(prios)];
		stat_add(&s->tx_pause_transition, 1);
		if (!xoff)
			stat_add(&s->tx_pause_ns, since_ns(f, port, cls));
	}
}

static void change(struct fc *f, u32 port, u32 cls)
{
	struct fc_port *p = &f->port[port];
	bool xoff = !(p->xoff & BIT(cls));

	count_change(f, port, cls, xoff);
	p->xoff ^= BIT(cls);
	p->since[cls] = f->clock->now;
	set_limit(f, port, cls);
	f->up.changed(f->up.ctx, port, cls, xoff ? FC_XOFF : FC_XON);
}

/* XOFF or XON has gone out for the classes of @set; @want has those with XOFF. */
static void told(struct fc *f, u32 port, u16 set, u16 want)
{
	struct fc_port *p = &f->port[port];
	u16 changed = (p->xoff ^ want) & set;

	p->again &= ~set;
	for (; changed; changed &= changed - 1)
		change(f, port, __builtin_ctz(changed));
	if (!p->xoff)
		timer_cancel(f->clock, &p->repeat.timer);
	else if (!timer_is_set(&p->repeat.timer))
		timer_set(f->clock, &p->repeat.timer, f->clock->now +
			  p->refresh * mac_quantum_ps(f->mac, port));
}

/* The bound ends when XON has gone out and the buffer has fallen to its XON watermark. */
static void look_at_bounded(struct fc *f, u32 port)
{
	struct fc_port *p = &f->port[port];
	u16 over = p->bounded & ~p->above & ~p->xoff;

	if (!over)
		return;
	p->bounded &= ~over;
	tell_lossless(f, port);
}

static void repeat_due(void *ctx)
{
	struct fc_timer *t = ctx;
	struct fc_port *p = &t->fc->port[t->port];

	if (t->fc->up.judge)
		t->fc->up.judge(t->fc->up.ctx, t->port);
	p->again = p->xoff;
	mac_control(t->fc->mac, t->port);
}

/* ---- frames ------------------------------------------------------------- */

static void make_pfc(struct fc *f, u32 port, u8 *frame, u8 named, u8 xoff)
{
	u32 prio, quanta = f->port[port].time;
	struct parq_prio_stats *s;

	put_be16(frame + CTRL_OPCODE, OPCODE_PFC);
	put_be16(frame + CTRL_PFC_VECTOR, named);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(named & BIT(prio)))
			continue;
		s = &f->stats[port].prio[prio];
		stat_add(&s->tx_pause, 1);
		if (!(xoff & BIT(prio)))
			continue;
		stat_add(&s->tx_xoff, !!quanta);
		put_be16(frame + CTRL_PFC_TIME(prio), quanta);
	}
}

static void make_frame(struct fc *f, u32 port, u8 *frame, u16 set, u16 xoff)
{
	memset(frame, 0, FRAME_MIN);
	if (!(set & FC_LINK)) {
		make_pfc(f, port, frame, set, xoff);
		return;
	}
	put_be16(frame + CTRL_OPCODE, OPCODE_PAUSE);
	put_be16(frame + CTRL_PAUSE_TIME, xoff ? f->port[port].time : 0);
}

/* Makes the frame of the oldest PARQ_FC_SEND. The state of the classes does not change. */
static void make_requested(struct fc *f, u32 port, u8 *frame)
{
	struct fc_port *p = &f->port[port];
	u16 request = p->send[p->send_head];
	u16 set = request & (FC_PRIOS | FC_LINK);

	p->send_head = (p->send_head + 1) % FC_SENDS;
	p->send_n--;
	make_frame(f, port, frame, set, request & PARQ_FC_SEND_XOFF ? set : 0);
}

/**
 * fc_control() - make the control frame that goes out now
 * @f: flow control
 * @port: the port, which sends the frame at once
 * @frame: out: opcode and parameters, and zeros
 *
 * A PFC frame names all classes whose state has changed since the last frame, and
 * those whose XOFF must be refreshed.
 *
 * Return: whether there is a frame to send.
 */
bool fc_control(struct fc *f, u32 port, u8 *frame)
{
	struct fc_port *p = &f->port[port];
	u16 want = wanted(p), due = (p->xoff ^ want) | p->again;

	if (due & FC_PRIOS)
		due &= FC_PRIOS;
	if (due) {
		make_frame(f, port, frame, due, want & due);
		told(f, port, due, want);
		look_at_bounded(f, port);
	} else if (p->send_n) {
		make_requested(f, port, frame);
	} else {
		return false;
	}
	return true;
}

/* ---- what happens ------------------------------------------------------- */

/**
 * fc_level() - receive buffers have crossed their watermarks
 * @f: flow control
 * @port: port of the buffers
 * @above: classes whose buffer rose above XOFF and has not fallen to XON since
 */
void fc_level(struct fc *f, u32 port, u16 above)
{
	struct fc_port *p = &f->port[port];

	p->above = above;
	look_at_bounded(f, port);
	mac_control(f->mac, port);
}

/*
 * The host has not taken frames for PARQ_FC_LIMIT. Stored frames stay: when the buffer
 * drains, the host works again and the bound ends. It is not to blame for frames that wait
 * for another port.
 */
static void limit_over(void *ctx)
{
	struct fc_timer *t = ctx;
	struct fc_port *p = &t->fc->port[t->port];
	u8 prios = prios_of(BIT(t->cls));

	if (!t->fc->up.stalled(t->fc->up.ctx, t->port, t->cls)) {
		timer_set(t->fc->clock, &t->timer, t->fc->clock->now + p->limit_ms * PS_PER_MS);
		return;
	}
	p->bounded |= BIT(t->cls);
	stat_add(&t->fc->stats[t->port].tx_pause_storm, 1);
	for (; prios; prios &= prios - 1)
		stat_add(&t->fc->stats[t->port].prio[__builtin_ctz(prios)]
			 .tx_pause_storm, 1);
	t->fc->up.changed(t->fc->up.ctx, t->port, t->cls, FC_BOUNDED);
	tell_lossless(t->fc, t->port);
	mac_control(t->fc->mac, t->port);
}

/**
 * fc_port_reset() - clear the state of a port: the link has changed, or the port stops
 * @f: flow control
 * @port: the port
 *
 * The link partner gets no frame: it is gone, or the port must not send any more.
 */
void fc_port_reset(struct fc *f, u32 port)
{
	struct fc_port *p = &f->port[port];

	told(f, port, p->xoff | p->again, 0);
	p->send_n = 0;
}

/* ---- software's side ---------------------------------------------------- */

/**
 * fc_set() - set the lossless classes
 * @f: flow control
 * @port: the port
 * @en: set of classes
 */
void fc_set(struct fc *f, u32 port, u16 en)
{
	struct fc_port *p = &f->port[port];

	p->en = en;
	p->bounded &= en;
	tell_lossless(f, port);
	mac_control(f->mac, port);
}

/* Applies to running pauses, too, from their beginning. */
void fc_set_limit(struct fc *f, u32 port, u32 ms)
{
	u32 cls;

	f->port[port].limit_ms = ms;
	for (cls = 0; cls < FC_CLASSES; cls++)
		set_limit(f, port, cls);
}

/* Queues a request of PARQ_FC_SEND. Return: false if FC_SENDS requests are pending. */
bool fc_send(struct fc *f, u32 port, u16 request)
{
	struct fc_port *p = &f->port[port];

	if (p->send_n == FC_SENDS)
		return false;
	p->send[(p->send_head + p->send_n++) % FC_SENDS] = request;
	mac_control(f->mac, port);
	return true;
}

/* How long the pauses of the link partner that are running have lasted, ns. */
u64 fc_running_ns(const struct fc *f, u32 port, u32 prio)
{
	const struct fc_port *p = &f->port[port];
	u64 ns = 0;

	if (p->xoff & BIT(prio))
		ns += since_ns(f, port, prio);
	if (p->xoff & FC_LINK)
		ns += since_ns(f, port, FC_CLASSES - 1);
	return ns;
}

/* ---- life --------------------------------------------------------------- */

static void timer_prepare(struct fc *f, struct fc_timer *t, u32 port, u32 cls,
			  void (*fn)(void *ctx))
{
	*t = (struct fc_timer){ .fc = f, .port = port, .cls = cls };
	timer_init(&t->timer, fn, t);
}

void fc_init(struct fc *f)
{
	struct fc_port *p;
	u32 port, cls;

	for (port = 0; port < f->ports; port++) {
		p = &f->port[port];
		timer_prepare(f, &p->repeat, port, 0, repeat_due);
		for (cls = 0; cls < FC_CLASSES; cls++)
			timer_prepare(f, &p->limit[cls], port, cls, limit_over);
	}
}

void fc_reset(struct fc *f)
{
	struct fc_port *p;
	u32 port;

	for (port = 0; port < f->ports; port++) {
		p = &f->port[port];
		fc_port_reset(f, port);
		p->en = 0;
		p->above = 0;
		p->bounded = 0;
		p->time = 65535;
		p->refresh = 32767;
		p->limit_ms = 0;
	}
}
