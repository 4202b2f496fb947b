/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RING_H
#define _PARQ_RING_H

#include <linux/netdevice.h>
#include <linux/parq_hw.h>
#include <linux/skbuff.h>
#include <linux/u64_stats_sync.h>

#include "compat.h"

struct page_pool;
struct parq_dev;
struct parq_port;
struct parq_vec;

#define PARQ_RING_MIN		64
#define PARQ_RING_MAX		8192	/* or less, as the device has it */
#define PARQ_RING_DEFAULT	512

/* Descriptors that one frame can take: extension, head and fragments. */
#define PARQ_TX_FRAME_DESC	(MAX_SKB_FRAGS + 2)
/* A stopped queue goes on when it has room for two of them, or as the ring allows. */
#define PARQ_TX_WAKE_DESC	\
	(2 * PARQ_TX_FRAME_DESC < PARQ_RING_MIN ? 2 * PARQ_TX_FRAME_DESC : \
						  PARQ_RING_MIN)

/* A page is headroom, what the device writes, and the skb's shared info. */
#define PARQ_RX_HEADROOM	(NET_SKB_PAD + NET_IP_ALIGN)
#define PARQ_RX_BUF							\
	min_t(u32, PARQ_RXQ_BUF_MAX,					\
	      round_down(SKB_WITH_OVERHEAD(PAGE_SIZE) - PARQ_RX_HEADROOM, 64))

/**
 * struct parq_db - doorbells of a queue
 * @reg: where they are
 * @status: page where the device says that it dozes
 * @pd: device, to wake it
 */
struct parq_db {
	void __iomem *reg;
	const struct parq_status *status;
	struct parq_dev *pd;
};

/**
 * struct parq_tx_buf - what a TX descriptor points to
 * @skb: the frame
 * @addr: DMA address of the buffer
 * @len: bytes mapped, 0 for none
 * @ndesc: descriptors of the frame
 * @segs: frames on the wire
 *
 * The entry of a frame's first descriptor has all of them, and its @addr and
 * @len are those of the linear part even when an extension comes first. The
 * frame's other entries have @addr and @len.
 */
struct parq_tx_buf {
	struct sk_buff *skb;
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
 * @limit: position that @tail must not pass, as the sender knows it
 * @head: completed up to here; written by the cleaner
 * @seq: PARQ_TXW_RING while the device is on this ring
 * @next: ring that replaces this one, NULL for none
 * @dma: address of @desc
 */
struct parq_tx_ring {
	struct parq_tx_desc *desc;
	struct parq_tx_buf *buf;
	u32 mask;
	u32 tail;
	u32 limit;

	u32 head ____cacheline_aligned_in_smp;
	u8 seq;
	struct parq_tx_ring *next;
	dma_addr_t dma;
};

/**
 * struct parq_tx_stats - of a TX queue; outlives the queue
 * @packets: frames sent, segments counted
 * @bytes: in them
 * @hw_drops: frames completed and not sent, segments counted
 * @dropped: frames freed without a completion, segments counted
 * @errors: frames not mappable for DMA; not in @dropped
 * @tso: frames given to the device to be cut
 * @stops: times the ring was full
 * @wakes: times it had room again
 * @timeouts: times the queue was found stuck
 * @sync: of what the cleaner counts: @packets, @bytes, @wakes, @hw_drops
 * @xmit_sync: of what the sender counts: the others
 */
struct parq_tx_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t wakes;
	u64_stats_t hw_drops;
	struct u64_stats_sync sync;

	u64_stats_t dropped ____cacheline_aligned_in_smp;
	u64_stats_t errors;
	u64_stats_t tso;
	u64_stats_t stops;
	u64_stats_t timeouts;
	struct u64_stats_sync xmit_sync;
};

/**
 * struct parq_rx_stats - of an RX queue; outlives the queue
 * @packets: frames given to the stack
 * @bytes: in them
 * @csum_ok: of them, with a checksum that the device verified
 * @csum_bad: of them, with a checksum that the device found wrong
 * @errors: frames with a completion that is not believable
 * @dropped: frames for which no skb could be had
 * @alloc_fail: pages that could not be had
 * @sync: of all
 */
struct parq_rx_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t csum_ok;
	u64_stats_t csum_bad;
	u64_stats_t errors;
	u64_stats_t dropped;
	u64_stats_t alloc_fail;
	struct u64_stats_sync sync;
};

/**
 * struct parq_txq - TX queue: frames of one priority, on one channel
 * @ring: new frames go here
 * @db: its doorbells
 * @nq: the stack's queue
 * @dev: device that reads the frames
 * @stats: counters
 * @port: port
 * @clean: the device is on this ring; differs from @ring only while a
 *	replacement is under way
 * @wb: written by the device
 * @state: parq_txq_wb.state as the cleaner knows it
 * @wb_dma: address of @wb
 * @retired: a ring that no one uses any more, for process context to free
 * @vec: vector that serves it
 * @index: 0 to 63, channel * 8 + prio
 * @prio: 802.1p priority
 * @fed: completed up to here when the service work last looked
 * @held: stays stopped: until removed queues of its priority are empty or, if it
 *	is removed itself, for good
 * @draining: removed, but not empty yet
 * @broken: the device wrote nonsense; the service work resets the queue
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
	u32 fed;
	u32 state;
	u8 index;
	u8 prio;
	bool held;
	bool draining;
	bool broken;
};

/**
 * struct parq_rx_ring - memory and positions of an RX ring
 * @comp: completions, written by the device
 * @fill: buffer addresses, read by the device
 * @page: buffers, NULL where the device has none
 * @pool: where the pages come from
 * @mask: entries - 1
 * @order: log2 of the entries
 * @pos: next completion
 * @tail: next position to fill
 * @posted: tail that the device knows
 * @fill_dma: address of @fill
 * @comp_dma: address of @comp
 */
struct parq_rx_ring {
	struct parq_rx_comp *comp;
	__le64 *fill;
	struct page **page;
	struct page_pool *pool;
	u32 mask;
	u32 order;
	u32 pos;
	u32 tail;
	u32 posted;
	dma_addr_t fill_dma;
	dma_addr_t comp_dma;
};

/**
 * struct parq_rxq - RX queue, one a channel
 * @ring: its ring
 * @db: its doorbells
 * @skb: frame of which buffers are still to come, NULL for none, an error
 *	pointer if the rest of it is thrown away
 * @netdev: netdev
 * @stats: counters
 * @port: port
 * @vec: vector that serves it
 * @ctrl: PARQ_RXQ_CTRL, but for HOLD, that the device took; 0 for a queue that did not start
 * @index: 0 to 63, the channel
 * @starved: no page could be had; the service work tries again
 * @broken: the device wrote nonsense; the service work resets the queue
 * @watch_skipped: parq_rx_watch() has found a completion missing, under rtnl
 * @watch_pos: at this position
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
};

/* Ring memory. Process context; NULL when there is none to be had. */
struct parq_tx_ring *parq_ring_tx_alloc(struct parq_port *port, u32 size);
void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring);
struct parq_rx_ring *parq_ring_rx_alloc(struct parq_rxq *q, u32 size);
void parq_ring_rx_free(struct parq_rxq *q, struct parq_rx_ring *ring);

unsigned int parq_ring_tx_entries(const struct parq_port *port);

#endif /* _PARQ_RING_H */
