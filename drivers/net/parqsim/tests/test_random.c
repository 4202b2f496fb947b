// SPDX-License-Identifier: GPL-2.0
/*
 * Random schedules of frames, pauses and changes of settings, on one to four ports, by both
 * executors; and of received frames that the host takes late, so that the NIC pauses its
 * peer. The rig's oracle checks each frame on the wire, this file checks received frames.
 *
 * Schedules run in separate processes, on all processors, so that the end of one (a failed
 * assertion, a sanitizer, the alarm of an endless loop) is noticed here. A schedule that
 * fails is shortened as far as possible, and printed.
 *
 *	RIG_RUNS=n			schedules to try, the same ones each time
 *	RIG_SECONDS=n			others each time, as many as there is time for
 *	RIG_SEED=n [RIG_STEPS=i,j,...]	only one of them, or some of its steps
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"
#include "rnd.h"

#define RUNS	10000
#define STEPS	400
#define WORKERS	64
/* A schedule takes some milliseconds, and 100 times as long if nothing moves. */
#define PATIENCE	60

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = 2, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
};

/* ---- the receiving host ------------------------------------------------- */

#define RX_LOG2		6
#define RX_SLOTS	BIT(RX_LOG2)
#define RX_BUF		512

/**
 * struct receiver - the host's view of a port
 * @sent: by priority: frames that have arrived at the port
 * @seen: by priority: number after that of the last frame that the host got
 * @given: buffers given to the NIC
 * @read: completions read
 * @first: position at which the frame being read began
 */
struct receiver {
	u32 sent[PARQ_NUM_PRIO];
	u32 seen[PARQ_NUM_PRIO];
	u32 given;
	u32 read;
	u32 first;
};

static struct receiver receivers[PARQ_NIC_PORTS];

