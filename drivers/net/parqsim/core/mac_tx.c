// SPDX-License-Identifier: GPL-2.0
/* The MAC: transmission and its timing. */
#include <linux/bitfield.h>
#include <linux/compiler.h>

#include "frame.h"
#include "mac.h"

#define GAP		12

/* ---- time --------------------------------------------------------------- */

/* At 400 Gb/s a byte takes 20 ps; the other speeds are multiples of that. */
static const u32 byte_ps[PARQ_NUM_SPEEDS] = {
	[PARQ_SPEED_10M] = 800000,
	[PARQ_SPEED_100M] = 80000,
	[PARQ_SPEED_1G] = 8000,
	[PARQ_SPEED_2500M] = 3200,
	[PARQ_SPEED_5G] = 1600,
	[PARQ_SPEED_10G] = 800,
	[PARQ_SPEED_25G] = 320,
	[PARQ_SPEED_40G] = 200,
	[PARQ_SPEED_50G] = 160,
	[PARQ_SPEED_100G] = 80,
	[PARQ_SPEED_200G] = 40,
	[PARQ_SPEED_400G] = 20,
};

u32 parqsim_byte_ps(unsigned int speed)
{
	return speed < PARQ_NUM_SPEEDS ? byte_ps[speed] : 0;
}

void mac_set_status(struct mac_port *p, u32 status)
{
	p->status = status;
	p->byte_ps = parqsim_byte_ps(FIELD_GET(PARQ_PORT_STATUS_SPEED, status));
}

u64 mac_quantum_ps(const struct mac *m, u32 port)
{
	return (u64)QUANTUM_BYTES * m->port[port].byte_ps;
}

/* ---- counters ----------------------------------------------------------- */

static __always_inline void count_size(struct parq_mac_stats *s, u32 len, u32 n)
{
	static const u32 bound[PARQ_NUM_RMON] = PARQ_RMON_BOUNDS;
	u32 i = 0;

	while (i < PARQ_NUM_RMON - 1 && len > bound[i])
		i++;
	stat_add(&s->rmon[i], n);
}

static __always_inline void count_frames(struct parq_mac_stats *s, const u8 *data, u32 len, u32 n)
{
	u64 da = get_addr(data);

	stat_add(&s->frames, n);
	stat_add(&s->bytes, n * (len + FCS_LEN));
	if (da == ADDR_BROADCAST)
		stat_add(&s->broadcast, n);
	else if (da & ADDR_GROUP)
		stat_add(&s->multicast, n);
	count_size(s, len + FCS_LEN, n);
}

/* @len: bytes without FCS */
void mac_count_frame(struct parq_mac_stats *s, const u8 *data, u32 len)
{
	count_frames(s, data, len, 1);
}

/* The same for @n frames, @len bytes each. */
void mac_count_frames(struct parq_mac_stats *s, const u8 *data, u32 len, u32 n)
{
	count_frames(s, data, len, n);
}

/* ---- transmit ----------------------------------------------------------- */

bool mac_tx_ready(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return !p->tx_busy && p->stop != MAC_STOP_ALL &&
	       (p->status & PARQ_PORT_STATUS_LINK);
}

/* End of the frame on the wire and of the gap behind it, ps; the present time if idle. */
u64 mac_tx_free(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return p->tx_busy ? p->tx.timer.at : m->clock->now;
}

/* Time of @bytes on the link, ps; @bytes includes preamble, FCS and gap. */
u64 mac_tx_ps(const struct mac *m, u32 port, u64 bytes)
{
	return bytes * m->port[port].byte_ps;
}

/* PTP clock when the first bit behind the preamble of a frame that starts now is on the wire. */
u64 mac_tx_stamp(const struct mac *m, u32 port)
{
	return ptp_time(m->ptp, m->clock->now + mac_tx_ps(m, port, FRAME_PREAMBLE));
}

static inline bool is_up(const struct mac_port *p)
{
	return (p->ctrl & PARQ_PORT_CTRL_EN) && (p->status & PARQ_PORT_STATUS_LINK);
}

/* Whether the port is enabled and has a link. */
bool mac_is_up(const struct mac *m, u32 port)
{
	return is_up(&m->port[port]);
}

/* Whether the NIC's own control frames can be sent. */
bool mac_may_control(const struct mac *m, u32 port)
{
	const struct mac_port *p = &m->port[port];

	return is_up(p) && (p->status & PARQ_PORT_STATUS_FULL_DUPLEX);
}

static bool is_tag(u32 type)
{
	return type == ETH_C_TAG || type == ETH_S_TAG;
}

/* Length limit of a frame without FCS. Up to two VLAN tags do not count, in any order. */
u32 mac_max_len(const struct mac_port *p, const u8 *data)
{
	u32 max = p->max_frame - FCS_LEN;

	if (!is_tag(get_be16(data + TAG_AT)))
		return max;
	return max + (is_tag(get_be16(data + TAG_AT + TAG_LEN)) ? 2 : 1) * TAG_LEN;
}

/* Whether a frame of @len bytes, FCS apart, that begins with @data is short enough to send. */
bool mac_fits(const struct mac *m, u32 port, const u8 *data, u32 len)
{
	return len <= mac_max_len(&m->port[port], data);
}

/*
 * Counts the host's control frames, too. The link partner's address is unknown here, so
 * any individual address counts as the partner's.
 */
