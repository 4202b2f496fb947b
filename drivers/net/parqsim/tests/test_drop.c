// SPDX-License-Identifier: GPL-2.0
/* Malformed frames, tails that are wrong, a queue that is stuck. See drop.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "drop.h"
#include "packet.h"
#include "rnd.h"

/* ---- malformed frames --------------------------------------------------- */

#define EOP		PARQ_TX_EOP
#define EXT		PARQ_TX_EXT
#define TSO4		(PARQ_TX_TSO4 | FIELD_PREP(PARQ_TX_CSUM_START, 34))
#define TSO6		(PARQ_TX_TSO6 | FIELD_PREP(PARQ_TX_CSUM_START, 34))
#define VLAN		(PARQ_TX_VLAN | FIELD_PREP(PARQ_TX_TCI, 42))
#define CSUM(start, off) \
	(PARQ_TX_CSUM | FIELD_PREP(PARQ_TX_CSUM_START, start) | \
	 FIELD_PREP(PARQ_TX_CSUM_OFFSET, off))
#define MSS_HDR(mss, hdr) \
	(FIELD_PREP(PARQ_TXX_MSS, mss) | FIELD_PREP(PARQ_TXX_HDR_LEN, hdr))

/**
 * struct shape - a frame as its descriptors say it is
 * @what: its name
 * @fds: FDs that it becomes
 * @n: descriptors
 * @info: of each
 * @ext: what extensions hold
 * @copies: of the last but one descriptor, in addition
 * @at: byte of the headers (Ethernet, IPv4, TCP: 54 bytes) that is not as it was
 * @val: what it is instead
 */
struct shape {
	const char *what;
	u32 fds;
	u32 n;
	u64 info[4];
	u64 ext;
	u32 copies;
	u8 at;
	u8 val;
};

#define DESCS(...) \
	.n = sizeof((u64[]){ __VA_ARGS__ }) / sizeof(u64), \
	.info = { __VA_ARGS__ }

