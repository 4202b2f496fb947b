// SPDX-License-Identifier: GPL-2.0
/* The host: its memory, the NIC's registers, rings that never run empty, the driver's FSM. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <asm/byteorder.h>
#include <linux/bitfield.h>

#include "bench.h"
#include "rnd.h"

#define MEM_SIZE	(64 << 20)
#define MEM_BASE	0x100000000ULL
#define HEAD		60	/* bytes of a frame that differ; the shortest one */
#define SEQ		15	/* where its number is, behind its priority */
#define EVENT_LOG2	6

/* ---- memory --------------------------------------------------------------- */

static u64 alloc(struct bench *b, u64 size, u64 align)
{
	u64 at = (b->used + align - 1) & ~(align - 1);

	if (at + size > MEM_SIZE)
		abort();
	b->used = at + size;
	return MEM_BASE + at;
}

/* The NIC touches nothing that was not handed out. */
static void *ptr(struct bench *b, u64 addr, u64 len)
{
	if (addr < MEM_BASE || addr - MEM_BASE + len > b->used)
		abort();
	return b->mem + (addr - MEM_BASE);
}

static bool dma_read(void *ctx, u64 addr, void *buf, u32 len)
{
	struct bench *b = ctx;

	memcpy(buf, ptr(b, addr, len), len);
	if (addr >= b->park && addr < b->park_end) {
		b->res.park_reads++;
		b->res.tlps += 2;
	}
	return true;
}

static bool dma_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	struct bench *b = ctx;

	memcpy(ptr(b, addr, len), buf, len);
	if (addr >= b->park && addr < b->park_end) {
		b->res.park_writes++;
		b->res.tlps++;
		policy_parked(b->sim, len + TLP_BYTES);
	} else if (addr >= b->status && addr < b->status_end) {
		b->res.status_bytes += len;
		b->res.tlps++;
	}
	return true;
}

static bool dma_write64(void *ctx, u64 addr, u64 val)
{
	__le64 w = cpu_to_le64(val);

	return dma_write(ctx, addr, &w, sizeof(w));
}

static void irq(void *ctx, u32 vector)
{
	struct bench *b = ctx;

	if (vector || !b->o.host_ns)
		return;
	b->res.irqs++;
	b->res.tlps++;
	if (!timer_is_set(&b->look))
		timer_set(&b->sim->clock, &b->look,
			  bench_now(b) + b->o.host_ns * PARQSIM_PS_PER_NS);
}

static void link_settings(void *ctx, u32 port, const struct parqsim_partner *self)
{
	struct bench *b = ctx;

	/* The other end agrees to all. */
	parqsim_link(b->sim, port, self);
}

/* One goes, another one comes: the host always has frames. */
static void frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	struct bench *b = ctx;
	u32 prio = data[SEQ - 1], seq;

	memcpy(&seq, data + SEQ, sizeof(seq));
	judge_frame(b, port, prio, seq, len, end);
	host_fill(b, port, prio);
}

static const struct parqsim_host host = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.dma_write64 = dma_write64,
	.irq = irq,
	.frame = frame,
	.link = link_settings,
};

/* ---- frames --------------------------------------------------------------- */

/* Without FCS. */
static u32 frame_len(const struct bench *b, struct queue *q)
{
	static const u32 len[] = { 60, 1514, 9014, 572 };

	return len[b->o.frames == FRAMES_MIXED ? rnd(&q->seed, 4) : b->o.frames];
}

static void describe(struct bench *b, struct queue *q, u64 addr, u32 len, bool eop)
{
	struct parq_tx_desc *d = ptr(b, q->ring + q->tail++ % RING * sizeof(*d), sizeof(*d));

	d->addr = cpu_to_le64(addr);
	d->info = cpu_to_le64(len | (eop ? PARQ_TX_EOP : 0));
}

