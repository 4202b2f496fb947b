// SPDX-License-Identifier: GPL-2.0
/*
 * Rules and RSS contexts: random rules and packets against what the packets were made of, each
 * action, locations, what is refused, and changes while frames wait.
 */
#include "steer_flows.h"

#define FOUR		(PARQ_RSS_FIELDS_SRC | PARQ_RSS_FIELDS_DST | \
			 PARQ_RSS_FIELDS_SPORT | PARQ_RSS_FIELDS_DPORT)

/* The key of a packet, or of a rule, with its mask. */
struct match {
	u32 key[PARQ_RULE_WORDS];
	u32 mask[PARQ_RULE_WORDS];
};

static void begin(struct rig *r)
{
	queues_up(r);
	rig_assert_no_error(r);
}

/* @arg: also COUNT() */
static void set_rule(struct rig *r, u32 location, const struct match *m, u32 op, u32 arg)
{
	u32 i;

	for (i = 0; i < PARQ_RULE_WORDS; i++) {
		rig_write(r, 0, PARQ_RULE_KEY(i), m->key[i]);
		rig_write(r, 0, PARQ_RULE_MASK(i), m->mask[i]);
	}
	rig_write(r, 0, PARQ_RULE_ACTION, FIELD_PREP(PARQ_RULE_ACTION_OP, op) | arg);
	rig_write(r, 0, PARQ_RULE_SET, location);
}

static void remove_rule(struct rig *r, u32 location)
{
	rig_write(r, 0, PARQ_RULE_ACTION, 0);
	rig_write(r, 0, PARQ_RULE_SET, location);
}

#define COUNT(n)	(PARQ_RULE_ACTION_COUNTS | FIELD_PREP(PARQ_RULE_ACTION_COUNTER, n))

static u64 count_of(struct rig *r, u32 n, u32 lo)
{
	return rig_read(r, 0, PARQ_RULE_COUNT(n) + lo) |
	       (u64)rig_read(r, 0, PARQ_RULE_COUNT(n) + lo + 4) << 32;
}

static void assert_count(struct rig *r, u32 n, u64 frames, u64 bytes)
{
	assert_int_equal(count_of(r, n, PARQ_COUNT_FRAMES_LO), frames);
	assert_int_equal(count_of(r, n, PARQ_COUNT_BYTES_LO), bytes);
}

#define DROPPED		QUEUES

/* Return: the queue of a frame, or DROPPED. */
static u32 receive(struct rig *r, const u8 *data, u32 len, const struct parq_rx_comp **comp)
{
	u64 filtered = le64_to_cpu(rig_stats(r, 0)->rx_filtered);
	u32 before[QUEUES], q;

	for (q = 0; q < QUEUES; q++)
		before[q] = head_of(r, q);
	parqsim_rx(r->sim, 0, data, len, true);
	for (q = 0; q < QUEUES; q++) {
		if (head_of(r, q) == before[q])
			continue;
		assert_int_equal(le64_to_cpu(rig_stats(r, 0)->rx_filtered), filtered);
		rig_rx_tail(r, 0, q, head_of(r, q) + BIT(LOG2));
		*comp = rig_rx_comp(r, 0, q, before[q]);
		return q;
	}
	assert_int_equal(le64_to_cpu(rig_stats(r, 0)->rx_filtered), filtered + 1);
	return DROPPED;
}

/* ---- random packets and rules -------------------------------------------- */

static u32 be32_at(const u8 *p)
{
	return be16_at(p) << 16 | be16_at(p + 2);
}

static void ip_of_packet(struct match *m, const struct rss_vector *v, u8 proto, u8 ds)
{
	u32 half = v->addr_len / 2, i;

	m->key[PARQ_RULE_TYPES] |= half == 16 ? ETH_P_IPV6 : ETH_P_IP;
	m->key[PARQ_RULE_PROTO] |= proto | ds << 8 |
				   (half == 16 ? PARQ_RULE_PROTO_IPV6 : PARQ_RULE_PROTO_IPV4);
	for (i = 0; i < half; i += 4) {
		m->key[PARQ_RULE_IP_SRC + i / 4] = be32_at(v->addr + i);
		m->key[PARQ_RULE_IP_DST + i / 4] = be32_at(v->addr + half + i);
	}
	if (proto == IPPROTO_ICMP)
		return;
	m->key[PARQ_RULE_PROTO] |= PARQ_RULE_PROTO_PORTS;
	m->key[PARQ_RULE_PORTS] = v->sport << 16 | v->dport;
}

