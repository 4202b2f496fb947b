// SPDX-License-Identifier: GPL-2.0
/* The link: up or down, speed and duplex. */
#include <linux/bitfield.h>

#include "frame.h"
#include "mac.h"

/* Fastest of the advertised speeds; ignores the other bits of PARQ_LINK_ADV. */
static int fastest(u32 adv)
{
	u32 speeds = adv & (BIT(PARQ_NUM_SPEEDS) - 1);

	return speeds ? 31 - __builtin_clz(speeds) : -1;
}

/*
 * If only one end negotiates, that end detects the speed of the other end's signal
 * and follows it if it can (parallel detection).
 */
static int link_speed(const struct mac_port *p)
{
	u32 own = p->link_ctrl & PARQ_LINK_CTRL_AN ? p->adv :
		  BIT(FIELD_GET(PARQ_LINK_CTRL_SPEED, p->link_ctrl));
	u32 other = p->partner.an ? p->partner.adv : BIT(p->partner.speed);

	return fastest(own & other);
}

/*
 * Speeds above 100M are full duplex. A forced duplex is not told to the link partner. If
 * the two ends differ, the link comes up all the same and counts as half duplex.
 */
static bool link_full(const struct mac_port *p, int speed)
{
	return speed > PARQ_SPEED_100M ||
	       ((p->link_ctrl & PARQ_LINK_CTRL_FULL_DUPLEX) &&
		p->partner.full_duplex);
}

static u32 link_status(const struct mac_port *p)
{
	int speed;
	u32 st;

	if (!p->partner.present)
		return 0;
	st = PARQ_PORT_STATUS_PRESENT;
	if (!(p->link_ctrl & PARQ_LINK_CTRL_EN) || !p->partner.en)
		return st;
	speed = link_speed(p);
	if (speed < 0)
		return st;
	st |= PARQ_PORT_STATUS_LINK | FIELD_PREP(PARQ_PORT_STATUS_SPEED, speed);
	if (link_full(p, speed))
		st |= PARQ_PORT_STATUS_FULL_DUPLEX;
	return st;
}

/**
 * mac_link_update() - recompute the state of the link
 * @m: the MACs
 * @port: a port whose settings, or whose link partner's settings, have changed
 *
 * When the link goes up or down, all pauses in both directions end: they belonged to
 * the old link.
 */
void mac_link_update(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];
	u32 st = link_status(p);

	if (st == p->status)
		return;
	mac_set_status(p, st);
	mac_train_end(m, port);
	mac_pause_reset(m, port);
	m->up.link(m->up.ctx, port, st);
	mac_next(m, port);
}

void mac_partner(struct mac *m, u32 port, const struct parqsim_partner *partner)
{
	m->port[port].partner = *partner;
	mac_link_update(m, port);
}

void mac_self(const struct mac *m, u32 port, struct parqsim_partner *self)
{
	const struct mac_port *p = &m->port[port];

	self->present = true;
	self->en = p->link_ctrl & PARQ_LINK_CTRL_EN;
	self->an = p->link_ctrl & PARQ_LINK_CTRL_AN;
	self->full_duplex = p->link_ctrl & PARQ_LINK_CTRL_FULL_DUPLEX;
	self->speed = FIELD_GET(PARQ_LINK_CTRL_SPEED, p->link_ctrl);
	self->adv = p->adv;
}
