// SPDX-License-Identifier: GPL-2.0
/* The MAC: received pauses. */
#include "frame.h"
#include "mac.h"

static void pause_fall(struct mac *m, u32 port, u32 prio)
{
	struct parq_prio_stats *s = &m->stats[port].prio[prio];
	struct mac_port *p = &m->port[port];

	if (!(p->paused & BIT(prio)))
		return;
	stat_add(&s->rx_pause_ns, mac_pause_running_ns(m, port, prio));
	stat_add(&s->rx_pause_transition, 1);
	p->paused &= ~BIT(prio);
	timer_cancel(m->clock, &p->pause[prio].timer);
	m->up.pause(m->up.ctx, port, prio, false, 0);
}

static void pause_expired(void *ctx)
{
	struct mac_timer *t = ctx;

	pause_fall(t->mac, t->port, t->prio);
}

/* Loads the timer, whatever it held before (IEEE 802.1Q 36.1.3.3). */
static void pause_load(struct mac *m, u32 port, u32 prio, u32 quanta)
{
	struct mac_port *p = &m->port[port];
	u64 time = quanta * mac_quantum_ps(m, port);

	if (!quanta) {
		pause_fall(m, port, prio);
		return;
	}
	timer_set(m->clock, &p->pause[prio].timer, m->clock->now + time);
	if (p->paused & BIT(prio))
		return;
	p->paused |= BIT(prio);
	p->pause_start[prio] = m->clock->now;
	stat_add(&m->stats[port].prio[prio].rx_pause_transition, 1);
	m->up.pause(m->up.ctx, port, prio, true, quanta);
}

/**
 * mac_pause_clear() - end pauses at once
 * @m: the MACs
 * @port: a port
 * @prios: BIT(priority)
 */
void mac_pause_clear(struct mac *m, u32 port, u8 prios)
{
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (prios & BIT(prio))
			pause_fall(m, port, prio);
}

void mac_pfc_enable(struct mac *m, u32 port, u8 prios)
{
	m->port[port].pfc_en = prios;
	mac_pause_clear(m, port, ~prios);
}

/* Quanta left of a running pause, rounded up; 0 if none is running. */
u32 mac_pause_quanta(const struct mac *m, u32 port, u32 prio)
{
	const struct mac_port *p = &m->port[port];
	u64 quantum = mac_quantum_ps(m, port);

	if (!(p->paused & BIT(prio)))
		return 0;
	return (p->pause[prio].timer.at - m->clock->now + quantum - 1) / quantum;
}

u64 mac_pause_running_ns(const struct mac *m, u32 port, u32 prio)
{
	const struct mac_port *p = &m->port[port];

	if (!(p->paused & BIT(prio)))
		return 0;
	return (m->clock->now - p->pause_start[prio]) / PARQSIM_PS_PER_NS;
}

/* ---- link pause --------------------------------------------------------- */

/* Called whenever Pause Low starts or ends, and when its set of priorities changes. */
static void tell_low(struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	m->up.low(m->up.ctx, port, p->stop == MAC_STOP_LOW ? p->low_prios : 0);
}

static void set_stop(struct mac *m, u32 port, enum mac_stop stop)
{
	struct mac_port *p = &m->port[port];

	if (p->stop == stop)
		return;
	p->stop = stop;
	tell_low(m, port);
}

/**
 * mac_link_pause_end() - end link pause or Pause Low
 * @m: the MACs
 * @port: a port
 *
 * The caller calls mac_next() to start the next frame.
 */
void mac_link_pause_end(struct mac *m, u32 port)
{
	timer_cancel(m->clock, &m->port[port].link_pause.timer);
	set_stop(m, port, MAC_STOP_NONE);
}

static void link_pause_expired(void *ctx)
{
	struct mac_timer *t = ctx;

	mac_link_pause_end(t->mac, t->port);
	mac_next(t->mac, t->port);
}

/* A new frame of either kind replaces the earlier one. */
static void link_pause_load(struct mac *m, u32 port, enum mac_stop stop,
			    u32 quanta)
{
	if (quanta) {
		timer_set(m->clock, &m->port[port].link_pause.timer,
			  m->clock->now + quanta * mac_quantum_ps(m, port));
		set_stop(m, port, stop);
	} else {
		mac_link_pause_end(m, port);
	}
	mac_next(m, port);
}

void mac_pause_rx(struct mac *m, u32 port, bool on)
{
	m->port[port].pause_rx = on;
	if (on)
		return;
	mac_link_pause_end(m, port);
	mac_next(m, port);
}

void mac_pause_low(struct mac *m, u32 port, u16 opcode, u8 prios)
{
	struct mac_port *p = &m->port[port];

	p->low_opcode = opcode;
	p->low_prios = prios;
	tell_low(m, port);
}

/* The link has changed: clears all pauses and the record that PFC was seen. */
void mac_pause_reset(struct mac *m, u32 port)
{
	m->port[port].pfc_seen = false;
	mac_pause_clear(m, port, 0xff);
	mac_link_pause_end(m, port);
}

/* ---- MAC control frames ------------------------------------------------- */

/* Half duplex has no flow control frames: the carrier decides who sends. */
static bool obeys(const struct mac_port *p)
{
	return p->status & PARQ_PORT_STATUS_FULL_DUPLEX;
}

static void rx_pfc(struct mac *m, u32 port, const u8 *data)
{
	u32 prio, quanta, vector = get_be16(data + CTRL_PFC_VECTOR);
	struct mac_port *p = &m->port[port];
	struct parq_prio_stats *s;

	p->pfc_seen = true;
	stat_add(&m->stats[port].rx.pfc, 1);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(vector & BIT(prio)))
			continue;
		s = &m->stats[port].prio[prio];
		stat_add(&s->rx_pause, 1);
		if (!obeys(p) || !(p->pfc_en & BIT(prio)))
			continue;
		quanta = get_be16(data + CTRL_PFC_TIME(prio));
		stat_add(&s->rx_xoff, !!quanta);
		pause_load(m, port, prio, quanta);
	}
}

static void rx_pause(struct mac *m, u32 port, const u8 *data,
		     enum mac_stop stop)
{
	const struct mac_port *p = &m->port[port];

	stat_add(&m->stats[port].rx.pause, 1);
	if (obeys(p) && p->pause_rx && !p->pfc_seen)
		link_pause_load(m, port, stop, get_be16(data + CTRL_PAUSE_TIME));
}

/* Handles a MAC control frame. Return: false if the opcode or the address is unknown. */
bool mac_control_rx(struct mac *m, u32 port, const u8 *data)
{
	const struct mac_port *p = &m->port[port];

	switch (frame_control(data, get_addr(data) == p->addr, p->low_opcode)) {
	case FRAME_PFC:
		rx_pfc(m, port, data);
		return true;
	case FRAME_PAUSE:
		rx_pause(m, port, data, MAC_STOP_ALL);
		return true;
	case FRAME_PAUSE_LOW:
		rx_pause(m, port, data, MAC_STOP_LOW);
		return true;
	default:
		return false;
	}
}

void mac_pause_init(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];
	u32 prio;

	p->link_pause = (struct mac_timer){ .mac = m, .port = port };
	timer_init(&p->link_pause.timer, link_pause_expired, &p->link_pause);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		p->pause[prio] = (struct mac_timer){
			.mac = m, .port = port, .prio = prio,
		};
		timer_init(&p->pause[prio].timer, pause_expired,
			   &p->pause[prio]);
	}
}
