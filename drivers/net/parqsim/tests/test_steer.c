// SPDX-License-Identifier: GPL-2.0
/*
 * Fields that are hashed, by type of packet, and the symmetric hash, against hashes by the
 * definition. Settings change while frames wait: the frames of a flow go to one queue.
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

#define QUEUES		8
#define LOG2		10
#define BUF		256
#define CTRL		(PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_FIELDS)
#define ADDRS		(PARQ_RSS_FIELDS_SRC | PARQ_RSS_FIELDS_DST)
#define PORTS		(PARQ_RSS_FIELDS_SPORT | PARQ_RSS_FIELDS_DPORT)
#define LABEL		0xabcde

static const struct parqsim_config config = {
	.ports = 1, .txq = RIG_QUEUES, .rxq = QUEUES, .depth = 32, .clk_ps = 1000,
	.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .addr = { 2, 0, 0, 0, 0, 1 },
	.rx_buffer = PARQSIM_RX_BUFFER_MIN,
};

static void set_key(struct rig *r, const u8 *key)
{
	u32 n;

	for (n = 0; n < PARQ_RSS_KEY_LEN; n += 4)
		rig_write(r, 0, PARQ_RSS_KEY(n / 4), key[n] | key[n + 1] << 8 |
			  key[n + 2] << 16 | (u32)key[n + 3] << 24);
}

/* Entry n of the table names queue n modulo 8, so the queue tells three bits of the hash. */
static void begin(struct rig *r)
{
	u32 i;

	rig_init(r, &config, PARQ_SPEED_100G, true);
	for (i = 0; i < QUEUES; i++)
		rig_rxq_up(r, 0, i, LOG2, BUF);
	rig_write(r, 0, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC |
		  PARQ_PORT_CTRL_RX_HASH);
	set_key(r, rss_key);
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		rig_write(r, 0, PARQ_RSS_INDIR(i), i % 2 ? 0x07060504 : 0x03020100);
	rig_write(r, 0, PARQ_RSS_CTRL, CTRL);
	rig_assert_no_error(r);
}

static u32 head_of(struct rig *r, u32 queue)
{
	return rig_read(r, 0, PARQ_RXQ(queue) + PARQ_RXQ_HEAD);
}

/* Delivers a frame. Return: its completion. @queue: its queue. */
static const struct parq_rx_comp *receive(struct rig *r, const struct packet *p, u32 *queue)
{
	u32 before[QUEUES], q;

	for (q = 0; q < QUEUES; q++)
		before[q] = head_of(r, q);
	parqsim_rx(r->sim, 0, p->b, p->len, true);
	for (q = 0; q < QUEUES; q++)
		if (head_of(r, q) != before[q])
			break;
	assert_in_range(q, 0, QUEUES - 1);
	*queue = q;
	return rig_rx_comp(r, 0, q, before[q]);
}

static void make(struct packet *p, const struct rss_vector *v, u8 proto)
{
	rss_packet(p, v, proto == IPPROTO_TCP ? proto : IPPROTO_UDP, 30);
	p->b[p->next] = proto;
	if (v->addr_len == 32) {
		p->b[p->l3 + 1] |= LABEL >> 16;
		set_be16(p->b + p->l3 + 2, LABEL & 0xffff);
	}
}

/* The hash of some fields: those that are not hashed are 0. */
static u32 hash_of(const u8 *key, const struct rss_vector *v, u32 fields, bool sym)
{
	u8 data[36] = { 0 }, *ports = data + v->addr_len;
	u32 half = v->addr_len / 2, i;

	if (fields & PARQ_RSS_FIELDS_SRC)
		memcpy(data, v->addr, half);
	if (fields & PARQ_RSS_FIELDS_DST)
		memcpy(data + half, v->addr + half, half);
	if (fields & PARQ_RSS_FIELDS_SPORT)
		set_be16(ports, v->sport);
	if (fields & PARQ_RSS_FIELDS_DPORT)
		set_be16(ports + 2, v->dport);
	for (i = 0; sym && i < half; i++) {
		data[i] ^= data[half + i];
		data[half + i] = data[i];
	}
	for (i = 0; sym && i < 2; i++) {
		ports[i] ^= ports[2 + i];
		ports[2 + i] = ports[i];
	}
	if (fields & PARQ_RSS_FIELDS_LABEL) {
		ports[1] ^= LABEL >> 16;
		ports[2] ^= LABEL >> 8 & 0xff;
		ports[3] ^= LABEL & 0xff;
	}
	return ref_toeplitz(key, data, v->addr_len + 4);
}

