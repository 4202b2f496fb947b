// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/if_ether.h>
#include <linux/string.h>

#include "frame.h"
#include "gro.h"
#include "mac.h"
#include "offload.h"
#include "rxbuf.h"
#include "steer.h"

#define IP6_HDR_LEN	40

#define CTRL	(PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_RX_CSUM | PARQ_PORT_CTRL_RX_GRO)

static bool strips(u32 ctrl, const struct train *t)
{
	return (ctrl & PARQ_PORT_CTRL_VLAN_STRIP) &&
	       get_be16(t->hdr + 2 * ETH_ALEN) == ETH_P_8021Q;
}

/* The host sees Ethernet, IPv4 or IPv6 without extension headers, and TCP. */
static bool is_plain(u32 ctrl, const struct train *t)
{
	u32 l3 = ETH_HLEN + (strips(ctrl, t) ? TAG_LEN : 0);
	u32 type = get_be16(t->hdr + l3 - 2);

	return t->ipv6 ? type == ETH_P_IPV6 && t->l4 == l3 + IP6_HDR_LEN : type == ETH_P_IP;
}

static u32 merged_len(const struct train *t, u32 first, u32 n)
{
	return t->hdr_len + train_payload(t, first, n);
}

/* Whether segment @i can be added to those that have arrived, or begin a frame. */
static bool joins(struct gro *g, u32 port, const struct train *t, u32 i)
{
	u32 ctrl = g->mac->port[port].ctrl, len = train_seg_len(t, i);
	struct gro_port *p = &g->port[port];

	if ((ctrl & (CTRL | PARQ_PORT_CTRL_RX_STAMP)) != CTRL)
		return false;
	if (!p->n) {
		if (!is_plain(ctrl, t))
			return false;
		train_headers(t, i, 1, g->frame);
		steer_segment(g->steer, port, ctrl, g->frame, len, &p->f);
		if (p->f.slot == RXQ_DROP)
			return false;
		p->train = t;
		p->first = i;
		p->f.bytes = 0;
	}
	p->f.wire = len + FCS_LEN;
	return rxbuf_merges(g->rxbuf, port, &p->f, merged_len(t, p->first, p->n + 1)) &&
	       mac_rx_segment(g->mac, port, t->hdr, len);
}

/* Puts the headers of the frame in front of its payload. Segments before it are gone already. */
static bool deliver(struct gro *g, u32 port)
{
	struct gro_port *p = &g->port[port];
	const struct train *t = p->train;
	struct rx_frame *f = &p->f;
	u32 len = t->hdr_len;
	u8 *data;

	train_headers(t, p->first, p->n, g->frame);
	if (f->comp.flags & cpu_to_le32(PARQ_RX_VLAN))
		len = offload_vlan_strip(g->frame, len);
	data = t->payload + p->first * t->mss - len;
	memcpy(data, g->frame, len);
	f->data = data;
	f->segs = p->n;
	f->len = len + train_payload(t, p->first, p->n);
	f->comp.flags |= cpu_to_le32(PARQ_RX_GRO | FIELD_PREP(PARQ_RX_GRO_SIZE, t->mss));
	return rxq_deliver(g->rxbuf->rxqs, port, rxq_pick(g->rxbuf->rxqs, port, f->slot),
			   f) == RXQ_STORED;
}

/* Rules count segments. */
static void count(struct gro *g, u32 port)
{
	struct gro_port *p = &g->port[port];

	train_headers(p->train, p->first, p->n, g->frame);
	steer_merged(g->steer, port, g->frame, merged_len(p->train, p->first, p->n), p->n,
		     p->f.bytes);
}

/**
 * gro_end() - deliver the segments that have arrived
 * @g: the stage
 * @port: their port
 *
 * If the queue has changed so that it does not take them, they are handled one by one.
 */
void gro_end(struct gro *g, u32 port)
{
	u32 ctrl = g->mac->port[port].ctrl, i, n;
	struct gro_port *p = &g->port[port];

	n = p->n;
	if (n > 1 && deliver(g, port)) {
		if (steer_has_rules(g->steer, port))
			count(g, port);
		n = 0;
	}
	p->n = 0;
	for (i = 0; i < n; i++)
		steer_receive(g->steer, port, ctrl, g->frame,
			      train_segment(p->train, p->first + i, g->frame), true);
}

/**
 * gro_segment() - receive a segment of a train
 * @g: the stage
 * @port: receiving port
 * @t: the train
 * @i: number of the segment, which is the next one
 */
void gro_segment(struct gro *g, u32 port, const struct train *t, u32 i)
{
	struct gro_port *p = &g->port[port];
	bool joined = joins(g, port, t, i);

	if (!joined && p->n) {
		gro_end(g, port);
		joined = joins(g, port, t, i);
	}
	if (!joined) {
		mac_rx(g->mac, port, g->frame, train_segment(t, i, g->frame), true);
		return;
	}
	p->n++;
	p->f.bytes += train_seg_len(t, i);
	p->f.comp.time = cpu_to_le32(g->clock->now / PARQSIM_PS_PER_NS);
}

/* ---- several at once ---------------------------------------------------- */

/**
 * gro_joins() - ask how many of the next segments would join the frame that has begun
 * @g: the stage
 * @port: receiving port
 * @t: the train
 * @i: number of the next segment
 * @n: number of segments, each as long as the one before it
 *
 * Return: their number, at most @n.
 */
u32 gro_joins(struct gro *g, u32 port, const struct train *t, u32 i, u32 n)
{
	const struct gro_port *p = &g->port[port];
	u32 len = t->hdr_len + t->mss, room;

	if ((g->mac->port[port].ctrl & CTRL) != CTRL || !p->n || p->train != t ||
	    p->first + p->n != i || !mac_rx_takes(g->mac, port, t->hdr, len))
		return 0;
	room = rxbuf_merge_room(g->rxbuf, port, &p->f);
	if (room < merged_len(t, p->first, p->n))
		return 0;
	room = (room - merged_len(t, p->first, p->n)) / t->mss;
	return room < n ? room : n;
}

/* The same segments have arrived, the last one at @at, ps. */
void gro_joined(struct gro *g, u32 port, u32 n, u64 at)
{
	struct gro_port *p = &g->port[port];
	const struct train *t = p->train;
	u32 len = t->hdr_len + t->mss;

	mac_count_frames(&g->mac->stats[port].rx, t->hdr, len, n);
	p->n += n;
	p->f.bytes += n * len;
	p->f.comp.time = cpu_to_le32(at / PARQSIM_PS_PER_NS);
}

void gro_reset(struct gro *g)
{
	u32 port;

	for (port = 0; port < g->ports; port++)
		g->port[port].n = 0;
}
