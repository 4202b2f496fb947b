/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the dcbnl face share. */
#ifndef _PARQ_DCBNL_H
#define _PARQ_DCBNL_H

#include <net/dcbnl.h>

/* Modes of the DCBX agent, which is in user space. */
#define PARQ_DCBX_CEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE)
#define PARQ_DCBX_IEEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

struct parq_port;

/* APP entries, trust, rewriting: parq_dcbnl_app.c */
int parq_dcbnl_setapp(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_delapp(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_cee_setapp(struct net_device *netdev, u8 idtype, u16 id, u8 prios);
int parq_dcbnl_getapptrust(struct net_device *netdev, u8 *order, int *num);
int parq_dcbnl_setapptrust(struct net_device *netdev, u8 *order, int num);
int parq_dcbnl_setrewr(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_delrewr(struct net_device *netdev, struct dcb_app *app);
void parq_dcbnl_app_flush(struct parq_port *port);

/* CEE: parq_dcbnl_cee.c */
u8 parq_dcbnl_getstate(struct net_device *netdev);
u8 parq_dcbnl_setstate(struct net_device *netdev, u8 state);
u8 parq_dcbnl_getdcbx(struct net_device *netdev);
u8 parq_dcbnl_setdcbx(struct net_device *netdev, u8 mode);
void parq_dcbnl_setpgtccfgtx(struct net_device *netdev, int tc, u8 strict,
			     u8 pgid, u8 pct, u8 up_map);
void parq_dcbnl_setpgtccfgrx(struct net_device *netdev, int tc, u8 strict,
			     u8 pgid, u8 pct, u8 up_map);
void parq_dcbnl_setpgbwgcfgtx(struct net_device *netdev, int pgid, u8 pct);
void parq_dcbnl_setpgbwgcfgrx(struct net_device *netdev, int pgid, u8 pct);
void parq_dcbnl_getpgtccfgtx(struct net_device *netdev, int tc, u8 *strict,
			     u8 *pgid, u8 *pct, u8 *up_map);
void parq_dcbnl_getpgtccfgrx(struct net_device *netdev, int tc, u8 *strict,
			     u8 *pgid, u8 *pct, u8 *up_map);
void parq_dcbnl_getpgbwgcfgtx(struct net_device *netdev, int pgid, u8 *pct);
void parq_dcbnl_getpgbwgcfgrx(struct net_device *netdev, int pgid, u8 *pct);
void parq_dcbnl_setpfccfg(struct net_device *netdev, int prio, u8 setting);
void parq_dcbnl_getpfccfg(struct net_device *netdev, int prio, u8 *setting);
void parq_dcbnl_setpfcstate(struct net_device *netdev, u8 state);
u8 parq_dcbnl_getpfcstate(struct net_device *netdev);
u8 parq_dcbnl_setall(struct net_device *netdev);
u8 parq_dcbnl_getfeatcfg(struct net_device *netdev, int id, u8 *flags);
u8 parq_dcbnl_setfeatcfg(struct net_device *netdev, int id, u8 flags);

#endif /* _PARQ_DCBNL_H */
