/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DCBNL_APP_H
#define _PARQ_DCBNL_APP_H

#include <net/dcbnl.h>

struct net_device;
struct parq_port;

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

#endif /* _PARQ_DCBNL_APP_H */
