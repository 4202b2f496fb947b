/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_REFUSE_H
#define _PARQ_REFUSE_H

struct net_device;
struct netlink_ext_ack;

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack,
		const char *what, const char *reason, int err);

#endif /* _PARQ_REFUSE_H */
