// SPDX-License-Identifier: GPL-2.0
/*
 * Three switches in a ring, and a host at each that sends to the second next one: each cable of the
 * ring carries two flows and has room for one. All is lossless, so each switch soon waits for the
 * next one. This shows that it comes to that, that it stays, and what the watchdog makes of it.
 *
 *	host 0 ==> switch 0 ==> switch 1 ==> switch 2 ==> host 2, and the same from host 1 and 2
 */
#include "stations.h"

#define NODES	3
#define LEN	1000	/* bytes on the wire without preamble and gap */
#define MS	(1000 * US)
#define RESTORE	5	/* ms */

enum { TO_HOST, NEXT, LAST, SIDES };

/* A frame on its way: it arrives with its last bit. */
struct flight {
	u64 end;
	u32 len;
	u8 data[PARQSIM_FRAME_MAX];
};

/**
 * struct node - a switch and its host
 * @sim: the switch
 * @out: by port: the frame that it sends now; @end is PARQSIM_NEVER if there is none
 * @xoff: the host is paused
 * @next: when the last bit of the next frame of the host arrives
 * @sent: frames of the host
 * @heard: frames for the host
 */
struct node {
	struct parqsim *sim;
	struct flight out[SIDES];
	bool xoff;
	u64 next;
	u32 sent;
	u32 heard;
};

static struct node node[NODES];
static bool hosts_send;
static u64 last_heard;

/* ---- cables -------------------------------------------------------------- */

static void fly(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	struct flight *out = &((struct node *)ctx)->out[port];

	(void)start;
	assert_true(out->end == PARQSIM_NEVER);
	out->end = end;
	out->len = len;
	memcpy(out->data, data, len);
}

static void at_host(struct node *n, const struct flight *in)
{
	if (in->data[12] != 0x88 || in->data[13] != 0x08) {
		n->heard++;
		last_heard = in->end;
	} else if (in->data[17] & BIT(PRIO)) {
		n->xoff = in->data[18 + 2 * PRIO] || in->data[19 + 2 * PRIO];
	}
}

static void land(u32 i, u32 port)
{
	struct flight *in = &node[i].out[port];

	if (port == TO_HOST)
		at_host(&node[i], in);
	else if (port == NEXT)
		parqsim_rx(node[(i + 1) % NODES].sim, LAST, in->data, in->len, true);
	else
		parqsim_rx(node[(i + NODES - 1) % NODES].sim, NEXT, in->data, in->len, true);
	in->end = PARQSIM_NEVER;
}

static void from_host(u32 i, u64 at)
{
	struct node *n = &node[i];

	n->next = at + (u64)(LEN + WIRE_GAP) * byte_ps;
	if (!hosts_send || n->xoff)
		return;
	sim = n->sim;
	station[TO_HOST].sent = n->sent++;
	send(TO_HOST, (i + 2) % NODES, LEN);
}

static u64 soonest(void)
{
	u64 t = PARQSIM_NEVER, next;
	u32 i, port;

	for (i = 0; i < NODES; i++) {
		next = parqsim_next(node[i].sim);
		t = next < t ? next : t;
		t = node[i].next < t ? node[i].next : t;
		for (port = 0; port < SIDES; port++)
			t = node[i].out[port].end < t ? node[i].out[port].end : t;
	}
	return t;
}

static void happen(u64 t)
{
	u32 i, port;

	for (i = 0; i < NODES; i++)
		parqsim_run(node[i].sim, t);
	for (i = 0; i < NODES; i++) {
		for (port = 0; port < SIDES; port++)
			if (node[i].out[port].end == t)
				land(i, port);
		if (node[i].next == t)
			from_host(i, t);
	}
}

static void run(u64 until)
{
	u64 t;

	while ((t = soonest()) < until)
		happen(t);
	happen(until);
}

/* ---- switches ------------------------------------------------------------ */

static void answer(void *ctx, u32 port, const struct parqsim_partner *self)
{
	parqsim_link(((struct node *)ctx)->sim ?: sim, port, self);
}

