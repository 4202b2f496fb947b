/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DCBNL_CEE_H
#define _PARQ_DCBNL_CEE_H

#include <net/dcbnl.h>

/* Modes of the DCBX agent, which is in user space. */
#define PARQ_DCBX_CEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE)
#define PARQ_DCBX_IEEE	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

struct net_device;

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

#endif /* _PARQ_DCBNL_CEE_H */
