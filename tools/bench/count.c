// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's translator that counts, between two marks of the guest (mark.h), how often
 * each processor executes each block of its kernel, and the block's accesses to devices.
 *
 *	-plugin count.so,out=FILE
 *
 * FILE gets a line a measurement and processor:	measurement N CPU
 * and a line a block that it has executed:		ADDRESS INSTRUCTIONS ATOMICS TIMES ACCESSES
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"
#include "qemu_plugin.h"

#define MAX_BLOCKS	(1u << 18)
#define MAX_CPUS	8
/* Of a machine with 1 GB, where tools/vm/boot --memory starts. */
#define MEMORY_END	0x40000000ULL
#define SYSTEM_BEGIN	0xfec00000ULL
#define SYSTEM_END	0xff000000ULL
#define KERNEL_HALF	(1ULL << 63)
/* The longest instruction of x86. */
#define MAX_INSN	15

#define PREFIX_OPERAND	0x66
#define PREFIX_LOCK	0xf0
#define IS_REX(byte)	(((byte) & 0xf0) == 0x40)

/**
 * struct block - a translated block, by its address and length
 * @address: of its first instruction
 * @insns: number of instructions
 * @atomics: of those, with a locked access to memory
 */
struct block {
	uint64_t address;
	uint32_t insns;
	uint32_t atomics;
};

/* What one processor has counted. */
struct counts {
	uint64_t times[MAX_BLOCKS];
	uint64_t accesses[MAX_BLOCKS];
};

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* Blocks by a hash of address and length, open addressing; guarded by the lock. */
static struct block blocks[MAX_BLOCKS];
static uint32_t n_blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct qemu_plugin_scoreboard *score;
static struct counts *before;
static FILE *out;
static unsigned int measurement;
static bool counting;

static uint32_t block_find(uint64_t address, uint32_t insns)
{
	uint32_t i = ((address * 0x9e3779b97f4a7c15ULL) >> 40 ^ insns) % MAX_BLOCKS;

	while (blocks[i].insns && (blocks[i].address != address || blocks[i].insns != insns))
		i = (i + 1) % MAX_BLOCKS;
	if (!blocks[i].insns && ++n_blocks > MAX_BLOCKS - MAX_BLOCKS / 8) {
		fprintf(stderr, "count: more than %u blocks\n", n_blocks - 1);
		exit(1);
	}
	blocks[i].address = address;
	blocks[i].insns = insns;
	return i;
}

/* Skips prefixes but LOCK and segments, which decide what the instruction is. */
static const uint8_t *opcode(const uint8_t *byte)
{
	while (*byte == PREFIX_OPERAND || IS_REX(*byte))
		byte++;
	return byte;
}

static bool is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

/* A LOCK prefix, or XCHG with memory, which needs none. */
static bool is_atomic(const uint8_t *byte)
{
	byte = opcode(byte);
	while (*byte == 0x2e || *byte == 0x3e || *byte == 0x64 || *byte == 0x65)
		byte = opcode(byte + 1);
	return *byte == PREFIX_LOCK || ((*byte == 0x86 || *byte == 0x87) && is_memory(byte[1]));
}

/*
 * The kernel accesses devices by MOV, and never relative to the stack or to the instruction.
 * Other instructions are not watched: that takes time.
 */
static bool may_be_mmio(const uint8_t *byte)
{
	uint8_t modrm;

	byte = opcode(byte);
	if (!(*byte >= 0x88 && *byte <= 0x8b) && *byte != 0xc6 && *byte != 0xc7)
		return false;
	modrm = byte[1];
	if (!is_memory(modrm) || (modrm & 0xc7) == 5)
		return false;
	return (modrm & 7) != 4 || (byte[2] & 7) != 4;
}

static uint32_t mark_of(const uint8_t *byte)
{
	uint32_t operand;

	if (byte[0] != 0x0f || byte[1] != 0x1f || byte[2] != 0x80)
		return 0;
	memcpy(&operand, byte + 3, sizeof(operand));
	return operand;
}

