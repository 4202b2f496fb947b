/* SPDX-License-Identifier: GPL-2.0 */
/* A TX queue: its ring in host memory, and the device's positions in it. */
#ifndef _PARQSIM_TXQ_H
#define _PARQSIM_TXQ_H

#include "bus.h"

#define TXQ_PREFETCH	8
#define TXQ_CACHE	16

/**
 * struct txq_frame - the frame that is being cut into FDs
 * @pos: position of its first descriptor
 * @ndesc: number of descriptors
 * @nseg: number of segments, 0 while there is no frame
 * @seg: number of the next segment
 * @len: bytes of the whole frame, an inserted tag included
 * @hdr: bytes of headers repeated in each segment, 0 without TSO
 * @mss: bytes of payload per segment
 * @drop: malformed
 * @timed: it has a launch time
 * @launch: PARQ_TXX_TIME
 */
struct txq_frame {
	u32 pos;
	u16 ndesc;
	u16 nseg;
	u16 seg;
	u32 len;
	u32 hdr;
	u32 mss;
	bool drop;
	bool timed;
	u64 launch;
};

/**
 * struct txq - one TX queue
 * @base: address of the ring
 * @wb: address of struct parq_txq_wb
 * @tail: last tail doorbell; the end of the old ring while @next_valid
 * @fetch: position of the descriptor read next
 * @head: all descriptors before it are complete
 * @ring: number of times the ring was replaced
 * @drops: number of frames not sent completely
 * @sent_bytes: bytes in the segments counted by @sent
 * @sent: segments sent of the frame that completes next
 * @cut: a segment of that frame was dropped
 * @stamped: @stamp is when that frame started, PARQ_TXX_STAMP
 * @stamp: PTP clock, ns
 * @epoch: number of times the queue was disabled
 * @next_base: address of the pending ring
 * @next_tail: last tail doorbell of the pending ring
 * @frame: frame that is being cut into FDs
 * @cache: descriptors read ahead, and those read last, by the low bits of their position
 * @cache_pos: position of the first cached descriptor
 * @cache_n: number of cached descriptors
 * @vec: interrupt vector
 * @prio: priority of the queue
 * @log2: log2 of the ring's entries
 * @next_log2: log2 of the pending ring's entries
 * @err: enum parq_err that stopped the queue
 * @lost: the host refused the status of the frame at @head; the head stays there
 * @mute: fault injection has stopped the queue silently
 * @waits: @frame waits for its launch time
 * @en: enabled
 * @next_valid: a ring is pending
 */
struct txq {
	u64 base;
	u64 wb;
	u32 tail;
	u32 fetch;
	u32 head;
	u32 ring;
	u32 drops;
	u32 sent_bytes;
	u16 sent;
	bool cut;
	bool stamped;
	u16 epoch;
	u64 stamp;
	u64 next_base;
	u32 next_tail;
	struct txq_frame frame;
	struct parq_tx_desc cache[TXQ_CACHE];
	u32 cache_pos;
	u32 cache_n;
	u16 vec;
	u8 prio;
	u8 log2;
	u8 next_log2;
	u8 err;
	bool lost;
	bool mute;
	bool waits;
	bool en;
	bool next_valid;
};

const struct parq_tx_desc *txq_desc(struct txq *q, const struct bus *bus,
				    u32 pos);
const struct parq_tx_desc *txq_again(const struct txq *q, const struct bus *bus, u32 pos, u32 n,
				     struct parq_tx_desc *buf);
bool txq_parse(struct txq *q, const struct bus *bus, u32 max_len);

static inline bool txq_has_work(const struct txq *q)
{
	return q->en && !q->err && !q->mute && !q->waits && (q->frame.nseg || q->fetch != q->tail);
}

/* Bytes on the wire of the next segment, without FCS. */
static inline u32 txq_seg_len(const struct txq_frame *f)
{
	u32 payload = f->len - f->hdr;

	if (!f->hdr)
		return f->len;
	if (f->seg + 1 < f->nseg)
		return f->hdr + f->mss;
	return f->hdr + payload - f->seg * f->mss;
}

#endif /* _PARQSIM_TXQ_H */
