// SPDX-License-Identifier: GPL-2.0
/* Queues, ports and their settings. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <asm/byteorder.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig_priv.h"

void rig_txq_up(struct rig *r, u32 port, u32 queue)
{
	struct rig_txq *q = &r->port[port].txq[queue];
	u32 n = BIT(RIG_LOG2);

	*q = (struct rig_txq){ .log2 = RIG_LOG2 };
	q->ring = rig_alloc(r, n * sizeof(struct parq_tx_desc), 64);
	q->buf = rig_alloc(r, n * RIG_BUF, 64);
	q->wb = rig_alloc(r, sizeof(struct parq_txq_wb), 8);
	rig_write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_BASE_LO, q->ring);
	rig_write64(r, port, PARQ_TXQ(queue) + PARQ_TXQ_WB_LO, q->wb);
	rig_write(r, port, PARQ_TXQ(queue) + PARQ_TXQ_CTRL,
		  PARQ_TXQ_CTRL_EN | FIELD_PREP(PARQ_TXQ_CTRL_PRIO, queue % 8) |
		  FIELD_PREP(PARQ_TXQ_CTRL_SIZE, RIG_LOG2) |
		  FIELD_PREP(PARQ_TXQ_CTRL_VEC, RIG_TX_VEC + queue));
}

static void rxq_start(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf,
		      u32 ctrl)
{
	struct rig_rxq *q = &r->port[port].rxq[queue];
	u32 n = BIT(log2), i;
	__le64 *fill;

	*q = (struct rig_rxq){ .log2 = log2, .buf = buf };
	q->fill = rig_alloc(r, n * sizeof(*fill), 64);
	q->comp = rig_alloc(r, n * sizeof(struct parq_rx_comp), 64);
	q->bufs = rig_alloc(r, n * buf, 64);
	fill = rig_ptr(r, q->fill, n * sizeof(*fill));
	for (i = 0; i < n; i++)
		fill[i] = cpu_to_le64(q->bufs + i * buf);
	rig_write64(r, port, PARQ_RXQ(queue) + PARQ_RXQ_FILL_LO, q->fill);
	rig_write64(r, port, PARQ_RXQ(queue) + PARQ_RXQ_COMP_LO, q->comp);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_BUF, buf);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_CTRL,
		  PARQ_RXQ_CTRL_EN | ctrl |
		  FIELD_PREP(PARQ_RXQ_CTRL_SIZE, log2) |
		  FIELD_PREP(PARQ_RXQ_CTRL_VEC, RIG_RX_VEC + queue));
}

void rig_rxq_up(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf)
{
	rxq_start(r, port, queue, log2, buf, 0);
	rig_rx_tail(r, port, queue, BIT(log2));
}

void rig_rxq_hold(struct rig *r, u32 port, u32 queue)
{
	u32 ctrl = PARQ_RXQ(queue) + PARQ_RXQ_CTRL;

	rig_say(r, "port %u RX queue %u on hold", port, queue);
	rig_write(r, port, ctrl, rig_read(r, port, ctrl) | PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxq_replace(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf)
{
	rig_say(r, "port %u RX queue %u gets other rings", port, queue);
	rig_write(r, port, PARQ_RXQ(queue) + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_HOLD);
	rxq_start(r, port, queue, log2, buf, PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxq_release(struct rig *r, u32 port, u32 queue)
{
	u32 ctrl = PARQ_RXQ(queue) + PARQ_RXQ_CTRL;

	rig_say(r, "port %u RX queue %u goes on", port, queue);
	rig_write(r, port, ctrl, rig_read(r, port, ctrl) & ~PARQ_RXQ_CTRL_HOLD);
	rig_assert_no_error(r);
}

void rig_rxb(struct rig *r, u32 port, u32 n, u32 size, u32 xoff, u32 xon)
{
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_SIZE, size);
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_XOFF, xoff);
	rig_write(r, port, PARQ_RXB(n) + PARQ_RXB_XON, xon);
}

/* @prio_buf: 4 bits a priority, as in the register */
void rig_rxb_apply(struct rig *r, u32 port, u32 prio_buf)
{
	rig_write(r, port, PARQ_RXB_PRIO, prio_buf);
	rig_write(r, port, PARQ_RXB_APPLY, 1);
	rig_assert_no_error(r);
}

void rig_rx_tail(struct rig *r, u32 port, u32 queue, u32 tail)
{
	r->db[(PARQ_DB_RX(port, queue) + PARQ_DB_TAIL) / 4] = tail;
}

static void park_up(struct rig *r, u32 port, u32 prio)
{
	u32 log2 = RIG_PARK_LOG2;

	while (BIT(log2) < r->cfg.depth)
		log2++;
	rig_write64(r, port, PARQ_PFC(prio) + PARQ_PARK_BASE_LO,
		    rig_alloc(r, sizeof(struct parq_fd) << log2, 64));
	rig_write(r, port, PARQ_PFC(prio) + PARQ_PARK_CTRL,
		  PARQ_PARK_CTRL_EN | FIELD_PREP(PARQ_PARK_CTRL_SIZE, log2));
}

