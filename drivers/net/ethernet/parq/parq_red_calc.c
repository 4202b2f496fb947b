// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the requests of red, converts them, and tells which qdisc has a traffic class. Pure: no
 * lock, no device, no memory but the arguments.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pkt_sched.h>

#include "parq_red.h"

/**
 * parq_red_check() - check a red request
 * @qopt: TC_RED_REPLACE
 * @ets: handle of the offloaded ets or prio qdisc, 0 for none
 * @reason: receives a sentence with the value if it is refused
 *
 * The limit does not matter: receive buffers limit what waits between ports. Nor does the burst:
 * the device does not average. Whether the qdisc is adaptive is not told.
 *
 * Return: 0, or -EOPNOTSUPP: the qdisc then works in software.
 */
int parq_red_check(const struct tc_red_qopt_offload *qopt, u32 ets, char reason[PARQ_REASON_LEN])
{
	const struct tc_red_qopt_offload_params *set = &qopt->set;

	if (qopt->parent != TC_H_ROOT && (!ets || TC_H_MAJ(qopt->parent) != ets)) {
		snprintf(reason, PARQ_REASON_LEN,
			 "parent %x:%x is neither the root nor a class of an offloaded qdisc",
			 TC_H_MAJ(qopt->parent) >> 16, TC_H_MIN(qopt->parent));
		return -EOPNOTSUPP;
	}
	if (qopt->parent != TC_H_ROOT && TC_H_MIN(qopt->parent) - 1 >= PARQ_NUM_TC) {
		snprintf(reason, PARQ_REASON_LEN, "class %x:%x is not in 1..%u",
			 TC_H_MAJ(qopt->parent) >> 16, TC_H_MIN(qopt->parent), PARQ_NUM_TC);
		return -EOPNOTSUPP;
	}
	if (set->is_harddrop && set->is_ecn) {
		snprintf(reason, PARQ_REASON_LEN,
			 "harddrop: above max the device marks what can be marked");
		return -EOPNOTSUPP;
	}
	if (!set->min || set->min >= set->max) {
		snprintf(reason, PARQ_REASON_LEN, "min %u is not above 0 and below max %u",
			 set->min, set->max);
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * parq_red_fit() - convert a red request
 * @set: settings that parq_red_check() accepted
 *
 * Return: settings of each traffic class that the qdisc has.
 */
struct parq_red_hw parq_red_fit(const struct tc_red_qopt_offload_params *set)
{
	return (struct parq_red_hw){
		.ctrl = PARQ_SW_RED_CTRL_EN | (set->is_ecn ? PARQ_SW_RED_CTRL_ECN : 0) |
			(set->is_nodrop ? PARQ_SW_RED_CTRL_NODROP : 0),
		.min = set->min,
		.max = set->max,
		.prob = set->probability,
	};
}

/* Return: slot of a qdisc with a parent that parq_red_check() accepted. */
unsigned int parq_red_slot_of(u32 parent)
{
	return parent == TC_H_ROOT ? PARQ_RED_ROOT : TC_H_MIN(parent) - 1;
}

/**
 * parq_red_owner() - find the qdisc that has a traffic class
 * @red: qdiscs of the port
 * @tc: traffic class
 *
 * A root has all of them. While one tree of qdiscs replaces another, both have qdiscs.
 *
 * Return: its slot, -1 if there is none.
 */
int parq_red_owner(const struct parq_red *red, unsigned int tc)
{
	unsigned int band = red->bands - 1 - tc;

	if (red->slot[PARQ_RED_ROOT].handle)
		return PARQ_RED_ROOT;
	if (!red->ets || tc >= red->bands || !red->slot[band].handle ||
	    TC_H_MAJ(red->slot[band].parent) != red->ets)
		return -1;
	return band;
}
