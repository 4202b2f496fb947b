// SPDX-License-Identifier: GPL-2.0
/* The MAC: pauses that the other end asks for. */

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
	u64 time = (u64)quanta * QUANTUM_BYTES * mac_byte_ps(p);

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

/* Quanta left, rounded up. */
u32 mac_pause_quanta(const struct mac *m, u32 port, u32 prio)
{
	const struct mac_port *p = &m->port[port];
	u64 quantum = (u64)QUANTUM_BYTES * mac_byte_ps(p);

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

/**
 * mac_is_pfc() - whether a MAC control frame is a PFC frame
 * @p: the port
 * @data: the frame
 * @to_station: it has the address of the station which gets it
 *
 * Return: whether the one who gets it must obey it.
 */
bool mac_is_pfc(const struct mac_port *p, const u8 *data, bool to_station)
{
	return get_be16(data + CTRL_OPCODE) == OPCODE_PFC &&
	       (to_station || get_addr(data) == ADDR_PAUSE) &&
	       (p->status & PARQ_PORT_STATUS_FULL_DUPLEX);
}

/* A PFC frame has arrived. */
void mac_rx_pfc(struct mac *m, u32 port, const u8 *data)
{
	u32 prio, vector = get_be16(data + CTRL_PFC_VECTOR);
	struct mac_port *p = &m->port[port];

	stat_add(&m->stats[port].rx.pfc, 1);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(vector & BIT(prio)))
			continue;
		stat_add(&m->stats[port].prio[prio].rx_pause, 1);
		if (p->pfc_en & BIT(prio))
			pause_load(m, port, prio, get_be16(data + CTRL_PFC_TIME(prio)));
	}
}

void mac_pause_init(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		p->pause[prio] = (struct mac_timer){
			.mac = m, .port = port, .prio = prio,
		};
		timer_init(&p->pause[prio].timer, pause_expired,
			   &p->pause[prio]);
	}
}
