// SPDX-License-Identifier: GPL-2.0
/*
 * An AF_XDP socket, bound to a queue of an interface until SIGTERM. It keeps the queue, receives
 * the numbered datagrams of parq_traffic, or sends such.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "parq_frame.h"
#include "xdp_prog.h"
#include "xsk_uapi.h"

#define NS_PER_MS	1000000L
#define IDLE_NS		20000L
#define LEAD_NS		20000000	/* before the first launch */
#define MAX_QUEUES	64
#define BATCH		64

static const char usage[] =
	"usage: parq_xsk DEV QUEUE [OPTION]...\n"
	"\n"
	"  --recv         receive numbered datagrams; a program sends all frames here\n"
	"  --send         send numbered datagrams, tagged, to 198.51.100.2\n"
	"  --zerocopy     without copies, or not at all (copies)\n"
	"  --poll         no need to be woken up\n"
	"  --sg           frames of several chunks\n"
	"  --chunk BYTES  2048 or 4096 (4096)\n"
	"  --chunks N     half of them to receive (2048)\n"
	"  --stall MS     before it receives (0)\n"
	"  --from MAC     source\n"
	"  --to MAC       destination\n"
	"  --prios MASK   priorities to send (0xff)\n"
	"  --frames N     a priority (1000)\n"
	"  --size BYTES   of a datagram (1000)\n"
	"  --launch NS    send with launch times so far apart, and compare time stamps\n"
	"  --times N      bind and unbind N times, 1 ms apart\n";

/**
 * struct xsk_options - command line
 * @dev: interface
 * @queue: its queue
 * @flags: of the address
 * @recv: receive
 * @send: send
 * @chunk: bytes
 * @chunks: number
 * @stall: ms
 * @from: source
 * @to: destination
 * @prios: BIT(priority)
 * @frames: a priority
 * @size: of a datagram
 * @launch: ns between launch times, 0 for none
 * @times: bind and unbind
 */
struct xsk_options {
	unsigned int dev;
	unsigned int queue;
	uint16_t flags;
	bool recv;
	bool send;
	uint32_t chunk;
	uint32_t chunks;
	uint32_t stall;
	uint8_t from[6];
	uint8_t to[6];
	uint32_t prios;
	uint32_t frames;
	uint32_t size;
	uint32_t launch;
	uint32_t times;
};

/**
 * struct xsk_ring - a ring that is shared with the kernel
 * @producer: position
 * @consumer: position
 * @flags: XDP_RING_NEED_WAKEUP
 * @desc: entries, of the kind of the ring
 * @map: all of it
 * @size: bytes of @map
 */
struct xsk_ring {
	uint32_t *producer;
	uint32_t *consumer;
	uint32_t *flags;
	void *desc;
	uint8_t *map;
	size_t size;
};

/**
 * struct xsk - a socket
 * @o: options
 * @fd: socket
 * @mem: chunks
 * @fill: chunks for the kernel to receive
 * @done: chunks that were sent
 * @rx: received
 * @tx: to be sent
 * @free: chunks that can be sent
 * @num_free: their number
 * @at: launch time of the frame in each chunk, ns
 * @next: of the next frame
 * @early: frames that started before it
 * @late: frames that started more than 10 ns after it
 */
