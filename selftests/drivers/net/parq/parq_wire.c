// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a recording of a port's wire and judges whether the port has kept its
 * duties towards the peer that paused it: no frame of a paused class starts,
 * none is lost, none is sent twice, each flow stays in order.
 *
 * The recording has both directions. A frame that the port sends is stamped at
 * its start, one that it receives at its end.
 */
#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "wire_json.h"

#define NS_PER_US	1000
#define NS_PER_MS	1000000ULL
#define MAX_MBIT	1000000

static const char usage[] =
	"usage: parq_wire [OPTION]... RECORDING\n"
	"\n"
	"  --interface NAME     of the recording (the one that is told most pauses)\n"
	"  --addr MAC           of the port that is judged (what the recording's directions say)\n"
	"  --speed MBIT         of its link, 10 to 1000000 (what the recording says)\n"
	"  --pfc MASK           priorities with PFC on (0xff)\n"
	"  --pause              link pause is obeyed until a PFC frame comes\n"
	"  --allowance QUANTA   frames may start for so long after a pause has begun (0), or\n"
	"                       \"standard\": what IEEE 802.3 allows at this speed\n"
	"  --storm MS           how long a pause must be obeyed (0: no limit)\n"
	"  --sent FILE          what parq_traffic says it sent: lines \"flow N sent N\"\n"
	"  --trust ORDER        how frames that are not parq_traffic's tell their priority: pcp,\n"
	"                       dscp, or both in their order (they have none)\n"
	"  --dscp-prio D:P,...  priorities of DSCP (DSCP / 8)\n"
	"  --default-prio PRIO  of frames that tell none (none: they are not judged)\n"
	"  --json               print the pauses and all counts as JSON\n"
	"  --frames             with --json: each frame, too\n"
	"  --help               print this text\n"
	"\n"
	"Exits with 0 if no rule was broken, with 1 if one was, with 2 if it cannot judge.\n";

/**
 * struct wire_options - command line
 * @port: what is said of it
 * @mbit: speed, 0: what the recording says
 * @pfc: BIT(priority)
 * @pause: link pause is obeyed
 * @allowance: quanta, or -1 for those of the standard
 * @storm_ns: longest pause that has to be obeyed, 0 for any
 * @sent: file or NULL
 * @trust: priorities of frames
 * @json: not as a table
 * @frames: each frame
 * @recording: file
 */
struct wire_options {
	struct wire_port port;
	uint32_t mbit;
	uint8_t pfc;
	bool pause;
	int allowance;
	uint64_t storm_ns;
	const char *sent;
	struct wire_trust trust;
	bool json;
	bool frames;
	const char *recording;
};

static void bad(const char *what, const char *text, const char *wanted)
{
	fprintf(stderr, "%s '%s': not %s\n", what, text, wanted);
	exit(OPTIONS_BAD_USAGE);
}

static void parse_trust(struct wire_trust *t, const char *text)
{
	static const char * const names[] = { "pcp", "dscp", "pcp,dscp", "dscp,pcp" };
	static const char * const orders[] = { "p", "d", "pd", "dp" };
	uint32_t i;

	for (i = 0; i < 4; i++)
		if (!strcmp(text, names[i])) {
			strcpy(t->order, orders[i]);
			return;
		}
	bad("--trust", text, "pcp, dscp, or both in their order");
}

static void parse_dscp(struct wire_trust *t, const char *text)
{
	const char *at = text;
	unsigned int dscp, prio;
	int n;

	do {
		n = 0;
		if (!isdigit((unsigned char)*at) ||
		    sscanf(at, "%2u:%1u%n", &dscp, &prio, &n) != 2 ||
		    dscp >= WIRE_NUM_DSCP || prio >= PARQ_NUM_PRIO ||
		    (at[n] && at[n] != ','))
			bad("--dscp-prio", text, "a list such as 26:3,48:6");
		t->dscp_prio[dscp] = prio;
		at += n + 1;
	} while (at[-1]);
}

static void parse_option(struct wire_options *o, int opt)
{
	switch (opt) {
	case 'i':
		snprintf(o->port.name, sizeof(o->port.name), "%s", optarg);
		break;
	case 'a':
		option_addr("--addr", optarg, o->port.addr);
		o->port.by_addr = true;
		o->port.has_addr = true;
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
	case 'w':
		o->allowance = strcmp(optarg, "standard") ?
			(int)option_number("--allowance", optarg, 0,
					   PFC_MAX_QUANTA) : -1;
		break;
	case 't':
		o->storm_ns = option_number("--storm", optarg, 0, 65535) *
			      NS_PER_MS;
		break;
	case 'n':
		o->sent = optarg;
		break;
	case 'r':
		parse_trust(&o->trust, optarg);
		break;
	case 'd':
		parse_dscp(&o->trust, optarg);
		break;
	case 'f':
		o->trust.default_prio = option_number("--default-prio", optarg,
						      0, PARQ_NUM_PRIO - 1);
		break;
	case 'j':
		o->json = true;
		break;
	case 'e':
		o->frames = true;
		break;
	default:
		fputs(usage, opt == 'h' ? stdout : stderr);
		exit(opt == 'h' ? EXIT_SUCCESS : OPTIONS_BAD_USAGE);
	}
}

