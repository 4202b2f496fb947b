// SPDX-License-Identifier: GPL-2.0
/* Registers of a port: MAC, link, addresses, selection, statistics. */
#include "qman_ets.h"
#include "reg_table.h"

/* Stopping a port clears these registers, see PARQ_PORT_CTRL. */
static void clear_enables(struct parqsim *sim, u32 port)
{
	u32 *val = reg_val(sim, PARQ_PORT(port)), i;

	for (i = 0; i < PARQ_MAX_TXQ; i++)
		val[(PARQ_TXQ(i) + PARQ_TXQ_CTRL) / 4] &= ~PARQ_TXQ_CTRL_EN;
	for (i = 0; i < PARQ_MAX_RXQ; i++)
		val[(PARQ_RXQ(i) + PARQ_RXQ_CTRL) / 4] &=
			~(PARQ_RXQ_CTRL_EN | PARQ_RXQ_CTRL_HOLD);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		val[(PARQ_PFC(i) + PARQ_PARK_CTRL) / 4] &= ~PARQ_PARK_CTRL_EN;
	val[PARQ_PFC_CTRL / 4] &= ~PARQ_PFC_CTRL_EN;
	val[PARQ_STATUS_BASE_LO / 4] = 0;
	val[PARQ_STATUS_BASE_HI / 4] = 0;
	if (sim->cfg.forward)
		*switch_val(sim, PARQ_SW_PORT(port) + PARQ_SW_CTRL) = 0;
}

static enum parq_err write_port_ctrl(const struct access *a)
{
	struct mac_port *p = &a->sim->mac.port[a->port];
	bool was = p->ctrl & PARQ_PORT_CTRL_EN, is = a->val & PARQ_PORT_CTRL_EN;

	if ((a->val & PARQ_PORT_CTRL_RX_GRO) && !sim_has_trains(a->sim))
		return PARQ_ERR_RANGE;
	/* Segments that have been received have no time stamp. */
	if ((a->val ^ p->ctrl) & PARQ_PORT_CTRL_RX_STAMP)
		gro_end(&a->sim->gro, a->port);
	p->ctrl = a->val;
	if (was && !is) {
		sim_port_stop(a->sim, a->port);
		clear_enables(a->sim, a->port);
	}
	if (is)
		qman_port_enable(&a->sim->qman, a->port, true);
	return PARQ_ERR_NONE;
}

static u32 read_port_status(const struct access *a)
{
	return a->sim->mac.port[a->port].status;
}

static void link_changed(struct parqsim *sim, u32 port)
{
	struct parqsim_partner self;

	mac_link_update(&sim->mac, port);
	mac_self(&sim->mac, port, &self);
	sim->bus.host->link(sim->bus.ctx, port, &self);
}

static enum parq_err write_link_ctrl(const struct access *a)
{
	u32 speed = FIELD_GET(PARQ_LINK_CTRL_SPEED, a->val);

	if (speed >= PARQ_NUM_SPEEDS || !(a->sim->cfg.speeds & BIT(speed)))
		return PARQ_ERR_RANGE;
	if (!(a->val & (PARQ_LINK_CTRL_AN | PARQ_LINK_CTRL_FULL_DUPLEX)) &&
	    speed > PARQ_SPEED_100M)
		return PARQ_ERR_RANGE;
	a->sim->mac.port[a->port].link_ctrl = a->val;
	link_changed(a->sim, a->port);
	return PARQ_ERR_NONE;
}

static enum parq_err write_link_adv(const struct access *a)
{
	u32 speeds = a->val & (BIT(PARQ_NUM_SPEEDS) - 1);

	if (!speeds || (speeds & ~a->sim->cfg.speeds))
		return PARQ_ERR_RANGE;
	a->sim->mac.port[a->port].adv = a->val;
	link_changed(a->sim, a->port);
	return PARQ_ERR_NONE;
}

static u32 read_link_ctrl(const struct access *a)
{
	return a->sim->mac.port[a->port].link_ctrl;
}

static u32 read_link_adv(const struct access *a)
{
	return a->sim->mac.port[a->port].adv;
}

static u32 read_link_cap(const struct access *a)
{
	return a->sim->cfg.speeds;
}

static u32 read_link_partner(const struct access *a)
{
	const struct parqsim_partner *p = &a->sim->mac.port[a->port].partner;

	return p->present && p->en && p->an ? p->adv : 0;
}