struct xsk {
	const struct xsk_options *o;
	int fd;
	uint8_t *mem;
	struct xsk_ring fill;
	struct xsk_ring done;
	struct xsk_ring rx;
	struct xsk_ring tx;
	uint64_t *free;
	uint32_t num_free;
	uint64_t *at;
	uint64_t next;
	uint32_t early;
	uint32_t late;
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void sleep_ns(long ns)
{
	const struct timespec ts = { .tv_sec = ns / 1000000000L, .tv_nsec = ns % 1000000000L };

	nanosleep(&ts, NULL);
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

/* ---- the socket ---------------------------------------------------------- */

static void set(int fd, int option, const void *value, socklen_t len)
{
	if (setsockopt(fd, SOL_XDP, option, value, len))
		err(EXIT_FAILURE, "option %d", option);
}

static void map_ring(struct xsk *x, struct xsk_ring *ring, const struct xdp_ring_offset *off,
		     off_t page, size_t entry)
{
	ring->size = off->desc + x->o->chunks * entry;
	ring->map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			 x->fd, page);
	if (ring->map == MAP_FAILED)
		err(EXIT_FAILURE, "ring");
	ring->producer = (uint32_t *)(ring->map + off->producer);
	ring->consumer = (uint32_t *)(ring->map + off->consumer);
	ring->flags = (uint32_t *)(ring->map + off->flags);
	ring->desc = ring->map + off->desc;
}

static void map_rings(struct xsk *x)
{
	struct xdp_mmap_offsets off;
	socklen_t len = sizeof(off);

	if (getsockopt(x->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len))
		err(EXIT_FAILURE, "offsets");
	map_ring(x, &x->fill, &off.fr, (off_t)XDP_UMEM_PGOFF_FILL_RING, sizeof(uint64_t));
	map_ring(x, &x->done, &off.cr, (off_t)XDP_UMEM_PGOFF_COMPLETION_RING, sizeof(uint64_t));
	map_ring(x, &x->rx, &off.rx, XDP_PGOFF_RX_RING, sizeof(struct xdp_desc));
	map_ring(x, &x->tx, &off.tx, XDP_PGOFF_TX_RING, sizeof(struct xdp_desc));
}

/* The first half of the chunks is for the kernel, the other to be sent. */
static void supply(struct xsk *x)
{
	const struct xsk_options *o = x->o;
	uint32_t i;

	for (i = 0; i < o->chunks / 2; i++) {
		((uint64_t *)x->fill.desc)[i] = (uint64_t)i * o->chunk;
		x->free[x->num_free++] = (uint64_t)(o->chunks - 1 - i) * o->chunk;
	}
	__atomic_store_n(x->fill.producer, o->chunks / 2, __ATOMIC_RELEASE);
}

static void open_socket(struct xsk *x, const struct xsk_options *o)
{
	const int rings[] = {
		XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_RX_RING, XDP_TX_RING,
	};
	struct umem_reg umem = {
		.len = (uint64_t)o->chunks * o->chunk,
		.chunk_size = o->chunk,
	};
	const int entries = (int)o->chunks;
	size_t i;

	if (o->launch) {
		umem.flags = XDP_UMEM_TX_METADATA_LEN;
		umem.tx_metadata_len = sizeof(struct tx_metadata);
	}

	*x = (struct xsk){ .o = o };
	x->free = calloc(o->chunks, sizeof(*x->free));
	x->at = calloc(o->chunks, sizeof(*x->at));
	x->mem = mmap(NULL, umem.len, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (!x->free || !x->at || x->mem == MAP_FAILED)
		err(EXIT_FAILURE, "memory");
	umem.addr = (uintptr_t)x->mem;
	x->fd = socket(AF_XDP, SOCK_RAW, 0);
	if (x->fd < 0)
		err(EXIT_FAILURE, "socket");
	set(x->fd, XDP_UMEM_REG, &umem, sizeof(umem));
	for (i = 0; i < sizeof(rings) / sizeof(rings[0]); i++)
		set(x->fd, rings[i], &entries, sizeof(entries));
	map_rings(x);
	supply(x);
}

/* A socket that was closed before leaves the queue a little later. */
static void bind_socket(const struct xsk *x)
{
	struct sockaddr_xdp addr = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = x->o->flags,
		.sxdp_ifindex = x->o->dev,
		.sxdp_queue_id = x->o->queue,
	};
	int tries = 1000;

	while (bind(x->fd, (struct sockaddr *)&addr, sizeof(addr))) {
		if (errno != EBUSY || !--tries)
			err(EXIT_FAILURE, "bind to queue %u", x->o->queue);
		sleep_ns(NS_PER_MS);
	}
}

/* A ring that is mapped keeps the socket. */
static void close_socket(struct xsk *x)
{
	const struct xsk_ring *ring[] = { &x->fill, &x->done, &x->rx, &x->tx };
	size_t i;

	for (i = 0; i < sizeof(ring) / sizeof(ring[0]); i++)
		munmap(ring[i]->map, ring[i]->size);
	close(x->fd);
	munmap(x->mem, (size_t)x->o->chunks * x->o->chunk);
	free(x->free);
	free(x->at);
}

static void change(const struct xsk_options *o)
{
	struct xsk x;
	uint32_t i;

	for (i = 0; i < o->times && !stop; i++) {
		open_socket(&x, o);
		bind_socket(&x);
		sleep_ns(NS_PER_MS);
		close_socket(&x);
		sleep_ns(NS_PER_MS);
	}
	printf("bound %u\n", i);
}

/* ---- receiving ----------------------------------------------------------- */

/* Sends frames of the queue to the socket, and others to the stack. */
static void redirect_here(const struct xsk *x)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_XSKMAP,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = MAX_QUEUES,
	};
	union bpf_attr entry = { .map_fd = 0 };
	int fd = xdp_bpf(BPF_MAP_CREATE, &map);
	const struct bpf_insn insn[] = {
		LOAD(BPF_W, 2, 1, offsetof(struct xdp_md, rx_queue_index)),
		INSN(.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1,
		     .src_reg = BPF_PSEUDO_MAP_FD, .imm = fd),
		INSN(.code = 0),
		MOV_IMM(3, XDP_PASS), CALL(BPF_FUNC_redirect_map), EXIT,
	};

	if (fd < 0)
		err(EXIT_FAILURE, "map");
	entry.map_fd = (uint32_t)fd;
	entry.key = (uintptr_t)&x->o->queue;
	entry.value = (uintptr_t)&x->fd;
	if (xdp_bpf(BPF_MAP_UPDATE_ELEM, &entry))
		err(EXIT_FAILURE, "map");
	xdp_attach(xdp_netlink(), x->o->dev,
		   xdp_load(BPF_PROG_TYPE_XDP, insn, sizeof(insn) / sizeof(*insn),
			    x->o->flags & XDP_USE_SG ? BPF_F_XDP_HAS_FRAGS : 0));
}