static const struct parqsim_host world = {
	.dma_read = no_read, .dma_write = no_write, .dma_write64 = no_write64,
	.irq = no_irq, .frame = fly, .link = answer,
};

/* Tells the switch behind which port a host is. */
static void way(u32 host, u32 port)
{
	parqsim_write(sim, sw(PARQ_SW_FDB_ADDR_LO), 2);
	parqsim_write(sim, sw(PARQ_SW_FDB_ADDR_HI), host << 8 | 1);
	parqsim_write(sim, sw(PARQ_SW_FDB_ENTRY), FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, 1) |
		      FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, port) |
		      FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, PARQ_FDB_STATIC));
	parqsim_write(sim, sw(PARQ_SW_FDB_CMD), PARQ_FDB_ADD);
	assert_int_equal(parqsim_read(sim, sw(PARQ_SW_FDB_RESULT)), PARQ_FDB_OK);
}

/* Ports obey pauses. The park queues are for frames of a host, of which there are none. */
static void switch_up(u32 i)
{
	const struct parqsim_config cfg = {
		.ports = SIDES, .txq = PARQ_NUM_PRIO, .rxq = 1, .depth = 32, .clk_ps = 1000,
		.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .rx_buffer = PARQSIM_RX_BUFFER_MIN,
		.addr = { 2, 0, 0, 0, 0, 1 }, .forward = true,
	};
	struct node *n = &node[i];
	u32 port, host;

	sim = parqsim_init(calloc(1, parqsim_size(&cfg)), &cfg, &world, n, db);
	assert_non_null(sim);
	n->sim = sim;
	for (port = 0; port < SIDES; port++) {
		n->out[port].end = PARQSIM_NEVER;
		port_up(port, PARQ_SPEED_10G, true);
		wr(port, PARQ_PFC(PRIO) + PARQ_PARK_CTRL,
		   PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, 10));
		wr(port, PARQ_PFC_CTRL, FIELD_PREP(PARQ_PFC_CTRL_EN, BIT(PRIO)) |
		   PARQ_PFC_CTRL_OFFLOAD);
	}
	for (host = 0; host < NODES; host++)
		way(host, host == i ? TO_HOST : NEXT);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
}

/* @watched: BIT(switch) whose port NEXT has the watchdog, @limit ms */
static void ring_up(u32 watched, u32 limit)
{
	u32 i;

	memset(node, 0, sizeof(node));
	byte_ps = parqsim_byte_ps(PARQ_SPEED_10G);
	ports = SIDES;
	last_heard = 0;
	for (i = 0; i < NODES; i++) {
		switch_up(i);
		if (watched & BIT(i))
			wr(NEXT, PARQ_PFC_STORM, FIELD_PREP(PARQ_PFC_STORM_LIMIT, limit) |
			   FIELD_PREP(PARQ_PFC_STORM_RESTORE, RESTORE));
	}
	hosts_send = true;
}

static void ring_down(void)
{
	u32 i;

	for (i = 0; i < NODES; i++)
		free(node[i].sim);
}

static u64 of_switch(u32 i, u32 port, enum parq_sw_stat n)
{
	sim = node[i].sim;
	return stat(port, n);
}

/* Bytes that wait in all switches. */
static u32 stored(void)
{
	u32 i, port, sum = 0;

	for (i = 0; i < NODES; i++)
		for (port = 0; port < SIDES; port++)
			sum += parqsim_read(node[i].sim, PARQ_PORT(port) + PARQ_RXB(0) +
					    PARQ_RXB_USED);
	return sum;
}

/* The levels of PRIO at the ports NEXT, of all of them. */
static u32 levels(void)
{
	u32 i, sum = 0;

	for (i = 0; i < NODES; i++)
		sum |= parqsim_read(node[i].sim, PARQ_PORT(NEXT) + PARQ_PFC(PRIO) +
				    PARQ_PFC_LEVELS);
	return sum;
}

static u32 sent(void)
{
	return node[0].sent + node[1].sent + node[2].sent;
}

static u32 heard(void)
{
	return node[0].heard + node[1].heard + node[2].heard;
}

