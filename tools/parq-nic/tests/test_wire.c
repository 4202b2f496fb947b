// SPDX-License-Identifier: GPL-2.0
/*
 * Cables inside a NIC, and TAP interfaces: receivers and arrival times. A link comes up when
 * both ends are on. Frames that cannot arrive are counted.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench.h"
#include "peer.h"

#define METRES		20
#define DELAY		(METRES * CABLE_PS_PER_M)
#define TAP_WAIT_MS	5000

static int setup(void **state)
{
	struct bench *b = malloc(sizeof(*b));

	assert_non_null(b);
	bench_init(b, 1000);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	bench_fini(*state);
	free(*state);
	return 0;
}

static void plug_peer(struct bench *b, u32 x, u32 y)
{
	assert_int_equal(peer_open(&b->host, x, &b->host, y, METRES, &b->wire[x],
				   &b->wire[y]), 0);
	wire_link(b->wire[x], &b->port[x].self);
	wire_link(b->wire[y], &b->port[y].self);
}

static void peer_link_needs_both(void **state)
{
	struct bench *b = *state;

	plug_peer(b, 0, 3);
	assert_true(b->port[0].present && b->port[3].present);
	assert_int_equal(b->port[0].speed, -1);
	bench_set(b, 0, true, PARQ_SPEED_10G);
	assert_int_equal(b->port[0].speed, -1);
	bench_set(b, 3, true, PARQ_SPEED_1G);
	assert_int_equal(b->port[0].speed, -1);
	bench_set(b, 3, true, PARQ_SPEED_10G);
	assert_int_equal(b->port[0].speed, PARQ_SPEED_10G);
	assert_int_equal(b->port[3].speed, PARQ_SPEED_10G);
	bench_set(b, 0, false, PARQ_SPEED_10G);
	assert_int_equal(b->port[0].speed, -1);
	assert_int_equal(b->port[3].speed, -1);
}

static void peer_delivers(void **state)
{
	struct bench *b = *state;

	plug_peer(b, 0, 1);
	bench_set(b, 0, true, PARQ_SPEED_10G);
	bench_set(b, 1, true, PARQ_SPEED_10G);
	bench_send(b, 0, 1, 60, 100 * BENCH_NS);
	bench_send(b, 0, 2, 1514, 1500 * BENCH_NS);
	bench_send(b, 1, 3, PARQSIM_FRAME_MAX, 700 * BENCH_NS);
	bench_run(b, 100 * BENCH_NS + DELAY - 1);
	assert_int_equal(b->port[1].rx, 0);
	bench_run(b, BENCH_MS);
	assert_int_equal(b->port[1].rx, 2);
	assert_int_equal(b->port[1].at[0], 100 * BENCH_NS + DELAY);
	assert_int_equal(b->port[1].len[0], 60);
	assert_int_equal(b->port[1].first[0], 1);
	assert_int_equal(b->port[1].at[1], 1500 * BENCH_NS + DELAY);
	assert_int_equal(b->port[1].first[1], 2);
	assert_int_equal(b->port[0].rx, 1);
	assert_int_equal(b->port[0].at[0], 700 * BENCH_NS + DELAY);
	assert_int_equal(b->port[0].len[0], PARQSIM_FRAME_MAX);
	assert_int_equal(b->wire[0]->stats.tx, 2);
	assert_int_equal(b->wire[0]->stats.rx, 1);
}

/* When a link goes down, frames on it are lost in both directions, and counted. */
static void peer_is_cut(void **state)
{
	struct bench *b = *state;

	plug_peer(b, 0, 1);
	bench_set(b, 0, true, PARQ_SPEED_1G);
	bench_set(b, 1, true, PARQ_SPEED_1G);
	bench_send(b, 0, 1, 60, BENCH_NS);
	bench_send(b, 1, 2, 60, BENCH_NS);
	bench_set(b, 1, false, PARQ_SPEED_1G);
	bench_set(b, 1, true, PARQ_SPEED_1G);
	bench_send(b, 0, 3, 60, 2 * BENCH_NS);
	bench_run(b, BENCH_MS);
	assert_int_equal(b->port[0].rx, 0);
	assert_int_equal(b->port[1].rx, 1);
	assert_int_equal(b->port[1].first[0], 3);
	assert_int_equal(b->wire[0]->stats.rx_lost, 1);
	assert_int_equal(b->wire[1]->stats.rx_lost, 1);
}

static void loop_returns(void **state)
{
	struct bench *b = *state;

	assert_int_equal(peer_open(&b->host, 2, &b->host, 2, METRES,
				   &b->wire[2], NULL), 0);
	bench_set(b, 2, true, PARQ_SPEED_400G);
	assert_int_equal(b->port[2].speed, PARQ_SPEED_400G);
	bench_send(b, 2, 7, 60, 10 * BENCH_NS);
	bench_run(b, BENCH_MS);
	assert_int_equal(b->port[2].rx, 1);
	assert_int_equal(b->port[2].at[0], 10 * BENCH_NS + DELAY);
}

