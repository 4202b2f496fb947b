// SPDX-License-Identifier: GPL-2.0
/*
 * Processor time of the NIC's core per frame, from the TX ring of one port to the RX ring of the
 * other, without driver and kernel. The two ports are joined by a cable at 400 Gb/s. The host
 * posts a burst, advances the time until all of it has arrived, and returns the RX buffers. Transit
 * frames arrive at one port and leave by the next one: nobody is at the far ends of their cables.
 * A burst arrives at one port, or at all ports at once.
 *
 * core [LOAD [BURSTS]]: one load alone, for a profiler
 *
 * Prints JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <asm/byteorder.h>
#include <linux/bitfield.h>
#include <linux/parq_hw_switch.h>

#include "cable.h"
#include "parqsim.h"

#define MEM_BASE	0x100000000ULL
#define RING_LOG2	9
#define RING		BIT(RING_LOG2)
#define BUF		2048
#define CABLE_SIZE	(256 << 10)
#define BURST_PS	(100 * 1000 * PARQSIM_PS_PER_NS)	/* a burst is over by then */
#define HDR_LEN		54		/* Ethernet, IPv4, TCP */
#define MSS		1460
#define TSO_SEGS	44

/**
 * struct memory - host memory; the NIC sees it at MEM_BASE
 * @tx: TX ring of port 0
 * @fill: RX buffers of port 1
 * @comp: RX completions of port 1
 * @status: status page of each port
 * @wb: write-back block of @tx
 * @frame: the frame to send; with TSO headers and payload
 * @rx: memory behind @fill
 */
struct memory {
	struct parq_tx_desc tx[RING];
	__le64 fill[RING];
	struct parq_rx_comp comp[RING];
	u8 status[2][PARQ_STATUS_PAGE_SIZE] __attribute__((aligned(PARQ_STATUS_PAGE_SIZE)));
	struct parq_txq_wb wb __attribute__((aligned(64)));
	u8 frame[65536] __attribute__((aligned(64)));
	u8 rx[RING][BUF] __attribute__((aligned(64)));
};

static struct memory mem __attribute__((aligned(4096)));
static u32 db[PARQ_BAR_DB_MANY / 4];
static struct parqsim *sim;
static struct cable cable[2];
static u64 received;
static bool forwarding;
static u32 ports;

#define ADDR(member)	(MEM_BASE + offsetof(struct memory, member))

/* ---- callbacks of the core ------------------------------------------------------ */

static void *at(u64 addr, u32 len)
{
	if (addr < MEM_BASE || addr - MEM_BASE + len > sizeof(mem))
		abort();
	return (u8 *)&mem + (addr - MEM_BASE);
}

static bool dma_read(void *ctx, u64 addr, void *buf, u32 len)
{
	memcpy(buf, at(addr, len), len);
	return true;
}

static bool dma_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	memcpy(at(addr, len), buf, len);
	return true;
}

static bool dma_write64(void *ctx, u64 addr, u64 val)
{
	*(__le64 *)at(addr, sizeof(val)) = cpu_to_le64(val);
	return true;
}

static void irq(void *ctx, u32 vector)
{
}

static void deliver(void *ctx, const u8 *data, u32 len)
{
	received++;
	parqsim_rx(sim, ctx == &cable[1], data, len, true);
}

static void deliver_train(void *ctx, const struct train *t, u32 i, bool end)
{
	received += i < t->n;
	parqsim_rx_train(sim, ctx == &cable[1], t, i, end);
}

static u8 *buffer(void *ctx, u32 port)
{
	return forwarding ? NULL : cable_buffer(&cable[!port], PARQSIM_FRAME_MAX);
}

static void frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	if (forwarding)
		received++;
	else
		cable_send(&cable[!port], data, len, end);
}

static struct train *train(void *ctx, u32 port, u32 len)
{
	return cable_train(&cable[!port], len);
}

static void segment(void *ctx, u32 port, u64 start, u64 end)
{
	cable_segment(&cable[!port], end);
}

static void train_end(void *ctx, u32 port)
{
	cable_train_end(&cable[!port], parqsim_clock(sim)->now);
}

static u32 joins(void *ctx, const struct train *t, u32 i, u32 n)
{
	return parqsim_rx_joins(sim, ctx == &cable[1], t, i, n);
}

static void joined(void *ctx, u32 n, u64 at)
{
	received += n;
	parqsim_rx_joined(sim, ctx == &cable[1], n, at);
}

static u32 batch(void *ctx, u32 port, u32 n, u64 step)
{
	return cable_batch(&cable[!port], n, step, parqsim_clock(sim)->now);
}

static void segments(void *ctx, u32 port, u32 n, u64 step)
{
	cable_segments(&cable[!port], n, step, parqsim_clock(sim)->now);
}

static void link_settings(void *ctx, u32 port, const struct parqsim_partner *self)
{
	parqsim_link(sim, port, self);
}

static const struct parqsim_host host = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.dma_write64 = dma_write64,
	.irq = irq,
	.buffer = buffer,
	.frame = frame,
	.train = train,
	.segment = segment,
	.train_end = train_end,
	.batch = batch,
	.segments = segments,
	.link = link_settings,
};

