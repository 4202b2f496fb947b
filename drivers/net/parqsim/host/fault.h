/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fault injection between the core and its host. From a seed, it corrupts what the NIC writes
 * to memory, refuses DMA, loses, delays or doubles interrupts, and stops. Off by default.
 */
#ifndef _PARQSIM_FAULT_H
#define _PARQSIM_FAULT_H

#include <linux/bits.h>
#include <linux/types.h>

/**
 * enum fault_kind - kinds of faults
 * @FAULT_DMA: corrupts a word that the NIC writes to host memory: completions, status
 *	page, head write-back, events, park queue entries; not frames
 * @FAULT_LOST: an interrupt is lost
 * @FAULT_LATE: an interrupt is up to FAULT_LATE_MAX_NS late
 * @FAULT_TWICE: an interrupt is sent twice
 * @FAULT_REFUSED: an access to host memory hits an unmapped address and is refused, by an
 *	IOMMU or by the address decoder
 * @FAULT_STUCK: a TX queue stops fetching without an error, until it is enabled again; one
 *	queue each time that faults are switched on
 * @FAULT_FATAL: the NIC stops with PARQ_STATUS_FATAL, when a register is read; once each
 *	time that faults are switched on
 * @FAULT_KINDS: number of kinds
 */
enum fault_kind {
	FAULT_DMA,
	FAULT_LOST,
	FAULT_LATE,
	FAULT_TWICE,
	FAULT_REFUSED,
	FAULT_STUCK,
	FAULT_FATAL,
	FAULT_KINDS,
};

/* Longer writes are frames, and not corrupted. */
#define FAULT_MAX_LEN		64
#define FAULT_ALL		(BIT(FAULT_KINDS) - 1)
#define FAULT_LATE_MAX_NS	10000000U

extern const char *const fault_names[FAULT_KINDS];

/**
 * struct fault_spec - settings of the user
 * @seed: seed; the same seed corrupts the same accesses
 * @one_in: mean distance of faults, by kind; 0 for none
 */
struct fault_spec {
	u32 seed;
	u32 one_in[FAULT_KINDS];
};

/**
 * struct fault - state of fault injection
 * @spec: settings of the user
 * @on: BIT(kind) that are enabled
 * @stuck: a queue has been made stuck since faults were switched on
 * @fatal: the NIC has been stopped since faults were switched on
 * @rng: state of the random numbers
 * @late_ns: due time of each late interrupt, device clock, by vector; 0 for none
 * @vectors: number of vectors
 * @next_ns: earliest of @late_ns, 0 for none
 * @count: number of faults by kind
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
u32 fault_irq(struct fault *f, u32 vector, u64 now_ns);
bool fault_irq_due(struct fault *f, u64 now_ns, u32 *vector);

#endif /* _PARQSIM_FAULT_H */
