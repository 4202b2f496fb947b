// SPDX-License-Identifier: GPL-2.0
/* Frames from outside: they arrive no faster than the link carries them, and do not wait long. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bench.h"
#include "inlet.h"

#define LONG		1514
#define CONTROL		0x8808
#define DATA		0x88b5

/**
 * struct source - an inlet of port 0, whose link has 10 Mb/s
 * @b: the NIC
 * @w: wire of the port
 * @in: the inlet
 * @go: the source may go on
 */
struct source {
	struct bench b;
	struct wire w;
	struct inlet in;
	bool go;
};

static void flow(struct inlet *in, bool go)
{
	((struct source *)((char *)in - offsetof(struct source, in)))->go = go;
}

static void begin(struct source *s)
{
	bench_init(&s->b, 1000);
	wire_init(&s->w, NULL, &s->b.host, 0);
	s->w.speed = PARQ_SPEED_10M;
	s->go = true;
	assert_int_equal(inlet_init(&s->in, &s->w, flow), 0);
}

static void end(struct source *s)
{
	inlet_fini(&s->in);
	bench_fini(&s->b);
}

/* @first: byte 0 of the frame, which identifies it. */
static void pass(struct source *s, u8 first, u32 type, u32 len)
{
	u8 buf[LONG] = { first };

	buf[12] = (u8)(type >> 8);
	buf[13] = (u8)type;
	inlet_frame(&s->in, buf, len, s->b.clock.now);
}

static u64 bits(u32 len)
{
	return (u64)(len + WIRE_OVERHEAD) * parqsim_byte_ps(PARQ_SPEED_10M);
}

static void at_the_speed_of_the_link(void **state)
{
	struct source s;
	u32 i;

	(void)state;
	begin(&s);
	for (i = 0; i < 3; i++)
		pass(&s, (u8)i, DATA, LONG);
	bench_run(&s.b, 100 * BENCH_MS);
	assert_int_equal(s.b.port[0].rx, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(s.b.port[0].first[i], i);
		assert_int_equal(s.b.port[0].at[i], (i + 1) * bits(LONG));
	}
	end(&s);
}

/* They keep their order among themselves, and wait for the frame that is on the link. */
static void control_frames_pass(void **state)
{
	static const u8 order[] = { 0, 3, 4, 1, 2, 5 };
	struct source s;
	u32 i;

	(void)state;
	begin(&s);
	for (i = 0; i < 3; i++)
		pass(&s, (u8)i, DATA, LONG);
	pass(&s, 3, CONTROL, 60);
	pass(&s, 4, CONTROL, 60);
	bench_run(&s.b, 3 * bits(LONG) - 1);
	/* Nothing waits now. */
	pass(&s, 5, CONTROL, 60);
	bench_run(&s.b, 100 * BENCH_MS);
	assert_int_equal(s.b.port[0].rx, 6);
	for (i = 0; i < 6; i++)
		assert_int_equal(s.b.port[0].first[i], order[i]);
	assert_int_equal(s.b.port[0].at[1], bits(LONG) + bits(60));
	assert_int_equal(s.b.port[0].at[2], bits(LONG) + 2 * bits(60));
	assert_int_equal(s.b.port[0].at[3], 2 * bits(LONG));
	assert_int_equal(s.b.port[0].at[5], 3 * bits(LONG) + bits(60));
	end(&s);
}

/* What the link cannot carry is lost. It is counted, and delays nothing else. */
static void long_waits_are_losses(void **state)
{
	u64 most = 100 * BENCH_MS;
	struct source s;
	u32 i;

	(void)state;
	begin(&s);
	for (i = 0; i < 100; i++)
		pass(&s, (u8)i, DATA, LONG);
	pass(&s, 100, CONTROL, 60);
	bench_run(&s.b, 200 * BENCH_MS);
	assert_int_equal(s.b.port[0].rx, most / bits(LONG) + 2);
	assert_int_equal(s.b.port[0].first[1], 100);
	assert_int_equal(s.w.stats.rx_lost, 101 - s.b.port[0].rx);
	assert_true(s.b.port[0].at[s.b.port[0].rx - 1] <= most + bits(LONG));
	/* The link is free again. */
	pass(&s, 101, DATA, LONG);
	bench_run(&s.b, 210 * BENCH_MS);
	assert_int_equal(s.b.port[0].at[s.b.port[0].rx - 1], 200 * BENCH_MS);
	end(&s);
}

/* A source that can wait loses nothing. */
static void source_waits(void **state)
{
	struct source s;
	u32 n = 0, stops = 0;

	(void)state;
	begin(&s);
	while (n < 100) {
		if (s.go && inlet_room(&s.in)) {
			pass(&s, (u8)n++, DATA, LONG);
			continue;
		}
		stops++;
		assert_false(s.go);
		bench_run(&s.b, s.b.clock.now + BENCH_MS);
	}
	bench_run(&s.b, BENCH_MS * 1000);
	assert_int_equal(s.b.port[0].rx, 100);
	assert_int_equal(s.w.stats.rx_lost, 0);
	assert_true(stops > 10);
	end(&s);
}

/* A link that goes takes with it what waits, in both ways. */
static void cut(void **state)
{
	struct source s;

	(void)state;
	begin(&s);
	pass(&s, 0, DATA, LONG);
	pass(&s, 1, DATA, LONG);
	pass(&s, 2, CONTROL, 60);
	s.w.speed = -1;
	inlet_cut(&s.in);
	assert_int_equal(s.w.stats.rx_lost, 3);
	pass(&s, 3, DATA, LONG);
	assert_int_equal(s.w.stats.rx_lost, 4);
	s.w.speed = PARQ_SPEED_10M;
	pass(&s, 4, CONTROL, 60);
	bench_run(&s.b, 100 * BENCH_MS);
	assert_int_equal(s.b.port[0].rx, 1);
	assert_int_equal(s.b.port[0].at[0], bits(60));
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_the_speed_of_the_link),
		cmocka_unit_test(control_frames_pass),
		cmocka_unit_test(long_waits_are_losses),
		cmocka_unit_test(source_waits),
		cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests_name("inlet", tests, NULL, NULL);
}