static void parse(struct wire_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "interface", required_argument, NULL, 'i' },
		{ "addr", required_argument, NULL, 'a' },
		{ "speed", required_argument, NULL, 's' },
		{ "pfc", required_argument, NULL, 'p' },
		{ "pause", no_argument, NULL, 'u' },
		{ "allowance", required_argument, NULL, 'w' },
		{ "storm", required_argument, NULL, 't' },
		{ "sent", required_argument, NULL, 'n' },
		{ "trust", required_argument, NULL, 'r' },
		{ "dscp-prio", required_argument, NULL, 'd' },
		{ "default-prio", required_argument, NULL, 'f' },
		{ "json", no_argument, NULL, 'j' },
		{ "frames", no_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	uint32_t i;
	int opt;

	*o = (struct wire_options){
		.pfc = 0xff, .trust.default_prio = WIRE_NO_PRIO,
	};
	for (i = 0; i < WIRE_NUM_DSCP; i++)
		o->trust.dscp_prio[i] = i / 8;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) >= 0)
		parse_option(o, opt);
	if (optind + 1 != argc || (o->frames && !o->json))
		parse_option(o, '?');
	o->recording = argv[optind];
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

/* The speed, and with it what is allowed, may change in the middle. */
static void take_speed(struct wire_judge *j, const struct wire_options *o,
		       struct wire_seen *seen, uint32_t mbit)
{
	if (o->mbit || !mbit)
		mbit = o->mbit ? o->mbit : j->mbit;
	if (!mbit) {
		fprintf(stderr, "%s: does not tell the speed of %s: say --speed\n",
			o->recording, o->port.name);
		exit(OPTIONS_BAD_USAGE);
	}
	if (mbit == j->mbit)
		return;
	j->mbit = mbit;
	j->allowance = wire_response_quanta(mbit, &seen->named);
	if (o->allowance >= 0) {
		j->allowance = o->allowance;
		seen->named = true;
	}
}

static void read_recording(struct wire_judge *j, const struct wire_options *o,
			   struct wire_file *w, struct wire_seen *seen)
{
	enum wire_finding found;
	struct wire_packet p;
	struct wire_frame f;
	bool sent;

	while (wire_file_next(w, &p)) {
		if (strcmp(w->name[p.id], o->port.name) ||
		    !wire_frame_parse(&f, &o->trust, p.data, p.caplen, p.len))
			continue;
		if (!seen->frames++)
			seen->begin = p.ns;
		if (seen->end < p.ns)
			seen->end = p.ns;
		take_speed(j, o, seen, p.mbit);
		sent = wire_port_sends(&o->port, &p, &f);
		seen->sent += sent;
		found = wire_judge_frame(j, p.ns, sent, &f);
		if (o->frames)
			wire_json_frame(&p, &f, sent, found);
	}
	if ((*w->trouble && !o->json) || !seen->frames) {
		fprintf(stderr, "%s: %s\n", o->recording,
			*w->trouble ? w->trouble : "has no frames");
		exit(OPTIONS_BAD_USAGE);
	}
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
		       c->repauses, c->paused_ns / NS_PER_US, c->found[WIRE_LEAKED],
		       c->found[WIRE_STORMED], s.lost,
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

static void conclude(const struct wire_judge *j, uint64_t n)
{
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (j->cls[i].found[WIRE_LEAKED])
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
}

int main(int argc, char **argv)
{
	struct wire_seen seen = { .named = true };
	static struct wire_judge j;
	struct wire_options o;
	struct wire_file w;
	uint64_t n;

	parse(&o, argc, argv);
	wire_file_open(&w, o.recording);
	wire_port_choose(&o.port, &w, o.recording);
	wire_judge_init(&j, o.port.addr, 0, o.pfc);
	j.link_pause = o.pause;
	if (o.storm_ns)
		j.storm_ns = o.storm_ns;
	if (o.sent)
		read_sent(&j, o.sent);
	if (o.json)
		wire_json_begin(&j, &seen);
	read_recording(&j, &o, &w, &seen);
	wire_judge_end(&j);
	n = wire_judge_violations(&j);
	if (o.json) {
		wire_json_end(&j, &w, &o.port);
	} else {
		print(&j);
		conclude(&j, n);
	}
	wire_judge_fini(&j);
	wire_file_close(&w);
	return n ? EXIT_FAILURE : EXIT_SUCCESS;
}
