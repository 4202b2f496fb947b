// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rig.h"

#define HDR_LEN		54	/* Ethernet, IPv4, TCP: also of frames not cut */
#define SRC_LAST	29	/* last byte of the source address, without tag */
#define MAGIC		0x50
/* Payload: magic, queue, number of the wire frame (4 bytes). */
#define TAG_LEN		6

/* ---- for people --------------------------------------------------------- */

static __attribute__((format(printf, 2, 3))) void
say(struct rig *r, const char *fmt, ...)
{
	va_list args;

	if (!r->trace)
		return;
	printf("%12llu ps ", (unsigned long long)rig_now(r));
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* ---- host memory -------------------------------------------------------- */

u64 rig_alloc(struct rig *r, u64 size, u64 align)
{
	u64 at = (r->used + align - 1) & ~(align - 1);

	assert_true(at + size <= RIG_MEM);
	r->used = at + size;
	return RIG_BASE + at;
}

static bool is_ours(const struct rig *r, u64 addr, u64 len)
{
	return addr >= RIG_BASE && addr - RIG_BASE <= r->used &&
	       len <= r->used - (addr - RIG_BASE);
}

void *rig_ptr(struct rig *r, u64 addr, u64 len)
{
	assert_true(is_ours(r, addr, len));
	return r->mem + (addr - RIG_BASE);
}

static bool is_denied(const struct rig *r, u64 addr, u64 len)
{
	if (r->lenient && !is_ours(r, addr, len))
		return true;
	return addr < r->deny + r->deny_len && addr + len > r->deny;
}

/* I7: the NIC touches nothing that was not handed out. */
static bool dma_read(void *ctx, u64 addr, void *buf, u32 len)
{
	struct rig *r = ctx;

	if (is_denied(r, addr, len))
		return false;
	memcpy(buf, rig_ptr(r, addr, len), len);
	return true;
}

static bool copy_out(struct rig *r, u64 addr, const void *buf, u32 len)
{
	if (is_denied(r, addr, len))
		return false;
	memcpy(rig_ptr(r, addr, len), buf, len);
	return true;
}

/* What says that an event is valid must come in one piece. */
static bool is_event_word(const struct rig *r, u64 addr, u32 len)
{
	u64 at = addr - r->events, size = sizeof(struct parq_event);

	return at < size << RIG_EV_LOG2 && at % size + len > size - 8;
}

static bool dma_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	struct rig *r = ctx;

	assert_true(r->lenient || !is_event_word(r, addr, len));
	return copy_out(r, addr, buf, len);
}

static bool dma_write64(void *ctx, u64 addr, u64 val)
{
	__le64 w = cpu_to_le64(val);

	assert_int_equal(addr % 8, 0);
	return copy_out(ctx, addr, &w, sizeof(w));
}

static void irq(void *ctx, u32 vector)
{
	struct rig *r = ctx;

	r->irqs[vector]++;
	if (!vector)
		r->poke = true;
}

static void link_settings(void *ctx, u32 port, const struct parqsim_partner *self)
{
	struct rig *r = ctx;

	/* The other end is a mirror: it always agrees. */
	parqsim_link(r->sim, port, self);
}

/* ---- oracle ------------------------------------------------------------- */