/* Everything enabled, queue q serves priority q % 8, PFC off. */
void rig_port_up(struct rig *r, u32 port, bool offload)
{
	struct rig_port *p = &r->port[port];
	u32 i;

	memset(p->cls, 0, sizeof(p->cls));
	p->status = rig_alloc(r, PARQ_STATUS_PAGE_SIZE, 4096);
	p->stats = rig_alloc(r, sizeof(struct parq_stats), 64);
	rig_write64(r, port, PARQ_STATUS_BASE_LO, p->status);
	rig_write64(r, port, PARQ_STATS_BASE_LO, p->stats);
	for (i = 0; i < RIG_QUEUES; i++)
		rig_txq_up(r, port, i);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		park_up(r, port, i);
	rig_write(r, port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	rig_pfc(r, port, 0, offload);
	rig_assert_no_error(r);
}

void rig_ets(struct rig *r, u32 port, u32 prio_tc, u32 tsa, u64 bw)
{
	rig_say(r, "port %u ETS %#x %#x %#llx", port, prio_tc, tsa,
		(unsigned long long)bw);
	rig_write(r, port, PARQ_ETS_PRIO_TC, prio_tc);
	rig_write(r, port, PARQ_ETS_TSA, tsa);
	rig_write64(r, port, PARQ_ETS_BW_LO, bw);
	rig_write(r, port, PARQ_ETS_APPLY, 1);
	rig_assert_no_error(r);
}

void rig_maxrate(struct rig *r, u32 port, u32 tc, u32 kbit)
{
	rig_say(r, "port %u traffic class %u limit %u kbit/s", port, tc, kbit);
	rig_write(r, port, PARQ_ETS_MAXRATE(tc), kbit);
	rig_write(r, port, PARQ_ETS_APPLY, 1);
	rig_assert_no_error(r);
}

void rig_port_rate(struct rig *r, u32 port, u32 kbit)
{
	rig_say(r, "port %u limit %u kbit/s", port, kbit);
	rig_write(r, port, PARQ_ETS_PORT_RATE, kbit);
	rig_write(r, port, PARQ_ETS_APPLY, 1);
	rig_assert_no_error(r);
}

u64 rig_levels(struct rig *r, u32 port, u32 prio)
{
	const struct parq_status *st = rig_ptr(r, r->port[port].status,
					       sizeof(*st));

	return le64_to_cpu(st->pfc[prio].levels);
}

/* A pause of a priority whose PFC is switched off ends at once. */
void rig_pfc(struct rig *r, u32 port, u8 prios, bool offload)
{
	struct rig_port *p = &r->port[port];
	u32 prio;

	rig_say(r, "port %u PFC %#x by the %s", port, prios, offload ? "NIC" : "host");
	rig_look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_CTRL, FIELD_PREP(PARQ_PFC_CTRL_EN, prios) |
		  (offload ? PARQ_PFC_CTRL_OFFLOAD : 0));
	rig_assert_no_error(r);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (!(prios & BIT(prio))) {
			p->cls[prio].pause_until = 0;
			p->cls[prio].pause_since = 0;
		}
		if (p->offload == offload)
			continue;
		p->cls[prio].state = parq_fsm_resume(rig_levels(r, port, prio));
		p->cls[prio].decided = PARQ_PFC_NOP;
		p->cls[prio].seq = FIELD_GET(PARQ_LEVELS_ACK,
					     rig_levels(r, port, prio));
	}
	p->pfc_en = prios;
	p->offload = offload;
	r->poke = true;
}

static void set_storm(struct rig *r, u32 port, u64 limit, u64 restore, bool forward)
{
	struct rig_port *p = &r->port[port];

	rig_look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_STORM, FIELD_PREP(PARQ_PFC_STORM_LIMIT, limit / RIG_MS) |
		  FIELD_PREP(PARQ_PFC_STORM_RESTORE, restore / RIG_MS) |
		  (forward ? PARQ_PFC_STORM_FORWARD : 0));
	rig_assert_no_error(r);
	p->storm_limit = limit;
	p->storm_restore = restore;
	p->storm_forward = forward;
	rig_look_for_drops(r, port);
}

void rig_storm(struct rig *r, u32 port, u32 ms, bool forward)
{
	rig_say(r, "port %u storms: %u ms, %s", port, ms, forward ? "forward" : "drop");
	set_storm(r, port, ms * RIG_MS, r->port[port].storm_restore, forward);
}

void rig_restore(struct rig *r, u32 port, u32 ms)
{
	const struct rig_port *p = &r->port[port];

	rig_say(r, "port %u storms restore after %u ms", port, ms);
	set_storm(r, port, p->storm_limit, ms * RIG_MS, p->storm_forward);
}

void rig_obey(struct rig *r, u32 port, u8 prios)
{
	u32 prio;

	rig_say(r, "port %u storms of %#x end", port, prios);
	rig_look_for_drops(r, port);
	rig_write(r, port, PARQ_PFC_OBEY, prios);
	rig_assert_no_error(r);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (prios & BIT(prio))
			r->port[port].cls[prio].pause_since = rig_now(r);
	rig_look_for_drops(r, port);
}
