// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bits.h>

#include "options.h"

#define OPTIONS_MIN_CLK_PS	100
#define OPTIONS_MAX_CLK_PS	1000000
#define OPTIONS_RX_BUFFER	(4 << 20)
#define OPTIONS_MIN_SNAPLEN	60	/* a MAC control frame */

enum {
	OPT_SOCKET = 0x100,
	OPT_PORTS,
	OPT_TXQ,
	OPT_RXQ,
	OPT_DEPTH,
	OPT_CLK,
	OPT_SPEEDS,
	OPT_RX_BUFFER,
	OPT_NO_OFFLOAD,
	OPT_MAC,
	OPT_WIRE,
	OPT_RECORD,
	OPT_SNAPLEN,
	OPT_FAULT,
	OPT_LOG,
	OPT_VERSION,
};

static const struct option options_long[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "ports", required_argument, NULL, OPT_PORTS },
	{ "txq", required_argument, NULL, OPT_TXQ },
	{ "rxq", required_argument, NULL, OPT_RXQ },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "clk", required_argument, NULL, OPT_CLK },
	{ "speeds", required_argument, NULL, OPT_SPEEDS },
	{ "rx-buffer", required_argument, NULL, OPT_RX_BUFFER },
	{ "no-offload", no_argument, NULL, OPT_NO_OFFLOAD },
	{ "mac", required_argument, NULL, OPT_MAC },
	{ "wire", required_argument, NULL, OPT_WIRE },
	{ "record", required_argument, NULL, OPT_RECORD },
	{ "snaplen", required_argument, NULL, OPT_SNAPLEN },
	{ "fault", required_argument, NULL, OPT_FAULT },
	{ "log", required_argument, NULL, OPT_LOG },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ }
};

static const char *const speed_names[PARQ_NUM_SPEEDS] = {
	[PARQ_SPEED_10M] = "10M",
	[PARQ_SPEED_100M] = "100M",
	[PARQ_SPEED_1G] = "1G",
	[PARQ_SPEED_2500M] = "2.5G",
	[PARQ_SPEED_5G] = "5G",
	[PARQ_SPEED_10G] = "10G",
	[PARQ_SPEED_25G] = "25G",
	[PARQ_SPEED_40G] = "40G",
	[PARQ_SPEED_50G] = "50G",
	[PARQ_SPEED_100G] = "100G",
	[PARQ_SPEED_200G] = "200G",
	[PARQ_SPEED_400G] = "400G",
};

static void explain(struct options *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void explain(struct options *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(o->error, sizeof(o->error), fmt, ap);
	va_end(ap);
}

/* False, so that a parser can return it. */
#define refuse(o, ...)	(explain(o, __VA_ARGS__), false)

static bool parse_u32(struct options *o, const char *what, const char *s,
		      u32 min, u32 max, u32 *val)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(s, &end, 10);
	if (!isdigit((unsigned char)*s) || *end || errno || n < min || n > max)
		return refuse(o, "%s '%s': not a number from %u to %u", what, s,
			      min, max);
	*val = (u32)n;
	return true;
}

static bool parse_name(struct options *o, const char *what, const char *s,
		       const char *const *names, u32 num, u32 *val)
{
	char list[128] = "";
	u32 i;

	for (i = 0; i < num; i++) {
		if (!strcmp(s, names[i])) {
			*val = i;
			return true;
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", i ? ", " : "", names[i]);
	}
	return refuse(o, "%s '%s': not one of %s", what, s, list);
}

static bool parse_speeds(struct options *o, const char *arg)
{
	char copy[128], *save, *s;
	u32 speed;

	if (strlen(arg) >= sizeof(copy) || !*arg)
		return refuse(o, "--speeds '%s': not a list like 10G,100G",
			      arg);
	strcpy(copy, arg);
	o->nic.speeds = 0;
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		if (!parse_name(o, "--speeds", s, speed_names, PARQ_NUM_SPEEDS,
				&speed))
			return false;
		o->nic.speeds |= BIT(speed);
	}
	return o->nic.speeds ||
	       refuse(o, "--speeds '%s': names no speed", arg);
}

static bool parse_mac(struct options *o, const char *arg)
{
	u8 *a = o->nic.addr;
	char rest;

	if (strlen(arg) != 17 ||
	    sscanf(arg, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &a[0], &a[1],
		   &a[2], &a[3], &a[4], &a[5], &rest) != 6)
		return refuse(o, "--mac '%s': not like 02:00:00:00:00:01", arg);
	if (a[0] & 1)
		return refuse(o, "--mac '%s': a group address", arg);
	if (!(a[0] | a[1] | a[2] | a[3] | a[4] | a[5]))
		return refuse(o, "--mac '%s': all zero", arg);
	return true;
}

