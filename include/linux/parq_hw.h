/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PARQ: the contract between the NIC and its host. Register offsets and fields, descriptors in
 * host memory, doorbells, the status page and the statistics block are defined here and nowhere
 * else. Documentation/nic/ explains them in prose. Where the two differ, the prose is wrong.
 *
 * - BAR0 holds registers of 32 bits, little endian, naturally aligned. An access of another
 *   width, or to an offset that is not listed, is illegal.
 * - "RW" read and write, "RO" read only (a write is illegal), "WO" write only (reads as 0),
 *   "RWS" staged: takes effect with a command register. The number after it is the value after
 *   reset.
 * - An illegal read returns 0. An illegal write, or a write with an illegal value, changes
 *   nothing and is recorded in PARQ_ERR and PARQ_ERR_ADDR. Bits that are not listed are
 *   reserved: write 0; a write of 1 is illegal.
 * - A device that is gone reads as all ones; PARQ_MAGIC never does.
 * - 64-bit addresses are a LO and a HI register; neither has an effect until the control
 *   register of the object is written.
 * - Times are nanoseconds of the device clock unless the name says quanta. One quantum is 512
 *   bit times of the link (IEEE 802.3 annex 31B.2).
 * - Positions in rings count entries from 0 upwards without wrapping at the ring size; entry =
 *   position & (size - 1). They wrap at 2^32.
 */
#ifndef _LINUX_PARQ_HW_H
#define _LINUX_PARQ_HW_H

#include <linux/types.h>
#include <linux/bits.h>
#include <linux/build_bug.h>

/* Numbers of our own choice; no registry assigned them. */
#define PARQ_PCI_VENDOR			0x5051
#define PARQ_PCI_DEVICE			0x0bb1
#define PARQ_PCI_REVISION		1

#define PARQ_MAX_PORTS			64
#define PARQ_NIC_PORTS			4	/* unless they forward, see PARQ_SWITCH */
#define PARQ_NUM_PRIO			8	/* IEEE 802.1Q priorities */
#define PARQ_NUM_TC			8	/* 802.1Qaz traffic classes */
#define PARQ_MAX_TXQ			64	/* per port */
#define PARQ_MAX_RXQ			64	/* per port */
#define PARQ_MAX_VECTORS		2047	/* PARQ_LIMITS_VECTORS has no more */

/* Base address registers of the PCI function. BAR4 holds the MSI-X tables. */
#define PARQ_BAR_REGS			0
#define PARQ_BAR_DB			2
#define PARQ_BAR_MSIX			4
#define PARQ_BAR_REGS_SIZE		0x40000
#define PARQ_BAR_DB_SIZE		0x10000
#define PARQ_BAR_REGS_MANY		0x400000	/* with more than PARQ_NIC_PORTS ports */
#define PARQ_BAR_DB_MANY		0x80000

static inline __u32 parq_bar_regs_size(unsigned int ports)
{
	return ports > PARQ_NIC_PORTS ? PARQ_BAR_REGS_MANY : PARQ_BAR_REGS_SIZE;
}

static inline __u32 parq_bar_db_size(unsigned int ports)
{
	return ports > PARQ_NIC_PORTS ? PARQ_BAR_DB_MANY : PARQ_BAR_DB_SIZE;
}

/* ---- Device registers ------------------------------------------------- */

#define PARQ_MAGIC			0x0000	/* RO */
#define PARQ_MAGIC_VALUE		0x51524150	/* "PARQ" */

#define PARQ_VERSION			0x0004	/* RO: of this contract */
#define PARQ_VERSION_MAJOR		GENMASK(31, 16)	/* incompatible change */
#define PARQ_VERSION_MINOR		GENMASK(15, 0)	/* addition */
#define PARQ_VERSION_MAJOR_VALUE	2

/* RO: capabilities of this device. PARQ_SW_CAP_PORTS tells of more than PARQ_NIC_PORTS ports. */
#define PARQ_CAP			0x0008
#define PARQ_CAP_PORTS			GENMASK(1, 0)	/* ports - 1, 3 at most */
#define PARQ_CAP_TXQ			GENMASK(9, 4)	/* TX queues per port - 1 */
#define PARQ_CAP_RXQ			GENMASK(15, 10)	/* RX queues per port - 1 */
#define PARQ_CAP_OFFLOAD		BIT(16)	/* the device can run the pause FSM */
#define PARQ_CAP_CSUM			BIT(17)	/* inserts and verifies checksums */
#define PARQ_CAP_TSO			BIT(18)	/* cuts TCP segments */
#define PARQ_CAP_VLAN			BIT(19)	/* inserts and strips C-tags */
#define PARQ_CAP_RSS			BIT(20)	/* Toeplitz hash and indirection */
#define PARQ_CAP_TRACE			BIT(21)	/* logs PARQ_EV_PARK and the like */
#define PARQ_CAP_GRO			BIT(22)	/* merges received TCP segments */
#define PARQ_CAP_PTP			BIT(23)	/* PTP clock and time stamps of frames */
#define PARQ_CAP_RSS_FIELDS		BIT(24)	/* PARQ_RSS_FIELDS, and a symmetric hash */
#define PARQ_CAP_RULES			BIT(25)	/* rules and RSS contexts; with the former */
#define PARQ_CAP_UNPAD			BIT(26)	/* cuts the padding off received frames */
#define PARQ_CAP_RULE_COUNT		BIT(27)	/* rules count, and know S-tags; with RULES */
#define PARQ_CAP_LAUNCH			BIT(28)	/* launch times of frames; with PTP */
#define PARQ_CAP_PORT_RATE		BIT(29)	/* limits the rate of a whole port */
#define PARQ_CAP_RESTORE		BIT(30)	/* PARQ_PFC_STORM_RESTORE */

/* RO: log2 of the largest ring (TX, RX, events, park queue), and vectors. */
#define PARQ_LIMITS			0x000c
#define PARQ_LIMITS_RING		GENMASK(4, 0)
#define PARQ_LIMITS_PARK		GENMASK(9, 5)
#define PARQ_LIMITS_VECTORS		GENMASK(26, 16)	/* MSI-X vectors */

/*
 * RO: maximum number of FDs of one port between the QMAN and the wire. Usually there
 * are fewer: the QMAN fetches only as much as keeps the wire busy while the next frame
 * is fetched and passes the pipeline.
 */
#define PARQ_PIPE_DEPTH			0x0010
#define PARQ_PIPE_DEPTH_MAX		65536	/* frames */

/*
 * WO. RESET sets all registers to their reset values, drops all rings, and ends all
 * DMA and interrupts before PARQ_STATUS_READY is set again. PCIe FLR does the same, and
 * resets configuration space and the MSI-X table, too.
 */
#define PARQ_CTRL			0x0014
#define PARQ_CTRL_RESET			BIT(0)

/* RO. Software waits up to PARQ_RESET_TIMEOUT_MS for READY. */
#define PARQ_STATUS			0x0018
#define PARQ_STATUS_READY		BIT(0)
#define PARQ_STATUS_FATAL		BIT(1)	/* stopped; only a reset helps */
#define PARQ_RESET_TIMEOUT_MS		100

/*
 * Cause of the first illegal access since the last write of 0 to PARQ_ERR (RW, 0), and
 * the number of illegal accesses (saturating). The address is an offset into BAR0.
 */
#define PARQ_ERR			0x001c
#define PARQ_ERR_CAUSE			GENMASK(7, 0)
#define PARQ_ERR_COUNT			GENMASK(31, 16)
#define PARQ_ERR_ADDR			0x0020	/* RO 0 */

enum parq_err {
	PARQ_ERR_NONE,
	PARQ_ERR_ACCESS,	/* no such register, width or alignment */
	PARQ_ERR_READONLY,
	PARQ_ERR_RESERVED,	/* a reserved bit was 1 */
	PARQ_ERR_RANGE,		/* a field's value is outside its range */
	PARQ_ERR_STATE,		/* legal value, but not now */
	PARQ_ERR_DMA,		/* the host refused an address */
	PARQ_ERR_DOORBELL,	/* a tail beyond head + size */
};

/* RO: device clock. Reading LO latches HI. */
#define PARQ_TIME_LO			0x0024
#define PARQ_TIME_HI			0x0028

