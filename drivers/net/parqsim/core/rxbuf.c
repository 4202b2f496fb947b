// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <string.h>

#include "offload.h"
#include "rxbuf.h"

static u32 db_index(u32 port, u32 queue, u32 reg)
{
	return (PARQ_DB_RX(port, queue) + reg) / sizeof(u32);
}

static u32 db_read(const struct rxbuf *r, u32 port, u32 queue, u32 reg)
{
	return __atomic_load_n(&r->db[db_index(port, queue, reg)],
			       __ATOMIC_ACQUIRE);
}

static void queue_fails(struct rxbuf *r, u32 port, u32 queue, enum parq_err err)
{
	struct parq_event e = {
		.type = PARQ_EV_QUEUE,
		.port = port,
		.index = PARQ_MAX_TXQ + queue,
		.a = cpu_to_le32(err),
	};

	r->port[port].rxq[queue].err = err;
	if (!event_log(r->events, &e))
		stat_add(&r->stats[port].event_lost, 1);
}

/* Doorbells of RX queues matter only when a frame is there. */
static bool poll_tail(struct rxbuf *r, u32 port, u32 queue)
{
	struct rxq *q = &r->port[port].rxq[queue];
	u32 tail = db_read(r, port, queue, PARQ_DB_TAIL);

	if (tail - q->head > BIT(q->log2) ||
	    tail - q->head < q->tail - q->head) {
		queue_fails(r, port, queue, PARQ_ERR_DOORBELL);
		return false;
	}
	q->tail = tail;
	return true;
}

static bool buffer_at(struct rxbuf *r, struct rxq *q, u32 pos, u64 *addr)
{
	u32 size = BIT(q->log2), at = pos & (size - 1), n = q->tail - pos;

	if (pos - q->cache_pos >= q->cache_n) {
		if (n > RXQ_PREFETCH)
			n = RXQ_PREFETCH;
		if (n > size - at)
			n = size - at;
		q->cache_n = 0;
		if (!bus_read(r->bus, q->fill + at * sizeof(*q->cache),
			      q->cache, n * sizeof(*q->cache)))
			return false;
		q->cache_pos = pos;
		q->cache_n = n;
	}
	*addr = le64_to_cpu(q->cache[pos - q->cache_pos]);
	return true;
}

/* @comp: GEN is added here, as it depends on the position. */
static bool complete(struct rxbuf *r, const struct rxq *q, u32 pos,
		     const struct parq_rx_comp *comp)
{
	u64 addr = q->comp + sizeof(*comp) * (pos & (BIT(q->log2) - 1));
	u32 flags = le32_to_cpu(comp->flags);

	if (!((pos >> q->log2) & 1))
		flags |= PARQ_RX_GEN;
	return bus_write(r->bus, addr, comp, 8) &&
	       bus_write64(r->bus, addr + 8,
			   flags | (u64)le32_to_cpu(comp->time) << 32);
}

static bool store(struct rxbuf *r, struct rxq *q, const u8 *data, u32 len,
		  const struct parq_rx_comp *last)
{
	struct parq_rx_comp comp = { .time = last->time };
	u32 pos = q->head, part;
	u64 addr;

	for (; len; pos++, data += part, len -= part) {
		part = len < q->buf ? len : q->buf;
		if (part == len)
			comp = *last;
		comp.len = cpu_to_le16(part);
		if (!buffer_at(r, q, pos, &addr) ||
		    !bus_write(r->bus, addr, data, part) ||
		    !complete(r, q, pos, &comp))
			return false;
	}
	q->head = pos;
	return true;
}

static u32 pick_queue(const struct rxbuf_port *p, const struct offload_rx *rx)
{
	if (!(p->rss_ctrl & PARQ_RSS_CTRL_EN) || !rx->hash_type)
		return 0;
	return p->indir[rx->hash % PARQ_RSS_INDIR_LEN];
}

static void count(struct rxbuf *r, u32 port, u32 queue, u32 prio, u32 len)
{
	struct parq_stats *s = &r->stats[port];

	stat_add(&s->prio[prio].rx_frames, 1);
	stat_add(&s->prio[prio].rx_bytes, len);
	stat_add(&s->rxq[queue].frames, 1);
	stat_add(&s->rxq[queue].bytes, len);
}

