// SPDX-License-Identifier: GPL-2.0
/*
 * CEE over DCB netlink. Setters stage, setall commits. Getters show the settings in force
 * in CEE's form, even if another interface set them. Everything runs under rtnl except
 * getdcbx, which must not sleep.
 */
#include <linux/err.h>
#include <linux/string.h>

#include "parq.h"
#include "parq_dcbnl.h"
#include "parq_log.h"

/* Results of setall. 0 would mean that the link was reset. */
#define PARQ_CEE_UNCHANGED	1
#define PARQ_CEE_CHANGED	2

#define PARQ_CEE_FEAT_OURS	(DCB_FEATCFG_ENABLE | DCB_FEATCFG_ERROR)
#define PARQ_CEE_FEAT_AGENT	(DCB_FEATCFG_WILLING | DCB_FEATCFG_ADVERTISE)

static struct parq_cee_cfg parq_cee_now(const struct parq_port *port)
{
	return parq_cee_from(&port->ets.dcb, port->pfc.en, &port->cee.kept);
}

/* Settings in force, or those that come into force when DCB is enabled again. */
static struct parq_cee_cfg parq_cee_base(struct parq_port *port)
{
	struct parq_cee *cee = &port->cee;

	if (parq_dcbnl_cee_getstate(port->netdev))
		return parq_cee_now(port);
	return parq_cee_from(&cee->left_ets, cee->left_pfc, &cee->kept);
}

/* Return: NULL in IEEE mode, in which CEE's settings are ignored. */
static struct parq_cee_cfg *parq_cee_stage(struct parq_port *port, u8 what)
{
	struct parq_cee *cee = &port->cee;

	if (cee->mode != PARQ_DCBX_CEE)
		return NULL;
	if (!cee->staged)
		cee->shadow = parq_cee_base(port);
	cee->staged |= what;
	return &cee->shadow;
}

/* ---- Priority groups ---------------------------------------------------- */

static void parq_cee_stage_tc(struct net_device *netdev, bool rx, int n,
			      const struct parq_cee_tc *tc)
{
	bool bad = n < 0 || n >= PARQ_NUM_TC;
	struct parq_cee_cfg *cfg;

	cfg = parq_cee_stage(netdev_priv(netdev),
			     bad ? PARQ_CEE_BAD : PARQ_CEE_PG);
	if (cfg && !bad)
		parq_cee_tc_stage(rx ? &cfg->rx.tc[n] : &cfg->tx.tc[n], tc);
}

void parq_dcbnl_cee_setpgtccfgtx(struct net_device *netdev, int tc, u8 strict,
				 u8 pgid, u8 pct, u8 up_map)
{
	parq_cee_stage_tc(netdev, false, tc, &(const struct parq_cee_tc){
		.strict = strict, .pgid = pgid, .pct = pct, .up_map = up_map });
}

void parq_dcbnl_cee_setpgtccfgrx(struct net_device *netdev, int tc, u8 strict,
				 u8 pgid, u8 pct, u8 up_map)
{
	parq_cee_stage_tc(netdev, true, tc, &(const struct parq_cee_tc){
		.strict = strict, .pgid = pgid, .pct = pct, .up_map = up_map });
}

static void parq_cee_stage_pg(struct net_device *netdev, bool rx, int n, u8 pct)
{
	bool bad = n < 0 || n >= PARQ_CEE_PGS;
	struct parq_cee_cfg *cfg;

	cfg = parq_cee_stage(netdev_priv(netdev),
			     bad ? PARQ_CEE_BAD : PARQ_CEE_PG);
	if (cfg && !bad)
		(rx ? &cfg->rx : &cfg->tx)->pct[n] = pct;
}

void parq_dcbnl_cee_setpgbwgcfgtx(struct net_device *netdev, int pgid, u8 pct)
{
	parq_cee_stage_pg(netdev, false, pgid, pct);
}

void parq_dcbnl_cee_setpgbwgcfgrx(struct net_device *netdev, int pgid, u8 pct)
{
	parq_cee_stage_pg(netdev, true, pgid, pct);
}

static void parq_cee_show_tc(struct net_device *netdev, bool rx, int n,
			     struct parq_cee_tc *tc)
{
	struct parq_cee_cfg cfg = parq_cee_now(netdev_priv(netdev));

