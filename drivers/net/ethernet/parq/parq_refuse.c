// SPDX-License-Identifier: GPL-2.0
/* Refusals: the reason goes where the user looks for it. */
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>

#include "compat.h"
#include "parq_refuse.h"

/**
 * parq_refuse() - say why a request is refused
 * @dev: interface
 * @extack: for the reason, which goes to the log if this is NULL: not all
 *	interfaces have one, and not on all kernels
 * @what: that cannot be had
 * @why: the value, and the permitted range
 * @err: of the refusal
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
