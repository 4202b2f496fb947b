/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_XDP_H
#define _PARQ_XDP_H

#include <linux/filter.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <net/xdp.h>

#include "parq.h"
#include "parq_ring.h"

/* Frames that are sent with one doorbell. */
#define PARQ_XDP_BULK	16

/* The largest MTU of a program that expects a frame in one buffer: header, two tags. */
#define PARQ_XDP_MTU	(PARQ_RX_BUF - ETH_HLEN - 2 * VLAN_HLEN)

/**
 * struct parq_xdp_frame - a frame, and what programs can ask about it
 * @buff: the frame. First, because the program's context is a pointer to it.
 * @comp: its last completion
 *
 * In a chunk of AF_XDP the members after @buff are where the pool has room for a driver's.
 */
struct parq_xdp_frame {
	struct xdp_buff buff;
	const struct parq_rx_comp *comp;
};

/**
 * struct parq_xdp - a poll with a program, and the frame under way
 * @frame: the frame, unless it is in a chunk of AF_XDP
 * @q: RX queue
 * @prog: program
 * @own: the buffers of frames in @tx are of the ring's page pool
 * @sync: DMA buffers need syncing
 * @tx_prio: priority of all frames in @tx; no priority before the first of them
 * @num: frames in @tx
 * @drops: frames that the program has dropped
 * @sends: frames that it has sent back
 * @redirects: frames that it has redirected
 * @aborts: frames dropped because of an error
 * @tx: frames to be sent back
 * @dma: addresses of their first buffers, if @own
 */
struct parq_xdp {
	struct parq_xdp_frame frame;
	struct parq_rxq *q;
	struct bpf_prog *prog;
	bool own;
	bool sync;
	u8 tx_prio;
	unsigned int num;
	unsigned int drops;
	unsigned int sends;
	unsigned int redirects;
	unsigned int aborts;
	struct xdp_frame *tx[PARQ_XDP_BULK];
	dma_addr_t dma[PARQ_XDP_BULK];
};

/* ---- parq_xdp_rx.c ------------------------------------------------------ */

/* A poll, in NAPI. */
void parq_xdp_begin(struct parq_xdp *xdp, struct parq_rxq *q,
		    struct bpf_prog *prog);
u32 parq_xdp_tx(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags, dma_addr_t dma);
u32 parq_xdp_abort(struct parq_xdp *xdp, u32 act);
u32 parq_xdp_act(struct parq_xdp *xdp, struct xdp_buff *buff, u32 act);
void parq_xdp_end(struct parq_xdp *xdp);

/* Redirects a frame. Return: as parq_xdp_run(). */
static __always_inline u32 parq_xdp_redirect(struct parq_xdp *xdp, struct xdp_buff *buff)
{
	if (unlikely(xdp_do_redirect(xdp->q->netdev, buff, xdp->prog)))
		return parq_xdp_abort(xdp, XDP_REDIRECT);
	xdp->redirects++;
	return XDP_TX;
}

/* Carries out the verdict @act. @page and return: as parq_xdp_run(). */
static __always_inline u32 parq_xdp_verdict(struct parq_xdp *xdp, struct xdp_buff *buff,
					    u32 flags, struct page *page, u32 act)
{
	if (act == XDP_PASS)
		return act;
	if (act == XDP_DROP) {
		xdp->drops++;
		return act;
	}
	if (act == XDP_TX)
		return parq_xdp_tx(xdp, buff, flags, page ? page_pool_get_dma_addr(page) : 0);
	return parq_xdp_act(xdp, buff, act);
}

/*
 * Runs the program on a frame.
 * @page: of the frame's first buffer; NULL if that is not from the ring's page pool.
 * Return: XDP_PASS; XDP_DROP: the caller frees the frame; XDP_TX: it has been consumed.
 */
static __always_inline u32 parq_xdp_run(struct parq_xdp *xdp, struct xdp_buff *buff,
					u32 flags, struct page *page)
{
	return parq_xdp_verdict(xdp, buff, flags, page, bpf_prog_run_xdp(xdp->prog, buff));
}

int parq_rx_poll_xdp(struct parq_rxq *q, struct napi_struct *napi, int budget,
		     struct bpf_prog *prog);

/* ---- parq_xdp_tx.c ------------------------------------------------------ */

void parq_xdp_flush(struct parq_xdp *xdp);
int parq_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames,
		  u32 flags);

/* Priority of a frame that XDP sends; @dflt if it says nothing about it. */
static __always_inline unsigned int parq_xdp_prio(const struct parq_port *port, const void *data,
						  unsigned int len, unsigned int dflt)
{
	const struct vlan_ethhdr *eth = data;

	if (unlikely(READ_ONCE(port->trusting)))
		return parq_prio_data(port, data, len, dflt);
	if (eth->h_vlan_proto == htons(ETH_P_8021Q) && len >= VLAN_ETH_HLEN)
		return ntohs(eth->h_vlan_TCI) >> VLAN_PRIO_SHIFT;
	return dflt;
}

/* ---- parq_xdp.c --------------------------------------------------------- */

/* net_device_ops */
int parq_xdp_setup(struct net_device *dev, struct bpf_prog *prog,
		   struct netlink_ext_ack *extack);
netdev_features_t parq_xdp_fix_features(struct net_device *dev,
					netdev_features_t features);

bool parq_xdp_mtu_fits(const struct parq_port *port, unsigned int mtu);
void parq_xdp_netdev(struct net_device *dev);

#endif /* _PARQ_XDP_H */
