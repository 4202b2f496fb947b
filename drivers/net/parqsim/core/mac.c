// SPDX-License-Identifier: GPL-2.0
/* The MAC: reception and reset. */
#include <linux/bitfield.h>
#include <linux/compiler.h>

#include "frame.h"
#include "mac.h"

/* ---- receive ------------------------------------------------------------ */

/* The frame has just ended. */
static void stamp(struct mac *m, u32 port, u32 len)
{
	u64 ps = mac_tx_ps(m, port, len + FCS_LEN), now = m->clock->now;

	m->ptp->arrival = ptp_time(m->ptp, now > ps ? now - ps : 0);
}

static __always_inline void receive(struct mac *m, u32 port, const u8 *data, u32 len,
				    bool fcs_ok)
{
	if (m->port[port].ctrl & PARQ_PORT_CTRL_RX_STAMP)
		stamp(m, port, len);
	m->up.receive(m->up.ctx, port, data, len, fcs_ok);
}

static void rx_control(struct mac *m, u32 port, const u8 *data, u32 len)
{
	const struct mac_port *p = &m->port[port];
	struct parq_stats *s = &m->stats[port];
	u64 da = get_addr(data);

	stat_add(&s->rx.ctrl, 1);
	if (da != p->addr && da != ADDR_PAUSE)
		stat_add(&s->rx_ctrl_addr, 1);
	else if (!mac_control_rx(m, port, data))
		stat_add(&s->rx_ctrl_unknown, 1);
	if (p->ctrl & PARQ_PORT_CTRL_RX_MACCTRL)
		receive(m, port, data, len, true);
}

static __always_inline bool passes(const struct mac_port *p, u64 da)
{
	u32 i;

	if ((p->ctrl & PARQ_PORT_CTRL_PROMISC) || da == p->addr || da == ADDR_BROADCAST)
		return true;
	if ((da & ADDR_GROUP) && (p->ctrl & PARQ_PORT_CTRL_ALLMULTI))
		return true;
	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		if (p->filter[i] == (da | MAC_FILTER_VALID))
			return true;
	return false;
}

static __always_inline bool wanted(const struct mac_port *p, u64 da)
{
	return p->accept || passes(p, da);
}

/* Whether the port would pass a frame on to the host if it did not accept all. */
bool mac_wants(const struct mac *m, u32 port, const u8 *data)
{
	return get_be16(data + 12) == ETH_MAC_CONTROL || passes(&m->port[port], get_addr(data));
}

/**
 * mac_rx() - receive a frame whose last bit has arrived
 * @m: the MACs
 * @port: receiving port
 * @data: the frame
 * @len: bytes without FCS
 * @fcs_ok: the FCS was right
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
		stat_add(fcs_ok ? &s->rx_undersize : &s->rx_fragment, 1);
		return;
	}
	if (len > mac_max_len(p, data)) {
		stat_add(fcs_ok ? &s->rx_oversize : &s->rx_jabber, 1);
		return;
	}
	if (!fcs_ok) {
		stat_add(&s->rx_fcs_err, 1);
		if (p->ctrl & PARQ_PORT_CTRL_RX_FCS_ERR)
			receive(m, port, data, len, false);
		return;
	}
	mac_count_frame(&s->rx, data, len);
	if (get_be16(data + 12) == ETH_MAC_CONTROL)
		rx_control(m, port, data, len);
	else if (wanted(p, get_addr(data)))
		receive(m, port, data, len, true);
	else
		stat_add(&s->rx_filtered, 1);
}

/* Whether mac_rx() would pass a segment of @len bytes with the headers @hdr on to the host. */
bool mac_rx_takes(const struct mac *m, u32 port, const u8 *hdr, u32 len)
{
	const struct mac_port *p = &m->port[port];

	return (p->status & PARQ_PORT_STATUS_LINK) && len <= mac_max_len(p, hdr) &&
	       wanted(p, get_addr(hdr));
}

/**
 * mac_rx_segment() - receive a segment of a train that is not to be handled as a frame of its own
 * @m: the MACs
 * @port: receiving port
 * @hdr: its headers
 * @len: bytes without FCS
 *
 * Return: true if mac_rx() would pass the frame on to the host; it is counted then.
 */
bool mac_rx_segment(struct mac *m, u32 port, const u8 *hdr, u32 len)
{
	if (!mac_rx_takes(m, port, hdr, len))
		return false;
	mac_count_frame(&m->stats[port].rx, hdr, len);
	return true;
}

/* ---- life --------------------------------------------------------------- */

void mac_init(struct mac *m)
{
	u32 port;

	for (port = 0; port < m->ports; port++) {
		mac_tx_init(m, port);
		mac_pause_init(m, port);
	}
}

static void mac_port_reset(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];
	u32 i;

	p->ctrl = 0;
	p->pfc_en = 0;
	p->accept = false;
	p->pause_rx = false;
	p->low_opcode = 0;
	p->low_prios = 0;
	p->adv = m->speeds;
	p->link_ctrl = PARQ_LINK_CTRL_AN | PARQ_LINK_CTRL_FULL_DUPLEX |
		       FIELD_PREP(PARQ_LINK_CTRL_SPEED,
				  31 - __builtin_clz(m->speeds));
	p->max_frame = 1518;
	p->addr = p->perm;
	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		p->filter[i] = 0;
	timer_cancel(m->clock, &p->tx.timer);
	p->tx_busy = false;
	mac_train_end(m, port);
	mac_link_update(m, port);
}

/* The cable stays plugged in. The PHY goes off, so the link goes down. */
void mac_reset(struct mac *m)
{
	u32 port;

	for (port = 0; port < m->ports; port++)
		mac_port_reset(m, port);
}
