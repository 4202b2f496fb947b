// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches XDP programs to an interface and detaches them, natively. The programs are in this file
 * as instructions, so that no compiler and no loader is needed.
 */
#include <err.h>
#include <linux/pkt_cls.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "xdp_prog.h"

#ifndef BPF_TCX_INGRESS
#define BPF_TCX_INGRESS	46
#endif

#define MARK		0x50415251	/* in metadata */
#define TAG		0x0aa00081	/* 802.1Q, priority 5, VLAN 10, as in memory */
#define CUT		4000		/* bytes that "trim" cuts off */
#define TO		0x7fffffff	/* replaced by the interface of "redirect" */

static const char usage[] =
	"usage: parq_xdp DEV PROGRAM [OPTION]...\n"
	"\n"
	"Attaches a program in place of the one before:\n"
	"\n"
	"  pass      to the stack\n"
	"  drop\n"
	"  aborted\n"
	"  invalid   a verdict that does not exist\n"
	"  tx        back to the sender, addresses swapped\n"
	"  redirect  the same by redirection\n"
	"  push      the same with a tag of priority 5\n"
	"  trim      the same without the last 4000 bytes\n"
	"  meta      to the stack with metadata; until SIGTERM, the stack drops frames without\n"
	"  off       detaches the program\n"
	"\n"
	"  --frags     takes frames of several buffers\n"
	"  --to DEV    where redirect sends to (DEV itself)\n"
	"  --times N   pass, pass and off, N times, 1 ms apart\n";

/* r2 is the beginning of the frame, which must have @n bytes, or it is aborted. */
#define FRAME(n)							\
	LOAD(BPF_W, 2, 6, offsetof(struct xdp_md, data)),		\
	LOAD(BPF_W, 3, 6, offsetof(struct xdp_md, data_end)),		\
	MOV_REG(4, 2),							\
	ADD_IMM(4, n),							\
	MOV_IMM(0, XDP_ABORTED),					\
	JUMP_GT(4, 3, 1),						\
	INSN(.code = BPF_JMP | BPF_JA, .off = 1),			\
	EXIT

#define SWAP								\
	LOAD(BPF_W, 5, 2, 0), LOAD(BPF_H, 7, 2, 4),			\
	LOAD(BPF_W, 8, 2, 6), LOAD(BPF_H, 9, 2, 10),			\
	STORE(BPF_W, 2, 0, 8), STORE(BPF_H, 2, 4, 9),			\
	STORE(BPF_W, 2, 6, 5), STORE(BPF_H, 2, 10, 7)

/* What a helper does must have worked, or the frame is aborted. */
#define HELPER(f, amount)						\
	MOV_REG(1, 6), MOV_IMM(2, amount), CALL(f),			\
	MOV_REG(1, 0), MOV_IMM(0, XDP_ABORTED),				\
	INSN(.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 1, .off = 1),	\
	EXIT

#define RETURN(verdict)	MOV_IMM(0, verdict), EXIT

struct program {
	const char *name;
	unsigned int num;
	struct bpf_insn insn[40];
};

#define PROGRAM(name, ...)						\
	{ name, sizeof((struct bpf_insn[]){ __VA_ARGS__ }) /		\
		sizeof(struct bpf_insn), { __VA_ARGS__ } }

static struct program programs[] = {
	PROGRAM("pass", RETURN(XDP_PASS)),
	PROGRAM("drop", RETURN(XDP_DROP)),
	PROGRAM("aborted", RETURN(XDP_ABORTED)),
	PROGRAM("invalid", RETURN(77)),
	PROGRAM("tx", MOV_REG(6, 1), FRAME(14), SWAP, RETURN(XDP_TX)),
	/* The verdict of the helper is the program's. */
	PROGRAM("redirect", MOV_REG(6, 1), FRAME(14), SWAP, MOV_IMM(1, TO),
		MOV_IMM(2, 0), CALL(BPF_FUNC_redirect), EXIT),
	PROGRAM("push", MOV_REG(6, 1), HELPER(BPF_FUNC_xdp_adjust_head, -4),
		FRAME(18),
		LOAD(BPF_W, 5, 2, 4), LOAD(BPF_W, 7, 2, 8), LOAD(BPF_W, 8, 2, 12),
		STORE(BPF_W, 2, 0, 5), STORE(BPF_W, 2, 4, 7), STORE(BPF_W, 2, 8, 8),
		STORE_IMM(2, 12, TAG), SWAP, RETURN(XDP_TX)),
	PROGRAM("trim", MOV_REG(6, 1), HELPER(BPF_FUNC_xdp_adjust_tail, -CUT),
		FRAME(14), SWAP, RETURN(XDP_TX)),
	PROGRAM("meta", MOV_REG(6, 1), HELPER(BPF_FUNC_xdp_adjust_meta, -4),
		LOAD(BPF_W, 2, 6, offsetof(struct xdp_md, data_meta)),
		LOAD(BPF_W, 3, 6, offsetof(struct xdp_md, data)),
		MOV_REG(4, 2), ADD_IMM(4, 4), MOV_IMM(0, XDP_ABORTED),
		JUMP_GT(4, 3, 2), STORE_IMM(2, 0, MARK), MOV_IMM(0, XDP_PASS), EXIT),
};

