/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MAC, the third stage, one per port: serializes frames at link speed, keeps the pause
 * timers, separates MAC control frames and frames for other stations from those for the
 * host, and sends the NIC's own control frames ahead of all others.
 */
#ifndef _PARQSIM_MAC_H
#define _PARQSIM_MAC_H

#include "bus.h"
#include "clock.h"
#include "ptp.h"
#include "train.h"

struct mac;

/**
 * struct mac_up - callbacks to the rest of the NIC
 * @ctx: first argument of each callback
 * @tx_done: the frame started by mac_send(), and the gap behind it, have ended
 * @tx_ready: a frame can start
 * @control: writes opcode and parameters of the control frame to start now, and zeroes its other
 *	bytes; returns false if there is none
 * @pause: PAUSE of a priority has changed
 * @low: BIT(priority) stopped by Pause Low
 * @receive: a good frame for this station
 * @link: PARQ_PORT_STATUS has changed
 */
struct mac_up {
	void *ctx;
	void (*tx_done)(void *ctx, u32 port);
	void (*tx_ready)(void *ctx, u32 port);
	bool (*control)(void *ctx, u32 port, u8 *frame);
	void (*pause)(void *ctx, u32 port, u32 prio, bool on, u32 quanta);
	void (*low)(void *ctx, u32 port, u8 prios);
	void (*receive)(void *ctx, u32 port, const u8 *data, u32 len,
			bool fcs_ok);
	void (*link)(void *ctx, u32 port, u32 status);
};

struct mac_timer {
	struct mac *mac;
	u8 port;
	u8 prio;
	struct timer timer;
};

/* What the last 802.3x frame has stopped. */
enum mac_stop {
	MAC_STOP_NONE,
	MAC_STOP_ALL,
	MAC_STOP_LOW,
};

/**
 * struct mac_port - one port
 * @partner: settings of the link partner
 * @status: PARQ_PORT_STATUS
 * @byte_ps: time of one byte at the speed that @status names, ps
 * @ctrl: PARQ_PORT_CTRL
 * @link_ctrl: PARQ_LINK_CTRL
 * @adv: PARQ_LINK_ADV
 * @max_frame: PARQ_MAX_FRAME
 * @perm: PARQ_MAC_PERM
 * @addr: PARQ_MAC_ADDR
 * @filter: PARQ_FILTER, byte 0 of the address lowest, bit 63 valid
 * @pfc_en: BIT(priority) of PARQ_PFC_CTRL
 * @paused: BIT(priority): the pause timer is running
 * @pause_start: when PAUSE rose, ps
 * @pause: pause timers
 * @link_pause: end of the pause that @stop names
 * @stop: link pause, Pause Low or none
 * @pause_rx: 802.3x frames are obeyed
 * @pfc_seen: a PFC frame has arrived on this link, so 802.3x frames are ignored
 * @accept: frames for any station are received
 * @low_prios: BIT(priority) that Pause Low stops
 * @low_opcode: opcode of Pause Low, 0 for none
 * @tx: end of the frame on the wire and of the gap behind it
 * @tx_busy: a frame is on the wire
 * @tx_own: that frame is one of the NIC's own control frames
 * @train: train to which that frame belongs, NULL if to none
 * @tx_buf: bytes of that frame, if it was not built in memory of the wire
 */
struct mac_port {
	struct parqsim_partner partner;
	u32 status;
	u32 byte_ps;
	u32 ctrl;
	u32 link_ctrl;
	u32 adv;
	u32 max_frame;
	u64 perm;
	u64 addr;
	u64 filter[PARQ_NUM_FILTERS];
	u8 pfc_en;
	u8 paused;
	u64 pause_start[PARQ_NUM_PRIO];
	struct mac_timer pause[PARQ_NUM_PRIO];
	struct mac_timer link_pause;
	enum mac_stop stop;
	bool pause_rx;
	bool pfc_seen;
	bool accept;
	u8 low_prios;
	u16 low_opcode;
	struct mac_timer tx;
	bool tx_busy;
	bool tx_own;
	struct train *train;
	u8 tx_buf[PARQSIM_FRAME_MAX];
};