static u32 get_be32(const u8 *p)
{
	return (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void put_be32(u8 *p, u32 v)
{
	p[0] = v >> 24;
	p[1] = v >> 16;
	p[2] = v >> 8;
	p[3] = v;
}

static const u8 *tag_of(const u8 *data)
{
	return data + HDR_LEN + (data[12] == 0x81 ? 4 : 0);
}

void rig_tag(const u8 *f, u32 *queue, u32 *seq)
{
	const u8 *tag = tag_of(f);

	assert_int_equal(tag[0], MAGIC);
	*queue = tag[1];
	*seq = get_be32(tag + 2);
}

/* One that the NIC has made; the host posts none. */
static void control_frame(struct rig *r, u32 port, const u8 *data, u32 len,
			  u64 start)
{
	struct rig_port *p = &r->port[port];
	struct rig_ctrl *c = &p->ctrl[p->ctrls++ % RIG_CTRL];

	say(r, "port %u sends MAC control, opcode %#x", port,
	    data[14] << 8 | data[15]);
	assert_int_equal(len, sizeof(c->f));
	c->at = start;
	memcpy(c->f, data, len);
}

const struct rig_ctrl *rig_ctrl(struct rig *r, u32 port, u32 n)
{
	struct rig_port *p = &r->port[port];

	assert_true(n < p->ctrls && n + RIG_CTRL >= p->ctrls);
	return &p->ctrl[n % RIG_CTRL];
}

/* Frames do not overlap, and take the time that they take. */
static void check_time(struct rig *r, u32 port, u32 len, u64 start, u64 end)
{
	struct rig_port *p = &r->port[port];

	assert_true(start == rig_now(r) && start >= p->wire_free);
	p->wire_free = end + 12ULL * p->byte_ps;
	assert_int_equal(end - start, (u64)(8 + len + 4) * p->byte_ps);
}

/* A pause of the class is, or would have been, not obeyed any more from then on. */
static u64 storm_at(const struct rig_port *p, const struct rig_class *c)
{
	return p->storm_limit ? c->pause_since + p->storm_limit : ~0ULL;
}

/* To be called before anything about pauses changes. */
static void look_for_drops(struct rig *r, u32 port)
{
	struct rig_port *p = &r->port[port];
	struct rig_class *c;
	u64 until;

	for (c = p->cls; c < p->cls + PARQ_NUM_PRIO; c++) {
		until = rig_now(r) < c->pause_until ? rig_now(r) :
						      c->pause_until;
		if (!p->storm_forward && until >= storm_at(p, c))
			c->drops = true;
	}
}

/* No frame starts in a pause, or only in one that is too long to be obeyed. */
static void check_silence(struct rig *r, u32 port, const struct rig_class *c)
{
	const struct rig_port *p = &r->port[port];

	if (rig_now(r) < c->pause_until)
		assert_true(p->storm_forward && rig_now(r) >= storm_at(p, c));
}

/*
 * I1 to I4 for one frame: it belongs to a queue, is that queue's next (so none was
 * lost, none sent twice, none overtaken) but for those that a storm has cost, and
 * its class is not paused.
 */
static void data_frame(struct rig *r, u32 port, const u8 *data, u32 len,
		       u64 start)
{
	struct rig_port *p = &r->port[port];
	struct rig_class *c;
	u32 queue, seq;

	assert_true(len >= HDR_LEN + TAG_LEN);
	rig_tag(data, &queue, &seq);
	assert_in_range(queue, 0, RIG_QUEUES - 1);
	c = &p->cls[queue % 8];
	say(r, "port %u sends queue %u number %u", port, queue, seq);
	look_for_drops(r, port);
	assert_true(seq >= p->txq[queue].seen);
	assert_true(seq == p->txq[queue].seen || c->drops);
	p->txq[queue].seen = seq + 1;
	p->txq[queue].sent++;
	check_silence(r, port, c);
	c->sent++;
	c->bytes += len;
	c->last_sent = start;
}

static void frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		  u64 end)
{
	struct rig *r = ctx;

	if (r->wire)
		r->wire(r->wire_ctx, port, data, len, end);
	if (r->lenient)
		return;
	check_time(r, port, len, start, end);
	if (data[12] == 0x88 && data[13] == 0x08)
		control_frame(r, port, data, len, start);
	else
		data_frame(r, port, data, len, start);
}

static bool stuck(void *ctx, u32 port, u32 queue)
{
	const struct rig *r = ctx;

	return !port && (r->stick & BIT_ULL(queue));
}

static const struct parqsim_host host = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.dma_write64 = dma_write64,
	.irq = irq,
	.frame = frame,
	.link = link_settings,
	.stuck = stuck,
};

/* ---- registers ---------------------------------------------------------- */

u32 rig_read(struct rig *r, u32 port, u32 off)
{
	return parqsim_read(r->sim, PARQ_PORT(port) + off);
}

