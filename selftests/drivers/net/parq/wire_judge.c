// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire_judge.h"

#define ETH_HDR_LEN	14
#define VLAN_TAG_LEN	4
#define ETHERTYPE_IPV4	0x0800
#define ETHERTYPE_VLAN	0x8100
#define PROTO_UDP	17
#define UDP_HDR_LEN	8

#define PREAMBLE	8
#define FCS_LEN		4
#define GAP		12

/* Time stamps are cut off to whole nanoseconds. */
#define STAMP_NS	1

static uint32_t get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint64_t bits_ns(const struct wire_judge *j, uint64_t bits)
{
	return bits * 1000 / j->mbit;
}

/* ---- time --------------------------------------------------------------- */

static enum wire_window window(const struct wire_judge *j, uint32_t prio)
{
	uint32_t i;

	if (j->cls[prio].paused)
		return WIRE_SELF_PAUSED;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (j->cls[i].paused)
			return WIRE_OTHERS_PAUSED;
	return WIRE_ALL_FREE;
}

static void pass_time(struct wire_judge *j, uint64_t to)
{
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		j->cls[i].pending[window(j, i)].ns += to - j->now;
	j->now = to;
}

static void pause_fall(struct wire_judge *j, struct wire_class *c)
{
	c->paused = false;
	c->until = j->now;
	c->paused_ns += j->now - c->since;
}

/* Up to @to, pauses that run out on the way included. */
static void advance(struct wire_judge *j, uint64_t to)
{
	struct wire_class *first;
	uint32_t i;

	for (;;) {
		first = NULL;
		for (i = 0; i < PARQ_NUM_PRIO; i++)
			if (j->cls[i].paused && j->cls[i].until <= to &&
			    (!first || j->cls[i].until < first->until))
				first = &j->cls[i];
		if (!first)
			break;
		pass_time(j, first->until);
		pause_fall(j, first);
	}
	pass_time(j, to);
}

/* ---- what the port receives --------------------------------------------- */

/* Only time between two PFC frames counts: the traffic is sure to flow there. */
static void commit_rates(struct wire_judge *j)
{
	uint32_t i, w;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct wire_class *c = &j->cls[i];

		for (w = 0; w < WIRE_NUM_WINDOWS; w++) {
			if (j->pfc_seen) {
				c->rate[w].ns += c->pending[w].ns;
				c->rate[w].bytes += c->pending[w].bytes;
			}
			c->pending[w] = (struct wire_rate){ 0 };
		}
	}
	j->pfc_seen = true;
}

/* The frame being sent goes on to its end, which the gap is not part of. */
static void respond(struct wire_judge *j, struct wire_class *c)
{
	uint64_t end = j->wire_free - bits_ns(j, GAP * 8);

	if (j->last == c && end > j->now && end - j->now > c->response_ns)
		c->response_ns = end - j->now;
}

static void pause_load(struct wire_judge *j, struct wire_class *c,
		       uint32_t quanta)
{
	if (!quanta) {
		if (c->paused)
			pause_fall(j, c);
		return;
	}
	if (c->paused) {
		c->reloads++;
	} else {
		if (c->pauses && j->now - c->until < WIRE_REPAUSE_NS)
			c->repauses++;
		c->pauses++;
		c->paused = true;
		respond(j, c);
		c->since = j->now;
	}
	c->until = j->now + bits_ns(j, (uint64_t)quanta * PFC_QUANTUM_BITS);
}

/* The time is where a PFC frame has its vector. */
static void link_pause(struct wire_judge *j, const struct pfc_frame *f)
{
	uint32_t i;

	j->pause_frames++;
	for (i = 0; !j->pfc_seen && i < PARQ_NUM_PRIO; i++)
		pause_load(j, &j->cls[i], ntohs(f->vector));
}

static void received(struct wire_judge *j, const uint8_t *data, uint32_t caplen)
{
	static const uint8_t dst[6] = PFC_DST;
	struct pfc_frame f;
	uint32_t i;

	if (caplen < sizeof(f) || get_be16(data + 12) != PFC_ETHERTYPE)
		return;
	memcpy(&f, data, sizeof(f));
	if (memcmp(f.dst, dst, 6) && memcmp(f.dst, j->addr, 6)) {
		j->bad_ctrl++;
		return;
	}
	if (j->link_pause && ntohs(f.opcode) == PAUSE_OPCODE) {
		link_pause(j, &f);
		return;
	}
	if (ntohs(f.opcode) != PFC_OPCODE) {
		j->bad_ctrl++;
		return;
	}
	commit_rates(j);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (!(ntohs(f.vector) & 1 << i))
			continue;
		if (!(j->pfc_en & 1 << i))
			continue;
		j->cls[i].pfc += !!f.time[i];
		pause_load(j, &j->cls[i], ntohs(f.time[i]));
	}
}

/* ---- what the port sends ------------------------------------------------ */

/*
 * Finds the tag of a test frame. @pcp: priority in the VLAN tag, -1 without.
 * Return: whether it is one.
 */
static bool parse_tag(const uint8_t *data, uint32_t caplen,
		      struct parq_tag *tag, int *pcp)
{
	uint32_t at = ETH_HDR_LEN;

