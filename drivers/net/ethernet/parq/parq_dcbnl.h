/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DCBNL_H
#define _PARQ_DCBNL_H

#include <net/dcbnl.h>

#include "parq_ets.h"
#include "parq_log.h"

struct net_device;
struct parq_port;

/* ---- parq_dcbnl_cee_calc.c --------------------------------------------- */

/* Value of settings that a message does not name: they do not change. */
#define PARQ_CEE_KEEP		DCB_ATTR_VALUE_UNDEFINED

#define PARQ_CEE_PGS		8
#define PARQ_CEE_PG_STRICT	15	/* group number that means link strict priority */

/* Strict priority of a traffic class */
enum parq_cee_strict {
	PARQ_CEE_STRICT_NONE,
	PARQ_CEE_STRICT_GROUP,
	PARQ_CEE_STRICT_LINK,
};

/**
 * struct parq_cee_tc - settings of a traffic class, as the user gave them
 * @strict: enum parq_cee_strict
 * @pgid: priority group
 * @pct: share of the group's bandwidth, percent
 * @up_map: BIT(priority)
 */
struct parq_cee_tc {
	u8 strict;
	u8 pgid;
	u8 pct;
	u8 up_map;
};

/**
 * struct parq_cee_pg - priority groups, one direction
 * @tc: traffic classes
 * @pct: bandwidth of each group, percent
 */
struct parq_cee_pg {
	struct parq_cee_tc tc[PARQ_NUM_TC];
	u8 pct[PARQ_CEE_PGS];
};

/**
 * struct parq_cee_cfg - all CEE settings
 * @tx: priority groups for transmission
 * @rx: priority groups for reception; reported, but not used: the device has none
 * @pfc: by priority, 0 or 1
 * @pfc_on: @pfc is in force, 0 or 1
 */
struct parq_cee_cfg {
	struct parq_cee_pg tx;
	struct parq_cee_pg rx;
	u8 pfc[PARQ_NUM_PRIO];
	u8 pfc_on;
};

/* Bits of parq_cee.staged */
#define PARQ_CEE_PG		BIT(0)
#define PARQ_CEE_PFC		BIT(1)
#define PARQ_CEE_BAD		BIT(2)	/* the message named an invalid priority or class */

/**
 * struct parq_cee - CEE's state of a port; under rtnl, except @mode
 * @shadow: staged settings, valid while @staged
 * @kept: settings that came into force last, in the form in which they were given
 * @staged: parts of @shadow that are staged
 * @error: parts refused last, PARQ_CEE_PG | PARQ_CEE_PFC
 * @off: DCB is disabled
 * @left_ets: ETS in force when DCB was disabled
 * @left_pfc: PFC in force when DCB was disabled
 * @mode: DCB_CAP_DCBX_*, of the agent
 * @feat: DCB_FEATCFG_WILLING and _ADVERTISE, by DCB_FEATCFG_ATTR_*
 */
struct parq_cee {
	struct parq_cee_cfg shadow;
	struct parq_cee_cfg kept;
	u8 staged;
	u8 error;
	bool off;
	struct ieee_ets left_ets;
	u8 left_pfc;
	u8 mode;
	u8 feat[DCB_FEATCFG_ATTR_MAX + 1];
};

void parq_cee_tc_stage(struct parq_cee_tc *tc, const struct parq_cee_tc *new);
int parq_cee_to_ets(const struct parq_cee_pg *pg, struct ieee_ets *ets,
		    char reason[PARQ_REASON_LEN]);
int parq_cee_to_pfc(const struct parq_cee_cfg *cfg, u8 *en,
		    char reason[PARQ_REASON_LEN]);
struct parq_cee_cfg parq_cee_from(const struct ieee_ets *ets, u8 pfc_en,
				  const struct parq_cee_cfg *kept);

/* ---- parq_dcbnl.c ------------------------------------------------------ */

/* Called before register_netdev(). */
void parq_dcbnl_init(struct parq_port *port);

/* ---- parq_dcbnl_app.c -------------------------------------------------- */

void parq_dcbnl_app_show(struct parq_port *port);
int parq_dcbnl_app_set(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_app_del(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_app_set_cee(struct net_device *netdev, u8 idtype, u16 id, u8 prios);
int parq_dcbnl_app_get_cee(struct net_device *netdev, u8 idtype, u16 id);
int parq_dcbnl_app_get_trust(struct net_device *netdev, u8 *order, int *num);
int parq_dcbnl_app_set_trust(struct net_device *netdev, u8 *order, int num);
int parq_dcbnl_app_set_rewr(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_app_del_rewr(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_app_register(struct parq_port *port);
void parq_dcbnl_app_unregister(struct parq_port *port);

/* ---- parq_dcbnl_cee.c -------------------------------------------------- */

/* Modes of the DCBX agent, which is in user space. */
#define PARQ_DCBX_CEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE)
#define PARQ_DCBX_IEEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

u8 parq_dcbnl_cee_getstate(struct net_device *netdev);
u8 parq_dcbnl_cee_setstate(struct net_device *netdev, u8 state);
u8 parq_dcbnl_cee_getdcbx(struct net_device *netdev);
u8 parq_dcbnl_cee_setdcbx(struct net_device *netdev, u8 mode);
void parq_dcbnl_cee_setpgtccfgtx(struct net_device *netdev, int tc, u8 strict,
				 u8 pgid, u8 pct, u8 up_map);
void parq_dcbnl_cee_setpgtccfgrx(struct net_device *netdev, int tc, u8 strict,
				 u8 pgid, u8 pct, u8 up_map);
void parq_dcbnl_cee_setpgbwgcfgtx(struct net_device *netdev, int pgid, u8 pct);
void parq_dcbnl_cee_setpgbwgcfgrx(struct net_device *netdev, int pgid, u8 pct);
void parq_dcbnl_cee_getpgtccfgtx(struct net_device *netdev, int tc, u8 *strict,
				 u8 *pgid, u8 *pct, u8 *up_map);
void parq_dcbnl_cee_getpgtccfgrx(struct net_device *netdev, int tc, u8 *strict,
				 u8 *pgid, u8 *pct, u8 *up_map);
void parq_dcbnl_cee_getpgbwgcfgtx(struct net_device *netdev, int pgid, u8 *pct);
void parq_dcbnl_cee_getpgbwgcfgrx(struct net_device *netdev, int pgid, u8 *pct);
void parq_dcbnl_cee_setpfccfg(struct net_device *netdev, int prio, u8 setting);
void parq_dcbnl_cee_getpfccfg(struct net_device *netdev, int prio, u8 *setting);
void parq_dcbnl_cee_setpfcstate(struct net_device *netdev, u8 state);
u8 parq_dcbnl_cee_getpfcstate(struct net_device *netdev);
u8 parq_dcbnl_cee_setall(struct net_device *netdev);
u8 parq_dcbnl_cee_getfeatcfg(struct net_device *netdev, int id, u8 *flags);
u8 parq_dcbnl_cee_setfeatcfg(struct net_device *netdev, int id, u8 flags);

#endif /* _PARQ_DCBNL_H */