static u32 number_at(struct rig *r, u32 port, u32 pos)
{
	const u8 *p = rig_ptr(r, r->port[port].rxq[0].bufs + RIG_SEQ +
			      RX_BUF * (pos & (RX_SLOTS - 1)), 4);

	return (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* Some frames may have been dropped; none arrives twice or out of order. */
static void read_completions(struct rig *r, u32 port)
{
	u32 head = rig_read(r, port, PARQ_RXQ(0) + PARQ_RXQ_HEAD), flags, prio, n;
	struct receiver *x = &receivers[port];

	for (; x->read != head; x->read++) {
		flags = le32_to_cpu(rig_rx_comp(r, port, 0, x->read)->flags);
		if (!(flags & PARQ_RX_EOP))
			continue;
		prio = FIELD_GET(PARQ_RX_PRIO, flags);
		n = number_at(r, port, x->first);
		assert_true(n >= x->seen[prio] && n < x->sent[prio]);
		x->seen[prio] = n + 1;
		x->first = x->read + 1;
	}
}

static void give_buffers(struct rig *r, u32 port, u32 n)
{
	struct receiver *x = &receivers[port];

	read_completions(r, port);
	x->given += n < x->read + RX_SLOTS - x->given ?
		    n : x->read + RX_SLOTS - x->given;
	rig_rx_tail(r, port, 0, x->given);
}

static void receive(struct rig *r, u32 port, u32 *seed)
{
	u32 prio = rnd(seed, PARQ_NUM_PRIO), n = rnd(seed, 6);

	while (n--)
		rig_rx_prio(r, port, prio, 64 + rnd(seed, 1400),
			    receivers[port].sent[prio]++);
}

static void random_flow_control(struct rig *r, u32 port, u32 *seed)
{
	u32 prios = 0, size = r->cfg.rx_buffer / PARQ_NUM_RXB, xoff, i;

	for (i = 0; i < PARQ_NUM_RXB; i++) {
		xoff = rnd(seed, 4000);
		rig_rxb(r, port, i, size, xoff, xoff / 2);
		prios = prios << 4 | rnd(seed, PARQ_NUM_RXB);
	}
	rig_rxb_apply(r, port, prios);
	rig_write(r, port, PARQ_FC_TIME, 1 + rnd(seed, 1000));
	rig_write(r, port, PARQ_FC_REFRESH, 10 + rnd(seed, 1000));
	rig_write(r, port, PARQ_FC_LIMIT, rnd(seed, 2));
	rig_write(r, port, PARQ_FC_CTRL, rnd(seed, 2) ? 0xff : rnd(seed, 256));
}

static void receiver_up(struct rig *r, u32 port)
{
	receivers[port] = (struct receiver){ .given = 0 };
	rig_rxq_up(r, port, 0, RX_LOG2, RX_BUF);
	rig_rx_tail(r, port, 0, 0);
	rig_assert_no_error(r);
}

/* During a hold the rings of the queue are replaced, or kept. */
static void random_hold(struct rig *r, u32 port, u32 *seed)
{
	struct receiver *x = &receivers[port];

	rig_rxq_hold(r, port, 0);
	if (rnd(seed, 2) || r->used >= RIG_MEM / 2)
		return;
	read_completions(r, port);
	rig_rxq_replace(r, port, 0, RX_LOG2, RX_BUF);
	x->given = 0;
	x->read = 0;
	x->first = 0;
}

static bool buffered(struct rig *r, u32 port)
{
	u32 used = 0, i;

	for (i = 0; i < PARQ_NUM_RXB; i++)
		used |= rig_read(r, port, PARQ_RXB(i) + PARQ_RXB_USED);
	return used;
}

/* In the end each frame has been received or was counted. */
static void receiver_end(struct rig *r, u32 port)
{
	const struct parq_prio_stats *s;
	u32 i;

	rig_rxq_release(r, port, 0);
	for (i = 0; i < 1000 && buffered(r, port); i++) {
		give_buffers(r, port, RX_SLOTS);
		rig_run(r, RIG_NS);
	}
	assert_false(buffered(r, port));
	read_completions(r, port);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		s = &rig_stats(r, port)->prio[i];
		assert_int_equal(le64_to_cpu(s->rx_frames) +
				 le64_to_cpu(s->rx_drop),
				 receivers[port].sent[i]);
	}
	assert_int_equal(le64_to_cpu(rig_stats(r, port)->rx_drop_disabled), 0);
}

/* ---- a schedule --------------------------------------------------------- */

static void random_pfc_frame(struct rig *r, u32 port, u32 *seed)
{
	u16 t[8];
	u32 i;

	for (i = 0; i < 8; i++)
		t[i] = rnd(seed, 3) ? rnd(seed, 400) : 0;
	rig_pfc_frame(r, port, rnd(seed, 256), t);
}

/* Pauses that are renewed before they have run out, and perhaps too often. */
static void random_storm(struct rig *r, u32 port, u32 *seed)
{
	u32 prios = rnd(seed, 256), n;

	for (n = rnd(seed, 5); n; n--) {
		rig_pause(r, port, prios, 0xffff);
		rig_run(r, rnd(seed, 400) * RIG_US);
	}
}

static void random_step(struct rig *r, u32 *seed)
{
	u32 port = rnd(seed, r->cfg.ports), q = rnd(seed, RIG_QUEUES), n;
	struct rig_port *p = &r->port[port];

	switch (rnd(seed, 55)) {
	case 0 ... 13:
		for (n = rnd(seed, 20); n && rig_room(r, port, q) >= 2; n--)
			rig_post(r, port, q, 60 + rnd(seed, 1400));
		break;
	case 14 ... 17:
		if (rig_room(r, port, q) >= 3)
			rig_post_tso(r, port, q, 100 + rnd(seed, 1800),
				     20 + rnd(seed, 300));
		break;
	case 18 ... 27:
		random_pfc_frame(r, port, seed);
		break;
	case 28:
		rig_pfc(r, port, rnd(seed, 256), p->offload);
		break;
	case 29:
		rig_pfc(r, port, 0xff, p->offload);
		break;
	case 30:
		rig_pfc(r, port, p->pfc_en, !p->offload);
		break;
	case 31:
		rig_ets(r, port, rnd(seed, 0x1000000) * 0x11 & 0x77777777,
			rnd(seed, 2) ? 0 : 0x22222222, 0x0a0a0a0a14141e1e);
		break;
	case 32:
		if (r->used < RIG_MEM / 2)
			rig_replace_ring(r, port, q, 6 + rnd(seed, 2));
		break;
	case 33 ... 35:
		receive(r, port, seed);
		break;
	case 36 ... 37:
		give_buffers(r, port, rnd(seed, RX_SLOTS));
		break;
	case 38:
		random_flow_control(r, port, seed);
		break;
	case 39:
		rig_storm(r, port, rnd(seed, 3), rnd(seed, 2));
		break;
	case 40:
		rig_obey(r, port, rnd(seed, 256));
		break;
	case 41:
		random_storm(r, port, seed);
		break;
	case 42 ... 43:
		/* From a hundredth of the slowest link to no limit at all. */
		rig_maxrate(r, port, rnd(seed, PARQ_NUM_TC),
			    rnd(seed, 3) ? 1000 << rnd(seed, 20) : 0);
		break;
	case 44:
		random_hold(r, port, seed);
		break;
	case 45:
		rig_restore(r, port, rnd(seed, 3));
		break;
	case 46 ... 47:
		rig_rxq_release(r, port, 0);
		break;
	default:
		rig_run(r, rnd(seed, 1 + rnd(seed, 8000)) * RIG_NS);
		break;
	}
}

/**
 * struct schedule - actions on a NIC
 * @seed: seed of all random numbers
 * @skip: steps that are left out; the others do not change
 */
struct schedule {
	u32 seed;
	bool skip[STEPS];
};

/* Independent numbers for each step, whatever steps come before it. */
static u32 step_seed(u32 seed, u32 step)
{
	u32 x = (seed ^ step * 0x9e3779b9) * 0x85ebca6b;

	return (x ^ x >> 13) * 0xc2b2ae35 | 1;
}

/* Only storms cost frames, and no storm remains. */
static void check_drops(struct rig *r, u32 port)
{
	const struct parq_stats *st = rig_stats(r, port);
	u64 dropped = 0;
	u32 i;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (!r->port[port].cls[i].drops)
			assert_int_equal(le64_to_cpu(st->prio[i].tx_drop), 0);
		dropped += le64_to_cpu(st->prio[i].tx_drop);
		assert_false(rig_levels(r, port, i) & PARQ_LEVELS_STORM);
	}
	assert_int_equal(le64_to_cpu(st->tx_drop_storm), dropped);
}

