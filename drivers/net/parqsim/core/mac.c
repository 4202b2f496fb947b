// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/string.h>

#include "frame.h"
#include "mac.h"

#define PREAMBLE	8
#define GAP		12

/* ---- counters ----------------------------------------------------------- */

static void count_size(struct parq_mac_stats *s, u32 len)
{
	static const u32 bound[PARQ_NUM_RMON] = PARQ_RMON_BOUNDS;
	u32 i = 0;

	while (i < PARQ_NUM_RMON - 1 && len > bound[i])
		i++;
	stat_add(&s->rmon[i], 1);
}

/* @len: without FCS */
static void count_frame(struct parq_mac_stats *s, const u8 *data, u32 len)
{
	u64 da = get_addr(data);

	stat_add(&s->frames, 1);
	stat_add(&s->bytes, len + FCS_LEN);
	if (da == ADDR_BROADCAST)
		stat_add(&s->broadcast, 1);
	else if (da & ADDR_GROUP)
		stat_add(&s->multicast, 1);
	count_size(s, len + FCS_LEN);
}

/* ---- transmit ----------------------------------------------------------- */

bool mac_tx_ready(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return !p->tx_busy && p->stop != MAC_STOP_ALL &&
	       (p->status & PARQ_PORT_STATUS_LINK);
}

/* When the frame on the wire and the gap behind it end; now if there is none. */
u64 mac_tx_free(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return p->tx_busy ? p->tx.timer.at : m->clock->now;
}

/* How long @bytes take, all that is between frames counted. */
u64 mac_tx_ps(const struct mac *m, u32 port, u64 bytes)
{
	return bytes * mac_byte_ps(&m->port[port]);
}

/* Whether control frames of the NIC's own can go out. */
bool mac_may_control(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return (p->status & PARQ_PORT_STATUS_LINK) &&
	       (p->status & PARQ_PORT_STATUS_FULL_DUPLEX) &&
	       (p->ctrl & PARQ_PORT_CTRL_EN);
}

/* Tags do not count. */
static u32 max_len(const struct mac_port *p, const u8 *data)
{
	u32 type = get_be16(data + 12), max = p->max_frame - FCS_LEN;

	if (type != 0x8100 && type != 0x88a8)
		return max;
	type = get_be16(data + 16);
	return max + (type == 0x8100 ? 8 : 4);
}

/* Whether @len bytes without FCS, with the tags in mac_tx_buf(), may go out. */
bool mac_tx_fits(const struct mac *m, u32 port, u32 len)
{
	const struct mac_port *p = &m->port[port];

	return len <= max_len(p, p->tx_buf);
}

/*
 * Not only the NIC's own. The station at the other end is not known here, so any
 * individual address may be its.
 */
static void count_control(struct mac *m, u32 port, const u8 *data)
{
	struct parq_mac_stats *s = &m->stats[port].tx;

	stat_add(&s->ctrl, 1);
	switch (mac_control_kind(&m->port[port], data,
				 !(get_addr(data) & ADDR_GROUP))) {
	case MAC_CONTROL_PFC:
		stat_add(&s->pfc, 1);
		break;
	case MAC_CONTROL_PAUSE:
	case MAC_CONTROL_LOW:
		stat_add(&s->pause, 1);
		break;
	default:
		break;
	}
}

static void start(struct mac *m, u32 port, u32 len, bool own)
{
	struct mac_port *p = &m->port[port];
	u64 now = m->clock->now, ps = mac_byte_ps(p);

	p->tx_busy = true;
	p->tx_own = own;
	count_frame(&m->stats[port].tx, p->tx_buf, len);
	if (get_be16(p->tx_buf + 12) == ETH_MAC_CONTROL)
		count_control(m, port, p->tx_buf);
	timer_set(m->clock, &p->tx.timer,
		  now + (PREAMBLE + len + FCS_LEN + GAP) * ps);
	m->bus->host->frame(m->bus->ctx, port, p->tx_buf, len, now,
			    now + (PREAMBLE + len + FCS_LEN) * ps);
}

/**
 * mac_send() - start the frame in mac_tx_buf()
 * @m: the MACs
 * @port: a port that is ready
 * @len: bytes without FCS; short frames are padded
 *
 * The NTI hears of the end when the gap behind the frame has passed too: that is
 * the next moment at which a frame can start.
 */
void mac_send(struct mac *m, u32 port, u32 len)
{
	struct mac_port *p = &m->port[port];

	while (len < FRAME_MIN)
		p->tx_buf[len++] = 0;
	start(m, port, len, false);
}

/**
 * mac_control() - there may be a control frame to send
 * @m: the MACs
 * @port: a port
 *
 * If another frame is on the wire it is asked for when that has ended. No pause
 * holds it up: who waits for it may be what we wait for.
 */
