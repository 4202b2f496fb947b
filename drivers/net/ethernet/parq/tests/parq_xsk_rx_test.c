// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of frames that the device writes to chunks of AF_XDP sockets: what programs and the
 * stack get of them, which are errors, and how the ring is supplied with chunks.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "../parq.h"
#include "../parq_rx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"
#include "parq_call_log.h"
#include "parq_xsk_rx_calls.h"

#define SNARE_SIZE	64		/* entries of the ring */
#define SNARE_ORDER	6
#define SNARE_BUF	2048		/* bytes that the device may store in a chunk */
#define SNARE_DMA	0x10000		/* address of the first chunk; others follow, in pages */

/**
 * struct snare - a queue, chunks, and what has been seen
 * @log: calls of the fakes; sync with the bytes of the chunk
 * @port: port
 * @q: RX queue
 * @ring: its ring
 * @comp: completions
 * @fill: addresses of buffers
 * @buff: chunks in the ring
 * @stats: counters
 * @x: the sockets' pool
 * @pool: the kernel's part of it
 * @umem: memory of the sockets
 * @prog: program
 * @aux: its properties
 * @chunk: chunks, each with a page
 * @supply: chunks that sockets have supplied
 * @more: chunks that they supply when the flag is set
 * @next: the next of them
 * @wakes: sockets want to be woken up
 * @service: the service work will run in that many jiffies
 * @act: verdicts of the program, by call
 * @runs: its calls
 * @last: completion that the program could see last
 * @freed: chunks that sockets have back
 * @no_skb: there is no memory for one
 * @skb: the last one
 */
struct snare {
	struct parq_call_log log;
	struct parq_port port;
	struct parq_rxq q;
	struct parq_rx_ring ring;
	struct parq_rx_comp comp[SNARE_SIZE];
	__le64 fill[SNARE_SIZE];
	struct xdp_buff *buff[SNARE_SIZE];
	struct parq_rx_stats stats;
	struct parq_xsk x;
	struct xsk_buff_pool *pool;
	struct xdp_umem umem;
	struct bpf_prog *prog;
	struct bpf_prog_aux *aux;
	struct xdp_buff_xsk *chunk[2 * SNARE_SIZE];
	u32 supply;
	u32 more;
	u32 next;
	bool wakes;
	unsigned long service;
	u32 act[8];
	unsigned int runs;
	const struct parq_rx_comp *last;
	unsigned int freed;
	bool no_skb;
	struct sk_buff *skb;
};

static struct snare *snare;

/* ---- fakes -------------------------------------------------------------- */

static void snare_call(const char *name)
{
	parq_call_log_add(&snare->log, " ", name);
}

u32 snare_supply(struct xdp_buff **buff, u32 max)
{
	u32 n = min(max, snare->supply), i;

	snare->supply -= n;
	for (i = 0; i < n; i++)
		buff[i] = &snare->chunk[snare->next++ % ARRAY_SIZE(snare->chunk)]->xdp;
	return n;
}

dma_addr_t snare_dma(const struct xdp_buff *buff)
{
	unsigned int i;

	for (i = 0; buff != &snare->chunk[i]->xdp; i++)
		;
	return SNARE_DMA + i * PAGE_SIZE;
}

void snare_free(struct xdp_buff *buff)
{
	snare->freed++;
#ifdef PARQ_HAVE_XSK_FRAGS
	if (xdp_buff_has_frags(buff)) {
		snare->freed += list_count_nodes(&snare->pool->xskb_list);
		INIT_LIST_HEAD(&snare->pool->xskb_list);
	}
#endif
}

void snare_sync(struct xdp_buff *buff)
{
	char call[20];

	snprintf(call, sizeof(call), "sync%zu", (size_t)(buff->data_end - buff->data));
	snare_call(call);
}

bool snare_wakes(void)
{
	return snare->wakes;
}

void snare_wakeup(bool needed)
{
	snare_call(needed ? "set" : "clear");
	if (needed)
		snare->supply += snare->more;
}

u32 snare_run(struct xdp_buff *buff)
{
#ifdef PARQ_HAVE_XDP_METADATA
	snare->last = ((struct parq_xdp_frame *)buff)->comp;
#endif
	return snare->act[snare->runs++];
}

struct sk_buff *snare_skb(unsigned int len)
{
	return snare->no_skb ? NULL : alloc_skb(len, GFP_ATOMIC);
}