	memset(tc, PARQ_CEE_KEEP, sizeof(*tc));
	if (n >= 0 && n < PARQ_NUM_TC)
		*tc = rx ? cfg.rx.tc[n] : cfg.tx.tc[n];
}

/* dcbnl calls this when it begins to collect settings for a message. APP entries follow later. */
void parq_dcbnl_cee_getpgtccfgtx(struct net_device *netdev, int tc, u8 *strict,
				 u8 *pgid, u8 *pct, u8 *up_map)
{
	struct parq_cee_tc t;

	if (!tc)
		parq_dcbnl_app_show(netdev_priv(netdev));
	parq_cee_show_tc(netdev, false, tc, &t);
	*strict = t.strict;
	*pgid = t.pgid;
	*pct = t.pct;
	*up_map = t.up_map;
}

void parq_dcbnl_cee_getpgtccfgrx(struct net_device *netdev, int tc, u8 *strict,
				 u8 *pgid, u8 *pct, u8 *up_map)
{
	struct parq_cee_tc t;

	parq_cee_show_tc(netdev, true, tc, &t);
	*strict = t.strict;
	*pgid = t.pgid;
	*pct = t.pct;
	*up_map = t.up_map;
}

void parq_dcbnl_cee_getpgbwgcfgtx(struct net_device *netdev, int pgid, u8 *pct)
{
	struct parq_cee_cfg cfg = parq_cee_now(netdev_priv(netdev));

	*pct = pgid >= 0 && pgid < PARQ_CEE_PGS ? cfg.tx.pct[pgid] : 0;
}

void parq_dcbnl_cee_getpgbwgcfgrx(struct net_device *netdev, int pgid, u8 *pct)
{
	struct parq_cee_cfg cfg = parq_cee_now(netdev_priv(netdev));

	*pct = pgid >= 0 && pgid < PARQ_CEE_PGS ? cfg.rx.pct[pgid] : 0;
}

/* ---- PFC ---------------------------------------------------------------- */

/*
 * dcbnl takes @prio from a message without its flags being masked. Enabling PFC on
 * a priority implies PFC state on: some agents never send setpfcstate.
 */
void parq_dcbnl_cee_setpfccfg(struct net_device *netdev, int prio, u8 setting)
{
	bool bad = prio < 0 || prio >= PARQ_NUM_PRIO;
	struct parq_cee_cfg *cfg;

	cfg = parq_cee_stage(netdev_priv(netdev),
			     bad ? PARQ_CEE_BAD : PARQ_CEE_PFC);
	if (!cfg || bad)
		return;
	cfg->pfc[prio] = setting;
	if (setting)
		cfg->pfc_on = 1;
}

void parq_dcbnl_cee_getpfccfg(struct net_device *netdev, int prio, u8 *setting)
{
	struct parq_cee_cfg cfg = parq_cee_now(netdev_priv(netdev));

	*setting = prio >= 0 && prio < PARQ_NUM_PRIO ? cfg.pfc[prio] : 0;
}

void parq_dcbnl_cee_setpfcstate(struct net_device *netdev, u8 state)
{
	struct parq_cee_cfg *cfg;

	cfg = parq_cee_stage(netdev_priv(netdev), PARQ_CEE_PFC);
	if (cfg)
		cfg->pfc_on = state;
}

u8 parq_dcbnl_cee_getpfcstate(struct net_device *netdev)
{
	return parq_cee_now(netdev_priv(netdev)).pfc_on;
}

/* ---- Commit ------------------------------------------------------------- */

/*
 * Changes @pfc and, if that succeeds, @ets; both or none. NULL: it does not change. @was is PFC
 * in force.
 */
static int parq_cee_change(struct parq_port *port, const struct ieee_pfc *pfc,
			   const struct ieee_ets *ets, const struct ieee_pfc *was,
			   char *reason)
{
	char again[PARQ_REASON_LEN];
	int err = 0;

	netdev_lock_ops(port->netdev);
	if (pfc)
		err = parq_pfc_set(port, pfc, reason);
	if (!err && ets) {
		err = parq_ets_set(port, ets, reason);
		if (err && pfc)
			parq_pfc_set(port, was, again);
	}
	netdev_unlock_ops(port->netdev);
	return err;
}

