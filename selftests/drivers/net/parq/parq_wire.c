// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a recording of a port's wire and judges whether the port has kept its
 * duties towards the peer that paused it: no frame of a paused class starts,
 * none is lost, none is sent twice, each flow stays in order.
 *
 * The recording has both directions. A frame that the port sends is stamped at
 * its start, one that it receives at its end.
 */
#include <getopt.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "wire_judge.h"

#define NS_PER_S	1000000000ULL
#define NS_PER_US	1000
#define NS_PER_MS	1000000ULL
#define MAX_MBIT	400000
#define READ_SIZE	(1 << 20)

static const char usage[] =
	"usage: parq_wire --addr MAC --speed MBIT [OPTION]... RECORDING\n"
	"\n"
	"  --addr MAC    of the port that is judged\n"
	"  --speed MBIT  of its link, 10 to 400000\n"
	"  --pfc MASK    priorities with PFC on (0xff)\n"
	"  --pause       link pause is obeyed until a PFC frame comes\n"
	"  --storm MS    how long a pause must be obeyed (0: no limit)\n"
	"  --sent FILE   what parq_traffic says it sent: lines \"flow N sent N\"\n"
	"\n"
	"Exits with 0 if no rule was broken, with 1 if one was.\n";

/**
 * struct wire_options - command line
 * @addr: MAC address
 * @mbit: speed
 * @pfc: BIT(priority)
 * @pause: link pause is obeyed
 * @storm_ns: longest pause that has to be obeyed, 0 for any
 * @sent: file or NULL
 * @recording: file
 */
struct wire_options {
	uint8_t addr[6];
	uint32_t mbit;
	uint8_t pfc;
	bool pause;
	uint64_t storm_ns;
	const char *sent;
	const char *recording;
};

static void parse(struct wire_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "addr", required_argument, NULL, 'a' },
		{ "speed", required_argument, NULL, 's' },
		{ "pfc", required_argument, NULL, 'p' },
		{ "pause", no_argument, NULL, 'u' },
		{ "storm", required_argument, NULL, 't' },
		{ "sent", required_argument, NULL, 'n' },
		{ }
	};
	bool addr = false;
	int opt;

	*o = (struct wire_options){ .pfc = 0xff };
	while ((opt = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (opt) {
		case 'a':
			option_addr("--addr", optarg, o->addr);
			addr = true;
			break;
		case 's':
			o->mbit = option_number("--speed", optarg, 10, MAX_MBIT);
			break;
		case 'p':
			o->pfc = option_number("--pfc", optarg, 0, 0xff);
			break;
		case 'u':
			o->pause = true;
			break;
		case 't':
			o->storm_ns = option_number("--storm", optarg, 0, 65535) *
				      NS_PER_MS;
			break;
		case 'n':
			o->sent = optarg;
			break;
		default:
			goto err_usage;
		}
	}
	if (!addr || !o->mbit || optind + 1 != argc)
		goto err_usage;
	o->recording = argv[optind];
	return;

err_usage:
	fputs(usage, stderr);
	exit(OPTIONS_BAD_USAGE);
}

static void read_sent(struct wire_judge *j, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	uint32_t flow;
	uint64_t sent;

	if (!f) {
		perror(path);
		exit(OPTIONS_BAD_USAGE);
	}
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "flow %" SCNu32 " sent %" SCNu64, &flow,
			   &sent) == 2 && flow < PARQ_MAX_FLOWS)
			wire_judge_sent(j, flow, sent);
	fclose(f);
}

/* The file may be on the other side of a VM: ask rarely, for much. */
static FILE *open_recording(const char *path)
{
	static char buf[READ_SIZE];
	FILE *f = fopen(path, "r");

	if (!f || setvbuf(f, buf, _IOFBF, sizeof(buf))) {
		perror(path);
		exit(OPTIONS_BAD_USAGE);
	}
	return f;
}

