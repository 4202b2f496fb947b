/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC that is broken, or lies: sits between the core and its host and spoils,
 * from a seed, what the driver reads, and the interrupts that it waits for. Off
 * until it is switched on.
 */
#ifndef _PARQSIM_FAULT_H
#define _PARQSIM_FAULT_H

#include <linux/bits.h>
#include <linux/types.h>

/**
 * enum fault_kind - what goes wrong
 * @FAULT_DMA: a word of what the NIC writes to host memory: completions, status
 *	page, head write-back, events, park queue entries; not of frames
 * @FAULT_REGISTER: a register reads as something else
 * @FAULT_LOST: an interrupt does not come
 * @FAULT_LATE: an interrupt comes up to FAULT_LATE_MAX_NS later
 * @FAULT_TWICE: an interrupt comes twice
 * @FAULT_REFUSED: an access to host memory goes where nothing is mapped: its IOMMU
 *	refuses it, or what decodes addresses
 * @FAULT_STUCK: a TX queue fetches no more and does not say so, until it is enabled again;
 *	one queue each time that faults are switched on
 * @FAULT_FATAL: the NIC stops with PARQ_STATUS_FATAL, when a register is read; once each time
 *	that faults are switched on
 * @FAULT_KINDS: number of kinds
 */
enum fault_kind {
	FAULT_DMA,
	FAULT_REGISTER,
	FAULT_LOST,
	FAULT_LATE,
	FAULT_TWICE,
	FAULT_REFUSED,
	FAULT_STUCK,
	FAULT_FATAL,
	FAULT_KINDS,
};

/* What is longer is a frame, and not touched. */
#define FAULT_MAX_LEN		64
#define FAULT_ALL		(BIT(FAULT_KINDS) - 1)
#define FAULT_LATE_MAX_NS	10000000U

extern const char *const fault_names[FAULT_KINDS];

/**
 * struct fault_spec - what the user asks for
 * @seed: of the choice; the same one spoils the same accesses
 * @one_in: on average, by kind; 0 for never
 */
struct fault_spec {
	u32 seed;
	u32 one_in[FAULT_KINDS];
};

/**
 * struct fault - state
 * @spec: what the user asks for
 * @on: BIT(kind) of what happens now
 * @stuck: a queue has been since then
 * @fatal: the NIC has stopped since then
 * @rng: state of the random numbers
 * @late_ns: when, by the device clock, each late interrupt is due, by vector; 0 for none
 * @vectors: how many
 * @next_ns: the earliest of them, 0 for none
 * @count: by kind
 */
struct fault {
	struct fault_spec spec;
	u32 on;
	bool stuck;
	bool fatal;
	u64 rng;
	u64 *late_ns;
	u32 vectors;
	u64 next_ns;
	u64 count[FAULT_KINDS];
};

int fault_init(struct fault *f, const struct fault_spec *spec, u32 vectors);
void fault_fini(struct fault *f);
void fault_set(struct fault *f, u32 kinds);
bool fault_dma(struct fault *f, void *buf, u32 len);
bool fault_refused(struct fault *f);
bool fault_stuck(struct fault *f);
bool fault_fatal(struct fault *f);
u32 fault_register(struct fault *f, u32 val);
u32 fault_irq(struct fault *f, u32 vector, u64 now_ns);
bool fault_irq_due(struct fault *f, u64 now_ns, u32 *vector);

#endif /* _PARQSIM_FAULT_H */
