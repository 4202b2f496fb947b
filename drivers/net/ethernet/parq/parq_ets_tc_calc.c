// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the requests of mqprio, ets and prio, and converts them to settings of the scheduler.
 * Pure: no lock, no device, no memory but the arguments.
 *
 * TX queue n serves priority n modulo 8. The device maps priorities to traffic classes.
 * Messages are short: a netlink message has room for 80 characters.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pkt_sched.h>
#include <linux/string.h>

#include "parq_ets.h"

/* ---- mqprio ------------------------------------------------------------- */

/* skb priorities above 7 are sent as 802.1p priority 0. */
static int mqprio_check_map(const struct tc_mqprio_qopt *q, char *reason)
{
	unsigned int prio;

	for (prio = 0; prio <= TC_QOPT_BITMASK; prio++) {
		u8 tc = q->prio_tc_map[prio];

		if (tc >= q->num_tc) {
			snprintf(reason, PARQ_REASON_LEN,
				 "priority %u: TC %u is not in 0..%u", prio, tc,
				 q->num_tc - 1);
			return -EINVAL;
		}
		if (prio >= PARQ_NUM_PRIO && tc != q->prio_tc_map[0]) {
			snprintf(reason, PARQ_REASON_LEN,
				 "priority %u in TC %u: it is sent as priority 0, in TC %u",
				 prio, tc, q->prio_tc_map[0]);
			return -EINVAL;
		}
	}
	return 0;
}

static int mqprio_check_queues(const struct tc_mqprio_qopt *q, unsigned int tc,
			       unsigned int queues, char *reason)
{
	unsigned int first = q->offset[tc], end = first + q->count[tc], n;

	if (first == end || end > queues) {
		snprintf(reason, PARQ_REASON_LEN,
			 "queues %u@%u of TC %u: some of 0..%u are needed",
			 q->count[tc], first, tc, queues - 1);
		return -EINVAL;
	}
	for (n = first; n < end; n++) {
		unsigned int prio = n % PARQ_NUM_PRIO;

		if (q->prio_tc_map[prio] == tc)
			continue;
		snprintf(reason, PARQ_REASON_LEN,
			 "queue %u of TC %u serves priority %u, which is in TC %u",
			 n, tc, prio, q->prio_tc_map[prio]);
		return -EINVAL;
	}
	return 0;
}

static int mqprio_check_prio(const struct tc_mqprio_qopt *q, unsigned int prio,
			     char *reason)
{
	unsigned int tc = q->prio_tc_map[prio], n;

	for (n = q->offset[tc]; n < q->offset[tc] + q->count[tc]; n++)
		if (n % PARQ_NUM_PRIO == prio)
			return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "priority %u in TC %u: none of queues %u@%u serves it", prio,
		 tc, q->count[tc], q->offset[tc]);
	return -EINVAL;
}

static int mqprio_check_rates(const struct tc_mqprio_qopt_offload *mqprio,
			      char *reason)
{
	unsigned int tc;
	int err = 0;

	if (mqprio->shaper > TC_MQPRIO_SHAPER_BW_RATE) {
		snprintf(reason, PARQ_REASON_LEN, "shaper %u is not known",
			 mqprio->shaper);
		return -EOPNOTSUPP;
	}
	for (tc = 0; tc < mqprio->qopt.num_tc && !err; tc++) {
		if (mqprio->min_rate[tc]) {
			snprintf(reason, PARQ_REASON_LEN,
				 "min_rate of TC %u: minimum rates are not supported",
				 tc);
			return -EOPNOTSUPP;
		}
		err = parq_ets_rate_check("max_rate", tc, mqprio->max_rate[tc],
					  reason);
	}
	return err;
}

/**
 * parq_tc_mqprio_check() - check an mqprio request
 * @mqprio: request, num_tc not 0
 * @queues: number of TX queues
 * @reason: receives a sentence that names the bad value if the request is refused
 *
 * The layout of queues is fixed: a TC must have queues of all its priorities and no
 * others.
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for what the device lacks.
 */
int parq_tc_mqprio_check(const struct tc_mqprio_qopt_offload *mqprio,
			 unsigned int queues, char reason[PARQ_REASON_LEN])
{
	const struct tc_mqprio_qopt *q = &mqprio->qopt;
	unsigned int i;
	int err;

	if (q->num_tc > PARQ_NUM_TC) {
		snprintf(reason, PARQ_REASON_LEN, "num_tc %u is not in 1..%u",
			 q->num_tc, PARQ_NUM_TC);
		return -EINVAL;
	}
	err = mqprio_check_map(q, reason);
	for (i = 0; i < q->num_tc && !err; i++)
		err = mqprio_check_queues(q, i, queues, reason);
	for (i = 0; i < PARQ_NUM_PRIO && !err; i++)
		err = mqprio_check_prio(q, i, reason);
	return err ?: mqprio_check_rates(mqprio, reason);
}

