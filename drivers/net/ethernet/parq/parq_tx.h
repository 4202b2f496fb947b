/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TX_H
#define _PARQ_TX_H

#include <linux/dma-mapping.h>
#include <linux/tcp.h>

#include "parq_ring.h"

/* ---- parq_tx.c --------------------------------------------------------- */

netdev_tx_t parq_tx_xmit(struct sk_buff *skb, struct net_device *dev);
u16 parq_tx_select_queue(struct net_device *dev, struct sk_buff *skb,
			 struct net_device *sb_dev);
netdev_features_t parq_tx_features_check(struct sk_buff *skb,
					 struct net_device *dev,
					 netdev_features_t features);
bool parq_tx_has_room(struct parq_txq *q);

/* Shared by sender and cleaner. */

/* Bytes of headers that each segment repeats. */
static inline unsigned int parq_tx_hdr_len(const struct sk_buff *skb)
{
	return skb_tcp_all_headers(skb);
}

/*
 * Position of a queue over all of its rings. The head of a ring that replaces another one
 * starts at 0; its number makes the position differ.
 */
static inline u32 parq_tx_pos(const struct parq_txq *q)
{
	const struct parq_tx_ring *ring = READ_ONCE(q->clean);

	return READ_ONCE(ring->head) + (READ_ONCE(ring->seq) << 16);
}

/* Bytes that the driver has accepted since the last flush; wraps. */
static inline u32 parq_tx_queued(const struct parq_txq *q)
{
	return READ_ONCE(q->nq->dql.num_queued);
}

/* Number of free descriptors, as known to the caller's side. */
static inline u32 parq_tx_room(const struct parq_tx_ring *ring)
{
	return ring->mask + 1 - (ring->tail - READ_ONCE(ring->head));
}

static __always_inline void parq_tx_desc_set(struct parq_tx_ring *ring, u32 pos,
					     u64 addr, u64 info)
{
	struct parq_tx_desc *desc = &ring->desc[pos & ring->mask];

	desc->addr = cpu_to_le64(addr);
	desc->info = cpu_to_le64(info);
}

/* The device reports when the frame at @pos, with its extension, has started. */
static inline bool parq_tx_is_stamped(const struct parq_tx_ring *ring, u32 pos)
{
	const struct parq_tx_buf *first = &ring->buf[pos & ring->mask];
	const struct parq_tx_buf *second = &ring->buf[(pos + 1) & ring->mask];

	return first->ndesc > 1 && !second->len && second->addr == PARQ_TX_STAMPED;
}

/*
 * Return: the first frame, which the device has not completed, has a launch time. If another
 * context completes it, the result may be that of a later one.
 */
static inline bool parq_tx_launches(const struct parq_txq *q)
{
	const u64 status = PARQ_TXS_DROPPED | PARQ_TXS_STAMP;
	const struct parq_tx_ring *ring = READ_ONCE(q->clean);
	const struct parq_tx_desc *desc = &ring->desc[READ_ONCE(ring->head) & ring->mask];

	return (le64_to_cpu(READ_ONCE(desc->info)) & (PARQ_TX_EXT | status)) == PARQ_TX_EXT &&
	       le64_to_cpu(READ_ONCE(desc->addr)) & PARQ_TXX_LAUNCH;
}

/* Return: the frame is one of an AF_XDP socket. */
static inline bool parq_tx_is_xsk(const struct parq_tx_buf *buf)
{
	return !buf->segs && !buf->xdp;
}

/* Increments one of the rare counters that the sender writes. */
static inline void parq_tx_count(struct parq_txq *q, u64_stats_t *counter,
				 unsigned int n)
{
	u64_stats_update_begin(&q->stats->xmit_sync);
	u64_stats_add(counter, n);
	u64_stats_update_end(&q->stats->xmit_sync);
}

/* Unmaps @n buffers from @pos on. */
static inline void parq_tx_unmap(const struct parq_txq *q,
				 struct parq_tx_ring *ring, u32 pos, u32 n)
{
	struct parq_tx_buf *buf;

	for (; n; n--, pos++) {
		buf = &ring->buf[pos & ring->mask];
		if (buf->len)
			dma_unmap_page(q->dev, buf->addr, buf->len,
				       DMA_TO_DEVICE);
	}
}

/* ---- parq_tx_clean.c --------------------------------------------------- */

void parq_tx_clean(struct parq_txq *q, int budget);
bool parq_tx_pending(const struct parq_txq *q);
bool parq_tx_empty(const struct parq_txq *q);
void parq_tx_arm(const struct parq_txq *q);
bool parq_tx_wake(struct parq_txq *q);
void parq_tx_flush(struct parq_txq *q);
void parq_tx_reap(struct parq_txq *q);
void parq_tx_replace(struct parq_txq *q, struct parq_tx_ring *next);
void parq_tx_close(struct parq_txq *q);
void parq_tx_purge(struct parq_txq *q, struct parq_tx_ring *next);

#endif /* _PARQ_TX_H */