/**
 * struct flows - what has arrived
 * @next: number expected, by flow
 * @received: datagrams
 * @late: of them, after one with a higher number
 * @missing: numbers that were left out
 * @bytes: of frames
 * @other: frames that are no such datagrams
 */
struct flows {
	uint32_t next[PARQ_MAX_FLOWS];
	uint64_t received;
	uint64_t late;
	uint64_t missing;
	uint64_t bytes;
	uint64_t other;
};

static void count(struct flows *f, const uint8_t *data, uint32_t len)
{
	uint32_t at = data[12] == 0x81 && !data[13] ? ETH_HLEN + 4 : ETH_HLEN;
	struct parq_tag tag;
	uint32_t seq, *next;

	at += sizeof(struct iphdr) + sizeof(struct udphdr);
	if (len >= at + sizeof(tag))
		memcpy(&tag, data + at, sizeof(tag));
	if (len < at + sizeof(tag) || ntohl(tag.magic) != PARQ_TAG_MAGIC ||
	    ntohs(tag.flow) >= PARQ_MAX_FLOWS) {
		f->other++;
		return;
	}
	seq = ntohl(tag.seq);
	next = &f->next[ntohs(tag.flow)];
	f->received++;
	if (seq < *next) {
		f->late++;
		return;
	}
	f->missing += seq - *next;
	*next = seq + 1;
}