/* A packet of few kinds, so that rules match often. @m: its key. */
static void make(struct packet *p, struct match *m, u32 *seed)
{
	static const u8 protos[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP };
	struct rss_vector v = rss_vectors[rnd(seed, 2) ? 0 : 5];
	u8 proto = protos[rnd(seed, 3)], ds = rnd(seed, 2) * 0xb8;
	u32 tag = rnd(seed, 3);

	memset(m, 0, sizeof(*m));
	v.addr[3] = rnd(seed, 2);
	v.sport = rnd(seed, 3);
	v.dport = rnd(seed, 3);
	packet_eth(p);
	p->b[5] = rnd(seed, 2);
	p->b[11] = rnd(seed, 2);
	m->key[PARQ_RULE_DST_LO] = 2;
	m->key[PARQ_RULE_DST_HI] = p->b[5] << 8;
	m->key[PARQ_RULE_SRC_LO] = 2;
	m->key[PARQ_RULE_SRC_HI] = p->b[11] << 8;
	if (tag == 1) {
		packet_tag(p, ETH_P_8021AD, 0x7fff);
		m->key[PARQ_RULE_PROTO] = PARQ_RULE_PROTO_S_TAG;
	}
	if (tag == 2) {
		packet_tag(p, ETH_P_8021Q, 0x6000 | rnd(seed, 2));
		m->key[PARQ_RULE_TYPES] = be16_at(p->b + ETH_HLEN) << 16;
		m->key[PARQ_RULE_PROTO] = PARQ_RULE_PROTO_TAG;
	}
	ip_of_packet(m, &v, proto, ds);
	rss_ip(p, &v);
	if (v.addr_len == 32) {
		p->b[p->l3] |= ds >> 4;
		p->b[p->l3 + 1] |= ds << 4;
	} else {
		p->b[p->l3 + 1] = ds;
	}
	rss_l4(p, &v, proto == IPPROTO_TCP ? proto : IPPROTO_UDP, 30);
	p->b[p->next] = proto;
}

/* Some fields, or some bits of them, of a packet. */
static void mask(struct match *m, u32 *seed)
{
	u32 i, n = 3 + rnd(seed, 4);

	memset(m->mask, 0, sizeof(m->mask));
	for (i = 0; i < n; i++)
		m->mask[rnd(seed, PARQ_RULE_WORDS)] = rnd(seed, 2) ? ~0U : rnd(seed, ~0U);
	for (i = 0; i < PARQ_RULE_WORDS; i++)
		m->key[i] &= m->mask[i];
}

static bool matches(const struct match *rule, const struct match *packet)
{
	u32 i;

	for (i = 0; i < PARQ_RULE_WORDS; i++)
		if ((packet->key[i] ^ rule->key[i]) & rule->mask[i])
			return false;
	return true;
}

/*
 * The first rule that matches decides, and counts the frame, whatever was set and removed before.
 * Half of the rules count, two of them in a counter.
 */
static void first_match(void **state)
{
	u32 queue[PARQ_NUM_RULES], seed = 31, round, n, i, hits = 0;
	u64 frames[PARQ_NUM_RULES] = { 0 }, bytes[PARQ_NUM_RULES] = { 0 };
	static struct match rule[PARQ_NUM_RULES];
	const struct parq_rx_comp *comp;
	bool used[PARQ_NUM_RULES] = { false };
	struct match m;
	struct packet p;
	struct rig r;

	(void)state;
	begin(&r);
	for (round = 0; round < 3000; round++) {
		n = rnd(&seed, PARQ_NUM_RULES);
		used[n] = rnd(&seed, 4);
		if (used[n]) {
			make(&p, &rule[n], &seed);
			mask(&rule[n], &seed);
			queue[n] = rnd(&seed, QUEUES + 1);
			set_rule(&r, n, &rule[n],
				 queue[n] == DROPPED ? PARQ_RULE_DROP : PARQ_RULE_QUEUE,
				 queue[n] % QUEUES | (n % 2 ? COUNT(n / 4) : 0));
		} else {
			remove_rule(&r, n);
		}
		rig_assert_no_error(&r);
		make(&p, &m, &seed);
		for (i = 0; i < PARQ_NUM_RULES; i++)
			if (used[i] && matches(&rule[i], &m))
				break;
		hits += i < PARQ_NUM_RULES;
		if (i < PARQ_NUM_RULES && i % 2) {
			frames[i / 4]++;
			bytes[i / 4] += p.len;
		}
		assert_int_equal(receive(&r, p.b, p.len, &comp),
				 i < PARQ_NUM_RULES ? queue[i] : 0);
		/* Rules that match everything would hide the others. */
		if (i < PARQ_NUM_RULES && rnd(&seed, 2)) {
			used[i] = false;
			remove_rule(&r, i);
		}
	}
	assert_in_range(hits, 500, 2990);
	for (n = 0; n < PARQ_NUM_RULE_COUNTERS; n++) {
		assert_count(&r, n, frames[n], bytes[n]);
		hits -= frames[n];
	}
	assert_in_range(hits, 100, 2890);
	rig_fini(&r);
}

