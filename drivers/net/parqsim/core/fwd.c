// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "fdb.h"
#include "frame.h"
#include "fwd.h"
#include "offload.h"
#include "qman.h"
#include "snoop.h"
#include "steer.h"

/* 01:80:c2:00:00:00 to 0f: never forwarded (IEEE 802.1Q table 8-1). Byte 0 is the lowest. */
#define ADDR_LINK_LOCAL		0x000000c28001ULL
#define ADDR_LINK_LOCAL_MASK	0xf0ffffffffffULL

/* 01:00:5e and 33:33, and those that all stations get: 01:00:5e:00:00:xx, 33:33:00:00:00:01 */
#define ADDR_IPV4		0x0000005e0001ULL
#define ADDR_IPV4_MASK		0x000000ffffffULL
#define ADDR_IPV4_LOCAL_MASK	0x00ffffffffffULL
#define ADDR_IPV6		0x000000003333ULL
#define ADDR_IPV6_MASK		0x00000000ffffULL
#define ADDR_IPV6_ALL		0x010000003333ULL

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

/* ---- VLANs -------------------------------------------------------------- */

/**
 * struct arrival - a frame that has come
 * @port: by this port
 * @len: bytes without FCS
 * @data: the frame
 * @vlan: its VLAN; NULL in a domain that does not forward by VLAN
 * @fid: where its addresses are looked up
 * @ports: BIT_ULL(port) that it may leave by
 * @marks: BIT_ULL(port) by which it leaves with CE
 */
struct arrival {
	u32 port;
	u32 len;
	const u8 *data;
	const struct vlan *vlan;
	u32 fid;
	u64 ports;
	u64 marks;
};

static bool has_tag(const u8 *data, u32 len)
{
	return len >= TAG_AT + TAG_LEN && get_be16(data + TAG_AT) == ETH_C_TAG;
}

/* VID of a tag. */
static u32 vid_at(const u8 *data)
{
	return get_be16(data + TAG_AT + 2) & TCI_VID;
}

/* Return: the VLAN of a frame; NULL if it is dropped, which is counted. */
static noinline const struct vlan *enter_vlan(struct fwd *f, u32 port, const u8 *data, u32 len)
{
	u32 vid = has_tag(data, len) ? vid_at(data) : 0;
	const struct fwd_port *p = &f->port[port];
	const struct vlan *v;

	if (!vid)
		vid = p->pvid;
	if (!vid) {
		count(f, port, PARQ_SW_RX_NO_PVID);
		return NULL;
	}
	v = vlan_find(f->vlans, domain_of(p), vid);
	if (v && (v->ports & BIT_ULL(port)))
		return v;
	count(f, port, PARQ_SW_RX_NO_MEMBER);
	return NULL;
}

/* Whether the host belongs to those to whom a frame can go. */
static bool has_host(const struct arrival *a)
{
	return !a->vlan || a->vlan->host;
}

static noinline enum transit_edit edit_for(const struct vlan *v, const u8 *data, u32 len, u32 out)
{
	if (v->untagged & BIT_ULL(out))
		return has_tag(data, len) ? TRANSIT_UNTAG : TRANSIT_AS_IS;
	if (!has_tag(data, len))
		return TRANSIT_TAG;
	return vid_at(data) ? TRANSIT_AS_IS : TRANSIT_VID;
}

/* Bytes that an edit adds to a frame. */
static int growth(enum transit_edit edit)
{
	static const int bytes[] = { [TRANSIT_TAG] = TAG_LEN, [TRANSIT_UNTAG] = -TAG_LEN,
				     [TRANSIT_VID] = 0 };

	return bytes[edit];
}

/*
 * Applies an edit to @data, the first @len bytes of a frame, behind which there is room for a tag.
 * @tci: PCP and VID of a new tag
 */
static void apply_edit(enum transit_edit edit, u8 *data, u32 len, u32 tci)
{
	u8 *old = data + TAG_AT + 2;

	switch (edit) {
	case TRANSIT_TAG:
		offload_vlan_insert(data, len, tci);
		break;
	case TRANSIT_UNTAG:
		offload_vlan_strip(data, len);
		break;
	default:
		put_be16(old, (get_be16(old) & ~TCI_VID) | (tci & TCI_VID));
		break;
	}
}