void rig_write(struct rig *r, u32 port, u32 off, u32 val)
{
	parqsim_write(r->sim, PARQ_PORT(port) + off, val);
}

static void write64(struct rig *r, u32 port, u32 off, u64 val)
{
	rig_write(r, port, off, val);
	rig_write(r, port, off + 4, val >> 32);
}

void rig_assert_no_error(struct rig *r)
{
	assert_int_equal(parqsim_read(r->sim, PARQ_ERR), 0);
}

u64 rig_now(struct rig *r)
{
	return parqsim_clock(r->sim)->now;
}

/* Until the next call; with @len 0 all is allowed again. */
void rig_deny(struct rig *r, u64 addr, u64 len)
{
	r->deny = addr;
	r->deny_len = len;
}

/* ---- setting up --------------------------------------------------------- */

void rig_txq_up(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u32 n = BIT(RIG_LOG2);

	*q = (struct rig_txq){ .log2 = RIG_LOG2 };
	q->ring = rig_alloc(r, n * sizeof(struct parq_tx_desc), 64);
	q->buf = rig_alloc(r, n * RIG_BUF, 64);
	q->wb = rig_alloc(r, sizeof(struct parq_txq_wb), 8);
	write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_BASE_LO, q->ring);
	write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_WB_LO, q->wb);
	rig_write(r, port, PARQ_TXQ(queue) + PARQ_TXQ_CTRL,
		  PARQ_TXQ_CTRL_EN | FIELD_PREP(PARQ_TXQ_CTRL_PRIO, queue % 8) |
		  FIELD_PREP(PARQ_TXQ_CTRL_SIZE, RIG_LOG2) |
		  FIELD_PREP(PARQ_TXQ_CTRL_VEC, RIG_TX_VEC + queue));
}

static void rxq_start(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf,
		      u32 ctrl)
{
	struct rig_rxq *q = &r->port[port].rxq[queue];
	u32 n = BIT(log2), i;
	__le64 *fill;

	*q = (struct rig_rxq){ .log2 = log2, .buf = buf };
	q->fill = rig_alloc(r, n * sizeof(*fill), 64);
	q->comp = rig_alloc(r, n * sizeof(struct parq_rx_comp), 64);
	q->bufs = rig_alloc(r, n * buf, 64);
	fill = rig_ptr(r, q->fill, n * sizeof(*fill));
	for (i = 0; i < n; i++)
		fill[i] = cpu_to_le64(q->bufs + i * buf);
	write64(r, port, PARQ_RXQ(queue) + PARQ_RXQ_FILL_LO, q->fill);
	write64(r, port, PARQ_RXQ(queue) + PARQ_RXQ_COMP_LO, q->comp);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_BUF, buf);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_CTRL,
		  PARQ_RXQ_CTRL_EN | ctrl |
		  FIELD_PREP(PARQ_RXQ_CTRL_SIZE, log2) |
		  FIELD_PREP(PARQ_RXQ_CTRL_VEC, RIG_RX_VEC + queue));
}

void rig_rxq_up(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf)
{
	rxq_start(r, port, queue, log2, buf, 0);
	rig_rx_tail(r, port, queue, BIT(log2));
}