/* Of the stack: drops frames whose metadata "meta" has not written. */
static const struct bpf_insn needs_meta[] = {
	LOAD(BPF_W, 2, 1, offsetof(struct __sk_buff, data_meta)),
	LOAD(BPF_W, 3, 1, offsetof(struct __sk_buff, data)),
	MOV_REG(4, 2), ADD_IMM(4, 4), MOV_IMM(0, TC_ACT_SHOT),
	JUMP_GT(4, 3, 3), LOAD(BPF_W, 5, 2, 0), JUMP_NE(5, MARK, 1),
	MOV_IMM(0, TC_ACT_OK), EXIT,
};

static struct program *find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	fputs(usage, stderr);
	exit(OPTIONS_BAD_USAGE);
}

static void redirect_to(struct program *p, unsigned int dev)
{
	unsigned int i;

	for (i = 0; i < p->num; i++)
		if (p->insn[i].imm == TO)
			p->insn[i].imm = (int)dev;
}

/* Until this process ends. */
static void want_meta(unsigned int dev)
{
	int fd = xdp_load(BPF_PROG_TYPE_SCHED_CLS, needs_meta,
		      sizeof(needs_meta) / sizeof(*needs_meta), 0);
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)fd,
			.target_ifindex = dev,
			.attach_type = BPF_TCX_INGRESS,
		},
	};

	if (xdp_bpf(BPF_LINK_CREATE, &attr) < 0)
		err(EXIT_FAILURE, "tcx");
	puts("ready");
	fflush(stdout);
	pause();
}

static unsigned int device(const char *name)
{
	unsigned int dev = if_nametoindex(name);

	if (!dev)
		err(EXIT_FAILURE, "%s", name);
	return dev;
}

int main(int argc, char **argv)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	uint32_t flags = 0, times = 0, i;
	struct mnl_socket *nl;
	unsigned int dev, to;
	struct program *p = NULL;
	int arg, fd = -1;

	if (argc < 3) {
		fputs(usage, stderr);
		return OPTIONS_BAD_USAGE;
	}
	dev = device(argv[1]);
	to = dev;
	for (arg = 3; arg < argc; arg++) {
		if (!strcmp(argv[arg], "--frags"))
			flags = BPF_F_XDP_HAS_FRAGS;
		else if (!strcmp(argv[arg], "--to") && arg + 1 < argc)
			to = device(argv[++arg]);
		else if (!strcmp(argv[arg], "--times") && arg + 1 < argc)
			times = (uint32_t)option_number("--times", argv[++arg], 1, 100000);
		else
			find("");
	}
	nl = xdp_netlink();
	if (strcmp(argv[2], "off")) {
		p = find(argv[2]);
		redirect_to(p, to);
		fd = xdp_load(BPF_PROG_TYPE_XDP, p->insn, p->num, flags);
	}
	xdp_attach(nl, dev, fd);
	if (!strcmp(argv[2], "meta"))
		want_meta(dev);
	for (i = 0; p && i < times; i++) {
		nanosleep(&ms, NULL);
		xdp_attach(nl, dev, xdp_load(BPF_PROG_TYPE_XDP, p->insn, p->num, flags));
		nanosleep(&ms, NULL);
		xdp_attach(nl, dev, -1);
		nanosleep(&ms, NULL);
		xdp_attach(nl, dev, fd);
	}
	return EXIT_SUCCESS;
}
