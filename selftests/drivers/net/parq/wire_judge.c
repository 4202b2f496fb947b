// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "options.h"
#include "wire_judge.h"

#define PREAMBLE	8
#define FCS_LEN		4
#define GAP		12

/* Time stamps are cut off to whole nanoseconds. */
#define STAMP_NS	1

static uint64_t bits_ns(const struct wire_judge *j, uint64_t bits)
{
	return bits * j->per_us / j->mbit;
}

static uint64_t quanta_ns(const struct wire_judge *j, uint64_t quanta)
{
	return bits_ns(j, quanta * PFC_QUANTUM_BITS);
}

/* ---- time --------------------------------------------------------------- */

static enum wire_window window(const struct wire_judge *j, uint32_t prio)
{
	if (j->paused & 1 << prio)
		return WIRE_SELF_PAUSED;
	return j->paused & ~(1U << WIRE_LINK) ? WIRE_OTHERS_PAUSED : WIRE_ALL_FREE;
}

static void pass_time(struct wire_judge *j, uint64_t to)
{
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		j->cls[i].pending[window(j, i)].ns += to - j->now;
	j->now = to;
}

static void pause_tell(struct wire_judge *j, struct wire_class *c)
{
	if (c->ended && j->tell_pause)
		j->tell_pause(j->ctx, c - j->cls, &c->pause);
	c->ended = false;
}

static void pause_fall(struct wire_judge *j, struct wire_class *c,
		       enum wire_end by)
{
	j->paused &= ~(1U << (c - j->cls));
	c->ended = true;
	c->until = j->now;
	c->pause.end = j->now;
	c->pause.end_by = by;
	c->paused_ns += j->now - c->pause.begin;
}

/**
 * wire_judge_time() - time passes
 * @j: the judge
 * @to: up to here; pauses that run out on the way end
 */