/* Applies all of it or nothing. Return: 1 if something has changed, 0 if not, or an error. */
static int parq_cee_apply(struct parq_port *port, const struct ieee_ets *ets,
			  u8 pfc_en, char *reason)
{
	struct ieee_pfc was = {
		.pfc_en = port->pfc.en,
		.mbc = port->pfc.mbc,
		.delay = port->pfc.delay,
	};
	bool new_ets = memcmp(ets, &port->ets.dcb, sizeof(*ets));
	bool new_pfc = pfc_en != was.pfc_en;
	const struct ieee_ets was_ets = port->ets.dcb;
	struct ieee_pfc pfc = was;
	int err;

	pfc.pfc_en = pfc_en;
	err = parq_cee_change(port, new_pfc ? &pfc : NULL, new_ets ? ets : NULL, &was,
			      reason);
	if (err)
		return err;
	parq_changed_pfc(port->netdev, was.pfc_en, pfc_en, "CEE");
	parq_changed_ets(port->netdev, &was_ets, ets, "CEE");
	return new_pfc || new_ets;
}

/* Converts the staged parts of the shadow to IEEE. */
static int parq_cee_fit(struct parq_port *port, struct ieee_ets *ets,
			u8 *pfc_en, char *reason)
{
	struct parq_cee *cee = &port->cee;
	struct ieee_ets rx = *ets;
	int err;

	if (cee->staged & PARQ_CEE_BAD) {
		cee->error = PARQ_CEE_PG | PARQ_CEE_PFC;
		snprintf(reason, PARQ_REASON_LEN,
			 "a priority, traffic class or group is not in 0..%u",
			 PARQ_NUM_PRIO - 1);
		return -EINVAL;
	}
	if (cee->staged & PARQ_CEE_PG) {
		cee->error = PARQ_CEE_PG;
		err = parq_cee_to_ets(&cee->shadow.rx, &rx, reason);
		if (!err)
			err = parq_cee_to_ets(&cee->shadow.tx, ets, reason);
		if (err)
			return err;
	}
	if (cee->staged & PARQ_CEE_PFC) {
		cee->error = PARQ_CEE_PFC;
		err = parq_cee_to_pfc(&cee->shadow, pfc_en, reason);
		if (err)
			return err;
	}
	cee->error = cee->staged;
	return 0;
}

/*
 * Return: PARQ_CEE_CHANGED, PARQ_CEE_UNCHANGED, or an errno. While DCB is disabled, the
 * staged settings stay staged.
 */
u8 parq_dcbnl_cee_setall(struct net_device *netdev)
{
	struct parq_port *port = netdev_priv(netdev);
	struct ieee_ets ets = port->ets.dcb;
	char reason[PARQ_REASON_LEN] = "";
	struct parq_cee *cee = &port->cee;
	u8 pfc_en = port->pfc.en;
	int ret;

	if (!cee->staged || !parq_dcbnl_cee_getstate(netdev))
		return PARQ_CEE_UNCHANGED;
	ret = parq_cee_fit(port, &ets, &pfc_en, reason);
	if (!ret)
		ret = parq_cee_apply(port, &ets, pfc_en, reason);
	cee->staged = 0;
	if (ret < 0)
		return -parq_refuse(netdev, NULL, "CEE", reason, ret);
	cee->error = 0;
	cee->kept = cee->shadow;
	return ret ? PARQ_CEE_CHANGED : PARQ_CEE_UNCHANGED;
}

/* ---- State, mode and features ------------------------------------------- */

static bool parq_cee_is_default(const struct parq_port *port)
{
	struct ieee_ets none;

	parq_ets_default(&none);
	return !port->pfc.en && !memcmp(&none, &port->ets.dcb, sizeof(none));
}

/* A setting made while DCB is disabled enables it again. */
u8 parq_dcbnl_cee_getstate(struct net_device *netdev)
{
	const struct parq_port *port = netdev_priv(netdev);

	return !port->cee.off || !parq_cee_is_default(port);
}

/*
 * Disabling DCB restores the default settings. An agent that enables it again sends only
 * what has changed since, so the old settings are kept for it.
 */