/* Return: number of descriptors. */
static uint32_t receive(struct xsk *x, struct flows *f)
{
	static bool inside;
	uint32_t mask = x->o->chunks - 1, to = *x->fill.producer, n;
	uint32_t from = *x->rx.consumer, end = __atomic_load_n(x->rx.producer, __ATOMIC_ACQUIRE);
	const struct xdp_desc *desc;

	for (n = 0; from + n != end; n++) {
		desc = (const struct xdp_desc *)x->rx.desc + ((from + n) & mask);
		if (!inside)
			count(f, x->mem + desc->addr, desc->len);
		inside = desc->options & XDP_PKT_CONTD;
		f->bytes += desc->len;
		((uint64_t *)x->fill.desc)[(to + n) & mask] = desc->addr & ~(x->o->chunk - 1ULL);
	}
	__atomic_store_n(x->rx.consumer, end, __ATOMIC_RELEASE);
	__atomic_store_n(x->fill.producer, to + n, __ATOMIC_SEQ_CST);
	return n;
}

static void receive_all(struct xsk *x)
{
	struct pollfd fd = { .fd = x->fd, .events = POLLIN };
	static struct flows f;

	redirect_here(x);
	ready();
	sleep_ns(x->o->stall * NS_PER_MS);
	while (!stop)
		if (!receive(x, &f))
			poll(&fd, 1, 100);
	receive(x, &f);
	xdp_attach(xdp_netlink(), x->o->dev, -1);
	printf("received %lu missing %lu late %lu bytes %lu other %lu\n", f.received, f.missing,
	       f.late, f.bytes, f.other);
}

/* ---- sending ------------------------------------------------------------- */

struct headers {
	struct ethhdr eth;
	uint16_t tci;
	uint16_t type;
	struct iphdr ip;
	struct udphdr udp;
	struct parq_tag tag;
} __attribute__((packed));

static uint16_t ip_sum(const struct iphdr *ip)
{
	const uint16_t *word = (const uint16_t *)ip;
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(*ip) / 2; i++)
		sum += word[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}

static void write_headers(const struct xsk_options *o, uint8_t *at, unsigned int prio,
			  uint32_t seq)
{
	struct headers h = {
		.eth = { .h_proto = htons(ETH_P_8021Q) },
		.tci = htons((uint16_t)(prio << 13 | 10)),
		.type = htons(ETH_P_IP),
		.ip = {
			.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP,
			.tot_len = htons((uint16_t)(sizeof(h.ip) + sizeof(h.udp) + o->size)),
			.saddr = inet_addr("198.51.100.1"), .daddr = inet_addr("198.51.100.2"),
		},
		.udp = {
			.source = htons(PARQ_UDP_PORT), .dest = htons(PARQ_UDP_PORT),
			.len = htons((uint16_t)(sizeof(h.udp) + o->size)),
		},
		.tag = {
			.magic = htonl(PARQ_TAG_MAGIC), .seq = htonl(seq),
			.flow = htons((uint16_t)(PARQ_MAX_FLOWS - PARQ_NUM_PRIO + prio)),
		},
	};
	struct iphdr ip = h.ip;

	memcpy(h.eth.h_dest, o->to, sizeof(h.eth.h_dest));
	memcpy(h.eth.h_source, o->from, sizeof(h.eth.h_source));
	h.ip.check = ip_sum(&ip);
	memcpy(at, &h, sizeof(h));
}

/* Puts what is requested of a frame before it. */
static void write_request(struct xsk *x, struct xdp_desc *desc)
{
	struct tx_metadata meta = {
		.flags = XDP_TXMD_FLAGS_TIMESTAMP | XDP_TXMD_FLAGS_LAUNCH_TIME,
	};
	struct timespec now;

	if (!x->next) {
		clock_gettime(CLOCK_TAI, &now);
		x->next = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + LEAD_NS;
	}
	meta.request.launch_time = x->next;
	x->at[desc->addr / x->o->chunk] = x->next;
	x->next += x->o->launch;
	memcpy(x->mem + desc->addr, &meta, sizeof(meta));
	desc->addr += sizeof(meta);
	desc->options = XDP_TX_METADATA;
}

