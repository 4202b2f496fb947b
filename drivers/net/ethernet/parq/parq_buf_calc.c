// SPDX-License-Identifier: GPL-2.0
/*
 * Receive buffers: how much still arrives after a buffer has requested a pause, and the
 * watermarks that follow from it. Pure: no lock, no device, no memory but the arguments.
 *
 * A class is lossless only if the room above XOFF suffices for the worst case of every
 * term. All values are rounded up.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/if_ether.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "parq_buf_calc.h"

#define PREAMBLE	8	/* with the start frame delimiter */
#define IPG		12
#define QUANTUM		64	/* 512 bit times */
/* Minimum frame, to which a PFC frame is padded, and preamble. */
#define PAUSE_PACKET	(ETH_ZLEN + ETH_FCS_LEN + PREAMBLE)

/*
 * Latencies of MAC and PHY, bytes. A pause frame is sent at the next frame boundary. The values
 * are those of the MAC for which the pause engine was designed.
 */
#define XOFF_LATENCY	10
#define XON_LATENCY	2
#define PHY_LATENCY	4

static_assert(PARQ_NUM_RXB == DCBX_MAX_BUFFERS);
static_assert(PARQ_NUM_PRIO == IEEE_8021Q_MAX_PRIORITIES);

/*
 * Longest time from the end of a PFC frame to the end of what it stops, quanta:
 * IEEE 802.1Qbb, IEEE 802.3 annex 31B.3.7. Speeds that we have no figure for
 * take that of the next faster one. In quanta it grows with the speed, since
 * most of it is time in a PHY: so it never is too short.
 */
static const struct {
	u32 mbps;
	u32 response;
} speeds[PARQ_NUM_SPEEDS] = {
	[PARQ_SPEED_10M] = { 10, 2 },
	[PARQ_SPEED_100M] = { 100, 2 },
	[PARQ_SPEED_1G] = { 1000, 2 },
	[PARQ_SPEED_2500M] = { 2500, 60 },
	[PARQ_SPEED_5G] = { 5000, 60 },
	[PARQ_SPEED_10G] = { 10000, 60 },
	[PARQ_SPEED_25G] = { 25000, 80 },
	[PARQ_SPEED_40G] = { 40000, 118 },
	[PARQ_SPEED_50G] = { 50000, 394 },
	[PARQ_SPEED_100G] = { 100000, 394 },
	[PARQ_SPEED_200G] = { 200000, 905 },
	[PARQ_SPEED_400G] = { 400000, 905 },
};

/* Mb/s of an enum parq_speed. */
u32 parq_headroom_mbps(unsigned int speed)
{
	return speed < PARQ_NUM_SPEEDS ? speeds[speed].mbps : 0;
}

/* ---- Headroom ----------------------------------------------------------- */

/* One-way delay, bytes. A bit time is 1 / mbps us, or 10^6 / mbps ps. */
static u32 media_delay(const struct parq_path *path)
{
	u64 bits = (u64)path->cable_m * path->ps_per_m * speeds[path->speed].mbps;

	if (path->round_trip)
		return DIV_ROUND_UP(path->round_trip, 2 * BITS_PER_BYTE);
	return div_u64(bits + 8 * 1000000 - 1, 8 * 1000000);
}

/* Terms of both calculations: a pause frame and its delay. */
static struct parq_headroom headroom_common(const struct parq_path *path)
{
	return (struct parq_headroom){
		.media_delay = media_delay(path),
		.wait_to_transmit = path->tx_frame + PREAMBLE,
		.ipg = IPG,
		.pause_packet = PAUSE_PACKET,
		.phy_latency = path->phy_latency,
		.reaction = speeds[path->speed].response * QUANTUM,
		.pauses = path->pauses * (PAUSE_PACKET + IPG),
	};
}

/**
 * parq_headroom_overflow() - bytes that may still arrive after XOFF is crossed
 * @path: speed, cable, frames, latencies
 *
 * Return: each term; their sum must be free above the high watermark.
 */
struct parq_headroom parq_headroom_overflow(const struct parq_path *path)
{
	struct parq_headroom h = headroom_common(path);

	h.mac_latency = path->xoff_latency;
	h.media_delay2 = h.media_delay;
	h.packet_delay = path->rx_frame + PREAMBLE;
	h.step = path->step;
	return h;
}

/**
 * parq_headroom_underflow() - bytes that the host can take until XON has an effect
 * @path: speed, cable, frames, latencies
 *
 * The second media delay is that of the first frame, which counts when its last bit has
 * arrived. The propagation of this bit is not included.
 *
 * Return: each term. If the buffer holds their sum at the low watermark, plus what is on
 * the way, it does not run dry.
 */
