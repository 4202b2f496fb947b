// SPDX-License-Identifier: GPL-2.0
/*
 * Two NICs, joined by a cable, at seven speeds and six lengths. One sends in all eight
 * priorities, which are lossless, as fast as it can. The other one's host stalls at random.
 * With the headroom that the driver computes, nothing is lost and no buffer overflows;
 * without stalls no XOFF is sent. The calculation is the driver's own code.
 *
 * The receiver also sends frames of nearly maximum length, so that its XOFF has to wait for
 * the wire. In one case the sender uses a single priority: then everything that arrives
 * after XOFF arrives in one buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "cable.h"
#include "clock.h"
#include "parq_buf_calc.h"
#include "rig.h"
#include "rnd.h"

#define QUEUES		4
#define LOG2		7
#define SLOTS		BIT(LOG2)
#define BUF		2048
#define CABLE_BUF	(1 << 20)
#define FRAMES		700		/* of full length; ten times as many short ones */

#define PATIENCE	10000000	/* steps */

#define MTU		9000
#define JUMBO		(MTU + 18)	/* with FCS, without tag */
#define XOFF		(2 * (JUMBO + 4))	/* two frames are not above it */

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = QUEUES, .depth = 32, .clk_ps = 1000,
	.fetch_ns = RIG_FETCH_NS,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .rx_buffer = 16 << 20,
	.addr = { 2, 0, 0, 0, 0, 1 },
};

/**
 * struct bench - the two NICs
 * @tx: sender
 * @rx: receiver, whose host stalls
 * @path: parameters of @rx's headroom
 * @there: cable from @tx to @rx
 * @back: cable from @rx to @tx
 * @byte_ps: time of a byte on the link, ps
 * @len: length of each frame, without FCS and tag
 * @prios: priorities that are sent
 * @stalls: the host stalls
 * @stall_until: end of the present stall
 * @seed: seed of all random numbers
 * @posted: frames posted
 * @read: by RX queue: completions that the host has read
 * @first: by RX queue: position at which the frame being read began
 * @seen: by TX queue: number of the next frame
 * @got: frames received
 * @size: by buffer: replaces the smallest size that the driver accepts, 0: does not
 * @high: by buffer: highest level, bytes
 * @lossy: frames may be lost
 */
struct bench {
	struct rig tx;
	struct rig rx;
	struct parq_path path;
	struct cable there;
	struct cable back;
	u32 byte_ps;
	u32 len;
	u32 prios;
	bool stalls;
	u64 stall_until;
	u32 seed;
	u32 posted;
	u32 read[QUEUES];
	u32 first[QUEUES];
	u32 seen[RIG_QUEUES];
	u32 got;
	u32 size[PARQ_NUM_RXB];
	u32 high[PARQ_NUM_RXB];
	bool lossy;
};

/* ---- wires -------------------------------------------------------------- */

static void leaves_tx(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct bench *b = ctx;

	(void)port;
	assert_true(cable_send(&b->there, f, len, end));
}

static void leaves_rx(void *ctx, u32 port, const u8 *f, u32 len, u64 end)
{
	struct bench *b = ctx;

	(void)port;
	assert_true(cable_send(&b->back, f, len, end));
}

static void reaches_rx(void *ctx, const u8 *f, u32 len)
{
	struct bench *b = ctx;

	rig_rx(&b->rx, 0, f, len);
}

static void reaches_tx(void *ctx, const u8 *f, u32 len)
{
	struct bench *b = ctx;

	rig_rx(&b->tx, 0, f, len);
}

static u32 headroom(const struct bench *b)
{
	struct parq_headroom h = parq_headroom_overflow(&b->path);

	return parq_headroom_sum(&h);
}

/* ---- hosts -------------------------------------------------------------- */

