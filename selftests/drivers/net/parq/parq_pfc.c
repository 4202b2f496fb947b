// SPDX-License-Identifier: GPL-2.0
/*
 * The peer that pauses: sends IEEE 802.1Qbb frames, one that is asked for, or a
 * storm of random pauses, or frames that only look like one; or IEEE 802.3x frames.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "parq_frame.h"

#define NS_PER_S	1000000000ULL
#define NS_PER_US	1000ULL
#define US_PER_MS	1000ULL
#define NS_PER_MS	(NS_PER_US * US_PER_MS)

/* PFC frames go to the TX queue of this priority, as any other frame. */
#define PFC_OWN_PRIO	7

/* What is due so soon goes into the same frame. */
#define SAME_FRAME_NS	(20 * NS_PER_US)
/* A repause follows its XON at once, or within this time. */
#define REPAUSE_NS	(200 * NS_PER_US)

static const char usage[] =
	"usage: parq_pfc --dev DEV once [OPTION]...\n"
	"       parq_pfc --dev DEV hold --speed MBIT [--prios MASK]\n"
	"       parq_pfc --dev DEV link [OPTION]...\n"
	"       parq_pfc --dev DEV storm --speed MBIT [OPTION]...\n"
	"       parq_pfc --dev DEV bad KIND [OPTION]...\n"
	"\n"
	"  --dev DEV        interface that sends\n"
	"  --prios MASK     priorities (0xff)\n"
	"  --quanta N       pause time, 0 ends a pause (65535)\n"
	"  --count N        frames (1)\n"
	"  --every US       time between two of them (0)\n"
	"\n"
	"hold: pauses the priorities until it is told to stop, and releases them\n"
	"  --speed MBIT     of the link\n"
	"\n"
	"link: IEEE 802.3x frames\n"
	"  --opcode N       or of another opcode (1)\n"
	"\n"
	"storm: pauses and releases each priority at random, until it is told to\n"
	"stop or has begun enough pauses; no priority is left paused\n"
	"  --speed MBIT     of the link; half of the pauses run out by themselves\n"
	"  --pauses N       (1000; 0: until SIGTERM)\n"
	"  --on US          mean length of a pause (2000)\n"
	"  --off US         mean time between two (3000)\n"
	"  --repause N      of 100 pauses that end, repaused at once (25)\n"
	"  --seed N         (1)\n"
	"\n"
	"bad: KIND is opcode (0x1001), pause (IEEE 802.3x), address (of nobody), type\n"
	"(0x8809), lldp, lacp or eapol\n";

/**
 * struct pfc_options - command line
 * @dev: interface
 * @prios: BIT(priority)
 * @quanta: pause time
 * @opcode: of link pause
 * @count: frames
 * @every_ns: time between two of them
 * @mbit: speed of the link
 * @pauses: of a storm, 0 is no end
 * @on_ns: mean length of a pause
 * @off_ns: mean time between two
 * @repause: percent
 * @seed: of the random numbers, not 0
 */
struct pfc_options {
	const char *dev;
	uint32_t prios;
	uint32_t quanta;
	uint32_t opcode;
	uint32_t count;
	uint64_t every_ns;
	uint32_t mbit;
	uint64_t pauses;
	uint64_t on_ns;
	uint64_t off_ns;
	uint32_t repause;
	uint64_t seed;
};

/**
 * struct peer - the interface
 * @fd: packet socket
 * @addr: its address
 * @frames: sent
 */
struct peer {
	int fd;
	uint8_t addr[6];
	uint64_t frames;
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void peer_open(struct peer *p, const char *dev)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET };
	struct ifreq ifr = { 0 };
	int prio = PFC_OWN_PRIO, one = 1;

	p->frames = 0;
	p->fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (p->fd < 0)
		err(EXIT_FAILURE, "packet socket");
	if (strlen(dev) >= sizeof(ifr.ifr_name)) {
		fprintf(stderr, "--dev '%s': too long\n", dev);
		exit(OPTIONS_BAD_USAGE);
	}
	strcpy(ifr.ifr_name, dev);
	if (ioctl(p->fd, SIOCGIFHWADDR, &ifr))
		err(EXIT_FAILURE, "%s", dev);
	memcpy(p->addr, ifr.ifr_hwaddr.sa_data, sizeof(p->addr));
	if (ioctl(p->fd, SIOCGIFINDEX, &ifr))
		err(EXIT_FAILURE, "%s", dev);
	ll.sll_ifindex = ifr.ifr_ifindex;
	if (bind(p->fd, (const struct sockaddr *)&ll, sizeof(ll)))
		err(EXIT_FAILURE, "%s", dev);
	if (setsockopt(p->fd, SOL_SOCKET, SO_PRIORITY, &prio, sizeof(prio)))
		err(EXIT_FAILURE, "SO_PRIORITY");
	/* Behind nothing that waits in the qdisc. */
	if (setsockopt(p->fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one,
		       sizeof(one)))
		err(EXIT_FAILURE, "PACKET_QDISC_BYPASS");
}