/*
 * Behind the machine's memory. Of what QEMU emulates itself the plugin interface tells no such
 * address: this finds PARQ's device alone. Interrupt controllers and the HPET are the kernel's.
 */
static bool is_device(uint64_t physical)
{
	return physical >= MEMORY_END &&
	       (physical < SYSTEM_BEGIN || physical >= SYSTEM_END);
}

static void accessed(unsigned int vcpu, uint32_t info, uint64_t address, void *data)
{
	struct qemu_plugin_hwaddr *hw;
	struct counts *counts;

	if (!counting)
		return;
	hw = qemu_plugin_get_hwaddr(info, address);
	if (!hw || !is_device(qemu_plugin_hwaddr_phys_addr(hw)))
		return;
	counts = qemu_plugin_scoreboard_find(score, vcpu);
	counts->accesses[(uintptr_t)data]++;
}

static void begin(unsigned int vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	for (int cpu = 0; cpu < qemu_plugin_num_vcpus(); cpu++)
		memcpy(&before[cpu], qemu_plugin_scoreboard_find(score, cpu), sizeof(*before));
	counting = true;
}

static void end(unsigned int vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	counting = false;
	pthread_mutex_lock(&lock);
	for (int cpu = 0; cpu < qemu_plugin_num_vcpus(); cpu++) {
		const struct counts *now = qemu_plugin_scoreboard_find(score, cpu);

		fprintf(out, "measurement %u %d\n", measurement, cpu);
		for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
			uint64_t times = now->times[i] - before[cpu].times[i];

			if (times)
				fprintf(out, "%" PRIx64 " %u %u %" PRIu64 " %" PRIu64 "\n",
					blocks[i].address, blocks[i].insns, blocks[i].atomics,
					times, now->accesses[i] - before[cpu].accesses[i]);
		}
	}
	pthread_mutex_unlock(&lock);
	measurement++;
	fflush(out);
}

static void translated_kernel(struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_u64 times = { .score = score };
	uint32_t atomics = 0, block;

	pthread_mutex_lock(&lock);
	block = block_find(qemu_plugin_tb_vaddr(tb), n);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint8_t bytes[MAX_INSN] = { 0 };

		qemu_plugin_insn_data(insn, bytes, sizeof(bytes));
		atomics += is_atomic(bytes);
		if (may_be_mmio(bytes))
			qemu_plugin_register_vcpu_mem_cb(insn, accessed, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW,
							 (void *)(uintptr_t)block);
	}
	blocks[block].atomics = atomics;
	pthread_mutex_unlock(&lock);
	times.offset = offsetof(struct counts, times) + block * sizeof(uint64_t);
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64, times, 1);
}

static void translated(struct qemu_plugin_tb *tb, void *data)
{
	(void)data;
	if (qemu_plugin_tb_vaddr(tb) & KERNEL_HALF) {
		translated_kernel(tb);
		return;
	}
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint8_t bytes[MAX_INSN] = { 0 };
		uint32_t operand;

		qemu_plugin_insn_data(insn, bytes, sizeof(bytes));
		operand = mark_of(bytes);
		if (operand == MARK_BEGIN || operand == MARK_END)
			qemu_plugin_register_vcpu_insn_exec_cb(insn,
							       operand == MARK_BEGIN ? begin : end,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
					   char **argv);
QEMU_PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
					   char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fprintf(stderr, "usage: -plugin count.so,out=FILE\n");
		return 1;
	}
	out = fopen(argv[0] + 4, "w");
	if (!out) {
		perror(argv[0] + 4);
		return 1;
	}
	score = qemu_plugin_scoreboard_new(sizeof(struct counts));
	before = calloc(MAX_CPUS, sizeof(*before));
	if (!before)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated, NULL);
	return 0;
}