static const struct shape malformed[] = {
	{ "length 0", 1, DESCS(EOP) },
	{ "length 0 in front", 1, DESCS(0, 100 | EOP) },
	{ "length 0 in the middle", 1, DESCS(100, 0, 100 | EOP) },
	{ "13 bytes", 1, DESCS(13 | EOP) },
	{ "9 bytes and a tag", 1, DESCS(9 | VLAN | EOP) },
	{ "65536 bytes", 1, DESCS(EXT, 65535 | TSO4, 1 | EOP),
	  .ext = MSS_HDR(1000, 54) },
	{ "65532 bytes and a tag", 1, DESCS(EXT, 65532 | VLAN | TSO4 | EOP),
	  .ext = MSS_HDR(1000, 54) },
	{ "tail before EOP", 1, DESCS(100, 100) },
	{ "tail behind the extension", 1, DESCS(EXT) },
	{ "no buffer", 1, DESCS(EXT | EOP) },
	{ "49 buffers", 1, DESCS(20, 20 | EOP), .copies = 47 },
	{ "49 buffers and an extension", 1, DESCS(EXT, 20, 20 | EOP),
	  .copies = 47 },
	{ "100 buffers", 1, DESCS(20, 20 | EOP), .copies = 98 },
	{ "extension not first", 1, DESCS(100, EXT, 100 | EOP) },
	{ "extension twice", 1, DESCS(EXT, EXT, 100 | EOP) },
	{ "extension last", 1, DESCS(100, EXT | EOP) },
	{ "checksum starts beyond", 1, DESCS(100 | CSUM(101, 0) | EOP) },
	{ "checksum field beyond", 1, DESCS(100 | CSUM(34, 66) | EOP) },
	{ "checksum field half beyond", 1, DESCS(100 | CSUM(34, 65) | EOP) },
	{ "TSO without extension", 1, DESCS(1000 | TSO4 | EOP) },
	{ "MSS 7", 1, DESCS(EXT, 68 | TSO4 | EOP), .ext = MSS_HDR(7, 54) },
	{ "256 bytes of headers", 8, DESCS(EXT, 1000 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 256) },
	{ "257 bytes of headers", 1, DESCS(EXT, 1000 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 257) },
	{ "19 bytes of TCP header", 1, DESCS(EXT, 1000 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 53) },
	{ "no payload", 1, DESCS(EXT, 54 | TSO4 | EOP), .ext = MSS_HDR(100, 54) },
	{ "257 segments", 1, DESCS(EXT, (54 + 8 * 257) | TSO4 | EOP),
	  .ext = MSS_HDR(8, 54) },
	{ "IPv4 and IPv6", 1, DESCS(EXT, 354 | TSO4 | TSO6 | EOP),
	  .ext = MSS_HDR(100, 54) },
	{ "IPv6 that is IPv4", 3, DESCS(EXT, 354 | TSO6 | EOP),
	  .ext = MSS_HDR(100, 54) },
	{ "neither of them", 3, DESCS(EXT, 354 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 54), .at = 12, .val = 0x86 },
	{ "UDP", 3, DESCS(EXT, 354 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 54), .at = 23, .val = IPPROTO_UDP },
	{ "TCP elsewhere", 3, DESCS(EXT, 354 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 58) },
	{ "too long", 1, DESCS(1515 | EOP) },
	{ "too long by far", 1, DESCS(1000, 9000 | EOP) },
	{ "too long with its tag", 1, DESCS(1519 | EOP), .at = 12, .val = 0x81 },
	{ "too long and a tag", 1, DESCS(1515 | VLAN | EOP) },
	{ "segment too long", 2, DESCS(EXT, 2000 | TSO4 | EOP),
	  .ext = MSS_HDR(1461, 54) },
	{ "segment too long with its tag", 2, DESCS(EXT, 2000 | TSO4 | EOP),
	  .ext = MSS_HDR(1465, 54), .at = 12, .val = 0x81 },
	{ "segment too long and a tag", 2, DESCS(EXT, 2000 | TSO4 | VLAN | EOP),
	  .ext = MSS_HDR(1461, 54) },
	{ "segment too long by far", 1, DESCS(EXT, 2048 | TSO4 | EOP),
	  .ext = MSS_HDR(1600, 54) },
};

/* Each as far as it may go */
static const struct shape legal[] = {
	{ "14 bytes", 1, DESCS(14 | EOP) },
	{ "13 bytes and a tag", 1, DESCS(13 | VLAN | EOP) },
	{ "65535 bytes", 66, DESCS(EXT, 65534 | TSO4, 1 | EOP),
	  .ext = MSS_HDR(1000, 54) },
	{ "65531 bytes and a tag", 66, DESCS(EXT, 65531 | VLAN | TSO4 | EOP),
	  .ext = MSS_HDR(1000, 54) },
	{ "48 buffers", 1, DESCS(20, 20 | EOP), .copies = 46 },
	{ "48 buffers and an extension", 1, DESCS(EXT, 20, 20 | EOP),
	  .copies = 46 },
	{ "checksum field last", 1, DESCS(100 | CSUM(34, 64) | EOP) },
	{ "MSS 8, 256 segments", 256, DESCS(EXT, (54 + 8 * 256) | TSO4 | EOP),
	  .ext = MSS_HDR(8, 54) },
	{ "1 byte of payload", 1, DESCS(EXT, 55 | TSO4 | EOP),
	  .ext = MSS_HDR(100, 54) },
	{ "longest", 1, DESCS(1514 | EOP) },
	{ "longest and a tag", 1, DESCS(1514 | VLAN | EOP) },
	{ "longest with its tag", 1, DESCS(1518 | EOP), .at = 12, .val = 0x81 },
	{ "longest with its tag and another", 1, DESCS(1518 | VLAN | EOP),
	  .at = 12, .val = 0x81 },
	{ "longest segment", 2, DESCS(EXT, 2000 | TSO4 | EOP),
	  .ext = MSS_HDR(1460, 54) },
	{ "longest segment and a tag", 2, DESCS(EXT, 2000 | TSO4 | VLAN | EOP),
	  .ext = MSS_HDR(1460, 54) },
};