static void post(struct bench *b, u32 port, u32 prio)
{
	struct queue *q = &b->port[port].cls[prio].queue;
	u64 at = q->heads + q->tail % RING * 64;
	u8 *p = ptr(b, at, HEAD);
	u32 len = frame_len(b, q);

	memset(p, 0, HEAD);
	p[0] = 2;
	p[6] = 2;
	p[12] = 0x88;	/* local experimental Ethertype, IEEE 802 */
	p[13] = 0xb5;
	p[SEQ - 1] = prio;
	memcpy(p + SEQ, &q->posted, sizeof(q->posted));
	q->posted++;
	describe(b, q, at, HEAD, len == HEAD);
	if (len > HEAD)
		describe(b, q, b->filler, len - HEAD, true);
	b->db[(PARQ_DB_TX(port, prio) + PARQ_DB_TAIL) / 4] = q->tail;
}

/* Fills the ring of a class, until the run is to end. */
void host_fill(struct bench *b, u32 port, u32 prio)
{
	const struct queue *q = &b->port[port].cls[prio].queue;
	const struct parq_txq_wb *wb = ptr(b, q->wb, sizeof(*wb));

	while (!b->stopping && q->tail - le32_to_cpu(wb->head) <= RING - 2)
		post(b, port, prio);
}

/* ---- the driver's FSM ------------------------------------------------------- */

static void step(struct bench *b, u32 port, u32 prio)
{
	const struct parq_status *st = ptr(b, b->port[port].status, sizeof(*st));
	u64 levels = le64_to_cpu(st->pfc[prio].levels);
	struct class *c = &b->port[port].cls[prio];
	struct parq_fsm_next n;

	do {
		n = parq_fsm_step(c->state, levels,
				  FIELD_GET(PARQ_LEVELS_ACK, levels) != c->seq);
		if (n.state == c->state && n.op == PARQ_PFC_NOP)
			return;
		c->state = n.state;
	} while (n.op == PARQ_PFC_NOP);
	b->res.commands++;
	b->res.tlps++;
	parqsim_write(b->sim, PARQ_PORT(port) + PARQ_PFC(prio) + PARQ_PFC_CMD,
		      FIELD_PREP(PARQ_PFC_CMD_OP, n.op) |
		      FIELD_PREP(PARQ_PFC_CMD_SEQ, ++c->seq));
}

static void look(void *ctx)
{
	struct bench *b = ctx;
	u32 port, prio;

	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			if (PAUSED_PRIOS & BIT(prio))
				step(b, port, prio);
}

/* ---- setting up ------------------------------------------------------------- */

static enum parq_speed speed_of(u32 gbps)
{
	u32 speed;

	for (speed = 0; speed < PARQ_NUM_SPEEDS; speed++)
		if (parqsim_byte_ps(speed) * gbps == 8000)
			return speed;
	abort();
}

static void wr(struct bench *b, u32 port, u32 off, u32 val)
{
	parqsim_write(b->sim, PARQ_PORT(port) + off, val);
}

static void wr64(struct bench *b, u32 port, u32 off, u64 val)
{
	wr(b, port, off, val);
	wr(b, port, off + 4, val >> 32);
}

static void class_up(struct bench *b, u32 port, u32 prio)
{
	struct class *c = &b->port[port].cls[prio];
	struct queue *q = &c->queue;
	u64 park = b->park + (sizeof(struct parq_fd) << PARK_LOG2) *
		   (port * PARQ_NUM_PRIO + prio);

	c->bench = b;
	c->port = port;
	c->prio = prio;
	c->seed = (b->o.seed * 64 + port * PARQ_NUM_PRIO + prio) * 2654435761U | 1;
	q->seed = c->seed;
	q->ring = alloc(b, RING * sizeof(struct parq_tx_desc), 64);
	q->heads = alloc(b, RING * 64, 64);
	q->wb = alloc(b, sizeof(struct parq_txq_wb), 8);
	wr64(b, port, PARQ_TXQ(prio) + PARQ_TXQ_BASE_LO, q->ring);
	wr64(b, port, PARQ_TXQ(prio) + PARQ_TXQ_WB_LO, q->wb);
	wr(b, port, PARQ_TXQ(prio) + PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN |
	   FIELD_PREP(PARQ_TXQ_CTRL_PRIO, prio) |
	   FIELD_PREP(PARQ_TXQ_CTRL_SIZE, __builtin_ctz(RING)) |
	   FIELD_PREP(PARQ_TXQ_CTRL_VEC, 1));
	wr64(b, port, PARQ_PFC(prio) + PARQ_PARK_BASE_LO, park);
	wr(b, port, PARQ_PFC(prio) + PARQ_PARK_CTRL, PARQ_PARK_CTRL_EN |
	   FIELD_PREP(PARQ_PARK_CTRL_SIZE, PARK_LOG2));
}