/* WO, PARQ_DB_TX() or PARQ_DB_RX(), else any doorbell: wakes a device that sleeps; "Doorbells". */
#define PARQ_WAKE			0x002c

/* Event ring: struct parq_event, written by the device. See "Events". */
#define PARQ_EVENT_BASE_LO		0x0030	/* RW 0: 64-byte aligned */
#define PARQ_EVENT_BASE_HI		0x0034	/* RW 0 */
#define PARQ_EVENT_CTRL			0x0038	/* RW 0 */
#define PARQ_EVENT_CTRL_EN		BIT(0)	/* 0 to 1 starts at position 0 */
#define PARQ_EVENT_CTRL_SIZE		GENMASK(8, 4)	/* log2 entries, 6 to limit */
#define PARQ_EVENT_CTRL_VEC		GENMASK(26, 16)
/* RW 0: which events are written, BIT(enum parq_event_type). */
#define PARQ_EVENT_MASK			0x003c
#define PARQ_EVENT_LOST			0x0040	/* RO: not written: ring full, or refused */
#define PARQ_EVENT_HEAD			0x0044	/* RW 0: consumed by the host */

/*
 * PTP clock, with PARQ_CAP_PTP: one for all ports. Its registers exist with that capability only.
 * It runs from the device clock at an adjustable rate; ns modulo 2^64. No rounding adds up.
 *
 * RO 0: its time. A read of LO latches HI.
 */
#define PARQ_PTP_TIME_LO		0x0060
#define PARQ_PTP_TIME_HI		0x0064
#define PARQ_PTP_VAL_LO			0x0068	/* RW 0: operand of a command, ns, signed */
#define PARQ_PTP_VAL_HI			0x006c	/* RW 0 */
#define PARQ_PTP_CMD			0x0070	/* WO: enum parq_ptp_op */
/*
 * RW 0: what the clock gains in a ns of the device clock, 2^-40 ns, signed. A write takes effect at
 * once, and the time does not jump.
 */
#define PARQ_PTP_RATE			0x0074
#define PARQ_PTP_RATE_SHIFT		40

enum parq_ptp_op {
	PARQ_PTP_SET,		/* the time becomes VAL */
	PARQ_PTP_STEP,		/* VAL is added to the time */
	PARQ_NUM_PTP_OP
};

/* RW 0: shortest time between two interrupts of vector n, ns, 0 to 10 ms. */
#define PARQ_VEC_ITR(n)			(0x8000 + 4 * (n))
#define PARQ_VEC_ITR_MAX_NS		10000000

/* ---- Port registers: PARQ_PORT(port) + offset ------------------------- */

#define PARQ_PORT(port)			(0x10000 + 0x8000 * (port))
#define PARQ_PORT_SIZE			0x8000

/*
 * RW 0. Clearing EN stops the port at once. No frame starts any more. Frames in the
 * pipeline and in park queues are dropped and counted (tx_drop_purge), as are those in
 * receive buffers (rx_drop_disabled). No XON is sent. All queues, park queues and PFC
 * are disabled: the EN and HOLD bits of their registers read 0. HOLD and HALT fall.
 * PARQ_STATUS_BASE reads 0. Nothing waits for a pause. Once a read of PARQ_PORT_CTRL has
 * returned, the device does not access the port's memory any more. Queues may be set up
 * before or after EN is set. Frames move only while EN is 1.
 */
#define PARQ_PORT_CTRL			0x0000
#define PARQ_PORT_CTRL_EN		BIT(0)
#define PARQ_PORT_CTRL_PROMISC		BIT(1)
#define PARQ_PORT_CTRL_ALLMULTI		BIT(2)
#define PARQ_PORT_CTRL_RX_MACCTRL	BIT(3)	/* MAC control frames to the host */
#define PARQ_PORT_CTRL_VLAN_STRIP	BIT(4)
#define PARQ_PORT_CTRL_RX_CSUM		BIT(5)
#define PARQ_PORT_CTRL_RX_FCS_ERR	BIT(6)	/* frames with bad FCS to the host */
#define PARQ_PORT_CTRL_RX_HASH		BIT(7)	/* completions have the RSS hash */
#define PARQ_PORT_CTRL_RX_GRO		BIT(8)	/* merge TCP segments; needs RX_CSUM */
/* Completions have a time stamp, see PARQ_RX_STAMP; nothing is merged. Needs PARQ_CAP_PTP. */
#define PARQ_PORT_CTRL_RX_STAMP		BIT(9)
#define PARQ_PORT_CTRL_RX_UNPAD		BIT(10)	/* cut off padding. Needs PARQ_CAP_UNPAD */

/* RO */
#define PARQ_PORT_STATUS		0x0004
#define PARQ_PORT_STATUS_LINK		BIT(0)
#define PARQ_PORT_STATUS_FULL_DUPLEX	BIT(1)
#define PARQ_PORT_STATUS_PRESENT	BIT(2)	/* a cable or a module is plugged in */
#define PARQ_PORT_STATUS_SPEED		GENMASK(7, 4)	/* enum parq_speed */

/*
 * RW, reset: EN 0, AN 1, FULL_DUPLEX 1, SPEED the port's fastest. With AN the link runs
 * at the fastest speed that both ends advertise, without AN at SPEED. Half duplex
 * exists at 10M and 100M only.
 */
#define PARQ_LINK_CTRL			0x0008
#define PARQ_LINK_CTRL_EN		BIT(0)	/* the PHY is on */
#define PARQ_LINK_CTRL_AN		BIT(1)
#define PARQ_LINK_CTRL_FULL_DUPLEX	BIT(2)
#define PARQ_LINK_CTRL_SPEED		GENMASK(7, 4)	/* enum parq_speed */

/*
 * RW, reset = LINK_CAP: advertised with AN: BIT(enum parq_speed), and link pause (IEEE
 * 802.3 annex 28B). The host resolves pause; see PARQ_FC_CTRL.
 */
#define PARQ_LINK_ADV			0x000c
#define PARQ_LINK_ADV_PAUSE		BIT(16)
#define PARQ_LINK_ADV_ASYM		BIT(17)
#define PARQ_LINK_CAP			0x0010	/* RO: speeds supported */
#define PARQ_LINK_PARTNER		0x0014	/* RO: what the partner advertises */

enum parq_speed {
	PARQ_SPEED_10M,
	PARQ_SPEED_100M,
	PARQ_SPEED_1G,
	PARQ_SPEED_2500M,
	PARQ_SPEED_5G,
	PARQ_SPEED_10G,
	PARQ_SPEED_25G,
	PARQ_SPEED_40G,
	PARQ_SPEED_50G,
	PARQ_SPEED_100G,
	PARQ_SPEED_200G,
	PARQ_SPEED_400G,
	PARQ_NUM_SPEEDS
};

/*
 * RW 1518: longest frame, from destination address to FCS inclusive, not
 * counting up to two VLAN tags. Longer ones are dropped on receive
 * (rx_oversize) and on transmit (tx_drop_desc).
 */
#define PARQ_MAX_FRAME			0x0018
#define PARQ_MAX_FRAME_MIN		64
#define PARQ_MAX_FRAME_MAX		10258	/* MTU 10240 + header + FCS */
#define PARQ_MAX_TAGS			8	/* bytes of VLAN tags on top */

/* Addresses: byte 0 of the address is bits 7:0 of LO, byte 4 those of HI. */
#define PARQ_MAC_ADDR_LO		0x0020	/* RW, reset: permanent address */
#define PARQ_MAC_ADDR_HI		0x0024	/* RW: bits 15:0; takes effect here */
#define PARQ_PERM_ADDR_LO		0x0028	/* RO */
#define PARQ_PERM_ADDR_HI		0x002c	/* RO */

/*
 * Status page: struct parq_status. A write of HI has the device write doze and all of pfc, even
 * to the same address; they are there once a later read of a register has returned.
 */
#define PARQ_STATUS_BASE_LO		0x0030	/* RW 0: 4096-byte aligned */
#define PARQ_STATUS_BASE_HI		0x0034	/* RW 0: takes effect; 0 is none */

/*
 * Statistics. A write of STATS_SNAP copies the counters of the device to struct parq_stats at
 * STATS_BASE. The value written is stored in the last word of the block, after all others. Only
 * a reset of the device decreases a counter.
 */
