// SPDX-License-Identifier: GPL-2.0
/*
 * Spreading of received frames: each flow in the queue that its published hash
 * and the table say, and nowhere else. What a hash is, test_offload says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"
#include "rnd.h"
#include "rss.h"

#define QUEUES		7	/* enabled; there is one more */
#define LOG2		10
#define BUF		256
#define HASHES		(PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4)

static const struct parqsim_config config = {
	.ports = 2, .txq = RIG_QUEUES, .rxq = QUEUES + 1, .depth = 32,
	.clk_ps = 1000, .speeds = BIT(PARQ_NUM_SPEEDS) - 1,
	.addr = { 2, 0, 0, 0, 0, 1 },
};

/* Neighbours differ, and entry 0 is not queue 0: where all go without a hash. */
static u8 queue_of(u32 hash)
{
	return (hash % PARQ_RSS_INDIR_LEN * 3 + 2) % QUEUES;
}

/* Registers that follow each other take four bytes each, the first one lowest. */
static void set_bytes(struct rig *r, u32 port, u32 reg, const u8 *p, u32 len)
{
	u32 n;

	for (n = 0; n < len; n += 4)
		rig_write(r, port, reg + n, p[n] | p[n + 1] << 8 |
			  p[n + 2] << 16 | (u32)p[n + 3] << 24);
	rig_assert_no_error(r);
}

static void set_key(struct rig *r, u32 port, const u8 *key)
{
	set_bytes(r, port, PARQ_RSS_KEY(0), key, PARQ_RSS_KEY_LEN);
}

static void set_table(struct rig *r, u32 port, const u8 *table)
{
	set_bytes(r, port, PARQ_RSS_INDIR(0), table, PARQ_RSS_INDIR_LEN);
}

static void rss_init(struct rig *r)
{
	u8 table[PARQ_RSS_INDIR_LEN];
	u32 port, i;

	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		table[i] = queue_of(i);
	rig_init(r, &config, PARQ_SPEED_10G, true);
	for (port = 0; port < config.ports; port++) {
		for (i = 0; i < QUEUES; i++)
			rig_rxq_up(r, port, i, LOG2, BUF);
		rig_write(r, port, PARQ_PORT_CTRL,
			  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC |
			  PARQ_PORT_CTRL_RX_HASH);
		set_key(r, port, rss_key);
		set_table(r, port, table);
		rig_write(r, port, PARQ_RSS_CTRL, RSS_ALL);
	}
	rig_assert_no_error(r);
}

static u32 head_of(struct rig *r, u32 port, u32 queue)
{
	return rig_read(r, port, PARQ_RXQ(queue) + PARQ_RXQ_HEAD);
}

/* Returns the one queue that a frame was delivered to, and its completion, or -1. */
static int receive_fcs(struct rig *r, u32 port, const u8 *f, u32 len,
		       bool fcs_ok, const struct parq_rx_comp **comp)
{
	u32 before[QUEUES + 1], q;
	int into = -1;

	for (q = 0; q <= QUEUES; q++)
		before[q] = head_of(r, port, q);
	parqsim_rx(r->sim, port, f, len, fcs_ok);
	for (q = 0; q <= QUEUES; q++) {
		if (head_of(r, port, q) == before[q])
			continue;
		assert_int_equal(head_of(r, port, q), before[q] + 1);
		assert_int_equal(into, -1);
		*comp = rig_rx_comp(r, port, q, before[q]);
		into = q;
	}
	return into;
}

static int receive(struct rig *r, u32 port, const struct packet *p,
		   const struct parq_rx_comp **comp)
{
	return receive_fcs(r, port, p->b, p->len, true, comp);
}

static void expect(struct rig *r, const struct packet *p, u32 hash, u32 type)
{
	const struct parq_rx_comp *comp;

	assert_int_equal(receive(r, 0, p, &comp), type ? queue_of(hash) : 0);
	assert_int_equal(le32_to_cpu(comp->flags) & HASHES, type);
	if (type)
		assert_int_equal(le32_to_cpu(comp->hash), hash);
}

/* Neither TCP nor UDP */
static void icmp(struct packet *p, const struct rss_vector *v)
{
	rss_packet(p, v, IPPROTO_UDP, 30);
	p->b[p->next] = IPPROTO_ICMP;
}

