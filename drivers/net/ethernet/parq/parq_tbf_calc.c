// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the requests of tbf, converts them, and tells the limits of traffic classes. Pure: no
 * lock, no device, no memory but the arguments.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pkt_sched.h>

#include "parq_ets.h"
#include "parq_tbf.h"

static int parq_tbf_check_parent(u32 parent, u32 ets, bool port_rate, char *reason)
{
	unsigned int major = TC_H_MAJ(parent) >> 16, minor = TC_H_MIN(parent);

	if (parent == TC_H_ROOT && port_rate)
		return 0;
	if (parent == TC_H_ROOT)
		snprintf(reason, PARQ_REASON_LEN,
			 "root: the device limits bands of ets or prio, not a whole port");
	else if (!ets || TC_H_MAJ(parent) != ets)
		snprintf(reason, PARQ_REASON_LEN,
			 "parent %x:%x is not a class of an offloaded ets or prio", major, minor);
	else if (minor - 1 >= PARQ_NUM_TC)
		snprintf(reason, PARQ_REASON_LEN, "class %x:%x is not in 1..%u", major, minor,
			 PARQ_NUM_TC);
	else
		return 0;
	return -EOPNOTSUPP;
}

/**
 * parq_tbf_check() - check a tbf request
 * @qopt: TC_TBF_REPLACE
 * @ets: handle of the offloaded ets or prio qdisc, 0 for none
 * @port_rate: the device has PARQ_CAP_PORT_RATE
 * @reason: receives a sentence with the value if it is refused
 *
 * The burst does not matter: the device has one of its own. Limit and peak rate are not told.
 *
 * Return: 0, or -EOPNOTSUPP: the qdisc then works in software.
 */
int parq_tbf_check(const struct tc_tbf_qopt_offload *qopt, u32 ets, bool port_rate,
		   char reason[PARQ_REASON_LEN])
{
	u64 rate = qopt->replace_params.rate.rate_bytes_ps;
	int err;

	err = parq_tbf_check_parent(qopt->parent, ets, port_rate, reason);
	if (err)
		return err;
	if (rate < PARQ_ETS_KBIT || rate > PARQ_ETS_RATE_MAX) {
		snprintf(reason, PARQ_REASON_LEN, "rate %llu B/s is not in %u..%llu", rate,
			 PARQ_ETS_KBIT, PARQ_ETS_RATE_MAX);
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * parq_tbf_slot_of() - find the slot of a qdisc
 * @parent: place that parq_tbf_check() accepted
 * @nested: there is another one above it, at the root
 *
 * Return: band, PARQ_TBF_ROOT or PARQ_TBF_NESTED.
 */
unsigned int parq_tbf_slot_of(u32 parent, bool nested)
{
	if (parent != TC_H_ROOT)
		return TC_H_MIN(parent) - 1;
	return nested ? PARQ_TBF_NESTED : PARQ_TBF_ROOT;
}

/**
 * parq_tbf_fit() - convert a tbf request
 * @qopt: request that parq_tbf_check() accepted
 *
 * Return: the qdisc and its limit.
 */
struct parq_tbf_slot parq_tbf_fit(const struct tc_tbf_qopt_offload *qopt)
{
	return (struct parq_tbf_slot){
		.handle = qopt->handle,
		.parent = qopt->parent,
		.kbit = parq_ets_rate_fit(qopt->replace_params.rate.rate_bytes_ps),
	};
}

/**
 * parq_tbf_limit() - limit of a qdisc
 * @tbf: qdiscs of the port
 * @band: slot of @tbf
 * @ets: handle of the offloaded ets or prio qdisc, 0 for none
 * @bands: its bands
 *
 * While one tree of qdiscs replaces another, both have qdiscs.
 *
 * Return: kbit/s, 0 for none.
 */
u32 parq_tbf_limit(const struct parq_tbf *tbf, unsigned int band, u32 ets, unsigned int bands)
{
	if (band >= PARQ_TBF_ROOT)
		return tbf->slot[band].kbit;
	if (!ets || band >= bands || TC_H_MAJ(tbf->slot[band].parent) != ets)
		return 0;
	return tbf->slot[band].kbit;
}

/**
 * parq_tbf_limits() - limits of traffic classes
 * @tbf: qdiscs of the port
 * @ets: as in parq_tbf_limit()
 * @bands: as there
 * @maxrate: filled: kbit/s by traffic class, 0 for none
 *
 * Band 0 has the highest class.
 */
void parq_tbf_limits(const struct parq_tbf *tbf, u32 ets, unsigned int bands,
		     u64 maxrate[PARQ_NUM_TC])
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		maxrate[tc] = tc < bands ? parq_tbf_limit(tbf, bands - 1 - tc, ets, bands) : 0;
}
