// SPDX-License-Identifier: GPL-2.0
/*
 * The queue still has the descriptors, or they are read a second time here: the FD may have been
 * parked. The host may have changed them since the first read, so everything is checked again.
 */
#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "fd.h"
#include "frame.h"
#include "gather.h"
#include "txq.h"

/* Room for a tag on top of the longest frame. */
#define GATHER_MAX	(PARQSIM_FRAME_MAX - 4)

/* Copies bytes [from, from + len) of what the descriptors describe. */
static enum nti_end copy(const struct gather *g, u32 from, u32 len, u8 *to)
{
	u32 i, start = 0;

	for (i = 0; i < g->n && len; i++) {
		u32 size = FIELD_GET(PARQ_TX_LEN, le64_to_cpu(g->src[i].info));
		u32 skip, part;

		if (start + size > from) {
			skip = from - start;
			part = size - skip < len ? size - skip : len;
			if (!bus_read(g->bus, le64_to_cpu(g->src[i].addr) + skip,
				      to, part))
				return NTI_DROP_DMA;
			to += part;
			from += part;
			len -= part;
		}
		start += size;
	}
	return len ? NTI_DROP_DESC : NTI_SENT;
}

static u32 total(const struct gather *g)
{
	u32 i, len = 0;

	for (i = 0; i < g->n; i++)
		len += FIELD_GET(PARQ_TX_LEN, le64_to_cpu(g->src[i].info));
	return len;
}

static u32 mss_of(const struct gather *g)
{
	return FIELD_GET(PARQ_TXX_MSS, g->ext);
}

/*
 * Computes a segment's place in its frame. Return: bytes of payload from the segment on; 0 if it is
 * malformed.
 */
static u32 cut(const struct gather *g, struct offload_seg *seg)
{
	u32 mss = mss_of(g), all = total(g), left;

	*seg = (struct offload_seg){
		.ipv6 = g->info & PARQ_TX_TSO6,
		.l4 = FIELD_GET(PARQ_TX_CSUM_START, g->info),
		.hdr_len = FIELD_GET(PARQ_TXX_HDR_LEN, g->ext),
		.offset = g->index * mss,
		.index = g->index,
	};
	if (seg->hdr_len > PARQ_TX_MAX_HDR || seg->hdr_len + seg->offset >= all)
		return 0;
	left = all - seg->hdr_len - seg->offset;
	seg->last = left <= mss;
	seg->len = seg->last ? left : mss;
	return seg->hdr_len + seg->len <= GATHER_MAX ? left : 0;
}

static u8 stamp_flag(const struct gather *g)
{
	return g->ext & PARQ_TXX_STAMP ? FD_STAMP : 0;
}

static void measure(const struct gather *g, const struct offload_seg *seg, u32 hdr_len,
		    struct gathered *out)
{
	out->len = hdr_len + seg->len;
	out->longest = seg->index ? hdr_len + mss_of(g) : out->len;
	out->flags = FD_CSUM | stamp_flag(g);
}

static enum nti_end segment(const struct gather *g, u8 *buf, struct gathered *out)
{
	struct offload_seg seg;
	enum nti_end end;

	if (!cut(g, &seg))
		return NTI_DROP_DESC;
	measure(g, &seg, seg.hdr_len, out);
	end = copy(g, 0, seg.hdr_len, buf);
	if (end == NTI_SENT)
		end = copy(g, seg.hdr_len + seg.offset, seg.len,
			   buf + seg.hdr_len);
	if (end == NTI_SENT && !offload_tso(buf, &seg))
		end = NTI_DROP_DESC;
	return end;
}

static __always_inline enum nti_end whole(const struct gather *g, u8 *buf,
					  struct gathered *out)
{
	enum nti_end end;

	out->len = total(g);
	out->longest = out->len;
	out->flags = stamp_flag(g);
	if (!out->len || out->len > GATHER_MAX)
		return NTI_DROP_DESC;
	end = copy(g, 0, out->len, buf);
	if (end != NTI_SENT || !(g->info & PARQ_TX_CSUM))
		return end;
	out->flags |= FD_CSUM;
	return offload_csum(buf, out->len, FIELD_GET(PARQ_TX_CSUM_START, g->info),
			    FIELD_GET(PARQ_TX_CSUM_OFFSET, g->info)) ? NTI_SENT : NTI_DROP_DESC;
}

/* Inline, as build(): each frame goes through it. */
static __always_inline enum nti_end read_desc(struct gather *g, const struct txq *q,
					      const struct bus *bus, struct parq_tx_desc *desc,
					      const struct fd *fd)
{
	g->bus = bus;
	g->n = fd->ndesc;
	g->index = fd->seg;
	g->ext = 0;
	if (!g->n || g->n > PARQ_TX_MAX_DESC + 1)
		return NTI_DROP_DESC;
	g->src = txq_again(q, bus, fd->pos, g->n, desc);
	if (!g->src)
		return NTI_DROP_RING;
	if (le64_to_cpu(g->src[0].info) & PARQ_TX_EXT) {
		g->ext = le64_to_cpu(g->src[0].addr);
		g->src++;
		g->n--;
	}
	if (!g->n)
		return NTI_DROP_DESC;
	g->info = le64_to_cpu(g->src[0].info);
	return NTI_SENT;
}