void snare_kick_service(unsigned long after)
{
	snare_call("service");
	snare->service = after;
}

void parq_xdp_begin(struct parq_xdp *xdp, struct parq_rxq *q, struct bpf_prog *prog)
{
	memset(xdp, 0, sizeof(*xdp));
	xdp->q = q;
	xdp->prog = prog;
	xdp->sync = true;
	snare_call("begin");
}

u32 parq_xdp_tx(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags, dma_addr_t dma)
{
	snare_call("tx");
	return XDP_TX;
}

u32 parq_xdp_act(struct parq_xdp *xdp, struct xdp_buff *buff, u32 act)
{
	snare_call("act");
	return XDP_DROP;
}

u32 parq_xdp_abort(struct parq_xdp *xdp, u32 act)
{
	snare_call("abort");
	return XDP_DROP;
}

int snare_redirect(void)
{
	snare_call("redirect");
	return -EINVAL;
}

bool parq_rx_pending(const struct parq_rxq *q)
{
	const struct parq_rx_ring *ring = q->ring;

	return !q->broken &&
	       parq_rx_valid(ring, ring->pos,
			     le32_to_cpu(ring->comp[ring->pos & ring->mask].flags));
}

void parq_xdp_end(struct parq_xdp *xdp)
{
	snare_call("end");
}

void parq_rx_invalid(struct parq_rxq *q, u32 len)
{
	snare_call("invalid");
	q->broken = true;
}

void parq_rx_pass(struct parq_rxq *q, struct napi_struct *napi, struct sk_buff *skb, u32 flags,
		  const struct parq_rx_comp *comp, struct parq_rx_done *done)
{
	snare_call("pass");
	done->bytes += skb->len;
	kfree_skb(snare->skb);
	snare->skb = skb;
}

void parq_rx_post(struct parq_rxq *q)
{
	snare_call("post");
	q->ring->posted = q->ring->tail;
}

/* ---- cases -------------------------------------------------------------- */

static struct xdp_buff_xsk *snare_chunk(struct kunit *test)
{
	struct xdp_buff_xsk *chunk = kunit_kzalloc(test, sizeof(*chunk), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, chunk);
	chunk->pool = snare->pool;
	chunk->xdp.data_hard_start = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, chunk->xdp.data_hard_start);
	chunk->xdp.frame_sz = PAGE_SIZE;
	return chunk;
}

static int snare_init(struct kunit *test)
{
	struct parq_rx_ring *ring;
	unsigned int i;

	snare = kunit_kzalloc(test, sizeof(*snare), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, snare);
	snare->pool = kunit_kzalloc(test, sizeof(*snare->pool), GFP_KERNEL);
	snare->prog = kunit_kzalloc(test, sizeof(*snare->prog), GFP_KERNEL);
	snare->aux = kunit_kzalloc(test, sizeof(*snare->aux), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, snare->pool);
	KUNIT_ASSERT_NOT_NULL(test, snare->prog);
	KUNIT_ASSERT_NOT_NULL(test, snare->aux);
	snare->prog->aux = snare->aux;
	snare->pool->umem = &snare->umem;
#ifdef PARQ_HAVE_XSK_FRAGS
	INIT_LIST_HEAD(&snare->pool->xskb_list);
#endif
	for (i = 0; i < ARRAY_SIZE(snare->chunk); i++)
		snare->chunk[i] = snare_chunk(test);
	snare->x.pool = snare->pool;
	snare->supply = SNARE_SIZE;
	set_bit(PARQ_PORT_UP, &snare->port.flags);
	snare->port.pd = kunit_kzalloc(test, sizeof(*snare->port.pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, snare->port.pd);
	snare->port.xdp_prog = snare->prog;
	snare->q.port = &snare->port;
	snare->q.stats = &snare->stats;
	ring = &snare->ring;
	snare->q.ring = ring;
	ring->comp = snare->comp;
	ring->fill = snare->fill;
	ring->buff = snare->buff;
	ring->mask = SNARE_SIZE - 1;
	ring->order = SNARE_ORDER;
	ring->xsk = &snare->x;
	ring->buf = SNARE_BUF;
	return 0;
}

static void snare_exit(struct kunit *test)
{
	kfree_skb(snare->skb);
}

static void snare_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &snare->log, calls);
}

/* The ring has chunks of which the device has got all. */
static void snare_ready(void)
{
	parq_xsk_fill(&snare->q, &snare->ring);
	snare->ring.posted = snare->ring.tail;
	snare->log.text[0] = 0;
}

