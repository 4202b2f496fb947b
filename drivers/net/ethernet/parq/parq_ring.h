/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RING_H
#define _PARQ_RING_H

#include <linux/bpf.h>
#include <linux/netdevice.h>
#include <linux/parq_hw.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>
#include <net/xdp.h>

#include "compat.h" /* <net/netdev_queues.h> <net/page_pool/helpers.h> */
#include "parq_backoff.h"
#include "parq_ets.h"

struct page_pool;
struct parq_dev;
struct parq_port;
struct parq_vec;
struct parq_xsk;

/* ---- parq_reconf_calc.c ------------------------------------------------ */

/* Interval of looks at a removed TX queue. */
#define PARQ_DRAIN_LOOK_MS	10
/* The driver's own frames must leave after that, and the other queues wait for all of it. */
#define PARQ_DRAIN_MS		50

/**
 * struct parq_drain - a removed TX queue with frames in its qdisc; under the ops lock
 * @bytes: in the qdisc at the removal
 * @queued: bytes that the driver had accepted at the removal; wraps
 * @at: last look, jiffies
 * @open: time in which the priority was not paused, jiffies
 * @empty: time in which the driver had no frame, up to the last look, jiffies
 */
struct parq_drain {
	u32 bytes;
	u32 queued;
	unsigned long at;
	unsigned long open;
	unsigned long empty;
};

/**
 * struct parq_drain_look - what is seen of such a queue
 * @bytes: in the qdisc
 * @queued: bytes that the driver has accepted; read before @bytes
 * @at: now, jiffies
 * @paused: the priority is paused
 * @empty: the driver has no frame
 */
struct parq_drain_look {
	u32 bytes;
	u32 queued;
	unsigned long at;
	bool paused;
	bool empty;
};

bool parq_drain_over(struct parq_drain *d, const struct parq_drain_look *now);

/* ---- parq_ring.c ------------------------------------------------------- */

#define PARQ_RING_MIN		64
#define PARQ_RING_MAX		8192	/* entries; PARQ_LIMITS may be lower */
#define PARQ_RING_DEFAULT	512
#define PARQ_RING_SWITCH	128	/* default of each of more than PARQ_NIC_PORTS ports */

/* Descriptors of one frame at most: extension, head and fragments. */
#define PARQ_TX_FRAME_DESC	(MAX_SKB_FRAGS + 2)
/* A stopped queue wakes when it has room for two such frames, or as the ring allows. */
#define PARQ_TX_WAKE_DESC	\
	(2 * PARQ_TX_FRAME_DESC < PARQ_RING_MIN ? 2 * PARQ_TX_FRAME_DESC : \
						  PARQ_RING_MIN)

/*
 * A page holds headroom, the received bytes, and the skb's shared info. The headroom is that of
 * XDP even without a program, so that one can be attached without new buffers.
 */
#define PARQ_RX_HEADROOM	(XDP_PACKET_HEADROOM + NET_IP_ALIGN)
#define PARQ_RX_BUF							\
	min_t(u32, PARQ_RXQ_BUF_MAX,					\
	      round_down(SKB_WITH_OVERHEAD(PAGE_SIZE) - PARQ_RX_HEADROOM, 64))

/**
 * struct parq_db - doorbells of a queue
 * @reg: address of the doorbells
 * @status: status page, which tells whether the device dozes
 * @pd: device, to wake it
 */
struct parq_db {
	void __iomem *reg;
	const struct parq_status *status;
	struct parq_dev *pd;
};

/**
 * struct parq_tx_watch - what the service work knows of a TX queue; under the ops lock
 * @pos: completed position at the last look
 * @waits: it has had frames and completed none, since @waits_at
 * @waits_at: when it was first seen waiting, jiffies
 * @starved_at: when it was last seen starved, jiffies; as @since, if never
 * @since: when it was first seen waiting, but not for a launch time
 */
struct parq_tx_watch {
	u32 pos;
	bool waits;
	unsigned long waits_at;
	unsigned long starved_at;
	struct parq_wire_use since;
};

#define PARQ_TX_STAMPED		1	/* the frame gets a time stamp */
#define PARQ_TX_LAUNCH		U32_MAX	/* more than there are: the sender takes the slow way */

/**
 * struct parq_tx_buf - buffer of a TX descriptor
 * @skb: the frame
 * @xdp: the frame, if @segs is 0; NULL for one of an AF_XDP socket
 * @stamp: behind the extension of a frame of such a socket: where it wants the time stamp
 * @addr: DMA address of the buffer; of such a frame, its number, see struct parq_xsk
 * @len: bytes mapped, 0 for none; of such a frame, all its bytes
 * @ndesc: descriptors of the frame
 * @segs: frames on the wire; 0 for one of XDP, so that the cleaner needs no further test
 *
 * The entry of a frame's first descriptor uses all members. Its @addr and @len are those
 * of the linear part, even if an extension comes first. The other entries of a frame use
 * @addr and @len only. Behind an extension @len is 0, and @addr PARQ_TX_STAMPED or 0. The second
 * entry of a frame of an AF_XDP socket has @segs, 1 if there is an extension, and then @stamp.
 */
