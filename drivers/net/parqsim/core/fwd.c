// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/bitops.h>

#include "fdb.h"
#include "frame.h"
#include "fwd.h"
#include "qman.h"
#include "steer.h"

/* 01:80:c2:00:00:00 to 0f: never forwarded (IEEE 802.1Q table 8-1). Byte 0 is the lowest. */
#define ADDR_LINK_LOCAL		0x000000c28001ULL
#define ADDR_LINK_LOCAL_MASK	0xf0ffffffffffULL

static u32 domain_of(const struct fwd_port *p)
{
	return FIELD_GET(PARQ_SW_CTRL_DOMAIN, p->ctrl);
}

static u32 state_of(const struct fwd_port *p)
{
	return FIELD_GET(PARQ_SW_CTRL_STATE, p->ctrl);
}

static void count(struct fwd *f, u32 port, enum parq_sw_stat stat)
{
	f->port[port].stat[stat]++;
}

/* ---- where to ----------------------------------------------------------- */

/* Whether frames of one port may leave by another one. */
static bool reaches(const struct fwd *f, u32 from, u32 to)
{
	const struct fwd_port *a = &f->port[from], *b = &f->port[to];

	return from != to && domain_of(a) == domain_of(b) && state_of(b) == PARQ_SW_FORWARDING &&
	       !(a->ctrl & b->ctrl & PARQ_SW_CTRL_ISOLATED);
}

/* BIT_ULL(port) of the ports that get a frame which all with @flag get. */
static u64 flooded(const struct fwd *f, u32 from, u32 flag)
{
	u64 left, ports = 0;
	u32 port;

	for (left = f->forwarding; left; left &= left - 1) {
		port = __builtin_ctzll(left);
		if ((f->port[port].ctrl & flag) && reaches(f, from, port))
			ports |= BIT_ULL(port);
	}
	return ports;
}

/**
 * struct route - where a frame goes
 * @ports: BIT_ULL(port)
 * @host: to the host, too
 */
struct route {
	u64 ports;
	bool host;
};

static struct route route(struct fwd *f, u32 port, u64 da)
{
	const struct fwd_port *p = &f->port[port];
	const struct fdb_entry *e;

	if (da == ADDR_BROADCAST)
		return (struct route){ flooded(f, port, PARQ_SW_CTRL_BCAST_FLOOD), true };
	if (da & ADDR_GROUP)
		return (struct route){ flooded(f, port, PARQ_SW_CTRL_MCAST_FLOOD), true };
	e = fdb_lookup(f->fdb, domain_of(p), da);
	if (!e)
		return (struct route){ flooded(f, port, PARQ_SW_CTRL_FLOOD),
				       p->ctrl & PARQ_SW_CTRL_HOST_FLOOD };
	if (parq_fdb_at_host(e->kind))
		return (struct route){ 0, true };
	return (struct route){ reaches(f, port, e->port) ? BIT_ULL(e->port) : 0, false };
}

/*
 * One slow port must not fill the receive buffers of all that send to it with frames that may be
 * dropped: then these could not send to anybody. So such frames may take a part of the buffer.
 */
static bool is_full(const struct fwd *f, u32 in, u32 out, u32 prio)
{
	return !rxbuf_is_lossless(f->rxbuf, in, prio) &&
	       f->port[out].queued[prio] >= rxbuf_room(f->rxbuf, in, prio) / PARQ_SW_LOSSY_SHARE;
}

/* Those of @ports that take the frame. The others count the drop. */
static u64 open_ports(struct fwd *f, u32 in, u64 ports, u32 prio, const u8 *data, u32 len)
{
	enum parq_sw_stat end;
	u64 left, open = 0;

	for (left = ports; left; left &= left - 1) {
		u32 port = __builtin_ctzll(left);

		end = f->up.fate(f->up.ctx, port, data, len);
		if (end == PARQ_SW_TX_FRAMES && is_full(f, in, port, prio))
			end = PARQ_SW_TX_DROP_FULL;
		if (end == PARQ_SW_TX_FRAMES)
			open |= BIT_ULL(port);
		else
			count(f, port, end);
	}
	return open;
}

/* ---- copies ------------------------------------------------------------- */

static void queue_copy(struct fwd *f, u32 in, u32 out, u32 prio, u32 cell, u32 len, bool extra)
{
	u32 i = transit_take(f->transit, extra);
	struct transit_desc *d;

	if (i == TRANSIT_NONE) {
		count(f, out, PARQ_SW_TX_DROP_FULL);
		rxbuf_unuse(f->rxbuf, in, cell);
		return;
	}
	d = &f->transit->desc[i];
	d->cell = cell;
	d->len = len;
	d->in = in;
	f->port[out].queued[prio] += len;
	qman_transit(f->qman, out, prio, i);
}

static void forward(struct fwd *f, u32 in, u64 ports, const u8 *data, u32 len)
{
	u32 prio = steer_prio(f->steer, in, data, len), cell;
	bool extra = false;

	ports = open_ports(f, in, ports, prio, data, len);
	if (!ports)
		return;
	cell = rxbuf_store(f->rxbuf, in, prio, data, len, hweight64(ports));
	if (cell == CELL_NONE) {
		count(f, in, PARQ_SW_RX_NO_ROOM);
		return;
	}
	count(f, in, PARQ_SW_RX_FRAMES);
	for (; ports; ports &= ports - 1, extra = true)
		queue_copy(f, in, __builtin_ctzll(ports), prio, cell, len, extra);
}

