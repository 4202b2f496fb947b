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

static u32 domain_of(u32 ctrl)
{
	return FIELD_GET(PARQ_SW_CTRL_DOMAIN, ctrl);
}

static u32 state_of(u32 ctrl)
{
	return FIELD_GET(PARQ_SW_CTRL_STATE, ctrl);
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
 * @domain: its domain
 * @number: the number of that
 * @from: the member of the domain by which it came
 * @vlan: its VLAN; NULL in a domain that does not forward by VLAN
 * @edits: a copy may be different
 * @fid: where its addresses are looked up
 * @ports: BIT_ULL(port) that it may leave by
 * @marks: BIT_ULL(port) by which it leaves with CE
 */
struct arrival {
	u32 port;
	u32 len;
	const u8 *data;
	const struct fwd_domain *domain;
	u32 number;
	const struct fwd_member *from;
	const struct vlan *vlan;
	bool edits;
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
	v = vlan_find(f->vlans, domain_of(p->ctrl), vid);
	if (v && (v->ports & BIT_ULL(port)))
		return v;
	count(f, port, PARQ_SW_RX_NO_MEMBER);
	return NULL;
}

/* Return: domain of a frame, or FWD_VIF_HOST. */
static noinline u32 enter_vif(const struct fwd_port *p, const u8 *data, u32 len)
{
	u32 domain = has_tag(data, len) ? p->vif[vid_at(data)] : 0;

	return domain ? domain : domain_of(p->ctrl);
}

/* Whether the host belongs to those to whom a frame can go. */
static bool has_host(const struct arrival *a)
{
	return !a->vlan || a->vlan->host;
}

static enum transit_edit edit_in_vlan(const struct arrival *a, u32 out)
{
	if (a->vlan->untagged & BIT_ULL(out))
		return has_tag(a->data, a->len) ? TRANSIT_UNTAG : TRANSIT_AS_IS;
	if (!has_tag(a->data, a->len))
		return TRANSIT_TAG;
	return vid_at(a->data) ? TRANSIT_AS_IS : TRANSIT_VID;
}

/* VID of the tag that a copy leaves with; 0: that of the frame, or none. */
static u32 vid_for(const struct arrival *a, u32 out)
{
	return a->vlan ? a->vlan->vid : a->domain->member[out].vid;
}

/* The tag of a VLAN interface is not part of the frame. */
static noinline enum transit_edit edit_for(const struct arrival *a, u32 out)
{
	u32 vid = vid_for(a, out);

	if (a->vlan)
		return edit_in_vlan(a, out);
	if (a->from->vid == vid)
		return TRANSIT_AS_IS;
	if (!vid)
		return TRANSIT_UNTAG;
	return a->from->vid ? TRANSIT_VID : TRANSIT_TAG;
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
	u32 len = d->len - growth(d->edit);

	rxbuf_load(f->rxbuf, d->in, d->cell, data, len);
	/* As it was judged: with one more tag the packet might not be found. */
	if (d->mark)
		offload_mark(data, len);
	if (d->edit != TRANSIT_AS_IS)
		apply_edit(d->edit, data, len, FIELD_PREP(TCI_PCP, prio) | d->vid);
}

/* ---- where to ----------------------------------------------------------- */

/* BIT_ULL(port) that a frame may leave by, but for isolation. */
static __always_inline u64 others(const struct arrival *a)
{
	return a->domain->forwarding & a->ports & ~BIT_ULL(a->port);
}

static __always_inline bool is_isolated(const struct arrival *a, u32 to)
{
	return a->from->ctrl & a->domain->member[to].ctrl & PARQ_SW_CTRL_ISOLATED;
}

/* BIT_ULL(port) of the ports that get a frame which @members and all with @flag get. */
static __always_inline u64 reached(const struct arrival *a, u64 members, u32 flag)
{
	u64 left, ports = 0;
	u32 port;

	for (left = others(a); left; left &= left - 1) {
		port = __builtin_ctzll(left);
		if (((members & BIT_ULL(port)) || (a->domain->member[port].ctrl & flag)) &&
		    !is_isolated(a, port))
			ports |= BIT_ULL(port);
	}
	return ports;
}

static u64 flooded(const struct arrival *a, u32 flag)
{
	return reached(a, 0, flag);
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
	u32 mode = a->domain->mode, bit = joined_bit(da);
	bool known = !bit || (mode & bit), host = (mode & PARQ_SW_DOMAIN_HOST) && has_host(a);
	const struct mdb_group *g = known ? mdb_find(f->mdb, a->fid, da) : NULL;
	u64 members = g ? reached(a, g->ports, PARQ_SW_CTRL_ROUTER) : 0;

	if (g && !is_for_all(da))
		return (struct route){ members, host || (g->host && has_host(a)) };
	if (!g && known && (mode & PARQ_SW_DOMAIN_FLOOD))
		return (struct route){ reached(a, ~0ULL, 0), has_host(a) };
	if (known && bit && !query)
		return (struct route){ flooded(a, PARQ_SW_CTRL_ROUTER), host };
	return (struct route){ members | flooded(a, PARQ_SW_CTRL_MCAST_FLOOD), has_host(a) };
}

static noinline struct route route_group(struct fwd *f, const struct arrival *a, u64 da)
{
	enum snoop kind;
	struct route to;

	if (!(a->domain->mode & PARQ_SW_DOMAIN_SNOOP))
		return (struct route){ flooded(a, PARQ_SW_CTRL_MCAST_FLOOD), has_host(a) };
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
	const struct fdb_entry *e;
	u64 da = get_addr(a->data);

	if (da == ADDR_BROADCAST)
		return (struct route){ flooded(a, PARQ_SW_CTRL_BCAST_FLOOD), has_host(a) };
	if (da & ADDR_GROUP)
		return route_group(f, a, da);
	e = fdb_lookup(f->fdb, a->fid, da);
	if (!e)
		return (struct route){ flooded(a, PARQ_SW_CTRL_FLOOD),
				       (a->from->ctrl & PARQ_SW_CTRL_HOST_FLOOD) && has_host(a) };
	if (parq_fdb_at_host(e->kind))
		return (struct route){ 0, HOST_COPY };
	return (struct route){ is_isolated(a, e->port) ? 0 : BIT_ULL(e->port) & others(a),
			       HOST_NONE };
}

static noinline bool exceeds_class(const struct fwd *f, const struct arrival *a, u32 out, u32 prio)
{
	u32 len = a->len + (a->edits ? growth(edit_for(a, out)) : 0);

	return !egress_takes(&f->port[out].egress, f->qman, out, prio, len);
}

/*
 * One slow port must not fill the receive buffers of all that send to it with frames that may be
 * dropped: then these could not send to anybody. So such frames may take a part of the buffer, and
 * what the limit of their class leaves.
 */
static bool is_full(const struct fwd *f, const struct arrival *a, u32 out, u32 prio)
{
	const struct egress *e = &f->port[out].egress;

	if (rxbuf_is_lossless(f->rxbuf, a->port, prio))
		return false;
	return e->queued[prio] >= rxbuf_room(f->rxbuf, a->port, prio) / PARQ_SW_LOSSY_SHARE ||
	       (e->limited && exceeds_class(f, a, out, prio));
}

/* Has RED decide about a copy. */
static noinline enum parq_sw_stat judge(struct fwd *f, struct arrival *a, u32 out, u32 prio)
{
	u32 tc = qman_tc(f->qman, out, prio);
	enum red_fate fate = RED_PASS;

	if (f->port[out].red & BIT(tc))
		fate = red_judge(f->red, &f->port[out].tc[tc],
				 egress_waiting(&f->port[out].egress, f->qman, out, tc),
				 a->data, a->len,
				 rxbuf_is_lossless(f->rxbuf, a->port, prio));
	if (fate == RED_MARK)
		a->marks |= BIT_ULL(out);
	return fate == RED_DROP ? PARQ_SW_TX_DROP_RED : PARQ_SW_TX_FRAMES;
}

/* The limit of a port is for what leaves: an edit changes the length and the number of tags. */
static noinline enum parq_sw_stat fate_edited(struct fwd *f, const struct arrival *a, u32 out,
					      u32 prio)
{
	enum transit_edit edit = edit_for(a, out);
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

		end = a->edits ? fate_edited(f, a, port, prio) :
				 f->up.fate(f->up.ctx, port, prio, a->data, a->len);
		if (end == PARQ_SW_TX_FRAMES && is_full(f, a, port, prio))
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
	if (a->edits) {
		edit = edit_for(a, out);
		d->vid = vid_for(a, out);
		d->len += growth(edit);
	}
	d->in = a->port;
	d->domain = a->number;
	d->edit = edit;
	d->mark = false;
	if (a->marks & BIT_ULL(out))
		mark_copy(f, d, out, prio);
	egress_add(&f->port[out].egress, f->qman, out, prio, d->len);
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

	if ((a->from->ctrl & PARQ_SW_CTRL_LEARN) && sa && !(sa & ADDR_GROUP) &&
	    !fdb_learn(f->fdb, a->fid, sa, a->port))
		count(f, a->port, PARQ_SW_RX_NO_ENTRY);
}

/* Return: false if the frame is dropped, which is counted. */
static bool enter(struct fwd *f, struct arrival *a)
{
	if (f->port[a->port].vlan && !a->from->vid) {
		a->vlan = enter_vlan(f, a->port, a->data, a->len);
		if (!a->vlan)
			return false;
		a->fid = vlan_fid(f->vlans, a->vlan);
		a->ports = a->vlan->ports & ~a->domain->tagged;
		a->edits = true;
	}
	learn(f, a);
	return true;
}

/* A frame of @domain. */
static void receive(struct fwd *f, u32 port, u32 domain, const u8 *data, u32 len)
{
	const struct fwd_domain *d = &f->domain[domain];
	struct arrival a = { .port = port, .len = len, .data = data, .domain = d, .number = domain,
		.from = &d->member[port], .fid = domain, .ports = ~0ULL, .edits = d->tagged };
	u32 state = state_of(a.from->ctrl);
	struct route to;

	if (state != PARQ_SW_BLOCKING && !enter(f, &a))
		return;
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

/**
 * fwd_receive() - forward a good frame
 * @f: the forwarder
 * @port: receiving port; it, or a VLAN interface of it, has joined a domain
 * @data: the frame
 * @len: bytes without FCS
 */
void fwd_receive(struct fwd *f, u32 port, const u8 *data, u32 len)
{
	const struct fwd_port *p = &f->port[port];
	u32 domain = domain_of(p->ctrl);

	if (p->vifs)
		domain = enter_vif(p, data, len);
	if (!domain || domain == FWD_VIF_HOST)
		f->up.alone(f->up.ctx, port, data, len);
	else if (stays_on_link(data))
		f->up.to_host(f->up.ctx, port, data, len, false);
	else
		receive(f, port, domain, data, len);
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

	egress_leave(&f->port[port].egress, prio, d.len);
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

/* Drops what waits for a member, or for the port: in the QMAN, in the pipeline, and parked. */
static void purge(struct fwd *f, u32 port, u32 domain, enum parq_sw_stat reason)
{
	struct transit_fifo taken;
	u32 prio;

	f->port[port].purge = reason;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		taken = qman_transit_extract(f->qman, port, prio, domain);
		while (taken.count) {
			count(f, port, reason);
			free_copy(f, port, prio, transit_pop(f->transit, &taken));
		}
	}
	f->up.purge(f->up.ctx, port, domain);
}

/* The port cannot send: its link has gone, or it is disabled. */
void fwd_port_down(struct fwd *f, u32 port)
{
	purge(f, port, FD_ANY_DOMAIN, PARQ_SW_TX_DROP_LINK);
}

/* ---- members ------------------------------------------------------------ */

/* What a port does follows the setting of its domain. */
static void follow_domain(const struct fwd *f, struct fwd_port *p)
{
	u32 domain = domain_of(p->ctrl);

	p->vlan = domain && (f->domain[domain].mode & PARQ_SW_DOMAIN_VLAN);
}

/* @mode: PARQ_SW_DOMAIN */
void fwd_domain(struct fwd *f, u32 domain, u32 mode)
{
	u32 port;

	f->domain[domain].mode = mode;
	for (port = 0; port < f->ports; port++)
		follow_domain(f, &f->port[port]);
}

/* @ctrl: 0: the port has no member of the domain. What waits for one that stops is dropped. */
static void set_member(struct fwd *f, u32 port, u32 domain, u32 vid, u32 ctrl)
{
	struct fwd_domain *d = &f->domain[domain];
	bool stops = (d->forwarding & BIT_ULL(port)) && state_of(ctrl) != PARQ_SW_FORWARDING;

	d->member[port] = (struct fwd_member){ .ctrl = ctrl, .vid = vid };
	d->forwarding &= ~BIT_ULL(port);
	d->tagged &= ~BIT_ULL(port);
	if (state_of(ctrl) == PARQ_SW_FORWARDING)
		d->forwarding |= BIT_ULL(port);
	if (vid)
		d->tagged |= BIT_ULL(port);
	if (stops)
		purge(f, port, domain, PARQ_SW_TX_DROP_PURGE);
}

/* What the MAC has to accept. */
static void set_joined(struct fwd *f, u32 port)
{
	struct fwd_port *p = &f->port[port];
	u32 domain;

	p->joined = domain_of(p->ctrl);
	for (domain = 1; domain < FWD_DOMAINS; domain++)
		p->joined |= f->domain[domain].member[port].ctrl != 0;
	f->up.accept(f->up.ctx, port, p->joined);
}

/* Whether a port has no other member in @domain than its VLAN interface @vid, or itself: 0. */
bool fwd_can_join(const struct fwd *f, u32 port, u32 vid, u32 domain)
{
	const struct fwd_member *m = &f->domain[domain].member[port];

	return !domain || !m->ctrl || m->vid == vid;
}

/**
 * fwd_vif() - set a VLAN interface of a port
 * @f: the forwarder
 * @port: the port
 * @vid: its VID
 * @on: there is one
 * @ctrl: as of fwd_ctrl(); it can join the domain
 */
void fwd_vif(struct fwd *f, u32 port, u32 vid, bool on, u32 ctrl)
{
	struct fwd_port *p = &f->port[port];
	u32 was = p->vif[vid], domain = domain_of(ctrl);

	p->vifs += on - !!was;
	p->vif[vid] = on ? domain ? domain : FWD_VIF_HOST : 0;
	if (was && was != FWD_VIF_HOST && was != p->vif[vid]) {
		set_member(f, port, was, 0, 0);
		fdb_flush(f->fdb, was, 0, port);
	}
	if (on && domain)
		set_member(f, port, domain, vid, ctrl);
	set_joined(f, port);
}

/**
 * fwd_ctrl() - set PARQ_SW_CTRL of a port
 * @f: the forwarder
 * @port: the port
 * @ctrl: a valid value; the port can join the domain
 */
void fwd_ctrl(struct fwd *f, u32 port, u32 ctrl)
{
	struct fwd_port *p = &f->port[port];
	u32 was = domain_of(p->ctrl), domain = domain_of(ctrl);

	p->ctrl = ctrl;
	follow_domain(f, p);
	if (was && was != domain) {
		set_member(f, port, was, 0, 0);
		fdb_flush(f->fdb, was, 0, port);
	}
	if (domain)
		set_member(f, port, domain, 0, ctrl);
	set_joined(f, port);
}

void fwd_reset(struct fwd *f)
{
	u32 port;

	memset(f->domain, 0, FWD_DOMAINS * sizeof(*f->domain));
	memset(f->port, 0, f->ports * sizeof(*f->port));
	for (port = 0; port < f->ports; port++) {
		f->port[port].tc = f->red->port[port].tc;
		egress_reset(&f->port[port].egress);
	}
}
