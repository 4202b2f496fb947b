// SPDX-License-Identifier: GPL-2.0
/*
 * What a switch does at 100 Gb/s, in exact figures: sixteen senders to one port, with PFC and
 * without, all ports at the rate of their links with the shortest frames; and how much of a receive
 * buffer is needed above the watermark, from 10 to 400 Gb/s and from 1 to 2000 m. The driver's own
 * calculation says how much there is.
 */
#include <stdio.h>

#include "cable.h"
#include "parq_buf_calc.h"
#include "stations.h"

#define SENDERS	16
#define FRAMES	1000000	/* that arrive; without PFC a tenth of them: 16 times as many are sent */
#define LEN	256	/* bytes on the wire without preamble and gap */

/* ---- sixteen to one ------------------------------------------------------ */

/**
 * struct shares - what became of the frames
 * @sent: by all senders, until the receiver had FRAMES
 * @least: frames of one sender that have arrived, at least
 * @most: ... at most
 * @busy: part of the time in which the receiver's link was busy, 1/1000000
 * @dropped: frames that the switch has counted as dropped
 * @arrived: frames in the end
 */
struct shares {
	u64 sent;
	u64 least;
	u64 most;
	u64 busy;
	u64 dropped;
	u64 arrived;
};

/* Of the senders. */
static void share_out(struct shares *s)
{
	u32 port;

	s->least = FRAMES;
	for (port = 0; port < SENDERS; port++) {
		u64 n = station[SENDERS].from[port];

		s->sent += station[port].sent;
		s->least = n < s->least ? n : s->least;
		s->most = n > s->most ? n : s->most;
	}
}

/* All send to the last station as fast as they may, until it has FRAMES. */
static struct shares incast(bool lossless)
{
	u64 gap, start, first;
	u32 frames = lossless ? FRAMES : FRAMES / 10, port, turn;
	struct shares s = { 0 };

	begin(SENDERS + 1, PARQ_SPEED_100G, PARQSIM_RX_BUFFER_MIN, lossless);
	meet();
	gap = (u64)(LEN + WIRE_GAP) * byte_ps;
	for (start = now(), first = 0, turn = 0; station[SENDERS].heard < frames; turn++) {
		parqsim_run(sim, now() + gap);
		if (!first && station[SENDERS].heard)
			first = now();
		/* Who comes first finds the room that has become free. */
		for (port = 0; port < SENDERS; port++)
			if (!station[(turn + port) % SENDERS].xoff)
				send((turn + port) % SENDERS, SENDERS, LEN);
	}
	assert_in_range(first - start, 1, 10 * US);
	s.busy = station[SENDERS].heard * gap * 1000000 / (now() - first + gap);
	share_out(&s);
	parqsim_run(sim, now() + SETTLE_PS * SENDERS);
	s.arrived = station[SENDERS].heard;
	s.dropped = dropped();
	assert_int_equal(station[SENDERS].late, 0);
	for (port = 0; port < SENDERS; port++)
		assert_false(station[port].xoff);
	end();
	return s;
}

static void print_shares(const char *how, const struct shares *s)
{
	print_message("# figure incast; %s; %ju; %ju; %.1f; %ju to %ju\n", how,
		      (uintmax_t)s->sent, (uintmax_t)(s->sent - s->arrived),
		      (double)s->busy / 10000, (uintmax_t)s->least, (uintmax_t)s->most);
}

static void incast_lossless(void **state)
{
	struct shares s = incast(true);

	(void)state;
	print_shares("PFC", &s);
	assert_int_equal(s.sent - s.arrived, 0);
	assert_int_equal(s.dropped, 0);
	assert_in_range(s.busy, 999000, 1000000);
	assert_in_range((s.most - s.least) * 100, 0, FRAMES / SENDERS);
}

/* The link is as busy. Of what sixteen links bring it carries one. */
static void incast_lossy(void **state)
{
	struct shares s = incast(false);

	(void)state;
	print_shares("none", &s);
	assert_int_equal(s.sent - s.arrived, s.dropped);
	assert_in_range(s.busy, 999000, 1000000);
	assert_in_range(s.dropped * 10000 / s.sent, 9370, 9380);
}

