// SPDX-License-Identifier: GPL-2.0
/*
 * Fields that are hashed, by type of packet, and the symmetric hash, against hashes by the
 * definition. Settings change while frames wait: the frames of a flow go to one queue.
 */
#include "steer_flows.h"

#define ADDRS		(PARQ_RSS_FIELDS_SRC | PARQ_RSS_FIELDS_DST)
#define PORTS		(PARQ_RSS_FIELDS_SPORT | PARQ_RSS_FIELDS_DPORT)
#define LABEL		0xabcde

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

	queues_up(r);
	set_key(r, rss_key);
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		rig_write(r, 0, PARQ_RSS_INDIR(i), i % 2 ? 0x07060504 : 0x03020100);
	rig_write(r, 0, PARQ_RSS_CTRL, CTRL);
	rig_assert_no_error(r);
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

/* One frame of each flow. */
static void receive_flows(struct rig *r, u32 seq)
{
	struct rss_vector v = rss_vectors[0];
	struct packet p;
	u32 i;

	for (i = 0; i < FLOWS; i++) {
		v.sport = 1000 + i;
		make(&p, &v, IPPROTO_UDP);
		receive_flow(r, &p, i, seq);
	}
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

static void settings_change_while_frames_wait(void **state)
{
	struct rig r;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_RSS_FIELDS(PARQ_RSS_UDP4), ADDRS | PORTS);
	change_while_frames_wait(&r, 5, receive_flows, change);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_drop_buffer), 0);
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