/* Compares the stamp of a frame with its launch time. Return: its chunk. */
static uint64_t read_stamp(struct xsk *x, uint64_t addr)
{
	uint64_t chunk = addr - addr % x->o->chunk, at = x->at[chunk / x->o->chunk];
	struct tx_metadata meta;

	memcpy(&meta, x->mem + chunk, sizeof(meta));
	x->early += meta.stamp < at;
	x->late += meta.stamp > at + 10;
	return chunk;
}

/* The chunks of a frame. Return: their number. */
static uint32_t write_frame(struct xsk *x, uint32_t at, unsigned int prio, uint32_t seq)
{
	uint32_t left = (uint32_t)sizeof(struct headers) - (uint32_t)sizeof(struct parq_tag) +
			x->o->size;
	uint32_t n = 0, len;
	struct xdp_desc *desc;

	for (; left; left -= len, n++) {
		desc = (struct xdp_desc *)x->tx.desc + ((at + n) & (x->o->chunks - 1));
		len = left < x->o->chunk ? left : x->o->chunk;
		*desc = (struct xdp_desc){
			.addr = x->free[--x->num_free],
			.len = len,
			.options = left > len ? XDP_PKT_CONTD : 0,
		};
		if (x->o->launch)
			write_request(x, desc);
		if (!n)
			write_headers(x->o, x->mem + desc->addr, prio, seq);
	}
	return n;
}

/* Return: chunks that came back. */
static uint32_t reap(struct xsk *x)
{
	uint32_t end = __atomic_load_n(x->done.producer, __ATOMIC_ACQUIRE);
	uint32_t from = *x->done.consumer, n;
	uint64_t addr;

	for (n = 0; from + n != end; n++) {
		addr = ((uint64_t *)x->done.desc)[(from + n) & (x->o->chunks - 1)];
		x->free[x->num_free++] = x->o->launch ? read_stamp(x, addr) : addr;
	}
	__atomic_store_n(x->done.consumer, end, __ATOMIC_RELEASE);
	return n;
}

/* Takes turns between the priorities. Return: frames. */
static uint32_t fill(struct xsk *x, uint32_t *sent, uint32_t num)
{
	uint32_t chunks = (x->o->size + (uint32_t)sizeof(struct headers)) / x->o->chunk + 1;
	uint32_t tail = *x->tx.producer, frames = 0, prio;

	for (; frames < BATCH && *sent < num; ++*sent) {
		prio = *sent % PARQ_NUM_PRIO;
		if (!(x->o->prios >> prio & 1))
			continue;
		if (x->num_free < chunks ||
		    tail + chunks - __atomic_load_n(x->tx.consumer, __ATOMIC_ACQUIRE) >
		    x->o->chunks)
			break;
		tail += write_frame(x, tail, prio, *sent / PARQ_NUM_PRIO);
		frames++;
	}
	__atomic_store_n(x->tx.producer, tail, __ATOMIC_SEQ_CST);
	return frames;
}

/* A chunk may be sent again only after it has come back, so each of them does. */
static void send_all(struct xsk *x)
{
	uint32_t num = x->o->frames * PARQ_NUM_PRIO, turn = 0, frames = 0, back = 0, n, m;

	ready();
	while (!stop && (turn < num || x->num_free < x->o->chunks / 2)) {
		m = reap(x);
		n = fill(x, &turn, num);
		frames += n;
		back += m;
		if (!(x->o->flags & XDP_USE_NEED_WAKEUP) ||
		    __atomic_load_n(x->tx.flags, __ATOMIC_SEQ_CST) & XDP_RING_NEED_WAKEUP)
			sendto(x->fd, NULL, 0, MSG_DONTWAIT, NULL, 0);
		if (!n && !m)
			sleep_ns(IDLE_NS);
	}
	printf("sent %u back %u\n", frames, back);
	if (x->o->launch)
		printf("early %u late %u\n", x->early, x->late);
}