static const char *shape_running;

/* With both its tags, at once and as each of two segments. */
static void longest_of_all(void **state)
{
	const u32 hdr = 62, len = PARQSIM_FRAME_MAX - 4;
	struct packet p;
	struct rig r;
	u64 at;

	(void)state;
	drop_init(&r);
	r.lenient = true;
	rig_write(&r, 0, PARQ_MAX_FRAME, PARQ_MAX_FRAME_MAX);
	packet_eth(&p);
	packet_tag(&p, ETH_P_8021AD, 1);
	packet_tag(&p, ETH_P_8021Q, 2);
	packet_ip4(&p, (const u8 *)"\xc0\0\2\1\xc6\x33\x64\1", 0);
	packet_tcp(&p, (const u8 *)"\x12\x34\0\x50", 0);
	assert_int_equal(p.len, hdr);
	at = rig_alloc(&r, 2 * len, 64);
	memcpy(rig_ptr(&r, at, hdr), p.b, hdr);
	rig_tx_desc(&r, 0, QUEUE, at, len | EOP);
	rig_tx_desc(&r, 0, QUEUE, MSS_HDR(len - hdr, hdr), EXT);
	rig_tx_desc(&r, 0, QUEUE, at, (2 * len - hdr) | EOP | PARQ_TX_TSO4 |
		    FIELD_PREP(PARQ_TX_CSUM_START, 42));
	rig_tx_ring(&r, 0, QUEUE);
	rig_run(&r, RIG_MS);
	expect_drops(&r, 0, 0, 0, 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].tx_frames), 3);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].tx_bytes), 3 * len);
	rig_fini(&r);
}

static void put_headers(struct rig *r, u64 at, const struct shape *s)
{
	struct packet p;

	packet_eth(&p);
	packet_ip4(&p, (const u8 *)"\xc0\0\2\1\xc6\x33\x64\1", 0);
	packet_tcp(&p, (const u8 *)"\x12\x34\0\x50", 0);
	packet_payload(&p, RIG_BUF - p.len);
	if (s->at)
		p.b[s->at] = s->val;
	memcpy(rig_ptr(r, at, RIG_BUF), p.b, RIG_BUF);
}

static void post_shape(struct rig *r, const struct shape *s)
{
	u64 at = rig_tx_buf(r, 0, QUEUE);
	u32 i, c;

	shape_running = s->what;
	put_headers(r, at, s);
	for (i = 0; i < s->n; i++)
		for (c = i + 2 == s->n ? s->copies + 1 : 1; c; c--) {
			if (s->info[i] & EXT) {
				rig_tx_desc(r, 0, QUEUE, s->ext, s->info[i]);
				continue;
			}
			rig_tx_desc(r, 0, QUEUE, at, s->info[i]);
			at += FIELD_GET(PARQ_TX_LEN, s->info[i]);
		}
	rig_tx_ring(r, 0, QUEUE);
	rig_run(r, RIG_US / 2);
}

/* One that is held back parks as any other and keeps its place. */
static void drops_once(struct rig *r, const struct shape *s, bool parked,
		       u32 behind)
{
	const struct parq_stats *st = rig_stats(r, 0);
	u64 n = le64_to_cpu(st->prio[PRIO].parked) + s->fds + 2 + behind;
	u32 desc = le64_to_cpu(st->tx_drop_desc);

	keep_mac_busy(r);
	post(r, QUEUE, 2);
	post_shape(r, s);
	post(r, QUEUE, behind);
	if (parked) {
		pause(r, 0xffff);
		st = rig_stats(r, 0);
		assert_int_equal(le64_to_cpu(st->prio[PRIO].parked), n);
		expect_drops(r, desc, 0, 0, 0);
		pause(r, 0);
	}
	rig_drain(r);
	expect_drops(r, desc + s->fds, 0, 0, 0);
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->txq[QUEUE].csum), 0);
}

