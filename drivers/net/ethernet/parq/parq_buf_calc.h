/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_BUF_CALC_H
#define _PARQ_BUF_CALC_H

#include <linux/dcbnl.h>
#include <linux/parq_hw.h>

#include "parq_log.h"

/* Length of a cable, metres. No PHY of IEEE 802.3 goes beyond 80 km. */
#define PARQ_CABLE_MIN_M	1
#define PARQ_CABLE_MAX_M	100000
#define PARQ_CABLE_DEFAULT_M	10	/* within a rack, or to the next one */

/* Propagation time per metre, ps. Copper: 570 ns in 100 m of IEEE 802.3 clause 40.7. */
#define PARQ_FIBRE_PS_PER_M	5000
#define PARQ_COPPER_PS_PER_M	5700

/**
 * struct parq_path - parameters of an XOFF round trip
 * @speed: speed of the link
 * @cable_m: length of the cable, m
 * @ps_per_m: propagation time per metre, ps
 * @round_trip: round-trip time in bit times, used in place of the cable; 0: the cable
 * @tx_frame: longest frame that this station may be sending, with tags and FCS
 * @rx_frame: longest frame that the peer may be sending, with tags and FCS
 * @xoff_latency: bytes from crossing the high watermark to a pause frame
 * @xon_latency: bytes from crossing the low watermark to a pause frame
 * @phy_latency: bytes through the peer's PHY to its MAC
 * @pauses: number of pause frames that may be sent first
 * @step: bytes by which the buffer may exceed the watermark when this is noticed
 */
struct parq_path {
	enum parq_speed speed;
	u32 cable_m;
	u32 ps_per_m;
	u32 round_trip;
	u32 tx_frame;
	u32 rx_frame;
	u32 xoff_latency;
	u32 xon_latency;
	u32 phy_latency;
	u32 pauses;
	u32 step;
};

/**
 * struct parq_headroom - bytes that arrive, or could, between a watermark and its effect
 * @media_delay: bytes already on the medium (overflow), or delay of the pause frame
 * @mac_latency: delay until the MAC wants to send the pause frame
 * @wait_to_transmit: rest of the frame being sent, at worst all of it
 * @ipg: gap after that frame
 * @pause_packet: the pause frame itself
 * @media_delay2: delay of the pause frame (overflow), or of the first frame (underflow)
 * @phy_latency: delay of the peer's PHY
 * @reaction: delay until the peer has stopped; the maximum that the standard permits
 * @packet_delay: frame that the peer has begun by then (overflow only)
 * @pauses: pause frames of other buffers that go first
 * @step: frame that crossed the watermark (overflow only)
 *
 * Delays are given in bytes at the link's speed. The names come from the tables of a MAC
 * of 2006, on which the calculation is based; these tables have neither @pauses nor
 * @step.
 */
struct parq_headroom {
	u32 media_delay;
	u32 mac_latency;
	u32 wait_to_transmit;
	u32 ipg;
	u32 pause_packet;
	u32 media_delay2;
	u32 phy_latency;
	u32 reaction;
	u32 packet_delay;
	u32 pauses;
	u32 step;
};

/**
 * struct parq_rxb_want - inputs for the calculation of receive buffers
 * @user: settings of a user, valid if @set
 * @set: @user is used; otherwise the driver's defaults
 * @own_sizes: even if @set, sizes are the driver's defaults
 * @lossless: BIT(priority) whose frames must not be lost
 * @link_pause: link pause makes all priorities lossless and stops them together
 * @delay: round-trip time in bit times, from DCB; 0: computed from the cable
 * @cable_m: length of the cable, m
 * @mtu: largest MTU that the device accepts
 * @fastest: fastest speed with which the link may come up
 * @speed: speed of the link; @fastest while it is down
 * @total: receive memory of the port, bytes
 * @share: ports share what buffers do not need
 */
struct parq_rxb_want {
	struct dcbnl_buffer user;
	bool set;
	bool own_sizes;
	u8 lossless;
	bool link_pause;
	u16 delay;
	u32 cable_m;
	unsigned int mtu;
	enum parq_speed fastest;
	enum parq_speed speed;
	u32 total;
	bool share;
};

/**
 * struct parq_rxb - receive buffers as register values
 * @prio: PARQ_RXB_PRIO
 * @size: PARQ_RXB_SIZE
 * @xoff: PARQ_RXB_XOFF
 * @xon: PARQ_RXB_XON
 */
struct parq_rxb {
	u32 prio;
	u32 size[PARQ_NUM_RXB];
	u32 xoff[PARQ_NUM_RXB];
	u32 xon[PARQ_NUM_RXB];
};

struct parq_headroom parq_headroom_overflow(const struct parq_path *path);
struct parq_headroom parq_headroom_underflow(const struct parq_path *path);
u32 parq_headroom_sum(const struct parq_headroom *h);
u32 parq_headroom_mbps(unsigned int speed);

struct parq_path parq_rxb_path(const struct parq_rxb_want *want,
			       enum parq_speed speed);
int parq_rxb_fit(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		 char reason[PARQ_REASON_LEN]);
u32 parq_rxb_frame(const struct parq_rxb_want *want);
u32 parq_rxb_sum(const struct parq_rxb *rxb);
u32 parq_rxb_growth(const struct parq_rxb *old, const struct parq_rxb *new);
unsigned int parq_rxb_buffer(const struct parq_rxb *rxb, unsigned int prio);
u8 parq_rxb_prios(const struct parq_rxb *rxb, unsigned int n);
u8 parq_rxb_prepare(const struct parq_rxb *old, const struct parq_rxb *new,
		    u8 lossless, struct parq_rxb *step);

#endif /* _PARQ_BUF_CALC_H */