static void published_flows(void **state)
{
	const struct rss_vector *v;
	u32 used = 0, i;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	for (v = rss_vectors; v < rss_vectors + RSS_NUM_VECTORS; v++) {
		for (i = 0; i < 3; i++) {
			rss_packet(&p, v, IPPROTO_TCP, 30 + i);
			expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
			rss_packet(&p, v, IPPROTO_UDP, 60 + i);
			expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
			icmp(&p, v);
			expect(&r, &p, v->l3, PARQ_RX_HASH_L3);
		}
		packet_eth(&p);
		packet_tag(&p, ETH_P_8021Q, 0xa02a);
		rss_ip(&p, v);
		rss_l4(&p, v, IPPROTO_TCP, 30);
		expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
		used |= BIT(queue_of(v->l4)) | BIT(queue_of(v->l3));
	}
	assert_true(__builtin_popcount(used) > QUEUES / 2);
	rig_fini(&r);
}

/* Of the 128 entries one counts, and that is the right one. */
static void entry_of_a_flow(void **state)
{
	u8 table[PARQ_RSS_INDIR_LEN];
	const struct parq_rx_comp *comp;
	const struct rss_vector *v;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	for (v = rss_vectors; v < rss_vectors + RSS_NUM_VECTORS; v++) {
		rss_packet(&p, v, IPPROTO_TCP, 30);
		memset(table, 1, sizeof(table));
		table[v->l4 % PARQ_RSS_INDIR_LEN] = 6;
		set_table(&r, 0, table);
		assert_int_equal(receive(&r, 0, &p, &comp), 6);
		memset(table, 6, sizeof(table));
		table[v->l4 % PARQ_RSS_INDIR_LEN] = 1;
		set_table(&r, 0, table);
		assert_int_equal(receive(&r, 0, &p, &comp), 1);
	}
	rig_fini(&r);
}

static void other_keys_and_flows(void **state)
{
	u8 key[PARQ_RSS_KEY_LEN], data[36];
	struct rss_vector v;
	u32 seed = 4242, i, n;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	for (i = 0; i < 500; i++) {
		for (n = 0; n < sizeof(key); n++)
			key[n] = rnd(&seed, 256);
		v.addr_len = rnd(&seed, 2) ? 8 : 32;
		for (n = 0; n < v.addr_len; n++)
			v.addr[n] = rnd(&seed, 256);
		v.sport = rnd(&seed, 65536);
		v.dport = rnd(&seed, 65536);
		memcpy(data, v.addr, v.addr_len);
		rss_ports(data + v.addr_len, &v);
		set_key(&r, 0, key);
		rss_packet(&p, &v, IPPROTO_UDP, 30);
		expect(&r, &p, ref_toeplitz(key, data, v.addr_len + 4),
		       PARQ_RX_HASH_L4);
	}
	rig_fini(&r);
}

/* Flows that differ in one word, or in the number of words. */
static void make_flows(struct rss_vector *flow, u32 *seed)
{
	u32 i;

	for (i = 0; i < sizeof(flow->addr); i++)
		flow[0].addr[i] = rnd(seed, 256);
	flow[0].sport = rnd(seed, 65536);
	flow[0].dport = rnd(seed, 65535);
	flow[0].addr_len = 8;
	flow[1] = flow[0];
	flow[1].dport++;
	flow[2] = flow[0];
	flow[2].addr_len = 32;
	flow[3] = flow[2];
	flow[3].addr[31] ^= 1;
}

/* The NIC remembers what it hashed last. Keys and types change between frames of one flow. */
static void flows_that_come_again(void **state)
{
	u8 key[PARQ_RSS_KEY_LEN], data[36];
	u32 seed = 77, i, n;
	struct rss_vector flow[4];
	const struct rss_vector *v;
	struct packet p;
	struct rig r;
	bool l4;

	(void)state;
	rss_init(&r);
	memcpy(key, rss_key, sizeof(key));
	make_flows(flow, &seed);
	for (i = 0; i < 2000; i++) {
		if (!rnd(&seed, 4)) {
			key[rnd(&seed, 36)] ^= 1 << rnd(&seed, 8);
			set_key(&r, 0, key);
		}
		l4 = rnd(&seed, 4);
		rig_write(&r, 0, PARQ_RSS_CTRL, l4 ? RSS_ALL : RSS_ALL & ~PARQ_RSS_CTRL_UDP);
		v = &flow[rnd(&seed, 4)];
		n = v->addr_len;
		memcpy(data, v->addr, n);
		rss_ports(data + n, v);
		rss_packet(&p, v, IPPROTO_UDP, 30);
		expect(&r, &p, ref_toeplitz(key, data, l4 ? n + 4 : n),
		       l4 ? PARQ_RX_HASH_L4 : PARQ_RX_HASH_L3);
	}
	rig_fini(&r);
}