/* The device completes a buffer, the @n-th from here. Its bytes are @n + 1. */
static void snare_comp(unsigned int n, u16 len, u32 flags)
{
	u32 pos = snare->ring.pos + n;
	struct xdp_buff *buff = snare->buff[pos % SNARE_SIZE];

	if (buff)
		memset(buff->data_hard_start + XDP_PACKET_HEADROOM, n + 1, SNARE_BUF);
	snare->comp[pos % SNARE_SIZE].len = cpu_to_le16(len);
	snare->comp[pos % SNARE_SIZE].flags =
		cpu_to_le32(flags | (pos >> SNARE_ORDER & 1 ? 0 : PARQ_RX_GEN));
}

static int snare_poll(int budget)
{
	return parq_xsk_poll(&snare->q, NULL, budget);
}

/* Counters of the queue: frames, bytes, errors, and frames without an skb. */
static void snare_expect_stats(struct kunit *test, u64 packets, u64 bytes, u64 errors,
			       u64 dropped)
{
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&snare->stats.packets), packets);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&snare->stats.bytes), bytes);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&snare->stats.errors), errors);
	KUNIT_EXPECT_EQ(test, (u64)u64_stats_read(&snare->stats.dropped), dropped);
}

/* Batches end at the end of the ring. */
static void ring_gets_chunks(struct kunit *test)
{
	struct parq_rx_ring *ring = &snare->ring;
	unsigned int i;

	ring->pos = SNARE_SIZE - 3;
	ring->tail = ring->pos + 1;
	snare->supply = 2 * SNARE_SIZE;
	parq_xsk_fill(&snare->q, ring);
	KUNIT_EXPECT_EQ(test, ring->tail, ring->pos + SNARE_SIZE);
	KUNIT_EXPECT_EQ(test, snare->next, SNARE_SIZE - 1U);
	KUNIT_EXPECT_NULL(test, snare->buff[SNARE_SIZE - 3]);
	for (i = 0; i < SNARE_SIZE - 1; i++) {
		unsigned int at = (SNARE_SIZE - 2 + i) % SNARE_SIZE;

		KUNIT_EXPECT_PTR_EQ(test, snare->buff[at], &snare->chunk[i]->xdp);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(snare->fill[at]),
				SNARE_DMA + i * (u64)PAGE_SIZE);
	}
	snare_expect(test, "");
	KUNIT_EXPECT_FALSE(test, snare->q.starved);
}

/* Without a wakeup the service work tries again. */
static void sockets_supply_too_few(struct kunit *test)
{
	snare->supply = 10;
	parq_xsk_fill(&snare->q, &snare->ring);
	KUNIT_EXPECT_EQ(test, snare->ring.tail, 10U);
	snare_expect(test, " service");
	KUNIT_EXPECT_EQ(test, snare->service, msecs_to_jiffies(PARQ_RX_RETRY_MS));
	KUNIT_EXPECT_TRUE(test, snare->q.starved);
	parq_xsk_fill(&snare->q, &snare->ring);
	snare_expect(test, "");
	snare->q.starved = false;
	/* Sockets may supply chunks just before they look at the flag. */
	snare->wakes = true;
	parq_xsk_fill(&snare->q, &snare->ring);
	snare_expect(test, " set");
	snare->more = SNARE_SIZE;
	parq_xsk_fill(&snare->q, &snare->ring);
	snare_expect(test, " set clear");
	KUNIT_EXPECT_EQ(test, snare->ring.tail, (u32)SNARE_SIZE);
	parq_xsk_fill(&snare->q, &snare->ring);
	snare_expect(test, " clear");
	KUNIT_EXPECT_FALSE(test, snare->q.starved);
}