/*
 * The other end of a link does not compete with this end for a processor. Nor may the kernel
 * end its sleeps 50 us late, as it does for a task that is not of a real-time class.
 */
static void be_on_time(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		err(EXIT_FAILURE, "SCHED_FIFO");
}

static struct pfc_frame new_frame(const struct peer *p)
{
	struct pfc_frame f = {
		.dst = PFC_DST,
		.type = htons(PFC_ETHERTYPE),
		.opcode = htons(PFC_OPCODE),
	};

	memcpy(f.src, p->addr, sizeof(f.src));
	return f;
}

/* Without a carrier, or with a ring that is full for a moment: tried again. */
static void peer_send(struct peer *p, const struct pfc_frame *f)
{
	const struct timespec moment = { .tv_nsec = 100000 };

	while (send(p->fd, f, sizeof(*f), 0) != sizeof(*f)) {
		if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR)
			err(EXIT_FAILURE, "send");
		if (stop)
			return;
		nanosleep(&moment, NULL);
	}
	p->frames++;
}

/* ---- time ------------------------------------------------------------- */

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_nsec = (long)(ns % NS_PER_S),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* ---- one frame ---------------------------------------------------------- */

static void send_all(struct peer *p, const struct pfc_options *o,
		     const struct pfc_frame *f)
{
	uint64_t start = now_ns();
	uint32_t i;

	for (i = 0; i < o->count && !stop; i++) {
		if (i)
			sleep_until(start + i * o->every_ns);
		peer_send(p, f);
	}
}

static void name_all(struct pfc_frame *f, uint32_t prios, uint32_t quanta)
{
	uint32_t i;

	f->vector = htons((uint16_t)prios);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (prios & 1u << i)
			f->time[i] = htons((uint16_t)quanta);
}

static void send_once(struct peer *p, const struct pfc_options *o)
{
	struct pfc_frame f = new_frame(p);

	name_all(&f, o->prios, o->quanta);
	send_all(p, o, &f);
}

/* Longest time between two frames of a pause: a new peer notices it. */
#define HOLD_NS		(100 * NS_PER_MS)

/* The peer may miss one frame of three. */
static void hold(struct peer *p, const struct pfc_options *o)
{
	uint64_t every = PFC_MAX_QUANTA * PFC_QUANTUM_BITS * NS_PER_US / o->mbit / 3;
	struct pfc_frame f = new_frame(p);
	uint64_t due = now_ns();

	if (every > HOLD_NS)
		every = HOLD_NS;
	name_all(&f, o->prios, PFC_MAX_QUANTA);
	while (!stop) {
		peer_send(p, &f);
		due += every;
		sleep_until(due);
	}
	name_all(&f, o->prios, 0);
	peer_send(p, &f);
	printf("pauses 1 frames %" PRIu64 "\n", p->frames);
}

/* The time is where a PFC frame has its vector. */
static void send_link(struct peer *p, const struct pfc_options *o)
{
	struct pfc_frame f = new_frame(p);

	f.opcode = htons((uint16_t)o->opcode);
	f.vector = htons((uint16_t)o->quanta);
	send_all(p, o, &f);
}

