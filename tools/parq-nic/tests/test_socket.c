// SPDX-License-Identifier: GPL-2.0
/*
 * The wire between two NICs in this process. Their clocks started at different times: frames
 * must arrive on time by the machine's own clock. Either end may leave and return.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench.h"

#define METRES		100
#define DELAY		(METRES * CABLE_PS_PER_M)
#define LATER_NS	5000	/* start of NIC b after that of a */
#define RETRY		(300 * BENCH_MS)

struct fixture {
	struct bench a;		/* listens */
	struct bench b;		/* connects */
	char dir[32];
	char path[48];
};

static void open_a(struct fixture *f)
{
	assert_int_equal(socket_open(&f->a.host, 0, f->path, true, METRES,
				     &f->a.wire[0]), 0);
	wire_link(f->a.wire[0], &f->a.port[0].self);
}

static void open_b(struct fixture *f)
{
	assert_int_equal(socket_open(&f->b.host, 1, f->path, false, METRES,
				     &f->b.wire[1]), 0);
	wire_link(f->b.wire[1], &f->b.port[1].self);
}

static void close_wire(struct bench *n, u32 port)
{
	wire_close(n->wire[port]);
	n->wire[port] = NULL;
}

/* Advances time for both, and delivers their messages. */
static void run(struct fixture *f, u64 ps)
{
	u64 mono = f->a.clock.now + ps;
	int i;

	for (i = 0; i < 3; i++) {
		bench_run(&f->a, mono);
		bench_run(&f->b, mono - LATER_NS * BENCH_NS);
	}
}

static void both_up(struct fixture *f)
{
	bench_set(&f->a, 0, true, PARQ_SPEED_10G);
	bench_set(&f->b, 1, true, PARQ_SPEED_10G);
	run(f, RETRY);
	assert_int_equal(f->a.port[0].speed, PARQ_SPEED_10G);
	assert_int_equal(f->b.port[1].speed, PARQ_SPEED_10G);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/tmp/test_socket.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/wire", f->dir);
	bench_init(&f->a, 1000);
	bench_init(&f->b, 1000 + LATER_NS);
	clock_run(&f->a.clock, LATER_NS * BENCH_NS);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	bench_fini(&f->b);
	bench_fini(&f->a);
	assert_int_not_equal(access(f->path, F_OK), 0);
	assert_int_equal(rmdir(f->dir), 0);
	free(f);
	return 0;
}

static void settings_travel(void **state)
{
	struct fixture *f = *state;

	open_b(f);
	open_a(f);
	assert_false(f->a.port[0].present);
	run(f, RETRY);
	assert_true(f->a.port[0].present && f->b.port[1].present);
	assert_int_equal(f->a.port[0].speed, -1);
	both_up(f);
	f->b.port[1].self.adv = BIT(PARQ_SPEED_1G) | PARQ_LINK_ADV_PAUSE |
				PARQ_LINK_ADV_ASYM;
	bench_set(&f->b, 1, true, PARQ_SPEED_1G);
	run(f, BENCH_US);
	assert_int_equal(f->a.port[0].speed, -1);
	assert_int_equal(f->a.port[0].adv, f->b.port[1].self.adv);
	bench_set(&f->a, 0, true, PARQ_SPEED_1G);
	run(f, BENCH_US);
	assert_int_equal(f->a.port[0].speed, PARQ_SPEED_1G);
	assert_int_equal(f->b.port[1].speed, PARQ_SPEED_1G);
}

static void frames_keep_time(void **state)
{
	struct fixture *f = *state;
	u64 end;

	open_a(f);
	open_b(f);
	both_up(f);
	end = f->a.clock.now + 1234567;
	bench_send(&f->a, 0, 1, 1514, end);
	bench_send(&f->a, 0, 2, PARQSIM_FRAME_MAX, end + 9 * BENCH_US);
	bench_send(&f->b, 1, 3, 60, f->b.clock.now + 777);
	run(f, BENCH_MS);
	assert_int_equal(f->b.port[1].rx, 2);
	assert_int_equal(f->b.port[1].at[0],
			 end + DELAY - LATER_NS * BENCH_NS);
	assert_int_equal(f->b.port[1].len[0], 1514);
	assert_int_equal(f->b.port[1].at[1],
			 end + 9 * BENCH_US + DELAY - LATER_NS * BENCH_NS);
	assert_int_equal(f->b.port[1].len[1], PARQSIM_FRAME_MAX);
	assert_int_equal(f->b.port[1].first[1], 2);
	assert_int_equal(f->a.port[0].rx, 1);
	assert_int_equal(f->a.wire[0]->stats.tx_lost, 0);
}

/* Late frames do not exceed the speed of the link. */
static void late_frames_keep_distance(void **state)
{
	u64 bits = (100 + WIRE_OVERHEAD) * parqsim_byte_ps(PARQ_SPEED_10G);
	struct fixture *f = *state;
	struct bench_port *p = &f->b.port[1];
	u64 end;
	u32 i;

	open_a(f);
	open_b(f);
	both_up(f);
	end = f->a.clock.now;
	for (i = 0; i < 20; i++)
		bench_send(&f->a, 0, (u8)i, 100, end + i * bits);
	clock_run(&f->b.clock, f->b.clock.now + BENCH_MS);
	run(f, 2 * BENCH_MS);
	assert_int_equal(p->rx, 20);
	for (i = 1; i < 20; i++) {
		assert_int_equal(p->at[i] - p->at[i - 1], bits);
		assert_int_equal(p->first[i], i);
	}
}