static void the_program_decides(struct kunit *test)
{
	static const u32 acts[] = { XDP_DROP, XDP_TX, XDP_REDIRECT, XDP_PASS };
	unsigned int i;

	snare_ready();
	memcpy(snare->act, acts, sizeof(acts));
	for (i = 0; i < 5; i++)
		snare_comp(i, 60 + i, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 4);
	snare_expect(test, " begin sync60 sync61 tx sync62 redirect abort sync63 pass end");
	/* Chunk 0 was dropped. So was 2, for its redirect failed. The frame in 3 was copied. */
	KUNIT_EXPECT_EQ(test, snare->freed, 3U);
	KUNIT_EXPECT_EQ(test, snare->ring.pos, 4U);
	KUNIT_EXPECT_NULL(test, snare->buff[3]);
	KUNIT_EXPECT_NOT_NULL(test, snare->buff[4]);
	snare_expect_stats(test, 4, 60 + 61 + 62 + 63, 0, 0);
#ifdef PARQ_HAVE_XDP_METADATA
	KUNIT_EXPECT_PTR_EQ(test, snare->last, &snare->comp[3]);
#endif
	KUNIT_ASSERT_NOT_NULL(test, snare->skb);
	KUNIT_EXPECT_EQ(test, snare->skb->len, 63U);
	KUNIT_EXPECT_EQ(test, snare->skb->data[62], 4);
	/* The rest comes with the next poll. Then the ring has none. */
	snare->act[4] = XDP_DROP;
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	snare_expect(test, " begin sync64 end");
	KUNIT_EXPECT_EQ(test, snare_poll(4), 0);
	snare_expect(test, "");
}

static void frames_without_a_program(struct kunit *test)
{
	snare_ready();
	/* The device had merged them before the socket was there. */
	snare_comp(0, 100, PARQ_RX_EOP | PARQ_RX_GRO);
	KUNIT_EXPECT_EQ(test, snare_poll(1), 1);
	KUNIT_EXPECT_EQ(test, snare->runs, 0U);
	snare->port.xdp_prog = NULL;
	snare_comp(0, 200, PARQ_RX_EOP);
	snare_comp(1, 300, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, snare_poll(1), 1);
	KUNIT_EXPECT_EQ(test, snare->freed, 2U);
	snare_expect_stats(test, 2, 300, 0, 0);
	snare->no_skb = true;
	KUNIT_EXPECT_EQ(test, snare_poll(1), 1);
	KUNIT_EXPECT_EQ(test, snare->freed, 3U);
	snare_expect_stats(test, 2, 300, 0, 1);
	KUNIT_EXPECT_EQ(test, snare->runs, 0U);
}

/* The queue is reset, and takes nothing until then. */
static void the_device_lies(struct kunit *test)
{
	static const u16 lengths[] = { 0, SNARE_BUF + 1, 60 };
	unsigned int i;

	snare_ready();
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		/* The device does not have the chunk of the last one. */
		if (i == 2)
			snare->ring.posted = 0;
		snare_comp(0, lengths[i], PARQ_RX_EOP);
		KUNIT_EXPECT_EQ(test, snare_poll(4), 0);
		snare_expect(test, " begin invalid");
		KUNIT_EXPECT_EQ(test, snare->ring.pos, 0U);
		KUNIT_EXPECT_EQ(test, snare_poll(4), 0);
		snare_expect(test, "");
		snare->q.broken = false;
	}
	snare->ring.posted = SNARE_SIZE;
	snare->ring.pos = 1;
	snare->act[0] = XDP_DROP;
	snare_comp(0, SNARE_BUF, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	snare_expect_stats(test, 1, SNARE_BUF, 0, 0);
	snare->act[1] = XDP_DROP;
	snare_comp(0, ETH_HLEN, PARQ_RX_EOP);
	snare_comp(1, ETH_HLEN - 1, PARQ_RX_EOP);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 2);
	KUNIT_EXPECT_EQ(test, snare->freed, 3U);
	snare_expect_stats(test, 2, SNARE_BUF + ETH_HLEN, 1, 0);
}

/* A frame of several chunks is an error as a whole if the sockets do not expect it. */
static void frames_are_too_long(struct kunit *test)
{
	snare_ready();
	snare_comp(0, 1000, 0);
	snare_comp(1, 1000, 0);
	snare_comp(2, 1000, 0);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 0);
	KUNIT_EXPECT_EQ(test, snare->freed, 3U);
	snare_comp(0, 1000, PARQ_RX_EOP);
	snare_comp(1, 60, PARQ_RX_EOP);
	snare->act[0] = XDP_DROP;
	KUNIT_EXPECT_EQ(test, snare_poll(4), 2);
	KUNIT_EXPECT_EQ(test, snare->runs, 1U);
	KUNIT_EXPECT_EQ(test, snare->freed, 5U);
	snare_expect_stats(test, 1, 60, 1, 0);
	KUNIT_EXPECT_NULL(test, snare->q.partial);
}