#define PARQ_STATS_BASE_LO		0x0038	/* RW 0: 64-byte aligned */
#define PARQ_STATS_BASE_HI		0x003c	/* RW 0 */
#define PARQ_STATS_SNAP			0x0040	/* WO: any value; illegal at base 0 */

/*
 * 802.1Qaz transmission selection. Staged: a write of ETS_APPLY applies all registers
 * between two frames, or refuses them all (PARQ_ERR_RANGE). Reset: all priorities in
 * TC 0, all TCs strict, weights and limits 0. Strict TCs go first, the higher number
 * before the lower. ETS TCs share the rest by weight. A TC at its rate limit is skipped.
 */
#define PARQ_ETS_PRIO_TC		0x0048	/* RWS: 4 bits per priority, 0 to 7 */
#define PARQ_ETS_TSA			0x004c	/* RWS: 4 bits per TC, enum parq_tsa */
#define PARQ_ETS_BW_LO			0x0050	/* RWS: 8 bits per TC, percent, TC 0-3 */
#define PARQ_ETS_BW_HI			0x0054	/* RWS: TC 4-7; ETS TCs 1 to 100 */
#define PARQ_ETS_APPLY			0x0058	/* WO */
/* RWS 0: rate limit of TC n, kbit/s, 0: none. Counts 24 bytes more than a frame without FCS. */
#define PARQ_ETS_MAXRATE(n)		(0x0400 + 4 * (n))
/* RWS 0: the same for all TCs together; with PARQ_CAP_PORT_RATE. */
#define PARQ_ETS_PORT_RATE		0x0420
#define PARQ_ETS_BURST			16384	/* bytes that an idle TC, or port, may save up */

/* Numbers of IEEE 802.1Qaz table D-2 */
enum parq_tsa {
	PARQ_TSA_STRICT = 0,
	PARQ_TSA_ETS = 2,
};

/*
 * RW 0. A priority may be enabled only while its park queue is enabled (else
 * PARQ_ERR_STATE). Disabling a paused priority ends its pause; parked frames then leave
 * in order. OFFLOAD needs PARQ_CAP_OFFLOAD. It may change at any time: the new executor
 * continues from the present state of the FSMs.
 */
#define PARQ_PFC_CTRL			0x0060
#define PARQ_PFC_CTRL_EN		GENMASK(7, 0)	/* BIT(priority) */
#define PARQ_PFC_CTRL_OFFLOAD		BIT(8)	/* the device runs the FSM */

/*
 * RW 0. A storm is a pause of a priority that has lasted for LIMIT ms without a break,
 * however often it was renewed (rx_pause_storm). It is not obeyed any more. Until it
 * ends, frames of the priority that reach the gate, parked ones first, are dropped
 * (tx_drop_storm) or, with FORWARD, sent. The storm ends once there was no pause for
 * RESTORE ms; earlier pauses belong to it. The next pause is obeyed again. A new LIMIT
 * also applies to running pauses, from their beginning, and a new RESTORE to running
 * storms, from the end of their last pause. RESTORE is reserved without PARQ_CAP_RESTORE.
 */
#define PARQ_PFC_STORM			0x0068
#define PARQ_PFC_STORM_LIMIT		GENMASK(15, 0)	/* ms; 0 is no limit */
#define PARQ_PFC_STORM_FORWARD		BIT(16)
#define PARQ_PFC_STORM_RESTORE		GENMASK(31, 17)	/* ms; 0: ends with its pause */
/*
 * WO: ends the storms of these priorities. Running pauses are obeyed again, as if they
 * began now. Has no effect on a priority without a running pause or storm.
 */
#define PARQ_PFC_OBEY			0x006c
#define PARQ_PFC_OBEY_PRIOS		GENMASK(7, 0)	/* BIT(priority) */

/*
 * Flow control, see "Receive buffers". Times are in quanta.
 *
 * RW 0. Clearing a bit of PFC_TX sends XON if the priority is paused. Link pause
 * excludes PFC_TX and PARQ_PFC_CTRL_EN (PARQ_ERR_STATE, on either register).
 */
#define PARQ_FC_CTRL			0x0070
#define PARQ_FC_CTRL_PFC_TX		GENMASK(7, 0)	/* BIT(priority): lossless */
#define PARQ_FC_CTRL_PAUSE_TX		BIT(8)	/* 802.3x: the port is lossless */
#define PARQ_FC_CTRL_PAUSE_RX		BIT(9)	/* 802.3x frames are obeyed */
#define PARQ_FC_TIME			0x0074	/* RW 65535: time in XOFF frames, 1 to 65535 */
#define PARQ_FC_REFRESH			0x0078	/* RW 32767: time between XOFFs, 1 to 65535 */
/*
 * RW 0: longest time for which the peer is kept paused without a break, ms; 0 is no
 * limit. At the limit, XON is sent once and tx_pause_storm counts. The class keeps its
 * stored frames and drops new ones, until its buffer has fallen to XON because the host
 * takes frames again.
 */
#define PARQ_FC_LIMIT			0x007c
#define PARQ_FC_LIMIT_MAX_MS		65535
/*
 * RW 0. Pause Low is an 802.3x frame with another opcode, which no standard defines;
 * 0 is none. With PAUSE_RX it stops PRIOS in the QMAN: fetched frames are still sent,
 * and other priorities go on. An 802.3x pause stops the MAC and so all priorities.
 * A frame of either kind replaces the pause of the other.
 */
#define PARQ_FC_LOW			0x0080
#define PARQ_FC_LOW_OPCODE		GENMASK(15, 0)
#define PARQ_FC_LOW_PRIOS		GENMASK(23, 16)	/* BIT(priority) */
/*
 * WO: sends one frame, independent of the fill levels. Frames caused by the fill levels
 * are sent as before. XOFF carries PARQ_FC_TIME. Illegal (PARQ_ERR_STATE): if PFC_TX
 * lacks a priority of VECTOR; with LINK, unless PAUSE_TX is set; without a full duplex
 * link; while the port is disabled; and while PARQ_FC_SEND_MAX requested frames have not
 * started.
 */
#define PARQ_FC_SEND			0x0084
#define PARQ_FC_SEND_MAX		16
#define PARQ_FC_SEND_VECTOR		GENMASK(7, 0)	/* BIT(priority), not 0; 0 with LINK */
#define PARQ_FC_SEND_LINK		BIT(8)	/* 802.3x in place of PFC */
#define PARQ_FC_SEND_XOFF		BIT(9)	/* else XON, a time of 0 */
/* RO */
#define PARQ_FC_STATUS			0x0088
#define PARQ_FC_STATUS_XOFF		GENMASK(7, 0)	/* BIT(priority): the peer is paused */
#define PARQ_FC_STATUS_LINK_XOFF	BIT(8)	/* the peer is paused by link pause */
#define PARQ_FC_STATUS_PFC_SEEN		BIT(9)	/* 802.3x is ignored until link loss */
#define PARQ_FC_STATUS_PAUSED		BIT(10)	/* by the peer's link pause */
#define PARQ_FC_STATUS_PAUSED_LOW	BIT(11)	/* by the peer's Pause Low */
#define PARQ_FC_STATUS_BOUNDED		GENMASK(23, 16)	/* BIT(priority): at PARQ_FC_LIMIT */

/* Receive buffers; staged, see "Receive buffers". */
#define PARQ_RXB_TOTAL			0x008c	/* RO: bytes per port */
#define PARQ_RXB_PRIO			0x0090	/* RWS 0: 4 bits per priority, 0 to 7 */
#define PARQ_RXB_APPLY			0x0094	/* WO */

/* RO: frames that did not wait for their PARQ_TXX_LAUNCH, modulo 2^32; with PARQ_CAP_LAUNCH. */
#define PARQ_LAUNCH_MISSED		0x0098

/*
 * Trust: selects the header field that gives a received frame its priority. The first
 * selector that matches decides. PCP matches if the outer tag is a C-tag. DSCP matches if
 * the frame is IPv4 or IPv6 and its code point has an entry. DEFAULT applies if none
 * matches, and to frames with a bad FCS. A write takes effect between two frames. Frames
 * in a receive buffer keep their priority.
 */