static void read_recording(struct wire_judge *j, const char *path)
{
	char err[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *h;
	const uint8_t *data;
	pcap_t *p;
	int ret;

	p = pcap_fopen_offline_with_tstamp_precision(open_recording(path),
						     PCAP_TSTAMP_PRECISION_NANO,
						     err);
	if (!p) {
		fprintf(stderr, "%s: %s\n", path, err);
		exit(OPTIONS_BAD_USAGE);
	}
	while ((ret = pcap_next_ex(p, &h, &data)) == 1)
		wire_judge_frame(j, h->ts.tv_sec * NS_PER_S + h->ts.tv_usec,
				 data, h->caplen, h->len);
	if (ret != PCAP_ERROR_BREAK) {
		fprintf(stderr, "%s: %s\n", path, pcap_geterr(p));
		exit(OPTIONS_BAD_USAGE);
	}
	pcap_close(p);
}

/* kb/s, 0 for a window that there was not. */
static uint64_t kbit(const struct wire_rate *r)
{
	return r->ns ? r->bytes * 8 * 1000000 / r->ns : 0;
}

static void print(const struct wire_judge *j)
{
	uint32_t i;

	printf("%4s %9s %11s %6s %6s %7s %8s %10s %6s %7s %6s %6s %6s %10s %10s\n",
	       "prio", "frames", "bytes", "pfc", "pauses", "reloads",
	       "repauses", "paused_us", "leaks", "stormed", "lost", "twice",
	       "late", "free_kbit", "other_kbit");
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		const struct wire_class *c = &j->cls[i];
		struct wire_sums s = wire_judge_sums(j, i);

		printf("%4u %9" PRIu64 " %11" PRIu64 " %6" PRIu64 " %6" PRIu64
		       " %7" PRIu64 " %8" PRIu64 " %10" PRIu64 " %6" PRIu64
		       " %7" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %10" PRIu64
		       " %10" PRIu64 "\n",
		       i, c->frames, c->bytes, c->pfc, c->pauses, c->reloads,
		       c->repauses, c->paused_ns / NS_PER_US, c->leaks,
		       c->stormed, s.lost,
		       s.twice, s.late, kbit(&c->rate[WIRE_ALL_FREE]),
		       kbit(&c->rate[WIRE_OTHERS_PAUSED]));
	}
}

/* The longest of all classes. */
static uint64_t response_ns(const struct wire_judge *j)
{
	uint64_t longest = 0;
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (j->cls[i].response_ns > longest)
			longest = j->cls[i].response_ns;
	return longest;
}

static void complain(const char *what, uint64_t n)
{
	if (n)
		printf("%s %" PRIu64 "\n", what, n);
}

static int conclude(const struct wire_judge *j)
{
	uint64_t n = wire_judge_violations(j);
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (j->cls[i].leaks)
			printf("priority %u leaked first at %" PRIu64 " ns\n",
			       i, j->cls[i].first_leak);
	complain("response_ns", response_ns(j));
	complain("others", j->others);
	complain("link_pause", j->pause_frames);
	complain("bad_ctrl", j->bad_ctrl);
	complain("backwards", j->backwards);
	complain("overlaps", j->overlaps);
	complain("mislabelled", j->mislabelled);
	complain("unannounced", j->unannounced);
	printf("verdict %s, violations %" PRIu64 "\n", n ? "fail" : "pass", n);
	return n ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct wire_judge j;
	struct wire_options o;
	int ret;

	parse(&o, argc, argv);
	wire_judge_init(&j, o.addr, o.mbit, o.pfc);
	j.link_pause = o.pause;
	if (o.storm_ns)
		j.storm_ns = o.storm_ns;
	if (o.sent)
		read_sent(&j, o.sent);
	read_recording(&j, o.recording);
	wire_judge_end(&j);
	print(&j);
	ret = conclude(&j);
	wire_judge_fini(&j);
	return ret;
}
