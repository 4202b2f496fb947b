// SPDX-License-Identifier: GPL-2.0
/* Reports why a request was refused: in extack, or else in the log. */
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>

#include "compat.h"
#include "parq_refuse.h"

/**
 * parq_refuse() - report why a request is refused
 * @dev: interface
 * @extack: receives the reason; if NULL, the log does: not all interfaces have an extack,
 *	and some have it only in newer kernels
 * @what: subject of the request
 * @why: the value, and the permitted range
 * @err: error code of the refusal
 *
 * Context: any.
 * Return: @err.
 */
int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack,
		const char *what, const char *why, int err)
{
	if (extack)
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s", why);
	else if (net_ratelimit())
		netdev_err(dev, "%s refused: %s\n", what, why);
	return err;
}