#define PARQ_TRUST			0x0100	/* RW 1 */
#define PARQ_TRUST_FIRST		GENMASK(1, 0)	/* enum parq_trust_sel */
#define PARQ_TRUST_SECOND		GENMASK(5, 4)	/* another one, or NONE */
#define PARQ_TRUST_DEFAULT		GENMASK(10, 8)	/* priority */
/* RW 0x76543210: 4 bits a PCP, 0 to 7; n is the DEI, 0 or 1. */
#define PARQ_PCP_PRIO(n)		(0x0104 + 4 * (n))
/* RW 0x88888888: 4 bits a code point from 8 * n on, 0 to 7 or none; n 0 to 7. */
#define PARQ_DSCP_PRIO(n)		(0x0120 + 4 * (n))
#define PARQ_DSCP_PRIO_NONE		8
#define PARQ_NUM_DSCP			64	/* RFC 2474 */

enum parq_trust_sel {
	PARQ_TRUST_NONE,
	PARQ_TRUST_PCP,
	PARQ_TRUST_DSCP,
};

/*
 * RW 0: fields rewritten in a frame of priority n when it starts on the wire, even if it
 * was parked: PCP and DEI of the outer tag, if that is a C-tag (no tag is added), and the
 * DSCP of IPv4 or IPv6. The IPv4 header checksum is adjusted.
 */
#define PARQ_REWR(n)			(0x0140 + 4 * (n))
#define PARQ_REWR_DSCP			GENMASK(5, 0)
#define PARQ_REWR_DSCP_EN		BIT(7)
#define PARQ_REWR_PCP			GENMASK(10, 8)
#define PARQ_REWR_DEI			BIT(11)
#define PARQ_REWR_PCP_EN		BIT(15)

/* Receive-side scaling: 40 bytes of Toeplitz key, 128 queue numbers. */
#define PARQ_RSS_CTRL			0x0064	/* RW 0 */
#define PARQ_RSS_CTRL_EN		BIT(0)
#define PARQ_RSS_CTRL_IPV4		BIT(1)	/* addresses */
#define PARQ_RSS_CTRL_IPV6		BIT(2)
#define PARQ_RSS_CTRL_TCP		BIT(3)	/* addresses and ports */
#define PARQ_RSS_CTRL_UDP		BIT(4)
/* With PARQ_CAP_RSS_FIELDS. FIELDS replaces the four bits before it. */
#define PARQ_RSS_CTRL_FIELDS		BIT(5)	/* hash what PARQ_RSS_FIELDS names */
#define PARQ_RSS_CTRL_SYM		BIT(6)	/* the same hash in both directions */
#define PARQ_RSS_KEY(n)			(0x0200 + 4 * (n))	/* RW 0, n 0 to 9 */
#define PARQ_RSS_KEY_LEN		40
#define PARQ_RSS_INDIR(n)		(0x0240 + 4 * (n))	/* RW 0, n 0 to 31 */
#define PARQ_RSS_INDIR_LEN		128	/* one byte an entry, lowest first */

/* RW 0: fields of packets of enum parq_rss_type n that are hashed; none: no hash. */
#define PARQ_RSS_FIELDS(n)		(0x02c0 + 4 * (n))
#define PARQ_RSS_FIELDS_SRC		BIT(0)	/* addresses */
#define PARQ_RSS_FIELDS_DST		BIT(1)
#define PARQ_RSS_FIELDS_SPORT		BIT(2)	/* ports, of TCP and UDP only */
#define PARQ_RSS_FIELDS_DPORT		BIT(3)
#define PARQ_RSS_FIELDS_LABEL		BIT(4)	/* flow label, of IPv6 only */

enum parq_rss_type {
	PARQ_RSS_IPV4,		/* neither TCP nor UDP, or a fragment */
	PARQ_RSS_TCP4,
	PARQ_RSS_UDP4,
	PARQ_RSS_IPV6,
	PARQ_RSS_TCP6,
	PARQ_RSS_UDP6,
	PARQ_RSS_NUM_TYPES
};

/* RW 0: further addresses received, unicast or multicast, n 0 to 31. */
#define PARQ_FILTER_LO(n)		(0x0300 + 8 * (n))
#define PARQ_FILTER_HI(n)		(0x0304 + 8 * (n))	/* takes effect here */
#define PARQ_FILTER_HI_VALID		BIT(31)
#define PARQ_NUM_FILTERS		32

/* ---- Rules, with PARQ_CAP_RULES ---------------------------------------- */

/*
 * The first rule that matches a frame, by location, decides instead of PARQ_RSS_CTRL. Key, mask
 * and action of a rule are written first. PARQ_RULE_SET puts them in their place, between two
 * frames.
 */
#define PARQ_NUM_RULES			64
#define PARQ_RULE_KEY(n)		(0x0800 + 4 * (n))	/* RW 0, n: parq_rule_word */
#define PARQ_RULE_MASK(n)		(0x0840 + 4 * (n))	/* RW 0: bits that are compared */
#define PARQ_RULE_ACTION		0x0880	/* RW 0 */
#define PARQ_RULE_ACTION_ARG		GENMASK(7, 0)	/* queue, or context */
#define PARQ_RULE_ACTION_OP		GENMASK(9, 8)	/* enum parq_rule_op */
/* With PARQ_CAP_RULE_COUNT: the rule counts its frames in PARQ_RULE_COUNT(COUNTER). */
#define PARQ_RULE_ACTION_COUNTS		BIT(10)
#define PARQ_RULE_ACTION_COUNTER	GENMASK(21, 16)
#define PARQ_RULE_SET			0x0884	/* WO: location, 0 to PARQ_NUM_RULES - 1 */

/*
 * Counters n, 0 to 63, with PARQ_CAP_RULE_COUNT: frames and their bytes, 64 bits each. A write of
 * any value to any word clears both.
 */
#define PARQ_NUM_RULE_COUNTERS		64
#define PARQ_RULE_COUNT(n)		(0x0c00 + 16 * (n))	/* RW 0 */
#define PARQ_COUNT_FRAMES_LO		0x0000	/* RW 0 */
#define PARQ_COUNT_FRAMES_HI		0x0004	/* RW 0 */
#define PARQ_COUNT_BYTES_LO		0x0008	/* RW 0 */
#define PARQ_COUNT_BYTES_HI		0x000c	/* RW 0 */

enum parq_rule_op {
	PARQ_RULE_NONE,		/* no rule */
	PARQ_RULE_DROP,
	PARQ_RULE_QUEUE,
	PARQ_RULE_CTX,		/* spread by PARQ_RSS_CTX; 0: as without the rule */
};

/* Words of a key. Addresses of IP: the first four bytes highest, as all numbers in packets. */
enum parq_rule_word {
	PARQ_RULE_DST_LO,	/* MAC addresses, as PARQ_MAC_ADDR_LO and _HI */
	PARQ_RULE_DST_HI,
	PARQ_RULE_SRC_LO,
	PARQ_RULE_SRC_HI,
	PARQ_RULE_TYPES,
	PARQ_RULE_PROTO,
	PARQ_RULE_PORTS,	/* source in bits 31:16, destination */
	PARQ_RULE_IP_SRC,	/* four words; IPv4 has the first, and 0 in the others */
	PARQ_RULE_IP_DST = 11,
	PARQ_RULE_WORDS = 15
};

/* PARQ_RULE_TYPES: EtherType behind one S-tag and one C-tag at most, and TCI of the C-tag. */
#define PARQ_RULE_TYPES_ETH		GENMASK(15, 0)
#define PARQ_RULE_TYPES_TCI		GENMASK(31, 16)

/* PARQ_RULE_PROTO: of an IP packet, and what the frame has. Fragments have no ports. */
#define PARQ_RULE_PROTO_IP		GENMASK(7, 0)
#define PARQ_RULE_PROTO_DS		GENMASK(15, 8)	/* TOS or traffic class */
#define PARQ_RULE_PROTO_TAG		BIT(16)	/* the outer tag is a C-tag */
#define PARQ_RULE_PROTO_IPV4		BIT(17)
#define PARQ_RULE_PROTO_IPV6		BIT(18)
#define PARQ_RULE_PROTO_PORTS		BIT(19)	/* TCP, UDP or SCTP */
#define PARQ_RULE_PROTO_S_TAG		BIT(20)	/* the outer tag is an S-tag; PARQ_CAP_RULE_COUNT */