void rig_rxq_hold(struct rig *r, u32 port, u32 queue)
{
	u32 ctrl = PARQ_RXQ(queue) + PARQ_RXQ_CTRL;

	say(r, "port %u RX queue %u on hold", port, queue);
	rig_write(r, port, ctrl, rig_read(r, port, ctrl) | PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxq_replace(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf)
{
	say(r, "port %u RX queue %u gets other rings", port, queue);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_HOLD);
	rxq_start(r, port, queue, log2, buf, PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxq_release(struct rig *r, u32 port, u32 queue)
{
	u32 ctrl = PARQ_RXQ(queue) + PARQ_RXQ_CTRL;

	say(r, "port %u RX queue %u goes on", port, queue);
	rig_write(r, port, ctrl, rig_read(r, port, ctrl) & ~PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxb(struct rig *r, u32 port, u32 n, u32 size, u32 xoff, u32 xon)
{
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_SIZE, size);
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_XOFF, xoff);
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_XON, xon);
}

/* @prio_buf: 4 bits a priority, as in the register */
void rig_rxb_apply(struct rig *r, u32 port, u32 prio_buf)
{
	rig_write(r, port, PARQ_RXB_PRIO, prio_buf);
	rig_write(r, port, PARQ_RXB_APPLY, 1);
	rig_assert_no_error(r);
}

void rig_rx_tail(struct rig *r, u32 port, u32 queue, u32 tail)
{
	r->db[(PARQ_DB_RX(port, queue) + PARQ_DB_TAIL) / 4] = tail;
}

static void park_up(struct rig *r, u32 port, u32 prio)
{
	u32 log2 = RIG_PARK_LOG2;

	while (BIT(log2) < r->cfg.depth)
		log2++;
	write64(r, port, PARQ_PFC(prio) + PARQ_PARK_BASE_LO,
		rig_alloc(r, sizeof(struct parq_fd) << log2, 64));
	rig_write(r, port, PARQ_PFC(prio) + PARQ_PARK_CTRL,
		  PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, log2));
}

/* Everything enabled, queue q serves priority q % 8, PFC off. */
void rig_port_up(struct rig *r, u32 port, bool offload)
{
	struct rig_port *p = &r->port[port];
	u32 i;

	memset(p->cls, 0, sizeof(p->cls));
	p->status = rig_alloc(r, PARQ_STATUS_PAGE_SIZE, 4096);
	p->stats = rig_alloc(r, sizeof(struct parq_stats), 64);
	write64(r, port, PARQ_STATUS_BASE_LO, p->status);
	write64(r, port, PARQ_STATS_BASE_LO, p->stats);
	for (i = 0; i < RIG_QUEUES; i++)
		rig_txq_up(r, port, i);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		park_up(r, port, i);
	rig_write(r, port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	rig_pfc(r, port, 0, offload);
	rig_assert_no_error(r);
}

void rig_bare(struct rig *r, const struct parqsim_config *cfg)
{
	memset(r, 0, sizeof(*r));
	r->cfg = *cfg;
	if (!cfg->rx_buffer)
		r->cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	/* Hardly any of it is touched: calloc() under ASan would mark it all. */
	r->mem = mmap(NULL, RIG_MEM, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(r->mem != MAP_FAILED);
	r->sim = parqsim_init(calloc(1, parqsim_size(&r->cfg)), &r->cfg, &host,
			      r, r->db);
	assert_non_null(r->sim);
}

void rig_init(struct rig *r, const struct parqsim_config *cfg, int speed,
	      bool offload)
{
	u32 port;

	rig_bare(r, cfg);
	r->events = rig_alloc(r, sizeof(struct parq_event) << RIG_EV_LOG2, 64);
	parqsim_write(r->sim, PARQ_EVENT_BASE_LO, r->events);
	parqsim_write(r->sim, PARQ_EVENT_BASE_HI, r->events >> 32);
	parqsim_write(r->sim, PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN |
		      FIELD_PREP(PARQ_EVENT_CTRL_SIZE, RIG_EV_LOG2));
	for (port = 0; port < cfg->ports; port++) {
		rig_write(r, port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
			  PARQ_LINK_CTRL_FULL_DUPLEX |
			  FIELD_PREP(PARQ_LINK_CTRL_SPEED, speed));
		r->port[port].byte_ps = parqsim_byte_ps(speed);
		rig_port_up(r, port, offload);
	}
}

void rig_fini(struct rig *r)
{
	free(r->sim);
	munmap(r->mem, RIG_MEM);
}

void rig_ets(struct rig *r, u32 port, u32 prio_tc, u32 tsa, u64 bw)
{
	say(r, "port %u ETS %#x %#x %#llx", port, prio_tc, tsa,
	    (unsigned long long)bw);
	rig_write(r, port, PARQ_ETS_PRIO_TC, prio_tc);
	rig_write(r, port, PARQ_ETS_TSA, tsa);
	write64(r, port, PARQ_ETS_BW_LO, bw);
	rig_write(r, port, PARQ_ETS_APPLY, 1);
	rig_assert_no_error(r);
}

void rig_maxrate(struct rig *r, u32 port, u32 tc, u32 kbit)
{
	say(r, "port %u traffic class %u limit %u kbit/s", port, tc, kbit);
	rig_write(r, port, PARQ_ETS_MAXRATE(tc), kbit);
	rig_write(r, port, PARQ_ETS_APPLY, 1);
	rig_assert_no_error(r);
}

u64 rig_levels(struct rig *r, u32 port, u32 prio)
{
	const struct parq_status *st = rig_ptr(r, r->port[port].status,
					       sizeof(*st));

	return le64_to_cpu(st->pfc[prio].levels);
}

/* A pause of a priority that is switched off ends at once. */
void rig_pfc(struct rig *r, u32 port, u8 prios, bool offload)
{
	struct rig_port *p = &r->port[port];
	u32 prio;

	say(r, "port %u PFC %#x by the %s", port, prios, offload ? "NIC" : "host");
	look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_CTRL, FIELD_PREP(PARQ_PFC_CTRL_EN, prios) |
		  (offload ? PARQ_PFC_CTRL_OFFLOAD : 0));
	rig_assert_no_error(r);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(prios & BIT(prio)))
			p->cls[prio].pause_until = 0;
		if (p->offload == offload)
			continue;
		p->cls[prio].state = parq_fsm_resume(rig_levels(r, port, prio));
		p->cls[prio].decided = PARQ_PFC_NOP;
		p->cls[prio].seq = FIELD_GET(PARQ_LEVELS_ACK,
					     rig_levels(r, port, prio));
	}
	p->pfc_en = prios;
	p->offload = offload;
	r->poke = true;
}