/* Reads a stored frame of which a copy is different. */
static noinline void load_edited(const struct fwd *f, const struct transit_desc *d, u32 prio,
				 u8 *data)
{
	u32 vid = rxbuf_vid(f->rxbuf, d->in, d->cell), len = d->len - growth(d->edit);

	rxbuf_load(f->rxbuf, d->in, d->cell, data, len);
	/* As it was judged: with one more tag the packet might not be found. */
	if (d->mark)
		offload_mark(data, len);
	if (d->edit != TRANSIT_AS_IS)
		apply_edit(d->edit, data, len, FIELD_PREP(TCI_PCP, prio) | vid);
}

/* ---- where to ----------------------------------------------------------- */

/* Whether frames of one port may leave by another one. Inline: each frame goes through it. */
static __always_inline bool reaches(const struct fwd *f, u32 from, u32 to)
{
	const struct fwd_port *a = &f->port[from], *b = &f->port[to];

	return from != to && domain_of(a) == domain_of(b) && state_of(b) == PARQ_SW_FORWARDING &&
	       !(a->ctrl & b->ctrl & PARQ_SW_CTRL_ISOLATED);
}

/* BIT_ULL(port) of the ports that get a frame which @members and all with @flag get. */
static __always_inline u64 reached(const struct fwd *f, const struct arrival *a, u64 members,
				   u32 flag)
{
	u64 left, ports = 0;
	u32 port;

	for (left = f->forwarding & a->ports; left; left &= left - 1) {
		port = __builtin_ctzll(left);
		if (((members & BIT_ULL(port)) || (f->port[port].ctrl & flag)) &&
		    reaches(f, a->port, port))
			ports |= BIT_ULL(port);
	}
	return ports;
}

static u64 flooded(const struct fwd *f, const struct arrival *a, u32 flag)
{
	return reached(f, a, 0, flag);
}

/**
 * struct route - where a frame goes
 * @ports: BIT_ULL(port)
 * @host: whether the host gets it
 */
struct route {
	u64 ports;
	enum { HOST_NONE, HOST_COPY, HOST_TRAP } host;
};

/* ---- groups ------------------------------------------------------------- */

/* Nobody has to join these. They are addresses of groups to be joined, too. */
static bool is_for_all(u64 da)
{
	return (da & ADDR_IPV4_LOCAL_MASK) == ADDR_IPV4 || da == ADDR_IPV6_ALL;
}

/* Return: the bit of the domain that tells whether members are known; 0: no such group. */
static u32 joined_bit(u64 da)
{
	if (is_for_all(da))
		return 0;
	if ((da & ADDR_IPV4_MASK) == ADDR_IPV4)
		return PARQ_SW_DOMAIN_IPV4;
	return (da & ADDR_IPV6_MASK) == ADDR_IPV6 ? PARQ_SW_DOMAIN_IPV6 : 0;
}

static struct route to_group(struct fwd *f, const struct arrival *a, u64 da, bool query)
{
	u32 mode = f->mode[domain_of(&f->port[a->port])], bit = joined_bit(da);
	bool known = !bit || (mode & bit), host = (mode & PARQ_SW_DOMAIN_HOST) && has_host(a);
	const struct mdb_group *g = known ? mdb_find(f->mdb, a->fid, da) : NULL;
	u64 members = g ? reached(f, a, g->ports, PARQ_SW_CTRL_ROUTER) : 0;

	if (g && !is_for_all(da))
		return (struct route){ members, host || (g->host && has_host(a)) };
	if (!g && known && (mode & PARQ_SW_DOMAIN_FLOOD))
		return (struct route){ reached(f, a, ~0ULL, 0), has_host(a) };
	if (known && bit && !query)
		return (struct route){ flooded(f, a, PARQ_SW_CTRL_ROUTER), host };
	return (struct route){ members | flooded(f, a, PARQ_SW_CTRL_MCAST_FLOOD), has_host(a) };
}

static noinline struct route route_group(struct fwd *f, const struct arrival *a, u64 da)
{
	enum snoop kind;
	struct route to;

	if (!(f->mode[domain_of(&f->port[a->port])] & PARQ_SW_DOMAIN_SNOOP))
		return (struct route){ flooded(f, a, PARQ_SW_CTRL_MCAST_FLOOD), has_host(a) };
	kind = snoop(a->data, a->len);
	if (kind == SNOOP_TRAP)
		return (struct route){ 0, HOST_TRAP };
	to = to_group(f, a, da, kind == SNOOP_COPY);
	if (kind == SNOOP_COPY)
		to.host = HOST_COPY;
	return to;
}

/* ---- any address -------------------------------------------------------- */

static struct route route(struct fwd *f, const struct arrival *a)
{
	const struct fwd_port *p = &f->port[a->port];
	const struct fdb_entry *e;
	u64 da = get_addr(a->data);

