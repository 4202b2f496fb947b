// SPDX-License-Identifier: GPL-2.0
/*
 * Callbacks from stage to stage. A stage calls its neighbour downstream by name. Credits, recycled
 * FDs, received pauses and frames travel upstream through these callbacks.
 */
#include <linux/bitfield.h>
#include <linux/compiler.h>

#include "batch.h"

static void log_event(struct parqsim *sim, const struct parq_event *e)
{
	if (!event_log(&sim->events, e))
		stat_add(&sim->stats[e->port].event_lost, 1);
}

static void up_halt(void *ctx, u32 port, u32 prio, bool on)
{
	struct parqsim *sim = ctx;

	qman_halt(&sim->qman, port, prio, on);
}

static void up_kick(void *ctx, u32 port)
{
	struct parqsim *sim = ctx;

	qman_kick(&sim->qman, port);
}

static void up_admitted(void *ctx, const struct fd *fd)
{
	struct parqsim *sim = ctx;

	qman_credit_taken(&sim->qman, fd);
}

static int up_epoch(void *ctx, u32 port, u32 queue)
{
	struct parqsim *sim = ctx;
	const struct txq *q = &sim->qman.port[port].txq[queue];

	return q->en ? q->epoch : -1;
}

static void count_drop(struct parqsim *sim, const struct fd *fd, int reason)
{
	struct parq_stats *s = &sim->stats[fd->port];

	stat_add(&s->prio[fd->prio].tx_drop, 1);
	if (fd->queue < PARQ_MAX_TXQ)
		stat_add(&s->txq[fd->queue].drop, 1);
	switch (reason) {
	case NTI_DROP_DESC:
		stat_add(&s->tx_drop_desc, 1);
		break;
	case NTI_DROP_DMA:
	case NTI_DROP_RING:
		stat_add(&s->tx_drop_dma, 1);
		break;
	case NTI_DROP_PARK:
		stat_add(&s->tx_drop_park, 1);
		break;
	case NTI_DROP_STORM:
		stat_add(&s->tx_drop_storm, 1);
		break;
	default:
		stat_add(&s->tx_drop_purge, 1);
		break;
	}
}

/*
 * A parked FD that is dropped does not complete: earlier FDs of its queue may still be
 * parked. If the host refused access to the park queue, the TX queue stops.
 */
static void up_gone(void *ctx, const struct fd *fd, int reason)
{
	struct parqsim *sim = ctx;

	count_drop(sim, fd, reason);
	if (fd->queue == FD_TRANSIT) {
		fwd_done(&sim->fwd, fd, reason);
		return;
	}
	qman_gone(&sim->qman, fd, reason == NTI_DROP_DMA);
}

static void up_recycle(void *ctx, const struct fd *fd)
{
	struct parqsim *sim = ctx;

	qmi_recycle(&sim->qmi, fd);
}

static void up_repaused(void *ctx, u32 port, u32 prio)
{
	struct parqsim *sim = ctx;

	qmi_repaused(&sim->qmi, port, prio);
}

static void up_reinjected(void *ctx, const struct fd *fd)
{
	struct parqsim *sim = ctx;

	qmi_reinjected(&sim->qmi, fd);
}

static void up_credit(void *ctx, const struct fd *fd, bool sent)
{
	struct parqsim *sim = ctx;

	qman_left_pipe(&sim->qman, fd, sent);
}

static u64 up_wire_free(void *ctx, u32 port)
{
	const struct parqsim *sim = ctx;

	return mac_tx_free(&sim->mac, port);
}

static u64 up_wire_ps(void *ctx, u32 port, u64 bytes)
{
	const struct parqsim *sim = ctx;

	return mac_tx_ps(&sim->mac, port, bytes);
}

static bool up_sends(void *ctx, u32 port, u32 prio)
{
	const struct parqsim *sim = ctx;

	return qmi_sends(&sim->qmi, port, prio);
}

static void up_done(void *ctx, const struct fd *fd, enum nti_end end)
{
	struct parqsim *sim = ctx;

	if (end == NTI_SENT)
		batch_count_sent(sim, fd, 1);
	else
		count_drop(sim, fd, end);
	if (fd->queue == FD_TRANSIT) {
		fwd_done(&sim->fwd, fd, end);
		return;
	}
	if (end == NTI_DROP_RING)
		qman_ring_refused(&sim->qman, fd);
	qman_complete(&sim->qman, fd, end == NTI_SENT);
}

static const struct txq *up_txq(void *ctx, u32 port, u32 queue)
{
	const struct parqsim *sim = ctx;

	return &sim->qman.port[port].txq[queue];
}