void rig_storm(struct rig *r, u32 port, u32 ms, bool forward)
{
	struct rig_port *p = &r->port[port];

	say(r, "port %u storms: %u ms, %s", port, ms, forward ? "forward" : "drop");
	look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_STORM, FIELD_PREP(PARQ_PFC_STORM_LIMIT, ms) |
		  (forward ? PARQ_PFC_STORM_FORWARD : 0));
	rig_assert_no_error(r);
	p->storm_limit = ms * RIG_MS;
	p->storm_forward = forward;
}

void rig_obey(struct rig *r, u32 port, u8 prios)
{
	u32 prio;

	say(r, "port %u storms of %#x end", port, prios);
	look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_OBEY, prios);
	rig_assert_no_error(r);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (prios & BIT(prio))
			r->port[port].cls[prio].pause_since = rig_now(r);
}

/* ---- traffic ------------------------------------------------------------ */

static u32 head_of(struct rig *r, const struct rig_txq *q)
{
	const struct parq_txq_wb *wb = rig_ptr(r, q->wb, sizeof(*wb));

	if (FIELD_GET(PARQ_TXW_RING, le32_to_cpu(wb->state)) != (q->rings & 0xff))
		return 0;
	return le32_to_cpu(wb->head);
}

u32 rig_room(struct rig *r, u32 port, u32 queue)
{
	const struct rig_txq *q = &r->port[port].txq[queue];

	return BIT(q->log2) - (q->tail - head_of(r, q));
}

static struct parq_tx_desc *desc_at(struct rig *r, struct rig_txq *q, u32 pos)
{
	u32 at = pos & (BIT(q->log2) - 1);

	return rig_ptr(r, q->ring + at * sizeof(struct parq_tx_desc),
		       sizeof(struct parq_tx_desc));
}

u64 rig_tx_buf(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	return q->buf + (u64)RIG_BUF * (q->tail & (BIT(q->log2) - 1));
}

static void tag(u8 *p, u32 queue, u32 seq)
{
	p[0] = MAGIC;
	p[1] = queue;
	put_be32(p + 2, seq);
}

