/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_XDP_H
#define _PARQ_XDP_H

#include <linux/netdevice.h>
#include <net/xdp.h>

#include "parq_ring.h"

/* Frames that are sent with one doorbell. */
#define PARQ_XDP_BULK	16

/* The largest MTU of a program that expects a frame in one buffer: header, two tags. */
#define PARQ_XDP_MTU	(PARQ_RX_BUF - ETH_HLEN - 2 * VLAN_HLEN)

/**
 * struct parq_xdp_frame - a frame, and what programs can ask about it
 * @buff: the frame. First, because the program's context is a pointer to it.
 * @flags: flags of the frame's last completion
 * @hash: its hash
 * @tci: its stripped tag
 *
 * In a chunk of AF_XDP the members after @buff are where the pool has room for a driver's.
 */
struct parq_xdp_frame {
	struct xdp_buff buff;
	u32 flags;
	u32 hash;
	u16 tci;
};

/**
 * struct parq_xdp - a poll with a program, and the frame under way
 * @frame: the frame, unless it is in a chunk of AF_XDP
 * @q: RX queue
 * @prog: program
 * @redirected: frames wait for xdp_do_flush()
 * @own: the buffers of frames in @tx are of the ring's page pool
 * @tx_prio: priority of all frames in @tx
 * @num: frames in @tx
 * @drops: frames that the program has dropped
 * @sends: frames that it has sent back
 * @redirects: frames that it has redirected
 * @aborts: frames dropped because of an error
 * @tx: frames to be sent back
 */
struct parq_xdp {
	struct parq_xdp_frame frame;
	struct parq_rxq *q;
	struct bpf_prog *prog;
	bool redirected;
	bool own;
	u8 tx_prio;
	unsigned int num;
	unsigned int drops;
	unsigned int sends;
	unsigned int redirects;
	unsigned int aborts;
	struct xdp_frame *tx[PARQ_XDP_BULK];
};

/* A poll, in NAPI. page and skb return the skb to be passed to the stack, or NULL. */
void parq_xdp_begin(struct parq_xdp *xdp, struct parq_rxq *q,
		    struct bpf_prog *prog);
struct sk_buff *parq_xdp_page(struct parq_xdp *xdp, struct page *page, u32 len,
			      const struct parq_rx_comp *comp);
struct sk_buff *parq_xdp_skb(struct parq_xdp *xdp, struct sk_buff *skb,
			     const struct parq_rx_comp *comp);
u32 parq_xdp_chunk(struct parq_xdp *xdp, struct xdp_buff *buff, u32 flags,
		   const struct parq_rx_comp *comp);
void parq_xdp_end(struct parq_xdp *xdp);

/* net_device_ops */
int parq_xdp_setup(struct net_device *dev, struct bpf_prog *prog,
		   struct netlink_ext_ack *extack);
int parq_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames,
		  u32 flags);
netdev_features_t parq_xdp_fix_features(struct net_device *dev,
					netdev_features_t features);

bool parq_xdp_mtu_fits(const struct parq_port *port, unsigned int mtu);
void parq_xdp_netdev(struct net_device *dev);

#endif /* _PARQ_XDP_H */