static void up_tx_done(void *ctx, u32 port)
{
	struct parqsim *sim = ctx;

	nti_tx_done(&sim->nti, port);
}

static void up_tx_ready(void *ctx, u32 port)
{
	struct parqsim *sim = ctx;

	nti_pump(&sim->nti, port);
	if (mac_train(&sim->mac, port))
		batch_send(sim, port);
}

static void up_pause(void *ctx, u32 port, u32 prio, bool on, u32 quanta)
{
	struct parqsim *sim = ctx;

	storm_pause(&sim->storm, port, prio, on, quanta);
}

static void up_obey(void *ctx, u32 port, u32 prio, enum qmi_pause what,
		    u32 quanta)
{
	struct parqsim *sim = ctx;

	qmi_pause(&sim->qmi, port, prio, what, quanta);
}

static void up_receive(void *ctx, u32 port, const u8 *data, u32 len, bool fcs_ok)
{
	struct parqsim *sim = ctx;

	steer_receive(&sim->steer, port, sim->mac.port[port].ctrl, data, len,
		      fcs_ok);
}

/* MAC receive of a device that can forward. */
static void up_forward(void *ctx, u32 port, const u8 *data, u32 len, bool fcs_ok)
{
	struct parqsim *sim = ctx;

	if (fcs_ok && fwd_joined(&sim->fwd, port) &&
	    (sim->mac.port[port].ctrl & PARQ_PORT_CTRL_EN))
		fwd_receive(&sim->fwd, port, data, len);
	else
		up_receive(ctx, port, data, len, fcs_ok);
}

static void up_load(void *ctx, const struct fd *fd, u8 *buf)
{
	const struct parqsim *sim = ctx;

	fwd_load(&sim->fwd, fd, buf);
}

/* What a storm would drop must not be stored first: it would pause the senders. */
static noinline enum parq_sw_stat keep_out(struct parqsim *sim, u32 port, u32 prio)
{
	const struct fd fd = { .port = port, .prio = prio, .queue = FD_TRANSIT };

	count_drop(sim, &fd, NTI_DROP_STORM);
	return PARQ_SW_TX_DROP_STORM;
}

static enum parq_sw_stat up_fate(void *ctx, u32 port, u32 prio, const u8 *data, u32 len)
{
	struct parqsim *sim = ctx;

	if (!mac_is_up(&sim->mac, port))
		return PARQ_SW_TX_DROP_LINK;
	if (!mac_fits(&sim->mac, port, data, len))
		return PARQ_SW_TX_DROP_LONG;
	return gate_drops(&sim->nti.port[port].gate[prio]) ? keep_out(sim, port, prio) :
							     PARQ_SW_TX_FRAMES;
}

static void up_accept(void *ctx, u32 port, bool on)
{
	struct parqsim *sim = ctx;

	sim->mac.port[port].accept = on;
}

static void up_purge(void *ctx, u32 port, u32 domain)
{
	struct parqsim *sim = ctx;
	u32 prio;

	bmi_purge(bmi_of(sim->bmi, port), port, FD_TRANSIT, domain);
	nti_purge(&sim->nti, port, FD_TRANSIT, domain);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		qmi_transit_purge(&sim->qmi, port, prio, domain);
}

static void up_to_host(void *ctx, u32 port, const u8 *data, u32 len, bool forwarded)
{
	struct parqsim *sim = ctx;
	u32 ctrl = sim->mac.port[port].ctrl;

	if (forwarded)
		steer_forwarded(&sim->steer, port, ctrl, data, len);
	else
		steer_receive(&sim->steer, port, ctrl, data, len, true);
}

/* The MAC has accepted what its filters would not. */
static void up_alone(void *ctx, u32 port, const u8 *data, u32 len)
{
	struct parqsim *sim = ctx;

	if (mac_wants(&sim->mac, port, data))
		up_receive(ctx, port, data, len, true);
	else
		stat_add(&sim->stats[port].rx_filtered, 1);
}

static void up_fdb(void *ctx, const struct fdb_entry *entry, enum parq_fdb_change what)
{
	struct parqsim *sim = ctx;
	u32 fid = fdb_fid(entry);
	struct parq_event e = {
		.type = PARQ_EV_FDB,
		.port = entry->port,
		.prio = what,
		.index = vlan_domain(&sim->vlans, fid),
		.a = cpu_to_le32(fdb_addr(entry)),
		.b = cpu_to_le32(fdb_addr(entry) >> 32 |
				 FIELD_PREP(PARQ_SW_FDB_EVENT_VID, vlan_vid(&sim->vlans, fid))),
	};

	log_event(sim, &e);
}