/* RSS contexts n, 1 to 16: what PARQ_RSS_CTRL, _KEY, _INDIR and _FIELDS are for the port. */
#define PARQ_NUM_RSS_CTX		16
#define PARQ_RSS_CTX(n)			(0x2000 + 0x100 * (n))	/* RW 0 */
#define PARQ_CTX_KEY(n)			(0x0000 + 4 * (n))	/* RW 0 */
#define PARQ_CTX_CTRL			0x0030	/* RW 0 */
#define PARQ_CTX_INDIR(n)		(0x0040 + 4 * (n))	/* RW 0 */
#define PARQ_CTX_FIELDS(n)		(0x00c0 + 4 * (n))	/* RW 0 */

/* ---- Pause engine: PARQ_PORT(port) + PARQ_PFC(prio) + offset ------------ */

#define PARQ_PFC(prio)			(0x1000 + 0x40 * (prio))

#define PARQ_PARK_BASE_LO		0x0000	/* RW 0: 64-byte aligned */
#define PARQ_PARK_BASE_HI		0x0004	/* RW 0 */
/*
 * RW 0. May be written only while HOLD is low, and EN may be cleared only while PFC is
 * off for the priority (else PARQ_ERR_STATE). One write replaces a queue by another. The
 * queue has at least PARQ_PIPE_DEPTH entries. It cannot overflow: the device stops
 * fetching a class when the pipeline and the park queue together hold as many of its FDs
 * as the queue has entries.
 */
#define PARQ_PARK_CTRL			0x0008
#define PARQ_PARK_CTRL_EN		BIT(0)
#define PARQ_PARK_CTRL_SIZE		GENMASK(8, 4)	/* log2 entries, 6 to limit */

/*
 * WO: a command to the gate, for a host that runs the FSM. Illegal (PARQ_ERR_STATE)
 * while PARQ_PFC_CTRL_OFFLOAD is set. SEQ is returned in PARQ_LEVELS_ACK even if the
 * command had no effect.
 */
#define PARQ_PFC_CMD			0x000c
#define PARQ_PFC_CMD_OP			GENMASK(3, 0)	/* enum parq_pfc_op */
#define PARQ_PFC_CMD_SEQ		GENMASK(15, 8)

enum parq_pfc_op {
	PARQ_PFC_NOP,
	PARQ_PFC_HALT,		/* raise HALT; no effect unless HOLD is high */
	PARQ_PFC_FLUSH,		/* start a pass; no effect unless HALT_ACK is high, FDs
				 * are parked and no pass is running
				 */
	PARQ_PFC_RELEASE,	/* clear HOLD and HALT; no effect unless HALT_ACK is high,
				 * PAUSE is low, no FD is parked and no pass is running
				 */
};

#define PARQ_PFC_LEVELS			0x0010	/* RO: low half of the levels word */
#define PARQ_PFC_TIMER			0x0014	/* RO: quanta left of the pause */
#define PARQ_PARK_HEAD			0x0018	/* RO: position read next */
#define PARQ_PARK_TAIL			0x001c	/* RO: position written next */

/* ---- Receive buffers: PARQ_PORT(port) + PARQ_RXB(n) + offset ------------ */

/*
 * A frame for the host is charged to the buffer of its priority, by its bytes with FCS,
 * from the arrival of its last bit until it is in host memory. A frame that does not fit
 * in its buffer is dropped (rx_drop_buffer). So is a frame with which all buffers together
 * would exceed PARQ_RXB_TOTAL, which is possible after an APPLY. Frames of one priority
 * reach the host in the order of their arrival, even if buffers change in between.
 *
 * A priority is lossless if its bit in PARQ_FC_CTRL_PFC_TX is set, or if PAUSE_TX is set. Its
 * frames wait here for buffers of their RX queue. Frames of a lossy priority are dropped instead
 * (rx_drop_nobuf). Frames of any priority wait for a queue that is on PARQ_RXQ_CTRL_HOLD.
 *
 * A buffer that holds more than XOFF bytes pauses the peer: a PFC frame names its
 * lossless priorities with PARQ_FC_TIME and is repeated every PARQ_FC_REFRESH quanta. When the
 * buffer has fallen to XON bytes, a frame with time 0 follows. With PAUSE_TX an 802.3x frame is
 * sent when the first buffer rises above XOFF, and one with time 0 when the last has fallen to
 * XON. These frames go out at the next frame boundary, even while all priorities are paused, on
 * full duplex links only.
 *
 * Staged: a write of PARQ_RXB_APPLY applies all buffers and PARQ_RXB_PRIO, or refuses
 * them all (PARQ_ERR_RANGE): if the sum of SIZE exceeds PARQ_RXB_TOTAL, XON is above
 * XOFF, XOFF is above SIZE, or a priority uses a buffer of SIZE 0. Stored frames are not
 * dropped and stay charged to their old buffer. A buffer that holds more than its new
 * SIZE accepts no frame until it holds less. Reset: buffer 0 has all memory, with XOFF
 * and XON at SIZE.
 */
#define PARQ_NUM_RXB			8
#define PARQ_RXB(n)			(0x1200 + 0x20 * (n))

#define PARQ_RXB_SIZE			0x0000	/* RWS: bytes; 0 is none */
#define PARQ_RXB_XOFF			0x0004	/* RWS: bytes, high watermark */
#define PARQ_RXB_XON			0x0008	/* RWS: bytes, low watermark */
#define PARQ_RXB_USED			0x000c	/* RO: present level, bytes */
#define PARQ_RXB_HIGH			0x0010	/* RW 0: highest level; any write restarts it */

/* ---- TX queues: PARQ_PORT(port) + PARQ_TXQ(n) + offset ------------------ */

#define PARQ_TXQ(n)			(0x4000 + 0x40 * (n))

#define PARQ_TXQ_BASE_LO		0x0000	/* RW 0: 64-byte aligned */
#define PARQ_TXQ_BASE_HI		0x0004	/* RW 0 */
#define PARQ_TXQ_WB_LO			0x0008	/* RW 0: struct parq_txq_wb, 8-byte aligned */
#define PARQ_TXQ_WB_HI			0x000c	/* RW 0 */
/*
 * RW 0. Setting EN starts the queue at position 0; the device sets both doorbells of the
 * queue to 0. Clearing EN stops it at once: frames that have been fetched but are not on
 * the wire are dropped and counted (tx_drop_purge), and the ring is not read any more.
 * All other fields may change only in a write that sets EN.
 */
#define PARQ_TXQ_CTRL			0x0010
#define PARQ_TXQ_CTRL_EN		BIT(0)
#define PARQ_TXQ_CTRL_PRIO		GENMASK(3, 1)	/* 802.1p priority it serves */
#define PARQ_TXQ_CTRL_SIZE		GENMASK(8, 4)	/* log2 entries, 6 to limit */
#define PARQ_TXQ_CTRL_VEC		GENMASK(26, 16)
/*
 * Replaces the ring without losing a frame. A write of NEXT_CTRL with VALID takes the
 * tail doorbell as the end of the old ring and sets both doorbells of the queue to 0.
 * From then on the doorbells refer to the new ring. When the last frame of the old ring
 * is complete, the queue continues with the new ring at position 0. It sets the head to
 * 0, increments PARQ_TXW_RING in the same write, clears VALID and interrupts regardless
 * of ARM. Until then each change of the head interrupts, and another write is illegal
 * (PARQ_ERR_STATE).
 */
#define PARQ_TXQ_NEXT_LO		0x0014	/* RW 0 */
#define PARQ_TXQ_NEXT_HI		0x0018	/* RW 0 */
#define PARQ_TXQ_NEXT_CTRL		0x001c	/* RW 0 */
#define PARQ_TXQ_NEXT_CTRL_VALID	BIT(0)
#define PARQ_TXQ_NEXT_CTRL_SIZE		GENMASK(8, 4)
#define PARQ_TXQ_HEAD			0x0020	/* RO: frames before it are complete */
#define PARQ_TXQ_FETCH			0x0024	/* RO: descriptor read next */
#define PARQ_TXQ_ERR			0x0028	/* RO: enum parq_err; the queue stopped */

