// SPDX-License-Identifier: GPL-2.0
/*
 * The shared buffer in devlink's terms. Pool n is receive buffer n of every port, an ingress
 * traffic class is a priority, and DCB sets the sizes. If ports share a pool, it is pool 0, and an
 * ingress traffic class is a buffer. A device that tells what waits to leave its ports has one
 * more pool, the egress pool.
 */
#include <linux/netlink.h>

#include "parq.h"
#include "parq_egress.h"
#include "parq_io.h"
#include "parq_pool.h"
#include "parq_sb.h"

#define PARQ_SB		0

static struct parq_port *parq_sb_port(struct devlink_port *devlink_port)
{
	return container_of(devlink_port, struct parq_port, devlink_port);
}

/* Number of ingress pools. The egress pool follows them. */
static unsigned int parq_sb_pools(const struct parq_dev *pd)
{
	return parq_pool_exists(pd) ? 1 : PARQ_NUM_RXB;
}

/* Return: it is the egress pool, not one of the ingress. */
static bool parq_sb_leaves(const struct parq_dev *pd, u16 pool)
{
	return pool == parq_sb_pools(pd);
}

/* Return: the traffic class exists in this direction. */
static bool parq_sb_tc_exists(const struct parq_dev *pd, unsigned int tc,
			      enum devlink_sb_pool_type type)
{
	return tc < PARQ_NUM_PRIO &&
	       (type == DEVLINK_SB_POOL_TYPE_INGRESS || parq_egress_exists(pd));
}

static struct parq_rxb parq_sb_buffers(struct parq_port *port)
{
	struct parq_rxb rxb;

	mutex_lock(&port->pfc.lock);
	rxb = port->pfc.buf.rxb;
	mutex_unlock(&port->pfc.lock);
	return rxb;
}

/* ---- Pools -------------------------------------------------------------- */

int parq_sb_pool_get(struct devlink *devlink, unsigned int sb_index, u16 pool,
		     struct devlink_sb_pool_info *info)
{
	struct parq_dev *pd = devlink_priv(devlink);
	unsigned int i;

	*info = (struct devlink_sb_pool_info){
		.pool_type = DEVLINK_SB_POOL_TYPE_INGRESS,
		.threshold_type = DEVLINK_SB_THRESHOLD_TYPE_STATIC,
		.cell_size = 1,
	};
	if (parq_sb_leaves(pd, pool)) {
		info->pool_type = DEVLINK_SB_POOL_TYPE_EGRESS;
		info->size = parq_buf_total(pd);
		return 0;
	}
	if (parq_pool_exists(pd)) {
		info->size = parq_pool_size(pd);
		if (!parq_pool_fixed(pd))
			info->threshold_type = DEVLINK_SB_THRESHOLD_TYPE_DYNAMIC;
		return 0;
	}
	for (i = 0; i < pd->caps.ports; i++)
		info->size += parq_sb_buffers(pd->port[i]).size[pool];
	return 0;
}

int parq_sb_pool_set(struct devlink *devlink, unsigned int sb_index, u16 pool, u32 size,
		     enum devlink_sb_threshold_type type, struct netlink_ext_ack *extack)
{
	struct parq_dev *pd = devlink_priv(devlink);

	if (parq_sb_leaves(pd, pool)) {
		NL_SET_ERR_MSG_MOD(extack, "the egress pool is all receive memory, and static");
		return -EOPNOTSUPP;
	}
	if (!parq_pool_exists(pd)) {
		NL_SET_ERR_MSG_MOD(extack, "buffer sizes are set with dcb buffer");
		return -EOPNOTSUPP;
	}
	return parq_pool_set(pd, size, type == DEVLINK_SB_THRESHOLD_TYPE_STATIC, extack);
}

/* Size of the pool on this port. No port has a limit of its own in a shared pool. */
int parq_sb_port_pool_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 pool,
			  u32 *threshold)
{
	struct parq_port *port = parq_sb_port(devlink_port);
	struct parq_dev *pd = port->pd;

	if (parq_sb_leaves(pd, pool))
		*threshold = parq_buf_total(pd);
	else if (parq_pool_exists(pd))
		*threshold = parq_pool_fixed(pd) ? parq_pool_size(pd) : PARQ_SW_POOL_ALPHA_MAX;
	else
		*threshold = parq_sb_buffers(port).size[pool];
	return 0;
}

/* ---- Traffic classes ----------------------------------------------------- */

/* The threshold of a receive buffer is XOFF of a lossless priority, the size of a lossy one. */
int parq_sb_tc_pool_bind_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
			     enum devlink_sb_pool_type type, u16 *pool, u32 *threshold)
{
	struct parq_port *port = parq_sb_port(devlink_port);
	struct parq_rxb rxb;

