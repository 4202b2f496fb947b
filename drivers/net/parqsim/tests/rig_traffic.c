// SPDX-License-Identifier: GPL-2.0
/* Frames that the host posts and frames that arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig_priv.h"

#define TCP_CHECK	50	/* checksum of headers() */
#define SRC_LAST	29	/* last byte of the source address, without tag */

u32 rig_head(struct rig *r, const struct rig_txq *q)
{
	const struct parq_txq_wb *wb = rig_ptr(r, q->wb, sizeof(*wb));

	if (FIELD_GET(PARQ_TXW_RING, le32_to_cpu(wb->state)) != (q->rings & 0xff))
		return 0;
	return le32_to_cpu(wb->head);
}

u32 rig_room(struct rig *r, u32 port, u32 queue)
{
	const struct rig_txq *q = &r->port[port].txq[queue];

	return BIT(q->log2) - (q->tail - rig_head(r, q));
}

static struct parq_tx_desc *desc_at(struct rig *r, struct rig_txq *q, u32 pos)
{
	u32 at = pos & (BIT(q->log2) - 1);

	return rig_ptr(r, q->ring + at * sizeof(struct parq_tx_desc),
		       sizeof(struct parq_tx_desc));
}

u64 rig_tx_buf(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	return q->buf + (u64)RIG_BUF * (q->tail & (BIT(q->log2) - 1));
}

static void tag(u8 *p, u32 queue, u32 seq)
{
	p[0] = MAGIC;
	p[1] = queue;
	put_be32(p + 2, seq);
}

static void headers(u8 *b)
{
	static const u8 hdr[HDR_LEN] = {
		0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 6, 0, 0,
		10, 0, 0, 1, 10, 0, 0, 2,
		0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x10, 1, 0, 0, 0, 0, 0,
	};

	memcpy(b, hdr, sizeof(hdr));
}

void rig_tx_desc(struct rig *r, u32 port, u32 queue, u64 addr, u64 info)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	*desc_at(r, q, q->tail++) = (struct parq_tx_desc){
		.addr = cpu_to_le64(addr),
		.info = cpu_to_le64(info),
	};
}

void rig_tx_ring(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	r->db[(PARQ_DB_TX(port, queue) + PARQ_DB_TAIL) / 4] = q->tail;
	if (r->cfg.rings)
		parqsim_ring(r->sim, PARQ_DB_TX(port, queue));
}

static u64 filler(struct rig *r)
{
	if (!r->filler)
		r->filler = rig_alloc(r, RIG_JUMBO, 64);
	return r->filler;
}

static u64 tx_info(struct rig *r, u32 queue)
{
	return r->tagged ? PARQ_TX_VLAN | FIELD_PREP(PARQ_TX_TCI, queue % 8 << 13) :
			   0;
}

/* One frame of @len bytes in one or, if it is long, two buffers. */
void rig_post(struct rig *r, u32 port, u32 queue, u32 len)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u64 at = rig_tx_buf(r, port, queue), rest;
	u8 *b = rig_ptr(r, at, RIG_BUF);
	u32 first = len > 256 ? 128 : len;

	assert_true(len >= HDR_LEN + TAG_LEN && len <= RIG_JUMBO);
	rig_say(r, "port %u posts queue %u number %u, %u bytes", port, queue, q->posted,
		len);
	headers(b);
	tag(b + HDR_LEN, queue, q->posted++);
	rig_tx_desc(r, port, queue, at, tx_info(r, queue) | first |
		    (first == len ? PARQ_TX_EOP : 0));
	rest = len > RIG_BUF ? filler(r) : at + first;
	if (first != len)
		rig_tx_desc(r, port, queue, rest, (len - first) | PARQ_TX_EOP);
	rig_tx_ring(r, port, queue);
}

