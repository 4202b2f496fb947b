/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's sockets, NAPI and doorbells, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_XSK_CALLS_H
#define _PARQ_TESTS_XSK_CALLS_H

#include <linux/io.h>
#include <linux/netdevice.h>
#include <net/xdp_sock_drv.h>

u32 slide_peek(struct xsk_buff_pool *pool, u32 max);
void slide_completed(u32 num);
void *slide_data(u64 addr);
bool slide_marked(void);
void slide_schedule(void);
void slide_writel(u32 val, void __iomem *addr);
#define xsk_tx_peek_release_desc_batch(pool, max)	slide_peek(pool, max)
#define xsk_tx_completed(pool, num)			((void)(pool), slide_completed(num))
#define xsk_buff_raw_get_data(pool, addr)		((void)(pool), slide_data(addr))
#define xsk_buff_raw_get_dma(pool, addr)		((void)(pool), (dma_addr_t)(addr) + 0x10000)
#define xsk_buff_raw_dma_sync_for_device(pool, dma, size) \
	((void)(pool), (void)(dma), (void)(size))
#define xsk_buff_get_metadata(pool, addr, options)	\
	((void)(pool), (void)(addr), (void)(options), NULL)
#define napi_if_scheduled_mark_missed(napi)		((void)(napi), slide_marked())
#define napi_schedule(napi)				((void)(napi), slide_schedule())
#undef writel
#define writel						slide_writel

#endif /* _PARQ_TESTS_XSK_CALLS_H */
