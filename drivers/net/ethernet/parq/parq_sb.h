/* SPDX-License-Identifier: GPL-2.0 */
/* The shared buffer in devlink's terms. */
#ifndef _PARQ_SB_H
#define _PARQ_SB_H

#include <net/devlink.h>

struct parq_dev;

/* Called by devlink, which holds its lock. */
int parq_sb_pool_get(struct devlink *devlink, unsigned int sb_index, u16 pool,
		     struct devlink_sb_pool_info *info);
int parq_sb_pool_set(struct devlink *devlink, unsigned int sb_index, u16 pool, u32 size,
		     enum devlink_sb_threshold_type type, struct netlink_ext_ack *extack);
int parq_sb_port_pool_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 pool,
			  u32 *threshold);
int parq_sb_tc_pool_bind_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
			     enum devlink_sb_pool_type type, u16 *pool, u32 *threshold);
int parq_sb_tc_pool_bind_set(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
			     enum devlink_sb_pool_type type, u16 pool, u32 threshold,
			     struct netlink_ext_ack *extack);
int parq_sb_occ_snapshot(struct devlink *devlink, unsigned int sb_index);
int parq_sb_occ_max_clear(struct devlink *devlink, unsigned int sb_index);
int parq_sb_occ_port_pool_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 pool,
			      u32 *cur, u32 *max);
int parq_sb_occ_tc_port_bind_get(struct devlink_port *devlink_port, unsigned int sb_index, u16 tc,
				 enum devlink_sb_pool_type type, u32 *cur, u32 *max);

/* Before the device is registered with devlink, and after it. */
int parq_sb_register(struct parq_dev *pd);
void parq_sb_unregister(struct parq_dev *pd);

#endif /* _PARQ_SB_H */