#ifdef PARQ_HAVE_XSK_FRAGS
static void frames_of_several_chunks(struct kunit *test)
{
	unsigned int i;

	snare->umem.flags = XDP_UMEM_SG_FLAG;
	snare->aux->xdp_has_frags = true;
	snare_ready();
	snare->act[0] = XDP_PASS;
	for (i = 0; i < 3; i++)
		snare_comp(i, 100 + i, i == 2 ? PARQ_RX_EOP : 0);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	KUNIT_EXPECT_EQ(test, snare->freed, 3U);
	snare_expect_stats(test, 1, 303, 0, 0);
	KUNIT_ASSERT_NOT_NULL(test, snare->skb);
	KUNIT_EXPECT_EQ(test, snare->skb->len, 303U);
	KUNIT_EXPECT_EQ(test, snare->skb->data[99], 1);
	KUNIT_EXPECT_EQ(test, snare->skb->data[100], 2);
	KUNIT_EXPECT_EQ(test, snare->skb->data[302], 3);
	/* The program would take the first chunk for the frame. */
	snare->aux->xdp_has_frags = false;
	for (i = 0; i < 2; i++)
		snare_comp(i, 100, i ? PARQ_RX_EOP : 0);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	KUNIT_EXPECT_EQ(test, snare->runs, 1U);
	KUNIT_EXPECT_EQ(test, snare->freed, 5U);
	snare_expect_stats(test, 1, 303, 1, 0);
	snare->port.xdp_prog = NULL;
	for (i = 0; i < 2; i++)
		snare_comp(i, 100, i ? PARQ_RX_EOP : 0);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	snare_expect_stats(test, 2, 503, 1, 0);
	KUNIT_EXPECT_EQ(test, snare->freed, 7U);
	/* More than a frame has room for. */
	for (i = 0; i < MAX_SKB_FRAGS + 2; i++)
		snare_comp(i, 100, i == MAX_SKB_FRAGS + 1 ? PARQ_RX_EOP : 0);
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	KUNIT_EXPECT_EQ(test, snare->freed, 7U + MAX_SKB_FRAGS + 2);
	snare_expect_stats(test, 2, 503, 2, 0);
}
#endif

/* Chunks are posted in batches. */
static void ring_is_refilled(struct kunit *test)
{
	unsigned int i;

	snare_ready();
	for (i = 0; i < PARQ_RX_BATCH; i++)
		snare_comp(i, 60, PARQ_RX_EOP);
	snare->port.xdp_prog = NULL;
	KUNIT_EXPECT_EQ(test, snare_poll(PARQ_RX_BATCH - 1), PARQ_RX_BATCH - 1);
	snare->supply = SNARE_SIZE;
	snare->log.text[0] = 0;
	snare_comp(1, 0, 0);
	snare->comp[PARQ_RX_BATCH].flags = 0;
	KUNIT_EXPECT_EQ(test, snare_poll(4), 1);
	snare_expect(test, " begin sync60 pass end post");
	KUNIT_EXPECT_EQ(test, snare->ring.tail, (u32)SNARE_SIZE + PARQ_RX_BATCH);
	/* Sockets have none, so there is nothing to post. */
	snare->supply = 0;
	for (i = 0; i < PARQ_RX_BATCH; i++)
		snare_comp(i, 60, PARQ_RX_EOP);
	snare->no_skb = true;
	KUNIT_EXPECT_EQ(test, snare_poll(PARQ_RX_BATCH), PARQ_RX_BATCH);
	KUNIT_EXPECT_NOT_NULL(test, strstr(snare->log.text, " end service"));
	KUNIT_EXPECT_NULL(test, strstr(snare->log.text, "post"));
}

static struct kunit_case snare_cases[] = {
	KUNIT_CASE(ring_gets_chunks),
	KUNIT_CASE(sockets_supply_too_few),
	KUNIT_CASE(the_program_decides),
	KUNIT_CASE(frames_without_a_program),
	KUNIT_CASE(the_device_lies),
	KUNIT_CASE(frames_are_too_long),
#ifdef PARQ_HAVE_XSK_FRAGS
	KUNIT_CASE(frames_of_several_chunks),
#endif
	KUNIT_CASE(ring_is_refilled),
	{}
};

static struct kunit_suite snare_suite = {
	.name = "parq_xsk_rx",
	.init = snare_init,
	.exit = snare_exit,
	.test_cases = snare_cases,
};

kunit_test_suite(snare_suite);

MODULE_DESCRIPTION("KUnit suite of frames in chunks of AF_XDP sockets");
MODULE_LICENSE("GPL");