/**
 * parq_tc_mqprio_fit() - convert an mqprio request
 * @mqprio: request that parq_tc_mqprio_check() accepted
 *
 * Return: map of priorities, and rate limits if there are any.
 */
struct parq_tc parq_tc_mqprio_fit(const struct tc_mqprio_qopt_offload *mqprio)
{
	const struct tc_mqprio_qopt *q = &mqprio->qopt;
	struct parq_tc tc = { .qdisc = "mqprio", .parts = PARQ_TC_MAP };
	unsigned int i;

	memcpy(tc.prio_tc, q->prio_tc_map, sizeof(tc.prio_tc));
	for (i = 0; i < q->num_tc; i++) {
		tc.maxrate[i] = parq_ets_rate_fit(mqprio->max_rate[i]);
		tc.queues = max_t(unsigned int, tc.queues,
				  q->offset[i] + q->count[i]);
	}
	if (mqprio->flags & TC_MQPRIO_F_MAX_RATE)
		tc.parts |= PARQ_TC_RATES;
	return tc;
}

/* ---- ets ---------------------------------------------------------------- */

/**
 * parq_tc_ets_check() - check an ets request
 * @ets: TC_ETS_REPLACE
 * @reason: receives a sentence with the value if it is refused
 *
 * skb priorities above 7 are ignored: they are sent as priority 0.
 *
 * Return: 0, or -EOPNOTSUPP: the qdisc then works in software.
 */
int parq_tc_ets_check(const struct tc_ets_qopt_offload *ets,
		      char reason[PARQ_REASON_LEN])
{
	if (ets->parent != TC_H_ROOT) {
		snprintf(reason, PARQ_REASON_LEN,
			 "parent %x:%x is not the root, nor an offloaded tbf there",
			 TC_H_MAJ(ets->parent) >> 16, TC_H_MIN(ets->parent));
		return -EOPNOTSUPP;
	}
	if (ets->replace_params.bands > PARQ_NUM_TC) {
		snprintf(reason, PARQ_REASON_LEN, "bands %u is not in 1..%u",
			 ets->replace_params.bands, PARQ_NUM_TC);
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * parq_tc_ets_fit() - convert an ets request
 * @ets: request that parq_tc_ets_check() accepted
 * @qdisc: kind of the qdisc
 *
 * Band 0 has the highest precedence, as the strict traffic class with the highest number.
 * The bandwidth of a band is its quantum in percent of the sum of all quanta.
 *
 * Return: map, algorithms and bandwidths.
 */
struct parq_tc parq_tc_ets_fit(const struct tc_ets_qopt_offload *ets, const char *qdisc)
{
	const struct tc_ets_qopt_offload_replace_params *p = &ets->replace_params;
	struct parq_tc tc = { .qdisc = qdisc, .parts = PARQ_TC_MAP | PARQ_TC_SHARES };
	unsigned int band, prio, n;
	u64 sum = 0;

	for (band = 0; band < p->bands; band++)
		sum += p->quanta[band];
	for (band = 0; band < p->bands; band++) {
		if (!p->quanta[band])
			continue;
		n = p->bands - 1 - band;
		tc.tsa[n] = PARQ_TSA_ETS;
		tc.bw[n] = parq_ets_percent(p->quanta[band], sum);
	}
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		tc.prio_tc[prio] = p->bands - 1 - p->priomap[prio];
	return tc;
}

/* ---- prio --------------------------------------------------------------- */

static_assert((int)TC_PRIO_REPLACE == TC_ETS_REPLACE);
static_assert((int)TC_PRIO_DESTROY == TC_ETS_DESTROY);
static_assert((int)TC_PRIO_STATS == TC_ETS_STATS);
static_assert((int)TC_PRIO_GRAFT == TC_ETS_GRAFT);

/**
 * parq_tc_prio_as_ets() - convert a prio request
 * @prio: request
 *
 * Return: the request of an ets qdisc whose bands are all strict.
 */
struct tc_ets_qopt_offload parq_tc_prio_as_ets(const struct tc_prio_qopt_offload *prio)
{
	struct tc_ets_qopt_offload ets = {
		.command = (enum tc_ets_command)prio->command,
		.handle = prio->handle,
		.parent = prio->parent,
	};

	switch (prio->command) {
	case TC_PRIO_REPLACE:
		ets.replace_params.bands = prio->replace_params.bands;
		memcpy(ets.replace_params.priomap, prio->replace_params.priomap,
		       sizeof(ets.replace_params.priomap));
		ets.replace_params.qstats = prio->replace_params.qstats;
		break;
	case TC_PRIO_STATS:
		ets.stats = prio->stats;
		break;
	case TC_PRIO_GRAFT:
		ets.graft_params.band = prio->graft_params.band;
		ets.graft_params.child_handle = prio->graft_params.child_handle;
		break;
	case TC_PRIO_DESTROY:
		break;
	}
	return ets;
}