struct parq_tx_buf {
	union {
		struct sk_buff *skb;
		struct xdp_frame *xdp;
		u64 *stamp;
	};
	dma_addr_t addr;
	u32 len;
	u16 ndesc;
	u16 segs;
};

/**
 * struct parq_tx_ring - memory and positions of a TX ring
 * @desc: descriptors
 * @buf: one for each descriptor
 * @mask: entries - 1
 * @tail: next free position; written by the sender
 * @limit: the sender's copy of the position that @tail must not pass
 * @need: free descriptors that parq_tx_xmit() needs; PARQ_TX_LAUNCH: frames have launch times
 * @head: all frames before it are complete; written by the cleaner
 * @seq: PARQ_TXW_RING while the device uses this ring
 * @next: ring that will replace this one, NULL for none
 * @dma: address of @desc
 */
struct parq_tx_ring {
	struct parq_tx_desc *desc;
	struct parq_tx_buf *buf;
	u32 mask;
	u32 tail;
	u32 limit;
	u32 need;

	u32 head ____cacheline_aligned_in_smp;
	u8 seq;
	struct parq_tx_ring *next;
	dma_addr_t dma;
};

/**
 * struct parq_tx_stats - counters of a TX queue; they outlive the queue
 * @packets: frames sent, segments counted
 * @bytes: bytes of @packets
 * @hw_drops: frames completed but not sent, segments counted
 * @gso_packets: frames that the device has cut and sent, at least in part
 * @gso_bytes: bytes of @gso_packets as the stack counts them
 * @gso_wire_packets: segments of @gso_packets that were sent
 * @gso_wire_bytes: bytes of @gso_wire_packets
 * @stamps: frames of which the device has reported a time stamp
 * @stamps_lost: frames that should have had one
 * @stamps_bad: frames whose time stamp is no time
 * @dropped: frames freed without a completion, or left in the qdisc of a removed queue;
 *	segments counted
 * @errors: frames that could not be given to the device; not in @dropped
 * @tso: frames passed to the device for segmentation
 * @stops: number of times the ring was full
 * @wakes: number of times it had room again
 * @timeouts: number of times the queue was found stuck
 * @xdp: frames of XDP that the queue has accepted
 * @xdp_full: frames of XDP refused: no room, or the queue is stopped
 * @xdp_down: frames of XDP refused: the link or the port is down
 * @xsk: frames of AF_XDP sockets that the queue has accepted
 * @xsk_invalid: frames of such sockets that cannot be sent
 * @sync: for the cleaner's counters: @packets to @stamps_bad
 * @xmit_sync: for the sender's counters: all others
 */
struct parq_tx_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t wakes;
	u64_stats_t hw_drops;
	u64_stats_t gso_packets;
	u64_stats_t gso_bytes;
	u64_stats_t gso_wire_packets;
	u64_stats_t gso_wire_bytes;
	u64_stats_t stamps;
	u64_stats_t stamps_lost;
	u64_stats_t stamps_bad;
	struct u64_stats_sync sync;

	u64_stats_t dropped ____cacheline_aligned_in_smp;
	u64_stats_t errors;
	u64_stats_t tso;
	u64_stats_t stops;
	u64_stats_t timeouts;
	u64_stats_t xdp;
	u64_stats_t xdp_full;
	u64_stats_t xdp_down;
	u64_stats_t xsk;
	u64_stats_t xsk_invalid;
	struct u64_stats_sync xmit_sync;
};

/**
 * struct parq_rx_stats - counters of an RX queue; they outlive the queue
 * @packets: frames passed to the stack or an XDP program; segments, if they were merged
 * @bytes: bytes of @packets
 * @csum_ok: frames of @packets whose checksum the device found right
 * @csum_bad: frames of @packets whose checksum the device found wrong
 * @gro_packets: frames that the device has merged of several segments
 * @gro_bytes: bytes of @gro_packets as the stack counts them
 * @gro_wire_packets: segments in @gro_packets
 * @gro_wire_bytes: bytes of @gro_wire_packets
 * @errors: frames with an invalid completion, or of more buffers than the MTU allows
 * @dropped: frames for which no skb could be allocated
 * @flushed: frames left in a ring that was freed
 * @alloc_fail: number of times that no page could be allocated; a refill ends at the first
 * @xdp_drop: frames of @packets that the program has dropped
 * @xdp_tx: frames of @packets that the program has sent back
 * @xdp_redirect: frames of @packets that the program has redirected
 * @xdp_aborted: frames of @packets dropped because the program failed, or its verdict could not
 *	be carried out
 * @sync: for all counters
 */
struct parq_rx_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t csum_ok;
	u64_stats_t csum_bad;
	u64_stats_t gro_packets;
	u64_stats_t gro_bytes;
	u64_stats_t gro_wire_packets;
	u64_stats_t gro_wire_bytes;
	u64_stats_t errors;
	u64_stats_t dropped;
	u64_stats_t flushed;
	u64_stats_t alloc_fail;
	u64_stats_t xdp_drop;
	u64_stats_t xdp_tx;
	u64_stats_t xdp_redirect;
	u64_stats_t xdp_aborted;
	struct u64_stats_sync sync;
};

