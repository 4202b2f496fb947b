// SPDX-License-Identifier: GPL-2.0
/* What waits on the device to leave by its ports. See Egress in parq_hw_switch.h. */
#include <linux/netlink.h>
#include <linux/slab.h>

#include "parq_egress.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_switch_domain.h"

bool parq_egress_exists(const struct parq_dev *pd)
{
	return pd->sw && pd->sw->egress;
}

static struct parq_egress *parq_egress_of(const struct parq_port *port)
{
	return &port->pd->sw->egress[port->index];
}

/* ---- Limits ------------------------------------------------------------- */

/* Return: bytes; all receive memory if there is no limit. */
u32 parq_egress_limit(struct parq_port *port, unsigned int tc)
{
	u32 limit = READ_ONCE(parq_egress_of(port)->limit[tc]);

	return min(limit, parq_buf_total(port->pd));
}

/**
 * parq_egress_limit_set() - bound what waits in a traffic class
 * @port: port, up or down
 * @tc: traffic class
 * @bytes: up to all receive memory, which is no limit; frames that may be dropped are not taken
 *	beyond
 * @extack: receives the reason if the change is refused
 *
 * What waits stays.
 *
 * Return: 0, -EINVAL (out of range), or -ENODEV (the device is gone).
 */
int parq_egress_limit_set(struct parq_port *port, unsigned int tc, u32 bytes,
			  struct netlink_ext_ack *extack)
{
	u32 total = parq_buf_total(port->pd);

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	if (bytes > total) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "threshold %u is more than the %u bytes of all ports",
				       bytes, total);
		return -EINVAL;
	}
	if (bytes == total)
		bytes = PARQ_SW_EGR_UNLIMITED;
	mutex_lock(&port->pd->sw->lock);
	WRITE_ONCE(parq_egress_of(port)->limit[tc], bytes);
	parq_io_egress_limit(port, tc, bytes);
	mutex_unlock(&port->pd->sw->lock);
	return 0;
}

/* ---- Occupancy ---------------------------------------------------------- */

/* Return: 0; -ENODEV (the device is gone, or in a reset): the record has not changed. */
static int parq_egress_record(struct parq_port *port)
{
	u32 used[PARQ_NUM_TC + 1], high[PARQ_NUM_TC + 1];
	struct parq_egress *egress = parq_egress_of(port);
	unsigned int n;

	for (n = 0; n <= PARQ_EGRESS_PORT; n++) {
		used[n] = parq_io_egress_used(port, n);
		high[n] = parq_io_egress_high(port, n);
	}
	if (!parq_dev_ready(port->pd))
		return -ENODEV;
	memcpy(egress->used, used, sizeof(used));
	memcpy(egress->high, high, sizeof(high));
	return 0;
}

int parq_egress_snapshot(struct parq_dev *pd)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pd->caps.ports && !err; i++)
		err = parq_egress_record(pd->port[i]);
	return err;
}

void parq_egress_max_clear(struct parq_dev *pd)
{
	unsigned int i, n;

	for (i = 0; i < pd->caps.ports; i++)
		for (n = 0; n <= PARQ_EGRESS_PORT; n++)
			parq_io_egress_max_clear(pd->port[i], n);
}

/* As of the last snapshot. @n: traffic class, or PARQ_EGRESS_PORT */
void parq_egress_occupancy(const struct parq_port *port, unsigned int n, u32 *cur, u32 *max)
{
	*cur = parq_egress_of(port)->used[n];
	*max = parq_egress_of(port)->high[n];
}

/* ---- Life --------------------------------------------------------------- */

/* A device that was reset has no limits. */
void parq_egress_restart(struct parq_dev *pd)
{
	unsigned int i, tc;

	if (!parq_egress_exists(pd))
		return;
	mutex_lock(&pd->sw->lock);
	for (i = 0; i < pd->caps.ports; i++)
		for (tc = 0; tc < PARQ_NUM_TC; tc++)
			parq_io_egress_limit(pd->port[i], tc, pd->sw->egress[i].limit[tc]);
	mutex_unlock(&pd->sw->lock);
}

int parq_egress_init(struct parq_dev *pd)
{
	unsigned int i, tc;

	if (!parq_io_switch_egress(pd))
		return 0;
	pd->sw->egress = kcalloc(pd->caps.ports, sizeof(*pd->sw->egress), GFP_KERNEL);
	if (!pd->sw->egress)
		return -ENOMEM;
	for (i = 0; i < pd->caps.ports; i++)
		for (tc = 0; tc < PARQ_NUM_TC; tc++)
			pd->sw->egress[i].limit[tc] = PARQ_SW_EGR_UNLIMITED;
	return 0;
}

void parq_egress_fini(struct parq_dev *pd)
{
	kfree(pd->sw->egress);
}