/* Without a hash, and without EN, all go to queue 0, whatever the table says. */
static void no_hash_is_queue_0(void **state)
{
	const struct rss_vector *v = rss_vectors;
	const struct parq_rx_comp *comp;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	rss_packet(&p, v, IPPROTO_TCP, 30);
	assert_int_not_equal(queue_of(v->l3), 0);
	assert_int_not_equal(queue_of(v->l4), 0);
	assert_int_not_equal(queue_of(0), 0);
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL & ~PARQ_RSS_CTRL_TCP);
	expect(&r, &p, v->l3, PARQ_RX_HASH_L3);
	rig_write(&r, 0, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_UDP |
		  PARQ_RSS_CTRL_IPV6);
	expect(&r, &p, 0, 0);
	rig_write(&r, 0, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN);
	expect(&r, &p, 0, 0);
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL & ~PARQ_RSS_CTRL_EN);
	expect(&r, &p, 0, 0);
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL);
	expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN |
		  PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_RX_FCS_ERR |
		  PARQ_PORT_CTRL_RX_HASH);
	assert_int_equal(receive_fcs(&r, 0, p.b, p.len, false, &comp), 0);
	set_be16(p.b + 12, 0x88b5);
	expect(&r, &p, 0, 0);
	rig_fini(&r);
}

/* Frames are spread as before, and their hash is the NIC's own affair. */
static void hash_is_not_told(void **state)
{
	const struct rss_vector *v = rss_vectors;
	const struct parq_rx_comp *comp;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	rss_packet(&p, v, IPPROTO_TCP, 30);
	expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
	rig_write(&r, 0, PARQ_PORT_CTRL,
		  PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	assert_int_equal(receive(&r, 0, &p, &comp), queue_of(v->l4));
	assert_int_equal(le32_to_cpu(comp->flags) & HASHES, 0);
	assert_int_equal(le32_to_cpu(comp->hash), 0);
	rig_fini(&r);
}

/* A reset ends the hash and clears its key. */
static void reset(void **state)
{
	const struct parq_rx_comp *comp;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	rss_packet(&p, rss_vectors, IPPROTO_TCP, 30);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	r.used = 0;
	rig_start(&r, PARQ_SPEED_10G, true);
	rig_rxq_up(&r, 0, 0, LOG2, BUF);
	rig_write(&r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC |
		  PARQ_PORT_CTRL_RX_HASH);
	expect(&r, &p, 0, 0);
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL);
	assert_int_equal(receive(&r, 0, &p, &comp), 0);
	assert_int_equal(le32_to_cpu(comp->flags) & HASHES, PARQ_RX_HASH_L4);
	assert_int_equal(le32_to_cpu(comp->hash), 0);
	rig_fini(&r);
}

static void ports_are_apart(void **state)
{
	static const u8 zero[PARQ_RSS_KEY_LEN];
	const struct rss_vector *v = rss_vectors;
	const struct parq_rx_comp *comp;
	u8 table[PARQ_RSS_INDIR_LEN];
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	memset(table, 3, sizeof(table));
	table[0] = 4;
	set_key(&r, 1, zero);
	set_table(&r, 1, table);
	rss_packet(&p, v, IPPROTO_TCP, 30);
	expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
	assert_int_equal(receive(&r, 1, &p, &comp), 4);
	assert_int_equal(le32_to_cpu(comp->flags) & HASHES, PARQ_RX_HASH_L4);
	assert_int_equal(le32_to_cpu(comp->hash), 0);
	rig_write(&r, 1, PARQ_RSS_CTRL, 0);
	assert_int_equal(receive(&r, 1, &p, &comp), 0);
	expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
	rig_fini(&r);
}