/* Eight traffic classes, which share the link evenly. */
static void port_up(struct bench *b, u32 port)
{
	u32 prio;

	wr(b, port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, speed_of(b->o.gbps)));
	wr(b, port, PARQ_MAX_FRAME, 9018);
	b->port[port].status = b->status + port * PARQ_STATUS_PAGE_SIZE;
	wr64(b, port, PARQ_STATUS_BASE_LO, b->port[port].status);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		class_up(b, port, prio);
	wr(b, port, PARQ_ETS_PRIO_TC, 0x76543210);
	wr(b, port, PARQ_ETS_TSA, 0x11111111 * PARQ_TSA_ETS);
	wr64(b, port, PARQ_ETS_BW_LO, 0x0101010101010101ULL * 12);
	wr(b, port, PARQ_ETS_APPLY, 1);
	wr(b, port, PARQ_PFC_CTRL, FIELD_PREP(PARQ_PFC_CTRL_EN, PAUSED_PRIOS) |
	   (b->o.host_ns ? 0 : PARQ_PFC_CTRL_OFFLOAD));
	wr(b, port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
}

static void events_up(struct bench *b)
{
	u64 ring = alloc(b, sizeof(struct parq_event) << EVENT_LOG2, 64);

	parqsim_write(b->sim, PARQ_EVENT_BASE_LO, ring);
	parqsim_write(b->sim, PARQ_EVENT_BASE_HI, ring >> 32);
	parqsim_write(b->sim, PARQ_EVENT_CTRL, PARQ_EVENT_CTRL_EN |
		      FIELD_PREP(PARQ_EVENT_CTRL_SIZE, EVENT_LOG2));
	timer_init(&b->look, look, b);
}

void host_init(struct bench *b)
{
	u32 port, prio, parks = b->o.ports * PARQ_NUM_PRIO;

	b->cfg = (struct parqsim_config){
		.ports = b->o.ports, .txq = PARQ_NUM_PRIO, .rxq = 1,
		.depth = b->o.depth, .clk_ps = CLK_PS, .fetch_ns = b->o.fetch_ns,
		.speeds = BIT(PARQ_NUM_SPEEDS) - 1,
		.rx_buffer = PARQSIM_RX_BUFFER_MIN, .addr = { 2, 0, 0, 0, 0, 1 },
	};
	b->mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->mem == MAP_FAILED)
		abort();
	b->byte_ps = parqsim_byte_ps(speed_of(b->o.gbps));
	b->sim = parqsim_init(calloc(1, parqsim_size(&b->cfg)), &b->cfg, &host,
			      b, b->db);
	b->filler = alloc(b, PARQSIM_FRAME_MAX, 64);
	b->park = alloc(b, parks * (sizeof(struct parq_fd) << PARK_LOG2), 64);
	b->park_end = MEM_BASE + b->used;
	b->status = alloc(b, b->o.ports * PARQ_STATUS_PAGE_SIZE, PARQ_STATUS_PAGE_SIZE);
	b->status_end = MEM_BASE + b->used;
	events_up(b);
	for (port = 0; port < b->o.ports; port++)
		port_up(b, port);
	policy_init(b->sim, b->o.read_ns * PARQSIM_PS_PER_NS);
	if (parqsim_read(b->sim, PARQ_ERR))
		abort();
	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			host_fill(b, port, prio);
}