/* Two NICs, the second started 4 us later: times of both are comparable. */
static void peer_joins_nics(void **state)
{
	struct bench *a = *state, b;

	bench_init(&b, 5000);
	assert_int_equal(peer_open(&a->host, 0, &b.host, 1, METRES,
				   &a->wire[0], &b.wire[1]), 0);
	bench_set(a, 0, true, PARQ_SPEED_1G);
	bench_set(&b, 1, true, PARQ_SPEED_1G);
	assert_int_equal(a->port[0].speed, PARQ_SPEED_1G);
	assert_int_equal(b.port[1].speed, PARQ_SPEED_1G);
	bench_send(a, 0, 1, 60, 10 * BENCH_US);
	bench_send(&b, 1, 2, 60, 10 * BENCH_US);
	bench_run(a, BENCH_MS);
	bench_run(&b, BENCH_MS);
	assert_int_equal(b.port[1].rx, 1);
	assert_int_equal(b.port[1].at[0], 6 * BENCH_US + DELAY);
	assert_int_equal(a->port[0].rx, 1);
	assert_int_equal(a->port[0].at[0], 14 * BENCH_US + DELAY);

	/* One of them is removed: frames under way are lost. */
	bench_send(a, 0, 3, 60, BENCH_MS);
	bench_send(&b, 1, 4, 60, BENCH_MS);
	wire_pull(b.wire[1]);
	bench_fini(&b);
	assert_false(a->port[0].present);
	assert_int_equal(a->port[0].speed, -1);
	assert_int_equal(a->wire[0]->stats.rx_lost, 1);
	bench_send(a, 0, 5, 60, BENCH_MS);
	bench_set(a, 0, true, PARQ_SPEED_10G);
	bench_run(a, 2 * BENCH_MS);
	assert_int_equal(a->port[0].rx, 1);
	assert_int_equal(a->wire[0]->stats.tx_lost, 1);
}

/* @n segments more, the newest of which starts now. */
static void add_segments(struct train *t, u32 n)
{
	t->n += n;
	t->len += n * t->mss;
}

/*
 * A segment takes 1 us, of which 200 ns are the gap. Those that have arrived when the newest one
 * starts are at the other NIC then, whose clock is 4 us behind.
 */
static void peer_batches_between_nics(void **state)
{
	u64 first = 6 * BENCH_US + 800 * BENCH_NS + DELAY;
	struct bench *a = *state, b;
	struct train *t;
	u32 i;

	bench_init(&b, 5000);
	assert_int_equal(peer_open(&a->host, 0, &b.host, 1, METRES, &a->wire[0], &b.wire[1]), 0);
	bench_set(a, 0, true, PARQ_SPEED_1G);
	bench_set(&b, 1, true, PARQ_SPEED_1G);
	t = wire_train(a->wire[0], 800);
	assert_non_null(t);
	t->hdr_len = 14;
	t->mss = 100;
	for (i = 10; i < 12; i++) {
		bench_run(a, i * BENCH_US);
		bench_run(&b, (i - 4) * BENCH_US);
		add_segments(t, 1);
		wire_segment(a->wire[0], i * BENCH_US + 800 * BENCH_NS);
	}
	assert_int_equal(b.port[1].rx, 1);
	assert_int_equal(wire_batch(a->wire[0], BENCH_JOINS, BENCH_US), BENCH_JOINS);
	add_segments(t, BENCH_JOINS);
	a->clock.now += BENCH_JOINS * BENCH_US;
	wire_segments(a->wire[0], BENCH_JOINS, BENCH_US);
	assert_int_equal(b.port[1].rx, 1 + BENCH_JOINS);
	assert_int_equal(b.port[1].at[BENCH_JOINS], first + BENCH_JOINS * BENCH_US);
	wire_train_end(a->wire[0]);
	bench_run(&b, 20 * BENCH_US);
	assert_int_equal(b.port[1].rx, 2 + BENCH_JOINS);
	assert_int_equal(b.port[1].at[1 + BENCH_JOINS], first + (1 + BENCH_JOINS) * BENCH_US);
	bench_fini(&b);
}

/* 100 km of shortest frames at 400 Gb/s: none is lost. */
static void peer_never_full(void **state)
{
	u64 step = (60 + WIRE_OVERHEAD) * parqsim_byte_ps(PARQ_SPEED_400G);
	u64 km100 = 100000ULL * CABLE_PS_PER_M;
	struct bench *b = *state;
	u64 at;
	u32 n;

	assert_int_equal(peer_open(&b->host, 0, &b->host, 1, 100000, &b->wire[0],
				   &b->wire[1]), 0);
	bench_set(b, 0, true, PARQ_SPEED_400G);
	bench_set(b, 1, true, PARQ_SPEED_400G);
	for (at = step, n = 0; at < km100 + step; at += step, n++)
		bench_send(b, 0, (u8)n, 60, at);
	assert_int_equal(b->wire[0]->stats.tx_lost, 0);
	bench_run(b, 3 * km100);
	assert_int_equal(b->port[1].rx, n);
}

