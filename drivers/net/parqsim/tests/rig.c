// SPDX-License-Identifier: GPL-2.0
/* The rig: host memory, registers, time, and the executor of the pause FSM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <sanitizer/asan_interface.h>
#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "clock.h"
#include "rig_priv.h"
#include "sim.h"

__attribute__((format(printf, 2, 3)))
void rig_say(struct rig *r, const char *fmt, ...)
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

/* I7: the NIC accesses only memory that the rig has given it. */
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

/* The word that makes an event valid must be written in one piece. */
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

	/* The link partner mirrors all settings, so it always agrees. */
	parqsim_link(r->sim, port, self);
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
	.buffer = rig_buffer,
	.frame = rig_frame,
	.train = rig_train,
	.segment = rig_segment,
	.train_end = rig_train_end,
	.batch = rig_batch,
	.segments = rig_segments,
	.others = rig_others,
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
	int wanted = parqsim_rx_wanted(r->sim, PARQ_PORT(port) + off, val);

	if (wanted >= 0) {
		assert_null(r->rx_mem[wanted]);
		r->rx_mem[wanted] = calloc(1, parqsim_rx_size(&r->cfg));
		parqsim_rx_memory(r->sim, wanted, r->rx_mem[wanted]);
	}
	parqsim_write(r->sim, PARQ_PORT(port) + off, val);
}

void rig_write64(struct rig *r, u32 port, u32 off, u64 val)
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

/* Refuses DMA to the range until the next call; with @len 0 all is allowed again. */
void rig_deny(struct rig *r, u64 addr, u64 len)
{
	r->deny = addr;
	r->deny_len = len;
}

/* ---- life --------------------------------------------------------------- */

#define GUARD(port)	ASAN_POISON_MEMORY_REGION(&(port)[ports], \
						  SIM_SPARE_PORTS * sizeof(*(port)))

/*
 * No stage may touch the state of a port that the NIC does not have. So ASan sees a loop that goes
 * on behind the last port: the arrays are parts of one object, beyond which it does not get.
 */
static void guard_ports(struct parqsim *sim, u32 ports)
{
	GUARD(sim->stats);
	GUARD(sim->qman.port);
	GUARD(sim->qmi.port);
	GUARD(sim->nti.port);
	GUARD(sim->mac.port);
	GUARD(sim->storm.port);
	GUARD(sim->gro.port);
	GUARD(sim->steer.port);
	GUARD(sim->rxbuf.port);
	GUARD(sim->rxqs.port);
	GUARD(sim->fc.port);
	if (sim->cfg.forward)
		GUARD(sim->fwd.port);
}

void rig_bare(struct rig *r, const struct parqsim_config *cfg)
{
	void *mem;
	u32 port;

	memset(r, 0, sizeof(*r));
	r->cfg = *cfg;
	r->cfg.rx_later = true;
	if (!cfg->rx_buffer)
		r->cfg.rx_buffer = PARQSIM_RX_BUFFER_MIN;
	/* Most of it is never touched: calloc() under ASan would mark all of it. */
	r->mem = mmap(NULL, RIG_MEM, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(r->mem != MAP_FAILED);
	mem = calloc(1, parqsim_size(&r->cfg));
	/* The first one only places the arrays. */
	assert_non_null(parqsim_init(mem, &r->cfg, &host, r, r->db));
	guard_ports(mem, cfg->ports);
	r->sim = parqsim_init(mem, &r->cfg, &host, r, r->db);
	for (port = 0; port < cfg->ports && port < PARQ_NIC_PORTS; port++)
		r->port[port].buffer = malloc(PARQSIM_FRAME_MAX);
}

void rig_start(struct rig *r, int speed, bool offload)
{
	u32 port;

	r->events = rig_alloc(r, sizeof(struct parq_event) << RIG_EV_LOG2, 64);
	parqsim_write(r->sim, PARQ_EVENT_BASE_LO, r->events);
	parqsim_write(r->sim, PARQ_EVENT_BASE_HI, r->events >> 32);
	parqsim_write(r->sim, PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN |
		      FIELD_PREP(PARQ_EVENT_CTRL_SIZE, RIG_EV_LOG2));
	for (port = 0; port < r->cfg.ports; port++) {
		rig_write(r, port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN |
			  PARQ_LINK_CTRL_FULL_DUPLEX |
			  FIELD_PREP(PARQ_LINK_CTRL_SPEED, speed));
		r->port[port].byte_ps = parqsim_byte_ps(speed);
		rig_port_up(r, port, offload);
	}
}

void rig_init(struct rig *r, const struct parqsim_config *cfg, int speed,
	      bool offload)
{
	rig_bare(r, cfg);
	rig_start(r, speed, offload);
}

void rig_fini(struct rig *r)
{
	u32 port;

	for (port = 0; port < PARQ_NIC_PORTS; port++) {
		free(r->rx_mem[port]);
		free(r->port[port].train.mem);
		free(r->port[port].buffer);
	}
	free(r->sim);
	munmap(r->mem, RIG_MEM);
}

/* ---- time --------------------------------------------------------------- */

/*
 * A command decided at one look is executed at the next. Whatever happens between the two
 * is a race that the device has to win.
 */
static void execute(struct rig *r, u32 port, u32 prio)
{
	struct rig_class *c = &r->port[port].cls[prio];
	struct parq_fsm_next n;
	u64 levels;

	if (c->decided != PARQ_PFC_NOP) {
		rig_say(r, "port %u priority %u command %u", port, prio, c->decided);
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

/* The executor looks once at the end: @ps is its longest delay. */
void rig_run(struct rig *r, u64 ps)
{
	u64 now = rig_now(r);

	step_to(r, now);
	step_to(r, now + ps);
	manage(r);
}

/* The queue is complete: each of its frames was sent or counted as dropped. */
static bool queue_is_out(struct rig *r, u32 port, u32 queue)
{
	const struct rig_txq *q = &r->port[port].txq[queue];
	u64 dropped;

	if (rig_head(r, q) != q->tail)
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
		rig_look_for_drops(r, port);
		for (q = 0; q < RIG_QUEUES; q++)
			if (!queue_is_out(r, port, q))
				return false;
	}
	return true;
}

/* Runs in long steps, unless the executor has to look often. */
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