struct parq_headroom parq_headroom_underflow(const struct parq_path *path)
{
	struct parq_headroom h = headroom_common(path);

	h.mac_latency = path->xon_latency;
	h.media_delay2 = path->rx_frame + PREAMBLE;
	return h;
}

/* Return: sum of all terms, bytes. */
u32 parq_headroom_sum(const struct parq_headroom *h)
{
	return h->media_delay + h->mac_latency + h->wait_to_transmit + h->ipg +
	       h->pause_packet + h->media_delay2 + h->phy_latency +
	       h->reaction + h->packet_delay + h->pauses + h->step;
}

/* ---- Buffers ------------------------------------------------------------ */

/* Bytes with which the longest frame is charged to a buffer. */
u32 parq_rxb_frame(const struct parq_rxb_want *want)
{
	return want->mtu + ETH_HLEN + ETH_FCS_LEN + PARQ_MAX_TAGS;
}

/**
 * parq_rxb_path() - round trip of XOFF on a link of this NIC
 * @want: cable, delay, MTU
 * @speed: speed of the link
 *
 * The cable may be copper, which is slower than fibre. A frame counts when its last bit
 * has arrived, so the crossing of the watermark may be noticed one frame late. All other
 * buffers may send a PFC frame at the same time; one link pause frame covers all of them.
 *
 * Return: parameters for parq_headroom_overflow() and parq_headroom_underflow().
 */
struct parq_path parq_rxb_path(const struct parq_rxb_want *want,
			       enum parq_speed speed)
{
	u32 frame = parq_rxb_frame(want);

	return (struct parq_path){
		.speed = speed,
		.cable_m = want->cable_m,
		.ps_per_m = PARQ_COPPER_PS_PER_M,
		.round_trip = want->delay,
		.tx_frame = frame,
		.rx_frame = frame,
		.xoff_latency = XOFF_LATENCY,
		.xon_latency = XON_LATENCY,
		.phy_latency = PHY_LATENCY,
		.pauses = want->link_pause ? 0 : PARQ_NUM_RXB - 1,
		.step = frame,
	};
}

static u32 headroom_at(const struct parq_rxb_want *want, enum parq_speed speed)
{
	struct parq_path path = parq_rxb_path(want, speed);
	struct parq_headroom h = parq_headroom_overflow(&path);

	return parq_headroom_sum(&h);
}

/* Speed for the sizes: the link may come up again with its fastest speed. */
static enum parq_speed worst_speed(const struct parq_rxb_want *want)
{
	return max(want->fastest, want->speed);
}

static void put_prio(struct parq_rxb *rxb, unsigned int prio, unsigned int n)
{
	rxb->prio |= n << (4 * prio);
}

/* Bytes that all buffers together have. */
u32 parq_rxb_sum(const struct parq_rxb *rxb)
{
	unsigned int n;
	u32 sum = 0;

	for (n = 0; n < PARQ_NUM_RXB; n++)
		sum += rxb->size[n];
	return sum;
}

/**
 * parq_rxb_growth() - memory that a change takes from what ports share
 * @old: values in the device; all 0 after its reset: the port has given nothing to others yet
 * @new: values to be set
 *
 * Buffers that shrink do not count. What they hold now may not fit into them then, and is shared
 * memory until it has left.
 *
 * Return: bytes.
 */
u32 parq_rxb_growth(const struct parq_rxb *old, const struct parq_rxb *new)
{
	unsigned int n;
	u32 more = 0;

	if (!parq_rxb_sum(old))
		return 0;
	for (n = 0; n < PARQ_NUM_RXB; n++)
		more += new->size[n] - min(new->size[n], old->size[n]);
	return more;
}

/**
 * parq_rxb_buffer() - buffer of a priority
 * @rxb: buffers
 * @prio: 0 to 7
 *
 * Return: 0 to 7.
 */
unsigned int parq_rxb_buffer(const struct parq_rxb *rxb, unsigned int prio)
{
	return (rxb->prio >> (4 * prio)) & (PARQ_NUM_RXB - 1);
}

/**
 * parq_rxb_prios() - priorities in a buffer
 * @rxb: buffers
 * @n: 0 to 7
 *
 * Return: BIT(priority).
 */
u8 parq_rxb_prios(const struct parq_rxb *rxb, unsigned int n)
{
	unsigned int prio;
	u8 prios = 0;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (parq_rxb_buffer(rxb, prio) == n)
			prios |= BIT(prio);
	return prios;
}

/* ---- Buffers chosen by the driver --------------------------------------- */

/*
 * A lossless priority uses the buffer of its number, so it keeps its buffer when other
 * priorities change. If priority 0 is lossless, it uses the number of a lossy priority,
 * because buffer 0 has the lossy ones.
 */
