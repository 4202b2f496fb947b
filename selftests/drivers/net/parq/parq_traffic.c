// SPDX-License-Identifier: GPL-2.0
/*
 * Numbered datagrams in all priorities: sends them as fast as they are taken, or
 * at a rate; or receives and counts them. SIGTERM ends both in good order.
 *
 * Every flow has a socket that never blocks, so a paused one holds up no other.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "parq_frame.h"

#define NS_PER_S	1000000000ULL
#define NS_PER_MS	1000000ULL
#define MAX_SIZE	10212	/* of a datagram: MTU 10240 */
#define BURST		8	/* of one flow before the next has its turn */
/* An interface that is down, or has frames to send yet, is looked at again so late. */
#define RETRY_NS	(10 * NS_PER_MS)
#define RECV_BATCH	64
#define RECV_BUF	(16 << 20)
/* Few enough that the qdisc, which holds 1000 packets, never drops one of many flows. */
#define SEND_BUF	(64 << 10)

static const char usage[] =
	"usage: parq_traffic send --dev DEV --to ADDR [OPTION]...\n"
	"       parq_traffic recv [OPTION]...\n"
	"\n"
	"  --dev DEV      interface that sends\n"
	"  --to ADDR      IPv4 address\n"
	"  --prios MASK   priorities (0xff)\n"
	"  --flows N      flows a priority, 1 to 32 (1)\n"
	"  --first N      number of the first of them, 0 to 31 (0)\n"
	"  --size BYTES   of a datagram, 12 to 10212 (1400)\n"
	"  --frames N     a flow, then stop (0: no end)\n"
	"  --rate KBIT    a flow (0: as fast as possible)\n"
	"  --time MS      then stop (0: no end)\n"
	"  --ect          packets can be marked (ECN)\n"
	"  --unconnected  sockets keep no route\n"
	"  --drain MS     wait for the last frame to leave (10000)\n"
	"  --report MS    print counts so often (0: at the end only)\n";

/**
 * struct traffic_options - command line
 * @dev: interface
 * @to: destination
 * @prios: BIT(priority)
 * @flows: a priority
 * @first: number of the first of them, so that senders to one receiver differ
 * @size: of a datagram
 * @frames: a flow, 0 is no limit
 * @rate: of a flow, kbit/s, 0 is no limit
 * @interval_ns: between datagrams of a flow, what @rate and @size make
 * @time_ns: when to stop, 0 is never
 * @ect: ECT(0) is set
 * @unconnected: each datagram has the address
 * @drain_ms: how long to wait for the last frame
 * @report_ns: how often to print, 0 is never
 */
struct traffic_options {
	const char *dev;
	struct sockaddr_in to;
	uint32_t prios;
	uint32_t flows;
	uint32_t first;
	uint32_t size;
	uint32_t frames;
	uint32_t rate;
	uint64_t interval_ns;
	uint64_t time_ns;
	bool ect;
	bool unconnected;
	uint32_t drain_ms;
	uint64_t report_ns;
};

/**
 * struct flow - one flow
 * @id: its number
 * @fd: its socket
 * @seq: next to send, or highest received plus 1
 * @received: datagrams
 * @late: of them, after one with a higher number
 */
struct flow {
	uint32_t id;
	int fd;
	uint64_t seq;
	uint64_t received;
	uint64_t late;
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Or until one of @n sockets is ready, at most a second. */
static void wait_ns(struct pollfd *fd, uint32_t n, uint64_t ns)
{
	struct timespec ts = { .tv_sec = 1 };

	if (ns < NS_PER_S)
		ts = (struct timespec){ .tv_nsec = (long)ns };
	if (ppoll(fd, n, &ts, NULL) < 0 && errno != EINTR)
		err(EXIT_FAILURE, "poll");
}

/* ---- sending ------------------------------------------------------------ */

static int open_sender(const struct traffic_options *o, int prio)
{
	int buf = SEND_BUF, ect = 2, fd;

	fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	if (fd < 0)
		err(EXIT_FAILURE, "socket");
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, o->dev, strlen(o->dev)))
		err(EXIT_FAILURE, "%s", o->dev);
	/* It sets the priority, too. */
	if (o->ect && setsockopt(fd, IPPROTO_IP, IP_TOS, &ect, sizeof(ect)))
		err(EXIT_FAILURE, "IP_TOS");
	if (setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &prio, sizeof(prio)))
		err(EXIT_FAILURE, "SO_PRIORITY");
	/* A single flow has the buffer that any program has. */
	if (o->flows > 1 &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &buf, sizeof(buf)))
		err(EXIT_FAILURE, "SO_SNDBUFFORCE");
	if (!o->unconnected &&
	    connect(fd, (const struct sockaddr *)&o->to, sizeof(o->to)))
		err(EXIT_FAILURE, "connect");
	return fd;
}

