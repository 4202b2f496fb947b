/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of the kernel that the fake device of the PFC suites answers. See copies in Kbuild. */
#ifndef _PARQ_TESTS_PFC_CALLS_H
#define _PARQ_TESTS_PFC_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/netdevice.h>

void *fake_alloc(struct device *dev, size_t size, dma_addr_t *dma, gfp_t gfp);
void fake_free(struct device *dev, size_t size, void *mem, dma_addr_t dma);
#define dma_alloc_coherent	fake_alloc
#define dma_free_coherent	fake_free

/* The driver's tracepoints are in another module. */
#define _PARQ_TRACE_H
void trace_parq_fsm(const struct net_device *netdev, u64 time, u8 prio, u32 old_state,
		    u32 new_state, u64 levels, bool offload);
void trace_parq_stall(const struct net_device *netdev, u8 prio, u64 levels);

#endif /* _PARQ_TESTS_PFC_CALLS_H */