static unsigned int own_home(u8 lossless, unsigned int prio)
{
	u8 lossy = ~lossless;

	return prio || !lossy ? prio : __ffs(lossy);
}

/* If there are fewer buffers than lossless priorities, neighbours share a buffer. */
static void own_map(u8 lossless, unsigned int num, struct parq_rxb *rxb)
{
	unsigned int prio, i = 0, group, last = ~0U, home = 0;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(lossless & BIT(prio)))
			continue;
		group = i++ * num / hweight8(lossless);
		if (group != last)
			home = own_home(lossless, prio);
		last = group;
		put_prio(rxb, prio, home);
	}
}

/* Minimum size of a buffer with @prios. */
static u32 least_size(const struct parq_rxb_want *want, u8 prios)
{
	u32 size = parq_rxb_frame(want);

	if (prios & want->lossless)
		size += headroom_at(want, worst_speed(want));
	return size;
}

/*
 * Each used buffer gets its minimum, and an even share of the rest. If ports share, it is one frame
 * at most: then XON is that much below XOFF.
 */
static int own_sizes(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		     char *reason)
{
	u32 need = 0, num = 0, rest;
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++) {
		u8 prios = parq_rxb_prios(rxb, n);

		if (!prios)
			continue;
		rxb->size[n] = least_size(want, prios);
		need += rxb->size[n];
		num++;
	}
	if (want->total < need) {
		snprintf(reason, PARQ_REASON_LEN,
			 "receive buffers need %u bytes, the port has %u",
			 need, want->total);
		return -ENOBUFS;
	}
	rest = want->total - need;
	if (want->share)
		rest = min(rest, num * parq_rxb_frame(want));
	for (n = 0; n < PARQ_NUM_RXB; n++)
		if (rxb->size[n])
			rxb->size[n] += rest / num;
	/* The remainder of the division goes to the first buffer. */
	rxb->size[parq_rxb_buffer(rxb, 0)] += rest % num;
	return 0;
}

/*
 * One buffer for all lossy priorities, and one for each lossless priority. If memory is
 * short, lossless priorities share as few buffers as needed, at least one. With link
 * pause all priorities stop together, so one buffer with one headroom is enough.
 */
static int own_buffers(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		       char *reason)
{
	u32 lossy = want->lossless != 0xff ? least_size(want, 0) : 0;
	u32 most = want->link_pause ? 1 : hweight8(want->lossless);
	u32 room = want->total - min(want->total, lossy);
	u32 fit = max(room / least_size(want, want->lossless), 1U);

	own_map(want->lossless, min(fit, most), rxb);
	return own_sizes(want, rxb, reason);
}

/* ---- Buffers set by a user ---------------------------------------------- */

static int user_map(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		    char *reason)
{
	const u8 *map = want->user.prio2buffer;
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (map[prio] >= PARQ_NUM_RXB) {
			snprintf(reason, PARQ_REASON_LEN,
				 "prio-buffer of priority %u: buffer %u is not in 0..%u",
				 prio, map[prio], PARQ_NUM_RXB - 1);
			return -EINVAL;
		}
		put_prio(rxb, prio, map[prio]);
	}
	return 0;
}

/*
 * A pause does not stop lossy frames. In a buffer with lossless priorities they would
 * fill the headroom, however large it is.
 */
static int user_mixed(const struct parq_rxb_want *want, unsigned int n,
		      u8 prios, char *reason)
{
	u8 lossless = prios & want->lossless;
	u8 lossy = prios & ~want->lossless;

	if (!lossless || !lossy)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "buffer %u would hold lossless priority %u and lossy priority %u",
		 n, (u8)__ffs(lossless), (u8)__ffs(lossy));
	return -EINVAL;
}

static int user_size(const struct parq_rxb_want *want, unsigned int n,
		     u8 prios, char *reason)
{
	bool lossless = prios & want->lossless;
	u32 size = want->user.buffer_size[n];
	u32 need = least_size(want, prios);

	if (size >= need)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "buffer %u of %s priority %u: %u bytes, %u needed", (u8)n,
		 lossless ? "lossless" : "lossy", (u8)__ffs(prios), size, need);
	return size ? -ENOBUFS : -EINVAL;
}

static int user_sizes(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		      char *reason)
{
	unsigned int n;
	u64 sum = 0;
	int err;

	for (n = 0; n < PARQ_NUM_RXB; n++) {
		u8 prios = parq_rxb_prios(rxb, n);

		rxb->size[n] = want->user.buffer_size[n];
		sum += rxb->size[n];
		err = prios ? user_size(want, n, prios, reason) : 0;
		if (err)
			return err;
	}
	if (sum > want->total) {
		snprintf(reason, PARQ_REASON_LEN,
			 "buffer-size totals %llu bytes, the port has %u",
			 (unsigned long long)sum, want->total);
		return -ENOBUFS;
	}
	return 0;
}

