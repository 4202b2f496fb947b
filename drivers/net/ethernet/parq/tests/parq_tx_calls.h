/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's DMA, doorbells and bursts, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_TX_CALLS_H
#define _PARQ_TESTS_TX_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/netdevice.h>

dma_addr_t chute_map(unsigned int len);
bool chute_mapping_error(dma_addr_t addr);
void chute_unmap(dma_addr_t addr, unsigned int len);
bool chute_more(void);
void chute_writel(u32 val, void __iomem *addr);
#define dma_map_phys(dev, phys, len, dir, attrs) \
	((void)(dev), (void)(phys), (void)(dir), (void)(attrs), chute_map(len))
#undef dma_map_single
#define dma_map_single(dev, data, len, dir)	\
	((void)(dev), (void)(data), (void)(dir), chute_map(len))
#undef skb_frag_dma_map
#define skb_frag_dma_map(dev, frag, at, len, dir) \
	((void)(dev), (void)(frag), (void)(at), (void)(dir), chute_map(len))
#define dma_mapping_error(dev, addr)		((void)(dev), chute_mapping_error(addr))
#undef dma_unmap_page
#define dma_unmap_page(dev, addr, len, dir)	\
	((void)(dev), (void)(dir), chute_unmap(addr, len))
#define netdev_xmit_more()			chute_more()
#undef writel
#define writel					chute_writel

#endif /* _PARQ_TESTS_TX_CALLS_H */