static void drops(const struct shape *s, bool parked)
{
	struct rig r;

	drop_init(&r);
	drops_once(&r, s, parked, 2);
	drops_once(&r, s, parked, 0);
	expect_goes_on(&r, QUEUE);
	assert_int_equal(le32_to_cpu(rig_event(&r, 0)->gen), 0);
	rig_fini(&r);
}

static void malformed_frames(void **state)
{
	u32 i;

	for (i = 0; i < sizeof(malformed) / sizeof(*malformed); i++)
		drops(&malformed[i], *state);
	shape_running = NULL;
}

/* The checksum of each of its frames is inserted. */
static bool has_csum(const struct shape *s)
{
	u64 info = 0;
	u32 i;

	for (i = 0; i < s->n; i++)
		info |= s->info[i];
	return info & (PARQ_TX_CSUM | PARQ_TX_TSO4 | PARQ_TX_TSO6);
}

/* @parked: so often that each of its FDs is parked */
static void sends(const struct shape *s, bool parked)
{
	struct rig r;
	u32 i;

	drop_init(&r);
	r.lenient = true;	/* the oracle knows nothing of such frames */
	if (parked)
		keep_mac_busy(&r);
	post_shape(&r, s);
	for (i = 0; parked && i < 100; i++) {
		pause(&r, 0xffff);
		rig_pause(&r, 0, BIT(PRIO), 0);
		rig_run(&r, 2 * RIG_US);
	}
	rig_run(&r, 2000 * RIG_US);
	expect_drops(&r, 0, 0, 0, 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->txq[QUEUE].csum),
			 has_csum(s) ? s->fds : 0);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].tx_frames), s->fds);
	assert_true(!parked || le64_to_cpu(rig_stats(&r, 0)->prio[PRIO].parked) >= s->fds);
	assert_int_equal(txq_read(&r, QUEUE, PARQ_TXQ_HEAD),
			 r.port[0].txq[QUEUE].tail);
	rig_fini(&r);
}

static void legal_frames(void **state)
{
	u32 i;

	for (i = 0; i < sizeof(legal) / sizeof(*legal); i++)
		sends(&legal[i], *state);
	shape_running = NULL;
}

static int name_shape(void **state)
{
	(void)state;
	if (shape_running)
		print_error("the frame: %s\n", shape_running);
	return 0;
}

/*
 * Descriptors may be read twice. Whatever the second reading finds, each FD ends,
 * and completes as what it was at the first.
 */
static void descriptor_changes_after_the_fetch(void **state)
{
	struct rig *r = *state;
	const struct parq_prio_stats *s;
	u32 seed = 815, i, n, *info;
	struct rig_txq *q;

	r->lenient = true;
	q = &r->port[0].txq[QUEUE];
	for (i = 1; i <= 2000; i++) {
		keep_mac_busy(r);
		rig_post(r, 0, QUEUE, 600);
		rig_post_tso(r, 0, QUEUE, 200, 100);
		post(r, QUEUE, KEPT);
		info = rig_ptr(r, q->ring, sizeof(struct parq_tx_desc) <<
			       RIG_LOG2);
		for (n = 0; n < sizeof(struct parq_tx_desc) << RIG_LOG2; n += 4)
			if (!rnd(&seed, 5))
				info[n / 4] ^= rnd(&seed, 2) ?
					       BIT(rnd(&seed, 32)) :
					       rnd(&seed, ~0U);
		rig_run(r, 50 * RIG_US);
		assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), q->tail);
		s = &rig_stats(r, 0)->prio[PRIO];
		assert_int_equal(le64_to_cpu(s->tx_frames) +
				 le64_to_cpu(s->tx_drop), (3 + KEPT) * i);
	}
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_ERR), PARQ_ERR_NONE);
	assert_int_not_equal(le64_to_cpu(s->tx_frames), 0);
	assert_int_not_equal(le64_to_cpu(s->tx_drop), 0);
}