	if (da == ADDR_BROADCAST)
		return (struct route){ flooded(f, a, PARQ_SW_CTRL_BCAST_FLOOD), has_host(a) };
	if (da & ADDR_GROUP)
		return route_group(f, a, da);
	e = fdb_lookup(f->fdb, a->fid, da);
	if (!e)
		return (struct route){ flooded(f, a, PARQ_SW_CTRL_FLOOD),
				       (p->ctrl & PARQ_SW_CTRL_HOST_FLOOD) && has_host(a) };
	if (parq_fdb_at_host(e->kind))
		return (struct route){ 0, HOST_COPY };
	return (struct route){ reaches(f, a->port, e->port) ? BIT_ULL(e->port) & a->ports : 0,
			       HOST_NONE };
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

/* Bytes of the copies in a traffic class that have not left. */
static u64 waiting(const struct fwd *f, u32 port, u32 tc)
{
	u64 sum = 0;
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (qman_tc(f->qman, port, prio) == tc)
			sum += f->port[port].queued[prio];
	return sum;
}

/* Has RED decide about a copy. */
static noinline enum parq_sw_stat judge(struct fwd *f, struct arrival *a, u32 out, u32 prio)
{
	u32 tc = qman_tc(f->qman, out, prio);
	enum red_fate fate = RED_PASS;

	if (f->port[out].red & BIT(tc))
		fate = red_judge(f->red, &f->port[out].tc[tc], waiting(f, out, tc), a->data, a->len,
				 rxbuf_is_lossless(f->rxbuf, a->port, prio));
	if (fate == RED_MARK)
		a->marks |= BIT_ULL(out);
	return fate == RED_DROP ? PARQ_SW_TX_DROP_RED : PARQ_SW_TX_FRAMES;
}

/* The limit of a port is for what leaves: an edit changes the length and the number of tags. */
static noinline enum parq_sw_stat fate_edited(struct fwd *f, const struct arrival *a, u32 out,
					      u32 prio)
{
	enum transit_edit edit = edit_for(a->vlan, a->data, a->len, out);
	u8 head[TAG_AT + 4 * TAG_LEN];

	if (edit == TRANSIT_AS_IS)
		return f->up.fate(f->up.ctx, out, prio, a->data, a->len);
	memcpy(head, a->data, sizeof(head) - TAG_LEN);
	apply_edit(edit, head, sizeof(head) - TAG_LEN, 0);
	return f->up.fate(f->up.ctx, out, prio, head, a->len + growth(edit));
}

/* Those of @ports that take the frame. The others count the drop. */
static u64 open_ports(struct fwd *f, struct arrival *a, u64 ports, u32 prio)
{
	enum parq_sw_stat end;
	u64 left, open = 0;

	for (left = ports; left; left &= left - 1) {
		u32 port = __builtin_ctzll(left);

		end = a->vlan ? fate_edited(f, a, port, prio) :
				f->up.fate(f->up.ctx, port, prio, a->data, a->len);
		if (end == PARQ_SW_TX_FRAMES && is_full(f, a->port, port, prio))
			end = PARQ_SW_TX_DROP_FULL;
		if (end == PARQ_SW_TX_FRAMES && f->port[port].red)
			end = judge(f, a, port, prio);
		if (end == PARQ_SW_TX_FRAMES)
			open |= BIT_ULL(port);
		else
			count(f, port, end);
	}
	return open;
}

/* ---- copies ------------------------------------------------------------- */

static noinline void mark_copy(struct fwd *f, struct transit_desc *d, u32 out, u32 prio)
{
	d->mark = true;
	f->port[out].tc[qman_tc(f->qman, out, prio)].marked++;
}

static void queue_copy(struct fwd *f, const struct arrival *a, u32 out, u32 prio, u32 cell,
		       bool extra)
{
	enum transit_edit edit = TRANSIT_AS_IS;
	u32 i = transit_take(f->transit, extra);
	struct transit_desc *d;

	if (i == TRANSIT_NONE) {
		count(f, out, PARQ_SW_TX_DROP_FULL);
		rxbuf_unuse(f->rxbuf, a->port, cell);
		return;
	}
	d = &f->transit->desc[i];
	d->cell = cell;
	d->len = a->len;
	if (a->vlan) {
		edit = edit_for(a->vlan, a->data, a->len, out);
		d->len += growth(edit);
	}
	d->in = a->port;
	d->edit = edit;
	d->mark = false;
	if (a->marks & BIT_ULL(out))
		mark_copy(f, d, out, prio);
	f->port[out].queued[prio] += d->len;
	qman_transit(f->qman, out, prio, i);
}

static void forward(struct fwd *f, struct arrival *a, u64 ports)
{
	u32 prio = steer_prio(f->steer, a->port, a->data, a->len), cell;
	bool extra = false;

	ports = open_ports(f, a, ports, prio);
	if (!ports)
		return;
	cell = rxbuf_store(f->rxbuf, a->port, prio, a->data, a->len, hweight64(ports));
	if (cell == CELL_NONE) {
		count(f, a->port, PARQ_SW_RX_NO_ROOM);
		return;
	}
	if (a->vlan)
		rxbuf_set_vid(f->rxbuf, a->port, cell, a->vlan->vid);
	count(f, a->port, PARQ_SW_RX_FRAMES);
	for (; ports; ports &= ports - 1, extra = true)
		queue_copy(f, a, __builtin_ctzll(ports), prio, cell, extra);
}

/* ---- what arrives ------------------------------------------------------- */

static bool stays_on_link(const u8 *data)
{
	return (get_addr(data) & ADDR_LINK_LOCAL_MASK) == ADDR_LINK_LOCAL ||
	       get_be16(data + 12) == ETH_MAC_CONTROL;
}

static void learn(struct fwd *f, const struct arrival *a)
{
	u64 sa = get_addr(a->data + 6);

	if ((f->port[a->port].ctrl & PARQ_SW_CTRL_LEARN) && sa && !(sa & ADDR_GROUP))
		fdb_learn(f->fdb, a->fid, sa, a->port);
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
	const struct fwd_port *p = &f->port[port];
	struct arrival a = { .port = port, .len = len, .data = data, .fid = domain_of(p),
			     .ports = ~0ULL };
	u32 state = state_of(p);
	struct route to;

	if (stays_on_link(data)) {
		f->up.to_host(f->up.ctx, port, data, len, false);
		return;
	}
	if (state != PARQ_SW_BLOCKING) {
		if (p->vlan) {
			a.vlan = enter_vlan(f, port, data, len);
			if (!a.vlan)
				return;
			a.fid = vlan_fid(f->vlans, a.vlan);
			a.ports = a.vlan->ports;
		}
		learn(f, &a);
	}
	if (state != PARQ_SW_FORWARDING) {
		count(f, port, PARQ_SW_RX_BLOCKED);
		return;
	}
	to = route(f, &a);
	if (to.ports)
		forward(f, &a, to.ports);
	if (to.host)
		f->up.to_host(f->up.ctx, port, data, len, to.host == HOST_COPY);
	if (!to.ports && !to.host)
		count(f, port, PARQ_SW_RX_NOWHERE);
}

/* ---- what leaves -------------------------------------------------------- */

/* Reads the frame of a transit FD, as it leaves. */
void fwd_load(const struct fwd *f, const struct fd *fd, u8 *data)
{
	const struct transit_desc *d = &f->transit->desc[fd->pos];

	if (d->edit == TRANSIT_AS_IS && !d->mark)
		rxbuf_load(f->rxbuf, d->in, d->cell, data, d->len);
	else
		load_edited(f, d, fd->prio, data);
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

/* What a port does follows the setting of its domain. */
static void follow_domain(const struct fwd *f, struct fwd_port *p)
{
	p->vlan = domain_of(p) && (f->mode[domain_of(p)] & PARQ_SW_DOMAIN_VLAN);
}

/* @mode: PARQ_SW_DOMAIN */
void fwd_domain(struct fwd *f, u32 domain, u32 mode)
{
	u32 port;

	f->mode[domain] = mode;
	for (port = 0; port < f->ports; port++)
		follow_domain(f, &f->port[port]);
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
	follow_domain(f, p);
	left = domain && domain_of(p) != domain;
	if (domain_of(p) && state_of(p) == PARQ_SW_FORWARDING)
		f->forwarding |= BIT_ULL(port);
	else
		f->forwarding &= ~BIT_ULL(port);
	if (left)
		fdb_flush(f->fdb, domain, 0, port);
	if (sent && (left || state_of(p) != PARQ_SW_FORWARDING))
		purge(f, port, PARQ_SW_TX_DROP_PURGE);
	f->up.accept(f->up.ctx, port, domain_of(p));
}

void fwd_reset(struct fwd *f)
{
	u32 port;

	f->forwarding = 0;
	memset(f->mode, 0, sizeof(f->mode));
	for (port = 0; port < f->ports; port++)
		f->port[port] = (struct fwd_port){ .tc = f->red->port[port].tc };
}
