/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offload of tbf qdiscs under bands of an ets or prio qdisc, at ports of a device that forwards:
 * the rate limit of a traffic class. Host frames pass the qdisc itself.
 */
#ifndef _PARQ_TBF_H
#define _PARQ_TBF_H

#include <linux/parq_hw.h>
#include <net/pkt_cls.h>

#include "parq_log.h"

struct parq_port;

/* ---- parq_tbf_calc.c --------------------------------------------------- */

/**
 * struct parq_tbf_slot - a tbf qdisc
 * @handle: its handle; 0: there is none
 * @parent: its parent, a class of an ets or prio qdisc
 * @kbit: limit, kbit/s; 0: it works in software
 */
struct parq_tbf_slot {
	u32 handle;
	u32 parent;
	u32 kbit;
};

/**
 * struct parq_tbf - tbf qdiscs of a port
 * @slot: by band
 * @prev: which the one in @slot replaces; it comes back if that ends before the band has it
 *
 * Context: rtnl and ops lock.
 */
struct parq_tbf {
	struct parq_tbf_slot slot[PARQ_NUM_TC];
	struct parq_tbf_slot prev[PARQ_NUM_TC];
};

int parq_tbf_check(const struct tc_tbf_qopt_offload *qopt, u32 ets, char reason[PARQ_REASON_LEN]);
struct parq_tbf_slot parq_tbf_fit(const struct tc_tbf_qopt_offload *qopt);
u32 parq_tbf_limit(const struct parq_tbf *tbf, unsigned int band, u32 ets, unsigned int bands);
void parq_tbf_limits(const struct parq_tbf *tbf, u32 ets, unsigned int bands,
		     u64 maxrate[PARQ_NUM_TC]);

/* ---- parq_tbf.c -------------------------------------------------------- */

/* Called by the interface to qdiscs. Context: rtnl and ops lock. */
int parq_tbf_setup(struct parq_port *port, struct tc_tbf_qopt_offload *qopt);
u32 parq_tbf_above(struct parq_port *port, u32 parent);
void parq_tbf_graft(struct parq_port *port, unsigned int band, u32 child);
void parq_tbf_clear(struct parq_port *port);

#endif /* _PARQ_TBF_H */