static void run(const struct schedule *s, bool trace)
{
	static const int speeds[] = { PARQ_SPEED_100M, PARQ_SPEED_1G,
				      PARQ_SPEED_10G, PARQ_SPEED_100G,
				      PARQ_SPEED_400G };
	u32 seed = step_seed(s->seed, STEPS), port, i;
	struct parqsim_config cfg = config;
	struct rig r;

	cfg.rings = s->seed & 1;
	cfg.ports = 1 + rnd(&seed, 4);
	cfg.depth = 4 + rnd(&seed, 60);
	cfg.fetch_ns = rnd(&seed, 2) ? RIG_FETCH_NS : rnd(&seed, 2000);
	rig_init(&r, &cfg, speeds[rnd(&seed, 5)], rnd(&seed, 2));
	r.trace = trace;
	/* What the wire carries depends neither on batches nor on trains, up to a whole frame. */
	r.batches = s->seed & 4;
	r.train_room = s->seed & 2 ? 1 + step_seed(s->seed, STEPS + 1) % 3000 : 0;
	r.most = rnd(&seed, 2) ? 0 : 1 + rnd(&seed, 20);
	for (port = 0; port < cfg.ports; port++) {
		rig_pfc(&r, port, 0xff, r.port[port].offload);
		receiver_up(&r, port);
	}
	for (i = 0; i < STEPS; i++) {
		seed = step_seed(s->seed, i);
		if (!s->skip[i])
			random_step(&r, &seed);
	}
	for (port = 0; port < cfg.ports; port++) {
		rig_pause(&r, port, 0xff, 0);
		rig_restore(&r, port, 0);
	}
	rig_drain(&r);
	for (port = 0; port < cfg.ports; port++) {
		check_drops(&r, port);
		receiver_end(&r, port);
	}
	rig_fini(&r);
}

/* ---- processes ---------------------------------------------------------- */

/* In the child: a failed assertion ends it. */
static pid_t begin(bool quiet)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid)
		return pid;
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	if (quiet && (!freopen("/dev/null", "w", stdout) ||
		      !freopen("/dev/null", "w", stderr)))
		_exit(2);
	return 0;
}