u8 parq_dcbnl_cee_setstate(struct net_device *netdev, u8 state)
{
	struct parq_port *port = netdev_priv(netdev);
	struct ieee_ets ets = port->ets.dcb;
	char reason[PARQ_REASON_LEN] = "";
	struct parq_cee *cee = &port->cee;
	u8 pfc_en = port->pfc.en;
	struct ieee_ets none;
	bool change;
	int ret = 0;

	if (state > 1) {
		snprintf(reason, sizeof(reason), "%u is not 0 or 1", state);
		return -parq_refuse(netdev, NULL, "DCB state", reason, -EINVAL);
	}
	change = state != parq_dcbnl_cee_getstate(netdev);
	if (change && state) {
		ret = parq_cee_apply(port, &cee->left_ets, cee->left_pfc, reason);
	} else if (change) {
		parq_ets_default(&none);
		ret = parq_cee_apply(port, &none, 0, reason);
	}
	if (ret < 0)
		return -parq_refuse(netdev, NULL, "DCB state", reason, ret);
	if (change && !state) {
		cee->left_ets = ets;
		cee->left_pfc = pfc_en;
	}
	cee->off = !state;
	return 0;
}

/* Called under dcb_lock. */
u8 parq_dcbnl_cee_getdcbx(struct net_device *netdev)
{
	const struct parq_port *port = netdev_priv(netdev);

	return READ_ONCE(port->cee.mode);
}

/*
 * The mode only tells the agent's protocol. Settings do not change, but staged ones are
 * dropped. Return: 0, or 1 for a mode that is not supported.
 */
u8 parq_dcbnl_cee_setdcbx(struct net_device *netdev, u8 mode)
{
	struct parq_port *port = netdev_priv(netdev);

	if (mode != PARQ_DCBX_CEE && mode != PARQ_DCBX_IEEE)
		return 1;
	if (mode != port->cee.mode)
		port->cee.staged = 0;
	WRITE_ONCE(port->cee.mode, mode);
	return 0;
}

static u8 parq_cee_feature(struct net_device *netdev, int id)
{
	const struct parq_port *port = netdev_priv(netdev);
	u8 flags = 0, which = 0;
	bool on;

	on = parq_dcbnl_cee_getstate(netdev);
	if (id == DCB_FEATCFG_ATTR_PG) {
		which = PARQ_CEE_PG;
	} else if (id == DCB_FEATCFG_ATTR_PFC) {
		which = PARQ_CEE_PFC;
		on = port->pfc.en;
	}
	if (on)
		flags |= DCB_FEATCFG_ENABLE;
	if (port->cee.error & which)
		flags |= DCB_FEATCFG_ERROR;
	return flags;
}

static bool parq_cee_feature_exists(int id)
{
	return id == DCB_FEATCFG_ATTR_PG || id == DCB_FEATCFG_ATTR_PFC ||
	       id == DCB_FEATCFG_ATTR_APP;
}

u8 parq_dcbnl_cee_getfeatcfg(struct net_device *netdev, int id, u8 *flags)
{
	const struct parq_port *port = netdev_priv(netdev);
	bool known = parq_cee_feature_exists(id);

	*flags = known ? port->cee.feat[id] | parq_cee_feature(netdev, id) : 0;
	return known ? 0 : EINVAL;
}

/* Stores willing and advertise for the agent. Enable must match the settings. */
u8 parq_dcbnl_cee_setfeatcfg(struct net_device *netdev, int id, u8 flags)
{
	struct parq_port *port = netdev_priv(netdev);
	char reason[PARQ_REASON_LEN];

	if (!parq_cee_feature_exists(id) ||
	    flags & ~(PARQ_CEE_FEAT_OURS | PARQ_CEE_FEAT_AGENT)) {
		snprintf(reason, sizeof(reason), "feature %d with flags %#x is unknown",
			 id, flags);
		return -parq_refuse(netdev, NULL, "CEE", reason, -EINVAL);
	}
	if ((flags & PARQ_CEE_FEAT_OURS) != parq_cee_feature(netdev, id)) {
		snprintf(reason, sizeof(reason),
			 "flags %#x of feature %d: settings enable it, not flags",
			 flags, id);
		return -parq_refuse(netdev, NULL, "CEE", reason, -EOPNOTSUPP);
	}
	port->cee.feat[id] = flags & PARQ_CEE_FEAT_AGENT;
	return 0;
}