/* Frames that the watchdogs have dropped: nothing else drops any. */
static u64 lost(void)
{
	u64 sum = 0;
	u32 i, port, n;

	for (i = 0; i < NODES; i++)
		for (port = 0; port < SIDES; port++) {
			for (n = 0; n < PARQ_NUM_SW_STAT; n++)
				if (n != PARQ_SW_RX_FRAMES && n != PARQ_SW_TX_FRAMES &&
				    n != PARQ_SW_TX_DROP_STORM)
					assert_int_equal(of_switch(i, port, n), 0);
			sum += of_switch(i, port, PARQ_SW_TX_DROP_STORM);
		}
	return sum;
}

/* ---- what happens -------------------------------------------------------- */

/* Return: when the last frame has arrived anywhere. */
static u64 deadlock(void)
{
	run(10 * MS);
	assert_true(last_heard < 9 * MS);
	return last_heard;
}

/* Nobody has to send for it to stay. */
static void stays(void **state)
{
	u32 bytes, frames;
	u64 at;

	(void)state;
	ring_up(0, 0);
	at = deadlock();
	frames = heard();
	hosts_send = false;
	bytes = stored();
	print_message("# figure ring; none; %u; %u; 0; stays, after %ju us\n", sent(), frames,
		      (uintmax_t)(at / US));
	run(1000 * MS);
	assert_int_equal(stored(), bytes);
	assert_int_equal(heard(), frames);
	assert_true(levels() & PARQ_LEVELS_PAUSE);
	assert_int_equal(lost(), 0);
	ring_down();
}

/*
 * With it, and hosts that send no more, all is over after limit and time to restore. If only some
 * are watched, the others may have to send before the last pause ends.
 */
static void dissolves(u32 watched, u32 limit)
{
	u64 at, over;
	u32 i;

	ring_up(0, 0);
	at = deadlock();
	ring_down();
	ring_up(watched, limit);
	run(at + 1);
	assert_int_equal(last_heard, at);
	hosts_send = false;
	over = (limit + RESTORE) * MS;
	if (watched != BIT(NODES) - 1)
		over += (u64)stored() * byte_ps;
	run(at + over);
	print_message("# figure ring; %s, %u ms; %u; %u; %ju; over within %ju us\n",
		      watched == BIT(NODES) - 1 ? "all" : "one", limit, sent(), heard(),
		      (uintmax_t)lost(), (uintmax_t)(over / US));
	assert_int_equal(stored(), 0);
	assert_int_equal(levels() & (PARQ_LEVELS_PAUSE | PARQ_LEVELS_STORM), 0);
	assert_int_equal(sent(), heard() + lost());
	for (i = 0; i < NODES; i++) {
		assert_false(node[i].xoff);
		assert_int_equal(!!of_switch(i, NEXT, PARQ_SW_TX_DROP_STORM), !!(watched & BIT(i)));
	}
	ring_down();
}

static void dissolves_with_one(void **state)
{
	(void)state;
	dissolves(BIT(1), 2);
	dissolves(BIT(1), 7);
}

static void dissolves_with_all(void **state)
{
	(void)state;
	dissolves(BIT(NODES) - 1, 2);
	dissolves(BIT(NODES) - 1, 7);
}

/* Hosts that go on bring it back, and each time it ends. */
static void comes_and_goes(void **state)
{
	u32 frames, i;

	(void)state;
	ring_up(BIT(NODES) - 1, 2);
	for (i = 0; i < 20; i++) {
		frames = heard();
		run((i + 1) * 10 * MS);
		assert_true(heard() > frames);
	}
	hosts_send = false;
	run(220 * MS);
	print_message("# figure ring; all, 2 ms; %u; %u; %ju; comes and goes for 200 ms\n",
		      sent(), heard(), (uintmax_t)lost());
	assert_int_equal(stored(), 0);
	assert_int_equal(sent(), heard() + lost());
	ring_down();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays),
		cmocka_unit_test(dissolves_with_one),
		cmocka_unit_test(dissolves_with_all),
		cmocka_unit_test(comes_and_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
