/* SPDX-License-Identifier: GPL-2.0 */
/* The whole NIC: its stages, connected. */
#ifndef _PARQSIM_SIM_H
#define _PARQSIM_SIM_H

#include "bmi.h"
#include "clock.h"
#include "event.h"
#include "fc.h"
#include "fdb.h"
#include "fwd.h"
#include "gro.h"
#include "irq.h"
#include "mac.h"
#include "nti.h"
#include "ptp.h"
#include "qman.h"
#include "qmi.h"
#include "regs.h"
#include "rxbuf.h"
#include "rxq.h"
#include "steer.h"
#include "storm.h"

#define SIM_LOG2_RING	15
#define SIM_LOG2_PARK	16

/* Entries behind that of the last port. Tests have some, which no stage may touch. */
#ifndef SIM_SPARE_PORTS
#define SIM_SPARE_PORTS	0
#endif

/*
 * Arrays follow the struct in memory. Each has as many entries as the NIC has ports, vectors and
 * the like.
 */
struct parqsim {
	struct parqsim_config cfg;
	struct bus bus;
	struct clock clock;
	struct irq irq;
	struct events events;
	struct parq_stats *stats;
	struct parq_stats snapshot;	/* too large for the stack of a kernel */
	struct qman qman;
	struct qmi qmi;
	struct bmi *bmi;
	struct bmi_slot *slot;
	struct nti nti;
	struct mac mac;
	struct ptp ptp;
	struct storm storm;
	struct gro gro;
	struct steer steer;
	struct rxbuf rxbuf;
	struct rxqs rxqs;
	struct fc fc;
	struct transit transit;
	struct fdb fdb;
	struct vlans vlans;
	struct mdb mdb;
	struct red red;
	struct fwd fwd;
	struct regs regs;
	u32 *db;
	struct timer nap;
	u32 naps;	/* in a row */
	u64 paged;	/* BIT_ULL(port) with a status page */
	u64 untold;	/* BIT(port) whose drivers do not know that the host wants to be told */
	bool dozing;
	bool fatal;
};

static inline u32 sim_vectors(const struct parqsim *sim)
{
	return sim->irq.vectors;
}

/* Only trains are merged: PARQ_CAP_GRO. They end at a device that may forward their segments. */
static inline bool sim_has_trains(const struct parqsim *sim)
{
	return sim->bus.host->train && !sim->cfg.forward;
}

/* The window that PARQ_SWITCH names, behind the ports of a NIC, or of a switch that has more. */
static inline u32 sim_window(const struct parqsim_config *cfg)
{
	return PARQ_PORT(cfg->ports > PARQ_NIC_PORTS ? cfg->ports : PARQ_NIC_PORTS);
}

/* The value stored last for the register at @off. */
static inline u32 *reg_val(struct parqsim *sim, u32 off)
{
	return &sim->regs.val[off / sizeof(u32)];
}

/* The same for the register at @off in the window of the switch. */
static inline u32 *switch_val(struct parqsim *sim, u32 off)
{
	return reg_val(sim, sim_window(&sim->cfg) + off);
}

void sim_pfc_enable(struct parqsim *sim, u32 port, u8 prios);
void sim_port_stop(struct parqsim *sim, u32 port);
void sim_txq_stop(struct parqsim *sim, u32 port, u32 queue);
void sim_status_page(struct parqsim *sim, u32 port, u64 addr);
void sim_max_frame(struct parqsim *sim, u32 port, u32 max);
void sim_wake(struct parqsim *sim);
void sim_upstream_connect(struct parqsim *sim);

#endif /* _PARQSIM_SIM_H */