/* ---- the host's part ------------------------------------------------------------ */

static void wr(u32 port, u32 off, u32 val)
{
	parqsim_write(sim, PARQ_PORT(port) + off, val);
}

static void wr64(u32 port, u32 off, u64 val)
{
	wr(port, off, val);
	wr(port, off + 4, val >> 32);
}

/* One for each priority. Only the first one of port 0 ever has frames. */
static void txq_up(u32 port, u32 queue)
{
	wr64(port, PARQ_TXQ(queue) + PARQ_TXQ_BASE_LO, ADDR(tx));
	wr64(port, PARQ_TXQ(queue) + PARQ_TXQ_WB_LO, ADDR(wb));
	wr(port, PARQ_TXQ(queue) + PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN |
	   FIELD_PREP(PARQ_TXQ_CTRL_PRIO, queue) |
	   FIELD_PREP(PARQ_TXQ_CTRL_SIZE, RING_LOG2));
}

static void nic_up(void)
{
	const struct parqsim_config cfg = {
		.ports = ports, .depth = 32,
		.txq = ports > PARQ_NIC_PORTS ? PARQ_NUM_PRIO : PARQ_MAX_TXQ,
		.rxq = ports > PARQ_NIC_PORTS ? 1 : PARQ_MAX_RXQ,
		.clk_ps = 1000, .speeds = BIT(PARQ_NUM_SPEEDS) - 1,
		.rx_buffer = 1 << 20, .addr = { 2, 0, 0, 0, 0, 1 }, .forward = forwarding,
		.seed = 0x9e3779b97f4a7c15,
	};
	static u8 cable_buf[2][CABLE_SIZE] __attribute__((aligned(64)));
	u32 port, i;

	sim = parqsim_init(calloc(1, parqsim_size(&cfg)), &cfg, &host, NULL, db);
	for (port = 0; port < ports; port++) {
		wr(port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
		   FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_400G));
		wr(port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	}
	for (port = 0; port < 2; port++) {
		cable_init(&cable[port], parqsim_clock(sim), 0, cable_buf[port], CABLE_SIZE,
			   deliver, &cable[port]);
		cable[port].train = deliver_train;
		cable[port].joins = joins;
		cable[port].joined = joined;
		wr64(port, PARQ_STATUS_BASE_LO, ADDR(status) + port * PARQ_STATUS_PAGE_SIZE);
	}
	for (i = 0; i < RING; i++)
		mem.fill[i] = cpu_to_le64(ADDR(rx) + i * BUF);
	for (i = 0; i < 2 * PARQ_NUM_PRIO; i++)
		txq_up(i / PARQ_NUM_PRIO, i % PARQ_NUM_PRIO);
	wr64(1, PARQ_RXQ(0) + PARQ_RXQ_FILL_LO, ADDR(fill));
	wr64(1, PARQ_RXQ(0) + PARQ_RXQ_COMP_LO, ADDR(comp));
	wr(1, PARQ_RXQ(0) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN |
	   FIELD_PREP(PARQ_RXQ_CTRL_SIZE, RING_LOG2));
	wr(1, PARQ_RSS_CTRL, PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 | PARQ_RSS_CTRL_TCP);
	wr(1, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC |
	   PARQ_PORT_CTRL_RX_CSUM | PARQ_PORT_CTRL_RX_HASH |
	   (forwarding ? 0 : PARQ_PORT_CTRL_RX_GRO));
	if (parqsim_read(sim, PARQ_ERR))
		abort();
}