/* ---- TAP ----------------------------------------------------------------- */

/* A raw socket on the TAP interface "tap0", which is up. */
static int tap_peer(void)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex("tap0"),
	};
	struct ifreq ifr = { .ifr_name = "tap0" };
	int fd;

	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &ifr), 0);
	ifr.ifr_flags |= IFF_UP;
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &ifr), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

/* The kernel reports a change of the carrier within a second. */
static bool tap_becomes(int fd, bool running)
{
	struct ifreq ifr = { .ifr_name = "tap0" };
	int i;

	for (i = 0; i < TAP_WAIT_MS; i++) {
		assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &ifr), 0);
		if (!!(ifr.ifr_flags & IFF_RUNNING) == running)
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* Counts the test's own frames: the stack may send others. */
static u8 *tap_frame(u8 *buf, u8 first, u16 type, u32 len)
{
	memset(buf, 0, len);
	buf[0] = first;
	buf[12] = (u8)(type >> 8);
	buf[13] = (u8)type;
	return buf;
}

/* Returns the index of the frame with this byte 0. There must be exactly one. */
static u32 tap_find(const struct bench_port *p, u8 first)
{
	u32 i, n = 0, found = 0;

	for (i = 0; i < p->rx; i++) {
		if (p->first[i] != first)
			continue;
		found = i;
		n++;
	}
	assert_int_equal(n, 1);
	return found;
}

/* In a new network namespace: no name clashes, and no interface is left behind. */
static bool tap_is_allowed(void)
{
	return !unshare(CLONE_NEWNET) ||
	       !unshare(CLONE_NEWUSER | CLONE_NEWNET);
}

/* Frames pass in both directions, short ones are padded, the carrier follows the link. */
static void tap_both_ways(void **state)
{
	struct bench *b = *state;
	struct bench_port *p = &b->port[0];
	u8 buf[2048];
	u32 x, y;
	ssize_t n;
	int fd;

	if (access("/dev/net/tun", R_OK | W_OK) || !tap_is_allowed())
		skip();
	assert_int_equal(tap_open(&b->host, 0, "tap0", &b->wire[0]), 0);
	b->port[0].self.adv = BIT(PARQ_SPEED_1G) | PARQ_LINK_ADV_PAUSE;
	bench_set(b, 0, false, PARQ_SPEED_1G);
	assert_true(b->port[0].present);
	assert_int_equal(b->port[0].adv, BIT(PARQ_SPEED_1G));
	fd = tap_peer();
	assert_true(tap_becomes(fd, false));
	bench_set(b, 0, true, PARQ_SPEED_1G);
	assert_int_equal(b->port[0].speed, PARQ_SPEED_1G);
	assert_true(tap_becomes(fd, true));

	assert_int_equal(send(fd, tap_frame(buf, 0x42, 0x88b5, 20), 20, 0), 20);
	assert_int_equal(send(fd, tap_frame(buf, 0x44, 0x88b5, 200), 200, 0),
			 200);
	bench_run(b, BENCH_MS);
	x = tap_find(p, 0x42);
	y = tap_find(p, 0x44);
	assert_int_equal(p->len[x], WIRE_MIN_FRAME);
	assert_int_equal(p->len[y], 200);
	assert_true(p->at[y] >= p->at[x] +
		    (200 + WIRE_OVERHEAD) * 8 * BENCH_NS);

	tap_frame(buf, 0x46, 0x88b5, 100);
	wire_frame(b->wire[0], buf, 100, b->clock.now);
	do
		n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
	while (n > 0 && buf[0] != 0x46);
	assert_int_equal(n, 100);
	assert_int_equal(b->wire[0]->stats.tx_lost, 0);
	close(fd);
}

/* An interface that is down rejects frames, which are counted. */
static void tap_down(void **state)
{
	struct bench *b = *state;

	if (access("/dev/net/tun", R_OK | W_OK) || !tap_is_allowed())
		skip();
	assert_int_equal(tap_open(&b->host, 0, "tap0", &b->wire[0]), 0);
	bench_set(b, 0, true, PARQ_SPEED_1G);
	bench_send(b, 0, 2, 60, BENCH_NS);
	assert_int_equal(b->wire[0]->stats.tx, 1);
	assert_int_equal(b->wire[0]->stats.tx_lost, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(peer_link_needs_both, setup,
						teardown),
		cmocka_unit_test_setup_teardown(peer_delivers, setup, teardown),
		cmocka_unit_test_setup_teardown(peer_is_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(loop_returns, setup, teardown),
		cmocka_unit_test_setup_teardown(peer_joins_nics, setup, teardown),
		cmocka_unit_test_setup_teardown(peer_batches_between_nics, setup, teardown),
		cmocka_unit_test_setup_teardown(peer_never_full, setup,
						teardown),
		cmocka_unit_test_setup_teardown(tap_both_ways, setup, teardown),
		cmocka_unit_test_setup_teardown(tap_down, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
