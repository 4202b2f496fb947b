// SPDX-License-Identifier: GPL-2.0
/*
 * Trains between two NICs whose clocks differ, with a cable between their ports 0. Their ports 1
 * have no cable, and send all the same. Events of both have one order, as in a group of NICs inside
 * a kernel. The same random schedules run segment by segment and in batches: all that is on the
 * wires, and all of both hosts' memory, has to be the same.
 */
#include "trains.h"

/**
 * struct pair - the two NICs
 * @r: by number
 * @in: the receiving side of each one's port 0
 * @log: what each one has sent
 * @starved: the hosts give no buffers, and pauses are sent
 */
struct pair {
	struct rig r[2];
	struct end in[2];
	struct wire_log log[2];
	bool starved;
};

static struct pair single, batched;

/* ---- the two NICs -------------------------------------------------------- */

/* Both have the same speed, pipeline and executor. */
static void set_up_nic(struct pair *p, u32 i, u32 seed, bool batches)
{
	struct rig *r = &p->r[i];
	u32 port;

	set_up(r, &seed, &p->log[i]);
	r->train_room = 65536;
	r->batches = batches;
	r->most = 0;
	for (port = 0; port < 2; port++) {
		rig_write(r, port, PARQ_FC_CTRL, 0);
		rig_pfc(r, port, 0xff, r->port[port].offload);
	}
}

static void join(struct pair *p, u32 i, u32 *seed)
{
	struct rig *r = &p->r[i], *other = &p->r[!i];

	plug(other, 0, seed, &p->in[!i], PARQ_PORT_CTRL_RX_GRO);
	rig_write(other, 0, PARQ_FC_CTRL, p->starved ? 0xff : 0);
	r->cable[0] = &p->in[!i].in.cable;
	r->partner = other;
	r->ahead = rig_now(other) - rig_now(r);
	/* Frames leave by the sender's clock, and arrive by the receiver's. */
	r->cable[0]->delay += r->ahead;
}

static void set_up_pair(struct pair *p, u32 *seed, bool batches)
{
	u32 i;

	for (i = 0; i < 2; i++)
		set_up_nic(p, i, *seed, batches);
	rig_run(&p->r[rnd(seed, 2)], rnd(seed, 3) * rnd(seed, 5000) * RIG_NS);
	for (i = 0; i < 2; i++)
		join(p, i, seed);
}

static void fini_pair(struct pair *p)
{
	rig_fini(&p->r[0]);
	rig_fini(&p->r[1]);
}

/* ---- time ---------------------------------------------------------------- */

/* Handles the first event until then. Return: false if there is none. */
static bool first_event(struct pair *p, const u64 until[2])
{
	u64 next, wait[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		next = parqsim_next(p->r[i].sim);
		wait[i] = next <= until[i] ? until[i] - next + 1 : 0;
	}
	i = wait[1] > wait[0];
	if (!wait[i])
		return false;
	next = parqsim_next(p->r[i].sim);
	if (next < rig_now(&p->r[i]))
		next = rig_now(&p->r[i]);
	parqsim_events(p->r[i].sim, next, until[i], ~0U);
	return true;
}

/* Doorbells are read before and after the events. */
static void run_pair(struct pair *p, u64 ps)
{
	u64 until[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		rig_run(&p->r[i], 0);
		until[i] = rig_now(&p->r[i]) + ps;
	}
	while (first_event(p, until))
		;
	for (i = 0; i < 2; i++) {
		parqsim_run(p->r[i].sim, until[i]);
		assert_int_equal(rig_now(&p->r[i]), until[i]);
		rig_run(&p->r[i], 0);
	}
}

static void give_buffers(struct pair *p)
{
	u32 i, head;

	for (i = 0; i < 2 && !p->starved; i++) {
		head = rig_read(&p->r[i], 0, PARQ_RXQ(0) + PARQ_RXQ_HEAD);
		rig_rx_tail(&p->r[i], 0, 0, head + BIT(RX_LOG2));
	}
}

/* ---- schedules ----------------------------------------------------------- */

/* One queue of one NIC sends most frames: so most segments repeat each other. */
static void step(struct pair *p, u32 *seed)
{
	u32 port = !rnd(seed, 8), queue = rnd(seed, 5) ? 3 : rnd(seed, RIG_QUEUES);
	struct rig *r = &p->r[!rnd(seed, 5)];

	switch (rnd(seed, 32)) {
	case 0 ... 7:
		post_tso(r, port, queue, true, 20 + rnd(seed, 300), seed);
		break;
	case 8:
		post(r, port, queue, seed);
		break;
	case 9:
		rig_pause(r, port, rnd(seed, 256), rnd(seed, 200));
		break;
	case 10:
		send_xoff(r, port);
		break;
	default:
		run_pair(p, rnd(seed, 1 + rnd(seed, 60000)) * RIG_NS);
		break;
	}
}

static void run(struct pair *p, u32 seed, bool batches)
{
	u32 i;

	p->starved = !(seed % 4);
	seed = seed * 2654435761U | 1;
	set_up_pair(p, &seed, batches);
	for (i = 0; i < 2 * STEPS; i++) {
		if (i < STEPS)
			step(p, &seed);
		else
			run_pair(p, 100 * RIG_US);
		give_buffers(p);
	}
	settle(&p->r[0]);
	settle(&p->r[1]);
}

static void same_pair(const struct pair *a, const struct pair *b)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		same_wire(&a->log[i], &b->log[i]);
		same_memory(&a->r[i], &b->r[i]);
	}
}

static void same_between_nics(void **state)
{
	u32 seed, sent = 0, joined = 0, i;

	(void)state;
	for (seed = 1; seed <= RUNS; seed++) {
		run(&single, seed, false);
		run(&batched, seed, true);
		same_pair(&single, &batched);
		for (i = 0; i < 2; i++) {
			sent += batched.r[i].batched;
			joined += batched.in[i].in.joined;
		}
		fini_pair(&single);
		fini_pair(&batched);
	}
	assert_true(sent > RUNS * 100);
	assert_true(joined > RUNS * 50);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_between_nics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
