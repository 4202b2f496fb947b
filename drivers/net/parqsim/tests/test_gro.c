// SPDX-License-Identifier: GPL-2.0
/*
 * Segments of a train that are merged for the host: what ends the frame that they are in, and a
 * rule that drops them. test_train.c shows what is in merged frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "cable_in.h"
#include "clock.h"
#include "rig.h"

#define SEG		100
#define SEGS		18
#define HALF		9
#define HDR		54	/* bytes of headers */
#define SEG_TIME	((8 + HDR + SEG + 4 + 12) * 800ULL)	/* at 10 Gb/s */
#define QUEUE		3
#define RX_LOG2		9
#define RX_BUF		2048	/* all segments fit in one */
#define MERGES		(PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_RX_CSUM | \
			 PARQ_PORT_CTRL_RX_HASH | PARQ_PORT_CTRL_RX_GRO)

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* ---- a cable from port 0 to port 1 -------------------------------------- */

static struct rig rig;
static struct cable_in in;

static void begin(void)
{
	rig_init(&rig, &config, PARQ_SPEED_10G, true);
	rig.train_room = 65536;
	cable_in_init(&in, &rig, 1, 0);
	rig.cable[0] = &in.cable;
	rig_rxq_up(&rig, 1, 0, RX_LOG2, RX_BUF);
	rig_write(&rig, 1, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_TCP);
	rig_write(&rig, 1, PARQ_PORT_CTRL, MERGES);
	rig_assert_no_error(&rig);
}

static void end(void)
{
	rig_assert_no_error(&rig);
	rig_fini(&rig);
}

static u32 head(void)
{
	return rig_read(&rig, 1, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
}

/* Segments in a frame that was received. */
static u32 segs_of(u32 pos)
{
	return (le16_to_cpu(rig_rx_comp(&rig, 1, 0, pos)->len) - HDR) / SEG;
}

/* Sends a frame, and runs until @segs of its segments have arrived. */
static void send_until(u32 segs)
{
	u64 frames = le64_to_cpu(rig_stats(&rig, 1)->rx.frames);

	rig_post_tso(&rig, 0, QUEUE, SEGS * SEG, SEG);
	while (le64_to_cpu(rig_stats(&rig, 1)->rx.frames) < frames + segs)
		rig_run(&rig, SEG_TIME / 4);
}

/* ---- what ends a frame -------------------------------------------------- */

static void nothing(void)
{
}

static void rss_ctrl(void)
{
	rig_write(&rig, 1, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4);
}

static void rss_key(void)
{
	rig_write(&rig, 1, PARQ_RSS_KEY(2), 0x12345678);
}

static void rss_fields(void)
{
	rig_write(&rig, 1, PARQ_RSS_FIELDS(0), PARQ_RSS_FIELDS_SRC);
}

static void context_ctrl(void)
{
	rig_write(&rig, 1, PARQ_RSS_CTX(1) + PARQ_CTX_CTRL, PARQ_RSS_CTRL_EN);
}

/* Removes a rule that is not there. */
static void rule(void)
{
	rig_write(&rig, 1, PARQ_RULE_SET, 0);
}

static void stamps(void)
{
	rig_write(&rig, 1, PARQ_PORT_CTRL, MERGES | PARQ_PORT_CTRL_RX_STAMP);
}

/*
 * Settings that decide what is told of a segment are not those of segments before: these are
 * delivered at once.
 */
static void settings_end_a_frame(void **state)
{
	static const struct {
		void (*set)(void);
		u32 frames;
	} when[] = {
		{ nothing, 1 }, { rss_ctrl, 2 }, { rss_key, 2 }, { rss_fields, 2 },
		{ context_ctrl, 2 }, { rule, 2 },
		/* Segments that get a stamp are not merged. */
		{ stamps, 1 + SEGS - HALF },
	};
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(when) / sizeof(*when); i++) {
		begin();
		send_until(HALF);
		assert_int_equal(head(), 0);
		when[i].set();
		assert_int_equal(head(), when[i].frames > 1);
		rig_drain(&rig);
		assert_int_equal(head(), when[i].frames);
		assert_int_equal(segs_of(0), when[i].frames == 1 ? SEGS : HALF);
		assert_int_equal(le64_to_cpu(rig_stats(&rig, 1)->rx.frames), SEGS);
		end();
	}
}

/* ---- rules -------------------------------------------------------------- */

static void rule_for_ports(u32 action)
{
	rig_write(&rig, 1, PARQ_RULE_KEY(PARQ_RULE_PROTO), PARQ_RULE_PROTO_PORTS);
	rig_write(&rig, 1, PARQ_RULE_MASK(PARQ_RULE_PROTO), PARQ_RULE_PROTO_PORTS);
	rig_write(&rig, 1, PARQ_RULE_ACTION, FIELD_PREP(PARQ_RULE_ACTION_OP, action));
	rig_write(&rig, 1, PARQ_RULE_SET, 0);
}

/* Each segment counts, before and behind a change. */
static void rule_drops_segments(void **state)
{
	(void)state;
	begin();
	send_until(HALF);
	rule_for_ports(PARQ_RULE_DROP);
	rig_drain(&rig);
	assert_int_equal(head(), 1);
	assert_int_equal(segs_of(0), HALF);
	assert_int_equal(le64_to_cpu(rig_stats(&rig, 1)->rx_filtered), SEGS - HALF);
	send_until(HALF);
	rule_for_ports(PARQ_RULE_NONE);
	rig_drain(&rig);
	assert_int_equal(head(), 2);
	assert_int_equal(segs_of(1), SEGS - HALF);
	assert_int_equal(le64_to_cpu(rig_stats(&rig, 1)->rx_filtered), SEGS);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_end_a_frame),
		cmocka_unit_test(rule_drops_segments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