static uint32_t open_flows(const struct traffic_options *o, struct flow *f)
{
	uint32_t n = 0, i, prio;

	for (i = 0; i < o->flows; i++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			if (o->prios & 1u << prio)
				f[n++] = (struct flow){
					.id = (o->first + i) * PARQ_NUM_PRIO + prio,
					.fd = open_sender(o, (int)prio),
				};
	return n;
}

enum outcome {
	SENT,
	FULL,		/* socket */
	REFUSED,
};

/* Contents of datagrams. The tag is written over the first bytes. */
static uint8_t payload[MAX_SIZE];

/* Neighbours differ, so that a checksum shows bytes that are in the wrong place. */
static void payload_fill(void)
{
	uint32_t i;

	for (i = 0; i < MAX_SIZE; i++)
		payload[i] = (uint8_t)(i % 251);
}

/*
 * Of errors, ECONNREFUSED speaks of an earlier datagram, most of the others of an
 * interface that is down or gone.
 */
static enum outcome send_one(const struct traffic_options *o, struct flow *f)
{
	struct parq_tag tag = {
		.magic = htonl(PARQ_TAG_MAGIC),
		.seq = htonl((uint32_t)f->seq),
		.flow = htons((uint16_t)f->id),
	};

	memcpy(payload, &tag, sizeof(tag));
	if (sendto(f->fd, payload, o->size, 0,
		   o->unconnected ? (const struct sockaddr *)&o->to : NULL,
		   o->unconnected ? sizeof(o->to) : 0) >= 0) {
		f->seq++;
		return SENT;
	}
	switch (errno) {
	case EAGAIN:
		return FULL;
	case ECONNREFUSED:
	case EINVAL: /* no neighbours on an interface that is losing its addresses */
	case ENETDOWN:
	case ENETUNREACH:
	case ENOBUFS:
	case ENODEV:
	case ENXIO:
		return REFUSED;
	default:
		err(EXIT_FAILURE, "send");
	}
}

/* When the flow may send again; UINT64_MAX: never. */
static uint64_t flow_due(const struct traffic_options *o, const struct flow *f,
			 uint64_t start)
{
	if (o->frames && f->seq >= o->frames)
		return UINT64_MAX;
	return start + f->seq * o->interval_ns;
}

/* Bytes of frames that the driver or the qdisc still has. */
static uint64_t flow_queued(const struct flow *f)
{
	int bytes;

	if (ioctl(f->fd, SIOCOUTQ, &bytes))
		err(EXIT_FAILURE, "SIOCOUTQ");
	return (uint64_t)bytes;
}

/*
 * A burst of one flow. Return: when it may go on, UINT64_MAX: never. A full socket wakes
 * its sender when it is half empty: @fd is what to wait for then.
 *
 * An interface without a carrier may take datagrams and drop them, and the socket never
 * fills. In simulated time a sender that does not wait would send at that moment forever.
 */
static uint64_t send_burst(const struct traffic_options *o, struct flow *f,
			   struct pollfd *fd, uint64_t start, uint64_t now)
{
	uint64_t before = flow_queued(f);
	uint32_t n;

	*fd = (struct pollfd){ .fd = -1 };
	for (n = 0; n < BURST && flow_due(o, f, start) <= now; n++) {
		switch (send_one(o, f)) {
		case SENT:
			break;
		case FULL:
			*fd = (struct pollfd){ .fd = f->fd, .events = POLLOUT };
			return now + NS_PER_S;
		case REFUSED:
			return now + RETRY_NS;
		}
	}
	if (n == BURST && flow_queued(f) <= before)
		return now + NS_PER_MS;
	return flow_due(o, f, start);
}

/* One turn of all flows. Return: when the next one is due. */
static uint64_t send_turn(const struct traffic_options *o, struct flow *f,
			  struct pollfd *fd, uint32_t n, uint64_t start)
{
	uint64_t now = now_ns(), due = UINT64_MAX, at;
	uint32_t i;

	for (i = 0; i < n; i++) {
		at = send_burst(o, &f[i], &fd[i], start, now);
		if (at < due)
			due = at;
	}
	return due;
}

static void print_sent(const struct flow *f, uint32_t n, uint64_t ms)
{
	uint64_t sum[PARQ_NUM_PRIO] = { 0 };
	uint32_t i;

	for (i = 0; i < n; i++)
		sum[f[i].id % PARQ_NUM_PRIO] += f[i].seq;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		printf("t %" PRIu64 " prio %u sent %" PRIu64 "\n", ms, i,
		       sum[i]);
	fflush(stdout);
}

static uint64_t queued(const struct flow *f, uint32_t n)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		sum += flow_queued(&f[i]);
	return sum;
}