/* As the driver does: the pseudo header's sum without length. */
static void put_pseudo(u8 *frame)
{
	u32 sum = 6, i;

	for (i = 26; i < 34; i += 2)
		sum += frame[i] << 8 | frame[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	frame[50] = sum >> 8;
	frame[51] = sum;
}

static void make_frame(void)
{
	static const u8 hdr[HDR_LEN] = {
		0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 46, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
		0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x10, 1, 0, 0, 0, 0, 0,
	};

	memset(mem.frame, 0x5a, sizeof(mem.frame));
	memcpy(mem.frame, hdr, sizeof(hdr));
	put_pseudo(mem.frame);
}

/**
 * struct load - a load
 * @name: its name
 * @burst: frames posted with one doorbell
 * @len: bytes of a posted frame
 * @wire: frames on the wire per posted frame
 * @transit: the frame arrives, at each of so many ports; 0: it is posted
 * @ports: ports of the NIC or the switch
 */
static const struct load {
	const char *name;
	u32 burst;
	u32 len;
	u32 wire;
	u32 transit;
	u32 ports;
} loads[] = {
	{ "60 bytes", 1, 60, 1, 0, 2 },
	{ "60 bytes, bursts of 32", 32, 60, 1, 0, 2 },
	{ "1500 bytes", 1, 1500, 1, 0, 2 },
	{ "TCP", 1, HDR_LEN + TSO_SEGS * MSS, TSO_SEGS, 0, 2 },
	{ "60 bytes, transit", 1, 60, 1, 1, 2 },
	{ "60 bytes, transit, bursts of 32", 32, 60, 1, 1, 2 },
	{ "1500 bytes, transit", 1, 1500, 1, 1, 2 },
	{ "60 bytes, transit, one of 4 ports", 1, 60, 1, 1, 4 },
	{ "60 bytes, transit, one of 16 ports", 1, 60, 1, 1, 16 },
	{ "60 bytes, transit, one of 64 ports", 1, 60, 1, 1, 64 },
	{ "60 bytes, transit, all of 4 ports", 1, 60, 1, 4, 4 },
	{ "60 bytes, transit, all of 16 ports", 1, 60, 1, 16, 16 },
	{ "60 bytes, transit, all of 64 ports", 1, 60, 1, 64, 64 },
};

static void describe(u32 *tail, u64 addr, u64 info)
{
	mem.tx[(*tail)++ % RING] = (struct parq_tx_desc){
		.addr = cpu_to_le64(addr), .info = cpu_to_le64(info),
	};
}

/* The payload of a TSO frame is in pages, as the stack makes it. */
static void post(const struct load *l, u32 *tail)
{
	u32 off, part;

	if (l->wire == 1) {
		describe(tail, ADDR(frame), l->len | PARQ_TX_EOP);
		return;
	}
	describe(tail, FIELD_PREP(PARQ_TXX_MSS, MSS) | FIELD_PREP(PARQ_TXX_HDR_LEN, HDR_LEN),
		 PARQ_TX_EXT);
	describe(tail, ADDR(frame), HDR_LEN | PARQ_TX_TSO4 | FIELD_PREP(PARQ_TX_CSUM_START, 34));
	for (off = HDR_LEN; off < l->len; off += part) {
		part = l->len - off < 4096 ? l->len - off : 4096;
		describe(tail, ADDR(frame) + off,
			 part | (off + part == l->len ? PARQ_TX_EOP : 0));
	}
}

static u64 cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* The driver returns all buffers at once: one for each completion. */
static u32 rx_tail(void)
{
	static u32 head;

	while (!(le32_to_cpu(mem.comp[head % RING].flags) & PARQ_RX_GEN) == !!(head / RING % 2))
		head++;
	return head + RING;
}

/* The station at a port has the address 02:00:00:00:00:(port + 1), and sends to the next one. */
static void arrive(u32 port, u32 len)
{
	mem.frame[5] = (port + 1) % ports + 1;
	mem.frame[11] = port + 1;
	parqsim_rx(sim, port, mem.frame, len, true);
}

/* All ports join a domain, and the switch learns by which port a frame leaves. */
static void switch_up(void)
{
	u32 window = parqsim_read(sim, PARQ_SWITCH), port;

	for (port = 0; port < ports; port++)
		parqsim_write(sim, window + PARQ_SW_PORT(port) + PARQ_SW_CTRL,
			      FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) | PARQ_SW_CTRL_LEARN |
			      FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING));
	/* Nobody has sent yet, so that these go nowhere, but for the last one. */
	for (port = 0; port < ports; port++)
		arrive(port, 60);
	parqsim_run(sim, parqsim_clock(sim)->now + BURST_PS);
	if (parqsim_read(sim, PARQ_ERR))
		abort();
}

static void start(bool transit, u32 wanted)
{
	if (sim && transit == forwarding && wanted == ports)
		return;
	free(sim);
	memset(db, 0, sizeof(db));
	forwarding = transit;
	ports = wanted;
	nic_up();
	if (transit)
		switch_up();
}

/* Return: processor time per frame on the wire, ns. */
static double run(const struct load *l, u32 bursts, u32 *tail)
{
	u64 start = cpu_ns(), before = received, now = parqsim_clock(sim)->now;
	u32 senders = l->transit ? l->transit : 1, port, i, n;

	for (n = 0; n < bursts; n++) {
		for (i = 0; i < l->burst && !l->transit; i++)
			post(l, tail);
		for (i = 0; i < l->burst; i++)
			for (port = 0; port < l->transit; port++)
				arrive(port, l->len);
		db[(PARQ_DB_RX(1, 0) + PARQ_DB_TAIL) / 4] = rx_tail();
		db[(PARQ_DB_TX(0, 0) + PARQ_DB_TAIL) / 4] = *tail;
		now += BURST_PS;
		parqsim_run(sim, parqsim_clock(sim)->now);
		parqsim_run(sim, now);
		parqsim_doze(sim);
	}
	if (received - before != (u64)bursts * l->burst * l->wire * senders)
		abort();
	return (double)(cpu_ns() - start) / (received - before);
}

int main(int argc, char **argv)
{
	u32 i, bursts = argc > 2 ? atoi(argv[2]) : 20000, tail = 0;
	const char *comma = "";

	make_frame();
	printf("{");
	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		if (argc > 1 && strcmp(argv[1], loads[i].name))
			continue;
		start(loads[i].transit, loads[i].ports);
		printf("%s\"%s\": %.1f", comma, loads[i].name, run(&loads[i], bursts, &tail));
		comma = ", ";
	}
	puts("}");
	return 0;
}
