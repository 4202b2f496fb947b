/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's chunks, program and skbs, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_XSK_RX_CALLS_H
#define _PARQ_TESTS_XSK_RX_CALLS_H

#include <linux/filter.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/xdp_sock_drv.h>

u32 snare_supply(struct xdp_buff **buff, u32 max);
dma_addr_t snare_dma(const struct xdp_buff *buff);
void snare_free(struct xdp_buff *buff);
void snare_sync(struct xdp_buff *buff);
bool snare_wakes(void);
void snare_wakeup(bool needed);
u32 snare_run(struct xdp_buff *buff);
int snare_redirect(void);
struct sk_buff *snare_skb(unsigned int len);
void snare_kick_service(unsigned long after);
#undef napi_alloc_skb
#define xsk_buff_alloc_batch(pool, buff, max)	((void)(pool), snare_supply(buff, max))
#define xsk_buff_xdp_get_dma(buff)		snare_dma(buff)
#define xsk_buff_free(buff)			snare_free(buff)
#define xsk_buff_dma_sync_for_cpu(buff, ...)	snare_sync(buff)
#define xsk_uses_need_wakeup(pool)		((void)(pool), snare_wakes())
#define xsk_set_rx_need_wakeup(pool)		((void)(pool), snare_wakeup(true))
#define xsk_clear_rx_need_wakeup(pool)		((void)(pool), snare_wakeup(false))
#define bpf_prog_run_xdp(prog, buff)		((void)(prog), snare_run(buff))
#define xdp_do_redirect(dev, buff, prog)	\
	((void)(dev), (void)(buff), (void)(prog), snare_redirect())
#define napi_alloc_skb(napi, len)		((void)(napi), snare_skb(len))
#define mod_delayed_work(wq, work, after)	\
	((void)(wq), (void)(work), snare_kick_service(after))

#endif /* _PARQ_TESTS_XSK_RX_CALLS_H */
