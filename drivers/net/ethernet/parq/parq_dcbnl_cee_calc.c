// SPDX-License-Identifier: GPL-2.0
/*
 * Converts CEE's priority groups and PFC (DCBX 1.01) to IEEE 802.1Qaz and back. Pure: no
 * lock, no device, no memory but the arguments.
 *
 * Agents send incomplete settings. So a traffic class without priorities is ignored, and
 * the bandwidth of a group without classes is shared by the others.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "parq_dcbnl.h"

#define PERCENT_MAX	100
#define ALL_PRIOS	(BIT(PARQ_NUM_PRIO) - 1)

static_assert(PARQ_CEE_PGS == CEE_DCBX_MAX_PGS);

static void stage(u8 *val, u8 new)
{
	if (new != PARQ_CEE_KEEP)
		*val = new;
}

/**
 * parq_cee_tc_stage() - apply a message to a traffic class
 * @tc: traffic class to change
 * @new: settings of the message, PARQ_CEE_KEEP for each setting it omits
 *
 * A map of all eight priorities looks like an unset map. It is taken to mean the
 * priorities that no other class has, which is right in both cases.
 */
void parq_cee_tc_stage(struct parq_cee_tc *tc, const struct parq_cee_tc *new)
{
	stage(&tc->strict, new->strict);
	stage(&tc->pgid, new->pgid);
	stage(&tc->pct, new->pct);
	tc->up_map = new->up_map;
}

/* ---- To IEEE ------------------------------------------------------------- */

static bool says_nothing(const struct parq_cee_pg *pg)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		if (pg->tc[tc].up_map)
			return false;
	return true;
}

static bool is_strict(const struct parq_cee_tc *tc)
{
	return tc->strict == PARQ_CEE_STRICT_LINK ||
	       tc->pgid == PARQ_CEE_PG_STRICT;
}

/* Finds the class whose map means "all others", PARQ_NUM_TC if there is none. */
static int find_rest(const struct parq_cee_pg *pg, unsigned int *rest, char *reason)
{
	unsigned int tc;

	*rest = PARQ_NUM_TC;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (pg->tc[tc].up_map != ALL_PRIOS)
			continue;
		if (*rest != PARQ_NUM_TC) {
			snprintf(reason, PARQ_REASON_LEN,
				 "all priorities are in traffic classes %u and %u",
				 *rest, tc);
			return -EINVAL;
		}
		*rest = tc;
	}
	return 0;
}

/* Priorities without a class go to TC 0. */
static int map_prios(const struct parq_cee_pg *pg, u8 *prio_tc, char *reason)
{
	unsigned int tc, prio, rest;
	int err;

	err = find_rest(pg, &rest, reason);
	if (err)
		return err;
	memset(prio_tc, rest == PARQ_NUM_TC ? 0 : rest, PARQ_NUM_PRIO);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		unsigned int found = PARQ_NUM_TC;

		for (tc = 0; tc < PARQ_NUM_TC; tc++) {
			if (tc == rest || !(pg->tc[tc].up_map & BIT(prio)))
				continue;
			if (found != PARQ_NUM_TC) {
				snprintf(reason, PARQ_REASON_LEN,
					 "priority %u is in traffic classes %u and %u",
					 prio, found, tc);
				return -EINVAL;
			}
			found = tc;
			prio_tc[prio] = tc;
		}
	}
	return 0;
}

static int check_tc(const struct parq_cee_pg *pg, unsigned int n, char *reason)
{
	const struct parq_cee_tc *tc = &pg->tc[n];

	if (tc->strict > PARQ_CEE_STRICT_LINK)
		snprintf(reason, PARQ_REASON_LEN,
			 "strict priority %u of traffic class %u is not in 0..%u",
			 tc->strict, n, PARQ_CEE_STRICT_LINK);
	else if (is_strict(tc))
		return 0;
	else if (tc->pgid >= PARQ_CEE_PGS)
		snprintf(reason, PARQ_REASON_LEN,
			 "priority group %u of traffic class %u is not in 0..%u or %u",
			 tc->pgid, n, PARQ_CEE_PGS - 1, PARQ_CEE_PG_STRICT);
	else if (tc->pct > PERCENT_MAX)
		snprintf(reason, PARQ_REASON_LEN,
			 "bandwidth of traffic class %u: %u%% is not in 0..%u%%",
			 n, tc->pct, PERCENT_MAX);
	else if (pg->pct[tc->pgid] > PERCENT_MAX)
		snprintf(reason, PARQ_REASON_LEN,
			 "bandwidth of priority group %u: %u%% is not in 0..%u%%",
			 tc->pgid, pg->pct[tc->pgid], PERCENT_MAX);
	else
		return 0;
	return -EINVAL;
}