/* Such an entry is refused, and its three neighbours with it. */
static void queue_that_does_not_exist(void **state)
{
	u32 n, b, off, before;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	for (n = 0; n < PARQ_RSS_INDIR_LEN / 4; n++)
		for (b = 0; b < 4; b++) {
			off = PARQ_RSS_INDIR(n);
			before = rig_read(&r, 0, off);
			rig_write(&r, 0, off, (QUEUES + 1) << (8 * b));
			assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE,
						   parqsim_read(r.sim, PARQ_ERR)),
					 PARQ_ERR_RANGE);
			assert_int_equal(parqsim_read(r.sim, PARQ_ERR_ADDR),
					 PARQ_PORT(0) + off);
			assert_int_equal(rig_read(&r, 0, off), before);
			parqsim_write(r.sim, PARQ_ERR, 0);
		}
	for (n = 0; n < RSS_NUM_VECTORS; n++) {
		rss_packet(&p, &rss_vectors[n], IPPROTO_UDP, 30);
		expect(&r, &p, rss_vectors[n].l4, PARQ_RX_HASH_L4);
	}
	rig_fini(&r);
}

/* @state: the queue has stopped, else it is disabled. */
static void queue_that_is_no_use(void **state)
{
	const struct rss_vector *v = rss_vectors, *other = v + 2;
	u32 queue = queue_of(v->l4), *tail, drops;
	const struct parq_rx_comp *comp;
	const struct parq_stats *st;
	struct packet p, q;
	struct rig r;

	rss_init(&r);
	rss_packet(&p, v, IPPROTO_TCP, 30);
	rss_packet(&q, other, IPPROTO_TCP, 30);
	assert_int_not_equal(queue, queue_of(other->l4));
	tail = &r.db[(PARQ_DB_RX(0, queue) + PARQ_DB_TAIL) / 4];
	if (*state)
		*tail = ~0U;
	else
		rig_write(&r, 0, PARQ_RXQ(queue) + PARQ_RXQ_CTRL, 0);
	for (drops = 1; drops <= 3; drops++) {
		assert_int_equal(receive(&r, 0, &p, &comp), -1);
		st = rig_stats(&r, 0);
		assert_int_equal(le64_to_cpu(*state ? st->rx_drop_nobuf :
						      st->rx_drop_disabled),
				 drops);
		expect(&r, &q, other->l4, PARQ_RX_HASH_L4);
	}
	assert_int_equal(rig_read(&r, 0, PARQ_RXQ(queue) + PARQ_RXQ_ERR),
			 *state ? PARQ_ERR_DOORBELL : PARQ_ERR_NONE);
	rig_write(&r, 0, PARQ_RXQ(queue) + PARQ_RXQ_CTRL, 0);
	rig_rxq_up(&r, 0, queue, LOG2, BUF);
	expect(&r, &p, v->l4, PARQ_RX_HASH_L4);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* There is such a queue, so the table may name it, but nobody enabled it. */
static void queue_that_was_never_enabled(void **state)
{
	u8 table[PARQ_RSS_INDIR_LEN];
	const struct parq_rx_comp *comp;
	struct packet p;
	struct rig r;

	(void)state;
	rss_init(&r);
	memset(table, QUEUES, sizeof(table));
	set_table(&r, 0, table);
	rss_packet(&p, rss_vectors, IPPROTO_TCP, 30);
	assert_int_equal(receive(&r, 0, &p, &comp), -1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_drop_disabled), 1);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_drop_nobuf), 0);
	rig_fini(&r);
}

int main(void)
{
	static int stopped = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_flows),
		cmocka_unit_test(entry_of_a_flow),
		cmocka_unit_test(other_keys_and_flows),
		cmocka_unit_test(flows_that_come_again),
		cmocka_unit_test(no_hash_is_queue_0),
		cmocka_unit_test(hash_is_not_told),
		cmocka_unit_test(reset),
		cmocka_unit_test(ports_are_apart),
		cmocka_unit_test(queue_that_does_not_exist),
		cmocka_unit_test(queue_that_is_no_use),
		cmocka_unit_test_prestate(queue_that_is_no_use, &stopped),
		cmocka_unit_test(queue_that_was_never_enabled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