static enum parq_err write_max_frame(const struct access *a)
{
	if (a->val < PARQ_MAX_FRAME_MIN || a->val > PARQ_MAX_FRAME_MAX)
		return PARQ_ERR_RANGE;
	sim_max_frame(a->sim, a->port, a->val);
	return PARQ_ERR_NONE;
}

static u32 read_max_frame(const struct access *a)
{
	return a->sim->mac.port[a->port].max_frame;
}

static enum parq_err write_mac_hi(const struct access *a)
{
	u32 lo = port_reg(a->sim, a->port, PARQ_MAC_ADDR_LO);

	if (lo & 1)
		return PARQ_ERR_RANGE;
	a->sim->mac.port[a->port].addr = lo | (u64)a->val << 32;
	return PARQ_ERR_NONE;
}

static u32 read_perm_lo(const struct access *a)
{
	return a->sim->mac.port[a->port].perm;
}

static u32 read_perm_hi(const struct access *a)
{
	return a->sim->mac.port[a->port].perm >> 32;
}

static enum parq_err write_status_hi(const struct access *a)
{
	u32 lo = port_reg(a->sim, a->port, PARQ_STATUS_BASE_LO);

	sim_status_page(a->sim, a->port, lo | (u64)a->val << 32);
	return PARQ_ERR_NONE;
}

/*
 * Copies a port's counters to struct parq_stats at @addr. Its last word becomes @seq. Pauses that
 * are running, in both directions, count up to now.
 */
static void snapshot(struct parqsim *sim, u32 port, u64 addr, u32 seq)
{
	struct parq_stats *s = &sim->snapshot;
	u32 prio;

	*s = sim->stats[port];
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		stat_add(&s->prio[prio].rx_pause_ns,
			 mac_pause_running_ns(&sim->mac, port, prio));
		stat_add(&s->prio[prio].tx_pause_ns,
			 fc_running_ns(&sim->fc, port, prio));
		qmi_publish(&sim->qmi, port, prio);
	}
	if (bus_write(&sim->bus, addr, s, offsetof(struct parq_stats, seq)))
		bus_write64(&sim->bus, addr + offsetof(struct parq_stats, seq),
			    seq);
}

static enum parq_err write_stats_snap(const struct access *a)
{
	u64 addr = port_addr(a->sim, a->port, PARQ_STATS_BASE_LO);

	if (!addr)
		return PARQ_ERR_STATE;
	snapshot(a->sim, a->port, addr, a->val);
	return PARQ_ERR_NONE;
}

static enum parq_err write_ets_apply(const struct access *a)
{
	u64 bw = port_reg(a->sim, a->port, PARQ_ETS_BW_LO) |
		 (u64)port_reg(a->sim, a->port, PARQ_ETS_BW_HI) << 32;
	u32 prio_tc = port_reg(a->sim, a->port, PARQ_ETS_PRIO_TC);
	u32 tsa = port_reg(a->sim, a->port, PARQ_ETS_TSA);
	struct qman_ets ets;
	u32 i;

	for (i = 0; i < 8; i++) {
		ets.prio_tc[i] = prio_tc >> (4 * i) & 0xf;
		ets.tsa[i] = tsa >> (4 * i) & 0xf;
		ets.bw[i] = bw >> (8 * i) & 0xff;
		ets.maxrate[i] = port_reg(a->sim, a->port, PARQ_ETS_MAXRATE(i));
	}
	ets.port_rate = port_reg(a->sim, a->port, PARQ_ETS_PORT_RATE);
	if (!qman_ets_valid(&ets))
		return PARQ_ERR_RANGE;
	qman_ets_set(&a->sim->qman, a->port, &ets);
	if (a->sim->cfg.forward)
		egress_regroup(&a->sim->fwd.port[a->port].egress, &a->sim->qman, a->port);
	return PARQ_ERR_NONE;
}

static enum parq_err write_pfc_ctrl(const struct access *a)
{
	u8 prios = FIELD_GET(PARQ_PFC_CTRL_EN, a->val);
	bool offload = a->val & PARQ_PFC_CTRL_OFFLOAD;
	u32 i;

