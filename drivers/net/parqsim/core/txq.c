// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>

#include "txq.h"

#define MIN_FRAME	14	/* addresses and type; the MAC pads to 60 bytes */
#define MAX_FRAME	65535	/* before segmentation */

/* Two reads at most, because entries may wrap around the ring's end. */
static bool read_ring(const struct txq *q, const struct bus *bus, u32 pos, u32 n,
		      struct parq_tx_desc *desc)
{
	u32 size = BIT(q->log2), at = pos & (size - 1);
	u32 first = n < size - at ? n : size - at;

	if (!bus_read(bus, q->base + at * sizeof(*desc), desc,
		      first * sizeof(*desc)))
		return false;
	return first == n || bus_read(bus, q->base, desc + first,
				      (n - first) * sizeof(*desc));
}

/**
 * txq_desc() - descriptor at a position before the tail
 * @q: the queue
 * @bus: host memory
 * @pos: position
 *
 * Return: the descriptor, valid until the next call, or NULL if the host
 * refused the read.
 */
const struct parq_tx_desc *txq_desc(struct txq *q, const struct bus *bus,
				    u32 pos)
{
	u32 at = pos % TXQ_CACHE, n = q->tail - pos, kept = q->cache_n;

	if (pos - q->cache_pos < kept)
		return &q->cache[at];
	if (n > TXQ_PREFETCH)
		n = TXQ_PREFETCH;
	if (n > TXQ_CACHE - at)
		n = TXQ_CACHE - at;
	q->cache_n = 0;
	if (!read_ring(q, bus, pos, n, &q->cache[at]))
		return NULL;
	/* Of those right before it, the oldest ones were overwritten. */
	if (pos - q->cache_pos != kept)
		kept = 0;
	if (kept > TXQ_CACHE - n)
		kept = TXQ_CACHE - n;
	q->cache_pos = pos - kept;
	q->cache_n = kept + n;
	return &q->cache[at];
}

/**
 * txq_again() - descriptors that txq_desc() has returned before
 * @q: the queue
 * @bus: host memory
 * @pos: position of the first one
 * @n: their number
 * @buf: memory for @n descriptors, used if the cache has not all of them in one piece
 *
 * Return: the descriptors, or NULL if the host refused the read.
 */
const struct parq_tx_desc *txq_again(const struct txq *q, const struct bus *bus, u32 pos, u32 n,
				     struct parq_tx_desc *buf)
{
	u32 at = pos % TXQ_CACHE, before = pos - q->cache_pos;

	if (before < q->cache_n && n <= q->cache_n - before && at + n <= TXQ_CACHE)
		return &q->cache[at];
	return read_ring(q, bus, pos, n, buf) ? buf : NULL;
}

static bool tso_is_sane(const struct txq_frame *f, u64 info)
{
	u32 l4 = FIELD_GET(PARQ_TX_CSUM_START, info);

	if ((info & PARQ_TX_TSO4) && (info & PARQ_TX_TSO6))
		return false;
	return f->mss >= PARQ_TX_MIN_MSS && f->hdr <= PARQ_TX_MAX_HDR &&
	       l4 + 20 <= f->hdr && f->hdr < f->len;
}

/* Evaluates the first descriptor, once the frame's length is known. */
static void frame_finish(struct txq_frame *f, u64 ext, u64 info, u32 max_len)
{
	bool tso = info & (PARQ_TX_TSO4 | PARQ_TX_TSO6);

	f->nseg = 1;
	f->seg = 0;
	f->hdr = 0;
	if (tso) {
		f->mss = FIELD_GET(PARQ_TXX_MSS, ext);
		f->hdr = FIELD_GET(PARQ_TXX_HDR_LEN, ext);
		if (!tso_is_sane(f, info)) {
			f->drop = true;
			f->hdr = 0;
		} else {
			f->nseg = (f->len - f->hdr + f->mss - 1) / f->mss;
		}
	}
	if (info & PARQ_TX_VLAN) {
		f->len += 4;
		if (f->hdr)
			f->hdr += 4;
	}
	if (f->len < MIN_FRAME || f->len > MAX_FRAME ||
	    f->nseg > PARQ_TX_MAX_SEGS || txq_seg_len(f) > max_len)
		f->drop = true;
	if (f->drop) {
		f->nseg = 1;
		f->hdr = 0;
		f->len = 0;
	}
}

/**
 * txq_parse() - read the descriptors of the next frame
 * @q: the queue, which has work but no frame in hand
 * @bus: host memory
 * @max_len: longest frame that may go out
 *
 * A malformed frame ends at its EOP or at the tail, whichever comes first. It becomes one
 * FD, which is dropped in order.
 *
 * Return: false if the host refused to have the descriptors read.
 */
bool txq_parse(struct txq *q, const struct bus *bus, u32 max_len)
{
	struct txq_frame *f = &q->frame;
	u64 first = 0, ext = 0;
	u32 pos, nbuf = 0;
	bool eop = false;

	*f = (struct txq_frame){ .pos = q->fetch };
	for (pos = q->fetch; pos != q->tail && !eop; pos++) {
		const struct parq_tx_desc *d = txq_desc(q, bus, pos);
		u64 info;

		if (!d)
			return false;
		info = le64_to_cpu(d->info);
		eop = info & PARQ_TX_EOP;
		if (info & PARQ_TX_EXT) {
			f->drop |= pos != q->fetch || eop;
			ext = le64_to_cpu(d->addr);
			f->launch = info & PARQ_TXX_TIME;
			continue;
		}
		if (!nbuf++)
			first = info;
		f->drop |= !(info & PARQ_TX_LEN);
		f->len += FIELD_GET(PARQ_TX_LEN, info);
	}
	f->ndesc = pos - q->fetch;
	f->drop |= !eop || !nbuf || nbuf > PARQ_TX_MAX_DESC;
	frame_finish(f, ext, first, max_len);
	f->timed = (ext & PARQ_TXX_LAUNCH) && !f->drop;
	return true;
}
