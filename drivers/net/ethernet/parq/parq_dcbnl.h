/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the dcbnl face share. */
#ifndef _PARQ_DCBNL_H
#define _PARQ_DCBNL_H

#include <net/dcbnl.h>

struct parq_port;

int parq_dcbnl_refuse(struct net_device *netdev, const char *what,
		      const char *why, int err);

/* APP entries, trust, rewriting: parq_dcbnl_app.c */
int parq_dcbnl_setapp(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_delapp(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_getapptrust(struct net_device *netdev, u8 *order, int *num);
int parq_dcbnl_setapptrust(struct net_device *netdev, u8 *order, int num);
int parq_dcbnl_setrewr(struct net_device *netdev, struct dcb_app *app);
int parq_dcbnl_delrewr(struct net_device *netdev, struct dcb_app *app);
void parq_dcbnl_app_flush(struct parq_port *port);

#endif /* _PARQ_DCBNL_H */
