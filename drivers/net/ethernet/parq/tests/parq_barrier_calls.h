/* SPDX-License-Identifier: GPL-2.0 */
/* A processor that loads early, no page pool, no DMA. See copies in Kbuild. */
#ifndef _PARQ_TESTS_BARRIER_CALLS_H
#define _PARQ_TESTS_BARRIER_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/netdevice.h>
#include <linux/slab.h>

#include "../compat.h"
#include "../parq_xdp.h"

void late_arrive(void);
gro_result_t late_receive(struct sk_buff *skb);
int late_request_irq(irq_handler_t thread);

#undef dma_rmb
#define dma_rmb()				late_arrive()
#define napi_gro_receive(napi, skb)		((void)(napi), late_receive(skb))
#define napi_build_skb				build_skb
#define page_pool_dma_sync_for_cpu(pool, ...)	((void)(pool))
#define page_pool_dev_alloc_pages(pool)		((void)(pool), (struct page *)NULL)
#define skb_mark_for_recycle(skb)		((void)(skb))
#define dma_alloc_coherent(dev, size, dma, gfp)	((void)(dev), *(dma) = 0, kzalloc(size, gfp))
#define dma_free_coherent(dev, size, mem, dma) \
	((void)(dev), (void)(size), (void)(dma), kfree(mem))
#define request_threaded_irq(irq, handler, thread, ...) \
	((void)(irq), (void)(handler), late_request_irq(thread))
#define free_irq(irq, data)			((void)(irq), (void)(data))

/* A program that passes all frames to the stack. */
#define parq_xdp_run(xdp, ...)			((void)(xdp), (u32)XDP_PASS)

#endif /* _PARQ_TESTS_BARRIER_CALLS_H */