static void send_bad(struct peer *p, const struct pfc_options *o,
		     const char *kind)
{
	struct pfc_frame f = new_frame(p);

	name_all(&f, o->prios, o->quanta);
	if (!strcmp(kind, "opcode")) {
		f.opcode = htons(0x1001);
	} else if (!strcmp(kind, "pause")) {
		f.opcode = htons(PAUSE_OPCODE);
		f.vector = htons((uint16_t)o->quanta);
	} else if (!strcmp(kind, "address")) {
		f.dst[5] = 0x0e;
	} else if (!strcmp(kind, "type")) {
		f.type = htons(PFC_ETHERTYPE + 1);
	} else if (!strcmp(kind, "lldp")) {
		f.dst[5] = 0x0e;
		f.type = htons(ETH_P_LLDP);
	} else if (!strcmp(kind, "lacp")) {
		f.dst[5] = 0x02;
		f.type = htons(ETH_P_SLOW);
	} else if (!strcmp(kind, "eapol")) {
		f.dst[5] = 0x03;
		f.type = htons(ETH_P_PAE);
	} else {
		fprintf(stderr,
			"bad '%s': not opcode, pause, address, type, lldp, lacp or eapol\n",
			kind);
		exit(OPTIONS_BAD_USAGE);
	}
	send_all(p, o, &f);
}

/* ---- storm -------------------------------------------------------------- */

/**
 * struct storm - random pauses
 * @o: what is wanted
 * @seed: of the next random number
 * @start: CLOCK_MONOTONIC, ns
 * @begun: pauses
 * @again: of them, repauses
 * @due: what is next for each priority, ns
 * @paused: BIT(priority): it is
 * @by_itself: BIT(priority): its pause runs out
 */
struct storm {
	const struct pfc_options *o;
	uint64_t seed;
	uint64_t start;
	uint64_t begun;
	uint64_t again;
	uint64_t due[PARQ_NUM_PRIO];
	uint32_t paused;
	uint32_t by_itself;
};

/* 0 to @range - 1; Marsaglia's xorshift64 */
static uint64_t rnd(struct storm *s, uint64_t range)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	s->seed ^= s->seed << 17;
	return s->seed % range;
}

static uint64_t rnd_time(struct storm *s, uint64_t mean)
{
	return mean / 8 + rnd(s, mean * 14 / 8 + 1);
}

/* Return: the time to put into the frame. */
static uint32_t begin_pause(struct storm *s, uint32_t prio, uint64_t now)
{
	uint64_t length = rnd_time(s, s->o->on_ns), quanta;

	s->begun++;
	s->paused |= 1u << prio;
	s->due[prio] = now + length;
	quanta = length * s->o->mbit / 1000 / PFC_QUANTUM_BITS + 1;
	if (!rnd(s, 2) || quanta > PFC_MAX_QUANTA)
		return PFC_MAX_QUANTA;
	s->by_itself |= 1u << prio;
	return (uint32_t)quanta;
}

static void end_pause(struct storm *s, uint32_t prio, uint64_t now)
{
	s->paused &= ~(1u << prio);
	s->by_itself &= ~(1u << prio);
	if (rnd(s, 100) >= s->o->repause) {
		s->due[prio] = now + rnd_time(s, s->o->off_ns);
		return;
	}
	s->again++;
	s->due[prio] = now + rnd(s, 2) * rnd(s, REPAUSE_NS);
}

/* Everything that is due, in one frame; a repause has to wait for the next. */
static void storm_frame(struct storm *s, struct peer *p, uint64_t now)
{
	struct pfc_frame f = new_frame(p);
	uint32_t i, vector = 0;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (!(s->o->prios & 1u << i) ||
		    s->due[i] > now + SAME_FRAME_NS)
			continue;
		if (!(s->paused & 1u << i)) {
			vector |= 1u << i;
			f.time[i] = htons((uint16_t)begin_pause(s, i, now));
		} else {
			/* It says nothing if the pause has run out. */
			if (!(s->by_itself & 1u << i))
				vector |= 1u << i;
			end_pause(s, i, now);
		}
	}
	f.vector = htons((uint16_t)vector);
	if (vector)
		peer_send(p, &f);
}

static uint64_t storm_next(const struct storm *s)
{
	uint64_t next = UINT64_MAX;
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (s->o->prios & 1u << i && s->due[i] < next)
			next = s->due[i];
	return next;
}