/* ---- contexts -------------------------------------------------------------- */

static void set_ctx(struct rig *r, u32 ctx, const u8 *key, u32 table, u32 fields)
{
	u32 n;

	for (n = 0; n < PARQ_RSS_KEY_LEN; n += 4)
		rig_write(r, 0, PARQ_RSS_CTX(ctx) + PARQ_CTX_KEY(n / 4), key[n] | key[n + 1] << 8 |
			  key[n + 2] << 16 | (u32)key[n + 3] << 24);
	for (n = 0; n < PARQ_RSS_INDIR_LEN / 4; n++)
		rig_write(r, 0, PARQ_RSS_CTX(ctx) + PARQ_CTX_INDIR(n), table);
	for (n = 0; n < PARQ_RSS_NUM_TYPES; n++)
		rig_write(r, 0, PARQ_RSS_CTX(ctx) + PARQ_CTX_FIELDS(n),
			  n == PARQ_RSS_UDP4 ? fields : 0);
	rig_write(r, 0, PARQ_RSS_CTX(ctx) + PARQ_CTX_CTRL, CTRL);
}

static void udp(struct packet *p, struct match *m, const struct rss_vector *v)
{
	rss_packet(p, v, IPPROTO_UDP, 30);
	*m = (struct match){ .mask[PARQ_RULE_PORTS] = 0xffff };
	m->key[PARQ_RULE_PORTS] = v->dport;
}

/* Each context has a key, a table and fields of its own. The port's are for the other frames. */
static void contexts(void **state)
{
	const struct rss_vector *v = &rss_vectors[0], *other = &rss_vectors[1];
	u8 key[PARQ_RSS_KEY_LEN], data[12];
	const struct parq_rx_comp *comp;
	u32 ctx, n, hash, seed = 8;
	struct packet p, q;
	struct match m;
	struct rig r;

	(void)state;
	begin(&r);
	udp(&q, &m, other);
	udp(&p, &m, v);
	memcpy(data, v->addr, 8);
	rss_ports(data + 8, v);
	for (ctx = 1; ctx <= PARQ_NUM_RSS_CTX; ctx++) {
		for (n = 0; n < sizeof(key); n++)
			key[n] = rnd(&seed, 256);
		hash = ref_toeplitz(key, data, sizeof(data));
		set_ctx(&r, ctx, key, 0x07060504, FOUR);
		set_rule(&r, 3, &m, PARQ_RULE_CTX, ctx);
		assert_int_equal(receive(&r, p.b, p.len, &comp), 4 + hash % 4);
		assert_int_equal(le32_to_cpu(comp->hash), hash);
		assert_true(le32_to_cpu(comp->flags) & PARQ_RX_HASH_L4);
		assert_int_equal(receive(&r, q.b, q.len, &comp), 0);
		assert_int_equal(le32_to_cpu(comp->hash), 0);
		/* Without a hash the first entry decides. */
		set_ctx(&r, ctx, key, 0x01020306, 0);
		assert_int_equal(receive(&r, p.b, p.len, &comp), 6);
		assert_int_equal(le32_to_cpu(comp->hash), 0);
	}
	/* A rule for context 0 leaves a frame to the port, although another rule follows. */
	set_rule(&r, 2, &m, PARQ_RULE_CTX, 0);
	assert_int_equal(receive(&r, p.b, p.len, &comp), 0);
	remove_rule(&r, 2);
	assert_int_equal(receive(&r, p.b, p.len, &comp), 6);
	rig_assert_no_error(&r);
	rig_fini(&r);
}