void wire_judge_time(struct wire_judge *j, uint64_t to)
{
	struct wire_class *first;
	uint32_t i;

	while (j->paused) {
		first = NULL;
		for (i = 0; i <= WIRE_LINK; i++)
			if (j->paused & 1 << i && j->cls[i].until <= to &&
			    (!first || j->cls[i].until < first->until))
				first = &j->cls[i];
		if (!first)
			break;
		pass_time(j, first->until);
		pause_fall(j, first, WIRE_END_TIME);
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
	bool paused = j->paused & 1 << (c - j->cls);

	if (!quanta) {
		if (paused)
			pause_fall(j, c, WIRE_END_XON);
		return;
	}
	if (paused) {
		c->reloads++;
		c->pause.reloads++;
	} else {
		pause_tell(j, c);
		if (c->pauses && j->now - c->until < WIRE_REPAUSE_NS)
			c->repauses++;
		c->pauses++;
		j->paused |= 1 << (c - j->cls);
		c->pause = (struct wire_pause){ .begin = j->now };
		respond(j, c);
	}
	c->until = j->now + quanta_ns(j, quanta);
}

static void received(struct wire_judge *j, const struct wire_frame *f)
{
	static const uint8_t dst[6] = PFC_DST;
	bool pfc = f->kind == WIRE_PFC;
	uint32_t i;

	if (f->kind == WIRE_DATA)
		return;
	if ((memcmp(f->dst, dst, 6) && memcmp(f->dst, j->addr, 6)) ||
	    f->kind == WIRE_OTHER_CTRL) {
		j->bad_ctrl++;
		return;
	}
	if (pfc) {
		commit_rates(j);
	} else {
		pause_load(j, &j->cls[WIRE_LINK], f->quanta[0]);
		j->pause_frames += j->link_pause;
		j->bad_ctrl += !j->link_pause;
		if (!j->link_pause || j->pfc_seen)
			return;
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (!(f->vector & 1 << i) || (pfc && !(j->pfc_en & 1 << i)))
			continue;
		j->cls[i].pfc += pfc && f->quanta[i];
		pause_load(j, &j->cls[i], f->quanta[i]);
	}
}

/* ---- what the port sends ------------------------------------------------ */

/* A bit for each number of 32 bits. Only pages of numbers that were seen take memory. */
#define SEEN_BYTES	(1UL << 29)

static uint8_t *seen_alloc(void)
{
	void *seen = mmap(NULL, SEEN_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (seen == MAP_FAILED) {
		perror("sequence numbers");
		exit(OPTIONS_BAD_USAGE);
	}
	return seen;
}

static void count_seq(struct wire_flow *f, uint32_t seq)
{
	uint8_t bit = 1 << seq % 8;

	if (!f->seen)
		f->seen = seen_alloc();
	if (f->seen[seq / 8] & bit) {
		f->twice++;
		return;
	}
	f->seen[seq / 8] |= bit;
	if (seq < f->next)
		f->late++;
	else
		f->next = (uint64_t)seq + 1;
	f->frames++;
}

/* A frame that begins in the nanosecond of the pause is not a leak. */
static enum wire_finding find(struct wire_judge *j, struct wire_class *c,
			      uint32_t len)
{
	struct wire_pause *p = &c->pause;

	if (!(j->paused & 1 << (c - j->cls)))
		return WIRE_FREE;
	if (j->now + STAMP_NS - p->begin >= j->storm_ns)
		return WIRE_STORMED;
	if (j->now == p->begin)
		return WIRE_FREE;
	if (j->now - p->begin <= quanta_ns(j, j->allowance))
		return WIRE_ALLOWED;
	p->leaks++;
	p->leak_bytes += len;
	p->late = j->now - p->begin;
	if (!c->found[WIRE_LEAKED])
		c->first_leak = j->now;
	return WIRE_LEAKED;
}

static enum wire_finding sent(struct wire_judge *j, const struct wire_frame *f)
{
	enum wire_finding found;
	struct wire_class *c;

	if (j->now + STAMP_NS < j->wire_free)
		j->overlaps++;
	j->wire_free = j->now +
		       bits_ns(j, (PREAMBLE + f->len + FCS_LEN + GAP) * 8ULL);
	j->last = NULL;
	j->own_ctrl += f->kind != WIRE_DATA;
	if (f->prio == WIRE_NO_PRIO) {
		j->others++;
		return WIRE_FREE;
	}
	c = &j->cls[f->prio];
	j->last = c;
	c->frames++;
	c->bytes += f->len;
	c->pending[window(j, f->prio)].bytes += f->len;
	found = find(j, c, f->len);
	c->found[found]++;
	if (c->ended) {
		c->pause.has_resumed = true;
		c->pause.resumed = j->now;
		pause_tell(j, c);
	}
	if (f->is_test) {
		j->mislabelled += f->pcp >= 0 && f->pcp != f->prio;
		count_seq(&j->flow[f->flow], f->seq);
	}
	return found;
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
		.per_us = 1000,
		.pfc_en = pfc_en,
		.storm_ns = UINT64_MAX,
	};
	memcpy(j->addr, addr, sizeof(j->addr));
}

void wire_judge_fini(struct wire_judge *j)
{
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++)
		if (j->flow[i].seen)
			munmap(j->flow[i].seen, SEEN_BYTES);
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
 * @is_sent: the port sends it
 * @f: the frame
 *
 * Return: what is found of a frame that is sent.
 */
enum wire_finding wire_judge_frame(struct wire_judge *j, uint64_t ns,
				   bool is_sent, const struct wire_frame *f)
{
	if (!j->now)
		j->now = ns;
	if (ns < j->now)
		j->backwards++;
	else
		wire_judge_time(j, ns);
	if (is_sent)
		return sent(j, f);
	received(j, f);
	return WIRE_FREE;
}

/* No more frames: a pause that still runs ends here. */
void wire_judge_end(struct wire_judge *j)
{
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++)
		if (j->flow[i].announced && j->flow[i].next > j->flow[i].sent)
			j->unannounced += j->flow[i].next - j->flow[i].sent;
	for (i = 0; i <= WIRE_LINK; i++) {
		if (j->paused & 1 << i)
			pause_fall(j, &j->cls[i], WIRE_END_RECORDING);
		pause_tell(j, &j->cls[i]);
	}
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

		n += j->cls[i].found[WIRE_LEAKED] + s.lost + s.twice + s.late;
	}
	return n;
}

/**
 * wire_response_quanta() - how long a port may go on after a pause frame has ended
 * @mbit: speed of the link
 * @named: the standards name this very speed; else it is the time of the next
 *	   lower one, so that no pause is judged more mildly than it should
 *
 * Return: quanta, by IEEE 802.3 annex 31B.3.7 and IEEE 802.1Q (Documentation/nic/pause.rst).
 */
uint32_t wire_response_quanta(uint32_t mbit, bool *named)
{
	static const uint32_t table[][2] = {
		{ 10, 1 }, { 100, 1 }, { 1000, 2 }, { 10000, 60 }, { 25000, 80 },
		{ 40000, 118 }, { 100000, 394 }, { 400000, 905 },
	};
	uint32_t i = sizeof(table) / sizeof(table[0]) - 1;

	while (i && table[i][0] > mbit)
		i--;
	*named = table[i][0] == mbit;
	return table[i][1];
}