	if (offload && a->sim->cfg.no_offload)
		return PARQ_ERR_RANGE;
	if (prios && (port_reg(a->sim, a->port, PARQ_FC_CTRL) &
		      (PARQ_FC_CTRL_PAUSE_TX | PARQ_FC_CTRL_PAUSE_RX)))
		return PARQ_ERR_STATE;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if ((prios & BIT(i)) && !a->sim->qmi.port[a->port].cls[i].en)
			return PARQ_ERR_STATE;
	qmi_executor(&a->sim->qmi, a->port, offload);
	sim_pfc_enable(a->sim, a->port, prios);
	return PARQ_ERR_NONE;
}

static enum parq_err write_pfc_storm(const struct access *a)
{
	nti_storm_forward(&a->sim->nti, a->port,
			  a->val & PARQ_PFC_STORM_FORWARD);
	storm_set(&a->sim->storm, a->port, FIELD_GET(PARQ_PFC_STORM_LIMIT, a->val),
		  FIELD_GET(PARQ_PFC_STORM_RESTORE, a->val));
	return PARQ_ERR_NONE;
}

static enum parq_err write_pfc_obey(const struct access *a)
{
	storm_obey(&a->sim->storm, a->port, a->val);
	return PARQ_ERR_NONE;
}

static enum parq_err write_filter_hi(const struct access *a)
{
	u64 lo = port_reg(a->sim, a->port, PARQ_FILTER_LO(a->i));

	a->sim->mac.port[a->port].filter[a->i] = lo | (u64)a->val << 32;
	return PARQ_ERR_NONE;
}

const struct reg port_regs[] = {
	{ PARQ_PORT_CTRL, 1, 4, GENMASK(10, 0), write_port_ctrl, NULL },
	{ PARQ_PORT_STATUS, 1, 4, 0, NULL, read_port_status },
	{ PARQ_LINK_CTRL, 1, 4, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_AN |
	  PARQ_LINK_CTRL_FULL_DUPLEX | PARQ_LINK_CTRL_SPEED,
	  write_link_ctrl, read_link_ctrl },
	{ PARQ_LINK_ADV, 1, 4, (BIT(PARQ_NUM_SPEEDS) - 1) |
	  PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM, write_link_adv,
	  read_link_adv },
	{ PARQ_LINK_CAP, 1, 4, 0, NULL, read_link_cap },
	{ PARQ_LINK_PARTNER, 1, 4, 0, NULL, read_link_partner },
	{ PARQ_MAX_FRAME, 1, 4, REG_ALL, write_max_frame, read_max_frame },
	{ PARQ_MAC_ADDR_LO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_MAC_ADDR_HI, 1, 4, GENMASK(15, 0), write_mac_hi, NULL },
	{ PARQ_PERM_ADDR_LO, 1, 4, 0, NULL, read_perm_lo },
	{ PARQ_PERM_ADDR_HI, 1, 4, 0, NULL, read_perm_hi },
	{ PARQ_STATUS_BASE_LO, 1, 4, ~4095U, NULL, NULL },
	{ PARQ_STATUS_BASE_HI, 1, 4, REG_ALL, write_status_hi, NULL },
	{ PARQ_STATS_BASE_LO, 1, 4, ~63U, NULL, NULL },
	{ PARQ_STATS_BASE_HI, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_STATS_SNAP, 1, 4, REG_ALL, write_stats_snap, reg_read_zero },
	{ PARQ_ETS_PRIO_TC, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_ETS_TSA, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_ETS_BW_LO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_ETS_BW_HI, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_ETS_APPLY, 1, 4, REG_ALL, write_ets_apply, reg_read_zero },
	{ PARQ_ETS_MAXRATE(0), PARQ_NUM_TC, 4, REG_ALL, NULL, NULL },
	{ PARQ_ETS_PORT_RATE, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_PFC_CTRL, 1, 4, PARQ_PFC_CTRL_EN | PARQ_PFC_CTRL_OFFLOAD,
	  write_pfc_ctrl, NULL },
	{ PARQ_PFC_STORM, 1, 4, REG_ALL, write_pfc_storm, NULL },
	{ PARQ_PFC_OBEY, 1, 4, PARQ_PFC_OBEY_PRIOS, write_pfc_obey,
	  reg_read_zero },
	{ PARQ_FILTER_LO(0), PARQ_NUM_FILTERS, 8, REG_ALL, NULL, NULL },
	{ PARQ_FILTER_HI(0), PARQ_NUM_FILTERS, 8,
	  PARQ_FILTER_HI_VALID | GENMASK(15, 0), write_filter_hi, NULL },
	{ .count = 0 },
};