/* A write clears one counter, a rule that changes none, a reset all. */
static void counters(void **state)
{
	const struct parq_rx_comp *comp;
	struct packet p;
	struct match m;
	struct rig r;

	(void)state;
	begin(&r);
	udp(&p, &m, &rss_vectors[0]);
	set_rule(&r, 9, &m, PARQ_RULE_CTX, COUNT(63));
	assert_int_equal(receive(&r, p.b, p.len, &comp), 0);
	set_rule(&r, 9, &m, PARQ_RULE_DROP, COUNT(62));
	assert_int_equal(receive(&r, p.b, p.len, &comp), DROPPED);
	assert_int_equal(receive(&r, p.b, p.len, &comp), DROPPED);
	set_rule(&r, 9, &m, PARQ_RULE_QUEUE, 2);
	assert_int_equal(receive(&r, p.b, p.len, &comp), 2);
	assert_count(&r, 63, 1, p.len);
	assert_count(&r, 62, 2, 2 * p.len);
	rig_write(&r, 0, PARQ_RULE_COUNT(62) + PARQ_COUNT_BYTES_HI, 5);
	assert_count(&r, 62, 0, 0);
	assert_count(&r, 63, 1, p.len);
	rig_assert_no_error(&r);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	assert_count(&r, 63, 0, 0);
	rig_fini(&r);
}

static void refused(struct rig *r, enum parq_err err)
{
	assert_int_equal(FIELD_GET(PARQ_ERR_CAUSE, parqsim_read(r->sim, PARQ_ERR)), err);
	parqsim_write(r->sim, PARQ_ERR, 0);
}

/* What is refused changes nothing. */
static void refusals(void **state)
{
	const struct parq_rx_comp *comp;
	struct match m, bad;
	struct packet p;
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	udp(&p, &m, &rss_vectors[0]);
	set_rule(&r, 5, &m, PARQ_RULE_QUEUE, 3);
	rig_assert_no_error(&r);
	set_rule(&r, PARQ_NUM_RULES, &m, PARQ_RULE_QUEUE, 2);
	refused(&r, PARQ_ERR_RANGE);
	set_rule(&r, 5, &m, PARQ_RULE_QUEUE, QUEUES);
	refused(&r, PARQ_ERR_RANGE);
	set_rule(&r, 5, &m, PARQ_RULE_CTX, PARQ_NUM_RSS_CTX + 1);
	refused(&r, PARQ_ERR_RANGE);
	set_rule(&r, 5, &m, PARQ_RULE_DROP, 1);
	refused(&r, PARQ_ERR_RANGE);
	set_rule(&r, 5, &m, PARQ_RULE_NONE, 1);
	refused(&r, PARQ_ERR_RANGE);
	for (i = 0; i < PARQ_RULE_WORDS; i++) {
		bad = m;
		bad.key[i] = 1;
		bad.mask[i] = 0;
		set_rule(&r, 5, &bad, PARQ_RULE_QUEUE, 2);
		refused(&r, PARQ_ERR_RANGE);
	}
	assert_int_equal(receive(&r, p.b, p.len, &comp), 3);
	rig_write(&r, 0, PARQ_RSS_CTX(1) + PARQ_CTX_CTRL, BIT(7));
	refused(&r, PARQ_ERR_RESERVED);
	rig_write(&r, 0, PARQ_RSS_CTX(1) + PARQ_CTX_INDIR(0), QUEUES);
	refused(&r, PARQ_ERR_RANGE);
	rig_write(&r, 0, PARQ_RSS_CTX(1) + PARQ_CTX_FIELDS(PARQ_RSS_IPV4), FOUR);
	refused(&r, PARQ_ERR_RANGE);
	rig_write(&r, 0, PARQ_RSS_CTX(1) + PARQ_CTX_FIELDS(PARQ_RSS_NUM_TYPES), 0);
	refused(&r, PARQ_ERR_ACCESS);
	rig_write(&r, 0, PARQ_RSS_CTX(PARQ_NUM_RSS_CTX + 1), 0);
	refused(&r, PARQ_ERR_ACCESS);
	rig_fini(&r);
}

