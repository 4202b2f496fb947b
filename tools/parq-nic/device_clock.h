/* SPDX-License-Identifier: GPL-2.0 */
/* The device clock in real time: CLOCK_MONOTONIC since the process started. */
#ifndef _PARQ_NIC_DEVICE_CLOCK_H
#define _PARQ_NIC_DEVICE_CLOCK_H

#include <linux/types.h>
#include <time.h>

#define NS_PER_S	1000000000ULL
#define PS_PER_NS	1000ULL
#define PS_PER_US	(1000 * PS_PER_NS)
#define PS_PER_MS	(1000 * PS_PER_US)

static inline u64 clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (u64)ts.tv_sec * NS_PER_S + (u64)ts.tv_nsec;
}

/* Of the device, ps, if it was 0 at CLOCK_MONOTONIC's @epoch_ns. */
static inline u64 device_clock_ps(u64 epoch_ns)
{
	return (clock_ns(CLOCK_MONOTONIC) - epoch_ns) * PS_PER_NS;
}

#endif /* _PARQ_NIC_DEVICE_CLOCK_H */