/* ---- the rate of the links ----------------------------------------------- */

/* Each station sends the shortest frames to the next one, without a gap. */
static void shortest_frames(void **state)
{
	u64 start, gap;
	u32 port, i;

	(void)state;
	begin(SENDERS, PARQ_SPEED_100G, PARQSIM_RX_BUFFER_MIN, true);
	meet();
	gap = (u64)(64 + WIRE_GAP) * byte_ps;
	for (start = now(), i = 1; i <= 50000; i++) {
		parqsim_run(sim, start + i * gap);
		for (port = 0; port < ports; port++)
			send(port, (port + 1) % ports, 64);
	}
	for (port = 0; port < ports; port++) {
		assert_in_range(station[port].heard * 10000 / 50000, 9990, 10000);
		assert_false(station[port].xoff);
	}
	parqsim_run(sim, now() + SETTLE_PS);
	for (port = 0; port < ports; port++) {
		assert_int_equal(station[port].heard, 50000);
		assert_int_equal(station[port].late, 0);
	}
	assert_int_equal(dropped(), 0);
	end();
}

/* ---- headroom ------------------------------------------------------------ */

#define MTU	9000
#define JUMBO	(MTU + 22)	/* on the wire, with tag and FCS */
#define BUFFER	(8 << 20)
#define POOL	(1 << 20)

static void large_port(u32 port, u32 size, const struct parq_rxb *rxb, u32 limit)
{
	parqsim_write(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_POOL_LIMIT(0)), limit);
	wr(port, PARQ_MAX_FRAME, JUMBO - 4);
	wr(port, PARQ_RXB(0) + PARQ_RXB_SIZE, size);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XOFF, rxb->xoff[0]);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XON, rxb->xon[0]);
	wr(port, PARQ_RXB_APPLY, 1);
}

/**
 * struct way - how long a pause takes to reach the sender, and to stop it
 * @speed: of the link
 * @metres: length of the cable
 * @late: bytes that the sender may still send once it has heard XOFF: delays of its MAC and PHY
 * @after: bytes by which the switch's own frame begins after the sender's; XOFF waits for it
 */
struct way {
	int speed;
	u32 metres;
	u32 late;
	u32 after;
};

/* What the driver makes of a cable: a buffer of PRIO, its watermarks, and the room above. */
static struct parq_headroom fit(const struct way *w, struct parq_rxb *rxb)
{
	struct parq_rxb_want want = {
		.set = true, .lossless = BIT(PRIO), .cable_m = w->metres, .mtu = MTU,
		.fastest = w->speed, .speed = w->speed, .total = BUFFER,
	};
	struct parq_path path = parq_rxb_path(&want, w->speed);
	struct parq_headroom h = parq_headroom_overflow(&path);
	char reason[PARQ_REASON_LEN];
	u32 n;

	for (n = 0; n < PARQ_NUM_PRIO; n++)
		want.user.prio2buffer[n] = n != PRIO;
	/* The frame that crosses the watermark is above it but for one byte. */
	want.user.buffer_size[0] = 2 * JUMBO + 1 + parq_headroom_sum(&h);
	want.user.buffer_size[1] = 2 * JUMBO;
	if (parq_rxb_fit(&want, rxb, reason))
		fail_msg("%s", reason);
	return h;
}

/*
 * Station 0 sends long frames to 1, which is paused, without a gap until XOFF stops it. 2 sends to
 * 0. Return: the highest level of the buffer of 0, bytes, without what it has of the pool.
 */