static void headers(u8 *b)
{
	static const u8 hdr[HDR_LEN] = {
		0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 6, 0, 0,
		10, 0, 0, 1, 10, 0, 0, 2,
		0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x10, 1, 0, 0, 0, 0, 0,
	};

	memcpy(b, hdr, sizeof(hdr));
}

void rig_tx_desc(struct rig *r, u32 port, u32 queue, u64 addr, u64 info)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	*desc_at(r, q, q->tail++) = (struct parq_tx_desc){
		.addr = cpu_to_le64(addr),
		.info = cpu_to_le64(info),
	};
}

void rig_tx_ring(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	r->db[(PARQ_DB_TX(port, queue) + PARQ_DB_TAIL) / 4] = q->tail;
}

static u64 filler(struct rig *r)
{
	if (!r->filler)
		r->filler = rig_alloc(r, RIG_JUMBO, 64);
	return r->filler;
}

static u64 tx_info(struct rig *r, u32 queue)
{
	return r->tagged ? PARQ_TX_VLAN | FIELD_PREP(PARQ_TX_TCI, queue % 8 << 13) :
			   0;
}

/* One frame of @len bytes in one or, if it is long, two buffers. */
void rig_post(struct rig *r, u32 port, u32 queue, u32 len)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u64 at = rig_tx_buf(r, port, queue), rest;
	u8 *b = rig_ptr(r, at, RIG_BUF);
	u32 first = len > 256 ? 128 : len;

	assert_true(len >= HDR_LEN + TAG_LEN && len <= RIG_JUMBO);
	say(r, "port %u posts queue %u number %u, %u bytes", port, queue, q->posted,
	    len);
	headers(b);
	tag(b + HDR_LEN, queue, q->posted++);
	rig_tx_desc(r, port, queue, at, tx_info(r, queue) | first |
		    (first == len ? PARQ_TX_EOP : 0));
	rest = len > RIG_BUF ? filler(r) : at + first;
	if (first != len)
		rig_tx_desc(r, port, queue, rest, (len - first) | PARQ_TX_EOP);
	rig_tx_ring(r, port, queue);
}

/* A frame that the NIC cuts: extension, headers, payload. */
void rig_post_tso(struct rig *r, u32 port, u32 queue, u32 payload, u32 mss)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u64 at = rig_tx_buf(r, port, queue);
	u8 *b = rig_ptr(r, at, RIG_BUF);
	u32 off;

	assert_true(mss >= TAG_LEN && HDR_LEN + payload <= RIG_BUF);
	if (payload % mss < TAG_LEN)	/* each segment needs room for its tag */
		payload -= payload % mss;
	say(r, "port %u posts queue %u number %u and on, %u bytes by %u", port,
	    queue, q->posted, payload, mss);
	headers(b);
	for (off = 0; off < payload; off += mss)
		tag(b + HDR_LEN + off, queue, q->posted++);
	rig_tx_desc(r, port, queue, FIELD_PREP(PARQ_TXX_MSS, mss) |
		    FIELD_PREP(PARQ_TXX_HDR_LEN, HDR_LEN), PARQ_TX_EXT);
	rig_tx_desc(r, port, queue, at, HDR_LEN | PARQ_TX_TSO4 |
		    FIELD_PREP(PARQ_TX_CSUM_START, 34));
	rig_tx_desc(r, port, queue, at + HDR_LEN, payload | PARQ_TX_EOP);
	rig_tx_ring(r, port, queue);
}

/* As ethtool -G does it: the old ring runs empty, then the new one goes on. */
void rig_replace_ring(struct rig *r, u32 port, u32 queue, u32 log2)
{
	struct rig_txq *q = &r->port[port].txq[queue];

	if (rig_read(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_CTRL) &
	    PARQ_TXQ_NEXT_CTRL_VALID)
		return;
	say(r, "port %u queue %u ring of %u", port, queue, BIT(log2));
	q->ring = rig_alloc(r, sizeof(struct parq_tx_desc) << log2, 64);
	q->buf = rig_alloc(r, (u64)RIG_BUF << log2, 64);
	q->log2 = log2;
	q->tail = 0;
	q->rings++;
	write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_LO, q->ring);
	rig_write(r, port, PARQ_TXQ(queue) + PARQ_TXQ_NEXT_CTRL,
		  PARQ_TXQ_NEXT_CTRL_VALID |
		  FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE, log2));
	rig_assert_no_error(r);
}