/* ---- RX queues: PARQ_PORT(port) + PARQ_RXQ(n) + offset ------------------ */

#define PARQ_RXQ(n)			(0x5000 + 0x40 * (n))

#define PARQ_RXQ_FILL_LO		0x0000	/* RW 0: of __le64, 64-byte aligned */
#define PARQ_RXQ_FILL_HI		0x0004	/* RW 0 */
#define PARQ_RXQ_COMP_LO		0x0008	/* RW 0: of struct parq_rx_comp */
#define PARQ_RXQ_COMP_HI		0x000c	/* RW 0 */
/*
 * RW 0; SIZE, VEC and EN as in PARQ_TXQ_CTRL. A queue on HOLD stores nothing. Frames for
 * it wait in the receive buffer, whatever their priority, as long as there is room. Once
 * a read of PARQ_RXQ_CTRL has returned, the device accesses neither rings nor buffers,
 * and each stored frame is complete. HOLD may change at any time, alone or together with
 * EN. A queue on HOLD can be disabled, and enabled with other rings, without losing
 * waiting frames. Without HOLD, clearing EN drops the frames that wait for the queue
 * (rx_drop_disabled).
 */
#define PARQ_RXQ_CTRL			0x0010
#define PARQ_RXQ_CTRL_EN		BIT(0)
#define PARQ_RXQ_CTRL_HOLD		BIT(1)
#define PARQ_RXQ_CTRL_SIZE		GENMASK(8, 4)
#define PARQ_RXQ_CTRL_VEC		GENMASK(26, 16)
#define PARQ_RXQ_BUF			0x0014	/* RW 2048: bytes per buffer */
#define PARQ_RXQ_BUF_MIN		256
#define PARQ_RXQ_BUF_MAX		16384	/* multiples of 64 */
#define PARQ_RXQ_HEAD			0x0018	/* RO: position filled next */
/*
 * RO: enum parq_err that stopped the queue. A stopped queue has no buffers: frames of
 * lossless priorities wait until it is enabled again.
 */
#define PARQ_RXQ_ERR			0x001c

/* ---- Doorbells: BAR2 ---------------------------------------------------- */

/*
 * Write-only for the host, 32 bits, posted. The tail of a TX queue is the position after
 * the last descriptor of the last complete frame. The tail of an RX queue is the
 * position after the last buffer posted. A tail beyond head + ring size, or one that goes
 * back, stops the queue (PARQ_ERR_DOORBELL). Doorbells may overtake register writes:
 * after enabling a queue or replacing its ring, the host reads a register before it
 * rings.
 *
 * ARM requests one interrupt, sent when the queue's head (TX) or completion position
 * (RX) moves past the armed position: old <= armed < new, counted modulo 2^32. After
 * arming, the host must check once more for work that came before. A device that
 * receives ARM as a message also interrupts if the position has been passed when the
 * message arrives.
 *
 * A device in software may serve this BAR as plain memory that it polls. Before it stops
 * polling, it writes PARQ_DOZE_ASLEEP to the status page and then reads the doorbells
 * once more. The host writes the doorbell, executes a full barrier, reads doze, and
 * writes PARQ_WAKE if it is not 0. So a busy device costs the host no trap, and no
 * doorbell is lost. Arming needs no wake-up. A device that leaves PARQ_DOZE_ASLEEP in the
 * page is told of each doorbell, and may read only those.
 */
#define PARQ_DB_TX(port, q)		(0x2000 * (port) + 64 * (q))
#define PARQ_DB_RX(port, q)		(0x2000 * (port) + 0x1000 + 64 * (q))
#define PARQ_DB_TAIL			0
#define PARQ_DB_ARM			4

/* ---- Transmit ----------------------------------------------------------- */

/**
 * struct parq_tx_desc - descriptor of one buffer, or an extension that precedes it
 * @addr: address of the buffer; in an extension: PARQ_TXX_*
 * @info: PARQ_TX_*
 *
 * A frame is an optional extension followed by 1 to PARQ_TX_MAX_DESC buffers. The last
 * one has EOP. VLAN, CSUM, TSO and their fields are evaluated in the first buffer's
 * descriptor only. A frame is malformed if a length is 0, it has no EOP before the tail,
 * an offset is beyond the frame, or it has TSO without an extension. It is then dropped
 * (tx_drop_desc) and completes in order. Bits that are not listed are ignored: write 0.
 */
struct parq_tx_desc {
	__le64 addr;
	__le64 info;
};

static_assert(sizeof(struct parq_tx_desc) == 16);

#define PARQ_TX_LEN		GENMASK_ULL(15, 0)	/* bytes, 1 to 65535 */
#define PARQ_TX_TCI		GENMASK_ULL(31, 16)	/* C-tag to insert */
#define PARQ_TX_CSUM_START	GENMASK_ULL(39, 32)	/* bytes, as in the buffers */
#define PARQ_TX_CSUM_OFFSET	GENMASK_ULL(47, 40)	/* bytes from CSUM_START */
#define PARQ_TX_EOP		BIT_ULL(48)
#define PARQ_TX_VLAN		BIT_ULL(49)
/*
 * Sum from CSUM_START to the frame's end, stored at CSUM_START + CSUM_OFFSET. The field
 * must hold the pseudo header's sum. A result of 0 is stored as 0xffff.
 */
#define PARQ_TX_CSUM		BIT_ULL(50)
/*
 * Cut into segments. CSUM_START is the offset of the TCP header; the checksum field must hold the
 * pseudo header's sum without length. The IPv4 ID is incremented, lengths and checksums are
 * rewritten, sequence numbers advance. FIN and PSH stay on the last, CWR on the first (RFC 3168).
 */
#define PARQ_TX_TSO4		BIT_ULL(51)
#define PARQ_TX_TSO6		BIT_ULL(52)
#define PARQ_TX_EXT		BIT_ULL(53)	/* this is an extension */

#define PARQ_TXX_MSS		GENMASK_ULL(15, 0)	/* payload per segment, >= 8 */
#define PARQ_TXX_HDR_LEN	GENMASK_ULL(31, 16)	/* bytes of headers, <= 256 */
/*
 * Report when the frame started; with PARQ_CAP_PTP, else ignored. The extension needs no TSO. Of a
 * frame that is cut it is the first segment.
 */
#define PARQ_TXX_STAMP		BIT_ULL(32)
/*
 * The frame starts at its launch time or later; with PARQ_CAP_LAUNCH, else ignored. TXX_TIME in
 * info: bits 47:0 of the PTP clock, in the moment of PARQ_TXS_STAMP. Later frames of the queue
 * wait, too. A frame does not wait if its time is past or more than PARQ_LAUNCH_MAX_NS ahead:
 * PARQ_LAUNCH_MISSED counts it.
 */
#define PARQ_TXX_LAUNCH		BIT_ULL(33)
#define PARQ_TXX_TIME		GENMASK_ULL(47, 0)
#define PARQ_LAUNCH_MAX_NS	4000000000

/*
 * Status of a frame that was not sent, or sent only in part. The device writes it over
 * the frame's first descriptor before the head passes the frame. Bytes are counted on
 * the wire without FCS and padding, with an inserted tag.
 */
#define PARQ_TXS_DROPPED	BIT_ULL(63)	/* info: this is a status */
#define PARQ_TXS_SENT		GENMASK_ULL(15, 0)	/* info: segments sent */
#define PARQ_TXS_BYTES		GENMASK_ULL(31, 0)	/* addr: bytes in them */
/*
 * info: another status, in the same place: the frame with PARQ_TXX_STAMP was sent. addr: the PTP
 * clock when the first bit behind its start-of-frame delimiter was on the wire, ns (IEEE 1588). It
 * is the real start, even if the frame was parked.
 */
#define PARQ_TXS_STAMP		BIT_ULL(62)

#define PARQ_TX_MAX_DESC	48	/* buffers per frame */
#define PARQ_TX_MAX_SEGS	256	/* segments per frame */
#define PARQ_TX_MAX_HDR		256	/* bytes of headers with TSO */
#define PARQ_TX_MIN_MSS		8

