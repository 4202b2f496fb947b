/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_XSK_H
#define _PARQ_XSK_H

#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <net/xdp_sock_drv.h>

#include "parq_ring.h"

/* Descriptors that are taken from sockets at once, and of a frame at most. */
#define PARQ_XSK_BULK		32
#define PARQ_XSK_SEGS		(MAX_SKB_FRAGS + 1)
/* Descriptors of a pool that are not complete, at most. */
#define PARQ_XSK_WINDOW		16384

/**
 * struct parq_xsk - the pool of AF_XDP sockets at a channel
 * @pool: pool
 * @port: port
 * @rxq: the channel's RX queue, for XDP
 * @chan: channel
 * @buf: bytes that the device may store in a chunk
 * @frame: bytes of the largest frame
 * @closing: it gets no new rings
 * @discard: the rest of a frame of too many descriptors is discarded
 * @first: first descriptor in @desc that has not been sent
 * @ready: end of the last complete frame in @desc
 * @num: end of all descriptors in @desc
 * @slot: number of the descriptor @first; the pool's are counted from 0 on, and wrap
 * @desc: descriptors taken from sockets
 * @lock: protects the members below
 * @done: all descriptors before this number are complete
 * @given: @done as the sockets know it
 * @late: number of bits in @bits
 * @waits: the sender waits for @done to advance
 * @bits: descriptors from @done on that are complete
 *
 * Sockets get their chunks back in the order in which they have sent them. Frames of different
 * priorities complete in another order, so @bits has those that are early.
 */
struct parq_xsk {
	struct xsk_buff_pool *pool;
	struct parq_port *port;
	struct xdp_rxq_info rxq;
	unsigned int chan;
	u32 buf;
	u32 frame;
	bool closing;

	/* Written by the NAPI of the RX queue. */
	bool discard;
	u32 first;
	u32 ready;
	u32 num;
	u32 slot;
	struct xdp_desc desc[PARQ_XSK_BULK + PARQ_XSK_SEGS];

	spinlock_t lock ____cacheline_aligned_in_smp;
	u32 done;
	u32 given;
	u32 late;
	bool waits;
	DECLARE_BITMAP(bits, PARQ_XSK_WINDOW);
};

/* ---- parq_xsk_pool.c --------------------------------------------------- */

struct parq_xsk *parq_xsk_of(const struct parq_port *port, unsigned int chan);
bool parq_xsk_bound(const struct parq_port *port);
void parq_xsk_empty(struct parq_rx_ring *ring);
void parq_xsk_kick(struct parq_port *port, unsigned int chan);

/* For the cleaner: all calls of done are between begin and end. */
void parq_xsk_done_begin(struct parq_xsk *x);
void parq_xsk_done(struct parq_xsk *x, u32 slot, u32 num);
void parq_xsk_done_frame(struct parq_xsk *x, struct parq_txq *q,
			 const struct parq_tx_ring *ring, u32 pos);
void parq_xsk_done_end(struct parq_xsk *x);

/* ---- parq_xsk.c -------------------------------------------------------- */

int parq_xsk_setup(struct net_device *dev, struct xsk_buff_pool *pool,
		   unsigned int chan);
bool parq_xsk_mtu_fits(const struct parq_port *port, unsigned int mtu,
		       char *reason);

/* ---- parq_xsk_tx.c ----------------------------------------------------- */

bool parq_xsk_send(struct parq_xsk *x);
int parq_xsk_wakeup(struct net_device *dev, u32 chan, u32 flags);
void parq_xsk_netdev(struct net_device *dev);

/* ---- parq_xsk_rx.c ----------------------------------------------------- */

int parq_xsk_poll(struct parq_rxq *q, struct napi_struct *napi, int budget);
void parq_xsk_fill(struct parq_rxq *q, struct parq_rx_ring *ring);

#endif /* _PARQ_XSK_H */
