/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ways to stop a paused class, each of them linked into a NIC of its own: PARQ's with the
 * core's qmi.c and nti.c, the others with plain_qmi.c, plain_nti.c and a gate in their place.
 */
#ifndef _BENCH_PFC_POLICY_H
#define _BENCH_PFC_POLICY_H

#include "sim.h"

/**
 * struct policy_need - memory on the chip that a way needs besides the pipeline
 * @bytes: most that it had in use at once
 * @class_bytes: most of a single class
 * @class_fds: most FDs of a single class
 */
struct policy_need {
	u64 bytes;
	u64 class_bytes;
	u64 class_fds;
};

extern const char * const policy_name;

/* @read_ps: from the decision to send what is parked to the first FD that can be sent. */
void policy_init(struct parqsim *sim, u64 read_ps);
/* An FD was written to a park queue: @bytes on PCI Express. */
void policy_parked(struct parqsim *sim, u32 bytes);
struct policy_need policy_need(void);

/* PARQ's: the linker's --wrap has the QMAN call the second in place of the first. */
bool __real_qmi_flush_ready(const struct qmi *q, u32 port, u32 prio);
bool __wrap_qmi_flush_ready(const struct qmi *q, u32 port, u32 prio);

#endif /* _BENCH_PFC_POLICY_H */