/* "pN" up to @stop, which is a character or the end of the string. */
static bool parse_port(struct options *o, const char *what, const char *s,
		       char stop, u32 *port)
{
	if (s[0] != 'p' || s[1] < '0' || s[1] >= '0' + PARQ_MAX_PORTS ||
	    s[2] != stop)
		return refuse(o, "%s '%s': a port is p0 to p%u", what, s,
			      PARQ_MAX_PORTS - 1);
	*port = (u32)(s[1] - '0');
	return true;
}

static bool parse_wire_mods(struct options *o, struct wire_spec *w, char *mods)
{
	char *save, *s;

	for (s = strtok_r(mods, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		if (!strncmp(s, "length=", 7) && w->kind != WIRE_TAP) {
			if (!parse_u32(o, "--wire length", s + 7, 0,
				       OPTIONS_MAX_LENGTH_M, &w->length_m))
				return false;
		} else if (!strcmp(s, "listen") && w->kind == WIRE_SOCKET) {
			w->listen = true;
		} else {
			return refuse(o, "--wire: '%s' does not apply here", s);
		}
	}
	return true;
}

static bool parse_wire_name(struct options *o, struct wire_spec *w,
			    const char *name, size_t size)
{
	if (!*name || strlen(name) >= size)
		return refuse(o, "--wire '%s': a name has 1 to %zu characters",
			      name, size - 1);
	strcpy(w->name, name);
	return true;
}

static bool parse_wire_kind(struct options *o, struct wire_spec *w, char *s)
{
	char *name = strchr(s, ':');

	if (name)
		*name++ = '\0';
	if (!strcmp(s, "loop") && !name) {
		w->kind = WIRE_LOOP;
		return true;
	}
	if (!strcmp(s, "peer") && name) {
		w->kind = WIRE_PEER;
		return parse_port(o, "--wire peer", name, '\0', &w->peer);
	}
	if (!strcmp(s, "tap") && name) {
		w->kind = WIRE_TAP;
		return parse_wire_name(o, w, name, IFNAMSIZ);
	}
	if (!strcmp(s, "socket") && name) {
		w->kind = WIRE_SOCKET;
		return parse_wire_name(o, w, name, sizeof(w->name));
	}
	return refuse(o, "--wire '%s': not one of peer:pN, loop, tap:NAME, socket:PATH",
		      s);
}

/* pA=KIND[:NAME][,MODIFIER]... */
static bool parse_wire(struct options *o, const char *arg)
{
	struct wire_spec w = { .length_m = 1 };
	char copy[256], *mods;
	u32 port;

	if (strlen(arg) >= sizeof(copy))
		return refuse(o, "--wire: longer than %zu characters",
			      sizeof(copy) - 1);
	strcpy(copy, arg);
	if (!parse_port(o, "--wire", copy, '=', &port))
		return false;
	mods = strchr(copy, ',');
	if (mods)
		*mods++ = '\0';
	if (!parse_wire_kind(o, &w, copy + 3))
		return false;
	if (mods && !parse_wire_mods(o, &w, mods))
		return false;
	if (w.kind == WIRE_PEER && w.peer == port)
		return refuse(o, "--wire '%s': use p%u=loop", arg, port);
	if (o->wire[port].kind != WIRE_NONE)
		return refuse(o, "--wire '%s': p%u has a wire already", arg,
			      port);
	o->wire[port] = w;
	return true;
}

static bool parse_record(struct options *o, const char *arg)
{
	u32 port;

	if (!parse_port(o, "--record", arg, '=', &port))
		return false;
	if (!arg[3])
		return refuse(o, "--record '%s': names no file", arg);
	if (o->record[port])
		return refuse(o, "--record '%s': p%u is recorded already", arg,
			      port);
	o->record[port] = arg + 3;
	return true;
}

/* seed=N and KIND=N, separated by commas. */
static bool parse_fault(struct options *o, const char *arg)
{
	char copy[128], *save, *s, *val;
	u32 kind;

	if (strlen(arg) >= sizeof(copy) || !*arg)
		return refuse(o, "--fault '%s': not a list like seed=1,dma=1000",
			      arg);
	strcpy(copy, arg);
	for (s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		val = strchr(s, '=');
		if (!val)
			return refuse(o, "--fault '%s': has no value", s);
		*val++ = '\0';
		if (!strcmp(s, "seed")) {
			if (!parse_u32(o, "--fault seed", val, 0, UINT32_MAX,
				       &o->fault.seed))
				return false;
			continue;
		}
		if (!parse_name(o, "--fault", s, fault_names, FAULT_KINDS,
				&kind) ||
		    !parse_u32(o, "--fault", val, 1, UINT32_MAX,
			       &o->fault.one_in[kind]))
			return false;
	}
	return true;
}

static bool parse_size(struct options *o, int opt, const char *arg)
{
	struct parqsim_config *nic = &o->nic;
	u32 n;

	switch (opt) {
	case OPT_PORTS:
		if (!parse_u32(o, "--ports", arg, 1, PARQ_MAX_PORTS, &n))
			return false;
		nic->ports = (u8)n;
		return true;
	case OPT_TXQ:
		if (!parse_u32(o, "--txq", arg, 1, PARQ_MAX_TXQ, &n))
			return false;
		nic->txq = (u8)n;
		return true;
	case OPT_RXQ:
		if (!parse_u32(o, "--rxq", arg, 1, PARQ_MAX_RXQ, &n))
			return false;
		nic->rxq = (u8)n;
		return true;
	case OPT_DEPTH:
		if (!parse_u32(o, "--depth", arg, PARQSIM_DEPTH_MIN,
			       PARQSIM_DEPTH_MAX, &n))
			return false;
		nic->depth = (u16)n;
		return true;
	case OPT_RX_BUFFER:
		return parse_u32(o, "--rx-buffer", arg, PARQSIM_RX_BUFFER_MIN,
				 PARQSIM_RX_BUFFER_MAX, &nic->rx_buffer);
	default:
		return parse_u32(o, "--clk", arg, OPTIONS_MIN_CLK_PS,
				 OPTIONS_MAX_CLK_PS, &nic->clk_ps);
	}
}

static bool parse_option(struct options *o, int opt, const char *arg)
{
	u32 n;

	switch (opt) {
	case OPT_SOCKET:
		if (!*arg || strlen(arg) >= OPTIONS_PATH_SIZE)
			return refuse(o, "--socket '%s': a path has 1 to %zu characters",
				      arg, OPTIONS_PATH_SIZE - 1);
		o->socket = arg;
		return true;
	case OPT_SPEEDS:
		return parse_speeds(o, arg);
	case OPT_NO_OFFLOAD:
		o->nic.no_offload = true;
		return true;
	case OPT_MAC:
		return parse_mac(o, arg);
	case OPT_WIRE:
		return parse_wire(o, arg);
	case OPT_RECORD:
		return parse_record(o, arg);
	case OPT_SNAPLEN:
		return parse_u32(o, "--snaplen", arg, OPTIONS_MIN_SNAPLEN,
				 PARQSIM_FRAME_MAX, &o->snaplen);
	case OPT_FAULT:
		return parse_fault(o, arg);
	case OPT_LOG:
		if (!parse_name(o, "--log", arg, log_names, LOG_NUM_LEVELS, &n))
			return false;
		o->log = n;
		return true;
	default:
		return parse_size(o, opt, arg);
	}
}

static u32 wire_ports(const struct wire_spec *w, u32 port)
{
	if (w->kind == WIRE_NONE)
		return 0;
	return BIT(port) | (w->kind == WIRE_PEER ? BIT(w->peer) : 0);
}

/* All ports that are named exist, and each has one end of one wire. */
static bool check_ports(struct options *o)
{
	u32 i, ports, wired = 0;

	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		ports = wire_ports(&o->wire[i], i);
		if (ports & wired)
			return refuse(o, "--wire p%u: p%d has a wire already", i,
				      __builtin_ctz(ports & wired));
		wired |= ports;
		ports |= o->record[i] ? BIT(i) : 0;
		if (ports >> o->nic.ports)
			return refuse(o, "p%d: with --ports %u there are p0 to p%u",
				      31 - __builtin_clz(ports), o->nic.ports,
				      o->nic.ports - 1U);
	}
	return true;
}

