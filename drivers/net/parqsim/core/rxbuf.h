/* SPDX-License-Identifier: GPL-2.0 */
/* Receive side: which RX queue a frame goes to, and its way into host buffers. */
#ifndef _PARQSIM_RXBUF_H
#define _PARQSIM_RXBUF_H

#include "event.h"

#define RXQ_PREFETCH	8

/**
 * struct rxq - one RX queue
 * @fill: ring of buffer addresses
 * @comp: ring of struct parq_rx_comp
 * @tail: last doorbell
 * @head: position filled next
 * @cache: buffer addresses read ahead
 * @cache_pos: position of the first of them
 * @cache_n: how many
 * @buf: bytes a buffer
 * @vec: interrupt vector
 * @log2: of the entries of both rings
 * @err: enum parq_err; the queue stands
 * @en: enabled
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
};

struct rxbuf_port {
	struct rxq rxq[PARQ_MAX_RXQ];
	u32 rss_ctrl;
	u8 rss_key[PARQ_RSS_KEY_LEN];
	u8 indir[PARQ_RSS_INDIR_LEN];
	u8 frame[PARQSIM_FRAME_MAX];
};

struct rxbuf {
	const struct bus *bus;
	struct clock *clock;
	struct irq *irq;
	struct events *events;
	struct parq_stats *stats;
	u32 *db;
	struct rxbuf_port port[PARQ_MAX_PORTS];
};

void rxbuf_reset(struct rxbuf *r);
void rxbuf_enable(struct rxbuf *r, u32 port, u32 queue);
void rxbuf_disable(struct rxbuf *r, u32 port, u32 queue);
void rxbuf_receive(struct rxbuf *r, u32 port, u32 ctrl, const u8 *data, u32 len,
		   bool fcs_ok);

#endif /* _PARQSIM_RXBUF_H */