static void up_link(void *ctx, u32 port, u32 status)
{
	struct parq_event e = {
		.type = PARQ_EV_LINK,
		.port = port,
		.a = cpu_to_le32(status),
	};
	struct parqsim *sim = ctx;

	log_event(sim, &e);
	gro_end(&sim->gro, port);
	fc_port_reset(&sim->fc, port);
	/* The next partner starts without a storm. */
	storm_obey(&sim->storm, port, 0xff);
	if (sim->cfg.forward && !(status & PARQ_PORT_STATUS_LINK))
		fwd_port_down(&sim->fwd, port);
	qman_kick(&sim->qman, port);
}

static void up_low(void *ctx, u32 port, u8 prios)
{
	struct parqsim *sim = ctx;

	qman_pause_low(&sim->qman, port, prios);
}

static bool up_control(void *ctx, u32 port, u8 *frame)
{
	struct parqsim *sim = ctx;

	return fc_control(&sim->fc, port, frame);
}

static void up_level(void *ctx, u32 port, u16 above)
{
	struct parqsim *sim = ctx;

	fc_level(&sim->fc, port, above);
}

static u16 up_steer(void *ctx, u32 port, const u8 *data, u32 len, const struct parq_rx_comp *comp)
{
	struct parqsim *sim = ctx;

	return steer_slot(&sim->steer, port, data, len, comp);
}

static void up_lossless(void *ctx, u32 port, u8 lossless, u8 closed)
{
	struct parqsim *sim = ctx;

	rxbuf_lossless(&sim->rxbuf, port, lossless, closed);
}

static bool up_stalled(void *ctx, u32 port, u32 cls)
{
	const struct parqsim *sim = ctx;

	return cls == PARQ_NUM_PRIO ? rxbuf_any_waits(&sim->rxbuf, port) :
				      rxbuf_waits(&sim->rxbuf, port, cls);
}

static void up_judge(void *ctx, u32 port)
{
	struct parqsim *sim = ctx;

	rxbuf_judge(&sim->rxbuf, port);
}

static void up_changed(void *ctx, u32 port, u32 cls, enum fc_change what)
{
	struct parqsim *sim = ctx;
	bool link = cls == PARQ_NUM_PRIO;
	u32 used = link ? sim->rxbuf.port[port].used :
			  rxbuf_used(&sim->rxbuf, port, cls);
	struct parq_event e = {
		.type = PARQ_EV_XOFF,
		.port = port,
		.prio = link ? 0 : cls,
		.index = link,
		.a = cpu_to_le32(what),
		.b = cpu_to_le32(used),
	};

	log_event(sim, &e);
}

/**
 * sim_upstream_connect() - set the callbacks of all stages
 * @sim: the NIC, whose stages know their downstream neighbours
 */
void sim_upstream_connect(struct parqsim *sim)
{
	u32 port, prio;

	sim->qman.up = (struct qman_up){
		.ctx = sim,
		.wire_free = up_wire_free,
		.wire_ps = up_wire_ps,
		.sends = up_sends,
	};
	sim->qmi.up = (struct qmi_up){
		.ctx = sim,
		.halt = up_halt,
		.kick = up_kick,
		.admitted = up_admitted,
		.gone = up_gone,
		.epoch = up_epoch,
	};
	sim->nti.up = (struct nti_up){
		.ctx = sim,
		.recycle = up_recycle,
		.repaused = up_repaused,
		.reinjected = up_reinjected,
		.credit = up_credit,
		.done = up_done,
		.txq = up_txq,
		.load = up_load,
	};
	sim->mac.up = (struct mac_up){
		.ctx = sim,
		.tx_done = up_tx_done,
		.tx_ready = up_tx_ready,
		.control = up_control,
		.pause = up_pause,
		.low = up_low,
		.receive = sim->cfg.forward ? up_forward : up_receive,
		.link = up_link,
	};
	sim->fwd.up = (struct fwd_up){
		.ctx = sim,
		.fate = up_fate,
		.accept = up_accept,
		.purge = up_purge,
		.to_host = up_to_host,
		.alone = up_alone,
	};
	sim->storm.up = (struct storm_up){ .ctx = sim, .pause = up_obey };
	sim->rxbuf.up = (struct rxbuf_up){ .ctx = sim, .level = up_level, .steer = up_steer };
	sim->fc.up = (struct fc_up){
		.ctx = sim,
		.lossless = up_lossless,
		.stalled = up_stalled,
		.judge = sim->cfg.forward ? up_judge : NULL,
		.changed = up_changed,
	};
	sim->fdb.up = (struct fdb_up){ .ctx = sim, .changed = up_fdb };
	for (port = 0; port < sim->cfg.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			sim->qmi.port[port].cls[prio].gate =
				&sim->nti.port[port].gate[prio];
}