static void deliver(struct rxbuf *r, u32 port, u32 queue, const u8 *data, u32 len,
		    u32 prio, const struct parq_rx_comp *comp)
{
	struct parq_stats *s = &r->stats[port];
	struct rxq *q = &r->port[port].rxq[queue];
	u32 old = q->head, arm;

	if (!q->en || q->err || !poll_tail(r, port, queue)) {
		stat_add(&s->rx_drop_disabled, 1);
		return;
	}
	if ((len + q->buf - 1) / q->buf > q->tail - q->head) {
		stat_add(&s->rx_drop_nobuf, 1);
		stat_add(&s->prio[prio].rx_drop, 1);
		stat_add(&s->rxq[queue].drop, 1);
		return;
	}
	if (!store(r, q, data, len, comp)) {
		stat_add(&s->rx_drop_dma, 1);
		queue_fails(r, port, queue, PARQ_ERR_DMA);
		return;
	}
	count(r, port, queue, prio, len);
	/* Pairs with the host's between arming and its last look at the ring. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	arm = db_read(r, port, queue, PARQ_DB_ARM);
	if (arm - old < q->head - old)
		irq_raise(r->irq, q->vec);
}

/**
 * rxbuf_receive() - a frame for the host
 * @r: the receive side
 * @port: where it came in
 * @ctrl: PARQ_PORT_CTRL
 * @data: the frame
 * @len: its bytes without FCS, at most PARQSIM_FRAME_MAX
 * @fcs_ok: its FCS was right; else nothing in it is trusted
 */
void rxbuf_receive(struct rxbuf *r, u32 port, u32 ctrl, const u8 *data, u32 len,
		   bool fcs_ok)
{
	struct rxbuf_port *p = &r->port[port];
	u32 flags = PARQ_RX_EOP;
	struct parq_rx_comp comp;
	struct offload_rx rx = { .tagged = false };

	if (!(ctrl & PARQ_PORT_CTRL_EN)) {
		stat_add(&r->stats[port].rx_drop_disabled, 1);
		return;
	}
	if (fcs_ok)
		offload_parse(data, len, p->rss_ctrl, p->rss_key, &rx);
	else
		flags |= PARQ_RX_FCS_ERR;
	if (ctrl & PARQ_PORT_CTRL_RX_CSUM)
		flags |= rx.csum;
	if (rx.tagged && (ctrl & PARQ_PORT_CTRL_VLAN_STRIP)) {
		memcpy(p->frame, data, len);
		len = offload_vlan_strip(p->frame, len);
		data = p->frame;
		flags |= PARQ_RX_VLAN;
	}
	flags |= rx.hash_type | FIELD_PREP(PARQ_RX_PRIO, rx.prio);
	comp = (struct parq_rx_comp){
		.hash = cpu_to_le32(rx.hash),
		.tci = cpu_to_le16(rx.tci),
		.flags = cpu_to_le32(flags),
		.time = cpu_to_le32(r->clock->now / PARQSIM_PS_PER_NS),
	};
	deliver(r, port, pick_queue(p, &rx), data, len, rx.prio, &comp);
}

/* Rings, buffer size and vector are set. */
void rxbuf_enable(struct rxbuf *r, u32 port, u32 queue)
{
	struct rxq *q = &r->port[port].rxq[queue];

	q->tail = 0;
	q->head = 0;
	q->cache_n = 0;
	q->err = PARQ_ERR_NONE;
	q->en = true;
	__atomic_store_n(&r->db[db_index(port, queue, PARQ_DB_TAIL)], 0,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&r->db[db_index(port, queue, PARQ_DB_ARM)], 0,
			 __ATOMIC_RELAXED);
}

void rxbuf_disable(struct rxbuf *r, u32 port, u32 queue)
{
	r->port[port].rxq[queue].en = false;
}

void rxbuf_reset(struct rxbuf *r)
{
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++)
		memset(&r->port[port], 0, sizeof(r->port[port]));
}