/* The second segment begins where the payload now ends: it would be empty. */
static void payload_ends_after_the_fetch(void **state)
{
	struct rig *r = *state;
	struct rig_txq *q = &r->port[0].txq[QUEUE];
	struct parq_tx_desc *ring;
	u32 last;

	r->lenient = true;
	keep_mac_busy(r);
	rig_post_tso(r, 0, QUEUE, 200, 100);
	last = q->tail - 1;
	post(r, QUEUE, KEPT);
	ring = rig_ptr(r, q->ring, sizeof(*ring) << RIG_LOG2);
	ring[last].info = cpu_to_le64(100 | EOP);
	rig_run(r, 50 * RIG_US);
	expect_drops(r, 1, 0, 0, 0);
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->prio[PRIO].tx_frames), 1 + KEPT);
}

/* ---- tails -------------------------------------------------------------- */

/* @complete: behind the head, else behind the tail before */
static void goes_back(bool complete)
{
	struct rig r;

	drop_init(&r);
	post(&r, QUEUE, 3);
	rig_drain(&r);
	keep_mac_busy(&r);
	post(&r, QUEUE, 3);
	if (complete)
		rig_drain(&r);
	r.db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_TAIL) / 4] = 5;
	rig_run(&r, RIG_US);
	expect_stopped(&r, QUEUE, PARQ_ERR_DOORBELL, 1);
	/* What was fetched before goes out. */
	rig_run(&r, 100 * RIG_US);
	assert_int_equal(r.port[0].txq[QUEUE].seen, 6);
	assert_int_equal(txq_read(&r, QUEUE, PARQ_TXQ_HEAD), 6);
	restart(&r, QUEUE);
	expect_goes_on(&r, QUEUE);
	expect_drops(&r, 0, 0, 0, 0);
	rig_fini(&r);
}

/* A queue that is off has no doorbell. */
static void tail_of_a_disabled_queue(void **state)
{
	struct rig *r = *state;

	rig_write(r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
	r->db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_TAIL) / 4] = ~0U;
	rig_run(r, RIG_US);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_ERR), PARQ_ERR_NONE);
	assert_int_equal(le32_to_cpu(rig_event(r, 0)->gen), 0);
	rig_txq_up(r, 0, QUEUE);
	expect_goes_on(r, QUEUE);
}

static void tail_moves_backwards(void **state)
{
	(void)state;
	goes_back(true);
	goes_back(false);
}

static void tail_beyond_the_ring(void **state)
{
	struct rig *r = *state;

	post(r, QUEUE, 3);
	rig_drain(r);
	r->db[(PARQ_DB_TX(0, QUEUE) + PARQ_DB_TAIL) / 4] = 3 + BIT(RIG_LOG2) + 1;
	rig_run(r, RIG_US);
	expect_stopped(r, QUEUE, PARQ_ERR_DOORBELL, 1);
	restart(r, QUEUE);
	/* A full ring is not beyond it. */
	post(r, QUEUE, BIT(RIG_LOG2));
	rig_drain(r);
	expect_drops(r, 0, 0, 0, 0);
}

static u64 txq_wb(struct rig *r)
{
	u64 addr = r->port[0].txq[QUEUE].wb;

	return le64_to_cpu(*(__le64 *)rig_ptr(r, addr, sizeof(u64)));
}

/*
 * The status of a frame that was dropped at the fetch is refused. The frame before it
 * completes; the head passes neither it nor the good one behind it, and what the host
 * reads as sent has been sent.
 */