/**
 * struct parq_txq - TX queue: frames of one priority, on one channel
 * @ring: ring for new frames
 * @db: its doorbells
 * @nq: the stack's queue
 * @dev: device that reads the frames
 * @stats: counters
 * @port: port
 * @clean: ring that the device uses; differs from @ring only during a replacement
 * @wb: head write-back, written by the device
 * @state: parq_txq_wb.state as the cleaner last saw it
 * @wb_dma: address of @wb
 * @retired: unused ring that process context must free
 * @vec: vector of the queue
 * @index: 0 to 63, channel * 8 + prio
 * @prio: 802.1p priority
 * @held: stays stopped: until the removed queues of its priority are empty or, if it
 *	is removed itself, for good
 * @draining: removed, but not empty yet
 * @closed: removed and empty; the sender drops frames, see parq_tx_close()
 * @broken: the device wrote an invalid position; the service work resets the queue
 * @watch: progress as the service work sees it
 * @backoff: resets, under the ops lock
 * @drain: progress of the removal
 */
struct parq_txq {
	struct parq_tx_ring *ring;
	struct parq_db db;
	struct netdev_queue *nq;
	struct device *dev;
	struct parq_tx_stats *stats;
	struct parq_port *port;

	struct parq_tx_ring *clean ____cacheline_aligned_in_smp;
	struct parq_txq_wb *wb;
	struct parq_vec *vec;
	struct parq_tx_ring *retired;
	dma_addr_t wb_dma;
	u32 state;
	u8 index;
	u8 prio;
	bool held;
	bool draining;
	bool closed;
	bool broken;
	struct parq_tx_watch watch;
	struct parq_backoff backoff;
	struct parq_drain drain;
};

/**
 * struct parq_rx_ring - memory and positions of an RX ring
 * @comp: completions, written by the device
 * @fill: buffer addresses, read by the device
 * @page: buffers, NULL where the device has none
 * @buff: the same, if @xsk
 * @pool: source of the pages
 * @mask: entries - 1
 * @order: log2 of the entries
 * @pos: next completion
 * @tail: next position to fill
 * @posted: tail last written to the doorbell
 * @fill_dma: address of @fill
 * @comp_dma: address of @comp
 * @xdp: the ring for XDP, unless @xsk
 * @xsk: source of the buffers instead of @pool, NULL for none
 * @buf: bytes that the device may store in a buffer
 */
struct parq_rx_ring {
	struct parq_rx_comp *comp;
	__le64 *fill;
	union {
		struct page **page;
		struct xdp_buff **buff;
	};
	struct page_pool *pool;
	u32 mask;
	u32 order;
	u32 pos;
	u32 tail;
	u32 posted;
	dma_addr_t fill_dma;
	dma_addr_t comp_dma;
	struct xdp_rxq_info xdp;
	struct parq_xsk *xsk;
	u32 buf;
};

/**
 * struct parq_rxq - RX queue, one per channel
 * @ring: its ring
 * @db: its doorbells
 * @skb: incomplete frame, NULL for none, an error pointer if the rest of the frame is
 *	discarded
 * @netdev: netdev
 * @stats: counters
 * @port: port
 * @vec: vector of the queue
 * @ctrl: PARQ_RXQ_CTRL in the device, without HOLD; 0 if the queue did not start
 * @index: 0 to 63, the channel
 * @starved: no page could be allocated; the service work tries again
 * @broken: the device wrote an invalid completion; the service work resets the queue
 * @watch_skipped: parq_rx_watch() has found a completion missing, under the ops lock
 * @watch_pos: position of that completion
 * @backoff: resets, under the ops lock
 * @partial: as @skb, if the ring has chunks of AF_XDP
 */
struct parq_rxq {
	struct parq_rx_ring *ring;
	struct parq_db db;
	struct sk_buff *skb;
	struct net_device *netdev;
	struct parq_rx_stats *stats;
	struct parq_port *port;
	struct parq_vec *vec;
	u32 ctrl;
	u8 index;
	bool starved;
	bool broken;
	bool watch_skipped;
	u32 watch_pos;
	struct parq_backoff backoff;
	struct xdp_buff *partial;
};

/* Allocates ring memory. Process context; returns NULL if there is no memory. */
struct parq_tx_ring *parq_ring_tx_alloc(const struct parq_txq *q, u32 size);
void parq_ring_tx_need(const struct parq_txq *q, struct parq_tx_ring *ring);
void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring);
struct parq_rx_ring *parq_ring_rx_alloc(struct parq_rxq *q, u32 size);
int parq_ring_rx_reg(struct parq_rxq *q, struct parq_rx_ring *ring);
void parq_ring_rx_free(struct parq_rxq *q, struct parq_rx_ring *ring);

unsigned int parq_ring_tx_entries(const struct parq_port *port);

#endif /* _PARQ_RING_H */