	*pcp = -1;
	if (caplen >= at + VLAN_TAG_LEN && get_be16(data + 12) == ETHERTYPE_VLAN) {
		*pcp = data[ETH_HDR_LEN] >> 5;
		at += VLAN_TAG_LEN;
	}
	if (caplen < at + 20 || get_be16(data + at - 2) != ETHERTYPE_IPV4 ||
	    data[at + 9] != PROTO_UDP)
		return false;
	at += (data[at] & 0xf) * 4;
	if (caplen < at + UDP_HDR_LEN + sizeof(*tag) ||
	    get_be16(data + at + 2) != PARQ_PORT)
		return false;
	memcpy(tag, data + at + UDP_HDR_LEN, sizeof(*tag));
	return ntohl(tag->magic) == PARQ_TAG_MAGIC &&
	       ntohs(tag->flow) < PARQ_MAX_FLOWS;
}

static void remember(struct wire_flow *f, uint64_t seq)
{
	uint64_t size = f->size ? f->size : 64;

	while (size <= seq / 8)
		size *= 2;
	if (size != f->size) {
		f->seen = realloc(f->seen, size);
		if (!f->seen) {
			perror("sequence numbers");
			exit(1);
		}
		memset(f->seen + f->size, 0, size - f->size);
		f->size = size;
	}
	f->seen[seq / 8] |= 1 << seq % 8;
}

static void count_seq(struct wire_flow *f, uint64_t seq)
{
	if (seq < f->size * 8 && f->seen[seq / 8] & 1 << seq % 8) {
		f->twice++;
		return;
	}
	if (seq < f->next)
		f->late++;
	else
		f->next = seq + 1;
	f->frames++;
	remember(f, seq);
}

static void sent(struct wire_judge *j, const uint8_t *data, uint32_t caplen,
		 uint32_t len)
{
	struct wire_class *c;
	struct parq_tag tag;
	int pcp;

	if (j->now + STAMP_NS < j->wire_free)
		j->overlaps++;
	j->wire_free = j->now +
		       bits_ns(j, (PREAMBLE + len + FCS_LEN + GAP) * 8ULL);
	j->last = NULL;
	if (!parse_tag(data, caplen, &tag, &pcp)) {
		j->others++;
		return;
	}
	c = &j->cls[ntohs(tag.flow) % PARQ_NUM_PRIO];
	j->last = c;
	if (pcp >= 0 && c != &j->cls[pcp])
		j->mislabelled++;
	c->frames++;
	c->bytes += len;
	c->pending[window(j, c - j->cls)].bytes += len;
	/* A frame that begins in the nanosecond of the pause is not a leak. */
	if (c->paused && j->now + STAMP_NS - c->since >= j->storm_ns)
		c->stormed++;
	else if (c->paused && j->now > c->since && !c->leaks++)
		c->first_leak = j->now;
	count_seq(&j->flow[ntohs(tag.flow)], ntohl(tag.seq));
}

/* ---- life --------------------------------------------------------------- */

/**
 * wire_judge_init() - begin
 * @j: to initialise
 * @addr: MAC address of the port
 * @mbit: speed of its link, Mb/s
 * @pfc_en: priorities with PFC, BIT(priority)
 */
void wire_judge_init(struct wire_judge *j, const uint8_t addr[6],
		     uint32_t mbit, uint8_t pfc_en)
{
	*j = (struct wire_judge){
		.mbit = mbit,
		.pfc_en = pfc_en,
		.storm_ns = UINT64_MAX,
	};
	memcpy(j->addr, addr, sizeof(j->addr));
}

void wire_judge_fini(struct wire_judge *j)
{
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++)
		free(j->flow[i].seen);
}

/**
 * wire_judge_sent() - what the sender says
 * @j: the judge
 * @flow: a flow
 * @sent: how many frames of it were sent
 */
void wire_judge_sent(struct wire_judge *j, uint32_t flow, uint64_t sent)
{
	j->flow[flow].sent = sent;
	j->flow[flow].announced = true;
}

/**
 * wire_judge_frame() - a frame passes
 * @j: the judge
 * @ns: when: its start if the port sends it, its end if it receives it
 * @data: the frame
 * @caplen: bytes of it that were recorded
 * @len: its bytes without FCS
 */
void wire_judge_frame(struct wire_judge *j, uint64_t ns, const uint8_t *data,
		      uint32_t caplen, uint32_t len)
{
	if (caplen < ETH_HDR_LEN)
		return;
	if (!j->now)
		j->now = ns;
	if (ns < j->now)
		j->backwards++;
	else
		advance(j, ns);
	if (memcmp(data + 6, j->addr, sizeof(j->addr)))
		received(j, data, caplen);
	else
		sent(j, data, caplen, len);
}

/* No more frames: a pause that still runs ends here. */
void wire_judge_end(struct wire_judge *j)
{
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++)
		if (j->flow[i].announced && j->flow[i].next > j->flow[i].sent)
			j->unannounced += j->flow[i].next - j->flow[i].sent;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (j->cls[i].paused)
			pause_fall(j, &j->cls[i]);
}

/**
 * wire_judge_sums() - what has become of the frames of a class
 * @j: the judge
 * @prio: the class
 *
 * Return: sums over its flows.
 */
struct wire_sums wire_judge_sums(const struct wire_judge *j, uint32_t prio)
{
	struct wire_sums s = { 0 };
	uint32_t i;

	for (i = prio; i < PARQ_MAX_FLOWS; i += PARQ_NUM_PRIO) {
		const struct wire_flow *f = &j->flow[i];
		uint64_t end = f->sent > f->next ? f->sent : f->next;

		s.lost += end - f->frames;
		s.twice += f->twice;
		s.late += f->late;
	}
	return s;
}

uint64_t wire_judge_violations(const struct wire_judge *j)
{
	uint64_t n = j->backwards + j->overlaps + j->mislabelled +
		     j->unannounced;
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		struct wire_sums s = wire_judge_sums(j, i);

		n += j->cls[i].leaks + s.lost + s.twice + s.late;
	}
	return n;
}
