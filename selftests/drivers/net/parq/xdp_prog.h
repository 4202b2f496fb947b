/* SPDX-License-Identifier: GPL-2.0 */
/* BPF programs as instructions, and how they get into the kernel and to an interface. */
#ifndef _XDP_PROG_H
#define _XDP_PROG_H

#include <linux/bpf.h>
#include <stdint.h>

struct mnl_socket;

#define INSN(...)	((struct bpf_insn){ __VA_ARGS__ })
#define MOV_REG(d, s)	INSN(.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (d), .src_reg = (s))
#define MOV_IMM(d, i)	INSN(.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (d), .imm = (i))
#define ADD_IMM(d, i)	INSN(.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (d), .imm = (i))
#define LOAD(size, d, s, o)						\
	INSN(.code = BPF_LDX | BPF_MEM | (size), .dst_reg = (d), .src_reg = (s), .off = (o))
#define STORE(size, d, o, s)						\
	INSN(.code = BPF_STX | BPF_MEM | (size), .dst_reg = (d), .src_reg = (s), .off = (o))
#define STORE_IMM(d, o, i)						\
	INSN(.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = (d), .off = (o), .imm = (i))
#define CALL(f)		INSN(.code = BPF_JMP | BPF_CALL, .imm = (f))
#define JUMP_GT(d, s, o)						\
	INSN(.code = BPF_JMP | BPF_JGT | BPF_X, .dst_reg = (d), .src_reg = (s), .off = (o))
#define JUMP_NE(d, i, o)						\
	INSN(.code = BPF_JMP32 | BPF_JNE | BPF_K, .dst_reg = (d), .imm = (i), .off = (o))
#define EXIT		INSN(.code = BPF_JMP | BPF_EXIT)

/* All of them end the program after an error. @fd -1 detaches. */
int xdp_bpf(int cmd, union bpf_attr *attr);
int xdp_load(enum bpf_prog_type type, const struct bpf_insn *insn, unsigned int num,
	     uint32_t flags);
struct mnl_socket *xdp_netlink(void);
void xdp_attach(struct mnl_socket *nl, unsigned int dev, int fd);

#endif /* _XDP_PROG_H */