/* A frame that the NIC cuts: extension, headers, payload. */
void rig_post_tso(struct rig *r, u32 port, u32 queue, u32 payload, u32 mss)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u64 at = rig_tx_buf(r, port, queue);
	u8 *b = rig_ptr(r, at, RIG_BUF);
	u32 off;

	assert_true(mss >= TAG_LEN && HDR_LEN + payload <= RIG_BUF);
	if (payload % mss < TAG_LEN)	/* each segment needs room for its tag */
		payload -= payload % mss;
	rig_say(r, "port %u posts queue %u number %u and on, %u bytes by %u", port,
		queue, q->posted, payload, mss);
	headers(b);
	memcpy(b + TCP_CHECK, "\x14\x09", 2);	/* the pseudo header's sum without length */
	for (off = 0; off < payload; off += mss)
		tag(b + HDR_LEN + off, queue, q->posted++);
	rig_tx_desc(r, port, queue, FIELD_PREP(PARQ_TXX_MSS, mss) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, HDR_LEN), PARQ_TX_EXT);
	rig_tx_desc(r, port, queue, at, HDR_LEN | PARQ_TX_TSO4 |
		    FIELD_PREP(PARQ_TX_CSUM_START, 34));
	rig_tx_desc(r, port, queue, at + HDR_LEN, payload | PARQ_TX_EOP);
	rig_tx_ring(r, port, queue);
}

/* As ethtool -G: the old ring drains, then the new one is used. */
void rig_replace_ring(struct rig *r, u32 port, u32 queue, u32 log2)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	if (rig_read(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_CTRL) &
	    PARQ_TXQ_NEXT_CTRL_VALID)
		return;
	rig_say(r, "port %u queue %u ring of %u", port, queue, BIT(log2));
	q->ring = rig_alloc(r, sizeof(struct parq_tx_desc) << log2, 64);
	q->buf = rig_alloc(r, (u64)RIG_BUF << log2, 64);
	q->log2 = log2;
	q->tail = 0;
	q->rings++;
	rig_write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_LO, q->ring);
	rig_write(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_CTRL,
		  PARQ_TXQ_NEXT_CTRL_VALID |
		  FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE, log2));
	rig_assert_no_error(r);
}

void rig_rx(struct rig *r, u32 port, const u8 *f, u32 len)
{
	if (!memcmp(f + 12, "\x88\x08\x01\x01", 4))
		rig_hear_pfc(r, port, f);
	parqsim_rx(r->sim, port, f, len, true);
}

void rig_rx_flow(struct rig *r, u32 port, u32 prio, bool flow, u32 len, u32 seq)
{
	u8 f[RIG_JUMBO + 4];
	u32 i;

	assert_in_range(len, RIG_SEQ + 4, sizeof(f));
	headers(f);
	f[5] = 1 + port;	/* the NIC's, not its peer's */
	memmove(f + 16, f + 12, HDR_LEN - 12);
	memcpy(f + 12, "\x81\0", 2);
	f[14] = prio << 5;
	f[15] = 0;
	f[SRC_LAST + 4] = flow;
	put_be32(f + RIG_SEQ, seq);
	for (i = RIG_SEQ + 4; i < len; i++)
		f[i] = seq * 7 + i * 31;
	rig_rx(r, port, f, len);
}

void rig_rx_prio(struct rig *r, u32 port, u32 prio, u32 len, u32 seq)
{
	rig_rx_flow(r, port, prio, 1, len, seq);
}

/*
 * With this key bit 0 of the hash follows the source address. The higher bits of the
 * table's index do not depend on it.
 */
void rig_rx_steer(struct rig *r, u32 port, u32 flow0, u32 flow1)
{
	u32 i;

	rig_write(r, port, PARQ_RSS_KEY(1), 0x02000000);
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		rig_write(r, port, PARQ_RSS_INDIR(i),
			  flow0 * 0x00010001 + flow1 * 0x01000100);
	rig_write(r, port, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4);
	rig_assert_no_error(r);
}

void rig_pfc_frame(struct rig *r, u32 port, u8 vector, const u16 *quanta)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 0x02, 0, 0, 0, 0, 9,
		     0x88, 0x08, 0x01, 0x01, 0, vector };
	u32 prio;

	rig_say(r, "port %u gets PFC %#x for %u %u %u %u %u %u %u %u quanta", port,
		vector, quanta[0], quanta[1], quanta[2], quanta[3], quanta[4],
		quanta[5], quanta[6], quanta[7]);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		f[18 + 2 * prio] = quanta[prio] >> 8;
		f[19 + 2 * prio] = quanta[prio];
	}
	rig_rx(r, port, f, sizeof(f));
}

/* One time for all its classes; 0 ends their pauses. */
void rig_pause(struct rig *r, u32 port, u8 vector, u16 time)
{
	u16 quanta[PARQ_NUM_PRIO];
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		quanta[prio] = time;
	rig_pfc_frame(r, port, vector, quanta);
}