/* From now on the oracle holds its classes. */
static void hear_pfc(struct rig *r, u32 port, const u8 *f)
{
	struct rig_port *p = &r->port[port];
	u32 prio, quanta;

	look_for_drops(r, port);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct rig_class *c = &p->cls[prio];

		if (!(f[17] & p->pfc_en & BIT(prio)))
			continue;
		quanta = f[18 + 2 * prio] << 8 | f[19 + 2 * prio];
		if (rig_now(r) >= c->pause_until)
			c->pause_since = rig_now(r);
		c->pause_until = rig_now(r) + (u64)quanta * 64 * p->byte_ps;
	}
}

void rig_rx(struct rig *r, u32 port, const u8 *f, u32 len)
{
	if (!memcmp(f + 12, "\x88\x08\x01\x01", 4))
		hear_pfc(r, port, f);
	parqsim_rx(r->sim, port, f, len, true);
}

void rig_rx_flow(struct rig *r, u32 port, u32 prio, bool flow, u32 len, u32 seq)
{
	u8 f[RIG_JUMBO + 4];
	u32 i;

	assert_in_range(len, RIG_SEQ + 4, sizeof(f));
	headers(f);
	f[5] = 1 + port;	/* the NIC's, not its peer's */
	memmove(f + 16, f + 12, HDR_LEN - 12);
	memcpy(f + 12, "\x81\0", 2);
	f[14] = prio << 5;
	f[15] = 0;
	f[SRC_LAST + 4] = flow;
	put_be32(f + RIG_SEQ, seq);
	for (i = RIG_SEQ + 4; i < len; i++)
		f[i] = seq * 7 + i * 31;
	rig_rx(r, port, f, len);
}

void rig_rx_prio(struct rig *r, u32 port, u32 prio, u32 len, u32 seq)
{
	rig_rx_flow(r, port, prio, 1, len, seq);
}

/*
 * With this key bit 0 of the hash is that of the source address, on which the bits
 * of the table's index above it do not depend.
 */
void rig_rx_steer(struct rig *r, u32 port, u32 flow0, u32 flow1)
{
	u32 i;

	rig_write(r, port, PARQ_RSS_KEY(1), 0x02000000);
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		rig_write(r, port, PARQ_RSS_INDIR(i),
			  flow0 * 0x00010001 + flow1 * 0x01000100);
	rig_write(r, port, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4);
	rig_assert_no_error(r);
}

void rig_pfc_frame(struct rig *r, u32 port, u8 vector, const u16 *quanta)
{
	u8 f[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 0x02, 0, 0, 0, 0, 9,
		     0x88, 0x08, 0x01, 0x01, 0, vector };
	u32 prio;

	say(r, "port %u gets PFC %#x for %u %u %u %u %u %u %u %u quanta", port,
	    vector, quanta[0], quanta[1], quanta[2], quanta[3], quanta[4],
	    quanta[5], quanta[6], quanta[7]);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		f[18 + 2 * prio] = quanta[prio] >> 8;
		f[19 + 2 * prio] = quanta[prio];
	}
	rig_rx(r, port, f, sizeof(f));
}

/* One time for all its classes; 0 ends their pauses. */
void rig_pause(struct rig *r, u32 port, u8 vector, u16 time)
{
	u16 quanta[PARQ_NUM_PRIO];
	u32 prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		quanta[prio] = time;
	rig_pfc_frame(r, port, vector, quanta);
}

/* ---- time --------------------------------------------------------------- */

/*
 * What was decided at one look is carried out at the next: whatever happens
 * between the two is a race that the device has to win.
 */
