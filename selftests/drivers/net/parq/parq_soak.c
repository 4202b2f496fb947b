// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through schedules of traffic, pauses, settings and faults, a seed each, in one machine
 * in simulated time. Starts no program but those that send, pause and judge.
 *
 * A schedule first disturbs: requests of all kinds, in half of the schedules with a NIC that
 * lies and stops; frames may be lost, but the kernel must not complain. When everything can be
 * set again, p1 pauses p0 while settings change and interrupts may be lost, late or doubled: no
 * frame of p0 is lost, sent twice or out of order, and none leaves that is paused.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "parq_frame.h"
#include "soak_draw.h"

#define NS_PER_S	1000000000ULL
#define NS_PER_MS	1000000ULL
#define SINK		"192.0.2.99"
#define P0_ADDR		"192.0.2.1"
#define CHILDREN	3
/* All flows of a sender together, frames a second. */
#define MOST_FRAMES	30000
#define FAULT_LOST	2	/* interrupts, see parq-nic(8) */
#define CONTROL		"/sys/kernel/debug/parqsim/control"

static const char usage[] =
	"usage: parq_soak --nic BUS/NAME --speed MBIT [OPTION]... RECORDING...\n"
	"\n"
	"  --from SEED    the first schedule (1)\n"
	"  --seeds N      how many (1)\n"
	"\n"
	"RECORDINGs are those of p0, which is judged, and p1. Files are made in the working\n"
	"directory. Prints TAP, and ends with the first schedule that fails.\n";

/**
 * struct soak - everything
 * @s: the schedule
 * @seed: its number
 * @mbit: speed of the link
 * @nic: the NIC
 * @port: its ports
 * @mac: their addresses
 * @recording: files
 * @header: bytes of a recording before its first frame
 * @executor: who runs the pause FSM
 * @channels: of p0
 * @rings: of p0, entries
 * @child: programs that run, 0 for none: senders of both ports, pauses
 * @sink: what p1 sends to p0 arrives here
 * @kmsg: what the kernel says
 */
struct soak {
	struct schedule s;
	uint64_t seed;
	uint32_t mbit;
	struct nic nic;
	struct port port[2];
	uint8_t mac[2][6];
	const char *recording[2];
	off_t header;
	const char *executor;
	uint32_t channels;
	uint32_t rings;
	pid_t child[CHILDREN];
	int sink;
	int kmsg;
};

enum { SENDER_P0, SENDER_P1, PAUSES };

__attribute__((noreturn)) static void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