static __always_inline enum nti_end build(const struct gather *g, u8 *buf,
					  struct gathered *out)
{
	enum nti_end end;

	if (g->info & (PARQ_TX_TSO4 | PARQ_TX_TSO6))
		end = segment(g, buf, out);
	else
		end = whole(g, buf, out);
	if (end == NTI_SENT && (g->info & PARQ_TX_VLAN)) {
		out->longest -= out->len;
		out->len = offload_vlan_insert(buf, out->len,
					       FIELD_GET(PARQ_TX_TCI, g->info));
		out->longest += out->len;
	}
	return end;
}

/**
 * gather_frame() - build the frame of an FD that is not one of several segments
 * @q: its queue
 * @bus: host memory
 * @desc: memory for PARQ_TX_MAX_DESC + 1 descriptors
 * @fd: the FD
 * @buf: PARQSIM_FRAME_MAX bytes
 * @out: out: what was built
 *
 * Return: NTI_SENT, or the reason to drop it.
 */
enum nti_end gather_frame(const struct txq *q, const struct bus *bus, struct parq_tx_desc *desc,
			  const struct fd *fd, u8 *buf, struct gathered *out)
{
	struct gather g;
	enum nti_end end = read_desc(&g, q, bus, desc, fd);

	return end == NTI_SENT ? build(&g, buf, out) : end;
}

/* ---- segments ----------------------------------------------------------- */

/* The same in two steps. */
enum nti_end gather_read(struct gather *g, const struct txq *q, const struct bus *bus,
			 struct parq_tx_desc *desc, const struct fd *fd)
{
	enum nti_end end = read_desc(g, q, bus, desc, fd);

	g->left = 0;
	if (end == NTI_SENT && (g->info & (PARQ_TX_TSO4 | PARQ_TX_TSO6)))
		g->left = cut(g, &g->seg);
	return end;
}

enum nti_end gather_segment(const struct gather *g, u8 *buf, struct gathered *out)
{
	return build(g, buf, out);
}

static u32 tag_len(const struct gather *g)
{
	return g->info & PARQ_TX_VLAN ? 4 : 0;
}

/**
 * gather_begin() - begin a train with the headers of a frame
 * @g: descriptors of its first segment, which is not the last one of its frame
 * @t: out: a train without segments
 * @rewr: PARQ_REWR_* of the frame's priority
 *
 * Return: false if a segment would not come out as gather_segment() builds it.
 */
bool gather_begin(const struct gather *g, struct train *t, u32 rewr)
{
	struct offload_seg seg = g->seg;
	u8 *hdr = t->hdr;

	if (copy(g, 0, seg.hdr_len, hdr) != NTI_SENT)
		return false;
	if (tag_len(g))
		offload_vlan_insert(hdr, seg.hdr_len, FIELD_GET(PARQ_TX_TCI, g->info));
	seg.hdr_len += tag_len(g);
	seg.l4 += tag_len(g);
	if (seg.hdr_len + seg.len < FRAME_MIN || !offload_tso_ok(hdr, &seg))
		return false;
	offload_rewrite(hdr, seg.hdr_len, rewr);
	t->hdr_len = seg.hdr_len;
	t->l4 = seg.l4;
	t->mss = seg.len;
	t->ipv6 = seg.ipv6;
	t->first = g->index;
	t->n = 0;
	t->len = 0;
	t->last = false;
	return true;
}

/* Whether a segment can be added to a train of its frame. Short ones need padding. */
bool gather_joins(const struct gather *g, const struct train *t)
{
	const struct offload_seg *seg = &g->seg;

	return g->left && mss_of(g) == t->mss &&
	       seg->hdr_len + tag_len(g) == t->hdr_len &&
	       t->hdr_len + seg->len >= FRAME_MIN && seg->len <= t->room - t->len;
}

/**
 * gather_add() - add a segment to a train
 * @g: its descriptors
 * @t: the train, which it joins
 * @out: out: the segment
 *
 * Return: NTI_SENT, or the reason to drop it; the train is not changed then.
 */
enum nti_end gather_add(const struct gather *g, struct train *t, struct gathered *out)
{
	const struct offload_seg *seg = &g->seg;
	enum nti_end end;

	measure(g, seg, t->hdr_len, out);
	end = copy(g, seg->hdr_len + seg->offset, seg->len, t->payload + t->len);
	if (end != NTI_SENT)
		return end;
	t->len += seg->len;
	t->last = seg->last;
	t->n++;
	return end;
}

/**
 * gather_add_full() - add several segments to a train
 * @g: descriptors of the first one
 * @t: the train, which it joins
 * @n: their number; they fit, and more of the frame follows
 *
 * Return: false if the host refuses some of the payload; the train is not changed then.
 */
bool gather_add_full(const struct gather *g, struct train *t, u32 n)
{
	const struct offload_seg *seg = &g->seg;
	u32 len = n * t->mss;

	if (copy(g, seg->hdr_len + seg->offset, len, t->payload + t->len) != NTI_SENT)
		return false;
	t->len += len;
	t->n += n;
	return true;
}
