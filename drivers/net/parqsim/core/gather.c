// SPDX-License-Identifier: GPL-2.0
/*
 * The descriptors are read a second time here. The host may have changed them
 * since the first read, so everything is checked again.
 */
#include <linux/bitfield.h>
#include <linux/string.h>

#include "gather.h"
#include "offload.h"
#include "txq.h"

/* Room for a tag on top of the longest frame. */
#define GATHER_MAX	(PARQSIM_FRAME_MAX - 4)

struct source {
	const struct bus *bus;
	const struct parq_tx_desc *desc;
	u32 n;
};

/* Copies bytes [from, from + len) of what the descriptors describe. */
static enum nti_end copy(const struct source *s, u32 from, u32 len, u8 *to)
{
	u32 i, start = 0;

	for (i = 0; i < s->n && len; i++) {
		u32 size = FIELD_GET(PARQ_TX_LEN, le64_to_cpu(s->desc[i].info));
		u32 skip, part;

		if (start + size > from) {
			skip = from - start;
			part = size - skip < len ? size - skip : len;
			if (!bus_read(s->bus, le64_to_cpu(s->desc[i].addr) + skip,
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

static u32 total(const struct source *s)
{
	u32 i, len = 0;

	for (i = 0; i < s->n; i++)
		len += FIELD_GET(PARQ_TX_LEN, le64_to_cpu(s->desc[i].info));
	return len;
}

static enum nti_end segment(const struct source *s, u64 ext, u64 info, u32 index,
			    u8 *buf, struct gathered *out)
{
	u32 mss = FIELD_GET(PARQ_TXX_MSS, ext), all = total(s);
	struct offload_seg seg = {
		.ipv6 = info & PARQ_TX_TSO6,
		.l4 = FIELD_GET(PARQ_TX_CSUM_START, info),
		.hdr_len = FIELD_GET(PARQ_TXX_HDR_LEN, ext),
		.offset = index * mss,
		.index = index,
	};
	enum nti_end end;

	if (seg.hdr_len > PARQ_TX_MAX_HDR || seg.hdr_len + seg.offset >= all)
		return NTI_DROP_DESC;
	seg.len = all - seg.hdr_len - seg.offset;
	seg.last = seg.len <= mss;
	if (!seg.last)
		seg.len = mss;
	out->len = seg.hdr_len + seg.len;
	out->longest = index ? seg.hdr_len + mss : out->len;
	out->csum = true;
	if (out->len > GATHER_MAX)
		return NTI_DROP_DESC;
	end = copy(s, 0, seg.hdr_len, buf);
	if (end == NTI_SENT)
		end = copy(s, seg.hdr_len + seg.offset, seg.len,
			   buf + seg.hdr_len);
	if (end == NTI_SENT && !offload_tso(buf, &seg))
		end = NTI_DROP_DESC;
	return end;
}

static enum nti_end whole(const struct source *s, u64 info, u8 *buf,
			  struct gathered *out)
{
	enum nti_end end;

	out->len = total(s);
	out->longest = out->len;
	out->csum = info & PARQ_TX_CSUM;
	if (!out->len || out->len > GATHER_MAX)
		return NTI_DROP_DESC;
	end = copy(s, 0, out->len, buf);
	if (end == NTI_SENT && out->csum &&
	    !offload_csum(buf, out->len, FIELD_GET(PARQ_TX_CSUM_START, info),
			  FIELD_GET(PARQ_TX_CSUM_OFFSET, info)))
		end = NTI_DROP_DESC;
	return end;
}

/**
 * gather_frame() - build the frame, or the segment, of an FD
 * @q: its queue
 * @bus: host memory
 * @fd: the FD
 * @buf: PARQSIM_FRAME_MAX bytes
 * @out: out: what was built
 *
 * Return: NTI_SENT, or the reason to drop it.
 */
enum nti_end gather_frame(const struct txq *q, const struct bus *bus,
			  const struct fd *fd, u8 *buf, struct gathered *out)
{
	struct parq_tx_desc desc[PARQ_TX_MAX_DESC + 1];
	struct source s = { .bus = bus, .desc = desc, .n = fd->ndesc };
	u64 info, ext = 0;
	enum nti_end end;

	if (!s.n || s.n > PARQ_TX_MAX_DESC + 1)
		return NTI_DROP_DESC;
	if (!txq_read_ring(q, bus, fd->pos, s.n, desc))
		return NTI_DROP_RING;
	if (le64_to_cpu(desc[0].info) & PARQ_TX_EXT) {
		ext = le64_to_cpu(desc[0].addr);
		s.desc++;
		s.n--;
	}
	if (!s.n)
		return NTI_DROP_DESC;
	info = le64_to_cpu(s.desc[0].info);
	if (info & (PARQ_TX_TSO4 | PARQ_TX_TSO6))
		end = segment(&s, ext, info, fd->seg, buf, out);
	else
		end = whole(&s, info, buf, out);
	if (end == NTI_SENT && (info & PARQ_TX_VLAN)) {
		out->longest -= out->len;
		out->len = offload_vlan_insert(buf, out->len,
					       FIELD_GET(PARQ_TX_TCI, info));
		out->longest += out->len;
	}
	return end;
}
