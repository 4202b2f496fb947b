// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <linux/bits.h>

#include "options.h"

/* spec.c parses the NIC's options by their names; these are the other ones. */
enum {
	OPT_SPEC = 0x100,
	OPT_SOCKET,
	OPT_LOG,
	OPT_VERSION,
};

static const struct option options_long[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "ports", required_argument, NULL, OPT_SPEC },
	{ "txq", required_argument, NULL, OPT_SPEC },
	{ "rxq", required_argument, NULL, OPT_SPEC },
	{ "depth", required_argument, NULL, OPT_SPEC },
	{ "clk", required_argument, NULL, OPT_SPEC },
	{ "fetch", required_argument, NULL, OPT_SPEC },
	{ "speeds", required_argument, NULL, OPT_SPEC },
	{ "rx-buffer", required_argument, NULL, OPT_SPEC },
	{ "no-offload", no_argument, NULL, OPT_SPEC },
	{ "lacks", required_argument, NULL, OPT_SPEC },
	{ "forward", no_argument, NULL, OPT_SPEC },
	{ "mac", required_argument, NULL, OPT_SPEC },
	{ "wire", required_argument, NULL, OPT_SPEC },
	{ "record", required_argument, NULL, OPT_SPEC },
	{ "snaplen", required_argument, NULL, OPT_SPEC },
	{ "fault", required_argument, NULL, OPT_SPEC },
	{ "log", required_argument, NULL, OPT_LOG },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ }
};

/*
 * A number of this machine, until its next start: the first digits of the kernel's random
 * boot id. 0 without /proc.
 */
static u32 boot_number(void)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
	u32 number = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%8x", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

static bool parse_option(struct options *o, int opt, const char *name,
			 const char *arg)
{
	u32 n;

	switch (opt) {
	case OPT_SOCKET:
		if (!*arg || strlen(arg) >= OPTIONS_PATH_SIZE) {
			spec_refuse(&o->spec, "--socket '%s': a path has 1 to %zu characters",
				    arg, OPTIONS_PATH_SIZE - 1);
			return false;
		}
		o->socket = arg;
		return true;
	case OPT_LOG:
		if (!spec_name(&o->spec, "log", arg, log_names, LOG_NUM_LEVELS,
			       &n))
			return false;
		o->log = n;
		return true;
	default:
		return spec_set(&o->spec, name, arg ? arg : "");
	}
}

/* Explains an error of getopt_long(); @last is the argument that it looked at last. */
static void refuse_option(struct options *o, bool no_value, const char *last)
{
	if (optopt && optopt < OPT_SPEC)
		spec_refuse(&o->spec, "-%c: no such option", optopt);
	else if (no_value)
		spec_refuse(&o->spec, "%s: needs a value", last);
	else if (optopt)
		spec_refuse(&o->spec, "%s: takes no value", last);
	else
		spec_refuse(&o->spec, "%s: no such option", last);
}

/**
 * options_parse() - read the command line
 * @o: result; @spec.error has the reason of OPTIONS_BAD. Strings stay in @argv
 * @argc: main()'s
 * @argv: main()'s
 *
 * Nothing outside @o is changed.
 *
 * Return: the action to take.
 */
enum options_action options_parse(struct options *o, int argc, char **argv)
{
	int opt, i = 0;

	*o = (struct options){
		.spec = SPEC_DEFAULTS("--", BIT(WIRE_PEER) | BIT(WIRE_LOOP) |
					    BIT(WIRE_TAP) | BIT(WIRE_SOCKET)),
		.log = LOG_WARN,
	};
	optind = 0;	/* restart getopt, even in a second call */
	while ((opt = getopt_long(argc, argv, "+:h", options_long, &i)) >= 0) {
		if (opt == 'h')
			return OPTIONS_HELP;
		if (opt == OPT_VERSION)
			return OPTIONS_SHOW_VERSION;
		if (opt == ':' || opt == '?') {
			refuse_option(o, opt == ':', argv[optind - 1]);
			return OPTIONS_BAD;
		}
		if (!parse_option(o, opt, options_long[i].name, optarg))
			return OPTIONS_BAD;
	}
	if (optind < argc) {
		spec_refuse(&o->spec, "'%s': not an option", argv[optind]);
		return OPTIONS_BAD;
	}
	if (!o->socket) {
		spec_refuse(&o->spec, "--socket PATH is missing");
		return OPTIONS_BAD;
	}
	if (!spec_check(&o->spec))
		return OPTIONS_BAD;
	spec_default_mac(&o->spec, o->socket, boot_number());
	return OPTIONS_RUN;
}

/* What --help prints. */
void options_help(FILE *out)
{
	fputs("Usage: parq-nic --socket PATH [OPTION]...\n"
	      "Serves a PARQ network card in software to QEMU (vfio-user-pci).\n"
	      "\n"
	      "The card\n"
	      "  --socket PATH      UNIX socket for QEMU (required)\n"
	      "  --ports N          1 to 4, with --forward 64 (2)\n"
	      "  --txq N            TX queues per port, 1 to 64 (64; more than 4 ports: 8)\n"
	      "  --rxq N            RX queues per port, 1 to 64 (8; more than 4 ports: 1)\n"
	      "  --depth N          frames of a port in the pipeline, 4 to 1024 (32)\n"
	      "  --clk PS           clock period of the pipeline, 100 to 1000000 ps (1000)\n"
	      "  --fetch NS         time allowed for the fetch of a frame, 0 to 1000000000 (0)\n"
	      "  --speeds LIST      of 10M,100M,1G,2.5G,5G,10G,25G,40G,50G,100G,200G,400G (all)\n"
	      "  --rx-buffer BYTES  receive buffers per port, 65536 to 16777216\n"
	      "                     (4194304; more than 4 ports: 1048576)\n"
	      "  --no-offload       the driver must run the pause state machine\n"
	      "  --lacks LIST       capabilities left out, of csum,tso,vlan,rss,trace,gro,ptp,\n"
	      "                     rss-fields,rules,unpad,rule-count,launch,port-rate,restore\n"
	      "  --forward          the ports can forward frames to each other, under a bridge\n"
	      "  --mac ADDR         permanent address of p0, the other ports count up\n"
	      "\n"
	      "The wires\n"
	      "  --wire pA=peer:pB[,length=M]             cable of M metres to another port (1)\n"
	      "  --wire pA=loop[,length=M]                cable back to the same port\n"
	      "  --wire pA=tap:NAME                       TAP interface of this machine\n"
	      "  --wire pA=socket:PATH[,listen][,length=M]\n"
	      "                                           port of another parq-nic\n"
	      "  --record pA=FILE   record the frames of port A in a pcapng file\n"
	      "  --snaplen BYTES    bytes recorded of each frame, 60 to 10266 (all)\n"
	      "\n"
	      "The process\n"
	      "  --fault LIST       faults, each one in N: seed=N, dma=N, lost=N,\n"
	      "                     late=N, twice=N (these three: interrupts), refused=N (DMA),\n"
	      "                     stuck=N (frames that a queue fetches before it fetches no more),\n"
	      "                     fatal=N (reads of a register before the card stops)\n"
	      "  --log LEVEL        error, warn, info or debug (warn)\n"
	      "  -h, --help         this text\n"
	      "  --version          version of the program and of the card's contract\n"
	      "\n"
	      "SIGUSR1 prints counters, SIGUSR2 switches faults on and off. See parq-nic(8).\n",
	      out);
}