static int user_buffers(const struct parq_rxb_want *want, struct parq_rxb *rxb,
			char *reason)
{
	unsigned int n;
	int err;

	err = user_map(want, rxb, reason);
	for (n = 0; !err && n < PARQ_NUM_RXB; n++)
		err = user_mixed(want, n, parq_rxb_prios(rxb, n), reason);
	if (err)
		return err;
	return want->own_sizes ? own_sizes(want, rxb, reason) :
				 user_sizes(want, rxb, reason);
}

/* ---- Watermarks --------------------------------------------------------- */

/*
 * XON is the level from which the buffer lasts until frames of the peer arrive again. If
 * the buffer is too small for that, XON is one frame below XOFF, or half of XOFF. A higher
 * XON would cost two pause frames for each frame; a lower one would leave the buffer empty
 * for long.
 */
static u32 xon_of(u32 xoff, u32 lasts, u32 frame)
{
	return min(lasts, xoff - min(frame, xoff / 2));
}

/* XOFF of a lossless buffer is its size minus the headroom at the link's speed. */
static void watermarks(const struct parq_rxb_want *want, struct parq_rxb *rxb)
{
	struct parq_path path = parq_rxb_path(want, want->speed);
	struct parq_headroom under = parq_headroom_underflow(&path);
	u32 headroom = headroom_at(want, want->speed);
	u32 lasts = parq_headroom_sum(&under) + under.media_delay;
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++) {
		rxb->xoff[n] = rxb->size[n];
		rxb->xon[n] = rxb->size[n];
		if (!(parq_rxb_prios(rxb, n) & want->lossless))
			continue;
		rxb->xoff[n] -= headroom;
		rxb->xon[n] = xon_of(rxb->xoff[n], lasts, path.rx_frame);
	}
}

/**
 * parq_rxb_fit() - compute the register values
 * @want: settings; @want->cable_m must be within its range
 * @rxb: result; unchanged after an error
 * @reason: what does not fit, and what would
 *
 * Sizes are computed for the fastest speed with which the link may come up, because a
 * link that comes up cannot be refused. Watermarks are computed for its present speed.
 *
 * Return: 0; -EINVAL for invalid settings; -ENOBUFS if there is too little memory.
 */
int parq_rxb_fit(const struct parq_rxb_want *want, struct parq_rxb *rxb,
		 char reason[PARQ_REASON_LEN])
{
	struct parq_rxb fit = {};
	int err;

	if (want->set)
		err = user_buffers(want, &fit, reason);
	else
		err = own_buffers(want, &fit, reason);
	if (err)
		return err;
	watermarks(want, &fit);
	*rxb = fit;
	return 0;
}

/* ---- Changes ------------------------------------------------------------ */

/*
 * XOFF of a buffer until the change. One that gets less pauses its peer at the
 * lower one. One that others join pauses its own priorities a headroom earlier:
 * what is on the way for them comes on top of the others', which do not know
 * yet.
 */
static u32 early_xoff(const struct parq_rxb *old, const struct parq_rxb *new,
		      unsigned int n, bool joined)
{
	u32 headroom = new->size[n] - new->xoff[n];
	u32 xoff = new->xoff[n];

	if (joined)
		xoff -= min(xoff, headroom);
	return min(old->xoff[n], xoff);
}

/**
 * parq_rxb_prepare() - first step of a change
 * @old: values in the device
 * @new: values to be set
 * @lossless: priorities that are lossless before and after
 * @step: copy of @old in which some buffers pause their peer earlier
 *
 * If a buffer holds more than its new high watermark, frames on the way could overflow its
 * new size.
 *
 * Return: buffers of @lossless that must drain to XOFF of @step before @new can be set,
 * BIT(buffer). A buffer that was lossy cannot be paused: frames that it accepts at the
 * last moment are not accounted for.
 */
u8 parq_rxb_prepare(const struct parq_rxb *old, const struct parq_rxb *new,
		    u8 lossless, struct parq_rxb *step)
{
	unsigned int n;
	u8 which = 0;

	*step = *old;
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		u8 had = parq_rxb_prios(old, n) & lossless;
		u8 has = parq_rxb_prios(new, n) & lossless;
		bool joined = has & ~had;

		if (!had && !has)
			continue;
		if (!joined && new->xoff[n] >= old->xoff[n] &&
		    new->size[n] >= old->size[n])
			continue;
		which |= BIT(n);
		step->xoff[n] = early_xoff(old, new, n, joined);
		step->xon[n] = min(old->xon[n], step->xoff[n]);
	}
	return which;
}
