// SPDX-License-Identifier: GPL-2.0
/* Tells the user why a request was refused, and who has changed a setting. */
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>

#include "compat.h"
#include "parq_ets.h"
#include "parq_log.h"

/* Netlink truncates longer messages. */
static_assert(sizeof("parq: ") - 1 + PARQ_REASON_LEN <= NETLINK_MAX_FMTMSG_LEN);

/* Return: what @err means, for a refusal without a reason of its own. */
const char *parq_refuse_reason(int err)
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

/* ---- changes, in the log ------------------------------------------------ */

/**
 * parq_changed() - log that a setting has changed
 * @dev: interface
 * @by: interface of the kernel by which the request came
 * @fmt: the setting, its old and its new value, in the format of printf()
 *
 * Agents change settings behind the user's back. So the line also has the name of the process.
 *
 * Context: of the process that changes the setting.
 */
void parq_changed(struct net_device *dev, const char *by, const char *fmt, ...)
{
	/* Not net_ratelimit(): a script's settings must not hide a storm that follows. */
	static DEFINE_RATELIMIT_STATE(changes, DEFAULT_RATELIMIT_INTERVAL,
				      DEFAULT_RATELIMIT_BURST);
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	if (!__ratelimit(&changes))
		return;
	va_start(args, fmt);
	vaf.va = &args;
	netdev_info(dev, "%pV (%s, %s)\n", &vaf, by, current->comm);
	va_end(args);
}

/* The same for PFC: BIT(priority) before and after the request. */
void parq_changed_pfc(struct net_device *dev, u8 was, u8 is, const char *by)
{
	unsigned long before = was, after = is;

	if (before != after)
		parq_changed(dev, by, "PFC: priorities [%*pbl], were [%*pbl]",
			     PARQ_NUM_PRIO, &after, PARQ_NUM_PRIO, &before);
}

/* The same for what the NIC uses of ETS. */
void parq_changed_ets(struct net_device *dev, const struct ieee_ets *was,
		      const struct ieee_ets *is, const char *by)
{
	char before[PARQ_ETS_TEXT_LEN], after[PARQ_ETS_TEXT_LEN];

	parq_ets_text(was, before);
	parq_ets_text(is, after);
	if (strcmp(before, after))
		parq_changed(dev, by, "ETS: %s, was %s", after, before);
}