/* ---- what arrives ------------------------------------------------------- */

static bool stays_on_link(const u8 *data)
{
	return (get_addr(data) & ADDR_LINK_LOCAL_MASK) == ADDR_LINK_LOCAL ||
	       get_be16(data + 12) == ETH_MAC_CONTROL;
}

static void learn(struct fwd *f, u32 port, u64 sa)
{
	const struct fwd_port *p = &f->port[port];

	if ((p->ctrl & PARQ_SW_CTRL_LEARN) && sa && !(sa & ADDR_GROUP))
		fdb_learn(f->fdb, domain_of(p), sa, port);
}

/**
 * fwd_receive() - forward a good frame
 * @f: the forwarder
 * @port: receiving port, which has joined a domain
 * @data: the frame
 * @len: bytes without FCS
 */
void fwd_receive(struct fwd *f, u32 port, const u8 *data, u32 len)
{
	u32 state = state_of(&f->port[port]);
	struct route to;

	if (stays_on_link(data)) {
		f->up.to_host(f->up.ctx, port, data, len, false);
		return;
	}
	if (state >= PARQ_SW_LEARNING)
		learn(f, port, get_addr(data + 6));
	if (state != PARQ_SW_FORWARDING) {
		count(f, port, PARQ_SW_RX_BLOCKED);
		return;
	}
	to = route(f, port, get_addr(data));
	if (to.ports)
		forward(f, port, to.ports, data, len);
	if (to.host)
		f->up.to_host(f->up.ctx, port, data, len, true);
	if (!to.ports && !to.host)
		count(f, port, PARQ_SW_RX_NOWHERE);
}

/* ---- what leaves -------------------------------------------------------- */

/* Reads the frame of a transit FD. */
void fwd_load(const struct fwd *f, const struct fd *fd, u8 *data)
{
	const struct transit_desc *d = &f->transit->desc[fd->pos];

	rxbuf_load(f->rxbuf, d->in, d->cell, data, d->len);
}

static void free_copy(struct fwd *f, u32 port, u32 prio, u32 i)
{
	struct transit_desc d = f->transit->desc[i];

	f->port[port].queued[prio] -= d.len;
	transit_put(f->transit, i);
	rxbuf_unuse(f->rxbuf, d.in, d.cell);
}

/**
 * fwd_done() - end a copy
 * @f: the forwarder
 * @fd: its FD
 * @end: sent, or the reason why not
 */
void fwd_done(struct fwd *f, const struct fd *fd, enum nti_end end)
{
	struct fwd_port *p = &f->port[fd->port];
	enum parq_sw_stat stat;

	switch (end) {
	case NTI_SENT:
		stat = PARQ_SW_TX_FRAMES;
		break;
	case NTI_DROP_DESC:
		stat = PARQ_SW_TX_DROP_LONG;
		break;
	case NTI_DROP_STORM:
		stat = PARQ_SW_TX_DROP_STORM;
		break;
	default:
		stat = p->purge;
		break;
	}
	p->stat[stat]++;
	free_copy(f, fd->port, fd->prio, fd->pos);
}

/* Drops the copies that wait for a port: in the QMAN, in the pipeline, and parked. */
static void purge(struct fwd *f, u32 port, enum parq_sw_stat reason)
{
	u32 prio, i;

	f->port[port].purge = reason;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		while ((i = qman_transit_drop(f->qman, port, prio)) != TRANSIT_NONE) {
			count(f, port, reason);
			free_copy(f, port, prio, i);
		}
	}
	f->up.purge(f->up.ctx, port);
}

/* The port cannot send: its link has gone, or it is disabled. */
void fwd_port_down(struct fwd *f, u32 port)
{
	if (fwd_joined(f, port))
		purge(f, port, PARQ_SW_TX_DROP_LINK);
}

/**
 * fwd_ctrl() - set PARQ_SW_CTRL of a port
 * @f: the forwarder
 * @port: the port
 * @ctrl: a valid value
 */
void fwd_ctrl(struct fwd *f, u32 port, u32 ctrl)
{
	struct fwd_port *p = &f->port[port];
	u32 domain = domain_of(p);
	bool sent = domain && state_of(p) == PARQ_SW_FORWARDING;
	bool left;

	p->ctrl = ctrl;
	left = domain && domain_of(p) != domain;
	if (domain_of(p) && state_of(p) == PARQ_SW_FORWARDING)
		f->forwarding |= BIT_ULL(port);
	else
		f->forwarding &= ~BIT_ULL(port);
	if (left)
		fdb_flush(f->fdb, domain, port);
	if (sent && (left || state_of(p) != PARQ_SW_FORWARDING))
		purge(f, port, PARQ_SW_TX_DROP_PURGE);
	f->up.accept(f->up.ctx, port, domain_of(p));
}

void fwd_reset(struct fwd *f)
{
	u32 port;

	f->forwarding = 0;
	for (port = 0; port < f->ports; port++)
		f->port[port] = (struct fwd_port){ .ctrl = 0 };
}