static u32 fill(const struct way *w, u32 size, const struct parq_rxb *rxb, u32 limit)
{
	u64 frame = (u64)(JUMBO + WIRE_GAP) * byte_ps, delay = (u64)w->metres * CABLE_PS_PER_M;
	u64 hears = delay + (u64)w->late * byte_ps, begins = now();
	u32 port;

	for (port = 0; port < ports; port++)
		large_port(port, size, rxb, limit);
	parqsim_write(sim, sw(PARQ_SW_POOL_SIZE), POOL);
	/* A park queue for frames of a host, of which there are none. */
	wr(1, PARQ_PFC(PRIO) + PARQ_PARK_CTRL,
	   PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, 10));
	wr(1, PARQ_PFC_CTRL, FIELD_PREP(PARQ_PFC_CTRL_EN, BIT(PRIO)) | PARQ_PFC_CTRL_OFFLOAD);
	pause_station(1, 0xffff);
	for (; !station[0].xoff || station[0].xoff_end + hears > begins; begins += frame) {
		parqsim_run(sim, begins + frame + delay);
		send(0, 1, JUMBO);
		parqsim_run(sim, begins + frame + delay + (u64)w->after * byte_ps);
		if (!station[2].xoff)
			send(2, 0, JUMBO);
	}
	return parqsim_read(sim, PARQ_PORT(0) + PARQ_RXB(0) + PARQ_RXB_HIGH) -
	       parqsim_read(sim, sw(PARQ_SW_PORT(0) + PARQ_SW_POOL_HIGH));
}

/* Return: the highest level, see fill(). @lost: frames of station 0 that found no room. */
static u32 stop(const struct way *w, u32 size, const struct parq_rxb *rxb, u32 limit, u64 *lost)
{
	u32 high;

	begin(4, w->speed, BUFFER, true);
	meet();
	high = fill(w, size, rxb, limit);
	*lost = stat(0, PARQ_SW_RX_NO_ROOM);
	pause_station(1, 0);
	parqsim_run(sim, now() + SETTLE_PS);
	assert_int_equal(station[1].from[0] + *lost, station[0].sent);
	assert_int_equal(station[1].late, 0);
	assert_int_equal(parqsim_read(sim, sw(PARQ_SW_POOL_USED)), 0);
	end();
	return high;
}

/* Finds when XOFF has to wait longest. Nothing is lost. */
static void wait_longest(struct way *w, const struct parq_rxb *rxb)
{
	struct way try = *w;
	u32 high = 0, level;
	u64 lost;

	for (; try.after < JUMBO; try.after += JUMBO / 4) {
		level = stop(&try, rxb->size[0], rxb, 0, &lost);
		assert_int_equal(lost, 0);
		if (level > high) {
			high = level;
			w->after = try.after;
		}
	}
}

static void exact(const struct way *w, const struct parq_rxb *rxb, u32 limit, u32 room)
{
	u32 high, cut;
	u64 lost;

	high = stop(w, rxb->size[0], rxb, limit, &lost);
	assert_int_equal(lost, 0);
	if (!limit)
		print_message("# figure switch_headroom; %u; %u; %u; %u\n",
			      parq_headroom_mbps(w->speed), w->metres, room, high - rxb->xoff[0]);
	assert_in_range(high - rxb->xoff[0], room * 2 / 3, room);
	for (cut = 0; cut < 2; cut++) {
		stop(w, high - cut, rxb, limit, &lost);
		assert_int_equal(lost, cut);
	}
}

/*
 * The sender is as slow as the standard allows. Without a share of the pool, with a part of it, and
 * with as much as is free.
 */
static void headroom(void **state)
{
	static const u32 limits[] = { 0, 10 * JUMBO + 1, PARQ_SW_POOL_LIMIT_DYNAMIC |
				      PARQ_SW_POOL_ALPHA_1 };
	static const int speeds[] = { PARQ_SPEED_10G, PARQ_SPEED_25G, PARQ_SPEED_40G,
				      PARQ_SPEED_100G, PARQ_SPEED_200G, PARQ_SPEED_400G };
	static const u32 lengths[] = { 1, 10, 100, 500, 2000 };
	struct parq_headroom h;
	struct parq_rxb rxb;
	struct way w;
	u32 s, l, n;

	(void)state;
	for (s = 0; s < sizeof(speeds) / sizeof(*speeds); s++)
		for (l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
			w = (struct way){ .speed = speeds[s], .metres = lengths[l] };
			h = fit(&w, &rxb);
			w.late = h.reaction + h.phy_latency;
			wait_longest(&w, &rxb);
			for (n = 0; n < sizeof(limits) / sizeof(*limits); n++)
				exact(&w, &rxb, limits[n], parq_headroom_sum(&h));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incast_lossless),
		cmocka_unit_test(incast_lossy),
		cmocka_unit_test(shortest_frames),
		cmocka_unit_test(headroom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
