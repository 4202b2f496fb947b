/* SPDX-License-Identifier: GPL-2.0 */
/* RX queues: the host posts buffers, the NIC fills them and writes completions. */
#ifndef _PARQSIM_RXQ_H
#define _PARQSIM_RXQ_H

#include "event.h"

#define RXQ_PREFETCH	8

/* What selects the queue of a frame: an entry of a table of all contexts, or the queue itself. */
#define RXQ_CTX(n)	(PARQ_RSS_INDIR_LEN * (n))	/* first entry of the table of context n */
#define RXQ_SLOTS	RXQ_CTX(1 + PARQ_NUM_RSS_CTX)
#define RXQ_DIRECT	BIT(15)
#define RXQ_QUEUE(n)	(RXQ_DIRECT | (n))
#define RXQ_DROP	0xffff	/* none: a rule drops the frame */

static_assert(RXQ_SLOTS <= RXQ_DIRECT);

/**
 * struct rx_frame - a frame for the host, classified
 * @data: its bytes, without a stripped tag
 * @len: bytes of @data
 * @wire: bytes on the wire, FCS included; of the newest one, if it represents several frames
 * @segs: number of frames on the wire
 * @bytes: their bytes on the wire, without FCS
 * @prio: its 802.1p priority
 * @slot: entry of a table, RXQ_QUEUE() or RXQ_DROP
 * @lossy: never waits, whatever its priority
 * @comp: completion of the last buffer; the queue adds length and GEN
 */
struct rx_frame {
	const u8 *data;
	u16 len;
	u16 wire;
	u16 segs;
	u16 slot;
	u8 prio;
	bool lossy;
	u32 bytes;
	struct parq_rx_comp comp;
};

/* Outcome of a delivery. */
enum rxq_end {
	RXQ_STORED,
	RXQ_NOBUF,	/* too few buffers, or an error has stopped the queue */
	RXQ_HELD,	/* the queue is on hold */
	RXQ_DISABLED,	/* the queue is disabled */
	RXQ_DMA,	/* the host refused an address, which stops the queue */
};

/**
 * struct rxq - one RX queue
 * @fill: ring of buffer addresses
 * @comp: ring of struct parq_rx_comp
 * @tail: last tail doorbell
 * @head: position filled next
 * @cache: buffer addresses read ahead
 * @cache_pos: position of the first cached address
 * @cache_n: number of cached addresses
 * @buf: bytes per buffer
 * @vec: interrupt vector
 * @log2: log2 of the entries of both rings
 * @err: enum parq_err that stopped the queue
 * @en: enabled
 * @hold: stores nothing; survives a change of @en
 */
struct rxq {
	u64 fill;
	u64 comp;
	u32 tail;
	u32 head;
	__le64 cache[RXQ_PREFETCH];
	u32 cache_pos;
	u32 cache_n;
	u32 buf;
	u16 vec;
	u8 log2;
	u8 err;
	bool en;
	bool hold;
};

/**
 * struct rxq_port - the RX queues of a port
 * @indir: tables of all contexts, the port's own first
 * @q: by number
 */
struct rxq_port {
	u8 indir[RXQ_SLOTS];
	struct rxq q[PARQ_MAX_RXQ];
};

/**
 * struct rxqs - the RX queues of all ports
 * @bus: host memory
 * @irq: interrupts
 * @events: event ring
 * @stats: by port
 * @db: doorbells
 * @ports: number of ports
 * @port: by number
 */
struct rxqs {
	const struct bus *bus;
	struct irq *irq;
	struct events *events;
	struct parq_stats *stats;
	u32 *db;
	u8 ports;
	struct rxq_port *port;
};

void rxq_reset(struct rxqs *r);
void rxq_enable(struct rxqs *r, u32 port, u32 queue);
void rxq_disable(struct rxqs *r, u32 port, u32 queue);
u32 rxq_pick(const struct rxqs *r, u32 port, u32 slot);
enum rxq_end rxq_look(struct rxqs *r, u32 port, u32 queue, u32 len);
enum rxq_end rxq_deliver(struct rxqs *r, u32 port, u32 queue,
			 const struct rx_frame *f);
u32 rxq_merge_room(struct rxqs *r, u32 port, u32 queue);
bool rxq_merges(struct rxqs *r, u32 port, u32 queue, u32 len);
bool rxq_rang(const struct rxqs *r, u32 port, u32 queue, u32 seen);

/* The tail doorbell as last read. */
static inline u32 rxq_tail(const struct rxqs *r, u32 port, u32 queue)
{
	return r->port[port].q[queue].tail;
}

#endif /* _PARQSIM_RXQ_H */
