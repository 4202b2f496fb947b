// SPDX-License-Identifier: GPL-2.0
/* Reports why a request was refused: in extack, or else in the log. */
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>

#include "compat.h"
#include "parq_dcb.h"
#include "parq_refuse.h"

/* Netlink truncates longer messages. */
static_assert(sizeof("parq: ") - 1 + PARQ_REASON_LEN <= NETLINK_MAX_FMTMSG_LEN);

static const char *parq_refuse_reason(int err)
{
	switch (err) {
	case -ENODEV:
		return "the device is gone";
	case -EIO:
		return "the device refused it";
	case -ENOMEM:
		return "out of memory";
	case -ETIMEDOUT:
		return "the device does not answer";
	default:
		return "not supported by the device";
	}
}

/**
 * parq_refuse() - report why a request is refused
 * @dev: interface
 * @extack: receives the reason; if NULL, the log does: not all interfaces have an extack,
 *	and some have it only in newer kernels
 * @what: subject of the request
 * @reason: the value, and the permitted range; empty: the meaning of @err
 * @err: error code of the refusal
 *
 * Context: any.
 * Return: @err.
 */
int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack,
		const char *what, const char *reason, int err)
{
	if (!*reason)
		reason = parq_refuse_reason(err);
	if (extack)
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s", reason);
	else if (net_ratelimit())
		netdev_err(dev, "%s refused: %s\n", what, reason);
	return err;
}