static void check_frame(struct bench *b, u32 q)
{
	u32 slot = b->first[q] & (SLOTS - 1), queue, seq;

	rig_tag(rig_ptr(&b->rx, b->rx.port[0].rxq[q].bufs + slot * BUF, BUF),
		&queue, &seq);
	if (b->lossy)
		assert_true(seq >= b->seen[queue]);
	else
		assert_int_equal(seq, b->seen[queue]);
	b->seen[queue] = seq + 1;
	b->got++;
}

/* Reads all completions and gives the buffers back at once. */
static void read_queue(struct bench *b, u32 q)
{
	u32 head = rig_read(&b->rx, 0, PARQ_RXQ(q) + PARQ_RXQ_HEAD), flags;

	for (; b->read[q] != head; b->read[q]++) {
		flags = le32_to_cpu(rig_rx_comp(&b->rx, 0, q, b->read[q])->flags);
		if (!(flags & PARQ_RX_EOP))
			continue;
		check_frame(b, q);
		b->first[q] = b->read[q] + 1;
	}
	rig_rx_tail(&b->rx, 0, q, head + SLOTS);
}

/*
 * A stall lasts for up to three times the time that a ring and the headroom hold, so that
 * some are short and others fill the buffers. Stalls are about as frequent as long.
 */
static void receive(struct bench *b)
{
	u64 ring = (u64)(SLOTS * BUF + headroom(b)) * b->byte_ps, now = rig_now(&b->rx);
	u32 q;

	if (now < b->stall_until)
		return;
	for (q = 0; q < QUEUES; q++)
		read_queue(b, q);
	if (b->stalls && !rnd(&b->seed, 500))
		b->stall_until = now + 3 * ring / 1000 * rnd(&b->seed, 1000);
}

static void send(struct bench *b, u32 frames)
{
	u32 q;

	for (q = 0; q < b->prios; q++)
		while (b->posted < frames && rig_room(&b->tx, 0, q) >= 64) {
			rig_post(&b->tx, 0, q, b->len);
			b->posted++;
		}
	if (b->posted < frames && rig_room(&b->rx, 0, 0) >= 64)
		rig_post(&b->rx, 0, 0, JUMBO - 4 - rnd(&b->seed, 1000));
}

/* ---- time --------------------------------------------------------------- */

/* Advances both clocks to the next event of either NIC. */
static void step(struct bench *b)
{
	u64 a = parqsim_next(b->tx.sim), c = parqsim_next(b->rx.sim);
	u64 at = a < c ? a : c;

	if (b->stall_until > rig_now(&b->rx) && b->stall_until < at)
		at = b->stall_until;
	if (at == PARQSIM_NEVER || at < rig_now(&b->tx))
		at = rig_now(&b->tx);
	parqsim_run(b->tx.sim, at);
	parqsim_run(b->rx.sim, at);
}

/* ---- setting up --------------------------------------------------------- */

/* The frames of a class stay in one RX queue; each queue serves other classes. */
static void spread(struct bench *b)
{
	u32 i;

	for (i = 0; i < PARQ_RSS_KEY_LEN / 4; i++)
		rig_write(&b->rx, 0, PARQ_RSS_KEY(i), rnd(&b->seed, ~0U));
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		rig_write(&b->rx, 0, PARQ_RSS_INDIR(i), 0x03020100);
	rig_write(&b->rx, 0, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN |
		  PARQ_RSS_CTRL_TCP | PARQ_RSS_CTRL_IPV4);
}

/* Headroom that this link partner never uses: it and its PHY react at once. */
static u32 reserve(const struct bench *b)
{
	struct parq_headroom h = parq_headroom_overflow(&b->path);

	return h.reaction + h.phy_latency;
}

