/* SPDX-License-Identifier: GPL-2.0 */
/* Access to host memory and interrupts, shared by all stages. */
#ifndef _PARQSIM_BUS_H
#define _PARQSIM_BUS_H

#include <asm/byteorder.h>

#include "parqsim.h"

struct bus {
	const struct parqsim_host *host;
	void *ctx;
};

static inline bool bus_read(const struct bus *b, u64 addr, void *buf, u32 len)
{
	return b->host->dma_read(b->ctx, addr, buf, len);
}

static inline bool bus_write(const struct bus *b, u64 addr, const void *buf,
			     u32 len)
{
	return b->host->dma_write(b->ctx, addr, buf, len);
}

static inline bool bus_write64(const struct bus *b, u64 addr, u64 val)
{
	return b->host->dma_write64(b->ctx, addr, val);
}

/* Counters are stored little endian, as the host reads them. */
static inline void stat_add(__le64 *stat, u64 n)
{
	*stat = cpu_to_le64(le64_to_cpu(*stat) + n);
}

#endif /* _PARQSIM_BUS_H */