static void storm(struct peer *p, const struct pfc_options *o)
{
	const struct timeval second = { .tv_sec = 1 };
	struct storm s = { .o = o, .seed = o->seed, .start = now_ns() };
	struct pfc_frame xon = new_frame(p);
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		s.due[i] = s.start + rnd_time(&s, o->off_ns);
	while (!stop && (!o->pauses || s.begun < o->pauses)) {
		sleep_until(storm_next(&s));
		storm_frame(&s, p, now_ns());
	}
	name_all(&xon, o->prios, 0);
	/* A queue that is stuck takes no frame, and nobody stops this program twice. */
	if (setsockopt(p->fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof(second)))
		err(EXIT_FAILURE, "SO_SNDTIMEO");
	peer_send(p, &xon);
	printf("pauses %" PRIu64 " repauses %" PRIu64 " frames %" PRIu64
	       " seed %" PRIu64 " ms %llu\n", s.begun, s.again, p->frames,
	       o->seed, (now_ns() - s.start) / NS_PER_US / US_PER_MS);
}

/* ---- command line ------------------------------------------------------- */

static void parse_option(struct pfc_options *o, int opt, const char *arg)
{
	switch (opt) {
	case 'd':
		o->dev = arg;
		break;
	case 'p':
		o->prios = option_number("--prios", arg, 1, 0xff);
		break;
	case 'q':
		o->quanta = option_number("--quanta", arg, 0, PFC_MAX_QUANTA);
		break;
	case 'l':
		o->opcode = option_number("--opcode", arg, 0, UINT16_MAX);
		break;
	case 'c':
		o->count = option_number("--count", arg, 1, 1000000);
		break;
	case 'y':
		o->every_ns = option_number("--every", arg, 0, 10000000) *
			      NS_PER_US;
		break;
	case 's':
		o->mbit = option_number("--speed", arg, 10, 400000);
		break;
	case 'n':
		o->pauses = option_number("--pauses", arg, 0, UINT32_MAX);
		break;
	case 'o':
		o->on_ns = option_number("--on", arg, 1, 10000000) * NS_PER_US;
		break;
	case 'f':
		o->off_ns = option_number("--off", arg, 1, 10000000) * NS_PER_US;
		break;
	case 'r':
		o->repause = option_number("--repause", arg, 0, 100);
		break;
	case 'e':
		o->seed = option_number("--seed", arg, 1, UINT64_MAX);
		break;
	default:
		fputs(usage, stderr);
		exit(OPTIONS_BAD_USAGE);
	}
}

static void parse(struct pfc_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "dev", required_argument, NULL, 'd' },
		{ "prios", required_argument, NULL, 'p' },
		{ "quanta", required_argument, NULL, 'q' },
		{ "opcode", required_argument, NULL, 'l' },
		{ "count", required_argument, NULL, 'c' },
		{ "every", required_argument, NULL, 'y' },
		{ "speed", required_argument, NULL, 's' },
		{ "pauses", required_argument, NULL, 'n' },
		{ "on", required_argument, NULL, 'o' },
		{ "off", required_argument, NULL, 'f' },
		{ "repause", required_argument, NULL, 'r' },
		{ "seed", required_argument, NULL, 'e' },
		{ }
	};
	int opt;

	*o = (struct pfc_options){
		.prios = 0xff,
		.quanta = PFC_MAX_QUANTA,
		.opcode = PAUSE_OPCODE,
		.count = 1,
		.pauses = 1000,
		.on_ns = 2000 * NS_PER_US,
		.off_ns = 3000 * NS_PER_US,
		.repause = 25,
		.seed = 1,
	};
	while ((opt = getopt_long(argc, argv, "", options, NULL)) >= 0)
		parse_option(o, opt, optarg);
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct pfc_options o;
	struct peer p;

	parse(&o, argc, argv);
	argc -= optind;
	argv += optind;
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	if (!o.dev || argc < 1)
		goto err_usage;
	peer_open(&p, o.dev);
	be_on_time();
	if (argc == 1 && !strcmp(argv[0], "once"))
		send_once(&p, &o);
	else if (argc == 1 && !strcmp(argv[0], "hold") && o.mbit)
		hold(&p, &o);
	else if (argc == 1 && !strcmp(argv[0], "link"))
		send_link(&p, &o);
	else if (argc == 1 && !strcmp(argv[0], "storm") && o.mbit)
		storm(&p, &o);
	else if (argc == 2 && !strcmp(argv[0], "bad"))
		send_bad(&p, &o, argv[1]);
	else
		goto err_usage;
	return EXIT_SUCCESS;

err_usage:
	fputs(usage, stderr);
	return OPTIONS_BAD_USAGE;
}