	if (!parq_sb_tc_exists(port->pd, tc, type))
		return -EOPNOTSUPP;
	if (type == DEVLINK_SB_POOL_TYPE_EGRESS) {
		*pool = parq_sb_pools(port->pd);
		*threshold = parq_egress_limit(port, tc);
		return 0;
	}
	if (parq_pool_exists(port->pd)) {
		*pool = 0;
		*threshold = parq_pool_limit(port, tc);
		return 0;
	}
	rxb = parq_sb_buffers(port);
	*pool = parq_rxb_buffer(&rxb, tc);
	*threshold = rxb.xoff[*pool];
	return 0;
}

int parq_sb_tc_pool_bind_set(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
			     enum devlink_sb_pool_type type, u16 pool, u32 threshold,
			     struct netlink_ext_ack *extack)
{
	struct parq_port *port = parq_sb_port(devlink_port);
	bool leaves = type == DEVLINK_SB_POOL_TYPE_EGRESS;

	if (!parq_sb_tc_exists(port->pd, tc, type))
		return -EOPNOTSUPP;
	if (!leaves && !parq_pool_exists(port->pd)) {
		NL_SET_ERR_MSG_MOD(extack, "priorities are mapped with dcb buffer");
		return -EOPNOTSUPP;
	}
	if (leaves != parq_sb_leaves(port->pd, pool)) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "pool %u is not one of the %s", pool,
				       leaves ? "egress" : "ingress");
		return -EINVAL;
	}
	return leaves ? parq_egress_limit_set(port, tc, threshold, extack) :
			parq_pool_limit_set(port, tc, threshold, extack);
}

/* ---- Occupancy ---------------------------------------------------------- */

int parq_sb_occ_snapshot(struct devlink *devlink, unsigned int sb_index)
{
	struct parq_dev *pd = devlink_priv(devlink);
	unsigned int i;
	int err = 0;

	for (i = 0; i < pd->caps.ports && !err; i++)
		err = parq_buf_snapshot(pd->port[i]);
	if (err || !(parq_pool_exists(pd) || parq_egress_exists(pd)))
		return err;
	/* So that ports and their classes agree. */
	parq_io_levels_hold(pd, true);
	if (parq_pool_exists(pd))
		err = parq_pool_snapshot(pd);
	if (!err && parq_egress_exists(pd))
		err = parq_egress_snapshot(pd);
	parq_io_levels_hold(pd, false);
	return err;
}

int parq_sb_occ_max_clear(struct devlink *devlink, unsigned int sb_index)
{
	struct parq_dev *pd = devlink_priv(devlink);
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++)
		parq_buf_max_clear(pd->port[i]);
	if (parq_pool_exists(pd))
		parq_pool_max_clear(pd);
	if (parq_egress_exists(pd))
		parq_egress_max_clear(pd);
	return 0;
}

static void parq_sb_buffer_occ(struct parq_port *port, unsigned int n, u32 *cur, u32 *max)
{
	mutex_lock(&port->pfc.lock);
	*cur = port->pfc.buf.used[n];
	*max = port->pfc.buf.high[n];
	mutex_unlock(&port->pfc.lock);
}

int parq_sb_occ_port_pool_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 pool,
			      u32 *cur, u32 *max)
{
	struct parq_port *port = parq_sb_port(devlink_port);

	if (parq_sb_leaves(port->pd, pool))
		parq_egress_occupancy(port, PARQ_EGRESS_PORT, cur, max);
	else if (parq_pool_exists(port->pd))
		parq_pool_occupancy(port, cur, max);
	else
		parq_sb_buffer_occ(port, pool, cur, max);
	return 0;
}

/*
 * The device counts per buffer: priorities that share a buffer show the same value. A buffer's
 * value includes its own memory.
 */
int parq_sb_occ_tc_port_bind_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
				 enum devlink_sb_pool_type type, u32 *cur, u32 *max)
{
	struct parq_port *port = parq_sb_port(devlink_port);
	struct parq_rxb rxb;

	if (!parq_sb_tc_exists(port->pd, tc, type))
		return -EOPNOTSUPP;
	if (type == DEVLINK_SB_POOL_TYPE_EGRESS) {
		parq_egress_occupancy(port, tc, cur, max);
		return 0;
	}
	if (!parq_pool_exists(port->pd)) {
		rxb = parq_sb_buffers(port);
		tc = parq_rxb_buffer(&rxb, tc);
	}
	parq_sb_buffer_occ(port, tc, cur, max);
	return 0;
}

/* ---- Life --------------------------------------------------------------- */

int parq_sb_register(struct parq_dev *pd)
{
	bool leaves = parq_egress_exists(pd);

	return devlink_sb_register(priv_to_devlink(pd), PARQ_SB, parq_buf_total(pd),
				   parq_sb_pools(pd), leaves ? 1 : 0, PARQ_NUM_PRIO,
				   leaves ? PARQ_NUM_TC : 0);
}

void parq_sb_unregister(struct parq_dev *pd)
{
	devlink_sb_unregister(priv_to_devlink(pd), PARQ_SB);
}