/*
 * Locally administered, and another one for another socket, so that two of
 * these NICs can share a network.
 */
static void default_mac(struct options *o)
{
	u32 hash = 2166136261;	/* FNV-1a */
	const char *s;
	u8 *a = o->nic.addr;

	if (a[0] | a[1] | a[2] | a[3] | a[4] | a[5])
		return;
	for (s = o->socket; *s; s++)
		hash = (hash ^ (u8)*s) * 16777619;
	a[0] = 0x02;
	a[1] = 0x50;
	a[2] = (u8)(hash >> 24);
	a[3] = (u8)(hash >> 16);
	a[4] = (u8)(hash >> 8);
	a[5] = (u8)(hash & ~(PARQ_MAX_PORTS - 1U));
}

/* getopt_long() has found fault; @last is what it looked at last. */
static void refuse_option(struct options *o, bool no_value, const char *last)
{
	if (optopt && optopt < OPT_SOCKET)
		explain(o, "-%c: no such option", optopt);
	else if (no_value)
		explain(o, "%s: needs a value", last);
	else if (optopt)
		explain(o, "%s: takes no value", last);
	else
		explain(o, "%s: no such option", last);
}

/**
 * options_parse() - read the command line
 * @o: result; @error says why for OPTIONS_BAD. Strings stay in @argv
 * @argc: as of main()
 * @argv: as of main()
 *
 * Nothing outside @o is changed, whatever is asked for.
 *
 * Return: what to do now.
 */
