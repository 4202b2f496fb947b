// SPDX-License-Identifier: GPL-2.0
/* Two senders that obey marks share a link. Their queue stays short, so that nobody is paused. */
#include "ecn.h"

#define SENDERS		2
#define THRESHOLD	20000	/* bytes */
#define FRAME_PS	((u64)(LEN + 24) * 800)	/* 10 Gb/s */
#define WINDOW_MIN	(2 * LEN)

/**
 * struct sender - who sends as DCTCP does (RFC 8257), and hears at once what has arrived
 * @window: bytes that may be under way
 * @sent: frames
 * @acked: frames that have arrived
 * @alpha: share of marks, 1/65536
 * @left: frames until the window is judged
 * @frames: number of those
 * @marks: marks among them
 */
struct sender {
	s64 window;
	u32 sent;
	u32 acked;
	u32 alpha;
	u32 left;
	u32 frames;
	u32 marks;
};

static struct sender sender[SENDERS];

static void judge_window(struct sender *s)
{
	s->alpha = s->alpha - s->alpha / 16 + (u64)s->marks * 65536 / s->frames / 16;
	s->window = s->marks ? s->window - s->window * s->alpha / 2 / 65536 : s->window + LEN;
	if (s->window < WINDOW_MIN)
		s->window = WINDOW_MIN;
	s->frames = s->window / LEN;
	s->left = s->frames;
	s->marks = 0;
}

static void hear_ack(void *ctx, u32 port, const u8 *data, u32 len, u64 end)
{
	struct sender *s = &sender[data[11] % SENDERS];

	hear_ecn(ctx, port, data, len, end);
	if (port != OUT || !ip_at(data))
		return;
	s->acked++;
	s->marks += ecn_of(data) == CE;
	if (!--s->left)
		judge_window(s);
}

/**
 * struct incast - what has become of a queue
 * @least: bytes, once it has been THRESHOLD
 * @most: bytes
 * @pauses: frames that senders could not send, as they were paused
 * @busy: part of the time in which the receiver's link was busy, 1/1000000
 */
struct incast {
	u32 least;
	u32 most;
	u32 pauses;
	u32 busy;
};

/* Two links bring what one can carry, in priority 3, which has PFC. */
static struct incast incast(u32 ctrl, u32 steps)
{
	struct fabric *f = red_begin(0, 0);
	struct incast in = { .least = ~0U };
	u32 step, n, waiting, total = 0;

	set_red(f, OUT, 0, ctrl, THRESHOLD, THRESHOLD + 1, ALWAYS);
	f->r.wire = hear_ack;
	for (n = 0; n < SENDERS; n++) {
		sender[n] = (struct sender){ .window = 10 * LEN, .left = 10, .frames = 10 };
		rig_rxb(&f->r, n, 0, PARQSIM_RX_BUFFER_MIN, PARQSIM_RX_BUFFER_MIN / 2,
			PARQSIM_RX_BUFFER_MIN / 4);
		rig_rxb_apply(&f->r, n, 0);
	}
	for (step = 0; step < steps; step++) {
		for (n = 0; n < SENDERS; n++) {
			struct sender *s = &sender[n];

			if ((s64)(s->sent - s->acked) * LEN >= s->window)
				continue;
			if (f->xoff[n] & BIT(3)) {
				in.pauses++;
				continue;
			}
			s->sent++;
			send_ip(f, n, OUT, 3, ECT0);
		}
		rig_run(&f->r, FRAME_PS);
		waiting = f->r.sim->fwd.port[OUT].egress.queued[3];
		in.most = waiting > in.most ? waiting : in.most;
		if (in.most >= THRESHOLD && step > steps / 4 && waiting < in.least)
			in.least = waiting;
	}
	in.busy = (u64)heard[OUT].frames * 1000000 / steps;
	rig_run(&f->r, 10 * MS);
	for (n = 0; n < SENDERS; n++)
		total += sender[n].sent;
	assert_int_equal(heard[OUT].frames, total);
	assert_int_equal(marked(f, OUT, 0), heard[OUT].marked);
	fabric_fini(f);
	return in;
}

/* The queue stays about the threshold, and nobody is paused. Without marks, PFC has to. */
static void incast_with_ecn(void **state)
{
	struct incast in = incast(ECN, 20000);

	(void)state;
	print_message("# figure dctcp; %u; %u; %u; %u; %.1f\n", THRESHOLD, in.least, in.most,
		      in.pauses, (double)in.busy / 10000);
	assert_int_equal(in.pauses, 0);
	assert_in_range(in.least, THRESHOLD / 4, THRESHOLD);
	assert_in_range(in.most, THRESHOLD, 3 * THRESHOLD / 2);
	assert_in_range(in.busy, 999000, 1000000);
	in = incast(0, 20000);
	print_message("# figure dctcp; none; %u; %u; %u; %.1f\n", in.least, in.most, in.pauses,
		      (double)in.busy / 10000);
	assert_true(in.pauses > 1000);
	assert_true(in.most > 2 * THRESHOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incast_with_ecn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