/**
 * struct parq_txq_wb - head write-back of a TX queue, written 8 bytes at once
 * @head: all descriptors before this position are complete
 * @state: PARQ_TXW_*
 */
struct parq_txq_wb {
	__le32 head;
	__le32 state;
};

/* Counted since the queue was enabled, modulo the field's range. */
#define PARQ_TXW_RING		GENMASK(7, 0)	/* times the ring was replaced */
#define PARQ_TXW_DROPS		GENMASK(31, 8)	/* frames with PARQ_TXS_DROPPED */

static_assert(sizeof(struct parq_txq_wb) == 8);

/* ---- Receive ------------------------------------------------------------ */

/**
 * struct parq_rx_comp - completion of the buffer at the same position
 * @hash: Toeplitz hash, if HASH_L3 or HASH_L4, which needs PORT_CTRL_RX_HASH
 * @len: bytes in this buffer; without EOP the frame continues in the next buffer
 * @tci: stripped C-tag, if VLAN
 * @flags: PARQ_RX_*; flags other than GEN and EOP are valid in the last buffer only
 * @time: low half of the device clock at the end of the frame, ns; with STAMP, the low half of
 *	its time stamp
 *
 * The second 8 bytes are written after the first, in one piece. GEN is 1 in the first
 * round of the ring, 0 in the second, and so on: an entry is valid when GEN differs from
 * its old value. The host must clear the ring first.
 */
struct parq_rx_comp {
	__le32 hash;
	__le16 len;
	__le16 tci;
	__le32 flags;
	__le32 time;
};

static_assert(sizeof(struct parq_rx_comp) == 16);

#define PARQ_RX_GEN		BIT(0)
#define PARQ_RX_EOP		BIT(1)
#define PARQ_RX_VLAN		BIT(2)
#define PARQ_RX_HASH_L3		BIT(3)
#define PARQ_RX_HASH_L4		BIT(4)
#define PARQ_RX_CSUM_OK		BIT(5)	/* L3 (if IPv4) and TCP/UDP verified */
#define PARQ_RX_CSUM_BAD	BIT(6)
#define PARQ_RX_FCS_ERR		BIT(7)	/* with PORT_CTRL_RX_FCS_ERR only */
#define PARQ_RX_PRIO		GENMASK(10, 8)	/* see "Trust" */
#define PARQ_RX_FORWARDED	BIT(11)	/* other ports of the domain were considered */
#define PARQ_RX_GRO		BIT(12)	/* represents several TCP segments, with CSUM_OK */
/*
 * With PORT_CTRL_RX_STAMP, never with GRO: STAMP_HI and @time are bits 47:0 of the PTP clock when
 * the first bit behind the start-of-frame delimiter arrived. STEPS is the number of commands to the
 * clock before that, modulo 4: a host that remembers the time of the last few can find the upper
 * bits of the stamp of a frame that has waited.
 */
#define PARQ_RX_STAMP		BIT(13)
#define PARQ_RX_STEPS		GENMASK(15, 14)
#define PARQ_RX_STAMP_HI	GENMASK(31, 16)
#define PARQ_RX_GRO_SIZE	GENMASK(31, 16)	/* payload of each but the last, bytes */
#define PARQ_RX_GRO_BUFS	18	/* buffers of such a frame at most */

/* ---- Frame descriptors and park queues ---------------------------------- */

/**
 * struct parq_fd - frame descriptor in the pipeline and in park queues
 * @port: port
 * @prio: 802.1p priority
 * @queue: TX queue
 * @flags: PARQ_FD_*
 * @pos: position of the frame's first descriptor in the queue's ring
 * @ndesc: number of its descriptors, an extension included
 * @seg: segment number, 0 for a frame that is not cut
 * @len: bytes on the wire without FCS
 * @epoch: epoch of the queue; it changes when the queue is disabled
 * @order: counts the FDs of one (port, priority) in the order of their fetch
 * @rsvd: 0
 * @time: device clock at the fetch, ns
 *
 * Park queues hold FDs by value, so a frame may be parked in segments. The device checks
 * each FD that it reads back. An FD of another class or with a field out of range is
 * dropped (tx_drop_park), as is one with a stale epoch (tx_drop_purge). Its other fields
 * are not used.
 */
struct parq_fd {
	__u8 port;
	__u8 prio;
	__u8 queue;
	__u8 flags;
	__le32 pos;
	__le16 ndesc;
	__le16 seg;
	__le16 len;
	__le16 epoch;
	__le32 order;
	__le32 rsvd;
	__le64 time;
};

static_assert(sizeof(struct parq_fd) == 32);

#define PARQ_FD_REC		BIT(0)	/* was turned back at the gate */
#define PARQ_FD_FLUSH		BIT(1)	/* belongs to a flush pass */
#define PARQ_FD_MARKER		BIT(2)	/* pipe-cleaner, or end of pass */
#define PARQ_FD_LAST		BIT(3)	/* last segment of its frame */
#define PARQ_FD_DROP		BIT(4)	/* malformed: completes, is not sent */

/* ---- Status page -------------------------------------------------------- */

/*
 * The levels word has all inputs of the pause FSM. It is written in one piece whenever a
 * flag changes, in the order of the changes.
 */
#define PARQ_LEVELS_PAUSE	BIT_ULL(0)	/* a pause of the peer is running and obeyed */
#define PARQ_LEVELS_HOLD	BIT_ULL(1)	/* the gate turns the class back */
#define PARQ_LEVELS_HALT	BIT_ULL(2)	/* the QMAN does not fetch the class */
#define PARQ_LEVELS_HALT_ACK	BIT_ULL(3)	/* no FD of the class is in the pipeline */
#define PARQ_LEVELS_FLUSHING	BIT_ULL(4)	/* a flush pass is running */
#define PARQ_LEVELS_REPAUSED	BIT_ULL(5)	/* the gate turns that pass back */
#define PARQ_LEVELS_PARKED	BIT_ULL(6)	/* the park queue holds FDs */
#define PARQ_LEVELS_STORM	BIT_ULL(7)	/* a pause of the peer is running, for too
						 * long to be obeyed
						 */
#define PARQ_LEVELS_STATE	GENMASK_ULL(10, 8)	/* enum parq_fsm_state, offload */
#define PARQ_LEVELS_ACK		GENMASK_ULL(23, 16)	/* SEQ of the last command */
#define PARQ_LEVELS_DEPTH	GENMASK_ULL(63, 32)	/* FDs parked */

/**
 * struct parq_pfc_status - one (port, priority)
 * @levels: PARQ_LEVELS_*, valid at every change of a flag
 * @park_head: position read next
 * @park_tail: position written next
 * @parked: FDs parked so far
 * @reinjected: FDs of flush passes that passed the gate so far
 * @passes: flush passes begun so far
 * @repauses: passes turned back by a new pause
 * @pause_ns: total time of the peer's pauses, without a running one
 * @storms: number of storms so far
 *
 * @levels is written at each change of a flag. The other words date from the last FSM
 * edge or statistics snapshot.
 */
struct parq_pfc_status {
	__le64 levels;
	__le32 park_head;
	__le32 park_tail;
	__le64 parked;
	__le64 reinjected;
	__le64 passes;
	__le64 repauses;
	__le64 pause_ns;
	__le64 storms;
};

static_assert(sizeof(struct parq_pfc_status) == 64);

/**
 * struct parq_status - status page of a port
 * @doze: 0, or PARQ_DOZE_ASLEEP; in a cache line of its own
 * @rsvd0: 0
 * @pfc: by priority
 */
struct parq_status {
	__le32 doze;
	__le32 rsvd0[15];
	struct parq_pfc_status pfc[PARQ_NUM_PRIO];
};

static_assert(sizeof(struct parq_status) == 576);

#define PARQ_DOZE_ASLEEP	1
#define PARQ_STATUS_PAGE_SIZE	4096

/* ---- Events ------------------------------------------------------------- */

/*
 * The event vector interrupts when an event is written and, for ports whose FSM the host
 * runs, when a flag of a levels word changes; both only while PARQ_EVENT_CTRL_EN is set.
 * It needs no arming. PARQ_VEC_ITR limits its rate. Events are for logs, tracing and the
 * link state. Nothing may depend on their being complete.
 */