/* A line of TAP's comments. Return: false, the verdict of the caller. */
__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("# ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	return false;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void sleep_ms(uint32_t ms)
{
	const struct timespec ts = { .tv_nsec = (long)(ms * NS_PER_MS) };

	nanosleep(&ts, NULL);
}

/* wait_for(SECONDS, WHAT, CONDITION of @k) */
static bool wait_for(uint32_t seconds, const char *what,
		     bool (*condition)(struct soak *), struct soak *k)
{
	uint64_t end = now_ns() + seconds * NS_PER_S;

	while (!condition(k)) {
		if (now_ns() > end)
			return wrong("not within %u s: %s", seconds, what);
		sleep_ms(5);
	}
	return true;
}

/* ---- programs ------------------------------------------------------------ */

/* Starts a program in the namespace of a port, its output in a file of its own. */
static pid_t start(const struct port *p, const char *output, char *const argv[])
{
	static int own = -1;
	posix_spawn_file_actions_t files;
	pid_t pid;

	if (own < 0)
		own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output,
					 O_WRONLY | O_CREAT | O_TRUNC, 0644);
	posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
	if (setns(p->netns, CLONE_NEWNET))
		die("namespace");
	errno = posix_spawnp(&pid, *argv, &files, NULL, argv, environ);
	if (errno || setns(own, CLONE_NEWNET))
		die(*argv);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

/* Return: whether it ended well. */
static bool ended(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool stop(struct soak *k, int which, int sig)
{
	pid_t pid = k->child[which];

	k->child[which] = 0;
	if (!pid)
		return true;
	kill(pid, sig);
	return ended(pid);
}

static void send_begin(struct soak *k, int from, uint32_t prios, uint32_t flows,
		       uint32_t size, uint32_t rate)
{
	char num[4][16];
	char *const argv[] = {
		"parq_traffic", "send", "--dev", (char *)k->port[from].name,
		"--to", from ? P0_ADDR : SINK, "--drain", "60000", "--prios",
		num[0], "--flows", num[1], "--size", num[2], "--rate", num[3],
		NULL
	};

	sprintf(num[0], "%u", prios);
	sprintf(num[1], "%u", flows);
	sprintf(num[2], "%u", size);
	sprintf(num[3], "%u", rate);
	k->child[from] = start(&k->port[from], from ? "sent.p1" : "sent.p0",
			       argv);
}

static void pauses_begin(struct soak *k)
{
	uint32_t us = choose(&k->s, 300, 4000, 20000);
	char num[5][16];
	char *const argv[] = {
		"parq_pfc", "--dev", (char *)k->port[1].name, "storm",
		"--pauses", "0", "--speed", num[0], "--prios", num[1],
		"--on", num[2], "--off", num[3], "--seed", num[4], NULL
	};

	sprintf(num[0], "%u", k->mbit);
	sprintf(num[1], "%u", k->s.lossless);
	sprintf(num[2], "%u", us);
	sprintf(num[3], "%u", 2 * us);
	sprintf(num[4], "%u", 1 + draw(&k->s, 1000000));
	k->child[PAUSES] = start(&k->port[1], "pauses", argv);
}

/* They do when each frame has been sent, or dropped, and freed. */
static bool senders_end(struct soak *k)
{
	bool ok = stop(k, SENDER_P1, SIGTERM) ||
		  wrong("p1 does not get rid of its frames");

	return (stop(k, SENDER_P0, SIGTERM) ||
		wrong("p0 does not get rid of its frames")) & ok;
}

/* ---- the NIC and the kernel ------------------------------------------------ */

static bool control(const char *line)
{
	int fd = open(CONTROL, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, line, strlen(line)) > 0;

	if (!ok)
		wrong("%s: %s", line, strerror(errno));
	close(fd);
	return ok;
}

static bool faults(uint32_t kinds)
{
	char line[32];

	sprintf(line, "nic 0 fault %u", kinds);
	if (kinds)
		wrong("faults %u", kinds);
	return control(line);
}

static bool complaint(const char *line, bool disturbed)
{
	static const char * const never[] = {
		"WARNING", "BUG", "cut here", "Oops", "UBSAN",
		"blocked for more", "refcount",
	};
	static const char * const of_faults[] = {
		"NETDEV WATCHDOG", "no completion", "reset",
	};
	uint32_t i;

	for (i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (strstr(line, never[i]))
			return true;
	for (i = 0; !disturbed && i < sizeof(of_faults) / sizeof(*of_faults); i++)
		if (strstr(line, of_faults[i]))
			return true;
	return false;
}

/* Since the last time. A NIC at fault may be reset. */
static bool kernel_is_quiet(struct soak *k, bool disturbed)
{
	char line[2048];
	bool quiet = true;
	ssize_t n;

	/* EPIPE: the log no longer has the next one. */
	while ((n = read(k->kmsg, line, sizeof(line) - 1)) > 0 ||
	       errno == EPIPE) {
		line[n > 0 ? n : 0] = '\0';
		if (complaint(line, disturbed))
			quiet = wrong("kernel: %s", line);
	}
	return quiet;
}

/* ---- shape ----------------------------------------------------------------- */

/* The setting that was refused last, and why. */
static const char *refused;
static int refused_err;

#define TRY(_setting) \
	((refused_err = (_setting)) ? (refused = #_setting, false) : true)

static bool port_default(struct port *p)
{
	static const uint8_t nobody[6] = { 2, 0, 0, 0, 0, 0x99 };
	const struct dcbnl_buffer automatic = { 0 };

	return TRY(port_mtu(p, 1500)) && TRY(port_qdisc(p, "mq")) && TRY(port_table(p, 0)) &&
	       TRY(port_channels(p, 1)) && TRY(port_rings(p, 512, 512)) &&
	       TRY(port_coalesce(p, 20, 20)) &&
	       TRY(port_ethtool_value(p, ETHTOOL_STXCSUM, 1)) &&
	       TRY(port_ethtool_value(p, ETHTOOL_SSG, 1)) &&
	       TRY(port_ethtool_value(p, ETHTOOL_STSO, 1)) &&
	       TRY(port_ethtool_value(p, ETHTOOL_SGRO, 1)) &&
	       TRY(port_ethtool_value(p, ETHTOOL_SFLAGS, SOAK_FLAGS)) &&
	       TRY(port_pause(p, false, false)) && TRY(port_pfc(p, 0, 0)) &&
	       TRY(equal_shares(p)) && TRY(port_maxrate_off(p)) &&
	       TRY(port_buffer(p, &automatic)) &&
	       TRY(port_neighbour(p, SINK, nobody));
}

/* Both ends first: without a link no frame leaves, and rings wait for those that they have. */
static bool settings_default(struct soak *k)
{
	return TRY(port_up(&k->port[0], true)) &&
	       TRY(port_up(&k->port[1], true)) &&
	       port_default(&k->port[0]) && port_default(&k->port[1]) &&
	       TRY(port_neighbour(&k->port[1], P0_ADDR, k->mac[0])) &&
	       TRY(nic_cable(&k->nic, 10)) &&
	       TRY(nic_executor(&k->nic, "offload"));
}

static bool settled(struct soak *k)
{
	return settings_default(k) && port_is_running(&k->port[0]) &&
	       port_is_running(&k->port[1]);
}

static bool recording_restart(struct soak *k)
{
	if (!control("nic 0 sync"))
		return false;
	return (!truncate(k->recording[0], k->header) &&
		!truncate(k->recording[1], k->header)) ||
	       wrong("recording: %s", strerror(errno));
}

/* Channels or rings are refused while frames of an earlier change are unsent. */
static bool shaped(struct soak *k)
{
	struct port *p0 = &k->port[0];

	return TRY(nic_executor(&k->nic, k->executor)) &&
	       TRY(port_pfc(p0, k->s.lossless, 0)) &&
	       TRY(port_channels(p0, k->channels)) &&
	       TRY(port_rings(p0, k->rings, k->rings));
}

/* Draws what p0 is like, and begins traffic both ways. */
static bool shape(struct soak *k)
{
	struct schedule *s = &k->s;
	uint32_t size, rate, flows, most;

	s->lossless = (uint8_t)(1 + draw(s, 255));
	k->executor = draw(s, 2) ? "managed" : "offload";
	k->channels = choose(s, 1, 1, 2, 3, 4);
	k->rings = choose(s, 64, 256, 512, 1024);
	if (!wait_for(30, "the settings can be made", shaped, k))
		return wrong("%s: %s", refused, strerror(-refused_err));
	size = choose(s, 12, 64, 200, 1400, 1400);
	flows = choose(s, 1, 1, 2, 3);
	/* Of each flow: a little, what fills the link together, or more than that. */
	rate = choose(s, 5, 125, 250) * k->mbit;
	most = MOST_FRAMES * size / 125 / (PARQ_NUM_PRIO * flows);
	rate = rate < most ? rate : most;
	wrong("lossless %#x, %s, %u bytes, %u kbit/s, %u flows, %u channels, rings %u",
	      s->lossless, k->executor, size, rate, flows, k->channels, k->rings);
	send_begin(k, SENDER_P0, 0xff, flows, size, rate);
	send_begin(k, SENDER_P1, choose(s, 0x01, 0x0f, 0xff), 1, 1400,
		   k->mbit * 50);
	return true;
}

/* ---- a schedule -------------------------------------------------------------- */

/* Of p0: when the schedule is judged from, when the pauses are over, and now. */
static struct port_stats began, paused, now;

static uint64_t counted(const struct port_stats *since, const char *name)
{
	return port_stat(&now, name) - port_stat(since, name);
}

/*
 * No pause is left of what was disturbed. The driver resets a TX queue in which the NIC has
 * stopped, five seconds later: until then no frame of it leaves.
 */
static bool xon_arrives(struct soak *k)
{
	char *const argv[] = {
		"parq_pfc", "--dev", (char *)k->port[1].name, "once",
		"--quanta", "0", NULL
	};

	if (port_stats(&k->port[0], &began) ||
	    !ended(start(&k->port[1], "xon", argv)))
		return false;
	sleep_ms(50);
	return !port_stats(&k->port[0], &now) &&
	       counted(&began, "rx_pfc_frames");
}

/*
 * Each port receives what the other one sends, so its RX queue is not stopped: with the default
 * settings it has one. If the event of a stopped queue was lost, the driver finds the queue a
 * second later.
 */
static bool ports_hear(struct soak *k)
{
	bool both = port_heard(&k->port[0]) & port_heard(&k->port[1]);

	port_call(&k->port[0]);
	port_call(&k->port[1]);
	return both;
}

static bool settle(struct soak *k)
{
	/* The pauses end with XON, which the far end may not be able to send. */
	stop(k, PAUSES, SIGTERM);
	kill(k->child[SENDER_P0], SIGTERM);
	kill(k->child[SENDER_P1], SIGTERM);
	if (!wait_for(60, "the settings can be made again", settled, k))
		return wrong("%s: %s", refused, strerror(-refused_err));
	if (!(senders_end(k) & wait_for(20, "XON arrives", xon_arrives, k)))
		return false;
	/* What has come since an earlier schedule does not count. */
	port_heard(&k->port[0]);
	port_heard(&k->port[1]);
	return wait_for(20, "frames arrive", ports_hear, k);
}

static bool disturb(struct soak *k)
{
	/* In half of the schedules the NIC does what it should. */
	uint32_t kinds = draw(&k->s, 2) * draw(&k->s, 128);
	uint32_t requests = 8 + draw(&k->s, 16);

	if (!shape(k))
		return false;
	pauses_begin(k);
	if (kinds && !faults(kinds))
		return false;
	while (requests--) {
		any_request(&k->s);
		pace(&k->s);
	}
	return faults(0) && settle(k) && kernel_is_quiet(k, true);
}

static bool all_sent(struct soak *k)
{
	char name[ETH_GSTRING_LEN];
	uint32_t prio;

	if (port_stats(&k->port[0], &now))
		return false;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		sprintf(name, "tx_prio%u_packets", prio);
		if (!counted(&paused, name))
			return false;
	}
	return true;
}

static uint64_t received(struct soak *k)
{
	uint8_t byte;
	uint64_t n = 0;

	while (recv(k->sink, &byte, 1, MSG_DONTWAIT) >= 0)
		n++;
	return n;
}

static bool some_received(struct soak *k)
{
	return received(k) > 0;
}

static bool nothing_dropped(struct soak *k)
{
	static const char * const drops[] = {
		"tx_flushed", "tx_drop_desc", "tx_drop_dma", "tx_drop_purge",
		"tx_drop_park", "tx_drop_storm",
	};
	bool ok = true;
	uint32_t i;

	uint64_t n;

	if (port_stats(&k->port[0], &now))
		return wrong("no statistics");
	for (i = 0; i < sizeof(drops) / sizeof(*drops); i++) {
		n = counted(&began, drops[i]);
		if (n)
			ok = wrong("%s %llu", drops[i], (unsigned long long)n);
	}
	return ok;
}

static void show(const char *path)
{
	char line[256];
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		printf("# %s", line);
	if (f)
		fclose(f);
}

static bool judge(struct soak *k)
{
	char addr[OPTIONS_ADDR_SIZE], mbit[16], pfc[16];
	char *const argv[] = {
		"parq_wire", "--addr", addr, "--speed", mbit, "--pfc", pfc,
		"--sent", "sent.p0", (char *)k->recording[0], NULL
	};

	if (!control("nic 0 sync"))
		return false;
	option_addr_text(addr, k->mac[0]);
	sprintf(mbit, "%u", k->mbit);
	sprintf(pfc, "%u", k->s.lossless);
	if (ended(start(&k->port[0], "wire", argv)))
		return true;
	show("wire");
	return wrong("the judge of the wire refuses it");
}

static bool judged(struct soak *k)
{
	uint32_t kinds = draw(&k->s, 3) ? 0 : 1 + draw(&k->s, 7);
	uint32_t changes = 6 + draw(&k->s, 12);
	bool ok;

	if (!recording_restart(k) || port_stats(&k->port[0], &began))
		return wrong("no statistics or recording");
	received(k);
	if (!shape(k) || (kinds && !faults(kinds * FAULT_LOST)))
		return false;
	pauses_begin(k);
	while (changes--) {
		change(&k->s);
		pace(&k->s);
	}
	ok = stop(k, PAUSES, SIGTERM) || wrong("the pauses ended badly");
	ok &= faults(0) && !port_stats(&k->port[0], &paused) &&
	      wait_for(10, "all priorities send", all_sent, k) &&
	      wait_for(10, "p0 receives", some_received, k);
	ok &= senders_end(k);
	return nothing_dropped(k) & judge(k) & kernel_is_quiet(k, false) & ok;
}

static bool walk(struct soak *k)
{
	char line[64];

	draw_begin(&k->s, k->seed);
	sprintf(line, "parq_soak: seed %llu\n", (unsigned long long)k->seed);
	if (write(k->kmsg, line, strlen(line)) < 0)
		die("kmsg");
	wrong("seed %llu", (unsigned long long)k->seed);
	return disturb(k) && judged(k);
}

/* ---- command line -------------------------------------------------------------- */

/* The two blocks in front of the first frame, see pcapng. */
static off_t recording_header(const char *path)
{
	uint32_t section, interface;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || pread(fd, &section, 4, 4) != 4 ||
	    pread(fd, &interface, 4, section + 4) != 4)
		die(path);
	close(fd);
	return section + interface;
}

static void open_sink(struct soak *k)
{
	const struct sockaddr_in addr = {
		.sin_family = AF_INET, .sin_port = htons(PARQ_UDP_PORT),
	};

	k->sink = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (k->sink < 0 ||
	    bind(k->sink, (const struct sockaddr *)&addr, sizeof(addr)))
		die("socket");
}

static void parse(struct soak *k, uint64_t *num, char **bus, int argc, char **argv)
{
	static const struct option options[] = {
		{ "nic", required_argument, NULL, 'n' },
		{ "speed", required_argument, NULL, 's' },
		{ "from", required_argument, NULL, 'f' },
		{ "seeds", required_argument, NULL, 'c' },
		{ }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (opt) {
		case 'n':
			*bus = strdup(optarg);
			break;
		case 's':
			k->mbit = (uint32_t)option_number("--speed", optarg, 10, 400000);
			break;
		case 'f':
			k->seed = option_number("--from", optarg, 1, UINT32_MAX);
			break;
		case 'c':
			*num = option_number("--seeds", optarg, 1, UINT32_MAX);
			break;
		default:
			goto err_usage;
		}
	}
	if (*bus && strchr(*bus, '/') && k->mbit && optind + 2 == argc) {
		memcpy(k->recording, argv + optind, sizeof(k->recording));
		return;
	}

err_usage:
	fputs(usage, stderr);
	exit(OPTIONS_BAD_USAGE);
}

int main(int argc, char **argv)
{
	static struct soak k = { .seed = 1 };
	char *bus = NULL, *dev;
	uint64_t num = 1, i;
	bool ok = true;

	parse(&k, &num, &bus, argc, argv);
	dev = strchr(bus, '/');
	*dev++ = '\0';
	nic_open(&k.nic, bus, dev);
	port_open(&k.port[0], "p0", "/proc/self/ns/net");
	port_open(&k.port[1], "p1", "/run/netns/far");
	port_mac(&k.port[0], k.mac[0]);
	port_mac(&k.port[1], k.mac[1]);
	k.header = recording_header(k.recording[0]);
	k.s.nic = &k.nic;
	k.s.port = k.port;
	open_sink(&k);
	k.kmsg = open("/dev/kmsg", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (k.kmsg < 0 || lseek(k.kmsg, 0, SEEK_END))
		die("kmsg");
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%llu\n", (unsigned long long)num);
	for (i = 1; i <= num && ok; i++, k.seed++) {
		ok = walk(&k);
		printf("%s %llu seed %llu\n", ok ? "ok" : "not ok",
		       (unsigned long long)i, (unsigned long long)k.seed);
	}
	printf("# simulated seconds: %llu\n", (unsigned long long)(now_ns() / NS_PER_S));
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