/* A reset removes rules and contexts. A frame with a bad FCS matches none. */
static void reset(void **state)
{
	const struct parq_rx_comp *comp;
	struct packet p;
	struct match m;
	struct rig r;

	(void)state;
	begin(&r);
	udp(&p, &m, &rss_vectors[0]);
	set_rule(&r, 0, &m, PARQ_RULE_QUEUE, 3);
	assert_int_equal(receive(&r, p.b, p.len, &comp), 3);
	rig_write(&r, 0, PARQ_PORT_CTRL, PORT_CTRL | PARQ_PORT_CTRL_RX_FCS_ERR);
	parqsim_rx(r.sim, 0, p.b, p.len, false);
	assert_int_equal(head_of(&r, 0), 1);
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	r.used = 0;
	rig_start(&r, PARQ_SPEED_10G, true);
	rig_rxq_up(&r, 0, 0, LOG2, BUF);
	rig_write(&r, 0, PARQ_PORT_CTRL, PORT_CTRL);
	assert_int_equal(receive(&r, p.b, p.len, &comp), 0);
	rig_fini(&r);
}

/* ---- frames that wait ------------------------------------------------------ */

/* One tagged frame of each flow. */
static void receive_flows(struct rig *r, u32 seq)
{
	struct rss_vector v = rss_vectors[0];
	struct packet p;
	u32 i;

	for (i = 0; i < FLOWS; i++) {
		v.dport = 1000 + i;
		packet_eth(&p);
		packet_tag(&p, ETH_P_8021Q, i % 4);
		rss_ip(&p, &v);
		rss_l4(&p, &v, IPPROTO_UDP, 30);
		receive_flow(r, &p, i, seq);
	}
}

/* By port or by VLAN, which the frames that wait do not have any more. */
static void change(struct rig *r, u32 *seed)
{
	u32 location = rnd(seed, 8), op = rnd(seed, 2) ? PARQ_RULE_QUEUE : PARQ_RULE_CTX;
	struct match m = { .mask[0] = 0 };

	if (!rnd(seed, 3)) {
		remove_rule(r, location);
		return;
	}
	if (rnd(seed, 2)) {
		m.mask[PARQ_RULE_PORTS] = 0xffff;
		m.key[PARQ_RULE_PORTS] = 1000 + rnd(seed, FLOWS);
	} else {
		m.mask[PARQ_RULE_TYPES] = FIELD_PREP(PARQ_RULE_TYPES_TCI, 0xfff);
		m.key[PARQ_RULE_TYPES] = FIELD_PREP(PARQ_RULE_TYPES_TCI, rnd(seed, 4));
		m.mask[PARQ_RULE_PROTO] = PARQ_RULE_PROTO_TAG;
		m.key[PARQ_RULE_PROTO] = PARQ_RULE_PROTO_TAG;
	}
	set_rule(r, location, &m, op, op == PARQ_RULE_QUEUE ? rnd(seed, QUEUES) : rnd(seed, 4));
}

static void rules_change_while_frames_wait(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	begin(&r);
	rig_write(&r, 0, PARQ_PORT_CTRL, PORT_CTRL | PARQ_PORT_CTRL_VLAN_STRIP);
	for (i = 1; i < 4; i++)
		set_ctx(&r, i, rss_key, i % 2 ? 0x07060504 : 0x03020100, FOUR);
	change_while_frames_wait(&r, 12, receive_flows, change);
	rig_fini(&r);
}

/* A rule drops what comes after it. */
static void accepted_before_the_drop(void **state)
{
	struct match m = { .mask[0] = 0 };
	u32 first[QUEUES] = { 0 };
	struct rig r;

	(void)state;
	begin(&r);
	hold_all(&r, true);
	receive_flows(&r, 0);
	set_rule(&r, 9, &m, PARQ_RULE_DROP, COUNT(0));
	receive_flows(&r, 1);
	hold_all(&r, false);
	assert_int_equal(count_of(&r, 0, PARQ_COUNT_FRAMES_LO), FLOWS);
	assert_int_equal(check_flows(&r, first), FLOWS);
	assert_int_equal(le64_to_cpu(rig_stats(&r, 0)->rx_filtered), FLOWS);
	remove_rule(&r, 9);
	receive_flows(&r, 2);
	assert_int_equal(check_flows(&r, first), FLOWS);
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_match),
		cmocka_unit_test(contexts),
		cmocka_unit_test(counters),
		cmocka_unit_test(refusals),
		cmocka_unit_test(reset),
		cmocka_unit_test(rules_change_while_frames_wait),
		cmocka_unit_test(accepted_before_the_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