/* ---- command line -------------------------------------------------------- */

enum option_id {
	RECV, SEND, ZEROCOPY, POLL, SG, CHUNK, CHUNKS, STALL, FROM, TO, PRIOS, FRAMES, SIZE, LAUNCH,
	TIMES,
};

static void parse_option(struct xsk_options *o, int c)
{
	switch (c) {
	case RECV:
		o->recv = true;
		break;
	case SEND:
		o->send = true;
		break;
	case ZEROCOPY:
		o->flags = (o->flags & ~XDP_COPY) | XDP_ZEROCOPY;
		break;
	case POLL:
		o->flags &= ~XDP_USE_NEED_WAKEUP;
		break;
	case SG:
		o->flags |= XDP_USE_SG;
		break;
	case CHUNK:
		o->chunk = option_number("--chunk", optarg, 2048, 4096);
		break;
	case CHUNKS:
		o->chunks = option_number("--chunks", optarg, 16, 1 << 16);
		break;
	case STALL:
		o->stall = option_number("--stall", optarg, 0, 10000);
		break;
	case FROM:
		option_addr("--from", optarg, o->from);
		break;
	case TO:
		option_addr("--to", optarg, o->to);
		break;
	case PRIOS:
		o->prios = option_number("--prios", optarg, 1, 0xff);
		break;
	case FRAMES:
		o->frames = option_number("--frames", optarg, 1, 1 << 28);
		break;
	case SIZE:
		o->size = option_number("--size", optarg, 12, 9000);
		break;
	case LAUNCH:
		o->launch = option_number("--launch", optarg, 1, 1000000000);
		break;
	case TIMES:
		o->times = option_number("--times", optarg, 1, 100000);
		break;
	default:
		exit(OPTIONS_BAD_USAGE);
	}
}

static void parse(struct xsk_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "recv", 0, NULL, RECV }, { "send", 0, NULL, SEND },
		{ "zerocopy", 0, NULL, ZEROCOPY }, { "poll", 0, NULL, POLL },
		{ "sg", 0, NULL, SG }, { "chunk", 1, NULL, CHUNK },
		{ "chunks", 1, NULL, CHUNKS }, { "stall", 1, NULL, STALL },
		{ "from", 1, NULL, FROM }, { "to", 1, NULL, TO },
		{ "prios", 1, NULL, PRIOS },
		{ "frames", 1, NULL, FRAMES }, { "size", 1, NULL, SIZE },
		{ "launch", 1, NULL, LAUNCH }, { "times", 1, NULL, TIMES }, { 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0)
		parse_option(o, c);
	if (argc - optind != 2) {
		fputs(usage, stderr);
		exit(OPTIONS_BAD_USAGE);
	}
	o->dev = if_nametoindex(argv[optind]);
	if (!o->dev)
		err(EXIT_FAILURE, "%s", argv[optind]);
	o->queue = option_number("QUEUE", argv[optind + 1], 0, MAX_QUEUES - 1);
}

int main(int argc, char **argv)
{
	struct xsk_options o = {
		.flags = XDP_COPY | XDP_USE_NEED_WAKEUP, .chunk = 4096, .chunks = 2048,
		.prios = 0xff, .frames = 1000, .size = 1000,
	};
	const struct sigaction act = { .sa_handler = on_signal };
	struct xsk x;

	parse(&o, argc, argv);
	sigaction(SIGTERM, &act, NULL);
	if (o.times) {
		change(&o);
		return EXIT_SUCCESS;
	}
	open_socket(&x, &o);
	bind_socket(&x);
	if (o.recv) {
		receive_all(&x);
	} else if (o.send) {
		send_all(&x);
	} else {
		ready();
		while (!stop)
			poll(NULL, 0, 100);
	}
	return EXIT_SUCCESS;
}
