/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's DMA, page pool and processor, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_XDP_CALLS_H
#define _PARQ_TESTS_XDP_CALLS_H

#include <linux/bpf_trace.h>
#include <linux/netdevice.h>
#include <net/xdp.h>

/* First, for inline functions of the next one map memory. */
#include "parq_tx_calls.h"

#include "../compat.h" /* <net/page_pool/helpers.h> */

void relay_sync(dma_addr_t addr, unsigned int len);
dma_addr_t relay_page(const struct page *page);
void relay_return(struct xdp_frame *frame);
void relay_exception(void);
unsigned int relay_cpu(void);
#undef dma_sync_single_for_device
#undef smp_processor_id
#define dma_sync_single_for_device(dev, addr, len, dir)	\
	((void)(dev), (void)(dir), relay_sync(addr, len))
#define page_pool_get_dma_addr(page)		relay_page(page)
#define xdp_return_frame_rx_napi(frame)		relay_return(frame)
#define trace_xdp_exception(dev, prog, act)	\
	((void)(dev), (void)(prog), (void)(act), relay_exception())
#define smp_processor_id()			relay_cpu()

#endif /* _PARQ_TESTS_XDP_CALLS_H */