/* One buffer per priority, of the smallest size that the driver accepts from a user. */
static void watermarks(struct bench *b, int speed, u32 metres)
{
	struct parq_rxb_want want = {
		.set = true, .lossless = 0xff, .cable_m = metres, .mtu = MTU,
		.fastest = speed, .speed = speed, .total = config.rx_buffer,
	};
	char reason[PARQ_REASON_LEN];
	struct parq_rxb rxb;
	u32 n;

	b->path = parq_rxb_path(&want, speed);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		want.user.prio2buffer[n] = n;
		want.user.buffer_size[n] = XOFF + headroom(b);
	}
	assert_int_equal(parq_rxb_fit(&want, &rxb, reason), 0);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		assert_int_equal(rxb.xoff[n], XOFF);
		rig_rxb(&b->rx, 0, n, b->size[n] ? b->size[n] : rxb.size[n], rxb.xoff[n],
			rxb.xon[n]);
	}
	rig_rxb_apply(&b->rx, 0, rxb.prio);
}

static void begin(struct bench *b, int speed, u32 metres)
{
	u64 delay = (u64)metres * CABLE_PS_PER_M;
	u32 q;

	rig_init(&b->tx, &config, speed, true);
	rig_init(&b->rx, &config, speed, true);
	b->tx.tagged = true;
	b->tx.wire = leaves_tx;
	b->tx.wire_ctx = b;
	b->rx.wire = leaves_rx;
	b->rx.wire_ctx = b;
	b->byte_ps = parqsim_byte_ps(speed);
	cable_init(&b->there, parqsim_clock(b->rx.sim), delay, malloc(CABLE_BUF),
		   CABLE_BUF, reaches_rx, b);
	cable_init(&b->back, parqsim_clock(b->tx.sim), delay, malloc(CABLE_BUF),
		   CABLE_BUF, reaches_tx, b);
	rig_write(&b->tx, 0, PARQ_MAX_FRAME, JUMBO);
	rig_write(&b->rx, 0, PARQ_MAX_FRAME, JUMBO);
	rig_write(&b->rx, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	rig_pfc(&b->tx, 0, 0xff, true);
	for (q = 0; q < QUEUES; q++)
		rig_rxq_up(&b->rx, 0, q, LOG2, BUF);
	spread(b);
	watermarks(b, speed, metres);
	rig_write(&b->rx, 0, PARQ_FC_CTRL, PARQ_FC_CTRL_PFC_TX);
	rig_assert_no_error(&b->rx);
	rig_assert_no_error(&b->tx);
}

static void end(struct bench *b)
{
	free(b->there.buf);
	free(b->back.buf);
	rig_fini(&b->tx);
	rig_fini(&b->rx);
}

/* ---- tests -------------------------------------------------------------- */

static void expect_nothing_lost(struct bench *b)
{
	const struct parq_stats *s = rig_stats(&b->rx, 0);
	u32 i;

	assert_int_equal(le64_to_cpu(s->rx_drop_buffer), 0);
	assert_int_equal(le64_to_cpu(s->rx_drop_nobuf), 0);
	assert_int_equal(le64_to_cpu(s->rx_drop_disabled), 0);
	assert_int_equal(b->rx.port[0].ctrls, le64_to_cpu(s->tx.pfc));
	if (!b->stalls)
		assert_int_equal(b->rx.port[0].ctrls, 0);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		assert_int_equal(rig_read(&b->rx, 0, PARQ_RXB(i) + PARQ_RXB_USED),
				 0);
}

static u32 lost(struct bench *b)
{
	return le64_to_cpu(rig_stats(&b->rx, 0)->rx_drop_buffer);
}

/* Sends as many frames as fill some headrooms, and some more. */
static void run(struct bench *b, int speed, u32 metres)
{
	u32 frames, i;

	begin(b, speed, metres);
	frames = b->len > 60 ? FRAMES + 4 * headroom(b) / JUMBO : 10 * FRAMES;
	for (i = 0; b->got + lost(b) < frames; i++) {
		assert_true(i < PATIENCE);
		send(b, frames);
		step(b);
		receive(b);
	}
	for (i = 0; i < 50; i++)
		step(b);
	for (i = 0; i < PARQ_NUM_RXB; i++)
		b->high[i] = rig_read(&b->rx, 0, PARQ_RXB(i) + PARQ_RXB_HIGH);
}

/* The buffer that was fullest. */
static u32 fullest(const struct bench *b)
{
	u32 most = 0, i;

	for (i = 1; i < PARQ_NUM_RXB; i++)
		if (b->high[i] > b->high[most])
			most = i;
	return most;
}

/* Return: the largest use of a buffer's headroom, without the reserve, percent. */
static u32 play(int speed, u32 metres, bool jumbo, u32 prios, bool stalls)
{
	static struct bench b;
	u32 room, high, most;

	b = (struct bench){
		.len = jumbo ? JUMBO - 4 : 60, .prios = prios,
		.stalls = stalls, .seed = 4711,
	};
	run(&b, speed, metres);
	expect_nothing_lost(&b);
	room = headroom(&b) - reserve(&b);
	high = b.high[fullest(&b)];
	most = high > XOFF ? (u64)(high - XOFF) * 100 / room : 0;
	if (getenv("RIG_TRACE"))
		printf("speed %d, %u m, %u bytes, %u priorities%s: %u XOFF and XON, %u%% of %u\n",
		       speed, metres, b.len, prios, stalls ? ", stalls" : "",
		       b.rx.port[0].ctrls, most, room);
	assert_true(!stalls || b.rx.port[0].ctrls);
	end(&b);
	return most;
}

static const int speeds[] = { PARQ_SPEED_1G, PARQ_SPEED_10G, PARQ_SPEED_25G,
			      PARQ_SPEED_40G, PARQ_SPEED_100G, PARQ_SPEED_200G,
			      PARQ_SPEED_400G };
static const u32 lengths[] = { 0, 1, 10, 100, 500, 2000 };

/* Return: the smallest use of the headroom in all cases, percent. */
static u32 everywhere(bool jumbo, u32 prios, bool stalls)
{
	u32 s, l, used, least = 100;

	for (s = 0; s < sizeof(speeds) / sizeof(*speeds); s++)
		for (l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
			used = play(speeds[s], lengths[l], jumbo, prios, stalls);
			least = used < least ? used : least;
		}
	return least;
}

static void jumbo_frames(void **state)
{
	(void)state;
	everywhere(true, 8, true);
}

static void short_frames(void **state)
{
	(void)state;
	everywhere(false, 8, true);
}

/* A calculation that asks for much more than is needed would prove nothing. */
static void one_priority(void **state)
{
	(void)state;
	assert_true(everywhere(true, 1, true) > 60);
	everywhere(false, 1, true);
}

/*
 * Repeats the schedule with a buffer of exactly the size that was used, and with one byte
 * less: the measured size is the needed one.
 */
static void exact(int speed, u32 metres, u32 prios)
{
	struct bench first = { .len = JUMBO - 4, .prios = prios, .stalls = true, .seed = 4711 };
	static struct bench b;
	u32 n, high, cut;

	b = first;
	run(&b, speed, metres);
	n = fullest(&b);
	high = b.high[n];
	printf("# figure headroom; %u; %u; %u; %u; %u; %u\n",
	       parq_headroom_mbps(speed), metres, prios, headroom(&b),
	       reserve(&b), high - XOFF);
	assert_true(high - XOFF <= headroom(&b) - reserve(&b));
	end(&b);
	for (cut = 0; cut < 2; cut++) {
		b = first;
		b.lossy = true;
		b.size[n] = high - cut;
		run(&b, speed, metres);
		assert_int_equal(!!lost(&b), cut);
		end(&b);
	}
}

static void to_the_byte(void **state)
{
	u32 s, l;

	(void)state;
	for (s = 0; s < sizeof(speeds) / sizeof(*speeds); s++)
		for (l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
			exact(speeds[s], lengths[l], 1);
			exact(speeds[s], lengths[l], 8);
		}
}

static void no_stall_no_xoff(void **state)
{
	(void)state;
	everywhere(true, 8, false);
	everywhere(false, 8, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jumbo_frames),
		cmocka_unit_test(short_frames),
		cmocka_unit_test(one_priority),
		cmocka_unit_test(to_the_byte),
		cmocka_unit_test(no_stall_no_xoff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