static bool ended_well(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool holds(const struct schedule *s, bool show)
{
	pid_t pid = begin(!show);

	if (!pid) {
		alarm(PATIENCE);
		run(s, show);
		fflush(NULL);
		_exit(0);
	}
	return ended_well(pid);
}

static bool fails(const struct schedule *s)
{
	return !holds(s, false);
}

/**
 * struct work - schedules to try
 * @first: number of the first one
 * @runs: number of schedules
 * @until: time after which no other one begins, 0 for none
 */
struct work {
	u32 first;
	u32 runs;
	time_t until;
};

/**
 * struct progress - progress of a worker
 * @seed: seed of its present or last schedule
 * @runs: number of schedules
 */
struct progress {
	u32 seed;
	u32 runs;
};

/* Every @n-th schedule, from number @i on. */
static pid_t begin_worker(const struct work *w, u32 i, u32 n, struct progress *p)
{
	struct schedule s = {};
	pid_t pid = begin(false);

	if (pid)
		return pid;
	for (; i < w->runs && (!w->until || time(NULL) < w->until); i += n) {
		s.seed = (w->first + i) * 2654435761u;
		p->seed = s.seed;
		p->runs++;
		alarm(PATIENCE);
		run(&s, false);
	}
	_exit(0);
}

/* Returns the seed of a schedule that fails, or 0. */
static u32 find_failure(const struct work *w)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	u32 found = 0, runs = 0, i;
	struct progress *p;
	pid_t pid[WORKERS];

	n = n < 1 ? 1 : n > WORKERS ? WORKERS : n;
	p = mmap(NULL, sizeof(*p) * n, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(p != MAP_FAILED);
	for (i = 0; i < n; i++)
		pid[i] = begin_worker(w, i, n, &p[i]);
	for (i = 0; i < n; i++) {
		if (!ended_well(pid[i]))
			found = p[i].seed;
		runs += p[i].runs;
	}
	munmap(p, sizeof(*p) * n);
	print_message("# schedules: %u\n", runs);
	return found;
}

/* ---- making it short ---------------------------------------------------- */

typedef bool (*predicate)(const struct schedule *s);

static bool leave_out(struct schedule *s, u32 from, u32 n, predicate bad)
{
	struct schedule shorter = *s;

	memset(shorter.skip + from, true, from + n > STEPS ? STEPS - from : n);
	if (!memcmp(shorter.skip, s->skip, sizeof(s->skip)) || !bad(&shorter))
		return false;
	*s = shorter;
	return true;
}

/* Leaves out as many steps as possible, large pieces first; the rest is needed. */
static void shrink(struct schedule *s, predicate bad)
{
	u32 size, at, gone;

	for (size = STEPS / 2; size; size = gone ? size : size / 2)
		for (gone = 0, at = 0; at < STEPS; at += size)
			gone += leave_out(s, at, size, bad);
}

static void show(struct schedule *s)
{
	const char *comma = "";
	u32 i;

	print_error("to repeat it: RIG_SEED=%u RIG_STEPS=", s->seed);
	for (i = 0; i < STEPS; i++) {
		if (s->skip[i])
			continue;
		print_error("%s%u", comma, i);
		comma = ",";
	}
	print_error("\n");
	holds(s, true);
}

/* ---- tests -------------------------------------------------------------- */

static bool has_17_and_230(const struct schedule *s)
{
	return !s->skip[17] && !s->skip[230];
}

static void shrinks(void **state)
{
	struct schedule s = {};
	u32 i, left = 0;

	(void)state;
	shrink(&s, has_17_and_230);
	for (i = 0; i < STEPS; i++)
		left += !s.skip[i];
	assert_int_equal(left, 2);
	assert_true(has_17_and_230(&s));
}

static void only_steps(struct schedule *s, const char *steps)
{
	char *end;
	u32 i;

	memset(s->skip, true, sizeof(s->skip));
	do {
		i = strtoul(steps, &end, 0);
		assert_true(end != steps && i < STEPS);
		s->skip[i] = false;
		steps = end + 1;
	} while (*end == ',');
	assert_int_equal(*end, 0);
}

static void random_schedules(void **state)
{
	struct work w = { .first = 1, .runs = number("RIG_RUNS", RUNS) };
	struct schedule s = { .seed = number("RIG_SEED", 0) };
	u32 seconds = number("RIG_SECONDS", 0);
	const char *steps = getenv("RIG_STEPS");

	(void)state;
	if (s.seed) {
		if (steps)
			only_steps(&s, steps);
		assert_true(holds(&s, true));
		return;
	}
	if (seconds) {
		assert_int_equal(getrandom(&w.first, sizeof(w.first), 0), sizeof(w.first));
		w.runs = UINT32_MAX;
		w.until = time(NULL) + seconds;
	}
	s.seed = find_failure(&w);
	if (!s.seed)
		return;
	shrink(&s, fails);
	show(&s);
	fail();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shrinks),
		cmocka_unit_test(random_schedules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
