/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_LOG_H
#define _PARQ_LOG_H

#include <linux/compiler.h>
#include <linux/types.h>

struct ieee_ets;
struct net_device;
struct netlink_ext_ack;

/*
 * Size of the sentence that tells why a setting is refused: "parq: " and the reason fit into
 * NETLINK_MAX_FMTMSG_LEN. The function that refuses a value writes it. An error of the
 * device or of memory leaves it empty, and parq_refuse() supplies the reason.
 */
#define PARQ_REASON_LEN	74

const char *parq_refuse_reason(int err);
int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack,
		const char *what, const char *reason, int err);

__printf(3, 4)
void parq_changed(struct net_device *dev, const char *by, const char *fmt, ...);
void parq_changed_pfc(struct net_device *dev, u8 was, u8 is, const char *by);
void parq_changed_ets(struct net_device *dev, const struct ieee_ets *was,
		      const struct ieee_ets *is, const char *by);

#endif /* _PARQ_LOG_H */