static void execute(struct rig *r, u32 port, u32 prio)
{
	struct rig_class *c = &r->port[port].cls[prio];
	struct parq_fsm_next n;
	u64 levels;

	if (c->decided != PARQ_PFC_NOP) {
		say(r, "port %u priority %u command %u", port, prio, c->decided);
		rig_write(r, port, PARQ_PFC(prio) + PARQ_PFC_CMD,
			  FIELD_PREP(PARQ_PFC_CMD_OP, c->decided) |
			  FIELD_PREP(PARQ_PFC_CMD_SEQ, c->seq));
	}
	c->decided = PARQ_PFC_NOP;
	do {
		levels = rig_levels(r, port, prio);
		n = parq_fsm_step(c->state, levels,
				  FIELD_GET(PARQ_LEVELS_ACK, levels) != c->seq);
		if (n.state == c->state && n.op == PARQ_PFC_NOP)
			return;
		c->state = n.state;
	} while (n.op == PARQ_PFC_NOP);
	c->decided = n.op;
	c->seq++;
	r->poke = true;
}

/* The managed executor: one look at all classes after an event. */
static void manage(struct rig *r)
{
	u32 port, prio;

	if (!r->poke)
		return;
	r->poke = false;
	for (port = 0; port < r->cfg.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			if (!r->port[port].offload && r->port[port].status)
				execute(r, port, prio);
}

static void step_to(struct rig *r, u64 until)
{
	u32 most = r->most ? r->most : ~0U;

	while (parqsim_step(r->sim, until, most) >= most)
		;
	assert_int_equal(rig_now(r), until);
}

/* The executor looks once at the end: @ps is how late it may be. */
void rig_run(struct rig *r, u64 ps)
{
	u64 now = rig_now(r);

	step_to(r, now);
	step_to(r, now + ps);
	manage(r);
}

/* Complete, and each frame of it sent or counted as dropped. */
static bool queue_is_out(struct rig *r, u32 port, u32 queue)
{
	const struct rig_txq *q = &r->port[port].txq[queue];
	u64 dropped;

	if (head_of(r, q) != q->tail)
		return false;
	if (!r->port[port].cls[queue % 8].drops)
		return q->seen == q->posted;
	dropped = le64_to_cpu(rig_stats(r, port)->txq[queue].drop);
	return q->sent + dropped == q->posted;
}

static bool all_out(struct rig *r)
{
	u32 port, q;

	for (port = 0; port < r->cfg.ports; port++) {
		look_for_drops(r, port);
		for (q = 0; q < RIG_QUEUES; q++)
			if (!queue_is_out(r, port, q))
				return false;
	}
	return true;
}

/* What lasts long need not be looked at that often, unless the executor has to. */
void rig_drain(struct rig *r)
{
	u64 start = rig_now(r);
	u32 steps;

	for (steps = 0; steps < 1000000 && !all_out(r); steps++)
		rig_run(r, 10 * RIG_US + (r->poke ? 0 : (rig_now(r) - start) / 16));
	assert_true(all_out(r));
	rig_assert_no_error(r);
}

const struct parq_rx_comp *rig_rx_comp(struct rig *r, u32 port, u32 queue,
				       u32 pos)
{
	const struct rig_rxq *q = &r->port[port].rxq[queue];
	u32 at = pos & (BIT(q->log2) - 1);

	return rig_ptr(r, q->comp + at * sizeof(struct parq_rx_comp),
		       sizeof(struct parq_rx_comp));
}

struct parq_event *rig_event(struct rig *r, u32 pos)
{
	u32 at = pos & (BIT(RIG_EV_LOG2) - 1);

	return rig_ptr(r, r->events + at * sizeof(struct parq_event),
		       sizeof(struct parq_event));
}

struct parq_stats *rig_stats(struct rig *r, u32 port)
{
	static u32 seq;
	struct parq_stats *s = rig_ptr(r, r->port[port].stats, sizeof(*s));

	rig_write(r, port, PARQ_STATS_SNAP, ++seq);
	assert_int_equal(le64_to_cpu(s->seq), seq);
	return s;
}