/* Frames that the other end does not read are counted. The rest arrives in order. */
static void overflow_is_counted(void **state)
{
	struct fixture *f = *state;
	struct wire_stats *s;
	u32 i, n = 40000;

	open_a(f);
	open_b(f);
	both_up(f);
	s = &f->a.wire[0]->stats;
	for (i = 0; i < n; i++)
		bench_send(&f->a, 0, (u8)i, 1000, f->a.clock.now);
	assert_int_equal(s->tx, n);
	assert_true(s->tx_lost > 0 && s->tx_lost < n);
	assert_int_equal(f->b.port[1].rx, 0);
	for (i = 0; i < 100; i++)
		run(f, BENCH_MS);
	assert_int_equal(f->b.port[1].rx + s->tx_lost, n);
	for (i = 0; i < BENCH_MAX_RX; i++)
		assert_int_equal(f->b.port[1].first[i], (u8)i);
	assert_int_equal(f->b.wire[1]->stats.rx_lost, 0);
}

static void ends_go_and_come(void **state)
{
	struct fixture *f = *state;
	int i;

	open_a(f);
	open_b(f);
	both_up(f);
	for (i = 0; i < 3; i++) {
		close_wire(&f->a, 0);
		run(f, RETRY);
		assert_false(f->b.port[1].present);
		assert_int_equal(f->b.port[1].speed, -1);
		open_a(f);
		both_up(f);
		close_wire(&f->b, 1);
		run(f, RETRY);
		assert_false(f->a.port[0].present);
		open_b(f);
		both_up(f);
	}
	bench_send(&f->a, 0, 1, 60, f->a.clock.now);
	run(f, BENCH_MS);
	assert_int_equal(f->b.port[1].rx, 1);
}

static int stranger(struct fixture *f)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd;

	strcpy(addr.sun_path, f->path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	return fd;
}

static bool is_sent_away(int fd)
{
	u8 buf[64];
	ssize_t n;

	do
		n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
	while (n > 0);
	return !n;
}

static void second_peer_is_sent_away(void **state)
{
	struct fixture *f = *state;
	int fd;

	open_a(f);
	open_b(f);
	both_up(f);
	fd = stranger(f);
	run(f, BENCH_US);
	assert_true(is_sent_away(fd));
	close(fd);
	assert_int_equal(f->a.port[0].speed, PARQ_SPEED_10G);
}

/* A client that does not speak the protocol is dropped, and the next one is served. */
static void garbage_is_refused(void **state)
{
	static const struct {
		u32 word[4];
		u32 rest;
	} bad[] = {
		{ { 0 }, 0 },				/* no such type */
		{ { 0x4c515241, 2, 0xfff, 0x05010101 }, 0 },	/* version */
		{ { 0x4c515241, 1, 0x1000, 0x05010101 }, 0 },	/* speeds */
		{ { 0x4c515241, 1, 0x40fff, 0x05010101 }, 0 },	/* more than pause */
		{ { 0x4c515241, 1, 0xfff, 0x0c010101 }, 0 },	/* speed */
		{ { 0x4c515241, 1, 0xfff, 0x05010101 }, 1 },	/* long */
		{ { 0x46515241, 0, 0, 0 }, 13 },	/* shorter than a header */
		{ { 0x46515241, 1000, 0, 0 }, 60 },	/* picoseconds */
		{ { 0x46515241, 0, 0, 0 }, PARQSIM_FRAME_MAX + 1 },
	};
	struct fixture *f = *state;
	u8 buf[PARQSIM_FRAME_MAX + 64] = { 0 };
	size_t i;
	int fd;

	open_a(f);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		fd = stranger(f);
		run(f, BENCH_US);
		assert_false(is_sent_away(fd));
		memcpy(buf, bad[i].word, 16);
		assert_int_equal(send(fd, buf, 16 + bad[i].rest, 0),
				 16 + bad[i].rest);
		run(f, BENCH_US);
		assert_true(is_sent_away(fd));
		assert_false(f->a.port[0].present);
		close(fd);
	}
	open_b(f);
	both_up(f);
}

/* A socket file left by a crash is replaced. One in use, or another file, is not. */
static void stale_socket_is_replaced(void **state)
{
	struct fixture *f = *state;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct wire *w;
	struct stat st;
	FILE *file;
	int fd;

	strcpy(addr.sun_path, f->path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
	open_a(f);
	assert_int_not_equal(socket_open(&f->b.host, 1, f->path, true, 1, &w),
			     0);
	close_wire(&f->a, 0);

	file = fopen(f->path, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_not_equal(socket_open(&f->a.host, 0, f->path, true, 1, &w),
			     0);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(unlink(f->path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(settings_travel, setup,
						teardown),
		cmocka_unit_test_setup_teardown(frames_keep_time, setup,
						teardown),
		cmocka_unit_test_setup_teardown(late_frames_keep_distance,
						setup, teardown),
		cmocka_unit_test_setup_teardown(overflow_is_counted, setup,
						teardown),
		cmocka_unit_test_setup_teardown(ends_go_and_come, setup,
						teardown),
		cmocka_unit_test_setup_teardown(second_peer_is_sent_away, setup,
						teardown),
		cmocka_unit_test_setup_teardown(garbage_is_refused, setup,
						teardown),
		cmocka_unit_test_setup_teardown(stale_socket_is_replaced, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