void mac_control(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];

	if (p->tx_busy || !mac_may_control(m, port))
		return;
	memset(p->tx_buf, 0, FRAME_MIN);
	if (!m->up.control(m->up.ctx, port, p->tx_buf))
		return;
	put_addr(p->tx_buf, ADDR_PAUSE);
	put_addr(p->tx_buf + 6, p->addr);
	put_be16(p->tx_buf + 12, ETH_MAC_CONTROL);
	start(m, port, FRAME_MIN, true);
}

/* A frame can start, perhaps: control frames come before all others. */
void mac_next(struct mac *m, u32 port)
{
	mac_control(m, port);
	if (mac_tx_ready(m, port))
		m->up.tx_ready(m->up.ctx, port);
}

static void tx_end(void *ctx)
{
	struct mac_timer *t = ctx;
	struct mac *m = t->mac;
	struct mac_port *p = &m->port[t->port];

	p->tx_busy = false;
	if (!p->tx_own)
		m->up.tx_done(m->up.ctx, t->port);
	mac_next(m, t->port);
}

/* ---- receive ------------------------------------------------------------ */

static void rx_control(struct mac *m, u32 port, const u8 *data, u32 len)
{
	const struct mac_port *p = &m->port[port];

	stat_add(&m->stats[port].rx.ctrl, 1);
	if (!mac_control_rx(m, port, data))
		stat_add(&m->stats[port].rx_ctrl_unknown, 1);
	if (p->ctrl & PARQ_PORT_CTRL_RX_MACCTRL)
		m->up.receive(m->up.ctx, port, data, len, true);
}

static bool wanted(const struct mac_port *p, u64 da)
{
	u32 i;

	if ((p->ctrl & PARQ_PORT_CTRL_PROMISC) || da == p->addr ||
	    da == ADDR_BROADCAST)
		return true;
	if ((da & ADDR_GROUP) && (p->ctrl & PARQ_PORT_CTRL_ALLMULTI))
		return true;
	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		if (p->filter[i] == (da | MAC_FILTER_VALID))
			return true;
	return false;
}

/**
 * mac_rx() - the last bit of a frame has arrived
 * @m: the MACs
 * @port: where
 * @data: the frame
 * @len: its bytes without FCS
 * @fcs_ok: its FCS was right
 */
void mac_rx(struct mac *m, u32 port, const u8 *data, u32 len, bool fcs_ok)
{
	struct parq_stats *s = &m->stats[port];
	struct mac_port *p = &m->port[port];

	if (!(p->status & PARQ_PORT_STATUS_LINK)) {
		stat_add(&s->rx_drop_disabled, 1);
		return;
	}
	if (len < FRAME_MIN) {
		stat_add(&s->rx_undersize, 1);
		return;
	}
	if (len > max_len(p, data)) {
		stat_add(&s->rx_oversize, 1);
		return;
	}
	if (!fcs_ok) {
		stat_add(&s->rx_fcs_err, 1);
		if (p->ctrl & PARQ_PORT_CTRL_RX_FCS_ERR)
			m->up.receive(m->up.ctx, port, data, len, false);
		return;
	}
	count_frame(&s->rx, data, len);
	if (get_be16(data + 12) == ETH_MAC_CONTROL)
		rx_control(m, port, data, len);
	else if (wanted(p, get_addr(data)))
		m->up.receive(m->up.ctx, port, data, len, true);
	else
		stat_add(&s->rx_filtered, 1);
}

/* ---- life --------------------------------------------------------------- */

void mac_init(struct mac *m)
{
	struct mac_port *p;
	u32 port;

	for (port = 0; port < m->ports; port++) {
		p = &m->port[port];
		p->tx = (struct mac_timer){ .mac = m, .port = port };
		timer_init(&p->tx.timer, tx_end, &p->tx);
		mac_pause_init(m, port);
	}
}

static void mac_port_reset(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];
	u32 i;

	p->ctrl = 0;
	p->pfc_en = 0;
	p->pause_rx = false;
	p->low_opcode = 0;
	p->low_prios = 0;
	p->adv = m->speeds;
	p->link_ctrl = PARQ_LINK_CTRL_AN | PARQ_LINK_CTRL_FULL_DUPLEX |
		       FIELD_PREP(PARQ_LINK_CTRL_SPEED,
				  31 - __builtin_clz(m->speeds));
	p->max_frame = 1518;
	p->addr = m->perm[port];
	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		p->filter[i] = 0;
	timer_cancel(m->clock, &p->tx.timer);
	p->tx_busy = false;
	mac_link_update(m, port);
}

/* The cable stays plugged in; with the PHY off the link goes down. */
void mac_reset(struct mac *m)
{
	u32 port;

	for (port = 0; port < m->ports; port++)
		mac_port_reset(m, port);
}
