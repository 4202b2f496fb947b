/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's pages, doorbells and stack, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_RX_CALLS_H
#define _PARQ_TESTS_RX_CALLS_H

#include <linux/etherdevice.h>
#include <linux/io.h>

#include "../compat.h" /* <net/page_pool/helpers.h> */

struct page *dock_alloc(void);
void dock_recycle(struct page *page);
void dock_receive(struct sk_buff *skb);
void dock_writel(u32 val, void __iomem *addr);
#define page_pool_dev_alloc_pages(pool)		((void)(pool), dock_alloc())
#define page_pool_get_dma_addr(page)		((void)(page), (dma_addr_t)0x10000)
#define page_pool_recycle_direct(pool, page)	((void)(pool), dock_recycle(page))
#define page_pool_dma_sync_for_cpu(pool, ...)	((void)(pool))
#define napi_build_skb				build_skb
#define skb_mark_for_recycle(skb)		((void)(skb))
#define napi_gro_receive(napi, skb)		((void)(napi), dock_receive(skb))
#undef writel
#define writel					dock_writel

#endif /* _PARQ_TESTS_RX_CALLS_H */