static void count_control(struct mac *m, u32 port, const u8 *data)
{
	struct parq_mac_stats *s = &m->stats[port].tx;

	stat_add(&s->ctrl, 1);
	switch (frame_control(data, !(get_addr(data) & ADDR_GROUP),
			      m->port[port].low_opcode)) {
	case FRAME_PFC:
		stat_add(&s->pfc, 1);
		break;
	case FRAME_PAUSE:
	case FRAME_PAUSE_LOW:
		stat_add(&s->pause, 1);
		break;
	default:
		break;
	}
}

/* Occupies the wire with a frame that begins with @data. Return: its end, ps. */
static __always_inline u64 occupy(struct mac *m, u32 port, const u8 *data, u32 len, bool own)
{
	struct mac_port *p = &m->port[port];
	u64 ps = p->byte_ps, end = m->clock->now + (FRAME_PREAMBLE + len + FCS_LEN) * ps;

	p->tx_busy = true;
	p->tx_own = own;
	mac_count_frame(&m->stats[port].tx, data, len);
	timer_set(m->clock, &p->tx.timer, end + GAP * ps);
	return end;
}

static void start(struct mac *m, u32 port, const u8 *data, u32 len, bool own)
{
	struct mac_port *p = &m->port[port];
	u64 end;

	if (p->train)
		mac_train_end(m, port);
	end = occupy(m, port, data, len, own);
	if (get_be16(data + 12) == ETH_MAC_CONTROL)
		count_control(m, port, data);
	m->bus->host->frame(m->bus->ctx, port, data, len, m->clock->now, end);
}

/**
 * mac_wire_buf() - memory of the wire, if possible, in which a frame is built
 * @m: the MACs
 * @port: a port that is ready
 *
 * The headers of a train are where the wire would have the frame.
 *
 * Return: PARQSIM_FRAME_MAX bytes, of the wire or of the MAC.
 */
u8 *mac_wire_buf(struct mac *m, u32 port)
{
	const struct parqsim_host *host = m->bus->host;
	struct mac_port *p = &m->port[port];
	u8 *buf = NULL;

	if (host->buffer && !p->train)
		buf = host->buffer(m->bus->ctx, port);
	return buf ? buf : p->tx_buf;
}

/**
 * mac_send() - start a frame
 * @m: the MACs
 * @port: a port that is ready
 * @buf: the frame, in mac_tx_buf() or mac_own_buf()
 * @len: bytes without FCS; short frames are padded
 *
 * tx_done() is called when the gap behind the frame has passed, too: only then can the
 * next frame start.
 */
void mac_send(struct mac *m, u32 port, u8 *buf, u32 len)
{
	while (len < FRAME_MIN)
		buf[len++] = 0;
	start(m, port, buf, len, false);
}

/* ---- trains ------------------------------------------------------------- */

/**
 * mac_train_begin() - begin a train on a port's wire
 * @m: the MACs
 * @port: a port that is ready
 * @len: bytes of payload that are left of the frame
 *
 * The caller adds a segment and calls mac_send_segment(), or sends another frame.
 *
 * Return: NULL if the wire takes single frames only.
 */
struct train *mac_train_begin(struct mac *m, u32 port, u32 len)
{
	const struct parqsim_host *host = m->bus->host;

	mac_train_end(m, port);
	if (host->train)
		m->port[port].train = host->train(m->bus->ctx, port, len);
	return m->port[port].train;
}

/* Starts the newest segment of the train. */
void mac_send_segment(struct mac *m, u32 port)
{
	const struct train *t = m->port[port].train;
	u64 end = occupy(m, port, t->hdr, train_seg_len(t, t->n - 1), false);

	m->bus->host->segment(m->bus->ctx, port, m->clock->now, end);
	if (t->last)
		mac_train_end(m, port);
}

/* No segment follows, or not at once. */
void mac_train_end(struct mac *m, u32 port)
{
	if (!m->port[port].train)
		return;
	m->port[port].train = NULL;
	m->bus->host->train_end(m->bus->ctx, port);
}

/* ---- control frames ----------------------------------------------------- */

/**
 * mac_control() - send a control frame as soon as possible
 * @m: the MACs
 * @port: a port
 *
 * A frame that is already being sent ends first. No received pause delays a control frame:
 * two stations that pause each other would otherwise wait for each other.
 */
void mac_control(struct mac *m, u32 port)
{
	struct mac_port *p = &m->port[port];

	if (p->tx_busy || !mac_may_control(m, port))
		return;
	if (!m->up.control(m->up.ctx, port, p->tx_buf))
		return;
	put_addr(p->tx_buf, ADDR_PAUSE);
	put_addr(p->tx_buf + 6, p->addr);
	put_be16(p->tx_buf + 12, ETH_MAC_CONTROL);
	start(m, port, p->tx_buf, FRAME_MIN, true);
}

/* Starts the next frame if the port is ready. Control frames come first. */
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
	if (p->train && !p->tx_busy)
		mac_train_end(m, t->port);
}

void mac_tx_init(struct mac *m, u32 port)
{
	struct mac_timer *t = &m->port[port].tx;

	*t = (struct mac_timer){ .mac = m, .port = port };
	timer_init(&t->timer, tx_end, t);
	mac_set_status(&m->port[port], 0);
}