/* Number of classes in the group of @n, and the sum of their percentages. */
static unsigned int group_of(const struct parq_cee_pg *pg, u8 used,
			     unsigned int n, unsigned int *sum)
{
	unsigned int tc, num = 0;

	*sum = 0;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (!(used & BIT(tc)) || is_strict(&pg->tc[tc]) ||
		    pg->tc[tc].pgid != pg->tc[n].pgid)
			continue;
		*sum += pg->tc[tc].pct;
		num++;
	}
	return num;
}

static int check_group_strict(const struct parq_cee_pg *pg, u8 used,
			      unsigned int n, char *reason)
{
	unsigned int sum;

	if (is_strict(&pg->tc[n]) ||
	    pg->tc[n].strict != PARQ_CEE_STRICT_GROUP ||
	    group_of(pg, used, n, &sum) == 1)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "traffic class %u: no strict priority within priority group %u",
		 n, pg->tc[n].pgid);
	return -EOPNOTSUPP;
}

/* The bandwidth of a group without a used class is ignored. */
static int check_group_sum(const struct parq_cee_pg *pg, u8 used, char *reason)
{
	unsigned int tc, n, sum = 0;
	u8 groups = 0;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		if (used & BIT(tc) && !is_strict(&pg->tc[tc]))
			groups |= BIT(pg->tc[tc].pgid);
	for (n = 0; n < PARQ_CEE_PGS; n++)
		if (groups & BIT(n))
			sum += pg->pct[n];
	if (sum <= PERCENT_MAX)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "bandwidths of the priority groups add up to %u%%, more than %u%%",
		 sum, PERCENT_MAX);
	return -EINVAL;
}

/* Share of the link in millionths: the class's part of its group's part. */
static u32 share_of(const struct parq_cee_pg *pg, u8 used, unsigned int n)
{
	unsigned int sum, num = group_of(pg, used, n, &sum);
	u32 pct = pg->pct[pg->tc[n].pgid] * 10000;

	return sum ? pct * pg->tc[n].pct / sum : pct / num;
}

/* Rounds to percent that add up to 100. The largest fractions are rounded up. */
static void fit_percent(const u32 *share, u8 *bw)
{
	u32 sum = 0, left = PERCENT_MAX, lost[PARQ_NUM_TC];
	unsigned int tc, most;

	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		sum += share[tc];
	memset(bw, 0, PARQ_NUM_TC);
	if (!sum)
		return;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		bw[tc] = share[tc] * PERCENT_MAX / sum;
		lost[tc] = share[tc] * PERCENT_MAX % sum;
		left -= bw[tc];
	}
	for (; left; left--) {
		most = 0;
		for (tc = 1; tc < PARQ_NUM_TC; tc++)
			if (lost[tc] > lost[most])
				most = tc;
		bw[most]++;
		lost[most] = 0;
	}
}

/**
 * parq_cee_to_ets() - convert priority groups to IEEE 802.1Qaz
 * @pg: settings of a user
 * @ets: prio_tc, tc_tsa and tc_tx_bw are set, the rest does not change; if no class has
 *	a priority, nothing changes
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for strict classes in a group of several classes. On
 * error @ets does not change.
 */
int parq_cee_to_ets(const struct parq_cee_pg *pg, struct ieee_ets *ets,
		    char reason[PARQ_REASON_LEN])
{
	u8 prio_tc[PARQ_NUM_PRIO], tsa[PARQ_NUM_TC] = {}, used = 0;
	u32 share[PARQ_NUM_TC] = {};
	unsigned int tc, prio;
	int err;

	if (says_nothing(pg))
		return 0;
	err = map_prios(pg, prio_tc, reason);
	if (err)
		return err;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		used |= BIT(prio_tc[prio]);
	for (tc = 0; !err && tc < PARQ_NUM_TC; tc++)
		if (used & BIT(tc))
			err = check_tc(pg, tc, reason);
	for (tc = 0; !err && tc < PARQ_NUM_TC; tc++)
		if (used & BIT(tc))
			err = check_group_strict(pg, used, tc, reason);
	if (!err)
		err = check_group_sum(pg, used, reason);
	if (err)
		return err;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		if (!(used & BIT(tc)) || is_strict(&pg->tc[tc]))
			continue;
		tsa[tc] = IEEE_8021QAZ_TSA_ETS;
		share[tc] = share_of(pg, used, tc);
	}
	memcpy(ets->prio_tc, prio_tc, sizeof(prio_tc));
	memcpy(ets->tc_tsa, tsa, sizeof(tsa));
	fit_percent(share, ets->tc_tx_bw);
	return 0;
}

