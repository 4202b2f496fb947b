/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_RX_H
#define _PARQ_RX_H

#include "parq_io.h"
#include "parq_ring.h"

/* Buffers are posted in batches of this size: each needs one doorbell. */
#define PARQ_RX_BATCH	16
/* Retry interval if no page could be allocated, ms. */
#define PARQ_RX_RETRY_MS	10

/**
 * struct parq_rx_done - results of a poll
 * @frames: frames that ended, received or dropped
 * @bytes: bytes passed to the stack
 * @csum_ok: see struct parq_rx_stats, as for all members below
 * @csum_bad: checksum found wrong
 * @errors: invalid completion
 * @dropped: no skb
 * @alloc_fail: refills that ended because there was no page
 */
struct parq_rx_done {
	unsigned int frames;
	unsigned int bytes;
	unsigned int csum_ok;
	unsigned int csum_bad;
	unsigned int errors;
	unsigned int dropped;
	unsigned int alloc_fail;
};

int parq_rx_poll(struct parq_rxq *q, struct napi_struct *napi, int budget);
bool parq_rx_pending(const struct parq_rxq *q);
void parq_rx_watch(struct parq_rxq *q);
void parq_rx_arm(const struct parq_rxq *q);
void parq_rx_discard(struct parq_rxq *q);
u32 parq_rx_ring_fill(struct parq_rx_ring *ring);
void parq_rx_post(struct parq_rxq *q);

/*
 * Shared by the poll functions. Those with a program read frames of one buffer in bursts: their
 * completions follow each other in memory, and so do the ring's buffers. A burst ends at any other
 * completion, and that is read alone. To prepare for a burst costs more than it saves the stack,
 * which often has a frame or two in a poll.
 */

void parq_rx_invalid(struct parq_rxq *q, u32 len);
const struct parq_rx_comp *parq_rx_any(struct parq_rxq *q, u32 *flags, struct sk_buff **skb,
				       struct parq_rx_done *done);
void parq_rx_pass(struct parq_rxq *q, struct napi_struct *napi, struct sk_buff *skb,
		  u32 flags, const struct parq_rx_comp *comp, struct parq_rx_done *done);

static __always_inline void parq_rx_account(struct parq_rxq *q,
					    const struct parq_rx_done *done)
{
	struct parq_rx_stats *stats = q->stats;
	unsigned int lost = done->dropped + done->errors;

	BUILD_BUG_ON(MAX_SKB_FRAGS + 1 < PARQ_RX_GRO_BUFS);
	u64_stats_update_begin(&stats->sync);
	u64_stats_add(&stats->packets, done->frames - lost);
	u64_stats_add(&stats->bytes, done->bytes);
	u64_stats_add(&stats->csum_ok, done->csum_ok);
	u64_stats_add(&stats->csum_bad, done->csum_bad);
	u64_stats_add(&stats->errors, done->errors);
	u64_stats_add(&stats->dropped, done->dropped);
	u64_stats_add(&stats->alloc_fail, done->alloc_fail);
	u64_stats_update_end(&stats->sync);
}

/* Ends a poll: fills free entries if there are @least of them, and posts if there is a batch. */
static __always_inline void parq_rx_refill(struct parq_rxq *q, u32 least, struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = q->ring;
	u32 batch = PARQ_RX_BATCH;

	if (ring->mask + 1 - (ring->tail - ring->pos) >= least &&
	    unlikely(parq_rx_ring_fill(ring))) {
		/* Without buffers the queue would never interrupt again. */
		batch = 1;
		done->alloc_fail++;
		if (!q->starved)
			parq_kick_service(q->port, PARQ_RX_RETRY_MS);
		WRITE_ONCE(q->starved, true);
	}
	if (ring->tail - ring->posted >= batch)
		parq_rx_post(q);
}

/*
 * Return: PARQ_RX_GEN of a completion at @pos, and of all after it up to the end of the ring. It is
 * 1 in even rounds of the ring, which begin with round 0.
 */
static __always_inline u32 parq_rx_gen(const struct parq_rx_ring *ring, u32 pos)
{
	BUILD_BUG_ON(PARQ_RX_GEN != 1);

	/* The mask spares UBSAN's check of the shift: 2 instructions with CONFIG_UBSAN_SHIFT. */
	return ~(pos >> (ring->order & 31)) & PARQ_RX_GEN;
}

static __always_inline bool parq_rx_valid(const struct parq_rx_ring *ring,
					  u32 pos, u32 flags)
{
	return !((flags ^ parq_rx_gen(ring, pos)) & PARQ_RX_GEN);
}

/* Return: the completion at @pos is valid. */
static __always_inline bool parq_rx_completed(const struct parq_rx_ring *ring, u32 pos)
{
	return parq_rx_valid(ring, pos,
			     le32_to_cpu(READ_ONCE(ring->comp[pos & ring->mask].flags)));
}

/* Return: there is a completion, and the poll may take it. */
static __always_inline bool parq_rx_more(const struct parq_rx_ring *ring, int budget,
					 const struct parq_rx_done *done)
{
	return done->frames < budget && parq_rx_completed(ring, ring->pos);
}

/*
 * Reads a completion that may be valid. @want: its flags, of those in @mask. Return: it is that of
 * a frame in one buffer, of @most bytes at most.
 */
static __always_inline bool parq_rx_is_short(const struct parq_rx_comp *comp, u32 want, u32 mask,
					     u32 most, u32 *flags, u32 *len)
{
	*flags = le32_to_cpu(READ_ONCE(comp->flags));
	/* Orders the read of GEN before reads of the rest. */
	dma_rmb();
	*len = le16_to_cpu(READ_ONCE(comp->len));
	return likely(!((*flags ^ want) & mask) && *len - ETH_HLEN <= most - ETH_HLEN);
}

/* Return: the next buffer is the device's, and @len bytes fit in it. Else the queue ends. */
static inline bool parq_rx_fits(struct parq_rxq *q, u32 len)
{
	const struct parq_rx_ring *ring = q->ring;

	if (likely(len && len <= ring->buf && ring->pos != ring->posted))
		return true;
	parq_rx_invalid(q, len);
	return false;
}

/* Looks for a valid completion. Return: bytes in its buffer, 0 if there is none; and its @flags. */
static inline u32 parq_rx_next(struct parq_rxq *q, u32 *flags)
{
	const struct parq_rx_ring *ring = q->ring;
	const struct parq_rx_comp *comp = &ring->comp[ring->pos & ring->mask];
	u32 len;

	*flags = le32_to_cpu(READ_ONCE(comp->flags));
	if (q->broken || !parq_rx_valid(ring, ring->pos, *flags))
		return 0;
	/* Orders the read of GEN before reads of the rest. */
	dma_rmb();
	len = le16_to_cpu(READ_ONCE(comp->len));
	return parq_rx_fits(q, len) ? len : 0;
}

/* Return: number of posted buffers up to the end of the ring, at most @limit. */
static __always_inline u32 parq_rx_burst(const struct parq_rx_ring *ring, u32 limit)
{
	u32 end = ring->mask + 1 - (ring->pos & ring->mask);

	return min3(limit, end, ring->posted - ring->pos);
}

#endif /* _PARQ_RX_H */
