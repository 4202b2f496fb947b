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

/* Shared by the poll functions. */

void parq_rx_invalid(struct parq_rxq *q, u32 len);
struct sk_buff *parq_rx_any(struct parq_rxq *q, struct page **entry, u32 len,
			    bool eop, struct parq_rx_done *done);
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

/* Fills and posts a batch of free entries, at the end of a poll. */
static __always_inline void parq_rx_refill(struct parq_rxq *q, struct parq_rx_done *done)
{
	struct parq_rx_ring *ring = q->ring;

	if (ring->mask + 1 - (ring->tail - ring->pos) < PARQ_RX_BATCH)
		return;
	if (unlikely(parq_rx_ring_fill(ring))) {
		/* Without buffers the queue would never interrupt again. */
		done->alloc_fail++;
		if (!q->starved)
			parq_kick_service(q->port, PARQ_RX_RETRY_MS);
		WRITE_ONCE(q->starved, true);
	}
	if (ring->tail != ring->posted)
		parq_rx_post(q);
}

/* GEN is 1 in even rounds of the ring, which begin with round 0. */
static __always_inline bool parq_rx_valid(const struct parq_rx_ring *ring,
					  u32 pos, u32 flags)
{
	BUILD_BUG_ON(PARQ_RX_GEN != 1);

	/* The mask spares UBSAN's check of the shift: 2 instructions with CONFIG_UBSAN_SHIFT. */
	return (flags ^ (pos >> (ring->order & 31))) & PARQ_RX_GEN;
}

#endif /* _PARQ_RX_H */
