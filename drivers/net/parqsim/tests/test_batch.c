// SPDX-License-Identifier: GPL-2.0
/*
 * Segments of a long frame are sent at once wherever the next ones are: not fetched yet, in the
 * pipeline, or waiting for their turn at the MAC. test_train.c and test_random.c show that this
 * changes nothing, and this file that it happens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <linux/bitfield.h>

#include "packet.h"
#include "rig.h"

#define QUEUE	3
#define MSS	200
#define PART	(8 * MSS)	/* bytes of payload in a descriptor */
#define PARTS	20
#define SEGS	(PARTS * PART / MSS)

static const u8 addr4[8] = { 10, 0, 0, 1, 10, 0, 0, 2 };

/**
 * struct path - from the queue to the wire
 * @speed: of the link
 * @depth: of the pipeline, in clocks of 1 ns
 * @fetch_ns: time that the payload takes
 * @least: segments that are sent in batches
 */
struct path {
	enum parq_speed speed;
	u32 depth;
	u32 fetch_ns;
	u32 least;
};

static void post_frame(struct rig *r)
{
	u64 at = rig_tx_buf(r, 0, QUEUE);
	struct packet p;
	u32 i;

	packet_eth(&p);
	packet_ip4(&p, addr4, 0);
	packet_tcp(&p, (const u8 *)"\x12\x34\0\x50", 0)[13] = 0x10;
	set_be16(p.b + p.l4 + 16, ref_pseudo(p.b, p.l3, IPPROTO_TCP, 0));
	memcpy(rig_ptr(r, at, p.len + PART), p.b, p.len);
	rig_tx_desc(r, 0, QUEUE, FIELD_PREP(PARQ_TXX_MSS, MSS) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, p.len), PARQ_TX_EXT);
	rig_tx_desc(r, 0, QUEUE, at, p.len | PARQ_TX_TSO4 |
		    FIELD_PREP(PARQ_TX_CSUM_START, p.l4));
	for (i = 1; i <= PARTS; i++)
		rig_tx_desc(r, 0, QUEUE, at + p.len, PART | (i == PARTS ? PARQ_TX_EOP : 0));
	rig_tx_ring(r, 0, QUEUE);
}

static void count(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	(void)port;
	(void)f;
	(void)len;
	(void)end;
	++*(u32 *)ctx;
}

/* The first segments fill the pipeline, and the last one is fetched on its own. */
static void batch_of(const struct path *path)
{
	const struct parqsim_config cfg = {
		.ports = 1, .txq = RIG_QUEUES, .rxq = 1, .depth = path->depth, .clk_ps = 1000,
		.fetch_ns = path->fetch_ns, .speeds = BIT(PARQ_NUM_SPEEDS) - 1,
		.addr = { 2, 0, 0, 0, 0, 1 },
	};
	u32 frames = 0;
	struct rig r;

	rig_init(&r, &cfg, path->speed, true);
	r.lenient = true;
	r.train_room = 65536;
	r.batches = true;
	r.wire = count;
	r.wire_ctx = &frames;
	post_frame(&r);
	rig_run(&r, RIG_MS);
	assert_int_equal(frames, SEGS);
	assert_in_range(r.batched, path->least, SEGS);
	rig_fini(&r);
}

static void batches(void **state)
{
	static const struct path paths[] = {
		{ PARQ_SPEED_10G, 32, 0, 157 },
		{ PARQ_SPEED_10G, 32, 1000, 153 },
		{ PARQ_SPEED_400G, 32, 0, 146 },
		{ PARQ_SPEED_400G, 64, 100, 118 },
	};
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		batch_of(&paths[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches),
	};

	return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