static void expect(struct rig *r, const struct packet *p, u32 fields, u32 hash)
{
	u32 type = !fields ? 0 : (fields & PORTS) == PORTS ? PARQ_RX_HASH_L4 : PARQ_RX_HASH_L3;
	const struct parq_rx_comp *comp;
	u32 queue;

	comp = receive(r, p, &queue);
	assert_int_equal(le32_to_cpu(comp->flags) & (PARQ_RX_HASH_L3 | PARQ_RX_HASH_L4), type);
	assert_int_equal(le32_to_cpu(comp->hash), fields ? hash : 0);
	assert_int_equal(queue, fields ? hash % QUEUES : 0);
}

static bool legal(u32 type, u32 fields)
{
	if ((fields & PARQ_RSS_FIELDS_LABEL) && type < PARQ_RSS_IPV6)
		return false;
	return !(fields & PORTS) || (type != PARQ_RSS_IPV4 && type != PARQ_RSS_IPV6);
}

/* Each set of fields of each type: it is hashed, and no other type is; or it is refused. */
static void each_set_of_fields(void **state)
{
	static const u8 protos[] = { IPPROTO_ICMP, IPPROTO_TCP, IPPROTO_UDP };
	u32 type, fields, other;
	struct packet p;
	struct rig r;

	(void)state;
	begin(&r);
	for (type = 0; type < PARQ_RSS_NUM_TYPES; type++)
		for (fields = 0; fields < BIT(6); fields++) {
			rig_write(&r, 0, PARQ_RSS_FIELDS(type), fields);
			if (!legal(type, fields) || fields >= BIT(5)) {
				assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE,
							   parqsim_read(r.sim, PARQ_ERR)),
						 fields >= BIT(5) ? PARQ_ERR_RESERVED :
						 PARQ_ERR_RANGE);
				parqsim_write(r.sim, PARQ_ERR, 0);
				rig_write(&r, 0, PARQ_RSS_FIELDS(type), 0);
				continue;
			}
			for (other = 0; other < PARQ_RSS_NUM_TYPES; other++) {
				const struct rss_vector *v = &rss_vectors[other < 3 ? 1 : 6];

				make(&p, v, protos[other % 3]);
				expect(&r, &p, other == type ? fields : 0,
				       hash_of(rss_key, v, fields, false));
			}
			rig_write(&r, 0, PARQ_RSS_FIELDS(type), 0);
		}
	rig_fini(&r);
}

static void swap(struct rss_vector *v)
{
	u32 half = v->addr_len / 2;
	struct rss_vector was = *v;

	memcpy(v->addr, was.addr + half, half);
	memcpy(v->addr + half, was.addr, half);
	v->sport = was.dport;
	v->dport = was.sport;
}

/* Both directions of a flow have one hash, that of the definition; flows have different ones. */
static void symmetric(void **state)
{
	u32 i, n, type, fields, used = 0, seed = 99;
	struct rss_vector v;
	struct packet p;
	struct rig r;
	u32 hash;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_RSS_CTRL, CTRL | PARQ_RSS_CTRL_SYM);
	for (i = 0; i < 500; i++) {
		type = rnd(&seed, 2) ? PARQ_RSS_UDP6 : PARQ_RSS_TCP4;
		fields = rnd(&seed, 2) ? ADDRS | PORTS : ADDRS;
		rig_write(&r, 0, PARQ_RSS_FIELDS(type), fields);
		v.addr_len = type == PARQ_RSS_UDP6 ? 32 : 8;
		for (n = 0; n < v.addr_len; n++)
			v.addr[n] = rnd(&seed, 256);
		v.sport = rnd(&seed, 65536);
		v.dport = rnd(&seed, 65536);
		hash = hash_of(rss_key, &v, fields, true);
		make(&p, &v, type == PARQ_RSS_UDP6 ? IPPROTO_UDP : IPPROTO_TCP);
		expect(&r, &p, fields, hash);
		swap(&v);
		make(&p, &v, type == PARQ_RSS_UDP6 ? IPPROTO_UDP : IPPROTO_TCP);
		expect(&r, &p, fields, hash);
		used |= BIT(hash % QUEUES);
	}
	assert_int_equal(used, BIT(QUEUES) - 1);
	rig_fini(&r);
}