enum parq_event_type {
	PARQ_EV_LINK,		/* a: PARQ_PORT_STATUS */
	PARQ_EV_ERROR,		/* a: PARQ_ERR, b: PARQ_ERR_ADDR */
	PARQ_EV_QUEUE,		/* index: TX queue, or 64 + RX queue; a: enum parq_err */
	PARQ_EV_PAUSE,		/* a: 1 rise, 0 fall; b: quanta */
	PARQ_EV_FSM,		/* a: new, b: old enum parq_fsm_state; offload only */
	PARQ_EV_PARK,		/* index: TX queue; a: order, b: FDs parked */
	PARQ_EV_REINJECT,	/* as PARQ_EV_PARK; the FD has passed the gate */
	PARQ_EV_PASS,		/* a: FDs in it; b: 1 begun, 2 turned back, 0 ended */
	PARQ_EV_XOFF,		/* a: 1 XOFF, 0 XON, 2 bounded; b: bytes in the buffer;
				 * index: 1 for link pause, with b: bytes in all buffers
				 */
	PARQ_EV_STORM,		/* a: 1 begins, 0 ends; b: FDs parked */
	PARQ_EV_FDB,		/* see parq_hw_switch.h */
	PARQ_NUM_EV
};

/**
 * struct parq_event - entry of the event ring
 * @time: device clock
 * @type: enum parq_event_type
 * @port: port
 * @prio: priority
 * @index: see the type
 * @a: see the type
 * @b: see the type
 * @rsvd: 0
 * @gen: the ring's round, 1 + position / size; 0 is fresh memory; written last
 */
struct parq_event {
	__le64 time;
	__u8 type;
	__u8 port;
	__u8 prio;
	__u8 index;
	__le32 a;
	__le32 b;
	__le32 rsvd[2];
	__le32 gen;
};

static_assert(sizeof(struct parq_event) == 32);

/* ---- Statistics --------------------------------------------------------- */

/**
 * struct parq_prio_stats - one (port, priority)
 * @tx_frames: frames sent
 * @tx_bytes: bytes of @tx_frames on the wire, with tags and padding, without FCS
 * @tx_drop: frames accepted but not sent, for any reason
 * @rx_frames: frames received for the host, by the priority that PARQ_TRUST gives
 * @rx_bytes: bytes of @rx_frames on the wire, with a stripped tag, without FCS
 * @rx_drop: frames dropped because the host or the receive buffer had no room
 * @rx_pause: PFC frames received that named the priority
 * @rx_pause_ns: time of the peer's pauses, a running one included
 * @rx_pause_transition: beginnings and ends of the peer's pauses
 * @rx_pause_storm: pauses of the peer that became storms (PARQ_PFC_STORM)
 * @tx_pause: PFC frames sent that named the priority
 * @tx_pause_ns: as rx_pause_ns, for the peer; link pause counts for all priorities, as below
 * @tx_pause_transition: changes from XOFF to XON and back
 * @tx_pause_storm: pauses of the peer ended by PARQ_FC_LIMIT
 * @parked: FDs parked so far
 * @reinjected: FDs of flush passes that passed the gate so far
 * @passes: flush passes begun so far
 * @repauses: passes turned back by a new pause
 * @park_depth: FDs parked now
 * @park_high: largest number of FDs parked at once
 * @rx_xoff: PFC frames received that paused the priority: PFC was on, and the time not 0
 * @tx_xoff: PFC frames sent that paused the priority: the time was not 0
 */
struct parq_prio_stats {
	__le64 tx_frames;
	__le64 tx_bytes;
	__le64 tx_drop;
	__le64 rx_frames;
	__le64 rx_bytes;
	__le64 rx_drop;
	__le64 rx_pause;
	__le64 rx_pause_ns;
	__le64 rx_pause_transition;
	__le64 rx_pause_storm;
	__le64 tx_pause;
	__le64 tx_pause_ns;
	__le64 tx_pause_transition;
	__le64 tx_pause_storm;
	__le64 parked;
	__le64 reinjected;
	__le64 passes;
	__le64 repauses;
	__le64 park_depth;
	__le64 park_high;
	__le64 rx_xoff;
	__le64 tx_xoff;
};

/* Upper bounds of the RMON size buckets, bytes with FCS; the last is open. */
#define PARQ_NUM_RMON		7
#define PARQ_RMON_BOUNDS	{ 64, 127, 255, 511, 1023, 1518, 65535 }

/**
 * struct parq_mac_stats - one direction of a MAC, RFC 2819 and IEEE 802.3 30.3
 * @frames: good frames, MAC control included
 * @bytes: bytes of @frames, with FCS
 * @multicast: good frames to a group address other than broadcast
 * @broadcast: good frames to the broadcast address
 * @ctrl: good MAC control frames (type 0x8808)
 * @pfc: valid 802.1Qbb frames
 * @pause: valid 802.3x frames, Pause Low included
 * @rmon: good frames by size
 */
struct parq_mac_stats {
	__le64 frames;
	__le64 bytes;
	__le64 multicast;
	__le64 broadcast;
	__le64 ctrl;
	__le64 pfc;
	__le64 pause;
	__le64 rmon[PARQ_NUM_RMON];
};

/**
 * struct parq_queue_stats - one queue
 * @frames: frames sent or received
 * @bytes: bytes of @frames on the wire, without FCS
 * @drop: frames not sent, or without a buffer
 * @csum: frames of @frames whose checksum the device has inserted or verified
 */
struct parq_queue_stats {
	__le64 frames;
	__le64 bytes;
	__le64 drop;
	__le64 csum;
};

/**
 * struct parq_stats - statistics block of a port
 * @prio: by priority
 * @tx: sent by the MAC
 * @rx: received by the MAC
 * @rx_fcs_err: frames with a bad FCS
 * @rx_undersize: frames shorter than 64 bytes with FCS, which is right
 * @rx_oversize: frames longer than PARQ_MAX_FRAME, with a right FCS
 * @rx_ctrl_unknown: MAC control frames with an unknown opcode
 * @rx_filtered: good frames for other stations, and those that a rule drops
 * @rx_drop_nobuf: frames for which the host had no buffer
 * @rx_drop_buffer: frames for which the receive buffer had no room
 * @rx_drop_dma: frames for which the host refused an address
 * @rx_drop_disabled: frames dropped because the port or the queue was disabled
 * @tx_drop_desc: frames with malformed descriptors
 * @tx_drop_dma: frames for which the host refused an address
 * @tx_drop_purge: frames dropped because the queue or the port was disabled
 * @tx_drop_park: invalid entries of park queues
 * @tx_drop_storm: frames dropped during a storm
 * @tx_pause_storm: pauses of the peer ended by PARQ_FC_LIMIT; one of link pause is one
 * @event_lost: events for which the ring had no room
 * @rx_fragment: frames shorter than 64 bytes with FCS, which is bad
 * @rx_jabber: frames longer than PARQ_MAX_FRAME, with a bad FCS
 * @rx_ctrl_addr: MAC control frames with a wrong address
 * @txq: by TX queue
 * @rxq: by RX queue
 * @seq: last value written to PARQ_STATS_SNAP; written last
 */
struct parq_stats {
	struct parq_prio_stats prio[PARQ_NUM_PRIO];
	struct parq_mac_stats tx;
	struct parq_mac_stats rx;
	__le64 rx_fcs_err;
	__le64 rx_undersize;
	__le64 rx_oversize;
	__le64 rx_ctrl_unknown;
	__le64 rx_filtered;
	__le64 rx_drop_nobuf;
	__le64 rx_drop_buffer;
	__le64 rx_drop_dma;
	__le64 rx_drop_disabled;
	__le64 tx_drop_desc;
	__le64 tx_drop_dma;
	__le64 tx_drop_purge;
	__le64 tx_drop_park;
	__le64 tx_drop_storm;
	__le64 tx_pause_storm;
	__le64 event_lost;
	__le64 rx_fragment;
	__le64 rx_jabber;
	__le64 rx_ctrl_addr;
	struct parq_queue_stats txq[PARQ_MAX_TXQ];
	struct parq_queue_stats rxq[PARQ_MAX_RXQ];
	__le64 seq;
};

static_assert(sizeof(struct parq_stats) % 8 == 0);

#endif /* _LINUX_PARQ_HW_H */