static void refused_drop_status(void **state)
{
	struct rig *r = *state;
	const struct shape bad = { "length 0", 1, DESCS(EOP) };
	const struct rig_txq *q;

	q = &r->port[0].txq[QUEUE];
	keep_mac_busy(r);
	post(r, QUEUE, 1);
	post_shape(r, &bad);
	shape_running = NULL;
	post(r, QUEUE, 1);
	rig_deny(r, q->ring + sizeof(struct parq_tx_desc),
		 sizeof(struct parq_tx_desc));
	rig_run(r, 100 * RIG_US);
	assert_int_equal(q->seen, 2);
	expect_drops(r, 1, 0, 0, 0);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), 1);
	assert_int_equal(txq_wb(r), 1);
	expect_stopped(r, QUEUE, PARQ_ERR_DMA, 1);
	rig_deny(r, 0, 0);
	expect_recovers(r);
	assert_int_equal(FIELD_GET(PARQ_TXW_DROPS, txq_wb(r) >> 32), 0);
}

/* ---- a queue that stops -------------------------------------------------- */

/*
 * Its FDs are among those of other queues: in the pipeline, of which the first two hundred
 * nanoseconds show each place, and behind it. All other frames leave, in their order.
 */
static void purged_among_others(void **state)
{
	struct rig *r = *state;
	u32 i, k, others = 0;
	u64 used;

	for (i = 0; i < 200; i++) {
		for (k = 0; k < 4; k++) {
			rig_post(r, 0, OTHER, 100);
			rig_post(r, 0, QUEUE, 100);
			rig_post(r, 0, SISTER, 100);
			others += 2;
		}
		rig_run(r, i * RIG_NS);
		rig_write(r, 0, PARQ_TXQ(QUEUE) + PARQ_TXQ_CTRL, 0);
		/* Its memory is free again, and has the head of a frame that was on the wire. */
		memset(rig_ptr(r, r->port[0].txq[QUEUE].wb, sizeof(struct parq_txq_wb)), 0,
		       sizeof(struct parq_txq_wb));
		used = r->used;
		r->used = r->port[0].txq[QUEUE].ring - RIG_BASE;
		rig_txq_up(r, 0, QUEUE);
		r->used = used;
		rig_assert_no_error(r);
		rig_drain(r);
		assert_int_equal(r->port[0].txq[OTHER].seen + r->port[0].txq[SISTER].seen, others);
	}
	assert_true(le64_to_cpu(rig_stats(r, 0)->tx_drop_purge) > 200);
}

/* ---- a broken NIC ------------------------------------------------------- */

/*
 * A queue that is stuck fetches no more, has no error and logs no event. What it fetched
 * before goes out, other queues of its class go on, and enabling it again mends it.
 */
static void stuck_queue(void **state)
{
	struct rig *r = *state;
	struct rig_txq *q;

	q = &r->port[0].txq[QUEUE];
	keep_mac_busy(r);
	post(r, QUEUE, 2);
	r->stick = BIT_ULL(QUEUE);
	post(r, QUEUE, 3);
	r->stick = 0;
	post(r, SISTER, 3);
	rig_run(r, 100 * RIG_US);
	assert_int_equal(q->seen, 2);
	assert_int_equal(r->port[0].txq[SISTER].seen, 3);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_FETCH), 2);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_HEAD), 2);
	assert_int_equal(txq_read(r, QUEUE, PARQ_TXQ_ERR), PARQ_ERR_NONE);
	assert_int_equal(le32_to_cpu(rig_event(r, 0)->gen), 0);
	expect_recovers(r);
	expect_drops(r, 0, 0, 0, 0);
}

int main(void)
{
	static int parked = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(malformed_frames, name_shape),
		cmocka_unit_test_prestate_setup_teardown(malformed_frames, NULL,
							 name_shape, &parked),
		cmocka_unit_test_teardown(legal_frames, name_shape),
		cmocka_unit_test_prestate_setup_teardown(legal_frames, NULL,
							 name_shape, &parked),
		cmocka_unit_test(longest_of_all),
		drop_test(descriptor_changes_after_the_fetch),
		drop_test(payload_ends_after_the_fetch),
		cmocka_unit_test(tail_moves_backwards),
		drop_test(tail_beyond_the_ring),
		drop_test(tail_of_a_disabled_queue),
		drop_test(refused_drop_status),
		drop_test(stuck_queue),
		drop_test(purged_among_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
