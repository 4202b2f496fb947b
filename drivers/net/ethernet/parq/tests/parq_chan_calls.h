/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's memory, doorbells and NAPI, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_CHAN_CALLS_H
#define _PARQ_TESTS_CHAN_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/netdevice.h>

#include "../compat.h"

void *loom_alloc(size_t size, dma_addr_t *dma);
void loom_free(void *mem);
void loom_writel(u32 val, void __iomem *addr);
void loom_napi(struct napi_struct *napi, bool on);
#define dma_alloc_coherent(dev, size, dma, gfp)	((void)(dev), (void)(gfp), loom_alloc(size, dma))
#define dma_free_coherent(dev, size, mem, dma)	\
	((void)(dev), (void)(size), (void)(dma), loom_free(mem))
#undef writel
#define writel					loom_writel
#undef napi_disable_locked
#undef napi_enable_locked
#define napi_disable_locked(napi)		loom_napi(napi, false)
#define napi_enable_locked(napi)		loom_napi(napi, true)

#endif /* _PARQ_TESTS_CHAN_CALLS_H */