/**
 * parq_cee_to_pfc() - convert PFC settings to IEEE 802.1Qbb
 * @cfg: settings of a user
 * @en: BIT(priority) that get PFC
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for PFC in one direction only.
 */
int parq_cee_to_pfc(const struct parq_cee_cfg *cfg, u8 *en,
		    char reason[PARQ_REASON_LEN])
{
	unsigned int prio;
	u8 prios = 0;

	if (cfg->pfc_on > 1) {
		snprintf(reason, PARQ_REASON_LEN, "PFC state %u is not 0 or 1",
			 cfg->pfc_on);
		return -EINVAL;
	}
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		if (cfg->pfc[prio] > 1) {
			snprintf(reason, PARQ_REASON_LEN,
				 "PFC %u of priority %u is not 0 or 1",
				 cfg->pfc[prio], prio);
			return cfg->pfc[prio] > 3 ? -EINVAL : -EOPNOTSUPP;
		}
		if (cfg->pfc[prio])
			prios |= BIT(prio);
	}
	*en = cfg->pfc_on ? prios : 0;
	return 0;
}

/* ---- From IEEE ----------------------------------------------------------- */

static bool same_ets(const struct parq_cee_pg *pg, const struct ieee_ets *ets)
{
	struct ieee_ets mine = *ets;
	char reason[PARQ_REASON_LEN];

	return !parq_cee_to_ets(pg, &mine, reason) &&
	       !memcmp(&mine, ets, sizeof(mine));
}

static bool same_pfc(const struct parq_cee_cfg *cfg, u8 pfc_en)
{
	char reason[PARQ_REASON_LEN];
	u8 en;

	return !parq_cee_to_pfc(cfg, &en, reason) && en == pfc_en;
}

/* Each class becomes a group. */
static void name_groups(struct parq_cee_pg *pg, const struct ieee_ets *ets)
{
	unsigned int tc;

	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		bool strict = ets->tc_tsa[tc] != IEEE_8021QAZ_TSA_ETS;

		pg->tc[tc] = (struct parq_cee_tc){
			.strict = strict ? PARQ_CEE_STRICT_LINK :
					   PARQ_CEE_STRICT_NONE,
			.pgid = strict ? PARQ_CEE_PG_STRICT : tc,
			.pct = strict ? 0 : PERCENT_MAX,
		};
		pg->pct[tc] = strict ? 0 : ets->tc_tx_bw[tc];
	}
}

static void set_maps(struct parq_cee_pg *pg, const struct ieee_ets *ets)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_TC; i++)
		pg->tc[i].up_map = 0;
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		pg->tc[ets->prio_tc[i]].up_map |= BIT(i);
}

/**
 * parq_cee_from() - convert the settings in force to CEE
 * @ets: in force
 * @pfc_en: in force, BIT(priority)
 * @kept: settings that CEE set last; if they still match, users get them back in the
 *	form in which they gave them
 *
 * Return: settings.
 */
struct parq_cee_cfg parq_cee_from(const struct ieee_ets *ets, u8 pfc_en,
				  const struct parq_cee_cfg *kept)
{
	struct parq_cee_cfg cfg = *kept;
	unsigned int prio;

	if (says_nothing(&kept->tx) || !same_ets(&kept->tx, ets)) {
		name_groups(&cfg.tx, ets);
		set_maps(&cfg.tx, ets);
		cfg.rx = cfg.tx;
	}
	set_maps(&cfg.tx, ets);
	if (!same_pfc(kept, pfc_en)) {
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			cfg.pfc[prio] = !!(pfc_en & BIT(prio));
		cfg.pfc_on = !!pfc_en;
	}
	return cfg;
}