enum options_action options_parse(struct options *o, int argc, char **argv)
{
	int opt;

	*o = (struct options){
		.nic = {
			.ports = 2,
			.txq = PARQ_MAX_TXQ,
			.rxq = 8,
			.depth = 32,
			.clk_ps = 1000,
			.speeds = BIT(PARQ_NUM_SPEEDS) - 1,
			.rx_buffer = OPTIONS_RX_BUFFER,
		},
		.log = LOG_WARN,
	};
	optind = 0;	/* from the start, also the second time */
	while ((opt = getopt_long(argc, argv, "+:h", options_long, NULL)) >= 0) {
		if (opt == 'h')
			return OPTIONS_HELP;
		if (opt == OPT_VERSION)
			return OPTIONS_SHOW_VERSION;
		if (opt == ':' || opt == '?') {
			refuse_option(o, opt == ':', argv[optind - 1]);
			return OPTIONS_BAD;
		}
		if (!parse_option(o, opt, optarg))
			return OPTIONS_BAD;
	}
	if (optind < argc) {
		explain(o, "'%s': not an option", argv[optind]);
		return OPTIONS_BAD;
	}
	if (!o->socket) {
		explain(o, "--socket PATH is missing");
		return OPTIONS_BAD;
	}
	if (!check_ports(o))
		return OPTIONS_BAD;
	default_mac(o);
	return OPTIONS_RUN;
}

/* What --help prints. */
void options_help(FILE *out)
{
	fputs("Usage: parq-nic --socket PATH [OPTION]...\n"
	      "Serves a PARQ network card in software to QEMU (vfio-user-pci).\n"
	      "\n"
	      "The card\n"
	      "  --socket PATH      UNIX socket at which QEMU finds it (required)\n"
	      "  --ports N          1 to 4 (2)\n"
	      "  --txq N            TX queues a port, 1 to 64 (64)\n"
	      "  --rxq N            RX queues a port, 1 to 64 (8)\n"
	      "  --depth N          frames of a port in the pipeline, 4 to 1024 (32)\n"
	      "  --clk PS           clock period of the pipeline, 100 to 1000000 ps (1000)\n"
	      "  --speeds LIST      of 10M,100M,1G,2.5G,5G,10G,25G,40G,50G,100G,200G,400G (all)\n"
	      "  --rx-buffer BYTES  receive buffers a port, 65536 to 16777216 (4194304)\n"
	      "  --no-offload       the driver has to run the pause state machine\n"
	      "  --mac ADDR         permanent address of p0, the other ports count up\n"
	      "\n"
	      "The wires\n"
	      "  --wire pA=peer:pB[,length=M]             cable of M metres to another port (1)\n"
	      "  --wire pA=loop[,length=M]                cable back to the same port\n"
	      "  --wire pA=tap:NAME                       TAP interface of this machine\n"
	      "  --wire pA=socket:PATH[,listen][,length=M]\n"
	      "                                           port of another parq-nic\n"
	      "  --record pA=FILE   record what passes port A to a pcapng file\n"
	      "  --snaplen BYTES    record no more of a frame, 60 to 9242 (all)\n"
	      "\n"
	      "The process\n"
	      "  --fault LIST       one in so many goes wrong: seed=N, dma=N, register=N, lost=N,\n"
	      "                     late=N, twice=N (these three: interrupts), refused=N (DMA)\n"
	      "  --log LEVEL        error, warn, info or debug (warn)\n"
	      "  -h, --help         this text\n"
	      "  --version          version of the program and of the card's contract\n"
	      "\n"
	      "SIGUSR1 prints counters, SIGUSR2 switches faults on and off. See parq-nic(8).\n",
	      out);
}