/* Without FIELDS the four bits of RSS_CTRL decide, whatever was set before. */
static void fields_are_off(void **state)
{
	const struct rss_vector *v = &rss_vectors[0];
	struct packet p;
	struct rig r;

	(void)state;
	begin(&r);
	make(&p, v, IPPROTO_TCP);
	rig_write(&r, 0, PARQ_RSS_FIELDS(PARQ_RSS_TCP4), PARQ_RSS_FIELDS_SRC);
	expect(&r, &p, PARQ_RSS_FIELDS_SRC, hash_of(rss_key, v, PARQ_RSS_FIELDS_SRC, false));
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL);
	expect(&r, &p, ADDRS | PORTS, v->l4);
	rig_write(&r, 0, PARQ_RSS_CTRL, RSS_ALL | PARQ_RSS_CTRL_SYM);
	expect(&r, &p, ADDRS | PORTS, hash_of(rss_key, v, ADDRS | PORTS, true));
	rig_write(&r, 0, PARQ_RSS_CTRL, CTRL);
	expect(&r, &p, PARQ_RSS_FIELDS_SRC, hash_of(rss_key, v, PARQ_RSS_FIELDS_SRC, false));
	rig_fini(&r);
}

/* ---- frames that wait ---------------------------------------------------- */

#define FLOWS		16

static void hold_all(struct rig *r, bool hold)
{
	u32 q, at, ctrl;

	for (q = 0; q < QUEUES; q++) {
		at = PARQ_RXQ(q) + PARQ_RXQ_CTRL;
		ctrl = rig_read(r, 0, at) & ~PARQ_RXQ_CTRL_HOLD;
		rig_write(r, 0, at, ctrl | (hold ? PARQ_RXQ_CTRL_HOLD : 0));
	}
}

/* One frame of each flow; its number is in the last bytes. */
static void receive_flows(struct rig *r, u32 seq)
{
	struct rss_vector v = rss_vectors[0];
	struct packet p;
	u32 i;

	for (i = 0; i < FLOWS; i++) {
		v.sport = 1000 + i;
		make(&p, &v, IPPROTO_UDP);
		p.b[p.len - 2] = i;
		p.b[p.len - 1] = seq;
		parqsim_rx(r->sim, 0, p.b, p.len, true);
	}
}

/* Behind the last byte of a frame. */
static const u8 *end_of(struct rig *r, u32 queue, u32 pos)
{
	const struct rig_rxq *q = &r->port[0].rxq[queue];

	return (u8 *)rig_ptr(r, q->bufs + (pos & (BIT(q->log2) - 1)) * q->buf, q->buf) +
	       le16_to_cpu(rig_rx_comp(r, 0, queue, pos)->len);
}

/* Each flow has @frames frames, in order, all of them in one queue. Returns them. */
static void expect_flows(struct rig *r, u32 *first, u32 frames)
{
	int queue_of[FLOWS], seq[FLOWS];
	u32 q, i, flow, head, total = 0;
	const u8 *b;

	memset(queue_of, -1, sizeof(queue_of));
	memset(seq, -1, sizeof(seq));
	for (q = 0; q < QUEUES; q++) {
		head = head_of(r, q);
		for (i = first[q]; i != head; i++, total++) {
			b = end_of(r, q, i);
			flow = b[-2];
			assert_true(queue_of[flow] < 0 || queue_of[flow] == (int)q);
			assert_true(seq[flow] < b[-1]);
			queue_of[flow] = q;
			seq[flow] = b[-1];
		}
		first[q] = head;
		rig_rx_tail(r, 0, q, head + BIT(LOG2));
	}
	assert_int_equal(total, FLOWS * frames);
}

static void change(struct rig *r, u32 *seed)
{
	u8 key[PARQ_RSS_KEY_LEN];
	u32 n;

	switch (rnd(seed, 3)) {
	case 0:
		for (n = 0; n < sizeof(key); n++)
			key[n] = rnd(seed, 256);
		set_key(r, key);
		break;
	case 1:
		rig_write(r, 0, PARQ_RSS_FIELDS(PARQ_RSS_UDP4), rnd(seed, 16));
		break;
	default:
		rig_write(r, 0, PARQ_RSS_CTRL, CTRL | (rnd(seed, 2) ? PARQ_RSS_CTRL_SYM : 0));
	}
}

/*
 * Frames that have waited while a setting changed go to the queues of frames that come after the
 * change, before them.
 */
static void settings_change_while_frames_wait(void **state)
{
	u32 first[QUEUES] = { 0 }, seed = 5, i, n, frames;
	struct rig r;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_RSS_FIELDS(PARQ_RSS_UDP4), ADDRS | PORTS);
	for (i = 0; i < 1000; i++) {
		hold_all(&r, true);
		frames = 1 + rnd(&seed, 6);
		for (n = 0; n < frames; n++) {
			receive_flows(&r, n);
			change(&r, &seed);
		}
		receive_flows(&r, n);
		hold_all(&r, false);
		receive_flows(&r, n + 1);
		expect_flows(&r, first, frames + 2);
	}
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_drop_buffer), 0);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_of_fields),
		cmocka_unit_test(symmetric),
		cmocka_unit_test(fields_are_off),
		cmocka_unit_test(settings_change_while_frames_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