static int drain(const struct traffic_options *o, const struct flow *f,
		 uint32_t n)
{
	uint64_t end = now_ns() + o->drain_ms * NS_PER_MS, left;
	uint32_t i;

	do {
		left = queued(f, n);
		if (!left)
			break;
		wait_ns(NULL, 0, RETRY_NS);
	} while (now_ns() < end);
	for (i = 0; i < n; i++)
		printf("flow %u sent %" PRIu64 "\n", f[i].id, f[i].seq);
	printf("queued %" PRIu64 "\n", left);
	return left ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int traffic_send(const struct traffic_options *o)
{
	static struct flow f[PARQ_MAX_FLOWS];
	static struct pollfd fd[PARQ_MAX_FLOWS];
	uint64_t start, now, report, due, end;
	uint32_t n;

	n = open_flows(o, f);
	payload_fill();
	start = now_ns();
	end = o->time_ns ? start + o->time_ns : UINT64_MAX;
	report = o->report_ns ? start + o->report_ns : UINT64_MAX;
	while (!stop) {
		due = send_turn(o, f, fd, n, start);
		now = now_ns();
		if (now >= end || due == UINT64_MAX)
			break;
		if (now >= report) {
			print_sent(f, n, (now - start) / NS_PER_MS);
			report += o->report_ns;
		}
		due = due < end ? due : end;
		due = due < report ? due : report;
		if (due > now)
			wait_ns(fd, n, due - now);
	}
	print_sent(f, n, (now_ns() - start) / NS_PER_MS);
	return drain(o, f, n);
}

/* ---- receiving ---------------------------------------------------------- */

static int open_receiver(void)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(PARQ_UDP_PORT),
	};
	int buf = RECV_BUF, fd;

	fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	if (fd < 0)
		err(EXIT_FAILURE, "socket");
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buf, sizeof(buf)))
		err(EXIT_FAILURE, "setsockopt");
	if (bind(fd, (const struct sockaddr *)&addr, sizeof(addr)))
		err(EXIT_FAILURE, "bind");
	return fd;
}

static void count(struct flow *f, const struct parq_tag *tag)
{
	uint32_t seq = ntohl(tag->seq);

	if (ntohl(tag->magic) != PARQ_TAG_MAGIC ||
	    ntohs(tag->flow) >= PARQ_MAX_FLOWS)
		return;
	f += ntohs(tag->flow);
	f->received++;
	if (seq < f->seq)
		f->late++;
	else
		f->seq = seq + 1ULL;
}

static void receive_batch(int fd, struct flow *f)
{
	static struct parq_tag tag[RECV_BATCH];
	struct mmsghdr msg[RECV_BATCH];
	struct iovec iov[RECV_BATCH];
	int n, i;

	do {
		for (i = 0; i < RECV_BATCH; i++) {
			iov[i].iov_base = &tag[i];
			iov[i].iov_len = sizeof(tag[i]);
			msg[i].msg_hdr = (struct msghdr){
				.msg_iov = &iov[i],
				.msg_iovlen = 1,
			};
		}
		n = recvmmsg(fd, msg, RECV_BATCH, 0, NULL);
		for (i = 0; i < n; i++)
			if (msg[i].msg_len == sizeof(tag[i]))
				count(f, &tag[i]);
	} while (n == RECV_BATCH && !stop);
}

static void print_received(const struct flow *f, uint64_t ms)
{
	struct flow sum[PARQ_NUM_PRIO] = { 0 };
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++) {
		sum[i % PARQ_NUM_PRIO].received += f[i].received;
		sum[i % PARQ_NUM_PRIO].seq += f[i].seq;
		sum[i % PARQ_NUM_PRIO].late += f[i].late;
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		printf("t %" PRIu64 " prio %u received %" PRIu64 " missing %"
		       PRId64 " late %" PRIu64 "\n", ms, i, sum[i].received,
		       (int64_t)(sum[i].seq - sum[i].received), sum[i].late);
	fflush(stdout);
}

static void print_flows(const struct flow *f)
{
	uint32_t i;

	for (i = 0; i < PARQ_MAX_FLOWS; i++)
		if (f[i].received)
			printf("flow %u received %" PRIu64 " late %" PRIu64 "\n", i,
			       f[i].received, f[i].late);
}