struct mac {
	const struct bus *bus;
	struct clock *clock;
	struct ptp *ptp;
	struct parq_stats *stats;
	struct mac_up up;
	u32 speeds;
	u8 ports;
	struct mac_port *port;
};

#define MAC_FILTER_VALID	BIT_ULL(63)

void mac_init(struct mac *m);
void mac_reset(struct mac *m);

/* Called by the registers. */
void mac_link_update(struct mac *m, u32 port);
void mac_pause_clear(struct mac *m, u32 port, u8 prios);
void mac_pfc_enable(struct mac *m, u32 port, u8 prios);
void mac_link_pause_end(struct mac *m, u32 port);
void mac_pause_rx(struct mac *m, u32 port, bool on);
void mac_pause_low(struct mac *m, u32 port, u16 opcode, u8 prios);
u32 mac_pause_quanta(const struct mac *m, u32 port, u32 prio);
u64 mac_pause_running_ns(const struct mac *m, u32 port, u32 prio);

/*
 * Internal to the MAC. Of mac_tx.c, mac_pause.c, mac_link.c and mac.c, each calls only functions
 * of those before it.
 */
void mac_set_status(struct mac_port *p, u32 status);
void mac_count_frame(struct parq_mac_stats *s, const u8 *data, u32 len);
u32 mac_max_len(const struct mac_port *p, const u8 *data);
void mac_next(struct mac *m, u32 port);
void mac_tx_init(struct mac *m, u32 port);
void mac_pause_init(struct mac *m, u32 port);
void mac_pause_reset(struct mac *m, u32 port);
bool mac_control_rx(struct mac *m, u32 port, const u8 *data);

/* Called by the NTI. */
bool mac_tx_ready(const struct mac *m, u32 port);
u64 mac_tx_free(const struct mac *m, u32 port);
u64 mac_tx_ps(const struct mac *m, u32 port, u64 bytes);
bool mac_is_up(const struct mac *m, u32 port);
bool mac_fits(const struct mac *m, u32 port, const u8 *data, u32 len);
u8 *mac_wire_buf(struct mac *m, u32 port);
void mac_send(struct mac *m, u32 port, u8 *buf, u32 len);
u64 mac_tx_stamp(const struct mac *m, u32 port);
struct train *mac_train_begin(struct mac *m, u32 port, u32 len);
void mac_send_segment(struct mac *m, u32 port);
void mac_train_end(struct mac *m, u32 port);

/* The train on the wire, to which the next segment may be added. */
static inline struct train *mac_train(const struct mac *m, u32 port)
{
	return m->port[port].train;
}

/* Memory of the MAC for a frame. */
static inline u8 *mac_own_buf(struct mac *m, u32 port)
{
	return m->port[port].tx_buf;
}

/* To copy a shorter frame costs less than to ask the wire for memory. */
#define MAC_SHORT	256

/* PARQSIM_FRAME_MAX bytes in which a frame is built that should have @len of them. */
static inline u8 *mac_tx_buf(struct mac *m, u32 port, u32 len)
{
	return len < MAC_SHORT ? mac_own_buf(m, port) : mac_wire_buf(m, port);
}

/* Called for batches. */
void mac_count_frames(struct parq_mac_stats *s, const u8 *data, u32 len, u32 n);

/* Called by flow control. */
u64 mac_quantum_ps(const struct mac *m, u32 port);
bool mac_may_control(const struct mac *m, u32 port);
void mac_control(struct mac *m, u32 port);

/* Called by the wire. */
void mac_rx(struct mac *m, u32 port, const u8 *data, u32 len, bool fcs_ok);
bool mac_wants(const struct mac *m, u32 port, const u8 *data);
bool mac_rx_takes(const struct mac *m, u32 port, const u8 *hdr, u32 len);
bool mac_rx_segment(struct mac *m, u32 port, const u8 *hdr, u32 len);
void mac_partner(struct mac *m, u32 port, const struct parqsim_partner *partner);
void mac_self(const struct mac *m, u32 port, struct parqsim_partner *self);

#endif /* _PARQSIM_MAC_H */
