/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offload of tbf qdiscs at ports of a device that forwards: at the root the rate limit of the port,
 * under a band of an ets or prio qdisc that of a traffic class. Host frames pass the qdisc itself.
 */
#ifndef _PARQ_TBF_H
#define _PARQ_TBF_H

#include <linux/parq_hw.h>
#include <net/pkt_cls.h>

#include "parq_log.h"

struct parq_port;

/* ---- parq_tbf_calc.c --------------------------------------------------- */

/* One qdisc a band; and at the root one, and one below that. */
#define PARQ_TBF_ROOT		PARQ_NUM_TC
#define PARQ_TBF_NESTED		(PARQ_TBF_ROOT + 1)
#define PARQ_TBF_SLOTS		(PARQ_TBF_NESTED + 1)

/**
 * struct parq_tbf_slot - a tbf qdisc
 * @handle: its handle; 0: there is none
 * @parent: its place, a class of an ets or prio qdisc, or TC_H_ROOT
 * @kbit: limit, kbit/s; 0: it works in software
 */
struct parq_tbf_slot {
	u32 handle;
	u32 parent;
	u32 kbit;
};

/**
 * struct parq_tbf - tbf qdiscs of a port
 * @slot: by band, PARQ_TBF_ROOT and PARQ_TBF_NESTED
 * @prev: which the one in @slot replaces; it comes back if that ends before it is in place
 *
 * Context: rtnl and ops lock.
 */
struct parq_tbf {
	struct parq_tbf_slot slot[PARQ_TBF_SLOTS];
	struct parq_tbf_slot prev[PARQ_TBF_SLOTS];
};

int parq_tbf_check(const struct tc_tbf_qopt_offload *qopt, u32 ets, bool port_rate,
		   char reason[PARQ_REASON_LEN]);
unsigned int parq_tbf_slot_of(u32 parent, bool nested);
struct parq_tbf_slot parq_tbf_fit(const struct tc_tbf_qopt_offload *qopt);
u32 parq_tbf_limit(const struct parq_tbf *tbf, unsigned int band, u32 ets, unsigned int bands);
void parq_tbf_limits(const struct parq_tbf *tbf, u32 ets, unsigned int bands,
		     u64 maxrate[PARQ_NUM_TC]);

/* ---- parq_tbf.c -------------------------------------------------------- */

/* Called by the interface to qdiscs. Context: rtnl and ops lock. */
int parq_tbf_setup(struct parq_port *port, struct tc_tbf_qopt_offload *qopt, bool nested);
void parq_tbf_graft(struct parq_port *port, unsigned int slot, u32 child);
void parq_tbf_clear(struct parq_port *port);

#endif /* _PARQ_TBF_H */