static int traffic_receive(const struct traffic_options *o)
{
	static struct flow f[PARQ_MAX_FLOWS];
	struct pollfd fd = { .fd = open_receiver(), .events = POLLIN };
	uint64_t start = now_ns(), now = start, report, end;

	printf("ready\n");
	fflush(stdout);
	end = o->time_ns ? start + o->time_ns : UINT64_MAX;
	report = o->report_ns ? start + o->report_ns : UINT64_MAX;
	while (!stop && now < end) {
		uint64_t due = report < end ? report : end;

		wait_ns(&fd, 1, due - now);
		receive_batch(fd.fd, f);
		now = now_ns();
		if (now >= report) {
			print_received(f, (now - start) / NS_PER_MS);
			report += o->report_ns;
		}
	}
	print_flows(f);
	print_received(f, (now - start) / NS_PER_MS);
	return EXIT_SUCCESS;
}

/* ---- command line ------------------------------------------------------- */

static void parse_option(struct traffic_options *o, int opt, const char *arg)
{
	switch (opt) {
	case 'd':
		o->dev = arg;
		break;
	case 'a':
		o->to.sin_port = htons(PARQ_UDP_PORT);
		o->to.sin_family = AF_INET;
		if (inet_pton(AF_INET, arg, &o->to.sin_addr) != 1) {
			fprintf(stderr, "--to '%s': no IPv4 address\n", arg);
			exit(OPTIONS_BAD_USAGE);
		}
		break;
	case 'p':
		o->prios = option_number("--prios", arg, 1, 0xff);
		break;
	case 'f':
		o->flows = option_number("--flows", arg, 1,
					 PARQ_MAX_FLOWS / PARQ_NUM_PRIO);
		break;
	case 'b':
		o->first = option_number("--first", arg, 0,
					 PARQ_MAX_FLOWS / PARQ_NUM_PRIO - 1);
		break;
	case 's':
		o->size = option_number("--size", arg, sizeof(struct parq_tag),
					MAX_SIZE);
		break;
	case 'n':
		o->frames = option_number("--frames", arg, 0, UINT32_MAX);
		break;
	case 'r':
		o->rate = option_number("--rate", arg, 0, 400000000);
		break;
	case 't':
		o->time_ns = option_number("--time", arg, 0, 86400000) *
			     NS_PER_MS;
		break;
	case 'e':
		o->ect = true;
		break;
	case 'u':
		o->unconnected = true;
		break;
	case 'w':
		o->drain_ms = option_number("--drain", arg, 0, 600000);
		break;
	case 'i':
		o->report_ns = option_number("--report", arg, 0, 60000) *
			       NS_PER_MS;
		break;
	default:
		fputs(usage, stderr);
		exit(OPTIONS_BAD_USAGE);
	}
}

static void parse(struct traffic_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "dev", required_argument, NULL, 'd' },
		{ "to", required_argument, NULL, 'a' },
		{ "prios", required_argument, NULL, 'p' },
		{ "flows", required_argument, NULL, 'f' },
		{ "first", required_argument, NULL, 'b' },
		{ "size", required_argument, NULL, 's' },
		{ "frames", required_argument, NULL, 'n' },
		{ "rate", required_argument, NULL, 'r' },
		{ "time", required_argument, NULL, 't' },
		{ "ect", no_argument, NULL, 'e' },
		{ "unconnected", no_argument, NULL, 'u' },
		{ "drain", required_argument, NULL, 'w' },
		{ "report", required_argument, NULL, 'i' },
		{ }
	};
	int opt;

	*o = (struct traffic_options){
		.prios = 0xff,
		.flows = 1,
		.size = 1400,
		.drain_ms = 10000,
	};
	while ((opt = getopt_long(argc, argv, "", options, NULL)) >= 0)
		parse_option(o, opt, optarg);
	if (o->first + o->flows > PARQ_MAX_FLOWS / PARQ_NUM_PRIO) {
		fprintf(stderr, "--first %u: the last of %u flows would be %u, beyond 31\n",
			o->first, o->flows, o->first + o->flows - 1);
		exit(OPTIONS_BAD_USAGE);
	}
	if (o->rate)
		o->interval_ns = o->size * 8 * NS_PER_MS / o->rate;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct traffic_options o;

	parse(&o, argc, argv);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	if (optind + 1 == argc && !strcmp(argv[optind], "recv"))
		return traffic_receive(&o);
	if (optind + 1 == argc && !strcmp(argv[optind], "send") && o.dev &&
	    o.to.sin_family)
		return traffic_send(&o);
	fputs(usage, stderr);
	return OPTIONS_BAD_USAGE;
}
